/* place_meet: who meets whom at barriers, in a family of executions.
 *
 * Which instance of a barrier an event is of depends on the barriers before it in its thread, and
 * so on choices that do not touch it.
 */
#ifndef CRASHLIT_PLACE_MEET_H
#define CRASHLIT_PLACE_MEET_H

#include "place/place_carry.h"

enum { PLACE_MOST_OPTIONS = 32 };

/* What an event is in the executions of a family that have it. */
struct place_options {
    const struct lit_program *program;
    const struct ev *own; /* as it is in the base */
    struct ev items[PLACE_MOST_OPTIONS];
    uint32_t fewest[PLACE_MOST_OPTIONS], most[PLACE_MOST_OPTIONS]; /* ordinals, of barriers */
    uint32_t count;
    bool may_lack; /* some execution does not have it */
    bool too_many; /* there are more */
};

struct place_family {
    const struct place_carried *carried;
    struct place_options *options; /* per event */
};

/* Fills the ordinals. */
void place_family_count(struct place_family *family);
/* Do the two meet, at barriers of that kind, in some execution that has them, or in all? */
bool place_may_meet(const struct place_family *family, enum ev_kind kind, uint32_t a, uint32_t b,
                    bool all);

/* Is every rendezvous of the threads one in each filling of the box, with all who take part, and is
 * who waits at one in vain right to? With `diverges`: does somebody wait for one who never comes,
 * in each filling? False as well when there are too many to look at. */
bool place_all_meet(struct arena *scratch, const struct sketch *sketch,
                    const struct place_carried *carried, bool diverges, const uint64_t *box);

#endif
