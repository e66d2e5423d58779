/* Programs as data: texts written out by hand, every form read back, and classes held against
 * random renamings. */
#include "unit.h"

#include "test_gen_fixture.h"

#include "generate/gen_print.h"
#include "session/session_settings.h"
#include "session/session_test.h"

#include <string.h>

static struct gen_op op(const struct gen_vocabulary *v, const char *family, enum lit_order order,
                        enum lit_scope scope, uint32_t location)
{
    return (struct gen_op){
        .form = {(uint8_t)gen_family_find(v, family), (uint8_t)order, (uint8_t)scope},
        .location = (uint8_t)location};
}

static struct gen_op plain(const struct gen_vocabulary *v, const char *family, uint32_t location)
{
    return op(v, family, LIT_ORDER_NA, LIT_SCOPE_WI, location);
}

/* P0: x = 1; p_barrier(wi); y.store(1, rel, wg). P1, of another group: y.load(acq, wg); if that, x.
 */
static struct gen_program handed_over(const struct gen_vocabulary *v)
{
    struct gen_program p;
    gen_program_init(&p, 2);
    gen_place_apart(&p, 0, 1, LIT_SCOPE_KR);
    p.nvm = 1;
    CU_ASSERT_TRUE(gen_add(&p, 0, plain(v, "st", 0)));
    CU_ASSERT_TRUE(gen_add(&p, 0, plain(v, "p_barrier", GEN_NOWHERE)));
    CU_ASSERT_TRUE(gen_add(&p, 0, op(v, "sta", LIT_ORDER_REL, LIT_SCOPE_WG, 1)));
    CU_ASSERT_TRUE(gen_add(&p, 1, op(v, "lda", LIT_ORDER_ACQ, LIT_SCOPE_WG, 1)));
    struct gen_op guarded = plain(v, "ld", 0);
    guarded.dependency = GEN_GUARD;
    CU_ASSERT_TRUE(gen_add(&p, 1, guarded));
    return p;
}

static void expect_text(enum gen_dialect dialect, const char *expected)
{
    const struct gen_vocabulary *v = gen_vocabulary_named("spb");
    const struct gen_program p = handed_over(v);
    const struct gen_expectation expectation = {"sc", "epoch", LIT_OK};
    struct gen_outcome outcome;
    struct strbuf text = {0};
    gen_outcome_init(&outcome);
    outcome.reads[1][0] = 1;
    outcome.memory[0] = 0;
    const struct gen_test test = {.name = "handed",
                                  .title = "by hand",
                                  .vocabulary = v,
                                  .dialect = dialect,
                                  .program = &p,
                                  .when = LIT_CRASHED,
                                  .quantifier = LIT_NOT_EXISTS,
                                  .outcomes = &outcome,
                                  .outcome_count = 1,
                                  .comment = "why",
                                  .expectations = &expectation,
                                  .expectation_count = 1};
    gen_print(&test, &text);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&text), expected);
    strbuf_fini(&text);
}

static void texts(void)
{
    expect_text(GEN_OPENCL, "OPENCL handed\n\"by hand\"\n{ nvm x = 0; atomic_int y = 0; }\n"
                            "P0@wg 0 (global int* x, global atomic_int* y) {\n  *x = 1;\n"
                            "  p_barrier(wi_scope);\n  y.store(1, mo_rel, wg_scope);\n}\n"
                            "P1@wg 1 (global int* x, global atomic_int* y) {\n"
                            "  int r0 = y.load(mo_acq, wg_scope);\n  if (r0) { int r1 = *x; }\n}\n"
                            "crash ~exists (1:r0 = 1 /\\ x = 0)\n// why\nexpect sc + epoch : ok\n");
    expect_text(GEN_PTX, "PTX handed\n\"by hand\"\n{ nvm x = 0; y = 0; }\n"
                         " P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"
                         " st.weak x, 1        | ld.acquire.cta r0, y ;\n"
                         " pbar.thread         | beq r0, 0, L1        ;\n"
                         " st.release.cta y, 1 | ld.weak r1, x        ;\n"
                         "                     | L1:                  ;\n"
                         "crash ~exists (1:r0 = 1 /\\ x = 0)\n// why\nexpect sc + epoch : ok\n");
    const struct gen_vocabulary *v = gen_vocabulary_named("spb");
    const struct gen_program p = handed_over(v);
    struct strbuf line = {0};
    gen_line(v, &p, &line);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&line), "x* y | P0: st x; p_barrier.wi; sta.rel.wg y | "
                                               "P1 sg1 wg1: lda.acq.wg y; ctrl:0 ld x");
    strbuf_fini(&line);
}

/* It can be read, without a word. */
static void read_program(const struct gen_vocabulary *v, enum gen_dialect dialect,
                         const struct gen_program *program, struct session_test *test)
{
    const struct gen_test made = {
        .name = "form", .vocabulary = v, .dialect = dialect, .program = program};
    const struct session_settings settings = {.unroll = 2};
    struct strbuf text = {0}, faults = {0};
    gen_print(&made, &text);
    session_test_read(test, &settings, "form", text.text, text.length);
    diag_render(&test->diag, &faults);
    if (!test->program || faults.length)
        printf("%s%s", text.text, strbuf_text(&faults));
    CU_ASSERT_PTR_NOT_NULL(test->program);
    CU_ASSERT_EQUAL(faults.length, 0);
    strbuf_fini(&text);
    strbuf_fini(&faults);
}

/* A read, the form, and a read: every form of every vocabulary that its dialect has is a test. */
static uint32_t read_form(const struct gen_vocabulary *v, enum gen_dialect dialect,
                          struct gen_form form, enum gen_dependency dependency)
{
    struct gen_program p;
    enum gen_class class = v->families[form.family].class;
    gen_program_init(&p, 1);
    p.nvm = 1;
    (void)gen_add(&p, 0, plain(v, "ld", 0));
    if (v->families[form.family].traits & GEN_CLOSES)
        (void)gen_add(&p, 0, plain(v, "TX_START", GEN_NOWHERE));
    (void)gen_add(&p, 0,
                  (struct gen_op){.form = form,
                                  .location = class == GEN_POINT ? GEN_NOWHERE : 1,
                                  .dependency = (uint8_t)dependency});
    if (v->families[form.family].traits & GEN_OPENS)
        (void)gen_add(&p, 0, plain(v, "TX_END", GEN_NOWHERE));
    if (!gen_can_print(v, dialect, &p))
        return 0;
    struct session_test test;
    read_program(v, dialect, &p, &test);
    session_test_fini(&test);
    return 1;
}

static void all_forms(void)
{
    uint32_t read[GEN_DIALECT_COUNT] = {0};
    const char *names[GEN_MAX_VOCABULARIES];
    size_t count = gen_vocabulary_names(gen_all_vocabularies()->arena, names);
    CU_ASSERT_EQUAL(count, 8);
    for (size_t n = 0; n < count; n++) {
        const struct gen_vocabulary *v = gen_vocabulary_named(names[n]);
        for (uint8_t f = 0; f < v->family_count; f++)
            for (uint8_t o = 0; o <= LIT_ORDER_SC; o++)
                for (uint8_t s = 0; s < LIT_SCOPE_COUNT; s++)
                    for (uint32_t d = 0; d < GEN_DIALECT_COUNT; d++)
                        if (v->families[f].orders >> o & v->families[f].scopes >> s & 1)
                            read[d] += read_form(v, (enum gen_dialect)d, (struct gen_form){f, o, s},
                                                 GEN_FREE);
    }
    /* A vocabulary has 2 plain accesses, loads of 3 orders and 5 scopes, stores likewise,
     * read-modify-writes of 5 orders, fences of 4, and 2 barriers: 2 + 15 + 15 + 25 + 20 + 2 = 79.
     * Others are 6, 6, 2 + 3 + 3, 3, 5, 5, 6 and 2. In PTX there are 3 scopes, and 2, 2, 4 and 2
     * orders: 2 + 6 + 6 + 12 + 6 + 1 = 33; persist barriers have 4. */
    CU_ASSERT_EQUAL(read[GEN_OPENCL], 8 * 79 + 6 + 6 + 8 + 3 + 5 + 5 + 6 + 2);
    CU_ASSERT_EQUAL(read[GEN_PTX], 8 * 33 + 4 + 4 + 8 + 3 + 5 + 5 + 6 + 2);
}

/* A read behind a guard, on which a guard, a value and an index depend. */
static void chains(void)
{
    const struct gen_vocabulary *v = gen_vocabulary_named("spb");
    for (uint32_t dialect = 0; dialect < GEN_DIALECT_COUNT; dialect++)
        for (uint8_t d = GEN_GUARD; d < GEN_ADDRESS + (dialect != GEN_PTX); d++) {
            struct gen_program p;
            struct gen_op op = plain(v, "ld", 0);
            gen_program_init(&p, 1);
            (void)gen_add(&p, 0, op);
            op.dependency = GEN_GUARD;
            (void)gen_add(&p, 0, op);
            op = plain(v, "st", 1);
            op.dependency = d;
            op.on = 1;
            (void)gen_add(&p, 0, op);
            struct session_test test;
            read_program(v, (enum gen_dialect)dialect, &p, &test);
            session_test_fini(&test);
        }
}

static void dependencies(void)
{
    const struct gen_vocabulary *v = gen_vocabulary_named("spb");
    const struct gen_form store = plain(v, "st", 0).form, load = plain(v, "ld", 0).form;
    for (uint32_t d = GEN_GUARD; d < GEN_DEPENDENCY_COUNT; d++) {
        CU_ASSERT_EQUAL(read_form(v, GEN_OPENCL, store, (enum gen_dependency)d), 1);
        CU_ASSERT_EQUAL(read_form(v, GEN_PTX, store, (enum gen_dependency)d), d != GEN_ADDRESS);
    }
    CU_ASSERT_EQUAL(read_form(v, GEN_OPENCL, load, GEN_ADDRESS), 1);
}

/* ---- Classes ---- */

static struct gen_program draw(const struct gen_vocabulary *v, uint64_t *seed)
{
    struct gen_program p;
    uint32_t threads = 1 + unit_below(seed, 4);
    gen_program_init(&p, threads);
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t i = 0, n = 1 + unit_below(seed, 2); i < n; i++)
            (void)gen_add(&p, t, plain(v, unit_below(seed, 2) ? "st" : "ld", unit_below(seed, 3)));
        for (uint32_t level = 0; level < GEN_LEVELS; level++)
            p.place[t][level] = (uint8_t)unit_below(seed, 2);
        p.host[t] = (uint8_t)unit_below(seed, 2);
    }
    p.nvm = (uint8_t)unit_below(seed, 1u << p.location_count);
    return p;
}

/* The same with other names: work-items and locations in another order, instances renumbered. */
static struct gen_program rename_all(const struct gen_program *p, uint64_t *seed)
{
    struct gen_program other;
    uint8_t turn = (uint8_t)unit_below(seed, p->thread_count);
    uint8_t turned = (uint8_t)unit_below(seed, p->location_count);
    gen_program_init(&other, p->thread_count);
    for (uint32_t t = 0; t < p->thread_count; t++) {
        uint32_t to = (t + turn) % p->thread_count;
        other.host[to] = p->host[t];
        for (uint32_t level = 0; level < GEN_LEVELS; level++)
            other.place[to][level] = (uint8_t)(9 - 3 * p->place[t][level]);
        for (uint32_t i = 0; i < p->length[t]; i++) {
            struct gen_op renamed = p->ops[t][i];
            renamed.location = (uint8_t)((renamed.location + turned) % p->location_count);
            (void)gen_add(&other, to, renamed);
        }
    }
    for (uint32_t l = 0; l < p->location_count; l++)
        other.nvm |= (uint8_t)((p->nvm >> l & 1) << (l + turned) % p->location_count);
    return other;
}

static bool same_class(const struct gen_program *a, const struct gen_program *b)
{
    struct gen_program ca, cb;
    uint8_t ka[GEN_MAX_KEY], kb[GEN_MAX_KEY];
    gen_canonical(a, &ca, NULL, NULL);
    gen_canonical(b, &cb, NULL, NULL);
    CU_ASSERT_TRUE(gen_is_canonical(&ca));
    size_t length = gen_key(&ca, ka);
    return gen_key(&cb, kb) == length && memcmp(ka, kb, length) == 0;
}

static void classes(void)
{
    const struct gen_vocabulary *v = gen_vocabulary_named("spb");
    uint64_t seed = 1;
    for (int round = 0; round < 2000; round++) {
        const struct gen_program p = draw(v, &seed), renamed = rename_all(&p, &seed);
        CU_ASSERT_TRUE(same_class(&p, &renamed));
        /* What counts is different: an operation, the memory of a location that is used, a host. */
        struct gen_program other = p;
        other.ops[0][0].form.family ^= 1;
        struct gen_program changed = p;
        changed.nvm ^= (uint8_t)(1u << p.ops[0][0].location);
        uint32_t writes = 0, others = 0, kept = 0, lost = 0;
        for (uint32_t l = 0; l < p.location_count; l++) {
            writes += gen_writes_of(v, &p, l);
            others += gen_writes_of(v, &other, l);
            bool used = false;
            for (uint32_t t = 0; t < p.thread_count; t++)
                for (uint32_t i = 0; i < p.length[t]; i++)
                    used |= p.ops[t][i].location == l;
            kept += used && (p.nvm >> l & 1);
            lost += used && (changed.nvm >> l & 1);
        }
        CU_ASSERT_NOT_EQUAL(writes, others);
        CU_ASSERT_FALSE(same_class(&p, &other));
        CU_ASSERT_NOT_EQUAL(kept, lost);
        CU_ASSERT_FALSE(same_class(&p, &changed));
    }
}

/* Of an SC store of scope device, with the orders and scopes that are allowed. */
static void steps(void)
{
    const struct gen_vocabulary *v = gen_vocabulary_named("spb");
    struct gen_form found[GEN_MAX_STEPS];
    const struct gen_form sc = op(v, "sta", LIT_ORDER_SC, LIT_SCOPE_DV, 0).form;
    CU_ASSERT_EQUAL(gen_form_steps(v, sc, ~0u, ~0u, found), 2);
    CU_ASSERT_EQUAL(found[0].order, LIT_ORDER_REL);
    CU_ASSERT_EQUAL(found[1].scope, LIT_SCOPE_KR);
    /* Without release the next is relaxed, without kernels the group. */
    CU_ASSERT_EQUAL(gen_form_steps(v, sc, ~(1u << LIT_ORDER_REL), ~(1u << LIT_SCOPE_KR), found), 2);
    CU_ASSERT_EQUAL(found[0].order, LIT_ORDER_RLX);
    CU_ASSERT_EQUAL(found[1].scope, LIT_SCOPE_WG);
    /* Below relaxed and the narrowest scope is the plain store, and below that nothing. */
    const struct gen_form relaxed = op(v, "sta", LIT_ORDER_RLX, LIT_SCOPE_SG, 0).form;
    CU_ASSERT_EQUAL(gen_form_steps(v, relaxed, ~0u, ~0u, found), 1);
    CU_ASSERT_TRUE(gen_form_is(found[0], plain(v, "st", 0).form));
    CU_ASSERT_EQUAL(gen_form_steps(v, found[0], ~0u, ~0u, found), 0);
    /* A read-modify-write of both kinds has two next weaker ones. */
    const struct gen_form both = op(v, "rmw", LIT_ORDER_ACQ_REL, LIT_SCOPE_SG, 0).form;
    CU_ASSERT_EQUAL(gen_form_steps(v, both, ~0u, ~0u, found), 2);
}

/* A read that goes leaves who depended on it free, and others with the reads they had. */
static void removal(void)
{
    const struct gen_vocabulary *v = gen_vocabulary_named("spb");
    struct gen_program p = handed_over(v);
    struct gen_op data = plain(v, "st", 1);
    data.dependency = GEN_DATA;
    data.on = 1;
    (void)gen_add(&p, 1, data);
    CU_ASSERT_EQUAL(gen_value(v, &p, 1, 2), 2);
    gen_remove(&p, 1, 0);
    CU_ASSERT_EQUAL(p.length[1], 2);
    CU_ASSERT_EQUAL(p.ops[1][0].dependency, GEN_FREE);
    CU_ASSERT_EQUAL(p.ops[1][1].dependency, GEN_DATA);
    CU_ASSERT_EQUAL(p.ops[1][1].on, 0);
    gen_remove_thread(&p, 0);
    CU_ASSERT_EQUAL(p.thread_count, 1);
    CU_ASSERT_EQUAL(gen_value(v, &p, 0, 1), 1);
    CU_ASSERT_EQUAL(p.length[0], 2);
}

void suite_gen_program(void)
{
    CU_pSuite suite = CU_add_suite("gen_program", NULL, NULL);
    UNIT_TEST(suite, texts);
    UNIT_TEST(suite, all_forms);
    UNIT_TEST(suite, chains);
    UNIT_TEST(suite, dependencies);
    UNIT_TEST(suite, classes);
    UNIT_TEST(suite, steps);
    UNIT_TEST(suite, removal);
}
