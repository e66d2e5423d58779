/* Bounds over a family against members of it: random bounds of base names, members between them
 * that lack some of the events that are not sure, evaluated by naive.h on the events that they
 * have. What is in every lower bound must be in the member's value, and that in the upper one. */
#include "unit.h"

#include "base/bits.h"
#include "cat/cat_model.h"
#include "engine/naive.h"
#include "exec/exec_basis.h"
#include "place/place_bounds.h"

#include <string.h>

enum { EVENTS = 7, FAMILIES = 60, MEMBERS = 8 };

struct family {
    struct arena arena;
    const struct cat_model *model;
    struct place_bounds *bounds;
    uint32_t random;
    uint32_t events[EVENTS], count; /* of a member */
    bool wrong_side;                /* upper bounds are given as lower ones, too */
    uint32_t held, failed;          /* checks that bounds settled, of all members */
};

static uint32_t draw(struct family *f, uint32_t below)
{
    f->random = f->random * 1664525u + 1013904223u;
    return (f->random >> 8) % below;
}

/* Words of 7 events: one a row. */
static void draw_bounds(struct family *f, rel_word *lower, rel_word *upper, uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++) {
        bool sure = rows == 1 || bits_get(f->bounds->sure, i);
        upper[i] = draw(f, 128) & draw(f, 128);
        lower[i] = sure ? upper[i] & draw(f, 128) & f->bounds->sure[0] : 0;
        if (f->wrong_side)
            lower[i] = upper[i];
    }
}

static uint32_t rows_of(enum cat_sort sort)
{
    return sort == CAT_SET ? 1 : EVENTS;
}

static void draw_family(struct family *f)
{
    const struct cat_basis *basis = exec_basis();
    f->bounds->sure[0] = draw(f, 128) | draw(f, 128);
    for (uint32_t b = 0; b < basis->count; b++)
        draw_bounds(f, f->bounds->bases[PLACE_LOWER][b], f->bounds->bases[PLACE_UPPER][b],
                    rows_of(basis->names[b].sort));
    for (uint32_t i = 0; i < f->model->tagged_count; i++)
        draw_bounds(f, f->bounds->tagged[PLACE_LOWER][i], f->bounds->tagged[PLACE_UPPER][i], 1);
}

static void draw_events(struct family *f)
{
    f->count = 0;
    for (uint32_t e = 0; e < EVENTS; e++)
        if (bits_get(f->bounds->sure, e) || draw(f, 2))
            f->events[f->count++] = e;
}

/* The bits of the member's events, as it numbers them. */
static rel_word narrow(const struct family *f, rel_word word)
{
    rel_word narrowed = 0;
    for (uint32_t i = 0; i < f->count; i++)
        narrowed |= (word >> f->events[i] & 1) << i;
    return narrowed;
}

static const uint64_t *draw_value(struct family *f, const rel_word *lower, const rel_word *upper,
                                  enum cat_sort sort)
{
    uint64_t *value = ARENA_ARRAY(&f->arena, uint64_t, EVENTS);
    for (uint32_t i = 0; i < (sort == CAT_SET ? 1 : f->count); i++) {
        uint32_t row = sort == CAT_SET ? 0 : f->events[i];
        value[i] = narrow(f, lower[row] | (upper[row] & draw(f, 128)));
    }
    return value;
}

/* How many nodes' values are outside of their bounds. */
static uint32_t count_outside(const struct family *f, const struct naive_model *member)
{
    uint32_t outside = 0;
    for (cat_node_id id = 0; id < f->model->node_count; id++) {
        const struct cat_node *node = &f->model->nodes[id];
        bool in = true;
        if (!member->values[id] || node->op == CAT_VAR)
            continue;
        for (uint32_t i = 0; i < (node->sort == CAT_SET ? 1 : f->count); i++) {
            uint32_t row = node->sort == CAT_SET ? 0 : f->events[i];
            rel_word value = member->values[id][i];
            in = in && !(narrow(f, f->bounds->nodes[PLACE_LOWER][id][row]) & ~value) &&
                 !(value & ~narrow(f, f->bounds->nodes[PLACE_UPPER][id][row]));
        }
        outside += !in;
    }
    return outside;
}

static uint32_t look_at_member(struct family *f)
{
    const struct cat_basis *basis = exec_basis();
    const uint64_t **bases = ARENA_ARRAY(&f->arena, const uint64_t *, basis->count);
    const uint64_t **tagged = ARENA_ARRAY(&f->arena, const uint64_t *, f->model->tagged_count);
    draw_events(f);
    for (uint32_t b = 0; b < basis->count; b++)
        bases[b] = draw_value(f, f->bounds->bases[PLACE_LOWER][b], f->bounds->bases[PLACE_UPPER][b],
                              basis->names[b].sort);
    for (uint32_t i = 0; i < f->model->tagged_count; i++)
        tagged[i] = draw_value(f, f->bounds->tagged[PLACE_LOWER][i],
                               f->bounds->tagged[PLACE_UPPER][i], CAT_SET);
    const struct naive_model given = {
        .model = f->model, .n = f->count, .bases = bases, .tagged = tagged};
    const struct naive_model member = naive_evaluate(&f->arena, &given, f->bounds->needed);
    uint32_t outside = count_outside(f, &member);
    for (uint32_t c = 0; c < f->model->check_count; c++) {
        const struct cat_check *check = &f->model->checks[c];
        if (!f->bounds->needed[check->node])
            continue;
        bool holds = naive_holds(&f->arena, &member, check);
        bool hold = place_bounds_hold(f->bounds, check), fail = place_bounds_fail(f->bounds, check);
        outside += hold && !holds;
        outside += fail && holds;
        f->held += hold;
        f->failed += fail;
    }
    return outside;
}

/* Operators that no built-in model has between its bounds and its checks. */
static const char operators[] = "\"operators\"\n"
                                "let between = ~(~po; ~co)\n"
                                "let rec reach = rf | (reach; (co \\ (~rf)?)) | [domain(~fr)]\n"
                                "acyclic (~loc & po) | between as one\n"
                                "irreflexive (rf?; ~(co*)) \\ reach as two\n"
                                "~empty (~W * range(po^-1)) & reach as three\n"
                                "empty [~range(~rf)]; po as four\n";

static const struct cat_model *load(struct arena *arena, const char *visibility,
                                    const char *persistency, struct diag *diag)
{
    if (visibility)
        return cat_model_load(arena, exec_basis(), NULL, visibility, persistency, diag);
    return cat_model_load_sources(
        arena, exec_basis(), NULL, source_from_text(arena, "v.cat", operators, strlen(operators)),
        source_from_text(arena, "p.cat", "\"nothing\"\n", strlen("\"nothing\"\n")), diag);
}

static uint32_t look_at_families(const char *visibility, const char *persistency, bool wrong_side)
{
    struct family f = {.random = 7, .wrong_side = wrong_side};
    struct diag diag;
    uint32_t outside = 0;
    arena_init(&f.arena);
    diag_init(&diag);
    f.model = load(&f.arena, visibility, persistency, &diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(f.model);
    CU_ASSERT_EQUAL_FATAL(f.model->choice_count, 0);
    const bool *needed = naive_needed(&f.arena, f.model, CAT_CHECK);
    f.bounds = place_bounds_new(&f.arena, f.model, rel_dim_make(EVENTS), needed);
    for (uint32_t i = 0; i < FAMILIES; i++) {
        struct arena_mark mark = arena_mark(&f.arena);
        draw_family(&f);
        CU_ASSERT_TRUE(place_bounds_evaluate(f.bounds));
        for (uint32_t k = 0; k < MEMBERS; k++)
            outside += look_at_member(&f);
        arena_rewind(&f.arena, mark);
    }
    /* Bounds that settle nothing would be right as well. */
    CU_ASSERT(f.held > 0);
    CU_ASSERT(f.failed > 0);
    diag_fini(&diag);
    arena_fini(&f.arena);
    return outside;
}

static void members_are_within_bounds(void)
{
    static const char *const pairs[][2] = {{"hrf-direct", "epoch"},
                                           {"hrf-indirect-relaxed", "sbrp"},
                                           {"rc11", "buffered-epoch-individual"},
                                           {"tso", "strict"},
                                           {"hrf-direct", "strand"},
                                           {NULL, NULL}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        CU_ASSERT_EQUAL(look_at_families(pairs[i][0], pairs[i][1], false), 0);
}

/* The comparison can fail: what is in some members is not in all. */
static void wrong_bounds_show(void)
{
    CU_ASSERT(look_at_families("hrf-direct", "epoch", true) > 0);
}

void suite_place_bounds(void)
{
    CU_pSuite suite = CU_add_suite("place_bounds", NULL, NULL);
    UNIT_TEST(suite, members_are_within_bounds);
    UNIT_TEST(suite, wrong_bounds_show);
}
