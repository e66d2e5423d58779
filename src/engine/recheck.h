/* recheck: judges witnesses by the definitions, independently of the engines.
 *
 * Before a state is reported, its execution and crash cut are judged again by the letter of
 * docs/models/semantics.md. Every operator is a loop over pairs, and the four rules of a cut are
 * checked one after the other. It shares no code with the evaluator of cat_eval.h and the cuts of
 * exec_crash.h. It is slow; it runs only once per reported state, and for one execution with
 * undefined behaviour. */
#ifndef CRASHLIT_RECHECK_H
#define CRASHLIT_RECHECK_H

#include "engine/near_miss.h"

struct recheck;
struct recheck_nodes;

/* The nodes of a model that rechecks evaluate. Make them once for all its requests
 * (engine_request.recheck_nodes); else recheck_new makes them for one request. In `arena`; the
 * model must outlive them. */
const struct recheck_nodes *recheck_nodes_new(struct arena *arena, const struct cat_model *model);

/* For the witnesses of one request, which must outlive it. What witnesses of one execution share is
 * evaluated once. */
struct recheck *recheck_new(const struct engine_request *request);
void recheck_free(struct recheck *recheck);

/* NULL when the witness stands, else what is wrong with it (static text). */
const char *recheck_witness(struct recheck *recheck, const struct engine_witness *witness);

/* As recheck_witness, for a near miss: the witness reaches a state that decides the condition,
 * breaks each rule that it names, and nothing else. */
const char *recheck_near_miss(struct recheck *recheck, const struct near_miss *miss);
/* As recheck_witness, for undefined behaviour without a state: the execution is consistent, and
 * some undefined behaviour that `outcome` has recorded occurs in it. */
const char *recheck_undefined(struct recheck *recheck, const struct engine_witness *witness,
                              const struct outcome *outcome);

#endif
