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

/* Of what has two texts nobody knows which is meant; each is told once. */
static void hold(struct reading *reading, const struct run_record *record, const char *any,
                 const char *text, const char *what)
{
    struct run_frozen *frozen = reading->frozen;
    if (!has(frozen, any) || has(frozen, text)) {
        add(frozen, any);
        add(frozen, text);
        return;
    }
    const char *told = arena_printf(&frozen->arena, "told\n%s", any);
    if (!has(frozen, told))
        diag_error(
            reading->diag, DIAG_CLI_FROZEN, NOWHERE,
            "'%s', line %u: found an answer by another text of %s than before, or with other "
            "options, expected one; leave the records of the other out",
            record->source, record->number, what);
    add(frozen, told);
}

static void hold_pair(struct reading *reading, const struct run_record *record,
                      const char *visibility, const char *persistency, const char *digest)
{
    SCOPED(arena) arena = {0};
    SCOPED(strbuf) what = {0};
    report_pair(visibility, persistency, &what);
    hold(reading, record, pair_name(&arena, visibility, persistency, ""),
         pair_name(&arena, visibility, persistency, digest), strbuf_text(&what));
}

static void hold_machine(struct reading *reading, const struct run_record *record,
                         const char *machine, const char *digest)
{
    SCOPED(arena) arena = {0};
    hold(reading, record, machine_name(&arena, record->engine, machine, ""),
         machine_name(&arena, record->engine, machine, digest), machine);
}

static void hold_source(struct reading *reading, const struct run_record *record,
                        const json_t *refines)
{
    const json_t *found = json_object_get(refines, "found");
    const char *visibility = json_string_value(json_array_get(found, 0));
    const char *persistency = json_string_value(json_array_get(found, 1));
    if (visibility && persistency)
        hold_pair(reading, record, visibility, persistency,
                  run_record_text(refines, "model_digest"));
}

static void note(void *context, const struct run_record *record, const json_t *json)
{
    struct reading *reading = context;
    const char *machine = json_string_value(json_object_get(json, "machine"));
    const json_t *conditions = json_object_get(json, "conditions");
    if (run_record_is_failure(record))
        return;
    reading->answers++;
    if (strcmp(run_record_text(json, "build"), base_build) != 0)
        refuse_build(reading, record, json);
    hold_pair(reading, record, record->model, record->persistency,
              record->model_digest ? record->model_digest : "unknown");
    for (size_t i = 0; i < json_array_size(conditions); i++)
        hold_source(reading, record, json_object_get(json_array_get(conditions, i), "refines"));
    if (machine)
        hold_machine(reading, record, machine, run_record_text(json, "question_digest"));
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

static const char *fault_of_pair(const struct run_frozen *frozen, struct arena *arena,
                                 const char *visibility, const char *persistency, uint64_t digest,
                                 const char *what)
{
    char digits[REPORT_DIGEST_SIZE];
    const char *first = utf8_name(arena, visibility), *second = utf8_name(arena, persistency);
    report_digest(digest, digits);
    return fault_of(frozen, arena, pair_name(arena, first, second, ""),
                    pair_name(arena, first, second, digits), what);
}

static const char *fault_of_source(const struct run_frozen *frozen, struct arena *arena,
                                   const struct lit_refines *refines)
{
    SCOPED(strbuf) what = {0};
    if (!refines || !refines->own)
        return NULL;
    strbuf_add(&what, "the source's model pair ");
    report_pair(refines->found[0], refines->found[1], &what);
    return fault_of_pair(frozen, arena, refines->found[0], refines->found[1], refines->model_digest,
                         strbuf_text(&what));
}

const char *run_frozen_fault(const struct run_frozen *frozen, struct arena *arena,
                             const struct session_settings *settings,
                             const struct lit_program *program, const struct session_pair *pair,
                             const struct cat_model *model)
{
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    const char *fault = fault_of_pair(frozen, arena, pair->visibility, pair->persistency,
                                      model->digest, "this model pair");
    const uint32_t count =
        session_answers_engines(settings, pair->visibility, pair->persistency, engines);
    for (uint32_t i = 0; i < count && !fault; i++)
        if (engines[i]->trace)
            fault = fault_of_machine(frozen, arena, settings, pair, engines[i]);
    for (uint32_t i = 0; i < program->condition_count && !fault; i++)
        fault = fault_of_source(frozen, arena, program->conditions[i].refines);
    return fault;
}
