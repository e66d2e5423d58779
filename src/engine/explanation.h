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

#include "base/table.h"
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
    bool lands_last; /* of DURABLE: what memory holds in the end, though another version of
                        its location is among the steps behind it */
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
    X(WAITS, "waits")                     /* barriers of a scope */ \
    X(EXECUTES_BEFORE, "executes-before") /* pairs */               \
    X(DURABLE_BEFORE, "durable-before")   /* pairs */               \
    X(DURABLE_AFTER, "durable-after")     /* pairs */               \
    X(CAN_PERSIST, "can-persist")         /* a write */             \
    X(PERSIST_ATOMIC, "persist-atomic")   /* pairs */               \
    X(PERSIST_BEFORE, "persist-before")   /* pairs */               \
    X(LANDS_BEFORE, "lands-before")       /* pairs, on one place */ \
    X(COHERENCE, "coherence")             /* pairs, on one place */ \
    X(EXECUTION_BARRIER, "barrier")       /* a line of the test */  \
    X(PERSIST_BARRIER, "persist-barrier") /* a line of the test */  \
    X(FENCE, "fence")                     /* a line of the test */  \
    X(MAINTENANCE, "maintenance")         /* a line of the test */  \
    X(ORDERED_ACCESS, "ordered-access")   /* a line of the test */

enum explanation_reason_kind {
#define X(identifier, name) EXPLANATION_BY_##identifier,
    EXPLANATION_REASONS(X)
#undef X
};

struct explanation_pair {
    struct outcome_event from, to;
};

/* Of one reason alone, when everything else in the test and the model stands as it is. */
enum explanation_need {
    EXPLANATION_UNTRIED,   /* the time ran out */
    EXPLANATION_NECESSARY, /* without it the state is reachable */
    EXPLANATION_SPARE      /* without it others still keep the state out of reach */
};

struct explanation_reason {
    enum explanation_reason_kind kind;
    enum explanation_need need;
    uint32_t group;   /* the number of the first reason that is the same but for its work-items */
    const char *name; /* of the check or rule; of a line, its access */
    const char *file; /* where it is written, NULL when nowhere */
    uint32_t line;
    struct explanation_pair *pairs; /* of rules, and of checks as far as they are known */
    uint32_t pair_count;
};

/* Lines that order something. */
struct explanation_lines {
    struct outcome_event *events;
    uint32_t count;
};

/* What becomes of the condition with another persist barrier, or fence of the test, where a gap is:
 * X(identifier, name).
 */
/* VACUOUS: it holds, but of nothing. */
#define EXPLANATION_MENDS(X)  \
    X(HOLDS, "holds")         \
    X(VIOLATED, "violated")   \
    X(VACUOUS, "vacuous")     \
    X(UNDEFINED, "undefined") \
    X(UNKNOWN, "unknown")

enum explanation_mend {
#define X(identifier, name) EXPLANATION_MEND_##identifier,
    EXPLANATION_MENDS(X)
#undef X
};

/* One barrier that was tried: a new one, or the gap's own with a wider scope. Or a fence of the
 * test, once more; or calls of definitions that the test uses. */
struct explanation_try {
    const struct lit_instr *fence;       /* NULL: a persist barrier */
    const char *put;                     /* or statements in its place, as text; NULL: none */
    enum lit_scope scope;                /* of the barrier */
    uint32_t thread;                     /* that gets a new one */
    uint32_t before_line, before_column; /* before the statement there; 0: it is the gap's own */
    const uint32_t *widened; /* lines of others that take its place, and were widened with it */
    uint32_t widened_count;
    enum explanation_mend result;
};

/* An order that the model does not give: of two writes to non-volatile memory the earlier one is
 * lost, the later one durable. */
struct explanation_gap {
    struct outcome_event earlier, later;
    const struct lit_instr *instrs[2]; /* of the two */
    uint32_t threads[2];
    uint32_t location;    /* of the earlier write */
    bool next;            /* nothing durable stands between the two */
    enum lit_scope scope; /* the narrowest with both work-items */
    bool has_barrier;
    struct outcome_event barrier; /* the widest persist barrier between them, which does not do */
    enum lit_scope barrier_scope;
    const struct lit_instr *barrier_instr;
    VEC(struct explanation_try) tries; /* in order; only the last may hold */
};

struct explanation {
    struct arena arena;
    enum explanation_answer answer;
    const char *doubt; /* of UNKNOWN */
    VEC(struct explanation_step) steps;
    VEC(struct explanation_reason) reasons;
    VEC(struct explanation_gap) gaps; /* of a crash state, as far as its execution shows them */
    /* Each of these sets of lines keeps the state out of reach without the other lines, and none of
     * its lines can be spared then; the first is that of the reasons. None when there is only one.
     */
    VEC(struct explanation_lines) line_sets;
    bool all_line_sets; /* there are no others */
    bool minimal;       /* under the other reasons alone no reason can be spared */
    int64_t *row;       /* of REACHABLE: the state, in columns of `items` */
    struct lit_atom *items;
    uint32_t width;
};

/* A crash on the way to a recovered state: in the program, or in a run of recovery, which is then
 * a program of its own. */
struct explanation_crash {
    const struct lit_program *program;
    const struct explanation *explanation;
};

void explanation_init(struct explanation *explanation);
void explanation_fini(struct explanation *explanation);
void explanation_clear_gaps(struct explanation *explanation);

/* The event as reports name it; the text is copied. */
struct outcome_event explanation_event(struct explanation *explanation,
                                       const struct lit_program *program, const struct ev *event);
/* What an execution is shown by, of the nodes of explanation_show: what has to come before what,
 * closed; those that are shown; the events that tell registers of the state. */
struct explanation_nodes {
    struct rel_dim dim;
    const rel_word *before, *wanted, *tells;
};
/* The pairs of an execution: each lost write with the durable ones behind it, and with the events
 * behind it that tell a register of the state. */
void explanation_find_gaps(struct explanation *explanation, const struct engine_witness *witness,
                           const struct explanation_nodes *nodes);
/* Was a barrier found with which the condition holds? */
bool explanation_is_mended(const struct explanation_gap *gap);
/* A persist barrier of that scope, to put somewhere. */
struct lit_instr explanation_barrier(enum lit_scope scope);
/* The test with that barrier, or fence, before instruction `at` of a work-item, which is not within
 * an await. It borrows all else from `program`; in `arena`. */
const struct lit_program *explanation_mended(struct arena *arena, const struct lit_program *program,
                                             uint32_t thread, uint32_t at,
                                             const struct lit_instr *instr);
/* The test with the gap's barrier, and the persist barriers that take its place in the code of
 * other work-items of the scope, at least as wide as that. */
const struct lit_program *explanation_widened(struct arena *arena,
                                              const struct lit_program *program,
                                              const struct explanation_gap *gap,
                                              enum lit_scope scope);

/* Fills the steps and the state from a witness: events in an order that executes-before
 * allows, and each write durable as early as it may be. Of a cut that leaves more than the
 * state needs the rest is left out. */
void explanation_show(struct explanation *explanation, const struct engine_request *request,
                      const struct engine_witness *witness);

#endif
