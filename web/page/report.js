// What a run of `check` says: its record (JSON), as the page shows it.
import { readRecords, sayState } from "./player/player.js";

const TITLES = { final: "Final states", crash: "Crash states", recovered: "Recovered states" };

// What a state means for the conditions about its kind: "breaks 2", "shows 1".
function meaning(conditions, kind, decides) {
  const deciding = conditions.map((condition, i) => ({ ...condition, number: i + 1 })).filter((condition) => condition.kind === kind && decides(condition));
  const words = deciding.map(({ text, number }) => `${text.startsWith("exists") ? "shows" : "breaks"} ${number}`);
  return { says: words.join(", "), breaks: words.some((word) => word.startsWith("breaks")), shows: words.some((word) => word.startsWith("shows")) };
}

const row = (state, says) => ({ state, cells: Object.values(state).map((value) => String(value ?? "-")), ...says });

// Too many states for a list are a count, and one for each condition that has one.
function table(kind, states, conditions) {
  const listed = Array.isArray(states);
  const shown = listed ? states : conditions.filter((condition) => condition.kind === kind).map((condition) => condition.deciding_state).filter(Boolean);
  const decides = (state, i) => ({ deciding, deciding_state }) => (listed ? deciding?.includes(i) : deciding_state === state);
  return {
    kind, title: `${TITLES[kind]}: ${listed ? states.length : states.count}`,
    columns: Object.keys(shown[0] ?? {}),
    rows: shown.map((state, i) => row(state, meaning(conditions, kind, decides(state, i)))),
  };
}

const tablesOf = (record) => Object.keys(TITLES).flatMap((kind) => {
  const states = record[`${kind}_states`];
  return states && (states.count ?? states.length) ? [table(kind, states, record.conditions)] : [];
});

// The events of an execution, each with what became of it.
function sayEvents({ events, relations = {} }) {
  const source = new Map((relations.rf ?? []).map(([from, to]) => [to, from]));
  return (events ?? []).map(({ thread, line, access, value, fate }, i) => [
    `e${i}`.padEnd(4), (thread === null ? "init" : `P${thread}:${line ?? ""}`).padEnd(8), access, value === undefined ? "" : `= ${value}`,
    source.has(i) ? `from e${source.get(i)}` : "", fate,
  ].filter(Boolean).join(" ")).join("\n");
}

function executionOf(execution) {
  const { kind, condition, state, pictures = [] } = execution;
  const decides = condition !== undefined;
  return {
    title: kind === "undefined" ? "undefined behaviour" : `${kind} state ${sayState(state)}${decides ? ", which decides a condition" : ""}`,
    answers: decides || kind === "undefined", svgs: pictures, text: sayEvents(execution),
  };
}

/** Of one test under one model pair; `undefined` when the run had no answer to give. */
export function readReport(out) {
  const [record] = readRecords(out);
  if (!record?.model) return undefined;
  const conditions = record.conditions ?? [];
  return {
    ...record,
    conditions,
    tables: tablesOf({ ...record, conditions }),
    undefined: (record.undefined ?? []).map(({ words, events }) => ({ text: words, lines: events.map(({ line }) => line).filter(Boolean) })),
    executions: (record.executions ?? []).map(executionOf),
  };
}
