/* report_survey: what the answers of `distinguish` and `lattice` have in common: what was searched,
 * and the tests that were found.
 *
 * Plain data, made by who searched.
 */
#ifndef CRASHLIT_REPORT_SURVEY_H
#define CRASHLIT_REPORT_SURVEY_H

#include "document/report_tree.h"
#include "engine/contrast.h"

struct report_survey {
    const char *bound, *engine; /* the bound in words */
    struct contrast_counts counts;
    const char *mapping; /* the second pair is of what it makes of programs, and the second
                            direction alone is asked; NULL: of the programs themselves */
    bool ended;
    uint64_t next;        /* where to go on when it did not end, for --from */
    const char *left_out; /* what programs lack, and why; NULL: nothing is known to be missing */
    const char *tail;     /* members of the JSON line of totals: which search it is the end of */
};

struct report_survey_test {
    const char *line, *litmus; /* in a line, as a file */
    const char *kind, *state;  /* "crash state", "x = 0 /\ y = 1"; NULL where not known */
    bool undefined;            /* it is undefined under who has more */
    uint32_t size;             /* in operations */
};

/* "spb: up to 4 events: 12 programs up to symmetry, 30 states compared, engine auto" */
void report_survey_figures(const struct report_survey *survey, struct strbuf *out);

/* A line of what was left out, if anything was: the first of an answer. */
void report_survey_left_out(const struct report_survey *survey, struct report_tree *tree);

/* JSON: the fields of a test; those of the counts, of what is mapped or not; what a line of totals
 * begins with. */
void report_survey_json_test(const struct report_survey_test *test, struct strbuf *out);
void report_survey_json_counts(const struct contrast_counts *counts, bool mapped,
                               struct strbuf *out);
void report_survey_json_begin(const struct report_survey *survey, struct strbuf *out);

#endif
