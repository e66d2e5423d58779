// The command as the page sees it: requests to a worker, one at a time, that can be stopped.
import { readMessages } from "./messages.js";

const SECONDS_MOST = 60;

let module, worker, waiting, number = 0, base = "";

/** The files of the program are in `folder`, an address that ends in a slash, which may be of another origin. */
export function setBase(folder) {
  base = folder;
}

async function compile() {
  const response = await fetch(`${base}crashlit.wasm`);
  if (!response.ok) throw new Error(`crashlit.wasm could not be read (${response.status})`);
  return WebAssembly.compile(await response.arrayBuffer());
}

// A worker is of the page's own origin; what it loads need not be.
function newWorker() {
  if (!base || new URL(base).origin === location.origin) return new Worker(`${base}worker.js`);
  const source = `self.crashlitBase = ${JSON.stringify(base)}; importScripts(${JSON.stringify(`${base}worker.js`)});`, url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  return new Worker(url);
}

function start() {
  worker = newWorker();
  worker.postMessage({ module });
  worker.onmessage = ({ data }) => finish(data);
  worker.onerror = (event) => finish({ id: waiting?.id, fault: event.message || "the worker failed" });
}

function finish(answer) {
  if (!waiting || answer.id !== waiting.id) return;
  const { resolve, timer, progress } = waiting;
  if (answer.progress) {
    progress(answer.progress);
    return;
  }
  clearTimeout(timer);
  waiting = undefined;
  resolve({ ...answer, messages: readMessages(answer.err ?? "") });
}

/** Loads the program; everything else waits for it. */
export async function load() {
  module ??= await compile();
  if (!worker) start();
}

/** Ends what is under way: its promise is answered with `stopped`, in words. */
export function stop(words) {
  if (!waiting) return;
  worker.terminate();
  start();
  finish({ id: waiting.id, stopped: words });
}

export const isBusy = () => waiting !== undefined;

/** Runs the command on files; what was under way is stopped. `progress` is told what takes long. */
export async function run(args, files, progress = () => {}) {
  await load();
  stop("another question was asked");
  return new Promise((resolve) => {
    const id = ++number;
    const timer = setTimeout(() => stop(`it took longer than ${SECONDS_MOST} s`), SECONDS_MOST * 1000);
    waiting = { id, resolve, timer, progress };
    worker.postMessage({ id, args: [args[0], "--messages", "json", ...args.slice(1)], files });
  });
}
