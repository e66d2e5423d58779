/* session_test: one test, read.
 *
 * Ownership: a test owns its program, its names and what was found on the way.
 */
#ifndef CRASHLIT_SESSION_TEST_H
#define CRASHLIT_SESSION_TEST_H

#include "base/diag.h"
#include "base/intern.h"
#include "litmus/lit_program.h"
#include "session/session_settings.h"

/* `program` is NULL when it could not be read. Where it expects something of a model that is a
 * file, the program has the path that it is opened by (reach_find). */
struct session_test {
    struct arena arena;
    struct intern *names;
    const struct lit_program *program;
    const char *folder;       /* of its file; NULL for one in memory */
    struct diag diag;         /* what was found on the way */
    const char *model_faults; /* of a model that a source is taken under and that could not be
                                 loaded, rendered; NULL: none */
    bool sources_disagree;    /* engines do, about the states of a source (session_refine.h) */
};

/* With the reach of the settings, and for the property that they name, which takes the place of the
 * test's conditions and expectations. */
void session_test_load(struct session_test *test, const struct session_settings *settings,
                       const char *path);
/* As messages and records name a test: by its path, or by its place on standard input. In the arena
 * where it is no part of `path`. */
const char *session_test_shown(struct arena *arena, const struct session_settings *settings,
                               const char *path);
/* The same for `length` bytes in memory, which are called `name`. */
void session_test_read(struct session_test *test, const struct session_settings *settings,
                       const char *name, const char *text, size_t length);
/* The two steps of the first, for a text in place of what the file of `path` has: what it names is
 * looked for as for the file. Its diagnostics may have others between. */
void session_test_begin(struct session_test *test, const char *path);
void session_test_take(struct session_test *test, const struct session_settings *settings,
                       const char *name, const char *text, size_t length);
/* The second step for a source in the test's arena; NULL: it could not be had, and `why` says so.
 */
void session_test_take_source(struct session_test *test, const struct session_settings *settings,
                              const char *name, const struct source *source, const char *why);
void session_test_fini(struct session_test *test);

#endif
