#include "litmus/lit_spelling.h"

#define LONG_SCOPE(name, tag, text, brief) "memory_scope_" text,
#define SHORT_SCOPE(name, tag, text, brief) brief "_scope",
#define BARE_SCOPE(name, tag, text, brief) brief,
#define LONG_ORDER(name, tag, text) "memory_order_" text,
#define SHORT_ORDERS                                              \
    {                                                             \
        NULL, "mo_rlx", "mo_acq", "mo_rel", "mo_acq_rel", "mo_sc" \
    }

const struct lit_spelling lit_spelling_long = {
    NULL, {LIT_SCOPES(LONG_SCOPE)}, {LIT_ORDERS(LONG_ORDER)}};
const struct lit_spelling lit_spelling_short = {NULL, {LIT_SCOPES(SHORT_SCOPE)}, SHORT_ORDERS};
const struct lit_spelling lit_spelling_bare = {NULL, {LIT_SCOPES(BARE_SCOPE)}, SHORT_ORDERS};
const struct lit_spelling lit_spelling_suffix = {NULL, {"wi", "sg", "wg", "kr", "dev"}, {NULL}};

const struct lit_writing lit_writing_code = {
    .families = {"p_barrier", "fence", "barrier"},
    .persist = "p_barrier_",
    .fence = {"atomic_thread_fence(", ", ", ")"},
    .meetings = {[LIT_SCOPE_WG] = "sync_barrier_wg", [LIT_SCOPE_KR] = "sync_barrier_kr"},
    .end = ";",
    .call = "()",
    .of_persist = &lit_spelling_suffix,
    .of_fence = &lit_spelling_short,
    .least_fence = LIT_ORDER_ACQ,
    .sc_accesses = true};
