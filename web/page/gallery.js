// The tests of litmus/, by source: a folder's list is read when it is opened.
import { byId, element } from "./dom.js";

const folders = new Map();
let index;

async function read(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} could not be read (${response.status})`);
  return response.json();
}

async function readFolder(name) {
  if (!folders.has(name)) folders.set(name, await read(`gallery/${name}.json`));
  return folders.get(name);
}

function showTests(folder, wanted, take) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = folder.tests.filter(({ name, title }) => words.every((word) => `${name} ${title}`.toLowerCase().includes(word)));
  byId("tests").replaceChildren(
    ...found.map((test) => element("li", {}, element("button", { type: "button", onclick: () => take(folder, test) }, element("strong", {}, test.name), " ", element("span", {}, test.title)))),
  );
}

async function showFolder(take) {
  const name = byId("folder").value;
  byId("folder-about").textContent = index.find((entry) => entry.name === name)?.about ?? "";
  showTests(await readFolder(name), byId("find").value, take);
}

// What a test brings with it: definitions and models beside it that it names.
const filesOf = (folder, test) => [test.file, ...test.beside].map((name) => ({ name, text: folder.files[name] }));

// Sources: lessons first, then papers and others.
function showSources() {
  const group = (label, of) => element("optgroup", { label }, ...of.map(({ name, title, count }) => element("option", { value: name }, `${title} (${count})`)));
  const isOfLesson = ({ name }) => name.startsWith("lesson-");
  byId("folder").replaceChildren(group("By lesson", index.filter(isOfLesson)), group("By source", index.filter((entry) => !isOfLesson(entry))));
}

/** `take` is called with a test's files. Returns what takes a test by the names of its source and of itself. */
export function openGallery(take) {
  const panel = byId("gallery"), button = byId("open-gallery");
  const set = (open) => {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  const taken = (folder, test) => {
    set(false);
    take(filesOf(folder, test));
  };
  const show = () => showFolder(taken).catch((fault) => { byId("folder-about").textContent = fault.message; });
  button.onclick = async () => {
    set(panel.hidden);
    if (panel.hidden) return;
    if (!index) {
      index = await read("gallery/index.json");
      showSources();
    }
    await show();
    byId("folder").focus();
  };
  byId("close-gallery").onclick = () => { set(false); button.focus(); };
  panel.onkeydown = (event) => { if (event.key === "Escape") byId("close-gallery").click(); };
  byId("folder").onchange = show;
  byId("find").oninput = show;
  return async (name, test) => {
    const folder = await readFolder(name);
    taken(folder, folder.tests.find((one) => one.name === test));
  };
}
