/* recheck_parts: what a recheck looks at. Private to recheck*.c. */
#ifndef CRASHLIT_RECHECK_PARTS_H
#define CRASHLIT_RECHECK_PARTS_H

#include "engine/naive.h"
#include "engine/recheck.h"

/* What becomes of events in a cut: sets. */
struct recheck_fates {
    rel_word *nvm;               /* writes to NVM, whatever the cut */
    rel_word *executed;          /* in the cut */
    rel_word *durable, *written; /* of `nvm`; those that are no initial writes */
    rel_word *lost;              /* of `nvm`, not durable */
};

/* Nodes of a model, each once: of both kinds, what a skeleton decides comes first. */
struct recheck_nodes {
    struct naive_nodes fixed, open;              /* what required checks need, */
    struct naive_nodes contract_fixed, contract; /* what else cuts do, */
    struct naive_nodes undefined;                /* and what only undefined behaviour does */
};

struct recheck {
    const struct engine_request *request;
    const struct engine_witness *witness;
    const struct exec_skeleton *skeleton;
    uint32_t n;
    struct arena of_request, of_skeleton, of_execution;
    struct arena_mark of_nothing; /* of an empty arena */
    const struct recheck_nodes *nodes;
    uint64_t skeleton_number, execution_number; /* of what is in the arenas, 0: nothing */
    bool *all;                                  /* every read is known in a witness */
    struct recheck_fates fates;                 /* of the cut */
    const rel_word **bases;                     /* values of the base names that are looked at */
    const rel_word **tagged;                    /* of what tags are on */
    const rel_word *const *choices;             /* and of the choices of the model */
    const char *fault;                          /* of the execution */
    const struct near_miss *miss;               /* what may be broken, NULL: nothing */
    bool *broken;                               /* per rule of the miss: it is */
    struct naive_model fixed;                   /* of the skeleton, whatever the witness */
    struct naive_model naive;
    bool has_contract_fixed, has_contract; /* they have what cuts need */
};

static inline bool recheck_pair(const struct recheck *r, const rel_word *relation, uint32_t a,
                                uint32_t b)
{
    BASE_ASSERT(a < r->n && b < r->n);
    return rel_has(r->skeleton->dim, relation, a, b);
}

static inline const rel_word *recheck_row(const struct recheck *r, const rel_word *relation,
                                          uint32_t a)
{
    BASE_ASSERT(a < r->n);
    return rel_row(r->skeleton->dim, relation, a);
}

static inline const struct ev *recheck_event(const struct recheck *r, uint32_t e)
{
    BASE_ASSERT(e < r->n);
    return &r->skeleton->events[e];
}

static inline bool recheck_same_place(const struct recheck *r, uint32_t a, uint32_t b)
{
    return recheck_event(r, a)->location != LIT_NONE &&
           recheck_event(r, a)->location == recheck_event(r, b)->location;
}

/* NULL, or what is wrong (static text). */
typedef const char *recheck_function(const struct recheck *recheck);

/* The first that one of the checks finds; the last of these is NULL. */
const char *recheck_first_fault(const struct recheck *recheck, recheck_function *const *checks);

/* The rule of the miss that is broken here is noted; false when there is none. `from` and `to` are
 * NULL for a rule that is of no pair. */
bool recheck_excuses(const struct recheck *recheck, enum explanation_reason_kind kind,
                     uint32_t check, const struct ev *from, const struct ev *to);

/* Fills in the bases among the nodes that do not change with the witness. */
void recheck_fill_bases(struct recheck *recheck, const struct naive_nodes *nodes);

/* Evaluates what cuts need of an execution that stands, once. */
void recheck_add_contract(struct recheck *recheck);

/* Room for the fates of the skeleton's events, before a cut of it is looked at. */
void recheck_new_fates(struct recheck *recheck);
/* Is the witness's cut one of its execution? */
recheck_function recheck_cut;

/* Does the execution have no write that a transaction keeps to itself? */
recheck_function recheck_transactions;

/* Is it a consistent execution? Looks at it anew, whatever its numbers; then `bases` and
 * `choices` are of it. NULL, or what is wrong with it (static text). */
const char *recheck_execution(struct recheck *recheck, const struct engine_witness *witness);

#endif
