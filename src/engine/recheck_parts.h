/* recheck_parts: the state of a recheck. Private to recheck*.c. */
#ifndef CRASHLIT_RECHECK_PARTS_H
#define CRASHLIT_RECHECK_PARTS_H

#include "engine/naive.h"
#include "engine/recheck.h"

/* The fates of events in a cut, as sets. */
struct recheck_fates {
    rel_word *nvm;               /* writes to NVM, whatever the cut */
    rel_word *executed;          /* in the cut */
    rel_word *durable, *written; /* of `nvm`; those that are no initial writes */
    rel_word *lost;              /* of `nvm`, not durable */
};

/* Nodes of a model, each once. Of the first two kinds, nodes that a skeleton decides come first. */
struct recheck_nodes {
    struct naive_nodes fixed, open;              /* what required checks need */
    struct naive_nodes contract_fixed, contract; /* what cuts need beside these */
    struct naive_nodes undefined;                /* what only undefined behaviour needs */
};

struct recheck {
    const struct engine_request *request;
    const struct engine_witness *witness;
    const struct exec_skeleton *skeleton;
    uint32_t n;
    struct arena of_request, of_skeleton, of_execution;
    struct arena_mark of_nothing; /* of an empty arena */
    const struct recheck_nodes *nodes;
    uint64_t skeleton_number, execution_number; /* of the arenas' contents; 0: none */
    bool *all;                                  /* every read is known in a witness */
    struct recheck_fates fates;                 /* in the present cut */
    const rel_word **bases;                     /* values of the base names that are looked at */
    const rel_word **tagged;                    /* of what tags are on */
    const rel_word *const *choices;             /* and of the choices of the model */
    const char *fault;                          /* of the execution; NULL: none */
    const struct near_miss *miss;               /* what may be broken, NULL: nothing */
    bool *broken;                               /* per rule of the miss: it is */
    struct naive_model fixed;                   /* of the skeleton, whatever the witness */
    struct naive_model naive;
    bool has_contract_fixed, has_contract; /* the cuts' nodes were evaluated */
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

/* The first fault that a check finds; the list ends with NULL. */
const char *recheck_first_fault(const struct recheck *recheck, recheck_function *const *checks);

/* Notes that the miss has a rule that is broken here; false when it has none. `from` and `to` are
 * NULL for a rule without a pair. */
bool recheck_excuses(const struct recheck *recheck, enum explanation_reason_kind kind,
                     uint32_t check, const struct ev *from, const struct ev *to);

/* Fills in the bases among the nodes that do not change with the witness. */
void recheck_fill_bases(struct recheck *recheck, const struct naive_nodes *nodes);

/* Evaluates what cuts need of a sound execution, once. */
void recheck_add_contract(struct recheck *recheck);

/* Allocates the fates of the skeleton's events. Call before a cut of it is checked. */
void recheck_new_fates(struct recheck *recheck);
/* Does the witness's cut belong to its execution? */
recheck_function recheck_cut;

/* Does the execution lack every write that a transaction keeps to itself? */
recheck_function recheck_transactions;

/* Is it a consistent execution? Evaluates it anew, whatever its numbers, and sets `bases` and
 * `choices`. NULL, or what is wrong with it (static text). */
const char *recheck_execution(struct recheck *recheck, const struct engine_witness *witness);

#endif
