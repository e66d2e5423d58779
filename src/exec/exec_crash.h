/* exec_crash: the states a crash can leave behind in one consistent execution.
 *
 * Source: semantics of crash cuts, docs/models/semantics.md. A cut (E, P) is a
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
    /* Which last durable writes are asked for; NULL: all. */
    bool (*wants)(void *context, uint32_t location, uint32_t write);
    const rel_word *executed; /* a set: just these events have executed; NULL: whichever */
};

/* What cuts need of the persistency contract: relations, and `can_persist`, a set. */
#define EXEC_CONTRACT(X)                \
    X(persist_before, PERSIST_BEFORE)   \
    X(durable_before, DURABLE_BEFORE)   \
    X(durable_after, DURABLE_AFTER)     \
    X(executes_before, EXECUTES_BEFORE) \
    X(persist_atomic, PERSIST_ATOMIC)   \
    X(lands_before, LANDS_BEFORE)       \
    X(can_persist, CAN_PERSIST)

/* The contract, evaluated. Whoever fills one takes all rows of the table. */
struct exec_contract {
#define X(field, name) const rel_word *field;
    EXEC_CONTRACT(X)
#undef X
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

/* Per event the events that every cut has executed in which it has, itself among them: rows of a
 * relation. Lives in `arena`. */
const rel_word *exec_crash_needs(struct arena *arena, const struct exec_skeleton *skeleton,
                                 const struct exec_contract *contract);

/* The same without a list of combinations: per location that writes can be durable of the writes
 * that may be the last one, and which of two locations exclude each other. A combination is
 * possible when no two of it do. */
struct exec_choices {
    const uint32_t *locations;
    uint32_t location_count;
    const uint32_t *first;    /* per location of the list its first choice, and one more */
    const uint32_t *writes;   /* per choice */
    const rel_word *excludes; /* per choice a set of choices, `words` long; symmetric */
    uint32_t words;
    const uint32_t *assigned; /* per register that is asked for: the assignment of its thread's path
                                 that it has its value of, or LIT_NONE */
};

/* Returning false ends it. */
typedef bool exec_choices_callback(void *context, const struct exec_choices *choices);

/* Calls back once for each crash statement that may be stood at and each choice of values of
 * registers; all locations matter, and are wanted. False when something of a register does not come
 * down to pairs; what it called back with before is right for itself, but is not all. `scratch` is
 * rewound before it returns. */
bool exec_crash_choices(struct arena *scratch, const struct exec_skeleton *skeleton,
                        const struct exec_contract *contract,
                        const struct exec_crash_question *question, exec_choices_callback *callback,
                        void *context);

/* Last durable writes taken one by one, of as few locations as one likes. Of a contract of bounds,
 * that forbids no cut which some completion of a partial witness allows, what cannot be taken
 * together is in no crash state of any completion. Crash statements are not looked at, so with
 * EXEC_CRASH_POINTS more can be taken than there are states. */
struct exec_lasts;

/* At most `most` locations are taken at the same time. Lives in the arena. */
struct exec_lasts *exec_lasts_new(struct arena *arena, const struct exec_skeleton *skeleton,
                                  const struct exec_contract *contract, enum exec_crash_mode mode,
                                  uint32_t most);
/* May the write be the last durable one of its location, beside those that are taken? Then it is
 * taken, until exec_lasts_drop, which drops the one taken last. */
bool exec_lasts_take(struct exec_lasts *lasts, uint32_t write);
void exec_lasts_drop(struct exec_lasts *lasts);

#endif
