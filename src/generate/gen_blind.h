/* gen_blind: what the programs of a vocabulary cannot tell anything of.
 *
 * A model that is a user's may look at instructions of its own, which no vocabulary has; or it
 * differs from another in nothing that a program up to the bound has, so that none was asked. That
 * no program was found is no answer then.
 *
 * Models that are built in have a vocabulary that speaks of them. Two models of the same rules
 * (cat_same.h) are equal whatever was looked at.
 */
#ifndef CRASHLIT_GEN_BLIND_H
#define CRASHLIT_GEN_BLIND_H

#include "generate/gen_survey.h"

/* Sets survey->blind, once all else is there. Cost: where a user's model was not told from another,
 * the programs up to the first that both rule otherwise, of which nobody is asked. */
void gen_blind_find(struct gen_survey *survey, struct session_models *models);
/* Why no program of the bound has all that the model looks at; NULL: some may, or the model is
 * built in. The text lives in `arena`. */
const char *gen_blind_of(struct arena *arena, const struct session_settings *settings,
                         struct session_models *models, const struct session_model *model,
                         const struct gen_bound *bound);
/* Does one of them, being a user's, look at orders of memory or at atomic accesses? */
bool gen_blind_orders(struct arena *scratch, const struct session_model *const *models,
                      uint32_t count);

#endif
