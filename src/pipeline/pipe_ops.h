/* pipe_ops: what the rules of a pipeline's description do. Private to the pipeline. */
#ifndef CRASHLIT_PIPE_OPS_H
#define CRASHLIT_PIPE_OPS_H

#include "pipeline/pipe_state.h"

/* A work-item at an instruction that a rule is for. */
struct pipe_doing {
    const struct lit_instr *instr;
    const struct mach_pipe_rule *rule; /* NULL: none */
    uint32_t thread, location;         /* location_count when the instruction has none */
    bool through;                      /* what it stores is waited for */
    bool inside;                       /* it came to the instruction inside of a transaction */
    uint64_t met;                      /* work-items that do the same in this step */
};

/* What the work-item is at. */
struct pipe_doing pipe_doing(struct mach_test *test, const uint8_t *state, uint32_t thread);

/* Does an operation for some entries mean this one? */
bool pipe_is_meant(const struct pipe_flow *flow, const struct pipe_doing *doing,
                   enum mach_pipe_which which, uint32_t number);
/* The operation that a work-item is stalled at: of a rule with one await, that. */
uint32_t pipe_phase_of(const struct pipe_plan *plan, const uint8_t *state, uint32_t thread,
                       const struct mach_pipe_rule *rule);
/* Where those who meet do what comes after; 0: the rule has no MEET. */
uint32_t pipe_after_meeting(const struct mach_pipe_rule *rule);

/* Those for whose entries a work-item waits at an AWAIT. */
uint64_t pipe_awaited(const struct mach_test *test, const struct mach_pipe_op *op, uint32_t thread);

/* One operation, not AWAIT or MEET; false when it has to wait. */
bool pipe_do(struct pipe_flow *flow, struct pipe_doing *doing, const struct mach_pipe_op *op);

#endif
