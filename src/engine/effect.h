/* effect: does the memory order or scope of an instruction make a difference to a model?
 *
 * It does when it changes in which sets the instruction's events are, among the sets that the
 * model's checks, choices and contract use. The resolved model is asked, whatever names its author
 * gave the sets. Unknown properties of an event (its location, what a relation holds) may be either
 * way. So an effect is rather found too often than missed. */
#ifndef CRASHLIT_EFFECT_H
#define CRASHLIT_EFFECT_H

#include "base/arena.h"
#include "cat/cat_ir.h"
#include "litmus/lit_program.h"

struct effects {
    const struct lit_program *program;
    const struct cat_model *model;
    const bool *asked;       /* per node: a check, a choice or the contract is made of it */
    const bool *bases;       /* the same per base name */
    const cat_node_id *sets; /* those that are sets, operands first */
    const bool *parts;       /* per node: a relation or a check is made of it */
    uint32_t set_count;
    uint8_t *values; /* per node, for the pair of events looked at */
};
struct effects effects_new(struct arena *arena, const struct lit_program *program,
                           const struct cat_model *model);

/* Does an order stronger than relaxed have no effect on this instruction, though the model tells
 * orders apart? It does tell them apart if an order no stronger than this one has an effect, or,
 * for a load or store, if this order has one on another sort of instruction. A model that tells no
 * orders apart up to this one is taken to give as much to all. */
bool effects_lack_order(const struct effects *effects, const struct lit_instr *instr);
/* Does its order have an effect on an instruction like it, but of this sort? */
bool effects_has_order(const struct effects *effects, const struct lit_instr *instr,
                       enum lit_instr_op sort);
/* Does its scope have no effect, while a narrower one would? A model that knows only wider scopes
 * takes this one for too narrow; one that knows no scopes takes each for the widest. */
bool effects_lack_scope(const struct effects *effects, const struct lit_instr *instr);
/* Does nothing that the model uses know which read and write are one read-modify-write? */
bool effects_lack_rmw(const struct effects *effects);
/* Are the model's answers about all other events known to be the same without persist barriers
 * (effect_barriers.c)? Where work-items meet at them, that is no answer of it. */
bool effects_lack_barriers(const struct effects *effects);

#endif
