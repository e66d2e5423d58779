/* Minimal tests of models, whose lists follow by hand. */
#include "unit.h"

#include "test_gen_fixture.h"

#include "generate/gen_minimal.h"
#include "session/session_models.h"

struct finding {
    const struct gen_bound *bound;
    struct gen_asker asker;
    struct gen_memory *memory;
    struct gen_minimal minimal;
    struct strbuf text;
};

static bool find(void *context, const struct gen_program *program, uint64_t number)
{
    struct finding *f = context;
    (void)number;
    gen_minimal_find(f->bound, &f->asker, f->memory, program, &f->minimal);
    CU_ASSERT_PTR_NULL(f->minimal.doubt);
    for (uint32_t i = 0; i < f->minimal.count; i++) {
        if (i == 0)
            gen_line(f->bound->vocabulary, program, &f->text);
        strbuf_add(&f->text, " ~ ");
        gen_print_outcome(f->bound->vocabulary, program, &f->minimal.outcomes[i], &f->text);
    }
    if (f->minimal.count)
        strbuf_add_char(&f->text, '\n');
    return true;
}

static void expect_list(const struct gen_bound *bound, const char *visibility,
                        const char *persistency, const char *expected)
{
    const struct session_settings settings = {.unroll = 2};
    struct session_models *models = session_models_new();
    const struct cat_asker user = session_models_user(&settings);
    struct finding *f = base_realloc(NULL, sizeof *f);
    *f = (struct finding){
        .bound = bound,
        .asker = {.settings = &settings,
                  .model = session_models_get(models, &user, visibility, persistency),
                  .vocabulary = bound->vocabulary,
                  .dialect = bound->dialect,
                  .engine = "enum"},
        .memory = gen_memory_new()};
    gen_enumerate_all(bound, find, f);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&f->text), expected);
    gen_memory_free(f->memory);
    gen_asker_fini(&f->asker);
    strbuf_fini(&f->text);
    base_free(f);
    session_models_free(models);
}

/* Coherence: no read of one's own later write; one's own earlier write, or a later one, is read;
 * the later write is the last. */
#define COHERENCE                     \
    "x | P0: ld x; st x ~ 0:r0 = 1\n" \
    "x | P0: st x; ld x ~ 0:r0 = 0\n"

static void two_accesses(void)
{
    struct gen_bound bound;
    gen_bound_init(&bound, gen_vocabulary_named("spb"), GEN_OPENCL);
    bound.events = 2;
    bound.barriers = 0;
    expect_list(&bound, "sc", "none", COHERENCE "x | P0: st x; st x ~ x = 1\n");
    /* Strict: a write is durable before what follows it executes: the own read, the next write, and
     * the read of another that sees it. Two writes of one location show nothing: either may be what
     * is left. */
    expect_list(&bound, "sc", "strict",
                COHERENCE "x* | P0: st x; ld x ~ 0:r0 = 1 /\\ x = 0\n"
                          "x | P0: st x; st x ~ x = 1\n"
                          "x* y* | P0: st x; st y ~ x = 0 /\\ y = 1\n"
                          "x* | P0: ld x | P1: st x ~ 0:r0 = 1 /\\ x = 0\n");
}

/* With a barrier each, in the work-item or met by two. The end behind a barrier tells that it was
 * executed; of two writes before it the last is durable. */
static void barriers(void)
{
    struct gen_bound bound;
    gen_bound_init(&bound, gen_vocabulary_named("spb"), GEN_OPENCL);
    bound.events = 2;
    bound.families = ~(1u << gen_family_find(bound.vocabulary, "bar"));
    bound.volatiles = false;
    expect_list(&bound, "sc", "epoch",
                "x* | P0: st x; p_barrier.wi ~ 0:ended = 1 /\\ x = 0\n"
                "x* | P0: st x; st x; p_barrier.wi ~ 0:ended = 1 /\\ x = 1\n"
                "x* | P0: st x; p_barrier.wi; ld x ~ 0:r0 = 1 /\\ x = 0\n"
                "x* y* | P0: st x; p_barrier.wi; st y ~ x = 0 /\\ y = 1\n"
                "x* | P0: st x; p_barrier.wg | P1: p_barrier.wg ~ 1:ended = 1 /\\ x = 0\n"
                "x* | P0: st x; st x; p_barrier.wg | P1: p_barrier.wg ~ 1:ended = 1 /\\ x = 1\n"
                "x* | P0: st x; p_barrier.wg | P1: p_barrier.wg; ld x ~ 1:r0 = 1 /\\ x = 0\n"
                "x* y* | P0: st x; p_barrier.wg | P1: p_barrier.wg; st y ~ x = 0 /\\ y = 1\n");
    /* Order alone: who has an end or a read behind the barrier knows nothing. */
    expect_list(&bound, "sc", "buffered-epoch",
                "x* y* | P0: st x; p_barrier.wi; st y ~ x = 0 /\\ y = 1\n"
                "x* y* | P0: st x; p_barrier.wg | P1: p_barrier.wg; st y ~ x = 0 /\\ y = 1\n");
    expect_list(&bound, "sc", "none", "");
}

/* A store of the value and a release of the flag, and who sees the flag acquires. Of two groups
 * with the scope of the group it is a race. Of one group with the scope of the device: where both
 * scopes have to be one, neither can be narrowed alone, and the test is minimal; where it is enough
 * that each includes the other work-item, it is not. */
static void expect_passing(const char *visibility, bool wide_is_minimal)
{
    struct gen_bound bound;
    gen_bound_init(&bound, gen_vocabulary_named("spb"), GEN_OPENCL);
    bound.barriers = 0;
    bound.nvm = false;
    bound.orders |= 1u << LIT_ORDER_ACQ | 1u << LIT_ORDER_REL;
    bound.scopes = 1u << LIT_SCOPE_WI | 1u << LIT_SCOPE_WG | 1u << LIT_SCOPE_DV;
    bound.dependencies |= 1u << GEN_GUARD;
    const struct gen_vocabulary *v = bound.vocabulary;
    bound.families = 1u << gen_family_find(v, "ld") | 1u << gen_family_find(v, "st") |
                     1u << gen_family_find(v, "lda") | 1u << gen_family_find(v, "sta");
    const struct session_settings settings = {.unroll = 2};
    struct session_models *models = session_models_new();
    const struct cat_asker user = session_models_user(&settings);
    struct gen_asker asker = {.settings = &settings,
                              .model = session_models_get(models, &user, visibility, "none"),
                              .vocabulary = v,
                              .dialect = GEN_OPENCL,
                              .engine = "enum"};
    struct gen_memory *memory = gen_memory_new();
    struct gen_minimal *minimal = base_realloc(NULL, sizeof *minimal);
    for (uint32_t apart = 0; apart < 2; apart++)
        for (uint32_t wide = 0; wide < 2; wide++) {
            struct gen_program p, canonical;
            const uint8_t scope = wide ? LIT_SCOPE_DV : LIT_SCOPE_WG;
            gen_program_init(&p, 2);
            if (apart)
                gen_place_apart(&p, 0, 1, LIT_SCOPE_KR);
#define OP(family, order, level, place, depends) \
    (struct gen_op){{(uint8_t)gen_family_find(v, family), order, level}, place, depends, 0}
            (void)gen_add(&p, 0, OP("st", LIT_ORDER_NA, LIT_SCOPE_WI, 0, GEN_FREE));
            (void)gen_add(&p, 0, OP("sta", LIT_ORDER_REL, scope, 1, GEN_FREE));
            (void)gen_add(&p, 1, OP("lda", LIT_ORDER_ACQ, scope, 1, GEN_FREE));
            (void)gen_add(&p, 1, OP("ld", LIT_ORDER_NA, LIT_SCOPE_WI, 0, GEN_GUARD));
            gen_canonical(&p, &canonical, NULL, NULL);
            gen_minimal_find(&bound, &asker, memory, &canonical, minimal);
            CU_ASSERT_PTR_NULL(minimal->doubt);
            CU_ASSERT_EQUAL(minimal->undefined, apart && !wide);
            CU_ASSERT_EQUAL(minimal->count, apart ? wide : !wide || wide_is_minimal);
        }
    base_free(minimal);
    gen_memory_free(memory);
    gen_asker_fini(&asker);
    session_models_free(models);
}

static void message_passing(void)
{
    expect_passing("hrf-direct", true);
    expect_passing("hrf-direct-relaxed", false);
}

/* Of programs that are left out few are minimal tests, and these tell nothing more: that the only
 * write of a location is its last, which no model denies; and that a write is durable before a read
 * of what nobody writes, as it is before the end. Parts that have nothing in common are two tests.
 */
static void what_is_left_out(void)
{
    struct gen_bound bound;
    gen_bound_init(&bound, gen_vocabulary_named("spb"), GEN_OPENCL);
    bound.events = 2;
    bound.barriers = 1;
    bound.untelling = true;
    static const char expected[] = "x | P0: st x ~ x = 0\n" COHERENCE "x | P0: st x; st x ~ x = 1\n"
                                   "x* | P0: st x; p_barrier.wi ~ 0:ended = 1 /\\ x = 0\n"
                                   "x* | P0: st x; st x; p_barrier.wi ~ 0:ended = 1 /\\ x = 1\n"
                                   "x* | P0: st x; p_barrier.wi; ld x ~ 0:r0 = 1 /\\ x = 0\n"
                                   "x* y | P0: st x; p_barrier.wi; ld y ~ 0:r0 = 0 /\\ x = 0\n"
                                   "x* y* | P0: st x; p_barrier.wi; st y ~ x = 0 /\\ y = 1\n";
    expect_list(&bound, "sc", "epoch", expected);
}

void suite_gen_minimal(void)
{
    CU_pSuite suite = CU_add_suite("gen_minimal", NULL, NULL);
    UNIT_TEST(suite, two_accesses);
    UNIT_TEST(suite, barriers);
    UNIT_TEST(suite, what_is_left_out);
    UNIT_TEST(suite, message_passing);
}
