/* All texts of a result are one block; a record is where its own begin. */
#include "api/api_result.h"

#include "base/utf8.h"
#include "document/report_json.h"

#include <stdlib.h>
#include <string.h>

/* ---- Records ---- */

/* As a line of JSON has it, once read: bytes that are no UTF-8 are U+FFFD. */
static size_t add_text(struct strbuf *texts, const char *text)
{
    size_t start = texts->length;
    while (*text) {
        size_t length = utf8_length(text);
        strbuf_add_bytes(texts, length ? text : "\xef\xbf\xbd", length ? length : 3);
        text += length ? length : 1;
    }
    strbuf_add_char(texts, '\0');
    return start;
}

static size_t add_name(struct strbuf *texts, const char *name)
{
    SCOPED(arena) arena = {0};
    return add_text(texts, utf8_name(&arena, name));
}

/* Without its line end. */
static size_t add_json(struct strbuf *texts, const struct report_test *answer,
                       const struct report_failure *failure)
{
    size_t start = texts->length;
    if (answer)
        report_json(answer, texts);
    else
        report_json_failure(failure, texts);
    texts->text[texts->length - 1] = '\0';
    return start;
}

void api_records_add(void *context, const struct report_test *answer,
                     const struct report_failure *failure)
{
    struct api_records *records = context;
    struct strbuf *texts = &records->texts;
    const struct lit_program *program = answer ? answer->program : failure->program;
    enum lit_verdict verdict = answer ? answer->verdict : failure->verdict;
    enum lit_verdict expected = answer ? answer->expected : failure->expected;
    struct api_record record;
    record.texts[API_TEXT_TEST] = add_text(texts, program ? program->name : "");
    record.texts[API_TEXT_MODEL] = answer    ? add_text(texts, answer->model->visibility)
                                   : program ? add_name(texts, failure->visibility)
                                             : add_text(texts, "");
    record.texts[API_TEXT_PERSISTENCY] = answer    ? add_text(texts, answer->model->persistency)
                                         : program ? add_name(texts, failure->persistency)
                                                   : add_text(texts, "");
    record.texts[API_TEXT_ENGINE] = add_text(texts, answer ? answer->engine : "");
    record.texts[API_TEXT_VERDICT] = add_text(texts, lit_verdict_text(verdict));
    record.texts[API_TEXT_EXPECTED] = add_text(texts, lit_verdict_text(expected));
    record.texts[API_TEXT_JSON] = add_json(texts, answer, failure);
    VEC_PUSH(&records->items, record);
}

void api_records_fini(struct api_records *records)
{
    strbuf_fini(&records->texts);
    VEC_FREE(&records->items);
}

/* ---- Results ---- */

struct crashlit_result {
    enum crashlit_status status;
    char *texts, *diagnostics;
    struct api_record *records;
    size_t count;
};

/* NULL when there is no memory; never for nothing. */
static void *copy(const void *bytes, size_t length)
{
    char *copied = malloc(length + 1);
    if (copied && length)
        memcpy(copied, bytes, length);
    return copied;
}

struct crashlit_result *api_result_new(const struct api_records *records,
                                       const struct run_result *from)
{
    struct crashlit_result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    result->status = (enum crashlit_status)from->status;
    result->count = records->items.count;
    result->texts = copy(records->texts.text, records->texts.length);
    result->diagnostics = copy(strbuf_text(&from->err), from->err.length + 1);
    result->records = copy(records->items.items, result->count * sizeof *result->records);
    if (result->texts && result->diagnostics && result->records)
        return result;
    crashlit_result_free(result);
    return NULL;
}

void crashlit_result_free(struct crashlit_result *result)
{
    if (!result)
        return;
    base_free_foreign(result->records);
    base_free_foreign(result->texts);
    base_free_foreign(result->diagnostics);
    base_free_foreign(result);
}

enum crashlit_status crashlit_result_status(const struct crashlit_result *result)
{
    return result->status;
}

const char *crashlit_result_diagnostics(const struct crashlit_result *result)
{
    return result->diagnostics;
}

size_t crashlit_result_count(const struct crashlit_result *result)
{
    return result->count;
}

static const char *text(const struct crashlit_result *result, size_t index, enum api_text text)
{
    return index < result->count ? result->texts + result->records[index].texts[text] : NULL;
}

#define X(name, identifier)                                                                \
    const char *crashlit_result_##name(const struct crashlit_result *result, size_t index) \
    {                                                                                      \
        return text(result, index, API_TEXT_##identifier);                                 \
    }
X(test, TEST)
X(model, MODEL)
X(persistency, PERSISTENCY)
X(engine, ENGINE)
X(verdict, VERDICT)
X(expected, EXPECTED)
X(json, JSON)
#undef X
