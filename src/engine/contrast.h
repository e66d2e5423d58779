/* contrast: compares two models on one test, by what an engine found under each.
 *
 * It compares final states, crash states, what recovery leaves, and crash states from which
 * recovery never completes. A side has more when it has a state that the other lacks and the other
 * is known completely. It has no more when it is known completely and the other has all of its
 * states. Else that is open. So any doubt counts, bounds on loops among them.
 *
 * A test that is undefined under a model may do anything there. That side has more than any side
 * that is known to be defined, and no side has more than it. Its listed states are no states of the
 * model, and are ignored.
 *
 * Flags are not compared: their names are each model's own. */
#ifndef CRASHLIT_CONTRAST_H
#define CRASHLIT_CONTRAST_H

#include "engine/agree.h"

enum contrast_more { CONTRAST_NO, CONTRAST_YES, CONTRAST_OPEN };

/* What one side has of one kind that the other lacks. */
struct contrast_states {
    enum agree_aspect aspect;
    size_t count;       /* SIZE_MAX: that many or more */
    const int64_t *row; /* the smallest (agree.h) of the side's own states; valid until the next
                           contrast of the same outcome */
};

enum { CONTRAST_KINDS = 4 };

struct contrast_side {
    enum contrast_more more;
    bool undefined;                                /* the test is undefined under this model */
    const char *doubt;                             /* why it is OPEN, else NULL */
    struct contrast_states states[CONTRAST_KINDS]; /* of YES, unless it is undefined */
    uint32_t count;
};

/* The result in one word: X(identifier, word). */
#define CONTRAST_CLASSES(X)                 \
    X(SAME, "same")                         \
    X(FIRST, "first-only")                  \
    X(SECOND, "second-only")                \
    X(BOTH, "both")                         \
    X(UNDEFINED_FIRST, "undefined-first")   \
    X(UNDEFINED_SECOND, "undefined-second") \
    X(UNDEFINED, "undefined-both")          \
    X(UNKNOWN, "unknown")

enum contrast_class {
#define X(identifier, word) CONTRAST_##identifier,
    CONTRAST_CLASSES(X)
#undef X
        CONTRAST_CLASS_COUNT
};

struct contrast {
    struct contrast_side sides[2];
};

/* The order of several models by inclusion: those that nothing tells apart are a class. */
struct contrast_order {
    uint32_t class_count;
    uint32_t *class_of; /* per model */
    uint32_t *rank;     /* per class: the length of the longest way down */
    struct contrast_edge {
        uint32_t above, below; /* classes: `above` contains `below`, and has more */
    } * edges;                 /* none follows from others */
    uint32_t edge_count;
    uint32_t open; /* number of ordered pairs of models of which it is unknown whether the first has
                      more */
};

/* What was looked at where models are held against each other on many programs. */
struct contrast_counts {
    uint64_t programs;  /* looked at */
    uint64_t alike;     /* of these not asked, as all models are alike on them */
    uint64_t states;    /* of all models, on those that were asked */
    uint64_t undefined; /* programs that are so under all models; of a mapping at the source */
    uint64_t refused;   /* by the mapping, and without non-volatile locations */
};

/* Of sorted outcomes of one program, found under the same crash mode. */
struct contrast contrast_of(const struct outcome *first, const struct outcome *second);
enum contrast_class contrast_class_of(const struct contrast *contrast);
const char *contrast_class_word(enum contrast_class class);

/* Results over many tests: X(identifier, word). */
#define CONTRAST_DIRECTIONS(X)      \
    X(NOTHING, "nothing-compared")  \
    X(EQUAL, "equal")               \
    X(CONTAINS, "contains")         \
    X(CONTAINED, "contained")       \
    X(INCOMPARABLE, "incomparable") \
    X(NOT_KNOWN, "unknown")

enum contrast_direction {
#define X(identifier, word) CONTRAST_DIRECTION_##identifier,
    CONTRAST_DIRECTIONS(X)
#undef X
};

/* Zeroed at the start. */
struct contrast_totals {
    size_t tests, classes[CONTRAST_CLASS_COUNT];
    size_t more[2];    /* tests on which a side has more */
    size_t defined[2]; /* those of them where the test is defined */
    size_t open[2];
};

void contrast_add(struct contrast_totals *totals, const struct contrast *contrast);
/* The direction over all tests added. EQUAL; CONTAINS: the first has more, the second nowhere;
 * CONTAINED; INCOMPARABLE. NOT_KNOWN: an open test could change it. */
enum contrast_direction contrast_direction_of(const struct contrast_totals *totals);
const char *contrast_direction_word(enum contrast_direction direction);

#endif
