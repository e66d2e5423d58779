/* The explorer on tiny programs; every number by hand. */
#include "fixture.h"

#include "machine/mach_config.h"
#include "machine/mach_explore.h"

#include <string.h>

enum { ROOM = 64 };

/* A program on a machine, ready to be explored. */
struct bench {
    struct fixture f;
    const struct machine *machine;
    struct mach_test test;
};

static void bench_init(struct bench *b, const char *text, const char *machine)
{
    fixture_init(&b->f, text, "hrf-direct", "epoch");
    const struct mach_file *file = mach_config_load(&b->f.arena, machine, &b->f.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    b->machine = file->machine;
    mach_test_init(&b->test, &b->f.arena, b->machine, b->f.program, &file->config);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* Finds the first state in which the first location's durable value is 1, and its way. */
struct hunt {
    struct bench *bench;
    struct mach_exploration *exploration;
    uint64_t number;
    bool found;
};

static bool hunt_visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct hunt *h = context;
    (void) final;
    if (mach_value(&h->bench->test, h->bench->machine->memory(&h->bench->test, state, 0)) != 1)
        return true;
    h->number = number;
    h->found = true;
    return false;
}

/* The way, as printed steps with a semicolon after each; replayed, it leads to that state. */
static void expect_way(const char *text, const char *way)
{
    struct bench b;
    struct mach_limits limits = {.states = 1000, .out_of_time = never, .paths = true};
    struct mach_step steps[ROOM];
    struct strbuf out = {0};
    uint8_t state[MACH_MAX_STATE] = {0};
    bench_init(&b, text, "ideal-sc");
    struct hunt h = {.bench = &b};
    struct mach_exploration *e = mach_explore(b.machine, &b.test, &limits, hunt_visit, &h);
    CU_ASSERT_TRUE_FATAL(h.found);
    uint32_t count = mach_path(e, h.number, steps, ROOM);
    CU_ASSERT_FATAL(count <= ROOM);
    b.machine->start(&b.test, state);
    for (uint32_t i = 0; i < count; i++) {
        CU_ASSERT_TRUE(b.machine->perform(&b.test, state, steps[i]));
        b.machine->print(&b.test, steps[i], &out);
        strbuf_printf(&out, "; ");
    }
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), way);
    CU_ASSERT_EQUAL(mach_value(&b.test, b.machine->memory(&b.test, state, 0)), 1);
    /* No room: the length alone. */
    memset(&steps[0], 0xff, sizeof steps[0]);
    CU_ASSERT_EQUAL(mach_path(e, h.number, steps, count - 1), count);
    CU_ASSERT_EQUAL(steps[0].kind, 0xff);
    CU_ASSERT_EQUAL(mach_path(e, 0, steps, ROOM), 0);
    strbuf_fini(&out);
    mach_exploration_free(e);
    fixture_fini(&b.f);
}

static void test_way(void)
{
    /* The store, then its write-back; P1's store need not happen. */
    expect_way("OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x) { *x = 1; }\n"
               "P1 (global int* y) { *y = 1; }\ncrash exists (x=1)\n",
               "P0 executes; pending write 0 becomes durable; ");
    /* x needs y, read by P0 and written by P1: the only order. */
    expect_way("OPENCL t\n{ nvm x = 0; y = 0; }\nP0 (global int* x, global int* y) { *x = *y; }\n"
               "P1 (global int* y) { *y = 1; }\ncrash exists (x=1)\n",
               "P1 executes; P0 executes; P0 executes; pending write 0 becomes durable; ");
}

void suite_mach_explore(void)
{
    CU_pSuite suite = CU_add_suite("mach_explore", NULL, NULL);
    UNIT_TEST(suite, test_way);
}
