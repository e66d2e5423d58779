#include "machine/mach_nvw_state.h"

#include <string.h>

/* ---- Where things stand ---- */

uint32_t nvw_locations(const struct mach_test *test)
{
    return test->program->location_count;
}

uint32_t nvw_cache_bytes(const struct mach_test *test)
{
    return 2 * nvw_locations(test);
}

uint32_t nvw_fifo_size(const struct mach_test *test, uint32_t cache)
{
    return cache == 0 ? test->config.l2_fifo : test->config.l1_fifo;
}

uint32_t nvw_way_bytes(const struct mach_test *test)
{
    return 1 + test->config.line_words;
}

static uint32_t memory_at(const struct mach_test *test)
{
    return test->machine_bytes;
}

static uint32_t cache_at(const struct mach_test *test, uint32_t cache)
{
    return memory_at(test) + nvw_locations(test) + cache * nvw_cache_bytes(test);
}

static uint32_t fifo_at(const struct mach_test *test, uint32_t cache)
{
    uint32_t first = cache_at(test, 1 + test->config.units);
    return cache == 0 ? first
                      : first + 1 + test->config.l2_fifo + (cache - 1) * (1 + test->config.l1_fifo);
}

static uint32_t way_at(const struct mach_test *test)
{
    return fifo_at(test, 1 + test->config.units);
}

static uint32_t stalls_at(const struct mach_test *test)
{
    return way_at(test) + 1 + NVW_MOST_UNDER_WAY * nvw_way_bytes(test);
}

uint8_t *nvw_memory_of(const struct mach_test *test, uint8_t *state)
{
    return state + memory_at(test);
}

uint8_t *nvw_cache_of(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    return state + cache_at(test, cache);
}

uint8_t *nvw_fifo_of(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    return state + fifo_at(test, cache);
}

uint8_t *nvw_under_way(const struct mach_test *test, uint8_t *state)
{
    return state + way_at(test);
}

uint8_t *nvw_stalls(const struct mach_test *test, uint8_t *state)
{
    return state + stalls_at(test);
}

uint32_t nvw_size(const struct mach_test *test)
{
    return stalls_at(test) + 2 * test->program->thread_count - test->machine_bytes;
}

void nvw_start(struct mach_test *test, uint8_t *state)
{
    mach_start_threads(test, state);
    for (uint32_t l = 0; l < nvw_locations(test); l++)
        nvw_memory_of(test, state)[l] = mach_number(test, test->program->locations[l].init);
}

/* ---- Caches ---- */

bool nvw_is_nvm(const struct mach_test *test, uint32_t location)
{
    return test->program->locations[location].nvm;
}

bool nvw_faulty(const struct mach_test *test, enum mach_fault fault)
{
    return mach_has_fault(&test->config, fault);
}

bool nvw_push(const struct mach_test *test, uint8_t *state, uint32_t cache, uint8_t entry)
{
    uint8_t *fifo = nvw_fifo_of(test, state, cache), *last = fifo + fifo[0];
    if (fifo[0] == nvw_fifo_size(test, cache))
        return nvw_faulty(test, MACH_FAULT_OVERFLOW) && !(entry & NVW_MARKER);
    fifo[1 + fifo[0]++] = entry;
    if (entry & NVW_MARKER && last > fifo && nvw_faulty(test, MACH_FAULT_OVERTAKE)) {
        last[1] = last[0];
        last[0] = entry;
    }
    return true;
}

bool nvw_has_marker(const uint8_t *fifo)
{
    for (uint32_t i = 0; i < fifo[0]; i++)
        if (fifo[1 + i] & NVW_MARKER)
            return true;
    return false;
}

void nvw_pop(uint8_t *fifo)
{
    fifo[0]--;
    memmove(fifo + 1, fifo + 2, fifo[0]);
    fifo[1 + fifo[0]] = 0;
}

bool nvw_line_has(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line,
                  uint8_t flag)
{
    const uint8_t *flags = nvw_cache_of(test, state, cache) + nvw_locations(test);
    for (uint32_t l = 0; l < nvw_locations(test); l++)
        if (test->line_of[l] == line && flags[l] & flag)
            return true;
    return false;
}

uint32_t nvw_line_location(const struct mach_test *test, uint32_t line)
{
    uint32_t l = 0;
    while (test->line_of[l] != line)
        l++;
    return l;
}

bool nvw_has_room(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    uint32_t capacity = cache == 0 ? test->config.l2_lines : test->config.l1_lines, used = 0;
    if (capacity == 0 || nvw_line_has(test, state, cache, line, NVW_VALID))
        return true;
    for (uint32_t other = 0; other < test->line_count; other++)
        used += nvw_line_has(test, state, cache, other, NVW_VALID);
    return used < capacity;
}

bool nvw_is_full(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    return !nvw_has_room(test, state, cache, test->line_count);
}

void nvw_drop_line(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    uint8_t *values = nvw_cache_of(test, state, cache), *flags = values + nvw_locations(test);
    for (uint32_t l = 0; l < nvw_locations(test); l++)
        if (test->line_of[l] == line)
            values[l] = flags[l] = 0;
}

/* Memory as a read finds it: what is under way to it is newer. */
static uint8_t read_memory(const struct mach_test *test, uint8_t *state, uint32_t location)
{
    const uint8_t *way = nvw_under_way(test, state);
    uint32_t word = 0;
    uint8_t value = nvw_memory_of(test, state)[location];
    for (uint32_t l = 0; l < location; l++)
        word += test->line_of[l] == test->line_of[location];
    for (uint32_t i = 0; i < way[0]; i++) {
        const uint8_t *entry = way + 1 + i * nvw_way_bytes(test);
        if (entry[0] == test->line_of[location] && entry[1 + word] != NVW_NOT_WRITTEN)
            value = entry[1 + word];
    }
    return value;
}

bool nvw_fill(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    if (!nvw_has_room(test, state, cache, line) || (cache != 0 && !nvw_fill(test, state, 0, line)))
        return false;
    uint8_t *values = nvw_cache_of(test, state, cache), *flags = values + nvw_locations(test);
    const uint8_t *below = nvw_cache_of(test, state, 0);
    for (uint32_t l = 0; l < nvw_locations(test); l++)
        if (test->line_of[l] == line && !(flags[l] & NVW_VALID)) {
            values[l] = cache != 0 ? below[l] : read_memory(test, state, l);
            flags[l] = NVW_VALID;
        }
    return true;
}

bool nvw_write_word(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t location,
                    uint8_t value)
{
    uint32_t line = test->line_of[location];
    if (!nvw_has_room(test, state, cache, line) ||
        (cache != 0 && !nvw_has_room(test, state, 0, line)))
        return false;
    uint8_t *values = nvw_cache_of(test, state, cache), *flags = values + nvw_locations(test);
    values[location] = value;
    flags[location] = NVW_VALID | NVW_DIRTY;
    return !nvw_is_nvm(test, location) || nvw_push(test, state, cache, (uint8_t)line);
}

bool nvw_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    uint8_t *l1 = nvw_cache_of(test, state, 1 + unit), *l2 = nvw_cache_of(test, state, 0);
    uint32_t count = nvw_locations(test);
    if (!nvw_line_has(test, state, 1 + unit, line, NVW_DIRTY))
        return true;
    if (!nvw_has_room(test, state, 0, line))
        return false;
    for (uint32_t l = 0; l < count; l++)
        if (test->line_of[l] == line && l1[count + l] & NVW_DIRTY) {
            l2[l] = l1[l];
            l2[count + l] = NVW_VALID | NVW_DIRTY;
            l1[count + l] = NVW_VALID;
        }
    return !nvw_is_nvm(test, nvw_line_location(test, line)) ||
           nvw_push(test, state, 0, (uint8_t)line);
}

bool nvw_write_all_on(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    for (uint32_t line = 0; line < test->line_count; line++)
        if (!nvw_write_on(test, state, unit, line))
            return false;
    return true;
}

bool nvw_invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    if (!nvw_write_all_on(test, state, unit))
        return false;
    memset(nvw_cache_of(test, state, 1 + unit), 0, nvw_cache_bytes(test));
    return true;
}

bool nvw_write_back(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    uint8_t *l2 = nvw_cache_of(test, state, 0), *flags = l2 + nvw_locations(test);
    bool nvm = nvw_is_nvm(test, nvw_line_location(test, line));
    uint8_t *way = nvw_under_way(test, state), *entry = way + 1 + way[0] * nvw_way_bytes(test);
    uint32_t word = 0;
    if (!nvw_line_has(test, state, 0, line, NVW_DIRTY))
        return true;
    if (nvm && way[0] == NVW_MOST_UNDER_WAY)
        return false;
    for (uint32_t l = 0; l < nvw_locations(test); l++) {
        if (test->line_of[l] != line)
            continue;
        bool dirty = (flags[l] & NVW_DIRTY) != 0;
        if (nvm)
            entry[1 + word++] = dirty ? l2[l] : NVW_NOT_WRITTEN;
        else if (dirty)
            nvw_memory_of(test, state)[l] = l2[l];
        flags[l] &= (uint8_t)~NVW_DIRTY;
    }
    if (nvm) {
        entry[0] = (uint8_t)line;
        way[0]++;
    }
    return true;
}

bool nvw_complete(const struct mach_test *test, uint8_t *state, uint32_t number)
{
    uint8_t *way = nvw_under_way(test, state), *entry = way + 1 + number * nvw_way_bytes(test);
    uint32_t word = 0;
    for (uint32_t i = 0; i < number; i++) /* writes to one line stay in order */
        if (way[1 + i * nvw_way_bytes(test)] == entry[0] &&
            !nvw_faulty(test, MACH_FAULT_UNORDERED_LINE))
            return false;
    for (uint32_t l = 0; l < nvw_locations(test); l++)
        if (test->line_of[l] == entry[0]) {
            uint8_t value = entry[1 + word++];
            if (value != NVW_NOT_WRITTEN)
                nvw_memory_of(test, state)[l] = value;
        }
    way[0]--;
    memmove(entry, entry + nvw_way_bytes(test), (size_t)(way[0] - number) * nvw_way_bytes(test));
    memset(way + 1 + way[0] * nvw_way_bytes(test), 0, nvw_way_bytes(test));
    return true;
}
