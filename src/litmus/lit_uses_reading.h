/* lit_uses_reading: the definition files of a test while they are read (lit_uses.h).
 */
#ifndef CRASHLIT_LIT_USES_READING_H
#define CRASHLIT_LIT_USES_READING_H

#include "litmus/lit_parse.h"
#include "litmus/lit_uses.h"

struct lit_uses_reading {
    struct lit_syntax *test;
    const struct lit_surroundings *surroundings;
    VEC(const struct lit_definition *) definitions;
    VEC(struct lit_weaker) weaker;
    const struct ast_macros *file; /* whose definitions are walked */
    size_t above;                  /* definitions of the files before it */
    uint64_t digest;               /* of the files so far */
    const struct lit_models *models,
        *others;               /* the first that are named, and the first that differ */
    uint32_t ordered, unknown; /* tags in orders, and those that no instruction has */
    bool alone;                /* of no test, so other files may come before it */
    bool failed;
};

#define LIT_USES_FAIL(reading, ...) \
    ((void)((reading)->failed = true), diag_error((reading)->test->diag, __VA_ARGS__))

/* Parses a file and takes its definitions, walked from the top: what they call is bound to
 * definitions above, or left to the dialect, and what becomes of each parameter is noted. So no
 * definition comes back to itself, and a column of a table knows which operands are locations. */
void lit_uses_define(struct lit_uses_reading *reading, const struct source *source);

/* Takes the orders of tags that a file says, whose definitions are taken. Reports circles. */
void lit_uses_order(struct lit_uses_reading *reading, const struct ast_orders *orders);

#endif
