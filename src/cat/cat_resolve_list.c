/* Tags and collections: values that are known when the model is read.
 *
 * A collection is a tuple of distinct values. The empty one is the value of `{}`, so that `{}` may
 * still become an empty set of events. Sets of events and relations are compared as nodes, by their
 * text: equal nodes are equal in every execution, different ones count as different elements. While
 * sorts are probed there are no nodes, and nothing is equal. */
#include "cat/cat_resolve.h"

static const struct cat_value nothing = {
    .kind = CAT_VALUE_EMPTY, .sort = CAT_SET, .node = CAT_NONE};

const char *cat_value_text(struct cat_resolver *resolver, struct cat_value value)
{
    switch (value.kind) {
    case CAT_VALUE_BROKEN: return "unknown";
    case CAT_VALUE_NODE:
    case CAT_VALUE_EMPTY: return value.sort == CAT_SET ? "a set" : "a relation";
    case CAT_VALUE_TUPLE:
        return arena_printf(resolver->scratch, "a tuple of %u", value.tuple->count);
    case CAT_VALUE_FUNCTION:
    case CAT_VALUE_PRIMITIVE: return "a function";
    case CAT_VALUE_TAG: return "a tag";
    case CAT_VALUE_LIST: return "a collection";
    case CAT_VALUE_ORDERS: return "a choice of orders";
    case CAT_VALUE_PROCEDURE: return "a procedure";
    }
    return "unknown";
}

/* ---- Equality ---- */

static bool same(struct cat_resolver *resolver, struct cat_value a, struct cat_value b, int depth);

static bool member(struct cat_resolver *resolver, const struct cat_tuple *list,
                   struct cat_value value, int depth)
{
    return ANY(i, list->count, same(resolver, list->items[i], value, depth));
}

/* Collections are equal whatever the order of their elements; tuples in order. */
static bool same_items(struct cat_resolver *resolver, struct cat_value a, struct cat_value b,
                       int depth)
{
    if (a.tuple == b.tuple)
        return true;
    if (a.tuple->count != b.tuple->count)
        return false;
    return !ANY(i, a.tuple->count,
                a.kind == CAT_VALUE_LIST
                    ? !member(resolver, b.tuple, a.tuple->items[i], depth)
                    : !same(resolver, a.tuple->items[i], b.tuple->items[i], depth));
}

/* Values may share parts, so a comparison can be far longer than what it compares: past
 * the bound on work the answer does not matter. */
static bool same(struct cat_resolver *resolver, struct cat_value a, struct cat_value b, int depth)
{
    if (depth > CAT_MAX_RECURSION)
        resolver->hops = CAT_MAX_HOPS;
    if (++resolver->hops >= CAT_MAX_HOPS || a.kind != b.kind)
        return false;
    switch (a.kind) {
    case CAT_VALUE_NODE: return a.sort == b.sort && a.node == b.node && a.node != CAT_NONE;
    case CAT_VALUE_EMPTY: return true;
    case CAT_VALUE_TAG: return a.tag == b.tag;
    case CAT_VALUE_TUPLE:
    case CAT_VALUE_LIST: return same_items(resolver, a, b, depth + 1);
    default: return false;
    }
}

bool cat_value_same(struct cat_resolver *resolver, struct cat_value a, struct cat_value b)
{
    return same(resolver, a, b, 0);
}

bool cat_list_has(struct cat_resolver *resolver, struct cat_value list, struct cat_value value)
{
    return list.kind == CAT_VALUE_LIST && member(resolver, list.tuple, value, 0);
}

/* ---- Building ---- */

static struct cat_tuple *new_items(struct cat_resolver *resolver, uint32_t room)
{
    struct cat_tuple *tuple;
    resolver->hops += room;
    return arena_alloc(resolver->scratch, sizeof *tuple + room * sizeof tuple->items[0]);
}

static struct cat_value list_value(const struct cat_tuple *items)
{
    if (items->count == 0)
        return nothing;
    return (struct cat_value){.kind = CAT_VALUE_LIST, .node = CAT_NONE, .tuple = items};
}

struct cat_value cat_list_of(struct cat_resolver *resolver, const struct cat_value *items,
                             uint32_t count, struct span span)
{
    struct cat_tuple *list = new_items(resolver, count < CAT_MAX_LIST ? count : CAT_MAX_LIST);
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].kind == CAT_VALUE_BROKEN)
            return CAT_BROKEN;
        struct cat_value item = cat_value_known(resolver, items[i]);
        if (member(resolver, list, item, 0))
            continue;
        if (list->count == CAT_MAX_LIST) {
            cat_resolve_error(resolver, DIAG_CAT_TOO_LARGE, span,
                              "this collection has more than %d elements, the most there may be; "
                              "use fewer tags or relations",
                              CAT_MAX_LIST);
            return CAT_BROKEN;
        }
        list->items[list->count++] = item;
    }
    return list_value(list);
}

static uint32_t size_of(struct cat_value list)
{
    return list.kind == CAT_VALUE_LIST ? list.tuple->count : 0;
}

/* `count` elements from `first`. */
struct cat_value cat_list_slice(struct cat_resolver *resolver, struct cat_value list,
                                uint32_t first, uint32_t count)
{
    struct cat_tuple *items = new_items(resolver, count);
    for (uint32_t i = 0; i < count; i++)
        items->items[items->count++] = list.tuple->items[first + i];
    return list_value(items);
}

/* ---- Tags ---- */

struct cat_value cat_resolve_tag(struct cat_resolver *resolver, const struct cat_expr *expr)
{
    for (size_t i = 0; i < resolver->tags.count; i++)
        if (resolver->tags.items[i]->name == expr->name)
            return (struct cat_value){.kind = CAT_VALUE_TAG, .tag = resolver->tags.items[i]};
    if (resolver->trying) {
        resolver->missed = true;
        return CAT_BROKEN;
    }
    if (!cat_resolve_news(resolver, DIAG_CAT_UNBOUND, expr->span))
        return CAT_BROKEN;
    VEC(const char *) names = {0};
    for (size_t i = 0; i < resolver->tags.count; i++)
        VEC_PUSH(&names, resolver->tags.items[i]->name);
    const char *nearest = diag_nearest(expr->name, names.items, names.count);
    VEC_FREE(&names);
    cat_resolve_error(resolver, DIAG_CAT_UNBOUND, expr->span, "unknown tag '%s%s", expr->name,
                      nearest ? arena_printf(resolver->scratch, "; did you mean '%s?", nearest)
                              : "; tags are declared by 'enum kinds = 'a || 'b'");
    diag_meant_by(resolver->diag, expr->span, expr->name, nearest);
    return CAT_BROKEN;
}

/* ---- Operators ---- */

/* Something that is no collection stands beside one. */
static struct cat_value refuse_value(struct cat_resolver *resolver, const struct cat_expr *expr,
                                     struct cat_value a, struct cat_value b)
{
    if (a.kind != CAT_VALUE_BROKEN && b.kind != CAT_VALUE_BROKEN)
        cat_resolve_error(resolver, DIAG_CAT_SORT, expr->span,
                          "%s is %s and %s is %s; both must be collections, such as {'a, 'b} or "
                          "{po, rf}, or both sets or relations",
                          cat_resolve_text(resolver, expr->a), cat_value_text(resolver, a),
                          cat_resolve_text(resolver, expr->b), cat_value_text(resolver, b));
    return CAT_BROKEN;
}

static bool is_list(struct cat_value value)
{
    return value.kind == CAT_VALUE_LIST || value.kind == CAT_VALUE_EMPTY;
}

static struct cat_value list_union(struct cat_resolver *resolver, const struct cat_expr *expr,
                                   struct cat_value a, struct cat_value b)
{
    struct cat_tuple *all = new_items(resolver, size_of(a) + size_of(b));
    for (uint32_t i = 0; i < size_of(a); i++)
        all->items[all->count++] = a.tuple->items[i];
    for (uint32_t i = 0; i < size_of(b); i++)
        all->items[all->count++] = b.tuple->items[i];
    return cat_list_of(resolver, all->items, all->count, expr->span);
}

/* The elements of a that are, or are not, in b. */
static struct cat_value list_filter(struct cat_resolver *resolver, struct cat_value a,
                                    struct cat_value b, bool wanted)
{
    struct cat_tuple *kept = new_items(resolver, size_of(a));
    for (uint32_t i = 0; i < size_of(a); i++)
        if (cat_list_has(resolver, b, a.tuple->items[i]) == wanted)
            kept->items[kept->count++] = a.tuple->items[i];
    return list_value(kept);
}

struct cat_value cat_list_binary(struct cat_resolver *resolver, const struct cat_expr *expr,
                                 struct cat_value a, struct cat_value b)
{
    if (!is_list(a) || !is_list(b))
        return refuse_value(resolver, expr, a, b);
    if (expr->op == CAT_UNION)
        return list_union(resolver, expr, a, b);
    return list_filter(resolver, a, b, expr->op == CAT_INTER);
}

/* Of tags of one enumeration: its other tags. */
struct cat_value cat_list_complement(struct cat_resolver *resolver, const struct cat_expr *expr,
                                     struct cat_value a)
{
    struct cat_value first = a.tuple->items[0];
    for (uint32_t i = 0; i < a.tuple->count; i++)
        if (a.tuple->items[i].kind != CAT_VALUE_TAG ||
            a.tuple->items[i].tag->all != first.tag->all) {
            cat_resolve_error(resolver, DIAG_CAT_SORT, expr->span,
                              "'~' of a collection is known only for tags of one 'enum'; list "
                              "the elements that are meant");
            return CAT_BROKEN;
        }
    struct cat_value all = {.kind = CAT_VALUE_LIST, .node = CAT_NONE, .tuple = first.tag->all};
    return list_filter(resolver, all, a, false);
}

struct cat_value cat_resolve_add(struct cat_resolver *resolver, const struct cat_expr *expr,
                                 struct cat_value a, struct cat_value b)
{
    if (a.kind == CAT_VALUE_BROKEN || b.kind == CAT_VALUE_BROKEN)
        return CAT_BROKEN;
    if (b.kind == CAT_VALUE_LIST || (b.kind == CAT_VALUE_EMPTY && b.sort == CAT_SET)) {
        struct cat_tuple *all = new_items(resolver, 1 + size_of(b));
        all->items[all->count++] = a;
        for (uint32_t i = 0; i < size_of(b); i++)
            all->items[all->count++] = b.tuple->items[i];
        return cat_list_of(resolver, all->items, all->count, expr->span);
    }
    cat_resolve_error(resolver, DIAG_CAT_UNSUPPORTED, expr->span,
                      "'++' adds an element to a collection, and %s is %s; the elements of sets "
                      "of events and of relations are known only in an execution: join them by "
                      "'|'",
                      cat_resolve_text(resolver, expr->b), cat_value_text(resolver, b));
    return CAT_BROKEN;
}
