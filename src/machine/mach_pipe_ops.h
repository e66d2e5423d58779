/* mach_pipe_ops: what the rules of a pipeline's description do. Private to the pipeline. */
#ifndef CRASHLIT_MACH_PIPE_OPS_H
#define CRASHLIT_MACH_PIPE_OPS_H

#include "machine/mach_pipe_state.h"

/* A work-item at an instruction that a rule is for. */
struct pipe_doing {
    const struct lit_instr *instr;
    const struct mach_pipe_rule *rule; /* NULL: none */
    uint32_t thread, location;         /* location_count when the instruction has none */
    bool through;                      /* what it stores is waited for */
    bool inside;                       /* it came to the instruction inside of a transaction */
};

/* What the work-item is at. */
struct pipe_doing pipe_doing(struct mach_test *test, const uint8_t *state, uint32_t thread);

/* One operation, not AWAIT or MEET; false when it has to wait. */
bool pipe_do(struct pipe_flow *flow, struct pipe_doing *doing, const struct mach_pipe_op *op);

#endif
