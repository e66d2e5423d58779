#include "cli/cli_place.h"

#include "ask/ask_wide.h"
#include "base/utf8.h"
#include "cli/cli_place_read.h"
#include "cli/cli_place_tell.h"
#include "cli/cli_written.h"
#include "sketch/sites.h"
#include "place/place_tells.h"
#include "run/run_single.h"
#include "session/session_engines.h"

#include <unistd.h>

enum { USUAL_SECONDS = 60 };

/* ---- One model pair ---- */

static void raise_status(struct cli_place_asking *a, const struct placement *placement)
{
    if (!placement->count && placement->complete && !placement->open_count)
        run_status_raise(&a->status, RUN_EXIT_DIFFERS);
    if (!placement->complete || placement->open_count)
        run_status_raise(&a->status, RUN_EXIT_UNKNOWN);
    if (placement_disputed_by(placement))
        run_status_raise(&a->status, RUN_EXIT_DISAGREE);
}

/* Nothing is narrowed of a test that does not hold as it stands: what is below it would do by
 * chance alone. Where nothing is asked whatever one writes does, but for what is undefined. */
static bool is_to_be_answered(struct cli_place_asking *a, const struct place_question *question,
                              struct place_tried *tried)
{
    const struct sketch_filling least = cli_place_filling(a);
    if (ask_wide_is_judged(question) && !a->options->narrow)
        return true;
    *tried = ask_wide_try(&a->arena, question, &least);
    return tried->answer == (a->options->narrow ? PLACE_ACCEPTED : PLACE_REFUSED);
}

/* Of each pair. */
static double seconds_of(const struct ask_options *options)
{
    return options->total_seconds > 0 ? options->total_seconds : USUAL_SECONDS;
}

/* For the next pair: its own time, and of all pairs so far no more than theirs. */
static double seconds_left(struct cli_place_asking *a)
{
    static const double none = 1e-9; /* 0 would be no limit */
    double own = seconds_of(a->options);
    double left = own * ++a->pairs - clock_seconds_since(a->start);
    return left > own ? own : left > none ? left : none;
}

/* With several statements at each point, of those that the model speaks of; NULL: that offers no
 * more. */
static const struct sketch *find_several(struct cli_place_asking *a,
                                         const struct place_question *question)
{
    struct sites_wish wish = {.aim = SITES_REPAIR,
                              .surroundings = a->surroundings,
                              .kinds = a->options->kinds,
                              .persists = a->persists,
                              .several = true};
    wish.rows = place_told(&a->arena, question, &wish.row_count);
    const struct sketch *sketch =
        wish.row_count < 2
            ? NULL
            : sites_sketch(&a->arena, a->names, a->files, a->options->input_count, &wish, &a->diag);
    return sketch && sites_has_several(sketch) ? sketch : NULL;
}

/* With two stores of a work-item in each other's place; NULL: there are none that may change it. */
static const struct sketch *find_swaps(struct cli_place_asking *a)
{
    const struct sites_wish wish = {.aim = SITES_REPAIR,
                                    .surroundings = a->surroundings,
                                    .persists = a->persists,
                                    .swaps = true};
    const struct sketch *sketch =
        a->options->kinds
            ? NULL
            : sites_sketch(&a->arena, a->names, a->files, a->options->input_count, &wish, &a->diag);
    return sketch && sites_has_swaps(sketch) ? sketch : NULL;
}

/* Where none will do, in the time that is left; NULL: there is no such question. */
static enum report_place_further ask_further(struct cli_place_asking *a,
                                             const struct sketch *sketch,
                                             const struct clock_limit *clock,
                                             struct place_question *question,
                                             struct placement *placement, const char **limit)
{
    struct placement found;
    struct place_question further = *question;
    if (!sketch)
        return REPORT_PLACE_ONE;
    further.sketch = sketch;
    further.no_clashes = true;
    further.seconds = clock_seconds_left(clock);
    if (further.seconds < 0) /* 0 would be no limit */
        further.seconds = 1e-9;
    place_answer(&a->arena, &further, &found);
    if (found.count) {
        *question = further;
        *placement = found;
        return REPORT_PLACE_FURTHER;
    }
    if (found.complete && !found.open_count)
        return REPORT_PLACE_NEITHER;
    *limit = found.complete ? NULL : found.limit;
    run_status_raise(&a->status, RUN_EXIT_UNKNOWN);
    return REPORT_PLACE_OPEN;
}

static bool none_will_do(const struct placement *placement)
{
    return !placement->count && placement->complete && !placement->open_count;
}

/* Several statements at a point first, then two stores in each other's place. */
static void ask_for_more(struct cli_place_asking *a, const struct clock_limit *clock,
                         struct place_question *question, struct report_place *report,
                         struct placement *placement)
{
    if (!a->options->repair || !none_will_do(placement))
        return;
    report->several = ask_further(a, find_several(a, question), clock, question, placement,
                                  &report->several_limit);
    if (none_will_do(placement))
        report->swaps =
            ask_further(a, find_swaps(a), clock, question, placement, &report->swaps_limit);
}

/* What a repair has to remove besides is said before it is looked for, if it is soon known. */
static void tell_undefined(struct cli_place_asking *a, const struct session_model *model)
{
    enum { SECONDS = 5 };
    const struct sketch_filling filling = cli_place_filling(a);
    const struct place_question question = {.sketch = a->sketch,
                                            .settings = &a->settings,
                                            .model = model,
                                            .parts = a->parts,
                                            .settled = a->settled,
                                            .seconds = SECONDS};
    const struct place_tried tried = ask_wide_try(&a->arena, &question, &filling);
    if (tried.answer != PLACE_REFUSED || tried.reason.kind != PLACEMENT_UNDEFINED)
        return;
    utf8_add_name(a->undefined, a->files[tried.reason.file]->name);
    strbuf_add(a->undefined, ": undefined as it stands under ");
    report_pair(model->model->visibility, model->model->persistency, a->undefined);
    strbuf_printf(a->undefined, ": %s. Looked for are changes that remove this as well%s\n",
                  tried.reason.words,
                  tried.reason.race
                      ? "; a plain access stays plain: docs/using/what-now.md says what to write"
                      : "");
}

static void answer(struct cli_place_asking *a, const struct session_model *model)
{
    struct placement placement = {.sketch = a->sketch};
    struct place_tried tried;
    struct place_question question = {
        .sketch = a->sketch,
        .settings = &a->settings,
        .model = model,
        .parts = a->parts,
        .settled = a->settled,
        .seconds = seconds_left(a),
        .out_of_time = arena_printf(&a->arena,
                                    "the time of the whole question, %g s, ran out (--total "
                                    "SECONDS gives it more)",
                                    seconds_of(a->options))};
    struct report_place report = {.titles = a->titles,
                                  .visibility = model->model->visibility,
                                  .persistency = model->model->persistency,
                                  .placement = &placement};
    const struct clock_limit clock = clock_limit_in(question.seconds);
    if (!is_to_be_answered(a, &question, &tried)) {
        report.as_it_is = &tried.reason;
        cli_place_tell(a, &question, clock, &report);
        run_status_raise(&a->status,
                         tried.answer == PLACE_REFUSED ? RUN_EXIT_DIFFERS : RUN_EXIT_UNKNOWN);
        return;
    }
    place_answer(&a->arena, &question, &placement);
    ask_for_more(a, &clock, &question, &report, &placement);
    if (a->options->narrow || a->options->repair)
        place_order(&a->weights, &a->arena, &placement, a->options->repair);
    cli_place_choose_shown(a, &report);
    cli_place_tell(a, &question, clock, &report);
    raise_status(a, &placement);
}

/* Is the pair one whose answer is of use? Where something is to be repaired those under which the
 * test is not expected to hold, else those under which it is. */
static bool is_wanted(const struct cli_place_asking *a, const struct session_pair *pair)
{
    const struct lit_expect *expect = session_ask_expectation(
        a->settled[0], pair->visibility, pair->persistency, a->settings.engine);
    return !pair->asked_at || (session_ask_expected(expect) == LIT_OK) == !a->options->repair;
}

static void count_wanted(void *context, const struct session_pair *pair)
{
    struct cli_place_asking *a = context;
    a->wanted += is_wanted(a, pair);
}

/* All pairs where none is wanted more than another. */
static void answer_pair(void *context, const struct session_pair *pair)
{
    struct cli_place_asking *a = context;
    if (a->wanted && !is_wanted(a, pair))
        return;
    const struct session_model *model = cli_place_model(a, pair);
    const struct lit_program **read = a->settled;
    strbuf_add(a->err, model->faults);
    if (model->model)
        a->settled = cli_place_settle(a, pair, model);
    if (model->model && a->undefined)
        tell_undefined(a, model);
    else if (model->model)
        answer(a, model);
    else
        run_status_raise(&a->status, RUN_EXIT_INPUT);
    a->settled = read;
}

/* ---- In the worker ---- */

static void warn_of_hosts(struct cli_place_asking *a)
{
    SCOPED(diag) warnings = {0};
    for (uint32_t f = 0; f < a->sketch->given_count; f++)
        if (a->settled[f])
            session_ask_hosts(&a->settings, a->models, a->settled[f], a->surroundings[f].folder,
                              &warnings);
    diag_render(&warnings, a->err);
}

static void ask(struct cli_place_asking *a)
{
    if (cli_place_read(a)) {
        warn_of_hosts(a);
        session_ask_each_pair(&a->settings, a->settled[0], count_wanted, a);
        session_ask_each_pair(&a->settings, a->settled[0], answer_pair, a);
    }
    cli_place_end_tests(a);
}

struct placing {
    const struct ask_options *options;
    struct timespec start;
    bool undefined; /* what a test is undefined by is all that is asked */
};

static enum run_status work(const void *context, struct session_parts parts, struct strbuf *out,
                            struct strbuf *err)
{
    const struct placing *placing = context;
    const struct ask_options *options = placing->options;
    struct strbuf faults = {0};
    struct cli_place_asking a = {.options = options,
                                 .start = &placing->start,
                                 .settings = options->settings,
                                 .parts = parts,
                                 .names = intern_new(),
                                 .models = session_models_new(),
                                 .undefined = placing->undefined ? out : NULL,
                                 .err = placing->undefined ? &faults : err};
    arena_init(&a.arena);
    diag_init(&a.diag);
    a.written = (struct cli_place_written){.arena = &a.arena, .options = options};
    cli_place_begin_documents(&a);
    ask(&a);
    diag_render(&a.diag, a.err);
    if (a.diag.errors)
        run_status_raise(&a.status, RUN_EXIT_INPUT);
    struct strbuf unsaid = {0}, *said = placing->undefined ? &unsaid : out;
    cli_place_end_documents(&a, said);
    cli_place_pack(&a.written, said);
    strbuf_fini(&unsaid);
    strbuf_fini(&faults);
    diag_fini(&a.diag);
    session_models_free(a.models);
    intern_free(a.names);
    arena_fini(&a.arena);
    return a.status;
}

/* ---- In this process: what was found is printed and written ---- */

static void say_undefined(const struct ask_options *options)
{
    const struct placing placing = {options, clock_now_monotonic(), true};
    struct strbuf out = {0}, err = {0};
    (void)run_single_run(&options->settings, work, &placing, &out, &err);
    run_output_say_lines(strbuf_text(&out));
    strbuf_fini(&out);
    strbuf_fini(&err);
}

/* To who waits: most of the time goes into what else there is. */
static void say_time(const struct ask_options *options)
{
    if (options->repair && options->total_seconds == 0 && isatty(STDERR_FILENO) == 1)
        run_output_remark(
            "all smallest changes are looked for, for at most %d s of each model pair "
            "(--total SECONDS says otherwise); crashlit explain tells one sooner",
            USUAL_SECONDS);
}

int cli_place_run(const struct ask_options *options, struct run_output *standard)
{
    struct strbuf out = {0}, err = {0}, text = {0};
    struct diag diag;
    diag_init(&diag);
    /* Every engine is asked to confirm: a worker that came to the solver later would begin anew. */
    struct session_settings settings = options->settings;
    settings.engine = SESSION_ALL_ENGINES;
    if (settings.timeout_seconds == 0) /* no part of the question takes longer than all of it */
        settings.timeout_seconds = seconds_of(options);
    const struct placing placing = {options, clock_now_monotonic(), false};
    say_time(options);
    if (options->repair)
        say_undefined(options);
    int status = run_single_run(&settings, work, &placing, &out, &err);
    if (out.length) {
        struct unpack from = unpack_start(strbuf_text(&out), out.length);
        unpack_text(&from, &text);
        run_output_add_lines(standard, &text);
        cli_place_write(options, &from, &diag);
    }
    run_output_say(strbuf_text(&err));
    strbuf_fini(&text);
    strbuf_fini(&out);
    strbuf_fini(&err);
    return cli_written_end(&diag, status);
}
