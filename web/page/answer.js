// The answer of `check`: verdict in words, conditions, what is undefined, states with the offending ones marked,
// and pictures, of which the first, the one that decides, is open.
import { element } from "./dom.js";
import { picture } from "./picture.js";
import { sayCondition, sayRemark, verdictOf } from "./words.js";

const MOST_ROWS = 400;

const verdictClass = (verdict) => `v-${verdict in { ok: 1, violated: 1, undefined: 1 } ? verdict : "unknown"}`;

const lineButton = (line, go) =>
  line > 0 && element("button", { type: "button", className: "line", onclick: () => go(line) }, `line ${line}`);

function condition(entry, go) {
  const { mark, word } = verdictOf(entry.verdict);
  return element(
    "li", { className: verdictClass(entry.verdict) },
    element("span", { className: "mark", title: word, ariaHidden: "true" }, mark), " ",
    element("span", { className: "sr" }, `${word}: `),
    element("code", {}, entry.text), " ", !entry.file && lineButton(entry.line, go),
    element("p", {}, sayCondition(entry), "."), entry.vacuous && element("p", { className: "remark" }, sayRemark(entry)),
  );
}

// What there is of a state comes below its row, and goes with the next click.
function unfold(made, button, fill) {
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) return made.nextElementSibling.remove();
  const panel = element("div", { className: "looked" });
  made.after(element("tr", { className: "below" }, element("td", { colSpan: made.children.length }, panel)));
  fill(panel);
}

function stateRow(row, kind, look) {
  const about = row.breaks || row.shows ? row.says : "";
  const button = look && element("button", { type: "button", className: "line", ariaExpanded: "false", title: "how this state comes about" }, "how?");
  const made = element(
    "tr", { className: row.breaks ? "breaks" : row.shows ? "shows" : "" },
    element("td", { className: "mark" }, row.breaks ? "✗" : row.shows ? "✓" : ""),
    ...row.cells.map((cell) => element("td", {}, cell)),
    element("td", { className: "about" }, about.replace(/(breaks|shows) /g, "$1 condition "), " ", button),
  );
  if (look) made.onclick = (event) => { if (event.target === button || getSelection().isCollapsed) unfold(made, button, (panel) => look(panel, { kind, state: row.state })); };
  return made;
}

function states({ kind, title, columns, rows }, look) {
  const first = rows.filter((row) => row.breaks || row.shows);
  const order = [...first, ...rows.filter((row) => !first.includes(row))];
  const table = element(
    "table", {},
    element("thead", {}, element("tr", {}, element("th", { ariaLabel: "mark" }), ...columns.map((name) => element("th", { scope: "col" }, name)), element("th", { ariaLabel: "condition" }))),
    element("tbody", {}, ...order.slice(0, MOST_ROWS).map((row) => stateRow(row, kind, look))),
  );
  const more = order.length > MOST_ROWS && element("p", { className: "small" }, `${MOST_ROWS} of ${order.length} are shown`);
  return element("section", { className: "states" }, element("h3", {}, title), element("div", { className: "scroll", tabIndex: 0, ariaLabel: title }, table), more);
}

function undefinedList(entries, go) {
  return element(
    "section", {}, element("h3", {}, "Undefined behaviour"),
    element("ul", { className: "undefined" }, ...entries.map(({ text, lines }) => element("li", {}, text, " ", ...lines.map((line) => lineButton(line, go))))),
  );
}

/** Fills `view`; `go` leads to a line of the test; `look`, if any, fills a panel with what there is to say of a state. */
export function showAnswer(view, report, go, look) {
  const pictures = report.executions.map((execution, i) => picture(execution, `${report.test}-${i + 1}`));
  const decides = report.executions.findIndex(({ answers }) => answers);
  if (decides >= 0) pictures[decides].open = true;
  // A state without a column, as of crashes where no location is in NVRAM, says nothing beside states with some.
  const told = report.tables.some(({ columns }) => columns.length) ? report.tables.filter(({ columns }) => columns.length) : report.tables;
  view.replaceChildren(
    element("ul", { className: "conditions" }, ...report.conditions.map((entry) => condition(entry, go))),
    ...(report.undefined.length ? [undefinedList(report.undefined, go)] : []),
    element("div", { className: "tables" }, ...told.map((table) => states(table, look))),
    ...(pictures.length ? [element("section", { className: "pictures" }, element("h3", {}, "Executions"), ...pictures)] : []),
    element("p", { className: "small" }, `Decided by ${report.decided_by ?? report.engine} in ${report.stats?.seconds?.toFixed(3) ?? "?"} s.`),
  );
}
