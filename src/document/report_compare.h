/* report_compare: tests side by side under several model pairs, and which way each pair differs
 * from the first, as a document and JSON lines.
 *
 * Plain data, made by who asked; texts are theirs, and states are texts already.
 */
#ifndef CRASHLIT_REPORT_COMPARE_H
#define CRASHLIT_REPORT_COMPARE_H

#include "base/strbuf.h"
#include "engine/contrast.h"
#include "document/report_document.h"

/* The verdict and the states of one test under one pair. */
struct report_compare_cell {
    const char *text; /* "ok 9", "violated 348+", "ok" */
    enum lit_verdict verdict;
    const char *states; /* how many crash states, in digits */
    bool whole;         /* all states are listed */
};

/* States of one kind that one side has and the other lacks. */
struct report_compare_states {
    enum agree_aspect aspect;
    size_t count;
    const char *text, *json; /* the smallest: "x=0; y=1;", {"x":0,"y":1} */
};

/* One test under the first pair and another. */
struct report_compare_held {
    bool held; /* both were asked for their states */
    struct contrast contrast;
    struct report_compare_states states[2][CONTRAST_KINDS];
};

struct report_compare_row {
    const char *name, *path;
    const struct report_compare_cell *cells; /* a pair each */
    const struct report_compare_held *held;  /* the same; the first is empty */
    const char *without_meaning;             /* by pairs; "" when all has one everywhere */
    bool unread;
};

struct report_compare {
    const char *const *names;  /* of pairs: "hrf-direct + epoch" */
    const char *const *titles; /* of pairs in pictures; NULL: names */
    uint32_t pair_count;
    const char *engine;
    const struct report_compare_row *rows;
    size_t row_count;
    const struct contrast_totals *totals; /* a pair each; the first is empty */
    bool directed;                        /* states were asked for, so there are totals */
    size_t unread, bare, lacking;         /* of the rows */
};

/* "1 crash state more, x=0; y=1", or nothing: what one side has and the other lacks. */
void report_compare_states(const struct report_compare_held *held, int side, struct strbuf *out);
/* The same as an object. */
void report_compare_json_side(const struct report_compare_held *held, int side, const char *pair,
                              struct strbuf *out);
/* "sc + epoch contains sc + strict": what the totals of a column come to. */
void report_compare_direction(const struct report_compare *report, uint32_t column,
                              struct strbuf *out);
/* "3 tests: 2 same, 1 sc + epoch only, ..." */
void report_compare_counts(const struct report_compare *report, uint32_t column,
                           struct strbuf *out);
/* JSON has an object for each test and pair but the first, one for each such pair. */
extern const struct report_subject report_compare;
/* A bar for each pair but the first: how many tests are of which class. Classes differ by pattern
 * and by what is written on them, not by colour alone. The element alone; its size is returned. */
struct report_size report_compare_picture(const void *report, enum report_sheet sheet,
                                          struct strbuf *out);

#endif
