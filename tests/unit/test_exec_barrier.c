/* Barriers that are named, numbered at run time, have a quorum or only arrive; and the tags of
 * both halves of a read-modify-write. */
#include "test_enum_fixture.h"

#include "base/bits.h"
#include "exec/exec_basis.h"

/* ---- Quorums ------------------------------------------------------------------------------ */

/* A table of `threads` work-items of one CTA whose rows are all `rows`. */
static void write_table(struct strbuf *text, int threads, const char *const *rows, int row_count)
{
    strbuf_clear(text);
    strbuf_add(text, "PTX t\n{ nvm x = 0; }\n");
    for (int row = -1; row < row_count; row++) {
        for (int t = 0; t < threads; t++) {
            strbuf_add(text, t ? " | " : " ");
            if (row < 0)
                strbuf_printf(text, "P%d@cta 0,gpu 0", t);
            else
                strbuf_add(text, rows[row]);
        }
        strbuf_add(text, " ;\n");
    }
    strbuf_add(text, "forall (true)\n");
}

/* The skeleton in which every work-item passes all its barriers. */
static struct exec_skeleton *all_pass(struct fixture *f)
{
    static uint32_t events;
    events = 0;
    struct exec_run_options options = {.unroll = 2, .path_events = &events};
    uint32_t threads = f->program->thread_count;
    const struct exec_path **chosen = ARENA_ARRAY(&f->arena, const struct exec_path *, threads);
    for (uint32_t t = 0; t < threads; t++) {
        struct exec_paths paths;
        exec_run_thread(&f->arena, f->program, t, &options, &paths);
        for (uint32_t i = 0; i < paths.count; i++)
            if (paths.items[i]->end == EXEC_COMPLETE)
                chosen[t] = paths.items[i];
        CU_ASSERT_PTR_NOT_NULL_FATAL(chosen[t]);
    }
    struct exec_skeleton *skeleton = exec_skeleton_new(&f->arena, f->program, chosen);
    CU_ASSERT_PTR_NOT_NULL_FATAL(skeleton);
    return skeleton;
}

static uint64_t late_set(const struct exec_skeleton *s)
{
    uint64_t set = 0;
    for (uint32_t e = 0; e < s->dim.n; e++)
        set |= (uint64_t)s->events[e].late << e;
    return set;
}

/* Goes through all choices: their number, that no two are the same, and that each has so many
 * late events. */
static void expect_choices(int threads, const char *const *rows, int row_count, uint32_t choices,
                           uint32_t late)
{
    struct fixture f;
    struct strbuf text = {0};
    uint64_t seen[256];
    uint32_t count = 0;
    write_table(&text, threads, rows, row_count);
    fixture_init(&f, strbuf_text(&text), "sc", "epoch");
    struct exec_skeleton *s = all_pass(&f);
    do {
        CU_ASSERT_FATAL(count < 256);
        seen[count] = late_set(s);
        CU_ASSERT_EQUAL(bits_count(seen[count]), late);
        for (uint32_t i = 0; i < count; i++)
            CU_ASSERT(seen[i] != seen[count]);
        count++;
    } while (exec_skeleton_next_quorum(s));
    CU_ASSERT_EQUAL(count, choices);
    CU_ASSERT_EQUAL(late_set(s), seen[0]); /* back at the first, as an odometer */
    strbuf_fini(&text);
    fixture_fini(&f);
}

/* q of k are in time: k! / (q! (k - q)!) choices, k - q late. */
static void test_binomials(void)
{
    static const char *const quorums[] = {"",
                                          "bar.cta.sync 1, 0, 1",
                                          "bar.cta.sync 1, 0, 2",
                                          "bar.cta.sync 1, 0, 3",
                                          "bar.cta.sync 1, 0, 4",
                                          "bar.cta.sync 1, 0, 5"};
    static const uint32_t of_five[] = {0, 5, 10, 10, 5, 1}, of_three[] = {0, 3, 3, 1};
    for (uint32_t q = 1; q <= 5; q++)
        expect_choices(5, &quorums[q], 1, of_five[q], 5 - q);
    for (uint32_t q = 1; q <= 3; q++)
        expect_choices(3, &quorums[q], 1, of_three[q], 3 - q);
    static const char *const none[] = {"bar.cta.sync 1"};
    expect_choices(5, none, 1, 1, 0); /* without a quorum there is nothing to choose */
}

/* Two instances, of two barriers or of one used twice: 3 * 3 choices, one late in each. Three,
 * one of them with a quorum of all: no more. */
static void test_odometer(void)
{
    static const char *const two[] = {"bar.cta.sync 1, 0, 2", "bar.cta.sync 2, 0, 2"};
    static const char *const twice[] = {"bar.cta.sync 1, 0, 2", "bar.cta.sync 1, 0, 2"};
    static const char *const mixed[] = {"bar.cta.sync 1, 0, 2", "bar.cta.sync 3, 0, 3",
                                        "bar.cta.sync 2, 0, 1"};
    expect_choices(3, two, 2, 9, 2);
    expect_choices(3, twice, 2, 9, 2);
    expect_choices(3, mixed, 3, 9, 3); /* late: 1 + 0 + 2 */
    expect_choices(2, two, 2, 1, 0);
}

/* In syncbar those in time come before everyone who leaves; a late one has nobody behind
 * it but itself. Quorum 2 of 3; nobody accesses x, so the three barriers are all events. */
static void test_late_in_syncbar(void)
{
    static const char *const rows[] = {"bar.cta.sync 1, 0, 2"};
    struct fixture f;
    struct strbuf text = {0};
    rel_word syncbar[3];
    write_table(&text, 3, rows, 1);
    fixture_init(&f, strbuf_text(&text), "sc", "epoch");
    struct exec_skeleton *s = all_pass(&f);
    CU_ASSERT_EQUAL_FATAL(s->dim.n, 3);
    do {
        exec_skeleton_base(s, EXEC_REL_SYNCBAR, syncbar);
        for (uint32_t a = 0; a < 3; a++)
            for (uint32_t b = 0; b < 3; b++)
                CU_ASSERT_EQUAL(rel_has(s->dim, syncbar, a, b), !s->events[a].late || a == b);
    } while (exec_skeleton_next_quorum(s));
    strbuf_fini(&text);
    fixture_fini(&f);
}

/* An arrival comes before those who leave, and nobody before it, not even itself. */
static void test_arrive_in_syncbar(void)
{
    struct fixture f;
    rel_word syncbar[3];
    fixture_init(&f,
                 "PTX t\n{ nvm x = 0; }\n"
                 " P0@cta 0,gpu 0   | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n"
                 " bar.cta.arrive 1 | bar.cta.sync 1 | bar.cta.sync 1 ;\nforall (true)\n",
                 "sc", "epoch");
    struct exec_skeleton *s = all_pass(&f);
    CU_ASSERT_EQUAL_FATAL(s->dim.n, 3);
    exec_skeleton_base(s, EXEC_REL_SYNCBAR, syncbar);
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 3; b++)
            CU_ASSERT_EQUAL(rel_has(s->dim, syncbar, a, b), b != 0);
    fixture_fini(&f);
}

/* Each static relation has just the pairs that are in it one by one. */
static void expect_pair_by_pair(const char *text)
{
    struct fixture f;
    fixture_init(&f, text, "sc", "epoch");
    const struct exec_skeleton *s = all_pass(&f);
    rel_word *whole = ARENA_ARRAY(&f.arena, rel_word, rel_words(s->dim));
    for (uint32_t base = EXEC_REL_ID; base < EXEC_BASE_COUNT; base++) {
        uint32_t wrong = 0;
        if (exec_basis()->names[base].dynamic)
            continue;
        exec_skeleton_base(s, base, whole);
        for (uint32_t a = 0; a < s->dim.n; a++)
            for (uint32_t b = 0; b < s->dim.n; b++)
                wrong += rel_has(s->dim, whole, a, b) != exec_pair_in_base(s, base, a, b);
        CU_ASSERT_EQUAL(wrong, 0);
    }
    fixture_fini(&f);
}

static void test_relations_pair_by_pair(void)
{
    expect_pair_by_pair(
        "OPENCL t\n{ nvm x = 0; nvm y = 0; atomic_int f = 0; nvm a[70]; }\n"
        "P0@sg 0, wg 0 (global int* x, global int* y, global atomic_int* f, global int* a) {\n"
        " int r = *x + *y; a[r & 1] = r; if (r == 0) { *y = 2; }\n"
        " f.fetch_add(1, mo_acq_rel, wg_scope); barrier(CLK_GLOBAL_MEM_FENCE); p_barrier_kr; }\n"
        "P1@sg 1, wg 0 (global atomic_int* f, global int* x) {\n"
        " f.exchange(2, mo_rlx, dev_scope); sync_barrier_wg; *x = 1; p_barrier_kr; }\n"
        "P2@wg 1 (global atomic_int* f, global int* a) {\n"
        " for (int i = 0; i < 70; i++) { a[i] = i; }\n"
        " atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_acq, kr_scope);\n"
        " int r = f.load(mo_acq, kr_scope); p_barrier_kr; }\n"
        "P3@wg 0, kr 1, dev 1 (global atomic_int* f) { f.store(5, mo_sc, all_scope); }\n"
        "forall (true)\n");
}

/* Whoever stands at a barrier that enough have reached does not stay there: each choice of
 * who is in time is one skeleton, and there is no other. */
static void test_quorum_skeletons(void)
{
    static const char *const rows[] = {"bar.cta.sync 1, 0, 2"};
    struct enum_case c;
    struct strbuf text = {0};
    write_table(&text, 4, rows, 1);
    enum_case_init(&c, strbuf_text(&text), "sc", "epoch", false);
    CU_ASSERT_EQUAL(c.o.stats.skeletons, 6); /* 4 over 2 */
    CU_ASSERT_EQUAL(c.o.undefined.count, 0);
    enum_case_fini(&c);
    strbuf_fini(&text);
}

/* Three are needed and two take part: all have come, both wait, and nobody is missing by name.
 * With a third who takes part but ends before, that one is missing. */
static void test_too_few(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "PTX t\n{ nvm x = 0; }\n"
                   " P0@cta 0,gpu 0       | P1@cta 0,gpu 0       | P2@cta 0,gpu 0 ;\n"
                   " bar.cta.sync 1, 0, 3 | bar.cta.sync 1, 0, 3 | mov r1, 1      ;\n"
                   " mov r1, 1            | mov r1, 2            |                ;\n"
                   "exists (true)\n",
                   "sc", "epoch", false);
    CU_ASSERT_EQUAL(c.o.final.count, 0);
    CU_ASSERT_EQUAL_FATAL(c.o.undefined.count, 2);
    for (uint32_t t = 0; t < 2; t++) {
        CU_ASSERT_EQUAL(c.o.undefined.items[t].kind, OUTCOME_DIVERGENCE);
        CU_ASSERT_EQUAL(c.o.undefined.items[t].event_count, 1);
        CU_ASSERT_EQUAL(c.o.undefined.items[t].events[0].thread, t);
    }
    enum_case_fini(&c);
    enum_case_init(&c,
                   "PTX t\n{ nvm x = 0; }\n"
                   " P0@cta 0,gpu 0       | P1@cta 0,gpu 0 ;\n"
                   " bar.cta.sync 1, 0, 2 | mov r1, 0      ;\n"
                   "                      | beq r1, 0, END ;\n"
                   "                      | bar.cta.sync 1, 0, 2 ;\n"
                   "                      | END:           ;\n"
                   "exists (true)\n",
                   "sc", "epoch", false);
    CU_ASSERT_EQUAL_FATAL(c.o.undefined.count, 1);
    CU_ASSERT_EQUAL(c.o.undefined.items[0].event_count, 2);
    CU_ASSERT_EQUAL(c.o.undefined.items[0].events[1].thread, 1);
    enum_case_fini(&c);
}

/* P0 needs one more. P2 never comes; P1 would after a third round of its loop, past the bound,
 * and one is enough: not divergence for certain, but unknown. When two more are needed, P2
 * is missed whatever P1 does. */
static void test_quorum_beside_bound(void)
{
    static const char *const format =
        "PTX t\n{ x = 3; }\n"
        " P0@cta 0,gpu 0        | P1@cta 0,gpu 0             | P2@cta 0,gpu 0          ;\n"
        " bar.cta.sync 1, 0, %d | LOOP:                      | mov r2, 0               ;\n"
        "                       | atom.relaxed.gpu.sub r1, x, 1 | beq r2, 0, END       ;\n"
        "                       | bgt r1, 0, LOOP            | bar.cta.arrive 1, 0, %d ;\n"
        "                       | bar.cta.arrive 1, 0, %d    | END:                    ;\n"
        "exists (true)\n";
    for (int quorum = 2; quorum <= 3; quorum++) {
        struct strbuf text = {0};
        struct enum_case c;
        for (const char *at = format; *at; at++)
            if (at[0] == '%')
                strbuf_printf(&text, "%d", quorum), at++;
            else
                strbuf_add_char(&text, *at);
        enum_case_init(&c, strbuf_text(&text), "sc", "epoch", false);
        CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), quorum == 2 ? LIT_UNKNOWN : LIT_UNDEFINED);
        enum_case_fini(&c);
        strbuf_fini(&text);
    }
}

/* Who is late is ordered behind those in time, not before them. P2 comes when two others have
 * opened the barrier, or is one of two itself. It reads x = 0 only if P0 was late. */
static void test_late_and_values(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "PTX t\n{ nvm x = 0; y = 0; }\n"
                   " P0@cta 0,gpu 0       | P1@cta 0,gpu 0       | P2@cta 0,gpu 0       ;\n"
                   " st.relaxed.cta x, 1  | st.relaxed.cta y, 1  | bar.cta.sync 1, 0, 2 ;\n"
                   " bar.cta.sync 1, 0, 2 | bar.cta.sync 1, 0, 2 | ld.relaxed.cta r1, x ;\n"
                   "                      |                      | ld.relaxed.cta r2, y ;\n"
                   "forall (true)\nlocations [2:r1; 2:r2]\n",
                   "sc", "epoch", false);
    /* In time with P2: one of P0 and P1, whose store it sees, and perhaps the other's; or
     * both opened it without P2. Never neither. */
    CU_ASSERT_EQUAL(c.o.final.count, 3);
    CU_ASSERT_FALSE(fixture_has(&c.o.final, (int64_t[]){0, 0}));
    enum_case_fini(&c);
}

/* ---- Names, numbers, arrivals -------------------------------------------------------------- */

/* A barrier of a name is met by those whose program has it: P2 of the same CTA does not, nor
 * P3 of another CTA, though that one has it. P0 and P1 see each other's store. */
static void test_named(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "PTX t\n{ nvm x = 0; y = 0; }\n"
                   " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 | P3@cta 1,gpu 0 ;\n"
                   " st.weak x, 1   | st.weak y, 1   | mov r1, 1      | mov r1, 0      ;\n"
                   " bar.cta.sync 1 | bar.cta.sync 1 | bar.cta.sync 2 | bar.cta.sync 1 ;\n"
                   " ld.weak r1, y  | ld.weak r1, x  |                |                ;\n"
                   "forall (0:r1=1 /\\ 1:r1=1 /\\ 2:r1=1 /\\ 3:r1=0)\n",
                   "sc", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 0);
    CU_ASSERT_EQUAL(c.o.final.count, 1);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_OK);
    enum_case_fini(&c);
}

/* P1 has read which resource it takes: 0, where it meets P0 and sees y = 1; or 1, where it
 * meets nobody and sees either. P0 passes alone then. */
static void test_resources(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "PTX t\n{ nvm y = 0; z = 0; }\n"
                   " P0@cta 0,gpu 0      | P1@cta 0,gpu 0       | P2@cta 1,gpu 0      ;\n"
                   " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, z | st.relaxed.gpu z, 1 ;\n"
                   " bar.cta.sync 1, 0   | bar.cta.sync 1, r1   |                     ;\n"
                   "                     | ld.relaxed.gpu r2, y |                     ;\n"
                   "forall (true)\nlocations [1:r1; 1:r2]\n",
                   "sc", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 0);
    CU_ASSERT_EQUAL(c.o.final.count, 3);
    CU_ASSERT_FALSE(fixture_has(&c.o.final, (int64_t[]){0, 0}));
    enum_case_fini(&c);
}

static uint32_t undefined_at(const char *number, enum outcome_undefined_kind *kind)
{
    struct strbuf text = {0};
    struct enum_case c;
    strbuf_printf(&text,
                  "PTX t\n{ nvm y = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                  " ld.relaxed.gpu r1, y | st.relaxed.gpu y, %s ;\n bar.cta.sync 1, r1 | ;\n"
                  "forall (true)\n",
                  number);
    enum_case_init(&c, strbuf_text(&text), "sc", "epoch", false);
    uint32_t count = (uint32_t)c.o.undefined.count;
    if (count)
        *kind = c.o.undefined.items[0].kind;
    enum_case_fini(&c);
    strbuf_fini(&text);
    return count;
}

/* Resources are 0 to 15. */
static void test_resource_range(void)
{
    enum outcome_undefined_kind kind = OUTCOME_CHECK;
    CU_ASSERT_EQUAL(undefined_at("15", &kind), 0);
    CU_ASSERT_EQUAL(undefined_at("16", &kind), 1);
    CU_ASSERT_EQUAL(kind, OUTCOME_FAULT);
    CU_ASSERT_EQUAL(undefined_at("-1", &kind), 1);
    CU_ASSERT_EQUAL(kind, OUTCOME_FAULT);
}

/* P0 arrives behind x = 1 and goes on: it may read y = 0, which P1 stores before it waits. P1
 * has waited for P0, so it reads x = 1. With P1 as the one who arrives, too, nobody waits. */
static void test_arrive(void)
{
    struct enum_case c;
    enum_case_init(&c,
                   "PTX t\n{ nvm x = 0; y = 0; }\n"
                   " P0@cta 0,gpu 0   | P1@cta 0,gpu 0 ;\n"
                   " st.weak x, 1     | st.weak y, 1   ;\n"
                   " bar.cta.arrive 1 | bar.cta.sync 1 ;\n"
                   " ld.weak r1, y    | ld.weak r1, x  ;\n"
                   "forall (true)\nlocations [0:r1; 1:r1]\n",
                   "sc", "epoch", false);
    CU_ASSERT_EQUAL(c.o.undefined.count, 0);
    CU_ASSERT_EQUAL(c.o.final.count, 2);
    CU_ASSERT(fixture_has(&c.o.final, (int64_t[]){0, 1}));
    CU_ASSERT(fixture_has(&c.o.final, (int64_t[]){1, 1}));
    enum_case_fini(&c);
    enum_case_init(&c,
                   "PTX t\n{ nvm x = 0; y = 0; }\n"
                   " P0@cta 0,gpu 0   | P1@cta 0,gpu 0   ;\n"
                   " st.weak x, 1     | st.weak y, 1     ;\n"
                   " bar.cta.arrive 1 | bar.cta.arrive 1 ;\n"
                   " ld.weak r1, y    | ld.weak r1, x    ;\n"
                   "forall (true)\nlocations [0:r1; 1:r1]\n",
                   "sc", "epoch", false);
    CU_ASSERT_EQUAL(c.o.final.count, 3); /* store buffering under SC: all but 0, 0 */
    enum_case_fini(&c);
}

/* ---- Halves of a read-modify-write ----------------------------------------------------------- */

struct halves {
    enum lit_order order, fail, read, write, failed_read;
};

/* The orders of the events of `x.fetch_add` (or a compare-exchange) of one order. */
static void expect_halves(bool split, bool cas, const struct halves *expected)
{
    static const char *const names[] = {"", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    static uint32_t events;
    struct fixture f;
    struct strbuf text = {0};
    struct exec_paths paths;
    events = 0;
    struct exec_run_options options = {.unroll = 2, .path_events = &events};
    strbuf_add(&text, "OPENCL t\n{ atomic_int x = 0; }\nP0 (global atomic_int* x) { int r = ");
    if (cas)
        strbuf_printf(&text,
                      "atomic_compare_exchange_strong_explicit(x, 5, 1, memory_order_%s,"
                      " memory_order_%s); }\nforall (true)\n",
                      names[expected->order], names[expected->fail]);
    else
        strbuf_printf(&text, "atomic_fetch_add_explicit(x, 1, memory_order_%s); }\nforall (true)\n",
                      names[expected->order]);
    fixture_init(&f, strbuf_text(&text), "sc", "epoch");
    struct lit_program program = *f.program;
    program.split_rmw = split;
    exec_run_thread(&f.arena, &program, 0, &options, &paths);
    CU_ASSERT_EQUAL(paths.count, cas ? 2 : 1);
    for (uint32_t i = 0; i < paths.count; i++) {
        const struct exec_path *path = paths.items[i];
        bool failed = path->event_count == 1;
        CU_ASSERT_EQUAL(path->events[0].order, failed ? expected->failed_read : expected->read);
        CU_ASSERT_EQUAL(path->events[0].rmw, !failed);
        if (!failed)
            CU_ASSERT_EQUAL(path->events[1].order, expected->write);
    }
    strbuf_fini(&text);
    fixture_fini(&f);
}

#define HALVES(order, fail, read, write, failed)                                  \
    {                                                                             \
        LIT_ORDER_##order, LIT_ORDER_##fail, LIT_ORDER_##read, LIT_ORDER_##write, \
            LIT_ORDER_##failed                                                    \
    }

/* Split, the read acquires if the operation does and the write releases if it does; SC is
 * both (PTX has no SC access). A compare-exchange that fails is a read of its own order. */
static void test_halves(void)
{
    static const struct halves split[] = {
        HALVES(RLX, RLX, RLX, RLX, RLX),     HALVES(ACQ, ACQ, ACQ, RLX, ACQ),
        HALVES(REL, RLX, RLX, REL, RLX),     HALVES(ACQ_REL, ACQ, ACQ, REL, ACQ),
        HALVES(ACQ_REL, RLX, ACQ, REL, RLX), HALVES(SC, SC, ACQ, REL, ACQ),
    };
    static const struct halves whole[] = {
        HALVES(RLX, RLX, RLX, RLX, RLX),
        HALVES(ACQ, ACQ, ACQ, ACQ, ACQ),
        HALVES(REL, RLX, REL, REL, RLX),
        HALVES(ACQ_REL, ACQ, ACQ_REL, ACQ_REL, ACQ),
        HALVES(ACQ_REL, RLX, ACQ_REL, ACQ_REL, RLX),
        HALVES(SC, SC, SC, SC, SC),
    };
    for (size_t i = 0; i < sizeof split / sizeof split[0]; i++)
        for (int cas = 0; cas <= 1; cas++) {
            expect_halves(true, cas, &split[i]);
            expect_halves(false, cas, &whole[i]);
        }
}

/* PTX splits; and its compare-exchange that fails has the part of its order that acquires. */
static void test_halves_of_ptx(void)
{
    static const struct {
        const char *word;
        enum lit_order read, write;
    } cases[] = {{"relaxed", LIT_ORDER_RLX, LIT_ORDER_RLX},
                 {"acquire", LIT_ORDER_ACQ, LIT_ORDER_RLX},
                 {"release", LIT_ORDER_RLX, LIT_ORDER_REL},
                 {"acq_rel", LIT_ORDER_ACQ, LIT_ORDER_REL}};
    static uint32_t events;
    for (size_t i = 0; i < 4; i++) {
        struct fixture f;
        struct exec_paths paths;
        struct strbuf text = {0};
        events = 0;
        struct exec_run_options options = {.unroll = 2, .path_events = &events};
        strbuf_printf(&text,
                      "PTX t\n{ x = 0; }\n P0@cta 0,gpu 0 ;\n atom.%s.gpu.cas r1, x, 5, 1 ;\n"
                      "forall (true)\n",
                      cases[i].word);
        fixture_init(&f, strbuf_text(&text), "sc", "epoch");
        exec_run_thread(&f.arena, f.program, 0, &options, &paths);
        CU_ASSERT_EQUAL(paths.count, 2);
        for (uint32_t k = 0; k < paths.count; k++) {
            CU_ASSERT_EQUAL(paths.items[k]->events[0].order, cases[i].read);
            if (paths.items[k]->event_count == 2)
                CU_ASSERT_EQUAL(paths.items[k]->events[1].order, cases[i].write);
        }
        strbuf_fini(&text);
        fixture_fini(&f);
    }
}

void suite_exec_barrier(void)
{
    CU_pSuite suite = CU_add_suite("exec_barrier", NULL, NULL);
    UNIT_TEST(suite, test_binomials);
    UNIT_TEST(suite, test_odometer);
    UNIT_TEST(suite, test_late_in_syncbar);
    UNIT_TEST(suite, test_arrive_in_syncbar);
    UNIT_TEST(suite, test_relations_pair_by_pair);
    UNIT_TEST(suite, test_quorum_skeletons);
    UNIT_TEST(suite, test_too_few);
    UNIT_TEST(suite, test_quorum_beside_bound);
    UNIT_TEST(suite, test_late_and_values);
    UNIT_TEST(suite, test_named);
    UNIT_TEST(suite, test_resources);
    UNIT_TEST(suite, test_resource_range);
    UNIT_TEST(suite, test_arrive);
    UNIT_TEST(suite, test_halves);
    UNIT_TEST(suite, test_halves_of_ptx);
}
