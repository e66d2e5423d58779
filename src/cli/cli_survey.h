/* cli_survey: the part that `distinguish` and `lattice` share: model pairs, a bound on programs,
 * and a survey of all programs up to the bound.
 *
 * Models may be a stranger's, so only workers load them. A first worker sets up the search. Further
 * workers look at units of it (run/run_search.h), each with models of its own. A last worker
 * reports what was found.
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
    bool apart; /* models of one name may differ in visibility */
    struct gen_bound bounds[GEN_MAX_VOCABULARIES];
    uint32_t bound_count;
    struct gen_vocabularies vocabularies;
    struct gen_mapper mapper; /* for --map */
    struct gen_survey survey;
    uint64_t unit_count;
    struct report_survey totals; /* for reports: what was searched */
    void *context;               /* of the command */
};

/* A command. The first two functions are called in workers. */
struct cli_survey_command {
    void (*name_models)(struct cli_survey *asked);
    /* Appends the text that is printed, and further data for the caller. */
    void (*tell)(struct cli_survey *asked, struct strbuf *out);
    bool confirms; /* in the end it asks every engine */
    bool whole;    /* units have no records; its answer comes when all is done */
    /* What is done before the search, in the caller; NULL: nothing. A status other than OK ends
     * the command. After an interrupt, which still is to be heard, OK has it tell what is known. */
    int (*before)(void *context);
    void *context;
};

/* Does the whole search and returns the status. Records go to `standard`. The report is appended to
 * `out`: first the part of cli_written_pack, which is printed and written, then further data, at
 * which `from` then stands. */
int cli_survey_answer(const struct ask_options *options, const struct cli_survey_command *command,
                      struct run_output *standard, struct strbuf *out, struct unpack *from);
/* Chooses the bounds of programs that tell the pairs apart, and says them in `totals`. False with a
 * diagnostic. */
bool cli_survey_bounds(struct cli_survey *asked);
/* A test that was found, with its state as its condition, and the answers of two pairs as
 * expectations. */
struct report_survey_test cli_survey_test(struct cli_survey *asked, const struct gen_find *find,
                                          const char *name, uint32_t first, uint32_t second);
/* With --map: the test that the mapping makes of it, with the answer of the second pair as its
 * expectation. */
const char *cli_survey_target(struct cli_survey *asked, const struct gen_find *find,
                              const char *name, const char *source);

#endif
