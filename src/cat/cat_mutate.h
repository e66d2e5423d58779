/* cat_mutate: lists the mutants of a model file: copies of it in which one rule, one operand or one
 * check is weaker, stronger or gone.
 *
 * A mutant is a change of the text, so a reader sees what was changed where. It takes the place of
 * the file by cat_asker.instead. A mutant may fail to load, as where a sort is no longer right.
 *
 * Definitions that only pictures show, choices (`with`), conditions (`when`, `if`) and branches that
 * are off are left as they are. Ownership: everything lives in the arena. Cost: linear in the
 * text, for each mutant. */
#ifndef CRASHLIT_CAT_MUTATE_H
#define CRASHLIT_CAT_MUTATE_H

#include "base/diag.h"
#include "cat/cat_variants.h"

/* Mutation operators: X(identifier, word, what it does). */
#define CAT_MUTATIONS(X)                                                             \
    X(OPERAND, "operand", "an operand of '|', '&', ';' or '\\' is taken away")       \
    X(CLOSURE, "closure", "r+ becomes r, r* becomes r? or r+, r? and r^-1 become r") \
    X(PRODUCT, "product", "a side of a product becomes _")                           \
    X(EMPTY, "empty", "what a name stands for becomes 0")                            \
    X(CHECK, "check", "a check or a call is taken away")                             \
    X(ACYCLIC, "acyclic", "acyclic becomes irreflexive")

enum cat_mutation {
#define X(identifier, ...) CAT_MUTATE_##identifier,
    CAT_MUTATIONS(X)
#undef X
        CAT_MUTATION_COUNT
};

struct cat_mutant {
    enum cat_mutation kind;
    const char *rule;  /* the definition or check that it is in: "executes-before" */
    struct span place; /* what is gone or changed */
    struct span whole; /* what is replaced */
    struct span kept;  /* by this part of it, in brackets; without a source: by nothing of it */
    const char *now;   /* and by this text behind it */
    const char *what;  /* in words: "without '| syncpb'" */
};

struct cat_mutants {
    const struct cat_mutant *items; /* rule by rule, as the text has them */
    size_t count;
};

/* Appends to `diag` what makes the file unreadable; there are no mutants then. */
struct cat_mutants cat_mutate(struct arena *arena, const struct cat_variants *variants,
                              const struct source *source, struct diag *diag);
/* The file with the change; it has the name and the path of the file. */
const struct source *cat_mutant_source(struct arena *arena, const struct cat_mutant *mutant);
/* The text of a place in one line, without comments. */
const char *cat_mutate_shown(struct arena *arena, const struct span *place);
/* "operand" */
const char *cat_mutation_word(enum cat_mutation kind);

#endif
