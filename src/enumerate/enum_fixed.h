/* enum_fixed: what a path says of the values that its reads return, before any source is chosen.
 * Private to the enumerator. */
#ifndef CRASHLIT_ENUM_FIXED_H
#define CRASHLIT_ENUM_FIXED_H

#include "cat/cat_ir.h"
#include "exec/exec_path.h"

/* Notes, per event of the path, the value that a read has to return because a constraint says that
 * it equals a constant. What is not noted is left as it is. */
void enum_fixed_reads(const struct exec_path *path, int64_t *values, bool *known);

/* The same of one constraint. */
bool enum_fixes(const struct exec_constraint *constraint, uint32_t *read, int64_t *value);

/* Is the value that of a read and a constant more? Then what the read has to return for the value
 * to come to `wanted`. */
bool enum_sum_wants(const struct exec_value *value, int64_t wanted, uint32_t *read,
                    int64_t *returned);

/* Are two read-modify-writes of one location, of different threads, never of one source, in any
 * consistent execution? They are when coherence is total, nothing may come between the halves of
 * one, and it is no cycle of po, rf and co to read what is coherence-after the own write: the one
 * of the two that comes later would have the other in between. Says no where the model's checks say
 * that in other words, of which enum_apart.h asks. */
bool enum_rmws_part(const struct cat_model *model, const struct lit_program *program);

#endif
