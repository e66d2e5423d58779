// The program's own messages, an object a line (docs/using/reports.md, "Messages"): what is wrong, where, and the word that was probably meant.

const read = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return { severity: "error", id: null, text: line, file: null }; // what dies writes no JSON
  }
};

/** Each message of standard error. */
export const readMessages = (err) => err.split("\n").filter((line) => line.trim()).map(read);

/** Those that have a place in a file. */
export const placed = (messages = []) => messages.filter(({ line }) => line !== undefined);

/** The program's own words, where there is no answer. */
export const sayFailure = ({ messages = [], status }) => messages.map(({ text }) => text).join("\n") || `the program left with status ${status}`;

/** Columns count bytes from 1: how many of JavaScript's units stand before one in a line. */
export const unitsBefore = (line, column) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(line).subarray(0, column - 1)).length;

/** The text with the word that was meant in place of the one that was found, or as it is where that stands there no longer. */
export function mended(text, { line, column, end_column: end, found, text: meant }) {
  const lines = text.split("\n"), at = lines[line - 1] ?? "", from = unitsBefore(at, column), to = unitsBefore(at, end);
  if (at.slice(from, to) !== found) return text;
  lines[line - 1] = at.slice(0, from) + meant + at.slice(to);
  return lines.join("\n");
}
