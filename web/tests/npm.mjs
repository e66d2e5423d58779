// npm.mjs NATIVE PACKAGE.tgz REPO: the npm package, unpacked as npm does it, gives the native program's records, throws its messages, and has the types of
// the schema. Run from the folder with the packages, as build.mjs is.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { tally } from "./tally.mjs";

const [native, archive, repo] = process.argv.slice(2).map((path) => resolve(path));
const count = tally(), work = mkdtempSync(join(tmpdir(), "crashlit-npm-")), home = join(work, "node_modules", "crashlit");
mkdirSync(home, { recursive: true });
execFileSync("tar", ["-xzf", archive, "-C", home, "--strip-components", "1"]);
const { check, run, version, CrashlitError } = await import(pathToFileURL(join(home, "index.mjs")));
const mask = (record) => JSON.stringify({ ...record, stats: { ...record.stats, seconds: 0, peak_kib: 0 } });

await count.part("npm, records", async () => {
  for (const [path, options] of [["litmus/spb/kv-insert-bare.litmus", {}], ["litmus/spb/fig4.litmus", { visibility: "sc", persistency: "strict" }], ["litmus/c11/sb-rlx.litmus", { visibility: "rc11", persistency: "none", engine: "enum", executions: "data" }]]) {
    const text = readFileSync(join(repo, path), "utf8"), file = join(work, "test.litmus");
    writeFileSync(file, text);
    const { visibility = "hrf-direct", persistency = "epoch", engine = "auto", executions } = options;
    const { stdout } = spawnSync(native, ["check", "--format", "json", "-m", visibility, "-p", persistency, "-e", engine, ...(executions ? ["--executions", executions] : []), "test.litmus"], { cwd: work, encoding: "utf8" });
    const [one, other] = [mask(await check(text, options)), mask(JSON.parse(stdout.split("\n")[0]))];
    count.check(one === other, `npm, ${path}: the native record`, `${one.slice(0, 200)} and ${other.slice(0, 200)}`);
  }
  const both = await Promise.all(["epoch", "strict"].map((persistency) => check(readFileSync(join(repo, "litmus/spb/kv-insert-bare.litmus"), "utf8"), { persistency })));
  // strict orders the two stores by program order, epoch does not.
  count.check(both.map(({ verdict }) => verdict).join() === "violated,ok", "npm: two calls at once", both.map(({ verdict }) => verdict).join());
});

await count.part("npm, mistakes", async () => {
  const thrown = async (...given) => check(...given).then(() => undefined, (fault) => fault);
  const fault = await thrown("OPENCL a\n{ nvm x = 0; }\nP0 (global int* x) { *x = oops; }\nexists (x = 1)\n");
  count.check(fault instanceof CrashlitError && fault.status === 2 && fault.messages[0]?.line === 3 && fault.messages[0].text.includes("oops") && fault.messages[0].column === 27, "npm: a mistake is thrown, with its place", String(fault));
  count.check((await thrown("")) instanceof CrashlitError, "npm: no test is a mistake");
  count.check((await thrown("OPENCL a\n{ x = 0; }\nP0 { }\nexists (x = 0)\n", { persistency: "epcoh" }))?.message.includes("epoch"), "npm: a model that there is not is told");
  count.check((await thrown("", { files: { "../a.def": "" } })) instanceof TypeError, "npm: no file has a path");
  count.check((await run(["--help"])).out.includes("crashlit") && /^crashlit \d/.test(await version()), "npm: any command runs");
});

await count.part("npm, as it says", async () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(home, "README.md"), "utf8"));
  writeFileSync(join(work, "readme.mjs"), code);
  const { stdout, stderr } = spawnSync(process.execPath, ["readme.mjs"], { cwd: work, encoding: "utf8" });
  count.check(stdout === "violated\n{ value: 0, valid: 0 }\n", "npm: the README's program prints what it says", stdout + stderr);
  const types = readFileSync(join(home, "index.d.ts"), "utf8"), [answer] = JSON.parse(readFileSync(join(repo, "tests/schemas/check.schema.json"), "utf8")).oneOf;
  transformSync(types, { loader: "ts" });
  const declared = types.split("\n").find((line) => line.startsWith("export type Answer ="));
  const missing = Object.keys(answer.properties).filter((name) => !new RegExp(`[{;] ${name}\\??:`).test(declared));
  count.check(missing.length === 0 && !types.includes("undefined\n"), "npm: each field of a record has a type", missing.join(" "));
  const named = new Set(Array.from(types.matchAll(/export type (\w+)/g), ([, name]) => name)), used = Array.from(declared.matchAll(/\b[A-Z]\w+/g), ([name]) => name).filter((name) => !["Array", "Record"].includes(name));
  count.check(used.every((name) => named.has(name)), "npm: and each type that is used is there", used.filter((name) => !named.has(name)).join(" "));
});
rmSync(work, { recursive: true });
count.end();
