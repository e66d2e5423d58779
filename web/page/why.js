// What `explain` says of a condition, from its record (JSON): a sentence, the steps that lead to a state, or the rules and lines that keep it out.
import { element } from "./dom.js";
import { changed, chip, chips, held, item, linked, list, offer } from "./parts.js";
import { sayState } from "./player/player.js";
import { sayRemark } from "./words.js";

const threadOf = ({ thread, recovery }) => `${recovery ? "recovery " : ""}${typeof thread === "number" ? `P${thread}` : thread}`;
const sayEvent = ({ thread, recovery, line, access }) => (thread === null ? `the initial ${access}` : `${threadOf({ thread, recovery })}'s ${access} at line ${line}`);
const heading = (words) => element("h4", {}, words);
const count = (number, one, more = `${one}s`) => `${number} ${number === 1 ? one : more}`;

// ---- Steps ----

function effect({ kind, value, from }, go) {
  if (kind === "durable") return [" becomes durable"];
  if (value === undefined) return [];
  return from ? linked(` reads ${value} from ${sayEvent(from)}`, go) : [` = ${value}`];
}

function step(of, source, go) {
  const { kind, line, access, together, lost, lands_last: last } = of;
  if (kind === "cycle") return item("note", `The next ${of.count} wait for each other: none of them comes first.`);
  if (kind === "crash") return item("crash", "⚡ Power fails here", ...(line ? [", at ", chip(line, go), access ? ` (${access})` : ""] : []));
  return item(`${kind}${together ? " together" : ""}`,
    element("span", { className: "who" }, threadOf(of)), " ", chip(line, go), " ", element("span", { className: "does" }, access, ...effect(of, go)),
    kind === "executes" && source[line - 1] ? element("code", { className: "small" }, source[line - 1].trim()) : false,
    (lost || last) && element("strong", { className: "fate" }, lost ? "lost in the crash" : "lands last"));
}

const beside = ({ before, behind }) => (before || behind ? `; ${sayEvent(before ?? behind)} stands ${before ? "before" : "behind"} both` : "");
const order = ({ earlier, later, barrier, words, ...rest }, go) => item("missing",
  ...linked(`Nothing makes ${sayEvent(earlier)} durable before ${sayEvent(later)}. ${barrier ? `Between them stands ${sayEvent(barrier)}, which does not order them${words ? `: ${words}` : ""}.` : `No fence, flush or persist barrier stands between them${beside(rest)}.`}`, go));

// The steps of an execution to a state, what is missing that would have kept it out, and the orders that were chosen.
function way({ steps, state, chosen = [], missing = [], unstored = [] }, text, go) {
  const source = text.split("\n");
  return [
    element("ol", { className: "steps" }, ...steps.map((one) => step(one, source, go)), item("leaves", "This leaves ", held(sayState(state)))),
    ...(missing.length ? [list("orders", missing.map((one) => order(one, go)))] : []),
    ...(unstored.length ? [list("orders", unstored.map(({ thread, access, line }) => item("", ...linked(`P${thread} has not come to its ${access} at line ${line}.`, go))))] : []),
    ...(chosen.length ? [list("orders", chosen.map(({ order: name, earlier, later }) => item("", ...linked(`By choice ${name} has ${sayEvent(earlier)} before ${sayEvent(later)}.`, go))))] : []),
  ];
}

function recoveries({ chain, crashes = [] }, text, go) {
  const linkOf = ({ start, steps }, i) => [
    heading(i ? "Recovery again" : "Recovery"), element("p", {}, "It finds ", held(sayState(start))),
    element("ol", { className: "steps" }, ...steps.map(({ event, ...rest }) => step({ kind: "executes", ...event, ...rest }, text.split("\n"), go))),
  ];
  const crashOf = (crash, i) => [heading(i ? "The next crash, in recovery" : "The crash"), ...(crash.steps ? way(crash, text, go) : [element("p", {}, "The time ran out before this was found.")])];
  return [...crashes.flatMap((crash, i) => [...crashOf(crash, i), ...(chain?.recoveries[i] ? linkOf(chain.recoveries[i], i) : [])]),
    ...(chain?.recoveries.slice(crashes.length) ?? []).flatMap((link, i) => linkOf(link, crashes.length + i)),
    ...(chain ? [element("p", { className: "leaves" }, "Recovery leaves ", held(sayState(chain.recovered)))] : [])];
}

/** How an execution of a record, of whatever kind, comes about. */
export const comesAbout = (record, text, go) => (record.chain || record.crashes ? recoveries(record, text, go) : record.steps ? way(record, text, go) : []);

// ---- Reasons ----

const KINDS = {
  check: "check of the model", filter: "the test's filter", "crash-point": "where the crash comes", waits: "who waits for whom", "can-persist": "what cannot become durable",
  "executes-before": "rule", "durable-before": "rule", "durable-after": "rule", "persist-before": "rule", "persist-atomic": "rule", coherence: "rule", "lands-before": "rule",
  barrier: "barrier", "persist-barrier": "persist barrier", fence: "fence", maintenance: "cache maintenance", "ordered-access": "memory order",
};
const NEEDS = {
  true: ["needed", "Take this away and leave all else as it is, and the state can be reached."],
  false: ["has a stand-in", "Take this away and leave all else as it is, and the state is still out of reach: something else takes its place."],
  null: ["not tried", "The time ran out before it was known what happens without this."],
};

// The events of a rule's way, each with the relation by which the way comes to it.
const wayOf = (events, go) => element("ol", { className: "chain" }, ...events.map((event) => item("", event.relation && element("span", { className: "relation" }, event.relation, " "), ...linked(sayEvent(event), go))));

// "A before B", "B before C" is a cycle, A to C; what does not hang together stays a list of pairs.
function cycle(pairs, go) {
  const ends = pairs.map((words) => words.trim().split(" before "));
  const hangs = ends.every((pair, i) => pair.length === 2 && (i === 0 || ends[i - 1][1] === pair[0]));
  if (!hangs) return list("pairs", pairs.map((words) => item("", ...linked(words.trim(), go))));
  return element("ol", { className: "chain" }, ...[ends[0][0], ...ends.map(([, to]) => to)].map((event) => item("", ...linked(event, go))));
}

function reason({ kind, name, file, line, lines, words, necessary, chain }, { go, model }, own) {
  // The way of a rule, in words "by A -po-> B", is drawn from its events.
  const [first, ...rest] = words.split("\n"), pairs = rest.filter((one) => !chain || !one.trim().startsWith("by ")), [need, meaning] = NEEDS[necessary] ?? NEEDS.null, elsewhere = file && file !== own;
  const said = linked(first, go), hasChip = /\blines? \d/.test(first);
  return item(`reason ${need === "needed" ? "needed" : ""}`,
    element("span", { className: "kind" }, KINDS[kind] ?? kind), element("span", { className: "need", title: meaning }, need),
    element("p", {}, ...said, ...(hasChip || pairs.length ? [] : [" ", ...chips(lines, go)])), pairs.length > 0 && cycle(pairs, go), chain && wayOf(chain, go),
    elsewhere && element("p", { className: "small" }, "by ", element("button", { type: "button", className: "line", onclick: () => model(file, line) }, name && name !== kind ? `${name}, in ${file.replace(/^builtin:/, "")}:${line}` : `${file.replace(/^builtin:/, "")}:${line}`)),
    element("p", { className: "small" }, meaning));
}

const enough = (number, minimal) => `${number === 1 ? "This one rule is" : `These ${number} together are`} enough to keep the state out, whatever becomes of all other rules and lines.${
  number > 1 && minimal ? " Of just these none can be spared: with the rest gone, each is needed." : ""}${minimal ? "" : " The time ran out before it was known whether fewer will do."}`;

function reasons({ reasons: all = [], minimal, file }, page) {
  const own = all.filter(({ group }, i) => group === i);
  if (!own.length) return [];
  return [heading("What rules it out"), element("p", {}, enough(own.length, minimal)),
    list("reasons", Object.keys(NEEDS).flatMap((need) => own.filter(({ necessary }) => String(necessary) === need)).map((one) => reason(one, page, file)))];
}

// ---- The program's text ----

export const sayReason = ({ reason: why, condition, words }) => `${condition ? `${condition} is ` : ""}${why}${words ? `: ${words}` : ""}`;

function needed({ places, value, with: other, words, reason: why }, go) {
  return item("", ...chips(places.map(({ line }) => line), go), held(value), ` ${other === "left out" ? "Without it" : `With ${other}`} `,
    ...(why === "violated" ? ["the state is reached: ", held(words)] : linked(`the test is undefined: ${words}`, go)));
}

function support({ needed: all, all_tried: tried, suffices, sets, all_sets: allSets }, go) {
  const of = (wanted) => all.filter(({ reason: why }) => why === wanted).map((one) => needed(one, go));
  const part = (words, items, name = "needs") => (items.length ? [heading(words), list(name, items)] : []);
  return [
    ...part("What of the program does it", of("violated")),
    ...part(`${sets.length ? "Each of these is enough, without the others" : ""}`, sets.map((set) => item("", ...set.flatMap(({ places, value }) => [...chips(places.map(({ line }) => line), go), held(value), " "])))),
    ...(sets.length && !allSets ? [element("p", { className: "small" }, "There may be others: not all were looked for.")] : []),
    ...part("Without these the test would be undefined", of("undefined")),
    ...(suffices && !of("violated").length ? [element("p", {}, "No persist barrier, fence or memory order is needed for that.")] : []),
    ...(tried ? [] : [element("p", { className: "small" }, "Not all lines were tried: the time ran out, or the answer is not known.")]),
  ];
}

const ADVICE = { unknown: "No change that mends it is known.", none: "No wider, stronger or added statement makes every condition hold." };

function advice({ result, for: of, words, fewest, same_as: same, others, confirmed_by: by, changes = [], additions = [], swaps, reversed, conflict }, { file, text, page }) {
  const against = conflict.map((one) => item("", ...linked(sayReason(one), page.go)));
  const clash = against.length ? [list("needs", against)] : [];
  const order = reversed && element("p", {}, ...linked(`No fence or barrier can help: ${sayEvent(reversed[0])} stands before ${reversed[1].access} at line ${reversed[1].line}, and the crash comes between them.`, page.go));
  if (ADVICE[result]) return [heading("What would mend it"), order, element("p", {}, ADVICE[result], swaps === "none" ? " Nor do two stores in each other's place." : ""),
    additions.length > 0 && element("p", { className: "small" }, `Tried as additions: ${additions.join(", ")}; no others.`), ...clash];
  if (same) return [heading("What mends it"), element("p", {}, `The same change as for condition ${same}${of === "test" || others ? "" : ", though not all others hold with it"}.`), ...clash];
  const own = changes.length > 0 && changes.every((change) => change.file === file);
  return [
    heading("What mends it"), order,
    element("p", {}, ...linked(`${words.replace(/^./, (letter) => letter.toUpperCase())}. ${of === "test" ? "With this every condition holds" : `With this the condition holds${others ? "; of all others it is not known" : ", though not all others"}`}${by ? `, as ${by} confirm` : " (not confirmed)"}${fewest ? "; nothing smaller will do" : ""}.`, page.go)),
    ...clash, ...(own ? [offer(text, changed(text, changes), "Take it", page.apply)] : []),
  ];
}

// ---- A condition ----

const PROPOSITION = /^(~exists|exists|forall)\s+\((.*)\)$/s;
const wants = ({ condition }) => condition.startsWith("exists");

/** How a condition stands by its record: the word of a verdict. */
export function standing(record) {
  const { reachable, undefined: ub, reason: nothing } = record;
  if (ub.length) return "undefined";
  if (reachable === null || (nothing && !wants(record))) return "unknown";
  return reachable === wants(record) ? "ok" : "violated";
}

const RANK = ["violated", "undefined", "unknown", "ok"];
const rank = (record) => RANK.indexOf(standing(record)) - (record.vacuous ? 0.5 : 0);
/** What is broken first, then what asks nothing, else in the test's order. */
export const brokenFirst = (records) => [...records].sort((a, b) => rank(a) - rank(b) || a.number - b.number);

const leaver = ({ chain: recovery, crashes, steps }) => (recovery || crashes ? "recovery can leave" : steps?.some(({ kind }) => kind === "crash") ? "a crash can leave" : "the end can be");

function because({ missing = [] }) {
  const [first] = missing;
  return first ? `, as nothing makes ${sayEvent(first.earlier)} durable before ${sayEvent(first.later)}` : "";
}

function keeps({ support: of, reasons: all, minimal }) {
  const [one, ...more] = of?.needed.filter(({ reason: why }) => why === "violated") ?? [];
  if (one) return `: ${one.value} at line ${one.places[0].line}${more.length ? ` and ${count(more.length, "other")}` : ""} ${more.length ? "keep" : "keeps"} it out`;
  if (!all?.length && minimal) return ", whatever the model: no execution of this program has it";
  return "";
}

// The answer to one condition in a sentence; `reasoned`: with what makes it so.
function sayWhy(record, reasoned) {
  const { condition, reachable, doubt, state, chain: recovery, undefined: ub } = record;
  const [, quantifier, proposition] = PROPOSITION.exec(condition) ?? [undefined, "", condition];
  if (ub.length) return `Nothing is promised, as the behaviour is undefined: ${ub[0].words}.`;
  if (reachable === null) return `Not known: ${doubt ?? "the solver gave up"}.`;
  if (record.reason) return `The condition says nothing: ${record.reason}.`;
  if (reachable) return `${leaver(record).replace(/^./, (letter) => letter.toUpperCase())} ${sayState(recovery?.recovered ?? state)}${reasoned ? because(record) : ""}.`;
  return `${quantifier === "forall" ? `No state breaks ${proposition}` : `${proposition} is out of reach`}${reasoned ? keeps(record) : ""}.`;
}

const MARKS = { ok: "✓", violated: "✗", undefined: "!", unknown: "?" };
const WORDS = { ok: "holds", violated: "is broken", undefined: "is undefined", unknown: "is not known" };

/** The view of one record; `page`: go, apply, model. */
export function whyView(record, text, page) {
  const { undefined: ub, reachable, condition, number } = record, is = standing(record);
  return element("article", { className: `why v-${is}` },
    element("h3", {}, element("span", { className: "mark", ariaHidden: "true" }, MARKS[is]), ` Condition ${number} ${WORDS[is]} `, element("code", {}, condition)),
    element("p", { className: "sentence" }, ...linked(sayWhy(record, true), page.go)), record.vacuous && element("p", { className: "remark" }, sayRemark(record)),
    ...(ub.length > 1 || ub[0]?.events.length ? [list("undefined", ub.map(({ words }) => item("", ...linked(words, page.go)))), element("p", { className: "small" }, "What follows is said as if it were defined.")] : []),
    ...(reachable ? comesAbout(record, text, page.go) : []),
    ...(record.support ? support(record.support, page.go) : []), ...(reachable === false ? reasons(record, page) : []),
    ...(record.advice ? advice(record.advice, { file: record.file, text, page }) : []));
}

const lowered = (words) => words.replace(/^(?:A|Recovery|The|No|Nothing)\b/, (word) => word.toLowerCase());

/** Of all conditions, in a sentence. */
export function sayAll(records) {
  const [worst] = brokenFirst(records), is = standing(worst);
  const about = is !== "ok" ? `Condition ${worst.number} ${WORDS[is]}` : records.length === 1 ? "The condition holds" : records.length === 2 ? "Both conditions hold" : `All ${records.length} conditions hold`;
  if (is === "ok" && worst.vacuous) return { words: `${MARKS.ok} Condition ${worst.number} holds, but asks nothing: ${worst.because}.`, verdict: "ok" };
  return { words: `${MARKS[is]} ${about}${is === "ok" && records.length > 1 ? "; each with what makes it so." : `: ${lowered(sayWhy(worst, false))}`}`, verdict: is };
}
