/* cli_place_tell: the documents of `crashlit place`: what is printed and what goes to files. Private
 * to the command.
 */
#ifndef CRASHLIT_CLI_PLACE_TELL_H
#define CRASHLIT_CLI_PLACE_TELL_H

#include "cli/cli_place_read.h"
#include "place/place.h"

void cli_place_begin_documents(struct cli_place_asking *a);
/* Packs their texts, the printed one first. */
void cli_place_end_documents(struct cli_place_asking *a, struct strbuf *out);

/* Sets which fillings of the report's placement are shown, with their weights, changes and files. */
void cli_place_choose_shown(struct cli_place_asking *a, struct report_place *report);
/* Adds the answer of a model pair to every document, with pictures where these have any. */
void cli_place_tell(struct cli_place_asking *a, const struct place_question *question,
                    struct clock_limit clock, struct report_place *report);

#endif
