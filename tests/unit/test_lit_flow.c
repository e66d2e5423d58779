/* Statements to instructions: expressions, branches, loops and awaits. */
#include "test_lit_fixture.h"

static void test_precedence(void)
{
    /* C: * over +, + over <<, << over <, < over ==, == over &, ^ and | outward. */
    lit_expect_code("int r = *x; r = r + r * 2;", "0: LOAD r = [x] NA\n1: SET r = (r + (r * 2))\n");
    lit_expect_code("int r = *x; r = r | r ^ r & r == r < r << r - 1;",
                    "0: LOAD r = [x] NA\n"
                    "1: SET r = (r | (r ^ (r & (r == (r < (r << (r - 1)))))))\n");
    lit_expect_code("int r = *x; r = r - r - r;", "0: LOAD r = [x] NA\n1: SET r = ((r - r) - r)\n");
    lit_expect_code("int r = *x; r = !r || ~r && -r;",
                    "0: LOAD r = [x] NA\n1: SET r = (!(r) || (~(r) && -(r)))\n");
    lit_expect_code("int r = *x; r = r ? 1 : r ? 2 : 3;",
                    "0: LOAD r = [x] NA\n1: SET r = (r ? 1 : (r ? 2 : 3))\n");
}

/* Of a kernel whose launch is always executed: in front of its work-items' code they wait for it,
 * behind it they tell the end that a join waits for. The locations of that are no test's. */
static void test_launches(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture,
                       "OPENCL t\n{ x = 0; }\nP0 { launch 1; join 1; }\n"
                       "P1@kr 1 (global int* x) { if (*x) return; *x = 1; }\nexists (x = 1)");
    lit_expect_text(strbuf_text(&fixture.dump),
                    "test t\nint x = 0\natomic_int launch 1 = 0\natomic_int end of P1 = 0\n"
                    "P0 sg 0 wg 0 kr 0 dev 0\n"
                    "  0: STORE [launch 1] = 1 REL ALL\n"
                    "  1: AWAIT 0 from 1 to 6\n"
                    "  2: LOAD %0 = [end of P1] ACQ ALL\n"
                    "  3: BRANCH (%0 == 0) else 6\n"
                    "  4: LOOP 0\n"
                    "  5: JUMP 1\n"
                    "P1 sg 0 wg 0 kr 1 dev 0\n"
                    "  0: AWAIT 0 from 0 to 5\n"
                    "  1: LOAD %0 = [launch 1] ACQ ALL\n"
                    "  2: BRANCH (%0 == 0) else 5\n"
                    "  3: LOOP 0\n"
                    "  4: JUMP 0\n"
                    "  5: LOAD %1 = [x] NA\n"
                    "  6: BRANCH %1 else 8\n"
                    "  7: JUMP 9\n"
                    "  8: STORE [x] = 1 NA\n"
                    "  9: STORE [end of P1] = 1 REL ALL\n"
                    "final exists (x=1)\n");
    CU_ASSERT(!fixture.program->locations[0].hidden);
    CU_ASSERT(fixture.program->locations[1].hidden && fixture.program->locations[2].hidden);
    lit_fixture_fini(&fixture);
}

/* Of one that may not be: its host says so at its end (2), and does not wait for it. Without a join
 * no end is told. */
static void test_launches_perhaps(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ x = 0; }\n"
                                 "P0 (global int* x) { if (*x) launch 1; }\n"
                                 "P1@kr 1 (global int* x) { *x = 1; }\nexists (x = 1)");
    lit_expect_text(strbuf_text(&fixture.dump), "test t\nint x = 0\natomic_int launch 1 = 0\n"
                                                "P0 sg 0 wg 0 kr 0 dev 0\n"
                                                "  0: LOAD %1 = [x] NA\n"
                                                "  1: BRANCH %1 else 4\n"
                                                "  2: STORE [launch 1] = 1 REL ALL\n"
                                                "  3: SET %0 = 1\n"
                                                "  4: BRANCH (%0 == 0) else 6\n"
                                                "  5: STORE [launch 1] = 2 REL ALL\n"
                                                "P1 sg 0 wg 0 kr 1 dev 0\n"
                                                "  0: AWAIT 0 from 0 to 5\n"
                                                "  1: LOAD %0 = [launch 1] ACQ ALL\n"
                                                "  2: BRANCH (%0 == 0) else 5\n"
                                                "  3: LOOP 0\n"
                                                "  4: JUMP 0\n"
                                                "  5: BRANCH (%0 != 2) else 7\n"
                                                "  6: STORE [x] = 1 NA\n"
                                                "final exists (x=1)\n");
    lit_fixture_fini(&fixture);
}

/* Neither word is taken from who uses it for something else. */
static void test_launch_as_a_name(void)
{
    lit_expect_code("int launch = *x; int join = launch + 1; *x = join;",
                    "0: LOAD launch = [x] NA\n1: SET join = (launch + 1)\n"
                    "2: STORE [x] = join NA\n");
}

/* What is right on all ways leaves nothing but the marks; what is not, a register and one check. */
static void test_marks(void)
{
    lit_expect_code("__fence{tx_begin}; if (*x) { __fence{tx_abort}; return; } __fence{tx_end};",
                    "0: FENCE{tx_begin} NA unscoped global|local\n1: LOAD %1 = [x] NA\n"
                    "2: BRANCH %1 else 5\n3: FENCE{tx_abort} NA unscoped global|local\n"
                    "4: JUMP 6\n5: FENCE{tx_end} NA unscoped global|local\n");
    lit_expect_code("__fence{tx_begin}; if (*x) { __fence{tx_abort}; } __fence{tx_end};",
                    "0: FENCE{tx_begin} NA unscoped global|local\n1: SET %0 = 1\n"
                    "2: LOAD %1 = [x] NA\n3: BRANCH %1 else 6\n"
                    "4: FENCE{tx_abort} NA unscoped global|local\n5: SET %0 = 0\n"
                    "6: CHECK %0 or \"ends a transaction that has not begun\"\n"
                    "7: FENCE{tx_end} NA unscoped global|local\n8: SET %0 = 0\n");
}

static void test_constants(void)
{
    lit_expect_code("int r = 0x1F + 010 + 1u;", "0: SET r = 40\n"); /* 31 + 8 + 1 */
    lit_expect_code("int r = -1 > 0u;", "0: SET r = 1\n");          /* as uint */
    lit_expect_code("long r = 1 << 33; r = 1L << 33;", "0: SET r = 2\n1: SET r = 8589934592\n");
    lit_expect_code("int r = (uint)-1 > 0L, s = true + false;", "0: SET r = 1\n1: SET s = 1\n");
    lit_expect_code("int r = 2147483647 + 1;", "0: SET r = -2147483648\n");
    lit_expect_code("long r = 2147483648;", "0: SET r = 2147483648\n"); /* a long literal */
}

static void test_conversions(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ uint x; long y; }\nP0 { int r = 1; r = r < x; }\n"
                                 "exists (true)");
    /* int < uint compares as uint and gives int. */
    const struct lit_expr *expr = fixture.program->threads[0].code[2].value;
    CU_ASSERT_EQUAL(expr->op, LIT_OP_LT);
    CU_ASSERT_EQUAL(expr->operands, LIT_UINT);
    CU_ASSERT_EQUAL(expr->type, LIT_INT);
    lit_fixture_fini(&fixture);
}

static void test_order_of_evaluation(void)
{
    lit_expect_code("int r = *x + *y;",
                    "0: LOAD %1 = [x] NA\n1: LOAD %2 = [y] NA\n2: SET r = (%1 + %2)\n");
    /* The left operand is the value before the assignment on the right. */
    lit_expect_code("int r = 1; r = r + (r = 5);",
                    "0: SET r = 1\n1: SET %1 = r\n2: SET r = 5\n3: SET r = (%1 + r)\n");
    lit_expect_code("int r = 1, s = r++ + ++r;",
                    "0: SET r = 1\n1: SET %2 = r\n2: SET r = (%2 + 1)\n3: SET r = (r + 1)\n"
                    "4: SET s = (%2 + r)\n");
}

static void test_short_circuits(void)
{
    /* No access on the right: an operator. */
    lit_expect_code("int r = *x && 1 || 0;", "0: LOAD %1 = [x] NA\n1: SET r = ((%1 && 1) || 0)\n");
    lit_expect_code("int r = *x && *y;",
                    "0: LOAD %1 = [x] NA\n1: SET %2 = 0\n2: BRANCH %1 else 5 for %2\n"
                    "3: LOAD %3 = [y] NA\n4: SET %2 = (%3 != 0)\n5: SET r = %2\n");
    lit_expect_code("int r = *x || *y;",
                    "0: LOAD %1 = [x] NA\n1: SET %2 = 1\n2: BRANCH !(%1) else 5 for %2\n"
                    "3: LOAD %3 = [y] NA\n4: SET %2 = (%3 != 0)\n5: SET r = %2\n");
    lit_expect_code("int r = *x ? *y : 2;",
                    "0: LOAD %1 = [x] NA\n1: BRANCH %1 else 5 for %2\n2: LOAD %3 = [y] NA\n"
                    "3: SET %2 = %3\n4: JUMP 6\n5: SET %2 = 2\n6: SET r = %2\n");
}

static void test_branches(void)
{
    lit_expect_code("int r = *x; if (r) *y = 1;",
                    "0: LOAD r = [x] NA\n1: BRANCH r else 3\n2: STORE [y] = 1 NA\n");
    lit_expect_code("if (*x == 1) { *y = 1; } else if (*x) *y = 2; else *y = 3;",
                    "0: LOAD %0 = [x] NA\n1: BRANCH (%0 == 1) else 4\n2: STORE [y] = 1 NA\n"
                    "3: JUMP 9\n4: LOAD %1 = [x] NA\n5: BRANCH %1 else 8\n6: STORE [y] = 2 NA\n"
                    "7: JUMP 9\n8: STORE [y] = 3 NA\n");
    /* An else belongs to the nearest if. */
    lit_expect_code("int r = *x; if (r) if (r == 1) *y = 1; else *y = 2;",
                    "0: LOAD r = [x] NA\n1: BRANCH r else 6\n2: BRANCH (r == 1) else 5\n"
                    "3: STORE [y] = 1 NA\n4: JUMP 6\n5: STORE [y] = 2 NA\n");
}

static void test_awaits(void)
{
    lit_expect_code("while (!atomic_load(y));",
                    "0: AWAIT 0 from 0 to 5\n1: LOAD %0 = [y] SC DV\n2: BRANCH !(%0) else 5\n"
                    "3: LOOP 0\n4: JUMP 0\n");
    lit_expect_code("while (atomic_load(y) == 0) { { ; } }",
                    "0: AWAIT 0 from 0 to 5\n1: LOAD %0 = [y] SC DV\n2: BRANCH (%0 == 0) else 5\n"
                    "3: LOOP 0\n4: JUMP 0\n");
    lit_expect_code("int r; do { r = *x; } while (r == 0);",
                    "0: AWAIT 0 from 0 to 5\n1: LOAD r = [x] NA\n2: BRANCH (r == 0) else 5\n"
                    "3: LOOP 0\n4: JUMP 0\n");
    /* At its top r is still to be read, and differs from one iteration to the next; behind the
     * test it is not. */
    lit_expect_code("int r = *x; while (r == 0) r = *x;",
                    "0: LOAD r = [x] NA\n1: BRANCH (r == 0) else 6\n2: LOOP 0\n"
                    "3: AWAIT 0 from 1 to 6\n4: LOAD r = [x] NA\n5: JUMP 1\n");
    lit_expect_code("while (1) { int r = *x; if (r) break; }",
                    "0: AWAIT 0 from 0 to 6\n1: LOOP 0\n2: LOAD r = [x] NA\n3: BRANCH r else 5\n"
                    "4: JUMP 6\n5: JUMP 0\n");
    lit_expect_code(
        "while (!*x || !*y);",
        "0: AWAIT 0 from 0 to 9\n1: LOAD %0 = [x] NA\n2: SET %1 = 1\n"
        "3: BRANCH !(!(%0)) else 6 for %1\n4: LOAD %2 = [y] NA\n5: SET %1 = (!(%2) != 0)\n"
        "6: BRANCH %1 else 9\n7: LOOP 0\n8: JUMP 0\n");
}

static void test_awaits_of_locks(void)
{
    lit_expect_code(
        "while (atomic_exchange(y, 1));",
        "0: AWAIT 0 from 0 to 5\n1: RMW %0 = [y] exchange 1 SC DV\n2: BRANCH %0 else 5\n"
        "3: LOOP 0\n4: JUMP 0\n");
    /* A way round without the store is enough. */
    lit_expect_code("while (1) { if (!atomic_exchange(y, 1)) { *x = 1; break; } }",
                    "0: AWAIT 0 from 0 to 7\n1: LOOP 0\n2: RMW %0 = [y] exchange 1 SC DV\n"
                    "3: BRANCH !(%0) else 6\n4: STORE [x] = 1 NA\n5: JUMP 7\n6: JUMP 0\n");
    /* ok may be 0 again, as it was. */
    lit_expect_code("int ok = 0; while (!ok) ok = atomic_compare_exchange_strong(y, 0, 1);",
                    "0: SET ok = 0\n1: AWAIT 0 from 1 to 6\n2: BRANCH !(ok) else 6\n3: LOOP 0\n"
                    "4: CAS ok = [y] expected 0 new 1 SC DV failing SC old _\n5: JUMP 1\n");
    /* An inner one. */
    lit_expect_code("do { while (*x); } while (atomic_exchange(y, 1));",
                    "0: AWAIT 0 from 0 to 10\n1: AWAIT 1 from 1 to 6\n2: LOAD %0 = [x] NA\n"
                    "3: BRANCH %0 else 6\n4: LOOP 1\n5: JUMP 1\n6: RMW %1 = [y] exchange 1 SC DV\n"
                    "7: BRANCH %1 else 10\n8: LOOP 0\n9: JUMP 0\n");
}

static void test_no_awaits(void)
{
    /* A store in the body. */
    lit_expect_code("while (!*x) *y = 1;",
                    "0: LOAD %0 = [x] NA\n1: BRANCH !(%0) else 5\n2: LOOP 0\n"
                    "3: STORE [y] = 1 NA\n4: JUMP 0\n");
    /* n counts the iterations, and is stored. */
    lit_expect_code("int n = 0; while (!*x) n++; *y = n;",
                    "0: SET n = 0\n1: LOAD %1 = [x] NA\n2: BRANCH !(%1) else 6\n3: LOOP 0\n"
                    "4: SET n = (n + 1)\n5: JUMP 1\n6: STORE [y] = n NA\n");
    /* e is what an earlier iteration has read. */
    lit_expect_code(
        "int e = 0, r; do { r = atomic_compare_exchange_strong(y, e, 1); e = *x; } while (!r);",
        "0: SET e = 0\n1: CAS r = [y] expected e new 1 SC DV failing SC old _\n"
        "2: LOAD e = [x] NA\n3: BRANCH !(r) else 6\n4: LOOP 0\n5: JUMP 1\n");
    /* A barrier, even of one work-item, is an event. */
    lit_expect_code("do p_barrier_wi; while (!*x);",
                    "0: PBARRIER WI\n1: LOAD %0 = [x] NA\n2: BRANCH !(%0) else 5\n3: LOOP 0\n"
                    "4: JUMP 0\n");
}

/* What nobody reads is left out of loops. */
static void test_slices(void)
{
    /* A count. */
    lit_expect_code("int n = 0; while (!*x) n++;",
                    "0: SET n = 0\n1: AWAIT 0 from 1 to 6\n2: LOAD %1 = [x] NA\n"
                    "3: BRANCH !(%1) else 6\n4: LOOP 0\n5: JUMP 1\n");
    /* A back-off: the delay, its bound, and the branch that limits it. */
    lit_expect_code(
        "int b = 1; while (!*x) { for (int i = 0; i < b; i++); if (b < 9) b *= 2; else b = 9; }",
        "0: SET b = 1\n1: AWAIT 0 from 1 to 6\n2: LOAD %1 = [x] NA\n"
        "3: BRANCH !(%1) else 6\n4: LOOP 0\n5: JUMP 1\n");
    /* A branch on what was read stays: models see it. */
    lit_expect_code("int n = 0, r; do { r = *x; if (r == 2) n = 1; } while (r != 1);",
                    "0: SET n = 0\n1: AWAIT 0 from 1 to 7\n2: LOAD r = [x] NA\n"
                    "3: BRANCH (r == 2) else 4\n4: BRANCH (r != 1) else 7\n5: LOOP 0\n6: JUMP 1\n");
    /* So does a count that ends the loop, and what may divide by zero. */
    lit_expect_code("int n = 0; while (!*x) { if (n++ > 3) break; }",
                    "0: SET n = 0\n1: LOAD %1 = [x] NA\n2: BRANCH !(%1) else 9\n3: LOOP 0\n"
                    "4: SET %2 = n\n5: SET n = (%2 + 1)\n6: BRANCH (%2 > 3) else 8\n7: JUMP 9\n"
                    "8: JUMP 1\n");
    lit_expect_code("int n = 0; while (!*x) n = 1 / n;",
                    "0: SET n = 0\n1: LOAD %1 = [x] NA\n2: BRANCH !(%1) else 6\n3: LOOP 0\n"
                    "4: SET n = (1 / n)\n5: JUMP 1\n");
}

static void test_loops(void)
{
    lit_expect_code("for (int i = 0; i < 2; i++) *x = i;",
                    "0: SET i = 0\n1: BRANCH (i < 2) else 6\n2: LOOP 0\n3: STORE [x] = i NA\n"
                    "4: SET i = (i + 1)\n5: JUMP 1\n");
    /* continue goes to the step, break behind the loop. */
    lit_expect_code("for (int i = 0; ; i++) { if (i == 1) continue; if (i == 2) break; *x = i; }",
                    "0: SET i = 0\n1: LOOP 0\n2: BRANCH (i == 1) else 4\n3: JUMP 7\n"
                    "4: BRANCH (i == 2) else 6\n5: JUMP 9\n6: STORE [x] = i NA\n"
                    "7: SET i = (i + 1)\n8: JUMP 1\n");
    /* An inner wait within a bounded loop. */
    lit_expect_code("for (int i = 0; i < 2; ++i) while (!*x);",
                    "0: SET i = 0\n1: BRANCH (i < 2) else 10\n2: LOOP 0\n3: AWAIT 1 from 3 to 8\n"
                    "4: LOAD %1 = [x] NA\n5: BRANCH !(%1) else 8\n6: LOOP 1\n7: JUMP 3\n"
                    "8: SET i = (i + 1)\n9: JUMP 1\n");
    lit_expect_code("while (0) *x = 1;",
                    "0: BRANCH 0 else 4\n1: LOOP 0\n2: STORE [x] = 1 NA\n3: JUMP 0\n");
}

static void test_scopes(void)
{
    /* A register hides a location; blocks in turn share a register of one name. */
    lit_expect_code(
        "*x = 1; { int x = 2; *y = x; } *x = 3;",
        "0: STORE [x] = 1 NA\n1: SET x = 2\n2: STORE [y] = x NA\n3: STORE [x] = 3 NA\n");
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "OPENCL t\n{ x = 0; }\nP0 { if (x) { int r = 1; } else { int r = "
                                 "2; { int r = 3; } } }\nexists (0:r = 1)");
    /* r of both arms is one; the inner r beside a live r is another, and a read of x. */
    CU_ASSERT_EQUAL(fixture.program->threads[0].register_count, 3);
    CU_ASSERT_EQUAL(fixture.program->conditions[0].prop->left.reg, 1);
    lit_fixture_fini(&fixture);
    /* Without a value a register that may hold an old one starts at 0. */
    lit_expect_code("{ int r = 1; } { int r; *x = r; }",
                    "0: SET r = 1\n1: SET r = 0\n2: STORE [x] = r NA\n");
    lit_expect_code("int r; *x = r;", "0: STORE [x] = r NA\n");
}

void suite_lit_flow(void)
{
    CU_pSuite suite = CU_add_suite("lit_flow", NULL, NULL);
    UNIT_TEST(suite, test_marks);
    UNIT_TEST(suite, test_launches);
    UNIT_TEST(suite, test_launches_perhaps);
    UNIT_TEST(suite, test_launch_as_a_name);
    UNIT_TEST(suite, test_precedence);
    UNIT_TEST(suite, test_constants);
    UNIT_TEST(suite, test_conversions);
    UNIT_TEST(suite, test_order_of_evaluation);
    UNIT_TEST(suite, test_short_circuits);
    UNIT_TEST(suite, test_branches);
    UNIT_TEST(suite, test_awaits);
    UNIT_TEST(suite, test_awaits_of_locks);
    UNIT_TEST(suite, test_no_awaits);
    UNIT_TEST(suite, test_slices);
    UNIT_TEST(suite, test_loops);
    UNIT_TEST(suite, test_scopes);
}
