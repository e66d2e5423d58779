/* hw_judge: holds what devices showed against what models allow. A result makes no verdict of a
 * test: it tells of the model, the device, or of what lies between.
 *
 * Results are summed by test and device. An outcome is held against the model's states as far as
 * these name the same. */
#ifndef CRASHLIT_HW_JUDGE_H
#define CRASHLIT_HW_JUDGE_H

#include "hw/hw_result.h"
#include "session/session_case.h"

/* What is known of a test on a device under a model. */
struct hw_judged {
    uint64_t allowed, covered;    /* states of the model, and those of them that were seen */
    uint64_t forbidden;           /* outcomes that were seen and that no state has */
    uint64_t filtered;            /* that the test's filter leaves out */
    const struct hw_seen **worst; /* the forbidden ones, `forbidden` of them */
    bool undefined;               /* the test is undefined under the model: nothing is forbidden */
    const char *doubt;            /* why its states are not known, when nothing is called forbidden,
                                     or what was not told of the outcomes; NULL: all is known */
};

/* Adds the outcomes of results of one test and device, which have the same names; false where these
 * differ, or where a sum would be too large. */
bool hw_judge_sum(struct arena *arena, struct hw_result *sum, const struct hw_result *other);
/* Asks the engine for the states. NULL, or why the results cannot be of the test: names that it has
 * not. */
const char *hw_judge(struct arena *arena, const struct session_case *question,
                     const struct hw_result *result, struct hw_judged *judged);

#endif
