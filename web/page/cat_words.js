// What the words of a model are, for colours alone.
import * as terms from "./cat.grammar.terms.js";

const keywords = new Set(("let rec and in fun function match with include as if then else end begin procedure call " +
                          "forall do from show unshow enum instructions tag declare").split(" "));
const checks = new Set("acyclic irreflexive empty flag undefined_unless assert".split(" "));

export function classify(word) {
  if (keywords.has(word)) return terms.Keyword;
  return checks.has(word) ? terms.Check : -1;
}
