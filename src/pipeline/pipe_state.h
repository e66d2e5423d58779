/* pipe_state: what is in the stages of a pipeline. Private to the pipeline.
 *
 * An entry is a version of a location that is on its way, in an instance of a stage. Entries stand
 * by runs (those of one location, or where some stage keeps the order of a line, of one line), in a
 * run those further on first, of one stage in the order in which they came there, in an `apart`
 * stage by instances first. So the entries of a location stand from its oldest version to its
 * newest, and each state has one form.
 *
 * Which entries have to leave a stage before others is, in a stage of order `marks`, a mask in each
 * entry, transitively closed; where a mark was made and nothing has come since, it is in the masks
 * of marks. In a `fifo` stage, and for write sets, it is a turn: entries of one turn are a group.
 *
 * Steps work on a flow: the entries taken out of a state's bytes, which `pipe_save` puts back.
 * Memory, medium and variables are changed in the bytes at once.
 */
#ifndef CRASHLIT_PIPE_STATE_H
#define CRASHLIT_PIPE_STATE_H

#include "pipeline/pipe_plan.h"

struct pipe_entry {
    uint8_t location, value, stage, instance;
    uint8_t turn;
    uint8_t transaction; /* 0: none, or it is over; else the work-item's number and 1 */
    uint8_t bypasses;    /* of stages ahead, a bit each */
    uint64_t before;     /* entries that have to leave its stage first */
    uint64_t writers;
    uint64_t owed[MACH_PIPE_STAGES]; /* by slot: work-items that wait for it to leave the stage;
                                        each is in one at most */
};

struct pipe_flow {
    const struct mach_test *test;
    const struct pipe_plan *plan;
    uint8_t *bytes;              /* of the state */
    const struct pipe_run *only; /* its entries alone are here; NULL: all */
    uint32_t count, others;      /* how many are here, and elsewhere */
    struct pipe_entry entries[MACH_PIPE_ENTRIES + 1];
    uint64_t own_marks[MACH_MAX_THREADS], strand_marks[MACH_MAX_THREADS], strands[MACH_MAX_THREADS];
    uint64_t instance_marks[MACH_PIPE_STAGES][MACH_MAX_THREADS];
};

void pipe_load(struct pipe_flow *flow, const struct mach_test *test, const uint8_t *state);
/* Of the entries, where that is enough for it, only those of a location's run: for a store there,
 * or a move of an entry there, whose number is given (or LIT_NONE). Returns that of it in the flow.
 */
uint32_t pipe_load_run(struct pipe_flow *flow, const struct mach_test *test, const uint8_t *state,
                       uint32_t location, uint32_t number);
void pipe_save(const struct pipe_flow *flow);

/* What a crash leaves of a location in NVM: of what is behind the durable line the newest version
 * that no older one holds back. */
uint8_t pipe_image(const struct mach_test *test, const uint8_t *state, uint32_t location);

/* ---- Bytes that a flow has not ---- */

static inline const struct pipe_plan *pipe_plan(const struct mach_test *test)
{
    return test->plan;
}

static inline uint8_t *pipe_memory(const struct pipe_plan *plan, uint8_t *state, uint32_t location)
{
    return &state[plan->memory_at[location]];
}

static inline uint8_t *pipe_medium(const struct pipe_plan *plan, uint8_t *state, uint32_t location)
{
    return &state[plan->medium_at[location]];
}

/* Where the open transaction has stored, if it has a log: NULL when it has not stored there. */
static inline uint8_t *pipe_logged(const struct pipe_plan *plan, uint8_t *state, uint32_t location)
{
    uint8_t *log = &state[plan->log.at + 2 * location];
    return plan->log.bytes && log[0] ? &log[1] : NULL;
}

static inline bool pipe_has(const uint8_t *state, struct pipe_place mask, uint32_t thread)
{
    return mask.bytes && state[mask.at + thread / 8] >> thread % 8 & 1;
}

static inline void pipe_set(uint8_t *state, struct pipe_place mask, uint32_t thread, bool on)
{
    uint8_t bit = (uint8_t)(1u << thread % 8);
    if (mask.bytes)
        state[mask.at + thread / 8] =
            (uint8_t)(on ? state[mask.at + thread / 8] | bit : state[mask.at + thread / 8] & ~bit);
}

/* ---- Entries ---- */

static inline const struct mach_pipe_stage *pipe_stage(const struct pipe_plan *plan, uint32_t stage)
{
    BASE_ASSERT(stage < plan->stages);
    return &plan->pipe->stages[stage];
}

/* Is it of a write set that is in no queue yet? */
static inline bool pipe_is_open(const struct pipe_plan *plan, const struct pipe_entry *entry)
{
    return entry->transaction && pipe_stage(plan, entry->stage)->group;
}

/* The next stage from `stage` on that is not bypassed, by a mask or its variable; `stages`: the
 * medium. */
uint32_t pipe_next_stage(const struct pipe_plan *plan, const uint8_t *state, uint32_t stage,
                         uint8_t bypasses);

/* The version of its location before that of entry `number`; LIT_NONE: it is the oldest. */
uint32_t pipe_previous(const struct pipe_flow *flow, uint32_t number);
/* The location's newest entry, LIT_NONE when there is none. */
uint32_t pipe_newest(const struct pipe_flow *flow, uint32_t location);

/* Where the entry belongs, as the last that came to its instance; returns its number. */
uint32_t pipe_insert(struct pipe_flow *flow, const struct pipe_entry *entry);
/* The same of one that has left its stage: no mark of that has it any more. */
uint32_t pipe_replace(struct pipe_flow *flow, uint32_t number, const struct pipe_entry *entry);
void pipe_drop(struct pipe_flow *flow, uint32_t number);
/* Entries have other locations and instances: each goes where it belongs, behind those of its
 * instance that it stands behind. */
void pipe_sort(struct pipe_flow *flow);

/* ---- Leaving and coming (pipe_move.c) ---- */

/* May the entry, with its group, leave its stage now? */
bool pipe_may_move(const struct pipe_flow *flow, uint32_t number);
/* Is it the one in whose name its group moves? */
bool pipe_leads_group(const struct pipe_flow *flow, uint32_t number);
void pipe_move(struct pipe_flow *flow, uint32_t number);

/* A store of value `number`, by a work-item of which the stages of a mask are bypassed. False when
 * it has to wait. `owed`: the work-item waits until it is in the medium. */
bool pipe_store(struct pipe_flow *flow, uint32_t thread, uint32_t location, uint8_t number,
                uint8_t bypasses, bool owed);

/* The work-item's open write sets enter their queues, its transaction is over; false when that has
 * to wait. `together`: work-items whose transactions are over in the same step. */
bool pipe_commit(struct pipe_flow *flow, uint32_t thread, uint64_t together);
/* They are dropped. */
void pipe_abort(struct pipe_flow *flow, uint32_t thread);

/* Does a work-item of a mask wait for an entry? */
bool pipe_is_owed(const struct pipe_flow *flow, uint64_t threads);
/* Those that do, a bit each. */
uint64_t pipe_owed(const struct pipe_plan *plan, const uint8_t *state);
/* From now on it does: for it to leave the stage. */
void pipe_owe(const struct pipe_plan *plan, struct pipe_entry *entry, uint32_t thread,
              uint32_t stage);

/* ---- Masks ---- */

/* Those of an instance of a stage that are in a queue of it. */
uint64_t pipe_in_instance(const struct pipe_flow *flow, uint32_t stage, uint32_t instance);
/* Those that some work-item of the mask wrote. */
uint64_t pipe_written_by(const struct pipe_flow *flow, uint64_t writers);
/* With what has to leave their stage before them. */
uint64_t pipe_close(const struct pipe_flow *flow, uint64_t mask);

#endif
