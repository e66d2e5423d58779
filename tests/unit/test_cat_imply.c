/* What a model's checks leave to be chosen (cat_imply.h), held to its meaning: whatever pair it
 * gives away, a witness with that pair decided the other way is not viable. The other half, that
 * none is missed, holds where a pair takes one way only through each check. */
#include "unit.h"

#include "cat/cat_imply.h"
#include "cat/cat_model.h"
#include "exec/exec_basis.h"

#include <string.h>

/* No base is on two ways to one check: every pair that decides is found. */
static const char *const single[] = {
    "acyclic po | rf | co | fr as one",
    "irreflexive co; po as behind\nirreflexive po; rf as before",
    "empty rmw & (fr; po) as atomic",
    "empty po \\ co as called-for\nempty fr & po as barred",
    "empty (po & loc) \\ (co | id) as within",
    "irreflexive (po; (rf | loc))+ as closed",
    "acyclic po | co^-1 as turned",
    "irreflexive po; ~(co | po); loc as complement",
    "irreflexive [W]; co; [R]; po as masked",
    "acyclic (rf; co)* \\ id as star",
};

/* Here one pair may act twice, or stand under a recursion. */
static const char *const manifold[] = {
    "empty rmw & (fr; co) as atomic\nacyclic po | co as order",
    "let eco = (rf | co | fr)+\nlet hb = (po | rf; [R]; po)+\nirreflexive hb; eco? as coherence",
    "let rec a = po | a; rf\nirreflexive a; co as below\nempty co; co \\ co as transitive",
    "~empty rf & co as needed\nacyclic (rf; co)* \\ id as star",
    "empty domain(rf) \\ W as sets\nirreflexive co; rf; co as twice",
    "empty co? \\ (po | fr?) as opt\nflag ~empty rf as f\nundefined_unless empty co as u",
};

struct imply_case {
    struct arena arena;
    const struct cat_model *model;
    struct cat_eval *eval;
    struct cat_implied *implied;
    struct rel_dim dim;
};

static void load(struct imply_case *c, const char *text)
{
    struct diag diag;
    diag_init(&diag);
    arena_init(&c->arena);
    c->model = cat_model_load_sources(&c->arena, exec_basis(), NULL,
                                      source_from_text(&c->arena, "v.cat", text, strlen(text)),
                                      source_from_text(&c->arena, "p.cat", "", 0), &diag);
    if (!c->model)
        fprintf(stderr, "%s\n", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c->model);
    diag_fini(&diag);
}

static void evaluate_on(struct imply_case *c, uint32_t n)
{
    c->dim = rel_dim_make(n);
    c->eval = cat_eval_new(&c->arena, cat_plan_new(&c->arena, c->model), c->dim);
    c->implied = cat_implied_new(&c->arena, c->eval);
}

/* Random bases, the lower bounds of dynamic ones within the upper ones. Program order and what
 * else has one direction goes upwards, so that enough is viable. */
static void randomise(struct imply_case *c, uint64_t *seed)
{
    for (uint32_t base = 0; base < c->model->basis->count; base++) {
        const struct cat_base *of = &c->model->basis->names[base];
        rel_word *low = cat_eval_base(c->eval, base, false);
        rel_word *high = cat_eval_base(c->eval, base, true);
        uint32_t rows = of->sort == CAT_SET ? 1 : c->dim.n;
        for (uint32_t a = 0; low && a < rows; a++)
            for (uint32_t b = 0; b < c->dim.n; b++) {
                size_t at = (size_t)a * c->dim.words + b / 64;
                rel_word bit = UINT64_C(1) << (b % 64);
                bool in = unit_random(seed) % (of->sort == CAT_SET ? 2 : 5) == 0;
                in = base == EXEC_REL_ID ? a == b : in && (of->sort == CAT_SET || a < b);
                low[at] = in ? low[at] | bit : low[at] & ~bit;
                if (!high || high == low)
                    continue;
                bool may = in || unit_random(seed) % 2;
                high[at] = may ? high[at] | bit : high[at] & ~bit;
            }
    }
}

static bool without(struct imply_case *c, rel_word *bound, uint32_t a, uint32_t b)
{
    bound[(size_t)a * c->dim.words + b / 64] ^= UINT64_C(1) << (b % 64);
    bool viable = cat_eval_viable(c->eval);
    bound[(size_t)a * c->dim.words + b / 64] ^= UINT64_C(1) << (b % 64);
    return viable;
}

static unsigned found;

/* Turning each pair of a bound round: not viable where it was given away, and, when all are to be
 * found, nowhere else. `in`: whether it is there to begin with. */
static void compare(struct imply_case *c, const rel_word *given, rel_word *bound, bool in, bool all)
{
    rel_word *copy = ARENA_ARRAY(&c->arena, rel_word, rel_words(c->dim));
    if (given)
        rel_copy(c->dim, copy, given);
    for (uint32_t a = 0; a < c->dim.n; a++)
        for (uint32_t b = 0; b < c->dim.n; b++) {
            bool decided = given && rel_has(c->dim, copy, a, b);
            if (rel_has(c->dim, bound, a, b) != in) {
                CU_ASSERT(in || !decided); /* what is there already cannot break anything */
                continue;
            }
            bool viable = without(c, bound, a, b);
            CU_ASSERT(!decided || !viable);
            CU_ASSERT(!all || decided || viable);
            found += decided;
        }
}

static void compare_all(struct imply_case *c, bool all)
{
    static const uint32_t bases[] = {EXEC_REL_RF, EXEC_REL_CO, EXEC_REL_FR};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        rel_word *low = cat_eval_base(c->eval, bases[i], false);
        rel_word *high = cat_eval_base(c->eval, bases[i], true);
        if (!cat_eval_viable(c->eval))
            return;
        cat_implied_find(c->implied);
        if (low)
            compare(c, cat_implied_out(c->implied, bases[i]), low, false, all);
        CU_ASSERT(cat_eval_viable(c->eval));
        cat_implied_find(c->implied);
        if (high && high != low)
            compare(c, cat_implied_in(c->implied, bases[i]), high, true, all);
    }
}

static void hold(const char *const *models, size_t count, bool all)
{
    static const uint32_t sizes[] = {1, 4, 6, 65};
    uint64_t seed = 7;
    for (size_t m = 0; m < count; m++) {
        struct imply_case c;
        unsigned before = found;
        load(&c, models[m]);
        for (uint32_t round = 0; round < 60; round++) {
            struct arena_mark mark = arena_mark(&c.arena);
            evaluate_on(&c, sizes[round % 20 ? round % 3 : 3]);
            randomise(&c, &seed);
            if (cat_eval_static(c.eval) && (c.dim.n < 65 || round == 0))
                compare_all(&c, all);
            arena_rewind(&c.arena, mark);
        }
        if (found == before)
            fprintf(stderr, "nothing found: %s\n", models[m]);
        CU_ASSERT(found > before); /* else the model is too seldom viable to show anything */
        arena_fini(&c.arena);
    }
}

static void test_what_is_found_decides(void)
{
    hold(manifold, sizeof manifold / sizeof *manifold, false);
}

static void test_all_that_decides_is_found(void)
{
    hold(single, sizeof single / sizeof *single, true);
}

/* Two read-modify-writes, 1 to 2 and 3 to 4, after a write 0, of which both read. Nothing may stand
 * between 0 and 2, so not 4, nor 2 between 0 and 4: 2 and 4 are ordered in neither way. The
 * order of 0 and itself is barred by nothing, that of 2 and 0 not either: coherence is no check
 * here. */
static void test_atomicity_by_hand(void)
{
    struct imply_case c;
    load(&c, "empty rmw & (fr; co) as atomicity");
    evaluate_on(&c, 5);
    rel_word *rmw = cat_eval_base(c.eval, EXEC_REL_RMW_PAIR, false);
    rel_add(c.dim, rmw, 1, 2);
    rel_add(c.dim, rmw, 3, 4);
    rel_word *fr = cat_eval_base(c.eval, EXEC_REL_FR, false);
    for (uint32_t read = 1; read <= 3; read += 2)
        for (uint32_t write = 2; write <= 4; write += 2)
            rel_add(c.dim, fr, read, write);
    CU_ASSERT(cat_eval_static(c.eval) && cat_eval_viable(c.eval));
    cat_implied_find(c.implied);
    const rel_word *co = cat_implied_out(c.implied, EXEC_REL_CO);
    for (uint32_t a = 0; a < 5; a++)
        for (uint32_t b = 0; b < 5; b++) {
            bool between = (a == 2 || a == 4) && (b == 2 || b == 4);
            CU_ASSERT_EQUAL(rel_has(c.dim, co, a, b), between);
        }
    CU_ASSERT_PTR_NULL(cat_implied_out(c.implied, EXEC_REL_RF)); /* the model does not mention it */
    arena_fini(&c.arena);
}

void suite_cat_imply(void)
{
    CU_pSuite suite = CU_add_suite("cat_imply", NULL, NULL);
    UNIT_TEST(suite, test_what_is_found_decides);
    UNIT_TEST(suite, test_all_that_decides_is_found);
    UNIT_TEST(suite, test_atomicity_by_hand);
}
