/* place_tells: of which statements a model speaks, among those that may be added to tests.
 *
 * A fence or a flush whose tags a model does not name, and that has no memory order, is in no set
 * that such a model looks at: with it or without it there are the same executions. It is no use to
 * offer it in rows of several statements. In doubt a model speaks of it.
 */
#ifndef CRASHLIT_PLACE_TELLS_H
#define CRASHLIT_PLACE_TELLS_H

#include "place/place.h"

/* Does the model speak of an instruction of the program? */
bool place_tells(struct arena *scratch, const struct cat_model *model,
                 const struct lit_program *program, const struct lit_instr *instr);

/* The labels of values that slots of the question's sketch offer, and its model speaks of. In the
 * arena. */
const char *const *place_told(struct arena *arena, const struct place_question *question,
                              uint32_t *count);

#endif
