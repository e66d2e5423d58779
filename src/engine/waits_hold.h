/* waits_hold: do the values of one location keep a work-item in its loop, whatever its other reads
 * return?
 *
 * Then no way out of an iteration is left when it reads any value that the location may have: its
 * first, and the constants that are stored to it where a work-item comes to. All else that it reads,
 * and all registers from before, may be anything. */
#ifndef CRASHLIT_WAITS_HOLD_H
#define CRASHLIT_WAITS_HOLD_H

#include "engine/waits.h"

/* `waits` are those of waits_first, and `wait` is one of them. False where that is not known. */
bool waits_hold(const struct lit_program *program, const struct waits *waits,
                const struct wait *wait, const struct lit_address *addr);
/* May both be the same location? */
bool waits_overlap(const struct lit_address *a, const struct lit_address *b);

#endif
