/* diag of src/base: the exact text of every shape, the order, and near names. */
#include "base/diag.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;
static struct diag diag;
static struct strbuf rendered;
static const struct source *source;

static void start(const char *text)
{
    arena_init(&arena);
    diag_init(&diag);
    rendered = (struct strbuf){0};
    source = source_from_text(&arena, "t.litmus", text, strlen(text));
}

static void finish(const char *expected)
{
    diag_render(&diag, &rendered);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&rendered), expected);
    strbuf_fini(&rendered);
    diag_fini(&diag);
    arena_fini(&arena);
}

/* On one line, columns from..to-1. */
static struct span on_line(uint32_t line, uint32_t from, uint32_t to)
{
    return (struct span){source, line, from, line, to};
}

static void nothing_renders_nothing(void)
{
    start("x\n");
    CU_ASSERT(diag.errors == 0);
    finish("");
}

static void error_shows_its_line(void)
{
    start("{\n  nvm key = 0;\n}\n");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(2, 7, 10), "found `%s`", "key");
    CU_ASSERT(diag.errors == 1);
    /* Column 7 is the k of key, so the caret stands after 4 + 6 blanks. */
    finish("t.litmus:2:7: error: found `key` [E-lit-syntax]\n"
           "      nvm key = 0;\n"
           "          ^~~\n");
}

static void warning_and_note_follow(void)
{
    start("let a = b\n");
    diag_warning(&diag, DIAG_CAT_SYNTAX, on_line(1, 5, 6), "a is unused");
    diag_note(&diag, on_line(1, 9, 10), "it would be b");
    CU_ASSERT(diag.errors == 0);
    finish("t.litmus:1:5: warning: a is unused [E-cat-syntax]\n"
           "    let a = b\n"
           "        ^\n"
           "t.litmus:1:9: note: it would be b [E-cat-syntax]\n"
           "    let a = b\n"
           "            ^\n");
}

static void note_needs_a_head(void)
{
    start("");
    diag_note(&diag, (struct span){0}, "alone");
    finish("");
}

static void without_a_line(void)
{
    start("x");
    diag_error(&diag, DIAG_FILE_READ, (struct span){.source = source}, "cannot read");
    diag_error(&diag, DIAG_CLI_USAGE, (struct span){0}, "no such option");
    finish("t.litmus: error: cannot read [E-file-read]\n"
           "crashlit: error: no such option [E-cli-usage]\n");
}

/* Found in the order 3:1, 1:4, 1:2; printed as 1:2, 1:4, 3:1. */
static void printed_by_line_and_column(void)
{
    start("abcd\n\nx\n");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(3, 1, 2), "third");
    diag_warning(&diag, DIAG_LIT_SYNTAX, on_line(1, 4, 5), "second");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 2, 3), "first");
    CU_ASSERT(diag.errors == 2);
    finish("t.litmus:1:2: error: first [E-lit-syntax]\n    abcd\n     ^\n"
           "t.litmus:1:4: warning: second [E-lit-syntax]\n    abcd\n       ^\n"
           "t.litmus:3:1: error: third [E-lit-syntax]\n    x\n    ^\n");
}

/* The note's own place, 1:1, is before both errors; it belongs to the one at 2:1. */
static void a_note_stays_with_its_head(void)
{
    start("a\nb\nc\n");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(3, 1, 2), "later");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(2, 1, 2), "sooner");
    diag_note(&diag, on_line(1, 1, 2), "because");
    diag_note(&diag, (struct span){0}, "and so");
    finish("t.litmus:2:1: error: sooner [E-lit-syntax]\n    b\n    ^\n"
           "t.litmus:1:1: note: because [E-lit-syntax]\n    a\n    ^\n"
           "crashlit: note: and so [E-lit-syntax]\n"
           "t.litmus:3:1: error: later [E-lit-syntax]\n    c\n    ^\n");
}

/* Two at one place, and two without any: each pair as it was found. What has no line
 * comes first, although it was found last. */
static void equals_keep_their_order(void)
{
    start("a\n");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 1, 2), "one");
    diag_error(&diag, DIAG_CAT_SYNTAX, on_line(1, 1, 1), "two");
    diag_error(&diag, DIAG_CLI_USAGE, (struct span){0}, "three");
    diag_error(&diag, DIAG_FILE_READ, (struct span){.source = source}, "four");
    finish("crashlit: error: three [E-cli-usage]\n"
           "t.litmus: error: four [E-file-read]\n"
           "t.litmus:1:1: error: one [E-lit-syntax]\n    a\n    ^\n"
           "t.litmus:1:1: error: two [E-cat-syntax]\n    a\n    ^\n");
}

/* z.cat is found first, so all of it goes before t.litmus, whatever names and lines. */
static void sources_in_order_of_appearance(void)
{
    start("a\nb\n");
    const struct source *other = source_from_text(&arena, "z.cat", "x\ny\n", 4);
    diag_error(&diag, DIAG_CAT_SYNTAX, (struct span){other, 2, 1, 2, 2}, "z two");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 1, 2), "t one");
    diag_error(&diag, DIAG_CAT_SYNTAX, (struct span){other, 1, 1, 1, 2}, "z one");
    finish("z.cat:1:1: error: z one [E-cat-syntax]\n    x\n    ^\n"
           "z.cat:2:1: error: z two [E-cat-syntax]\n    y\n    ^\n"
           "t.litmus:1:1: error: t one [E-lit-syntax]\n    a\n    ^\n");
}

/* A place is in a span from its begin up to, not including, its end. */
static void errors_inside_a_span(void)
{
    start("abcdef\nxyz\n");
    diag_warning(&diag, DIAG_LIT_SYNTAX, on_line(1, 2, 3), "no error");
    CU_ASSERT_FALSE(diag_has_error_in(&diag, on_line(1, 1, 7)));
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 3, 5), "at 1:3");
    CU_ASSERT(diag_has_error_in(&diag, on_line(1, 3, 4)));
    CU_ASSERT(diag_has_error_in(&diag, on_line(1, 1, 7)));
    CU_ASSERT_FALSE(diag_has_error_in(&diag, on_line(1, 1, 3)));
    CU_ASSERT_FALSE(diag_has_error_in(&diag, on_line(1, 4, 7)));
    CU_ASSERT_FALSE(diag_has_error_in(&diag, on_line(2, 1, 4)));
    CU_ASSERT(diag_has_error_in(&diag, (struct span){source, 1, 2, 2, 1}));
    CU_ASSERT_FALSE(diag_has_error_in(&diag, (struct span){NULL, 1, 1, 1, 7}));
    strbuf_fini(&rendered);
    diag_fini(&diag);
    arena_fini(&arena);
}

static void end_of_file_has_a_caret(void)
{
    start("int\n");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(2, 1, 2), "unexpected end");
    finish("t.litmus:2:1: error: unexpected end [E-lit-syntax]\n"
           "    \n"
           "    ^\n");
}

/* A span that runs on to later lines is marked to the end of its first. */
static void long_span_stops_at_line_end(void)
{
    start("while (1)\n  ;\n");
    diag_error(&diag, DIAG_LIT_SYNTAX, (struct span){source, 1, 7, 2, 4}, "endless");
    finish("t.litmus:1:7: error: endless [E-lit-syntax]\n"
           "    while (1)\n"
           "          ^~~\n");
}

/* A tab is one column, as compilers count bytes; shown as one blank so that the
 * caret stays below its place. No control byte reaches the terminal. */
static void control_bytes_are_harmless(void)
{
    start("\tx = \033[2J;\n");
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 2, 3), "x");
    finish("t.litmus:1:2: error: x [E-lit-syntax]\n"
           "     x =  [2J;\n"
           "     ^\n");
}

static void long_lines_are_cut(void)
{
    char text[400], expected[1000], blanks[201], xs[201];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memset(blanks, ' ', 200);
    memset(xs, 'x', 200);
    blanks[200] = xs[200] = '\0';
    start(text);
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 300, 310), "far out");
    snprintf(expected, sizeof expected,
             "t.litmus:1:300: error: far out [E-lit-syntax]\n    %s\n    %s^\n", xs, blanks);
    finish(expected);
}

/* Of as many warnings as are kept none stands for the error behind them. */
static void the_first_error_is_kept(void)
{
    start("x\n");
    for (int i = 0; i < DIAG_MAX_KEPT + 7; i++)
        diag_warning(&diag, DIAG_LIT_SYNTAX, on_line(1, 1, 2), "again");
    CU_ASSERT(diag_takes_error(&diag));
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 1, 2), "wrong");
    CU_ASSERT(!diag_takes_error(&diag));
    diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 1, 2), "more");
    CU_ASSERT_STRING_EQUAL(diag_first_error(&diag)->message, "wrong");
    CU_ASSERT(diag.errors == 2);
    diag_render(&diag, &rendered);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&rendered), "error: wrong"));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&rendered), "1 further error not shown"));
    strbuf_fini(&rendered);
    diag_fini(&diag);
    arena_fini(&arena);
}

static void only_so_many_are_kept(void)
{
    start("x\n");
    for (int i = 0; i < DIAG_MAX_KEPT + 7; i++)
        diag_error(&diag, DIAG_LIT_SYNTAX, on_line(1, 1, 2), "again");
    CU_ASSERT(diag.errors == DIAG_MAX_KEPT + 7);
    CU_ASSERT(diag.entries.count == DIAG_MAX_KEPT);
    diag_render(&diag, &rendered);
    const char *tail = "crashlit: 7 further errors not shown\n";
    size_t length = strlen(strbuf_text(&rendered));
    CU_ASSERT(length > strlen(tail));
    CU_ASSERT_STRING_EQUAL(strbuf_text(&rendered) + length - strlen(tail), tail);
    strbuf_fini(&rendered);
    diag_fini(&diag);
    arena_fini(&arena);
}

static void messages_are_copied(void)
{
    char name[] = "before";
    start("x\n");
    diag_error(&diag, DIAG_LIT_SYNTAX, (struct span){0}, "%s", name);
    strcpy(name, "after.");
    finish("crashlit: error: before [E-lit-syntax]\n");
}

/* Stable ids are what scripts match: unique, E-layer-words. */
static void ids_are_well_formed(void)
{
    for (int i = 0; i < DIAG_COUNT; i++) {
        const char *text = diag_id_text((enum diag_id)i);
        CU_ASSERT(strncmp(text, "E-", 2) == 0 || strncmp(text, "W-", 2) == 0);
        CU_ASSERT(strspn(text + 2, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(text + 2));
        for (int j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(text, diag_id_text((enum diag_id)j));
    }
}

static const char *nearest(const char *name)
{
    static const char *const names[] = {"acyclic", "irreflexive", "empty", "flag", "po", "rf"};
    const char *found = diag_nearest(name, names, sizeof names / sizeof *names);
    return found ? found : "(none)";
}

/* A beginning is enough where one name alone has it, and it has 4 letters. */
static void meant_names(void)
{
    static const char *const names[] = {"epoch", "epoch-individual", "buffered-epoch", "buffered"};
    CU_ASSERT_STRING_EQUAL(diag_meant("epoch-ind", names, 4), "epoch-individual");
    CU_ASSERT_STRING_EQUAL(diag_meant("epohc", names, 4), "epoch"); /* near goes first */
    CU_ASSERT_PTR_NULL(diag_meant("buffe", names, 4));              /* two begin so */
    CU_ASSERT_PTR_NULL(diag_meant("bu", names, 1));
}

/* Allowed edits: a third of the letters written, at least 1, at most 2. */
static void nearest_names(void)
{
    CU_ASSERT_STRING_EQUAL(nearest("acylic"), "acyclic");        /* one letter lost */
    CU_ASSERT_STRING_EQUAL(nearest("acyclicc"), "acyclic");      /* one too many */
    CU_ASSERT_STRING_EQUAL(nearest("ireflexve"), "irreflexive"); /* 2 edits of 9 / 3, at most 2 */
    CU_ASSERT_STRING_EQUAL(nearest("emtpy"), "empty");     /* neighbours changed places: 1 edit */
    CU_ASSERT_STRING_EQUAL(nearest("emtqy"), "(none)");    /* 2 edits, 5 / 3 = 1 allowed */
    CU_ASSERT_STRING_EQUAL(nearest("ACYCLIC"), "acyclic"); /* in capitals */
    CU_ASSERT_STRING_EQUAL(nearest("irref"), "(none)");    /* 6 edits */
    CU_ASSERT_STRING_EQUAL(nearest("unrelated"), "(none)");
    CU_ASSERT_STRING_EQUAL(nearest(""), "(none)");
    CU_ASSERT_PTR_NULL(diag_nearest("po", NULL, 0));
    char endless[200];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    CU_ASSERT_STRING_EQUAL(nearest(endless), "(none)");
}

static void nearest_prefers_fewer_edits(void)
{
    static const char *const names[] = {"memory_scope", "memory_order", "memory_ordes"};
    CU_ASSERT_STRING_EQUAL(diag_nearest("memory_ordex", names, 3), "memory_order");
    CU_ASSERT_STRING_EQUAL(diag_nearest("memory_orde", names, 3), "memory_order");
    CU_ASSERT_STRING_EQUAL(diag_nearest("memory_scopes", names, 3), "memory_scope");
}

/* A word that stands once in its span, as a word, behind the notes of its diagnostic. */
static void what_was_meant_has_a_place(void)
{
    struct span place;
    start("key keys key\n");
    diag_error(&diag, DIAG_CAT_UNBOUND, on_line(1, 1, 9), "a");
    diag_note(&diag, on_line(1, 10, 13), "n");
    diag_meant_by(&diag, on_line(1, 1, 9), "key", "kye");
    CU_ASSERT(diag_fix_place(&diag.entries.items[0].fix, &place));
    CU_ASSERT(place.line == 1 && place.column == 1 && place.end_column == 4);
    diag_meant_by(&diag, on_line(1, 1, 9), "keys", "later"); /* the first stays */
    CU_ASSERT_STRING_EQUAL(diag.entries.items[0].fix.meant, "kye");
    finish("t.litmus:1:1: error: a [E-cat-unbound]\n    key keys key\n    ^~~~~~~~\n"
           "t.litmus:1:10: note: n [E-cat-unbound]\n    key keys key\n             ^~~\n");
}

static void what_was_meant_is_certain_or_nothing(void)
{
    struct span place;
    start("key keys key\n");
    diag_error(&diag, DIAG_CAT_UNBOUND, on_line(1, 1, 13), "a");
    diag_meant_by(&diag, on_line(1, 5, 9), "keys", "kyes"); /* that is elsewhere */
    diag_meant_by(&diag, on_line(1, 1, 13), "key", NULL);
    CU_ASSERT(!diag_fix_place(&diag.entries.items[0].fix, &place));
    diag_meant_by(&diag, on_line(1, 1, 13), "key", "kye"); /* twice there */
    CU_ASSERT(!diag_fix_place(&diag.entries.items[0].fix, &place));
    diag_error(&diag, DIAG_CAT_UNBOUND, NOWHERE, "b");
    diag_meant_by(&diag, NOWHERE, "key", "kye");
    CU_ASSERT(!diag_fix_place(&diag.entries.items[1].fix, &place));
    finish("crashlit: error: b [E-cat-unbound]\n"
           "t.litmus:1:1: error: a [E-cat-unbound]\n    key keys key\n    ^~~~~~~~~~~~\n");
}

void suite_base_diag(void)
{
    CU_pSuite suite = CU_add_suite("base_diag", NULL, NULL);
    UNIT_TEST(suite, nothing_renders_nothing);
    UNIT_TEST(suite, error_shows_its_line);
    UNIT_TEST(suite, warning_and_note_follow);
    UNIT_TEST(suite, note_needs_a_head);
    UNIT_TEST(suite, without_a_line);
    UNIT_TEST(suite, printed_by_line_and_column);
    UNIT_TEST(suite, a_note_stays_with_its_head);
    UNIT_TEST(suite, equals_keep_their_order);
    UNIT_TEST(suite, sources_in_order_of_appearance);
    UNIT_TEST(suite, errors_inside_a_span);
    UNIT_TEST(suite, end_of_file_has_a_caret);
    UNIT_TEST(suite, long_span_stops_at_line_end);
    UNIT_TEST(suite, control_bytes_are_harmless);
    UNIT_TEST(suite, long_lines_are_cut);
    UNIT_TEST(suite, the_first_error_is_kept);
    UNIT_TEST(suite, only_so_many_are_kept);
    UNIT_TEST(suite, messages_are_copied);
    UNIT_TEST(suite, ids_are_well_formed);
    UNIT_TEST(suite, nearest_names);
    UNIT_TEST(suite, meant_names);
    UNIT_TEST(suite, nearest_prefers_fewer_edits);
    UNIT_TEST(suite, what_was_meant_has_a_place);
    UNIT_TEST(suite, what_was_meant_is_certain_or_nothing);
}
