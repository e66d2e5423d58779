/* report_vacuous: conditions whose answer says little, as it is the same in whatever order stores
 * come.
 *
 * Values alone decide some (lit_condition.settled). Others hold of the program without its
 * barriers, fences and flushes as well (session_bare.h). Or no state decides one, while a work-item
 * waits in vain (session_waits.h), which is said of one without any state as well. Otherwise nothing
 * is said where the verdict is `unknown` or `undefined`, or is vacuous for lack of states. */
#ifndef CRASHLIT_REPORT_VACUOUS_H
#define CRASHLIT_REPORT_VACUOUS_H

#include "report/report.h"

/* Kinds: X(identifier, name in records). */
#define REPORT_VACUOUS_KINDS(X)   \
    X(NOT, "")                    \
    X(NEVER_MET, "never-met")     \
    X(ALWAYS_MET, "always-met")   \
    X(UNORDERED, "without-order") \
    X(WAITS, "waits")

enum report_vacuous {
#define X(identifier, name) REPORT_VACUOUS_##identifier,
    REPORT_VACUOUS_KINDS(X)
#undef X
};

enum report_vacuous report_vacuous(const struct report_test *test, uint32_t condition);
/* "vacuous: no values that the program stores meet it (val is only ever 0 or 42), ..."; nothing of
 * one that is not. */
void report_vacuous_words(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* The same of one that is, without the first word. */
void report_vacuous_because(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* "P1 never gets past its loop at line 8: it waits for flag to be 1, and no work-item stores to
 * flag"; nothing where nobody waits in vain. */
void report_waits_words(const struct report_test *test, struct strbuf *out);
/* The same as a line, or none (report_text.c). */
void report_text_vacuous(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* The fields `vacuous`, `because` and `remark` of such a condition. */
void report_vacuous_json(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* How many conditions of the test are. */
uint32_t report_vacuous_count(const struct report_test *test);

/* A reason as it is printed: "vacuous: " stands before one for which there was nothing to judge. */
void report_reason(const char *reason, bool vacuous, struct strbuf *out);
/* The field `reason`, if there is one, and that it is vacuous, `of_nothing`. */
void report_reason_json(const char *reason, bool vacuous, struct strbuf *out);

#endif
