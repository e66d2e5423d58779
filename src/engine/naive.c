/* Node by node in their order; a group of `let rec` again and again, until nothing changes. */
#include "engine/naive.h"

#include <string.h>

static size_t size_of(const struct naive_model *m, const struct cat_node *node)
{
    return node->sort == CAT_SET ? m->n : (size_t)m->n * m->n;
}

static void join(uint32_t n, bool *out, const bool *more)
{
    for (uint32_t j = 0; j < n; j++)
        out[j] |= more[j];
}

static void seq(uint32_t n, bool *out, const bool *a, const bool *b)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (a[i * n + k])
                join(n, out + (size_t)i * n, b + (size_t)k * n);
}

/* Adds (i, j) wherever a path leads from i to j. */
static void close_transitively(uint32_t n, bool *out)
{
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            if (out[i * n + k])
                join(n, out + (size_t)i * n, out + (size_t)k * n);
}

static void add_identity(uint32_t n, bool *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[i * n + i] = true;
}

static void pointwise(enum cat_op op, size_t size, bool *out, const bool *a, const bool *b)
{
    if (op == CAT_UNION)
        for (size_t i = 0; i < size; i++)
            out[i] = a[i] | b[i];
    else if (op == CAT_INTER)
        for (size_t i = 0; i < size; i++)
            out[i] = a[i] & b[i];
    else if (op == CAT_DIFF)
        for (size_t i = 0; i < size; i++)
            out[i] = a[i] & !b[i];
    else
        for (size_t i = 0; i < size; i++)
            out[i] = !a[i];
}

static void pairwise(const struct cat_node *node, uint32_t n, bool *out, const bool *a,
                     const bool *b)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            switch (node->op) {
            case CAT_PRODUCT: out[i * n + j] = a[i] && b[j]; break;
            case CAT_INVERSE: out[i * n + j] = a[j * n + i]; break;
            case CAT_TOID: out[i * n + j] = i == j && a[i]; break;
            case CAT_DOMAIN: out[i] = out[i] || a[i * n + j]; break;
            case CAT_RANGE: out[j] = out[j] || a[i * n + j]; break;
            default: out[i * n + j] = a[i * n + j]; break; /* OPT PLUS STAR start from a */
            }
    if (node->op == CAT_PLUS || node->op == CAT_STAR)
        close_transitively(n, out);
    if (node->op == CAT_OPT || node->op == CAT_STAR)
        add_identity(n, out);
}

static void evaluate_node(struct naive_model *m, cat_node_id id);

static void evaluate_group(struct naive_model *m, const struct cat_rec_group *group)
{
    const struct cat_node *nodes = m->model->nodes;
    for (uint32_t i = 0; i < group->count; i++)
        memset(m->values[group->vars[i]], 0, size_of(m, &nodes[group->vars[i]]));
    for (bool grew = true; grew;) {
        grew = false;
        for (cat_node_id id = group->begin; id < group->end; id++)
            evaluate_node(m, id);
        for (uint32_t i = 0; i < group->count; i++) {
            bool *var = m->values[group->vars[i]];
            const bool *body = m->values[group->bodies[i]];
            size_t size = size_of(m, &nodes[group->vars[i]]);
            grew = grew || memcmp(var, body, size) != 0;
            memcpy(var, body, size);
        }
    }
}

static void evaluate_node(struct naive_model *m, cat_node_id id)
{
    const struct cat_node *node = &m->model->nodes[id];
    bool *out = m->values[id];
    const bool *a = node->a == CAT_NONE ? NULL : m->values[node->a];
    const bool *b = node->b == CAT_NONE ? NULL : m->values[node->b];
    if (!out || m->n == 0 || node->op == CAT_VAR)
        return;
    if (node->op == CAT_FIX) {
        const struct cat_rec_group *group = &m->model->rec_groups[node->group];
        evaluate_group(m, group);
        memcpy(out, m->values[group->vars[node->base]], size_of(m, node));
        return;
    }
    memset(out, 0, size_of(m, node));
    switch (node->op) {
    case CAT_EMPTY: break;
    case CAT_BASE: memcpy(out, m->bases[node->base], size_of(m, node)); break;
    case CAT_TAGGED: memcpy(out, m->tagged[node->base], size_of(m, node)); break;
    case CAT_CHOICE: memcpy(out, m->choices[node->base], size_of(m, node)); break;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF:
    case CAT_COMP: pointwise(node->op, size_of(m, node), out, a, b); break;
    case CAT_SEQ: seq(m->n, out, a, b); break;
    default: pairwise(node, m->n, out, a, b); break;
    }
}

static bool may_change(const struct naive_model *m, cat_node_id id)
{
    const struct cat_node *node = &m->model->nodes[id];
    if (node->op == CAT_BASE)
        return m->model->basis->names[node->base].dynamic;
    if (node->op == CAT_VAR || node->op == CAT_FIX || node->op == CAT_CHOICE)
        return true;
    return (node->a != CAT_NONE && m->changes[node->a]) ||
           (node->b != CAT_NONE && m->changes[node->b]);
}

static void need(const struct cat_model *model, bool *needed, cat_node_id id)
{
    if (id == CAT_NONE || needed[id])
        return;
    const struct cat_node *node = &model->nodes[id];
    needed[id] = true;
    need(model, needed, node->a);
    need(model, needed, node->b);
    if (node->op != CAT_FIX)
        return;
    const struct cat_rec_group *group = &model->rec_groups[node->group];
    for (uint32_t i = 0; i < group->count; i++) {
        need(model, needed, group->vars[i]);
        need(model, needed, group->bodies[i]);
    }
}

const bool *naive_needed(struct arena *arena, const struct cat_model *model,
                         enum cat_check_kind kind)
{
    bool *needed = ARENA_ARRAY(arena, bool, model->node_count);
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == kind)
            need(model, needed, model->checks[c].node);
    for (int r = 0; r < CAT_RESERVED_COUNT; r++)
        need(model, needed, model->reserved[r]);
    for (uint32_t i = 0; i < model->choice_count; i++) {
        const struct cat_choice *choice = &model->choices[i];
        need(model, needed, choice->set);
        need(model, needed, choice->relation);
        for (uint32_t k = 0; k < choice->alternative_count; k++)
            need(model, needed, choice->alternatives[k]);
    }
    return needed;
}

struct naive_model naive_evaluate(struct arena *arena, const struct cat_model *model, uint32_t n,
                                  const bool *const *bases, struct naive_options options)
{
    struct naive_model m = {model,
                            n,
                            ARENA_ARRAY(arena, bool *, model->node_count),
                            ARENA_ARRAY(arena, bool, model->node_count),
                            bases,
                            options.choices,
                            options.tagged};
    for (cat_node_id id = 0; id < model->node_count; id++) {
        m.changes[id] = may_change(&m, id);
        if (options.needed && !options.needed[id])
            continue;
        m.values[id] = options.same && !m.changes[id]
                           ? options.same->values[id]
                           : ARENA_ARRAY(arena, bool, size_of(&m, &model->nodes[id]));
    }
    for (cat_node_id id = 0; id < model->node_count; id++)
        if (!options.same || m.changes[id])
            evaluate_node(&m, id);
    return m;
}

bool naive_holds(struct arena *arena, const struct naive_model *m, const struct cat_check *check)
{
    const struct cat_node *node = &m->model->nodes[check->node];
    size_t size = size_of(m, node);
    bool *value = ARENA_ARRAY(arena, bool, size);
    memcpy(value, m->values[check->node], size);
    bool holds = true;
    if (check->test == CAT_ACYCLIC)
        close_transitively(m->n, value);
    if (check->test == CAT_IS_EMPTY)
        for (size_t i = 0; i < size; i++)
            holds = holds && !value[i];
    else
        for (uint32_t i = 0; i < m->n; i++)
            holds = holds && !value[i * m->n + i];
    return holds != check->negated;
}
