/* Instructions, barriers and steps of the machine over the state of mach_nvw_state.h. */
#include "machine/mach_nvw.h"

#include "machine/mach_instr.h"
#include "machine/mach_nvw_state.h"
#include "machine/mach_nvw_view.h"

/* ---- Instructions ---- */

static bool is_wide(const struct lit_instr *instr)
{
    return instr->order != LIT_ORDER_NA && instr->scope > LIT_SCOPE_WG;
}

static bool acquires(enum lit_order order)
{
    return order == LIT_ORDER_ACQ || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
}

static bool releases(enum lit_order order)
{
    return order == LIT_ORDER_REL || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
}

/* The cache an access performs in, made ready: a wider one leaves the L1, which first
 * writes on what a release promises, and forgets what an acquire must not find. */
static bool prepare(const struct mach_test *test, uint8_t *state, uint32_t thread,
                    const struct lit_instr *instr, uint32_t location, bool reads, bool writes,
                    uint32_t *cache)
{
    uint32_t unit = test->unit_of[thread], line = test->line_of[location];
    *cache = is_wide(instr) ? 0 : 1 + unit;
    if (!is_wide(instr))
        return true;
    if (writes && releases(instr->order) && !nvw_faulty(test, MACH_FAULT_CLEAN_RELEASE) &&
        !nvw_write_all_on(test, state, unit))
        return false;
    if (reads && acquires(instr->order) && !nvw_faulty(test, MACH_FAULT_NO_INVALIDATE))
        return nvw_invalidate(test, state, unit);
    if (!nvw_write_on(test, state, unit, line))
        return false;
    nvw_drop_line(test, state, 1 + unit, line);
    return true;
}

static bool access(struct mach_test *test, uint8_t *state, uint32_t thread,
                   const struct lit_instr *instr)
{
    uint32_t location = mach_location(test, state, thread, instr), cache;
    bool reads = instr->op != LIT_STORE, writes = instr->op != LIT_LOAD;
    if (!prepare(test, state, thread, instr, location, reads, writes, &cache) ||
        (reads && !nvw_fill(test, state, cache, test->line_of[location])))
        return false;
    uint8_t old = nvw_cache_of(test, state, cache)[location], number;
    return !mach_access(test, state, thread, instr, location, old, &number) ||
           nvw_write_word(test, state, cache, location, number);
}

static bool fence(const struct mach_test *test, uint8_t *state, uint32_t thread,
                  const struct lit_instr *instr)
{
    uint32_t unit = test->unit_of[thread];
    if (instr->scope <= LIT_SCOPE_WG)
        return true;
    if (releases(instr->order) && !nvw_write_all_on(test, state, unit))
        return false;
    return !acquires(instr->order) || nvw_invalidate(test, state, unit);
}

/* ---- Barriers ---- */

/* The last one has arrived: everybody leaves. A barrier wider than a work-group makes the
 * participants' writes visible and forgets what they had. */
static bool leave_together(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    enum lit_scope scope = mach_meeting_scope(instr);
    bool wide = scope > LIT_SCOPE_WG || instr->scope > LIT_SCOPE_WG;
    for (uint32_t u = 0;
         u < test->program->thread_count && !nvw_faulty(test, MACH_FAULT_BARRIER_KEEPS); u++)
        if (wide && mach_is_member(test, thread, u, scope) &&
            !nvw_invalidate(test, state, test->unit_of[u]))
            return false;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_is_member(test, thread, u, scope))
            mach_go_on(test, state, u);
    return true;
}

static bool arrive(struct mach_test *test, uint8_t *state, uint32_t thread,
                   const struct lit_instr *instr)
{
    mach_set_status(test, state, thread, MACH_WAITING);
    return instr->op == LIT_PBARRIER || !mach_all_wait(test, state, thread) ||
           leave_together(test, state, thread);
}

/* Those whom a barrier stalls: who waits in it. */
static void stall_scope(struct mach_test *test, uint8_t *state, uint32_t leader,
                        enum lit_scope scope)
{
    bool none = nvw_faulty(test, MACH_FAULT_NO_STALL),
         wrong = nvw_faulty(test, MACH_FAULT_WRONG_STALL);
    for (uint32_t u = 0; u < test->program->thread_count; u++) {
        bool member = mach_is_member(test, leader, u, scope);
        if (member && mach_status(test, state, u) != MACH_WAITING)
            continue;
        if (member && (none || wrong)) {
            mach_go_on(test, state, u);
        } else if (member || (wrong && mach_status(test, state, u) == MACH_RUNNING)) {
            mach_set_status(test, state, u, MACH_STALLED);
            nvw_stalls(test, state)[2 * u] = (uint8_t)leader;
        }
    }
}

/* Steps 2 of SPB's lists: markers into the FIFOs of the caches that may hold the scope's writes,
 * and the scope is stalled. */
static bool append_markers(struct mach_test *test, uint8_t *state, uint32_t leader)
{
    enum lit_scope scope = mach_meeting_scope(mach_instr(test, state, leader));
    bool wide = scope > LIT_SCOPE_WG;
    uint32_t first = wide ? 0 : test->unit_of[leader];
    uint32_t last = wide ? test->config.units - 1 : first;
    if (last > first && nvw_faulty(test, MACH_FAULT_UNIT_SKIPPED))
        last--;
    for (uint32_t unit = first; unit <= last; unit++)
        if (!nvw_push(test, state, 1 + unit, (uint8_t)(NVW_MARKER | leader)))
            return false;
    nvw_stalls(test, state)[2 * leader + 1] = (uint8_t)(last - first + 1);
    stall_scope(test, state, leader, scope);
    return true;
}

/* All writes before the marker are acknowledged: with its last marker the scope goes on. A
 * work-item stalled elsewhere (a fault) goes on where it stood. */
static void acknowledge(struct mach_test *test, uint8_t *state, uint32_t leader)
{
    uint8_t *stall = nvw_stalls(test, state);
    if (stall[2 * leader + 1] == 0 || --stall[2 * leader + 1] != 0)
        return;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_status(test, state, u) == MACH_STALLED && stall[2 * u] == leader) {
            stall[2 * u] = 0;
            if (mach_instr(test, state, u)->op == LIT_PBARRIER)
                mach_go_on(test, state, u);
            else
                mach_set_status(test, state, u, MACH_RUNNING);
        }
}

/* ---- Steps ---- */

static bool run(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    bool done = true;
    if (instr->op == LIT_BARRIER || instr->op == LIT_PBARRIER)
        return arrive(test, state, thread, instr);
    if (instr->op == LIT_FENCE)
        done = fence(test, state, thread, instr);
    else if (instr->op != LIT_CRASH)
        done = access(test, state, thread, instr);
    if (done)
        mach_go_on(test, state, thread);
    return done;
}

static bool dequeue(struct mach_test *test, uint8_t *state, uint32_t cache)
{
    uint8_t *fifo = nvw_fifo_of(test, state, cache);
    uint8_t head = fifo[1];
    nvw_pop(fifo);
    if (!(head & NVW_MARKER))
        return cache == 0 ? nvw_write_back(test, state, head)
                          : nvw_write_on(test, state, cache - 1, head);
    if (cache != 0 && !nvw_faulty(test, MACH_FAULT_NOT_DRAINED))
        return nvw_push(test, state, 0, head);
    if (cache == 0 && nvw_under_way(test, state)[0] && !nvw_faulty(test, MACH_FAULT_NO_ACK))
        return false;
    acknowledge(test, state, head & (uint8_t)~NVW_MARKER);
    return true;
}

static bool evict(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    for (uint32_t unit = 0; cache == 0 && unit < test->config.units; unit++)
        if (nvw_line_has(test, state, 1 + unit, line, NVW_VALID))
            return false; /* the L2 is inclusive: copies above leave first */
    bool bypass = cache != 0 && nvw_faulty(test, MACH_FAULT_EVICT_BYPASS);
    uint8_t entries = nvw_fifo_of(test, state, 0)[0];
    if (cache == 0 ? !nvw_write_back(test, state, line)
                   : !nvw_write_on(test, state, cache - 1, line))
        return false;
    if (bypass && nvw_fifo_of(test, state, 0)[0] > entries)
        nvw_fifo_of(test, state, 0)[nvw_fifo_of(test, state, 0)[0]--] = 0;
    nvw_drop_line(test, state, cache, line);
    return true;
}

static bool nvw_perform(struct mach_test *test, uint8_t *state, struct mach_step step)
{
    switch ((enum nvw_step)step.kind) {
    case NVW_RUN: return run(test, state, step.thread);
    case NVW_MARK: return append_markers(test, state, step.thread);
    case NVW_L1_DEQUEUE:
    case NVW_L1_MARKER: return dequeue(test, state, 1 + step.unit);
    case NVW_L2_DEQUEUE:
    case NVW_L2_MARKER: return dequeue(test, state, 0);
    case NVW_ACK: return nvw_complete(test, state, step.line);
    case NVW_L1_EVICT: return evict(test, state, 1 + step.unit, step.line);
    case NVW_L2_EVICT: return evict(test, state, 0, step.line);
    }
    BASE_UNREACHABLE("a step of the machine");
}

/* Is this the first of those waiting at a persist barrier to which all have come? */
static bool leads(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (mach_status(test, state, thread) != MACH_WAITING || instr->op != LIT_PBARRIER ||
        !(nvw_faulty(test, MACH_FAULT_NO_WAIT) || mach_all_wait(test, state, thread)))
        return false;
    for (uint32_t u = 0; u < thread; u++)
        if (mach_is_member(test, thread, u, instr->scope) &&
            mach_status(test, state, u) == MACH_WAITING)
            return false;
    return true;
}

static uint32_t thread_steps(const struct mach_test *test, const uint8_t *state,
                             struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        enum mach_status status = mach_status(test, state, t);
        if (status == MACH_RUNNING)
            steps[count++] = (struct mach_step){.kind = NVW_RUN, .thread = (uint8_t)t};
        else if (leads(test, state, t))
            steps[count++] = (struct mach_step){.kind = NVW_MARK, .thread = (uint8_t)t};
    }
    return count;
}

static uint32_t fifo_steps(const struct mach_test *test, uint8_t *state, struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t cache = 0; cache <= test->config.units; cache++) {
        const uint8_t *fifo = nvw_fifo_of(test, state, cache);
        uint8_t unit = (uint8_t)(cache ? cache - 1 : 0);
        if (fifo[0] == 0)
            continue;
        if (fifo[1] & NVW_MARKER)
            steps[count++] =
                (struct mach_step){.kind = cache ? NVW_L1_MARKER : NVW_L2_MARKER, .unit = unit};
        else if (nvw_has_marker(fifo) || fifo[0] == nvw_fifo_size(test, cache))
            steps[count++] =
                (struct mach_step){.kind = cache ? NVW_L1_DEQUEUE : NVW_L2_DEQUEUE, .unit = unit};
    }
    for (uint32_t i = 0; i < nvw_under_way(test, state)[0]; i++)
        steps[count++] = (struct mach_step){.kind = NVW_ACK, .line = (uint8_t)i};
    return count;
}

static uint32_t evictions(const struct mach_test *test, uint8_t *state, struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t cache = 0; cache <= test->config.units; cache++)
        for (uint32_t line = 0; line < test->line_count; line++)
            if ((test->config.evict || nvw_is_full(test, state, cache)) &&
                nvw_line_has(test, state, cache, line, NVW_VALID))
                steps[count++] = (struct mach_step){.kind = cache ? NVW_L1_EVICT : NVW_L2_EVICT,
                                                    .unit = (uint8_t)(cache ? cache - 1 : 0),
                                                    .line = (uint8_t)line};
    return count;
}

static uint32_t nvw_enabled(struct mach_test *test, const uint8_t *state, struct mach_step *steps)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)state; /* the accessors serve both uses */
    uint32_t count = thread_steps(test, state, steps);
    count += fifo_steps(test, bytes, steps + count);
    count += evictions(test, bytes, steps + count);
    BASE_CHECK(count <= MACH_MAX_STEPS);
    return count;
}

static uint8_t nvw_memory(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    return nvw_memory_of(test, (uint8_t *)(uintptr_t)state)[location];
}

static bool nvw_quiet(const struct mach_test *test, const uint8_t *state)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)state;
    for (uint32_t cache = 0; cache <= test->config.units; cache++)
        for (uint32_t line = 0; line < test->line_count; line++)
            if (nvw_line_has(test, bytes, cache, line, NVW_DIRTY))
                return false;
    return nvw_under_way(test, bytes)[0] == 0;
}

static void nvw_print(const struct mach_test *test, struct mach_step step, struct strbuf *out)
{
    static const char *const texts[] = {
#define X(name, text) text,
        NVW_STEPS(X)
#undef X
    };
    if (step.kind == NVW_RUN || step.kind == NVW_MARK)
        strbuf_printf(out, "%s %s", test->program->threads[step.thread].name, texts[step.kind]);
    else
        strbuf_printf(out, "%s (unit %u, line %u)", texts[step.kind], step.unit, step.line);
}

const struct machine mach_nvw_fifo = {
    .name = "nvw-fifo",
    .description = "NVW-FIFOs beside each cache (SPB section 6.1)",
    .visibility = "hrf-direct",
    .persistency = "epoch",
    .size = nvw_size,
    .start = nvw_start,
    .enabled = nvw_enabled,
    .perform = nvw_perform,
    .memory = nvw_memory,
    .quiet = nvw_quiet,
    .print = nvw_print,
    .view = nvw_view,
    .tell = nvw_tell,
};
