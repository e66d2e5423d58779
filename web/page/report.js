// What a run of `check` says: its record (JSON), and from its HTML report, which is read and not shown, which
// states break a condition, on which lines what happened, and the pictures.

const lineOf = (link) => Number(/-L(\d+)$/.exec(link.getAttribute("href"))?.[1] ?? 0);
const linesIn = (part) => Array.from(part.querySelectorAll('a[href*="-L"]'), lineOf).filter(Boolean);

function readRow(row) {
  const cells = Array.from(row.cells, (cell) => cell.textContent.trim());
  const says = cells.pop();
  cells.shift(); // the mark of a state that decides a condition
  return { cells, says, breaks: row.querySelector(".breaks") !== null, shows: row.querySelector(".shows") !== null };
}

function readStates(part) {
  const columns = Array.from(part.querySelectorAll("th"), (cell) => cell.textContent);
  return {
    title: part.querySelector("summary").textContent,
    columns: columns.slice(1, -1),
    rows: Array.from(part.querySelectorAll("tbody tr"), readRow),
  };
}

function readExecution(part) {
  const svg = part.querySelector("svg");
  return {
    title: part.querySelector("summary").textContent.trim(),
    svg: svg && new XMLSerializer().serializeToString(svg),
    text: part.querySelector("pre")?.textContent ?? "",
  };
}

function readUndefined(item) {
  const lines = linesIn(item);
  item.querySelector("small")?.remove();
  return { text: item.textContent.trim(), lines };
}

// The answers of a report alone: its styles would ask for a permission that this page has not.
const answersIn = (html) => /<div class="answers">.*(?=<\/article>)/s.exec(html ?? "")?.[0] ?? "";

/** Of one test under one model pair; `undefined` when the run had no answer to give. */
export function readReport(out, html) {
  const line = out.split("\n").find((text) => text.startsWith("{"));
  if (!line) return undefined;
  const record = JSON.parse(line);
  if (!record.model) return undefined;
  const page = new DOMParser().parseFromString(answersIn(html), "text/html"), pair = page.querySelector(".pair");
  const all = (selector, read) => Array.from(pair?.querySelectorAll(selector) ?? [], read);
  const lines = all("table.conditions tbody tr", (row) => linesIn(row)[0] ?? 0);
  return {
    ...record,
    conditions: (record.conditions ?? []).map((condition, i) => ({ ...condition, line: lines[i] ?? 0 })),
    tables: all("details.states", readStates),
    undefined: all("ul.undefined li", readUndefined),
    executions: all("details.execution", readExecution),
  };
}

const MESSAGE = /^([^\s:][^:]*):(\d+):(\d+): (error|warning|note): (.*)$/;

/** The program's own messages, with their places; `length` is that of what it underlines. */
export function readMessages(err) {
  const lines = err.split("\n");
  return lines.flatMap((text, i) => {
    const [, file, line, column, severity, words] = MESSAGE.exec(text) ?? [];
    if (!file) return [];
    const marks = /\^~*/.exec(/^\s+\^~*$/.test(lines[i + 2] ?? "") ? lines[i + 2] : "");
    return [{ file, line: Number(line), column: Number(column), severity, words, length: marks?.[0].length ?? 1 }];
  });
}
