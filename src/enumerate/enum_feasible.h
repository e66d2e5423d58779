/* enum_feasible: prunes combinations of paths that no choice of rf can make real.
 *
 * A constraint on one read needs a write with a fitting value. The paths of the other threads
 * decide which writes there are. So most combinations of control-flow paths fall before a skeleton
 * is built for them. Combinations in which more read-modify-writes want a value than there are
 * writes of it fall too. */
#ifndef CRASHLIT_ENUM_FEASIBLE_H
#define CRASHLIT_ENUM_FEASIBLE_H

#include "cat/cat_ir.h"
#include "exec/exec_path.h"

struct enum_feasible;

/* With more paths than this in all, the tables would cost more than they save. */
enum { ENUM_FEASIBLE_MAX_PATHS = 1024 };

/* Looks at all paths of all threads once. `paths` has one entry a thread. With too many paths it
 * looks at none, and every combination may be feasible. It asks `out_of_time` of the options before
 * each value that it tries. Once the time is out, every combination with a path that was not looked
 * at may be feasible. `model` says whether two read-modify-writes of different threads may have one
 * source; NULL: they may. `looked_at`, unless NULL, has an entry a location; it is set when the
 * location's initial value mattered to an answer. */
struct enum_feasible *enum_feasible_new(struct arena *arena, const struct lit_program *program,
                                        const struct exec_paths *paths,
                                        const struct exec_run_options *options,
                                        const struct cat_model *model, bool *looked_at);

/* Threads 0..count-1 are on their chosen paths (indices into `paths`). The other threads may take
 * any path from their floor on (NULL: any path). May every read find a value that its path relies
 * on? May say true wrongly, never false wrongly. The caller chooses thread by thread: it has asked
 * about the shorter prefix before it tries another path of the last thread. */
bool enum_feasible_so_far(struct enum_feasible *feasible, const uint32_t *chosen,
                          const uint32_t *floors, uint32_t count);

#endif
