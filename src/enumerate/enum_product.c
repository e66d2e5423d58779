/* Crash states as a product, for executions whose locations have more combinations of last durable
 * writes than are listed. The cuts are only asked which choices exclude each other; the set of
 * states is built from that. A state that has to be shown is found again among the cuts by its
 * values. */
#include "enumerate/enum_search.h"

#include "base/bits.h"
#include "engine/recovery.h"

struct maker {
    struct enum_search *search;
    const struct exec_crash_question *question;
    struct mdd *store;
    mdd_node set;
    const uint32_t *column_of; /* per location, LIT_NONE: it has none */
};

/* Are there as many combinations of what matters? The number of writes bounds them. */
static bool is_many(const struct enum_search *s, const struct exec_crash_question *question)
{
    const struct lit_program *program = s->skeleton->program;
    size_t combinations = 1;
    for (uint32_t l = 0; l < program->location_count; l++) {
        bool counts = program->locations[l].nvm && (!question->matters || question->matters[l]);
        uint32_t writes = counts ? set_count(s->dim, exec_writes_of(s->skeleton, l)) : 0;
        combinations *= writes ? writes : 1;
        if (combinations > enum_thresholds(s->state)->listed)
            return true;
    }
    return false;
}

/* ---- Choices, column by column ---- */

/* The one value of a column without a choice. */
static int64_t lone_value(const struct maker *m, const struct exec_choices *choices,
                          const struct lit_atom *atom)
{
    const struct enum_search *s = m->search;
    if (!lit_atom_is_of_register(atom))
        return s->skeleton->program->locations[atom->location].init;
    const struct exec_assignment *held = NULL;
    for (uint32_t i = 0; i < m->question->register_count; i++)
        if (m->question->registers[i].thread == atom->thread &&
            m->question->registers[i].reg == atom->reg && choices->assigned[i] != LIT_NONE)
            held = &s->skeleton->paths[atom->thread]->assignments[choices->assigned[i]];
    return enum_assigned_value(s, held, atom);
}

static uint32_t place_of(const struct exec_choices *choices, const struct lit_atom *atom)
{
    for (uint32_t i = 0; i < choices->location_count; i++)
        if (atom->kind == LIT_ATOM_LOCATION && choices->locations[i] == atom->location)
            return i;
    return LIT_NONE;
}

struct columns {
    uint32_t *first; /* per column */
    int64_t *values;
    uint32_t *numbers; /* per choice of the execution: the one of the columns */
    uint32_t count;
};

static void add_column(const struct maker *m, const struct exec_choices *choices,
                       const struct lit_atom *atom, struct columns *columns)
{
    uint32_t place = place_of(choices, atom);
    if (place == LIT_NONE) {
        columns->values[columns->count++] = lone_value(m, choices, atom);
        return;
    }
    for (uint32_t k = choices->first[place]; k < choices->first[place + 1]; k++) {
        int64_t value = 0;
        BASE_CHECK(enum_write_value(m->search, choices->writes[k], &value));
        columns->numbers[k] = columns->count;
        columns->values[columns->count++] = value;
    }
}

static void list_columns(const struct maker *m, const struct exec_choices *choices,
                         struct columns *columns)
{
    const struct outcome_states *states = &m->search->state->outcome->crash;
    struct arena *arena = &m->search->state->scratch;
    uint32_t count = choices->first[choices->location_count];
    columns->first = ARENA_ARRAY(arena, uint32_t, states->width + 1);
    columns->values = ARENA_ARRAY(arena, int64_t, count + states->width);
    columns->numbers = ARENA_ARRAY(arena, uint32_t, count);
    for (uint32_t i = 0; i < states->width; i++) {
        columns->first[i] = columns->count;
        add_column(m, choices, &states->items[i], columns);
    }
    columns->first[states->width] = columns->count;
}

/* The exclusions under the columns' numbers. */
static uint64_t *renumber(const struct maker *m, const struct exec_choices *choices,
                          const struct columns *columns, uint32_t words)
{
    uint64_t *excludes =
        ARENA_ARRAY(&m->search->state->scratch, uint64_t, (size_t)columns->count * words);
    for (uint32_t k = 0; k < choices->first[choices->location_count]; k++) {
        uint64_t *row = excludes + (size_t)columns->numbers[k] * words;
        BITS_EACH (e, w, choices->words, choices->excludes[(size_t)k * choices->words + w])
            bits_set(row, columns->numbers[e]);
    }
    return excludes;
}

static bool add_choices(void *context, const struct exec_choices *choices)
{
    struct maker *m = context;
    struct arena *scratch = &m->search->state->scratch;
    struct arena_mark mark = arena_mark(scratch);
    struct columns columns = {NULL, NULL, NULL, 0};
    list_columns(m, choices, &columns);
    uint32_t words = BITS_WORDS(columns.count);
    const struct mdd_choices all = {columns.first, columns.values,
                                    renumber(m, choices, &columns, words), words};
    m->set = mdd_union(m->store, m->set, mdd_of_choices(m->store, &all));
    arena_rewind(scratch, mark);
    return !mdd_is_full(m->store) && !enum_out_of_time(m->search->state);
}

/* ---- States to be shown ---- */

/* A cut is looked for that leaves this state. */
struct wanted {
    struct enum_search *search;
    const struct exec_crash_question *question;
    const int64_t *row;
    const uint32_t *column_of;
    bool adds; /* the state, too */
};

static bool has_value(void *context, uint32_t location, uint32_t write)
{
    const struct wanted *wanted = context;
    int64_t value = 0;
    BASE_CHECK(enum_write_value(wanted->search, write, &value));
    return wanted->column_of[location] == LIT_NONE ||
           wanted->row[wanted->column_of[location]] == value;
}

/* A register that is not asked for has no value in a set, whatever it has in a cut. */
static bool is_asked(const struct exec_crash_question *question, const struct lit_atom *atom)
{
    return !lit_atom_is_of_register(atom) || ANY(i, question->register_count,
                                                 question->registers[i].thread == atom->thread &&
                                                     question->registers[i].reg == atom->reg);
}

/* Locations have their values; what registers have is seen here. */
static bool show_cut(void *context, const struct exec_cut *cut)
{
    const struct wanted *wanted = context;
    struct enum_search *s = wanted->search;
    const struct outcome_states *states = &s->state->outcome->crash;
    enum_read_crash(s, cut);
    for (uint32_t i = 0; i < states->width; i++)
        if (s->row[i] != wanted->row[i] && is_asked(wanted->question, &states->items[i]))
            return true;
    if (wanted->adds)
        enum_add_crash_state(s, cut);
    else
        enum_show_witness(s, states, cut);
    return false;
}

static void show_state(const struct maker *m, const struct exec_contract *contract, mdd_node set,
                       bool adds)
{
    struct arena *scratch = &m->search->state->scratch;
    struct arena_mark mark = arena_mark(scratch);
    int64_t *row = ARENA_ARRAY(scratch, int64_t, mdd_width(m->store));
    struct wanted wanted = {m->search, m->question, row, m->column_of, adds};
    struct exec_crash_question question = *m->question;
    question.matters = NULL;
    question.wants = has_value;
    mdd_smallest(m->store, set, row);
    exec_crash_states(scratch, m->search->skeleton, contract, &question, show_cut, &wanted);
    arena_rewind(scratch, mark);
}

static mdd_node deciding(const struct maker *m, mdd_node set, const struct lit_condition *condition)
{
    const struct outcome_states *states = &m->search->state->outcome->crash;
    mdd_node those = outcome_satisfying(m->store, set, states, m->search->state->request->program,
                                        condition->prop);
    return condition->quantifier == LIT_FORALL ? mdd_minus(m->store, set, those) : those;
}

/* Shows new states: for each condition on crash states that is not yet decided one that decides it.
 * If there is none, any new state. */
static void show_new(const struct maker *m, const struct exec_contract *contract, mdd_node fresh)
{
    struct enum_state *state = m->search->state;
    const struct lit_program *program = state->request->program;
    bool any = false;
    for (uint32_t i = 0; i < program->condition_count && state->request->on_witness; i++) {
        if (program->conditions[i].when != LIT_CRASHED || state->shown[i])
            continue;
        mdd_node those = deciding(m, fresh, &program->conditions[i]);
        if (those == MDD_EMPTY || mdd_is_full(m->store))
            continue;
        show_state(m, contract, those, false);
        any = state->shown[i] = true;
    }
    if (!any && state->request->on_witness)
        show_state(m, contract, fresh, false);
}

/* ---- Orbits of what is made ---- */

struct exchange {
    const struct outcome_states *states;
    struct exec_exchange by;
};

static int64_t exchanged(const void *context, uint32_t column, int64_t value)
{
    const struct exchange *exchange = context;
    const struct lit_atom *atom = &exchange->states->items[column];
    return atom->kind == LIT_ATOM_LOCATION
               ? exec_exchange_value(&exchange->by, atom->location, value)
               : value;
}

/* What an exchange makes of a set that has the columns of `states`. */
static mdd_node image_of(struct arena *scratch, const struct outcome_states *states,
                         struct mdd *store, mdd_node set, const struct exec_exchange *by)
{
    const struct exchange exchange = {states, *by};
    struct arena_mark mark = arena_mark(scratch);
    uint32_t *from = ARENA_ARRAY(scratch, uint32_t, states->width);
    for (uint32_t i = 0; i < states->width; i++) {
        const struct lit_atom image = stabilizer_atom(by, &states->items[i]);
        from[i] = outcome_column(states, &image);
        BASE_CHECK(from[i] < states->width);
    }
    mdd_node image = mdd_renamed(store, set, from, exchanged, &exchange);
    arena_rewind(scratch, mark);
    return image;
}

static bool add_to_made(void *context, const struct exec_exchange *by)
{
    struct maker *m = context;
    struct enum_state *state = m->search->state;
    mdd_node image = image_of(&state->scratch, &state->outcome->crash, m->store, m->set, by);
    m->set = mdd_union(m->store, m->set, image);
    return !mdd_is_full(m->store);
}

/* Adds the states of executions that are not looked at, as this one stands for them. */
static bool close_made(struct maker *m)
{
    mdd_node before = MDD_EMPTY;
    while (m->set != before) {
        before = m->set;
        if (!stabilizer_each(&m->search->state->group.left, add_to_made, m))
            return false;
    }
    return true;
}

/* ---- The whole ---- */

/* One state that decides the goal is all that is asked for. */
static bool look_for_goal(struct maker *m, const struct exec_contract *contract)
{
    struct enum_state *state = m->search->state;
    if (state->looks_for_any && m->set != MDD_EMPTY)
        enum_meet_goal(state);
    if (state->looks_for_any)
        return true;
    if (state->goal->when == LIT_RECOVERED) {
        if (!close_made(m))
            return false;
        recovery_start_product(state->recovery, m->store, m->set);
        if (recovery_is_settled(state->recovery))
            enum_meet_goal(state);
        return true;
    }
    mdd_node those = deciding(m, m->set, state->goal);
    if (mdd_is_full(m->store))
        return false;
    if (those != MDD_EMPTY)
        show_state(m, contract, those, true);
    return true;
}

/* False: there are so few that they are listed. */
static bool add_set(struct maker *m, const struct exec_contract *contract)
{
    struct enum_state *state = m->search->state;
    struct outcome_states *states = &state->outcome->crash;
    uint64_t count = mdd_count(m->store, m->set);
    if (!states->product && count <= states->most_listed)
        return false;
    outcome_factor(states);
    mdd_node known = mdd_copy(m->store, states->product, states->root);
    mdd_node fresh = mdd_minus(m->store, m->set, known);
    if (fresh != MDD_EMPTY && !mdd_is_full(m->store))
        show_new(m, contract, fresh);
    outcome_add_product(states, mdd_copy(outcome_product(states), m->store, m->set));
    if (states->full)
        enum_stop_full(state, states);
    return true;
}

static bool takes_product(const struct enum_search *s)
{
    const struct enum_state *state = s->state;
    if (state->goal && state->goal->when == LIT_RECOVERED)
        return state->recovery && recovery_takes_products(state->request);
    return state->goal ? state->goal->when == LIT_CRASHED : state->outcome->crash.most_listed > 0;
}

static const uint32_t *columns_of(struct enum_search *s)
{
    const struct outcome_states *states = &s->state->outcome->crash;
    uint32_t count = s->skeleton->program->location_count;
    uint32_t *columns = ARENA_ARRAY(&s->state->scratch, uint32_t, count);
    for (uint32_t l = 0; l < count; l++)
        columns[l] = LIT_NONE;
    for (uint32_t i = 0; i < states->width; i++)
        if (states->items[i].kind == LIT_ATOM_LOCATION)
            columns[states->items[i].location] = i;
    return columns;
}

/* A product that is too large is no answer: then states are listed, as far as time goes. */
static bool make(struct maker *m, const struct exec_contract *contract)
{
    struct enum_state *state = m->search->state;
    if (!exec_crash_choices(&state->scratch, m->search->skeleton, contract, m->question,
                            add_choices, m) ||
        mdd_is_full(m->store))
        return false;
    if (state->stopped)
        return true;
    uint64_t count = mdd_count(m->store, m->set);
    if (state->goal ? !look_for_goal(m, contract) : !add_set(m, contract))
        return false;
    state->outcome->met[LIT_CRASHED] |= count > 0;
    if (__builtin_add_overflow(state->outcome->stats.cuts, count, &state->outcome->stats.cuts))
        state->outcome->stats.cuts = UINT64_MAX;
    return true;
}

bool enum_add_product(struct enum_search *s, const struct exec_contract *contract,
                      const struct exec_crash_question *question)
{
    if (!takes_product(s) || !is_many(s, question))
        return false;
    const struct outcome_states *states = &s->state->outcome->crash;
    struct arena_mark mark = arena_mark(&s->state->scratch);
    struct maker m = {.search = s,
                      .question = question,
                      .store = mdd_new(states->width, states->order, OUTCOME_MAX_NODES),
                      .column_of = columns_of(s)};
    mdd_heed(m.store, &s->state->request->limits.clock);
    bool made = make(&m, contract);
    mdd_free(m.store);
    arena_rewind(&s->state->scratch, mark);
    return made;
}

/* ---- Orbits of what is found ---- */

struct closing {
    struct enum_state *state;
    struct outcome_states *states;
    bool any; /* new states */
};

static bool add_to_found(void *context, const struct exec_exchange *by)
{
    struct closing *c = context;
    struct outcome_states *states = c->states;
    mdd_node image = image_of(&c->state->scratch, states, states->product, states->root, by);
    c->any |= mdd_union(states->product, states->root, image) != states->root;
    outcome_add_product(states, image);
    if (states->full && !clock_is_late(&c->state->request->limits.clock))
        enum_stop_full(c->state, states);
    return !states->full;
}

static void close_found(struct enum_state *state, struct outcome_states *states)
{
    struct closing closing = {.state = state, .states = states, .any = true};
    while (closing.any && !clock_is_late(&state->request->limits.clock)) {
        closing.any = false;
        if (!stabilizer_each(&state->group.left, add_to_found, &closing))
            return;
    }
}

void enum_close_products(struct enum_state *state)
{
    struct outcome_states *const sets[] = {&state->outcome->final, &state->outcome->crash};
    for (size_t i = 0; i < 2 && state->group.closes; i++) {
        if (!sets[i]->product || sets[i]->full)
            continue;
        mdd_heed(sets[i]->product, &state->request->limits.clock);
        outcome_factor(sets[i]);
        close_found(state, sets[i]);
        mdd_heed(sets[i]->product, NULL);
        if (clock_is_late(&state->request->limits.clock))
            state->outcome->doubts[OUTCOME_DOUBT_TIMEOUT] = true;
    }
}
