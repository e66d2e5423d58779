/* Barrier divergence: for each pair of threads the solver is asked for an execution in which one
 * waits for ever at a barrier and the other never comes. It is asked again as long as it finds
 * another place for either. The execution found shows whether a bound excuses them. */
#include "smt/smt_query.h"

/* What is asked about at the moment: thread `stuck` waits; `missing` never comes, or, being
 * LIT_NONE, too few take part to open the barrier. */
struct wait {
    struct smt_query *q;
    uint32_t stuck, missing;
    bool bounded; /* some path ends at a bound or in a fault */
};

static struct smt_thread *thread_of(const struct wait *w, uint32_t thread)
{
    return &w->q->program.threads[thread];
}

static bool may_excuse(const struct exec_path *path)
{
    return path->end == EXEC_AT_FAULT || smt_path_ends_at_bound(path);
}

static bool waits(const struct exec_path *path)
{
    return path->end == EXEC_AT_BARRIER;
}

/* ---- The question ----------------------------------------------------------------------- */

/* Thread u is on a path that is missing where `path` waits; or on one that is not. */
static smt_term is_missing(const struct wait *w, const struct exec_path *path, uint32_t u,
                           bool missing)
{
    const struct smt_thread *thread = thread_of(w, u);
    struct smt_solver *s = w->q->program.solver;
    smt_term on = smt_truth(s, false);
    for (uint32_t i = 0; i < thread->paths.count; i++)
        if (exec_path_is_missing(smt_program_test(&w->q->program), path, thread->paths.items[i]) ==
            missing)
            on = smt_or(s, on, thread->chosen[i]);
    return on;
}

/* Too few can only come where there is a quorum, and nobody then is missing, unless a bound
 * excuses him. */
static smt_term lacks(const struct wait *w, const struct exec_path *path)
{
    struct smt_solver *s = w->q->program.solver;
    smt_term all_came = smt_truth(s, path->meeting.quorum > 0);
    if (w->missing != LIT_NONE)
        return is_missing(w, path, w->missing, true);
    for (uint32_t u = 0; u < smt_program_test(&w->q->program)->thread_count && !w->bounded; u++)
        all_came = smt_and(s, all_came, is_missing(w, path, u, false));
    return all_came;
}

static smt_term is_divergent(const struct wait *w)
{
    const struct smt_thread *thread = thread_of(w, w->stuck);
    struct smt_solver *s = w->q->program.solver;
    smt_term some = smt_truth(s, false);
    for (uint32_t i = 0; i < thread->paths.count; i++)
        if (waits(thread->paths.items[i]))
            some = smt_or(s, some, smt_and(s, thread->chosen[i], lacks(w, thread->paths.items[i])));
    return some;
}

/* ---- The answer ------------------------------------------------------------------------- */

static bool find_divergence(const struct wait *w, const struct exec_skeleton *skeleton)
{
    struct exec_divergences divergences;
    struct exec_divergence found;
    exec_divergences_init(&divergences, skeleton);
    while (exec_divergences_next(&divergences, skeleton, &found))
        if (found.stuck == w->stuck && found.missing == w->missing)
            return true;
    return false;
}

static void report(const struct wait *w, const struct exec_skeleton *skeleton)
{
    const struct exec_path *stuck = skeleton->paths[w->stuck];
    const char *name = outcome_undefined_text(OUTCOME_DIVERGENCE);
    const char *barrier = ev_meeting_name(&w->q->arena, &stuck->meeting, stuck->end_instr);
    struct outcome_undefined undefined = {.kind = OUTCOME_DIVERGENCE,
                                          .name = name,
                                          .event_count = 1,
                                          .events = {{.thread = w->stuck,
                                                      .line = stuck->end_instr->span.line,
                                                      .access = barrier,
                                                      .origin = stuck->end_instr->origin}}};
    if (w->missing != LIT_NONE) {
        const struct exec_path *missing = skeleton->paths[w->missing];
        undefined.events[undefined.event_count++] =
            outcome_missing(smt_program_test(&w->q->program), w->missing, missing->end_instr);
    }
    smt_report_undefined(w->q, &undefined);
    outcome_add_flag(w->q->outcome, name);
}

static bool stops_alike(const struct exec_path *a, const struct exec_path *b)
{
    return a == b || (a->end == b->end && a->end_instr == b->end_instr &&
                      (a->end != EXEC_AT_BARRIER || ev_same_meeting(&a->meeting, &b->meeting)));
}

/* The thread stops where it stops in the solution, or, `exactly`, takes the same path. */
static smt_term stops_as_in(const struct wait *w, const struct smt_taken *solution, uint32_t thread,
                            bool exactly)
{
    const struct smt_thread *t = thread_of(w, thread);
    const struct exec_path *taken = t->paths.items[solution->paths[thread]];
    struct smt_solver *s = w->q->program.solver;
    smt_term some = smt_truth(s, false);
    for (uint32_t i = 0; i < t->paths.count; i++)
        if (exactly ? t->paths.items[i] == taken : stops_alike(t->paths.items[i], taken))
            some = smt_or(s, some, t->chosen[i]);
    return some;
}

/* What the next execution must not be: it would be reported alike, or not at all. */
static smt_term is_known(const struct wait *w, const struct smt_taken *taken, bool reported)
{
    struct smt_solver *s = w->q->program.solver;
    smt_term all = smt_truth(s, true);
    for (uint32_t t = 0; t < smt_program_test(&w->q->program)->thread_count; t++)
        if (!reported || t == w->stuck || t == w->missing)
            all = smt_and(s, all, stops_as_in(w, taken, t, !reported));
    return all;
}

/* Returns whether there was one. */
static bool look_at(const struct wait *w)
{
    struct smt_solver *s = w->q->program.solver;
    smt_term divergent = is_divergent(w);
    bool any = false;
    if (smt_is(s, divergent, false))
        return false;
    smt_push(s);
    smt_assert(s, divergent);
    while (smt_ask(w->q) == SMT_SAT) {
        const struct smt_taken taken = smt_take(w->q);
        bool found = find_divergence(w, taken.skeleton);
        if (found)
            report(w, taken.skeleton);
        any |= found;
        if (found && w->q->request->decide)
            break;
        smt_assert(s, smt_not(s, is_known(w, &taken, found)));
    }
    smt_pop(s);
    return any;
}

void smt_look_at_divergence(struct smt_query *q)
{
    struct smt_program *p = &q->program;
    uint32_t threads = smt_program_test(&q->program)->thread_count;
    bool bounded = !smt_is(p->solver, smt_program_some_on(p, may_excuse), false);
    smt_term waiting = smt_program_some_on(p, waits);
    bool enough = smt_is(p->solver, waiting, false);
    smt_push(p->solver);
    smt_assert(p->solver, waiting);
    smt_assert(p->solver, smt_not(p->solver, smt_program_some_on(p, smt_path_is_probe)));
    enough = enough || smt_ask(q) != SMT_SAT;
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t u = 0; u <= threads && !enough; u++) {
            const struct wait wait = {q, t, u < threads ? u : LIT_NONE, bounded};
            enough = u != t && look_at(&wait) && q->request->decide;
        }
    smt_pop(p->solver);
}
