/* libcrashlit (include/crashlit.h): contexts, options and checks over what the command line has.
 *
 * Everything that allocates runs under a guard with the context's pool. What outlives a failure is
 * allocated beside it: the context itself, the values of its options as they were given, and
 * results. So a call reads all options anew, and after a failure the pool goes as a whole.
 */
#include "api/api_result.h"
#include "base/guard.h"
#include "ask/ask_check.h"
#include "session/session_machines.h"
#include "ask/ask_options.h"
#include "crashlit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Models past this are forgotten after a call: tests can name any number of pairs. */
enum { KEPT_BYTES = 64 << 20 };

struct crashlit {
    char *values[ASK_OPTION_COUNT]; /* NULL: the default */
    char error[1024];
    struct base_pool pool;
    struct session_models *models; /* in the pool; NULL until they are needed */
};

const char *crashlit_version(void)
{
    return CRASHLIT_VERSION;
}

struct crashlit *crashlit_new(void)
{
    return calloc(1, sizeof(struct crashlit));
}

void crashlit_free(struct crashlit *context)
{
    if (!context)
        return;
    base_pool_free(&context->pool);
    for (int i = 0; i < ASK_OPTION_COUNT; i++)
        base_free_foreign(context->values[i]);
    base_free_foreign(context);
}

const char *crashlit_error(const struct crashlit *context)
{
    return context->error;
}

static void tell_caller(struct crashlit *context, const char *message)
{
    snprintf(context->error, sizeof context->error, "%s", message);
    size_t length = strlen(context->error);
    if (length && context->error[length - 1] == '\n')
        context->error[length - 1] = '\0';
}

static void forget(struct crashlit *context)
{
    base_pool_free(&context->pool);
    context->models = NULL;
}

/* Runs under the guard; after a failure nothing of the pool is left. */
static bool guarded(struct crashlit *context, void (*function)(void *), void *call)
{
    struct base_guard guard = {.pool = &context->pool};
    context->error[0] = '\0';
    if (base_guard_call(&guard, function, call))
        return true;
    forget(context);
    tell_caller(context, guard.message);
    return false;
}

/* ---- Options ---- */

static void apply(const struct crashlit *context, int option, struct ask_options *options,
                  struct diag *diag)
{
    const struct ask_option *row = &ask_option_rows[option];
    const char *value = context->values[option];
    bool flag = row->value.kind == ASK_VALUE_FLAG;
    if (!value || (flag && strcmp(value, "off") == 0))
        return;
    if (flag && strcmp(value, "on") != 0)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "%s wants on or off, found '%s'",
                   row->name, value);
    else
        ask_options_set(options, row, flag ? NULL : value, diag);
}

/* The options of the context as those of a command line with one test. The machine is in
 * `arena`. Returns whether there were no faults. */
static bool read_options(const struct crashlit *context, struct arena *arena,
                         struct ask_options *options, struct diag *diag)
{
    ask_options_init(options, ASK_CHECK);
    options->format = RUN_JSON;
    options->input_count = 1;
    options->command_line = "";
    for (int i = 0; i < ASK_OPTION_COUNT; i++)
        apply(context, i, options, diag);
    return ask_options_check(options, diag) &&
           session_machine_load(arena, &options->settings, diag);
}

struct setting {
    struct crashlit *context;
    const char *option;
    int number;
    char *value; /* what becomes of the old value, when this one stands */
    enum crashlit_status status;
};

static void refuse_setting(struct setting *setting, const struct diag *diag)
{
    SCOPED(strbuf) text = {0};
    diag_render(diag, &text);
    tell_caller(setting->context, strbuf_text(&text));
    setting->status = CRASHLIT_INPUT;
}

static void find_option(struct setting *setting, struct diag *diag)
{
    const struct ask_option *option = ask_option_find(setting->option, ASK_LIBRARY);
    if (option) {
        setting->number = (int)(option - ask_option_rows);
        return;
    }
    const char *names[ASK_OPTION_COUNT];
    size_t count = 0;
    for (int i = 0; i < ASK_OPTION_COUNT; i++)
        if (ask_option_is_taken(&ask_option_rows[i], ASK_LIBRARY))
            names[count++] = ask_option_rows[i].name;
    const char *near = diag_nearest(setting->option, names, count);
    diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
               near ? "unknown option '%s', did you mean '%s'?" : "unknown option '%s'",
               setting->option, near);
}

static void exchange(struct setting *setting)
{
    char **place = &setting->context->values[setting->number], *old = *place;
    *place = setting->value;
    setting->value = old;
}

/* A check would report the same, but of a test. */
static bool accepts_models(const struct ask_options *options, struct diag *diag)
{
    return (!options->settings.model ||
            cat_model_accepts("visibility", options->settings.model, diag)) &&
           (!options->settings.persistency ||
            cat_model_accepts("persistency", options->settings.persistency, diag));
}

static void try_setting(void *call)
{
    struct setting *setting = call;
    SCOPED(diag) diag = {0};
    SCOPED(arena) arena = {0};
    struct ask_options options;
    find_option(setting, &diag);
    if (diag.errors == 0) {
        exchange(setting);
        if (!read_options(setting->context, &arena, &options, &diag) ||
            !accepts_models(&options, &diag))
            exchange(setting);
    }
    if (diag.errors)
        refuse_setting(setting, &diag);
}

enum crashlit_status crashlit_set(struct crashlit *context, const char *option, const char *value)
{
    struct setting setting = {.context = context, .option = option, .status = CRASHLIT_OK};
    char *old[ASK_OPTION_COUNT];
    memcpy(old, context->values, sizeof old);
    char *copy = value ? malloc(strlen(value) + 1) : NULL;
    if (value && !copy) {
        tell_caller(context, "out of memory");
        return CRASHLIT_FAILED;
    }
    setting.value = copy ? strcpy(copy, value) : NULL;
    if (guarded(context, try_setting, &setting)) {
        base_free_foreign(setting.value);
        if (setting.number == ASK_OPTION_INCLUDE || setting.number == ASK_OPTION_ALLOW_PATH ||
            setting.number == ASK_OPTION_VARIANT)
            forget(context); /* models were loaded within the old reach, and the old variants */
        return setting.status;
    }
    memcpy(context->values, old, sizeof old);
    base_free_foreign(copy);
    return CRASHLIT_FAILED;
}

/* ---- Checks ---- */

struct check {
    struct crashlit *context;
    const char *name, *text;
    size_t length;
    struct api_records records;
    struct run_result result;
};

static void add_faults(struct run_result *result)
{
    for (size_t i = 0; i < result->faults.count; i++)
        strbuf_add(&result->err, result->faults.items[i]);
}

/* As the command does for a run. */
static void refuse_silence(struct check *check)
{
    struct run_result *result = &check->result;
    if (result->counts[RUN_NOT_ASKED] == 0 || check->records.items.count)
        return;
    diag_tell(&result->err, DIAG_CLI_NO_TESTS, NOWHERE, RUN_NOTHING_ASKED);
    run_result_raise(result, RUN_EXIT_INPUT);
}

static void run_check(void *call)
{
    struct check *check = call;
    struct crashlit *context = check->context;
    struct ask_options options;
    SCOPED(run_records) none;
    SCOPED(arena) arena = {0};
    SCOPED(diag) diag = {0};
    run_records_init(&none);
    if (!read_options(context, &arena, &options, &diag)) { /* a machine file that changed */
        run_result_raise(&check->result, RUN_EXIT_INPUT);
        diag_render(&diag, &check->result.err);
    } else {
        context->pool.limit = (size_t)options.settings.memory_mib << 20;
        if (!context->models)
            context->models = session_models_new();
        const struct ask_surroundings surroundings = {
            .options = &options,
            .run = {.models = context->models, .earlier = &none},
            .take = api_records_add,
            .context = &check->records};
        ask_check_text(&surroundings, check->name, check->text, check->length, &check->result);
        refuse_silence(check);
    }
    add_faults(&check->result);
}

struct crashlit_result *crashlit_check(struct crashlit *context, const char *name, const char *text,
                                       size_t length)
{
    struct check check = {.context = context, .name = name, .text = text, .length = length};
    struct crashlit_result *result = NULL;
    if (context->values[ASK_OPTION_MEMORY])
        forget(context); /* whether a call meets its limit does not depend on those before */
    bool whole = guarded(context, run_check, &check);
    context->pool.limit = 0;
    if (!whole)
        return NULL;
    result = api_result_new(&check.records, &check.result);
    api_records_fini(&check.records);
    run_result_fini(&check.result);
    if (!result)
        tell_caller(context, "out of memory");
    if (context->pool.bytes > KEPT_BYTES)
        forget(context);
    return result;
}
