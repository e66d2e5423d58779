/* run_wanted: the answers that a run still lacks, computed from its records and its tests.
 *
 * A record says what the command line asked of every test. So each test of a manifest owes an
 * answer for every model pair and engine that some record's command line would ask about: those
 * that the options name, else those of its own `expect` lines. Records that do not say so ask for
 * nothing.
 *
 * Ownership: owns its texts; `records` must outlive it. */
#ifndef CRASHLIT_RUN_WANTED_H
#define CRASHLIT_RUN_WANTED_H

#include "run/run_record.h"
#include "session/session_settings.h"

struct run_wanted {
    struct arena arena;
    const struct run_records *records;
    const struct reach *reach; /* of the tests' models, and of machines that records name */
    VEC(struct session_settings) asked; /* command lines, one of each that asks the same */
};

/* Faults, such as a machine that no longer exists, go to `diag`. */
void run_wanted_init(struct run_wanted *wanted, const struct run_records *records,
                     const struct reach *reach, struct diag *diag);
void run_wanted_fini(struct run_wanted *wanted);

/* Calls back for each answer without a record; a failure, of the file or of the pair, counts as a
 * record. Returns how many answers the test owes. Reads the test if it has to; then its diagnostics
 * go to `err`, and `*readable` is false if it cannot be read. */
typedef void run_wanted_visit(void *context, const char *file, const char *model,
                              const char *persistency, const char *engine);
size_t run_wanted_each_missing(const struct run_wanted *wanted, const char *path,
                               run_wanted_visit *visit, void *context, struct strbuf *err,
                               bool *readable);

#endif
