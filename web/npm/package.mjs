// package.mjs NPM WEB OUT VERSION: the folder of the npm package: its sources in NPM, the program in WEB, types of the schema, and what a package says of itself.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [npm, web, out, version] = process.argv.slice(2);
const solver = JSON.parse(readFileSync(join(web, "package.json"), "utf8")).dependencies["z3-solver"];
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of ["index.mjs", "README.md"]) copyFileSync(join(npm, name), join(out, name));
copyFileSync(join(web, "crashlit.js"), join(out, "crashlit.cjs"));
copyFileSync(join(web, "crashlit.wasm"), join(out, "crashlit.wasm"));
copyFileSync("LICENSE", join(out, "LICENSE"));
const types = execFileSync(process.execPath, [join(npm, "types.mjs"), "tests/schemas/check.schema.json"], { encoding: "utf8" });
writeFileSync(join(out, "index.d.ts"), readFileSync(join(npm, "index.d.ts"), "utf8") + types);
writeFileSync(join(out, "package.json"), `${JSON.stringify({
  name: "crashlit", version: /^\d+\.\d+$/.test(version) ? `${version}.0` : version, description: "Which states can a crash leave in non-volatile memory? A persistency model checker for GPUs",
  license: "MIT", type: "module", main: "./index.mjs", types: "./index.d.ts", exports: { ".": { types: "./index.d.ts", default: "./index.mjs" } },
  engines: { node: ">=18" }, peerDependencies: { "z3-solver": solver }, peerDependenciesMeta: { "z3-solver": { optional: true } },
  files: ["index.mjs", "index.d.ts", "crashlit.cjs", "crashlit.wasm", "README.md", "LICENSE"],
}, null, 2)}\n`);
