/* run_diff_tell: writes what became of the tests and model pairs of a run, in several formats.
 *
 * Text and JSON lines have each in the order of the runs. Markdown, for a comment on a change, has
 * what fails first and then the smallest tests first, and of each fate only the first
 * RUN_DIFF_LISTED, or as many as fit into a comment. JUnit has a case for each, which fails where the comparison fails for it.
 *
 * Ownership: a teller owns what it keeps; run_diff_tell_end releases it. */
#ifndef CRASHLIT_RUN_DIFF_TELL_H
#define CRASHLIT_RUN_DIFF_TELL_H

#include "run/run_record.h"

/* How a test and model pair fared, in the order in which a summary counts: X(identifier, word). */
#define RUN_DIFF_FATES(X)     \
    X(SAME, "same")           \
    X(CHANGED, "changed")     \
    X(MENDED, "mended")       \
    X(REGRESSED, "regressed") \
    X(GONE, "gone")           \
    X(NEW, "new")

enum run_diff_fate {
#define X(identifier, word) RUN_DIFF_##identifier,
    RUN_DIFF_FATES(X)
#undef X
        RUN_DIFF_FATES
};

enum run_diff_format { RUN_DIFF_TEXT, RUN_DIFF_JSON, RUN_DIFF_MARKDOWN, RUN_DIFF_JUNIT };

enum { RUN_DIFF_LISTED = 20 };

struct run_diff_change {
    enum run_diff_fate fate;
    bool fails;                            /* the comparison, for it */
    const struct run_record *record, *was; /* the last NULL: there is but one */
    const char *what;                      /* verdicts, in words */
    const char *const *details;            /* lines */
    size_t detail_count;
    uint64_t size; /* of the test: events of its largest execution */
};

struct run_diff_kept;
struct run_diff_teller {
    enum run_diff_format format;
    struct strbuf *out;
    size_t counts[RUN_DIFF_FATES];
    size_t failures;                            /* changes that fail */
    struct strbuf cases;                        /* of JUnit */
    struct run_diff_kept *kept[RUN_DIFF_FATES]; /* of Markdown, in their order */
};

/* Counts it, and tells it unless it is the same. */
void run_diff_tell(struct run_diff_teller *teller, const struct run_diff_change *change);
/* Tells the sums. `faults`: what kept records from being compared, as text; "": nothing. */
void run_diff_tell_end(struct run_diff_teller *teller, const char *faults);

#endif
