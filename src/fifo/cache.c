/* Bytes: memory, with a value number for each word of each line. Then the caches, the L2 first,
 * each with all lines of the test, present or not. So a line has one place, and a state one
 * form. */
#include "fifo/cache.h"

#include "base/bits.h"
#include "machine/mach_instr.h"
#include "machine/mach_symmetry.h"
#include "machine/mach_view.h"

#include <string.h>

void cache_lay_out(struct mach_test *test, uint32_t caches, uint32_t own_bytes)
{
    BASE_ASSERT(caches > 0 && test->config.line_words > 0);
    uint32_t words = test->config.line_words;
    uint32_t bytes = (uint32_t)offsetof(struct mach_line, words) + words + own_bytes;
    uint32_t at = test->machine_bytes + test->line_count * words;
    test->caches = (struct caches){.count = caches,
                                   .at = at,
                                   .end = at + caches * test->line_count * bytes,
                                   .line_bytes = bytes,
                                   .own_bytes = own_bytes};
}

void cache_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout)
{
    const struct caches *caches = &test->caches;
    uint32_t locations = test->program->location_count, words = test->config.line_words;
    uint32_t *memory = ARENA_ARRAY(arena, uint32_t, locations + 1);
    uint32_t *cached = ARENA_ARRAY(arena, uint32_t, locations + 1);
    for (uint32_t l = 0; l < locations; l++) {
        uint32_t line = test->line_of[l], word = test->word_of[l];
        BASE_ASSERT(line < test->line_count && word < words);
        memory[l] = test->machine_bytes + line * words + word;
        cached[l] = caches->at + line * caches->line_bytes +
                    (uint32_t)offsetof(struct mach_line, words) + word;
    }
    const struct mach_field masks = {.of = MACH_OF_LINE,
                                     .bytes = offsetof(struct mach_line, words),
                                     .at = caches->at,
                                     .stride = caches->line_bytes,
                                     .copies = caches->count,
                                     .copy_stride = test->line_count * caches->line_bytes,
                                     .cached = true};
    const struct mach_field values[] = {
        {MACH_OF_LOCATION, MACH_HOLDS_VALUE, 1, .places = memory, .copies = 1},
        {MACH_OF_LOCATION, MACH_HOLDS_VALUE, 1, .places = cached, .copies = caches->count,
         .copy_stride = masks.copy_stride, .cached = true}};
    mach_layout_add(layout, &values[0]);
    mach_layout_add(layout, &masks);
    mach_layout_add(layout, &values[1]);
    layout->units = mach_meets_beyond_group(test, LIT_BARRIER) ? MACH_UNITS_STAY : MACH_UNITS_ALIKE;
}

void cache_start(struct mach_test *test, uint8_t *state)
{
    mach_start_threads(test, state);
    for (uint32_t l = 0; l < test->program->location_count; l++)
        mach_memory_of(test, state, test->line_of[l])[test->word_of[l]] =
            mach_number(test, test->program->locations[l].init);
}

/* ---- Where things stand ---- */

bool mach_has_word(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                   uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return mach_line(test, state, cache, test->line_of[location])->valid >>
               test->word_of[location] &
           1;
}

uint8_t mach_in_cache(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                      uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return mach_line(test, state, cache, test->line_of[location])->words[test->word_of[location]];
}

uint8_t mach_in_memory(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return mach_memory_of(test, state, test->line_of[location])[test->word_of[location]];
}

bool mach_is_full(const struct mach_test *test, const uint8_t *state, uint32_t cache)
{
    BASE_ASSERT(cache < test->caches.count);
    uint32_t capacity = cache == MACH_L2 ? test->config.l2_lines : test->config.l1_lines, used = 0;
    for (uint32_t line = 0; line < test->line_count && capacity > 0; line++)
        used += mach_is_cached(test, state, cache, line);
    return capacity > 0 && used >= capacity;
}

bool mach_has_room(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                   uint32_t line)
{
    return mach_is_cached(test, state, cache, line) || !mach_is_full(test, state, cache);
}

/* ---- Words ---- */

void mach_line_copy(struct mach_line *to, const struct mach_line *from, uint8_t words)
{
    BASE_ASSERT(!(words & ~from->valid));
    BITS_EACH_IN_WORD (word, words)
        to->words[word] = from->words[word];
    to->valid |= words;
}

void mach_line_write(struct mach_line *line, uint32_t word, uint8_t value)
{
    BASE_ASSERT(word < 8);
    line->words[word] = value;
    line->valid |= (uint8_t)(1u << word);
    line->dirty |= (uint8_t)(1u << word);
}

void cache_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(unit < test->config.units);
    struct mach_line *l1 = mach_line(test, state, 1 + unit, line);
    struct mach_line *l2 = mach_line(test, state, MACH_L2, line);
    BASE_ASSERT(!(l1->dirty & ~l1->valid));
    mach_line_copy(l2, l1, l1->dirty);
    l2->dirty |= l1->dirty;
    l1->dirty = 0;
}

void cache_write_back(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    struct mach_line *from = mach_line(test, state, cache, line);
    uint8_t *memory = mach_memory_of(test, state, line);
    BITS_EACH_IN_WORD (word, from->dirty)
        memory[word] = from->words[word];
    from->dirty = 0;
}

void cache_drop(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    BASE_ASSERT(line < test->line_count);
    memset(mach_line(test, state, cache, line), 0, test->caches.line_bytes);
}

/* ---- Meetings ---- */

bool cache_hand_over(const struct mach_test *test, uint8_t *state, uint32_t thread,
                     bool (*invalidate)(const struct mach_test *test, uint8_t *state,
                                        uint32_t unit))
{
    enum lit_scope scope = mach_instr(test, state, thread)->exec_scope;
    if (!mach_meets_widely(test, state, thread) || mach_has_fault(test, MACH_FAULT_BARRIER_KEEPS))
        return true;
    uint32_t units = 0;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        units |= (uint32_t)mach_is_member(test, thread, u, scope) << test->unit_of[u];
    BITS_EACH_IN_WORD (unit, units)
        if (!invalidate(test, state, unit))
            return false;
    return true;
}

/* ---- Reduction and traces ---- */

bool cache_may_reduce(const struct mach_test *test)
{
    return !test->config.faults && test->config.evict_l1 == MACH_EVICT_ANY &&
           test->config.evict_l2 == MACH_EVICT_ANY;
}

const char *cache_name(struct mach_view *view, uint32_t cache)
{
    return cache == MACH_L2 ? "L2" : arena_printf(view->arena, "L1 %u", cache - 1);
}

void cache_view(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                struct mach_view *view)
{
    mach_view_places(view, "%s", cache_name(view, cache));
    for (uint32_t l = 0; l < test->program->location_count; l++) {
        uint8_t dirty = mach_line(test, state, cache, test->line_of[l])->dirty;
        if (mach_has_word(test, state, cache, l))
            mach_view_place(view, l, mach_in_cache(test, state, cache, l),
                            dirty >> test->word_of[l] & 1 ? "*" : "");
        else
            mach_view_empty_place(view, l);
    }
}

void mach_memory_view(const struct mach_test *test, const uint8_t *state, bool nvm,
                      struct mach_view *view)
{
    mach_view_places(view, "%s", nvm ? "NVRAM" : "DRAM");
    for (uint32_t l = 0; l < test->program->location_count; l++)
        if (test->program->locations[l].nvm == nvm)
            mach_view_place(view, l, mach_in_memory(test, state, l), "");
}
