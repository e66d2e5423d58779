/* thresholds: problem sizes from which engines use methods that pay only for large ones.
 *
 * No answer depends on them, but small tests never reach most of what lies beyond. So tests of
 * engines ask small questions with the least thresholds, and compare the answers with those under
 * the usual ones. */
#ifndef CRASHLIT_THRESHOLDS_H
#define CRASHLIT_THRESHOLDS_H

#include <stddef.h>
#include <stdint.h>

/* X(name, usual, least). What a size up to the threshold, or below it, means stands beside it. */
/* clang-format off */
#define ENGINE_THRESHOLDS(X)                                                                       \
    /* The enumerator. Up to so many states, or combinations of last durable writes of an          \
     * execution, a set is a list; the same of sets that recovery begins on or leaves: as there is \
     * room. */                                                                                    \
    X(listed, 4096, 1)                                                                             \
    X(recovered, UINT32_MAX, 1)                                                                    \
    /* Nodes of a diagram before those no longer needed are dropped. */                            \
    X(nodes, 1 << 16, 1)                                                                           \
    /* States of an execution that are gathered before those of its images are made. */            \
    X(gathered, 256, 1)                                                                            \
    /* A search of fewer events each, and fewer candidates so far, is short: bounds are not asked  \
     * what it may show, nor the model where so few ways are left, or so few to go by values of a  \
     * final state. */                                                                             \
    X(short_events, 24, 0)                                                                         \
    X(short_candidates, 64, 0)                                                                     \
    X(ways, 2, 0)                                                                                  \
    X(ways_of_values, 16, 0)                                                                       \
    /* How often, at most, bounds are not asked after they were in vain: what may be shown; what   \
     * follows, at first and later. */                                                             \
    X(outlook_skipped, 64, 0)                                                                      \
    X(first_skipped, 7, 0)                                                                         \
    X(skipped, 32, 0)                                                                              \
    /* Events up to which an interleaving is not tried where some state is looked for, nor the     \
     * outlook before anything else. */                                                            \
    X(large_events, 256, 0)                                                                        \
    /* The symbolic engine: values that a location may have before recovery is listed. */          \
    X(values, 64, 1)                                                                               \
    /* `auto`: steps of the enumerator listing, or deciding, what is small; of it deciding alone;  \
     * so many times the least that a question takes; fences and barriers of one work-item that    \
     * runs straight through; pairs of stores of several. */                                       \
    X(cheap_steps, 4000000, 0)                                                                     \
    X(cheap_deciding_steps, 6000000, 0)                                                            \
    X(deciding_steps, 640000000, 0)                                                                \
    X(cheap_least_times, 16, 0)                                                                    \
    X(deciding_least_times, 400, 0)                                                                \
    X(straight_orders, 4, 0)                                                                       \
    X(store_pairs, 64, 0)
/* clang-format on */

struct engine_thresholds {
#define X(name, usual, least) uint32_t name;
    ENGINE_THRESHOLDS(X)
#undef X
};

extern const struct engine_thresholds engine_usual_thresholds, engine_least_thresholds;

struct engine_threshold {
    const char *name;
    size_t field; /* in the structure */
    uint32_t least;
};
#define X(name, usual, least) +1
enum { ENGINE_THRESHOLD_COUNT = 0 ENGINE_THRESHOLDS(X) };
#undef X
extern const struct engine_threshold engine_threshold_rows[ENGINE_THRESHOLD_COUNT];

/* Reads words separated by commas, in turn: "least" sets all to the least, "listed=3" sets one.
 * Returns NULL, or the first word that is neither, or has a number below the least. */
const char *engine_thresholds_read(struct engine_thresholds *thresholds, const char *text)
    __attribute__((warn_unused_result));

#endif
