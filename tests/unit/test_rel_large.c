/* Relations as large as bigger programs have them: shapes whose products are known by arithmetic,
 * and random ones, row by row against a search over lists of successors. */
#include "base/bits.h"
#include "rel/relation.h"
#include "unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t sizes[] = {65, 1000, 5000};

static uint64_t random_state;

struct shapes {
    struct rel_dim dim;
    rel_word *a, *b, *out, *other, *set;
};

static struct shapes shapes_new(uint32_t n)
{
    struct rel_dim dim = rel_dim_make(n);
    size_t bytes = rel_words(dim) * sizeof(rel_word);
    return (struct shapes){dim,           calloc(1, bytes), calloc(1, bytes),
                           malloc(bytes), malloc(bytes),    malloc(dim.words * sizeof(rel_word))};
}

static void shapes_free(struct shapes *s)
{
    free(s->a);
    free(s->b);
    free(s->out);
    free(s->other);
    free(s->set);
}

typedef void shapes_test(struct shapes *s);

static void on_sizes(shapes_test *test)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct shapes s = shapes_new(sizes[i]);
        random_state = sizes[i];
        test(&s);
        shapes_free(&s);
    }
}

/* A step from each event to the next, or to the one before: closed, all pairs below, or above, the
 * diagonal, n (n - 1) / 2 of them; the closure of both is everything. */
static void chains_of(struct shapes *s)
{
    uint32_t n = s->dim.n, half = n * (n - 1) / 2;
    for (uint32_t e = 0; e + 1 < n; e++) {
        rel_add(s->dim, s->a, e, e + 1);
        rel_add(s->dim, s->b, e + 1, e);
    }
    rel_plus(s->dim, s->out, s->a);
    CU_ASSERT_EQUAL(rel_count(s->dim, s->out), half);
    CU_ASSERT(rel_has(s->dim, s->out, 0, n - 1) && !rel_has(s->dim, s->out, n - 1, 0));
    CU_ASSERT(rel_acyclic(s->dim, s->out, s->set));
    rel_seq(s->dim, s->other, s->out,
            s->out); /* two steps at least: all but the n - 1 single ones */
    CU_ASSERT_EQUAL(rel_count(s->dim, s->other), half - (n - 1));
    rel_plus(s->dim, s->other, s->b);
    CU_ASSERT_EQUAL(rel_count(s->dim, s->other), half);
    CU_ASSERT(rel_acyclic(s->dim, s->other, s->set));
    rel_inverse(s->dim, s->b, s->out);
    CU_ASSERT(rel_equal(s->dim, s->b, s->other));
    rel_seq(s->dim, s->a, s->out,
            s->b); /* e to f by way of some event after both: all but the last */
    CU_ASSERT_EQUAL(rel_count(s->dim, s->a), (n - 1) * (n - 1));
    rel_union(s->dim, s->a, s->out, s->b);
    CU_ASSERT_FALSE(rel_acyclic(s->dim, s->a, s->set));
    rel_plus(s->dim, s->out, s->a);
    CU_ASSERT_EQUAL(rel_count(s->dim, s->out), n * n);
}

static void chains(void)
{
    on_sizes(chains_of);
}

/* Five events a thread, of which the third meets those of all threads: what comes before it, itself
 * included, is before all that comes from it on. */
static void meetings_of(struct shapes *s)
{
    uint32_t threads = s->dim.n / 5;
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t i = 0; i < 4; i++)
            rel_add(s->dim, s->a, 5 * t + i, 5 * t + i + 1);
        for (uint32_t u = 0; u < threads; u++)
            rel_add(s->dim, s->a, 5 * t + 2, 5 * u + 2);
    }
    rel_plus(s->dim, s->out, s->a);
    /* 3 to 3 events across threads and within one, and 0-1 and 3-4 of each thread. */
    CU_ASSERT_EQUAL(rel_count(s->dim, s->out), 9 * threads * threads + 2 * threads);
    CU_ASSERT(rel_has(s->dim, s->out, 0, s->dim.n - 1));
    CU_ASSERT_FALSE(rel_has(s->dim, s->out, 3, s->dim.n - 1));
    CU_ASSERT_FALSE(rel_acyclic(s->dim, s->a, s->set));
    rel_seq(s->dim, s->other, s->a, s->a);
    rel_union(s->dim, s->other, s->other, s->a);
    rel_plus(s->dim, s->other, s->other);
    CU_ASSERT(rel_equal(s->dim, s->other, s->out));
}

static void meetings(void)
{
    on_sizes(meetings_of);
}

/* What `from` reaches by one step or more, over the single pairs. */
static void reach(const struct shapes *s, const rel_word *relation, uint32_t from, bool *reached,
                  uint32_t *todo)
{
    uint32_t count = 0, n = s->dim.n;
    memset(reached, 0, n * sizeof *reached);
    todo[count++] = from;
    while (count) {
        uint32_t e = todo[--count];
        for (uint32_t f = 0; f < n; f++)
            if (!reached[f] && rel_has(s->dim, relation, e, f)) {
                reached[f] = true;
                todo[count++] = f;
            }
    }
}

static bool is_row(const struct shapes *s, const rel_word *relation, uint32_t row, const bool *is)
{
    bool same = true;
    for (uint32_t f = 0; f < s->dim.n; f++)
        same &= rel_has(s->dim, relation, row, f) == is[f];
    return same;
}

/* Is the row what some event of `a`'s row leads to by `b`? */
static bool is_product(const struct shapes *s, uint32_t row, bool *leads)
{
    memset(leads, 0, s->dim.n * sizeof *leads);
    for (uint32_t k = 0; k < s->dim.n; k++)
        for (uint32_t f = 0; rel_has(s->dim, s->a, row, k) && f < s->dim.n; f++)
            leads[f] |= rel_has(s->dim, s->b, k, f);
    return is_row(s, s->out, row, leads);
}

static void random_pairs(struct shapes *s, rel_word *out, uint32_t count)
{
    rel_clear(s->dim, out);
    for (uint32_t i = 0; i < count; i++)
        rel_add(s->dim, out, unit_below(&random_state, s->dim.n),
                unit_below(&random_state, s->dim.n));
}

/* Around one successor an event lies where a relation becomes one component. */
static void random_ones_of(struct shapes *s)
{
    uint32_t n = s->dim.n, *todo = malloc(n * sizeof *todo);
    bool *row = malloc(n * sizeof *row);
    for (uint32_t quarters = 2; quarters <= 8; quarters += 3) {
        random_pairs(s, s->a, n * quarters / 4);
        random_pairs(s, s->b, 2 * n);
        rel_plus(s->dim, s->out, s->a);
        for (uint32_t i = 0; i < 20; i++) {
            uint32_t from = unit_below(&random_state, n);
            reach(s, s->a, from, row, todo);
            CU_ASSERT(is_row(s, s->out, from, row));
        }
        CU_ASSERT_EQUAL(rel_acyclic(s->dim, s->a, s->set), rel_irreflexive(s->dim, s->out));
        rel_plus(s->dim, s->other, s->out);
        CU_ASSERT(rel_equal(s->dim, s->other, s->out));
        rel_seq(s->dim, s->out, s->a, s->b);
        for (uint32_t i = 0; i < 20; i++)
            CU_ASSERT(is_product(s, unit_below(&random_state, n), row));
    }
    free(todo);
    free(row);
}

static void random_ones(void)
{
    on_sizes(random_ones_of);
}

/* ---- A small stack ---- */

struct ring {
    struct shapes s;
    uint32_t cycle[1000], length;
};

static void *close_ring(void *context)
{
    struct ring *ring = context;
    rel_plus(ring->s.dim, ring->s.out, ring->s.a);
    ring->length = rel_find_cycle(ring->s.dim, ring->s.a, ring->cycle);
    return NULL;
}

/* A ring of 1000 events leads from each to each, and is the one cycle that it has. 128 KiB are room
 * enough for that, whatever the most events are. */
static void small_stack(void)
{
    static struct ring ring;
    pthread_attr_t attributes;
    pthread_t thread;
    ring.s = shapes_new(1000);
    for (uint32_t i = 0; i < 1000; i++)
        rel_add(ring.s.dim, ring.s.a, i, (i + 1) % 1000);
    CU_ASSERT_EQUAL(pthread_attr_init(&attributes), 0);
    CU_ASSERT_EQUAL(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, &attributes, close_ring, &ring), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    CU_ASSERT_EQUAL(ring.length, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        CU_ASSERT(rel_has(ring.s.dim, ring.s.out, i, i) && rel_has(ring.s.dim, ring.s.out, 0, i));
    shapes_free(&ring.s);
}

void suite_rel_large(void)
{
    CU_pSuite suite = CU_add_suite("rel_large", NULL, NULL);
    UNIT_TEST(suite, chains);
    UNIT_TEST(suite, meetings);
    UNIT_TEST(suite, random_ones);
    UNIT_TEST(suite, small_stack);
}
