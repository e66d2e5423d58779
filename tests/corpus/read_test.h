/* read_test: a test from a file, for programs beside the command that look at engines and machines.
 * More may be put into its arena and its diagnostics. */
#ifndef CRASHLIT_TESTS_READ_TEST_H
#define CRASHLIT_TESTS_READ_TEST_H

#include "litmus/lit_parse.h"

struct read_test {
    struct arena arena;
    struct diag diag;
    struct intern *names;
    const struct lit_program *program; /* NULL when it could not be read */
};

static inline void read_test_init(struct read_test *test, const char *path)
{
    const char *why = NULL;
    *test = (struct read_test){.names = intern_new()};
    arena_init(&test->arena);
    diag_init(&test->diag);
    const struct source *source = source_load(&test->arena, path, &why);
    if (source)
        test->program = lit_parse(&test->arena, test->names, source, &test->diag);
}

static inline void read_test_fini(struct read_test *test)
{
    intern_free(test->names);
    diag_fini(&test->diag);
    arena_fini(&test->arena);
}

#endif
