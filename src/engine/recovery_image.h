/* recovery_image: the recovery program on one crash state, and the result of one run. Private to
 * recovery.c, recovery_chain.c and cuts_recovery.c. */
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

/* The result of a run. */
struct recovery_found {
    struct outcome outcome; /* of the recovery program */
    bool *looked_at;        /* per location, see engine_initials */
    const int64_t *start;
};

void recovery_image_init(struct recovery_image *image, struct arena *arena,
                         const struct engine_request *request, const struct outcome *outcome,
                         const struct recovery_options *options);

/* A callback that sees the run's witnesses first. */
struct recovery_watch {
    engine_witness_callback *on_witness;
    void *context;
};

/* Runs recovery on a crash state. Witnesses go to `watch`, unless it is NULL, and to the
 * request's callbacks. recovery_found_fini ends `found`. */
void recovery_image_run(struct recovery_image *image, const int64_t *start,
                        const struct recovery_watch *watch, struct recovery_found *found);
void recovery_found_fini(struct recovery_found *found);
/* The program as it is run on a crash state, until the next one is asked for. */
const struct lit_program *recovery_image_program(struct recovery_image *image,
                                                 const int64_t *start);

/* Reads the i-th final state into columns of `recovered`, or the i-th crash state into columns of
 * `crash`. Behind them, per non-volatile location, stands whether it still holds its start
 * value. */
typedef void recovery_reader(const struct recovery_image *image, const struct recovery_found *found,
                             size_t index, int64_t *row);
recovery_reader recovery_read_final, recovery_read_crash;

/* Per column of crash states: do states that differ from the run's there need a run of their
 * own? */
const bool *recovery_image_looked_at(const struct recovery_image *image, struct arena *arena,
                                     const struct recovery_found *found);

/* ---- The steps of a chain (recovery_chain.c) ---- */

/* Fills the steps of a link from a witness of recovery that does what the link says: all events, or
 * those up to the crash. `test` is the program with this recovery. They live in `arena`. */
void recovery_fill_link(struct arena *arena, const struct lit_program *test,
                        const struct engine_witness *witness, struct outcome_link *link);

/* For recovery.c: fills a chain's steps by running the engine on each of its starts once more, in
 * the outcome's arena. A link has none when the engine shows no witnesses, or when its time is
 * up. */
void recovery_show_chain(struct recovery_image *image, struct outcome *outcome,
                         struct outcome_chain *chain);

#endif
