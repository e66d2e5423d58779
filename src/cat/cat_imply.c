/* Walks nodes from users to operands, from high numbers to low ones. The plan lists the nodes that
 * matter: those between a check and a base. */
#include "cat/cat_imply.h"

#include "cat/cat_plan.h"

struct cat_implied {
    const struct cat_eval *eval;
    const struct cat_plan *plan;
    const struct cat_node *nodes;
    struct rel_dim dim;
    rel_word **bars[2]; /* per side and node: pairs it must not gain, or lose; NULL: not walked */
    rel_word *room[3];  /* for one relation each */
};

struct cat_implied *cat_implied_new(struct arena *arena, const struct cat_eval *eval)
{
    struct cat_implied *implied = ARENA_NEW(arena, struct cat_implied);
    const struct cat_plan *plan = cat_eval_plan(eval);
    implied->eval = eval;
    implied->plan = plan;
    implied->nodes = plan->model->nodes;
    implied->dim = cat_eval_dim(eval);
    for (int side = CAT_LOWER; side <= CAT_UPPER; side++)
        implied->bars[side] = ARENA_ARRAY(arena, rel_word *, plan->node_count);
    size_t size = rel_words(implied->dim);
    rel_word *words =
        arena_alloc_unset(arena, (3 + (size_t)plan->implied.count) * size * sizeof *words);
    for (int i = 0; i < 3; i++, words += size)
        implied->room[i] = words;
    for (uint32_t i = 0; i < plan->implied.count; i++, words += size) {
        const struct cat_step *step = &plan->implied.items[i];
        BASE_ASSERT(step->node < plan->node_count &&
                    plan->model->nodes[step->node].sort == CAT_REL);
        BASE_ASSERT(!implied->bars[step->side][step->node]);
        implied->bars[step->side][step->node] = words;
    }
    return implied;
}

static const rel_word *lower(const struct cat_implied *m, cat_node_id id)
{
    return cat_eval_bound(m->eval, id, CAT_LOWER);
}

static const rel_word *upper(const struct cat_implied *m, cat_node_id id)
{
    return cat_eval_bound(m->eval, id, CAT_UPPER);
}

/* ---- From a check to its node ---- */

/* Not a pair the wrong way round along what is there. */
static void bar_cycles(struct cat_implied *m, rel_word *out, const rel_word *value)
{
    rel_star(m->dim, m->room[0], value);
    rel_inverse(m->dim, m->room[1], m->room[0]);
    rel_union(m->dim, out, out, m->room[1]);
}

static void bar_by_check(struct cat_implied *m, const struct cat_check *check)
{
    rel_word *out = m->bars[CAT_LOWER][check->node];
    BASE_ASSERT(check->node < m->plan->node_count);
    if (check->kind != CAT_CHECK || check->negated || !out)
        return;
    switch (check->test) {
    case CAT_ACYCLIC: bar_cycles(m, out, lower(m, check->node)); break;
    case CAT_IRREFLEXIVE: rel_opt(m->dim, out, out); break;
    case CAT_IS_EMPTY: rel_fill(m->dim, out); break;
    }
}

/* ---- From a node to its operands ---- */

static void add_bars(const struct cat_implied *m, rel_word *out, const rel_word *bars)
{
    if (out)
        rel_union(m->dim, out, out, bars);
}

/* The pairs that are, or are not, in another relation too. */
static void add_within(const struct cat_implied *m, rel_word *out, const rel_word *bars,
                       const rel_word *other, bool in)
{
    size_t words = rel_words(m->dim);
    for (size_t k = 0; out && k < words; k++)
        out[k] |= bars[k] & (in ? other[k] : ~other[k]);
}

/* bars; other^-1: (x, y) when `other` leads from y to where x must not come. */
static void bar_before(struct cat_implied *m, rel_word *out, const rel_word *bars,
                       const rel_word *other)
{
    rel_inverse(m->dim, m->room[0], other);
    rel_seq(m->dim, m->room[1], bars, m->room[0]);
    rel_union(m->dim, out, out, m->room[1]);
}

/* other^-1; bars: (y, z) when `other` leads to y from where z must not be reached. */
static void bar_behind(struct cat_implied *m, rel_word *out, const rel_word *bars,
                       const rel_word *other)
{
    rel_inverse(m->dim, m->room[0], other);
    rel_seq(m->dim, m->room[1], m->room[0], bars);
    rel_union(m->dim, out, out, m->room[1]);
}

static void bar_sequence(struct cat_implied *m, const struct cat_node *node, const rel_word *bars)
{
    BASE_ASSERT(node->op == CAT_SEQ);
    rel_word *a = m->bars[CAT_LOWER][node->a], *b = m->bars[CAT_LOWER][node->b];
    if (a)
        bar_before(m, a, bars, lower(m, node->b));
    if (b)
        bar_behind(m, b, bars, lower(m, node->a));
}

/* A pair of a reaches as far as a's steps lead before it and behind it: `value` is a+ or a*. */
static void bar_closure(struct cat_implied *m, rel_word *out, const rel_word *bars,
                        const rel_word *value)
{
    BASE_ASSERT(m->dim.n == 0 || out != value);
    rel_inverse(m->dim, m->room[0], value);
    rel_opt(m->dim, m->room[0], m->room[0]);
    rel_seq(m->dim, m->room[1], bars, m->room[0]);
    rel_seq(m->dim, m->room[2], m->room[0], m->room[1]);
    rel_union(m->dim, out, out, m->room[2]);
}

static void bar_operands(struct cat_implied *m, cat_node_id id, enum cat_side side)
{
    BASE_ASSERT(id < m->plan->node_count && m->bars[side][id]);
    const struct cat_node *node = &m->nodes[id];
    const rel_word *bars = m->bars[side][id];
    rel_word *a = node->a == CAT_NONE ? NULL : m->bars[side][node->a];
    rel_word *b = node->b == CAT_NONE ? NULL : m->bars[side][node->b];
    rel_word *other_side = NULL;
    switch (node->op) {
    case CAT_UNION:
        if (side == CAT_LOWER) {
            add_bars(m, a, bars);
            add_bars(m, b, bars);
        } else {
            add_within(m, a, bars, upper(m, node->b), false);
            add_within(m, b, bars, upper(m, node->a), false);
        }
        break;
    case CAT_INTER:
        if (side == CAT_LOWER) {
            add_within(m, a, bars, lower(m, node->b), true);
            add_within(m, b, bars, lower(m, node->a), true);
        } else {
            add_bars(m, a, bars);
            add_bars(m, b, bars);
        }
        break;
    case CAT_DIFF:
        other_side = m->bars[cat_side_flip(side)][node->b];
        if (side == CAT_LOWER) {
            add_within(m, a, bars, upper(m, node->b), false);
            add_within(m, other_side, bars, lower(m, node->a), true);
        } else {
            add_bars(m, a, bars);
            add_bars(m, other_side, bars);
        }
        break;
    case CAT_COMP: add_bars(m, m->bars[cat_side_flip(side)][node->a], bars); break;
    case CAT_INVERSE:
        rel_inverse(m->dim, m->room[0], bars);
        add_bars(m, a, m->room[0]);
        break;
    case CAT_SEQ:
        if (side == CAT_LOWER)
            bar_sequence(m, node, bars);
        break;
    case CAT_OPT:
        if (side == CAT_LOWER)
            add_bars(m, a, bars);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        if (side == CAT_LOWER && a)
            bar_closure(m, a, bars, lower(m, id));
        break;
    default: break;
    }
}

void cat_implied_find(struct cat_implied *m)
{
    const struct cat_steps *steps = &m->plan->implied;
    for (uint32_t i = 0; i < steps->count; i++)
        rel_clear(m->dim, m->bars[steps->items[i].side][steps->items[i].node]);
    for (uint32_t c = 0; c < m->plan->model->check_count; c++)
        bar_by_check(m, &m->plan->model->checks[c]);
    EACH (const struct cat_step, step, steps->items, steps->count)
        if (!rel_empty(m->dim, m->bars[step->side][step->node]))
            bar_operands(m, step->node, step->side);
}

static const rel_word *bars_of(const struct cat_implied *m, uint32_t base, enum cat_side side)
{
    BASE_ASSERT(base < m->plan->model->basis->count);
    cat_node_id id = m->plan->base_nodes[base];
    BASE_ASSERT(id == CAT_NONE || m->nodes[id].op == CAT_BASE);
    return id == CAT_NONE ? NULL : m->bars[side][id];
}

const rel_word *cat_implied_out(const struct cat_implied *implied, uint32_t base)
{
    return bars_of(implied, base, CAT_LOWER);
}

const rel_word *cat_implied_in(const struct cat_implied *implied, uint32_t base)
{
    return bars_of(implied, base, CAT_UPPER);
}
