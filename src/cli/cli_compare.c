#include "cli/cli_commands.h"

#include "base/utf8.h"
#include "run/run_inputs.h"
#include "ask/ask_show.h"
#include "session/session_ask.h"
#include "session/session_refine.h"
#include "report/report.h"

#include <string.h>

enum { MAX_PAIRS = 64 };

struct cell {
    const char *text;
    enum lit_verdict verdict;
    const char *states; /* how many, in digits */
    bool whole;         /* all states are listed */
};

struct row {
    const char *name;
    struct cell cells[MAX_PAIRS];
    const char *without_meaning; /* by pairs; "" when all has one everywhere */
};

struct comparison {
    const struct ask_options *options;
    struct arena arena;
    struct session_models *models;
    const struct session_model *pairs[MAX_PAIRS];
    const char *names[MAX_PAIRS];
    uint32_t pair_count;
    VEC(struct row) rows;
    size_t unread;  /* of them: files */
    size_t bare;    /* of them: tests without conditions */
    size_t lacking; /* of them: some pair gives something no meaning */
    struct diag diag;
    struct strbuf *err;
    struct session_parts parts;
    enum run_status status;
};

static const struct session_settings as_written = {.property = SESSION_CONDITION};

static bool is_builtin(struct arena *arena, const char *folder, const char *name)
{
    const char *path = arena_printf(arena, "%s/%s.cat", folder, name);
    for (size_t i = 0; i < cat_builtin_count; i++)
        if (strcmp(cat_builtins[i].path, path) == 0)
            return true;
    return false;
}

/* Loaded models are shared, so one pair is one model. */
static bool is_named(const struct comparison *all, const struct session_model *pair)
{
    for (uint32_t i = 0; i < all->pair_count; i++)
        if (all->pairs[i] == pair)
            return true;
    return false;
}

/* One name is a persistency model when a built-in of that kind is called so, else it is a
 * visibility model. */
static void add_pair(struct comparison *all, const char *text)
{
    const char *plus = strchr(text, '+');
    const struct session_settings *settings = &all->options->settings;
    struct session_pair named = session_pair_or(settings, "hrf-direct", "epoch");
    if (plus) {
        named.visibility = arena_strndup(&all->arena, text, (size_t)(plus - text));
        named.persistency = plus + 1;
    } else if (is_builtin(&all->arena, "persistency", text)) {
        named.persistency = text;
    } else {
        named.visibility = text;
    }
    struct strbuf name = {0};
    const struct cat_asker user = session_models_user(settings);
    const struct session_model *pair =
        session_models_get(all->models, &user, named.visibility, named.persistency);
    if (all->pair_count == MAX_PAIRS) {
        diag_error(&all->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--models names more than %d model pairs: compare them in parts",
                   (int)MAX_PAIRS);
        return;
    }
    if (!pair->model) {
        strbuf_add(all->err, pair->faults);
        run_status_raise(&all->status, RUN_EXIT_INPUT);
        return;
    }
    report_pair(named.visibility, named.persistency, &name);
    if (is_named(all, pair))
        diag_error(&all->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--models names %s twice; two columns would say the same", strbuf_text(&name));
    all->names[all->pair_count] = strbuf_take(&name, &all->arena);
    all->pairs[all->pair_count++] = pair;
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
            add_pair(all, arena_strndup(&all->arena, at, length));
        else
            refuse_gap(all, at);
        more = at[length] == ',';
        at += length + more;
    }
    if (all->pair_count < 2 && all->status == RUN_EXIT_OK && all->diag.errors == 0)
        diag_error(&all->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--models wants two model pairs or more, separated by commas, found '%s'",
                   all->options->models);
}

static struct cell ask(struct comparison *all, const struct session_model *pair,
                       const struct lit_program *program, struct strbuf *dumps)
{
    struct outcome outcome;
    const struct session_settings *settings = &all->options->settings;
    const struct session_case question = session_case_begin(settings, pair, program, all->parts);
    ask_show_run(all->options, &question, &outcome, dumps);
    struct strbuf digits = {0};
    outcome_state_count_text(&outcome.crash, &digits);
    struct cell cell = {.verdict = outcome_verdict(&outcome, program),
                        .states = arena_strdup(&all->arena, strbuf_text(&digits)),
                        .whole = !outcome.decided && outcome_doubt(&outcome) == NULL};
    strbuf_fini(&digits);
    cell.text = outcome.decided
                    ? lit_verdict_text(cell.verdict)
                    : arena_printf(&all->arena, "%s %s%s", lit_verdict_text(cell.verdict),
                                   cell.states, cell.whole ? "" : "+");
    if (cell.verdict == LIT_UNKNOWN)
        run_status_raise(&all->status, RUN_EXIT_UNKNOWN);
    outcome_fini(&outcome);
    return cell;
}

/* Its name is not known. */
static void add_unread(struct comparison *all, const char *path)
{
    struct strbuf name = {0};
    utf8_add_name(&name, path);
    struct row row = {.name = strbuf_take(&name, &all->arena), .without_meaning = ""};
    for (uint32_t i = 0; i < all->pair_count; i++)
        row.cells[i] = (struct cell){lit_verdict_text(LIT_ERROR), LIT_ERROR, "", true};
    VEC_PUSH(&all->rows, row);
    all->unread++;
    run_status_raise(&all->status, RUN_EXIT_INPUT);
}

/* "sc + none: clwb, sfence; sc + gpm: clwb" */
static const char *without_meaning(struct comparison *all, const struct lit_program *program)
{
    struct strbuf text = {0}, names = {0};
    for (uint32_t i = 0; i < all->pair_count; i++) {
        const struct report_test test = {.program = program, .model = all->pairs[i]->model};
        strbuf_clear(&names);
        report_without_meaning(&test, &names);
        if (names.length)
            strbuf_printf(&text, "%s%s: %s", text.length ? "; " : "", all->names[i],
                          strbuf_text(&names));
    }
    strbuf_fini(&names);
    return strbuf_take(&text, &all->arena);
}

static void add_row(struct comparison *all, const char *path, struct strbuf *dumps)
{
    struct session_test test;
    session_test_load(&test, &as_written, path);
    if (!session_refine(&test, &all->options->settings, all->models, all->parts) &&
        test.model_faults)
        strbuf_add(all->err, test.model_faults);
    if (test.sources_disagree)
        run_status_raise(&all->status, RUN_EXIT_DISAGREE);
    diag_render(&test.diag, all->err);
    if (test.program) {
        struct row row = {.name = arena_strdup(&all->arena, test.program->name)};
        for (uint32_t i = 0; i < all->pair_count; i++)
            row.cells[i] = ask(all, all->pairs[i], test.program, dumps);
        row.without_meaning = without_meaning(all, test.program);
        all->lacking += *row.without_meaning != '\0';
        VEC_PUSH(&all->rows, row);
        all->bare += test.program->condition_count == 0;
    } else {
        add_unread(all, path);
    }
    session_test_fini(&test);
}

/* What was cut off at a limit, or decided without a listing, has no number of states to compare. */
static bool differs(const struct row *row, uint32_t column)
{
    const struct cell *cell = &row->cells[column], *first = &row->cells[0];
    return cell->verdict != first->verdict ||
           (cell->whole && first->whole && strcmp(cell->states, first->states) != 0);
}

static size_t widest(const struct comparison *all)
{
    size_t width = strlen("test");
    for (size_t i = 0; i < all->rows.count; i++)
        if (strlen(all->rows.items[i].name) > width)
            width = strlen(all->rows.items[i].name);
    return width;
}

/* Columns are as wide as the pair's name, and as the longest cell: "*undefined 12345"; the last one
 * where there is more behind it. */
static int column_width(const struct comparison *all, uint32_t column, bool more)
{
    size_t width = strlen(all->names[column]);
    if (column + 1 == all->pair_count && !more)
        return 0;
    return width > 16 ? (int)width : 16;
}

/* Whether any cell differs from the first. */
static bool print_row(const struct comparison *all, const struct row *row, int name_width,
                      struct strbuf *out)
{
    bool any = false;
    strbuf_printf(out, "%-*s", name_width, row->name);
    for (uint32_t i = 0; i < all->pair_count; i++) {
        bool other = differs(row, i);
        int width = column_width(all, i, *row->without_meaning);
        strbuf_printf(out, "  %c%-*s", other ? '*' : ' ', width ? width - 1 : 0,
                      row->cells[i].text);
        any |= other;
    }
    if (*row->without_meaning)
        strbuf_printf(out, "  %s", row->without_meaning);
    strbuf_add_char(out, '\n');
    return any;
}

static void print(const struct comparison *all, struct strbuf *out)
{
    int name_width = (int)widest(all);
    size_t differ = 0;
    strbuf_printf(out, "%-*s", name_width, "test");
    for (uint32_t i = 0; i < all->pair_count; i++)
        strbuf_printf(out, "  %-*s", column_width(all, i, all->lacking), all->names[i]);
    strbuf_printf(out, "%s\n", all->lacking ? "  without meaning" : "");
    for (size_t k = 0; k < all->rows.count; k++)
        differ += print_row(all, &all->rows.items[k], name_width, out);
    strbuf_printf(out, "Summary: %zu tests, %zu differ", all->rows.count - all->unread, differ);
    if (all->unread)
        strbuf_printf(out, ", %zu could not be read", all->unread);
    if (all->bare)
        strbuf_printf(out, ", %zu without conditions", all->bare);
    strbuf_add_char(out, '\n');
}

enum run_status cli_compare(const void *context, struct session_parts parts, struct strbuf *out,
                            struct strbuf *err)
{
    const struct ask_options *options = context;
    const struct run_arguments tests = {options->inputs, options->input_count, options->shard,
                                        options->shards};
    struct comparison all = {
        .options = options, .err = err, .parts = parts, .models = session_models_new()};
    arena_init(&all.arena);
    diag_init(&all.diag);
    add_pairs(&all);
    struct run_inputs inputs =
        run_inputs_find(&all.arena, &tests, &options->settings.reach, &all.diag);
    if (all.diag.errors == 0 && all.status == RUN_EXIT_OK) {
        for (size_t i = 0; i < inputs.count; i++)
            add_row(&all, inputs.paths[i], out);
        print(&all, out);
    }
    diag_render(&all.diag, err);
    if (all.diag.errors)
        run_status_raise(&all.status, RUN_EXIT_INPUT);
    VEC_FREE(&all.rows);
    diag_fini(&all.diag);
    session_models_free(all.models);
    arena_fini(&all.arena);
    return all.status;
}
