/* Undefined behaviour by its definition (docs/models/semantics.md, "What is undefined"): a check of
 * the model fails, by naive.h; a thread waits for one that never comes; a thread ends in a fault.
 */
#include "engine/recheck_parts.h"

#include <string.h>

/* Is `event` what the text of an undefined behaviour names? */
static bool is_event(const struct recheck *r, uint32_t e, const struct outcome_event *event)
{
    const struct ev *ev = recheck_event(r, e);
    SCOPED(strbuf) text = {0};
    ev_print(ev, r->skeleton->program, &text);
    return ev->thread == event->thread && (ev->instr ? ev->instr->span.line : 0) == event->line &&
           strcmp(strbuf_text(&text), event->access) == 0;
}

/* Are the events that are named in the check's relation, or its set? */
static bool has_events(const struct recheck *r, const struct outcome_undefined *undefined,
                       const uint64_t *value, bool is_set)
{
    const struct outcome_event *first = &undefined->events[0];
    const struct outcome_event *second = &undefined->events[undefined->event_count - 1];
    for (uint32_t a = 0; a < r->n; a++)
        for (uint32_t b = 0; is_event(r, a, first) && b < r->n; b++)
            if ((undefined->event_count == 2 || a == b) && is_event(r, b, second) &&
                naive_has(r->n, value, is_set ? 0 : a, b))
                return true;
    return false;
}

static bool check_fails(struct recheck *r, const struct naive_model *naive,
                        const struct outcome_undefined *undefined)
{
    const struct cat_model *model = r->request->model;
    EACH (const struct cat_check, check, model->checks, model->check_count) {
        if (check->kind != CAT_UNDEFINED_UNLESS || strcmp(check->name, undefined->name) != 0 ||
            naive_holds(&r->of_execution, naive, check))
            continue;
        if (undefined->event_count == 0 || has_events(r, undefined, naive->values[check->node],
                                                      model->nodes[check->node].sort == CAT_SET))
            return true;
    }
    return false;
}

/* A probe is a run that never stops where it says; it shows races alone. */
static bool ends_at(const struct recheck *r, const struct outcome_event *where, enum exec_end end)
{
    if (where->thread >= r->skeleton->program->thread_count) /* recovery's */
        return false;
    const struct exec_path *path = r->skeleton->paths[where->thread];
    return path->end == end && path->end_instr->span.line == where->line && !r->skeleton->probe;
}

/* Does the thread stop there, for this reason? */
static bool goes_wrong(const struct recheck *r, const struct outcome_undefined *undefined)
{
    const struct outcome_event *where = &undefined->events[0];
    if (!ends_at(r, where, EXEC_AT_FAULT))
        return false;
    const struct lit_instr *instr = r->skeleton->paths[where->thread]->end_instr;
    return outcome_fault(where->thread, instr).kind == undefined->kind;
}

static bool diverges(const struct recheck *r, const struct outcome_undefined *undefined)
{
    uint32_t stuck = undefined->events[0].thread;
    uint32_t missing = undefined->event_count == 2 ? undefined->events[1].thread : LIT_NONE;
    struct exec_divergences divergences;
    struct exec_divergence found;
    exec_divergences_init(&divergences, r->skeleton);
    while (exec_divergences_next(&divergences, r->skeleton, &found))
        if (found.stuck == stuck && found.missing == missing)
            return ends_at(r, &undefined->events[0], EXEC_AT_BARRIER);
    return false;
}

/* All have ended or wait, and the thread waits in an await. */
static bool waits_for_ever(const struct recheck *r, const struct outcome_undefined *undefined)
{
    return exec_skeleton_waits_for_ever(r->skeleton) &&
           ends_at(r, &undefined->events[0], EXEC_AT_AWAIT);
}

static bool occurs(struct recheck *r, const struct naive_model *naive,
                   const struct outcome_undefined *undefined)
{
    switch (undefined->kind) {
    case OUTCOME_CHECK: return check_fails(r, naive, undefined);
    case OUTCOME_DIVERGENCE: return diverges(r, undefined);
    case OUTCOME_TRANSACTION:
    case OUTCOME_UNSET:
    case OUTCOME_ASSERTION:
    case OUTCOME_FAULT: return goes_wrong(r, undefined);
    case OUTCOME_ENDLESS: return waits_for_ever(r, undefined);
    }
    BASE_UNREACHABLE("a kind of undefined behaviour");
}

const char *recheck_undefined(struct recheck *r, const struct engine_witness *witness,
                              const struct outcome *outcome)
{
    const char *fault = recheck_execution(r, witness);
    if (fault)
        return fault;
    recheck_add_contract(r);
    recheck_fill_bases(r, &r->nodes->undefined);
    const struct naive_model naive = naive_add(&r->of_execution, &r->naive, &r->nodes->undefined);
    for (size_t i = 0; i < outcome->undefined.count; i++)
        if (occurs(r, &naive, &outcome->undefined.items[i]))
            return NULL;
    return "no undefined behaviour that was found occurs in the execution shown";
}
