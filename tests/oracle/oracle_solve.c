/* The answer for every pair of models: explore both readings of persist barriers, then
 * judge every execution under every model. */
#include <string.h>

#include "oracle.h"

void ora_answer_init(struct ora_answer *a)
{
    memset(a, 0, sizeof *a);
    ora_set_init(&a->races, sizeof(struct ora_race));
    ora_set_init(&a->finals, sizeof(struct ora_final));
    ora_set_init(&a->crashes, sizeof(struct ora_image));
}

void ora_answer_fini(struct ora_answer *a)
{
    ora_set_fini(&a->races);
    ora_set_fini(&a->finals);
    ora_set_fini(&a->crashes);
}

void ora_truth_init(struct ora_truth *t)
{
    memset(t, 0, sizeof *t);
    for (int v = 0; v < ORA_VIS_COUNT; v++)
        for (int m = 0; m < ORA_PERS_COUNT; m++)
            ora_answer_init(&t->at[v][m]);
}

void ora_truth_fini(struct ora_truth *t)
{
    for (int v = 0; v < ORA_VIS_COUNT; v++)
        for (int m = 0; m < ORA_PERS_COUNT; m++)
            ora_answer_fini(&t->at[v][m]);
}

int ora_shown_regs(const struct ora_program *p, int t)
{
    return p->hidden >> t & 1 ? 0 : p->thread[t].n_regs;
}

void ora_final_of(const struct ora_program *p, const struct ora_exec *x, struct ora_final *f)
{
    memset(f, 0, sizeof *f);
    for (int t = 0; t < p->n_threads; t++)
        for (int r = 0; r < ora_shown_regs(p, t); r++)
            f->value[t * ORA_MAX_REGS + r] = x->reg[t][r];
    for (int l = 0; l < p->n_locs; l++)
        f->value[ORA_MAX_THREADS * ORA_MAX_REGS + l] = x->memory[l];
}

/* Definedness concerns every execution, also those with a failing read of an await. */
static void judge_definedness(const struct ora_graph *g, struct ora_truth *truth, int v, int m)
{
    bool divergent = g->mutation != ORA_MUT_NO_DIVERGENCE && ora_exec_divergent(g->p, g->x);
    struct ora_answer *a = &truth->at[v][m];
    bool racy = ora_graph_races(g, v, &a->races);
    a->divergent = a->divergent || divergent;
    a->undefined = a->undefined || divergent || racy;
}

/* States come from the executions in which failing iterations left no events. */
static void judge_states(const struct ora_graph *g, struct ora_truth *truth, int v, int m)
{
    bool complete = ora_exec_complete(g->p, g->x);
    struct ora_answer *a = &truth->at[v][m];
    truth->stuck = truth->stuck || !complete;
    if (complete) {
        struct ora_final f;
        ora_final_of(g->p, g->x, &f);
        ora_set_add(&a->finals, &f);
    }
    /* Collective models say the same under every visibility: share_crashes. */
    bool shared = v > 0 && ora_collective(m);
    if (!shared && (complete || g->mutation != ORA_MUT_NO_STUCK_CRASHES))
        ora_crash_states(g, v, m, &a->crashes);
}

static bool solve_reading(const struct ora_program *p, bool collective, int mutation,
                          struct ora_truth *truth)
{
    struct ora_runs runs = {{0, 0, 0}, {0}, false};
    ora_set_init(&runs.execs, sizeof(struct ora_exec));
    ora_explore(p, collective, mutation, &runs);
    for (size_t i = 0; i < runs.execs.count && !runs.too_many; i++) {
        struct ora_graph g;
        ora_graph_build(&g, p, ora_set_at(&runs.execs, i), mutation);
        for (int v = 0; v < ORA_VIS_COUNT; v++)
            for (int m = 0; m < ORA_PERS_COUNT; m++) {
                if (ora_collective(m) != collective)
                    continue;
                judge_definedness(&g, truth, v, m);
                if (!g.x->failing)
                    judge_states(&g, truth, v, m);
            }
    }
    truth->executions += runs.execs.count;
    ora_set_fini(&runs.execs);
    return !runs.too_many;
}

static bool same_answer(const struct ora_answer *a, const struct ora_answer *b)
{
    return a->undefined == b->undefined && ora_set_equal(&a->finals, &b->finals) &&
           ora_set_equal(&a->crashes, &b->crashes);
}

bool ora_truth_equal(const struct ora_truth *a, const struct ora_truth *b)
{
    for (int v = 0; v < ORA_VIS_COUNT; v++)
        for (int m = 0; m < ORA_PERS_COUNT; m++)
            if (!same_answer(&a->at[v][m], &b->at[v][m]))
                return false;
    return true;
}

/* Nothing in the collective relations comes from happens-before. */
static void share_crashes(struct ora_truth *truth)
{
    for (int m = 0; m < ORA_PERS_COUNT; m++)
        for (int v = 1; v < ORA_VIS_COUNT && ora_collective(m); v++)
            for (size_t i = 0; i < truth->at[0][m].crashes.count; i++)
                ora_set_add(&truth->at[v][m].crashes, ora_set_at(&truth->at[0][m].crashes, i));
}

bool ora_solve(const struct ora_program *p, int mutation, struct ora_truth *truth)
{
    if (!solve_reading(p, true, mutation, truth) || !solve_reading(p, false, mutation, truth))
        return false;
    share_crashes(truth);
    return true;
}
