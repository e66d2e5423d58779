/* lit_spelling: how a dialect writes what orders things, for whoever adds such statements to a test
 * or changes their words. A row of lit_dialect points to its writing.
 *
 * Pure tables. What a word means is the front end's; a word of these tables is one that it reads.
 */
#ifndef CRASHLIT_LIT_SPELLING_H
#define CRASHLIT_LIT_SPELLING_H

#include "litmus/lit_program.h"

/* The words of scopes and orders in one kind of place. NULL: there is none for that one. */
struct lit_spelling {
    const char *prefix; /* in a table: how the instructions that are spelled so begin */
    const char *scopes[LIT_SCOPE_COUNT];
    const char *orders[LIT_ORDER_SC + 1];
};

enum lit_family { LIT_FAMILY_PERSIST, LIT_FAMILY_FENCE, LIT_FAMILY_MEETING, LIT_FAMILIES };

/* A fence of code that stands in no test, and how its source writes that. */
struct lit_fence_word {
    const char *code, *source;
    enum lit_order order;
    enum lit_scope scope;
};

struct lit_writing {
    const char *families[LIT_FAMILIES]; /* what lists of kinds call them */
    const char *persist;                /* a persist barrier, up to its scope */
    const char *fence[3];               /* before its order, between that and its scope, behind */
    const char *meetings[LIT_SCOPE_COUNT]; /* execution barriers of a scope; NULL: none */
    const char *end;                       /* of a statement */
    const char *call;                      /* behind a name that is called with nothing */
    const struct lit_spelling *of_persist, *of_fence;
    /* Of a table: an instruction is spelled by the first whose prefix it has. The last has "". */
    const struct lit_spelling *spellings;
    enum lit_order least_fence; /* the weakest order that a fence may have */
    bool sc_accesses;           /* an access may have the order SC */
    /* Of code that stands in no test: its fences, each before those that are stronger, and what its
     * source calls orders and scopes. */
    const struct lit_fence_word *fences;
    uint32_t fence_count;
    const struct lit_spelling *of_source;
    /* How functions of its source that are relaxed atomic operations begin, and how they end by
     * scope. */
    const char *atomic, *atomic_ends[LIT_SCOPE_COUNT];
};

/* Those of the C-like dialects: memory_order_relaxed and memory_scope_work_group; mo_rlx and
 * wg_scope; wg; the wg of p_barrier_wg. */
extern const struct lit_spelling lit_spelling_long, lit_spelling_short, lit_spelling_bare,
    lit_spelling_suffix;
extern const struct lit_writing lit_writing_code;

#endif
