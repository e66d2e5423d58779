/* pipe_ops: executes the rules of a pipeline's description. Private to the pipeline. */
#ifndef CRASHLIT_PIPE_OPS_H
#define CRASHLIT_PIPE_OPS_H

#include "pipeline/pipe_state.h"

/* A work-item at an instruction with a rule. */
struct pipe_doing {
    const struct lit_instr *instr;
    const struct mach_pipe_rule *rule; /* NULL: none */
    uint32_t thread, pc;
    uint32_t location; /* location_count when the instruction has none */
    bool through;      /* its store is waited for */
    bool done;         /* it has accessed memory, and the work-item has gone on */
    bool inside;       /* it was inside a transaction when it came to the
                                          instruction */
    uint64_t met;      /* work-items that do the same in this step */
};

/* The instruction at which the work-item is, or behind which it is stalled, with its rule. */
struct pipe_doing pipe_doing(struct mach_test *test, const uint8_t *state, uint32_t thread);

/* Does an operation on entries of kind `which` apply to this one? */
bool pipe_is_meant(const struct pipe_flow *flow, const struct pipe_doing *doing,
                   enum mach_pipe_which which, uint32_t number);
/* Stalls the work-item behind its access. */
void pipe_stall_behind(const struct pipe_flow *flow, const struct pipe_doing *doing);
/* The pc of the instruction at which a work-item is, or behind which it is stalled. */
uint32_t pipe_pc(const struct pipe_plan *plan, const struct mach_test *test, const uint8_t *state,
                 uint32_t thread);
/* The operation at which a work-item is stalled. A rule with one await is stalled at that. */
uint32_t pipe_phase_of(const struct pipe_plan *plan, const uint8_t *state, uint32_t thread,
                       const struct mach_pipe_rule *rule);
/* The operation with which those who met go on; 0: the rule has no MEET. */
uint32_t pipe_after_meeting(const struct mach_pipe_rule *rule);

/* The work-items whose entries a work-item waits for at an AWAIT. */
uint64_t pipe_awaited(const struct mach_test *test, const struct mach_pipe_op *op, uint32_t thread);

/* Executes one operation, not AWAIT, ACCESS or MEET; false when it has to wait. */
bool pipe_do(struct pipe_flow *flow, struct pipe_doing *doing, const struct mach_pipe_op *op);

#endif
