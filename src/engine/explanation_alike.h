/* explanation_alike: statements, pairs and reasons that are the same but for the work-items that
 * they are of, so that a report says of one what holds of all.
 *
 * Two events are alike when each is the same access at the same place of its work-item's code, and
 * up to there both run the same instructions, whatever locations and values these have.
 */
#ifndef CRASHLIT_EXPLANATION_ALIKE_H
#define CRASHLIT_EXPLANATION_ALIKE_H

#include "engine/explanation.h"

/* What of a pair is another in a pair that is like it. */
enum explanation_likeness {
    EXPLANATION_UNLIKE,
    EXPLANATION_ALIKE_FROM, /* `from` */
    EXPLANATION_ALIKE_TO,   /* `to` */
    EXPLANATION_ALIKE_BOTH, /* both, which are of one work-item */
    EXPLANATION_ALIKE_PAIR  /* both, which are of two */
};

bool explanation_same_event(const struct outcome_event *a, const struct outcome_event *b);
enum explanation_likeness explanation_pair_likeness(const struct lit_program *program,
                                                    const struct explanation_pair *a,
                                                    const struct explanation_pair *b);

/* Puts the number of the first of its group at each of `count` things, whose likeness is asked for;
 * all of a group are like its first in one way. What would be a group of fewer than `least` stays
 * apart. */
typedef enum explanation_likeness explanation_like(const void *context, uint32_t a, uint32_t b);
void explanation_find_groups(explanation_like *like, const void *context, uint32_t count,
                             uint32_t least, uint32_t *group);
/* Fills `group` of the reasons. */
void explanation_group_reasons(struct explanation *explanation, const struct lit_program *program);

#endif
