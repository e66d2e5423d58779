/* Each single fault of a machine shows in a named test as a state outside `hrf-direct` + `epoch`;
 * without it the same machine on the same test shows none. The comment says how. */
#include "unit.h"

#include "cat/cat_model.h"
#include "enumerate/enumerate.h"
#include "exec/exec_basis.h"
#include "litmus/lit_parse.h"
#include "machine/mach_engine.h"

#include <stdio.h>
#include <string.h>

struct row {
    enum mach_fault fault;
    const char *machine, *test; /* in litmus/spb */
};

static const struct row rows[] = {
    /* The marker passes x's entry: y = 1 is evicted to the NVRAM, x is still in its cache. */
    {MACH_FAULT_OVERTAKE, "nvw-fifo", "def1"},
    /* x's entry is in the L2 FIFO when the stall ends. */
    {MACH_FAULT_NOT_DRAINED, "nvw-fifo", "def1"},
    /* x is on its way when y follows; y arrives first. */
    {MACH_FAULT_NO_ACK, "nvw-fifo", "def1"},
    /* P0 itself is not stalled: y before x. */
    {MACH_FAULT_WRONG_STALL, "nvw-fifo", "def1"},
    {MACH_FAULT_NO_STALL, "nvw-fifo", "def1"},
    /* x and z arrive at an L2 FIFO of one entry: z's is lost, its line stays, y goes before it. */
    {MACH_FAULT_OVERFLOW, "narrow", "def2"},
    /* x, evicted from the L1, is in no FIFO: the marker passes it in the L2. */
    {MACH_FAULT_EVICT_BYPASS, "nvw-fifo", "def1"},
    /* z is in the L1 of the unit left out: y = 1, z = 0. */
    {MACH_FAULT_UNIT_SKIPPED, "nvw-fifo", "def3"},
    /* The second read finds the L1's copy of before: r2 = 0. */
    {MACH_FAULT_NO_INVALIDATE, "nvw-fifo", "acquire-forgets"},
    /* P0 reads x without x = 1 having left P1's L1 (no persist barrier): r = 0. */
    {MACH_FAULT_CLEAN_RELEASE, "nvw-fifo", "release-tells"},
    /* x = 1 and x = 2 are both on their way; 1 arrives last: y = 1, x = 1. */
    {MACH_FAULT_UNORDERED_LINE, "nvw-fifo", "persist-coherence-overwrite"},
    /* P0 goes through before P1 wrote z: y = 1, z = 0. */
    {MACH_FAULT_NO_WAIT, "nvw-fifo", "def2"},
    /* x = 1 stays in P0's L1: r = 0. */
    {MACH_FAULT_BARRIER_KEEPS, "nvw-fifo", "barrier-hands-over"},
};

struct pack {
    struct arena arena;
    struct diag diag;
    struct intern *names;
    struct engine_request request;
    struct outcome model;
};

static void pack_init(struct pack *p, const char *test)
{
    const char *why = NULL;
    *p = (struct pack){.names = intern_new()};
    arena_init(&p->arena);
    diag_init(&p->diag);
    const char *path = arena_printf(&p->arena, "litmus/spb/%s.litmus", test);
    const struct source *source = source_load(&p->arena, path, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    p->request.program = lit_parse(&p->arena, p->names, source, &p->diag);
    p->request.model = cat_model_load(&p->arena, exec_basis(), "hrf-direct", "epoch", &p->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->request.program);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->request.model);
    p->request.plan = cat_plan_new(&p->arena, p->request.model);
    p->request.crash_mode = engine_default_crash_mode(p->request.program);
    p->request.limits.unroll = 2;
    outcome_init(&p->model, p->request.program);
    enum_run(&p->request, &p->model);
    CU_ASSERT_EQUAL(p->model.undefined.count, 0);
}

static void pack_fini(struct pack *p)
{
    outcome_fini(&p->model);
    intern_free(p->names);
    diag_fini(&p->diag);
    arena_fini(&p->arena);
}

static size_t outside(const struct outcome_states *model, const struct outcome_states *machine)
{
    size_t count = 0;
    for (size_t i = 0; i < machine->count; i++)
        count += !outcome_has_state(model, outcome_row(machine, i));
    return count;
}

/* States of the machine that the model does not have. */
static size_t count_outside(const struct pack *p, const struct mach_file *file)
{
    struct outcome o;
    outcome_init(&o, p->request.program);
    mach_run_file(&p->request, file, &o);
    CU_ASSERT_PTR_NULL(outcome_doubt(&o));
    CU_ASSERT(o.crash.count + o.final.count > 0);
    size_t count = outside(&p->model.final, &o.final) + outside(&p->model.crash, &o.crash);
    outcome_fini(&o);
    return count;
}

static void run_row(const struct row *row)
{
    static const char narrow[] = "machine = nvw-fifo\nl2_fifo = 1\n";
    struct pack p;
    pack_init(&p, row->test);
    const struct mach_file *file =
        strcmp(row->machine, "narrow") == 0
            ? mach_config_parse(&p.arena,
                                source_from_text(&p.arena, "narrow", narrow, sizeof narrow - 1),
                                &p.diag)
            : mach_config_load(&p.arena, row->machine, &p.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    struct mach_file broken = *file;
    broken.config.faults = UINT32_C(1) << row->fault;
    CU_ASSERT_EQUAL(count_outside(&p, file), 0);
    size_t count = count_outside(&p, &broken);
    CU_ASSERT(count > 0);
    if (count == 0)
        fprintf(stderr, "%s is not caught by %s\n", mach_faults[row->fault].name, row->test);
    pack_fini(&p);
}

static void test_caught(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        run_row(&rows[i]);
}

static void test_all_listed(void)
{
    for (int fault = 0; fault < MACH_FAULT_COUNT; fault++) {
        bool listed = false;
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            listed |= (int)rows[i].fault == fault;
        CU_ASSERT(listed);
        CU_ASSERT_EQUAL((int)mach_fault_find(mach_faults[fault].name), fault);
    }
    CU_ASSERT_EQUAL(mach_fault_find("none"), MACH_FAULT_COUNT);
}

/* Every built-in on the tests that are small and cover each kind of barrier and flag. */
static void test_contained(void)
{
    static const char *const tests[] = {"def1",
                                        "def1-other-wi",
                                        "def2",
                                        "def3",
                                        "chain-three",
                                        "acquire-forgets",
                                        "release-tells",
                                        "barrier-hands-over",
                                        "persist-coherence-overwrite",
                                        "flag-one-barrier",
                                        "flag-reader-barrier-read",
                                        "rmw-count",
                                        "undo-log"};
    static const char *const machines[] = {"nvw-fifo", "nvw-fifo-one-unit", "nvw-fifo-small",
                                           "ideal-sc"};
    for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++) {
        struct pack p;
        pack_init(&p, tests[t]);
        for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
            const struct mach_file *file = mach_config_load(&p.arena, machines[m], &p.diag);
            CU_ASSERT_PTR_NOT_NULL_FATAL(file);
            size_t count = count_outside(&p, file);
            CU_ASSERT_EQUAL(count, 0);
            if (count)
                fprintf(stderr, "%s shows %zu states outside on %s\n", machines[m], count,
                        tests[t]);
        }
        pack_fini(&p);
    }
}

void suite_mach_faults(void)
{
    CU_pSuite suite = CU_add_suite("mach_faults", NULL, NULL);
    UNIT_TEST(suite, test_caught);
    UNIT_TEST(suite, test_all_listed);
    UNIT_TEST(suite, test_contained);
}
