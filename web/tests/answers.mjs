// answers.mjs NATIVE CRASHLIT.js LITMUS SHARE: the WebAssembly command under node gives the answers of the native one.
// Of each folder of LITMUS every SHARE-th test is checked with enum and with machine by both, of some with smt as well;
// records are compared with the clocks and the memory of the process masked; of a few also the other formats, byte by byte.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { tally } from "./tally.mjs";

const [native, script, litmus, share] = process.argv.slice(2);
const crashlit = createRequire(import.meta.url)(resolve(script));
const compiled = await WebAssembly.compile(readFileSync(script.replace(/js$/, "wasm")));
const z3Script = join(script, "..", "z3", "z3-built.js");
const count = tally();
let z3;

async function loadZ3() {
  z3 ??= await createRequire(import.meta.url)(resolve(z3Script))({ wasmBinary: readFileSync(z3Script.replace(/js$/, "wasm")) });
}

const filesUnder = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)])).sort();

const textOf = (bytes) => Buffer.from(bytes.filter((byte) => byte !== null)).toString("utf8").trimEnd();

// As the page's worker does it: an instance of one compiled module, on no terminal.
async function instance() {
  const out = [], err = [];
  const program = await crashlit({
    thisProgram: "crashlit", z3, quit: (status, exit) => { throw exit; },
    preRun: [(own) => own.FS.init(() => null, (byte) => out.push(byte), (byte) => err.push(byte))],
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(compiled, imports).then(done);
      return {};
    },
  });
  return { program, out, err };
}

async function runWasm(args, files, written) {
  const { program, out, err } = await instance();
  program.FS.mkdirTree("/out");
  for (const path of files) {
    program.FS.mkdirTree(`/${path}`.replace(/\/[^/]*$/, ""));
    program.FS.writeFile(`/${path}`, readFileSync(join(litmus, "..", path)));
  }
  program.FS.chdir("/");
  const status = program.callMain(args);
  return { status, out: textOf(out), err: textOf(err), written: written && program.FS.readFile(written, { encoding: "utf8" }) };
}

function runNative(args) {
  const { status, stdout, stderr } = spawnSync(resolve(native), args, { cwd: join(litmus, ".."), encoding: "utf8", maxBuffer: 1 << 30 });
  return { status, out: stdout.trimEnd(), err: stderr.trimEnd() };
}

const mask = (text) => text
  .replace(/"seconds":[0-9.e+-]+/g, '"seconds":0').replace(/"peak_kib":\d+/g, '"peak_kib":0')
  .replace(/\b\d+\.\d{4} s\b/g, "0 s").replace(/<time[^>]*>[^<]*<\/time>/g, "").replace(/\d{4}-\d\d-\d\dT[\d:]+Z?/g, "T").replace(/(time=)"[^"]*"/g, '$1""');

function compare(what, one, other) {
  const left = mask(one).split("\n"), right = mask(other).split("\n");
  const at = left.findIndex((line, i) => line !== right[i]);
  count.check(at < 0 && left.length === right.length, what, at < 0 ? `${left.length} lines and ${right.length}` : `line ${at + 1}\n  native ${left[at]?.slice(0, 300)}\n  wasm   ${right[at]?.slice(0, 300)}`);
}

// A record each; those of one file that differ are one failure.
function compareRecords(what, one, other) {
  const left = one.split("\n"), right = other.split("\n");
  for (let i = 0; i < Math.max(left.length, right.length); i++) compare(`${what}, record ${i + 1}`, left[i] ?? "", right[i] ?? "");
}

const all = filesUnder(litmus).map((path) => relative(join(litmus, ".."), path));
const tests = all.filter((path) => path.endsWith(".litmus"));
const beside = all.filter((path) => /\.(def|cat|bell|map|machine|ptx)$/.test(path));
const folderOf = (path) => path.replace(/\/[^/]*$/, "");
const folders = [...new Set(tests.map(folderOf))];

async function compareFolder(folder, engine, step) {
  const own = tests.filter((path) => folderOf(path) === folder);
  const args = ["check", "--format", "json", "-e", engine, ...own.filter((_, i) => i % step === 0)];
  await count.part(`${folder} ${engine}`, async () => {
    const one = runNative(args), other = await runWasm(args, [...own, ...beside]);
    compareRecords(`${folder} ${engine}`, one.out, other.out);
    count.check(one.status === other.status, `${folder} ${engine}: status`, `${one.status} and ${other.status}`);
    compare(`${folder} ${engine}: messages`, one.err, other.err);
  });
}

// Without Z3 the command says so, and ends.
await count.part("no solver", async () => {
  const { out } = await runWasm(["check", "-e", "smt", "-m", "sc", "-p", "epoch", tests[0]], [tests[0], ...beside]);
  count.check(/not known .*: the solver Z3 could not be loaded/.test(out), "without Z3 the engine smt knows nothing", out.slice(-300));
});
for (const folder of folders) for (const engine of ["enum", "machine"]) await compareFolder(folder, engine, Number(share));
await loadZ3();
for (const name of ["spb", "gpm", "ptx", "c11"]) await compareFolder(`litmus/${name}`, "smt", 2 * Number(share));

const PAIR = ["-m", "hrf-direct", "-p", "epoch"];
const SHOWN = ["litmus/spb/kv-insert-bare.litmus", "litmus/spb/fig4.litmus", "litmus/spb/btree-alg1-kr.litmus"];
const formats = mkdtempSync(join(tmpdir(), "crashlit-web-"));
for (const path of SHOWN) {
  for (const format of ["text", "svg", "dot", "sarif", "junit", "tap", "html"]) {
    await count.part(`${path} ${format}`, async () => {
      const args = (to) => ["check", ...PAIR, "-e", "enum", "--format", format === "text" ? "text" : `${format}=${to}`, path];
      const file = join(formats, "report");
      const one = runNative(args(file)), other = await runWasm(args("/out/report"), [path], format === "text" ? undefined : "/out/report");
      if (format === "text") compare(`${path} text`, one.out, other.out);
      else compare(`${path} ${format}`, readFileSync(file, "utf8").replaceAll(file, "/out/report"), other.written);
    });
  }
}
for (const args of [["trace", "--machine", "nvw-fifo", SHOWN[0]], ["compare", "-e", "enum", "--models", "hrf-direct+epoch,sc+strict", SHOWN[0]], ["explain", ...PAIR, SHOWN[0]], ["place", "--repair", ...PAIR, SHOWN[0]], ["models"], ["machines", "-v"], ["--help"]])
  await count.part(args[0], async () => compare(args.join(" "), runNative(args).out, (await runWasm(args, [SHOWN[0]])).out));
rmSync(formats, { recursive: true });

// One instance a request: no instance sees what another left, and none takes long.
await count.part("requests", async () => {
  const began = performance.now();
  for (let i = 0; i < 50; i++) await runWasm(["check", ...PAIR, SHOWN[0]], [SHOWN[0]]);
  console.log(`a request: ${((performance.now() - began) / 50).toFixed(1)} ms`);
});
count.end();
