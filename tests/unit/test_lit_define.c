/* Constants, enumerators and structures: what they stand for in initial values, code and
 * conditions. Element i of a structure of m members is at location first + m * i. */
#include "test_lit_fixture.h"

/* The locations and the condition of a test, as the dump has them. */
static void expect_dump(const char *text, const char *expected)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, text);
    lit_expect_text(strbuf_text(&fixture.dump), expected);
    lit_fixture_fini(&fixture);
}

static void test_constants(void)
{
    /* 1 << 3 | 1 is 9; -9 / 2 is -4, C rounds to zero; a type said, or the value's own. */
    expect_dump("OPENCL t\n\"title\"\nconst a = 1, b = a << 3 | a;\nconst ulong c = b;\n"
                "{ const d = -b / 2; nvm x = d; y[b - 7] = {a, b > 8 ? 5 : 6}; long z = 2 * c;\n"
                "  0:r = d; const top = 0xffffffffffffffff; ulong w = top; uint v = (uint)top }\n"
                "P0 { x = r; }\nexists (x = d /\\ y[a] = b /\\ z != c)\n",
                "test t\n\"title\"\nnvm int x = -4\nint y[0] = 1\nint y[1] = 5\nlong z = 18\n"
                "ulong w = 18446744073709551615\nuint v = 4294967295\n"
                "P0 sg 0 wg 0 kr 0 dev 0\n  0: STORE [x] = r NA\n"
                "final exists (x=-4 /\\ y[1]=9 /\\ z!=9)\n");
}

static void test_enumerators(void)
{
    /* From 0, and by one from the last value given. */
    expect_dump("OPENCL t\nenum { idle, inTx, committed = 7, gone, };\n"
                "{ enum { e = -2, f }; x[4] = {idle, inTx, gone, f}; }\n"
                "P0 { x[e + 3] = committed; }\nexists (x[inTx] = gone)\n",
                "test t\nint x[0] = 0\nint x[1] = 1\nint x[2] = 8\nint x[3] = -1\n"
                "P0 sg 0 wg 0 kr 0 dev 0\n  0: STORE [x[1]] = 7 NA\nfinal exists (x[1]=8)\n");
}

static void test_constants_in_code(void)
{
    static const char head[] = "OPENCL t\nconst n = 2;\n{ nvm a[n]; x = 0; }\nP0 (int* x) {\n";
    struct strbuf text = {0};
    /* A known condition of a loop; a register of the same name hides the constant. */
    strbuf_printf(&text,
                  "%sint i = *x; a[i] = n; { int n = 5; n = n + i; a[0] = n; } a[1] = n;\n"
                  "if (n == 2) *x = n; }\nexists (true)\n",
                  head);
    lit_expect_p0(strbuf_text(&text),
                  "0: LOAD i = [x] NA\n1: STORE [a[0] + i] = 2 NA\n2: SET n = 5\n"
                  "3: SET n = (n + i)\n4: STORE [a[0]] = n NA\n5: STORE [a[1]] = 2 NA\n"
                  "6: BRANCH 1 else 8\n7: STORE [x] = 2 NA\n");
    strbuf_fini(&text);
}

static void test_words_are_names_elsewhere(void)
{
    /* `const` is a qualifier of parameters and registers; a table has no definitions. */
    lit_expect_p0(
        "OPENCL t\n{ x = 0; }\nP0 (const global int* const x) { const int r = 1; *x = r; }\n"
        "exists (true)\n",
        "0: SET r = 1\n1: STORE [x] = r NA\n");
    expect_dump(
        "PTX t\n{ struct = 1; enum = 2; }\n P0 ;\n st.weak enum, 1 ;\nexists (enum = 1)",
        "test t\nmemory split-rmw partial-coherence jumps\nint struct = 1\nint enum = 2\nP0 sg 0 "
        "wg 0 kr 0 dev 0\n"
        "  0: STORE [enum] = 1 NA\nfinal exists (enum=1)\n");
}

static void test_structures(void)
{
    /* Members in order, of their own types; braces for each element, or for all of them;
     * one value for all; a parameter alone declares one element of zeros. */
    expect_dump("OPENCL t\nstruct e { int a, b; atomic_long c; };\n"
                "{ struct one { uint u; }; nvm struct e x[2] = {{1, 2}, {3}};\n"
                "  struct e y[2] = {1, 2, 3, 4}; local struct e z = 5; struct one w = {6}; }\n"
                "P0 (global struct e* v) { }\nexists (x[1].a = 3 /\\ w.u = 6 /\\ v.c = 0)\n",
                "test t\nnvm int x[0].a = 1\nnvm int x[0].b = 2\nnvm atomic_long x[0].c = 0\n"
                "nvm int x[1].a = 3\nnvm int x[1].b = 0\nnvm atomic_long x[1].c = 0\n"
                "int y[0].a = 1\nint y[0].b = 2\natomic_long y[0].c = 3\n"
                "int y[1].a = 4\nint y[1].b = 0\natomic_long y[1].c = 0\n"
                "local int z.a = 5\nlocal int z.b = 5\nlocal atomic_long z.c = 5\nuint w.u = 6\n"
                "int v.a = 0\nint v.b = 0\natomic_long v.c = 0\n"
                "P0 sg 0 wg 0 kr 0 dev 0\nfinal exists (x[1].a=3 /\\ w.u=6 /\\ v.c=0)\n");
}

static void expect_members(const char *body, const char *expected)
{
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "OPENCL t\nstruct e { int a; int b; long c; };\n"
                  "{ nvm struct e log[4]; struct e s; x = 0; }\n"
                  "P0 (global struct e* log, global struct e* s, int* x) {\n%s\n}\nexists (true)\n",
                  body);
    lit_expect_p0(strbuf_text(&text), expected);
    strbuf_fini(&text);
}

static void test_members(void)
{
    expect_members("s.a = 1; s->b = 2; (*s).c = 3; log[3].b = 4; log->c = 5; (log + 2)->a = 6;",
                   "0: STORE [s.a] = 1 NA\n1: STORE [s.b] = 2 NA\n2: STORE [s.c] = 3 NA\n"
                   "3: STORE [log[3].b] = 4 NA\n4: STORE [log[0].c] = 5 NA\n"
                   "5: STORE [log[2].a] = 6 NA\n");
    expect_members("int i = *x; log[i].c = log[i + 1].b; (&log[i])->a++;",
                   "0: LOAD i = [x] NA\n1: LOAD %1 = [log[0].b + 3 * (i + 1)] NA\n"
                   "2: STORE [log[0].c + 3 * i] = %1 NA\n3: LOAD %2 = [log[0].a + 3 * i] NA\n"
                   "4: STORE [log[0].a + 3 * i] = (%2 + 1) NA\n");
    /* A member as an index, and as the object and the address of an atomic access. */
    expect_members("log[log[1].a].b = 7; s.a.store(1, mo_rel, wg_scope);"
                   " atomic_store(&log[2].c, 2);",
                   "0: LOAD %0 = [log[1].a] NA\n1: STORE [log[0].b + 3 * %0] = 7 NA\n"
                   "2: STORE [s.a] = 1 REL WG\n3: STORE [log[2].c] = 2 SC DV\n");
}

/* An array of structures, one of them, a member: everything they hold is shown. */
static void test_observed(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture,
                       "OPENCL t\nstruct e { int a; int b; };\n{ struct e x[2]; struct e y; }\n"
                       "P0 { x[0].a = 1; }\nlocations [x; x[1]; y; y.b]\nexists (true)\n");
    CU_ASSERT_EQUAL(fixture.program->observed_count, 4 + 2 + 2 + 1);
    CU_ASSERT_STRING_EQUAL(fixture.program->locations[fixture.program->observed[5].location].name,
                           "x[1].b");
    CU_ASSERT_EQUAL(fixture.program->observed[8].location, 5);
    lit_fixture_fini(&fixture);
}

static void test_commas_and_return(void)
{
    lit_expect_code("int i = 0, j = (i = 1, i + 1); i++, x = j;",
                    "0: SET i = 0\n1: SET i = 1\n2: SET j = (i + 1)\n3: SET i = (i + 1)\n"
                    "4: STORE [x] = j NA\n");
    lit_expect_code("int r = *x; if (r) return; x = 1;",
                    "0: LOAD r = [x] NA\n1: BRANCH r else 3\n2: JUMP 4\n3: STORE [x] = 1 NA\n");
    /* A loop that is left by `return` alone ends. */
    lit_expect_code("while (1) { if (*x) return; } *y = 1;",
                    "0: AWAIT 0 from 0 to 6\n1: LOOP 0\n2: LOAD %0 = [x] NA\n3: BRANCH %0 else 5\n"
                    "4: JUMP 7\n5: JUMP 0\n6: STORE [y] = 1 NA\n");
}

/* A `for` whose first test is of what it steps is counted by this test, and left by any. */
static void test_counted_loops(void)
{
    lit_expect_code(
        "for (int i = 0; i < 3 && a[i] && *x; i++) a[i] = 0;",
        "0: SET i = 0\n1: BRANCH (i < 3) else 10\n2: LOOP 0\n3: LOAD %1 = [a[0] + i] NA\n"
        "4: BRANCH %1 else 10\n5: LOAD %2 = [x] NA\n6: BRANCH %2 else 10\n"
        "7: STORE [a[0] + i] = 0 NA\n8: SET i = (i + 1)\n9: JUMP 1\n");
    /* Nothing steps r: counted where the whole condition holds. */
    lit_expect_code("int r = 1; for (int i = 0; r && *x; i++) *y = i;",
                    "0: SET r = 1\n1: SET i = 0\n2: SET %2 = 0\n3: BRANCH r else 6 for %2\n"
                    "4: LOAD %3 = [x] NA\n5: SET %2 = (%3 != 0)\n6: BRANCH %2 else 11\n7: LOOP 0\n"
                    "8: STORE [y] = i NA\n9: SET i = (i + 1)\n10: JUMP 2\n");
}

static void test_brought_along(void)
{
    /* Behind a comma the type is that of the first; -1 fills an unsigned word: 2^32 - 1, 2^8 - 1. */
    expect_dump(
        "OPENCL t\n{ nvm unsigned x = -1, y, z[2] = {1, 0b101,}; uchar c = -1; int p = NULL;\n"
        "  _Atomic int a; _Atomic(short) s; bool b = true; atomic<char> d = nullptr; }\n"
        "P0 { a->store(x, std::memory_order::release); s.store(1, cuda::memory_order_relaxed); }\n"
        "exists (x = y && !(b = false) || c = 255 /\\ p = NULL)\nlocations [int y; x]\n",
        "test t\nnvm uint x = 4294967295\nnvm uint y = 0\nnvm uint z[0] = 1\nnvm uint z[1] = 5\n"
        "uchar c = 255\nint p = 0\natomic_int a = 0\natomic_short s = 0\nbool b = 1\n"
        "atomic_char d = 0\nP0 sg 0 wg 0 kr 0 dev 0\n  0: LOAD %0 = [x] NA\n"
        "  1: STORE [a] = %0 REL DV\n  2: STORE [s] = 1 RLX DV\n"
        "locations y; x\nfinal exists (x=y /\\ ~b=0 \\/ c=255 /\\ p=0)\n");
}

static void test_sizes(void)
{
    /* c at 0, i at 4, s at 8, end 10, a multiple of 4: 12. In order of the text a constant may be
     * made of a structure. */
    expect_dump(
        "OPENCL t\nstruct node { char c; int i; short s; };\n"
        "const n = sizeof(struct node) + sizeof(long);\n{ x = n; nvm struct node a[2]; }\n"
        "P0 { x = sizeof(*a) + sizeof(a[1].s); x = sizeof(a); x = sizeof x; }\nexists (x = 1)\n",
        "test t\nint x = 20\nnvm char a[0].c = 0\nnvm int a[0].i = 0\nnvm short a[0].s = 0\n"
        "nvm char a[1].c = 0\nnvm int a[1].i = 0\nnvm short a[1].s = 0\n"
        "P0 sg 0 wg 0 kr 0 dev 0\n  0: STORE [x] = 14 NA\n  1: STORE [x] = 24 NA\n"
        "  2: STORE [x] = 4 NA\nfinal exists (x=1)\n");
}

static void test_dimensions(void)
{
    /* Element [1][2] of 2 rows of 3 is at 1 * 3 + 2 behind the first; old[1] of an element of 3 at 2. Chosen at
     * run time, an index that is out of its own row is out of all. */
    lit_expect_p0("OPENCL t\nstruct node { char key; int old[2]; };\n"
                  "{ int a[2][3]; struct node n[2]; }\n"
                  "P0 (global int a[2][3], global struct node* n) {\nint i = 1;\n"
                  "a[1][2] = 6; n[1].old[1] = 7; a[1][i] = 8; n[i].old[0] = 9; }\nexists (true)\n",
                  "0: SET i = 1\n1: STORE [a[1][2]] = 6 NA\n2: STORE [n[1].old[1]] = 7 NA\n"
                  "3: STORE [a[1][0] + (((ulong)(i) < 3) ? (long)(i) : -1)] = 8 NA\n"
                  "4: STORE [n[0].old[0] + 3 * i] = 9 NA\n");
    /* An address goes on within its row (C11 6.5.6), that of a row to the next. */
    lit_expect_p0("OPENCL t\nstruct node { char key; int old[2]; };\n"
                  "{ int a[2][3]; struct node n[2]; }\n"
                  "P0 (global int a[2][3], global struct node* n) {\n"
                  "*(&a[0][1] + 1) = 6; (&a[1][2])[-2] = 7; (a + 1)[0][1] = 8;\n"
                  "*(&n[1].old[0] + 1) = 9; }\nexists (true)\n",
                  "0: STORE [a[0][2]] = 6 NA\n1: STORE [a[1][0]] = 7 NA\n"
                  "2: STORE [a[1][1]] = 8 NA\n3: STORE [n[1].old[1]] = 9 NA\n");
    expect_dump(
        "OPENCL t\nstruct node { char key; int old[2]; };\n"
        "{ nvm long a[2][2] = {{1}, {2, 3}}; struct node n = {4, 5, 6}; }\n"
        "P0 { a[0][1] = n.old[1]; }\nexists (a[1][0] = 2 /\\ n.old[1] = 6)\n",
        "test t\nnvm long a[0][0] = 1\nnvm long a[0][1] = 0\nnvm long a[1][0] = 2\n"
        "nvm long a[1][1] = 3\nchar n.key = 4\nint n.old[0] = 5\nint n.old[1] = 6\n"
        "P0 sg 0 wg 0 kr 0 dev 0\n  0: LOAD %0 = [n.old[1]] NA\n  1: STORE [a[0][1]] = %0 NA\n"
        "final exists (a[1][0]=2 /\\ n.old[1]=6)\n");
}

static void test_choices(void)
{
    /* A case goes on into the next one; `continue` is the loop's, `break` the choice's. */
    lit_expect_p0(
        "OPENCL t\n{ x = 0; }\nP0 (int* x) {\nint i = 7;\n"
        "switch (i) { case 1: *x = 1; case -2: *x = 2; break; default: *x = 3; }\n"
        "*x = 4; }\nexists (true)\n",
        "0: SET i = 7\n1: SET %1 = i\n2: BRANCH (%1 != 1) else 5\n3: BRANCH (%1 != -2) else 6\n"
        "4: JUMP 8\n5: STORE [x] = 1 NA\n6: STORE [x] = 2 NA\n7: JUMP 9\n"
        "8: STORE [x] = 3 NA\n9: STORE [x] = 4 NA\n");
}

static void test_too_many(void)
{
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL t\nenum { c0");
    for (int i = 1; i <= 1024; i++)
        strbuf_printf(&text, ", c%d", i);
    strbuf_add(&text, " };\n{ x = 0; }\nP0 { x = 1; }\nexists (true)");
    lit_expect_refused(strbuf_text(&text), strlen(strbuf_text(&text)), DIAG_LIT_TOO_LARGE, 1);
    strbuf_fini(&text);
    strbuf_add(&text, "OPENCL t\nstruct s { int c0");
    for (int i = 1; i <= 64; i++)
        strbuf_printf(&text, ", c%d", i);
    strbuf_add(&text, "; };\n{ x = 0; }\nP0 { x = 1; }\nexists (true)");
    lit_expect_refused(strbuf_text(&text), strlen(strbuf_text(&text)), DIAG_LIT_TOO_LARGE, 1);
    strbuf_fini(&text);
    /* 2100 elements of 2 members are 4200 locations. */
    static const char large[] = "OPENCL t\nstruct s { int a; int b; };\n{ struct s x[2100]; }\n"
                                "P0 { }\nexists (true)";
    lit_expect_refused(large, strlen(large), DIAG_LIT_TOO_LARGE, 1);
}

void suite_lit_define(void)
{
    CU_pSuite suite = CU_add_suite("lit_define", NULL, NULL);
    UNIT_TEST(suite, test_constants);
    UNIT_TEST(suite, test_enumerators);
    UNIT_TEST(suite, test_constants_in_code);
    UNIT_TEST(suite, test_words_are_names_elsewhere);
    UNIT_TEST(suite, test_structures);
    UNIT_TEST(suite, test_members);
    UNIT_TEST(suite, test_observed);
    UNIT_TEST(suite, test_commas_and_return);
    UNIT_TEST(suite, test_counted_loops);
    UNIT_TEST(suite, test_brought_along);
    UNIT_TEST(suite, test_sizes);
    UNIT_TEST(suite, test_dimensions);
    UNIT_TEST(suite, test_choices);
    UNIT_TEST(suite, test_too_many);
}
