/* smt_attempt: the formula of a state that decides a condition, in which every check of the model
 * and every rule of the crash cut may be assumed or not. Private to the symbolic engine.
 *
 *     smt_attempt_init(&a, &question); smt_rules_drop_line(...), if lines are to order nothing;
 *     if (smt_attempt_build(&a)) answer = smt_attempt_ask(&a, ...), as often as wanted;
 *     smt_attempt_fini(&a);
 *
 * Ownership: an attempt owns its solver and its arena. Doubts go to the question's outcome.
 */
#ifndef CRASHLIT_SMT_ATTEMPT_H
#define CRASHLIT_SMT_ATTEMPT_H

#include "smt/smt_query.h"
#include "smt/smt_rules.h"

struct smt_attempt_question {
    const struct engine_request *request;
    const struct lit_condition *condition; /* final or crashed */
    struct outcome *outcome;               /* what the columns of states are */
    engine_witness_callback *on_witness;   /* for smt_attempt_show, in place of the request's */
    void *context;
};

struct smt_attempt {
    const struct lit_condition *condition;
    struct engine_request request;
    struct smt_query query;
    uint32_t count;         /* rules; smt_rules_get has them by number */
    const smt_term *wishes; /* variables that are assumed beside the rules and are in no core */
    uint32_t wish_count;
    /* Of this formula alone. */
    struct smt_crash crash;
    const struct outcome_states *states;
    const smt_term *values;
};

void smt_attempt_init(struct smt_attempt *attempt, const struct smt_attempt_question *question);
void smt_attempt_fini(struct smt_attempt *attempt);
/* False when test or model cannot be encoded, or the time ran out. */
bool smt_attempt_build(struct smt_attempt *attempt) __attribute__((warn_unused_result));
/* Is the state reached under the rules (bools by number) that are assumed? After SMT_UNSAT `core`,
 * unless NULL, says which of these were enough to forbid it. SMT_UNKNOWN leaves a doubt. */
enum smt_answer smt_attempt_ask(struct smt_attempt *attempt, const bool *assumed, bool *core);
/* After SMT_SAT: shows the execution, with its cut for a crash state. */
void smt_attempt_show(struct smt_attempt *attempt);

#endif
