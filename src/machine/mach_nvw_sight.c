#include "machine/mach_nvw_sight.h"

#include "machine/mach_instr.h"

#include <string.h>

/* Does the work-item write nothing before a marker is acknowledged? It does when the
 * acknowledgement of its own is on the way. */
static bool is_stalled(const struct nvw_sight *s, uint32_t thread)
{
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
        s->nv_writes[unit] += o->nv_writes;
        s->barriers += markers_of(s, t);
        if (!is_stalled(s, t))
            s->epoch_writes += o->epoch_writes;
    }
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
    s->roomy = test->config.l1_lines == 0 && test->config.l2_lines == 0 &&
               nvw_sfifo_size(test) == test->line_count;
    see_threads(s);
    see_caches(s);
}
