/* gen_vocabularies: reads the vocabularies of mechanisms.
 *
 * A vocabulary file says what the instructions of definition files are to generated programs;
 * docs/using/generate.md has its form. That of the mechanisms is built in. What it does not say
 * follows from what a definition expands to (gen_definition.h). So instructions of the user's need
 * no such file: then nothing is assumed of them.
 *
 * Ownership: vocabularies live in the arena. Each is read when it is first asked for. */
#ifndef CRASHLIT_GEN_VOCABULARIES_H
#define CRASHLIT_GEN_VOCABULARIES_H

#include "base/diag.h"
#include "generate/gen_vocabulary.h"
#include "session/session_settings.h"

/* Built-in vocabulary files, generated from models/ at build time. */
extern const struct source_builtin gen_builtins[];
extern const size_t gen_builtin_count;

enum { GEN_MAX_VOCABULARIES = 12 };

struct gen_vocabularies {
    struct arena *arena;
    struct session_settings *settings; /* of tests; its `uses` grow by those of a user's file */
    const struct gen_vocabulary *known[GEN_MAX_VOCABULARIES];
    uint32_t known_count;
};

/* The names of the built-in ones in their order, at most GEN_MAX_VOCABULARIES; returns how many. */
size_t gen_vocabulary_names(struct arena *arena, const char **names);
/* The built-in one of that name; NULL: there is none. */
const struct gen_vocabulary *gen_vocabulary_find(struct gen_vocabularies *all, const char *name);
/* The one that --vocabulary names: a built-in one, or the first of a user's file, which is a path or
 * ends as these do. NULL after reporting. */
const struct gen_vocabulary *gen_vocabulary_read(struct gen_vocabularies *all, const char *name,
                                                 struct diag *diag);

#endif
