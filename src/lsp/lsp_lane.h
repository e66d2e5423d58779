/* lsp_lane: has one question at a time answered by a process of its own, while this process goes on
 * listening.
 *
 * That process has a worker (run/run_pool.h). Only the worker looks at the text. It runs under the
 * limits of the options. It may read files in the folder of the text's file or below, and files
 * that the options name. Stopping a lane ends both processes.
 */
#ifndef CRASHLIT_LSP_LANE_H
#define CRASHLIT_LSP_LANE_H

#include "lsp/lsp_question.h"

#include <sys/types.h>

struct lsp_lane {
    pid_t process; /* 0: none */
    int line;      /* poll it for reading while there is a process */
    struct strbuf bytes;
};

/* Starts a process for the question, in a lane that has none. False: no process can be had. */
bool lsp_lane_start(struct lsp_lane *lane, const struct lsp_question *question)
    __attribute__((warn_unused_result));
/* Reads bytes that have come; true when the answer is complete. Then `answer` has it, or is NULL,
 * and `reason` says why there is none. Both live until the next start. */
bool lsp_lane_hear(struct lsp_lane *lane, const char **answer, const char **reason);
void lsp_lane_stop(struct lsp_lane *lane);
void lsp_lane_fini(struct lsp_lane *lane);

#endif
