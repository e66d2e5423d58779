/* report_distinguish: the smallest tests that two model pairs answer differently, as a document
 * and JSON lines.
 *
 * Plain data, made by who searched; texts and graphs are theirs.
 */
#ifndef CRASHLIT_REPORT_DISTINGUISH_H
#define CRASHLIT_REPORT_DISTINGUISH_H

#include "document/report_document.h"
#include "document/report_survey.h"

/* Why one pair has the state, or the other has it not: as an explanation, or what is undefined. */
struct report_why {
    const char *text, *json;          /* "" when there is none; the latter an object, or "" */
    const struct report_graph *graph; /* NULL: none */
    const char *verdict;
    const char *without_meaning; /* "" when all has one */
};

struct report_difference {
    const char *name; /* of the test, as a file */
    struct report_survey_test test;
    const char *target;       /* what the mapping makes of it, or NULL */
    const char *row;          /* the whole of its state: "x=0; y=1"; NULL where not known */
    size_t count;             /* of such states */
    struct report_why why[2]; /* of who has more, of who has less */
};

struct report_direction {
    const struct report_difference *differences;
    uint32_t count;
    uint64_t smallest; /* how many programs there are of the size */
    uint32_t size;     /* in operations */
    uint64_t open;
    const char *doubt, *open_at; /* of the first; NULL: none */
    const char *unknown;         /* why it says nothing that none was found; NULL: there is none */
};

struct report_distinguish {
    const char *names[2];
    struct report_direction directions[2]; /* the first has more, the second has */
    const struct report_survey *survey;
};

/* JSON has a line for each test, one of totals. */
extern const struct report_subject report_distinguish;

#endif
