#include "run/run_search_records.h"

#include "base/source.h"
#include "run/run_await.h"
#include "run/run_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void run_search_records_init(struct run_search_records *records)
{
    *records = (struct run_search_records){0};
}

void run_search_records_fini(struct run_search_records *records)
{
    VEC_FREE(&records->items);
    run_given_fini(&records->given);
    arena_fini(&records->arena);
}

json_t *run_search_record_json(const struct run_search_record *record)
{
    json_t *json = json_loads(record->line, JSON_REJECT_DUPLICATES, NULL);
    BASE_CHECK(json);
    return json;
}

bool run_search_record_is_open(const json_t *json)
{
    return json_array_size(json_object_get(json, "open")) > 0;
}

static void refuse_record(const char *path, uint64_t line, struct diag *diag)
{
    diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
               "'%s', line %llu: found no line that crashlit distinguish, lattice or generate "
               "--format json prints",
               path, (unsigned long long)line);
}

static void take_line(struct run_search_records *records, const char *path, const char *text,
                      size_t length, uint64_t number, struct diag *diag)
{
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const char *search = json_string_value(json_object_get(json, "search"));
    struct run_search_record record = {.source = path, .unit = UINT64_MAX};
    if (json_integer_value(json_object_get(json, "schema")) != 1) {
        refuse_record(path, number, diag);
    } else if (search) {
        record.search = arena_strdup(&records->arena, search);
        record.line = arena_strndup(&records->arena, text, length);
        record.ended = json_is_true(json_object_get(json, "ended"));
        bool sound = run_record_number(json, "unit", &record.unit) ||
                     (run_record_number(json, "shard", &record.shard) &&
                      run_record_number(json, "shards", &record.shards) &&
                      run_record_number(json, "records", &record.count) && record.shards > 0);
        if (!json_object_get(json, "unit"))
            record.unit = UINT64_MAX;
        if (sound)
            VEC_PUSH(&records->items, record);
        else
            refuse_record(path, number, diag);
    }
    json_decref(json);
}

bool run_search_records_read(struct run_search_records *records, const char *path,
                             struct diag *diag)
{
    SCOPED(strbuf) line = {0};
    const char *why;
    uint32_t errors = diag->errors;
    FILE *file = run_await_open(&records->arena, path, &why);
    if (!file) {
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
        return false;
    }
    path = arena_strdup(&records->arena, path);
    for (uint64_t number = 1; run_record_line(file, &line) && diag->errors == errors; number++) {
        if (!run_given_line(&records->given, path, &line, diag))
            break;
        if (line.text[line.length - 1] == '\n' && line.length > 1)
            take_line(records, path, line.text, line.length - 1, number, diag);
    }
    run_given_end(&records->given, path, diag);
    if (ferror(file))
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, strerror(errno));
    fclose(file);
    return diag->errors == errors;
}

/* The order does not depend on that of the files. */
static int compare(const void *left, const void *right)
{
    const struct run_search_record *a = left, *b = right;
    int order = strcmp(a->search, b->search);
    if (order == 0 && a->unit != b->unit)
        order = a->unit < b->unit ? -1 : 1;
    return order ? order : strcmp(a->line, b->line);
}

void run_search_records_sort(struct run_search_records *records)
{
    if (records->items.count)
        qsort(records->items.items, records->items.count, sizeof *records->items.items, compare);
}
