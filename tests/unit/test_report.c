/* Reports of outcomes filled by hand: JSON read back field by field, and text as a whole. */
#include "fixture.h"

#include "document/report_brief.h"
#include "report/report_vacuous.h"
#include "document/report_json.h"
#include "document/report_text.h"

#include <jansson.h>
#include <string.h>

static const char text[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                           "P0 (global int* x) { *x = 1; }\nP1 (global int* y) { *y = 1; }\n"
                           "exists (x=1 /\\ y=0)\ncrash ~exists (x=0 /\\ y=1)\n";

#define BAD "\xef\xbf\xbd" /* U+FFFD, what stands for a byte that is no UTF-8 */

/* Bytes as they come in, and as JSON must give them back. */
static const struct {
    const char *bytes, *read_back;
} strings[] = {
    {"", ""},
    {"\"\\\"\\\\/", "\"\\\"\\\\/"},
    {"\x01\x02\x03\x04\x05\x06\x07\b\t\n\x0b\f\r\x0e\x0f",
     "\x01\x02\x03\x04\x05\x06\x07\b\t\n\x0b\f\r\x0e\x0f"},
    {"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f",
     "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f"},
    /* The first and last sequence of each length: U+0080 U+07FF, U+0800 U+FFFF, U+10000
     * U+10FFFF, and both sides of the surrogates, U+D7FF U+E000. */
    {"\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf"},
    {"\xe0\xa0\x80\xef\xbf\xbf", "\xe0\xa0\x80\xef\xbf\xbf"},
    {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
    {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},
    /* Overlong by one: U+007F in two bytes, U+07FF in three, U+FFFF in four. */
    {"\xc1\xbf", BAD BAD},
    {"\xe0\x9f\xbf", BAD BAD BAD},
    {"\xf0\x8f\xbf\xbf", BAD BAD BAD BAD},
    /* The first and last surrogate, the first code point beyond Unicode, no lead bytes. */
    {"\xed\xa0\x80\xed\xbf\xbf", BAD BAD BAD BAD BAD BAD},
    {"\xf4\x90\x80\x80", BAD BAD BAD BAD},
    {"\xf5\x80\x80\x80\xfe\xff", BAD BAD BAD BAD BAD BAD},
    /* Continuations without a lead; leads cut off by the end, by a quote, by another lead. */
    {"\x80 \xbf", BAD " " BAD},
    {"\xc3", BAD},
    {"\xf0\x9f\x98", BAD BAD BAD},
    {"\xe2\x82\"", BAD BAD "\""},
    {"\xe2\xc3\xa9", BAD "\xc3\xa9"},
};

static struct report_test report_of(const struct fixture *f, const struct outcome *o)
{
    return (struct report_test){.program = f->program,
                                .model = f->model,
                                .outcome = o,
                                .engine = "enum",
                                .crash_mode = EXEC_CRASH_ANYWHERE,
                                .verdict = LIT_OK,
                                .expected = LIT_OK,
                                .peak_kib = 77};
}

/* One line, and a reader of its own takes it. */
static json_t *read_line(const struct report_test *test)
{
    struct strbuf line = {0};
    report_json(test, &line);
    const char *got = strbuf_text(&line);
    CU_ASSERT_EQUAL(strcspn(got, "\n") + 1, strlen(got));
    json_t *object = json_loads(got, JSON_REJECT_DUPLICATES, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(object);
    strbuf_fini(&line);
    return object;
}

/* Compares an array or object with what its text is, written by hand. */
static void expect(json_t *object, const char *field, const char *expected)
{
    json_t *value = json_loads(expected, JSON_DECODE_ANY, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(value);
    CU_ASSERT_TRUE(json_equal(json_object_get(object, field), value));
    json_decref(value);
}

static void expect_string(json_t *value, const char *expected)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(json_string_value(value));
    CU_ASSERT_EQUAL(json_string_length(value), strlen(expected));
    CU_ASSERT_STRING_EQUAL(json_string_value(value), expected);
}

/* The same bytes as the test's name, its file's name, an engine's name, a flag, an access. */
static void check_string(struct fixture *f, const char *bytes, const char *read_back)
{
    struct lit_program program = *f->program;
    struct source source = *program.source;
    struct outcome o;
    outcome_init(&o, &program);
    outcome_add_flag(&o, bytes);
    const struct outcome_undefined race = {.kind = OUTCOME_CHECK,
                                           .name = bytes,
                                           .events = {{.line = 3, .access = bytes}},
                                           .event_count = 1};
    outcome_add_undefined(&o, &race);
    program.name = source.name = bytes;
    program.source = &source;
    struct report_test test = report_of(f, &o);
    test.program = &program;
    test.engine = bytes;
    json_t *object = read_line(&test);
    json_t *undefined = json_array_get(json_object_get(object, "undefined"), 0);
    json_t *event = json_array_get(json_object_get(undefined, "events"), 0);
    expect_string(json_object_get(object, "test"), read_back);
    expect_string(json_object_get(object, "file"), read_back);
    expect_string(json_object_get(object, "engine"), read_back);
    expect_string(json_array_get(json_object_get(object, "flags"), 0), read_back);
    expect_string(json_object_get(undefined, "kind"), read_back);
    expect_string(json_object_get(event, "access"), read_back);
    json_decref(object);
    outcome_fini(&o);
}

static void test_strings(void)
{
    struct fixture f;
    fixture_init(&f, text, "sc", "epoch");
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        check_string(&f, strings[i].bytes, strings[i].read_back);
    fixture_fini(&f);
}

static void fill(struct outcome *o, const struct lit_program *program)
{
    static const int64_t rows[][2] = {{0, 0}, {1, 0}, {1, 1}};
    static const struct outcome_undefined race = {
        OUTCOME_CHECK,
        "race",
        {{.thread = LIT_NONE, .access = "W x"}, {.thread = 1, .line = 4, .access = "W y"}},
        2,
        false,
        false};
    outcome_init(o, program);
    outcome_add_state(&o->final, rows[2]);
    for (size_t i = 0; i < 3; i++)
        outcome_add_state(&o->crash, rows[i]);
    outcome_add_flag(o, "a");
    outcome_add_flag(o, "b");
    outcome_add_undefined(o, &race);
    o->stats = (struct outcome_stats){1, 2, 3, 4, 5, 6, 7, 0.5};
}

/* The one final state has y = 1, so `exists` has no positive; no crash state has x = 0 and
 * y = 1. Undefined takes the place of both verdicts. The conditions stand on lines 5 and 6, and
 * `*y = 1` behind 21 characters of line 4. */
static void test_fields(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    fill(&o, f.program);
    struct report_test test = report_of(&f, &o);
    test.crash_mode = EXEC_CRASH_END;
    test.verdict = LIT_UNDEFINED;
    json_t *object = read_line(&test);
    expect(object, "schema", "1");
    expect(object, "test", "\"t\"");
    expect(object, "file", "\"test.litmus\"");
    expect(object, "line", "1");
    expect(object, "model", "\"sc\"");
    expect(object, "persistency", "\"epoch\"");
    expect(object, "engine", "\"enum\"");
    expect(object, "crash", "\"end\"");
    expect(object, "verdict", "\"undefined\"");
    expect(object, "expected", "\"ok\"");
    expect(object, "conditions",
           "[{\"kind\":\"final\",\"text\":\"exists (x=1 /\\\\ y=0)\",\"verdict\":\"undefined\","
           "\"words\":\"nothing is promised, since the behaviour is undefined\","
           "\"positive\":0,\"negative\":1,\"deciding\":[],\"line\":5,\"column\":1},"
           "{\"kind\":\"crash\",\"text\":\"~exists (x=0 /\\\\ y=1)\",\"verdict\":\"undefined\","
           "\"words\":\"nothing is promised, since the behaviour is undefined\","
           "\"positive\":0,\"negative\":3,\"deciding\":[],\"line\":6,\"column\":1}]");
    expect(object, "final_states", "[{\"x\":1,\"y\":1}]");
    expect(object, "crash_states", "[{\"x\":0,\"y\":0},{\"x\":1,\"y\":0},{\"x\":1,\"y\":1}]");
    expect(object, "recovered_states", "[]");
    expect(object, "undefined",
           "[{\"kind\":\"race\",\"events\":[{\"thread\":null,\"line\":0,\"access\":\"W x\"},"
           "{\"thread\":1,\"line\":4,\"access\":\"W y\",\"column\":22}],"
           "\"words\":\"race: the initial W x and P1's W y at line 4\"}]");
    expect(object, "flags", "[\"a\",\"b\"]");
    expect(object, "stats",
           "{\"events\":1,\"skeletons\":2,\"candidates\":3,\"consistent\":4,"
           "\"cuts\":5,\"states\":6,\"steps\":7,\"seconds\":0.5,\"peak_kib\":77}");
    CU_ASSERT_PTR_NULL(json_object_get(object, "doubt"));
    json_decref(object);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Nothing found and a doubt: both conditions are unknown and say why, and so does the test. */
static void test_doubt(void)
{
    static const char reason[] = "the time limit ran out";
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    outcome_init(&o, f.program);
    o.doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    struct report_test test = report_of(&f, &o);
    test.verdict = LIT_UNKNOWN;
    json_t *object = read_line(&test);
    json_t *conditions = json_object_get(object, "conditions");
    CU_ASSERT_EQUAL_FATAL(json_array_size(conditions), 2);
    for (size_t i = 0; i < 2; i++) {
        expect(json_array_get(conditions, i), "verdict", "\"unknown\"");
        expect_string(json_object_get(json_array_get(conditions, i), "reason"), reason);
    }
    expect_string(json_object_get(object, "doubt"), reason);
    expect(object, "final_states", "[]");
    expect(object, "undefined", "[]");
    expect(object, "flags", "[]");
    json_decref(object);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Conditions that were decided without counting: how many states there are of either sort is not
 * known. A condition of an option stands in no file, one of another file names it. */
static void test_decided(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "sc", "epoch");
    fill(&o, f.program);
    struct source other = {.name = "other.litmus"};
    struct lit_condition conditions[] = {f.program->conditions[0], f.program->conditions[1]};
    struct lit_program program = *f.program;
    conditions[0].span = (struct span){0};
    conditions[1].span.source = &other;
    program.conditions = conditions;
    struct report_test test = report_of(&f, &o);
    test.program = &program;
    test.decided = true;
    json_t *object = read_line(&test);
    json_t *first = json_array_get(json_object_get(object, "conditions"), 0);
    json_t *second = json_array_get(json_object_get(object, "conditions"), 1);
    expect(first, "positive", "null");
    expect(second, "negative", "null");
    expect(first, "line", "null");
    expect(first, "column", "null");
    CU_ASSERT_PTR_NULL(json_object_get(first, "file"));
    expect(second, "file", "\"other.litmus\"");
    expect(second, "line", "6");
    json_decref(object);
    outcome_fini(&o);
    fixture_fini(&f);
}

static void expect_text(const struct report_test *test, const char *expected)
{
    struct strbuf got = {0};
    report_text(test, &got);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&got), expected);
    strbuf_fini(&got);
}

/* x is 0 in one state and 1 in the other: sometimes, with one state each. */
static void test_text(void)
{
    static const int64_t rows[][2] = {{0, 0}, {0, 1}};
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ x = 0; }\nP0 (global int* x) { *x = 1; int r = 0; }\n"
                 "exists (x=1 /\\ 0:r=0)\n",
                 "sc", "epoch");
    outcome_init(&o, f.program);
    CU_ASSERT_TRUE(outcome_add_state(&o.final, rows[0]));
    CU_ASSERT_TRUE(outcome_add_state(&o.final, rows[1]));
    struct report_test test = report_of(&f, &o);
    expect_text(&test, "Models sc + epoch\n"
                       "Test t Allowed\n"
                       "States 2\n"
                       "0:r=0; x=0;\n"
                       "*>0:r=0; x=1;\n"
                       "Ok\n"
                       "Witnesses\n"
                       "Positive: 1 Negative: 1\n"
                       "Condition exists (x=1 /\\ 0:r=0)\n"
                       "Observation t Sometimes 1 1\n"
                       "Verdict t ok, expected ok\n\n");
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Of (0,0), (1,0), (1,1) the second breaks the first condition, the first and third the second,
 * none the third. The states are listed once, so each condition says which one decides it. */
static void fill_several(struct fixture *f, struct outcome *o)
{
    static const int64_t rows[][2] = {{0, 0}, {1, 0}, {1, 1}};
    fixture_init(
        f,
        "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) { *x = 1; *y = 1; "
        "}\n"
        "crash ~exists (x=1 /\\ y=0)\ncrash forall (x=1 /\\ y=0)\ncrash exists (x=0 /\\ y=1)\n",
        "sc", "epoch");
    outcome_init(o, f->program);
    for (size_t i = 0; i < 3; i++)
        outcome_add_state(&o->crash, rows[i]);
}

static void test_text_of_several(void)
{
    struct fixture f;
    struct outcome o;
    fill_several(&f, &o);
    struct report_test test = report_of(&f, &o);
    test.verdict = LIT_VIOLATED;
    expect_text(&test, "Models sc + epoch\n"
                       "Test t Forbidden\n"
                       "Crash states 3\n"
                       "*>x=0; y=0;\n"
                       "*>x=1; y=0;\n"
                       "*>x=1; y=1;\n"
                       "No\n"
                       "Witnesses\n"
                       "Positive: 1 Negative: 2\n"
                       "Condition ~exists (x=1 /\\ y=0)\n"
                       "Observation t Sometimes 1 2\n"
                       "Decided by x=1; y=0;\n"
                       "Test t Required\n"
                       "Crash states 3, as above\n"
                       "No\n"
                       "Witnesses\n"
                       "Positive: 1 Negative: 2\n"
                       "Condition forall (x=1 /\\ y=0)\n"
                       "Observation t Sometimes 1 2\n"
                       "Decided by x=0; y=0;\n"
                       "Test t Allowed\n"
                       "Crash states 3, as above\n"
                       "No\n"
                       "Witnesses\n"
                       "Positive: 0 Negative: 3\n"
                       "Condition exists (x=0 /\\ y=1)\n"
                       "Observation t Never 0 3\n"
                       "Verdict t violated, expected ok\n\n");
    json_t *object = read_line(&test), *conditions = json_object_get(object, "conditions");
    expect(json_array_get(conditions, 0), "deciding", "[1]");
    expect(json_array_get(conditions, 1), "deciding", "[0,2]");
    expect(json_array_get(conditions, 2), "deciding", "[]");
    json_decref(object);
    test.decided = true;
    object = read_line(&test);
    conditions = json_object_get(object, "conditions");
    CU_ASSERT_PTR_NULL(json_object_get(json_array_get(conditions, 0), "deciding"));
    expect(json_array_get(conditions, 0), "deciding_state", "{\"x\":1,\"y\":0}");
    CU_ASSERT_PTR_NULL(json_object_get(json_array_get(conditions, 2), "deciding_state"));
    json_decref(object);
    outcome_fini(&o);
    fixture_fini(&f);
}

static void expect_brief(const struct report_brief *brief, const char *expected)
{
    struct strbuf got = {0};
    report_brief_end(brief, "a/t.litmus", &got);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&got), expected);
    strbuf_fini(&got);
}

/* Under one pair the line says what is violated, under several how many of each verdict there are,
 * and lines below it those that were not expected. */
static void test_brief(void)
{
    static const char why[] =
        "crash ~exists (x=1 /\\ y=0) is violated by the crash state x=1; y=0, and 2 more";
    struct report_brief brief = {0};
    struct strbuf wanted = {0};
    struct fixture f;
    struct outcome o;
    fill_several(&f, &o);
    struct report_test test = report_of(&f, &o);
    test.verdict = LIT_VIOLATED;
    expect_brief(&brief, "");
    report_brief_test(&brief, &test);
    strbuf_printf(&wanted, "! violated   a/t.litmus: %s (expected ok)\n", why);
    expect_brief(&brief, strbuf_text(&wanted));
    test.expected = test.verdict = LIT_OK;
    report_brief_test(&brief, &test);
    strbuf_clear(&wanted);
    strbuf_printf(&wanted,
                  "! mixed      a/t.litmus: 1 ok, 1 violated (2 model pairs, 1 not as expected)\n"
                  "    sc + epoch: violated: %s (expected ok)\n",
                  why);
    expect_brief(&brief, strbuf_text(&wanted));
    report_brief_fini(&brief);
    brief = (struct report_brief){0};
    test.expected = test.verdict = LIT_VIOLATED;
    report_brief_test(&brief, &test);
    report_brief_test(&brief, &test);
    strbuf_clear(&wanted);
    strbuf_printf(&wanted, "  violated   a/t.litmus: %s (2 model pairs, as expected)\n", why);
    expect_brief(&brief, strbuf_text(&wanted));
    report_brief_fini(&brief);
    strbuf_fini(&wanted);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* y is 0 or 42: no order decides the first condition, some order the second. Where a doubt or
 * undefined behaviour takes the verdict nothing is said. */
static void test_vacuous(void)
{
    static const int64_t rows[][2] = {{0, 0}, {0, 42}, {1, 42}};
    static const char remark[] =
        "vacuous: no values that the program stores meet it (y is only ever 0 or 42), whatever is "
        "ordered";
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                 "P0 (global int* x, global int* y) { *y = 42; *x = 1; }\n"
                 "crash ~exists (x=1 /\\ y=41)\ncrash ~exists (x=1 /\\ y=0)\n",
                 "sc", "epoch");
    outcome_init(&o, f.program);
    for (size_t i = 0; i < 3; i++)
        CU_ASSERT_TRUE(outcome_add_state(&o.crash, rows[i]));
    struct report_test test = report_of(&f, &o);
    json_t *object = read_line(&test), *conditions = json_object_get(object, "conditions");
    expect(json_array_get(conditions, 0), "vacuous", "\"never-met\"");
    expect_string(json_object_get(json_array_get(conditions, 0), "remark"), remark);
    expect(json_array_get(conditions, 0), "verdict", "\"ok\"");
    CU_ASSERT_PTR_NULL(json_object_get(json_array_get(conditions, 1), "vacuous"));
    CU_ASSERT_EQUAL(report_vacuous_count(&test), 1);
    json_decref(object);
    o.doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    CU_ASSERT_EQUAL(report_vacuous_count(&test), 0);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* An undecided crash condition: no state, a doubt, a race with the initial write, a flag. */
static void test_text_of_doubt(void)
{
    static const struct outcome_undefined race = {
        OUTCOME_CHECK,
        "race",
        {{.thread = LIT_NONE, .access = "W x"}, {.line = 3, .access = "W x"}},
        2,
        false,
        false};
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                 "crash forall (x=1)\n",
                 "sc", "epoch");
    outcome_init(&o, f.program);
    o.doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    struct report_test test = report_of(&f, &o);
    test.verdict = LIT_UNKNOWN;
    expect_text(&test, "Models sc + epoch\n"
                       "Test t Required\n"
                       "Crash states 0\n"
                       "Unknown\n"
                       "Reason the time limit ran out\n"
                       "Witnesses\n"
                       "Positive: 0 Negative: 0\n"
                       "Condition forall (x=1)\n"
                       "Observation t Unknown 0 0\n"
                       "Doubt the time limit ran out\n"
                       "Verdict t unknown, expected ok\n\n");
    o.doubts[OUTCOME_DOUBT_TIMEOUT] = false;
    outcome_add_undefined(&o, &race);
    outcome_add_flag(&o, "odd");
    test.verdict = LIT_UNDEFINED;
    expect_text(&test, "Models sc + epoch\n"
                       "Test t Required\n"
                       "Crash states 0\n"
                       "Undefined\n"
                       "Witnesses\n"
                       "Positive: 0 Negative: 0\n"
                       "Condition forall (x=1)\n"
                       "Observation t Never 0 0\n"
                       "Undefined race: the initial W x and P0's W x at line 3\n"
                       "Flag odd\n"
                       "Verdict t undefined, expected ok\n\n");
    outcome_fini(&o);
    fixture_fini(&f);
}

/* A register is named by its own thread; as ulong, the pattern of -1 is 2^64 - 1. */
static void test_values(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f,
                 "OPENCL t\n{ ulong x = 0; }\nP0 (global ulong* x) { *x = 0 - 1; }\n"
                 "P1@wg 1 (global ulong* x) { int r = 7; }\nlocations [1:r; x]\n",
                 "sc", "epoch");
    fixture_run(&f, &o);
    struct report_test test = report_of(&f, &o);
    struct strbuf line = {0};
    report_json(&test, &line); /* as text: a JSON reader's integers are signed */
    CU_ASSERT_PTR_NOT_NULL(
        strstr(strbuf_text(&line), "\"final_states\":[{\"1:r\":7,\"x\":18446744073709551615}]"));
    strbuf_fini(&line);
    outcome_fini(&o);
    fixture_fini(&f);
}

void suite_report(void)
{
    CU_pSuite suite = CU_add_suite("report", NULL, NULL);
    UNIT_TEST(suite, test_strings);
    UNIT_TEST(suite, test_fields);
    UNIT_TEST(suite, test_decided);
    UNIT_TEST(suite, test_doubt);
    UNIT_TEST(suite, test_values);
    UNIT_TEST(suite, test_text);
    UNIT_TEST(suite, test_text_of_several);
    UNIT_TEST(suite, test_text_of_doubt);
    UNIT_TEST(suite, test_brief);
    UNIT_TEST(suite, test_vacuous);
}
