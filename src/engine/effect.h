/* effect: does the memory order, or the scope, of an instruction make a difference to a model?
 *
 * It does when an event with it is in another of the sets that the model's checks, choices and
 * contract ask for than an event that is the same but without it: found out from the resolved
 * model, whatever its author calls the sets. What is not known of an event (what its location is,
 * what a relation holds) is taken to be either, so that an effect is found too often rather than
 * missed.
 */
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
    const cat_node_id *sets; /* those of them that are sets, each behind what it is made of */
    const bool *parts;       /* per node: a relation or a check is made of it */
    uint32_t set_count;
    uint8_t *values; /* per node, of the pair of events that is looked at */
};
struct effects effects_new(struct arena *arena, const struct lit_program *program,
                           const struct cat_model *model);

/* An order that asks for more than relaxed has none on this instruction, while one that asks for no
 * more has, or, of a load or store, this order has on another sort of instruction. A model that
 * tells no orders apart up to this one is taken to give as much to all. */
bool effects_lack_order(const struct effects *effects, const struct lit_instr *instr);
/* Its order has one on an instruction that is like it, but of this sort. */
bool effects_has_order(const struct effects *effects, const struct lit_instr *instr,
                       enum lit_instr_op sort);
/* Its scope has none, while a narrower one would have: a model that knows wider ones alone takes it
 * for too narrow, and one that knows none for as wide as can be. */
bool effects_lack_scope(const struct effects *effects, const struct lit_instr *instr);
/* Nothing that the model asks for knows which read and write are one. */
bool effects_lack_rmw(const struct effects *effects);

#endif
