/* Procedures, `forall`, `match` and `with ... from` among the instructions of a model. */
#include "test_cat_fixture.h"

/* ---- Procedures ---- */

/* Checks inside count: those without a name get the call's. */
static void test_procedure(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "procedure two(r, s) = let both = r & s acyclic r empty both as common end\n"
                     "call two(po, rf) as mine call two(co, fr)",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL(fixture.model->check_count, 4);
    cat_assert_check(&fixture, "mine", "po");
    cat_assert_check(&fixture, "common", "(& po rf)");
    cat_assert_check(&fixture, "two", "co"); /* the procedure's name, for want of another */
    CU_ASSERT_EQUAL(cat_fixture_check(&fixture, "mine")->test, CAT_ACYCLIC);
    cat_fixture_free(&fixture);
}

/* A call inside a procedure passes the name on. */
static void test_procedure_nested(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "procedure equal(r, s) = call inclusion(r, s) call inclusion(s, r) end\n"
                     "call equal(po, rf) as same",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->check_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        CU_ASSERT_STRING_EQUAL(fixture.model->checks[i].name, "same");
    const struct cat_check *checks = fixture.model->checks;
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, checks[0].node), "(\\ po rf)");
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, checks[1].node), "(\\ rf po)");
    cat_fixture_free(&fixture);
}

static void test_procedure_scope(void)
{
    /* What it defines ends with it; what it uses is what was defined before it. */
    cat_assert_error("procedure p x = let y = x end call p(po)\nacyclic y", DIAG_CAT_UNBOUND, 2, 9);
    cat_assert_error("procedure p x = acyclic z end\nlet z = po call p(po)", DIAG_CAT_UNBOUND, 1,
                     25);
    cat_assert_error("procedure p x = call p(x) end", DIAG_CAT_UNBOUND, 1, 22);
    cat_assert_error("procedure rec p x = call p(x) end\ncall p(po)", DIAG_CAT_RECURSION, 1, 21);
    /* 'a leads to 'b, which ends it: one check. */
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "enum k = 'a || 'b\n"
                     "procedure rec p t = match t with 'a -> call p('b) || 'b -> empty po end end\n"
                     "call p('a)",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL(fixture.model->check_count, 1);
    cat_fixture_free(&fixture);
}

/* ---- forall, match, when ---- */

static void test_forall(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "forall r in {po, rf} do let both = r | co acyclic both as each end\n"
                     "forall r in {} do acyclic r end",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->check_count, 2);
    const struct cat_check *checks = fixture.model->checks;
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, checks[0].node), "(| co po)");
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, checks[1].node), "(| co rf)");
    cat_fixture_free(&fixture);
    cat_assert_error("forall r in {po} do let x = r end\nacyclic x", DIAG_CAT_UNBOUND, 2, 9);
    cat_assert_error("forall r in po do acyclic r end", DIAG_CAT_MATCH, 1, 13);
}

static void test_match(void)
{
    cat_assert_shape_after("enum k = 'a || 'b\n"
                           "match 'b with 'a -> let x = po || 'b -> let x = rf end",
                           "x", "rf");
    cat_assert_shape_after("enum k = 'a || 'b let x = co\n"
                           "match 'b with 'a -> let x = po || _ -> end",
                           "x", "co");
}

/* The condition is a check of the least solution. */
static void test_when(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let rec r = po | r; r when acyclic r as limit", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    cat_assert_check(&fixture, "limit", "fix.0");
    cat_fixture_free(&fixture);
    cat_assert_error("let rec r = po when ~acyclic r", DIAG_CAT_UNSUPPORTED, 1, 21);
}

/* ---- Choices ---- */

static void test_linearisations(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "let orders(s, r) = linearisations(s, r)\n"
                     "with S from orders(SC, po | rf)\nacyclic S | fr as sc",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->choice_count, 1);
    const struct cat_choice *choice = &fixture.model->choices[0];
    CU_ASSERT_EQUAL(choice->kind, CAT_LINEARISATIONS);
    CU_ASSERT_STRING_EQUAL(choice->name, "S");
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, choice->set), "SC");
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, choice->relation), "(plus (| po rf))");
    CU_ASSERT_EQUAL(choice->alternative_count, 0);
    CU_ASSERT_PTR_NULL(choice->alternatives);
    CU_ASSERT_EQUAL(choice->span.line, 2);
    cat_assert_check(&fixture, "sc", "(| choice.0 fr)");
    cat_fixture_free(&fixture);
}

/* Choice T may depend on choice S; operands stand before the node of the choice. */
static void test_alternatives(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "with S from linearisations(W, co)\nwith T from {S, S^-1}\n"
                     "with one from po with none from 0\nacyclic T",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->choice_count, 4);
    const struct cat_choice *choices = fixture.model->choices;
    CU_ASSERT_EQUAL(choices[1].kind, CAT_ALTERNATIVES);
    CU_ASSERT_EQUAL(choices[1].set, CAT_NONE);
    CU_ASSERT_EQUAL_FATAL(choices[1].alternative_count, 2);
    const cat_node_id *nodes = choices[1].alternatives;
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, nodes[0]), "choice.0");
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, nodes[1]), "(inv choice.0)");
    cat_assert_check(&fixture, "T", "choice.1");
    CU_ASSERT(nodes[1] < cat_fixture_check(&fixture, "T")->node);
    CU_ASSERT_EQUAL_FATAL(choices[2].alternative_count, 1);
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, choices[2].alternatives[0]), "po");
    CU_ASSERT_EQUAL_FATAL(choices[3].alternative_count, 1);
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, choices[3].alternatives[0]), "0");
    cat_fixture_free(&fixture);
}

/* Every choice has its node, used or not, and the node is dynamic. */
static void test_choice_nodes(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "with a from {po, rf} with b from {po, rf} acyclic po", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    uint32_t found = 0;
    for (cat_node_id i = 0; i < fixture.model->node_count; i++)
        if (fixture.model->nodes[i].op == CAT_CHOICE) {
            CU_ASSERT_EQUAL(fixture.model->nodes[i].base, found);
            CU_ASSERT_TRUE(fixture.model->nodes[i].dynamic);
            found++;
        }
    CU_ASSERT_EQUAL(found, 2);
    cat_fixture_free(&fixture);
    /* A choice does not shrink when a recursive relation grows. */
    cat_assert_loads("with s from linearisations(W, po) let rec r = (po \\ s) | r; s acyclic r");
}

/* A file that is included twice chooses once; each run of a body chooses for itself. */
static void test_choice_twice(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "forall r in {po, rf} do with s from linearisations(W, co) acyclic s | r end\n"
                     "with s from linearisations(W, co) with s from linearisations(W, co)",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL(fixture.model->choice_count, 4); /* two runs, and two places */
    cat_fixture_free(&fixture);

    static const char text[] = "with s from linearisations(W, co) acyclic s";
    arena_init(&fixture.arena);
    diag_init(&fixture.diag);
    const struct source *same = source_from_text(&fixture.arena, "same.cat", text, sizeof text - 1);
    const struct source *again =
        source_from_text(&fixture.arena, "same.cat", text, sizeof text - 1);
    fixture.model =
        cat_model_load_sources(&fixture.arena, &test_cat_basis, NULL, same, again, &fixture.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL(fixture.model->choice_count, 1);
    cat_fixture_free(&fixture);
}

/* Functions over collections of collections, as herd's manual writes them: the unions of
 * one of {po, rf} and one of {co}. */
static void test_computed_alternatives(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "let fold f = let rec go (es, y) = match es with\n"
                     "  {} -> y || e ++ es -> go (es, f (e, y)) end in go\n"
                     "let rec cross S = match S with {} -> {0} || S1 ++ S ->\n"
                     "  let ts = cross S in\n"
                     "  fold (fun (e1, r) -> map (fun t -> e1 | t) ts | r) (S1, {}) end\n"
                     "with x from cross {{po, rf}, {co}} acyclic x",
                     "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->choice_count, 1);
    const struct cat_choice *choice = &fixture.model->choices[0];
    CU_ASSERT_EQUAL_FATAL(choice->alternative_count, 2);
    /* rf was folded in last, and stands first. */
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, choice->alternatives[0]), "(| co rf)");
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, choice->alternatives[1]), "(| co po)");
    cat_fixture_free(&fixture);
}

/* Orders of each location are co; that it is total, and contains r, are checks. */
static void test_coherence(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "with co from generate_cos(po) acyclic co as order", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL(fixture.model->choice_count, 0);
    cat_assert_check(&fixture, "order", "co");
    cat_assert_check(&fixture, "co-order", "(\\ (& (& (x W W) loc) (plus po)) co)");
    cat_assert_check(&fixture, "total-coherence", "(\\ (& (x W W) loc) (| (| (inv co) co) id))");
    cat_fixture_free(&fixture);
    cat_fixture_load(&fixture, "with mo from generate_orders(W & A, 0) acyclic mo", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    cat_assert_check(&fixture, "mo", "(& (x (& A W) (& A W)) co)");
    cat_fixture_free(&fixture);
    cat_assert_loads("with a from generate_cos(po) with b from generate_cos(po)");
    /* The total order is the check that the library's file has: one check in all. */
    cat_fixture_load(&fixture, "include \"cos.cat\" with co from generate_cos(0)", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL(fixture.model->check_count, 2);
    cat_fixture_free(&fixture);
    /* A part of the tool's co is no order that the model finds out by itself, so it may be partial
       (PTX); another relation of that name is one, and both checks come with it. */
    cat_fixture_load(&fixture, "let co = co+ acyclic co as order", "");
    CU_ASSERT_EQUAL_FATAL(fixture.model->check_count, 1);
    cat_fixture_free(&fixture);
    cat_fixture_load(&fixture, "let co = (po & loc) & (W * W) acyclic co as order", "");
    CU_ASSERT_EQUAL_FATAL(fixture.model->check_count, 3);
    cat_fixture_free(&fixture);
    cat_assert_error("with a from generate_cos(po) with b from generate_cos(rf)", DIAG_CAT_CHOICE,
                     1, 30);
    cat_assert_error("with a from generate_orders(R, po)", DIAG_CAT_CHOICE, 1, 13);
}

static void test_dump(void)
{
    struct cat_fixture fixture;
    struct strbuf out = {0};
    cat_fixture_load(&fixture, "with s from linearisations(W, po) with t from {po, s}", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    cat_model_dump(fixture.model, &out);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), ": rel dynamic = choice 0  (s)\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), "\nchoice 0 s : linearisations n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), "\nchoice 1 t : n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), " or n"));
    strbuf_fini(&out);
    cat_fixture_free(&fixture);
}

/* ---- Bounds ---- */

/* 65 recursive definitions, and 64 are the most that engines take. */
static void test_many_groups(void)
{
    struct strbuf text = {0};
    for (int i = 1; i <= 65; i++)
        strbuf_printf(&text, "let rec r = po | r; r acyclic r as c%d\n", i);
    cat_assert_error(strbuf_text(&text), DIAG_CAT_TOO_LARGE, 65, 9);
    strbuf_fini(&text);
}

void suite_cat_instr(void)
{
    CU_pSuite suite = CU_add_suite("cat_instr", NULL, NULL);
    UNIT_TEST(suite, test_procedure);
    UNIT_TEST(suite, test_procedure_nested);
    UNIT_TEST(suite, test_procedure_scope);
    UNIT_TEST(suite, test_forall);
    UNIT_TEST(suite, test_match);
    UNIT_TEST(suite, test_when);
    UNIT_TEST(suite, test_linearisations);
    UNIT_TEST(suite, test_alternatives);
    UNIT_TEST(suite, test_choice_nodes);
    UNIT_TEST(suite, test_choice_twice);
    UNIT_TEST(suite, test_computed_alternatives);
    UNIT_TEST(suite, test_coherence);
    UNIT_TEST(suite, test_dump);
    UNIT_TEST(suite, test_many_groups);
}
