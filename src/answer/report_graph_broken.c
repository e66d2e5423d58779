/* What breaks a check of the model: a pair, an event, or a cycle, which is told in steps that every
 * reader knows: the base relations that its pairs are made of. */
#include "answer/report_graph_edges.h"

#include "engine/witness.h"

#include <string.h>

/* ---- From a pair of a relation to the steps it is made of ---- */

struct step {
    uint32_t from, to;
    const char *label;
    cat_node_id node; /* whose pair it is */
};
typedef VEC(struct step) step_list;

/* Models can nest what is empty deep enough to take for ever; past this a pair is one step. */
enum { MOST_PAIRS = 20000 };

struct way {
    struct maker *maker;
    const int *weights; /* per node */
    step_list steps;
    uint32_t pairs; /* looked at */
};

static const struct cat_node *node_at(const struct way *way, cat_node_id id)
{
    return &way->maker->request->model->nodes[id];
}

static const rel_word *value_of(const struct way *way, cat_node_id id)
{
    return cat_eval_value(way->maker->eval, id);
}

static bool has(const struct way *way, cat_node_id id, uint32_t a, uint32_t b)
{
    return rel_has(way->maker->dim, value_of(way, id), a, b);
}

static const char *shown_name(const struct way *way, cat_node_id id)
{
    const struct cat_model *model = way->maker->request->model;
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
    VEC_PUSH(&way->steps, ((struct step){a, b, name, id}));
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

static int *find_weights(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    int *weights = ARENA_ARRAY(&m->scratch, int, model->picture_node_count);
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
    BASE_ASSERT(b < way->maker->dim.n);
    struct rel_dim dim = way->maker->dim;
    uint32_t *before = ARENA_ARRAY(&way->maker->scratch, uint32_t, dim.n);
    uint32_t *queue = ARENA_ARRAY(&way->maker->scratch, uint32_t, dim.n + 1);
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
    struct step *step = &VEC_LAST(&way->steps);
    if (!*step->label && (of->op == CAT_BASE || of->name))
        step->label =
            arena_printf(&way->maker->scratch, "%s^-1",
                         of->op == CAT_BASE ? exec_basis()->names[of->base].name : of->name);
}

static void add_intersection(struct way *way, cat_node_id id, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < way->maker->dim.n && b < way->maker->dim.n);
    const struct cat_node *node = node_at(way, id);
    int left = way->weights[node->a], right = way->weights[node->b];
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

/* ---- Steps on edges that are drawn ---- */

/* Is the step's relation among those that the edge has the names of? */
static bool is_named(const struct report_edge *edge, const char *name)
{
    size_t length = strlen(name);
    const char *at = edge->kind == REPORT_EDGE_SHOWN && length ? edge->label : NULL;
    while (at) {
        if (strncmp(at, name, length) == 0 && (at[length] == '\0' || at[length] == ','))
            return true;
        at = strstr(at, ", ");
        at = at ? at + 2 : NULL;
    }
    return false;
}

/* Which edges a step can be told by: those of its own kind, and for fr the coherence order after
 * the next write. */
static bool tells(const struct report_edge *edge, const struct way *way, const struct step *step)
{
    const struct cat_node *node = node_at(way, step->node);
    if (edge->unseen)
        return false;
    if (node->op != CAT_BASE)
        return is_named(edge, step->label);
    switch (node->base) {
    case EXEC_REL_PO: return edge->kind == REPORT_EDGE_PO;
    case EXEC_REL_RF: return edge->kind == REPORT_EDGE_RF;
    case EXEC_REL_CO: return edge->kind == REPORT_EDGE_CO;
    case EXEC_REL_FR: return edge->kind == REPORT_EDGE_FR || edge->kind == REPORT_EDGE_CO;
    case EXEC_REL_SYNCBAR:
    case EXEC_REL_SYNCPB: return edge->kind == REPORT_EDGE_MEET;
    default: return is_named(edge, step->label);
    }
}

static bool leaves(const struct report_edge *edge, uint32_t event, uint32_t *to)
{
    *to = edge->from == event ? edge->to : edge->from;
    return edge->from == event || (edge->both_ways && edge->to == event);
}

/* Marks the shortest way along drawn edges; false when there is none. */
static bool mark_drawn(struct way *way, const struct step *step)
{
    struct maker *m = way->maker;
    uint32_t *by = ARENA_ARRAY(&m->scratch, uint32_t, m->dim.n);
    uint32_t *queue = ARENA_ARRAY(&m->scratch, uint32_t, m->dim.n);
    uint32_t head = 0, tail = 0, to;
    memset(by, 0xff, m->dim.n * sizeof *by);
    queue[tail++] = step->from;
    while (head < tail && by[step->to] == LIT_NONE) {
        uint32_t at = queue[head++];
        for (uint32_t i = 0; i < m->edges.count; i++)
            if (tells(&m->edges.items[i], way, step) && leaves(&m->edges.items[i], at, &to) &&
                by[to] == LIT_NONE && to != step->from) {
                by[to] = i;
                queue[tail++] = to;
            }
    }
    if (by[step->to] == LIT_NONE)
        return false;
    for (uint32_t at = step->to; at != step->from;) {
        struct report_edge *edge = &m->edges.items[by[at]];
        edge->marked = true;
        at = edge->to == at ? edge->from : edge->to;
    }
    return true;
}

static void mark_steps(struct way *way, const char *rule)
{
    struct maker *m = way->maker;
    for (size_t i = 0; i < way->steps.count; i++) {
        const struct step *step = &way->steps.items[i];
        const bool filters = step->from == step->to && way->steps.count > 1;
        if (!filters)
            report_graph_add_break(m, rule, step->label, step->from, step->to);
        m->events[step->from].marked = m->events[step->to].marked = true;
        if (step->from != step->to && !mark_drawn(way, step))
            report_graph_add_mark(m, step->from, step->to, step->label, false);
    }
}

/* ---- Checks ---- */

/* A check that fails, or a flag that is raised. */
struct failure {
    struct maker *maker;
    const struct cat_check *check;
};

/* Events of a cycle, one of which may be related to itself. */
static void mark_cycle(struct maker *m, const struct cat_check *check, const uint32_t *cycle,
                       uint32_t length)
{
    struct way way = {.maker = m, .weights = find_weights(m)};
    for (uint32_t i = 0; i < length; i++)
        add_pair(&way, check->node, cycle[i], cycle[(i + 1) % length]);
    mark_steps(&way, check->name);
    VEC_FREE(&way.steps);
}

static void mark_break(void *context, const uint32_t *events, uint32_t count, bool both_ways)
{
    const struct failure *failure = context;
    struct maker *m = failure->maker;
    const uint32_t from = events[0], to = events[count - 1];
    for (uint32_t i = 0; i < count; i++)
        m->events[events[i]].marked = true;
    if (failure->check->test != CAT_IS_EMPTY) {
        mark_cycle(m, failure->check, events, count);
        return;
    }
    report_graph_add_break(m, failure->check->name, "", from, to);
    if (from != to)
        report_graph_add_mark(m, from, to, failure->check->name, both_ways);
}

/* A flag is raised when its test holds, everything else fails its test. */
static bool is_broken(const struct maker *m, const struct cat_check *check)
{
    return cat_eval_holds(m->eval, check) == (check->kind == CAT_FLAG);
}

static void mark_check(struct maker *m, const struct cat_check *check)
{
    struct failure failure = {m, check};
    if (!is_broken(m, check))
        return;
    if (!m->broken && check->kind != CAT_FLAG)
        m->broken = check->name;
    witness_each_break(m->witness, m->request->model, check, cat_eval_value(m->eval, check->node),
                       mark_break, &failure);
}

void report_graph_mark_checks(struct maker *m)
{
    const struct cat_model *model = m->request->model;
    for (uint32_t c = 0; c < model->check_count; c++)
        mark_check(m, &model->checks[c]);
}
