/* The values of holes: words for scopes and orders, statements for slots. */
#include "litmus/lit_dialect.h"
#include "sketch/sketch_scan.h"

#include <stdlib.h>
#include <string.h>

/* Meanings of statements: a family, an order, a scope. Of one family those are ordered by these. */
enum { FAMILY = 16, ORDER = 8, OTHER = 100 };
enum family { NOTHING, PERSIST, FENCE, MEETING };

static const char *const scope_labels[] = {LIT_SCOPES(TABLE_FOURTH)};
static const char *const order_labels[] = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};

static const char *trimmed(struct arena *arena, const char *from, const char *to)
{
    while (from < to && strchr(" \t\r\n\f\v", *from))
        from++;
    while (to > from && strchr(" \t\r\n\f\v", to[-1]))
        to--;
    return arena_strndup(arena, from, (size_t)(to - from));
}

const char *const *sketch_split(struct arena *arena, const char *text, const char *end,
                                uint32_t *count)
{
    VEC(const char *) words = {0};
    const char *from = text;
    int depth = 0;
    for (const char *to = text; to <= end; to++) {
        if (to == end || (*to == ',' && depth <= 0)) {
            VEC_PUSH(&words, trimmed(arena, from, to));
            from = to + 1;
        }
        depth += to < end ? (*to == '(') - (*to == ')') : 0;
    }
    const char *const *kept = VEC_KEEP(arena, &words);
    *count = (uint32_t)words.count;
    VEC_FREE(&words);
    return kept;
}

static int by_meaning(const void *a, const void *b)
{
    const struct sketch_open_value *first = a, *second = b;
    return (first->meaning > second->meaning) - (first->meaning < second->meaning);
}

void sketch_sort(struct sketch_open_value *values, uint32_t count)
{
    qsort(values, count, sizeof *values, by_meaning);
}

struct sketch_open_values sketch_scopes(struct arena *arena)
{
    struct sketch_open_value *items = ARENA_ARRAY(arena, struct sketch_open_value, LIT_SCOPE_COUNT);
    for (uint32_t i = 0; i < LIT_SCOPE_COUNT; i++)
        items[i] =
            (struct sketch_open_value){.text = arena_printf(arena, "%s_scope", scope_labels[i]),
                                       .label = scope_labels[i],
                                       .meaning = i};
    return (struct sketch_open_values){items, LIT_SCOPE_COUNT};
}

struct sketch_open_values sketch_orders(struct arena *arena, uint32_t mask)
{
    struct sketch_open_value *items =
        ARENA_ARRAY(arena, struct sketch_open_value, LIT_ORDER_SC + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i <= LIT_ORDER_SC; i++)
        if (mask >> i & 1)
            items[count++] = (struct sketch_open_value){
                .text = i == LIT_ORDER_NA ? "" : arena_printf(arena, "mo_%s", order_labels[i]),
                .label = order_labels[i],
                .meaning = i};
    return (struct sketch_open_values){items, count};
}

/* ---- Words of limits ---- */

static bool is_among(const char *word, const char *const *words, uint32_t count, uint32_t *number)
{
    for (uint32_t i = 0; i < count; i++)
        if (words[i] && strcmp(words[i], word) == 0) {
            *number = i;
            return true;
        }
    return false;
}

/* In any instruction of a table. */
static bool is_spelled(enum sketch_open_kind kind, const char *word,
                       const struct lit_writing *writing, uint32_t *meaning)
{
    for (const struct lit_spelling *at = writing->spellings; at; at++) {
        if (kind == LIT_OPEN_SCOPE ? is_among(word, at->scopes, LIT_SCOPE_COUNT, meaning)
                                   : is_among(word, at->orders, LIT_ORDER_SC + 1, meaning))
            return true;
        if (!*at->prefix)
            break;
    }
    return false;
}

/* The meaning of a word of any dialect. */
static bool meaning_of(enum sketch_open_kind kind, const char *word, uint32_t *meaning)
{
    static const struct {
        const char *word;
        uint32_t order;
    } others[] = {{"weak", LIT_ORDER_NA}, {"volatile", LIT_ORDER_RLX}, {"seq_cst", LIT_ORDER_SC}};
    enum lit_word_class is = lit_word_class(word, meaning);
    bool scope = kind == LIT_OPEN_SCOPE;
    if (is == (scope ? LIT_WORD_SCOPE : LIT_WORD_ORDER) ||
        (!scope && is_among(word, order_labels, LIT_ORDER_SC + 1, meaning)))
        return true;
    for (size_t i = 0; lit_dialect_at(i); i++)
        if (is_spelled(kind, word, lit_dialect_at(i)->writing, meaning))
            return true;
    for (size_t i = 0; i < sizeof others / sizeof *others && !scope; i++)
        if (strcmp(others[i].word, word) == 0) {
            *meaning = others[i].order;
            return true;
        }
    return false;
}

enum sketch_open_kind sketch_kind(const char *word)
{
    uint32_t ignored;
    return meaning_of(LIT_OPEN_SCOPE, word, &ignored)   ? LIT_OPEN_SCOPE
           : meaning_of(LIT_OPEN_ORDER, word, &ignored) ? LIT_OPEN_ORDER
                                                        : LIT_OPEN_TAG;
}

bool sketch_means(enum sketch_open_kind kind, const char *word,
                  const struct sketch_open_value *value)
{
    uint32_t meaning;
    if (kind == LIT_OPEN_SCOPE || kind == LIT_OPEN_ORDER)
        return meaning_of(kind, word, &meaning) && meaning == value->meaning;
    return strcmp(word, value->label) == 0;
}

bool sketch_is_own(const struct sketch_open_value *value)
{
    return value->meaning >> FAMILY >= OTHER;
}

bool sketch_same(const struct sketch_open_value *a, const struct sketch_open_value *b)
{
    if (!sketch_is_own(a) || !sketch_is_own(b))
        return a->meaning == b->meaning;
    return strcmp(a->label, b->label) == 0;
}

/* ---- Order ---- */

static bool weaker(uint32_t a, uint32_t b)
{
    bool sides = a == LIT_ORDER_ACQ && b == LIT_ORDER_REL;
    return a < b && !sides;
}

static bool smaller(enum sketch_open_kind kind, uint32_t a, uint32_t b)
{
    uint32_t mask = (1U << ORDER) - 1;
    if (kind == LIT_OPEN_ORDER)
        return weaker(a, b);
    if (kind == LIT_OPEN_TAG)
        return false;
    if (kind != LIT_OPEN_SLOT)
        return a < b;
    uint32_t order_a = a >> ORDER & mask, order_b = b >> ORDER & mask;
    return a == NOTHING
               ? b != NOTHING
               : a != b && a >> FAMILY == b >> FAMILY && a >> FAMILY < OTHER &&
                     (order_a == order_b || weaker(order_a, order_b)) && (a & mask) <= (b & mask);
}

const uint64_t *sketch_choice_order(struct arena *arena, enum sketch_open_kind kind,
                                    const struct sketch_open_value *values, uint32_t count)
{
    uint64_t *below = ARENA_ARRAY(arena, uint64_t, count);
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t w = 0; w < v; w++)
            if (smaller(kind, values[w].meaning, values[v].meaning))
                below[v] |= UINT64_C(1) << w;
    return below;
}

/* ---- Statements ---- */

struct statements {
    struct arena *arena;
    VEC(struct sketch_open_value) items;
    const struct lit_writing *writing;
};

static void add_value(struct statements *all, uint32_t meaning, const char *label)
{
    for (size_t i = 0; i < all->items.count; i++)
        if (strcmp(all->items.items[i].label, label) == 0)
            return;
    const char *text = arena_printf(all->arena, "%s%s", label, all->writing->end);
    VEC_PUSH(&all->items,
             (struct sketch_open_value){.text = text, .label = label, .meaning = meaning});
}

static void add_persist(struct statements *all)
{
    const struct lit_writing *writing = all->writing;
    for (uint32_t scope = 0; scope < LIT_SCOPE_COUNT; scope++)
        if (writing->of_persist->scopes[scope])
            add_value(all, PERSIST << FAMILY | scope,
                      arena_printf(all->arena, "%s%s", writing->persist,
                                   writing->of_persist->scopes[scope]));
}

static void add_fences(struct statements *all)
{
    const struct lit_writing *writing = all->writing;
    for (uint32_t order = writing->least_fence; order <= LIT_ORDER_SC; order++)
        for (uint32_t scope = LIT_SCOPE_SG; scope < LIT_SCOPE_COUNT; scope++)
            if (writing->of_fence->scopes[scope] && writing->of_fence->orders[order])
                add_value(all, FENCE << FAMILY | order << ORDER | scope,
                          arena_printf(all->arena, "%s%s%s%s%s", writing->fence[0],
                                       writing->of_fence->orders[order], writing->fence[1],
                                       writing->of_fence->scopes[scope], writing->fence[2]));
}

static void add_meetings(struct statements *all)
{
    for (uint32_t scope = 0; scope < LIT_SCOPE_COUNT; scope++)
        if (all->writing->meetings[scope])
            add_value(all, MEETING << FAMILY | scope, all->writing->meetings[scope]);
}

/* By what this dialect calls it, or the C-like ones. */
static bool add_family(struct statements *all, const char *kind)
{
    static void (*const adders[LIT_FAMILIES])(struct statements *) = {add_persist, add_fences,
                                                                      add_meetings};
    bool found = false;
    for (int i = 0; i < LIT_FAMILIES; i++)
        if (!kind || strcmp(kind, lit_writing_code.families[i]) == 0 ||
            strcmp(kind, all->writing->families[i]) == 0) {
            adders[i](all);
            found = true;
        }
    return found;
}

static void add_statement(struct statements *all, const struct statements *known, const char *text)
{
    for (size_t i = 0; i < known->items.count; i++)
        if (strcmp(known->items.items[i].label, text) == 0) {
            add_value(all, known->items.items[i].meaning, text);
            return;
        }
    add_value(all, (OTHER + (uint32_t)all->items.count) << FAMILY, text);
}

struct sketch_open_values sketch_statements(struct arena *arena, const char *const *kinds,
                                            uint32_t count, const struct lit_writing *writing)
{
    struct statements known = {.arena = arena, .writing = writing};
    struct statements all = {.arena = arena, .writing = writing};
    add_family(&known, NULL);
    VEC_PUSH(&all.items,
             (struct sketch_open_value){.text = "", .label = "nothing", .meaning = NOTHING});
    if (!kinds)
        add_family(&all, NULL);
    for (uint32_t i = 0; kinds && i < count; i++)
        if (!add_family(&all, kinds[i]))
            add_statement(&all, &known, kinds[i]);
    sketch_sort(all.items.items, (uint32_t)all.items.count);
    struct sketch_open_values values = {VEC_KEEP(arena, &all.items), (uint32_t)all.items.count};
    VEC_FREE(&known.items);
    VEC_FREE(&all.items);
    return values;
}

struct sketch_open_values sketch_kinds(struct arena *arena, const char *kinds,
                                       const struct lit_writing *writing)
{
    uint32_t count = 0;
    const char *const *list =
        kinds ? sketch_split(arena, kinds, kinds + strlen(kinds), &count) : NULL;
    return sketch_statements(arena, list, count, writing);
}

/* ---- Tags ---- */

static bool is_weaker(const struct lit_holes *holes, const char *a, const char *b)
{
    return lit_is_weaker(holes->weaker, holes->weaker_count, a, b);
}

/* The first of the tags that none of those behind it is weaker than. */
static uint32_t least(const struct lit_holes *holes, const char *const *tags, uint32_t count)
{
    uint32_t found = 0;
    while (ANY(i, count, is_weaker(holes, tags[i], tags[found])))
        found++;
    return found;
}

struct sketch_open_values sketch_tags(const struct lit_holes *holes, const char *const *list,
                                      uint32_t count)
{
    struct sketch_open_value *items = ARENA_ARRAY(holes->arena, struct sketch_open_value, count);
    const char **left = arena_copy(holes->arena, list, count * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = least(holes, left, count - i);
        items[i] = (struct sketch_open_value){
            .text = left[at], .label = left[at], .meaning = (OTHER + i) << FAMILY};
        memmove(&left[at], &left[at + 1], (count - i - at - 1) * sizeof *left);
    }
    return (struct sketch_open_values){items, count};
}

const uint64_t *sketch_tag_order(const struct lit_holes *holes,
                                 const struct sketch_open_value *values, uint32_t count)
{
    uint64_t *below = ARENA_ARRAY(holes->arena, uint64_t, count);
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t w = 0; w < v; w++)
            below[v] |= (uint64_t)is_weaker(holes, values[w].label, values[v].label) << w;
    return below;
}
