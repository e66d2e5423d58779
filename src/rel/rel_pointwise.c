/* Operations that treat a set or a relation as a plain run of words.
 *
 * Both share the loops below: a set is dim.words words, a relation dim.n times as many. Only
 * complement and fill must know where a row ends, because bits at or past n stay zero. */
#include "base/arena.h"
#include "base/bits.h"
#include "rel/rel_kernel.h"

#include <string.h>

struct rel_dim rel_dim_make(uint32_t n)
{
    BASE_CHECK(n <= REL_MAX_EVENTS);
    return (struct rel_dim){.n = n, .words = n ? BITS_WORDS(n) : 1};
}

size_t rel_set_words(struct rel_dim dim)
{
    return dim.words;
}

size_t rel_words(struct rel_dim dim)
{
    return (size_t)dim.n * dim.words;
}

/* The bits of word `index` of a row that stand for events. */
static inline rel_word row_mask(struct rel_dim dim, uint32_t index)
{
    uint32_t before = index * 64;
    return rel_word_mask(dim.n - before < 64 ? dim.n - before : 64);
}

static bool words_equal(size_t count, const rel_word *a, const rel_word *b)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool words_empty(size_t count, const rel_word *a)
{
    return !ANY(i, count, a[i]);
}

static bool words_subset(size_t count, const rel_word *a, const rel_word *b)
{
    return !ANY(i, count, a[i] & ~b[i]);
}

static uint32_t words_count(size_t count, const rel_word *a)
{
    uint32_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += bits_count(a[i]);
    return total;
}

/* One operator for sets and relations alike: name, value of a word. */
#define POINTWISE_OPERATORS(OPERATOR) \
    OPERATOR(union, a[i] | b[i])      \
    OPERATOR(inter, a[i] & b[i])      \
    OPERATOR(diff, a[i] & ~b[i])

#define DEFINE_OPERATOR(name, value)                                                         \
    void set_##name(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *b) \
    {                                                                                        \
        for (size_t i = 0, count = rel_set_words(dim); i < count; i++)                       \
            out[i] = value;                                                                  \
    }                                                                                        \
    void rel_##name(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *b) \
    {                                                                                        \
        for (size_t i = 0, count = rel_words(dim); i < count; i++)                           \
            out[i] = value;                                                                  \
    }

POINTWISE_OPERATORS(DEFINE_OPERATOR)

/* The questions and copies that need no row boundary: kind, number of words. */
#define DEFINE_PLAIN(kind, size)                                                 \
    void kind##_clear(struct rel_dim dim, rel_word *out)                         \
    {                                                                            \
        memset(out, 0, size(dim) * sizeof *out);                                 \
    }                                                                            \
    void kind##_copy(struct rel_dim dim, rel_word *out, const rel_word *a)       \
    {                                                                            \
        memmove(out, a, size(dim) * sizeof *out);                                \
    }                                                                            \
    bool kind##_empty(struct rel_dim dim, const rel_word *a)                     \
    {                                                                            \
        return words_empty(size(dim), a);                                        \
    }                                                                            \
    bool kind##_equal(struct rel_dim dim, const rel_word *a, const rel_word *b)  \
    {                                                                            \
        return words_equal(size(dim), a, b);                                     \
    }                                                                            \
    bool kind##_subset(struct rel_dim dim, const rel_word *a, const rel_word *b) \
    {                                                                            \
        return words_subset(size(dim), a, b);                                    \
    }                                                                            \
    uint32_t kind##_count(struct rel_dim dim, const rel_word *a)                 \
    {                                                                            \
        return words_count(size(dim), a);                                        \
    }

DEFINE_PLAIN(set, rel_set_words)
DEFINE_PLAIN(rel, rel_words)

void set_fill(struct rel_dim dim, rel_word *out)
{
    for (uint32_t i = 0; i < dim.words; i++)
        out[i] = row_mask(dim, i);
}

void set_comp(struct rel_dim dim, rel_word *out, const rel_word *a)
{
    for (uint32_t i = 0; i < dim.words; i++)
        out[i] = ~a[i] & row_mask(dim, i);
}

void rel_fill(struct rel_dim dim, rel_word *out)
{
    for (uint32_t from = 0; from < dim.n; from++)
        set_fill(dim, out + (size_t)from * dim.words);
}

void rel_comp(struct rel_dim dim, rel_word *out, const rel_word *a)
{
    for (uint32_t from = 0; from < dim.n; from++)
        set_comp(dim, out + (size_t)from * dim.words, rel_row(dim, a, from));
}
