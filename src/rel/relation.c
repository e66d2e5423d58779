/* The operators of relation.h that depend on the shape: each calls the one-word or the many-word
 * kernel, or needs neither. */
#include "rel/relation.h"

#include "base/arena.h"
#include "base/bits.h"
#include "rel/rel_kernel.h"

#include <assert.h>

static bool one_word(struct rel_dim dim)
{
    return dim.words == 1;
}

bool rel_tail_is_clear(struct rel_dim dim, const rel_word *a)
{
    return !ANY(event, dim.n, rel_row(dim, a, event)[dim.words - 1] & ~rel_last_word(dim));
}

void rel_seq(struct rel_dim dim, rel_word *restrict out, const rel_word *a, const rel_word *b)
{
    BASE_ASSERT(rel_tail_is_clear(dim, a) && rel_tail_is_clear(dim, b));
    assert(dim.n == 0 || (out != a && out != b));
    if (one_word(dim))
        rel_word_seq(dim.n, out, a, b);
    else
        rel_wide_seq(dim, out, a, b);
}

void rel_inverse(struct rel_dim dim, rel_word *restrict out, const rel_word *a)
{
    BASE_ASSERT(rel_tail_is_clear(dim, a));
    assert(dim.n == 0 || out != a);
    if (one_word(dim))
        rel_word_inverse(dim.n, out, a);
    else
        rel_wide_inverse(dim, out, a);
}

void rel_plus(struct rel_dim dim, rel_word *out, const rel_word *a)
{
    BASE_ASSERT(rel_tail_is_clear(dim, a));
    if (out != a)
        rel_copy(dim, out, a);
    if (one_word(dim))
        rel_word_close(dim.n, out);
    else
        rel_wide_close(dim, out);
}

void rel_identity(struct rel_dim dim, rel_word *out)
{
    rel_clear(dim, out);
    rel_opt(dim, out, out);
}

void rel_star(struct rel_dim dim, rel_word *out, const rel_word *a)
{
    rel_plus(dim, out, a);
    rel_opt(dim, out, out);
}

void rel_opt(struct rel_dim dim, rel_word *out, const rel_word *a)
{
    if (one_word(dim)) {
        rel_word_opt(dim.n, out, a);
        return;
    }
    if (out != a)
        rel_copy(dim, out, a);
    for (uint32_t event = 0; event < dim.n; event++)
        rel_add(dim, out, event, event);
}

void rel_of_set(struct rel_dim dim, rel_word *out, const rel_word *s)
{
    BASE_ASSERT((s[dim.words - 1] & ~rel_last_word(dim)) == 0);
    if (one_word(dim)) {
        rel_word_of_set(dim.n, out, *s);
        return;
    }
    rel_clear(dim, out);
    for (uint32_t event = 0; event < dim.n; event++)
        if (bits_get(s, event))
            rel_add(dim, out, event, event);
}

void rel_product(struct rel_dim dim, rel_word *out, const rel_word *s, const rel_word *t)
{
    BASE_ASSERT((s[dim.words - 1] & ~rel_last_word(dim)) == 0);
    BASE_ASSERT((t[dim.words - 1] & ~rel_last_word(dim)) == 0);
    if (one_word(dim)) {
        rel_word_product(dim.n, out, *s, *t);
        return;
    }
    for (uint32_t from = 0; from < dim.n; from++) {
        rel_word keep = 0 - (rel_word)bits_get(s, from);
        for (uint32_t w = 0; w < dim.words; w++)
            out[(size_t)from * dim.words + w] = t[w] & keep;
    }
}

void rel_restrict_domain(struct rel_dim dim, rel_word *out, const rel_word *s, const rel_word *a)
{
    BASE_ASSERT((s[dim.words - 1] & ~rel_last_word(dim)) == 0);
    if (one_word(dim)) {
        rel_word_restrict_domain(dim.n, out, *s, a);
        return;
    }
    for (uint32_t from = 0; from < dim.n; from++) {
        rel_word keep = 0 - (rel_word)bits_get(s, from);
        for (uint32_t w = 0; w < dim.words; w++)
            out[(size_t)from * dim.words + w] = rel_row(dim, a, from)[w] & keep;
    }
}

void rel_restrict_range(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *s)
{
    BASE_ASSERT((s[dim.words - 1] & ~rel_last_word(dim)) == 0);
    if (one_word(dim)) {
        rel_word_restrict_range(dim.n, out, a, *s);
        return;
    }
    for (uint32_t from = 0; from < dim.n; from++)
        set_inter(dim, out + (size_t)from * dim.words, rel_row(dim, a, from), s);
}

void rel_domain(struct rel_dim dim, rel_word *out_set, const rel_word *a)
{
    BASE_ASSERT(rel_tail_is_clear(dim, a));
    if (one_word(dim))
        *out_set = rel_word_domain(dim.n, a);
    else
        rel_wide_domain(dim, out_set, a);
}

void rel_range(struct rel_dim dim, rel_word *out_set, const rel_word *a)
{
    BASE_ASSERT(rel_tail_is_clear(dim, a));
    if (one_word(dim))
        *out_set = rel_word_range(dim.n, a);
    else
        rel_wide_range(dim, out_set, a);
}

bool rel_irreflexive(struct rel_dim dim, const rel_word *a)
{
    return one_word(dim) ? rel_word_irreflexive(dim.n, a) : rel_wide_irreflexive(dim, a);
}

bool rel_acyclic(struct rel_dim dim, const rel_word *a, rel_word *scratch)
{
    BASE_ASSERT(rel_tail_is_clear(dim, a));
    return one_word(dim) ? rel_word_acyclic(dim.n, a) : rel_wide_acyclic(dim, a, scratch);
}

/* A breadth-first search from one event for a way back to it. */
struct search {
    uint32_t *queue;  /* events found, nearest first */
    uint32_t *parent; /* of each event found */
    rel_word *found;
};

/* Steps from `start` back to `start`, 0 when there is no way. On success
 * *last is the event whose edge closes the cycle. */
static uint32_t search_back(struct rel_dim dim, const rel_word *a, uint32_t start,
                            struct search *search, uint32_t *last)
{
    BASE_ASSERT(start < dim.n);
    uint32_t head = 0, tail = 1, level_end = 1, length = 1;
    search->queue[0] = start;
    set_clear(dim, search->found);
    for (; head < tail; head++) {
        if (head == level_end) {
            level_end = tail;
            length++;
        }
        uint32_t event = search->queue[head];
        if (rel_has(dim, a, event, start)) {
            *last = event;
            return length;
        }
        for (uint32_t w = 0; w < dim.words; w++) {
            rel_word fresh = rel_row(dim, a, event)[w] & ~search->found[w];
            search->found[w] |= fresh;
            for (; fresh; fresh &= fresh - 1) {
                uint32_t next = w * 64 + bits_lowest(fresh);
                BASE_ASSERT(next < dim.n);
                BASE_ASSERT(tail < dim.n);
                search->parent[next] = event;
                search->queue[tail++] = next;
            }
        }
    }
    return 0;
}

uint32_t rel_find_cycle(struct rel_dim dim, const rel_word *a, uint32_t *cycle)
{
    rel_word *room = base_realloc(NULL, ((size_t)dim.words + dim.n + 1) * sizeof *room);
    uint32_t *numbers = (uint32_t *)(room + dim.words);
    struct search search = {numbers, numbers + dim.n, room};
    uint32_t best = 0, last;
    for (uint32_t start = 0; start < dim.n; start++) {
        uint32_t length = search_back(dim, a, start, &search, &last);
        if (length == 0 || (best != 0 && length >= best))
            continue;
        BASE_ASSERT(length <= dim.n);
        best = length;
        for (uint32_t i = length; i-- > 1; last = search.parent[last])
            cycle[i] = last;
        cycle[0] = start;
    }
    base_free(room);
    return best;
}
