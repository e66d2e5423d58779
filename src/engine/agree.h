/* agree: do two engines say the same about one test under one model pair?
 *
 * They must agree on final states, crash states, what recovery makes of these, undefined behaviour,
 * flags and the verdict of each condition. What one engine has is held against the other as far as
 * the other is complete: its doubts excuse what it lacks, never what it has. Bounds on loops and
 * lengths are part of the question, which both are asked alike, so they excuse nothing.
 *
 * When conditions were only decided, states and undefined behaviour are mere examples: then
 * verdicts alone are compared.
 *
 * A machine is no engine of a model: what it shows must be contained in what the model allows.
 *
 * Pure functions: they keep nothing, and print nothing.
 */
#ifndef CRASHLIT_AGREE_H
#define CRASHLIT_AGREE_H

#include "engine/outcome.h"

/* What may differ: X(identifier, text); sets of states first, of which a machine knows all but the
 * last. */
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
    int owner;    /* 0, 1: who has what the other lacks; for verdicts 0 */
    size_t count; /* how many of the aspect there are, of either owner */
    union {
        const int64_t *row; /* of the owner's states: the smallest, see agree_compare */
        const struct outcome_undefined *undefined;
        const char *flag;
        uint32_t condition; /* of the program */
    };
    enum lit_verdict verdicts[2]; /* for VERDICT */
};

struct agreement {
    struct agree_difference differences[AGREE_ASPECT_COUNT]; /* one of an aspect at most */
    uint32_t count;
    /* Why an outcome was not held against the other, else NULL; of conditions that were only
     * decided those count alone which an engine leaves open. */
    const char *reasons[2];
};

/* Of several states that only one outcome has the smallest is given: fewest values other than
 * zero, then the order of outcome_sort, or of its columns in a diagram. Pointers are into the
 * outcomes. */
struct agreement agree_compare(const struct outcome *a, const struct outcome *b,
                               const struct lit_program *program, bool decided);

/* The set of states, or pairs of states, that an aspect is about. */
const struct outcome_states *agree_states(const struct outcome *outcome, enum agree_aspect aspect);

/* Adds to the difference how many states one set has that another of the same columns lacks, and
 * the smallest of them. False: a diagram has too many nodes for that to be told. */
bool agree_find_missing(const struct outcome_states *has, const struct outcome_states *lacks,
                        struct agree_difference *difference) __attribute__((warn_unused_result));

const char *agree_aspect_text(enum agree_aspect aspect);

/* Is what a machine shows among what a model allows? Of a machine nothing else is asked: it may
 * show less, and knows of no races.
 *
 * HELD      every state is among the model's
 * OUTSIDE   some is not: `differences` has the smallest of each kind
 * UNDEFINED the model says nothing of an undefined test: not compared
 * PARTLY    what is there is among the model's, but the machine was not looked at completely;
 *           or some is not, and the model's own answer is incomplete. `reason` says why
 *
 * A doubt of the machine excuses what it lacks, never what it has; of the model every doubt
 * counts, as a machine knows no bound on loops. When conditions were only decided, a state that
 * decides one for the machine must decide it for the model. */
enum contain_answer { CONTAIN_HELD, CONTAIN_OUTSIDE, CONTAIN_UNDEFINED, CONTAIN_PARTLY };

struct containment {
    enum contain_answer answer;
    struct agree_difference differences[AGREE_ASPECT_COUNT]; /* owner is 1, the machine */
    uint32_t count;
    const char *reason; /* of PARTLY, else NULL */
    bool is_counted;    /* the next two are known: both were listed completely, and not UNDEFINED */
    size_t never_crash, never_final; /* states of the model that the machine does not show */
};

struct containment agree_contain(const struct outcome *model, const struct outcome *machine,
                                 const struct lit_program *program, bool decided);
const char *agree_contain_text(enum contain_answer answer);

#endif
