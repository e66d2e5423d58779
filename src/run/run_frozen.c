#include "run/run_frozen.h"

#include "base/build.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "document/report_json.h"
#include "run/run_record.h"
#include "session/session_answers.h"
#include "session/session_digest.h"
#include "session/session_machines.h"

#include <jansson.h>
#include <string.h>

/* A text that something had. Both are in its name, which a set has once. */
struct run_frozen_text {
    const char *name;
    UT_hash_handle hh;
};

struct reading {
    struct run_frozen *frozen;
    struct diag *diag;
    size_t answers;
    bool refused; /* another build was told */
};

void run_frozen_fini(struct run_frozen *frozen)
{
    HASH_CLEAR(hh, frozen->texts);
    arena_fini(&frozen->arena);
}

/* With a digest it is the name of a text, without one of what may have several. */
static const char *pair_name(struct arena *arena, const char *visibility, const char *persistency,
                             const char *digest)
{
    return arena_printf(arena, "pair\n%s\n%s\n%s", visibility, persistency, digest);
}

static const char *machine_name(struct arena *arena, const char *engine, const char *machine,
                                const char *digest)
{
    return arena_printf(arena, "machine\n%s\n%s\n%s", engine, machine, digest);
}

static bool has(const struct run_frozen *frozen, const char *name)
{
    struct run_frozen_text *text;
    HASH_FIND_STR(frozen->texts, name, text);
    return text != NULL;
}

static void add(struct run_frozen *frozen, const char *name)
{
    if (has(frozen, name))
        return;
    struct run_frozen_text *text = ARENA_NEW(&frozen->arena, struct run_frozen_text);
    text->name = arena_strdup(&frozen->arena, name);
    HASH_ADD_KEYPTR(hh, frozen->texts, text->name, strlen(text->name), text);
}

static void refuse_build(struct reading *reading, const struct run_record *record,
                         const json_t *json)
{
    if (!reading->refused)
        diag_error(reading->diag, DIAG_CLI_FROZEN, NOWHERE,
                   "'%s', line %u: found an answer of crashlit %s with sources %s, expected one of "
                   "this program ('crashlit --version -v' has its sources); ask the program that "
                   "the records are of, or check anew without --frozen",
                   record->source, record->number, run_record_text(json, "version"),
                   run_record_text(json, "build"));
    reading->refused = true;
}

static void note(void *context, const struct run_record *record, const json_t *json)
{
    struct reading *reading = context;
    struct run_frozen *frozen = reading->frozen;
    const char *machine = json_string_value(json_object_get(json, "machine"));
    SCOPED(arena) arena = {0};
    if (run_record_is_failure(record))
        return;
    reading->answers++;
    if (strcmp(run_record_text(json, "build"), base_build) != 0)
        refuse_build(reading, record, json);
    add(frozen, pair_name(&arena, record->model, record->persistency, ""));
    add(frozen, pair_name(&arena, record->model, record->persistency,
                          record->model_digest ? record->model_digest : "unknown"));
    if (!machine)
        return;
    add(frozen, machine_name(&arena, record->engine, machine, ""));
    add(frozen,
        machine_name(&arena, record->engine, machine, run_record_text(json, "question_digest")));
}

bool run_frozen_read(struct run_frozen *frozen, const char *path, uint32_t memory_mib,
                     struct diag *diag)
{
    const uint32_t before = diag->errors;
    struct reading reading = {.frozen = frozen, .diag = diag};
    struct run_records records;
    run_records_init(&records);
    records.given.memory_mib = memory_mib;
    records.visit = note;
    records.context = &reading;
    if (run_records_read(&records, path, diag) && reading.answers == 0)
        run_records_refuse_empty(path, diag);
    run_records_refuse_cuts(&records, false, diag);
    run_records_fini(&records);
    return diag->errors == before;
}

/* `any` has no digest, `text` has that of now. */
static const char *fault_of(const struct run_frozen *frozen, struct arena *arena, const char *any,
                            const char *text, const char *what)
{
    if (has(frozen, text))
        return NULL;
    return arena_printf(
        arena,
        has(frozen, any) ? "not as frozen: the records have %s with another text or other options"
                         : "not as frozen: the records have no answer of %s",
        what);
}

static const char *fault_of_machine(const struct run_frozen *frozen, struct arena *arena,
                                    const struct session_settings *settings,
                                    const struct session_pair *pair,
                                    const struct engine_entry *engine)
{
    char digits[REPORT_DIGEST_SIZE];
    const char *machine =
        session_machine_name(arena, settings, pair->visibility, pair->persistency);
    report_digest(session_digest_question(settings, engine), digits);
    return fault_of(frozen, arena, machine_name(arena, engine->name, machine, ""),
                    machine_name(arena, engine->name, machine, digits),
                    arena_printf(arena, "the machine %s", machine));
}

const char *run_frozen_fault(const struct run_frozen *frozen, struct arena *arena,
                             const struct session_settings *settings,
                             const struct session_pair *pair, const struct cat_model *model)
{
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    const char *visibility = utf8_name(arena, pair->visibility);
    const char *persistency = utf8_name(arena, pair->persistency);
    char digits[REPORT_DIGEST_SIZE];
    report_digest(model->digest, digits);
    const char *fault =
        fault_of(frozen, arena, pair_name(arena, visibility, persistency, ""),
                 pair_name(arena, visibility, persistency, digits), "this model pair");
    const uint32_t count =
        session_answers_engines(settings, pair->visibility, pair->persistency, engines);
    for (uint32_t i = 0; i < count && !fault; i++)
        if (engines[i]->trace)
            fault = fault_of_machine(frozen, arena, settings, pair, engines[i]);
    return fault;
}
