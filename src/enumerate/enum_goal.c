/* Evaluates a proposition about the final state in three values while the witness is partial. A
 * register is open until the reads it depends on are known. A location may have the value of any
 * write that no other write is coherence-after so far. */
#include "enumerate/enum_goal.h"

#include "base/bits.h"
#include "engine/recovery.h"

/* What an atom may come to: too many, or one that is not known yet, leave it open. */
enum { MAX_CANDIDATES = 16 };

struct candidates {
    int64_t values[MAX_CANDIDATES];
    uint32_t count;
    bool open;
};

static void add_candidate(struct candidates *c, bool known, int64_t value)
{
    if (!known || c->count == MAX_CANDIDATES)
        c->open = true;
    else
        c->values[c->count++] = value;
}

static void list_latest(const struct enum_search *s, uint32_t location, struct candidates *c)
{
    BASE_ASSERT(location < s->skeleton->program->location_count);
    const rel_word *writes = exec_writes_of(s->skeleton, location);
    bool any = false;
    BITS_EACH (write, k, s->dim.words, writes[k]) {
        int64_t value = 0;
        bool known = enum_write_value(s, write, &value);
        any = true;
        if (enum_may_be_latest(s, writes, write))
            add_candidate(c, known, value);
    }
    if (!any)
        add_candidate(c, true, s->skeleton->program->locations[location].init);
}

static void list_candidates(const struct enum_search *s, const struct lit_atom *atom,
                            struct candidates *c)
{
    c->count = 0;
    c->open = false;
    if (atom->kind == LIT_ATOM_CONST) {
        add_candidate(c, true, atom->value);
    } else if (atom->kind == LIT_ATOM_LOCATION) {
        list_latest(s, atom->location, c);
    } else {
        BASE_CHECK(atom->kind == LIT_ATOM_REGISTER);
        struct exec_reads reads = enum_reads_of(s, atom->thread);
        int64_t value = 0;
        bool known =
            exec_value_get(s->skeleton->paths[atom->thread]->registers[atom->reg], &reads, &value);
        add_candidate(c, known, value);
    }
}

/* Of an atom without a value nothing holds. */
static int compare(const void *search, const struct lit_prop *prop)
{
    const struct enum_search *s = search;
    struct candidates left, right;
    int may = 0;
    list_candidates(s, &prop->left, &left);
    list_candidates(s, &prop->right, &right);
    if (left.open || right.open)
        return LIT_MAY_BOTH;
    for (uint32_t i = 0; i < left.count; i++)
        for (uint32_t j = 0; j < right.count; j++)
            may |= lit_prop_compares(s->skeleton->program, prop, left.values[i], right.values[j])
                       ? LIT_MAY_HOLD
                       : LIT_MAY_FAIL;
    return may ? may : LIT_MAY_FAIL;
}

/* What decides a condition is a state where it does ... */
static int deciding(const struct lit_condition *condition)
{
    return condition->quantifier == LIT_FORALL ? LIT_MAY_FAIL : LIT_MAY_HOLD;
}

bool enum_leaves_doubt(const struct enum_state *state, const struct exec_path *path)
{
    return path->end == EXEC_AT_BOUND &&
           !state->outcome->doubts[path->too_long ? OUTCOME_DOUBT_LENGTH : OUTCOME_DOUBT_UNROLL];
}

bool enum_paths_serve(const struct enum_state *state, const struct exec_path *const *paths)
{
    bool complete = true, doubt = false;
    for (uint32_t t = 0; t < state->request->program->thread_count; t++) {
        complete = complete && paths[t]->end == EXEC_COMPLETE;
        doubt = doubt || enum_leaves_doubt(state, paths[t]);
    }
    return !state->goal || state->goal->when != LIT_FINAL || complete || doubt;
}

bool enum_goal_open(const struct enum_search *s)
{
    const struct lit_condition *goal = s->state->goal;
    const struct lit_prop *filter = s->skeleton->program->filter;
    if (!goal || goal->when != LIT_FINAL)
        return true;
    if (!s->complete)
        return enum_paths_serve(s->state, s->skeleton->paths);
    if (filter && lit_prop_may(filter, compare, s) == LIT_MAY_FAIL)
        return false;
    return lit_prop_may(goal->prop, compare, s) & deciding(goal);
}

bool enum_flag_open(struct enum_search *s)
{
    const struct enum_state *state = s->state;
    return !state->flag_plan || cat_eval_may_raise(s->eval, state->wanted_flags) ||
           (state->wants_divergence &&
            exec_skeleton_ended(s->skeleton, EXEC_AT_BARRIER) != LIT_NONE);
}

bool enum_goal_met(const struct enum_state *state, const struct outcome_states *states,
                   const int64_t *row)
{
    const struct lit_condition *goal = state->goal;
    if (goal && goal->when == LIT_RECOVERED) {
        recovery_start(state->recovery, row);
        return recovery_is_settled(state->recovery);
    }
    return !goal || outcome_satisfies(states, row, state->request->program, goal->prop) ==
                        (deciding(goal) == LIT_MAY_HOLD);
}

bool enum_state_known(struct enum_search *s)
{
    const struct outcome_states *states = &s->state->outcome->final;
    const struct lit_condition *goal = s->state->goal;
    if (!s->state->states_only || !s->complete || (goal && goal->when != LIT_FINAL))
        return false;
    for (uint32_t i = 0; i < states->width; i++) {
        struct candidates c;
        list_candidates(s, &states->items[i], &c);
        if (c.open || c.count == 0)
            return false;
        for (uint32_t j = 1; j < c.count; j++)
            if (c.values[j] != c.values[0])
                return false;
        s->row[i] = c.values[0];
    }
    return outcome_has_state(states, s->row);
}
