/* stabilizer: what is left of a program's symmetry where some states are told from others.
 *
 * A question about states is put by propositions and by the columns that states have. An exchange
 * of two units (exec/exec_symmetry.h) is kept when it maps each proposition to one that is the same
 * but for the order in which its conjunctions and disjunctions list their parts, and each column to
 * a column of the same set. Then it maps states that decide the question to states that do, so of
 * the executions that differ by such exchanges one is enough. Of a class those units stay together
 * that may be exchanged with each other.
 *
 * Ownership: lives in the arena; immutable.
 */
#ifndef CRASHLIT_STABILIZER_H
#define CRASHLIT_STABILIZER_H

#include "engine/outcome.h"
#include "exec/exec_symmetry.h"

/* Two units or more of a class, in ascending order. */
struct stabilizer_part {
    const struct exec_class *class;
    const uint32_t *units;
    uint32_t count;
};

struct stabilizer {
    const struct stabilizer_part *parts;
    uint32_t count;
};

struct stabilizer_question {
    const struct lit_prop *props[2];        /* NULL: none */
    const struct lit_condition *conditions; /* whose propositions are kept, each by itself */
    uint32_t condition_count;
    const struct outcome_states *states[2]; /* whose columns are told apart; NULL: none */
};

struct stabilizer stabilizer_new(struct arena *arena, const struct exec_symmetry *symmetry,
                                 const struct lit_program *program,
                                 const struct stabilizer_question *question);

/* Does an exchange that leaves the program's filter as it is turn one condition into the other one?
 * Then a state decides the one when some state does the other. `steps` counts what is looked at, of
 * all calls that share it, and bounds it: past that the answer is no. Of no recovered conditions.
 */
bool stabilizer_alike(const struct exec_symmetry *symmetry, const struct lit_program *program,
                      const struct lit_condition *a, const struct lit_condition *b,
                      uint64_t *steps);

/* The register or location that takes the place of what the atom names. */
struct lit_atom stabilizer_atom(const struct exec_exchange *by, const struct lit_atom *atom);
/* The state that this row becomes; `to` is other memory. The exchange keeps the columns. */
void stabilizer_row(const struct exec_exchange *by, const struct outcome_states *states,
                    const int64_t *row, int64_t *to);

#endif
