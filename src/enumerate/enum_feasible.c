/* Every path has needs: constraints on a single read. For every need the tables say which paths
 * write a value that fulfils it (or one not known yet), and whether the initial value does. A read
 * of a spinning await returns the coherence-latest value, so it returns the initial one only when
 * nobody writes. Sets are bit sets over path numbers, counted through all threads.
 *
 * A thread's paths come depth first, so a path shares most needs with the path before it. Only what
 * follows their parting is looked at anew. Each value is tried once per constraint, not once per
 * path that writes it. Equal needs are one.
 *
 * A read-modify-write with a fixed value takes a write of that value. Where no two of them may take
 * one write, there must be at least as many such writes as threads that take one. */
#include "enumerate/enum_feasible.h"

#include "base/bits.h"
#include "enumerate/enum_apart.h"
#include "enumerate/enum_fixed.h"

#include <string.h>

/* What some path writes to a location. */
struct written {
    bool known; /* else the value depends on reads */
    int64_t value;
    uint64_t *by;                   /* the paths that write it */
    const struct exec_path *sum_of; /* the one path that writes a read and a constant more ... */
    const struct exec_value *sum;   /* ... which is this; NULL: of any path and kind */
    uint32_t most, in_path, path; /* how often one path does; the path at hand, and which that is */
    struct written *next;
};

/* What a read-modify-write of some path reads, by a constraint. */
struct taken {
    int64_t value;
    uint64_t *by;
    struct written **sources; /* what may have the value */
    uint32_t source_count;
    struct taken *next;
};

/* Of one location those that are told apart. */
enum { MOST_SUMS = 64 };

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
    struct taken *taken;
    uint32_t sums;
    struct need *needs;
    uint64_t *writes; /* the paths that write it */
    bool rmws_part;   /* no two read-modify-writes of it take one write */
};

struct enum_feasible {
    const struct lit_program *program;
    bool *looked_at; /* per location: its initial value mattered; NULL: nobody asks */
    bool rmws_part;  /* no two read-modify-writes take one write, as po, rf and co have no cycle */
    uint32_t *first; /* per thread, and one more: number of its first path */
    uint32_t total;  /* paths */
    struct location *locations;
    struct needs *of; /* per path number */
    uint32_t *met_by; /* per thread: with paths of how many threads chosen all that its path needs
                         was among them, as long as that many stay; 0: it was not */
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

static struct written *find_written(struct builder *b, const struct exec_path *path,
                                    const struct ev *write)
{
    struct location *location = &b->feasible->locations[write->location];
    const struct exec_reads view = {b->values, b->known};
    uint32_t read;
    int64_t value = 0, returned;
    bool known = exec_value_get(write->value, &view, &value);
    bool is_sum =
        !known && location->sums < MOST_SUMS && enum_sum_wants(write->value, 0, &read, &returned);
    struct written *w = location->written;
    while (w && (is_sum || w->sum || w->known != known || (known && w->value != value)))
        w = w->next;
    if (w)
        return w;
    location->sums += is_sum;
    return location->written = ARENA_MAKE(b->arena, struct written, .known = known, .value = value,
                                          .sum_of = path, .sum = is_sum ? write->value : NULL,
                                          .by = ARENA_ARRAY(b->arena, uint64_t, b->words),
                                          .path = LIT_NONE, .next = location->written);
}

static struct taken *find_taken(struct builder *b, uint32_t location, int64_t value)
{
    struct location *of = &b->feasible->locations[location];
    struct taken *taken = of->taken;
    while (taken && taken->value != value)
        taken = taken->next;
    if (!taken)
        of->taken = taken =
            ARENA_MAKE(b->arena, struct taken, .value = value,
                       .by = ARENA_ARRAY(b->arena, uint64_t, b->words), .next = of->taken);
    return taken;
}

static bool same_write(const struct exec_path *before, uint32_t i, const struct ev *write)
{
    return before && i < before->event_count && before->events[i].kind == EV_WRITE &&
           exec_value_is_const(write->value) && before->events[i].value == write->value &&
           before->events[i].location == write->location;
}

static void count_write(struct written *written, uint32_t number)
{
    written->in_path = written->path == number ? written->in_path + 1 : 1;
    written->path = number;
    if (written->in_path > written->most)
        written->most = written->in_path;
}

static void add_writes(struct builder *b, uint32_t number, const struct exec_path *path,
                       const struct exec_path *before)
{
    enum_fixed_reads(path, b->values, b->known);
    for (uint32_t i = 0; i < path->event_count; i++) {
        const struct ev *write = &path->events[i];
        if (write->kind == EV_READ && write->rmw && b->known[i])
            bits_set(find_taken(b, write->location, b->values[i])->by, number);
        if (write->kind != EV_WRITE)
            continue;
        if (!same_write(before, i, write))
            b->written[i] = find_written(b, path, write);
        count_write(b->written[i], number);
        bits_set(b->written[i]->by, number);
        bits_set(b->feasible->locations[write->location].writes, number);
    }
    memset(b->known, 0, path->event_count * sizeof *b->known);
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

/* May what is written come to the value on its path? */
static bool may_come_to(struct builder *b, const struct written *w, int64_t value)
{
    uint32_t read;
    int64_t returned;
    if (w->known || !w->sum)
        return !w->known || w->value == value;
    BASE_CHECK(enum_sum_wants(w->sum, value, &read, &returned));
    return !ANY(i, w->sum_of->constraint_count,
                exec_value_single_read(w->sum_of->constraints[i].value) == read &&
                    !fits(b, &w->sum_of->constraints[i], read, returned));
}

/* Where values of the location come from is no circle: of po and rf, or as each read-modify-write
 * reads what is coherence-before its own write. */
static bool has_no_circle(const struct builder *b, const struct written *w, uint32_t read,
                          uint32_t location)
{
    const struct exec_path *path = w->sum_of;
    const struct ev *next = read + 1 < path->event_count ? &path->events[read + 1] : NULL;
    return b->feasible->rmws_part || (b->feasible->locations[location].rmws_part && next &&
                                      next->kind == EV_WRITE && next->rmw && next->value == w->sum);
}

/* Does the write depend on a read of the location that keeps the same constraint? Where values come
 * from is no circle of po and rf then, so the first read that keeps it has another source. (Of a
 * latest value that source says nothing.) */
static bool perpetuates(const struct builder *b, const struct written *w,
                        const struct exec_constraint *constraint, uint32_t location)
{
    uint32_t read;
    int64_t returned;
    if (!w->sum || !enum_sum_wants(w->sum, 0, &read, &returned) ||
        w->sum_of->events[read].location != location || !has_no_circle(b, w, read, location))
        return false;
    return ANY(i, w->sum_of->constraint_count,
               w->sum_of->constraints[i].truth == constraint->truth &&
                   exec_value_single_read(w->sum_of->constraints[i].value) == read &&
                   exec_value_same(w->sum_of->constraints[i].value, constraint->value));
}

/* May a read of it keep the constraint? */
static bool may_serve(struct builder *b, const struct written *w,
                      const struct exec_constraint *constraint, uint32_t read)
{
    uint32_t fixed;
    int64_t value;
    if (w->known)
        return fits(b, constraint, read, w->value);
    return !enum_fixes(constraint, &fixed, &value) || may_come_to(b, w, value);
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
        if (may_serve(b, w, constraint, read) &&
            (latest || !perpetuates(b, w, constraint, location)))
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
    return (struct constraint_need){find_need(b, constraint, read, path->events[read].location,
                                              latest && read >= path->event_count),
                                    read};
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

/* ---- Sources of read-modify-writes ---- */

static void list_sources(struct builder *b, const struct location *location, struct taken *taken)
{
    uint32_t count = 0;
    for (const struct written *w = location->written; w; w = w->next)
        count++;
    taken->sources = ARENA_ARRAY(b->arena, struct written *, count);
    for (struct written *w = location->written; w && !is_over(b); w = w->next)
        if (may_come_to(b, w, taken->value))
            taken->sources[taken->source_count++] = w;
}

static void list_all_sources(struct builder *b, const struct cat_model *model)
{
    struct enum_feasible *f = b->feasible;
    for (uint32_t l = 0; l < f->program->location_count && model; l++) {
        struct location *location = &f->locations[l];
        bool part = location->taken && !is_over(b) &&
                    (f->rmws_part || enum_rmws_apart(b->arena, model, f->program, b->paths, l));
        for (struct taken *taken = location->taken; taken && part; taken = taken->next)
            list_sources(b, location, taken);
        location->rmws_part = part && !b->stopped;
    }
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
                  const struct exec_paths *paths, const struct exec_run_options *options,
                  const struct cat_model *model)
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
    list_all_sources(b, model);
    each_path(b, add_needs); /* none when not all writes are known, for want of time */
}

struct enum_feasible *enum_feasible_new(struct arena *arena, const struct lit_program *program,
                                        const struct exec_paths *paths,
                                        const struct exec_run_options *options,
                                        const struct cat_model *model, bool *looked_at)
{
    struct enum_feasible *feasible = ARENA_NEW(arena, struct enum_feasible);
    feasible->looked_at = looked_at;
    feasible->rmws_part = model && enum_rmws_part(model, program);
    feasible->program = program;
    feasible->first = ARENA_ARRAY(arena, uint32_t, program->thread_count + 1);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        feasible->first[t] = feasible->total;
        feasible->total += paths[t].count;
    }
    feasible->first[program->thread_count] = feasible->total;
    feasible->of = ARENA_ARRAY(arena, struct needs, feasible->total);
    feasible->met_by = ARENA_ARRAY(arena, uint32_t, program->thread_count);
    if (feasible->total <= ENUM_FEASIBLE_MAX_PATHS)
        build(arena, feasible, paths, options, model);
    return feasible;
}

/* Is one of the chosen paths in the set? */
static bool chosen_in(const struct enum_feasible *f, const uint64_t *set, const uint32_t *chosen,
                      uint32_t count)
{
    return ANY(t, count, bits_get(set, f->first[t] + chosen[t]));
}

/* Is one of the paths that an open thread may take in the set? */
static bool open_in(const struct enum_feasible *f, const uint64_t *set, const uint32_t *floors,
                    uint32_t count)
{
    for (uint32_t t = count; t < f->program->thread_count; t++)
        for (uint32_t i = f->first[t] + (floors ? floors[t] : 0); i < f->first[t + 1]; i++)
            if (bits_get(set, i))
                return true;
    return false;
}

/* Is a path of a thread that is still open among those that fulfil it? */
static bool open_fulfils(const struct enum_feasible *f, const struct need *need,
                         const uint32_t *floors, uint32_t count)
{
    return need->any && count < f->program->thread_count && need->last >= f->first[count] &&
           open_in(f, need->fulfils, floors, count);
}

/* Of one that nothing chosen fulfils. */
static bool may_be_met(const struct enum_feasible *f, const struct need *need,
                       const uint32_t *chosen, const uint32_t *floors, uint32_t count)
{
    if (open_fulfils(f, need, floors, count))
        return true;
    if (need->latest && chosen_in(f, f->locations[need->location].writes, chosen, count))
        return false;
    if (f->looked_at)
        f->looked_at[need->location] = true;
    return need->initial;
}

/* How many of the chosen paths are in the set? */
static uint32_t count_chosen(const struct enum_feasible *f, const uint64_t *set,
                             const uint32_t *chosen, uint32_t count)
{
    uint32_t number = 0;
    for (uint32_t t = 0; t < count; t++)
        number += bits_get(set, f->first[t] + chosen[t]);
    return number;
}

/* May there be as many writes of the value, or of one that is not known, as there are takers? */
static bool has_sources(const struct enum_feasible *f, uint32_t location, const struct taken *taken,
                        const uint32_t *chosen, const uint32_t *floors, uint32_t count)
{
    uint32_t takers = count_chosen(f, taken->by, chosen, count);
    uint32_t sources = f->program->locations[location].init == taken->value;
    if (takers < 2)
        return true;
    for (uint32_t i = 0; i < taken->source_count; i++) {
        const struct written *w = taken->sources[i];
        sources += w->most * count_chosen(f, w->by, chosen, count);
        if (sources >= takers || open_in(f, w->by, floors, count))
            return true;
    }
    if (f->looked_at)
        f->looked_at[location] = true;
    return sources >= takers;
}

static bool all_have_sources(const struct enum_feasible *f, const uint32_t *chosen,
                             const uint32_t *floors, uint32_t count)
{
    for (uint32_t l = 0; f->locations && l < f->program->location_count; l++)
        for (const struct taken *taken = f->locations[l].rmws_part ? f->locations[l].taken : NULL;
             taken; taken = taken->next)
            if (!has_sources(f, l, taken, chosen, floors, count))
                return false;
    return true;
}

/* Is each need of the path met by a chosen path, or may one that is still open meet it? `met`:
 * chosen paths meet all of them. */
static bool may_meet_needs(const struct enum_feasible *f, const struct needs *needs,
                           const uint32_t *chosen, const uint32_t *floors, uint32_t count,
                           bool *met)
{
    *met = true;
    for (uint32_t i = 0; i < needs->count; i++) {
        if (chosen_in(f, needs->items[i]->fulfils, chosen, count))
            continue;
        *met = false;
        if (!may_be_met(f, needs->items[i], chosen, floors, count))
            return false;
    }
    return true;
}

bool enum_feasible_so_far(struct enum_feasible *f, const uint32_t *chosen, const uint32_t *floors,
                          uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        bool met;
        if (f->met_by[t] && f->met_by[t] < count)
            continue;
        if (!may_meet_needs(f, &f->of[f->first[t] + chosen[t]], chosen, floors, count, &met))
            return false;
        f->met_by[t] = met ? count : 0;
    }
    return all_have_sources(f, chosen, floors, count);
}
