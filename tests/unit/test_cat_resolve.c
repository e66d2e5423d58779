/* Names, sorts, functions and the sharing of nodes. */
#include "test_cat_fixture.h"

static void test_operators(void)
{
    cat_assert_shape("R | W", "(| R W)"); /* at both sorts */
    cat_assert_shape("po | rf", "(| po rf)");
    cat_assert_shape("R & W", "(& R W)");
    cat_assert_shape("R \\ W", "(\\ R W)");
    cat_assert_shape("~R", "(~ R)");
    cat_assert_shape("~po", "(~ po)");
    cat_assert_shape("po; rf", "(; po rf)");
    cat_assert_shape("po?", "(opt po)");
    cat_assert_shape("po+", "(plus po)");
    cat_assert_shape("po*", "(star po)");
    cat_assert_shape("po^-1", "(inv po)");
    cat_assert_shape("domain(po)", "(dom po)");
    cat_assert_shape("range po", "(rng po)");
    cat_assert_shape("[R | W]", "(id (| R W))");
    cat_assert_shape("_", "_");
    cat_assert_shape("0", "0");
}

/* Laws that hold whatever the operands are. */
static void test_simplification(void)
{
    cat_assert_shape("po | 0", "po");
    cat_assert_shape("0 | po", "po");
    cat_assert_shape("po | po", "po");
    cat_assert_shape("R & {}", "0");
    cat_assert_shape("po & po", "po");
    cat_assert_shape("po \\ 0", "po");
    cat_assert_shape("po \\ po", "0");
    cat_assert_shape("0; po", "0");
    cat_assert_shape("R * {}", "0");
    cat_assert_shape("~~po", "po");
    cat_assert_shape("(po^-1)^-1", "po");
    cat_assert_shape("po++", "(refused)"); /* `++` is one word */
    cat_assert_shape("(po+)+", "(plus po)");
    cat_assert_shape("0+", "0");
    cat_assert_shape("0?", "(opt 0)"); /* the identity: not empty */
    cat_assert_shape("domain([R])", "R");
    cat_assert_shape("[R]^-1", "(id R)");
}

/* `0` and `{}` take the sort their place asks for. */
static void test_empty(void)
{
    cat_assert_shape("R | 0", "R");
    cat_assert_shape("po | {}", "po");
    cat_assert_shape("domain 0", "0");
    cat_assert_shape("~0", "(~ 0)");
    cat_assert_loads("let none = 0 acyclic none empty none & R empty none & po");
    cat_assert_loads("acyclic ~0 empty R & ~{}"); /* `0` is a relation, `{}` a set by default */
    cat_assert_error("empty R & ~0", DIAG_CAT_SORT, 1, 7);
}

static void test_functions(void)
{
    cat_assert_shape_after("let f(x, y) = x; y", "f(po, rf)", "(; po rf)");
    cat_assert_shape_after("let f x = x+", "f po", "(plus po)");
    cat_assert_shape_after("let f x = x", "f po+", "(plus po)"); /* application binds tightest */
    cat_assert_shape_after("let f(x) = x; po let g(x) = f(f(x))", "g(rf)", "(; (; rf po) po)");
    cat_assert_shape_after("let f = fun x -> fun y -> x; y", "f po rf", "(; po rf)");
    cat_assert_shape_after("let twice(k, r) = k(k(r)) let up(r) = r; po", "twice(up, rf)",
                           "(; (; rf po) po)"); /* functions as arguments */
    cat_assert_shape_after("let pair = (po, rf) let f(x, y) = x | y", "f pair", "(| po rf)");
    cat_assert_shape_after("let f() = po", "f()", "po");
    cat_assert_shape_after("let d = domain", "d(po)", "(dom po)");
    cat_assert_shape_after("let f(S) = [S]; po", "f(R)", "(; (id R) po)");
    cat_assert_shape_after("let f(_, y) = y", "f(R, po)", "po");
    cat_assert_shape_after("let f(x) = let (a, b) = x in a \\ b", "f(po, rf)", "(\\ po rf)");
    /* One body at two sorts: sorts are those of each application. */
    cat_assert_shape_after("let both(a, b) = a | b", "both(R, W) * domain(both(po, rf))",
                           "(x (| R W) (dom (| po rf)))");
}

/* A name means what it meant where the function was written. */
static void test_scoping(void)
{
    cat_assert_shape_after("let a = po let f(x) = x; a let a = rf", "f(a)", "(; rf po)");
    cat_assert_shape_after("let po = po | rf", "po", "(| po rf)"); /* the right side is older */
    cat_assert_shape_after("let x = po let y = let x = rf in x", "x; y", "(; po rf)");
    cat_assert_shape_after("let f(po) = po; rf", "f(co)", "(; co rf)");
    cat_assert_shape_after("let a = rf and b = co", "a; b", "(; rf co)");
    cat_assert_shape_after("let a = po let a = rf and b = a", "a; b", "(; rf po)");
}

static void test_try(void)
{
    cat_assert_shape("try nowhere with po", "po");
    cat_assert_shape("try po with nowhere", "po");
    cat_assert_shape("try (try nowhere with rf) with po", "rf");
    cat_assert_shape("try (let f (a, b) = a in f(po)) with rf", "rf");
    cat_assert_shape("try nowhere with try neither with co", "co");
    cat_assert_shape_after("let f(x) = try x; nowhere with x", "f(po)", "po");
    cat_assert_error("acyclic try nowhere with neither", DIAG_CAT_UNBOUND, 1, 26);
    cat_assert_error("acyclic try R with po", DIAG_CAT_SORT, 1, 9); /* bound, so not replaced */
}

static void test_unknown_names(void)
{
    cat_assert_error("acyclic pob", DIAG_CAT_UNBOUND, 1, 9);
    cat_assert_error("let f(x) = x; nowhere", DIAG_CAT_UNBOUND, 1, 15); /* never applied */
    cat_assert_error("let a = a | po", DIAG_CAT_UNBOUND, 1, 9);
    cat_assert_error("let f(x) = f(x)", DIAG_CAT_UNBOUND, 1, 12);
    cat_assert_error("let a = po\nlet b = c and c = a", DIAG_CAT_UNBOUND, 2, 9);
    cat_assert_error("acyclic f(po) let f(x) = x", DIAG_CAT_UNBOUND, 1, 9);
}

static void test_sort_errors(void)
{
    static const struct {
        const char *text;
        uint32_t column;
    } faults[] = {
        {"acyclic R; po", 9},
        {"acyclic po; R", 13},
        {"acyclic R+", 9},
        {"acyclic R*", 9},
        {"acyclic R?", 9},
        {"acyclic R^-1", 9},
        {"acyclic [po]", 10},
        {"acyclic po * R", 9},
        {"acyclic R * po", 13},
        {"acyclic domain(R)", 16},
        {"acyclic po | R", 9},
        {"acyclic R & po", 9},
        {"acyclic po \\ R", 9},
        {"acyclic R", 9},
        {"irreflexive R", 13},
        {"acyclic po & _", 9},
        {"acyclic po; domain(po)", 13},
        {"acyclic ~(R | po)", 11},
        {"let f(x) = [x] acyclic f(po)", 13},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        cat_assert_error(faults[i].text, DIAG_CAT_SORT, 1, faults[i].column);
    cat_assert_loads("empty R ~empty po");
}

static void test_function_errors(void)
{
    cat_assert_error("let f(x) = x acyclic f", DIAG_CAT_FUNCTION, 1, 22);
    cat_assert_error("acyclic domain", DIAG_CAT_FUNCTION, 1, 9);
    cat_assert_error("acyclic (po, rf)", DIAG_CAT_FUNCTION, 1, 10);
    cat_assert_error("acyclic po rf", DIAG_CAT_FUNCTION, 1, 9);
    cat_assert_error("let f(x, y) = x acyclic f(po)", DIAG_CAT_ARITY, 1, 25);
    cat_assert_error("let f(x, y) = x acyclic f(po, rf, co)", DIAG_CAT_ARITY, 1, 25);
    cat_assert_error("let (a, b) = po", DIAG_CAT_ARITY, 1, 14);
    cat_assert_error("let a = po and a = rf", DIAG_CAT_DUPLICATE, 1, 16);
}

/* An application of itself would not end; expansion is bounded. */
static void test_expansion_bounds(void)
{
    cat_assert_error("let f(x) = x x acyclic f(f)", DIAG_CAT_TOO_LARGE, 1, 12);
    struct strbuf text = {0};
    strbuf_add(&text, "let f0(x) = x; po\n");
    for (int i = 1; i < 40; i++) /* 2^39 applications of f0 */
        strbuf_printf(&text, "let f%d(x) = f%d(f%d(x))\n", i, i - 1, i - 1);
    strbuf_add(&text, "acyclic f39(rf)");
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, strbuf_text(&text), "");
    CU_ASSERT_PTR_NULL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.diag.errors, 1);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].id, DIAG_CAT_TOO_LARGE);
    cat_fixture_free(&fixture);
    strbuf_fini(&text);
}

/* Equal expressions are one node, wherever and however they are written. */
static void test_sharing(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "let f(x) = x | po; rf\n"
                     "acyclic po; rf | co as a\n"
                     "acyclic f(co) as b\n"
                     "acyclic co | (po; rf) as c\n"
                     "acyclic co; rf as d\n",
                     "acyclic po; rf | co as e\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    cat_node_id a = cat_fixture_check(&fixture, "a")->node;
    CU_ASSERT_EQUAL(cat_fixture_check(&fixture, "b")->node, a);
    CU_ASSERT_EQUAL(cat_fixture_check(&fixture, "c")->node, a);
    CU_ASSERT_EQUAL(cat_fixture_check(&fixture, "e")->node, a);
    CU_ASSERT_NOT_EQUAL(cat_fixture_check(&fixture, "d")->node, a);
    cat_fixture_free(&fixture);
}

/* Operands come before users, and only what a check or reserved name needs is kept. */
static void test_layout(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let unused = addr; data\nlet used = (po | rf)+\nacyclic used", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    bool dead = false;
    for (cat_node_id i = 0; i < fixture.model->node_count; i++) {
        const struct cat_node *node = &fixture.model->nodes[i];
        CU_ASSERT(node->a == CAT_NONE || node->a < i);
        CU_ASSERT(node->b == CAT_NONE || node->b < i);
        dead |= strcmp(cat_fixture_print(&fixture, i), "addr") == 0;
    }
    CU_ASSERT_FALSE(dead);
    const struct cat_node *used = &fixture.model->nodes[cat_fixture_check(&fixture, "used")->node];
    CU_ASSERT_STRING_EQUAL(used->name, "used");
    CU_ASSERT_EQUAL(used->sort, CAT_REL);
    CU_ASSERT_EQUAL(used->span.line, 2);
    CU_ASSERT_EQUAL(used->span.column, 12); /* where the right-hand side begins */
    CU_ASSERT_TRUE(used->dynamic);          /* through rf */
    cat_fixture_free(&fixture);
}

void suite_cat_resolve(void)
{
    CU_pSuite suite = CU_add_suite("cat_resolve", NULL, NULL);
    UNIT_TEST(suite, test_operators);
    UNIT_TEST(suite, test_simplification);
    UNIT_TEST(suite, test_empty);
    UNIT_TEST(suite, test_functions);
    UNIT_TEST(suite, test_scoping);
    UNIT_TEST(suite, test_try);
    UNIT_TEST(suite, test_unknown_names);
    UNIT_TEST(suite, test_sort_errors);
    UNIT_TEST(suite, test_function_errors);
    UNIT_TEST(suite, test_expansion_bounds);
    UNIT_TEST(suite, test_sharing);
    UNIT_TEST(suite, test_layout);
}
