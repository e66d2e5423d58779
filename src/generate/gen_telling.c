/* Leaves out programs in which nothing can be told.
 *
 * What can be told is a state that one model allows and another forbids, or that is forbidden until
 * the program is weakened. A rule here leaves a program out when a smaller or earlier program tells
 * each such state. The rules rely on two properties of all models. Work-items affect each other
 * only by memory (rf, co) and by barriers in which they take part. A model knows scope instances
 * only by the scopes of instructions, and by the levels that the bound tells apart for the
 * vocabulary. */
#include "generate/gen_enumerate.h"

static uint32_t traits_of(const struct gen_bound *bound, const struct gen_op *op)
{
    return gen_family_of(bound->vocabulary, op)->traits;
}

static bool is_access(const struct gen_bound *bound, const struct gen_op *op)
{
    return gen_accesses(bound->vocabulary, op);
}

static bool shares(const struct gen_program *p, uint32_t a, uint32_t b, uint32_t scope)
{
    BASE_ASSERT(a < p->thread_count && b < p->thread_count);
    return gen_common_scope(p, a, b) <= scope;
}

static bool is_meeting(const struct gen_bound *bound, const struct gen_op *op)
{
    return gen_form_may_meet(bound->vocabulary, op->form);
}

/* Does the work-item meet somebody there, or wait for him? */
static bool meets(const struct gen_bound *bound, const struct gen_program *p, uint32_t t,
                  const struct gen_op *op)
{
    BASE_ASSERT(op >= p->ops[t] && op < p->ops[t] + p->length[t]);
    return is_meeting(bound, op) &&
           ANY(u, p->thread_count, u != t && shares(p, t, u, op->form.scope));
}

/* Does somebody of the barrier's instance come more often than somebody else? Then he waits for
 * ever, and the program is undefined, under each model whose barrier meets. */
static bool is_missed(const struct gen_bound *bound, const struct gen_program *p, uint32_t t,
                      const struct gen_op *op)
{
    BASE_ASSERT(t < p->thread_count);
    return is_meeting(bound, op) && ANY(u, p->thread_count,
                                        shares(p, t, u, op->form.scope) &&
                                            gen_times(p, u, op->form) != gen_times(p, t, op->form));
}

static bool is_any_missed(const struct gen_bound *bound, const struct gen_program *p)
{
    return ANY(t, p->thread_count, ANY(i, p->length[t], is_missed(bound, p, t, &p->ops[t][i])));
}

/* ---- Work-items ---- */

/* One without an access shows nothing but its end, in crash states: of a barrier at which it meets
 * others that tells what they wait for. One that waits in vain makes the program undefined. */
static bool shows_something(const struct gen_bound *bound, const struct gen_program *p, uint32_t t)
{
    BASE_ASSERT(t < p->thread_count);
    return ANY(i, p->length[t],
               is_access(bound, &p->ops[t][i]) || (p->nvm && meets(bound, p, t, &p->ops[t][i])) ||
                   is_missed(bound, p, t, &p->ops[t][i]));
}

/* An instruction orders what is before it and what is behind it. Of the first one nothing is before
 * it, unless it meets others, or orders what they did. Behind the last one stands what those do
 * that it meets, and the work-item's end, which conditions on crash states see; where all is
 * volatile nobody asks whether power failed. */
static bool stands_well(const struct gen_bound *bound, const struct gen_program *p, uint32_t t)
{
    BASE_ASSERT(p->length[t] > 0);
    BASE_ASSERT(t < p->thread_count);
    const struct gen_op *first = &p->ops[t][0], *last = &p->ops[t][p->length[t] - 1];
    if (!is_access(bound, first) && !meets(bound, p, t, first) &&
        !(traits_of(bound, first) & (GEN_OPENS | GEN_SPEAKS)))
        return false;
    return p->nvm || is_access(bound, last) || meets(bound, p, t, last);
}

/* The same again, with nothing between, adds nothing, unless it may count. (Between two meetings others may do
 * something.) */
static bool repeats(const struct gen_bound *bound, const struct gen_program *p, uint32_t t)
{
    BASE_ASSERT(t < p->thread_count);
    for (uint32_t i = 1; i < p->length[t]; i++) {
        const struct gen_op *a = &p->ops[t][i - 1], *b = &p->ops[t][i];
        if (!is_access(bound, a) && !meets(bound, p, t, a) && gen_form_is(a->form, b->form) &&
            !(traits_of(bound, a) & GEN_COUNTS) && a->location == b->location)
            return true;
    }
    return false;
}

/* Marks that do not match are no program. */
static bool marks_match(const struct gen_bound *bound, const struct gen_program *p, uint32_t t)
{
    BASE_ASSERT(t < p->thread_count);
    bool open = false;
    for (uint32_t i = 0; i < p->length[t]; i++) {
        uint32_t traits = traits_of(bound, &p->ops[t][i]);
        if ((traits & GEN_OPENS && open) || (traits & GEN_CLOSES && !open))
            return false;
        open = (open || traits & GEN_OPENS) && !(traits & GEN_CLOSES);
    }
    return !open;
}

/* What is of persistency alone does nothing where all is volatile; a barrier that meets makes its
 * work-items wait, and may show. */
static bool persists_nothing(const struct gen_bound *bound, const struct gen_program *p, uint32_t t)
{
    BASE_ASSERT(t < p->thread_count);
    for (uint32_t i = 0; !p->nvm && i < p->length[t]; i++)
        if (traits_of(bound, &p->ops[t][i]) & GEN_PERSISTS && !meets(bound, p, t, &p->ops[t][i]))
            return true;
    return false;
}

/* ---- Meetings ---- */

/* Is there a narrower form of it? */
static bool has_narrower(const struct gen_bound *bound, struct gen_form form)
{
    BASE_ASSERT(form.family < bound->vocabulary->family_count);
    uint32_t scopes = bound->vocabulary->families[form.family].scopes & bound->scopes;
    return (scopes & ((1u << form.scope) - 1)) != 0;
}

/* A barrier that meets under each model and is missed tells nothing: the program is undefined under
 * all. Who is alone in the instance of his barrier orders as with a narrower one; one that is alone
 * in its scopes may be given a meaning of its own. */
static bool meets_well(const struct gen_bound *bound, const struct gen_program *p, uint32_t t,
                       const struct gen_op *op)
{
    BASE_ASSERT(is_meeting(bound, op));
    if (gen_form_meets(bound->vocabulary, op->form) && is_missed(bound, p, t, op))
        return false;
    return meets(bound, p, t, op) ||
           (traits_of(bound, op) & GEN_ORDERS_ALONE && !has_narrower(bound, op->form));
}

static bool all_meet(const struct gen_bound *bound, const struct gen_program *p, uint32_t t)
{
    BASE_ASSERT(t < p->thread_count);
    return !ANY(i, p->length[t],
                is_meeting(bound, &p->ops[t][i]) && !meets_well(bound, p, t, &p->ops[t][i]));
}

/* ---- Locations ---- */

/* A location that nobody writes has its first value in all states; that a read of it was executed
 * is told by the end of a shorter work-item as well, unless the instruction may order something
 * there. The value of a volatile location is seen by
 * who reads it, or in the end: not in crash states, and in the end only of two writes is it open
 * which is the last. Where somebody waits in vain, values tell nothing. */
static bool is_seen(const struct gen_bound *bound, const struct gen_program *p, uint32_t location)
{
    BASE_ASSERT(location < p->location_count);
    uint32_t reads = 0, orders = 0, writes = gen_writes_of(bound->vocabulary, p, location);
    for (uint32_t t = 0; t < p->thread_count; t++)
        EACH (const struct gen_op, op, p->ops[t], p->length[t])
            if (op->location == location) {
                reads += gen_reads(bound->vocabulary, op);
                orders += (traits_of(bound, op) & GEN_ANYWHERE) != 0;
            }
    if (writes == 0)
        return orders > 0;
    return p->nvm >> location & 1 || reads || (!p->nvm && writes > 1) || is_any_missed(bound, p);
}

static bool uses(const struct gen_bound *bound, const struct gen_program *p, uint32_t t,
                 uint32_t location)
{
    BASE_ASSERT(t < p->thread_count);
    return ANY(i, p->length[t],
               p->ops[t][i].location == location && is_access(bound, &p->ops[t][i]));
}

/* ---- All of it ---- */

/* Does `a` come to a barrier that has `b` in its instance? */
static bool has_barrier_with(const struct gen_bound *bound, const struct gen_program *p, uint32_t a,
                             uint32_t b)
{
    BASE_ASSERT(a < p->thread_count);
    return ANY(i, p->length[a],
               is_meeting(bound, &p->ops[a][i]) && shares(p, a, b, p->ops[a][i].form.scope));
}

static bool are_linked(const struct gen_bound *bound, const struct gen_program *p, uint32_t a,
                       uint32_t b)
{
    for (uint32_t l = 0; l < p->location_count; l++)
        if (uses(bound, p, a, l) && uses(bound, p, b, l))
            return true;
    return has_barrier_with(bound, p, a, b) || has_barrier_with(bound, p, b, a);
}

/* Parts that share neither memory nor a barrier are programs of their own: the states of the whole
 * are all combinations of theirs. */
static bool is_one(const struct gen_bound *bound, const struct gen_program *p)
{
    uint32_t reached = 1, all = (1u << p->thread_count) - 1, before = 0;
    while (reached != before) {
        before = reached;
        for (uint32_t a = 0; a < p->thread_count; a++)
            for (uint32_t b = 0; b < p->thread_count; b++)
                if (reached >> a & 1 && are_linked(bound, p, a, b))
                    reached |= 1u << b;
    }
    return reached == all;
}

/* Instances of a level whose scope nobody names are those of the next wider one. */
static bool is_placed_well(const struct gen_bound *bound, const struct gen_program *p)
{
    uint32_t named = gen_scopes(p) | bound->levels;
    for (uint32_t level = 0; level < GEN_LEVELS; level++)
        for (uint32_t a = 0; a < p->thread_count; a++)
            for (uint32_t b = 0; b < a; b++)
                if (!(named >> (LIT_SCOPE_SG + level) & 1) && !gen_are_together(p, a, b, level) &&
                    (level + 1 == GEN_LEVELS || gen_are_together(p, a, b, level + 1)))
                    return false;
    return true;
}

/* It is a program, and each has one place. */
static bool is_sound(const struct gen_bound *bound, const struct gen_program *p)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        if (!marks_match(bound, p, t) || !all_meet(bound, p, t))
            return false;
    return is_placed_well(bound, p);
}

bool gen_is_telling(const struct gen_bound *bound, const struct gen_program *p)
{
    bool sound = is_sound(bound, p);
    if (!sound || bound->untelling)
        return sound;
    for (uint32_t t = 0; t < p->thread_count; t++)
        if (!shows_something(bound, p, t) || !stands_well(bound, p, t) || repeats(bound, p, t) ||
            persists_nothing(bound, p, t))
            return false;
    for (uint32_t l = 0; l < p->location_count; l++)
        if (!is_seen(bound, p, l))
            return false;
    return is_one(bound, p);
}
