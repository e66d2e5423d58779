/* explanation: why a condition's state can or cannot be reached, as plain data.
 *
 * A reachable state is explained by one execution, step by step; an unreachable one by
 * the rules and program lines that forbid it together. Whoever finds the explanation fills
 * it; reports show it.
 *
 * Ownership: an explanation owns its texts and lists; explanation_fini releases them. File
 * names belong to the sources of the test and the model.
 */
#ifndef CRASHLIT_EXPLANATION_H
#define CRASHLIT_EXPLANATION_H

#include "engine/engine.h"

enum explanation_answer { EXPLANATION_REACHABLE, EXPLANATION_UNREACHABLE, EXPLANATION_UNKNOWN };

/* Steps: X(identifier, name).
 *  EXECUTES  an event executes
 *  DURABLE   a write that executed becomes durable
 *  CYCLE     the next `count` events execute before one another: there is no first of them
 *  CRASH     power fails; what comes after it in the program does not happen */
#define EXPLANATION_STEPS(X) \
    X(EXECUTES, "executes")  \
    X(DURABLE, "durable")    \
    X(CYCLE, "cycle")        \
    X(CRASH, "crash")

enum explanation_step_kind {
#define X(identifier, name) EXPLANATION_##identifier,
    EXPLANATION_STEPS(X)
#undef X
};

struct explanation_step {
    enum explanation_step_kind kind;
    bool together;              /* in the same moment as the step before */
    struct outcome_event event; /* not of CYCLE; of CRASH only at a crash statement */
    bool is_read, has_value;    /* the value read or written */
    bool lost;                  /* a write to non-volatile memory that never becomes durable */
    enum lit_type type;
    int64_t value;
    struct outcome_event source; /* of reads */
    uint32_t count;              /* of CYCLE */
};

/* What forbids a state: X(identifier, name, what the reason says of its events). The order
 * is that in which reasons are shown. */
#define EXPLANATION_REASONS(X)                                      \
    X(CHECK, "check")                     /* of the model */        \
    X(FILTER, "filter")                   /* of the test */         \
    X(CRASH_POINT, "crash-point")         /* where the crash is */  \
    X(EXECUTES_BEFORE, "executes-before") /* pairs */               \
    X(DURABLE_BEFORE, "durable-before")   /* pairs */               \
    X(PERSIST_ATOMIC, "persist-atomic")   /* pairs */               \
    X(PERSIST_BEFORE, "persist-before")   /* pairs */               \
    X(COHERENCE, "coherence")             /* pairs, on one place */ \
    X(EXECUTION_BARRIER, "barrier")       /* a line of the test */  \
    X(PERSIST_BARRIER, "persist-barrier") /* a line of the test */  \
    X(FENCE, "fence")                     /* a line of the test */  \
    X(ORDERED_ACCESS, "ordered-access")   /* a line of the test */

enum explanation_reason_kind {
#define X(identifier, name) EXPLANATION_BY_##identifier,
    EXPLANATION_REASONS(X)
#undef X
};

struct explanation_pair {
    struct outcome_event from, to;
};

struct explanation_reason {
    enum explanation_reason_kind kind;
    const char *name; /* of the check or rule; of a line, its access */
    const char *file; /* where it is written, NULL when nowhere */
    uint32_t line;
    struct explanation_pair *pairs; /* of rules, and of checks as far as they are known */
    uint32_t pair_count;
};

struct explanation {
    struct arena arena;
    enum explanation_answer answer;
    const char *doubt; /* of UNKNOWN */
    VEC(struct explanation_step) steps;
    VEC(struct explanation_reason) reasons;
    bool minimal; /* without any one of the reasons the state could be reached */
    int64_t *row; /* of REACHABLE: the state, in columns of `items` */
    struct lit_atom *items;
    uint32_t width;
};

void explanation_init(struct explanation *explanation);
void explanation_fini(struct explanation *explanation);

/* The event as reports name it; the text is copied. */
struct outcome_event explanation_event(struct explanation *explanation,
                                       const struct lit_program *program, const struct ev *event);
/* Fills the steps and the state from a witness: events in an order that executes-before
 * allows, and each write durable as early as it may be. Of a cut that leaves more than the
 * state needs the rest is left out. */
void explanation_show(struct explanation *explanation, const struct engine_request *request,
                      const struct engine_witness *witness);

#endif
