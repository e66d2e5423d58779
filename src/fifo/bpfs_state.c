/* Bytes of the machine's part: the caches (cache.h), whose lines have two sets each, and two sets a
 * work-item.
 *
 * The order must have no cycle. It has an edge from each block to those of its WRITTEN, and from an
 * L1's block to the L2's of the same line, as it has to join that block or come after it. A block
 * without edges can always go on, so all can, one after the other. A write that would close a cycle
 * waits. */
#include "fifo/bpfs_state.h"

#include "base/bits.h"
#include "machine/mach_symmetry.h"

#include <string.h>

enum { SETS = 2 }; /* of a line, of a work-item */

/* ---- Where things stand ---- */

static uint32_t nv_lines(const struct mach_test *test)
{
    return test->line_count - test->nv_line;
}

/* Bytes of a set: a power of two. */
static uint32_t width(const struct mach_test *test)
{
    return test->caches.own_bytes / SETS;
}

uint32_t bpfs_size(struct mach_test *test, struct arena *arena)
{
    uint32_t caches = 1 + test->used_units, count = caches * nv_lines(test);
    (void)arena;
    uint32_t bytes = count <= 8 ? 1 : count <= 16 ? 2 : count <= 32 ? 4 : 8;
    cache_lay_out(test, caches, SETS * bytes);
    return test->caches.end + SETS * bytes * test->program->thread_count - test->machine_bytes;
}

void bpfs_start(struct mach_test *test, uint8_t *state)
{
    test->overflow |= test->caches.count * nv_lines(test) > BPFS_MAX_BLOCKS;
    cache_start(test, state);
}

/* Blocks are lines in NVRAM, of each cache. */
bool bpfs_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout)
{
    struct mach_field sets = {.of = MACH_OF_LINE,
                              .holds = MACH_HOLDS_LINES,
                              .bytes = width(test),
                              .at = test->caches.at + test->caches.line_bytes - SETS * width(test),
                              .stride = test->caches.line_bytes,
                              .copies = test->caches.count,
                              .copy_stride = test->line_count * test->caches.line_bytes,
                              .cached = true};
    struct mach_field orders = {.of = MACH_OF_THREAD,
                                .holds = MACH_HOLDS_LINES,
                                .bytes = width(test),
                                .at = test->caches.end,
                                .stride = SETS * width(test),
                                .copies = SETS,
                                .copy_stride = width(test)};
    cache_describe(test, arena, layout);
    mach_layout_add(layout, &sets);
    sets.at += sets.bytes;
    mach_layout_add(layout, &sets);
    mach_layout_add(layout, &orders);
    return test->caches.count * nv_lines(test) <= BPFS_MAX_BLOCKS;
}

/* ---- Sets ---- */

bpfs_blocks bpfs_block(const struct mach_test *test, uint32_t cache, uint32_t line)
{
    BASE_ASSERT(line < test->line_count);
    BASE_ASSERT(cache < test->caches.count);
    if (!mach_is_nvm(test, line))
        return 0;
    uint32_t bit = cache * nv_lines(test) + line - test->nv_line;
    return (bpfs_blocks)1 << bit % BPFS_MAX_BLOCKS;
}

static bpfs_blocks load(const uint8_t *bytes, uint32_t size)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case 1: return *bytes;
    case 2: memcpy(&two, bytes, 2); return two;
    case 4: memcpy(&four, bytes, 4); return four;
    default: memcpy(&eight, bytes, 8); return eight;
    }
}

static void store(uint8_t *bytes, uint32_t size, bpfs_blocks set)
{
    uint16_t two = (uint16_t)set;
    uint32_t four = (uint32_t)set;
    switch (size) {
    case 1: *bytes = (uint8_t)set; break;
    case 2: memcpy(bytes, &two, 2); break;
    case 4: memcpy(bytes, &four, 4); break;
    default: memcpy(bytes, &set, 8);
    }
}

static uint8_t *tag(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                    uint32_t line, enum bpfs_tag which)
{
    return mach_line(test, state, cache, line)->words + test->config.line_words +
           which * width(test);
}

bpfs_blocks bpfs_tag_of(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                        uint32_t line, enum bpfs_tag which)
{
    return load(tag(test, state, cache, line, which), width(test));
}

static void set_tag(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line,
                    enum bpfs_tag which, bpfs_blocks set)
{
    if (!mach_is_nvm(test, line) && mach_has_fault(test, MACH_FAULT_DRAM_UNTAGGED))
        return;
    store(tag(test, state, cache, line, which), width(test), set);
}

static void add_to_tag(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line,
                       enum bpfs_tag which, bpfs_blocks set)
{
    set_tag(test, state, cache, line, which, bpfs_tag_of(test, state, cache, line, which) | set);
}

bpfs_blocks bpfs_order_of(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                          enum bpfs_order which)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint32_t bytes = width(test);
    return load(state + test->caches.end + (SETS * thread + which) * bytes, bytes);
}

void bpfs_set_order(const struct mach_test *test, uint8_t *state, uint32_t thread,
                    enum bpfs_order which, bpfs_blocks set)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint32_t bytes = width(test);
    store(state + test->caches.end + (SETS * thread + which) * bytes, bytes, set);
}

static void add_to_past(const struct mach_test *test, uint8_t *state, uint32_t thread,
                        bpfs_blocks set)
{
    bpfs_blocks past = bpfs_order_of(test, state, thread, BPFS_PAST);
    bpfs_set_order(test, state, thread, BPFS_PAST, past | set);
}

static void replace_at(uint8_t *bytes, uint32_t size, bpfs_blocks block, bpfs_blocks by)
{
    bpfs_blocks set = load(bytes, size);
    if (set & block)
        store(bytes, size, (set & ~block) | by);
}

/* Everywhere `by` for one block; 0 when it is durable. A line that is not there has no tags. */
static void replace(const struct mach_test *test, uint8_t *state, bpfs_blocks block, bpfs_blocks by)
{
    uint32_t bytes = width(test), stride = test->caches.line_bytes;
    uint8_t *at = state + test->caches.at, *orders = state + test->caches.end;
    for (; at < orders; at += stride) {
        struct mach_line *line = (struct mach_line *)at;
        for (uint32_t set = 0; line->valid && set < SETS; set++)
            replace_at(line->words + test->config.line_words + set * bytes, bytes, block, by);
    }
    for (uint32_t i = 0; i < SETS * test->program->thread_count; i++)
        replace_at(orders + i * bytes, bytes, block, by);
}

/* ---- The order of blocks ---- */

/* The L2's dirty block of a line that a cache above has too. */
static bpfs_blocks below(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                         uint32_t line)
{
    return cache != MACH_L2 && mach_is_dirty(test, state, MACH_L2, line)
               ? bpfs_block(test, MACH_L2, line)
               : 0;
}

/* The dirty blocks of a line in L1s, but for one cache. */
static bpfs_blocks above(const struct mach_test *test, const uint8_t *state, uint32_t but,
                         uint32_t line)
{
    bpfs_blocks set = 0;
    for (uint32_t cache = 1; cache < test->caches.count; cache++)
        if (cache != but && mach_is_dirty(test, state, cache, line))
            set |= bpfs_block(test, cache, line);
    return set;
}

/* The blocks that have to be durable no later than some block of a set. At most 64 rounds. */
static bpfs_blocks reach(const struct mach_test *test, const uint8_t *state, bpfs_blocks set)
{
    for (bpfs_blocks done = 0; set & ~done;) {
        uint32_t bit = bits_lowest(set & ~done);
        uint32_t cache = bit / nv_lines(test), line = test->nv_line + bit % nv_lines(test);
        done |= (bpfs_blocks)1 << bit;
        set |=
            bpfs_tag_of(test, state, cache, line, BPFS_WRITTEN) | below(test, state, cache, line);
    }
    return set;
}

/* May a cache's line get content with this set? Not when a dirty block of the line is in it, or
 * is waited for by one that is. */
static bool may_join(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                     uint32_t line, bpfs_blocks set)
{
    bpfs_blocks own = bpfs_block(test, cache, line);
    bpfs_blocks waiting = mach_is_dirty(test, state, cache, line) ? own : 0;
    if (cache == MACH_L2)
        waiting |= above(test, state, MACH_L2, line);
    return !waiting || !(reach(test, state, set | below(test, state, cache, line)) & waiting);
}

/* ---- Lines ---- */

/* The line gets a place in the cache: in the L2 with all words, in an L1 with the L2's tags. */
static bool enter(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    if (mach_is_cached(test, state, cache, line))
        return true;
    if (!mach_has_room(test, state, cache, line) ||
        (cache != MACH_L2 && !enter(test, state, MACH_L2, line)))
        return false;
    if (cache == MACH_L2) {
        struct mach_line *l2 = mach_line(test, state, MACH_L2, line);
        memcpy(l2->words, mach_memory_of(test, state, line), test->config.line_words);
        l2->valid = mach_words_of(test, line);
        return true;
    }
    for (int which = BPFS_WRITTEN; which <= BPFS_SEEN; which++)
        set_tag(test, state, cache, line, (enum bpfs_tag)which,
                bpfs_tag_of(test, state, MACH_L2, line, (enum bpfs_tag)which));
    return true;
}

/* A word the L1 lacks comes with the L2's tags, but that what is dirty here joins the L2's block is
 * no reason to wait for it. */
static bool fill_word(const struct mach_test *test, uint8_t *state, uint32_t cache,
                      uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    uint32_t line = test->line_of[location];
    if (!enter(test, state, cache, line))
        return false;
    if (mach_has_word(test, state, cache, location))
        return true;
    struct mach_line *to = mach_line(test, state, cache, line);
    const struct mach_line *l2 = mach_line(test, state, MACH_L2, line);
    bpfs_blocks joined = to->dirty ? bpfs_block(test, MACH_L2, line) : 0;
    for (int which = BPFS_WRITTEN; which <= BPFS_SEEN; which++)
        add_to_tag(test, state, cache, line, (enum bpfs_tag)which,
                   bpfs_tag_of(test, state, MACH_L2, line, (enum bpfs_tag)which) & ~joined);
    mach_line_copy(to, l2, l2->valid & (uint8_t)~to->valid);
    return true;
}

bool bpfs_read(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t cache,
               uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    uint32_t line = test->line_of[location];
    if (!fill_word(test, state, cache, location))
        return false;
    bpfs_blocks set = bpfs_order_of(test, state, thread, BPFS_BEFORE) |
                      bpfs_tag_of(test, state, cache, line, BPFS_WRITTEN);
    if (!mach_has_fault(test, MACH_FAULT_READ_UNMARKED))
        add_to_tag(test, state, cache, line, BPFS_SEEN, set);
    add_to_past(test, state, thread, set);
    return true;
}

/* The set of a write: what is before it in pmo. False when the line's older content has to go on
 * first. That older content is part of the block and not waited for, unless a persist barrier is
 * between, in which case the L2's stays in the set of an L1's block. */
static bool order_write(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                        uint32_t cache, uint32_t line, bpfs_blocks *set)
{
    bpfs_blocks own = bpfs_block(test, cache, line), older = own | bpfs_block(test, MACH_L2, line);
    bpfs_blocks before = bpfs_order_of(test, state, thread, BPFS_BEFORE);
    bpfs_blocks written = bpfs_tag_of(test, state, cache, line, BPFS_WRITTEN);
    *set = before | ((written | bpfs_tag_of(test, state, cache, line, BPFS_SEEN)) & ~older);
    if (mach_has_fault(test, MACH_FAULT_TAG_REPLACED))
        *set = before;
    if (mach_has_fault(test, MACH_FAULT_EPOCHS_MERGED) && written & own) {
        *set = written;
        return true;
    }
    return may_join(test, state, cache, line, *set);
}

bool bpfs_write(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t cache,
                uint32_t location, uint8_t value)
{
    BASE_ASSERT(location < test->program->location_count);
    uint32_t line = test->line_of[location];
    bpfs_blocks set;
    if (!enter(test, state, cache, line) || !order_write(test, state, thread, cache, line, &set))
        return false;
    set |= bpfs_block(test, cache, line);
    set_tag(test, state, cache, line, BPFS_WRITTEN, set);
    set_tag(test, state, cache, line, BPFS_SEEN, 0);
    add_to_past(test, state, thread, set);
    mach_line_write(mach_line(test, state, cache, line), test->word_of[location], value);
    return true;
}

/* May an L1's dirty block become part of the L2's line? */
static bool may_move(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                     uint32_t line)
{
    bpfs_blocks own = bpfs_block(test, cache, line), there = below(test, state, cache, line);
    bpfs_blocks set = bpfs_tag_of(test, state, cache, line, BPFS_WRITTEN);
    if (mach_has_fault(test, MACH_FAULT_EPOCHS_MERGED))
        return true;
    if (set & there)
        return false; /* a persist barrier is between the two versions */
    if (there)
        set |= bpfs_tag_of(test, state, MACH_L2, line, BPFS_WRITTEN);
    bpfs_blocks waiting = above(test, state, cache, line) | there | (there ? own : 0);
    return !waiting || !(reach(test, state, set & ~(own | there)) & waiting);
}

/* What was before the L1's content is before the L2's that it is part of now. */
static void move_tags(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    if (mach_has_fault(test, MACH_FAULT_TAG_LOST))
        return;
    for (int which = BPFS_WRITTEN; which <= BPFS_SEEN; which++)
        add_to_tag(test, state, MACH_L2, line, (enum bpfs_tag)which,
                   bpfs_tag_of(test, state, cache, line, (enum bpfs_tag)which));
}

bool bpfs_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(unit < test->config.units);
    uint32_t cache = 1 + unit;
    bpfs_blocks own = bpfs_block(test, cache, line), block = bpfs_block(test, MACH_L2, line);
    if (!mach_is_cached(test, state, cache, line))
        return true;
    if (mach_is_dirty(test, state, cache, line)) {
        if (own && !may_move(test, state, cache, line))
            return false;
        cache_write_on(test, state, unit, line);
        if (own)
            replace(test, state, own, block);
        add_to_tag(test, state, MACH_L2, line, BPFS_WRITTEN, block);
    }
    move_tags(test, state, cache, line);
    return true;
}

bool bpfs_drop(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(unit < test->config.units);
    if (!bpfs_write_on(test, state, unit, line))
        return false;
    cache_drop(test, state, 1 + unit, line);
    return true;
}

bool bpfs_write_all_on(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    return ALL(line, test->line_count, bpfs_write_on(test, state, unit, line));
}

bool bpfs_invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    return ALL(line, test->line_count, bpfs_drop(test, state, unit, line));
}

/* ---- Memory ---- */

bool bpfs_may_persist(const struct mach_test *test, const uint8_t *state, uint32_t line)
{
    return mach_is_dirty(test, state, MACH_L2, line) && mach_is_nvm(test, line) &&
           (mach_has_fault(test, MACH_FAULT_PERSIST_UNORDERED) ||
            bpfs_tag_of(test, state, MACH_L2, line, BPFS_WRITTEN) ==
                bpfs_block(test, MACH_L2, line));
}

void bpfs_persist(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    cache_write_back(test, state, MACH_L2, line);
    replace(test, state, bpfs_block(test, MACH_L2, line), 0);
}

/* A line that comes back from memory has no tags. So a line of DRAM, too, stays until what its tags
 * put before it is durable. */
bool bpfs_may_leave(const struct mach_test *test, const uint8_t *state, uint32_t line)
{
    bpfs_blocks tags = bpfs_tag_of(test, state, MACH_L2, line, BPFS_WRITTEN) |
                       bpfs_tag_of(test, state, MACH_L2, line, BPFS_SEEN);
    if (!mach_is_cached(test, state, MACH_L2, line) ||
        (mach_is_nvm(test, line) && mach_is_dirty(test, state, MACH_L2, line)))
        return false;
    for (uint32_t cache = 1; cache < test->caches.count; cache++)
        if (mach_is_cached(test, state, cache, line))
            return false;
    return !tags || (!mach_is_nvm(test, line) && mach_has_fault(test, MACH_FAULT_DRAM_LEAVES));
}

void bpfs_leave(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    cache_write_back(test, state, MACH_L2, line);
    cache_drop(test, state, MACH_L2, line);
}
