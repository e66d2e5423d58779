#include "session/session_test.h"

#include "cat/cat_model.h"
#include "litmus/lit_dialect.h"
#include "litmus/lit_parse.h"
#include "session/session_engines.h"
#include "session/session_launch.h"
#include "session/session_lesson.h"
#include "session/session_refine.h"

#include <string.h>
#include <unistd.h>

/* NULL with a diagnostic when it cannot be read. */
static const struct source *load_exercise(struct session_test *test, const char *path,
                                          struct diag *diag)
{
    const char *why = "there is no such lesson; crashlit lesson lists them";
    const char *word = session_lesson_word(path);
    const struct session_lesson *lesson = word ? session_lesson_find(&test->arena, word) : NULL;
    const struct source *source =
        lesson ? source_from_text(&test->arena, path, lesson->exercise, strlen(lesson->exercise))
        : word ? NULL
               : source_load(&test->arena, path, &why);
    if (!source)
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read the exercise '%s': %s", path, why);
    return source;
}

/* The property is one of recovery, and of all that it leaves. NULL after reporting. */
static const struct lit_program *
without_conditions(struct session_test *test, const struct lit_program *program, struct diag *diag)
{
    const struct span head = {program->source, program->line, 1, program->line, 2};
    const struct lit_location *opaque = lit_find_opaque(program);
    struct lit_program *bare = arena_copy(&test->arena, program, sizeof *program);
    bare->condition_count = bare->expect_count = 0;
    if (!program->recovery_count)
        diag_error(diag, DIAG_LIT_RECOVERY, head,
                   "--property idempotent-recovery needs a recovery program, and this test has "
                   "none");
    else if (opaque)
        diag_error(diag, DIAG_PTX_OPAQUE, head,
                   "--property idempotent-recovery needs '%s', where a kernel stores a value that "
                   "no model gives",
                   opaque->name);
    return program->recovery_count && !opaque ? bare : NULL;
}

bool session_test_is_of_stream(const struct session_settings *settings, const char *folder)
{
    const size_t length = settings->stream ? strlen(settings->stream) : 0;
    return length && folder &&
           (strcmp(folder, "-/") == 0 ||
            (strncmp(folder, settings->stream, length) == 0 && strcmp(folder + length, "/") == 0));
}

static const struct lit_program *read_program(struct session_test *test,
                                              const struct session_settings *settings,
                                              const struct source *source, struct diag *diag)
{
    const char *text = settings->recovers_to;
    struct lit_surroundings surroundings = {
        .reach = &settings->reach,
        .folder = test->folder,
        .nowhere = session_test_is_of_stream(settings, test->folder),
        .uses = settings->uses,
        .uses_count = settings->uses_count,
        .instead = settings->instead,
        .instead_count = settings->instead_count,
        .code = settings->launched,
        .observed = settings->property == SESSION_PROPERTIES &&
                    (settings->properties >> LIT_PROPERTY_ROBUST & 1),
        .models_named = settings->model || settings->persistency,
        .weak_volatile = settings->volatiles && strcmp(settings->volatiles, "weak") == 0,
        .bare = settings->property == SESSION_REFINES};
    if (settings->property == SESSION_RECOVERS_TO)
        surroundings.property =
            source_from_text(&test->arena, "--property recovers-to", text, strlen(text));
    if (settings->exercise) {
        surroundings.exercise = load_exercise(test, settings->exercise, diag);
        if (!surroundings.exercise)
            return NULL;
    }
    const struct lit_program *program =
        lit_parse_in(&test->arena, test->names, source, &surroundings, diag);
    if (program && settings->property == SESSION_PROPERTIES)
        return lit_ask_properties(&test->arena, program, settings->properties);
    if (program && settings->property == SESSION_REFINES)
        return session_refine_conditions(&test->arena, settings, program);
    if (!program || settings->property != SESSION_IDEMPOTENT_RECOVERY)
        return program;
    return without_conditions(test, program, diag);
}

static void start(struct session_test *test)
{
    *test = (struct session_test){.names = intern_new()};
}

const char *session_test_model(struct arena *arena, const struct session_settings *settings,
                               const char *folder, const char *name)
{
    return cat_model_is_path(name) ? reach_find(arena, &settings->reach, folder, name) : name;
}

const struct lit_models *session_test_models(struct arena *arena,
                                             const struct session_settings *settings,
                                             const struct lit_models *models)
{
    struct lit_models *found = models ? arena_copy(arena, models, sizeof *models) : NULL;
    if (found) {
        found->visibility = session_test_model(arena, settings, models->folder, models->visibility);
        found->persistency =
            session_test_model(arena, settings, models->folder, models->persistency);
    }
    return found;
}

/* The program with the paths of the models that it names, as the user would write them. */
static const struct lit_program *with_models(struct session_test *test,
                                             const struct session_settings *settings,
                                             const struct lit_program *program)
{
    struct lit_program *found = ARENA_NEW(&test->arena, struct lit_program);
    struct lit_expect *expects =
        ARENA_ARRAY(&test->arena, struct lit_expect, program->expect_count);
    *found = *program;
    found->expects = expects;
    for (uint32_t i = 0; i < program->expect_count; i++) {
        expects[i] = program->expects[i];
        expects[i].visibility =
            session_test_model(&test->arena, settings, test->folder, expects[i].visibility);
        expects[i].persistency =
            session_test_model(&test->arena, settings, test->folder, expects[i].persistency);
    }
    found->models = session_test_models(&test->arena, settings, program->models);
    return found;
}

/* Does each label of an expectation name an engine? */
static bool knows_engines(const struct lit_program *program, struct diag *diag)
{
    uint32_t faults = diag->errors;
    EACH (const struct lit_expect, expect, program->expects, program->expect_count) {
        const struct engine_entry *named =
            expect->engine ? session_engine_find(expect->engine) : &session_engines[0];
        if (!named || !named->run)
            diag_error(diag, DIAG_LIT_EXPECT, expect->engine_span,
                       "'%s' is no engine; engines are %s", expect->engine,
                       session_engine_names(&diag->arena));
    }
    return diag->errors == faults;
}

void session_test_take_source(struct session_test *test, const struct session_settings *settings,
                              const char *name, const struct source *source, const char *why)
{
    if (source)
        test->program = read_program(test, settings, source, &test->diag);
    if (test->program && !knows_engines(test->program, &test->diag))
        test->program = NULL;
    if (test->program)
        test->program = with_models(test, settings, test->program);
    else if (!source)
        diag_error(&test->diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", name, why);
}

void session_test_begin(struct session_test *test, const char *path)
{
    start(test);
    test->folder = reach_folder(&test->arena, path);
}

/* The test of launches of this code; NULL: it could not be had, and `why` says so. */
static const char *launches_text(struct session_test *test, const struct session_settings *settings,
                                 const char *path, const struct source *code, const char *why)
{
    const char *text = session_launch_text(&test->arena, settings, path, &test->diag);
    if (text && !code)
        diag_error(&test->diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s%s%s", path, why,
                   access(path, F_OK) == 0 ? "" : "; the compiler writes it: ",
                   access(path, F_OK) == 0 ? "" : ptx_dialect.compiled_by);
    return code ? text : NULL;
}

static void take_launches(struct session_test *test, const struct session_settings *settings,
                          const char *path, const struct source *code, const char *why)
{
    struct session_settings own = *settings;
    const char *text = launches_text(test, settings, path, code, why);
    own.launched = code;
    if (text) {
        const struct source *source = source_from_text(&test->arena, path, text, strlen(text));
        struct source *made = arena_copy(&test->arena, source, sizeof *source);
        made->option = "--launch";
        session_test_take_source(test, &own, path, made, NULL);
    }
}

const char *session_test_launches(struct session_test *test,
                                  const struct session_settings *settings, const char *path)
{
    const char *why = NULL;
    session_test_begin(test, path);
    const struct source *code = source_load(&test->arena, path, &why);
    return launches_text(test, settings, path, code, why);
}

void session_test_take(struct session_test *test, const struct session_settings *settings,
                       const char *name, const char *text, size_t length)
{
    const struct source *source = NULL;
    if (length <= SOURCE_MAX_BYTES)
        source = source_from_text(&test->arena, name, text, length);
    if (source && (settings->launch_count || session_launch_is_code(name))) {
        take_launches(test, settings, name, source, NULL);
        return;
    }
    session_test_take_source(test, settings, name, source, "larger than 4 MiB");
}

const char *session_test_shown(struct arena *arena, const struct session_settings *settings,
                               const char *path)
{
    size_t length = settings->stream ? strlen(settings->stream) : 0;
    if (!length || strncmp(path, settings->stream, length) != 0 || path[length] != '/')
        return path;
    return arena_printf(arena, "-%s", path + length);
}

void session_test_load(struct session_test *test, const struct session_settings *settings,
                       const char *path)
{
    const char *why = NULL;
    session_test_begin(test, path);
    const struct source *source = source_load(&test->arena, path, &why);
    if (settings->launch_count || session_launch_is_code(path)) {
        take_launches(test, settings, path, source, why);
        return;
    }
    const char *shown = session_test_shown(&test->arena, settings, path);
    if (source && shown != path) {
        struct source *named = arena_copy(&test->arena, source, sizeof *source);
        named->name = named->path = shown;
        source = named;
    }
    session_test_take_source(test, settings, shown, source, why);
}

void session_test_read(struct session_test *test, const struct session_settings *settings,
                       const char *name, const char *text, size_t length)
{
    start(test);
    session_test_take(test, settings, name, text, length);
}

void session_test_fini(struct session_test *test)
{
    diag_fini(&test->diag);
    intern_free(test->names);
    arena_fini(&test->arena);
}
