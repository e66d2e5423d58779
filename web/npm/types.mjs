// types.mjs SCHEMA: TypeScript's declarations of what a schema of tests/schemas says, from its definitions and its alternatives, the first of
// which is `Answer`, the second `Failure`. What TypeScript has no word for (patterns, bounds) is left out.
import { readFileSync } from "node:fs";

const schema = JSON.parse(readFileSync(process.argv[2], "utf8"));
const title = (name) => name.replace(/(^|[-_])(\w)/g, (all, before, letter) => letter.toUpperCase());
const PLAIN = { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" };
const quoted = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
const either = (types) => [...new Set(types)].join(" | ");

function object({ properties, required = [], additionalProperties: others }) {
  if (!properties) return `Record<string, ${typeof others === "object" ? type(others) : "unknown"}>`;
  return `{ ${Object.entries(properties).map(([name, of]) => `${quoted(name)}${required.includes(name) ? "" : "?"}: ${type(of)}`).join("; ")} }`;
}

function plain(name, of) {
  if (name === "object") return object(of);
  if (name === "array") return of.items ? `Array<${type(of.items)}>` : "unknown[]";
  return PLAIN[name] ?? "unknown";
}

function type(of) {
  if (of.$ref) return title(of.$ref.replace("#/definitions/", ""));
  if (of.enum) return either(of.enum.map((value) => JSON.stringify(value)));
  if ("const" in of) return JSON.stringify(of.const);
  if (of.type) return either([of.type].flat().map((name) => plain(name, of)));
  const some = of.oneOf ?? of.anyOf;
  return some ? either(some.map(type)) : "unknown";
}

const [answer, failure] = schema.oneOf;
for (const [name, of] of [...Object.entries(schema.definitions).map(([name, of]) => [title(name), of]), ["Answer", answer], ["Failure", failure]]) console.log(`export type ${name} = ${type(of)};`);
