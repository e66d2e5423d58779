/* Asks the tests, then all programs up to the bound, and tells what both say of a change of a
 * model. */
#include "cli/cli_review.h"

#include "base/utf8.h"
#include "cli/cli_commands.h"
#include "cli/cli_distinguish.h"
#include "cli/cli_written.h"
#include "run/run_pool.h"
#include "run/run_progress.h"
#include "session/session_solver.h"

#include <stdlib.h>
#include <string.h>

/* ---- The models ---- */

static bool is_pair(const struct cli_review *r, struct diag *diag)
{
    for (int side = 0; side < 2; side++) {
        if (!strchr(r->names[side], '+'))
            continue;
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "found '%s', expected one model; -m or -p say what it goes with",
                   r->names[side]);
        return true;
    }
    return false;
}

static bool persists(const struct cli_survey *asked, int side, const char *name)
{
    return strcmp(asked->pairs.items[side]->persistency, name) == 0;
}

/* Both are of one half, which nothing else is named for. */
static void check_halves(struct cli_survey *asked, struct cli_review *r)
{
    const struct session_settings *given = &r->options->settings;
    r->persists = persists(asked, 0, r->names[0]);
    if (persists(asked, 1, r->names[1]) != r->persists)
        diag_error(&asked->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "'%s' is a %s model and '%s' a %s model; expected two of one kind", r->names[0],
                   r->persists ? "persistency" : "visibility", r->names[1],
                   r->persists ? "visibility" : "persistency");
    else if (r->persists ? given->persistency != NULL : given->model != NULL)
        diag_error(&asked->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "'%s' is a %s model, so %s has no place beside it", r->names[0],
                   r->persists ? "persistency" : "visibility", r->persists ? "-p" : "-m");
}

static void name_models(struct cli_survey *asked)
{
    struct cli_review *r = asked->context;
    asked->pairs.may_repeat = true;
    if (is_pair(r, &asked->diag))
        return;
    for (int side = 0; side < 2; side++)
        cli_pairs_add(&asked->pairs, r->names[side], &asked->diag, asked->err, &asked->status);
    if (asked->pairs.count == 2)
        check_halves(asked, r);
}

/* ---- The tests ---- */

static enum run_status find_half(const void *context, struct session_parts parts,
                                 struct strbuf *out, struct strbuf *err)
{
    struct cli_review *r = (struct cli_review *)context;
    struct cli_survey asked = {
        .options = r->options, .settings = r->settings, .parts = parts, .err = err, .context = r};
    asked.pairs = (struct cli_pairs){.settings = &asked.settings,
                                     .visibility = "sc",
                                     .persistency = "none",
                                     .where = "the command line names",
                                     .arena = &asked.arena,
                                     .models = session_models_new()};
    name_models(&asked);
    diag_render(&asked.diag, err);
    if (asked.diag.errors)
        run_status_raise(&asked.status, RUN_EXIT_INPUT);
    pack_number(out, r->persists);
    session_models_free(asked.pairs.models);
    diag_fini(&asked.diag);
    arena_fini(&asked.arena);
    return asked.status;
}

struct testing {
    struct cli_review *r;
    struct run_progress progress;
    bool *answered; /* per test */
};

static void work(void *context, size_t task, struct strbuf *answer, struct run_worker *worker)
{
    struct testing *t = context;
    SCOPED(strbuf) out = {0}, err = {0};
    const struct session_settings usual = t->r->settings;
    run_limits_apply(&t->r->limits, t->r->inputs.paths[task], &t->r->settings);
    cli_review_ask(t->r, task, run_worker_parts(worker), &out, &err);
    t->r->settings = usual;
    pack_bytes(answer, strbuf_text(&err), err.length);
    strbuf_add_bytes(answer, strbuf_text(&out), out.length);
}

static const char *shown(struct cli_review *r, const char *name)
{
    struct strbuf text = {0};
    utf8_add_name(&text, name);
    return strbuf_take(&text, &r->arena);
}

static void lose(struct cli_review *r, size_t task, const char *why)
{
    const char *path = session_test_shown(&r->arena, &r->settings, r->inputs.paths[task]);
    VEC_PUSH(&r->lost, arena_printf(&r->arena, "%s: %s", shown(r, path), why));
}

static void take(void *context, size_t task, const struct run_pool_answer *answer)
{
    struct testing *t = context;
    struct cli_review *r = t->r;
    SCOPED(strbuf) said = {0};
    t->answered[task] = true;
    run_progress_wipe(&t->progress);
    run_output_say(answer->errors);
    if (answer->end != RUN_POOL_ANSWERED) {
        lose(r, task, answer->reason);
        if (answer->end == RUN_POOL_DIED)
            run_status_raise(&r->status, RUN_EXIT_INTERNAL);
        return;
    }
    struct unpack from = unpack_start(answer->bytes, answer->length);
    unpack_text(&from, &said);
    run_output_say(strbuf_text(&said));
    enum cli_review_end end = (enum cli_review_end)unpack_number(&from);
    size_t rows = unpack_number(&from);
    unpack_text(&from, &r->rows);
    BASE_CHECK(unpack_whole(&from));
    r->row_count += rows;
    r->asked += rows > 0;
    r->silent += !rows && end != CLI_REVIEW_UNREAD;
    r->unread += end == CLI_REVIEW_UNREAD;
    if (end != CLI_REVIEW_ASKED)
        run_status_raise(&r->status, end == CLI_REVIEW_UNREAD ? RUN_EXIT_INPUT : RUN_EXIT_DISAGREE);
}

static void watch(void *context, size_t done)
{
    struct testing *t = context;
    run_progress_tell(&t->progress, done);
}

/* What an interrupt left unanswered is told with the rest. */
static void ask_tests(struct cli_review *r)
{
    struct session_settings widest = r->settings;
    struct testing testing = {.r = r,
                              .answered = ARENA_ARRAY(&r->arena, bool, r->inputs.count + 1)};
    run_limits_widen(&r->limits, &widest);
    const struct run_pool pool = {.workers = r->options->jobs,
                                  .part_seconds = run_part_seconds(&widest),
                                  .memory_mib = widest.memory_mib,
                                  .solver = session_solver_is_asked(widest.engine),
                                  .work = work,
                                  .take = take,
                                  .watch = watch,
                                  .context = &testing};
    run_progress_init(&testing.progress, r->inputs.count, "tests");
    (void)run_pool_run(&pool, r->inputs.count);
    run_progress_wipe(&testing.progress);
    for (size_t i = 0; i < r->inputs.count; i++)
        if (!testing.answered[i])
            lose(r, i, "the run was interrupted");
}

static void find_tests(struct cli_review *r, struct diag *diag)
{
    const struct ask_options *options = r->options;
    const struct run_arguments tests = {.items = options->inputs + 2,
                                        .count = options->input_count - 2,
                                        .memory_mib = options->settings.memory_mib,
                                        .choice = ask_options_choice(options)};
    r->inputs = run_inputs_find(&r->arena, &tests, &r->settings.reach, diag);
    run_limits_warn(&r->limits, &r->inputs.named, diag);
    if (diag->errors)
        run_status_raise(&r->status, RUN_EXIT_INPUT);
}

/* What is given beside the models is their other half. */
static void complete_pair(struct cli_review *r)
{
    if (r->persists && r->settings.model)
        r->settings.persistency = r->names[0];
    if (!r->persists && r->settings.persistency)
        r->settings.model = r->names[0];
}

static bool ask_something(struct cli_review *r, struct diag *diag)
{
    if (diag->errors == 0 && !r->row_count && !r->lost.count && !r->unread)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "no test asks anything of '%s' or '%s'; name what they go with, as in '%s'",
                   r->names[0], r->names[1], r->persists ? "-m sc" : "-p none");
    return r->row_count || r->lost.count;
}

static int before(void *context)
{
    struct cli_review *r = context;
    SCOPED(strbuf) out = {0}, err = {0};
    SCOPED(diag) diag = {0};
    int status = run_single_run(&r->settings, find_half, r, &out, &err);
    run_output_say(strbuf_text(&err));
    if (status != RUN_EXIT_OK)
        return status;
    struct unpack from = unpack_start(strbuf_text(&out), out.length);
    r->persists = unpack_number(&from);
    complete_pair(r);
    const char *limits = r->options->limits;
    const bool read = !limits || run_limits_read(&r->limits, limits, &diag);
    if (read) {
        find_tests(r, &diag);
        ask_tests(r);
    }
    if (!read || !ask_something(r, &diag))
        status = (int)RUN_EXIT_INPUT;
    run_output_tell(&diag);
    return status;
}

/* ---- In the last worker ---- */

struct telling {
    struct cli_review *r;
    struct report_review_row *rows;
    struct cli_review_drawn *drawn;
    size_t drawn_count;
};

/* What changed first, and the smallest of it. */
static int compare_rows(const void *left, const void *right)
{
    const struct report_review_row *a = left, *b = right;
    int fates = (int)report_review_fate(a) - (int)report_review_fate(b);
    int sizes = (a->size > b->size) - (a->size < b->size);
    int paths = strcmp(a->path, b->path);
    return fates ? fates : sizes ? sizes : paths ? paths : strcmp(a->beside, b->beside);
}

static bool wants(const struct ask_options *options, const char *format)
{
    return (options->shape && strcmp(options->shape, format) == 0) ||
           ANY(i, options->report_count,
               options->reports[i].path && strcmp(options->reports[i].name, format) == 0);
}

static void draw(struct telling *t, struct arena *arena, struct session_parts parts)
{
    struct cli_review *r = t->r;
    t->drawn = ARENA_ARRAY(arena, struct cli_review_drawn, REPORT_REVIEW_PICTURES);
    for (size_t i = 0; i < r->row_count && i < REPORT_REVIEW_PICTURES &&
                       report_review_fate(&t->rows[i]) == REPORT_REVIEW_VERDICT;
         i++)
        cli_review_draw(r, parts, &t->drawn[t->drawn_count++], &t->rows[i]);
}

static struct cat_differences differences_of(struct cli_survey *asked, const struct cli_review *r)
{
    const struct cat_asker user = session_models_user(&asked->settings);
    struct cat_sources sources[2];
    for (int side = 0; side < 2; side++)
        if (!cat_model_sources(&asked->arena, &user, r->persists ? "persistency" : "visibility",
                               r->names[side], &sources[side], &asked->diag))
            return (struct cat_differences){.count = 0};
    return cat_differ(&asked->arena, &asked->settings.variants, &sources[0], &sources[1]);
}

static void use(struct cli_survey *asked, const struct report_distinguish *smallest,
                struct strbuf *out)
{
    struct cli_review *r = asked->context;
    struct telling t = {.r = r};
    struct unpack from = unpack_start(strbuf_text(&r->rows), r->rows.length);
    struct report_review review = {.names = {shown(r, r->names[0]), shown(r, r->names[1])},
                                   .persists = r->persists,
                                   .differences = differences_of(asked, r),
                                   .row_count = r->row_count,
                                   .tests = r->asked,
                                   .silent = r->silent,
                                   .unread = r->unread,
                                   .lost = r->lost.items,
                                   .lost_count = r->lost.count,
                                   .smallest = smallest,
                                   .engine = asked->settings.engine};
    t.rows = ARENA_ARRAY(&asked->arena, struct report_review_row, r->row_count + 1);
    for (size_t i = 0; i < r->row_count; i++) {
        t.rows[i] = cli_review_take(&asked->arena, &from);
        contrast_add(&review.totals, &t.rows[i].held.contrast);
    }
    qsort(t.rows, r->row_count, sizeof *t.rows, compare_rows);
    review.rows = t.rows;
    if (wants(asked->options, "html"))
        draw(&t, &asked->arena, asked->parts);
    if (wants(asked->options, "md"))
        report_review_bound(&review);
    cli_written_pack(asked->options, &report_review, &review, NULL, out);
    pack_number(out, report_review_changed(&review));
    for (size_t i = 0; i < t.drawn_count; i++)
        cli_review_drawn_fini(&t.drawn[i]);
    if (r->models)
        session_models_free(r->models);
    r->models = NULL;
}

static void tell(struct cli_survey *asked, struct strbuf *out)
{
    cli_distinguish_tell(asked, use, out);
}

/* ---- The command ---- */

/* A part of the search that was lost leaves a change that was found. */
static int status_of(const struct cli_review *r, int status, struct unpack *from)
{
    static const enum run_status statuses[] = {RUN_EXIT_OK, RUN_EXIT_DIFFERS, RUN_EXIT_UNKNOWN};
    if (status > RUN_EXIT_BOTH)
        return status;
    enum run_status all = statuses[unpack_number(from) % 3];
    run_status_raise(&all, r->status);
    if (status != RUN_EXIT_UNKNOWN)
        run_status_raise(&all, (enum run_status)status);
    return (int)all;
}

int cli_review_run(const struct ask_options *options, struct run_output *standard)
{
    struct cli_review r = {.options = options,
                           .settings = options->settings,
                           .names = {options->inputs[0], options->inputs[1]}};
    const struct cli_survey_command command = {.name_models = name_models,
                                               .tell = tell,
                                               .confirms = true,
                                               .whole = true,
                                               .before = before,
                                               .context = &r};
    struct unpack from;
    SCOPED(strbuf) out = {0};
    int status = cli_survey_answer(options, &command, standard, &out, &from);
    if (out.length)
        status = status_of(&r, status, &from);
    VEC_FREE(&r.lost);
    strbuf_fini(&r.rows);
    run_limits_fini(&r.limits);
    arena_fini(&r.arena);
    return status;
}
