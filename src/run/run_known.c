#include "run/run_known.h"

#include "base/utf8.h"
#include "document/report_json.h"
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

/* ---- What fails now, and what of it is known ---- */

static bool has_same(const json_t *a, const json_t *b, const char *name)
{
    return strcmp(run_record_text(a, name), run_record_text(b, name)) == 0;
}

static bool are_all_there(const json_t *now, const json_t *known,
                          bool (*same)(const json_t *, const json_t *))
{
    return ALL(
        i, json_array_size(now),
        ANY(k, json_array_size(known), same(json_array_get(now, i), json_array_get(known, k))));
}

/* Texts may be others, and so lines and accesses. */
static bool is_of_same_item(const json_t *now, const json_t *known)
{
    return json_equal(json_object_get(now, "thread"), json_object_get(known, "thread")) &&
           json_is_true(json_object_get(now, "recovery")) ==
               json_is_true(json_object_get(known, "recovery"));
}

static bool is_same_kind(const json_t *now, const json_t *known)
{
    return has_same(now, known, "kind");
}

static bool is_same_fault(const json_t *now, const json_t *known)
{
    const json_t *events = json_object_get(now, "events");
    const json_t *others = json_object_get(known, "events");
    return is_same_kind(now, known) && json_array_size(events) == json_array_size(others) &&
           are_all_there(events, others, is_of_same_item);
}

static bool is_same_flag(const json_t *now, const json_t *known)
{
    return json_equal(now, known);
}

/* Were all states listed? Else whoever comes first says which fault there is. */
static bool is_listing(const json_t *json)
{
    return !json_is_true(json_object_get(json, "decided")) && !json_object_get(json, "doubt");
}

static bool are_faults_there(const json_t *now, const json_t *known, const char *name, bool listed)
{
    return are_all_there(json_object_get(now, name), json_object_get(known, name),
                         listed ? is_same_fault : is_same_kind);
}

static bool fails_so(const json_t *known, const json_t *condition, bool listed)
{
    return has_same(known, condition, "kind") && has_same(known, condition, "text") &&
           has_same(known, condition, "verdict") &&
           are_faults_there(condition, known, "faults", listed);
}

static bool is_covered(const json_t *known, const json_t *condition, bool listed)
{
    return strcmp(run_record_text(condition, "verdict"), lit_verdict_text(LIT_OK)) == 0 ||
           ANY(i, json_array_size(known), fails_so(json_array_get(known, i), condition, listed));
}

/* Where a property is judged no condition is. */
static bool are_conditions_covered(const json_t *now, const json_t *known, bool listed)
{
    const json_t *conditions = json_object_get(now, "conditions");
    return json_object_get(now, "property") ||
           ALL(i, json_array_size(conditions),
               is_covered(json_object_get(known, "conditions"), json_array_get(conditions, i),
                          listed));
}

static bool fails_as_known(const json_t *now, const json_t *known)
{
    const bool listed = is_listing(now) && is_listing(known);
    return has_same(now, known, "verdict") && has_same(now, known, "expected") &&
           are_conditions_covered(now, known, listed) &&
           are_faults_there(now, known, "undefined", listed) &&
           are_all_there(json_object_get(now, "flags"), json_object_get(known, "flags"),
                         is_same_flag);
}

/* ---- Answers ---- */

/* The last record of the question; NULL: none. */
static json_t *find(const struct run_records *known, const char *key, const char *digest)
{
    const struct run_record *record = run_records_find(known, key);
    for (; record; record = run_records_before(known, record)) {
        json_t *json = run_record_json(record);
        if (strcmp(run_record_text(json, "question_digest"), digest) == 0)
            return json;
        json_decref(json);
    }
    return NULL;
}

static bool passes(const json_t *json)
{
    return strcmp(run_record_text(json, "verdict"), run_record_text(json, "expected")) == 0;
}

/* Of a record and what is known of its question. */
static bool judge(const json_t *now, const json_t *known, struct strbuf *err)
{
    SCOPED(strbuf) pair = {0};
    if (passes(known))
        return false;
    if (!passes(now))
        return fails_as_known(now, known);
    report_pair(run_record_text(now, "model"), run_record_text(now, "persistency"), &pair);
    diag_say(err, "%s under %s is as expected, and known to fail: take its record out of --known",
             run_record_text(now, "file"), strbuf_text(&pair));
    return false;
}

bool run_known_record(const struct run_records *known, const struct run_record *record,
                      struct strbuf *err)
{
    if (!run_records_find(known, record->key))
        return false;
    json_t *now = run_record_json(record);
    json_t *found = find(known, record->key, run_record_text(now, "question_digest"));
    const bool fails = found && judge(now, found, err);
    json_decref(found);
    json_decref(now);
    return fails;
}

bool run_known_answer(const struct run_records *known, const struct report_test *test,
                      struct strbuf *err)
{
    SCOPED(arena) arena = {0};
    SCOPED(strbuf) line = {0};
    struct run_record record = {.key = run_record_key(&arena, test->program->source->name,
                                                      utf8_name(&arena, test->model->visibility),
                                                      utf8_name(&arena, test->model->persistency),
                                                      test->engine)};
    if (!run_records_find(known, record.key))
        return false;
    report_json(test, &line);
    record.line = strbuf_text(&line);
    return run_known_record(known, &record, err);
}
