/* report_text: one checked test as text in herd's shape, and its parts.
 */
#ifndef CRASHLIT_REPORT_TEXT_H
#define CRASHLIT_REPORT_TEXT_H

#include "report/report.h"

/* Once per condition. */
void report_text(const struct report_test *test, struct strbuf *out);
/* Appends lines about the source that a condition compares with: its states, and what is compared;
 * or nothing. */
void report_text_source(const struct report_test *test, const struct lit_condition *condition,
                        struct strbuf *out);
/* Tags and instructions of the test that the model gives no meaning to: "clwb, sfence", or nothing;
 * each with what else has a meaning by it: "clwb, sfence (has one on fences)"; one of them; a line
 * of them all, or none. */
void report_without_meaning(const struct report_test *test, struct strbuf *out);
void report_all_lacking(const struct report_test *test, struct strbuf *out);
void report_lacking(const struct meaning_lacking *lacking, uint32_t number, struct strbuf *out);
/* "clwb, sfence have one under -p gpm, px86", or nothing. */
void report_lacking_models(const struct report_test *test, struct strbuf *out);
void report_text_without_meaning(const struct report_test *test, struct strbuf *out);
void report_text_undefined(const struct report_test *test, struct strbuf *out);
/* "Reason vacuous: ..", a line. */
void report_text_reason(enum lit_verdict verdict, const char *reason, bool vacuous,
                        struct strbuf *out);
/* One of what is undefined as a sentence: "race: P0's W x at line 3 and P1's R x at line 5". */
void report_undefined(const struct report_test *test, const struct outcome_undefined *undefined,
                      struct strbuf *out);
/* A flag or warning: "Flag data-race". */
void report_text_flag(const struct report_test *test, size_t flag, struct strbuf *out);
/* What became of recovery (report_recovery.c): the chain that decides a condition, if there is one;
 * the answer about idempotence; the states from which recovery never completes. */
void report_text_chain(const struct report_test *test, uint32_t condition, struct strbuf *out);
void report_text_idempotence(const struct report_test *test, struct strbuf *out);
void report_text_livelocks(const struct report_test *test, struct strbuf *out);
/* How many states satisfy the condition, or not, as a judgement counts them: all digits. */
void report_count(const struct report_test *test, const struct lit_condition *condition,
                  uint64_t count, bool positive, struct strbuf *out);
const char *report_verdict_word(enum lit_verdict verdict); /* of text: "Ok", "No" */
/* Does the state decide some condition: does it satisfy an `exists`, or break a `~exists` or
 * `forall`? */
bool report_state_decides(const struct report_test *test, enum lit_when when, const int64_t *row);

#endif
