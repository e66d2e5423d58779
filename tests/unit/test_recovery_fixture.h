/* What the suites about recovery share: a test, its outcome, and witnesses that are rechecked,
 * those of recovery against the run of recovery they are of. */
#ifndef CRASHLIT_TEST_RECOVERY_FIXTURE_H
#define CRASHLIT_TEST_RECOVERY_FIXTURE_H

#include "fixture.h"

#include "engine/recheck.h"

#include <string.h>

struct recovery_case {
    struct fixture f;
    struct outcome o;
    struct engine_request request;
    struct recheck *rechecks[2]; /* of the program; of the run of recovery under way */
    unsigned faults;             /* witnesses that do not stand */
    unsigned witnesses[2];
};

static inline void on_witness(void *context, const struct engine_witness *witness)
{
    struct recovery_case *c = context;
    int which = c->rechecks[1] != NULL;
    c->witnesses[which]++;
    c->faults += recheck_witness(c->rechecks[which], witness) != NULL;
}

static inline void on_recovery(void *context, const struct engine_request *recovery,
                               const int64_t *start)
{
    struct recovery_case *c = context;
    CU_ASSERT_EQUAL(recovery != NULL, start != NULL);
    CU_ASSERT_EQUAL(recovery != NULL, c->rechecks[1] == NULL); /* runs do not nest */
    if (c->rechecks[1])
        recheck_free(c->rechecks[1]);
    c->rechecks[1] = recovery ? recheck_new(recovery) : NULL;
}

/* Under a pair of built-in models, ready to be run. */
static inline void prepare_under(struct recovery_case *c, const char *text, const char *visibility,
                                 const char *persistency)
{
    memset(c, 0, sizeof *c);
    fixture_init(&c->f, text, visibility, persistency);
    c->request = (struct engine_request){.program = c->f.program,
                                         .model = c->f.model,
                                         .plan = c->f.plan,
                                         .crash_mode = engine_default_crash_mode(c->f.program),
                                         .limits = {.unroll = 2},
                                         .on_witness = on_witness,
                                         .on_recovery = on_recovery,
                                         .context = c};
    c->rechecks[0] = recheck_new(&c->request);
    outcome_init(&c->o, c->f.program);
}

static inline void prepare(struct recovery_case *c, const char *text)
{
    prepare_under(c, text, "hrf-direct", "epoch");
}

static inline void finish(struct recovery_case *c)
{
    CU_ASSERT_PTR_NULL(c->rechecks[1]);
    recheck_free(c->rechecks[0]);
    outcome_fini(&c->o);
    fixture_fini(&c->f);
}

static inline enum lit_verdict verdict(const struct recovery_case *c, uint32_t condition)
{
    return outcome_judge(&c->o, c->f.program, &c->f.program->conditions[condition]).verdict;
}

#endif
