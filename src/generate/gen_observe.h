/* gen_observe: the states of a generated program under a model, and a state as a condition.
 *
 * A program becomes a test in memory whose conditions mention all of its columns: each register
 * that a read fills, and each location; for crash states each non-volatile location, and each
 * register that tells a work-item's end. So states are compared in full. */
#ifndef CRASHLIT_GEN_OBSERVE_H
#define CRASHLIT_GEN_OBSERVE_H

#include "engine/contrast.h"
#include "generate/gen_print.h"
#include "session/session_case.h"
#include "session/session_test.h"

/* The most columns: a read for each operation, an end for each work-item, each location. */
enum { GEN_MAX_COLUMNS = GEN_MAX_THREADS * (GEN_MAX_OPS + 1) + GEN_MAX_LOCATIONS };

struct gen_columns {
    uint32_t count;
    struct gen_column {
        uint8_t thread; /* of a read or an end; GEN_NOWHERE of a location */
        uint8_t index;  /* of the read in its work-item; GEN_NOWHERE of an end; the location */
        uint8_t most;   /* values are 0 to this; 1 for an end */
        bool is_end;
    } columns[GEN_MAX_COLUMNS];
};
/* Lists the columns by work-item, its reads and then its end; then locations. `when` is LIT_FINAL
 * or LIT_CRASHED. */
void gen_columns_of(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                    enum lit_when when, struct gen_columns *columns);
/* The place of the column in an outcome. */
uint8_t *gen_outcome_place(struct gen_outcome *outcome, const struct gen_column *column);

/* Kinds of states to ask for, a mask. Without non-volatile locations crash states have only
 * registers, and tell nothing that final states do not. */
enum { GEN_FINAL = 1u << LIT_FINAL, GEN_CRASHED = 1u << LIT_CRASHED };
static inline uint32_t gen_observe_kinds(const struct gen_program *program)
{
    return GEN_FINAL | (program->nvm ? (uint32_t)GEN_CRASHED : 0);
}

/* Reads the program as a test with a condition for each kind, which mentions all columns; a failure
 * is our bug. `text` may be reused between calls. */
void gen_observe_read(struct session_test *test, const struct session_settings *settings,
                      const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                      const struct gen_program *program, uint32_t kinds, struct strbuf *text);
/* Finds the states under a model; the caller ends the outcome. */
void gen_observe(const struct session_settings *settings, const struct session_model *model,
                 const struct lit_program *program, struct session_parts parts,
                 struct outcome *outcome);

/* A proposition that a state of `states` has and none of `others`: "x = 0 /\ 1:r0 = 1". Of the
 * states that `others` lacks it takes one that needs the fewest atoms, and sets `row` to it. Atoms
 * that can be spared are left out, values of 0 first. If needed, ~(1:r0 >= 0) says that a register
 * has no value. NULL: the states are no lists, or no state is lacking. In the arena. */
const char *gen_observe_tell_apart(struct arena *arena, const struct lit_program *program,
                                   const struct outcome_states *states,
                                   const struct outcome_states *others, const int64_t **row);

/* The whole state: "x=0; 1:r0=1", with "-" for no value. In the arena. */
const char *gen_observe_row(struct arena *arena, const struct lit_program *program,
                            const struct outcome_states *states, const int64_t *row);

#endif
