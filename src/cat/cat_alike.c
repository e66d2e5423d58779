/* A table of normal forms, each built of earlier ones, with bounds on its value. Forms are made on
 * demand, and each only once. So two expressions with one form are equal in all executions that the
 * facts allow.
 *
 * Where all models forbid the cycles of one relation, nothing made of its steps has a pair against
 * them. That is known of every form contained in the closure. */
#include "cat/cat_alike.h"

#include "cat/cat_bounds.h"
#include "cat/cat_merged.h"

#include <string.h>

typedef uint16_t form_id;

enum {
    MAX_FORMS = 4096,
    BUCKETS = 2 * MAX_FORMS,
    MAX_MEMBERS = 16384, /* of all unions */
    MAX_PARTS = 64,      /* of one */
    MAX_ROOTS = 64,      /* of one model */
    MAX_DEPTH = 8,       /* of the search for a containment */
    NO_FORM = MAX_FORMS
};

/* What a form may be besides an operator: a value that the facts decide; a name that nothing is
 * known of but its bounds. */
enum { VALUE = CAT_MERGED_OPS, NAME };

/* In the closure of the steps that have no cycle: one step at least, or perhaps none. */
enum within { NOT_WITHIN, WITHIN_STAR, WITHIN_PLUS };

struct form {
    uint8_t op, sort, within;
    form_id a, b;   /* NO_FORM: none */
    uint32_t key;   /* a name's number; a union's first member in `members` */
    uint32_t count; /* of members */
    form_id next;   /* in its bucket */
    struct cat_few least, most;
};

struct root {
    uint8_t kind, what, test, negated;
    form_id form;
};

struct cat_alike {
    const struct cat_facts *facts;
    struct cat_domain domain; /* an event may be missing */
    struct cat_few same, spare;
    struct form forms[MAX_FORMS];
    uint32_t form_count;
    form_id buckets[BUCKETS];
    form_id members[MAX_MEMBERS];
    uint32_t member_count;
    form_id empty[2]; /* per sort */
    form_id steps;    /* that have no cycle; NO_FORM: not known */
    bool full;        /* there was no room: nothing is known */
    struct arena arena;
    struct cat_merged merged;
    uint32_t count;    /* of models */
    form_id *of_node;  /* per node of all models */
    cat_node_id *path; /* those that are under way, each an operand of the one before */
    struct root roots[MAX_ROOTS];
    uint32_t root_count;
};

/* ---- Matrices ---- */

static const struct cat_few no_pairs;

/* Rows behind those of the events are empty. */
static bool is_same(const struct cat_alike *n, const struct cat_few *x, const struct cat_few *y)
{
    return memcmp(x->rows, y->rows, n->facts->count * sizeof *x->rows) == 0;
}

static bool is_none(const struct cat_alike *n, const struct cat_few *x)
{
    return is_same(n, x, &no_pairs);
}

static bool is_within(const struct cat_alike *n, const struct cat_few *x, const struct cat_few *y)
{
    rel_word outside = 0;
    for (uint32_t i = 0; i < n->facts->count; i++)
        outside |= x->rows[i] & ~y->rows[i];
    return outside == 0;
}

static bool is_apart(const struct cat_alike *n, const struct cat_few *x, const struct cat_few *y)
{
    rel_word both = 0;
    for (uint32_t i = 0; i < n->facts->count; i++)
        both |= x->rows[i] & y->rows[i];
    return both == 0;
}

static struct cat_few everything(const struct cat_alike *n, enum cat_sort sort)
{
    struct cat_few z = {{0}};
    cat_value_fill(n->domain.dim, sort, z.rows);
    return z;
}

/* ---- Bounds of an operator's value ---- */

/* The other rows stay empty. `b` is NULL, or the second operand. */
static void bound(const struct cat_alike *n, struct form *f, const struct form *a,
                  const struct form *b)
{
    const struct cat_few *of_a[] = {&a->least, &a->most}, *of_b[] = {NULL, NULL};
    struct cat_few *out[] = {&f->least, &f->most};
    const enum cat_op op = (enum cat_op)f->op;
    if (b)
        of_b[CAT_LOWER] = &b->least, of_b[CAT_UPPER] = &b->most;
    for (enum cat_side side = CAT_LOWER; side <= CAT_UPPER; side++)
        cat_domain_operate(&n->domain, op, (enum cat_sort)f->sort, side,
                           of_a[cat_operand_side(op, false, side)]->rows,
                           b ? of_b[cat_operand_side(op, true, side)]->rows : NULL, false,
                           out[side]->rows);
}

static void bound_union(struct cat_alike *n, struct form *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        bound(n, f, f, &n->forms[n->members[f->key + i]]);
}

/* ---- The table ---- */

static uint32_t hash_of(const struct cat_alike *n, const struct form *f)
{
    uint32_t hash = f->op * 31u + f->sort;
    if (f->op == VALUE)
        for (uint32_t i = 0; i < n->facts->count; i++)
            hash = hash * 0x01000193u + (uint32_t)f->least.rows[i];
    else if (f->op == CAT_UNION)
        for (uint32_t i = 0; i < f->count; i++)
            hash = hash * 0x01000193u + n->members[f->key + i];
    else
        hash = ((hash * 0x01000193u + f->a) * 0x01000193u + f->b) * 0x01000193u + f->key;
    return (hash ^ hash >> 15) % BUCKETS;
}

static bool is_equal(const struct cat_alike *n, const struct form *f, const struct form *g)
{
    if (f->op != g->op || f->sort != g->sort)
        return false;
    if (f->op == VALUE)
        return is_same(n, &f->least, &g->least);
    if (f->op == CAT_UNION)
        return f->count == g->count &&
               memcmp(&n->members[f->key], &n->members[g->key], f->count * sizeof *n->members) == 0;
    return f->a == g->a && f->b == g->b && f->key == g->key;
}

static form_id enter(struct cat_alike *n, struct form *form)
{
    if (form->op != VALUE && is_same(n, &form->least, &form->most)) {
        form->op = VALUE;
        form->a = form->b = NO_FORM;
        form->key = form->count = 0;
    }
    uint32_t bucket = hash_of(n, form);
    for (form_id at = n->buckets[bucket]; at != NO_FORM; at = n->forms[at].next)
        if (is_equal(n, &n->forms[at], form))
            return at;
    if (n->form_count == MAX_FORMS) {
        n->full = true;
        return 0;
    }
    form->next = n->buckets[bucket];
    n->forms[n->form_count] = *form;
    return n->buckets[bucket] = (form_id)n->form_count++;
}

static form_id enter_name(struct cat_alike *n, enum cat_sort sort, uint8_t op, uint32_t key,
                          const struct cat_few *least, const struct cat_few *most)
{
    return enter(n, &(struct form){.op = op,
                                   .sort = (uint8_t)sort,
                                   .a = NO_FORM,
                                   .b = NO_FORM,
                                   .key = key,
                                   .least = *least,
                                   .most = *most});
}

/* ---- Containment ---- */

static const struct form *form_of(const struct cat_alike *n, form_id id)
{
    return &n->forms[id];
}

/* Is the value of `x` within that of `y` whatever the execution? False: that is not seen. */
static bool is_part(const struct cat_alike *n, form_id x, form_id y, uint32_t depth)
{
    const struct form *f = form_of(n, x), *g = form_of(n, y);
    bool part = true;
    if (x == y || is_within(n, &f->most, &g->least))
        return true;
    if (depth == MAX_DEPTH || !is_within(n, &f->least, &g->most))
        return false;
    if (f->op == CAT_UNION) {
        for (uint32_t i = 0; i < f->count && part; i++)
            part = is_part(n, n->members[f->key + i], y, depth + 1);
        return part;
    }
    if (g->op == CAT_UNION)
        for (uint32_t i = 0; i < g->count; i++)
            if (is_part(n, x, n->members[g->key + i], depth + 1))
                return true;
    if ((g->op == CAT_PLUS || g->op == CAT_STAR || g->op == CAT_OPT) &&
        is_part(n, x, g->a, depth + 1))
        return true;
    if (f->op == CAT_PLUS && (g->op == CAT_PLUS || g->op == CAT_STAR))
        return is_part(n, f->a, y, depth + 1);
    if (f->op == CAT_INTER)
        return is_part(n, f->a, y, depth + 1) || is_part(n, f->b, y, depth + 1);
    return f->op == CAT_DIFF && is_part(n, f->a, y, depth + 1);
}

/* ---- Within the closure of steps without cycles ---- */

static bool is_step(const struct cat_alike *n, form_id id)
{
    return n->steps != NO_FORM && is_part(n, id, n->steps, 0);
}

static enum within narrower(enum within a, enum within b)
{
    return a < b ? a : b;
}

static enum within within_of(const struct cat_alike *n, const struct form *f)
{
    enum within a = f->a == NO_FORM ? NOT_WITHIN : form_of(n, f->a)->within;
    enum within b = f->b == NO_FORM ? NOT_WITHIN : form_of(n, f->b)->within;
    enum within all = WITHIN_PLUS;
    switch (f->op) {
    case CAT_UNION:
        for (uint32_t i = 0; i < f->count; i++)
            all = narrower(all, form_of(n, n->members[f->key + i])->within);
        return all;
    case CAT_INTER: return a > b ? a : b;
    case CAT_DIFF: return a;
    case CAT_SEQ: return a == NOT_WITHIN || b == NOT_WITHIN ? NOT_WITHIN : a > b ? a : b;
    case CAT_TOID: return WITHIN_STAR;
    case CAT_OPT:
    case CAT_STAR: return narrower(a, WITHIN_STAR);
    case CAT_PLUS: return a;
    default: return NOT_WITHIN;
    }
}

/* No cycle: no pair stands against a step, nor, of a step or more, an event beside itself. */
static void leave_out_cycles(struct cat_alike *n, struct form *f)
{
    if (f->within == NOT_WITHIN || !n->facts->exact)
        return;
    const struct rel_dim dim = n->domain.dim;
    struct cat_few against = {{0}};
    rel_inverse(dim, against.rows, form_of(n, n->steps)->least.rows);
    rel_diff(dim, f->most.rows, f->most.rows, against.rows);
    if (f->within == WITHIN_PLUS)
        rel_diff(dim, f->most.rows, f->most.rows, n->same.rows);
}

static form_id settle(struct cat_alike *n, struct form *f)
{
    if (n->steps != NO_FORM && f->sort == CAT_REL) {
        f->within = (uint8_t)within_of(n, f);
        leave_out_cycles(n, f);
    }
    return enter(n, f);
}

/* ---- Normal forms ---- */

struct parts {
    form_id items[MAX_PARTS];
    uint32_t count;
};

/* Sorted, each once, and none that another one contains. */
static void add_part(struct cat_alike *n, struct parts *parts, form_id part)
{
    uint32_t kept = 0, at;
    if (form_of(n, part)->op == CAT_UNION) {
        const struct form *u = form_of(n, part);
        for (uint32_t i = 0; i < u->count; i++)
            add_part(n, parts, n->members[u->key + i]);
        return;
    }
    if (is_none(n, &form_of(n, part)->most))
        return;
    for (uint32_t i = 0; i < parts->count; i++)
        if (is_part(n, part, parts->items[i], 0))
            return;
    for (uint32_t i = 0; i < parts->count; i++)
        if (!is_part(n, parts->items[i], part, 0))
            parts->items[kept++] = parts->items[i];
    parts->count = kept;
    if (kept == MAX_PARTS) {
        n->full = true;
        return;
    }
    for (at = parts->count++; at > 0 && parts->items[at - 1] > part; at--)
        parts->items[at] = parts->items[at - 1];
    parts->items[at] = part;
}

static form_id make_union(struct cat_alike *n, enum cat_sort sort, form_id a, form_id b)
{
    struct parts parts = {.count = 0};
    add_part(n, &parts, a);
    add_part(n, &parts, b);
    if (parts.count < 2)
        return parts.count ? parts.items[0] : n->empty[sort];
    if (n->member_count + parts.count > MAX_MEMBERS) {
        n->full = true;
        return n->empty[sort];
    }
    struct form form = {.op = CAT_UNION,
                        .sort = (uint8_t)sort,
                        .a = NO_FORM,
                        .b = NO_FORM,
                        .key = n->member_count,
                        .count = parts.count};
    memcpy(&n->members[n->member_count], parts.items, parts.count * sizeof *parts.items);
    n->member_count += parts.count;
    bound_union(n, &form);
    return settle(n, &form);
}

static form_id make_binary(struct cat_alike *n, enum cat_op op, enum cat_sort sort, form_id a,
                           form_id b)
{
    if (op == CAT_INTER && is_part(n, a, b, 0))
        return a;
    if (op == CAT_INTER && is_part(n, b, a, 0))
        return b;
    if (op == CAT_DIFF && is_part(n, a, b, 0))
        return n->empty[sort];
    if (op == CAT_DIFF && is_apart(n, &form_of(n, a)->most, &form_of(n, b)->most))
        return a;
    struct form form = {.op = (uint8_t)op, .sort = (uint8_t)sort, .a = a, .b = b};
    if (op == CAT_INTER && a > b)
        form.a = b, form.b = a;
    bound(n, &form, form_of(n, form.a), form_of(n, form.b));
    return settle(n, &form);
}

static form_id make_unary(struct cat_alike *n, enum cat_op op, enum cat_sort sort, form_id a)
{
    struct form form = {.op = (uint8_t)op, .sort = (uint8_t)sort, .a = a, .b = NO_FORM};
    bound(n, &form, form_of(n, a), NULL);
    return settle(n, &form);
}

static form_id make_leaf(struct cat_alike *n, const struct cat_merged_node *node)
{
    const struct cat_facts *facts = n->facts;
    uint32_t key = node->key;
    enum cat_sort sort = (enum cat_sort)node->sort;
    if (node->op == CAT_EMPTY)
        return n->empty[sort];
    if (node->op == CAT_BASE)
        return enter_name(n, sort, NAME, key, &facts->least[key], &facts->most[key]);
    if (node->op == CAT_TAGGED) {
        struct cat_few set;
        facts->tagged(facts->context, n->merged.tagged[key], &set);
        return enter_name(n, sort, NAME, 0, &set, &set);
    }
    const struct cat_few all = everything(n, sort);
    return enter_name(n, sort, node->op, key, &no_pairs, &all);
}

/* Nothing is known of an order that is picked but which set it is on. */
static form_id make_source(struct cat_alike *n, form_id set, form_id relation)
{
    const rel_word on = form_of(n, set)->most.rows[0];
    struct form form = {.op = CAT_MERGED_SOURCE, .sort = CAT_REL, .a = set, .b = relation};
    for (uint32_t i = 0; i < n->facts->count; i++)
        form.most.rows[i] = on >> i & 1 ? on : 0;
    return enter(n, &form);
}

static form_id make_choice(struct cat_alike *n, form_id source, uint32_t number)
{
    struct form form = {
        .op = CAT_CHOICE, .sort = CAT_REL, .a = source, .b = NO_FORM, .key = number};
    form.most = form_of(n, source)->most;
    if (n->facts->exact)
        rel_diff(n->domain.dim, form.most.rows, form.most.rows, n->same.rows);
    return enter(n, &form);
}

static bool lacks_form(const struct cat_alike *n, cat_node_id id)
{
    return id != CAT_NONE && n->of_node[id] == NO_FORM;
}

/* Of a node whose operands have theirs. */
static form_id make_form(struct cat_alike *n, const struct cat_merged_node *node)
{
    form_id a = node->a == CAT_NONE ? NO_FORM : n->of_node[node->a];
    form_id b = node->b == CAT_NONE ? NO_FORM : n->of_node[node->b];
    enum cat_sort sort = (enum cat_sort)node->sort;
    return a == NO_FORM                    ? make_leaf(n, node)
           : node->op == CAT_MERGED_SOURCE ? make_source(n, a, b)
           : node->op == CAT_CHOICE        ? make_choice(n, a, node->key)
           : node->op == CAT_UNION         ? make_union(n, sort, a, b)
           : b == NO_FORM                  ? make_unary(n, (enum cat_op)node->op, sort, a)
                                           : make_binary(n, (enum cat_op)node->op, sort, a, b);
}

/* Operands first. No recursion, as a chain of definitions is as long as a model. */
static form_id form_of_node(struct cat_alike *n, cat_node_id id)
{
    uint32_t depth = 0;
    if (lacks_form(n, id) && !n->full)
        n->path[depth++] = id;
    while (depth && !n->full) {
        cat_node_id at = n->path[depth - 1];
        const struct cat_merged_node *node = &n->merged.nodes[at];
        if (lacks_form(n, node->a)) {
            n->path[depth++] = node->a;
        } else if (lacks_form(n, node->b)) {
            n->path[depth++] = node->b;
        } else {
            n->of_node[at] = make_form(n, node);
            depth--;
        }
    }
    return lacks_form(n, id) ? 0 : n->of_node[id];
}

/* ---- Models ---- */

struct cat_alike *cat_alike_new(const struct cat_model *const *models, uint32_t count)
{
    struct cat_alike *n = base_realloc(NULL, sizeof *n);
    n->arena = (struct arena){0};
    n->count = count;
    n->merged = cat_merge(&n->arena, models, count);
    n->of_node = ARENA_ARRAY(&n->arena, form_id, n->merged.node_count);
    n->path = ARENA_ARRAY(&n->arena, cat_node_id, n->merged.node_count);
    return n;
}

void cat_alike_free(struct cat_alike *n)
{
    arena_fini(&n->arena);
    base_free(n);
}

/* Forms that were made knowing less are forgotten. */
static void forget_forms(struct cat_alike *n)
{
    for (uint32_t i = 0; i < n->merged.node_count; i++)
        n->of_node[i] = NO_FORM;
}

static void begin_question(struct cat_alike *n, const struct cat_facts *facts)
{
    BASE_CHECK(facts->count <= CAT_ALIKE_EVENTS);
    n->facts = facts;
    n->domain = (struct cat_domain){.dim = rel_dim_make(facts->count),
                                    .implied = n->same.rows,
                                    .many = !facts->exact,
                                    .spare = n->spare.rows};
    rel_identity(n->domain.dim, n->same.rows);
    n->form_count = n->member_count = 0;
    n->full = false;
    n->steps = NO_FORM;
    forget_forms(n);
    for (uint32_t i = 0; i < BUCKETS; i++)
        n->buckets[i] = NO_FORM;
    for (int sort = CAT_SET; sort <= CAT_REL; sort++)
        n->empty[sort] = enter_name(n, (enum cat_sort)sort, VALUE, 0, &no_pairs, &no_pairs);
}

static bool forbids_cycles(const struct cat_merged_rule *rule)
{
    return rule->kind == CAT_MERGED_CHECK && rule->what == CAT_CHECK && rule->test == CAT_ACYCLIC &&
           !rule->negated;
}

static bool forbids_cycles_of(struct cat_alike *n, uint32_t model, form_id form)
{
    const struct cat_merged_rules *rules = &n->merged.rules[model];
    return ANY(r, rules->count,
               forbids_cycles(&rules->items[r]) && form_of_node(n, rules->items[r].node) == form);
}

/* Of the first model's checks one that all have. */
static void find_steps(struct cat_alike *n)
{
    const struct cat_merged_rules *rules = &n->merged.rules[0];
    for (uint32_t r = 0; r < rules->count && n->steps == NO_FORM; r++) {
        if (!forbids_cycles(&rules->items[r]))
            continue;
        form_id form = form_of_node(n, rules->items[r].node);
        if (ALL(m, n->count, forbids_cycles_of(n, m, form)) && !n->full)
            n->steps = form;
    }
    for (form_id f = 0; n->steps != NO_FORM && f < n->form_count; f++)
        if (n->forms[f].sort == CAT_REL && is_step(n, f))
            n->forms[f].within = WITHIN_PLUS;
    if (n->steps != NO_FORM)
        forget_forms(n);
}

static bool is_same_root(const struct root *x, const struct root *y)
{
    return x->kind == y->kind && x->what == y->what && x->test == y->test &&
           x->negated == y->negated && x->form == y->form;
}

static void add_root(struct cat_alike *n, const struct cat_merged_rule *rule, form_id form)
{
    const struct root root = {(uint8_t)rule->kind, rule->what, rule->test, rule->negated, form};
    if (ANY(i, n->root_count, is_same_root(&n->roots[i], &root)))
        return;
    if (n->root_count == MAX_ROOTS)
        n->full = true;
    else
        n->roots[n->root_count++] = root;
}

static int order_of_roots(const struct root *x, const struct root *y)
{
    int by_kind = x->kind - y->kind, by_what = x->what - y->what, by_test = x->test - y->test,
        by_negated = x->negated - y->negated;
    return by_kind      ? by_kind
           : by_what    ? by_what
           : by_test    ? by_test
           : by_negated ? by_negated
                        : x->form - y->form;
}

/* A check of what is empty holds, and on no event there is one order. */
static bool says_nothing(const struct cat_alike *n, const struct cat_merged_rule *rule,
                         form_id form)
{
    return rule->kind != CAT_MERGED_NAME && !rule->negated && is_none(n, &form_of(n, form)->most);
}

/* What a model says, sorted. */
static void find_roots(struct cat_alike *n, uint32_t model)
{
    const struct cat_merged_rules *rules = &n->merged.rules[model];
    n->root_count = 0;
    EACH (const struct cat_merged_rule, rule, rules->items, rules->count) {
        form_id form = form_of_node(n, rule->node);
        if (!says_nothing(n, rule, form))
            add_root(n, rule, form);
    }
    for (uint32_t i = 1; i < n->root_count; i++)
        for (uint32_t j = i; j > 0 && order_of_roots(&n->roots[j], &n->roots[j - 1]) < 0; j--) {
            const struct root held = n->roots[j];
            n->roots[j] = n->roots[j - 1];
            n->roots[j - 1] = held;
        }
}

static bool are_same_roots(const struct root *x, const struct root *y, uint32_t count)
{
    return ALL(i, count, is_same_root(&x[i], &y[i]));
}

/* Two orders are picked independently, though their sources may come to one form. So a model that
 * picks two is like no other. */
static bool picks_two(const struct cat_alike *n, uint32_t model)
{
    const struct cat_merged_rules *rules = &n->merged.rules[model];
    return COUNT_IF(r, rules->count, rules->items[r].kind == CAT_MERGED_CHOICE) > 1;
}

void cat_alike_find(struct cat_alike *n, const struct cat_facts *facts, uint32_t *first)
{
    struct root(*roots)[MAX_ROOTS] = base_realloc(NULL, n->count * sizeof *roots);
    uint32_t *lengths = base_realloc(NULL, n->count * sizeof *lengths);
    begin_question(n, facts);
    find_steps(n);
    for (uint32_t m = 0; m < n->count && !n->full; m++) {
        find_roots(n, m);
        memcpy(roots[m], n->roots, sizeof roots[m]);
        lengths[m] = n->root_count;
    }
    for (uint32_t m = 0; m < n->count; m++) {
        first[m] = m;
        for (uint32_t k = 0; k < m && !n->full && first[m] == m; k++)
            if (lengths[k] == lengths[m] && are_same_roots(roots[k], roots[m], lengths[m]) &&
                !picks_two(n, k) && !picks_two(n, m))
                first[m] = k;
    }
    base_free(lengths);
    base_free(roots);
}
