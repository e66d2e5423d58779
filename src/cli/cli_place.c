#include "cli/cli_place.h"

#include "base/pack.h"
#include "litmus/lit_sites.h"
#include "place/place.h"
#include "place/place_try.h"
#include "place/place_weigh.h"
#include "report/report_place.h"
#include "run/run_folder.h"
#include "run/run_single.h"
#include "session/session_ask.h"
#include "session/session_engines.h"
#include "session/session_filling.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { SHOWN = 8 };

/* The question, whatever the models are; it lives in the worker. */
struct asking {
    const struct ask_options *options;
    struct session_settings settings; /* with --uses and the reach of the options */
    struct session_parts parts;
    struct arena arena;
    struct diag diag;
    struct intern *names;
    struct session_models *models;
    const struct source **files;
    struct lit_surroundings *surroundings; /* of each */
    const struct lit_sketch *sketch;
    struct session_test first; /* the first file, filled somehow: its name and expectations */
    struct place_weights weights;
    enum run_status status;
    struct strbuf text, *err;
    struct strbuf tests; /* filled ones to be written: input's number and text of each */
    uint32_t test_count, wanted;
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
        a->surroundings[i] = (struct lit_surroundings){.reach = &a->settings.reach,
                                                       .folder = reach_folder(&a->arena, path),
                                                       .uses = a->settings.uses,
                                                       .uses_count = a->settings.uses_count};
        if (!a->files[i])
            diag_error(&a->diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
    }
    return a->diag.errors == 0;
}

static const struct lit_sketch *find_sites(struct asking *a)
{
    const struct lit_sites_wish wish = {.aim = a->options->repair ? LIT_SITES_REPAIR
                                                                  : LIT_SITES_NARROW,
                                        .surroundings = a->surroundings,
                                        .kinds = a->options->kinds};
    return lit_sites(&a->arena, a->names, a->files, a->options->input_count, &wish, &a->diag);
}

static bool read_sketch(struct asking *a)
{
    if (!load_files(a))
        return false;
    const struct lit_sketch_wish wish = {a->surroundings, a->options->kinds};
    if (a->options->narrow || a->options->repair)
        a->sketch = find_sites(a);
    else
        a->sketch = lit_sketch_read(&a->arena, a->files, a->options->input_count, &wish, &a->diag);
    return a->sketch;
}

/* What the files have now, where they are ordinary tests. */
static struct lit_filling as_it_is(const struct lit_sketch *sketch)
{
    struct lit_filling filling = {{0}};
    for (uint32_t i = 0; i < sketch->choice_count; i++)
        filling.value[i] = (uint8_t)sketch->choices[i].original;
    return filling;
}

static struct lit_filling some_filling(const struct asking *a)
{
    return a->options->narrow || a->options->repair ? as_it_is(a->sketch)
                                                    : (struct lit_filling){{0}};
}

/* Some filling of the first file that is a test: what it is, the smallest, or the greatest. */
static bool read_first(struct asking *a)
{
    struct lit_filling filling = some_filling(a);
    for (int greatest = 0; greatest < 2; greatest++) {
        for (uint32_t i = 0; greatest && i < a->sketch->choice_count; i++)
            filling.value[i] = (uint8_t)(a->sketch->choices[i].value_count - 1);
        if (session_filling_read(&a->first, &a->settings, a->sketch, &filling, 0))
            return true;
        if (greatest)
            diag_render(&a->first.diag, a->err);
        session_test_fini(&a->first);
    }
    run_status_raise(&a->status, RUN_EXIT_INPUT);
    return false;
}

/* ---- Kinds that the user names ---- */

/* Is there a slot where a test can have what the label says? If not, why it cannot in the last. */
static bool can_stand(struct asking *a, const char *label, const char **why)
{
    for (uint32_t i = 0; i < a->sketch->choice_count; i++) {
        const struct lit_choice *choice = &a->sketch->choices[i];
        for (uint32_t v = 1; choice->kind == LIT_OPEN_SLOT && v < choice->value_count; v++) {
            struct lit_filling filling = some_filling(a);
            struct session_test test;
            if (strcmp(choice->values[v].label, label) != 0)
                continue;
            filling.value[i] = (uint8_t)v;
            uint32_t file =
                choice->places[0].file < a->sketch->given_count ? choice->places[0].file : 0;
            bool can = session_filling_read(&test, &a->settings, a->sketch, &filling, file);
            if (!can)
                *why = arena_strdup(&a->arena, diag_first_error(&test.diag));
            session_test_fini(&test);
            if (can)
                return true;
        }
    }
    return false;
}

/* A kind that fits nowhere is a mistake, not an answer. */
static bool check_kinds(struct asking *a)
{
    const char *why = NULL;
    for (uint32_t i = 0; a->options->kinds && i < a->sketch->choice_count; i++) {
        const struct lit_choice *choice = &a->sketch->choices[i];
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
            place_weigh(&a->weights, &a->arena, a->sketch, &placement->fillings[i].filling);
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

static void keep_tests(struct asking *a, const struct lit_changes *changes)
{
    for (uint32_t f = 0; f < a->sketch->given_count; f++) {
        pack_number(&a->tests, f);
        pack_bytes(&a->tests, changes[f].text, changes[f].length);
        a->test_count++;
    }
}

static void find_changes(struct asking *a, struct report_place *report)
{
    const struct placement *placement = report->placement;
    uint32_t files = a->sketch->file_count;
    struct lit_changes *changes =
        ARENA_ARRAY(&a->arena, struct lit_changes, (size_t)placement->count * files);
    for (uint32_t i = 0; i < report->shown_count; i++) {
        uint32_t number = report->shown[i];
        struct lit_changes *own = &changes[(size_t)number * files];
        for (uint32_t f = 0; f < files; f++)
            own[f] = lit_changes_of(&a->arena, a->sketch, &placement->fillings[number].filling, f);
        if (a->options->output)
            keep_tests(a, own);
    }
    report->changes = changes;
}

/* ---- One model pair ---- */

static void raise_status(struct asking *a, const struct placement *placement)
{
    if (!placement->count && placement->complete && !placement->open_count)
        run_status_raise(&a->status, RUN_EXIT_DIFFERS);
    if (!placement->complete || placement->open_count)
        run_status_raise(&a->status, RUN_EXIT_UNKNOWN);
    for (uint32_t i = 0; i < placement->count; i++)
        if (placement->fillings[i].disputed_by)
            run_status_raise(&a->status, RUN_EXIT_DISAGREE);
}

/* Nothing is narrowed that does not do as it is: what is below it would do by chance alone. */
static bool is_to_be_answered(struct asking *a, const struct place_question *question,
                              struct place_tried *tried)
{
    struct place_asker asker;
    if (!a->options->narrow)
        return true;
    const struct lit_filling filling = as_it_is(a->sketch);
    place_asker_init(&asker, &a->arena, question);
    *tried = place_try(&asker, &filling, NULL);
    place_asker_fini(&asker);
    return tried->answer == PLACE_ACCEPTED;
}

static void tell(struct asking *a, const struct report_place *report)
{
    (a->options->format == RUN_JSON   ? report_place_json
     : a->options->format == RUN_TEXT ? report_place_text
                                      : report_place_sarif)(report, &a->text);
}

static void answer(struct asking *a, const struct session_model *model)
{
    struct placement placement = {.sketch = a->sketch};
    struct place_tried tried;
    const struct place_question question = {.sketch = a->sketch,
                                            .settings = &a->settings,
                                            .model = model,
                                            .parts = a->parts,
                                            .seconds = a->options->total_seconds};
    struct report_place report = {.name = a->first.program->name,
                                  .visibility = model->model->visibility,
                                  .persistency = model->model->persistency,
                                  .placement = &placement};
    if (!is_to_be_answered(a, &question, &tried)) {
        report.as_it_is = &tried.reason;
        tell(a, &report);
        run_status_raise(&a->status,
                         tried.answer == PLACE_REFUSED ? RUN_EXIT_DIFFERS : RUN_EXIT_UNKNOWN);
        return;
    }
    place_answer(&a->arena, &question, &placement);
    if (a->options->cheapest)
        report.weights = weigh(a, &placement);
    choose_shown(a, &report);
    find_changes(a, &report);
    tell(a, &report);
    raise_status(a, &placement);
}

/* Is the pair one whose answer is of use? Where something is to be repaired those under which the
 * test is not expected to hold, else those under which it is. */
static bool is_wanted(const struct asking *a, const struct session_pair *pair)
{
    const struct lit_expect *expect = session_ask_expectation(
        a->first.program, pair->visibility, pair->persistency, a->settings.engine);
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
    struct cat_asker asker = session_models_user(&a->settings);
    if (a->wanted && !is_wanted(a, pair))
        return;
    if (pair->asked_at)
        asker = (struct cat_asker){.reach = &a->settings.reach, .folder = a->first.folder};
    const struct session_model *model =
        session_models_get(a->models, &asker, pair->visibility, pair->persistency);
    strbuf_add(a->err, model->faults);
    if (model->model)
        answer(a, model);
    else
        run_status_raise(&a->status, RUN_EXIT_INPUT);
}

/* ---- In the worker ---- */

/* A test that is written names its definition files as it did, and these are not as they were. */
static bool may_write(struct asking *a)
{
    bool may = !a->options->output || a->sketch->file_count == a->sketch->given_count;
    if (!may)
        diag_error(&a->diag, DIAG_CLI_USAGE, NOWHERE,
                   "-o writes tests alone, and '%s' has holes too: leave it out, and take what "
                   "fills them from the answer",
                   a->sketch->files[a->sketch->given_count]->name);
    return may;
}

static void ask(struct asking *a)
{
    if (!read_weights(a) || !read_sketch(a))
        return;
    if (a->sketch->choice_count == 0) {
        diag_error(&a->diag, DIAG_CLI_NO_TESTS, NOWHERE,
                   a->options->narrow || a->options->repair
                       ? "'%s' has no barrier, fence or atomic access that could be otherwise"
                       : "'%s' leaves nothing open: --narrow asks whether less will do, --repair "
                         "what to add",
                   a->options->inputs[0]);
        return;
    }
    if (!may_write(a) || !check_kinds(a) || !read_first(a))
        return;
    session_ask_each_pair(&a->settings, a->first.program, count_wanted, a);
    session_ask_each_pair(&a->settings, a->first.program, answer_pair, a);
    session_test_fini(&a->first);
}

static enum run_status work(const void *context, struct session_parts parts, struct strbuf *out,
                            struct strbuf *err)
{
    const struct ask_options *options = context;
    struct asking a = {.options = options,
                       .settings = options->settings,
                       .parts = parts,
                       .names = intern_new(),
                       .models = session_models_new(),
                       .err = err};
    arena_init(&a.arena);
    diag_init(&a.diag);
    if (options->format == RUN_DOCUMENT)
        report_place_sarif_begin(CRASHLIT_VERSION, &a.text);
    ask(&a);
    diag_render(&a.diag, err);
    if (a.diag.errors)
        run_status_raise(&a.status, RUN_EXIT_INPUT);
    if (options->format == RUN_DOCUMENT)
        report_place_sarif_end(options->command_line, (int)a.status, &a.text);
    pack_bytes(out, strbuf_text(&a.text), a.text.length);
    pack_number(out, a.test_count);
    strbuf_add_bytes(out, strbuf_text(&a.tests), a.tests.length);
    strbuf_fini(&a.text);
    strbuf_fini(&a.tests);
    diag_fini(&a.diag);
    session_models_free(a.models);
    intern_free(a.names);
    arena_fini(&a.arena);
    return a.status;
}

/* ---- In this process: what was found is printed and written ---- */

static void write_test(const char *path, const char *text, size_t length, struct diag *diag)
{
    struct run_output file = {.path = NULL};
    const char *why;
    if (!run_output_open(&file, path, &why)) {
        diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot write '%s': %s", path, why);
        return;
    }
    run_output_add(&file, text, length);
    run_output_end(&file, diag);
}

/* Whether both are one file, by whatever names. */
static bool is_same_file(const char *path, const char *other)
{
    struct stat a, b;
    return path && other && stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* No filled test takes the place of what was read. */
static bool is_input(const struct ask_options *options, const char *path)
{
    const struct session_settings *settings = &options->settings;
    const char *const others[] = {settings->model, settings->persistency, settings->machine,
                                  options->weights};
    bool is = false;
    for (uint32_t i = 0; i < options->input_count; i++)
        is |= is_same_file(path, options->inputs[i]);
    for (uint32_t i = 0; i < settings->uses_count; i++)
        is |= is_same_file(path, settings->uses[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is |= is_same_file(path, others[i]);
    return is;
}

/* A filled test as the worker sends it: the number of its input, and its text. */
static const char *next_test(const struct ask_options *options, struct unpack *from,
                             const char **text, size_t *length)
{
    uint64_t input = unpack_number(from);
    *text = unpack_bytes(from, length);
    BASE_CHECK(input < options->input_count);
    return options->inputs[input];
}

/* All of them, or where one would take an input's place, none. */
static void write_into(struct run_folder *folder, const struct ask_options *options, uint64_t count,
                       struct unpack *from, struct diag *diag)
{
    struct unpack again = *from;
    VEC(const char *) paths = {NULL, 0, 0};
    const char *text;
    size_t length;
    for (uint64_t i = 0; i < count; i++) {
        const char *path = run_folder_file(folder, next_test(options, &again, &text, &length));
        VEC_PUSH(&paths, path);
        if (is_input(options, path))
            diag_error(diag, DIAG_FILE_WRITE, NOWHERE,
                       "cannot write '%s': it is an input; nothing is written", path);
    }
    for (size_t i = 0; i < paths.count && !diag->errors; i++) {
        (void)next_test(options, from, &text, &length);
        write_test(paths.items[i], text, length, diag);
    }
    VEC_FREE(&paths);
}

static void write_tests(const char *path, const struct ask_options *options, struct unpack *from,
                        struct diag *diag)
{
    uint64_t count = unpack_number(from);
    struct run_folder *folder = count ? run_folder_open(path, "litmus") : NULL;
    if (count && !folder)
        diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot write into '%s': %s", path,
                   strerror(errno));
    if (!folder)
        return;
    write_into(folder, options, count, from, diag);
    run_folder_free(folder);
}

int cli_place_run(const struct ask_options *options, struct run_output *standard)
{
    struct strbuf out = {0}, err = {0}, text = {0};
    struct diag diag;
    diag_init(&diag);
    /* Every engine is asked to confirm: a worker that came to the solver later would begin anew. */
    struct session_settings settings = options->settings;
    settings.engine = SESSION_ALL_ENGINES;
    int status = run_single_run(&settings, work, options, &out, &err);
    struct unpack from = unpack_start(strbuf_text(&out), out.length);
    if (out.length)
        unpack_text(&from, &text);
    run_output_add_lines(standard, &text);
    if (out.length && options->output)
        write_tests(arena_printf(&diag.arena, "%s%s", options->output,
                                 run_folder_is_meant(options->output) ? "" : "/"),
                    options, &from, &diag);
    fputs(strbuf_text(&err), stderr);
    run_output_tell(&diag);
    if (diag.errors && status < (int)RUN_EXIT_INPUT)
        status = (int)RUN_EXIT_INPUT;
    diag_fini(&diag);
    strbuf_fini(&text);
    strbuf_fini(&out);
    strbuf_fini(&err);
    return status;
}
