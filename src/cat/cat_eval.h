/* cat_eval: evaluates a model's expressions on one skeleton of events.
 *
 * A plan is made once per model. It says which nodes are static, computed before any choice of rf
 * and co; which are needed to see early that a check fails; and which only for complete witnesses.
 * An evaluation holds the values on one skeleton.
 *
 * While rf and co are undecided every dynamic base has a lower bound (pairs in every completion)
 * and an upper bound (pairs in some completion). Bounds follow every operator: monotone ones keep
 * sides, `~` and the right of `\` swap them. A check whose lower bound already breaks it fails in
 * all completions.
 *
 * Ownership: plan and evaluation live in the arenas they are made in. Nothing is allocated after
 * cat_eval_new. Memory is not written to before it is needed. */
#ifndef CRASHLIT_CAT_EVAL_H
#define CRASHLIT_CAT_EVAL_H

#include "base/arena.h"
#include "base/clock.h"
#include "cat/cat_ir.h"
#include "rel/relation.h"

struct cat_plan;
struct cat_eval;

const struct cat_plan *cat_plan_new(struct arena *arena, const struct cat_model *model);
/* The same, and what pictures show, or what cat_eval_may_raise, cat_eval_may_fail,
 * cat_eval_contract or cat_eval_adds_nothing looks at. */
enum cat_purpose {
    CAT_FOR_ENGINES,
    CAT_FOR_PICTURES,
    CAT_FOR_FLAGS,
    CAT_FOR_UNDEFINED,
    CAT_FOR_CRASHES,
    CAT_FOR_CASES
};
const struct cat_plan *cat_plan_new_for(struct arena *arena, const struct cat_model *model,
                                        enum cat_purpose purpose);

/* The most words of an evaluation of more than CAT_FEW_EVENTS events. */
enum { CAT_FEW_EVENTS = 1024, CAT_MAX_WORDS = 5 << 26 };

/* Does an evaluation fit its memory limit? For few events it always does. */
bool cat_eval_fits(const struct cat_plan *plan, struct rel_dim dim);
/* Roughly what all values cost of a clock's allowance, for rows of more than one word. */
uint64_t cat_eval_cost(const struct cat_plan *plan, struct rel_dim dim);
struct cat_eval *cat_eval_new(struct arena *arena, const struct cat_plan *plan, struct rel_dim dim);

/* The static values of one skeleton, for several evaluations on it, one after the other, by any
 * plans of one model. They live in their arena, the evaluations in theirs. */
struct cat_fixed;
struct cat_fixed *cat_fixed_new(struct arena *arena, const struct cat_plan *plan,
                                struct rel_dim dim);
/* Has an evaluation computed them? Then static bases need not be written again. */
bool cat_fixed_known(const struct cat_fixed *fixed);
struct cat_eval *cat_eval_new_on(struct arena *arena, const struct cat_plan *plan,
                                 struct cat_fixed *fixed);

/* Sets a time limit, which is copied. Past it nothing is computed any more, and no check is said to
 * hold. */
void cat_eval_heed(struct cat_eval *eval, const struct clock_limit *clock);

/* The memory in which the caller writes a base name's value (a set: dim.words words; a relation:
 * dim.n * dim.words). NULL when the model never mentions the name. `upper` is for dynamic bases
 * only; static ones have one value. */
rel_word *cat_eval_base(struct cat_eval *eval, uint32_t base, bool upper);
/* The node of each base name; CAT_NONE when the model never mentions it. */
const cat_node_id *cat_eval_bases(const struct cat_eval *eval);

/* cat_eval_tagged: as cat_eval_base, for a CAT_TAGGED node. */
const struct cat_model *cat_eval_model(const struct cat_eval *eval);
rel_word *cat_eval_tagged(struct cat_eval *eval, uint32_t tagged);

/* As cat_eval_base, for a choice of the model; the caller writes its value, too. */
rel_word *cat_eval_choice(struct cat_eval *eval, uint32_t choice, bool upper);

/* Computes the static values and returns whether the required checks (CAT_CHECK) among them hold.
 * Call once, after writing the static bases. */
bool cat_eval_static(struct cat_eval *eval);

/* Can some completion still pass every required check? Both bounds of all dynamic bases are set.
 * May say true wrongly, never false wrongly. */
bool cat_eval_viable(struct cat_eval *eval);

/* As cat_eval_viable, recomputing only what depends on changes. The caller has reported each
 * dynamic base, and choices, whose bounds differ from the last question. */
bool cat_eval_still_viable(struct cat_eval *eval);
/* The number, from 1, of the check by which that, or cat_eval_consistent, said false; 0: none. */
uint32_t cat_eval_lost(const struct cat_eval *eval);
void cat_eval_changed(struct cat_eval *eval, uint32_t base);
void cat_eval_changed_choices(struct cat_eval *eval);

/* After cat_eval_viable, by a plan for flags: can some completion raise a flag that is wanted (per
 * check of the model)? May say true wrongly, never false wrongly. */
bool cat_eval_may_raise(struct cat_eval *eval, const bool *wanted);

/* After cat_eval_viable, by a plan for undefined behaviour: can some completion fail an
 * undefined_unless? May say true wrongly, never false wrongly. */
bool cat_eval_may_fail(struct cat_eval *eval);

/* After cat_eval_viable, by a plan for crashes: bounds of the contract that allow each cut that
 * some completion allows. Lower bounds of its names, an upper one of can-persist. False when the
 * time ran out. */
bool cat_eval_contract(struct cat_eval *eval, const rel_word *bounds[CAT_RESERVED_COUNT]);

/* After cat_eval_viable, by a plan for cases: is no completion undefined by a check, and raises none
 * a flag besides those that `raised` has (per check of the model)? Then `bounds` is as
 * cat_eval_contract leaves it. May say false wrongly, never true wrongly. */
bool cat_eval_adds_nothing(struct cat_eval *eval, const bool *raised,
                           const rel_word *bounds[CAT_RESERVED_COUNT]);

/* Computes all that checks and reserved names need, once every dynamic base is decided (its value
 * is the lower bound). Returns whether the required checks hold. */
bool cat_eval_exact(struct cat_eval *eval);

/* cat_eval_exact in two steps. cat_eval_consistent: do the required checks hold? It computes no
 * more than these need. Then cat_eval_rest computes the rest; false when the time ran out. */
bool cat_eval_consistent(struct cat_eval *eval);
bool cat_eval_rest(struct cat_eval *eval);

/* As cat_eval_exact while choices are open: computes what depends on decided ones alone, and looks
 * at no check. For the operands of the next choice. */
void cat_eval_operands(struct cat_eval *eval);

/* A value after cat_eval_exact or cat_eval_operands. The node must be a check's, a choice's or a
 * reserved name's, be dynamic, or be an operand of such a node; by a plan for pictures, any
 * node. */
const rel_word *cat_eval_value(const struct cat_eval *eval, cat_node_id node);
bool cat_eval_holds(const struct cat_eval *eval, const struct cat_check *check);

#endif
