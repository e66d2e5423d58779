/* Of versions in several instances of an `apart` stage none is older, and entries that come to a
 * stage in one step are not ordered: numbers of work-items and locations decide neither. They do
 * decide the order in which write sets of those who met come to a queue. */
#include "pipeline/pipe_rename.h"

#include "pipeline/pipe_ops.h"

#include <string.h>

static bool enqueues_met(const struct mach_pipe_rule *rule)
{
    for (uint32_t i = pipe_after_meeting(rule); i > 0 && i < rule->count; i++)
        if (rule->ops[i].op == MACH_PIPE_ENQUEUE || rule->ops[i].op == MACH_PIPE_COMMIT)
            return true;
    return false;
}

/* Rules by which several write sets come to a queue in one step. */
static uint64_t queueing_rules(const struct pipe_plan *plan)
{
    uint64_t rules = 0;
    bool group = false;
    for (uint32_t s = 0; s < plan->stages; s++)
        group |= pipe_stage(plan, s)->group;
    for (uint32_t i = 0; group && i < plan->pipe->rule_count; i++)
        rules |= enqueues_met(&plan->pipe->rules[i]) ? UINT64_C(1) << i : 0;
    return rules;
}

static const uint64_t *find_ordered(const struct mach_test *test, struct arena *arena)
{
    const struct lit_program *program = test->program;
    uint64_t rules = queueing_rules(pipe_plan(test));
    uint64_t *ordered = ARENA_ARRAY(arena, uint64_t, program->thread_count + 1);
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t pc = 0; pc < program->threads[t].code_count; pc++)
            if (pipe_plan(test)->rules.code[t][pc] & rules)
                ordered[t] |= test->members[t][program->threads[t].code[pc].exec_scope];
    return ordered;
}

static enum mach_units units_of(const struct pipe_plan *plan)
{
    for (uint32_t s = 0; s < plan->stages; s++)
        if (pipe_stage(plan, s)->per == MACH_PIPE_PER_UNIT)
            return MACH_UNITS_ALIKE;
    return MACH_UNITS_NONE;
}

static void add_mask(struct mach_layout *layout, struct pipe_place mask)
{
    const struct mach_field field = {
        .holds = MACH_HOLDS_THREADS, .bytes = mask.bytes, .at = mask.at, .copies = 1};
    if (mask.bytes)
        mach_layout_add(layout, &field);
}

static void add_values(struct mach_layout *layout, const uint32_t *places)
{
    const struct mach_field field = {MACH_OF_LOCATION, MACH_HOLDS_VALUE, 1, .places = places,
                                     .copies = 1};
    mach_layout_add(layout, &field);
}

/* The pc is of the same code. */
static void add_behind(struct mach_layout *layout, struct pipe_place behind)
{
    struct mach_field field = {MACH_OF_THREAD, MACH_HOLDS_BYTES,  2,
                               behind.at,      PIPE_BEHIND_BYTES, .copies = 1};
    mach_layout_add(layout, &field);
    field.holds = MACH_HOLDS_NAMES;
    field.at += field.bytes;
    field.bytes = 1;
    mach_layout_add(layout, &field);
}

bool pipe_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout)
{
    const struct pipe_plan *plan = pipe_plan(test);
    const struct lit_program *program = test->program;
    const struct mach_field phases = {MACH_OF_THREAD, MACH_HOLDS_BYTES, 1, plan->phases.at, 1,
                                      .copies = 1};
    uint32_t *medium = ARENA_ARRAY(arena, uint32_t, program->location_count + 1);
    for (uint32_t l = 0; l < program->location_count; l++)
        medium[l] = program->locations[l].nvm ? plan->medium_at[l] : LIT_NONE;
    if (plan->phases.bytes)
        mach_layout_add(layout, &phases);
    if (plan->behind.bytes)
        add_behind(layout, plan->behind);
    add_values(layout, plan->memory_at);
    add_values(layout, medium);
    add_mask(layout, plan->open);
    add_mask(layout, plan->held);
    layout->units = units_of(plan);
    layout->ordered = find_ordered(test, arena);
    return true;
}

/* ---- Entries ---- */

static uint8_t instance_of(const struct pipe_flow *flow, uint32_t stage, uint32_t instance,
                           const struct mach_renaming *by)
{
    BASE_ASSERT(stage < flow->plan->stages);
    const uint8_t *instances = flow->plan->instance_of[stage];
    uint32_t t = 0;
    while (instances[t] != instance)
        t++;
    return instances[by->threads[t]];
}

static void rename_entry(const struct pipe_flow *flow, struct pipe_entry *entry,
                         const struct mach_renaming *by)
{
    entry->value = mach_renamed_value(by, entry->location, entry->value);
    entry->location = by->locations[entry->location];
    entry->instance = instance_of(flow, entry->stage, entry->instance, by);
    if (entry->transaction)
        entry->transaction = (uint8_t)(by->threads[entry->transaction - 1] + 1);
    entry->writers = mach_renamed_threads(by, entry->writers);
    for (uint32_t slot = 0; slot < flow->plan->owed_count; slot++)
        entry->owed[slot] = mach_renamed_threads(by, entry->owed[slot]);
}

static void exchange(uint64_t *masks, uint32_t a, uint32_t b)
{
    uint64_t mask = masks[a];
    masks[a] = masks[b];
    masks[b] = mask;
}

/* Each with the one that it becomes, once. */
static void rename_marks(struct pipe_flow *flow, const struct mach_renaming *by)
{
    const struct pipe_plan *plan = flow->plan;
    for (uint32_t t = 0; t < flow->test->program->thread_count; t++)
        if (t < by->threads[t]) {
            exchange(flow->own_marks, t, by->threads[t]);
            exchange(flow->strand_marks, t, by->threads[t]);
            exchange(flow->strands, t, by->threads[t]);
        }
    for (uint32_t s = 0; s < plan->stages; s++)
        for (uint32_t i = 0; i < plan->instances[s]; i++)
            if (i < instance_of(flow, s, i, by))
                exchange(flow->instance_marks[s], i, instance_of(flow, s, i, by));
}

static void rename_log(const struct mach_test *test, uint8_t *state, const struct mach_renaming *by)
{
    const struct pipe_place log = pipe_plan(test)->log;
    uint8_t before[2 * MACH_MAX_LOCATIONS];
    memcpy(before, &state[log.at], log.bytes);
    for (uint32_t l = 0; log.bytes && l < test->program->location_count; l++) {
        uint8_t *to = &state[log.at + 2 * by->locations[l]];
        to[0] = before[2 * l];
        to[1] = to[0] ? mach_renamed_value(by, l, before[2 * l + 1]) : 0;
    }
}

static void rename_behind(const struct mach_test *test, uint8_t *state,
                          const struct mach_renaming *by)
{
    const struct pipe_place behind = pipe_plan(test)->behind;
    for (uint32_t at = 2; at < behind.bytes; at += PIPE_BEHIND_BYTES) {
        uint8_t *location = &state[behind.at + at];
        *location = *location ? (uint8_t)(by->locations[*location - 1] + 1) : 0;
    }
}

void pipe_rename(const struct mach_test *test, uint8_t *state, const struct mach_renaming *by)
{
    struct pipe_flow flow;
    rename_log(test, state, by);
    rename_behind(test, state, by);
    if (state[pipe_plan(test)->count_at] == 0)
        return; /* nor are there masks of entries */
    pipe_load(&flow, test, state);
    for (uint32_t i = 0; i < flow.count; i++)
        rename_entry(&flow, &flow.entries[i], by);
    if (flow.plan->masks)
        rename_marks(&flow, by);
    pipe_sort(&flow);
    pipe_save(&flow);
}
