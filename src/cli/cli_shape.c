#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/cli_shape.h"

#include "base/arena.h"
#include "cat/cat_model.h"
#include "generate/gen_expect.h"
#include "run/run_pool.h"
#include "run/run_single.h"
#include "session/session_models.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 16 };

/* ---- Model pairs of --expect ---- */

static void refuse_pair(struct cli_shaping *g, const char *at, const char *format)
{
    const char *text = g->options->expect;
    struct span span = source_span_in(&g->arena, "--expect", text, (size_t)(at - text));
    size_t length = strcspn(at, ",");
    diag_error(&g->diag, DIAG_CLI_OPTION_VALUE, span, format, (int)length, at);
}

/* As a test in the folder of -o names the model: a file is below that folder, or is named by
 * nobody. NULL: none can. */
static const char *name_in_test(struct cli_shaping *g, const char *model)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    const char *name = NULL;
    if (!cat_model_is_path(model))
        return model;
    char *folder = g->options->output ? realpath(g->options->output, NULL) : NULL;
    char *file = folder ? realpath(model, NULL) : NULL;
    size_t length = folder ? strlen(folder) : 0;
    if (file && strncmp(file, folder, length) == 0 && file[length] == '/' &&
        !file[length + strspn(file + length, plain)])
        name = arena_printf(&g->arena, ".%s", file + length);
    base_free_foreign(folder);
    base_free_foreign(file);
    return name;
}

static void add_loaded(struct cli_shaping *g, const struct session_model *model)
{
    struct cli_shape_pair *pair = &g->pairs[g->pair_count++];
    pair->model = model;
    pair->visibility = name_in_test(g, model->visibility);
    pair->persistency = name_in_test(g, model->persistency);
}

static void add_pair(struct cli_shaping *g, const char *at, size_t length)
{
    const char *name = arena_strndup(&g->arena, at, length), *plus = strchr(name, '+');
    if (!plus || plus == name || !plus[1] || strchr(plus + 1, '+')) {
        refuse_pair(g, at,
                    "found '%.*s', expected VISIBILITY+PERSISTENCY, models that are built in or "
                    "paths of cat files without '+' and ','");
        return;
    }
    if (g->pair_count == MOST_PAIRS) {
        refuse_pair(g, at, "found one pair too many, '%.*s'; expected at most 16");
        return;
    }
    const struct cat_asker user = session_models_user(&g->options->settings);
    const struct session_model *model = session_models_get(
        g->models, &user, arena_strndup(&g->arena, name, (size_t)(plus - name)), plus + 1);
    if (model->model) {
        add_loaded(g, model);
    } else {
        strbuf_add(g->err, model->faults);
        refuse_pair(g, at, "found '%.*s', expected two models that can be loaded together");
    }
}

static void add_pairs(struct cli_shaping *g)
{
    const char *at = g->options->expect;
    g->pairs = ARENA_ARRAY(&g->arena, struct cli_shape_pair, MOST_PAIRS);
    for (bool more = at != NULL; more;) {
        size_t length = strcspn(at, ",");
        add_pair(g, at, length);
        more = at[length] == ',';
        at += length + more;
    }
}

/* ---- A test ---- */

/* A pair that no test can name is told in a comment. */
static void confirm(struct cli_shaping *g, struct gen_test *test, struct strbuf *comments,
                    struct strbuf *told)
{
    struct gen_expectation *expected =
        ARENA_ARRAY(&g->scratch, struct gen_expectation, g->pair_count);
    SCOPED(strbuf) text = {0};
    gen_print(test, &text);
    EACH (const struct cli_shape_pair, pair, g->pairs, g->pair_count) {
        const char *visibility = pair->model->visibility, *persistency = pair->model->persistency;
        const struct gen_answer answer =
            gen_confirm(&g->scratch, &g->settings, pair->model, g->parts, test->name, &text);
        if (answer.why) {
            g->unconfirmed++;
            strbuf_printf(told, "%s: nothing is expected of %s + %s: %s\n", test->name, visibility,
                          persistency, answer.why);
        } else if (pair->visibility && pair->persistency) {
            expected[test->expectation_count++] =
                (struct gen_expectation){pair->visibility, pair->persistency, answer.verdict};
        } else {
            strbuf_printf(comments, "// %s + %s : %s\n", visibility, persistency,
                          lit_verdict_text(answer.verdict));
        }
    }
    test->expectations = expected;
}

void cli_shape_take(struct cli_shaping *g, const struct gen_test *test)
{
    struct arena_mark mark = arena_mark(&g->scratch);
    struct gen_test own = *test;
    SCOPED(strbuf) text = {0}, comments = {0}, told = {0};
    if (g->count++ % g->workers != g->worker)
        return;
    if (g->pair_count)
        confirm(g, &own, &comments, &told);
    gen_print(&own, &text);
    strbuf_add(&text, strbuf_text(&comments));
    pack_text(&g->tests, own.name);
    pack_bytes(&g->tests, strbuf_text(&text), text.length);
    pack_bytes(&g->tests, strbuf_text(&told), told.length);
    arena_rewind(&g->scratch, mark);
}

/* ---- A worker ---- */

static enum run_status status_of(const struct cli_shaping *g)
{
    return g->diag.errors ? RUN_EXIT_INPUT : g->unconfirmed ? RUN_EXIT_UNKNOWN : RUN_EXIT_OK;
}

/* Packed: the status, messages, how many tests there are in all, the summary, its own tests. */
static void work_on_part(void *context, size_t task, struct strbuf *answer,
                         struct run_worker *worker)
{
    const struct cli_shape_run *run = context;
    SCOPED(strbuf) err = {0};
    struct cli_shaping g = {.options = run->options,
                            .settings = run->options->settings,
                            .parts = run_worker_parts(worker),
                            .worker = (uint32_t)task,
                            .workers = run->workers,
                            .err = &err};
    g.models = session_models_new();
    add_pairs(&g);
    if (g.diag.errors == 0)
        cli_shape_make(&g);
    diag_render(&g.diag, &err);
    pack_number(answer, (uint64_t)status_of(&g));
    pack_bytes(answer, strbuf_text(&err), err.length);
    pack_number(answer, g.count);
    pack_text(answer, strbuf_text(&g.summary));
    strbuf_add_bytes(answer, strbuf_text(&g.tests), g.tests.length);
    session_models_free(g.models);
    strbuf_fini(&g.tests);
    strbuf_fini(&g.summary);
    diag_fini(&g.diag);
    arena_fini(&g.scratch);
    arena_fini(&g.arena);
}

/* ---- The command ---- */

/* What all workers say, such as that a model cannot be loaded, is told once. */
static void take_answer(void *context, size_t task, const struct run_pool_answer *answer)
{
    struct cli_shape_run *run = context;
    run_output_say(answer->errors);
    if (answer->end != RUN_POOL_ANSWERED) {
        run_output_remark("%s", answer->reason);
        run_status_raise(&run->status,
                         answer->end == RUN_POOL_DIED ? RUN_EXIT_INTERNAL : RUN_EXIT_UNKNOWN);
        return;
    }
    char *bytes = arena_copy(&run->arena, answer->bytes, answer->length);
    struct unpack from = unpack_start(bytes, answer->length);
    run_status_raise(&run->status, (enum run_status)unpack_number(&from));
    const char *err = unpack_copy(&from, &run->arena);
    run->tests = unpack_number(&from);
    run->summary = unpack_copy(&from, &run->arena);
    if (run->answered++ == 0)
        run_output_say(err);
    run->from[task] = from;
}

/* Without --expect there is nothing that takes time. */
static uint32_t workers_of(const struct ask_options *options)
{
    return options->expect ? options->jobs : 1;
}

static int make(struct cli_shape_run *run, struct run_output *standard, struct diag *diag)
{
    const struct ask_options *options = run->options;
    const struct run_pool pool = {.workers = run->workers,
                                  .part_seconds = run_part_seconds(&options->settings),
                                  .memory_mib = options->settings.memory_mib,
                                  .solver = options->expect != NULL,
                                  .work = work_on_part,
                                  .take = take_answer,
                                  .context = run};
    run->from = ARENA_ARRAY(&run->arena, struct unpack, run->workers);
    int interrupt = run_pool_run(&pool, run->workers);
    if (!interrupt && run->answered == run->workers)
        cli_shape_write(run, standard, diag);
    return interrupt;
}

bool cli_shape_is_asked(const struct ask_options *options)
{
    return options->shape_words || options->shape_list || options->shape_size ||
           options->shape_threads || options->expect;
}

/* Which tests? One way to say it is needed, and makes sense. */
static bool is_usage_sound(const struct ask_options *options, struct diag *diag)
{
    if (!options->shape_words == !options->shape_list)
        diag_error(
            diag, DIAG_CLI_USAGE, NOWHERE, "generate wants --shape WORDS or --shape-from WORDS%s",
            options->shape_words ? ", one of the two" : " with --size, --threads and --expect");
    else if (options->comprehensive || options->bound)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--%s is of all programs up to a bound: leave it, or --shape, away",
                   options->comprehensive ? "comprehensive" : "bound");
    else if (options->shards || options->resume || options->name || options->format == RUN_JSON)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--%s is of all programs up to a bound, not of cycles: leave it away",
                   options->shards   ? "shard"
                   : options->resume ? "resume"
                   : options->name   ? "name"
                                     : "format json");
    else if (options->jobs > 1 && !options->expect)
        diag_error(
            diag, DIAG_CLI_USAGE, NOWHERE,
            "--jobs is of what engines are asked, as for --expect: tests of cycles alone are "
            "made at once; leave it away");
    else if (options->shape_words && options->shape_size)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--size is of --shape-from: a shape has the size that it has");
    return diag->errors == 0;
}

int cli_shape_run(const struct ask_options *options, struct run_output *standard)
{
    struct cli_shape_run run = {.options = options, .workers = workers_of(options)};
    SCOPED(diag) diag = {0};
    int interrupt = 0;
    if (is_usage_sound(options, &diag) && cli_shape_open(&run, &diag)) {
        interrupt = make(&run, standard, &diag);
        cli_shape_close(&run);
    }
    run_output_tell(&diag);
    if (diag.errors)
        run_status_raise(&run.status, RUN_EXIT_INPUT);
    arena_fini(&run.arena);
    return interrupt ? 128 + interrupt : (int)run.status;
}
