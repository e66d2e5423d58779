/* Works level by level. The choices made so far matter only by which choices they leave for later
 * levels. So a node is made once for each set of choices left. */
#include "mdd/mdd.h"

#include "base/hash.h"

#include <string.h>

/* What the sets of choices that are kept may take together. */
enum { MOST_WORDS = 1 << 25 };

struct known {
    const uint64_t *left; /* NULL: free */
    uint32_t level;
    mdd_node node;
};

/* A level whose choices are gone through. */
struct chosen {
    uint32_t choice; /* whose rows are made */
    mdd_node all;    /* of those before it */
};

struct chooser {
    struct mdd *store;
    const struct mdd_choices *choices;
    struct arena arena;
    uint64_t *ahead;     /* per level: the choices of those behind it */
    uint64_t *left;      /* per level: what is left for it and those behind it */
    struct chosen *at;   /* per level */
    struct known *known; /* open-addressing table */
    uint32_t count, slot_count;
    bool full;
};

static struct known *slot_of(const struct chooser *c, uint32_t level, const uint64_t *left)
{
    BASE_ASSERT(level < mdd_width(c->store));
    BASE_ASSERT(c->slot_count && (c->slot_count & (c->slot_count - 1)) == 0);
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

static void keep_rows(struct chooser *c, uint32_t level, const uint64_t *left, mdd_node node)
{
    BASE_ASSERT(node == MDD_EMPTY || node > MDD_END);
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

/* Takes what is left behind this choice to the next level. */
static void take_to_next_level(struct chooser *c, uint32_t level, uint32_t choice)
{
    BASE_ASSERT(choice < c->choices->first[mdd_column(c->store, level) + 1]);
    BASE_ASSERT(bits_get(c->left + (size_t)level * c->choices->words, choice));
    BASE_ASSERT(choice >= c->choices->first[mdd_column(c->store, level)]);
    uint32_t words = c->choices->words;
    const uint64_t *left = c->left + (size_t)level * words;
    const uint64_t *ahead = c->ahead + (size_t)level * words;
    const uint64_t *excludes = c->choices->excludes + (size_t)choice * words;
    uint64_t *next = c->left + (size_t)(level + 1) * words;
    for (uint32_t i = 0; i < words; i++)
        next[i] = left[i] & ahead[i] & ~excludes[i];
}

/* Whether the rows of what is left at a level are known; if not, the level begins. */
static bool is_known(struct chooser *c, uint32_t level, mdd_node *node)
{
    bool last = level == mdd_width(c->store);
    *node = last ? MDD_END : MDD_EMPTY;
    c->full |= !last && mdd_is_full(c->store);
    if (last || c->full)
        return true;
    const struct known *known = slot_of(c, level, c->left + (size_t)level * c->choices->words);
    *node = known->node;
    if (!known->left)
        c->at[level] = (struct chosen){c->choices->first[mdd_column(c->store, level)], 0};
    return known->left;
}

/* The next choice of a level that is left, from the one it is at. */
static bool find_choice(const struct chooser *c, uint32_t level)
{
    BASE_ASSERT(level < mdd_width(c->store));
    uint32_t end = c->choices->first[mdd_column(c->store, level) + 1];
    const uint64_t *left = c->left + (size_t)level * c->choices->words;
    uint32_t *choice = &c->at[level].choice;
    while (*choice < end && !bits_get(left, *choice))
        ++*choice;
    return *choice < end && !c->full;
}

/* Several choices of a level may have one value. */
static mdd_node choose(struct chooser *c)
{
    mdd_node node;
    if (is_known(c, 0, &node))
        return node;
    for (uint32_t level = 0;;) {
        if (find_choice(c, level)) {
            take_to_next_level(c, level, c->at[level].choice);
            if (!is_known(c, level + 1, &node)) {
                level++;
                continue;
            }
        } else {
            node = c->at[level].all;
            keep_rows(c, level, c->left + (size_t)level * c->choices->words, node);
            if (level-- == 0)
                return node;
        }
        struct chosen *at = &c->at[level];
        int64_t value = c->choices->values[at->choice++];
        at->all = mdd_union(c->store, at->all, mdd_edge(c->store, value, node));
    }
}

static void look_ahead(struct chooser *c)
{
    const struct mdd_choices *choices = c->choices;
    uint32_t width = mdd_width(c->store), words = choices->words;
    c->ahead = ARENA_ARRAY(&c->arena, uint64_t, (size_t)(width + 1) * words);
    c->at = ARENA_ARRAY(&c->arena, struct chosen, width + 1);
    c->left = ARENA_ARRAY(&c->arena, uint64_t, (size_t)(width + 1) * words);
    for (uint32_t level = width; level-- > 0;) {
        uint64_t *here = c->ahead + (size_t)level * words;
        uint32_t column = level + 1 < width ? mdd_column(c->store, level + 1) : 0;
        memcpy(here, here + words, words * sizeof *here);
        for (uint32_t k = choices->first[column];
             level + 1 < width && k < choices->first[column + 1]; k++)
            bits_set(here, k);
    }
    for (uint32_t k = 0; k < choices->first[width]; k++)
        bits_set(c->left, k);
}

mdd_node mdd_of_choices(struct mdd *store, const struct mdd_choices *choices)
{
    struct chooser c = {.store = store, .choices = choices};
    look_ahead(&c);
    grow(&c);
    mdd_node set = choose(&c);
    if (c.full)
        mdd_fill_up(store);
    base_free(c.known);
    arena_fini(&c.arena);
    return set;
}
