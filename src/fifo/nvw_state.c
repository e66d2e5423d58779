/* A step that enters several lines in the L2's FIFO never has to wait for room: within the step a
 * full FIFO forces its head out, and a full queue to NVRAM completes its oldest write. */
#include "fifo/nvw_state.h"

#include "base/bits.h"
#include "litmus/lit_code.h"
#include "machine/mach_instr.h"
#include "machine/mach_symmetry.h"

#include <string.h>

enum { COUNT = 0, ENTRIES = 1 }; /* of a FIFO's bytes */

/* How many locations it may access. */
static uint32_t addressed(const struct lit_instr *instr)
{
    uint32_t elements = instr->addr.index ? instr->addr.count : 1;
    return lit_instruction_accesses(instr->op) ? elements : 0;
}

static bool may_access(const struct mach_test *test, const struct lit_instr *instr, uint32_t line)
{
    BASE_ASSERT(line < test->line_count);
    return ANY(i, addressed(instr), test->line_of[lit_address_element(&instr->addr, i)] == line);
}

/* Units whose work-items have an access of the line in their code. */
static uint32_t units_of(const struct mach_test *test, uint32_t line)
{
    BASE_ASSERT(line < test->line_count);
    uint32_t units = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        const struct lit_thread *thread = &test->program->threads[t];
        for (uint32_t pc = 0; pc < thread->code_count; pc++)
            if (may_access(test, &thread->code[pc], line))
                units |= 1u << test->unit_of[t];
    }
    return units;
}

/* Then there is no telling how much there is to keep, and what is kept makes states. */
static bool has_loop(const struct lit_program *program)
{
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t pc = 0; pc < program->threads[t].code_count; pc++) {
            struct lit_next next = lit_code_next(&program->threads[t], pc);
            for (uint32_t i = 0; i < next.count; i++)
                if (next.pcs[i] <= pc)
                    return true;
        }
    return false;
}

static bool writes_nvm(const struct mach_test *test, const struct lit_instr *instr)
{
    bool nvm = false;
    for (uint32_t i = 0; lit_instruction_writes(instr->op) && i < addressed(instr); i++)
        nvm |= test->program->locations[lit_address_element(&instr->addr, i)].nvm;
    return nvm;
}

static bool is_first_of_group(const struct mach_test *test, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return !ANY(u, thread, mach_is_member(test, thread, u, LIT_SCOPE_WG));
}

/* Without loops, how often the L2's FIFO is entered at most: once for each write to NVRAM, when it
 * leaves its L1 or is made in the L2, and by a marker of each L1 that a barrier concerns. All of a
 * work-group come to a barrier of theirs, so its first one's are as many as there are. */
static uint32_t most_entries(const struct mach_test *test)
{
    uint32_t entries = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        const struct lit_thread *thread = &test->program->threads[t];
        bool first = is_first_of_group(test, t);
        EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
            if (instr->op != LIT_PBARRIER)
                entries += writes_nvm(test, instr);
            else if (instr->scope < LIT_SCOPE_WG || first)
                entries += instr->exec_scope > LIT_SCOPE_WG ? test->config.units : 1;
        }
    }
    return entries;
}

enum { MOST_ROOM = 250 }; /* a count is a byte */

static uint32_t at_least(uint32_t room, uint32_t size)
{
    return size > room ? size : room < MOST_ROOM ? room : MOST_ROOM;
}

/* With a reduction, see nvw_way_room and nvw_fifo_size. */
static void find_room(struct mach_test *test)
{
    struct caches *caches = &test->caches;
    uint32_t lines = test->line_count - test->nv_line, most = 0;
    BASE_ASSERT(test->nv_line <= test->line_count);
    caches->way_room = NVW_MOST_UNDER_WAY;
    caches->l1_fifo_room = test->config.l1_fifo;
    caches->l2_fifo_room = test->config.l2_fifo;
    caches->sfifo_room =
        test->config.l1_sfifo < test->line_count ? test->config.l1_sfifo : test->line_count;
    if (!cache_may_reduce(test) || test->config.l1_lines || test->config.l2_lines ||
        has_loop(test->program) || most_entries(test) > test->config.l2_fifo)
        return;
    for (uint32_t line = test->nv_line; line < test->line_count; line++) {
        uint32_t units = bits_count(units_of(test, line));
        most = units > most ? units : most;
    }
    if (most <= 1)
        caches->way_room += lines;
    if (test->used_units == 1) {
        caches->l1_fifo_room = at_least(2 * lines + 2, caches->l1_fifo_room);
        caches->sfifo_room = test->line_count;
        caches->l2_fifo_room = at_least(4 * lines + 8, caches->l2_fifo_room);
    }
}

uint32_t nvw_size(struct mach_test *test, struct arena *arena)
{
    (void)arena;
    cache_lay_out(test, 1 + test->config.units, 0);
    find_room(test);
    return nvw_stalls_at(test) + 2 * test->program->thread_count - test->machine_bytes;
}

/* ---- Other names ---- */

/* Whatever barriers push into several FIFOs in one step, none of an L1 is full then: so the order
 * of units forces nothing out. */
static bool has_long_fifos(const struct mach_test *test)
{
    return !has_loop(test->program) && most_entries(test) <= test->config.l1_fifo;
}

bool nvw_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout)
{
    struct mach_field fifos = {.of = MACH_OF_UNIT,
                               .holds = MACH_HOLDS_NAMES,
                               .bytes = 1 + test->caches.l1_fifo_room,
                               .at = nvw_fifo_at(test, 1),
                               .stride = 1 + test->caches.l1_fifo_room,
                               .copies = 1};
    struct mach_field stalls = {.of = MACH_OF_THREAD,
                                .holds = MACH_HOLDS_THREAD,
                                .bytes = 1,
                                .at = nvw_stalls_at(test),
                                .stride = 2,
                                .copies = 1};
    cache_describe(test, arena, layout);
    if (mach_meets_beyond_group(test, LIT_PBARRIER) && !has_long_fifos(test))
        layout->units = MACH_UNITS_STAY;
    mach_layout_add(layout, &fifos);
    fifos.at = nvw_sfifo_at(test, 0);
    fifos.bytes = fifos.stride = 1 + test->caches.sfifo_room;
    mach_layout_add(layout, &fifos);
    mach_layout_add(layout, &stalls);
    stalls.at++;
    stalls.holds = MACH_HOLDS_BYTES;
    mach_layout_add(layout, &stalls);
    return true;
}

static void rename_entries(uint8_t *fifo, const struct mach_renaming *by)
{
    for (uint32_t i = 0; i < fifo[COUNT]; i++) {
        uint8_t *entry = &fifo[ENTRIES + i];
        *entry = *entry & NVW_MARKER ? NVW_MARKER | by->threads[*entry & (uint8_t)~NVW_MARKER]
                                     : by->lines[*entry];
    }
}

void nvw_rename(const struct mach_test *test, uint8_t *state, const struct mach_renaming *by)
{
    for (uint32_t cache = 0; cache < test->caches.count; cache++)
        rename_entries(nvw_fifo_of(test, state, cache), by);
    for (uint32_t unit = 0; unit < test->config.units; unit++)
        rename_entries(nvw_sfifo_of(test, state, unit), by);
    for (uint32_t i = 0; i < nvw_under_way(test, state)[COUNT]; i++) {
        uint8_t *entry = nvw_write_under_way(test, state, i), line = entry[0];
        BITS_EACH_IN_WORD (word, mach_words_of(test, line))
            entry[1 + word] =
                mach_renamed_value(by, mach_location_at(test, line, word), entry[1 + word]);
        entry[0] = by->lines[line];
    }
}

/* ---- FIFOs ---- */

bool nvw_has_marker(const uint8_t *fifo)
{
    return ANY(i, fifo[COUNT], fifo[ENTRIES + i] & NVW_MARKER);
}

/* The entry's place in a FIFO; its count when it is not there. */
static uint32_t find_entry(const uint8_t *fifo, uint8_t entry)
{
    uint32_t i = 0;
    while (i < fifo[COUNT] && fifo[ENTRIES + i] != entry)
        i++;
    return i;
}

void nvw_remove_at(uint8_t *fifo, uint32_t number)
{
    BASE_ASSERT(number < fifo[COUNT]);
    fifo[COUNT]--;
    memmove(fifo + ENTRIES + number, fifo + ENTRIES + number + 1, fifo[COUNT] - number);
    fifo[ENTRIES + fifo[COUNT]] = 0;
}

void nvw_pop(uint8_t *fifo)
{
    BASE_ASSERT(fifo[COUNT] > 0);
    nvw_remove_at(fifo, 0);
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
    return mach_has_fault(test, MACH_FAULT_FORCE_DROPS) || nvw_flush(test, state, cache, head);
}

bool nvw_push(const struct mach_test *test, uint8_t *state, uint32_t cache, uint8_t entry)
{
    uint8_t *fifo = nvw_fifo_of(test, state, cache), *last;
    bool marker = (entry & NVW_MARKER) != 0;
    if (!marker && mach_has_fault(test, MACH_FAULT_OVERFLOW) &&
        fifo[COUNT] == nvw_fifo_size(test, cache))
        return true;
    if (!make_room(test, state, cache))
        return false;
    BASE_ASSERT(fifo[COUNT] < nvw_fifo_size(test, cache));
    fifo[ENTRIES + fifo[COUNT]++] = entry;
    if (marker && fifo[COUNT] > 1 && mach_has_fault(test, MACH_FAULT_OVERTAKE)) {
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
    if (find_entry(sfifo, (uint8_t)line) < sfifo[COUNT])
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
    uint32_t at = find_entry(sfifo, (uint8_t)line);
    if (at < sfifo[COUNT])
        nvw_remove_at(sfifo, at);
}

/* ---- Lines ---- */

uint8_t nvw_read_memory(const struct mach_test *test, const uint8_t *state, uint32_t line,
                        uint32_t word)
{
    uint32_t bytes = nvw_way_bytes(test), count = nvw_under_way(test, state)[COUNT];
    const uint8_t *entry = nvw_write_under_way(test, state, 0);
    uint8_t value = mach_memory_of(test, state, line)[word];
    for (; count > 0; count--, entry += bytes)
        if (entry[0] == line && entry[1 + word] != NVW_NOT_WRITTEN)
            value = entry[1 + word];
    return value;
}

bool nvw_fill(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    struct mach_line *to = mach_line(test, state, cache, line);
    uint8_t missing = mach_words_of(test, line) & (uint8_t)~to->valid;
    if (!mach_has_room(test, state, cache, line) ||
        (cache != MACH_L2 && !nvw_fill(test, state, MACH_L2, line)))
        return false;
    if (cache != MACH_L2) {
        mach_line_copy(to, mach_line(test, state, MACH_L2, line), missing);
        return true;
    }
    BITS_EACH_IN_WORD (word, missing)
        to->words[word] = nvw_read_memory(test, state, line, word);
    to->valid |= missing;
    return true;
}

/* The line gets its place in the L2 whichever cache is written; an L1 fetches no words. */
bool nvw_write_word(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t location,
                    uint8_t value)
{
    BASE_ASSERT(location < test->program->location_count);
    uint32_t line = test->line_of[location];
    if (!mach_has_room(test, state, cache, line) || !nvw_fill(test, state, MACH_L2, line) ||
        (mach_is_nvm(test, line) && !nvw_push(test, state, cache, (uint8_t)line)) ||
        (cache != MACH_L2 && !enter_outstanding(test, state, cache - 1, line)))
        return false;
    mach_line_write(mach_line(test, state, cache, line), test->word_of[location], value);
    return true;
}

/* The L2 has the line, as it is inclusive. */
bool nvw_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(unit < test->config.units);
    leave_outstanding(test, state, unit, line);
    if (!mach_is_dirty(test, state, 1 + unit, line))
        return true;
    if (mach_is_nvm(test, line) && !nvw_push(test, state, MACH_L2, (uint8_t)line))
        return false;
    cache_write_on(test, state, unit, line);
    return true;
}

void nvw_drop_copy(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    BASE_ASSERT(unit < test->config.units);
    cache_drop(test, state, 1 + unit, line);
    leave_outstanding(test, state, unit, line);
}

bool nvw_invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    BASE_ASSERT(unit < test->config.units);
    const uint8_t *sfifo = nvw_sfifo_of(test, state, unit);
    while (sfifo[COUNT])
        if (!nvw_write_on(test, state, unit, sfifo[ENTRIES]))
            return false;
    for (uint32_t line = 0; line < test->line_count; line++) {
        if (!nvw_write_on(test, state, unit, line))
            return false;
        cache_drop(test, state, 1 + unit, line);
    }
    return true;
}

void nvw_write_back(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    struct mach_line *from = mach_line(test, state, MACH_L2, line);
    uint8_t *way = nvw_under_way(test, state);
    if (!mach_is_nvm(test, line))
        cache_write_back(test, state, MACH_L2, line);
    if (!from->dirty)
        return;
    if (way[COUNT] == nvw_way_room(test))
        BASE_CHECK(nvw_complete(test, state, 0));
    uint8_t *entry = nvw_write_under_way(test, state, way[COUNT]++);
    entry[0] = (uint8_t)line;
    memset(entry + 1, NVW_NOT_WRITTEN, test->config.line_words);
    BITS_EACH_IN_WORD (word, from->dirty)
        entry[1 + word] = from->words[word];
    from->dirty = 0;
}

bool nvw_flush(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    if (cache != MACH_L2)
        return nvw_write_on(test, state, cache - 1, line);
    nvw_write_back(test, state, line);
    return true;
}

bool nvw_complete(const struct mach_test *test, uint8_t *state, uint32_t number)
{
    uint32_t bytes = nvw_way_bytes(test);
    uint8_t *way = nvw_under_way(test, state), *entry = nvw_write_under_way(test, state, number);
    uint8_t *memory = mach_memory_of(test, state, entry[0]);
    for (uint32_t i = 0; i < number; i++) /* writes to one line stay in order */
        if (*nvw_write_under_way(test, state, i) == entry[0] &&
            !mach_has_fault(test, MACH_FAULT_UNORDERED_LINE))
            return false;
    for (uint32_t word = 0; word < test->config.line_words; word++)
        if (entry[1 + word] != NVW_NOT_WRITTEN)
            memory[word] = entry[1 + word];
    way[COUNT]--;
    memmove(entry, entry + bytes, (size_t)(way[COUNT] - number) * bytes);
    memset(nvw_write_under_way(test, state, way[COUNT]), 0, bytes);
    return true;
}
