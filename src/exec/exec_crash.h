/* exec_crash: the states that a crash can leave behind in one consistent execution.
 *
 * Source: the crash cuts of docs/models/semantics.md. A cut (E, P) is a down-closed set in one
 * order over two nodes per event: "executed" and, for writes to non-volatile memory, "durable". The
 * last durable write of each location decides the crash state. A choice of these writes is possible
 * if and only if its downward closure contains no later write of any location. So states are
 * enumerated without enumerating cuts, and no partial choice is ever withdrawn. A register holds
 * the last value whose events have executed. Its choice is possible as long as the closure does not
 * contain all events of a later value. */
#ifndef CRASHLIT_EXEC_CRASH_H
#define CRASHLIT_EXEC_CRASH_H

#include "exec/exec_skeleton.h"

enum exec_crash_mode { EXEC_CRASH_ANYWHERE, EXEC_CRASH_POINTS, EXEC_CRASH_END };

/* The question: where the crash may come, and which locations and registers matter. For each choice
 * of last durable writes that matter, those of other locations are chosen in one way only. What
 * matters takes the same combinations of values as when everything matters. */
struct exec_crash_question {
    enum exec_crash_mode mode;
    const bool *matters;              /* per location; NULL: all matter */
    const struct lit_atom *registers; /* of crash conditions */
    uint32_t register_count;
    /* Is this last durable write asked for? NULL: all are. */
    bool (*wants)(void *context, uint32_t location, uint32_t write);
    const rel_word *executed; /* a set: exactly these events have executed; NULL: any */
};

/* What cuts read of the persistency contract: relations, and `can_persist`, a set. */
#define EXEC_CONTRACT(X)                \
    X(persist_before, PERSIST_BEFORE)   \
    X(durable_before, DURABLE_BEFORE)   \
    X(durable_after, DURABLE_AFTER)     \
    X(executes_before, EXECUTES_BEFORE) \
    X(persist_atomic, PERSIST_ATOMIC)   \
    X(lands_before, LANDS_BEFORE)       \
    X(can_persist, CAN_PERSIST)

/* The contract, evaluated. Fill every row of the table. */
struct exec_contract {
#define X(field, name) const rel_word *field;
    EXEC_CONTRACT(X)
#undef X
};

/* The smallest cut that leaves a state. Sets over the skeleton's events. */
struct exec_cut {
    const rel_word *executed, *durable;
    const struct exec_crash_mark *mark; /* mode points: the crash statement, else NULL */
    uint32_t mark_thread;
    const uint32_t *last;   /* per location: its last durable write; LIT_NONE for locations that are
                               volatile or never accessed */
    const uint32_t *passed; /* per thread: how many of its path's crash statements it may have
                               passed */
};

/* The assignment that gave the atom's register its value in the cut; NULL: the register has no
 * value. */
const struct exec_assignment *exec_assigned_at_crash(const struct exec_skeleton *skeleton,
                                                     const struct exec_cut *cut,
                                                     const struct lit_atom *atom);

/* Called once per possible choice of last durable writes and register values that matter, and per
 * crash statement. Returning false ends the enumeration. */
typedef bool exec_cut_callback(void *context, const struct exec_cut *cut);

/* Hands out the smallest cut of each choice; returns how many. `scratch` is rewound before it
 * returns. */
uint64_t exec_crash_states(struct arena *scratch, const struct exec_skeleton *skeleton,
                           const struct exec_contract *contract,
                           const struct exec_crash_question *question, exec_cut_callback *callback,
                           void *context);

/* Per event, the events that every cut with this event has executed, itself included: rows of a
 * relation in `arena`. */
const rel_word *exec_crash_needs(struct arena *arena, const struct exec_skeleton *skeleton,
                                 const struct exec_contract *contract);

/* Crash states without a list of combinations. Each location whose writes can be durable has the
 * writes that may be its last durable one. `excludes` has the pairs of choices that exclude each
 * other. A combination is possible when none of its pairs is excluded. */
struct exec_choices {
    const uint32_t *locations;
    uint32_t location_count;
    const uint32_t *first;    /* per location in the list its first choice, and one more */
    const uint32_t *writes;   /* per choice */
    const rel_word *excludes; /* per choice a set of choices, `words` long; symmetric */
    uint32_t words;
    const uint32_t *assigned; /* per register asked for: the assignment of its thread's path that
                                 gave its value, or LIT_NONE */
};

/* Returning false ends the enumeration. */
typedef bool exec_choices_callback(void *context, const struct exec_choices *choices);

/* Calls back once for each crash statement where the crash may be and each choice of register
 * values; all locations matter, and all writes are wanted. False when some register's choice cannot
 * be expressed by pairs; what was called back before is right, but incomplete. `scratch` is rewound
 * before it returns. */
bool exec_crash_choices(struct arena *scratch, const struct exec_skeleton *skeleton,
                        const struct exec_contract *contract,
                        const struct exec_crash_question *question, exec_choices_callback *callback,
                        void *context);

/* Takes last durable writes one by one, of any locations. The contract may consist of bounds that
 * allow every cut that some completion of a partial witness allows. Then writes that cannot be
 * taken together are together in no crash state of any completion. Crash statements are ignored, so
 * with EXEC_CRASH_POINTS more can be taken than there are states. */
struct exec_lasts;

/* At most `most` locations are taken at a time. Lives in the arena. */
struct exec_lasts *exec_lasts_new(struct arena *arena, const struct exec_skeleton *skeleton,
                                  const struct exec_contract *contract, enum exec_crash_mode mode,
                                  uint32_t most);
/* Takes the write as the last durable one of its location if that is possible beside those taken
 * already; false: it is not. exec_lasts_drop drops the write taken last. */
bool exec_lasts_take(struct exec_lasts *lasts, uint32_t write);
void exec_lasts_drop(struct exec_lasts *lasts);

#endif
