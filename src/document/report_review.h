/* report_review: what a change of a model does to tests and programs, as one page and JSON lines: which
 * definitions differ, whose verdict is another, which states are new or gone, and the smallest
 * program that tells the two models apart.
 *
 * Plain data, made by who asked; texts, sources and graphs are theirs.
 */
#ifndef CRASHLIT_REPORT_REVIEW_H
#define CRASHLIT_REPORT_REVIEW_H

#include "cat/cat_differ.h"
#include "document/report_compare.h"
#include "document/report_distinguish.h"

enum { REPORT_REVIEW_PICTURES = 50 }; /* tests that have one */

/* A test, and what the models go with there; a pair where they are its source's alone. */
struct report_review_row {
    size_t input;                     /* its number, for who asks */
    const char *name, *path, *beside; /* of a persistency model "sc" */
    size_t size;                      /* of the test, in instructions */
    enum lit_verdict verdicts[2], expected;
    bool expects;      /* a line does */
    const char *doubt; /* why a verdict is unknown; NULL: none is, or nobody knows */
    struct report_compare_held held;
    const struct report_graph *graph; /* an execution that one model alone allows; NULL: none */
    int shown_by;                     /* which */
};

/* What a row says: X(identifier, word). */
#define REPORT_REVIEW_FATES(X)                                                        \
    X(VERDICT, "verdict") /* another one */                                           \
    X(STATES, "states")   /* the same verdict, and states that one model has alone */ \
    X(UNKNOWN, "unknown") /* the same verdict as far as known */                      \
    X(SAME, "same")

enum report_review_fate {
#define X(identifier, word) REPORT_REVIEW_##identifier,
    REPORT_REVIEW_FATES(X)
#undef X
        REPORT_REVIEW_FATE_COUNT
};

struct report_review {
    const char *names[2]; /* the models: "old.cat", "new.cat" */
    bool persists;        /* they are persistency models */
    struct cat_differences differences;
    const struct report_review_row *rows; /* what changed first, and the smallest of it first */
    size_t row_count;
    size_t tests, silent, unread; /* that were asked, that ask nothing of the models, files */
    const char *const *lost;      /* what was not answered at all: "a.litmus: it took too long" */
    size_t lost_count;
    struct contrast_totals totals;
    const struct report_distinguish *smallest;
    const char *engine;
    size_t most;           /* rows and definitions that Markdown has */
    bool without_smallest; /* Markdown has no program */
};

enum report_review_fate report_review_fate(const struct report_review_row *row);
/* YES: a verdict, a state or a program shows a change. OPEN: none does, and something is unknown. */
enum contrast_more report_review_changed(const struct report_review *review);
/* Lets Markdown have no more than fits into a comment. */
void report_review_bound(struct report_review *review);

/* JSON has a line for each definition that differs, for each test that is not the same, those of
 * `distinguish`, and one of totals. */
extern const struct report_subject report_review;

#endif
