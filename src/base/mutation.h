/* mutation: a change of a text in one place, which makes a mutant of it (`crashlit mutate`).
 *
 * A reader sees what was changed where. Ownership: everything lives in the arena of who made it. */
#ifndef CRASHLIT_MUTATION_H
#define CRASHLIT_MUTATION_H

#include "base/source.h"

struct mutation {
    const char *word;  /* of the mutation operator: "operand" */
    const char *rule;  /* what it is in, such as a definition: "executes-before" */
    struct span place; /* what is gone or changed */
    struct span whole; /* what is replaced */
    struct span kept;  /* by this part of it, in brackets; without a source: by nothing of it */
    const char *now;   /* and by this text behind it */
    const char *what;  /* in words: "without '| syncpb'" */
};

struct mutations {
    const struct mutation *items; /* as the text has them */
    size_t count;
};

/* The text with the change; it has the name and the path of the text. */
const struct source *mutation_source(struct arena *arena, const struct mutation *change);
/* The text of a place, as it stands. */
const char *mutation_text(struct arena *arena, const struct span *place);

#endif
