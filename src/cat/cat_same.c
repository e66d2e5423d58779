#include "cat/cat_same.h"

#include <string.h>

struct pairing {
    const struct cat_model *a, *b;
    cat_node_id
        *nodes;       /* per node of `a`: the one of `b` that it stands for, CAT_NONE: not known */
    uint32_t *groups; /* per group the same */
    /* Per node what it is without what is known to be empty, or CAT_NONE; NULL: the node itself. */
    const cat_node_id *left[2];
};

static bool pair_nodes(struct pairing *p, cat_node_id a, cat_node_id b);

/* Variables before bodies, which have them. */
static bool pair_groups(struct pairing *p, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < p->a->rec_group_count && b < p->b->rec_group_count);
    const struct cat_rec_group *x = &p->a->rec_groups[a], *y = &p->b->rec_groups[b];
    if (p->groups[a] != CAT_NONE)
        return p->groups[a] == b;
    p->groups[a] = b;
    bool same = x->count == y->count;
    for (uint32_t i = 0; i < x->count && same; i++)
        p->nodes[x->vars[i]] = y->vars[i];
    for (uint32_t i = 0; i < x->count && same; i++)
        same = pair_nodes(p, x->bodies[i], y->bodies[i]);
    return same;
}

/* ---- Without what is empty ---- */

static cat_node_id join(enum cat_op op, cat_node_id a, cat_node_id b, cat_node_id node)
{
    switch (op) {
    case CAT_UNION: return a == CAT_NONE ? b : b == CAT_NONE ? a : node;
    case CAT_DIFF: return a == CAT_NONE || b == CAT_NONE ? a : node;
    default: return a == CAT_NONE || b == CAT_NONE ? CAT_NONE : node;
    }
}

static cat_node_id left_of(const struct cat_node *nodes, cat_node_id node, const cat_node_id *left,
                           const bool *empty)
{
    const struct cat_node *n = &nodes[node];
    switch (n->op) {
    case CAT_BASE: return empty[n->base] ? CAT_NONE : node;
    case CAT_EMPTY: return CAT_NONE;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF:
    case CAT_SEQ:
    case CAT_PRODUCT: return join(n->op, left[n->a], left[n->b], node);
    case CAT_INVERSE:
    case CAT_PLUS:
    case CAT_TOID:
    case CAT_DOMAIN:
    case CAT_RANGE: return left[n->a] == CAT_NONE ? CAT_NONE : node;
    default: return node;
    }
}

/* Operands come before what is made of them. */
static const cat_node_id *all_left(struct arena *scratch, const struct cat_model *model,
                                   const bool *empty)
{
    cat_node_id *left = ARENA_ARRAY(scratch, cat_node_id, model->node_count + 1);
    for (cat_node_id i = 0; i < model->node_count; i++)
        left[i] = left_of(model->nodes, i, left, empty);
    return left;
}

static cat_node_id what_is_left(const struct pairing *p, int side, cat_node_id node)
{
    return node == CAT_NONE || !p->left[side] ? node : p->left[side][node];
}

/* ---- Expressions ---- */

static bool is_same_tag(const struct cat_tagged *a, const struct cat_tagged *b)
{
    return a->bearer == b->bearer && strcmp(a->tag, b->tag) == 0;
}

static bool pair_nodes(struct pairing *p, cat_node_id a, cat_node_id b)
{
    BASE_ASSERT(a == CAT_NONE || a < p->a->picture_node_count);
    BASE_ASSERT(b == CAT_NONE || b < p->b->picture_node_count);
    a = what_is_left(p, 0, a);
    b = what_is_left(p, 1, b);
    if (a == CAT_NONE || b == CAT_NONE)
        return a == b;
    if (p->nodes[a] != CAT_NONE)
        return p->nodes[a] == b;
    const struct cat_node *x = &p->a->nodes[a], *y = &p->b->nodes[b];
    p->nodes[a] = b;
    if (x->op != y->op || x->sort != y->sort)
        return false;
    switch (x->op) {
    case CAT_BASE: return x->base == y->base;
    case CAT_TAGGED: return is_same_tag(&p->a->tagged[x->base], &p->b->tagged[y->base]);
    case CAT_VAR:
    case CAT_FIX: return x->base == y->base && pair_groups(p, x->group, y->group);
    case CAT_CHOICE: return false;
    default: return pair_nodes(p, x->a, y->a) && pair_nodes(p, x->b, y->b);
    }
}

static bool is_same_rule(struct pairing *p, const struct cat_check *a, const struct cat_check *b)
{
    return a->kind == b->kind && a->test == b->test && a->negated == b->negated &&
           pair_nodes(p, a->node, b->node);
}

static bool pair_checks(struct pairing *p, const struct cat_check *a, const struct cat_check *b)
{
    return strcmp(a->name, b->name) == 0 && is_same_rule(p, a, b);
}

static bool is_plain(const struct cat_model *model)
{
    return model->choice_count == 0 &&
           !ANY(g, model->rec_group_count, model->rec_groups[g].inflates);
}

static struct pairing begin_pairing(struct arena *scratch, const struct cat_model *a,
                                    const struct cat_model *b)
{
    struct pairing p = {.a = a,
                        .b = b,
                        .nodes = ARENA_ARRAY(scratch, cat_node_id, a->node_count + 1),
                        .groups = ARENA_ARRAY(scratch, uint32_t, a->rec_group_count + 1)};
    memset(p.nodes, 0xff, a->node_count * sizeof *p.nodes);
    memset(p.groups, 0xff, a->rec_group_count * sizeof *p.groups);
    return p;
}

bool cat_same_checks(struct arena *scratch, const struct cat_model *a, const struct cat_model *b)
{
    struct arena_mark mark = arena_mark(scratch);
    struct pairing p = begin_pairing(scratch, a, b);
    bool same =
        a->basis == b->basis && a->check_count == b->check_count && is_plain(a) && is_plain(b);
    for (uint32_t c = 0; c < a->check_count && same; c++)
        same = pair_checks(&p, &a->checks[c], &b->checks[c]);
    arena_rewind(scratch, mark);
    return same;
}

static bool always_holds(const struct pairing *p, int side, const struct cat_check *check)
{
    return !check->negated && what_is_left(p, side, check->node) == CAT_NONE;
}

/* The number of the next check from `at` on that is no flag, and may fail. */
static uint32_t next_rule(const struct pairing *p, int side, uint32_t at)
{
    const struct cat_model *model = side ? p->b : p->a;
    while (at < model->check_count &&
           (model->checks[at].kind == CAT_FLAG || always_holds(p, side, &model->checks[at])))
        at++;
    return at;
}

static bool pair_rules(struct pairing *p)
{
    const struct cat_model *a = p->a, *b = p->b;
    uint32_t i = next_rule(p, 0, 0), k = next_rule(p, 1, 0);
    bool same = a->basis == b->basis && is_plain(a) && is_plain(b);
    for (; same && i < a->check_count && k < b->check_count;
         i = next_rule(p, 0, i + 1), k = next_rule(p, 1, k + 1))
        same = is_same_rule(p, &a->checks[i], &b->checks[k]);
    return same && i == a->check_count && k == b->check_count;
}

bool cat_same(struct arena *scratch, const struct cat_model *a, const struct cat_model *b)
{
    return cat_same_without(scratch, a, b, NULL);
}

bool cat_same_without(struct arena *scratch, const struct cat_model *a, const struct cat_model *b,
                      const bool *empty)
{
    struct arena_mark mark = arena_mark(scratch);
    struct pairing p = begin_pairing(scratch, a, b);
    if (empty && a->basis == b->basis) {
        p.left[0] = all_left(scratch, a, empty);
        p.left[1] = all_left(scratch, b, empty);
    }
    bool same = pair_rules(&p);
    for (int i = 0; i < CAT_RESERVED_COUNT && same; i++)
        same = pair_nodes(&p, a->reserved[i], b->reserved[i]);
    arena_rewind(scratch, mark);
    return same;
}
