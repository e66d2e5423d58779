/* Finding files, the order they run in, checks, reserved names, the dump. */
#include "test_cat_fixture.h"

#include "exec/exec_basis.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void load_named(struct cat_fixture *fixture, const char *visibility, const char *persistency)
{
    arena_init(&fixture->arena);
    diag_init(&fixture->diag);
    fixture->model = cat_model_load(&fixture->arena, exec_basis(), NULL, visibility, persistency,
                                    &fixture->diag);
}

/* As files of the user they are warned of where built-in ones would be. */
static void expect_no_warning(const char *visibility, const char *persistency)
{
    char v[96], p[96];
    struct cat_fixture fixture;
    snprintf(v, sizeof v, "models/visibility/%s.cat", visibility);
    snprintf(p, sizeof p, "models/persistency/%s.cat", persistency);
    load_named(&fixture, v, p);
    CU_ASSERT_PTR_NOT_NULL(fixture.model);
    CU_ASSERT_EQUAL(fixture.diag.entries.count, 0);
    cat_fixture_free(&fixture);
}

/* Every visibility file composes with every persistency file, and none is warned of. */
static void test_builtins(void)
{
    uint32_t pairs = 0;
    for (size_t i = 0; i < cat_builtin_count; i++)
        for (size_t j = 0; j < cat_builtin_count; j++) {
            char v[64], p[64];
            if (sscanf(cat_builtins[i].path, "visibility/%63[^.].cat", v) != 1 ||
                sscanf(cat_builtins[j].path, "persistency/%63[^.].cat", p) != 1)
                continue;
            struct cat_fixture fixture;
            load_named(&fixture, v, p);
            CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
            CU_ASSERT_STRING_EQUAL(fixture.model->visibility, v);
            CU_ASSERT_STRING_EQUAL(fixture.model->persistency, p);
            CU_ASSERT_STRING_NOT_EQUAL(fixture.model->title[0], "");
            CU_ASSERT_STRING_NOT_EQUAL(fixture.model->title[1], "");
            cat_fixture_free(&fixture);
            expect_no_warning(v, p);
            pairs++;
        }
    CU_ASSERT(pairs >= 18); /* three visibility and six persistency models at the least */
}

/* What a model that says nothing gets: the contract's defaults. */
static void test_reserved_defaults(void)
{
    static const char *const expected[CAT_RESERVED_COUNT] = {
        [CAT_PERSIST_BEFORE] = "0",
        [CAT_DURABLE_BEFORE] = "0",
        [CAT_EXECUTES_BEFORE] = "(| (| po rf) syncbar)",
        [CAT_PERSIST_ATOMIC] = "(id (& NVM W))",
        [CAT_DURABLE_AFTER] = "0",
        [CAT_CAN_PERSIST] = "(& NVM W)",
        [CAT_LANDS_BEFORE] = "co",
        [CAT_WITHHELD] = "0",
        [CAT_UNDONE] = "0",
        [CAT_MAY_STAY] = "0",
        [CAT_WAITS] = "B"};
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    for (int i = 0; i < CAT_RESERVED_COUNT; i++)
        CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, fixture.model->reserved[i]),
                               expected[i]);
    CU_ASSERT_EQUAL(fixture.model->check_count, 0);
    cat_fixture_free(&fixture);
}

/* `hb` of the visibility file when the persistency file is this. */
static void expect_added(const char *persistency, const char *hb)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let com = po let hb = (po | rf | adds-to-hb)+ acyclic hb as order",
                     persistency);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, cat_fixture_check(&fixture, "order")->node),
                           hb);
    CU_ASSERT_EQUAL(fixture.diag.entries.count, 0);
    cat_fixture_free(&fixture);
}

/* The persistency file runs last, and what it adds to happens-before is there before. */
static void test_added(void)
{
    expect_added("", "(plus (| po rf))");
    expect_added("let adds-to-hb = 0", "(plus (| po rf))");
    expect_added("let adds-to-hb = co", "(plus (| (| po rf) co))");
    expect_added(
        "let f(r) = r; hb let late = f(co) let g(r) = r^-1 let adds-to-hb = g(co) show late",
        "(plus (| (inv co) (| po rf)))");
    expect_added("let adds-to-hb = co let adds-to-hb = adds-to-hb & loc",
                 "(plus (| (& co loc) (| po rf)))");
    expect_added("let adds-to-hb = co let adds-to-hb = 0", "(plus (| po rf))");
    expect_added("let adds-to-hb = com",
                 "(plus (| (| (| co rf) fr) (| po rf)))"); /* the library's */
    expect_added("instructions F['q] let adds-to-hb = po; [Q]; po",
                 "(plus (| (; (; po (id (& 'q.i F))) po) (| po rf)))");
}

/* In its own place it is what the visibility model has counted. Checks of what ran twice are one.
 */
static void test_added_in_place(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let com = po let hb = po | adds-to-hb",
                     "let adds-to-hb = com & loc let persist-before = adds-to-hb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, fixture.model->reserved[CAT_PERSIST_BEFORE]),
                           "(& (| (| co rf) fr) loc)");
    cat_fixture_free(&fixture);
    cat_fixture_load(&fixture, "let hb = po | adds-to-hb",
                     "let rec r = co | (r; co) when acyclic r let adds-to-hb = r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL(fixture.model->check_count, 1);
    cat_fixture_free(&fixture);
}

/* The latest definition counts, and the persistency file runs last. */
static void test_reserved_redefined(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "let persist-before = po let mine = co let waits = B | PB",
                     "let persist-before = mine let durable-before = {}");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    const cat_node_id *reserved = fixture.model->reserved;
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, reserved[CAT_PERSIST_BEFORE]), "co");
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, reserved[CAT_WAITS]), "(| B PB)");
    CU_ASSERT_EQUAL(fixture.model->nodes[reserved[CAT_DURABLE_BEFORE]].sort, CAT_REL);
    cat_fixture_free(&fixture);
    cat_assert_error("let persist-before = W & NVM", DIAG_CAT_RESERVED, 1, 5);
    cat_assert_error("let waits = po", DIAG_CAT_RESERVED, 1, 5);
    cat_assert_error("let executes-before(x) = x", DIAG_CAT_RESERVED, 1, 5);
    cat_assert_error("let waits = B & range(rf)", DIAG_CAT_RESERVED, 1, 5);
    cat_assert_loads("let waits = (_ \\ ~B) | PB & WG"); /* tags alone */
}

static void assert_check(const struct cat_check *check, enum cat_check_kind kind,
                         enum cat_test test, bool negated, const char *name)
{
    CU_ASSERT_EQUAL(check->kind, kind);
    CU_ASSERT_EQUAL(check->test, test);
    CU_ASSERT_EQUAL(check->negated, negated);
    CU_ASSERT_STRING_EQUAL(check->name, name);
}

static void test_checks(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture,
                     "let hb = po | rf\n"
                     "acyclic hb as order\n"
                     "irreflexive hb\n"
                     "empty po & rf\n"
                     "flag ~empty R & W as both\n"
                     "undefined_unless ~acyclic co as race\n"
                     "assert empty rmw as single\n"
                     "acyclic hb as order\n",
                     "irreflexive po; rf");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.model->check_count, 7); /* the repeated one is one */
    const struct cat_check *checks = fixture.model->checks;
    assert_check(&checks[0], CAT_CHECK, CAT_ACYCLIC, false, "order");
    assert_check(&checks[1], CAT_CHECK, CAT_IRREFLEXIVE, false, "hb");   /* the expression's name */
    assert_check(&checks[2], CAT_CHECK, CAT_IS_EMPTY, false, "check-3"); /* third, no name */
    assert_check(&checks[3], CAT_FLAG, CAT_IS_EMPTY, true, "both");
    assert_check(&checks[4], CAT_UNDEFINED_UNLESS, CAT_ACYCLIC, true, "race");
    assert_check(&checks[5], CAT_FLAG, CAT_IS_EMPTY, true, "single"); /* flagged where it fails */
    assert_check(&checks[6], CAT_CHECK, CAT_IRREFLEXIVE, false, "check-7");
    CU_ASSERT_EQUAL(checks[3].span.line, 5);
    CU_ASSERT_EQUAL(fixture.model->nodes[checks[3].node].sort, CAT_SET);
    cat_fixture_free(&fixture);
}

/* Names of the standard library that published models use. */
static void test_library(void)
{
    cat_assert_shape("po-loc", "(& loc po)");
    cat_assert_shape("rfe | coi", "(| (& co int) (& ext rf))");
    cat_assert_shape("fri; fre; coe; rfi",
                     "(; (; (; (& fr int) (& ext fr)) (& co ext)) (& int rf))");
    cat_assert_shape("com", "(| (| co rf) fr)");
    cat_assert_shape("emptyset | R", "R");
    cat_assert_shape("toid(R)", "(id R)");
    cat_assert_shape("udr(po)", "(| (dom po) (rng po))");
    cat_assert_shape("fencerel(F)", "(; (; po (id F)) po)");
    cat_assert_shape("imply(po, rf)", "(| (~ po) rf)");
    cat_assert_shape("imply(R, W)", "(| (~ R) W)");
    cat_assert_shape("singlestep(po)", "(\\ po (; po po))");
    cat_assert_shape("weaklift(rf, sr)", "(; (; sr (\\ rf sr)) sr)");
    cat_assert_shape("stronglift(rf, sr)", "(; (; (opt sr) (\\ rf sr)) (opt sr))");
    cat_assert_shape("co0",
                     "(& (| (x (\\ W (\\ W (dom co))) (\\ W (dom co))) (x IW (\\ W IW))) loc)");
}

/* The idioms that published models are made of, each in a model of its own. */
static void test_idioms(void)
{
    /* C11: release sequences and synchronisation through fences. */
    cat_assert_loads("let release = (W | F) & (REL | ACQ_REL | SC)\n"
                     "let acquire = (R | F) & (ACQ | ACQ_REL | SC)\n"
                     "let rs = [W]; (po & loc)?; [W & ATOMIC]; (rf; rmw)*\n"
                     "let sw = [release]; ([F]; po)?; rs; rf; [R & ATOMIC]; (po; [F])?; [acquire]\n"
                     "let hb = (po | sw | IW * (M \\ IW))+\n"
                     "irreflexive hb; (fr | co | rf)? as coherence\n"
                     "let race = (((W * M) | (M * W)) & loc & ext) \\ (ATOMIC * ATOMIC) \\\n"
                     "           (hb | hb^-1)\n"
                     "undefined_unless empty race as race\n");
    /* Power: preserved program order as four relations that need each other. */
    cat_assert_loads(
        "let dd = addr | data let rdw = po-loc & (fre; rfe)\n"
        "let rec ii = dd | rdw | ci | ic; ci | ii; ii\n"
        "and ic = 0 | ii | cc | ic; cc | ii; ic\n"
        "and ci = ctrl | rfi | ci; ii | cc; ci\n"
        "and cc = dd | ctrl | po-loc | ci | ci; ic | cc; cc\n"
        "let ppo = ([R]; ii; [R]) | ([R]; ic; [W]) acyclic ppo | rfe as no-thin-air\n");
    /* Scoped GPU models: tags of a location's initial write, a function of a set. */
    cat_assert_loads(
        "let of(X) = [range([IW & X]; loc)] | [X & F]\n"
        "let incl = (swg & (WG * WG)) | (sdv & (DV * DV)) | (ALL * ALL)\n"
        "let bar(r) = r; syncbar & ~int & swg; r\n"
        "let ghb = (of(GLOBAL); po; of(GLOBAL) | bar(of(GLOBAL)))+ \\ id\n"
        "acyclic (SC * SC) & incl & (ghb | co) as scoped flag ~empty [B & ~GLOBAL] as b");
    /* Names that only some architectures have. */
    cat_assert_loads("let X = try X with emptyset let lxsx = try lxsx with 0\n"
                     "acyclic [X]; po | lxsx as optional");
    /* herd's ways to coherence, which is a base relation here. */
    cat_assert_loads("include \"cos.cat\" let ca = fr | co acyclic ca");
    cat_assert_loads("if \"cos-opt\" include \"no-such-file.cat\" else include \"cross.cat\" end\n"
                     "with co from generate_cos(co0) acyclic co");
}

/* ---- Variants ---- */

/* The digest of the model; `shape`: that of check c; `told`: the one message, "" without. */
static uint64_t expect_variants(const struct cat_variants *variants, const char *text,
                                const char *shape, const char *told)
{
    struct cat_fixture fixture;
    cat_fixture_load_with(&fixture, variants, text, "");
    const struct cat_check *check = cat_fixture_check(&fixture, "c");
    CU_ASSERT_STRING_EQUAL(check ? cat_fixture_print(&fixture, check->node) : "", shape);
    CU_ASSERT_EQUAL(fixture.diag.entries.count, *told != '\0');
    if (fixture.diag.entries.count)
        CU_ASSERT_STRING_EQUAL(fixture.diag.entries.items[0].message, told);
    uint64_t digest = fixture.model ? fixture.model->digest : 0;
    cat_fixture_free(&fixture);
    return digest;
}

static void test_variants(void)
{
    static const char text[] =
        "let r = if variant \"tso\" && not \"pso\" then po else po | rf acyclic r as c\n"
        "if \"pso\" || (\"a b\") include \"no-such.cat\" end";
    static const char missing[] = "no file \"no-such.cat\" beside this one or among the built-in "
                                  "models; give its path from the folder of this file";
    const struct cat_variants tso = {{{"tso,pso", 3}}, 1}, pso = {{{"pso", 3}}, 1},
                              both = {{{"tso", 3}, {"pso", 3}}, 2}, blank = {{{"a b", 3}}, 1},
                              near = {{{"tos", 3}}, 1}, odd = {{{"\xff%s'", 4}}, 1};
    uint64_t off = expect_variants(NULL, text, "(| po rf)", "");
    CU_ASSERT_NOT_EQUAL(expect_variants(&tso, text, "po", ""), off);
    expect_variants(&pso, text, "", missing);
    expect_variants(&both, text, "", missing);
    expect_variants(&blank, text, "", missing);
    CU_ASSERT_EQUAL(expect_variants(&near, text, "(| po rf)",
                                    "no file of v.cat + p.cat asks about the variant 'tos'; did "
                                    "you mean 'tso'?"),
                    off);
    CU_ASSERT_EQUAL(expect_variants(&odd, text, "(| po rf)",
                                    "no file of v.cat + p.cat asks about the variant '\\xff%s''; "
                                    "they ask about 'tso', 'pso' and 'a b'"),
                    off);
    expect_variants(&tso, "acyclic po as c", "po",
                    "no file of v.cat + p.cat asks about the variant 'tso'; they ask about none");
}

/* Each set of variants has a digest of its own, in whatever order they are on. */
static void test_digest_of_variants(void)
{
    static const char text[] =
        "let r = if \"a\" then (if \"b\" then po else po | rf) else po | co\n"
        "acyclic r as c";
    const struct cat_variants none = {.count = 0}, a = {{{"a", 1}}, 1}, b = {{{"b", 1}}, 1},
                              ab = {{{"a", 1}, {"b", 1}}, 2}, ba = {{{"b", 1}, {"a", 1}}, 2};
    const uint64_t digests[] = {
        expect_variants(&none, text, "(| co po)", ""), expect_variants(&a, text, "(| po rf)", ""),
        expect_variants(&b, text, "(| co po)", ""), expect_variants(&ab, text, "po", "")};
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_NOT_EQUAL(digests[i], digests[k]);
    CU_ASSERT_EQUAL(expect_variants(&ba, text, "po", ""), digests[3]);
}

static void test_unknown_models(void)
{
    static const struct {
        const char *visibility, *persistency;
        enum diag_id id;
        const char *message;
    } cases[] = {
        {"sc", "epocs", DIAG_CAT_MODEL,
         "no built-in persistency model 'epocs'; did you mean 'epoch'?"},
        {"hrf-direkt", "epoch", DIAG_CAT_MODEL,
         "no built-in visibility model 'hrf-direkt'; did you mean 'hrf-direct'?"},
        {"no/such.cat", "epoch", DIAG_FILE_READ,
         "cannot read the visibility model 'no/such.cat': No such file or directory"},
        {"sc", "./", DIAG_FILE_READ, "cannot read the persistency model './': is a directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cat_fixture fixture;
        load_named(&fixture, cases[i].visibility, cases[i].persistency);
        CU_ASSERT_PTR_NULL(fixture.model);
        CU_ASSERT_EQUAL_FATAL(fixture.diag.entries.count, 1);
        const struct diag_entry *entry = &fixture.diag.entries.items[0];
        CU_ASSERT_EQUAL(entry->id, cases[i].id);
        CU_ASSERT_PTR_NULL(entry->span.source);
        CU_ASSERT_STRING_EQUAL(entry->message, cases[i].message);
        cat_fixture_free(&fixture);
    }
}

/* ---- Files that include each other, in a folder of their own ---- */

static char folder[] = "/tmp/crashlit-cat-XXXXXX";

static int make_folder(void)
{
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    return mkdtemp(folder) ? 0 : 1;
}

static const char *file_path(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(file_path(name), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

static int drop_folder(void)
{
    static const char *const names[] = {"top.cat", "part.cat", "sub/deep.cat", "sub/deeper.cat",
                                        "sc.cat",  "loop.cat", "pipe.cat"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)remove(file_path(names[i]));
    (void)rmdir(file_path("sub"));
    return rmdir(folder);
}

static void expect_called(const char *visibility, const char *persistency, const char *first,
                          const char *second)
{
    struct cat_fixture fixture;
    load_named(&fixture, visibility, persistency);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_STRING_EQUAL(fixture.model->called[0], first);
    CU_ASSERT_STRING_EQUAL(fixture.model->called[1], second);
    cat_fixture_free(&fixture);
}

/* By the name at the head, unless that is a built-in's and the file is none. */
static void test_called(void)
{
    expect_called("sc", "epoch", "SC", "epoch");
    write_file("mine.cat", "HOPS \"a title\" let hb = po");
    expect_called(file_path("mine.cat"), "none", "HOPS", "none");
    write_file("mine.cat", "Epoch \"a title\" let hb = po");
    expect_called(file_path("mine.cat"), "none", "mine.cat", "none");
    write_file("mine.cat", "\"a title alone\" let hb = po");
    expect_called(file_path("mine.cat"), "none", "mine.cat", "none");
    CU_ASSERT_EQUAL(remove(file_path("mine.cat")), 0);
}

static void test_include(void)
{
    struct cat_fixture fixture;
    CU_ASSERT_EQUAL_FATAL(mkdir(file_path("sub"), 0700), 0);
    write_file("top.cat", "top\ninclude \"part.cat\" acyclic part as t\ninclude \"hrf.cat\"");
    write_file("part.cat", "\"not a title\" include \"sub/deep.cat\"\nlet part = deep");
    write_file("sub/deep.cat", "include \"deeper.cat\""); /* beside sub/deep.cat */
    write_file("sub/deeper.cat", "let deep = addr");
    load_named(&fixture, file_path("top.cat"), "epoch");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_STRING_EQUAL(fixture.model->title[0], "top");
    CU_ASSERT_STRING_EQUAL(cat_fixture_print(&fixture, cat_fixture_check(&fixture, "t")->node),
                           "addr");
    /* hrf.cat is built in and includes the built-in sc.cat. */
    CU_ASSERT_PTR_NOT_NULL(cat_fixture_check(&fixture, "sequential-consistency"));
    cat_fixture_free(&fixture);
    write_file("sc.cat", "let own = data");
    write_file("top.cat", "include \"sc.cat\" acyclic own as t"); /* one's own comes first */
    load_named(&fixture, file_path("top.cat"), "buffered-epoch");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    CU_ASSERT_PTR_NULL(cat_fixture_check(&fixture, "sequential-consistency"));
    cat_fixture_free(&fixture);
}

static void assert_include_fails(const char *name, enum diag_id id)
{
    struct cat_fixture fixture;
    load_named(&fixture, file_path(name), "epoch");
    CU_ASSERT_PTR_NULL(fixture.model);
    CU_ASSERT_FATAL(fixture.diag.entries.count > 0);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].id, id);
    CU_ASSERT_PTR_NOT_NULL(fixture.diag.entries.items[0].span.source);
    cat_fixture_free(&fixture);
}

static void test_include_faults(void)
{
    write_file("loop.cat", "include \"part.cat\"");
    write_file("part.cat", "include \"loop.cat\"");
    assert_include_fails("loop.cat", DIAG_CAT_INCLUDE_CYCLE);
    write_file("loop.cat", "include \"nowhere.cat\"");
    assert_include_fails("loop.cat", DIAG_CAT_INCLUDE);
    write_file("loop.cat", "include \"sub\""); /* a folder */
    assert_include_fails("loop.cat", DIAG_FILE_REACH);
    CU_ASSERT_EQUAL_FATAL(mkfifo(file_path("pipe.cat"), 0600), 0);
    write_file("loop.cat", "include \"pipe.cat\""); /* reading it would never end */
    assert_include_fails("loop.cat", DIAG_CAT_INCLUDE);
    write_file("loop.cat", "include \"/dev/zero\"");
    assert_include_fails("loop.cat", DIAG_FILE_REACH);
    write_file("part.cat", "let oops = ");
    write_file("loop.cat", "include \"part.cat\"");
    assert_include_fails("loop.cat", DIAG_CAT_SYNTAX);
}

/* The number of files is bounded, however they include each other. */
static void test_include_many(void)
{
    struct cat_fixture fixture;
    struct strbuf text = {0};
    for (int i = 0; i < 300; i++)
        strbuf_add(&text, "include \"stdlib.cat\"\n");
    cat_fixture_load(&fixture, strbuf_text(&text), "");
    CU_ASSERT_PTR_NULL(fixture.model);
    CU_ASSERT_EQUAL_FATAL(fixture.diag.entries.count, 1);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].id, DIAG_CAT_TOO_LARGE);
    cat_fixture_free(&fixture);
    strbuf_fini(&text);
}

/* ---- The dump ---- */

static void test_dump(void)
{
    struct cat_fixture fixture;
    struct strbuf out = {0};
    cat_fixture_load(&fixture, "let rec r = rf | r; po acyclic r", "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    cat_model_dump(fixture.model, &out);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), " : rel = po\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), " : rel dynamic = rf\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), " : rel dynamic = var 0.0  (r)\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), " : rel dynamic = fix 0.0  (r)\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), "\nrec 0 in n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), "\nacyclic n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), "\nwaits n"));
    strbuf_fini(&out);
    cat_fixture_free(&fixture);
}

void suite_cat_model(void)
{
    CU_pSuite suite = CU_add_suite("cat_model", make_folder, drop_folder);
    UNIT_TEST(suite, test_builtins);
    UNIT_TEST(suite, test_reserved_defaults);
    UNIT_TEST(suite, test_added);
    UNIT_TEST(suite, test_added_in_place);
    UNIT_TEST(suite, test_reserved_redefined);
    UNIT_TEST(suite, test_checks);
    UNIT_TEST(suite, test_library);
    UNIT_TEST(suite, test_idioms);
    UNIT_TEST(suite, test_variants);
    UNIT_TEST(suite, test_digest_of_variants);
    UNIT_TEST(suite, test_unknown_models);
    UNIT_TEST(suite, test_called);
    UNIT_TEST(suite, test_include);
    UNIT_TEST(suite, test_include_faults);
    UNIT_TEST(suite, test_include_many);
    UNIT_TEST(suite, test_dump);
}
