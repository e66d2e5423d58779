/* cli_distinguish: the smallest programs that two models answer differently, for `review` too. */
#ifndef CRASHLIT_CLI_DISTINGUISH_H
#define CRASHLIT_CLI_DISTINGUISH_H

#include "cli/cli_survey.h"
#include "document/report_distinguish.h"

/* The report is there during the call. */
typedef void cli_distinguish_use(struct cli_survey *asked, const struct report_distinguish *report,
                                 struct strbuf *out);
/* In the last worker of a survey of two pairs: confirms and explains what was found, and hands the
 * report on. Engines that dispute a test raise the status. */
void cli_distinguish_tell(struct cli_survey *asked, cli_distinguish_use *use, struct strbuf *out);

#endif
