#include "explore/mach_lack.h"
#include "explore/mach_engine.h"

#include "base/clock.h"
#include "base/team.h"
#include "base/vec.h"
#include "engine/recovery.h"
#include "explore/mach_explore.h"
#include "machine/mach_instr.h"
#include "explore/mach_observe.h"
#include "machine/mach_reduce.h"
#include "explore/mach_stuck.h"
#include "machine/mach_symmetry.h"

#include <string.h>

/* Rows that states had before: of two of one hash the later one. */
enum { SIEVE_ROWS = 1024 };
struct sieve {
    int64_t *rows;
    bool *used;
    uint32_t width;
};

struct search {
    const struct engine_request *request;
    struct outcome *outcome;
    struct mach_test test;
    struct mach_observer observer;
    struct mach_stuck *stuck;
    int64_t *row;
    VEC(uint8_t) orbit; /* states, one after the other */
    uint8_t *image;
    size_t found; /* states that the conditions were last held against */
};

/* What a thread keeps, to tell which states have nothing new. */
struct watcher {
    const struct search *search;
    struct mach_observer observer;
    struct mach_stuck *stuck;
    struct sieve crash, final;
    int64_t *row;
};

/* Whether it is new. */
static bool add_shown_state(struct search *s, struct outcome_states *states)
{
    s->observer.final = states == &s->outcome->final;
    for (uint32_t i = 0; i < states->width; i++)
        s->row[i] = mach_look_up(&s->observer, &states->items[i]);
    bool added = outcome_add_state(states, s->row);
    s->outcome->doubts[OUTCOME_DOUBT_STATES] |= states->full;
    return added;
}

/* Does a state decide each condition? Recovery wants all crash states, for its livelocks. */
static bool all_decided(const struct search *s)
{
    const struct lit_program *program = s->request->program;
    if (program->recovery_count)
        return false;
    EACH (const struct lit_condition, condition, program->conditions, program->condition_count) {
        struct outcome_judgement counts = outcome_judge(s->outcome, program, condition);
        if ((condition->quantifier == LIT_FORALL ? counts.negative : counts.positive) == 0)
            return false;
    }
    return true;
}

/* Conditions are looked at again only when there are new states to decide them. */
static bool may_stop(struct search *s)
{
    if (s->request->endless)
        return s->request->decide && s->outcome->undefined.count;
    size_t found = s->outcome->crash.count + s->outcome->final.count;
    if (!s->request->decide || found == s->found)
        return false;
    s->found = found;
    return all_decided(s);
}

/* Whether it shows something new. */
static bool look_at(struct search *s, const uint8_t *state, bool final)
{
    bool added = false;
    mach_observe(&s->observer, state);
    if (!s->request->no_crash_states && mach_may_crash(&s->observer))
        added = add_shown_state(s, &s->outcome->crash);
    s->outcome->ended |= mach_is_done(&s->observer);
    if (mach_is_final(&s->observer))
        added |= add_shown_state(s, &s->outcome->final);
    else if (!s->request->conditions_alone && mach_is_stuck(s->stuck, &s->test, state))
        added |= mach_stuck_report(s->stuck, state, s->outcome);
    else if (!s->request->conditions_alone && !s->request->endless && final &&
             mach_holds_some(&s->test, state))
        outcome_add_flag(s->outcome, MACH_STUCK_FLAG);
    return added;
}

/* The other states of the orbit of one that showed something new. What exchanges make of something
 * new is looked for when it comes, so nothing new comes of a state that shows nothing new. */
static void look_at_orbit(struct search *s, const uint8_t *state, bool final)
{
    const struct mach_symmetry *symmetry = s->test.symmetry;
    uint32_t size = s->test.size;
    VEC_CLEAR(&s->orbit);
    for (size_t from = 0, count = 1; from < count; from++)
        for (uint32_t i = 0; i < mach_symmetry_count(symmetry); i++) {
            memcpy(s->image, from ? &s->orbit.items[(from - 1) * size] : state, size);
            mach_symmetry_exchange(symmetry, &s->test, i, s->image);
            if (!look_at(s, s->image, final))
                continue;
            for (uint32_t k = 0; k < size; k++)
                VEC_PUSH(&s->orbit, s->image[k]);
            count++;
        }
}

static bool visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct search *s = context;
    (void)number;
    if (look_at(s, state, final) && s->test.symmetry)
        look_at_orbit(s, state, final);
    return !may_stop(s);
}

/* ---- What is worth a visit ---- */

static struct sieve sieve_new(struct arena *arena, uint32_t width)
{
    return (struct sieve){ARENA_ARRAY(arena, int64_t, SIEVE_ROWS * width + 1),
                          ARENA_ARRAY(arena, bool, SIEVE_ROWS), width};
}

/* Is it perhaps the first state with the row that it has? */
static bool is_new_row(struct watcher *w, struct sieve *sieve, const struct outcome_states *states)
{
    uint64_t hash = 0;
    w->observer.final = sieve == &w->final;
    for (uint32_t i = 0; i < sieve->width; i++) {
        w->row[i] = mach_look_up(&w->observer, &states->items[i]);
        hash = (hash ^ (uint64_t)w->row[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    size_t at = hash % SIEVE_ROWS, bytes = sieve->width * sizeof *w->row;
    int64_t *row = sieve->rows + at * sieve->width;
    if (sieve->used[at] && memcmp(row, w->row, bytes) == 0)
        return false;
    memcpy(row, w->row, bytes);
    sieve->used[at] = true;
    return true;
}

/* As visit() does it, but that nothing is changed. */
static uint8_t watch(void *context, struct mach_test *test, const uint8_t *state, bool final)
{
    struct watcher *w = context;
    const struct search *s = w->search;
    uint8_t interest = 0;
    w->observer.test = test;
    if (!mach_observe(&w->observer, state))
        return MACH_VISIT;
    if (!s->request->no_crash_states && mach_may_crash(&w->observer))
        interest |= MACH_COUNT | (is_new_row(w, &w->crash, &s->outcome->crash) ? MACH_VISIT : 0);
    if (!s->outcome->ended && mach_is_done(&w->observer))
        interest |= MACH_VISIT;
    if (mach_is_final(&w->observer))
        interest |= is_new_row(w, &w->final, &s->outcome->final) ? MACH_VISIT : 0;
    else if (!s->request->conditions_alone &&
             (mach_is_stuck(w->stuck, test, state) || (final && mach_holds_some(test, state))))
        interest |= MACH_VISIT;
    return interest;
}

static struct watcher *watcher_new(struct arena *arena, const struct search *s)
{
    struct watcher *w = ARENA_NEW(arena, struct watcher);
    const struct outcome *outcome = s->outcome;
    *w = (struct watcher){
        .search = s,
        .observer = s->observer,
        .stuck = mach_stuck_new(arena, &s->test, s->request->endless),
        .crash = sieve_new(arena, outcome->crash.width),
        .final = sieve_new(arena, outcome->final.width),
        .row = ARENA_ARRAY(arena, int64_t, outcome->crash.width + outcome->final.width + 1)};
    w->observer.room = ARENA_ARRAY(arena, uint8_t, s->test.size);
    return w;
}

/* ---- All of it ---- */

/* With a symmetry also where others meet with the mishap. */
static void add_mishaps(struct mach_test *test)
{
    const struct lit_thread *threads = test->program->threads;
    for (uint32_t i = 0; test->symmetry && i < test->mishap_count; i++)
        for (uint32_t k = 0; k < mach_symmetry_count(test->symmetry); k++) {
            uint32_t from = test->mishaps[i].thread;
            uint32_t thread = mach_symmetry_thread(test->symmetry, k, from);
            mach_add_mishap(test, thread,
                            threads[thread].code + (test->mishaps[i].instr - threads[from].code));
        }
}

static void report_faults(struct search *s)
{
    add_mishaps(&s->test);
    EACH (const struct mach_mishap, where, s->test.mishaps, s->test.mishap_count) {
        const struct outcome_undefined undefined = outcome_fault(where->thread, where->instr);
        outcome_add_undefined(s->outcome, &undefined);
    }
}

static void explore(struct search *s, struct arena *arena)
{
    struct outcome *outcome = s->outcome;
    void *watchers[TEAM_MOST];
    struct mach_limits limits = {.states = mach_choice_of(s->request).max_states,
                                 .every_step = mach_choice_of(s->request).every_step,
                                 .clock = s->request->limits.clock,
                                 .threads = mach_threads_of(s->request),
                                 .filter = watch,
                                 .filters = watchers};
    for (uint32_t i = 0; i < limits.threads; i++)
        watchers[i] = watcher_new(arena, s);
    struct mach_exploration *e = mach_explore(&s->test, &limits, visit, s);
    struct mach_totals totals = mach_totals(e);
    outcome->stats.steps = totals.steps;
    outcome->stats.states = totals.states;
    outcome->stats.cuts += totals.counted;
    outcome->ran |= totals.looked_at > 0;
    if (totals.doubt != OUTCOME_DOUBT_COUNT)
        outcome->doubts[totals.doubt] = true;
    if (!s->request->conditions_alone && !s->request->endless)
        report_faults(s);
    mach_exploration_free(e);
}

uint32_t mach_threads_of(const struct engine_request *request)
{
    uint32_t said = mach_choice_of(request).threads;
    uint32_t threads = said ? said : request->limits.threads;
    return !threads ? 1 : threads < TEAM_MOST ? threads : TEAM_MOST;
}

static uint32_t default_states(const struct engine_request *request)
{
    uint64_t states = (uint64_t)request->limits.memory_mib * MACH_STATES_A_MIB;
    return !states                     ? MACH_DEFAULT_STATES
           : states < MACH_MOST_STATES ? (uint32_t)states
                                       : MACH_MOST_STATES;
}

struct mach_choice mach_choice_of(const struct engine_request *request)
{
    const struct mach_choice *said = request->own;
    struct mach_choice choice = said ? *said : (struct mach_choice){0};
    if (!choice.max_states)
        choice.max_states = default_states(request);
    return choice;
}

const struct mach_file *mach_file_for(struct arena *arena, const struct engine_request *request)
{
    const struct mach_file *file = mach_choice_of(request).file;
    const struct cat_model *model = request->model;
    return file ? file
                : mach_config_promising(arena, model ? model->visibility : NULL,
                                        model ? model->persistency : NULL);
}

/* The columns of states tell what is asked: rows of states that are exchanged are exchanged. */
static void use_symmetry(struct search *s, struct arena *arena)
{
    const struct engine_request *request = s->request;
    const struct stabilizer_question question = {
        .props = {request->program->filter}, .states = {&s->outcome->final, &s->outcome->crash}};
    struct exec_symmetry symmetry =
        request->symmetry ? *request->symmetry : exec_symmetry_new(arena, request->program);
    struct stabilizer left = stabilizer_new(arena, &symmetry, request->program, &question);
    s->test.symmetry = mach_symmetry_new(arena, &s->test, &left);
    s->image = ARENA_ARRAY(arena, uint8_t, s->test.size);
}

static void explore_on(const struct engine_request *request, const struct mach_file *file,
                       struct outcome *outcome)
{
    struct search s = {.request = request, .outcome = outcome};
    SCOPED(arena) arena = {0};
    uint32_t width =
        outcome->final.width > outcome->crash.width ? outcome->final.width : outcome->crash.width;
    struct timespec started = clock_now_monotonic();
    s.row = ARENA_ARRAY(&arena, int64_t, width + 1);
    mach_test_init(&s.test, &arena, file->machine, request->program, &file->config);
    s.observer = (struct mach_observer){.test = &s.test,
                                        .crash_mode = request->crash_mode,
                                        .room = ARENA_ARRAY(&arena, uint8_t, s.test.size)};
    enum outcome_doubt obstacle = mach_obstacle(&s.test, request->model);
    if (obstacle == OUTCOME_DOUBT_COUNT) {
        s.stuck = mach_stuck_new(&arena, &s.test, request->endless);
        if (!mach_choice_of(request).no_reduction)
            mach_reduce_init(&s.test, &arena, request->crash_mode == EXEC_CRASH_POINTS);
        if (s.test.future && request->decide && !request->program->recovery_count)
            mach_reduce_to_conditions(&s.test, &arena, request->crash_mode == EXEC_CRASH_END);
        if (s.test.future)
            use_symmetry(&s, &arena);
        explore(&s, &arena);
    } else {
        outcome->doubts[obstacle] = true;
        outcome->not_encoded = mach_not_encoded(&outcome->arena, &s.test, request->model);
    }
    VEC_FREE(&s.orbit);
    outcome_sort(outcome);
    outcome->stats.seconds = clock_seconds_since(&started);
}

/* Without its recovery. */
static void run_alone(const struct engine_request *request, struct outcome *outcome)
{
    SCOPED(arena) arena = {0};
    explore_on(request, mach_file_for(&arena, request), outcome);
}

void mach_run(const struct engine_request *request, struct outcome *outcome)
{
    struct recovery_options options = {.run = run_alone};
    run_alone(request, outcome);
    recovery_run(request, outcome, &options);
}
