/* Level by level. Which choices are left for the levels ahead is all that what was chosen before
 * has to do with them, so a node is made once for each set of choices that are left. */
#include "engine/product.h"

#include "base/arena.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* What the sets of choices that are kept may take together. */
enum { MOST_WORDS = 1 << 25 };

struct known {
    const uint64_t *left; /* NULL: free */
    uint32_t level;
    product_node node;
};

struct chooser {
    struct product *store;
    const struct product_choices *choices;
    struct arena arena;
    uint64_t *ahead;     /* per level: the choices of those behind it */
    uint64_t *left;      /* per level: what is left for it and those behind it */
    struct known *known; /* open-addressing table */
    uint32_t count, slot_count;
    bool full;
};

static struct known *slot_of(const struct chooser *c, uint32_t level, const uint64_t *left)
{
    size_t bytes = c->choices->words * sizeof *left;
    uint32_t at = (uint32_t)(XXH3_64bits(left, bytes) + level) & (c->slot_count - 1);
    while (c->known[at].left &&
           (c->known[at].level != level || memcmp(c->known[at].left, left, bytes) != 0))
        at = (at + 1) & (c->slot_count - 1);
    return &c->known[at];
}

static void grow(struct chooser *c)
{
    struct known *old = c->known;
    uint32_t old_count = c->slot_count;
    c->slot_count = old_count ? 2 * old_count : 256;
    c->known = base_realloc(NULL, c->slot_count * sizeof *c->known);
    memset(c->known, 0, c->slot_count * sizeof *c->known);
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i].left)
            *slot_of(c, old[i].level, old[i].left) = old[i];
    base_free(old);
}

static void keep(struct chooser *c, uint32_t level, const uint64_t *left, product_node node)
{
    uint32_t words = c->choices->words;
    if ((uint64_t)(c->count + 1) * words > MOST_WORDS)
        c->full = true;
    if (c->full)
        return;
    if (2 * ++c->count > c->slot_count)
        grow(c);
    *slot_of(c, level, left) =
        (struct known){arena_copy(&c->arena, left, words * sizeof *left), level, node};
}

static product_node choose(struct chooser *c, uint32_t level);

/* The rows behind this choice. */
static product_node take(struct chooser *c, uint32_t level, uint32_t choice)
{
    uint32_t words = c->choices->words;
    const uint64_t *left = c->left + (size_t)level * words;
    const uint64_t *ahead = c->ahead + (size_t)level * words;
    const uint64_t *excludes = c->choices->excludes + (size_t)choice * words;
    uint64_t *next = c->left + (size_t)(level + 1) * words;
    for (uint32_t i = 0; i < words; i++)
        next[i] = left[i] & ahead[i] & ~excludes[i];
    return choose(c, level + 1);
}

/* Several choices of a level may have one value. */
static product_node choose_each(struct chooser *c, uint32_t level)
{
    const struct product_choices *choices = c->choices;
    uint32_t column = product_column(c->store, level);
    product_node all = PRODUCT_EMPTY;
    for (uint32_t k = choices->first[column]; k < choices->first[column + 1] && !c->full; k++) {
        if (!bits_get(c->left + (size_t)level * choices->words, k))
            continue;
        product_node behind = take(c, level, k);
        all = product_union(c->store, all, product_edge(c->store, choices->values[k], behind));
    }
    return all;
}

static product_node choose(struct chooser *c, uint32_t level)
{
    uint64_t *left = c->left + (size_t)level * c->choices->words;
    if (level == product_width(c->store))
        return PRODUCT_END;
    c->full |= product_is_full(c->store);
    if (c->full)
        return PRODUCT_EMPTY;
    const struct known *known = slot_of(c, level, left);
    if (known->left)
        return known->node;
    product_node node = choose_each(c, level);
    keep(c, level, left, node);
    return node;
}

static void look_ahead(struct chooser *c)
{
    const struct product_choices *choices = c->choices;
    uint32_t width = product_width(c->store), words = choices->words;
    c->ahead = ARENA_ARRAY(&c->arena, uint64_t, (size_t)(width + 1) * words);
    c->left = ARENA_ARRAY(&c->arena, uint64_t, (size_t)(width + 1) * words);
    for (uint32_t level = width; level-- > 0;) {
        uint64_t *here = c->ahead + (size_t)level * words;
        uint32_t column = level + 1 < width ? product_column(c->store, level + 1) : 0;
        memcpy(here, here + words, words * sizeof *here);
        for (uint32_t k = choices->first[column];
             level + 1 < width && k < choices->first[column + 1]; k++)
            bits_set(here, k);
    }
    for (uint32_t k = 0; k < choices->first[width]; k++)
        bits_set(c->left, k);
}

product_node product_of_choices(struct product *store, const struct product_choices *choices)
{
    struct chooser c = {.store = store, .choices = choices};
    arena_init(&c.arena);
    look_ahead(&c);
    grow(&c);
    product_node set = choose(&c, 0);
    if (c.full)
        product_fill_up(store);
    base_free(c.known);
    arena_fini(&c.arena);
    return set;
}
