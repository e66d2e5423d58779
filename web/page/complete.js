// Completion: the words of tests and models, and the names of the test at hand. Which of them may stand somewhere is for
// crashlit to say.
import { syntaxTree } from "@codemirror/language";
import { words as litmusWords } from "./litmus_words.js";
import { words as catWords } from "./cat_words.js";

const MOST_NAMES = 200;

// In a comment or a string nothing is completed.
const isText = (context) => /Comment|String/.test(syntaxTree(context.state).resolveInner(context.pos, -1).name);

// The identifiers of a part of the tree that are no words of the language, each once.
function namesIn(state, top, known) {
  const names = new Set();
  top?.cursor().iterate((node) => {
    if (node.name === "Identifier" && names.size < MOST_NAMES) names.add(state.sliceDoc(node.from, node.to));
  });
  return [...names].filter((name) => !known.has(name));
}

function source(words, pattern, named) {
  const known = new Set(words.map(({ label }) => label));
  return (context) => {
    const word = context.matchBefore(pattern);
    if ((!word && !context.explicit) || isText(context)) return null;
    const own = namesIn(context.state, named(context.state), known).filter((name) => name !== word?.text);
    return { from: word?.from ?? context.pos, options: [...own.map((label) => ({ label, type: "variable", boost: 1 })), ...words], validFor: /^[\w.^-]*$/ };
  };
}

/** Of a test: its locations are what its initial state names. */
export const completeLitmus = source(litmusWords, /[A-Za-z_][\w.]*/, (state) => syntaxTree(state).topNode.getChild("Block"));
/** Of a model: what it has defined. */
export const completeCat = source(catWords, /[A-Za-z_][\w.-]*/, (state) => syntaxTree(state).topNode);
