/* exec_value: symbolic values over what reads will return.
 *
 * A thread runs before its reads' values are known: a value is a constant, a read, or an operator
 * over values. Constants fold at once.
 *
 * Ownership: nodes live in the arena they are made in and are immutable. */
#ifndef CRASHLIT_EXEC_VALUE_H
#define CRASHLIT_EXEC_VALUE_H

#include "base/arena.h"
#include "litmus/lit_program.h"

struct exec_value {
    enum lit_operator op; /* CONST, REG (here: a read) or an operator */
    enum lit_type type;
    enum lit_type operands;
    int64_t value; /* CONST */
    uint32_t read; /* REG: index of the read among its thread's events */
    uint32_t size; /* nodes as a tree, saturating */
    const struct exec_value *a, *b, *c;
};

/* Larger values, counted as trees, are not built: the run stops at its bound. */
enum { EXEC_MAX_VALUE_SIZE = 4096 };

/* What the reads of one thread return, as far as it is known. */
struct exec_reads {
    const int64_t *values;
    const bool *known; /* per read index, like values */
};

const struct exec_value *exec_value_const(struct arena *arena, enum lit_type type, int64_t value);
const struct exec_value *exec_value_read(struct arena *arena, enum lit_type type, uint32_t read);
/* Operator nodes; unused operands are NULL. Division by zero yields 0: exec_run.h splits off a run
 * for it. */
const struct exec_value *exec_value_apply(struct arena *arena, enum lit_operator op,
                                          enum lit_type type, enum lit_type operands,
                                          const struct exec_value *a, const struct exec_value *b,
                                          const struct exec_value *c);
/* Conversion to a type. */
const struct exec_value *exec_value_cast(struct arena *arena, enum lit_type type,
                                         const struct exec_value *a);

static inline bool exec_value_is_const(const struct exec_value *value)
{
    return value->op == LIT_OP_CONST;
}

/* Is it the same expression? */
bool exec_value_same(const struct exec_value *a, const struct exec_value *b);

/* The only read that a value depends on; LIT_NONE: there is none or more than one. */
uint32_t exec_value_single_read(const struct exec_value *value);

/* The value under these reads; false when it depends on an unknown one. */
bool exec_value_get(const struct exec_value *value, const struct exec_reads *reads,
                    int64_t *result);

#endif
