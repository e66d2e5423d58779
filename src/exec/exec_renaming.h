/* exec_renaming: is a renaming of threads and locations an automorphism of the program
 * (exec_symmetry.h)? Private to exec_symmetry.c and exec_renaming.c. */
#ifndef CRASHLIT_EXEC_RENAMING_H
#define CRASHLIT_EXEC_RENAMING_H

#include "base/vec.h"
#include "exec/exec_symmetry.h"

/* Scopes that have instances to tell apart: from sub-groups to devices. */
enum { EXEC_FIRST_SCOPE = LIT_SCOPE_SG, EXEC_SCOPES = LIT_SCOPE_ALL - EXEC_FIRST_SCOPE };

/* Who shares which scope instance: per scope and thread, the first thread of its instance. */
struct exec_instances {
    const uint32_t *first[EXEC_SCOPES];
};
struct exec_instances exec_instances_new(struct arena *arena, const struct lit_program *program);

/* Involutions. LIT_NONE: not decided yet; those that stay so are left where they are. */
struct exec_renaming {
    const struct lit_program *program;
    const struct exec_instances *instances;
    uint32_t *threads, *locations;
};

/* May the code of b be that of a with locations renamed by some bijection of locations alike and
 * other constants in stores? A number that differs says no. */
uint64_t exec_code_digest(const struct lit_thread *thread);

/* Calls back for each pair of locations that become each other when a becomes b, and returns
 * whether every call was content and the code is the same otherwise. Constants of stores may
 * differ. */
typedef bool exec_pair_callback(void *context, uint32_t from, uint32_t to);
bool exec_match_code(const struct lit_thread *a, const struct lit_thread *b,
                     exec_pair_callback *callback, void *context);

/* Could one location be renamed to the other as far as it alone can tell? */
bool exec_locations_alike(const struct lit_location *a, const struct lit_location *b);

/* What a store of `from` has in place of a constant of its own; NULL: the same. */
struct exec_differing {
    const struct lit_instr *from, *to;
};

/* Tests all of the definition, from the definition; constants that differ are added to the list,
 * which is the caller's. */
typedef VEC(struct exec_differing) exec_differing_list;
bool exec_is_automorphism(struct arena *scratch, const struct exec_renaming *renaming,
                          exec_differing_list *differing);

#endif
