/* A read whose constraints no write fulfils. Looked at are the initial value, the writes of the
 * chosen paths, and those of all paths of threads that are still open. What is no constant may be
 * any value. Where no thread is open a tree says the same, and does not depend on what the checker
 * takes for a constant. */
#include "enumerate/enum_cases.h"

#include <string.h>

enum { MOST_VALUES = 32 };

/* What is written to a location. */
struct written {
    int64_t values[MOST_VALUES];
    uint32_t count;
    bool any; /* or what is not known */
};

struct enum_nevers {
    const struct enum_state *state;
    struct written
        *open;       /* per thread and location: by all paths of this thread and those behind it */
    bool **alone;    /* per thread and path: no execution has it, whatever the others do; NULL:
                        there is one thread */
    int64_t *values; /* room: what a path's reads return */
    bool *known;
};

static void add_value(struct written *written, int64_t value)
{
    if (ANY(i, written->count, written->values[i] == value))
        return;
    if (written->count == MOST_VALUES)
        written->any = true;
    else
        written->values[written->count++] = value;
}

static void add_write(struct written *written, const struct ev *write)
{
    if (exec_value_is_const(write->value))
        add_value(written, write->value->value);
    else
        written->any = true;
}

static struct written *open_at(const struct enum_nevers *n, uint32_t thread, uint32_t location)
{
    return &n->open[(size_t)thread * n->state->request->program->location_count + location];
}

static void add_all(struct enum_nevers *n, uint32_t thread, const struct exec_paths *paths)
{
    for (uint32_t i = 0; i < paths->count; i++)
        for (uint32_t e = 0; e < paths->items[i]->event_count; e++) {
            const struct ev *event = &paths->items[i]->events[e];
            if (event->kind == EV_WRITE)
                add_write(open_at(n, thread, event->location), event);
        }
}

/* Does the path's constraint hold, as far as the values tell? */
static bool may_hold(const struct enum_nevers *n, const struct exec_constraint *constraint)
{
    const struct exec_reads reads = {n->values, n->known};
    int64_t result;
    return !exec_value_get(constraint->value, &reads, &result) ||
           (result != 0) == constraint->truth;
}

/* May the path go on when the read returns the value? */
static bool fits(const struct enum_nevers *n, const struct exec_path *path, uint32_t read,
                 int64_t value)
{
    n->values[read] = value;
    n->known[read] = true;
    bool goes_on = ALL(i, path->constraint_count, may_hold(n, &path->constraints[i]));
    n->known[read] = false;
    return goes_on;
}

static bool any_fits(const struct enum_nevers *n, const struct exec_path *path, uint32_t read,
                     const struct written *written)
{
    return written->any || ANY(i, written->count, fits(n, path, read, written->values[i]));
}

static struct written written_to(const struct enum_nevers *n, const struct exec_path *const *chosen,
                                 uint32_t count, uint32_t location)
{
    struct written written = *open_at(n, count, location);
    add_value(&written, n->state->request->program->locations[location].init);
    for (uint32_t t = 0; t < count && !written.any; t++)
        for (uint32_t e = 0; e < chosen[t]->event_count; e++)
            if (chosen[t]->events[e].kind == EV_WRITE && chosen[t]->events[e].location == location)
                add_write(&written, &chosen[t]->events[e]);
    return written;
}

/* The first read of the path without a source when `count` paths are chosen; its number of events:
 * there is none. */
static uint32_t find_lost(const struct enum_nevers *n, const struct exec_path *const *chosen,
                          uint32_t count, const struct exec_path *path)
{
    for (uint32_t e = 0; e < path->event_count; e++) {
        if (path->events[e].kind != EV_READ)
            continue;
        const struct written written = written_to(n, chosen, count, path->events[e].location);
        if (any_fits(n, path, e, &written))
            continue;
        if (n->state->looked_at)
            n->state->looked_at[path->events[e].location] = true;
        return e;
    }
    return path->event_count;
}

static void find_alone(struct enum_nevers *n, uint32_t thread, const struct exec_paths *paths,
                       struct arena *arena)
{
    n->alone[thread] = ARENA_ARRAY(arena, bool, paths->count);
    for (uint32_t i = 0; i < paths->count; i++) {
        const struct exec_path *path = paths->items[i];
        uint32_t read = find_lost(n, NULL, 0, path);
        n->alone[thread][i] = read < path->event_count;
        if (n->alone[thread][i])
            certificate_never(n->state->certificate, &path, 1, path, read);
    }
}

struct enum_nevers *enum_nevers_new(struct arena *arena, const struct enum_state *state,
                                    const struct exec_paths *paths)
{
    const struct lit_program *program = state->request->program;
    const size_t locations = program->location_count;
    struct enum_nevers *n = ARENA_MAKE(
        arena, struct enum_nevers, .state = state,
        .open = ARENA_ARRAY(arena, struct written, (program->thread_count + 1) * locations));
    uint32_t most = 0;
    for (uint32_t t = program->thread_count; t-- > 0;) {
        memcpy(open_at(n, t, 0), open_at(n, t + 1, 0), locations * sizeof *n->open);
        add_all(n, t, &paths[t]);
        for (uint32_t i = 0; i < paths[t].count; i++)
            most = paths[t].items[i]->slot_count > most ? paths[t].items[i]->slot_count : most;
    }
    n->values = ARENA_ARRAY(arena, int64_t, most);
    n->known = ARENA_ARRAY(arena, bool, most);
    if (program->thread_count > 1)
        n->alone = ARENA_ARRAY(arena, bool *, program->thread_count);
    for (uint32_t t = 0; n->alone && t < program->thread_count; t++)
        find_alone(n, t, &paths[t], arena);
    return n;
}

bool enum_never(const struct enum_nevers *n, const struct exec_path *const *chosen,
                const uint32_t *numbers, uint32_t count)
{
    if (n->alone && n->alone[count - 1][numbers[count - 1]])
        return true;
    for (uint32_t t = 0; t < count && count < n->state->request->program->thread_count; t++) {
        uint32_t read = find_lost(n, chosen, count, chosen[t]);
        if (read == chosen[t]->event_count)
            continue;
        certificate_never(n->state->certificate, chosen, count, chosen[t], read);
        return true;
    }
    return false;
}
