/* place_carry: an execution of a filling, carried over to the base of a frame.
 *
 * There it has the same events and, between them, those of pure instructions that the filling
 * leaves out. Values are the same, so are rf, co and fr, and what is durable.
 *
 * Ownership: it lives in the arena it is made in, and uses the frame's paths.
 */
#ifndef CRASHLIT_PLACE_CARRY_H
#define CRASHLIT_PLACE_CARRY_H

#include "engine/engine.h"
#include "place/place_frame.h"

struct place_carried {
    const struct place_frame *frame;
    const struct engine_request *request; /* of the filling's program */
    struct lit_program program;           /* the frame's, with the first values of the request's */
    struct exec_skeleton *skeleton;
    struct ev *events;               /* of the skeleton; may be exchanged for variants */
    const struct ev *own;            /* a copy of them as they are in the base */
    const struct place_slot **slots; /* per event; NULL: of an initial write */
    const uint32_t *from;            /* per event its number in the witness, LIT_NONE: none */
    rel_word *rf, *co, *fr, *sync_fence;
    rel_word **choices;    /* per choice of the model */
    const int64_t *values; /* per event that is a write */
    bool has_cut;
    rel_word *executed, *durable; /* what the witness has of them */
    const uint32_t *last;         /* per location */
    const uint32_t *passed;       /* per thread: crash statements */
    uint32_t mark_thread;         /* LIT_NONE: the crash is at none */
    struct ev_waits waits;        /* of all variants */
};

/* NULL: it cannot be carried over. */
struct place_carried *place_carry(struct arena *arena, const struct place_asker *asker,
                                  struct place_frame *frame, const struct sketch_filling *filling,
                                  const struct engine_request *request,
                                  const struct engine_witness *witness);

/* The event as an instruction like its own makes it. */
struct ev place_event_by(const struct lit_program *program, const struct ev *event,
                         const struct lit_instr *instr);

#endif
