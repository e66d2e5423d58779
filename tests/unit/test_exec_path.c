/* Runs of one thread: how many paths there are, how they end, what they depend on. */
#include "fixture.h"

#include "exec/exec_basis.h"
#include "exec/exec_path.h"
#include "exec/exec_skeleton.h"

static uint32_t path_events;
static const struct exec_run_options plain = {.unroll = 2, .path_events = &path_events};

/* Paths of thread 0 that ended in each way. */
struct tally {
    uint32_t total, ends[EXEC_AT_FAULT + 1], probes;
    struct exec_paths paths;
};

static void run(struct fixture *f, const char *text, const struct exec_run_options *options,
                struct tally *tally)
{
    *tally = (struct tally){0};
    path_events = 0;
    fixture_init(f, text, "sc", "epoch");
    exec_run_thread(&f->arena, f->program, 0, options, &tally->paths);
    tally->total = tally->paths.count;
    for (uint32_t i = 0; i < tally->total; i++) {
        tally->ends[tally->paths.items[i]->end]++;
        tally->probes += tally->paths.items[i]->probe;
    }
}

static const struct exec_path *only(const struct tally *tally, enum exec_end end)
{
    for (uint32_t i = 0; i < tally->total; i++)
        if (tally->paths.items[i]->end == end)
            return tally->paths.items[i];
    return NULL;
}

/* No branch depends on a read: one path. A counted loop with known bounds runs fully,
 * whatever the unroll bound: 5 stores. */
static void test_known_loop(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {"
        " for (int i = 0; i < 5; i++) { *x = i; } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.total, 1);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 1);
    CU_ASSERT_EQUAL(t.paths.items[0]->event_count, 5);
    CU_ASSERT_EQUAL(t.paths.items[0]->events[4].value->value, 4);
    fixture_fini(&f);
}

/* 300 stores have an end. Stores without one are cut off, and so is what the same thread does on
 * another path. The instruction that passes 256 events is the last, so there are 257. A caller
 * who wants fewer events has fewer of a thread that ends as well. */
static void test_cut_early(void)
{
    struct fixture f;
    struct tally t;
    struct exec_run_options few = {
        .unroll = 2, .path_events = &path_events, .most_events = EXEC_CUT_EVENTS};
    static const char ends[] = "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {"
                               " for (int i = 0; i < 300; i++) { *x = i; } }\n";
    run(&f, ends, &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 1);
    CU_ASSERT_EQUAL(t.paths.items[0]->event_count, 300);
    CU_ASSERT_EQUAL(path_events, 301);
    fixture_fini(&f);
    run(&f, ends, &few, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_BOUND], 1);
    CU_ASSERT_TRUE(t.paths.items[0]->too_long);
    CU_ASSERT_EQUAL(t.paths.items[0]->event_count, EXEC_CUT_EVENTS + 1);
    fixture_fini(&f);
    run(&f,
        "OPENCL t\n{ nvm x = 0; y = 0; }\nP0 (global int* x, global int* y) {"
        " if (*y) { for (int i = 0; i < 300; i++) { *x = i; } }"
        " else { for (int i = 1; i |= 1; i++) { *x = i; } } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.total, 2);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_BOUND], 2);
    for (uint32_t i = 0; i < t.total; i++)
        CU_ASSERT_EQUAL(t.paths.items[i]->event_count, EXEC_CUT_EVENTS + 1);
    CU_ASSERT_EQUAL(path_events, 2 * (EXEC_CUT_EVENTS + 2)); /* none of the first attempt's */
    fixture_fini(&f);
}

/* A loop on a read, unroll 2: leaves after 0, 1 or 2 iterations, or meets the bound. */
static void test_open_loop(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ x = 0; y = 0; }\nP0 (global int* x, global int* y) {"
        " while (*x) { *y = 1; } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 3);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_BOUND], 1);
    fixture_fini(&f);
}

/* An await: it ends with one read, or spins for ever with none, its read kept aside.
 * With probes: also one failing read before either. */
static void test_await(void)
{
    static const char text[] =
        "OPENCL t\n{ atomic_int f = 0; x = 0; }\nP0 (global atomic_int* f, global int* x) {"
        " while (!atomic_load_explicit(f, memory_order_acquire, memory_scope_device));"
        " *x = 1; }\n";
    struct exec_run_options probing = {.unroll = 2, .probes = true, .path_events = &path_events};
    struct fixture f;
    struct tally t;
    run(&f, text, &plain, &t);
    CU_ASSERT_EQUAL(t.total, 2);
    const struct exec_path *left = only(&t, EXEC_COMPLETE), *spins = only(&t, EXEC_AT_AWAIT);
    CU_ASSERT_PTR_NOT_NULL_FATAL(left);
    CU_ASSERT_PTR_NOT_NULL_FATAL(spins);
    CU_ASSERT_EQUAL(left->event_count, 2);
    CU_ASSERT_EQUAL(left->ctrl[1].count, 0); /* the store is behind the loop */
    CU_ASSERT_EQUAL(spins->event_count, 0);
    CU_ASSERT_EQUAL(spins->slot_count, 1);
    CU_ASSERT_EQUAL(spins->spin_count, 1);
    fixture_fini(&f);
    run(&f, text, &probing, &t);
    CU_ASSERT_EQUAL(t.total, 4);
    CU_ASSERT_EQUAL(t.probes, 2);
    fixture_fini(&f);
}

/* A failed compare-exchange, or an exchange that writes what it has read, only waits: the lock is
 * taken at once, or never. With probes one failed try may come before either; then the exchange
 * is two events. */
static void test_locks(void)
{
    static const char *const loops[] = {
        " int ok = 0; while (!ok) ok = l.compare_exchange_weak(0, 1, mo_acq); *x = 1; }\n",
        " while (l.exchange(1, mo_acq, dev_scope)); *x = 1; }\n",
        " while (1) { if (!l.exchange(1, mo_acq, dev_scope)) { *x = 1; break; } } }\n"};
    struct exec_run_options probing = {.unroll = 0, .probes = true, .path_events = &path_events};
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        struct tally t;
        char text[500];
        snprintf(text, sizeof text,
                 "OPENCL t\n{ atomic_int l = 0; x = 0; }\nP0 (global atomic_int* l, global int* x)"
                 " {%s",
                 loops[i]);
        run(&f, text, &plain, &t);
        const struct exec_path *path = only(&t, EXEC_COMPLETE), *spins = only(&t, EXEC_AT_AWAIT);
        CU_ASSERT_EQUAL(t.ends[EXEC_AT_AWAIT], 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(path);
        CU_ASSERT_PTR_NOT_NULL_FATAL(spins);
        CU_ASSERT_EQUAL(path->event_count, 3);
        CU_ASSERT_EQUAL(path->ctrl[2].count != 0, i == 2); /* within the loop, or behind it */
        CU_ASSERT_EQUAL(spins->event_count, 0);
        fixture_fini(&f);
        run(&f, text, &probing, &t);
        CU_ASSERT_EQUAL(t.probes, 2);
        fixture_fini(&f);
    }
}

/* What adds 0, or keeps all bits, writes what it has read: such a loop ends by one, or waits for ever. No
 * round of it has changed something. */
static void test_reads_by_rmw(void)
{
    static const char *const calls[] = {"add(0", "sub(0", "or(0", "xor(0", "and(-1"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct fixture f;
        struct tally t;
        char text[300];
        snprintf(text, sizeof text,
                 "OPENCL t\n{ atomic_int f = 0; x = 0; }\nP0 (global atomic_int* f, global int* x)"
                 " { while (f.fetch_%s, mo_acq, dev_scope) != 1); *x = 1; }\n",
                 calls[i]);
        run(&f, text, &plain, &t);
        CU_ASSERT_EQUAL(t.total, 2);
        const struct exec_path *left = only(&t, EXEC_COMPLETE);
        CU_ASSERT_PTR_NOT_NULL_FATAL(left);
        CU_ASSERT_EQUAL(left->event_count, 3);
        CU_ASSERT_PTR_NOT_NULL(only(&t, EXEC_AT_AWAIT));
        fixture_fini(&f);
    }
}

/* The paths that rest on how evenly the lock is shared, of all. */
static uint32_t count_shares(const struct tally *t)
{
    uint32_t shares = 0;
    for (uint32_t i = 0; i < t->total; i++)
        shares += t->paths.items[i]->shares;
    return shares;
}

/* Test-and-set of a lock that P1 of another work-group clears. Of device scope a failed try is left
 * out: the lock is taken at once, or never, and before each of these a failed try may be looked at.
 * Of work-group scope it is an iteration: taken after 0, 1 or 2 of them, or the bound is met. Taken
 * at once it is on a path that is the same in both, and that alone a brief run has. A failed
 * compare-exchange is a read in both. */
static void test_sharing(void)
{
    static const struct {
        const char *take;
        uint32_t total, shares, brief;
    } tests[] = {{"l.exchange(1, mo_acq, dev_scope)", 4, 3, 1},
                 {"l.exchange(1, mo_acq, wg_scope)", 4, 3, 1},
                 {"!l.compare_exchange_strong(0, 1, mo_acq, mo_rlx, wg_scope)", 4, 0, 4}};
    struct exec_run_options probing = {.unroll = 2, .probes = true, .path_events = &path_events};
    struct exec_run_options brief = probing;
    brief.brief = true;
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        struct tally t;
        char text[500];
        snprintf(text, sizeof text,
                 "OPENCL t\n{ atomic_int l = 0; x = 0; }\n"
                 "P0@wg 0 (global atomic_int* l, global int* x) { while (%s); *x = 1; }\n"
                 "P1@wg 1 (global atomic_int* l) { l.store(0, mo_rel, dev_scope); }\n",
                 tests[i].take);
        run(&f, text, &probing, &t);
        CU_ASSERT_EQUAL(t.total, tests[i].total);
        CU_ASSERT_EQUAL(count_shares(&t), tests[i].shares);
        CU_ASSERT(!only(&t, EXEC_COMPLETE)->shares || t.ends[EXEC_COMPLETE] > 1);
        fixture_fini(&f);
        run(&f, text, &brief, &t);
        CU_ASSERT_EQUAL(t.total, tests[i].brief);
        CU_ASSERT_EQUAL(count_shares(&t), 0);
        fixture_fini(&f);
    }
}

/* What an exchange changes counts, and after as many iterations as the bound says the run is
 * over. */
static void test_changing_loop(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ atomic_int l = 0; }\nP0 (global atomic_int* l) {"
        " while (l.fetch_add(1, mo_acq, dev_scope)); }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_BOUND], 1);
    fixture_fini(&f);
}

/* Each entry of the inner loop counts its iterations anew: 2 and 2 are within a bound
 * of 2. The outer loop is counted and known. */
static void test_inner_loop_is_entered_anew(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ x = 0; y = 0; }\nP0 (global int* x, global int* y) {"
        " for (int i = 0; i < 2; i++) { while (*x) { *y = 1; } } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 9); /* 0, 1 or 2 iterations, twice */
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_BOUND], 4); /* at once, or after 0, 1, 2 in the first */
    fixture_fini(&f);
}

/* y = a[x]; a[x] = y + x: the load's and the store's address depend on event 0, the
 * store's data on events 0 and 1. The index may be 0, 1, or outside (a fault). */
static void test_dependencies(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ x = 0; nvm a[2] = {0, 0}; }\nP0 (global int* x, global int* a) {"
        " int r = *x; int s = a[r]; a[r] = s + r; }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_FAULT] > 0, true);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE] >= 2, true);
    const struct exec_path *path = only(&t, EXEC_COMPLETE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    CU_ASSERT_EQUAL(path->event_count, 3);
    CU_ASSERT_EQUAL(path->addr[1].words[0], 1);
    CU_ASSERT_EQUAL(path->addr[2].words[0], 1);
    CU_ASSERT_EQUAL(path->data[2].words[0], 3);
    fixture_fini(&f);
}

/* A list: val[n] chooses n, and next[n] has no choice left. n = 0 ends at once, 1 and 2 read val and next, what is outside
 * of val is a fault, and not once more of next. An unsigned char that is 2 when read as int is one value; two reads are two. */
static void test_chosen_once(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ nvm val[3]; nvm head = 0; }\n"
        "P0 (global int* val, global int* head) { int n = *head; if (n != 0) { int v = val[n]; } "
        "}\n",
        &plain, &t);
    const uint32_t of_val = t.ends[EXEC_AT_FAULT];
    CU_ASSERT(of_val > 0);
    fixture_fini(&f);
    run(&f,
        "OPENCL t\n{ nvm val[3]; nvm next[3]; nvm head = 0; }\n"
        "P0 (global int* val, global int* next, global int* head) {"
        " int n = *head; if (n != 0) { int v = val[n]; int m = next[n]; } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 3);
    CU_ASSERT_EQUAL(t.total - t.ends[EXEC_COMPLETE], t.ends[EXEC_AT_FAULT]);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_FAULT], of_val);
    for (uint32_t i = 0; i < t.total; i++)
        if (t.paths.items[i]->event_count == 3)
            CU_ASSERT_EQUAL(t.paths.items[i]->events[1].location + 3,
                            t.paths.items[i]->events[2].location);
    fixture_fini(&f);
    run(&f,
        "OPENCL t\n{ nvm unsigned char c = 0; nvm x = 0; }\n"
        "P0 (global unsigned char* c, global int* x) { unsigned char a = *c;"
        " if (a == 2) { if (a > 1) { *x = 1; } if (*c > 1) { *x = 2; } } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 3); /* not 2; 2, and the second read above 1 or not */
    fixture_fini(&f);
    run(&f,
        "OPENCL t\n{ nvm w = 0; nvm x = 0; }\n"
        "P0 (global int* w, global int* x) { int a = *w; unsigned char c = a;"
        " if (c == 2) { if (a > 300) { *x = 1; } } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 3); /* 514 is 2 as well */
    fixture_fini(&f);
}

/* log[x].b = y with 2 elements of members a, b: the store is of log[0].b or log[1].b, at
 * locations 2 and 4 behind x, and never of a member a; outside is a fault on either side. */
static void test_member_of_an_element(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\nstruct e { int a; int b; };\n{ x = 0; nvm struct e log[2]; }\n"
        "P0 (global int* x, global struct e* log) { log[*x].b = 1; }\n",
        &plain, &t);
    uint32_t stored[8] = {0};
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 2);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_FAULT] > 0, true);
    for (uint32_t i = 0; i < t.total; i++)
        if (t.paths.items[i]->end == EXEC_COMPLETE)
            stored[t.paths.items[i]->events[1].location]++;
    CU_ASSERT_EQUAL(stored[2], 1);
    CU_ASSERT_EQUAL(stored[4], 1);
    fixture_fini(&f);
}

/* Of the events behind the initial write: 0 flush, 1 commit, 2 flush, 3 commit. 4 names the token of 0, which 5 waits for
 * once more; 6 names all commits but the newest, 7 all but two, of two none. A token is no data of what is stored. */
static void test_tokens_in_a_skeleton(void)
{
    static const bool expected[8][8] = {[0] = {[4] = true, [5] = true}, [1] = {[6] = true}};
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { int t = __cm{p}(x); int u = t;"
        " __fence{c}; t = __cm{p}(x); __fence{c}; __fence{w}(u); __fence{w}(u); __fence{w}(c, 1);"
        " __fence{w}(c, 2); }\n",
        &plain, &t);
    CU_ASSERT_EQUAL_FATAL(t.total, 1);
    struct exec_skeleton *s = exec_skeleton_new(&f.arena, f.program, t.paths.items);
    uint32_t first = s->first[0];
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++) {
            CU_ASSERT_EQUAL(exec_pair_in_base(s, EXEC_REL_TOKEN, first + i, first + j),
                            expected[i][j]);
            CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_DATA, first + i, first + j));
        }
    fixture_fini(&f);
}

/* An index read from memory, i = a[*p] with p from memory too: `addr` leads from the read of
 * p to the read of a, and from both to the store of log[i]; `data` from neither. */
static void test_address_dependencies_in_a_skeleton(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\nstruct e { int a; int b; };\n{ p = 0; a[2]; nvm struct e log[2]; }\n"
        "P0 (global int* p, global int* a, global struct e* log) { log[a[*p] + *p].b = 1; }\n",
        &plain, &t);
    const struct exec_path *path = only(&t, EXEC_COMPLETE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    const struct exec_skeleton *s = exec_skeleton_new(&f.arena, f.program, &path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    uint32_t first = s->first[0]; /* R p, R a, R p, W log */
    CU_ASSERT_EQUAL(path->event_count, 4);
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_ADDR, first, first + 1));
    CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_ADDR, first, first + 3));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_ADDR, first + 1, first + 3));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_ADDR, first + 2, first + 3));
    CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_ADDR, first + 1, first + 2));
    CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_DATA, first + 1, first + 3));
    CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_CTRL, first + 1, first + 3));
    fixture_fini(&f);
}

/* A bound that is a constant needs no --unroll, whatever stands in the loop: the 16 loads
 * split into leaving by `break` after 1 to 16 of them, or by none. A bound that is read needs
 * it: 0, 1 or 2 iterations, or cut off. */
static void test_bounds_of_loops(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\nconst n = 16;\n{ nvm a[n]; }\nP0 (global int* a) {"
        " for (int i = 0; i < n; i++) { if (a[i]) break; } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.total, 17);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 17);
    fixture_fini(&f);
    run(&f,
        "OPENCL t\nconst n = 16;\n{ nvm a[n]; }\nP0 (global int* a) {"
        " for (int i = 0; i < n && !a[i]; i++) { } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.total, 17);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 17);
    fixture_fini(&f);
    run(&f,
        "OPENCL t\n{ nvm a[16]; x = 0; }\nP0 (global int* a, global int* x) { int n = *x;"
        " for (int i = 0; i < n; i++) { a[i] = 1; } }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 3);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_BOUND], 1);
    fixture_fini(&f);
}

/* `return` ends the thread there: a read, and a store on the one path that goes on. */
static void test_return(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ x = 0; y = 0; }\nP0 (global int* x, global int* y) {"
        " if (*x) return; *y = 1; }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 2);
    CU_ASSERT_EQUAL(t.paths.items[0]->event_count + t.paths.items[1]->event_count, 3);
    fixture_fini(&f);
}

/* A waiting barrier shared with another work-item is passed or never left; one that
 * nobody shares is only passed. */
static void test_barrier(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ x = 0; }\nP0@wg 0 (global int* x) { barrier(); }\n"
        "P1@wg 0 (global int* x) { barrier(); }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 1);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_BARRIER], 1);
    fixture_fini(&f);
    run(&f,
        "OPENCL t\n{ x = 0; }\nP0@wg 0 (global int* x) { barrier(); }\n"
        "P1@wg 1 (global int* x) { *x = 1; }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.total, 1);
    fixture_fini(&f);
}

/* A successful compare-exchange is a read and a write, a failed one a read. */
static void test_compare_exchange(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ atomic_int x = 0; }\nP0 (global atomic_int* x) { int e = 0;"
        " int r = atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_acq_rel,"
        " memory_order_relaxed, memory_scope_device); }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.total, 2);
    uint32_t events = t.paths.items[0]->event_count + t.paths.items[1]->event_count;
    CU_ASSERT_EQUAL(events, 3);
    fixture_fini(&f);
}

/* Where r is not 0 the first end is right and the abort has no begin. No run has an event of the
 * mark that it stops at. */
static void test_marks(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ x = 0; }\nP0 (global int* x) { int r = *x; __fence{tx_begin}; *x = 1;"
        " if (r) { __fence{tx_end}; } *x = 2; __fence{tx_abort}; *x = 3; }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.total, 2);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 1);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_FAULT], 1);
    /* R, begin, W, W, abort, W; and R, begin, W, end, W. */
    CU_ASSERT_EQUAL(only(&t, EXEC_COMPLETE)->event_count, 6);
    CU_ASSERT_EQUAL(only(&t, EXEC_AT_FAULT)->event_count, 5);
    CU_ASSERT_EQUAL(only(&t, EXEC_AT_FAULT)->end_instr->op, LIT_CHECK);
    fixture_fini(&f);
}

/* 1 / r faults when the read returns 0. */
static void test_division(void)
{
    struct fixture f;
    struct tally t;
    run(&f,
        "OPENCL t\n{ x = 0; y = 0; }\nP0 (global int* x, global int* y) {"
        " int r = *x; *y = 1 / r; }\n",
        &plain, &t);
    CU_ASSERT_EQUAL(t.ends[EXEC_AT_FAULT], 1);
    CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], 1);
    fixture_fini(&f);
}

/* P0 stores to y until `loop` lets it go; P1 does what `others` says. */
static void run_retry(struct fixture *f, const char *loop, const char *others, struct tally *t)
{
    char text[1024];
    snprintf(text, sizeof text,
             "OPENCL t\n{ atomic_int x = 0; nvm y = 0; nvm z = 0; }\n"
             "P0 (global atomic_int* x, global int* y, global int* z) { %s }\n"
             "P1 (global atomic_int* x) { %s }\n",
             loop, others);
    run(f, text, &plain, t);
}

#define TRY "atomic_compare_exchange_strong_explicit(x, &old, 7, mo_rel, mo_rlx, dev_scope)"
#define WRITE "x.store(5, mo_rlx, dev_scope);"

#define READ                                                                                \
    "x.fetch_add(0, mo_rlx, dev_scope);"                                                    \
    "x.fetch_and(-1, mo_rlx, dev_scope);"                                                   \
    "{ int zero = 0; atomic_compare_exchange_strong_explicit(x, &zero, 0, mo_rlx, mo_rlx, " \
    "dev_scope); }"

/* Who expects what it has seen fails once for each write of another: with 4 it leaves after 0 to 4
 * failures, or meets the bound at the 5th. With 1 the bound is as for any loop, 2. With 9 it is as
 * well, and whoever expects a constant has that. Who adds nothing, keeps all bits, or has 0 where 0
 * is changes nothing, so that no try fails by it: 6 such writes count as none, and 9 beside 4
 * stores as none more. */
static void test_retries(void)
{
    static const char flag[] = "int old = 0; int ok = 0; while (ok == 0) { *y = old; "
                               "if (" TRY ") { ok = 1; } }";
    static const struct {
        const char *loop, *others;
        uint32_t complete;
    } rows[] = {
        {flag, WRITE WRITE WRITE WRITE, 5},
        {flag, WRITE, 3},
        {flag, WRITE WRITE WRITE WRITE WRITE WRITE WRITE WRITE WRITE, 3},
        {flag, READ READ, 3},
        {flag, READ WRITE WRITE READ WRITE WRITE READ, 5},
        {flag, "x.fetch_add(1, mo_rlx, dev_scope);" WRITE WRITE WRITE, 5},
        {"int ok = 0; while (!ok) { int old = 0; *y = 1; if (" TRY ") { ok = 1; } }",
         WRITE WRITE WRITE WRITE, 3},
        {"int old; do { old = x.load(mo_rlx, dev_scope); *y = old; } while (!" TRY ");",
         WRITE WRITE WRITE WRITE, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct tally t;
        run_retry(&f, rows[i].loop, rows[i].others, &t);
        CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], rows[i].complete);
        CU_ASSERT_EQUAL(t.ends[EXEC_AT_BOUND], 1);
        CU_ASSERT_EQUAL(t.total, rows[i].complete + 1);
        fixture_fini(&f);
    }
}

/* What a branch on a read decides: the loop leaves after 0, 1 or 2 iterations that did not let it
 * go, or meets the bound; where the test comes last the first is what later ones are held against,
 * so that there is one more. What constants bring to an end does come there, for all branches on
 * reads: after 5 stores, or fewer. It does not where the loop's own test is of a read. */
static void test_decided_by_a_branch(void)
{
    static const struct {
        const char *loop;
        uint32_t complete, bound;
    } rows[] = {
        {"int ok = 0; while (!ok) { *y = 1; if (*z) { ok = 1; } }", 3, 1},
        {"int ok = 0; int n = 0; while (!ok) { n = n + 1; *y = n; if (*z) { ok = 1; } }", 3, 1},
        {"int go = 1; do { *y = 1; if (!*z) continue; go = 0; } while (go);", 4, 1},
        {"int n = 0; int ok = 0; while (!ok) { *y = 1; n++; if (*z) ok = 1; if (n == 5) ok = 1; }",
         5 + 1, 0},
        {"for (int i = 0; i < 5; i++) { *y = 1; if (*z) { i = 5; } }", 5 + 1, 0},
        {"int n = 0; while (n < 5) { n++; if (*z) break; *y = n; }", 5 + 1, 0},
        {"int n = 0; do { n++; *y = n; if (*z) break; } while (n < 5);", 5 + 1, 0},
        {"int n = 0; while (n < 5 && !*z) { n++; *y = n; }", 3, 1},
        {"int n = 0; while (!*z && n < 5) { n++; *y = n; }", 3, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        struct tally t;
        run_retry(&f, rows[i].loop, WRITE, &t);
        CU_ASSERT_EQUAL(t.ends[EXEC_COMPLETE], rows[i].complete);
        CU_ASSERT_EQUAL(t.ends[EXEC_AT_BOUND], rows[i].bound);
        fixture_fini(&f);
    }
}

/* Runs thread 0 with the same effect for all that it writes inside of transactions. */
static void run_with_effect(struct fixture *f, const char *code, enum exec_effect effect, bool join,
                            struct tally *tally)
{
    static uint8_t effects[64][2];
    char text[512];
    memset(effects, (int)effect, sizeof effects);
    snprintf(text, sizeof text,
             "OPENCL t\nuses \"tx.def\"\n{ nvm x = 0; nvm y = 0; f = 0; }\n"
             "P0 (global int* x, global int* y, global int* f) { %s }\n",
             code);
    struct exec_run_options options = plain;
    options.join = join;
    options.effects.of[0] = (const uint8_t(*)[2])effects;
    run(f, text, &options, tally);
}

static bool is_like(const struct exec_path *path, const char *kinds)
{
    for (uint32_t i = 0; i < path->event_count; i++)
        if (!kinds[i] || kinds[i] != "RWF"[path->events[i].kind])
            return false;
    return !kinds[path->event_count];
}

/* A log: the newest store of each location stands in front of the end, in the order of these, and
 * none in front of an abort. What is in the log is read there. */
static void test_log(void)
{
    struct fixture f;
    struct tally t;
    run_with_effect(&f, "TX_START; *x = 1; *y = 7; *x = *x + 1; TX_COMMIT; *f = *x;",
                    EXEC_AT_ITS_END, false, &t);
    CU_ASSERT_EQUAL_FATAL(t.total, 1);
    CU_ASSERT(is_like(t.paths.items[0], "FWWFRW"));
    CU_ASSERT_EQUAL(t.paths.items[0]->events[1].value->value, 7);
    CU_ASSERT_EQUAL(t.paths.items[0]->events[2].value->value, 2);
    fixture_fini(&f);
    run_with_effect(&f, "TX_START; *x = 1; *y = *x; TX_ABORT; *f = *x;", EXEC_AT_ITS_END, false,
                    &t);
    CU_ASSERT_EQUAL_FATAL(t.total, 1);
    CU_ASSERT(is_like(t.paths.items[0], "FFRW"));
    fixture_fini(&f);
}

/* Either way from the branch has the store in place or not at all; no path has both. */
static void test_undone(void)
{
    struct fixture f;
    struct tally t;
    for (int join = 0; join <= 1; join++) {
        run_with_effect(&f, "TX_START; *x = 1; if (*f) { TX_ABORT; } else { TX_COMMIT; } *y = *x;",
                        EXEC_UNLESS_ABORTED, join, &t);
        CU_ASSERT_EQUAL_FATAL(t.total, 2);
        CU_ASSERT(is_like(t.paths.items[0], "FRFRW") || is_like(t.paths.items[1], "FRFRW"));
        CU_ASSERT(is_like(t.paths.items[0], "FWRFRW") || is_like(t.paths.items[1], "FWRFRW"));
        fixture_fini(&f);
    }
}

/* Each of two stores is gone or stays, whatever becomes of the other; one that stays is read from
 * memory, one that is gone from the log. */
static void test_may_stay(void)
{
    static const char *const kinds[] = {"FF", "FWF", "FWRF", "FWRWF"};
    struct fixture f;
    struct tally t;
    for (int join = 0; join <= 1; join++) {
        run_with_effect(&f, "TX_START; *x = 1; *y = *x; TX_ABORT;", EXEC_UNLESS_DROPPED, join, &t);
        CU_ASSERT_EQUAL_FATAL(t.total, 4);
        for (size_t k = 0; k < 4; k++) {
            uint32_t like = 0;
            for (uint32_t i = 0; i < t.paths.count; i++)
                like += is_like(t.paths.items[i], kinds[k]);
            CU_ASSERT_EQUAL(like, 1);
        }
        fixture_fini(&f);
    }
}

/* One that waits for ever is not aborted: its store is there, and in a log it is not. */
static void test_unfinished(void)
{
    struct fixture f;
    struct tally t;
    const char *code = "TX_START; *x = 1; while (!*f); TX_ABORT;";
    run_with_effect(&f, code, EXEC_UNLESS_ABORTED, false, &t);
    CU_ASSERT_EQUAL_FATAL(t.ends[EXEC_AT_AWAIT], 1);
    CU_ASSERT(is_like(only(&t, EXEC_AT_AWAIT), "FW"));
    CU_ASSERT(is_like(only(&t, EXEC_COMPLETE), "FRF"));
    fixture_fini(&f);
    run_with_effect(&f, code, EXEC_AT_ITS_END, false, &t);
    CU_ASSERT(is_like(only(&t, EXEC_AT_AWAIT), "F"));
    fixture_fini(&f);
}

/* A compare-exchange on what is in the log has one outcome: one path. */
static void test_exchange_in_log(void)
{
    struct fixture f;
    struct tally t;
    run_with_effect(&f,
                    "TX_START; *x = 1; *f = atomic_compare_exchange_strong_explicit(x, 1, 2, "
                    "mo_rlx, mo_rlx, wg_scope); TX_COMMIT;",
                    EXEC_AT_ITS_END, false, &t);
    CU_ASSERT_EQUAL_FATAL(t.total, 1);
    CU_ASSERT(is_like(t.paths.items[0], "FWWF"));
    CU_ASSERT_EQUAL(t.paths.items[0]->events[1].value->value, 2);
    fixture_fini(&f);
}

void suite_exec_path(void)
{
    CU_pSuite suite = CU_add_suite("exec_path", NULL, NULL);
    UNIT_TEST(suite, test_known_loop);
    UNIT_TEST(suite, test_cut_early);
    UNIT_TEST(suite, test_open_loop);
    UNIT_TEST(suite, test_await);
    UNIT_TEST(suite, test_locks);
    UNIT_TEST(suite, test_reads_by_rmw);
    UNIT_TEST(suite, test_sharing);
    UNIT_TEST(suite, test_changing_loop);
    UNIT_TEST(suite, test_inner_loop_is_entered_anew);
    UNIT_TEST(suite, test_dependencies);
    UNIT_TEST(suite, test_chosen_once);
    UNIT_TEST(suite, test_member_of_an_element);
    UNIT_TEST(suite, test_address_dependencies_in_a_skeleton);
    UNIT_TEST(suite, test_tokens_in_a_skeleton);
    UNIT_TEST(suite, test_bounds_of_loops);
    UNIT_TEST(suite, test_return);
    UNIT_TEST(suite, test_barrier);
    UNIT_TEST(suite, test_compare_exchange);
    UNIT_TEST(suite, test_division);
    UNIT_TEST(suite, test_marks);
    UNIT_TEST(suite, test_retries);
    UNIT_TEST(suite, test_decided_by_a_branch);
    UNIT_TEST(suite, test_log);
    UNIT_TEST(suite, test_undone);
    UNIT_TEST(suite, test_may_stay);
    UNIT_TEST(suite, test_unfinished);
    UNIT_TEST(suite, test_exchange_in_log);
}
