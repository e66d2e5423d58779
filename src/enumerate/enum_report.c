#include "enumerate/enum_report.h"

/* Is thread u among the twins of t? */
static bool are_twins(const struct enum_state *state, uint32_t t, uint32_t u)
{
    return state->symmetry.first[t] == state->symmetry.first[u];
}

/* The culprit with another thread of its twins in its place. */
static struct outcome_event stand_in(const struct enum_state *state,
                                     const struct enum_culprit *culprit, uint32_t thread)
{
    const struct lit_thread *threads = state->request->program->threads;
    uint32_t line = 0;
    if (thread != LIT_NONE)
        line = culprit->instr
                   ? threads[thread].code[culprit->instr - threads[culprit->thread].code].span.line
                   : threads[thread].span.line;
    return (struct outcome_event){thread, line, culprit->text, 0};
}

/* The next thread after `thread` that may stand for the culprit; LIT_NONE after the last. */
static uint32_t next_stand_in(const struct enum_state *state, const struct enum_culprit *culprit,
                              uint32_t thread)
{
    for (uint32_t u = thread + 1; u < state->request->program->thread_count; u++)
        if (are_twins(state, culprit->thread, u))
            return u;
    return LIT_NONE;
}

static uint32_t first_stand_in(const struct enum_state *state, const struct enum_culprit *culprit)
{
    return culprit->thread == LIT_NONE ? LIT_NONE : state->symmetry.first[culprit->thread];
}

/* With the first culprit's place taken by `thread`. Two that are twins of each other stay
 * two threads; of a check's pair the lower thread is named first. Returns whether the first
 * pair was new. */
static bool report_pairs(struct enum_state *state, struct outcome_undefined *undefined,
                         const struct enum_culprit *culprits, uint32_t thread, bool sure)
{
    bool one_thread = culprits[0].thread == culprits[1].thread;
    uint32_t other = first_stand_in(state, &culprits[1]);
    do {
        if (one_thread ? other == thread : other != thread || other == LIT_NONE) {
            undefined->events[0] = stand_in(state, &culprits[0], thread);
            undefined->events[1] = stand_in(state, &culprits[1], other);
            if (undefined->kind == OUTCOME_CHECK && thread != LIT_NONE && other != LIT_NONE &&
                (thread < other) != (culprits[0].thread < culprits[1].thread)) {
                struct outcome_event event = undefined->events[0];
                undefined->events[0] = undefined->events[1];
                undefined->events[1] = event;
            }
            if (!outcome_add_undefined(state->outcome, undefined) && !sure)
                return false;
            sure = true;
        }
        if (other != LIT_NONE)
            other = next_stand_in(state, &culprits[1], other);
    } while (other != LIT_NONE);
    return true;
}

void enum_report(struct enum_state *state, enum outcome_undefined_kind kind, const char *name,
                 const struct enum_culprit *culprits, uint32_t count)
{
    struct outcome_undefined undefined = {.kind = kind, .name = name, .event_count = count};
    if (count == 0) {
        outcome_add_undefined(state->outcome, &undefined);
        return;
    }
    uint32_t first = first_stand_in(state, &culprits[0]), thread = first;
    do {
        undefined.events[0] = stand_in(state, &culprits[0], thread);
        bool known = count == 2
                         ? !report_pairs(state, &undefined, culprits, thread, thread != first)
                         : !outcome_add_undefined(state->outcome, &undefined) && thread == first;
        if (known) /* what is reported for the first is reported for all */
            return;
        if (thread != LIT_NONE)
            thread = next_stand_in(state, &culprits[0], thread);
    } while (thread != LIT_NONE);
}
