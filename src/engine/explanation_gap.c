/* Which order is missing in an execution whose crash lost something: the earlier write executed,
 * the later one is durable, or has told a register of the state, and the model lets it be without
 * the other. */
#include "engine/explanation.h"

#include "base/bits.h"
#include "litmus/lit_code.h"

enum { MOST_GAPS = 32 };

struct finder {
    struct explanation *explanation;
    const struct engine_witness *witness;
    struct explanation_nodes nodes;
    uint32_t n; /* events */
};

static const struct ev *event(const struct finder *f, uint32_t e)
{
    return &f->witness->skeleton->events[e];
}

static bool is_nvm_write(const struct finder *f, uint32_t e)
{
    const struct ev *ev = event(f, e);
    return ev->kind == EV_WRITE && !ev->init &&
           f->witness->skeleton->program->locations[ev->location].nvm;
}

static bool executes_before(const struct finder *f, uint32_t a, uint32_t b)
{
    return a != b && rel_has(f->nodes.dim, f->nodes.before, a, b) &&
           !rel_has(f->nodes.dim, f->nodes.before, b, a);
}

static bool is_durable(const struct finder *f, uint32_t e)
{
    return is_nvm_write(f, e) && bits_get(f->nodes.wanted, f->n + e);
}

/* Is there something of this event by which the loss of an earlier write shows? */
static bool is_later(const struct finder *f, uint32_t lost, uint32_t e)
{
    return bits_get(f->nodes.tells, e) ||
           (is_durable(f, e) && event(f, lost)->location != event(f, e)->location);
}

static bool is_lost(const struct finder *f, uint32_t e)
{
    return is_nvm_write(f, e) && bits_get(f->nodes.wanted, e) &&
           !bits_get(f->nodes.wanted, f->n + e);
}

/* Nothing durable stands between a lost write and a durable one behind it. */
static bool is_next(const struct finder *f, uint32_t lost, uint32_t durable)
{
    for (uint32_t e = 0; e < f->n; e++)
        if (is_durable(f, e) && executes_before(f, lost, e) && executes_before(f, e, durable))
            return false;
    return true;
}

static enum lit_scope scope_of_both(const struct lit_program *program, const uint32_t *threads)
{
    const struct lit_thread *a = &program->threads[threads[0]], *b = &program->threads[threads[1]];
    if (a == b)
        return LIT_SCOPE_WI;
    enum lit_scope scope = LIT_SCOPE_SG;
    while (scope < LIT_SCOPE_ALL && !ev_same_instance(a, b, scope))
        scope++;
    return scope;
}

static void find_barrier(const struct finder *f, uint32_t lost, uint32_t durable,
                         struct explanation_gap *gap)
{
    for (uint32_t e = 0; e < f->n; e++) {
        const struct ev *ev = event(f, e);
        if (ev->kind != EV_PBARRIER || !executes_before(f, lost, e) ||
            !executes_before(f, e, durable) ||
            (gap->has_barrier && ev->scope <= gap->barrier_scope))
            continue;
        gap->has_barrier = true;
        gap->barrier_scope = ev->scope;
        gap->barrier_instr = ev->instr;
        gap->barrier = explanation_event(f->explanation, f->witness->skeleton->program, ev);
    }
}

/* Passes of a loop give the same gap. */
static bool is_known(const struct finder *f, const struct explanation_gap *gap)
{
    for (size_t i = 0; i < f->explanation->gaps.count; i++)
        if (f->explanation->gaps.items[i].instrs[0] == gap->instrs[0] &&
            f->explanation->gaps.items[i].instrs[1] == gap->instrs[1])
            return true;
    return f->explanation->gaps.count == MOST_GAPS;
}

static void add_gap(const struct finder *f, uint32_t lost, uint32_t durable)
{
    const struct lit_program *program = f->witness->skeleton->program;
    const struct ev *a = event(f, lost), *b = event(f, durable);
    struct explanation_gap gap = {.instrs = {a->instr, b->instr},
                                  .threads = {a->thread, b->thread},
                                  .location = a->location,
                                  .scope =
                                      scope_of_both(program, (uint32_t[]){a->thread, b->thread})};
    if (is_known(f, &gap))
        return;
    gap.next = is_next(f, lost, durable);
    gap.earlier = explanation_event(f->explanation, program, a);
    gap.later = explanation_event(f->explanation, program, b);
    find_barrier(f, lost, durable, &gap);
    VEC_PUSH(&f->explanation->gaps, gap);
}

void explanation_clear_gaps(struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->gaps.count; i++)
        VEC_FREE(&explanation->gaps.items[i].tries);
    VEC_CLEAR(&explanation->gaps);
}

bool explanation_is_mended(const struct explanation_gap *gap)
{
    return gap->tries.count && VEC_LAST(&gap->tries).result == EXPLANATION_MEND_HOLDS;
}

void explanation_find_gaps(struct explanation *explanation, const struct engine_witness *witness,
                           const struct explanation_nodes *nodes)
{
    const struct finder f = {explanation, witness, *nodes, witness->skeleton->dim.n};
    explanation_clear_gaps(explanation);
    for (uint32_t lost = 0; lost < f.n; lost++)
        for (uint32_t later = 0; is_lost(&f, lost) && later < f.n; later++)
            if (is_later(&f, lost, later) && executes_before(&f, lost, later))
                add_gap(&f, lost, later);
}

/* ---- With another barrier ---- */

/* Code from `at` on moves by one. */
static const struct lit_range *shifted(struct arena *arena, const struct lit_range *range,
                                       uint32_t at)
{
    struct lit_range *copy = NULL;
    if (range) {
        copy = ARENA_NEW(arena, struct lit_range);
        copy->begin = range->begin + (range->begin >= at);
        copy->end = range->end + (range->end > at);
        copy->next = shifted(arena, range->next, at);
    }
    return copy;
}

struct lit_instr explanation_barrier(enum lit_scope scope)
{
    return (struct lit_instr){.op = LIT_PBARRIER,
                              .scope = scope,
                              .exec_scope = scope,
                              .dst = LIT_NONE,
                              .dst_old = LIT_NONE};
}

/* Jumps to the instruction behind it lead to the barrier, but for those back to the top of a
 * wait. */
static const struct lit_instr *insert_barrier(struct arena *arena, const struct lit_thread *thread,
                                              uint32_t at, const struct lit_instr *put)
{
    struct lit_instr *code = ARENA_ARRAY(arena, struct lit_instr, thread->code_count + 1u);
    bool waits = lit_code_await_from(thread, at);
    for (uint32_t i = 0; i < thread->code_count; i++) {
        struct lit_instr *instr = &code[i + (i >= at)];
        *instr = thread->code[i];
        instr->target += instr->target > at || (waits && instr->target == at && i >= at);
        instr->begin += instr->begin >= at;
        instr->unsequenced = shifted(arena, instr->unsequenced, at);
    }
    code[at] = *put;
    code[at].span = thread->code[at].span;
    code[at].statement = NULL;
    code[at].within = false;
    code[at].unsequenced = NULL;
    return code;
}

static struct lit_thread *copy_threads(struct arena *arena, const struct lit_program *program,
                                       struct lit_program **mended)
{
    struct lit_thread *threads =
        arena_copy(arena, program->threads, program->thread_count * sizeof *threads);
    *mended = arena_copy(arena, program, sizeof *program);
    (*mended)->threads = threads;
    return threads;
}

const struct lit_program *explanation_mended(struct arena *arena, const struct lit_program *program,
                                             uint32_t thread, uint32_t at,
                                             const struct lit_instr *instr)
{
    struct lit_program *mended;
    struct lit_thread *changed = &copy_threads(arena, program, &mended)[thread];
    BASE_CHECK(at < changed->code_count);
    changed->code = insert_barrier(arena, changed, at, instr);
    changed->code_count++;
    return mended;
}

/* How many persist barriers stand before this one in the code. */
static uint32_t number_of(const struct lit_thread *thread, const struct lit_instr *barrier)
{
    uint32_t number = 0;
    for (const struct lit_instr *instr = thread->code; instr < barrier; instr++)
        number += instr->op == LIT_PBARRIER;
    return number;
}

static const struct lit_instr *widen(struct arena *arena, const struct lit_thread *thread,
                                     uint32_t number, enum lit_scope scope)
{
    struct lit_instr *code = ARENA_ARRAY(arena, struct lit_instr, thread->code_count + 1u);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < thread->code_count; i++) {
        code[i] = thread->code[i];
        if (code[i].op == LIT_PBARRIER && seen++ == number && code[i].scope < scope)
            code[i].scope = code[i].exec_scope = scope;
    }
    return code;
}

const struct lit_program *explanation_widened(struct arena *arena,
                                              const struct lit_program *program,
                                              const struct explanation_gap *gap,
                                              enum lit_scope scope)
{
    struct lit_program *mended;
    struct lit_thread *threads = copy_threads(arena, program, &mended);
    uint32_t owner = gap->barrier.thread;
    uint32_t number = number_of(&program->threads[owner], gap->barrier_instr);
    for (uint32_t t = 0; t < program->thread_count; t++)
        if (ev_same_instance(&program->threads[owner], &program->threads[t], scope))
            threads[t].code = widen(arena, &program->threads[t], number, scope);
    return mended;
}
