/* Visibility is that of volatile caches, as on nvw-fifo; persist barriers have no part in it. What
 * they order is in the tags (bpfs_state.h). A block leaves for NVRAM when it waits for no other
 * one, so "first evict what must persist before it" is a run of such steps.
 *
 * Only evictions that somebody can notice are steps. A clean line of an L1 leaves when a work-item
 * is about to read it there: any time before, the read would find the same. A line of DRAM, or a
 * clean one, leaves the L2 only for want of room: it would come back the same. */
#include "fifo/bpfs.h"

#include "fifo/bpfs_state.h"
#include "machine/mach_instr.h"
#include "machine/mach_reduce.h"

#include <string.h>

/* ---- Accesses ---- */

/* What a wide release promises is written on before it performs. */
static bool release(const struct mach_test *test, uint8_t *state, uint32_t unit,
                    const struct lit_instr *instr)
{
    return instr->op == LIT_LOAD || !mach_releases(instr->order) ||
           mach_has_fault(test, MACH_FAULT_CLEAN_RELEASE) || bpfs_write_all_on(test, state, unit);
}

/* A wide acquire forgets what it must not find. */
static bool acquire(const struct mach_test *test, uint8_t *state, uint32_t unit,
                    enum lit_order order)
{
    return !mach_acquires(order) || mach_has_fault(test, MACH_FAULT_NO_INVALIDATE) ||
           bpfs_invalidate(test, state, unit);
}

/* A wider access performs in the L2. */
static bool access(struct mach_test *test, uint8_t *state, uint32_t thread,
                   const struct lit_instr *instr)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint32_t location = mach_location(test, state, thread, instr), unit = test->unit_of[thread];
    bool wide = mach_is_wide(instr), reads = lit_instruction_reads(instr->op);
    uint32_t cache = wide ? MACH_L2 : 1 + unit;
    uint8_t old = 0, number;
    if (wide && (!release(test, state, unit, instr) ||
                 !bpfs_drop(test, state, unit, test->line_of[location])))
        return false;
    if (reads && !bpfs_read(test, state, thread, cache, location))
        return false;
    if (reads)
        old = mach_in_cache(test, state, cache, location);
    bool writes = mach_access(test, state, thread, instr, location, old, &number);
    if (wide && reads && !acquire(test, state, unit, mach_order_of(instr, writes)))
        return false;
    return !writes || bpfs_write(test, state, thread, cache, location, number);
}

static bool fence(const struct mach_test *test, uint8_t *state, uint32_t unit,
                  const struct lit_instr *instr)
{
    return !mach_is_wide(instr) ||
           (release(test, state, unit, instr) && acquire(test, state, unit, instr->order));
}

/* ---- Barriers ---- */

static bpfs_blocks of_scope(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                            enum lit_scope scope, enum bpfs_order which)
{
    bpfs_blocks set = 0;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_is_member(test, thread, u, scope))
            set |= bpfs_order_of(test, state, u, which);
    return set;
}

/* SPB section 5, definitions (1) to (3): what the scope did comes before what it will do. An
 * execution barrier is itself an event after what earlier persist barriers ordered, the
 * same one for all who meet. */
static void take_effect(const struct mach_test *test, uint8_t *state, uint32_t thread,
                        const struct lit_instr *instr)
{
    bool persist = instr->op == LIT_PBARRIER;
    enum lit_scope scope = instr->exec_scope;
    enum bpfs_order from = persist ? BPFS_PAST : BPFS_BEFORE,
                    to = persist ? BPFS_BEFORE : BPFS_PAST;
    bpfs_blocks set = of_scope(test, state, thread, scope, from);
    if (persist && mach_has_fault(test, MACH_FAULT_SAME_IDENTIFIER))
        return;
    for (uint32_t u = 0; u < test->program->thread_count; u++) {
        if (!mach_is_member(test, thread, u, scope))
            continue;
        if (persist && mach_has_fault(test, MACH_FAULT_SCOPE_IGNORED))
            set = bpfs_order_of(test, state, u, from);
        bpfs_set_order(test, state, u, to, bpfs_order_of(test, state, u, to) | set);
    }
}

static bool meet(struct mach_test *test, uint8_t *state, uint32_t thread,
                 const struct lit_instr *instr)
{
    mach_set_status(test, state, thread, MACH_WAITING);
    if (!mach_all_wait(test, state, thread))
        return true;
    if (instr->op == LIT_BARRIER && !cache_hand_over(test, state, thread, bpfs_invalidate))
        return false;
    take_effect(test, state, thread, instr);
    mach_leave(test, state, thread);
    return true;
}

static bool pass(struct mach_test *test, uint8_t *state, uint32_t thread,
                 const struct lit_instr *instr)
{
    take_effect(test, state, thread, instr);
    mach_go_on(test, state, thread);
    return true;
}

/* ---- Steps ---- */

/* Does a persist barrier wait for its scope to arrive? */
static bool waits(const struct mach_test *test)
{
    return test->machine->persists_meet && !mach_has_fault(test, MACH_FAULT_NO_WAIT);
}

static bool run_instruction(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct lit_instr *instr = mach_instr(test, state, thread);
    bool done = true;
    if (instr->op == LIT_BARRIER || (instr->op == LIT_PBARRIER && waits(test)))
        return meet(test, state, thread, instr);
    if (instr->op == LIT_PBARRIER)
        return pass(test, state, thread, instr);
    if (instr->op == LIT_FENCE)
        done = fence(test, state, test->unit_of[thread], instr);
    else if (lit_instruction_accesses(instr->op))
        done = access(test, state, thread, instr);
    if (done)
        mach_go_on(test, state, thread);
    return done;
}

/* What is before a work-item that does nothing more is no part of the state; nor is what it did
 * where barriers wait, as none is left that it takes part in. */
static void forget(const struct mach_test *test, uint8_t *state)
{
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (mach_status(test, state, t) == MACH_DONE) {
            bpfs_set_order(test, state, t, BPFS_BEFORE, 0);
            if (waits(test))
                bpfs_set_order(test, state, t, BPFS_PAST, 0);
        }
}

static bool bpfs_perform(struct mach_test *test, uint8_t *state, struct mach_step step)
{
    switch ((enum bpfs_step)step.kind) {
    case BPFS_RUN:
        if (!run_instruction(test, state, step.thread))
            return false;
        forget(test, state);
        return true;
    case BPFS_WRITE_ON: return bpfs_write_on(test, state, step.unit, step.line);
    case BPFS_DROP: return bpfs_drop(test, state, step.unit, step.line);
    case BPFS_PERSIST: bpfs_persist(test, state, step.line); return true;
    case BPFS_LEAVE: bpfs_leave(test, state, step.line); return true;
    }
    BASE_UNREACHABLE("a step of the machine");
}

/* ---- What may happen ---- */

/* Has a work-item to wait until something leaves a cache, or has all ended? */
static bool is_held_up(struct mach_test *test, const uint8_t *state)
{
    uint8_t next[MACH_MAX_STATE];
    bool ended = true;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        ended &= mach_status(test, state, t) == MACH_DONE;
        if (mach_status(test, state, t) != MACH_RUNNING)
            continue;
        memcpy(next, state, test->size);
        if (!run_instruction(test, next, t))
            return true;
    }
    return ended;
}

/* Is some work-item of the unit about to read the line in its L1? */
static bool is_wanted(struct mach_test *test, const uint8_t *state, uint32_t unit, uint32_t line)
{
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        const struct lit_instr *instr = mach_instr(test, state, t);
        if (test->unit_of[t] == unit && instr && lit_instruction_reads(instr->op) &&
            !mach_is_wide(instr) && test->line_of[mach_location(test, state, t, instr)] == line)
            return true;
    }
    return false;
}

/* Any line may leave a cache that is full, and any an L1 while the L2 is full, which cannot lose a
 * line before them. `may` is what may leave else. */
static uint32_t l1_steps(struct mach_test *test, const uint8_t *state, uint32_t unit, bool full,
                         uint32_t may, struct mach_step *steps)
{
    BASE_ASSERT(unit < test->config.units);
    uint32_t count = 0;
    full |= mach_is_full(test, state, 1 + unit);
    for (uint32_t line = 0; line < test->line_count; line++) {
        struct mach_step step = {.unit = (uint8_t)unit, .line = (uint8_t)line};
        if (!mach_is_cached(test, state, 1 + unit, line))
            continue;
        if (mach_is_dirty(test, state, 1 + unit, line))
            step.kind = full || may & MACH_EVICT_DIRTY ? BPFS_WRITE_ON : BPFS_RUN;
        else if (full || (may & MACH_EVICT_CLEAN && is_wanted(test, state, unit, line)))
            step.kind = BPFS_DROP;
        if (step.kind != BPFS_RUN)
            steps[count++] = step;
    }
    return count;
}

static uint32_t l2_steps(const struct mach_test *test, const uint8_t *state, bool full,
                         uint32_t may, struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t line = 0; line < test->line_count; line++) {
        if ((full || may & MACH_EVICT_DIRTY) && bpfs_may_persist(test, state, line))
            steps[count++] = (struct mach_step){.kind = BPFS_PERSIST, .line = (uint8_t)line};
        if (full && bpfs_may_leave(test, state, line))
            steps[count++] = (struct mach_step){.kind = BPFS_LEAVE, .line = (uint8_t)line};
    }
    return count;
}

static uint32_t evictions(struct mach_test *test, const uint8_t *state, struct mach_step *steps)
{
    uint32_t l1 = test->config.evict_l1, l2 = test->config.evict_l2, count = 0;
    bool full = mach_is_full(test, state, MACH_L2);
    if ((l1 & l2) != MACH_EVICT_ANY && is_held_up(test, state))
        l1 = l2 = MACH_EVICT_ANY;
    for (uint32_t unit = 0; unit < test->used_units; unit++)
        count += l1_steps(test, state, unit, full, l1, steps + count);
    return count + l2_steps(test, state, full, l2, steps + count);
}

static uint32_t bpfs_enabled(struct mach_test *test, const uint8_t *state, struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (mach_status(test, state, t) == MACH_RUNNING)
            steps[count++] = (struct mach_step){.kind = BPFS_RUN, .thread = (uint8_t)t};
    count += evictions(test, state, steps + count);
    BASE_CHECK(count <= MACH_MAX_STEPS);
    return count;
}

/* ---- Normal forms ---- */

/* Tags only hold back: of two states, alike but for that in one of them a line of NVRAM that no
 * crash is asked about is durable, and in no set, where it is dirty in the other, the first
 * simulates the second. All its sets are parts of the other's, so nothing waits for more, and in no
 * cache does anybody find another value. */

/* Persist barriers that wait for nobody put what the work-item has done before what it will do. It
 * alone adds to that, and what becomes durable meanwhile leaves both sets. */
static bool is_silent_barrier(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    return mach_status(test, state, thread) == MACH_RUNNING && instr->op == LIT_PBARRIER &&
           mach_is_alone(test, thread, instr->exec_scope) && !mach_is_shown(test, thread) &&
           !mach_outlook(test, state, thread)->on_cycle;
}

/* Does no other unit access the line any more, and none has it in its L1? */
static bool is_of_unit(const struct mach_test *test, const uint8_t *state, uint32_t unit,
                       uint32_t line)
{
    for (uint32_t u = 0; u < test->used_units; u++)
        if (u != unit && mach_is_cached(test, state, 1 + u, line))
            return false;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        const struct mach_outlook *o = mach_outlook(test, state, t);
        if (test->unit_of[t] != unit &&
            (mach_has_line(&o->reads, line) || mach_has_line(&o->writes, line)))
            return false;
    }
    return true;
}

/* From an L1 to NVRAM, all the way: part of it is not as good, as what is written next joins the
 * content of one cache. */
static bool write_through(const struct mach_test *test, uint8_t *state, uint32_t unit,
                          uint32_t line)
{
    BASE_ASSERT(unit < test->config.units);
    uint8_t next[MACH_MAX_STATE];
    if (!mach_is_dirty(test, state, 1 + unit, line) || !is_of_unit(test, state, unit, line))
        return false;
    memcpy(next, state, test->size);
    if (!bpfs_write_on(test, next, unit, line) || !bpfs_may_persist(test, next, line))
        return false;
    bpfs_persist(test, next, line);
    memcpy(state, next, test->size);
    return true;
}

static bool is_unasked(const struct mach_test *test, uint32_t line)
{
    return mach_is_nvm(test, line) && !mach_is_watched_line(test, line);
}

static bool persist_unasked(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    bool any = bpfs_may_persist(test, state, line);
    if (any)
        bpfs_persist(test, state, line);
    for (uint32_t unit = 0; unit < test->used_units; unit++)
        any |= write_through(test, state, unit, line);
    return any;
}

/* A store to a line that nobody asks for, nor else accesses, which can become durable at once: it
 * leaves no trace in any set. */
static bool store_through(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint8_t next[MACH_MAX_STATE];
    const struct lit_instr *instr = mach_instr(test, state, thread);
    uint32_t unit = test->unit_of[thread];
    if (test->config.l1_lines || test->config.l2_lines ||
        !mach_is_private_store(test, state, thread) || mach_is_wide(instr))
        return false;
    uint32_t line = test->line_of[mach_location(test, state, thread, instr)];
    if (!is_unasked(test, line))
        return false;
    memcpy(next, state, test->size);
    if (!run_instruction(test, next, thread))
        return false;
    forget(test, next);
    persist_unasked(test, next, line);
    if (mach_is_dirty(test, next, 1 + unit, line) || mach_is_dirty(test, next, MACH_L2, line))
        return false;
    memcpy(state, next, test->size);
    return true;
}

/* The last arrival at other barriers is not silent, as tags change with it. */
static bool run_silently(struct mach_test *test, uint8_t *state)
{
    bool any =
        mach_run_silently(test, state, test->machine->persists_meet ? MACH_WAITING_PERSISTS : 0);
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (is_silent_barrier(test, state, t)) {
            BASE_CHECK(bpfs_perform(test, state, (struct mach_step){.thread = (uint8_t)t}));
            any = true;
        } else if (store_through(test, state, t)) {
            any = true;
        }
    for (uint32_t line = test->nv_line; line < test->line_count; line++)
        any |= is_unasked(test, line) && persist_unasked(test, state, line);
    return any;
}

static void bpfs_reduce(struct mach_test *test, uint8_t *state)
{
    if (!cache_may_reduce(test))
        return;
    while (run_silently(test, state))
        ;
    mach_forget_registers(test, state);
}

/* Of DRAM what everybody would read: the L2's. */
static uint8_t bpfs_memory(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return !test->program->locations[location].nvm && mach_has_word(test, state, MACH_L2, location)
               ? mach_in_cache(test, state, MACH_L2, location)
               : mach_in_memory(test, state, location);
}

static bool bpfs_quiet(const struct mach_test *test, const uint8_t *state)
{
    for (uint32_t cache = MACH_L2; cache < test->caches.count; cache++)
        for (uint32_t line = cache == MACH_L2 ? test->nv_line : 0; line < test->line_count; line++)
            if (mach_is_dirty(test, state, cache, line))
                return false;
    return true;
}

/* Those of tags, and of what it has in common with nvw-fifo. */
#define X(identifier) UINT64_C(1) << MACH_FAULT_##identifier
enum {
    FAULTS =
        (0 BPFS_FAULTS(MACH_FAULT_BIT)) | X(NO_INVALIDATE) | X(CLEAN_RELEASE) | X(BARRIER_KEEPS),
    FAULTS_OF_WAITING = X(NO_WAIT)
};
#undef X

/* clang-format off */
#define OPERATIONS                                                                           \
    .size = bpfs_size, .start = bpfs_start, .enabled = bpfs_enabled, .perform = bpfs_perform, \
    .reduce = bpfs_reduce, .describe = bpfs_describe, .memory = bpfs_memory,                  \
    .quiet = bpfs_quiet, .view = bpfs_view, .tell = bpfs_tell
/* clang-format on */

const struct machine bpfs = {
    .name = "bpfs",
    .description = "blocks tagged with persist barriers, which wait for arrival (SPB section 6.1)",
    .visibility = "hrf-direct",
    .persistency = "buffered-epoch",
    .faults = FAULTS | FAULTS_OF_WAITING,
    .persists_meet = true,
    OPERATIONS};

const struct machine bpfs_no_wait = {
    .name = "bpfs-no-wait",
    .description = "blocks tagged with persist barriers, which nobody waits at (SPB section 6.1)",
    .visibility = "hrf-direct",
    .persistency = "buffered-epoch-individual",
    .faults = FAULTS,
    OPERATIONS};
