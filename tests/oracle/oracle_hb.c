/* Happens-before of the three visibility models and their races (semantics.md, section 4).
 * Executions come from interleavings, so all of them are SC already. */
#include <string.h>

#include "oracle.h"

static bool atomic(const struct ora_event *e)
{
    return (e->kind == ORA_READ || e->kind == ORA_WRITE) && e->order != ORA_NA;
}

/* Does event a release with scope S by means of the atomic write w? The write itself, or a
 * fence before it in program order. */
static bool releases_by(const struct ora_graph *g, int a, int w, int scope)
{
    const struct ora_event *e = &g->x->ev[a], *write = &g->x->ev[w];
    if (write->kind != ORA_WRITE || !atomic(write) || !ora_order_releases(e->order))
        return false;
    if (e->scope != scope && g->mutation != ORA_MUT_IGNORE_SCOPES)
        return false;
    if (e->kind == ORA_FENCE_EVENT)
        return g->mutation != ORA_MUT_FENCES_SYNC_NOTHING && ora_rel_has(&g->po, a, w);
    return a == w;
}

static bool acquires_by(const struct ora_graph *g, int b, int r, int scope)
{
    const struct ora_event *e = &g->x->ev[b], *read = &g->x->ev[r];
    if (read->kind != ORA_READ || !atomic(read) || !ora_order_acquires(e->order))
        return false;
    if (e->scope != scope && g->mutation != ORA_MUT_IGNORE_SCOPES)
        return false;
    if (e->kind == ORA_FENCE_EVENT)
        return g->mutation != ORA_MUT_FENCES_SYNC_NOTHING && ora_rel_has(&g->po, r, b);
    return b == r;
}

/* Does r read from w or from a later write of the location? */
static bool reads_at_or_after(const struct ora_graph *g, int w, int r)
{
    return g->x->ev[w].loc == g->x->ev[r].loc && g->x->co[w] <= g->x->co[g->x->ev[r].source];
}

static bool synchronises(const struct ora_graph *g, int a, int b, int scope)
{
    const struct ora_event *x = &g->x->ev[a], *y = &g->x->ev[b];
    if (ora_rel_has(&g->syncbar, a, b))
        return x->scope == scope;
    if (x->thread < 0 || y->thread < 0)
        return false;
    if (!ora_same_instance(g->p, x->thread, y->thread, scope) &&
        g->mutation != ORA_MUT_IGNORE_SCOPES)
        return false;
    for (int w = 0; w < g->x->n_events; w++)
        for (int r = 0; r < g->x->n_events; r++)
            if (releases_by(g, a, w, scope) && acquires_by(g, b, r, scope) &&
                reads_at_or_after(g, w, r))
                return true;
    return false;
}

/* Pairs that cannot synchronise, told cheaply. */
static bool may_synchronise(const struct ora_graph *g, int a, int b)
{
    const struct ora_event *x = &g->x->ev[a], *y = &g->x->ev[b];
    return ora_rel_has(&g->syncbar, a, b) ||
           (ora_order_releases(x->order) && ora_order_acquires(y->order));
}

static void order_level(const struct ora_graph *g, int scope, struct ora_rel *so)
{
    memset(so, 0, sizeof *so);
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = 0; b < g->x->n_events; b++)
            if (a != b && may_synchronise(g, a, b) && synchronises(g, a, b, scope))
                ora_rel_put(so, a, b);
}

static void order_sc(struct ora_graph *g)
{
    struct ora_rel *hb = &g->hb[ORA_VIS_SC];
    ora_rel_join(hb, &g->po);
    ora_rel_join(hb, &g->rf);
    ora_rel_join(hb, &g->co);
    ora_rel_join(hb, &g->fr);
    ora_rel_join(hb, &g->syncbar);
    ora_rel_close(hb);
}

void ora_graph_order(struct ora_graph *g)
{
    struct ora_rel *direct = &g->hb[ORA_VIS_DIRECT], *indirect = &g->hb[ORA_VIS_INDIRECT];
    order_sc(g);
    ora_rel_join(indirect, &g->po);
    for (int scope = 0; scope < ORA_SCOPE_COUNT; scope++) {
        struct ora_rel so, level = g->po;
        order_level(g, scope, &so);
        ora_rel_join(indirect, &so);
        ora_rel_join(&level, &so);
        ora_rel_close(&level);
        ora_rel_join(direct, &level);
    }
    ora_rel_close(indirect);
    if (g->mutation == ORA_MUT_LEVELS_MIX)
        *direct = *indirect;
}

static bool conflict(const struct ora_graph *g, int a, int b)
{
    const struct ora_event *x = &g->x->ev[a], *y = &g->x->ev[b];
    bool accesses = (x->kind == ORA_READ || x->kind == ORA_WRITE) &&
                    (y->kind == ORA_READ || y->kind == ORA_WRITE);
    if (!accesses || x->loc != y->loc || (x->kind == ORA_READ && y->kind == ORA_READ))
        return false;
    if (x->thread < 0 || y->thread < 0 || x->thread == y->thread)
        return false;
    if (!atomic(x) || !atomic(y))
        return true;
    if (g->mutation == ORA_MUT_NO_SYNC_RACES)
        return false;
    return x->scope != y->scope || !ora_same_instance(g->p, x->thread, y->thread, x->scope);
}

static void add_race(const struct ora_graph *g, int a, int b, struct ora_set *races)
{
    const struct ora_event *x = &g->x->ev[a], *y = &g->x->ev[b];
    struct ora_race race = {{x->thread, y->thread}, {x->place, y->place}, {x->kind, y->kind}};
    ora_set_add(races, &race);
}

bool ora_graph_races(const struct ora_graph *g, int visibility, struct ora_set *races)
{
    bool found = false;
    const struct ora_rel *hb = &g->hb[visibility];
    if (visibility == ORA_VIS_SC)
        return false;
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = a + 1; b < g->x->n_events; b++)
            if (conflict(g, a, b) && !ora_rel_has(hb, a, b) && !ora_rel_has(hb, b, a)) {
                add_race(g, a, b, races);
                found = true;
            }
    return found;
}
