#include "machine/mach_engine.h"

#include "machine/mach_explore.h"

#include <time.h>

enum { DEFAULT_STATES = 4000000 };

struct search {
    const struct engine_request *request;
    struct outcome *outcome;
    const struct machine *machine;
    struct mach_test test;
    const uint8_t *state;
    int64_t *row;
    struct timespec started;
    uint32_t ticks;
};

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static bool out_of_time(void *context)
{
    struct search *s = context;
    double limit = s->request->limits.timeout_seconds;
    if (limit > 0 && (++s->ticks & 255) == 0 && seconds_since(&s->started) > limit)
        s->outcome->doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    return s->outcome->doubts[OUTCOME_DOUBT_TIMEOUT];
}

static int64_t look_up(const void *context, const struct lit_atom *atom)
{
    const struct search *s = context;
    if (atom->kind == LIT_ATOM_LOCATION)
        return mach_value(&s->test, s->machine->memory(&s->test, s->state, atom->location));
    return mach_register(&s->test, s->state, atom->thread, atom->reg);
}

static bool all_done(const struct search *s)
{
    for (uint32_t t = 0; t < s->test.program->thread_count; t++)
        if (mach_status(&s->test, s->state, t) != MACH_DONE)
            return false;
    return true;
}

static bool at_a_point(const struct search *s)
{
    for (uint32_t t = 0; t < s->test.program->thread_count; t++) {
        const struct lit_instr *instr = mach_instr(&s->test, s->state, t);
        if (instr && instr->op == LIT_CRASH && mach_status(&s->test, s->state, t) == MACH_RUNNING)
            return true;
    }
    return false;
}

static bool may_crash(const struct search *s)
{
    switch (s->request->crash_mode) {
    case EXEC_CRASH_ANYWHERE: return true;
    case EXEC_CRASH_POINTS: return at_a_point(s);
    case EXEC_CRASH_END: return all_done(s);
    }
    return false;
}

static void add_row(struct search *s, struct outcome_states *states)
{
    for (uint32_t i = 0; i < states->width; i++)
        s->row[i] = look_up(s, &states->items[i]);
    outcome_add_state(states, s->row);
    s->outcome->doubts[OUTCOME_DOUBT_STATES] |= states->full;
}

static bool visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct search *s = context;
    const struct lit_program *program = s->request->program;
    (void)number;
    (void) final;
    s->state = state;
    if (may_crash(s)) {
        s->outcome->stats.cuts++;
        add_row(s, &s->outcome->crash);
    }
    if (all_done(s) && s->machine->quiet(&s->test, state) &&
        (!program->filter || outcome_prop_holds(program, program->filter, look_up, s)))
        add_row(s, &s->outcome->final);
    return true;
}

/* What no machine knows: barriers of a part of a scope. */
static bool is_strange(const struct lit_program *program)
{
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++) {
            const struct lit_instr *instr = &program->threads[t].code[i];
            if (instr->op == LIT_BARRIER &&
                (instr->named || instr->arrive || instr->resource || instr->quorum))
                return true;
        }
    return false;
}

static void explore(struct search *s)
{
    struct outcome *outcome = s->outcome;
    struct mach_limits limits = {.states = DEFAULT_STATES, .out_of_time = out_of_time};
    struct mach_exploration *e = mach_explore(s->machine, &s->test, &limits, visit, s);
    outcome->stats.candidates = mach_steps(e);
    outcome->stats.consistent = mach_states(e);
    outcome->doubts[OUTCOME_DOUBT_STATES] |=
        mach_is_partial(e) && !outcome->doubts[OUTCOME_DOUBT_TIMEOUT];
    mach_exploration_free(e);
}

void mach_run_file(const struct engine_request *request, const struct mach_file *file,
                   struct outcome *outcome)
{
    struct search s = {.request = request, .outcome = outcome, .machine = file->machine};
    struct arena arena;
    uint32_t width =
        outcome->final.width > outcome->crash.width ? outcome->final.width : outcome->crash.width;
    clock_gettime(CLOCK_MONOTONIC, &s.started);
    arena_init(&arena);
    s.row = ARENA_ARRAY(&arena, int64_t, width + 1);
    mach_test_init(&s.test, &arena, s.machine, request->program, &file->config);
    if (is_strange(request->program))
        outcome->doubts[OUTCOME_DOUBT_ENCODING] = true;
    else if (s.test.size > MACH_MAX_STATE || s.test.line_count > MACH_MAX_LINES ||
             request->program->location_count > UINT8_MAX)
        outcome->doubts[OUTCOME_DOUBT_EVENTS] = true;
    else
        explore(&s);
    outcome_sort(outcome);
    outcome->stats.seconds = seconds_since(&s.started);
    arena_fini(&arena);
}

void mach_run(const struct engine_request *request, struct outcome *outcome)
{
    struct arena arena;
    struct diag diag;
    arena_init(&arena);
    diag_init(&diag);
    const struct mach_file *file = mach_config_load(&arena, "nvw-fifo", &diag);
    BASE_CHECK(file);
    mach_run_file(request, file, outcome);
    diag_fini(&diag);
    arena_fini(&arena);
}
