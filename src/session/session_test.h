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
 * file, or a definition file names one, the program has the path by which that is opened
 * (reach_find). */
struct session_test {
    struct arena arena;
    struct intern *names;
    const struct lit_program *program;
    const char *folder;       /* of its file; NULL for one in memory */
    struct diag diag;         /* found while reading */
    const char *model_faults; /* rendered faults of a source's model that could not be loaded; NULL:
                                 none */
    bool sources_disagree;    /* engines disagree about a source's states (session_refine.h) */
};

/* Begins the test, and writes the text that `launches` of the settings make of this file. NULL after
 * reporting. To be ended by session_test_fini in any case. */
const char *session_test_launches(struct session_test *test,
                                  const struct session_settings *settings, const char *path);
/* Reads the test at `path`, with the reach of the settings. The property of the settings replaces
 * the test's conditions and expectations. */
void session_test_load(struct session_test *test, const struct session_settings *settings,
                       const char *path);
/* Is the folder that of the tests that came on standard input, or what messages call it? */
bool session_test_is_of_stream(const struct session_settings *settings, const char *folder);
/* The test's name in messages and records: its path, or its place on standard input. In the arena
 * unless it is part of `path`. */
const char *session_test_shown(struct arena *arena, const struct session_settings *settings,
                               const char *path);
/* As session_test_load, for `length` bytes in memory, called `name`. */
void session_test_read(struct session_test *test, const struct session_settings *settings,
                       const char *name, const char *text, size_t length);
/* session_test_load in two steps, for a text in place of the file at `path`: what it names is
 * looked for as for the file. The caller may add diagnostics between. */
void session_test_begin(struct session_test *test, const char *path);
void session_test_take(struct session_test *test, const struct session_settings *settings,
                       const char *name, const char *text, size_t length);
/* The second step for a source in the test's arena; NULL: it could not be had, and `why` says
 * so. */
void session_test_take_source(struct session_test *test, const struct session_settings *settings,
                              const char *name, const struct source *source, const char *why);
void session_test_fini(struct session_test *test);

/* A model as a file of that folder names it: a path as the user would write it. */
const char *session_test_model(struct arena *arena, const struct session_settings *settings,
                               const char *folder, const char *name);
/* What a definition file names, with paths likewise; NULL of NULL. */
const struct lit_models *session_test_models(struct arena *arena,
                                             const struct session_settings *settings,
                                             const struct lit_models *models);

#endif
