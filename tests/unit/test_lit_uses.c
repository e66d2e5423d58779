/* What calls of definitions become, by their meaning: the body, with the arguments as they stand.
 * The definitions are those of test_uses.def. */
#include "test_lit_fixture.h"

static const char head[] = "OPENCL t\nuses \"test_uses.def\"\n"
                           "{ nvm x = 0; nvm y = 0; nvm a[2]; atomic_int f = 0; }\n";

static void parse(struct lit_fixture *fixture, const char *text)
{
    static const struct reach reach = {.searched = {"tests/unit"}, .searched_count = 1};
    const struct lit_surroundings surroundings = {.reach = &reach};
    *fixture = (struct lit_fixture){0};
    arena_init(&fixture->arena);
    diag_init(&fixture->diag);
    fixture->names = intern_new();
    const struct source *source = source_from_text(&fixture->arena, "t.litmus", text, strlen(text));
    fixture->program =
        lit_parse_in(&fixture->arena, fixture->names, source, &surroundings, &fixture->diag);
    diag_render(&fixture->diag, &fixture->messages);
    if (fixture->program)
        lit_program_dump(fixture->program, &fixture->dump);
}

/* The code of P0 with this body. */
static void expect_code(const char *body, const char *code)
{
    struct lit_fixture fixture;
    struct strbuf text = {0};
    strbuf_printf(
        &text,
        "%sP0 (global int* x, global int* y, global int* a, global atomic_int* f) {\n%s }\n"
        "exists (true)\n",
        head, body);
    parse(&fixture, strbuf_text(&text));
    CU_ASSERT_STRING_EQUAL(strbuf_text(&fixture.messages), "");
    const char *dump = strstr(strbuf_text(&fixture.dump), "  0: ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(dump);
    lit_expect_text(dump, code);
    lit_fixture_fini(&fixture);
    strbuf_fini(&text);
}

#define END "final exists (true)\n"

static void test_bodies(void)
{
    expect_code("BOTH(x, &a[1], 3); WAIT; WAIT();",
                "  0: STORE [x] = 3 NA\n  1: STORE [a[1]] = 3 NA\n  2: PBARRIER WI\n"
                "  3: PBARRIER WI\n" END);
    /* An argument that stands twice is evaluated twice; one that is not used, never. */
    expect_code("int r = TWICE(*x);",
                "  0: LOAD %1 = [x] NA\n  1: LOAD %2 = [x] NA\n  2: SET r = (%1 + %2)\n" END);
    expect_code("int r = MIN(1, 2); int q = GET(x + 0);",
                "  0: SET r = 1\n  1: LOAD q = [x] NA\n" END);
    expect_code("GET(y);", "  0: LOAD %0 = [y] NA\n" END);
    expect_code("SWAP_IF(x, 1, 2);",
                "  0: BRANCH 1 else 3\n  1: STORE [x] = 2 NA\n  2: JUMP 4\n  3: PBARRIER WI\n" END);
}

/* Words of order and scope are arguments as well, and a definition hides a function of its name. */
static void test_built_in(void)
{
    expect_code("SIGNAL(f, 1, mo_rel, wg_scope);", "  0: STORE [f] = 1 REL WG\n" END);
    expect_code("int r = atomic_fetch_add(2, f);", "  0: RMW r = [f] add 2 RLX DV\n" END);
}

/* Where things are is told of the test; which instruction it is, by the name that the test writes.
 */
static void test_places(void)
{
    struct lit_fixture fixture;
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "%sP0 (global int* x, global int* y) {\n\n  BOTH(x, y, *y);\n}\nexists (true)\n",
                  head);
    parse(&fixture, strbuf_text(&text));
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.program);
    const struct lit_thread *thread = &fixture.program->threads[0];
    CU_ASSERT_EQUAL_FATAL(thread->code_count, 4); /* R y, W x, R y, W y */
    for (uint32_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(thread->code[i].span.line, 6);
        CU_ASSERT_PTR_EQUAL(thread->code[i].span.source, fixture.program->source);
        CU_ASSERT_EQUAL(thread->code[i].within, i > 0);
        CU_ASSERT_EQUAL(thread->code[i].statement != NULL, i == 0);
        if (i % 2)
            CU_ASSERT_STRING_EQUAL(thread->code[i].name, "PUT");
        else
            CU_ASSERT_PTR_NULL(thread->code[i].name);
    }
    lit_fixture_fini(&fixture);
    strbuf_fini(&text);
}

static void test_columns(void)
{
    struct lit_fixture fixture;
    parse(&fixture, "PTX t\nuses \"test_uses.def\"\n{ nvm x = 0; }\n P0 ;\n BOTH x, [y], r2 ;\n"
                    " GET r1, x ;\n TWICE r1, r1 ;\n SIGNAL x, r1, mo_rel, gpu ;\n WAIT ;\n"
                    "exists (0:r1 = 0)\n");
    CU_ASSERT_STRING_EQUAL(strbuf_text(&fixture.messages), "");
    const char *dump = strstr(strbuf_text(&fixture.dump), "  0: ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(dump);
    lit_expect_text(dump, "  0: STORE [x] = r2 NA\n  1: STORE [y] = r2 NA\n  2: LOAD r1 = [x] NA\n"
                          "  3: SET r1 = (r1 + r1)\n  4: STORE [x] = r1 REL DV\n  5: PBARRIER WI\n"
                          "final exists (0:r1=0)\n");
    lit_fixture_fini(&fixture);
}

/* A text in memory has no folder: it uses built-in files and those that the host permits. */
static void test_in_memory(void)
{
    static const char text[] =
        "OPENCL t\nuses \"sbrp.def\"\n{ atomic_int f = 0; }\n"
        "P0 (global atomic_int* f) { prel(f, 1, wg_scope); }\nexists (true)\n";
    static const char own[] = "OPENCL t\nuses \"tests/unit/test_uses.def\"\n{ x = 0; }\n"
                              "P0 (global int* x) { PUT(x, 1); }\nexists (true)\n";
    struct lit_fixture fixture;
    lit_fixture_init(&fixture, text);
    CU_ASSERT_PTR_NOT_NULL(fixture.program);
    lit_fixture_fini(&fixture);
    lit_fixture_init(&fixture, own);
    CU_ASSERT_PTR_NULL(fixture.program);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&fixture.messages), "[E-file-reach]"));
    lit_fixture_fini(&fixture);
}

void suite_lit_uses(void)
{
    CU_pSuite suite = CU_add_suite("lit_uses", NULL, NULL);
    UNIT_TEST(suite, test_bodies);
    UNIT_TEST(suite, test_built_in);
    UNIT_TEST(suite, test_places);
    UNIT_TEST(suite, test_columns);
    UNIT_TEST(suite, test_in_memory);
}
