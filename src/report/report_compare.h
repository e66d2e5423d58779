/* report_compare: tests side by side under several model pairs, and which way each pair differs
 * from the first, as text, JSON lines, HTML, SVG and Markdown.
 *
 * Plain data, made by who asked; texts are theirs, and states are texts already.
 */
#ifndef CRASHLIT_REPORT_COMPARE_H
#define CRASHLIT_REPORT_COMPARE_H

#include "base/strbuf.h"
#include "engine/contrast.h"
#include "report/report_picture.h"

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
    const char *const *names; /* of pairs: "hrf-direct + epoch" */
    uint32_t pair_count;
    const char *engine;
    const struct report_compare_row *rows;
    size_t row_count;
    const struct contrast_totals *totals; /* a pair each; the first is empty */
    enum report_sheet sheet;              /* of svg */
    bool directed;                        /* states were asked for, so there are totals */
    size_t unread, bare, lacking;         /* of the rows */
};

/* Does the verdict, or the number of states, differ from that of the first pair? */
bool report_compare_differs(const struct report_compare_row *row, uint32_t column);
/* "sc + epoch contains sc + strict": what the totals of a column come to. */
void report_compare_direction(const struct report_compare *report, uint32_t column,
                              struct strbuf *out);
/* "3 tests: 2 same, 1 sc + epoch only, ..." */
void report_compare_counts(const struct report_compare *report, uint32_t column,
                           struct strbuf *out);
/* What side 0, the first pair, or 1 has more on a test: "2 crash states more, such as x=0; y=1;";
 * "" when that is nothing. */
void report_compare_more(const struct report_compare_held *held, int side, struct strbuf *out);

void report_compare_text(const struct report_compare *report, struct strbuf *out);
/* An object for each test and pair but the first, one for each such pair. */
void report_compare_json(const struct report_compare *report, struct strbuf *out);
void report_compare_html(const struct report_compare *report, struct strbuf *out);
/* A bar for each pair but the first: how many tests are of which class. Classes differ by pattern
 * and by what is written on them, not by colour alone. The element alone, for a page; its size is
 * returned. */
struct report_size report_compare_picture(const struct report_compare *report,
                                          enum report_sheet sheet, struct strbuf *out);
void report_compare_svg(const struct report_compare *report, struct strbuf *out);
void report_compare_markdown(const struct report_compare *report, struct strbuf *out);

#endif
