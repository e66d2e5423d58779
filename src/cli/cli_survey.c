#include "cli/cli_survey.h"

#include "cat/cat_model.h"
#include "generate/gen_between.h"
#include "generate/gen_bound.h"
#include "session/session_engines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void cli_survey_init(struct cli_survey *asked, const struct ask_options *options,
                     struct session_parts parts, struct strbuf *err)
{
    *asked = (struct cli_survey){.options = options, .settings = options->settings, .err = err};
    arena_init(&asked->arena);
    diag_init(&asked->diag);
    asked->settings.states = true;
    asked->pairs = (struct cli_pairs){.settings = &asked->settings,
                                      .visibility = "sc",
                                      .persistency = "none",
                                      .where = "the command line names",
                                      .arena = &asked->arena,
                                      .models = session_models_new()};
    asked->survey = (struct gen_survey){.settings = &asked->settings,
                                        .jobs = options->jobs,
                                        .parts = parts,
                                        .seconds = options->total_seconds,
                                        .arena = &asked->arena};
}

void cli_survey_fini(struct cli_survey *asked)
{
    session_models_free(asked->pairs.models);
    diag_fini(&asked->diag);
    arena_fini(&asked->arena);
}

/* ---- The bound ---- */

static void add_vocabulary(struct cli_survey *asked, const struct gen_vocabulary *vocabulary)
{
    for (uint32_t i = 0; i < asked->bound_count; i++)
        if (asked->bounds[i].vocabulary == vocabulary)
            return;
    BASE_CHECK(asked->bound_count < GEN_MAX_VOCABULARIES);
    asked->bounds[asked->bound_count++] = (struct gen_bound){.vocabulary = vocabulary};
}

static const char *vocabulary_names(struct cli_survey *asked)
{
    const char *names[ASK_MAX_WORDS];
    return arena_list(&asked->arena, names, ask_vocabulary_words(&asked->arena, names));
}

/* Those that are named, separated by commas. */
static bool read_vocabularies(struct cli_survey *asked)
{
    for (const char *at = asked->options->vocabulary;;) {
        size_t length = strcspn(at, ",");
        const char *name = arena_strndup(&asked->arena, at, length);
        const struct gen_vocabulary *vocabulary = gen_vocabulary_find(name);
        if (!vocabulary) {
            diag_error(&asked->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                       "--vocabulary names '%s', which is none; there are %s", name,
                       vocabulary_names(asked));
            return false;
        }
        add_vocabulary(asked, vocabulary);
        if (!at[length])
            return true;
        at += length + 1;
    }
}

static bool is_one_visibility(const struct cli_survey *asked)
{
    for (uint32_t i = 1; i < asked->pairs.count; i++)
        if (strcmp(asked->pairs.items[i]->visibility, asked->pairs.items[0]->visibility) != 0)
            return false;
    return true;
}

/* PTX where all models are PTX's. */
static enum gen_dialect dialect_of(const struct cli_survey *asked)
{
    enum gen_dialect dialect = gen_dialect_of(asked->pairs.items[0]->visibility);
    for (uint32_t i = 1; i < asked->pairs.count; i++)
        if (gen_dialect_of(asked->pairs.items[i]->visibility) != dialect)
            return GEN_OPENCL;
    return dialect;
}

static bool choose_bounds(struct cli_survey *asked)
{
    for (uint32_t i = 0; i < asked->pairs.count && !asked->options->vocabulary; i++)
        add_vocabulary(asked, gen_vocabulary_of(asked->pairs.items[i]->persistency));
    if (asked->options->vocabulary && !read_vocabularies(asked))
        return false;
    for (uint32_t i = 0; i < asked->bound_count; i++) {
        gen_between(&asked->bounds[i], dialect_of(asked), asked->pairs.items[0]->visibility,
                    is_one_visibility(asked));
        if (asked->options->bound &&
            !gen_bound_read(asked->options->bound, "--bound", &asked->bounds[i], &asked->diag))
            return false;
    }
    struct strbuf words = {0};
    gen_between_words(asked->bounds, asked->bound_count, &words);
    if (asked->options->shards)
        strbuf_printf(&words, ", part %u of %u", asked->options->shard, asked->options->shards);
    if (asked->options->from)
        strbuf_printf(&words, ", from %s on", asked->options->from);
    asked->bound_words = strbuf_take(&words, &asked->arena);
    return true;
}

/* "1:20:34": which vocabulary, unit, and program. */
static bool read_start(struct cli_survey *asked)
{
    struct gen_survey *survey = &asked->survey;
    int length = 0;
    const char *text = asked->options->from;
    if (!text)
        return true;
    if (sscanf(text, "%" SCNu32 ":%" SCNu64 ":%" SCNu64 "%n", &survey->next_bound,
               &survey->next_unit, &survey->next_number, &length) == 3 &&
        !text[length] && survey->next_bound < asked->bound_count)
        return true;
    diag_error(
        &asked->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
        "--from wants the three numbers that an earlier run of the same question ended with, "
        "such as 0:12:345, found '%s'",
        text);
    return false;
}

bool cli_survey_prepare(struct cli_survey *asked)
{
    if (asked->diag.errors || asked->status != RUN_EXIT_OK || !choose_bounds(asked) ||
        !read_start(asked))
        return false;
    asked->survey.models = asked->pairs.items;
    asked->survey.model_count = asked->pairs.count;
    asked->survey.bounds = asked->bounds;
    asked->survey.bound_count = asked->bound_count;
    asked->survey.shard = asked->options->shards ? asked->options->shard - 1 : 0;
    asked->survey.shards = asked->options->shards;
    asked->survey.defined = asked->options->defined;
    return true;
}

/* ---- The search ---- */

static void progress(void *context, const struct gen_survey *survey)
{
    (void)context;
    fprintf(stderr, "\r%s, %u operations: %" PRIu64 " programs, %" PRIu64 " states\033[K",
            survey->bounds[survey->next_bound].vocabulary->name, survey->size, survey->programs,
            survey->states);
    fflush(stderr);
}

void cli_survey_run(struct cli_survey *asked)
{
    bool shown = isatty(STDERR_FILENO) == 1;
    asked->survey.progress = shown ? progress : NULL;
    gen_survey(&asked->survey);
    if (shown)
        fputs("\r\033[K", stderr);
}

/* ---- What was found, as a test ---- */

static void add_expectation(struct cli_survey *asked, uint32_t pair, const char *verdict,
                            struct strbuf *out)
{
    const struct session_model *model = asked->pairs.items[pair];
    if (cat_model_is_path(model->visibility) || cat_model_is_path(model->persistency))
        strbuf_printf(out, "// %s: %s\n", asked->pairs.names[pair], verdict);
    else
        strbuf_printf(out, "expect %s + %s : %s\n", model->visibility, model->persistency, verdict);
}

const char *cli_survey_test(struct cli_survey *asked, const struct gen_find *find, const char *name,
                            uint32_t first, uint32_t second)
{
    const struct gen_bound *bound = &asked->bounds[find->vocabulary];
    const struct gen_test test = {.name = name,
                                  .vocabulary = bound->vocabulary,
                                  .dialect = bound->dialect,
                                  .program = &find->program};
    struct strbuf out = {0};
    gen_print(&test, &out);
    if (find->state)
        strbuf_printf(&out, "%sexists (%s)\n", find->kind == AGREE_FINAL ? "" : "crash ",
                      find->state);
    add_expectation(asked, first, find->undefined ? "undefined" : "ok", &out);
    add_expectation(asked, second, find->undefined ? "ok" : "violated", &out);
    return strbuf_take(&out, &asked->arena);
}

const char *cli_survey_line(struct cli_survey *asked, const struct gen_find *find)
{
    struct strbuf out = {0};
    gen_line(asked->bounds[find->vocabulary].vocabulary, &find->program, &out);
    return strbuf_take(&out, &asked->arena);
}
