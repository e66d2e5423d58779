#include "cli/cli_place_read.h"

#include "engine/meaning.h"
#include "sketch/sites.h"
#include "session/session_filling.h"
#include "session/session_refine.h"

#include <string.h>

/* ---- The sketch ---- */

static bool load_files(struct cli_place_asking *a)
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
static bool is_without_holes(struct cli_place_asking *a)
{
    const struct sketch_wish wish = {a->surroundings, NULL};
    SCOPED(diag) ignored = {0};
    const struct sketch *sketch =
        sketch_read(&a->arena, a->files, a->options->input_count, &wish, &ignored);
    bool has = sketch && sketch->choice_count;
    const char *option = a->options->narrow ? "narrow" : "repair";
    if (has)
        diag_error(&a->diag, DIAG_LIT_HOLE, sketch->choices[0].places[0].span,
                   "found a hole, where --%s expects a test that leaves nothing open: leave --%s "
                   "away to have it filled",
                   option, option);
    return !has;
}

const struct session_model *cli_place_model(struct cli_place_asking *a,
                                            const struct session_pair *pair)
{
    struct cat_asker asker = session_pair_asker(&a->settings, a->surroundings[0].folder, pair);
    return session_models_get(a->models, &asker, pair->visibility, pair->persistency);
}

const struct lit_program **cli_place_settle(struct cli_place_asking *a,
                                            const struct session_pair *pair,
                                            const struct session_model *model)
{
    const uint32_t count = a->sketch->given_count;
    const struct lit_program **settled = ARENA_ARRAY(&a->arena, const struct lit_program *, count);
    bool disagree = false;
    for (uint32_t f = 0; f < count; f++) {
        if (!a->settled[f])
            continue;
        const struct session_case asked =
            session_case_begin(&a->settings, model, a->settled[f], a->parts);
        struct cat_asker asker = session_pair_asker(&a->settings, a->surroundings[f].folder, pair);
        settled[f] = session_properties(&a->arena, &asked, a->models, &asker, &disagree);
    }
    return settled;
}

static void find_persists(void *context, const struct session_pair *pair)
{
    struct cli_place_asking *a = context;
    const struct session_model *model = cli_place_model(a, pair);
    a->persists |= model->model && meaning_of_persist_barriers(model->model);
}

static const struct sketch *find_sites(struct cli_place_asking *a)
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
    if (session_filling_read(&test, &a->settings, sketch, &filling, 0) &&
        (test.program->offer_count || test.program->outline_count))
        session_ask_each_pair(&a->settings, test.program, find_persists, a);
    session_test_fini(&test);
    wish.persists = a->persists;
    return wish.persists ? sites_sketch(&a->arena, a->names, a->files, count, &wish, &a->diag)
                         : sketch;
}

static bool read_sketch(struct cli_place_asking *a)
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

struct sketch_filling cli_place_filling(const struct cli_place_asking *a)
{
    return a->options->narrow || a->options->repair ? sketch_as_it_is(a->sketch)
                                                    : (struct sketch_filling){{0}};
}

/* A file of that filling, with the states of the sources that it names. False: one of these cannot
 * be had, which is told. */
static bool read_test(struct cli_place_asking *a, const struct sketch_filling *filling, uint32_t f)
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

void cli_place_end_tests(struct cli_place_asking *a)
{
    for (uint32_t f = 0; a->tests && f < a->sketch->given_count; f++)
        if (a->tests[f].names)
            session_test_fini(&a->tests[f]);
}

/* Some filling of the first file that is a test: what it is, the smallest, or the greatest. */
static bool read_tests(struct cli_place_asking *a)
{
    struct sketch_filling filling = cli_place_filling(a);
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

/* ---- What may be there ---- */

/* Can the choice's file be read with what its braces hold, alone or beside all else that may be
 * there? If not, `err` tells why it cannot alone. */
static bool can_be_there(struct cli_place_asking *a, uint32_t number)
{
    struct sketch_filling alone = cli_place_filling(a), all = alone;
    const uint32_t file = a->sketch->choices[number].places[0].file;
    struct session_test test, beside;
    for (uint32_t i = 0; i < a->sketch->choice_count; i++)
        all.value[i] = (uint8_t)(a->sketch->choices[i].value_count - 1);
    alone.value[number] = 1;
    bool can = file >= a->sketch->given_count ||
               session_filling_read(&test, &a->settings, a->sketch, &alone, file);
    if (!can) {
        can = session_filling_read(&beside, &a->settings, a->sketch, &all, file);
        session_test_fini(&beside);
    }
    if (!can)
        diag_render(&test.diag, a->err);
    if (file < a->sketch->given_count)
        session_test_fini(&test);
    return can;
}

/* A statement that no filling can have is a mistake, not an answer. */
static bool check_presences(struct cli_place_asking *a)
{
    bool good = true;
    for (uint32_t i = 0; i < a->sketch->choice_count; i++)
        if (a->sketch->choices[i].kind == LIT_OPEN_PRESENCE && a->sketch->choices[i].original < 0)
            good = can_be_there(a, i) && good;
    if (!good)
        run_status_raise(&a->status, RUN_EXIT_INPUT);
    return good;
}

/* ---- Kinds that the user names ---- */

/* Is there a slot where a test can have what the label says? If not, why it cannot in the last. */
static bool can_stand(struct cli_place_asking *a, const char *label, const char **why)
{
    for (uint32_t i = 0; i < a->sketch->choice_count; i++) {
        const struct sketch_choice *choice = &a->sketch->choices[i];
        for (uint32_t v = 1; choice->kind == LIT_OPEN_SLOT && v < choice->value_count; v++) {
            struct sketch_filling filling = cli_place_filling(a);
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
static bool check_kinds(struct cli_place_asking *a)
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

static bool read_weights(struct cli_place_asking *a)
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

/* ---- All of it ---- */

bool cli_place_read(struct cli_place_asking *a)
{
    if (!read_weights(a) || !read_sketch(a))
        return false;
    a->written.sketch = a->sketch;
    place_weights_check(&a->weights, &a->arena, a->sketch, &a->diag);
    if (a->sketch->choice_count == 0 && !a->options->narrow && !a->options->repair) {
        diag_error(&a->diag, DIAG_CLI_NO_TESTS, NOWHERE,
                   "'%s' leaves nothing open: --narrow asks whether less will do, --repair what "
                   "to add",
                   a->options->inputs[0]);
        return false;
    }
    return cli_place_may_write(a->options, a->sketch, &a->diag) && check_kinds(a) &&
           read_tests(a) && check_presences(a);
}
