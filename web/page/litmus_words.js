// What the words of a test are, for colours alone: what a word means is decided by crashlit.
import * as terms from "./litmus.grammar.terms.js";

const words = (text, term) => text.split(" ").map((word) => [word, term]);

const known = new Map([
  ...words("OPENCL C PTX uses const enum init locations exists forall crash final recovered recovery restartable " +
           "relaunch expect filter while do for if else goto return break continue launch join pragma host " +
           "recovers refines not and or true false", terms.Keyword),
  ...words("int uint long ulong short char bool unsigned void volatile atomic_int atomic_uint atomic_long " +
           "atomic_ulong global local constant private nvm", terms.Type),
  ...words("ok violated undefined unknown", terms.Verdict),
]);

const patterns = [
  [/^P[0-9]+$/, terms.Thread],
  [/^(wi|sg|wg|kr|dev|all)_scope$|^memory_scope_[a-z_]+$/, terms.Scope],
  [/^mo_[a-z_]+$|^memory_order(_[a-z_]+)?$/, terms.Order],
  [/^(p_barrier|sync_barrier|barrier|fence|atomic_work_item_fence|membar|bar)([_.].*)?$/, terms.Barrier],
  [/^(clwb|clflush|clflushopt|sfence|pcommit|l2wb|mfence|tx_begin|tx_end|NewStrand|PersistBarrier)$/, terms.Barrier],
];

export function classify(word) {
  const found = known.get(word) ?? patterns.find(([pattern]) => pattern.test(word))?.[1];
  return found ?? -1;
}
