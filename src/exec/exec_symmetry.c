/* A swap of two threads forces others to follow: locations in the same places of their code; then
 * every thread that accesses a location that moves, or shares a scope instance with a thread that
 * moves elsewhere. Each gets the first partner that fits. The result is then tested by the
 * definition of an automorphism (exec_renaming.c), so a wrong choice loses a symmetry and never
 * invents one. Pairs of single threads are tried first; then larger units, of threads that no class
 * exchanges yet. */
#include "exec/exec_symmetry.h"

#include "exec/exec_event.h"
#include "exec/exec_renaming.h"

#include <stdlib.h>
#include <string.h>

/* Instructions that all swaps together may look at, and those that come to nothing. */
enum { MOST_WORK = 1 << 22, MOST_VAIN = 1 << 20 };

struct unit {
    uint32_t *threads, *locations;
};

/* A class under construction. */
struct growing {
    VEC(struct unit) units;
    uint32_t width, place_count;
    bool inner, outer; /* inside a unit of another class; with another one inside */
};

struct finder {
    struct arena *arena;
    const struct lit_program *program;
    struct exec_renaming renaming;
    struct exec_instances instances;
    uint32_t *became[EXEC_SCOPES];  /* per first thread of an instance: of the instance that threads
                                       of it are decided to go to, LIT_NONE: none is */
    uint32_t *decided[EXEC_SCOPES]; /* how many of its threads are */
    uint64_t *digests;              /* per thread */
    uint32_t *order;      /* threads that are decided, in pairs: the side of the first, the other */
    uint32_t order_count; /* of threads, always even */
    uint32_t *moved;      /* locations likewise */
    uint32_t moved_count;
    bool across; /* the two threads are in different scope instances */
    VEC(struct growing *) classes;
    bool *exchanged; /* per thread: with the one that is looked at */
    uint32_t work, vain;
};

/* ---- One swap ---- */

/* Thread t goes to where u is. */
static void decide(struct finder *f, uint32_t t, uint32_t u)
{
    BASE_ASSERT(t < f->program->thread_count && u < f->program->thread_count);
    BASE_ASSERT(f->renaming.threads[t] == LIT_NONE);
    BASE_ASSERT(f->order_count < f->program->thread_count);
    f->renaming.threads[t] = u;
    f->order[f->order_count++] = t;
    for (uint32_t s = 0; s < EXEC_SCOPES; s++) {
        f->became[s][f->instances.first[s][t]] = f->instances.first[s][u];
        f->decided[s][f->instances.first[s][t]]++;
    }
}

static void undecide(struct finder *f)
{
    BASE_ASSERT(f->order_count > 0);
    uint32_t t = f->order[--f->order_count];
    f->renaming.threads[t] = LIT_NONE;
    BASE_ASSERT(t < f->program->thread_count);
    for (uint32_t s = 0; s < EXEC_SCOPES; s++) {
        BASE_ASSERT(f->decided[s][f->instances.first[s][t]] > 0);
        if (--f->decided[s][f->instances.first[s][t]] == 0)
            f->became[s][f->instances.first[s][t]] = LIT_NONE;
    }
}

static void forget(struct finder *f, uint32_t order_count, uint32_t moved_count)
{
    BASE_ASSERT(order_count <= f->order_count && moved_count <= f->moved_count);
    while (f->order_count > order_count)
        undecide(f);
    while (f->moved_count > moved_count)
        f->renaming.locations[f->moved[--f->moved_count]] = LIT_NONE;
}

static bool pair_locations(void *context, uint32_t from, uint32_t to)
{
    struct finder *f = context;
    BASE_ASSERT(from < f->program->location_count && to < f->program->location_count);
    uint32_t *renamed = f->renaming.locations;
    if (renamed[from] != LIT_NONE || renamed[to] != LIT_NONE)
        return renamed[from] == to;
    if (!exec_locations_alike(&f->program->locations[from], &f->program->locations[to]))
        return false;
    renamed[from] = to;
    renamed[to] = from;
    BASE_ASSERT(f->moved_count + 2 <= 2 * f->program->location_count);
    f->moved[f->moved_count++] = from;
    f->moved[f->moved_count++] = to;
    return true;
}

/* With u in the place of t: does it sit to all that are decided as t does to their partners? Who is
 * decided has its partner decided, so instances that some go to are those that some come from. */
static bool sits_alike(const struct finder *f, uint32_t t, uint32_t u)
{
    BASE_ASSERT(t < f->program->thread_count && u < f->program->thread_count);
    for (uint32_t s = 0; f->across && s < EXEC_SCOPES; s++) {
        uint32_t from = f->instances.first[s][t], to = f->instances.first[s][u];
        if (f->became[s][from] != LIT_NONE ? f->became[s][from] != to
                                           : f->became[s][to] != LIT_NONE)
            return false;
    }
    return true;
}

/* Exchanges two threads, and the locations in the same places of their code. */
static bool pair_threads(struct finder *f, uint32_t t, uint32_t u)
{
    BASE_ASSERT(f->renaming.threads[t] == LIT_NONE && f->renaming.threads[u] == LIT_NONE);
    uint32_t order = f->order_count, moved = f->moved_count;
    f->work += 1 + f->program->threads[t].code_count;
    if (f->digests[t] != f->digests[u] || !sits_alike(f, t, u) ||
        !exec_match_code(&f->program->threads[t], &f->program->threads[u], pair_locations, f)) {
        forget(f, order, moved);
        return false;
    }
    decide(f, t, u);
    decide(f, u, t);
    return true;
}

static bool moves(void *context, uint32_t from, uint32_t to)
{
    const struct finder *f = context;
    (void)to;
    return f->renaming.locations[from] == LIT_NONE || f->renaming.locations[from] == from;
}

/* Has an undecided thread to follow? */
static bool is_disturbed(struct finder *f, uint32_t t)
{
    BASE_ASSERT(t < f->program->thread_count);
    const struct lit_thread *thread = &f->program->threads[t];
    f->work += 1 + thread->code_count;
    return !exec_match_code(thread, thread, moves, f) || !sits_alike(f, t, t);
}

/* Is it dragged along from the first thread's side? It then belongs to that unit. */
struct side {
    const struct finder *finder;
    bool first, other;
};

static bool note_side(void *context, uint32_t from, uint32_t to)
{
    struct side *side = context;
    const struct finder *f = side->finder;
    (void)to;
    for (uint32_t i = 0; i < f->moved_count; i++)
        if (f->moved[i] == from && f->renaming.locations[from] != from) {
            side->first |= i % 2 == 0;
            side->other |= i % 2 == 1;
        }
    return true;
}

/* Which of the two sides a thread that follows is of: that of the locations that it accesses, else
 * that of who shares an instance with it. */
static bool is_of_other_side(const struct finder *f, uint32_t t)
{
    BASE_ASSERT(t < f->program->thread_count);
    BASE_ASSERT(f->order_count >= 2);
    struct side side = {f, false, false};
    const struct lit_thread *threads = f->program->threads;
    exec_match_code(&threads[t], &threads[t], note_side, &side);
    if (side.first || side.other)
        return !side.first;
    for (enum lit_scope s = LIT_SCOPE_SG; s < LIT_SCOPE_ALL; s++)
        for (uint32_t i = 0; i < 2; i++)
            if (lit_same_instance(&threads[t], &threads[f->order[i]], s) &&
                !lit_same_instance(&threads[f->order[0]], &threads[f->order[1]], s))
                return i == 1;
    return false;
}

static bool find_partner(struct finder *f, uint32_t t)
{
    BASE_ASSERT(f->renaming.threads[t] == LIT_NONE);
    bool turned = is_of_other_side(f, t);
    return ANY(u, f->program->thread_count,
               u != t && f->renaming.threads[u] == LIT_NONE &&
                   (turned ? pair_threads(f, u, t) : pair_threads(f, t, u)));
}

static bool share_all_scopes(const struct lit_program *program, uint32_t t, uint32_t u)
{
    return lit_same_instance(&program->threads[t], &program->threads[u], LIT_SCOPE_SG);
}

/* The exchange of t and u with all that has to follow; of no more threads when they are alone. */
static bool find_exchange(struct finder *f, uint32_t t, uint32_t u, bool alone)
{
    BASE_ASSERT(t < u && u < f->program->thread_count);
    struct arena_mark mark = arena_mark(f->arena);
    exec_differing_list differing = {0};
    bool found = true, changed = true;
    forget(f, 0, 0);
    f->across = !share_all_scopes(f->program, t, u);
    if (!pair_threads(f, t, u))
        return false;
    while (found && changed) {
        changed = false;
        for (uint32_t v = 0; found && v < f->program->thread_count; v++)
            if (f->renaming.threads[v] == LIT_NONE && is_disturbed(f, v)) {
                found = !alone && find_partner(f, v);
                changed = true;
            }
    }
    f->work += f->program->thread_count;
    BASE_ASSERT(f->order_count % 2 == 0 && f->moved_count % 2 == 0);
    found = found && exec_is_automorphism(f->arena, &f->renaming, &differing);
    VEC_FREE(&differing);
    arena_rewind(f->arena, mark);
    return found;
}

/* ---- Classes ---- */

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

/* The unit of the first thread, in ascending order, and the other one in the same order. */
static void units_of(struct finder *f, const uint32_t *pairs, uint32_t count, uint32_t **first,
                     uint32_t **other, uint32_t *width)
{
    BASE_ASSERT(count % 2 == 0);
    uint32_t *sorted = ARENA_ARRAY(f->arena, uint32_t, count), n = 0;
    for (uint32_t i = 0; i < count; i += 2)
        if (pairs[i] != pairs[i + 1]) {
            sorted[2 * n] = pairs[i];
            sorted[2 * n++ + 1] = pairs[i + 1];
        }
    if (n)
        qsort(sorted, n, 2 * sizeof *sorted, by_number);
    *first = ARENA_ARRAY(f->arena, uint32_t, n);
    *other = ARENA_ARRAY(f->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        (*first)[i] = sorted[2 * i];
        (*other)[i] = sorted[2 * i + 1];
    }
    *width = n;
    BASE_ASSERT(2 * n <= count);
}

static bool same_unit(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool share(const uint32_t *a, const uint32_t *b, uint32_t a_count, uint32_t b_count)
{
    return ANY(i, a_count, ANY(k, b_count, a[i] == b[k]));
}

static bool overlaps(const struct growing *class, const struct unit *unit)
{
    return ANY(i, class->units.count,
               share(class->units.items[i].threads, unit->threads, class->width, class->width) ||
                   share(class->units.items[i].locations, unit->locations, class->place_count,
                         class->place_count));
}

/* The class whose first unit this is. */
static struct growing *class_of(const struct finder *f, const struct growing *pair)
{
    for (size_t i = 0; i < f->classes.count; i++) {
        struct growing *class = f->classes.items[i];
        const struct unit *first = &class->units.items[0], *unit = &pair->units.items[0];
        if (class->width == pair->width && class->place_count == pair->place_count &&
            same_unit(first->threads, unit->threads, class->width) &&
            same_unit(first->locations, unit->locations, class->place_count))
            return class;
    }
    return NULL;
}

static uint32_t place_in(const struct unit *unit, uint32_t width, uint32_t thread)
{
    uint32_t i = 0;
    while (i < width && unit->threads[i] != thread)
        i++;
    return i;
}

/* Is the unit of an inner class mapped by the pair's alignment onto this one? */
static bool is_carried(const struct growing *pair, const struct growing *inner, size_t unit,
                       const struct growing *other, uint32_t from, uint32_t to)
{
    BASE_ASSERT(from < pair->units.count && to < pair->units.count);
    BASE_ASSERT(unit < inner->units.count && unit < other->units.count);
    for (uint32_t i = 0; i < inner->width; i++) {
        uint32_t place =
            place_in(&pair->units.items[from], pair->width, inner->units.items[unit].threads[i]);
        if (place == pair->width ||
            pair->units.items[to].threads[place] != other->units.items[unit].threads[i])
            return false;
    }
    return true;
}

static bool has_counterpart(const struct finder *f, const struct growing *pair,
                            const struct growing *inner, uint32_t from, uint32_t to)
{
    BASE_ASSERT(from < pair->units.count && to < pair->units.count);
    for (size_t k = 0; k < f->classes.count; k++) {
        const struct growing *other = f->classes.items[k];
        bool all = other->width == inner->width && other->units.count == inner->units.count;
        for (size_t i = 0; all && i < inner->units.count; i++)
            all = is_carried(pair, inner, i, other, from, to);
        if (all)
            return true;
    }
    return false;
}

/* How many threads of the class are of the pair's units. */
static size_t common(const struct growing *class, const struct unit *unit, uint32_t width)
{
    size_t count = 0;
    for (size_t i = 0; i < class->units.count; i++)
        for (uint32_t k = 0; k < class->width; k++)
            count += place_in(unit, width, class->units.items[i].threads[k]) < width;
    return count;
}

/* Classes that the pair's threads are of already, but for the one that it adds to, are wholly
 * inside one unit, and the other one has the same. `mark`: note that they are. */
static bool nests(struct finder *f, struct growing *pair, const struct growing *besides, bool mark)
{
    BASE_ASSERT(pair->units.count == 2);
    for (size_t i = 0; i < f->classes.count; i++) {
        struct growing *class = f->classes.items[i];
        size_t all = class->units.count * class->width;
        size_t in[2] = {common(class, &pair->units.items[0], pair->width),
                        common(class, &pair->units.items[1], pair->width)};
        if (class == besides || (!in[0] && !in[1]))
            continue;
        uint32_t from = in[0] ? 0 : 1;
        if (in[from] != all || in[1 - from] || !has_counterpart(f, pair, class, from, 1 - from))
            return false;
        class->inner |= mark;
        pair->outer |= mark;
    }
    return true;
}

static bool add_unit(struct finder *f, struct growing *class, struct growing *pair)
{
    BASE_ASSERT(class->width == pair->width && class->place_count == pair->place_count);
    if (class->inner || overlaps(class, &pair->units.items[1]) || !nests(f, pair, class, false))
        return false;
    VEC_PUSH(&class->units, pair->units.items[1]);
    return true;
}

/* Keeps the exchange of t that was found, if it fits: a unit more of a class, or a new class. */
static bool keep_exchange(struct finder *f, uint32_t t)
{
    BASE_ASSERT(f->order_count >= 2 && f->order_count % 2 == 0);
    struct unit units[2];
    struct growing *pair = ARENA_NEW(f->arena, struct growing);
    units_of(f, f->order, f->order_count, &units[0].threads, &units[1].threads, &pair->width);
    units_of(f, f->moved, f->moved_count, &units[0].locations, &units[1].locations,
             &pair->place_count);
    VEC_PUSH(&pair->units, units[0]);
    VEC_PUSH(&pair->units, units[1]);
    struct growing *class = class_of(f, pair);
    if (!class && units[0].threads[0] == t && nests(f, pair, NULL, false) &&
        nests(f, pair, NULL, true)) {
        VEC_PUSH(&f->classes, pair);
        return true;
    }
    bool added = class && add_unit(f, class, pair);
    VEC_FREE(&pair->units);
    return added;
}

/* The threads that t is exchanged with already: those in the same place of a class's units. */
static void list_exchanged(const struct finder *f, uint32_t t, bool *exchanged)
{
    memset(exchanged, 0, f->program->thread_count * sizeof *exchanged);
    for (size_t i = 0; i < f->classes.count; i++) {
        const struct growing *class = f->classes.items[i];
        uint32_t place = class->width;
        for (size_t k = 0; k < class->units.count && place == class->width; k++)
            place = place_in(&class->units.items[k], class->width, t);
        for (size_t k = 0; k < class->units.count && place < class->width; k++)
            exchanged[class->units.items[k].threads[place]] = true;
    }
}

/* Whether there is something new. */
static bool find_classes(struct finder *f, bool alone)
{
    uint32_t count = f->program->thread_count;
    bool any = false;
    for (uint32_t t = 0; t < count; t++) {
        list_exchanged(f, t, f->exchanged);
        for (uint32_t u = t + 1; u < count && f->work < MOST_WORK && f->vain < MOST_VAIN; u++) {
            if (f->digests[t] != f->digests[u] || f->exchanged[u])
                continue;
            uint32_t before = f->work;
            if (find_exchange(f, t, u, alone) && keep_exchange(f, t)) {
                list_exchanged(f, t, f->exchanged);
                any = true;
            } else {
                f->vain += f->work - before;
            }
        }
    }
    return any;
}

/* ---- What is found, as it is kept ---- */

/* The constant of a store of the unit, in the terms of the location that it is stored to. */
static struct exec_constant constant_of(const struct finder *f, const struct lit_instr *instr)
{
    BASE_ASSERT(instr->addr.first < f->program->location_count);
    enum lit_type type = f->program->locations[instr->addr.first].type;
    return (struct exec_constant){instr->addr, lit_value_wrap(type, instr->value->value)};
}

static const struct lit_instr *instr_of(const struct finder *f, const struct growing *class,
                                        size_t unit, uint32_t place, uint32_t number)
{
    return &f->program->threads[class->units.items[unit].threads[place]].code[number];
}

static bool differs(const struct finder *f, const struct growing *class, uint32_t place,
                    uint32_t number)
{
    const struct lit_instr *first = instr_of(f, class, 0, place, number);
    if (first->op != LIT_STORE || !first->value || first->value->op != LIT_OP_CONST)
        return false;
    for (size_t u = 1; u < class->units.count; u++)
        if (instr_of(f, class, u, place, number)->value->value != first->value->value)
            return true;
    return false;
}

/* Per unit the constants of its own; as many for each. */
static void list_constants(struct finder *f, const struct growing *class, struct exec_class *out)
{
    VEC(struct exec_constant) list = {0};
    for (size_t u = 0; u < class->units.count; u++)
        for (uint32_t p = 0; p < class->width; p++)
            for (uint32_t i = 0;
                 i < f->program->threads[class->units.items[u].threads[p]].code_count; i++)
                if (differs(f, class, p, i))
                    VEC_PUSH(&list, constant_of(f, instr_of(f, class, u, p, i)));
    out->constant_count = (uint32_t)(list.count / class->units.count);
    out->constants = VEC_KEEP(f->arena, &list);
    VEC_FREE(&list);
}

static void keep_class(struct finder *f, const struct growing *class, struct exec_class *out)
{
    uint32_t count = (uint32_t) class->units.count;
    uint32_t *threads = ARENA_ARRAY(f->arena, uint32_t, (size_t)count * class->width);
    uint32_t *locations = ARENA_ARRAY(f->arena, uint32_t, (size_t)count * class->place_count);
    for (uint32_t u = 0; u < count; u++) {
        const struct unit *unit = &class->units.items[u];
        for (uint32_t i = 0; i < class->width; i++)
            threads[u * class->width + i] = unit->threads[i];
        for (uint32_t i = 0; i < class->place_count; i++)
            locations[u * class->place_count + i] = unit->locations[i];
    }
    *out = (struct exec_class){.unit_count = count,
                               .width = class->width,
                               .place_count = class->place_count,
                               .threads = threads,
                               .locations = locations,
                               .nested = class->inner || class->outer};
    list_constants(f, class, out);
}

static void finder_init(struct finder *f, struct arena *arena, const struct lit_program *program)
{
    uint32_t threads = program->thread_count, locations = program->location_count;
    *f = (struct finder){.arena = arena, .program = program};
    f->instances = exec_instances_new(arena, program);
    f->renaming =
        (struct exec_renaming){program, &f->instances, ARENA_ARRAY(arena, uint32_t, threads),
                               ARENA_ARRAY(arena, uint32_t, locations)};
    for (uint32_t s = 0; s < EXEC_SCOPES; s++) {
        f->became[s] = ARENA_ARRAY(arena, uint32_t, threads);
        f->decided[s] = ARENA_ARRAY(arena, uint32_t, threads);
        for (uint32_t t = 0; t < threads; t++)
            f->became[s][t] = LIT_NONE;
    }
    f->digests = ARENA_ARRAY(arena, uint64_t, threads);
    f->order = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)threads);
    f->moved = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)locations);
    f->exchanged = ARENA_ARRAY(arena, bool, threads);
    for (uint32_t t = 0; t < threads; t++) {
        f->renaming.threads[t] = LIT_NONE;
        f->digests[t] = exec_code_digest(&program->threads[t]);
    }
    for (uint32_t l = 0; l < locations; l++)
        f->renaming.locations[l] = LIT_NONE;
}

/* Inner classes of several threads are found before the outer ones around them the second time. */
enum { ROUNDS = 2 };

struct exec_symmetry exec_symmetry_new(struct arena *arena, const struct lit_program *program)
{
    struct finder f;
    finder_init(&f, arena, program);
    (void)find_classes(&f, true);
    for (int round = 0; round < ROUNDS && find_classes(&f, false); round++)
        ;
    struct exec_class *classes = ARENA_ARRAY(arena, struct exec_class, f.classes.count);
    for (size_t i = 0; i < f.classes.count; i++) {
        keep_class(&f, f.classes.items[i], &classes[i]);
        VEC_FREE(&f.classes.items[i]->units);
    }
    struct exec_symmetry symmetry = {classes, (uint32_t)f.classes.count};
    VEC_FREE(&f.classes);
    return symmetry;
}
