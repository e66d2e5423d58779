/* meaning: which tags of a test a model gives a meaning to.
 *
 * A model knows a tag on an instruction when it declares it for a kind that the instruction is of,
 * on a location as LOC, on a work-item as THREAD. What it does not know means nothing to it, and is
 * to be told to whoever compares models. Where a machine is asked without one, `model` is NULL and
 * knows nothing.
 */
#ifndef CRASHLIT_MEANING_H
#define CRASHLIT_MEANING_H

#include "base/arena.h"
#include "cat/cat_ir.h"
#include "litmus/lit_program.h"

/* The tags of the instruction that the model gives a meaning to, as a mask of the program's. */
uint64_t meaning_of_instr(const struct lit_program *program, const struct cat_model *model,
                          const struct lit_instr *instr);
/* Those of the location, of the work-item. */
uint64_t meaning_of_location(const struct lit_program *program, const struct cat_model *model,
                             const struct lit_location *location);
uint64_t meaning_of_thread(const struct lit_program *program, const struct cat_model *model,
                           const struct lit_thread *thread);

/* What has no meaning, each once: tags of locations, then those of work-items, and instructions, in
 * the order of the text, recovery last. An instruction goes by the name that a definition file gave
 * it and the test writes, else by its tags. Pragmas come last. The list is in the arena. */
struct meaning_lacking {
    const char *const *names;
    const struct span *places; /* where each stands first; line 0: nowhere in a text */
    /* Of tags and memory orders: on what else the model gives it a meaning, as words, such as
     * "fences, reads"; NULL: on nothing. */
    const char *const *elsewhere;
    uint32_t count;
};
struct meaning_lacking meaning_lacking(struct arena *arena, const struct lit_program *program,
                                       const struct cat_model *model);

/* A read-modify-write with a tag that the model declares for fences, and not for what it is, or
 * NULL: herd puts fences around such an instruction, so an answer without them would be a wrong
 * one. */
const struct lit_instr *meaning_misplaced(const struct lit_program *program,
                                          const struct cat_model *model, const char **tag);

#endif
