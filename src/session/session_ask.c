#include "session/session_ask.h"

#include "base/each.h"
#include "cat/cat_model.h"
#include "engine/meaning.h"
#include "session/session_engines.h"
#include "session/session_machines.h"

#include <string.h>

static bool is_for_engine(const struct lit_expect *expect, const char *engine)
{
    return !expect->engine || session_engine_is_all(engine) || strcmp(expect->engine, engine) == 0;
}

/* By whatever path. */
static bool is_model(const char *written, const char *asked)
{
    return strcmp(written, asked) == 0 || cat_model_same(written, asked);
}

static bool names_pair(const struct lit_expect *expect, const char *visibility,
                       const char *persistency)
{
    return is_model(expect->visibility, visibility) && is_model(expect->persistency, persistency);
}

const struct lit_expect *session_ask_expectation(const struct lit_program *program,
                                                 const char *visibility, const char *persistency,
                                                 const char *engine)
{
    const struct lit_expect *best = NULL;
    EACH (const struct lit_expect, expect, program->expects, program->expect_count)
        if (!expect->is_pair_only && is_for_engine(expect, engine) &&
            names_pair(expect, visibility, persistency) &&
            (!best || (expect->engine && !best->engine)))
            best = expect;
    return best;
}

enum lit_verdict session_ask_expected(const struct lit_expect *expect)
{
    return expect ? expect->verdict : LIT_OK;
}

static bool asks_machine(const struct session_settings *settings)
{
    return session_engine_is_machine(settings->engine);
}

/* Is this an expectation whose pair the engine is asked about? */
static bool asks_engine(const struct session_settings *settings, const struct lit_expect *expect)
{
    return is_for_engine(expect, settings->engine) &&
           (!asks_machine(settings) || session_machine_is_bound(settings, expect));
}

static uint32_t each_expected_pair(const struct session_settings *settings,
                                   const struct lit_program *program, session_ask_visit *visit,
                                   void *context)
{
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < program->expect_count; i++) {
        const struct lit_expect *expect = &program->expects[i];
        bool fresh = asks_engine(settings, expect);
        for (uint32_t k = 0; k < i && fresh; k++)
            fresh = !asks_engine(settings, &program->expects[k]) ||
                    !names_pair(&program->expects[k], expect->visibility, expect->persistency);
        if (fresh) {
            const struct session_pair pair = {expect->visibility, expect->persistency,
                                              &expect->span, NULL};
            visit(context, &pair);
            pairs++;
        }
    }
    return pairs;
}

struct session_pair session_pair_or(const struct session_settings *settings, const char *visibility,
                                    const char *persistency)
{
    return (struct session_pair){settings->model ? settings->model : visibility,
                                 settings->persistency ? settings->persistency : persistency, NULL,
                                 NULL};
}

struct cat_asker session_pair_asker(const struct session_settings *settings, const char *folder,
                                    const struct session_pair *pair)
{
    if (!pair->asked_at)
        return session_models_user(settings);
    return session_models_test(settings, pair->by ? pair->by->folder : folder);
}

static const struct lit_models no_models;

/* A file's path is not the user's, so it does not go with a name of the user's. */
static const char *builtin_or(const char *name, const char *otherwise)
{
    return name && !cat_model_is_path(name) ? name : otherwise;
}

const struct lit_models *session_ask_models(const struct session_settings *settings,
                                            const struct lit_program *program)
{
    bool named = settings->model || settings->persistency || asks_machine(settings);
    if (named || !program->models)
        return NULL;
    return ANY(i, program->expect_count, asks_engine(settings, &program->expects[i]))
               ? NULL
               : program->models;
}

uint32_t session_ask_each_pair(const struct session_settings *settings,
                               const struct lit_program *program, session_ask_visit *visit,
                               void *context)
{
    const struct lit_models *models = session_ask_models(settings, program);
    const struct lit_models *beside =
        program->models && !asks_machine(settings) ? program->models : &no_models;
    const char *visibility = builtin_or(beside->visibility, "hrf-direct");
    const char *persistency = builtin_or(beside->persistency, "epoch");
    if (!settings->model && !settings->persistency) {
        uint32_t pairs = each_expected_pair(settings, program, visit, context);
        if (pairs || (asks_machine(settings) && program->expect_count > 0))
            return pairs;
    }
    if (models) {
        const struct session_pair pair = {models->visibility, models->persistency, &models->span,
                                          models};
        visit(context, &pair);
        return 1;
    }
    SCOPED(arena) arena = {0};
    session_machine_pair(&arena, settings, asks_machine(settings) ? program->models : NULL,
                         &visibility, &persistency);
    const struct session_pair pair = session_pair_or(settings, visibility, persistency);
    visit(context, &pair);
    return 1;
}

/* ---- Hosts ---- */

struct warning {
    const struct session_settings *settings;
    struct session_models *models;
    const struct lit_program *program;
    const char *folder;
    struct diag *diag;
    bool told;
};

/* A GPU's work-item may launch, too; alone in its kernel it is most likely of the host. */
static void warn_of_host(const struct lit_thread *threads, uint32_t count, uint32_t number,
                         const struct cat_model *model, struct diag *diag)
{
    const struct lit_thread *thread = &threads[number];
    const char *header = arena_printf(&diag->arena, "P%u", thread->number);
    const char *meant = arena_printf(&diag->arena, "%s{cpu}", header);
    bool alone =
        !ANY(t, count, t != number && lit_same_instance(&threads[t], thread, LIT_SCOPE_KR));
    diag_warning(diag, DIAG_LIT_LAUNCH, thread->span,
                 "%s launches or joins kernels and is launched by nobody, and %s + %s takes a "
                 "work-item without the tag 'cpu' for one of the GPU; if it is of the host, write "
                 "%s, else have a host launch its kernel",
                 thread->name, model->visibility, model->persistency, meant);
    if (!thread->tags && alone)
        diag_meant_by(diag, thread->span, header, meant);
}

static bool warn_of_each(const struct lit_program *program, const struct lit_thread *threads,
                         uint32_t count, const struct cat_model *model, struct diag *diag)
{
    bool told = false;
    for (uint32_t t = 0; t < count; t++)
        if (meaning_lacks_host(program, model, &threads[t])) {
            warn_of_host(threads, count, t, model, diag);
            told = true;
        }
    return told;
}

bool session_ask_hosts_under(const struct lit_program *program, const struct cat_model *model,
                             struct diag *diag)
{
    bool told = warn_of_each(program, program->threads, program->thread_count, model, diag);
    return warn_of_each(program, program->recovery, program->recovery_count, model, diag) || told;
}

static void warn_of_hosts(void *context, const struct session_pair *pair)
{
    struct warning *warning = context;
    const struct cat_asker asker = session_pair_asker(warning->settings, warning->folder, pair);
    const struct session_model *model =
        warning->told
            ? NULL
            : session_models_get(warning->models, &asker, pair->visibility, pair->persistency);
    if (model && model->model)
        warning->told = session_ask_hosts_under(warning->program, model->model, warning->diag);
}

void session_ask_hosts(const struct session_settings *settings, struct session_models *models,
                       const struct lit_program *program, const char *folder, struct diag *diag)
{
    struct warning warning = {settings, models, program, folder, diag, false};
    if (ANY(i, program->thread_count, program->threads[i].hosts) ||
        ANY(i, program->recovery_count, program->recovery[i].hosts))
        session_ask_each_pair(settings, program, warn_of_hosts, &warning);
}

static bool has_wide(const struct lit_thread *threads, uint32_t count)
{
    return ANY(t, count,
               ANY(i, threads[t].code_count,
                   threads[t].code[i].wide && threads[t].code[i].op == LIT_STORE));
}

static void warn_of_torn(void *context, const struct session_pair *pair)
{
    struct warning *warning = context;
    const struct cat_asker asker = session_pair_asker(warning->settings, warning->folder, pair);
    const struct session_model *model =
        warning->told
            ? NULL
            : session_models_get(warning->models, &asker, pair->visibility, pair->persistency);
    uint32_t units = 0;
    const struct lit_instr *torn =
        model && model->model ? meaning_torn(warning->program, model->model, &units) : NULL;
    if (!torn)
        return;
    warning->told = true;
    diag_warning(warning->diag, DIAG_LIT_LOST, torn->span,
                 "a crash may tear this store: %s + %s keeps a unit of persistence whole, and it "
                 "is of %u units; what relies on all of it needs a mark that is durable after it",
                 pair->visibility, pair->persistency, units);
}

void session_ask_torn(const struct session_settings *settings, struct session_models *models,
                      const struct lit_program *program, const char *folder, struct diag *diag)
{
    struct warning warning = {settings, models, program, folder, diag, false};
    if (has_wide(program->threads, program->thread_count) ||
        has_wide(program->recovery, program->recovery_count))
        session_ask_each_pair(settings, program, warn_of_torn, &warning);
}
