/* place_learn: generalises a counterexample: from a filling that was refused to a box of fillings
 * that are refused.
 *
 * The engine that refused it is asked once more, and shows the execution; that is rechecked as
 * always, carried over to a frame (place_carry.h) and grown (place_box.h). A recovered state comes
 * of two executions, of the program and of its recovery: the box is what both have in common.
 */
#ifndef CRASHLIT_PLACE_LEARN_H
#define CRASHLIT_PLACE_LEARN_H

#include "place/place_frame.h"
#include "session/session_run.h"

struct place_lesson {
    const struct sketch_filling *filling;
    uint32_t file;
    const struct session_case *question; /* of the file's test, with the conditions wanted */
    const struct engine_entry *engine;
    const struct lit_condition *condition; /* that is violated by a state; NULL: it is undefined */
};

/* `box` has the filling alone, and keeps that where nothing can be learnt; false then. */
bool place_learn(struct place_asker *asker, const struct place_lesson *lesson, uint64_t *box);

#endif
