/* Tags, collections and functions: what is known when a model is read. Shapes follow from
 * the definitions by hand: each is what is left when all cases are decided. */
#include "test_cat_fixture.h"

#define KINDS "enum kinds = 'a || 'b || 'c\n"
/* The union of a collection, nothing for none. */
#define JOIN "let rec join xs = match xs with {} -> 0 || x ++ rest -> x | join rest end\n"

static void test_match_tags(void)
{
    cat_assert_shape_after(KINDS, "match 'b with 'a -> po || 'b -> rf || _ -> co end", "rf");
    cat_assert_shape_after(KINDS, "match 'c with || 'a -> po || _ -> co end", "co");
    /* A name stands for its tag; only the case that applies is run. */
    cat_assert_shape_after(KINDS "let of t = match t with 'a -> po || _ -> 0; (po | R) end",
                           "let x = 'a in of x", "po");
    cat_assert_error(KINDS "let f t = match t with 'a -> po end acyclic f 'b", DIAG_CAT_MATCH, 2,
                     17);
}

static void test_collections(void)
{
    cat_assert_shape_after(JOIN, "join {}", "0");
    cat_assert_shape_after(JOIN, "join {po, rf, po}", "(| po rf)"); /* po | (rf | 0) */
    cat_assert_shape_after(JOIN, "join {po, rf, co}", "(| (| co rf) po)");
    cat_assert_shape_after(JOIN, "join (po ++ {rf})", "(| po rf)");
    cat_assert_shape_after(JOIN, "join (po ++ {})", "po");
    cat_assert_shape_after(JOIN, "join ({po} | {rf})", "(| po rf)");
    cat_assert_shape_after(JOIN, "join ({po, rf} & {rf, co})", "rf");
    cat_assert_shape_after(JOIN, "join ({po, rf} \\ {rf, co})", "po");
    cat_assert_shape_after(JOIN, "join ({po} \\ {po})", "0");
    cat_assert_shape_after(JOIN, "join ({po} | {})", "po");
    /* `po | po` is po, so it is no second element: po | 0, and not (po | po)+ beside it. */
    cat_assert_shape_after(JOIN, "join {po, po | po}", "po");
    cat_assert_shape_after(JOIN, "join (map (fun r -> r^-1) {po, rf})", "(| (inv po) (inv rf))");
}

/* Three names: what is before the middle, the middle, what is after. */
static void test_split(void)
{
    static const char halves[] =
        "let rec joined xs = match xs with {} -> 0 || l | x ++ r -> joined l | x | joined r end\n";
    cat_assert_shape_after(halves, "joined {po}", "po");
    /* (po | rf) | co: rf is the middle of three */
    cat_assert_shape_after(halves, "joined {po, rf, co}", "(| (| po rf) co)");
    cat_assert_shape_after("", "match {po, rf, co} with {} -> 0 || _ | x ++ _ -> x end", "rf");
    cat_assert_shape_after("", "match {po, rf} with {} -> 0 || x ++ _ -> x end", "po");
}

/* Of 'acq the events are ACQ, as there is no Acq. */
static void test_tags_as_sets(void)
{
    static const char orders[] =
        "enum orders = 'acq || 'rel || 'sc\n"
        "let rec of ts = match ts with {} -> {} || t ++ rest -> tag2events(t) | of rest end\n";
    cat_assert_shape_after(orders, "tag2events 'acq", "ACQ");
    cat_assert_shape_after(orders, "of {'acq, 'rel}", "(| ACQ REL)");
    cat_assert_shape_after(orders, "of (~{'acq, 'sc})", "REL");
    cat_assert_shape_after(orders, "of (orders \\ {'rel, 'sc})", "ACQ");
    cat_assert_shape_after("enum k = 'once let Once = R & W let ONCE = R", "tag2events('once)",
                           "(& R W)");
    cat_assert_shape_after("", "different-values(po & 0) | rf", "rf");
    cat_assert_shape_after("instructions SRCU['lock]", "different-values([Lock]; po) | rf", "rf");
    cat_assert_error("let r = different-values(po)", DIAG_CAT_UNSUPPORTED, 1, 9);
    cat_assert_error("let r = different-values(W)", DIAG_CAT_SORT, 1, 9);
    cat_assert_shape_after("", "try tag2events('none) with R", "R");
    cat_assert_shape_after("enum k = 'none", "try tag2events('none) with R", "R");
    /* po; [F & ACQ]; po */
    cat_assert_shape_after("enum k = 'acq", "tag2fenced('acq)", "(; (; po (id ACQ)) po)");
}

static void test_scopes(void)
{
    static const char scopes[] = "enum scopes = 'wi || 'wg || 'kr || 'sys || 'own let own = po\n";
    cat_assert_shape_after(scopes, "tag2scope 'wi", "int");
    cat_assert_shape_after(scopes, "tag2scope 'wg", "swg");
    cat_assert_shape_after(scopes, "tag2scope 'kr", "skr");
    cat_assert_shape_after(scopes, "tag2scope 'sys", "ssys");
    cat_assert_shape_after(scopes, "tag2scope 'own", "po");
}

static void test_if(void)
{
    cat_assert_shape_after(KINDS, "if 'a in {'b, 'a} then po else rf", "po");
    cat_assert_shape_after(KINDS, "if 'c in {'b, 'a} then po else rf", "rf");
    cat_assert_shape_after(KINDS, "if {'a, 'b} = {'b, 'a, 'b} then po else rf", "po");
    cat_assert_shape_after(KINDS, "if {'a} = {'b} then po else rf", "rf");
    cat_assert_shape_after(KINDS, "if {'a} subset kinds then po else rf", "po");
    cat_assert_shape_after(KINDS, "if kinds subset {'a} then po else rf", "rf");
    cat_assert_shape_after(KINDS, "if {} subset {'a} then po else rf", "po");
    cat_assert_shape_after(KINDS, "if ('a, 'b) = ('a, 'b) then po else rf", "po");
    cat_assert_shape_after(KINDS, "if ('a, 'b) = ('b, 'a) then po else rf", "rf");
    /* Whether two relations are equal depends on the execution. */
    cat_assert_error("acyclic if {po} = {rf} then po else rf", DIAG_CAT_MATCH, 1, 12);
    /* What is empty however the execution goes is known. */
    cat_assert_shape_after("", "if R & {} = {} then po else rf", "po");
}

/* Variants of herd are off; what they guard may use names that do not exist. */
static void test_variants(void)
{
    cat_assert_shape("if \"vmsa\" then unheard-of else po", "po");
    cat_assert_shape("if not \"vmsa\" then po else unheard-of", "po");
    cat_assert_shape("if not \"a\" && not variant \"b\" then po else rf", "po");
    cat_assert_shape("if \"a\" || \"b\" then po else rf", "rf");
    /* `&&` binds tighter: (not a) || (b && c) */
    cat_assert_shape("if not \"a\" || \"b\" && \"c\" then po else rf", "po");
    cat_assert_shape_after("let f x = if \"v\" then unheard-of else x", "f po", "po");
    cat_assert_error("let f x = if not \"v\" then unheard-of else x", DIAG_CAT_UNBOUND, 1, 27);
    cat_assert_shape_after("if \"v\" let x = po else let x = rf end", "x", "rf");
    cat_assert_shape_after("let x = co if \"v\" let x = po end", "x", "co");
}

static void test_functions(void)
{
    cat_assert_shape_after("let compose(f, g) = fun x -> f(g x) let inv x = x^-1 let up x = x+",
                           "compose(inv, up) po", "(inv (plus po))");
    cat_assert_shape_after("let pick = fun s -> fun r -> [s]; r let writes = pick W",
                           "writes po | pick R rf", "(| (; (id R) rf) (; (id W) po))");
    cat_assert_shape_after("let (f, g) = ((fun x -> x?), (fun x -> x+))", "g (f po)",
                           "(plus (opt po))");
    cat_assert_shape_after(KINDS "let op t = match t with 'a -> (fun x -> x?) || _ -> domain end",
                           "op 'a po; [op 'b po]", "(; (opt po) (id (dom po)))");
    /* The name that a function uses is the one where it was written. */
    cat_assert_shape_after("let r = po let f x = r; x let r = rf", "f co", "(; po co)");
}

/* Recursion that a match ends is expanded: r; (r; id) for two elements. */
static void test_recursive_functions(void)
{
    cat_assert_shape_after(
        KINDS "let rec power(xs, r) = match xs with {} -> id || _ ++ rest -> r; power(rest, r) end",
        "power({'a, 'b}, po)", "(; po (; po id))");
    /* a is for odd lengths, b for even: of three, a runs twice and b once */
    cat_assert_shape_after(
        KINDS "let rec odd xs = match xs with {} -> R || _ ++ xs -> [even xs]; po; [W] end\n"
              "and even xs = match xs with {} -> W || _ ++ xs -> domain(odd xs) end",
        "odd {'a}", "(; (; (id W) po) (id W))");
    cat_assert_shape_after(KINDS "let rec f t = if t = 'a then f 'b else po", "f 'a", "po");
    /* ... and recursion that nothing ends is refused where it begins anew. */
    cat_assert_error("let rec f x = f x acyclic f po", DIAG_CAT_RECURSION, 1, 15);
    cat_assert_error("let rec f x = if \"v\" then x else f x acyclic f po", DIAG_CAT_RECURSION, 1,
                     34);
    /* Guarded, and endless all the same: the limit on depth is met. Application k is run at
     * depth 2k + 1, its match at 2k + 2, the collection at 2k + 3, po at 2k + 4: po is the
     * first at 1000. */
    cat_assert_error("let rec f x = match {po} with {} -> x || y ++ z -> f x end acyclic f po",
                     DIAG_CAT_TOO_LARGE, 1, 22);
}

/* A relation defined with a recursive function inside: its sort is found all the same. */
static void test_functions_in_recursion(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, JOIN "let rec r = join {po, r; r}\nacyclic r", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->rec_group_count, 1);
    cat_node_id body = fixture.model->rec_groups[0].bodies[0];
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, body), "(| (; var.0 var.0) po)");
    cat_fixture_free(&fixture);
    cat_assert_error(JOIN "let rec r = join {po, ~r} acyclic r", DIAG_CAT_MONOTONE, 2, 23);
}

void suite_cat_values(void)
{
    CU_pSuite suite = CU_add_suite("cat_values", NULL, NULL);
    UNIT_TEST(suite, test_match_tags);
    UNIT_TEST(suite, test_collections);
    UNIT_TEST(suite, test_split);
    UNIT_TEST(suite, test_tags_as_sets);
    UNIT_TEST(suite, test_scopes);
    UNIT_TEST(suite, test_if);
    UNIT_TEST(suite, test_variants);
    UNIT_TEST(suite, test_functions);
    UNIT_TEST(suite, test_recursive_functions);
    UNIT_TEST(suite, test_functions_in_recursion);
}
