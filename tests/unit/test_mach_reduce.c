/* What work-items may still do, and normal forms: tiny programs, every number by hand. That the
 * reduction keeps all outcomes is held against whole explorations here on a few tests of
 * litmus/spb; tests/corpus/reduce.sh does so on all of them and on random programs. */
#include "fixture.h"

#include "engine/agree.h"
#include "explore/mach_engine.h"
#include "explore/mach_explore.h"
#include "machine/mach_reduce.h"

#include <string.h>

struct bench {
    struct fixture f;
    const struct machine *machine;
    struct mach_test test;
    uint8_t state[MACH_MAX_STATE];
};

/* A built-in machine, or the text of a file, which has a '='. */
static const struct mach_file *load(struct fixture *f, const char *machine)
{
    const struct mach_file *file =
        strchr(machine, '=')
            ? mach_config_parse(&f->arena,
                                source_from_text(&f->arena, "m.machine", machine, strlen(machine)),
                                &f->diag)
            : mach_config_load(&f->arena, machine, &f->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    return file;
}

static void bench_init(struct bench *b, const char *text, const char *machine)
{
    fixture_init(&b->f, text, "hrf-direct", "epoch");
    const struct mach_file *file = load(&b->f, machine);
    b->machine = file->machine;
    memset(b->state, 0, sizeof b->state);
    mach_test_init(&b->test, &b->f.arena, b->machine, b->f.program, &file->config);
    mach_reduce_init(&b->test, &b->f.arena, false);
    b->machine->start(&b->test, b->state);
}

static void expect_lines(const struct bench *b, const struct mach_lines *lines, bool x, bool y)
{
    CU_ASSERT_EQUAL(mach_has_line(lines, b->test.line_of[0]), x);
    CU_ASSERT_EQUAL(mach_has_line(lines, b->test.line_of[1]), y);
}

static void test_outlook(void)
{
    struct bench b;
    bench_init(&b,
               "OPENCL t\n{ nvm x = 0; y = 0; }\nP0 (global int* x, global int* y) {\n"
               "  *x = 1; p_barrier_wi; int r = *y; *x = r; }\n"
               "P1 (global int* x, global int* y) { while (!*y); p_barrier_kr; }\n"
               "crash exists (x=1)\n",
               "ideal-sc");
    const struct mach_outlook *o = mach_outlook(&b.test, b.state, 0);
    expect_lines(&b, &o->writes, true, false);
    expect_lines(&b, &o->reads, false, true);
    CU_ASSERT_EQUAL(o->nv_writes, 2);    /* x = 1, x = r */
    CU_ASSERT_EQUAL(o->epoch_writes, 1); /* x = 1 */
    CU_ASSERT_EQUAL(o->lone + o->shared, 1);
    CU_ASSERT_TRUE(o->narrow_persists);
    CU_ASSERT_FALSE(o->wide_persists);
    CU_ASSERT_FALSE(o->on_cycle);
    o = mach_outlook(&b.test, b.state, 1);
    expect_lines(&b, &o->writes, false, false);
    expect_lines(&b, &o->reads, false, true);
    CU_ASSERT_TRUE(o->on_cycle); /* the load of a wait */
    CU_ASSERT_TRUE(o->wide_persists);
    CU_ASSERT_FALSE(o->narrow_persists);
    /* P0 past its first store. */
    mach_go_on(&b.test, b.state, 0);
    CU_ASSERT_EQUAL(mach_outlook(&b.test, b.state, 0)->epoch_writes, 0);
    CU_ASSERT_EQUAL(mach_outlook(&b.test, b.state, 0)->nv_writes, 1);
    fixture_fini(&b.f);
}

/* An index may mean every element; a loop writes more often than is counted. */
static void test_outlook_unknown(void)
{
    struct bench b;
    bench_init(&b,
               "OPENCL t\n{ nvm a[2]; y = 0; }\nP0 (global int* a, global int* y) {\n"
               "  int r = *y; for (int i = 0; i < r; i++) { a[i] = 1; } }\n"
               "crash exists (a[0]=1)\n",
               "ideal-sc");
    const struct mach_outlook *o = mach_outlook(&b.test, b.state, 0);
    expect_lines(&b, &o->writes, true, true);
    CU_ASSERT_EQUAL(o->nv_writes, MACH_MANY + 1);
    fixture_fini(&b.f);
}

/* s is read by nobody, r by the condition, q by the store. Registers in the order declared. */
static void test_registers(void)
{
    struct bench b;
    bench_init(&b,
               "OPENCL t\n{ x = 5; y = 0; }\nP0 (global int* x, global int* y) {\n"
               "  int r = *x; int s = *x; int q = *x; *y = q; }\nexists (0:r=5)\n",
               "ideal-sc");
    uint8_t *registers = mach_registers(&b.test, b.state, 0);
    const struct lit_thread *thread = &b.f.program->threads[0];
    uint8_t five = mach_number(&b.test, 5);
    CU_ASSERT_NOT_EQUAL_FATAL(five, mach_number(&b.test, 0));
    for (uint32_t i = 0; i < 3; i++)
        CU_ASSERT_TRUE_FATAL(b.machine->perform(&b.test, b.state, (struct mach_step){.kind = 0}));
    mach_forget_registers(&b.test, b.state);
    for (uint32_t i = 0; i < thread->register_count; i++) {
        const char *name = thread->registers[i].name;
        if (name && strcmp(name, "r") == 0)
            CU_ASSERT_EQUAL(registers[i], five);
        if (name && strcmp(name, "s") == 0)
            CU_ASSERT_EQUAL(registers[i], 0);
    }
    /* The store needs q, or what its expression was lowered to. */
    CU_ASSERT_TRUE(b.machine->perform(&b.test, b.state, (struct mach_step){.kind = 0}));
    CU_ASSERT_EQUAL(mach_value(&b.test, b.machine->memory(&b.test, b.state, 1)), 5);
    fixture_fini(&b.f);
}

/* ---- Counts ---- */

static bool pass_by(void *context, const uint8_t *state, uint64_t number, bool final)
{
    (void)context;
    (void)state;
    (void)number;
    (void) final;
    return true;
}

static void expect_count(const char *text, const char *machine, uint64_t count)
{
    struct bench b;
    struct mach_limits limits = {.states = 1000};
    bench_init(&b, text, machine);
    struct mach_exploration *e = mach_explore(&b.test, &limits, pass_by, NULL);
    CU_ASSERT_EQUAL(mach_totals(e).states, count);
    mach_exploration_free(e);
    fixture_fini(&b.f);
}

#define NVM_X "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) "
#define EXISTS "\ncrash exists (x=1)\n"

static void test_counts(void)
{
    /* Pending or durable: nobody can tell that it is not stored from that it is pending. */
    expect_count(NVM_X "{ *x = 1; }" EXISTS, "ideal-sc", 2);
    /* Whoever has stored waits, and is let go as soon as x is durable: the same two. */
    expect_count(NVM_X "{ *x = 1; p_barrier_wi; }" EXISTS, "ideal-sc", 2);
    /* A crash statement is passed at once when the crash may come anywhere. */
    expect_count(NVM_X "{ *x = 1; crash; }" EXISTS, "ideal-sc", 2);
    /* The store leaves both caches at once: before, under way, durable. */
    expect_count(NVM_X "{ *x = 1; }" EXISTS, "nvw-fifo", 3);
    /* Before; then x is under way or durable, and the marker is not there yet, in the L1's FIFO, or
     * in the L2's, where with x durable it is acknowledged at once: 1 + 2 * 2 + 2. */
    expect_count(NVM_X "{ *x = 1; p_barrier_wi; }" EXISTS, "nvw-fifo", 7);
    /* Volatile, nobody else there: nobody can tell when it was stored. */
    expect_count("OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; }\nexists (x=1)\n", "nvw-fifo",
                 1);
}

/* ---- Against whole explorations ---- */

static void run(const struct bench *b, const struct mach_file *file, enum exec_crash_mode mode,
                bool no_reduction, struct outcome *o)
{
    const struct mach_choice choice = {.file = file, .no_reduction = no_reduction};
    struct engine_request request = {.program = b->f.program, .crash_mode = mode, .own = &choice};
    outcome_init(o, b->f.program);
    mach_run(&request, o);
    CU_ASSERT_PTR_NULL(outcome_doubt(o));
}

static void compare(const char *text, const char *machine)
{
    struct bench b;
    bench_init(&b, text, machine);
    const struct mach_file *file = load(&b.f, machine);
    for (int mode = EXEC_CRASH_ANYWHERE; mode <= EXEC_CRASH_END; mode++) {
        struct outcome full, less;
        run(&b, file, (enum exec_crash_mode)mode, true, &full);
        run(&b, file, (enum exec_crash_mode)mode, false, &less);
        CU_ASSERT_EQUAL(agree_compare(&full, &less, b.f.program, false).count, 0);
        CU_ASSERT(less.stats.states < full.stats.states);
        outcome_fini(&full);
        outcome_fini(&less);
    }
    fixture_fini(&b.f);
}

/* Each writes a leaf, all meet at a barrier that orders persists, P0 writes the root; asked is
 * whether the root may be ahead of the last leaf. */
static void write_tree(struct strbuf *text, uint32_t leaves)
{
    strbuf_printf(text, "OPENCL t\n{ nvm root = 0;");
    for (uint32_t i = 0; i < leaves; i++)
        strbuf_printf(text, " nvm x%u = 0;", i);
    strbuf_printf(text, " }\n");
    for (uint32_t i = 0; i < leaves; i++)
        strbuf_printf(text,
                      "P%u@wg 0 (global int* x%u, global int* root) { *x%u = 1; sync_barrier_wg; "
                      "p_barrier_wg; %s }\n",
                      i, i, i, i == 0 ? "*root = 1;" : "");
    strbuf_printf(text, "crash ~exists (root=1 /\\ x%u=0)\n", leaves - 1);
}

static void decide(const struct bench *b, const struct mach_file *file, bool no_reduction,
                   struct outcome *o)
{
    const struct mach_choice choice = {.file = file, .no_reduction = no_reduction};
    struct engine_request request = {.program = b->f.program, .own = &choice, .decide = true};
    outcome_init(o, b->f.program);
    mach_run(&request, o);
    CU_ASSERT_PTR_NULL(outcome_doubt(o));
}

static uint64_t positive(const struct bench *b, const struct outcome *o)
{
    return outcome_judge(o, b->f.program, &b->f.program->conditions[0]).positive;
}

/* Work-groups that have nothing to do with each other; asked is about the first. */
static void write_groups(struct strbuf *text, uint32_t groups)
{
    strbuf_printf(text, "OPENCL t\n{");
    for (uint32_t i = 0; i < groups; i++)
        strbuf_printf(text, " nvm x%u = 0; nvm y%u = 0;", i, i);
    strbuf_printf(text, " }\n");
    for (uint32_t i = 0; i < groups; i++)
        strbuf_printf(text,
                      "P%u@wg %u (global int* x%u, global int* y%u) { *x%u = 1; p_barrier_wi; "
                      "*y%u = 1; }\n",
                      i, i, i, i, i, i);
    strbuf_printf(text, "crash ~exists (y0=2 \\/ x0=2)\n");
}

static void expect_decided(void (*write)(struct strbuf *text, uint32_t n), uint32_t n,
                           const char *machine, uint64_t states)
{
    struct bench b;
    struct outcome o;
    struct strbuf text = {0};
    write(&text, n);
    bench_init(&b, strbuf_text(&text), machine);
    decide(&b, load(&b.f, machine), false, &o);
    CU_ASSERT_EQUAL(positive(&b, &o), 0);
    CU_ASSERT_EQUAL(o.stats.states, states);
    outcome_fini(&o);
    fixture_fini(&b.f);
    strbuf_fini(&text);
}

/* Where the condition alone counts, leaves that it does not name are durable at once, so that there
 * are no more states with more of them. On spb-pipeline the leaf asked for is in the L1, in the L2
 * or durable; then the barrier ends, the root is stored, and it is durable in the fourth state.
 * On nvw-fifo it is not stored, or it is under way or durable while the marker is not there yet, in
 * the L1's FIFO, or in the L2's, where with the leaf durable it is acknowledged at once, as in
 * test_counts; then the root is under way, and durable: 1 + 2 * 2 + 2 + 2. */
static void test_decided(void)
{
    expect_decided(write_tree, 3, "spb-pipeline", 4);
    expect_decided(write_tree, 12, "spb-pipeline", 4);
    expect_decided(write_tree, 3, "nvw-fifo", 9);
    expect_decided(write_tree, 40, "nvw-fifo", 9);
}

/* What the others do is done at once, so that P0 alone counts. On bpfs x0 is not stored, or in the
 * L1, the L2 or NVRAM; then y0 is not stored, or in the L1 or the L2, or, once x0 is durable, in
 * NVRAM: 1 + 3 * 3 + 1. On ideal-sc x0 is under way, or y0 is, or both are durable. Where the
 * barrier has no rule x0 and y0 are each under way or durable in any order: 1 + 2 * 3. On nvw-fifo
 * it is as in test_counts, and y0 is under way and durable: 7 + 2. */
static void test_decided_apart(void)
{
    static const char *const bare[] = {"px86",        "sbrp",           "strand",
                                       "chen-helper", "chen-per-block", "strand-stores"};
    for (uint32_t n = 1; n <= 10; n += 3) {
        expect_decided(write_groups, n, "bpfs", 11);
        expect_decided(write_groups, n, "bpfs-no-wait", 11);
        expect_decided(write_groups, n, "ideal-sc", 3);
        expect_decided(write_groups, 2 * n, "nvw-fifo", 9);
        for (size_t i = 0; i < sizeof bare / sizeof bare[0]; i++)
            expect_decided(write_groups, n, bare[i], 7);
    }
}

/* A state of the condition's is found without the reduction, and with it. */
static void expect_found(const char *text, const char *machine)
{
    struct bench b;
    struct outcome full, less;
    bench_init(&b, text, machine);
    const struct mach_file *file = load(&b.f, machine);
    decide(&b, file, true, &full);
    decide(&b, file, false, &less);
    CU_ASSERT_EQUAL(positive(&b, &full), 1);
    CU_ASSERT_EQUAL(positive(&b, &less), 1);
    outcome_fini(&full);
    outcome_fini(&less);
    fixture_fini(&b.f);
}

/* A condition's state is shown that P1's e, which it does not name, could bar when it moves on
 * early. v, stored by P0, is in s1 when P1 stores e, and stays there. While e is in s0 P1's barrier
 * has nothing to wait for, P1 raises f, and P2's w is durable through its own unit. If e came to s1
 * it would be behind v there, and P1 would wait for both. That P1 does not go to its barrier at
 * once is for the fetch_add, as P0 writes h too. */
static void test_decided_unasked(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm v = 0; nvm e = 0; nvm w = 0;\n"
        "  atomic_int f = 0; atomic_int g = 0; atomic_int h = 0; }\n"
        "P0@wg 0 (global int* v, global atomic_int* g, global atomic_int* h) {\n"
        "  *v = 1; p_barrier_wi; g.store(1, mo_rel, wg_scope); h.store(1, mo_rlx, wg_scope); }\n"
        "P1@wg 0 (global int* e, global atomic_int* f, global atomic_int* g,"
        " global atomic_int* h) {\n"
        "  if (g.load(mo_acq, wg_scope)) {\n"
        "    *e = 1; h.fetch_add(2, mo_rlx, wg_scope); p_barrier_wg;\n"
        "    f.store(1, mo_rel, dev_scope); } }\n"
        "P2@wg 1 (global int* w, global atomic_int* f) {\n"
        "  if (f.load(mo_acq, dev_scope)) { *w = 1; } }\n"
        "crash exists (w=1 /\\ v=0)\n";
    static const char machine[] =
        "machine = pipeline\npromises = hrf-direct + epoch\n"
        "stage s0 per thread order any\nstage s1 per unit order fifo\ndurable\n"
        "on p_barrier wg : move own s1 ; await\non p_barrier : move own s0 ; await\non cm :\n";
    expect_found(text, machine);
}

/* P0's x = 1 is in the L2, and in its L1 still, as P2's marker has moved it on: so P0 reads it
 * after P1 has read it and written over it. If P2's marker never comes x = 1 has to be evicted, and
 * P0 reads x = 2. Only then is y = 1. */
static void test_decided_pulled(void)
{
    static const char text[] =
        "OPENCL t\n{ nvm atomic_int x = 0; nvm y = 0; nvm p = 0; atomic_int f = 0; }\n"
        "P0@wg 0 (global atomic_int* x, global int* y, global atomic_int* f) {\n"
        "  x.store(1, mo_rlx, wg_scope);\n"
        "  if (f.load(mo_rlx, dev_scope)) {\n"
        "    int r = x.load(mo_rlx, wg_scope); if (r == 1) { *y = 1; } } }\n"
        "P1@wg 1 (global atomic_int* x, global atomic_int* f) {\n"
        "  int s = x.load(mo_rlx, dev_scope);\n"
        "  if (s) { x.store(2, mo_rlx, dev_scope); f.store(1, mo_rlx, dev_scope); } }\n"
        "P2@wg 2 (global int* p) { *p = 1; p_barrier_wi; }\n"
        "crash exists (y=1)\n";
    expect_found(text, "nvw-fifo");
}

/* As there, but P2, in P0's work-group, writes x on by a release, or by p and q, as the S-FIFO
 * takes two lines: x is volatile. */
#define MOVED(kinds, p2)                                                                     \
    "OPENCL t\n{ atomic_int x = 0; nvm y = 0; atomic_int f = 0; " kinds " }\n"               \
    "P0@wg 0 (global atomic_int* x, global int* y, global atomic_int* f) {\n"                \
    "  x.store(1, mo_rlx, wg_scope);\n"                                                      \
    "  if (f.load(mo_rlx, dev_scope)) {\n"                                                   \
    "    int r = x.load(mo_rlx, wg_scope); if (r == 1) { *y = 1; } } }\n"                    \
    "P1@wg 1 (global atomic_int* x, global atomic_int* f) {\n"                               \
    "  int s = x.load(mo_rlx, dev_scope);\n"                                                 \
    "  if (s) { x.store(2, mo_rlx, dev_scope); f.store(1, mo_rlx, dev_scope); } }\n" p2 "\n" \
    "crash exists (y=1)\n"

static void test_decided_moved(void)
{
    expect_found(MOVED("nvm atomic_int p = 0;",
                       "P2@wg 0 (global atomic_int* p) { p.store(1, mo_rel, dev_scope); }"),
                 "nvw-fifo");
    expect_found(MOVED("nvm p = 0; nvm q = 0;",
                       "P2@wg 0 (global int* p, global int* q) { *p = 1; *q = 1; }"),
                 "machine = nvw-fifo\nl1_sfifo = 2\n");
}

/* P0's y = 1 is moved on by P1's marker before y = 2 is stored, and beside it there is an x still
 * that is older than P2's, who has ended. If it were evicted instead, P0 would not read x = 0. */
static void test_decided_beside(void)
{
    expect_found("OPENCL t\n{ nvm atomic_int x = 0; nvm y = 0; nvm z = 0; nvm unused = 0;\n"
                 "  nvm p = 0; atomic_int f = 0; }\n"
                 "P0@wg 0 (global atomic_int* x, global int* y, global int* z,"
                 " global atomic_int* f) {\n"
                 "  int q = x.load(mo_rlx, wg_scope); int s = f.load(mo_rlx, dev_scope);\n"
                 "  if (s) {\n"
                 "    *y = 1; *y = 2; int r = x.load(mo_rlx, wg_scope);\n"
                 "    if (r == 0) { *z = 1; } } }\n"
                 "P1@wg 0 (global int* p) { *p = 1; p_barrier_wi; }\n"
                 "P2@wg 1 (global atomic_int* x, global atomic_int* f) {\n"
                 "  x.store(1, mo_rlx, dev_scope); f.store(1, mo_rlx, dev_scope); }\n"
                 "crash exists (y=1 /\\ z=1)\n",
                 "machine = nvw-fifo\nline_words = 2\n");
}

/* P2's marker empties the L1's FIFO before x = 2. If it never came, z = 1 would force x = 2 to the
 * L2, where P1's marker would wait for it. */
static void test_decided_short_l1(void)
{
    expect_found("OPENCL t\n{ nvm x = 0; nvm z = 0; nvm w = 0; nvm p = 0; atomic_int f = 0; }\n"
                 "P0@wg 0 (global int* x, global int* z, global atomic_int* f) {\n"
                 "  *x = 1; *x = 2; *z = 1; f.store(1, mo_rlx, dev_scope); }\n"
                 "P1@wg 1 (global int* w, global atomic_int* f) {\n"
                 "  int s = f.load(mo_rlx, dev_scope); p_barrier_wi; *w = s; }\n"
                 "P2@wg 0 (global int* p) { *p = 1; p_barrier_wi; }\n"
                 "crash exists (x=1 /\\ w=1)\n",
                 "machine = nvw-fifo\nl1_fifo = 2\n");
}

/* P1's marker empties the L2's FIFO between the two rounds. If it never came, five of the second
 * round would be forced out, and of five writes under way one completes. */
static void test_decided_short_l2(void)
{
    static const char names[] = "vabcd";
    struct strbuf text = {0};
    strbuf_printf(&text, "OPENCL t\n{ nvm atomic_int w = 0; nvm p = 0;");
    for (size_t i = 0; i < sizeof names - 1; i++)
        strbuf_printf(&text, " nvm atomic_int %c = 0;", names[i]);
    strbuf_printf(&text, " }\nP0@wg 0 (global atomic_int* w");
    for (size_t i = 0; i < sizeof names - 1; i++)
        strbuf_printf(&text, ", global atomic_int* %c", names[i]);
    strbuf_printf(&text, ") {\n");
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof names - 1; i++)
            strbuf_printf(&text, "  %c.store(%d, mo_rlx, dev_scope);\n", names[i], round);
    strbuf_printf(
        &text,
        "  w.store(1, mo_rlx, dev_scope); }\nP1@wg 1 (global int* p) { *p = 1; p_barrier_wi; }\n"
        "crash exists (w=1");
    for (size_t i = 0; i < sizeof names - 1; i++)
        strbuf_printf(&text, " /\\ %c=0", names[i]);
    strbuf_printf(&text, ")\n");
    expect_found(strbuf_text(&text), "machine = nvw-fifo\nl2_fifo = 6\n");
    strbuf_fini(&text);
}

/* P1 is asked about, as its register is shown; or it never ends, and cannot be done at once. */
static void test_decided_itself(void)
{
    expect_found("OPENCL t\n{ nvm y = 0; nvm p = 5; }\nP0@wg 0 (global int* y) { *y = 1; }\n"
                 "P1@wg 1 (global int* p) { int r = 0; r = *p; }\n"
                 "crash exists (1:r=0 /\\ y=1)\n",
                 "nvw-fifo");
    expect_found("OPENCL t\n{ nvm y = 0; nvm p = 0; }\nP0@wg 0 (global int* y) { *y = 1; }\n"
                 "P1@wg 1 (global int* p) { while (*p == 0); }\ncrash exists (y=1)\n",
                 "nvw-fifo");
}

/* P1 is not asked about, but P0 is told of it, or tells it, or writes what it writes. */
static void test_decided_told(void)
{
    expect_found("OPENCL t\n{ nvm y = 0; q = 0; }\n"
                 "P0@wg 0 (global int* y, global int* q) { int r = *q; if (!r) { *y = 1; } }\n"
                 "P1@wg 1 (global int* q) { *q = 1; }\ncrash exists (y=1)\n",
                 "nvw-fifo");
    expect_found("OPENCL t\n{ nvm y = 0; q = 0; }\n"
                 "P0@wg 0 (global int* q) { *q = 1; }\n"
                 "P1@wg 0 (global int* q) { int r = *q; }\nfinal exists (1:r=1)\n",
                 "nvw-fifo");
    expect_found("OPENCL t\n{ nvm y = 0; q = 0; }\n"
                 "P0@wg 0 (global int* q) { *q = 1; }\n"
                 "P1@wg 0 (global int* q) { *q = 2; *q = 3; }\nfinal exists (q=1)\n",
                 "nvw-fifo");
}

/* A state that is shown when P1 stores before P0 has taken all the room. e is behind v, and cannot
 * go all the way; of z there are 31 versions, and 32 writes may be pending. */
static void test_decided_room(void)
{
    struct strbuf text = {0};
    expect_found("OPENCL t\n{ nvm v = 0; nvm e = 0; nvm w = 0; }\n"
                 "P0 (global int* v, global int* e) { *v = 1; __fence{m}; *e = 1; }\n"
                 "P1 (global int* v, global int* w) { int r = *v; if (r) { *w = 1; } }\n"
                 "crash exists (w=1 /\\ v=0)\n",
                 "machine = pipeline\npromises = hrf-direct + epoch\nentries = 2\n"
                 "stage s per device order marks\ndurable\non m : mark own s\non cm :\n");
    strbuf_printf(&text, "OPENCL t\n{ nvm v = 0; nvm w = 0; nvm z = 0; }\n"
                         "P0 (global int* v, global int* z) { *v = 1;");
    for (uint32_t i = 1; i <= 31; i++)
        strbuf_printf(&text, " *z = %u;", i);
    strbuf_printf(&text,
                  " }\nP1 (global int* v, global int* w) { int r = *v; if (r) { *w = 1; } }\n"
                  "crash exists (w=1 /\\ v=0 /\\ z=0)\n");
    expect_found(strbuf_text(&text), "ideal-sc");
    strbuf_fini(&text);
}

/* More lines are dirty at once than may be under way, by one unit. */
static void test_full_way(void)
{
    compare("OPENCL t\n{ nvm a = 0; nvm b = 0; nvm c = 0; nvm d = 0; nvm e = 0; nvm f = 0; }\n"
            "P0 (global int* a, global int* b, global int* c, global int* d, global int* e, global "
            "int* f) {\n  *a = 1; *b = 1; *c = 1; *d = 1; *e = 1; p_barrier_wi; *f = 1; }\n"
            "crash exists (f=1)\n",
            "nvw-fifo");
}

/* Each FIFO keeps one of six writes, and at most four are under way: so the first is durable when
 * the last is, and of the 64 images some are never shown. */
static void test_full_fifos(void)
{
    compare("OPENCL t\n{ nvm a = 0; nvm b = 0; nvm c = 0; nvm d = 0; nvm e = 0; nvm f = 0; }\n"
            "P0 (global int* a, global int* b, global int* c, global int* d, global int* e, global "
            "int* f) {\n  *a = 1; *b = 1; *c = 1; *d = 1; *e = 1; *f = 1; }\n"
            "crash exists (a=0 /\\ b=0 /\\ c=0 /\\ d=0 /\\ e=0 /\\ f=1)\n",
            "machine = nvw-fifo\nl1_fifo = 1\nl2_fifo = 1\n");
}

/* A program of which every part is looked at, raced over or not. */
static void test_outcomes(void)
{
    static const char *const texts[] = {
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0@wg 0 (global int* x, global int* y) {\n"
        "  *x = 1; crash; p_barrier_wg; *y = 1; }\n"
        "P1@wg 0 (global int* x, global int* y) { p_barrier_wg; int r = *x; *x = 2; crash; }\n"
        "locations [x; y; 1:r]\ncrash exists (x=1)\n",
        "OPENCL t\n{ nvm x = 0; y = 0; }\nP0@wg 0 (global int* x, global int* y) {\n"
        "  *x = 1; *y = 1; p_barrier_wi; *x = 2; }\n"
        "P1@wg 1 (global int* x, global int* y) {\n"
        "  int r = *y; int s = *x; p_barrier_wi; *x = 3; }\n"
        "exists (1:r=1 /\\ 1:s=0 /\\ x=2)\n",
    };
    static const char *const machines[] = {"nvw-fifo", "nvw-fifo-one-unit", "nvw-fifo-small",
                                           "ideal-sc"};
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
            compare(texts[t], machines[m]);
}

/* The crash condition's state is shown, as by the whole exploration. */
static void expect_shown(const char *text, const char *machine)
{
    struct bench b;
    struct outcome o;
    bench_init(&b, text, machine);
    run(&b, load(&b.f, machine), EXEC_CRASH_ANYWHERE, false, &o);
    CU_ASSERT_NOT_EQUAL(outcome_judge(&o, b.f.program, &b.f.program->conditions[0]).positive, 0);
    outcome_fini(&o);
    fixture_fini(&b.f);
    compare(text, machine);
}

/* P0 waits for what its device has in B. P1's x = 1, read by now, is in P1's own A, and then comes to
 * B: it may be lost, unless it has come there before P0 waits. */
static void test_wider_stage(void)
{
#define PIPELINE "machine = pipeline\npromises = sc + epoch\n"
#define NARROW PIPELINE "stage A per thread order any\nstage B per device order any\ndurable\n"
    static const char *const text =
        "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { int r0 = *x; p_barrier_wi; int e = 1; }\n"
        "P1 (global int* x) { *x = 1; }\ncrash exists (x=0 /\\ 0:r0=1 /\\ 0:e=1)\n";
    expect_shown(text, NARROW "on p_barrier : drain unit B ; await\n");
    expect_shown(text, NARROW "on load : drain here B ; await\non p_barrier :\n");
}

/* P0 waits for what is in the second stage. P1's store enters that one at once, so it may come before or
 * behind the barrier: x is lost with it behind. */
static void test_entered_later(void)
{
    static const char *const text =
        "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { int r0 = *x; p_barrier_wi; int e = 1; }\n"
        "P1 (global int* x) { *x = 1; }\ncrash exists (x=0 /\\ 0:r0=0 /\\ 0:e=1)\n";
    static const char *const firsts[] = {
        "stage A per unit order any\nbypass A store na\n",
        "variable V = a | b\nstage A per unit order any when V = b\non fence : set V = b\n"};
    for (size_t i = 0; i < 2; i++) {
        SCOPED(strbuf) machine = {0};
        strbuf_printf(&machine,
                      PIPELINE "%sstage B per unit order any\ndurable\n"
                               "on p_barrier : move all B ; await\n",
                      firsts[i]);
        expect_shown(text, strbuf_text(&machine));
    }
}

/* Work-items wait behind what they have stored or read; others, and a crash, come meanwhile. */
static void test_behind(void)
{
    static const char *const rules[] = {
        "on load : access ; drain here B ; await\n",
        "on load : drain x A ; await ; access ; drain x B ; await ; move own B ; await\n",
        "on store : through ; access ; await wg\n",
        "on store : access ; drain own A past B ; await\n",
        "on store : mark x B ; access ; drain own A ; await ; mark own B\n",
    };
    static const char *const texts[] = {
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
        "P0@wg 0 (global int* x, global int* y) { *x = 1; int e = 1; int r = *y; *y = 2; }\n"
        "P1@wg 0 (global int* x, global int* y) { int r = *x; int e = 1; *y = r + 1; }\n"
        "crash exists (0:e=1 /\\ x=0 /\\ y=1)\n",
        /* P0 and P1 are interchangeable. */
        "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
        "P0@wg 0 (global int* x, global int* z) { *x = 1; int r = *z; *z = r + 1; }\n"
        "P1@wg 0 (global int* y, global int* z) { *y = 1; int r = *z; *z = r + 1; }\n"
        "crash exists (x=0 /\\ y=1 /\\ z=2)\nfinal exists (z=1)\n",
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            SCOPED(strbuf) machine = {0};
            strbuf_printf(&machine,
                          PIPELINE "stage A per thread order any\nstage B per unit order %s\n"
                                   "durable\n%s",
                          strstr(rules[i], "mark") ? "marks" : "any", rules[i]);
            compare(texts[t], strbuf_text(&machine));
        }
}

/* P1's x = 1 stays in its L1 from before P0 starts (f) until after P0's barrier has ended (e), as
 * P1 still reads it then; the image between is x = 2. It is lost if x = 1 is moved onto x = 2 while
 * P0's marker is on the way, behind x. */
#define OVER                                                                                 \
    "OPENCL t\n{ nvm x = 0; nvm k = 0; atomic_int f = 0; atomic_int e = 0; }\n"              \
    "P0@wg 0 (global int* x, global atomic_int* f, global atomic_int* e) {\n"                \
    "  if (f.load(mo_rlx, dev_scope)) {\n"                                                   \
    "    *x = 2; p_barrier_wi; e.store(1, mo_rlx, dev_scope); } }\n"                         \
    "P1@wg 1 (global int* x, global int* k, global atomic_int* f, global atomic_int* e) {\n" \
    "  *x = 1; f.store(1, mo_rlx, dev_scope);\n"                                             \
    "  int late = e.load(mo_rlx, dev_scope);\n"                                              \
    "  int seen = 0; if (late) { seen = *x; if (seen == 1) { *k = 1; } } }\n"

static void test_version_below(void)
{
    expect_shown(OVER "crash exists (k = 1 /\\ x = 2)\n", "nvw-fifo");
    expect_shown(OVER "crash exists (1:seen = 1 /\\ x = 2)\n", "nvw-fifo");
    /* r = 0 tells that x = 1 is in P1's L1 before y = 1, of the same line, leaves P0's. */
    expect_shown("OPENCL t\n{ nvm x = 7; nvm y = 0; }\n"
                 "P0@wg 1 (global int* x, global int* y) { *y = 1; int r = *x; p_barrier_wi; }\n"
                 "P1@wg 0 (global int* x, global int* y) { *x = 1; int r = *y; }\n"
                 "crash exists (1:r = 0 /\\ x = 7 /\\ y = 1)\n",
                 "machine = nvw-fifo\nline_words = 2\n");
}

/* P0's L1 has an older x beside the y that it wrote, when P1, who wrote x, has ended; so r = 0. */
#define BESIDE(memory)                                                                          \
    "OPENCL t\n{ " memory "atomic_int x = 0; " memory "atomic_int y = 0; atomic_int f = 0; }\n" \
    "P0@wg 0 (global atomic_int* x, global atomic_int* y, global atomic_int* f) {\n"            \
    "  int q = x.load(mo_rlx, wg_scope); y.store(1, mo_rlx, wg_scope);\n"                       \
    "  int s = f.load(mo_rlx, dev_scope); int r = x.load(mo_rlx, wg_scope); }\n"                \
    "P1@wg 1 (global atomic_int* x, global atomic_int* f) {\n"                                  \
    "  x.store(1, mo_rlx, dev_scope); f.store(1, mo_rlx, dev_scope); }\n"                       \
    "final exists (0:s=1 /\\ 0:r=0 /\\ 0:q=0)\n"

static void test_older_word(void)
{
    expect_found(BESIDE("nvm "), "machine = nvw-fifo\nline_words = 2\n");
    expect_found(BESIDE(""), "machine = nvw-fifo\nline_words = 2\n");
}

void suite_mach_reduce(void)
{
    CU_pSuite suite = CU_add_suite("mach_reduce", NULL, NULL);
    UNIT_TEST(suite, test_outlook);
    UNIT_TEST(suite, test_outlook_unknown);
    UNIT_TEST(suite, test_registers);
    UNIT_TEST(suite, test_counts);
    UNIT_TEST(suite, test_outcomes);
    UNIT_TEST(suite, test_decided);
    UNIT_TEST(suite, test_decided_apart);
    UNIT_TEST(suite, test_decided_unasked);
    UNIT_TEST(suite, test_decided_pulled);
    UNIT_TEST(suite, test_decided_moved);
    UNIT_TEST(suite, test_decided_beside);
    UNIT_HEAVY_TEST(suite, test_decided_short_l1);
    UNIT_HEAVY_TEST(suite, test_decided_short_l2);
    UNIT_TEST(suite, test_decided_itself);
    UNIT_TEST(suite, test_decided_told);
    UNIT_TEST(suite, test_decided_room);
    UNIT_HEAVY_TEST(suite, test_full_way);
    UNIT_TEST(suite, test_full_fifos);
    UNIT_TEST(suite, test_wider_stage);
    UNIT_TEST(suite, test_entered_later);
    UNIT_TEST(suite, test_behind);
    UNIT_TEST(suite, test_version_below);
    UNIT_TEST(suite, test_older_word);
}
