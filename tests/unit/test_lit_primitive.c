/* Primitive instructions and tags. Expected code follows docs/using/language.md: words in braces
 * are tags, an order or a scope; without an order plain accesses and fences have none, and
 * read-modify-writes are relaxed. */
#include "test_lit_fixture.h"

static void test_fences(void)
{
    lit_expect_code("__fence{f};", "0: FENCE{f} NA unscoped global|local\n");
    lit_expect_code("__fence{f, g-h}();", "0: FENCE{f,g-h} NA unscoped global|local\n");
    lit_expect_code("__fence{mo_rel, f};", "0: FENCE{f} REL DV global|local\n");
    lit_expect_code("__fence{wg_scope, mo_sc};", "0: FENCE SC WG global|local\n");
    lit_expect_code("__fence{wg};", "0: FENCE NA WG global|local\n");
    lit_expect_code("__fence();", "0: FENCE NA unscoped global|local\n");
}

static void test_maintenance(void)
{
    /* All the same place. */
    lit_expect_code(
        "__cm{c}(x); __cm{c}(*x); __cm{c}(&x);",
        "0: CM{c} [x] NA unscoped\n1: CM{c} [x] NA unscoped\n2: CM{c} [x] NA unscoped\n");
    lit_expect_code("int i = *x; __cm{c}(a[i]); __cm{c}(a + 1);",
                    "0: LOAD i = [x] NA\n1: CM{c} [a[0] + i] NA unscoped\n"
                    "2: CM{c} [a[1]] NA unscoped\n");
    lit_expect_code("__cm{c, mo_rel, dev}(x);", "0: CM{c} [x] REL DV\n");
}

static void test_accesses(void)
{
    lit_expect_code("int r = __load{l}(x); __store{s}(x, r + 1);",
                    "0: LOAD{l} r = [x] NA\n1: STORE{s} [x] = (r + 1) NA\n");
    lit_expect_code("int r = __load{mo_acq, kr}(y); __store{s, mo_rel}(y, 1);",
                    "0: LOAD r = [y] ACQ KR\n1: STORE{s} [y] = 1 REL DV\n");
    lit_expect_code("__store(x, __load{l}(y));", "0: LOAD{l} %0 = [y] NA\n1: STORE [x] = %0 NA\n");
    /* The index is the one before the value changes the register. */
    lit_expect_code("int i = *x; __store{s}(a[i], i = 2);",
                    "0: LOAD i = [x] NA\n1: SET %1 = i\n2: SET i = 2\n"
                    "3: STORE{s} [a[0] + %1] = i NA\n");
}

static void test_updates(void)
{
    lit_expect_code("int r = __xchg{t}(y, 2); __xchg(y, 3);",
                    "0: RMW{t} r = [y] exchange 2 RLX DV\n1: RMW _ = [y] exchange 3 RLX DV\n");
    lit_expect_code("__atomic_op{t}(y, -, 2); __atomic_op(y, sub, 2);",
                    "0: RMW{t} _ = [y] sub 2 RLX DV\n1: RMW{noreturn} _ = [y] sub 2 RLX DV\n");
    lit_expect_code("int r = __atomic_fetch_op{mo_acq_rel}(y, |, 2);",
                    "0: RMW r = [y] or 2 ACQ_REL DV\n");
    /* What is left, of the location's type. */
    lit_expect_code("int r = __atomic_op_return{t}(y, +, 2);",
                    "0: RMW{t} %1 = [y] add 2 RLX DV\n1: SET r = (%1 + 2)\n");
    lit_expect_code("int r = __atomic_op_return{t}(y, min, 2);",
                    "0: RMW{t} %1 = [y] min 2 RLX DV\n1: SET r = ((%1 < 2) ? %1 : 2)\n");
    /* The old value, whether it wrote or not; a failing one does not release. */
    lit_expect_code("int r = __cmpxchg{t, mo_acq_rel}(y, 1, 2);",
                    "0: CAS{t} _ = [y] expected 1 new 2 ACQ_REL DV failing ACQ old %1\n"
                    "1: SET r = %1\n");
}

/* Adds, and tells so, unless the value is the one named. */
static void test_unless(void)
{
    lit_expect_code("int r = __atomic_add_unless{t}(y, 2, 1);",
                    "0: CAS{t} r = [y] unless 1 add 2 RLX DV failing RLX old _\n");
    lit_expect_code("__atomic_add_unless{mo_sc}(y, 2, 1);",
                    "0: CAS _ = [y] unless 1 add 2 SC DV failing SC old _\n");
}

static void refused(const char *body, enum diag_id id)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "OPENCL t\n{ x = 0; }\nP0 { int r = 0; %s }\nexists (true)\n", body);
    lit_expect_refused(strbuf_text(&text), strlen(strbuf_text(&text)), id, 1);
    strbuf_fini(&text);
}

static void test_refused(void)
{
    refused("__fense{f};", DIAG_LIT_FUNCTION);
    refused("barrier{f};", DIAG_LIT_FUNCTION);
    refused("r = __store(x, 1);", DIAG_LIT_TYPE);
    refused("__cm{c}(r);", DIAG_LIT_TYPE);
    refused("__cm{c}();", DIAG_LIT_ARGUMENT);
    refused("__fence{f}(3);", DIAG_LIT_TOKEN);
    refused("__fence{f}(r);", DIAG_LIT_TOKEN);
    refused("__fence{f}(g, r);", DIAG_LIT_ARGUMENT);
    refused("__atomic_op(x, 1, 1);", DIAG_LIT_ARGUMENT);
    refused("r = __load{mo_rel}(x);", DIAG_LIT_ORDER);
    refused("__store{mo_acq}(x, 1);", DIAG_LIT_ORDER);
    refused("__store{wg}(x, 1);", DIAG_LIT_SCOPE);
    refused("__fence{mo_relase};", DIAG_LIT_ORDER);
    refused("__fence{CLK_LOCAL_MEM_FENCE};", DIAG_LIT_ARGUMENT);
    refused("__fence{mo_rel, mo_acq};", DIAG_LIT_DUPLICATE);
    refused("__fence{wg, dev};", DIAG_LIT_DUPLICATE);
    refused("r = +;", DIAG_LIT_SYNTAX);
    refused("r = min(+, 1);", DIAG_LIT_FUNCTION);
}

/* Tags of locations, threads and instructions are of one table. */
static void test_places(void)
{
    struct lit_fixture f;
    lit_fixture_accept(&f, "C t\n{ nvm{a, b} int x = 0; int{c} y[2]; }\n"
                           "P0{d}@wg 1 (int* x) { __cm{a}(x); }\nP1 { *x = 1; }\nexists (true)\n");
    CU_ASSERT_EQUAL_FATAL(f.program->tag_count, 4);
    CU_ASSERT_EQUAL(f.program->locations[0].tags, 3);
    CU_ASSERT_EQUAL(f.program->locations[2].tags, 4); /* each element */
    CU_ASSERT_EQUAL(f.program->threads[0].tags, 8);
    CU_ASSERT_EQUAL(f.program->threads[0].wg, 1);
    CU_ASSERT_EQUAL(f.program->threads[0].code[0].tags, 1);
    CU_ASSERT_EQUAL(f.program->threads[1].tags, 0);
    CU_ASSERT_EQUAL(lit_program_tag(f.program, "d"), 8);
    CU_ASSERT_EQUAL(lit_program_tag(f.program, "e"), 0);
    lit_fixture_fini(&f);
    lit_fixture_accept(&f, "PTX t\n{ nvm{a} x = 0; }\nP0{b}@cta 1 | P1 ;\nst.weak x, 1 | ;\n"
                           "exists (x = 1)\n");
    CU_ASSERT_EQUAL(f.program->locations[0].tags, 1);
    CU_ASSERT_EQUAL(f.program->threads[0].tags, 2);
    lit_fixture_fini(&f);
}

/* The line of each location, by the number of its first one. */
static void expect_lines(const char *block, const char *lines)
{
    struct lit_fixture f;
    struct strbuf test = {0}, found = {0};
    strbuf_printf(&test,
                  "OPENCL t\nconst two = 2;\nstruct s { int a; int b; };\n{ %s }\nP0 { }\n"
                  "exists (true)\n",
                  block);
    lit_fixture_accept(&f, strbuf_text(&test));
    for (uint32_t i = 0; i < f.program->location_count; i++)
        strbuf_printf(&found, "%u", f.program->locations[i].line);
    lit_expect_text(strbuf_text(&found), lines);
    strbuf_fini(&found);
    strbuf_fini(&test);
    lit_fixture_fini(&f);
}

static void test_lines(void)
{
    expect_lines("x = 0; y = 0; z = 0;", "012");
    expect_lines("x = 0; y = 0; z = 0; line {z, y};", "011");
    /* Lines that share a location are one. */
    expect_lines("x = 0; y = 0; z = 0; w = 0; line {x, w}; line {y, z}; line {z, w};", "0000");
    expect_lines("a[5]; line(2) a;", "00224");
    expect_lines("a[5]; line(two + 1) a; x = 0; line {a[4], x};", "000333");
    expect_lines("a[3]; line(9) a;", "000");
    expect_lines("a[3]; x = 0; line {x, a};", "0000");
    expect_lines("struct s q[3]; line(2) q;", "000044");
    expect_lines("struct s q[2]; line {q[0].b, q[1].a};", "0113");
    expect_lines("struct s q[2]; line {q[1]};", "0122");
    expect_lines("line = 3; x = 0; line { line, x };", "00"); /* a name like others */
}

static void test_too_many(void)
{
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL t\n{ x = 0; }\nP0 {\n");
    for (int i = 0; i <= LIT_MAX_TAGS; i++)
        strbuf_printf(&text, "__fence{t%d};\n", i);
    strbuf_add(&text, "}\nexists (true)\n");
    lit_expect_refused(strbuf_text(&text), strlen(strbuf_text(&text)), DIAG_LIT_TOO_LARGE, 1);
    strbuf_fini(&text);
}

void suite_lit_primitive(void)
{
    CU_pSuite suite = CU_add_suite("lit_primitive", NULL, NULL);
    UNIT_TEST(suite, test_fences);
    UNIT_TEST(suite, test_maintenance);
    UNIT_TEST(suite, test_accesses);
    UNIT_TEST(suite, test_updates);
    UNIT_TEST(suite, test_unless);
    UNIT_TEST(suite, test_refused);
    UNIT_TEST(suite, test_places);
    UNIT_TEST(suite, test_lines);
    UNIT_TEST(suite, test_too_many);
}
