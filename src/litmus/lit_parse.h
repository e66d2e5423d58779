/* lit_parse: from litmus text to a program.
 *
 * Parses, checks and lowers one test. The dialect is chosen by the first word.
 * Faults go to `diag`, several per file; the result is NULL when there was an error of
 * this test. Warnings may come with a program.
 * Recursion depth, program size and array size are bounded; no input crashes or hangs it.
 */
#ifndef CRASHLIT_LIT_PARSE_H
#define CRASHLIT_LIT_PARSE_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/reach.h"
#include "litmus/lit_program.h"

const struct lit_program *lit_parse(struct arena *arena, struct intern *names,
                                    const struct source *source, struct diag *diag)
    __attribute__((warn_unused_result));

/* The settings under which a test is read. Zeroed, they are those of a text in memory that uses
 * built-in definition files alone. */
struct lit_surroundings {
    const struct reach *reach; /* folders that the user permits; NULL: none */
    const char *folder;        /* of the test's file, as reach_folder says it; NULL: in memory */
    bool nowhere; /* it came on standard input: what is beside it in `folder` are others */
    const char *const *uses; /* definition files of the user, for a test that names none */
    uint32_t uses_count;
    /* A proposition in place of the test's conditions and expectations: after every completed
     * recovery it holds (`recovered forall`). NULL: none. */
    const struct source *property;
    /* Texts that replace the files of these paths, fillings of a sketch. */
    const struct source *const *instead;
    uint32_t instead_count;
    const struct source *code; /* that the test names, by whatever name; NULL: it is looked for */
    bool observed;      /* somebody asks about what `observe` names, whatever the test asks */
    bool models_named;  /* the user names a model pair, so definition files choose none */
    bool weak_volatile; /* of compiled code: volatile accesses are weak, not relaxed */
    bool bare;          /* leave out conditions, expectations and `locations` */
    /* An exercise. Its conditions, `filter` and `locations` take the place of the test's own. The
     * test then has no expectations. It is an error if the test is no answer to the exercise
     * (lit_exercise.h). NULL: none. */
    const struct source *exercise;
};
const struct lit_program *lit_parse_in(struct arena *arena, struct intern *names,
                                       const struct source *source,
                                       const struct lit_surroundings *surroundings,
                                       struct diag *diag) __attribute__((warn_unused_result));

/* The same. Also gives the tree from which the program was lowered. */
struct ast_test;
const struct lit_program *lit_parse_tree(struct arena *arena, struct intern *names,
                                         const struct source *source,
                                         const struct lit_surroundings *surroundings,
                                         struct diag *diag, const struct ast_test **tree)
    __attribute__((warn_unused_result));

/* The lowered program as text, for --dump-ast. */
void lit_program_dump(const struct lit_program *program, struct strbuf *out);

#endif
