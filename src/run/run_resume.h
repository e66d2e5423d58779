/* run_resume: does a record of an earlier run answer a question, for `--resume`?
 *
 * A record counts when it asked the same, as far as a record tells, and has an answer. `unknown`
 * and `error` are no answers, nor is a decision where states have to be listed. The test, its
 * definition files, the files of the models and of the machine, the options (session_digest.h) and
 * the program are compared by digest. */
#ifndef CRASHLIT_RUN_RESUME_H
#define CRASHLIT_RUN_RESUME_H

#include "run/run_record.h"
#include "session/session_ask.h"

/* Finds the last record of each engine to be asked about the pair, which is `model`. Returns their
 * number if each engine has one that answers; else 0. `records` has room for
 * SESSION_MAX_ENGINES. */
uint32_t run_resume_find(const struct run_records *earlier, const struct session_settings *settings,
                         const struct lit_program *program, const struct session_pair *pair,
                         const struct cat_model *model, const struct run_record **records);

#endif
