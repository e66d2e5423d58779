#include "run/run_known.h"

#include "base/utf8.h"
#include "document/report_json.h"
#include "engine/outcome.h"
#include "litmus/lit_program.h"

#include <jansson.h>
#include <string.h>

bool run_known_read(struct run_records *known, const struct run_plan *plan, struct diag *diag)
{
    const uint32_t before = diag->errors;
    known->given.memory_mib = plan->settings->memory_mib;
    if (plan->policy.known && run_records_read(known, plan->policy.known, diag))
        run_records_refuse_cuts(known, false, diag);
    return diag->errors == before;
}

/* Of a record, or of an answer. */
struct condition {
    const char *kind, *text, *verdict;
};

struct answer {
    const char *verdict, *expected,
        *question; /* the last: the digest of what was asked, in digits */
    struct condition *conditions;
    size_t count;
    const char **undefined, **flags; /* names */
    size_t undefined_count, flag_count;
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

static bool names_undefined(const json_t *undefined, const char *name)
{
    return ANY(i, json_array_size(undefined),
               strcmp(run_record_text(json_array_get(undefined, i), "kind"), name) == 0);
}

static bool names_flag(const json_t *flags, const char *name)
{
    return ANY(i, json_array_size(flags),
               text_same(json_string_value(json_array_get(flags, i)), name));
}

/* Was the same asked, and does all that fails now fail there? */
static bool is_all_covered(const struct run_record *record, const struct answer *answer)
{
    json_t *json = run_record_json(record);
    const json_t *conditions = json_object_get(json, "conditions");
    const json_t *undefined = json_object_get(json, "undefined");
    const json_t *flags = json_object_get(json, "flags");
    bool covered =
        ALL(i, answer->count, is_covered(conditions, &answer->conditions[i])) &&
        ALL(i, answer->undefined_count, names_undefined(undefined, answer->undefined[i])) &&
        ALL(i, answer->flag_count, names_flag(flags, answer->flags[i]));
    json_decref(json);
    return covered;
}

static bool asks_same(const struct run_record *record, const struct answer *answer)
{
    json_t *json = run_record_json(record);
    const bool same = strcmp(run_record_text(json, "question_digest"), answer->question) == 0;
    json_decref(json);
    return same;
}

static bool differs(const struct run_record *record)
{
    return strcmp(record->verdict, record->expected) != 0;
}

static enum run_known judge(const struct run_record *known, const struct answer *answer)
{
    if (!known || !differs(known) || !asks_same(known, answer))
        return RUN_KNOWN_NOTHING;
    if (strcmp(answer->verdict, answer->expected) == 0)
        return RUN_KNOWN_PASSES;
    return strcmp(answer->verdict, known->verdict) == 0 &&
                   strcmp(answer->expected, known->expected) == 0 && is_all_covered(known, answer)
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

static void add_undefined(struct arena *arena, const struct outcome *outcome, struct answer *answer)
{
    answer->undefined_count = outcome->undefined.count;
    answer->undefined = ARENA_ARRAY(arena, const char *, answer->undefined_count);
    for (size_t i = 0; i < answer->undefined_count; i++)
        answer->undefined[i] = outcome->undefined.items[i].name;
    answer->flag_count = outcome->flags.count;
    answer->flags = ARENA_ARRAY(arena, const char *, answer->flag_count);
    for (size_t i = 0; i < answer->flag_count; i++)
        answer->flags[i] = outcome->flags.items[i];
}

enum run_known run_known_answer(const struct run_records *known, const struct report_test *test)
{
    SCOPED(arena) arena = {0};
    char question[REPORT_DIGEST_SIZE];
    struct answer answer = {.verdict = lit_verdict_text(test->verdict),
                            .expected = lit_verdict_text(test->expected),
                            .question = question};
    if (known->items.count == 0)
        return RUN_KNOWN_NOTHING;
    const char *key = run_record_key(&arena, test->program->source->name,
                                     utf8_name(&arena, test->model->visibility),
                                     utf8_name(&arena, test->model->persistency), test->engine);
    const struct run_record *record = run_records_find(known, key);
    report_digest(test->question_digest, question);
    if (record) {
        add_conditions(&arena, test, &answer);
        add_undefined(&arena, test->outcome, &answer);
    }
    return judge(record, &answer);
}

/* Its texts live as long as its JSON. */
static void read_answer(struct arena *arena, const json_t *json, struct answer *answer)
{
    const json_t *conditions = json_object_get(json, "conditions");
    const json_t *undefined = json_object_get(json, "undefined");
    const json_t *flags = json_object_get(json, "flags");
    answer->question = run_record_text(json, "question_digest");
    answer->count = json_array_size(conditions);
    answer->conditions = ARENA_ARRAY(arena, struct condition, answer->count);
    for (size_t i = 0; i < answer->count; i++) {
        const json_t *condition = json_array_get(conditions, i);
        answer->conditions[i] = (struct condition){run_record_text(condition, "kind"),
                                                   run_record_text(condition, "text"),
                                                   run_record_text(condition, "verdict")};
    }
    answer->undefined_count = json_array_size(undefined);
    answer->undefined = ARENA_ARRAY(arena, const char *, answer->undefined_count);
    for (size_t i = 0; i < answer->undefined_count; i++)
        answer->undefined[i] = run_record_text(json_array_get(undefined, i), "kind");
    answer->flag_count = json_array_size(flags);
    answer->flags = ARENA_ARRAY(arena, const char *, answer->flag_count);
    for (size_t i = 0; i < answer->flag_count; i++)
        answer->flags[i] = json_string_value(json_array_get(flags, i));
}

enum run_known run_known_record(const struct run_records *known, const struct run_record *record)
{
    SCOPED(arena) arena = {0};
    struct answer answer = {.verdict = record->verdict, .expected = record->expected};
    const struct run_record *found = run_records_find(known, record->key);
    if (!found)
        return RUN_KNOWN_NOTHING;
    json_t *json = run_record_json(record);
    read_answer(&arena, json, &answer);
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
