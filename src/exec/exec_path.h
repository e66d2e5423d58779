/* exec_path: the runs of one thread, each along one path of control flow.
 *
 * A thread is run without knowing what its reads return. Where a choice depends
 * on a read, the run splits and each part keeps the constraint it relies on. A
 * path is a sequence of events, the constraints on its reads, and how it ended.
 * Locations are concrete: an index that depends on a read splits the run too.
 * When joining is asked for, one path stands for many runs, which differ in which of its
 * guarded events happen.
 *
 * A run that comes to no end within the limits is in doubt however much of it is looked at, and
 * what it costs grows with its length. So all runs of such a thread are cut off early.
 *
 * Ownership: paths live in the arena given to exec_run_thread and are immutable.
 */
#ifndef CRASHLIT_EXEC_PATH_H
#define CRASHLIT_EXEC_PATH_H

#include "exec/exec_event.h"

/* How a path ended: X(name). COMPLETE ran to the thread's end; the others are stuck
 * (semantics.md section 2), FAULT at an access or division that is undefined. */
#define EXEC_ENDS(X) X(COMPLETE) X(AT_BARRIER) X(AT_AWAIT) X(AT_BOUND) X(AT_FAULT)

enum exec_end {
#define X(name) EXEC_##name,
    EXEC_ENDS(X)
#undef X
};

enum {
    EXEC_MAX_THREAD_EVENTS = 4096, /* which one more instruction may pass */
    EXEC_CUT_EVENTS = 256,         /* of each path of a thread, some run of which is longer than
                                      is looked at */
    EXEC_MAX_STEPS = 1 << 16,      /* instructions of one run */
    EXEC_MAX_PATHS = 8192,         /* of one thread */
    EXEC_MAX_PATH_EVENTS = 1 << 17 /* of all paths of all threads */
};

/* On a joined path something may depend on a read in some of its runs alone: those that have both
 * and in which the value is not 0. */
struct exec_dep_case {
    uint32_t read;
    const struct exec_value *when;
};

/* Which earlier reads of the thread something depends on: a bit per event index, of as many words
 * as the last of them needs. Immutable, and shared by all that depends on the same. */
struct exec_deps {
    const uint64_t *words;
    uint32_t count; /* the last word is not 0 */
    uint32_t case_count;
    const struct exec_dep_case *cases; /* in the order of their reads; of all others: always */
};

static inline bool exec_deps_has(const struct exec_deps *deps, uint32_t event)
{
    return event / 64 < deps->count && deps->words[event / 64] >> (event % 64) & 1;
}

bool exec_deps_same(const struct exec_deps *a, const struct exec_deps *b);
/* The value of the read's case; NULL when it has none. */
const struct exec_value *exec_deps_when(const struct exec_deps *deps, uint32_t event);

/* `value` is nonzero if and only if `truth`. */
struct exec_constraint {
    const struct exec_value *value;
    bool truth;
};

/* A crash statement, passed when `before` events of the thread had executed. */
struct exec_crash_mark {
    const struct lit_instr *instr;
    uint32_t before;
};

/* A register that a crash condition names receives a value: once events `first` to `end`,
 * exclusive, of the thread have executed. These are the instruction's own, or all before it when it
 * has none. Nor does it before the thread has passed `behind` crash statements, as many as stand
 * before it when there is no event between; else 0. */
struct exec_assignment {
    uint32_t reg, first, end, behind;
    const struct exec_value *value;
};

/* Runs that part and meet again are one path when joining is asked for. Events of one part
 * alone have a guard: they happen only when its value is not zero, and the outer ones'. */
struct exec_guard {
    const struct exec_value *when;
    const struct exec_guard *outer; /* of the part this one stands in, or NULL */
    uint32_t fork;                  /* parts of one fork exclude each other */
};

/* An event under `a` happens only together with what is under `b`; NULL is always. */
bool exec_guard_implies(const struct exec_guard *a, const struct exec_guard *b);
/* No execution has events under both. */
bool exec_guards_exclude(const struct exec_guard *a, const struct exec_guard *b);

struct exec_path {
    uint32_t thread;
    enum exec_end end;
    bool too_long;                     /* AT_BOUND for its length, not for a loop's bound */
    bool probe;                        /* contains one failing iteration of an await */
    bool shares;                       /* that it is one rests on how evenly locations are shared
                                          which an await updates (exec_access_is_even) */
    const struct lit_instr *end_instr; /* where it is stuck, NULL when complete */
    struct ev_meeting meeting;         /* AT_BARRIER: the instance it waits for */
    const struct ev *events;
    uint32_t event_count;
    uint32_t slot_count; /* events, then the reads of the iteration an AT_AWAIT path spins in:
                            each returns the coherence-latest value */
    const struct exec_deps *addr, *data, *ctrl; /* per event; of joined paths without meaning unless
                                                   dependencies are asked for */
    const struct exec_guard *const *guards;     /* per event, NULL: on every run of the path */
    bool joined; /* some event has a guard, or a dependency that is a case */
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

/* When a write inside of a transaction takes effect for all but the transaction itself: at once; at
 * once, unless the transaction is aborted; the same, but then each may have stayed, and either is
 * tried; or when it ends. One that takes no effect is no event. */
enum exec_effect { EXEC_AT_ONCE, EXEC_UNLESS_ABORTED, EXEC_UNLESS_DROPPED, EXEC_AT_ITS_END };

/* Per thread and instruction, of writes to volatile and of those to non-volatile locations. Where a
 * thread writes nothing inside of transactions, or all at once: NULL. */
struct exec_effects {
    const uint8_t (*of[LIT_MAX_THREADS])[2];
};

struct exec_run_options {
    uint32_t unroll;                  /* iterations of a loop whose condition depends on reads */
    bool plain;                       /* loops that retry have no other bound */
    bool probes;                      /* also paths with one failing await iteration */
    struct ev_waits waits;            /* where the model makes barriers rendezvous */
    struct exec_effects effects;      /* when the model has writes take effect */
    bool join;                        /* join runs that meet again */
    bool dependencies;                /* joined paths have theirs */
    bool brief;                       /* leave out runs that `shares` would be true of */
    bool crashes_tell;                /* a crash may tell an update of NVRAM that changes nothing
                                         from none, so that it counts in a wait */
    const struct exec_reads *follow;  /* NULL, or what the reads return, by index, as far as
                                         known: only paths that agree with it */
    const uint32_t *follow_until;     /* NULL, or after how many events it is too long, as the
                                         joined path was that it stands for */
    uint32_t most_events;             /* of a path: fewer than EXEC_MAX_THREAD_EVENTS; 0: as many */
    uint32_t *path_events;            /* kept so far, of all threads */
    bool (*out_of_time)(void *clock); /* asked between runs; NULL: no limit */
    void *clock;
};

/* May the instruction access the location, as far as its address goes? */
bool exec_may_access(const struct lit_instr *instr, uint32_t location);
/* Which threads may; `accesses` has one for each. */
void exec_find_accessors(const struct lit_program *program, uint32_t location, bool *accesses);
/* Does an access of a thread order its location for all those? Where each access of a location does
 * so, an update of it that writes what it has read counts as a read in an await. */
bool exec_access_is_even(const struct lit_program *program, uint32_t thread,
                         const struct lit_instr *instr, const bool *accesses);

void exec_run_thread(struct arena *arena, const struct lit_program *program, uint32_t thread,
                     const struct exec_run_options *options, struct exec_paths *paths);

#endif
