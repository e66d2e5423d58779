/* Weakens a copy in which each operation remembers its former place; then takes the representative,
 * with these places. */
#include "generate/gen_weaken.h"

#include "base/arena.h"

#include <string.h>

struct weakening {
    const struct gen_bound *bound;
    const struct gen_program *program;
    struct gen_program copy;
    uint8_t op_was[GEN_MAX_THREADS][GEN_MAX_OPS];
    gen_weaken_visit *visit;
    void *context;
};

static void begin_weakening(struct weakening *w)
{
    w->copy = *w->program;
    for (uint32_t t = 0; t < GEN_MAX_THREADS; t++)
        for (uint8_t i = 0; i < GEN_MAX_OPS; i++)
            w->op_was[t][i] = i;
}

/* The operation that was at `index` in the work-item. */
static uint32_t find_operation(const struct weakening *w, uint32_t thread, uint32_t index)
{
    uint32_t i = 0;
    while (w->op_was[thread][i] != index)
        i++;
    return i;
}

static void drop(struct weakening *w, uint32_t thread, uint32_t index)
{
    uint32_t at = find_operation(w, thread, index);
    gen_remove(&w->copy, thread, at);
    memmove(&w->op_was[thread][at], &w->op_was[thread][at + 1], GEN_MAX_OPS - 1 - at);
}

/* ---- The representative ---- */

/* Work-items without operations go; those left are in their order. */
static uint32_t drop_empty(struct weakening *w, uint8_t kept[GEN_MAX_THREADS])
{
    uint32_t count = 0;
    for (uint8_t t = 0; t < w->program->thread_count; t++)
        if (w->copy.length[count])
            kept[count++] = t;
        else
            gen_remove_thread(&w->copy, count);
    return count;
}

static bool finish(struct weakening *w, const char *what, uint32_t thread, uint32_t index)
{
    struct gen_weaker weaker = {.what = what, .thread = thread, .index = index};
    uint8_t kept[GEN_MAX_THREADS], threads[GEN_MAX_THREADS], locations[GEN_MAX_LOCATIONS];
    uint32_t count = drop_empty(w, kept);
    gen_canonical(&w->copy, &weaker.program, threads, locations);
    for (uint32_t t = 0; t < count; t++) {
        weaker.thread_was[t] = kept[threads[t]];
        memcpy(weaker.op_was[t], w->op_was[weaker.thread_was[t]], GEN_MAX_OPS);
    }
    for (uint8_t l = 0; l < GEN_MAX_LOCATIONS; l++)
        if (locations[l] != GEN_NOWHERE)
            weaker.location_was[locations[l]] = l;
    return w->visit(w->context, &weaker);
}

/* ---- What goes together ---- */

static bool share_instance(const struct gen_program *p, uint32_t a, uint32_t b, uint32_t scope)
{
    return a == b || gen_common_scope(p, a, b) <= scope;
}

/* The operation's number among those of its form in its work-item. */
static uint32_t turn_of(const struct gen_program *p, uint32_t thread, uint32_t index)
{
    BASE_ASSERT(thread < p->thread_count);
    return COUNT_IF(i, index, gen_form_is(p->ops[thread][i].form, p->ops[thread][index].form));
}

/* The number of the operation of another work-item that meets it; its length when none does. */
static uint32_t partner(const struct gen_program *p, uint32_t thread, uint32_t index,
                        uint32_t other)
{
    BASE_ASSERT(thread < p->thread_count);
    struct gen_form form = p->ops[thread][index].form;
    uint32_t turn = turn_of(p, thread, index), i = 0;
    for (; i < p->length[other]; i++)
        if (gen_form_is(p->ops[other][i].form, form) && turn-- == 0)
            break;
    return i;
}

static uint32_t traits_of(const struct weakening *w, uint32_t thread, uint32_t index)
{
    return gen_family_of(w->bound->vocabulary, &w->program->ops[thread][index])->traits;
}

static bool meets(const struct weakening *w, uint32_t thread, uint32_t index)
{
    return gen_form_meets(w->bound->vocabulary, w->program->ops[thread][index].form);
}

/* Calls for all that are one thing with the operation; only of the first of them: false for others.
 */
typedef void each(struct weakening *w, uint32_t thread, uint32_t index, struct gen_form form);

static bool for_all(struct weakening *w, uint32_t thread, uint32_t index, each *apply,
                    struct gen_form form)
{
    const struct gen_program *p = w->program;
    uint32_t scope = p->ops[thread][index].form.scope;
    begin_weakening(w);
    for (uint32_t t = 0; meets(w, thread, index) && t < p->thread_count; t++) {
        if (t == thread || !share_instance(p, t, thread, scope))
            continue;
        uint32_t other = partner(p, thread, index, t);
        if (other < p->length[t] && t < thread)
            return false;
        if (other < p->length[t])
            apply(w, t, other, form);
    }
    apply(w, thread, index, form);
    return true;
}

static void apply_drop(struct weakening *w, uint32_t thread, uint32_t index, struct gen_form form)
{
    (void)form;
    drop(w, thread, index);
}

static void apply_form(struct weakening *w, uint32_t thread, uint32_t index, struct gen_form form)
{
    w->copy.ops[thread][find_operation(w, thread, index)].form = form;
}

/* ---- One thing ---- */

static bool without_op(struct weakening *w, uint32_t thread, uint32_t index)
{
    if (traits_of(w, thread, index) & GEN_CLOSES)
        return true; /* with what opened it */
    if (!for_all(w, thread, index, apply_drop, w->program->ops[thread][index].form))
        return true;
    if (traits_of(w, thread, index) & GEN_OPENS)
        for (uint32_t i = index + 1; i < w->program->length[thread]; i++)
            if (traits_of(w, thread, i) & GEN_CLOSES) {
                drop(w, thread, i);
                break;
            }
    return finish(w, "gone", thread, index);
}

static bool with_less(struct weakening *w, uint32_t thread, uint32_t index)
{
    struct gen_form steps[GEN_MAX_STEPS];
    uint32_t count = gen_form_steps(w->bound->vocabulary, w->program->ops[thread][index].form,
                                    w->bound->orders, w->bound->scopes, steps);
    return !ANY(s, count,
                gen_can_print_form(w->bound->vocabulary, w->bound->dialect, steps[s]) &&
                    for_all(w, thread, index, apply_form, steps[s]) &&
                    !finish(w, "weaker", thread, index));
}

/* A read-modify-write is weaker when it only reads, with the part of its order that acquires, or
 * only writes, with the part that releases. */
static bool with_half(struct weakening *w, uint32_t thread, uint32_t index, const char *family,
                      uint32_t part)
{
    const struct gen_vocabulary *v = w->bound->vocabulary;
    const struct gen_op *op = &w->program->ops[thread][index];
    uint8_t order = op->form.order;
    if (order == LIT_ORDER_ACQ_REL)
        order = (uint8_t)part;
    else if (order != LIT_ORDER_SC && order != part)
        order = LIT_ORDER_RLX;
    const struct gen_form form = {(uint8_t)gen_family_find(v, family), order, op->form.scope};
    if (!gen_can_print_form(v, w->bound->dialect, form))
        return true;
    begin_weakening(w);
    struct gen_op *half = &w->copy.ops[thread][index];
    half->form = form;
    if (part == LIT_ORDER_ACQ && half->dependency == GEN_DATA)
        half->dependency = GEN_FREE, half->on = 0;
    for (uint32_t i = index + 1; part == LIT_ORDER_REL && i < w->copy.length[thread]; i++) {
        struct gen_op *after = &w->copy.ops[thread][i];
        if (after->dependency != GEN_FREE && after->on == index)
            after->dependency = GEN_FREE, after->on = 0;
    }
    return finish(w, "halved", thread, index);
}

static bool without_dependency(struct weakening *w, uint32_t thread, uint32_t index)
{
    if (w->program->ops[thread][index].dependency == GEN_FREE)
        return true;
    begin_weakening(w);
    w->copy.ops[thread][index].dependency = GEN_FREE;
    w->copy.ops[thread][index].on = 0;
    return finish(w, "independent", thread, index);
}

static bool weaken_op(struct weakening *w, uint32_t t, uint32_t i)
{
    enum gen_class class = gen_family_of(w->bound->vocabulary, &w->program->ops[t][i])->class;
    return without_op(w, t, i) && with_less(w, t, i) && without_dependency(w, t, i) &&
           (class != GEN_RMW ||
            (with_half(w, t, i, "lda", LIT_ORDER_ACQ) && with_half(w, t, i, "sta", LIT_ORDER_REL)));
}

bool gen_weaken(const struct gen_bound *bound, const struct gen_program *program,
                gen_weaken_visit *visit, void *context)
{
    struct weakening w = {.bound = bound, .program = program, .visit = visit, .context = context};
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->length[t]; i++)
            if (!weaken_op(&w, t, i))
                return false;
    for (uint32_t l = 0; l < program->location_count; l++)
        if (program->nvm >> l & 1) {
            begin_weakening(&w);
            w.copy.nvm &= (uint8_t) ~(1u << l);
            if (!finish(&w, "volatile", GEN_NOWHERE, l))
                return false;
        }
    return true;
}

/* ---- Outcomes ---- */

/* The value that a value of the location has in the weaker program; GEN_ANY when its write is gone.
 */
static uint8_t value_of(const struct gen_vocabulary *v, const struct gen_program *program,
                        uint32_t location, const struct gen_weaker *weaker, uint8_t value)
{
    const struct gen_program *p = &weaker->program;
    if (value == 0 || value == GEN_ANY)
        return value;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t i = 0; i < p->length[t]; i++) {
            uint32_t was_thread = weaker->thread_was[t], was = weaker->op_was[t][i];
            if (gen_writes(v, &p->ops[t][i]) &&
                program->ops[was_thread][was].location == location &&
                gen_value(v, program, was_thread, was) == value)
                return (uint8_t)gen_value(v, p, t, i);
        }
    return GEN_ANY;
}

void gen_weaken_outcome(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                        const struct gen_outcome *outcome, const struct gen_weaker *weaker,
                        struct gen_outcome *weakened)
{
    const struct gen_program *p = &weaker->program;
    gen_outcome_init(weakened);
    for (uint32_t t = 0; t < p->thread_count; t++) {
        uint32_t was_thread = weaker->thread_was[t];
        if (gen_shows_end(vocabulary, p, t))
            weakened->ends[t] = outcome->ends[was_thread];
        for (uint32_t i = 0; i < p->length[t]; i++) {
            uint32_t was = weaker->op_was[t][i];
            if (gen_reads(vocabulary, &p->ops[t][i]))
                weakened->reads[t][i] =
                    value_of(vocabulary, program, program->ops[was_thread][was].location, weaker,
                             outcome->reads[was_thread][was]);
        }
    }
    for (uint32_t l = 0; l < p->location_count; l++) {
        uint32_t was = weaker->location_was[l];
        if (p->nvm >> l & 1 || !(program->nvm >> was & 1))
            weakened->memory[l] = value_of(vocabulary, program, was, weaker, outcome->memory[was]);
    }
}
