// What views of reasons and fillings are made of: chips that lead to lines, words with such chips in them, states, and differences.
import { element } from "./dom.js";

export const chip = (line, go) => element("button", { type: "button", className: "line", title: `show line ${line}`, onclick: () => go(line) }, `line ${line}`);

/** Each line once, in order. */
export const chips = (lines, go) => [...new Set(lines)].filter((line) => line > 0).flatMap((line) => [chip(line, go), " "]);

// What ends a sentence stays beside the chip before it.
function chipped(numbers, after, go) {
  const pieces = numbers.split(/(\d+)/), stop = /^[.,;:)]/.exec(after)?.[0] ?? "", last = pieces.length - 2;
  return pieces.map((piece, i) => (i % 2 === 0 ? piece : i === last && stop ? element("span", { className: "stick" }, chip(Number(piece), go), stop) : chip(Number(piece), go)));
}

/** The program's words; "line 6" and "lines 6 and 7" in them lead there. */
export function linked(words, go) {
  const parts = words.split(/\b(lines? \d+(?:(?:, | and | to )\d+)*)/);
  return parts.flatMap((part, i) => (i % 2 ? chipped(part.replace(/^lines? /, ""), parts[i + 1], go) : [i > 0 ? part.replace(/^[.,;:)]/, "") : part]));
}

export const held = (words) => element("code", { className: "state" }, words);

export const list = (className, items) => element("ul", { className }, ...items);
export const item = (className, ...parts) => element("li", { className }, ...parts);

// ---- Differences ----

/** `text` with `changes` of one file made in it: each from its line and column up to its end. */
export function changed(text, changes) {
  const lines = text.split("\n"), starts = [0];
  for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
  const at = (line, column) => (starts[line - 1] ?? text.length) + column - 1;
  return [...changes].sort((a, b) => b.line - a.line || b.column - a.column)
    .reduce((made, { line, column, end_line: endLine, end_column: endColumn, text: put }) => made.slice(0, at(line, column)) + put + made.slice(at(endLine, endColumn)), text);
}

const AROUND = 1, MOST_LINES = 4000;

const number = (value) => element("td", { className: "number" }, value ? String(value) : "");
const row = (className, was, is, sign, ...words) => element("tr", { className }, number(was), number(is), element("td", { className: "sign" }, sign), element("td", { className: "text" }, ...words));

// What two lines do not share, marked.
function apart(line, other, name) {
  let from = 0, to = 0;
  while (from < line.length && from < other.length && line[from] === other[from]) from++;
  while (to < line.length - from && to < other.length - from && line.at(-1 - to) === other.at(-1 - to)) to++;
  return [line.slice(0, from), element(name, {}, line.slice(from, line.length - to)), line.slice(line.length - to)].filter((part) => part !== "");
}

// Lines of both texts in order, by what has to go and to come least.
function aligned(before, after) {
  let from = 0, to = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from++;
  while (to < before.length - from && to < after.length - from && before.at(-1 - to) === after.at(-1 - to)) to++;
  const left = before.slice(from, before.length - to), right = after.slice(from, after.length - to);
  const same = (lines) => lines.map((line) => [" ", line]);
  return [...same(before.slice(0, from)), ...between(left, right), ...same(to ? before.slice(-to) : [])];
}

function between(left, right) {
  if (left.length * right.length > MOST_LINES * MOST_LINES) return [...left.map((line) => ["-", line]), ...right.map((line) => ["+", line])];
  const most = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--) for (let j = right.length - 1; j >= 0; j--) most[i][j] = left[i] === right[j] ? most[i + 1][j + 1] + 1 : Math.max(most[i + 1][j], most[i][j + 1]);
  const made = [];
  for (let i = 0, j = 0; i < left.length || j < right.length;) {
    if (i < left.length && j < right.length && left[i] === right[j]) made.push([" ", left[i++]], j++ && undefined);
    else if (i < left.length && (j === right.length || most[i + 1][j] >= most[i][j + 1])) made.push(["-", left[i++]]);
    else made.push(["+", right[j++]]);
  }
  return made.filter(Boolean);
}

/** How two texts differ: lines that go, lines that come, and a line around. */
export function difference(before, after) {
  const rows = aligned(before.split("\n"), after.split("\n")), near = (i) => rows.slice(Math.max(i - AROUND, 0), i + AROUND + 1).some(([sign]) => sign !== " ");
  let was = 0, is = 0, hidden = false;
  const shown = rows.flatMap(([sign, line], i) => {
    if (sign !== "+") was++;
    if (sign !== "-") is++;
    if (!near(i)) { hidden = true; return []; }
    const gap = hidden && was > 1 && i > 0 ? [row("gap", 0, 0, "", "⋯")] : [];
    hidden = false;
    if (sign === " ") return [...gap, row("", was, is, "", line)];
    const alone = (at, other) => rows[at]?.[0] === other && rows[at + (at > i ? 1 : -1)]?.[0] !== other;
    const words = sign === "-" && alone(i + 1, "+") && rows[i - 1]?.[0] !== "-" ? apart(line, rows[i + 1][1], "del") : sign === "+" && alone(i - 1, "-") && rows[i + 1]?.[0] !== "+" ? apart(line, rows[i - 1][1], "ins") : [line];
    return [...gap, sign === "-" ? row("goes", was, 0, "−", ...words) : row("comes", 0, is, "+", ...words)];
  });
  return element("div", { className: "scroll", tabIndex: 0, ariaLabel: "difference" }, element("table", { className: "difference" }, element("tbody", {}, ...shown)));
}

/** A difference with the button that takes it. */
export const offer = (before, after, words, take) => element("div", { className: "offer" }, difference(before, after), element("p", { className: "buttons" }, element("button", { type: "button", className: "apply", onclick: () => take(after) }, words)));
