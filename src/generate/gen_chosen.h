/* gen_chosen: chooses the vocabularies of programs for models, and derives those of a user's
 * instructions.
 *
 * Ownership: what is derived lives in the arena of the vocabularies. */
#ifndef CRASHLIT_GEN_CHOSEN_H
#define CRASHLIT_GEN_CHOSEN_H

#include "generate/gen_vocabularies.h"
#include "session/session_models.h"

/* The vocabularies of programs that tell something of the models, by the sets that these name.
 *
 *   - A built-in persistency model has the built-in vocabulary of the instructions that it declares,
 *     or of SPB's barriers, which stand for what declares none, too.
 *   - So has a model that is a file, when all that it declares is there, and the user's definitions
 *     do not have it all. Else its vocabulary is a
 *     derived one: the definitions that the settings name for tests (`uses`), and each further
 *     instruction that it declares, as a primitive.
 *   - `wider`: of barriers for which all of a scope wait, programs in which somebody waits for one
 *     that never comes are there, too.
 *
 * Returns how many there are, at most GEN_MAX_VOCABULARIES, and at least one; 0 after reporting. */
uint32_t gen_vocabularies_of(struct gen_vocabularies *all, struct session_models *models,
                             const struct session_model *const *pairs, uint32_t count, bool wider,
                             const struct gen_vocabulary **chosen, struct diag *diag);

#endif
