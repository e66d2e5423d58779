/* exec_renaming: tests whether a renaming of threads and locations is an automorphism of the
 * program (exec_symmetry.h). Private to exec_symmetry.c and exec_renaming.c. */
#ifndef CRASHLIT_EXEC_RENAMING_H
#define CRASHLIT_EXEC_RENAMING_H

#include "base/vec.h"
#include "exec/exec_symmetry.h"

/* Scopes with several instances: from sub-groups to devices. */
enum { EXEC_FIRST_SCOPE = LIT_SCOPE_SG, EXEC_SCOPES = LIT_SCOPE_ALL - EXEC_FIRST_SCOPE };

/* Scope instances: per scope and thread, the first thread of its instance. */
struct exec_instances {
    const uint32_t *first[EXEC_SCOPES];
};
struct exec_instances exec_instances_new(struct arena *arena, const struct lit_program *program);

/* Two involutions. LIT_NONE: not decided yet; what stays undecided stays in place. */
struct exec_renaming {
    const struct lit_program *program;
    const struct exec_instances *instances;
    uint32_t *threads, *locations;
};

/* A hash of the code that ignores which locations and which constants in stores it has. Threads
 * with different hashes are not renamed to each other. */
uint64_t exec_code_digest(const struct lit_thread *thread);

/* Compares the code of two threads. Calls back for each pair of locations that become each other
 * when a becomes b. True when every call returned true and the code is otherwise the same;
 * constants of stores may differ. */
typedef bool exec_pair_callback(void *context, uint32_t from, uint32_t to);
bool exec_match_code(const struct lit_thread *a, const struct lit_thread *b,
                     exec_pair_callback *callback, void *context);

/* May one location be renamed to the other, as far as their own properties tell? */
bool exec_locations_alike(const struct lit_location *a, const struct lit_location *b);

/* A store and the store that takes its place, whose constants differ. */
struct exec_differing {
    const struct lit_instr *from, *to;
};

/* Tests the renaming by the definition of an automorphism. Adds differing constants to the list,
 * which belongs to the caller. */
typedef VEC(struct exec_differing) exec_differing_list;
bool exec_is_automorphism(struct arena *scratch, const struct exec_renaming *renaming,
                          exec_differing_list *differing);

#endif
