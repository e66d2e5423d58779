/* Executions are shown by the engine that settled the question, asked once more: nobody knows
 * before who that is, and what an engine shows and then does not settle is not wanted. */
#include "session/session_auto.h"

#include "base/guard.h"
#include "session/session_engines.h"
#include "session/session_solver.h"

#include <string.h>

/* What may be taken before engines are set against each other, by a listing: some milliseconds; and
 * by deciding, which then is far ahead of what a second engine would have to begin with, unless
 * stores of many threads to one location come in too many orders for an engine that lists them. Of
 * some hundreds of events that is about 400 times the least that it can take; of more that grows,
 * as what the second engine has to begin with does, with the pairs of events. */
enum {
    LISTING_STEPS = 8000000,
    DECIDING_STEPS = 640000000,
    DECIDING_LEAST_TIMES = 400,
    MANY_PAIRS = 64
};

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
           doubts[OUTCOME_DOUBT_THREAD] || doubts[OUTCOME_DOUBT_FLAGS];
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
    session_run(&attempt->question, attempt->engine, &attempt->outcome, NULL);
    attempt->settled =
        session_auto_is_settled(&attempt->outcome, &attempt->question, attempt->engine);
}

/* Of the caller's; 0: there is no limit. */
static size_t memory_left(void)
{
    const struct base_pool *pool = base_pool_current();
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

/* Back in the caller's thread: the outcome is under the caller's guard. Without memory there is an
 * outcome that says so; any other failure is the caller's. */
static void take_outcome(struct attempt *attempt)
{
    if (!attempt->failed) {
        base_pool_give(&attempt->pool, base_pool_current());
        return;
    }
    if (!strstr(attempt->guard.message, BASE_OUT_OF_MEMORY))
        base_die("%s", attempt->guard.message);
    outcome_init(&attempt->outcome, attempt->question.program);
    outcome_sort(&attempt->outcome);
    attempt->outcome.decided = attempt->settings.decide;
    attempt->outcome.doubts[OUTCOME_DOUBT_MEMORY] = true;
}

/* ---- Two against each other ---- */

struct race {
    struct attempt first, second; /* in this thread, and in another */
    struct clock_call_off call_off[2];
    pthread_t thread;
    struct base_cleanup cleanup;
};

static void race_init(struct race *race, const struct session_case *question, bool decide)
{
    attempt_init(&race->first, question, session_engine_alone, decide);
    attempt_init(&race->second, question, session_engine_explaining, decide);
    for (int i = 0; i < 2; i++)
        clock_call_off_init(&race->call_off[i]);
    race->first.question.clock.call_off = race->second.rival = &race->call_off[0];
    race->second.question.clock.call_off = race->first.rival = &race->call_off[1];
    race->first.pool.limit = race->second.pool.limit = (memory_left() + 1) / 2;
}

static void race_fini(struct race *race)
{
    for (int i = 0; i < 2; i++)
        clock_call_off_fini(&race->call_off[i]);
}

/* One after the other where there can be no thread: the first within half of the time. */
static void run_in_turn(struct race *race)
{
    race->first.question.clock = clock_limit_part(&race->first.question.clock, 0.5);
    run_attempt(&race->first);
    run_attempt(&race->second);
}

static void run_race(struct race *race)
{
    if (pthread_create(&race->thread, NULL, run_attempt, &race->second) != 0) {
        run_in_turn(race);
        return;
    }
    run_attempt(&race->first);
    if (race->first.failed && !strstr(race->first.guard.message, BASE_OUT_OF_MEMORY))
        clock_call_off(&race->call_off[1]);
    pthread_join(race->thread, NULL);
}

/* ---- What comes of it ---- */

static void take(struct outcome *outcome, struct attempt *taken)
{
    *outcome = taken->outcome;
    outcome->decided_by = taken->settled ? taken->engine->name : NULL;
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

static void run_both(const struct session_case *question, bool decide, struct outcome *outcome)
{
    struct race race;
    (void)session_solver_load(); /* a worker without one does not come back from here */
    race_init(&race, question, decide);
    run_race(&race);
    race_fini(&race);
    take_outcome(&race.first);
    take_outcome(&race.second);
    if (race.first.settled)
        take(outcome, &race.first);
    else if (race.second.settled)
        take(outcome, &race.second);
    else {
        take_both(question, outcome, &race);
        return;
    }
    outcome_fini(race.first.settled ? &race.second.outcome : &race.first.outcome);
}

/* False: it was not settled within the allowance, and there is no outcome. */
static bool run_within(const struct session_case *question, bool decide,
                       struct clock_allowance allowance, struct outcome *outcome)
{
    struct attempt attempt;
    attempt_init(&attempt, question, session_engine_alone, decide);
    if (decide) /* much may be taken; the rest of the time is for both */
        attempt.question.clock = clock_limit_part(&question->clock, 0.25);
    attempt.question.clock.allowance = &allowance;
    attempt.pool.limit = memory_left();
    run_attempt(&attempt);
    take_outcome(&attempt);
    if (attempt.settled || question->lost != SESSION_LOSS_NONE)
        take(outcome, &attempt);
    else
        outcome_fini(&attempt.outcome);
    return attempt.settled || question->lost != SESSION_LOSS_NONE;
}

/* How many stores to its location there are of threads before. Counts its own where `add` says so.
 */
static uint64_t count_stores(const struct lit_thread *thread, uint32_t *stores, uint32_t add)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < thread->code_count; i++) {
        const struct lit_instr *instr = &thread->code[i];
        if (instr->op != LIT_STORE || instr->addr.count != 1)
            continue;
        before += stores[instr->addr.first];
        stores[instr->addr.first] += add;
    }
    return before;
}

/* Are there many pairs of stores of different threads to one location? */
static bool has_many_orders(const struct lit_program *program)
{
    uint64_t pairs = 0;
    uint32_t *stores = base_realloc(NULL, (program->location_count + 1) * sizeof *stores);
    memset(stores, 0, program->location_count * sizeof *stores);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        pairs += count_stores(&program->threads[t], stores, 0);
        (void)count_stores(&program->threads[t], stores, 1);
    }
    base_free(stores);
    return pairs > MANY_PAIRS;
}

/* False: nothing was settled within what is cheap, and there is no outcome. */
static bool run_cheaply(const struct session_case *question, bool decide, struct outcome *outcome)
{
    const struct clock_allowance little = {LISTING_STEPS, 0};
    const struct clock_allowance more = {DECIDING_STEPS, DECIDING_LEAST_TIMES};
    if (!question->settings->decide && run_within(question, false, little, outcome))
        return true;
    if (decide &&
        run_within(question, true, has_many_orders(question->program) ? little : more, outcome))
        return true;
    session_choice_is_dear(&question->parts);
    return false;
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
    session_run(&again.question, again.engine, &again.outcome, view);
    outcome_fini(&again.outcome);
}

void session_auto_run(const struct session_case *question, struct outcome *outcome,
                      const struct session_view *view)
{
    bool decide = !session_wants_states(question->settings);
    if (session_choice_begin(&question->parts) || !run_cheaply(question, decide, outcome))
        run_both(question, decide, outcome);
    if (view)
        show(question, outcome, view);
}
