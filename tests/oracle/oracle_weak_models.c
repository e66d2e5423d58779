/* Weak models, each as a cat file and as a test in C of what the file says (oracle_weak.h). */
#include "oracle_weak.h"

static bool acyclic(struct ora_rel r)
{
    ora_rel_close(&r);
    for (int e = 0; e < ORA_MAX_EVENTS; e++)
        if (ora_rel_has(&r, e, e))
            return false;
    return true;
}

static struct ora_rel with_com(const struct ora_graph *g, struct ora_rel r)
{
    ora_rel_join(&r, &g->rf);
    ora_rel_join(&r, &g->co);
    ora_rel_join(&r, &g->fr);
    return r;
}

static bool is_update_pair(const struct ora_exec *x, int r, int w)
{
    return w == r + 1 && x->ev[r].kind == ORA_READ && x->ev[w].kind == ORA_WRITE &&
           x->ev[r].thread == x->ev[w].thread && x->ev[r].place == x->ev[w].place;
}

static bool updates_atomic(const struct ora_graph *g)
{
    struct ora_rel between = ora_rel_chain(g->fr, g->co);
    for (int r = 0; r + 1 < g->x->n_events; r++)
        if (is_update_pair(g->x, r, r + 1) && ora_rel_has(&between, r, r + 1))
            return false;
    return true;
}

static bool anything(const struct ora_graph *g)
{
    (void)g;
    return true;
}

static bool coherent(const struct ora_graph *g)
{
    struct ora_rel per_location = g->po;
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = 0; b < g->x->n_events; b++) {
            const struct ora_event *x = &g->x->ev[a], *y = &g->x->ev[b];
            bool accesses = x->kind <= ORA_WRITE && y->kind <= ORA_WRITE;
            if (!accesses || x->loc != y->loc)
                per_location.row[a] &= ~(1u << b);
        }
    return acyclic(with_com(g, per_location)) && updates_atomic(g);
}

static bool causal(const struct ora_graph *g)
{
    struct ora_rel r = g->po;
    ora_rel_join(&r, &g->rf);
    return acyclic(r) && coherent(g);
}

/* Program order but from a write to a read, unless a fence stands between. */
static bool store_buffers(const struct ora_graph *g)
{
    uint32_t fences = ora_graph_kind(g, ORA_FENCE_EVENT), reads = ora_graph_kind(g, ORA_READ);
    struct ora_rel order = g->po, fenced;
    fenced = ora_rel_chain(ora_rel_between(~0u, &g->po, fences), g->po);
    for (int a = 0; a < g->x->n_events; a++) {
        if (g->x->ev[a].kind == ORA_WRITE)
            order.row[a] &= ~reads;
        for (int b = 0; b < g->x->n_events; b++)
            if (ora_rel_has(&g->rf, a, b) && g->x->ev[a].thread != g->x->ev[b].thread)
                ora_rel_put(&order, a, b);
    }
    ora_rel_join(&order, &fenced);
    ora_rel_join(&order, &g->co);
    ora_rel_join(&order, &g->fr);
    return acyclic(order) && coherent(g);
}

#define COHERENT_CAT                                   \
    "acyclic (po & loc) | rf | co | fr as coherence\n" \
    "empty rmw & (fr; co) as atomicity\n"

const struct ora_weak_visibility ora_weak_visibilities[ORA_WEAK_VISIBILITIES] = {
    {"anything", "let hb = po\n", anything, false},
    {"coherent", COHERENT_CAT, coherent, false},
    {"causal", "acyclic po | rf as causality\n" COHERENT_CAT, causal, true},
    {"store-buffers",
     "acyclic (po \\ (W * R)) | (po; [F]; po) | (rf & ext) | co | fr as order\n" COHERENT_CAT,
     store_buffers, true},
};

static void epochs(const struct ora_graph *g, struct ora_contract *c)
{
    uint32_t pb = ora_graph_kind(g, ORA_PB);
    struct ora_rel before = ora_rel_between(g->nvm_writes, &g->po, pb);
    struct ora_rel after = ora_rel_between(pb, &g->po, g->nvm_writes);
    c->persist_before = ora_rel_chain(before, after);
    ora_rel_close(&c->persist_before);
    c->durable_before = before;
}

/* All non-volatile writes of a work-item become durable at once; a write executes after
 * those that coherence puts before it. Durable at once is before each other. */
static void at_once(const struct ora_graph *g, struct ora_contract *c)
{
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = 0; b < g->x->n_events; b++)
            if (g->x->ev[a].thread == g->x->ev[b].thread && (g->nvm_writes >> a & 1) &&
                (g->nvm_writes >> b & 1))
                ora_rel_put(&c->persist_before, a, b);
    ora_rel_join(&c->executes_before, &g->co);
}

/* The events of a kind that carry a tag. */
static uint32_t tagged(const struct ora_graph *g, int kind, int tag)
{
    uint32_t set = 0;
    for (int e = 0; e < g->x->n_events; e++)
        if (g->x->ev[e].kind == kind && g->x->ev[e].tag == tag)
            set |= 1u << e;
    return set;
}

/* A fence ta waits for what maintenance ta has written back, and for writes tb, which are in
 * order with what their work-item writes later. */
static void flushes(const struct ora_graph *g, struct ora_contract *c)
{
    uint32_t fences = tagged(g, ORA_FENCE_EVENT, 1), flushed = tagged(g, ORA_CM_EVENT, 1);
    uint32_t through = g->nvm_writes & tagged(g, ORA_WRITE, 2);
    struct ora_rel back = ora_rel_between(g->nvm_writes, &g->po, flushed);
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = 0; b < g->x->n_events; b++)
            if (g->x->ev[a].loc != g->x->ev[b].loc)
                back.row[a] &= ~(1u << b);
    c->durable_before = ora_rel_between(~0u, &g->po, fences);
    c->durable_before = ora_rel_chain(back, c->durable_before);
    struct ora_rel direct = ora_rel_between(through, &g->po, fences);
    ora_rel_join(&c->durable_before, &direct);
    c->persist_before = ora_rel_between(through, &g->po, g->nvm_writes);
}

const struct ora_weak_persistency ora_weak_persistencies[ORA_WEAK_PERSISTENCIES] = {
    {"epochs",
     "let NVW = W & NVM\n"
     "let persist-before = ([NVW]; po; [PB]; po; [NVW])+\n"
     "let durable-before = [NVW]; po; [PB]\n",
     epochs},
    {"at-once",
     "let NVW = W & NVM\n"
     "let persist-atomic = [NVW] | ((NVW * NVW) & int)\n"
     "let executes-before = po | rf | co\n",
     at_once},
    {"flushes",
     "instructions F['ta]\n"
     "instructions RMW['ta]\n" /* without it those would be refused */
     "enum written = 'tb\n"
     "instructions CM['ta || 'tc]\n"
     "instructions W[written]\n"
     "let NVW = W & NVM\n"
     "let durable-before = ([NVW]; (po & line); [CM & TA] | [NVW & TB]); po; [F & TA]\n"
     "let persist-before = [NVW & tag2events('tb)]; po; [NVW]\n",
     flushes},
};
