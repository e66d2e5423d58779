/* cli_survey_record: what a unit of a survey came to, as a record of a search (run/run_search.h).
 */
#ifndef CRASHLIT_CLI_SURVEY_RECORD_H
#define CRASHLIT_CLI_SURVEY_RECORD_H

#include "generate/gen_survey.h"

struct json_t; /* jansson's */

/* The members behind those that every record has. */
void cli_survey_record_write(const struct gen_survey *survey, const struct gen_part *part,
                             struct strbuf *out);
/* The part, in the arena; false for what is none. Leaves out of both what the survey, all units
 * before this one being taken, does not want. */
bool cli_survey_record_read(const struct gen_survey *survey, struct arena *arena,
                            struct json_t *record, struct gen_part *part)
    __attribute__((warn_unused_result));

#endif
