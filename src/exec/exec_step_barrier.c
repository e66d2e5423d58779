/* Barriers of one run: which instance is met, and whether it is ever left. */
#include "exec/exec_run.h"

static uint32_t count_meetings(const struct run *run, const struct ev_meeting *like)
{
    for (const struct run_event *link = run->events; link; link = link->previous) {
        const struct ev_meeting *past = &link->event.meeting;
        if (link->event.kind == like->kind && past->label == like->label &&
            (like->label || past->scope == like->scope))
            return past->ordinal + 1;
    }
    return 0;
}

bool run_has_company(const struct runner *r, enum lit_scope scope)
{
    return ANY(t, r->program->thread_count,
               t != r->thread_index &&
                   lit_same_instance(r->thread, &r->program->threads[t], scope));
}

/* A barrier that waits may never be left: a run that stops at it goes beside the
 * one that passes. */
static void pass_barrier(struct runner *r, struct run *run, const struct lit_instr *instr,
                         const struct ev_meeting *meeting)
{
    if (ev_meeting_waits(&r->options->waits, meeting) &&
        (meeting->quorum > 1 || run_has_company(r, meeting->scope))) {
        struct exec_path *path = run_end(r, run, EXEC_AT_BARRIER, instr);
        if (path)
            path->meeting = *meeting;
    }
    struct run_event *link = run_add_event(r, run, meeting->kind);
    link->event.has_scope = true;
    link->event.meeting = *meeting;
    run->pc++;
}

/* Sixteen barrier resources a work-group, as in the PTX ISA (bar, barrier). */
enum { BARRIER_RESOURCES = 16 };

/* What a barrier is given: a resource or a quorum, a number from `low` to `high`, outside
 * of which it is undefined. `value` is NULL when nothing is given. */
struct barrier_number {
    const struct exec_value *value;
    uint32_t low, high;
};

static bool take_number(struct runner *r, struct run *run, const struct lit_expr *expr,
                        struct barrier_number *number)
{
    if (!expr)
        return true;
    struct run_value value = run_evaluate(r, run, expr);
    if (!run_survives(r, run, &value))
        return false;
    number->value = exec_value_cast(r->arena, LIT_LONG, value.value);
    run_split_outside(r, run, number->value, number->low, number->high);
    struct run_region rest = {r->thread->code_count, LIT_NONE, value.deps};
    run_region_enter(r, run, &rest);
    return true;
}

/* The run on which the number is `candidate`, NULL when it never is. */
static struct run *with_number(struct runner *r, const struct run *run,
                               const struct barrier_number *number, uint32_t candidate)
{
    if (!number->value)
        return candidate == number->low ? run_split(r, run) : NULL;
    return run_where(r, run, run_index_is(r, number->value, candidate));
}

static void step_numbered_barrier(struct runner *r, struct run *run, const struct lit_instr *instr,
                                  struct ev_meeting *meeting)
{
    struct barrier_number resource = {NULL, 0, BARRIER_RESOURCES - 1};
    struct barrier_number quorum = {NULL, 1, LIT_MAX_THREADS};
    if (!take_number(r, run, instr->resource, &resource) ||
        !take_number(r, run, instr->quorum, &quorum))
        return;
    for (uint32_t i = resource.low; i <= resource.high; i++) {
        const struct run *of_resource = with_number(r, run, &resource, i);
        for (uint32_t j = quorum.low; of_resource && j <= quorum.high; j++) {
            struct run *part = with_number(r, of_resource, &quorum, j);
            if (!part)
                continue;
            meeting->resource = resource.value ? i : LIT_NONE;
            meeting->quorum = quorum.value ? j : 0;
            pass_barrier(r, part, instr, meeting);
            VEC_PUSH(&r->open, part);
        }
    }
}

bool run_step_barrier(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    struct ev_meeting meeting = {.kind = (enum ev_kind)ev_kind_of(instr->op),
                                 .scope = instr->exec_scope,
                                 .label = instr->label,
                                 .named = instr->named,
                                 .arrive = instr->arrive,
                                 .resource = LIT_NONE};
    meeting.ordinal = count_meetings(run, &meeting);
    if (instr->resource || instr->quorum) {
        step_numbered_barrier(r, run, instr, &meeting);
        return false;
    }
    pass_barrier(r, run, instr, &meeting);
    return true;
}
