// What the words of a test are, for colours and for completion: what a word means is decided by crashlit.
import * as terms from "./litmus.grammar.terms.js";

// What it is in the grammar, what completion shows it as, and the words; behind a word with a colon what it is.
const lists = [
  [terms.Keyword, "keyword", "OPENCL C PTX uses const enum struct init locations exists forall crash final recovered recovery restartable " +
    "relaunch expect filter while do for if else goto return break continue launch join pragma host " +
    "refines under not and or true false"],
  [terms.Type, "type", "int uint long ulong short char bool unsigned void volatile atomic_int atomic_uint atomic_long " +
    "atomic_ulong atomic_flag global local constant private nvm"],
  [terms.Verdict, "constant", "ok violated undefined unknown"],
  [terms.Scope, "constant", "wi_scope sg_scope wg_scope kr_scope dev_scope all_scope memory_scope_work_item memory_scope_sub_group " +
    "memory_scope_work_group memory_scope_kernel memory_scope_device memory_scope_all_svm_devices"],
  [terms.Order, "constant", "mo_rlx mo_acq mo_rel mo_acq_rel mo_sc memory_order_relaxed memory_order_acquire memory_order_release " +
    "memory_order_acq_rel memory_order_seq_cst"],
  [terms.Barrier, "function", "p_barrier_wi p_barrier_sg p_barrier_wg p_barrier_kr p_barrier_dev p_barrier sync_barrier_wg sync_barrier_kr " +
    "barrier work_group_barrier atomic_work_item_fence clwb clflush clflushopt sfence mfence pcommit l2wb tx_begin tx_end tx_abort " +
    "PersistBarrier NewStrand JoinStrand"],
];

// Completed, and coloured as names.
const functions = "atomic_load atomic_store atomic_load_explicit atomic_store_explicit atomic_exchange atomic_exchange_explicit atomic_fetch_add " +
  "atomic_fetch_add_explicit atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit atomic_thread_fence __load __store __fence __cm " +
  "load store exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_min fetch_max compare_exchange_strong compare_exchange_weak";

const about = {
  p_barrier_wi: "persist barrier of the work-item", p_barrier_sg: "persist barrier of the sub-group", p_barrier_wg: "persist barrier of the work-group",
  p_barrier_kr: "persist barrier of the kernel", p_barrier_dev: "persist barrier of the device", sync_barrier_wg: "execution barrier of the work-group",
  sync_barrier_kr: "execution barrier of the kernel", nvm: "non-volatile", crash: "a condition on crash states; in a program a point where power may fail",
  final: "a condition on the end of the program", recovered: "a condition on what recovery leaves", mo_rlx: "relaxed", mo_acq: "acquire", mo_rel: "release",
  mo_acq_rel: "acquire and release", mo_sc: "sequentially consistent", wi_scope: "work-item", sg_scope: "sub-group", wg_scope: "work-group", kr_scope: "kernel",
  dev_scope: "device", all_scope: "all devices", restartable: "recovery may crash and is started anew", launch: "starts a kernel", join: "waits for the end of a kernel",
};

const option = (type) => (label) => ({ label, type, detail: about[label] });

/** For completion. */
export const words = [...lists.flatMap(([, type, text]) => text.split(" ").map(option(type))), ...functions.split(" ").map(option("function"))];

const known = new Map(lists.flatMap(([term, , text]) => text.split(" ").map((word) => [word, term])));

const patterns = [
  [/^P[0-9]+$/, terms.Thread],
  [/^memory_scope_[a-z_]+$/, terms.Scope],
  [/^mo_[a-z_]+$|^memory_order(_[a-z_]+)?$/, terms.Order],
  [/^(p_barrier|sync_barrier|barrier|fence|atomic_work_item_fence|membar|bar)([_.].*)?$/, terms.Barrier],
];

export function classify(word) {
  const found = known.get(word) ?? patterns.find(([pattern]) => pattern.test(word))?.[1];
  return found ?? -1;
}
