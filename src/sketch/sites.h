/* sites: what of an ordinary test may be otherwise, as the choices of a sketch.
 *
 * To narrow a test each persist barrier and each fence may be narrower, weaker or gone, each
 * atomic access narrower and weaker, each fence or flush of a definition file gone. To repair it
 * each of these may be wider and stronger, and at each program point something may be added; behind
 * a store to NVRAM also what its definition files call with a location, such as clwb(x).
 *
 * Persist barriers that meet are one choice, with a place in each work-item; which ones meet is
 * told from where they stand (sites_meet.c), and where that does not tell, all of a scope and
 * label are one. Of those that are left without a scope to meet in, each work-item has its own or
 * none: so a choice has the sets of work-items that keep p_barrier_wi, by inclusion, and above them
 * the scopes for all.
 *
 * Offered are the scopes that the test speaks of: of a work-item, of the levels that headers of
 * work-items name, and those of the instructions that are there; to repair it also those that bring
 * two work-items together which are apart in narrower ones.
 *
 * A call of a fence of a definition file may become one that does the same wider or stronger, which is
 * then not added in front of it or behind it. Of two spellings of one
 * thing one is offered.
 *
 * At one point one statement is added, besides a flush behind a store, or with `several` two or
 * three in a row (sites_several.c).
 *
 * Ownership: all is in the arena; sources must outlive it.
 */
#ifndef CRASHLIT_SITES_H
#define CRASHLIT_SITES_H

#include "litmus/lit_parse.h"
#include "sketch/sketch.h"

enum sites_aim { SITES_NARROW, SITES_REPAIR };

struct sites_wish {
    enum sites_aim aim;
    const struct lit_surroundings *surroundings; /* of the files; an element each */
    bool apart;        /* barriers that meet are a choice each, as where nobody waits at them */
    const char *kinds; /* what may be added, as sketch_kinds has it; NULL: persist barriers of
                          the scopes that are offered, or what its definition files offer */
    bool persists;     /* where these offer something, persist barriers as well */
    /* What definition files offer is added only if it has a memory order, is a barrier, or has a
     * tag that is known; NULL: all tags are. */
    bool (*knows)(const void *context, const char *tag);
    const void *context;
    bool swaps;              /* two stores of a work-item may change places (sites_swaps.c) */
    bool several;            /* up to three of these at one point, one behind the other; */
    const char *const *rows; /* of those of these labels alone, */
    uint32_t row_count;      /* or of all: 0 */
};

/* Are there two stores that may change places? */
bool sites_has_swaps(const struct sketch *sketch);
/* Is there a point where several statements may be added? */
bool sites_has_several(const struct sketch *sketch);

/* NULL after reporting: a test that cannot be read, or one with more that is open than
 * LIT_MOST_CHOICES. A sketch without choices has nothing that could be otherwise. */
const struct sketch *sites_sketch(struct arena *arena, struct intern *names,
                                  const struct source *const *files, uint32_t count,
                                  const struct sites_wish *wish, struct diag *diag)
    __attribute__((warn_unused_result));

#endif
