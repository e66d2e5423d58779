/* recheck: is a witness what it claims to be?
 *
 * Before a state is reported, the execution and the crash cut behind it are judged
 * again by the letter of docs/models/semantics.md: plain arrays of bool, every operator as a
 * loop over pairs, the four rules of a cut one after the other. It shares no code with
 * the evaluator of cat_eval.h and the cuts of exec_crash.h. Slow, and run once per
 * reported state only, and for one execution with undefined behaviour.
 */
#ifndef CRASHLIT_RECHECK_H
#define CRASHLIT_RECHECK_H

#include "engine/near_miss.h"

struct recheck;
struct recheck_nodes;

/* What is looked at of a model: made once for all its requests (engine_request.recheck_nodes), or
 * by recheck_new for one. In `arena`, as long as the model. */
const struct recheck_nodes *recheck_nodes_new(struct arena *arena, const struct cat_model *model);

/* For the witnesses of one request, which must outlive it. What witnesses of one
 * execution have in common is evaluated once. */
struct recheck *recheck_new(const struct engine_request *request);
void recheck_free(struct recheck *recheck);

/* NULL when the witness stands, else what is wrong with it (static text). */
const char *recheck_witness(struct recheck *recheck, const struct engine_witness *witness);

/* The same for a near miss: the witness reaches a state that decides the condition, breaks each of
 * the rules that it is said to break, and nothing else. */
const char *recheck_near_miss(struct recheck *recheck, const struct near_miss *miss);
/* The same for a witness of undefined behaviour, which has no state: it stands when it is a
 * consistent execution, and one of what `outcome` has recorded so far occurs in it. */
const char *recheck_undefined(struct recheck *recheck, const struct engine_witness *witness,
                              const struct outcome *outcome);

#endif
