/* place_few: a change of one choice, of two, or the same one wherever it can be made, under which a filling is accepted; of
 * one the lightest, of two the same in both places before the lightest.
 *
 * Cost: some 250 fillings beside those with one change, within the asker's time. */
#ifndef CRASHLIT_PLACE_FEW_H
#define CRASHLIT_PLACE_FEW_H

#include "place/place_try.h"

/* A filling that is accepted. */
struct place_few {
    struct sketch_filling filling;
    uint32_t count; /* of choices that are changed; 0: none was found */
    bool refused;   /* all that is lighter, or has fewer changes, was refused */
    bool fewest;    /* all that has fewer changes was refused */
};

/* Boxes of what is refused: a mask of values for each choice. Whoever has them frees them. */
typedef VEC(uint64_t) place_refusals;

/* Of the asker's sketch, in which every choice is at its original value at first. Boxes that are learnt are added. */
struct place_few place_few_find(struct place_asker *asker, place_refusals *boxes);

/* By the usual weights. */
uint64_t place_few_weigh(struct arena *arena, const struct sketch *sketch,
                         const struct sketch_filling *filling);

#endif
