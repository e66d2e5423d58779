/* Rules, each with its reason: why the machine gets from s to N(s), or cannot tell them apart, and
 * why N(s) simulates s (mach_reduce.h).
 *
 * A step of s that N(s) need not take any more is matched by no step. Any other is matched by the
 * same step; or, where a FIFO moves a line on that N(s) has no entry of, by the eviction of that
 * line.
 *
 * "May" refers to unfinished work-items from where they stand, over all paths (mach_outlook), so
 * that what may not happen now never may. */
#include "base/bits.h"
#include "machine/mach_instr.h"
#include "fifo/nvw_sight.h"

#include <string.h>

static bool is_dirty_below(const struct nvw_sight *s, uint32_t line)
{
    return mach_is_dirty(s->test, s->state, MACH_L2, line);
}

/* ---- Copies ---- */

static void drop_copy(struct nvw_sight *s, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    nvw_drop_copy(s->test, s->state, unit, line);
    s->valid[line] &= (uint8_t)~nvw_unit_bit(unit);
    s->dirty[line] &= (uint8_t)~nvw_unit_bit(unit);
}

/* Has an L1 a copy that is older than what is below? It shows to those who may still read it there,
 * also when no other unit accesses the line any more. */
static bool has_older(const struct nvw_sight *s, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    bool some = false;
    BITS_EACH_IN_WORD (unit, s->valid[line] & s->readers[line])
        some |= !nvw_is_current(s, unit, line);
    return some;
}

/* A clean copy in an L1 is evicted. It served none but a read of older data than is below: there is
 * no such read when no work-item of the unit may read the line, nor when the copy is what is below
 * and stays so, as no other unit may write the line and no L1 has it dirty. It kept the L2 from
 * evicting the line, which the machine could have done after this eviction. The room that it leaves
 * was its own: to be fetched again, the line finds it. */
static void drop_copies(struct nvw_sight *s, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    for (uint32_t unit = 0; unit < s->units; unit++) {
        uint8_t bit = nvw_unit_bit(unit), others = (uint8_t)~bit;
        if (!(s->valid[line] & bit) || s->dirty[line] & bit)
            continue;
        bool unread = !(s->readers[line] & bit);
        bool stays = !(s->writers[line] & others) && !s->dirty[line];
        if (unread || (stays && nvw_is_current(s, unit, line)))
            drop_copy(s, unit, line);
    }
}

/* ---- Volatile lines ---- */

static void drop_below(struct nvw_sight *s, uint32_t line)
{
    cache_drop(s->test, s->state, MACH_L2, line);
}

static void forget_line(struct nvw_sight *s, uint32_t line)
{
    for (uint32_t unit = 0; unit < s->units; unit++)
        drop_copy(s, unit, line);
    drop_below(s, line);
    memset(mach_memory_of(s->test, s->state, line), 0, s->test->config.line_words);
}

static bool is_observed(const struct nvw_sight *s, uint32_t line)
{
    bool observed = false;
    BITS_EACH_IN_WORD (word, mach_words_of(s->test, line))
        observed |= mach_is_observed(s->test, mach_location_at(s->test, line, word));
    return observed;
}

/* Where volatile data is shows only to those who read another place. A line that nobody may read
 * and no condition names shows nowhere. All work-items reach DRAM through the L2, so these two are
 * one memory. So is an L1 with them when no other unit may read or write the line or has it dirty:
 * its dirty words are written on, evicted and written back at once, unless it has others that are
 * older than what is below. A release then has less to wait for. */
static void settle_volatile(struct nvw_sight *s, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    if (!s->roomy)
        return;
    if (!s->readers[line] && !is_observed(s, line)) {
        forget_line(s, line);
        return;
    }
    cache_write_back(s->test, s->state, MACH_L2, line);
    drop_below(s, line);
    for (uint32_t unit = 0; unit < s->units && !has_older(s, line); unit++)
        if (s->dirty[line] == nvw_unit_bit(unit) &&
            !((s->readers[line] | s->writers[line]) & ~nvw_unit_bit(unit))) {
            cache_write_back(s->test, s->state, 1 + unit, line);
            drop_copy(s, unit, line);
        }
}

/* ---- FIFOs ---- */

/* An entry whose line is clean and stays so has no effect: nobody may write the line in this
 * cache, or, of the L2, in any, and no L1 has it dirty. */
static bool is_spent(const struct nvw_sight *s, uint32_t cache, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    if (cache == 0)
        return !is_dirty_below(s, line) && !s->dirty[line] && !s->writers[line];
    return !((s->dirty[line] | s->writers[line]) & nvw_unit_bit(cache - 1));
}

/* May a marker still come into a cache's FIFO? */
static bool marker_comes(const struct nvw_sight *s, uint32_t cache)
{
    if (s->wide)
        return true;
    if (cache != 0)
        return s->narrow & nvw_unit_bit(cache - 1);
    for (uint32_t unit = 0; unit < s->units; unit++)
        if (nvw_has_marker(nvw_fifo_of(s->test, s->state, 1 + unit)))
            return true;
    return s->narrow != 0;
}

/* Entries count only before a marker. Those that are spent go, and those that no marker stands
 * behind, or may come to. The FIFO is shorter then, which shows when it would have been full: so it
 * must not be able to fill. If it is, a spent head with a marker behind it is flushed, the step
 * that the machine takes. */
static void clear_fifo(struct nvw_sight *s, uint32_t cache)
{
    uint8_t *fifo = nvw_fifo_of(s->test, s->state, cache);
    bool is_last = !marker_comes(s, cache);
    if (cache == 0 ? !nvw_l2_is_long(s) : !nvw_l1_is_long(s, cache - 1)) {
        while (fifo[0] > 1 && !(fifo[1] & NVW_MARKER) && nvw_has_marker(fifo) &&
               is_spent(s, cache, fifo[1]))
            nvw_pop(fifo);
        return;
    }
    for (uint32_t i = fifo[0]; i-- > 0;) {
        is_last &= !(fifo[1 + i] & NVW_MARKER);
        if (!(fifo[1 + i] & NVW_MARKER) && (is_last || is_spent(s, cache, fifo[1 + i])))
            nvw_remove_at(fifo, i);
    }
}

/* Of the L2's FIFO what no marker stands between is in the order of lines. Where any may be evicted
 * instead of flushed, as no L1 has it, and stays clean then, as nobody writes it again, the order
 * has no effect: its entry is spent and goes. */
static void sort_fifo(const struct nvw_sight *s)
{
    uint8_t *entries = nvw_fifo_of(s->test, s->state, MACH_L2) + 1;
    if (!nvw_l2_is_long(s))
        return;
    for (uint32_t i = 1; i < entries[-1]; i++)
        for (uint32_t k = i; k > 0 && entries[k] < entries[k - 1]; k--) {
            uint8_t line = entries[k], before = entries[k - 1];
            if ((line | before) & NVW_MARKER || s->valid[line] || s->valid[before] ||
                s->writers[line] || s->writers[before])
                break;
            entries[k] = before;
            entries[k - 1] = line;
        }
}

/* Is a marker before the line's first entry? */
static bool marker_is_ahead(const uint8_t *fifo, uint32_t line)
{
    for (uint32_t i = 0; i < fifo[0]; i++)
        if (fifo[1 + i] & NVW_MARKER)
            return true;
        else if (fifo[1 + i] == line)
            return false;
    return false;
}

/* Is a marker behind the line's first entry? */
static bool marker_is_behind(const uint8_t *fifo, uint32_t line)
{
    bool entered = false;
    for (uint32_t i = 0; i < fifo[0]; i++)
        if (fifo[1 + i] == line)
            entered = true;
        else if (entered && fifo[1 + i] & NVW_MARKER)
            return true;
    return false;
}

/* ---- Lines in NVRAM ---- */

static bool markers_elsewhere(const struct nvw_sight *s, uint32_t unit)
{
    for (uint32_t other = 0; other < s->units; other++)
        if (other != unit && nvw_has_marker(nvw_fifo_of(s->test, s->state, 1 + other)))
            return true;
    return s->narrow & ~nvw_unit_bit(unit);
}

/* May the L2 write back a version of the line that it has, while an L1 has one to be written over
 * it? It does not evict the line then, so that this takes a marker behind the line's entry. Markers
 * of the L1's own unit come after its version; so this is one that is there, or another unit's of
 * a wider barrier to come, as there are no markers_elsewhere. */
static bool may_part(const struct nvw_sight *s, uint32_t line)
{
    return is_dirty_below(s, line) &&
           (s->wide || marker_is_behind(nvw_fifo_of(s->test, s->state, 0), line));
}

/* A line of NVRAM is evicted from the L1, if no other unit may access it, and no word of it is
 * older than below: nobody sees where it is, nor, unless they may part, that it is written over a
 * version below. It enters the L2's FIFO earlier than it had to, so that markers that come there
 * later wait for it. These are markers of the own L1's FIFO, which stand behind the line's entry
 * there and wait for it anyway; those of wider barriers, which end with all of their markers, one
 * of them in that FIFO; and none of another unit's own barriers, as there is no such marker above
 * the L2, and none may come. A later write to the line makes it dirty above again, as without this
 * step. */
static void write_on_early(struct nvw_sight *s, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    BASE_ASSERT(unit < s->units);
    uint8_t others = (uint8_t)~nvw_unit_bit(unit);
    if (s->dirty[line] != nvw_unit_bit(unit) || s->valid[line] & others ||
        (s->readers[line] | s->writers[line]) & others || markers_elsewhere(s, unit) ||
        marker_is_ahead(nvw_fifo_of(s->test, s->state, 1 + unit), line) || may_part(s, line) ||
        has_older(s, line) || !nvw_l2_is_long(s))
        return;
    BASE_CHECK(nvw_write_on(s->test, s->state, unit, line));
    drop_copy(s, unit, line);
}

/* Can all that may be under way at once be so before the next marker is acknowledged, when nothing
 * is? Then no write completes for want of room. Counted are what is under way, what is dirty
 * anywhere, and what work-items may write before their next persist barrier, which they pass after
 * such an acknowledgement only. */
static bool way_is_long(const struct nvw_sight *s)
{
    uint32_t most = nvw_under_way(s->test, s->state)[0] + s->epoch_writes;
    for (uint32_t line = s->test->nv_line; line < s->lines; line++)
        most += is_dirty_below(s, line) + bits_count(s->dirty[line]);
    return most <= nvw_way_room(s->test);
}

/* A line of NVRAM is evicted from the L2, so that it is under way. Any marker that is acknowledged
 * later waits for it: those in the FIFO stand behind its entry, and so will those to come. From
 * there it can become durable at any time, as it could from the L2. It is the last of its versions:
 * no L1 has one, and nobody may write the line; else an older and a newer one might become durable
 * together. */
static void write_back_early(struct nvw_sight *s, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    if (!is_dirty_below(s, line) || s->valid[line] || s->writers[line] ||
        marker_is_ahead(nvw_fifo_of(s->test, s->state, 0), line) || !way_is_long(s))
        return;
    nvw_write_back(s->test, s->state, line);
    drop_below(s, line);
}

/* A clean word of the L2 is what a read of memory gives, so that it may as well not be there. In
 * caches with bounds this has to be the step of an eviction: of a whole line that no L1 has. */
static void drop_clean(struct nvw_sight *s, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    struct mach_line *l2 = mach_line(s->test, s->state, MACH_L2, line);
    if (!s->roomy && (s->valid[line] || l2->dirty))
        return;
    BITS_EACH_IN_WORD (word, l2->valid & ~(unsigned)l2->dirty)
        l2->words[word] = 0;
    l2->valid = l2->dirty;
}

/* Of a line that nobody asks for, as conditions alone count, and no other unit accesses, nobody
 * sees where it is, unless an L1 has an older copy: so it is durable at once. What stands in FIFOs
 * is spent. */
static void settle_unasked(struct nvw_sight *s, uint32_t line)
{
    BASE_ASSERT(line < s->lines);
    uint8_t users = s->readers[line] | s->writers[line] | s->valid[line];
    const uint8_t *way = nvw_under_way(s->test, s->state);
    if (!s->roomy || users & (users - 1) || !nvw_l2_is_long(s) || has_older(s, line))
        return;
    for (uint32_t unit = 0; unit < s->units; unit++)
        if (s->valid[line] & nvw_unit_bit(unit)) {
            BASE_CHECK(nvw_write_on(s->test, s->state, unit, line));
            drop_copy(s, unit, line);
        }
    if (way[0] == nvw_way_room(s->test))
        return;
    nvw_write_back(s->test, s->state, line);
    drop_below(s, line);
    for (uint32_t i = 0; i < way[0]; i++)
        if (*nvw_write_under_way(s->test, s->state, i) == line) {
            BASE_CHECK(nvw_complete(s->test, s->state, i));
            i = LIT_NONE; /* those behind move up */
        }
}

static void settle_nvm(struct nvw_sight *s, uint32_t line)
{
    if (!mach_is_watched_line(s->test, line))
        settle_unasked(s, line);
    for (uint32_t unit = 0; s->roomy && unit < s->units; unit++)
        write_on_early(s, unit, line);
    if (s->roomy)
        write_back_early(s, line);
}

/* By line; those to one line stay in order. Which is the oldest has no effect while there are not
 * too many. */
static void sort_way(const struct nvw_sight *s)
{
    uint32_t width = nvw_way_bytes(s->test);
    uint8_t *way = nvw_under_way(s->test, s->state), *entries = way + 1, entry[64];
    for (uint32_t i = 1; i < way[0]; i++) {
        uint32_t at = i;
        memcpy(entry, entries + i * width, width);
        for (; at > 0 && entries[(at - 1) * width] > entry[0]; at--)
            memcpy(entries + at * width, entries + (at - 1) * width, width);
        memcpy(entries + at * width, entry, width);
    }
}

static void settle(struct nvw_sight *s)
{
    for (uint32_t line = 0; line < s->lines; line++) {
        drop_copies(s, line);
        if (mach_is_nvm(s->test, line))
            settle_nvm(s, line);
        else
            settle_volatile(s, line);
        drop_clean(s, line);
    }
    for (uint32_t cache = 0; cache <= s->units; cache++)
        clear_fifo(s, cache);
    sort_fifo(s);
    if (way_is_long(s))
        sort_way(s);
}

/* ---- Steps ---- */

static bool is_narrow(const struct lit_instr *instr)
{
    return instr->order == LIT_ORDER_NA || instr->scope <= LIT_SCOPE_WG;
}

/* A read in the L1 of what nobody else may write, and of which no other L1 has a version, nor this
 * one an older copy: it gives the same whenever it is executed, and leaves a copy that drop_copies
 * drops. */
static bool is_settled_read(const struct nvw_sight *s, uint32_t thread)
{
    BASE_ASSERT(thread < s->test->program->thread_count);
    const struct lit_instr *instr = mach_instr(s->test, s->state, thread);
    uint32_t unit = s->test->unit_of[thread];
    if (!s->roomy || instr->op != LIT_LOAD || !is_narrow(instr) ||
        mach_outlook(s->test, s->state, thread)->on_cycle)
        return false;
    uint32_t line = s->test->line_of[mach_location(s->test, s->state, thread, instr)];
    return !mach_others_write(s->test, s->state, thread, line) &&
           !(s->dirty[line] & ~nvw_unit_bit(unit)) && nvw_is_current(s, unit, line);
}

static void perform(struct nvw_sight *s, enum nvw_step kind, uint32_t thread)
{
    struct mach_step step = {.kind = (uint8_t)kind, .thread = (uint8_t)thread};
    BASE_CHECK(s->test->machine->perform(s->test, s->state, step));
}

/* Of a work-group alone, and of what its work-items share. */
static bool is_narrow_meeting(const struct nvw_sight *s, uint32_t thread)
{
    return mach_instr(s->test, s->state, thread)->op == LIT_BARRIER &&
           !mach_meets_widely(s->test, s->state, thread);
}

/* A store in the L1 that only durability could tell of, to a line that is volatile or that nobody
 * asks for: settled at once, it leaves nothing behind but what is spent in a FIFO. */
static bool is_silent_store(const struct nvw_sight *s, uint32_t thread)
{
    BASE_ASSERT(thread < s->test->program->thread_count);
    const struct lit_instr *instr = mach_instr(s->test, s->state, thread);
    if (!s->roomy || !nvw_l1_is_long(s, s->test->unit_of[thread]) ||
        !mach_is_private_store(s->test, s->state, thread) || !is_narrow(instr))
        return false;
    uint32_t line = s->test->line_of[mach_location(s->test, s->state, thread, instr)];
    return !(s->valid[line] & ~nvw_unit_bit(s->test->unit_of[thread])) &&
           (!mach_is_nvm(s->test, line) || !mach_is_watched_line(s->test, line));
}

/* A persist barrier of a single work-item begins with its marker, which does not commute with
 * entries of the others. */
static bool run_silently(struct nvw_sight *s, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(s->test, s->state, thread);
    if (mach_status(s->test, s->state, thread) != MACH_RUNNING || mach_is_shown(s->test, thread) ||
        (instr->op == LIT_PBARRIER && instr->scope == LIT_SCOPE_WI))
        return false;
    uint32_t silence = is_narrow_meeting(s, thread) ? MACH_SILENT_MEETINGS : 0;
    if (!mach_is_silent(s->test, s->state, thread, silence | MACH_SILENT_ARRIVALS) &&
        !is_settled_read(s, thread) && !is_silent_store(s, thread))
        return false;
    perform(s, lit_instruction_meets(instr->op) ? NVW_ARRIVE : NVW_RUN, thread);
    return true;
}

/* A marker at the L2's head with nothing under way is acknowledged, and an acknowledgement that has
 * come to the compute unit is heard, where no crash shows whom it lets go on. Work-items may go on
 * then, and need not; what is behind the marker moves up. Neither takes a step from anybody. That
 * ends: for each there was a marker before. */
static bool acknowledge_silently(struct nvw_sight *s)
{
    const uint8_t *fifo = nvw_fifo_of(s->test, s->state, 0);
    if (fifo[0] > 0 && fifo[1] & NVW_MARKER && nvw_under_way(s->test, s->state)[0] == 0) {
        perform(s, NVW_L2_MARKER, 0);
        return true;
    }
    for (uint32_t t = 0; !mach_shows_any(s->test) && t < s->test->program->thread_count; t++)
        if (nvw_stalls(s->test, s->state)[2 * t + 1] == NVW_ACKNOWLEDGED) {
            perform(s, NVW_UNSTALL, t);
            return true;
        }
    return false;
}

void nvw_reduce(struct mach_test *test, uint8_t *state)
{
    struct nvw_sight s;
    bool again = true;
    if (!cache_may_reduce(test))
        return;
    while (again) {
        nvw_see(&s, test, state);
        settle(&s);
        again = acknowledge_silently(&s) || nvw_run_apart(&s);
        for (uint32_t t = 0; !again && t < test->program->thread_count; t++)
            again = run_silently(&s, t);
    }
    mach_forget_registers(test, state);
}
