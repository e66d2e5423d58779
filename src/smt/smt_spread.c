/* An expression is walked like a regular expression over its steps: unions share their ends, a
 * sequence has labels in its middle, a closure has labels that lead back to its beginning.
 * Everything else is a step; its pairs are asked for one by one. */
#include "smt/smt_spread.h"

#include "base/bits.h"

static struct smt_program *program_of(const struct smt_spread *sp)
{
    return smt_relations_program(sp->relations);
}

static const struct cat_node *node_of(const struct smt_spread *sp, cat_node_id id)
{
    return &program_of(sp)->request->model->nodes[id];
}

static void add_fact(struct smt_spread *sp, smt_term cause, smt_term effect)
{
    struct smt_solver *s = program_of(sp)->solver;
    smt_term fact = smt_implies(s, cause, effect);
    if (!smt_is(s, fact, true))
        VEC_PUSH(&sp->facts, fact);
}

static smt_term *new_labels(struct smt_spread *sp)
{
    return ARENA_ARRAY(program_of(sp)->arena, smt_term, program_of(sp)->dim.n);
}

/* May the relation lead from, or to, these events? By direction. */
static void find_ends(const struct smt_spread *sp, cat_node_id id, rel_word *leaves,
                      rel_word *arrives)
{
    struct rel_dim dim = program_of(sp)->dim;
    const rel_word *may = smt_relation_may(sp->relations, id);
    rel_domain(dim, sp->backwards ? arrives : leaves, may);
    rel_range(dim, sp->backwards ? leaves : arrives, may);
}

static void take_steps(struct smt_spread *sp, cat_node_id id, const smt_term *from,
                       const smt_term *to)
{
    struct smt_program *p = program_of(sp);
    const rel_word *may = smt_relation_may(sp->relations, id);
    for (uint32_t a = 0; a < p->dim.n && !smt_out_of_time(p); a++)
        for (uint32_t b = 0; b < p->dim.n; b++) {
            uint32_t x = sp->backwards ? b : a, y = sp->backwards ? a : b;
            if (!from[x] || !to[y] || !rel_has(p->dim, may, a, b))
                continue;
            smt_term pair = smt_relation_has(sp->relations, id, a, b, SMT_AT_LEAST);
            smt_term there = smt_and(p->solver, pair, p->events[y].guard);
            add_fact(sp, smt_and(p->solver, from[x], there), to[y]);
        }
}

static void stay(struct smt_spread *sp, const smt_term *from, const smt_term *to)
{
    for (uint32_t e = 0; e < program_of(sp)->dim.n; e++)
        if (from[e] && to[e])
            add_fact(sp, from[e], to[e]);
}

static bool is_filter(const struct smt_spread *sp, cat_node_id id)
{
    return node_of(sp, id)->op == CAT_TOID && smt_relation_is_known(sp->relations, id);
}

/* The labels of events that a filter lets pass. */
static smt_term *keep_labels(struct smt_spread *sp, cat_node_id filter, const smt_term *labels)
{
    const struct smt_program *p = program_of(sp);
    const rel_word *may = smt_relation_may(sp->relations, filter);
    smt_term *kept = new_labels(sp);
    for (uint32_t e = 0; e < p->dim.n; e++)
        kept[e] = rel_has(p->dim, may, e, e) ? labels[e] : NULL;
    return kept;
}

static void go_through(struct smt_spread *sp, cat_node_id first, cat_node_id second,
                       const smt_term *from, const smt_term *to)
{
    struct smt_program *p = program_of(sp);
    if (is_filter(sp, first)) {
        smt_spread_along(sp, second, keep_labels(sp, first, from), to);
        return;
    }
    if (is_filter(sp, second)) {
        smt_spread_along(sp, first, from, keep_labels(sp, second, to));
        return;
    }
    rel_word *spare = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
    rel_word *arrives = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
    rel_word *leaves = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
    smt_term *middle = new_labels(sp);
    find_ends(sp, first, spare, arrives);
    find_ends(sp, second, leaves, spare);
    for (uint32_t e = 0; e < p->dim.n; e++)
        if (bits_get(arrives, e) && bits_get(leaves, e))
            middle[e] = smt_bool(p->solver);
    smt_spread_along(sp, first, from, middle);
    smt_spread_along(sp, second, middle, to);
}

static void go_round(struct smt_spread *sp, cat_node_id step, const smt_term *from,
                     const smt_term *to)
{
    struct smt_program *p = program_of(sp);
    rel_word *arrives = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
    rel_word *leaves = ARENA_ARRAY(p->arena, rel_word, p->dim.words);
    smt_term *behind = new_labels(sp), *before = new_labels(sp);
    find_ends(sp, step, leaves, arrives);
    for (uint32_t e = 0; e < p->dim.n; e++) {
        behind[e] = bits_get(arrives, e) ? smt_bool(p->solver) : NULL;
        before[e] = !bits_get(leaves, e)     ? NULL
                    : !from[e] || !behind[e] ? (from[e] ? from[e] : behind[e])
                                             : smt_bool(p->solver);
    }
    stay(sp, from, before);
    stay(sp, behind, before);
    smt_spread_along(sp, step, before, behind);
    stay(sp, behind, to);
}

void smt_spread_along(struct smt_spread *sp, cat_node_id id, const smt_term *from,
                      const smt_term *to)
{
    const struct cat_node *node = node_of(sp, id);
    if (smt_relation_is_known(sp->relations, id)) {
        take_steps(sp, id, from, to);
        return;
    }
    switch (node->op) {
    case CAT_UNION:
        smt_spread_along(sp, node->a, from, to);
        smt_spread_along(sp, node->b, from, to);
        break;
    case CAT_SEQ:
        go_through(sp, sp->backwards ? node->b : node->a, sp->backwards ? node->a : node->b, from,
                   to);
        break;
    case CAT_PLUS: go_round(sp, node->a, from, to); break;
    case CAT_STAR:
        stay(sp, from, to);
        go_round(sp, node->a, from, to);
        break;
    case CAT_OPT:
        stay(sp, from, to);
        smt_spread_along(sp, node->a, from, to);
        break;
    default: take_steps(sp, id, from, to);
    }
}

void smt_spread_assert(struct smt_spread *sp)
{
    for (size_t i = 0; i < sp->facts.count; i++)
        smt_assert(program_of(sp)->solver, sp->facts.items[i]);
}

void smt_spread_free(struct smt_spread *sp)
{
    VEC_FREE(&sp->facts);
}
