// A lecturer's exercise as a link, with conditions that its page does not show, and a student's answer as a link back. No server has either.
import { byId, element } from "./dom.js";
import { pack, readFiles, readWord, unpack } from "./link.js";
import { placed } from "./messages.js";
import { readReport } from "./report.js";

const EXERCISE = "exercise", ANSWER = "answer", SECONDS = "20";
const MOST = { title: 200, task: 10_000, hidden: 50, line: 1000, name: 100, text: 200_000 };
const NARROW = "No barrier, fence or memory order is wider or stronger than needed.";

let page;

// ---- What a stranger's link may be ----

function words(value, most, what) {
  if (typeof value !== "string" || value.length > most) throw new Error(`${what} in it is none, or has more than ${most} characters`);
  return value;
}

function hiddenOf(list) {
  if (!Array.isArray(list) || list.length > MOST.hidden) throw new Error(`it has more than ${MOST.hidden} hidden conditions, or what are none`);
  return list.map((line) => {
    if (/[\n\r]/.test(words(line, MOST.line, "a hidden condition"))) throw new Error("a hidden condition in it is more than one line");
    return line;
  });
}

function readExercise(said) {
  const files = readFiles(said?.f), pair = [readWord(said.m), readWord(said.p)];
  const known = (id, name) => page.isModel(id, name) || files.some((file) => file.name === name);
  if (!files[0].name.endsWith(".litmus")) throw new Error("it begins with no test");
  for (const [i, id] of ["visibility", "persistency"].entries()) if (!known(id, pair[i])) throw new Error(`there is no ${id} “${pair[i]}”`);
  return { title: words(said.t, MOST.title, "the title"), task: words(said.a, MOST.task, "the task"), hidden: hiddenOf(said.c), files, pair, narrow: said.w === 1 };
}

const shortOf = ({ title, task, hidden, files, pair: [m, p], narrow }) => ({ t: title, a: task, c: hidden, f: files.map(({ name, text }) => [name, text]), m, p, w: narrow ? 1 : undefined });

const asked = (text, hidden) => [text, ...hidden, ""].join("\n");

// As lessons have them; what is hidden has no words of its own.
function lessonOf(exercise, name) {
  const { title, task, hidden, files: [test, ...files], pair, narrow } = exercise;
  return {
    name, title, files, blocks: [], words: [], set: exercise,
    exercises: [{
      title, task: task.split(/\n{2,}/).map((part) => ({ kind: "text", spans: [part] })), file: test.name, start: test.text, exercise: asked(test.text, hidden),
      asked: hidden.map((_, i) => `hidden condition ${i + 1} of ${hidden.length}`), narrow: narrow ? NARROW : undefined, wrong: [], pairs: [pair],
    }],
  };
}

async function nameOf(said) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(said))).catch(() => new ArrayBuffer(8)));
  return Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The lesson that an address stands for, with the answer that it brings, if any; undefined: it is none; an error in words: it cannot be read. */
export async function followSet(fragment) {
  const exercise = await unpack(fragment, EXERCISE);
  if (exercise !== undefined) return { lesson: lessonOf(readExercise(exercise), `set-${await nameOf(exercise)}`) };
  const said = await unpack(fragment, ANSWER);
  if (said === undefined) return undefined;
  const answer = { text: words(said?.x, MOST.text, "the answer"), by: words(said.n, MOST.name, "the name") };
  return { lesson: lessonOf(readExercise(said.e), `answer-${await nameOf(said)}`), answer };
}

// ---- Links that are made here ----

async function hand(said, name, into) {
  const link = `${location.href.replace(/#.*$/, "")}#${await pack(said, name)}`;
  const copied = await navigator.clipboard.writeText(link).then(() => true, () => false);
  into.replaceChildren(
    element("p", {}, copied ? "The link is on the clipboard, and here:" : "The link:"),
    element("input", { type: "text", readOnly: true, value: link, ariaLabel: "the link", className: "made", onfocus: ({ target }) => target.select() }));
}

const refuse = (into, said) => into.replaceChildren(element("p", { className: "said v-violated" }, said));

/** Makes the link to an answer, in `into`. */
export async function sendAnswer({ set }, text, by, into) {
  try {
    await hand({ e: shortOf(set), x: words(text, MOST.text, "the answer"), n: words(by, MOST.name, "the name") }, ANSWER, into);
  } catch (fault) {
    refuse(into, `There is no link to this: ${fault.message}.`);
  }
}

async function judged({ files: [{ name, text }, ...files], pair: [m, p] }, hidden) {
  const answer = await page.run(["check", "--format", "json", "--timeout", SECONDS, "-m", m, "-p", p, name], [{ name, text: asked(text, hidden) }, ...files]);
  const report = readReport(answer.out ?? "");
  if (report) return report;
  const [first] = placed(answer.messages).filter(({ severity }) => severity === "error"), at = first?.line - text.split("\n").length;
  throw new Error(first ? `${at > 0 ? `hidden condition ${at}` : `line ${first.line}`}: ${first.text}` : answer.stopped ?? answer.fault ?? "it cannot be checked");
}

async function make() {
  const into = byId("setting-said"), { files, pair } = page.exercise();
  const hidden = byId("setting-hidden").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const exercise = { title: byId("setting-title").value.trim() || "An exercise", task: byId("setting-task").value.trim(), hidden, files, pair, narrow: byId("setting-narrow").checked };
  into.replaceChildren(element("p", {}, "Checking …"));
  try {
    hiddenOf(hidden);
    const shown = await judged(exercise, []), all = await judged(exercise, hidden);
    if (all.conditions.length !== shown.conditions.length + hidden.length) throw new Error("each hidden condition is a line of its own, such as: crash ~exists (valid = 1 /\\ value = 0)");
    if (!all.conditions.length) throw new Error("nothing is asked: there is no condition, neither in the test nor a hidden one");
    await hand(shortOf(exercise), EXERCISE, into);
    for (const [i, { vacuous, because }] of all.conditions.entries()) if (vacuous) into.append(element("p", { className: "hint" }, `Condition ${i + 1} asks nothing of the test as it stands: ${because}.`));
    if (all.verdict === "ok" && !exercise.narrow) into.append(element("p", { className: "hint" }, "The test as it stands meets every condition already: there is nothing to do in it."));
  } catch (fault) {
    refuse(into, `There is no link yet: ${fault.message}.`);
  }
}

/** `given`: run; isModel; exercise (files and models as they are asked about). */
export function openSetting(given) {
  page = given;
  const panel = byId("setting"), button = byId("open-setting");
  const set = (visible) => {
    panel.hidden = !visible;
    button.setAttribute("aria-expanded", String(visible));
    (visible ? byId("setting-title") : button).focus();
  };
  button.onclick = () => set(panel.hidden);
  byId("setting-close").onclick = () => set(false);
  panel.onkeydown = (event) => { if (event.key === "Escape") set(false); };
  byId("setting-make").onclick = make;
}
