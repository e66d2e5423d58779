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

/* ---- Of several executions the one in which the crash does little (smt_least.c) ----
 *
 * As few writes as may be are lost, and of these executions one in which as few events as may be
 * have executed. */

/* After SMT_SAT under all rules, for a condition on crash states: leaves the solution at hand. When
 * the time runs out that is the best so far. The rules hold from now on. */
void smt_least_find(struct smt_attempt *attempt);

/* ---- Coherence along program order, which everyone takes for granted (smt_coherent.c) ----
 *
 * What an execution that breaks a rule is better off keeping. Each is a variable, asserted to imply
 * what it says; assume it or leave it. Call once each, before the solver is asked. */

/* A work-item's writes to one location are in coherence order as in program order. */
smt_term smt_coherent_writes(struct smt_program *program);
/* The rest of acyclic po-loc | rf | co | fr: a work-item that has read or written a write later
 * reads none that is coherence-before it, and reads none that it has yet to write. */
smt_term smt_coherent_reads(struct smt_program *program);

/* ---- What a state that is out of reach would look like (smt_near_miss.c) ---- */

/* Shows the request's `on_near_miss` an execution of the test, none of whose lines is dropped, that
 * breaks as little as may be: one of the `reasons` alone, if that will do. Nothing when the time
 * runs out. The question's own callback is not called. */
void smt_show_near_miss(const struct smt_attempt_question *question, const struct smt_rule *reasons,
                        uint32_t count);

/* ---- Barriers that leave it to the model, as its `waits` has it (smt_waits.c) ---- */

/* For a state that is out of reach under no rule at all: adds, per kind and scope of barriers that
 * have to wait, a reason with the test's barriers of that kind and scope; none when the state is
 * out of reach whatever waits. SMT_UNSAT when that is known, SMT_UNKNOWN when the time ran out,
 * with nothing added. */
enum smt_answer smt_explain_waits(const struct smt_attempt_question *question,
                                  struct explanation *explanation);

#endif
