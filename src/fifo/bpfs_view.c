#include "fifo/bpfs_state.h"
#include "machine/mach_view.h"

/* ---- States ---- */

/* The blocks of a set, but for one: "x@L1.0,y@L2". */
static const char *set_text(const struct mach_test *test, bpfs_blocks set, bpfs_blocks but,
                            struct mach_view *view)
{
    const char *text = "";
    for (uint32_t cache = 0; cache < test->caches.count; cache++)
        for (uint32_t line = test->nv_line; line < test->line_count; line++)
            if (bpfs_block(test, cache, line) & set & ~but)
                text = arena_printf(
                    view->arena, "%s%s%s@%s", text, *text ? "," : "", mach_view_line(view, line),
                    cache == MACH_L2 ? "L2" : arena_printf(view->arena, "L1.%u", cache - 1));
    return text;
}

/* The tags of a cache's lines: "y>x@L1.0", y is after x; "y?z@L2", so is the next write of y, as
 * y was read after z. That a clean line of an L1 is after the L2's goes without saying. */
static void view_tags(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                      struct mach_view *view)
{
    mach_view_queue(view, "tags %s", cache_name(view, cache));
    for (uint32_t line = 0; line < test->line_count; line++) {
        bpfs_blocks own =
            bpfs_block(test, mach_is_dirty(test, state, cache, line) ? cache : MACH_L2, line);
        bpfs_blocks written = bpfs_tag_of(test, state, cache, line, BPFS_WRITTEN);
        bpfs_blocks seen = bpfs_tag_of(test, state, cache, line, BPFS_SEEN) & ~written;
        if (written & ~own)
            mach_view_entry(view, "%s>%s", mach_view_line(view, line),
                            set_text(test, written, own, view));
        if (seen & ~own)
            mach_view_entry(view, "%s?%s", mach_view_line(view, line),
                            set_text(test, seen, own, view));
    }
}

/* What persist barriers put before what each work-item does next: "P0>x@L2". */
static void view_orders(const struct mach_test *test, const uint8_t *state, struct mach_view *view)
{
    mach_view_queue(view, "barriers");
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        bpfs_blocks before = bpfs_order_of(test, state, t, BPFS_BEFORE);
        if (before)
            mach_view_entry(view, "%s>%s", test->program->threads[t].name,
                            set_text(test, before, 0, view));
    }
}

void bpfs_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view)
{
    for (uint32_t i = 1; i <= test->caches.count; i++) { /* the L2 last */
        uint32_t cache = i % test->caches.count;
        cache_view(test, state, cache, view);
        view_tags(test, state, cache, view);
    }
    view_orders(test, state, view);
    mach_memory_view(test, state, false, view);
    mach_memory_view(test, state, true, view);
}

/* ---- Steps ---- */

void bpfs_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
               struct mach_view *view)
{
    const char *line = mach_view_line(view, step.line), *l1 = cache_name(view, 1 + step.unit);
    (void)state;
    switch ((enum bpfs_step)step.kind) {
    case BPFS_RUN: mach_tell_thread(view, step.thread, "executes", NULL); break;
    case BPFS_WRITE_ON:
        mach_tell_part(view, l1, "writes-on", "writes %s on to L2, with its tag", line);
        break;
    case BPFS_DROP: mach_tell_part(view, l1, "evicts", "evicts %s, which is clean", line); break;
    case BPFS_PERSIST:
        mach_tell_part(view, "L2", "writes-back", "writes %s back to NVRAM", line);
        break;
    case BPFS_LEAVE:
        mach_tell_part(view, "L2", "evicts", "evicts %s, %s", line,
                       mach_is_nvm(test, step.line) ? "which is clean" : "written back to DRAM");
        break;
    }
}
