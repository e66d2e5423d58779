/* cli_check: check one file under the model pairs it asks for, for `check` and
 * `crosscheck`. */
#ifndef CRASHLIT_CLI_CHECK_H
#define CRASHLIT_CLI_CHECK_H

#include "cli/cli_cross.h"
#include "cli/cli_reports.h"

/* What checking one file printed and came to. */
struct cli_result {
    struct strbuf out, err;
    struct cli_pieces pieces;
    VEC(struct cli_model *) models; /* used or wanted, for their faults to be shown */
    enum cli_status status;
    uint32_t as_expected, otherwise;    /* verdicts */
    uint32_t accords[CLI_DISAGREE + 1]; /* model pairs, when all engines were asked */
};

void cli_result_fini(struct cli_result *result);

/* Never fails as a whole: faults are in `err` and the status. */
void cli_check_file(const struct cli_options *options, struct cli_models *models, const char *path,
                    struct cli_result *result);

#endif
