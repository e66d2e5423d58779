#include "machine/mach_pipe_state.h"

#include <string.h>

/* ---- Bytes ---- */

static uint64_t get(const uint8_t *from, uint32_t bytes)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < bytes; i++)
        mask |= (uint64_t)from[i] << 8 * i;
    return mask;
}

static void put(uint8_t *to, uint32_t bytes, uint64_t mask)
{
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(mask >> 8 * i);
}

static void get_masks(const struct pipe_flow *flow, struct pipe_place place, uint64_t *masks)
{
    uint32_t bytes = flow->plan->layout.entry_bytes;
    for (uint32_t i = 0; i < place.bytes / bytes; i++)
        masks[i] = get(flow->bytes + place.at + i * bytes, bytes);
}

static void put_masks(const struct pipe_flow *flow, struct pipe_place place, const uint64_t *masks)
{
    uint32_t bytes = flow->plan->layout.entry_bytes;
    for (uint32_t i = 0; i < place.bytes / bytes; i++)
        put(flow->bytes + place.at + i * bytes, bytes, masks[i]);
}

enum { LOCATION, VALUE, INSTANCE, INSTANCE_BITS = 6 };

static void get_entry(const struct pipe_plan *plan, const uint8_t *from, struct pipe_entry *entry)
{
    const struct pipe_layout *layout = &plan->layout;
    *entry = (struct pipe_entry){.location = from[LOCATION],
                                 .value = from[VALUE],
                                 .stage = from[INSTANCE] >> INSTANCE_BITS,
                                 .instance = from[INSTANCE] & ((1u << INSTANCE_BITS) - 1),
                                 .writers = get(from + layout->writers, layout->mask_bytes)};
    for (uint32_t i = 0; i < plan->owed_count; i++)
        entry->owed[i] = get(from + layout->owed + i * layout->mask_bytes, layout->mask_bytes);
    if (layout->before)
        entry->before = get(from + layout->before, layout->entry_bytes);
    if (layout->turn)
        entry->turn = from[layout->turn];
    if (layout->transaction)
        entry->transaction = from[layout->transaction];
    if (layout->bypasses)
        entry->bypasses = from[layout->bypasses];
}

static void put_entry(const struct pipe_plan *plan, uint8_t *to, const struct pipe_entry *entry)
{
    const struct pipe_layout *layout = &plan->layout;
    to[LOCATION] = entry->location;
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

void pipe_load(struct pipe_flow *flow, const struct mach_test *test, const uint8_t *state)
{
    const struct pipe_plan *plan = pipe_plan(test);
    flow->test = test;
    flow->plan = plan;
    flow->bytes = (uint8_t *)(uintptr_t)state; /* who has a state to read saves nothing */
    flow->count = state[plan->count_at];
    for (uint32_t i = 0; i < flow->count; i++)
        get_entry(plan, state + plan->entries_at + i * plan->layout.size, &flow->entries[i]);
    if (!plan->masks)
        return;
    get_masks(flow, plan->own_marks, flow->own_marks);
    get_masks(flow, plan->strand_marks, flow->strand_marks);
    get_masks(flow, plan->strands, flow->strands);
    for (uint32_t s = 0; s < plan->stages; s++)
        get_masks(flow, plan->instance_marks[s], flow->instance_marks[s]);
}

void pipe_save(const struct pipe_flow *flow)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t size = plan->layout.size, before = flow->bytes[plan->count_at];
    uint8_t *at = flow->bytes + plan->entries_at;
    for (uint32_t i = 0; i < flow->count; i++)
        put_entry(plan, at + i * size, &flow->entries[i]);
    if (before > flow->count)
        memset(at + flow->count * size, 0, (before - flow->count) * size);
    flow->bytes[plan->count_at] = (uint8_t)flow->count;
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

static bool is_apart(const struct pipe_flow *flow, uint32_t stage)
{
    return pipe_stage(flow->plan, stage)->apart;
}

/* Where an entry stands that comes last to its instance. */
static uint32_t place_of(const struct pipe_flow *flow, const struct pipe_entry *entry)
{
    const uint32_t *run_of = flow->plan->run_of;
    uint32_t run = run_of[entry->location], number = 0;
    for (; number < flow->count; number++) {
        const struct pipe_entry *other = &flow->entries[number];
        uint32_t its = run_of[other->location];
        if (its != run ? its > run
                       : other->stage < entry->stage ||
                             (other->stage == entry->stage && is_apart(flow, entry->stage) &&
                              other->instance > entry->instance))
            break;
    }
    return number;
}

static void take_out(struct pipe_flow *flow, uint32_t number)
{
    flow->count--;
    memmove(&flow->entries[number], &flow->entries[number + 1],
            (flow->count - number) * sizeof flow->entries[0]);
}

static void put_in(struct pipe_flow *flow, uint32_t number, const struct pipe_entry *entry)
{
    memmove(&flow->entries[number + 1], &flow->entries[number],
            (flow->count - number) * sizeof flow->entries[0]);
    flow->entries[number] = *entry;
    flow->count++;
}

static void drop(struct pipe_flow *flow, uint32_t number)
{
    take_out(flow, number);
    each_mask(flow, true, take_bit, number, 0);
}

uint32_t pipe_previous(const struct pipe_flow *flow, uint32_t number)
{
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
    for (; stage < plan->stages; stage++) {
        const struct mach_pipe_stage *s = pipe_stage(plan, stage);
        if (!(bypasses >> stage & 1) && (s->variable == MACH_PIPE_VARIABLES ||
                                         state[plan->variables.at + s->variable] == s->value))
            break;
    }
    return stage;
}

/* ---- Arrival ---- */

/* What an entry has to be behind that comes to an instance last. Of older versions and of a line
 * those that are there. */
static uint64_t behind(const struct pipe_flow *flow, const struct pipe_entry *entry,
                       uint32_t number)
{
    const struct pipe_plan *plan = flow->plan;
    const struct mach_pipe_stage *stage = pipe_stage(plan, entry->stage);
    if (stage->order != MACH_PIPE_ORDER_MARKS)
        return 0;
    uint64_t mask = plan->instance_marks[entry->stage].bytes
                        ? flow->instance_marks[entry->stage][entry->instance]
                        : 0;
    for (uint64_t writers = entry->writers; writers; writers &= writers - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(writers);
        mask |= plan->own_marks.bytes ? flow->own_marks[t] : 0;
        if (plan->strand_marks.bytes && flow->strands[t] >> number & 1)
            mask |= flow->strand_marks[t];
    }
    mask &= pipe_in_instance(flow, entry->stage, entry->instance);
    return pipe_close(flow, mask & ~(UINT64_C(1) << number));
}

/* The turn of who comes last to a queue. */
static uint8_t last_turn(const struct pipe_flow *flow, uint32_t stage, uint32_t instance,
                         uint32_t number)
{
    uint8_t turn = 0;
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        if (i != number && entry->stage == stage && entry->instance == instance &&
            !pipe_is_open(flow->plan, entry) && entry->turn >= turn)
            turn = (uint8_t)(entry->turn + 1);
    }
    return turn;
}

/* May the entry, which has come last to the instance, be one with the version before it? */
static bool merges(const struct pipe_flow *flow, uint32_t number, uint32_t with)
{
    const struct pipe_entry *new = &flow->entries[number], *old = &flow->entries[with];
    const struct mach_pipe_stage *stage = pipe_stage(flow->plan, new->stage);
    if (!stage->merge || stage->group || old->stage != new->stage ||
        old->instance != new->instance || old->bypasses != new->bypasses ||
        (stage->lines && with + 1 != number))
        return false;
    if (old->transaction != new->transaction &&
        !mach_has_fault(flow->test, MACH_FAULT_PIPE_OVERWRITTEN))
        return false;
    if (stage->order == MACH_PIPE_ORDER_FIFO)
        return new->turn == old->turn + 1;
    return !(new->before & ~old->before);
}

static void merge(struct pipe_flow *flow, uint32_t number, uint32_t with)
{
    struct pipe_entry *new = &flow->entries[number], *old = &flow->entries[with];
    old->value = new->value;
    old->writers |= new->writers;
    for (uint32_t stage = flow->plan->stages; stage-- > 0;) {
        uint8_t slot = flow->plan->owed_slot[stage];
        for (uint64_t owed = slot < MACH_PIPE_STAGES ? new->owed[slot] : 0; owed; owed &= owed - 1)
            pipe_owe(flow->plan, old, (uint32_t)__builtin_ctzll(owed), stage);
    }
    for (uint32_t t = 0; flow->plan->strands.bytes && t < flow->test->program->thread_count; t++)
        if (flow->strands[t] >> number & 1)
            flow->strands[t] |= UINT64_C(1) << with;
    drop(flow, number);
}

/* Entry `number` stands where it belongs and has just come to its stage. `with_last`: it is of the
 * group that came last. */
static void arrive(struct pipe_flow *flow, uint32_t number, bool with_last)
{
    const struct pipe_plan *plan = flow->plan;
    struct pipe_entry *entry = &flow->entries[number];
    const struct mach_pipe_stage *stage = pipe_stage(plan, entry->stage);
    entry->bypasses &= (uint8_t) ~((2u << entry->stage) - 1);
    entry->before = 0;
    entry->turn = 0;
    if (pipe_is_open(plan, entry))
        return;
    entry->before = behind(flow, entry, number);
    if (stage->group || stage->order == MACH_PIPE_ORDER_FIFO)
        entry->turn = last_turn(flow, entry->stage, entry->instance, number);
    if (with_last && stage->group)
        entry->turn--;
    uint32_t previous = pipe_previous(flow, number);
    if (previous != LIT_NONE && merges(flow, number, previous))
        merge(flow, number, previous);
}

/* ---- Leaving ---- */

static bool is_of_group(const struct pipe_flow *flow, uint32_t a, uint32_t b)
{
    const struct pipe_entry *x = &flow->entries[a], *y = &flow->entries[b];
    return x->stage == y->stage && x->instance == y->instance && x->turn == y->turn &&
           !pipe_is_open(flow->plan, x) && !pipe_is_open(flow->plan, y);
}

static bool moves_as_group(const struct pipe_flow *flow, uint32_t number)
{
    return pipe_stage(flow->plan, flow->entries[number].stage)->group &&
           !mach_has_fault(flow->test, MACH_FAULT_PIPE_TORN);
}

bool pipe_leads_group(const struct pipe_flow *flow, uint32_t number)
{
    for (uint32_t i = 0; moves_as_group(flow, number) && i < number; i++)
        if (is_of_group(flow, i, number))
            return false;
    return true;
}

/* The instance of a stage, its own or one further on, that an entry is in or would come to. */
static uint8_t instance_in(const struct pipe_plan *plan, const struct pipe_entry *entry,
                           uint32_t stage)
{
    return stage == entry->stage ? entry->instance
                                 : plan->next_instance[entry->stage][entry->instance][stage];
}

/* Would it overtake one that came before it to its line's stage? */
static bool leaves_line(const struct pipe_flow *flow, uint32_t number)
{
    const struct pipe_plan *plan = flow->plan;
    const struct pipe_entry *entry = &flow->entries[number], *last = entry - 1;
    const struct mach_pipe_stage *stage = pipe_stage(plan, entry->stage);
    return stage->lines && number > 0 &&
           plan->run_of[last->location] == plan->run_of[entry->location] &&
           last->stage == entry->stage && (!stage->apart || last->instance == entry->instance);
}

/* Would it overtake an older version? Those in other instances of an `apart` stage do not count. */
static bool leaves_older(const struct pipe_flow *flow, uint32_t number)
{
    const struct pipe_plan *plan = flow->plan;
    const struct pipe_entry *entry = &flow->entries[number];
    uint32_t next = pipe_next_stage(plan, flow->bytes, entry->stage + 1u, entry->bypasses);
    for (uint32_t i = pipe_previous(flow, number); i != LIT_NONE; i = pipe_previous(flow, i)) {
        const struct pipe_entry *older = &flow->entries[i];
        if (older->stage >= next)
            return false;
        if (!is_apart(flow, older->stage) ||
            older->instance == instance_in(plan, entry, older->stage))
            return true;
    }
    return false;
}

static bool keeps_versions(const struct pipe_flow *flow, uint32_t number)
{
    return mach_has_fault(flow->test, MACH_FAULT_PIPE_OLDER_LAST) ||
           (!leaves_line(flow, number) && !leaves_older(flow, number));
}

static bool may_move_alone(const struct pipe_flow *flow, uint32_t number)
{
    const struct pipe_plan *plan = flow->plan;
    const struct pipe_entry *entry = &flow->entries[number];
    const struct mach_pipe_stage *stage = pipe_stage(plan, entry->stage);
    if (pipe_is_open(plan, entry) ||
        (stage->hold && entry->transaction && !mach_has_fault(flow->test, MACH_FAULT_PIPE_HELD)))
        return false;
    if (!mach_has_fault(flow->test, MACH_FAULT_PIPE_ORDER) &&
        (entry->before || (stage->order == MACH_PIPE_ORDER_FIFO && entry->turn > 0)))
        return false;
    return keeps_versions(flow, number);
}

bool pipe_may_move(const struct pipe_flow *flow, uint32_t number)
{
    bool may = may_move_alone(flow, number);
    for (uint32_t i = 0; may && moves_as_group(flow, number) && i < flow->count; i++)
        may = !is_of_group(flow, i, number) || may_move_alone(flow, i);
    return may;
}

/* Those behind a turn of which nobody is left. */
static void close_up(struct pipe_flow *flow, uint32_t stage, uint32_t instance, uint8_t turn)
{
    uint64_t behind_it = 0;
    if (!pipe_stage(flow->plan, stage)->group &&
        pipe_stage(flow->plan, stage)->order != MACH_PIPE_ORDER_FIFO)
        return;
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        if (entry->stage != stage || entry->instance != instance || pipe_is_open(flow->plan, entry))
            continue;
        if (entry->turn == turn)
            return;
        behind_it |= entry->turn > turn ? UINT64_C(1) << i : 0;
    }
    for (uint32_t i = 0; i < flow->count; i++)
        if (behind_it >> i & 1)
            flow->entries[i].turn--;
}

static void clear_owed(const struct pipe_plan *plan, struct pipe_entry *entry, uint32_t upto)
{
    for (uint32_t stage = entry->stage; stage < upto; stage++)
        if (plan->owed_slot[stage] < MACH_PIPE_STAGES)
            entry->owed[plan->owed_slot[stage]] = 0;
}

/* Out of its stage, and to the next. */
static void move_one(struct pipe_flow *flow, uint32_t number, bool with_last)
{
    const struct pipe_plan *plan = flow->plan;
    struct pipe_entry entry = flow->entries[number];
    uint32_t next = pipe_next_stage(plan, flow->bytes, entry.stage + 1u, entry.bypasses);
    if (next == plan->stages) {
        *pipe_medium(plan, flow->bytes, entry.location) = entry.value;
        drop(flow, number);
        return;
    }
    each_mask(flow, false, clear_bit, number, 0);
    clear_owed(plan, &entry, next);
    entry.instance = plan->next_instance[entry.stage][entry.instance][next];
    entry.stage = (uint8_t)next;
    take_out(flow, number);
    uint32_t to = place_of(flow, &entry);
    put_in(flow, to, &entry);
    each_mask(flow, true, move_bit, number, to);
    arrive(flow, to, with_last);
}

void pipe_move(struct pipe_flow *flow, uint32_t number)
{
    const struct pipe_entry first = flow->entries[number];
    bool group = moves_as_group(flow, number);
    move_one(flow, number, false);
    for (uint32_t i = 0; group && i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        if (entry->stage != first.stage || entry->instance != first.instance ||
            entry->turn != first.turn || pipe_is_open(flow->plan, entry))
            continue;
        move_one(flow, i, true);
        i = LIT_NONE; /* those that are left may stand elsewhere */
    }
    close_up(flow, first.stage, first.instance, first.turn);
}

/* ---- Stores ---- */

/* Would a store, of an instance of the first stage it enters, overtake an older version? */
static bool overtakes(const struct pipe_flow *flow, uint32_t thread, uint32_t location,
                      uint32_t stage)
{
    const struct pipe_plan *plan = flow->plan;
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        if (entry->location == location && entry->stage < stage &&
            (!is_apart(flow, entry->stage) ||
             entry->instance == plan->instance_of[entry->stage][thread]))
            return true;
    }
    return false;
}

/* The location's entry in the open write set of the work-item, or of others. */
static uint32_t find_open(const struct pipe_flow *flow, uint32_t thread, uint32_t location,
                          bool own)
{
    for (uint32_t i = 0; i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        if (entry->location == location && pipe_is_open(flow->plan, entry) &&
            (entry->transaction == thread + 1) == own)
            return i;
    }
    return LIT_NONE;
}

static bool enter(struct pipe_flow *flow, uint32_t thread, struct pipe_entry *entry)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t number = place_of(flow, entry);
    put_in(flow, number, entry);
    each_mask(flow, true, make_room, number, 0);
    if (plan->strands.bytes)
        flow->strands[thread] |= UINT64_C(1) << number;
    arrive(flow, number, false);
    return flow->count <= plan->pipe->entries;
}

bool pipe_store(struct pipe_flow *flow, uint32_t thread, uint32_t location, uint8_t number,
                uint8_t bypasses, bool owed)
{
    const struct pipe_plan *plan = flow->plan;
    uint32_t stage = pipe_next_stage(plan, flow->bytes, 0, bypasses);
    bool open = pipe_has(flow->bytes, plan->open, thread);
    if (overtakes(flow, thread, location, stage) ||
        find_open(flow, thread, location, false) != LIT_NONE)
        return false;
    if (stage == plan->stages) {
        *pipe_medium(plan, flow->bytes, location) = number;
        return true;
    }
    struct pipe_entry entry = {.location = (uint8_t)location,
                               .value = number,
                               .stage = (uint8_t)stage,
                               .instance = plan->instance_of[stage][thread],
                               .transaction = (uint8_t)(open ? thread + 1 : 0),
                               .bypasses = plan->layout.bypasses ? bypasses : 0,
                               .writers = UINT64_C(1) << thread};
    if (owed)
        pipe_owe(plan, &entry, thread, plan->stages - 1);
    if (!pipe_stage(plan, stage)->group)
        return enter(flow, thread, &entry);
    uint32_t mine = find_open(flow, thread, location, true);
    if (mine == LIT_NONE)
        return enter(flow, thread, &entry);
    flow->entries[mine].value = number;
    if (owed)
        pipe_owe(plan, &flow->entries[mine], thread, plan->stages - 1);
    return true;
}

/* ---- Transactions ---- */

/* Is an older version of one of its locations of another transaction that is not over? */
static bool is_behind_others(const struct pipe_flow *flow, uint32_t thread)
{
    for (uint32_t i = 0; i < flow->count; i++)
        for (uint32_t k = 0; flow->entries[i].transaction == thread + 1 && k < i; k++) {
            const struct pipe_entry *older = &flow->entries[k];
            if (older->location == flow->entries[i].location && older->transaction &&
                older->transaction != thread + 1)
                return true;
        }
    return false;
}

bool pipe_commit(struct pipe_flow *flow, uint32_t thread)
{
    uint32_t entered[MACH_PIPE_STAGES] = {0};
    if (is_behind_others(flow, thread))
        return false;
    for (uint32_t i = 0; i < flow->count; i++) {
        struct pipe_entry *entry = &flow->entries[i];
        if (entry->transaction != thread + 1)
            continue;
        bool open = pipe_is_open(flow->plan, entry);
        entry->transaction = 0;
        if (open)
            arrive(flow, i, entered[entry->stage]++ > 0);
    }
    pipe_set(flow->bytes, flow->plan->open, thread, false);
    return true;
}

void pipe_abort(struct pipe_flow *flow, uint32_t thread)
{
    for (uint32_t i = flow->count; i-- > 0;) {
        const struct pipe_entry entry = flow->entries[i];
        if (entry.transaction != thread + 1)
            continue;
        drop(flow, i);
        if (!pipe_is_open(flow->plan, &entry))
            close_up(flow, entry.stage, entry.instance, entry.turn);
    }
    pipe_set(flow->bytes, flow->plan->open, thread, false);
}

/* ---- Obligations ---- */

bool pipe_is_owed(const struct pipe_flow *flow, uint32_t thread)
{
    for (uint32_t i = 0; i < flow->count; i++)
        for (uint32_t slot = 0; slot < flow->plan->owed_count; slot++)
            if (flow->entries[i].owed[slot] >> thread & 1)
                return true;
    return false;
}

void pipe_owe(const struct pipe_plan *plan, struct pipe_entry *entry, uint32_t thread,
              uint32_t stage)
{
    uint64_t bit = UINT64_C(1) << thread;
    for (uint32_t s = stage + 1; s < plan->stages; s++)
        if (plan->owed_slot[s] < MACH_PIPE_STAGES && entry->owed[plan->owed_slot[s]] & bit)
            return;
    for (uint32_t slot = 0; slot < plan->owed_count; slot++)
        entry->owed[slot] &= ~bit;
    entry->owed[plan->owed_slot[stage]] |= bit;
}
