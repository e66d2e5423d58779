/* report_finding: what is wrong with a checked test, one sentence and one place at a time, for
 * the reports that list findings.
 *
 * Findings follow from the outcome; nothing is decided here.
 */
#ifndef CRASHLIT_REPORT_FINDING_H
#define CRASHLIT_REPORT_FINDING_H

#include "report/report.h"

/* Kinds: X(name, word in records). CHECK is a failed check of the model that is not called race. REMARK is nothing
 * wrong, but not to be missed: that nothing was there to be judged. So is VACUOUS: a
 * condition that no order decides (report_vacuous.h). So is MEANING: what the model
 * gives no meaning to. ENGINES and INPUT are not found in an outcome: reports use them for engines
 * that disagree and unreadable input. WARNING is of the model: a flag of the tool's own. WIDE and
 * REDUNDANT are of a test that is ok with less, WIDTH is that this is not known (report_wide.h). */
#define REPORT_FINDINGS(X)        \
    X(CONDITION, "condition")     \
    X(RACE, "race")               \
    X(DIVERGENCE, "divergence")   \
    X(TRANSACTION, "transaction") \
    X(UNSET, "unset")             \
    X(ENDLESS, "endless")         \
    X(FAULT, "fault")             \
    X(CHECK, "check")             \
    X(LIVELOCK, "livelock")       \
    X(UNKNOWN, "unknown")         \
    X(UNEXPECTED, "unexpected")   \
    X(ENGINES, "engines")         \
    X(INPUT, "input")             \
    X(REMARK, "remark")           \
    X(VACUOUS, "vacuous")         \
    X(MEANING, "meaning")         \
    X(WARNING, "warning")         \
    X(WIDE, "wide")               \
    X(REDUNDANT, "redundant")     \
    X(WIDTH, "width")

enum report_finding_kind {
#define X(name, word) REPORT_##name,
    REPORT_FINDINGS(X)
#undef X
        REPORT_FINDING_COUNT
};

struct report_place;

struct report_finding {
    enum report_finding_kind kind;
    const char *message;
    struct span span, related; /* line 0: no place */
    const char *related_message;
    /* Of compiled code what it was compiled from; of a condition the store that its state lacks.
     * Then `launch` is where the test launches it. */
    struct span source, related_source, launch;
    uint32_t condition;               /* of REPORT_CONDITION: its number, from 0 */
    const struct report_place *place; /* whose shown fillings mend it; NULL: none */
    const char *fixes; /* the same from a record: a list, as SARIF has it; NULL: none */
};

/* The word of a kind in records. The second function finds it; REPORT_FINDING_COUNT: there is none. */
const char *report_finding_word(enum report_finding_kind kind);
enum report_finding_kind report_finding_of(const char *word);

/* May it stand beside any verdict, so that it is shown even if the test passes? */
bool report_is_aside(enum report_finding_kind kind);
/* Is it a warning: of the model, or of what is wider than needed? */
bool report_is_warning(enum report_finding_kind kind);

/* "vacuous": "ok, but vacuous"; and is a finding of the kind what tells why? */
const char *report_failing_words(enum report_failing fails);
bool report_finding_fails(enum report_finding_kind kind, enum report_failing fails);

typedef void report_finding_visit(void *context, const struct report_finding *finding);

/* Why the verdict says nothing, when the test has no condition to be judged by and no line that
 * expects its verdict all the same; NULL: it says something. */
const char *report_nothing_judged(const struct report_test *test);

/* The check behind a raised flag of the test's outcome, when that is a warning (cat_check.warning);
 * NULL: a flag. And the warning as a sentence: "persist-cycle: mine.cat:2:5: in some ...". */
const struct cat_check *report_warning_of(const struct report_test *test, size_t flag);
void report_warning(const struct cat_check *check, struct strbuf *out);

/* Calls back for each finding: violated conditions, undefined behaviour, what is not known,
 * warnings, and last an `expect` line that another verdict meets. Texts are valid during the
 * callback. */
void report_each_finding(const struct report_test *test, report_finding_visit *visit,
                         void *context);

/* Gives what is found of a condition of compiled code the place in its source: of the fault, or of the
 * store that is lacking in an execution that the test keeps. */
void report_finding_locate(const struct report_test *test, struct report_finding *finding);

/* Where in the source an event of the outcome stands: its statement, or the declaration for an
 * initial write. Of statements of one line the first that accesses the location is taken. Line 0
 * when there is none. */
struct span report_event_span(const struct lit_program *program, const struct outcome_event *event);
/* The same in the source of compiled code, or in that code; line 0: it stands in the test, or is not
 * known, as of what holds a thread up, whose words tell it. */
struct span report_event_source(const struct outcome_event *event);
/* A column counted in characters (Unicode code points), not bytes, from 1. */
uint32_t report_character_column(const struct source *source, uint32_t line, uint32_t column);

/* The program whose atoms are the columns of these states: recovered ones are recovery's. */
struct lit_program report_program(const struct report_test *test, enum lit_when when);
/* "key=1; val=0" */
void report_state(const struct report_test *test, enum lit_when when, size_t number,
                  struct strbuf *out);

#endif
