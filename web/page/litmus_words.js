// What the words of a test are, for colours and for completion: what a word means is decided by crashlit.
import * as terms from "./litmus.grammar.terms.js";
import { rows } from "./word_rows.js";

// Of each class of src/lsp/lsp_words.def what it is in the grammar, and what completion shows it as.
const classes = {
  DIALECT: [terms.Keyword, "keyword"], KEYWORD: [terms.Keyword, "keyword"], VERDICT: [terms.Verdict, "constant"], TYPE: [terms.Type, "type"],
  SCOPE: [terms.Scope, "constant"], ORDER: [terms.Order, "constant"], FLAG: [terms.Order, "constant"], LEVEL: [-1, "constant"],
  BARRIER: [terms.Barrier, "function"], PRIMITIVE: [terms.Barrier, "function"], FUNCTION: [-1, "function"], METHOD: [-1, "function"], PTX: [-1, "function"],
};
// Of built-in definition files (models/definitions), whose names are nobody's keywords.
const defined = "clwb clflush clflushopt sfence mfence pcommit l2wb tx_begin tx_end tx_abort PersistBarrier NewStrand JoinStrand".split(" ");

const own = rows.filter(([language]) => language === "litmus");
// A method is a function as well.
const spellings = (kind, word) => (kind === "METHOD" ? [word, `atomic_${word}`, `atomic_${word}_explicit`] : [word]);

// Beside the word where there is room for it, else beside the list.
export const told = (info) => (info.length <= 48 ? { detail: info } : { info });

/** For completion. */
export const words = [
  ...own.flatMap(([, kind, word, info]) => spellings(kind, word).map((label) => ({ label, type: classes[kind][1], ...told(info) }))),
  ...defined.map((label) => ({ label, type: "function" })),
];

const known = new Map([...own.map(([, kind, word]) => [word, classes[kind][0]]), ...defined.map((word) => [word, terms.Barrier])]);

const patterns = [
  [/^P[0-9]+$/, terms.Thread],
  [/^(barrier|fence|membar|bar|pbar)[.].*$/, terms.Barrier],
];

export function classify(word) {
  return known.get(word) ?? patterns.find(([pattern]) => pattern.test(word))?.[1] ?? -1;
}
