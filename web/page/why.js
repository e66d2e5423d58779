// What `explain` and `place` say of a test, from their records (JSON): lines, each of which leads to its line of the test.
import { element } from "./dom.js";
import { sayState } from "./player/player.js";

/** `rows`: words, and the line of the test that they are about, if any. */
export const sayLines = (rows, go) =>
  element("div", { className: "lines" }, ...rows.map(({ words, line }) =>
    line ? element("button", { type: "button", title: `show line ${line}`, onclick: () => go(line) }, words) : element("div", {}, words || "\u00a0")));

// ---- Steps ----

const threadOf = ({ thread, recovery }) => `${recovery ? "recovery " : ""}${typeof thread === "number" ? `P${thread}` : thread}`;
const sayEvent = (event) => (event.thread === null ? `the initial ${event.access}` : `${threadOf(event)}'s ${event.access} at line ${event.line}`);

function sayEffect({ kind, value, from }) {
  if (kind === "durable") return " becomes durable";
  if (value === undefined) return "";
  return from ? ` reads ${value} from ${sayEvent(from)}` : ` = ${value}`;
}

function stepRows(steps, text) {
  const source = text.split("\n");
  let number = 0;
  const lost = steps.filter((step) => step.lost || step.lands_last).map((step) => ({ words: `      ${step.lost ? "lost" : "lands last"}: ${sayEvent(step)}`, line: step.line }));
  return steps.flatMap((step) => {
    const { kind, line, access, together, count } = step;
    if (kind === "crash") return [{ words: `  — crash: power fails here${line ? `, at line ${line}${access ? ` (${access})` : ""}` : ""} —`, line }, ...lost];
    if (kind === "cycle") return [{ words: `      executes-before has a cycle: no one of the next ${count} comes first` }];
    if (!together) number++;
    const begins = together ? "    &" : `${number}.`.padStart(5), written = kind === "executes" ? `  | ${source[line - 1]?.trim() ?? ""}` : "";
    return [{ words: `${begins} ${threadOf(step)} line ${line}  ${access}${sayEffect(step)}${written}`, line }];
  });
}

const orderRows = ({ chosen = [], missing = [] }) => [
  ...chosen.map(({ order, earlier, later }) => ({ words: `Chosen order: ${order} has ${sayEvent(earlier)} before ${sayEvent(later)}`, line: earlier.line })),
  ...missing.flatMap(({ earlier, later, barrier }) => [
    { words: `Missing order: in this execution nothing makes ${sayEvent(earlier)} durable before ${sayEvent(later)}`, line: earlier.line },
    barrier ? { words: `  between them stands ${sayEvent(barrier)}, which does not order them`, line: barrier.line } : { words: "  no persist barrier stands between them" },
  ]),
];

const wayRows = (way, text) => [...stepRows(way.steps, text), { words: `State ${sayState(way.state)}` }, ...orderRows(way)];

function chainRows({ chain, crashes = [] }, text) {
  const linkRows = ({ start, steps }, i) => [
    { words: `${i ? "Recovery again, from" : "From crash state"} ${sayState(start)}` },
    ...steps.map(({ event, value, from, lost }) => ({ words: `  ${threadOf(event)} line ${event.line}  ${event.access}${sayEffect({ value, from })}${lost ? ", lost" : ""}`, line: event.line })),
  ];
  return [
    ...(chain ? [...chain.recoveries.flatMap(linkRows), { words: `Recovered state ${sayState(chain.recovered)}` }] : []),
    ...crashes.flatMap((crash, i) => [{ words: i ? "The next crash comes in recovery:" : "How the crash state comes about:" }, ...(crash.steps ? wayRows(crash, text) : [{ words: "  the time ran out before that was found" }])]),
  ];
}

// ---- Reasons ----

const NEEDS = new Map([
  [true, "it is reachable:"], [false, "it is still out of reach, since others take its place:"], [null, "nothing was tried, for want of time:"],
]);

function reasonRows({ reasons = [], minimal }, file) {
  const own = reasons.filter(({ group }, i) => group === i);
  if (minimal === undefined) return [{ words: "Unreachable: recovery leaves no such state" }];
  if (!own.length) return [{ words: minimal ? "Unreachable whatever the model: no candidate execution has it" : "Unreachable; the time ran out before it was known why" }];
  const rows = ({ kind, file: where, line, words, lines }) =>
    words.split("\n").map((part, i) => ({ words: i ? part : `  ${kind}${where && where !== file ? ` ${where}:${line}` : ""}: ${part}`, line: /\bat line (\d+)/.exec(part) ? Number(/\bat line (\d+)/.exec(part)[1]) : lines[0] }));
  const parts = [...NEEDS].flatMap(([need, words]) => {
    const some = own.filter(({ necessary }) => necessary === need);
    return some.length ? [{ words: `Without ${some.length > 1 ? "any one of these" : "this one"} ${words}` }, ...some.flatMap(rows)] : [];
  });
  return [{ words: `Unreachable because of ${own.length > 1 ? `these ${own.length} together` : "one rule"}${minimal ? "" : " (not minimised: time ran out)"}.` }, ...parts];
}

// ---- The program's text ----

const sayPlaces = (places) => `${places.length > 1 ? "lines" : "line"} ${places.map(({ line }) => line).join(", ").replace(/, (\d+)$/, " and $1")}`;
export const sayReason = ({ reason, condition, words }) => `${condition ? `${condition} is ` : ""}${reason}${words ? `: ${words}` : ""}`;

function adviceRows({ result, for: of, words, fewest, confirmed_by: by, conflict }) {
  const against = conflict.map((reason) => ({ words: `  ${sayReason(reason)}` }));
  if (result === "unknown") return [{ words: "No advice was found" }, ...against];
  if (result === "none") return [{ words: "Nothing that could be wider, stronger or added makes every condition hold" }, ...against];
  return [
    { words: of === "test" ? "Advice: with this every condition holds" : "Advice: with this the condition holds, though not all others" }, ...against,
    ...words.split("; ").map((part) => ({ words: `  ${part}`, line: Number(/\blines? (\d+)/.exec(part)?.[1] ?? 0) })),
    { words: `  ${by ? `confirmed by ${by}` : "not confirmed"}${fewest ? "; no way has fewer changes" : ""}` },
  ];
}

function supportRows({ needed, all_tried: all, suffices, sets, all_sets: allSets }) {
  const rows = (wanted) => needed.filter(({ reason }) => reason === wanted).map(({ places, value, with: other, words }) => ({
    words: `  ${sayPlaces(places)}: ${value}; ${other === "left out" ? "without it" : `with ${other}`} ${wanted === "violated" ? `the state is reached: ${words}` : `undefined: ${words}`}`, line: places[0].line,
  }));
  const part = (words, some) => (some.length ? [{ words }, ...some] : []);
  const setRows = sets.map((set) => ({ words: `  ${set.map(({ places, value }) => `${sayPlaces(places)} ${value}`).join(", ")}`, line: set[0]?.places[0].line }));
  return [
    ...part("Because of these, in the program as it stands:", rows("violated")),
    ...part("Needed lest the program be undefined:", rows("undefined")),
    ...(suffices && !rows("violated").length ? [{ words: "No persist barrier, fence or memory order keeps it out of reach" }] : []),
    ...(all ? [] : [{ words: "Not all lines were tried: the time ran out, or the answer is not known" }]),
    ...part("Each of these is enough, without all else:", setRows),
    ...(sets.length && !allSets ? [{ words: "  and perhaps others; not all were looked for" }] : []),
  ];
}

const REACHED = (condition) => (condition.startsWith("forall") ? "breaks" : "satisfies");

/** Of one condition's record, without its heading. */
export function whyRows(record, text) {
  const { reachable, condition, undefined: ub, doubt, chain, crashes, reason, advice, support } = record;
  const answer = reachable === null ? [{ words: `Unknown: ${doubt ?? "the solver gave up"}` }]
    : reachable ? [{ words: `Reachable: a ${chain ? "recovered " : ""}state that ${REACHED(condition)} the proposition` }, ...(crashes ? chainRows(record, text) : wayRows(record, text))]
    : reasonRows(record, record.file);
  return [
    ...ub.map(({ words, events }) => ({ words: `Undefined ${words}`, line: events[0]?.line })),
    ...(ub.length ? [{ words: "So any result is allowed; as if it were defined:" }] : []), ...answer,
    ...(reachable === false && reason ? [{ words: `So the condition says nothing: ${reason}` }] : []),
    ...(advice ? adviceRows(advice) : []), ...(support ? supportRows(support) : []),
  ];
}

// ---- Fillings ----

// What a filling says of a choice; "" of what is not there and is not added.
function sayChoice({ kind, values, present }, value) {
  const canGo = kind === "presence" || kind === "slot", is = values[value], was = values[present];
  if (present === undefined) return is;
  if (canGo && !present && !value) return "";
  if (value === present) return `${is} is needed`;
  if (canGo && !value) return `${was} can be left out`;
  return canGo && !present ? `${is} is added` : `${is} in place of ${was}`;
}

function choiceRows({ choices }, { values, steps }, number) {
  const choice = choices[number], words = sayChoice(choice, values[number]), [{ line }] = choice.places, canGo = choice.kind === "presence" || choice.kind === "slot";
  if (!words) return [];
  const why = steps.filter((step) => step.choice === number).map((step) => ({ words: `    ${canGo && !step.value ? "without it" : `with ${choice.values[step.value]}`}: ${sayReason(step)}`, line }));
  return [{ words: `  ${choice.name ? `?${choice.name}` : sayPlaces(choice.places)}: ${words}`, line }, ...why];
}

/** Of a record of `place`; `titled`: fillings have a line of their own. */
export function fillingRows(record, titled) {
  return record.fillings.flatMap((filling, i) => [
    ...(titled ? [{ words: `Filling ${i + 1}` }] : []), ...record.choices.flatMap((_, number) => choiceRows(record, filling, number)),
    ...(filling.confirmed_by ? [{ words: `  confirmed by ${filling.confirmed_by}` }] : []),
  ]);
}

export const clashRows = ({ clashes }) => clashes.map((clash) => ({ words: `  ${sayReason(clash)}` }));
