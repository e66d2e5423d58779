/* report_distinguish: the smallest tests that two model pairs answer differently, as a document
 * and JSON lines.
 *
 * Plain data, made by who searched; texts and graphs are theirs.
 */
#ifndef CRASHLIT_REPORT_DISTINGUISH_H
#define CRASHLIT_REPORT_DISTINGUISH_H

#include "base/strbuf.h"
#include "document/report_document.h"

/* Why one pair has the state, or the other has it not: as an explanation, or what is undefined. */
struct report_why {
    const char *text, *json;          /* "" when there is none; the latter an object, or "" */
    const struct report_graph *graph; /* NULL: none */
    const char *verdict;
    const char *without_meaning; /* "" when all has one */
};

struct report_difference {
    const char *name, *line;        /* of the test: as a file, in a line */
    const char *litmus, *target;    /* its text; what the mapping makes of it, or NULL */
    const char *kind, *state, *row; /* "crash state", "x = 0", "x=0; y=1"; NULL where not known */
    size_t count;                   /* of such states */
    bool undefined;
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
    const char *bound;                     /* in words */
    const char *engine;
    const char *mapping; /* the second pair is of what it makes of programs, and the second
                            direction alone is asked; NULL: of the programs themselves */
    uint64_t programs, alike, states, undefined, refused;
    bool ended;
    uint64_t next;    /* where to go on when it did not end, for --from */
    const char *tail; /* members of the JSON line of totals: which search it is the end of */
};

/* JSON has a line for each test, one of totals. */
extern const struct report_subject report_distinguish;

#endif
