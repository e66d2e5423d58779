/* The grammar: words, comments, precedence, associativity, what follows an error. */
#include "test_cat_fixture.h"

/* From loosest: |  ;  \  &  ~  then product and postfix, ^-1 (herd's modelParser). */
static void test_precedence(void)
{
    cat_assert_shape("po | rf ; co", "(| (; rf co) po)"); /* ; binds tighter than | */
    cat_assert_shape("po ; rf | co", "(| (; po rf) co)");
    cat_assert_shape("po ; rf \\ co", "(; po (\\ rf co))"); /* \ tighter than ; */
    cat_assert_shape("po \\ rf & co", "(\\ po (& co rf))"); /* & tighter than \ */
    cat_assert_shape("po & rf \\ co", "(\\ (& po rf) co)");
    cat_assert_shape("po & ~rf", "(& (~ rf) po)");
    cat_assert_shape("~po & rf", "(& (~ po) rf)"); /* ~ tighter than & */
    cat_assert_shape("~po+", "(~ (plus po))");     /* postfix tighter than ~ */
    cat_assert_shape("~po^-1", "(~ (inv po))");
    cat_assert_shape("po ; rf+", "(; po (plus rf))");
    cat_assert_shape("loc & R * W", "(& (x R W) loc)");          /* product tighter than & */
    cat_assert_shape("(po | rf)^-1+", "(plus (inv (| po rf)))"); /* postfix from the inside */
    cat_assert_shape("po | rf \\ co ; fr", "(| (; (\\ rf co) fr) po)");
}

static void test_associativity(void)
{
    cat_assert_shape("po \\ rf \\ co", "(\\ (\\ po rf) co)"); /* \ to the left */
    cat_assert_shape("po ; rf ; co", "(; (; po rf) co)");
    cat_assert_shape("po | rf | co", "(| (| po rf) co)");
    cat_assert_shape("po & rf & co", "(& (& po rf) co)");
    cat_assert_shape("po+?*", "(star (opt (plus po)))");
}

/* A star is a product exactly when an operand follows it. */
static void test_star(void)
{
    cat_assert_shape("R * W", "(x R W)");
    cat_assert_shape("R*W", "(x R W)");
    cat_assert_shape("po*", "(star po)");
    cat_assert_shape("po*; rf", "(; (star po) rf)");
    cat_assert_shape("(po*) | rf", "(| (star po) rf)");
    cat_assert_shape("po* & rf", "(& (star po) rf)");
    cat_assert_shape("_ * R", "(x _ R)");
    cat_assert_shape("R * [W] ; po", "(refused)"); /* [W] is an operand, and no set */
    cat_assert_shape("R * ~W", "(x R (~ W))");
    cat_assert_shape("R * domain(po)", "(x R (dom po))");
    /* A negated check after a closure is a check, not an operand. */
    cat_assert_loads("acyclic po*\n~empty rf\n");
    cat_assert_loads("acyclic po* ~ irreflexive rf\n");
    cat_assert_shape_after("let empty-set = R", "R * ~empty-set", "(x R (~ R))");
}

static void test_words(void)
{
    cat_assert_shape_after("let po-loc.x_1' = po", "po-loc.x_1' ; rf", "(; po rf)");
    cat_assert_shape_after("let _x = po", "_x", "po"); /* a leading underscore begins a name */
    cat_assert_shape("rf^-1", "(inv rf)");
    cat_assert_shape("rf ^ -1", "(inv rf)");
    cat_assert_shape("begin po end", "po");
    cat_assert_shape("[R]", "(id R)");
    cat_assert_shape("{} | R", "R");
    cat_assert_shape_after("let letter = po let end-of = rf", "letter | end-of", "(| po rf)");
    cat_assert_error("let a-1 = po\nacyclic a -1", DIAG_CAT_SYNTAX, 2, 11);
}

static void test_comments(void)
{
    cat_assert_shape("po (* a (* b *) c *) | rf", "(| po rf)");
    cat_assert_shape("po // no ( here\n | rf", "(| po rf)");
    cat_assert_shape("po # nor \" here\n | rf", "(| po rf)");
    cat_assert_shape("po (***) /* either * way */ | rf", "(| po rf)");
    cat_assert_error("let a = po\n (* open (* closed *)", DIAG_CAT_UNCLOSED, 2, 2);
    cat_assert_error("include \"open", DIAG_CAT_UNCLOSED, 1, 9);
    cat_assert_error("let a = po ! rf", DIAG_CAT_CHARACTER, 1, 12);
}

static void assert_title(const char *text, const char *title)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, text, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_STRING_EQUAL(fixture.model->title[0], title);
    CU_ASSERT_STRING_EQUAL(fixture.model->title[1], "");
    cat_fixture_free(&fixture);
}

static void test_titles(void)
{
    assert_title("", "");
    assert_title("let a = po", "");
    assert_title("SC let a = po", "SC");
    assert_title("\"a model\" let a = po", "a model");
    assert_title("SC \"a model\" let a = po", "a model");
    assert_title("ARM name catdep let a = po", "ARM");
}

/* Forms of instructions that are read; `in` may end a definition of the top level. */
static void test_instructions(void)
{
    cat_assert_loads("let a = po in\nacyclic a");
    cat_assert_loads("let rec a = po | a; a in acyclic a");
    cat_assert_loads("show po show po, rf as comm show (po | rf) as both unshow po, rf");
    cat_assert_loads("flag ~empty po as f undefined_unless irreflexive rf as u assert empty R & W");
    cat_assert_loads("let a, b = po, rf let (c, d) = (a, b) let _ = c acyclic c | d");
    cat_assert_loads("acyclic let x = po in x | rf as local");
}

static void assert_errors(const char *text, enum diag_id id, uint32_t count)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, text, "");
    CU_ASSERT_EQUAL(fixture.diag.errors, count);
    for (size_t i = 0; i < fixture.diag.entries.count; i++)
        CU_ASSERT_EQUAL(fixture.diag.entries.items[i].id, id);
    cat_fixture_free(&fixture);
}

/* After an error parsing goes on at the next definition or check. */
static void test_recovery(void)
{
    assert_errors("let = po\nlet a = po\nlet b = | rf\nacyclic a\nempty )", DIAG_CAT_SYNTAX, 3);
}

/* Every construct of herd's grammar is read; what it means is tested elsewhere. */
static void test_constructs(void)
{
    static const char *const texts[] = {
        "procedure p(x, y) = empty x & y end call p(po, rf)",
        "procedure rec p x = empty x end call p po as q",
        "procedure p() = empty 0 end call p()",
        "enum e = 'a || 'b enum f = || 'c",
        "with co from {rf}",
        "forall x in {po} do acyclic x end",
        "debug po",
        "enum e = 'a match 'a with || 'a -> acyclic po || _ -> acyclic rf end",
        "enum e = 'a acyclic match 'a with 'a -> po || _ -> rf end",
        "acyclic match {} with {} -> rf || x ++ y -> co end",
        "acyclic match {po} with a | x ++ b -> x || {} -> rf end",
        "let l = {R, W} let m = po ++ {}",
        "acyclic if \"v\" && not variant \"w\" || (\"z\") then po else rf",
        "if (\"v\") show po else show rf end",
        "if not \"v\" end",
        "enum e = 'a || 'b instructions F[{'a}, {'b}]",
        "default W[]",
        "let rec r = r when acyclic r",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cat_assert_loads(texts[i]);
}

/* Nesting is bounded: by the parser's stack, and by the depth of trees. */
static void test_depth(void)
{
    struct strbuf text = {0};
    strbuf_add(&text, "acyclic ");
    for (int i = 0; i < 300; i++)
        strbuf_add(&text, "po | (");
    strbuf_add(&text, "rf");
    for (int i = 0; i < 300; i++)
        strbuf_add_char(&text, ')');
    cat_assert_loads(strbuf_text(&text)); /* 301 deep, and 400 are allowed */
    strbuf_clear(&text);
    strbuf_add(&text, "acyclic po");
    for (int i = 0; i < 500; i++)
        strbuf_add(&text, "+?");
    cat_assert_error(strbuf_text(&text), DIAG_CAT_TOO_DEEP, 1, 9);
    strbuf_clear(&text);
    strbuf_add(&text, "acyclic ");
    for (int i = 0; i < 50000; i++)
        strbuf_add_char(&text, '(');
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, strbuf_text(&text), "");
    CU_ASSERT_EQUAL_FATAL(fixture.diag.errors, 1);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].id, DIAG_CAT_TOO_DEEP);
    cat_fixture_free(&fixture);
    strbuf_fini(&text);
}

void suite_cat_parse(void)
{
    CU_pSuite suite = CU_add_suite("cat_parse", NULL, NULL);
    UNIT_TEST(suite, test_precedence);
    UNIT_TEST(suite, test_associativity);
    UNIT_TEST(suite, test_star);
    UNIT_TEST(suite, test_words);
    UNIT_TEST(suite, test_comments);
    UNIT_TEST(suite, test_titles);
    UNIT_TEST(suite, test_instructions);
    UNIT_TEST(suite, test_recovery);
    UNIT_TEST(suite, test_constructs);
    UNIT_TEST(suite, test_depth);
}
