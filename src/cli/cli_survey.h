/* cli_survey: what `distinguish` and `lattice` have in common: model pairs, a bound on programs,
 * and a survey of all programs up to it, in a worker process.
 */
#ifndef CRASHLIT_CLI_SURVEY_H
#define CRASHLIT_CLI_SURVEY_H

#include "ask/ask_options.h"
#include "cli/cli_pairs.h"
#include "generate/gen_survey.h"

struct cli_survey {
    const struct ask_options *options;
    struct session_settings settings; /* of the options, with all states listed */
    struct arena arena;
    struct diag diag;
    struct strbuf *err;
    enum run_status status;
    struct cli_pairs pairs;
    struct gen_bound bounds[GEN_MAX_VOCABULARIES];
    uint32_t bound_count;
    const char *bound_words; /* "spb: up to 4 events, ..." */
    struct gen_survey survey;
};

void cli_survey_init(struct cli_survey *asked, const struct ask_options *options,
                     struct session_parts parts, struct strbuf *err);
void cli_survey_fini(struct cli_survey *asked);
/* Once the pairs are there: which vocabularies, up to which bound, from where. False with a
 * diagnostic. */
bool cli_survey_prepare(struct cli_survey *asked) __attribute__((warn_unused_result));
/* Goes through all programs; says on a terminal how far it is. */
void cli_survey_run(struct cli_survey *asked);

/* A test of what was found, with its state as its condition and what each of two pairs answers. */
const char *cli_survey_test(struct cli_survey *asked, const struct gen_find *find, const char *name,
                            uint32_t first, uint32_t second);
const char *cli_survey_line(struct cli_survey *asked, const struct gen_find *find);

#endif
