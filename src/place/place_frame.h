/* place_frame: what the fillings of one file have in common, and where they differ.
 *
 * A frame is a filling, its base, in which all that may be left out is there, and the instructions
 * of other fillings as variants of the base's (place_align.h). Which choices touch an instruction,
 * and what it is then, is read from texts of fillings: with one choice changed, and where several
 * touch one instruction with all their combinations. That an instruction depends on no other
 * choices is held against each filling that is looked at (place_frame_has).
 *
 * Ownership: a frame owns its arena and the base's test.
 */
#ifndef CRASHLIT_PLACE_FRAME_H
#define CRASHLIT_PLACE_FRAME_H

#include "exec/exec_path.h"
#include "place/place_try.h"

enum { PLACE_MOST_COMBINATIONS = 400 }; /* of the choices that touch one instruction */

enum place_presence { PLACE_NOT_READ, PLACE_ABSENT, PLACE_PRESENT };

/* What an instruction is under one combination of the values of the choices that touch it. */
struct place_variant {
    enum place_presence presence;
    const struct lit_instr *instr; /* with tags of the frame's program */
};

/* An instruction of the base that choices touch. */
struct place_slot {
    const uint32_t *choices;
    uint32_t choice_count;
    struct place_variant *variants; /* in mixed radix, the first choice counting most */
};

struct place_frame {
    struct arena arena;
    struct session_test test; /* of the base */
    struct sketch_filling base;
    uint32_t file;
    bool recovery;                   /* it is of the recovery program */
    struct lit_program program;      /* the base's, with the tags of all variants */
    struct place_slot *const *slots; /* per thread and instruction; choice_count 0: untouched */
    struct exec_paths *paths;        /* per thread, once they were asked for (place_carry.h) */
    const uint64_t *fits;            /* per choice the values that may differ from the base's */
};

/* The base that a filling of a file is held against: with all that it may have beside what it has.
 * Each value of each choice is read, which takes its time where there are many: false when the
 * clock ran out. */
bool place_frame_base(const struct place_asker *asker, const struct sketch_filling *filling,
                      uint32_t file, bool recovery, const struct clock_limit *clock,
                      struct sketch_filling *base);
/* NULL when the base cannot be read, or the clock ran out. */
struct place_frame *place_frame_new(const struct place_asker *asker,
                                    const struct sketch_filling *base, uint32_t file, bool recovery,
                                    const struct clock_limit *clock);
void place_frame_free(struct place_frame *frame);

/* Is the program of a filling what the frame says of it? */
bool place_frame_has(const struct place_frame *frame, const struct sketch *sketch,
                     const struct sketch_filling *filling, const struct lit_program *program);
/* At which scopes a persist barrier waits under the request's model, as of a program of the frame's
 * that has one of each. */
void place_frame_waits(struct arena *arena, const struct place_frame *frame,
                       const struct engine_request *request, struct ev_waits *waits);
/* The program of a test that frames of this kind are about. */
struct lit_program place_part(const struct lit_program *program, bool recovery);

/* The variants of a slot that some filling of a box has; false: one of them is not known. `visit`
 * is called for each combination. */
typedef void place_visit_variant(void *context, const struct place_variant *variant);
bool place_each_variant(const struct sketch *sketch, const struct place_slot *slot,
                        const uint64_t *box, place_visit_variant *visit, void *context);
/* Keeps the last in the context, a variant. */
void place_keep_variant(void *context, const struct place_variant *variant);

#endif
