/* Recovery under the symbolic engine: listed, and decided without its states. Expected
 * states and answers follow by hand from docs/models/semantics.md, under hrf-direct + epoch. */
#include "test_recovery_fixture.h"

#include "exec/exec_path.h"
#include "smt/smt.h"

/* Under another visibility model with epoch, when `model` is given, and what `options` say of
 * decide, rounds, crash mode and time. */
static void run_under(struct recovery_case *c, const char *text, const char *model,
                      const struct engine_request *options)
{
    prepare(c, text);
    if (model) {
        fixture_use_model(&c->f, model, "include \"epoch.cat\"");
        c->request.model = c->f.model;
        c->request.plan = c->f.plan;
        recheck_free(c->rechecks[0]);
        c->rechecks[0] = recheck_new(&c->request);
    }
    c->request.decide = options->decide;
    c->request.rounds = options->rounds;
    if (options->crash_mode)
        c->request.crash_mode = options->crash_mode;
    c->request.limits.clock = options->limits.clock;
    smt_run(&c->request, &c->o);
    CU_ASSERT_EQUAL(c->faults, 0);
}

static void run(struct recovery_case *c, const char *text, bool decide)
{
    run_under(c, text, NULL, &(struct engine_request){.decide = decide});
}

/* Crash states: {00}, {x}, {x, y}. Recovery undoes x where y is missing: from {x} it leaves {00},
 * and a crash in it leaves {x} still, or {00}. */
static const char undo[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                           "P0 (global int* x, global int* y) {\n"
                           "  *x = 1; p_barrier(memory_scope_work_item); *y = 1;\n}\n"
                           "recovery restartable (global int* x, global int* y) {\n"
                           "  if (*y == 0) { *x = 0; }\n}\n"
                           "recovered forall (x = y)\n"
                           "recovered exists (x = 1)\n"
                           "recovered exists (x = 1 /\\ y = 0)\n";

static void test_listed(void)
{
    static const int64_t recovered[][2] = {{0, 0}, {1, 1}};
    static const int64_t pairs[][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 1, 1}};
    static const int64_t restart[] = {1, 0, 0, 0};
    struct recovery_case c;
    run(&c, undo, false);
    CU_ASSERT_EQUAL(c.o.crash.count, 3);
    CU_ASSERT_EQUAL_FATAL(c.o.recovered.count, 2);
    for (size_t i = 0; i < 2; i++)
        CU_ASSERT_TRUE(fixture_has(&c.o.recovered, recovered[i]));
    CU_ASSERT_EQUAL_FATAL(c.o.recoveries.count, 3);
    for (size_t i = 0; i < 3; i++)
        CU_ASSERT_TRUE(fixture_has(&c.o.recoveries, pairs[i]));
    CU_ASSERT_EQUAL_FATAL(c.o.restarts.count, 1);
    CU_ASSERT_TRUE(fixture_has(&c.o.restarts, restart));
    CU_ASSERT_EQUAL(c.o.livelocks.count, 0);
    CU_ASSERT_EQUAL(c.witnesses[1], 5); /* a pair each, and the chain to x = 1 */
    finish(&c);
}

static void test_decided(void)
{
    struct recovery_case c;
    run(&c, undo, true);
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 2), LIT_VIOLATED);
    CU_ASSERT_PTR_NULL(outcome_recovery_doubt(&c.o)); /* after any number of rounds */
    finish(&c);
}

/* The test itself leaves {0} alone; a first recovery leaves 1 on its way to 2. Only a second one,
 * started on 1, writes 9; only a third, started on 9, comes to 7. */
static const char third[] = "OPENCL t\n{ nvm x = 0; }\n"
                            "P0 (global int* x) { int r = *x; }\n"
                            "recovery restartable (global int* x) {\n"
                            "  int r = *x;\n"
                            "  if (r == 0) { *x = 1; p_barrier(memory_scope_work_item); *x = 2; }\n"
                            "  if (r == 1) { *x = 9; p_barrier(memory_scope_work_item); *x = 3; }\n"
                            "  if (r == 9) { *x = 7; }\n"
                            "}\n"
                            "recovered ~exists (x = 7)\n"
                            "recovered ~exists (x = 8)\n";

static void test_third_round(void)
{
    static const int64_t chain[][2] = {{0, 1}, {1, 9}};
    static const int64_t last[] = {9, 7};
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        run(&c, third, decide);
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_VIOLATED);
        CU_ASSERT_EQUAL(verdict(&c, 1), LIT_OK);
        for (size_t i = 0; i < 2; i++)
            CU_ASSERT_TRUE(fixture_has(&c.o.restarts, chain[i]));
        CU_ASSERT_TRUE(fixture_has(&c.o.recoveries, last));
        finish(&c);
    }
}

/* Of `third`, a chain for x = 7: {0} is left as it is, a crash leaves 1, one more 9, then 7. Each
 * run reads x as it found it; writes behind the barrier that come before the crash are lost. */
static void test_chain(void)
{
    static const int64_t starts[] = {0, 1, 9}, written[] = {1, 9, 7};
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        run(&c, third, decide);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c.o.chains);
        CU_ASSERT_PTR_NULL(c.o.chains[1].recovered); /* nothing has 8 */
        const struct outcome_chain *chain = &c.o.chains[0];
        CU_ASSERT_EQUAL_FATAL(chain->link_count, 3);
        CU_ASSERT_EQUAL(chain->recovered[0], 7);
        for (uint32_t i = 0; i < 3; i++) {
            const struct outcome_link *link = &chain->links[i];
            CU_ASSERT_EQUAL(link->start[0], starts[i]);
            CU_ASSERT_EQUAL(link->completes, i == 2);
            CU_ASSERT_TRUE_FATAL(link->step_count >= 2);
            CU_ASSERT_STRING_EQUAL(link->steps[0].event.access, "R x");
            CU_ASSERT_EQUAL(link->steps[0].value, starts[i]);
            CU_ASSERT_EQUAL(link->steps[0].source.thread, LIT_NONE);
            CU_ASSERT_STRING_EQUAL(link->steps[1].event.access, "W x");
            CU_ASSERT_EQUAL(link->steps[1].value, written[i]);
            CU_ASSERT_FALSE(link->steps[1].lost);
            for (uint32_t k = 2; k < link->step_count; k++)
                CU_ASSERT(strcmp(link->steps[k].event.access, "W x") != 0 || link->steps[k].lost);
        }
        finish(&c);
    }
}

/* Without a crash in recovery the chain has one run. In parallel recovery a read may take what
 * another work-item wrote: z = 1 needs y from P0's write, as crash states have y = 0. Nobody
 * listens to this run's witnesses. */
static void test_chain_of_one(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm x = 0; nvm atomic_int y = 0; nvm z = 0; }\n"
        "P0 (global int* x) { *x = 1; }\n"
        "recovery\nP0 (global atomic_int* y) {\n"
        "  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device); }\n"
        "P1 (global atomic_int* y, global int* z) {\n"
        "  int r = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device); *z = r; }\n"
        "recovered exists (x = 1 /\\ z = 1)\n";
    for (int decide = 0; decide <= 1; decide++) {
        struct fixture f;
        struct outcome o;
        fixture_init(&f, text, "hrf-direct", "epoch");
        struct engine_request request = {.program = f.program,
                                         .model = f.model,
                                         .plan = f.plan,
                                         .limits = {.unroll = 2},
                                         .decide = decide};
        outcome_init(&o, f.program);
        smt_run(&request, &o);
        CU_ASSERT_PTR_NOT_NULL_FATAL(o.chains);
        CU_ASSERT_EQUAL_FATAL(o.chains[0].link_count, 1);
        CU_ASSERT_TRUE(o.chains[0].links[0].completes);
        CU_ASSERT_EQUAL(o.chains[0].links[0].start[0], 1);
        CU_ASSERT_EQUAL_FATAL(o.chains[0].links[0].step_count, 3);
        const struct outcome_step *read = &o.chains[0].links[0].steps[1];
        CU_ASSERT_TRUE(read->is_read);
        CU_ASSERT_EQUAL(read->value, 1);
        CU_ASSERT_STRING_EQUAL(outcome_thread(f.program, read->source.thread)->name, "recovery P0");
        CU_ASSERT_STRING_EQUAL(o.chains[0].links[0].steps[2].event.access, "W z");
        CU_ASSERT_EQUAL(o.chains[0].links[0].steps[2].value, 1);
        outcome_fini(&o);
        fixture_fini(&f);
    }
}

/* From {1} recovery waits for ever; from {0} it completes. */
static void test_livelock(void)
{
    static const char text[] = "OPENCL t\n{ nvm x = 0; }\n"
                               "P0 (global int* x) { *x = 1; }\n"
                               "recovery (global int* x) { while (*x == 1) { } }\n"
                               "recovered exists (x = 0)\n";
    static const int64_t stuck[] = {1};
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        run(&c, text, decide);
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_ERROR);
        CU_ASSERT_EQUAL_FATAL(c.o.livelocks.count, 1);
        CU_ASSERT_TRUE(fixture_has(&c.o.livelocks, stuck));
        finish(&c);
    }
}

/* From {1} recovery reads what it wrote, and these models have no execution that does, not even one
 * that is stuck: the second wants the pair both ways in one order. From {0} it has no such read. */
static void test_no_execution(void)
{
    static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                               "P0 (global int* x) { *x = 1; }\n"
                               "recovery (global int* x, global int* y) {\n"
                               "  if (*x == 1) { *y = 2; int r = *y; } }\n"
                               "recovered exists (y = 0)\n";
    static const char *const models[] = {
        "include \"sc.cat\" empty rf & int as never-own",
        "include \"sc.cat\" let own = rf & int with order from linearisations(M, own | own^-1)"};
    static const int64_t none[] = {1, 0};
    for (int i = 0; i < 4; i++) {
        struct recovery_case c;
        run_under(&c, text, models[i / 2], &(struct engine_request){.decide = i % 2});
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_ERROR);
        CU_ASSERT_EQUAL_FATAL(c.o.livelocks.count, 1);
        CU_ASSERT_TRUE(fixture_has(&c.o.livelocks, none));
        finish(&c);
    }
}

/* From {done = 1} recovery's P0 has x until P1 sets f, and P1 wants x first: in every execution
 * P1's transaction comes behind that of P0, by g, and before its end, by f. From {done = 0} P0 is
 * alone. */
static void test_transactions_that_wait(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm x = 0; nvm done = 0; atomic_int g = 0; atomic_int f = 0; }\n"
        "P0 (global int* done) { *done = 1; }\n"
        "recovery\n"
        "P0@wg 0 (global int* x, global int* done, global atomic_int* g, global atomic_int* f) {\n"
        "  int d = *done;\n"
        "  __fence{tx_begin}; *x = 2;\n"
        "  if (d) { g.store(1, mo_sc, dev_scope); while (!f.load(mo_sc, dev_scope)); }\n"
        "  __fence{tx_end};\n}\n"
        "P1@wg 1 (global int* x, global int* done, global atomic_int* g, global atomic_int* f) {\n"
        "  if (*done) {\n"
        "    while (!g.load(mo_sc, dev_scope));\n"
        "    __fence{tx_begin}; *x = 3; __fence{tx_end};\n"
        "    f.store(1, mo_sc, dev_scope);\n"
        "  }\n}\n"
        "recovered forall (x = 2)\n";
    static const int64_t none[] = {0, 1};
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        prepare_under(&c, text, "sc", "chen-helper");
        c.request.decide = decide;
        smt_run(&c.request, &c.o);
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_ERROR);
        CU_ASSERT_EQUAL_FATAL(c.o.livelocks.count, 1);
        CU_ASSERT_TRUE(fixture_has(&c.o.livelocks, none));
        finish(&c);
    }
}

/* Each round has new starts, so that whatever the time limit is, it is over before some start's
 * recoveries are listed. All starts have one. */
static void test_no_livelock_for_want_of_time(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\nP0 (global int* y) { *y = 1; }\n"
        "recovery restartable (global int* x, global int* y, global int* z) {\n"
        "  *z = *x; *x = *y; *y = *y + 1; }\n"
        "recovered ~exists (y = 0)\n";
    struct recovery_case c;
    run_under(&c, text, "include \"sc.cat\"",
              &(struct engine_request){.rounds = 100000, .limits.clock = clock_limit_in(0.1)});
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_UNKNOWN);
    CU_ASSERT_EQUAL(c.o.livelocks.count, 0);
    finish(&c);
}

/* Recovery's write is coherence-after an initial one, which this model calls undefined; but no
 * crash point is met, so that recovery never starts. */
static void test_no_start(void)
{
    static const char text[] = "OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\n"
                               "P0 (global atomic_int* f) { f.store(1, mo_rel, wg_scope); }\n"
                               "recovery restartable (global int* x) { *x = 1; }\n"
                               "recovered exists (x = 0)\n";
    static const char model[] = "include \"sc.cat\"\n"
                                "undefined_unless empty [NVM]; co as overwritten";
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        run_under(&c, text, model,
                  &(struct engine_request){.decide = decide, .crash_mode = EXEC_CRASH_POINTS});
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_VIOLATED);
        finish(&c);
    }
}

/* x goes from 0 to 3 in three restarts, and in 3 recovery has a fault: with at most two rounds, of
 * the program's state and of x = 1, nobody has seen that. */
static void test_fault_beyond_rounds(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm x = 0; nvm a[1]; }\nP0 (global int* x) { *x = 0; }\n"
        "recovery restartable (global int* x, global int* a) { int r = *x;\n"
        "  if (r == 0) { *x = 1; } if (r == 1) { *x = 2; } if (r == 2) { *x = 3; }\n"
        "  if (r == 3) { a[r] = 1; } }\n"
        "recovered ~exists (x = 7)\n";
    for (int decide = 0; decide <= 1; decide++) {
        struct recovery_case c;
        run_under(&c, text, NULL, &(struct engine_request){.decide = decide, .rounds = 2});
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_UNKNOWN);
        CU_ASSERT_EQUAL(c.o.undefined.count, 0);
        finish(&c);
        run_under(&c, text, NULL, &(struct engine_request){.decide = decide});
        CU_ASSERT_EQUAL(verdict(&c, 0), LIT_UNDEFINED);
        finish(&c);
    }
}

/* A fault in recovery counts where its start can be reached: {x = 1} can, {x = 2} cannot. */
static void test_faults(void)
{
    static const char *const texts[] = {
        "OPENCL t\n{ nvm x = 0; nvm a[1] = {0}; }\nP0 (global int* x) { *x = 1; }\n"
        "recovery restartable (global int* x, global int* a) { if (*x == 1) { a[*x] = 1; } }\n"
        "recovered exists (x = 0)\n",
        "OPENCL t\n{ nvm x = 0; nvm y = 2; nvm a[1] = {0}; }\n"
        "P0 (global int* x, global int* y) { *x = 1; }\n"
        "recovery restartable (global int* x, global int* a) { if (*x == 2) { a[*x] = 1; } }\n"
        "recovered exists (x = 0)\n"};
    static const enum lit_verdict verdicts[] = {LIT_UNDEFINED, LIT_OK};
    for (size_t i = 0; i < 2; i++)
        for (int decide = 0; decide <= 1; decide++) {
            struct recovery_case c;
            run(&c, texts[i], decide);
            CU_ASSERT_EQUAL(verdict(&c, 0), verdicts[i]);
            finish(&c);
        }
}

/* Ten conditions one after the other: 2^10 runs, which are one path when joined, of 10 reads and
 * 10 writes; of each pair of branches only the one or the other write can happen. */
static void test_joined(void)
{
    static const char text[] =
        "OPENCL t\n{ a[10] = {0}; x = 0; }\n"
        "P0 (global int* a, global int* x) {\n"
        "  for (int i = 0; i < 10; i++) { if (a[i] == 0) { *x = 1; } else { *x = 2; } }\n}\n"
        "exists (x = 1)\n";
    for (int join = 0; join <= 1; join++) {
        struct fixture f;
        struct exec_paths paths;
        uint32_t kept = 0;
        struct exec_run_options options = {.unroll = 2, .join = join, .path_events = &kept};
        fixture_init(&f, text, "hrf-direct", "epoch");
        exec_run_thread(&f.arena, f.program, 0, &options, &paths);
        CU_ASSERT_EQUAL_FATAL(paths.count, join ? 1 : 1024);
        CU_ASSERT_EQUAL(paths.items[0]->event_count, join ? 30 : 20);
        if (join) {
            const struct exec_guard *const *guards = paths.items[0]->guards;
            CU_ASSERT_PTR_NULL(guards[0]); /* the read is on every run */
            CU_ASSERT_TRUE(exec_guards_exclude(guards[1], guards[2]));
            CU_ASSERT_FALSE(exec_guards_exclude(guards[1], guards[4]));
            CU_ASSERT_TRUE(exec_guard_implies(guards[1], NULL));
            CU_ASSERT_FALSE(exec_guard_implies(guards[1], guards[2]));
        }
        fixture_fini(&f);
    }
}

/* Recovery copies each of 16 entries that is there, of which a crash may leave any. So does a model
 * decide it that looks at dependencies: 2^16 runs, each with another read that a write depends on.
 */
static void test_scan_with_dependencies(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm log[16]; nvm d[16]; }\n"
        "P0 (global int* log) { for (int i = 0; i < 16; i++) { log[i] = 1; } }\n"
        "recovery (global int* log, global int* d) {\n"
        "  int v = 0; for (int i = 0; i < 16; i++) { if (log[i]) { v = log[i]; d[i] = v; } }\n}\n"
        "recovered forall (log[15] = d[15])\n"
        "recovered exists (d[3] = 1 /\\ d[7] = 0)\n"
        "recovered exists (d[3] = 1 /\\ log[3] = 0)\n";
    struct recovery_case c;
    run_under(&c, text, "include \"ptx.cat\"", &(struct engine_request){.decide = true});
    CU_ASSERT_PTR_NULL(outcome_doubt(&c.o));
    CU_ASSERT_EQUAL(verdict(&c, 0), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 1), LIT_OK);
    CU_ASSERT_EQUAL(verdict(&c, 2), LIT_VIOLATED);
    finish(&c);
}

void suite_smt_recovery(void)
{
    CU_pSuite suite = CU_add_suite("smt_recovery", NULL, NULL);
    UNIT_TEST(suite, test_listed);
    UNIT_TEST(suite, test_decided);
    UNIT_TEST(suite, test_third_round);
    UNIT_TEST(suite, test_chain);
    UNIT_TEST(suite, test_chain_of_one);
    UNIT_TEST(suite, test_livelock);
    UNIT_TEST(suite, test_no_execution);
    UNIT_TEST(suite, test_transactions_that_wait);
    UNIT_TEST(suite, test_no_livelock_for_want_of_time);
    UNIT_TEST(suite, test_no_start);
    UNIT_TEST(suite, test_fault_beyond_rounds);
    UNIT_TEST(suite, test_faults);
    UNIT_TEST(suite, test_joined);
    UNIT_TEST(suite, test_scan_with_dependencies);
}
