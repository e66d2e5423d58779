/* Names and titles of any bytes become JSON that a reader of its own accepts. */
#include "fixture.h"

#include "report/report.h"

#include <jansson.h>
#include <string.h>

/* The test's name as written, and as JSON must give it back. */
static const struct {
    const char *name, *read_back;
} names[] = {
    {"plain", "plain"},
    {"a \"quote\" and a \\", "a \"quote\" and a \\"},
    {"control \x01 byte", "control \x01 byte"},
    {"two \xc3\xa9 three \xe2\x82\xac four \xf0\x9f\x98\x80", "two \xc3\xa9 three \xe2\x82\xac four \xf0\x9f\x98\x80"},
    /* No UTF-8: a lone continuation, overlong forms, a surrogate, beyond U+10FFFF, cut off:
     * each byte becomes U+FFFD. */
    {"lone \x80.", "lone \xef\xbf\xbd."},
    {"overlong \xc0\xaf.", "overlong \xef\xbf\xbd\xef\xbf\xbd."},
    {"overlong \xe0\x80\xaf.", "overlong \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd."},
    {"surrogate \xed\xa0\x80.", "surrogate \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd."},
    {"beyond \xf4\x90\x80\x80.", "beyond \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd."},
    {"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"},
};

static void check_name(struct fixture *f, const struct outcome *o, size_t i)
{
    struct lit_program program = *f->program;
    struct strbuf line = {0};
    json_error_t error;
    program.name = names[i].name;
    struct report_test test = {.program = &program,
                               .model = f->model,
                               .outcome = o,
                               .engine = "enum",
                               .crash_mode = EXEC_CRASH_ANYWHERE,
                               .verdict = LIT_OK,
                               .expected = LIT_OK};
    report_json(&test, &line);
    CU_ASSERT_EQUAL(line.text[line.length - 1], '\n');
    CU_ASSERT_EQUAL(strlen(line.text), strcspn(line.text, "\n") + 1);
    json_t *object = json_loads(line.text, JSON_REJECT_DUPLICATES, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(object);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(object, "test")),
                           names[i].read_back);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(object, "schema")), 1);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(object, "crash_states")), 2);
    json_decref(object);
    strbuf_fini(&line);
}

static void test_strings(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                     "crash exists (x = 1)\n", "sc", "epoch");
    fixture_run(&f, &o);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_name(&f, &o, i);
    outcome_fini(&o);
    fixture_fini(&f);
}

/* Registers are named by their own thread; unsigned values are printed unsigned. */
static void test_states(void)
{
    struct fixture f;
    struct outcome o;
    struct strbuf line = {0};
    fixture_init(&f, "OPENCL t\n{ ulong x = 0; }\nP0 (global ulong* x) { *x = 0 - 1; }\n"
                     "P1@wg 1 (global ulong* x) { int r = 7; }\nlocations [1:r; x]\n", "sc", "epoch");
    fixture_run(&f, &o);
    struct report_test test = {.program = f.program,
                               .model = f.model,
                               .outcome = &o,
                               .engine = "enum",
                               .verdict = LIT_OK,
                               .expected = LIT_OK};
    report_json(&test, &line);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(line.text, "\"final_states\":[{\"1:r\":7,\"x\":18446744073709551615}]"));
    strbuf_fini(&line);
    outcome_fini(&o);
    fixture_fini(&f);
}

void suite_json(void)
{
    CU_pSuite suite = CU_add_suite("json", NULL, NULL);
    UNIT_TEST(suite, test_strings);
    UNIT_TEST(suite, test_states);
}
