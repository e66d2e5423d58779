#include "engine/contrast.h"

#include <string.h>

static const enum agree_aspect compared[CONTRAST_KINDS] = {AGREE_FINAL, AGREE_CRASH,
                                                           AGREE_RECOVERED, AGREE_LIVELOCK};

/* Why states of the kind may be missing; NULL: all are there. */
static const char *doubt_of(const struct outcome *outcome, enum agree_aspect aspect)
{
    bool before = aspect == AGREE_FINAL || aspect == AGREE_CRASH;
    const char *doubt = before ? outcome_doubt(outcome) : outcome_recovery_doubt(outcome);
    if (!doubt && outcome->decided)
        return "conditions were decided, and no states listed";
    return doubt;
}

/* Livelocks of sets that are no lists are not kept one by one. */
static bool is_kept(const struct outcome *outcome, enum agree_aspect aspect)
{
    return aspect != AGREE_LIVELOCK || !outcome->recovered.product;
}

static void leave_open(struct contrast_side *side, const char *doubt)
{
    if (side->more != CONTRAST_YES)
        side->more = CONTRAST_OPEN;
    if (!side->doubt)
        side->doubt = doubt;
}

static void look_at_states(struct contrast_side *side, const struct outcome *has,
                           const struct outcome *lacks, enum agree_aspect aspect)
{
    struct agree_difference missing = {.aspect = aspect};
    const char *untold = doubt_of(lacks, aspect), *unlisted = doubt_of(has, aspect);
    if (!is_kept(has, aspect) || !is_kept(lacks, aspect)) {
        leave_open(side, "livelocks of so many states are not listed");
        return;
    }
    if (!agree_find_missing(agree_states(has, aspect), agree_states(lacks, aspect), &missing))
        leave_open(side, OUTCOME_TOO_MANY_NODES);
    if (missing.count && !untold) {
        side->more = CONTRAST_YES;
        side->states[side->count++] = (struct contrast_states){aspect, missing.count, missing.row};
    } else if (missing.count) {
        leave_open(side, untold);
    } else if (unlisted) {
        leave_open(side, unlisted);
    }
}

static struct contrast_side side_of(const struct outcome *has, const struct outcome *lacks)
{
    struct contrast_side side = {.undefined = has->undefined.count > 0};
    const char *may_be_undefined = outcome_flag_doubt(lacks);
    if (lacks->undefined.count)
        return side;
    if (side.undefined) {
        side.more = CONTRAST_YES;
    } else {
        for (int i = 0; i < CONTRAST_KINDS; i++)
            look_at_states(&side, has, lacks, compared[i]);
        if (outcome_flag_doubt(has))
            leave_open(&side, outcome_flag_doubt(has));
    }
    if (may_be_undefined && side.more == CONTRAST_YES) {
        side = (struct contrast_side){
            .more = CONTRAST_OPEN, .undefined = side.undefined, .doubt = may_be_undefined};
    }
    if (side.more == CONTRAST_YES)
        side.doubt = NULL;
    return side;
}

struct contrast contrast_of(const struct outcome *first, const struct outcome *second)
{
    return (struct contrast){{side_of(first, second), side_of(second, first)}};
}

enum contrast_class contrast_class_of(const struct contrast *contrast)
{
    const struct contrast_side *a = &contrast->sides[0], *b = &contrast->sides[1];
    if (a->undefined && b->undefined)
        return CONTRAST_UNDEFINED;
    if (a->more == CONTRAST_OPEN || b->more == CONTRAST_OPEN)
        return CONTRAST_UNKNOWN;
    if (a->undefined || b->undefined)
        return a->undefined ? CONTRAST_UNDEFINED_FIRST : CONTRAST_UNDEFINED_SECOND;
    if (a->more == CONTRAST_YES)
        return b->more == CONTRAST_YES ? CONTRAST_BOTH : CONTRAST_FIRST;
    return b->more == CONTRAST_YES ? CONTRAST_SECOND : CONTRAST_SAME;
}

const char *contrast_class_word(enum contrast_class class)
{
    static const char *const words[] = {CONTRAST_CLASSES(TABLE_SECOND)};
    return words[class];
}

void contrast_add(struct contrast_totals *totals, const struct contrast *contrast)
{
    totals->tests++;
    totals->classes[contrast_class_of(contrast)]++;
    for (int i = 0; i < 2; i++) {
        const struct contrast_side *side = &contrast->sides[i];
        totals->more[i] += side->more == CONTRAST_YES;
        totals->defined[i] += side->more == CONTRAST_YES && !side->undefined;
        totals->open[i] += side->more == CONTRAST_OPEN;
    }
}

enum contrast_direction contrast_direction_of(const struct contrast_totals *totals)
{
    if (totals->tests == totals->classes[CONTRAST_UNDEFINED])
        return CONTRAST_DIRECTION_NOTHING;
    if (totals->more[0] && totals->more[1])
        return CONTRAST_DIRECTION_INCOMPARABLE;
    for (int i = 0; i < 2; i++)
        if (!totals->more[i] && totals->open[i])
            return CONTRAST_DIRECTION_NOT_KNOWN;
    return totals->more[0]   ? CONTRAST_DIRECTION_CONTAINS
           : totals->more[1] ? CONTRAST_DIRECTION_CONTAINED
                             : CONTRAST_DIRECTION_EQUAL;
}

const char *contrast_direction_word(enum contrast_direction direction)
{
    static const char *const words[] = {CONTRAST_DIRECTIONS(TABLE_SECOND)};
    return words[direction];
}
