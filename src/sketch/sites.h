/* sites: makes a sketch of an ordinary test. Its choices are the changes that may be made.
 *
 * To narrow a test, each persist barrier and each fence may be narrower, weaker or removed, each
 * atomic access narrower or weaker, and each fence or flush of a definition file removed. To repair
 * a test, each of these may be wider or stronger, and a statement may be added at each program
 * point. Behind a store to NVRAM it may also be a call of a definition file with a location, such
 * as clwb(x).
 *
 * Persist barriers that meet are one choice, with a place in each work-item. Their positions tell
 * which ones meet (sites_meet.c). If they do not tell, all persist barriers of a scope and label
 * are one choice. At p_barrier_wi nobody meets, so each work-item may keep its own or not.
 * Therefore the values of such a choice are the sets of work-items that keep p_barrier_wi, ordered
 * by inclusion, and above them the scopes for all.
 *
 * The choices offer the scopes that the test uses: the work-item, the levels in headers of
 * work-items, and the scopes of its instructions. To repair a test they also offer scopes that join
 * two work-items which are apart in narrower ones.
 *
 * A call of a fence of a definition file may become a call of a wider or stronger one. That one is
 * then not offered in front of the call or behind it. Of two spellings of the same thing one is
 * offered.
 *
 * At one point one statement is added, besides a flush behind a store. With `several` it may be two
 * or three in a row (sites_several.c).
 *
 * Ownership: everything is in the arena; sources must outlive it.
 */
#ifndef CRASHLIT_SITES_H
#define CRASHLIT_SITES_H

#include "litmus/lit_parse.h"
#include "sketch/sketch.h"

enum sites_aim { SITES_NARROW, SITES_REPAIR };

struct sites_wish {
    enum sites_aim aim;
    const struct lit_surroundings *surroundings; /* an element for each file */
    bool apart;        /* barriers that meet are separate choices, as if nobody waited there */
    const char *kinds; /* what may be added, as sketch_kinds has it; NULL: persist barriers of
                          the scopes that are offered, or what its definition files offer */
    bool persists;     /* where these offer something, persist barriers as well */
    /* An offer of a definition file is added only if it has a memory order, is a barrier, or has
     * a tag that is known by this; NULL: every tag is. */
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

/* Makes the sketch. NULL after reporting that a test cannot be read or has more than
 * LIT_MOST_CHOICES choices. A sketch without choices means that nothing may be changed. */
const struct sketch *sites_sketch(struct arena *arena, struct intern *names,
                                  const struct source *const *files, uint32_t count,
                                  const struct sites_wish *wish, struct diag *diag)
    __attribute__((warn_unused_result));

#endif
