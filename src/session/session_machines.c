#include "session/session_machines.h"

#include "base/vec.h"
#include "cat/cat_model.h"
#include "exec/exec_basis.h"
#include "explore/mach_config.h"
#include "machine/mach_pipe.h"
#include "session/session_ask.h"
#include "session/session_engines.h"
#include "session/session_models.h"
#include "session/session_test.h"

#include <string.h>

/* ---- The machine of a run ---- */

static const struct mach_file *with_fault(struct arena *arena, const struct mach_file *file,
                                          const char *name, struct diag *diag)
{
    enum mach_fault fault = mach_fault_find(name);
    if (fault == MACH_FAULT_COUNT) {
        const char *near = DIAG_NEAREST(name, mach_faults, MACH_FAULT_COUNT, name);
        diag_error(
            diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
            "--fault wants a fault such as '%s', found '%s'; crashlit machines -v lists them",
            near ? near : mach_faults[0].name, name);
        return NULL;
    }
    if (!(mach_file_faults(file) >> fault & 1)) {
        diag_error(
            diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
            "%s cannot have the fault '%s': crashlit machines -v lists those of each machine",
            file->name, name);
        return NULL;
    }
    struct mach_file *faulty = arena_copy(arena, file, sizeof *file);
    faulty->name = arena_printf(arena, "%s with %s", file->name, name);
    faulty->config.faults |= UINT64_C(1) << fault;
    return faulty;
}

/* ---- Tags of its lines ---- */

/* Is the tag declared for what a line has it of? */
static bool is_of(const struct cat_declaration *declaration, enum mach_pipe_bearer bearer)
{
    const uint32_t threads = 1u << CAT_DECLARED_THREAD, locations = 1u << CAT_DECLARED_LOC;
    uint32_t kinds = bearer == MACH_PIPE_OF_THREAD     ? threads
                     : bearer == MACH_PIPE_OF_LOCATION ? locations
                                                       : ~(threads | locations);
    return declaration->kinds & kinds;
}

typedef VEC(struct cat_declaration) declarations;

/* What the models of a machine's promises know; one that cannot be loaded is told where it is
 * asked. */
static void add_known(struct arena *arena, const struct session_settings *settings,
                      const struct mach_promise *promise, declarations *known)
{
    const struct cat_asker user = session_models_user(settings);
    SCOPED(diag) unheard = {0};
    const struct cat_model *model = cat_model_load(arena, exec_basis(), &user, promise->visibility,
                                                   promise->persistency, &unheard);
    for (uint32_t i = 0; model && i < model->declaration_count; i++)
        VEC_PUSH(known, model->declarations[i]);
}

static void check_tag(const declarations *known, const struct mach_pipe_tag *tag, struct diag *diag)
{
    VEC(const char *) names = {0};
    bool found = false;
    for (size_t i = 0; i < known->count; i++) {
        if (!is_of(&known->items[i], tag->bearer))
            continue;
        found |= strcmp(known->items[i].tag, tag->tag) == 0;
        VEC_PUSH(&names, known->items[i].tag);
    }
    const char *near = diag_nearest(tag->tag, names.items, names.count);
    if (!found && known->count) {
        diag_warning(
            diag, DIAG_MACH_UNKNOWN, tag->span,
            near ? "no model that this machine promises knows the tag `%s`; did you mean `%s`?"
                 : "no model that this machine promises knows the tag `%s`",
            tag->tag, near);
        diag_meant_by(diag, tag->span, tag->tag, near);
    }
    VEC_FREE(&names);
}

static void check_tags(const struct session_settings *settings, const struct mach_file *file,
                       struct diag *diag)
{
    SCOPED(arena) arena = {0};
    declarations known = {0};
    if (!file->config.pipe || !file->config.pipe->tags)
        return;
    for (uint32_t i = 0; i < file->promise_count; i++)
        add_known(&arena, settings, &file->promises[i], &known);
    for (const struct mach_pipe_tag *tag = file->config.pipe->tags; tag; tag = tag->next)
        check_tag(&known, tag, diag);
    VEC_FREE(&known);
}

/* With the paths of the models that it promises as the user would write them: a file names them from
 * its own folder. */
static const struct mach_file *with_paths(struct arena *arena,
                                          const struct session_settings *settings,
                                          const struct mach_file *file, const char *path)
{
    const char *folder = reach_folder(arena, path);
    struct mach_file *found = arena_copy(arena, file, sizeof *file);
    for (uint32_t i = 0; i < found->promise_count; i++) {
        struct mach_promise *promise = &found->promises[i];
        promise->visibility = session_test_model(arena, settings, folder, promise->visibility);
        promise->persistency = session_test_model(arena, settings, folder, promise->persistency);
    }
    return found;
}

const struct mach_file *session_machine_read(struct arena *arena,
                                             const struct session_settings *settings,
                                             const char *name, struct diag *diag)
{
    const struct mach_file *file = mach_config_load(arena, name, diag);
    if (!file || !mach_config_is_path(name))
        return file;
    file = with_paths(arena, settings, file, name);
    check_tags(settings, file, diag);
    return file;
}

const struct mach_file *session_machine_parse(struct arena *arena,
                                              const struct session_settings *settings,
                                              const struct source *source, struct diag *diag)
{
    const struct mach_file *file = mach_config_parse(arena, source, diag);
    if (!file)
        return NULL;
    file = with_paths(arena, settings, file, source->name);
    check_tags(settings, file, diag);
    return file;
}

bool session_machine_load(struct arena *arena, struct session_settings *settings, struct diag *diag)
{
    if (!settings->machine && !settings->fault)
        return true;
    const struct mach_file *file = session_machine_read(
        arena, settings, settings->machine ? settings->machine : mach_machines[0]->name, diag);
    if (file && settings->fault)
        file = with_fault(arena, file, settings->fault, diag);
    settings->on_machine.file = file;
    return file != NULL;
}

bool session_machine_is_in_reach(const struct reach *reach, const char *machine)
{
    return !mach_config_is_path(machine) || reach_leads_to(machine, MACH_CONFIG_ENDS) ||
           reach_covers(reach, NULL, machine);
}

/* ---- Promises ---- */

bool session_machine_promises(const struct session_settings *settings, const char *visibility,
                              const char *persistency)
{
    return settings->on_machine.file
               ? mach_file_promises(settings->on_machine.file, visibility, persistency)
               : mach_config_is_promised(visibility, persistency);
}

bool session_machine_is_bound(const struct session_settings *settings,
                              const struct lit_expect *expect)
{
    bool labelled = expect->engine && session_engine_is_machine(expect->engine);
    bool own = settings->machine && mach_config_is_path(settings->machine);
    return session_machine_promises(settings, expect->visibility, expect->persistency) ||
           (labelled && !own && !mach_config_is_promised(expect->visibility, expect->persistency));
}

/* The built-in machine that promises the pair, or else its persistency; NULL: none does. */
static const struct mach_file *near_pair(struct arena *arena, const char *visibility,
                                         const char *persistency)
{
    return mach_config_is_promised(visibility, persistency)
               ? mach_config_promising(arena, visibility, persistency)
               : mach_config_persisting(arena, persistency);
}

/* The pair that is promised which is nearest to this one. */
static const struct mach_promise *promise_for(const struct mach_file *file, const char *visibility,
                                              const char *persistency)
{
    const struct mach_promise *near = NULL;
    EACH (const struct mach_promise, promise, file->promises, file->promise_count)
        if (strcmp(promise->persistency, persistency) == 0 &&
            (!near || strcmp(promise->visibility, visibility) == 0))
            near = promise;
    return near ? near : &file->promises[0];
}

void session_machine_pair(struct arena *arena, const struct session_settings *settings,
                          const struct lit_models *models, const char **visibility,
                          const char **persistency)
{
    const struct mach_file *chosen = settings->on_machine.file, *file = chosen;
    if (!chosen && models)
        file = near_pair(arena, models->visibility, models->persistency);
    if (!file)
        return;
    const struct mach_promise *promise =
        chosen ? &file->promises[0] : promise_for(file, models->visibility, models->persistency);
    *visibility = promise->visibility;
    *persistency = promise->persistency;
}

const char *session_machine_name(struct arena *arena, const struct session_settings *settings,
                                 const char *visibility, const char *persistency)
{
    if (settings->on_machine.file)
        return settings->on_machine.file->name;
    return mach_config_promising(arena, visibility, persistency)->name;
}

/* ---- The machine for a test ---- */

enum fit { FIT_NOTHING, FIT_PERSISTENCY, FIT_PAIR, FIT_USUAL };

struct fitting {
    struct arena *arena;
    struct trace_choice *choice;
    const struct mach_file *file;
    enum fit fit;
};

static enum fit fit_of(const struct mach_file *file, const struct session_pair *pair)
{
    if (!file)
        return FIT_NOTHING;
    if (!mach_file_promises(file, pair->visibility, pair->persistency))
        return FIT_PERSISTENCY;
    return strcmp(file->name, mach_machines[0]->name) == 0 ? FIT_USUAL : FIT_PAIR;
}

static void fit_pair(void *context, const struct session_pair *pair)
{
    struct fitting *f = context;
    const struct mach_file *file = near_pair(f->arena, pair->visibility, pair->persistency);
    enum fit fit = fit_of(file, pair);
    if (f->file && fit <= f->fit)
        return;
    f->fit = fit;
    f->file = file ? file : mach_config_promising(f->arena, NULL, NULL);
    const struct mach_promise *promise = promise_for(f->file, pair->visibility, pair->persistency);
    *f->choice =
        (struct trace_choice){promise->visibility, promise->persistency, pair->visibility,
                              pair->persistency, pair->by ? lit_models_file(pair->by) : NULL};
}

bool session_machine_choose(struct arena *arena, struct session_settings *settings,
                            const struct lit_program *program, struct trace_choice *choice,
                            struct diag *diag)
{
    struct fitting f = {.arena = arena, .choice = choice};
    *choice = (struct trace_choice){0};
    if (settings->on_machine.file)
        return true;
    session_ask_each_pair(settings, program, fit_pair, &f);
    settings->on_machine.file =
        settings->fault ? with_fault(arena, f.file, settings->fault, diag) : f.file;
    return settings->on_machine.file != NULL;
}
