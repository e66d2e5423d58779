#include "pipeline/pipe_view.h"

#include "base/strbuf.h"
#include "pipeline/pipe_state.h"
#include "pipeline/pipeline.h"

static const char *name_of(const struct mach_test *test, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return test->program->locations[location].name;
}

/* "L2"; where there are several "PB P0" (the first work-item's that it is of). */
static const char *name_instance(struct mach_view *view, uint32_t stage, uint32_t instance)
{
    const struct pipe_plan *plan = pipe_plan(view->test);
    uint32_t t = 0;
    if (plan->instances[stage] == 1)
        return pipe_stage(plan, stage)->name;
    while (plan->instance_of[stage][t] != instance)
        t++;
    return arena_printf(view->arena, "%s %s", pipe_stage(plan, stage)->name,
                        view->test->program->threads[t].name);
}

/* "x,y": the locations of a set of entries. */
static const char *name_entries(struct mach_view *view, const struct pipe_flow *flow, uint64_t mask)
{
    struct strbuf text = {0};
    for (const char *between = ""; mask; mask &= mask - 1, between = ",")
        strbuf_printf(&text, "%s%s", between,
                      name_of(view->test, flow->entries[__builtin_ctzll(mask)].location));
    return strbuf_take(&text, view->arena);
}

/* "x=1", with whose transaction it is of, and what has to leave its stage before. */
static const char *tell_entry(struct mach_view *view, const struct pipe_flow *flow, uint32_t number)
{
    BASE_ASSERT(number < flow->count);
    const struct pipe_entry *entry = &flow->entries[number];
    const struct mach_test *test = view->test;
    const char *text = arena_printf(view->arena, "%s=%lld", name_of(test, entry->location),
                                    (long long)mach_value(test, entry->value));
    if (entry->transaction)
        text = arena_printf(view->arena, "%s of %s", text,
                            test->program->threads[entry->transaction - 1].name);
    return entry->before ? arena_printf(view->arena, "%s after %s", text,
                                        name_entries(view, flow, entry->before))
                         : text;
}

/* Of those in a mask the first, or all of its turn: "x=1", "{x=1,y=1}". They are taken out of the
 * mask. */
static const char *tell_turn(struct mach_view *view, const struct pipe_flow *flow, bool group,
                             uint64_t *mask)
{
    uint32_t first = (uint32_t)__builtin_ctzll(*mask);
    const char *text = tell_entry(view, flow, first);
    bool one = true;
    for (uint64_t left = *mask &= *mask - 1; group && left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        if (flow->entries[i].turn != flow->entries[first].turn)
            continue;
        text = arena_printf(view->arena, "%s,%s", text, tell_entry(view, flow, i));
        *mask &= ~(UINT64_C(1) << i);
        one = false;
    }
    return one ? text : arena_printf(view->arena, "{%s}", text);
}

/* One after the other in their turns. */
static void view_instance(struct mach_view *view, const struct pipe_flow *flow, uint32_t stage,
                          uint32_t instance)
{
    uint64_t left = pipe_in_instance(flow, stage, instance);
    mach_view_queue(view, "%s", name_instance(view, stage, instance));
    for (uint32_t turn = 0; left; turn++) {
        uint64_t now = 0;
        for (uint64_t mask = left; mask; mask &= mask - 1)
            if (flow->entries[__builtin_ctzll(mask)].turn == turn)
                now |= mask & -mask;
        left &= ~now;
        while (now)
            mach_view_entry(view, "%s",
                            tell_turn(view, flow, pipe_stage(flow->plan, stage)->group, &now));
    }
}

static void view_open(struct mach_view *view, const struct pipe_flow *flow, uint32_t stage)
{
    mach_view_queue(view, "open %s", pipe_stage(flow->plan, stage)->name);
    for (uint32_t i = 0; i < flow->count; i++)
        if (flow->entries[i].stage == stage && pipe_is_open(flow->plan, &flow->entries[i]))
            mach_view_entry(view, "%s", tell_entry(view, flow, i));
}

/* Whose later stores are behind what. */
static void view_marks(struct mach_view *view, const struct pipe_flow *flow)
{
    const struct pipe_plan *plan = flow->plan;
    if (!plan->layout.before)
        return;
    mach_view_queue(view, "marks");
    for (uint32_t t = 0; t < view->test->program->thread_count; t++) {
        uint64_t mask = (plan->own_marks.bytes ? flow->own_marks[t] : 0) |
                        (plan->strand_marks.bytes ? flow->strand_marks[t] : 0);
        if (mask)
            mach_view_entry(view, "%s after %s", view->test->program->threads[t].name,
                            name_entries(view, flow, mask));
    }
    for (uint32_t s = 0; s < plan->stages; s++)
        for (uint32_t i = 0; plan->instance_marks[s].bytes && i < plan->instances[s]; i++)
            if (flow->instance_marks[s][i])
                mach_view_entry(view, "%s after %s", name_instance(view, s, i),
                                name_entries(view, flow, flow->instance_marks[s][i]));
}

static void view_owed(struct mach_view *view, const struct pipe_flow *flow)
{
    if (!flow->plan->owed_count)
        return;
    mach_view_queue(view, "awaited");
    for (uint32_t t = 0; t < view->test->program->thread_count; t++) {
        uint64_t mask = 0;
        for (uint32_t i = 0; i < flow->count; i++)
            for (uint32_t slot = 0; slot < flow->plan->owed_count; slot++)
                if (flow->entries[i].owed[slot] >> t & 1)
                    mask |= UINT64_C(1) << i;
        if (mask)
            mach_view_entry(view, "%s:%s", view->test->program->threads[t].name,
                            name_entries(view, flow, mask));
    }
}

static void view_variables(struct mach_view *view, const struct pipe_flow *flow)
{
    const struct mach_pipe *pipe = flow->plan->pipe;
    for (uint32_t v = 0; v < pipe->variable_count; v++) {
        mach_view_queue(view, "%s", pipe->variables[v]);
        mach_view_entry(view, "%s", pipe->values[v][flow->bytes[flow->plan->variables.at + v]]);
    }
}

void pipe_view_state(const struct mach_test *test, const uint8_t *state, struct mach_view *view)
{
    const struct pipe_plan *plan = pipe_plan(test);
    struct pipe_flow flow;
    pipe_load(&flow, test, state);
    mach_view_places(view, "memory");
    for (uint32_t l = 0; l < test->program->location_count; l++)
        if (!test->program->locations[l].hidden)
            mach_view_place(view, l, state[plan->memory_at[l]], "");
    view_variables(view, &flow);
    for (uint32_t s = 0; s < plan->stages; s++) {
        if (pipe_stage(plan, s)->group)
            view_open(view, &flow, s);
        for (uint32_t i = 0; i < plan->instances[s]; i++)
            view_instance(view, &flow, s, i);
    }
    view_marks(view, &flow);
    view_owed(view, &flow);
    mach_view_places(view, "NVRAM");
    for (uint32_t l = 0; l < test->program->location_count; l++)
        if (test->program->locations[l].nvm)
            mach_view_place(view, l, state[plan->medium_at[l]], "");
}

/* Of an entry, and of its group. */
static void tell_move(const struct mach_test *test, const uint8_t *state, uint32_t number,
                      struct mach_view *view)
{
    const struct pipe_plan *plan = pipe_plan(test);
    struct pipe_flow flow;
    pipe_load(&flow, test, state);
    const struct pipe_entry *entry = &flow.entries[number];
    uint32_t next = pipe_next_stage(plan, state, entry->stage + 1u, entry->bypasses);
    uint64_t there =
        pipe_in_instance(&flow, entry->stage, entry->instance) & ~((UINT64_C(1) << number) - 1);
    const char *text = tell_turn(view, &flow, pipe_stage(plan, entry->stage)->group, &there);
    bool last = next == plan->stages;
    mach_tell_part(view, name_instance(view, entry->stage, entry->instance),
                   last ? "persists" : "moves-on", "writes %s on to %s", text,
                   last ? "NVRAM" : pipe_stage(plan, next)->name);
}

void pipe_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
               struct mach_view *view)
{
    switch ((enum pipe_step)step.kind) {
    case PIPE_RUN: mach_tell_thread(view, step.thread, "executes", NULL); return;
    case PIPE_GO_ON:
        mach_tell_thread(view, step.thread, "goes-on", "what it awaits has left");
        return;
    case PIPE_MEET: mach_tell_thread(view, step.thread, "meets", "all have arrived"); return;
    case PIPE_MOVE: tell_move(test, state, step.line, view); return;
    }
}
