/* recheck_parts: what a recheck looks at. Private to recheck.c and recheck_undefined.c. */
#ifndef CRASHLIT_RECHECK_PARTS_H
#define CRASHLIT_RECHECK_PARTS_H

#include "engine/naive.h"
#include "engine/recheck.h"

/* What an event may be in a cut; RECHECK_PERSISTS: it is a write to NVM, so it may be durable. */
enum recheck_fate { RECHECK_EXECUTED = 1, RECHECK_DURABLE = 2, RECHECK_PERSISTS = 4 };

struct recheck {
    const struct engine_request *request;
    const struct engine_witness *witness;
    const struct exec_skeleton *skeleton;
    uint32_t n;
    struct arena of_request, of_skeleton, of_execution;
    const bool *needed;                         /* nodes of the model that are looked at */
    uint64_t skeleton_number, execution_number; /* of what is in the arenas, 0: nothing */
    bool *all;                                  /* every read is known in a witness */
    uint8_t *fates;                             /* per event: of the cut, mask of recheck_fate */
    const rel_word **bases;                     /* values of the base names */
    const rel_word **tagged;                    /* of what tags are on */
    const rel_word *const *choices;             /* and of the choices of the model */
    const char *fault;                          /* of the execution */
    const struct near_miss *miss;               /* what may be broken, NULL: nothing */
    bool *broken;                               /* per rule of the miss: it is */
    struct naive_model fixed;                   /* of the skeleton, whatever the witness */
    struct naive_model naive;
};

static inline bool recheck_pair(const struct recheck *r, const rel_word *relation, uint32_t a,
                                uint32_t b)
{
    return rel_has(r->skeleton->dim, relation, a, b);
}

static inline const rel_word *recheck_row(const struct recheck *r, const rel_word *relation,
                                          uint32_t a)
{
    return rel_row(r->skeleton->dim, relation, a);
}

static inline const struct ev *recheck_event(const struct recheck *r, uint32_t e)
{
    return &r->skeleton->events[e];
}

/* Is it a consistent execution? Looks at it anew, whatever its numbers; then `bases` and
 * `choices` are of it. NULL, or what is wrong with it (static text). */
const char *recheck_execution(struct recheck *recheck, const struct engine_witness *witness);

#endif
