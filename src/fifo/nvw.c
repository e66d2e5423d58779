/* Instructions, barriers and steps of the machine over the state of nvw_state.h. */
#include "fifo/nvw.h"

#include "machine/mach_instr.h"
#include "fifo/nvw_state.h"

/* ---- Instructions ---- */

/* A wide release: what its L1 has outstanding is written on before it performs. */
static bool is_wide_release(const struct lit_instr *instr)
{
    return (lit_instruction_writes(instr->op) || instr->op == LIT_FENCE) && mach_is_wide(instr) &&
           mach_releases(instr->order);
}

static bool may_release(const struct mach_test *test, uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint32_t left = nvw_sfifo_of(test, state, test->unit_of[thread])[0];
    return left == 0 || mach_has_fault(test, MACH_FAULT_EARLY_RELEASE) ||
           (left == 1 && mach_has_fault(test, MACH_FAULT_LEFT_BEHIND));
}

static bool acquire(const struct mach_test *test, uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return mach_has_fault(test, MACH_FAULT_NO_INVALIDATE) ||
           nvw_invalidate(test, state, test->unit_of[thread]);
}

/* A wider access performs in the L2, and its line leaves the L1. */
static bool access(struct mach_test *test, uint8_t *state, uint32_t thread,
                   const struct lit_instr *instr)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint32_t location = mach_location(test, state, thread, instr), line = test->line_of[location];
    uint32_t unit = test->unit_of[thread], cache = mach_is_wide(instr) ? MACH_L2 : 1 + unit;
    bool reads = lit_instruction_reads(instr->op);
    if (cache == MACH_L2) {
        if (!nvw_write_on(test, state, unit, line))
            return false;
        nvw_drop_copy(test, state, unit, line);
    }
    if (reads && !nvw_fill(test, state, cache, line))
        return false;
    uint8_t old = mach_in_cache(test, state, cache, location), number;
    bool writes = mach_access(test, state, thread, instr, location, old, &number);
    if (cache == MACH_L2 && reads && mach_acquires(mach_order_of(instr, writes)) &&
        !acquire(test, state, thread))
        return false;
    return !writes || nvw_write_word(test, state, cache, location, number);
}

static bool run_instruction(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (is_wide_release(instr) && !may_release(test, state, thread))
        return false;
    if (instr->op == LIT_FENCE) {
        if (mach_is_wide(instr) && mach_acquires(instr->order) && !acquire(test, state, thread))
            return false;
    } else if (lit_instruction_accesses(instr->op) && !access(test, state, thread, instr)) {
        return false;
    }
    mach_go_on(test, state, thread);
    return true;
}

/* The oldest line outstanding goes to the L2, for a release that waits. */
static bool drain(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    uint8_t *sfifo = nvw_sfifo_of(test, state, unit);
    if (!mach_has_fault(test, MACH_FAULT_CLEAN_RELEASE))
        return nvw_write_on(test, state, unit, sfifo[1]);
    nvw_pop(sfifo);
    return true;
}

/* ---- Barriers ---- */

static bool arrive(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    bool persist = mach_instr(test, state, thread)->op == LIT_PBARRIER;
    mach_set_status(test, state, thread, MACH_WAITING);
    if (persist || !mach_all_wait(test, state, thread))
        return true;
    if (!cache_hand_over(test, state, thread, nvw_invalidate))
        return false;
    mach_leave(test, state, thread);
    return true;
}

/* Those whom a barrier stalls: who waits in it, or, of a single work-item, executes it. */
static void stall_scope(struct mach_test *test, uint8_t *state, uint32_t leader,
                        enum lit_scope scope)
{
    bool none = mach_has_fault(test, MACH_FAULT_NO_STALL);
    bool wrong = mach_has_fault(test, MACH_FAULT_WRONG_STALL);
    for (uint32_t u = 0; u < test->program->thread_count; u++) {
        bool member = mach_is_member(test, leader, u, scope);
        enum mach_status status = mach_status(test, state, u);
        if (member && u != leader && status != MACH_WAITING)
            continue;
        if (member && (none || wrong)) {
            mach_go_on(test, state, u);
        } else if (member || (wrong && status == MACH_RUNNING)) {
            mach_set_status(test, state, u, MACH_STALLED);
            nvw_stalls(test, state)[2 * u] = (uint8_t)(leader + 1);
        }
    }
}

/* Markers enter the FIFOs of the caches that may hold the scope's writes, and the scope is
 * stalled. */
static bool append_markers(struct mach_test *test, uint8_t *state, uint32_t leader)
{
    BASE_ASSERT(leader < test->program->thread_count);
    enum lit_scope scope = mach_instr(test, state, leader)->exec_scope;
    bool wide = scope > LIT_SCOPE_WG;
    uint32_t first = wide ? 0 : test->unit_of[leader];
    uint32_t last = wide ? test->config.units - 1 : first;
    if (last > first && mach_has_fault(test, MACH_FAULT_UNIT_SKIPPED))
        last--;
    for (uint32_t unit = first; unit <= last; unit++)
        if (!nvw_push(test, state, 1 + unit, (uint8_t)(NVW_MARKER | leader)))
            return false;
    nvw_stalls(test, state)[2 * leader + 1] = (uint8_t)(last - first + 1);
    stall_scope(test, state, leader, scope);
    return true;
}

/* All writes before the marker are in NVRAM. */
static void acknowledge(const struct mach_test *test, uint8_t *state, uint32_t leader)
{
    BASE_ASSERT(leader < test->program->thread_count);
    uint8_t *left = &nvw_stalls(test, state)[2 * leader + 1];
    if (*left == 0 || *left == NVW_ACKNOWLEDGED)
        return;
    if (--*left == 0 || mach_has_fault(test, MACH_FAULT_EARLY_ACK))
        *left = NVW_ACKNOWLEDGED;
}

/* The scope goes on. A work-item stalled elsewhere (a fault) goes on where it stood. */
static void unstall(struct mach_test *test, uint8_t *state, uint32_t leader)
{
    BASE_ASSERT(leader < test->program->thread_count);
    uint8_t *stall = nvw_stalls(test, state);
    stall[2 * leader + 1] = 0;
    for (uint32_t u = 0; u < test->program->thread_count; u++) {
        if (mach_status(test, state, u) != MACH_STALLED || stall[2 * u] != leader + 1)
            continue;
        stall[2 * u] = 0;
        if (mach_has_fault(test, MACH_FAULT_WRONG_STALL))
            mach_set_status(test, state, u, MACH_RUNNING);
        else
            mach_go_on(test, state, u);
    }
}

/* ---- Steps ---- */

static bool dequeue(struct mach_test *test, uint8_t *state, uint32_t cache)
{
    uint8_t *fifo = nvw_fifo_of(test, state, cache);
    uint8_t head = fifo[1];
    nvw_pop(fifo);
    if (!(head & NVW_MARKER))
        return nvw_flush(test, state, cache, head);
    if (cache != 0 && !mach_has_fault(test, MACH_FAULT_NOT_DRAINED))
        return nvw_push(test, state, 0, head);
    if (cache == 0 && nvw_under_way(test, state)[0] && !mach_has_fault(test, MACH_FAULT_NO_ACK))
        return false;
    acknowledge(test, state, head & (uint8_t)~NVW_MARKER);
    return true;
}

static bool evict_l1(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(unit < test->config.units);
    bool entered = mach_is_dirty(test, state, 1 + unit, line) && mach_is_nvm(test, line);
    if (!nvw_write_on(test, state, unit, line))
        return false;
    if (entered && mach_has_fault(test, MACH_FAULT_EVICT_BYPASS)) {
        uint8_t *fifo = nvw_fifo_of(test, state, MACH_L2);
        fifo[fifo[0]--] = 0;
    }
    nvw_drop_copy(test, state, unit, line);
    return true;
}

/* The L2 is inclusive: copies above leave first. */
static bool evict_l2(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    for (uint32_t unit = 0; unit < test->config.units; unit++) {
        if (!mach_is_cached(test, state, 1 + unit, line))
            continue;
        if (!mach_has_fault(test, MACH_FAULT_INCLUSION))
            return false;
        nvw_drop_copy(test, state, unit, line);
    }
    nvw_write_back(test, state, line);
    cache_drop(test, state, MACH_L2, line);
    return true;
}

static bool nvw_perform(struct mach_test *test, uint8_t *state, struct mach_step step)
{
    switch ((enum nvw_step)step.kind) {
    case NVW_RUN: return run_instruction(test, state, step.thread);
    case NVW_ARRIVE: return arrive(test, state, step.thread);
    case NVW_MARK: return append_markers(test, state, step.thread);
    case NVW_SFIFO_DEQUEUE: return drain(test, state, step.unit);
    case NVW_L1_DEQUEUE:
    case NVW_L1_MARKER: return dequeue(test, state, 1 + step.unit);
    case NVW_L2_DEQUEUE:
    case NVW_L2_MARKER: return dequeue(test, state, 0);
    case NVW_UNSTALL: unstall(test, state, step.thread); return true;
    case NVW_ACK: return nvw_complete(test, state, step.line);
    case NVW_L1_EVICT: return evict_l1(test, state, step.unit, step.line);
    case NVW_L2_EVICT: return evict_l2(test, state, step.line);
    }
    BASE_UNREACHABLE("a step of the machine");
}

/* What a running work-item does next: a persist barrier of its own begins with its marker. */
static enum nvw_step next_of(const struct lit_instr *instr)
{
    if (instr->op == LIT_PBARRIER && instr->scope == LIT_SCOPE_WI)
        return NVW_MARK;
    return lit_instruction_meets(instr->op) ? NVW_ARRIVE : NVW_RUN;
}

static struct mach_step step_of(enum nvw_step kind, uint32_t thread)
{
    return (struct mach_step){.kind = (uint8_t)kind, .thread = (uint8_t)thread};
}

static uint32_t thread_steps(const struct mach_test *test, const uint8_t *state,
                             struct mach_step *steps)
{
    bool early = mach_has_fault(test, MACH_FAULT_NO_WAIT);
    uint32_t count = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        enum mach_status status = mach_status(test, state, t);
        if (status == MACH_RUNNING)
            steps[count++] = step_of(next_of(mach_instr(test, state, t)), t);
        else if (mach_leads(test, state, t, early))
            steps[count++] = step_of(NVW_MARK, t);
        if (nvw_stalls(test, state)[2 * t + 1] == NVW_ACKNOWLEDGED)
            steps[count++] = step_of(NVW_UNSTALL, t);
    }
    return count;
}

/* Does a work-item of the unit stand at a wide release? */
static bool is_releasing(const struct mach_test *test, const uint8_t *state, uint32_t unit)
{
    return ANY(t, test->program->thread_count,
               test->unit_of[t] == unit && mach_status(test, state, t) == MACH_RUNNING &&
                   is_wide_release(mach_instr(test, state, t)));
}

static uint32_t fifo_steps(const struct mach_test *test, const uint8_t *state,
                           struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t cache = 0; cache < test->caches.count; cache++) {
        const uint8_t *fifo = nvw_fifo_of(test, state, cache);
        uint8_t unit = (uint8_t)(cache ? cache - 1 : 0);
        if (fifo[0] && fifo[1] & NVW_MARKER)
            steps[count++] =
                (struct mach_step){.kind = cache ? NVW_L1_MARKER : NVW_L2_MARKER, .unit = unit};
        else if (nvw_has_marker(fifo))
            steps[count++] =
                (struct mach_step){.kind = cache ? NVW_L1_DEQUEUE : NVW_L2_DEQUEUE, .unit = unit};
        if (cache && nvw_sfifo_of(test, state, unit)[0] && is_releasing(test, state, unit))
            steps[count++] = (struct mach_step){.kind = NVW_SFIFO_DEQUEUE, .unit = unit};
    }
    for (uint32_t i = 0; i < nvw_under_way(test, state)[0]; i++)
        steps[count++] = (struct mach_step){.kind = NVW_ACK, .line = (uint8_t)i};
    return count;
}

/* Which lines may leave a cache now. Any may leave one that is full, and any an L1 while the
 * L2 is full, as that cannot lose a line before them. When all work-items have ended, what they
 * wrote leaves for memory. */
static uint32_t leaving(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                        bool l2_full, bool done)
{
    uint32_t own = cache ? test->config.evict_l1 : test->config.evict_l2;
    if (l2_full || (cache && mach_is_full(test, state, cache)))
        return MACH_EVICT_ANY;
    if (done)
        own |= cache ? MACH_EVICT_ANY : MACH_EVICT_DIRTY;
    return own;
}

static uint32_t evictions(const struct mach_test *test, const uint8_t *state,
                          struct mach_step *steps)
{
    bool l2_full = mach_is_full(test, state, MACH_L2), done = mach_all_done(test, state);
    uint32_t count = 0;
    for (uint32_t cache = MACH_L2; cache < test->caches.count; cache++) {
        uint32_t which = leaving(test, state, cache, l2_full, done);
        for (uint32_t line = 0; which && line < test->line_count; line++) {
            bool dirty = mach_is_dirty(test, state, cache, line);
            if (mach_is_cached(test, state, cache, line) &&
                which & (dirty ? MACH_EVICT_DIRTY : MACH_EVICT_CLEAN))
                steps[count++] = (struct mach_step){.kind = cache ? NVW_L1_EVICT : NVW_L2_EVICT,
                                                    .unit = (uint8_t)(cache ? cache - 1 : 0),
                                                    .line = (uint8_t)line};
        }
    }
    return count;
}

static uint32_t nvw_enabled(struct mach_test *test, const uint8_t *state, struct mach_step *steps)
{
    uint32_t count = thread_steps(test, state, steps);
    count += fifo_steps(test, state, steps + count);
    count += evictions(test, state, steps + count);
    BASE_CHECK(count <= MACH_MAX_STEPS);
    return count;
}

static bool nvw_quiet(const struct mach_test *test, const uint8_t *state)
{
    for (uint32_t cache = MACH_L2; cache < test->caches.count; cache++)
        for (uint32_t line = 0; line < test->line_count; line++)
            if (mach_is_dirty(test, state, cache, line))
                return false;
    return nvw_under_way(test, state)[0] == 0;
}

const struct machine nvw_fifo = {
    .name = "nvw-fifo",
    .description = "NVW-FIFOs beside each cache (SPB section 6.1)",
    .visibility = "hrf-direct",
    .persistency = "epoch",
    .faults = 0 NVW_FAULTS(MACH_FAULT_BIT),
    .size = nvw_size,
    .start = cache_start,
    .enabled = nvw_enabled,
    .perform = nvw_perform,
    .memory = mach_in_memory,
    .quiet = nvw_quiet,
    .reduce = nvw_reduce,
    .describe = nvw_describe,
    .rename = nvw_rename,
    .view = nvw_view,
    .tell = nvw_tell,
};
