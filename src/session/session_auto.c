/* The engine that settled the question is asked once more to show executions: it is not known
 * before, and what another engine shows without settling is not wanted. */
#include "session/session_auto.h"

#include "base/guard.h"
#include "session/session_engines.h"
#include "session/session_solver.h"

#include <string.h>

/* What may be taken before a second engine joins in (engine/thresholds.h): by what is cheap some
 * milliseconds, unless it can be no dearer than deciding, and then so many times the least that it
 * can take; by deciding as much as puts it far ahead of what a second engine would have to begin
 * with, unless stores of many threads to one location come in too many orders for an engine that
 * lists them. Of some hundreds of events that is about 400 times the least that it can take; of
 * more that grows, as what the second engine has to begin with does, with the pairs of events. One
 * work-item's states are mostly few, or a product, so these are looked for longer. */
enum { CHEAP_ALONE_TIMES = 2 };

static const struct engine_thresholds *thresholds_of(const struct session_case *question)
{
    const struct session_settings *settings = question->settings;
    return settings->thresholds_given ? &settings->thresholds : &engine_usual_thresholds;
}

/* ---- One engine ---- */

struct attempt {
    const struct engine_entry *engine;
    struct session_settings settings; /* the question's, with states wanted or not */
    struct session_case question;
    struct clock_call_off *rival; /* called off when this one settles it; NULL: there is none */
    struct outcome outcome;
    struct base_pool pool; /* the outcome is in it */
    struct base_guard guard;
    bool failed;  /* the guard has the message; there is no outcome */
    bool settled; /* nothing that another engine could add */
};

static void attempt_init(struct attempt *attempt, const struct session_case *question,
                         const struct engine_entry *engine, bool decide)
{
    *attempt = (struct attempt){.engine = engine, .question = *question};
    attempt->settings = *question->settings;
    attempt->settings.decide = decide;
    attempt->question.settings = &attempt->settings;
    attempt->question.kept = NULL; /* its memory would be of this attempt's pool */
    attempt->guard.pool = &attempt->pool;
}

/* Doubts that another engine would have as well: each runs a work-item by the same code. How long a
 * run may be is what it takes, though, and the engine that lists takes the longest. */
static bool is_shared(int doubt, const struct engine_entry *engine)
{
    return doubt == OUTCOME_DOUBT_UNROLL ||
           (doubt == OUTCOME_DOUBT_LENGTH && engine == session_engine_alone);
}

/* Was it cut off, so that something else than conditions may be open as well? */
static bool is_cut_off(const bool *doubts)
{
    return doubts[OUTCOME_DOUBT_TIMEOUT] || doubts[OUTCOME_DOUBT_MEMORY] ||
           doubts[OUTCOME_DOUBT_MEANING] || doubts[OUTCOME_DOUBT_THREAD] ||
           doubts[OUTCOME_DOUBT_FLAGS] || doubts[OUTCOME_DOUBT_THIN_AIR_FAILURE];
}

static bool knows_conditions(const struct outcome *outcome, const struct lit_program *program)
{
    bool all = program->condition_count || outcome_verdict(outcome, program) != LIT_UNKNOWN;
    for (uint32_t i = 0; i < program->condition_count && all; i++) {
        const struct outcome_judgement judgement =
            outcome_judge(outcome, program, &program->conditions[i]);
        all = judgement.verdict != LIT_UNKNOWN || judgement.vacuous;
    }
    return all;
}

/* Where all states are there, and nobody can say what they mean for some condition, one state may
 * do that, so it is open. */
bool session_auto_is_settled(const struct outcome *outcome, const struct session_case *question,
                             const struct engine_entry *engine)
{
    const struct lit_program *program = question->program;
    bool own = false;
    if (!session_wants_states(question->settings) && outcome_is_entangled(outcome))
        return false;
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++)
        own |= !is_shared(doubt, engine) &&
               (outcome->doubts[doubt] ||
                (program->recovery_count && outcome->recovery_doubts[doubt]));
    return !own || (!is_cut_off(outcome->doubts) && !is_cut_off(outcome->recovery_doubts) &&
                    knows_conditions(outcome, program));
}

static void run_guarded(void *context)
{
    struct attempt *attempt = context;
    session_run_states(&attempt->question, attempt->engine, &attempt->outcome, NULL);
    attempt->settled =
        session_auto_is_settled(&attempt->outcome, &attempt->question, attempt->engine);
}

/* 0: there is no limit. */
static size_t memory_left(const struct base_pool *pool)
{
    if (!pool || !pool->limit)
        return 0;
    return pool->limit > pool->bytes ? pool->limit - pool->bytes : 1;
}

/* In any thread. */
static void *run_attempt(void *context)
{
    struct attempt *attempt = context;
    attempt->failed = !base_guard_call(&attempt->guard, run_guarded, attempt);
    if (attempt->failed)
        base_pool_free(&attempt->pool);
    if (attempt->settled && attempt->rival)
        clock_call_off(attempt->rival);
    return NULL;
}

static bool is_out_of_memory(const struct attempt *attempt)
{
    return attempt->guard.failure == BASE_FAILURE_MEMORY;
}

/* Back in the caller's thread: the outcome is under the caller's guard. Without memory there is an
 * outcome that says so; any other failure is the caller's. */
static void take_outcome(struct attempt *attempt)
{
    if (!attempt->failed) {
        base_pool_give(&attempt->pool, base_pool_current());
        return;
    }
    if (!is_out_of_memory(attempt))
        base_die("%s", attempt->guard.message);
    outcome_init(&attempt->outcome, attempt->question.program);
    outcome_sort(&attempt->outcome);
    attempt->outcome.decided = attempt->settings.decide;
    attempt->outcome.doubts[OUTCOME_DOUBT_MEMORY] = true;
}

/* ---- Two against each other ---- */

struct race {
    struct attempt first, second;
    struct clock_call_off call_off[2];
    struct clock_allowance alone; /* of the first, before the second joins in */
    pthread_t thread;             /* the second's */
    bool joined;                  /* it was started */
};

/* The allowance is used up: from now on the second looks for an answer as well. Where there can be
 * no thread it comes behind the first, which has half of the time that is left. */
static void join_in(void *context)
{
    struct race *race = context;
    struct base_pool *own = &race->first.pool;
    double left = clock_seconds_left(&race->second.question.clock);
    race->second.pool.limit = (memory_left(own) + 1) / 2;
    (void)session_solver_load();
    race->joined = pthread_create(&race->thread, NULL, run_attempt, &race->second) == 0;
    if (race->joined && own->limit)
        own->limit -= race->second.pool.limit;
    if (!race->joined && left > 0)
        race->alone.reserve = left / 2;
}

static void race_init(struct race *race, const struct session_case *question, bool decide,
                      struct clock_allowance alone)
{
    double left = clock_seconds_left(&question->clock);
    *race = (struct race){.alone = alone};
    race->alone.used_up = join_in;
    race->alone.context = race;
    race->alone.reserve = left > 0 ? left * 3 / 4 : 0;
    attempt_init(&race->first, question, session_engine_alone, decide);
    attempt_init(&race->second, question, session_engine_explaining, decide);
    for (int i = 0; i < 2; i++)
        clock_call_off_init(&race->call_off[i]);
    race->first.question.clock.call_off = race->second.rival = &race->call_off[0];
    race->second.question.clock.call_off = race->first.rival = &race->call_off[1];
    race->first.question.clock.allowance = &race->alone;
    race->first.pool.limit = memory_left(base_pool_current());
}

static void race_fini(struct race *race)
{
    for (int i = 0; i < 2; i++)
        clock_call_off_fini(&race->call_off[i]);
}

/* Where the first has come to an end by itself before it used up what it may take alone, and leaves
 * something open, the second is asked in this thread. */
static void run_race(struct race *race)
{
    run_attempt(&race->first);
    bool broken = race->first.failed && !is_out_of_memory(&race->first);
    if (race->joined) {
        if (broken)
            clock_call_off(&race->call_off[1]);
        pthread_join(race->thread, NULL);
    } else if (!race->first.settled && !broken) {
        (void)session_solver_load();
        race->second.pool.limit = memory_left(&race->first.pool);
        run_attempt(&race->second);
    }
}

/* ---- What comes of it ---- */

static void take_attempt(struct outcome *outcome, struct attempt *taken)
{
    *outcome = taken->outcome;
    outcome->decided_by = taken->settled ? taken->engine->name : NULL;
}

/* Of an engine that was called off, or not asked. */
static void drop_outcome(struct attempt *attempt)
{
    if (attempt->failed && !is_out_of_memory(attempt))
        base_die("%s", attempt->guard.message);
    base_pool_free(&attempt->pool);
}

/* Neither has settled it. */
static void take_both(const struct session_case *question, struct outcome *outcome,
                      struct race *race)
{
    const char *const names[] = {race->first.engine->name, race->second.engine->name};
    *outcome = race->first.outcome;
    outcome_join(outcome, &race->second.outcome, names);
    outcome_fini(&race->second.outcome);
    outcome_tell(outcome, question->program, &question->clock);
}

static void run_both(const struct session_case *question, bool decide, struct clock_allowance alone,
                     struct outcome *outcome)
{
    struct race race;
    race_init(&race, question, decide, alone);
    run_race(&race);
    race_fini(&race);
    take_outcome(&race.first);
    if (race.first.settled) {
        drop_outcome(&race.second);
        take_attempt(outcome, &race.first);
        return;
    }
    take_outcome(&race.second);
    if (!race.second.settled) {
        take_both(question, outcome, &race);
        return;
    }
    take_attempt(outcome, &race.second);
    outcome_fini(&race.first.outcome);
}

/* One work-item that runs straight through, with little that orders what it stores: it has few
 * executions, each with a product of crash states, and to list these takes little more than to
 * decide. */
static bool is_straight(const struct lit_program *program, uint32_t few_orders)
{
    uint32_t orders = 0;
    for (uint32_t i = 0; program->thread_count == 1 && i < program->threads[0].code_count; i++) {
        enum lit_instr_op op = program->threads[0].code[i].op;
        if (lit_instruction_jumps(op))
            return false;
        orders += lit_instruction_meets(op) || op == LIT_FENCE;
    }
    return program->thread_count == 1 && !program->recovery_count && orders <= few_orders;
}

/* What comes of an attempt within little. */
enum cheap { CHEAP_SETTLED, CHEAP_BEGUN, CHEAP_NOT_BEGUN };

/* Not settled: there is no outcome. Not begun: the least that it can take is more. */
static enum cheap run_within(const struct session_case *question, bool decide,
                             struct clock_allowance little, struct outcome *outcome)
{
    struct attempt attempt;
    attempt_init(&attempt, question, session_engine_alone, decide);
    attempt.question.clock.allowance = &little;
    attempt.pool.limit = memory_left(base_pool_current());
    run_attempt(&attempt);
    take_outcome(&attempt);
    bool begun = attempt.outcome.stats.skeletons > 0;
    if (attempt.settled || question->lost != SESSION_LOSS_NONE) {
        take_attempt(outcome, &attempt);
        return CHEAP_SETTLED;
    }
    outcome_fini(&attempt.outcome);
    return begun ? CHEAP_BEGUN : CHEAP_NOT_BEGUN;
}

static enum cheap run_cheaply(const struct session_case *question, struct outcome *outcome)
{
    const struct engine_thresholds *thresholds = thresholds_of(question);
    struct clock_allowance little = {.left = thresholds->cheap_steps};
    if (question->program->thread_count == 1)
        little.left *= CHEAP_ALONE_TIMES;
    little.least_times = is_straight(question->program, thresholds->straight_orders)
                             ? thresholds->cheap_least_times
                             : 0;
    return run_within(question, question->settings->decide, little, outcome);
}

/* In place of a number of stores: some access reads and writes the location at once, so that its
 * stores come in the order of those that read them. */
static const uint32_t is_modified = UINT32_MAX;

static void note_modified(const struct lit_thread *thread, uint32_t *stores)
{
    EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
        bool modifies = lit_instruction_reads(instr->op) && lit_instruction_writes(instr->op);
        for (uint32_t k = 0; modifies && k < instr->addr.count; k++)
            stores[lit_address_element(&instr->addr, k)] = is_modified;
    }
}

/* How many atomic stores to its location there are of threads before. Counts its own where `add`
 * says so. */
static uint64_t count_stores(const struct lit_thread *thread, uint32_t *stores, uint32_t add)
{
    uint64_t before = 0;
    EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
        if (instr->op != LIT_STORE || instr->nonatomic || instr->addr.count != 1 ||
            stores[instr->addr.first] == is_modified)
            continue;
        before += stores[instr->addr.first];
        stores[instr->addr.first] += add;
    }
    return before;
}

/* Are there many pairs of atomic stores of different threads to one location? Of others there are
 * races, or what keeps them away orders the stores. */
static bool has_many_orders(const struct session_case *question)
{
    const struct lit_program *program = question->program;
    uint64_t pairs = 0;
    uint32_t *stores = base_realloc(NULL, (program->location_count + 1) * sizeof *stores);
    memset(stores, 0, program->location_count * sizeof *stores);
    for (uint32_t t = 0; t < program->thread_count; t++)
        note_modified(&program->threads[t], stores);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        pairs += count_stores(&program->threads[t], stores, 0);
        (void)count_stores(&program->threads[t], stores, 1);
    }
    base_free(stores);
    return pairs > thresholds_of(question)->store_pairs;
}

/* False: nothing was settled within what is cheap, and there is no outcome. What comes then may
 * want the solver, so a process that cannot load it asks for another one before. As that takes as
 * long as it takes to decide something small, which may have too many states to be listed, that is
 * tried first, as is what may begin to be decided and has many orders, as the solver would soon
 * join in. A process that can load it goes on from where it is, without trying the same within less
 * first. */
static bool run_first(const struct session_case *question, bool decide, struct outcome *outcome)
{
    const struct clock_allowance less = {.left = thresholds_of(question)->cheap_deciding_steps};
    bool deferred = session_solver_is_deferred(), other = decide != question->settings->decide;
    enum cheap cheap = deferred || other ? run_cheaply(question, outcome) : CHEAP_NOT_BEGUN;
    bool small = cheap == CHEAP_BEGUN || (cheap == CHEAP_NOT_BEGUN && has_many_orders(question));
    if (small && deferred && other)
        cheap = run_within(question, true, less, outcome);
    if (cheap == CHEAP_SETTLED)
        return true;
    if (deferred) {
        session_choice_is_dear(&question->parts);
        (void)session_solver_load(); /* does not come back */
    }
    return false;
}

static struct clock_allowance allowance_alone(const struct session_case *question, bool decide)
{
    const struct engine_thresholds *thresholds = thresholds_of(question);
    if (!decide || has_many_orders(question))
        return (struct clock_allowance){.left = thresholds->cheap_steps};
    return (struct clock_allowance){.left = thresholds->deciding_steps,
                                    .least_times = thresholds->deciding_least_times};
}

/* The engine that settled it shows its executions, as far as time goes; nobody's are shown of what
 * nobody did. */
static void show(const struct session_case *question, const struct outcome *outcome,
                 const struct session_view *view)
{
    struct attempt again;
    if (!outcome->decided_by)
        return;
    attempt_init(&again, question, session_engine_find(outcome->decided_by), outcome->decided);
    session_run_states(&again.question, again.engine, &again.outcome, view);
    outcome_fini(&again.outcome);
}

void session_auto_run(const struct session_case *question, struct outcome *outcome,
                      const struct session_view *view)
{
    bool decide = !session_wants_states(question->settings);
    if (session_choice_begin(&question->parts) || !run_first(question, decide, outcome))
        run_both(question, decide, allowance_alone(question, decide), outcome);
    if (view)
        show(question, outcome, view);
}
