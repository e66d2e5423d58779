#include "cat/cat_same.h"

#include <string.h>

struct pairing {
    const struct cat_model *a, *b;
    cat_node_id
        *nodes;       /* per node of `a`: the one of `b` that it stands for, CAT_NONE: not known */
    uint32_t *groups; /* per group the same */
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

static bool is_same_tag(const struct cat_tagged *a, const struct cat_tagged *b)
{
    return a->bearer == b->bearer && strcmp(a->tag, b->tag) == 0;
}

static bool pair_nodes(struct pairing *p, cat_node_id a, cat_node_id b)
{
    BASE_ASSERT(a == CAT_NONE || a < p->a->picture_node_count);
    BASE_ASSERT(b == CAT_NONE || b < p->b->picture_node_count);
    if (a == CAT_NONE || b == CAT_NONE || p->nodes[a] != CAT_NONE)
        return a == CAT_NONE ? b == CAT_NONE : p->nodes[a] == b;
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

/* The number of the next check from `at` on that is no flag. */
static uint32_t next_rule(const struct cat_model *model, uint32_t at)
{
    while (at < model->check_count && model->checks[at].kind == CAT_FLAG)
        at++;
    return at;
}

static bool pair_rules(struct pairing *p)
{
    const struct cat_model *a = p->a, *b = p->b;
    uint32_t i = next_rule(a, 0), k = next_rule(b, 0);
    bool same = a->basis == b->basis && is_plain(a) && is_plain(b);
    for (; same && i < a->check_count && k < b->check_count;
         i = next_rule(a, i + 1), k = next_rule(b, k + 1))
        same = is_same_rule(p, &a->checks[i], &b->checks[k]);
    return same && i == a->check_count && k == b->check_count;
}

bool cat_same(struct arena *scratch, const struct cat_model *a, const struct cat_model *b)
{
    struct arena_mark mark = arena_mark(scratch);
    struct pairing p = begin_pairing(scratch, a, b);
    bool same = pair_rules(&p);
    for (int i = 0; i < CAT_RESERVED_COUNT && same; i++)
        same = pair_nodes(&p, a->reserved[i], b->reserved[i]);
    arena_rewind(scratch, mark);
    return same;
}
