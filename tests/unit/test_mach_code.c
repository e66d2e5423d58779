/* What work-items' code means on machines: faults, barriers with names, PTX. States by hand. */
#include "test_mach_fixture.h"

/* Lines leave by barriers and releases alone. */
#define KEEPS "machine = nvw-fifo\nevict_l1 = none\nevict_l2 = none\n"

static const char *const all[] = {"nvw-fifo", "nvw-fifo-small", KEEPS, "ideal-sc", "bpfs"};

enum { ALL = sizeof all / sizeof all[0] };

/* One fault, of P1 in this line; these crash states, and nobody ends. */
static void expect_fault(const char *text, uint32_t line, const char *crash, const char *final)
{
    for (size_t m = 0; m < ALL; m++) {
        struct mach_bench b;
        struct outcome o;
        mach_bench_init(&b, text, all[m]);
        mach_bench_run(&b, 0, &o);
        CU_ASSERT_EQUAL_FATAL(o.undefined.count, 1);
        CU_ASSERT_EQUAL(o.undefined.items[0].kind, OUTCOME_FAULT);
        CU_ASSERT_EQUAL(o.undefined.items[0].events[0].thread, 1);
        CU_ASSERT_EQUAL(o.undefined.items[0].events[0].line, line);
        mach_expect_text(mach_rows(&b.arena, &o.crash), crash);
        mach_expect_text(mach_rows(&b.arena, &o.final), final);
        outcome_fini(&o);
        mach_bench_fini(&b);
    }
}

#define FLAG(code)                                                               \
    "OPENCL t\n{ atomic_int d = 0; nvm x = 0; nvm y = 0; nvm a[2] = {0, 0}; }\n" \
    "P0 (global atomic_int* d) { d.store(2, mo_rel, wg_scope); }\n"              \
    "P1 (global atomic_int* d, global int* x, global int* y, global int* a) {\n" \
    "  int r = d.load(mo_acq, wg_scope);\n" code "\n}\n"                         \
    "final exists (1:r = 2)\ncrash exists (true)\n"

static void test_faults(void)
{
    /* Whoever reads 0 stops before the store: no x but 0 and 3; y follows in the other run only. */
    expect_fault(FLAG("  *x = 6 / r; p_barrier_wi; *y = 1;"), 6, "0,0,0,0 3,0,0,0 3,1,0,0 ", "2 ");
    /* Before the local computation, too. */
    expect_fault(FLAG("  int q = 6 / r; *x = q;"), 6, "0,0,0,0 3,0,0,0 ", "2 ");
    /* Whoever reads 2 is outside of a and writes none of it. */
    expect_fault(FLAG("  a[r] = 7; p_barrier_wi; *y = 1;"), 6, "0,0,0,0 0,0,7,0 0,1,7,0 ", "0 ");
}

/* ---- Named barriers ---- */

#define CTA "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"

static void test_named(void)
{
    /* All of the scope have the barrier, so they meet: val is durable before, key executes after.
     */
    for (size_t m = 0; m < ALL; m++) {
        mach_expect("PTX t\n{ nvm key = 0; nvm val = 0; }\n" CTA
                    "st.weak val, 42 | bar.cta.sync 0 ;\npbar.thread | pbar.thread ;\n"
                    "bar.cta.sync 0 | st.weak key, 1 ;\ncrash ~exists (key = 1 /\\ val = 0)\n",
                    all[m], "0,0 0,42 1,42 ", NULL);
        mach_expect("PTX t\n{ x = 0; }\n" CTA "st.weak x, 1 | bar.cta.sync 0 ;\n"
                    "bar.cta.sync 0 | ld.weak r0, x ;\nforall (1:r0 = 1)\n",
                    all[m], NULL, "1 ");
    }
}

static void expect_not_encoded(const char *barriers, const char *whose)
{
    struct mach_bench b;
    struct outcome o;
    struct arena arena;
    arena_init(&arena);
    mach_bench_init(
        &b, arena_printf(&arena, "PTX t\n{ x = 0; }\n" CTA "%s ;\nexists (x = 0)\n", barriers),
        "nvw-fifo");
    outcome_init(&o, b.request.program);
    b.request.own = &(struct mach_choice){.file = &b.file};
    mach_run(&b.request, &o);
    CU_ASSERT(o.doubts[OUTCOME_DOUBT_ENCODING]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(o.not_encoded);
    CU_ASSERT_PTR_NOT_NULL(strstr(o.not_encoded, whose));
    outcome_fini(&o);
    mach_bench_fini(&b);
    arena_fini(&arena);
}

static void test_not_encoded(void)
{
    expect_not_encoded("bar.cta.sync 0 | bar.cta.sync 1", "P0 at line 4");
    expect_not_encoded("ld.weak r0, x | bar.cta.sync 1", "P1 at line 4");
    expect_not_encoded("bar.cta.arrive 0 | bar.cta.sync 0", "P0 at line 4");
    expect_not_encoded("bar.cta.sync 0, 1 | bar.cta.sync 0", "P0 at line 4");
    expect_not_encoded("bar.cta.sync 0 | bar.cta.sync 0, 0, 2", "P1 at line 4");
}

/* ---- PTX ---- */

#define APART "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"

static void test_messages(void)
{
    /* The release writes x on before y is written: who sees y sees x; x may come first. */
    static const char wide[] =
        "PTX t\n{ x = 0; y = 0; }\n" APART "st.weak x, 1 | ld.acquire.gpu r0, y ;\n"
        "st.release.gpu y, 1 | ld.weak r1, x ;\n"
        "exists (1:r0 = 1 /\\ 1:r1 = 0)\n";
    mach_expect(wide, KEEPS, NULL, "0,0 0,1 1,1 ");
    mach_expect(wide, "nvw-fifo", NULL, "0,0 0,1 1,1 ");
    /* Fences instead: the same. */
    static const char fences[] =
        "PTX t\n{ x = 0; y = 0; }\n" APART "st.weak x, 1 | ld.relaxed.gpu r0, y ;\n"
        "fence.acq_rel.gpu | fence.acq_rel.gpu ;\n"
        "st.relaxed.gpu y, 1 | ld.weak r1, x ;\n"
        "exists (1:r0 = 1 /\\ 1:r1 = 0)\n";
    mach_expect(fences, KEEPS, NULL, "0,0 0,1 1,1 ");
    /* A release to the CTA stays in its L1, and nothing else moves it while P1 executes. */
    mach_expect("PTX t\n{ x = 0; y = 0; }\n" APART "st.weak x, 1 | ld.acquire.gpu r0, y ;\n"
                "st.release.cta y, 1 | ld.weak r1, x ;\nexists (1:r0 = 1 /\\ 1:r1 = 0)\n",
                KEEPS, NULL, "0,0 ");
}

static void test_store_buffering(void)
{
    /* Weak stores stay in their L1s as long as nothing moves them. */
    static const char bare[] = "PTX t\n{ x = 0; y = 0; }\n" APART "st.weak x, 1 | st.weak y, 1 ;\n"
                               "ld.weak r0, y | ld.weak r1, x ;\nexists (0:r0 = 0 /\\ 1:r1 = 0)\n";
    mach_expect(bare, KEEPS, NULL, "0,0 ");
    mach_expect(bare, "nvw-fifo", NULL, "0,0 0,1 1,0 1,1 ");
    /* An SC fence has its work-item's store in the L2 before it passes, and forgets the L1: of two
     * loads behind, the later one finds the other's store. */
    mach_expect("PTX t\n{ x = 0; y = 0; }\n" APART "st.weak x, 1 | st.weak y, 1 ;\n"
                "fence.sc.gpu | fence.sc.gpu ;\nld.weak r0, y | ld.weak r1, x ;\n"
                "exists (0:r0 = 0 /\\ 1:r1 = 0)\n",
                "nvw-fifo", NULL, "0,1 1,0 1,1 ");
    /* Relaxed accesses of the GPU perform in the L2 at once. */
    mach_expect("PTX t\n{ x = 0; y = 0; }\n" APART "st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\n"
                "ld.relaxed.gpu r0, y | ld.relaxed.gpu r1, x ;\nexists (0:r0 = 0 /\\ 1:r1 = 0)\n",
                "nvw-fifo", NULL, "0,1 1,0 1,1 ");
}

#define BARRIER(scope) "work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_" scope "); "

/* P0 and P1 meet with these scopes. */
#define MEETING(p0, p1)                                                                         \
    "OPENCL t\n{ y = 0; atomic_int G = 0; }\nP0@wg 0 () { " BARRIER(                            \
        p0) "}\n"                                                                               \
            "P1@wg 0 (global int* y, global atomic_int* G) { int r0 = *y;\n"                    \
            "  int r1 = G.load(mo_rlx, dev_scope); " BARRIER(                                   \
                p1) "int r2 = *y; }\n"                                                          \
                    "P2@wg 1 (global int* y, global atomic_int* G) { *y = 1;\n"                 \
                    "  G.store(1, mo_rel, dev_scope); }\nlocations [1:r0; 1:r1; 1:r2]\nexists " \
                    "(true)\n"

/* Who meets at a barrier may name different scopes: it reaches as far as the widest, whoever comes
 * last. With r1 = 1, y = 1 is in the L2, and P1's L1 forgets what r0 read; r0 = 1 was read from
 * the L2, too. So r2 = 0 with r0 = r1 = 0 alone. */
static void test_scopes_differ(void)
{
    static const char *const texts[] = {MEETING("work_group", "device"),
                                        MEETING("device", "work_group")};
    static const char *const machines[] = {"nvw-fifo", "bpfs", "bpfs-no-wait"};
    for (size_t i = 0; i < 12; i++) {
        struct mach_bench b;
        struct outcome o;
        mach_bench_init(&b, texts[i % 2], machines[i / 4]);
        b.no_reduction = i / 2 % 2;
        mach_bench_run(&b, 0, &o);
        mach_expect_text(mach_rows(&b.arena, &o.final), "0,0,0 0,0,1 0,1,1 1,0,1 1,1,1 ");
        outcome_fini(&o);
        mach_bench_fini(&b);
    }
}

void suite_mach_code(void)
{
    CU_pSuite suite = CU_add_suite("mach_code", NULL, NULL);
    UNIT_TEST(suite, test_faults);
    UNIT_TEST(suite, test_named);
    UNIT_TEST(suite, test_not_encoded);
    UNIT_TEST(suite, test_messages);
    UNIT_TEST(suite, test_store_buffering);
    UNIT_TEST(suite, test_scopes_differ);
}
