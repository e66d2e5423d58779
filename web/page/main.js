// The page: files, the question, and who is told when one of them changes.
import * as engine from "./engine.js";
import { byId, element } from "./dom.js";
import { openDivider } from "./divider.js";
import { openEditor } from "./editor.js";
import { openGallery } from "./gallery.js";
import { followLesson, leaveExercise, lessonOf, openLessons, openSet } from "./lessons.js";
import { follow, leaveStep, openBeside, openSecond, secondQuestion } from "./beside.js";
import { openLaunch, showLaunch } from "./launch.js";
import { decode, encode, isFileName } from "./link.js";
import { machinesOf, modelOptions, modelsOf, pairNamed, showModel, showText } from "./models.js";
import { loadDark } from "./picture.js";
import { readRecords } from "./player/player.js";
import { openPresent, presentAnswer } from "./present.js";
import { mended, placed, sayFailure } from "./messages.js";
import { followSet, openSetting } from "./setting.js";
import { lookAt as lookAtState } from "./state.js";
import { hasErrors, hasNoTest, markUndefined, pairsOf, VIEWS } from "./views.js";
import first from "./first.litmus";

const WAIT_MS = 150, SHOW_PROGRESS_MS = 300;
const DEFAULT = { visibility: "hrf-direct", persistency: "epoch", engine: "auto", view: "check" };
const ENGINES = ["auto", "enum", "machine", "smt"];

// `moved`: where the reader has gone in what moves.
const page = { files: [], at: 0, view: DEFAULT.view, models: { visibility: [], persistency: [], named: {} }, machines: [], moved: undefined, test: undefined };
let editor, timer, asked = 0;

const isTest = (file) => file?.name.endsWith(".litmus");
// The one that is asked about: that was looked at last.
const test = () => (page.files.includes(page.test) ? page.test : page.files.find(isTest) ?? page.files[0]);

const question = () => ({
  file: test().name, text: test().text, files: page.files, view: page.view,
  visibility: byId("visibility").value, persistency: byId("persistency").value, engine: byId("engine").value,
  machine: byId("machine").value, promises: page.machines.find(({ name }) => name === byId("machine").value)?.pairs, goal: byId("goal").value.trim(), moved: page.moved,
});

function notice(words) {
  byId("notice").textContent = words;
  byId("notice").hidden = !words;
}

const alsoNotice = (words) => notice([byId("notice").textContent, words].filter(Boolean).join(" "));

function headline(words, verdict = "") {
  byId("headline").textContent = words;
  byId("headline").className = verdict && `v-${verdict}`;
}

// ---- Files ----

function go(line) {
  openFile(page.files.indexOf(test()));
  editor.go(line);
}

// Of a player: nobody is taken from where they are.
const show = (line) => line && page.files[page.at] === test() && editor.show(line);

// The text of a model: a file of the reader's, or one of the program's.
function model(file, line) {
  const own = page.files.findIndex(({ name }) => name === file);
  if (own < 0) return showText(file, line, notice);
  lookAt(own);
  editor.go(line);
}

function modelNamed(kind, name) {
  if (page.files.some((file) => file.name === name)) model(name, 1);
  else showModel(kind, name, notice);
}

function openFile(at) {
  if (page.at !== at) editor.open(page.files[at].name, page.files[at].text);
  page.at = at;
  if (isTest(page.files[at])) page.test = page.files[at];
  showFiles();
}

function lookAt(at) {
  const before = test();
  openFile(at);
  if (test() !== before) askSoon();
}

function addFile() {
  const name = prompt("Name of the file, such as mine.cat, mine.def or second.litmus:", "mine.cat");
  if (name === null) return;
  if (!isFileName(name) || page.files.some((file) => file.name === name)) {
    notice(`“${name}” cannot be the name of a new file: letters, digits, _ . - and an ending .litmus, .cat, .def, .bell, .machine, .map or .ptx.`);
    return;
  }
  page.files.push({ name, text: "" });
  openFile(page.files.length - 1);
  editor.focus();
  filesChanged();
}

// In place of one of its name.
function takeFile(file) {
  const at = page.files.findIndex(({ name }) => name === file.name);
  page.files.splice(at < 0 ? page.files.length : at, 1, file);
  page.at = -1;
  openFile(page.files.indexOf(file));
  filesChanged();
}

function dropFile(at) {
  page.files.splice(at, 1);
  page.at = -1;
  openFile(0);
  filesChanged();
}

function filesChanged() {
  showModels();
  askSoon();
}

function showFiles() {
  const tabs = page.files.map(({ name }, i) =>
    element("button", { type: "button", role: "tab", ariaSelected: String(i === page.at), onclick: () => lookAt(i) }, name));
  const add = element("button", { type: "button", title: "another file", ariaLabel: "add a file", onclick: addFile }, "+");
  const open = element("button", { type: "button", title: "files of this computer; they may be dropped on the page, too", onclick: () => byId("from-computer").click() }, "Open");
  const drop = page.files.length > 1 && element("button", { type: "button", ariaLabel: `remove ${page.files[page.at].name}`, title: "remove this file", onclick: () => dropFile(page.at) }, "×");
  byId("files").replaceChildren(...tabs, add, open, ...(drop ? [drop] : []));
  showLaunch(page.files[page.at]);
}

/** Shows files, asked as `wanted` says; returns what it names that is not here, in words. */
function takeFiles(files, wanted = {}) {
  page.files = files;
  page.at = -1;
  byId("goal").value = wanted.goal ?? "";
  openFile(0);
  showModels();
  const pairs = pairsOf(test().text, question());
  const expected = /^\s*expect\s+([\w.-]+)\s*\+\s*([\w.-]+)/m.exec(test().text);
  const own = test().text.match(new RegExp(`^\\s*expect\\s+${byId("visibility").value}\\s*\\+\\s*${byId("persistency").value}\\s*[:[]`, "m"));
  if (!own && expected && pairs.length > 1) choose({ visibility: expected[1], persistency: expected[2] }, "visibility", "persistency");
  page.byHand = false;
  followUses();
  const lost = choose(wanted, "visibility", "persistency", "engine");
  page.byHand = Boolean(wanted.visibility ?? wanted.persistency);
  showMachines();
  lost.push(...choose(wanted, "machine"));
  const known = Object.hasOwn(VIEWS, wanted.view ?? "");
  if (wanted.view && !known) lost.push(`view “${wanted.view}”`);
  setView(known ? wanted.view : DEFAULT.view, wanted.moved);
  return lost;
}

// ---- The question ----

// Until the reader chooses models, they are those that the test's definition files name, as with the command.
function followUses() {
  if (page.byHand || /^\s*expect\s/m.test(test().text)) return;
  const named = pairNamed(test().text, page.models.named, page.files);
  if (named || page.named) choose(named ?? DEFAULT, "visibility", "persistency");
  page.named = Boolean(named);
}

// Of the lists `ids` what is wanted; returns what is in none.
function choose(wanted, ...ids) {
  const asked = ids.filter((id) => wanted[id]), isIn = (id) => Array.from(byId(id).options).some(({ value }) => value === wanted[id]);
  for (const id of asked.filter(isIn)) byId(id).value = wanted[id];
  return asked.filter((id) => !isIn(id)).map((id) => `${id} “${wanted[id]}”`);
}

function showModels() {
  for (const id of ["visibility", "persistency"]) {
    const select = byId(id), before = select.value || DEFAULT[id];
    const own = page.files.filter(({ name }) => name.endsWith(".cat")).map(({ name }) => ({ name, about: "a file of yours" }));
    select.replaceChildren(...modelOptions(page.models[id], own));
    select.value = before;
    if (!select.value) select.value = DEFAULT[id];
  }
}

// The machines that promise the chosen pair, or else its persistency model, the one that the command takes first, and the reader's own.
function showMachines() {
  const select = byId("machine"), before = select.value, pair = `${byId("visibility").value} + ${byId("persistency").value}`;
  const own = page.files.filter(({ name }) => name.endsWith(".machine")).map(({ name }) => ({ name, about: "a file of yours" }));
  const exact = page.machines.filter(({ pairs }) => pairs.includes(pair));
  const near = page.machines.filter(({ pairs }) => pairs.some((other) => other.endsWith(` + ${byId("persistency").value}`)));
  const all = [...(exact.length ? exact : near), ...own];
  select.replaceChildren(...all.map(({ name, about }) => element("option", { value: name, title: about }, name)));
  select.value = all.some(({ name }) => name === before) ? before : all[0]?.name ?? "";
  select.disabled = all.length < 2;
  byId("run").hidden = page.view !== "machine";
}

async function loadModels() {
  const list = async (command) => readRecords((await engine.run([command, "--format", "json"], [])).out);
  page.models = modelsOf(await list("models"));
  page.machines = machinesOf(await list("machines"));
  await loadDark(engine.run);
  const [{ version }] = await list("version");
  byId("about").textContent = `crashlit ${version}, in this browser alone: nothing leaves this page.`;
}

function setView(name, wanted) {
  page.view = name;
  const keys = Object.keys(VIEWS);
  byId("views").replaceChildren(
    ...keys.map((key) => element("button", {
      type: "button", role: "tab", id: `view-${key}`, ariaSelected: String(key === name), tabIndex: key === name ? 0 : -1, title: VIEWS[key].about,
      onclick: () => { leaveStep(); setView(key); },
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        setView(keys[(keys.indexOf(name) + step + keys.length) % keys.length]);
        byId(`view-${page.view}`).focus();
      },
    }, VIEWS[key].title)),
  );
  byId("view").setAttribute("aria-labelledby", `view-${name}`);
  ask(wanted);
}

function askSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => ask(), WAIT_MS);
}

function showProgress(show, words = "") {
  byId("progress").hidden = !show;
  byId("progress-words").textContent = words;
}

function markMessages(messages) {
  const name = page.files[page.at].name;
  editor.mark(messages.filter(({ file }) => file === undefined ? name === test().name : file.replace(/^.*\//, "") === name));
}

// The word that was meant, where it stands in a file of the reader's.
function fixButton(fix) {
  const own = fix && page.files.find(({ name }) => name === fix.file);
  const take = () => { openFile(page.files.indexOf(own)); editor.replace(mended(own.text, fix)); };
  return own && element("button", { type: "button", className: "line fix", onclick: take }, `Write ${fix.text}`);
}

const messageList = (messages) =>
  element("ul", { className: "messages" }, ...messages.map(({ file, line, severity, text, fix }) =>
    element("li", { className: severity }, element("button", { type: "button", className: "line", onclick: () => go(line) }, `${file}:${line}`), ` ${severity === "error" ? "" : `${severity}: `}${text} `, fixButton(fix))));

function showFailure(words, messages) {
  headline(words, "unknown");
  byId("view").replaceChildren(messageList(messages));
}

// An editor without a test: the way to one.
function showBlank() {
  headline("There is no test in the editor yet.", "unknown");
  const leads = { "A small test": () => takeText(first), Examples: () => byId("open-gallery").click(), Lessons: () => byId("open-lessons").click() };
  byId("view").replaceChildren(
    element("p", {}, "A test says which memory survives, what runs, and which states a crash may leave. Write one, or begin with one that there is:"),
    element("p", { className: "buttons" }, ...Object.entries(leads).map(([words, onclick]) => element("button", { type: "button", onclick }, words))),
  );
}

const look = (panel, of) => lookAtState(panel, of, {
  question, go, run: askAside, toCrash: (state) => setView("crash", { state }),
  toMachine(goal) {
    byId("goal").value = goal;
    setView("machine");
  },
});

function showResult(answer, about, wanted) {
  page.moved = undefined;
  const messages = placed(answer.messages);
  markMessages(messages);
  if (answer.stopped) return showFailure(`Stopped: ${answer.stopped}.`, []);
  if (answer.fault) return showFailure(`The program failed: ${answer.fault}.`, []);
  if (hasNoTest(answer)) return showBlank();
  if (hasErrors(answer)) return showFailure(messages.length ? "This cannot be read yet:" : sayFailure(answer), messages);
  try {
    const markLines = (lines) => lines.length && markMessages([...messages, ...lines]);
    const apply = (text) => { takeText(text); setView("check"); };
    const moved = (place) => { page.moved = place; };
    const said = VIEWS[about.view].show(byId("view"), answer, about, { go, show, moved, markLines, apply, model, modelNamed, look, ask: setView });
    if (typeof said === "string") headline(said);
    else headline(said.words, said.verdict);
    if (messages.length) byId("view").prepend(messageList(messages)); // a test that is not what was meant has a verdict as well
    presentAnswer();
    if (wanted && !said.lead?.(wanted)) alsoNotice("The place that this link leads to is not in what is shown here: it begins where it begins.");
  } catch (fault) {
    showFailure(fault.message, messages);
  }
}

function takeText(text) {
  openFile(page.files.indexOf(test()));
  editor.replace(text);
}

// `wanted`: where to go in the answer.
async function ask(wanted) {
  clearTimeout(timer);
  followUses();
  showMachines();
  showProgress(false);
  follow();
  const number = ++asked, about = question(), args = VIEWS[about.view].arguments(about);
  const slow = setTimeout(() => number === asked && byId("progress").hidden && showProgress(true, "Looking at executions …"), SHOW_PROGRESS_MS);
  document.body.dataset.busy = "yes";
  let answer;
  try {
    if (!args) engine.stop("another question was asked");
    answer = args ? await engine.run(args, about.files, (words) => number === asked && showProgress(true, words)) : { out: "", messages: [], status: 0, written: {} };
  } catch (fault) {
    answer = { fault: fault.message };
  }
  clearTimeout(slow);
  if (number !== asked) return;
  showProgress(false);
  showResult(answer, about, wanted);
  document.body.dataset.busy = "no";
  document.body.dataset.answered = String(number);
}

// A question beside the one that the page shows, which is asked again if it was cut short.
async function askAside(args, files) {
  const cut = document.body.dataset.busy === "yes", number = ++asked;
  clearTimeout(timer);
  showProgress(true, "Checking …");
  document.body.dataset.busy = "yes";
  const answer = await engine.run(args, files, (words) => showProgress(true, words)).catch((fault) => ({ fault: fault.message }));
  if (number !== asked) return answer;
  showProgress(false);
  document.body.dataset.busy = "no";
  if (cut) ask();
  return answer;
}

// ---- Links ----

// What was there before is a step back.
const address = (fragment) => location.hash === fragment || history.pushState(null, "", location.pathname + fragment);

const testFirst = () => [test(), ...page.files.filter((file) => file !== test())];

// In the second pane: what the first one shows.
function followFirst({ files, view, name }) {
  const before = page.files.map((file) => file.text).join("\0"), other = view !== page.view;
  if (other && Object.hasOwn(VIEWS, view)) page.view = view;
  if (!other && before === files.map((file) => file.text).join("\0")) return;
  page.files = files;
  page.at = -1;
  openFile(Math.max(files.findIndex((file) => file.name === name), 0));
  showModels();
  setView(page.view);
}

async function share() {
  const base = location.href.replace(/#.*$/, "");
  const fragment = await encode({ ...question(), files: testFirst(), second: secondQuestion() }).catch((fault) => notice(`There is no link to this: ${fault.message}.`));
  if (!fragment) return;
  history.replaceState(null, "", `${base}#${fragment}`);
  try {
    await navigator.clipboard.writeText(location.href);
    notice("The link is in the address bar and on the clipboard; it has the whole test in it.");
  } catch {
    notice("The link is in the address bar; it has the whole test in it.");
  }
}

async function followLink() {
  let linked;
  leaveExercise();
  const lesson = lessonOf(location.hash);
  if (lesson) return followLesson(lesson).then(() => notice(""), showExampleInstead);
  try {
    const set = await followSet(location.hash);
    if (set) return showSet(set);
    linked = await decode(location.hash);
    notice("");
  } catch (fault) {
    notice(`This link cannot be read: ${fault.message}. Here is an example instead.`);
  }
  showLinked(linked);
}

function showSet({ lesson, answer }) {
  notice("");
  showLinked({ files: [{ name: lesson.exercises[0].file, text: lesson.exercises[0].start }] });
  openSet(lesson, answer);
}

function showExampleInstead(fault) {
  notice(`This link cannot be followed: ${fault.message}. Here is an example instead.`);
  showLinked();
}

function showLinked(linked) {
  document.body.classList.toggle("embed", linked?.embed === true);
  document.body.classList.toggle("pane", linked?.pane === true && parent !== window);
  byId("whole").hidden = linked?.embed !== true;
  byId("whole").href = location.href.replace(/&embed\b/, "");
  const lost = takeFiles(linked?.files ?? [{ name: "first.litmus", text: first }], linked);
  if (lost.length) notice(`This link asks for what is not here, and that is left as it was: ${lost.join(", ")}.`);
  if (linked?.second && !linked.pane) showSecond(linked);
}

async function showSecond({ files, second }) {
  openSecond(await encode({ ...second, files: second.files ?? files }), !second.files);
}

async function begin() {
  editor = openEditor(byId("editor"), {
    asked: () => ask(),
    changed(text) {
      page.files[page.at].text = text;
      leaveStep();
      askSoon();
    },
  });
  byId("engine").replaceChildren(...ENGINES.map((name) => element("option", { value: name }, name)));
  for (const id of ["visibility", "persistency", "engine", "machine", "goal"]) byId(id).onchange = () => ask();
  for (const id of ["visibility", "persistency"]) byId(id).oninput = () => { page.byHand = true; };
  byId("stop").onclick = () => engine.stop("you asked for it");
  byId("share").onclick = share;
  for (const kind of ["visibility", "persistency"]) byId(`${kind}-text`).onclick = () => modelNamed(kind, byId(kind).value);
  openSetting({ run: askAside, isModel: (id, name) => page.models[id].some((one) => one.name === name), exercise: () => ({ files: testFirst(), pair: [byId("visibility").value, byId("persistency").value] }) });
  openDivider(byId("inner-divider"), document.querySelector("main"), "--left");
  openBeside({ question, take: followFirst, fragment: () => encode({ ...question(), files: testFirst() }) });
  openPresent({ views: () => Object.keys(VIEWS), view: () => page.view, setView: (name) => setView(name), title: (name) => VIEWS[name].title });
  openLaunch({ file: () => page.files[page.at], files: () => page.files, run: askAside, notice, take: takeFile });
  byId("home").onclick = () => { address(""); followLink(); };
  window.onhashchange = followLink;
  const takeTest = openGallery((files) => { leaveExercise(); address(""); notice(""); takeFiles(files); });
  openLessons({
    takeFiles, takeTest, run: askAside, go, notice, addressed: address,
    answer: () => ({ name: test().name, text: test().text, files: page.files }),
    mark: (found, messages) => markMessages([...messages, ...found.flatMap(markUndefined)]),
  });
  try {
    await loadModels();
    await followLink();
  } catch (fault) {
    notice(location.protocol === "file:"
      ? "Browsers let no page run a program from a file: serve this folder, for instance by make web-serve."
      : `The program could not be loaded: ${fault.message}.`);
  }
}

begin();
