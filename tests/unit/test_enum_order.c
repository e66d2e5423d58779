/* Orders chosen pair by pair: how many there are of each kind is a matter of counting; and
 * one that is not of its kind is refused by the recheck. */
#include "test_enum_fixture.h"

static const char nothing[] = "";
static const char total[] = "include \"total-coherence.cat\"";
static const char fences[] = "empty sync_fence & id as mentioned"; /* so it is chosen */

/* ---- Partial coherence --------------------------------------------------------------- */

/* One work-item a write: x = 1, 2 ... count, all unordered by anything. */
static void write_racers(struct strbuf *text, int count)
{
    strbuf_clear(text);
    strbuf_add(text, "PTX t\n{ nvm x = 0; }\n");
    for (int t = 0; t < count; t++)
        strbuf_printf(text, "%s P%d@cta %d,gpu 0", t ? "|" : "", t, t);
    strbuf_add(text, " ;\n");
    for (int t = 0; t < count; t++)
        strbuf_printf(text, "%s st.weak x, %d", t ? "|" : "", t + 1);
    strbuf_add(text, " ;\nforall (true)\nlocations [x]\n");
}

/* Strict partial orders on n labelled elements. n = 2: none, or one of two ways: 3. n = 3: the
 * antichain 1, one pair 6, one below two 3, two below one 3, chains 6: 19. n = 4, by shape and
 * its labellings: antichain 1; one pair 12; two pairs 12; V, Λ with a lone one 12 + 12; chain of
 * three with a lone one 24; one below three, three below one 4 + 4; N 24; two below two 6;
 * diamond 12; Y upright or not 12 + 12; a chain of two below, or above, with a side branch
 * 24 + 24; chain 24: 219. Total orders: n!. */
static void test_partial_orders(void)
{
    static const uint64_t partial[] = {1, 1, 3, 19, 219}, chains[] = {1, 1, 2, 6, 24};
    struct strbuf text = {0};
    for (int n = 1; n <= 4; n++) {
        write_racers(&text, n);
        CU_ASSERT_EQUAL(enum_count_under(nothing, strbuf_text(&text)), partial[n]);
        CU_ASSERT_EQUAL(enum_count_under(total, strbuf_text(&text)), chains[n]);
    }
    strbuf_fini(&text);
}

/* Two locations with two writes each are ordered apart: 3 * 3. */
static void test_locations_apart(void)
{
    CU_ASSERT_EQUAL(enum_count_under(nothing, "PTX t\n{ nvm x = 0; y = 0; }\n"
                                              " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                                              " st.weak x, 1   | st.weak x, 2   ;\n"
                                              " st.weak y, 3   | st.weak y, 4   ;\n"
                                              "forall (true)\n"),
                    9);
}

/* Only initial writes are ordered, so there is one execution. Each write of a location is
 * maximal in it: 2 * 3 final states. */
static void test_maximal_writes(void)
{
    char path[ENUM_MODEL_PATH];
    struct enum_case c;
    enum_model_make(path, "empty co \\ (IW * W) as only-initial");
    enum_case_init(&c,
                   "PTX t\n{ nvm x = 0; y = 0; }\n"
                   " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
                   " st.weak x, 1   | st.weak x, 2   | st.weak y, 5   ;\n"
                   " st.weak y, 3   | st.weak y, 4   |                ;\n"
                   "forall (true)\nlocations [x; y]\n",
                   path, enum_anything, false);
    CU_ASSERT_EQUAL(c.o.stats.consistent, 1);
    CU_ASSERT_EQUAL(c.o.final.count, 6);
    for (int64_t x = 1; x <= 2; x++)
        for (int64_t y = 3; y <= 5; y++) {
            CU_ASSERT(fixture_has(&c.o.final, (int64_t[]){x, y}));
        }
    enum_case_fini(&c);
    enum_model_drop(path);
}

/* An await is stuck when some maximal write keeps it waiting. Nobody but x = 1: not so, one
 * execution that reads 1. Beside x = 0: the three orders of the two writes, each with
 * a read of 1, and stuck where x = 0 is maximal, that is last or unordered: 3 + 2. */
static void test_await_on_maximal(void)
{
    CU_ASSERT_EQUAL(enum_count("PTX t\n{ nvm x = 0; }\n"
                               " P0@cta 0,gpu 0 | P1@cta 1,gpu 0  ;\n"
                               " st.weak x, 1   | WAIT:           ;\n"
                               "                | ld.weak r1, x   ;\n"
                               "                | beq r1, 0, WAIT ;\n"
                               "forall (true)\nlocations [1:r1]\n",
                               enum_anything),
                    1);
    CU_ASSERT_EQUAL(enum_count("PTX t\n{ nvm x = 0; }\n"
                               " P0@cta 0,gpu 0 | P1@cta 1,gpu 0  | P2@cta 2,gpu 0 ;\n"
                               " st.weak x, 1   | WAIT:           | st.weak x, 0   ;\n"
                               "                | ld.weak r1, x   |                ;\n"
                               "                | beq r1, 0, WAIT |                ;\n"
                               "forall (true)\nlocations [1:r1]\n",
                               enum_anything),
                    5);
}

/* Each work-item's writes persist in program order, and y and z both durable means that both
 * writes of x are. Coherence does not order these, so either may be what is found: x = 0 with
 * neither y nor z (1), x = 1 and x = 2 with any of them (4 + 4). */
static void test_unordered_and_durable(void)
{
    char visibility[ENUM_MODEL_PATH], persistency[ENUM_MODEL_PATH];
    struct enum_case c;
    enum_model_make(visibility, "empty co \\ (IW * W) as only-initial");
    enum_model_make(persistency, "let persist-before = [W & NVM]; po; [W & NVM]");
    enum_case_init(&c,
                   "PTX t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                   " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                   " st.weak x, 1   | st.weak x, 2   ;\n"
                   " st.weak y, 1   | st.weak z, 1   ;\n"
                   "crash exists (x=1 /\\ y=1 /\\ z=1)\ncrash exists (x=2 /\\ y=1 /\\ z=1)\n",
                   visibility, persistency, false);
    CU_ASSERT_EQUAL(c.o.crash.count, 9);
    CU_ASSERT_EQUAL(c.o.final.count, 2);
    CU_ASSERT_EQUAL(outcome_verdict(&c.o, c.f.program), LIT_OK);
    enum_case_fini(&c);
    enum_model_drop(visibility);
    enum_model_drop(persistency);
}

/* 200 writes make 200 * 199 / 2 = 19900 pairs, which are more than are decided one inside the
 * other: an answer, unknown, and no crash of the tool. */
static void test_too_many_pairs(void)
{
    struct strbuf text = {0};
    struct enum_case c;
    strbuf_add(&text, "PTX t\n{ x = 0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n");
    for (int i = 0; i < 100; i++)
        strbuf_printf(&text, " st.weak x, %d | st.weak x, %d ;\n", 2 * i + 1, 2 * i + 2);
    strbuf_add(&text, "exists (x=7)\n");
    enum_case_init(&c, strbuf_text(&text), enum_anything, enum_anything, false);
    CU_ASSERT_EQUAL(c.o.final.count, 0);
    CU_ASSERT_EQUAL(enum_case_verdict(&c, 0), LIT_UNKNOWN);
    enum_case_fini(&c);
    strbuf_fini(&text);
}

/* ---- The order of SC fences ------------------------------------------------------------ */

/* One fence a work-item, all of one GPU and of its scope: each is in the other's, k! orders.
 * Of the scope of their CTAs, which differ: none is ordered. */
static void test_fences_of_threads(void)
{
    static const uint64_t factorial[] = {1, 1, 2, 6, 24};
    for (int k = 1; k <= 4; k++) {
        struct strbuf gpu = {0}, cta = {0};
        for (int line = 0; line < 2; line++)
            for (int t = 0; t < k; t++) {
                const char *bar = t ? "|" : line ? "" : "PTX t\n{ nvm x = 0; }\n";
                const char *end = t + 1 < k ? "" : line ? " ;\nforall (true)\n" : " ;\n";
                if (line == 0)
                    strbuf_printf(&gpu, "%s P%d@cta %d,gpu 0%s", bar, t, t, end);
                else
                    strbuf_printf(&gpu, "%s fence.sc.gpu%s", bar, end);
                if (line == 0)
                    strbuf_printf(&cta, "%s P%d@cta %d,gpu 0%s", bar, t, t, end);
                else
                    strbuf_printf(&cta, "%s fence.sc.cta%s", bar, end);
            }
        CU_ASSERT_EQUAL(enum_count_under(fences, strbuf_text(&gpu)), factorial[k]);
        CU_ASSERT_EQUAL(enum_count_under(fences, strbuf_text(&cta)), 1);
        CU_ASSERT_EQUAL(enum_count_under(nothing, strbuf_text(&gpu)), 1);
        strbuf_fini(&gpu);
        strbuf_fini(&cta);
    }
}

static void test_fences_mixed(void)
{
    /* Two of one work-item in its order: 3! / 2 ways with a third elsewhere. */
    CU_ASSERT_EQUAL(enum_count_under(fences, "PTX t\n{ nvm x = 0; }\n"
                                             " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                                             " fence.sc.gpu   | fence.sc.gpu   ;\n"
                                             " fence.sc.gpu   |                ;\n"
                                             "forall (true)\n"),
                    3);
    /* P1's CTA does not have P0, though P0's scope has P1: not ordered. fence.acq_rel never. */
    CU_ASSERT_EQUAL(enum_count_under(fences, "PTX t\n{ nvm x = 0; }\n"
                                             " P0@cta 0,gpu 0 | P1@cta 1,gpu 0    ;\n"
                                             " fence.sc.sys   | fence.sc.cta      ;\n"
                                             "                | fence.acq_rel.sys ;\n"
                                             "forall (true)\n"),
                    1);
    /* a and b1 < b2 of CTA 0 stand in 3 orders, c of CTA 1 before or behind b2: 3 * 2. What
     * follows for the other pairs with c (a < b2 < c) is decided with them. */
    CU_ASSERT_EQUAL(enum_count_under(fences, "PTX t\n{ nvm x = 0; }\n"
                                             " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 ;\n"
                                             " fence.sc.cta   | fence.sc.cta   | fence.sc.sys   ;\n"
                                             "                | fence.sc.sys   |                ;\n"
                                             "forall (true)\n"),
                    6);
    /* Orders against program order would make a cycle: po does not count again. */
    CU_ASSERT_EQUAL(enum_count_under("acyclic po | sync_fence as order",
                                     "PTX t\n{ nvm x = 0; }\n"
                                     " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                                     " fence.sc.gpu   | fence.sc.gpu   ;\n"
                                     " fence.sc.gpu   | fence.sc.gpu   ;\n"
                                     "forall (true)\n"),
                    6); /* 4! / (2! 2!) */
}

/* ---- Choices of the model --------------------------------------------------------------- */

/* Three writes, of a location and a work-item each. */
static const char three[] = "OPENCL t\n{ nvm x = 0; y = 0; z = 0; }\n"
                            "P0 (global int* x) { *x = 1; }\nP1 (global int* y) { *y = 1; }\n"
                            "P2 (global int* z) { *z = 1; }\nforall (true)\n";

/* n! orders; as many as extend the relation; none when it has a cycle in the set. */
static void test_linearisations(void)
{
    CU_ASSERT_EQUAL(enum_count_under("with S from linearisations(W \\ IW, 0)", three), 6);
    CU_ASSERT_EQUAL(enum_count_under("with S from linearisations(F, po)", three), 1);
    CU_ASSERT_EQUAL(
        enum_count_under("let s = W \\ IW\nwith S from linearisations(s, s * s \\ id)", three), 0);
    CU_ASSERT_EQUAL(enum_count_under("with S from linearisations(W, id)", three), 0);
    CU_ASSERT_EQUAL(enum_count_under("with S from linearisations(F, id)", three), 1);
    CU_ASSERT_EQUAL(
        enum_count_under("with S from linearisations(W \\ IW, W * W \\ id & F * F)", three), 0);
    /* IW before the rest: 3! orders of either part. */
    CU_ASSERT_EQUAL(enum_count_under("with S from linearisations(W, IW * (W \\ IW))", three), 36);
    /* Two and two writes in program order: 4! / (2! 2!) interleavings. */
    CU_ASSERT_EQUAL(enum_count_under("with S from linearisations(W \\ IW, po)",
                                     "OPENCL t\n{ nvm x = 0; y = 0; z = 0; u = 0; }\n"
                                     "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n"
                                     "P1 (global int* z, global int* u) { *z = 1; *u = 1; }\n"
                                     "forall (true)\n"),
                    6);
}

/* What follows from the relation by way of events outside the set counts: W x rf R x po W y, with
 * R x = 1, leaves one order of the two writes, R x = 0 both. In load buffering po | rf has a cycle
 * through both writes when both reads return 1, and no order is left; one read of 1 leaves one
 * order, none two: 0 + 1 + 1 + 2. */
static void test_followed_relation(void)
{
    static const char lb[] = "OPENCL t\n{ nvm x = 0; y = 0; }\n"
                             "P0 (global int* x, global int* y) { int r = *y; *x = 1; }\n"
                             "P1 (global int* x, global int* y) { int r = *x; *y = 1; }\n"
                             "forall (true)\nlocations [0:r; 1:r]\n";
    static const char one[] = "OPENCL t\n{ nvm x = 0; y = 0; }\n"
                              "P0 (global int* x) { *x = 1; }\n"
                              "P1 (global int* x, global int* y) { int r = *x; *y = 1; }\n"
                              "forall (true)\nlocations [1:r]\n";
    static const char model[] = "with S from linearisations(W \\ IW, po | rf)";
    CU_ASSERT_EQUAL(enum_count_under(model, one), 3);
    CU_ASSERT_EQUAL(enum_count_under(model, lb), 4);
}

/* The reads of x = 1 are put in order: with none or one of the two there is one order, with
 * both there are two. Sources are free: 1 + 1 + 1 + 2. */
static void test_set_of_witness(void)
{
    CU_ASSERT_EQUAL(enum_count_under("with S from linearisations(range([W \\ IW]; rf), 0)",
                                     "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                                     "P1 (global int* x) { int r = *x; }\n"
                                     "P2 (global int* x) { int r = *x; int own = 1; }\n"
                                     "forall (true)\nlocations [1:r; 2:r]\n"),
                    5);
}

/* A second choice that must extend the first is that one; one that is free doubles. Of two
 * alternatives a check may want one; the second may be of the first choice. */
static void test_dependent_choices(void)
{
    static const char two[] = "OPENCL t\n{ nvm x = 0; y = 0; }\nP0 (global int* x) { *x = 1; }\n"
                              "P1 (global int* y) { *y = 1; }\nforall (true)\n";
    static const char a[] = "let s = W \\ IW\nwith A from linearisations(s, 0)\n";
    struct strbuf model = {0};
    strbuf_printf(&model, "%swith B from linearisations(s, A)\nempty B \\ A as same", a);
    CU_ASSERT_EQUAL(enum_count_under(strbuf_text(&model), two), 2);
    strbuf_clear(&model);
    strbuf_printf(&model, "%swith B from linearisations(s, 0)", a);
    CU_ASSERT_EQUAL(enum_count_under(strbuf_text(&model), two), 4);
    strbuf_clear(&model);
    strbuf_printf(&model, "%swith B from linearisations(s, A^-1)\nempty A & B as apart", a);
    CU_ASSERT_EQUAL(enum_count_under(strbuf_text(&model), two), 2);
    strbuf_clear(&model);
    strbuf_printf(&model, "%swith B from {A, A^-1}", a);
    CU_ASSERT_EQUAL(enum_count_under(strbuf_text(&model), two), 4);
    strbuf_clear(&model);
    strbuf_printf(&model, "%swith B from {A, A^-1}\nacyclic A | B as one-way", a);
    CU_ASSERT_EQUAL(enum_count_under(strbuf_text(&model), two), 2);
    strbuf_clear(&model);
    strbuf_printf(&model, "%swith B from {A, A^-1}\nempty A | B as never", a);
    CU_ASSERT_EQUAL(enum_count_under(strbuf_text(&model), two), 0);
    strbuf_fini(&model);
}

/* Alternatives that depend on the witness: r from {rf, co} with `empty r`: rf is empty
 * without reads, co (initial writes first) is not. */
static void test_alternatives(void)
{
    CU_ASSERT_EQUAL(enum_count_under("with r from {rf, co}", three), 2);
    CU_ASSERT_EQUAL(enum_count_under("with r from {rf, co}\nempty r as none", three), 1);
    CU_ASSERT_EQUAL(enum_count_under("with r from {rf, co}\n~empty r as some", three), 1);
}

/* An order of all accesses that extends po and communication is what SC is. */
static void test_sc_by_choice(void)
{
    static const char *const tests[] = {
        "OPENCL sb\n{ x = 0; y = 0; }\n"
        "P0 (global int* x, global int* y) { *x = 1; int r = *y; }\n"
        "P1 (global int* x, global int* y) { *y = 1; int r = *x; }\nforall (true)\n"
        "locations [0:r; 1:r]\n",
        "OPENCL mp\n{ x = 0; y = 0; }\n"
        "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n"
        "P1 (global int* x, global int* y) { int r = *y; int s = *x; }\nforall (true)\n"
        "locations [1:r; 1:s]\n",
        "OPENCL 2+2w\n{ x = 0; y = 0; }\n"
        "P0 (global int* x, global int* y) { *x = 1; *y = 2; }\n"
        "P1 (global int* x, global int* y) { *y = 1; *x = 2; }\nforall (true)\n"
        "locations [x; y]\n",
        "OPENCL increments\n{ atomic_int x = 0; }\n"
        "P0 (global atomic_int* x) { int r = x.fetch_add(1, mo_rlx, dev_scope); }\n"
        "P1 (global atomic_int* x) { int r = x.fetch_add(1, mo_rlx, dev_scope); }\n"
        "forall (true)\nlocations [0:r; 1:r; x]\n",
    };
    static const size_t states[] = {3, 3, 3, 2}; /* of 4, 4, 4, and 0-1 or 1-0 */
    char path[ENUM_MODEL_PATH];
    enum_model_make(path, "let com = rf | co | fr\nwith S from linearisations(M, po | com)\n"
                          "empty rmw & (fr; co) as atomicity\nlet hb = S");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        struct enum_case sc, choice;
        enum_case_init(&sc, tests[i], "sc", enum_anything, false);
        enum_case_init(&choice, tests[i], path, enum_anything, false);
        CU_ASSERT_EQUAL(sc.o.final.count, states[i]);
        CU_ASSERT_EQUAL(choice.o.final.count, states[i]);
        for (size_t k = 0; k < sc.o.final.count; k++)
            CU_ASSERT(fixture_has(&choice.o.final, outcome_row(&sc.o.final, k)));
        enum_case_fini(&sc);
        enum_case_fini(&choice);
    }
    enum_model_drop(path);
}

/* ---- The recheck of orders --------------------------------------------------------------- */

enum { IN_CO, IN_FENCES, IN_CHOICE, RELATIONS };

/* Every single pair that is changed in one of the chosen relations, by what came of it. */
struct meddler {
    struct enum_case c;
    uint32_t refused[RELATIONS], accepted[RELATIONS];
};

/* With the pair (a, b) turned round in what is there, or added to it. */
static void meddle_with(struct meddler *m, const struct engine_witness *witness, int relation,
                        uint32_t a, uint32_t b)
{
    struct engine_witness bad = *witness;
    struct rel_dim dim = witness->skeleton->dim;
    const rel_word *from = relation == IN_CO       ? witness->co
                           : relation == IN_FENCES ? witness->sync_fence
                                                   : witness->choices[0];
    rel_word words[64];
    CU_ASSERT_FATAL(rel_words(dim) <= 64);
    memcpy(words, from, rel_words(dim) * sizeof *words);
    words[a * dim.words] ^= UINT64_C(1) << b;
    const rel_word *choices[] = {relation == IN_CHOICE ? words : witness->choices[0]};
    bad.co = relation == IN_CO ? words : witness->co;
    bad.sync_fence = relation == IN_FENCES ? words : witness->sync_fence;
    bad.choices = choices;
    struct recheck *recheck = recheck_new(&m->c.request);
    if (recheck_witness(recheck, &bad))
        m->refused[relation]++;
    else
        m->accepted[relation]++;
    recheck_free(recheck);
}

static void meddle(void *context, const struct engine_witness *witness)
{
    struct meddler *m = context;
    if (witness->cut)
        return;
    for (int relation = 0; relation < RELATIONS; relation++)
        for (uint32_t a = 0; a < witness->skeleton->dim.n; a++)
            for (uint32_t b = 0; b < witness->skeleton->dim.n; b++)
                meddle_with(m, witness, relation, a, b);
}

/* Coherence is total by the dialect (C), fences and choice are total orders: whatever single
 * pair is taken out or added, what is left is none. Final states: x = 1 and x = 2; n = 5
 * events (initial write, write and fence of two work-items), so 2 * 25 of each. */
static void test_recheck_orders(void)
{
    static const char text[] =
        "OPENCL t\n{ x = 0; }\n"
        "P0 (global int* x) { *x = 1; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,"
        " memory_order_seq_cst, memory_scope_device); }\n"
        "P1 (global int* x) { *x = 2; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,"
        " memory_order_seq_cst, memory_scope_device); }\n"
        "forall (true)\nlocations [x]\n";
    char path[ENUM_MODEL_PATH];
    struct meddler m = {.refused = {0}};
    struct outcome again;
    enum_model_make(path, "empty sync_fence & id as mentioned\nwith S from linearisations(W, co)");
    enum_case_init(&m.c, text, path, enum_anything, false);
    CU_ASSERT_EQUAL(m.c.witnesses, 3); /* and the empty crash state */
    struct engine_request request = m.c.request;
    request.on_witness = meddle;
    request.context = &m;
    outcome_init(&again, m.c.f.program);
    enum_run(&request, &again);
    for (int relation = 0; relation < RELATIONS; relation++) {
        CU_ASSERT_EQUAL(m.refused[relation], 50);
        CU_ASSERT_EQUAL(m.accepted[relation], 0);
    }
    outcome_fini(&again);
    enum_case_fini(&m.c);
    enum_model_drop(path);
}

/* A state's row must be what the execution (and the cut) shows. */
static void spoil_row(void *context, const struct engine_witness *witness)
{
    struct meddler *m = context;
    struct engine_witness bad = *witness;
    int64_t row[4];
    CU_ASSERT_FATAL(witness->width <= 4);
    for (uint32_t i = 0; i < witness->width; i++) {
        memcpy(row, witness->row, witness->width * sizeof *row);
        row[i] += 7;
        bad.row = row;
        struct recheck *recheck = recheck_new(&m->c.request);
        if (recheck_witness(recheck, &bad))
            m->refused[0]++;
        else
            m->accepted[0]++;
        recheck_free(recheck);
    }
}

/* Message passing under SC: 3 final states of 3 columns, and under `epoch` without a
 * barrier 4 crash states of 2: 17 wrong rows. */
static void test_recheck_rows(void)
{
    struct meddler m = {.refused = {0}};
    struct outcome again;
    enum_case_init(&m.c,
                   "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                   "P0 (global int* x, global int* y) { *x = 1; *y = 1; }\n"
                   "P1 (global int* x, global int* y) { int r = *y; int s = *x; }\n"
                   "forall (true)\nlocations [1:r; 1:s; x]\n",
                   "sc", "epoch", false);
    struct engine_request request = m.c.request;
    request.on_witness = spoil_row;
    request.context = &m;
    outcome_init(&again, m.c.f.program);
    enum_run(&request, &again);
    CU_ASSERT_EQUAL(m.refused[0], 17);
    CU_ASSERT_EQUAL(m.accepted[0], 0);
    outcome_fini(&again);
    enum_case_fini(&m.c);
}

void suite_enum_order(void)
{
    CU_pSuite suite = CU_add_suite("enum_order", NULL, NULL);
    UNIT_TEST(suite, test_partial_orders);
    UNIT_TEST(suite, test_locations_apart);
    UNIT_TEST(suite, test_maximal_writes);
    UNIT_TEST(suite, test_await_on_maximal);
    UNIT_TEST(suite, test_unordered_and_durable);
    UNIT_TEST(suite, test_too_many_pairs);
    UNIT_TEST(suite, test_fences_of_threads);
    UNIT_TEST(suite, test_fences_mixed);
    UNIT_TEST(suite, test_linearisations);
    UNIT_TEST(suite, test_followed_relation);
    UNIT_TEST(suite, test_set_of_witness);
    UNIT_TEST(suite, test_dependent_choices);
    UNIT_TEST(suite, test_alternatives);
    UNIT_TEST(suite, test_sc_by_choice);
    UNIT_TEST(suite, test_recheck_orders);
    UNIT_TEST(suite, test_recheck_rows);
}
