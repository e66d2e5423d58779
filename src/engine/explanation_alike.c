#include "engine/explanation_alike.h"

#include <string.h>

bool explanation_same_event(const struct outcome_event *a, const struct outcome_event *b)
{
    return outcome_same_event(a, b) && a->column == b->column;
}

/* Where in its work-item's code it stands; LIT_NONE: nowhere. */
static uint32_t place_of(const struct lit_program *program, const struct outcome_event *event)
{
    if (event->thread == LIT_NONE || event->thread >= program->thread_count)
        return LIT_NONE;
    const struct lit_thread *thread = &program->threads[event->thread];
    for (uint32_t i = 0; i < thread->code_count; i++)
        if (thread->code[i].span.line == event->line &&
            thread->code[i].span.column == event->column)
            return i;
    return LIT_NONE;
}

static bool same_kind(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->op == b->op && a->order == b->order && a->fail_order == b->fail_order &&
           a->scope == b->scope && a->exec_scope == b->exec_scope && a->rmw == b->rmw &&
           a->computes == b->computes;
}

/* Are they events of one kind? Fences and flushes are told apart by their names and tags. */
static bool same_word(const struct outcome_event *a, const struct outcome_event *b)
{
    return a->kind == b->kind &&
           (ev_kind_accesses(a->kind) || ev_kind_meets(a->kind) ||
            (a->instr->name == b->instr->name && a->instr->tags == b->instr->tags));
}

/* Where a statement accesses one of several locations, accesses of two work-items count as the same only
 * at the same location. */
static bool is_told_by_place(const struct lit_program *program, const struct outcome_event *a,
                             const struct outcome_event *b, uint32_t place)
{
    return a->thread == b->thread || strcmp(a->access, b->access) == 0 ||
           (program->threads[a->thread].code[place].addr.count <= 1 &&
            program->threads[b->thread].code[place].addr.count <= 1);
}

static bool are_alike(const struct lit_program *program, const struct outcome_event *a,
                      const struct outcome_event *b)
{
    uint32_t place = place_of(program, a);
    if (place == LIT_NONE || place != place_of(program, b) || !same_word(a, b) ||
        !is_told_by_place(program, a, b, place))
        return false;
    for (uint32_t i = 0; i <= place; i++)
        if (!same_kind(&program->threads[a->thread].code[i], &program->threads[b->thread].code[i]))
            return false;
    return true;
}

enum explanation_likeness explanation_pair_likeness(const struct lit_program *program,
                                                    const struct explanation_pair *a,
                                                    const struct explanation_pair *b)
{
    bool one = a->from.thread == a->to.thread;
    if (one != (b->from.thread == b->to.thread))
        return EXPLANATION_UNLIKE;
    bool same_from = explanation_same_event(&a->from, &b->from);
    bool same_to = explanation_same_event(&a->to, &b->to);
    if (!same_from && !are_alike(program, &a->from, &b->from))
        return EXPLANATION_UNLIKE;
    if (!same_to && !are_alike(program, &a->to, &b->to))
        return EXPLANATION_UNLIKE;
    bool own_from = a->from.thread == b->from.thread, own_to = a->to.thread == b->to.thread;
    if (same_from && same_to)
        return EXPLANATION_UNLIKE;
    if (own_from && own_to)
        return EXPLANATION_ALIKE_OWN;
    if (own_from != same_from || own_to != same_to)
        return EXPLANATION_UNLIKE;
    if (same_from || same_to)
        return same_to ? EXPLANATION_ALIKE_FROM : EXPLANATION_ALIKE_TO;
    return one ? EXPLANATION_ALIKE_BOTH : EXPLANATION_ALIKE_PAIR;
}

/* ---- Groups ---- */

struct groups {
    explanation_like *like;
    const void *context;
    uint32_t count;
    uint32_t *group;
};

static uint32_t members(const struct groups *g, uint32_t first, enum explanation_likeness likeness,
                        bool take)
{
    uint32_t count = 0;
    for (uint32_t i = first + 1; i < g->count; i++) {
        if (g->group[i] != LIT_NONE || g->like(g->context, first, i) != likeness)
            continue;
        if (take)
            g->group[i] = first;
        count++;
    }
    return count;
}

void explanation_find_groups(explanation_like *like, const void *context, uint32_t count,
                             uint32_t least, uint32_t *group)
{
    const struct groups g = {like, context, count, group};
    for (uint32_t i = 0; i < count; i++)
        group[i] = LIT_NONE;
    for (uint32_t i = 0; i < count; i++) {
        enum explanation_likeness best = EXPLANATION_UNLIKE;
        uint32_t most = 0;
        if (group[i] != LIT_NONE)
            continue;
        group[i] = i;
        for (enum explanation_likeness l = EXPLANATION_ALIKE_FROM; l <= EXPLANATION_ALIKE_OWN; l++)
            if (members(&g, i, l, false) > most)
                best = l, most = members(&g, i, l, false);
        if (most && most + 1 >= least)
            members(&g, i, best, true);
    }
}

/* Two are told sooner than that they are alike. */
enum { LEAST_REASONS = 3 };

struct all_reasons {
    const struct explanation *explanation;
    const struct lit_program *program;
};

static bool is_line(const struct explanation_reason *reason)
{
    return reason->kind >= EXPLANATION_BY_EXECUTION_BARRIER;
}

static enum explanation_likeness reasons_like(const void *context, uint32_t a, uint32_t b)
{
    const struct all_reasons *all = context;
    const struct explanation_reason *x = &all->explanation->reasons.items[a];
    const struct explanation_reason *y = &all->explanation->reasons.items[b];
    if (x->kind != y->kind || x->need != y->need || x->pair_count != 1 || y->pair_count != 1 ||
        x->kind < EXPLANATION_BY_EXECUTES_BEFORE || (!is_line(x) && x->line != y->line))
        return EXPLANATION_UNLIKE;
    return explanation_pair_likeness(all->program, &x->pairs[0], &y->pairs[0]);
}

void explanation_group_reasons(struct explanation *explanation, const struct lit_program *program)
{
    const struct all_reasons all = {explanation, program};
    uint32_t count = (uint32_t)explanation->reasons.count;
    uint32_t *group = ARENA_ARRAY(&explanation->arena, uint32_t, count + 1u);
    explanation_find_groups(reasons_like, &all, count, LEAST_REASONS, group);
    for (uint32_t i = 0; i < count; i++)
        explanation->reasons.items[i].group = group[i];
}
