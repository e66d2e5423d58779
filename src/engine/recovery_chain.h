/* recovery_chain: a chain of runs of recovery, shown event by event. Private to recovery.c.
 */
#ifndef CRASHLIT_RECOVERY_CHAIN_H
#define CRASHLIT_RECOVERY_CHAIN_H

#include "engine/recovery_image.h"

/* Recovery started on starts[0], a crash in it left starts[1] and so on; on the last it ran
 * to its end and left `recovered`. Runs the engine on each once more and fills the chain, which
 * lives in the outcome's arena. Runs have no steps when the engine shows no witnesses, or its time
 * is up. */
void recovery_show_chain(struct recovery_image *image, struct outcome *outcome,
                         const int64_t *const *starts, uint32_t count, const int64_t *recovered,
                         struct outcome_chain *chain);

#endif
