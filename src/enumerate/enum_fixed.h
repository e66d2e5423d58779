/* enum_fixed: the values that a path's constraints fix for its reads, before any source is chosen.
 * Private to the enumerator. */
#ifndef CRASHLIT_ENUM_FIXED_H
#define CRASHLIT_ENUM_FIXED_H

#include "cat/cat_ir.h"
#include "exec/exec_path.h"

/* Notes, per event of the path, the value that a constraint fixes for a read by equality with a
 * constant. Other entries stay as they are. */
void enum_fixed_reads(const struct exec_path *path, int64_t *values, bool *known);

/* Does this constraint fix the value of a read? */
bool enum_fixes(const struct exec_constraint *constraint, uint32_t *read, int64_t *value);

/* Is the value the sum of a read and a constant? If so, `returned` is what the read has to return
 * for the value to be `wanted`. */
bool enum_sum_wants(const struct exec_value *value, int64_t wanted, uint32_t *read,
                    int64_t *returned);

/* Can two read-modify-writes of one location, of different threads, never read from one source in a
 * consistent execution? True when coherence is total, one check keeps writes from coming between
 * the halves of a read-modify-write, and another forbids cycles of po, rf and co. For otherwise the
 * later of the two would have the other between its halves. Only checks of these forms are
 * recognised; enum_apart.h looks at what other checks imply. */
bool enum_rmws_part(const struct cat_model *model, const struct lit_program *program);

#endif
