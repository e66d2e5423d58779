/* Symmetry reduction: which executions represent their orbit. Every orbit has such an execution:
 *
 *   1. Sort the units of inner classes by their paths, then those of outer classes. Inner ones stay
 *      sorted, as the same paths stand in the same places.
 *   2. Only exchanges of units on the same paths are left. Sort these units likewise by their first
 *      writes to a common location, in its coherence order. Exchanges leave that location in place.
 *   3. Sort by sources of reads, for classes that are not nested. Their exchanges move no write of
 *      such a location. */
#include "enumerate/enum_search.h"

/* ---- What is to be used ---- */

static bool same_shape(const struct exec_path *a, const struct exec_path *b,
                       const struct exec_exchange *by)
{
    if (a->end != b->end || a->event_count != b->event_count || a->slot_count != b->slot_count ||
        a->constraint_count != b->constraint_count || a->probe != b->probe)
        return false;
    for (uint32_t i = 0; i < a->event_count; i++) {
        uint32_t location = a->events[i].location;
        if (location != LIT_NONE)
            location = exec_exchange_location(by, location);
        if (a->events[i].kind != b->events[i].kind || location != b->events[i].location)
            return false;
    }
    return true;
}

static bool correspond(const struct exec_paths *a, const struct exec_paths *b,
                       const struct exec_exchange *by)
{
    return a->count == b->count && ALL(i, a->count, same_shape(a->items[i], b->items[i], by));
}

static bool all_correspond(const struct enum_state *state)
{
    for (uint32_t c = 0; c < state->symmetry.count; c++) {
        const struct exec_class *class = &state->symmetry.classes[c];
        for (uint32_t u = 1; u < class->unit_count; u++)
            for (uint32_t i = 0; i < class->width; i++) {
                const struct exec_exchange by = {class, 0, u};
                if (!correspond(&state->all_paths[exec_class_thread(class, 0, i)],
                                &state->all_paths[exec_class_thread(class, u, i)], &by))
                    return false;
            }
    }
    return true;
}

void enum_symmetry_find(struct enum_state *state)
{
    const struct engine_request *request = state->request;
    state->symmetry =
        request->symmetry ? *request->symmetry : exec_symmetry_new(&state->paths, request->program);
    if (!all_correspond(state))
        state->symmetry.count = 0;
}

/* What tells states apart. A search that keeps no state is free of the columns. */
static struct stabilizer_question question_of(const struct enum_state *state, bool closes)
{
    const struct lit_condition *goal = state->goal;
    struct stabilizer_question question = {.props = {state->request->program->filter}};
    if (goal && goal->when != LIT_RECOVERED)
        question.props[1] = goal->prop;
    if (closes) {
        question.states[0] = &state->outcome->final;
        question.states[1] = &state->outcome->crash;
    }
    return question;
}

static uint32_t count_seats(const struct stabilizer *left)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < left->count; i++)
        count += left->parts[i].count * left->parts[i].class->width;
    return count;
}

/* The threads' seats, by counting. */
static void seat_threads(struct enum_state *state)
{
    struct enum_group *group = &state->group;
    uint32_t threads = state->request->program->thread_count;
    uint32_t *first = ARENA_ARRAY(&state->paths, uint32_t, threads + 1), at = 0;
    struct enum_seat *seats =
        ARENA_ARRAY(&state->paths, struct enum_seat, count_seats(&group->left));
    for (uint32_t t = 0; t < threads; t++) {
        first[t] = at;
        for (uint32_t p = 0; p < group->left.count; p++) {
            const struct stabilizer_part *part = &group->left.parts[p];
            for (uint32_t u = 0; u < part->count; u++)
                for (uint32_t i = 0; i < part->class->width; i++)
                    if (exec_class_thread(part->class, part->units[u], i) == t)
                        seats[at++] = (struct enum_seat){part, u};
        }
    }
    first[threads] = at;
    group->seats = seats;
    group->first_seat = first;
    group->floors = ARENA_ARRAY(&state->paths, uint32_t, threads);
}

void enum_group_choose(struct enum_state *state)
{
    bool closes = state->goal ? state->goal->when == LIT_RECOVERED : !state->request->decide;
    const struct stabilizer_question question = question_of(state, closes);
    state->group.closes = closes && !state->certificate;
    state->group.left =
        stabilizer_new(&state->paths, &state->symmetry, state->request->program, &question);
    seat_threads(state);
}

/* ---- Paths ---- */

static uint32_t thread_of(const struct stabilizer_part *part, uint32_t unit, uint32_t place)
{
    return exec_class_thread(part->class, part->units[unit], place);
}

/* The paths of a unit and of the next one, as far as they are chosen. */
static bool ascends(const struct stabilizer_part *part, uint32_t unit, const uint32_t *numbers,
                    uint32_t last)
{
    for (uint32_t i = 0; i < part->class->width; i++) {
        uint32_t t = thread_of(part, unit, i), u = thread_of(part, unit + 1, i);
        if (t > last || u > last)
            return true;
        if (numbers[t] != numbers[u])
            return numbers[t] < numbers[u];
    }
    return true;
}

bool enum_paths_ascend(const struct enum_state *state, const uint32_t *numbers, uint32_t thread)
{
    const struct enum_group *group = &state->group;
    for (uint32_t s = group->first_seat[thread]; s < group->first_seat[thread + 1]; s++) {
        const struct enum_seat *seat = &group->seats[s];
        if ((seat->unit > 0 && !ascends(seat->part, seat->unit - 1, numbers, thread)) ||
            (seat->unit + 1 < seat->part->count &&
             !ascends(seat->part, seat->unit, numbers, thread)))
            return false;
    }
    return true;
}

void enum_raise_floors(struct enum_state *state, const uint32_t *numbers, uint32_t thread)
{
    const struct enum_group *group = &state->group;
    for (uint32_t s = group->first_seat[thread]; s < group->first_seat[thread + 1]; s++) {
        const struct enum_seat *seat = &group->seats[s];
        for (uint32_t u = seat->unit + 1; seat->part->class->width == 1 && u < seat->part->count;
             u++)
            if (thread_of(seat->part, u, 0) > thread)
                group->floors[thread_of(seat->part, u, 0)] = numbers[thread];
    }
}

/* ---- Units on the same paths ---- */

static bool are_tied(const struct enum_search *s, const struct stabilizer_part *part, uint32_t unit)
{
    const uint32_t *numbers = s->state->path_numbers;
    return ALL(i, part->class->width,
               numbers[thread_of(part, unit, i)] == numbers[thread_of(part, unit + 1, i)]);
}

/* What units are compared by: the first event of the kind, in the order of their threads, on a
 * location that the class leaves in its place. */
struct telling {
    uint32_t place, number;
};

static bool find_telling(const struct enum_search *s, const struct stabilizer_part *part,
                         uint32_t unit, enum ev_kind kind, struct telling *found)
{
    for (uint32_t i = 0; i < part->class->width; i++) {
        const struct exec_path *path = s->skeleton->paths[thread_of(part, unit, i)];
        for (uint32_t k = 0; k < path->event_count; k++)
            if (path->events[k].kind == kind &&
                !exec_class_moves(part->class, path->events[k].location)) {
                *found = (struct telling){i, k};
                return true;
            }
    }
    return false;
}

static uint32_t event_of(const struct enum_search *s, const struct stabilizer_part *part,
                         uint32_t unit, struct telling telling)
{
    return s->skeleton->first[thread_of(part, unit, telling.place)] + telling.number;
}

/* In a partial order two writes may be unordered, so nothing is known. */
static void order_pair(struct enum_search *s, const struct stabilizer_part *part, uint32_t unit)
{
    struct telling telling;
    if (find_telling(s, part, unit, EV_WRITE, &telling)) {
        if (!enum_co(s)->partial)
            BASE_CHECK(enum_order_pair(s, enum_co(s), event_of(s, part, unit, telling),
                                       event_of(s, part, unit + 1, telling)));
    } else if (!part->class->nested && find_telling(s, part, unit, EV_READ, &telling)) {
        uint32_t a = event_of(s, part, unit, telling), b = event_of(s, part, unit + 1, telling);
        s->tied_after[b] = a;
        s->tied_before[a] = b;
    }
}

void enum_order_units(struct enum_search *s)
{
    const struct stabilizer *left = &s->state->group.left;
    struct arena *arena = &s->state->scratch;
    s->tied_after = ARENA_ARRAY(arena, uint32_t, s->dim.n);
    s->tied_before = ARENA_ARRAY(arena, uint32_t, s->dim.n);
    for (uint32_t e = 0; e < s->dim.n; e++)
        s->tied_after[e] = s->tied_before[e] = LIT_NONE;
    for (uint32_t p = 0; p < left->count && !s->state->certificate; p++)
        for (uint32_t u = 0; u + 1 < left->parts[p].count; u++)
            if (are_tied(s, &left->parts[p], u))
                order_pair(s, &left->parts[p], u);
}

/* ---- First values ---- */

static bool spread(const struct exec_class *class, bool *looked_at)
{
    bool changed = false;
    for (uint32_t i = 0; i < class->place_count; i++) {
        bool any = false;
        for (uint32_t u = 0; u < class->unit_count; u++)
            any |= looked_at[class->locations[u * class->place_count + i]];
        for (uint32_t u = 0; u < class->unit_count; u++) {
            bool *looked = &looked_at[class->locations[u * class->place_count + i]];
            changed |= any && !*looked;
            *looked = any;
        }
    }
    return changed;
}

void enum_look_at_orbits(struct enum_state *state)
{
    for (bool changed = state->looked_at != NULL; changed;) {
        changed = false;
        for (uint32_t c = 0; c < state->symmetry.count; c++)
            changed |= spread(&state->symmetry.classes[c], state->looked_at);
    }
}
