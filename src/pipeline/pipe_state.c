#include "pipeline/pipe_state.h"

#include <string.h>

/* ---- Bytes ---- */

static inline uint64_t get(const uint8_t *from, uint32_t bytes)
{
    BASE_ASSERT(bytes <= 8);
    uint64_t mask = 0;
    uint16_t two;
    if (bytes == 1)
        return *from;
    if (bytes == sizeof two) {
        memcpy(&two, from, sizeof two);
        return two;
    }
    for (uint32_t i = 0; i < bytes; i++)
        mask |= (uint64_t)from[i] << 8 * i;
    return mask;
}

static inline void put(uint8_t *to, uint32_t bytes, uint64_t mask)
{
    BASE_ASSERT(bytes > 0 && bytes <= 8);
    BASE_ASSERT(bytes == 8 || mask >> 8 * bytes == 0);
    uint16_t two = (uint16_t)mask;
    if (bytes == sizeof two) {
        memcpy(to, &two, sizeof two);
        return;
    }
    *to = (uint8_t)mask;
    for (uint32_t i = 1; i < bytes; i++)
        to[i] = (uint8_t)(mask >> 8 * i);
}

static void get_masks(const struct pipe_flow *flow, struct pipe_place place, uint64_t *masks)
{
    BASE_ASSERT(place.bytes % flow->plan->layout.entry_bytes == 0);
    uint32_t bytes = flow->plan->layout.entry_bytes;
    for (uint32_t i = 0; i < place.bytes / bytes; i++)
        masks[i] = get(flow->bytes + place.at + i * bytes, bytes);
}

static void put_masks(const struct pipe_flow *flow, struct pipe_place place, const uint64_t *masks)
{
    BASE_ASSERT(place.bytes % flow->plan->layout.entry_bytes == 0);
    uint32_t bytes = flow->plan->layout.entry_bytes;
    for (uint32_t i = 0; i < place.bytes / bytes; i++)
        put(flow->bytes + place.at + i * bytes, bytes, masks[i]);
}

/* LOCATION: its number and 1, or 0 where no entry is. */
enum { LOCATION, VALUE, INSTANCE, INSTANCE_BITS = 6 };

/* Entries of a run, in their order. `spilled`: of the spill those that are looked at. */
struct slots {
    const struct pipe_run *run;
    uint32_t taken, spilled;
};

/* Where the next one stands; 0 after the last. */
static inline uint32_t next_slot(const struct pipe_plan *plan, const uint8_t *state,
                                 struct slots *slots)
{
    BASE_ASSERT(slots->taken <= slots->run->count);
    const struct pipe_run *run = slots->run;
    if (slots->taken < run->count) {
        uint32_t at = run->at + slots->taken++ * plan->layout.size;
        return state[at + LOCATION] ? at : 0;
    }
    for (; slots->spilled < plan->spill_room; slots->spilled++) {
        uint32_t at = plan->spill_at + slots->spilled * plan->layout.size;
        uint32_t its = state[at + LOCATION] ? plan->run_of[state[at + LOCATION] - 1] : LIT_NONE;
        if (its > run->number)
            return 0;
        if (its == run->number) {
            slots->spilled++;
            return at;
        }
    }
    return 0;
}

static void get_entry(const struct pipe_plan *plan, const uint8_t *from, struct pipe_entry *entry)
{
    BASE_ASSERT(from[LOCATION] > 0);
    const struct pipe_layout *layout = &plan->layout;
    entry->location = (uint8_t)(from[LOCATION] - 1);
    entry->value = from[VALUE];
    entry->stage = from[INSTANCE] >> INSTANCE_BITS;
    entry->instance = from[INSTANCE] & ((1u << INSTANCE_BITS) - 1);
    BASE_ASSERT(entry->stage < plan->stages && entry->instance < plan->instances[entry->stage]);
    entry->writers = get(from + layout->writers, layout->mask_bytes);
    for (uint32_t i = 0; i < plan->owed_count; i++)
        entry->owed[i] = get(from + layout->owed + i * layout->mask_bytes, layout->mask_bytes);
    entry->before = layout->before ? get(from + layout->before, layout->entry_bytes) : 0;
    entry->turn = layout->turn ? from[layout->turn] : 0;
    entry->transaction = layout->transaction ? from[layout->transaction] : 0;
    entry->bypasses = layout->bypasses ? from[layout->bypasses] : 0;
}

static void put_entry(const struct pipe_plan *plan, uint8_t *to, const struct pipe_entry *entry)
{
    BASE_ASSERT(entry->stage < plan->stages && entry->instance < plan->instances[entry->stage]);
    BASE_ASSERT(entry->location < UINT8_MAX);
    const struct pipe_layout *layout = &plan->layout;
    to[LOCATION] = (uint8_t)(entry->location + 1);
    to[VALUE] = entry->value;
    to[INSTANCE] = (uint8_t)(entry->stage << INSTANCE_BITS | entry->instance);
    put(to + layout->writers, layout->mask_bytes, entry->writers);
    for (uint32_t i = 0; i < plan->owed_count; i++)
        put(to + layout->owed + i * layout->mask_bytes, layout->mask_bytes, entry->owed[i]);
    if (layout->before)
        put(to + layout->before, layout->entry_bytes, entry->before);
    if (layout->turn)
        to[layout->turn] = entry->turn;
    if (layout->transaction)
        to[layout->transaction] = entry->transaction;
    if (layout->bypasses)
        to[layout->bypasses] = entry->bypasses;
}

/* `spilled`: of the spill those of runs before; LIT_NONE: it is empty. */
static inline void load_run(struct pipe_flow *flow, const struct pipe_run *run, uint32_t *spilled)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t at = run->at, taken = 0;
    for (; taken < run->count && flow->bytes[at + LOCATION]; taken++, at += plan->layout.size) {
        BASE_ASSERT(flow->count <= MACH_PIPE_ENTRIES);
        get_entry(plan, flow->bytes + at, &flow->entries[flow->count++]);
    }
    if (taken < run->count || *spilled == LIT_NONE)
        return;
    struct slots slots = {run, run->count, *spilled};
    while ((at = next_slot(plan, flow->bytes, &slots)))
        get_entry(plan, flow->bytes + at, &flow->entries[flow->count++]);
    *spilled = slots.spilled;
}

static void begin_flow(struct pipe_flow *flow, const struct mach_test *test, const uint8_t *state)
{
    flow->test = test;
    flow->plan = pipe_plan(test);
    flow->bytes = (uint8_t *)(uintptr_t)state; /* who has a state to read saves nothing */
    flow->only = NULL;
    flow->count = flow->others = 0;
}

void pipe_load(struct pipe_flow *flow, const struct mach_test *test, const uint8_t *state)
{
    const struct pipe_plan *plan = pipe_plan(test);
    uint32_t count = state[plan->count_at];
    uint32_t spilled = plan->spill_room && state[plan->spill_at + LOCATION] ? 0 : LIT_NONE;
    begin_flow(flow, test, state);
    if (plan->apart)
        for (const struct pipe_run *run = plan->runs; flow->count < count; run++)
            load_run(flow, run, &spilled);
    else
        for (uint32_t at = plan->spill_at; flow->count < count; at += plan->layout.size)
            get_entry(plan, state + at, &flow->entries[flow->count++]);
    if (!plan->masks)
        return;
    get_masks(flow, plan->own_marks, flow->own_marks);
    get_masks(flow, plan->strand_marks, flow->strand_marks);
    get_masks(flow, plan->strands, flow->strands);
    for (uint32_t s = 0; s < plan->stages; s++)
        get_masks(flow, plan->instance_marks[s], flow->instance_marks[s]);
}

uint32_t pipe_load_run(struct pipe_flow *flow, const struct mach_test *test, const uint8_t *state,
                       uint32_t location, uint32_t number)
{
    BASE_ASSERT(location < test->program->location_count);
    const struct pipe_plan *plan = pipe_plan(test);
    const struct pipe_run *run = plan->home_of[location];
    if (!plan->apart ||
        (plan->spill_room && (state[plan->spill_at + LOCATION] ||
                              state[run->at + (run->count - 1) * plan->layout.size + LOCATION]))) {
        pipe_load(flow, test, state);
        return number;
    }
    begin_flow(flow, test, state);
    flow->only = run;
    load_run(flow, run, &(uint32_t){LIT_NONE});
    flow->others = state[plan->count_at] - flow->count;
    for (const struct pipe_run *before = plan->runs; before < run && number != LIT_NONE; before++)
        for (uint32_t i = 0; i < before->count; i++)
            number -= state[before->at + i * plan->layout.size + LOCATION] != 0;
    return number;
}

uint8_t pipe_image(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    const struct pipe_plan *plan = pipe_plan(test);
    struct slots slots = {.run = plan->home_of[location]};
    uint8_t value = state[plan->medium_at[location]];
    if (plan->durable == plan->stages || state[plan->count_at] == 0)
        return value;
    for (uint32_t at; (at = next_slot(plan, state, &slots));) {
        if (state[at + LOCATION] != location + 1)
            continue;
        if (state[at + INSTANCE] >> INSTANCE_BITS < plan->durable ||
            (plan->layout.transaction && state[at + plan->layout.transaction]))
            break;
        value = state[at + VALUE];
    }
    return value;
}

/* No entry is there any more. */
static void clear_slots(const struct pipe_plan *plan, uint8_t *bytes, uint32_t at, uint32_t count)
{
    uint32_t size = plan->layout.size;
    for (; count > 0 && bytes[at + LOCATION]; count--, at += size)
        memset(bytes + at, 0, size);
}

/* Entries from number `next` on, which are the run's, and those behind. Returns the number of the
 * first that is not. */
static uint32_t save_run(const struct pipe_flow *flow, const struct pipe_run *run, uint32_t next,
                         uint32_t *spilled)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t size = plan->layout.size, taken = 0;
    for (; next < flow->count && plan->run_of[flow->entries[next].location] == run->number;
         next++) {
        uint32_t at =
            taken < run->count ? run->at + taken++ * size : plan->spill_at + (*spilled)++ * size;
        BASE_ASSERT(taken <= run->count);
        put_entry(plan, flow->bytes + at, &flow->entries[next]);
    }
    clear_slots(plan, flow->bytes, run->at + taken * size, run->count - taken);
    return next;
}

void pipe_save(const struct pipe_flow *flow)
{
    BASE_ASSERT(flow->count + flow->others <= UINT8_MAX);
    const struct pipe_plan *plan = flow->plan;
    uint32_t next = 0, spilled = 0;
    flow->bytes[plan->count_at] = (uint8_t)(flow->count + flow->others);
    if (flow->only) {
        save_run(flow, flow->only, 0, &spilled);
        return;
    }
    for (uint32_t r = 0; plan->apart && r < plan->run_count; r++) {
        const struct pipe_run *run = &plan->runs[r];
        if (next < flow->count && plan->home_of[flow->entries[next].location] == run)
            next = save_run(flow, run, next, &spilled);
        else if (flow->bytes[run->at + LOCATION])
            clear_slots(plan, flow->bytes, run->at, run->count);
    }
    for (; next < flow->count; next++)
        put_entry(plan, flow->bytes + plan->spill_at + spilled++ * plan->layout.size,
                  &flow->entries[next]);
    clear_slots(plan, flow->bytes, plan->spill_at + spilled * plan->layout.size,
                plan->spill_room - spilled);
    if (!plan->masks)
        return;
    put_masks(flow, plan->own_marks, flow->own_marks);
    put_masks(flow, plan->strand_marks, flow->strand_marks);
    put_masks(flow, plan->strands, flow->strands);
    for (uint32_t s = 0; s < plan->stages; s++)
        put_masks(flow, plan->instance_marks[s], flow->instance_marks[s]);
}

/* ---- Masks ---- */

/* Calls for each mask of entries: of marks, with or without those of strands, and of what is
 * before. */
typedef void change_mask(uint64_t *mask, uint32_t a, uint32_t b);

static void each(struct pipe_place place, uint32_t bytes, uint64_t *masks, change_mask *change,
                 uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < place.bytes / bytes; i++)
        change(&masks[i], a, b);
}

static void each_mask(struct pipe_flow *flow, bool strands, change_mask *change, uint32_t a,
                      uint32_t b)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t bytes = plan->layout.entry_bytes;
    if (!plan->masks)
        return;
    each(plan->own_marks, bytes, flow->own_marks, change, a, b);
    each(plan->strand_marks, bytes, flow->strand_marks, change, a, b);
    if (strands)
        each(plan->strands, bytes, flow->strands, change, a, b);
    for (uint32_t s = 0; s < plan->stages; s++)
        each(plan->instance_marks[s], bytes, flow->instance_marks[s], change, a, b);
    for (uint32_t i = 0; i < flow->count; i++)
        change(&flow->entries[i].before, a, b);
}

static uint64_t below(uint32_t number)
{
    return (UINT64_C(1) << number) - 1;
}

static void clear_bit(uint64_t *mask, uint32_t number, uint32_t unused)
{
    (void)unused;
    *mask &= ~(UINT64_C(1) << number);
}

static void take_bit(uint64_t *mask, uint32_t number, uint32_t unused)
{
    (void)unused;
    *mask = (*mask & below(number)) | (*mask >> 1 & ~below(number));
}

static void make_room(uint64_t *mask, uint32_t number, uint32_t unused)
{
    (void)unused;
    *mask = (*mask & below(number)) | (*mask & ~below(number)) << 1;
}

static void move_bit(uint64_t *mask, uint32_t from, uint32_t to)
{
    uint64_t bit = *mask >> from & 1;
    take_bit(mask, from, 0);
    make_room(mask, to, 0);
    *mask |= bit << to;
}

uint64_t pipe_in_stage(const struct pipe_flow *flow, uint32_t stage)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        if (flow->entries[i].stage == stage && !pipe_is_open(flow->plan, &flow->entries[i]))
            mask |= UINT64_C(1) << i;
    return mask;
}

uint64_t pipe_in_instance(const struct pipe_flow *flow, uint32_t stage, uint32_t instance)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        if (flow->entries[i].stage == stage && flow->entries[i].instance == instance &&
            !pipe_is_open(flow->plan, &flow->entries[i]))
            mask |= UINT64_C(1) << i;
    return mask;
}

uint64_t pipe_written_by(const struct pipe_flow *flow, uint64_t writers)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        if (flow->entries[i].writers & writers)
            mask |= UINT64_C(1) << i;
    return mask;
}

uint64_t pipe_close(const struct pipe_flow *flow, uint64_t mask)
{
    uint64_t closed = mask;
    for (; mask; mask &= mask - 1)
        closed |= flow->entries[__builtin_ctzll(mask)].before;
    return closed;
}

/* ---- Runs ---- */

/* Where an entry stands that comes last to its instance. */
static uint32_t place_of(const struct pipe_flow *flow, const struct pipe_entry *entry)
{
    const uint32_t *run_of = flow->plan->run_of;
    uint32_t run = run_of[entry->location], number = 0;
    for (; number < flow->count; number++) {
        const struct pipe_entry *other = &flow->entries[number];
        uint32_t its = run_of[other->location];
        if (its != run
                ? its > run
                : other->stage < entry->stage || (other->stage == entry->stage &&
                                                  pipe_stage(flow->plan, entry->stage)->apart &&
                                                  other->instance > entry->instance))
            break;
    }
    return number;
}

static void take_out(struct pipe_flow *flow, uint32_t number)
{
    BASE_ASSERT(number < flow->count && flow->count <= MACH_PIPE_ENTRIES + 1);
    flow->count--;
    memmove(&flow->entries[number], &flow->entries[number + 1],
            (flow->count - number) * sizeof flow->entries[0]);
}

static void put_in(struct pipe_flow *flow, uint32_t number, const struct pipe_entry *entry)
{
    BASE_ASSERT(number <= flow->count && flow->count <= MACH_PIPE_ENTRIES);
    memmove(&flow->entries[number + 1], &flow->entries[number],
            (flow->count - number) * sizeof flow->entries[0]);
    flow->entries[number] = *entry;
    flow->count++;
}

void pipe_drop(struct pipe_flow *flow, uint32_t number)
{
    take_out(flow, number);
    each_mask(flow, true, take_bit, number, 0);
}

uint32_t pipe_insert(struct pipe_flow *flow, const struct pipe_entry *entry)
{
    uint32_t number = place_of(flow, entry);
    put_in(flow, number, entry);
    each_mask(flow, true, make_room, number, 0);
    return number;
}

uint32_t pipe_replace(struct pipe_flow *flow, uint32_t number, const struct pipe_entry *entry)
{
    each_mask(flow, false, clear_bit, number, 0);
    take_out(flow, number);
    uint32_t to = place_of(flow, entry);
    put_in(flow, to, entry);
    each_mask(flow, true, move_bit, number, to);
    return to;
}

void pipe_sort(struct pipe_flow *flow)
{
    uint32_t count = flow->count;
    for (uint32_t from = 0; from < count; from++) {
        const struct pipe_entry entry = flow->entries[from];
        flow->count = from; /* these stand where they belong */
        uint32_t to = place_of(flow, &entry);
        flow->count = count;
        if (to == from)
            continue;
        take_out(flow, from);
        put_in(flow, to, &entry);
        each_mask(flow, true, move_bit, from, to);
    }
}

uint32_t pipe_previous(const struct pipe_flow *flow, uint32_t number)
{
    BASE_ASSERT(number < flow->count);
    const uint32_t *run_of = flow->plan->run_of;
    uint32_t location = flow->entries[number].location;
    while (number-- > 0 && run_of[flow->entries[number].location] == run_of[location])
        if (flow->entries[number].location == location)
            return number;
    return LIT_NONE;
}

uint32_t pipe_newest(const struct pipe_flow *flow, uint32_t location)
{
    for (uint32_t i = flow->count; i-- > 0;)
        if (flow->entries[i].location == location)
            return i;
    return LIT_NONE;
}

uint32_t pipe_next_stage(const struct pipe_plan *plan, const uint8_t *state, uint32_t stage,
                         uint8_t bypasses)
{
    BASE_ASSERT(stage <= plan->stages);
    for (; stage < plan->stages; stage++) {
        const struct mach_pipe_stage *s = pipe_stage(plan, stage);
        if (!(bypasses >> stage & 1) && (s->variable == MACH_PIPE_VARIABLES ||
                                         state[plan->variables.at + s->variable] == s->value))
            break;
    }
    return stage;
}

/* ---- Obligations ---- */

bool pipe_is_owed(const struct pipe_flow *flow, uint64_t threads)
{
    return ANY(i, flow->count,
               ANY(slot, flow->plan->owed_count, flow->entries[i].owed[slot] & threads));
}

/* Of entries that stand from `at` on, up to `left`, which it counts. */
static inline uint64_t owed_at(const struct pipe_plan *plan, const uint8_t *state, uint32_t at,
                               uint32_t room, uint32_t *left)
{
    const struct pipe_layout *layout = &plan->layout;
    uint64_t owed = 0;
    for (; room > 0 && *left > 0 && state[at + LOCATION]; room--, --*left, at += layout->size)
        for (uint32_t slot = 0; slot < plan->owed_count; slot++)
            owed |= get(state + at + layout->owed + slot * layout->mask_bytes, layout->mask_bytes);
    return owed;
}

uint64_t pipe_owed(const struct pipe_plan *plan, const uint8_t *state)
{
    uint32_t left = state[plan->count_at];
    uint64_t owed = owed_at(plan, state, plan->spill_at, plan->spill_room, &left);
    for (const struct pipe_run *run = plan->runs; left > 0; run++)
        owed |= owed_at(plan, state, run->at, run->count, &left);
    return owed;
}

void pipe_owe(const struct pipe_plan *plan, struct pipe_entry *entry, uint32_t thread,
              uint32_t stage)
{
    BASE_ASSERT(stage < plan->stages);
    uint64_t bit = UINT64_C(1) << thread;
    for (uint32_t s = stage + 1; s < plan->stages; s++)
        if (plan->owed_slot[s] < MACH_PIPE_STAGES && entry->owed[plan->owed_slot[s]] & bit)
            return;
    for (uint32_t slot = 0; slot < plan->owed_count; slot++)
        entry->owed[slot] &= ~bit;
    entry->owed[plan->owed_slot[stage]] |= bit;
}
