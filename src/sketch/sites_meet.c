/* Barriers of one scope, label and scope instance meet by their number in each work-item. Where
 * each of them is executed just once whatever happens, that number is its place in the code. Else
 * it may be another one in each execution, and all of them are taken as one. */
#include "sketch/sites_run.h"

/* Is it executed once, in every run that comes to an end? No jump leads past it or back over it. */
static bool is_on_trunk(const struct lit_thread *thread, const struct lit_instr *instr)
{
    uint32_t at = (uint32_t)(instr - thread->code);
    for (uint32_t i = 0; i < thread->code_count; i++) {
        const struct lit_instr *jump = &thread->code[i];
        if (!lit_instruction_jumps(jump->op))
            continue;
        if (i < at ? jump->target > at : jump->target <= at)
            return false;
    }
    return true;
}

static bool is_alike(const struct lit_instr *a, const struct lit_instr *b)
{
    return b->op == LIT_PBARRIER && a->exec_scope == b->exec_scope && a->label == b->label;
}

/* Its number among those like it in its work-item; false when that may change. */
static bool has_number(const struct lit_thread *thread, const struct lit_instr *instr,
                       uint32_t *number)
{
    *number = 0;
    EACH (const struct lit_instr, other, thread->code, thread->code_count) {
        if (!is_alike(instr, other))
            continue;
        if (!is_on_trunk(thread, other))
            return false;
        *number += other < instr;
    }
    return true;
}

bool sites_together(const struct lit_thread *a, const struct lit_thread *b, enum lit_scope scope)
{
    return scope == LIT_SCOPE_ALL ||
           (a->dev == b->dev &&
            (scope >= LIT_SCOPE_DV ||
             (a->kr == b->kr && (scope >= LIT_SCOPE_KR ||
                                 (a->wg == b->wg && (scope >= LIT_SCOPE_WG || a->sg == b->sg))))));
}

/* Of the test, or of its recovery. */
static bool is_of(const struct lit_thread *threads, uint32_t count, const struct lit_thread *thread)
{
    return ANY(i, count, &threads[i] == thread);
}

static bool may_meet(const struct sites_run *run, const struct site *a, const struct site *b)
{
    const struct lit_program *program = run->program;
    uint32_t numbers[2];
    if (b->form != SITE_BARRIER || !is_alike(a->instr, b->instr) ||
        is_of(program->threads, program->thread_count, a->thread) !=
            is_of(program->threads, program->thread_count, b->thread) ||
        !sites_together(a->thread, b->thread, a->instr->exec_scope))
        return false;
    return !has_number(a->thread, a->instr, &numbers[0]) ||
           !has_number(b->thread, b->instr, &numbers[1]) || numbers[0] == numbers[1];
}

static uint32_t group_of(const uint32_t *groups, uint32_t site)
{
    while (groups[site] != site)
        site = groups[site];
    return site;
}

void sites_meet(const struct sites_run *run, uint32_t *groups)
{
    for (uint32_t i = 0; i < run->sites.count; i++) {
        const struct site *site = &run->sites.items[i];
        groups[i] = i;
        if (site->form != SITE_BARRIER || site->instr->exec_scope == LIT_SCOPE_WI)
            continue;
        for (uint32_t k = 0; k < i; k++)
            if (may_meet(run, site, &run->sites.items[k])) {
                uint32_t a = group_of(groups, i), b = group_of(groups, k);
                groups[a > b ? a : b] = a > b ? b : a;
            }
    }
    for (uint32_t i = 0; i < run->sites.count; i++)
        groups[i] = group_of(groups, i);
}
