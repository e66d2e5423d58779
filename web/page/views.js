// What can be asked of a test: the command line of each question, and how its answer is shown.
import { element } from "./dom.js";
import { showAnswer } from "./answer.js";
import { cutNamer, findCut } from "./cut_name.js";
import { dropPictures, picture } from "./picture.js";
import { showCuts } from "./player/cuts.js";
import { readRecords, showRun } from "./player/player.js";
import { readReport } from "./report.js";
import { sayVerdict, verdictOf } from "./words.js";

const SECONDS = "20";
const FILLED = "filled", DRAWN = "why.svg";
const models = ({ visibility, persistency }) => ["-m", visibility, "-p", persistency];

// Text of the program, line by line; a line that names one of the test leads to it.
function textLines(text, file, go) {
  const place = new RegExp(`(?:\\blines? |${file.replace(/[.]/g, "\\.")}:)(\\d+)`);
  return element(
    "div", { className: "lines" },
    ...text.split("\n").map((line) => {
      const number = Number(place.exec(line)?.[1] ?? 0);
      if (!number) return element("div", {}, line || "\u00a0");
      return element("button", { type: "button", title: `show line ${number}`, onclick: () => go(number) }, line);
    }),
  );
}

// The program's own words, without what is for a terminal.
const sayFailure = ({ err, status }) => err.trim().replace(/^crashlit: error: /gm, "").replace(/ \[E-[\w-]+\]$/gm, "") || `the program left with status ${status}`;
const UNREADABLE = 2, UNKNOWN = 3;
const hasNoTest = ({ err }) => /\[E-lit-empty\]$/m.test(err ?? "");
const hasErrors = ({ status, err }) => status === UNREADABLE && /: error: /.test(err);

const withoutSummary = (text) => text.split("\n").filter((line) => !/^(Summary:|Test .*, models |\s*goes to )/.test(line)).join("\n").trim();

function placeArguments(question, what) {
  return ["place", what, "--total", SECONDS, "-o", `/out/${FILLED}/`, ...models(question), question.file];
}

function showPlace(view, answer, question, { go, apply }, none) {
  const fillings = Object.entries(answer.written).filter(([path]) => path.startsWith(`${FILLED}/`)).map(([, text]) => text);
  const other = fillings.filter((text) => text !== question.text), text = withoutSummary(answer.out);
  const buttons = other.map((filling, i) =>
    element("button", { type: "button", className: "apply", onclick: () => apply(filling) }, other.length > 1 ? `Take filling ${i + 1}` : "Take it"));
  view.replaceChildren(textLines(text || none, question.file, go), element("p", { className: "buttons" }, ...buttons));
  if (!fillings.length) return { words: text.split("\n")[0] || none, verdict: answer.status === UNKNOWN ? "unknown" : "" };
  if (other.length) return "Filled, and checked: every condition holds with this.";
  return `Every condition holds as it is${text.includes("nothing is to be changed") ? ", and nothing is to be changed" : ""}.`;
}

const CLASSES = {
  "first-only": "allows less", "second-only": "allows more", both: "each allows what the other does not", same: "the same states",
  "undefined-first": "undefined only in the first", "undefined-second": "undefined here, not in the first", "undefined-both": "both undefined",
  unknown: "not known",
};

function compareRow(pair, { verdict, crash_states: states }, difference) {
  const { mark, word } = verdictOf(verdict);
  return element(
    "tr", { className: `v-${verdict}` }, element("th", { scope: "row" }, pair), element("td", {}, `${mark} ${word}`),
    element("td", {}, states ?? ""), element("td", {}, difference),
  );
}

function showCompare(view, answer) {
  const records = answer.out.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line)).filter(({ answers }) => answers);
  if (!records.length) throw new Error(sayFailure(answer));
  const rows = [compareRow(records[0].first, records[0].answers[0], "held against the others")];
  for (const record of records) rows.push(compareRow(record.second, record.answers.at(-1), CLASSES[record.class] ?? record.class));
  view.append(
    element("div", { className: "scroll", tabIndex: 0, ariaLabel: "comparison" },
      element("table", { className: "compare" },
        element("thead", {}, element("tr", {}, ...["models", "verdict", "crash states", "beside the first"].map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, ...rows))),
  );
  const other = records.filter(({ differs }) => differs).length;
  return other ? `${other} of ${records.length} answer differently from ${records[0].first}.` : `All ${records.length + 1} answer alike.`;
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
  if (answer.err?.trim()) throw new Error(sayFailure(answer));
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

function showCrash(view, answer, question, { show, moved }) {
  const records = worthASlider(readRecords(answer.out));
  if (!records.length) return noRecord(view, answer, "No execution to show: behaviour is undefined, there is none, or it has too many events. Verdict says more.");
  const names = records.map(cutNamer);
  const lead = showPlayers(view, records, { play: showCuts, show, moved: (at) => moved(names[at.record](at)) });
  return { words: "Move the crash through an execution:", lead: (wanted) => lead((wanted.execution ? findCut(records, wanted) : wanted) ?? {}) };
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
  return { words: sayRuns(runs, question.machine), lead: showPlayers(view, runs, { play: showRun, heading: ({ goal }) => goal, show, moved }) };
}

/** The model pairs that a test expects something of, the chosen one first. */
export function pairsOf(text, { visibility, persistency }) {
  const pairs = new Set([`${visibility}+${persistency}`]);
  for (const [, v, p] of text.matchAll(/^\s*expect\s+([\w.-]+)\s*\+\s*([\w.-]+)\s*(?:\[[^\]]*\]\s*)?:/gm)) pairs.add(`${v}+${p}`);
  if (pairs.size < 2) for (const p of ["strict", "epoch", "buffered-epoch", "epoch-individual", "buffered-epoch-individual", "none"]) pairs.add(`${visibility}+${p}`);
  return [...pairs];
}

/** What is undefined, as messages at its lines. */
export const markUndefined = ({ text, lines }) => lines.map((line) => ({ line, column: 1, length: 1000, severity: "warning", words: text }));

/** Each: its name, its command line (none where there is nothing to ask), and what is shown; `show` returns the headline. */
export const VIEWS = {
  check: {
    title: "Verdict",
    about: "Which states a crash can leave, and what that means for the conditions",
    arguments: (question) => ["check", "--format", "json", "--executions", "pictures", "--timeout", SECONDS, ...models(question), "-e", question.engine, question.file],
    show(view, answer, question, { go, markLines }) {
      const report = readReport(answer.out);
      if (!report) throw new Error(sayFailure(answer));
      showAnswer(view, report, go);
      markLines(report.undefined.flatMap(markUndefined));
      return { words: `${verdictOf(report.verdict).mark} ${sayVerdict(report)}`, verdict: report.verdict };
    },
  },
  explain: {
    title: "Why?",
    about: "Step by step how a state is reached, or which lines and rules keep it out of reach",
    arguments: (question) => ["explain", "--format", `svg=/out/${DRAWN}`, ...models(question), question.file],
    show(view, answer, question, { go }) {
      const text = withoutSummary(answer.out);
      if (!text) throw new Error(sayFailure(answer));
      const svg = answer.written[DRAWN]?.replace(/^<\?xml[^>]*>\s*/, "");
      dropPictures();
      const drawn = svg && picture({ title: "As a picture: the execution, or the one that comes nearest and what excludes it", svgs: [svg] }, "why");
      if (drawn) drawn.open = true;
      view.replaceChildren(textLines(text, question.file, go), ...(drawn ? [drawn] : []));
      return "Why each condition holds, or not:";
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
    show(view, answer) {
      view.replaceChildren();
      return showCompare(view, answer);
    },
  },
};

export { hasErrors, hasNoTest, sayFailure };
