#include "run/run_known.h"

#include "base/utf8.h"
#include "engine/outcome.h"
#include "litmus/lit_program.h"

#include <jansson.h>
#include <string.h>

/* Of a record, or of an answer. */
struct condition {
    const char *kind, *text, *verdict;
};

struct answer {
    const char *verdict, *expected;
    struct condition *conditions;
    size_t count;
};

static bool fails_so(const json_t *known, const struct condition *condition)
{
    return strcmp(run_record_text(known, "kind"), condition->kind) == 0 &&
           strcmp(run_record_text(known, "text"), condition->text) == 0 &&
           strcmp(run_record_text(known, "verdict"), condition->verdict) == 0;
}

static bool is_covered(const json_t *known, const struct condition *condition)
{
    return strcmp(condition->verdict, lit_verdict_text(LIT_OK)) == 0 ||
           ANY(i, json_array_size(known), fails_so(json_array_get(known, i), condition));
}

static bool are_covered(const struct run_record *record, const struct answer *answer)
{
    json_t *json = run_record_json(record);
    const json_t *known = json_object_get(json, "conditions");
    bool covered = ALL(i, answer->count, is_covered(known, &answer->conditions[i]));
    json_decref(json);
    return covered;
}

static bool differs(const struct run_record *record)
{
    return strcmp(record->verdict, record->expected) != 0;
}

static enum run_known judge(const struct run_record *known, const struct answer *answer)
{
    if (!known || !differs(known))
        return RUN_KNOWN_NOTHING;
    if (strcmp(answer->verdict, answer->expected) == 0)
        return RUN_KNOWN_PASSES;
    return strcmp(answer->verdict, known->verdict) == 0 &&
                   strcmp(answer->expected, known->expected) == 0 && are_covered(known, answer)
               ? RUN_KNOWN_FAILS
               : RUN_KNOWN_NOTHING;
}

/* Where a property is judged there is nothing else to compare. */
static void add_conditions(struct arena *arena, const struct report_test *test,
                           struct answer *answer)
{
    const struct lit_program *program = test->program;
    if (test->idempotence)
        return;
    answer->conditions = ARENA_ARRAY(arena, struct condition, program->condition_count);
    answer->count = program->condition_count;
    for (size_t i = 0; i < answer->count; i++) {
        const struct lit_condition *condition = &program->conditions[i];
        enum lit_verdict verdict = outcome_judge(test->outcome, program, condition).verdict;
        answer->conditions[i] = (struct condition){report_condition_kind(condition),
                                                   condition->text, lit_verdict_text(verdict)};
    }
}

enum run_known run_known_answer(const struct run_records *known, const struct report_test *test)
{
    SCOPED(arena) arena = {0};
    struct answer answer = {lit_verdict_text(test->verdict), lit_verdict_text(test->expected), NULL,
                            0};
    if (known->items.count == 0)
        return RUN_KNOWN_NOTHING;
    const char *key = run_record_key(&arena, test->program->source->name,
                                     utf8_name(&arena, test->model->visibility),
                                     utf8_name(&arena, test->model->persistency), test->engine);
    const struct run_record *record = run_records_find(known, key);
    if (record)
        add_conditions(&arena, test, &answer);
    return judge(record, &answer);
}

enum run_known run_known_record(const struct run_records *known, const struct run_record *record)
{
    SCOPED(arena) arena = {0};
    struct answer answer = {record->verdict, record->expected, NULL, 0};
    const struct run_record *found = run_records_find(known, record->key);
    if (!found)
        return RUN_KNOWN_NOTHING;
    json_t *json = run_record_json(record);
    const json_t *conditions = json_object_get(json, "conditions");
    answer.count = json_array_size(conditions);
    answer.conditions = ARENA_ARRAY(&arena, struct condition, answer.count);
    for (size_t i = 0; i < answer.count; i++) {
        const json_t *condition = json_array_get(conditions, i);
        answer.conditions[i] = (struct condition){run_record_text(condition, "kind"),
                                                  run_record_text(condition, "text"),
                                                  run_record_text(condition, "verdict")};
    }
    enum run_known news = judge(found, &answer);
    json_decref(json);
    return news;
}

void run_known_tell(const char *file, const char *visibility, const char *persistency,
                    struct strbuf *err)
{
    SCOPED(strbuf) pair = {0};
    report_pair(visibility, persistency, &pair);
    diag_say(err, "%s under %s is as expected, and known to fail: take its record out of --known",
             file, strbuf_text(&pair));
}
