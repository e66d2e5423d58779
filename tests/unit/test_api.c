/* The library's contract (include/crashlit.h): options, results, failures. */
#include "crashlit.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* One work-item stores key before val, without a barrier: after a crash each may be new alone, so
 * four states, and `~exists (key=1 /\ val=0)` is violated under every model with no order of
 * persists to different lines. */
static const char bare[] = "OPENCL bare\n"
                           "{ nvm key = 0; nvm val = 0; }\n"
                           "P0@wg 0 (global int* key, global int* val) { *val = 42; *key = 1; }\n"
                           "crash ~exists (key=1 /\\ val=0)\n";
/* The barrier's two sides are two epochs, so the state is out of reach. */
static const char kept[] =
    "OPENCL kept\n"
    "{ nvm key = 0; nvm val = 0; }\n"
    "P0@wg 0 (global int* key, global int* val) { *val = 42; p_barrier_wi; *key = 1; }\n"
    "crash ~exists (key=1 /\\ val=0)\n";

static struct crashlit_result *check(struct crashlit *context, const char *text)
{
    struct crashlit_result *result = crashlit_check(context, "t.litmus", text, strlen(text));
    CU_ASSERT_PTR_NOT_NULL_FATAL(result);
    return result;
}

static enum crashlit_status status_of(struct crashlit *context, const char *text)
{
    struct crashlit_result *result = check(context, text);
    enum crashlit_status status = crashlit_result_status(result);
    crashlit_result_free(result);
    return status;
}

static void gives_records(void)
{
    struct crashlit *context = crashlit_new();
    struct crashlit_result *result = check(context, bare);
    crashlit_free(context); /* results stand alone */
    CU_ASSERT_EQUAL(crashlit_result_status(result), CRASHLIT_DIFFERS);
    CU_ASSERT_EQUAL_FATAL(crashlit_result_count(result), 1);
    CU_ASSERT_STRING_EQUAL(crashlit_result_test(result, 0), "bare");
    CU_ASSERT_STRING_EQUAL(crashlit_result_model(result, 0), "hrf-direct");
    CU_ASSERT_STRING_EQUAL(crashlit_result_persistency(result, 0), "epoch");
    CU_ASSERT_STRING_EQUAL(crashlit_result_engine(result, 0), "auto");
    CU_ASSERT_STRING_EQUAL(crashlit_result_verdict(result, 0), "violated");
    CU_ASSERT_STRING_EQUAL(crashlit_result_expected(result, 0), "ok");
    CU_ASSERT_STRING_EQUAL(crashlit_result_diagnostics(result), "");
    const char *json = crashlit_result_json(result, 0);
    CU_ASSERT(json[0] == '{' && json[strlen(json) - 1] == '}');
    CU_ASSERT_PTR_NULL(crashlit_result_test(result, 1));
    CU_ASSERT_PTR_NULL(crashlit_result_json(result, 1));
    crashlit_result_free(result);
}

static void every_engine_answers(void)
{
    static const char *const engines[] = {"enum", "smt", "machine"};
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "persistency", "epoch"), CRASHLIT_OK);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(crashlit_set(context, "engine", engines[i]), CRASHLIT_OK);
        CU_ASSERT_EQUAL(status_of(context, kept), CRASHLIT_OK);
        struct crashlit_result *result = check(context, bare);
        CU_ASSERT_STRING_EQUAL(crashlit_result_engine(result, 0), engines[i]);
        crashlit_result_free(result);
    }
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", "all"), CRASHLIT_OK);
    struct crashlit_result *result = check(context, kept);
    CU_ASSERT_EQUAL(crashlit_result_count(result), 3);
    crashlit_result_free(result);
    crashlit_free(context);
}

static void options_are_refused(void)
{
    static const struct {
        const char *name, *value, *why;
    } wrong[] = {
        {"engin", "smt", "did you mean 'engine'"},
        {"jobs", "2", "unknown option 'jobs'"}, /* of the command alone */
        {"format", "html=x", "unknown option 'format'"},
        {"engine", "z3", "wants one of auto, enum, smt, machine, all"},
        {"model", "any", "no built-in visibility model 'any'"},
        {"model", "all", "which goes with --engine"},
        {"model", "epoch", "which goes with --persistency"},
        {"help", "on", "unknown option 'help'"},
        {"persistency", "epoh", "did you mean 'epoch'"},
        {"unroll", "many", "whole number"},
        {"decide", "yes", "wants on or off"},
        {"property", "race,dancing", "has 'dancing' in its list"},
        {"property", "recovers-to", "wants a proposition"},
        {"machine", "bpfs", "--engine machine"}, /* engine comes first */
    };
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", "smt"), CRASHLIT_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CU_ASSERT_EQUAL(crashlit_set(context, wrong[i].name, wrong[i].value), CRASHLIT_INPUT);
        if (!strstr(crashlit_error(context), wrong[i].why))
            printf("%s: %s\n", wrong[i].name, crashlit_error(context));
        CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_error(context), wrong[i].why));
    }
    struct crashlit_result *result = check(context, bare); /* as before */
    CU_ASSERT_STRING_EQUAL(crashlit_error(context), "");
    CU_ASSERT_STRING_EQUAL(crashlit_result_engine(result, 0), "smt");
    crashlit_result_free(result);
    crashlit_free(context);
}

static void options_go_together_or_are_refused(void)
{
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", "machine"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "machine", "nvw-fifi"), CRASHLIT_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_error(context), "nvw-fifo"));
    CU_ASSERT_EQUAL(crashlit_set(context, "fault", "nothing"), CRASHLIT_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_error(context), "--fault wants"));
    CU_ASSERT_EQUAL(crashlit_set(context, "machine", "bpfs"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", NULL), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "machine", NULL), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", NULL), CRASHLIT_OK);
    /* A limit is of whatever is asked later, of a machine or not. */
    CU_ASSERT_EQUAL(crashlit_set(context, "max-states", "2000"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "machine-threads", "1"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "no-reduction", "on"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "decide", "on"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "property", "idempotent-recovery"), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "decide", "off"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "property", "idempotent-recovery"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, bare), CRASHLIT_INPUT); /* it has no recovery */
    CU_ASSERT_EQUAL(crashlit_set(context, "property", NULL), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, bare), CRASHLIT_DIFFERS);
    crashlit_free(context);
}

/* No machine promises sc + strict, and nothing else is expected of it. */
static void nothing_asked_is_no_success(void)
{
    static const char text[] = "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\n"
                               "crash exists (x = 1)\nexpect sc + strict : ok\n";
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(status_of(context, text), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", "machine"), CRASHLIT_OK);
    struct crashlit_result *result = check(context, text);
    CU_ASSERT_EQUAL(crashlit_result_status(result), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_result_count(result), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_diagnostics(result), "nothing was asked"));
    crashlit_result_free(result);
    crashlit_free(context);
}

static void unreadable_tests_are_results(void)
{
    struct crashlit *context = crashlit_new();
    struct crashlit_result *result = check(context, "OPENCL\n");
    CU_ASSERT_EQUAL(crashlit_result_status(result), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL_FATAL(crashlit_result_count(result), 1);
    CU_ASSERT_STRING_EQUAL(crashlit_result_verdict(result, 0), "error");
    CU_ASSERT_STRING_EQUAL(crashlit_result_test(result, 0), "");
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_diagnostics(result), "t.litmus:"));
    crashlit_result_free(result);
    CU_ASSERT_EQUAL(crashlit_set(context, "model", "rc12.cat"),
                    CRASHLIT_OK); /* a file, read later */
    result = check(context, bare);
    CU_ASSERT_EQUAL(crashlit_result_status(result), CRASHLIT_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_diagnostics(result), "rc12.cat"));
    CU_ASSERT_EQUAL_FATAL(crashlit_result_count(result), 1);
    CU_ASSERT_STRING_EQUAL(crashlit_result_verdict(result, 0), "error");
    CU_ASSERT_STRING_EQUAL(crashlit_result_model(result, 0), "rc12.cat");
    CU_ASSERT_STRING_EQUAL(crashlit_result_engine(result, 0), "");
    crashlit_result_free(result);
    crashlit_free(context);
}

static void expect_model(struct crashlit *context, const char *name, enum crashlit_status wanted)
{
    char text[512];
    snprintf(text, sizeof text, "%sexpect %s + epoch : ok\n", kept, name);
    struct crashlit_result *result = check(context, text);
    CU_ASSERT_EQUAL(crashlit_result_status(result), wanted);
    if (wanted == CRASHLIT_INPUT)
        CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_diagnostics(result), name));
    crashlit_result_free(result);
}

/* A text has no folder, and its author is not the host. The file is there: tests run from the top
 * of the tree, as test_mach_fixture.h does. What was loaded while it was permitted is not kept. */
static void texts_name_built_in_models(void)
{
    static const char file[] = "models/visibility/sc.cat";
    struct crashlit *context = crashlit_new();
    expect_model(context, "sc", CRASHLIT_OK);
    expect_model(context, file, CRASHLIT_INPUT);
    expect_model(context, "./models/visibility/sc.cat", CRASHLIT_INPUT);
    expect_model(context, "/proc/self/environ", CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "allow-path", "models/machines"), CRASHLIT_OK);
    expect_model(context, file, CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "allow-path", "models"), CRASHLIT_OK);
    expect_model(context, file, CRASHLIT_OK);
    expect_model(context, "models/../models/visibility/sc.cat", CRASHLIT_OK);
    expect_model(context, "models/../Makefile", CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "allow-path", NULL), CRASHLIT_OK);
    expect_model(context, file, CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "include", "models/visibility"), CRASHLIT_OK);
    expect_model(context, "sc.cat", CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "include", "Makefile"), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "include", NULL), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "model", file), CRASHLIT_OK); /* the host's own */
    CU_ASSERT_EQUAL(status_of(context, kept), CRASHLIT_OK);
    crashlit_free(context);
}

/* Definition files: a test names built-in ones, the host any for tests that name none. */
static void tests_use_definitions(void)
{
    static const char own[] = "OPENCL t\nuses \"lin.def\"\n{ nvm x = 0; }\n"
                              "P0 (global int* x) { st_wt(x, 1); }\nexists (x = 1)\n";
    static const char silent[] = "OPENCL t\n{ nvm x = 0; }\n"
                                 "P0 (global int* x) { st_wt(x, 1); }\nexists (x = 1)\n";
    static const char away[] = "OPENCL t\nuses \"models/definitions/lin.def\"\n{ nvm x = 0; }\n"
                               "P0 (global int* x) { st_wt(x, 1); }\nexists (x = 1)\n";
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(status_of(context, own), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, silent), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(status_of(context, away), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "uses", "models/definitions/lin.def"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, silent), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "uses", "gpm"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, silent), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(crashlit_set(context, "uses", NULL), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "allow-path", "models"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, away), CRASHLIT_OK);
    crashlit_free(context);
}

/* Store buffering, with a model of one's own that the variant `tso` gives the order of TSO: under
 * it both reads may return 0. What was loaded without the variant is not kept. */
static void variants_are_set(void)
{
    static const char test[] =
        "C t\n{ x = 0; y = 0; }\nP0 (int* x, int* y) { *x = 1; int r = *y; }\n"
        "P1 (int* x, int* y) { *y = 1; int r = *x; }\n"
        "exists (0:r = 0 /\\ 1:r = 0)\n";
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "model", "tests/corpus/variants.cat"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "persistency", "none"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, test), CRASHLIT_DIFFERS);
    CU_ASSERT_EQUAL(crashlit_set(context, "variant", "tso"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, test), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "variant", "tso,"), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL(status_of(context, test), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "variant", NULL), CRASHLIT_OK);
    CU_ASSERT_EQUAL(status_of(context, test), CRASHLIT_DIFFERS);
    crashlit_free(context);
}

static void sizes_are_bounded(void)
{
    const size_t most = (size_t)4 << 20;
    char *text = malloc(most + 1);
    struct crashlit *context = crashlit_new();
    memset(text, ' ', most + 1);
    struct crashlit_result *result = crashlit_check(context, "big", text, most + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(result);
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_result_diagnostics(result), "larger than 4 MiB"));
    CU_ASSERT_EQUAL(crashlit_result_status(result), CRASHLIT_INPUT);
    crashlit_result_free(result);
    CU_ASSERT_EQUAL(status_of(context, ""), CRASHLIT_INPUT);
    crashlit_free(context);
    free(text);
}

/* 2^18 states of 18 locations take more than 8 MiB: 18 values of 8 bytes each. They are listed
 * where recovery crashes and restarts. */
static void a_call_that_fails_leaves_a_context(void)
{
    char text[2000] = "OPENCL wide\n{ ";
    for (int i = 0; i < 18; i++)
        sprintf(text + strlen(text), "nvm x%d = 0; ", i);
    strcat(text, "}\nP0@wg 0 (");
    for (int i = 0; i < 18; i++)
        sprintf(text + strlen(text), "%sglobal int* x%d", i ? ", " : "", i);
    strcat(text, ") { ");
    for (int i = 0; i < 18; i++)
        sprintf(text + strlen(text), "*x%d = 1; ", i);
    strcat(text, "}\nrecovery restartable (global int* x0) { int r = *x0; }\ncrash exists (");
    for (int i = 0; i < 18; i++)
        sprintf(text + strlen(text), "%sx%d=1", i ? " /\\ " : "", i);
    strcat(text, ")\n");
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "memory", "8"), CRASHLIT_OK);
    CU_ASSERT_EQUAL(crashlit_set(context, "engine", "enum"), CRASHLIT_OK);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_PTR_NULL(crashlit_check(context, "wide", text, strlen(text)));
        CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_error(context), "out of memory"));
        CU_ASSERT_EQUAL(status_of(context, bare), CRASHLIT_DIFFERS);
    }
    crashlit_free(context);
}

/* 8 work-items with 60 accesses each: without a limit each engine is at it for minutes at least. */
static void write_long_text(char *text)
{
    enum { THREADS = 8, ROUNDS = 30 };
    text += sprintf(text, "C long\n{ ");
    for (int i = 0; i < THREADS; i++)
        text += sprintf(text, "x%d = 0; ", i);
    text += sprintf(text, "}\n");
    for (int t = 0; t < THREADS; t++) {
        text += sprintf(text, "P%d (", t);
        for (int i = 0; i < THREADS; i++)
            text += sprintf(text, "%satomic_int* x%d", i ? ", " : "", i);
        text += sprintf(text, ") {\n");
        for (int k = 0; k < ROUNDS; k++)
            text += sprintf(text,
                            "atomic_store_explicit(x%d, %d, memory_order_relaxed);\n"
                            "int r%d = atomic_load_explicit(x%d, memory_order_relaxed);\n",
                            (t + k) % THREADS, k, k, (t + k + 1) % THREADS);
        text += sprintf(text, "}\n");
    }
    sprintf(text, "exists (0:r0 = 3)\n");
}

/* Generous, as the machine may be busy. */
static void a_call_comes_back_in_time(void)
{
    enum { MOST_SECONDS = 30, ROOM = 1 << 16 };
    static const char *const engines[] = {"enum", "smt", "machine", "all"};
    char *text = malloc(ROOM);
    struct crashlit *context = crashlit_new();
    write_long_text(text);
    CU_ASSERT_EQUAL(crashlit_set(context, "timeout", "0.2"), CRASHLIT_OK);
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        time_t began = time(NULL);
        CU_ASSERT_EQUAL(crashlit_set(context, "engine", engines[i]), CRASHLIT_OK);
        CU_ASSERT_EQUAL(status_of(context, text), CRASHLIT_UNKNOWN);
        CU_ASSERT(time(NULL) - began < MOST_SECONDS);
    }
    crashlit_free(context);
    free(text);
}

/* A model's file that is not there, in a name that is no UTF-8: the fields say what the record
 * says, of which docs/using/reports.md has that a byte is written \xhh. */
static void fields_are_as_in_the_record(void)
{
    struct crashlit *context = crashlit_new();
    CU_ASSERT_EQUAL(crashlit_set(context, "model", "./no\xff.cat"), CRASHLIT_OK);
    struct crashlit_result *result = check(context, bare);
    CU_ASSERT_EQUAL(crashlit_result_status(result), CRASHLIT_INPUT);
    CU_ASSERT_EQUAL_FATAL(crashlit_result_count(result), 1);
    CU_ASSERT_STRING_EQUAL(crashlit_result_test(result, 0), "bare");
    CU_ASSERT_STRING_EQUAL(crashlit_result_model(result, 0), "./no\\xff.cat");
    CU_ASSERT_STRING_EQUAL(crashlit_result_engine(result, 0), "");
    CU_ASSERT_STRING_EQUAL(crashlit_result_verdict(result, 0), "error");
    CU_ASSERT_STRING_EQUAL(crashlit_result_expected(result, 0), "ok");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(crashlit_result_json(result, 0), "\"model\":\"./no\\\\xff.cat\""));
    CU_ASSERT_PTR_NULL(strchr(crashlit_result_json(result, 0), '\n'));
    crashlit_result_free(result);
    crashlit_free(context);
}

static void frees_nothing(void)
{
    crashlit_free(NULL);
    crashlit_result_free(NULL);
    CU_ASSERT(strlen(crashlit_version()) > 0);
}

void suite_api(void)
{
    CU_pSuite suite = CU_add_suite("api", NULL, NULL);
    UNIT_TEST(suite, gives_records);
    UNIT_TEST(suite, every_engine_answers);
    UNIT_TEST(suite, options_are_refused);
    UNIT_TEST(suite, options_go_together_or_are_refused);
    UNIT_TEST(suite, nothing_asked_is_no_success);
    UNIT_TEST(suite, unreadable_tests_are_results);
    UNIT_TEST(suite, texts_name_built_in_models);
    UNIT_TEST(suite, tests_use_definitions);
    UNIT_TEST(suite, variants_are_set);
    UNIT_TEST(suite, sizes_are_bounded);
    UNIT_TEST(suite, a_call_that_fails_leaves_a_context);
    UNIT_TEST(suite, a_call_comes_back_in_time);
    UNIT_TEST(suite, fields_are_as_in_the_record);
    UNIT_TEST(suite, frees_nothing);
}
