#include "cli/cli_shape.h"

#include "cli/cli_commands.h"
#include "generate/gen_expect.h"
#include "session/session_engines.h"

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

/* Models that are files are named from the folder of a test, which is not known here. */
static void add_pair(struct cli_shaping *g, const char *at, size_t length)
{
    const char *name = arena_strndup(&g->arena, at, length), *plus = strchr(name, '+');
    if (!plus || plus == name || !plus[1] || strchr(plus + 1, '+') || strchr(name, '/')) {
        refuse_pair(g, at, "found '%.*s', expected VISIBILITY+PERSISTENCY, two built-in models");
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
        g->pairs[g->pair_count++] = model;
    } else {
        strbuf_add(g->err, model->faults);
        refuse_pair(g, at, "found '%.*s', expected two models that can be loaded together");
    }
}

static void add_pairs(struct cli_shaping *g)
{
    const char *at = g->options->expect;
    g->pairs = ARENA_ARRAY(&g->arena, const struct session_model *, MOST_PAIRS);
    for (bool more = at != NULL; more;) {
        size_t length = strcspn(at, ",");
        add_pair(g, at, length);
        more = at[length] == ',';
        at += length + more;
    }
}

/* ---- A test ---- */

static void confirm(struct cli_shaping *g, struct gen_test *test)
{
    struct gen_expectation *expected =
        ARENA_ARRAY(&g->scratch, struct gen_expectation, g->pair_count);
    struct strbuf text = {0};
    gen_print(test, &text);
    for (uint32_t i = 0; i < g->pair_count; i++) {
        const struct session_model *pair = g->pairs[i];
        const struct gen_answer answer =
            gen_confirm(&g->scratch, &g->options->settings, pair, g->parts, test->name, &text);
        if (answer.why) {
            g->unconfirmed++;
            strbuf_printf(g->err, "%s: nothing is expected of %s + %s: %s\n", test->name,
                          pair->visibility, pair->persistency, answer.why);
        } else {
            expected[test->expectation_count++] =
                (struct gen_expectation){pair->visibility, pair->persistency, answer.verdict};
        }
    }
    test->expectations = expected;
    strbuf_fini(&text);
}

void cli_shape_take(struct cli_shaping *g, const struct gen_test *test)
{
    struct arena_mark mark = arena_mark(&g->scratch);
    struct gen_test own = *test;
    struct strbuf text = {0};
    if (g->pair_count)
        confirm(g, &own);
    gen_print(&own, &text);
    pack_text(&g->tests, own.name);
    pack_bytes(&g->tests, strbuf_text(&text), text.length);
    g->count++;
    strbuf_fini(&text);
    arena_rewind(&g->scratch, mark);
}

/* ---- The command ---- */

/* What is printed has, packed: the number of tests, these, the summary. */
static enum run_status work(const void *context, struct session_parts parts, struct strbuf *out,
                            struct strbuf *err)
{
    struct cli_shaping g = {.options = context, .parts = parts, .err = err};
    arena_init(&g.arena);
    arena_init(&g.scratch);
    diag_init(&g.diag);
    g.models = session_models_new();
    add_pairs(&g);
    if (g.diag.errors == 0)
        cli_shape_make(&g);
    diag_render(&g.diag, err);
    enum run_status status = g.diag.errors   ? RUN_EXIT_INPUT
                             : g.unconfirmed ? RUN_EXIT_UNKNOWN
                                             : RUN_EXIT_OK;
    pack_number(out, g.count);
    strbuf_add_bytes(out, strbuf_text(&g.tests), g.tests.length);
    pack_text(out, strbuf_text(&g.summary));
    session_models_free(g.models);
    strbuf_fini(&g.tests);
    strbuf_fini(&g.summary);
    diag_fini(&g.diag);
    arena_fini(&g.scratch);
    arena_fini(&g.arena);
    return status;
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
    else if (options->shape_words && options->shape_size)
        diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                   "--size is of --shape-from: a shape has the size that it has");
    return diag->errors == 0;
}

int cli_shape_run(const struct ask_options *options, struct run_output *standard)
{
    struct strbuf out = {0}, err = {0};
    struct diag diag;
    int status = (int)RUN_EXIT_INPUT;
    diag_init(&diag);
    if (is_usage_sound(options, &diag)) {
        struct session_settings settings = options->settings;
        if (options->expect)
            settings.engine = SESSION_ALL_ENGINES;
        status = run_single_run(&settings, work, options, &out, &err);
        struct unpack from = unpack_start(strbuf_text(&out), out.length);
        if (out.length)
            cli_shape_write(options, &from, standard, &diag);
    }
    fputs(strbuf_text(&err), stderr);
    run_output_tell(&diag);
    if (diag.errors && status < (int)RUN_EXIT_INPUT)
        status = (int)RUN_EXIT_INPUT;
    diag_fini(&diag);
    strbuf_fini(&out);
    strbuf_fini(&err);
    return status;
}
