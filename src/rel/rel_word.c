/* Products of relations over at most 64 events: a row is one word.
 *
 * Almost every litmus test falls here, and the enumerator spends its time here:
 * loops run over rows, never over pairs, and nothing is allocated.
 */
#include "base/bits.h"
#include "rel/rel_kernel.h"

/* Swaps the two off-diagonal quarters of each block, then of each block half as
 * large, and so on: log2(size) passes over the rows. */
void rel_word_transpose(rel_word *rows, uint32_t size)
{
    BASE_ASSERT(size <= 64 && (size & (size - 1)) == 0);
    for (uint32_t half = size / 2; half; half /= 2) {
        rel_word low = ~UINT64_C(0) / ((UINT64_C(1) << half) + 1); /* half ones, half zeros, ... */
        for (uint32_t top = 0; top < size; top = (top + half + 1) & ~half) {
            rel_word swap = (rows[top] >> half ^ rows[top + half]) & low;
            rows[top] ^= swap << half;
            rows[top + half] ^= swap;
        }
    }
}

/* Pair by pair; false when there are more than `most`. */
static bool invert_pairs(uint32_t n, rel_word *restrict out, const rel_word *a, uint32_t most)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = 0;
    for (uint32_t i = 0; i < n; i++)
        for (rel_word rest = a[i]; rest; rest &= rest - 1) {
            if (most-- == 0)
                return false;
            out[bits_lowest(rest)] |= (rel_word)1 << i;
        }
    return true;
}

/* What is sparse, as rf is, has fewer pairs than a transposition has steps. */
void rel_word_inverse(uint32_t n, rel_word *restrict out, const rel_word *a)
{
    BASE_ASSERT(n <= 64);
    rel_word rows[64];
    if (invert_pairs(n, out, a, 4 * n))
        return;
    uint32_t size = 1;
    while (size < n)
        size *= 2;
    for (uint32_t i = 0; i < size; i++)
        rows[i] = i < n ? a[i] : 0;
    rel_word_transpose(rows, size);
    for (uint32_t i = 0; i < n; i++)
        out[i] = rows[i];
}

void rel_word_opt(uint32_t n, rel_word *out, const rel_word *a)
{
    for (uint32_t event = 0; event < n; event++)
        out[event] = a[event] | (rel_word)1 << event;
}

void rel_word_of_set(uint32_t n, rel_word *out, rel_word s)
{
    for (uint32_t event = 0; event < n; event++)
        out[event] = s & (rel_word)1 << event;
}

void rel_word_product(uint32_t n, rel_word *out, rel_word s, rel_word t)
{
    for (uint32_t from = 0; from < n; from++)
        out[from] = t & (0 - (s >> from & 1));
}

void rel_word_seq(uint32_t n, rel_word *restrict out, const rel_word *a, const rel_word *b)
{
    BASE_ASSERT(n <= 64);
    for (uint32_t from = 0; from < n; from++) {
        rel_word row = 0;
        for (rel_word rest = a[from]; rest; rest &= rest - 1)
            row |= b[bits_lowest(rest)];
        out[from] = row;
    }
}

/* Row by row downwards, each by a search over whole rows. The rows above are closed
 * already: one of them brings all it reaches, none of which needs a visit. As events
 * are numbered along program order, most rows take a few steps. */
void rel_word_close(uint32_t n, rel_word *rows)
{
    BASE_ASSERT(n <= 64);
    for (uint32_t from = n; from-- > 0;) {
        rel_word reached = rows[from], todo = reached;
        while (todo) {
            uint32_t next = bits_lowest(todo);
            rel_word row = rows[next], fresh = row & ~reached;
            reached |= row;
            todo &= todo - 1;
            todo = next > from ? todo & ~row : todo | fresh;
        }
        rows[from] = reached;
    }
}

rel_word rel_word_range(uint32_t n, const rel_word *a)
{
    rel_word reached = 0;
    for (uint32_t from = 0; from < n; from++)
        reached |= a[from];
    return reached;
}

rel_word rel_word_domain(uint32_t n, const rel_word *a)
{
    rel_word sources = 0;
    for (uint32_t from = 0; from < n; from++)
        sources |= (rel_word)(a[from] != 0) << from;
    return sources;
}

void rel_word_restrict_domain(uint32_t n, rel_word *out, rel_word s, const rel_word *a)
{
    for (uint32_t from = 0; from < n; from++)
        out[from] = a[from] & (0 - (s >> from & 1));
}

void rel_word_restrict_range(uint32_t n, rel_word *out, const rel_word *a, rel_word s)
{
    for (uint32_t from = 0; from < n; from++)
        out[from] = a[from] & s;
}

bool rel_word_irreflexive(uint32_t n, const rel_word *a)
{
    rel_word loops = 0;
    for (uint32_t from = 0; from < n; from++)
        loops |= a[from] >> from;
    return !(loops & 1);
}

/* Takes away events without successors among the rest until none is left or
 * none can go. Events are numbered along program order, so a pass downwards
 * usually takes all; passes change direction to bound the other orders too. */
bool rel_word_acyclic(uint32_t n, const rel_word *a)
{
    BASE_ASSERT(n <= 64);
    rel_word alive = rel_word_mask(n), before;
    do {
        before = alive;
        for (uint32_t i = n; i-- > 0;)
            alive &= ~((rel_word) !(a[i] & alive) << i);
        if (!alive)
            return true;
        for (rel_word rest = alive; rest; rest &= rest - 1)
            if (!(a[bits_lowest(rest)] & alive))
                alive ^= rest & (0 - rest);
    } while (alive && alive != before);
    return !alive;
}
