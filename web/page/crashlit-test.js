// <crashlit-test>: a test with its verdict, states and picture in any page or slide. The program runs in the reader's browser, from the
// folder that this script is in.
//
//   <script src="…/crashlit-test.js"></script>
//   <crashlit-test persistency="epoch"><script type="text/plain"> OPENCL … </script></crashlit-test>
//
// Attributes: src (a file in place of text), beside (files that it uses, parted by blanks), visibility, persistency, engine, show
// (of "test verdict states pictures", which are all), scheme="light".
import { showAnswer } from "./answer.js";
import { element } from "./dom.js";
import * as engine from "./engine.js";
import { loadDark } from "./picture.js";
import { placed, sayFailure } from "./messages.js";
import { readReport } from "./report.js";
import { sayVerdict, verdictOf } from "./words.js";
import css from "./style.css";

const SECONDS = "20", PARTS = "test verdict states pictures", NAME = "test.litmus";
const base = new URL(".", document.currentScript.src).href;

const sheet = new CSSStyleSheet();
sheet.replaceSync(`${css.replaceAll(":root:not(.presenting)", ':host(:not([scheme="light"]))').replaceAll(":root", ":host")}
:host { display: block; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; text-align: left; }
.text { margin: 0; padding: 8px 0; overflow: auto; max-height: 60vh; background: var(--panel); counter-reset: line; } .text code { display: block; padding: 0 12px 0 44px; position: relative; white-space: pre-wrap; overflow-wrap: anywhere; min-height: 1.4em; }
.text code::before { counter-increment: line; content: counter(line); position: absolute; left: 10px; color: var(--soft); font-size: 12px; } .text .at { background: var(--selected); }
#headline { border-radius: 0; } #view { padding: 4px 14px 12px; }`);

// One question at a time, however many tests a page has.
let turn;
const first = () => {
  engine.setBase(base);
  return loadDark(engine.run);
};
const inTurn = (ask) => (turn = (turn ?? first()).then(ask, ask));

async function read(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} could not be read (${response.status})`);
  return response.text();
}

class CrashlitTest extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
    const begin = () => this.answer().catch((fault) => this.say(`${fault.message}.`, "unknown"));
    // The text may come after the tag that it is in, and so late as the page does.
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin, { once: true });
    else setTimeout(begin);
  }

  shows(part) {
    return (this.getAttribute("show") ?? PARTS).split(/\s+/).includes(part);
  }

  async files() {
    const from = (name) => new URL(name, this.getAttribute("src") ? new URL(this.getAttribute("src"), document.baseURI) : document.baseURI);
    const text = this.getAttribute("src") ? await read(from(this.getAttribute("src"))) : (this.querySelector('script[type="text/plain"]') ?? this).textContent.replace(/^\s*\n/, "").replace(/\s*$/, "\n");
    const beside = (this.getAttribute("beside") ?? "").split(/\s+/).filter(Boolean);
    return [{ name: NAME, text }, ...await Promise.all(beside.map(async (name) => ({ name: name.replace(/^.*\//, ""), text: await read(from(name)) })))];
  }

  say(words, verdict, ...parts) {
    this.headline ??= element("p", { id: "headline" });
    this.headline.textContent = words;
    this.headline.className = `v-${verdict}`;
    this.shadowRoot.replaceChildren(...[this.text, this.headline, ...parts].filter(Boolean));
  }

  go(line) {
    const lines = Array.from(this.text?.children ?? []);
    for (const [i, one] of lines.entries()) one.classList.toggle("at", i + 1 === line);
    lines[line - 1]?.scrollIntoView({ block: "nearest" });
  }

  async answer() {
    const files = await this.files(), of = (name, usual) => this.getAttribute(name) ?? usual;
    if (this.shows("test")) this.text = element("pre", { className: "text", tabIndex: 0 }, ...files[0].text.trimEnd().split("\n").map((line) => element("code", {}, line)));
    this.say("…", "unknown");
    const args = ["check", "--format", "json", "--executions", "pictures", "--timeout", SECONDS, "-m", of("visibility", "hrf-direct"), "-p", of("persistency", "epoch"), "-e", of("engine", "auto"), NAME];
    const answer = await inTurn(() => engine.run(args, files));
    const report = readReport(answer.out ?? ""), [first] = placed(answer.messages);
    this.record = report;
    if (!report) return this.say(answer.stopped ? `Stopped: ${answer.stopped}.` : first ? `Line ${first.line}: ${first.text}` : answer.fault ?? sayFailure(answer), "unknown");
    const view = element("div", { id: "view" });
    const shown = { ...report, tables: this.shows("states") ? report.tables : [], executions: this.shows("pictures") ? report.executions.map((one) => ({ ...one, isLight: this.getAttribute("scheme") === "light" })) : [] };
    showAnswer(view, shown, (line) => this.go(line));
    this.say(`${verdictOf(report.verdict).mark} ${sayVerdict(report)}`, report.verdict, this.shows("verdict") || this.shows("states") || this.shows("pictures") ? view : undefined);
    this.dispatchEvent(new CustomEvent("answered", { bubbles: true, detail: { verdict: report.verdict } }));
  }
}

customElements.define("crashlit-test", CrashlitTest);
