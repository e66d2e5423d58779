/* The evaluator against the definition of every operator (naive.h), and the bounds
 * against all that they must never exclude. */
#include "test_naive.h"
#include "unit.h"

#include "cat/cat_eval.h"
#include "cat/cat_model.h"
#include "exec/exec_basis.h"

#include <string.h>

/* Each model's checks cover operators at both sides of a bound. */
static const char *const models[] = {
    "let com = rf | co | fr\nacyclic po | com as sc\nempty rmw & (fr; co) as atomic",
    "let far = ~(po | rf)\nirreflexive far; co; far as complement\n~empty rf \\ co as difference",
    "let rec a = po | b; rf and b = rf | a; co\nacyclic a & loc as mutual\nempty b & fr & id as b",
    "empty [W]; (rf | co)+; [R] & fr^-1 as masks\n~acyclic (rf; fr)* \\ id as star\n"
    "~irreflexive co?; rf as opt",
    "let far = domain(rf) | range(co \\ rf)\nempty far \\ (W | R | M) as sets\n"
    "empty (domain(fr) * range(fr)) & id & rf as product\nundefined_unless empty rf & po as race",
    "let rec up = (rf | co) | (up; up) \\ po\nacyclic up as nonlinear",
    /* All but the last of these is static, and read again when more has been computed. */
    "let p = po | loc\nlet q = p; loc\nlet r = q \\ p\nlet t = (r | id); (q & ~p)\n"
    "flag ~empty (t | p) & ~r as passing\nflag ~empty q^-1; t as more\nempty rf & co & p as open",
    /* A required check reads what others read before it. */
    "let p = po | loc\nlet r = (p; po) | id\nlet x = loc; p\nlet y = (x; po) \\ loc\n"
    "empty (y; y) & po & loc & ext as static\nflag ~empty r \\ loc as passing\n"
    "empty rf & co as open",
};

struct bounds_case {
    struct arena arena;
    const struct cat_model *model;
    const struct cat_plan *plan;
    struct rel_dim dim;
    rel_word **exact, **lower, **upper; /* per base */
};

static size_t base_words(const struct bounds_case *c, uint32_t base)
{
    return c->model->basis->names[base].sort == CAT_SET ? rel_set_words(c->dim) : rel_words(c->dim);
}

/* Random values, with `lower` within and `upper` around the dynamic ones. */
static void randomise(struct bounds_case *c, uint64_t *seed, unsigned sparse)
{
    uint32_t bases = c->model->basis->count;
    rel_word **tables[3];
    for (int t = 0; t < 3; t++)
        tables[t] = ARENA_ARRAY(&c->arena, rel_word *, bases);
    c->exact = tables[0];
    c->lower = tables[1];
    c->upper = tables[2];
    for (uint32_t base = 0; base < bases; base++) {
        size_t words = base_words(c, base), rows = words / c->dim.words;
        for (int t = 0; t < 3; t++)
            tables[t][base] = ARENA_ARRAY(&c->arena, rel_word, words);
        for (size_t row = 0; row < rows; row++)
            for (uint32_t e = 0; e < c->dim.n; e++) {
                rel_word bit = UINT64_C(1) << (e % 64);
                size_t at = row * c->dim.words + e / 64;
                bool in = unit_random(seed) % sparse == 0;
                bool dynamic = c->model->basis->names[base].dynamic;
                c->exact[base][at] |= in ? bit : 0;
                c->lower[base][at] |= in && (!dynamic || unit_random(seed) % 2) ? bit : 0;
                c->upper[base][at] |= in || (dynamic && unit_random(seed) % 4 == 0) ? bit : 0;
            }
    }
}

/* What is static is written once. */
static struct cat_eval *evaluation_on(struct bounds_case *c, struct cat_fixed *fixed,
                                      rel_word **lower, rel_word **upper)
{
    struct cat_eval *eval = cat_eval_new_on(&c->arena, c->plan, fixed);
    for (uint32_t base = 0; base < c->model->basis->count; base++) {
        if (cat_fixed_known(fixed) && !c->model->basis->names[base].dynamic)
            continue;
        rel_word *low = cat_eval_base(eval, base, false), *high = cat_eval_base(eval, base, true);
        size_t size = base_words(c, base) * sizeof(rel_word);
        if (low)
            memcpy(low, lower[base], size);
        if (high)
            memcpy(high, upper[base], size);
    }
    return eval;
}

static struct cat_eval *evaluation(struct bounds_case *c, rel_word **lower, rel_word **upper)
{
    return evaluation_on(c, cat_fixed_new(&c->arena, c->plan, c->dim), lower, upper);
}

static bool naive_passes(struct bounds_case *c, const struct naive_model *naive)
{
    for (uint32_t i = 0; i < c->model->check_count; i++)
        if (c->model->checks[i].kind == CAT_CHECK &&
            !naive_holds(&c->arena, naive, &c->model->checks[i]))
            return false;
    return true;
}

static bool exact_passes(struct cat_eval *eval)
{
    return cat_eval_static(eval) && cat_eval_exact(eval);
}

static bool same_value(struct bounds_case *c, const rel_word *value, const uint64_t *naive,
                       enum cat_sort sort)
{
    size_t rows = sort == CAT_SET ? 1 : c->dim.n;
    for (size_t row = 0; row < rows; row++)
        for (uint32_t e = 0; e < c->dim.n; e++)
            if ((value[row * c->dim.words + e / 64] >> (e % 64) & 1) !=
                naive_has(c->dim.n, naive, (uint32_t)row, e))
                return false;
    return true;
}

static void load(struct bounds_case *c, const char *text)
{
    struct diag diag;
    diag_init(&diag);
    arena_init(&c->arena);
    c->model = cat_model_load_sources(&c->arena, exec_basis(), NULL,
                                      source_from_text(&c->arena, "v.cat", text, strlen(text)),
                                      source_from_text(&c->arena, "p.cat", "", 0), &diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c->model);
    c->plan = cat_plan_new(&c->arena, c->model);
    diag_fini(&diag);
}

static unsigned passed, lost;

/* Two evaluations on one skeleton, the second of which computes nothing static. */
static void try_kept(struct bounds_case *c, const struct naive_model *naive, bool holds)
{
    struct cat_fixed *fixed = cat_fixed_new(&c->arena, c->plan, c->dim);
    (void)cat_eval_static(evaluation_on(c, fixed, c->lower, c->upper));
    CU_ASSERT(cat_fixed_known(fixed));
    struct cat_eval *again = evaluation_on(c, fixed, c->exact, c->exact);
    CU_ASSERT_EQUAL(exact_passes(again), holds);
    for (uint32_t i = 0; holds && i < c->model->check_count; i++) {
        cat_node_id node = c->model->checks[i].node;
        CU_ASSERT(same_value(c, cat_eval_value(again, node), naive->values[node],
                             c->model->nodes[node].sort));
    }
}

/* An evaluation in two steps: required checks, then the rest. */
static void try_steps(struct bounds_case *c, const struct naive_model *naive, bool holds)
{
    struct cat_eval *eval = evaluation(c, c->exact, c->exact);
    bool consistent = cat_eval_static(eval) && cat_eval_consistent(eval);
    CU_ASSERT_EQUAL(consistent, holds);
    CU_ASSERT(!consistent || cat_eval_rest(eval));
    for (uint32_t i = 0; consistent && i < c->model->check_count; i++) {
        cat_node_id node = c->model->checks[i].node;
        CU_ASSERT(same_value(c, cat_eval_value(eval, node), naive->values[node],
                             c->model->nodes[node].sort));
    }
}

static void try_case(struct bounds_case *c, uint32_t n, uint64_t *seed)
{
    c->dim = rel_dim_make(n);
    randomise(c, seed, 2 + (unsigned)(unit_random(seed) % (2 * n)));
    const struct naive_model given = {
        .model = c->model, .n = n, .bases = (const uint64_t *const *)c->exact};
    struct naive_model naive = naive_evaluate(&c->arena, &given, NULL);
    struct cat_eval *exact = evaluation(c, c->exact, c->exact);
    struct cat_eval *tight = evaluation(c, c->exact, c->exact);
    struct cat_eval *loose = evaluation(c, c->lower, c->upper);
    bool holds = naive_passes(c, &naive);
    CU_ASSERT_EQUAL(exact_passes(exact), holds);
    CU_ASSERT_EQUAL(cat_eval_static(tight) && cat_eval_viable(tight), holds);
    bool viable = cat_eval_static(loose) && cat_eval_viable(loose);
    CU_ASSERT(viable || !holds);
    passed += holds;
    lost += !viable;
    try_kept(c, &naive, holds);
    try_steps(c, &naive, holds);
    for (uint32_t i = 0; holds && i < c->model->check_count; i++) {
        cat_node_id node = c->model->checks[i].node;
        CU_ASSERT(same_value(c, cat_eval_value(exact, node), naive.values[node],
                             c->model->nodes[node].sort));
    }
}

/* Gives some dynamic bases new bounds, there and in the case, and tells the evaluation which. */
static void change_some(struct bounds_case *c, struct cat_eval *eval, uint64_t *seed)
{
    rel_word **lower = c->lower, **upper = c->upper;
    randomise(c, seed, 2 + (unsigned)(unit_random(seed) % (2 * c->dim.n)));
    for (uint32_t base = 0; base < c->model->basis->count; base++) {
        bool moves = c->model->basis->names[base].dynamic && unit_random(seed) % 2;
        size_t size = base_words(c, base) * sizeof(rel_word);
        rel_word *low = cat_eval_base(eval, base, false), *high = cat_eval_base(eval, base, true);
        if (!moves) {
            c->lower[base] = lower[base];
            c->upper[base] = upper[base];
            continue;
        }
        if (low)
            memcpy(low, c->lower[base], size);
        if (high)
            memcpy(high, c->upper[base], size);
        cat_eval_changed(eval, base);
    }
}

static unsigned kept, given_up;

/* What is asked again after some bases changed is what an evaluation from the start answers, also
 * when lower bounds were made exact in between. */
static void follow_changes(struct bounds_case *c, uint32_t n, uint64_t *seed)
{
    c->dim = rel_dim_make(n);
    randomise(c, seed, 3 * n);
    struct cat_eval *eval = evaluation(c, c->lower, c->upper);
    if (!cat_eval_static(eval))
        return;
    for (int step = 0; step < 12; step++) {
        struct cat_eval *fresh = evaluation(c, c->lower, c->upper);
        bool viable = cat_eval_static(fresh) && cat_eval_viable(fresh);
        CU_ASSERT_EQUAL(cat_eval_still_viable(eval), viable);
        *(viable ? &kept : &given_up) += 1;
        if (unit_random(seed) % 4 == 0)
            (void)cat_eval_exact(eval);
        change_some(c, eval, seed);
    }
}

static void test_changes(void)
{
    uint64_t seed = 11;
    kept = given_up = 0;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int round = 0; round < 60; round++) {
            struct bounds_case c;
            load(&c, models[m]);
            follow_changes(&c, 2 + (uint32_t)round % 7, &seed);
            arena_fini(&c.arena);
        }
    CU_ASSERT(kept > 100);
    CU_ASSERT(given_up > 100);
}

static void test_bounds_and_values(void)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 9, 63, 64, 65};
    uint64_t seed = 7;
    passed = lost = 0;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int round = 0; round < (sizes[s] > 9 ? 3 : 60); round++) {
                struct bounds_case c;
                load(&c, models[m]);
                try_case(&c, sizes[s], &seed);
                arena_fini(&c.arena);
            }
    /* Not vacuous: many inputs pass, and many are lost on bounds alone. */
    CU_ASSERT(passed > 100);
    CU_ASSERT(lost > 100);
}

/* let rec is the least fixpoint: r = r has the empty relation as least solution and
 * every relation as some solution, so `~empty r` must fail. */
static void test_least_fixpoint(void)
{
    struct bounds_case c;
    uint64_t seed = 3;
    load(&c, "let rec r = r & rf\n~empty r as not-least");
    c.dim = rel_dim_make(4);
    randomise(&c, &seed, 1);
    struct cat_eval *eval = evaluation(&c, c.exact, c.exact);
    CU_ASSERT_FALSE(exact_passes(eval));
    arena_fini(&c.arena);
}

void suite_cat_eval(void)
{
    CU_pSuite suite = CU_add_suite("cat_eval", NULL, NULL);
    UNIT_TEST(suite, test_bounds_and_values);
    UNIT_TEST(suite, test_changes);
    UNIT_TEST(suite, test_least_fixpoint);
}
