/* report_html: shared by the parts of the HTML report: tests (report_html.c), violations and
 * explanations (report_html_why.c), states that crashes in an execution leave (report_cuts.c), and
 * the page around them (report_html_page.c). For these files only. */
#ifndef CRASHLIT_REPORT_HTML_H
#define CRASHLIT_REPORT_HTML_H

#include "format/report_format.h"
#include "answer/report_gallery.h"

/* A model pair and engine in the table; of an explanation, a pair and a condition. */
struct report_html_cell {
    const char *visibility, *persistency, *engine;
    enum lit_verdict verdict, expected;
    bool explains;             /* nothing is expected then */
    bool known;                /* that they are not the same */
    enum report_failing fails; /* what else a run fails for */
    bool remarked;             /* of many tests: something is said of it all the same */
};

/* Is it to be looked at, known or not? */
static inline bool report_html_is_odd(const struct report_html_cell *cell)
{
    return !cell->explains && (cell->verdict != cell->expected || cell->fails);
}

/* Of all cells. */
struct report_html_tally {
    size_t verdicts[LIT_ERROR + 1];
    size_t expected, otherwise, known, explained;
    size_t disagree; /* model pairs about which engines do */
};

/* A test in the table. */
struct report_html_row {
    const char *name, *path;
    size_t number; /* of the piece, from 0 */
    size_t faults;
    uint64_t disagree; /* model pairs about which engines do */
    VEC(struct report_html_cell) cells;
};

/* The state of a sink. */
struct report_html_rows {
    VEC(struct report_html_row) items;
    struct arena arena; /* their texts */
};

struct report_html_set;

/* Of many tests. */
struct report_html_test {
    const char *name, *path;
    const struct report_html_set *answers;
    size_t number; /* of the piece, from 0 */
    size_t faults;
    uint64_t disagree;
    uint32_t part;    /* of the report, from 1 */
    bool odd;         /* something of it is not as expected */
    bool has_article; /* with all there is to say of it */
};

/* The state of their sink. */
struct report_html_many {
    VEC(struct report_html_test) tests;
    struct report_html_set *sets; /* of answers that tests have */
    struct arena arena;
    struct report_html_tally tally;
    size_t begin;    /* the first test of the present part */
    size_t articles; /* bytes of them in the present part */
    uint32_t part;   /* from 1; 0: there are no parts */
};

/* A row, in a parcel: the test's name, about how many model pairs engines disagree, and cells one
 * after the other. */
void report_html_pack(const char *name, uint64_t disagree, const struct strbuf *cells,
                      struct strbuf *parcel);
void report_html_pack_cell(const struct report_html_cell *cell, struct strbuf *cells);
struct report_html_cell report_html_unpack_cell(struct arena *arena, struct unpack *from);
void report_html_count(struct report_html_tally *tally, const struct report_html_cell *cell);

void report_html_add(struct report_sink *sink, const struct report_piece *piece);
void report_html_close(struct report_sink *sink, int status);
void report_html_fini(struct report_sink *sink);
/* What answered, when and how it was asked; then what came of it. */
void report_html_run(struct report_sink *sink);
void report_html_counts(struct report_sink *sink, const struct report_html_tally *tally,
                        int status);
/* The same sink of many tests (report_html_many.c). */
void report_html_many_add(struct report_sink *sink, const struct report_piece *piece);
void report_html_many_close(struct report_sink *sink, int status);
void report_html_many_fini(struct report_sink *sink);

/* Adds an execution, folded or unfolded. */
void report_html_execution(const struct report_execution *execution, bool open, struct strbuf *out);
/* Adds what a crash anywhere in the execution may leave: a text for readers without scripts, and
 * the record for the script. Adds nothing without cuts. */
void report_cuts_html(const struct report_test *test, const struct report_execution *execution,
                      struct strbuf *out);
/* Adds the explanation of one condition. */
void report_html_explained(const struct report_explanation *report, struct strbuf *out);

/* Adds each condition that is violated, or unexpectedly not, with the state that decides it and how
 * that state comes about; and the command that explains more. It does not tell why a state is out
 * of reach, which takes a solver, nor how a machine comes to a state, as a machine's runs are no
 * executions. */
void report_html_why(struct strbuf *out, const struct report_test *test);

/* A sign that tells expected from unexpected without colour. */
const char *report_html_glyph(const struct report_html_cell *cell);
/* Adds ", expected ok, known", ", but vacuous", or nothing; the words before them are the caller's. */
void report_html_otherwise(struct strbuf *out, const char *before,
                           const struct report_html_cell *cell);
/* Adds "engines disagree", marked, where they do. */
void report_html_disagree(struct strbuf *out, uint64_t disagree);

#endif
