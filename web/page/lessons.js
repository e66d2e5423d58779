// Lessons: their text beside the editor, and exercises. Whether an answer is one is decided by crashlit: it reads it, holds
// it to the frame of the exercise and judges it by the exercise's conditions (--exercise); here its record is told.
import { element, byId } from "./dom.js";
import { showAnswer } from "./answer.js";
import { placed } from "./messages.js";
import { readReport } from "./report.js";
import { sendAnswer } from "./setting.js";
import { sayCondition, verdictOf } from "./words.js";

const STORE = "crashlit-lessons", SECONDS = "20", EXERCISE = "exercise-of-the-lesson.litmus";
const MOST_KEPT = 20_000; // characters of an answer
const WIDER = new Set(["wider-than-needed", "redundant"]);

let lessons, at = -1, current = "", shownSet, page; // current: the exercise that is in the editor; shownSet: the lecturer's that is shown

// ---- What is kept, where the browser keeps anything ----

const kept = { solved: new Set(), answers: new Map() };

function readKept() {
  try {
    const { solved, answers } = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    if (Array.isArray(solved)) for (const name of solved) kept.solved.add(String(name));
    for (const [name, text] of Object.entries(answers ?? {})) if (typeof text === "string") kept.answers.set(name, text.slice(0, MOST_KEPT));
  } catch {
    // there is none, or it is none of ours: lessons begin anew
  }
}

function keep() {
  try {
    localStorage.setItem(STORE, JSON.stringify({ solved: [...kept.solved], answers: Object.fromEntries(kept.answers) }));
  } catch {
    // then for as long as the page is open
  }
}

const keyOf = (lesson, number) => `${lesson.name}/${number + 1}`;
// An answer that was sent here is its sender's, and is not kept.
const isKept = (key) => !key.startsWith("answer-");
const keepAnswer = (key, text) => isKept(key) && kept.answers.set(key, text.slice(0, MOST_KEPT));
const isSolved = (lesson) => lesson.exercises.every((_, i) => kept.solved.has(keyOf(lesson, i)));

// ---- Text: what tools/lessons.py knows of Markdown, and no more ----

function span(part) {
  if (typeof part === "string") return part;
  if (part.code !== undefined) return element("code", {}, part.code);
  if (part.strong !== undefined) return element("strong", {}, part.strong);
  if (part.em !== undefined) return element("em", {}, part.em);
  if (part.term !== undefined) return element("span", { className: "term", title: part.meaning }, part.term);
  if (part.lesson !== undefined) return element("a", { href: `#lesson=${part.lesson}` }, part.text);
  return element("button", { type: "button", className: "line", onclick: () => leadTo(`lesson-${lessons[at].name}`, part.test) }, part.text);
}

/** Another text comes into the editor: what there is of an answer is kept. */
export function leaveExercise() {
  if (!current) return;
  keepAnswer(current, page.answer().text);
  current = "";
  keep();
}

function leadTo(source, test) {
  page.takeTest(source, test).catch((fault) => page.notice(fault.message));
}

const spans = (parts) => parts.map(span);

const opens = (lesson, block) =>
  element("button", { type: "button", className: "small", onclick: () => take(lesson, block.name ?? "test.litmus", block.text) }, "Open in the editor");

function block(lesson, { kind, ...of }) {
  switch (kind) {
    case "text": return element("p", {}, ...spans(of.spans));
    case "list": return element("ul", {}, ...of.items.map((item) => element("li", {}, ...spans(item))));
    case "table": return table(of.rows);
    case "litmus": return element("div", { className: "code" }, element("pre", { tabIndex: 0 }, of.text), opens(lesson, of));
    case "cat": case "console": case "plain": return element("pre", { tabIndex: 0 }, of.text);
    default: throw new Error(`lessons have no block “${kind}”`);
  }
}

const blocks = (lesson, all) => all.map((one) => block(lesson, one));

function table([head, ...rows]) {
  const row = (cells, name) => element("tr", {}, ...cells.map((cell) => element(name, {}, ...spans(cell))));
  return element("div", { className: "scroll" }, element("table", {}, element("thead", {}, row(head, "th")), element("tbody", {}, ...rows.map((cells) => row(cells, "td")))));
}

// ---- Exercises ----

function take(lesson, name, text, pair) {
  leaveExercise();
  page.takeFiles([{ name, text }, ...lesson.files], pair && { visibility: pair[0], persistency: pair[1] });
}

function start(lesson, number, anew) {
  const exercise = lesson.exercises[number], key = keyOf(lesson, number);
  leaveExercise();
  const text = (!anew && kept.answers.get(key)) || exercise.start;
  take(lesson, exercise.file, text, exercise.pairs.at(-1));
  current = key;
  showResult(number, []);
  byId("editor").scrollIntoView({ block: "nearest" });
}

// Another text than the exercise is no answer to it.
function begin(lesson, number) {
  start(lesson, number, false);
  showResult(number, [element("p", { className: "said" }, "The exercise is in the editor now: change it there, then have it checked.")]);
}

const asks = ({ pairs, narrow }, [visibility, persistency], file) => [
  "check", "--format", "json", "--executions", "pictures", "--timeout", SECONDS, "--exercise", EXERCISE,
  ...(narrow ? ["--warn-wide"] : []), "-m", visibility, "-p", persistency, file,
];

// The answer, what it uses, and of the lesson its model and the exercise.
function filesOf(lesson, exercise) {
  const { name, text, files } = page.answer();
  const own = files.filter((file) => /\.(def|map)$/.test(file.name));
  return { name, text, files: [{ name, text }, ...own, ...lesson.files, { name: EXERCISE, text: exercise.exercise }] };
}

// By what an answer fails, as tests/corpus/lessons_check.py says it; undefined when by nothing.
function failing(record, exercise) {
  if (record.verdict === "undefined") return "undefined";
  const number = record.conditions.findIndex(({ verdict }) => verdict !== "ok");
  if (number >= 0) return String(number + 1);
  if (record.verdict !== "ok") return record.verdict;
  if (!exercise.narrow) return undefined;
  const { asked, limit } = record.narrowest ?? {};
  if (!asked || limit) return "unknown";
  return record.warnings.some(({ name }) => WIDER.has(name)) ? "narrow" : undefined;
}

async function judge(exercise, pair, { name, files }) {
  const answer = await page.run(asks(exercise, pair, name), files);
  if (answer.stopped || answer.fault) return { fails: "unknown", words: answer.stopped ? `Stopped: ${answer.stopped}.` : `The program failed: ${answer.fault}.` };
  const report = readReport(answer.out);
  const messages = placed(answer.messages).filter(({ severity }) => severity === "error");
  if (!report) return { fails: answer.messages.some(({ id }) => id === "E-cli-exercise") ? "frame" : "unreadable", messages };
  return { fails: failing(report, exercise), report: exercise.shown === undefined ? masked(report, exercise) : report };
}

// Of a lecturer's exercise: the conditions that its test has are shown, hidden ones by their number.
function masked(report, exercise) {
  const shown = report.conditions.length - exercise.asked.length;
  const conditions = report.conditions.map((condition, i) => (i < shown ? condition : { ...condition, text: exercise.asked[i - shown], words: verdictOf(condition.verdict).word.toLowerCase(), isHidden: true }));
  return { ...report, words: verdictOf(report.verdict).word, conditions, executions: report.executions.filter(({ condition }) => !(condition >= shown)) };
}

async function check(lesson, number) {
  if (current !== keyOf(lesson, number)) return begin(lesson, number);
  const exercise = lesson.exercises[number], key = keyOf(lesson, number), answer = filesOf(lesson, exercise);
  showResult(number, [element("p", {}, "Checking …")]);
  keepAnswer(key, answer.text);
  let judged;
  for (const pair of exercise.pairs) {
    judged = { pair, ...await judge(exercise, pair, answer) };
    if (judged.fails !== undefined) break;
  }
  if (judged.fails === undefined && isKept(key)) kept.solved.add(key);
  keep();
  showResult(number, result(lesson, exercise, judged));
  byId(`lesson-result-${number + 1}`)?.scrollIntoView({ block: "start" });
  showChoice();
}

// ---- What was found ----

const WORDS = {
  frame: "Not yet: this is another exercise. What is around the program has to stay as it was.",
  unreadable: "Not yet: this cannot be read.",
  undefined: "Not yet: the behaviour is undefined, so nothing is promised at all.",
  narrow: "Nearly: it is right, and something is wider than needed or needless.",
};

function headline({ fails, words, report, pair }, exercise) {
  if (fails === undefined) return "✓ Solved.";
  const where = exercise.pairs.length > 1 ? ` (under ${pair.join(" + ")})` : "";
  const known = words ?? (Object.hasOwn(WORDS, fails) ? WORDS[fails] : /^\d+$/.test(fails) ? "Not yet: something is not as asked." : `Not known: ${report?.reason ?? report?.narrowest?.limit ?? "a limit was met"}.`);
  return known + where;
}

function demand(condition, i, exercise) {
  const { mark, word } = verdictOf(condition.verdict);
  const says = condition.isHidden ? `${condition.text}: ${word.toLowerCase()}` : i < (exercise.shown ?? i + 1) ? sayCondition(condition) : exercise.asked[i - exercise.shown];
  return element(
    "li", { className: `v-${condition.verdict}` },
    element("span", { className: "mark", ariaHidden: "true" }, mark), element("span", { className: "sr" }, `${word}: `), ` ${says} `,
    !condition.isHidden && element("code", { className: "small" }, `${condition.kind} ${condition.text}`),
  );
}

function narrowDemand({ report, fails }, exercise) {
  const warnings = report.warnings.filter(({ name }) => WIDER.has(name));
  const right = fails === undefined;
  const { mark, word } = verdictOf(right ? "ok" : fails === "narrow" ? "violated" : "unknown");
  return element(
    "li", { className: `v-${right ? "ok" : "violated"}` },
    element("span", { className: "mark", ariaHidden: "true" }, mark), element("span", { className: "sr" }, `${word}: `), ` ${exercise.narrow}`,
    ...warnings.map(({ line, message }) => element("p", {}, lineButton(line), ` ${message}`)),
  );
}

const lineButton = (line) => element("button", { type: "button", className: "line", onclick: () => page.go(line) }, `line ${line}`);

function reasons(lesson, exercise, fails) {
  const known = exercise.wrong.filter((wrong) => wrong.fails === fails);
  return known.length > 0 && element(
    "div", { className: "hint" }, element("h4", {}, known.length > 1 ? "Ways that lead here" : "A way that leads here"),
    ...known.map(({ about }) => element("div", {}, ...blocks(lesson, about))),
  );
}

function result(lesson, exercise, judged) {
  const { fails, messages = [], report } = judged;
  const found = element("div", {});
  if (report) showAnswer(found, report, page.go);
  page.mark(report?.undefined ?? [], messages.filter(({ file }) => file !== EXERCISE));
  return [
    element("p", { className: `said v-${fails === undefined ? "ok" : "violated"}` }, headline(judged, exercise)),
    messages.length > 0 && element("ul", { className: "messages" }, ...messages.map(({ file, line, words }) => element("li", {}, file !== EXERCISE && lineButton(line), ` ${words}`))),
    report && element("ul", { className: "conditions" }, ...report.conditions.map((condition, i) => demand(condition, i, exercise)), exercise.narrow && report.verdict === "ok" ? narrowDemand(judged, exercise) : ""),
    fails !== undefined && reasons(lesson, exercise, fails),
    report && element("details", { open: fails !== undefined && /^\d+$|undefined/.test(fails) }, element("summary", {}, "What the check has found: states, and how they come about"), found),
    fails === undefined && !lesson.set && at + 1 < lessons.length && element("p", {}, element("button", { type: "button", className: "apply", onclick: () => open(at + 1) }, `Next: ${lessons[at + 1].title}`)),
  ].filter(Boolean);
}

function showResult(number, parts) {
  byId(`lesson-result-${number + 1}`)?.replaceChildren(...parts);
}

// An answer goes back as a link, as the exercise came.
function sending(lesson) {
  const by = element("input", { type: "text", maxLength: 100, autocomplete: "off", ariaLabel: "your name" }), into = element("div", { role: "status" });
  return element("div", { className: "sending" },
    element("p", {}, element("label", {}, "Your name ", by), " ", element("button", { type: "button", id: "send-answer", onclick: () => sendAnswer(lesson, page.answer().text, by.value.trim(), into) }, "My answer as a link")), into,
    lesson.set.hidden.length > 0 && element("p", { className: "small" }, `${lesson.set.hidden.length} ${lesson.set.hidden.length > 1 ? "conditions are" : "condition is"} hidden here; who decodes the link can read ${lesson.set.hidden.length > 1 ? "them" : "it"}.`));
}

function exerciseOf(lesson, exercise, number) {
  const solution = exercise.solution;
  return element(
    "section", { className: "exercise" },
    element("h3", {}, `Exercise: ${exercise.title}`), ...blocks(lesson, exercise.task),
    element("p", { className: "buttons" },
      element("button", { type: "button", id: `lesson-start-${number + 1}`, onclick: () => start(lesson, number, false) }, "To the exercise"),
      element("button", { type: "button", id: `lesson-check-${number + 1}`, className: "apply", onclick: () => check(lesson, number) }, "Check my answer"),
      element("button", { type: "button", onclick: () => start(lesson, number, true) }, "Begin anew")),
    element("div", { id: `lesson-result-${number + 1}`, className: "result", ariaLive: "polite" }),
    lesson.set && sending(lesson),
    (exercise.asked.length > 0 || exercise.narrow) && element("details", {}, element("summary", {}, "What the check asks besides"),
      element("ul", {}, ...exercise.asked.map((says) => element("li", {}, says)), exercise.narrow ? element("li", {}, exercise.narrow) : "")),
    solution && element("details", {}, element("summary", {}, "A solution"), ...blocks(lesson, solution.about),
      element("div", { className: "code" }, element("pre", { tabIndex: 0 }, solution.text), opens(lesson, { name: exercise.file, text: solution.text }))),
  );
}

// ---- The panel ----

function showChoice() {
  for (const id of ["lesson-back", "lesson-choice", "lesson-next", "lesson-progress"]) byId(id).hidden = shownSet !== undefined;
  if (shownSet) return;
  byId("lesson-choice").replaceChildren(...lessons.map((lesson, i) => element("option", { value: String(i) }, `${isSolved(lesson) ? "✓ " : ""}${lesson.number}. ${lesson.title}`)));
  byId("lesson-choice").value = String(at);
  byId("lesson-progress").textContent = `${lessons.filter(isSolved).length} of ${lessons.length} solved`;
  byId("lesson-back").disabled = at === 0;
  byId("lesson-next").disabled = at === lessons.length - 1;
}

function show(lesson) {
  const words = lesson.words.length > 0 && element(
    "details", {}, element("summary", {}, "Words"),
    element("dl", {}, ...lesson.words.flatMap(([word, meaning]) => [element("dt", {}, word), element("dd", {}, meaning)])));
  byId("lesson-text").replaceChildren(
    element("h2", { tabIndex: -1, id: "lesson-title" }, lesson.set ? "An exercise set for you" : `${lesson.number}. ${lesson.title}`), ...blocks(lesson, lesson.blocks),
    ...(words ? [words] : []), ...lesson.exercises.map((exercise, i) => exerciseOf(lesson, exercise, i)));
  byId("lesson-text").scrollTop = 0;
}

function set(visible) {
  byId("lesson").hidden = !visible;
  document.body.classList.toggle("learning", visible);
  byId("open-lessons").setAttribute("aria-expanded", String(visible));
}

async function load() {
  if (lessons) return;
  const response = await fetch("lessons.json");
  if (!response.ok) throw new Error(`lessons.json could not be read (${response.status})`);
  lessons = await response.json();
}

/** A lecturer's exercise, or an `answer` to it, which is checked at once. */
export function openSet(lesson, answer) {
  shownSet = lesson;
  show(lesson);
  showChoice();
  set(true);
  if (!answer) start(lesson, 0, false);
  else {
    take(lesson, lesson.exercises[0].file, answer.text, lesson.exercises[0].pairs[0]);
    current = keyOf(lesson, 0);
    byId("lesson-title").textContent = `An answer${answer.by && ` by ${answer.by}`}`;
    check(lesson, 0);
  }
  byId("lesson-title").focus();
}

function open(number) {
  at = number;
  shownSet = undefined;
  const lesson = lessons[at];
  show(lesson);
  showChoice();
  set(true);
  page.addressed(`#lesson=${lesson.name}`);
  const first = lesson.blocks.find(({ kind }) => kind === "litmus");
  take(lesson, first.name ?? "test.litmus", first.text);
  byId("lesson-title").focus();
}

const byName = (name) => lessons.findIndex((lesson) => lesson.name === name);

/** The name of the lesson that an address leads to; undefined: to none. */
export const lessonOf = (fragment) => /^#lesson=([a-z0-9-]{1,60})$/.exec(fragment)?.[1];

/** Opens a lesson by its name. */
export async function followLesson(name) {
  await load();
  const number = byName(name);
  if (number < 0) throw new Error(`there is no lesson “${name}”`);
  open(number);
}

/** `given`: takeFiles, takeTest, answer, run, go, mark, addressed, notice. */
export function openLessons(given) {
  page = given;
  readKept();
  byId("open-lessons").onclick = async () => {
    if (!byId("lesson").hidden) return close();
    try {
      await load();
      const next = lessons.findIndex((lesson) => !isSolved(lesson));
      open(at >= 0 ? at : Math.max(next, 0));
    } catch (fault) {
      page.notice(fault.message);
    }
  };
  const close = () => {
    set(false);
    page.addressed("");
    byId("open-lessons").focus();
  };
  byId("lesson-close").onclick = close;
  byId("lesson-choice").onchange = () => open(Number(byId("lesson-choice").value));
  byId("lesson-back").onclick = () => open(at - 1);
  byId("lesson-next").onclick = () => open(at + 1);
}
