/* session_explain: why each condition of one test under one model pair is answered as it is.
 *
 * Of a condition on recovery the chain is found first: a crash state, runs of recovery, the
 * recovered state; each crash on it is then explained as that of any program. What would help is
 * asked of those above (place/place_explain.h). A witness or near miss that does not stand ends the
 * process.
 */
#ifndef CRASHLIT_SESSION_EXPLAIN_H
#define CRASHLIT_SESSION_EXPLAIN_H

#include "engine/explanation.h"
#include "session/session_run.h"

/* What all its conditions have in common. */
struct session_explain {
    const struct session_case *question; /* whose clock the conditions share */
    struct outcome outcome;              /* undefined behaviour and doubts, as a check finds them */
};

/* Looks at the test as a whole; so many conditions are to be explained then. */
void session_explain_init(struct session_explain *explain, const struct session_case *question,
                          uint32_t conditions);
void session_explain_fini(struct session_explain *explain);

/* Who is shown the execution that reaches the state, or the one that comes nearest. Either may be
 * NULL; a near miss is looked for when somebody is to be shown it. */
struct session_explain_view {
    void (*on_witness)(void *context, const struct engine_request *request,
                       const struct engine_witness *witness);
    void (*on_near_miss)(void *context, const struct engine_request *request,
                         const struct near_miss *miss);
    void *context;
};

/* One condition, explained. */
struct session_explained {
    struct session_case question; /* with the condition's share of the time */
    const struct lit_condition *condition;
    const struct outcome *outcome; /* of the test, or of a condition on recovery its own */
    struct explanation explanation;
    bool withdrawn; /* it was out of reach but for what was left out: what was shown is void */
    struct outcome_judgement vacuity; /* out of reach for want of any state: `reason`, and whether
                                         it holds of nothing for that */
    enum lit_verdict verdict;
    const struct engine_entry *engine; /* that found the chain; NULL: not a condition on recovery */
    struct explanation_crash *crashes; /* that the chain goes through */
    uint32_t crash_count;
    struct explanation *parts; /* of these */
    struct outcome own;
    struct arena arena;
};

/* The condition `index`, one of `left` that share the time that is left. `view` holds for
 * conditions that are not on recovery. */
void session_explain_condition(const struct session_explain *explain, uint32_t index, uint32_t left,
                               const struct session_explain_view *view,
                               struct session_explained *explained);
void session_explained_fini(struct session_explained *explained);
/* Of all missing orders those that are shown: where changes are advised those of a crash that they
 * stand in, if there are any, else each lost write with what is next. `changes` may be NULL. */
void session_explain_choose_gaps(struct session_explained *explained,
                                 const struct changes *changes);

/* Private to session: of a condition on recovery; the context of a recheck, as engines call it. */
void session_explain_recovery(struct session_explained *explained, uint32_t index);
engine_witness_callback session_explain_recheck;

#endif
