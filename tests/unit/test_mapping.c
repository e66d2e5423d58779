/* Mappings: what their files are read as, what becomes of a test by them, and what is refused. The
 * texts that are expected follow from docs/models/mappings.md, by hand. */
#define _GNU_SOURCE /* memfd_create */
#include "test_lit_fixture.h"

#include "mapping/mapping.h"
#include "mapping/mapping_edit.h"

#include <sys/mman.h>
#include <unistd.h>

struct mapped {
    struct lit_fixture own; /* its program is what has been made, read again */
    const struct mapping *mapping;
    const char *text; /* NULL: refused */
};

/* A file of that text, by its path. */
static const char *file_of(struct arena *arena, const char *text, int *file)
{
    *file = memfd_create("mapping", 0);
    CU_ASSERT_FATAL(*file >= 0 && write(*file, text, strlen(text)) == (ssize_t)strlen(text));
    return arena_printf(arena, "/proc/self/fd/%d", *file);
}

static void map_init(struct mapped *m, const char *mapping, const char *test)
{
    static const struct reach nothing;
    int file;
    *m = (struct mapped){.text = NULL};
    arena_init(&m->own.arena);
    diag_init(&m->own.diag);
    m->own.names = intern_new();
    m->mapping = mapping_load(&m->own.arena, m->own.names, &nothing,
                              file_of(&m->own.arena, mapping, &file), &m->own.diag);
    close(file);
    CU_ASSERT((m->mapping == NULL) == (m->own.diag.errors > 0));
    if (m->mapping && test) {
        const struct lit_surroundings none = {0};
        struct lit_mapped made;
        const struct source *source = source_from_text(&m->own.arena, "t", test, strlen(test));
        bool good = mapping_apply(&m->own.arena, m->own.names, m->mapping, source, &none,
                                  &m->own.diag, &made);
        CU_ASSERT(good == (m->own.diag.errors == 0));
        m->text = good ? made.text : NULL;
    }
    diag_render(&m->own.diag, &m->own.messages);
}

#define HEAD                                                                   \
    "OPENCL t\nuses \"lin.def\"\n{ nvm x = 0; nvm y = 0; nvm a[4]; v = 0; }\n" \
    "P0 (global int* x, global int* y, global int* a, global int* v) {\n"
#define TAIL "}\nexists (true)\n"
#define LIN(rules) "uses \"lin.def\"\npragma p { " rules " }\n"

/* The code of P0, of which `body` is what stands in the source. */
static void expect_body(const char *mapping, const char *body, const char *expected)
{
    struct mapped m;
    struct strbuf test = {0}, wanted = {0};
    strbuf_printf(&test, "%s%s%s", HEAD, body, TAIL);
    strbuf_printf(&wanted, "%s%s%s", HEAD, expected, TAIL);
    map_init(&m, mapping, strbuf_text(&test));
    CU_ASSERT_STRING_EQUAL(strbuf_text(&m.own.messages), "");
    lit_expect_text(m.text ? m.text : "refused", strbuf_text(&wanted));
    lit_fixture_fini(&m.own);
    strbuf_fini(&test);
    strbuf_fini(&wanted);
}

/* One error of the file, or of a test with this body, that has the text in it; at its place. */
static void expect_wrong(const char *mapping, const char *body, const char *where, const char *what)
{
    struct mapped m;
    struct strbuf test = {0};
    strbuf_printf(&test, "%s%s%s", HEAD, body ? body : "", TAIL);
    map_init(&m, mapping, body ? strbuf_text(&test) : NULL);
    bool good = m.own.diag.errors == 1 && strstr(strbuf_text(&m.own.messages), where) &&
                strstr(strbuf_text(&m.own.messages), what);
    if (!good)
        fprintf(stderr, "of %s%sfound, instead of one error at '%s' with '%s':\n%s", mapping,
                body ? body : "", where, what, strbuf_text(&m.own.messages));
    CU_ASSERT(good);
    lit_fixture_fini(&m.own);
    strbuf_fini(&test);
}

/* ---- Files ---- */

static void test_read(void)
{
    struct mapped m;
    map_init(&m,
             "// Two schemes.\n/* no title */ uses \"lin.def\"\n"
             "pragma gpu  pm a scope N {\n  promises sc + ./own.cat under tso + px86;\n"
             "  promises sc + strict under sc + none;\n"
             "  every N iterations : first { l2wb(); } sfence();\n  every 3 iterations : ;\n}\n"
             "pragma gpu b { at end : each stored X { clwb(X); }\n"
             "  instead of barrier(A, B) : membar; }",
             NULL);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&m.own.messages), "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(m.mapping);
    CU_ASSERT_STRING_EQUAL(m.mapping->title, "Two schemes");
    CU_ASSERT_EQUAL(m.mapping->use_count, 1);
    const struct lit_scheme *a = m.mapping->schemes, *b = a->next;
    CU_ASSERT_PTR_NULL(b->next);
    CU_ASSERT_STRING_EQUAL(a->pragma, "gpu pm a");
    CU_ASSERT_STRING_EQUAL(a->scope, "N");
    CU_ASSERT_EQUAL(a->promise_count, 2);
    CU_ASSERT_STRING_EQUAL(a->promises[0].source_persistency, "./own.cat");
    CU_ASSERT_STRING_EQUAL(a->promises[1].target_persistency, "none");
    CU_ASSERT_EQUAL(a->kinds, 1u << LIT_RULE_ITERATIONS);
    const struct lit_rule *every = a->rules;
    CU_ASSERT(every->scoped && !every->next->scoped && every->next->period == 3);
    CU_ASSERT(every->items->kind == LIT_ITEM_FIRST && every->items->next->arg_count == 0);
    CU_ASSERT_STRING_EQUAL(every->items->items->name, "l2wb");
    CU_ASSERT_PTR_NULL(every->next->items);
    CU_ASSERT_PTR_NULL(b->scope);
    CU_ASSERT_EQUAL(b->kinds, 1u << LIT_RULE_END | 1u << LIT_RULE_INSTRUCTION);
    CU_ASSERT(b->rules->items->kind == LIT_ITEM_EACH_STORED);
    CU_ASSERT_PTR_EQUAL(b->rules->items->name, b->rules->items->items->args[0]);
    CU_ASSERT_EQUAL(b->rules->next->formal_count, 2);
    CU_ASSERT(!b->rules->next->items->parentheses);
    lit_fixture_fini(&m.own);
}

static void test_files_refused(void)
{
    static const struct {
        const char *file, *where, *what;
    } cases[] = {
        {"", ":1:1:", "found the end of the file, expected 'pragma'"},
        {"everywhere {", ":1:13:", "expected a rule"},
        {"everywhere { } pragma p { }", ":1:16:", "'everywhere' stands alone"},
        {"pragma p { } pragma p { }", ":1:14:", "has a scheme already"},
        {"pragma { }", ":1:8:", "expected the words of a pragma"},
        {"pragma p { at start : ; }", ":1:15:", "expected 'end'"},
        {"pragma p { evry 2 launches : ; }", ":1:12:", "did you mean 'every'?"},
        {"pragma p { every 0 launches : ; }", ":1:18:", "a number from 1"},
        {"pragma p { every 1000001 launches : ; }", ":1:18:", "a number from 1"},
        {"pragma p scope N { every M launches : ; }", ":1:26:", "a number from 1, or 'N'"},
        {"pragma p { every 2 lunches : ; }", ":1:20:", "did you mean 'launches'?"},
        {"everywhere { at end : ; }", ":1:14:", "this rule needs a pragma"},
        {"pragma p { at end : ; at end : ; }", ":1:23:", "has such a rule already"},
        {"uses \"lin.def\"\npragma p { after store X : ; instead of store X, V : st_wt(X, V); }",
         ":2:30:", "has such a rule already"},
        {"uses \"lin.def\" pragma p { instead of store X, V : st_wt(X, 1); }",
         ":1:27:", "its value once"},
        {"pragma p { instead of no_such : ; }", ":1:23:", "no instruction 'no_such'"},
        {"pragma p { instead of barrier(A, B, C, D) : ; }", ":1:40:", "fewer parameters"},
        {"pragma p { at end : each launched K { join K; } }", ":1:21:", "has no place here"},
        {"pragma p { every 1 launches : join K; }", ":1:36:", "the parameter of 'each launched'"},
        {"pragma p { promises sc + strict over sc + none; }", ":1:33:", "'under'"},
        {"pragma p { promises sc under sc + none; }", ":1:24:", "expected '+'"},
        {"everywhere { instead of p_barrier_wi : ; instead of p_barrier_wi : ; }",
         ":1:42:", "has such a rule already"},
        {"everywhere { keep sfence, no_such; }", ":1:27:", "no instruction 'no_such'"},
        {"everywhere { keep sfence; instead of sfence : ; }", ":1:27:", "has such a rule already"},
        {"everywhere { keep sfence : ; }", ":1:26:", "expected ';'"},
        {"uses lin.def pragma p { }", ":1:6:", "a definition file in quotes"},
        {"pragma p { at end : first { first { first { first { first { sfence(); } } } } } }",
         ":1:53:", "more than 4 levels"},
        {"pragma p { at end : barrier(1, 2, 3, 4, 5); }", ":1:41:", "an argument"},
        {"pragma p { at end : \x80; }", ":1:21:", "a character that has no place here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_wrong(cases[i].file, NULL, cases[i].where, cases[i].what);
}

/* A function that nobody has is told once, however often it stands there. */
static void test_unknown_once(void)
{
    expect_wrong("pragma p { at end : foo(); foo(); }\npragma q { at end : foo(1); }", NULL,
                 ":1:21:", "no function 'foo'");
}

/* ---- Changes of a text ---- */

static const char three[] = "  one;\n\ttwo; // 2\nthree }\n";

static struct span place(const struct source *source, uint32_t line, uint32_t from, uint32_t to)
{
    return (struct span){source, line, from, line, to};
}

static void test_edit_places(void)
{
    struct arena arena;
    arena_init(&arena);
    const struct source *source = source_from_text(&arena, "t", three, strlen(three));
    struct lit_edits edits = lit_edits_of(&arena, source);
    bool first;
    CU_ASSERT_EQUAL(lit_edit_offset(&edits, 2, 2), 8);
    CU_ASSERT_STRING_EQUAL(lit_edit_text(&edits, place(source, 2, 2, 5)), "two");
    struct span two_lines = {source, 1, 3, 2, 5};
    CU_ASSERT_STRING_EQUAL(lit_edit_text(&edits, two_lines), "one;\n\ttwo");
    CU_ASSERT_STRING_EQUAL(lit_edit_indent(&edits, 8, &first), "\t");
    CU_ASSERT(first);
    CU_ASSERT_STRING_EQUAL(lit_edit_indent(&edits, 3, &first), "  ");
    CU_ASSERT(!first); /* the n of one */
    arena_fini(&arena);
}

/* Changes as they are asked for, in one order and in the other: the text is the same. */
static void expect_edited(void (*const changes[])(struct lit_edits *), size_t count,
                          const char *expected)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        struct arena arena;
        struct strbuf out = {0};
        arena_init(&arena);
        const struct source *source = source_from_text(&arena, "t", three, strlen(three));
        struct lit_edits edits = lit_edits_of(&arena, source);
        for (size_t i = 0; i < count; i++)
            changes[backwards ? count - 1 - i : i](&edits);
        lit_edit_apply(&edits, &out);
        lit_expect_text(strbuf_text(&out), expected);
        CU_ASSERT_EQUAL(edits.items.count, 0);
        strbuf_fini(&out);
        arena_fini(&arena);
    }
}

static const char *const inserted[] = {"a;", "b;"};

static void drop_one(struct lit_edits *edits)
{
    lit_edit_drop(edits, place(edits->source, 1, 3, 7), "");
}
static void drop_two(struct lit_edits *edits)
{
    lit_edit_drop(edits, place(edits->source, 2, 2, 6), "");
}
static void instead_of_one(struct lit_edits *edits)
{
    lit_edit_drop(edits, place(edits->source, 1, 3, 7), "int i;");
}
static void behind_two(struct lit_edits *edits)
{
    lit_edit_behind(edits, 12, "\t", inserted, 2);
}
static void behind_three(struct lit_edits *edits)
{
    lit_edit_behind(edits, 23, "    ", inserted, 1);
}
static void beside_one(struct lit_edits *edits)
{
    lit_edit_behind(edits, 6, NULL, inserted, 2);
}

static void test_edits(void)
{
    expect_edited(NULL, 0, three);
    /* A line that has nothing else goes with what is dropped; one with a comment stays. */
    expect_edited((void (*const[])(struct lit_edits *)){drop_one, drop_two}, 2,
                  "\t // 2\nthree }\n");
    expect_edited((void (*const[])(struct lit_edits *)){instead_of_one}, 1,
                  "  int i;\n\ttwo; // 2\nthree }\n");
    /* Behind the comment of the line, and before a brace that closes. */
    expect_edited((void (*const[])(struct lit_edits *)){beside_one, behind_two, behind_three}, 3,
                  "  one; a; b;\n\ttwo; // 2\n\ta;\n\tb;\nthree\n    a; }\n");
}

/* ---- Stores ---- */

#define AFTER LIN("after store X : clwb(X);")
#define BY_EACH LIN("at end : each stored X { clwb(X); } sfence();")

static void test_after_stores(void)
{
    expect_body(AFTER, "  *v = 1;\n  #pragma p\n  *x = 1; *y = 1; // two\n  *v = 1;\n",
                "  *v = 1;\n  *x = 1;\n  clwb(x);\n  *y = 1; // two\n  clwb(y);\n  *v = 1;\n");
    /* What was not covered, or is covered by another's pragma, is left alone. */
    expect_body(AFTER, "  *x = 1;\n  #pragma p\n  *y = 1;\n  #pragma p end\n  *x = 2;\n",
                "  *x = 1;\n  *y = 1;\n  clwb(y);\n  *x = 2;\n");
    /* An index that reads memory is read once. */
    expect_body(AFTER, "  #pragma p\n  a[*v] = 1;\n",
                "  int stored_1 = *v;\n  a[stored_1] = 1;\n  clwb(&a[stored_1]);\n");
    /* A branch without braces gets them. */
    expect_body(AFTER, "  int r = *v;\n  #pragma p\n  if (r) *x = 1; else *y = 1;\n",
                "  int r = *v;\n  if (r) { *x = 1; clwb(x); } else { *y = 1; clwb(y); }\n");
}

/* A location is one too where the work-item has no parameters. */
static void test_without_parameters(void)
{
    struct mapped m;
    map_init(&m, AFTER,
             "OPENCL t\nuses \"lin.def\"\n{ nvm x = 0; }\nP0 {\n  #pragma p\n  x = 1;\n}\n"
             "exists (true)\n");
    CU_ASSERT_STRING_EQUAL(strbuf_text(&m.own.messages), "");
    lit_expect_text(m.text ? m.text : "refused",
                    "OPENCL t\nuses \"lin.def\"\n{ nvm x = 0; }\nP0 {\n  x = 1;\n  clwb(x);\n}\n"
                    "exists (true)\n");
    lit_fixture_fini(&m.own);
}

static void test_each_stored(void)
{
    /* A location is named once, as it was at the store. */
    expect_body(BY_EACH, "  int i = 0;\n  #pragma p\n  *x = 1;\n  *x = 2;\n  a[i] = 1;\n  i = 3;\n",
                "  int i = 0;\n  int stored_1 = 0;\n  *x = 1;\n  *x = 2;\n"
                "  stored_1 = i;\n  a[stored_1] = 1;\n  i = 3;\n"
                "  clwb(x); clwb(&a[stored_1]);\n  sfence();\n");
    /* One in a branch is asked whether it has happened. */
    expect_body(BY_EACH, "  int r = *v;\n  #pragma p\n  if (r) *x = 1;\n",
                "  int r = *v;\n  int stored_1 = 0;\n  if (r) { *x = 1; stored_1 = 1; }\n"
                "  if (stored_1) { clwb(x); }\n  sfence();\n");
    /* One in a counted loop by the same loop. */
    expect_body(BY_EACH, "  #pragma p\n  for (int i = 0; i < 2; i++) a[i] = 1;\n",
                "  for (int i = 0; i < 2; i++) a[i] = 1;\n"
                "  for (int i = 0; i < 2; i++) { clwb(&a[i]); }\n  sfence();\n");
    /* With nothing stored what is not for each is there all the same. */
    expect_body(BY_EACH, "  #pragma p\n  *v = 1;\n", "  *v = 1;\n  sfence();\n");
}

/* What is kept stays as it stands, as the other fences of the file do not. */
static void test_keep(void)
{
    expect_body(LIN("keep sfence, pcommit; instead of clwb(X) : ;"),
                "  #pragma p\n  sfence();\n  clwb(x);\n  if (*v) { pcommit(); }\n",
                "  sfence();\n  if (*v) { pcommit(); }\n");
    expect_body("everywhere { instead of p_barrier_wi : ; keep p_barrier_wg; }",
                "  p_barrier_wi;\n  p_barrier(wg_scope);\n", "  p_barrier(wg_scope);\n");
    expect_body(LIN("keep atomic_work_item_fence; instead of clwb(X) : ;"),
                "  #pragma p\n  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_sc, all_scope);\n",
                "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, mo_sc, all_scope);\n");
    expect_wrong(LIN("keep sfence; instead of clwb(X) : ;"), "  #pragma p\n  pcommit();\n",
                 "t:", "has no rule for this");
    expect_wrong("everywhere { instead of p_barrier_wi : ; keep p_barrier_wg; }",
                 "  p_barrier_dev;\n", "t:", "has no rule for this");
}

static void test_instead(void)
{
    expect_body(LIN("instead of store X, V : st_wt(X, V);"),
                "  #pragma p\n  *x = 1 + 2;\n  a[1] = *x; *v = 1;\n",
                "  st_wt(x, 1 + 2);\n  st_wt(&a[1], *x); *v = 1;\n");
    expect_body(LIN("instead of p_barrier_wi : ; instead of clwb(X) : sfence(); clwb(X);"),
                "  #pragma p\n  *x = 1;\n  p_barrier_wi();\n  clwb(x); *y = 1;\n",
                "  *x = 1;\n  sfence(); clwb(x); *y = 1;\n");
    /* Persist barriers are found in all their spellings, and are nothing but what they are. */
    expect_body("everywhere { instead of p_barrier_wi : p_barrier_wi(); }",
                "  p_barrier_wi;\n  p_barrier(wi_scope);\n",
                "  p_barrier_wi();\n  p_barrier_wi();\n");
}

static void test_stores_refused(void)
{
    static const struct {
        const char *mapping, *body, *what;
    } cases[] = {
        {AFTER, "  #pragma p\n  if (*x = 1) *v = 1;\n", "inside of a condition or a head"},
        {AFTER, "  #pragma p\n  *x = 1, *y = 1;\n", "several stores"},
        {AFTER, "  #pragma p\n  int r = *v && (*x = 1);\n", "depends on a value"},
        {AFTER, "  #pragma p\n  st_wt(x, 1);\n", "by the definition of 'st_wt'"},
        {LIN("instead of store X, V : st_wt(X, V);"), "  #pragma p\n  *x += 1;\n",
         "only plain stores"},
        {LIN("instead of store X, V : st_wt(X, V); "),
         "  #pragma p\n  atomic_store_explicit(x, 1, mo_rel);\n", "only plain stores"},
        {BY_EACH, "  #pragma p\n  int i = 0;\n  while (i < 2) { a[i] = 1; i++; }\n",
         "cannot be told where the mapping wants it again"},
        {BY_EACH, "  #pragma p\n  for (int i = 0; i < 2; i++) { if (*v) break; a[i] = 1; }\n",
         "cannot be told where the mapping wants it again"},
        {BY_EACH, "  #pragma p\n  *x = 1;\n  if (*v) return;\n", "leaves what the pragma covers"},
        {LIN("instead of clwb(X) : clwb(X); clwb(X);"), "  #pragma p\n  clwb(&a[*v]);\n",
         "has this several times"},
        {LIN("instead of clwb(X) : ;"), "  int i = 0;\n  #pragma p\n  clwb(&a[i++]);\n",
         "has nothing for this"},
        {LIN("instead of clwb(X) : ;"), "  #pragma p\n  sfence();\n", "has no rule for this"},
        {AFTER, "  #pragma p scope=2\n  *x = 1;\n", "takes no scope"},
        {AFTER, "  #pragma p q\n  *x = 1;\n", "knows no pragma 'p q'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_wrong(cases[i].mapping, cases[i].body, "t:", cases[i].what);
}

/* The test would be larger than tests may be: 4,000 calls of 9 bytes behind each of 130 stores are
 * more than 4 MiB. It is told once, where the mapping says it. */
static void test_too_large(void)
{
    struct strbuf mapping = {0}, body = {0};
    strbuf_add(&mapping, "uses \"lin.def\"\npragma p { after store X :");
    for (int i = 0; i < 4000; i++)
        strbuf_add(&mapping, " sfence();");
    strbuf_add(&mapping, " }\n");
    strbuf_add(&body, "  #pragma p\n");
    for (int i = 0; i < 130; i++)
        strbuf_add(&body, "  *x = 1;\n");
    expect_wrong(strbuf_text(&mapping), strbuf_text(&body),
                 ":2:12:", "more than the 4194304 bytes that a test may have");
    strbuf_fini(&mapping);
    strbuf_fini(&body);
}

/* ---- Loops ---- */

static void test_iterations(void)
{
    expect_body(LIN("every 1 iterations : sfence();"),
                "  #pragma p\n  for (int i = 0; i < 4; i++) {\n    a[i] = 1;\n  }\n",
                "  for (int i = 0; i < 4; i++) {\n    a[i] = 1;\n    sfence();\n  }\n");
    /* At the end of the last of three; iterations are counted from 0, by what is added. */
    expect_body(LIN("every 3 iterations : sfence();"),
                "  #pragma p\n  for (int i = 4; i <= 9; i += 2) {\n    a[0] = i;\n  }\n",
                "  for (int i = 4; i <= 9; i += 2) {\n    a[0] = i;\n"
                "    if ((i - (4)) / 2 % 3 == 2) {\n      sfence();\n    }\n  }\n");
    /* What the iterations before have stored to, the oldest first. */
    expect_body("uses \"lin.def\"\npragma p scope N { every N iterations : "
                "each stored X { clwb(X); } }",
                "  #pragma p scope=2\n  for (int i = 0; i < 4; i++) {\n    a[i] = 1;\n  }\n",
                "  for (int i = 0; i < 4; i++) {\n    a[i] = 1;\n    if (i % 2 == 1) {\n"
                "      clwb(&a[(i - 1)]); clwb(&a[i]);\n    }\n  }\n");
}

static void test_loops_refused(void)
{
    static const struct {
        const char *rules, *body, *what;
    } cases[] = {
        {LIN("every 1 iterations : sfence();"), "  #pragma p\n  *x = 1;\n", "found no loop"},
        {LIN("every 1 iterations : sfence();"),
         "  #pragma p\n  for (int i = 0; i < 2; i++) { if (*v) continue; *x = i; }\n",
         "leaves an iteration in the middle"},
        {LIN("every 2 iterations : sfence();"), "  #pragma p\n  while (*v) { *x = 1; }\n",
         "cannot be counted"},
        {LIN("every 2 iterations : sfence();"),
         "  #pragma p\n  for (int i = 0; i < 2; i++) { i = i + 1; *x = i; }\n",
         "cannot be counted"},
        {LIN("every 2 iterations : sfence();"),
         "  #pragma p\n  for (int i = 4; i > 2; i--) { *x = i; }\n", "cannot be counted"},
        {"uses \"lin.def\"\npragma p scope N { every N iterations : each stored X { clwb(X); } }",
         "  #pragma p scope=65\n  for (int i = 0; i < 2; i++) { a[i] = 1; }\n", "at most 64"},
        {"pragma p scope N { every N iterations : p_barrier_wi(); }",
         "  #pragma p scope=0\n  for (int i = 0; i < 2; i++) { *x = i; }\n", "from 1 to"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_wrong(cases[i].rules, cases[i].body, "t:", cases[i].what);
}

/* ---- Tables ---- */

#define TABLE_HEAD "PTX t\nuses \"lin.def\"\n{ nvm x = 0; nvm y = 0; v = 0; }\n"

static void expect_table(const char *mapping, const char *rows, const char *expected)
{
    struct mapped m;
    struct strbuf test = {0}, wanted = {0};
    strbuf_printf(&test, "%s%sexists (true)\n", TABLE_HEAD, rows);
    strbuf_printf(&wanted, "%s%sexists (true)\n", TABLE_HEAD, expected);
    map_init(&m, mapping, strbuf_text(&test));
    CU_ASSERT_STRING_EQUAL(strbuf_text(&m.own.messages), "");
    lit_expect_text(m.text ? m.text : "refused", strbuf_text(&wanted));
    lit_fixture_fini(&m.own);
    strbuf_fini(&test);
    strbuf_fini(&wanted);
}

static void test_tables(void)
{
    /* Each call in a row of its own, no wider than the cells; the row of pragmas alone is gone. */
    expect_table(AFTER,
                 " P0           | P1           ;\n pragma \"p\"   |              ;\n"
                 " st.weak x, 1 | st.weak x, 2 ;\n st.weak v, 1 |              ;\n",
                 " P0           | P1           ;\n"
                 " st.weak x, 1 | st.weak x, 2 ;\n clwb x       |              ;\n"
                 " st.weak v, 1 |              ;\n");
    expect_table("uses \"lin.def\"\neverywhere { instead of p_barrier_wi : sfence(); pcommit(); }",
                 " P0          ;\n pbar.thread ;\n st.weak x, 1 ;\n",
                 " P0          ;\n sfence      ;\n pcommit     ;\n st.weak x, 1 ;\n");
}

static void expect_table_wrong(const char *mapping, const char *rows, const char *where,
                               const char *what)
{
    struct mapped m;
    struct strbuf test = {0};
    strbuf_printf(&test, "%s%sexists (true)\n", TABLE_HEAD, rows);
    map_init(&m, mapping, strbuf_text(&test));
    CU_ASSERT_EQUAL(m.own.diag.errors, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&m.own.messages), where));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&m.own.messages), what));
    lit_fixture_fini(&m.own);
    strbuf_fini(&test);
}

static void test_tables_refused(void)
{
    expect_table_wrong(LIN("at end : sfence();"),
                       " P0 ;\n pragma \"p\" ;\n L: ld.relaxed.gpu r0, v ;\n beq r0, 0, L ;\n",
                       "t:7:2:", "a column that jumps");
    expect_table_wrong(LIN("every 1 launches : l2wb();"),
                       " P0 ;\n pragma \"p\" ;\n st.weak x, 1 ;\n",
                       "t:5:2:", "no loops and epochs that could be counted");
    expect_table_wrong(LIN("instead of store X, V : st_wt(X, V);"),
                       " P0 ;\n pragma \"p\" ;\n st.release.gpu x, 1 ;\n",
                       "t:6:2:", "only 'st.weak' can be replaced");
    /* What the dialect has not is told once, where the mapping says it. */
    expect_table_wrong(LIN("after store X : sync_barrier_wg();"),
                       " P0 ;\n pragma \"p\" ;\n st.weak x, 1 ;\n st.weak y, 1 ;\n", "fd/",
                       "no instruction 'sync_barrier_wg'");
}

/* ---- Laws ---- */

/* A mapping whose rules say what is there already changes no program; nor does one that inserts
 * nothing. Expectations are gone, and the rest of the text is the source's. */
static void test_identity(void)
{
    static const char of_lin[] = "uses \"lin.def\"\neverywhere { instead of clwb(X) : clwb(X); "
                                 "instead of sfence : sfence(); }";
    static const char *const mappings[] = {
        "everywhere { instead of p_barrier_wi : p_barrier_wi(); }",
        "everywhere { after store X : ; }", of_lin};
    static const char test[] = HEAD
        "  int r = *x; /* kept */\n  for (int i = 0; i < 2; i++) a[i] = r;\n  if (r) { *x = 1; }\n"
        "  p_barrier_wi();\n  clwb(x);\n  sfence();\n" TAIL;
    struct lit_fixture source;
    lit_fixture_accept(&source, test);
    for (size_t i = 0; i < sizeof mappings / sizeof *mappings; i++) {
        struct mapped m;
        struct lit_fixture made;
        struct strbuf expecting = {0};
        strbuf_printf(&expecting, "%sexpect sc + strict : ok\n", test);
        map_init(&m, mappings[i], strbuf_text(&expecting));
        CU_ASSERT_STRING_EQUAL(strbuf_text(&m.own.messages), "");
        CU_ASSERT_PTR_NOT_NULL_FATAL(m.text);
        lit_expect_text(m.text, test);
        lit_fixture_accept(&made, m.text);
        lit_expect_text(strbuf_text(&made.dump), strbuf_text(&source.dump));
        lit_fixture_fini(&made);
        lit_fixture_fini(&m.own);
        strbuf_fini(&expecting);
    }
    lit_fixture_fini(&source);
}

void suite_mapping(void)
{
    CU_pSuite suite = CU_add_suite("mapping", NULL, NULL);
    UNIT_TEST(suite, test_read);
    UNIT_TEST(suite, test_files_refused);
    UNIT_TEST(suite, test_unknown_once);
    UNIT_TEST(suite, test_edit_places);
    UNIT_TEST(suite, test_edits);
    UNIT_TEST(suite, test_after_stores);
    UNIT_TEST(suite, test_without_parameters);
    UNIT_TEST(suite, test_each_stored);
    UNIT_TEST(suite, test_keep);
    UNIT_TEST(suite, test_instead);
    UNIT_TEST(suite, test_stores_refused);
    UNIT_TEST(suite, test_too_large);
    UNIT_TEST(suite, test_iterations);
    UNIT_TEST(suite, test_loops_refused);
    UNIT_TEST(suite, test_tables);
    UNIT_TEST(suite, test_tables_refused);
    UNIT_TEST(suite, test_identity);
}
