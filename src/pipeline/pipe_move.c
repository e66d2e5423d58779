/* How entries enter and leave stages: stores, moves, and the ends of transactions. */
#include "pipeline/pipe_state.h"

/* ---- Arrival ---- */

/* Of entries that come in one step, by stage: 1 + the turn of those that have come; 0: none has. */
struct arrivals {
    uint32_t turns[MACH_PIPE_STAGES];
};

/* What an entry has to be behind that comes to an instance last. Of older versions and of a line
 * those that are there. */
static uint64_t behind(const struct pipe_flow *flow, const struct pipe_entry *entry,
                       uint32_t number)
{
    BASE_ASSERT(number < flow->count);
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
    mask &= pipe_in_stage(flow, entry->stage); /* in other instances where a line was marked */
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

static bool is_alone_in_turn(const struct pipe_flow *flow, uint32_t number)
{
    BASE_ASSERT(number < flow->count);
    const struct pipe_entry *entry = &flow->entries[number];
    return !ANY(i, flow->count,
                i != number && flow->entries[i].stage == entry->stage &&
                    flow->entries[i].instance == entry->instance &&
                    flow->entries[i].turn == entry->turn);
}

/* May the entry, which has come last to the instance, be one with the version before it? */
static bool merges(const struct pipe_flow *flow, uint32_t number, uint32_t with)
{
    BASE_ASSERT(number < flow->count && with < flow->count);
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
        return new->turn == old->turn + 1 && is_alone_in_turn(flow, with);
    return !(new->before & ~old->before);
}

static void merge(struct pipe_flow *flow, uint32_t number, uint32_t with)
{
    BASE_ASSERT(number < flow->count && with < flow->count);
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
    pipe_drop(flow, number);
}

/* Entry `number` stands where it belongs and has just come to its stage, as the next of `arrivals`:
 * none of these came before another. */
static void arrive(struct pipe_flow *flow, uint32_t number, struct arrivals *arrivals)
{
    BASE_ASSERT(number < flow->count);
    const struct pipe_plan *plan = flow->plan;
    struct pipe_entry *entry = &flow->entries[number];
    const struct mach_pipe_stage *stage = pipe_stage(plan, entry->stage);
    entry->bypasses &= (uint8_t) ~((2u << entry->stage) - 1);
    entry->before = 0;
    entry->turn = 0;
    if (pipe_is_open(plan, entry))
        return;
    entry->before = behind(flow, entry, number);
    if (stage->group || stage->order == MACH_PIPE_ORDER_FIFO) {
        uint32_t *turn = &arrivals->turns[entry->stage];
        *turn = *turn ? *turn : 1u + last_turn(flow, entry->stage, entry->instance, number);
        entry->turn = (uint8_t)(*turn - 1);
    }
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
    BASE_ASSERT(number < flow->count);
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
    BASE_ASSERT(stage < plan->stages);
    return stage == entry->stage ? entry->instance
                                 : plan->next_instance[entry->stage][entry->instance][stage];
}

/* Would it overtake one that came before it to its line's stage? */
static bool leaves_line(const struct pipe_flow *flow, uint32_t number)
{
    BASE_ASSERT(number < flow->count);
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
    BASE_ASSERT(number < flow->count);
    const struct pipe_plan *plan = flow->plan;
    const struct pipe_entry *entry = &flow->entries[number];
    uint32_t next = pipe_next_stage(plan, flow->bytes, entry->stage + 1u, entry->bypasses);
    for (uint32_t i = pipe_previous(flow, number); i != LIT_NONE; i = pipe_previous(flow, i)) {
        const struct pipe_entry *older = &flow->entries[i];
        if (older->stage >= next)
            return false;
        if (!pipe_stage(plan, older->stage)->apart ||
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
    BASE_ASSERT(number < flow->count);
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
static void move_one(struct pipe_flow *flow, uint32_t number, struct arrivals *arrivals)
{
    BASE_ASSERT(number < flow->count);
    const struct pipe_plan *plan = flow->plan;
    struct pipe_entry entry = flow->entries[number];
    uint32_t next = pipe_next_stage(plan, flow->bytes, entry.stage + 1u, entry.bypasses);
    if (next == plan->stages) {
        *pipe_medium(plan, flow->bytes, entry.location) = entry.value;
        pipe_drop(flow, number);
        return;
    }
    clear_owed(plan, &entry, next);
    entry.instance = plan->next_instance[entry.stage][entry.instance][next];
    entry.stage = (uint8_t)next;
    arrive(flow, pipe_replace(flow, number, &entry), arrivals);
}

void pipe_move(struct pipe_flow *flow, uint32_t number)
{
    BASE_ASSERT(number < flow->count);
    const struct pipe_entry first = flow->entries[number];
    struct arrivals arrivals = {{0}};
    bool group = moves_as_group(flow, number);
    move_one(flow, number, &arrivals);
    for (uint32_t i = 0; group && i < flow->count; i++) {
        const struct pipe_entry *entry = &flow->entries[i];
        if (entry->stage != first.stage || entry->instance != first.instance ||
            entry->turn != first.turn || pipe_is_open(flow->plan, entry))
            continue;
        move_one(flow, i, &arrivals);
        i = LIT_NONE; /* those that are left may stand elsewhere */
    }
    close_up(flow, first.stage, first.instance, first.turn);
}

/* ---- Stores ---- */

/* Would a store, of an instance of the first stage it enters, overtake an older version? */
static bool overtakes(const struct pipe_flow *flow, uint32_t thread, uint32_t location,
                      uint32_t stage)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
    BASE_ASSERT(stage <= flow->plan->stages);
    const struct pipe_plan *plan = flow->plan;
    EACH (const struct pipe_entry, entry, flow->entries, flow->count)
        if (entry->location == location && entry->stage < stage &&
            (!pipe_stage(plan, entry->stage)->apart ||
             entry->instance == plan->instance_of[entry->stage][thread]))
            return true;
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

static bool enter(struct pipe_flow *flow, uint32_t thread, const struct pipe_entry *entry)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
    const struct pipe_plan *plan = flow->plan;
    uint32_t number = pipe_insert(flow, entry);
    if (plan->strands.bytes)
        flow->strands[thread] |= UINT64_C(1) << number;
    arrive(flow, number, &(struct arrivals){{0}});
    return flow->count + flow->others <= plan->pipe->entries;
}

bool pipe_store(struct pipe_flow *flow, uint32_t thread, uint32_t location, uint8_t number,
                uint8_t bypasses, bool owed)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
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

/* Is it an older version, in the newer one's way, of another transaction that goes on? */
static bool holds_up(const struct pipe_plan *plan, const struct pipe_entry *older,
                     const struct pipe_entry *newer, uint64_t together)
{
    return older->location == newer->location && older->transaction &&
           !(together >> (older->transaction - 1) & 1) &&
           (!pipe_stage(plan, older->stage)->apart ||
            older->instance == instance_in(plan, newer, older->stage));
}

static bool is_behind_others(const struct pipe_flow *flow, uint32_t thread, uint64_t together)
{
    for (uint32_t i = 0; i < flow->count; i++)
        for (uint32_t k = 0; flow->entries[i].transaction == thread + 1 && k < i; k++)
            if (holds_up(flow->plan, &flow->entries[k], &flow->entries[i], together))
                return true;
    return false;
}

/* Is an entry where its line has one state, and one of the work-item's transaction is in that line?
 * Then it is committed with that, whoever wrote it. */
static bool is_joined(const struct pipe_flow *flow, const struct pipe_entry *entry, uint32_t thread)
{
    const struct lit_location *locations = flow->test->program->locations;
    if (!pipe_stage(flow->plan, entry->stage)->joint)
        return false;
    EACH (const struct pipe_entry, own, flow->entries, flow->count)
        if (own->transaction == thread + 1 && own->stage == entry->stage &&
            own->instance == entry->instance &&
            locations[own->location].line == locations[entry->location].line)
            return true;
    return false;
}

/* What others have in lines that are committed becomes the work-item's, to end with its own. */
static void join_lines(struct pipe_flow *flow, uint32_t thread)
{
    uint64_t joined = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        if (flow->entries[i].transaction && is_joined(flow, &flow->entries[i], thread))
            joined |= UINT64_C(1) << i;
    for (; joined; joined &= joined - 1)
        flow->entries[__builtin_ctzll(joined)].transaction = (uint8_t)(thread + 1);
}

/* The transaction is over: its log comes to memory, or is thrown away. */
static void close_log(const struct pipe_flow *flow, uint32_t thread, bool commit)
{
    const struct pipe_plan *plan = flow->plan;
    if (!pipe_has(flow->bytes, plan->open, thread))
        return;
    for (uint32_t l = 0; plan->log.bytes && l < flow->test->program->location_count; l++) {
        uint8_t *log = &flow->bytes[plan->log.at + 2 * l];
        if (log[0] && commit)
            *pipe_memory(plan, flow->bytes, l) = log[1];
        log[0] = log[1] = 0;
    }
    pipe_set(flow->bytes, plan->open, thread, false);
}

bool pipe_commit(struct pipe_flow *flow, uint32_t thread, uint64_t together)
{
    BASE_ASSERT(thread < flow->test->program->thread_count);
    struct arrivals arrivals = {{0}};
    join_lines(flow, thread);
    if (is_behind_others(flow, thread, together | UINT64_C(1) << thread))
        return false;
    for (uint32_t i = 0; i < flow->count; i++) {
        struct pipe_entry *entry = &flow->entries[i];
        if (entry->transaction != thread + 1)
            continue;
        bool open = pipe_is_open(flow->plan, entry);
        entry->transaction = 0;
        if (open)
            arrive(flow, i, &arrivals);
    }
    close_log(flow, thread, true);
    return true;
}

void pipe_abort(struct pipe_flow *flow, uint32_t thread)
{
    for (uint32_t i = flow->count; i-- > 0;) {
        const struct pipe_entry entry = flow->entries[i];
        if (entry.transaction != thread + 1)
            continue;
        pipe_drop(flow, i);
        if (!pipe_is_open(flow->plan, &entry))
            close_up(flow, entry.stage, entry.instance, entry.turn);
    }
    close_log(flow, thread, false);
}
