/* trace: a machine's run to one state, step by step, as plain data.
 *
 * The engine that explores the machine fills it; reports show it. A state is a list of parts
 * (caches, FIFOs, memories). Every step has the same parts in the same order. A part that holds
 * locations has the same cells in the same order, so steps compare cell by cell.
 *
 * Ownership: a trace owns all it points to but the program; trace_fini releases it. */
#ifndef CRASHLIT_TRACE_H
#define CRASHLIT_TRACE_H

#include "base/table.h"
#include "litmus/lit_program.h"

#include <string.h>

/* A place of a location, or an entry of a queue. */
struct trace_cell {
    const char *name; /* the location, or the whole text of an entry */
    bool has_value;   /* of a place: something is there */
    int64_t value;
    enum lit_type type;
    const char *mark; /* "*": written here but not passed on yet; else "" */
};

/* Parts: X(identifier, name). PLACES has a cell per location that it can hold; QUEUE has its
 * present entries, the oldest first. */
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

/* An action, and the machine's state after it. Step 0 is the start. */
struct trace_step {
    const char *kind;   /* one word of a fixed list (docs/models/machines.md); of step 0 "start" */
    const char *actor;  /* "P0", "L1 0"; of step 0 "" */
    const char *text;   /* what happens; for a thread, what happens besides its instruction */
    const char *source; /* the instruction as the test has it; NULL: none */
    uint32_t thread;    /* the instruction's thread; LIT_NONE: none */
    uint32_t line;      /* the instruction's line, else 0 */
    const struct trace_part *parts;
    uint32_t part_count;
    const struct trace_thread *threads; /* one a thread of the program */
    const int64_t *leaves; /* what a crash here leaves, in the trace's `left`; NULL: none may come
                              here */
    uint32_t recovery;     /* its number in the trace's `recoveries`; LIT_NONE: none */
};

/* FOUND: the last step shows the state. NONE: the machine has no such state. UNKNOWN: none was
 * found, and `doubt` says why one may exist. */
enum trace_answer { TRACE_FOUND, TRACE_NONE, TRACE_UNKNOWN };

/* Of NONE: does another machine that promises the same model show the state? FOUND names it;
 * UNKNOWN: some machine met a limit. */
struct trace_other {
    enum trace_answer answer;
    const char *machine;                  /* of FOUND */
    const char *visibility, *persistency; /* what both promise; NULL: no machine was asked */
    uint32_t steps;
};

/* Of NONE: does the model pair that the test is asked about, or else one that the machine promises, allow the state? */
enum trace_allowed {
    TRACE_NOT_ASKED,
    TRACE_ALLOWED,
    TRACE_FORBIDDEN,
    TRACE_UNDEFINED, /* the test is undefined under the model */
    TRACE_UNDECIDED  /* a limit was met */
};
struct trace_model {
    enum trace_allowed answer;
    const char *visibility, *persistency;
};

/* The machine where nobody named one: what it promises, and the pair that the test is asked about, which it was chosen
 * for. The two differ where no machine promises that pair. */
struct trace_choice {
    const char *visibility, *persistency; /* what it promises; NULL: the machine was named */
    const char *asked_visibility, *asked_persistency;
    const char *by; /* the definition file that names that pair, "cuda.def"; NULL: none */
};
static inline bool trace_choice_fits(const struct trace_choice *choice)
{
    return choice->visibility && strcmp(choice->visibility, choice->asked_visibility) == 0 &&
           strcmp(choice->persistency, choice->asked_persistency) == 0;
}

enum { TRACE_MOST_RECOVERIES = 32 };

struct trace {
    struct arena arena;
    const char *machine; /* the file's name */
    enum trace_answer answer;
    const char *doubt;        /* of UNKNOWN, else NULL */
    struct trace_step *steps; /* of FOUND */
    uint32_t count;
    uint64_t states;              /* looked at until it was found, without those of recovery */
    const struct lit_atom *items; /* the columns of the state reached; for a recovery they are of
                                     `lit_recovery_program` */
    const int64_t *row;           /* and their values */
    uint32_t width;
    const struct lit_atom *left; /* columns of what a crash leaves */
    uint32_t left_width;
    struct trace *recoveries; /* shortest runs of recovery to an end, one per image of memory; they
                                 are of `lit_recovery_program`. If a recovered state was looked for,
                                 the first leads to it. */
    uint32_t recovery_count;
    bool recoveries_missing; /* there are more than TRACE_MOST_RECOVERIES */
    struct trace_other other;
    struct trace_model promised;
};

/* The goal: a crash state (at a moment when the crash may come), a final state, or a crash state
 * from which recovery, without another crash, ends in a state. The proposition has the value
 * `wanted` in that state. */
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
