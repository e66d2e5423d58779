/* explanation_chosen: which orders of an execution the model chose (`with x from ..`). Such an
 * order may be the other way round in another execution, so no explanation calls it a cause. */
#ifndef CRASHLIT_EXPLANATION_CHOSEN_H
#define CRASHLIT_EXPLANATION_CHOSEN_H

#include "cat/cat_bounds.h"
#include "engine/explanation.h"

/* A witness. */
struct explanation_chooser {
    struct arena *arena;
    const struct engine_request *request;
    const struct engine_witness *witness;
    const bool *used; /* per choice of the model: what the contract says of the cut depends on it;
                         without a cut, executes-before does */
    struct cat_domain domain;
    struct cat_bounds bounds; /* of explanation_unchosen: whatever is chosen */
};

struct explanation_chooser explanation_choose(struct arena *arena,
                                              const struct engine_request *request,
                                              const struct engine_witness *witness);
bool explanation_uses_choices(const struct explanation_chooser *chooser);
/* Adds the orders that are used. */
void explanation_add_choices(const struct explanation_chooser *chooser, rel_word *order);
/* The contract whatever is chosen: lower bounds, and an upper one of can-persist. The chooser must
 * not move. */
void explanation_unchosen(struct explanation_chooser *chooser,
                          const rel_word *contract[CAT_RESERVED_COUNT]);
/* Keeps the pairs of events of a set that are ordered by choice. Neither program order and
 * reads-from nor what the choice has to contain orders them so, and no event of the set stands
 * between. Where some choice is used, call after explanation_unchosen. */
void explanation_tell_chosen(const struct explanation_chooser *chooser,
                             struct explanation *explanation, const rel_word *events);

#endif
