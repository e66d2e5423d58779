/* meaning: the tags of a test that a model gives a meaning to.
 *
 * A model knows a tag on an instruction when it declares the tag for a kind of that instruction, on
 * a location as LOC, on a work-item as THREAD. Any other tag means nothing to it; comparisons of
 * models report that. `model` is NULL, and knows no tag, where a machine is asked without one. */
#ifndef CRASHLIT_MEANING_H
#define CRASHLIT_MEANING_H

#include "base/arena.h"
#include "cat/cat_ir.h"
#include "litmus/lit_program.h"

/* The tags of the instruction that the model gives a meaning to, as a mask of the program's. */
uint64_t meaning_of_instr(const struct lit_program *program, const struct cat_model *model,
                          const struct lit_instr *instr);
/* The tags of the location, or of the work-item, that have a meaning. */
uint64_t meaning_of_location(const struct lit_program *program, const struct cat_model *model,
                             const struct lit_location *location);
uint64_t meaning_of_thread(const struct lit_program *program, const struct cat_model *model,
                           const struct lit_thread *thread);

/* Does the model tell the host from its GPUs by the tag `cpu`, and is the thread a host without it?
 */
bool meaning_lacks_host(const struct lit_program *program, const struct cat_model *model,
                        const struct lit_thread *thread);

/* A store of the test to NVRAM that is of several units of persistence, where the model knows such
 * units; NULL: none. Of one whose address is read that is not looked at. */
const struct lit_instr *meaning_torn(const struct lit_program *program,
                                     const struct cat_model *model, uint32_t *units);

/* Do the model's answers depend on persist barriers? */
bool meaning_of_persist_barriers(const struct cat_model *model);

/* What has no meaning, each once: tags of locations, then those of work-items, then instructions in
 * the order of the text, recovery last; then pragmas. Persist barriers of all scopes are one, "persist
 * barriers": where they make work-items meet, that remains. An instruction that a test calls by a
 * definition file's name goes by that name, else by its tags. The list is in the arena. */
struct meaning_lacking {
    const char *const *names;
    const struct span *places; /* the first place of each; line 0: nowhere in a text */
    /* Of tags and memory orders: where else the model gives it a meaning, in words such as "fences,
     * reads"; NULL: nowhere. */
    const char *const *elsewhere;
    /* Of tags: built-in models of persistency that give it a meaning, of each family the first, in words
     * such as "gpm, px86"; NULL: none. */
    const char *const *models;
    uint32_t count;
};
struct meaning_lacking meaning_lacking(struct arena *arena, const struct lit_program *program,
                                       const struct cat_model *model);

/* A read-modify-write with a tag that the model declares for fences, and not for
 * read-modify-writes; NULL: none. herd puts fences around such an instruction, so an answer without
 * them would be wrong. */
const struct lit_instr *meaning_misplaced(const struct lit_program *program,
                                          const struct cat_model *model, const char **tag);

#endif
