/* Statements to instructions: accesses, fences, barriers. Expected code follows C's
 * meaning read left to right; default order SC, default scope device (OpenCL C 2.0,
 * 6.13.11), default memory scope of a barrier its group. */
#include "test_lit_fixture.h"

static void test_plain(void)
{
    lit_expect_code("*x = 1; int r = *x;", "0: STORE [x] = 1 NA\n1: LOAD r = [x] NA\n");
    /* Plain names of scalars; plain access to an atomic location is NA. */
    lit_expect_code("x = 2; int r = y; y = r;",
                    "0: STORE [x] = 2 NA\n1: LOAD r = [y] NA\n2: STORE [y] = r NA\n");
    lit_expect_code("*x = *y;", "0: LOAD %0 = [y] NA\n1: STORE [x] = %0 NA\n");
    lit_expect_code("*x += 2;", "0: LOAD %0 = [x] NA\n1: STORE [x] = (%0 + 2) NA\n");
    lit_expect_code("x++;", "0: LOAD %0 = [x] NA\n1: STORE [x] = (%0 + 1) NA\n");
    /* The value of an assignment is the one assigned: no second read. */
    lit_expect_code("int r = x = y;", "0: LOAD %1 = [y] NA\n1: STORE [x] = %1 NA\n2: SET r = %1\n");
}

static void test_arrays(void)
{
    lit_expect_code("a[3] = 1; *a = 2; *(a + 1) = 3; a[1 + 1] = 4;",
                    "0: STORE [a[3]] = 1 NA\n1: STORE [a[0]] = 2 NA\n"
                    "2: STORE [a[1]] = 3 NA\n3: STORE [a[2]] = 4 NA\n");
    lit_expect_code("int i = *x; a[i] = a[i + 1];",
                    "0: LOAD i = [x] NA\n1: LOAD %1 = [a[0] + (i + 1)] NA\n"
                    "2: STORE [a[0] + i] = %1 NA\n");
    /* x[0] is *x. */
    lit_expect_code("x[0] = 1;", "0: STORE [x] = 1 NA\n");
    /* The index is the one before the right side changes the register. */
    lit_expect_code("int i = *x; a[i] = i = 2;", "0: LOAD i = [x] NA\n1: SET %1 = i\n2: SET i = 2\n"
                                                 "3: STORE [a[0] + %1] = i NA\n");
}

static void test_atomics(void)
{
    lit_expect_code("atomic_store(y, 1); int r = atomic_load(y);",
                    "0: STORE [y] = 1 SC DV\n1: LOAD r = [y] SC DV\n");
    lit_expect_code("atomic_store_explicit(y, 1, memory_order_release);",
                    "0: STORE [y] = 1 REL DV\n");
    lit_expect_code("int r = atomic_load_explicit(y, memory_order_acquire, "
                    "memory_scope_sub_group);",
                    "0: LOAD r = [y] ACQ SG\n");
    /* Atomic functions on a plain location, and on its address. */
    lit_expect_code("atomic_store_explicit(&x, 1, memory_order_relaxed, memory_scope_kernel);",
                    "0: STORE [x] = 1 RLX KR\n");
    lit_expect_code("atomic_store(&a[1], 1); atomic_store(a + 2, 1); atomic_store(a, 1);",
                    "0: STORE [a[1]] = 1 SC DV\n1: STORE [a[2]] = 1 SC DV\n"
                    "2: STORE [a[0]] = 1 SC DV\n");
    lit_expect_code("atomic_load(y);", "0: LOAD %0 = [y] SC DV\n");
}

static void expect_warnings(const char *body, uint32_t count)
{
    struct lit_fixture fixture;
    struct strbuf text = {0};
    strbuf_printf(&text, "C t\n{ }\nP0 (atomic_int* y) {\n%s\n}\nexists (true)\n", body);
    lit_fixture_accept(&fixture, strbuf_text(&text));
    CU_ASSERT_EQUAL(fixture.diag.entries.count, count);
    lit_fixture_fini(&fixture);
    strbuf_fini(&text);
}

/* Consume is acquire, with one warning for a test. */
static void test_consume(void)
{
    lit_expect_code("int r = atomic_load_explicit(y, memory_order_consume);",
                    "0: LOAD r = [y] ACQ DV\n");
    lit_expect_code("int r = y.fetch_add(1, mo_consume, wg_scope);",
                    "0: RMW r = [y] add 1 ACQ WG\n");
    lit_expect_code("atomic_thread_fence(memory_order_consume);", "0: FENCE ACQ DV global|local\n");
    expect_warnings("int r = y.load(mo_acq);", 0);
    expect_warnings("int r = y.load(mo_consume);", 1);
    expect_warnings("while (y.load(mo_consume)) { y.store(1); } int r = y.load(mo_consume);", 1);
}

static void test_methods(void)
{
    lit_expect_code("y.store(1, mo_sc, wg_scope); int r = y.load(mo_acq, dev_scope);",
                    "0: STORE [y] = 1 SC WG\n1: LOAD r = [y] ACQ DV\n");
    lit_expect_code("y.store(1); y.store(2, mo_rel); y.store(3, wi_scope);",
                    "0: STORE [y] = 1 SC DV\n1: STORE [y] = 2 REL DV\n2: STORE [y] = 3 SC WI\n");
    lit_expect_code("int r = y->exchange(2, mo_acq_rel, all_scope); a[1].fetch_or(1, mo_rlx, "
                    "kr_scope);",
                    "0: RMW r = [y] exchange 2 ACQ_REL ALL\n1: RMW _ = [a[1]] or 1 RLX KR\n");
    lit_expect_code("int r = (*y).fetch_sub(1, mo_sc, sg_scope);", "0: RMW r = [y] sub 1 SC SG\n");
}

static void test_rmw(void)
{
    static const char *const names[] = {"add", "sub", "and", "or", "xor", "min", "max"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct strbuf body = {0}, code = {0};
        strbuf_printf(&body,
                      "int r = atomic_fetch_%s(y, 3); atomic_fetch_%s_explicit(y, r, "
                      "memory_order_acq_rel, memory_scope_work_group);",
                      names[i], names[i]);
        strbuf_printf(&code, "0: RMW r = [y] %s 3 SC DV\n1: RMW _ = [y] %s r ACQ_REL WG\n",
                      names[i], names[i]);
        lit_expect_code(strbuf_text(&body), strbuf_text(&code));
        strbuf_fini(&body);
        strbuf_fini(&code);
    }
    lit_expect_code("int r = atomic_exchange(y, *x);",
                    "0: LOAD %1 = [x] NA\n1: RMW r = [y] exchange %1 SC DV\n");
}

static void test_compare_exchange(void)
{
    /* An integer is compared with; nothing is written back. */
    lit_expect_code("int r = atomic_compare_exchange_strong(y, 1, 2);",
                    "0: CAS r = [y] expected 1 new 2 SC DV failing SC old _\n");
    /* &local: the old value goes there on failure only. */
    lit_expect_code("int e = 0; int r = atomic_compare_exchange_weak_explicit(y, &e, 2, "
                    "memory_order_acq_rel, memory_order_acquire, memory_scope_work_group);",
                    "0: SET e = 0\n1: CAS %2 = [y] expected e new 2 ACQ_REL WG failing ACQ old %3\n"
                    "2: BRANCH !(%2) else 4\n3: SET e = %3\n4: SET r = %2\n");
    /* A location: a plain read before, a plain write on failure. */
    lit_expect_code(
        "atomic_compare_exchange_strong(y, x, 2);",
        "0: LOAD %0 = [x] NA\n1: CAS %1 = [y] expected %0 new 2 SC DV failing SC old %2\n"
        "2: BRANCH !(%1) else 4\n3: STORE [x] = %2 NA\n");
    /* It is read in the call, so behind what the new value's operand does (C11 7.17.7.4). */
    lit_expect_code(
        "atomic_compare_exchange_strong(y, x, (*x = 3));",
        "0: STORE [x] = 3 NA\n1: LOAD %0 = [x] NA\n"
        "2: CAS %1 = [y] expected %0 new 3 SC DV failing SC old %2\n3: BRANCH !(%1) else 5\n"
        "4: STORE [x] = %2 NA\n");
    lit_expect_code("int e = 0; atomic_compare_exchange_strong(y, &e, (e = 5));",
                    "0: SET e = 0\n1: SET e = 5\n2: CAS %1 = [y] expected e new e SC DV failing SC "
                    "old %2\n3: BRANCH !(%1) else 5\n4: SET e = %2\n");
    /* One order: a failing read releases nothing. */
    lit_expect_code("y.compare_exchange_strong(1, 2, mo_acq_rel, wg_scope);",
                    "0: CAS %0 = [y] expected 1 new 2 ACQ_REL WG failing ACQ old _\n");
    lit_expect_code("y.compare_exchange_weak(1, 2, mo_rel);",
                    "0: CAS %0 = [y] expected 1 new 2 REL DV failing RLX old _\n");
}

static void test_fences(void)
{
    lit_expect_code("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, "
                    "memory_scope_work_group);",
                    "0: FENCE REL WG global\n");
    lit_expect_code("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, "
                    "memory_order_acquire);",
                    "0: FENCE ACQ DV global|local\n");
    lit_expect_code("atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_relaxed, "
                    "memory_scope_all_svm_devices); atomic_thread_fence(memory_order_seq_cst);",
                    "0: FENCE RLX ALL local\n1: FENCE SC DV global|local\n");
}

static void test_barriers(void)
{
    lit_expect_code("barrier(CLK_GLOBAL_MEM_FENCE); B1: barrier(CLK_LOCAL_MEM_FENCE, "
                    "memory_scope_device);",
                    "0: BARRIER WG memory WG global\n1: BARRIER WG memory DV local label B1\n");
    lit_expect_code("work_group_barrier(CLK_GLOBAL_MEM_FENCE); barrier(); barrier;",
                    "0: BARRIER WG memory WG global\n1: BARRIER WG memory WG global|local\n"
                    "2: BARRIER WG memory WG global|local\n");
    lit_expect_code("sync_barrier_wg; sync_barrier_wg(); sync_barrier_kr; sync_barrier_kr();",
                    "0: BARRIER WG memory WG global|local\n1: BARRIER WG memory WG global|local\n"
                    "2: BARRIER KR memory KR global|local\n3: BARRIER KR memory KR global|local\n");
}

static void test_persist_barriers(void)
{
    lit_expect_code("p_barrier_wi; p_barrier_sg; p_barrier_wg(); p_barrier_kr; p_barrier_dev();",
                    "0: PBARRIER WI\n1: PBARRIER SG\n2: PBARRIER WG\n3: PBARRIER KR\n"
                    "4: PBARRIER DV\n");
    lit_expect_code("p_barrier(memory_scope_work_item); p_barrier(memory_scope_all_svm_devices); "
                    "p_barrier(wg); p_barrier(kr_scope); L: p_barrier_wg;",
                    "0: PBARRIER WI\n1: PBARRIER ALL\n2: PBARRIER WG\n3: PBARRIER KR\n"
                    "4: PBARRIER WG label L\n");
}

static void test_crash(void)
{
    struct lit_fixture fixture;
    lit_expect_code("crash; crash \"after\";", "0: CRASH \"\"\n1: CRASH \"after\"\n");
    lit_fixture_accept(&fixture, "OPENCL t\n{ x = 0; }\nP0 { x = 1; crash; }\nexists (true)");
    CU_ASSERT_TRUE(fixture.program->has_crash_points);
    CU_ASSERT_PTR_NULL(fixture.program->threads[0].code[1].text);
    lit_fixture_fini(&fixture);
    lit_fixture_accept(&fixture, "OPENCL t\n{ x = 0; }\nP0 { x = 1; }\nexists (true)");
    CU_ASSERT_FALSE(fixture.program->has_crash_points);
    lit_fixture_fini(&fixture);
}

/* Lines of instructions are those of their statements; labels are interned. */
static void test_spans_and_labels(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ x = 0; }\nP0 {\n  x = 1;\n  B: barrier;\n}\n"
                                 "P1 { B: barrier; }\nexists (true)");
    const struct lit_thread *threads = fixture.program->threads;
    CU_ASSERT_EQUAL(threads[0].code[0].span.line, 4);
    CU_ASSERT_EQUAL(threads[0].code[1].span.line, 5);
    CU_ASSERT_EQUAL(threads[0].code[1].span.column, 6);
    CU_ASSERT_PTR_EQUAL(threads[0].code[1].label, threads[1].code[0].label);
    lit_fixture_fini(&fixture);
}

void suite_lit_access(void)
{
    CU_pSuite suite = CU_add_suite("lit_access", NULL, NULL);
    UNIT_TEST(suite, test_plain);
    UNIT_TEST(suite, test_arrays);
    UNIT_TEST(suite, test_atomics);
    UNIT_TEST(suite, test_consume);
    UNIT_TEST(suite, test_methods);
    UNIT_TEST(suite, test_rmw);
    UNIT_TEST(suite, test_compare_exchange);
    UNIT_TEST(suite, test_fences);
    UNIT_TEST(suite, test_barriers);
    UNIT_TEST(suite, test_persist_barriers);
    UNIT_TEST(suite, test_crash);
    UNIT_TEST(suite, test_spans_and_labels);
}
