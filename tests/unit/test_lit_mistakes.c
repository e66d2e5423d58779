/* What parses and is most likely not meant, at its smallest: which tests are warned of, of what,
 * and what mends it. */
#include "test_lit_fixture.h"

/* `text` has exactly one warning of this id, or none at all where `count` is 0. */
static void expect_told(const char *text, enum diag_id id, uint32_t count)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, text);
    if (fixture.diag.entries.count != count)
        fprintf(stderr, "%s\n%s", text, strbuf_text(&fixture.messages));
    CU_ASSERT_EQUAL_FATAL(fixture.diag.entries.count, count);
    for (uint32_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(fixture.diag.entries.items[i].id, id);
    lit_fixture_fini(&fixture);
}

static void final(const char *conditions, uint32_t count)
{
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "OPENCL t\n{ nvm x = 0; nvm y = 0; v = 0; }\n"
                  "P0 (global int* x, global int* y, global int* v) "
                  "{ int r = *v; *x = 1; *y = 1; }\n%s\n",
                  conditions);
    expect_told(strbuf_text(&text), DIAG_LIT_FINAL, count);
    strbuf_fini(&text);
}

/* There is neither barrier nor crash point: who lacks the one that is needed is told, too. A word
 * says what is meant; so does what is lost at a crash. Another condition with `crash` does not: who
 * writes it once may have forgotten it once. Nor do conditions on what recovery leaves: who asks for
 * that thinks of crashes. */
static void test_final(void)
{
    final("~exists (y = 1 /\\ x = 0)", 1);
    final("exists (x = 0)\nforall (x = 0 \\/ y = 1)", 2);
    final("final exists (y = 1)\nexists (x = 1)", 1);
    final("final ~exists (y = 1 /\\ x = 0)", 0);
    final("~exists (y = 1 /\\ v = 0)", 0);
    final("~exists (y = 1 /\\ 0:r = 0)", 0);
    final("~exists (v = 1)", 0);
    final("exists (true)", 0);
    final("~exists (y = 1 /\\ x = 0)\ncrash exists (x = 1)", 1);
    final("crash exists (x = 1)\nexists (y = 1)\nfinal exists (y = 1)", 1);
    final("crash exists (x = 1)\n~exists (y = 1 /\\ 0:r = 0)", 0);
    final("recovery (global int* x) { *x = 2; }\n~exists (x = 0)\nrecovered forall (x = 2)", 1);
    final("recovery (global int* x) { *x = 2; }\nfinal ~exists (x = 0)\nrecovered forall (x = 2)",
          0);
    final("recovery (global int* x) { *x = 2; }\n~exists (x = 0)", 1);
}

static void lost(const char *declared, const char *code, const char *recovery, uint32_t count)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "OPENCL t\n{ %s nvm out = 9; }\nP0 { %s }\n%s\nrecovered exists (true)\n",
                  declared, code, recovery);
    expect_told(strbuf_text(&text), DIAG_LIT_LOST, count);
    strbuf_fini(&text);
}

/* Ordinary memory has its first value after a crash, which is told where the program writes
 * another and recovery loads it, once for all of a location's elements. What recovery has stored
 * there before it finds, and what nobody writes is a constant. A lock that is taken anew is meant to
 * be free. */
static void test_lost(void)
{
    lost("b[2];", "b[1] = 2;", "recovery { *out = b[1]; }", 1);
    lost("b[2];", "b[1] = 2;", "recovery { *out = b[0]; *out = b[1]; *out = b[1]; }", 1);
    lost("b[2];", "b[1] = 2;", "recovery { int i = *out; if (i == 1) { *out = b[i]; } }", 1);
    lost("nvm b[2];", "b[1] = 2;", "recovery { *out = b[1]; }", 0);
    lost("b[2];", "b[1] = 2;", "recovery { *out = b[0]; }", 0);
    lost("b[2];", "b[1] = 2;", "recovery { b[1] = 0; *out = b[1]; }", 0);
    lost("b[2];", "b[1] = 2;", "recovery { *out = b[1]; b[1] = 0; }", 1);
    lost("b[2];", "*out = b[1];", "recovery { *out = b[1]; }", 0);
    lost("b[2];", "b[1] = 2;", "recovery\nP0 { *out = b[1]; }\nP1 { b[1] = 3; }", 0);
    lost("atomic_int l = 0;", "atomic_store(l, 1);",
         "recovery { int r = atomic_exchange(l, 1); *out = r; }", 0);
}

static void test_lost_fix(void)
{
    struct lit_fixture fixture;
    struct span place;
    lit_fixture_accept(&fixture, "OPENCL t\n{ int b[2]; nvm out = 9; }\nP0 { b[1] = 2; }\n"
                                 "recovery { *out = b[1]; }\nrecovered exists (true)\n");
    const struct diag_fix *fix = &fixture.diag.entries.items[0].fix;
    CU_ASSERT_STRING_EQUAL(fix->word, "b");
    CU_ASSERT_STRING_EQUAL(fix->meant, "nvm b");
    CU_ASSERT_FATAL(diag_fix_place(fix, &place));
    CU_ASSERT_EQUAL(place.line, 2);
    CU_ASSERT_EQUAL(place.column, 7);
    lit_fixture_fini(&fixture);
}

static void test_final_fix(void)
{
    struct lit_fixture fixture;
    struct span place;
    lit_fixture_accept(&fixture, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                                 "~exists (x = 0)\n");
    const struct diag_fix *fix = &fixture.diag.entries.items[0].fix;
    CU_ASSERT_STRING_EQUAL(fix->word, "~exists");
    CU_ASSERT_STRING_EQUAL(fix->meant, "crash ~exists");
    CU_ASSERT_FATAL(diag_fix_place(fix, &place));
    CU_ASSERT_EQUAL(place.line, 4);
    CU_ASSERT_EQUAL(place.column, 1);
    CU_ASSERT_EQUAL(place.end_column, 8);
    lit_fixture_fini(&fixture);
}

static void assigns(const char *body, uint32_t count)
{
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "OPENCL t\n{ atomic_int f = 0; }\nP0 (global atomic_int* f) "
                  "{ int r = f.load(); %s }\nexists (true)\n",
                  body);
    expect_told(strbuf_text(&text), DIAG_LIT_CONSTANT, count);
    strbuf_fini(&text);
}

/* What takes a constant is always true, or never, and where a register is copied a comparison was
 * meant; not so where something is loaded or computed. */
static void test_assigns(void)
{
    assigns("if (r = 1) { f.store(2); }", 1);
    assigns("if (r = 0) { f.store(2); }", 1);
    assigns("if (r == 1) { f.store(2); }", 0);
    assigns("if ((r = 1) == 1) { f.store(2); }", 0);
    assigns("while (r = f.load());", 0);
    assigns("int s = 2; if (r = s) { f.store(2); }", 1);
    assigns("int s = 2; if ((r = s)) { f.store(2); }", 0);
    /* a location is loaded, though its '*' is lacking */
    expect_told("OPENCL t\n{ x = 0; }\nP0 (global int* x) { int r = 0; if (r = x) { *x = 2; } }\n"
                "exists (true)\n",
                DIAG_LIT_POINTER, 1);
    assigns("do { f.store(2); } while (r = 0);", 1);
    assigns("int s = 2; if (r = s + r) { f.store(2); }", 0);
    assigns("r = 1; if (r += 1) { f.store(2); }", 0);
    assigns("r = 1; if (r) { f.store(2); }", 0);
}

static void compares(const char *test, uint32_t count)
{
    struct strbuf text = {0};
    strbuf_printf(
        &text,
        "OPENCL t\n{ unsigned x = 0; long y = 0; }\nP0 (global unsigned* x, global long* y) "
        "{ unsigned c = *x; unsigned char b = *x; int i = *x; if (%s) { *y = 1; } }\n"
        "exists (true)\n",
        test);
    expect_told(strbuf_text(&text), DIAG_LIT_CONSTANT, count);
    strbuf_fini(&text);
}

/* What is unsigned is 0 or more, in whatever it is converted to. That it is above 0, or at most 0,
 * may be so or not. */
static void test_unsigned(void)
{
    compares("c < 0", 1);
    compares("0 > c", 1);
    compares("c >= 0", 1);
    compares("0 <= c - 1", 1);
    compares("*x < 0", 1);
    compares("b < 0", 1);
    compares("c < (1 - 1)", 1);
    compares("c > 0 && c <= 0 && 0 < c && 0 >= c", 0);
    compares("c < 1 || c == 0", 0);
    compares("i < 0 || *y < 0 || (int)c < 0", 0);
    compares("0 < 0 || 1u < 0", 0);
    compares("(c == 1) < 0", 0); /* an int */
}

static void accesses(const char *declared, const char *parameter, const char *access,
                     uint32_t count)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "OPENCL t\n{ %s; }\nP0 (global %s* f) { %s }\nexists (true)\n", declared,
                  parameter, access);
    expect_told(strbuf_text(&text), DIAG_LIT_TYPE, count);
    strbuf_fini(&text);
}

/* An int has no methods, and what is atomic in OpenCL C no operators. Where nobody says a type, none
 * is contradicted; functions take a pointer to either, as those of gcc and CUDA do. */
static void test_kinds(void)
{
    accesses("f = 0", "int", "f.store(1, mo_rel, dev_scope); int r = f.load();", 1);
    accesses("int f = 0", "int", "f->store(1, mo_rel, dev_scope);", 1);
    accesses("f[2]", "int", "f[1].fetch_add(1);", 1);
    accesses("f = 0", "atomic_int", "f.store(1, mo_rel, dev_scope);", 0);
    accesses("atomic_int f = 0", "atomic_int", "f.store(1, mo_rel, dev_scope);", 0);
    accesses("f = 0", "int", "atomic_store(f, 1);", 0);
    expect_told("OPENCL t\n{ f = 0; }\nP0 { f.store(1); }\nexists (true)\n", DIAG_LIT_TYPE, 0);
    accesses("atomic_int f = 0", "atomic_int", "*f = 1; int r = *f;", 1);
    accesses("atomic_int f = 0", "atomic_int", "if (*f) { f.store(1); }", 1);
    accesses("atomic_int f[2]", "atomic_int", "f[1]++;", 1);
    accesses("f = 0", "int", "*f = 1;", 0);
    accesses("f = 0", "atomic_int", "*f = 1;", 0); /* herd's tests are so */
    expect_told("C t\n{ atomic_int f = 0; }\nP0 (atomic_int* f) { *f = 1; }\nexists (true)\n",
                DIAG_LIT_TYPE, 0); /* seq_cst */
    expect_told(
        "OPENCL t\nuses \"sbrp.def\"\n{ nvm atomic_int f = 0; }\n"
        "P0 (global atomic_int* f) { *f = 1; prel(f, 2, wg_scope); }\ncrash exists (f = 2)\n",
        DIAG_LIT_TYPE, 0);
}

static void test_kinds_fix(void)
{
    struct lit_fixture fixture;
    struct span place;
    lit_fixture_accept(&fixture, "OPENCL t\n{ nvm f = 0; }\nP0 (global int* f) { f.store(1); }\n"
                                 "crash exists (f = 1)\n");
    const struct diag_fix *fix = &fixture.diag.entries.items[0].fix;
    CU_ASSERT_STRING_EQUAL(fix->word, "f");
    CU_ASSERT_STRING_EQUAL(fix->meant, "atomic_int f");
    CU_ASSERT_FATAL(diag_fix_place(fix, &place));
    CU_ASSERT_EQUAL(place.line, 2);
    CU_ASSERT_EQUAL(place.column, 7);
    lit_fixture_fini(&fixture);
    /* a type does not stand within brackets */
    lit_fixture_accept(&fixture, "OPENCL t\n{ [ f ] = 0; }\nP0 (global int* f) { f.store(1); }\n"
                                 "exists (f = 1)\n");
    CU_ASSERT_EQUAL(fixture.diag.entries.count, 1);
    CU_ASSERT(!diag_fix_place(&fixture.diag.entries.items[0].fix, &place));
    lit_fixture_fini(&fixture);
}

static void meeting(const char *body, uint32_t count)
{
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\n"
                  "P0@wg 0 (global int* x) { p_barrier_wg; *x = 1; }\n"
                  "P1@wg 0 (global int* x, global atomic_int* f) "
                  "{ int r = f.load(mo_acq, wg_scope); %s }\ncrash exists (x = 1)\n",
                  body);
    expect_told(strbuf_text(&text), DIAG_LIT_MEETING, count);
    strbuf_fini(&text);
}

/* Two statements are each the first of their kind and scope, in branches that exclude each other.
 * Behind one another they are the first and the second; of a work-item, or in another kernel, they
 * meet nobody; of loops nothing is said. */
static void test_meeting(void)
{
    meeting("if (r) { p_barrier_wg; } else { p_barrier_wg; }", 1);
    meeting("if (r) { p_barrier_wg; return; } p_barrier_wg;", 1);
    meeting("if (r) { p_barrier_wg; } else { sync_barrier_wg; p_barrier_wg; }", 1);
    meeting("if (r) { if (r == 1) { p_barrier_wg; } else { p_barrier_wg; } } "
            "else { p_barrier_wg; }",
            1); /* told once a kind of a work-item */
    meeting("p_barrier_wg; p_barrier_wg;", 0);
    meeting("if (r) { p_barrier_wg; } p_barrier_wg;", 0); /* no branch excludes the second */
    meeting("if (r) { p_barrier_wg; p_barrier_wg; } else { *x = 2; }", 0);
    meeting("if (r) { p_barrier_wg; } else { sync_barrier_wg; }", 0);
    meeting("if (r) { p_barrier_wg; } else { p_barrier_dev; }", 0);
    meeting("if (r) { p_barrier_wi; } else { p_barrier_wi; }", 0);
    meeting("if (r) { L: p_barrier_wg; } else { L: p_barrier_wg; }", 0);
    meeting("for (int i = 0; i < 2; i++) { if (r) { p_barrier_wg; } else { p_barrier_wg; } }", 0);
    meeting("if (r) { p_barrier_wg; } else { *x = 2; p_barrier_wg; p_barrier_wg; }", 1);
}

void suite_lit_mistakes(void)
{
    CU_pSuite suite = CU_add_suite("lit_mistakes", NULL, NULL);
    UNIT_TEST(suite, test_final);
    UNIT_TEST(suite, test_final_fix);
    UNIT_TEST(suite, test_lost);
    UNIT_TEST(suite, test_lost_fix);
    UNIT_TEST(suite, test_assigns);
    UNIT_TEST(suite, test_unsigned);
    UNIT_TEST(suite, test_kinds);
    UNIT_TEST(suite, test_kinds_fix);
    UNIT_TEST(suite, test_meeting);
}
