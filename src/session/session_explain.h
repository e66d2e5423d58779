/* session_explain: explains why each condition of one test under one model pair is answered as it
 * is.
 *
 * All conditions are decided first, as `check` decides them. What the explaining engine does not
 * find within its time is told by that answer: the execution of a state that is there, and that no
 * other is.
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
    const struct session_case *question;
    struct clock_limit clock; /* of all that is told: what is left of the question's, or where that
                                 has no limit some time of its own */
    struct outcome outcome;   /* all conditions decided, as a check decides them */
};

void session_explain_init(struct session_explain *explain, const struct session_case *question);
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
    const char *disputed_by;           /* an engine that answers otherwise than another; NULL */
    const struct engine_entry *engine; /* found the chain; NULL: the condition is not on recovery */
    struct explanation_crash *crashes; /* on the chain */
    uint32_t crash_count;
    struct explanation *parts; /* one per crash */
    struct outcome own;
    struct arena arena;
};

/* Explains condition `index`, one of `left` that share the remaining time, within half of its share;
 * the rest is for what would help. `view` is for conditions that are not on recovery. */
void session_explain_condition(const struct session_explain *explain, uint32_t index, uint32_t left,
                               const struct session_explain_view *view,
                               struct session_explained *explained);
void session_explained_fini(struct session_explained *explained);
/* Keeps the missing orders that are shown. Where changes are advised: those of a crash that the
 * changes close, if any. Else: each lost write with what comes next. `changes` may be NULL. */
void session_explain_choose_gaps(struct session_explained *explained,
                                 const struct changes *changes);

/* Private to session: explains a condition on recovery, `decided` being the answer to all; rechecks
 * witnesses, as an engine's callback. */
void session_explain_recovery(struct session_explained *explained, uint32_t index,
                              const struct outcome *decided);
engine_witness_callback session_explain_recheck;

#endif
