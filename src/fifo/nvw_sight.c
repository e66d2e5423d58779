#include "fifo/nvw_sight.h"

#include "base/bits.h"
#include "machine/mach_instr.h"

#include <string.h>

/* Does the work-item write nothing before a marker is acknowledged? It does when the
 * acknowledgement of its own is on the way. */
static bool is_stalled(const struct nvw_sight *s, uint32_t thread)
{
    BASE_ASSERT(thread < s->test->program->thread_count);
    const uint8_t *stalls = nvw_stalls(s->test, s->state);
    return mach_status(s->test, s->state, thread) == MACH_STALLED &&
           stalls[2 * (stalls[2 * thread] - 1) + 1] != NVW_ACKNOWLEDGED;
}

/* Most markers that it may still lead. All of a work-group come to one that is its own or wider: so
 * these are as many as each of them may execute, and are counted with the first. */
static uint32_t markers_of(const struct nvw_sight *s, uint32_t thread)
{
    const struct mach_outlook *o = mach_outlook(s->test, s->state, thread);
    uint32_t least = o->shared;
    for (uint32_t u = 0; u < s->test->program->thread_count; u++) {
        uint32_t its = mach_outlook(s->test, s->state, u)->shared;
        if (mach_is_member(s->test, thread, u, LIT_SCOPE_WG))
            least = u < thread ? 0 : its < least ? its : least;
    }
    return o->lone + least;
}

static void see_threads(struct nvw_sight *s)
{
    for (uint32_t t = 0; t < s->test->program->thread_count; t++) {
        const struct mach_outlook *o = mach_outlook(s->test, s->state, t);
        uint32_t unit = s->test->unit_of[t];
        for (uint32_t line = 0; line < s->lines; line++) {
            s->readers[line] |= mach_has_line(&o->reads, line) ? nvw_unit_bit(unit) : 0;
            s->writers[line] |= mach_has_line(&o->writes, line) ? nvw_unit_bit(unit) : 0;
        }
        s->narrow |= o->narrow_persists ? nvw_unit_bit(unit) : 0;
        s->wide |= o->wide_persists;
    }
}

/* No more lines than an S-FIFO has room for are dirty in its L1, or may be. */
static bool has_room(const struct nvw_sight *s, const struct mach_lines *writes)
{
    bool fits = s->test->config.l1_lines == 0 && s->test->config.l2_lines == 0;
    for (uint32_t unit = 0; unit < s->units; unit++) {
        uint32_t most = 0;
        for (uint32_t line = 0; line < s->lines; line++)
            most += mach_has_line(&writes[unit], line) || s->dirty[line] & nvw_unit_bit(unit);
        fits &= most <= nvw_sfifo_size(s->test);
    }
    return fits;
}

void nvw_count(struct nvw_sight *s, uint64_t without)
{
    struct mach_lines writes[MACH_MAX_UNITS] = {0};
    memset(s->nv_writes, 0, sizeof s->nv_writes);
    memset(s->markers, 0, sizeof s->markers);
    s->epoch_writes = 0;
    for (uint32_t t = 0; t < s->test->program->thread_count; t++) {
        const struct mach_outlook *o = mach_outlook(s->test, s->state, t);
        uint32_t own = s->test->unit_of[t];
        if (without >> t & 1)
            continue;
        s->nv_writes[own] += o->nv_writes;
        mach_join_lines(&writes[own], &o->writes);
        for (uint32_t unit = 0; unit < s->units; unit++)
            if (unit == own || o->wide_persists)
                s->markers[unit] += markers_of(s, t);
        if (!is_stalled(s, t))
            s->epoch_writes += o->epoch_writes;
    }
    s->roomy = has_room(s, writes);
}

static void see_caches(struct nvw_sight *s)
{
    for (uint32_t unit = 0; unit < s->units; unit++)
        for (uint32_t line = 0; line < s->lines; line++) {
            const struct mach_line *l1 = mach_line(s->test, s->state, 1 + unit, line);
            s->valid[line] |= l1->valid ? nvw_unit_bit(unit) : 0;
            s->dirty[line] |= l1->dirty ? nvw_unit_bit(unit) : 0;
        }
}

void nvw_see(struct nvw_sight *s, struct mach_test *test, uint8_t *state)
{
    memset(s, 0, sizeof *s);
    s->test = test;
    s->state = state;
    s->lines = test->line_count;
    s->units = test->config.units;
    see_threads(s);
    see_caches(s);
    nvw_count(s, 0);
}

static bool is_long(const struct nvw_sight *s, uint32_t cache, uint32_t pushes)
{
    return nvw_fifo_of(s->test, s->state, cache)[0] + pushes < nvw_fifo_size(s->test, cache);
}

bool nvw_l1_is_long(const struct nvw_sight *s, uint32_t unit)
{
    BASE_ASSERT(unit < s->units);
    return is_long(s, 1 + unit, s->nv_writes[unit] + s->markers[unit]);
}

/* What enters the L2's FIFO was dirty in an L1, or will be; or it is a marker. */
bool nvw_l2_is_long(const struct nvw_sight *s)
{
    uint32_t pushes = 0;
    for (uint32_t unit = 0; unit < s->units; unit++) {
        const uint8_t *fifo = nvw_fifo_of(s->test, s->state, 1 + unit);
        pushes += s->nv_writes[unit] + s->markers[unit];
        for (uint32_t i = 0; i < fifo[0]; i++)
            pushes += (fifo[1 + i] & NVW_MARKER) != 0;
        for (uint32_t line = s->test->nv_line; line < s->lines; line++)
            pushes += (s->dirty[line] & nvw_unit_bit(unit)) != 0;
    }
    return is_long(s, MACH_L2, pushes);
}

bool nvw_is_current(const struct nvw_sight *s, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(unit < s->units);
    const struct mach_line *l1 = mach_line(s->test, s->state, 1 + unit, line);
    const struct mach_line *l2 = mach_line(s->test, s->state, MACH_L2, line);
    BITS_EACH_IN_WORD (word, l1->valid & ~(unsigned)l1->dirty)
        if (l1->words[word] != (l2->valid >> word & 1
                                    ? l2->words[word]
                                    : nvw_read_memory(s->test, s->state, line, word)))
            return false;
    return true;
}
