/* `show` and `unshow`: what pictures are told to draw, and that engines hear nothing of it. */
#include "test_cat_fixture.h"

static void expect_shown(struct cat_fixture *fixture, uint32_t number, const char *name,
                         const char *shape)
{
    CU_ASSERT_FATAL(number < fixture->model->shown_count);
    const struct cat_shown *shown = &fixture->model->shown[number];
    CU_ASSERT_STRING_EQUAL(shown->name, name);
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(fixture, shown->node), shape);
}

static void load(struct cat_fixture *fixture, const char *text)
{
    cat_fixture_load(fixture, text, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture->model);
}

/* A name has the value of the place where `show` stands, an expression too; sets are shown. */
static void test_value(void)
{
    struct cat_fixture fixture;
    load(&fixture, "let r = po show r, r | co as both show W let r = rf acyclic r");
    CU_ASSERT_EQUAL_FATAL(fixture.model->shown_count, 3);
    expect_shown(&fixture, 0, "r", "po");
    expect_shown(&fixture, 1, "both", "(| co po)");
    expect_shown(&fixture, 2, "W", "W");
    CU_ASSERT_EQUAL(fixture.model->hidden_count, 0);
    cat_fixture_free(&fixture);
}

/* The last `show` of a name counts, in the place where it stands. */
static void test_twice(void)
{
    struct cat_fixture fixture;
    load(&fixture, "show po as x, co as y show rf as x");
    CU_ASSERT_EQUAL_FATAL(fixture.model->shown_count, 2);
    expect_shown(&fixture, 0, "y", "co");
    expect_shown(&fixture, 1, "x", "rf");
    cat_fixture_free(&fixture);
}

/* `unshow` takes a name away, whether it was shown or not; a later `show` brings it back. */
static void test_unshow(void)
{
    struct cat_fixture fixture;
    load(&fixture, "show po as x, co unshow co, fr, x, nobody unshow fr show fr");
    CU_ASSERT_EQUAL_FATAL(fixture.model->shown_count, 1);
    expect_shown(&fixture, 0, "fr", "fr");
    CU_ASSERT_EQUAL_FATAL(fixture.model->hidden_count, 3);
    CU_ASSERT_STRING_EQUAL(fixture.model->hidden[0], "co");
    CU_ASSERT_STRING_EQUAL(fixture.model->hidden[1], "x");
    CU_ASSERT_STRING_EQUAL(fixture.model->hidden[2], "nobody");
    cat_fixture_free(&fixture);
}

/* Names of the contract have their last value in pictures, so `show` of the bare name only undoes
 * `unshow`; another relation may take the name. */
static void test_contract(void)
{
    struct cat_fixture fixture;
    load(&fixture, "unshow persist-before, waits show persist-before show po as durable-before");
    CU_ASSERT_EQUAL_FATAL(fixture.model->shown_count, 1);
    expect_shown(&fixture, 0, "durable-before", "po");
    CU_ASSERT_EQUAL_FATAL(fixture.model->hidden_count, 1);
    CU_ASSERT_STRING_EQUAL(fixture.model->hidden[0], "waits");
    cat_fixture_free(&fixture);
}

/* As other instructions: in bodies, with the values of each run. */
static void test_bodies(void)
{
    struct cat_fixture fixture;
    load(&fixture, "procedure p(r) = show r as of-p end call p(co) "
                   "forall r in {po, rf} do show r end");
    CU_ASSERT_EQUAL_FATAL(fixture.model->shown_count, 2);
    expect_shown(&fixture, 0, "of-p", "co");
    expect_shown(&fixture, 1, "r", "rf"); /* the second run's */
    cat_fixture_free(&fixture);
}

/* A name that nobody defines is a warning with its place: the model is as good without. */
static void test_unknown(void)
{
    struct cat_fixture fixture;
    load(&fixture, "let hb = po\nshow hbb, hb acyclic hb");
    CU_ASSERT_EQUAL(fixture.model->shown_count, 1);
    CU_ASSERT_EQUAL(fixture.diag.errors, 0);
    CU_ASSERT_EQUAL_FATAL(fixture.diag.entries.count, 1);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].severity, DIAG_WARNING);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].span.line, 2);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].span.column, 6);
    cat_fixture_free(&fixture);
}

static void test_errors(void)
{
    cat_assert_error("show po & rf", DIAG_CAT_SYNTAX, 1, 6); /* no name for it */
    cat_assert_error("show po as", DIAG_CAT_SYNTAX, 1, 11);
    cat_assert_error("let f x = x\nshow f", DIAG_CAT_FUNCTION, 2, 6);
    cat_assert_error("show nobody | po as x", DIAG_CAT_UNBOUND, 1, 6);
    cat_assert_error("show R | po as x", DIAG_CAT_SORT, 1, 6);
}

/* Nodes and groups that only pictures need stand behind all others; what a check needs too does
 * not. */
static void test_engines(void)
{
    struct cat_fixture fixture;
    load(&fixture, "let rec chain = rf | (chain; chain)\n"
                   "acyclic po | co show po, chain, (co; rf) as late");
    const struct cat_model *model = fixture.model;
    CU_ASSERT_EQUAL_FATAL(model->shown_count, 3);
    CU_ASSERT(model->shown[0].node < model->node_count);
    CU_ASSERT(model->shown[1].node >= model->node_count);
    CU_ASSERT(model->shown[2].node >= model->node_count);
    CU_ASSERT(model->shown[2].node < model->picture_node_count);
    CU_ASSERT_EQUAL(model->rec_group_count, 0);
    CU_ASSERT_EQUAL(model->picture_group_count, 1);
    cat_fixture_free(&fixture);
    load(&fixture, "let rec chain = rf | (chain; chain)\nacyclic chain show chain");
    CU_ASSERT(fixture.model->shown[0].node < fixture.model->node_count);
    CU_ASSERT_EQUAL(fixture.model->node_count, fixture.model->picture_node_count);
    CU_ASSERT_EQUAL(fixture.model->rec_group_count, 1);
    CU_ASSERT_EQUAL(fixture.model->picture_group_count, 1);
    cat_fixture_free(&fixture);
}

void suite_cat_show(void)
{
    CU_pSuite suite = CU_add_suite("cat_show", NULL, NULL);
    UNIT_TEST(suite, test_value);
    UNIT_TEST(suite, test_twice);
    UNIT_TEST(suite, test_unshow);
    UNIT_TEST(suite, test_contract);
    UNIT_TEST(suite, test_bodies);
    UNIT_TEST(suite, test_unknown);
    UNIT_TEST(suite, test_errors);
    UNIT_TEST(suite, test_engines);
}
