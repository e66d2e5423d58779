/* exec_event: one event of a run.
 *
 * Plain data; the relations between events belong to the skeleton.
 */
#ifndef CRASHLIT_EXEC_EVENT_H
#define CRASHLIT_EXEC_EVENT_H

#include "base/table.h"
#include "exec/exec_value.h"
#include "litmus/lit_program.h"

/* Kinds: X(name, word). Reports use the word; it also names the set of these events in model
 * files. */
#define EV_KINDS(X) \
    X(READ, "R")    \
    X(WRITE, "W")   \
    X(FENCE, "F")   \
    X(CM, "CM")     \
    X(BARRIER, "B") \
    X(PBARRIER, "PB")

enum ev_kind {
#define X(name, word) EV_##name,
    EV_KINDS(X)
#undef X
};

#define X(name, word) +1
enum { EV_KIND_COUNT = EV_KINDS(X), EV_NONE = EV_KIND_COUNT };
#undef X

static inline bool ev_kind_accesses(enum ev_kind kind)
{
    return kind == EV_READ || kind == EV_WRITE;
}

/* The kind of event that an instruction makes besides a read and a write, or EV_NONE. */
static inline uint32_t ev_kind_of(enum lit_instr_op op)
{
    static const uint8_t kinds[] = {
#define X(name, event, traits) EV_##event,
        LIT_INSTRUCTIONS(X)
#undef X
    };
    return kinds[op];
}

/* Sets of kinds, a bit each. Threads meet at EV_MEETING_KINDS; they wait at EV_WAITING_KINDS
 * whatever the model says. */
enum {
#define X(name, event, traits) | ((traits)&LIT_MEETS ? 1 << EV_##event : 0)
    EV_MEETING_KINDS = 0 LIT_INSTRUCTIONS(X),
#undef X
#define X(name, event, traits) | ((traits)&LIT_WAITS ? 1 << EV_##event : 0)
    EV_WAITING_KINDS = 0 LIT_INSTRUCTIONS(X)
#undef X
};

static inline bool ev_kind_meets(enum ev_kind kind)
{
    BASE_ASSERT((uint32_t)kind < EV_KIND_COUNT);
    return EV_MEETING_KINDS >> kind & 1;
}

/* Is it up to the model whether threads wait for each other at events of this kind? */
static inline bool ev_kind_may_wait(uint32_t kind)
{
    return (EV_MEETING_KINDS & ~EV_WAITING_KINDS) >> kind & 1;
}

/* A barrier instance. Threads meet that agree on kind, scope, label, resource and ordinal, within
 * one instance of the scope. The ordinal counts, from 0, the thread's earlier barriers of that kind
 * and of that label or scope. */
struct ev_meeting {
    enum ev_kind kind;    /* one that meets */
    enum lit_scope scope; /* who meets */
    const char *label;    /* interned, NULL without */
    bool named;           /* only threads with a barrier of this label in their code take part */
    bool arrive;          /* it arrives, and waits for nobody */
    uint32_t resource;    /* a number known at run time, LIT_NONE without */
    uint32_t quorum;      /* so many arrivals open it; 0: all that take part */
    uint32_t ordinal;
};

struct ev {
    enum ev_kind kind;
    bool init; /* an initial write; thread is LIT_NONE */
    bool atomic;
    bool rmw;       /* one half of a read-modify-write that wrote */
    bool deferred;  /* a write that takes effect at the end of its transaction, where it stands */
    bool late;      /* a barrier that was already open when its thread came */
    bool has_order; /* carries a memory order tag */
    bool has_scope; /* carries a scope tag */
    enum lit_order order;
    enum lit_scope scope;
    uint32_t spaces;                /* mask of enum lit_space */
    uint32_t thread;                /* LIT_NONE for initial writes */
    uint32_t location;              /* LIT_NONE for fences and barriers */
    const struct exec_value *value; /* of a write; of a read, the read itself */
    struct ev_meeting meeting;      /* of barriers */
    const struct lit_instr *instr;  /* NULL for initial writes */
};

/* The tags of its instruction. */
static inline uint64_t ev_tags(const struct ev *event)
{
    return event->instr ? event->instr->tags : 0;
}

/* Does sync_fence order it? It orders SC fences and SC accesses. An SC access stands for the fence
 * implied right before it; of a read-modify-write only the read does. */
static inline bool ev_has_sc_fence(const struct ev *event)
{
    bool first = event->kind == EV_READ || (event->kind == EV_WRITE && !event->rmw);
    return (event->kind == EV_FENCE || first) && event->order == LIT_ORDER_SC;
}

/* The kinds and scopes at which the model's `waits` makes threads wait, of the kinds that leave it
 * to the model. */
struct ev_waits {
    bool of[EV_KIND_COUNT][LIT_SCOPE_COUNT];
};

/* Does a thread wait at this meeting until all of the scope have come? */
static inline bool ev_meeting_waits(const struct ev_waits *waits, const struct ev_meeting *meeting)
{
    BASE_ASSERT(ev_kind_meets(meeting->kind) && meeting->scope < LIT_SCOPE_COUNT);
    return EV_WAITING_KINDS >> meeting->kind & 1 ? !meeting->arrive
                                                 : waits->of[meeting->kind][meeting->scope];
}

/* Do two meetings name the same instance? The threads share the scope. */
bool ev_same_meeting(const struct ev_meeting *a, const struct ev_meeting *b);
/* As ev_same_meeting, ignoring the resource: both threads got equally far. */
bool ev_same_place(const struct ev_meeting *a, const struct ev_meeting *b);

/* "W key", "R key", "F", "B wg", "PB kr": how reports name an event. */
void ev_print(const struct ev *event, const struct lit_program *program, struct strbuf *out);
/* As ev_print, in an arena; ev_meeting_name names a barrier by its meeting, and of compiled code by
 * the place of its instruction. */
const char *ev_name(struct arena *arena, const struct ev *event, const struct lit_program *program);
const char *ev_meeting_name(struct arena *arena, const struct ev_meeting *meeting,
                            const struct lit_instr *instr);
/* Could the instruction make an event of that kind? */
bool ev_may_make(enum lit_instr_op op, enum ev_kind kind);

#endif
