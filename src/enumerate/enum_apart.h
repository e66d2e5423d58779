/* enum_apart: read-modify-writes that cannot have one source, as the checks of any model have it.
 * Private to the enumerator. */
#ifndef CRASHLIT_ENUM_APART_H
#define CRASHLIT_ENUM_APART_H

#include "cat/cat_ir.h"
#include "exec/exec_path.h"

/* Do no two read-modify-writes of the location, of different threads, have one source in any
 * consistent execution? Says no where a thread writes the location more than once, where there are
 * many sorts of writes to it, and where that does not follow from the accesses concerned alone.
 * `paths` has one entry a thread. Nothing is kept in the arena. */
bool enum_rmws_apart(struct arena *arena, const struct cat_model *model,
                     const struct lit_program *program, const struct exec_paths *paths,
                     uint32_t location);

#endif
