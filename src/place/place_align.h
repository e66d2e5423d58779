/* place_align: two programs that differ in what orders things alone.
 *
 * Fences, barriers and flushes that nobody's value depends on are *pure*: they may be there or not;
 * a flush is of one location, whatever the registers are. All
 * other instructions must be the same in both, in the same order and with the same flow of control,
 * but for memory orders, scopes and tags. Then each run of the one is a run of the other, with the
 * same values, with other pure events between.
 *
 * Nothing is asked about the texts: which pure instruction of the one is which of the other,
 * between two that are not pure, is a matter of choice, and any is right as a description of the
 * other.
 */
#ifndef CRASHLIT_PLACE_ALIGN_H
#define CRASHLIT_PLACE_ALIGN_H

#include "litmus/lit_program.h"

/* Per thread and instruction of `whole` the instruction of `part` in its place, or NULL; in the
 * arena. NULL if they differ in more, or in a fence or barrier of a loop that may wait. Initial
 * values are not compared, as runs of recovery have their own, nor are conditions. The updates in
 * such a loop may still count differently in the two (exec_access_is_even). */
const struct lit_instr *const *const *
place_align(struct arena *arena, const struct lit_program *whole, const struct lit_program *part);

/* Have they the same locations, initial values and conditions? */
bool place_starts_alike(const struct lit_program *a, const struct lit_program *b);
bool place_is_pure(const struct lit_instr *instr);
/* Do they order the same? Their tags are those of their programs. */
bool place_orders_alike(const struct lit_program *of_a, const struct lit_instr *a,
                        const struct lit_program *of_b, const struct lit_instr *b);

#endif
