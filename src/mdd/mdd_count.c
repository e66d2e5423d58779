/* Questions that need a number for each node of a set, from the last level up. A node leads only to
 * nodes made before it, so numbers are filled in ascending order, also for nodes outside of the
 * set. */
#include "mdd/mdd.h"

#include "base/arena.h"

#include <inttypes.h>
#include <string.h>

/* A node's number by its edges and the numbers of the nodes that they lead to. */
typedef uint64_t node_number(const struct mdd_arc *edges, uint32_t count, const uint64_t *numbers);

/* Of all nodes up to the set; the row behind the last column has `end`. */
static uint64_t *number_nodes(const struct mdd *store, mdd_node set, uint64_t end,
                              node_number *number)
{
    uint64_t *numbers = base_realloc(NULL, ((size_t)set + 2) * sizeof *numbers);
    numbers[MDD_EMPTY] = 0;
    numbers[MDD_END] = end;
    for (mdd_node node = 2; node <= set; node++) {
        uint32_t count;
        const struct mdd_arc *edges = mdd_edges(store, node, &count);
        numbers[node] = number(edges, count, numbers);
    }
    return numbers;
}

static uint64_t count_rows(const struct mdd_arc *edges, uint32_t count, const uint64_t *counts)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        if (__builtin_add_overflow(all, counts[edges[i].to], &all))
            all = UINT64_MAX;
    return all;
}

uint64_t mdd_count(const struct mdd *store, mdd_node set)
{
    uint64_t *counts = number_nodes(store, set, 1, count_rows), count = counts[set];
    base_free(counts);
    return count;
}

/* ---- Rows ---- */

struct place {
    mdd_node node;
    uint32_t i; /* the next of its edges */
};

void mdd_list(const struct mdd *store, mdd_node set, int64_t *rows)
{
    uint32_t width = mdd_width(store), level = 0;
    struct place *at = base_realloc(NULL, ((size_t)width + 1) * sizeof *at);
    int64_t *row = base_realloc(NULL, ((size_t)width + 1) * sizeof *row);
    at[0] = (struct place){set, 0};
    for (bool more = set != MDD_EMPTY; more;) {
        uint32_t count = 0;
        const struct mdd_arc *edges = mdd_edges(store, at[level].node, &count);
        if (level < width && at[level].i < count) {
            const struct mdd_arc *edge = &edges[at[level].i++];
            row[mdd_column(store, level++)] = edge->value;
            at[level] = (struct place){edge->to, 0};
            continue;
        }
        if (level == width) {
            memcpy(rows, row, width * sizeof *row);
            rows += width;
        }
        more = level > 0;
        level -= more;
    }
    base_free(row);
    base_free(at);
}

/* ---- Numbers of any size ---- */

/* Marks the nodes of the set. */
static bool *nodes_of(const struct mdd *store, mdd_node set)
{
    bool *there = base_realloc(NULL, (size_t)set + 2);
    memset(there, 0, (size_t)set + 2);
    there[set] = true;
    for (mdd_node node = set; node >= 2; node--) {
        uint32_t count;
        const struct mdd_arc *edges = mdd_edges(store, node, &count);
        for (uint32_t i = 0; there[node] && i < count; i++)
            there[edges[i].to] = true;
    }
    return there;
}

/* Words that every count of the set's nodes fits in: no node has more edges than the widest. */
static size_t words_of(const struct mdd *store, const bool *there, mdd_node set)
{
    uint32_t widest = 1;
    size_t bits = 1;
    for (mdd_node node = 2; node <= set; node++) {
        uint32_t count;
        mdd_edges(store, node, &count);
        if (there[node] && count > widest)
            widest = count;
    }
    while (widest >> bits)
        bits++;
    return bits * mdd_width(store) / 64 + 1;
}

static void add_count(uint64_t *sum, const uint64_t *other, size_t words)
{
    unsigned carry = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t word;
        bool first = __builtin_add_overflow(sum[i], other[i], &word);
        bool second = __builtin_add_overflow(word, (uint64_t)carry, &sum[i]);
        carry = first || second;
    }
}

/* Divides by 10 to the 9th; returns the rest. */
static uint32_t divide(uint64_t *number, size_t words)
{
    uint64_t rest = 0;
    for (size_t i = words; i-- > 0;) {
        uint64_t high = rest << 32 | number[i] >> 32;
        uint64_t low = (high % 1000000000) << 32 | (number[i] & UINT32_MAX);
        number[i] = (high / 1000000000) << 32 | low / 1000000000;
        rest = low % 1000000000;
    }
    return (uint32_t)rest;
}

static bool is_zero(const uint64_t *number, size_t words)
{
    return !ANY(i, words, number[i]);
}

static void write_number(uint64_t *number, size_t words, struct strbuf *out)
{
    size_t count = 0;
    uint32_t *parts = base_realloc(NULL, (words * 64 / 29 + 2) * sizeof *parts);
    do
        parts[count++] = divide(number, words);
    while (!is_zero(number, words));
    strbuf_printf(out, "%" PRIu32, parts[--count]);
    while (count-- > 0)
        strbuf_printf(out, "%09" PRIu32, parts[count]);
    base_free(parts);
}

/* The numbers of nodes that are in the set, one after the other. */
static void count_at_length(const struct mdd *store, mdd_node set, struct strbuf *out)
{
    bool *there = nodes_of(store, set);
    size_t words = words_of(store, there, set), held = 0;
    uint32_t *place = base_realloc(NULL, ((size_t)set + 1) * sizeof *place);
    for (mdd_node node = 0; node <= set; node++)
        place[node] = there[node] ? (uint32_t)held++ : 0;
    uint64_t *numbers = base_realloc(NULL, held * words * sizeof *numbers);
    memset(numbers, 0, held * words * sizeof *numbers);
    numbers[place[MDD_END] * words] = 1;
    for (mdd_node node = 2; node <= set; node++) {
        uint32_t count;
        const struct mdd_arc *edges = mdd_edges(store, node, &count);
        for (uint32_t i = 0; there[node] && i < count; i++)
            add_count(numbers + place[node] * words, numbers + place[edges[i].to] * words, words);
    }
    write_number(numbers + place[set] * words, words, out);
    base_free(numbers);
    base_free(place);
    base_free(there);
}

void mdd_count_text(const struct mdd *store, mdd_node set, struct strbuf *out)
{
    uint64_t count = mdd_count(store, set);
    if (count < UINT64_MAX)
        strbuf_printf(out, "%" PRIu64, count);
    else
        count_at_length(store, set, out);
}

/* ---- Rows and digests ---- */

static uint64_t with_edge(const struct mdd_arc *edge, const uint64_t *fewest)
{
    return fewest[edge->to] + (edge->value != 0);
}

/* Values other than zero in the row with the fewest. */
static uint64_t count_fewest(const struct mdd_arc *edges, uint32_t count, const uint64_t *fewest)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (with_edge(&edges[i], fewest) < least)
            least = with_edge(&edges[i], fewest);
    return least;
}

void mdd_smallest(const struct mdd *store, mdd_node set, int64_t *row)
{
    uint64_t *fewest = number_nodes(store, set, 0, count_fewest);
    for (uint32_t level = 0; level < mdd_width(store); level++) {
        uint32_t count, i = 0;
        const struct mdd_arc *edges = mdd_edges(store, set, &count);
        while (with_edge(&edges[i], fewest) != fewest[set])
            i++;
        row[mdd_column(store, level)] = edges[i].value;
        set = edges[i].to;
    }
    base_free(fewest);
}

static uint64_t digest_edges(const struct mdd_arc *edges, uint32_t count, const uint64_t *digests)
{
    uint64_t digest = count;
    for (uint32_t i = 0; i < count; i++) {
        digest = (digest ^ (uint64_t)edges[i].value) * UINT64_C(0x9e3779b97f4a7c15);
        digest = (digest ^ digest >> 31 ^ digests[edges[i].to]) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    return digest ^ digest >> 29;
}

uint64_t mdd_digest(const struct mdd *store, mdd_node set)
{
    uint64_t *digests = number_nodes(store, set, 1, digest_edges), digest = digests[set];
    base_free(digests);
    return digest;
}
