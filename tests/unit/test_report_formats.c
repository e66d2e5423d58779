/* What the formats of reports have in common: text that is made safe, and places in the source.
 * The formats as a whole are held to other people's readers by tests/corpus/formats.sh. */
#include "fixture.h"

#include "document/report_finding.h"
#include "document/report_tree.h"
#include "format/report_sink.h"
#include "report/report_string.h"

#include <string.h>

#define BAD "\xef\xbf\xbd" /* U+FFFD */

typedef void escape_function(struct strbuf *out, const char *text);

static void expect_text(escape_function *escape, const char *bytes, const char *wanted)
{
    struct strbuf out = {0};
    escape(&out, bytes);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), wanted);
    strbuf_fini(&out);
}

/* XML 1.0 section 2.2: of the controls only tab, line feed and carriage return are characters, and
 * U+FFFE and U+FFFF are none. A picture of a control is U+2400 + c: E2 90 (80 + c). */
static void test_xml(void)
{
    expect_text(report_xml_text, "", "");
    expect_text(report_xml_text, "a<b> & \"c\" 'd' ]]>",
                "a&lt;b&gt; &amp; &quot;c&quot; 'd' ]]&gt;");
    expect_text(report_xml_text, "a\tb\nc\rd", "a\tb\nc&#13;d");
    expect_text(report_xml_attribute, "a\tb\nc\rd", "a&#9;b&#10;c&#13;d");
    expect_text(report_xml_text, "\x01\x1f\x7f", "\xe2\x90\x81\xe2\x90\x9f\xe2\x90\xa1");
    expect_text(report_xml_text, "\xc3\xa9 \xf0\x9f\x98\x80", "\xc3\xa9 \xf0\x9f\x98\x80");
    expect_text(report_xml_text, "\xff \xc3 \xed\xa0\x80", BAD " " BAD " " BAD BAD BAD);
    expect_text(report_xml_text, "\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf", BAD BAD BAD);
}

static void test_xml_bytes(void)
{
    struct strbuf out = {0};
    report_xml_bytes(&out, "a\0<\n", 3);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), "a\xe2\x90\x80&lt;");
    strbuf_fini(&out);
}

/* YAML 1.2 section 5.7: the escapes of double-quoted scalars. */
static void test_yaml(void)
{
    expect_text(report_yaml_string, "", "\"\"");
    expect_text(report_yaml_string, "a \"b\" \\c: #d", "\"a \\\"b\\\" \\\\c: #d\"");
    expect_text(report_yaml_string, "a\nb\tc\x01\x7f", "\"a\\nb\\x09c\\x01\\x7f\"");
    expect_text(report_yaml_string, "\xc3\xa9\xff", "\"\xc3\xa9" BAD "\"");
    expect_text(report_yaml_string, "\xe2\x80\xae", "\"\\u202e\"");
}

/* RFC 3986 section 2.3: letters, digits and -._~ stand for themselves; '/' parts a path. A colon
 * in a relative path would make a scheme of what is before it. */
static void test_uri(void)
{
    expect_text(report_uri, "litmus/a-b_c.d~1", "litmus/a-b_c.d~1");
    expect_text(report_uri, "../a b%20#?.litmus", "../a%20b%2520%23%3F.litmus");
    expect_text(report_uri, "c:x/\"<>", "c%3Ax/%22%3C%3E");
    expect_text(report_uri, "/tmp/\xc3\xa9\xff", "file:///tmp/%C3%A9%FF");
}

/* Line 3 has two accesses to x and one to a[1]; line 4 an RMW; line 5 barriers and a fence.
 * Columns count from 1. */
static const char text[] =
    "OPENCL t\n"
    "{ nvm x = 0; a[2] = {0, 0}; atomic_int y = 0; }\n"
    "P0@wg 0 (global int* x, global int* a, global atomic_int* y) { *x = 1; int r = *x; a[1] = r;\n"
    "  atomic_fetch_add_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n"
    "  sync_barrier_wg; p_barrier_wg; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, "
    "memory_order_acquire, memory_scope_device);\n"
    "}\n"
    "exists (x=1)\n";

/* `location`: its name; NULL: none. */
static void expect_place(const struct lit_program *program, uint32_t line, enum ev_kind kind,
                         const char *location, const char *begin)
{
    struct outcome_event event = {.thread = line ? 0 : LIT_NONE,
                                  .line = line,
                                  .access = "",
                                  .kind = kind,
                                  .location = LIT_NONE};
    for (uint32_t i = 0; location && i < program->location_count; i++)
        if (strcmp(program->locations[i].name, location) == 0)
            event.location = i;
    for (uint32_t i = 0; line && i < program->threads[0].code_count; i++)
        if (program->threads[0].code[i].span.line == line &&
            ev_may_make(program->threads[0].code[i].op, kind))
            event.instr = &program->threads[0].code[i];
    struct span span = report_event_span(program, &event);
    CU_ASSERT_PTR_NOT_NULL_FATAL(span.source);
    size_t length;
    const char *source = source_line(span.source, span.line, &length);
    if (line)
        CU_ASSERT_EQUAL(span.line, line);
    CU_ASSERT_TRUE_FATAL(span.column >= 1 && span.column <= length);
    CU_ASSERT_EQUAL(strncmp(source + span.column - 1, begin, strlen(begin)), 0);
}

static void test_places(void)
{
    struct fixture f;
    fixture_init(&f, text, "sc", "epoch");
    expect_place(f.program, 3, EV_WRITE, "x", "*x = 1;");
    expect_place(f.program, 3, EV_READ, "x", "*x; a[1]");
    expect_place(f.program, 3, EV_WRITE, "a[1]", "a[1] = r;");
    expect_place(f.program, 4, EV_READ, "y", "atomic_fetch_add_explicit");
    expect_place(f.program, 4, EV_WRITE, "y", "atomic_fetch_add_explicit");
    expect_place(f.program, 5, EV_BARRIER, NULL, "sync_barrier_wg");
    expect_place(f.program, 5, EV_PBARRIER, NULL, "p_barrier_wg");
    expect_place(f.program, 5, EV_FENCE, NULL, "atomic_work_item_fence");
    expect_place(f.program, 0, EV_WRITE, "x", "x = 0");
    /* A line without statements: its begin. */
    const struct outcome_event nothing = {.line = 6, .access = "ends without it"};
    struct span span = report_event_span(f.program, &nothing);
    CU_ASSERT_EQUAL(span.line, 6);
    CU_ASSERT_EQUAL(span.column, 1);
    fixture_fini(&f);
}

/* e with an acute accent is two bytes, the face is four; a byte that is no UTF-8 counts as one
 * character; past the end of the line columns stay at the end. */
static void test_columns(void)
{
    struct arena arena;
    arena_init(&arena);
    const char bytes[] = "ab\n\xc3\xa9 \xf0\x9f\x98\x80x\xffy\n";
    const struct source *source = source_from_text(&arena, "t", bytes, sizeof bytes - 1);
    CU_ASSERT_EQUAL(report_character_column(source, 1, 1), 1);
    CU_ASSERT_EQUAL(report_character_column(source, 1, 3), 3);
    CU_ASSERT_EQUAL(report_character_column(source, 2, 1), 1);
    CU_ASSERT_EQUAL(report_character_column(source, 2, 3), 2);  /* the blank */
    CU_ASSERT_EQUAL(report_character_column(source, 2, 4), 3);  /* the face */
    CU_ASSERT_EQUAL(report_character_column(source, 2, 8), 4);  /* x */
    CU_ASSERT_EQUAL(report_character_column(source, 2, 10), 6); /* y */
    CU_ASSERT_EQUAL(report_character_column(source, 2, 99), 7);
    CU_ASSERT_EQUAL(report_character_column(source, 2, 0), 0);
    arena_fini(&arena);
}

struct seen {
    enum report_finding_kind kinds[8];
    uint32_t lines[8];
    char messages[8][160];
    uint32_t count;
};

static void note(void *context, const struct report_finding *finding)
{
    struct seen *seen = context;
    if (seen->count == 8)
        return;
    seen->kinds[seen->count] = finding->kind;
    seen->lines[seen->count] = finding->span.line;
    snprintf(seen->messages[seen->count++], sizeof seen->messages[0], "%s", finding->message);
}

static void find(const struct fixture *f, struct outcome *o, const struct lit_expect *expectation,
                 struct seen *seen)
{
    struct report_test test = {.program = f->program,
                               .model = f->model,
                               .outcome = o,
                               .verdict = outcome_verdict(o, f->program),
                               .expectation = expectation,
                               .expected = expectation ? expectation->verdict : LIT_OK};
    *seen = (struct seen){.count = 0};
    report_each_finding(&test, note, seen);
}

/* One thread stores 1 to x: in the end x is 1, in crash states 0 or 1. So the first, third and
 * fifth condition are violated: by x = 1, by x = 0, and for want of a state, as nobody stores 2. */
static const char conditions[] =
    "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
    "crash ~exists (x=1)\ncrash exists (x=0)\ncrash forall (x=1)\n"
    "final forall (x=1)\nexists (x=2)\nexpect sc + epoch : undefined\n";

static void test_conditions(void)
{
    static const char *const messages[] = {
        "crash ~exists (x=1) is violated by the crash state x=1",
        "crash forall (x=1) is violated by the crash state x=0",
        "final exists (x=2) is violated: no final state satisfies it",
        ("final exists (x=2) is vacuous: no values that the program stores meet it (x is only "
         "ever 0 or 1), whatever is ordered"),
        "verdict violated, expected undefined",
    };
    static const uint32_t lines[] = {4, 6, 8, 8, 9};
    struct fixture f;
    struct outcome o;
    struct seen seen;
    fixture_init(&f, conditions, "sc", "epoch");
    fixture_run(&f, &o);
    find(&f, &o, &f.program->expects[0], &seen);
    CU_ASSERT_EQUAL_FATAL(seen.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(seen.kinds[i], i < 3    ? REPORT_CONDITION
                                       : i == 3 ? REPORT_VACUOUS
                                                : REPORT_UNEXPECTED);
        CU_ASSERT_STRING_EQUAL(seen.messages[i], messages[i]);
        CU_ASSERT_EQUAL(seen.lines[i], lines[i]);
    }
    /* Nobody said what is expected: the conditions speak for themselves. */
    find(&f, &o, NULL, &seen);
    CU_ASSERT_EQUAL(seen.count, 4);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Undefined behaviour takes the conditions' place; a doubt leaves those open that no state
 * decides: ~exists (x=1) is decided by x = 1, x = 2 may still come. */
static void test_doubts(void)
{
    struct fixture f;
    struct outcome o;
    struct seen seen;
    fixture_init(&f, conditions, "sc", "epoch");
    fixture_run(&f, &o);
    o.doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    find(&f, &o, NULL, &seen);
    CU_ASSERT_EQUAL_FATAL(seen.count, 4);
    CU_ASSERT_EQUAL(seen.kinds[0], REPORT_CONDITION);
    CU_ASSERT_EQUAL(seen.kinds[2], REPORT_UNKNOWN);
    CU_ASSERT_EQUAL(seen.lines[2], 7);
    CU_ASSERT_STRING_EQUAL(seen.messages[3],
                           "final exists (x=2) is unknown: the time limit ran out");
    const struct outcome_undefined race = {
        OUTCOME_CHECK,
        "race",
        {{.line = 3, .access = "W x"}, {.thread = LIT_NONE, .access = "W x"}},
        2,
        false,
        false};
    const struct outcome_undefined check = {.kind = OUTCOME_CHECK, .name = "other"};
    outcome_add_undefined(&o, &race);
    outcome_add_undefined(&o, &check);
    find(&f, &o, NULL, &seen);
    CU_ASSERT_EQUAL_FATAL(seen.count, 2);
    CU_ASSERT_EQUAL(seen.kinds[0], REPORT_RACE);
    CU_ASSERT_STRING_EQUAL(seen.messages[0], "race: P0's W x at line 3 and the initial W x");
    CU_ASSERT_EQUAL(seen.kinds[1], REPORT_CHECK);
    CU_ASSERT_EQUAL(seen.lines[1], 0);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Marks of a worker that is no longer itself lie behind the text, or do not rise. */
static bool is_read(uint64_t first, uint64_t second)
{
    struct report_piece *piece = report_piece_new(report_format_find("tap"), "t.litmus");
    struct strbuf bytes = {0};
    pack_text(&bytes, "abc");
    pack_number(&bytes, 2);
    pack_number(&bytes, first);
    pack_number(&bytes, second);
    pack_text(&bytes, "");
    pack_number(&bytes, 0);
    pack_number(&bytes, 0);
    struct unpack from = unpack_start(strbuf_text(&bytes), bytes.length);
    report_piece_unpack(piece, &from);
    bool whole = unpack_whole(&from);
    strbuf_fini(&bytes);
    report_piece_free(piece);
    return whole;
}

static void test_marks(void)
{
    CU_ASSERT_TRUE(is_read(1, 3));
    CU_ASSERT_FALSE(is_read(2, 1));
    CU_ASSERT_FALSE(is_read(0, 4));
}

/* ---- Markdown ---- */

static void expect_markdown(enum report_node_kind outer, enum report_node_kind inner,
                            const char *written, const char *wanted)
{
    struct report_tree tree = {.where = 0};
    struct report_paper paper = {.sheet = 0};
    report_tree_begin(&tree, outer, NULL);
    report_tree_add(&tree, inner, NULL, "%s", written);
    report_tree_end(&tree);
    report_tree_markdown(&tree, &paper);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&paper.out), wanted);
    strbuf_fini(&paper.out);
    report_tree_fini(&tree);
}

/* CommonMark 0.30: what begins a line as a list (5.2), a heading (4.2, 4.3) or a quote (5.1) has a
 * backslash there (2.4) and nowhere else. Servers link @name and #12 behind a backslash as well, but
 * not with U+200B within. */
static void test_markdown_text(void)
{
    static const char *const texts[][2] = {{"- a - b", "\\- a - b"},
                                           {"+ a", "\\+ a"},
                                           {"> a > b", "\\> a > b"},
                                           {"===", "\\==="},
                                           {"12. a 3. b", "12\\. a 3. b"},
                                           {"1) a", "1\\) a"},
                                           {"12 a", "12 a"},
                                           {"     a", "a"},
                                           {"a_b*<c>&|`$d\n", "a\\_b\\*&lt;c>&amp;\\|\\`\\$d "},
                                           {"@you #12", "@&#8203;you \\#&#8203;12"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        SCOPED(strbuf) wanted = {0};
        strbuf_printf(&wanted, "* %s\n\n", texts[i][1]);
        expect_markdown(REPORT_LIST, REPORT_ITEM, texts[i][0], strbuf_text(&wanted));
    }
}

/* Code is as it is (6.1): between more marks than it has in a row, and apart from them where it
 * begins or ends with one. GitHub's tables end a cell even there (GFM 4.10). */
static void test_markdown_code(void)
{
    expect_markdown(REPORT_ITEM, REPORT_CODE, "- @a_b #1|<", "* `- @a_b #1|<`\n");
    expect_markdown(REPORT_ITEM, REPORT_CODE, "a`b``c", "* ```a`b``c```\n");
    expect_markdown(REPORT_ITEM, REPORT_CODE, "`a", "* `` `a ``\n");
    expect_markdown(REPORT_ITEM, REPORT_CODE, "a\nb", "* `a b`\n");
    expect_markdown(REPORT_CELL, REPORT_CODE, "a|b", " `a\\|b` |");
    expect_markdown(REPORT_SECTION, REPORT_VERBATIM, "@a\n```\n", "\n````\n@a\n```\n````\n\n");
}

void suite_report_formats(void)
{
    CU_pSuite suite = CU_add_suite("report_formats", NULL, NULL);
    UNIT_TEST(suite, test_xml);
    UNIT_TEST(suite, test_xml_bytes);
    UNIT_TEST(suite, test_yaml);
    UNIT_TEST(suite, test_uri);
    UNIT_TEST(suite, test_places);
    UNIT_TEST(suite, test_columns);
    UNIT_TEST(suite, test_conditions);
    UNIT_TEST(suite, test_doubts);
    UNIT_TEST(suite, test_marks);
    UNIT_TEST(suite, test_markdown_text);
    UNIT_TEST(suite, test_markdown_code);
}
