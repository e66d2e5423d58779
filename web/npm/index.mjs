// crashlit as a function under node: the WebAssembly build of the playground, an instance for each call. Z3 is used where the package
// z3-solver is installed; without it what needs Z3 is unknown, with the reason.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const WANTS_SOLVER = 71, require = createRequire(import.meta.url);
const crashlit = require("./crashlit.cjs");
let compiled, solver;

const compile = () => (compiled ??= WebAssembly.compile(readFileSync(new URL("crashlit.wasm", import.meta.url))));

function loadSolver() {
  const path = "z3-solver/build/z3-built";
  try {
    solver ??= require(`${path}.js`)({ wasmBinary: readFileSync(require.resolve(`${path}.wasm`)), print: () => {}, printErr: () => {} });
  } catch {
    solver = Promise.resolve(null); // answers say that there is none
  }
  return solver;
}

const textOf = (bytes) => Buffer.from(bytes.filter((byte) => byte !== null)).toString("utf8").trimEnd();

function readAll(fs, folder, into) {
  for (const name of fs.readdir(folder)) {
    const path = `${folder}/${name}`;
    if (name === "." || name === "..") continue;
    if (fs.isDir(fs.stat(path).mode)) readAll(fs, path, into);
    else into[path.slice("/out/".length)] = fs.readFile(path, { encoding: "utf8" });
  }
  return into;
}

async function once(args, files, z3, z3Later) {
  const module = await compile(), out = [], err = [];
  const program = await crashlit({
    thisProgram: "crashlit", z3, z3Later, quit: (status, exit) => { throw exit; },
    preRun: [(own) => own.FS.init(() => null, (byte) => out.push(byte), (byte) => err.push(byte))],
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then(done);
      return {};
    },
  });
  program.FS.mkdir("/out");
  program.FS.mkdir("/test");
  program.FS.chdir("/test");
  for (const [name, text] of Object.entries(files)) {
    if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name)) throw new TypeError(`“${name}” cannot be the name of a file here: letters, digits, _ . and -`);
    program.FS.writeFile(name, text);
  }
  const status = program.callMain(args);
  return { status, out: textOf(out), err: textOf(err), written: readAll(program.FS, "/out", {}) };
}

export async function run(args, files = {}) {
  const loaded = await solver, answer = await once(args, files, loaded ?? undefined, loaded === undefined);
  return answer.status === WANTS_SOLVER ? once(args, files, (await loadSolver()) ?? undefined, false) : answer;
}

// What dies writes no JSON.
const readMessage = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return { severity: "error", id: null, text: line, file: null };
  }
};

export class CrashlitError extends Error {
  constructor({ status, err }) {
    const messages = err.split("\n").filter((line) => line.trim()).map(readMessage);
    super(messages.map(({ text }) => text).join("\n") || `the program left with status ${status}`);
    this.name = "CrashlitError";
    this.status = status;
    this.messages = messages;
  }
}

// A number that a double has no room for is kept as its digits.
const parse = (line) => JSON.parse(line.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}/g, (found) => (found.startsWith('"') ? found : `"${found}"`)));

export async function check(text, { visibility = "hrf-direct", persistency = "epoch", engine = "auto", timeout, executions, name = "test.litmus", files = {}, options = [] } = {}) {
  const args = ["check", "--format", "json", "--messages", "json", "-m", visibility, "-p", persistency, "-e", engine, ...(timeout ? ["--timeout", String(timeout)] : []), ...(executions ? ["--executions", executions] : []), ...options, name];
  const answer = await run(args, { ...files, [name]: text }), line = answer.out.split("\n").find((one) => one.startsWith("{")), record = line && parse(line);
  if (!record?.text_digest) throw new CrashlitError(answer);
  return record;
}

export const version = async () => (await run(["version"])).out.split("\n")[0];
