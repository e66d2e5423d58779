/* pipeline: the machine that interprets the description of a pipeline (mach_pipe.h).
 * docs/models/machines.md says what it does.
 *
 * One sequentially consistent memory is visible; the description says how a write travels from
 * there to the medium. The description also says which model pairs are promised. */
#ifndef CRASHLIT_PIPELINE_H
#define CRASHLIT_PIPELINE_H

#include "machine/mach.h"

/* Steps: X(name, text). RUN: a work-item executes an instruction. GO_ON: it goes on with its rule,
 * as nothing is owed to it any more. MEET: those who met execute the rest of their rule. MOVE: an
 * entry moves on with its group (step.line: its number, step.unit: its location). */
#define PIPE_STEPS(X) X(RUN, "runs") X(GO_ON, "goes on") X(MEET, "meets") X(MOVE, "moves")

enum pipe_step {
#define X(name, text) PIPE_##name,
    PIPE_STEPS(X)
#undef X
};

extern const struct machine pipeline;

/* May a stalled work-item go on, since nothing is owed to it or to those it met? `owed`: the
 * work-items to whom something is owed. */
bool pipe_may_go_on(struct mach_test *test, const uint8_t *state, uint32_t thread, uint64_t owed);

/* The faults that the description's parts can have, a bit each. */
uint64_t mach_pipe_faults(const struct mach_pipe *pipe);

#endif
