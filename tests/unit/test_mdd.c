/* Diagrams of states: the laws of sets held against sets kept as one bit a row, on random inputs;
 * and crash states of executions that are not listed, whose numbers follow by hand. */
#include "test_enum_fixture.h"

#include "engine/agree.h"
#include "engine/inclusion.h"
#include "mdd/mdd_cover.h"
#include "document/report_product.h"
#include "session/session_models.h"
#include "session/session_test.h"

#include <dirent.h>

/* ---- Laws ---- */

/* All rows of WIDTH columns with values 0 to 2: row number r has the digits of r to the base 3. */
enum { WIDTH = 5, ROWS = 243 };

struct naive {
    bool has[ROWS];
};

static void row_of(int number, int64_t *row)
{
    for (int i = 0; i < WIDTH; i++, number /= 3)
        row[i] = number % 3;
}

static int number_of(const int64_t *row)
{
    int number = 0;
    for (int i = WIDTH; i-- > 0;)
        number = number * 3 + (int)row[i];
    return number;
}

static mdd_node of_naive(struct mdd *store, const struct naive *set)
{
    int64_t rows[ROWS * WIDTH];
    size_t count = 0;
    for (int i = 0; i < ROWS; i++)
        if (set->has[i])
            row_of(i, rows + WIDTH * count++);
    return mdd_rows(store, rows, count);
}

/* Sparse, dense, and of two columns that go together. */
static void draw(struct naive *set, uint64_t *seed)
{
    uint32_t one_in = 1 + unit_below(seed, 5), kind = unit_below(seed, 3);
    for (int i = 0; i < ROWS; i++) {
        int64_t row[WIDTH];
        row_of(i, row);
        set->has[i] = kind == 0   ? unit_below(seed, one_in) == 0
                      : kind == 1 ? row[0] == row[3] && row[2] < 2
                                  : row[1] == 0 || (row[4] == 2 && row[1] == 1);
    }
}

static void expect_same(struct mdd *store, mdd_node set, const struct naive *expected)
{
    uint64_t count = 0;
    for (int i = 0; i < ROWS; i++) {
        int64_t row[WIDTH];
        row_of(i, row);
        CU_ASSERT_EQUAL(mdd_has(store, set, row), expected->has[i]);
        count += expected->has[i];
    }
    CU_ASSERT_EQUAL(mdd_count(store, set), count);
    CU_ASSERT_EQUAL(of_naive(store, expected), set);
    int64_t rows[ROWS * WIDTH];
    mdd_list(store, set, rows);
    CU_ASSERT_EQUAL(mdd_rows(store, rows, count), set);
}

static bool is_small(const void *context, int64_t value)
{
    return value < *(const int64_t *)context;
}

static bool is_same(const void *context, int64_t value)
{
    return value == *(const int64_t *)context;
}

static bool are_same(const void *context, int64_t a, int64_t b)
{
    (void)context;
    return a == b;
}

static bool is_less(const void *context, int64_t a, int64_t b)
{
    (void)context;
    return a < b;
}

static void check_pair(struct mdd *store, const struct naive *x, const struct naive *y)
{
    mdd_node a = of_naive(store, x), b = of_naive(store, y);
    struct naive both, either, rest;
    for (int i = 0; i < ROWS; i++) {
        both.has[i] = x->has[i] && y->has[i];
        either.has[i] = x->has[i] || y->has[i];
        rest.has[i] = x->has[i] && !y->has[i];
    }
    expect_same(store, mdd_meet(store, a, b), &both);
    expect_same(store, mdd_union(store, a, b), &either);
    expect_same(store, mdd_minus(store, a, b), &rest);
}

/* Of the last column 0 and 2 change places. */
static int64_t turn_last(const void *context, uint32_t column, int64_t value)
{
    (void)context;
    return column == WIDTH - 1 ? 2 - value : value;
}

/* Below its number, but of the first and the fourth, of which all are kept. */
static bool is_below(const void *context, uint32_t column, int64_t value)
{
    (void)context;
    return column == 0 || column == 3 || value < (int64_t)column;
}

static void check_columns(struct mdd *store, const struct naive *x)
{
    mdd_node a = of_naive(store, x);
    static const uint32_t from[WIDTH] = {3, 0, 4, 1, 2};
    static const int64_t two = 2;
    struct naive small = {{0}}, less = {{0}}, below = {{0}}, cleared = {{0}}, renamed = {{0}};
    for (int i = 0; i < ROWS; i++) {
        int64_t row[WIDTH], other[WIDTH];
        row_of(i, row);
        small.has[i] = x->has[i] && row[2] < 2;
        less.has[i] = x->has[i] && row[4] < row[1];
        below.has[i] = x->has[i] && row[1] < 1 && row[2] < 2 && row[4] < 4;
        for (int k = 0; k < WIDTH; k++)
            other[k] = from[k] == 4 ? 2 - row[4] : row[from[k]];
        renamed.has[number_of(other)] |= x->has[i];
        row[3] = 1;
        cleared.has[number_of(row)] |= x->has[i];
    }
    expect_same(store, mdd_filter(store, a, 2, is_small, &two), &small);
    expect_same(store, mdd_filter_pair(store, a, 4, 1, is_less, NULL), &less);
    expect_same(store, mdd_filter_all(store, a, is_below, NULL), &below);
    expect_same(store, mdd_assign(store, a, 3, 1), &cleared);
    expect_same(store, mdd_renamed(store, a, from, turn_last, NULL), &renamed);
}

static bool in_box(const struct mdd_factor *factor, uint32_t box, const int64_t *row)
{
    for (uint32_t i = 0; i < factor->width; i++) {
        const struct mdd_values *values = &factor->boxes[box * factor->width + i];
        bool found = false;
        for (uint32_t k = 0; k < values->count; k++)
            found |= values->items[k] == row[factor->columns[i]];
        if (!found)
            return false;
    }
    return true;
}

/* What is read off has the rows of the set, and no others. */
static void check_cover(struct mdd *store, const struct naive *x)
{
    struct arena arena;
    mdd_node a = of_naive(store, x);
    if (a == MDD_EMPTY)
        return;
    arena_init(&arena);
    struct mdd_cover cover = mdd_cover(&arena, store, a, NULL);
    uint32_t columns = 0;
    for (uint32_t f = 0; f < cover.count; f++)
        columns += cover.factors[f].width;
    CU_ASSERT_EQUAL(columns, WIDTH);
    for (int i = 0; i < ROWS; i++) {
        int64_t row[WIDTH];
        bool all = true;
        row_of(i, row);
        for (uint32_t f = 0; f < cover.count; f++) {
            bool any = false;
            for (uint32_t b = 0; b < cover.factors[f].box_count; b++)
                any |= in_box(&cover.factors[f], b, row);
            all &= any;
        }
        CU_ASSERT_EQUAL(all, x->has[i]);
    }
    arena_fini(&arena);
}

/* Whether a register has a value, what it is, and a location: (0, 0, 0), (1, 0, 0), (1, 0, 1). The
 * value is 0 in all rows, and is told with the column before it all the same. */
static void test_following(void)
{
    static const int64_t rows[] = {0, 0, 0, 1, 0, 0, 1, 0, 1};
    static const bool follows[] = {false, true, false};
    struct arena arena;
    struct mdd *store = mdd_new(3, NULL, 100);
    mdd_node set = mdd_rows(store, rows, 3);
    arena_init(&arena);
    CU_ASSERT_EQUAL(mdd_cover(&arena, store, set, NULL).count, 2);
    struct mdd_cover cover = mdd_cover(&arena, store, set, follows);
    CU_ASSERT_EQUAL(cover.count, 1);
    CU_ASSERT_EQUAL(cover.factors[0].width, 3);
    arena_fini(&arena);
    mdd_free(store);
}

static void test_laws(void)
{
    static const uint32_t order[WIDTH] = {4, 1, 0, 3, 2};
    uint64_t seed = 7;
    struct mdd *stores[] = {mdd_new(WIDTH, NULL, 1 << 20), mdd_new(WIDTH, order, 1 << 20)};
    for (int turn = 0; turn < 120; turn++) {
        struct naive x, y;
        struct mdd *store = stores[turn % 2];
        draw(&x, &seed);
        draw(&y, &seed);
        check_pair(store, &x, &y);
        check_columns(store, &x);
        check_cover(store, &x);
        CU_ASSERT_EQUAL(mdd_digest(store, of_naive(store, &x)) ==
                            mdd_digest(store, of_naive(store, &y)),
                        memcmp(&x, &y, sizeof x) == 0);
        struct mdd *other = mdd_like(store);
        expect_same(other, mdd_copy(other, store, of_naive(store, &x)), &x);
        mdd_free(other);
    }
    mdd_free(stores[0]);
    mdd_free(stores[1]);
}

/* Choices that exclude each other by pairs, against all combinations of them. */
static void check_choices(uint64_t *seed)
{
    enum { EACH = 3, ALL = WIDTH * EACH };
    static const uint32_t order[WIDTH] = {2, 4, 0, 1, 3};
    uint32_t first[WIDTH + 1];
    uint64_t excludes[ALL] = {0};
    int64_t values[ALL];
    struct naive expected = {{0}};
    for (uint32_t i = 0; i <= WIDTH; i++)
        first[i] = i * EACH;
    for (uint32_t a = 0; a < ALL; a++) {
        values[a] = unit_below(seed, 3);
        for (uint32_t b = 0; b < a; b++)
            if (a / EACH != b / EACH && unit_below(seed, 4) == 0) {
                excludes[a] |= UINT64_C(1) << b;
                excludes[b] |= UINT64_C(1) << a;
            }
    }
    for (int i = 0; i < ROWS; i++) {
        int64_t row[WIDTH], value_row[WIDTH];
        uint64_t chosen = 0, ruled_out = 0;
        row_of(i, row);
        for (int k = 0; k < WIDTH; k++) {
            chosen |= UINT64_C(1) << (k * EACH + row[k]);
            ruled_out |= excludes[k * EACH + row[k]];
            value_row[k] = values[k * EACH + row[k]];
        }
        if (!(chosen & ruled_out))
            expected.has[number_of(value_row)] = true;
    }
    struct mdd *store = mdd_new(WIDTH, order, 1 << 20);
    const struct mdd_choices choices = {first, values, excludes, 1};
    expect_same(store, mdd_of_choices(store, &choices), &expected);
    mdd_free(store);
}

static void test_choices(void)
{
    uint64_t seed = 11;
    for (int turn = 0; turn < 200; turn++)
        check_choices(&seed);
}

/* 3^100 rows in fewer than 1000 nodes. */
static void test_large(void)
{
    uint32_t first[101];
    int64_t values[300];
    uint64_t excludes[300 * 5] = {0};
    struct strbuf text = {0};
    for (uint32_t i = 0; i <= 100; i++)
        first[i] = 3 * i;
    for (int i = 0; i < 300; i++)
        values[i] = i % 3;
    struct mdd *store = mdd_new(100, NULL, 1000);
    mdd_node set = mdd_of_choices(store, &(struct mdd_choices){first, values, excludes, 5});
    CU_ASSERT(!mdd_is_full(store) && mdd_count(store, set) == UINT64_MAX);
    mdd_count_text(store, set, &text);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&text), "515377520732011331036461129765621272702107522001");
    strbuf_fini(&text);
    mdd_free(store);
}

/* Ten columns, then a column m, 9 + 9 columns, a second m, and ten columns: where m is 0 the first
 * ten are as the last ten, where it is 1 the 9 are as the other 9. The levels up to m have 2^10
 * nodes, and behind m = 1 all of them go on alike, with some 2^10 nodes. That both columns m are
 * equal is asked in about 2^10 * 20 steps, since these nodes are looked at once. Rows: m = 0 in
 * both, 2^10 * 2^18; m = 1, 2^20 * 2^9. */
static void test_pair_apart(void)
{
    enum { SIDE = 10, M = SIDE, INNER = 9, SECOND = M + 2 * INNER + 1, ALL = SECOND + 1 + SIDE };
    struct mdd *store = mdd_new(ALL, NULL, 1 << 18);
    static const int64_t zero = 0, one = 1;
    mdd_node all = MDD_END;
    for (int i = 0; i < ALL; i++)
        all = mdd_union(store, mdd_edge(store, 0, all), mdd_edge(store, 1, all));
    mdd_node a = mdd_filter(store, all, M, is_same, &zero);
    mdd_node b = mdd_filter(store, all, M, is_same, &one);
    for (uint32_t i = 0; i < SIDE; i++)
        a = mdd_filter_pair(store, a, i, SECOND + 1 + i, are_same, NULL);
    for (uint32_t i = 0; i < INNER; i++)
        b = mdd_filter_pair(store, b, M + 1 + i, M + 1 + INNER + i, are_same, NULL);
    struct clock_allowance allowance = {.left = (uint64_t)512 * 100000};
    struct clock_limit clock = {.allowance = &allowance};
    all = mdd_union(store, a, b);
    mdd_heed(store, &clock);
    all = mdd_filter_pair(store, all, M, SECOND, are_same, NULL);
    CU_ASSERT(!mdd_is_full(store));
    CU_ASSERT_EQUAL(mdd_count(store, all), (1u << 28) + (1u << 29));
    mdd_free(store);
}

/* A bound on nodes that is met is seen, and a store that was full goes on. */
static void test_full(void)
{
    struct mdd *store = mdd_new(8, NULL, 12);
    mdd_node all = MDD_EMPTY;
    for (int64_t i = 0; i < 4; i++) {
        const int64_t row[8] = {i, i, i, i, i, i, i, i};
        mdd_node one = mdd_row(store, row);
        all = mdd_is_full(store) ? all : mdd_union(store, all, one);
    }
    CU_ASSERT(mdd_is_full(store));
    mdd_retry(store);
    CU_ASSERT(!mdd_is_full(store));
    mdd_free(store);
}

/* ---- Crash states ---- */

/* Of the first condition: states that satisfy it and that do not, and whether all are a product. */
static void expect_counts(const char *text, const char *positive, const char *negative)
{
    struct enum_case c;
    struct strbuf with = {0}, without = {0};
    enum_case_init(&c, text, "hrf-direct", "epoch", false);
    const struct lit_condition *condition = &c.f.program->conditions[0];
    CU_ASSERT_PTR_NOT_NULL(c.o.crash.product);
    CU_ASSERT_PTR_NULL(outcome_doubt(&c.o));
    outcome_count_text(&c.o, c.f.program, condition, true, &with);
    outcome_count_text(&c.o, c.f.program, condition, false, &without);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&with), positive);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&without), negative);
    CU_ASSERT(c.witnesses > 0);
    strbuf_fini(&with);
    strbuf_fini(&without);
    enum_case_fini(&c);
}

/* c is durable only when all 20 are: 2^20 states without it, and one with it. Of these x[0] is 1 in
 * 2^19 + 1. */
static void test_epoch(void)
{
    expect_counts("OPENCL t\n{ nvm x[20]; nvm c = 0; }\n"
                  "P0 (global int* x, global int* c) {\n"
                  "  for (int i = 0; i < 20; i++) { x[i] = 1; } p_barrier_wi; *c = 1; }\n"
                  "crash exists (x[0]=1)\n",
                  "524289", "524288");
}

/* Two epochs of 10: 2^10 states of the first, and with all of it 2^10 - 1 more of the second. With
 * a third of 10 it is 3 * 2^10 - 2. All are fewer than are listed; of 13 a product: 2 * 2^13 - 1,
 * of which y[12] is 1 in 2^12. */
static void test_barrier_between(void)
{
    expect_counts("OPENCL t\n{ nvm x[13]; nvm y[13]; }\n"
                  "P0 (global int* x, global int* y) {\n"
                  "  for (int i = 0; i < 13; i++) { x[i] = 1; } p_barrier_wi;\n"
                  "  for (int k = 0; k < 13; k++) { y[k] = 1; } }\n"
                  "crash exists (y[12]=1)\n",
                  "4096", "12287");
}

/* Each of two work-items has 2^7 states of its own epoch and one with its flag: 129^2 together. Of
 * these both flags are there in one. */
static void test_two_work_items(void)
{
    expect_counts("OPENCL t\n{ nvm x[7]; nvm y[7]; nvm f = 0; nvm g = 0; }\n"
                  "P0@wg 0 (global int* x, global int* f) {\n"
                  "  for (int i = 0; i < 7; i++) { x[i] = 1; } p_barrier_wi; *f = 1; }\n"
                  "P1@wg 0 (global int* y, global int* g) {\n"
                  "  for (int i = 0; i < 7; i++) { y[i] = 1; } p_barrier_wi; *g = 1; }\n"
                  "crash exists (f=1 /\\ g=1)\n",
                  "1", "16640");
}

/* Coherent writes to one location: 0, 1 or 2, so 3^8 with x[7] = 2 in a third. Equal values of
 * different writes are one state: x[i] = 1 twice, 2^13. */
static void test_coherent(void)
{
    expect_counts("OPENCL t\n{ nvm x[9]; }\n"
                  "P0 (global int* x) { for (int i = 0; i < 9; i++) { x[i] = 1; x[i] = 2; } }\n"
                  "crash exists (x[7]=2)\n",
                  "6561", "13122");
    expect_counts("OPENCL t\n{ nvm x[13]; }\n"
                  "P0 (global int* x) { for (int i = 0; i < 13; i++) { x[i] = 1; x[i] = 1; } }\n"
                  "crash forall (x[0]=x[12])\n",
                  "4096", "4096");
}

/* A register of a crash condition: the load returns 1 once its own store has executed, and has no
 * value before. Stores are durable only when executed: all 14 behind the load are 0 without it. So
 * 2 states without a value (y alone), and 2 * 2^14 with it. */
static void test_registers(void)
{
    expect_counts("OPENCL t\n{ nvm x[14]; nvm y = 0; }\n"
                  "P0 (global int* x, global int* y) { *y = 1; int r = *y;\n"
                  "  for (int i = 0; i < 14; i++) { x[i] = 1; } }\n"
                  "crash exists (0:r=1)\n",
                  "32768", "2");
}

/* Before the load, which returns 0, nothing is written: 1 state without a value, 2^13 with 0. What
 * a register has is told beside whether it has a value. */
static void test_register_of_one_value(void)
{
    struct enum_case c;
    struct strbuf text = {0};
    enum_case_init(&c,
                   "OPENCL t\n{ nvm x[13]; atomic_int y = 0; }\n"
                   "P0 (global int* x, global atomic_int* y) { int r = y.load();\n"
                   "  for (int i = 0; i < 13; i++) { x[i] = 1; } }\n"
                   "crash exists (0:r=1)\n",
                   "hrf-direct", "epoch", false);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c.o.crash.product);
    report_text_product(c.f.program, &c.o.crash, &text);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&text), "{x[0]..x[12]}=0; 0:r is - or 0: 2 states\n"
                                               "{x[0]..x[12]} each 0 or 1; 0:r=0: 8,192 states\n");
    strbuf_fini(&text);
    enum_case_fini(&c);
}

/* A crash statement between two epochs of 14 and behind both: all of the first is executed at
 * either, what is durable is open; at the first nothing of the second has executed. 2^14 states,
 * and at the second those with all of the first durable: 2^14 - 1 more. */
static void test_points(void)
{
    expect_counts("OPENCL t\n{ nvm x[14]; nvm y[14]; }\n"
                  "P0 (global int* x, global int* y) {\n"
                  "  for (int i = 0; i < 14; i++) { x[i] = 1; } crash \"first\"; p_barrier_wi;\n"
                  "  for (int k = 0; k < 14; k++) { y[k] = 1; } crash \"second\"; }\n"
                  "crash exists (y[0]=0 /\\ x[0]=1)\n",
                  "16383", "16384");
}

/* 2^200 + 1 states, and 2^199 + 1 of them with x[0] = 1. */
static void test_digits(void)
{
    expect_counts("OPENCL t\n{ nvm x[200]; nvm c = 0; }\n"
                  "P0 (global int* x, global int* c) {\n"
                  "  for (int i = 0; i < 200; i++) { x[i] = 1; } p_barrier_wi; *c = 1; }\n"
                  "crash exists (x[0]=1)\n",
                  "803469022129495137770981046170581301261101496891396417650689",
                  "803469022129495137770981046170581301261101496891396417650688");
}

/* In a chain of 200 stores, each durable before the next, as many states as stores and one more.
 * That a state is one of them is a proposition of 200 * 201 / 2 and more comparisons. Each state is
 * asked by itself: 201 times 4 steps for 200 columns, of 512 each. Part by part of the proposition
 * it would be hundreds of walks through all of them, of 400 steps and more. */
static void test_one_by_one(void)
{
    struct enum_case c;
    struct outcome_split split;
    uint32_t columns[200];
    uint64_t distinct;
    struct clock_allowance allowance = {.left = 2000000};
    const struct clock_limit clock = {.allowance = &allowance};
    enum_case_init(&c,
                   "OPENCL t\n{ nvm a[200]; }\nP0 (global int* a) {\n"
                   "  for (int i = 0; i < 200; i++) { a[i] = 1; p_barrier_wi; } }\n",
                   "hrf-direct", "epoch", false);
    for (uint32_t i = 0; i < 200; i++)
        columns[i] = i;
    const struct lit_prop *prop =
        inclusion_prop(&c.o.arena, &c.o.crash, columns, c.o.crash.items, 200, &distinct);
    CU_ASSERT_EQUAL(distinct, 201);
    outcome_factor(&c.o.crash);
    outcome_split(&c.o.crash, c.o.crash.root, c.f.program, prop, &clock, &split);
    CU_ASSERT_FATAL(split.store != NULL);
    CU_ASSERT_EQUAL(mdd_count(split.store, split.positive), 201);
    CU_ASSERT_EQUAL(split.negative, MDD_EMPTY);
    mdd_free(split.store);
    enum_case_fini(&c);
}

/* ---- Recovery ---- */

/* Recovery reads c, and x[1] behind it: two runs. Without c it overwrites x[0] and x[3], and leaves
 * 2^18 states of the other 18; with c all of x is 1 and y becomes 1: one state. x[1] is 1 in 2^17
 * of the former. */
static void test_recovery(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm x[20]; nvm c = 0; nvm y = 7; }\n"
        "P0 (global int* x, global int* c) {\n"
        "  for (int i = 0; i < 20; i++) { x[i] = 1; } p_barrier_wi; *c = 1; }\n"
        "recovery (global int* x, global int* c, global int* y) {\n"
        "  if (*c == 0) { x[0] = 5; x[3] = 6; } else { *y = x[1]; } }\n"
        "recovered forall (c=1 => x[0]=1 /\\ y=1)\n"
        "recovered exists (c=0 /\\ x[1]=1 /\\ x[0]=5)\n"
        "recovered forall (c=1)\n"
        "recovered exists (y=0)\n";
    static const enum lit_verdict expected[] = {LIT_OK, LIT_OK, LIT_VIOLATED, LIT_VIOLATED};
    static const uint64_t positive[] = {262145, 131072, 1, 0};
    for (int decide = 0; decide <= 1; decide++) {
        struct enum_case c;
        enum_case_init(&c, text, "hrf-direct", "epoch", decide);
        for (uint32_t i = 0; i < 4; i++) {
            struct outcome_judgement judgement =
                outcome_judge(&c.o, c.f.program, &c.f.program->conditions[i]);
            CU_ASSERT_EQUAL(judgement.verdict, expected[i]);
            if (!decide) {
                CU_ASSERT_EQUAL(judgement.positive, positive[i]);
                CU_ASSERT_EQUAL(judgement.positive + judgement.negative, 262145);
            }
        }
        const struct outcome_chain *chain = &c.o.chains[2];
        CU_ASSERT_FATAL(chain->recovered && chain->link_count == 1);
        CU_ASSERT_EQUAL(chain->recovered[0], 5);
        CU_ASSERT_EQUAL(chain->links[0].start[20], 0);
        CU_ASSERT_EQUAL(chain->links[0].step_count, 3);
        CU_ASSERT_EQUAL(c.o.recovery_stats.runs, 2);
        enum_case_fini(&c);
    }
}

/* Either work-item may read 0 and store; the other one does not. Of the two executions one is
 * looked at, whose two crash states are more than the one that is listed. Recovery finds {x0} and
 * {x1}, never both, and waits for ever on {x1}. */
static void test_recovery_of_images(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm x0 = 0; nvm x1 = 0; nvm y = 0; atomic_int n = 0; atomic_int f = 0; }\n"
        "P0 { int o = n.fetch_add(1); if (o == 0) { x0 = 1; } }\n"
        "P1 { int o = n.fetch_add(1); if (o == 0) { x1 = 1; } }\n"
        "recovery { y = 1; %s }\n"
        "recovered exists (x0=1 /\\ y=1)\n%s";
    static const struct {
        const char *waits, *condition;
        enum lit_verdict expected;
    } cases[] = {{"", "recovered exists (x1=1)\n", LIT_OK},
                 {"", "recovered ~exists (x1=1)\n", LIT_VIOLATED},
                 {"", "recovered ~exists (x0=1 /\\ x1=1)\n", LIT_OK},
                 {"if (x1 == 1) { while (f.load() == 0); }", "", LIT_ERROR},
                 {"if (x0 == 1) { while (f.load() == 0); }", "recovered exists (x1=1)", LIT_ERROR},
                 {"while (f.load() == 0);", "", LIT_ERROR}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char of_case[512];
        struct enum_case c;
        struct outcome of_sets;
        snprintf(of_case, sizeof of_case, text, cases[i].waits, cases[i].condition);
        enum_case_init(&c, of_case, "hrf-direct", "epoch", false);
        CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), cases[i].expected);
        c.request.thresholds = &engine_least_thresholds;
        for (int decide = 0; decide <= 1; decide++) {
            c.request.decide = decide;
            outcome_init(&of_sets, c.f.program);
            enum_run(&c.request, &of_sets);
            CU_ASSERT_EQUAL(outcome_verdict(&of_sets, c.f.program), cases[i].expected);
            CU_ASSERT_EQUAL(agree_compare(&c.o, &of_sets, c.f.program, decide).count, 0);
            outcome_fini(&of_sets);
        }
        enum_case_fini(&c);
    }
}

/* ---- Listed and not ---- */

static uint64_t compared; /* states */

/* The same verdicts, where conditions are decided by sets. */
static void expect_decided(const struct engine_request *request, const struct outcome *listed)
{
    struct engine_request deciding = *request;
    struct outcome decided;
    deciding.decide = true;
    outcome_init(&decided, request->program);
    enum_run(&deciding, &decided);
    struct agreement agreement = agree_compare(listed, &decided, request->program, true);
    CU_ASSERT_EQUAL(agreement.count, 0);
    if (agreement.count)
        fprintf(stderr, "decided: %s, condition %u\n", request->program->source->name,
                agreement.differences[0].condition);
    outcome_fini(&decided);
}

/* All executions, listed cut by cut, against one of each orbit and sets that are made at once and
 * never listed. */
static void compare_forms(const struct lit_program *program, const struct session_model *pair)
{
    static const struct exec_symmetry none = {NULL, 0};
    struct engine_thresholds all = engine_usual_thresholds, few = engine_usual_thresholds;
    all.listed = UINT32_MAX;
    few.listed = few.recovered = 1;
    struct outcome listed, product;
    struct engine_request request = {.program = program,
                                     .model = pair->model,
                                     .plan = pair->plan,
                                     .crash_mode = engine_default_crash_mode(program),
                                     .limits = {.unroll = 2}};
    outcome_init(&listed, program);
    outcome_init(&product, program);
    request.thresholds = &all;
    request.symmetry = &none;
    enum_run(&request, &listed);
    request.thresholds = &few;
    request.symmetry = NULL;
    enum_run(&request, &product);
    CU_ASSERT_PTR_NULL(listed.crash.product);
    bool takes = !program->recovery_count || !program->recovery_restartable;
    CU_ASSERT_EQUAL(product.crash.product != NULL, takes && listed.crash.count > 1);
    CU_ASSERT_EQUAL(outcome_state_count(&product.recovered), listed.recovered.count);
    CU_ASSERT_EQUAL(product.livelocks.count > 0, listed.livelocks.count > 0);
    CU_ASSERT_EQUAL(outcome_state_count(&product.crash), listed.crash.count);
    CU_ASSERT_EQUAL(outcome_state_count(&product.final), listed.final.count);
    struct agreement agreement = agree_compare(&listed, &product, program, false);
    CU_ASSERT_EQUAL(agreement.count, 0);
    expect_decided(&request, &listed);
    CU_ASSERT(!agreement.reasons[0] || outcome_recovery_doubt(&listed));
    if (agreement.count || outcome_state_count(&product.crash) != listed.crash.count)
        fprintf(stderr, "%s under %s + %s\n", program->source->name, pair->visibility,
                pair->persistency);
    compared += listed.crash.count;
    outcome_fini(&listed);
    outcome_fini(&product);
}

/* With recovery, and without it and what is asked of it, so that sets need not be lists. */
static void compare_file(struct session_models *models, const char *path)
{
    static const struct session_settings settings = {.unroll = 2};
    const struct cat_asker asker = session_models_user(&settings);
    struct session_test test;
    session_test_load(&test, &settings, path);
    if (test.program) {
        struct lit_program program = *test.program;
        struct lit_condition *conditions = arena_copy(
            &test.arena, program.conditions, program.condition_count * sizeof *program.conditions);
        bool refines = false;
        program.condition_count = 0;
        for (uint32_t i = 0; i < test.program->condition_count; i++)
            if (conditions[i].refines)
                refines = true;
            else if (conditions[i].when != LIT_RECOVERED)
                conditions[program.condition_count++] = conditions[i];
        program.conditions = conditions;
        program.recovery_count = 0;
        for (uint32_t i = 0; i < program.expect_count && i < 2; i++) {
            const struct session_model *pair = session_models_get(
                models, &asker, program.expects[i].visibility, program.expects[i].persistency);
            if (pair->model)
                compare_forms(&program, pair);
            if (pair->model && test.program->recovery_count && !refines)
                compare_forms(test.program, pair);
        }
    }
    session_test_fini(&test);
}

static void compare_folder(struct session_models *models, struct arena *arena, const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *name = arena_printf(arena, "%s/%s", path, entry->d_name);
        size_t length = strlen(name);
        if (strstr(name, "/scor-chain"))
            continue; /* half a minute, listed without a symmetry */
        if (entry->d_name[0] != '.' && length > 7 && strcmp(name + length - 7, ".litmus") == 0)
            compare_file(models, name);
        else if (entry->d_name[0] != '.')
            compare_folder(models, arena, name);
    }
    if (folder)
        closedir(folder);
}

/* Every test of the corpus, under the first two pairs that it names. */
static void test_corpus(void)
{
    struct session_models *models = session_models_new();
    struct arena arena;
    arena_init(&arena);
    compared = 0;
    compare_folder(models, &arena, "litmus");
    CU_ASSERT(compared > 1000);
    session_models_free(models);
    arena_fini(&arena);
}

void suite_mdd(void)
{
    CU_pSuite s = CU_add_suite("mdd", NULL, NULL);
    UNIT_TEST(s, test_laws);
    UNIT_TEST(s, test_following);
    UNIT_TEST(s, test_choices);
    UNIT_TEST(s, test_large);
    UNIT_TEST(s, test_pair_apart);
    UNIT_TEST(s, test_full);
    UNIT_TEST(s, test_epoch);
    UNIT_TEST(s, test_barrier_between);
    UNIT_TEST(s, test_two_work_items);
    UNIT_TEST(s, test_coherent);
    UNIT_TEST(s, test_registers);
    UNIT_TEST(s, test_register_of_one_value);
    UNIT_TEST(s, test_points);
    UNIT_TEST(s, test_digits);
    UNIT_TEST(s, test_one_by_one);
    UNIT_TEST(s, test_recovery);
    UNIT_TEST(s, test_recovery_of_images);
    UNIT_HEAVY_TEST(s, test_corpus);
}
