/* Models that are alike on a program by their rules: programs of which that is derived by hand, and
 * all programs up to some bounds, on which models that were called alike are asked. */
#include "unit.h"

#include "test_gen_fixture.h"

#include "generate/gen_alike.h"
#include "generate/gen_observe.h"

#include <string.h>

#define ORDER(name) (1u << LIT_ORDER_##name)
#define SCOPE(name) (1u << LIT_SCOPE_##name)
#define DEPENDENCY(name) (1u << GEN_##name)

enum { MAX_MODELS = 4 };

struct question {
    struct session_models *loaded;
    struct session_settings settings;
    const struct session_model *models[MAX_MODELS];
    uint32_t count;
    struct gen_bound bound;
    struct gen_alike *alike;
    struct strbuf text;
    uint64_t programs, alike_programs, shared; /* alike: all models; some two */
};

/* Visibility and persistency in turn, to a NULL. */
static void begin(struct question *q, const char *vocabulary, const char *const *names)
{
    memset(q, 0, sizeof *q);
    q->loaded = session_models_new();
    q->settings = (struct session_settings){.engine = "enum", .unroll = 2, .states = true};
    const struct cat_asker user = session_models_user(&q->settings);
    for (; names[2 * q->count]; q->count++)
        q->models[q->count] =
            session_models_get(q->loaded, &user, names[2 * q->count], names[2 * q->count + 1]);
    gen_bound_init(&q->bound, gen_vocabulary_named(vocabulary), GEN_OPENCL);
    q->alike = gen_alike_new(&q->settings, q->models, q->count, &q->bound);
}

static void end(struct question *q)
{
    gen_alike_free(q->alike);
    session_models_free(q->loaded);
    strbuf_fini(&q->text);
}

/* ---- By hand ---- */

static void add(struct question *q, struct gen_program *program, uint32_t thread,
                const char *family, enum lit_order order, enum lit_scope scope, uint8_t location)
{
    const struct gen_op op = {.form = {(uint8_t)gen_family_find(q->bound.vocabulary, family),
                                       (uint8_t)order, (uint8_t)scope},
                              .location = location};
    CU_ASSERT_TRUE(gen_add(program, thread, op));
}

static bool are_alike(struct question *q, struct gen_program *program)
{
    program->nvm = (uint8_t)((1u << program->location_count) - 1);
    return gen_alike_find(q->alike, program)[1] == 0;
}

/* x = 1; y = 1, with a barrier of persistency between or without. epoch is buffered-epoch and
 * durable-before, which is [NVW]; po; [PB]; syncpb: nothing where there is no PB. */
static void test_barriers(void)
{
    static const char *const names[] = {"sc", "epoch", "sc", "buffered-epoch", NULL};
    struct question q;
    struct gen_program bare, ordered;
    begin(&q, "spb", names);
    gen_program_init(&bare, 1);
    add(&q, &bare, 0, "st", LIT_ORDER_NA, LIT_SCOPE_WI, 0);
    ordered = bare;
    add(&q, &ordered, 0, "p_barrier", LIT_ORDER_NA, LIT_SCOPE_WI, GEN_NOWHERE);
    add(&q, &bare, 0, "st", LIT_ORDER_NA, LIT_SCOPE_WI, 1);
    add(&q, &ordered, 0, "st", LIT_ORDER_NA, LIT_SCOPE_WI, 1);
    CU_ASSERT_TRUE(are_alike(&q, &bare));
    CU_ASSERT_FALSE(are_alike(&q, &ordered));
    end(&q);
}

/* P0 hands x to P1 by a flag of one scope, P1 to P2 by a flag of another: only where scopes add up
 * does that order P0's write before P2's read. With both flags of one scope the closure over that
 * scope's steps is all there is under either model. */
static void test_scopes(void)
{
    static const char *const names[] = {"hrf-direct", "none", "hrf-indirect", "none", NULL};
    static const enum lit_scope second[] = {LIT_SCOPE_WG, LIT_SCOPE_DV};
    struct question q;
    begin(&q, "spb", names);
    for (int i = 0; i < 2; i++) {
        struct gen_program p;
        gen_program_init(&p, 3);
        add(&q, &p, 0, "st", LIT_ORDER_NA, LIT_SCOPE_WI, 0);
        add(&q, &p, 0, "sta", LIT_ORDER_REL, LIT_SCOPE_DV, 1);
        add(&q, &p, 1, "lda", LIT_ORDER_ACQ, LIT_SCOPE_DV, 1);
        add(&q, &p, 1, "sta", LIT_ORDER_REL, second[i], 2);
        add(&q, &p, 2, "lda", LIT_ORDER_ACQ, second[i], 2);
        add(&q, &p, 2, "ld", LIT_ORDER_NA, LIT_SCOPE_WI, 0);
        CU_ASSERT_EQUAL(are_alike(&q, &p), second[i] == LIT_SCOPE_DV);
        /* In another work-group the flag of the group's scope hands nothing over. */
        gen_place_apart(&p, 0, 2, LIT_SCOPE_DV);
        CU_ASSERT_TRUE(are_alike(&q, &p));
    }
    end(&q);
}

/* Under tso a read may come before a write that it follows, under sc it may not; each work-item for
 * itself is the same, but that is no rule's text. */
static void test_orders(void)
{
    static const char *const names[] = {"sc", "none", "tso", "none", NULL};
    struct question q;
    struct gen_program p;
    begin(&q, "spb", names);
    gen_program_init(&p, 2);
    for (uint8_t t = 0; t < 2; t++) {
        add(&q, &p, t, "st", LIT_ORDER_NA, LIT_SCOPE_WI, t);
        add(&q, &p, t, "ld", LIT_ORDER_NA, LIT_SCOPE_WI, !t);
    }
    CU_ASSERT_FALSE(are_alike(&q, &p));
    end(&q);
}

/* Both choose tso from what stands beside a flush, and differ only by what is behind one. */
static void test_choices(void)
{
    static const char *const names[] = {"tso", "px86", "tso", "px86-sync", NULL};
    struct question q;
    struct gen_program p;
    begin(&q, "px86", names);
    gen_program_init(&p, 1);
    add(&q, &p, 0, "st", LIT_ORDER_NA, LIT_SCOPE_WI, 0);
    add(&q, &p, 0, "mfence", LIT_ORDER_NA, LIT_SCOPE_WI, GEN_NOWHERE);
    add(&q, &p, 0, "st", LIT_ORDER_NA, LIT_SCOPE_WI, 1);
    CU_ASSERT_TRUE(are_alike(&q, &p));
    end(&q);
}

/* ---- Against asking ---- */

static void check_pair(struct question *q, const struct gen_program *program, uint32_t a,
                       uint32_t b)
{
    static const struct session_parts nobody = {.context = NULL};
    struct outcome outcomes[2];
    struct session_test test;
    gen_observe_read(&test, &q->settings, q->bound.vocabulary, q->bound.dialect, program,
                     gen_observe_kinds(program), &q->text);
    gen_observe(&q->settings, q->models[a], test.program, nobody, &outcomes[0]);
    gen_observe(&q->settings, q->models[b], test.program, nobody, &outcomes[1]);
    const struct contrast contrast = contrast_of(&outcomes[0], &outcomes[1]);
    bool same = contrast.sides[0].more == CONTRAST_NO && contrast.sides[1].more == CONTRAST_NO;
    if (!same) {
        strbuf_clear(&q->text);
        gen_line(q->bound.vocabulary, program, &q->text);
        printf("\n%s+%s, %s+%s: %s\n", q->models[a]->visibility, q->models[a]->persistency,
               q->models[b]->visibility, q->models[b]->persistency, strbuf_text(&q->text));
    }
    CU_ASSERT_TRUE(same);
    outcome_fini(&outcomes[0]);
    outcome_fini(&outcomes[1]);
    session_test_fini(&test);
}

static bool visit(void *context, const struct gen_program *program, uint64_t number)
{
    struct question *q = context;
    const uint32_t *first = gen_alike_find(q->alike, program);
    uint32_t like = 0;
    (void)number;
    for (uint32_t m = 1; m < q->count; m++)
        if (first[m] != m) {
            like++;
            check_pair(q, program, first[m], m);
        }
    q->programs++;
    q->alike_programs += like + 1 == q->count;
    q->shared += like > 0;
    return true;
}

static void ask_all(struct question *q)
{
    (void)gen_enumerate_all(&q->bound, visit, q);
    CU_ASSERT_TRUE(q->programs > 0);
}

static void test_asked_scopes(void)
{
    static const char *const names[] = {"hrf-direct", "none", "hrf-indirect", "none", NULL};
    struct question q;
    begin(&q, "spb", names);
    q.bound.threads = 3;
    q.bound.volatiles = false;
    q.bound.barriers = 0;
    q.bound.scopes = SCOPE(WI) | SCOPE(WG) | SCOPE(DV);
    q.bound.orders = ORDER(NA) | ORDER(ACQ) | ORDER(REL);
    q.bound.families = 1u << gen_family_find(q.bound.vocabulary, "lda") |
                       1u << gen_family_find(q.bound.vocabulary, "sta");
    q.bound.dependencies |= DEPENDENCY(GUARD);
    q.bound.events = 4;
    q.bound.locations = 1;
    ask_all(&q);
    CU_ASSERT_TRUE(q.alike_programs > 0);
    CU_ASSERT_TRUE(q.alike_programs < q.programs);
    end(&q);
}

static void test_asked_kinds(void)
{
    static const char *const pairs[][2 * MAX_MODELS + 1] = {
        {"sc", "strict", "sc", "epoch", "sc", "none", "sc", "epoch-individual", NULL},
        {"hrf-direct", "epoch", "hrf-indirect", "epoch", "hrf-direct", "buffered-epoch", "opencl",
         "epoch", NULL},
        {"hrf-direct-relaxed", "strict", "hrf-indirect-relaxed", "strict", "hrf-direct-relaxed",
         "epoch-synchronises", "tso", "strict", NULL},
        {"rc11", "epoch", "c11", "epoch", "rc11", "none", NULL}};
    static const uint32_t dependencies[] = {
        0, DEPENDENCY(GUARD), DEPENDENCY(UNLESS) | DEPENDENCY(DATA), DEPENDENCY(ADDRESS)};
    for (int i = 0; i < 4; i++) {
        struct question q;
        begin(&q, i ? "spb-individual" : "spb", pairs[i]);
        q.bound.events = 2;
        q.bound.barriers = i == 0 ? 2 : i < 3;
        q.bound.untelling = i == 1;
        q.bound.dependencies |= dependencies[i];
        q.bound.orders |= i == 0 ? 0 : i == 3 ? ORDER(SC) : ORDER(REL);
        ask_all(&q);
        CU_ASSERT_TRUE(q.shared > 0);
        CU_ASSERT_TRUE(q.alike_programs < q.programs);
        end(&q);
    }
}

/* Mechanisms, whose instructions are known by tags. */
static void test_asked_mechanisms(void)
{
    static const struct {
        const char *vocabulary, *models[2 * MAX_MODELS + 1];
    } rows[] = {
        {"sbrp", {"sc", "sbrp", "sc", "sbrp-release", "sc", "none", NULL}},
        {"strand", {"sc", "strand", "sc", "strand-waits", "sc", "none", NULL}},
        {"gpm", {"hrf-direct", "gpm", "hrf-direct", "gpm-cumulative", NULL}},
        {"lin", {"sc", "lin-wpq", "sc", "lin-adr", "sc", "none", NULL}},
        {"px86", {"tso", "px86", "tso", "px86-sync", "tso", "px86-man", "tso", "none", NULL}},
        {"tx", {"sc", "kiln", "sc", "kiln-line", "sc", "chen-baseline", "sc", "none", NULL}},
        {"tx",
         {"sc", "chen-helper", "sc", "chen-late-slot", "sc", "chen-helper-strong", "sc",
          "chen-per-block", NULL}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct question q;
        begin(&q, rows[i].vocabulary, rows[i].models);
        q.bound.events = 2;
        q.bound.barriers = i == 0 || i == 1 ? 2 : 1;
        q.bound.hosts = true;
        ask_all(&q);
        end(&q);
    }
}

void suite_gen_alike(void)
{
    CU_pSuite suite = CU_add_suite("gen_alike", NULL, NULL);
    UNIT_TEST(suite, test_barriers);
    UNIT_TEST(suite, test_scopes);
    UNIT_TEST(suite, test_orders);
    UNIT_TEST(suite, test_choices);
    UNIT_HEAVY_TEST(suite, test_asked_scopes);
    UNIT_TEST(suite, test_asked_kinds);
    UNIT_TEST(suite, test_asked_mechanisms);
}
