/* exec_crash: the states a crash can leave behind in one consistent execution.
 *
 * Source: semantics of crash cuts, docs/semantics.md. A cut (E, P) is a
 * down-closed set in one order over two nodes per event: "executed" and, for
 * writes to non-volatile memory, "durable". The crash state is decided by the last
 * durable write of each location; a choice of those is possible if and only if the
 * closure of the choice downwards contains no later write of any location. So
 * states are enumerated without enumerating cuts, and no partial choice is ever
 * withdrawn. A register that is asked for holds the last value whose events have
 * executed: the choice of one is possible as long as the closure does not contain
 * all events of a later one.
 */
#ifndef CRASHLIT_EXEC_CRASH_H
#define CRASHLIT_EXEC_CRASH_H

#include "exec/exec_skeleton.h"

enum exec_crash_mode { EXEC_CRASH_ANYWHERE, EXEC_CRASH_POINTS, EXEC_CRASH_END };

/* What is asked: where the crash may come, and which locations and registers matter. The last
 * durable write of a location that does not matter is chosen one way for each choice of the others:
 * what matters takes the same values, in all their combinations, as when all do. */
struct exec_crash_question {
    enum exec_crash_mode mode;
    const bool *matters;              /* per location; NULL: all do */
    const struct lit_atom *registers; /* of crash conditions */
    uint32_t register_count;
};

/* The persistency contract, evaluated. */
struct exec_contract {
    const rel_word *persist_before, *durable_before, *durable_after, *executes_before;
    const rel_word *persist_atomic, *lands_before;
    const rel_word *can_persist; /* a set */
};

/* A cut that leaves a state: the smallest one. Sets over the skeleton's events. */
struct exec_cut {
    const rel_word *executed, *durable;
    const struct exec_crash_mark *mark; /* mode points: the crash statement, else NULL */
    uint32_t mark_thread;
    const uint32_t *last;   /* per location: its last durable write, LIT_NONE for locations
                               that are volatile or never accessed */
    const uint32_t *passed; /* per thread: of its path's crash statements, those that it may have
                               passed */
};

/* The assignment that gave the register that an atom names what it holds in the cut; NULL: it has
 * no value. */
const struct exec_assignment *exec_assigned_at_crash(const struct exec_skeleton *skeleton,
                                                     const struct exec_cut *cut,
                                                     const struct lit_atom *atom);

/* Called once per possible choice of last durable writes, and of values of registers, that matter
 * (and crash statement).
 * Returning false ends the enumeration. */
typedef bool exec_cut_callback(void *context, const struct exec_cut *cut);

/* Returns the number of cuts handed out. `scratch` is rewound before it returns. */
uint64_t exec_crash_states(struct arena *scratch, const struct exec_skeleton *skeleton,
                           const struct exec_contract *contract,
                           const struct exec_crash_question *question, exec_cut_callback *callback,
                           void *context);

#endif
