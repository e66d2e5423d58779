#include "cli/cli_place.h"

#include "ask/ask_wide.h"
#include "base/utf8.h"
#include "cli/cli_place_draw.h"
#include "cli/cli_place_write.h"
#include "cli/cli_written.h"
#include "engine/meaning.h"
#include "sketch/sites.h"
#include "place/place.h"
#include "place/place_tells.h"
#include "place/place_weigh.h"
#include "document/report_place.h"
#include "format/report_sink.h"
#include "run/run_single.h"
#include "session/session_ask.h"
#include "session/session_engines.h"
#include "session/session_filling.h"
#include "session/session_refine.h"

#include <string.h>

enum { SHOWN = 8, USUAL_SECONDS = 60 };

/* The question, whatever the models are; it lives in the worker. */
struct asking {
    const struct ask_options *options;
    const struct timespec *start;     /* of all, whatever was lost since */
    uint32_t pairs, told;             /* begun, answered */
    struct session_settings settings; /* with --uses and the reach of the options */
    struct session_parts parts;
    struct arena arena;
    struct diag diag;
    struct intern *names;
    struct session_models *models;
    const struct source **files;
    struct lit_surroundings *surroundings; /* of each */
    const struct sketch *sketch;
    struct session_test *tests; /* of each file given, filled somehow: names and expectations */
    const struct lit_program *
        *settled; /* of each, with the states of its sources; NULL: not read */
    struct place_weights weights;
    enum run_status status;
    struct report_document documents[1 + RUN_MAX_REPORTS]; /* printed, and for files */
    uint32_t document_count;
    struct strbuf *err;
    struct cli_place_written written;
    const char **titles; /* of the tests */
    uint32_t wanted;
    bool persists; /* some model asked knows persist barriers */
    struct strbuf
        *undefined; /* NULL, or all that is asked: what a test is undefined by as it stands */
};

/* ---- The sketch ---- */

static bool load_files(struct asking *a)
{
    const struct ask_options *options = a->options;
    const char *why = NULL;
    a->files = ARENA_ARRAY(&a->arena, const struct source *, options->input_count);
    a->surroundings = ARENA_ARRAY(&a->arena, struct lit_surroundings, options->input_count);
    for (uint32_t i = 0; i < options->input_count; i++) {
        const char *path = options->inputs[i];
        a->files[i] = source_load(&a->arena, path, &why);
        a->surroundings[i] =
            (struct lit_surroundings){.reach = &a->settings.reach,
                                      .folder = reach_folder(&a->arena, path),
                                      .uses = a->settings.uses,
                                      .uses_count = a->settings.uses_count,
                                      .models_named = a->settings.model || a->settings.persistency};
        if (!a->files[i])
            diag_error(&a->diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
    }
    return a->diag.errors == 0;
}

/* Where less, or more, is asked for nothing is left open: that is said as such. */
static bool is_without_holes(struct asking *a)
{
    const struct sketch_wish wish = {a->surroundings, NULL};
    struct diag ignored;
    diag_init(&ignored);
    const struct sketch *sketch =
        sketch_read(&a->arena, a->files, a->options->input_count, &wish, &ignored);
    bool has = sketch && sketch->choice_count;
    const char *option = a->options->narrow ? "narrow" : "repair";
    if (has)
        diag_error(&a->diag, DIAG_LIT_HOLE, sketch->choices[0].places[0].span,
                   "found a hole, where --%s expects a test that leaves nothing open: leave --%s "
                   "away to have it filled",
                   option, option);
    diag_fini(&ignored);
    return !has;
}

static const struct session_model *model_of(struct asking *a, const struct session_pair *pair)
{
    struct cat_asker asker = session_pair_asker(&a->settings, a->surroundings[0].folder, pair);
    return session_models_get(a->models, &asker, pair->visibility, pair->persistency);
}

static void find_persists(void *context, const struct session_pair *pair)
{
    struct asking *a = context;
    const struct session_model *model = model_of(a, pair);
    a->persists |= model->model && meaning_of_persist_barriers(model->model);
}

static const struct sketch *find_sites(struct asking *a)
{
    struct sites_wish wish = {.aim = a->options->repair ? SITES_REPAIR : SITES_NARROW,
                              .surroundings = a->surroundings,
                              .kinds = a->options->kinds};
    const uint32_t count = a->options->input_count;
    const struct sketch *sketch =
        sites_sketch(&a->arena, a->names, a->files, count, &wish, &a->diag);
    if (!sketch || !a->options->repair || a->options->kinds)
        return sketch;
    struct session_test test;
    const struct sketch_filling filling = sketch_as_it_is(sketch);
    if (session_filling_read(&test, &a->settings, sketch, &filling, 0) && test.program->offer_count)
        session_ask_each_pair(&a->settings, test.program, find_persists, a);
    session_test_fini(&test);
    wish.persists = a->persists;
    return wish.persists ? sites_sketch(&a->arena, a->names, a->files, count, &wish, &a->diag)
                         : sketch;
}

static bool read_sketch(struct asking *a)
{
    if (!load_files(a))
        return false;
    const struct sketch_wish wish = {a->surroundings, a->options->kinds};
    if (a->options->narrow || a->options->repair)
        a->sketch = is_without_holes(a) ? find_sites(a) : NULL;
    else
        a->sketch = sketch_read(&a->arena, a->files, a->options->input_count, &wish, &a->diag);
    return a->sketch;
}

static struct sketch_filling some_filling(const struct asking *a)
{
    return a->options->narrow || a->options->repair ? sketch_as_it_is(a->sketch)
                                                    : (struct sketch_filling){{0}};
}

/* A file of that filling, with the states of the sources that it names. False: one of these cannot
 * be had, which is told. */
static bool read_test(struct asking *a, const struct sketch_filling *filling, uint32_t f)
{
    struct session_test *test = &a->tests[f];
    bool read = session_filling_read(test, &a->settings, a->sketch, filling, f);
    a->titles[f] = read ? test->program->name : a->files[f]->name;
    if (!read || session_refine(test, &a->settings, a->models, a->parts)) {
        a->settled[f] = test->program;
        return true;
    }
    strbuf_add(a->err, test->model_faults ? test->model_faults : "");
    diag_render(&test->diag, a->err);
    return false;
}

static void end_tests(struct asking *a)
{
    for (uint32_t f = 0; a->tests && f < a->sketch->given_count; f++)
        if (a->tests[f].names)
            session_test_fini(&a->tests[f]);
}

/* Some filling of the first file that is a test: what it is, the smallest, or the greatest. */
static bool read_tests(struct asking *a)
{
    struct sketch_filling filling = some_filling(a);
    uint32_t count = a->sketch->given_count;
    a->tests = ARENA_ARRAY(&a->arena, struct session_test, count);
    a->titles = ARENA_ARRAY(&a->arena, const char *, count);
    a->settled = ARENA_ARRAY(&a->arena, const struct lit_program *, count);
    bool good = read_test(a, &filling, 0);
    if (good && !a->settled[0]) {
        for (uint32_t i = 0; i < a->sketch->choice_count; i++)
            filling.value[i] = (uint8_t)(a->sketch->choices[i].value_count - 1);
        session_test_fini(&a->tests[0]);
        good = read_test(a, &filling, 0);
        if (!a->settled[0])
            diag_render(&a->tests[0].diag, a->err);
    }
    for (uint32_t f = 1; good && a->settled[0] && f < count; f++)
        good = read_test(a, &filling, f);
    if (!good || !a->settled[0])
        run_status_raise(&a->status, RUN_EXIT_INPUT);
    return good && a->settled[0];
}

/* ---- Kinds that the user names ---- */

/* Is there a slot where a test can have what the label says? If not, why it cannot in the last. */
static bool can_stand(struct asking *a, const char *label, const char **why)
{
    for (uint32_t i = 0; i < a->sketch->choice_count; i++) {
        const struct sketch_choice *choice = &a->sketch->choices[i];
        for (uint32_t v = 1; choice->kind == LIT_OPEN_SLOT && v < choice->value_count; v++) {
            struct sketch_filling filling = some_filling(a);
            struct session_test test;
            if (strcmp(choice->values[v].label, label) != 0)
                continue;
            filling.value[i] = (uint8_t)v;
            uint32_t file =
                choice->places[0].file < a->sketch->given_count ? choice->places[0].file : 0;
            bool can = session_filling_read(&test, &a->settings, a->sketch, &filling, file);
            if (!can)
                *why = arena_strdup(&a->arena, diag_first_error(&test.diag)->message);
            session_test_fini(&test);
            if (can)
                return true;
        }
    }
    return false;
}

static bool has_slot(const struct sketch *sketch)
{
    return ANY(i, sketch->choice_count, sketch->choices[i].kind == LIT_OPEN_SLOT);
}

/* A kind that fits nowhere is a mistake, not an answer. */
static bool check_kinds(struct asking *a)
{
    const char *why = NULL;
    if (a->options->kinds && !has_slot(a->sketch)) {
        diag_error(&a->diag, DIAG_CLI_USAGE, NOWHERE,
                   "--kinds says what may stand in a ?slot, and there is none: leave it away");
        return false;
    }
    for (uint32_t i = 0; a->options->kinds && i < a->sketch->choice_count; i++) {
        const struct sketch_choice *choice = &a->sketch->choices[i];
        for (uint32_t v = 1; choice->kind == LIT_OPEN_SLOT && v < choice->value_count; v++)
            if (!can_stand(a, choice->values[v].label, &why)) {
                diag_error(&a->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                           "--kinds names '%s', which can stand nowhere: %s",
                           choice->values[v].label, why);
                return false;
            }
    }
    return true;
}

static bool read_weights(struct asking *a)
{
    const char *why = NULL, *path = a->options->weights;
    place_weights_init(&a->weights);
    if (!path)
        return true;
    const struct source *source = source_load(&a->arena, path, &why);
    if (!source)
        diag_error(&a->diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
    return source && place_weights_read(&a->weights, &a->arena, source, &a->diag);
}

/* ---- Fillings that are shown ---- */

static uint64_t *weigh(struct asking *a, const struct placement *placement)
{
    uint64_t *weights = ARENA_ARRAY(&a->arena, uint64_t, placement->count);
    for (uint32_t i = 0; i < placement->count; i++)
        weights[i] =
            place_weigh(&a->weights, &a->arena, placement->sketch, &placement->fillings[i].filling);
    return weights;
}

static void choose_shown(struct asking *a, struct report_place *report)
{
    const struct placement *placement = report->placement;
    uint32_t *shown = ARENA_ARRAY(&a->arena, uint32_t, placement->count);
    uint32_t most = a->options->all || a->options->cheapest ? placement->count : SHOWN;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; report->weights && i < placement->count; i++)
        if (report->weights[i] < least)
            least = report->weights[i];
    for (uint32_t i = 0; i < placement->count && report->shown_count < most; i++)
        if (!a->options->cheapest || report->weights[i] == least)
            shown[report->shown_count++] = i;
    report->shown = shown;
}

static void find_changes(struct asking *a, struct report_place *report)
{
    const struct placement *placement = report->placement;
    uint32_t files = a->sketch->file_count;
    struct changes *changes =
        ARENA_ARRAY(&a->arena, struct changes, (size_t)placement->count * files);
    const char *const **written = ARENA_ARRAY(&a->arena, const char *const *, placement->count);
    for (uint32_t i = 0; i < report->shown_count; i++) {
        uint32_t number = report->shown[i];
        struct changes *own = &changes[(size_t)number * files];
        for (uint32_t f = 0; f < files; f++)
            own[f] =
                changes_of(&a->arena, placement->sketch, &placement->fillings[number].filling, f);
        if (a->options->output)
            written[number] = cli_place_keep(&a->written, own);
    }
    report->changes = changes;
    report->written = written;
}

/* ---- One model pair ---- */

static void raise_status(struct asking *a, const struct placement *placement)
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
static bool is_to_be_answered(struct asking *a, const struct place_question *question,
                              struct place_tried *tried)
{
    const struct sketch_filling least = some_filling(a);
    if (ask_wide_is_judged(question) && !a->options->narrow)
        return true;
    *tried = ask_wide_try(&a->arena, question, &least);
    return tried->answer == (a->options->narrow ? PLACE_ACCEPTED : PLACE_REFUSED);
}

/* ---- Documents ---- */

static void begin_document(struct asking *a, const char *shape)
{
    report_document_begin(&a->documents[a->document_count++], shape,
                          ask_options_want_slides(a->options) ? REPORT_SLIDE : REPORT_SCREEN);
}

static void begin_documents(struct asking *a)
{
    const struct ask_options *options = a->options;
    begin_document(a, options->shape ? options->shape : "text");
    for (uint32_t i = 0; i < options->report_count; i++)
        if (options->reports[i].path)
            begin_document(a, report_format_name(options->reports[i].format));
}

static void end_documents(struct asking *a, struct strbuf *out)
{
    const struct report_place_run run = {CRASHLIT_VERSION, a->options->command_line, a->told,
                                         (int)a->status};
    for (uint32_t i = 0; i < a->document_count; i++) {
        struct strbuf text = {0};
        if (!a->told)
            report_document_add(&a->documents[i], &report_place, NULL);
        report_document_end(&a->documents[i], &report_place, &run, &text);
        pack_bytes(out, strbuf_text(&text), text.length);
        strbuf_fini(&text);
    }
}

static void tell(struct asking *a, const struct place_question *question, struct clock_limit clock,
                 struct report_place *report)
{
    struct cli_place_drawing drawing = {.arena = &a->arena, .question = question, .clock = clock};
    bool drawn = false;
    report->number = ++a->told;
    for (uint32_t i = 0; i < a->document_count; i++) {
        bool draws = report_document_has_figures(&a->documents[i]);
        if (draws && !drawn)
            cli_place_draw(&drawing, report);
        drawn |= draws;
        report_document_add(&a->documents[i], &report_place, report);
    }
    cli_place_draw_end(&drawing);
}

/* Of each pair. */
static double seconds_of(const struct ask_options *options)
{
    return options->total_seconds > 0 ? options->total_seconds : USUAL_SECONDS;
}

/* For the next pair: its own time, and of all pairs so far no more than theirs. */
static double seconds_left(struct asking *a)
{
    static const double none = 1e-9; /* 0 would be no limit */
    double own = seconds_of(a->options);
    double left = own * ++a->pairs - clock_seconds_since(a->start);
    return left > own ? own : left > none ? left : none;
}

/* With several statements at each point, of those that the model speaks of; NULL: that offers no
 * more. */
static const struct sketch *find_several(struct asking *a, const struct place_question *question)
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
static const struct sketch *find_swaps(struct asking *a)
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
static enum report_place_further ask_further(struct asking *a, const struct sketch *sketch,
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
static void ask_for_more(struct asking *a, const struct clock_limit *clock,
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
static void tell_undefined(struct asking *a, const struct session_model *model)
{
    enum { SECONDS = 5 };
    const struct sketch_filling filling = some_filling(a);
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

static void answer(struct asking *a, const struct session_model *model)
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
        tell(a, &question, clock, &report);
        run_status_raise(&a->status,
                         tried.answer == PLACE_REFUSED ? RUN_EXIT_DIFFERS : RUN_EXIT_UNKNOWN);
        return;
    }
    place_answer(&a->arena, &question, &placement);
    ask_for_more(a, &clock, &question, &report, &placement);
    if (a->options->narrow || a->options->repair)
        place_order(&a->weights, &a->arena, &placement, a->options->repair);
    if (a->options->cheapest)
        report.weights = weigh(a, &placement);
    choose_shown(a, &report);
    find_changes(a, &report);
    tell(a, &question, clock, &report);
    raise_status(a, &placement);
}

/* Is the pair one whose answer is of use? Where something is to be repaired those under which the
 * test is not expected to hold, else those under which it is. */
static bool is_wanted(const struct asking *a, const struct session_pair *pair)
{
    const struct lit_expect *expect = session_ask_expectation(
        a->settled[0], pair->visibility, pair->persistency, a->settings.engine);
    return !pair->asked_at || (session_ask_expected(expect) == LIT_OK) == !a->options->repair;
}

static void count_wanted(void *context, const struct session_pair *pair)
{
    struct asking *a = context;
    a->wanted += is_wanted(a, pair);
}

/* All pairs where none is wanted more than another. */
static void answer_pair(void *context, const struct session_pair *pair)
{
    struct asking *a = context;
    if (a->wanted && !is_wanted(a, pair))
        return;
    const struct session_model *model = model_of(a, pair);
    strbuf_add(a->err, model->faults);
    if (model->model && a->undefined)
        tell_undefined(a, model);
    else if (model->model)
        answer(a, model);
    else
        run_status_raise(&a->status, RUN_EXIT_INPUT);
}

/* ---- In the worker ---- */

static void ask(struct asking *a)
{
    if (!read_weights(a) || !read_sketch(a))
        return;
    a->written.sketch = a->sketch;
    place_weights_check(&a->weights, &a->arena, a->sketch, &a->diag);
    if (a->sketch->choice_count == 0 && !a->options->narrow && !a->options->repair) {
        diag_error(&a->diag, DIAG_CLI_NO_TESTS, NOWHERE,
                   "'%s' leaves nothing open: --narrow asks whether less will do, --repair what "
                   "to add",
                   a->options->inputs[0]);
        return;
    }
    if (!cli_place_may_write(a->options, a->sketch, &a->diag) || !check_kinds(a))
        return;
    if (read_tests(a)) {
        session_ask_each_pair(&a->settings, a->settled[0], count_wanted, a);
        session_ask_each_pair(&a->settings, a->settled[0], answer_pair, a);
    }
    end_tests(a);
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
    struct asking a = {.options = options,
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
    begin_documents(&a);
    ask(&a);
    diag_render(&a.diag, a.err);
    if (a.diag.errors)
        run_status_raise(&a.status, RUN_EXIT_INPUT);
    struct strbuf unsaid = {0}, *said = placing->undefined ? &unsaid : out;
    end_documents(&a, said);
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
