/* pipeline: the machine that interprets the description of a pipeline (mach_pipe.h). What it
 * does is in docs/models/machines.md.
 *
 * Visible is one sequentially consistent memory; a description says how a write travels from there
 * to the medium. Which model pairs it promises is the description's affair.
 */
#ifndef CRASHLIT_PIPELINE_H
#define CRASHLIT_PIPELINE_H

#include "machine/mach.h"

/* Steps: X(name, text). A work-item executes an instruction; goes on with its rule, as nothing is
 * owed to it any more; those who met do what their rule says; an entry moves on, with its group
 * (step.line: its number, step.unit: its location). */
#define PIPE_STEPS(X) X(RUN, "runs") X(GO_ON, "goes on") X(MEET, "meets") X(MOVE, "moves")

enum pipe_step {
#define X(name, text) PIPE_##name,
    PIPE_STEPS(X)
#undef X
};

extern const struct machine pipeline;

/* Is nothing owed to a stalled work-item any more, nor to those it met? `owed`: those to whom
 * something is. */
bool pipe_may_go_on(struct mach_test *test, const uint8_t *state, uint32_t thread, uint64_t owed);

/* The faults that the description's blocks can have, a bit each. */
uint64_t mach_pipe_faults(const struct mach_pipe *pipe);

#endif
