/* cli_survey_record: writes and reads the result of a unit of a survey, as a record of a search
 * (run/run_search.h). */
#ifndef CRASHLIT_CLI_SURVEY_RECORD_H
#define CRASHLIT_CLI_SURVEY_RECORD_H

#include "generate/gen_survey.h"

struct json_t; /* jansson's */

/* Appends the members that follow those of every record. */
void cli_survey_record_write(const struct gen_survey *survey, const struct gen_part *part,
                             struct strbuf *out);
/* Reads the part into the arena; false when the record holds none. Removes from record and part
 * what the survey does not want any more. All units before this one must have been taken. */
bool cli_survey_record_read(const struct gen_survey *survey, struct arena *arena,
                            struct json_t *record, struct gen_part *part)
    __attribute__((warn_unused_result));

#endif
