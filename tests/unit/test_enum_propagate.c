/* What follows from a choice is decided before the next one: nothing that can be is lost, and what
 * cannot be is not gone through. */
#include "test_enum_fixture.h"

/* n work-items take turns at a compare-exchange lock. Each adds a number of its own to `data`, so
 * no two are interchangeable. */
static void write_lock(struct strbuf *text, int n, const char *release)
{
    strbuf_clear(text);
    strbuf_add(text, "OPENCL lock\n\"lock\"\n{ atomic_int l = 0; nvm data = 0; }\n");
    for (int t = 0; t < n; t++)
        strbuf_printf(text,
                      "P%d@wg %d (global atomic_int* l, global int* data) {\n"
                      "  while (!l.compare_exchange_strong(0, 1, mo_acq, mo_rlx, dev_scope));\n"
                      "  *data = *data + %d;\n  %s\n}\n",
                      t, t, t + 1, release);
    strbuf_add(text, "final forall (data = 0)\n");
}

static const char releases[] = "l.store(0, mo_rel, dev_scope);";

/* Under SC the order in which the lock is taken decides everything: n! executions that end. For
 * each order the n holders are chosen in turn, each among at most n others, and each choice is
 * looked at once more when something follows from it. Of the 2^n combinations of work-items that
 * get the lock and work-items that wait for ever the one in which all wait has nobody to wait for,
 * and all but one of the others are given up at their first look. */
static void test_locks_are_linear(void)
{
    static const uint64_t orders[] = {1, 1, 2, 6, 24, 120};
    struct strbuf text = {0};
    for (uint32_t n = 2; n <= 5; n++) {
        struct enum_case c;
        write_lock(&text, (int)n, releases);
        enum_case_init(&c, strbuf_text(&text), "sc", "none", false);
        CU_ASSERT_EQUAL(c.o.stats.consistent, orders[n]);
        CU_ASSERT_EQUAL(c.o.stats.skeletons, (UINT64_C(1) << n) - 1);
        CU_ASSERT(c.o.stats.candidates <= orders[n] * 2 * n * n + c.o.stats.skeletons);
        enum_case_fini(&c);
    }
    strbuf_fini(&text);
}

/* Nobody unlocks: one work-item gets the lock, the other waits for ever, 2 executions. Both in
 * turn, or both waiting, cannot be: each needs a 0 of its own, and the initial one is read by one
 * alone, but it is there while nobody takes it. */
static void test_nobody_unlocks(void)
{
    struct strbuf text = {0};
    write_lock(&text, 2, "");
    CU_ASSERT_EQUAL(enum_count(strbuf_text(&text), "sc"), 2);
    strbuf_fini(&text);
}

/* Two exchanges, W1 and W2. Without a check each reads the initial write, the other's or its own,
 * in either order of the two: 3 * 3 * 2. Atomicity alone, for W1 before W2: nothing can stand
 * before W1 but the initial write, so all 3 of its sources do; the second reads anything but the
 * initial write, which has W1 between: 3 * 2, and the same for the other order. Coherence alone,
 * for W1 before W2: the first reads the initial write, as the others are not before it, the second
 * that or W1: 2, and the same for the other order. Both: one for each order. */
static void test_atomicity_is_the_models(void)
{
    static const char text[] =
        "OPENCL t\n\"t\"\n{ nvm atomic_int l = 0; }\n"
        "P0@wg 0 (global atomic_int* l) { int r = l.exchange(1, mo_rlx, dev_scope); }\n"
        "P1@wg 1 (global atomic_int* l) { int r = l.exchange(2, mo_rlx, dev_scope); }\n"
        "final forall (true)\n";
    CU_ASSERT_EQUAL(enum_count_under("", text), 18);
    CU_ASSERT_EQUAL(enum_count_under("empty rmw & (fr; co) as atomicity", text), 12);
    CU_ASSERT_EQUAL(enum_count_under("acyclic po & loc | rf | co | fr as coherence", text), 4);
    CU_ASSERT_EQUAL(enum_count_under("acyclic po & loc | rf | co | fr as coherence\n"
                                     "empty rmw & (fr; co) as atomicity",
                                     text),
                    2);
}

/* Coherence that must not go one way may go the other, or stay open: W(weak) and W(relaxed), 3 ways
 * in all, less one. */
static void test_partial_one_way(void)
{
    static const char text[] = "PTX t\n{ nvm x = 0; }\n"
                               " P0@cta 0,gpu 0 | P1@cta 1,gpu 0     ;\n"
                               " st.weak x, 1   | st.relaxed.gpu x, 2 ;\n"
                               "forall (true)\nlocations [x]\n";
    CU_ASSERT_EQUAL(enum_count_under("", text), 3);
    CU_ASSERT_EQUAL(
        enum_count_under("empty co & ((W & WEAK) * (W & RLX)) \\ (IW * W) as one", text), 2);
    CU_ASSERT_EQUAL(enum_count_under("empty co & ((W & RLX) * (W & WEAK)) as other", text), 2);
    CU_ASSERT_EQUAL(enum_count_under("empty co \\ (IW * W) as neither", text), 1);
    CU_ASSERT_EQUAL(
        enum_count_under("empty ((W & WEAK) * (W & RLX)) \\ co \\ (IW * W) as called-for", text),
        1);
}

void suite_enum_propagate(void)
{
    CU_pSuite suite = CU_add_suite("enum_propagate", NULL, NULL);
    UNIT_TEST(suite, test_locks_are_linear);
    UNIT_TEST(suite, test_nobody_unlocks);
    UNIT_TEST(suite, test_atomicity_is_the_models);
    UNIT_TEST(suite, test_partial_one_way);
}
