/* Parts, from the work-items down: each L1 with its S-FIFO and NVW-FIFO, the L2 with its own, the
 * writes under way, DRAM, NVRAM. A dirty word is marked `*`; a p_flush marker is `|` and the
 * work-item that leads its barrier. */
#include "base/bits.h"
#include "fifo/nvw_state.h"
#include "machine/mach_view.h"

/* ---- States ---- */

static const char *entry_text(const struct mach_test *test, uint8_t entry, struct mach_view *view)
{
    return entry & NVW_MARKER
               ? arena_printf(view->arena, "|%s",
                              test->program->threads[entry & (uint8_t)~NVW_MARKER].name)
               : mach_view_line(view, entry);
}

static void view_fifo(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                      struct mach_view *view)
{
    const uint8_t *fifo = nvw_fifo_of(test, state, cache);
    mach_view_queue(view, "NVW-FIFO %s", cache_name(view, cache));
    for (uint32_t i = 0; i < fifo[0]; i++)
        mach_view_entry(view, "%s", entry_text(test, fifo[1 + i], view));
}

/* "x=1", "x=1,y=2": the words that a write carries. */
static const char *write_text(const struct mach_test *test, const uint8_t *entry,
                              struct mach_view *view)
{
    const char *text = "";
    BITS_EACH_IN_WORD (word, mach_words_of(test, entry[0])) {
        uint8_t number = entry[1 + word];
        uint32_t location = mach_location_at(test, entry[0], word);
        if (number != NVW_NOT_WRITTEN)
            text = arena_printf(view->arena, "%s%s%s=%lld", text, *text ? "," : "",
                                test->program->locations[location].name,
                                (long long)mach_value(test, number));
    }
    return text;
}

static void view_sfifo(const struct mach_test *test, const uint8_t *state, uint32_t unit,
                       struct mach_view *view)
{
    BASE_ASSERT(unit < test->config.units);
    const uint8_t *sfifo = nvw_sfifo_of(test, state, unit);
    mach_view_queue(view, "S-FIFO %s", cache_name(view, 1 + unit));
    for (uint32_t i = 0; i < sfifo[0]; i++)
        mach_view_entry(view, "%s", entry_text(test, sfifo[1 + i], view));
}

void nvw_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view)
{
    for (uint32_t cache = 1; cache <= test->config.units; cache++) {
        cache_view(test, state, cache, view);
        view_sfifo(test, state, cache - 1, view);
        view_fifo(test, state, cache, view);
    }
    cache_view(test, state, 0, view);
    view_fifo(test, state, 0, view);
    mach_view_queue(view, "under way");
    for (uint32_t i = 0; i < nvw_under_way(test, state)[0]; i++)
        mach_view_entry(view, "%s", write_text(test, nvw_write_under_way(test, state, i), view));
    mach_memory_view(test, state, false, view);
    mach_memory_view(test, state, true, view);
}

/* ---- Steps ---- */

/* Caches write on what is dirty; what is clean is dropped, or nothing is to be done. */
static void tell_eviction(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                          uint32_t line, struct mach_view *view)
{
    const char *name = cache_name(view, cache), *words = mach_view_line(view, line);
    bool dirty = mach_is_dirty(test, state, cache, line);
    const char *below = cache != MACH_L2 ? "L2" : mach_is_nvm(test, line) ? "NVRAM" : "DRAM";
    if (dirty)
        mach_tell_part(view, name, "evicts", "evicts %s, written on to %s", words, below);
    else
        mach_tell_part(view, name, "evicts", "evicts %s, which is clean", words);
}

static void tell_head(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                      struct mach_view *view)
{
    const uint8_t head = nvw_fifo_of(test, state, cache)[1];
    const char *actor = arena_printf(view->arena, "%s FIFO", cache_name(view, cache));
    const char *text = entry_text(test, head, view);
    if (head & NVW_MARKER && cache != 0)
        mach_tell_part(view, actor, "marker-moves", "marker %s moves on to the L2 FIFO", text);
    else if (head & NVW_MARKER)
        mach_tell_part(view, actor, "acknowledges", "marker %s is acknowledged", text);
    else if (mach_is_dirty(test, state, cache, head))
        mach_tell_part(view, actor, "flushes", "head %s is flushed to %s", text,
                       cache != 0 ? "L2" : "NVRAM");
    else
        mach_tell_part(view, actor, "flushes", "head %s is dropped: its line is clean by now",
                       text);
}

static void tell_release(const struct mach_test *test, const uint8_t *state, uint32_t unit,
                         struct mach_view *view)
{
    BASE_ASSERT(unit < test->config.units);
    const char *actor = arena_printf(view->arena, "%s S-FIFO", cache_name(view, 1 + unit));
    uint8_t head = nvw_sfifo_of(test, state, unit)[1];
    mach_tell_part(view, actor, "writes-on", "head %s is written on to L2, for a release",
                   entry_text(test, head, view));
}

void nvw_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
              struct mach_view *view)
{
    switch ((enum nvw_step)step.kind) {
    case NVW_RUN: mach_tell_thread(view, step.thread, "executes", NULL); break;
    case NVW_ARRIVE: mach_tell_thread(view, step.thread, "arrives", NULL); break;
    case NVW_MARK:
        mach_tell_thread(view, step.thread, "stalls", "its marker enters the L1 FIFO");
        break;
    case NVW_UNSTALL:
        mach_tell_thread(view, step.thread, "goes-on", "the acknowledgement has come back");
        break;
    case NVW_SFIFO_DEQUEUE: tell_release(test, state, step.unit, view); break;
    case NVW_L1_DEQUEUE:
    case NVW_L1_MARKER: tell_head(test, state, 1 + step.unit, view); break;
    case NVW_L2_DEQUEUE:
    case NVW_L2_MARKER: tell_head(test, state, 0, view); break;
    case NVW_ACK:
        mach_tell_part(view, "NVRAM", "completes", "%s is durable",
                       write_text(test, nvw_write_under_way(test, state, step.line), view));
        break;
    case NVW_L1_EVICT: tell_eviction(test, state, 1 + step.unit, step.line, view); break;
    case NVW_L2_EVICT: tell_eviction(test, state, 0, step.line, view); break;
    }
}
