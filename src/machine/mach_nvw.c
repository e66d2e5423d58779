/* Bytes of the machine's part: memory (a value a location), the L2 (a value and flags a
 * location), each L1 likewise, the FIFOs (a count and entries), writes under way to NVRAM (a count
 * and entries of a line and its words), and for each work-item whose marker it waits
 * for and how many are still on their way. Entries of FIFOs are lines, or markers with the
 * number of the work-item that leads its barrier. */
#include "machine/mach_nvw.h"

#include "machine/mach_instr.h"

#include <string.h>

enum { VALID = 1, DIRTY = 2 };
enum { MARKER = 0x80, NOT_WRITTEN = 0xff, MOST_UNDER_WAY = 4 };

#define NVW_STEPS(X)                                                                         \
    X(RUN, "executes")                                                                       \
    X(MARK, "appends its p_flush marker and stalls")                                         \
    X(L1_DEQUEUE, "L1 FIFO flushes its head")                                                \
    X(L1_MARKER, "L1 FIFO passes the marker on")                                             \
    X(L2_DEQUEUE, "L2 FIFO writes its head back") X(L2_MARKER, "L2 acknowledges the marker") \
        X(ACK, "NVRAM completes a write-back") X(L1_EVICT, "L1 evicts") X(L2_EVICT, "L2 evicts")

enum nvw_step {
#define X(name, text) NVW_##name,
    NVW_STEPS(X)
#undef X
};

/* ---- Where things stand ---- */

static uint32_t locations(const struct mach_test *test)
{
    return test->program->location_count;
}

static uint32_t cache_bytes(const struct mach_test *test)
{
    return 2 * locations(test);
}

static uint32_t fifo_size(const struct mach_test *test, uint32_t cache)
{
    return cache == 0 ? test->config.l2_fifo : test->config.l1_fifo;
}

/* A line and its words. */
static uint32_t way_bytes(const struct mach_test *test)
{
    return 1 + test->config.line_words;
}

static uint32_t memory_at(const struct mach_test *test)
{
    return test->machine_bytes;
}

/* Cache 0 is the L2, cache 1 + u the L1 of unit u. Values, then flags. */
static uint32_t cache_at(const struct mach_test *test, uint32_t cache)
{
    return memory_at(test) + locations(test) + cache * cache_bytes(test);
}

/* A count, then the entries, oldest first. */
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

/* Per work-item: who leads the barrier it is stalled by, and the markers still on their way. */
static uint32_t stalls_at(const struct mach_test *test)
{
    return way_at(test) + 1 + MOST_UNDER_WAY * way_bytes(test);
}

static uint8_t *memory_of(const struct mach_test *test, uint8_t *state)
{
    return state + memory_at(test);
}

static uint8_t *cache_of(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    return state + cache_at(test, cache);
}

static uint8_t *fifo_of(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    return state + fifo_at(test, cache);
}

static uint8_t *under_way(const struct mach_test *test, uint8_t *state)
{
    return state + way_at(test);
}

static uint8_t *stalls(const struct mach_test *test, uint8_t *state)
{
    return state + stalls_at(test);
}

static uint32_t nvw_size(const struct mach_test *test)
{
    return stalls_at(test) + 2 * test->program->thread_count - test->machine_bytes;
}

static void nvw_start(struct mach_test *test, uint8_t *state)
{
    mach_start_threads(test, state);
    for (uint32_t l = 0; l < locations(test); l++)
        memory_of(test, state)[l] = mach_number(test, test->program->locations[l].init);
}

/* ---- Caches ---- */

static bool is_nvm(const struct mach_test *test, uint32_t location)
{
    return test->program->locations[location].nvm;
}

static bool faulty(const struct mach_test *test, enum mach_fault fault)
{
    return mach_has_fault(&test->config, fault);
}

static bool push(const struct mach_test *test, uint8_t *state, uint32_t cache, uint8_t entry)
{
    uint8_t *fifo = fifo_of(test, state, cache), *last = fifo + fifo[0];
    if (fifo[0] == fifo_size(test, cache))
        return faulty(test, MACH_FAULT_OVERFLOW) && !(entry & MARKER);
    fifo[1 + fifo[0]++] = entry;
    if (entry & MARKER && last > fifo && faulty(test, MACH_FAULT_OVERTAKE)) {
        last[1] = last[0];
        last[0] = entry;
    }
    return true;
}

static void pop(uint8_t *fifo)
{
    fifo[0]--;
    memmove(fifo + 1, fifo + 2, fifo[0]);
    fifo[1 + fifo[0]] = 0;
}

static bool line_has(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line,
                     uint8_t flag)
{
    const uint8_t *flags = cache_of(test, state, cache) + locations(test);
    for (uint32_t l = 0; l < locations(test); l++)
        if (test->line_of[l] == line && flags[l] & flag)
            return true;
    return false;
}

static uint32_t line_location(const struct mach_test *test, uint32_t line)
{
    uint32_t l = 0;
    while (test->line_of[l] != line)
        l++;
    return l;
}

/* Is there room for one more line, or this one in the cache already? */
static bool has_room(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    uint32_t capacity = cache == 0 ? test->config.l2_lines : test->config.l1_lines, used = 0;
    if (capacity == 0 || line_has(test, state, cache, line, VALID))
        return true;
    for (uint32_t other = 0; other < test->line_count; other++)
        used += line_has(test, state, cache, other, VALID);
    return used < capacity;
}

static bool is_full(const struct mach_test *test, uint8_t *state, uint32_t cache)
{
    return !has_room(test, state, cache, test->line_count);
}

static void drop_line(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    uint8_t *values = cache_of(test, state, cache), *flags = values + locations(test);
    for (uint32_t l = 0; l < locations(test); l++)
        if (test->line_of[l] == line)
            values[l] = flags[l] = 0;
}

/* Memory as a read finds it: what is under way to it is newer. */
static uint8_t read_memory(const struct mach_test *test, uint8_t *state, uint32_t location)
{
    const uint8_t *way = under_way(test, state);
    uint32_t word = 0;
    uint8_t value = memory_of(test, state)[location];
    for (uint32_t l = 0; l < location; l++)
        word += test->line_of[l] == test->line_of[location];
    for (uint32_t i = 0; i < way[0]; i++) {
        const uint8_t *entry = way + 1 + i * way_bytes(test);
        if (entry[0] == test->line_of[location] && entry[1 + word] != NOT_WRITTEN)
            value = entry[1 + word];
    }
    return value;
}

/* Makes the words of a line valid, from the level below, but for those that are. */
static bool fill(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    if (!has_room(test, state, cache, line) || (cache != 0 && !fill(test, state, 0, line)))
        return false;
    uint8_t *values = cache_of(test, state, cache), *flags = values + locations(test);
    const uint8_t *below = cache_of(test, state, 0);
    for (uint32_t l = 0; l < locations(test); l++)
        if (test->line_of[l] == line && !(flags[l] & VALID)) {
            values[l] = cache != 0 ? below[l] : read_memory(test, state, l);
            flags[l] = VALID;
        }
    return true;
}

/* A word is written in a cache; NVRAM's is entered in the FIFO. */
static bool write_word(const struct mach_test *test, uint8_t *state, uint32_t cache,
                       uint32_t location, uint8_t value)
{
    uint32_t line = test->line_of[location];
    if (!has_room(test, state, cache, line) || (cache != 0 && !has_room(test, state, 0, line)))
        return false;
    uint8_t *values = cache_of(test, state, cache), *flags = values + locations(test);
    values[location] = value;
    flags[location] = VALID | DIRTY;
    return !is_nvm(test, location) || push(test, state, cache, (uint8_t)line);
}

/* An L1's dirty words of a line go to the L2 and stay, clean. One entry in its FIFO. */
static bool write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line)
{
    uint8_t *l1 = cache_of(test, state, 1 + unit), *l2 = cache_of(test, state, 0);
    uint32_t count = locations(test);
    if (!line_has(test, state, 1 + unit, line, DIRTY))
        return true;
    if (!has_room(test, state, 0, line))
        return false;
    for (uint32_t l = 0; l < count; l++)
        if (test->line_of[l] == line && l1[count + l] & DIRTY) {
            l2[l] = l1[l];
            l2[count + l] = VALID | DIRTY;
            l1[count + l] = VALID;
        }
    return !is_nvm(test, line_location(test, line)) || push(test, state, 0, (uint8_t)line);
}

static bool write_all_on(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    for (uint32_t line = 0; line < test->line_count; line++)
        if (!write_on(test, state, unit, line))
            return false;
    return true;
}

static bool invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit)
{
    if (!write_all_on(test, state, unit))
        return false;
    memset(cache_of(test, state, 1 + unit), 0, cache_bytes(test));
    return true;
}

/* The L2's dirty words of a line go to memory: to DRAM at once, to NVRAM they are under way. */
static bool write_back(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    uint8_t *l2 = cache_of(test, state, 0), *flags = l2 + locations(test);
    bool nvm = is_nvm(test, line_location(test, line));
    uint8_t *way = under_way(test, state), *entry = way + 1 + way[0] * way_bytes(test);
    uint32_t word = 0;
    if (!line_has(test, state, 0, line, DIRTY))
        return true;
    if (nvm && way[0] == MOST_UNDER_WAY)
        return false;
    for (uint32_t l = 0; l < locations(test); l++) {
        if (test->line_of[l] != line)
            continue;
        bool dirty = (flags[l] & DIRTY) != 0;
        if (nvm)
            entry[1 + word++] = dirty ? l2[l] : NOT_WRITTEN;
        else if (dirty)
            memory_of(test, state)[l] = l2[l];
        flags[l] &= (uint8_t)~DIRTY;
    }
    if (nvm) {
        entry[0] = (uint8_t)line;
        way[0]++;
    }
    return true;
}

/* ---- Instructions ---- */

static bool is_wide(const struct lit_instr *instr)
{
    return instr->order != LIT_ORDER_NA && instr->scope > LIT_SCOPE_WG;
}

static bool acquires(enum lit_order order)
{
    return order == LIT_ORDER_ACQ || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
}

static bool releases(enum lit_order order)
{
    return order == LIT_ORDER_REL || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
}

/* The cache an access performs in, made ready: a wider one leaves the L1, which first
 * writes on what a release promises, and forgets what an acquire must not find. */
static bool prepare(const struct mach_test *test, uint8_t *state, uint32_t thread,
                    const struct lit_instr *instr, uint32_t location, bool reads, bool writes,
                    uint32_t *cache)
{
    uint32_t unit = test->unit_of[thread], line = test->line_of[location];
    *cache = is_wide(instr) ? 0 : 1 + unit;
    if (!is_wide(instr))
        return true;
    if (writes && releases(instr->order) && !faulty(test, MACH_FAULT_CLEAN_RELEASE) &&
        !write_all_on(test, state, unit))
        return false;
    if (reads && acquires(instr->order) && !faulty(test, MACH_FAULT_NO_INVALIDATE))
        return invalidate(test, state, unit);
    if (!write_on(test, state, unit, line))
        return false;
    drop_line(test, state, 1 + unit, line);
    return true;
}

static bool access(struct mach_test *test, uint8_t *state, uint32_t thread,
                   const struct lit_instr *instr)
{
    uint32_t location = mach_location(test, state, thread, instr), cache;
    bool reads = instr->op != LIT_STORE, writes = instr->op != LIT_LOAD;
    if (!prepare(test, state, thread, instr, location, reads, writes, &cache) ||
        (reads && !fill(test, state, cache, test->line_of[location])))
        return false;
    uint8_t old = cache_of(test, state, cache)[location], number;
    return !mach_access(test, state, thread, instr, location, old, &number) ||
           write_word(test, state, cache, location, number);
}

static bool fence(const struct mach_test *test, uint8_t *state, uint32_t thread,
                  const struct lit_instr *instr)
{
    uint32_t unit = test->unit_of[thread];
    if (instr->scope <= LIT_SCOPE_WG)
        return true;
    if (releases(instr->order) && !write_all_on(test, state, unit))
        return false;
    return !acquires(instr->order) || invalidate(test, state, unit);
}

/* ---- Barriers ---- */

/* The last one has arrived: everybody leaves. A barrier wider than a work-group makes the
 * participants' writes visible and forgets what they had. */
static bool leave_together(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    enum lit_scope scope = mach_meeting_scope(instr);
    bool wide = scope > LIT_SCOPE_WG || instr->scope > LIT_SCOPE_WG;
    for (uint32_t u = 0; u < test->program->thread_count && !faulty(test, MACH_FAULT_BARRIER_KEEPS);
         u++)
        if (wide && mach_is_member(test, thread, u, scope) &&
            !invalidate(test, state, test->unit_of[u]))
            return false;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_is_member(test, thread, u, scope))
            mach_go_on(test, state, u);
    return true;
}

static bool arrive(struct mach_test *test, uint8_t *state, uint32_t thread,
                   const struct lit_instr *instr)
{
    mach_set_status(test, state, thread, MACH_WAITING);
    return instr->op == LIT_PBARRIER || !mach_all_wait(test, state, thread) ||
           leave_together(test, state, thread);
}

/* Those whom a barrier stalls: who waits in it. */
static void stall_scope(struct mach_test *test, uint8_t *state, uint32_t leader,
                        enum lit_scope scope)
{
    bool none = faulty(test, MACH_FAULT_NO_STALL), wrong = faulty(test, MACH_FAULT_WRONG_STALL);
    for (uint32_t u = 0; u < test->program->thread_count; u++) {
        bool member = mach_is_member(test, leader, u, scope);
        if (member && mach_status(test, state, u) != MACH_WAITING)
            continue;
        if (member && (none || wrong)) {
            mach_go_on(test, state, u);
        } else if (member || (wrong && mach_status(test, state, u) == MACH_RUNNING)) {
            mach_set_status(test, state, u, MACH_STALLED);
            stalls(test, state)[2 * u] = (uint8_t)leader;
        }
    }
}

/* Steps 2 of SPB's lists: markers into the FIFOs of the caches that may hold the scope's writes,
 * and the scope is stalled. */
static bool append_markers(struct mach_test *test, uint8_t *state, uint32_t leader)
{
    enum lit_scope scope = mach_meeting_scope(mach_instr(test, state, leader));
    bool wide = scope > LIT_SCOPE_WG;
    uint32_t first = wide ? 0 : test->unit_of[leader];
    uint32_t last = wide ? test->config.units - 1 : first;
    if (last > first && faulty(test, MACH_FAULT_UNIT_SKIPPED))
        last--;
    for (uint32_t unit = first; unit <= last; unit++)
        if (!push(test, state, 1 + unit, (uint8_t)(MARKER | leader)))
            return false;
    stalls(test, state)[2 * leader + 1] = (uint8_t)(last - first + 1);
    stall_scope(test, state, leader, scope);
    return true;
}

/* All writes before the marker are acknowledged: with its last marker the scope goes on. A
 * work-item stalled elsewhere (a fault) goes on where it stood. */
static void acknowledge(struct mach_test *test, uint8_t *state, uint32_t leader)
{
    uint8_t *stall = stalls(test, state);
    if (stall[2 * leader + 1] == 0 || --stall[2 * leader + 1] != 0)
        return;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_status(test, state, u) == MACH_STALLED && stall[2 * u] == leader) {
            stall[2 * u] = 0;
            if (mach_instr(test, state, u)->op == LIT_PBARRIER)
                mach_go_on(test, state, u);
            else
                mach_set_status(test, state, u, MACH_RUNNING);
        }
}

/* ---- Steps ---- */

static bool run(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    bool done = true;
    if (instr->op == LIT_BARRIER || instr->op == LIT_PBARRIER)
        return arrive(test, state, thread, instr);
    if (instr->op == LIT_FENCE)
        done = fence(test, state, thread, instr);
    else if (instr->op != LIT_CRASH)
        done = access(test, state, thread, instr);
    if (done)
        mach_go_on(test, state, thread);
    return done;
}

static bool has_marker(const uint8_t *fifo)
{
    for (uint32_t i = 0; i < fifo[0]; i++)
        if (fifo[1 + i] & MARKER)
            return true;
    return false;
}

static bool dequeue(struct mach_test *test, uint8_t *state, uint32_t cache)
{
    uint8_t *fifo = fifo_of(test, state, cache);
    uint8_t head = fifo[1];
    pop(fifo);
    if (!(head & MARKER))
        return cache == 0 ? write_back(test, state, head) : write_on(test, state, cache - 1, head);
    if (cache != 0 && !faulty(test, MACH_FAULT_NOT_DRAINED))
        return push(test, state, 0, head);
    if (cache == 0 && under_way(test, state)[0] && !faulty(test, MACH_FAULT_NO_ACK))
        return false;
    acknowledge(test, state, head & (uint8_t)~MARKER);
    return true;
}

static bool complete(const struct mach_test *test, uint8_t *state, uint32_t number)
{
    uint8_t *way = under_way(test, state), *entry = way + 1 + number * way_bytes(test);
    uint32_t word = 0;
    for (uint32_t i = 0; i < number; i++) /* writes to one line stay in order */
        if (way[1 + i * way_bytes(test)] == entry[0] && !faulty(test, MACH_FAULT_UNORDERED_LINE))
            return false;
    for (uint32_t l = 0; l < locations(test); l++)
        if (test->line_of[l] == entry[0]) {
            uint8_t value = entry[1 + word++];
            if (value != NOT_WRITTEN)
                memory_of(test, state)[l] = value;
        }
    way[0]--;
    memmove(entry, entry + way_bytes(test), (size_t)(way[0] - number) * way_bytes(test));
    memset(way + 1 + way[0] * way_bytes(test), 0, way_bytes(test));
    return true;
}

static bool evict(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line)
{
    for (uint32_t unit = 0; cache == 0 && unit < test->config.units; unit++)
        if (line_has(test, state, 1 + unit, line, VALID))
            return false; /* the L2 is inclusive: copies above leave first */
    bool bypass = cache != 0 && faulty(test, MACH_FAULT_EVICT_BYPASS);
    uint8_t entries = fifo_of(test, state, 0)[0];
    if (cache == 0 ? !write_back(test, state, line) : !write_on(test, state, cache - 1, line))
        return false;
    if (bypass && fifo_of(test, state, 0)[0] > entries)
        fifo_of(test, state, 0)[fifo_of(test, state, 0)[0]--] = 0;
    drop_line(test, state, cache, line);
    return true;
}

static bool nvw_perform(struct mach_test *test, uint8_t *state, struct mach_step step)
{
    switch ((enum nvw_step)step.kind) {
    case NVW_RUN: return run(test, state, step.thread);
    case NVW_MARK: return append_markers(test, state, step.thread);
    case NVW_L1_DEQUEUE:
    case NVW_L1_MARKER: return dequeue(test, state, 1 + step.unit);
    case NVW_L2_DEQUEUE:
    case NVW_L2_MARKER: return dequeue(test, state, 0);
    case NVW_ACK: return complete(test, state, step.line);
    case NVW_L1_EVICT: return evict(test, state, 1 + step.unit, step.line);
    case NVW_L2_EVICT: return evict(test, state, 0, step.line);
    }
    BASE_UNREACHABLE("a step of the machine");
}

/* Is this the first of those waiting at a persist barrier to which all have come? */
static bool leads(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (mach_status(test, state, thread) != MACH_WAITING || instr->op != LIT_PBARRIER ||
        !(faulty(test, MACH_FAULT_NO_WAIT) || mach_all_wait(test, state, thread)))
        return false;
    for (uint32_t u = 0; u < thread; u++)
        if (mach_is_member(test, thread, u, instr->scope) &&
            mach_status(test, state, u) == MACH_WAITING)
            return false;
    return true;
}

static uint32_t thread_steps(const struct mach_test *test, const uint8_t *state,
                             struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        enum mach_status status = mach_status(test, state, t);
        if (status == MACH_RUNNING)
            steps[count++] = (struct mach_step){.kind = NVW_RUN, .thread = (uint8_t)t};
        else if (leads(test, state, t))
            steps[count++] = (struct mach_step){.kind = NVW_MARK, .thread = (uint8_t)t};
    }
    return count;
}

static uint32_t fifo_steps(const struct mach_test *test, uint8_t *state, struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t cache = 0; cache <= test->config.units; cache++) {
        const uint8_t *fifo = fifo_of(test, state, cache);
        uint8_t unit = (uint8_t)(cache ? cache - 1 : 0);
        if (fifo[0] == 0)
            continue;
        if (fifo[1] & MARKER)
            steps[count++] =
                (struct mach_step){.kind = cache ? NVW_L1_MARKER : NVW_L2_MARKER, .unit = unit};
        else if (has_marker(fifo) || fifo[0] == fifo_size(test, cache))
            steps[count++] =
                (struct mach_step){.kind = cache ? NVW_L1_DEQUEUE : NVW_L2_DEQUEUE, .unit = unit};
    }
    for (uint32_t i = 0; i < under_way(test, state)[0]; i++)
        steps[count++] = (struct mach_step){.kind = NVW_ACK, .line = (uint8_t)i};
    return count;
}

static uint32_t evictions(const struct mach_test *test, uint8_t *state, struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t cache = 0; cache <= test->config.units; cache++)
        for (uint32_t line = 0; line < test->line_count; line++)
            if ((test->config.evict || is_full(test, state, cache)) &&
                line_has(test, state, cache, line, VALID))
                steps[count++] = (struct mach_step){.kind = cache ? NVW_L1_EVICT : NVW_L2_EVICT,
                                                    .unit = (uint8_t)(cache ? cache - 1 : 0),
                                                    .line = (uint8_t)line};
    return count;
}

static uint32_t nvw_enabled(struct mach_test *test, const uint8_t *state, struct mach_step *steps)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)state; /* the accessors serve both uses */
    uint32_t count = thread_steps(test, state, steps);
    count += fifo_steps(test, bytes, steps + count);
    count += evictions(test, bytes, steps + count);
    BASE_CHECK(count <= MACH_MAX_STEPS);
    return count;
}

static uint8_t nvw_memory(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    return memory_of(test, (uint8_t *)(uintptr_t)state)[location];
}

static bool nvw_quiet(const struct mach_test *test, const uint8_t *state)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)state;
    for (uint32_t cache = 0; cache <= test->config.units; cache++)
        for (uint32_t line = 0; line < test->line_count; line++)
            if (line_has(test, bytes, cache, line, DIRTY))
                return false;
    return under_way(test, bytes)[0] == 0;
}

static void nvw_print(const struct mach_test *test, struct mach_step step, struct strbuf *out)
{
    static const char *const texts[] = {
#define X(name, text) text,
        NVW_STEPS(X)
#undef X
    };
    if (step.kind == NVW_RUN || step.kind == NVW_MARK)
        strbuf_printf(out, "%s %s", test->program->threads[step.thread].name, texts[step.kind]);
    else
        strbuf_printf(out, "%s (unit %u, line %u)", texts[step.kind], step.unit, step.line);
}

const struct machine mach_nvw_fifo = {
    .name = "nvw-fifo",
    .description = "NVW-FIFOs beside each cache (SPB section 6.1)",
    .visibility = "hrf-direct",
    .persistency = "epoch",
    .size = nvw_size,
    .start = nvw_start,
    .enabled = nvw_enabled,
    .perform = nvw_perform,
    .memory = nvw_memory,
    .quiet = nvw_quiet,
    .print = nvw_print,
};
