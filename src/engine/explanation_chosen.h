/* explanation_chosen: what of an execution is so by an order that the model chose (`with x from
 * ..`), not by the program. Such an order may be the other way round in another execution, so no
 * explanation speaks of it as of a cause.
 */
#ifndef CRASHLIT_EXPLANATION_CHOSEN_H
#define CRASHLIT_EXPLANATION_CHOSEN_H

#include "cat/cat_bounds.h"
#include "engine/explanation.h"

/* A witness. */
struct explanation_chooser {
    struct arena *arena;
    const struct engine_request *request;
    const struct engine_witness *witness;
    const bool *used; /* per choice of the model: what the contract says of the cut hangs on it, or,
                         without one, executes-before */
    struct cat_domain domain;
    struct cat_bounds bounds; /* of explanation_unchosen: whatever is chosen */
};

struct explanation_chooser explanation_choose(struct arena *arena,
                                              const struct engine_request *request,
                                              const struct engine_witness *witness);
bool explanation_uses_choices(const struct explanation_chooser *chooser);
/* Adds the orders that are used. */
void explanation_add_choices(const struct explanation_chooser *chooser, rel_word *order);
/* What the contract has whatever is chosen: lower bounds, and an upper one of can-persist. The
 * chooser stays where it is. */
void explanation_unchosen(struct explanation_chooser *chooser,
                          const rel_word *contract[CAT_RESERVED_COUNT]);
/* Keeps the pairs of events of a set that are so by choice, after explanation_unchosen where some
 * choice is used: neither program order and reads-from have them so, nor what the choice has to
 * contain, and none of the set stands between. */
void explanation_tell_chosen(const struct explanation_chooser *chooser,
                             struct explanation *explanation, const rel_word *events);

#endif
