/* place_explain: what `explain` says of a program's barriers, fences and memory orders.
 *
 * Of a state that should not be, *advice*: a minimal filling of what may be wider, stronger or
 * added (sites.h), which every engine that applies has checked. Of a state that is out of reach
 * its *support*: what of the program, as it stands, has to be there for that.
 *
 * Ownership: all that is answered lives in the arena of the explainer, or the question's test.
 */
#ifndef CRASHLIT_PLACE_EXPLAIN_H
#define CRASHLIT_PLACE_EXPLAIN_H

#include "engine/explanation.h"
#include "sketch/sites.h"
#include "place/place.h"

/* One test under one model pair. */
struct place_explainer {
    const struct session_case *question; /* its clock is not looked at */
    const struct clock_limit *clock;     /* of all that is asked */
    struct arena arena;
    struct intern *names;
    const struct sketch *sketches[4];       /* per question, once it was asked for; */
    bool is_read[4];                        /* NULL then: it cannot be read so */
    const struct explanation_search *whole; /* for all conditions, once it was asked */
};

void place_explainer_init(struct place_explainer *explainer, const struct session_case *question,
                          const struct clock_limit *clock);
void place_explainer_fini(struct place_explainer *explainer);

/* For a condition that is violated by a state, one of `left` that are still to be explained. What is
 * asked of all conditions has half of the time that is left, what is asked of this one half of its
 * share. NULL: the test cannot be asked about so. */
const struct explanation_advice *place_advise(struct place_explainer *explainer, uint32_t condition,
                                              uint32_t left);
/* For a condition whose state is out of reach, likewise. NULL as well where the test as it stands is
 * not right otherwise: undefined, or with no execution that ends. */
const struct explanation_support *place_support(struct place_explainer *explainer,
                                                uint32_t condition, uint32_t left);

/* ---- Shared by the two; private to place_explain and place_advise ---- */

enum { PLACE_MOST_CONDITIONS = 63 }; /* that a question can tell apart */

/* To narrow a test; to repair it; and that with several statements at one point, or with two stores
 * that change places. */
enum place_explain_kind {
    PLACE_EXPLAIN_NARROW,
    PLACE_EXPLAIN_REPAIR,
    PLACE_EXPLAIN_SEVERAL,
    PLACE_EXPLAIN_SWAPS
};
/* NULL: the test has none. */
const struct sketch *place_explain_sketch(struct place_explainer *explainer,
                                          enum place_explain_kind kind);
/* Within half of the time that `clock` leaves. */
struct place_question place_explain_question(const struct place_explainer *explainer,
                                             const struct sketch *sketch,
                                             const struct clock_limit *clock);
const struct placement *place_explain_answer(struct place_explainer *explainer,
                                             const struct place_question *question);

#endif
