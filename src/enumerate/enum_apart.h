/* enum_apart: shows from the checks of any model that two read-modify-writes cannot read from one
 * source. Private to the enumerator. */
#ifndef CRASHLIT_ENUM_APART_H
#define CRASHLIT_ENUM_APART_H

#include "cat/cat_ir.h"
#include "exec/exec_path.h"

/* Is it certain that no two read-modify-writes of the location, of different threads, read from one
 * source in a consistent execution? False where a thread writes the location more than once, where
 * there are many sorts of writes to it, or where the accesses alone do not show it. `paths` has one
 * entry a thread. Nothing is kept in the arena. */
bool enum_rmws_apart(struct arena *arena, const struct cat_model *model,
                     const struct lit_program *program, const struct exec_paths *paths,
                     uint32_t location);

#endif
