/* gen_mapped: what a mapping makes of generated programs (mapping/mapping.h).
 *
 * A program and what is made of it are compared as `refines` does: by what non-volatile locations
 * hold, at a crash and in the end. A mapping may refuse a program.
 *
 * Ownership: a mapper lives where it is made, and ends with gen_mapper_fini.
 */
#ifndef CRASHLIT_GEN_MAPPED_H
#define CRASHLIT_GEN_MAPPED_H

#include "generate/gen_print.h"
#include "session/session_test.h"

struct gen_mapper {
    struct arena arena;
    struct intern *names;
    const struct mapping *mapping;
    const char *file; /* of the mapping, beside which is what it uses; NULL: it is built in */
    const struct session_settings *settings;
};

/* Loads it. False, told: there is none, or it has pragmas, which generated programs have not. */
bool gen_mapper_init(struct gen_mapper *mapper, const struct session_settings *settings,
                     const char *name, struct diag *diag) __attribute__((warn_unused_result));
void gen_mapper_fini(struct gen_mapper *mapper);

/* The text of a test, mapped, in the arena; NULL: it is refused. */
const char *gen_mapped_text(struct gen_mapper *mapper, struct arena *arena, const char *name,
                            const char *text);
/* Reads the text of a test, or what is made of one, which uses what the mapping uses. */
void gen_mapped_test(const struct gen_mapper *mapper, struct session_test *test, const char *name,
                     const char *text);
/* The program, and what is made of it, with conditions that mention each non-volatile location; the
 * caller ends both. False, and there is nothing to end: it is refused. */
bool gen_mapped_read(struct gen_mapper *mapper, const struct gen_vocabulary *vocabulary,
                     enum gen_dialect dialect, const struct gen_program *program,
                     struct session_test *source, struct session_test *target)
    __attribute__((warn_unused_result));

#endif
