// What the words of a model are, for colours and for completion.
import * as terms from "./cat.grammar.terms.js";

const keywords = ("let rec and in fun function match with include as if then else end begin procedure call " +
                  "forall do from show unshow enum instructions tag declare").split(" ");
const checks = "acyclic irreflexive empty flag undefined_unless assert".split(" ");
// Base sets and relations, and the names that crash cuts are told by (docs/cat.md).
const sets = ("R W M IW F CM B PB NVM ATOMIC RMW GLOBAL LOCAL NA RLX ACQ REL ACQ_REL SC WI SG WG KR DV ALL CTA GPU SYS WEAK NAL ARRIVE GEN").split(" ");
const relations = "rf co fr sync_fence id po loc line int ext rmw addr data ctrl ssg swg skr sdv ssys sr syncbar syncpb".split(" ");
const contract = "persist-before durable-before durable-after executes-before can-persist lands-before persist-atomic waits adds-to-hb hb com execution-order visible-before".split(" ");
const functions = "domain range".split(" ");

const options = (list, type, detail) => list.map((label) => ({ label, type, detail }));

/** For completion. */
export const words = [
  ...options(keywords, "keyword"), ...options(checks, "keyword", "check"), ...options(sets, "constant", "set"), ...options(relations, "type", "relation"),
  ...options(contract, "function", "of the contract"), ...options(functions, "function"),
];

const known = new Map([...keywords.map((word) => [word, terms.Keyword]), ...checks.map((word) => [word, terms.Check])]);

export const classify = (word) => known.get(word) ?? -1;
