/* smt_attempt: one formula for explanations, with assumption literals. Its solutions reach a state
 * that decides a condition. Every check of the model and every rule of the crash cut may be assumed
 * or not. Private to the symbolic engine.
 *
 *   smt_attempt_init(&a, &question); smt_rules_drop_line(...), if lines are to order nothing;
 *   if (smt_attempt_build(&a)) answer = smt_attempt_ask(&a, ...), as often as wanted;
 *   smt_attempt_fini(&a);
 *
 * Ownership: an attempt owns its solver and its arena. Doubts go to the question's outcome. */
#ifndef CRASHLIT_SMT_ATTEMPT_H
#define CRASHLIT_SMT_ATTEMPT_H

#include "smt/smt_query.h"
#include "smt/smt_rules.h"

struct smt_attempt_question {
    const struct engine_request *request;
    const struct lit_condition *condition; /* final or crashed */
    struct outcome *outcome;               /* has the columns of states */
    engine_witness_callback *on_witness;   /* for smt_attempt_show, in place of the request's */
    void *context;
};

struct smt_attempt {
    const struct lit_condition *condition;
    struct engine_request request;
    struct smt_query query;
    uint32_t count;         /* how many rules; smt_rules_get gives them by number */
    const smt_term *wishes; /* assumed beside the rules; in no core */
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
/* Can the state be reached under the assumed rules (bools by number)? After SMT_UNSAT `core`,
 * unless NULL, marks assumed rules that were enough to forbid it. SMT_UNKNOWN leaves a doubt. */
enum smt_answer smt_attempt_ask(struct smt_attempt *attempt, const bool *assumed, bool *core);
/* After SMT_SAT: shows the execution, with its cut for a crash state. */
void smt_attempt_show(struct smt_attempt *attempt);

/* ---- The execution in which the crash does least (smt_least.c) ----
 *
 * As few writes as possible are lost; among such executions, as few events as possible have
 * executed. */

/* After SMT_SAT under all rules, for a condition on crash states: leaves the best solution in the
 * solver. When the time runs out that is the best so far, and false is returned. The rules hold from now on. */
bool smt_least_find(struct smt_attempt *attempt);

/* ---- Coherence along program order (smt_coherent.c) ----
 *
 * An execution that breaks a rule should still keep these, as readers take them for granted. Each
 * call returns a variable that implies the fact; assume it or not. Call each once, before the
 * solver is asked.
 *
 * Of writes: a work-item's writes to one location are in coherence order as in program order. Else
 * the rest of acyclic po-loc | rf | co | fr: once a work-item has read or written a write, it later
 * reads no write that is coherence-before it. It reads none of its own later writes. */
smt_term smt_coherent(struct smt_program *program, bool of_writes);

/* ---- Near misses of a state that is out of reach (smt_near_miss.c) ---- */

/* Shows the request's `on_near_miss` an execution of the whole test, no line dropped, that breaks
 * as few rules as possible: one of the `reasons` alone, if that will do. Shows nothing when the
 * time runs out. Does not call the question's own callback. */
void smt_show_near_miss(const struct smt_attempt_question *question, const struct smt_rule *reasons,
                        uint32_t count);

/* ---- Barriers that wait only if the model's `waits` says so (smt_waits.c) ---- */

/* For a state that is out of reach under no rule at all. Adds a reason per kind and scope of
 * barriers that have to wait, with the test's barriers of that kind and scope. Adds none when the
 * state is out of reach whatever waits. SMT_UNSAT: it is known. SMT_UNKNOWN: the time ran out, and
 * nothing is added. */
enum smt_answer smt_explain_waits(const struct smt_attempt_question *question,
                                  struct explanation *explanation);

#endif
