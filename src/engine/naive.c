/* Evaluates node by node in their order; iterates a group of `let rec` until nothing changes. */
#include "engine/naive.h"

#include <string.h>

/* Words of a value. */
static size_t size_of(const struct naive_model *m, const struct cat_node *node)
{
    return (size_t)BITS_WORDS(m->n) * (node->sort == CAT_SET ? 1 : m->n);
}

bool naive_has(uint32_t n, const uint64_t *value, uint32_t row, uint32_t event)
{
    BASE_ASSERT(row < n && event < n);
    return bits_get(value + (size_t)row * BITS_WORDS(n), event);
}

static void add_pair(uint32_t n, uint64_t *value, uint32_t row, uint32_t event)
{
    BASE_ASSERT(row < n && event < n);
    bits_set(value + (size_t)row * BITS_WORDS(n), event);
}

/* Words from..to-1 of a row: all that are not 0 are among them. */
struct span_of_row {
    uint32_t from, to;
};

static struct span_of_row span_of(uint32_t n, const uint64_t *value, uint32_t row)
{
    BASE_ASSERT(row < n);
    struct span_of_row span = {0, BITS_WORDS(n)};
    const uint64_t *words = value + (size_t)row * span.to;
    while (span.to > 0 && !words[span.to - 1])
        span.to--;
    while (span.from < span.to && !words[span.from])
        span.from++;
    BASE_ASSERT(span.from <= span.to);
    return span;
}

/* Adds (i, j) for each (k, j). */
static void add_row_of(uint32_t n, uint64_t *out, uint32_t i, const uint64_t *b, uint32_t k,
                       struct span_of_row span)
{
    BASE_ASSERT(i < n && k < n && span.to <= BITS_WORDS(n));
    size_t words = BITS_WORDS(n);
    for (uint32_t w = span.from; w < span.to; w++)
        out[i * words + w] |= b[k * words + w];
}

/* Of up to 64 events. */
static void seq_few(uint32_t n, uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    BASE_ASSERT(n <= 64);
    for (uint32_t i = 0; i < n; i++)
        BITS_EACH_IN_WORD (k, a[i])
            out[i] |= b[k];
}

/* For 64 events in the middle at a time. */
static void seq_many(uint32_t n, uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    uint32_t words = BITS_WORDS(n);
    for (uint32_t w = 0; w < words; w++) {
        struct span_of_row spans[64];
        uint64_t filled = 0;
        for (uint32_t k = w * 64; k < n && k < w * 64 + 64; k++) {
            spans[k % 64] = span_of(n, b, k);
            filled |= (uint64_t)(spans[k % 64].to > 0) << k % 64;
        }
        for (uint32_t i = 0; i < n && filled; i++)
            BITS_EACH_IN_WORD (bit, a[(size_t)i * words + w] & filled)
                add_row_of(n, out, i, b, w * 64 + bit, spans[bit]);
    }
}

/* Adds to row i all that its events lead to; rows from `closed` on are closed, so what is in one of
 * them need not be looked at. */
static void close_row(uint32_t n, uint64_t *out, uint32_t i, uint32_t closed, uint64_t *todo)
{
    BASE_ASSERT(i < closed && closed <= n);
    uint32_t words = BITS_WORDS(n);
    uint64_t *row = out + (size_t)i * words;
    memcpy(todo, row, words * sizeof *todo);
    for (uint32_t w = 0; w < words;) {
        if (!todo[w]) {
            w++;
            continue;
        }
        uint32_t k = w * 64 + bits_lowest(todo[w]);
        const uint64_t *next = out + (size_t)k * words;
        BASE_ASSERT(k < n);
        bits_clear(todo, k);
        for (uint32_t x = words; x-- > 0;) {
            todo[x] = k >= closed ? todo[x] & ~next[x] : todo[x] | (next[x] & ~row[x]);
            row[x] |= next[x];
            w = todo[x] && x < w ? x : w;
        }
    }
}

/* Adds (i, j) wherever a path leads from i to j. */
static void close_transitively(struct arena *arena, uint32_t n, uint64_t *out)
{
    struct arena_mark mark = arena_mark(arena);
    uint64_t *todo = ARENA_ARRAY(arena, uint64_t, BITS_WORDS(n));
    for (uint32_t i = n; i-- > 0;)
        close_row(n, out, i, i + 1, todo);
    arena_rewind(arena, mark);
}

static void add_identity(uint32_t n, uint64_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        add_pair(n, out, i, i);
}

/* What is no event is in no value. */
static void complement(uint32_t n, size_t size, uint64_t *out, const uint64_t *a)
{
    uint32_t words = BITS_WORDS(n);
    uint64_t last = n % 64 ? (UINT64_C(1) << n % 64) - 1 : ~UINT64_C(0);
    for (size_t i = 0; i < size; i++)
        out[i] = ~a[i] & (i % words == words - 1 ? last : ~UINT64_C(0));
}

static void pointwise(enum cat_op op, size_t size, uint64_t *out, const uint64_t *a,
                      const uint64_t *b)
{
    BASE_ASSERT(op == CAT_UNION || op == CAT_INTER || op == CAT_DIFF);
    if (op == CAT_UNION)
        for (size_t i = 0; i < size; i++)
            out[i] = a[i] | b[i];
    else if (op == CAT_INTER)
        for (size_t i = 0; i < size; i++)
            out[i] = a[i] & b[i];
    else
        for (size_t i = 0; i < size; i++)
            out[i] = a[i] & ~b[i];
}

static void invert(uint32_t n, uint64_t *out, const uint64_t *a)
{
    uint32_t words = BITS_WORDS(n);
    for (uint32_t i = 0; i < n; i++)
        BITS_EACH (e, w, words, a[(size_t)i * words + w])
            add_pair(n, out, e, i);
}

static void to_identity(uint32_t n, uint64_t *out, const uint64_t *a)
{
    for (uint32_t i = 0; i < n; i++)
        if (bits_get(a, i))
            add_pair(n, out, i, i);
}

/* All pairs from a set, or what it relates to: a row for each of its events. */
static void product(uint32_t n, uint64_t *out, const uint64_t *a, const uint64_t *b)
{
    for (uint32_t i = 0; i < n; i++)
        if (bits_get(a, i))
            add_row_of(n, out, i, b, 0, span_of(n, b, 0));
}

static void domain(uint32_t n, uint64_t *out, const uint64_t *a)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t w = 0; w < BITS_WORDS(n); w++)
            if (a[(size_t)i * BITS_WORDS(n) + w])
                bits_set(out, i);
}

static void range(uint32_t n, uint64_t *out, const uint64_t *a)
{
    for (uint32_t i = 0; i < n; i++)
        add_row_of(n, out, 0, a, i, span_of(n, a, i));
}

/* Into an empty `out`. */
static void gather(const struct naive_model *m, const struct cat_node *node, uint64_t *out,
                   const uint64_t *a, const uint64_t *b)
{
    uint32_t n = m->n;
    memset(out, 0, size_of(m, node) * sizeof *out);
    switch (node->op) {
    case CAT_SEQ: (n <= 64 ? seq_few : seq_many)(n, out, a, b); break;
    case CAT_PRODUCT: product(n, out, a, b); break;
    case CAT_INVERSE: invert(n, out, a); break;
    case CAT_TOID: to_identity(n, out, a); break;
    case CAT_DOMAIN: domain(n, out, a); break;
    case CAT_RANGE: range(n, out, a); break;
    default: break; /* CAT_EMPTY */
    }
}

static void close(const struct naive_model *m, const struct cat_node *node, uint64_t *out,
                  const uint64_t *a)
{
    memcpy(out, a, size_of(m, node) * sizeof *out);
    if (node->op != CAT_OPT)
        close_transitively(m->arena, m->n, out);
    if (node->op != CAT_PLUS)
        add_identity(m->n, out);
}

static void evaluate_node(const struct naive_model *m, cat_node_id id);

static void evaluate_group(const struct naive_model *m, const struct cat_rec_group *group)
{
    const struct cat_node *nodes = m->model->nodes;
    for (uint32_t i = 0; i < group->count; i++)
        memset(m->values[group->vars[i]], 0,
               size_of(m, &nodes[group->vars[i]]) * sizeof **m->values);
    for (bool grew = true; grew;) {
        grew = false;
        for (cat_node_id id = group->begin; id < group->end; id++)
            evaluate_node(m, id);
        for (uint32_t i = 0; i < group->count; i++) {
            uint64_t *var = m->values[group->vars[i]];
            const uint64_t *body = m->values[group->bodies[i]];
            size_t size = size_of(m, &nodes[group->vars[i]]) * sizeof *var;
            grew = grew || memcmp(var, body, size) != 0;
            memcpy(var, body, size);
        }
    }
}

static void evaluate_node(const struct naive_model *m, cat_node_id id)
{
    const struct cat_node *node = &m->model->nodes[id];
    uint64_t *out = m->values[id];
    const uint64_t *a = node->a == CAT_NONE ? NULL : m->values[node->a];
    const uint64_t *b = node->b == CAT_NONE ? NULL : m->values[node->b];
    size_t size = size_of(m, node) * sizeof *out;
    if (!out || m->n == 0 || node->op == CAT_VAR)
        return;
    if (node->op == CAT_FIX) {
        const struct cat_rec_group *group = &m->model->rec_groups[node->group];
        evaluate_group(m, group);
        memcpy(out, m->values[group->vars[node->base]], size);
        return;
    }
    switch (node->op) {
    case CAT_BASE: memcpy(out, m->bases[node->base], size); break;
    case CAT_TAGGED: memcpy(out, m->tagged[node->base], size); break;
    case CAT_CHOICE: memcpy(out, m->choices[node->base], size); break;
    case CAT_OPT:
    case CAT_PLUS:
    case CAT_STAR: close(m, node, out, a); break;
    case CAT_COMP: complement(m->n, size_of(m, node), out, a); break;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF: pointwise(node->op, size_of(m, node), out, a, b); break;
    default: gather(m, node, out, a, b); break;
    }
}

static bool may_change(const struct cat_model *model, const bool *changes, cat_node_id id)
{
    const struct cat_node *node = &model->nodes[id];
    if (node->op == CAT_BASE)
        return model->basis->names[node->base].dynamic;
    if (node->op == CAT_VAR || node->op == CAT_FIX || node->op == CAT_CHOICE)
        return true;
    return (node->a != CAT_NONE && changes[node->a]) || (node->b != CAT_NONE && changes[node->b]);
}

const bool *naive_changing(struct arena *arena, const struct cat_model *model)
{
    bool *changes = ARENA_ARRAY(arena, bool, model->node_count);
    for (cat_node_id id = 0; id < model->node_count; id++)
        changes[id] = may_change(model, changes, id);
    return changes;
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

static bool *list_checked(struct arena *arena, const struct cat_model *model,
                          enum cat_check_kind kind)
{
    bool *needed = ARENA_ARRAY(arena, bool, model->node_count);
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == kind)
            need(model, needed, model->checks[c].node);
    EACH (const struct cat_choice, choice, model->choices, model->choice_count) {
        need(model, needed, choice->set);
        need(model, needed, choice->relation);
        for (uint32_t k = 0; k < choice->alternative_count; k++)
            need(model, needed, choice->alternatives[k]);
    }
    need(model, needed, model->reserved[CAT_WITHHELD]);
    need(model, needed, model->reserved[CAT_UNDONE]);
    need(model, needed, model->reserved[CAT_MAY_STAY]);
    return needed;
}

const bool *naive_checked(struct arena *arena, const struct cat_model *model,
                          enum cat_check_kind kind)
{
    return list_checked(arena, model, kind);
}

const bool *naive_needed(struct arena *arena, const struct cat_model *model,
                         enum cat_check_kind kind)
{
    bool *needed = list_checked(arena, model, kind);
    for (int r = 0; r < CAT_RESERVED_COUNT; r++)
        need(model, needed, model->reserved[r]);
    return needed;
}

struct naive_nodes naive_list(struct arena *arena, const struct cat_model *model,
                              const bool *wanted, const bool *but, bool *listed)
{
    cat_node_id *ids = ARENA_ARRAY(arena, cat_node_id, model->node_count);
    struct naive_nodes nodes = {.ids = ids};
    for (cat_node_id id = 0; id < model->node_count; id++) {
        if (listed[id] || (wanted && !wanted[id]) || (but && but[id]))
            continue;
        listed[id] = true;
        ids[nodes.count++] = id;
        nodes.sets += model->nodes[id].sort == CAT_SET;
    }
    return nodes;
}

struct naive_model naive_add(struct arena *arena, const struct naive_model *before,
                             const struct naive_nodes *nodes)
{
    struct naive_model m = *before;
    const struct cat_node *of = m.model->nodes;
    size_t row = BITS_WORDS(m.n), all = m.model->node_count * sizeof *m.values;
    size_t words = row * nodes->sets + row * m.n * (nodes->count - nodes->sets);
    uint64_t *values = arena_alloc_unset(arena, words * sizeof *values);
    m.arena = arena;
    m.values = before->values ? arena_copy(arena, before->values, all) : arena_alloc(arena, all);
    for (uint32_t i = 0; i < nodes->count; i++) {
        const struct cat_node *node = &of[nodes->ids[i]];
        m.values[nodes->ids[i]] = values;
        if (node->op == CAT_VAR) /* others are read before its group is evaluated */
            memset(values, 0, size_of(&m, node) * sizeof *values);
        values += size_of(&m, node);
    }
    for (uint32_t i = 0; i < nodes->count; i++)
        evaluate_node(&m, nodes->ids[i]);
    return m;
}

bool naive_holds(struct arena *arena, const struct naive_model *m, const struct cat_check *check)
{
    const struct cat_node *node = &m->model->nodes[check->node];
    size_t size = size_of(m, node);
    uint64_t *value = arena_copy(arena, m->values[check->node], size * sizeof *value);
    bool holds = true;
    if (check->test == CAT_ACYCLIC)
        close_transitively(arena, m->n, value);
    if (check->test == CAT_IS_EMPTY)
        for (size_t i = 0; i < size; i++)
            holds = holds && !value[i];
    else
        for (uint32_t i = 0; i < m->n; i++)
            holds = holds && !naive_has(m->n, value, i, i);
    return holds != check->negated;
}
