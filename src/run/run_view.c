#include "run/run_view.h"

#include "base/utf8.h"

#include <jansson.h>
#include <string.h>

struct reader {
    struct arena *arena;
    const struct run_record *record;
    bool characters;
};

static const char *text_of(const struct reader *reader, const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? arena_strdup(reader->arena, text) : NULL;
}

static uint32_t number_of(const json_t *json, const char *name)
{
    uint64_t number;
    return run_record_number(json, name, &number) && number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* Nobody reads its text: columns are in the record as they are told. */
static const struct source *source_of(const struct reader *reader, const char *name)
{
    struct source *source = ARENA_NEW(reader->arena, struct source);
    source->name = name;
    source->path = utf8_bytes_of(reader->arena, name);
    source->text = "";
    return source;
}

static struct span place_of(const struct reader *reader, const json_t *json)
{
    const json_t *characters = json_object_get(json, "characters");
    const char *file = text_of(reader, json, "file");
    struct span span = {0};
    if (!json_is_object(json))
        return span;
    span = (struct span){source_of(reader, file ? file : reader->record->file),
                         number_of(json, "line"), number_of(json, "column"),
                         number_of(json, "end_line"), number_of(json, "end_column")};
    if (reader->characters && json_array_size(characters) == 2) {
        span.column = (uint32_t)json_integer_value(json_array_get(characters, 0));
        span.end_column = (uint32_t)json_integer_value(json_array_get(characters, 1));
    }
    return span;
}

static const char *fixes_of(const struct reader *reader, const json_t *json)
{
    const json_t *fixes = json_object_get(json, "fixes");
    char *text = json_is_array(fixes) ? json_dumps(fixes, JSON_COMPACT) : NULL;
    SCOPED(strbuf) escaped = {0};
    if (!text)
        return NULL;
    run_record_escape(text, &escaped);
    base_free_foreign(text);
    return arena_strdup(reader->arena, strbuf_text(&escaped));
}

static bool read_finding(const struct reader *reader, const json_t *json,
                         struct report_finding *finding)
{
    *finding = (struct report_finding){
        .kind = report_finding_of(run_record_text(json, "kind")),
        .message = text_of(reader, json, "message"),
        .span = place_of(reader, json_object_get(json, "at")),
        .related = place_of(reader, json_object_get(json, "related")),
        .related_message = text_of(reader, json, "related_message"),
        .source = place_of(reader, json_object_get(json, "source")),
        .related_source = place_of(reader, json_object_get(json, "related_source")),
        .launch = place_of(reader, json_object_get(json, "launch")),
        .fixes = fixes_of(reader, json)};
    return finding->kind != REPORT_FINDING_COUNT && finding->message &&
           (!finding->related.line || finding->related_message);
}

enum lit_verdict run_view_verdict(const char *word)
{
    enum lit_verdict verdict = LIT_OK;
    while (verdict < LIT_ERROR && strcmp(word, lit_verdict_text(verdict)) != 0)
        verdict++;
    return verdict;
}

static bool is_verdict(const char *word)
{
    return strcmp(word, lit_verdict_text(run_view_verdict(word))) == 0;
}

static const struct span *expectation_of(const struct reader *reader, const json_t *json)
{
    const json_t *place = json_object_get(json, "expectation");
    if (!place)
        return NULL;
    struct span *span = ARENA_NEW(reader->arena, struct span);
    *span = place_of(reader, place);
    return span;
}

/* Pictures, of records that have them. */
static size_t read_drawn(const struct reader *reader, const json_t *json,
                         const struct report_drawn **all)
{
    VEC(struct report_drawn) drawn = {0};
    size_t i, k;
    json_t *execution, *picture;
    json_array_foreach (json_object_get(json, "executions"), i, execution) {
        const char *kind = text_of(reader, execution, "kind");
        const char *words = text_of(reader, execution, "words");
        json_array_foreach (json_object_get(execution, "pictures"), k, picture) {
            const char *svg = json_string_value(picture);
            if (svg)
                VEC_PUSH(&drawn, (struct report_drawn){arena_strdup(reader->arena, svg),
                                                       kind ? kind : "", words ? words : ""});
        }
    }
    *all = VEC_KEEP(reader->arena, &drawn);
    const size_t count = drawn.count;
    VEC_FREE(&drawn);
    return count;
}

bool run_view_read(struct arena *arena, const struct run_record *record, const json_t *json,
                   bool characters, struct report_view *view)
{
    const struct reader reader = {arena, record, characters};
    const json_t *findings = json_object_get(json, "findings");
    const json_t *stats = json_object_get(json, "stats");
    const char *title = text_of(&reader, json, "title");
    const size_t count = json_array_size(findings);
    const uint32_t line = number_of(json, "line");
    struct report_finding *read = ARENA_ARRAY(arena, struct report_finding, count + 1);
    *view = (struct report_view){.file = record->file,
                                 .test = record->test,
                                 .title = title ? title : "",
                                 .visibility = record->model,
                                 .persistency = record->persistency,
                                 .engine = record->engine,
                                 .decided_by = text_of(&reader, json, "decided_by"),
                                 .verdict = run_view_verdict(record->verdict),
                                 .expected = run_view_verdict(record->expected),
                                 .expectation = expectation_of(&reader, json),
                                 .head = {source_of(&reader, record->file), line, 1, line, 1},
                                 .doubt = text_of(&reader, json, "doubt"),
                                 .reason =
                                     text_of(&reader, json_object_get(json, "property"), "reason"),
                                 .explanation = text_of(&reader, json, "explanation"),
                                 .seconds = json_number_value(json_object_get(stats, "seconds")),
                                 .findings = read,
                                 .finding_count = count};
    bool whole =
        json_is_array(findings) && is_verdict(record->verdict) && is_verdict(record->expected);
    if (view->verdict != view->expected)
        view->drawn_count = read_drawn(&reader, json, &view->drawn);
    for (size_t i = 0; i < count; i++)
        whole &= read_finding(&reader, json_array_get(findings, i), &read[i]);
    return whole;
}

static uint32_t count_vacuous(const json_t *conditions)
{
    uint32_t count = 0;
    for (size_t i = 0; i < json_array_size(conditions); i++)
        count += json_object_get(json_array_get(conditions, i), "vacuous") != NULL;
    return count;
}

struct run_answer run_view_answer(const struct run_record *record, const json_t *json, bool known,
                                  bool first)
{
    const json_t *narrowest = json_object_get(json, "narrowest");
    return (struct run_answer){
        .is_expected = strcmp(record->verdict, record->expected) == 0,
        .is_unknown = strcmp(record->verdict, lit_verdict_text(LIT_UNKNOWN)) == 0,
        .is_known = known,
        .is_disputed = json_is_true(json_object_get(json, "disputed")),
        .warns = json_array_size(json_object_get(json, "warnings")) > 0,
        .is_open = json_is_true(json_object_get(narrowest, "asked")) &&
                   !json_is_true(json_object_get(narrowest, "complete")),
        .vacuous = first ? count_vacuous(json_object_get(json, "conditions")) : 0};
}

static bool read_message(const struct reader *reader, const json_t *json,
                         struct report_fault *fault)
{
    const json_t *fix = json_object_get(json, "fix");
    const char *severity = run_record_text(json, "severity");
    *fault = (struct report_fault){
        .severity =
            strcmp(severity, diag_severity_text(DIAG_ERROR)) == 0 ? DIAG_ERROR : DIAG_WARNING,
        .id = text_of(reader, json, "id"),
        .message = text_of(reader, json, "text"),
        .details = text_of(reader, json, "details"),
        .span = place_of(reader, json_object_get(json, "at")),
        .fix = {.word = text_of(reader, fix, "found"), .meant = text_of(reader, fix, "text")},
        .fix_at = place_of(reader, json_object_get(fix, "at"))};
    if (!fault->fix.word || !fault->fix.meant)
        fault->fix_at.source = NULL;
    return fault->id && fault->message;
}

bool run_view_messages(struct arena *arena, const struct run_record *record, const json_t *json,
                       bool characters, struct report_fault **faults, size_t *count)
{
    const struct reader reader = {arena, record, characters};
    const json_t *messages = json_object_get(json, "messages");
    bool whole = !messages || json_is_array(messages);
    *count = json_array_size(messages);
    *faults = ARENA_ARRAY(arena, struct report_fault, *count + 1);
    for (size_t i = 0; i < *count; i++)
        whole &= read_message(&reader, json_array_get(messages, i), &(*faults)[i]);
    return whole;
}

bool run_view_accord(const json_t *json, struct report_accord *accord)
{
    const json_t *told = json_object_get(json, "accord");
    const char *result = run_record_text(told, "result");
    *accord =
        (struct report_accord){.result = strcmp(result, "agree") == 0          ? REPORT_PASSED
                                         : strcmp(result, "not-compared") == 0 ? REPORT_SKIPPED
                                                                               : REPORT_FAILED,
                               .details = run_record_text(told, "details")};
    return told != NULL;
}

static void tell_accord(struct report_piece *piece, const struct report_view *view,
                        const json_t *json)
{
    struct report_accord accord;
    if (!run_view_accord(json, &accord))
        return;
    accord.test = view->test;
    accord.visibility = view->visibility;
    accord.persistency = view->persistency;
    accord.head = view->head;
    report_piece_accord(piece, &accord);
}

bool run_view_tell(struct run_pieces *pieces, const struct run_policy *policy,
                   const struct run_record *record, const json_t *json, bool known, bool first)
{
    const struct run_answer answer = run_view_answer(record, json, known, first);
    bool whole = true;
    for (uint32_t i = 0; i < pieces->count && whole; i++) {
        SCOPED(arena) arena = {0};
        struct report_view view;
        const struct report_format *format = report_piece_format(pieces->items[i]);
        if (!report_format_lists(format))
            continue;
        whole = run_view_read(&arena, record, json, report_format_has(format, REPORT_CHARACTERS),
                              &view);
        if (!whole)
            break;
        view.known = known;
        view.fails = run_answer_fails(policy, &answer);
        report_piece_view(pieces->items[i], &view);
        tell_accord(pieces->items[i], &view, json);
    }
    return whole;
}

bool run_view_say(struct run_pieces *pieces, const struct run_record *record, const json_t *json)
{
    bool whole = true;
    for (uint32_t i = 0; i < pieces->count && whole; i++) {
        SCOPED(arena) arena = {0};
        struct report_fault *faults;
        size_t count;
        const struct report_format *format = report_piece_format(pieces->items[i]);
        if (!report_format_lists(format))
            continue;
        whole = run_view_messages(&arena, record, json,
                                  report_format_has(format, REPORT_CHARACTERS), &faults, &count);
        for (size_t k = 0; k < count && whole; k++)
            report_piece_fault(pieces->items[i], &faults[k]);
    }
    return whole;
}
