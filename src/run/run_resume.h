/* run_resume: whether a record of an earlier run answers what is asked now, for `--resume`.
 *
 * A record counts when the same would be asked, as far as a record tells, and when it has an
 * answer: one that is `unknown` or `error` has none, nor has one that was decided where states are
 * to be listed. The test, its definition files, the files of the models and of the machine, the
 * options (session_digest.h) and the program are compared by digest.
 */
#ifndef CRASHLIT_RUN_RESUME_H
#define CRASHLIT_RUN_RESUME_H

#include "run/run_record.h"
#include "session/session_ask.h"

/* The last record of each engine that is asked about the pair, which is `model`, when each has one
 * that answers; how many, else 0. `records` has room for SESSION_MAX_ENGINES. */
uint32_t run_resume_find(const struct run_records *earlier, const struct session_settings *settings,
                         const struct lit_program *program, const struct session_pair *pair,
                         const struct cat_model *model, const struct run_record **records);

#endif
