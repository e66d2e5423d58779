/* Parts, from the work-items down: each L1 with its S-FIFO and NVW-FIFO, the L2 with its own, the
 * writes under way, DRAM, NVRAM. A dirty word is marked `*`; a p_flush marker is `|` and the
 * work-item that leads its barrier. */
#include "machine/mach_nvw_view.h"

#include "machine/mach_nvw_state.h"
#include "machine/mach_view.h"

static uint8_t *bytes_of(const uint8_t *state)
{
    return (uint8_t *)(uintptr_t)state; /* the accessors serve both uses */
}

static const char *cache_name(struct mach_view *view, uint32_t cache)
{
    return cache == 0 ? "L2" : arena_printf(view->arena, "L1 %u", cache - 1);
}

/* ---- States ---- */

static void view_cache(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                       struct mach_view *view)
{
    const uint8_t *values = nvw_cache_of(test, bytes_of(state), cache);
    const uint8_t *flags = values + nvw_locations(test);
    mach_view_places(view, "%s", cache_name(view, cache));
    for (uint32_t l = 0; l < nvw_locations(test); l++)
        if (flags[l] & NVW_VALID)
            mach_view_place(view, l, values[l], flags[l] & NVW_DIRTY ? "*" : "");
        else
            mach_view_empty_place(view, l);
}

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
    const uint8_t *fifo = nvw_fifo_of(test, bytes_of(state), cache);
    mach_view_queue(view, "NVW-FIFO %s", cache_name(view, cache));
    for (uint32_t i = 0; i < fifo[0]; i++)
        mach_view_entry(view, "%s", entry_text(test, fifo[1 + i], view));
}

/* "x=1", "x=1,y=2": the words that a write carries. */
static const char *write_text(const struct mach_test *test, const uint8_t *entry,
                              struct mach_view *view)
{
    const char *text = "";
    uint32_t word = 0;
    for (struct nvw_words w = nvw_words_of(test, entry[0]); w.at < w.end; w.at++) {
        uint8_t number = entry[1 + word++];
        if (number != NVW_NOT_WRITTEN)
            text = arena_printf(view->arena, "%s%s%s=%lld", text, *text ? "," : "",
                                test->program->locations[*w.at].name,
                                (long long)mach_value(test, number));
    }
    return text;
}

static void view_sfifo(const struct mach_test *test, const uint8_t *state, uint32_t unit,
                       struct mach_view *view)
{
    const uint8_t *sfifo = nvw_sfifo_of(test, bytes_of(state), unit);
    mach_view_queue(view, "S-FIFO %s", cache_name(view, 1 + unit));
    for (uint32_t i = 0; i < sfifo[0]; i++)
        mach_view_entry(view, "%s", entry_text(test, sfifo[1 + i], view));
}

static const uint8_t *write_of(const struct mach_test *test, const uint8_t *state, uint32_t number)
{
    return nvw_under_way(test, bytes_of(state)) + 1 + number * nvw_way_bytes(test);
}

static void view_memory(const struct mach_test *test, const uint8_t *state, bool nvm,
                        struct mach_view *view)
{
    const uint8_t *memory = nvw_memory_of(test, bytes_of(state));
    mach_view_places(view, "%s", nvm ? "NVRAM" : "DRAM");
    for (uint32_t l = 0; l < nvw_locations(test); l++)
        if (nvw_is_nvm(test, l) == nvm)
            mach_view_place(view, l, memory[l], "");
}

void nvw_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view)
{
    for (uint32_t cache = 1; cache <= test->config.units; cache++) {
        view_cache(test, state, cache, view);
        view_sfifo(test, state, cache - 1, view);
        view_fifo(test, state, cache, view);
    }
    view_cache(test, state, 0, view);
    view_fifo(test, state, 0, view);
    mach_view_queue(view, "under way");
    for (uint32_t i = 0; i < nvw_under_way(test, bytes_of(state))[0]; i++)
        mach_view_entry(view, "%s", write_text(test, write_of(test, state, i), view));
    view_memory(test, state, false, view);
    view_memory(test, state, true, view);
}

/* ---- Steps ---- */

/* Caches write on what is dirty; what is clean is dropped, or nothing is to be done. */
static void tell_eviction(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                          uint32_t line, struct mach_view *view)
{
    const char *name = cache_name(view, cache), *words = mach_view_line(view, line);
    bool dirty = nvw_line_has(test, bytes_of(state), cache, line, NVW_DIRTY);
    const char *below = cache != 0                                        ? "L2"
                        : nvw_is_nvm(test, nvw_line_location(test, line)) ? "NVRAM"
                                                                          : "DRAM";
    if (dirty)
        mach_tell_part(view, name, "evicts", "evicts %s, written on to %s", words, below);
    else
        mach_tell_part(view, name, "evicts", "evicts %s, which is clean", words);
}

static void tell_head(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                      struct mach_view *view)
{
    const uint8_t head = nvw_fifo_of(test, bytes_of(state), cache)[1];
    const char *actor = arena_printf(view->arena, "%s FIFO", cache_name(view, cache));
    const char *text = entry_text(test, head, view);
    if (head & NVW_MARKER && cache != 0)
        mach_tell_part(view, actor, "marker-moves", "marker %s moves on to the L2 FIFO", text);
    else if (head & NVW_MARKER)
        mach_tell_part(view, actor, "acknowledges", "marker %s is acknowledged", text);
    else if (nvw_line_has(test, bytes_of(state), cache, head, NVW_DIRTY))
        mach_tell_part(view, actor, "flushes", "head %s is flushed to %s", text,
                       cache != 0 ? "L2" : "NVRAM");
    else
        mach_tell_part(view, actor, "flushes", "head %s is dropped: its line is clean by now",
                       text);
}

static void tell_release(const struct mach_test *test, const uint8_t *state, uint32_t unit,
                         struct mach_view *view)
{
    const char *actor = arena_printf(view->arena, "%s S-FIFO", cache_name(view, 1 + unit));
    uint8_t head = nvw_sfifo_of(test, bytes_of(state), unit)[1];
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
                       write_text(test, write_of(test, state, step.line), view));
        break;
    case NVW_L1_EVICT: tell_eviction(test, state, 1 + step.unit, step.line, view); break;
    case NVW_L2_EVICT: tell_eviction(test, state, 0, step.line, view); break;
    }
}
