/* agree: compares the answers of two engines to one test under one model pair.
 *
 * They must agree on final states, crash states, what recovery makes of these, undefined behaviour,
 * flags and the verdict of each condition. One engine's findings are held against the other as far
 * as the other is complete: its doubts excuse what it lacks, never what it has. Both are asked with
 * the same bounds on loops and lengths, so these excuse nothing.
 *
 * When conditions were only decided, states and undefined behaviour are mere examples; then only
 * verdicts are compared.
 *
 * A machine is no engine of a model: what it shows must be contained in what the model allows.
 *
 * Pure functions: they keep nothing, and print nothing. */
#ifndef CRASHLIT_AGREE_H
#define CRASHLIT_AGREE_H

#include "engine/outcome.h"

/* What may differ: X(identifier, text). Sets of states come first; a machine has all of these but
 * the last. */
#define AGREE_ASPECTS(X)                \
    X(FINAL, "final state")             \
    X(CRASH, "crash state")             \
    X(RECOVERED, "recovered state")     \
    X(RECOVERY, "recovery")             \
    X(RESTART, "restart of recovery")   \
    X(LIVELOCK, "livelock")             \
    X(UNDEFINED, "undefined behaviour") \
    X(FLAG, "flag")                     \
    X(VERDICT, "verdict")

enum agree_aspect {
#define X(identifier, text) AGREE_##identifier,
    AGREE_ASPECTS(X)
#undef X
        AGREE_ASPECT_COUNT
};

struct agree_difference {
    enum agree_aspect aspect;
    int owner;    /* 0 or 1: the side that has what the other lacks; 0 for verdicts */
    size_t count; /* how many such differences of the aspect, of either owner */
    union {
        const int64_t *row; /* the smallest of the owner's states, see agree_compare */
        const struct outcome_undefined *undefined;
        const char *flag;
        uint32_t condition; /* its number in the program */
    };
    enum lit_verdict verdicts[2]; /* for VERDICT */
};

struct agreement {
    struct agree_difference differences[AGREE_ASPECT_COUNT]; /* at most one per aspect */
    uint32_t count;
    /* Why the outcome was not held against the other, else NULL. When conditions were only decided:
     * only doubts about conditions that an engine leaves open. */
    const char *reasons[2];
};

/* Of several states that only one outcome has, it gives the smallest: the one with the fewest
 * nonzero values, then the first in the order of outcome_sort, or in the order of columns of a
 * diagram. Pointers are into the outcomes. */
struct agreement agree_compare(const struct outcome *a, const struct outcome *b,
                               const struct lit_program *program, bool decided);

/* The set of states, or pairs of states, that an aspect is about. */
const struct outcome_states *agree_states(const struct outcome *outcome, enum agree_aspect aspect);

/* Adds to the difference how many states of `has` are not in `lacks`, a set with the same columns,
 * and the smallest of them. False: a diagram would get too many nodes. */
bool agree_find_missing(const struct outcome_states *has, const struct outcome_states *lacks,
                        struct agree_difference *difference) __attribute__((warn_unused_result));

const char *agree_aspect_text(enum agree_aspect aspect);

/* Is what a machine shows contained in what a model allows? The machine may show less, and knows no
 * races.
 *
 *   HELD       every state is among the model's
 *   OUTSIDE    some state is not: `differences` has the smallest of each kind
 *   UNDEFINED  the model says nothing of an undefined test: not compared
 *   PARTLY     every state is among the model's, but the machine was not looked at completely; or
 *              some state is not, and the model's own answer is incomplete. `reason` says why
 *
 * A doubt of the machine excuses what it lacks, never what it has. Every doubt of the model counts,
 * as a machine knows no bound on loops. When conditions were only decided, a state that decides one
 * for the machine must decide it for the model. */
enum contain_answer { CONTAIN_HELD, CONTAIN_OUTSIDE, CONTAIN_UNDEFINED, CONTAIN_PARTLY };

struct containment {
    enum contain_answer answer;
    struct agree_difference differences[AGREE_ASPECT_COUNT]; /* owner is 1, the machine */
    uint32_t count;
    const char *reason; /* of PARTLY, else NULL */
    bool is_counted;    /* the next two are known: both sides were listed completely, and the answer
                           is not UNDEFINED */
    size_t never_crash, never_final; /* states of the model that the machine does not show */
};

struct containment agree_contain(const struct outcome *model, const struct outcome *machine,
                                 const struct lit_program *program, bool decided);
const char *agree_contain_text(enum contain_answer answer);

#endif
