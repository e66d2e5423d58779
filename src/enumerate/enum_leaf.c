/* What one consistent execution shows: undefined behaviour, flags, a final state when
 * it is complete, and the crash states of its cuts. */
#include "enumerate/enum_search.h"

#include <string.h>

/* A thread that spins reads the coherence-latest values, for ever: they must keep it
 * spinning. Fills the values of those reads. */
static bool spins_for_ever(struct enum_search *s, uint32_t thread)
{
    const struct exec_path *path = s->skeleton->paths[thread];
    uint32_t base = s->skeleton->value_base[thread];
    for (uint32_t i = path->event_count; i < path->slot_count; i++) {
        uint32_t location = path->events[i].location;
        uint32_t write = enum_latest_write(s, location);
        int64_t value = s->skeleton->program->locations[location].init;
        if (write != LIT_NONE)
            BASE_CHECK(enum_write_value(s, write, &value));
        s->values[base + i] = value;
        s->known[base + i] = true;
    }
    struct exec_reads reads = enum_reads_of(s, thread);
    bool holds = true;
    for (uint32_t i = 0; i < path->spin_count; i++) {
        int64_t value = 0;
        BASE_CHECK(exec_value_get(path->spins[i].value, &reads, &value));
        holds = holds && (value != 0) == path->spins[i].truth;
    }
    for (uint32_t i = path->event_count; i < path->slot_count; i++)
        s->known[base + i] = false;
    return holds;
}

static bool waits_are_stuck(struct enum_search *s)
{
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++)
        if (s->skeleton->paths[t]->end == EXEC_AT_AWAIT && !spins_for_ever(s, t))
            return false;
    return true;
}

static struct outcome_event describe(const struct enum_search *s, uint32_t event,
                                     struct strbuf *text)
{
    const struct ev *ev = &s->skeleton->events[event];
    strbuf_clear(text);
    ev_print(ev, s->skeleton->program, text);
    return (struct outcome_event){ev->thread, ev->instr ? ev->instr->span.line : 0,
                                  strbuf_text(text)};
}

static void report_pair(struct enum_search *s, const struct cat_check *check, uint32_t a,
                        uint32_t b)
{
    struct strbuf texts[2] = {{0}, {0}};
    struct outcome_undefined undefined = {.kind = OUTCOME_CHECK, .name = check->name};
    if (a != LIT_NONE)
        undefined.events[undefined.event_count++] = describe(s, a, &texts[0]);
    if (b != LIT_NONE)
        undefined.events[undefined.event_count++] = describe(s, b, &texts[1]);
    outcome_add_undefined(s->state->outcome, &undefined);
    strbuf_fini(&texts[0]);
    strbuf_fini(&texts[1]);
}

/* A failed check that is negated has no event to show. A failed `empty`: every pair, the lower event first (a race is symmetric). A failed
 * `acyclic` or `irreflexive`: two neighbours on a cycle. */
static void report_undefined(struct enum_search *s, const struct cat_check *check)
{
    const rel_word *value = cat_eval_value(s->eval, check->node);
    bool is_set = s->state->request->model->nodes[check->node].sort == CAT_SET;
    if (check->negated) {
        report_pair(s, check, LIT_NONE, LIT_NONE);
    } else if (check->test != CAT_IS_EMPTY) {
        struct arena_mark mark = arena_mark(&s->state->scratch);
        uint32_t *cycle = ARENA_ARRAY(&s->state->scratch, uint32_t, s->dim.n);
        uint32_t length = rel_find_cycle(s->dim, value, cycle);
        if (length)
            report_pair(s, check, cycle[0], length > 1 ? cycle[1] : LIT_NONE);
        arena_rewind(&s->state->scratch, mark);
    } else {
        for (uint32_t a = 0; a < s->dim.n; a++) {
            if (is_set && (value[a / 64] >> (a % 64) & 1))
                report_pair(s, check, a, LIT_NONE);
            for (uint32_t b = 0; !is_set && b < s->dim.n; b++)
                if (rel_has(s->dim, value, a, b) && (a <= b || !rel_has(s->dim, value, b, a)))
                    report_pair(s, check, a, b);
        }
    }
}

static void look_at_checks(struct enum_search *s)
{
    const struct cat_model *model = s->state->request->model;
    for (uint32_t c = 0; c < model->check_count; c++) {
        const struct cat_check *check = &model->checks[c];
        if (check->kind == CAT_UNDEFINED_UNLESS && !cat_eval_holds(s->eval, check))
            report_undefined(s, check);
        if (check->kind == CAT_FLAG && !s->skeleton->probe && cat_eval_holds(s->eval, check))
            outcome_add_flag(s->state->outcome, check->name);
    }
}

static void report_divergence(struct enum_search *s)
{
    struct exec_divergence divergence = exec_find_divergence(s->skeleton);
    if (!divergence.found)
        return;
    struct outcome *outcome = s->state->outcome;
    const struct exec_path *stuck = s->skeleton->paths[divergence.stuck];
    const struct exec_path *missing = s->skeleton->paths[divergence.missing];
    const struct lit_thread *other = &s->skeleton->program->threads[divergence.missing];
    struct strbuf text = {0};
    struct ev barrier = {.kind = stuck->meeting.kind, .location = LIT_NONE,
                         .meeting = stuck->meeting};
    ev_print(&barrier, s->skeleton->program, &text);
    struct outcome_undefined undefined = {
        .kind = OUTCOME_DIVERGENCE,
        .name = outcome_undefined_text(OUTCOME_DIVERGENCE),
        .event_count = 2,
        .events = {{divergence.stuck, stuck->end_instr->span.line, strbuf_text(&text)},
                   {divergence.missing,
                    missing->end_instr ? missing->end_instr->span.line : other->span.line,
                    "never arrives"}}};
    outcome_add_undefined(outcome, &undefined);
    outcome_add_flag(outcome, undefined.name);
    strbuf_fini(&text);
}

static void report_fault(struct enum_search *s)
{
    uint32_t thread = exec_skeleton_ended(s->skeleton, EXEC_AT_FAULT);
    if (thread == LIT_NONE)
        return;
    const struct lit_instr *instr = s->skeleton->paths[thread]->end_instr;
    struct outcome_undefined undefined = {
        .kind = OUTCOME_FAULT,
        .name = outcome_undefined_text(OUTCOME_FAULT),
        .event_count = 1,
        .events = {{thread, instr->span.line, "undefined operation"}}};
    outcome_add_undefined(s->state->outcome, &undefined);
}

static void show_witness(struct enum_search *s, const struct outcome_states *states,
                         const struct exec_cut *cut)
{
    const struct engine_request *request = s->state->request;
    if (!request->on_witness)
        return;
    const struct outcome_stats *stats = &s->state->outcome->stats;
    struct engine_witness witness = {.skeleton = s->skeleton,
                                     .skeleton_number = stats->skeletons,
                                     .execution_number = stats->consistent,
                                     .rf = s->rf[ENUM_LOWER],
                                     .co = s->co[ENUM_LOWER],
                                     .fr = s->fr[ENUM_LOWER],
                                     .values = s->values,
                                     .cut = cut,
                                     .items = states->items,
                                     .row = s->row,
                                     .width = states->width};
    request->on_witness(request->context, &witness);
}

static int64_t final_value(const void *context, const struct lit_atom *atom)
{
    const struct enum_search *s = context;
    const struct lit_program *program = s->skeleton->program;
    int64_t value = 0;
    if (atom->kind == LIT_ATOM_REGISTER) {
        struct exec_reads reads = enum_reads_of(s, atom->thread);
        const struct exec_path *path = s->skeleton->paths[atom->thread];
        BASE_CHECK(exec_value_get(path->registers[atom->reg], &reads, &value));
        return value;
    }
    uint32_t write = enum_latest_write(s, atom->location);
    if (write == LIT_NONE)
        return program->locations[atom->location].init;
    BASE_CHECK(enum_write_value(s, write, &value));
    return value;
}

/* A set that is full leaves the rest in doubt; nothing more can be learned. */
static void stop_when_full(struct enum_search *s, const struct outcome_states *states)
{
    if (states->full)
        s->state->outcome->doubts[OUTCOME_DOUBT_STATES] = s->state->stopped = true;
}

static void add_final_state(struct enum_search *s)
{
    const struct lit_program *program = s->skeleton->program;
    struct outcome_states *states = &s->state->outcome->final;
    if (program->filter && !outcome_prop_holds(program, program->filter, final_value, s))
        return;
    for (uint32_t i = 0; i < states->width; i++)
        s->row[i] = final_value(s, &states->items[i]);
    if (outcome_add_state(states, s->row))
        show_witness(s, states, NULL);
    stop_when_full(s, states);
}

static bool add_crash_state(void *context, const struct exec_cut *cut)
{
    struct enum_search *s = context;
    struct outcome_states *states = &s->state->outcome->crash;
    for (uint32_t i = 0; i < states->width; i++) {
        uint32_t location = states->items[i].location, write = cut->last[location];
        int64_t value = s->skeleton->program->locations[location].init;
        if (write != LIT_NONE)
            BASE_CHECK(enum_write_value(s, write, &value));
        s->row[i] = value;
    }
    if (outcome_add_state(states, s->row))
        show_witness(s, states, cut);
    stop_when_full(s, states);
    return !enum_out_of_time(s->state);
}

static void add_crash_states(struct enum_search *s)
{
    const cat_node_id *reserved = s->state->request->model->reserved;
    struct exec_contract contract = {cat_eval_value(s->eval, reserved[CAT_PERSIST_BEFORE]),
                                     cat_eval_value(s->eval, reserved[CAT_DURABLE_BEFORE]),
                                     cat_eval_value(s->eval, reserved[CAT_EXECUTES_BEFORE]),
                                     cat_eval_value(s->eval, reserved[CAT_PERSIST_ATOMIC]),
                                     s->co[ENUM_LOWER]};
    s->state->outcome->stats.cuts +=
        exec_crash_states(&s->state->scratch, s->skeleton, &contract,
                          s->state->request->crash_mode, add_crash_state, s);
}

static void doubt_bounds(struct enum_search *s)
{
    bool *doubts = s->state->outcome->doubts;
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++)
        if (s->skeleton->paths[t]->end == EXEC_AT_BOUND)
            doubts[s->skeleton->paths[t]->too_long ? OUTCOME_DOUBT_LENGTH
                                                   : OUTCOME_DOUBT_UNROLL] = true;
}

/* A run that was cut off at its bound has not come to its end. */
static bool reaches_crash(const struct enum_search *s)
{
    return s->state->request->crash_mode != EXEC_CRASH_END ||
           exec_skeleton_ended(s->skeleton, EXEC_AT_BOUND) == LIT_NONE;
}

void enum_leaf(struct enum_search *s)
{
    struct outcome *outcome = s->state->outcome;
    if (!waits_are_stuck(s))
        return;
    look_at_checks(s);
    if (s->skeleton->probe)
        return;
    outcome->stats.consistent++;
    report_divergence(s);
    report_fault(s);
    doubt_bounds(s);
    if (exec_skeleton_complete(s->skeleton))
        add_final_state(s);
    if (reaches_crash(s))
        add_crash_states(s);
}
