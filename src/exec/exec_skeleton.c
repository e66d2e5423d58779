/* Numbers the events, indexes the accesses, and chooses who opens a quorum. Then a base is a
 * predicate on each event or pair, evaluated only for bases that the model mentions. */
#include "exec/exec_skeleton.h"

#include "base/bits.h"
#include "exec/exec_basis.h"

#include <string.h>

/* Locations that some event accesses get an initial write; the others keep their
 * initial value in every execution. */
static uint32_t add_initial_writes(struct arena *arena, const struct lit_program *program,
                                   const struct exec_path *const *paths, struct ev *events)
{
    bool *used = ARENA_ARRAY(arena, bool, program->location_count);
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < paths[t]->event_count; i++)
            if (paths[t]->events[i].location != LIT_NONE) {
                BASE_ASSERT(paths[t]->events[i].location < program->location_count);
                used[paths[t]->events[i].location] = true;
            }
    uint32_t count = 0;
    for (uint32_t l = 0; l < program->location_count; l++) {
        const struct lit_location *location = &program->locations[l];
        if (used[l] && events)
            events[count] =
                (struct ev){.kind = EV_WRITE,
                            .init = true,
                            .thread = LIT_NONE,
                            .location = l,
                            .spaces = location->spaces,
                            .value = exec_value_const(arena, location->type, location->init)};
        count += used[l];
    }
    return count;
}

static void add_threads(struct exec_skeleton *skeleton, struct ev *events, uint32_t *first,
                        uint32_t *value_base)
{
    uint32_t at = skeleton->init_count;
    for (uint32_t t = 0; t < skeleton->program->thread_count; t++) {
        const struct exec_path *path = skeleton->paths[t];
        BASE_ASSERT(path->slot_count >= path->event_count);
        first[t] = at;
        value_base[t] = skeleton->slot_count;
        if (path->event_count)
            memcpy(events + at, path->events, path->event_count * sizeof *events);
        at += path->event_count;
        BASE_ASSERT(at <= skeleton->dim.n);
        skeleton->slot_count += path->slot_count;
        skeleton->probe |= path->probe;
    }
}

static void index_accesses(struct arena *arena, struct exec_skeleton *skeleton)
{
    struct rel_dim dim = skeleton->dim;
    uint32_t *reads = ARENA_ARRAY(arena, uint32_t, dim.n);
    rel_word *writes =
        ARENA_ARRAY(arena, rel_word, (size_t)skeleton->program->location_count * dim.words);
    for (uint32_t e = 0; e < dim.n; e++) {
        const struct ev *event = &skeleton->events[e];
        if (event->kind == EV_READ)
            reads[skeleton->read_count++] = e;
        if (event->kind == EV_WRITE) {
            BASE_ASSERT(event->location < skeleton->program->location_count);
            bits_set(writes + (size_t)event->location * dim.words, e);
        }
    }
    skeleton->reads = reads;
    skeleton->writes_of = writes;
}

struct exec_skeleton *exec_skeleton_new(struct arena *arena, const struct lit_program *program,
                                        const struct exec_path *const *paths)
{
    uint32_t inits = add_initial_writes(arena, program, paths, NULL), n = inits;
    for (uint32_t t = 0; t < program->thread_count; t++)
        n += paths[t]->event_count;
    if (n > EXEC_MAX_EVENTS)
        return NULL;
    struct exec_skeleton *skeleton = ARENA_NEW(arena, struct exec_skeleton);
    struct ev *events = ARENA_ARRAY(arena, struct ev, n);
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, program->thread_count);
    uint32_t *value_base = ARENA_ARRAY(arena, uint32_t, program->thread_count);
    *skeleton = (struct exec_skeleton){.program = program,
                                       .paths = paths,
                                       .dim = rel_dim_make(n),
                                       .events = events,
                                       .barriers = events,
                                       .init_count = inits,
                                       .first = first,
                                       .value_base = value_base};
    add_initial_writes(arena, program, paths, events);
    add_threads(skeleton, events, first, value_base);
    index_accesses(arena, skeleton);
    exec_skeleton_first_quorum(skeleton);
    return skeleton;
}

static bool in_scope_set(const struct ev *event, enum lit_scope scope)
{
    return event->has_scope && event->scope == scope;
}

static bool in_order_set(const struct ev *event, enum lit_order order)
{
    return event->has_order && event->order == order;
}

/* The read of a compare-exchange, which may have failed. */
static bool is_attempt(const struct ev *event)
{
    return event->kind == EV_READ && event->instr && event->instr->op == LIT_CAS;
}

/* Registers that are exchanged are no memory, and who meets for that orders none. */
static bool is_no_memory(const struct lit_program *program, const struct ev *event)
{
    return event->location != LIT_NONE ? program->locations[event->location].exchanged
                                       : event->instr && event->instr->bare;
}

static bool in_set(const struct lit_program *program, const struct ev *event, uint32_t base)
{
    BASE_ASSERT(base < EXEC_REL_ID);
    BASE_ASSERT(event->location == LIT_NONE || event->location < program->location_count);
    if (is_no_memory(program, event))
        return base == EXEC_SET_ALL_EVENTS || (base == EXEC_SET_INIT && event->init);
    switch (base) {
    case EXEC_SET_ALL_EVENTS: return true;
#define X(name, word) \
    case EXEC_SET_##name: return event->kind == EV_##name;
        EV_KINDS(X)
#undef X
    case EXEC_SET_MEMORY: return ev_kind_accesses(event->kind);
    case EXEC_SET_INIT: return event->init;
    case EXEC_SET_NVM:
        return event->location != LIT_NONE && program->locations[event->location].nvm;
    case EXEC_SET_ATOMIC:
    case EXEC_SET_ATOMIC_SHORT: return event->atomic;
    case EXEC_SET_RMW: return event->rmw || is_attempt(event);
    case EXEC_SET_GLOBAL: return (event->spaces & LIT_GLOBAL) != 0;
    case EXEC_SET_LOCAL: return (event->spaces & LIT_LOCAL) != 0;
    case EXEC_SET_NAL:
        return ev_kind_accesses(event->kind) &&
               (event->instr ? event->instr->nonatomic
                             : !program->locations[event->location].atomic);
    case EXEC_SET_NA:
    case EXEC_SET_RLX:
    case EXEC_SET_ACQ:
    case EXEC_SET_REL:
    case EXEC_SET_ACQ_REL:
    case EXEC_SET_SC: return in_order_set(event, (enum lit_order)(base - EXEC_SET_NA));
    case EXEC_SET_CTA: return in_scope_set(event, LIT_SCOPE_WG);
    case EXEC_SET_GPU: return in_scope_set(event, LIT_SCOPE_DV);
    case EXEC_SET_SYS: return in_scope_set(event, LIT_SCOPE_ALL);
    case EXEC_SET_WEAK: return in_order_set(event, LIT_ORDER_NA);
    case EXEC_SET_ARRIVE: return event->kind == EV_BARRIER && event->meeting.arrive;
    case EXEC_SET_GEN: return ev_kind_accesses(event->kind) || event->kind == EV_FENCE;
    case EXEC_SET_TEX:
    case EXEC_SET_SUR:
    case EXEC_SET_CON:
    case EXEC_SET_ALIAS: return false; /* all accesses are by the generic proxy */
    default: return in_scope_set(event, (enum lit_scope)(base - EXEC_SET_WI));
    }
}

static bool same_instance(const struct lit_program *program, const struct ev *a, const struct ev *b,
                          enum lit_scope scope)
{
    BASE_ASSERT(a->init == (a->thread == LIT_NONE) && b->init == (b->thread == LIT_NONE));
    return !a->init && !b->init &&
           lit_same_instance(&program->threads[a->thread], &program->threads[b->thread], scope);
}

/* Initial writes count as one thread of their own. */
static bool same_thread(const struct ev *a, const struct ev *b)
{
    return a->thread == b->thread;
}

/* Whoever opened the barrier comes before all that leave it; nobody waits for a late one,
 * and one that only arrives waits for nobody. */
static bool same_meeting(const struct exec_skeleton *s, const struct ev *a, const struct ev *b,
                         enum ev_kind kind)
{
    return a->kind == kind && b->kind == kind && ev_same_meeting(&a->meeting, &b->meeting) &&
           same_instance(s->program, a, b, a->meeting.scope) && !b->meeting.arrive &&
           (!a->late || a == b);
}

/* The read of a read-modify-write stands right before its write. */
static bool is_rmw_pair(const struct ev *a, const struct ev *b, uint32_t i, uint32_t j)
{
    BASE_ASSERT(i < j || j != i + 1);
    return j == i + 1 && a->kind == EV_READ && a->rmw && b->kind == EV_WRITE && b->rmw &&
           same_thread(a, b) && a->instr == b->instr;
}

/* May something depend so on an event of that kind? On reads; tokens are of fences and flushes. */
static bool gives(uint32_t base, enum ev_kind kind)
{
    return base == EXEC_REL_TOKEN ? kind == EV_FENCE || kind == EV_CM : kind == EV_READ;
}

const struct exec_deps *exec_path_deps(const struct exec_path *path, uint32_t base, uint32_t index)
{
    BASE_ASSERT(exec_base_depends(base));
    BASE_ASSERT(index < path->event_count);
    return base == EXEC_REL_ADDR   ? &path->addr[index]
           : base == EXEC_REL_CTRL ? &path->ctrl[index]
                                   : &path->data[index]; /* of a fence: whose tokens it names */
}

/* Dependencies from event i to event j, of the kind that `base` names. */
static bool has_dependency(const struct exec_skeleton *s, uint32_t base, uint32_t i, uint32_t j)
{
    const struct ev *from = &s->events[i], *to = &s->events[j];
    if (to->init || !same_thread(from, to) || i >= j || !gives(base, from->kind))
        return false;
    BASE_ASSERT(i >= s->first[to->thread]);
    return exec_deps_has(exec_path_deps(s->paths[to->thread], base, j - s->first[to->thread]),
                         i - s->first[to->thread]);
}

bool exec_events_mutually_scoped(const struct lit_program *program, const struct ev *a,
                                 const struct ev *b)
{
    return a->has_scope && b->has_scope && same_instance(program, a, b, a->scope) &&
           same_instance(program, a, b, b->scope);
}

bool exec_mutually_scoped(const struct exec_skeleton *s, uint32_t i, uint32_t j)
{
    return exec_events_mutually_scoped(s->program, &s->events[i], &s->events[j]);
}

static bool names_instr(const struct exec_skeleton *s, const struct ev *by, const struct ev *of)
{
    uint32_t at = (uint32_t)(of->instr - s->program->threads[of->thread].code);
    BASE_ASSERT(at < s->program->threads[of->thread].code_count);
    for (const struct lit_range *range = by->instr->unsequenced; range; range = range->next)
        if (range->begin <= at && at < range->end)
            return true;
    return false;
}

/* On a joined path event k never happens together with both of the others. */
static bool is_on_other_part(const struct exec_skeleton *s, uint32_t k, uint32_t i, uint32_t j)
{
    BASE_ASSERT(s->events[k].thread == s->events[i].thread &&
                s->events[k].thread == s->events[j].thread);
    uint32_t thread = s->events[k].thread, first = s->first[thread];
    const struct exec_guard *const *guards = s->paths[thread]->guards;
    if (!s->paths[thread]->joined)
        return false;
    return exec_guards_exclude(guards[k - first], guards[i - first]) ||
           exec_guards_exclude(guards[k - first], guards[j - first]);
}

/* Two events of one evaluation of an expression that leaves their order open: when the
 * code of either is executed again between them, they belong to different evaluations. */
static bool unsequenced(const struct exec_skeleton *s, uint32_t i, uint32_t j)
{
    BASE_ASSERT(i < j && j < s->dim.n);
    const struct ev *a = &s->events[i], *b = &s->events[j];
    if (a->deferred || b->deferred || !b->instr->unsequenced || !names_instr(s, b, a))
        return false;
    uint32_t from = i + 1, to = j; /* a read-modify-write's other half is the same evaluation */
    from += s->events[from].instr == a->instr;
    to -= from < to && s->events[to - 1].instr == b->instr;
    for (uint32_t k = from; k < to; k++)
        if ((s->events[k].instr == a->instr || s->events[k].instr == b->instr) &&
            !is_on_other_part(s, k, i, j))
            return false;
    return true;
}

static bool same_line(const struct lit_program *program, const struct ev *a, const struct ev *b)
{
    BASE_ASSERT(a->location == LIT_NONE || a->location < program->location_count);
    BASE_ASSERT(b->location == LIT_NONE || b->location < program->location_count);
    return a->location != LIT_NONE && b->location != LIT_NONE &&
           program->locations[a->location].line == program->locations[b->location].line;
}

/* Two parts of one access that is wider than a location. */
static bool same_access(const struct exec_skeleton *s, uint32_t i, uint32_t j)
{
    const struct ev *a = &s->events[i], *b = &s->events[j];
    if (i == j || a->init || !same_thread(a, b) || !a->instr->wide || !b->instr->wide)
        return false;
    return i < j ? unsequenced(s, i, j) : unsequenced(s, j, i);
}

static bool same_unit(const struct lit_program *program, const struct ev *a, const struct ev *b)
{
    return program->locations[a->location].unit == program->locations[b->location].unit;
}

bool exec_pair_in_base(const struct exec_skeleton *s, uint32_t base, uint32_t i, uint32_t j)
{
    BASE_ASSERT(base >= EXEC_REL_ID && base < EXEC_BASE_COUNT);
    const struct ev *a = &s->events[i], *b = &s->events[j];
    switch (base) {
    case EXEC_REL_ID: return i == j;
    case EXEC_REL_PO: return !a->init && same_thread(a, b) && i < j && !unsequenced(s, i, j);
    case EXEC_REL_LOC:
    case EXEC_REL_VLOC: return a->location != LIT_NONE && a->location == b->location;
    case EXEC_REL_LINE: return same_line(s->program, a, b);
    case EXEC_REL_SAME_ACCESS: return same_access(s, i, j);
    case EXEC_REL_SAME_UNIT: return same_access(s, i, j) && same_unit(s->program, a, b);
    case EXEC_REL_INT: return same_thread(a, b);
    case EXEC_REL_EXT: return !same_thread(a, b);
    case EXEC_REL_LXSX: return false; /* no load-linked here */
    case EXEC_REL_AMO:
    case EXEC_REL_RMW_PAIR: return is_rmw_pair(a, b, i, j);
    case EXEC_REL_ADDR:
    case EXEC_REL_DATA:
    case EXEC_REL_CTRL:
    case EXEC_REL_TOKEN: return has_dependency(s, base, i, j);
    case EXEC_REL_SSG: return same_instance(s->program, a, b, LIT_SCOPE_SG);
    case EXEC_REL_SCTA:
    case EXEC_REL_SWG: return same_instance(s->program, a, b, LIT_SCOPE_WG);
    case EXEC_REL_SKR: return same_instance(s->program, a, b, LIT_SCOPE_KR);
    case EXEC_REL_SDV: return same_instance(s->program, a, b, LIT_SCOPE_DV);
    case EXEC_REL_SSYS: return same_instance(s->program, a, b, LIT_SCOPE_ALL);
    case EXEC_REL_SR: return exec_mutually_scoped(s, i, j);
    case EXEC_REL_SYNCBAR: return same_meeting(s, a, b, EV_BARRIER);
    case EXEC_REL_SYNCPB: return same_meeting(s, a, b, EV_PBARRIER);
    default: BASE_UNREACHABLE("a static relation");
    }
}

bool exec_event_in_base(const struct exec_skeleton *s, uint32_t base, uint32_t event)
{
    BASE_ASSERT(base < EXEC_REL_ID);
    return in_set(s->program, &s->events[event], base);
}

/* Is a pair in the base by its two threads alone? */
static bool is_of_threads(uint32_t base)
{
    switch (base) {
    case EXEC_REL_INT:
    case EXEC_REL_EXT:
    case EXEC_REL_SSG:
    case EXEC_REL_SCTA:
    case EXEC_REL_SWG:
    case EXEC_REL_SKR:
    case EXEC_REL_SDV:
    case EXEC_REL_SSYS: return true;
    default: return false;
    }
}

/* The initial write of an event's location; of none, the event. */
static uint32_t first_partner(const struct exec_skeleton *s, uint32_t i)
{
    BASE_ASSERT(i < s->dim.n);
    uint32_t location = s->events[i].location, from = 0, to = s->init_count;
    while (location != LIT_NONE && to - from > 1) {
        uint32_t middle = (from + to) / 2;
        if (s->events[middle].location <= location)
            from = middle;
        else
            to = middle;
    }
    BASE_ASSERT(location == LIT_NONE || s->events[from].location == location);
    return location == LIT_NONE ? i : from;
}

/* Where the events of the event's thread end. */
static uint32_t end_of_thread(const struct exec_skeleton *s, const struct ev *event)
{
    BASE_ASSERT(event->init || event->thread < s->program->thread_count);
    return event->init ? s->init_count
                       : s->first[event->thread] + s->paths[event->thread]->event_count;
}

struct range {
    uint32_t from, to;
};

/* All events that event i is paired with are among these. */
static struct range partners(const struct exec_skeleton *s, uint32_t base, uint32_t i)
{
    BASE_ASSERT(i < s->dim.n);
    const struct ev *event = &s->events[i];
    const struct range none = {0, 0}, all = {0, s->dim.n};
    uint32_t end = event->init ? i : end_of_thread(s, event);
    switch (base) {
    case EXEC_REL_ADDR:
    case EXEC_REL_DATA:
    case EXEC_REL_CTRL:
    case EXEC_REL_TOKEN: return gives(base, event->kind) ? (struct range){i + 1, end} : none;
    case EXEC_REL_LINE: return event->location != LIT_NONE ? all : none;
    case EXEC_REL_SAME_ACCESS:
    case EXEC_REL_SAME_UNIT:
        return !event->init && event->instr->wide ? (struct range){s->first[event->thread], end}
                                                  : none;
    case EXEC_REL_SR: return event->has_scope ? all : none;
    case EXEC_REL_SYNCBAR: return event->kind == EV_BARRIER ? all : none;
    case EXEC_REL_SYNCPB: return event->kind == EV_PBARRIER ? all : none;
    default: return all;
    }
}

/* Events `from` to `to`, exclusive. */
static void set_range(rel_word *row, uint32_t from, uint32_t to)
{
    BASE_ASSERT(from <= to);
    for (uint32_t k = from / 64; from < to; k++) {
        uint32_t end = (k + 1) * 64 < to ? (k + 1) * 64 : to;
        row[k] |= (~UINT64_C(0) >> (64 - (end - from))) << (from % 64);
        from = end;
    }
}

/* One row of a base that is a matter of threads: its own alone, all others, or a question for each.
 */
static void fill_by_threads(const struct exec_skeleton *s, uint32_t base, uint32_t i, rel_word *row)
{
    BASE_ASSERT(is_of_threads(base) && i < s->dim.n);
    const struct ev *event = &s->events[i];
    BASE_ASSERT(event->init || s->first[event->thread] <= i);
    uint32_t begin = event->init ? 0 : s->first[event->thread], end = end_of_thread(s, event);
    if (base == EXEC_REL_INT) {
        set_range(row, begin, end);
    } else if (base == EXEC_REL_EXT) {
        set_range(row, 0, begin);
        set_range(row, end, s->dim.n);
    } else {
        for (uint32_t j = 0; j < s->dim.n; j = end) {
            end = end_of_thread(s, &s->events[j]);
            if (exec_pair_in_base(s, base, i, j))
                set_range(row, j, end);
        }
    }
}

/* Each event in the row of its location's initial write, which comes first; then the others' rows.
 */
static void fill_same_location(const struct exec_skeleton *s, rel_word *out)
{
    struct rel_dim dim = s->dim;
    for (uint32_t e = 0; e < dim.n; e++)
        if (s->events[e].location != LIT_NONE)
            bits_set(out + (size_t)first_partner(s, e) * dim.words, e);
    for (uint32_t e = s->init_count; e < dim.n; e++)
        if (s->events[e].location != LIT_NONE)
            memcpy(out + (size_t)e * dim.words, rel_row(dim, out, first_partner(s, e)),
                   dim.words * sizeof *out);
}

/* Those that a pair of the base may have as the second event, told by a look at the event alone. */
static void find_seconds(const struct exec_skeleton *s, uint32_t base, rel_word *seconds)
{
    set_clear(s->dim, seconds);
    if (base != EXEC_REL_SR && base != EXEC_REL_SYNCBAR && base != EXEC_REL_SYNCPB) {
        set_range(seconds, 0, s->dim.n);
        return;
    }
    for (uint32_t e = 0; e < s->dim.n; e++) {
        const struct ev *event = &s->events[e];
        if (base == EXEC_REL_SR
                ? event->has_scope
                : event->kind == (base == EXEC_REL_SYNCBAR ? EV_BARRIER : EV_PBARRIER))
            bits_set(seconds, e);
    }
}

/* An earlier event whose row this one's is too; else the event. */
static uint32_t same_row(const struct exec_skeleton *s, uint32_t base, uint32_t i)
{
    BASE_ASSERT(i < s->dim.n);
    const struct ev *event = &s->events[i];
    bool same_thread_before = i > 0 && same_thread(event, &s->events[i - 1]);
    if (is_of_threads(base) && same_thread_before)
        return i - 1;
    if (base == EXEC_REL_LINE)
        return first_partner(s, i);
    if (base == EXEC_REL_SR && event->has_scope && same_thread_before)
        for (uint32_t k = i; k-- > s->first[event->thread];)
            if (s->events[k].has_scope && s->events[k].scope == event->scope)
                return k;
    return i;
}

static void fill_row(const struct exec_skeleton *s, uint32_t base, const rel_word *seconds,
                     uint32_t i, rel_word *row)
{
    BASE_ASSERT(i < s->dim.n);
    struct range range = partners(s, base, i);
    BASE_ASSERT(range.from <= range.to && range.to <= s->dim.n);
    if (is_of_threads(base)) {
        fill_by_threads(s, base, i, row);
        return;
    }
    set_range(row, range.from, range.to);
    for (uint32_t k = range.from / 64; k * 64 < range.to; k++) {
        rel_word among = row[k] & seconds[k];
        row[k] = 0;
        BITS_EACH_IN_WORD (bit, among)
            if (exec_pair_in_base(s, base, i, k * 64 + bit))
                row[k] |= UINT64_C(1) << bit;
    }
}

/* Each thread's later events; but for few pairs, of expressions that leave their order open. */
static void fill_program_order(const struct exec_skeleton *s, rel_word *out)
{
    for (uint32_t t = 0; t < s->program->thread_count; t++) {
        uint32_t first = s->first[t], end = first + s->paths[t]->event_count;
        BASE_ASSERT(end <= s->dim.n);
        for (uint32_t j = first; j < end; j++) {
            set_range(out + (size_t)j * s->dim.words, j + 1, end);
            for (uint32_t i = first; s->events[j].instr->unsequenced && i < j; i++)
                if (unsequenced(s, i, j))
                    rel_remove(s->dim, out, i, j);
        }
    }
}

static void fill_rmw_pairs(const struct exec_skeleton *s, rel_word *out)
{
    for (uint32_t i = s->init_count; i + 1 < s->dim.n; i++)
        if (is_rmw_pair(&s->events[i], &s->events[i + 1], i, i + 1))
            rel_add(s->dim, out, i, i + 1);
}

/* Row by row, from those that may be second in a pair. */
static void fill_rows(const struct exec_skeleton *s, uint32_t base, rel_word *out)
{
    BASE_ASSERT(s->dim.n <= EXEC_MAX_EVENTS);
    struct rel_dim dim = s->dim;
    rel_word seconds[BITS_WORDS(EXEC_MAX_EVENTS)];
    find_seconds(s, base, seconds);
    for (uint32_t i = 0; i < dim.n && !set_empty(dim, seconds); i++) {
        rel_word *row = out + (size_t)i * dim.words;
        uint32_t same = same_row(s, base, i);
        BASE_ASSERT(same <= i);
        if (same < i)
            memcpy(row, rel_row(dim, out, same), dim.words * sizeof *row);
        else
            fill_row(s, base, seconds, i, row);
    }
}

static void fill_relation(const struct exec_skeleton *s, uint32_t base, rel_word *out)
{
    rel_clear(s->dim, out);
    switch (base) {
    case EXEC_REL_ID: rel_identity(s->dim, out); break;
    case EXEC_REL_PO: fill_program_order(s, out); break;
    case EXEC_REL_LOC:
    case EXEC_REL_VLOC: fill_same_location(s, out); break;
    case EXEC_REL_AMO:
    case EXEC_REL_RMW_PAIR: fill_rmw_pairs(s, out); break;
    case EXEC_REL_LXSX: break;
    default: fill_rows(s, base, out); break;
    }
}

void exec_skeleton_base(const struct exec_skeleton *skeleton, uint32_t base, rel_word *out)
{
    BASE_ASSERT(base < EXEC_BASE_COUNT);
    BASE_ASSERT(base < EXEC_REL_ID || !exec_basis()->names[base].dynamic);
    if (base >= EXEC_REL_ID) {
        fill_relation(skeleton, base, out);
        return;
    }
    set_clear(skeleton->dim, out);
    for (uint32_t e = 0; e < skeleton->dim.n; e++)
        if (in_set(skeleton->program, &skeleton->events[e], base))
            bits_set(out, e);
}

static uint64_t tags_of(const struct lit_program *program, const struct ev *event,
                        enum cat_bearer bearer)
{
    BASE_ASSERT(event->location == LIT_NONE || event->location < program->location_count);
    switch (bearer) {
    case CAT_BY_INSTRUCTION: return ev_tags(event);
    case CAT_BY_LOCATION:
        return event->location == LIT_NONE ? 0 : program->locations[event->location].tags;
    case CAT_BY_THREAD: return event->init ? 0 : program->threads[event->thread].tags;
    }
    BASE_UNREACHABLE("what carries a tag");
}

void exec_skeleton_tagged(const struct exec_skeleton *skeleton, const struct cat_tagged *tagged,
                          rel_word *out)
{
    BASE_ASSERT(tagged->tag);
    uint64_t mask = lit_program_tag(skeleton->program, tagged->tag);
    set_clear(skeleton->dim, out);
    for (uint32_t e = 0; mask && e < skeleton->dim.n; e++)
        if (tags_of(skeleton->program, &skeleton->events[e], tagged->bearer) & mask)
            bits_set(out, e);
}

static void fill_tagged(const struct exec_skeleton *skeleton, struct cat_eval *eval)
{
    const struct cat_model *model = cat_eval_model(eval);
    for (uint32_t i = 0; i < model->tagged_count; i++) {
        rel_word *out = cat_eval_tagged(eval, i);
        if (out)
            exec_skeleton_tagged(skeleton, &model->tagged[i], out);
    }
}

static void fill_bases(const struct exec_skeleton *skeleton, struct cat_eval *eval, uint32_t count)
{
    BASE_ASSERT(count <= EXEC_BASE_COUNT);
    const struct cat_basis *basis = exec_basis();
    const cat_node_id *read = cat_eval_bases(eval);
    for (uint32_t base = 0; base < count; base++)
        if (read[base] != CAT_NONE && !basis->names[base].dynamic)
            exec_skeleton_base(skeleton, base, cat_eval_base(eval, base, false));
    fill_tagged(skeleton, eval);
}

void exec_skeleton_fill(const struct exec_skeleton *skeleton, struct cat_eval *eval)
{
    fill_bases(skeleton, eval, EXEC_BASE_COUNT);
}

void exec_skeleton_fill_sets(const struct exec_skeleton *skeleton, struct cat_eval *eval)
{
    fill_bases(skeleton, eval, EXEC_REL_ID);
}

bool exec_skeleton_complete(const struct exec_skeleton *skeleton)
{
    return !ANY(t, skeleton->program->thread_count, skeleton->paths[t]->end != EXEC_COMPLETE);
}

uint32_t exec_skeleton_ended(const struct exec_skeleton *skeleton, enum exec_end end)
{
    BASE_ASSERT(end != EXEC_COMPLETE);
    for (uint32_t t = 0; t < skeleton->program->thread_count; t++)
        if (skeleton->paths[t]->end == end)
            return t;
    return LIT_NONE;
}

bool exec_skeleton_waits_for_ever(const struct exec_skeleton *skeleton)
{
    return !skeleton->probe && exec_skeleton_ended(skeleton, EXEC_AT_AWAIT) != LIT_NONE &&
           exec_skeleton_ended(skeleton, EXEC_AT_BOUND) == LIT_NONE &&
           exec_skeleton_ended(skeleton, EXEC_AT_FAULT) == LIT_NONE;
}
