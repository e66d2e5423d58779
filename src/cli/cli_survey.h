/* cli_survey: what `distinguish` and `lattice` have in common: model pairs, a bound on programs,
 * and a survey of all programs up to it.
 *
 * A worker loads the models first, as they may be strangers', and says what is searched; workers
 * look at units of it (run/run_search.h), each with models of its own; one more tells what was
 * found.
 */
#ifndef CRASHLIT_CLI_SURVEY_H
#define CRASHLIT_CLI_SURVEY_H

#include "ask/ask_options.h"
#include "base/pack.h"
#include "cli/cli_pairs.h"
#include "document/report_survey.h"
#include "generate/gen_survey.h"
#include "run/run_output.h"

struct cli_survey {
    const struct ask_options *options;
    struct session_settings settings; /* of the options, with all states listed */
    struct arena arena;
    struct diag diag;
    struct session_parts parts;
    struct strbuf *err;
    enum run_status status;
    struct cli_pairs pairs;
    struct gen_bound bounds[GEN_MAX_VOCABULARIES];
    uint32_t bound_count;
    struct gen_mapper mapper; /* of --map */
    struct gen_survey survey;
    uint64_t unit_count;
    struct report_survey totals; /* of a command that tells: what was searched */
};

/* A command. Both are called in workers. */
struct cli_survey_command {
    void (*name_models)(struct cli_survey *asked);
    /* What is printed, and what else the caller wants. */
    void (*tell)(struct cli_survey *asked, struct strbuf *out);
    bool confirms; /* it asks every engine in the end */
};

/* All of it. The status; what was told is appended to `out`, records go to `standard`. What is told
 * begins as cli_written_pack has it, which is printed and written; `from` stands behind it. */
int cli_survey_answer(const struct ask_options *options, const struct cli_survey_command *command,
                      struct run_output *standard, struct strbuf *out, struct unpack *from);
/* A test of what was found, with its state as its condition and what each of two pairs answers. */
struct report_survey_test cli_survey_test(struct cli_survey *asked, const struct gen_find *find,
                                          const char *name, uint32_t first, uint32_t second);
/* With --map: what the mapping makes of that test, and the second pair answers. */
const char *cli_survey_target(struct cli_survey *asked, const struct gen_find *find,
                              const char *name, const char *source);

#endif
