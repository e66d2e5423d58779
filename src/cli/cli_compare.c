#include "cli/cli_commands.h"

#include "base/utf8.h"
#include "cli/cli_contrast.h"
#include "cli/cli_pairs.h"
#include "cli/cli_written.h"
#include "run/run_inputs.h"
#include "ask/ask_show.h"
#include "session/session_ask.h"
#include "session/session_refine.h"
#include "document/report_compare.h"
#include "document/report_text.h"

#include <string.h>

struct comparison {
    const struct ask_options *options;
    struct arena arena;
    struct cli_pairs pairs;
    VEC(struct report_compare_row) rows;
    struct contrast_totals totals[CLI_MAX_PAIRS];
    size_t unread;  /* of them: files */
    size_t bare;    /* of them: tests without conditions */
    size_t lacking; /* of them: some pair gives something no meaning */
    struct diag diag;
    struct strbuf *err;
    struct session_parts parts;
    enum run_status status;
};

struct session_settings cli_as_written(const struct session_settings *settings)
{
    struct session_settings read = {.property = SESSION_CONDITION,
                                    .reach = settings->reach,
                                    .uses_count = settings->uses_count,
                                    .stream = settings->stream};
    memcpy(read.uses, settings->uses, sizeof read.uses);
    return read;
}

/* Where a name was expected between commas. */
static void refuse_gap(struct comparison *all, const char *at)
{
    const char *models = all->options->models;
    struct span span = source_span_in(&all->arena, "--models", models, (size_t)(at - models));
    diag_error(&all->diag, DIAG_CLI_OPTION_VALUE, span, "found %s, expected a model pair",
               *at ? "','" : "the end");
}

static void add_pairs(struct comparison *all)
{
    const char *at = all->options->models;
    for (bool more = true; more;) {
        size_t length = strcspn(at, ",");
        if (length)
            cli_pairs_add(&all->pairs, arena_strndup(&all->arena, at, length), &all->diag, all->err,
                          &all->status);
        else
            refuse_gap(all, at);
        more = at[length] == ',';
        at += length + more;
    }
    if (all->pairs.count < 2 && all->status == RUN_EXIT_OK && all->diag.errors == 0)
        diag_error(&all->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--models wants two model pairs or more, separated by commas, found '%s'",
                   all->options->models);
}

/* What the test's definition files name goes with a name alone, as it does behind -m or -p. Of a file that cannot be read
 * nothing is known: no visibility. */
static struct lit_models beside_names(struct comparison *all, const char *path)
{
    const struct session_settings settings = cli_as_written(&all->options->settings);
    SCOPED(session_test) test;
    struct lit_models models = {"hrf-direct", "epoch", NULL, {0}};
    session_test_load(&test, &settings, path);
    if (!test.program)
        return (struct lit_models){0};
    const struct lit_models *named = test.program->models;
    if (named && named->visibility && !cat_model_is_path(named->visibility))
        models.visibility = arena_strdup(&all->arena, named->visibility);
    if (named && named->persistency && !cat_model_is_path(named->persistency))
        models.persistency = arena_strdup(&all->arena, named->persistency);
    return models;
}

static bool names_pairs_alone(const char *models)
{
    for (const char *at = models; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!memchr(at, '+', strcspn(at, ",")))
            return false;
    }
    return true;
}

/* A column is one pair of all tests: where they differ, it is the usual one. */
static void choose_others(struct comparison *all, const struct run_inputs *inputs)
{
    struct cli_pairs *pairs = &all->pairs;
    bool first = true;
    for (size_t i = 0; i < inputs->count && !names_pairs_alone(all->options->models); i++) {
        const struct lit_models models = beside_names(all, inputs->paths[i]);
        if (!models.visibility)
            continue;
        bool same = first || (strcmp(models.visibility, pairs->visibility) == 0 &&
                              strcmp(models.persistency, pairs->persistency) == 0);
        pairs->visibility = same ? models.visibility : "hrf-direct";
        pairs->persistency = same ? models.persistency : "epoch";
        first = false;
        if (!same)
            break;
    }
}

/* The outcome is the caller's to end. */
static struct report_compare_cell ask_pair(struct comparison *all, const struct session_model *pair,
                                           const struct lit_program *program,
                                           struct outcome *outcome, struct strbuf *dumps)
{
    const struct session_settings *settings = &all->options->settings;
    const struct session_case question = session_case_begin(settings, pair, program, all->parts);
    if (lit_asks_property(program, LIT_PROPERTY_RACE))
        session_models_races(all->pairs.models, pair);
    ask_show_run(all->options, &question, outcome, dumps);
    const struct cat_asker user = session_models_user(settings);
    SCOPED(strbuf) digits = {0};
    outcome_state_count_text(&outcome->crash, &digits);
    struct report_compare_cell cell = {
        .verdict = cli_contrast_verdict(all->options, &question, all->pairs.models, &user, outcome,
                                        &all->status),
        .states = arena_strdup(&all->arena, strbuf_text(&digits)),
        .whole = !outcome->decided && outcome_doubt(outcome) == NULL};
    cell.text = outcome->decided
                    ? lit_verdict_text(cell.verdict)
                    : arena_printf(&all->arena, "%s %s%s", lit_verdict_text(cell.verdict),
                                   cell.states, cell.whole ? "" : "+");
    if (cell.verdict == LIT_UNKNOWN)
        run_status_raise(&all->status, RUN_EXIT_UNKNOWN);
    return cell;
}

static bool is_directed(const struct comparison *all)
{
    return !all->options->settings.decide;
}

static void hold(struct comparison *all, const struct lit_program *program,
                 const struct outcome *first, const struct outcome *other, uint32_t column,
                 struct report_compare_held *held)
{
    cli_contrast_hold(&all->arena, program, first, other, held);
    if (contrast_class_of(&held->contrast) == CONTRAST_UNKNOWN)
        run_status_raise(&all->status, RUN_EXIT_UNKNOWN);
    contrast_add(&all->totals[column], &held->contrast);
}

static void ask_all(struct comparison *all, const struct lit_program *program,
                    struct report_compare_row *row, struct strbuf *dumps)
{
    struct report_compare_cell *cells =
        ARENA_ARRAY(&all->arena, struct report_compare_cell, all->pairs.count);
    struct report_compare_held *held =
        ARENA_ARRAY(&all->arena, struct report_compare_held, all->pairs.count);
    struct outcome first, other;
    cells[0] = ask_pair(all, all->pairs.items[0], program, &first, dumps);
    for (uint32_t i = 1; i < all->pairs.count; i++) {
        cells[i] = ask_pair(all, all->pairs.items[i], program, &other, dumps);
        if (is_directed(all))
            hold(all, program, &first, &other, i, &held[i]);
        outcome_fini(&other);
    }
    outcome_fini(&first);
    row->cells = cells;
    row->held = held;
}

/* Its name is not known. */
static void add_unread(struct comparison *all, const char *path)
{
    struct strbuf name = {0};
    utf8_add_name(&name, path);
    struct report_compare_cell *cells =
        ARENA_ARRAY(&all->arena, struct report_compare_cell, all->pairs.count);
    for (uint32_t i = 0; i < all->pairs.count; i++)
        cells[i] = (struct report_compare_cell){lit_verdict_text(LIT_ERROR), LIT_ERROR, "", true};
    struct report_compare_row row = {
        .name = strbuf_take(&name, &all->arena),
        .cells = cells,
        .held = ARENA_ARRAY(&all->arena, struct report_compare_held, all->pairs.count),
        .without_meaning = "",
        .unread = true};
    row.path = row.name;
    VEC_PUSH(&all->rows, row);
    all->unread++;
    run_status_raise(&all->status, RUN_EXIT_INPUT);
}

/* "sc + none: clwb, sfence; sc + gpm: clwb" */
static const char *without_meaning(struct comparison *all, const struct lit_program *program)
{
    struct strbuf text = {0}, names = {0};
    for (uint32_t i = 0; i < all->pairs.count; i++) {
        const struct report_test test = {.program = program, .model = all->pairs.items[i]->model};
        strbuf_clear(&names);
        report_without_meaning(&test, &names);
        if (names.length)
            strbuf_printf(&text, "%s%s: %s", text.length ? "; " : "", all->pairs.names[i],
                          strbuf_text(&names));
    }
    strbuf_fini(&names);
    return strbuf_take(&text, &all->arena);
}

static void add_test_row(struct comparison *all, const char *path, struct strbuf *dumps)
{
    SCOPED(session_test) test;
    SCOPED(strbuf) said = {0};
    struct session_settings settings = cli_as_written(&all->options->settings);
    const char *name = session_test_shown(&all->arena, &settings, path);
    session_test_load(&test, &settings, path);
    if (!session_refine(&test, &all->options->settings, all->pairs.models, all->parts) &&
        test.model_faults)
        strbuf_add(all->err, test.model_faults);
    if (test.sources_disagree)
        run_status_raise(&all->status, RUN_EXIT_DISAGREE);
    (void)(test.program &&
           ANY(i, all->pairs.count,
               session_ask_hosts_under(test.program, all->pairs.items[i]->model, &test.diag)));
    diag_render(&test.diag, &said);
    if (!settings.stream || !strstr(strbuf_text(all->err), strbuf_text(&said)))
        strbuf_add(all->err, strbuf_text(&said));
    if (test.program) {
        struct strbuf shown = {0};
        utf8_add_name(&shown, name);
        struct report_compare_row row = {.name = arena_strdup(&all->arena, test.program->name),
                                         .path = strbuf_take(&shown, &all->arena)};
        ask_all(all, test.program, &row, dumps);
        row.without_meaning = without_meaning(all, test.program);
        all->lacking += *row.without_meaning != '\0';
        VEC_PUSH(&all->rows, row);
        all->bare += test.program->condition_count == 0;
    } else {
        add_unread(all, name);
    }
}

static void print(struct comparison *all, const struct strbuf *dumps, struct strbuf *out)
{
    const struct report_compare report = {.names = all->pairs.names,
                                          .titles = all->pairs.titles,
                                          .pair_count = all->pairs.count,
                                          .engine = all->options->settings.engine,
                                          .rows = all->rows.items,
                                          .row_count = all->rows.count,
                                          .totals = all->totals,
                                          .directed = is_directed(all),
                                          .unread = all->unread,
                                          .bare = all->bare,
                                          .lacking = all->lacking};
    cli_pairs_tell_apart(all->pairs.names, all->pairs.titles, all->pairs.count);
    cli_written_pack(all->options, &report_compare, &report, dumps, out);
}

static enum run_status compare(const void *context, struct session_parts parts, struct strbuf *out,
                               struct strbuf *err)
{
    const struct ask_options *options = context;
    const struct run_arguments tests = {
        options->inputs, options->input_count,         options->shard,
        options->shards, options->settings.memory_mib, ask_options_choice(options)};
    struct comparison all = {.options = options, .err = err, .parts = parts};
    all.pairs = (struct cli_pairs){.settings = &options->settings,
                                   .visibility = "hrf-direct",
                                   .persistency = "epoch",
                                   .where = "--models names",
                                   .arena = &all.arena,
                                   .models = session_models_new()};
    struct run_inputs inputs =
        run_inputs_find(&all.arena, &tests, &options->settings.reach, &all.diag);
    choose_others(&all, &inputs);
    add_pairs(&all);
    if (all.diag.errors == 0 && all.status == RUN_EXIT_OK) {
        SCOPED(strbuf) dumps = {0};
        for (size_t i = 0; i < inputs.count; i++)
            add_test_row(&all, inputs.paths[i], &dumps);
        print(&all, &dumps, out);
    }
    diag_render(&all.diag, err);
    if (all.diag.errors)
        run_status_raise(&all.status, RUN_EXIT_INPUT);
    VEC_FREE(&all.rows);
    diag_fini(&all.diag);
    session_models_free(all.pairs.models);
    arena_fini(&all.arena);
    return all.status;
}

static int run(const struct ask_options *options, const struct session_settings *settings,
               struct strbuf *out, struct strbuf *err)
{
    return run_single_run(settings, compare, options, out, err);
}

int cli_compare_run(const struct ask_options *options, struct run_output *standard)
{
    return cli_written_run(options, &options->settings, run, standard);
}
