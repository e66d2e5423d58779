/* Lines are short lists of locations; what happens to a line goes through its list. A step that
 * enters several lines in the L2's FIFO never has to wait for room: a full FIFO forces its head
 * out, and a full queue to NVRAM completes its oldest write, within the step. */
#include "machine/mach_nvw_state.h"

#include <string.h>

enum { COUNT = 0, ENTRIES = 1 }; /* of a FIFO's bytes */

/* ---- Where things stand ---- */

bool nvw_is_nvm(const struct mach_test *test, uint32_t location)
{
    return test->program->locations[location].nvm;
}

bool nvw_faulty(const struct mach_test *test, enum mach_fault fault)
{
    return mach_has_fault(&test->config, fault);
}

uint32_t nvw_size(const struct mach_test *test)
{
    return nvw_stalls_at(test) + 2 * test->program->thread_count - test->machine_bytes;
}

void nvw_start(struct mach_test *test, uint8_t *state)
{
    mach_start_threads(test, state);
    for (uint32_t l = 0; l < nvw_locations(test); l++)
        nvw_memory_of(test, state)[l] = mach_number(test, test->program->locations[l].init);
}

/* ---- FIFOs ---- */

bool nvw_has_marker(const uint8_t *fifo)
{
    for (uint32_t i = 0; i < fifo[COUNT]; i++)
        if (fifo[ENTRIES + i] & NVW_MARKER)
            return true;
    return false;
}

/* The entry's place in a FIFO; its count when it is not there. */
static uint32_t find(const uint8_t *fifo, uint8_t entry)
{
    uint32_t i = 0;
    while (i < fifo[COUNT] && fifo[ENTRIES + i] != entry)
        i++;
    return i;
}

static void remove_at(uint8_t *fifo, uint32_t at)
{
    fifo[COUNT]--;
    memmove(fifo + ENTRIES + at, fifo + ENTRIES + at + 1, fifo[COUNT] - at);
    fifo[ENTRIES + fifo[COUNT]] = 0;
}

void nvw_pop(uint8_t *fifo)
{
    remove_at(fifo, 0);
}

/* Room for one more entry: a full FIFO forces its head out, unless that is a marker. */
static bool make_room(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    uint8_t *fifo = nvw_fifo_of(test, state, cache), head = fifo[ENTRIES];
    if (fifo[COUNT] < nvw_fifo_size(test, cache))
        return true;
    if (head & NVW_MARKER)
        return false;
    nvw_pop(fifo);
    return nvw_faulty(test, MACH_FAULT_FORCE_DROPS) || nvw_flush(test, state, cache, head);
}

bool nvw_push(const struct mach_test *test, uint8_t *state, uint32_t cache, uint8_t entry)
{
    uint8_t *fifo = nvw_fifo_of(test, state, cache), *last;
    bool marker = (entry & NVW_MARKER) != 0;
    if (!marker && nvw_faulty(test, MACH_FAULT_OVERFLOW) &&
        fifo[COUNT] == nvw_fifo_size(test, cache))
        return true;
    if (!make_room(test, state, cache))
        return false;
    fifo[ENTRIES + fifo[COUNT]++] = entry;
    if (marker && fifo[COUNT] > 1 && nvw_faulty(test, MACH_FAULT_OVERTAKE)) {
        last = fifo + fifo[COUNT] - 1;
        last[1] = last[0];
        last[0] = entry;
    }
    return true;
}

/* A written line is outstanding until it is written on. A full S-FIFO forces its head's line
 * on. */
static bool enter_outstanding(const struct mach_test *test, uint8_t *state, uint32_t unit,
                              uint32_t line)
{
    uint8_t *sfifo = nvw_sfifo_of(test, state, unit);
    if (find(sfifo, (uint8_t)line) < sfifo[COUNT])
        return true;
    if (sfifo[COUNT] == nvw_sfifo_size(test) && !nvw_write_on(test, state, unit, sfifo[ENTRIES]))
        return false;
    sfifo[ENTRIES + sfifo[COUNT]++] = (uint8_t)line;
    return true;
}

static void leave_outstanding(const struct mach_test *test, uint8_t *state, uint32_t unit,
                              uint32_t line)
{
    uint8_t *sfifo = nvw_sfifo_of(test, state, unit);
    uint32_t at = find(sfifo, (uint8_t)line);
    if (at < sfifo[COUNT])
        remove_at(sfifo, at);
}

/* ---- Lines ---- */

uint8_t nvw_line_flags(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                       uint32_t line)
{
    const uint8_t *flags = state + nvw_cache_at(test, cache) + nvw_locations(test);
    uint8_t joined = 0;
    for (struct nvw_words w = nvw_words_of(test, line); w.at < w.end; w.at++)
        joined |= flags[*w.at];
    return joined;
}

bool nvw_line_has(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line,
                  uint8_t flag)
{
    return nvw_line_flags(test, state, cache, line) & flag;
}

uint32_t nvw_line_location(const struct mach_test *test, uint32_t line)
{
    return test->line_words[test->line_begin[line]];
}

static uint32_t capacity(const struct mach_test *test, uint32_t cache)
{
    return cache == 0 ? test->config.l2_lines : test->config.l1_lines;
}

bool nvw_is_full(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    uint32_t used = 0;
    if (capacity(test, cache) == 0)
        return false;
    for (uint32_t line = 0; line < test->line_count; line++)
        used += nvw_line_has(test, state, cache, line, NVW_VALID);
    return used >= capacity(test, cache);
}

/* Is there room for the line, or is it there already? */
static bool has_room(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    return capacity(test, cache) == 0 || nvw_line_has(test, state, cache, line, NVW_VALID) ||
           !nvw_is_full(test, state, cache);
}

void nvw_drop_line(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    uint8_t *values = nvw_cache_of(test, state, cache), *flags = values + nvw_locations(test);
    for (struct nvw_words w = nvw_words_of(test, line); w.at < w.end; w.at++)
        values[*w.at] = flags[*w.at] = 0;
    if (cache != 0)
        leave_outstanding(test, state, cache - 1, line);
}

uint8_t nvw_read_memory(const struct mach_test *test, uint8_t *state, uint32_t line,
                        const uint32_t *location)
{
    const uint8_t *way = nvw_under_way(test, state);
    uint32_t word = (uint32_t)(location - test->line_words) - test->line_begin[line];
    uint8_t value = nvw_memory_of(test, state)[*location];
    for (uint32_t i = 0; i < way[COUNT]; i++) {
        const uint8_t *entry = way + ENTRIES + i * nvw_way_bytes(test);
        if (entry[0] == line && entry[1 + word] != NVW_NOT_WRITTEN)
            value = entry[1 + word];
    }
    return value;
}

bool nvw_fill(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    if (!has_room(test, state, cache, line) || (cache != 0 && !nvw_fill(test, state, 0, line)))
        return false;
    uint8_t *values = nvw_cache_of(test, state, cache), *flags = values + nvw_locations(test);
    const uint8_t *below = nvw_cache_of(test, state, 0);
    for (struct nvw_words w = nvw_words_of(test, line); w.at < w.end; w.at++)
        if (!(flags[*w.at] & NVW_VALID)) {
            values[*w.at] = cache != 0 ? below[*w.at] : nvw_read_memory(test, state, line, w.at);
            flags[*w.at] = NVW_VALID;
        }
    return true;
}

/* The line gets its place in the L2 whichever cache is written; an L1 fetches no words. */
bool nvw_write_word(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t location,
                    uint8_t value)
{
    uint32_t line = test->line_of[location];
    bool nvm = nvw_is_nvm(test, location);
    if (!has_room(test, state, cache, line) || !nvw_fill(test, state, 0, line) ||
        (nvm && !nvw_push(test, state, cache, (uint8_t)line)) ||
        (cache != 0 && !enter_outstanding(test, state, cache - 1, line)))
        return false;
    uint8_t *values = nvw_cache_of(test, state, cache), *flags = values + nvw_locations(test);
    values[location] = value;
    flags[location] = NVW_VALID | NVW_DIRTY;
    return true;
}

/* The L2 has the line, as it is inclusive. */
bool nvw_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    uint8_t *l1 = nvw_cache_of(test, state, 1 + unit), *l2 = nvw_cache_of(test, state, 0);
    uint32_t count = nvw_locations(test);
    leave_outstanding(test, state, unit, line);
    if (!nvw_line_has(test, state, 1 + unit, line, NVW_DIRTY))
        return true;
    if (nvw_is_nvm(test, nvw_line_location(test, line)) && !nvw_push(test, state, 0, (uint8_t)line))
        return false;
    for (struct nvw_words w = nvw_words_of(test, line); w.at < w.end; w.at++)
        if (l1[count + *w.at] & NVW_DIRTY) {
            l2[*w.at] = l1[*w.at];
            l2[count + *w.at] = NVW_VALID | NVW_DIRTY;
            l1[count + *w.at] = NVW_VALID;
        }
    return true;
}

bool nvw_invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    for (uint32_t line = 0; line < test->line_count; line++)
        if (!nvw_write_on(test, state, unit, line))
            return false;
    memset(nvw_cache_of(test, state, 1 + unit), 0, nvw_cache_bytes(test));
    return true;
}

void nvw_write_back(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    uint8_t *l2 = nvw_cache_of(test, state, 0), *flags = l2 + nvw_locations(test);
    uint8_t *way = nvw_under_way(test, state), *memory = nvw_memory_of(test, state);
    bool nvm = nvw_is_nvm(test, nvw_line_location(test, line));
    if (!nvw_line_has(test, state, 0, line, NVW_DIRTY))
        return;
    if (nvm && way[COUNT] == NVW_MOST_UNDER_WAY)
        BASE_CHECK(nvw_complete(test, state, 0));
    uint8_t *entry = way + ENTRIES + way[COUNT] * nvw_way_bytes(test);
    if (nvm) {
        *entry++ = (uint8_t)line;
        way[COUNT]++;
    }
    for (struct nvw_words w = nvw_words_of(test, line); w.at < w.end; w.at++) {
        bool dirty = (flags[*w.at] & NVW_DIRTY) != 0;
        if (nvm)
            *entry++ = dirty ? l2[*w.at] : NVW_NOT_WRITTEN;
        else if (dirty)
            memory[*w.at] = l2[*w.at];
        flags[*w.at] &= (uint8_t)~NVW_DIRTY;
    }
}

bool nvw_flush(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    if (cache != 0)
        return nvw_write_on(test, state, cache - 1, line);
    nvw_write_back(test, state, line);
    return true;
}

bool nvw_complete(const struct mach_test *test, uint8_t *state, uint32_t number)
{
    uint32_t bytes = nvw_way_bytes(test);
    uint8_t *way = nvw_under_way(test, state), *entry = way + ENTRIES + number * bytes;
    uint8_t *memory = nvw_memory_of(test, state), *word = entry + 1;
    for (uint32_t i = 0; i < number; i++) /* writes to one line stay in order */
        if (way[ENTRIES + i * bytes] == entry[0] && !nvw_faulty(test, MACH_FAULT_UNORDERED_LINE))
            return false;
    for (struct nvw_words w = nvw_words_of(test, entry[0]); w.at < w.end; w.at++) {
        if (*word != NVW_NOT_WRITTEN)
            memory[*w.at] = *word;
        word++;
    }
    way[COUNT]--;
    memmove(entry, entry + bytes, (size_t)(way[COUNT] - number) * bytes);
    memset(way + ENTRIES + way[COUNT] * bytes, 0, bytes);
    return true;
}
