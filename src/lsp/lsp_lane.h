/* lsp_lane: one question at a time, answered by a process of its own, while this one goes on
 * listening.
 *
 * That process has a worker (run/run_pool.h), which alone looks at the text, under the limits of
 * the options, and may read what is in the folder of the text's file or below, and what the options
 * name. To stop is to end both.
 */
#ifndef CRASHLIT_LSP_LANE_H
#define CRASHLIT_LSP_LANE_H

#include "lsp/lsp_question.h"

#include <sys/types.h>

struct lsp_lane {
    pid_t process; /* 0: none */
    int line;      /* to be polled for reading while there is a process */
    struct strbuf bytes;
};

/* Of a lane without a process. False: there can be none. */
bool lsp_lane_start(struct lsp_lane *lane, const struct lsp_question *question)
    __attribute__((warn_unused_result));
/* Reads what has come; true when that is all. Then `answer` is the answer, or NULL, and `reason`
 * says why there is none; both live until the next start. */
bool lsp_lane_hear(struct lsp_lane *lane, const char **answer, const char **reason);
void lsp_lane_stop(struct lsp_lane *lane);
void lsp_lane_fini(struct lsp_lane *lane);

#endif
