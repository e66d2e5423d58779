// What can be asked of a test: the command line of each question, and how its answer is shown.
import { element } from "./dom.js";
import { showAnswer } from "./answer.js";
import { casesView } from "./cases.js";
import { cutNamer, findCut } from "./cut_name.js";
import { dropPictures, picture } from "./picture.js";
import { showCuts } from "./player/cuts.js";
import { readRecords, showRun } from "./player/player.js";
import { sayFailure } from "./messages.js";
import { readReport } from "./report.js";
import { clashView, fillingView } from "./fill.js";
import { brokenFirst, sayAll, sayReason, whyView } from "./why.js";
import { sayVerdict, verdictOf } from "./words.js";

const SECONDS = "20";
const FILLED = "filled";
const models = ({ visibility, persistency }) => ["-m", visibility, "-p", persistency];

const UNREADABLE = 2, UNKNOWN = 3;
const hasNoTest = ({ messages }) => messages.some(({ id }) => id === "E-lit-empty");
const hasErrors = ({ status, messages }) => status === UNREADABLE && messages.some(({ severity }) => severity === "error");

function placeArguments(question, what) {
  return ["place", what, "--format", "json", "--total", SECONDS, "-o", `/out/${FILLED}/`, ...models(question), question.file];
}

// What there is to say where there is no filling.
function sayNone(record, none) {
  const present = record.as_it_is;
  if (present) return `Nothing is ${present.reason === "unknown" ? "changed, as it is not known whether the test holds" : "narrowed, as the test does not hold"} as it stands: ${sayReason(present)}`;
  return record.complete ? "No filling will do" : `${none}${record.limit ? ` ${record.limit}` : ""}`;
}

function showPlace(view, answer, question, page, none) {
  const [record] = readRecords(answer.out);
  if (!record) throw new Error(sayFailure(answer));
  const { text } = question, texts = record.fillings.map(({ written }) => answer.written[written[0].replace(/^\/out\//, "")]), other = texts.some((filled) => filled !== text);
  if (!texts.length) {
    const toRepair = record.as_it_is && record.as_it_is.reason !== "unknown";
    view.replaceChildren(...(toRepair ? [element("p", { className: "sentence" }, element("button", { type: "button", className: "line", onclick: () => page.ask("repair") }, "Repair"), " looks for what to add.")] : []),
      ...(record.additions?.length ? [element("p", { className: "small" }, `Tried as additions: ${record.additions.join(", ")}; no others.`)] : []), clashView(record, page));
    return { words: `${sayNone(record, none)}.`, verdict: answer.status === UNKNOWN ? "unknown" : "" };
  }
  view.replaceChildren(...texts.map((filled, i) => fillingView(record, i, { text, filled, page })));
  if (other) return { words: `${texts.length > 1 ? `Any of these ${texts.length} will do` : "This will do"}: every condition holds with it, as was checked.`, verdict: "ok" };
  return { words: `Every condition holds as it is${record.complete ? ", and nothing is to be changed" : ""}.`, verdict: "ok" };
}

const CLASSES = {
  "first-only": "allows less", "second-only": "allows more", both: "each allows what the other does not", same: "the same states",
  "undefined-first": "undefined only in the first", "undefined-second": "undefined here, not in the first", "undefined-both": "both undefined",
  unknown: "not known",
};

// A pair of models, each name with the way to its text.
const pairNames = (pair, page) => pair.split(" + ").flatMap((name, i) => [...(i ? [" + "] : []), element("button", { type: "button", className: "line", title: "the model's text", onclick: () => page.modelNamed(i ? "persistency" : "visibility", name) }, name)]);

function compareRow(pair, { verdict, crash_states: states }, difference, page) {
  const { mark, word } = verdictOf(verdict);
  return element(
    "tr", { className: `v-${verdict}` }, element("th", { scope: "row" }, ...pairNames(pair, page)), element("td", {}, `${mark} ${word}`),
    element("td", {}, states ?? ""), element("td", {}, difference),
  );
}

function showCompare(view, answer, page) {
  const records = answer.out.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line)).filter(({ answers }) => answers);
  if (!records.length) throw new Error(sayFailure(answer));
  const rows = [compareRow(records[0].first, records[0].answers[0], "held against the others", page)];
  for (const record of records) rows.push(compareRow(record.second, record.answers.at(-1), CLASSES[record.class] ?? record.class, page));
  view.append(
    element("div", { className: "scroll", tabIndex: 0, ariaLabel: "comparison" },
      element("table", { className: "compare" },
        element("thead", {}, element("tr", {}, ...["models", "verdict", "crash states", "beside the first"].map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...rows))),
  );
  const other = records.filter(({ differs }) => differs).length;
  return other ? `${other} of ${records.length} answer differently from ${records[0].first}.` : `All ${records.length + 1} answer alike.`;
}

// A condition with what is said of it, and its execution, or the one that comes nearest and what excludes it.
function showWhy(record, question, page) {
  const svgs = (record.executions ?? []).flatMap(({ pictures = [] }) => pictures), shown = whyView(record, question.text, page);
  const title = record.reachable ? "As a picture" : "The execution that comes nearest, and what excludes it";
  if (svgs.length) shown.append(Object.assign(picture({ title, svgs }, `why-${record.number}`), { open: true }));
  return shown;
}

// ---- What moves ----

// `moved` is told where the reader goes in which of them. Returns what goes there at once, and says whether there is such a place.
function showPlayers(view, records, { play, heading, show, moved }) {
  let ready = false;
  const roots = records.map(() => element("div"));
  const lead = records.map((record, i) => play(roots[i], record, { line: show, moved: (place) => ready && moved({ record: i, ...place }) }));
  view.replaceChildren(...records.flatMap((record, i) => (heading ? [element("h3", {}, heading(record)), roots[i]] : [roots[i]])));
  ready = true;
  return ({ record, ...place }) => {
    if (!lead[record]?.(place)) return false;
    if (record > 0) roots[record].scrollIntoView({ block: "nearest" });
    return true;
  };
}

function noRecord(view, answer, words) {
  if (answer.messages.length) throw new Error(sayFailure(answer));
  view.replaceChildren();
  return words;
}

// Executions that decide something, and of the others those that have something of their own to show.
function worthASlider(records) {
  const seen = new Set();
  const content = ({ events, cuts }) => JSON.stringify([events, cuts.map(({ place, durable, state }) => JSON.stringify([place, durable, state])).sort()]);
  const isNew = (record) => !seen.has(content(record)) && seen.add(content(record));
  const decisive = records.filter(({ execution }) => execution);
  decisive.forEach(isNew);
  return [...decisive, ...records.filter((record) => !record.execution && isNew(record))];
}

// The first cut of any execution that leaves a state.
function cutOf(records, state) {
  const wanted = Object.entries(state), leaves = (cut) => wanted.every(([name, value]) => !(name in cut.state) || cut.state[name] === value);
  for (const [record, { cuts }] of records.entries()) {
    const cut = cuts.find(leaves);
    if (cut) return { record, place: cut.place, durable: cut.durable };
  }
  return undefined;
}

function showCrash(view, answer, question, { show, moved }) {
  const records = worthASlider(readRecords(answer.out));
  if (!records.length) return noRecord(view, answer, "No execution to show: behaviour is undefined, there is none, or it has too many events. Verdict says more.");
  const names = records.map(cutNamer);
  const lead = showPlayers(view, records, { play: showCuts, show, moved: (at) => moved(names[at.record](at)) });
  const find = (wanted) => (wanted.state ? cutOf(records, wanted.state) : wanted.execution ? findCut(records, wanted) : wanted) ?? {};
  return { words: "Move the crash through an execution:", lead: (wanted) => lead(find(wanted)) };
}

// A machine that promises the persistency model beside another visibility model shows some of what the chosen pair allows.
function sayPromise({ visibility, persistency, machine, promises }) {
  const pair = `${visibility} + ${persistency}`, near = promises?.find((other) => other.endsWith(` + ${persistency}`));
  return !promises || promises.includes(pair) ? "" : `No built-in machine promises ${pair}; ${machine} promises ${near}. `;
}

function sayRuns(runs, machine) {
  const count = (wanted) => runs.filter(({ answer }) => answer === wanted).length, found = count("found");
  if (found) return `How ${machine} comes to ${runs.length === 1 ? "it" : `${found} of ${runs.length} states`}, step by step:`;
  return count("never") === runs.length ? `${machine} never comes there:` : `Whether ${machine} comes there is not known:`;
}

function showMachine(view, answer, question, { show, moved }) {
  const runs = readRecords(answer.out);
  if (!question.machine) return noRecord(view, answer, `No built-in machine promises ${question.visibility} + ${question.persistency}.`);
  if (!runs.length) return noRecord(view, answer, "No condition asks for a state: write one above.");
  return { words: sayPromise(question) + sayRuns(runs, question.machine), lead: showPlayers(view, runs, { play: showRun, heading: ({ goal }) => goal, show, moved }) };
}

/** The model pairs that a test expects something of, the chosen one first. */
export function pairsOf(text, { visibility, persistency }) {
  const pairs = new Set([`${visibility}+${persistency}`]);
  for (const [, v, p] of text.matchAll(/^\s*expect\s+([\w.-]+)\s*\+\s*([\w.-]+)\s*(?:\[[^\]]*\]\s*)?:/gm)) pairs.add(`${v}+${p}`);
  if (pairs.size < 2) for (const p of ["strict", "epoch", "buffered-epoch", "epoch-individual", "buffered-epoch-individual", "none"]) pairs.add(`${visibility}+${p}`);
  return [...pairs];
}

/** What is undefined, as messages at its lines. */
export const markUndefined = ({ text, lines }) => lines.map((line) => ({ line, severity: "warning", text }));

/** Each: its name, its command line (none where there is nothing to ask), and what is shown; `show` returns the headline. */
export const VIEWS = {
  check: {
    title: "Verdict",
    about: "Which states a crash can leave, and what that means for the conditions",
    arguments: (question) => ["check", "--format", "json", "--executions", "pictures", "--timeout", SECONDS, ...models(question), "-e", question.engine, question.file],
    show(view, answer, question, { go, markLines, look }) {
      const report = readReport(answer.out);
      if (!report) throw new Error(sayFailure(answer));
      dropPictures();
      showAnswer(view, report, go, look);
      markLines(report.undefined.flatMap(markUndefined));
      return { words: `${verdictOf(report.verdict).mark} ${sayVerdict(report)}`, verdict: report.verdict };
    },
  },
  explain: {
    title: "Why?",
    about: "Step by step how a state is reached, or which lines and rules keep it out of reach",
    arguments: (question) => ["explain", "--format", "json", "--executions", "pictures", ...models(question), question.file],
    show(view, answer, question, page) {
      const records = readRecords(answer.out);
      if (!records.length) throw new Error(sayFailure(answer));
      dropPictures();
      view.replaceChildren(...brokenFirst(records).map((record) => showWhy(record, question, page)));
      return sayAll(records);
    },
  },
  crash: {
    title: "Crash",
    about: "Power fails after any event of an execution: what is durable then, and what is lost",
    arguments: (question) => ["check", "--format", "cuts", "--timeout", SECONDS, ...models(question), "-e", question.engine, question.file],
    show: showCrash,
  },
  machine: {
    title: "Machine",
    about: "A machine runs the test: what is in caches and queues after each step, and what a crash leaves",
    arguments: ({ machine, goal, file }) => machine && ["trace", "--format", "json", "--timeout", SECONDS, "--machine", machine, ...(goal ? ["--state", goal] : []), file],
    show: showMachine,
  },
  narrow: {
    title: "Narrow",
    about: "Is each barrier, fence and atomic access as narrow as it may be?",
    arguments: (question) => placeArguments(question, "--narrow"),
    show: (view, answer, question, page) => showPlace(view, answer, question, page, "Nothing narrower is known."),
  },
  repair: {
    title: "Repair",
    about: "What to add, widen or strengthen, so that every condition holds",
    arguments: (question) => placeArguments(question, "--repair"),
    show: (view, answer, question, page) => showPlace(view, answer, question, page, "No repair is known."),
  },
  compare: {
    title: "Compare",
    about: "The same test under several models",
    arguments: (question) => ["compare", "--format", "json", "--timeout", SECONDS, "--models", pairsOf(question.text, question).join(","), question.file],
    show(view, answer, question, page) {
      view.replaceChildren();
      return showCompare(view, answer, page);
    },
  },
  cases: {
    title: "Cases",
    about: "Why the states are all there are: each case, and what ends it",
    arguments: (question) => ["explain", "--cases", "--format", "json", ...models(question), question.file],
    show(view, answer, question, { go }) {
      const [record] = readRecords(answer.out);
      if (!record) throw new Error(sayFailure(answer));
      const [ub] = record.undefined;
      view.replaceChildren(...(record.lacks || ub ? [] : [casesView(record, go)]));
      if (ub) return { words: `Nothing is promised, as the behaviour is undefined: ${ub.words}.`, verdict: "undefined" };
      return record.lacks ? { words: `Why this is all has no certificate: ${record.lacks}.`, verdict: "unknown" } : { words: `${record.cases} ${record.cases === 1 ? "case is" : "cases are"} all there ${record.cases === 1 ? "is" : "are"}, each with what ends it.` };
    },
  },
};

export { hasErrors, hasNoTest };
