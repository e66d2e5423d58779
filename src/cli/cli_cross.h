/* cli_cross: what the engines say about one test under one model pair, and whether they
 * agree.
 */
#ifndef CRASHLIT_CLI_CROSS_H
#define CRASHLIT_CLI_CROSS_H

#include "cli/cli_engines.h"
#include "cli/cli_result.h"
#include "cli/cli_run.h"

/* The answers of the engines that the options ask for, in the table's order. */
struct cli_answers {
    const struct engine_entry *engines[CLI_MAX_ENGINES];
    struct outcome outcomes[CLI_MAX_ENGINES];
    struct report_gallery galleries[CLI_MAX_ENGINES]; /* empty unless some report shows them */
    uint32_t count;
};

/* Runs them one after the other, each with the time limit. `dumps` as for cli_run. */
void cli_answers_get(const struct cli_case *question, struct cli_answers *answers,
                     struct strbuf *dumps);
void cli_answers_fini(struct cli_answers *answers);

/* Holds each engine against the first. Writes an indented line for each difference, followed
 * by an execution when it is a state, and one for each reason why something was not
 * compared; nothing when all agree. */
enum cli_accord cli_answers_compare(const struct cli_case *question,
                                    const struct cli_answers *answers, struct strbuf *out);
/* The status it asks for. Crosscheck has nothing to say of what was not compared: 3. */
enum cli_status cli_accord_status(enum cli_command command, enum cli_accord accord);

#endif
