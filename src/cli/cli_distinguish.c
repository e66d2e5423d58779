/* What a survey of two model pairs found: each test that is to be shown is read as a file
 * would be, confirmed by both engines, and explained under either pair. What is to be written goes
 * to the process that began it, as names and texts. */
#include "cli/cli_commands.h"
#include "cli/cli_distinguish.h"

#include "ask/ask_show.h"
#include "base/pack.h"
#include "cli/cli_suite.h"
#include "cli/cli_survey.h"
#include "cli/cli_written.h"
#include "document/report_explain.h"
#include "document/report_text.h"
#include "document/report_distinguish.h"
#include "answer/report_gallery.h"
#include "picture/report_picture.h"
#include "session/session_engines.h"
#include "session/session_explain.h"

#include <string.h>

struct distinguishing {
    struct cli_survey *asked;
    VEC(struct report_gallery *) galleries; /* of executions that are shown */
    VEC(struct session_test *) tests;       /* whose texts these point to */
    struct strbuf files;                    /* to be written: name and text of each */
    uint32_t file_count;
};

/* ---- Why ---- */

static struct report_gallery *new_gallery(struct distinguishing *d)
{
    struct report_gallery *gallery = ARENA_NEW(&d->asked->arena, struct report_gallery);
    VEC_PUSH(&d->galleries, gallery);
    return gallery;
}

static const char *taken(struct distinguishing *d, struct strbuf *text)
{
    return strbuf_take(text, &d->asked->arena);
}

/* Without the line end that a record has. */
static const char *taken_object(struct distinguishing *d, struct strbuf *text)
{
    while (text->length && text->text[text->length - 1] == '\n')
        text->text[--text->length] = '\0';
    return taken(d, text);
}

static void explain_state(struct distinguishing *d, const struct session_case *question,
                          struct report_why *why)
{
    struct strbuf text = {0}, json = {0};
    struct report_gallery *gallery = new_gallery(d);
    const struct ask_reaching reaching = {&question->program->conditions[0], gallery};
    const struct session_explain_view view = ask_show_reasons(&reaching);
    SCOPED(session_explain) explain;
    SCOPED(session_explained) x;
    session_explain_init(&explain, question);
    session_explain_condition(&explain, 0, 1, &view, &x);
    const struct report_explanation report = {
        .test = {.program = question->program,
                 .model = question->model->model,
                 .outcome = x.outcome,
                 .crash_mode = session_crash_mode(question->settings, question->program)},
        .number = 1,
        .condition = x.condition,
        .explanation = &x.explanation};
    report_explain_text(&report, &text);
    report_explain_json(&report, &json);
    why->text = taken(d, &text);
    why->json = taken_object(d, &json);
    if (!x.withdrawn && gallery->items.count)
        why->graph = gallery->items.items[0].graph;
}

/* What is undefined, and an execution that shows it. */
static void explain_undefined(struct distinguishing *d, const struct session_case *question,
                              struct report_why *why)
{
    struct strbuf text = {0};
    SCOPED(outcome) outcome;
    struct report_gallery *gallery = new_gallery(d);
    const struct ask_reaching reaching = {NULL, gallery};
    const struct session_view view = ask_show_reaching(&reaching);
    session_run(question, session_engine_alone, &outcome, &view);
    const struct report_test test = {
        .program = question->program, .model = question->model->model, .outcome = &outcome};
    report_text_undefined(&test, &text);
    why->text = taken(d, &text);
    if (gallery->items.count)
        why->graph = gallery->items.items[0].graph;
}

/* ---- One test ---- */

/* The verdict by each engine that lists executions; whether they agree on the one expected. */
static bool is_confirmed(struct distinguishing *d, const struct session_model *model,
                         const struct lit_program *program, enum lit_verdict expected)
{
    bool confirmed = true;
    for (const struct engine_entry *engine = session_engines; engine->name; engine++) {
        struct outcome outcome;
        if (!engine->run || engine->chooses || engine->trace)
            continue;
        const struct session_case question =
            session_case_begin(&d->asked->settings, model, program, d->asked->parts);
        session_run(&question, engine, &outcome, NULL);
        enum lit_verdict verdict = outcome_verdict(&outcome, program);
        confirmed &= verdict == expected || verdict == LIT_UNKNOWN;
        outcome_fini(&outcome);
    }
    return confirmed;
}

static void look_at(struct distinguishing *d, const struct session_test *test, uint32_t pair,
                    enum lit_verdict expected, struct report_why *why)
{
    const struct session_model *model = d->asked->pairs.items[pair];
    const struct session_case question =
        session_case_begin(&d->asked->settings, model, test->program, d->asked->parts);
    const struct report_test named = {.program = test->program, .model = model->model};
    struct strbuf lacking = {0};
    *why = (struct report_why){.text = "", .json = "", .verdict = lit_verdict_text(expected)};
    report_without_meaning(&named, &lacking);
    why->without_meaning = taken(d, &lacking);
    if (!is_confirmed(d, model, test->program, expected)) {
        run_status_raise(&d->asked->status, RUN_EXIT_DISAGREE);
        why->text = "An engine disputes this.\n";
    }
    if (expected == LIT_UNDEFINED)
        explain_undefined(d, &question, why);
    else if (test->program->condition_count)
        explain_state(d, &question, why);
}

static void keep_file(struct distinguishing *d, const char *name, const char *text)
{
    if (!d->asked->options->output)
        return;
    pack_text(&d->files, name);
    pack_text(&d->files, text);
    d->file_count++;
}

static enum report_sheet sheet_of(const struct cli_survey *asked)
{
    return ask_options_want_slides(asked->options) ? REPORT_SLIDE : REPORT_SCREEN;
}

static void keep_picture(struct distinguishing *d, const char *name, const char *what,
                         const struct report_why *why)
{
    SCOPED(strbuf) picture = {0}, svg = {0};
    if (!why->graph || !d->asked->options->output)
        return;
    report_picture_begin_document(report_picture(why->graph, sheet_of(d->asked), "", &picture),
                                  &svg);
    strbuf_add_bytes(&svg, strbuf_text(&picture), picture.length);
    strbuf_add(&svg, "</svg>\n");
    keep_file(d, arena_printf(&d->asked->arena, "%s-%s.svg", name, what), strbuf_text(&svg));
}

/* The test's text, which always can be read. */
static const struct session_test *read_test(struct distinguishing *d, const char *name,
                                            const char *text)
{
    struct session_test *test = ARENA_NEW(&d->asked->arena, struct session_test);
    if (d->asked->survey.is_mapped)
        gen_mapped_test(&d->asked->mapper, test, name, text);
    else
        session_test_read(test, &d->asked->settings, name, text, strlen(text));
    if (!test->program)
        base_die("internal error: a generated test cannot be read: %s",
                 diag_first_error(&test->diag)->message);
    VEC_PUSH(&d->tests, test);
    return test;
}

/* With --map who has more is asked about the target. */
static void look_at_both(struct distinguishing *d, int side, const struct gen_find *find,
                         struct report_difference *difference)
{
    enum lit_verdict more = find->undefined ? LIT_UNDEFINED : LIT_OK,
                     less = find->undefined ? LIT_OK : LIT_VIOLATED;
    const struct session_test *test = read_test(d, difference->name, difference->test.litmus);
    const struct session_test *target =
        difference->target
            ? read_test(d, arena_printf(&d->asked->arena, "%s-target", difference->name),
                        difference->target)
            : test;
    look_at(d, target, (uint32_t)side, more, &difference->why[0]);
    look_at(d, test, (uint32_t)!side, less, &difference->why[1]);
}

static const char *side_word(const struct distinguishing *d, int side)
{
    return d->asked->survey.is_mapped ? "mapped" : side ? "second" : "first";
}

static struct report_difference difference_of(struct distinguishing *d, int side, uint32_t number,
                                              const struct gen_find *find)
{
    struct cli_survey *asked = d->asked;
    struct report_difference difference = {
        .name = arena_printf(&asked->arena, "%s-only-%u", side_word(d, side), number + 1),
        .row = find->row,
        .count = find->count};
    difference.test =
        cli_survey_test(asked, find, difference.name, (uint32_t)side, (uint32_t)!side);
    if (asked->survey.is_mapped)
        difference.target = cli_survey_target(asked, find, difference.name, difference.test.litmus);
    look_at_both(d, side, find, &difference);
    keep_file(d, arena_printf(&asked->arena, "%s.litmus", difference.name), difference.test.litmus);
    if (difference.target)
        keep_file(d, arena_printf(&asked->arena, "%s-target.litmus", difference.name),
                  difference.target);
    keep_picture(d, difference.name, "allowed", &difference.why[0]);
    keep_picture(d, difference.name, "forbidden", &difference.why[1]);
    return difference;
}

/* ---- Both directions ---- */

static struct report_direction direction_of(struct distinguishing *d, int side)
{
    struct cli_survey *asked = d->asked;
    const struct gen_pair *pair = &asked->survey.pairs[side ? 2 : 1];
    uint32_t count = asked->options->all || !pair->find_count ? pair->find_count : 1;
    struct report_difference *differences =
        ARENA_ARRAY(&asked->arena, struct report_difference, count + 1);
    for (uint32_t i = 0; i < count; i++)
        differences[i] = difference_of(d, side, i, &pair->finds[i]);
    return (struct report_direction){
        .differences = differences,
        .count = count,
        .smallest = pair->smallest,
        .size = pair->size,
        .open = pair->open,
        .doubt = pair->doubt,
        .open_at = pair->open_at,
        .unknown = gen_survey_doubt(&asked->survey, (uint32_t)side, (uint32_t)!side)};
}

/* Something that is open leaves an answer if a test was found, and none if it was not. With a
 * mapping the first pair is not asked. */
static void raise_status(struct cli_survey *asked, const struct report_distinguish *report)
{
    const struct report_direction *first = &report->directions[0], *second = &report->directions[1];
    if (first->count || second->count)
        return;
    bool unknown = second->unknown || (first->unknown && !report->survey->mapping);
    run_status_raise(&asked->status, unknown ? RUN_EXIT_UNKNOWN : RUN_EXIT_DIFFERS);
}

static struct report_distinguish report_of(struct distinguishing *d)
{
    struct cli_survey *asked = d->asked;
    return (struct report_distinguish){.names = {asked->pairs.names[0], asked->pairs.names[1]},
                                       .directions = {direction_of(d, 0), direction_of(d, 1)},
                                       .survey = &asked->totals};
}

static void name_pairs(struct cli_survey *asked)
{
    for (uint32_t i = 0; i < asked->options->input_count; i++)
        cli_pairs_add(&asked->pairs, asked->options->inputs[i], &asked->diag, asked->err,
                      &asked->status);
}

static void end(struct distinguishing *d)
{
    for (size_t i = 0; i < d->galleries.count; i++)
        report_gallery_fini(d->galleries.items[i]);
    for (size_t i = 0; i < d->tests.count; i++)
        session_test_fini(d->tests.items[i]);
    VEC_FREE(&d->galleries);
    VEC_FREE(&d->tests);
    strbuf_fini(&d->files);
}

/* Packed: what is printed, then the files that are to be written. */
static void tell_difference(struct cli_survey *asked, struct strbuf *out)
{
    struct distinguishing d = {.asked = asked};
    const struct report_distinguish report = report_of(&d);
    cli_written_pack(asked->options, &report_distinguish, &report, NULL, out);
    raise_status(asked, &report);
    pack_number(out, d.file_count);
    strbuf_add_bytes(out, strbuf_text(&d.files), d.files.length);
    end(&d);
}

void cli_distinguish_tell(struct cli_survey *asked, cli_distinguish_use *use, struct strbuf *out)
{
    struct distinguishing d = {.asked = asked};
    const struct report_distinguish report = report_of(&d);
    use(asked, &report, out);
    end(&d);
}

/* ---- In this process ---- */

static bool open_suite(struct cli_suite *suite, const struct ask_options *options,
                       struct diag *diag)
{
    static const char *const stems[] = {"first-only", "second-only", "mapped-only"};
    static const char *const tails[] = {".litmus", "-target.litmus", "-allowed.svg",
                                        "-forbidden.svg", NULL};
    const char *line = cli_suite_command(&diag->arena, "distinguish", options->command_line);
    bool open = cli_suite_open(suite, options->output, line, diag);
    for (size_t i = 0; i < sizeof stems / sizeof *stems && open; i++)
        open = cli_suite_are_free(suite, &(struct cli_suite_numbered){stems[i], 1, tails});
    return open;
}

static void write_files(struct cli_suite *suite, struct unpack *from)
{
    uint64_t count = unpack_number(from);
    bool fine = count && cli_suite_begin(suite);
    for (uint64_t i = 0; i < count && fine; i++) {
        size_t length;
        const char *name = unpack_copy(from, &suite->arena);
        const char *text = unpack_bytes(from, &length);
        fine = cli_suite_add_file(suite, name, "", text, length);
    }
    if (fine)
        cli_suite_end(suite, "what tells the models apart");
}

int cli_distinguish_run(const struct ask_options *options, struct run_output *standard)
{
    const struct cli_survey_command command = {
        .name_models = name_pairs, .tell = tell_difference, .confirms = true};
    struct unpack from;
    SCOPED(strbuf) out = {0};
    struct cli_suite suite;
    struct diag diag;
    int status = (int)RUN_EXIT_INPUT;
    diag_init(&diag);
    if (!options->output || open_suite(&suite, options, &diag))
        status = cli_survey_answer(options, &command, standard, &out, &from);
    if (out.length && options->output)
        write_files(&suite, &from);
    if (options->output)
        cli_suite_close(&suite);
    return cli_written_end(&diag, status);
}
