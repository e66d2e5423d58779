/* gen_blind: finds what the programs of a vocabulary cannot tell.
 *
 * A user's model may look at instructions of its own, which no vocabulary has. Or it may differ
 * from another model in nothing that a program up to the bound has, so that no program was asked.
 * Then it is no answer that no program was found.
 *
 * Built-in models have a vocabulary made for them. Models with the same rules (cat_same.h) are
 * equal whatever was looked at. */
#ifndef CRASHLIT_GEN_BLIND_H
#define CRASHLIT_GEN_BLIND_H

#include "generate/gen_survey.h"

/* Sets survey->blind, after everything else is set. Cost: if a user's model was not told from
 * another one, it goes through the programs up to the first on which their rules differ, asking no
 * engine. */
void gen_blind_find(struct gen_survey *survey, struct session_models *models);
/* Why no program of the bound has everything that the model looks at; NULL: some may, or the model
 * is built in. The text lives in `arena`. */
const char *gen_blind_of(struct arena *arena, const struct session_settings *settings,
                         struct session_models *models, const struct session_model *model,
                         const struct gen_bound *bound);
/* Is something in one of the smallest programs within the bounds, those with one instruction, or
 * with one between marks? */
typedef bool gen_blind_look(const void *context, const struct lit_program *program, bool marked);
bool gen_blind_sees(const struct session_settings *settings, const struct gen_bound *bounds,
                    uint32_t count, gen_blind_look *looks_for, const void *context);
/* Says of which bases no program within the bounds has anything, as far as that is known of single
 * instructions. `empty`: per base (exec_basis.h). */
void gen_blind_empty(const struct session_settings *settings, const struct gen_bound *bounds,
                     uint32_t count, bool *empty);
/* The set is in programs: it is not empty, nor are the relations that are there with it. */
void gen_blind_fill(bool *empty, uint32_t base);
/* Adds to the bound the instructions of its vocabulary that have an event in the set, of these the
 * ones that are nearest to what is there. False: the vocabulary has none. */
bool gen_blind_widen(const struct session_settings *settings, struct gen_bound *bound,
                     uint32_t base) __attribute__((warn_unused_result));
/* Does the visibility model of the first, or a user's model among them, look at acquire, release or
 * atomic accesses? (No program up to a bound is sequentially consistent in any.) */
bool gen_blind_orders(struct arena *scratch, const struct session_settings *settings,
                      struct session_models *models, const struct session_model *const *pairs,
                      uint32_t count);

#endif
