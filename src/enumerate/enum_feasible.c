/* For every path, its needs: constraints on a single read. For every need, which paths
 * write a value that fulfils it (or one not known yet), whether the initial value
 * does, and for reads of a spinning await, which paths write the location at all: such
 * a read returns the coherence-latest value, so the initial one only when nobody
 * writes. All are bit sets over path numbers, counted through all threads. */
#include "enumerate/enum_feasible.h"

#include "base/bits.h"
#include "base/vec.h"

#include <string.h>

struct need {
    uint32_t location;
    bool initial;      /* the initial value fulfils it */
    bool latest;       /* of a spinning await */
    uint64_t *fulfils; /* per path */
    uint64_t *writes;  /* per path; used when `latest` */
};

struct needs {
    struct need *items;
    uint32_t count;
};

struct enum_feasible {
    const struct lit_program *program;
    const struct exec_paths *paths;
    bool *looked_at;   /* per location: its initial value mattered; NULL: nobody asks */
    uint32_t *first;   /* per thread: number of its first path */
    uint32_t total;    /* paths */
    struct needs *of;  /* per path number */
};

/* The one read a value depends on; false when there is none or more than one. */
static bool find_single_read(const struct exec_value *value, uint32_t *read, bool *found)
{
    if (value->op == LIT_OP_REG) {
        bool same = !*found || *read == value->read;
        *read = value->read;
        *found = true;
        return same;
    }
    return (!value->a || find_single_read(value->a, read, found)) &&
           (!value->b || find_single_read(value->b, read, found)) &&
           (!value->c || find_single_read(value->c, read, found));
}

/* What the constraint comes to when its read returns `value`. */
static bool fits(const struct exec_constraint *constraint, uint32_t read, uint32_t reads,
                 int64_t value, int64_t *values, bool *known)
{
    memset(known, 0, reads * sizeof *known);
    values[read] = value;
    known[read] = true;
    struct exec_reads view = {values, known};
    int64_t result;
    return !exec_value_get(constraint->value, &view, &result) ||
           (result != 0) == constraint->truth;
}

struct builder {
    struct arena *arena;
    struct enum_feasible *feasible;
    int64_t values[EXEC_MAX_THREAD_EVENTS];
    bool known[EXEC_MAX_THREAD_EVENTS];
};

static void look_at_writer(struct builder *b, struct need *need, const struct exec_path *writer,
                           uint32_t number, const struct exec_constraint *constraint,
                           uint32_t read, const struct ev *event, uint32_t reads)
{
    for (uint32_t i = 0; i < writer->event_count; i++) {
        const struct ev *write = &writer->events[i];
        if (write->kind != EV_WRITE || write->location != event->location)
            continue;
        bits_set(need->writes, number);
        if (!exec_value_is_const(write->value) ||
            fits(constraint, read, reads, write->value->value, b->values, b->known))
            bits_set(need->fulfils, number);
    }
}

static void add_need(struct builder *b, struct needs *needs, const struct exec_path *path,
                     const struct exec_constraint *constraint, bool latest)
{
    struct enum_feasible *f = b->feasible;
    uint32_t read = 0;
    bool found = false;
    if (!find_single_read(constraint->value, &read, &found) || !found)
        return;
    struct need *need = &needs->items[needs->count++];
    const struct ev *event = &path->events[read];
    uint32_t words = BITS_WORDS(f->total);
    need->latest = latest;
    need->location = event->location;
    need->initial = fits(constraint, read, path->slot_count,
                         f->program->locations[event->location].init, b->values, b->known);
    need->fulfils = ARENA_ARRAY(b->arena, uint64_t, words);
    need->writes = ARENA_ARRAY(b->arena, uint64_t, words);
    for (uint32_t t = 0; t < f->program->thread_count; t++)
        for (uint32_t i = 0; i < f->paths[t].count; i++)
            look_at_writer(b, need, f->paths[t].items[i], f->first[t] + i, constraint, read,
                           event, path->slot_count);
}

static void add_needs(struct builder *b, struct needs *needs, const struct exec_path *path)
{
    uint32_t most = path->constraint_count + path->spin_count;
    needs->items = ARENA_ARRAY(b->arena, struct need, most);
    for (uint32_t i = 0; i < path->constraint_count; i++)
        add_need(b, needs, path, &path->constraints[i], false);
    for (uint32_t i = 0; i < path->spin_count; i++)
        add_need(b, needs, path, &path->spins[i], true);
}

struct enum_feasible *enum_feasible_new(struct arena *arena, const struct lit_program *program,
                                        const struct exec_paths *paths, bool *looked_at)
{
    struct enum_feasible *feasible = ARENA_NEW(arena, struct enum_feasible);
    feasible->looked_at = looked_at;
    feasible->program = program;
    feasible->paths = paths;
    feasible->first = ARENA_ARRAY(arena, uint32_t, program->thread_count);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        feasible->first[t] = feasible->total;
        feasible->total += paths[t].count;
    }
    feasible->of = ARENA_ARRAY(arena, struct needs, feasible->total);
    if (feasible->total > ENUM_FEASIBLE_MAX_PATHS)
        return feasible;
    struct builder *builder = ARENA_NEW(arena, struct builder);
    builder->arena = arena;
    builder->feasible = feasible;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < paths[t].count; i++)
            add_needs(builder, &feasible->of[feasible->first[t] + i], paths[t].items[i]);
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

/* Is a path of a thread that is still open in the set? */
static bool open_in(const struct enum_feasible *f, const uint64_t *set, uint32_t count)
{
    if (count == f->program->thread_count)
        return false;
    for (uint32_t number = f->first[count]; number < f->total; number++)
        if (bits_get(set, number))
            return true;
    return false;
}

static bool may_be_met(const struct enum_feasible *f, const struct need *need,
                       const uint32_t *chosen, uint32_t count)
{
    if (chosen_in(f, need->fulfils, chosen, count) || open_in(f, need->fulfils, count))
        return true;
    if (need->latest && chosen_in(f, need->writes, chosen, count))
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
            if (!may_be_met(f, &needs->items[i], chosen, count))
                return false;
    }
    return true;
}
