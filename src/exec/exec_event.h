/* exec_event: one event of a run.
 *
 * Plain data; the relations between events belong to the skeleton.
 */
#ifndef CRASHLIT_EXEC_EVENT_H
#define CRASHLIT_EXEC_EVENT_H

#include "exec/exec_value.h"
#include "litmus/lit_program.h"

enum ev_kind { EV_READ, EV_WRITE, EV_FENCE, EV_BARRIER, EV_PBARRIER };

/* Which barrier instance: threads that agree on kind, scope, label, resource and
 * ordinal, within one instance of the scope, meet. The ordinal counts from 0 the
 * barriers of that kind, and of that label or scope, that the thread executed before. */
struct ev_meeting {
    enum ev_kind kind;    /* EV_BARRIER or EV_PBARRIER */
    enum lit_scope scope; /* who meets */
    const char *label;    /* interned, NULL without */
    bool named;           /* only threads whose code has a barrier of this label take part */
    bool arrive;          /* this one arrives, and waits for nobody */
    uint32_t resource;    /* a number known at run time, LIT_NONE without */
    uint32_t quorum;      /* how many arrivals open it; 0: all who take part */
    uint32_t ordinal;
};

struct ev {
    enum ev_kind kind;
    bool init; /* an initial write; thread is LIT_NONE */
    bool atomic;
    bool rmw;       /* one half of a read-modify-write that wrote */
    bool late;      /* a barrier that was open already when its thread came */
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

/* Both threads in one instance of `scope`? */
bool ev_same_instance(const struct lit_thread *a, const struct lit_thread *b, enum lit_scope scope);
/* Do two meetings name the same instance, given that the threads share the scope? */
bool ev_same_meeting(const struct ev_meeting *a, const struct ev_meeting *b);
/* The same but for the resource: both threads got equally far. */
bool ev_same_place(const struct ev_meeting *a, const struct ev_meeting *b);

/* "W key", "R key", "F", "B wg", "PB kr": how reports name an event. */
void ev_print(const struct ev *event, const struct lit_program *program, struct strbuf *out);

#endif
