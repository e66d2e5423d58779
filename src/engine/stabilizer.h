/* stabilizer: the part of a program's symmetry that a question about states keeps, for symmetry
 * reduction.
 *
 * Propositions and columns of states make up the question. An exchange of two units
 * (exec/exec_symmetry.h) is kept under two conditions. It maps each proposition to itself, up to
 * the order of parts in conjunctions and disjunctions. It maps each column to a column of the same
 * set. Then it maps states that decide the question to states that do, so one of the executions
 * that differ by such exchanges is enough. A part consists of units of a class that may be
 * exchanged with each other.
 *
 * Ownership: lives in the arena; immutable. */
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
    const struct lit_condition *conditions; /* their propositions are kept, each by itself */
    uint32_t condition_count;
    const struct outcome_states *states[2]; /* their columns are told apart; NULL: none */
};

struct stabilizer stabilizer_new(struct arena *arena, const struct exec_symmetry *symmetry,
                                 const struct lit_program *program,
                                 const struct stabilizer_question *question);

/* Does an exchange that keeps the program's filter turn one condition into the other? Then some
 * state decides the one exactly if some state decides the other. Not for recovered conditions.
 * `steps` counts the atoms looked at in all calls that share it, and bounds them; past the bound
 * the answer is no. */
bool stabilizer_alike(const struct exec_symmetry *symmetry, const struct lit_program *program,
                      const struct lit_condition *a, const struct lit_condition *b,
                      uint64_t *steps);

/* The register or location that the exchange puts in place of the atom's. */
struct lit_atom stabilizer_atom(const struct exec_exchange *by, const struct lit_atom *atom);
/* The state that this row becomes; `to` is other memory. The exchange must keep the columns. */
void stabilizer_row(const struct exec_exchange *by, const struct outcome_states *states,
                    const int64_t *row, int64_t *to);

/* Goes on until the callback returns false: with the exchanges of neighbours in each part, of which
 * all others of the group are made. */
typedef bool stabilizer_callback(void *context, const struct exec_exchange *by);
bool stabilizer_each(const struct stabilizer *stabilizer, stabilizer_callback *callback,
                     void *context);

#endif
