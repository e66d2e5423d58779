#include "enumerate/enum_search.h"

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

/* The threads that may stand for the culprit, the first of them first. Returns how many there are.
 */
static uint32_t list_stand_ins(const struct enum_state *state, const struct enum_culprit *culprit,
                               uint32_t *threads)
{
    uint32_t count = 0;
    threads[0] = LIT_NONE;
    if (culprit->thread == LIT_NONE)
        return 1;
    for (uint32_t t = 0; t < state->request->program->thread_count; t++)
        if (are_twins(state, culprit->thread, t))
            threads[count++] = t;
    return count;
}

/* May these two stand for the two culprits? Two that are twins of each other stay two threads. */
static bool is_pair(const struct enum_culprit *culprits, uint32_t a, uint32_t b)
{
    return culprits[0].thread == culprits[1].thread ? a == b : a != b || b == LIT_NONE;
}

/* Of a check's pair the lower thread is named first where it was among the culprits. */
static void name_pair(const struct enum_culprit *culprits, struct outcome_undefined *undefined)
{
    const struct outcome_event a = undefined->events[0], b = undefined->events[1];
    if (undefined->kind != OUTCOME_CHECK || a.thread == LIT_NONE || b.thread == LIT_NONE ||
        (a.thread < b.thread) == (culprits[0].thread < culprits[1].thread))
        return;
    undefined->events[0] = b;
    undefined->events[1] = a;
}

void enum_report(struct enum_state *state, const struct outcome_undefined *what,
                 const struct enum_culprit *culprits, uint32_t count)
{
    struct outcome_undefined undefined = *what;
    uint32_t threads[2][LIT_MAX_THREADS], counts[2] = {1, 1}, at[2];
    bool sure = false;
    undefined.event_count = count;
    for (uint32_t k = 0; k < count; k++)
        counts[k] = list_stand_ins(state, &culprits[k], threads[k]);
    for (at[0] = 0; at[0] < counts[0]; at[0]++)
        for (at[1] = 0; at[1] < counts[1]; at[1]++) {
            if (count == 2 && !is_pair(culprits, threads[0][at[0]], threads[1][at[1]]))
                continue;
            for (uint32_t k = 0; k < count; k++)
                undefined.events[k] = stand_in(state, &culprits[k], threads[k][at[k]]);
            if (count == 2)
                name_pair(culprits, &undefined);
            if (!outcome_add_undefined(state->outcome, &undefined) && !sure)
                return; /* what is reported for the first is reported for all */
            sure = true;
        }
}
