/* Sets of more states than are listed: a decision diagram, and rows added since it was last
 * extended. */
#include "engine/outcome.h"
#include "engine/thresholds.h"

#include <assert.h>
#include <string.h>

/* Propositions are asked of so many states one by one. */
enum { MOST_ONE_BY_ONE = 4096 };

/* ---- Levels ---- */

/* What is written last comes first: whether that is durable decides of what came before, and leaves
 * it open where it is not. */
struct ordering {
    uint32_t
        *rank; /* per location: where it is written first, in program order, thread by thread */
    uint32_t count;
};

static void rank_thread(struct ordering *o, const struct lit_thread *thread)
{
    EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
        if (!lit_instruction_writes(instr->op))
            continue;
        for (uint32_t k = 0; k < instr->addr.count; k++) {
            uint32_t *rank = &o->rank[lit_address_element(&instr->addr, k)];
            *rank = *rank ? *rank : ++o->count;
        }
    }
}

const uint32_t *outcome_order(struct arena *arena, const struct lit_program *program,
                              const struct outcome_states *states)
{
    struct ordering o = {ARENA_ARRAY(arena, uint32_t, program->location_count), 0};
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, states->width), place = 0;
    uint32_t *by_rank = ARENA_ARRAY(arena, uint32_t, program->location_count + 1);
    for (uint32_t t = 0; t < program->thread_count; t++)
        rank_thread(&o, &program->threads[t]);
    for (uint32_t i = 0; i < states->width; i++) {
        bool ranked =
            states->items[i].kind == LIT_ATOM_LOCATION && o.rank[states->items[i].location];
        if (ranked)
            by_rank[o.rank[states->items[i].location]] = i + 1;
        else
            order[place++] = i;
    }
    for (uint32_t rank = o.count; rank > 0; rank--)
        if (by_rank[rank])
            order[place++] = by_rank[rank] - 1;
    assert(place == states->width);
    return order;
}

/* ---- Making it ---- */

struct mdd *outcome_product(struct outcome_states *states)
{
    if (!states->product)
        states->product = mdd_new(states->width, states->order, OUTCOME_MAX_NODES);
    return states->product;
}

/* From how many nodes on those no longer needed are dropped. */
static uint32_t many_nodes(const struct outcome_states *states)
{
    return states->many_nodes ? states->many_nodes : engine_usual_thresholds.nodes;
}

/* Drops what is no part of the set. */
static void drop_nodes(struct outcome_states *states)
{
    struct mdd *kept = mdd_like(states->product);
    states->root = mdd_copy(kept, states->product, states->root);
    mdd_free(states->product);
    states->product = kept;
    states->tidy_at = 2 * mdd_size(kept) + many_nodes(states);
}

void outcome_add_product(struct outcome_states *states, mdd_node set)
{
    mdd_node all = mdd_union(states->product, states->root, set);
    if (mdd_is_full(states->product)) {
        states->full = true;
        mdd_retry(states->product);
        return;
    }
    states->root = all;
    states->sorted = false;
    if (mdd_size(states->product) > (states->tidy_at ? states->tidy_at : many_nodes(states)))
        drop_nodes(states);
}

void outcome_factor(struct outcome_states *states)
{
    if (states->product && states->count == 0)
        return;
    struct mdd *store = outcome_product(states);
    outcome_add_product(states, mdd_rows(store, states->values, states->count));
    outcome_forget_rows(states);
}

/* ---- Questions ---- */

bool outcome_is_empty(const struct outcome_states *states)
{
    return states->count == 0 && states->root == MDD_EMPTY;
}

uint64_t outcome_state_count(const struct outcome_states *states)
{
    if (!states->product)
        return states->count;
    assert(states->count == 0);
    return mdd_count(states->product, states->root);
}

/* A comparison, about one column or two. */
struct compared {
    const struct lit_program *program;
    const struct lit_prop *prop;
    int64_t left, right; /* a constant's is not looked at */
};

static int64_t side_of(const void *context, const struct lit_atom *atom)
{
    const struct compared *c = context;
    return atom == &c->prop->left ? c->left : c->right;
}

static bool keeps_pair(const void *context, int64_t left, int64_t right)
{
    struct compared c = *(const struct compared *)context;
    c.left = left;
    c.right = right;
    return outcome_prop_holds(c.program, c.prop, side_of, &c);
}

/* The other side is a constant, or the same column. */
static bool keeps_one(const void *context, int64_t value)
{
    return keeps_pair(context, value, value);
}

struct question {
    const struct outcome_states *states;
    const struct lit_program *program;
    struct mdd *store;
};

static mdd_node that_compare(const struct question *q, mdd_node set, const struct lit_prop *prop)
{
    const struct compared c = {.program = q->program, .prop = prop};
    uint32_t left = outcome_column(q->states, &prop->left),
             right = outcome_column(q->states, &prop->right);
    if (left == LIT_NONE && right == LIT_NONE)
        return keeps_pair(&c, 0, 0) ? set : MDD_EMPTY;
    if (left == LIT_NONE || right == LIT_NONE || left == right)
        return mdd_filter(q->store, set, left == LIT_NONE ? right : left, keeps_one, &c);
    return mdd_filter_pair(q->store, set, left, right, keeps_pair, &c);
}

/* ---- Propositions about one column ---- */

#define MANY_COLUMNS (LIT_NONE - 1)

struct lone {
    const struct outcome_states *states;
    uint32_t column; /* LIT_NONE: none so far */
};

static void note_column(void *context, const struct lit_atom *atom)
{
    struct lone *lone = context;
    uint32_t column = lone->column == MANY_COLUMNS ? LIT_NONE : outcome_column(lone->states, atom);
    if (column != LIT_NONE && column != lone->column)
        lone->column = lone->column == LIT_NONE ? column : MANY_COLUMNS;
}

/* The only column that it is about; another number: it is about none, or several. */
static uint32_t lone_column(const struct question *q, const struct lit_prop *prop)
{
    struct lone lone = {q->states, LIT_NONE};
    lit_prop_each_atom(prop, note_column, &lone);
    return lone.column;
}

static int64_t only_value(const void *context, const struct lit_atom *atom)
{
    (void)atom;
    return *(const int64_t *)context;
}

struct part {
    const struct lit_prop *prop;
    const struct part *next; /* about the same column */
};

/* Parts of a conjunction, or of a disjunction: each is to be so. */
struct parts {
    const struct question *q;
    struct arena arena;
    const struct part **of; /* by column */
    VEC(const struct lit_prop *) others;
    bool truth;
};

static void list_parts(struct parts *parts, const struct lit_prop *prop, enum lit_prop_op op)
{
    if (prop->op == op) {
        list_parts(parts, prop->a, op);
        list_parts(parts, prop->b, op);
        return;
    }
    uint32_t column = lone_column(parts->q, prop);
    if (column < parts->q->states->width)
        parts->of[column] =
            ARENA_MAKE(&parts->arena, struct part, .prop = prop, .next = parts->of[column]);
    else
        VEC_PUSH(&parts->others, prop);
}

static bool keeps_parts(const void *context, uint32_t column, int64_t value)
{
    const struct parts *parts = context;
    bool keeps = true;
    for (const struct part *part = parts->of[column]; part && keeps; part = part->next)
        keeps =
            outcome_prop_holds(parts->q->program, part->prop, only_value, &value) == parts->truth;
    return keeps;
}

static mdd_node satisfying(const struct question *q, mdd_node set, const struct lit_prop *prop);

/* The states of a set of which all parts of a conjunction are true, or of a disjunction false. */
static mdd_node that_all_are(const struct question *q, mdd_node set, const struct lit_prop *prop,
                             bool truth)
{
    struct parts parts = {.q = q, .truth = truth};
    parts.of = ARENA_ARRAY(&parts.arena, const struct part *, q->states->width + 1);
    list_parts(&parts, prop, prop->op);
    set = mdd_filter_all(q->store, set, keeps_parts, &parts);
    for (size_t i = 0; i < parts.others.count; i++) {
        mdd_node those = satisfying(q, set, parts.others.items[i]);
        set = truth ? those : mdd_minus(q->store, set, those);
    }
    VEC_FREE(&parts.others);
    arena_fini(&parts.arena);
    return set;
}

/* ---- Propositions ---- */

/* The states of a set that satisfy the proposition. */
static mdd_node satisfying(const struct question *q, mdd_node set, const struct lit_prop *prop)
{
    if (set == MDD_EMPTY)
        return set;
    switch (prop->op) {
    case LIT_PROP_TRUE: return set;
    case LIT_PROP_FALSE: return MDD_EMPTY;
    case LIT_PROP_COMPARE: return that_compare(q, set, prop);
    case LIT_PROP_NOT: return mdd_minus(q->store, set, satisfying(q, set, prop->a));
    case LIT_PROP_AND: return that_all_are(q, set, prop, true);
    case LIT_PROP_OR: return mdd_minus(q->store, set, that_all_are(q, set, prop, false));
    case LIT_PROP_IMPLIES: {
        mdd_node a = satisfying(q, set, prop->a);
        mdd_node b = satisfying(q, a, prop->b);
        return mdd_union(q->store, mdd_minus(q->store, set, a), b);
    }
    }
    return MDD_EMPTY;
}

/* ---- Few states ---- */

static void count_atom(void *context, const struct lit_atom *atom)
{
    *(uint64_t *)context += atom->kind != LIT_ATOM_CONST;
}

/* Is the proposition longer than a list of the states, as one is that says many states one by one?
 */
static bool is_short_list(const struct question *q, uint64_t count, const struct lit_prop *prop)
{
    uint64_t atoms = 0;
    size_t bytes = (q->states->width + (size_t)1) * sizeof(int64_t);
    if (count <= MOST_ONE_BY_ONE && count * bytes <= OUTCOME_MAX_BYTES)
        lit_prop_each_atom(prop, count_atom, &atoms);
    return count < atoms;
}

/* Evaluates the proposition on each of `count` states. A set is made of the smaller part, of those
 * that satisfy it or of the others. */
static mdd_node satisfying_of_list(const struct question *q, mdd_node set, size_t count,
                                   const struct lit_prop *prop)
{
    size_t width = q->states->width, kept = 0, place = 0;
    int64_t *rows = base_realloc(NULL, (count * width + 1) * sizeof *rows);
    bool *holds = base_realloc(NULL, count + 1);
    mdd_list(q->store, set, rows);
    for (size_t i = 0; i < count && mdd_steps(q->store, (uint32_t)width / 64 + 1); i++)
        kept += holds[i] = outcome_satisfies(q->states, rows + i * width, q->program, prop);
    bool fewer = 2 * kept <= count;
    for (size_t i = 0; i < count && !mdd_is_full(q->store); i++)
        if (holds[i] == fewer)
            memmove(rows + place++ * width, rows + i * width, width * sizeof *rows);
    mdd_node those = mdd_rows(q->store, rows, place);
    base_free(rows);
    base_free(holds);
    return fewer ? those : mdd_minus(q->store, set, those);
}

mdd_node outcome_satisfying(struct mdd *store, mdd_node set, const struct outcome_states *states,
                            const struct lit_program *program, const struct lit_prop *prop)
{
    const struct question q = {states, program, store};
    uint64_t count = mdd_count(store, set);
    return is_short_list(&q, count, prop) ? satisfying_of_list(&q, set, (size_t)count, prop)
                                          : satisfying(&q, set, prop);
}

void outcome_split(const struct outcome_states *states, mdd_node set,
                   const struct lit_program *program, const struct lit_prop *prop,
                   const struct clock_limit *clock, struct outcome_split *split)
{
    split->store = mdd_like(states->product);
    mdd_heed(split->store, clock);
    mdd_node all = mdd_copy(split->store, states->product, set);
    split->positive = outcome_satisfying(split->store, all, states, program, prop);
    split->negative = mdd_minus(split->store, all, split->positive);
    if (mdd_is_full(split->store)) {
        mdd_free(split->store);
        split->store = NULL;
    }
}

mdd_node outcome_set_in(struct mdd *store, const struct outcome_states *states)
{
    return states->product ? mdd_copy(store, states->product, states->root)
                           : mdd_rows(store, states->values, states->count);
}

void outcome_state_count_text(const struct outcome_states *states, struct strbuf *out)
{
    if (states->product)
        mdd_count_text(states->product, states->root, out);
    else
        strbuf_printf(out, "%zu", states->count);
}
