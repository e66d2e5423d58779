/* Vocabularies: which one a model has, by the sets that it names; what definitions are, by what they
 * expand to; and files that say more of them. */
#include "unit.h"

#include "test_gen_fixture.h"

/* ---- Of built-in models ---- */

/* What each declares is in models/: SBRP's operations, strands, GPM's, Lin's, x86's, transactions. Of
 * the others those have persist barriers that include collective.cat, for which all of a scope wait,
 * or individual.cat; none has nothing. */
static void of_models(void)
{
    static const struct {
        const char *beginning, *vocabulary;
    } rows[] = {
        {"buffered-epoch-individual", "spb-individual"},
        {"epoch-individual", "spb-individual"},
        {"sbrp", "sbrp"},
        {"strand", "strand"},
        {"gpm", "gpm"},
        {"lin-", "lin"},
        {"px86", "px86"},
        {"kiln", "tx"},
        {"chen-", "tx"},
        {"", "spb"},
    };
    struct session_settings settings = {.unroll = 2, .engine = "enum"};
    struct session_models *models = session_models_new();
    struct arena arena = {0};
    SCOPED(diag) diag = {0};
    uint32_t asked = 0;
    for (size_t i = 0; i < cat_builtin_count; i++) {
        struct gen_vocabularies all = {.arena = &arena, .settings = &settings};
        const struct gen_vocabulary *chosen[GEN_MAX_VOCABULARIES];
        const char *name = source_builtin_name(&arena, &cat_builtins[i]);
        const struct cat_asker user = session_models_user(&settings);
        size_t row = 0;
        if (!source_builtin_is_in(&cat_builtins[i], "persistency"))
            continue;
        while (strncmp(name, rows[row].beginning, strlen(rows[row].beginning)) != 0)
            row++;
        const struct session_model *pair = session_models_get(models, &user, "tso", name);
        CU_ASSERT_EQUAL(gen_vocabularies_of(&all, models, &pair, 1, false, chosen, &diag), 1);
        CU_ASSERT_STRING_EQUAL(chosen[0]->name, rows[row].vocabulary);
        asked++;
    }
    CU_ASSERT_TRUE(asked > 40);
    session_models_free(models);
    arena_fini(&arena);
}

/* ---- Definitions ---- */

static const struct gen_family *named(const struct gen_vocabulary *v, const char *name)
{
    uint32_t f = gen_family_find(v, name);
    CU_ASSERT_TRUE_FATAL(f < v->family_count);
    return &v->families[f];
}

static void is_left_out(const struct gen_vocabulary *v, const char *name, const char *why)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "'%s' (%s)", name, why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(v->left_out);
    CU_ASSERT_PTR_NOT_NULL(strstr(v->left_out, text.text));
    CU_ASSERT_EQUAL(gen_family_find(v, name), v->family_count);
    strbuf_fini(&text);
}

/* Each is what its body says: nothing else is known of it. */
static void classes(void)
{
    struct gen_own own;
    const struct gen_vocabulary *v =
        gen_own_begin(&own, "wait()        { __fence{w}; }\n"
                            "again()       { wait(); }\n"
                            "flush(X)      { __cm{fl}(X); }\n"
                            "put(X, V)     { __store{p, mo_rel, wg_scope}(X, V); }\n"
                            "get(X, O, S)  __load{g, O, S}(X)\n"
                            "swap(X, V)    __xchg{s}(X, V)\n"
                            "done(X)       { __store{d}(X, 1); }\n"
                            "drain(S)      { __fence{dr, S}; }\n"
                            "drain_wg()    { __fence{dr, wg_scope}; }\n"
                            "BEGIN         { __fence{tx_begin}; }\n"
                            "END           { __fence{tx_end}; }\n"
                            "ld(X)         __load{other}(X)\n"
                            "two(X)        { flush(X); wait(); }\n"
                            "copy(X, Y)    { *X = *Y; }\n"
                            "five(X)       { __store{d}(X, 5); }\n"
                            "plus(X, V)    __atomic_fetch_op{a}(X, +, V)\n"
                            "plain(X, V)   { *X = V; }\n"
                            "maybe(X)      { if (X) wait(); }\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT_STRING_EQUAL(v->name, "own");
    CU_ASSERT_STRING_EQUAL(v->uses[0], "own.def");
    const struct gen_family *f = named(v, "wait");
    CU_ASSERT_TRUE(f->class == GEN_POINT && f->traits == (GEN_SPEAKS | GEN_COUNTS));
    CU_ASSERT_STRING_EQUAL(f->text[GEN_OPENCL], "wait();");
    CU_ASSERT_STRING_EQUAL(f->text[GEN_PTX], "wait");
    f = named(v, "flush");
    CU_ASSERT_TRUE(f->class == GEN_LINE && f->traits == (GEN_SPEAKS | GEN_COUNTS | GEN_ANYWHERE));
    CU_ASSERT_STRING_EQUAL(f->text[GEN_PTX], "flush %x");
    f = named(v, "put");
    CU_ASSERT_TRUE(f->class == GEN_STORE && f->orders == 1u << LIT_ORDER_REL &&
                   f->scopes == 1u << LIT_SCOPE_WG && strcmp(f->weaker, "sta") == 0);
    f = named(v, "get");
    /* A load has no order that releases. */
    CU_ASSERT_TRUE(f->class == GEN_LOAD &&
                   f->orders == (1u << LIT_ORDER_RLX | 1u << LIT_ORDER_ACQ | 1u << LIT_ORDER_SC));
    CU_ASSERT_STRING_EQUAL(f->text[GEN_OPENCL], "int %r = get(%x, %o, %s);");
    CU_ASSERT_PTR_NULL(f->text[GEN_PTX]); /* where an operand is no order of PTX's */
    CU_ASSERT_STRING_EQUAL(named(v, "drain")->text[GEN_PTX], "drain %s");
    CU_ASSERT_TRUE(named(v, "swap")->class == GEN_RMW);
    CU_ASSERT_TRUE(named(v, "done")->traits == GEN_STORES_ONE);
    CU_ASSERT_TRUE(named(v, "drain")->scopes >> LIT_SCOPE_WI & 1);
    CU_ASSERT_TRUE(named(v, "BEGIN")->traits == GEN_OPENS && named(v, "END")->traits == GEN_CLOSES);
    CU_ASSERT_STRING_EQUAL(named(v, "BEGIN")->text[GEN_OPENCL], "BEGIN;");
    /* What another one stands for is not there twice, and none has a name of the language's. */
    CU_ASSERT_EQUAL(gen_family_find(v, "again"), v->family_count);
    CU_ASSERT_EQUAL(gen_family_find(v, "drain_wg"), v->family_count);
    CU_ASSERT_EQUAL(v->family_count, GEN_COMMON + 10);
    is_left_out(v, "two", "it is no single instruction");
    is_left_out(v, "copy", "it takes several locations");
    is_left_out(v, "five", "it stores what is neither its value nor 1");
    is_left_out(v, "plus", "it is a read-modify-write, but no exchange");
    is_left_out(v, "plain", "it is an instruction of the language");
    is_left_out(v, "maybe", "it is no single instruction");
    gen_own_end(&own);
    /* An end alone is of no transaction. */
    v = gen_own_begin(&own, "END { __fence{tx_end}; }\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    is_left_out(v, "END", "no mark stands against it");
    gen_own_end(&own);
}

/* ---- Files ---- */

static void expect_fault(const char *text, const char *message)
{
    struct gen_own own;
    struct gen_vocabularies all = {.arena = &own.arena, .settings = &own.settings};
    (void)gen_own_begin(&own, "wait() { __fence{w}; }\nstop() { __fence{s}; }\n");
    const char *path = gen_own_file(&own, "own.vocabulary", text);
    const struct gen_vocabulary *v = gen_vocabulary_read(&all, path, &own.diag);
    CU_ASSERT_PTR_NULL(v);
    CU_ASSERT_TRUE(own.diag.errors > 0);
    if (own.diag.errors)
        CU_ASSERT_PTR_NOT_NULL(strstr(diag_first_error(&own.diag)->message, message));
    gen_own_end(&own);
}

static void files(void)
{
    struct gen_own own;
    struct gen_vocabularies all = {.arena = &own.arena, .settings = &own.settings};
    (void)gen_own_begin(&own, "wait() { __fence{w}; }\nstop() { __fence{s}; }\n");
    const char *path =
        gen_own_file(&own, "own.vocabulary",
                     "# mine\nvocabulary mine # of two\nuses own.def\nhost gpu\n"
                     "levels sg wg\nhalt = stop : own persistency above wait\nwait\n");
    const struct gen_vocabulary *v = gen_vocabulary_read(&all, path, &own.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(v);
    CU_ASSERT_STRING_EQUAL(v->name, "mine");
    CU_ASSERT_EQUAL(v->family_count, GEN_COMMON + 2);
    CU_ASSERT_TRUE(named(v, "halt")->traits == GEN_PERSISTS &&
                   named(v, "wait")->traits == GEN_SPEAKS);
    CU_ASSERT_STRING_EQUAL(named(v, "halt")->weaker, "wait");
    CU_ASSERT_STRING_EQUAL(named(v, "halt")->text[GEN_OPENCL], "stop();");
    CU_ASSERT_TRUE(v->levels == (1u << LIT_SCOPE_SG | 1u << LIT_SCOPE_WG));
    gen_own_end(&own);
    expect_fault("", "expected a line 'vocabulary NAME' first");
    expect_fault("wait\n", "expected a line 'vocabulary NAME' first");
    expect_fault("vocabulary m\nwait\n", "there is no definition of that name above");
    expect_fault("vocabulary m\nuses own.def\nwait : slow\n", "found 'slow', expected own, ");
    expect_fault("vocabulary m\nuses own.def\nwait : above nothing\n",
                 "'wait' is above 'nothing', which is no instruction");
    expect_fault("vocabulary m\nuses own.def\nwait : dev\n", "'wait' has none of these scopes");
    expect_fault("vocabulary m\nuses own.def\nuses own.def\n", "found a second 'uses'");
    expect_fault("vocabulary m\nuses own.def\nwait stop\n", "found 'stop', expected ':'");
    expect_fault("vocabulary m\nlevels high\n", "found 'high', expected scopes");
    expect_fault("vocabulary m\nuses none.def\n", "there is no definition file 'none'");
}

void suite_gen_vocabularies(void)
{
    CU_pSuite suite = CU_add_suite("gen_vocabularies", NULL, NULL);
    UNIT_TEST(suite, of_models);
    UNIT_TEST(suite, classes);
    UNIT_TEST(suite, files);
}
