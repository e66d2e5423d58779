/* Counters: locations that only read-modify-writes write, all of which add one constant. A read's
 * value is its place in coherence, so no two reads return one value. Solvers would need an
 * induction to find that. */
#include "smt/smt_chain.h"

#include "base/bits.h"

/* The value is what the read returned and a constant. */
static bool is_step(const struct smt_program *p, uint32_t read, int64_t *step)
{
    BASE_ASSERT(read < p->dim.n);
    const struct smt_event *write = &p->events[p->half[read]];
    const struct exec_value *value = write->ev.value;
    enum lit_type type = smt_program_test(p)->locations[write->ev.location].type;
    if (value->op != LIT_OP_ADD || value->type != type || value->operands != type ||
        value->a->op != LIT_OP_REG || value->a->type != type ||
        value->a->read != p->events[read].index || value->b->op != LIT_OP_CONST)
        return false;
    *step = value->b->value;
    return true;
}

/* The reads of a location's read-modify-writes, when each adds one and the same and nobody else
 * writes; 0 otherwise. */
static uint32_t find_counter(const struct smt_program *p, uint32_t location, uint32_t *reads,
                             int64_t *step)
{
    uint32_t count = 0, writes = 0;
    for (uint32_t e = p->init_count; e < p->dim.n; e++) {
        int64_t own;
        writes += smt_writes_to(&p->events[e], location);
        if (p->events[e].ev.location != location || p->half[e] == LIT_NONE)
            continue;
        if (!is_step(p, e, &own) || (count && own != *step))
            return 0;
        *step = own;
        reads[count++] = e;
    }
    return count == writes && *step ? count : 0;
}

/* ---- Who takes different numbers ---------------------------------------------------------- */

/* No two of so many reads return one value, in words of this width. */
static bool are_distinct(enum lit_type type, int64_t step, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (lit_value_wrap(type, (int64_t)((uint64_t)step * i)) == 0)
            return false;
    return true;
}

/* A widened value: others stay others. */
static const struct exec_value *narrow(const struct exec_value *value)
{
    while (value->op == LIT_OP_CAST && lit_type_is_wide(value->type))
        value = value->a;
    return value;
}

/* Does the read return one value where this is true, or false? */
static bool tells(const struct exec_value *is, bool truth, uint32_t read, int64_t *value)
{
    switch (is->op) {
    case LIT_OP_NOT: return tells(is->a, !truth, read, value);
    case LIT_OP_AND:
    case LIT_OP_OR:
        return truth == (is->op == LIT_OP_AND) &&
               (tells(is->a, truth, read, value) || tells(is->b, truth, read, value));
    case LIT_OP_EQ:
    case LIT_OP_NE: break;
    default: return false;
    }
    const struct exec_value *of = narrow(is->a);
    if (is->b->op != LIT_OP_CONST)
        return false;
    if (truth == (is->op == LIT_OP_EQ) && of->op == LIT_OP_REG && of->read == read) {
        *value = is->b->value;
        return true;
    }
    return is->b->value == 0 && tells(is->a, truth != (is->op == LIT_OP_EQ), read, value);
}

static bool path_tells(const struct exec_path *path, uint32_t read, int64_t *value)
{
    return ANY(i, path->constraint_count,
               tells(path->constraints[i].value, path->constraints[i].truth, read, value));
}

static bool guard_tells(const struct exec_guard *guard, uint32_t read, int64_t *value)
{
    for (; guard; guard = guard->outer)
        if (tells(guard->when, true, read, value))
            return true;
    return false;
}

/* What each event relies on the read to return, on all paths through it; `pinned` says which do. */
static void pin_events(const struct smt_program *p, uint32_t read, rel_word *pinned, int64_t *value)
{
    BASE_ASSERT(read < p->dim.n);
    const struct smt_thread *thread = &p->threads[p->events[read].ev.thread];
    uint32_t at = p->events[read].index;
    rel_word *open = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
    for (uint32_t i = 0; i < thread->paths.count; i++) {
        const struct exec_path *path = thread->paths.items[i];
        int64_t all = 0, own = 0;
        bool reads = at < path->event_count && thread->nodes[i][at] == read;
        bool told = reads && path_tells(path, at, &all);
        for (uint32_t k = 0; k < path->event_count; k++) {
            uint32_t e = thread->nodes[i][k];
            own = all;
            bool relies = told || (reads && guard_tells(path->guards[k], at, &own));
            if (!relies || (bits_get(pinned, e) && value[e] != own))
                bits_set(open, e);
            if (relies && !bits_get(pinned, e))
                value[e] = own;
            if (relies)
                bits_set(pinned, e);
        }
    }
    set_diff(p->dim, pinned, pinned, open);
}

/* Events that need two reads of one counter to return one value are in no execution together: so
 * are the slots that each takes by its number apart. */
void smt_counter_keep_apart(struct smt_program *p, uint32_t location)
{
    BASE_ASSERT(location < smt_program_test(p)->location_count);
    uint32_t *reads = ARENA_ARRAY(p->arena, uint32_t, p->dim.n);
    int64_t step = 0, *value = ARENA_ARRAY(p->arena, int64_t, p->dim.n);
    rel_word *pinned = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
    uint32_t count = find_counter(p, location, reads, &step);
    if (!are_distinct(smt_program_test(p)->locations[location].type, step, count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct arena_mark mark = arena_mark(p->arena);
        rel_word *own = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
        int64_t *its = ARENA_ARRAY(p->arena, int64_t, p->dim.n);
        pin_events(p, reads[i], own, its);
        for (uint32_t e = 0; e < p->dim.n; e++)
            value[e] = bits_get(own, e) ? its[e] : value[e];
        set_union(p->dim, pinned, pinned, own);
        arena_rewind(p->arena, mark);
    }
    for (uint32_t a = p->init_count; a < p->dim.n; a++)
        for (uint32_t b = p->init_count; bits_get(pinned, a) && b < p->dim.n; b++) {
            if (!bits_get(pinned, b) || value[a] != value[b] ||
                p->events[a].ev.thread == p->events[b].ev.thread)
                continue;
            rel_remove(p->dim, p->compatible, a, b);
            p->rf[smt_pair(p, a, b)] = NULL;
        }
}

/* ---- Places ------------------------------------------------------------------------------ */

/* How many of the counter's writes come before each. */
static smt_term *find_places(struct smt_program *p, const uint32_t *reads, uint32_t count)
{
    smt_term *places = ARENA_ARRAY(p->arena, smt_term, count);
    smt_term *before = ARENA_ARRAY(p->arena, smt_term, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t many = 0;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t w = p->half[reads[k]];
            smt_term order = p->co[smt_pair(p, w, p->half[reads[i]])];
            if (k != i && order && rel_has(p->dim, p->compatible, w, reads[i]))
                before[many++] = smt_and(p->solver, order, p->events[w].guard);
        }
        places[i] = smt_count(p->solver, before, many);
    }
    return places;
}

static smt_term value_at(struct smt_program *p, uint32_t location, int64_t step, smt_term place)
{
    BASE_ASSERT(location < smt_program_test(p)->location_count);
    struct smt_solver *s = p->solver;
    enum lit_type type = smt_program_test(p)->locations[location].type;
    smt_term times = smt_cast(s, type, LIT_UINT, place);
    if (step != 1)
        times = smt_apply(s, LIT_OP_MUL, type, times, smt_constant(s, type, step));
    return smt_apply(s, LIT_OP_ADD, type, p->events[location].value, times);
}

void smt_counter_build(struct smt_program *p, uint32_t location)
{
    struct smt_solver *s = p->solver;
    uint32_t *reads = ARENA_ARRAY(p->arena, uint32_t, p->dim.n);
    int64_t step = 0;
    uint32_t count = find_counter(p, location, reads, &step);
    smt_term *places = find_places(p, reads, count);
    for (uint32_t i = 0; i < count && !smt_out_of_time(p); i++) {
        uint32_t own = p->half[reads[i]];
        smt_term value = value_at(p, location, step, places[i]);
        smt_assert(s, smt_implies(s, p->events[own].guard,
                                  smt_equal(s, p->events[reads[i]].value, value)));
        for (uint32_t k = 0; k < count; k++) {
            uint32_t other = p->half[reads[k]];
            smt_term order = k == i ? NULL : p->co[smt_pair(p, own, other)];
            if (order)
                smt_assert(s, smt_implies(s, smt_program_present(p, own, other, order),
                                          smt_nonzero(s, LIT_INT,
                                                      smt_apply(s, LIT_OP_LT, LIT_UINT, places[i],
                                                                places[k]))));
        }
    }
}
