/* Shortest runs of machines to states, counted by hand, and how they are shown. */
#include "fixture.h"

#include "explore/mach_engine.h"
#include "document/report_trace.h"

#include <jansson.h>
#include <string.h>

struct trial {
    struct fixture f;
    struct trace trace;
    struct trace_goal goal;
    struct report_trace report;
};

/* To what decides the test's first condition. */
static void trial_init(struct trial *t, const char *text, const char *machine, uint32_t max_states)
{
    *t = (struct trial){0};
    fixture_init(&t->f, text, "hrf-direct", "epoch");
    const struct lit_condition *condition = &t->f.program->conditions[0];
    t->goal =
        (struct trace_goal){condition->when, condition->prop, condition->quantifier != LIT_FORALL};
    const struct mach_choice choice = {.file = mach_config_load(&t->f.arena, machine, &t->f.diag),
                                       .max_states = max_states};
    struct engine_request request = {.program = t->f.program,
                                     .crash_mode = engine_default_crash_mode(t->f.program),
                                     .own = &choice};
    CU_ASSERT_PTR_NOT_NULL_FATAL(choice.file);
    trace_init(&t->trace);
    mach_trace(&request, &t->goal, &t->trace);
    t->report = (struct report_trace){.program = t->f.program,
                                      .trace = &t->trace,
                                      .crash_mode = request.crash_mode,
                                      .when = t->goal.when,
                                      .number = 1,
                                      .goal = condition->text};
}

static void trial_fini(struct trial *t)
{
    trace_fini(&t->trace);
    fixture_fini(&t->f);
}

static uint32_t count_kind(const struct trace *trace, const char *kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        count += strcmp(trace->steps[i].kind, kind) == 0;
    return count;
}

static const struct trace_part *find_part(const struct trace *trace, uint32_t step,
                                          const char *name)
{
    const struct trace_step *s = &trace->steps[step];
    for (uint32_t i = 0; i < s->part_count; i++)
        if (strcmp(s->parts[i].name, name) == 0)
            return &s->parts[i];
    CU_FAIL_FATAL("no such part");
    return NULL;
}

/* The value a part has of a location, -1 when it has none. */
static int64_t value_in(const struct trace *trace, uint32_t step, const char *part,
                        const char *location)
{
    const struct trace_part *p = find_part(trace, step, part);
    for (uint32_t i = 0; i < p->count; i++)
        if (strcmp(p->cells[i].name, location) == 0)
            return p->cells[i].has_value ? p->cells[i].value : -1;
    return -1;
}

static const char one_store[] = "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {\n  *x = 1;\n}\n"
                                "crash exists (x=1)\n";

/* Executed, then durable. */
static void test_ideal(void)
{
    struct trial t;
    trial_init(&t, one_store, "ideal-sc", 0);
    const struct trace *trace = &t.trace;
    CU_ASSERT_EQUAL(trace->answer, TRACE_FOUND);
    CU_ASSERT_EQUAL_FATAL(trace->count, 3);
    CU_ASSERT_STRING_EQUAL(trace->steps[0].kind, "start");
    CU_ASSERT_STRING_EQUAL(trace->steps[1].kind, "executes");
    CU_ASSERT_STRING_EQUAL(trace->steps[1].actor, "P0");
    CU_ASSERT_STRING_EQUAL(trace->steps[1].source, "*x = 1");
    CU_ASSERT_EQUAL(trace->steps[1].line, 4);
    CU_ASSERT_STRING_EQUAL(trace->steps[2].kind, "persists");
    CU_ASSERT_PTR_NULL(trace->steps[2].source);
    static const int64_t memory[] = {0, 1, 1}, nvram[] = {0, 0, 1};
    static const uint32_t pending[] = {0, 1, 0};
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(value_in(trace, i, "memory", "x"), memory[i]);
        CU_ASSERT_EQUAL(value_in(trace, i, "NVRAM", "x"), nvram[i]);
        CU_ASSERT_EQUAL(find_part(trace, i, "not durable")->count, pending[i]);
    }
    CU_ASSERT_STRING_EQUAL(find_part(trace, 1, "not durable")->cells[0].name, "x=1");
    CU_ASSERT_EQUAL_FATAL(trace->width, 1);
    CU_ASSERT_EQUAL(trace->row[0], 1);
    trial_fini(&t);
}

static const char two_stores[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\n"
                                 "P0 (global int* x, global int* y) {\n"
                                 "  *x = 1;\n  p_barrier_wi;\n  *y = 1;\n}\n"
                                 "crash exists (y=1)\n";

/* SPB section 6.1, p_barrier_wi: x is written; the marker is appended; x's entry and the marker
 * leave the L1's FIFO; x's entry leaves the L2's, the write-back completes, the marker is
 * acknowledged, the work-item is told; y is written, evicted twice, and arrives: 1 + 7 + 4.
 * Evicting x instead leaves its entries where they are, which saves nothing. */
static void test_barrier(void)
{
    static const struct {
        const char *kind;
        uint32_t count;
    } kinds[] = {{"start", 1},   {"executes", 2},     {"stalls", 1},
                 {"flushes", 2}, {"marker-moves", 1}, {"acknowledges", 1},
                 {"goes-on", 1}, {"evicts", 2},       {"completes", 2}};
    struct trial t;
    trial_init(&t, two_stores, "nvw-fifo", 0);
    CU_ASSERT_EQUAL_FATAL(t.trace.answer, TRACE_FOUND);
    CU_ASSERT_EQUAL_FATAL(t.trace.count, 1 + 12);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        CU_ASSERT_EQUAL(count_kind(&t.trace, kinds[i].kind), kinds[i].count);
    CU_ASSERT_STRING_EQUAL(t.trace.steps[12].kind, "completes");
    CU_ASSERT_EQUAL(value_in(&t.trace, 11, "NVRAM", "y"), 0);
    CU_ASSERT_EQUAL(value_in(&t.trace, 12, "NVRAM", "y"), 1);
    /* x is durable before y is written. */
    for (uint32_t i = 0; i < t.trace.count; i++)
        CU_ASSERT(value_in(&t.trace, i, "L1 0", "y") != 1 ||
                  value_in(&t.trace, i, "NVRAM", "x") == 1);
    CU_ASSERT_EQUAL(value_in(&t.trace, 1, "L1 0", "x"), 1);
    CU_ASSERT_STRING_EQUAL(find_part(&t.trace, 1, "NVW-FIFO L1 0")->cells[0].name, "x");
    CU_ASSERT_STRING_EQUAL(find_part(&t.trace, 2, "NVW-FIFO L1 0")->cells[1].name, "|P0");
    trial_fini(&t);
}

/* Every step has the parts of the first, and each part of places their cells. */
static void check_shape(const struct trace *trace)
{
    for (uint32_t i = 1; i < trace->count; i++) {
        CU_ASSERT_EQUAL_FATAL(trace->steps[i].part_count, trace->steps[0].part_count);
        for (uint32_t p = 0; p < trace->steps[i].part_count; p++) {
            const struct trace_part *a = &trace->steps[0].parts[p], *b = &trace->steps[i].parts[p];
            CU_ASSERT_STRING_EQUAL(a->name, b->name);
            CU_ASSERT_EQUAL(a->kind, b->kind);
            CU_ASSERT(a->kind == TRACE_QUEUE || a->count == b->count);
        }
    }
}

static const char *const machines[] = {"nvw-fifo", "nvw-fifo-small", "ideal-sc"};

static void test_shape(void)
{
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        struct trial t;
        trial_init(&t, two_stores, machines[m], 0);
        CU_ASSERT_EQUAL_FATAL(t.trace.answer, TRACE_FOUND);
        CU_ASSERT_STRING_EQUAL(t.trace.machine, machines[m]);
        check_shape(&t.trace);
        /* The last part is the memory that survives. */
        const struct trace_step *last = &t.trace.steps[t.trace.count - 1];
        const struct trace_part *nvram = &last->parts[last->part_count - 1];
        CU_ASSERT_STRING_EQUAL(nvram->name, "NVRAM");
        CU_ASSERT_EQUAL_FATAL(nvram->count, 2);
        CU_ASSERT_EQUAL(nvram->cells[1].value, 1);
        trial_fini(&t);
    }
}

static void expect_answer(const char *condition, uint32_t max_states, enum trace_answer answer,
                          uint32_t count)
{
    struct trial t;
    struct arena arena;
    arena_init(&arena);
    const char *text = arena_printf(&arena,
                                    "OPENCL t\n{ nvm x = 0; nvm y = 0; z = 5; }\n"
                                    "P0 (global int* x, global int* y, global int* z) {\n"
                                    "  int r = *z; *x = 1; p_barrier_wi; *y = 1;\n}\n%s\n",
                                    condition);
    trial_init(&t, text, "ideal-sc", max_states);
    CU_ASSERT_EQUAL(t.trace.answer, answer);
    CU_ASSERT_EQUAL(t.trace.count, count);
    CU_ASSERT_EQUAL(t.trace.doubt != NULL, answer == TRACE_UNKNOWN);
    trial_fini(&t);
    arena_fini(&arena);
}

static void test_answers(void)
{
    expect_answer("crash exists (x=0 /\\ y=0)", 0, TRACE_FOUND, 1); /* the start */
    expect_answer("crash ~exists (y=1 /\\ x=0)", 0, TRACE_NONE, 0);
    expect_answer("crash forall (x=0 \\/ y=0)", 0, TRACE_FOUND, 8); /* read, store, arrive, persist,
                                                                     * leave, store, persist: 7 */
    expect_answer("crash exists (y=1)", 3, TRACE_UNKNOWN, 0);
    /* A final state: all seven. */
    expect_answer("final exists (0:r=5 /\\ x=1 /\\ y=1)", 0, TRACE_FOUND, 8);
    expect_answer("final exists (0:r=4)", 0, TRACE_NONE, 0);
}

/* What a read returns, who waits, and who goes on. */
static void test_words(void)
{
    struct trial t;
    trial_init(&t,
               "OPENCL t\n{ z = 5; }\n"
               "P0@wg 0 (global int* z) {\n  int r = *z;\n  sync_barrier_wg;\n}\n"
               "P1@wg 0 (global int* z) {\n  sync_barrier_wg;\n}\nexists (0:r=5)\n",
               "ideal-sc", 0);
    CU_ASSERT_EQUAL_FATAL(t.trace.count, 4); /* read and two arrivals */
    uint32_t waits = 0, goes_on = 0, reads = 0;
    for (uint32_t i = 1; i < 4; i++) {
        waits += strcmp(t.trace.steps[i].text, "waits for its scope") == 0;
        goes_on += strstr(t.trace.steps[i].text, " goes on") != NULL;
        reads += strcmp(t.trace.steps[i].text, "r = 5") == 0;
    }
    CU_ASSERT_EQUAL(waits, 1);
    CU_ASSERT_EQUAL(goes_on, 1);
    CU_ASSERT_EQUAL(reads, 1);
    CU_ASSERT_STRING_EQUAL(t.trace.steps[3].threads[0].status, "done");
    CU_ASSERT_EQUAL(t.trace.steps[3].threads[0].line, 0);
    CU_ASSERT_EQUAL(t.trace.steps[0].threads[1].line, 8);
    trial_fini(&t);
}

/* ---- Reports ---- */

/* The columns of `|` in the lines of the table are the same in each. */
static void test_alignment(void)
{
    struct trial t;
    struct strbuf out = {0};
    size_t bars[32] = {0}, count = 0, lines = 0;
    trial_init(&t, two_stores, "ideal-sc", 0);
    report_trace_table(&t.report, &out);
    for (const char *line = strbuf_text(&out); *line; line += strcspn(line, "\n") + 1, lines++) {
        size_t found = 0;
        for (size_t at = 0; line[at] != '\n'; at++) {
            if (line[at] != '|' && line[at] != '+')
                continue;
            CU_ASSERT(lines == 0 || bars[found] == at);
            bars[found++] = at;
        }
        CU_ASSERT(lines == 0 || found == count);
        count = found;
        CU_ASSERT_NOT_EQUAL(line[strcspn(line, "\n") - 1], ' ');
    }
    CU_ASSERT_EQUAL(lines, 3 + t.trace.count);
    CU_ASSERT_EQUAL(count, 3); /* before memory, not durable, NVRAM */
    strbuf_fini(&out);
    trial_fini(&t);
}

/* The whole of it: what is as before is a dot, what is not there a dash. */
static void test_text(void)
{
    struct trial t;
    struct strbuf out = {0};
    trial_init(&t, one_store, "ideal-sc", 0);
    report_document_part("text", &report_trace, &t.report, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out),
                           "Trace t on ideal-sc\n"
                           "Condition 1 exists (x=1)\n"
                           "                                     | memory | not     | NVRAM\n"
                           "  # who   line what                  | x      | durable | x\n"
                           "  -----------------------------------+--------+---------+------\n"
                           "  0            start                 | 0      | -       | 0\n"
                           "  1 P0    4    *x = 1                | 1      | x=1     | .\n"
                           "  2 NVRAM      x = 1 becomes durable | .      | -       | 1\n"
                           "Crash after 2 steps: x=1;\n\n");
    strbuf_fini(&out);
    trial_fini(&t);
}

static json_t *read_json(const struct report_trace *report)
{
    struct strbuf line = {0};
    report_document_part("json", &report_trace, report, &line);
    const char *got = strbuf_text(&line);
    CU_ASSERT_EQUAL(strcspn(got, "\n") + 1, strlen(got));
    json_t *object = json_loads(got, JSON_REJECT_DUPLICATES, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(object);
    strbuf_fini(&line);
    return object;
}

static void expect(const json_t *value, const char *expected)
{
    json_t *wanted = json_loads(expected, JSON_DECODE_ANY, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(wanted);
    CU_ASSERT_TRUE(json_equal(value, wanted));
    json_decref(wanted);
}

static void test_json(void)
{
    struct trial t;
    trial_init(&t, one_store, "ideal-sc", 0);
    json_t *object = read_json(&t.report);
    expect(json_object_get(object, "answer"), "\"found\"");
    expect(json_object_get(object, "machine"), "\"ideal-sc\"");
    expect(json_object_get(object, "condition"), "1");
    expect(json_object_get(object, "shows"), "\"crash\"");
    expect(json_object_get(object, "state"), "{\"x\":1}");
    const json_t *steps = json_object_get(object, "steps");
    CU_ASSERT_EQUAL_FATAL(json_array_size(steps), 3);
    expect(json_array_get(steps, 1),
           "{\"number\":1,\"kind\":\"executes\",\"actor\":\"P0\",\"text\":\"\","
           "\"source\":\"*x = 1\",\"line\":4,\"parts\":["
           "{\"name\":\"memory\",\"kind\":\"places\",\"cells\":[{\"name\":\"x\",\"value\":1}]},"
           "{\"name\":\"not durable\",\"kind\":\"queue\",\"cells\":[{\"name\":\"x=1\"}]},"
           "{\"name\":\"NVRAM\",\"kind\":\"places\",\"cells\":[{\"name\":\"x\",\"value\":0}]}],"
           "\"threads\":[{\"name\":\"P0\",\"status\":\"done\",\"registers\":{}}],"
           "\"leaves\":{\"x\":0}}");
    json_decref(object);
    trial_fini(&t);
}

static void test_json_never(void)
{
    struct trial t;
    trial_init(&t, "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x=2)\n",
               "ideal-sc", 0);
    json_t *object = read_json(&t.report);
    expect(json_object_get(object, "answer"), "\"never\"");
    expect(json_object_get(object, "states"), "3"); /* before, pending, durable */
    CU_ASSERT_PTR_NULL(json_object_get(object, "steps"));
    json_decref(object);
    trial_fini(&t);
}

static const char recovered[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x) {\n"
                                "  *x = 1;\n}\nrecovery\nP0 (global int* x, global int* y) {\n"
                                "  if (*x) *y = 1;\n}\ncrash exists (x=1)\n";

/* Executed, then durable: a crash at the start and after the store leaves x = 0, of which recovery
 * makes nothing, and at the end x = 1, from where it writes y, which is durable a step later. */
static void test_power_fails(void)
{
    static const int64_t left[] = {0, 0, 1}, y[] = {0, 1};
    static const uint32_t recovery[] = {0, 0, 1};
    struct trial t;
    trial_init(&t, recovered, "ideal-sc", 0);
    const struct trace *trace = &t.trace;
    CU_ASSERT_EQUAL_FATAL(trace->count, 3);
    CU_ASSERT_EQUAL_FATAL(trace->recovery_count, 2);
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(trace->steps[i].leaves);
        CU_ASSERT_EQUAL(trace->steps[i].leaves[0], left[i]);
        CU_ASSERT_EQUAL(trace->steps[i].leaves[1], 0);
        CU_ASSERT_EQUAL(trace->steps[i].recovery, recovery[i]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        const struct trace *run = &trace->recoveries[i];
        CU_ASSERT_EQUAL_FATAL(run->answer, TRACE_FOUND);
        CU_ASSERT_EQUAL(value_in(run, 0, "NVRAM", "x"), left[i + 1]);
        CU_ASSERT_EQUAL(value_in(run, run->count - 1, "NVRAM", "y"), y[i]);
    }
    json_t *object = read_json(&t.report);
    const json_t *runs = json_object_get(object, "recoveries");
    CU_ASSERT_EQUAL(json_array_size(runs), 2);
    expect(json_object_get(json_array_get(runs, 1), "state"), "{\"x\":1,\"y\":1}");
    expect(json_object_get(json_array_get(json_object_get(object, "steps"), 2), "recovery"), "1");
    json_decref(object);
    trial_fini(&t);
}

/* The crash comes at its statement alone: before it, and behind it, none does. */
static void test_no_crash(void)
{
    struct trial t;
    trial_init(&t,
               "OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {\n  *x = 1;\n  crash;\n  *x = 2;\n}\n"
               "crash exists (x=1)\n",
               "ideal-sc", 0);
    CU_ASSERT_EQUAL_FATAL(t.trace.answer, TRACE_FOUND);
    CU_ASSERT_PTR_NULL(t.trace.steps[0].leaves);
    CU_ASSERT_PTR_NOT_NULL(t.trace.steps[t.trace.count - 1].leaves);
    trial_fini(&t);
}

/* Recovery trusts a mark that is written after its entry, and nothing orders the two. */
#define TRUSTING(restartable)                                                             \
    "OPENCL t\n{ nvm entry = 0; nvm mark = 0; nvm copy = 0; }\n"                          \
    "P0 (global int* entry, global int* mark) {\n  *entry = 1;\n  *mark = 1;\n}\n"        \
    "recovery" restartable " (global int* entry, global int* mark, global int* copy) {\n" \
    "  int m = *mark;\n  if (m == 1) {\n    int e = *entry;\n    *copy = e + 1;\n  }\n}\n"

/* To copy = 1 recovery has to find the mark without the entry: two stores, and the mark is durable,
 * 3 steps. Then it reads twice, stores, and that is durable: 4 steps. */
static void test_recovered(void)
{
    struct trial t;
    trial_init(&t, TRUSTING("") "recovered ~exists (copy = 1)\n", "ideal-sc", 0);
    const struct trace *trace = &t.trace;
    CU_ASSERT_EQUAL_FATAL(trace->answer, TRACE_FOUND);
    CU_ASSERT_EQUAL_FATAL(trace->count, 4);
    CU_ASSERT_EQUAL(value_in(trace, 3, "NVRAM", "mark"), 1);
    CU_ASSERT_EQUAL(value_in(trace, 3, "NVRAM", "entry"), 0);
    CU_ASSERT_EQUAL_FATAL(trace->steps[3].recovery, 0);
    const struct trace *led = &trace->recoveries[0];
    CU_ASSERT_EQUAL_FATAL(led->count, 5);
    CU_ASSERT_EQUAL(value_in(led, 4, "NVRAM", "copy"), 1);
    CU_ASSERT_EQUAL(trace->recovery_count, 2); /* from what is there at first, too */
    struct strbuf out = {0};
    report_document_part("text", &report_trace, &t.report, &out);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(strbuf_text(&out), "\nCrash after 3 steps: entry=0; mark=1; copy=0;\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(strbuf_text(&out), "\nRecovered after 4 steps: entry=0; mark=1; copy=1;\n"));
    strbuf_fini(&out);
    trial_fini(&t);
}

/* A copy is 1 or 2, so 7 is none: known where recovery runs once, not where it may crash in
 * between, and not where its states are more than may be kept. */
static void test_never_recovered(void)
{
    static const struct {
        const char *text;
        uint32_t states;
        enum trace_answer answer;
    } rows[] = {{TRUSTING("") "recovered ~exists (copy = 7)\n", 0, TRACE_NONE},
                {TRUSTING(" restartable") "recovered ~exists (copy = 7)\n", 0, TRACE_UNKNOWN},
                {TRUSTING("") "recovered ~exists (copy = 7)\n", 3, TRACE_UNKNOWN},
                {TRUSTING("") "recovered forall (copy = 0 \\/ copy = 2)\n", 0, TRACE_FOUND},
                {TRUSTING(" restartable") "recovered exists (copy = 2)\n", 0, TRACE_FOUND}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct trial t;
        trial_init(&t, rows[i].text, "ideal-sc", rows[i].states);
        CU_ASSERT_EQUAL(t.trace.answer, rows[i].answer);
        CU_ASSERT_EQUAL(t.trace.doubt != NULL, rows[i].answer == TRACE_UNKNOWN);
        trial_fini(&t);
    }
}

void suite_mach_trace(void)
{
    CU_pSuite suite = CU_add_suite("mach_trace", NULL, NULL);
    UNIT_TEST(suite, test_ideal);
    UNIT_TEST(suite, test_barrier);
    UNIT_TEST(suite, test_shape);
    UNIT_TEST(suite, test_answers);
    UNIT_TEST(suite, test_words);
    UNIT_TEST(suite, test_alignment);
    UNIT_TEST(suite, test_text);
    UNIT_TEST(suite, test_json);
    UNIT_TEST(suite, test_json_never);
    UNIT_TEST(suite, test_power_fails);
    UNIT_TEST(suite, test_no_crash);
    UNIT_TEST(suite, test_recovered);
    UNIT_TEST(suite, test_never_recovered);
}
