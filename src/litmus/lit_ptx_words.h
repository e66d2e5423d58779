/* lit_ptx_words: the words of PTX for orders, scopes, operations and hints, for tests that are
 * tables of PTX (lit_ptx.h) and for compiled kernels (ptx/ptx_word.h) alike.
 *
 * A list has what an instruction of its kind may say, and ends with a word without text.
 */
#ifndef CRASHLIT_LIT_PTX_WORDS_H
#define CRASHLIT_LIT_PTX_WORDS_H

#include "litmus/lit_dialect.h"

/* Values: enum lit_scope. */
extern const struct lit_qualifier lit_ptx_scopes[], lit_ptx_membar_scopes[];
/* Values: enum lit_order. */
extern const struct lit_qualifier lit_ptx_load_orders[], lit_ptx_store_orders[],
    lit_ptx_atomic_orders[], lit_ptx_fence_orders[];
/* weak and volatile, which have no scope of their own: enum lit_order. */
extern const struct lit_qualifier lit_ptx_unscoped[];
/* Hints to caches, which the memory model knows nothing of. */
extern const struct lit_qualifier lit_ptx_load_hints[], lit_ptx_store_hints[];

enum { LIT_PTX_CAS = 100 }; /* beside enum lit_rmw */
/* `joins`: those of truths. */
extern const struct lit_qualifier lit_ptx_operations[], lit_ptx_joins[];
/* Those that only compiled kernels have: a table's values have a sign. */
extern const struct lit_qualifier lit_ptx_counters[];
/* Values: does it arrive without waiting? */
extern const struct lit_qualifier lit_ptx_meetings[];

#endif
