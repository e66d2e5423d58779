#include "explore/mach_stuck.h"

#include "machine/mach_instr.h"

#include <string.h>

/* States looked at from one; those who spin fill and evict a few clean lines on the way. */
enum { MOST_STATES = 256 };

struct mach_stuck {
    struct mach_test *test;
    bool endless;
    uint8_t *states; /* MOST_STATES of the test's size */
    uint32_t count;
    struct mach_step *steps;
    uint8_t *next;
};

struct mach_stuck *mach_stuck_new(struct arena *arena, const struct mach_test *test, bool endless)
{
    return ARENA_MAKE(arena, struct mach_stuck, .endless = endless,
                      .states = ARENA_ARRAY(arena, uint8_t, MOST_STATES * test->size),
                      .steps = ARENA_ARRAY(arena, struct mach_step, MACH_MAX_STEPS),
                      .next = ARENA_ARRAY(arena, uint8_t, test->size));
}

bool mach_holds_some(const struct mach_test *test, const uint8_t *state)
{
    bool held = false;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        enum mach_status status = mach_status(test, state, t);
        held |= mach_is_stalled(status) || status == MACH_RUNNING;
    }
    return held;
}

/* The outermost loop that may wait and that a work-item is in; NULL outside of any. */
static const struct lit_instr *await_of(const struct mach_test *test, const uint8_t *state,
                                        uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct lit_thread *code = &test->program->threads[thread];
    const struct lit_instr *outermost = NULL;
    uint32_t pc = mach_pc(test, state, thread);
    EACH (const struct lit_instr, await, code->code, code->code_count)
        if (await->op == LIT_AWAIT && await->begin <= pc && pc < await->target &&
            (!outermost || await->begin < outermost->begin))
            outermost = await;
    return outermost;
}

/* Somebody waits at a barrier, or, asked so, spins, and the others are done, wait too, or spin. */
static bool nobody_works(const struct mach_test *test, const uint8_t *state, bool endless)
{
    bool waits = false;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        enum mach_status status = mach_status(test, state, t);
        waits |= status == (endless ? MACH_RUNNING : MACH_WAITING);
        if (endless && status == MACH_FAULTED)
            return false;
        if (mach_is_stalled(status) || (status == MACH_RUNNING && !await_of(test, state, t)))
            return false;
    }
    return waits;
}

/* Is everybody where they were, or elsewhere in the same wait? */
static bool nobody_left(const struct mach_test *test, const uint8_t *before, const uint8_t *after)
{
    return !ANY(t, test->program->thread_count,
                mach_status(test, before, t) != mach_status(test, after, t) ||
                    await_of(test, before, t) != await_of(test, after, t));
}

static bool is_known(const struct mach_stuck *s, const uint8_t *state)
{
    return ANY(i, s->count, memcmp(s->states + i * s->test->size, state, s->test->size) == 0);
}

/* All steps from state `number`; false when somebody leaves, or there are too many states. */
static bool look_on(struct mach_stuck *s, uint32_t number)
{
    const uint8_t *state = s->states + number * s->test->size;
    uint32_t count = s->test->machine->enabled(s->test, state, s->steps);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(s->next, state, s->test->size);
        if (!s->test->machine->perform(s->test, s->next, s->steps[i]) || is_known(s, s->next))
            continue;
        if (s->count == MOST_STATES || !nobody_left(s->test, state, s->next))
            return false;
        memcpy(s->states + s->count++ * s->test->size, s->next, s->test->size);
    }
    return true;
}

bool mach_is_stuck(struct mach_stuck *s, struct mach_test *test, const uint8_t *state)
{
    s->test = test;
    if (!nobody_works(s->test, state, s->endless))
        return false;
    uint32_t count = s->test->machine->enabled(s->test, state, s->steps);
    for (uint32_t i = 0; i < count; i++)
        if (s->steps[i].kind != MACH_RUN)
            return false;
    memcpy(s->states, state, s->test->size);
    s->count = 1;
    return ALL(i, s->count, look_on(s, i));
}

/* ---- Reports ---- */

static bool lacks(const struct mach_test *test, const uint8_t *state, uint32_t thread, uint32_t u,
                  enum lit_scope scope)
{
    return mach_is_member(test, thread, u, scope) && !mach_waits_with(test, state, thread, u);
}

/* Does the work-item wait for nobody but such as are excused? */
static bool is_held_up(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                       const bool *excuses)
{
    const enum lit_scope scope = mach_instr(test, state, thread)->exec_scope;
    const uint32_t threads = test->program->thread_count;
    return ANY(u, threads, lacks(test, state, thread, u, scope)) &&
           !ANY(u, threads, lacks(test, state, thread, u, scope) && !excuses[u]);
}

/* Who met with a fault, which is reported, and who would go on without one. */
static void find_excuses(const struct mach_test *test, const uint8_t *state, bool *excuses)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < test->program->thread_count; t++) {
            enum mach_status status = mach_status(test, state, t);
            if (!excuses[t] && (status == MACH_FAULTED ||
                                (status == MACH_WAITING && is_held_up(test, state, t, excuses))))
                excuses[t] = changed = true;
        }
    }
}

static bool report_waiting(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                           const bool *excuses, struct outcome *outcome)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct lit_instr *instr = mach_instr(test, state, thread);
    const struct ev_meeting meeting = {.kind = (enum ev_kind)ev_kind_of(instr->op),
                                       .scope = instr->exec_scope};
    const char *barrier = ev_meeting_name(&outcome->arena, &meeting, instr);
    bool added = false;
    for (uint32_t u = 0; u < test->program->thread_count; u++) {
        if (!lacks(test, state, thread, u, meeting.scope) || excuses[u])
            continue;
        struct outcome_undefined undefined = {
            .kind = OUTCOME_DIVERGENCE,
            .name = outcome_undefined_text(OUTCOME_DIVERGENCE),
            .events = {{.thread = thread,
                        .line = instr->span.line,
                        .access = barrier,
                        .origin = instr->origin},
                       outcome_missing(test->program, u, mach_instr(test, state, u))},
            .event_count = 2};
        added |= outcome_add_undefined(outcome, &undefined);
        outcome_add_flag(outcome, undefined.name);
    }
    return added;
}

static bool report_spinning(const struct mach_test *test, const uint8_t *state,
                            struct outcome *outcome)
{
    bool added = false;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        if (mach_status(test, state, t) != MACH_RUNNING)
            continue;
        const struct outcome_undefined endless = outcome_endless(t, await_of(test, state, t));
        added |= outcome_add_undefined(outcome, &endless);
    }
    return added;
}

bool mach_stuck_report(const struct mach_stuck *stuck, const uint8_t *state,
                       struct outcome *outcome)
{
    if (stuck->endless)
        return report_spinning(stuck->test, state, outcome);
    bool added = false;
    bool excuses[LIT_MAX_THREADS] = {false};
    find_excuses(stuck->test, state, excuses);
    for (uint32_t t = 0; t < stuck->test->program->thread_count; t++)
        if (mach_status(stuck->test, state, t) == MACH_WAITING && !excuses[t])
            added |= report_waiting(stuck->test, state, t, excuses, outcome);
    return added;
}
