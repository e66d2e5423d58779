/* What one consistent execution shows: undefined behaviour, flags, a final state when
 * it is complete, and the crash states of its cuts. */
#include "enumerate/enum_goal.h"
#include "enumerate/enum_search.h"

#include "engine/witness.h"
#include "exec/exec_basis.h"

static int64_t latest_value(const struct enum_search *s, uint32_t location)
{
    BASE_ASSERT(location < s->skeleton->program->location_count);
    BASE_ASSERT(s->latest[location] == LIT_NONE ||
                s->skeleton->events[s->latest[location]].location == location);
    int64_t value = s->skeleton->program->locations[location].init;
    if (s->latest[location] != LIT_NONE)
        BASE_CHECK(enum_write_value(s, s->latest[location], &value));
    return value;
}

/* A thread that spins reads the coherence-latest values, for ever: they must keep it
 * spinning. Fills the values of those reads. */
static bool thread_spins(struct enum_search *s, uint32_t thread)
{
    BASE_ASSERT(thread < s->skeleton->program->thread_count);
    const struct exec_path *path = s->skeleton->paths[thread];
    uint32_t base = s->skeleton->value_base[thread];
    for (uint32_t i = path->event_count; i < path->slot_count; i++) {
        uint32_t location = path->events[i].location;
        s->values[base + i] = latest_value(s, location);
        if (s->state->looked_at &&
            (s->latest[location] == LIT_NONE || s->skeleton->events[s->latest[location]].init))
            s->state->looked_at[location] = true;
        BASE_ASSERT(!s->known[base + i]);
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

static bool goes_on(struct enum_search *s)
{
    return ANY(t, s->skeleton->program->thread_count,
               s->skeleton->paths[t]->end == EXEC_AT_AWAIT && !thread_spins(s, t));
}

/* There is a latest value of each location that keeps all who wait waiting, and time to find it. */
static bool waits_are_stuck(struct enum_search *s)
{
    if (exec_skeleton_ended(s->skeleton, EXEC_AT_AWAIT) == LIT_NONE)
        return true;
    struct arena_mark mark = arena_mark(&s->state->scratch);
    bool *wanted = ARENA_ARRAY(&s->state->scratch, bool, s->skeleton->program->location_count);
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++) {
        const struct exec_path *path = s->skeleton->paths[t];
        for (uint32_t i = path->event_count; i < path->slot_count; i++)
            wanted[path->events[i].location] = true;
    }
    bool stuck = !enum_each_latest(s, wanted, goes_on) && !s->state->stopped;
    arena_rewind(&s->state->scratch, mark);
    return stuck;
}

/* Nothing more is looked for. */
void enum_meet_goal(struct enum_state *state)
{
    state->met = state->stopped = true;
}

/* A check that fails, or a flag that is raised. */
struct failure {
    struct enum_search *search;
    const struct cat_check *check;
};

/* Reports a failed check with two neighbours of its cycle, or without events where there is none to
 * show. */
static void report_break(void *context, const uint32_t *events, uint32_t count, bool both_ways)
{
    const struct failure *failure = context;
    const struct enum_search *s = failure->search;
    const struct outcome_undefined what = {.kind = OUTCOME_CHECK,
                                           .name = failure->check->name,
                                           .of_cycle = cat_check_is_of_cycle(failure->check)};
    struct enum_culprit culprits[2];
    count = count < 2 ? count : 2;
    for (uint32_t i = 0; i < count; i++) {
        BASE_ASSERT(events[i] < s->dim.n);
        const struct ev *ev = &s->skeleton->events[events[i]];
        culprits[i] = (struct enum_culprit){ev->thread, ev->instr, ev, NULL};
    }
    enum_report(s->state, &what, culprits, count, both_ways);
}

static void report_undefined(struct enum_search *s, const struct cat_check *check)
{
    struct failure failure = {s, check};
    const struct engine_witness witness = enum_witness_of(s);
    if (check->negated)
        report_break(&failure, NULL, 0, false);
    witness_each_break(&witness, s->state->request->model, check,
                       cat_eval_value(s->eval, check->node), report_break, &failure);
}

struct engine_witness enum_witness_of(const struct enum_search *s)
{
    const struct outcome_stats *stats = &s->state->outcome->stats;
    return (struct engine_witness){.skeleton = s->skeleton,
                                   .skeleton_number = stats->skeletons,
                                   .execution_number = stats->consistent,
                                   .rf = s->rf[ENUM_LOWER],
                                   .co = enum_co(s)->bound[ENUM_LOWER],
                                   .fr = s->fr[ENUM_LOWER],
                                   .choices = s->choices,
                                   .sync_fence = cat_eval_base(s->eval, EXEC_REL_SYNC_FENCE, false),
                                   .values = s->values};
}

/* The first of all that is found. */
static void show_undefined(const struct enum_search *s, size_t before)
{
    const struct engine_request *request = s->state->request;
    if (before || !s->state->outcome->undefined.count || !request->on_undefined)
        return;
    struct engine_witness witness = enum_witness_of(s);
    request->on_undefined(request->context, &witness);
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

static struct enum_culprit culprit_missing(const struct enum_search *s, uint32_t thread)
{
    BASE_ASSERT(thread < s->skeleton->program->thread_count);
    const struct lit_instr *end = s->skeleton->paths[thread]->end_instr;
    const struct outcome_event event = outcome_missing(s->state->request->program, thread, end);
    return (struct enum_culprit){thread, end, NULL, event.access};
}

static void report_divergence(struct enum_search *s, const struct exec_divergence *divergence)
{
    BASE_ASSERT(divergence->stuck < s->skeleton->program->thread_count);
    BASE_ASSERT(divergence->missing == LIT_NONE ||
                divergence->missing < s->skeleton->program->thread_count);
    BASE_ASSERT(divergence->missing != divergence->stuck);
    const struct exec_path *stuck = s->skeleton->paths[divergence->stuck];
    const char *name = outcome_undefined_text(OUTCOME_DIVERGENCE);
    const struct outcome_undefined what = {.kind = OUTCOME_DIVERGENCE, .name = name};
    struct arena_mark mark = arena_mark(&s->state->scratch);
    const char *barrier = ev_meeting_name(&s->state->scratch, &stuck->meeting, stuck->end_instr);
    struct enum_culprit culprits[2] = {{divergence->stuck, stuck->end_instr, NULL, barrier}};
    if (divergence->missing != LIT_NONE)
        culprits[1] = culprit_missing(s, divergence->missing);
    enum_report(s->state, &what, culprits, divergence->missing == LIT_NONE ? 1 : 2, false);
    outcome_add_flag(s->state->outcome, name);
    arena_rewind(&s->state->scratch, mark);
}

static void report_divergences(struct enum_search *s)
{
    struct exec_divergences divergences;
    struct exec_divergence found;
    exec_divergences_init(&divergences, s->skeleton);
    while (exec_divergences_next(&divergences, s->skeleton, &found))
        report_divergence(s, &found);
}

static void report_faults(struct enum_search *s)
{
    for (uint32_t t = 0; t < s->state->request->program->thread_count; t++) {
        const struct exec_path *path = s->skeleton->paths[t];
        if (path->end != EXEC_AT_FAULT)
            continue;
        const struct outcome_undefined fault = outcome_fault(t, path->end_instr);
        const struct enum_culprit culprit = {t, path->end_instr, NULL, fault.events[0].access};
        enum_report(s->state, &fault, &culprit, 1, false);
    }
}

/* Who waits in an await does so for ever, as a consistent execution is looked at. */
static void report_endless(struct enum_search *s)
{
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++) {
        const struct exec_path *path = s->skeleton->paths[t];
        if (path->end != EXEC_AT_AWAIT)
            continue;
        const struct outcome_undefined endless = outcome_endless(t, path->end_instr);
        const struct enum_culprit culprit = {t, path->end_instr, NULL, endless.events[0].access};
        enum_report(s->state, &endless, &culprit, 1, false);
    }
}

void enum_show_witness(struct enum_search *s, const struct outcome_states *states,
                       const struct exec_cut *cut)
{
    const struct engine_request *request = s->state->request;
    if (!request->on_witness)
        return;
    struct engine_witness witness = enum_witness_of(s);
    witness.cut = cut;
    witness.items = states->items;
    witness.row = s->row;
    witness.width = states->width;
    request->on_witness(request->context, &witness);
}

static bool is_initial(const struct enum_search *s, uint32_t write)
{
    BASE_ASSERT(write == LIT_NONE || s->skeleton->events[write].kind == EV_WRITE);
    return write == LIT_NONE || s->skeleton->events[write].init;
}

static int64_t final_value(const void *context, const struct lit_atom *atom)
{
    const struct enum_search *s = context;
    if (atom->kind == LIT_ATOM_REGISTER) {
        int64_t value = 0;
        struct exec_reads reads = enum_reads_of(s, atom->thread);
        BASE_ASSERT(atom->thread < s->skeleton->program->thread_count);
        const struct exec_path *path = s->skeleton->paths[atom->thread];
        BASE_CHECK(exec_value_get(path->registers[atom->reg], &reads, &value));
        return value;
    }
    if (atom->kind == LIT_ATOM_KEPT)
        return is_initial(s, s->latest[atom->location]);
    return latest_value(s, atom->location);
}

void enum_stop_full(struct enum_state *state, const struct outcome_states *states)
{
    outcome_note_full(state->outcome, states);
    state->stopped = true;
}

/* Every crash state is recovered, until that settles the matter; whether to go on. */
static bool add_to_recover(struct enum_search *s, struct outcome_states *states,
                           const struct exec_cut *cut)
{
    BASE_ASSERT(cut && states == &s->state->outcome->crash);
    struct enum_state *state = s->state;
    if (outcome_add_state(states, s->row)) {
        enum_show_witness(s, states, cut);
        if (enum_goal_met(state, states, s->row))
            enum_meet_goal(state);
        if (!state->met)
            enum_add_orbit(s, states, cut);
        enum_close_orbits(s);
    }
    if (states->full)
        enum_stop_full(state, states);
    return !state->stopped;
}

/* Adds the state in `row` when it is looked for; whether to go on. A set that is full
 * leaves the rest in doubt, and nothing more can be learned. */
static bool add_state(struct enum_search *s, struct outcome_states *states,
                      const struct exec_cut *cut)
{
    BASE_ASSERT((cut != NULL) == (states == &s->state->outcome->crash));
    struct enum_state *state = s->state;
    state->outcome->met[cut ? LIT_CRASHED : LIT_FINAL] = true;
    if (state->looks_for_any) {
        enum_meet_goal(state);
        return false;
    }
    if (state->goal && state->goal->when == LIT_RECOVERED)
        return add_to_recover(s, states, cut);
    if (!enum_goal_met(state, states, s->row))
        return true;
    if (outcome_add_state(states, s->row)) {
        enum_show_witness(s, states, cut);
        enum_add_orbit(s, states, cut);
    }
    if (states->full)
        enum_stop_full(state, states);
    else if (state->goal)
        enum_meet_goal(state);
    return !state->stopped;
}

bool enum_read_final(struct enum_search *s)
{
    BASE_ASSERT(s->complete);
    const struct lit_program *program = s->skeleton->program;
    const struct outcome_states *states = &s->state->outcome->final;
    if (program->filter && !outcome_prop_holds(program, program->filter, final_value, s))
        return false;
    for (uint32_t i = 0; i < states->width; i++)
        s->row[i] = final_value(s, &states->items[i]);
    return true;
}

static bool add_final_state(struct enum_search *s)
{
    return !enum_read_final(s) || add_state(s, &s->state->outcome->final, NULL);
}

/* A register without a value is 0 beside a GIVEN that is 0. */
int64_t enum_assigned_value(const struct enum_search *s, const struct exec_assignment *held,
                            const struct lit_atom *atom)
{
    struct exec_reads reads = enum_reads_of(s, atom->thread);
    int64_t value = 0;
    if (atom->kind == LIT_ATOM_GIVEN)
        return held != NULL;
    BASE_CHECK(!held || exec_value_get(held->value, &reads, &value));
    return value;
}

static int64_t crash_value(const struct enum_search *s, const struct exec_cut *cut,
                           const struct lit_atom *atom)
{
    if (lit_atom_is_of_register(atom))
        return enum_assigned_value(s, exec_assigned_at_crash(s->skeleton, cut, atom), atom);
    BASE_ASSERT(atom->location < s->skeleton->program->location_count);
    uint32_t write = cut->last[atom->location];
    BASE_ASSERT(write == LIT_NONE || s->skeleton->events[write].location == atom->location);
    int64_t value = s->skeleton->program->locations[atom->location].init;
    if (atom->kind == LIT_ATOM_KEPT)
        return is_initial(s, write);
    BASE_CHECK(write == LIT_NONE || enum_write_value(s, write, &value));
    return value;
}

void enum_read_crash(struct enum_search *s, const struct exec_cut *cut)
{
    const struct outcome_states *states = &s->state->outcome->crash;
    for (uint32_t i = 0; i < states->width; i++)
        s->row[i] = crash_value(s, cut, &states->items[i]);
}

bool enum_add_crash_state(void *context, const struct exec_cut *cut)
{
    struct enum_search *s = context;
    struct outcome_states *states = &s->state->outcome->crash;
    enum_read_crash(s, cut);
    return add_state(s, states, cut) && !enum_out_of_time(s->state);
}

/* What a condition on crash states mentions. */
struct mentions {
    bool *locations;
    const struct outcome_states *states;
    bool *columns;
};

static void mention(void *context, const struct lit_atom *atom)
{
    const struct mentions *m = context;
    if (atom->kind == LIT_ATOM_LOCATION || atom->kind == LIT_ATOM_KEPT) {
        BASE_ASSERT(atom->location != LIT_NONE);
        m->locations[atom->location] = true;
    }
    for (uint32_t i = 0; i < m->states->width && lit_atom_is_of_register(atom); i++)
        m->columns[i] |= lit_atom_same(&m->states->items[i], atom);
}

/* What decides a condition on crash states: the locations and registers that it mentions. All do
 * when states are listed; of those that are recovered all locations do. */
static struct exec_crash_question what_matters(struct enum_search *s)
{
    const struct outcome_states *states = &s->state->outcome->crash;
    const struct lit_condition *goal = s->state->goal;
    struct arena *arena = &s->state->scratch;
    struct exec_crash_question question = {.mode = s->state->request->crash_mode};
    bool *columns = ARENA_ARRAY(arena, bool, states->width);
    struct lit_atom *registers = ARENA_ARRAY(arena, struct lit_atom, states->width);
    if (goal && goal->when == LIT_CRASHED) {
        bool *locations = ARENA_ARRAY(arena, bool, s->skeleton->program->location_count);
        struct mentions mentions = {locations, states, columns};
        lit_prop_each_atom(goal->prop, mention, &mentions);
        question.matters = locations;
    }
    for (uint32_t i = 0; i < states->width; i++)
        if (states->items[i].kind == LIT_ATOM_REGISTER && (!goal || columns[i]))
            registers[question.register_count++] = states->items[i];
    question.registers = registers;
    BASE_ASSERT(question.register_count <= states->width);
    return question;
}

uint64_t enum_each_crash_state(struct enum_search *s, const rel_word *const *bounds,
                               exec_cut_callback *callback)
{
    struct arena_mark mark = arena_mark(&s->state->scratch);
    const struct exec_contract contract = {
#define X(field, name) .field = bounds[CAT_##name],
        EXEC_CONTRACT(X)
#undef X
    };
    struct exec_crash_question question = what_matters(s);
    uint64_t cuts =
        exec_crash_states(&s->state->scratch, s->skeleton, &contract, &question, callback, s);
    arena_rewind(&s->state->scratch, mark);
    return cuts;
}

static void add_crash_states(struct enum_search *s)
{
    struct arena_mark mark = arena_mark(&s->state->scratch);
    const cat_node_id *reserved = s->state->request->model->reserved;
    struct exec_contract contract = {
#define X(field, name) .field = cat_eval_value(s->eval, reserved[CAT_##name]),
        EXEC_CONTRACT(X)
#undef X
    };
    struct exec_crash_question question = what_matters(s);
    if (!enum_add_product(s, &contract, &question))
        s->state->outcome->stats.cuts += exec_crash_states(
            &s->state->scratch, s->skeleton, &contract, &question, enum_add_crash_state, s);
    arena_rewind(&s->state->scratch, mark);
}

static void doubt_bounds(struct enum_search *s)
{
    struct outcome *outcome = s->state->outcome;
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++) {
        const struct exec_path *path = s->skeleton->paths[t];
        if (path->end == EXEC_AT_BOUND && path->too_long)
            outcome->doubts[OUTCOME_DOUBT_LENGTH] = true;
        else if (path->end == EXEC_AT_BOUND)
            outcome_doubt_unroll(outcome, s->skeleton->program, t, path->end_instr);
    }
}

/* A run that was cut off at its bound has not come to its end. Of crash states without anything
 * in them there is one. */
bool enum_reaches_crash(const struct enum_search *s)
{
    if (s->state->request->no_crash_states ||
        (s->state->states_only && s->state->outcome->crash.count))
        return false;
    return s->state->request->crash_mode != EXEC_CRASH_END ||
           exec_skeleton_ended(s->skeleton, EXEC_AT_BOUND) == LIT_NONE;
}

/* Some final state of a complete execution passes the filter: else there is nothing to be seen. */
static bool note_kept(struct enum_search *s)
{
    const struct lit_program *program = s->skeleton->program;
    s->kept |= outcome_prop_holds(program, program->filter, final_value, s);
    return !s->kept;
}

static bool is_filtered_out(struct enum_search *s)
{
    if (!s->complete || !s->skeleton->program->filter)
        return false;
    s->kept = false;
    enum_each_latest(s, s->state->observed, note_kept);
    return !s->kept;
}

static void look_for_undefined(struct enum_search *s)
{
    size_t before = s->state->outcome->undefined.count;
    if (s->state->request->endless) {
        if (exec_skeleton_waits_for_ever(s->skeleton))
            report_endless(s);
    } else {
        look_at_checks(s);
        if (!s->skeleton->probe) {
            report_divergences(s);
            report_faults(s);
        }
    }
    show_undefined(s, before);
}

/* What is to be seen of a consistent execution under the goal. */
static void look_for_states(struct enum_search *s)
{
    BASE_ASSERT(!s->skeleton->probe);
    const struct lit_condition *goal = s->state->goal;
    if (s->complete && (!goal || goal->when == LIT_FINAL))
        enum_each_latest(s, s->state->observed, add_final_state);
    if (enum_reaches_crash(s) && (!goal || goal->when != LIT_FINAL))
        add_crash_states(s);
    enum_close_orbits(s);
}

/* Notes that this execution exists. It has a crash state, too, if every write can persist and
 * versions land in coherence order: no rule then forbids the cut at which every event has executed
 * and every write is durable. Crash points may forbid that cut. */
static void note_execution(struct enum_search *s)
{
    BASE_ASSERT(!s->skeleton->probe);
    struct outcome *outcome = s->state->outcome;
    outcome->ran = true;
    outcome->ended |= s->complete;
    outcome->met[LIT_FINAL] |= s->complete && !s->skeleton->program->filter;
    const struct engine_request *request = s->state->request;
    outcome->met[LIT_CRASHED] |= request->crash_mode != EXEC_CRASH_POINTS &&
                                 request->model->all_can_persist &&
                                 request->model->lands_by_coherence && enum_reaches_crash(s);
}

/* There is no final state: is there no execution, does none end, or does the filter exclude them
 * all? */
static void look_for_run(struct enum_state *state)
{
    if (state->outcome->ended || !state->request->program->filter)
        enum_meet_goal(state);
}

/* Flags that are new; when there are none left to be raised, that was all. */
static void look_for_flags(struct enum_search *s)
{
    BASE_ASSERT(s->state->wanted_flags);
    struct enum_state *state = s->state;
    const struct cat_model *model = state->request->model;
    struct exec_divergences divergences;
    struct exec_divergence found;
    bool any = false;
    for (uint32_t c = 0; c < model->check_count; c++) {
        if (state->wanted_flags[c] && cat_eval_holds(s->eval, &model->checks[c])) {
            outcome_add_flag(state->outcome, model->checks[c].name);
            state->wanted_flags[c] = false;
        }
        any |= state->wanted_flags[c];
    }
    exec_divergences_init(&divergences, s->skeleton);
    if (state->wants_divergence && exec_divergences_next(&divergences, s->skeleton, &found)) {
        outcome_add_flag(state->outcome, outcome_undefined_text(OUTCOME_DIVERGENCE));
        state->wants_divergence = false;
    }
    if (!any && !state->wants_divergence)
        enum_meet_goal(state);
}

bool enum_leaf(struct enum_search *s)
{
    struct enum_state *state = s->state;
    if (!waits_are_stuck(s))
        return false;
    state->outcome->stats.consistent += !s->skeleton->probe;
    bool filtered_out = is_filtered_out(s);
    if (!state->goal && !state->looks_for_run && !state->flag_plan && !filtered_out)
        look_for_undefined(s);
    if (!s->skeleton->probe) {
        note_execution(s);
        doubt_bounds(s);
    }
    if (state->flag_plan) {
        if (!filtered_out)
            look_for_flags(s);
    } else if (state->looks_for_run) {
        look_for_run(state);
    } else if (state->looks_for_undefined) {
        if (state->outcome->undefined.count)
            enum_meet_goal(state);
    } else if (!s->skeleton->probe) {
        look_for_states(s);
    }
    return true;
}
