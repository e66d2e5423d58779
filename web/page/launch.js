// Files of the reader's computer, opened or dropped on the page; and of one that was compiled the launch that makes a test of it.
import { byId, element } from "./dom.js";
import { sayFailure } from "./messages.js";
import { isFileName } from "./link.js";

const BYTES_MOST = 2_000_000;
const KERNEL = /\.entry\s+([\w$]+)\s*\(([^)]*)\)/g, ADDRESS = /\.param\s+\.u64\b/;

/** A launch of each kernel that the text has, to begin with: what may be an address is given an object. */
export const launchesOf = (text) => Array.from(text.matchAll(KERNEL), ([, name, formals]) => {
  const given = formals.split(",").filter((formal) => formal.trim()).map((formal, i) => (ADDRESS.test(formal) ? `nvm u32 p${i}[4]` : "1"));
  return `${name}<<<2, 1>>>(${given.join(", ")})`;
});

export const isCompiled = ({ name }) => name.endsWith(".ptx");

/** Shows the field for the file that is looked at, if it is compiled; what was written there of the same text stays. */
export function showLaunch(file) {
  const panel = byId("launch"), known = isCompiled(file) ? launchesOf(file.text) : [], text = known.join("\n");
  panel.hidden = !isCompiled(file);
  if (panel.hidden || panel.dataset.known === text) return;
  panel.dataset.known = text;
  byId("launch-text").value = known[0] ?? "";
  byId("launch-known").replaceChildren(...known.map((value) => element("option", { value })));
}

// A test that is there may have become the reader's own.
function freeName(name, files) {
  for (let n = 1; ; n++) {
    const free = `${name}${n > 1 ? `-${n}` : ""}.litmus`;
    if (!files.some((file) => file.name === free)) return free;
  }
}

async function makeTest({ file, files, run, notice, take }) {
  const answer = await run(["check", "--launch", byId("launch-text").value, "--print-launch", file().name], files());
  const first = answer.messages?.find(({ severity }) => severity === "error");
  const name = /^CUDA (\S+)/.exec(answer.out ?? "")?.[1];
  if (!name) return notice(`This cannot be launched: ${first?.text ?? answer.stopped ?? answer.fault ?? sayFailure(answer)}.`);
  notice("");
  take({ name: freeName(name, files()), text: `${answer.out}\n` });
}

const readAll = (list, notice) => Promise.all(Array.from(list, async (file) => {
  const fault = !isFileName(file.name) ? "this page reads no file of such a name" : file.size > BYTES_MOST ? `it has more than ${BYTES_MOST / 1e6} MB` : "";
  if (fault) notice(`“${file.name}” is left out: ${fault}.`);
  return fault ? undefined : { name: file.name, text: await file.text() };
}));

/** `page`: file, the one that is looked at; files; run; notice; take, which shows a file, in place of one of its name. */
export function openLaunch(page) {
  const takeAll = async (list) => (await readAll(list, page.notice)).filter(Boolean).forEach(page.take);
  byId("launch-make").onclick = () => makeTest(page);
  byId("launch-text").onkeydown = ({ key }) => key === "Enter" && makeTest(page);
  byId("from-computer").onchange = ({ target }) => takeAll(target.files).then(() => { target.value = ""; });
  // Before the editor, which would take a file for text.
  const dropped = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type === "drop") takeAll(event.dataTransfer.files);
  };
  for (const type of ["dragover", "drop"]) document.addEventListener(type, dropped, true);
}
