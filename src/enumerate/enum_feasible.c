/* For every path, its needs: constraints on a single read. For every need, which paths
 * write a value that fulfils it (or one not known yet), and whether the initial value
 * does. A read of a spinning await returns the coherence-latest value, so the initial one
 * only when nobody writes. Sets are bit sets over path numbers, counted through all threads.
 *
 * Paths of a thread come depth first, so most of what one says the path before it said as
 * well: only where they part is anything looked at anew. Values are tried once for each
 * constraint, not once for each path that writes them, and needs that come to the same
 * are one. */
#include "enumerate/enum_feasible.h"

#include "base/bits.h"

#include <string.h>

/* What some path writes to a location. */
struct written {
    bool known; /* else the value depends on reads */
    int64_t value;
    uint64_t *by; /* the paths that write it */
    struct written *next;
};

struct need {
    uint32_t location;
    bool initial;      /* the initial value fulfils it */
    bool latest;       /* of a spinning await */
    bool any;          /* some path fulfils it */
    uint32_t last;     /* the last path that does */
    uint32_t taken_by; /* the last path that was given it */
    uint64_t *fulfils;
    struct need *next; /* of the same location */
};

struct needs {
    const struct need **items;
    uint32_t count;
};

struct location {
    struct written *written;
    struct need *needs;
    uint64_t *writes; /* the paths that write it */
};

struct enum_feasible {
    const struct lit_program *program;
    bool *looked_at; /* per location: its initial value mattered; NULL: nobody asks */
    uint32_t *first; /* per thread: number of its first path */
    uint32_t total;  /* paths */
    struct location *locations;
    struct needs *of; /* per path number */
};

/* What a constraint came to on the path before; NULL when it has no single read. */
struct constraint_need {
    struct need *need;
    uint32_t read;
};

struct builder {
    struct arena *arena;
    struct enum_feasible *feasible;
    const struct exec_paths *paths;
    const struct exec_run_options *options;
    bool stopped;
    uint32_t words;
    uint64_t *set;                 /* room for one */
    struct written **written;      /* per event of the path before */
    struct constraint_need *needs; /* per constraint of the path before */
    int64_t *values;               /* per event of a path */
    bool *known;
};

static bool is_over(struct builder *b)
{
    const struct exec_run_options *options = b->options;
    b->stopped = b->stopped || (options->out_of_time && options->out_of_time(options->clock));
    return b->stopped;
}

/* ---- Writes ---- */

static struct written *find_written(struct builder *b, const struct ev *write)
{
    struct location *location = &b->feasible->locations[write->location];
    bool known = exec_value_is_const(write->value);
    struct written *w = location->written;
    while (w && (w->known != known || (known && w->value != write->value->value)))
        w = w->next;
    if (w)
        return w;
    w = ARENA_NEW(b->arena, struct written);
    *w = (struct written){known, known ? write->value->value : 0,
                          ARENA_ARRAY(b->arena, uint64_t, b->words), location->written};
    return location->written = w;
}

static bool same_write(const struct exec_path *before, uint32_t i, const struct ev *write)
{
    return before && i < before->event_count && before->events[i].kind == EV_WRITE &&
           before->events[i].value == write->value && before->events[i].location == write->location;
}

static void add_writes(struct builder *b, uint32_t number, const struct exec_path *path,
                       const struct exec_path *before)
{
    for (uint32_t i = 0; i < path->event_count; i++) {
        const struct ev *write = &path->events[i];
        if (write->kind != EV_WRITE)
            continue;
        if (!same_write(before, i, write))
            b->written[i] = find_written(b, write);
        bits_set(b->written[i]->by, number);
        bits_set(b->feasible->locations[write->location].writes, number);
    }
}

/* ---- Needs ---- */

/* May the constraint hold when its read returns `value`? */
static bool fits(struct builder *b, const struct exec_constraint *constraint, uint32_t read,
                 int64_t value)
{
    struct exec_reads view = {b->values, b->known};
    int64_t result;
    b->values[read] = value;
    b->known[read] = true;
    bool comes_to_one = exec_value_get(constraint->value, &view, &result);
    b->known[read] = false;
    return !comes_to_one || (result != 0) == constraint->truth;
}

static bool same_need(const struct builder *b, const struct need *a, const struct need *other)
{
    return a->initial == other->initial && a->latest == other->latest &&
           memcmp(a->fulfils, other->fulfils, b->words * sizeof *a->fulfils) == 0;
}

/* The one need like this, whose set is the builder's. */
static struct need *keep_need(struct builder *b, const struct need *need)
{
    struct location *location = &b->feasible->locations[need->location];
    for (struct need *known = location->needs; known; known = known->next)
        if (same_need(b, known, need))
            return known;
    struct need *kept = arena_copy(b->arena, need, sizeof *need);
    kept->fulfils = arena_copy(b->arena, need->fulfils, b->words * sizeof *need->fulfils);
    for (uint32_t number = 0; number < b->feasible->total; number++)
        if (bits_get(kept->fulfils, number)) {
            kept->any = true;
            kept->last = number;
        }
    kept->taken_by = LIT_NONE;
    kept->next = location->needs;
    return location->needs = kept;
}

/* NULL when the time ran out before all values were tried. */
static struct need *find_need(struct builder *b, const struct exec_constraint *constraint,
                              uint32_t read, uint32_t location, bool latest)
{
    const struct lit_program *program = b->feasible->program;
    struct need need = {.location = location, .latest = latest, .fulfils = b->set};
    need.initial = fits(b, constraint, read, program->locations[location].init);
    memset(b->set, 0, b->words * sizeof *b->set);
    for (const struct written *w = b->feasible->locations[location].written; w; w = w->next) {
        if (is_over(b))
            return NULL;
        if (!w->known || fits(b, constraint, read, w->value))
            for (uint32_t k = 0; k < b->words; k++)
                b->set[k] |= w->by[k];
    }
    return keep_need(b, &need);
}

static struct constraint_need look_at(struct builder *b, const struct exec_path *path,
                                      const struct exec_constraint *constraint, bool latest)
{
    uint32_t read = is_over(b) ? LIT_NONE : exec_value_single_read(constraint->value);
    if (read == LIT_NONE)
        return (struct constraint_need){NULL, 0};
    return (struct constraint_need){
        find_need(b, constraint, read, path->events[read].location, latest), read};
}

/* What a path fulfils by itself, or needs already, need not be asked. */
static void give(struct builder *b, uint32_t number, struct need *need)
{
    struct needs *needs = &b->feasible->of[number];
    if (!need || need->taken_by == number || bits_get(need->fulfils, number))
        return;
    need->taken_by = number;
    needs->items[needs->count++] = need;
}

/* Is the i-th constraint, of the path before, that of this path too? */
static bool same_constraint(const struct builder *b, const struct exec_path *before, uint32_t i,
                            const struct exec_path *path)
{
    const struct constraint_need *known = &b->needs[i];
    return before && i < before->constraint_count &&
           before->constraints[i].value == path->constraints[i].value &&
           before->constraints[i].truth == path->constraints[i].truth &&
           (!known->need || path->events[known->read].location == known->need->location);
}

static void add_needs(struct builder *b, uint32_t number, const struct exec_path *path,
                      const struct exec_path *before)
{
    b->feasible->of[number].items =
        ARENA_ARRAY(b->arena, const struct need *, path->constraint_count + path->spin_count);
    for (uint32_t i = 0; i < path->constraint_count && !b->stopped; i++) {
        if (!same_constraint(b, before, i, path))
            b->needs[i] = look_at(b, path, &path->constraints[i], false);
        give(b, number, b->needs[i].need);
    }
    for (uint32_t i = 0; i < path->spin_count && !b->stopped; i++)
        give(b, number, look_at(b, path, &path->spins[i], true).need);
}

/* ---- The whole ---- */

typedef void path_function(struct builder *b, uint32_t number, const struct exec_path *path,
                           const struct exec_path *before);

static void each_path(struct builder *b, path_function *look)
{
    const struct enum_feasible *f = b->feasible;
    for (uint32_t t = 0; t < f->program->thread_count; t++)
        for (uint32_t i = 0; i < b->paths[t].count && !is_over(b); i++)
            look(b, f->first[t] + i, b->paths[t].items[i], i ? b->paths[t].items[i - 1] : NULL);
}

/* Room for what is kept of one path; that of a wait has slots behind its events. */
static void allocate(struct builder *b)
{
    const struct lit_program *program = b->feasible->program;
    uint32_t constraints = 0, slots = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < b->paths[t].count; i++) {
            const struct exec_path *path = b->paths[t].items[i];
            constraints =
                path->constraint_count > constraints ? path->constraint_count : constraints;
            slots = path->slot_count > slots ? path->slot_count : slots;
        }
    b->needs = ARENA_ARRAY(b->arena, struct constraint_need, constraints);
    b->written = ARENA_ARRAY(b->arena, struct written *, slots);
    b->values = ARENA_ARRAY(b->arena, int64_t, slots);
    b->known = ARENA_ARRAY(b->arena, bool, slots);
}

static void build(struct arena *arena, struct enum_feasible *feasible,
                  const struct exec_paths *paths, const struct exec_run_options *options)
{
    uint32_t locations = feasible->program->location_count;
    struct builder *b = ARENA_NEW(arena, struct builder);
    b->arena = arena;
    b->feasible = feasible;
    b->paths = paths;
    b->options = options;
    b->words = BITS_WORDS(feasible->total);
    b->set = ARENA_ARRAY(arena, uint64_t, b->words);
    allocate(b);
    feasible->locations = ARENA_ARRAY(arena, struct location, locations);
    for (uint32_t l = 0; l < locations; l++)
        feasible->locations[l].writes = ARENA_ARRAY(arena, uint64_t, b->words);
    each_path(b, add_writes);
    each_path(b, add_needs); /* none when not all writes are known, for want of time */
}

struct enum_feasible *enum_feasible_new(struct arena *arena, const struct lit_program *program,
                                        const struct exec_paths *paths,
                                        const struct exec_run_options *options, bool *looked_at)
{
    struct enum_feasible *feasible = ARENA_NEW(arena, struct enum_feasible);
    feasible->looked_at = looked_at;
    feasible->program = program;
    feasible->first = ARENA_ARRAY(arena, uint32_t, program->thread_count);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        feasible->first[t] = feasible->total;
        feasible->total += paths[t].count;
    }
    feasible->of = ARENA_ARRAY(arena, struct needs, feasible->total);
    if (feasible->total <= ENUM_FEASIBLE_MAX_PATHS)
        build(arena, feasible, paths, options);
    return feasible;
}

/* Is one of the chosen paths in the set? */
static bool chosen_in(const struct enum_feasible *f, const uint64_t *set, const uint32_t *chosen,
                      uint32_t count)
{
    for (uint32_t t = 0; t < count; t++)
        if (bits_get(set, f->first[t] + chosen[t]))
            return true;
    return false;
}

/* Is a path of a thread that is still open among those that fulfil it? */
static bool open_fulfils(const struct enum_feasible *f, const struct need *need, uint32_t count)
{
    return need->any && count < f->program->thread_count && need->last >= f->first[count];
}

static bool may_be_met(const struct enum_feasible *f, const struct need *need,
                       const uint32_t *chosen, uint32_t count)
{
    if (chosen_in(f, need->fulfils, chosen, count) || open_fulfils(f, need, count))
        return true;
    if (need->latest && chosen_in(f, f->locations[need->location].writes, chosen, count))
        return false;
    if (f->looked_at)
        f->looked_at[need->location] = true;
    return need->initial;
}

bool enum_feasible_so_far(const struct enum_feasible *f, const uint32_t *chosen, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        const struct needs *needs = &f->of[f->first[t] + chosen[t]];
        for (uint32_t i = 0; i < needs->count; i++)
            if (!may_be_met(f, needs->items[i], chosen, count))
                return false;
    }
    return true;
}
