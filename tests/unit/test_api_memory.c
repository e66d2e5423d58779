/* libcrashlit on a heap that runs out, at one allocation after the other: a call that fails says
 * why, gives back what it took, and the same call made again answers right, as does a fresh
 * context. */
#include "crashlit.h"
#include "heap.h"
#include "unit.h"

#include <string.h>
#include <unistd.h>

/* A text, how it is checked, its status, the verdict of each of its records (first letters), and
 * how many allocations fail one after the other before some are left out. */
struct script {
    const char *engine, *decide, *model, *text;
    enum crashlit_status status;
    const char *verdicts;
    unsigned long dense;
};

/* Without a barrier the key can outlive its value (SPB section 1), and recovery that looks at
 * nothing leaves it so; under strict, persists are in program order. */
#define KV                                                               \
    "OPENCL kv\n{ nvm k = 0; nvm v = 0; }\n"                             \
    "P0@wg 0 (global int* k, global int* v) { *v = 42; *k = 1; }\n"      \
    "recovery (global int* k) { int r = *k; if (r == 0) { *k = 0; } }\n" \
    "crash ~exists (k=1 /\\ v=0)\nrecovered ~exists (k=1 /\\ v=0)\n"     \
    "expect hrf-direct + epoch : violated\nexpect sc + strict : ok\n"
/* Nothing orders the write and the read: a race under the HRF models (docs/models/semantics.md),
 * but not under sc; a machine knows no races. */
#define RACE                                                         \
    "OPENCL race\n{ x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\n" \
    "P1@wg 1 (global int* x) { int r = *x; while (r < 2) { r = r + 1; } }\nexists (1:r = 2)\n"
#define BROKEN "OPENCL broken\n{ nvm k = 0;\nP0 (global int* l) { *m = 1; }\n"

static const struct script scripts[] = {
    {"enum", "off", NULL, KV, CRASHLIT_OK, "vo", 32},
    {"enum", "on", NULL, KV, CRASHLIT_OK, "vo", 32},
    {"enum", "off", "models/visibility/sc.cat", RACE, CRASHLIT_OK, "o", 32},
    {"enum", "off", NULL, BROKEN, CRASHLIT_INPUT, "e", 200},
    {"smt", "off", NULL, KV, CRASHLIT_OK, "vo", 2},
    {"smt", "on", NULL, RACE, CRASHLIT_DIFFERS, "u", 4},
    {"machine", "off", NULL, KV, CRASHLIT_OK, "v", 8},
    {"all", "off", NULL, RACE, CRASHLIT_DIFFERS, "uuo", 2},
};

/* ---- One run, with what fails in it ---- */

static int failed_calls;

/* After a call that failed there is memory again. */
static void expect_reason(const struct crashlit *context)
{
    failed_calls++;
    CU_ASSERT(heap_failures() > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(crashlit_error(context), "out of memory"));
    heap_fail(0, false);
}

static struct crashlit *make(void)
{
    struct crashlit *context = crashlit_new();
    if (!context) {
        failed_calls++;
        CU_ASSERT(heap_failures() > 0);
        heap_fail(0, false);
        context = crashlit_new();
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(context);
    return context;
}

static void set(struct crashlit *context, const char *option, const char *value)
{
    if (crashlit_set(context, option, value) == CRASHLIT_FAILED) {
        expect_reason(context);
        CU_ASSERT_EQUAL(crashlit_set(context, option, value), CRASHLIT_OK);
    }
}

static void expect_answer(const struct crashlit_result *result, const struct script *script)
{
    CU_ASSERT_EQUAL(crashlit_result_status(result), script->status);
    CU_ASSERT_EQUAL(crashlit_result_count(result), strlen(script->verdicts));
    for (size_t i = 0; i < crashlit_result_count(result); i++)
        CU_ASSERT_EQUAL(crashlit_result_verdict(result, i)[0], script->verdicts[i]);
}

static void check(struct crashlit *context, const struct script *script)
{
    const char *text = script->text;
    struct crashlit_result *result = crashlit_check(context, "t.litmus", text, strlen(text));
    if (!result) {
        expect_reason(context);
        result = crashlit_check(context, "t.litmus", text, strlen(text));
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(result);
    expect_answer(result, script);
    crashlit_result_free(result);
}

/* Everything there is to a context; the second check has its models. */
static void play(const struct script *script)
{
    struct crashlit *context = make();
    set(context, "engine", script->engine);
    set(context, "decide", script->decide);
    set(context, "model", script->model);
    check(context, script);
    check(context, script);
    crashlit_free(context);
}

/* ---- All runs ---- */

/* Files that are left open move it. */
static int next_descriptor(void)
{
    int next = dup(STDERR_FILENO);
    close(next);
    return next;
}

static void play_without(const struct script *script, unsigned long number, bool for_good)
{
    long before = heap_live();
    int descriptor = next_descriptor();
    failed_calls = 0;
    heap_fail(number, for_good);
    play(script);
    heap_fail(0, false);
    /* What "all" asks last is auto, of whose engines one answers where the other ran out of memory.
     */
    CU_ASSERT(failed_calls == 1 || (failed_calls == 0 && strcmp(script->engine, "all") == 0));
    CU_ASSERT_EQUAL(heap_live(), before);
    CU_ASSERT_EQUAL(next_descriptor(), descriptor);
}

/* Every allocation at the beginning, then ever fewer of them, and the last. What a run leaves
 * would show in the next, up to where that one's fails, or in the very last. */
static void play_all(const struct script *script)
{
    heap_fail(0, false);
    play(script);
    unsigned long count = heap_calls();
    CU_ASSERT(count > 20);
    for (unsigned long number = 1; number < count; number += 1 + number / script->dense)
        play_without(script, number, number % 2);
    play_without(script, count, true);
    play(script);
}

static void play_engines(bool with_z3)
{
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        const char *engine = scripts[i].engine;
        if (with_z3 == (strcmp(engine, "smt") == 0 || strcmp(engine, "all") == 0))
            play_all(&scripts[i]);
    }
}

static void every_call_fails_whole(void)
{
    play_engines(false);
}

static void every_call_of_z3_fails_whole(void)
{
    play_engines(true);
}

void suite_api_memory(void)
{
    CU_pSuite suite = CU_add_suite("api_memory", NULL, NULL);
    UNIT_TEST(suite, every_call_fails_whole);
    UNIT_HEAVY_TEST(suite, every_call_of_z3_fails_whole);
}
