/* cat_eval: the values of a model's expressions on one skeleton of events.
 *
 * A plan is made once per model: which nodes can be computed before any choice of
 * rf and co (static), which are needed to see early that a check is lost, which
 * only for complete witnesses. An evaluation holds the values on one skeleton.
 *
 * While rf and co are undecided every dynamic base has a lower bound (pairs in
 * every completion) and an upper bound (pairs in some completion). Bounds follow
 * every operator: monotone ones keep sides, `~` and the right of `\` swap them. A
 * check whose lower bound already breaks it is lost for all completions.
 *
 * Ownership: plan and evaluation live in the arenas they are made in. Nothing is
 * allocated after cat_eval_new. Memory is not written to before it is needed.
 */
#ifndef CRASHLIT_CAT_EVAL_H
#define CRASHLIT_CAT_EVAL_H

#include "base/arena.h"
#include "base/clock.h"
#include "cat/cat_ir.h"
#include "rel/relation.h"

struct cat_plan;
struct cat_eval;

const struct cat_plan *cat_plan_new(struct arena *arena, const struct cat_model *model);
/* The same, and what the model shows is computed too. */
const struct cat_plan *cat_plan_new_for_pictures(struct arena *arena,
                                                 const struct cat_model *model);

/* The same, and whether partial witnesses may still raise flags can be asked. */
const struct cat_plan *cat_plan_new_for_flags(struct arena *arena, const struct cat_model *model);

/* The same, and whether undefined_unless may still fail can be asked; and what partial witnesses
 * have of the contract. */
const struct cat_plan *cat_plan_new_for_undefined(struct arena *arena,
                                                  const struct cat_model *model);
const struct cat_plan *cat_plan_new_for_crashes(struct arena *arena, const struct cat_model *model);

/* The most words of an evaluation of more than CAT_FEW_EVENTS events. */
enum { CAT_FEW_EVENTS = 1024, CAT_MAX_WORDS = 5 << 26 };

/* Would it fit the memory that an evaluation may take? A few events always do. */
bool cat_eval_fits(const struct cat_plan *plan, struct rel_dim dim);
/* What all values together take of an allowance, about; of more than one word a row. */
uint64_t cat_eval_cost(const struct cat_plan *plan, struct rel_dim dim);
struct cat_eval *cat_eval_new(struct arena *arena, const struct cat_plan *plan, struct rel_dim dim);

/* What is static of one skeleton, for several evaluations on it, one after the other, by whichever
 * plans of one model. It lives in its arena, the evaluations in theirs. */
struct cat_fixed;
struct cat_fixed *cat_fixed_new(struct arena *arena, const struct cat_plan *plan,
                                struct rel_dim dim);
/* Has an evaluation computed it? Then static bases need not be written again. */
bool cat_fixed_known(const struct cat_fixed *fixed);
struct cat_eval *cat_eval_new_on(struct arena *arena, const struct cat_plan *plan,
                                 struct cat_fixed *fixed);

/* From now on, when that moment has come, nothing is computed any more and no check is said to
 * hold. It is copied. */
void cat_eval_heed(struct cat_eval *eval, const struct clock_limit *clock);

/* Where the caller writes the value of a base name (a set: dim.words words; a
 * relation: dim.n * dim.words). NULL when the model never mentions it. `upper` is
 * for dynamic bases only; static ones have one value. */
rel_word *cat_eval_base(struct cat_eval *eval, uint32_t base, bool upper);
/* For each base name a node, or CAT_NONE when the model never mentions it. */
const cat_node_id *cat_eval_bases(const struct cat_eval *eval);

/* The model, and the same for what a CAT_TAGGED node stands for. */
const struct cat_model *cat_eval_model(const struct cat_eval *eval);
rel_word *cat_eval_tagged(struct cat_eval *eval, uint32_t tagged);

/* The same for a choice of the model, whose value is the caller's as that of a base is. */
rel_word *cat_eval_choice(struct cat_eval *eval, uint32_t choice, bool upper);

/* Computes what does not depend on dynamic bases, and returns whether the
 * required checks (CAT_CHECK) among it hold. Call once, after the static bases. */
bool cat_eval_static(struct cat_eval *eval);

/* With both bounds of all dynamic bases set: can some completion still pass every
 * required check? May say true wrongly, never false wrongly. */
bool cat_eval_viable(struct cat_eval *eval);

/* The same question, when cat_eval_changed was told of each dynamic base and choice whose bounds
 * are others than when it was asked last: what depends on none of them is not computed again. */
bool cat_eval_still_viable(struct cat_eval *eval);
void cat_eval_changed(struct cat_eval *eval, uint32_t base);
void cat_eval_changed_choices(struct cat_eval *eval);

/* After cat_eval_viable, by a plan for flags: can some completion raise a flag that is wanted
 * (per check of the model)? May say true wrongly, never false wrongly. */
bool cat_eval_may_raise(struct cat_eval *eval, const bool *wanted);

/* After cat_eval_viable, by a plan for undefined behaviour: can an undefined_unless of some
 * completion fail? May say true wrongly, never false wrongly. */
bool cat_eval_may_fail(struct cat_eval *eval);

/* After cat_eval_viable, by a plan for crashes: what allows each cut that some completion allows.
 * Lower bounds of the contract's names, an upper one of can-persist. False when there was no time
 * for them. */
bool cat_eval_contract(struct cat_eval *eval, const rel_word *bounds[CAT_RESERVED_COUNT]);

/* With every dynamic base decided (its value in the lower bound): computes all
 * that checks and reserved names need. Returns whether the required checks hold. */
bool cat_eval_exact(struct cat_eval *eval);

/* The same in two steps. First whether the required checks hold, and no more than that takes; when
 * they do all the rest, which returns false when there was no time for it. */
bool cat_eval_consistent(struct cat_eval *eval);
bool cat_eval_rest(struct cat_eval *eval);

/* The same with choices still open: computes what depends on the others alone, and looks at
 * no check. For the operands of the next choice. */
void cat_eval_operands(struct cat_eval *eval);

/* Values after cat_eval_exact or cat_eval_operands, of nodes that a check, a choice, a reserved
 * name or something dynamic is or reads; by a plan for pictures of all. */
const rel_word *cat_eval_value(const struct cat_eval *eval, cat_node_id node);
bool cat_eval_holds(const struct cat_eval *eval, const struct cat_check *check);

#endif
