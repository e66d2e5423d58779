#include "run/run_resume.h"

#include "base/build.h"
#include "base/utf8.h"
#include "document/report_json.h"
#include "session/session_answers.h"
#include "session/session_digest.h"
#include "session/session_machines.h"

#include <jansson.h>
#include <string.h>

/* One test under one model pair by one engine. */
struct question {
    const struct session_settings *settings;
    const struct lit_program *program;
    const struct session_pair *pair;
    const struct cat_model *model;
    const struct engine_entry *engine;
    const char *machine; /* its name; NULL for other engines */
    enum lit_verdict expected;
    bool narrowest; /* its record tells of that */
};

/* Has the object the text? NULL: it must not have it. */
static bool has_text(const json_t *json, const char *name, const char *text)
{
    const char *found = json_string_value(json_object_get(json, name));
    return found && text ? strcmp(found, text) == 0 : found == text;
}

static bool asks_condition(const json_t *asked, const struct lit_condition *condition)
{
    return has_text(asked, "kind", report_condition_kind(condition)) &&
           has_text(asked, "text", condition->text);
}

static bool asks_conditions(const json_t *asked, const struct lit_program *program)
{
    return json_array_size(asked) == program->condition_count &&
           ALL(i, program->condition_count,
               asks_condition(json_array_get(asked, i), &program->conditions[i]));
}

/* That property takes the place of conditions; another one becomes a condition. */
static bool asks_property(const json_t *json, const struct session_settings *settings)
{
    bool asked = json_object_get(json, "property") != NULL;
    return asked == (settings->property == SESSION_IDEMPOTENT_RECOVERY);
}

static bool has_digest(const json_t *json, const char *name, uint64_t digest)
{
    char digits[REPORT_DIGEST_SIZE];
    report_digest(digest, digits);
    return has_text(json, name, digits);
}

static bool asks_same(const json_t *json, const struct question *question)
{
    const struct lit_program *program = question->program;
    enum exec_crash_mode crash = session_crash_mode(question->settings, program);
    return has_digest(json, "test_digest", program->digest) &&
           has_digest(json, "model_digest", question->model->digest) &&
           has_digest(json, "question_digest",
                      session_digest_question(question->settings, question->engine)) &&
           has_text(json, "build", base_build) && has_text(json, "test", program->name) &&
           has_text(json, "machine", question->machine) &&
           has_text(json, "crash", report_crash_mode(crash)) &&
           has_text(json, "expected", lit_verdict_text(question->expected)) &&
           asks_property(json, question->settings) &&
           asks_conditions(json_object_get(json, "conditions"), program);
}

/* Whether less would do is a question of its own: one that was asked and answered, where it is
 * asked of this engine's record. */
static bool tells_narrowest(const json_t *json, const struct question *question)
{
    const json_t *told = json_object_get(json, "narrowest");
    return !question->narrowest || (told && (!json_is_true(json_object_get(told, "asked")) ||
                                             json_is_true(json_object_get(told, "complete"))));
}

static bool answers(const struct run_record *record, const struct question *question)
{
    if (!run_record_decides(record))
        return false;
    json_t *json = run_record_json(record);
    bool enough = !session_wants_states(question->settings) ||
                  !json_is_true(json_object_get(json, "decided"));
    bool same = asks_same(json, question) && tells_narrowest(json, question);
    json_decref(json);
    return enough && same;
}

static const struct run_record *find_record(const struct run_records *earlier,
                                            const struct question *question, struct arena *arena)
{
    const char *key = run_record_key(
        arena, question->program->source->name, utf8_name(arena, question->pair->visibility),
        utf8_name(arena, question->pair->persistency), question->engine->name);
    const struct run_record *record = run_records_find(earlier, key);
    while (record && !answers(record, question))
        record = run_records_before(earlier, record);
    return record;
}

uint32_t run_resume_find(const struct run_records *earlier, const struct session_settings *settings,
                         const struct lit_program *program, const struct session_pair *pair,
                         const struct cat_model *model, const struct run_record **records)
{
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    uint32_t found = 0, count = 0;
    SCOPED(arena) arena = {0};
    if (earlier->items.count)
        count = session_answers_engines(settings, pair->visibility, pair->persistency, engines);
    while (found < count) {
        const char *engine = engines[found]->name;
        const struct lit_expect *expect =
            session_ask_expectation(program, pair->visibility, pair->persistency, engine);
        const struct question question = {
            settings,
            program,
            pair,
            model,
            engines[found],
            engines[found]->trace
                ? session_machine_name(&arena, settings, pair->visibility, pair->persistency)
                : NULL,
            session_ask_expected(expect),
            settings->narrowest && found == 0};
        if (!(records[found] = find_record(earlier, &question, &arena)))
            break;
        found++;
    }
    return found == count ? count : 0;
}
