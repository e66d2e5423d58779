/* recovery_image: the recovery program on one crash state, and what one run of it says.
 * Private to recovery.c, recovery_chain.c and cuts_recovery.c.
 */
#ifndef CRASHLIT_RECOVERY_IMAGE_H
#define CRASHLIT_RECOVERY_IMAGE_H

#include "engine/recovery.h"

struct recovery_image {
    const struct engine_request *request; /* of the test */
    const struct outcome *outcome;        /* of the test, for its columns */
    const struct recovery_options *options;
    struct lit_program program;     /* of recovery; its locations are changed for each run */
    struct lit_location *locations; /* the same */
    const bool *accessed;           /* per location: recovery's code can name it */
    bool restarts;                  /* recovery may crash */
};

/* A run that is over. */
struct recovery_found {
    struct outcome outcome; /* of the recovery program */
    bool *looked_at;        /* per location, see engine_initials */
    const int64_t *start;
};

void recovery_image_init(struct recovery_image *image, struct arena *arena,
                         const struct engine_request *request, const struct outcome *outcome,
                         const struct recovery_options *options);

/* Who gets to see the run's witnesses first. */
struct recovery_watch {
    engine_witness_callback *on_witness;
    void *context;
};

/* Runs recovery on a crash state. Witnesses go to `watch`, unless it is NULL, and to the
 * request's callbacks. recovery_found_fini ends `found`. */
void recovery_image_run(struct recovery_image *image, const int64_t *start,
                        const struct recovery_watch *watch, struct recovery_found *found);
void recovery_found_fini(struct recovery_found *found);

/* The i-th final state in columns of `recovered`, the i-th crash state in those of `crash`, and
 * behind them per non-volatile location whether it still holds what it started with. */
typedef void recovery_reader(const struct recovery_image *image, const struct recovery_found *found,
                             size_t index, int64_t *row);
recovery_reader recovery_read_final, recovery_read_crash;

/* Per column of crash states: a state that differs from the run's there has a run of its own. */
const bool *recovery_image_looked_at(const struct recovery_image *image, struct arena *arena,
                                     const struct recovery_found *found);

/* ---- A chain of runs, shown event by event (recovery_chain.c) ---- */

/* Fills the steps of a link from a witness of recovery that does what the link says: events up to
 * the crash, or all. `test` is the program whose recovery it is. They live in `arena`. */
void recovery_fill_link(struct arena *arena, const struct lit_program *test,
                        const struct engine_witness *witness, struct outcome_link *link);

/* For recovery.c: runs the engine on each start of the chain once more and fills its steps, in the
 * outcome's arena. A run has none when the engine shows no witnesses, or its time is up. */
void recovery_show_chain(struct recovery_image *image, struct outcome *outcome,
                         struct outcome_chain *chain);

#endif
