/* explanation_chain: what lies between the two events of a rule, from the one to the other. */
#ifndef CRASHLIT_EXPLANATION_CHAIN_H
#define CRASHLIT_EXPLANATION_CHAIN_H

#include "engine/explanation.h"

/* Gives each pair of a rule of the crash cut its chain, as far as the near miss has the pair. */
void explanation_find_chains(struct explanation *explanation, const struct cat_model *model,
                             const struct engine_witness *near_miss);

#endif
