/* Bytes of the machine's part: memory, the NVRAM (a value a location each), then a count and the
 * writes that are not durable yet, by location and oldest first: location, value, and a bit for
 * each work-item that wrote or read it. */
#include "fifo/ideal.h"

#include "base/bits.h"
#include "machine/mach_instr.h"
#include "machine/mach_reduce.h"
#include "machine/mach_symmetry.h"
#include "machine/mach_view.h"

#include <string.h>

/* A further write waits until one is durable. */
enum { MOST_PENDING = 32 };
enum { PENDING_LOCATION, PENDING_VALUE, PENDING_MASK };

static uint32_t locations(const struct mach_test *test)
{
    return test->program->location_count;
}

static uint32_t entry_bytes(const struct mach_test *test)
{
    return PENDING_MASK + (test->program->thread_count + 7) / 8;
}

static uint32_t pending_at(const struct mach_test *test)
{
    return test->machine_bytes + 2 * locations(test);
}

static uint8_t *pending(const struct mach_test *test, uint8_t *state)
{
    return state + pending_at(test);
}

static uint8_t *entry_of(const struct mach_test *test, uint8_t *state, uint32_t number)
{
    return pending(test, state) + 1 + number * entry_bytes(test);
}

static uint32_t ideal_size(struct mach_test *test, struct arena *arena)
{
    (void)arena;
    return pending_at(test) + 1 + MOST_PENDING * entry_bytes(test) - test->machine_bytes;
}

static void ideal_start(struct mach_test *test, uint8_t *state)
{
    uint8_t *memory = state + test->machine_bytes;
    mach_start_threads(test, state);
    for (uint32_t l = 0; l < locations(test); l++)
        memory[l] = memory[locations(test) + l] =
            mach_number(test, test->program->locations[l].init);
}

/* The number of entries up to and with those of a location. */
static uint32_t entries_upto(const struct mach_test *test, uint8_t *state, uint32_t location)
{
    uint32_t count = 0;
    while (count < pending(test, state)[0] &&
           entry_of(test, state, count)[PENDING_LOCATION] <= location)
        count++;
    return count;
}

static void touch(uint8_t *entry, uint32_t thread)
{
    entry[PENDING_MASK + thread / 8] |= (uint8_t)(1u << (thread % 8));
}

static void note_read(const struct mach_test *test, uint8_t *state, uint32_t thread,
                      uint32_t location)
{
    uint32_t upto = entries_upto(test, state, location);
    if (upto > 0 && entry_of(test, state, upto - 1)[PENDING_LOCATION] == location)
        touch(entry_of(test, state, upto - 1), thread);
}

static bool note_write(const struct mach_test *test, uint8_t *state, uint32_t thread,
                       uint32_t location, uint8_t value)
{
    uint32_t bytes = entry_bytes(test), at = entries_upto(test, state, location);
    uint8_t *count = pending(test, state), *entry = entry_of(test, state, at);
    if (*count == MOST_PENDING)
        return false;
    memmove(entry + bytes, entry, (*count - at) * bytes);
    memset(entry, 0, bytes);
    entry[PENDING_LOCATION] = (uint8_t)location;
    entry[PENDING_VALUE] = value;
    touch(entry, thread);
    ++*count;
    return true;
}

static bool access(struct mach_test *test, uint8_t *state, uint32_t thread,
                   const struct lit_instr *instr)
{
    uint32_t location = mach_location(test, state, thread, instr);
    uint8_t *memory = state + test->machine_bytes, number;
    if (lit_instruction_reads(instr->op))
        note_read(test, state, thread, location);
    if (!mach_access(test, state, thread, instr, location, memory[location], &number))
        return true;
    memory[location] = number;
    return !test->program->locations[location].nvm ||
           note_write(test, state, thread, location, number);
}

static bool run_instruction(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (lit_instruction_meets(instr->op)) {
        mach_set_status(test, state, thread, MACH_WAITING);
        if (instr->op == LIT_BARRIER && mach_all_wait(test, state, thread))
            mach_leave(test, state, thread);
        return true;
    }
    if (lit_instruction_accesses(instr->op) && !access(test, state, thread, instr))
        return false;
    mach_go_on(test, state, thread);
    return true;
}

/* Is something not durable yet that a work-item of the scope wrote or read? */
static bool is_behind(const struct mach_test *test, uint8_t *state, uint32_t thread)
{
    enum lit_scope scope = mach_instr(test, state, thread)->exec_scope;
    return ANY(i, pending(test, state)[0],
               ANY(u, test->program->thread_count,
                   entry_of(test, state, i)[PENDING_MASK + u / 8] >> (u % 8) & 1 &&
                       mach_is_member(test, thread, u, scope)));
}

static bool persist(const struct mach_test *test, uint8_t *state, uint32_t number)
{
    uint8_t *entry = entry_of(test, state, number), *count = pending(test, state);
    uint8_t location = entry[PENDING_LOCATION];
    uint32_t bytes = entry_bytes(test);
    if (number > 0 && entry_of(test, state, number - 1)[PENDING_LOCATION] == location)
        return false;
    state[test->machine_bytes + locations(test) + location] = entry[PENDING_VALUE];
    --*count;
    memmove(entry, entry + bytes, (*count - number) * bytes);
    memset(entry_of(test, state, *count), 0, bytes);
    return true;
}

static bool ideal_perform(struct mach_test *test, uint8_t *state, struct mach_step step)
{
    switch ((enum ideal_step)step.kind) {
    case IDEAL_RUN: return run_instruction(test, state, step.thread);
    case IDEAL_LEAVE:
        if (is_behind(test, state, step.thread))
            return false;
        mach_leave(test, state, step.thread);
        return true;
    case IDEAL_PERSIST: return persist(test, state, step.line);
    }
    BASE_UNREACHABLE("a step of the ideal machine");
}

static uint32_t ideal_enabled(struct mach_test *test, const uint8_t *state, struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (mach_status(test, state, t) == MACH_RUNNING)
            steps[count++] = (struct mach_step){.kind = IDEAL_RUN, .thread = (uint8_t)t};
        else if (mach_leads(test, state, t, false))
            steps[count++] = (struct mach_step){.kind = IDEAL_LEAVE, .thread = (uint8_t)t};
    for (uint32_t i = 0; i < state[pending_at(test)]; i++)
        steps[count++] = (struct mach_step){.kind = IDEAL_PERSIST, .line = (uint8_t)i};
    return count;
}

/* ---- Normal forms ---- */

/* A read of what nobody else writes any more. Of the write it reads, if that is pending, the
 * work-item's next persist barrier waits for; later it would have been durable by then, too. */
static bool is_settled_read(struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (mach_status(test, state, thread) != MACH_RUNNING || instr->op != LIT_LOAD ||
        mach_outlook(test, state, thread)->on_cycle)
        return false;
    uint32_t location = mach_location(test, state, thread, instr);
    return !mach_others_write(test, state, thread, test->line_of[location]);
}

/* Those whom nothing holds back any more: leaving early takes no step from anybody. */
static bool can_leave(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    return mach_leads(test, state, thread, false) && !mach_outlook(test, state, thread)->on_cycle &&
           !is_behind(test, state, thread);
}

/* Is there room for all that may still be written? */
static bool has_room(const struct mach_test *test, const uint8_t *state)
{
    uint32_t writes = state[pending_at(test)];
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        writes += mach_outlook(test, state, t)->nv_writes;
    return writes <= MOST_PENDING;
}

/* A store that nobody else reads or replaces. While it is pending only the work-item itself, or who
 * has met it since, waits for it; and it takes nobody's room, or, if no crash is asked about it, is
 * durable at once. */
static bool is_silent_store(struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    if (!mach_is_private_store(test, state, thread))
        return false;
    uint32_t location = mach_location(test, state, thread, mach_instr(test, state, thread));
    return !test->program->locations[location].nvm || has_room(test, state) ||
           (!mach_is_watched(test, location) && state[pending_at(test)] < MOST_PENDING);
}

/* The oldest of a location's that no crash is asked about: it only holds back. */
static bool persist_unasked(const struct mach_test *test, uint8_t *state)
{
    for (uint32_t i = 0; i < pending(test, state)[0]; i++)
        if (!mach_is_watched(test, entry_of(test, state, i)[PENDING_LOCATION]))
            return persist(test, state, i);
    return false;
}

static bool move_silently(struct mach_test *test, uint8_t *state)
{
    if (mach_run_silently(test, state,
                          MACH_SILENT_FENCES | MACH_SILENT_MEETINGS | MACH_SILENT_ARRIVALS) ||
        persist_unasked(test, state))
        return true;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (!mach_shows_any(test) && can_leave(test, state, t)) {
            mach_leave(test, state, t);
            return true;
        } else if ((!mach_is_shown(test, t) && is_settled_read(test, state, t)) ||
                   is_silent_store(test, state, t)) {
            BASE_CHECK(run_instruction(test, state, t));
            return true;
        }
    return false;
}

/* Who wrote a pending write matters to that work-item's own later persist barriers alone: a wider
 * one waits for it to arrive. */
static void forget_writers(const struct mach_test *test, uint8_t *state)
{
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        const struct mach_outlook *o = mach_outlook(test, state, t);
        for (uint32_t i = 0; !(o->lone + o->shared) && i < pending(test, state)[0]; i++)
            entry_of(test, state, i)[PENDING_MASK + t / 8] &= (uint8_t) ~(1u << (t % 8));
    }
}

/* Nobody reads it any more. What a condition sees of NVRAM is what is durable. */
static void forget_values(const struct mach_test *test, uint8_t *state)
{
    struct mach_lines read = {{0}};
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        mach_join_lines(&read, &mach_outlook(test, state, t)->reads);
    for (uint32_t l = 0; l < locations(test); l++)
        if (!mach_has_line(&read, test->line_of[l]) &&
            (test->program->locations[l].nvm || !mach_is_observed(test, l)))
            state[test->machine_bytes + l] = 0;
}

static void ideal_reduce(struct mach_test *test, uint8_t *state)
{
    while (move_silently(test, state))
        ;
    forget_writers(test, state);
    forget_values(test, state);
    mach_forget_registers(test, state);
}

/* ---- Other names ---- */

static bool ideal_describe(const struct mach_test *test, struct arena *arena,
                           struct mach_layout *layout)
{
    const struct mach_field values = {.of = MACH_OF_LOCATION,
                                      .holds = MACH_HOLDS_VALUE,
                                      .bytes = 1,
                                      .at = test->machine_bytes,
                                      .stride = 1,
                                      .copies = 2,
                                      .copy_stride = locations(test)};
    (void)arena;
    mach_layout_add(layout, &values);
    layout->units = MACH_UNITS_NONE;
    return true;
}

static void rename_entry(const struct mach_test *test, uint8_t *entry,
                         const struct mach_renaming *by)
{
    uint32_t location = entry[PENDING_LOCATION], threads = test->program->thread_count;
    uint8_t *mask = entry + PENDING_MASK;
    uint64_t touched = 0;
    for (uint32_t t = 0; t < threads; t++)
        touched |= (uint64_t)(mask[t / 8] >> t % 8 & 1) << t;
    touched = mach_renamed_threads(by, touched);
    memset(mask, 0, (threads + 7) / 8);
    BITS_EACH_IN_WORD (t, touched)
        touch(entry, t);
    entry[PENDING_VALUE] = mach_renamed_value(by, location, entry[PENDING_VALUE]);
    entry[PENDING_LOCATION] = by->locations[location];
}

static void ideal_rename(const struct mach_test *test, uint8_t *state,
                         const struct mach_renaming *by)
{
    uint32_t bytes = entry_bytes(test);
    uint8_t moved[PENDING_MASK + MACH_MAX_THREADS / 8];
    for (uint32_t i = 0; i < pending(test, state)[0]; i++) {
        uint32_t at = i;
        rename_entry(test, entry_of(test, state, i), by);
        memcpy(moved, entry_of(test, state, i), bytes);
        for (; at > 0 && entry_of(test, state, at - 1)[PENDING_LOCATION] > moved[PENDING_LOCATION];
             at--)
            memcpy(entry_of(test, state, at), entry_of(test, state, at - 1), bytes);
        memcpy(entry_of(test, state, at), moved, bytes);
    }
}

static uint8_t ideal_memory(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    bool nvm = test->program->locations[location].nvm;
    return state[test->machine_bytes + (nvm ? locations(test) : 0) + location];
}

static bool ideal_quiet(const struct mach_test *test, const uint8_t *state)
{
    return state[pending_at(test)] == 0;
}

static void ideal_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view)
{
    const uint8_t *memory = state + test->machine_bytes;
    uint8_t *bytes = (uint8_t *)(uintptr_t)state; /* the accessors serve both uses */
    mach_view_places(view, "memory");
    for (uint32_t l = 0; l < locations(test); l++)
        mach_view_place(view, l, memory[l], "");
    mach_view_queue(view, "not durable");
    for (uint32_t i = 0; i < pending(test, bytes)[0]; i++) {
        const uint8_t *entry = entry_of(test, bytes, i);
        mach_view_entry(view, "%s=%lld", test->program->locations[entry[PENDING_LOCATION]].name,
                        (long long)mach_value(test, entry[PENDING_VALUE]));
    }
    mach_view_places(view, "NVRAM");
    for (uint32_t l = 0; l < locations(test); l++)
        if (test->program->locations[l].nvm)
            mach_view_place(view, l, memory[locations(test) + l], "");
}

static void ideal_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
                       struct mach_view *view)
{
    const uint8_t *entry = entry_of(test, (uint8_t *)(uintptr_t)state, step.line);
    switch ((enum ideal_step)step.kind) {
    case IDEAL_RUN: mach_tell_thread(view, step.thread, "executes", NULL); break;
    case IDEAL_LEAVE:
        mach_tell_thread(view, step.thread, "leaves", "all of its scope is durable");
        break;
    case IDEAL_PERSIST:
        mach_tell_part(view, "NVRAM", "persists", "%s = %lld becomes durable",
                       test->program->locations[entry[PENDING_LOCATION]].name,
                       (long long)mach_value(test, entry[PENDING_VALUE]));
        break;
    }
}

const struct machine ideal_sc = {
    .name = "ideal-sc",
    .description = "one memory, and an NVRAM that takes writes in any order",
    .visibility = "hrf-direct",
    .persistency = "epoch",
    .size = ideal_size,
    .start = ideal_start,
    .enabled = ideal_enabled,
    .perform = ideal_perform,
    .memory = ideal_memory,
    .quiet = ideal_quiet,
    .reduce = ideal_reduce,
    .describe = ideal_describe,
    .rename = ideal_rename,
    .view = ideal_view,
    .tell = ideal_tell,
};
