#include "engine/witness_way.h"

#include "exec/exec_basis.h"

#include <string.h>

/* Models can nest what is empty deep enough to take for ever; past this a pair is one step. */
enum { MOST_PAIRS = 20000 };

struct witness_ways {
    struct arena *arena;
    const struct cat_model *model;
    const struct cat_eval *eval;
    struct rel_dim dim;
    const int *weights; /* per node */
};

struct way {
    const struct witness_ways *ways;
    struct witness_way *steps;
    uint32_t pairs; /* looked at */
};

static const struct cat_node *node_at(const struct way *way, cat_node_id id)
{
    return &way->ways->model->nodes[id];
}

static const rel_word *value_of(const struct way *way, cat_node_id id)
{
    return cat_eval_value(way->ways->eval, id);
}

static bool has(const struct way *way, cat_node_id id, uint32_t a, uint32_t b)
{
    return rel_has(way->ways->dim, value_of(way, id), a, b);
}

static const char *shown_name(const struct way *way, cat_node_id id)
{
    const struct cat_model *model = way->ways->model;
    for (uint32_t i = 0; i < model->shown_count; i++)
        if (model->shown[i].node == id)
            return model->shown[i].name;
    return NULL;
}

static void add_step(struct way *way, cat_node_id id, uint32_t a, uint32_t b)
{
    const struct cat_node *node = node_at(way, id);
    const char *name = shown_name(way, id);
    if (node->op == CAT_BASE)
        name = exec_basis()->names[node->base].name;
    else if (!name)
        name = node->name ? node->name : "";
    VEC_PUSH(&way->steps->items, ((struct witness_way_step){a, b, name, id}));
}

static void add_pair(struct way *way, cat_node_id id, uint32_t a, uint32_t b);

/* How much a base relation says of why one event comes before another: location, work-item and
 * scope instance say nothing, they choose among pairs of another relation. */
static int weight_of_base(uint32_t base)
{
    switch (base) {
    case EXEC_REL_RF:
    case EXEC_REL_CO:
    case EXEC_REL_FR:
    case EXEC_REL_SYNC_FENCE: return 2;
    case EXEC_REL_PO:
    case EXEC_REL_SYNCBAR:
    case EXEC_REL_SYNCPB: return 1;
    default: return 0;
    }
}

static int max(int a, int b)
{
    return a > b ? a : b;
}

static int *find_weights(struct arena *arena, const struct cat_model *model)
{
    int *weights = ARENA_ARRAY(arena, int, model->picture_node_count);
    for (cat_node_id id = 0; id < model->picture_node_count; id++) {
        const struct cat_node *node = &model->nodes[id];
        switch (node->op) {
        case CAT_BASE: weights[id] = weight_of_base(node->base); break;
        case CAT_CHOICE:
        case CAT_FIX: weights[id] = 2; break;
        case CAT_UNION:
        case CAT_SEQ:
        case CAT_INTER: weights[id] = max(weights[node->a], weights[node->b]); break;
        case CAT_COMP: weights[id] = 0; break;
        default: /* as its relation's, where it has one */
            weights[id] = node->a == CAT_NONE || node->sort == CAT_SET ? 0 : weights[node->a];
        }
    }
    return weights;
}

/* The shortest way through pairs of the relation, from a to b, which may be the same. */
static void add_path(struct way *way, cat_node_id id, uint32_t a, uint32_t b)
{
    BASE_ASSERT(b < way->ways->dim.n);
    struct rel_dim dim = way->ways->dim;
    uint32_t *before = ARENA_ARRAY(way->ways->arena, uint32_t, dim.n);
    uint32_t *queue = ARENA_ARRAY(way->ways->arena, uint32_t, dim.n + 1);
    uint32_t head = 0, tail = 0, length = 0;
    memset(before, 0xff, dim.n * sizeof *before);
    queue[tail++] = a;
    while (head < tail && before[b] == LIT_NONE) {
        uint32_t at = queue[head++];
        for (uint32_t next = 0; next < dim.n; next++)
            if (before[next] == LIT_NONE && has(way, id, at, next)) {
                before[next] = at;
                if (next != a)
                    queue[tail++] = next;
            }
    }
    for (uint32_t at = b; length == 0 || at != a; at = before[at])
        queue[length++] = at; /* from the end */
    for (uint32_t from = a; length-- > 0; from = queue[length])
        add_pair(way, id, from, queue[length]);
}

static void add_sequence(struct way *way, const struct cat_node *node, uint32_t a, uint32_t b)
{
    uint32_t middle = 0;
    while (!has(way, node->a, a, middle) || !has(way, node->b, middle, b))
        middle++;
    add_pair(way, node->a, a, middle);
    add_pair(way, node->b, middle, b);
}

static void add_inverse(struct way *way, cat_node_id id, uint32_t a, uint32_t b)
{
    add_step(way, id, a, b);
    const struct cat_node *of = node_at(way, node_at(way, id)->a);
    struct witness_way_step *step = &VEC_LAST(&way->steps->items);
    if (!*step->label && (of->op == CAT_BASE || of->name))
        step->label =
            arena_printf(way->ways->arena, "%s^-1",
                         of->op == CAT_BASE ? exec_basis()->names[of->base].name : of->name);
}

static void add_intersection(struct way *way, cat_node_id id, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < way->ways->dim.n && b < way->ways->dim.n);
    const struct cat_node *node = node_at(way, id);
    int left = way->ways->weights[node->a], right = way->ways->weights[node->b];
    if (left || right)
        add_pair(way, left >= right ? node->a : node->b, a, b);
    else
        add_step(way, id, a, b);
}

/* The pair's steps; none for an event and itself in [S], r? and r*. */
static void add_pair(struct way *way, cat_node_id id, uint32_t a, uint32_t b)
{
    const struct cat_node *node = node_at(way, id);
    if (way->pairs++ >= MOST_PAIRS) {
        add_step(way, id, a, b);
        return;
    }
    switch (node->op) {
    case CAT_TOID: break;
    case CAT_UNION: add_pair(way, has(way, node->a, a, b) ? node->a : node->b, a, b); break;
    case CAT_SEQ: add_sequence(way, node, a, b); break;
    case CAT_DIFF: add_pair(way, node->a, a, b); break;
    case CAT_INTER: add_intersection(way, id, a, b); break;
    case CAT_OPT:
        if (a != b)
            add_pair(way, node->a, a, b);
        break;
    case CAT_STAR:
        if (a == b)
            break;
        /* fallthrough */
    case CAT_PLUS: add_path(way, node->a, a, b); break;
    case CAT_INVERSE: add_inverse(way, id, a, b); break;
    default: add_step(way, id, a, b);
    }
}

/* ---- Interface ---- */

const struct witness_ways *witness_ways_new(struct arena *arena, const struct cat_model *model,
                                            const struct cat_eval *eval, struct rel_dim dim)
{
    struct witness_ways *ways = ARENA_NEW(arena, struct witness_ways);
    *ways = (struct witness_ways){arena, model, eval, dim, find_weights(arena, model)};
    return ways;
}

void witness_add_way(const struct witness_ways *ways, cat_node_id node, uint32_t from, uint32_t to,
                     struct witness_way *steps)
{
    struct way way = {ways, steps, 0};
    BASE_ASSERT(from < ways->dim.n && to < ways->dim.n);
    add_pair(&way, node, from, to);
}
