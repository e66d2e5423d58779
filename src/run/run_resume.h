/* run_resume: whether a record of an earlier run answers what is asked now, for `--resume`.
 *
 * A record counts when the same would be asked, as far as a record tells, and when it has an
 * answer: one that is `unknown` or `error` has none, nor has one that was decided where states are
 * to be listed. What stands in no record is not compared: the code of the test, the files of
 * models, and options such as --unroll.
 */
#ifndef CRASHLIT_RUN_RESUME_H
#define CRASHLIT_RUN_RESUME_H

#include "run/run_record.h"
#include "litmus/lit_program.h"
#include "session/session_settings.h"

/* One test under one model pair by one engine. */
struct run_question {
    const struct session_settings *settings;
    const struct lit_program *program;
    const char *visibility, *persistency, *engine;
    const char *machine; /* its name; NULL for other engines */
    enum lit_verdict expected;
};

/* The last record that answers the question, NULL when there is none. */
const struct run_record *run_resume_find(const struct run_records *earlier,
                                         const struct run_question *question);

#endif
