/* Products of relations over more than 64 events, with rows of several words: as
 * rel_word.c, but the closure is Warshall's, whose cost does not depend on how the
 * events are numbered. */
#include "base/bits.h"
#include "rel/rel_kernel.h"

static rel_word *row_of(struct rel_dim dim, rel_word *a, uint32_t event)
{
    return a + (size_t)event * dim.words;
}

static inline void merge(struct rel_dim dim, rel_word *row, const rel_word *other)
{
    for (uint32_t w = 0; w < dim.words; w++)
        row[w] |= other[w];
}

void rel_wide_seq(struct rel_dim dim, rel_word *restrict out, const rel_word *a, const rel_word *b)
{
    for (uint32_t from = 0; from < dim.n; from++) {
        const rel_word *middle = rel_row(dim, a, from);
        rel_word *row = row_of(dim, out, from);
        set_clear(dim, row);
        for (uint32_t w = 0; w < dim.words; w++)
            for (rel_word rest = middle[w]; rest; rest &= rest - 1)
                merge(dim, row, rel_row(dim, b, w * 64 + bits_lowest(rest)));
    }
}

/* Squares of 64 events: the square at block row i, block column j moves to
 * block row j, block column i, transposed. */
static void transpose_square(struct rel_dim dim, rel_word *restrict out, const rel_word *a,
                             uint32_t i, uint32_t j)
{
    rel_word rows[64];
    for (uint32_t k = 0; k < 64; k++)
        rows[k] = i * 64 + k < dim.n ? rel_row(dim, a, i * 64 + k)[j] : 0;
    rel_word_transpose(rows, 64);
    for (uint32_t k = 0; k < 64 && j * 64 + k < dim.n; k++)
        row_of(dim, out, j * 64 + k)[i] = rows[k];
}

void rel_wide_inverse(struct rel_dim dim, rel_word *restrict out, const rel_word *a)
{
    for (uint32_t i = 0; i < dim.words; i++)
        for (uint32_t j = 0; j < dim.words; j++)
            transpose_square(dim, out, a, i, j);
}

/* Warshall: after round k the rows hold all paths whose inner events are at most k;
 * a row that reaches k takes over k's row. */
void rel_wide_close(struct rel_dim dim, rel_word *rows)
{
    for (uint32_t k = 0; k < dim.n; k++) {
        const rel_word *through = rel_row(dim, rows, k);
        if (set_empty(dim, through))
            continue;
        for (uint32_t from = 0; from < dim.n; from++)
            if (rel_has(dim, rows, from, k))
                merge(dim, row_of(dim, rows, from), through);
    }
}

void rel_wide_domain(struct rel_dim dim, rel_word *out_set, const rel_word *a)
{
    set_clear(dim, out_set);
    for (uint32_t from = 0; from < dim.n; from++)
        if (!set_empty(dim, rel_row(dim, a, from)))
            bits_set(out_set, from);
}

void rel_wide_range(struct rel_dim dim, rel_word *out_set, const rel_word *a)
{
    set_clear(dim, out_set);
    for (uint32_t from = 0; from < dim.n; from++)
        merge(dim, out_set, rel_row(dim, a, from));
}

bool rel_wide_irreflexive(struct rel_dim dim, const rel_word *a)
{
    for (uint32_t event = 0; event < dim.n; event++)
        if (rel_has(dim, a, event, event))
            return false;
    return true;
}

/* Takes `event` out of `alive` when no successor of it is alive. */
static bool retire(struct rel_dim dim, const rel_word *a, rel_word *alive, uint32_t event)
{
    const rel_word *row = rel_row(dim, a, event);
    if (!bits_get(alive, event))
        return false;
    for (uint32_t w = 0; w < dim.words; w++)
        if (row[w] & alive[w])
            return false;
    bits_clear(alive, event);
    return true;
}

bool rel_wide_acyclic(struct rel_dim dim, const rel_word *a, rel_word *alive)
{
    set_fill(dim, alive);
    bool progress;
    do {
        progress = false;
        for (uint32_t event = dim.n; event-- > 0;)
            progress |= retire(dim, a, alive, event);
        for (uint32_t event = 0; event < dim.n; event++)
            progress |= retire(dim, a, alive, event);
    } while (progress);
    return set_empty(dim, alive);
}
