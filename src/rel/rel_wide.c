/* Products of relations over more than 64 events, with rows of several words. In such relations
 * many rows contain others, above all along program order: the result for a contained row is taken
 * over whole. */
#include "base/arena.h"
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

/* A row that has all of the last one before it, which was not empty, begins with its product. */
void rel_wide_seq(struct rel_dim dim, rel_word *restrict out, const rel_word *a, const rel_word *b)
{
    uint32_t last = dim.n;
    for (uint32_t from = dim.n; from-- > 0;) {
        const rel_word *middle = rel_row(dim, a, from), *known = NULL;
        rel_word *row = row_of(dim, out, from);
        if (last < dim.n && set_subset(dim, rel_row(dim, a, last), middle))
            known = rel_row(dim, a, last);
        set_clear(dim, row);
        if (set_empty(dim, middle))
            continue;
        if (known)
            set_copy(dim, row, row_of(dim, out, last));
        for (uint32_t w = 0; w < dim.words; w++)
            for (rel_word rest = middle[w] & ~(known ? known[w] : 0); rest; rest &= rest - 1)
                merge(dim, row, rel_row(dim, b, w * 64 + bits_lowest(rest)));
        last = from;
    }
}

/* Squares of 64 events: the square at block row i, block column j moves to
 * block row j, block column i, transposed. */
static void transpose_square(struct rel_dim dim, rel_word *restrict out, const rel_word *a,
                             uint32_t i, uint32_t j)
{
    rel_word rows[64], any = 0;
    for (uint32_t k = 0; k < 64; k++)
        any |= rows[k] = i * 64 + k < dim.n ? rel_row(dim, a, i * 64 + k)[j] : 0;
    if (any)
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

/* ---- Closure ---- */

/* A depth-first search that closes the strongly connected components as it leaves them, each when
 * all that it leads to is closed (Tarjan, 1972). */
struct closing {
    struct rel_dim dim;
    rel_word *rows;
    uint32_t *number; /* of an event found: when */
    uint32_t *lowest; /* the first found, of those its component may have */
    uint32_t *path;   /* from where the search began to where it is */
    uint32_t *open;   /* found, and not closed yet */
    uint32_t found_count, path_count, open_count;
    rel_word *found, *is_open, *reached, *todo;
};

/* Up to so many events there is room on the stack, which may be small. */
enum { FEW_EVENTS = 256, FEW_WORDS = 4 * BITS_WORDS(FEW_EVENTS) + 2 * FEW_EVENTS };

/* `room` is for four sets, and four numbers an event. */
static void closing_init(struct closing *c, struct rel_dim dim, rel_word *rows, rel_word *room)
{
    uint32_t *numbers = (uint32_t *)(room + 4 * (size_t)dim.words);
    *c = (struct closing){.dim = dim, .rows = rows};
    c->found = room;
    c->is_open = c->found + dim.words;
    c->reached = c->is_open + dim.words;
    c->todo = c->reached + dim.words;
    c->number = numbers;
    c->lowest = c->number + dim.n;
    c->path = c->lowest + dim.n;
    c->open = c->path + dim.n;
    set_clear(dim, c->found);
    set_clear(dim, c->is_open);
}

static void find_component(struct closing *c, uint32_t event)
{
    c->number[event] = c->lowest[event] = c->found_count++;
    c->path[c->path_count++] = event;
    c->open[c->open_count++] = event;
    bits_set(c->found, event);
    bits_set(c->is_open, event);
}

/* Goes on to what follows the last event of the path and was not found yet. */
static bool find_next(struct closing *c)
{
    const rel_word *row = row_of(c->dim, c->rows, c->path[c->path_count - 1]);
    for (uint32_t w = 0; w < c->dim.words; w++) {
        rel_word fresh = row[w] & ~c->found[w];
        if (fresh) {
            find_component(c, w * 64 + bits_lowest(fresh));
            return true;
        }
    }
    return false;
}

/* Takes over all that a closed event reaches. */
static void reach(struct closing *c, uint32_t event)
{
    const rel_word *row = row_of(c->dim, c->rows, event);
    bits_clear(c->todo, event);
    for (uint32_t w = 0; w < c->dim.words; w++) {
        c->reached[w] |= row[w];
        c->todo[w] &= ~row[w];
    }
}

/* From both ends, as whichever comes first in the order of the relation brings the others. */
static void reach_all(struct closing *c)
{
    uint32_t low = 0, high = c->dim.words;
    while (low < high) {
        if (!c->todo[low]) {
            low++;
            continue;
        }
        reach(c, low * 64 + bits_lowest(c->todo[low]));
        while (high > low && !c->todo[high - 1])
            high--;
        if (low < high)
            reach(c, (high - 1) * 64 + bits_highest(c->todo[high - 1]));
    }
}

/* The component that was found from `first` on is complete: all of it reach the same. */
static void close_component(struct closing *c, uint32_t first)
{
    uint32_t begin = c->open_count;
    set_clear(c->dim, c->reached);
    do {
        begin--;
        merge(c->dim, c->reached, row_of(c->dim, c->rows, c->open[begin]));
    } while (c->open[begin] != first);
    for (uint32_t w = 0; w < c->dim.words; w++)
        c->todo[w] = c->reached[w] & ~c->is_open[w];
    reach_all(c);
    for (uint32_t i = begin; i < c->open_count; i++) {
        set_copy(c->dim, row_of(c->dim, c->rows, c->open[i]), c->reached);
        bits_clear(c->is_open, c->open[i]);
    }
    c->open_count = begin;
}

/* The search goes back from the last event of the path. */
static void leave(struct closing *c)
{
    uint32_t event = c->path[--c->path_count], lowest = c->lowest[event];
    const rel_word *row = row_of(c->dim, c->rows, event);
    for (uint32_t w = 0; w < c->dim.words; w++)
        for (rel_word rest = row[w] & c->is_open[w]; rest; rest &= rest - 1) {
            uint32_t number = c->number[w * 64 + bits_lowest(rest)];
            lowest = number < lowest ? number : lowest;
        }
    if (lowest == c->number[event])
        close_component(c, event);
    else if (lowest < c->lowest[c->path[c->path_count - 1]])
        c->lowest[c->path[c->path_count - 1]] = lowest;
}

void rel_wide_close(struct rel_dim dim, rel_word *rows)
{
    struct closing c;
    rel_word few[FEW_WORDS], *room = few;
    size_t words = 4 * (size_t)dim.words + 2 * (size_t)dim.n;
    if (words > FEW_WORDS)
        room = base_realloc(NULL, words * sizeof *room);
    closing_init(&c, dim, rows, room);
    for (uint32_t event = 0; event < dim.n; event++) {
        if (bits_get(c.found, event))
            continue;
        find_component(&c, event);
        while (c.path_count)
            if (!find_next(&c))
                leave(&c);
    }
    if (room != few)
        base_free(room);
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
    return !ANY(event, dim.n, rel_has(dim, a, event, event));
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
