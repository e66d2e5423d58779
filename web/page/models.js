// Models: which there are, and the text of each, as it is in models/.
import { byId, element } from "./dom.js";

// ---- Lists ----

/** Records of `models`: of each kind the models, with what their family is, and the pairs that files of definitions name. */
export function modelsOf(records) {
  const ofKind = (kind) => records.filter((record) => record.kind === kind).map(({ name, title, heading }) => ({ name, about: title, family: heading }));
  const named = records.filter(({ models }) => models).map(({ name, models }) => [`${name}.def`, models]);
  return { visibility: ofKind("visibility"), persistency: ofKind("persistency"), named: Object.fromEntries(named) };
}

const withoutComments = (text) => text.replace(/("[^"\n]*")|\/\/.*|\/\*[^]*?\*\/|\(\*[^;{}]*?\*\)/g, (all, string) => string ?? " ");
const fileName = (path) => path.replace(/^(\.\/)+/, "");

function pairIn(text) {
  const [, visibility, persistency] = /^\s*models\s+([\w./-]+)\s*\+\s*([\w./-]+)\s*$/m.exec(withoutComments(text)) ?? [];
  return persistency && { visibility: fileName(visibility), persistency: fileName(persistency) };
}

/** The pair that a test's definition files name, the reader's own `files` before built-in ones; undefined: none, or not one. */
export function pairNamed(text, named, files) {
  const own = files.filter(({ name }) => name.endsWith(".def")).map((file) => [file.name, pairIn(file.text)]);
  const of = new Map([...Object.entries(named), ...own]);
  const pairs = [...withoutComments(text).matchAll(/^\s*uses\s*"([^"\n]*)"/gm)].map(([, file]) => of.get(fileName(file))).filter(Boolean);
  const same = pairs.every((pair) => pair.visibility === pairs[0].visibility && pair.persistency === pairs[0].persistency);
  return same ? pairs[0] : undefined;
}

/** Records of `machines`: a name, the model pairs that it promises, and what it is. */
export const machinesOf = (records) => records.map(({ name, title, promises }) => ({
  name, about: title, pairs: promises.map(({ visibility, persistency }) => `${visibility} + ${persistency}`),
}));

const option = ({ name, about }) => element("option", { value: name, title: about }, name);

/** A list of models by family, in the program's order, which has the default first; `own`: the reader's. */
export function modelOptions(models, own) {
  const families = [...new Set(models.map(({ family }) => family))];
  const groups = families.map((family) => element("optgroup", { label: family.replace(/:.*/, ""), title: family }, ...models.filter((model) => model.family === family).map(option)));
  return [...groups, ...(own.length ? [element("optgroup", { label: "Yours" }, ...own.map(option))] : [])];
}

// ---- Texts ----

let texts;

async function read(paths) {
  if (!texts) {
    const response = await fetch("models/all.json");
    if (!response.ok) throw new Error(`models/all.json could not be read (${response.status})`);
    texts = await response.json();
  }
  const path = paths.find((one) => Object.hasOwn(texts, one));
  if (!path) throw new Error(`there is no text of ${paths[0].slice(0, 80)} here`);
  return { path, text: texts[path] };
}

// The file beside one or above it, which its text names.
const besides = (path, name) => [path.replace(/[^/]*$/, "") + name, name];

function show({ path, text }, wanted, failed) {
  const lines = text.trimEnd().split("\n").map((line, i) => {
    const [, before, name, after] = /^(\s*include ")([\w.-]+)(".*)$/.exec(line) ?? [];
    const words = name ? [before, element("button", { type: "button", className: "line", onclick: () => open(besides(path, name), 0, failed) }, name), after] : [line || "\u00a0"];
    return element("li", { className: i + 1 === wanted ? "wanted" : "" }, element("code", {}, ...words));
  });
  byId("reading-name").textContent = `${path}: a model of crashlit`;
  byId("reading-text").replaceChildren(...lines);
  if (!byId("reading").open) byId("reading").showModal();
  (byId("reading-text").querySelector(".wanted") ?? byId("reading-text").firstChild).scrollIntoView({ block: "center" });
}

const open = (paths, line, failed) => read(paths).then((found) => show(found, line, failed), (fault) => failed(fault.message));

/** Shows the text of a built-in `file`, at `line`; `failed` is told in words that there is none. */
export const showText = (file, line, failed) => open([file.replace(/^builtin:/, "")], line, failed);

/** The text of a model by its name. */
export const showModel = (kind, name, failed) => open([`${kind}/${name}.cat`], 0, failed);
