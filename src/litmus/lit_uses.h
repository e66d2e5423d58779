/* lit_uses: definition files: what instructions that a test names stand for.
 *
 * A test names the files (`uses "lin.def"`); where it names none, the user may. A file that a test
 * names is looked for as an included cat file is (base/reach.h): beside the test, in the folders
 * that the user adds, among the built-in ones; it ends in ".def". The user's may be anywhere.
 *
 * A definition knows the names above it in its file, and those of files that are used before. It
 * hides what has its name there, a built-in call too.
 *
 * Ownership: definitions live in the test's arena.
 * Errors: reported to the test's diagnostics, at the place in the definition file.
 */
#ifndef CRASHLIT_LIT_USES_H
#define CRASHLIT_LIT_USES_H

#include "base/reach.h"
#include "litmus/lit_syntax.h"
#include "litmus/lit_words.h"

/* Built-in definition files, generated from models/definitions at build time. */
extern const struct source_builtin lit_builtins[];
extern const size_t lit_builtin_count;

enum {
    LIT_MAX_USES = 32,          /* files of a test */
    LIT_MAX_DEFINITIONS = 4096, /* in all of them */
    LIT_MAX_FORMALS = 16,       /* of a definition */
    LIT_MAX_BODY_DEPTH = 40,    /* levels nested in a definition */
    LIT_MAX_WEAKER = 1024       /* pairs of tags, one weaker than the other */
};

/* What the arguments of a definition are. */
enum lit_formal { LIT_FORMAL_VALUE, LIT_FORMAL_PLACE, LIT_FORMAL_WORD };

struct lit_definition {
    const char *name;
    struct span span; /* of the name, in its file */
    bool called;      /* with parentheses */
    uint32_t count;   /* of formals */
    const char *formals[LIT_MAX_FORMALS];
    enum lit_formal kinds[LIT_MAX_FORMALS];      /* by what the body does with them */
    struct lit_word_room rooms[LIT_MAX_FORMALS]; /* of words: what all of its places take */
    /* As operands of a table, a letter each (lit_table.h); one for the value, if there is one,
     * comes first. */
    char letters[LIT_MAX_FORMALS + 2];
    struct ast_stmts body;
    const struct ast_expr *value; /* instead of a body, or NULL */
    /* Of it and of all that it calls: */
    bool marks;              /* the beginning or the end of a transaction is among it */
    bool acts;               /* so is something besides fences, cache maintenance and barriers */
    bool orders;             /* so is one of these that has a meaning without its tags */
    const char *const *tags; /* those that stand there, perhaps more than once */
    uint32_t tag_count;
};

/* Is the name that stands alone one that takes parentheses, with nothing in them? In C it would do
 * nothing. */
static inline bool lit_uses_is_uncalled(const struct lit_definition *definition,
                                        const struct ast_expr *expr)
{
    return expr->kind == AST_NAME && definition->called && definition->count == 0;
}
#define LIT_USES_UNCALLED "'%s' without parentheses does nothing in C; write %s()"

struct lit_surroundings;

/* What a test uses; later ones hide earlier ones of their name. */
struct lit_definitions {
    const struct lit_definition *const *items;
    uint32_t count;
    uint64_t digest;                 /* of the files that they are from */
    const struct lit_models *models; /* that these name; NULL: none, or not the same */
    const struct lit_weaker *weaker; /* tags in their orders, all pairs */
    uint32_t weaker_count;
};

/* All definitions that `syntax->test` uses, whose tree is read; false after reporting. */
bool lit_uses_read(struct lit_syntax *syntax, const struct lit_surroundings *surroundings,
                   struct lit_definitions *definitions) __attribute__((warn_unused_result));

/* Is the text a definition file by itself? What it calls and does not define may be of a file that
 * a test uses before it, so that is a warning. False after reporting. `models`: that it names, or
 * NULL; they last as long as the arena. */
bool lit_uses_check(struct arena *arena, struct intern *names, const struct source *source,
                    struct diag *diag, const struct lit_models **models);

/* Reads the files whose code the test launches, and adds them to the digest of what it uses; false
 * after reporting. */
bool lit_uses_code(struct lit_syntax *syntax, const struct lit_surroundings *surroundings,
                   struct lit_definitions *definitions) __attribute__((warn_unused_result));

/* The texts of the files that `syntax->test` uses, at most LIT_MAX_USES, and how many can be had;
 * nothing is reported. */
uint32_t lit_uses_sources(struct lit_syntax *syntax, const struct lit_surroundings *surroundings,
                          const struct source **sources);

/* The last definition of that name of the first `count`, or NULL. */
const struct lit_definition *lit_uses_find(const struct lit_definitions *definitions,
                                           uint32_t count, const char *name);

/* The nearest name of a definition, or of a built-in function where these are `called` too; or
 * NULL. */
const char *lit_uses_nearest(struct arena *arena, const struct lit_definitions *definitions,
                             const char *name, bool called);
/* What a test writes to have that name from a built-in file ("'a.def' defines it: write uses ..."),
 * and the file, or NULL where none defines it. */
const char *lit_uses_advice(struct arena *arena, const char *name, const char **file_to_use);

/* "'cuda.def' does not have it", of all files that are used; NULL: none is. */
const char *lit_uses_lack(struct arena *arena, const struct lit_definitions *definitions);
/* The built-in file of that name, but for its ending and capitals; NULL: none. */
const char *lit_uses_file_like(const char *word, size_t length);
/* Offers, for the diagnostic at `span` that was reported last, to put the line before the initial
 * state, or before what is defined there. */
void lit_uses_offer(struct arena *arena, const struct ast_test *test, struct diag *diag,
                    struct span span, const char *file_to_use);

#endif
