/* api_result: results of the library (include/crashlit.h), which need no context.
 *
 * While a test is checked its records are collected in memory of the guard; the result that the
 * caller gets is allocated beside it.
 */
#ifndef CRASHLIT_API_RESULT_H
#define CRASHLIT_API_RESULT_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "ask/ask_check.h"
#include "crashlit.h"

/* Texts of a record: X(identifier). */
#define API_TEXTS(X) X(TEST) X(MODEL) X(PERSISTENCY) X(ENGINE) X(VERDICT) X(EXPECTED) X(JSON)

enum api_text {
#define X(identifier) API_TEXT_##identifier,
    API_TEXTS(X)
#undef X
        API_TEXT_COUNT
};

struct api_record {
    size_t texts[API_TEXT_COUNT]; /* where each begins; it ends with a NUL */
};

/* A zeroed one is empty. */
struct api_records {
    struct strbuf texts;
    VEC(struct api_record) items;
};

/* The context is a struct api_records. */
ask_record_taker api_records_add;
void api_records_fini(struct api_records *records);

/* A copy of the records, and of the result's `err` and status; NULL when there is no memory.
 * Allocates nothing under a guard. */
struct crashlit_result *api_result_new(const struct api_records *records,
                                       const struct run_result *result);

#endif
