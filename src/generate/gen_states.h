/* gen_states: the states that a model allows a program, packed: four bits a column (gen_observe.h),
 * its value, or nothing where a register has none yet.
 */
#ifndef CRASHLIT_GEN_STATES_H
#define CRASHLIT_GEN_STATES_H

#include "generate/gen_observe.h"

enum { GEN_MOST_PACKED = 16, GEN_MAX_STATES = 1024, GEN_MAX_VALUE = 14, GEN_NO_VALUE = 15 };

typedef uint64_t gen_state;
static inline uint32_t gen_state_value(gen_state state, uint32_t column)
{
    return (uint32_t)(state >> 4 * column & 15);
}

struct gen_states {
    bool undefined;    /* every state is allowed, as the program is undefined */
    const char *doubt; /* why there may be further states; NULL: there are none */
    uint32_t count;
    gen_state states[GEN_MAX_STATES]; /* in rising order */
};

/* One engine, asked about one model. */
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

/* Finds the program's states of a kind, final or crash states. */
void gen_ask(struct gen_asker *asker, const struct gen_program *program, enum lit_when when,
             struct gen_states *states);

/* Does some state fit the outcome? */
bool gen_allows(const struct gen_columns *columns, const struct gen_states *states,
                const struct gen_outcome *outcome);

#endif
