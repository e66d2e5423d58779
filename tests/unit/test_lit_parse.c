/* Whole tests: header, initial block, thread headers, conditions, recovery,
 * expectations; faults that are many, large or deep. */
#include "test_lit_fixture.h"

static void test_header(void)
{
    struct lit_fixture fixture;
    /* The name runs to the end of the line; comments and strings stand around it. */
    lit_fixture_accept(&fixture, "(* c *) // d\nOPENCL 2+2W_xaG--sc[wg]_0||1 \r\n\"a title\"\n"
                                 "{ x = 0; }\nP0 { x = 1; } exists (x=1)");
    CU_ASSERT_STRING_EQUAL(fixture.program->name, "2+2W_xaG--sc[wg]_0||1");
    CU_ASSERT_STRING_EQUAL(fixture.program->title, "a title");
    CU_ASSERT_EQUAL(fixture.program->line, 2);
    lit_fixture_fini(&fixture);
    lit_fixture_accept(&fixture, "OPENCL t\n{}\nP0 (int* x) { *x = 1; } exists (x=1)");
    CU_ASSERT_STRING_EQUAL(fixture.program->title, "");
    CU_ASSERT_EQUAL(fixture.program->location_count, 1);
    CU_ASSERT_EQUAL(fixture.program->locations[0].span.line, 0);
    lit_fixture_fini(&fixture);
}

static void test_initial_block(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(
        &fixture, "OPENCL t\n{ a = 1; [b] = -2; int c; uint d = 4294967295; atomic_int e = 5;\n"
                  "  nvm f = 6; nvm int g; nvm atomic_int h = 8; nvm i[2]; int j[3] = {1, 2};\n"
                  "  nvm k[2] = 9; local l; atomic<ulong> m = 18446744073709551615; long n = 1L;\n"
                  "  unsigned o; unsigned long p; 0:r = 7; uint P0:s = 4000000000; q }\n"
                  "P0 { a = r; a = s; }\nexists (true)\n");
    lit_expect_text(
        strbuf_text(&fixture.dump),
        "test t\nint a = 1\nint b = -2\nint c = 0\nuint d = 4294967295\natomic_int e = 5\n"
        "nvm int f = 6\nnvm int g = 0\nnvm atomic_int h = 8\nnvm int i[0] = 0\nnvm int i[1] = 0\n"
        "int j[0] = 1\nint j[1] = 2\nint j[2] = 0\nnvm int k[0] = 9\nnvm int k[1] = 9\n"
        "local int l = 0\natomic_ulong m = 18446744073709551615\nlong n = 1\nuint o = 0\n"
        "ulong p = 0\nint q = 0\nP0 sg 0 wg 0 kr 0 dev 0\n  0: STORE [a] = r NA\n"
        "  1: STORE [a] = s NA\nfinal exists (true)\n");
    const struct lit_register *registers = fixture.program->threads[0].registers;
    CU_ASSERT_EQUAL(registers[0].init, 7);
    CU_ASSERT_EQUAL(registers[1].type, LIT_UINT);
    CU_ASSERT_EQUAL(registers[1].init, 4000000000);
    lit_fixture_fini(&fixture);
}

static void test_parameters(void)
{
    struct lit_fixture fixture;
    /* They say type, space and atomicity of what the block only names. */
    lit_fixture_accept(&fixture,
                       "OPENCL t\n{ x = 1; [y] = 0; nvm z = 2; }\n"
                       "P0 (volatile global uint* x, local atomic_int* y, int * restrict w) { }\n"
                       "P1 (global atomic_int* z, volatile uint* x) { }\nexists (true)");
    lit_expect_text(strbuf_text(&fixture.dump),
                    "test t\nuint x = 1\nlocal atomic_int y = 0\nnvm atomic_int z = 2\nint w = 0\n"
                    "P0 sg 0 wg 0 kr 0 dev 0\nP1 sg 0 wg 0 kr 0 dev 0\nfinal exists (true)\n");
    lit_fixture_fini(&fixture);
}

static const struct lit_instr *first_of(const struct lit_fixture *fixture, uint32_t thread)
{
    return fixture->program->threads[thread].code;
}

/* Each access has the space and kind that its own thread declares; the location, which its initial
 * write is to, has all spaces, and is atomic when some thread says so. */
static void test_views(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ x = 1; atomic_int a = 0; local l = 0; }\n"
                                 "P0 (global int* x) { *x = 1; }\n"
                                 "P1 (local atomic_int* x) { *x = 1; }\n"
                                 "P2 (int* a) { *a = 1; }\n"
                                 "P3 (int* l) { *l = 1; }\n"
                                 "P4 { x = 1; }\n"
                                 "recovery (global int* x) { *x = 1; }\nexists (true)");
    /* Of x, once: its space; then its kind. Of a: plain in P2. */
    CU_ASSERT_EQUAL(fixture.diag.entries.count, 2);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].id, DIAG_LIT_SPACE);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[1].id, DIAG_LIT_TYPE);
    const struct lit_location *locations = fixture.program->locations;
    CU_ASSERT(locations[0].spaces == (LIT_GLOBAL | LIT_LOCAL) && locations[0].atomic);
    CU_ASSERT(locations[1].spaces == LIT_GLOBAL && locations[1].atomic);
    CU_ASSERT(locations[2].spaces == LIT_LOCAL && !locations[2].atomic);
    CU_ASSERT(first_of(&fixture, 0)->spaces == LIT_GLOBAL && first_of(&fixture, 0)->nonatomic);
    CU_ASSERT(first_of(&fixture, 1)->spaces == LIT_LOCAL && !first_of(&fixture, 1)->nonatomic);
    /* What the initial block says to be atomic is so for all. */
    CU_ASSERT(first_of(&fixture, 2)->spaces == LIT_GLOBAL && !first_of(&fixture, 2)->nonatomic);
    CU_ASSERT(first_of(&fixture, 3)->spaces == LIT_LOCAL && first_of(&fixture, 3)->nonatomic);
    CU_ASSERT_EQUAL(first_of(&fixture, 4)->spaces, LIT_GLOBAL | LIT_LOCAL);
    CU_ASSERT(fixture.program->recovery[0].code->nonatomic);
    lit_fixture_fini(&fixture);
    lit_fixture_accept(&fixture,
                       "C t\n{ }\nP0 (int* x) { }\nP1 (atomic_int* x) { }\nexists (true)");
    CU_ASSERT_EQUAL(fixture.diag.entries.count, 1);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].id, DIAG_LIT_TYPE);
    lit_fixture_fini(&fixture);
}

static void test_places(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ x; }\nP2 { }\nP0@wg 1, kr 2, dev 3 { }\n"
                                 "P1@dev 7, sg 4 () { }\nexists (true)");
    lit_expect_text(strbuf_text(&fixture.dump),
                    "test t\nint x = 0\nP0 sg 0 wg 1 kr 2 dev 3\nP1 sg 4 wg 0 kr 0 dev 7\n"
                    "P2 sg 0 wg 0 kr 0 dev 0\nfinal exists (true)\n");
    lit_fixture_fini(&fixture);
}

static void expect_condition(const char *condition, const char *expected)
{
    struct lit_fixture fixture;
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "OPENCL t\n{ x = 0; nvm y = 0; nvm a[2]; ulong u; }\n"
                  "P0 { int r1 = x; }\nP1 { int r2 = y; }\n%s\n",
                  condition);
    lit_fixture_accept(&fixture, strbuf_text(&text));
    CU_ASSERT_EQUAL_FATAL(fixture.program->condition_count, 1);
    lit_expect_text(fixture.program->conditions[0].text, expected);
    strbuf_fini(&text);
    lit_fixture_fini(&fixture);
}

static void test_condition_texts(void)
{
    expect_condition("exists (x = 1 /\\ 0:r1 = 2)", "exists (x=1 /\\ 0:r1=2)");
    expect_condition("~exists x == 1", "~exists (x=1)");
    expect_condition("~ exists ((true))", "~exists (true)");
    expect_condition("forall ([x] <> -1 \\/ P1:r2 >= 0)", "forall (x!=-1 \\/ 1:r2>=0)");
    expect_condition("crash exists (a[1] <= 3 /\\ y < 0x10)", "exists (a[1]<=3 /\\ y<16)");
    expect_condition("final forall 1 = x", "forall (1=x)");
    expect_condition("exists (0:r1 = 1:r2 /\\ x != y)", "exists (0:r1=1:r2 /\\ x!=y)");
    expect_condition("exists u = 18446744073709551615", "exists (u=18446744073709551615)");
    /* ~ before /\ before \/ before =>, which goes to the right. */
    expect_condition("exists ~x=1 /\\ y=1 \\/ x=2 => y=2 => x=3",
                     "exists (~x=1 /\\ y=1 \\/ x=2 => y=2 => x=3)");
    expect_condition("exists (~(x=1 /\\ y=1) /\\ (x=2 \\/ y=2))",
                     "exists (~(x=1 /\\ y=1) /\\ (x=2 \\/ y=2))");
    expect_condition("exists ((x=1 => y=1) => (x=2 => y=2))",
                     "exists ((x=1 => y=1) => x=2 => y=2)");
    expect_condition("exists ((x=1 /\\ y=1) /\\ (x=2 /\\ y=2))",
                     "exists (x=1 /\\ y=1 /\\ x=2 /\\ y=2)");
    expect_condition("exists not (true \\/ false)", "exists (~(true \\/ false))");
}

static void test_condition_kinds(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ nvm x = 0; nvm a[2]; }\nP0 { int r = x; }\n"
                                 "locations [x; 0:r; a;]\nfilter (0:r = 1)\nforall (x = 0)\n"
                                 "final exists (0:r=1)\ncrash ~exists (x=1)\nfilter x = 0\n");
    const struct lit_program *program = fixture.program;
    CU_ASSERT_EQUAL_FATAL(program->condition_count, 3);
    CU_ASSERT_EQUAL(program->conditions[0].when, LIT_FINAL);
    CU_ASSERT_EQUAL(program->conditions[0].quantifier, LIT_FORALL);
    CU_ASSERT_EQUAL(program->conditions[1].quantifier, LIT_EXISTS);
    CU_ASSERT_EQUAL(program->conditions[2].when, LIT_CRASHED);
    CU_ASSERT_EQUAL(program->conditions[2].quantifier, LIT_NOT_EXISTS);
    CU_ASSERT_EQUAL(program->conditions[2].span.line, 8);
    /* Two filters are one conjunction; an array is all its elements. */
    CU_ASSERT_EQUAL(program->filter->op, LIT_PROP_AND);
    CU_ASSERT_EQUAL_FATAL(program->observed_count, 4);
    CU_ASSERT_EQUAL(program->observed[1].kind, LIT_ATOM_REGISTER);
    CU_ASSERT_EQUAL(program->observed[3].location, 2);
    lit_fixture_fini(&fixture);
}

static void test_recovery(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ nvm x = 0; }\nP0 { x = 1; }\n"
                                 "recovery (global int* x) { int k = *x; if (k) *x = 2; }\n"
                                 "recovered forall (0:k = 1 => x = 2)");
    CU_ASSERT_EQUAL(fixture.program->recovery_count, 1);
    CU_ASSERT_FALSE(fixture.program->recovery_restartable);
    CU_ASSERT_EQUAL(fixture.program->recovery[0].code_count, 3);
    CU_ASSERT_STRING_EQUAL(fixture.program->conditions[0].text, "forall (0:k=1 => x=2)");
    lit_fixture_fini(&fixture);
    lit_fixture_accept(&fixture, "OPENCL t\n{ nvm x = 0; }\nP0 { x = 1; }\n"
                                 "recovery restartable P0@wg 1 { x = 2; }\nP1@wg 2 { x = 3; }\n"
                                 "exists (true)");
    CU_ASSERT_EQUAL(fixture.program->thread_count, 1);
    CU_ASSERT_EQUAL_FATAL(fixture.program->recovery_count, 2);
    CU_ASSERT_EQUAL(fixture.program->recovery[1].wg, 2);
    CU_ASSERT_TRUE(fixture.program->recovery_restartable);
    lit_fixture_fini(&fixture);
}

static void test_expects(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ nvm x = 0; }\nP0 { x = 1; }\nexists (x=1)\n"
                                 "expect hrf-direct   + epoch           : ok // why\n"
                                 "expect hrf-direct + epoch [machine] : violated (* c *)\n"
                                 "expect ../m/my.cat+sc: undefined\nexists (x=0)\n"
                                 "expect a + b : unknown\nexpect a + c : error");
    const struct lit_expect *expects = fixture.program->expects;
    CU_ASSERT_EQUAL_FATAL(fixture.program->expect_count, 5);
    CU_ASSERT_STRING_EQUAL(expects[0].visibility, "hrf-direct");
    CU_ASSERT_STRING_EQUAL(expects[0].persistency, "epoch");
    CU_ASSERT_PTR_NULL(expects[0].engine);
    CU_ASSERT_EQUAL(expects[0].verdict, LIT_OK);
    CU_ASSERT_STRING_EQUAL(expects[1].engine, "machine");
    CU_ASSERT_EQUAL(expects[1].verdict, LIT_VIOLATED);
    CU_ASSERT_STRING_EQUAL(expects[2].visibility, "../m/my.cat");
    CU_ASSERT_EQUAL(expects[2].verdict, LIT_UNDEFINED);
    CU_ASSERT_EQUAL(expects[3].verdict, LIT_UNKNOWN);
    CU_ASSERT_EQUAL(expects[4].verdict, LIT_ERROR);
    CU_ASSERT_EQUAL(expects[4].span.line, 10);
    CU_ASSERT_EQUAL(fixture.program->condition_count, 2);
    lit_fixture_fini(&fixture);
}

/* `(*` begins a comment outside code and a dereference in it. */
static void test_comments(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture,
                       "OPENCL t\n(* a (* nested *) b *)\n{ x = 0; (* c *) y = 0; // d\n}\n"
                       "P0 { if (*x) { y = (*x) + (*y); } (* e *) /* ; */ y = 2; // f\n}\n"
                       "(* g *) exists (y=2) /* h */");
    CU_ASSERT_EQUAL(fixture.program->threads[0].code_count, 6);
    lit_fixture_fini(&fixture);
}

/* Words of conditions are names in code. */
static void test_keywords(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ filter = 0; final = 1; }\n"
                                 "P0 { int expect = 2; filter = expect; final = 3; }\n"
                                 "exists (true)");
    CU_ASSERT_EQUAL(fixture.program->threads[0].code_count, 3);
    lit_fixture_fini(&fixture);
}

/* Read as a register, the parameter x holds an address: no value that `0:x=0` or any
 * other int could equal (the peers' barrier_example says no such state exists). */
static void test_parameter_as_register(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{}\nP0 (global int* x) { *x = 1; int r = *x; }\n"
                                 "exists (0:x=0 /\\ 0:r=1)");
    CU_ASSERT_EQUAL(fixture.diag.entries.count, 1);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].severity, DIAG_WARNING);
    CU_ASSERT_EQUAL(fixture.program->threads[0].register_count, 2);
    CU_ASSERT(fixture.program->threads[0].registers[1].init > INT32_MAX);
    lit_fixture_fini(&fixture);
}

/* Each work-group has local memory of its own; a test that shares it is warned of. */
static void test_shared_local(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{}\nP0@wg 0 (local int* x, local int* y) { }\n"
                                 "P1@wg 0 (local int* y) { }\nP2@wg 1 (local int* x) { }\n"
                                 "P3@wg 2 (local int* x) { }\nexists (true)");
    CU_ASSERT_EQUAL_FATAL(fixture.diag.entries.count, 1);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].severity, DIAG_WARNING);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].span.line, 5);
    lit_fixture_fini(&fixture);
}

/* Faults of several kinds and places are reported in one run. */
static void test_several_faults(void)
{
    static const char syntax[] = "OPENCL t\n{ x = ; y = 0 }\nP0 {\n  int r = ;\n  y = 1\n}\n"
                                 "P1 { y = = 2; }\nexists (x = )\nforall (y 1)\n";
    /* Lines 2, 4, 6 (no `;` before `}`), 7, 8, 9. */
    lit_expect_refused(syntax, strlen(syntax), DIAG_LIT_SYNTAX, 6);
    static const char sense[] = "OPENCL t\n{ x = 0; }\nP0 { z = 1; foo(); }\nP1 { int r = w; }\n"
                                "exists (v = 1 /\\ 0:q = 1)\n";
    lit_expect_refused(sense, strlen(sense), DIAG_LIT_UNBOUND, 5);
}

/* Comments before the header nest, and the least long is a value: -2^63. */
static void test_header_comments_and_least(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "(* a (* b *) c *) /* d */ // e\nOPENCL t\n"
                                 "{ long x = -9223372036854775808; }\nP0 { x = 0; }\n"
                                 "exists (x = -9223372036854775808)");
    CU_ASSERT_STRING_EQUAL(fixture.program->name, "t");
    CU_ASSERT(fixture.program->locations[0].init == INT64_MIN);
    lit_fixture_fini(&fixture);
    /* One less fits no type; in a ulong nothing negative does. */
    static const char less[] = "OPENCL t\n{ long x = -9223372036854775809; "
                               "uint y = -9223372036854775808; }\nP0 { x = 0; }\nexists (true)";
    lit_expect_refused(less, strlen(less), DIAG_LIT_NUMBER, 2);
}

/* A second test of the same diagnostics is judged by its own faults alone. */
static void test_shared_diagnostics(void)
{
    struct arena arena;
    struct diag diag;
    arena_init(&arena);
    diag_init(&diag);
    struct intern *names = intern_new();
    const char *bad = "PPC x\n", *good = "OPENCL t\n{ x = 0; }\nP0 { x = 1; }\nexists (x=1)";
    CU_ASSERT_PTR_NULL(
        lit_parse(&arena, names, source_from_text(&arena, "a", bad, strlen(bad)), &diag));
    CU_ASSERT_PTR_NOT_NULL(
        lit_parse(&arena, names, source_from_text(&arena, "b", good, strlen(good)), &diag));
    intern_free(names);
    diag_fini(&diag);
    arena_fini(&arena);
}

static void repeat(struct strbuf *out, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strbuf_add(out, text);
}

static void expect_bounded(const char *head, const char *unit, size_t count, const char *tail,
                           enum diag_id id, uint32_t errors)
{
    struct strbuf text = {0};
    strbuf_add(&text, head);
    repeat(&text, unit, count);
    strbuf_add(&text, tail);
    lit_expect_refused(strbuf_text(&text), text.length, id, errors);
    strbuf_fini(&text);
}

#define START "OPENCL t\n{ x = 0; }\nP0 {\n"

/* As herd's generators write them; dumped as they were read, the blanks at their ends dropped. */
static void test_metadata(void)
{
    static const char *const heads[] = {"C", "OPENCL"};
    struct lit_fixture fixture;
    for (size_t i = 0; i < 2; i++) {
        struct strbuf text = {0};
        strbuf_printf(&text,
                      "%s SB+\n\"PodWR Fre\"\nGenerator=diyone7 (version 7.58)\n(* kept *)\n"
                      "Prefetch=0:x=F,0:y=T\nCom=Fr Fr \nOrig = \"a\" (* b\nHash=\n\n"
                      "const Last = 2;\n{ x = Last; }\nP0 (int* x) { *x = 1; }\nexists (true)",
                      heads[i]);
        lit_fixture_accept(&fixture, strbuf_text(&text));
        lit_expect_text(strbuf_text(&fixture.dump),
                        "test SB+\n\"PodWR Fre\"\nGenerator=diyone7 (version 7.58)\n"
                        "Prefetch=0:x=F,0:y=T\nCom=Fr Fr\nOrig=\"a\" (* b\nHash=\n"
                        "int x = 2\nP0 sg 0 wg 0 kr 0 dev 0\n  0: STORE [x] = 1 NA\n"
                        "final exists (true)\n");
        lit_fixture_fini(&fixture);
        strbuf_fini(&text);
    }
    lit_fixture_accept(&fixture, "PTX SB\n\"PodWR\nFre\"\nCom=Fr Fr\nHash=0a \n{ x = 1; }\n"
                                 " P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x = 1)");
    CU_ASSERT_EQUAL_FATAL(fixture.program->metadata_count, 2);
    CU_ASSERT_STRING_EQUAL(fixture.program->metadata[0].name, "Com");
    CU_ASSERT_STRING_EQUAL(fixture.program->metadata[0].text, "Fr Fr");
    CU_ASSERT_STRING_EQUAL(fixture.program->metadata[1].name, "Hash");
    CU_ASSERT_STRING_EQUAL(fixture.program->metadata[1].text, "0a");
    lit_fixture_fini(&fixture);
    /* Behind a definition, and in small letters, it is a fault as ever. */
    static const char *const wrong[] = {
        "OPENCL t\nconst n = 1;\nCom=Fr\n{ x = 0; }\nP0 { }\n",
        "OPENCL t\nx=1;\n{ }\nP0 { }\n",
        "OPENCL t\n{ x = 0; }\nCom=Fr\nP0 { }\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        lit_expect_refused(wrong[i], strlen(wrong[i]), DIAG_LIT_SYNTAX, 1);
}

static void test_depth(void)
{
    const char *end = "}\nexists (true)";
    expect_bounded(START "x = ", "(", 100000, "1;", DIAG_LIT_TOO_DEEP, 1);
    expect_bounded(START "x = ", "- ", 1000, "1;}\nexists (true)", DIAG_LIT_TOO_DEEP, 1);
    expect_bounded(START, "if (x) ", 1000, "x = 1;}\nexists (true)", DIAG_LIT_TOO_DEEP, 1);
    expect_bounded(START, "{", 100000, end, DIAG_LIT_TOO_DEEP, 1);
    expect_bounded(START "}\nexists (", "~", 1000, "x=1)", DIAG_LIT_TOO_DEEP, 1);
}

static void test_sizes(void)
{
    const char *end = "}\nexists (true)";
    expect_bounded(START, "x = 1;", 4097, end, DIAG_LIT_TOO_LARGE, 1);
    expect_bounded(START, ";", 131073, end, DIAG_LIT_TOO_LARGE, 1);
    expect_bounded("OPENCL t\n{ ", "nvm a[4096]; nvm b[1];", 1,
                   "}\nP0 { a[0] = 1; }\nexists (true)", DIAG_LIT_TOO_LARGE, 1);
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL t\n{ x = 0; }\n");
    for (int i = 0; i <= LIT_MAX_THREADS; i++)
        strbuf_printf(&text, "P%d { x = 1; }\n", i);
    strbuf_add(&text, "exists (true)");
    /* P1024 is refused, and taken for P0 that is there. */
    lit_expect_refused(strbuf_text(&text), text.length, DIAG_LIT_THREAD, 1);
    strbuf_fini(&text);
}

static void test_odd_bytes(void)
{
    static const char nul[] = "OPENCL t\n{ x = 0; }\nP0 { x = 1; }\0\nexists (x=1)";
    lit_expect_refused(nul, sizeof nul - 1, DIAG_LIT_CHARACTER, 1);
    static const char name[] = "OPENCL a\0b\n{ x = 0; }\nP0 { x = 1; }\nexists (x=1)";
    lit_expect_refused(name, sizeof name - 1, DIAG_LIT_TEST_NAME, 1);
    lit_expect_refused("", 0, DIAG_LIT_EMPTY, 1);
    lit_expect_refused("\0", 1, DIAG_LIT_DIALECT, 1);
    static const char open[] = "OPENCL t\n{ x = 0; }\nP0 { x = 1; }\n(* (* *) exists (x=1)";
    lit_expect_refused(open, sizeof open - 1, DIAG_LIT_UNCLOSED, 1);
}

void suite_lit_parse(void)
{
    CU_pSuite suite = CU_add_suite("lit_parse", NULL, NULL);
    UNIT_TEST(suite, test_header);
    UNIT_TEST(suite, test_initial_block);
    UNIT_TEST(suite, test_parameters);
    UNIT_TEST(suite, test_views);
    UNIT_TEST(suite, test_places);
    UNIT_TEST(suite, test_condition_texts);
    UNIT_TEST(suite, test_condition_kinds);
    UNIT_TEST(suite, test_recovery);
    UNIT_TEST(suite, test_expects);
    UNIT_TEST(suite, test_comments);
    UNIT_TEST(suite, test_keywords);
    UNIT_TEST(suite, test_parameter_as_register);
    UNIT_TEST(suite, test_shared_local);
    UNIT_TEST(suite, test_several_faults);
    UNIT_TEST(suite, test_header_comments_and_least);
    UNIT_TEST(suite, test_shared_diagnostics);
    UNIT_TEST(suite, test_metadata);
    UNIT_TEST(suite, test_depth);
    UNIT_TEST(suite, test_sizes);
    UNIT_TEST(suite, test_odd_bytes);
}
