#include "run/run_wanted.h"

#include "base/utf8.h"
#include "session/session_answers.h"
#include "session/session_ask.h"
#include "session/session_machines.h"
#include "session/session_test.h"

#include <jansson.h>
#include <string.h>

/* ---- What was asked ---- */

/* As the command line had it. */
static const char *text_of(struct arena *arena, const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? utf8_bytes_of(arena, text) : NULL;
}

static void add_asked(struct run_wanted *wanted, const struct run_record *record, struct diag *diag)
{
    struct session_settings settings = {0};
    json_t *json = json_loads(record->asked, 0, NULL);
    settings.model = text_of(&wanted->arena, json, "model");
    settings.persistency = text_of(&wanted->arena, json, "persistency");
    settings.engine = text_of(&wanted->arena, json, "engine");
    settings.machine = text_of(&wanted->arena, json, "machine");
    if (json_is_true(json_object_get(json, "property")))
        settings.property = SESSION_RECOVERS_TO;
    json_decref(json);
    if (!settings.engine || !session_engine_find(settings.engine))
        diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s', line %u: found 'asked' without an engine of this program, expected one",
                   record->source, record->number);
    else if (settings.machine && !session_machine_is_in_reach(wanted->reach, settings.machine))
        diag_error(
            diag, DIAG_FILE_REACH, NOWHERE,
            "'%s', line %u: the machine '%s' is no file ending in .machine; permit its folder "
            "with --allow-path FOLDER",
            record->source, record->number, settings.machine);
    else if (session_machine_load(&wanted->arena, &settings, diag))
        VEC_PUSH(&wanted->asked, settings);
}

void run_wanted_init(struct run_wanted *wanted, const struct run_records *records,
                     const struct reach *reach, struct diag *diag)
{
    VEC(const char *) seen = {0};
    *wanted = (struct run_wanted){.records = records, .reach = reach};
    EACH_IN (const struct run_record, record, records->items) {
        bool fresh = record->asked != NULL;
        for (size_t k = 0; k < seen.count && fresh; k++)
            fresh = strcmp(seen.items[k], record->asked) != 0;
        if (!fresh)
            continue;
        VEC_PUSH(&seen, record->asked);
        add_asked(wanted, record, diag);
    }
    VEC_FREE(&seen);
}

void run_wanted_fini(struct run_wanted *wanted)
{
    VEC_FREE(&wanted->asked);
    arena_fini(&wanted->arena);
}

/* ---- What a test owes ---- */

struct debtor {
    const struct run_wanted *wanted;
    const struct session_settings *settings;
    const char *file;
    run_wanted_visit *visit;
    void *context;
    size_t owed, missing;
};

static bool has_record(const struct debtor *d, const char *model, const char *persistency,
                       const char *engine)
{
    SCOPED(arena) arena = {0};
    const char *key = run_record_key(&arena, d->file, utf8_name(&arena, model),
                                     utf8_name(&arena, persistency), engine);
    return run_records_find(d->wanted->records, key) != NULL;
}

static void owe_pair(void *context, const struct session_pair *pair)
{
    const char *model = pair->visibility, *persistency = pair->persistency;
    struct debtor *d = context;
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    uint32_t count = session_answers_engines(d->settings, model, persistency, engines);
    d->owed += count;
    for (uint32_t i = 0; i < count; i++) {
        if (has_record(d, model, persistency, engines[i]->name) ||
            has_record(d, model, persistency, ""))
            continue;
        d->missing++;
        if (d->visit)
            d->visit(d->context, d->file, model, persistency, engines[i]->name);
    }
}

static bool names_pair(const struct session_settings *settings)
{
    return settings->model || settings->persistency;
}

static void owe_each(struct debtor *d, const struct lit_program *program)
{
    d->owed = d->missing = 0;
    for (size_t i = 0; i < d->wanted->asked.count; i++) {
        struct lit_program asked = *program;
        d->settings = &d->wanted->asked.items[i];
        if (d->settings->property != SESSION_CONDITION)
            asked.expect_count = 0;
        session_ask_each_pair(d->settings, &asked, owe_pair, d);
    }
}

/* That the file as a whole failed answers everything, unless some answer has its place. */
static void owe_all(struct debtor *d, const struct lit_program *program)
{
    run_wanted_visit *visit = d->visit;
    d->visit = NULL;
    owe_each(d, program);
    d->visit = visit;
    if (d->missing < d->owed || !has_record(d, "", "", ""))
        owe_each(d, program);
}

/* Do its `expect` lines matter? */
static bool asks_test(const struct run_wanted *wanted)
{
    return ANY(i, wanted->asked.count,
               !names_pair(&wanted->asked.items[i]) &&
                   wanted->asked.items[i].property == SESSION_CONDITION);
}

static size_t each_missing(struct debtor *d, const char *path, struct strbuf *err, bool *readable)
{
    static const struct lit_program nothing = {.expect_count = 0};
    const struct session_settings settings = {.reach = *d->wanted->reach};
    struct session_test test;
    *readable = true;
    if (!asks_test(d->wanted)) {
        owe_all(d, &nothing);
        return d->owed;
    }
    SCOPED(strbuf) faults = {0};
    session_test_load(&test, &settings, path);
    diag_render(&test.diag, &faults);
    *readable = test.program || has_record(d, "", "", "");
    if (!*readable)
        strbuf_add(err, strbuf_text(&faults));
    if (test.program)
        owe_all(d, test.program);
    session_test_fini(&test);
    return d->owed;
}

size_t run_wanted_each_missing(const struct run_wanted *wanted, const char *path,
                               run_wanted_visit *visit, void *context, struct strbuf *err,
                               bool *readable)
{
    SCOPED(arena) arena = {0};
    struct debtor d = {
        .wanted = wanted, .file = utf8_name(&arena, path), .visit = visit, .context = context};
    return each_missing(&d, path, err, readable);
}
