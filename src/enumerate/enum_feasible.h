/* enum_feasible: combinations of paths that no choice of rf can make real.
 *
 * A constraint that depends on one read needs a write with a fitting value. Which
 * writes there are depends on the paths of the other threads, so most combinations
 * of control-flow paths fall before a skeleton is built for them. So do those in which more
 * read-modify-writes want a value than there are writes of it.
 */
#ifndef CRASHLIT_ENUM_FEASIBLE_H
#define CRASHLIT_ENUM_FEASIBLE_H

#include "cat/cat_ir.h"
#include "exec/exec_path.h"

struct enum_feasible;

/* With more paths than this in all, the tables would cost more than they save. */
enum { ENUM_FEASIBLE_MAX_PATHS = 1024 };

/* Looks at all paths of all threads once. `paths` has one entry a thread. With too many
 * paths nothing is looked at, and every combination may be feasible; so may those with paths that
 * have not been looked at when `out_of_time` of the options says so, which is asked before each
 * value that is tried. Of the model it is asked whether two read-modify-writes of different threads
 * may have one source; NULL: they may. `looked_at`, unless it is NULL, has an entry a location, set
 * when its initial value mattered to an answer. */
struct enum_feasible *enum_feasible_new(struct arena *arena, const struct lit_program *program,
                                        const struct exec_paths *paths,
                                        const struct exec_run_options *options,
                                        const struct cat_model *model, bool *looked_at);

/* Asked as the choice goes on thread by thread: of fewer threads before another path of the last of
 * these is.
 * With paths chosen for threads 0..count-1 (indices into `paths`) and the other threads
 * still open, from their floor on if there are floors: may every read find a value that its path
 * relies on? May say true wrongly, never false wrongly. */
bool enum_feasible_so_far(struct enum_feasible *feasible, const uint32_t *chosen,
                          const uint32_t *floors, uint32_t count);

#endif
