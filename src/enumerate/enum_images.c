#include "enumerate/enum_images.h"

#include "base/hash.h"

#include <string.h>

struct shown {
    const char *execution;
    size_t final[2], crash[2]; /* the states that it has shown: from, to */
};

/* A choice of paths that is written. */
struct written {
    UT_hash_handle hh; /* by the numbers of its paths */
    struct certificate_text tree;
    const struct shown *shown;
    uint32_t shown_count;
};

typedef VEC(struct exec_exchange) exchange_list;

struct enum_images {
    struct enum_state *state;
    struct written *all;
    VEC(struct shown) shown; /* of the choice at hand */
    exchange_list exchanges; /* from an image to what is written */
    uint32_t *numbers;       /* room: per thread */
    struct certificate_map map;
    uint32_t *threads, *locations; /* of the map */
    int64_t *row[2];               /* room: a state */
};

static uint32_t width_of(const struct outcome *outcome)
{
    return outcome->final.width > outcome->crash.width ? outcome->final.width
                                                       : outcome->crash.width;
}

struct enum_images *enum_images_new(struct enum_state *state)
{
    struct arena *arena = &state->paths;
    const struct lit_program *program = state->request->program;
    const uint32_t width = width_of(state->outcome);
    if (!state->certificate || !state->group.left.count)
        return NULL;
    struct enum_images *m = ARENA_MAKE(
        arena, struct enum_images, .state = state,
        .numbers = ARENA_ARRAY(arena, uint32_t, program->thread_count),
        .threads = ARENA_ARRAY(arena, uint32_t, program->thread_count),
        .locations = ARENA_ARRAY(arena, uint32_t, program->location_count),
        .row = {ARENA_ARRAY(arena, int64_t, width + 1), ARENA_ARRAY(arena, int64_t, width + 1)});
    m->map = (struct certificate_map){m->threads, m->locations};
    return m;
}

void enum_images_fini(struct enum_images *m)
{
    if (!m)
        return;
    HASH_CLEAR(hh, m->all);
    VEC_FREE(&m->shown);
    VEC_FREE(&m->exchanges);
}

void enum_images_add_execution(struct enum_images *m, size_t final, size_t crash)
{
    const struct outcome *outcome = m->state->outcome;
    VEC_PUSH(&m->shown, ((struct shown){certificate_last_execution(m->state->certificate),
                                        {final, outcome->final.count},
                                        {crash, outcome->crash.count}}));
}

static size_t bytes_of_numbers(const struct enum_images *m)
{
    return m->state->request->program->thread_count * sizeof(uint32_t);
}

void enum_images_keep(struct enum_images *m)
{
    struct arena *arena = &m->state->paths;
    struct written *written =
        ARENA_MAKE(arena, struct written, .tree = certificate_last_tree(m->state->certificate),
                   .shown_count = (uint32_t)m->shown.count);
    written->shown = VEC_KEEP(arena, &m->shown);
    VEC_CLEAR(&m->shown);
    const void *numbers = arena_copy(arena, m->state->path_numbers, bytes_of_numbers(m));
    HASH_ADD_KEYPTR(hh, m->all, numbers, bytes_of_numbers(m), written);
}

/* ---- From an image to what is written ---- */

static bool descends(const struct enum_images *m, const struct stabilizer_part *part, uint32_t unit)
{
    for (uint32_t i = 0; i < part->class->width; i++) {
        uint32_t a = m->numbers[exec_class_thread(part->class, part->units[unit], i)];
        uint32_t b = m->numbers[exec_class_thread(part->class, part->units[unit + 1], i)];
        if (a != b)
            return a > b;
    }
    return false;
}

/* Exchanges two units on their paths. */
static void exchange(struct enum_images *m, const struct exec_exchange *by)
{
    for (uint32_t i = 0; i < by->class->width; i++) {
        uint32_t *a = &m->numbers[exec_class_thread(by->class, by->a, i)];
        uint32_t *b = &m->numbers[exec_class_thread(by->class, by->b, i)];
        uint32_t was = *a;
        *a = *b;
        *b = was;
    }
    VEC_PUSH(&m->exchanges, *by);
}

static bool sort_units(struct enum_images *m, const struct stabilizer_part *part)
{
    bool any = false;
    for (uint32_t last = part->count; last > 1; last--)
        for (uint32_t u = 0; u + 1 < last; u++)
            if (descends(m, part, u)) {
                const struct exec_exchange by = {part->class, part->units[u], part->units[u + 1]};
                exchange(m, &by);
                any = true;
            }
    return any;
}

/* Inner units come first, and stay sorted. */
static bool sort_all(struct enum_images *m)
{
    const struct stabilizer *left = &m->state->group.left;
    bool any = false;
    memcpy(m->numbers, m->state->path_numbers, bytes_of_numbers(m));
    VEC_CLEAR(&m->exchanges);
    for (uint32_t p = 0; p < left->count; p++)
        any |= sort_units(m, &left->parts[p]);
    return any;
}

/* ---- Back ---- */

static void find_map(struct enum_images *m)
{
    const struct lit_program *program = m->state->request->program;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        m->threads[t] = t;
        for (size_t i = m->exchanges.count; i-- > 0;)
            m->threads[t] = exec_exchange_thread(&m->exchanges.items[i], m->threads[t]);
    }
    for (uint32_t l = 0; l < program->location_count; l++) {
        m->locations[l] = l;
        for (size_t i = m->exchanges.count; i-- > 0;)
            m->locations[l] = exec_exchange_location(&m->exchanges.items[i], m->locations[l]);
    }
}

/* Whether one of these states is new. */
static bool add_states(struct enum_images *m, struct outcome_states *states, const size_t *range)
{
    bool any = false;
    for (size_t i = range[0]; i < range[1]; i++) {
        outcome_pair(m->row[0], outcome_row(states, i), states->width, NULL, 0);
        for (size_t k = m->exchanges.count; k-- > 0;) {
            stabilizer_row(&m->exchanges.items[k], states, m->row[0], m->row[1]);
            outcome_pair(m->row[0], m->row[1], states->width, NULL, 0);
        }
        any |= outcome_add_state(states, m->row[0]);
        if (states->full)
            enum_stop_full(m->state, states);
    }
    return any;
}

static void write_executions(struct enum_images *m, const struct written *written)
{
    struct outcome *outcome = m->state->outcome;
    for (uint32_t i = 0; i < written->shown_count && !m->state->stopped; i++) {
        const struct shown *shown = &written->shown[i];
        bool finals = add_states(m, &outcome->final, shown->final);
        if (add_states(m, &outcome->crash, shown->crash) || finals)
            certificate_execution_image(m->state->certificate, shown->execution, &m->map);
    }
}

bool enum_images_write(struct enum_images *m, const struct exec_path *const *chosen)
{
    const struct outcome *outcome = m->state->outcome;
    struct written *written;
    if (outcome->final.product || outcome->crash.product || !sort_all(m))
        return false;
    HASH_FIND(hh, m->all, m->numbers, bytes_of_numbers(m), written);
    if (!written)
        return false;
    find_map(m);
    certificate_tree_image(m->state->certificate, chosen, written->tree, &m->map);
    write_executions(m, written);
    return true;
}
