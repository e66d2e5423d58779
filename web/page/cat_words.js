// What the words of a model are, for colours and for completion.
import * as terms from "./cat.grammar.terms.js";
import { told } from "./litmus_words.js";
import { rows } from "./word_rows.js";

const own = rows.filter(([language]) => language === "cat");
const types = { KEYWORD: "keyword", CHECK: "keyword", SET: "constant", RELATION: "type", RESERVED: "function", PRIMITIVE: "function" };

/** For completion. */
export const words = own.map(([, kind, label, info]) => ({ label, type: types[kind], ...told(info) }));

const known = new Map(own.map(([, kind, word]) => [word, { KEYWORD: terms.Keyword, CHECK: terms.Check }[kind] ?? -1]));

export const classify = (word) => known.get(word) ?? -1;
