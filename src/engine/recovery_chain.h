/* recovery_chain: a chain of runs of recovery, shown event by event. Private to recovery.c.
 */
#ifndef CRASHLIT_RECOVERY_CHAIN_H
#define CRASHLIT_RECOVERY_CHAIN_H

#include "engine/recovery_image.h"

/* Runs the engine on each start of the chain once more and fills its steps, in the outcome's
 * arena. A run has none when the engine shows no witnesses, or its time is up. */
void recovery_show_chain(struct recovery_image *image, struct outcome *outcome,
                         struct outcome_chain *chain);

#endif
