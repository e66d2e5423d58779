/* explanation_alike: groups statements, pairs and reasons that differ only in their work-items, or in
 * the iteration of a loop, so that a report states them once.
 *
 * Two events are alike when each is the same access at the same place of its work-item's code, and
 * both work-items run the same instructions up to there, whatever their locations and values. Where
 * a statement accesses one of several locations, as in a loop, those of two work-items are alike if
 * they access the same. */
#ifndef CRASHLIT_EXPLANATION_ALIKE_H
#define CRASHLIT_EXPLANATION_ALIKE_H

#include "engine/explanation.h"

/* Which event of a pair differs in a pair that is like it. */
enum explanation_likeness {
    EXPLANATION_UNLIKE,
    EXPLANATION_ALIKE_FROM, /* `from` */
    EXPLANATION_ALIKE_TO,   /* `to` */
    EXPLANATION_ALIKE_BOTH, /* both, which are of one work-item */
    EXPLANATION_ALIKE_PAIR, /* both, which are of two */
    EXPLANATION_ALIKE_OWN   /* one or both, and the work-items are the same: accesses of a loop */
};

bool explanation_same_event(const struct outcome_event *a, const struct outcome_event *b);
enum explanation_likeness explanation_pair_likeness(const struct lit_program *program,
                                                    const struct explanation_pair *a,
                                                    const struct explanation_pair *b);

/* Puts at each of `count` things the number of the first in its group; `like` tells how alike two
 * are. All of a group are like its first in the same way. Groups of fewer than `least` are split
 * up. */
typedef enum explanation_likeness explanation_like(const void *context, uint32_t a, uint32_t b);
void explanation_find_groups(explanation_like *like, const void *context, uint32_t count,
                             uint32_t least, uint32_t *group);
/* Fills `group` of the reasons. */
void explanation_group_reasons(struct explanation *explanation, const struct lit_program *program);

#endif
