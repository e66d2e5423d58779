/* Each engine's states are right, so both sets together are kept. The union is complete only where
 * one of the two has no doubt. */
#include "engine/outcome.h"

#include <string.h>

static void add_states(struct outcome_states *states, const struct outcome_states *other)
{
    states->full = false;
    if (other->product)
        outcome_add_product(states, outcome_set_in(outcome_product(states), other));
    for (size_t i = 0; !other->product && i < other->count; i++)
        (void)outcome_add_state(states, outcome_row(other, i));
}

static bool has_doubt(const bool *doubts)
{
    return ANY(doubt, OUTCOME_DOUBT_COUNT, doubts[doubt]);
}

/* A doubt about the program is a doubt about recovery, too. A doubt stays only where both outcomes
 * have some. */
static void join_doubts(struct outcome *outcome, const struct outcome *other)
{
    bool program = has_doubt(outcome->doubts) && has_doubt(other->doubts);
    bool recovery = (has_doubt(outcome->doubts) || has_doubt(outcome->recovery_doubts)) &&
                    (has_doubt(other->doubts) || has_doubt(other->recovery_doubts));
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++) {
        bool before = outcome->doubts[doubt] || other->doubts[doubt];
        bool behind = outcome->recovery_doubts[doubt] || other->recovery_doubts[doubt];
        outcome->doubts[doubt] = program && before;
        outcome->recovery_doubts[doubt] = recovery && (behind || (before && !program));
    }
}

/* Why each gave up; once where they say the same. */
static const char *reasons(struct outcome *outcome, const struct outcome *other,
                           const char *const names[2])
{
    const char *one = outcome_any_doubt(outcome), *two = outcome_any_doubt(other);
    if (!one || !two || strcmp(one, two) == 0)
        return one ? one : two;
    return arena_printf(&outcome->arena, "%s: %s; %s: %s", names[0], one, names[1], two);
}

void outcome_join(struct outcome *outcome, const struct outcome *other, const char *const names[2])
{
    outcome->reasons = reasons(outcome, other, names);
#define X(set) add_states(&outcome->set, &other->set);
    OUTCOME_SETS(X)
#undef X
    for (size_t i = 0; i < other->undefined.count; i++)
        (void)outcome_add_undefined(outcome, &other->undefined.items[i]);
    for (size_t i = 0; i < other->flags.count; i++)
        outcome_add_flag(outcome, other->flags.items[i]);
    for (size_t i = 0; i < sizeof outcome->met / sizeof *outcome->met; i++)
        outcome->met[i] |= other->met[i];
    for (uint32_t i = 0; i < outcome->condition_count; i++)
        outcome->all_values[i] |= other->all_values[i];
    outcome->ran |= other->ran;
    outcome->ended |= other->ended;
    join_doubts(outcome, other);
    outcome_sort(outcome);
#define X(set)             \
    if (outcome->set.full) \
        outcome_note_full(outcome, &outcome->set);
    OUTCOME_SETS(X)
#undef X
}

void outcome_take_decided(struct outcome *outcome, const struct outcome *decided)
{
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++)
        if (doubt != OUTCOME_DOUBT_THIN_AIR &&
            (decided->doubts[doubt] > outcome->doubts[doubt] ||
             decided->recovery_doubts[doubt] > outcome->recovery_doubts[doubt]))
            return; /* that is no doubt of the outcome's, and would be lost */
    for (uint32_t i = 0; i < outcome->condition_count; i++)
        outcome->all_values[i] |= decided->all_values[i];
}
