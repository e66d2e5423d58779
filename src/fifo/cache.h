/* cache: memory, and the caches of the machines that have some. Private to these.
 *
 * Each compute unit has an L1; all share an L2, which is above memory. Cache 0 is the L2, cache 1 +
 * u the L1 of unit u. The L2 is inclusive: it has every line that an L1 has. A line has words, each
 * valid or not and dirty or not, and bytes of the machine's own, such as tags. A line is in a cache
 * when a word of it is valid there. Everything absent is 0, bytes of the machine too.
 *
 * This module says how words come and go, and how many lines find room. The machine decides when
 * they may, what has to wait, and what else happens then (FIFOs, tags). No function here fails or
 * waits.
 *
 * Ownership: everything is in the state. `mach_line` and `mach_memory_of` drop const as strchr
 * does; a caller with a const state must only read. */
#ifndef CRASHLIT_CACHE_H
#define CRASHLIT_CACHE_H

#include "machine/mach.h"

enum { MACH_L2 = 0 };

struct mach_line {
    uint8_t valid, dirty; /* masks of words; dirty words are valid */
    uint8_t words[];      /* value numbers, as many as a line has; then the machine's own bytes */
};

/* For `size` of struct machine: sets test->caches, from the machine's first byte on. */
void cache_lay_out(struct mach_test *test, uint32_t caches, uint32_t own_bytes);
/* For `describe`: the layout of memory and the caches, without the machine's own bytes. L1s are
 * alike unless an execution barrier may invalidate several, as that happens in the order of
 * units. */
void cache_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout);
/* For `start`: sets work-items and memory as the test says; the caches are empty. */
void cache_start(struct mach_test *test, uint8_t *state);

/* ---- Where things stand ---- */

static inline struct mach_line *mach_line(const struct mach_test *test, const uint8_t *state,
                                          uint32_t cache, uint32_t line)
{
    BASE_ASSERT(line < test->line_count);
    BASE_ASSERT(cache < test->caches.count);
    uint32_t number = cache * test->line_count + line;
    return (struct mach_line *)(uintptr_t)(state + test->caches.at +
                                           number * test->caches.line_bytes);
}

/* The words of a line in memory. */
static inline uint8_t *mach_memory_of(const struct mach_test *test, const uint8_t *state,
                                      uint32_t line)
{
    BASE_ASSERT(line < test->line_count);
    return (uint8_t *)(uintptr_t)(state + test->machine_bytes + line * test->config.line_words);
}

/* A mask of all words of a line; the last line of each memory may have fewer than others. */
static inline uint8_t mach_words_of(const struct mach_test *test, uint32_t line)
{
    BASE_ASSERT(line < test->line_count);
    return (uint8_t)((1u << (test->line_begin[line + 1] - test->line_begin[line])) - 1);
}

static inline uint32_t mach_location_at(const struct mach_test *test, uint32_t line, uint32_t word)
{
    BASE_ASSERT(line < test->line_count);
    return test->line_words[test->line_begin[line] + word];
}

static inline bool mach_is_nvm(const struct mach_test *test, uint32_t line)
{
    return line >= test->nv_line;
}

static inline bool mach_is_cached(const struct mach_test *test, const uint8_t *state,
                                  uint32_t cache, uint32_t line)
{
    return mach_line(test, state, cache, line)->valid != 0;
}

static inline bool mach_is_dirty(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                                 uint32_t line)
{
    return mach_line(test, state, cache, line)->dirty != 0;
}

/* Is a location's word valid in the cache; its value number there, or in memory. */
bool mach_has_word(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                   uint32_t location);
uint8_t mach_in_cache(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                      uint32_t location);
uint8_t mach_in_memory(const struct mach_test *test, const uint8_t *state, uint32_t location);

/* mach_is_full: has the cache all the lines that it may have? mach_has_room: does it have the line,
 * or room for it? */
bool mach_is_full(const struct mach_test *test, const uint8_t *state, uint32_t cache);
bool mach_has_room(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                   uint32_t line);

/* ---- Words ---- */

/* Copies the words of a mask, which become valid. */
void mach_line_copy(struct mach_line *to, const struct mach_line *from, uint8_t words);
/* Writes a word, which becomes dirty. */
void mach_line_write(struct mach_line *line, uint32_t word, uint8_t value);
/* Writes an L1's dirty words of a line on to the L2, where they are dirty; they stay, clean. */
void cache_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line);
/* Writes a cache's dirty words of a line to memory; they stay, clean. */
void cache_write_back(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line);
/* Drops the line from the cache, with the machine's bytes of it. */
void cache_drop(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line);

/* ---- Meetings ---- */

/* The last arrival at an execution barrier. A barrier wider than a work-group makes the
 * participants' writes visible and empties their L1s, by `invalidate` for each L1, in the order of
 * units. False when `invalidate` returns false. */
bool cache_hand_over(const struct mach_test *test, uint8_t *state, uint32_t thread,
                     bool (*invalidate)(const struct mach_test *test, uint8_t *state,
                                        uint32_t unit));

/* ---- Reduction and traces ---- */

/* May normal forms be used: has the machine no fault, and does it evict at any time? */
bool cache_may_reduce(const struct mach_test *test);

/* The name "L2" or "L1 0", in the view's arena. */
const char *cache_name(struct mach_view *view, uint32_t cache);
/* Opens a part with the words of a cache, or of DRAM or NVRAM; `*` marks dirty words. */
void cache_view(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                struct mach_view *view);
void mach_memory_view(const struct mach_test *test, const uint8_t *state, bool nvm,
                      struct mach_view *view);

#endif
