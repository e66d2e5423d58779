/* Every function of rel/relation.h against matrices of bool, and the laws of the
 * algebra, on seeded random relations with sizes on both sides of a word. */
#include "rel/relation.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { LARGEST = 130, ROUNDS = 2 };

static const uint32_t sizes[] = {0, 1, 2, 7, 63, 64, 65, 127, 128, LARGEST};
/* Chance of a pair, in 1024ths; 0 stands for one successor an event on average. */
static const uint32_t densities[] = {0, 3, 100, 512, 1024};

/* The reference: a set is row 0 of a matrix. */
struct matrix {
    bool at[LARGEST][LARGEST];
};

static struct matrix naive_a, naive_b, naive_c, naive_out;
static rel_word *a, *b, *c, *out, *out2, *s, *t, *set_out;
static struct matrix naive_s, naive_t;
static struct rel_dim dim;
static uint64_t random_state;
static char where[80];

static void fill_random(struct matrix *matrix, uint32_t rows, uint32_t density)
{
    memset(matrix, 0, sizeof *matrix);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < dim.n; j++)
            matrix->at[i][j] = density ? unit_below(&random_state, 1024) < density
                                       : unit_below(&random_state, dim.n) == 0;
}

/* Packs by hand; bits past n stay zero. */
static void pack(rel_word *words, const struct matrix *matrix, uint32_t rows)
{
    memset(words, 0, (size_t)rows * dim.words * sizeof *words);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < dim.n; j++)
            if (matrix->at[i][j])
                words[i * dim.words + j / 64] |= UINT64_C(1) << (j % 64);
}

static bool same(const rel_word *words, const struct matrix *matrix, uint32_t rows)
{
    bool equal = true;
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < dim.words * 64; j++) {
            bool expected = j < dim.n && matrix->at[i][j];
            equal &= expected == (words[i * dim.words + j / 64] >> (j % 64) & 1);
        }
    return equal;
}

#define HOLDS(condition)                                                  \
    do {                                                                  \
        bool holds_ = (condition);                                        \
        if (!holds_)                                                      \
            fprintf(stderr, "%s: %s does not hold\n", where, #condition); \
        CU_ASSERT(holds_);                                                \
    } while (0)
#define IS_REL(words, matrix) HOLDS(same((words), (matrix), dim.n))
#define IS_SET(words, matrix) HOLDS(same((words), (matrix), 1))

static rel_word *new_words(size_t count)
{
    rel_word *words = malloc(count ? count * sizeof *words : 1);
    if (!words)
        abort();
    /* Results must not depend on what was there. */
    memset(words, 0xA5, count * sizeof *words);
    return words;
}

static rel_word **const relations[] = {&a, &b, &c, &out, &out2};
static rel_word **const sets[] = {&s, &t, &set_out};

static void make_operands(uint32_t density)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        *relations[i] = new_words(rel_words(dim));
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        *sets[i] = new_words(rel_set_words(dim));
    fill_random(&naive_a, dim.n, density);
    fill_random(&naive_b, dim.n, density);
    fill_random(&naive_c, dim.n, densities[unit_below(&random_state, 5)]);
    fill_random(&naive_s, 1, 400);
    fill_random(&naive_t, 1, 400);
    pack(a, &naive_a, dim.n);
    pack(b, &naive_b, dim.n);
    pack(c, &naive_c, dim.n);
    pack(s, &naive_s, 1);
    pack(t, &naive_t, 1);
}

static void free_operands(void)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        free(*relations[i]);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        free(*sets[i]);
}

/* Runs `body` on random relations a b c and sets s t of every size. */
static void on_random(uint64_t seed, void (*body)(void))
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof densities / sizeof *densities; j++)
            for (uint32_t round = 0; round < ROUNDS; round++) {
                dim = rel_dim_make(sizes[i]);
                random_state = seed + round * 1000 + j * 100 + i;
                snprintf(where, sizeof where, "n=%u density=%u round=%u", dim.n, densities[j],
                         round);
                make_operands(densities[j]);
                body();
                free_operands();
            }
}

/* ---- Reference operators ------------------------------------------------ */

#define EACH_PAIR(i, j)                  \
    for (uint32_t i = 0; i < dim.n; i++) \
        for (uint32_t j = 0; j < dim.n; j++)

static void naive_seq(struct matrix *result, const struct matrix *x, const struct matrix *y)
{
    static struct matrix made;
    memset(&made, 0, sizeof made);
    EACH_PAIR (i, j)
        if (x->at[i][j])
            for (uint32_t k = 0; k < dim.n; k++)
                made.at[i][k] |= y->at[j][k];
    *result = made;
}

/* Adds two-step paths until nothing is new. */
static void naive_plus(struct matrix *result, const struct matrix *x)
{
    static struct matrix longer;
    bool grown = true;
    *result = *x;
    while (grown) {
        grown = false;
        naive_seq(&longer, result, result);
        EACH_PAIR (i, j) {
            grown |= longer.at[i][j] && !result->at[i][j];
            result->at[i][j] |= longer.at[i][j];
        }
    }
}

static bool naive_irreflexive(const struct matrix *x)
{
    bool loop = false;
    for (uint32_t i = 0; i < dim.n; i++)
        loop |= x->at[i][i];
    return !loop;
}

/* ---- One function at a time --------------------------------------------- */

static void shape(void)
{
    for (uint32_t n = 0; n <= REL_MAX_EVENTS; n++) {
        struct rel_dim made = rel_dim_make(n);
        CU_ASSERT(made.n == n);
        CU_ASSERT(made.words == (n == 0 ? 1 : (n + 63) / 64));
        CU_ASSERT(rel_set_words(made) == made.words);
        CU_ASSERT(rel_words(made) == (size_t)n * made.words);
    }
}

static void constants_body(void)
{
    memset(&naive_out, 0, sizeof naive_out);
    rel_clear(dim, out);
    IS_REL(out, &naive_out);
    set_clear(dim, set_out);
    IS_SET(set_out, &naive_out);
    for (uint32_t i = 0; i < dim.n; i++)
        naive_out.at[i][i] = true;
    rel_identity(dim, out);
    IS_REL(out, &naive_out);
    EACH_PAIR (i, j)
        naive_out.at[i][j] = true;
    rel_fill(dim, out);
    IS_REL(out, &naive_out);
    set_fill(dim, set_out);
    IS_SET(set_out, &naive_out);
    rel_copy(dim, out, a);
    IS_REL(out, &naive_a);
    rel_copy(dim, out, out);
    IS_REL(out, &naive_a);
    set_copy(dim, set_out, s);
    IS_SET(set_out, &naive_s);
}

static void constants(void)
{
    on_random(1, constants_body);
}

/* A binary pointwise operator, with out apart from, and equal to, either input. */
#define POINTWISE_BODY(name, value)                          \
    static void name##_body(void)                            \
    {                                                        \
        memset(&naive_out, 0, sizeof naive_out);             \
        EACH_PAIR (i, j) {                                   \
            bool x = naive_a.at[i][j], y = naive_b.at[i][j]; \
            naive_out.at[i][j] = (value);                    \
        }                                                    \
        rel_##name(dim, out, a, b);                          \
        IS_REL(out, &naive_out);                             \
        rel_copy(dim, out, a);                               \
        rel_##name(dim, out, out, b);                        \
        IS_REL(out, &naive_out);                             \
        rel_copy(dim, out, b);                               \
        rel_##name(dim, out, a, out);                        \
        IS_REL(out, &naive_out);                             \
        EACH_PAIR (i, j) {                                   \
            bool x = naive_a.at[i][j], y = x;                \
            naive_out.at[i][j] = (value);                    \
        }                                                    \
        rel_copy(dim, out, a);                               \
        rel_##name(dim, out, out, out);                      \
        IS_REL(out, &naive_out);                             \
        for (uint32_t j = 0; j < dim.n; j++) {               \
            bool x = naive_s.at[0][j], y = naive_t.at[0][j]; \
            naive_out.at[0][j] = (value);                    \
        }                                                    \
        set_##name(dim, set_out, s, t);                      \
        IS_SET(set_out, &naive_out);                         \
        set_copy(dim, set_out, s);                           \
        set_##name(dim, set_out, set_out, t);                \
        IS_SET(set_out, &naive_out);                         \
        set_copy(dim, set_out, t);                           \
        set_##name(dim, set_out, s, set_out);                \
        IS_SET(set_out, &naive_out);                         \
    }                                                        \
    static void name##_pairs(void)                           \
    {                                                        \
        on_random(2, name##_body);                           \
    }

POINTWISE_BODY(union, x || y)
POINTWISE_BODY(inter, x &&y)
POINTWISE_BODY(diff, x && !y)

static void comp_body(void)
{
    EACH_PAIR (i, j)
        naive_out.at[i][j] = !naive_a.at[i][j];
    rel_comp(dim, out, a);
    IS_REL(out, &naive_out);
    rel_copy(dim, out, a);
    rel_comp(dim, out, out);
    IS_REL(out, &naive_out);
    for (uint32_t j = 0; j < dim.n; j++)
        naive_out.at[0][j] = !naive_s.at[0][j];
    set_comp(dim, set_out, s);
    IS_SET(set_out, &naive_out);
    set_copy(dim, set_out, s);
    set_comp(dim, set_out, set_out);
    IS_SET(set_out, &naive_out);
}

static void comp_pairs(void)
{
    on_random(3, comp_body);
}

static void compare_rel_body(void)
{
    bool equal = true, subset = true;
    uint32_t count = 0;
    EACH_PAIR (i, j) {
        equal &= naive_a.at[i][j] == naive_b.at[i][j];
        subset &= !naive_a.at[i][j] || naive_b.at[i][j];
        count += naive_a.at[i][j];
    }
    HOLDS(rel_equal(dim, a, b) == equal);
    HOLDS(rel_subset(dim, a, b) == subset);
    HOLDS(rel_count(dim, a) == count);
    HOLDS(rel_empty(dim, a) == (count == 0));
    HOLDS(rel_equal(dim, a, a) && rel_subset(dim, a, a));
    rel_inter(dim, out, a, b);
    HOLDS(rel_subset(dim, out, a) && rel_subset(dim, out, b));
    if (dim.n) { /* differs from itself in the last pair only */
        rel_copy(dim, out, a);
        out[rel_words(dim) - 1] ^= UINT64_C(1) << ((dim.n - 1) % 64);
        HOLDS(!rel_equal(dim, out, a));
        HOLDS(rel_subset(dim, out, a) != rel_subset(dim, a, out));
    }
}

static void compare_set_body(void)
{
    bool equal = true, subset = true;
    uint32_t count = 0;
    for (uint32_t j = 0; j < dim.n; j++) {
        equal &= naive_s.at[0][j] == naive_t.at[0][j];
        subset &= !naive_s.at[0][j] || naive_t.at[0][j];
        count += naive_s.at[0][j];
    }
    HOLDS(set_equal(dim, s, t) == equal);
    HOLDS(set_subset(dim, s, t) == subset);
    HOLDS(set_count(dim, s) == count);
    HOLDS(set_empty(dim, s) == (count == 0));
    HOLDS(set_equal(dim, s, s) && set_subset(dim, s, s));
    set_union(dim, set_out, s, t);
    HOLDS(set_subset(dim, s, set_out) && set_subset(dim, t, set_out));
}

static void comparisons(void)
{
    on_random(4, compare_rel_body);
    on_random(5, compare_set_body);
}

static void seq_body(void)
{
    naive_seq(&naive_out, &naive_a, &naive_b);
    rel_seq(dim, out, a, b);
    IS_REL(out, &naive_out);
    naive_seq(&naive_out, &naive_a, &naive_a);
    rel_seq(dim, out, a, a);
    IS_REL(out, &naive_out);
}

static void inverse_body(void)
{
    EACH_PAIR (i, j)
        naive_out.at[j][i] = naive_a.at[i][j];
    rel_inverse(dim, out, a);
    IS_REL(out, &naive_out);
}

static void products(void)
{
    on_random(6, seq_body);
    on_random(7, inverse_body);
}

static void closures_body(void)
{
    naive_plus(&naive_out, &naive_a);
    rel_plus(dim, out, a);
    IS_REL(out, &naive_out);
    rel_copy(dim, out, a);
    rel_plus(dim, out, out);
    IS_REL(out, &naive_out);
    for (uint32_t i = 0; i < dim.n; i++)
        naive_out.at[i][i] = true;
    rel_star(dim, out, a);
    IS_REL(out, &naive_out);
    rel_copy(dim, out, a);
    rel_star(dim, out, out);
    IS_REL(out, &naive_out);
    EACH_PAIR (i, j)
        naive_out.at[i][j] = naive_a.at[i][j] || i == j;
    rel_opt(dim, out, a);
    IS_REL(out, &naive_out);
    rel_copy(dim, out, a);
    rel_opt(dim, out, out);
    IS_REL(out, &naive_out);
}

static void closures(void)
{
    on_random(8, closures_body);
}

static void of_sets_body(void)
{
    EACH_PAIR (i, j)
        naive_out.at[i][j] = i == j && naive_s.at[0][i];
    rel_of_set(dim, out, s);
    IS_REL(out, &naive_out);
    EACH_PAIR (i, j)
        naive_out.at[i][j] = naive_s.at[0][i] && naive_t.at[0][j];
    rel_product(dim, out, s, t);
    IS_REL(out, &naive_out);
}

static void restrict_body(void)
{
    EACH_PAIR (i, j)
        naive_out.at[i][j] = naive_a.at[i][j] && naive_s.at[0][i];
    rel_restrict_domain(dim, out, s, a);
    IS_REL(out, &naive_out);
    rel_copy(dim, out, a);
    rel_restrict_domain(dim, out, s, out);
    IS_REL(out, &naive_out);
    EACH_PAIR (i, j)
        naive_out.at[i][j] = naive_a.at[i][j] && naive_s.at[0][j];
    rel_restrict_range(dim, out, a, s);
    IS_REL(out, &naive_out);
    rel_copy(dim, out, a);
    rel_restrict_range(dim, out, out, s);
    IS_REL(out, &naive_out);
}

static void to_sets_body(void)
{
    memset(&naive_out, 0, sizeof naive_out);
    EACH_PAIR (i, j)
        naive_out.at[0][i] |= naive_a.at[i][j];
    rel_domain(dim, set_out, a);
    IS_SET(set_out, &naive_out);
    memset(&naive_out, 0, sizeof naive_out);
    EACH_PAIR (i, j)
        naive_out.at[0][j] |= naive_a.at[i][j];
    rel_range(dim, set_out, a);
    IS_SET(set_out, &naive_out);
}

static void sets_and_relations(void)
{
    on_random(9, of_sets_body);
    on_random(10, restrict_body);
    on_random(11, to_sets_body);
}

static void single_pairs_body(void)
{
    EACH_PAIR (i, j)
        if (rel_has(dim, a, i, j) != naive_a.at[i][j])
            CU_FAIL("rel_has");
    if (dim.n == 0)
        return;
    uint32_t from = unit_below(&random_state, dim.n), to = unit_below(&random_state, dim.n);
    rel_add(dim, a, from, to);
    naive_a.at[from][to] = true;
    IS_REL(a, &naive_a);
    rel_remove(dim, a, from, to);
    naive_a.at[from][to] = false;
    IS_REL(a, &naive_a);
    HOLDS(rel_row(dim, a, from) == a + from * dim.words);
}

static void single_pairs(void)
{
    on_random(12, single_pairs_body);
}

/* ---- Cycles --------------------------------------------------------------- */

/* Length of a shortest cycle: the least k with a loop in a^k; 0 when acyclic. */
static uint32_t naive_girth(const struct matrix *x)
{
    static struct matrix power;
    power = *x;
    for (uint32_t length = 1; length <= dim.n; length++) {
        if (!naive_irreflexive(&power))
            return length;
        naive_seq(&power, &power, x);
    }
    return 0;
}

static void check_cycles(void)
{
    uint32_t girth = naive_girth(&naive_a), cycle[LARGEST];
    rel_word *scratch = new_words(rel_set_words(dim));
    HOLDS(rel_irreflexive(dim, a) == naive_irreflexive(&naive_a));
    HOLDS(rel_acyclic(dim, a, scratch) == (girth == 0));
    rel_plus(dim, out, a);
    HOLDS(rel_irreflexive(dim, out) == (girth == 0));
    HOLDS(rel_find_cycle(dim, a, cycle) == girth);
    for (uint32_t i = 0; i < girth; i++)
        HOLDS(naive_a.at[cycle[i]][cycle[(i + 1) % girth]]);
    free(scratch);
}

/* Keeps a pair only when it goes up in a random numbering, so a is acyclic. */
static void acyclic_body(void)
{
    uint32_t rank[LARGEST];
    for (uint32_t i = 0; i < dim.n; i++) {
        uint32_t j = unit_below(&random_state, i + 1);
        rank[i] = rank[j];
        rank[j] = i;
    }
    EACH_PAIR (i, j)
        naive_a.at[i][j] &= rank[i] < rank[j];
    pack(a, &naive_a, dim.n);
    HOLDS(naive_girth(&naive_a) == 0);
    check_cycles();
}

/* A ring through all events has one cycle, of length n. */
static void ring_body(void)
{
    memset(&naive_a, 0, sizeof naive_a);
    for (uint32_t i = 0; i < dim.n; i++)
        naive_a.at[i][(i + 1) % dim.n] = true;
    pack(a, &naive_a, dim.n);
    HOLDS(naive_girth(&naive_a) == dim.n);
    check_cycles();
}

static void cycles(void)
{
    on_random(13, check_cycles);
    on_random(14, acyclic_body);
    on_random(15, ring_body);
}

/* ---- Laws ------------------------------------------------------------------ */

/* Two sides computed into out and out2 are one relation. */
#define SAME_SIDES HOLDS(rel_equal(dim, out, out2))

static void boolean_laws_body(void)
{
    rel_word *u = new_words(rel_words(dim)), *v = new_words(rel_words(dim));
    rel_comp(dim, u, a);
    rel_comp(dim, v, b);
    rel_union(dim, out, a, b); /* ~(a|b) = ~a & ~b */
    rel_comp(dim, out, out);
    rel_inter(dim, out2, u, v);
    SAME_SIDES;
    rel_inter(dim, out, a, b); /* ~(a&b) = ~a | ~b */
    rel_comp(dim, out, out);
    rel_union(dim, out2, u, v);
    SAME_SIDES;
    rel_diff(dim, out, a, b); /* a \ b = a & ~b */
    rel_inter(dim, out2, a, v);
    SAME_SIDES;
    rel_comp(dim, out, u); /* ~~a = a */
    HOLDS(rel_equal(dim, out, a));
    rel_union(dim, out, a, u); /* a | ~a = everything */
    rel_fill(dim, out2);
    SAME_SIDES;
    rel_union(dim, out, b, c); /* a & (b|c) = (a&b) | (a&c) */
    rel_inter(dim, out, a, out);
    rel_inter(dim, u, a, b);
    rel_inter(dim, v, a, c);
    rel_union(dim, out2, u, v);
    SAME_SIDES;
    free(u);
    free(v);
}

static void mdd_laws_body(void)
{
    rel_word *u = new_words(rel_words(dim)), *v = new_words(rel_words(dim));
    rel_seq(dim, u, a, b); /* (a;b)^-1 = b^-1;a^-1 */
    rel_inverse(dim, out, u);
    rel_inverse(dim, u, a);
    rel_inverse(dim, v, b);
    rel_seq(dim, out2, v, u);
    SAME_SIDES;
    rel_inverse(dim, out, u); /* a^-1^-1 = a */
    HOLDS(rel_equal(dim, out, a));
    rel_seq(dim, u, a, b); /* (a;b);c = a;(b;c) */
    rel_seq(dim, out, u, c);
    rel_seq(dim, v, b, c);
    rel_seq(dim, out2, a, v);
    SAME_SIDES;
    rel_union(dim, u, b, c); /* a;(b|c) = a;b | a;c */
    rel_seq(dim, out, a, u);
    rel_seq(dim, u, a, b);
    rel_seq(dim, v, a, c);
    rel_union(dim, out2, u, v);
    SAME_SIDES;
    rel_inter(dim, u, b, c); /* a;(b&c) within a;b & a;c */
    rel_seq(dim, out, a, u);
    rel_seq(dim, u, a, b);
    rel_inter(dim, out2, u, v);
    HOLDS(rel_subset(dim, out, out2));
    rel_identity(dim, u); /* id;a = a = a;id */
    rel_seq(dim, out, u, a);
    rel_seq(dim, out2, a, u);
    SAME_SIDES;
    HOLDS(rel_equal(dim, out, a));
    rel_of_set(dim, u, s); /* [s];a and a;[s] are the restrictions */
    rel_seq(dim, out, u, a);
    rel_restrict_domain(dim, out2, s, a);
    SAME_SIDES;
    rel_seq(dim, out, a, u);
    rel_restrict_range(dim, out2, a, s);
    SAME_SIDES;
    free(u);
    free(v);
}

static void closure_laws_body(void)
{
    rel_word *u = new_words(rel_words(dim));
    rel_plus(dim, out, a); /* (a+)+ = a+ */
    rel_plus(dim, out2, out);
    SAME_SIDES;
    rel_seq(dim, u, out, out); /* a+;a+ within a+ */
    HOLDS(rel_subset(dim, u, out));
    HOLDS(rel_subset(dim, a, out));
    rel_identity(dim, u); /* a* = id | a+ */
    rel_union(dim, out, out, u);
    rel_star(dim, out2, a);
    SAME_SIDES;
    rel_opt(dim, u, a); /* a* = (a?)+ */
    rel_plus(dim, out, u);
    SAME_SIDES;
    rel_seq(dim, u, a, out2); /* a+ = a;a* */
    rel_plus(dim, out, a);
    HOLDS(rel_equal(dim, out, u));
    rel_inverse(dim, u, a); /* (a^-1)+ = (a+)^-1 */
    rel_plus(dim, u, u);
    rel_inverse(dim, out2, out);
    HOLDS(rel_equal(dim, u, out2));
    free(u);
}

static void domain_laws_body(void)
{
    rel_word *u = new_words(rel_words(dim)), *other = new_words(rel_set_words(dim));
    rel_inverse(dim, u, a); /* domain of a^-1 = range of a, and back */
    rel_domain(dim, set_out, u);
    rel_range(dim, other, a);
    HOLDS(set_equal(dim, set_out, other));
    rel_range(dim, set_out, u);
    rel_domain(dim, other, a);
    HOLDS(set_equal(dim, set_out, other));
    rel_range(dim, set_out, a); /* a within domain * range */
    rel_product(dim, out, other, set_out);
    HOLDS(rel_subset(dim, a, out));
    rel_restrict_domain(dim, out, other, a); /* [domain];a = a = a;[range] */
    HOLDS(rel_equal(dim, out, a));
    rel_restrict_range(dim, out, a, set_out);
    HOLDS(rel_equal(dim, out, a));
    free(u);
    free(other);
}

static void boolean_laws(void)
{
    on_random(16, boolean_laws_body);
}

static void mdd_laws(void)
{
    on_random(17, mdd_laws_body);
}

static void closure_laws(void)
{
    on_random(18, closure_laws_body);
}

static void domain_laws(void)
{
    on_random(19, domain_laws_body);
}

void suite_rel_laws(void)
{
    CU_pSuite suite = CU_add_suite("rel_laws", NULL, NULL);
    UNIT_TEST(suite, shape);
    UNIT_TEST(suite, constants);
    UNIT_TEST(suite, union_pairs);
    UNIT_TEST(suite, inter_pairs);
    UNIT_TEST(suite, diff_pairs);
    UNIT_TEST(suite, comp_pairs);
    UNIT_TEST(suite, comparisons);
    UNIT_TEST(suite, products);
    UNIT_TEST(suite, closures);
    UNIT_TEST(suite, sets_and_relations);
    UNIT_TEST(suite, single_pairs);
    UNIT_TEST(suite, cycles);
    UNIT_TEST(suite, boolean_laws);
    UNIT_TEST(suite, mdd_laws);
    UNIT_TEST(suite, closure_laws);
    UNIT_TEST(suite, domain_laws);
}
