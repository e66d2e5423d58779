/* report_vacuous: conditions whose answer says little, since it is the same for every order of
 * stores.
 *
 * Some conditions are decided by values alone (lit_condition.settled). Some also hold without the
 * program's barriers, fences and flushes (session_bare.h). Of some no state decides, while a
 * work-item waits in vain (session_waits.h); this is said even if there is no state at all. Nothing
 * else is said when the verdict is `unknown` or `undefined`, or vacuous for lack of states. */
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
/* Writes "vacuous: no values that the program stores meet it (val is only ever 0 or 42), ...";
 * nothing for a condition that is not vacuous. */
void report_vacuous_words(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* The same for a condition that is vacuous, without the first word. */
void report_vacuous_because(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* Writes "P1 never gets past its loop at line 8: it waits for flag to be 1, and no work-item stores
 * to flag"; nothing when no work-item waits in vain. Of several it is one that alone keeps away what
 * the condition names, if there is one. */
void report_waits_words(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* The same as a line, or none (report_text.c). */
void report_text_vacuous(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* The fields `vacuous`, `because` and `remark` of such a condition. */
void report_vacuous_json(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* The number of vacuous conditions of the test. */
uint32_t report_vacuous_count(const struct report_test *test);

/* The reason of a verdict as it is printed: "vacuous: " stands before one for which there was nothing
 * to judge, "livelock: " before that of an error. */
void report_reason(enum lit_verdict verdict, const char *reason, bool vacuous, struct strbuf *out);
/* The field `reason`, if there is one, and that it is vacuous, `of_nothing`. */
void report_reason_json(enum lit_verdict verdict, const char *reason, bool vacuous,
                        struct strbuf *out);

#endif
