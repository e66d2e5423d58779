// bridge.mjs: prints a JavaScript library for emscripten, in which the functions of Z3 that crashlit uses
// (src/smt/smt_z3.h) are those of another WebAssembly instance, Module.z3, with a memory of its own.
//
// Of each function: what comes back (S a text, U 64 bits, else a word), and its parameters: c a context, p a word,
// U 64 bits, s a text, A an array of as many words as the parameter before says, O a word and Q 64 bits that are written.
const FUNCTIONS = `
  mk_config:  del_config:p mk_context:k del_context:c interrupt:c set_error_handler:h get_error_code:e get_error_msg:cp>S
  get_full_version:>S get_estimated_alloc_size:>U
  mk_string_symbol:cs mk_bool_sort:c mk_int_sort:c mk_bv_sort:cp mk_true:c mk_false:c mk_fresh_const:csp mk_unsigned_int64:cUp
  mk_and:cpA mk_or:cpA mk_atleast:cpAp mk_atmost:cpAp mk_not:cp mk_eq:cpp mk_ite:cppp mk_lt:cpp
  mk_bvadd:cpp mk_bvand:cpp mk_bvashr:cpp mk_bvlshr:cpp mk_bvmul:cpp mk_bvneg:cp mk_bvnot:cp mk_bvor:cpp mk_bvsdiv:cpp mk_bvshl:cpp
  mk_bvslt:cpp mk_bvsrem:cpp mk_bvsub:cpp mk_bvudiv:cpp mk_bvult:cpp mk_bvurem:cpp mk_bvxor:cpp
  mk_extract:cppp mk_sign_ext:cpp mk_zero_ext:cpp
  mk_simple_solver:c mk_solver_for_logic:cp solver_inc_ref:cp solver_dec_ref:cp solver_assert:cpp solver_push:cp
  solver_pop:cpp solver_check:cp solver_check_assumptions:cppA solver_get_model:cp solver_get_unsat_core:cp
  model_inc_ref:cp model_dec_ref:cp model_eval:cpppO get_bool_value:cp is_numeral_ast:cp get_numeral_uint64:cpQ
  ast_vector_inc_ref:cp ast_vector_dec_ref:cp ast_vector_size:cp ast_vector_get:cpp
`.trim().split(/\s+/).map((entry) => {
  const [name, shape] = entry.split(":");
  const [parameters = "", result = ""] = shape.split(">");
  return { name, parameters, result };
});

// What a call hands over, and what is done behind it.
function body({ name, parameters, result }) {
  const taken = [], given = [], before = [], behind = [];
  for (const [i, kind] of Array.from(parameters).entries()) {
    const word = `a${i}`;
    taken.push(...(kind === "U" ? [`${word}Low`, `${word}High`] : [word]));
    given.push({
      U: `(BigInt(${word}High >>> 0) << BigInt(32)) | BigInt(${word}Low >>> 0)`, s: `z3Bridge.text(${word})`,
      A: `z3Bridge.array(${word}, a${i - 1})`, O: "z3Bridge.room()", Q: "z3Bridge.room()",
    }[kind] ?? word);
    if (kind === "O") behind.push(`HEAP32[${word} >> 2] = z3Bridge.word(0);`);
    if (kind === "Q") behind.push(`HEAP32[${word} >> 2] = z3Bridge.word(0); HEAP32[(${word} >> 2) + 1] = z3Bridge.word(1);`);
  }
  // A context that is made, or one whose handler changes, hears no fault of itself: its handler is called here.
  if (parameters === "k") behind.push('Module["z3"]._set_noop_error_handler(answer);');
  if (parameters === "h") return { taken: ["a0", "a1"], lines: ["z3Bridge.handlers[a0] = a1;"] };
  if (name === "del_context") before.push("delete z3Bridge.handlers[a0];");
  else if (parameters.startsWith("c") && name !== "get_error_msg") behind.push("z3Bridge.heed(a0);");
  const back = { S: "return z3Bridge.answerText(answer);", U: "setTempRet0(Number(answer >> BigInt(32))); return Number(answer & BigInt(0xffffffff)) | 0;" };
  return { taken, lines: [...before, `var answer = Module["z3"]._Z3_${name}(${given.join(", ")});`, ...behind, back[result] ?? "return answer;"] };
}

console.log(`mergeInto(LibraryManager.library, {
  $z3Bridge__deps: ["malloc", "free"],
  $z3Bridge: {
    handlers: {}, /* of contexts: the function that is called with a fault's code */
    size: 0, at: 0, text_at: 0,
    /* Bytes in Z3's memory, until the next call. */
    reserve: function (bytes) {
      var z3 = Module["z3"];
      if (bytes <= z3Bridge.size) return z3Bridge.at;
      if (z3Bridge.size) z3._free(z3Bridge.at);
      z3Bridge.size = Math.max(bytes, 2 * z3Bridge.size, 4096);
      z3Bridge.at = z3._malloc(z3Bridge.size);
      if (!z3Bridge.at) abort("memory exhausted (for Z3)");
      return z3Bridge.at;
    },
    room: function () { return z3Bridge.reserve(8); },
    word: function (i) { return Module["z3"].HEAP32[(z3Bridge.at >> 2) + i]; },
    array: function (from, count) {
      var at = z3Bridge.reserve(4 * count + 8);
      Module["z3"].HEAP32.set(HEAP32.subarray(from >> 2, (from >> 2) + count), at >> 2);
      return at;
    },
    text: function (from) {
      var end = from;
      while (HEAPU8[end]) end++;
      var at = z3Bridge.reserve(end - from + 1);
      Module["z3"].HEAPU8.set(HEAPU8.subarray(from, end + 1), at);
      return at;
    },
    answerText: function (from) {
      var bytes = Module["z3"].HEAPU8, end = from;
      while (bytes[end]) end++;
      if (z3Bridge.text_at) _free(z3Bridge.text_at);
      z3Bridge.text_at = _malloc(end - from + 1);
      HEAPU8.set(bytes.slice(from, end + 1), z3Bridge.text_at);
      return z3Bridge.text_at;
    },
    heed: function (context) {
      var handler = z3Bridge.handlers[context];
      if (!handler) return;
      var code = Module["z3"]._Z3_get_error_code(context);
      if (code) {{{ makeDynCall("vii", "handler") }}}(context, code);
    },
  },
  crashlit_z3_state__sig: "i",
  crashlit_z3_state: function () { return Module["z3"] ? 2 : Module["z3Later"] ? 1 : 0; },`);
for (const entry of FUNCTIONS) {
  const { taken, lines } = body(entry);
  console.log(`  Z3_${entry.name}__deps: ["$z3Bridge"],`);
  console.log(`  Z3_${entry.name}: function (${taken.join(", ")}) {\n    ${lines.join("\n    ")}\n  },`);
}
console.log("});");
