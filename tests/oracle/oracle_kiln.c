/* Kiln's models (docs/models/semantics.md, "Transactions, scoped persist releases, strands"),
 * transaction by transaction: one is what stands in a work-item between a begin and the mark behind
 * it. */
#include <string.h>

#include "oracle_tags.h"

/* Of each event its transaction, counted from 1, 0 outside; of each transaction its end, or -1. */
struct transactions {
    int of[ORA_MAX_EVENTS], end[ORA_MAX_EVENTS + 1];
    int count;
};

const char *ora_kiln_name(int kiln)
{
    static const char *const names[] = {NULL,
#define X(tag, name) name,
                                        ORA_KILNS(X)
#undef X
    };
    return names[kiln];
}

static struct transactions find(const struct ora_graph *g)
{
    struct transactions found = {.count = 0};
    bool open = false;
    for (int e = g->p->n_locs; e < g->x->n_events; e++) {
        const struct ora_event *event = &g->x->ev[e];
        if (event->thread != g->x->ev[e - 1].thread)
            open = false;
        if (event->mark == ORA_BEGIN)
            found.end[++found.count] = -1;
        else if (event->mark == ORA_END)
            found.end[found.count] = e;
        else if (open && !event->mark)
            found.of[e] = found.count;
        open = event->mark ? event->mark == ORA_BEGIN : open;
    }
    return found;
}

/* What is stored inside of transactions that end. */
static uint32_t stored(const struct ora_graph *g, const struct transactions *t, bool ends)
{
    uint32_t set = 0;
    for (int e = 0; e < g->x->n_events; e++)
        if ((g->nvm_writes >> e & 1) && t->of[e] && (t->end[t->of[e]] >= 0) == ends)
            set |= 1u << e;
    return set;
}

/* Of a store that commits, and another event: what its transaction asks. */
static void add(const struct ora_graph *g, const struct transactions *t, int kiln, int w, int e,
                struct ora_contract *c)
{
    int end = t->end[t->of[w]], other = t->of[e] ? t->end[t->of[e]] : -1;
    if (t->of[e] == t->of[w] && (g->nvm_writes >> e & 1))
        ora_rel_put(&c->persist_before, w, e);
    if (e == end) {
        ora_rel_put(&c->durable_after, e, w);
        if (kiln == ORA_KILN_PLAIN)
            ora_rel_put(&c->durable_before, w, e);
    }
    if (kiln == ORA_KILN_BUFFERED && (g->nvm_writes >> e & 1) && other >= 0 &&
        ora_rel_has(&g->hb[ORA_VIS_SC], end, other))
        ora_rel_put(&c->persist_before, w, e);
}

void ora_kiln_contract(const struct ora_graph *g, int kiln, struct ora_contract *c)
{
    struct transactions t = find(g);
    uint32_t commits = stored(g, &t, true);
    memset(c, 0, sizeof *c);
    c->executes_before = g->po;
    ora_rel_join(&c->executes_before, &g->rf);
    ora_rel_join(&c->executes_before, &g->syncbar);
    c->cannot_persist = stored(g, &t, false);
    uint32_t can = g->nvm_writes & ~c->cannot_persist;
    c->lands = true;
    c->lands_before = ora_rel_between(can, &g->co, can);
    for (int w = 0; w < g->x->n_events; w++)
        for (int e = 0; e < g->x->n_events; e++) {
            if (commits >> w & 1)
                add(g, &t, kiln, w, e, c);
            if (kiln == ORA_KILN_FLUSH_ALL && (can >> w & 1) && g->x->ev[e].mark == ORA_END &&
                ora_rel_has(&g->po, w, e))
                ora_rel_put(&c->durable_before, w, e);
        }
}
