#include "session/session_run.h"

#include "base/bits.h"
#include "engine/recheck.h"
#include "engine/recovery.h"
#include "explore/mach_engine.h"
#include "session/session_ask.h"
#include "session/session_auto.h"
#include "session/session_engines.h"

#include <string.h>

struct watch {
    const struct engine_request *request;
    const struct engine_request *recovery; /* while a run of it shows witnesses, else NULL */
    struct recheck *recheck, *recovery_recheck;
    const struct session_view *view;
    const struct outcome *outcome;              /* as far as it is filled */
    const int64_t *only;                        /* the one state to show, NULL: all */
    uint32_t only_width;                        /* how many of its columns are given */
    bool only_crash;                            /* that state is a crash state */
    bool shown;                                 /* it was */
    struct engine_kept *kept;                   /* NULL: all is to be shown */
    uint64_t skeleton_number, execution_number; /* of what was rechecked last, 0: nothing */
};

static bool is_wanted(const struct watch *watch, const struct engine_witness *witness)
{
    if (!watch->only)
        return true;
    if (watch->shown || watch->recovery || (witness->cut != NULL) != watch->only_crash)
        return false;
    return !ANY(i, watch->only_width, witness->row[i] != watch->only[i]);
}

/* A witness that does not stand would make a wrong verdict: that is our bug. */
static void refuse_witness(const struct watch *watch, const char *fault)
{
    if (fault)
        base_die("internal error: %s: %s", watch->request->program->source->name, fault);
}

/* What a recheck takes, counted as an evaluator counts: of an execution for each pair of events, of
 * a further cut of it for each word of pairs. */
enum { STEPS_A_WITNESS = 2000, STEPS_A_PAIR = 8, STEPS_A_WORD = 16 };

static void spend_on(struct watch *watch, const struct engine_witness *witness)
{
    uint64_t n = witness->skeleton->dim.n, steps = STEPS_A_WORD * n * BITS_WORDS(n);
    if (witness->skeleton_number != watch->skeleton_number ||
        witness->execution_number != watch->execution_number)
        steps = STEPS_A_PAIR * n * n;
    watch->skeleton_number = witness->skeleton_number;
    watch->execution_number = witness->execution_number;
    clock_spend(&watch->request->limits.clock, STEPS_A_WITNESS + steps);
}

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watch *watch = context;
    const struct session_view *view = watch->view;
    spend_on(watch, witness);
    refuse_witness(watch, recheck_witness(
                              watch->recovery ? watch->recovery_recheck : watch->recheck, witness));
    if (!is_wanted(watch, witness))
        return;
    watch->shown = true;
    if (!watch->recovery && view->on_witness)
        view->on_witness(view->context, watch->request, witness);
    else if (watch->recovery && view->on_recovery_witness)
        view->on_recovery_witness(view->context, watch->recovery, witness);
}

/* Each run of recovery is a program of its own, so it is rechecked anew. */
static void on_recovery(void *context, const struct engine_request *recovery, const int64_t *start)
{
    struct watch *watch = context;
    const struct session_view *view = watch->view;
    if (watch->recovery_recheck)
        recheck_free(watch->recovery_recheck);
    watch->recovery_recheck = recovery ? recheck_new(recovery) : NULL;
    watch->recovery = recovery;
    if (recovery && !watch->only && view->on_recovery)
        view->on_recovery(view->context, watch->request, &watch->outcome->starts, start);
}

static void on_undefined(void *context, const struct engine_witness *witness)
{
    const struct watch *watch = context;
    const struct session_view *view = watch->view;
    refuse_witness(watch, recheck_undefined(watch->recheck, witness, watch->outcome));
    if (!watch->only && !watch->recovery && view->on_undefined)
        view->on_undefined(view->context, watch->request, witness);
}

/* Does a line of the test say that the pair is ok, so that its author knows? */
static bool is_vacuity_meant(const struct session_case *question, const struct engine_entry *engine)
{
    const struct session_model *model = question->model;
    const struct lit_expect *expect = session_ask_expectation(question->program, model->visibility,
                                                              model->persistency, engine->name);
    return expect && expect->verdict == LIT_OK;
}

static struct engine_request request_of(const struct session_case *question, struct watch *watch)
{
    static const struct session_view nobody = {NULL, NULL, NULL, NULL, NULL};
    struct engine_request request = session_case_request(question);
    request.on_witness = on_witness;
    request.on_recovery = on_recovery;
    request.on_undefined = on_undefined;
    request.context = watch;
    watch->view = watch->view ? watch->view : &nobody;
    return request;
}

static void run_engine(const struct session_case *question, const struct engine_entry *engine,
                       struct outcome *outcome, struct watch *watch)
{
    struct engine_request request = request_of(question, watch);
    request.kept = watch->kept;
    watch->request = &request;
    watch->outcome = outcome;
    watch->recheck = recheck_new(&request);
    outcome_init(outcome, question->program);
    outcome->decided = question->settings->decide;
    if (question->lost == SESSION_LOSS_NONE) {
        engine->run(&request, outcome);
        BASE_CHECK(outcome->final.sorted && outcome->crash.sorted);
    }
    session_loss_add(question->lost, outcome);
    outcome->vacuity_is_meant = is_vacuity_meant(question, engine);
    recheck_free(watch->recheck);
}

/* Where the verdict is another than who wrote the test expects reports tell why: by what is found
 * when the pair is asked alone, unless there is no time left for that. */
static void ask_alone(const struct session_case *question, const struct engine_entry *engine,
                      struct outcome *outcome)
{
    const struct session_model *model = question->model;
    const struct lit_expect *expect = session_ask_expectation(question->program, model->visibility,
                                                              model->persistency, engine->name);
    const enum lit_verdict verdict = outcome_verdict(outcome, question->program);
    struct watch watch = {.view = NULL};
    struct outcome alone;
    if (verdict == session_ask_expected(expect) || outcome_any_doubt(outcome))
        return;
    run_engine(question, engine, &alone, &watch);
    bool whole = !outcome_any_doubt(&alone);
    BASE_CHECK(!whole || outcome_verdict(&alone, question->program) == verdict);
    outcome_fini(whole ? outcome : &alone);
    if (whole)
        *outcome = alone;
}

void session_run_states(const struct session_case *question, const struct engine_entry *engine,
                        struct outcome *outcome, const struct session_view *view)
{
    struct watch watch = {.view = view, .kept = view ? NULL : question->kept};
    if (engine->chooses) {
        session_auto_run(question, outcome, view);
        outcome->vacuity_is_meant = is_vacuity_meant(question, engine);
    } else {
        run_engine(question, engine, outcome, &watch);
        if (watch.kept && watch.kept->what)
            ask_alone(question, engine, outcome);
    }
}

/* Of a program without conditions: to decide is to look for one fault, and to list for all. */
static void find_faults(const struct session_case *question, const struct session_model *model,
                        const struct session_settings *settings, const struct engine_entry *engine,
                        struct outcome *outcome, const struct session_view *view)
{
    struct lit_program program = *question->program;
    program.condition_count = program.observed_count = 0;
    if (settings->endless) /* of recovery a livelock tells */
        program.recovery_count = 0;
    const struct session_case asked =
        session_case_begin(settings, model, &program, question->parts);
    session_run_states(&asked, engine, outcome, view);
}

/* What is asked of races alone, of a model that does not call them undefined: none of it counts for
 * conditions. A machine has no words for it. Where another fault was met first all are looked for. */
static void ask_races(const struct session_case *question, const struct engine_entry *engine,
                      struct outcome *outcome, const struct session_view *view)
{
    const struct session_model *races = question->model->races;
    const struct session_view *own = outcome->undefined.count ? NULL : view;
    struct session_settings settings = *question->settings;
    outcome->of_races.told = races && !engine->trace;
    if (!outcome->of_races.told || races == question->model)
        return;
    SCOPED(outcome) found;
    settings.decide = true;
    settings.states = false;
    find_faults(question, races, &settings, engine, &found, own);
    if (found.undefined.count &&
        !ANY(i, found.undefined.count, outcome_is_race(&found.undefined.items[i]))) {
        outcome_fini(&found);
        settings.decide = false;
        settings.states = true;
        find_faults(question, races, &settings, engine, &found, NULL);
    }
    outcome_take_asked(outcome, LIT_PROPERTY_RACE, &found);
    outcome_sort(outcome);
}

/* Who waits for ever is no undefined behaviour: that is a question of its own under any model. A
 * machine may find that somebody does, and not that nobody does. */
static void ask_ends(const struct session_case *question, const struct engine_entry *engine,
                     struct outcome *outcome, const struct session_view *view)
{
    const bool is_first = !outcome->undefined.count && !outcome->asked.count;
    struct session_settings settings = *question->settings;
    SCOPED(outcome) found;
    settings.endless = true;
    settings.decide = !engine->trace;
    settings.states = !settings.decide;
    find_faults(question, question->model, &settings, engine, &found, is_first ? view : NULL);
    outcome_take_asked(outcome, LIT_PROPERTY_ENDS, &found);
    outcome->of_ends.told = !engine->trace || found.undefined.count;
    outcome_sort(outcome);
}

void session_run(const struct session_case *question, const struct engine_entry *engine,
                 struct outcome *outcome, const struct session_view *view)
{
    session_run_states(question, engine, outcome, view);
    if (lit_asks_property(question->program, LIT_PROPERTY_RACE))
        ask_races(question, engine, outcome, view);
    if (lit_asks_property(question->program, LIT_PROPERTY_ENDS))
        ask_ends(question, engine, outcome, view);
}

void session_run_as(const struct session_case *question, const struct engine_entry *engine,
                    const struct lit_program *program, bool decide, struct outcome *outcome)
{
    struct session_settings settings = *question->settings;
    struct session_case asked = *question;
    settings.decide = decide;
    settings.states = !decide;
    asked.settings = &settings;
    asked.program = program;
    session_run(&asked, engine, outcome, NULL);
}

void session_run_for(const struct session_case *question, const struct engine_entry *engine,
                     const struct session_sought *sought, const struct session_view *view)
{
    struct watch watch = {.view = view,
                          .only = sought->row,
                          .only_width = sought->width,
                          .only_crash = sought->crash};
    SCOPED(outcome) outcome;
    run_engine(question, engine, &outcome, &watch);
}

void session_show(const struct session_case *question, const struct engine_entry *engine,
                  const struct outcome *outcome, const struct session_view *view)
{
    struct session_settings settings = *question->settings;
    struct session_case asked = *question;
    struct watch watch = {.view = view};
    SCOPED(outcome) again;
    settings.decide = outcome->decided;
    asked.settings = &settings;
    run_engine(&asked, engine, &again, &watch);
}

struct idempotence session_idempotence(const struct session_case *question, struct arena *arena,
                                       struct outcome *outcome)
{
    const struct recovery_options options = {.run = session_engine_alone->run_alone,
                                             .tracks_initials = true};
    struct idempotence answer = idempotence_check(arena, outcome);
    struct watch watch = {.outcome = outcome};
    const struct engine_request request = request_of(question, &watch);
    watch.request = &request;
    if (answer.chain.recovered && question->lost == SESSION_LOSS_NONE)
        recovery_retrace(&request, outcome, &options, &answer.chain);
    return answer;
}

void session_recover_cuts(const struct session_case *question, struct cuts *cuts)
{
    const struct recovery_options options = {.run = session_engine_alone->run_alone,
                                             .tracks_initials = true};
    struct watch watch = {.outcome = &cuts->columns};
    const struct engine_request request = request_of(question, &watch);
    watch.request = &request;
    if (question->lost == SESSION_LOSS_NONE)
        cuts_recover(cuts, &request, &options);
}

/* ---- Machines ---- */

void session_trace(const struct session_case *question, const struct trace_goal *goal,
                   struct trace *trace)
{
    const struct engine_request request = session_case_request(question);
    if (question->lost == SESSION_LOSS_NONE) {
        session_engine_tracing->trace(&request, goal, trace);
        return;
    }
    trace->machine = mach_file_for(&trace->arena, &request)->name;
    trace->doubt = session_loss_doubt(question->lost);
}

/* States that another machine is looked through for; few need more. */
enum { STATES_ELSEWHERE = 500000 };

/* The first pair that both promise; NULL: none. */
static const struct mach_promise *common_promise(const struct mach_file *a,
                                                 const struct mach_file *b)
{
    return FIND(i, a->promises, a->promise_count,
                mach_file_promises(b, a->promises[i].visibility, a->promises[i].persistency));
}

/* Whether the file's machine settles it. */
static bool ask_other(const struct session_case *question, const struct trace_goal *goal,
                      const struct mach_file *file, struct trace_other *other)
{
    struct session_settings settings = *question->settings;
    struct session_case asked = *question;
    struct trace trace;
    asked.settings = &settings;
    settings.on_machine.file = file;
    if (!settings.on_machine.max_states || settings.on_machine.max_states > STATES_ELSEWHERE)
        settings.on_machine.max_states = STATES_ELSEWHERE;
    const struct engine_request request = session_case_request(&asked);
    trace_init(&trace);
    session_engine_tracing->trace(&request, goal, &trace);
    enum trace_answer answer = trace.answer;
    if (answer == TRACE_FOUND)
        other->steps = trace.count - 1;
    trace_fini(&trace);
    if (answer != TRACE_NONE)
        other->answer = answer;
    return answer == TRACE_FOUND;
}

void session_trace_elsewhere(const struct session_case *question, const struct trace_goal *goal,
                             struct trace *trace)
{
    const struct engine_request request = session_case_request(question);
    const struct mach_file *own = mach_file_for(&trace->arena, &request);
    struct trace_other *other = &trace->other;
    SCOPED(diag) unheard = {0};
    *other = (struct trace_other){.answer = TRACE_NONE};
    for (size_t i = 0; i < mach_builtin_count && other->answer != TRACE_FOUND; i++) {
        const struct mach_file *file = mach_config_load(
            &trace->arena, source_builtin_name(&trace->arena, &mach_builtins[i]), &unheard);
        const struct mach_promise *both =
            file && strcmp(file->name, own->name) != 0 ? common_promise(own, file) : NULL;
        if (!both)
            continue;
        other->visibility = both->visibility;
        other->persistency = both->persistency;
        if (ask_other(question, goal, file, other))
            other->machine = file->name;
    }
}

/* Evaluations of the model (clock_allowance): some seconds at most. */
enum { STEPS_OF_PROMISE = 1 << 25 };

static enum trace_allowed ask_model(const struct session_case *question,
                                    const struct trace_goal *goal)
{
    const struct lit_condition condition = {.when = goal->when,
                                            .quantifier = goal->wanted ? LIT_EXISTS : LIT_FORALL,
                                            .prop = goal->prop,
                                            .text = ""};
    struct lit_program program = *question->program;
    SCOPED(outcome) outcome;
    program.conditions = &condition;
    program.condition_count = 1;
    session_run_as(question, session_engine_alone, &program, true, &outcome);
    struct outcome_judgement counts = outcome_judge(&outcome, &program, &condition);
    enum lit_verdict verdict = outcome_verdict(&outcome, &program);
    return verdict == LIT_UNDEFINED                             ? TRACE_UNDEFINED
           : (goal->wanted ? counts.positive : counts.negative) ? TRACE_ALLOWED
           : outcome_doubt(&outcome)                            ? TRACE_UNDECIDED
                                                                : TRACE_FORBIDDEN;
}

/* A path is a test's, and the machine's pair then stands for it. */
static struct mach_promise pair_to_ask(const struct trace_choice *choice,
                                       const struct mach_file *file)
{
    bool asked = choice->visibility && !cat_model_is_path(choice->asked_visibility) &&
                 !cat_model_is_path(choice->asked_persistency);
    return asked ? (struct mach_promise){choice->asked_visibility, choice->asked_persistency}
                 : file->promises[0];
}

void session_trace_promise(const struct session_case *question, struct session_models *models,
                           const struct trace_choice *choice, const struct trace_goal *goal,
                           struct trace *trace)
{
    const struct engine_request request = session_case_request(question);
    const struct mach_file *file = mach_file_for(&trace->arena, &request);
    const struct cat_asker asker = session_models_user(question->settings);
    const struct mach_promise promise = pair_to_ask(choice, file);
    struct clock_allowance allowance = {.left = STEPS_OF_PROMISE};
    if (file->promise_count == 0 || goal->when == LIT_RECOVERED || !goal->prop)
        return;
    const struct session_model *model =
        session_models_get(models, &asker, promise.visibility, promise.persistency);
    if (!model->model)
        return;
    struct session_case asked =
        session_case_begin(question->settings, model, question->program, question->parts);
    asked.clock.allowance = &allowance;
    trace->promised =
        (struct trace_model){ask_model(&asked, goal), promise.visibility, promise.persistency};
}

void session_trace_state(const struct session_case *question, const struct outcome_states *states,
                         const int64_t *row, bool crash, struct trace *trace)
{
    struct trace_goal goal = {.when = crash ? LIT_CRASHED : LIT_FINAL, .wanted = true};
    goal.prop = lit_prop_row(&trace->arena, states->items, row, states->width);
    if (goal.prop)
        session_trace(question, &goal, trace);
}
