/* Splits a set by each condition once, counts both parts, and keeps a state that decides the
 * condition. */
#include "engine/outcome.h"

/* Past the time, of a clock's allowance, for all conditions together: a state that was found in
 * time still decides what is easily told. */
enum { LATE_STEPS = 1 << 28 };

struct teller {
    struct outcome *outcome;
    const struct lit_program *program;
    const struct clock_limit *clock;
    uint64_t late_steps; /* for each */
};

/* Of numbers that a word has no room for all digits. */
static const char *digits_of(struct teller *t, const struct mdd *store, mdd_node set)
{
    SCOPED(strbuf) text = {0};
    mdd_count_text(store, set, &text);
    return arena_strdup(&t->outcome->arena, strbuf_text(&text));
}

static void split(struct teller *t, const struct outcome_states *states,
                  const struct lit_condition *condition, struct outcome_split *split)
{
    const struct lit_program judged =
        condition->when == LIT_RECOVERED ? lit_recovery_program(t->program) : *t->program;
    struct clock_allowance few = {.left = t->late_steps};
    const struct clock_limit late = {.allowance = &few};
    outcome_split(states, states->root, &judged, condition->prop, t->clock, split);
    if (!split->store && clock_is_late(t->clock))
        outcome_split(states, states->root, &judged, condition->prop, &late, split);
}

static void tell_condition(struct teller *t, const struct lit_condition *condition,
                           struct outcome_told *told)
{
    const struct outcome_states *states = outcome_states_of(t->outcome, condition->when);
    struct outcome_split parts;
    if (!states->product)
        return;
    told->condition = condition;
    split(t, states, condition, &parts);
    if (!parts.store) {
        told->doubt = clock_is_late(t->clock) ? OUTCOME_TIME_RAN_OUT : OUTCOME_TOO_MANY_NODES;
        return;
    }
    told->positive = mdd_count(parts.store, parts.positive);
    told->negative = mdd_count(parts.store, parts.negative);
    told->positive_digits = digits_of(t, parts.store, parts.positive);
    told->negative_digits = digits_of(t, parts.store, parts.negative);
    mdd_node set = condition->quantifier == LIT_FORALL ? parts.negative : parts.positive;
    if (set != MDD_EMPTY) {
        int64_t *row = ARENA_ARRAY(&t->outcome->arena, int64_t, states->width + 1);
        mdd_smallest(parts.store, set, row);
        told->deciding = row;
    }
    mdd_free(parts.store);
}

void outcome_tell(struct outcome *outcome, const struct lit_program *program,
                  const struct clock_limit *clock)
{
    struct teller teller = {outcome, program, clock, LATE_STEPS / (program->condition_count + 1)};
    outcome->told_count = program->condition_count;
    outcome->told = ARENA_ARRAY(&outcome->arena, struct outcome_told, program->condition_count);
    for (uint32_t i = 0; i < program->condition_count; i++)
        tell_condition(&teller, &program->conditions[i], &outcome->told[i]);
}

const struct outcome_told *outcome_told_of(const struct outcome *outcome,
                                           const struct lit_condition *condition)
{
    uint32_t i = 0;
    while (i < outcome->told_count && outcome->told[i].condition != condition)
        i++;
    BASE_CHECK(i < outcome->told_count);
    return &outcome->told[i];
}

bool outcome_is_entangled(const struct outcome *outcome)
{
    return ANY(i, outcome->told_count, outcome->told[i].doubt != NULL);
}
