/* cli_cross: what the engines say about one test under one model pair, and whether they
 * agree.
 */
#ifndef CRASHLIT_CLI_CROSS_H
#define CRASHLIT_CLI_CROSS_H

#include "session/session_engines.h"
#include "cli/cli_result.h"
#include "cli/cli_run.h"
#include "engine/agree.h"

/* The engines that the options ask about a model pair, in the table's order; returns how many.
 * `engines` has room for SESSION_MAX_ENGINES. When all are asked a machine is among them only for a
 * pair that it promises, and comes last. */
uint32_t cli_answers_engines(const struct cli_options *options, const char *visibility,
                             const char *persistency, const struct engine_entry **engines);

/* The answers of these engines. */
struct cli_answers {
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    struct outcome outcomes[SESSION_MAX_ENGINES];
    struct report_gallery galleries[SESSION_MAX_ENGINES]; /* empty unless some report shows them */
    uint32_t count;
    struct arena arena;
    const char *machine;            /* its name, in the arena; NULL when none was asked */
    bool is_contained;              /* the last is a machine that others stand beside, and */
    struct containment containment; /* this is how it stands to the first */
};

/* Runs them one after the other, each with the time limit. `dumps` as for cli_run. */
void cli_answers_get(const struct cli_case *question, struct cli_answers *answers,
                     struct strbuf *dumps);
void cli_answers_fini(struct cli_answers *answers);

/* Holds each engine against the first, a machine by containment. Writes an indented line for each
 * difference, followed by an execution, or a machine's shortest run, when it is a state, one
 * for each reason why something was not compared, and one on what a machine shows; of engines
 * that agree nothing else. That a test is undefined leaves a machine with nothing to agree on:
 * it counts as agreement. */
enum cli_accord cli_answers_compare(const struct cli_case *question,
                                    const struct cli_answers *answers, struct strbuf *out);
/* The status it asks for. Crosscheck has nothing to say of what was not compared: 3. */
enum cli_status cli_accord_status(enum cli_command command, enum cli_accord accord);

#endif
