/* place_try: one filling of a sketch, checked.
 *
 * Ownership: an asker is its caller's; what it says of fillings lives in its arena.
 */
#ifndef CRASHLIT_PLACE_TRY_H
#define CRASHLIT_PLACE_TRY_H

#include "place/place.h"
#include "place/place_search.h"
#include "session/session_test.h"

struct place_frame;

struct place_tried {
    struct sketch_filling filling;
    enum place_answer answer;
    struct placement_reason reason; /* unless it was accepted */
};

struct place_asker {
    struct arena *arena;
    const struct place_question *question;
    struct session_settings settings; /* the question's: verdicts by whoever decides first */
    struct clock_limit clock;         /* of the whole question */
    uint64_t wanted;                  /* conditions, a bit each, through all files; those past the
                                         last bit always are */
    VEC(struct place_tried) tried;    /* under these conditions */
    VEC(struct place_frame *) frames; /* of what was refused so far (place_learn.h) */
    uint64_t count, executions;
    uint64_t grown;            /* boxes that hold more than their filling */
    uint32_t in_vain;          /* lessons in a row that taught nothing */
    bool frames_take_too_long; /* one more than a filling may take: no more are begun under
                                  these conditions */
};

void place_asker_init(struct place_asker *asker, struct arena *arena,
                      const struct place_question *question);
void place_asker_fini(struct place_asker *asker);
/* From now on a filling is accepted if it meets these conditions, is defined and can end. */
void place_want(struct place_asker *asker, uint64_t conditions);

/* Reads the filling's text of a file; to be ended by session_test_fini in any case. */
bool place_read(const struct place_asker *asker, const struct sketch_filling *filling,
                uint32_t file, struct session_test *test);

/* A filling's program of a file: conditions that name a source have its states. Those that are listed
 * anew are so within what is left of the clock. */
const struct lit_program *place_settled(struct arena *arena, const struct place_question *question,
                                        const struct clock_limit *clock, uint32_t file,
                                        const struct lit_program *program);

/* Tries a filling, unless it was tried before. Stops when the time has run out, or the limit of
 * fillings is met. `box` is NULL or holds the filling alone; if that is refused, the box is made
 * larger. */
struct place_tried place_try(struct place_asker *asker, const struct sketch_filling *filling,
                             uint64_t *box);
/* Which limit stopped it. */
const char *place_limit_words(const struct place_asker *asker);
/* Asks every engine that applies about the conditions that are wanted. */
void place_confirm(struct place_asker *asker, struct placement_filling *filling);

#endif
