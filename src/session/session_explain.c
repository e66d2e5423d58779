#include "session/session_explain.h"

#include "engine/explanation_chain.h"
#include "engine/recheck.h"
#include "session/session_engines.h"

static void refuse_explanation(const char *what, const char *fault)
{
    if (fault)
        base_die("internal error: %s: %s", what, fault);
}

void session_explain_recheck(void *context, const struct engine_witness *witness)
{
    refuse_explanation("an explanation", recheck_witness(context, witness));
}

struct watch {
    const struct engine_request *request;
    struct explanation *explanation;
    struct recheck *recheck;
    const struct session_explain_view *view;
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watch *watch = context;
    session_explain_recheck(watch->recheck, witness);
    if (watch->view->on_witness)
        watch->view->on_witness(watch->view->context, watch->request, witness);
}

static void on_near_miss(void *context, const struct near_miss *miss)
{
    struct watch *watch = context;
    refuse_explanation("a near miss", recheck_near_miss(watch->recheck, miss));
    explanation_find_chains(watch->explanation, watch->request->model, miss->witness);
    if (watch->view->on_near_miss)
        watch->view->on_near_miss(watch->view->context, watch->request, miss);
}

/* Of the time that is left, one part of so many. */
static struct session_case share_of(const struct session_case *question, uint32_t parts)
{
    struct session_case share = session_case_again(question);
    share.clock = clock_limit_part(&question->clock, 1.0 / parts);
    return share;
}

void session_explain_init(struct session_explain *explain, const struct session_case *question,
                          uint32_t conditions)
{
    const struct session_case share = share_of(question, conditions + 1);
    explain->question = question;
    session_run_as(&share, session_engine_explaining, question->program, true, &explain->outcome);
}

void session_explain_fini(struct session_explain *explain)
{
    outcome_fini(&explain->outcome);
}

/* ---- One condition ---- */

static void ask_condition(const struct session_explained *x,
                          const struct session_explain_view *view, struct explanation *explanation)
{
    struct engine_request request = session_case_request(&x->question);
    struct watch watch = {&request, explanation, recheck_new(&request), view};
    request.on_witness = on_witness;
    request.on_near_miss = on_near_miss;
    request.context = &watch;
    session_engine_explaining->explain(&request, x->condition, explanation);
    recheck_free(watch.recheck);
}

/* That nothing reaches the state is known only when nothing was left out. */
static void heed_doubts(struct session_explained *x)
{
    const char *doubt = outcome_doubt_of(x->outcome, x->question.program, x->condition);
    x->withdrawn = x->explanation.answer == EXPLANATION_UNREACHABLE && doubt;
    if (x->withdrawn) {
        x->explanation.answer = EXPLANATION_UNKNOWN;
        x->explanation.doubt = doubt;
    }
}

static void explain_state(struct session_explained *x, const struct session_explain_view *view)
{
    explanation_init(&x->explanation);
    x->explanation.about = x->condition;
    x->explanation.doubt = session_loss_doubt(x->question.lost);
    if (x->question.lost != SESSION_LOSS_NONE)
        return;
    ask_condition(x, view, &x->explanation);
    heed_doubts(x);
    const bool exists = x->condition->quantifier == LIT_EXISTS;
    if (exists)
        explanation_clear_gaps(&x->explanation); /* it is as it should be */
    else
        explanation_mark_unchanged(&x->explanation, x->question.program);
    if (!exists && x->condition->when == LIT_CRASHED && !x->question.program->has_crash_points)
        explanation_find_reversed(&x->explanation, x->question.program, x->condition->prop);
}

/* What the answer means for the condition. */
static enum lit_verdict verdict_of(const struct session_explained *x)
{
    bool exists = x->condition->quantifier == LIT_EXISTS;
    if (x->outcome->undefined.count)
        return LIT_UNDEFINED;
    if (x->vacuity.vacuous)
        return x->vacuity.verdict;
    if (x->explanation.answer == EXPLANATION_REACHABLE && x->condition->refines &&
        x->condition->refines->doubt)
        return LIT_UNKNOWN; /* the source may have the state as well */
    switch (x->explanation.answer) {
    case EXPLANATION_REACHABLE: return exists ? LIT_OK : LIT_VIOLATED;
    case EXPLANATION_UNREACHABLE: return exists ? LIT_VIOLATED : LIT_OK;
    case EXPLANATION_UNKNOWN: break;
    }
    return LIT_UNKNOWN;
}

void session_explain_condition(const struct session_explain *explain, uint32_t index, uint32_t left,
                               const struct session_explain_view *view, struct session_explained *x)
{
    const struct lit_program *program = explain->question->program;
    *x = (struct session_explained){.question = share_of(explain->question, left),
                                    .condition = &program->conditions[index],
                                    .outcome = &explain->outcome};
    if (x->condition->when == LIT_RECOVERED)
        session_explain_recovery(x, index);
    else
        explain_state(x, view);
    if (x->explanation.answer == EXPLANATION_UNREACHABLE)
        x->vacuity = outcome_judge(x->outcome, program, x->condition);
    x->verdict = verdict_of(x);
}

void session_explain_choose_gaps(struct session_explained *x, const struct changes *changes)
{
    bool closed =
        changes && explanation_keep_closed_gaps(&x->explanation, x->question.program, changes);
    for (uint32_t i = 0; i < x->crash_count; i++) {
        bool own =
            changes && explanation_keep_closed_gaps(&x->parts[i], x->crashes[i].program, changes);
        for (uint32_t k = 0; own && !closed && k < i; k++)
            explanation_clear_gaps(&x->parts[k]);
        if (closed && !own)
            explanation_clear_gaps(&x->parts[i]);
        closed |= own;
    }
    if (closed)
        return;
    explanation_keep_next_gaps(&x->explanation);
    for (uint32_t i = 0; i < x->crash_count; i++)
        explanation_keep_next_gaps(&x->parts[i]);
}

void session_explained_fini(struct session_explained *x)
{
    for (uint32_t i = 0; i < x->crash_count; i++)
        explanation_fini(&x->parts[i]);
    explanation_fini(&x->explanation);
    if (x->engine)
        outcome_fini(&x->own);
    arena_fini(&x->arena);
}
