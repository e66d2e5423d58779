/* trace: a run of a machine to one state, step by step, as plain data.
 *
 * Whoever explores the machine fills it; reports show it. A state is a list of parts (caches,
 * FIFOs, memories). Every step has the same parts in the same order, and a part that holds
 * locations has the same cells in the same order, so that steps compare cell by cell.
 *
 * Ownership: a trace owns all it points to but the program; trace_fini releases it.
 */
#ifndef CRASHLIT_TRACE_H
#define CRASHLIT_TRACE_H

#include "base/table.h"
#include "litmus/lit_program.h"

/* A place of a location, or an entry of a queue. */
struct trace_cell {
    const char *name; /* the location, or the whole text of an entry */
    bool has_value;   /* of a place: something is there */
    int64_t value;
    enum lit_type type;
    const char *mark; /* "*": written here and not further on; "" without */
};

/* Parts: X(identifier, name). PLACES has one cell a location that it can hold; QUEUE as many
 * entries as there are, the oldest first. */
#define TRACE_PARTS(X)  \
    X(PLACES, "places") \
    X(QUEUE, "queue")

enum trace_part_kind {
#define X(identifier, name) TRACE_##identifier,
    TRACE_PARTS(X)
#undef X
};

struct trace_part {
    enum trace_part_kind kind;
    const char *name; /* "L1 0", "NVRAM" */
    struct trace_cell *cells;
    uint32_t count;
};

struct trace_thread {
    const char *status;       /* "running", "waiting", "stalled", "done", "faulted" */
    uint32_t line;            /* of the instruction it stands at; 0 when it is done */
    const int64_t *registers; /* of the thread, in its order */
};

/* What was done, and what is there after it. Step 0 is the start. */
struct trace_step {
    const char *kind;   /* one word of a fixed list (docs/models/machines.md); of step 0 "start" */
    const char *actor;  /* "P0", "L1 0"; of step 0 "" */
    const char *text;   /* what happens; of a thread what happens besides its instruction */
    const char *source; /* that instruction as the test has it, NULL when there is none */
    uint32_t thread;    /* whose it is; LIT_NONE: nobody's */
    uint32_t line;      /* where it is, else 0 */
    const struct trace_part *parts;
    uint32_t part_count;
    const struct trace_thread *threads; /* one a thread of the program */
    const int64_t *leaves; /* what a crash here leaves, in the trace's `left`; NULL: none
                              may come here */
    uint32_t recovery;     /* from there: of the trace's `recoveries`; LIT_NONE: none */
};

/* FOUND: the last step shows the state. NONE: the machine has no such state. UNKNOWN: none was
 * found, and `doubt` says why there may be one all the same. */
enum trace_answer { TRACE_FOUND, TRACE_NONE, TRACE_UNKNOWN };

/* Of NONE: does another machine show the state, that promises what this one does? FOUND names it,
 * and UNKNOWN says that some met a limit. */
struct trace_other {
    enum trace_answer answer;
    const char *machine;                  /* of FOUND */
    const char *visibility, *persistency; /* what both promise; NULL: nobody was asked */
    uint32_t steps;
};

/* Of NONE: what a model that the machine promises says of a state that is looked for. */
enum trace_allowed {
    TRACE_NOT_ASKED,
    TRACE_ALLOWED,
    TRACE_FORBIDDEN,
    TRACE_UNDEFINED, /* the test is, under the model */
    TRACE_UNDECIDED  /* a limit was met */
};
struct trace_model {
    enum trace_allowed answer;
    const char *visibility, *persistency;
};

enum { TRACE_MOST_RECOVERIES = 32 };

struct trace {
    struct arena arena;
    const char *machine; /* the file's name */
    enum trace_answer answer;
    const char *doubt;        /* of UNKNOWN, else NULL */
    struct trace_step *steps; /* of FOUND */
    uint32_t count;
    uint64_t states;              /* looked at until it was found, those of recovery aside */
    const struct lit_atom *items; /* the state that was reached: its columns; what recovery leaves
                                     is of `lit_recovery_program` */
    const int64_t *row;           /* and their values */
    uint32_t width;
    const struct lit_atom *left; /* columns of what a crash leaves */
    uint32_t left_width;
    struct trace *recoveries; /* shortest runs of recovery to an end, one for each image of memory;
                                 of `lit_recovery_program`. Where a recovered state was looked for,
                                 the first is the one to it. */
    uint32_t recovery_count;
    bool recoveries_missing; /* there are more than TRACE_MOST_RECOVERIES */
    struct trace_other other;
    struct trace_model promised;
};

/* What is looked for: a crash state (at a moment when the crash may come), a final state, or a
 * crash state from which recovery, without another crash, ends in a state, in which the proposition
 * has the value `wanted`. */
struct trace_goal {
    enum lit_when when;
    const struct lit_prop *prop; /* NULL: any state will do */
    bool wanted;
};

static inline void trace_init(struct trace *trace)
{
    *trace = (struct trace){.answer = TRACE_UNKNOWN};
    arena_init(&trace->arena);
}
static inline void trace_fini(struct trace *trace)
{
    for (uint32_t i = 0; i < trace->recovery_count; i++)
        arena_fini(&trace->recoveries[i].arena); /* which have none of their own */
    arena_fini(&trace->arena);
}

#endif
