/* pipe_state: the contents of a pipeline's stages. Private to the pipeline.
 *
 * An entry is a version of a location on its way, in an instance of a stage. Entries stand by runs:
 * a run is one location, or one line where some stage keeps the order of a line. In a run entries
 * further on come first, and those of one stage stand in the order of arrival; in an `apart` stage
 * they stand by instances first. So a location's entries stand from its oldest version to its
 * newest, and each state has one form.
 *
 * In a stage of order `marks` each entry has a mask, transitively closed, of entries that must
 * leave before it. The masks of marks keep those for the next entry to come. In a `fifo` stage, and
 * for write sets, an entry has a turn: entries of one turn are a group.
 *
 * Steps work on a flow: the entries taken out of a state's bytes, which `pipe_save` puts back.
 * Memory, medium and variables are changed directly in the bytes. */
#ifndef CRASHLIT_PIPE_STATE_H
#define CRASHLIT_PIPE_STATE_H

#include "pipeline/pipe_plan.h"

struct pipe_entry {
    uint8_t location, value, stage, instance;
    uint8_t turn;
    uint8_t transaction; /* 0: none, or it is over; else the work-item's number + 1 */
    uint8_t bypasses;    /* a mask of stages ahead */
    uint64_t before;     /* entries that must leave its stage first */
    uint64_t writers;
    uint64_t owed[MACH_PIPE_STAGES]; /* by slot: work-items that wait for it to leave the stage;
                                        each is in at most one slot */
};

struct pipe_flow {
    const struct mach_test *test;
    const struct pipe_plan *plan;
    uint8_t *bytes;              /* of the state */
    const struct pipe_run *only; /* only its entries are here; NULL: all */
    uint32_t count, others;      /* how many entries are here, and elsewhere */
    struct pipe_entry entries[MACH_PIPE_ENTRIES + 1];
    uint64_t own_marks[MACH_MAX_THREADS], strand_marks[MACH_MAX_THREADS], strands[MACH_MAX_THREADS];
    uint64_t instance_marks[MACH_PIPE_STAGES][MACH_MAX_THREADS];
};

void pipe_load(struct pipe_flow *flow, const struct mach_test *test, const uint8_t *state);
/* Loads the entries for a step at a location: a store there, or a move of entry `number` there (or
 * LIT_NONE). If its run is enough, only the run's entries are loaded. Returns the entry's number in
 * the flow. */
uint32_t pipe_load_run(struct pipe_flow *flow, const struct mach_test *test, const uint8_t *state,
                       uint32_t location, uint32_t number);
void pipe_save(const struct pipe_flow *flow);

/* What a crash leaves of a location in NVM: among versions behind the durable line, the newest that
 * no older one holds back. */
uint8_t pipe_image(const struct mach_test *test, const uint8_t *state, uint32_t location);

/* ---- Bytes outside of a flow ---- */

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

/* The open transaction's value of a location in its log; NULL: it has not stored there, or there is
 * no log. */
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

/* Is it in a write set that is in no queue yet? */
static inline bool pipe_is_open(const struct pipe_plan *plan, const struct pipe_entry *entry)
{
    return entry->transaction && pipe_stage(plan, entry->stage)->group;
}

/* The next stage from `stage` on that is not bypassed, by a mask or its variable; `stages`: the
 * medium. */
uint32_t pipe_next_stage(const struct pipe_plan *plan, const uint8_t *state, uint32_t stage,
                         uint8_t bypasses);

/* The location's version before entry `number`; LIT_NONE: that entry is the oldest. */
uint32_t pipe_previous(const struct pipe_flow *flow, uint32_t number);
/* The location's newest entry; LIT_NONE: there is none. */
uint32_t pipe_newest(const struct pipe_flow *flow, uint32_t location);

/* Inserts an entry where it belongs, as the last to come to its instance; returns its number. */
uint32_t pipe_insert(struct pipe_flow *flow, const struct pipe_entry *entry);
/* Replaces an entry that has left its stage; that stage's marks no longer have it. */
uint32_t pipe_replace(struct pipe_flow *flow, uint32_t number, const struct pipe_entry *entry);
void pipe_drop(struct pipe_flow *flow, uint32_t number);
/* Sorts entries after their locations and instances have changed: each goes where it belongs,
 * behind those of its instance that must leave before it. */
void pipe_sort(struct pipe_flow *flow);

/* ---- Entering and leaving stages (pipe_move.c) ---- */

/* May the entry, with its group, leave its stage now? */
bool pipe_may_move(const struct pipe_flow *flow, uint32_t number);
/* Does its group move in the name of this entry? */
bool pipe_leads_group(const struct pipe_flow *flow, uint32_t number);
void pipe_move(struct pipe_flow *flow, uint32_t number);

/* Stores value `number` for a work-item; `bypasses` is a mask of stages. False when it has to wait.
 * `owed`: the work-item waits until the entry is in the medium. */
bool pipe_store(struct pipe_flow *flow, uint32_t thread, uint32_t location, uint8_t number,
                uint8_t bypasses, bool owed);

/* Ends the work-item's transaction: its open write sets enter their queues; false when that has to
 * wait. `together`: work-items whose transactions end in the same step. */
bool pipe_commit(struct pipe_flow *flow, uint32_t thread, uint64_t together);
/* Drops the work-item's open write sets. */
void pipe_abort(struct pipe_flow *flow, uint32_t thread);

/* Does a work-item of a mask wait for an entry? */
bool pipe_is_owed(const struct pipe_flow *flow, uint64_t threads);
/* A mask of work-items that wait for entries. */
uint64_t pipe_owed(const struct pipe_plan *plan, const uint8_t *state);
/* Makes the work-item wait until the entry leaves the stage. */
void pipe_owe(const struct pipe_plan *plan, struct pipe_entry *entry, uint32_t thread,
              uint32_t stage);

/* ---- Masks of entries ---- */

/* The entries in queues of a stage; in that of one instance. */
uint64_t pipe_in_stage(const struct pipe_flow *flow, uint32_t stage);
uint64_t pipe_in_instance(const struct pipe_flow *flow, uint32_t stage, uint32_t instance);
/* The entries that some work-item of the mask wrote. */
uint64_t pipe_written_by(const struct pipe_flow *flow, uint64_t writers);
/* Adds the entries that must leave their stage before those of the mask. */
uint64_t pipe_close(const struct pipe_flow *flow, uint64_t mask);

#endif
