/* `crashlit hw judge`: tests and results are read, results are summed by test and device, and each
 * sum is held against each model. */
#include "ask/ask_options.h"
#include "base/utf8.h"
#include "cli/cli_commands.h"
#include "hw/hw_judge.h"
#include "run/run_inputs.h"
#include "session/session_models.h"
#include "session/session_test.h"

#include <inttypes.h>
#include <string.h>

struct standing { /* of a model and a device */
    const char *device;
    const struct session_model *model;
    uint64_t tests, refuted, undefined, unknown, allowed, covered;
    const char *smallest; /* test that refutes it; NULL: none */
    uint32_t size;
};

struct named {
    const char *name, *path;
};

struct judging {
    const struct ask_options *options;
    struct arena arena;
    struct diag diag;
    struct session_models *models;
    const struct session_model *asked[ASK_MAX_JUDGES];
    hw_result_list results, sums;
    bool *used; /* of the results, as read */
    VEC(struct standing) standings;
    VEC(struct named) tests;
    struct session_parts parts;
    struct strbuf *out, *err;
    bool forbids, unknown, unread;
};

/* ---- What is read ---- */

static void load_models(struct judging *j)
{
    const struct cat_asker user = session_models_user(&j->options->settings);
    for (uint32_t i = 0; i < j->options->judge_count; i++) {
        const struct session_model *model =
            session_models_get(j->models, &user, j->options->judges[i], "none");
        if (!model->model) {
            strbuf_add(j->err, model->faults);
            j->unread = true;
        }
        j->asked[i] = model;
    }
}

/* Results among the inputs; the others are of tests. */
static const char **split_inputs(struct judging *j, uint32_t *count)
{
    const char **tests = ARENA_ARRAY(&j->arena, const char *, j->options->input_count);
    for (uint32_t i = 1; i < j->options->input_count; i++) {
        const char *input = j->options->inputs[i];
        if (!text_ends(input, ".jsonl"))
            tests[(*count)++] = input;
        else if (!hw_result_read(&j->arena, input, &j->results, &j->diag))
            j->unread = true;
    }
    if (!j->results.count && !j->unread)
        diag_error(&j->diag, DIAG_CLI_NO_INPUT, NOWHERE,
                   "judge: no results: expected FILE.jsonl, lines that crashlit hw run prints");
    if (!*count)
        diag_error(&j->diag, DIAG_CLI_NO_INPUT, NOWHERE, "judge: no tests beside the results");
    j->used = ARENA_ARRAY(&j->arena, bool, j->results.count);
    return tests;
}

/* ---- One test ---- */

static uint32_t size_of(const struct lit_program *program)
{
    uint32_t size = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        size += program->threads[t].code_count;
    return size;
}

static struct standing *standing_of(struct judging *j, const struct session_model *model,
                                    const char *device)
{
    struct standing *found = FIND(i, j->standings.items, j->standings.count,
                                  j->standings.items[i].model == model &&
                                      strcmp(j->standings.items[i].device, device) == 0);
    if (found)
        return found;
    VEC_PUSH(&j->standings, (struct standing){.device = device, .model = model});
    return &VEC_LAST(&j->standings);
}

static void say_state(const struct hw_result *result, const struct hw_seen *seen,
                      struct strbuf *out)
{
    for (uint32_t i = 0; i < result->width; i++) {
        strbuf_add(out, i ? "; " : "");
        utf8_add_name(out, result->names[i]);
        strbuf_printf(out, "=%" PRId64, seen->values[i]);
    }
}

static void say_forbidden(struct judging *j, const char *path, const struct session_model *model,
                          const struct hw_result *result, const struct hw_seen *seen)
{
    strbuf_printf(j->out, "%s: seen on %s, and forbidden by %s: ", path, result->device,
                  model->visibility);
    say_state(result, seen, j->out);
    strbuf_printf(j->out,
                  "\n    %" PRIu64 " of %" PRIu64 " instances, in %" PRIu64 " of %" PRIu64
                  " launches; %s, line %" PRIu32 ": --seed %" PRIu64 " --launch %" PRIu64 "\n",
                  seen->count, result->instances, seen->launches, result->launches, seen->file,
                  seen->line, seen->seed, seen->first);
}

static void add_judged(struct judging *j, const char *path, const struct lit_program *program,
                       const struct session_model *model, const struct hw_result *result,
                       const struct hw_judged *judged)
{
    struct standing *standing = standing_of(j, model, result->device);
    standing->tests++;
    standing->undefined += judged->undefined;
    for (uint64_t i = 0; i < judged->forbidden; i++)
        say_forbidden(j, path, model, result, judged->worst[i]);
    if (judged->doubt) {
        strbuf_printf(j->out, "%s: not known under %s: %s\n", path, model->visibility,
                      judged->doubt);
        j->unknown = true;
        standing->unknown++;
        return;
    }
    if (!judged->undefined) {
        standing->allowed += judged->allowed;
        standing->covered += judged->covered;
    }
    if (!judged->forbidden)
        return;
    j->forbids = true;
    standing->refuted++;
    if (!standing->smallest || size_of(program) < standing->size) {
        standing->smallest = arena_strdup(&j->arena, path);
        standing->size = size_of(program);
    }
}

static void refuse_result(struct judging *j, const struct hw_result *result, const char *path,
                          const char *why)
{
    diag_error(&j->diag, DIAG_CLI_RECORD, NOWHERE,
               "'%s', line %" PRIu32 ": '%s' is not of '%s': %s", result->file, result->line,
               result->test, path, why);
}

static void judge_sum(struct judging *j, const char *path, const struct lit_program *program,
                      const struct hw_result *sum)
{
    for (uint32_t i = 0; i < j->options->judge_count; i++) {
        struct hw_judged judged;
        const struct session_case question =
            session_case_begin(&j->options->settings, j->asked[i], program, j->parts);
        const char *why = hw_judge(&j->arena, &question, sum, &judged);
        if (why) {
            refuse_result(j, sum, path, why);
            return;
        }
        add_judged(j, path, program, j->asked[i], sum, &judged);
    }
}

/* Of one test, by device. */
static void sum_results(struct judging *j, const char *path, const struct lit_program *program)
{
    const char *digest = hw_result_digest(&j->arena, program->digest);
    VEC_CLEAR(&j->sums);
    for (size_t i = 0; i < j->results.count; i++) {
        const struct hw_result *result = &j->results.items[i];
        bool is_named = strcmp(result->test, program->name) == 0;
        if (strcmp(result->test_digest, digest) != 0)
            continue;
        j->used[i] = true;
        struct hw_result *sum = FIND(k, j->sums.items, j->sums.count,
                                     strcmp(j->sums.items[k].device, result->device) == 0);
        if (!is_named)
            refuse_result(j, result, path, "its digest is that test's, and its name is not");
        else if (!sum)
            VEC_PUSH(&j->sums, *result);
        else if (!hw_judge_sum(&j->arena, sum, result))
            refuse_result(j, result, path, "its outcomes are not of the same values as another's");
    }
}

static void judge_test(struct judging *j, const char *file)
{
    const char *path = utf8_name(&j->arena, file);
    const struct session_settings settings = cli_as_written(&j->options->settings);
    SCOPED(session_test) test;
    session_test_load(&test, &settings, file);
    if (!test.program) {
        diag_render(&test.diag, j->err);
        j->unread = true;
        return;
    }
    VEC_PUSH(&j->tests, (struct named){arena_strdup(&j->arena, test.program->name), path});
    sum_results(j, path, test.program);
    for (size_t i = 0; i < j->sums.count; i++)
        judge_sum(j, path, test.program, &j->sums.items[i]);
}

/* A result of no test that is given, but for its name: the test was changed since. */
static void refuse_changed(struct judging *j)
{
    for (size_t i = 0; i < j->results.count; i++) {
        const struct hw_result *result = &j->results.items[i];
        const struct named *test = FIND(k, j->tests.items, j->tests.count,
                                        strcmp(j->tests.items[k].name, result->test) == 0);
        if (test && !j->used[i])
            refuse_result(j, result, test->path, "the test has changed: its digest is another");
    }
}

/* ---- What is told ---- */

static void say_standings(const struct judging *j)
{
    for (size_t i = 0; i < j->standings.count; i++) {
        const struct standing *s = &j->standings.items[i];
        strbuf_printf(j->out,
                      "%s on %s: refuted by %" PRIu64 " of %" PRIu64 " tests%s%s; %" PRIu64
                      " undefined, %" PRIu64 " not known; %" PRIu64 " of %" PRIu64
                      " allowed states seen\n",
                      s->model->visibility, s->device, s->refuted, s->tests,
                      s->smallest ? ", the smallest " : "", s->smallest ? s->smallest : "",
                      s->undefined, s->unknown, s->covered, s->allowed);
    }
}

/* A result that was judged by nobody is no pass. */
static void say_unused(struct judging *j)
{
    size_t unused = COUNT_IF(i, j->results.count, !j->used[i]);
    if (unused)
        strbuf_printf(j->out, "%zu of %zu results are of no test that is given\n", unused,
                      j->results.count);
    if (!j->standings.count && !j->diag.errors && !j->unread)
        diag_error(&j->diag, DIAG_CLI_NO_TESTS, NOWHERE, "no result is of a test that is given");
}

static void judge_all(struct judging *j)
{
    struct run_arguments tests = {.memory_mib = j->options->settings.memory_mib,
                                  .choice = ask_options_choice(j->options)};
    tests.items = split_inputs(j, &tests.count);
    load_models(j);
    if (j->unread || j->diag.errors)
        return;
    const struct run_inputs inputs =
        run_inputs_find(&j->arena, &tests, &j->options->settings.reach, &j->diag);
    for (size_t i = 0; i < inputs.count; i++)
        judge_test(j, inputs.paths[i]);
    refuse_changed(j);
    say_unused(j);
    say_standings(j);
}

enum run_status cli_hw_judge(const void *context, struct session_parts parts, struct strbuf *out,
                             struct strbuf *err)
{
    struct ask_options options = *(const struct ask_options *)context;
    struct judging j = {.options = &options,
                        .models = session_models_new(),
                        .parts = parts,
                        .out = out,
                        .err = err};
    options.settings.states = true;
    judge_all(&j);
    diag_render(&j.diag, err);
    enum run_status status = j.unread || j.diag.errors ? RUN_EXIT_INPUT
                             : j.forbids               ? RUN_EXIT_DIFFERS
                             : j.unknown               ? RUN_EXIT_UNKNOWN
                                                       : RUN_EXIT_OK;
    VEC_FREE(&j.results);
    VEC_FREE(&j.sums);
    VEC_FREE(&j.standings);
    VEC_FREE(&j.tests);
    session_models_free(j.models);
    diag_fini(&j.diag);
    arena_fini(&j.arena);
    return status;
}
