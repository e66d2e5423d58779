#include "cat/cat_bounds.h"

#include "base/bits.h"

/* ---- Operators ---- */

static bool is_implied(const struct cat_domain *d, uint32_t k, uint32_t a)
{
    BASE_ASSERT(k < d->dim.n && a < d->dim.n);
    return !d->implied || rel_has(d->dim, d->implied, k, a);
}

/* a; b through points that are there whenever one of the ends is. */
static void sure_sequence(const struct cat_domain *d, const rel_word *a, const rel_word *b,
                          rel_word *out)
{
    const uint32_t words = d->dim.words;
    BASE_ASSERT(d->implied && (d->dim.n == 0 || (out != a && out != b)));
    rel_clear(d->dim, out);
    for (uint32_t at = 0; at < d->dim.n * words; at++)
        BITS_EACH_IN_WORD (bit, a[at]) {
            uint32_t from = at / words, k = at % words * 64 + bit;
            bool sure = is_implied(d, k, from);
            const rel_word *to = rel_row(d->dim, b, k), *implied = rel_row(d->dim, d->implied, k);
            rel_word *row = out + (size_t)from * words;
            for (uint32_t w = 0; w < words; w++)
                row[w] |= to[w] & (sure ? ~UINT64_C(0) : implied[w]);
        }
}

/* By doubling: from a, and what is there already. */
static void sure_closure(const struct cat_domain *d, const rel_word *a, rel_word *out)
{
    BASE_ASSERT(d->spare && (d->dim.n == 0 || out != d->spare));
    rel_copy(d->dim, out, a);
    for (bool grew = true; grew;) {
        sure_sequence(d, out, out, d->spare);
        grew = !rel_subset(d->dim, d->spare, out);
        rel_union(d->dim, out, out, d->spare);
    }
}

static void sure_ends(const struct cat_domain *d, enum cat_op op, const rel_word *a, rel_word *out)
{
    BASE_ASSERT(op == CAT_DOMAIN || op == CAT_RANGE);
    set_clear(d->dim, out);
    for (uint32_t x = 0; x < d->dim.n; x++)
        for (uint32_t y = 0; y < d->dim.n; y++) {
            uint32_t end = op == CAT_DOMAIN ? x : y, other = op == CAT_DOMAIN ? y : x;
            if (rel_has(d->dim, a, x, y) && is_implied(d, other, end))
                bits_set(out, end);
        }
}

static void operate_lower(const struct cat_domain *d, enum cat_op op, enum cat_sort sort,
                          const rel_word *a, const rel_word *b, rel_word *out)
{
    BASE_ASSERT(d->implied == NULL || d->spare);
    bool reflexive = op == CAT_OPT || op == CAT_STAR, closes = op == CAT_PLUS || op == CAT_STAR;
    if (op == CAT_SEQ && d->implied)
        sure_sequence(d, a, b, out);
    else if ((op == CAT_DOMAIN || op == CAT_RANGE) && d->implied)
        sure_ends(d, op, a, out);
    else if (op == CAT_TOID && d->many)
        rel_clear(d->dim, out);
    else if (closes && d->implied)
        sure_closure(d, a, out);
    else if (op == CAT_OPT)
        rel_copy(d->dim, out, a);
    else
        cat_operate(d->dim, op == CAT_STAR ? CAT_PLUS : op, sort, a, b, out);
    if (reflexive && !d->many)
        rel_opt(d->dim, out, out);
}

static void keep_within(const struct cat_domain *d, enum cat_side side, enum cat_sort sort,
                        rel_word *out)
{
    if (d->within[side][sort])
        cat_operate(d->dim, CAT_INTER, sort, out, d->within[side][sort], out);
}

static bool has_event_elsewhere(enum cat_op op, bool within_ends)
{
    return (op == CAT_SEQ && !within_ends) || op == CAT_PLUS || op == CAT_STAR ||
           op == CAT_DOMAIN || op == CAT_RANGE;
}

void cat_domain_operate(const struct cat_domain *d, enum cat_op op, enum cat_sort sort,
                        enum cat_side side, const rel_word *a, const rel_word *b, bool within_ends,
                        rel_word *out)
{
    BASE_ASSERT(d->dim.n == 0 || out != a || out != b); /* nothing has no place of its own */
    BASE_ASSERT(within_ends ? op == CAT_SEQ : true);
    if (side == CAT_LOWER)
        operate_lower(d, op, sort, a, b, out);
    else if (d->others && has_event_elsewhere(op, within_ends))
        cat_value_fill(d->dim, sort, out);
    else
        cat_operate(d->dim, op, sort, a, b, out);
    keep_within(d, side, sort, out);
}

/* ---- Nodes ---- */

void cat_bounds_new(struct arena *arena, struct cat_bounds *b, const struct cat_model *model,
                    const struct cat_domain *domain, const bool *needed, uint32_t count)
{
    BASE_ASSERT(count <= model->picture_node_count);
    *b = (struct cat_bounds){.model = model, .domain = domain};
    for (int side = 0; side < 2; side++) {
        b->values[side] = ARENA_ARRAY(arena, rel_word *, count);
        for (cat_node_id id = 0; id < count; id++)
            if (!needed || needed[id])
                b->values[side][id] = ARENA_ARRAY(
                    arena, rel_word, cat_value_words(domain->dim, model->nodes[id].sort));
    }
}

static bool is_late(const struct cat_bounds *b)
{
    return b->is_late && b->is_late(b->context);
}

static bool is_leaf(const struct cat_node *node)
{
    return node->op == CAT_BASE || node->op == CAT_TAGGED || node->op == CAT_CHOICE;
}

static void operate(struct cat_bounds *b, cat_node_id id, enum cat_side side)
{
    BASE_ASSERT(id < b->model->node_count && b->values[side][id]);
    BASE_ASSERT(!is_leaf(&b->model->nodes[id]));
    const struct cat_node *nodes = b->model->nodes, *node = &nodes[id];
    enum cat_side first = cat_operand_side(node->op, false, side);
    enum cat_side second = cat_operand_side(node->op, true, side);
    BASE_ASSERT(node->a == CAT_NONE || (node->a < id && b->values[first][node->a]));
    BASE_ASSERT(node->b == CAT_NONE || (node->b < id && b->values[second][node->b]));
    bool within_ends =
        node->op == CAT_SEQ && (nodes[node->a].op == CAT_TOID || nodes[node->b].op == CAT_TOID);
    cat_domain_operate(b->domain, node->op, node->sort, side,
                       node->a == CAT_NONE ? NULL : b->values[first][node->a],
                       node->b == CAT_NONE ? NULL : b->values[second][node->b], within_ends,
                       b->values[side][id]);
}

static void find_value(struct cat_bounds *b, cat_node_id id);

static bool take_bodies(struct cat_bounds *b, const struct cat_rec_group *group)
{
    bool grew = false;
    for (uint32_t i = 0; i < group->count; i++)
        for (int side = 0; side < 2; side++) {
            BASE_ASSERT(b->model->nodes[group->vars[i]].op == CAT_VAR);
            enum cat_sort sort = b->model->nodes[group->vars[i]].sort;
            rel_word *var = b->values[side][group->vars[i]];
            const rel_word *body = b->values[side][group->bodies[i]];
            grew = grew || !cat_value_equal(b->domain->dim, sort, var, body);
            cat_value_copy(b->domain->dim, sort, var, body);
        }
    return grew;
}

static void find_group(struct cat_bounds *b, const struct cat_rec_group *group)
{
    BASE_ASSERT(group->begin < group->end);
    for (uint32_t i = 0; i < group->count; i++)
        for (int side = 0; side < 2; side++)
            cat_value_clear(b->domain->dim, b->model->nodes[group->vars[i]].sort,
                            b->values[side][group->vars[i]]);
    do
        for (cat_node_id id = group->begin; id < group->end && !is_late(b); id++)
            if (!is_leaf(&b->model->nodes[id]))
                find_value(b, id);
    while (take_bodies(b, group) && !is_late(b));
}

/* Of what has operands, or is recursive. */
static void find_value(struct cat_bounds *b, cat_node_id id)
{
    const struct cat_node *node = &b->model->nodes[id];
    BASE_ASSERT(node->op != CAT_FIX || node->base < b->model->rec_groups[node->group].count);
    const struct cat_rec_group *group = &b->model->rec_groups[node->group];
    if (!b->values[CAT_LOWER][id] || node->op == CAT_VAR)
        return;
    if (node->op == CAT_FIX)
        find_group(b, group);
    if (b->operate && node->op != CAT_FIX) {
        b->operate(b, id);
        return;
    }
    for (enum cat_side side = CAT_LOWER; side <= CAT_UPPER; side++)
        if (node->op == CAT_FIX)
            cat_value_copy(b->domain->dim, node->sort, b->values[side][id],
                           b->values[side][group->vars[node->base]]);
        else
            operate(b, id, side);
}

bool cat_bounds_find(struct cat_bounds *b, uint32_t count)
{
    for (cat_node_id id = 0; id < count && !is_late(b); id++)
        if (!is_leaf(&b->model->nodes[id]))
            find_value(b, id);
        else if (b->values[CAT_LOWER][id] && !b->leaf(b, id))
            return false;
    return true;
}

/* ---- Checks ---- */

static bool passes(const struct cat_bounds *b, const struct cat_check *check, enum cat_side side)
{
    BASE_ASSERT(b->values[side][check->node]);
    rel_word scratch[REL_MAX_EVENTS / 64];
    return cat_passes(b->domain->dim, check->test, b->model->nodes[check->node].sort,
                      b->values[side][check->node], scratch);
}

/* Upper bounds say nothing about events without a point, lower ones nothing about whether events
 * are there. */
static bool is_surely(const struct cat_bounds *b, const struct cat_check *check, bool passed)
{
    bool tells = passed ? !b->domain->others : !b->domain->implied;
    return tells && passes(b, check, passed ? CAT_UPPER : CAT_LOWER) == passed;
}

bool cat_bounds_hold(const struct cat_bounds *b, const struct cat_check *check)
{
    return is_surely(b, check, !check->negated);
}

bool cat_bounds_fail(const struct cat_bounds *b, const struct cat_check *check)
{
    return is_surely(b, check, check->negated);
}

/* ---- Choices ---- */

void cat_bounds_contained(const struct cat_bounds *b, const struct cat_choice *choice,
                          enum cat_side side, rel_word *out)
{
    BASE_ASSERT(choice->kind != CAT_LINEARISATIONS || b->values[side][choice->relation]);
    BASE_ASSERT(choice->kind != CAT_ALTERNATIVES || choice->alternative_count > 0);
    rel_word *const *values = b->values[side];
    if (choice->kind == CAT_LINEARISATIONS) {
        cat_domain_operate(b->domain, CAT_PLUS, CAT_REL, side, values[choice->relation], NULL,
                           false, out);
        return;
    }
    rel_fill(b->domain->dim, out);
    for (uint32_t i = 0; i < choice->alternative_count; i++)
        rel_inter(b->domain->dim, out, out, values[choice->alternatives[i]]);
}

/* The pairs of a set that an order on it may have. */
static void fill_pairs(const struct cat_bounds *b, const rel_word *set, rel_word *out)
{
    BASE_ASSERT(b->domain->dim.n == 0 || out != set);
    rel_product(b->domain->dim, out, set, set);
    for (uint32_t e = 0; e < b->domain->dim.n && !b->domain->many; e++)
        rel_remove(b->domain->dim, out, e, e);
}

void cat_bounds_open(struct cat_bounds *b, cat_node_id id)
{
    BASE_ASSERT(b->model->nodes[id].op == CAT_CHOICE &&
                b->model->nodes[id].base < b->model->choice_count);
    const struct cat_choice *choice = &b->model->choices[b->model->nodes[id].base];
    rel_word *lower = b->values[CAT_LOWER][id], *upper = b->values[CAT_UPPER][id];
    cat_bounds_contained(b, choice, CAT_LOWER, lower);
    rel_clear(b->domain->dim, upper);
    if (choice->kind == CAT_LINEARISATIONS) {
        fill_pairs(b, b->values[CAT_LOWER][choice->set], upper);
        rel_inter(b->domain->dim, lower, lower, upper);
        fill_pairs(b, b->values[CAT_UPPER][choice->set], upper);
    }
    for (uint32_t i = 0; i < choice->alternative_count; i++)
        rel_union(b->domain->dim, upper, upper, b->values[CAT_UPPER][choice->alternatives[i]]);
    for (enum cat_side side = CAT_LOWER; side <= CAT_UPPER; side++)
        keep_within(b->domain, side, CAT_REL, b->values[side][id]);
}
