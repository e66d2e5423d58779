/* mach_nvw_layout: where the parts of a state of nvw-fifo stand. Inline, as every step asks several
 * times. Private, like mach_nvw_state.h, which says what the parts are.
 *
 * The functions of a name in _at give offsets in a state. Cache 0 is the L2, cache 1 + u the L1 of
 * unit u. The accessors serve reading too: they change nothing.
 */
#ifndef CRASHLIT_MACH_NVW_LAYOUT_H
#define CRASHLIT_MACH_NVW_LAYOUT_H

#include "machine/mach.h"

/* Writes to NVRAM that may be under way. */
enum { NVW_MOST_UNDER_WAY = 4 };

static inline uint32_t nvw_locations(const struct mach_test *test)
{
    return test->program->location_count;
}

static inline uint32_t nvw_cache_bytes(const struct mach_test *test)
{
    return 2 * nvw_locations(test);
}

static inline uint32_t nvw_fifo_size(const struct mach_test *test, uint32_t cache)
{
    return cache == 0 ? test->config.l2_fifo : test->config.l1_fifo;
}

static inline uint32_t nvw_sfifo_size(const struct mach_test *test)
{
    return test->config.l1_sfifo < test->line_count ? test->config.l1_sfifo : test->line_count;
}

static inline uint32_t nvw_way_bytes(const struct mach_test *test)
{
    return 1 + test->config.line_words;
}

static inline uint32_t nvw_cache_at(const struct mach_test *test, uint32_t cache)
{
    return test->machine_bytes + nvw_locations(test) + cache * nvw_cache_bytes(test);
}

static inline uint32_t nvw_fifo_at(const struct mach_test *test, uint32_t cache)
{
    uint32_t first = nvw_cache_at(test, 1 + test->config.units);
    return cache == 0 ? first
                      : first + 1 + test->config.l2_fifo + (cache - 1) * (1 + test->config.l1_fifo);
}

static inline uint32_t nvw_sfifo_at(const struct mach_test *test, uint32_t unit)
{
    return nvw_fifo_at(test, 1 + test->config.units) + unit * (1 + nvw_sfifo_size(test));
}

static inline uint32_t nvw_way_at(const struct mach_test *test)
{
    return nvw_sfifo_at(test, test->config.units);
}

static inline uint32_t nvw_stalls_at(const struct mach_test *test)
{
    return nvw_way_at(test) + 1 + NVW_MOST_UNDER_WAY * nvw_way_bytes(test);
}

/* A value number for each location. */
static inline uint8_t *nvw_memory_of(const struct mach_test *test, uint8_t *state)
{
    return state + test->machine_bytes;
}

/* A value number for each location, then the flags of each. */
static inline uint8_t *nvw_cache_of(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    return state + nvw_cache_at(test, cache);
}

/* A count, then the entries, oldest first. */
static inline uint8_t *nvw_fifo_of(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    return state + nvw_fifo_at(test, cache);
}

/* A count, then the lines, oldest first. */
static inline uint8_t *nvw_sfifo_of(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    return state + nvw_sfifo_at(test, unit);
}

/* A count, then entries of nvw_way_bytes: a line and the value numbers of its words, or
 * NVW_NOT_WRITTEN. */
static inline uint8_t *nvw_under_way(const struct mach_test *test, uint8_t *state)
{
    return state + nvw_way_at(test);
}

/* Two bytes a work-item: who leads the barrier it is stalled by, and, of the leader, markers still
 * on their way, or NVW_ACKNOWLEDGED. */
static inline uint8_t *nvw_stalls(const struct mach_test *test, uint8_t *state)
{
    return state + nvw_stalls_at(test);
}

#endif
