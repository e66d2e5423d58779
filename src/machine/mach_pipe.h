/* mach_pipe: the description of a pipeline: stages through which writes travel to durability.
 *
 * A file with `machine = pipeline` (docs/models/machines.md) describes its stages, where the
 * durable part begins, and what instructions do to entries in the stages. pipeline.h interprets it
 * over one sequentially consistent memory.
 *
 * Ownership: all of it lives in the arena of its file. Tags are names here; they are matched with a
 * program's tags when a test begins. */
#ifndef CRASHLIT_PIPE_H
#define CRASHLIT_PIPE_H

#include "base/source.h"
#include "litmus/lit_program.h"

/* MACH_PIPE_LINES: the most rules, the most bypasses, and the most views of a description. */
enum {
    MACH_PIPE_STAGES = 4,
    MACH_PIPE_VARIABLES = 4,
    MACH_PIPE_OPS = 8,
    MACH_PIPE_LINES = 64,
    MACH_PIPE_ENTRIES = 32
};

/* How many instances a stage has: X(name, word). Per unit: one for the work-groups of a device that
 * share a compute unit (mach.h). */
#define MACH_PIPE_PERS(X) \
    X(THREAD, "thread") X(UNIT, "unit") X(DEVICE, "device") X(SYSTEM, "system")

/* Which entry of an instance may move on: X(name, word). MARKS: one that no mark separates from an
 * earlier entry. In every order versions of one location keep their order, unless the stage is
 * `apart`. */
#define MACH_PIPE_ORDERS(X) X(ANY, "any") X(FIFO, "fifo") X(MARKS, "marks")

/* Kinds of instructions, matched besides tags: X(name, word). RMW includes CAS. */
#define MACH_PIPE_KINDS(X) \
    X(ANY, "")             \
    X(LOAD, "load")        \
    X(STORE, "store")      \
    X(RMW, "rmw") X(FENCE, "fence") X(CM, "cm") X(BARRIER, "barrier") X(PBARRIER, "p_barrier")

/* Operations: X(name, word, takes which entries, takes a stage). A MOVE or DRAIN may name a stage
 * that entries must get past. An AWAIT may name a scope whose work-items' entries it waits for. The
 * instruction's access comes last, or where ACCESS stands. */
#define MACH_PIPE_OPERATIONS(X) \
    X(MOVE, "move", 1, 1)       \
    X(DRAIN, "drain", 1, 1)     \
    X(AWAIT, "await", 0, 0)     \
    X(THROUGH, "through", 0, 0) \
    X(MARK, "mark", 1, 1)       \
    X(STRAND, "strand", 0, 0)   \
    X(MEET, "meet", 0, 0)       \
    X(ACCESS, "access", 0, 0)   \
    X(BEGIN, "begin", 0, 0)     \
    X(ENQUEUE, "enqueue", 0, 0) \
    X(COMMIT, "commit", 0, 0)   \
    X(ABORT, "abort", 0, 0)     \
    X(RELEASE, "release", 0, 0) \
    X(SET, "set", 0, 0)

/* Which entries: X(name, word). LINE: of the instruction's line; for a MARK those that others wrote.
 * HERE: of these, those in the instance of the stage that the thread's stores enter. OWN: those that
 * the thread wrote. STRAND: of these, those of its strand. UNIT: all in that instance. SCOPE: those
 * of threads in the instruction's scope. ALL: all. */
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
    bool merge; /* an entry absorbs the next version of its location */
    bool group; /* write sets of transactions are one entry, and enter as one */
    bool hold;  /* entries of an open transaction stay */
    bool apart; /* versions of one location keep their order only within an instance; volatile */
    bool lines; /* entries of one line leave in their order of arrival */
    bool joint; /* a line has one state: what the stage has of it is committed with any part of
                   it */
    bool durable;
    uint8_t variable, value; /* bypassed while the variable has another value;
                                MACH_PIPE_VARIABLES: never */
    struct span span;
};

/* A match of instruction, thread and location, by tag; NULL: any. */
struct mach_pipe_match {
    enum mach_pipe_kind kind;
    const char *tag;  /* of the instruction */
    int order, scope; /* enum lit_order, enum lit_scope, exactly; -1: any */
    const char *by;   /* tag of the thread ... */
    bool not_by;      /* ... which the thread must lack */
    const char *at;   /* tag of the location ... */
    bool not_at;
    int8_t inside; /* 1: the thread has an open transaction; 0: none; -1: either */
};

struct mach_pipe_op {
    enum mach_pipe_operation op;
    enum mach_pipe_which which;
    uint8_t stage, further; /* MOVE, DRAIN: entries are owed until they leave the stage `further`
                               behind */
    uint8_t variable, value;
    uint8_t scope; /* AWAIT: enum lit_scope; LIT_SCOPE_WI: only what is owed to the work-item
                      itself */
};

/* May an instruction of the kind access memory? */
static inline bool pipe_may_access(enum mach_pipe_kind kind)
{
    return kind == MACH_PIPE_KIND_ANY || kind == MACH_PIPE_KIND_LOAD ||
           kind == MACH_PIPE_KIND_STORE || kind == MACH_PIPE_KIND_RMW;
}

/* `on MATCH : op ; op`. The first rule that matches an instruction counts. */
struct mach_pipe_rule {
    struct mach_pipe_match match;
    struct mach_pipe_op ops[MACH_PIPE_OPS];
    uint32_t count;
    struct span span;
};

/* `bypass STAGE MATCH`: the write of a matching store skips the stage. `view STAGE MATCH`: a matching
 * read waits until no entry of its location is before the stage; stage_count: before the medium. */
struct mach_pipe_ways {
    struct mach_pipe_way {
        uint8_t stage;
        struct mach_pipe_match match;
        struct span span;
    } items[MACH_PIPE_LINES];
    uint32_t count;
};

/* What a tag of a match is on. */
enum mach_pipe_bearer { MACH_PIPE_OF_INSTRUCTION, MACH_PIPE_OF_THREAD, MACH_PIPE_OF_LOCATION };

/* A tag that the description names, with its place; in the order of the text. */
struct mach_pipe_tag {
    const char *tag;
    enum mach_pipe_bearer bearer;
    struct span span;
    const struct mach_pipe_tag *next;
};

struct mach_pipe {
    struct mach_pipe_stage stages[MACH_PIPE_STAGES];
    uint32_t stage_count;                       /* 0: a write is durable at once */
    const char *variables[MACH_PIPE_VARIABLES]; /* of two or more values each */
    const char *const *values[MACH_PIPE_VARIABLES];
    uint32_t value_counts[MACH_PIPE_VARIABLES];
    uint8_t initial[MACH_PIPE_VARIABLES];
    uint32_t variable_count;
    struct mach_pipe_rule rules[MACH_PIPE_LINES];
    uint32_t rule_count;
    struct mach_pipe_ways bypasses, views;
    const struct mach_pipe_tag *tags;
    bool isolate;      /* a transaction begins only when no other thread's is open */
    bool aborts_alone; /* `isolate` and `redo` count only in programs that can abort one */
    bool redo;         /* a transaction's stores to NVM go to a log; others see them when it ends */
    uint32_t
        entries; /* room of all stages together, up to MACH_PIPE_ENTRIES; a store waits for room */
};

#endif
