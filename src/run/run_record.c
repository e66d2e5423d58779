/* jansson parses one line at a time, so a file may have any size; a line has a bound. */
#include "run/run_record.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "litmus/lit_program.h"
#include "run/run_await.h"
#include "run/run_pool.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct run_record_slot {
    const char *key;
    size_t last; /* of the key's records */
    UT_hash_handle hh;
};

void run_records_init(struct run_records *records)
{
    *records = (struct run_records){0};
}

void run_records_fini(struct run_records *records)
{
    HASH_CLEAR(hh, records->slots);
    VEC_FREE(&records->items);
    VEC_FREE(&records->cuts);
    arena_fini(&records->scratch);
    run_given_fini(&records->given);
    arena_fini(&records->arena);
}

/* The parts are separated by a byte that no text of a JSON line holds unescaped. */
const char *run_record_key(struct arena *arena, const char *file, const char *model,
                           const char *persistency, const char *engine)
{
    return arena_printf(arena, "%s\n%s\n%s\n%s", file, model, persistency, engine);
}

static void add_record(struct run_records *records, struct run_record record)
{
    struct run_record_slot *slot;
    HASH_FIND_STR(records->slots, record.key, slot);
    if (!slot) {
        slot = ARENA_NEW(&records->arena, struct run_record_slot);
        slot->key = record.key;
        slot->last = RUN_RECORD_NONE;
        HASH_ADD_KEYPTR(hh, records->slots, slot->key, strlen(slot->key), slot);
    }
    record.before = slot->last;
    slot->last = records->items.count;
    VEC_PUSH(&records->items, record);
}

/* NULL unless the object has the text. */
static const char *text_of(struct arena *arena, const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? arena_strdup(arena, text) : NULL;
}

static void refuse_record(const char *path, uint32_t number, const char *found, const char *detail,
                          struct diag *diag)
{
    diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
               "'%s', line %u: found %s%s, expected a line that crashlit check --format json "
               "prints",
               path, number, found, detail);
}

/* NULL unless the object says it. */
static const char *asked_of(struct arena *arena, const json_t *json)
{
    const json_t *asked = json_object_get(json, "asked");
    char *text = asked ? json_dumps(asked, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    const char *copy = text ? arena_strdup(arena, text) : NULL;
    base_free_foreign(text);
    return copy;
}

/* ---- Whether a verdict is that of its conditions ---- */

static enum lit_verdict verdict_of(const json_t *json)
{
    enum lit_verdict verdict = LIT_OK;
    while (verdict < LIT_ERROR &&
           strcmp(run_record_text(json, "verdict"), lit_verdict_text(verdict)) != 0)
        verdict++;
    return verdict;
}

/* A list of states, or a product of some. */
static bool has_rows(const json_t *json, const char *name)
{
    const json_t *rows = json_object_get(json, name);
    return json_is_object(rows) || json_array_size(rows) > 0;
}

/* Is it a fault that some property of the test asks for? */
static bool is_asked_for(const json_t *fault, const json_t *conditions)
{
    const json_t *condition, *other;
    size_t i, k;
    json_array_foreach (conditions, i, condition)
        json_array_foreach (json_object_get(condition, "faults"), k, other)
            if (json_equal(fault, other))
                return true;
    return false;
}

/* Is all that is undefined asked for, and nothing else asked where `alone`? */
static bool is_all_asked(const json_t *json, bool alone)
{
    const json_t *conditions = json_object_get(json, "conditions");
    const json_t *undefined = json_object_get(json, "undefined");
    const size_t count = json_array_size(conditions);
    if (alone)
        return count &&
               ALL(i, count, json_object_get(json_array_get(conditions, i), "faults") != NULL);
    return ALL(i, json_array_size(undefined),
               is_asked_for(json_array_get(undefined, i), conditions));
}

/* As outcome_verdict has it, in judge.h: what is undefined goes before what never ends, and that
 * before the worst of the conditions. Without a condition what is not known may stand for ok. */
static enum lit_verdict due_verdict(const json_t *json)
{
    const json_t *property = json_object_get(json, "property"), *condition;
    enum lit_verdict worst = LIT_OK;
    size_t i, count = json_array_size(json_object_get(json, "conditions"));
    if (property)
        return verdict_of(property);
    const bool told = is_all_asked(json, false);
    if (json_array_size(json_object_get(json, "undefined")) && !is_all_asked(json, true))
        return LIT_UNDEFINED;
    if (has_rows(json, "livelocks"))
        return LIT_ERROR;
    json_array_foreach (json_object_get(json, "conditions"), i, condition)
        if (verdict_of(condition) > worst && !(told && verdict_of(condition) == LIT_UNDEFINED))
            worst = verdict_of(condition);
    return count == 0 && verdict_of(json) == LIT_UNKNOWN ? LIT_UNKNOWN : worst;
}

/* A failure has no conditions. */
static bool is_verdict_due(const json_t *json, const struct run_record *record, struct diag *diag)
{
    enum lit_verdict due = due_verdict(json);
    if (run_record_is_failure(record) || strcmp(record->verdict, lit_verdict_text(due)) == 0)
        return true;
    diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
               "'%s', line %u: found the verdict %s of %s, expected %s, which is that of its "
               "conditions; the record was edited: take the line out, and check the test again",
               record->source, record->number, record->verdict, record->file,
               lit_verdict_text(due));
    return false;
}

static bool is_mapped(const json_t *json)
{
    return json_object_get(json_object_get(json, "asked"), "mapping") != NULL;
}

static void keep(struct run_records *records, struct run_record record, const json_t *json)
{
    record.asked = asked_of(&records->arena, json);
    record.line = arena_strdup(&records->arena, record.line);
    add_record(records, record);
}

static void read_line(struct run_records *records, const char *path, uint32_t number,
                      const struct strbuf *line, struct diag *diag)
{
    struct run_record record = {
        .source = path, .number = number, .line = line->text, .offset = records->offset};
    struct arena *arena = records->visit ? &records->scratch : &records->arena;
    const struct arena_mark mark = arena_mark(arena);
    json_error_t error;
    json_t *json = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &error);
    const char *missing = NULL;
    if (!json) {
        refuse_record(path, number, "no JSON object: ", error.text, diag);
        return;
    }
#define X(name)                                       \
    if (!(record.name = text_of(arena, json, #name))) \
        missing = #name;
    RUN_RECORD_KEY(X)
    RUN_RECORD_TEXTS(X)
#undef X
    if (json_integer_value(json_object_get(json, "schema")) != 1)
        refuse_record(path, number, "a record that is not of schema 1", "", diag);
    else if (missing)
        refuse_record(path, number, "a record without ", missing, diag);
    else if (is_verdict_due(json, &record, diag)) {
        record.text_digest = text_of(arena, json, "text_digest");
        record.model_digest = text_of(arena, json, "model_digest");
        record.is_mapped = is_mapped(json);
        record.key =
            run_record_key(arena, record.file, record.model, record.persistency, record.engine);
        if (records->visit)
            records->visit(records->context, &record, json);
        else
            keep(records, record, json);
    }
    if (records->visit)
        arena_rewind(arena, mark);
    json_decref(json);
}

/* A record that lacks but its line end is whole, as an object says where it ends. */
static bool is_cut_off(const struct strbuf *line)
{
    json_t *json = json_loadb(line->text, line->length, 0, NULL);
    json_decref(json);
    return !json;
}

size_t run_record_line(FILE *file, struct strbuf *line)
{
    int c;
    strbuf_clear(line);
    while (line->length <= RUN_RECORD_BYTES && (c = getc_unlocked(file)) != EOF) {
        strbuf_add_char(line, (char)c);
        if (c == '\n')
            break;
    }
    return line->length;
}

enum { MOST_REFUSED = 20 }; /* lines of a file that are told */

/* A file of something else is not read to its end, nor one when a signal has come. */
static bool may_go_on(const char *path, uint32_t number, uint32_t refused, struct diag *diag)
{
    if (number % 64 == 0 && run_pool_is_interrupted())
        return false;
    if (refused < MOST_REFUSED)
        return true;
    diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
               "'%s': found %d lines that are no records, and what is behind them is not read",
               path, (int)MOST_REFUSED);
    return false;
}

static bool is_known(const struct run_records *records, const struct strbuf *line, uint32_t number)
{
    return records->is_known && strlen(line->text) == line->length &&
           records->is_known(records->context, line->text, records->offset, number);
}

static void read_lines(struct run_records *records, FILE *file, const char *path, struct diag *diag)
{
    SCOPED(strbuf) line = {0};
    uint32_t number = 0, before = diag->errors;
    while (may_go_on(path, number, diag->errors - before, diag) && run_record_line(file, &line)) {
        const uint64_t next = records->offset + line.length;
        number++;
        if (!run_given_line(&records->given, path, &line, diag))
            break;
        if (line.length > RUN_RECORD_BYTES) {
            refuse_record(path, number, "a line of more than 64 MiB", "", diag);
            break;
        }
        if (line.text[line.length - 1] == '\n') {
            line.text[--line.length] = '\0';
        } else if (is_cut_off(&line)) {
            const struct run_cut cut = {arena_strdup(&records->arena, line.text), path, number};
            VEC_PUSH(&records->cuts, cut);
            break;
        }
        if (line.length > 0 && !is_known(records, &line, number))
            read_line(records, path, number, &line, diag);
        records->offset = next;
    }
    run_given_end(&records->given, path, diag);
}

bool run_records_read(struct run_records *records, const char *path, struct diag *diag)
{
    uint32_t before = diag->errors;
    const char *why;
    FILE *file = run_await_open(&records->arena, path, &why);
    if (!file) {
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
        return false;
    }
    records->offset = 0;
    read_lines(records, file, arena_strdup(&records->arena, path), diag);
    if (ferror(file))
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, strerror(errno));
    fclose(file);
    return diag->errors == before;
}

/* How much of a line tells which answer it is: up to the engine. No text of a line has these bytes,
 * as quotes within one are escaped. */
static size_t key_length(const char *line)
{
    const char *engine = strstr(line, "\"engine\":\"");
    const char *end = engine ? strchr(engine + strlen("\"engine\":\""), '"') : NULL;
    return end ? (size_t)(end - line) + 1 : strlen(line);
}

static bool is_said(const struct run_records *records, const struct run_cut *cut, bool beginning)
{
    size_t length = strlen(cut->text);
    for (size_t i = 0; i < records->items.count; i++) {
        const char *line = records->items.items[i].line;
        size_t key = key_length(line), compared = length < key ? length : key;
        if ((beginning || length >= key) && strncmp(line, cut->text, compared) == 0)
            return true;
    }
    return false;
}

void run_records_refuse_cuts(const struct run_records *records, bool beginning, struct diag *diag)
{
    EACH_IN (const struct run_cut, cut, records->cuts)
        if (!is_said(records, cut, beginning))
            diag_error(
                diag, DIAG_CLI_RECORD, NOWHERE,
                "'%s', line %u: found a record that is cut off, expected its end; the run was "
                "not finished: take it up again with --resume",
                cut->source, cut->number);
}

void run_records_refuse_empty(const char *path, struct diag *diag)
{
    diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
               "'%s': found no record, expected lines that crashlit check --format json prints",
               path);
}

const struct run_record *run_records_find(const struct run_records *records, const char *key)
{
    struct run_record_slot *slot;
    HASH_FIND_STR(records->slots, key, slot);
    return slot ? &records->items.items[slot->last] : NULL;
}

const struct run_record *run_records_before(const struct run_records *records,
                                            const struct run_record *record)
{
    return record->before == RUN_RECORD_NONE ? NULL : &records->items.items[record->before];
}

bool run_verdict_decides(const char *verdict)
{
    return strcmp(verdict, lit_verdict_text(LIT_UNKNOWN)) != 0 &&
           strcmp(verdict, lit_verdict_text(LIT_ERROR)) != 0;
}

bool run_record_decides(const struct run_record *record)
{
    return run_verdict_decides(record->verdict);
}

json_t *run_record_json(const struct run_record *record)
{
    json_t *json = json_loads(record->line, 0, NULL);
    BASE_CHECK(json);
    return json;
}

const char *run_record_text(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? text : "";
}

bool run_record_number(const json_t *json, const char *name, uint64_t *number)
{
    const json_t *member = json_object_get(json, name);
    *number = (uint64_t)json_integer_value(member);
    return json_is_integer(member) && json_integer_value(member) >= 0;
}

/* A record of another writer may have control characters as they are: C0 between values, others in
 * strings. */
static bool escape_control(struct strbuf *out, const char *character, size_t length)
{
    int control = utf8_control(character, length);
    if (control < 0)
        return false;
    if (control < 32)
        strbuf_add_char(out, ' ');
    else
        strbuf_printf(out, "\\u%04x", (unsigned)control);
    return true;
}

void run_record_escape(const char *line, struct strbuf *out)
{
    utf8_add_escaped(out, line, strlen(line), UTF8_REPLACEMENT, escape_control);
}

bool run_record_is_failure(const struct run_record *record)
{
    return record->engine[0] == '\0';
}

/* Time and memory, what identifies it, and what the rest is told by in reports. */
static const char *const aside[] = {
    "stats",   "asked", "text_digest", "test_digest", "model_digest", "question_digest", "build",
    "version", "title", "expectation", "findings",    "messages",     "explanation",     "accord"};

static bool is_aside(const char *name, size_t length)
{
    return ANY(i, sizeof aside / sizeof *aside,
               strlen(aside[i]) == length && memcmp(aside[i], name, length) == 0);
}

/* Behind the string that begins at `at`, quotes and all. */
static const char *end_of_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

/* The end of a member of the outermost object: a comma or its brace. */
static const char *end_of_member(const char *at)
{
    for (size_t depth = 0; *at && (depth || (*at != ',' && *at != '}'));) {
        if (*at == '"') {
            at = end_of_string(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    }
    return at;
}

uint64_t run_record_digest(const char *line)
{
    const char *at = strchr(line, '{'), *end;
    uint64_t digest = 1;
    for (at = at ? at + 1 : ""; *at && *at != '}'; at = end + (*end == ',')) {
        const char *name = at + strspn(at, " \t");
        const char *behind = *name == '"' ? end_of_string(name) : name;
        end = end_of_member(at);
        const struct source member = {.text = at, .length = (size_t)(end - at)};
        if (behind < name + 2 || !is_aside(name + 1, (size_t)(behind - name) - 2))
            digest = source_digest(digest, &member);
    }
    const struct source rest = {.text = at, .length = strlen(at)}; /* "}" of an object */
    return source_digest(digest, &rest);
}

json_t *run_record_read(struct arena *arena, const char *line, struct run_record *record)
{
    json_t *json = json_loads(line, 0, NULL);
    bool whole = json != NULL;
#define X(name) whole = whole && (record->name = text_of(arena, json, #name)) != NULL;
    RUN_RECORD_KEY(X)
    RUN_RECORD_TEXTS(X)
#undef X
    if (whole) {
        record->key =
            run_record_key(arena, record->file, record->model, record->persistency, record->engine);
        return json;
    }
    json_decref(json);
    return NULL;
}

bool run_record_same(const struct run_record *a, const struct run_record *b)
{
    json_t *left = run_record_json(a), *right = run_record_json(b);
    for (size_t i = 0; i < sizeof aside / sizeof *aside; i++) {
        json_object_del(left, aside[i]);
        json_object_del(right, aside[i]);
    }
    bool same = json_equal(left, right);
    json_decref(left);
    json_decref(right);
    return same;
}
