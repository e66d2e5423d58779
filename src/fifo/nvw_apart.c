/* Work-items that concern nobody else execute what they still have at once, and their markers never
 * come.
 *
 * Only a condition matters here, and it does not name what they may still write. No other work-item
 * accesses that, nor writes what they read, and they meet only their own kind. So they do the same
 * whatever the others do. The others can notice only their entries and markers in FIFOs.
 *
 * Nothing is added: whatever a crash shows after the others' steps, it shows if these work-items
 * stand still meanwhile; for a final state they run when all else is quiet. If crashes come only at
 * the end, they cannot stand still. Then their L1's FIFO and the L2's must be empty and nothing
 * under way, so that they are the next to run, and run alone.
 *
 * Nothing is lost. Every run to a crash or final state has a variant without their steps. A marker
 * of theirs that held others back is left out. Their markers, and their entries in a full FIFO,
 * moved on earlier entries. Such an entry of an L1 is evicted instead, and so is what was written
 * back from the L2. Every write that is durable in the end becomes durable as soon as it is under
 * way, which keeps the way as empty as possible. The remaining steps of these work-items are as in
 * the first run, if it ends in a final state, which does not tell what was durable when. If crashes
 * come only at the end, these steps come at once: the work-items are next, leave spent entries in
 * FIFOs, and end whatever they read, unless one faults or waits for one that never comes, and the
 * test is undefined. This needs three things:
 *   - Lines that may still come to a FIFO belong to one unit each, so that the copy that an
 *     eviction takes from an L1, and a FIFO does not, is also what is read below: lines of
 *     NVRAM, and volatile ones where an S-FIFO may fill.
 *   - The L2 and an L1 do not have a version of such a line each, as the L2 cannot evict its own
 *     then. If that happens later, the older version, if it is durable in the end, is evicted
 *     before the newer is stored. That it is durable earlier does not show, since a run is for
 *     one crash.
 *   - The other run's FIFOs never fill, and caches have no bounds. */
#include "base/bits.h"
#include "machine/mach_instr.h"
#include "fifo/nvw_sight.h"

static bool has_ended(const struct nvw_sight *s, uint32_t thread)
{
    enum mach_status status = mach_status(s->test, s->state, thread);
    return status == MACH_DONE || status == MACH_FAULTED;
}

/* Work-items that concern nobody else, with all whom they may meet. */
static uint64_t find_apart(const struct nvw_sight *s)
{
    uint32_t count = s->test->program->thread_count;
    uint64_t private = 0, apart = 0, ended = 0;
    for (uint32_t t = 0; t < count; t++) {
        ended |= (uint64_t)has_ended(s, t) << t;
        private |= (uint64_t)mach_is_private(s->test, s->state, t) << t;
    }
    for (uint32_t t = 0; t < count; t++)
        if (!mach_outlook(s->test, s->state, t)->meets ||
            !(s->test->members[t][LIT_SCOPE_WG] & ~(private | ended)))
            apart |= UINT64_C(1) << t;
    return apart & private & ~ended;
}

static bool moves_alike(const struct nvw_sight *s, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    const struct mach_line *l2 = mach_line(s->test, s->state, MACH_L2, line);
    uint8_t users = s->readers[line] | s->writers[line] | s->valid[line];
    if (users & (users - 1))
        return !s->writers[line] && !s->dirty[line] && !l2->dirty;
    return !(s->dirty[line] && l2->dirty && mach_is_nvm(s->test, line)) &&
           (!s->valid[line] || nvw_is_current(s, bits_lowest(s->valid[line]), line));
}

/* May the others do without what these do to FIFOs? */
static bool may_part(const struct nvw_sight *s, uint64_t apart)
{
    struct nvw_sight rest = *s;
    nvw_count(&rest, apart);
    bool may = rest.roomy && nvw_l2_is_long(&rest);
    for (uint32_t unit = 0; unit < s->units; unit++)
        may &= nvw_l1_is_long(&rest, unit);
    for (uint32_t line = s->roomy ? s->test->nv_line : 0; line < s->lines && may; line++)
        may = moves_alike(s, line);
    return may;
}

static bool is_next(const struct nvw_sight *s, uint32_t thread)
{
    BASE_ASSERT(thread < s->test->program->thread_count);
    uint32_t unit = s->test->unit_of[thread];
    return nvw_fifo_of(s->test, s->state, 1 + unit)[0] == 0 &&
           nvw_fifo_of(s->test, s->state, MACH_L2)[0] == 0 &&
           nvw_under_way(s->test, s->state)[0] == 0;
}

static bool is_under_way(const struct nvw_sight *s, uint32_t line)
{
    return ANY(i, nvw_under_way(s->test, s->state)[0],
               *nvw_write_under_way(s->test, s->state, i) == line);
}

/* Of a line that memory alone has. */
static bool access_memory(const struct nvw_sight *s, uint32_t thread, const struct lit_instr *instr)
{
    uint32_t location = mach_location(s->test, s->state, thread, instr);
    uint32_t line = s->test->line_of[location];
    uint8_t *word = &mach_memory_of(s->test, s->state, line)[s->test->word_of[location]], number;
    if (s->valid[line] || mach_is_cached(s->test, s->state, MACH_L2, line) || is_under_way(s, line))
        return false;
    if (mach_access(s->test, s->state, thread, instr, location, *word, &number))
        *word = number;
    return true;
}

/* Returns whether it did something. */
static bool run_instruction(const struct nvw_sight *s, uint32_t thread)
{
    enum mach_status status = mach_status(s->test, s->state, thread);
    const struct lit_instr *instr = mach_instr(s->test, s->state, thread);
    bool meets = instr && lit_instruction_meets(instr->op) && instr->exec_scope != LIT_SCOPE_WI;
    if (status == MACH_RUNNING && meets)
        mach_set_status(s->test, s->state, thread, MACH_WAITING);
    else if (status == MACH_RUNNING &&
             (!lit_instruction_accesses(instr->op) || access_memory(s, thread, instr)))
        mach_go_on(s->test, s->state, thread);
    else if (status == MACH_WAITING && mach_all_wait(s->test, s->state, thread))
        mach_leave(s->test, s->state, thread);
    else
        return false;
    return true;
}

bool nvw_run_apart(struct nvw_sight *s)
{
    bool any = false;
    uint64_t apart = mach_watches_some(s->test) ? find_apart(s) : 0;
    if (!apart || !may_part(s, apart))
        return false;
    for (uint32_t t = 0; t < s->test->program->thread_count; t++)
        while (apart >> t & 1 && (!mach_watches_ends(s->test) || is_next(s, t)) &&
               run_instruction(s, t))
            any = true;
    return any;
}
