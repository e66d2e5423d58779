/* recovery_chain: a chain of runs of recovery, shown event by event.
 */
#ifndef CRASHLIT_RECOVERY_CHAIN_H
#define CRASHLIT_RECOVERY_CHAIN_H

#include "engine/recovery_image.h"

/* Fills the steps of a link from a witness of recovery that does what the link says: events up to
 * the crash, or all. `test` is the program whose recovery it is. They live in `arena`. */
void recovery_fill_link(struct arena *arena, const struct lit_program *test,
                        const struct engine_witness *witness, struct outcome_link *link);

/* For recovery.c: runs the engine on each start of the chain once more and fills its steps, in the
 * outcome's arena. A run has none when the engine shows no witnesses, or its time is up. */
void recovery_show_chain(struct recovery_image *image, struct outcome *outcome,
                         struct outcome_chain *chain);

#endif
