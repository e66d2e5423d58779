/* gen_states: the states that a model allows a program.
 *
 * A program's observables are its columns: each read, in the order of work-items, each end that is
 * shown, each location. A state has a value in each, or nothing where the register has none yet or
 * the location is volatile and the state a crash state.
 */
#ifndef CRASHLIT_GEN_STATES_H
#define CRASHLIT_GEN_STATES_H

#include "generate/gen_print.h"
#include "session/session_models.h"
#include "session/session_settings.h"

enum { GEN_MAX_COLUMNS = 16, GEN_MAX_STATES = 1024, GEN_MAX_VALUE = 14, GEN_NO_VALUE = 15 };

struct gen_columns {
    uint32_t count;
    struct gen_column {
        uint8_t thread; /* of a read or an end; GEN_NOWHERE of a location */
        uint8_t index;  /* of the read in its work-item; GEN_NOWHERE of an end; the location */
        uint8_t most;   /* its values are 0 to this one; of an end 1 alone */
        bool is_end;
    } columns[GEN_MAX_COLUMNS];
};
/* False when the program has more than there is room for. */
bool gen_columns_of(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                    enum lit_when when, struct gen_columns *columns);

/* Where an outcome speaks of the column. */
uint8_t *gen_outcome_place(struct gen_outcome *outcome, const struct gen_column *column);

/* Four bits a column. */
typedef uint64_t gen_state;
static inline uint32_t gen_state_value(gen_state state, uint32_t column)
{
    return (uint32_t)(state >> 4 * column & 15);
}

struct gen_states {
    bool undefined;    /* the program is: every state is allowed */
    const char *doubt; /* that there may be further states; NULL: none */
    uint32_t count;
    gen_state states[GEN_MAX_STATES]; /* in rising order */
};

/* Who asks: one engine, about one model. */
struct gen_asker {
    const struct session_settings *settings; /* of which the time limit counts */
    const struct session_model *model;
    const struct gen_vocabulary *vocabulary;
    enum gen_dialect dialect;
    const char *engine;
    uint64_t asked; /* counts */
    struct strbuf text;
};
void gen_asker_fini(struct gen_asker *asker);

/* The states of the kind, final ones or crash states. */
void gen_ask(struct gen_asker *asker, const struct gen_program *program, enum lit_when when,
             struct gen_states *states);

/* Is some state as the outcome says? */
bool gen_allows(const struct gen_columns *columns, const struct gen_states *states,
                const struct gen_outcome *outcome);

#endif
