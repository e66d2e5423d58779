/* gen_mapped: applies a mapping to generated programs (mapping/mapping.h).
 *
 * A program and its mapped text are compared as `refines` does: by what non-volatile locations
 * hold, at a crash and at the end. A mapping may refuse a program.
 *
 * Ownership: the caller owns a mapper, and ends it with gen_mapper_fini. */
#ifndef CRASHLIT_GEN_MAPPED_H
#define CRASHLIT_GEN_MAPPED_H

#include "generate/gen_print.h"
#include "session/session_test.h"

struct gen_mapper {
    struct arena arena;
    struct intern *names;
    const struct mapping *mapping;
    const char *file; /* of the mapping, beside which it finds what it uses; NULL: it is built in */
    const struct session_settings *settings;
};

/* Loads the mapping. False, with a diagnostic: there is none, or it has pragmas, which generated
 * programs do not have. */
bool gen_mapper_init(struct gen_mapper *mapper, const struct session_settings *settings,
                     const char *name, struct diag *diag) __attribute__((warn_unused_result));
void gen_mapper_fini(struct gen_mapper *mapper);

/* The mapped text of a test, in the arena; NULL: the mapping refuses it. */
const char *gen_mapped_text(struct gen_mapper *mapper, struct arena *arena, const char *name,
                            const char *text);
/* Reads a test's text, mapped or not; it may use what the mapping uses. */
void gen_mapped_test(const struct gen_mapper *mapper, struct session_test *test, const char *name,
                     const char *text);
/* Reads the program and its mapped text, with conditions that mention each non-volatile location;
 * the caller ends both. False when the mapping refuses it; then there is nothing to end. */
bool gen_mapped_read(struct gen_mapper *mapper, const struct gen_vocabulary *vocabulary,
                     enum gen_dialect dialect, const struct gen_program *program,
                     struct session_test *source, struct session_test *target)
    __attribute__((warn_unused_result));

#endif
