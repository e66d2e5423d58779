// vscode.mjs PACKAGES GRAMMARS VSIX: tokens of the TextMate grammars, as VS Code finds them, to what stands in lines told by hand;
// and what the extension's package holds. Last line: N passed, N failed.
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { execFileSync } from "node:child_process";

const [packages, grammars, vsix] = process.argv.slice(2);
const require = createRequire(`${packages}/`);
const textmate = require("vscode-textmate"), oniguruma = require("vscode-oniguruma");

let passed = 0, failed = 0;
function holds(right, what) {
  if (right) passed++;
  else failed++, console.log(`failed: ${what}`);
}

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const files = Object.fromEntries(readdirSync(grammars).map((file) => [`source.crashlit-${file.split(".")[0]}`, `${grammars}/${file}`]));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
  loadGrammar: async (scope) => textmate.parseRawGrammar(readFileSync(files[scope], "utf8"), files[scope]),
});

// Of each line words with the scope that they are to have; "" none of their own.
async function tokens(scope, lines) {
  const grammar = await registry.loadGrammar(scope);
  let stack = textmate.INITIAL;
  for (const [line, ...wanted] of lines) {
    const found = grammar.tokenizeLine(line, stack);
    stack = found.ruleStack;
    let from = 0;
    for (const [word, name] of wanted) {
      const at = line.indexOf(word, from), token = found.tokens.find((t) => t.startIndex <= at && at < t.endIndex);
      const own = token.scopes.slice(1).join(" ");
      holds(at >= 0 && (name ? own.includes(name) : own === ""), `'${word}' of '${line}' is ${name || "plain"} (${own})`);
      from = at + word.length;
    }
  }
}

await tokens("source.crashlit-litmus", [
  ["OPENCL kv-insert", ["OPENCL", "keyword.other.dialect"], ["kv-insert", "entity.name.section"]],
  ['"a key (* no comment"', ["key", "string"], ["(*", "string"]],
  ["Com=Rf Fr", ["Com", "variable.other.metadata"], ["Rf", "string.unquoted"]],
  ["{ nvm x = 0x1f; (* one (* two *) one", ["nvm", "storage.type"], ["x", ""], ["0x1f", "constant.numeric"], ["one", "comment"], ["two", "comment"], ["one", "comment"]],
  ["int *) atomic_int y; }", ["int", "comment"], ["atomic_int", "storage.type"]],
  ["P0@wg 0 (global int* x) { // P1", ["P0", "entity.name.function"], ["0", "constant.numeric"], ["global", "storage.type"], ["P1", "comment"]],
  ["  r = (*x) + x.load(mo_acq, wg_scope);", ["*x", "keyword.operator"], ["x", ""], ["load", "support.function.method"], ["mo_acq", "constant.language.order"], ["wg_scope", "constant.language.scope"]],
  ["  atomic_fetch_add_explicit(x, 1, memory_order_release);", ["atomic_fetch_add_explicit", "support.function.atomic"], ["memory_order_release", "constant.language.order"]],
  ["  p_barrier_wg; p_barrier(?s); notp_barrier;", ["p_barrier_wg", "support.function.barrier"], ["p_barrier", "support.function.barrier"], ["?s", "variable.parameter.hole"], ["notp_barrier", ""]],
  ["  __store{nt, mo_rel}(x, 1);", ["__store", "support.function.primitive"], ["nt", "attribute-name.tag"]],
  ["crash ~exists (x = 1 /\\ y = 0)", ["crash", "keyword.control"], ["~", "keyword.operator"], ["exists", "keyword.control"], ["/\\", "keyword.operator"]],
  ["expect hrf-direct + epoch : violated", ["expect", "keyword.control"], ["violated", "constant.language.verdict"]],
  [" ld.relaxed.gpu r1, x | bar.sync 0 ;", ["ld", "support.function.instruction"], [".relaxed.gpu", "storage.modifier"], ["bar", "support.function.instruction"]],
  ["  #pragma gpu_pm strict clwb", ["pragma", "meta.preprocessor"]],
]);
await tokens("source.crashlit-cat", [
  ['"a title"', ["title", "string"]],
  ["(* a (* nested *) comment", ["nested", "comment"], ["comment", "comment"]],
  ["let *) let rec hb-of = po; [PB]", ["let", "comment"], ["let", "keyword.control"], ["rec", "keyword.control"], ["hb-of", "entity.name.function"], ["po", "support.variable.base"], ["PB", "support.variable.base"]],
  ["let let-in = in-it", ["let-in", "entity.name.function"], ["in-it", "variable.other"]],
  ["acyclic co | rf^-1 as name // po", ["acyclic", "keyword.other.check"], ["co", "support.variable.base"], ["^-1", "keyword.operator"], ["as", "keyword.control"], ["name", "variable.other"], ["po", "comment"]],
  ["instructions F['sfence || 'x] # let", ["instructions", "keyword.control"], ["F", "support.variable.base"], ["'sfence", "attribute-name.tag"], ["let", "comment"]],
]);

await tokens("source.crashlit-def", [
  ["flush(X)  { p_barrier_wi; }  // clwb", ["flush", "entity.name.function"], ["X", ""], ["p_barrier_wi", "support.function.barrier"], ["clwb", "comment"]],
  ["EPOCH { if (x) { __fence{d}; } }", ["EPOCH", "entity.name.function"], ["if", "keyword.control"], ["__fence", "support.function.primitive"], ["d", "attribute-name.tag"]],
  ["  load(x)", ["load", ""]],
]);
await tokens("source.crashlit-machine", [
  ["# machine", ["machine", "comment"]],
  ["l1_lines = 64 # 0", ["l1_lines", "keyword.control"], ["=", "keyword.operator"], ["64", "constant.numeric"], ["0", "comment"]],
  ["placement = in-turn", ["placement", "keyword.control"], ["in-turn", "constant.language"]],
  ["stage any per device order any merge", ["any", "entity.name.type"], ["per", "keyword.control"], ["device", "constant.language"], ["any", "constant.language"], ["merge", "constant.language"]],
  ["on 'store by cpu : drain x L2; await", ["on", "keyword.control"], ["'store", "attribute-name.tag"], ["by", "keyword.control"], ["cpu", ""], ["drain", "support.function.operation"], ["x", "constant.language"], ["L2", ""], ["await", "support.function.operation"]],
  ["on st-store : through", ["st-store", ""], ["through", "support.function.operation"]],
]);
await tokens("source.crashlit-map", [
  ['uses "lin.def" // uses', ["uses", "keyword.control"], ["lin", "string"], ["uses", "comment"]],
  ["pragma gpu_pm every loop scope N {", ["pragma", "keyword.control"], ["gpu_pm every loop", "entity.name.section"], ["scope", "keyword.control"], ["N", ""]],
  ["  after store X : clwb(X); each(Y); /* end", ["after", "keyword.control"], ["store", "keyword.control"], ["X", ""], ["clwb", "support.function.instruction"], ["end", "comment"]],
  ["*/ at end : each stored X { clwb(X); } sfence();", ["at", "keyword.control"], ["each", "keyword.control"], ["sfence", "support.function.instruction"]],
  ["  promises sc + lin-end under sc + strict;", ["promises", "keyword.control"], ["lin-end", ""], ["under", "keyword.control"]],
]);

// By Python's reader of archives, so that no package reads what a package wrote.
const listed = execFileSync("python3", ["-c", "import sys, zipfile\nprint('\\n'.join(sorted(zipfile.ZipFile(sys.argv[1]).namelist())))", vsix], { encoding: "utf8" });
const wanted = ["[Content_Types].xml", "extension.vsixmanifest", "extension/README.md", "extension/dist/extension.js", "extension/language-configuration-machine.json",
  "extension/language-configuration-map.json", "extension/language-configuration.json", "extension/package.json", "extension/syntaxes/cat.tmLanguage.json",
  "extension/syntaxes/def.tmLanguage.json", "extension/syntaxes/litmus.tmLanguage.json", "extension/syntaxes/machine.tmLanguage.json", "extension/syntaxes/map.tmLanguage.json"];
holds(listed.trim().split("\n").join() === wanted.join(), `the package holds what it should: ${listed.trim().split("\n")}`);

const script = execFileSync("python3", ["-c", "import sys, zipfile\nprint(zipfile.ZipFile(sys.argv[1]).read('extension/dist/extension.js').decode())", vsix], { encoding: "utf8", maxBuffer: 1 << 26 });
// All it wants of others: VS Code's own interface, and what node has.
const asked = new Set([...script.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name));
const known = new Set(["vscode", "child_process", "crypto", "fs", "net", "os", "path", "url", "util"]);
holds(asked.has("vscode") && [...asked].every((name) => known.has(name.replace(/^node:/, ""))), `it asks for nothing else: ${[...asked]}`);
holds(!/https?:\/\/(?!json-schema)/.test(script.replace(/https:\/\/(?:github\.com|microsoft\.github\.io)[^\s"'`]*/g, "")), "it names no address");
holds(!/require\("(?:node:)?https?"\)|\bfetch\(/.test(script), "it has no client of the web");

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
