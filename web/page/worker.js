// Runs the command: a fresh instance of the compiled module for each request, on files in memory. The page
// ends the whole worker when a run takes too long, or when somebody stops it.
//
// Z3 is forty times as large as all else, so it is loaded when a question goes to it: the command leaves with
// WANTS_SOLVER then, and is run again. It stays for later questions.
const base = self.crashlitBase ?? "";
importScripts(`${base}crashlit.js`);

const WANTS_SOLVER = 71;

let compiled, solver, solverFailed;

const textOf = (bytes) => new TextDecoder().decode(Uint8Array.from(bytes.filter((byte) => byte !== null), (byte) => byte & 255)).trimEnd();

function readAll(fs, folder, into) {
  for (const name of fs.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = `${folder}/${name}`;
    if (fs.isDir(fs.stat(path).mode)) readAll(fs, path, into);
    else into[path.slice("/out/".length)] = fs.readFile(path, { encoding: "utf8" });
  }
}

async function loadSolver(id) {
  postMessage({ id, progress: "Loading the solver Z3, once …" });
  try {
    importScripts(`${base}z3/z3-built.js`);
    solver = await initZ3({ locateFile: (name) => `${base}z3/${name}`, print: () => {}, printErr: () => {} });
  } catch {
    solverFailed = true; // answers say that there is none
  }
}

async function run({ args, files }) {
  const out = [], err = [];
  const program = await crashlit({
    thisProgram: "crashlit",
    quit: (status, exit) => { throw exit; },
    z3: solver,
    z3Later: !solverFailed,
    // Bytes, and no terminal.
    preRun: [(own) => own.FS.init(() => null, (byte) => out.push(byte), (byte) => err.push(byte))],
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(compiled, imports).then(done);
      return {};
    },
  });
  program.FS.mkdir("/out");
  program.FS.mkdir("/test");
  program.FS.chdir("/test");
  for (const { name, text } of files) program.FS.writeFile(name, text);
  const status = program.callMain(args);
  const written = {};
  readAll(program.FS, "/out", written);
  return { status, out: textOf(out), err: textOf(err), written };
}

onmessage = async ({ data }) => {
  if (data.module) {
    compiled = data.module;
    return;
  }
  try {
    let answer = await run(data);
    if (answer.status === WANTS_SOLVER) {
      await loadSolver(data.id);
      answer = await run(data);
    }
    postMessage({ id: data.id, ...answer });
  } catch (fault) {
    // An engine that recurses deeper than the browser's stack is a limit, as time is.
    if (/call stack/.test(fault?.message)) postMessage({ id: data.id, stopped: "it needs more of the stack than the browser gives" });
    else postMessage({ id: data.id, fault: String(fault?.message ?? fault) });
  }
};
