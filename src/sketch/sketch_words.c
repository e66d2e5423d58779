/* The values of holes: words for scopes and orders, statements for slots. */
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

/* The meaning of a word of any dialect. */
static bool meaning_of(enum sketch_open_kind kind, const char *word, uint32_t *meaning)
{
    static const struct {
        enum sketch_open_kind kind;
        const char *word;
        uint32_t meaning;
    } others[] = {
        {LIT_OPEN_SCOPE, "thread", LIT_SCOPE_WI},       {LIT_OPEN_SCOPE, "cta", LIT_SCOPE_WG},
        {LIT_OPEN_SCOPE, "gpu", LIT_SCOPE_DV},          {LIT_OPEN_SCOPE, "gl", LIT_SCOPE_DV},
        {LIT_OPEN_SCOPE, "sys", LIT_SCOPE_ALL},         {LIT_OPEN_ORDER, "na", LIT_ORDER_NA},
        {LIT_OPEN_ORDER, "weak", LIT_ORDER_NA},         {LIT_OPEN_ORDER, "rlx", LIT_ORDER_RLX},
        {LIT_OPEN_ORDER, "relaxed", LIT_ORDER_RLX},     {LIT_OPEN_ORDER, "volatile", LIT_ORDER_RLX},
        {LIT_OPEN_ORDER, "acq", LIT_ORDER_ACQ},         {LIT_OPEN_ORDER, "acquire", LIT_ORDER_ACQ},
        {LIT_OPEN_ORDER, "rel", LIT_ORDER_REL},         {LIT_OPEN_ORDER, "release", LIT_ORDER_REL},
        {LIT_OPEN_ORDER, "acq_rel", LIT_ORDER_ACQ_REL}, {LIT_OPEN_ORDER, "sc", LIT_ORDER_SC},
        {LIT_OPEN_ORDER, "seq_cst", LIT_ORDER_SC}};
    enum lit_word_class is = lit_word_class(word, meaning);
    if (is == (kind == LIT_OPEN_SCOPE ? LIT_WORD_SCOPE : LIT_WORD_ORDER))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].kind == kind && strcmp(others[i].word, word) == 0) {
            *meaning = others[i].meaning;
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
    bool table;
};

static void add(struct statements *all, uint32_t meaning, const char *label)
{
    for (size_t i = 0; i < all->items.count; i++)
        if (strcmp(all->items.items[i].label, label) == 0)
            return;
    const char *text = all->table ? label : arena_printf(all->arena, "%s;", label);
    VEC_PUSH(&all->items,
             (struct sketch_open_value){.text = text, .label = label, .meaning = meaning});
}

static const char *const ptx_scopes[LIT_SCOPE_COUNT] = {[LIT_SCOPE_WI] = "thread",
                                                        [LIT_SCOPE_WG] = "cta",
                                                        [LIT_SCOPE_DV] = "gpu",
                                                        [LIT_SCOPE_ALL] = "sys"};

static void add_persist(struct statements *all)
{
    for (uint32_t scope = 0; scope < LIT_SCOPE_COUNT; scope++)
        if (!all->table && scope <= LIT_SCOPE_DV)
            add(all, PERSIST << FAMILY | scope,
                arena_printf(all->arena, "p_barrier_%s", scope_labels[scope]));
        else if (all->table && ptx_scopes[scope])
            add(all, PERSIST << FAMILY | scope,
                arena_printf(all->arena, "pbar.%s", ptx_scopes[scope]));
}

static void add_fences(struct statements *all)
{
    for (uint32_t order = all->table ? LIT_ORDER_ACQ_REL : LIT_ORDER_ACQ; order <= LIT_ORDER_SC;
         order++)
        for (uint32_t scope = LIT_SCOPE_SG; scope < LIT_SCOPE_COUNT; scope++) {
            uint32_t meaning = FENCE << FAMILY | order << ORDER | scope;
            if (!all->table)
                add(all, meaning,
                    arena_printf(all->arena, "atomic_thread_fence(mo_%s, %s_scope)",
                                 order_labels[order], scope_labels[scope]));
            else if (ptx_scopes[scope])
                add(all, meaning,
                    arena_printf(all->arena, "fence.%s.%s", order_labels[order],
                                 ptx_scopes[scope]));
        }
}

static void add_meetings(struct statements *all)
{
    add(all, MEETING << FAMILY | LIT_SCOPE_WG, all->table ? "bar.cta.sync 0" : "sync_barrier_wg");
    if (!all->table)
        add(all, MEETING << FAMILY | LIT_SCOPE_KR, "sync_barrier_kr");
}

static bool add_family(struct statements *all, const char *kind)
{
    static const struct {
        const char *word, *table_word;
        void (*add)(struct statements *all);
    } families[] = {{"p_barrier", "pbar", add_persist},
                    {"fence", "fence", add_fences},
                    {"barrier", "bar", add_meetings}};
    bool found = false;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!kind || strcmp(kind, families[i].word) == 0 ||
            strcmp(kind, families[i].table_word) == 0) {
            families[i].add(all);
            found = true;
        }
    return found;
}

static void add_statement(struct statements *all, const struct statements *known, const char *text)
{
    for (size_t i = 0; i < known->items.count; i++)
        if (strcmp(known->items.items[i].label, text) == 0) {
            add(all, known->items.items[i].meaning, text);
            return;
        }
    add(all, (OTHER + (uint32_t)all->items.count) << FAMILY, text);
}

struct sketch_open_values sketch_statements(struct arena *arena, const char *const *kinds,
                                            uint32_t count, bool table)
{
    struct statements known = {.arena = arena, .table = table};
    struct statements all = {.arena = arena, .table = table};
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

struct sketch_open_values sketch_kinds(struct arena *arena, const char *kinds, bool table)
{
    uint32_t count = 0;
    const char *const *list =
        kinds ? sketch_split(arena, kinds, kinds + strlen(kinds), &count) : NULL;
    return sketch_statements(arena, list, count, table);
}

struct sketch_open_values sketch_tags(struct arena *arena, const char *const *list, uint32_t count)
{
    struct sketch_open_value *items = ARENA_ARRAY(arena, struct sketch_open_value, count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct sketch_open_value){
            .text = list[i], .label = list[i], .meaning = (OTHER + i) << FAMILY};
    return (struct sketch_open_values){items, count};
}
