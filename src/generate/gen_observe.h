/* gen_observe: what a generated program does under a model, and a state of it as a condition.
 *
 * A program is asked with all that it can show mentioned: each register that a read fills, each
 * that tells a work-item's end, each location, at its end and at a crash. So the states of two
 * models on it are compared in full.
 */
#ifndef CRASHLIT_GEN_OBSERVE_H
#define CRASHLIT_GEN_OBSERVE_H

#include "engine/contrast.h"
#include "generate/gen_print.h"
#include "session/session_case.h"
#include "session/session_test.h"

/* The program as a test that mentions all; it has no name of its own. */
void gen_observe_print(const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                       const struct gen_program *program, struct strbuf *out);
/* Reads that, which always can be read: else it is our bug. `text` is used again from call to call.
 */
void gen_observe_read(struct session_test *test, const struct session_settings *settings,
                      const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                      const struct gen_program *program, struct strbuf *text);
/* Its states under a model; the caller ends the outcome. */
void gen_observe(const struct session_settings *settings, const struct session_model *model,
                 const struct lit_program *program, struct session_parts parts,
                 struct outcome *outcome);

/* A proposition that a state of these has and none of `others`: "x = 0 /\ 1:r0 = 1". Of the states
 * that others lack one that takes the fewest atoms, which `row` is set to; what can be spared is
 * left out, values of 0 first. That a register has no value is said as ~(1:r0 >= 0), where it has
 * to be. NULL: the states are no lists, or no state is lacking. In the arena. */
const char *gen_observe_tell_apart(struct arena *arena, const struct lit_program *program,
                                   const struct outcome_states *states,
                                   const struct outcome_states *others, const int64_t **row);

/* The whole of it: "x=0; 1:r0=1", with "-" for what has no value. In the arena. */
const char *gen_observe_row(struct arena *arena, const struct lit_program *program,
                            const struct outcome_states *states, const int64_t *row);

#endif
