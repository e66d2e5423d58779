/* session_explain: explains why each condition of one test under one model pair is answered as it
 * is.
 *
 * For a condition on recovery the chain is found first: a crash state, runs of recovery, the
 * recovered state. Then each crash on it is explained as one of any program. Modules above find
 * what would help (place/place_explain.h). A witness or near miss that fails its recheck ends the
 * process. */
#ifndef CRASHLIT_SESSION_EXPLAIN_H
#define CRASHLIT_SESSION_EXPLAIN_H

#include "engine/explanation.h"
#include "session/session_run.h"

/* What all conditions share. */
struct session_explain {
    const struct session_case *question; /* the conditions share its clock */
    struct outcome outcome;              /* undefined behaviour and doubts, as a check finds them */
};

/* Looks at the test as a whole. `conditions` of them will be explained. */
void session_explain_init(struct session_explain *explain, const struct session_case *question,
                          uint32_t conditions);
void session_explain_fini(struct session_explain *explain);

/* Callbacks for the execution that reaches the state, or the nearest miss. Either may be NULL;
 * a near miss is looked for in any case, for what it says of the reasons. */
struct session_explain_view {
    void (*on_witness)(void *context, const struct engine_request *request,
                       const struct engine_witness *witness);
    void (*on_near_miss)(void *context, const struct engine_request *request,
                         const struct near_miss *miss);
    void *context;
};

/* The explanation of one condition. */
struct session_explained {
    struct session_case question; /* with this condition's share of the time */
    const struct lit_condition *condition;
    const struct outcome *outcome; /* of the test; for a condition on recovery, `own` */
    struct explanation explanation;
    bool withdrawn; /* it was out of reach only by what was left out: what was shown is void */
    struct outcome_judgement vacuity; /* out of reach since there is no state at all: `reason`, and
                                         whether it holds vacuously */
    enum lit_verdict verdict;
    const struct engine_entry *engine; /* found the chain; NULL: the condition is not on recovery */
    struct explanation_crash *crashes; /* on the chain */
    uint32_t crash_count;
    struct explanation *parts; /* one per crash */
    struct outcome own;
    struct arena arena;
};

/* Explains condition `index`, one of `left` that share the remaining time. `view` is for conditions
 * that are not on recovery. */
void session_explain_condition(const struct session_explain *explain, uint32_t index, uint32_t left,
                               const struct session_explain_view *view,
                               struct session_explained *explained);
void session_explained_fini(struct session_explained *explained);
/* Keeps the missing orders that are shown. Where changes are advised: those of a crash that the
 * changes close, if any. Else: each lost write with what comes next. `changes` may be NULL. */
void session_explain_choose_gaps(struct session_explained *explained,
                                 const struct changes *changes);

/* Private to session: explains a condition on recovery; rechecks witnesses, as an engine's
 * callback. */
void session_explain_recovery(struct session_explained *explained, uint32_t index);
engine_witness_callback session_explain_recheck;

#endif
