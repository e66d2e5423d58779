/* report_json: one checked test as a line of JSON, its parts, and what records of other subjects
 * share with it.
 */
#ifndef CRASHLIT_REPORT_JSON_H
#define CRASHLIT_REPORT_JSON_H

#include "report/report.h"

/* One object, one line, JSON Lines. */
void report_json(const struct report_test *test, struct strbuf *out);
/* How it writes a digest (source_digest). */
enum { REPORT_DIGEST_SIZE = 17 };
void report_digest(uint64_t digest, char digits[REPORT_DIGEST_SIZE]);
/* Of what has no answer: a record without engine, conditions and states. */
void report_json_failure(const struct report_failure *failure, struct strbuf *out);
/* Fields: what the model gives no meaning to, as a list; what is undefined. */
void report_json_without_meaning(const struct report_test *test, struct strbuf *out);
void report_json_undefined(const struct report_test *test, struct strbuf *out);
/* "faults": those that a condition asks for; nothing of another condition. */
void report_json_faults(const struct report_test *test, const struct lit_condition *condition,
                        struct strbuf *out);
/* What became of recovery (report_recovery.c): the fields after the crash states; a condition's
 * chain; the answer about idempotence. */
void report_json_recovery(const struct report_test *test, struct strbuf *out);
void report_json_chain(const struct report_test *test, uint32_t condition, struct strbuf *out);
void report_json_idempotence(const struct report_test *test, struct strbuf *out);
/* States, and an event. Items are atoms of `program`. */
void report_json_row(const char *name, const struct lit_program *program,
                     const struct outcome_states *states, const int64_t *row, struct strbuf *out);
void report_json_rows(const char *name, const struct lit_program *program,
                      const struct outcome_states *states, struct strbuf *out);
void report_json_event(const char *name, const struct lit_program *program,
                       const struct outcome_event *event, struct strbuf *out);
/* Its fields alone. */
void report_json_event_fields(const struct lit_program *program, const struct outcome_event *event,
                              struct strbuf *out);
/* A place's line and column, as fields. */
void report_json_place(const struct lit_program *program, const struct span *span,
                       struct strbuf *out);
/* What each record begins with: "{", the schema, the test's name. */
void report_json_begin(const char *test, struct strbuf *out);
/* What each record ends with: the version that asked, "}" and the end of the line. */
void report_json_end(struct strbuf *out);

/* The field `executions`, of those that the test's gallery has, as data, and, where that is asked
 * for, pictures; nothing where nobody asked for it. `condition`: the place of the condition that all
 * of them are about, LIT_NONE: each says its own. */
void report_json_executions(const struct report_test *test, uint32_t condition, struct strbuf *out);

#endif
