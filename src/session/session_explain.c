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

/* A part of the time that is left. */
static struct session_case share_of(const struct session_case *question,
                                    const struct clock_limit *clock, double part)
{
    struct session_case share = session_case_again(question);
    share.clock = clock_limit_part(clock, part);
    return share;
}

void session_explain_init(struct session_explain *explain, const struct session_case *question)
{
    enum { SECONDS = 60 }; /* of a pair, where its time is not limited */
    explain->question = question;
    session_run_as(question, session_engine_choosing, question->program, true, &explain->outcome);
    explain->clock = question->clock;
    if (!clock_is_limited(&question->clock)) {
        explain->clock = clock_limit_in(SECONDS);
        explain->clock.call_off = question->clock.call_off;
    }
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
    request.limits.clock = clock_limit_part(&x->question.clock, 0.5);
    request.on_witness = on_witness;
    request.on_near_miss = on_near_miss;
    request.context = &watch;
    session_engine_explaining->explain(&request, x->condition, explanation);
    recheck_free(watch.recheck);
    if (!session_settings_limit(x->question.settings) && clock_is_late(&request.limits.clock) &&
        (explanation->doubt || explanation->answer != EXPLANATION_REACHABLE))
        explanation->doubt = "the time for it ran out (--timeout SECONDS gives it more)";
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

/* ---- What was decided ---- */

struct shown {
    struct session_explained *explained;
    const struct session_explain_view *view;
    bool done;
};

static void on_decided(void *context, const struct engine_request *request,
                       const struct engine_witness *witness)
{
    struct shown *shown = context;
    struct explanation *explanation = &shown->explained->explanation;
    const struct lit_condition *condition = shown->explained->condition;
    const struct outcome_states state = {.items = witness->items, .width = witness->width};
    if (shown->done || (witness->cut != NULL) != (condition->when == LIT_CRASHED) ||
        outcome_satisfies(&state, witness->row, request->program, condition->prop) ==
            (condition->quantifier == LIT_FORALL))
        return;
    explanation_show(explanation, request, witness);
    explanation_find_why_not(explanation, request, witness);
    if (shown->view->on_witness)
        shown->view->on_witness(shown->view->context, request, witness);
    shown->done = true;
}

/* Asks for this condition once more, as a part of its own, for the execution. */
static void show_decided(const struct session_explain *explain, struct session_explained *x,
                         const struct session_explain_view *view)
{
    struct session_case again = session_case_again(explain->question);
    struct lit_program *alone = arena_copy(&x->arena, again.program, sizeof *alone);
    struct shown shown = {x, view, false};
    const struct session_view seen = {.on_witness = on_decided, .context = &shown};
    alone->conditions = x->condition;
    alone->condition_count = 1;
    again.program = alone;
    again.clock = explain->question->clock;
    session_show(&again, session_engine_of(session_engine_choosing, x->outcome), x->outcome, &seen);
}

/* The state that was found, as far as its execution is not. */
static void keep_state(struct session_explained *x, const int64_t *row)
{
    const struct outcome_states *states = outcome_states_of(x->outcome, x->condition->when);
    struct explanation *e = &x->explanation;
    e->width = states->width;
    e->row = arena_copy(&e->arena, row, states->width * sizeof *row);
    e->items = arena_copy(&e->arena, states->items, states->width * sizeof *states->items);
}

static void answer_as_decided(const struct session_explain *explain, struct session_explained *x,
                              const struct session_explain_view *view)
{
    const struct lit_program *program = x->question.program;
    int64_t *row = ARENA_ARRAY(&x->arena, int64_t,
                               outcome_states_of(x->outcome, x->condition->when)->width + 1u);
    if (outcome_find_deciding(x->outcome, program, x->condition, row)) {
        x->explanation.answer = EXPLANATION_REACHABLE;
        keep_state(x, row);
        show_decided(explain, x, view);
    } else if (!x->outcome->undefined.count &&
               !outcome_doubt_of(x->outcome, program, x->condition)) {
        x->explanation.answer = EXPLANATION_UNREACHABLE;
        x->explanation.minimal = false;
    }
}

/* Does the engine that explains find what the deciding one does not, or the reverse? */
static void compare_to_decided(struct session_explained *x)
{
    const struct lit_program *program = x->question.program;
    const enum lit_verdict verdict = outcome_judge(x->outcome, program, x->condition).verdict;
    const bool exists = x->condition->quantifier == LIT_EXISTS;
    const bool known = verdict == LIT_OK || verdict == LIT_VIOLATED;
    if (x->explanation.answer == EXPLANATION_UNKNOWN || !known || x->outcome->undefined.count ||
        (x->explanation.answer == EXPLANATION_REACHABLE) == ((verdict == LIT_OK) == exists))
        return;
    x->disputed_by = session_engine_explaining->name;
    x->explanation.answer = EXPLANATION_UNKNOWN;
    x->explanation.doubt =
        arena_printf(&x->arena, "%s and %s disagree, which is a fault of crashlit",
                     session_engine_of(session_engine_choosing, x->outcome)->name, x->disputed_by);
}

static void explain_state(const struct session_explain *explain, struct session_explained *x,
                          const struct session_explain_view *view)
{
    explanation_init(&x->explanation);
    x->explanation.about = x->condition;
    x->explanation.doubt = session_loss_doubt(x->question.lost);
    if (x->question.lost == SESSION_LOSS_NONE) {
        ask_condition(x, view, &x->explanation);
        heed_doubts(x);
        compare_to_decided(x);
    }
    if (x->explanation.answer == EXPLANATION_UNKNOWN && !x->disputed_by)
        answer_as_decided(explain, x, view);
    const bool exists = x->condition->quantifier == LIT_EXISTS;
    if (exists)
        explanation_clear_gaps(&x->explanation); /* it is as it should be */
    else
        explanation_mark_unchanged(&x->explanation, x->question.program);
    if (!exists && x->condition->when == LIT_CRASHED && !x->question.program->has_crash_points)
        explanation_find_reversed(&x->explanation, x->question.program, x->condition->prop);
}

void session_explain_condition(const struct session_explain *explain, uint32_t index, uint32_t left,
                               const struct session_explain_view *view, struct session_explained *x)
{
    const struct lit_program *program = explain->question->program;
    *x = (struct session_explained){.question =
                                        share_of(explain->question, &explain->clock, 1.0 / left),
                                    .condition = &program->conditions[index],
                                    .outcome = &explain->outcome};
    if (x->condition->when == LIT_RECOVERED)
        session_explain_recovery(x, index, &explain->outcome);
    else
        explain_state(explain, x, view);
    const struct outcome_judgement judgement =
        explanation_judge(&x->explanation, x->outcome, x->condition);
    if (x->explanation.answer == EXPLANATION_UNREACHABLE)
        x->vacuity = judgement;
    x->verdict = x->outcome->undefined.count ? LIT_UNDEFINED : judgement.verdict;
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
