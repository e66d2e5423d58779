#include "smt/smt_attempt.h"

/* Terms of which as few as may be are to hold. */
struct burden {
    smt_term *terms;
    uint32_t count;
};

static struct smt_solver *solver_of(const struct smt_attempt *a)
{
    return a->query.program.solver;
}

static struct burden burden_new(struct smt_attempt *a)
{
    return (struct burden){ARENA_ARRAY(&a->query.arena, smt_term, a->query.program.dim.n + 1u), 0};
}

static struct burden lost_writes(struct smt_attempt *a)
{
    const struct smt_program *p = &a->query.program;
    const struct smt_crash *crash = &a->crash;
    struct burden lost = burden_new(a);
    for (uint32_t e = p->init_count; e < p->dim.n; e++)
        if (crash->durable[e])
            lost.terms[lost.count++] =
                smt_and(p->solver, crash->executed[e], smt_not(p->solver, crash->durable[e]));
    return lost;
}

static struct burden executed_events(struct smt_attempt *a)
{
    const struct smt_program *p = &a->query.program;
    struct burden executed = burden_new(a);
    for (uint32_t e = p->init_count; e < p->dim.n; e++)
        executed.terms[executed.count++] = a->crash.executed[e];
    return executed;
}

static uint32_t count_of(const struct smt_attempt *a, const struct burden *burden)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < burden->count; i++)
        count += smt_model_holds(solver_of(a), burden->terms[i]);
    return count;
}

/* The rules have been asserted, so none is assumed. */
static enum smt_answer ask_with(struct smt_attempt *a, smt_term wish, const bool *none)
{
    a->wishes = &wish;
    a->wish_count = 1;
    enum smt_answer answer = smt_attempt_ask(a, none, NULL);
    a->wish_count = 0;
    return answer;
}

/* Halves what is left between what is known to be too few and what was found; false: not to the end. */
static bool lighten(struct smt_attempt *a, const struct burden *burden)
{
    struct smt_solver *s = solver_of(a);
    const bool *none = ARENA_ARRAY(&a->query.arena, bool, a->count + 1u);
    uint32_t least = 0, found = count_of(a, burden);
    enum smt_answer answer = SMT_SAT;
    while (least < found && answer != SMT_UNKNOWN) {
        uint32_t most = least + (found - least) / 2;
        smt_term wish = smt_bool(s);
        smt_assert(s, smt_implies(s, wish, smt_at_most(s, burden->terms, burden->count, most)));
        answer = ask_with(a, wish, none);
        if (answer == SMT_SAT)
            found = count_of(a, burden);
        else
            least = most + 1;
    }
    smt_assert(s, smt_at_most(s, burden->terms, burden->count, found));
    return answer != SMT_UNKNOWN;
}

bool smt_least_find(struct smt_attempt *a)
{
    const struct burden lost = lost_writes(a), executed = executed_events(a);
    for (uint32_t i = 0; i < a->count; i++)
        smt_assert(solver_of(a), smt_rules_get(a->query.program.rules, i)->assumed);
    const bool least = lighten(a, &lost);
    return lighten(a, &executed) && least;
}
