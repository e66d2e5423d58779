/* A table of normal forms, each built of earlier ones, with bounds on its value. Forms are made on
 * demand, and each only once. So two expressions with one form are equal in all executions that the
 * facts allow.
 *
 * Where all models forbid the cycles of one relation, nothing made of its steps has a pair against
 * them. That is known of every form contained in the closure. */
#include "cat/cat_alike.h"

#include "cat/cat_bounds.h"

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
 * known of but its bounds; what is like nothing else. */
enum { VALUE = CAT_CHOICE + 1, NAME, UNLIKE };

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
    uint8_t what, test, negated;
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
    /* Per node of the model under way. */
    form_id *of_node;
    cat_node_id *path; /* those that are under way, each an operand of the one before */
    uint32_t node_room;
    const struct cat_model *model;
    uint32_t model_number;
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

static form_id make_leaf(struct cat_alike *n, const struct cat_node *node)
{
    const struct cat_facts *facts = n->facts;
    uint32_t base = node->base;
    if (node->op == CAT_EMPTY)
        return n->empty[node->sort];
    if (node->op == CAT_BASE)
        return enter_name(n, node->sort, NAME, base, &facts->least[base], &facts->most[base]);
    if (node->op == CAT_TAGGED) {
        struct cat_few set;
        facts->tagged(facts->context, &n->model->tagged[base], &set);
        return enter_name(n, node->sort, NAME, 0, &set, &set);
    }
    uint32_t own = (uint32_t)(node - n->model->nodes) << 8 | n->model_number;
    const struct cat_few all = everything(n, node->sort);
    return enter_name(n, node->sort, UNLIKE, own, &no_pairs, &all);
}

static bool lacks_form(const struct cat_alike *n, cat_node_id id)
{
    return id != CAT_NONE && n->of_node[id] == NO_FORM;
}

/* Of a node whose operands have theirs. */
static form_id make_form(struct cat_alike *n, const struct cat_node *node)
{
    form_id a = node->a == CAT_NONE ? NO_FORM : n->of_node[node->a];
    form_id b = node->b == CAT_NONE ? NO_FORM : n->of_node[node->b];
    return a == NO_FORM            ? make_leaf(n, node)
           : node->op == CAT_UNION ? make_union(n, node->sort, a, b)
           : b == NO_FORM          ? make_unary(n, node->op, node->sort, a)
                                   : make_binary(n, node->op, node->sort, a, b);
}

/* Operands first. No recursion, as a chain of definitions is as long as a model. */
static form_id form_of_node(struct cat_alike *n, cat_node_id id)
{
    uint32_t depth = 0;
    if (lacks_form(n, id) && !n->full)
        n->path[depth++] = id;
    while (depth && !n->full) {
        cat_node_id at = n->path[depth - 1];
        const struct cat_node *node = &n->model->nodes[at];
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

struct cat_alike *cat_alike_new(void)
{
    struct cat_alike *n = base_realloc(NULL, sizeof *n);
    n->of_node = NULL;
    n->path = NULL;
    n->node_room = 0;
    return n;
}

void cat_alike_free(struct cat_alike *n)
{
    base_free(n->of_node);
    base_free(n->path);
    base_free(n);
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
    for (uint32_t i = 0; i < BUCKETS; i++)
        n->buckets[i] = NO_FORM;
    for (int sort = CAT_SET; sort <= CAT_REL; sort++)
        n->empty[sort] = enter_name(n, (enum cat_sort)sort, VALUE, 0, &no_pairs, &no_pairs);
}

/* The forms of nodes that were made for another model, or knowing less, are forgotten. */
static void turn_to(struct cat_alike *n, const struct cat_model *model, uint32_t number)
{
    if (model->node_count > n->node_room) {
        n->of_node = base_realloc(n->of_node, model->node_count * sizeof *n->of_node);
        n->path = base_realloc(n->path, model->node_count * sizeof *n->path);
        n->node_room = model->node_count;
    }
    for (uint32_t i = 0; i < model->node_count; i++)
        n->of_node[i] = NO_FORM;
    n->model = model;
    n->model_number = number;
}

static bool forbids_cycles(struct cat_alike *n, form_id form)
{
    EACH (const struct cat_check, check, n->model->checks, n->model->check_count)
        if (check->kind == CAT_CHECK && check->test == CAT_ACYCLIC && !check->negated &&
            form_of_node(n, check->node) == form)
            return true;
    return false;
}

/* Of the first model's checks one that all have. */
static void find_steps(struct cat_alike *n, const struct cat_model *const *models, uint32_t count)
{
    for (uint32_t c = 0; c < models[0]->check_count && n->steps == NO_FORM; c++) {
        const struct cat_check *check = &models[0]->checks[c];
        if (check->kind != CAT_CHECK || check->test != CAT_ACYCLIC || check->negated)
            continue;
        turn_to(n, models[0], 0);
        form_id form = form_of_node(n, check->node);
        bool all = true;
        for (uint32_t m = 1; m < count && all && !n->full; m++) {
            turn_to(n, models[m], m);
            all = forbids_cycles(n, form);
        }
        if (all && !n->full)
            n->steps = form;
    }
    for (form_id f = 0; n->steps != NO_FORM && f < n->form_count; f++)
        if (n->forms[f].sort == CAT_REL && is_step(n, f))
            n->forms[f].within = WITHIN_PLUS;
}

static void add_root(struct cat_alike *n, uint8_t what, uint8_t test, bool negated, form_id form)
{
    const struct root root = {what, test, negated, form};
    for (uint32_t i = 0; i < n->root_count; i++)
        if (n->roots[i].what == what && n->roots[i].test == test &&
            n->roots[i].negated == negated && n->roots[i].form == form)
            return;
    if (n->root_count == MAX_ROOTS)
        n->full = true;
    else
        n->roots[n->root_count++] = root;
}

static int order_of_roots(const struct root *x, const struct root *y)
{
    int by_what = x->what - y->what, by_test = x->test - y->test,
        by_negated = x->negated - y->negated;
    return by_what ? by_what : by_test ? by_test : by_negated ? by_negated : x->form - y->form;
}

/* What a model says, sorted. A check of what is empty holds; which flags there are is no state. */
static void find_roots(struct cat_alike *n)
{
    n->root_count = 0;
    for (uint32_t r = 0; r < CAT_RESERVED_COUNT; r++)
        add_root(n, (uint8_t)r, 0, false, form_of_node(n, n->model->reserved[r]));
    EACH (const struct cat_check, check, n->model->checks, n->model->check_count) {
        form_id form = form_of_node(n, check->node);
        if (check->kind != CAT_FLAG && (check->negated || !is_none(n, &form_of(n, form)->most)))
            add_root(n, (uint8_t)(CAT_RESERVED_COUNT + check->kind), (uint8_t)check->test,
                     check->negated, form);
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
    return !ANY(i, count, order_of_roots(&x[i], &y[i]) != 0);
}

void cat_alike_find(struct cat_alike *n, const struct cat_facts *facts,
                    const struct cat_model *const *models, uint32_t count, uint32_t *first)
{
    struct root(*roots)[MAX_ROOTS] = base_realloc(NULL, count * sizeof *roots);
    uint32_t *lengths = base_realloc(NULL, count * sizeof *lengths);
    begin_question(n, facts);
    find_steps(n, models, count);
    for (uint32_t m = 0; m < count && !n->full; m++) {
        turn_to(n, models[m], m);
        find_roots(n);
        memcpy(roots[m], n->roots, sizeof roots[m]);
        lengths[m] = n->root_count;
    }
    for (uint32_t m = 0; m < count; m++) {
        first[m] = m;
        for (uint32_t k = 0; k < m && !n->full && first[m] == m; k++)
            if (lengths[k] == lengths[m] && are_same_roots(roots[k], roots[m], lengths[m]) &&
                models[k]->choice_count + models[m]->choice_count == 0)
                first[m] = k;
    }
    base_free(lengths);
    base_free(roots);
}
