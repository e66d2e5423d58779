/* Sketches: what is open, which values there are, and the text of a filling. Expected values are by
 * docs/using/language.md, Holes. */
#include "test_lit_fixture.h"

#include "sketch/sketch.h"

struct sketch_fixture {
    struct arena arena;
    struct diag diag;
    const struct sketch *sketch; /* NULL: refused */
    struct strbuf messages, choices;
};

static void describe(struct sketch_fixture *fixture)
{
    const struct sketch *sketch = fixture->sketch;
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        const struct sketch_choice *choice = &sketch->choices[c];
        if (choice->name)
            strbuf_printf(&fixture->choices, "?%s:", choice->name);
        else
            strbuf_printf(&fixture->choices, "line %u:", choice->places[0].span.line);
        for (uint32_t v = 0; v < choice->value_count; v++)
            strbuf_printf(&fixture->choices, " %s", choice->values[v].label);
        strbuf_add(&fixture->choices, "\n");
    }
}

static void read_sketch(struct sketch_fixture *fixture, const char *const *texts, uint32_t count,
                        const struct sketch_wish *wish)
{
    *fixture = (struct sketch_fixture){0};
    arena_init(&fixture->arena);
    diag_init(&fixture->diag);
    const struct source **sources = ARENA_ARRAY(&fixture->arena, const struct source *, count);
    for (uint32_t i = 0; i < count; i++)
        sources[i] = source_from_text(&fixture->arena, arena_printf(&fixture->arena, "t%u", i),
                                      texts[i], strlen(texts[i]));
    fixture->sketch = sketch_read(&fixture->arena, sources, count, wish, &fixture->diag);
    diag_render(&fixture->diag, &fixture->messages);
    CU_ASSERT((fixture->sketch == NULL) == (fixture->diag.errors > 0));
    if (fixture->sketch)
        describe(fixture);
}

static void fini(struct sketch_fixture *fixture)
{
    strbuf_fini(&fixture->messages);
    strbuf_fini(&fixture->choices);
    diag_fini(&fixture->diag);
    arena_fini(&fixture->arena);
}

static const struct sketch_wish nothing;

/* The body of a work-item P0, on line 3, and a library of what it speaks of. */
#define TEST(body)                                                                                 \
    "OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\nP0 (global int* x, global atomic_int* f) { " body \
    " }\nexists (x = 0)\n"

static void expect_choices(const char *text, const char *choices)
{
    struct sketch_fixture fixture;
    read_sketch(&fixture, &text, 1, &nothing);
    lit_expect_text(strbuf_text(&fixture.messages), "");
    lit_expect_text(strbuf_text(&fixture.choices), choices);
    fini(&fixture);
}

/* The text with the values of these numbers. */
static void expect_filling(const char *text, const char *values, const char *filled)
{
    struct sketch_fixture fixture;
    struct sketch_filling filling = {{0}};
    struct strbuf out = {0};
    read_sketch(&fixture, &text, 1, &nothing);
    lit_expect_text(strbuf_text(&fixture.messages), "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.sketch);
    CU_ASSERT_EQUAL_FATAL(fixture.sketch->choice_count, strlen(values));
    for (uint32_t c = 0; values[c]; c++)
        filling.value[c] = (uint8_t)(values[c] - '0');
    strbuf_add(&out, sketch_filled(&fixture.arena, fixture.sketch, &filling, 0)->text);
    lit_expect_text(strbuf_text(&out), filled);
    strbuf_fini(&out);
    fini(&fixture);
}

static void test_scopes(void)
{
    expect_choices(TEST("p_barrier(?); p_barrier(?s); p_barrier(?s);"),
                   "line 3: wi sg wg kr dev all\n?s: wi sg wg kr dev all\n");
    expect_filling(TEST("p_barrier(?); p_barrier(?s); p_barrier( ?s );"), "02",
                   TEST("p_barrier(wi_scope); p_barrier(wg_scope); p_barrier( wg_scope );"));
    expect_choices(TEST("p_barrier(?s in {dev, memory_scope_work_item});"), "?s: wi dev\n");
}

static void test_orders(void)
{
    /* A load cannot release, a store cannot acquire, and both are one choice: what is left. */
    expect_choices(
        TEST("f.store(1, ?a, ?s); int r = f.load(?b); r = f.fetch_add(1, ?c, wg_scope);"),
        "?a: rlx rel sc\n?s: wi sg wg kr dev all\n?b: rlx acq sc\n"
        "?c: rlx acq rel acq_rel sc\n");
    expect_choices(TEST("f.store(1, ?a); int r = f.load(?a);"), "?a: rlx sc\n");
    expect_choices(TEST("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, ?o, ?s);"),
                   "?o: rlx acq rel acq_rel sc\n?s: wi sg wg kr dev all\n");
    /* The second order of a compare-exchange is that of its failure, which is a load. */
    expect_choices(TEST("int r = f.compare_exchange_strong(0, 1, ?o, ?f, ?s in {wg, dev});"),
                   "?o: rlx acq rel acq_rel sc\n?f: rlx acq sc\n?s: wg dev\n");
    expect_filling(TEST("f.store(1, ?o, ?s);"), "14", TEST("f.store(1, mo_rel, dev_scope);"));
}

static void test_operator(void)
{
    /* `?` behind an operand is C's operator. */
    expect_choices(TEST("int r = *x ? 1 : 2; r = r ?r:r; r = (r) ?f.load(?o):1;"),
                   "?o: rlx acq sc\n");
    expect_filling(TEST("/* ?{ */ int r = 1; // p_barrier(?)\n"), "",
                   TEST("/* ?{ */ int r = 1; // p_barrier(?)\n"));
}

static void test_presence(void)
{
    expect_choices(TEST("?{ p_barrier_wi; } ?a{ *x = 1; } ?a{ *x = 2; }"),
                   "line 3: left out there\n?a: left out there\n");
    expect_filling(TEST("?{ p_barrier_wi; } ?a{ *x = 1; } ?a{ *x = 2; }"), "01",
                   TEST("  *x = 1;   *x = 2; "));
    /* What an `if` needs is an empty statement at least, and one at most. */
    expect_filling(TEST("if (*x) ?{ *x = 1; *x = 2; } else ?{ *x = 3; }"), "10",
                   TEST("if (*x) { *x = 1; *x = 2; } else ;"));
    expect_filling(TEST("?slot in {p_barrier} ?{ *x = 1; } ?slot in {fence}"), "111",
                   TEST("p_barrier_wi;  *x = 1;  atomic_thread_fence(mo_acq, sg_scope);"));
    /* Holes within holes; lines keep their numbers. */
    expect_filling(TEST("?{\n p_barrier(?s);\n ?{ *x = 1; }\n}"), "121",
                   TEST("\n p_barrier(wg_scope);\n  *x = 1; \n"));
    expect_filling(TEST("?{\n p_barrier(?s);\n ?{ *x = 1; }\n}"), "021", TEST("\n\n\n"));
}

#define TABLE(cell) "PTX t\n{ nvm x = 0; }\n P0 | P1 ;\n" cell " | st.weak x, 1 ;\nexists (x = 0)\n"

static void test_tables(void)
{
    expect_choices(TABLE("pbar.?s"), "?s: thread cta gpu sys\n");
    expect_choices(TABLE("fence.?o.?s"), "?o: acq_rel sc\n?s: cta gpu sys\n");
    expect_choices(TABLE("membar.?"), "line 4: cta gl sys\n");
    expect_choices(TABLE("L: atom.?o.?s.add r1, x, 1"),
                   "?o: relaxed acquire release acq_rel\n?s: cta gpu sys\n");
    /* Without a scope behind it a load is weak or volatile. */
    expect_choices(TABLE("ld.?o r1, x"), "?o: weak volatile\n");
    expect_choices(TABLE("ld.?o.gpu r1, x"), "?o: relaxed acquire\n");
    expect_choices(TABLE("fence.sc.?s in {cta, sys}"), "?s: cta sys\n");
    expect_filling(TABLE("fence.?o in { sc }.?s in {cta, wg, gpu}"), "01", TABLE("fence.sc.gpu"));
    expect_filling(TABLE("?{ pbar.?s }"), "11", TABLE(" pbar.cta "));
    expect_filling(TABLE("?{ pbar.?s }"), "01", TABLE(""));
    expect_filling(TABLE("L: ?slot in {pbar, fence.sc.gpu}"), "2", TABLE("L: pbar.cta"));
    expect_filling(TABLE("?slot in {pbar, fence.sc.gpu}"), "0", TABLE(""));
}

static void test_slots(void)
{
    expect_filling(TEST("?slot in {p_barrier_wg, p_barrier_wi} ;"), "1", TEST("p_barrier_wi;"));
    expect_filling(TEST("if (*x) ?slot; else ?slot in {fence};"), "01",
                   TEST("if (*x) ; else atomic_thread_fence(mo_acq, sg_scope);"));
    expect_choices(TEST("?slot:a in {p_barrier}; ?slot:a;"),
                   "?a: nothing p_barrier_wi p_barrier_sg p_barrier_wg p_barrier_kr "
                   "p_barrier_dev\n");
}

static void test_tags(void)
{
    expect_choices(TEST("__fence{?t in {sfence, mfence}}; __cm{?t}(x);"), "?t: sfence mfence\n");
    expect_filling(TEST("__fence{?t in {sfence, mfence}};"), "1", TEST("__fence{mfence};"));
    expect_choices(TEST("p_barrier(?s); __fence{drain, ?s};"), "?s: wi sg wg kr dev all\n");
    /* No order, and then no comma. */
    expect_choices(TEST("__load{?o in {na, acq, mo_rlx}}(x);"), "?o: na rlx acq\n");
    expect_filling(TEST("__store{nt, ?o in {na, mo_rel}}(x, 1);"), "0", TEST("__store{nt}(x, 1);"));
    expect_filling(TEST("__store{nt, ?o in {na, mo_rel}}(x, 1);"), "1",
                   TEST("__store{nt, mo_rel}(x, 1);"));
    expect_filling(TEST("__store{?o in {na, mo_rel}, nt}(x, 1);"), "0",
                   TEST("__store{ nt}(x, 1);"));
    expect_filling(TEST("__store{?o in {na, mo_rel}, nt}(x, 1);"), "1",
                   TEST("__store{mo_rel, nt}(x, 1);"));
}

/* ---- Several files ---- */

#define USES(body)                                                          \
    "OPENCL t\nuses \"test_holes.def\"\n{ nvm x = 0; atomic_int f = 0; }\n" \
    "P0 (global int* x, global atomic_int* f) { " body " }\nexists (x = 0)\n"

static void read_using(struct sketch_fixture *fixture, const char *const *texts, uint32_t count)
{
    struct lit_surroundings surroundings[2] = {{.folder = "tests/unit/"},
                                               {.folder = "tests/unit/"}};
    const struct sketch_wish wish = {.surroundings = surroundings};
    read_sketch(fixture, texts, count, &wish);
    lit_expect_text(strbuf_text(&fixture->messages), "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture->sketch);
}

/* A hole in a definition file is one of the tests that use it; an argument is what the body does
 * with it. The file says that b is weaker than a. */
static void test_definitions(void)
{
    static const char *const texts[] = {USES("persist(x, ?s); publish(f, ?o, ?s in {wg, dev}); if "
                                             "(get(f, ?q)) drain(?t in {a, b});"),
                                        USES("publish(f, ?o, ?);")};
    struct sketch_fixture fixture;
    struct strbuf out = {0};
    read_using(&fixture, texts, 2);
    lit_expect_text(strbuf_text(&fixture.choices),
                    "?s: wg dev\n?o: rlx rel sc\n?q: rlx acq sc\n?t: b a\n"
                    "line 4: wi sg wg kr dev all\n?g: wi sg wg kr dev all\n"
                    "line 5: left out there\n"
                    "line 5: wi sg wg kr dev all\n");
    CU_ASSERT_EQUAL_FATAL(fixture.sketch->file_count, 3);
    CU_ASSERT_EQUAL(fixture.sketch->given_count, 2);
    const struct sketch_filling filling = {{1, 2, 0, 1, 0, 2, 0, 0}};
    strbuf_add(&out, sketch_filled(&fixture.arena, fixture.sketch, &filling, 0)->text);
    lit_expect_text(strbuf_text(&out), USES("persist(x, dev_scope); publish(f, mo_sc, dev_scope); "
                                            "if (get(f, mo_rlx)) drain(a);"));
    CU_ASSERT_EQUAL(fixture.sketch->choices[3].below[1], 1);
    strbuf_clear(&out);
    strbuf_add(&out, sketch_filled(&fixture.arena, fixture.sketch, &filling, 2)->text);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(strbuf_text(&out), "atomic_load_explicit(X, O, wg_scope) == 1\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), "{ __fence{drain, T};  }\n"));
    strbuf_fini(&out);
    fini(&fixture);
}

/* A filling of a definition file is read in place of what is on the disk. */
static void test_instead(void)
{
    static const char *const texts[] = {USES("int r = get(f, mo_acq);")};
    struct sketch_fixture fixture;
    struct sketch_filling filling = {{3, 0, 0}}; /* of ?g: kernel */
    struct strbuf out = {0};
    read_using(&fixture, texts, 1);
    CU_ASSERT_EQUAL_FATAL(fixture.sketch->file_count, 2);
    const struct source *definitions = sketch_filled(&fixture.arena, fixture.sketch, &filling, 1);
    const struct lit_surroundings surroundings = {
        .folder = "tests/unit/", .instead = &definitions, .instead_count = 1};
    struct intern *names = intern_new();
    const struct lit_program *program =
        lit_parse_in(&fixture.arena, names, fixture.sketch->files[0], &surroundings, &fixture.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(program);
    lit_program_dump(program, &out);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), "ACQ KR"));
    strbuf_fini(&out);
    intern_free(names);
    fini(&fixture);
}

/* Holes of one name in two tests, one of which is a table, are one choice of what both have. */
static void test_two_dialects(void)
{
    static const char *const texts[] = {TEST("p_barrier(?s);"), TABLE("pbar.?s")};
    struct sketch_fixture fixture;
    struct strbuf out = {0};
    read_sketch(&fixture, texts, 2, &nothing);
    lit_expect_text(strbuf_text(&fixture.messages), "");
    lit_expect_text(strbuf_text(&fixture.choices), "?s: wi wg dev all\n");
    const struct sketch_filling filling = {{1}};
    strbuf_add(&out, sketch_filled(&fixture.arena, fixture.sketch, &filling, 0)->text);
    lit_expect_text(strbuf_text(&out), TEST("p_barrier(wg_scope);"));
    strbuf_clear(&out);
    strbuf_add(&out, sketch_filled(&fixture.arena, fixture.sketch, &filling, 1)->text);
    lit_expect_text(strbuf_text(&out), TABLE("pbar.cta"));
    strbuf_fini(&out);
    fini(&fixture);
}

/* ---- Order ---- */

static void expect_below(const char *text, const uint64_t *below, uint32_t count)
{
    struct sketch_fixture fixture;
    read_sketch(&fixture, &text, 1, &nothing);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.sketch);
    CU_ASSERT_EQUAL_FATAL(fixture.sketch->choices[0].value_count, count);
    for (uint32_t v = 0; v < count; v++)
        CU_ASSERT_EQUAL(fixture.sketch->choices[0].below[v], below[v]);
    fini(&fixture);
}

static void test_order(void)
{
    /* rlx < acq, rel < acq_rel < sc; acq and rel are not ordered. */
    expect_below(TEST("atomic_thread_fence(?);"), (const uint64_t[]){0, 1, 1, 7, 15}, 5);
    expect_below(TEST("p_barrier(?);"), (const uint64_t[]){0, 1, 3, 7, 15, 31}, 6);
    expect_below(TEST("?{ *x = 1; }"), (const uint64_t[]){0, 1}, 2);
    expect_below(TEST("__fence{?t in {a, b}};"), (const uint64_t[]){0, 0}, 2);
    /* nothing, p_barrier_wi < p_barrier_wg, fence acq wg < fence sc dev, sync_barrier_wg */
    expect_below(
        TEST("?slot in {atomic_thread_fence(mo_sc, dev_scope), p_barrier_wg, p_barrier_wi, "
             "sync_barrier_wg, atomic_thread_fence(mo_acq, wg_scope)};"),
        (const uint64_t[]){0, 1, 3, 1, 9, 1}, 6);
}

/* ---- What is wrong ---- */

/* Reports so many errors, the first of which stands at that column of line 3 and says so. */
static void expect_fault(const char *body, uint32_t errors, uint32_t column, const char *says)
{
    struct sketch_fixture fixture;
    char text[512];
    snprintf(text, sizeof text,
             "OPENCL t\n{ nvm x = 0; atomic_int f = 0; }\nP0 (int* x, atomic_int* f) {%s}\n"
             "exists (x = 0)\n",
             body);
    const char *texts[] = {text};
    read_sketch(&fixture, texts, 1, &nothing);
    CU_ASSERT_PTR_NULL(fixture.sketch);
    CU_ASSERT_EQUAL(fixture.diag.errors, errors);
    if (fixture.diag.errors) {
        const struct diag_entry *first = &fixture.diag.entries.items[0];
        if (!strstr(first->message, says) || first->span.column != column + 29)
            fprintf(stderr, "of %s:\n%s", body, strbuf_text(&fixture.messages));
        CU_ASSERT_EQUAL(first->span.line, 3);
        CU_ASSERT_EQUAL(first->span.column, column + 29);
        CU_ASSERT_PTR_NOT_NULL(strstr(first->message, says));
    }
    fini(&fixture);
}

static void test_faults(void)
{
    expect_fault("p_barrier(?s in {wo});", 1, 10, "did you mean 'wi'?");
    expect_fault("f.load(?o in {mo_rel});", 1, 7, "expected rlx, acq, sc");
    expect_fault("f.load(? in {});", 1, 7, "found no word in the limits");
    expect_fault("p_barrier(?s); f.load(?s in {mo_acq});", 1, 22,
                 "'?s' is a memory order here, and a scope where it stands first");
    expect_fault("p_barrier(?s in {wi}); p_barrier(?s in {wg});", 1, 33,
                 "nothing that '?s' may be where it stands first can stand here");
    expect_fault("f.store(?, mo_rel);", 1, 8, "in the place of a value of 'store'");
    expect_fault("atomic_store(f, 1, ?);", 1, 19, "ends in _explicit");
    expect_fault("sync_barrier_wg(?);", 1, 16, "takes neither");
    expect_fault("p_barrier(wi, ?);", 1, 14, "takes no word here");
    expect_fault("persist(x, ?);", 1, 11, "there is no such name");
    expect_fault("*x = ?;", 1, 5, "stands for nothing");
    expect_fault("?s;", 1, 0, "stands for nothing");
    expect_fault("p_barrier(?slot);", 1, 10, "where a statement begins");
    expect_fault("*x = ?{ 1; };", 1, 5, "where a statement begins");
    expect_fault("__fence{?};", 1, 8, "say which by its limits");
    expect_fault("?{ *x = 1;\n", 1, 0, "found '?{' without its '}'");
    /* Not of a hole, but as it would be in a test: at its place in the sketch. */
    expect_fault("?{ p_barrier(?); } *y = 1;", 1, 20, "'y' is no");
    expect_fault("p_barrier(?); ?slot in {nosuch()};", 1, 14, "there is no function 'nosuch'");
}

static void test_nowhere(void)
{
    struct sketch_fixture fixture;
    const char *texts[] = {"OPENCL t\n{ nvm x = ?; }\nP0 (global int* x) { *x = 1; }\n"
                           "exists (x = ?)\nexpect sc + ? : ok\n"};
    read_sketch(&fixture, texts, 1, &nothing);
    CU_ASSERT_PTR_NULL(fixture.sketch);
    CU_ASSERT_EQUAL(fixture.diag.errors, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&fixture.messages), "t0:2:11: error"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&fixture.messages), "t0:4:13: error"));
    fini(&fixture);
    texts[0] = TEST("p_barrier(?);") "expect sc + ? : ok\n";
    read_sketch(&fixture, texts, 1, &nothing);
    CU_ASSERT_PTR_NULL(fixture.sketch);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&fixture.messages), "t0:5:13: error"));
    fini(&fixture);
}

/* ---- Limits ---- */

static void repeat(struct strbuf *text, const char *what, uint32_t count)
{
    strbuf_add(text, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {\n");
    for (uint32_t i = 0; i < count; i++)
        strbuf_printf(text, what, i);
    strbuf_add(text, "}\nexists (x = 0)\n");
}

static void expect_count(const char *what, uint32_t count, uint32_t choices)
{
    struct sketch_fixture fixture;
    struct strbuf text = {0};
    repeat(&text, what, count);
    const char *texts[] = {strbuf_text(&text)};
    read_sketch(&fixture, texts, 1, &nothing);
    CU_ASSERT_EQUAL(fixture.diag.errors, choices == 0);
    if (choices && fixture.sketch)
        CU_ASSERT_EQUAL(fixture.sketch->choice_count, choices);
    strbuf_fini(&text);
    fini(&fixture);
}

static void test_limits(void)
{
    expect_count("p_barrier(?);\n", 1000, 1000);
    expect_count("p_barrier(?);\n", LIT_MOST_CHOICES + 1, 0);
    expect_count("p_barrier(?s);\n", 3000, 1);
    struct strbuf text = {0};
    for (uint32_t count = LIT_MOST_OPEN_VALUES; count <= LIT_MOST_OPEN_VALUES + 1; count++) {
        struct sketch_fixture fixture;
        strbuf_clear(&text);
        strbuf_add(&text, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { __fence{?t in {t0");
        for (uint32_t i = 1; i < count; i++)
            strbuf_printf(&text, ", t%u", i);
        strbuf_add(&text, "}}; }\nexists (x = 0)\n");
        const char *texts[] = {strbuf_text(&text)};
        read_sketch(&fixture, texts, 1, &nothing);
        CU_ASSERT_EQUAL(fixture.sketch != NULL, count == LIT_MOST_OPEN_VALUES);
        fini(&fixture);
    }
    strbuf_fini(&text);
}

/* A text cut off anywhere is a sketch or an error, and so is one with CR LF. */
static void test_cut_off(void)
{
    static const char whole[] = TEST("?{ p_barrier(?s in {wi, wg}); } ?slot:b; f.store(1, ?o, ?);");
    char text[sizeof whole];
    for (size_t length = 0; length < sizeof whole; length++) {
        struct sketch_fixture fixture;
        memcpy(text, whole, length);
        text[length] = '\0';
        const char *texts[] = {text};
        read_sketch(&fixture, texts, 1, &nothing);
        fini(&fixture);
    }
    expect_filling("OPENCL t\r\n{ nvm x = 0; }\r\nP0 (global int* x) {\r\n?{ *x = 1;\r\n}\r\n}\r\n"
                   "exists (x = 0)\r\n",
                   "0", "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {\n\n\n}\nexists (x = 0)\n");
}

/* Holes in recovery, and in a kernel that is launched. */
static void test_other_programs(void)
{
    expect_choices(
        "OPENCL t\n{ nvm x = 0; }\nP0@dev 1 { launch 1; ?{ join 1; } }\n"
        "P1@kr 1 (global int* x) { *x = 1; p_barrier(?s); }\n"
        "recovery P0 (global int* x) { ?{ *x = 2; } p_barrier(?s); }\nrecovered exists (x = 2)\n",
        "line 3: left out there\n?s: wi sg wg kr dev all\n"
        "line 5: left out there\n");
    expect_choices("PTX t\n{ nvm x = 0; }\n P0 ;\n st.weak x, 1 ;\nrecovery\n P0 ;\n pbar.?s ;\n"
                   "recovered exists (x = 1)\n",
                   "?s: thread cta gpu sys\n");
}

void suite_sketch(void)
{
    CU_pSuite suite = CU_add_suite("sketch", NULL, NULL);
    UNIT_TEST(suite, test_scopes);
    UNIT_TEST(suite, test_orders);
    UNIT_TEST(suite, test_operator);
    UNIT_TEST(suite, test_presence);
    UNIT_TEST(suite, test_tables);
    UNIT_TEST(suite, test_slots);
    UNIT_TEST(suite, test_tags);
    UNIT_TEST(suite, test_definitions);
    UNIT_TEST(suite, test_instead);
    UNIT_TEST(suite, test_two_dialects);
    UNIT_TEST(suite, test_order);
    UNIT_TEST(suite, test_faults);
    UNIT_TEST(suite, test_nowhere);
    UNIT_TEST(suite, test_limits);
    UNIT_TEST(suite, test_cut_off);
    UNIT_TEST(suite, test_other_programs);
}
