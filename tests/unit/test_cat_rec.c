/* `let rec`: sorts of members, groups, nesting, monotonicity. */
#include "test_cat_fixture.h"

/* The group and the layout that cat_ir.h promises for it. */
static void assert_layout(const struct cat_model *model, const struct cat_rec_group *group)
{
    CU_ASSERT_EQUAL(group->begin, group->vars[0]);
    CU_ASSERT_EQUAL(group->end, group->fixes[0]);
    for (uint32_t i = 0; i < group->count; i++) {
        CU_ASSERT_EQUAL(model->nodes[group->vars[i]].op, CAT_VAR);
        CU_ASSERT_EQUAL(model->nodes[group->vars[i]].base, i);
        CU_ASSERT_EQUAL(model->nodes[group->fixes[i]].op, CAT_FIX);
        CU_ASSERT_EQUAL(model->nodes[group->fixes[i]].base, i);
        CU_ASSERT(group->begin <= group->vars[i] && group->vars[i] < group->end);
        CU_ASSERT(group->fixes[i] >= group->end);
        CU_ASSERT(group->bodies[i] < group->end);
        CU_ASSERT_EQUAL(model->nodes[group->vars[i]].sort, model->nodes[group->bodies[i]].sort);
    }
}

static const char *body(struct cat_fixture *fixture, uint32_t group, uint32_t member)
{
    return cat_fixture_print(fixture, fixture->model->rec_groups[group].bodies[member]);
}

static void test_one(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let rec r = po | r; rf\nacyclic r", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->rec_group_count, 1);
    const struct cat_rec_group *group = &fixture.model->rec_groups[0];
    CU_ASSERT_EQUAL_FATAL(group->count, 1);
    assert_layout(fixture.model, group);
    CU_ASSERT_STRING_EQUAL(body(&fixture, 0, 0), "(| (; var.0 rf) po)");
    CU_ASSERT_EQUAL(cat_fixture_check(&fixture, "r")->node, group->fixes[0]);
    CU_ASSERT_TRUE(fixture.model->nodes[group->fixes[0]].dynamic); /* through rf */
    CU_ASSERT_TRUE(fixture.model->nodes[group->vars[0]].dynamic);
    CU_ASSERT_EQUAL(group->end - group->begin, 3); /* var; var;rf; the union */
    cat_fixture_free(&fixture);
}

static void test_mutual(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let rec a = po | b and b = a; addr\nacyclic b", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->rec_group_count, 1);
    const struct cat_rec_group *group = &fixture.model->rec_groups[0];
    CU_ASSERT_EQUAL_FATAL(group->count, 2);
    assert_layout(fixture.model, group);
    CU_ASSERT_STRING_EQUAL(body(&fixture, 0, 0), "(| po var.1)");
    CU_ASSERT_STRING_EQUAL(body(&fixture, 0, 1), "(; var.0 addr)");
    CU_ASSERT_EQUAL(cat_fixture_check(&fixture, "b")->node, group->fixes[1]);
    CU_ASSERT_FALSE(fixture.model->nodes[group->fixes[1]].dynamic); /* po and addr are fixed */
    cat_fixture_free(&fixture);
}

/* Sorts are found from any alternative, through other members and functions. */
static void test_sorts(void)
{
    cat_assert_loads("let rec S = R | domain(po; [S]) empty S & W acyclic [S]");
    cat_assert_loads("let rec a = b and b = c and c = a | R acyclic [a] acyclic [b]");
    cat_assert_loads("let f(x) = x; x let rec r = f(r) | 0 | rf acyclic r");
    cat_assert_loads("let rec r = r acyclic r"); /* nothing says: a relation */
    cat_assert_loads("let rec S = (let rec T = T & S | W in T) & S acyclic [S]");
    cat_assert_error("let rec r = po | [r]", DIAG_CAT_SORT, 1, 19);
    /* po makes a a relation, R makes b a set; a's body is looked at first. */
    cat_assert_error("let rec a = po | b and b = R | a", DIAG_CAT_SORT, 1, 13);
    cat_assert_error("let rec r = fun x -> x and s = po", DIAG_CAT_RECURSION, 1, 28);
    cat_assert_error("let rec f(x) = f(x); po acyclic f(rf)", DIAG_CAT_RECURSION, 1, 16);
    cat_assert_error("let rec (a, b) = (po, a)", DIAG_CAT_RECURSION, 1, 10);
    cat_assert_error("let rec a = po and a = rf", DIAG_CAT_DUPLICATE, 1, 20);
    cat_assert_error("let rec r = domain", DIAG_CAT_FUNCTION, 1, 13);
}

/* A definition that does not refer to itself needs no group. */
static void test_not_recursive(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let rec r = po | rf acyclic r", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL(fixture.model->rec_group_count, 0);
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, cat_fixture_check(&fixture, "r")->node),
                           "(| po rf)");
    cat_fixture_free(&fixture);
}

/* No least fixpoint where more of a member means less of the result. */
static void test_monotone(void)
{
    cat_assert_error("let rec r = po | ~r", DIAG_CAT_MONOTONE, 1, 18);
    cat_assert_error("let rec r = po \\ r", DIAG_CAT_MONOTONE, 1, 13);
    cat_assert_error("let rec a = po | b and b = rf \\ (a; po)", DIAG_CAT_MONOTONE, 1, 28);
    cat_assert_error("let imp(x, y) = ~x | y\nlet rec r = po | imp(r, rf)", DIAG_CAT_MONOTONE, 1,
                     17);
    /* Iterated from nothing: r adds to itself, and only it is used before it is defined. */
    cat_assert_loads("let rec a = po \\ r and r = r | (a; a) empty r");
    cat_assert_error("let rec r = r | (a; a) and a = po \\ r", DIAG_CAT_MONOTONE, 1, 32);
    cat_assert_error("let rec a = rf \\ r and r = r | (a; a)", DIAG_CAT_MONOTONE, 1, 13);
    cat_assert_error("let rec a = po \\ r+ and r = r | (a; a)", DIAG_CAT_MONOTONE, 1, 13);
    cat_assert_loads("let rec r = po | (r; rf) \\ co acyclic r"); /* left of \ grows */
    cat_assert_loads("let rec r = po | r; ~loc acyclic r");       /* not through r */
    cat_assert_loads("let rec r = po | (let unused = ~r in r; r) acyclic r");
    /* An independent recursion may be complemented inside another. */
    cat_assert_loads("let rec r = po | r; ~(let rec s = rf | s; s in s) acyclic r");
    cat_assert_error("let rec r = po | ~(let rec s = r | s; s in s)", DIAG_CAT_MONOTONE, 1, 18);
}

/* A group that depends on an enclosing one becomes part of it: lfp a. (po | lfp c.
 * (co | c; a)) is the first component of the simultaneous least fixpoint. */
static void test_nested_dependent(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let rec a = po | (let rec c = co | c; a in c)\nacyclic a", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->rec_group_count, 1);
    CU_ASSERT_EQUAL_FATAL(fixture.model->rec_groups[0].count, 2);
    assert_layout(fixture.model, &fixture.model->rec_groups[0]);
    CU_ASSERT_STRING_EQUAL(body(&fixture, 0, 0), "(| po var.1)");
    CU_ASSERT_STRING_EQUAL(body(&fixture, 0, 1), "(| (; var.1 var.0) co)");
    cat_fixture_free(&fixture);
}

/* One that does not is a group of its own, laid out before the other. */
static void test_nested_independent(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "let closed(x) = let rec c = x | c; c in c\n"
                     "let rec a = closed(po) | a; closed(rf)\nacyclic a",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->rec_group_count, 3);
    const struct cat_rec_group *groups = fixture.model->rec_groups;
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(groups[i].count, 1);
        assert_layout(fixture.model, &groups[i]);
        CU_ASSERT(i == 0 || groups[i].begin > groups[i - 1].fixes[0]); /* they do not nest */
    }
    CU_ASSERT_EQUAL(cat_fixture_check(&fixture, "a")->node, groups[2].fixes[0]);
    /* All of the last group's range depends on its variable: var, var;closed(rf), union. */
    CU_ASSERT_EQUAL(groups[2].end - groups[2].begin, 3);
    cat_fixture_free(&fixture);
}

/* Members that only pass a dynamic relation on are dynamic too. */
static void test_dynamic(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let rec a = po | b and b = c and c = a; rf\nacyclic b", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    const struct cat_rec_group *group = &fixture.model->rec_groups[0];
    for (cat_node_id i = group->begin; i < group->end + group->count; i++)
        CU_ASSERT_TRUE(fixture.model->nodes[i].dynamic);
    cat_fixture_free(&fixture);
}

void suite_cat_rec(void)
{
    CU_pSuite suite = CU_add_suite("cat_rec", NULL, NULL);
    UNIT_TEST(suite, test_one);
    UNIT_TEST(suite, test_mutual);
    UNIT_TEST(suite, test_sorts);
    UNIT_TEST(suite, test_not_recursive);
    UNIT_TEST(suite, test_monotone);
    UNIT_TEST(suite, test_nested_dependent);
    UNIT_TEST(suite, test_nested_independent);
    UNIT_TEST(suite, test_dynamic);
}
