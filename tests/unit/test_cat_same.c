/* cat_same: which model pairs have the same checks. */
#include "test_cat_fixture.h"

#include "cat/cat_same.h"

static void expect_same(bool expected, const char *const a[2], const char *const b[2])
{
    struct cat_fixture x, y;
    cat_fixture_load(&x, a[0], a[1]);
    cat_fixture_load(&y, b[0], b[1]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x.model);
    CU_ASSERT_PTR_NOT_NULL_FATAL(y.model);
    CU_ASSERT_EQUAL(cat_same_checks(&x.arena, x.model, y.model), expected);
    CU_ASSERT_EQUAL(cat_same_checks(&y.arena, y.model, x.model), expected);
    cat_fixture_free(&x);
    cat_fixture_free(&y);
}

#define SC "acyclic po | rf | co | fr as sc\n"
#define SAME(v, p, w, q) expect_same(true, (const char *const[]){v, p}, (const char *const[]){w, q})
#define OTHER(v, p, w, q) \
    expect_same(false, (const char *const[]){v, p}, (const char *const[]){w, q})

/* What persistency models define moves the nodes of the checks about. */
static void test_beside_checks(void)
{
    SAME(SC, "", SC, "let durable-before = (po & loc)+; rf let durable-after = po");
    SAME(SC, "let waits = W", "let unused = rf; rf " SC, "let can-persist = 0");
    SAME(SC, "empty rf; rf as x", SC, "let can-persist = 0 let y = rf empty y; y as x");
    SAME("", "", "", "let durable-before = po");
}

static void test_checks(void)
{
    OTHER(SC, "", "acyclic po | rf | co as sc\n", "");
    OTHER(SC, "", "irreflexive po | rf | co | fr as sc\n", "");
    OTHER(SC, "", "acyclic po | rf | co | fr as other\n", "");
    OTHER("empty rf as x", "", "~empty rf as x", "");
    OTHER("empty rf as x", "", "undefined_unless empty rf as x", "");
    OTHER("empty rf as x", "", "flag empty rf as x", "");
    OTHER("empty rf; co as x", "", "empty co; rf as x", "");
    OTHER("empty rf as x", "", "empty rf^-1 as x", "");
    OTHER("empty R as x", "", "empty W as x", "");
    OTHER(SC, "", SC, "empty rf; rf as more");
    OTHER(SC, "", SC, "let persist-before = rf; po"); /* a flag comes with it */
}

/* A name that a check uses may mean another thing, as in `adds-to-hb` of a persistency model. */
static void test_below_checks(void)
{
    OTHER(SC, "let a = rf empty a; po as x", SC, "let a = co empty a; po as x");
    OTHER(SC, "let a = rf; (po | co) empty a; po as x", SC,
          "let a = rf; (po | fr) empty a; po as x");
}

static void test_recursion(void)
{
    SAME("let rec a = rf | a; b and b = po | b; a acyclic a as x", "",
         "let other = co; co let rec c = rf | c; d and d = po | d; c acyclic c as x",
         "let durable-before = other");
    OTHER("let rec a = rf | a; b and b = po | b; a acyclic a as x", "",
          "let rec a = rf | a; b and b = po | b; a acyclic b as x", "");
    OTHER("let rec a = rf | a; b and b = po | b; a acyclic a as x", "",
          "let rec a = rf | b; a and b = po | b; a acyclic a as x", "");
    OTHER("let rec a = rf | a; b and b = po | b; a acyclic a as x", "",
          "let rec a = rf | a; b and b = co | b; a acyclic a as x", "");
    OTHER("let rec a = rf | a; a acyclic a as x", "", "acyclic rf+ as x", "");
}

/* Each model's executions have picks of their own. */
static void test_choices(void)
{
    OTHER("with x from linearisations(W, 0) acyclic x | po as c", "",
          "with x from linearisations(W, 0) acyclic x | po as c", "");
}

/* ---- What is durable as well ---- */

static void expect_all(bool expected, const char *const a[2], const char *const b[2])
{
    struct cat_fixture x, y;
    cat_fixture_load(&x, a[0], a[1]);
    cat_fixture_load(&y, b[0], b[1]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x.model);
    CU_ASSERT_PTR_NOT_NULL_FATAL(y.model);
    CU_ASSERT_EQUAL(cat_same(&x.arena, x.model, y.model), expected);
    CU_ASSERT_EQUAL(cat_same(&y.arena, y.model, x.model), expected);
    cat_fixture_free(&x);
    cat_fixture_free(&y);
}

/* What is not used, names of checks and flags change nothing that a test shows; a name of the
 * contract does, be it of one model alone. */
static void test_durable(void)
{
    static const char *const plain[] = {SC, "let durable-before = po"},
                             *const longer[] = {"let x = rf " SC,
                                                "let durable-before = po let y = co"},
                             *const flagged[] = {SC, "flag ~empty rf as f let durable-before = po"},
                             *const renamed[] = {"acyclic po | rf | co | fr as other",
                                                 "let durable-before = po"},
                             *const other[] = {SC, "let durable-before = po & loc"},
                             *const checked[] = {SC, "let durable-before = po empty rf; rf as x"},
                             *const bare[] = {SC, ""};
    expect_all(true, plain, longer);
    expect_all(true, plain, flagged);
    expect_all(true, plain, renamed);
    expect_all(false, plain, other);
    expect_all(false, plain, checked);
    expect_all(false, plain, bare);
    expect_all(true, bare, bare);
}

/* ---- Where some bases are empty ---- */

/* Where there is no fence and no rf. */
static void expect_without(bool expected, const char *a, const char *b)
{
    struct cat_fixture x, y;
    cat_fixture_load(&x, SC, a);
    cat_fixture_load(&y, SC, b);
    CU_ASSERT_PTR_NOT_NULL_FATAL(x.model);
    CU_ASSERT_PTR_NOT_NULL_FATAL(y.model);
    bool *empty = ARENA_ARRAY(&x.arena, bool, x.model->basis->count);
    for (uint32_t i = 0; i < x.model->basis->count; i++)
        empty[i] = strcmp(x.model->basis->names[i].name, "F") == 0 ||
                   strcmp(x.model->basis->names[i].name, "rf") == 0;
    CU_ASSERT_EQUAL(cat_same_without(&x.arena, x.model, y.model, empty), expected);
    CU_ASSERT_EQUAL(cat_same_without(&y.arena, y.model, x.model, empty), expected);
    CU_ASSERT_FALSE(cat_same(&x.arena, x.model, y.model));
    cat_fixture_free(&x);
    cat_fixture_free(&y);
}

/* A product, a sequence and an intersection with nothing are nothing; a union has what is left, and
 * so has a difference; `r?` of nothing is `id`, and the complement of nothing is all. */
static void test_without(void)
{
    expect_without(true, "let durable-before = po | po; [F]; po", "let durable-before = po");
    expect_without(true, "let durable-before = [F]; po", "let durable-before = po; [F]");
    expect_without(true, "let durable-before = [F]; po", "");
    expect_without(true, "let durable-before = [F & W]; po", "let durable-before = F * W");
    expect_without(true, "let durable-before = po \\ (rf; po)", "let durable-before = po");
    expect_without(true, "let durable-before = rf^-1; po", "let durable-before = rf+");
    expect_without(true, "let durable-before = [domain(rf)]; po", "let durable-before = 0");
    expect_without(true, "let durable-before = po empty [F]; po as x",
                   "let durable-before = po | rf");
    expect_without(false, "let durable-before = po", "let durable-before = po; [F]");
    expect_without(false, "let durable-before = po", "");
    expect_without(false, "let durable-before = po; rf?", "let durable-before = 0");
    expect_without(false, "let durable-before = po; rf*", "let durable-before = 0");
    expect_without(false, "let durable-before = po & ~rf", "let durable-before = 0");
    expect_without(false, "let durable-before = po", "let durable-before = rf \\ po");
    expect_without(false, "let durable-before = po ~empty [F]; po as x", "let durable-before = po");
}

void suite_cat_same(void)
{
    CU_pSuite suite = CU_add_suite("cat_same", NULL, NULL);
    UNIT_TEST(suite, test_beside_checks);
    UNIT_TEST(suite, test_checks);
    UNIT_TEST(suite, test_below_checks);
    UNIT_TEST(suite, test_recursion);
    UNIT_TEST(suite, test_choices);
    UNIT_TEST(suite, test_durable);
    UNIT_TEST(suite, test_without);
}
