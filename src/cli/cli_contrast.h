/* cli_contrast: one test under two models, for `compare` and `review`: its verdict, and the states that
 * one model has and the other lacks. */
#ifndef CRASHLIT_CLI_CONTRAST_H
#define CRASHLIT_CLI_CONTRAST_H

#include "ask/ask_options.h"
#include "document/report_compare.h"
#include "run/run_plan.h"
#include "session/session_case.h"

/* The verdict of a question that has this outcome. Robustness is asked about apart, with the engine
 * of the options; engines that disagree then raise the status. `models` and `asker` are those of the
 * question's model. */
enum lit_verdict cli_contrast_verdict(const struct ask_options *options,
                                      const struct session_case *question,
                                      struct session_models *models, const struct cat_asker *asker,
                                      const struct outcome *outcome, enum run_status *status);
/* Holds the outcomes against each other. All texts are put into the arena. */
void cli_contrast_hold(struct arena *arena, const struct lit_program *program,
                       const struct outcome *first, const struct outcome *other,
                       struct report_compare_held *held);

#endif
