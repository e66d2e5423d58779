// The editor: CodeMirror in a shadow tree, where its styles need no permission beyond the page's own.
import { basicSetup } from "codemirror";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { HighlightStyle, LRLanguage, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { unitsBefore } from "./messages.js";
import { styleTags, tags } from "@lezer/highlight";
import { parser as litmusParser } from "./litmus.grammar.js";
import { parser as catParser } from "./cat.grammar.js";
import { completeCat, completeLitmus } from "./complete.js";
import { element } from "./dom.js";

const common = {
  "LineComment BlockComment": tags.comment, String: tags.string, Number: tags.number, Keyword: tags.keyword,
  Operator: tags.operator, Punctuation: tags.punctuation,
};

const litmus = LRLanguage.define({
  parser: litmusParser.configure({
    props: [styleTags({ ...common, Type: tags.typeName, "Scope Order": tags.modifier, Barrier: tags.strong, Thread: tags.labelName, Verdict: tags.bool })],
  }),
  languageData: { commentTokens: { line: "//" }, autocomplete: completeLitmus },
});

const cat = LRLanguage.define({
  parser: catParser.configure({ props: [styleTags({ ...common, Check: tags.strong })] }),
  languageData: { commentTokens: { block: { open: "(*", close: "*)" } }, autocomplete: completeCat },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "bold" },
  { tag: tags.typeName, color: "var(--type)" },
  { tag: tags.modifier, color: "var(--type)", fontStyle: "italic" },
  { tag: tags.strong, color: "var(--barrier)", fontWeight: "bold" },
  { tag: tags.labelName, color: "var(--keyword)" },
  { tag: tags.bool, color: "var(--number)", fontWeight: "bold" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "14px" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.45" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection": { backgroundColor: "var(--selected) !important" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--selected) !important", color: "var(--ink) !important" },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionDetail": { color: "var(--soft)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
});

const languageOf = (name) => (/\.(cat|bell)$/.test(name) ? cat : litmus);

/** An editor in `host`; `changed` is called with each new text, `asked` for Ctrl-Enter. */
export function openEditor(host, { changed, asked }) {
  const shadow = host.attachShadow({ mode: "open" });
  const parent = element("div", { className: "whole" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".whole { height: 100%; }");
  shadow.adoptedStyleSheets = [sheet];
  shadow.append(parent);
  const language = new Compartment();
  const extensions = [
    keymap.of([{ key: "Mod-Enter", run: () => (asked(), true) }]),
    basicSetup,
    language.of(litmus),
    syntaxHighlighting(colours),
    look,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "text of the file", spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
  ];
  const view = new EditorView({ root: shadow, parent, state: EditorState.create({ extensions }) });
  const line = (number) => view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  return {
    text: () => view.state.doc.toString(),
    /** Another file: with a history of its own. */
    open(name, text) {
      view.setState(EditorState.create({ doc: text, extensions }));
      view.dispatch({ effects: language.reconfigure(languageOf(name)) });
    },
    /** Another text of the same file, which can be undone. */
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    /** Marks a line and brings it into view; the focus stays where it is. */
    show(number) {
      const at = line(number);
      view.dispatch({ selection: { anchor: at.from, head: at.to }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    },
    go(number) {
      this.show(number);
      view.focus();
    },
    mark(messages) {
      // Without a column all of the line.
      const found = messages.map(({ line: number, column = 1, end_line: last, end_column: end, severity, text }) => {
        const at = line(number), within = (place) => at.from + unitsBefore(at.text, place);
        return { from: within(column), to: end && last === number ? within(end) : at.to, severity: severity === "note" ? "info" : severity, message: text };
      });
      found.sort((one, other) => one.from - other.from);
      view.dispatch(setDiagnostics(view.state, found));
    },
    focus: () => view.focus(),
  };
}
