/* mach_pipe: the description of a pipeline, through which writes travel to durability.
 *
 * A file with `machine = pipeline` (docs/models/machines.md) describes its stages, where the
 * durable part begins, and what instructions do to what is in the stages; pipeline.h
 * interprets it over one sequentially consistent memory.
 *
 * Ownership: all of it lives in the arena of the file that it was read from. Tags are names here;
 * which of a program's tags they are is found when a test begins.
 */
#ifndef CRASHLIT_PIPE_H
#define CRASHLIT_PIPE_H

#include "base/source.h"
#include "litmus/lit_program.h"

/* Rules, bypasses and views of a description: of each kind at most MACH_PIPE_LINES. */
enum {
    MACH_PIPE_STAGES = 4,
    MACH_PIPE_VARIABLES = 4,
    MACH_PIPE_OPS = 8,
    MACH_PIPE_LINES = 64,
    MACH_PIPE_ENTRIES = 32
};

/* How many instances of a stage there are: X(name, word). Of a unit: one for the work-groups of a
 * device that share a compute unit (mach.h). */
#define MACH_PIPE_PERS(X) \
    X(THREAD, "thread") X(UNIT, "unit") X(DEVICE, "device") X(SYSTEM, "system")

/* Which entry of an instance may move on: X(name, word). MARKS: no mark separates it from an entry
 * before it. Versions of one location keep their order in all of them, unless the stage is `apart`.
 */
#define MACH_PIPE_ORDERS(X) X(ANY, "any") X(FIFO, "fifo") X(MARKS, "marks")

/* What an instruction is matched by besides a tag: X(name, word). RMW: CAS, too. */
#define MACH_PIPE_KINDS(X) \
    X(ANY, "")             \
    X(LOAD, "load")        \
    X(STORE, "store")      \
    X(RMW, "rmw") X(FENCE, "fence") X(CM, "cm") X(BARRIER, "barrier") X(PBARRIER, "p_barrier")

/* Operations: X(name, word, takes which entries, takes a stage). A MOVE or DRAIN may say a stage
 * past which entries have to get, an AWAIT a scope whose work-items' entries it waits for. */
#define MACH_PIPE_OPERATIONS(X) \
    X(MOVE, "move", 1, 1)       \
    X(DRAIN, "drain", 1, 1)     \
    X(AWAIT, "await", 0, 0)     \
    X(THROUGH, "through", 0, 0) \
    X(MARK, "mark", 1, 1)       \
    X(STRAND, "strand", 0, 0)   \
    X(MEET, "meet", 0, 0)       \
    X(BEGIN, "begin", 0, 0)     \
    X(ENQUEUE, "enqueue", 0, 0) \
    X(COMMIT, "commit", 0, 0)   \
    X(ABORT, "abort", 0, 0)     \
    X(RELEASE, "release", 0, 0) \
    X(SET, "set", 0, 0)

/* Which entries: those of the instruction's line; of these, those of the instance of the stage that
 * the thread's stores enter; those that the thread wrote; of these, those of its strand; all of
 * that instance; of the threads in the instruction's scope; all. X(name, word). */
#define MACH_PIPE_WHICHES(X) \
    X(LINE, "x")             \
    X(HERE, "here")          \
    X(OWN, "own") X(STRAND, "strand") X(UNIT, "unit") X(SCOPE, "scope") X(ALL, "all")

#define X(name, ...) MACH_PIPE_PER_##name,
enum mach_pipe_per { MACH_PIPE_PERS(X) };
#undef X
#define X(name, ...) MACH_PIPE_ORDER_##name,
enum mach_pipe_order { MACH_PIPE_ORDERS(X) };
#undef X
#define X(name, ...) MACH_PIPE_KIND_##name,
enum mach_pipe_kind { MACH_PIPE_KINDS(X) };
#undef X
#define X(name, ...) MACH_PIPE_##name,
enum mach_pipe_operation { MACH_PIPE_OPERATIONS(X) };
#undef X
#define X(name, ...) MACH_PIPE_WHICH_##name,
enum mach_pipe_which { MACH_PIPE_WHICHES(X) };
#undef X

struct mach_pipe_stage {
    const char *name;
    enum mach_pipe_per per; /* no narrower than that of the stage before */
    enum mach_pipe_order order;
    bool merge; /* an entry takes the value of the next version of its location */
    bool group; /* write sets of transactions are one entry, and enter as one */
    bool hold;  /* no entry of an open transaction leaves */
    bool apart; /* versions of one location keep their order within an instance alone; volatile */
    bool lines; /* entries of one line leave in the order in which they came */
    bool joint; /* a line has one state: what is of it there is committed with any of it */
    bool durable;
    uint8_t variable, value; /* bypassed while the variable has another value;
                                MACH_PIPE_VARIABLES: never */
    struct span span;
};

/* Who, where or what, by tag; NULL: any. */
struct mach_pipe_match {
    enum mach_pipe_kind kind;
    const char *tag;  /* of the instruction */
    int order, scope; /* enum lit_order, enum lit_scope, exactly; -1: any */
    const char *by;   /* tag of the thread ... */
    bool not_by;      /* ... that it has not */
    const char *at;   /* tag of the location ... */
    bool not_at;
    int8_t inside; /* 1, 0: the thread has an open transaction, or none; -1: either */
};

struct mach_pipe_op {
    enum mach_pipe_operation op;
    enum mach_pipe_which which;
    uint8_t stage, further; /* MOVE, DRAIN: entries are owed until they have left the stage that is
                               `further` behind */
    uint8_t variable, value;
    uint8_t scope; /* AWAIT: enum lit_scope; LIT_SCOPE_WI: what is owed to the work-item alone */
};

/* `on MATCH : op ; op`. The first that matches an instruction counts. */
struct mach_pipe_rule {
    struct mach_pipe_match match;
    struct mach_pipe_op ops[MACH_PIPE_OPS];
    uint32_t count;
    struct span span;
};

/* `bypass STAGE MATCH`: what a matching store writes does not enter the stage. */
struct mach_pipe_bypass {
    uint8_t stage;
    struct mach_pipe_match match;
};

/* `view STAGE MATCH`: a matching read waits until no entry of its location is before the stage;
 * stage_count: before the medium. */
struct mach_pipe_view {
    uint8_t stage;
    struct mach_pipe_match match;
};

/* What a tag of a match is on. */
enum mach_pipe_bearer { MACH_PIPE_OF_INSTRUCTION, MACH_PIPE_OF_THREAD, MACH_PIPE_OF_LOCATION };

/* A tag that the description names, and where; in the order of the text. */
struct mach_pipe_tag {
    const char *tag;
    enum mach_pipe_bearer bearer;
    struct span span;
    const struct mach_pipe_tag *next;
};

struct mach_pipe {
    struct mach_pipe_stage stages[MACH_PIPE_STAGES];
    uint32_t stage_count;                       /* with none a write is durable at once */
    const char *variables[MACH_PIPE_VARIABLES]; /* of two or more values each */
    const char *const *values[MACH_PIPE_VARIABLES];
    uint32_t value_counts[MACH_PIPE_VARIABLES];
    uint8_t initial[MACH_PIPE_VARIABLES];
    uint32_t variable_count;
    struct mach_pipe_rule rules[MACH_PIPE_LINES];
    uint32_t rule_count;
    struct mach_pipe_bypass bypasses[MACH_PIPE_LINES];
    uint32_t bypass_count;
    struct mach_pipe_view views[MACH_PIPE_LINES];
    uint32_t view_count;
    const struct mach_pipe_tag *tags;
    bool isolate;      /* a transaction begins when no other thread's goes on */
    bool aborts_alone; /* `isolate` and `redo` count in programs alone that can abort one */
    bool redo; /* what a transaction stores to NVM is in a log, and others see it when it ends */
    uint32_t
        entries; /* room of all stages together, up to MACH_PIPE_ENTRIES: a store waits for it */
};

#endif
