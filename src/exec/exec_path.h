/* exec_path: the runs of one thread, as paths of control flow.
 *
 * A thread runs as in symbolic execution: nothing is known of what its reads return. Where a choice
 * depends on a read, the run splits, and each part keeps the constraint that it relies on. A path
 * is a sequence of events, the constraints on its reads, and its end. Locations are concrete: an
 * index that depends on a read splits the run too. When joining is asked for, one path stands for
 * many runs, which differ in which of its guarded events happen.
 *
 * A run that does not end within the limits is in doubt however much of it is looked at, and its
 * cost grows with its length. So all runs of a thread that has one are cut off early.
 *
 * Ownership: paths live in the arena given to exec_run_thread and are immutable. */
#ifndef CRASHLIT_EXEC_PATH_H
#define CRASHLIT_EXEC_PATH_H

#include "exec/exec_event.h"

/* The ends of paths: X(name). COMPLETE ran to the thread's end. The others are stuck (semantics.md
 * section 2), FAULT at an undefined access or division. */
#define EXEC_ENDS(X) X(COMPLETE) X(AT_BARRIER) X(AT_AWAIT) X(AT_BOUND) X(AT_FAULT)

enum exec_end {
#define X(name) EXEC_##name,
    EXEC_ENDS(X)
#undef X
};

enum {
    EXEC_MAX_THREAD_EVENTS = 4096, /* one more instruction may pass it */
    EXEC_CUT_EVENTS = 256,         /* of each path of a thread that has a run past the limits */
    EXEC_MAX_STEPS = 1 << 16,      /* instructions of one run */
    EXEC_MAX_PATHS = 8192,         /* of one thread */
    EXEC_MAX_PATH_EVENTS = 1 << 17 /* of all paths of all threads */
};

/* On a joined path something may depend on a read only in some of its runs: those that have both,
 * and in which the value is not 0. */
struct exec_dep_case {
    uint32_t read;
    const struct exec_value *when;
};

/* The earlier reads of the thread that something depends on: a bit per event index, in as many
 * words as the last of them needs. Immutable and shared. */
struct exec_deps {
    const uint64_t *words;
    uint32_t count; /* the last word is not 0 */
    uint32_t case_count;
    const struct exec_dep_case *cases; /* in the order of their reads; all other reads: in every
                                          run */
};

static inline bool exec_deps_has(const struct exec_deps *deps, uint32_t event)
{
    return event / 64 < deps->count && deps->words[event / 64] >> (event % 64) & 1;
}

bool exec_deps_same(const struct exec_deps *a, const struct exec_deps *b);
/* The value of the read's case; NULL: it has none. */
const struct exec_value *exec_deps_when(const struct exec_deps *deps, uint32_t event);

/* `value` is nonzero if and only if `truth`. */
struct exec_constraint {
    const struct exec_value *value;
    bool truth;
};

/* A crash statement; `before` events of the thread come before it. */
struct exec_crash_mark {
    const struct lit_instr *instr;
    uint32_t before;
};

/* An assignment to a register that a crash condition names. It holds once events `first` to `end`,
 * exclusive, of the thread have executed: the instruction's own, or all before it if it has none.
 * It also needs the thread to have passed `behind` crash statements: those before it with no event
 * between; else 0. */
struct exec_assignment {
    uint32_t reg, first, end, behind;
    const struct exec_value *value;
};

/* When joining is asked for, runs that part and meet again are one path. Events of only one part
 * have a guard: they happen only when its value, and those of the outer guards, are not 0. */
struct exec_guard {
    const struct exec_value *when;
    const struct exec_guard *outer; /* of the surrounding part, or NULL */
    uint32_t fork;                  /* parts of one fork exclude each other */
};

/* Does an event under `a` happen only if what is under `b` does? NULL: always happens. */
bool exec_guard_implies(const struct exec_guard *a, const struct exec_guard *b);
/* Does no execution have events under both? */
bool exec_guards_exclude(const struct exec_guard *a, const struct exec_guard *b);

struct exec_path {
    uint32_t thread;
    enum exec_end end;
    bool too_long;                     /* AT_BOUND for its length, not for a loop's bound */
    bool probe;                        /* contains one failing iteration of an await */
    bool shares;                       /* it is a path only if accesses share evenly a location that
                                          an await updates (exec_access_is_even) */
    const struct lit_instr *end_instr; /* where it is stuck, NULL when complete */
    struct ev_meeting meeting;         /* AT_BARRIER: the instance it waits for */
    const struct ev *events;
    uint32_t event_count;
    uint32_t hidden_count; /* of these, the last ones: no crash that is looked at comes behind them,
                              as what the run computes there is not known in full */
    uint32_t slot_count; /* events, then the reads of the iteration in which an AT_AWAIT path spins:
                            each returns the coherence-latest value */
    const struct exec_deps *addr, *data, *ctrl; /* per event; meaningless for joined paths unless
                                                   dependencies are asked for */
    const struct exec_guard *const *guards;     /* per event; NULL: on every run of the path */
    bool joined; /* some event has a guard, or a dependency with a case */
    const struct exec_constraint *constraints;
    uint32_t constraint_count;
    const struct exec_constraint *spins; /* AT_AWAIT: what keeps it spinning */
    uint32_t spin_count;
    const struct exec_crash_mark *crashes;
    uint32_t crash_count;
    const struct exec_assignment *assignments; /* in program order */
    uint32_t assignment_count;
    const struct exec_value *const *registers; /* final values, per register */
};

struct exec_paths {
    const struct exec_path **items;
    uint32_t count;
    bool truncated; /* a limit was met, or the time ran out */
};

/* When a write inside a transaction takes effect for other threads. AT_ONCE: at once.
 * UNLESS_ABORTED: at once, unless the transaction is aborted. UNLESS_DROPPED: the same, but writes
 * of an aborted transaction may stay, and both cases are tried. AT_ITS_END: at its end. A write
 * without effect is no event. */
enum exec_effect { EXEC_AT_ONCE, EXEC_UNLESS_ABORTED, EXEC_UNLESS_DROPPED, EXEC_AT_ITS_END };

/* Per thread and instruction: of writes to volatile and to non-volatile locations. NULL for a
 * thread whose writes all take effect at once. */
struct exec_effects {
    const uint8_t (*of[LIT_MAX_THREADS])[2];
};

struct exec_run_options {
    uint32_t unroll;             /* iterations of a loop whose condition depends on reads */
    bool plain;                  /* loops that retry get no bound of their own */
    bool any_value;              /* what may be read is not looked at before all paths are there */
    bool probes;                 /* also make paths with one failing await iteration */
    struct ev_waits waits;       /* barriers that the model makes rendezvous */
    struct exec_effects effects; /* when the model lets writes take effect */
    bool join;                   /* join runs that meet again */
    bool dependencies;           /* compute the dependencies of joined paths */
    bool brief;                  /* leave out runs whose path would have `shares` */
    bool crashes_tell;           /* a crash may tell an NVRAM update that changes nothing from
                                         none, so such an update counts in a wait */
    const struct exec_reads *follow;  /* what the reads return, by index, as far as known: only
                                         paths that agree; NULL: all */
    const uint32_t *follow_until;     /* the event count at which the followed path is too long, as
                                         its joined path was; NULL */
    uint32_t most_events;             /* most events of a path; 0: EXEC_MAX_THREAD_EVENTS */
    uint32_t *path_events;            /* the number kept so far, over all threads */
    bool (*out_of_time)(void *clock); /* asked between runs; NULL: no limit */
    void *clock;
};

/* May the instruction's address be the location? */
bool exec_may_access(const struct lit_instr *instr, uint32_t location);
/* Marks in `accesses`, per thread, who may access the location. */
void exec_find_accessors(const struct lit_program *program, uint32_t location, bool *accesses);
/* Does this access order the location for all threads in `accesses`? If every access of the
 * location does, an update that writes what it has read counts as a read in an await. */
bool exec_access_is_even(const struct lit_program *program, uint32_t thread,
                         const struct lit_instr *instr, const bool *accesses);

void exec_run_thread(struct arena *arena, const struct lit_program *program, uint32_t thread,
                     const struct exec_run_options *options, struct exec_paths *paths);

#endif
