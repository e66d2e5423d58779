/* What of a test may be otherwise: where, and which values there are in which order. All of it by
 * hand from sites.h. */
#include "test_lit_fixture.h"

#include "sketch/changes.h"
#include "sketch/sites.h"

struct sites {
    struct lit_fixture own;
    const struct source *source;
    const struct sketch *sketch;
};

static void sites_init_with(struct sites *s, const char *text, struct sites_wish wish)
{
    static const struct lit_surroundings nothing;
    wish.surroundings = &nothing;
    lit_fixture_accept(&s->own, text);
    s->source = s->own.program->source;
    s->sketch = sites_sketch(&s->own.arena, s->own.names, &s->source, 1, &wish, &s->own.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->sketch);
}

static void sites_init(struct sites *s, const char *text, enum sites_aim aim)
{
    sites_init_with(s, text, (struct sites_wish){.aim = aim});
}

/* "slot 4,8: left out | p_barrier_wi in P0 | p_barrier_wg (0 1)" : kind, lines, the values' names,
 * and behind those that are above others which these are. */
static void show(const struct sketch_choice *choice, struct strbuf *out)
{
    static const char *const kinds[] = {"scope", "order", "tag", "presence", "slot", "swap"};
    strbuf_printf(out, "%s ", kinds[choice->kind]);
    for (uint32_t i = 0; i < choice->place_count; i++)
        strbuf_printf(out, "%s%u", i ? "," : "", choice->places[i].span.line);
    for (uint32_t v = 0; v < choice->value_count; v++) {
        strbuf_printf(out, "%s%s", v ? " | " : ": ", choice->values[v].label);
        for (uint32_t w = 0; w < choice->value_count; w++)
            if (choice->below[v] >> w & 1)
                strbuf_printf(out, " %u", w);
    }
    strbuf_add_char(out, '\n');
}

static void expect_sites_with(const char *text, struct sites_wish wish, const char *expected)
{
    struct sites s;
    struct strbuf out = {0};
    sites_init_with(&s, text, wish);
    for (uint32_t i = 0; i < s.sketch->choice_count; i++)
        show(&s.sketch->choices[i], &out);
    lit_expect_text(strbuf_text(&out), expected);
    strbuf_fini(&out);
    lit_fixture_fini(&s.own);
}

static void expect_sites(const char *text, enum sites_aim aim, const char *expected)
{
    expect_sites_with(text, (struct sites_wish){.aim = aim}, expected);
}

#define ONE(body)                                                                  \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; atomic_int f = 0; }\n"                      \
    "P0@wg 0, dev 0 (global int* x, global int* y, global atomic_int* f) {\n" body \
    "}\nexists (true)\n"

/* The text of each value at a place of the only choice. */
static void expect_texts(const char *body, const char *expected)
{
    struct sites s;
    struct strbuf out = {0}, test = {0};
    strbuf_printf(&test, ONE("%s"), body);
    sites_init(&s, strbuf_text(&test), SITES_NARROW);
    CU_ASSERT_EQUAL_FATAL(s.sketch->choice_count, 1);
    const struct sketch_choice *choice = &s.sketch->choices[0];
    const struct sketch_open_place *place = &choice->places[0];
    strbuf_printf(&out, "%.*s:", (int)(place->end - place->begin), s.source->text + place->begin);
    for (uint32_t v = 0; v < choice->value_count; v++)
        strbuf_printf(&out, " [%s]", place->texts[v]);
    lit_expect_text(strbuf_text(&out), expected);
    strbuf_fini(&out);
    strbuf_fini(&test);
    lit_fixture_fini(&s.own);
}

/* The scopes that this test speaks of are wi (always), wg and dev (the header). */
static void test_barriers(void)
{
    expect_texts("p_barrier_dev;\n", "p_barrier_dev;: [] [p_barrier_wi;] [p_barrier_wg;] "
                                     "[p_barrier_dev;]");
    expect_texts("p_barrier(memory_scope_work_group);\n",
                 "p_barrier(memory_scope_work_group);: [] [p_barrier(memory_scope_work_item);] "
                 "[p_barrier(memory_scope_work_group);]");
    expect_texts("p_barrier(wg_scope);\n",
                 "p_barrier(wg_scope);: [] [p_barrier(wi_scope);] [p_barrier(wg_scope);]");
    expect_texts("if (1) p_barrier_wi();\n", "p_barrier_wi();: [;] [p_barrier_wi();]");
    expect_texts("L: p_barrier_wi;\n", "p_barrier_wi;: [;] [p_barrier_wi;]");
    expect_sites(ONE("p_barrier_dev;\n"), SITES_NARROW,
                 "slot 4: left out | p_barrier_wi 0 | p_barrier_wg 0 1 | p_barrier_dev 0 1 2\n");
}

/* Of a fence acquire, release, acq_rel and seq_cst, and nothing: a relaxed one would be that. */
static void test_fences(void)
{
    expect_sites(ONE("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_acq, wg_scope);\n"),
                 SITES_NARROW,
                 "slot 4: left out"
                 " | atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_acq, wi_scope) 0"
                 " | atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_acq, wg_scope) 0 1\n");
    expect_texts("atomic_thread_fence(memory_order_acquire);\n",
                 "atomic_thread_fence(memory_order_acquire);: []"
                 " [atomic_thread_fence(memory_order_acquire, memory_scope_work_item);]"
                 " [atomic_thread_fence(memory_order_acquire, memory_scope_work_group);]"
                 " [atomic_thread_fence(memory_order_acquire);]");
    /* Point by point: acquire and release side by side, acq_rel above both. */
    expect_sites("C t\n{ atomic_int f = 0; }\nP0 (atomic_int* f) {\n"
                 "atomic_thread_fence(mo_acq_rel, wi_scope);\n}\nexists (true)\n",
                 SITES_NARROW,
                 "slot 4: left out | atomic_thread_fence(mo_acq, wi_scope) 0"
                 " | atomic_thread_fence(mo_rel, wi_scope) 0"
                 " | atomic_thread_fence(mo_acq_rel, wi_scope) 0 1 2\n");
}

static void test_accesses(void)
{
    expect_sites(ONE("f.store(1, mo_sc, wg_scope);\n"), SITES_NARROW,
                 "order 4: mo_rlx | mo_rel 0 | mo_sc 0 1\n"
                 "scope 4: wi_scope | wg_scope 0\n");
    expect_sites(
        ONE("while (!atomic_load_explicit(f, memory_order_acquire));\n"), SITES_NARROW,
        "order 4: memory_order_relaxed | memory_order_acquire 0\n"
        "scope 4: memory_scope_work_item | memory_scope_work_group 0 | memory_scope_device 0 1\n");
    /* A failing compare-exchange only reads, so it has no release. */
    expect_sites(ONE("int r = f.compare_exchange_strong(0, 1, mo_acq_rel, mo_acq, wi_scope);\n"),
                 SITES_NARROW,
                 "order 4: mo_rlx | mo_acq 0 | mo_rel 0 | mo_acq_rel 0 1 2\n"
                 "order 4: mo_rlx | mo_acq 0\n");
    expect_sites(ONE("*x = f.fetch_add(*y, mo_rlx, wg_scope);\n"), SITES_NARROW,
                 "scope 4: wi_scope | wg_scope 0\n");
}

/* Without words the order is seq_cst and the scope is device, the only one besides that of a
 * work-item here; whoever names a scope names the order, too, and `_explicit` says so. */
static void test_wordless(void)
{
    static const char c[] = "C t\n{ atomic_int f = 0; }\nP0 (atomic_int* f) {\n";
    struct sites s;
    struct strbuf test = {0}, out = {0};
    strbuf_printf(&test, "%satomic_store(f, 1);\n}\nexists (true)\n", c);
    sites_init(&s, strbuf_text(&test), SITES_NARROW);
    CU_ASSERT_EQUAL_FATAL(s.sketch->choice_count, 1);
    for (uint32_t v = 0; v < s.sketch->choices[0].value_count; v++)
        strbuf_printf(&out, "[%s]", s.sketch->choices[0].places[0].texts[v]);
    lit_expect_text(strbuf_text(&out),
                    "[atomic_store_explicit(f, 1, mo_rlx, wi_scope)]"
                    "[atomic_store_explicit(f, 1, mo_rlx)]"
                    "[atomic_store_explicit(f, 1, mo_rel, wi_scope)]"
                    "[atomic_store_explicit(f, 1, mo_rel)]"
                    "[atomic_store_explicit(f, 1, mo_sc, wi_scope)][atomic_store(f, 1)]");
    lit_fixture_fini(&s.own);
    strbuf_clear(&test);
    strbuf_printf(&test, "%sint r = f.load();\n}\nexists (true)\n", c);
    expect_sites(strbuf_text(&test), SITES_NARROW,
                 "order 4: mo_rlx, wi_scope | mo_rlx, dev_scope 0 | mo_acq, wi_scope 0"
                 " | mo_acq, dev_scope 0 1 2 | mo_sc, wi_scope 0 2 | mo_sc, dev_scope 0 1 2 3 4\n");
    strbuf_fini(&test);
    strbuf_fini(&out);
}

static void test_definitions(void)
{
    expect_sites("OPENCL t\nuses \"lin.def\"\n{ nvm x = 0; nvm y = 0; }\n"
                 "P0 (global int* x, global int* y) {\n"
                 "*x = 1;\nclwb(x);\nsfence();\n__fence{sfence};\n*y = 1;\n}\nexists (true)\n",
                 SITES_NARROW,
                 "presence 6: left out | clwb(x) 0\n"
                 "presence 7: left out | sfence() 0\n"
                 "presence 8: left out | __fence{sfence} 0\n");
    expect_sites_with(
        "C t\nuses \"px86.def\"\n{ v = 0; }\nP0 (int* v) {\n*v = 1;\n}\nexists (true)\n",
        (struct sites_wish){.aim = SITES_REPAIR, .persists = true},
        "slot 5: left out | p_barrier_wi 0 | sfence() 0 | mfence() 0\n"
        "slot 6: left out | p_barrier_wi 0 | sfence() 0 | mfence() 0\n");
    /* A fence of the block may be one of the device, which holds it, or of the system, which holds
     * both. Two names of one flush are one. */
    expect_sites(
        "OPENCL t\nuses \"cuda.def\"\n{ v = 0; }\nP0 (global int* v) {\n*v = 1;\n"
        "__threadfence_block();\n}\nexists (true)\n",
        SITES_REPAIR,
        "slot 5: left out | __threadfence_block() 0 | __threadfence() 0 1"
        " | __threadfence_system() 0 1 2\n"
        "scope 6: __threadfence_block() | __threadfence() 0 | __threadfence_system() 0 1\n");
    expect_sites("C t\nuses \"intel.def\"\n{ nvm v = 0; }\nP0 (int* v) {\n*v = 1;\n"
                 "pmem_drain();\n}\nexists (true)\n",
                 SITES_REPAIR,
                 "slot 5: left out | pmem_drain() 0 | _mm_mfence() 0\n"
                 "slot 5: left out | _mm_clwb(v) 0 | _mm_clflush(v) 0 | _mm_clflushopt(v) 0"
                 " | pmem_persist(v) 0\n"
                 "slot 6: left out | pmem_drain() 0 | _mm_mfence() 0\n"
                 "slot 7: left out | pmem_drain() 0 | _mm_mfence() 0\n");
    /* Marks of transactions come in pairs: none goes alone. */
    expect_sites("OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {\n"
                 "__fence{tx_begin};\n*x = 1;\n__fence{tx_end};\n}\nexists (true)\n",
                 SITES_NARROW, "");
}

/* Stores to different places with a barrier between, each with its flush; not past what reads. */
static void test_swaps(void)
{
    const struct sites_wish wish = {
        .aim = SITES_REPAIR, .persists = true, .swaps = true, .kinds = "p_barrier_wi"};
    expect_sites_with(ONE("*x = 1;\np_barrier_wi;\n*y = 2;\n*x = 3;\nint r = *y;\n*x = 4;\n"), wish,
                      "slot 4: left out | p_barrier_wi 0\n"
                      "swap 4,6,7: stores in their order | *x = 1 and *y = 2 change places 0"
                      " | *y = 2 and *x = 3 change places 0\n"
                      "slot 5: left out | p_barrier_wi 0\n"
                      "scope 5: p_barrier_wi | p_barrier_wg 0 | p_barrier_dev 0 1\n"
                      "slot 6: left out | p_barrier_wi 0\nslot 7: left out | p_barrier_wi 0\n"
                      "slot 8: left out | p_barrier_wi 0\nslot 9: left out | p_barrier_wi 0\n"
                      "slot 10: left out | p_barrier_wi 0\n");
}

#define TWO(first, second)                                   \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; c = 0; }\n"           \
    "P0@wg 0 (global int* x, global int* c) {\n" first "}\n" \
    "P1@wg 0 (global int* y, global int* c) {\n" second "}\nexists (true)\n"
#define MET                                                                          \
    "left out | p_barrier_wi in P0 0 | p_barrier_wi in P1 0 | p_barrier_wi 0 1 2 | " \
    "p_barrier_wg 0 1 2 3\n"

/* The k-th one of a scope meets the k-th one. */
static void test_meeting(void)
{
    expect_sites(
        TWO("p_barrier_wg;\np_barrier_wi;\np_barrier_wg;\n", "p_barrier_wg;\np_barrier_wg;\n"),
        SITES_NARROW, "slot 4,9: " MET "slot 5: left out | p_barrier_wi 0\nslot 6,10: " MET);
    /* Under a condition their numbers may change: all are one, and its third work-item is as good
     * as its first. */
    expect_sites(
        TWO("if (*c) { p_barrier_wg; }\np_barrier_wg;\n", "p_barrier_wg;\n"), SITES_NARROW,
        "slot 4,5,8: left out | p_barrier_wi in P0 at line 4 0 | p_barrier_wi in P0 at line 5 0"
        " | p_barrier_wi in P0 0 1 2 | p_barrier_wi in P1 0"
        " | p_barrier_wi in P0 at line 4, P1 0 1 4 | p_barrier_wi in P0 at line 5, P1 0 2 4"
        " | p_barrier_wi 0 1 2 3 4 5 6 | p_barrier_wg 0 1 2 3 4 5 6 7\n");
    /* Labels are counted on their own. */
    expect_sites(TWO("A: p_barrier_wg;\n", "B: p_barrier_wg;\n"), SITES_NARROW,
                 "slot 4: left out | p_barrier_wi 0 | p_barrier_wg 0 1\n"
                 "slot 7: left out | p_barrier_wi 0 | p_barrier_wg 0 1\n");
}

#define TABLE(rows)                                                                         \
    "PTX t\n{ nvm x = 0; nvm y = 0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" rows "exists " \
    "(true)\n"

static void test_table(void)
{
    expect_sites(
        TABLE(" st.weak x, 1 | ld.acquire.gpu r1, y ;\n"
              " pbar.cta | pbar.cta ;\n fence.sc.cta | membar.gl ;\n"
              " atom.acq_rel.sys.add r2, y, 1 | ;\n"),
        SITES_NARROW,
        "order 4: relaxed | acquire 0\n"
        "scope 4: cta | gpu 0\n"
        "slot 5,5: left out | pbar.thread in P0 0 | pbar.thread in P1 0 | pbar.thread 0 1 2"
        " | pbar.cta 0 1 2 3\n"
        "slot 6: left out | fence.acq_rel.cta 0 | fence.sc.cta 0 1\n"
        "slot 6: left out | membar.cta 0 | membar.gl 0 1\n"
        "order 7: relaxed | acquire 0 | release 0 | acq_rel 0 1 2\n"
        "scope 7: cta | gpu 0 | sys 0 1\n");
}

/* In front of each statement that others see, and at the end; of what is there, what is wider. */
static void test_repair(void)
{
    expect_sites(ONE("*x = 1;\nint r = 0;\np_barrier_wi;\nf.store(1, mo_rlx, wg_scope);\n"),
                 SITES_REPAIR,
                 "slot 4: left out | p_barrier_wi 0 | p_barrier_wg 0 1 | p_barrier_dev 0 1 2\n"
                 "slot 6: left out | p_barrier_wi 0 | p_barrier_wg 0 1 | p_barrier_dev 0 1 2\n"
                 "scope 6: p_barrier_wi | p_barrier_wg 0 | p_barrier_dev 0 1\n"
                 "slot 7: left out | p_barrier_wi 0 | p_barrier_wg 0 1 | p_barrier_dev 0 1 2\n"
                 "order 7: mo_rlx | mo_rel 0 | mo_sc 0 1\n"
                 "scope 7: wg_scope | dev_scope 0\n"
                 "slot 8: left out | p_barrier_wi 0 | p_barrier_wg 0 1 | p_barrier_dev 0 1 2\n");
    expect_sites(TABLE(" st.weak x, 1 | ;\n | st.weak y, 1 ;\n"), SITES_REPAIR,
                 /* Of each work-item in front of its store, and behind it. */
                 "slot 4: left out | pbar.thread 0 | pbar.cta 0 1 | pbar.gpu 0 1 2\n"
                 "slot 4: left out | pbar.thread 0 | pbar.cta 0 1 | pbar.gpu 0 1 2\n"
                 "slot 5: left out | pbar.thread 0 | pbar.cta 0 1 | pbar.gpu 0 1 2\n"
                 "slot 5: left out | pbar.thread 0 | pbar.cta 0 1 | pbar.gpu 0 1 2\n");
}

#define FENCES "left out | sfence() 0 | mfence() 0\n"

/* Behind each store to NVRAM whose address is known, what the file calls with it; v is none, and a
 * store in a loop is at an address of a register. */
static void test_flushes(void)
{
    static const char head[] = "C t\nuses \"px86.def\"\n{ nvm x = 0; nvm a[2]; v = 0; }\n"
                               "P0 (int* x, int* a, int* v) {\n";
    struct strbuf test = {0};
    strbuf_printf(&test, "%s*x = 1;\na[1] = 1;\n*v = 1;\nst_nt(x, 2);\n}\nexists (true)\n", head);
    expect_sites(strbuf_text(&test), SITES_REPAIR,
                 "slot 5: " FENCES "slot 5: left out | clwb(x) 0 | clflush(x) 0 | clflushopt(x) 0\n"
                 "slot 6: " FENCES
                 "slot 6: left out | clwb(&a[1]) 0 | clflush(&a[1]) 0 | clflushopt(&a[1]) 0\n"
                 "slot 7: " FENCES "slot 8: " FENCES
                 "slot 8: left out | clwb(x) 0 | clflush(x) 0 | clflushopt(x) 0\n"
                 "slot 9: " FENCES);
    strbuf_clear(&test);
    strbuf_printf(&test, "%sint r = *v;\na[r] = 1;\nif (r) { *x = 1; }\n}\nexists (true)\n", head);
    expect_sites(strbuf_text(&test), SITES_REPAIR,
                 "slot 5: " FENCES "slot 6: " FENCES "slot 7: " FENCES "slot 7: " FENCES
                 "slot 7: left out | clwb(x) 0 | clflush(x) 0 | clflushopt(x) 0\n"
                 "slot 8: " FENCES);
    strbuf_fini(&test);
}

/* As expect_sites, with the definitions of test_uses.def. */
static void expect_ordered(const char *body, enum sites_aim aim, const char *expected)
{
    const struct lit_surroundings surroundings = {.folder = "tests/unit/"};
    const struct sites_wish wish = {.aim = aim, .surroundings = &surroundings};
    struct lit_fixture own = {0};
    struct strbuf text = {0}, out = {0};
    strbuf_printf(&text, "C t\nuses \"test_uses.def\"\n{ nvm x = 0; }\nP0 (int* x) {\n%s}\n", body);
    strbuf_add(&text, "exists (true)\n");
    lit_fixture_init(&own, "C t\n{ x = 0; }\nP0 (int* x) { *x = 1; }\nexists (true)\n");
    const struct source *source =
        source_from_text(&own.arena, "t.litmus", strbuf_text(&text), text.length);
    const struct sketch *sketch = sites_sketch(&own.arena, own.names, &source, 1, &wish, &own.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sketch);
    for (uint32_t i = 0; i < sketch->choice_count; i++)
        show(&sketch->choices[i], &out);
    lit_expect_text(strbuf_text(&out), expected);
    strbuf_fini(&text);
    strbuf_fini(&out);
    lit_fixture_fini(&own);
}

/* test_uses.def says weak < strong and clean < deep, and nothing of `other`. To repair, what the
 * call behind the store may become is not offered between the two, and DEEP is the most there is. */
#define ADDED "left out | WAIT() 0 | WEAK() 0 | STRONG() 0 2 | OTHER() 0\n"

static void test_weaker(void)
{
    expect_ordered("DEEP(x);\nSTRONG;\n", SITES_NARROW,
                   "slot 5: left out | CLEAN(x) 0 | DEEP(x) 0 1\n"
                   "slot 6: left out | WEAK() 0 | STRONG 0 1\n");
    expect_ordered("CLEAN(x);\nOTHER;\n", SITES_NARROW,
                   "presence 5: left out | CLEAN(x) 0\npresence 6: left out | OTHER 0\n");
    expect_ordered("*x = 1;\nCLEAN(x);\n", SITES_REPAIR,
                   "slot 5: " ADDED "slot 6: " ADDED "scope 6: CLEAN(x) | DEEP(x) 0\n"
                   "slot 7: " ADDED);
}

/* What may be added at the end of P0, where nothing else is open. */
static void expect_several(const char *head, const char *kinds, const char *expected)
{
    struct strbuf test = {0};
    strbuf_printf(&test, "%sP0@wg 0 () {\n}\nexists (true)\n", head);
    expect_sites_with(strbuf_text(&test),
                      (struct sites_wish){.aim = SITES_REPAIR, .several = true, .kinds = kinds},
                      expected);
    strbuf_fini(&test);
}

/* Of two that stand in no order a; b and a; b; a. A row is above each that it has the statements
 * of, in their order: 5, of a; b; a, above a, b, a; b and b; a. Where one is the wider one there is
 * no row of both, and with something else each is in rows of its own, of which those with the wider
 * are above those with the narrower one. */
static void test_several(void)
{
    static const char px86[] = "C t\nuses \"px86.def\"\n{ nvm x = 0; }\n";
    static const char bare[] = "OPENCL t\n{ nvm x = 0; }\n";
    expect_several(px86, NULL,
                   "slot 5: left out | sfence() 0 | mfence() 0"
                   " | sfence(); mfence() 0 1 2 | mfence(); sfence() 0 1 2"
                   " | sfence(); mfence(); sfence() 0 1 2 3 4"
                   " | mfence(); sfence(); mfence() 0 1 2 3 4\n");
    expect_several(bare, "p_barrier_wi, p_barrier_wg",
                   "slot 4: left out | p_barrier_wi 0 | p_barrier_wg 0 1\n");
    expect_several(bare, "p_barrier_wi, p_barrier_wg, x()",
                   "slot 4: left out | p_barrier_wi 0 | p_barrier_wg 0 1 | x() 0"
                   " | p_barrier_wi; x() 0 1 3 | p_barrier_wg; x() 0 1 2 3 4"
                   " | x(); p_barrier_wi 0 1 3 | x(); p_barrier_wg 0 1 2 3 6"
                   " | p_barrier_wi; x(); p_barrier_wi 0 1 3 4 6"
                   " | p_barrier_wg; x(); p_barrier_wg 0 1 2 3 4 5 6 7 8"
                   " | x(); p_barrier_wi; x() 0 1 3 4 6"
                   " | x(); p_barrier_wg; x() 0 1 2 3 4 5 6 7 10\n");
}

/* Of n kinds 1 + n + n (n - 1) values with rows of two, of three as many once more: 46 of 5; of 6
 * there is room for 37, and of 8, with 65, for single ones. */
static void test_room_for_several(void)
{
    static const struct {
        const char *kinds;
        uint32_t values;
    } cases[] = {{"a(),b(),c(),d(),e()", 46},
                 {"a(),b(),c(),d(),e(),f()", 37},
                 {"a(),b(),c(),d(),e(),f(),g()", 50},
                 {"a(),b(),c(),d(),e(),f(),g(),h()", 9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sites s;
        sites_init_with(
            &s, "OPENCL t\n{ nvm x = 0; }\nP0@wg 0 () {\n}\nexists (true)\n",
            (struct sites_wish){.aim = SITES_REPAIR, .several = true, .kinds = cases[i].kinds});
        CU_ASSERT_EQUAL(s.sketch->choices[0].value_count, cases[i].values);
        CU_ASSERT_EQUAL(sites_has_several(s.sketch), cases[i].values > 9);
        lit_fixture_fini(&s.own);
    }
}

/* ---- Fillings ---- */

static struct sketch_filling as_it_is(const struct sketch *sketch)
{
    struct sketch_filling filling = {{0}};
    for (uint32_t i = 0; i < sketch->choice_count; i++)
        filling.value[i] = (uint8_t)sketch->choices[i].original;
    return filling;
}

/* With one more step in these choices, or one less: what changes, and the text that is kept. */
static void expect_changes(const char *text, enum sites_aim aim, uint32_t choices,
                           const char *expected)
{
    struct sites s;
    struct strbuf out = {0};
    sites_init(&s, text, aim);
    struct sketch_filling filling = as_it_is(s.sketch);
    CU_ASSERT_STRING_EQUAL(sketch_filled(&s.own.arena, s.sketch, &filling, 0)->text, text);
    for (uint32_t i = 0; i < s.sketch->choice_count; i++)
        if (choices >> i & 1)
            filling.value[i] = (uint8_t)(filling.value[i] + (aim == SITES_REPAIR ? 1 : -1));
    const struct changes changes = changes_of(&s.own.arena, s.sketch, &filling, 0);
    for (uint32_t i = 0; i < changes.count; i++) {
        const struct change *change = &changes.items[i];
        strbuf_printf(&out, "%u", change->line);
        if (change->before)
            strbuf_printf(&out, " -%s", change->before);
        if (change->after)
            strbuf_printf(&out, " +%s", change->after);
        strbuf_add_char(&out, '\n');
    }
    strbuf_add(&out, strstr(changes.text, "f) {\n") + 5);
    lit_expect_text(strbuf_text(&out), expected);
    strbuf_fini(&out);
    lit_fixture_fini(&s.own);
}

/* What is added has a line of its own; of what is left out no line stays, unless a comment does. */
static void test_changes(void)
{
    static const char barrier[] = ONE("  *x = 1;\n  p_barrier_wi;\n  *y = 1;\n");
    /* Choices: slots in front of lines 4 and 5, the barrier's scope, slots at 6 and 7. */
    expect_changes(barrier, SITES_REPAIR, 2 | 4,
                   "5 +  p_barrier_wi;\n5 -  p_barrier_wi; +  p_barrier_wg;\n"
                   "  *x = 1;\n  p_barrier_wi;\n  p_barrier_wg;\n  *y = 1;\n}\nexists (true)\n");
    /* In front of a brace it is set in as its block is; of an empty block by two blanks. */
    expect_changes(barrier, SITES_REPAIR, 16,
                   "7 +  p_barrier_wi;\n"
                   "  *x = 1;\n  p_barrier_wi;\n  *y = 1;\n  p_barrier_wi;\n}\nexists (true)\n");
    expect_changes(barrier, SITES_NARROW, 1,
                   "5 -  p_barrier_wi;\n  *x = 1;\n  *y = 1;\n}\nexists (true)\n");
    expect_changes(ONE("  p_barrier_wi; // why\n"), SITES_NARROW, 1,
                   "4 -  p_barrier_wi; // why +  // why\n  // why\n}\nexists (true)\n");
    /* In the middle of a line it stays there. */
    expect_changes(ONE("  if (1) { *x = 1; }\n"), SITES_REPAIR, 2,
                   "4 -  if (1) { *x = 1; } +  if (1) { p_barrier_wi; *x = 1; }\n"
                   "  if (1) { p_barrier_wi; *x = 1; }\n}\nexists (true)\n");
}

void suite_sites(void)
{
    CU_pSuite suite = CU_add_suite("sites", NULL, NULL);
    UNIT_TEST(suite, test_barriers);
    UNIT_TEST(suite, test_fences);
    UNIT_TEST(suite, test_accesses);
    UNIT_TEST(suite, test_wordless);
    UNIT_TEST(suite, test_definitions);
    UNIT_TEST(suite, test_swaps);
    UNIT_TEST(suite, test_meeting);
    UNIT_TEST(suite, test_table);
    UNIT_TEST(suite, test_repair);
    UNIT_TEST(suite, test_flushes);
    UNIT_TEST(suite, test_weaker);
    UNIT_TEST(suite, test_several);
    UNIT_TEST(suite, test_room_for_several);
    UNIT_TEST(suite, test_changes);
}
