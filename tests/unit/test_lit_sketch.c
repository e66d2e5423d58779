/* Sketches: what is open, which values there are, and the text of a filling. Expected values are by
 * docs/language.md, Holes. */
#include "test_lit_fixture.h"

#include "litmus/lit_sketch.h"

struct sketch_fixture {
    struct arena arena;
    struct diag diag;
    const struct lit_sketch *sketch; /* NULL: refused */
    struct strbuf messages, choices;
};

static void describe(struct sketch_fixture *fixture)
{
    const struct lit_sketch *sketch = fixture->sketch;
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        const struct lit_choice *choice = &sketch->choices[c];
        strbuf_printf(&fixture->choices, "%s:", lit_choice_title(&fixture->arena, sketch, c));
        for (uint32_t v = 0; v < choice->value_count; v++)
            strbuf_printf(&fixture->choices, " %s", choice->values[v].label);
        strbuf_add(&fixture->choices, "\n");
    }
}

static void read_sketch(struct sketch_fixture *fixture, const char *const *texts, uint32_t count,
                        const struct lit_sketch_wish *wish)
{
    *fixture = (struct sketch_fixture){0};
    arena_init(&fixture->arena);
    diag_init(&fixture->diag);
    const struct source **sources = ARENA_ARRAY(&fixture->arena, const struct source *, count);
    for (uint32_t i = 0; i < count; i++)
        sources[i] = source_from_text(&fixture->arena, arena_printf(&fixture->arena, "t%u", i),
                                      texts[i], strlen(texts[i]));
    fixture->sketch = lit_sketch_read(&fixture->arena, sources, count, wish, &fixture->diag);
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

static const struct lit_sketch_wish nothing;

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
    struct lit_filling filling = {{0}};
    struct strbuf out = {0};
    read_sketch(&fixture, &text, 1, &nothing);
    lit_expect_text(strbuf_text(&fixture.messages), "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.sketch);
    CU_ASSERT_EQUAL_FATAL(fixture.sketch->choice_count, strlen(values));
    for (uint32_t c = 0; values[c]; c++)
        filling.value[c] = (uint8_t)(values[c] - '0');
    lit_sketch_fill(fixture.sketch, &filling, 0, &out);
    lit_expect_text(strbuf_text(&out), filled);
    strbuf_fini(&out);
    fini(&fixture);
}

static void test_scopes(void)
{
    expect_choices(TEST("p_barrier(?); p_barrier(?s); p_barrier(?s);"),
                   "? at line 3: wi sg wg kr dev all\n?s: wi sg wg kr dev all\n");
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
                   "?{ } at line 3: left out there\n?a: left out there\n");
    expect_filling(TEST("?{ p_barrier_wi; } ?a{ *x = 1; } ?a{ *x = 2; }"), "01",
                   TEST("  *x = 1;   *x = 2; "));
    /* What an `if` needs is an empty statement at least, and one at most. */
    expect_filling(TEST("if (*x) ?{ *x = 1; *x = 2; } else ?{ *x = 3; }"), "10",
                   TEST("if (*x) { *x = 1; *x = 2; } else ;"));
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
    expect_choices(TABLE("membar.?"), "? at line 4: cta gl sys\n");
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
                   "?slot:a: nothing p_barrier_wi p_barrier_sg p_barrier_wg p_barrier_kr "
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

void suite_lit_sketch(void)
{
    CU_pSuite suite = CU_add_suite("lit_sketch", NULL, NULL);
    UNIT_TEST(suite, test_scopes);
    UNIT_TEST(suite, test_orders);
    UNIT_TEST(suite, test_operator);
    UNIT_TEST(suite, test_presence);
    UNIT_TEST(suite, test_tables);
    UNIT_TEST(suite, test_slots);
    UNIT_TEST(suite, test_tags);
}
