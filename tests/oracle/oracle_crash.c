/* The persistency relations of semantics.md, section 5, and the crash cuts of section 3,
 * tried one by one: every subset of the events as E, every subset of E's writes to
 * non-volatile memory as P. */
#include <string.h>

#include "oracle.h"

bool ora_collective(int persistency)
{
    return persistency != ORA_PERS_EPOCH_INDIVIDUAL &&
           persistency != ORA_PERS_BUFFERED_EPOCH_INDIVIDUAL;
}

/* M: what persist barriers order. */
static uint32_t ordered_events(const struct ora_graph *g)
{
    return ora_graph_kind(g, ORA_READ) | ora_graph_kind(g, ORA_WRITE) | ora_graph_kind(g, ORA_B);
}

/* ---- Collective reading --------------------------------------------------------- */

/* po; [set]; same: what precedes a barrier precedes all of its instance. */
static struct ora_rel arrival(const struct ora_graph *g, uint32_t set, const struct ora_rel *same)
{
    return ora_rel_chain(ora_rel_between(~0u, &g->po, set), *same);
}

static struct ora_rel visible_memory_order(const struct ora_graph *g)
{
    struct ora_rel vmo = arrival(g, ora_graph_kind(g, ORA_B), &g->syncbar);
    struct ora_rel pbs = arrival(g, ora_graph_kind(g, ORA_PB), &g->syncpb);
    ora_rel_join(&vmo, &pbs);
    ora_rel_join(&vmo, &g->po);
    ora_rel_join(&vmo, &g->rf);
    ora_rel_join(&vmo, &g->co);
    ora_rel_join(&vmo, &g->fr);
    ora_rel_close(&vmo);
    return vmo;
}

static struct ora_rel collective_barrier_order(const struct ora_graph *g)
{
    uint32_t m = ordered_events(g), pb = ora_graph_kind(g, ORA_PB);
    struct ora_rel before = ora_rel_chain(ora_rel_between(m, &g->po, pb), g->syncpb);
    return ora_rel_chain(before, ora_rel_between(pb, &g->po, m));
}

/* ---- Individual reading ----------------------------------------------------------- */

/* Happens-before inside instances of the scope; program order for a work-item. */
static struct ora_rel within(const struct ora_graph *g, int visibility, int scope)
{
    struct ora_rel out = {{0}};
    if (scope == ORA_WI)
        return g->po;
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = 0; b < g->x->n_events; b++) {
            int s = g->x->ev[a].thread, t = g->x->ev[b].thread;
            if (s >= 0 && t >= 0 && ora_rel_has(&g->hb[visibility], a, b) &&
                ora_same_instance(g->p, s, t, scope))
                ora_rel_put(&out, a, b);
        }
    return out;
}

static uint32_t pb_of_scope(const struct ora_graph *g, int scope)
{
    uint32_t set = 0;
    for (int e = 0; e < g->x->n_events; e++)
        if (g->x->ev[e].kind == ORA_PB && g->x->ev[e].scope == scope)
            set |= 1u << e;
    return set;
}

static struct ora_rel individual_barrier_order(const struct ora_graph *g, int visibility)
{
    struct ora_rel out = {{0}};
    uint32_t m = ordered_events(g);
    for (int scope = 0; scope < ORA_SCOPE_COUNT; scope++) {
        struct ora_rel in = within(g, visibility, scope);
        uint32_t pb = pb_of_scope(g, scope);
        struct ora_rel part =
            ora_rel_chain(ora_rel_between(m, &in, pb), ora_rel_between(pb, &in, m));
        ora_rel_join(&out, &part);
    }
    return out;
}

static struct ora_rel individual_durability(const struct ora_graph *g, int visibility)
{
    struct ora_rel out = {{0}};
    for (int scope = 0; scope < ORA_SCOPE_COUNT; scope++) {
        struct ora_rel in = within(g, visibility, scope);
        struct ora_rel part = ora_rel_between(g->nvm_writes, &in, pb_of_scope(g, scope));
        ora_rel_join(&out, &part);
    }
    return out;
}

/* ---- The contract of a model --------------------------------------------------------- */

static struct ora_rel persist_memory_order(const struct ora_graph *g, struct ora_rel order)
{
    uint32_t b = ora_graph_kind(g, ORA_B);
    struct ora_rel meet = ora_rel_between(b, &g->syncbar, b);
    ora_rel_join(&order, &g->rf);
    if (g->mutation != ORA_MUT_NO_COHERENCE)
        ora_rel_join(&order, &g->co);
    if (g->mutation != ORA_MUT_NO_FROM_READS)
        ora_rel_join(&order, &g->fr);
    if (g->mutation != ORA_MUT_BARRIERS_ORDER_NO_PERSISTS)
        ora_rel_join(&order, &meet);
    ora_rel_close(&order);
    return order;
}

static struct ora_rel durability(const struct ora_graph *g, int visibility, int persistency)
{
    struct ora_rel none = {{0}}, vmo;
    switch (persistency) {
    case ORA_PERS_STRICT:
        vmo = visible_memory_order(g);
        return ora_rel_between(g->nvm_writes, &vmo, ~0u);
    case ORA_PERS_EPOCH:
        return ora_rel_chain(ora_rel_between(g->nvm_writes, &g->po, ora_graph_kind(g, ORA_PB)),
                             g->syncpb);
    case ORA_PERS_EPOCH_INDIVIDUAL: return individual_durability(g, visibility);
    default: return none;
    }
}

static struct ora_rel persist_order(const struct ora_graph *g, int visibility, int persistency)
{
    struct ora_rel order;
    if (persistency == ORA_PERS_STRICT || persistency == ORA_PERS_BUFFERED_STRICT)
        order = visible_memory_order(g);
    else if (ora_collective(persistency))
        order = persist_memory_order(g, collective_barrier_order(g));
    else
        order = persist_memory_order(g, individual_barrier_order(g, visibility));
    return ora_rel_between(g->nvm_writes, &order, g->nvm_writes);
}

static void contract_of(const struct ora_graph *g, int visibility, int persistency,
                        struct ora_contract *c)
{
    memset(c, 0, sizeof *c);
    c->executes_before = g->po;
    ora_rel_join(&c->executes_before, &g->rf);
    ora_rel_join(&c->executes_before, &g->syncbar);
    if (ora_collective(persistency))
        ora_rel_join(&c->executes_before, &g->syncpb);
    c->persist_before = persist_order(g, visibility, persistency);
    if (g->mutation != ORA_MUT_NO_COHERENCE) {
        struct ora_rel atomicity = ora_rel_between(g->nvm_writes, &g->co, g->nvm_writes);
        ora_rel_join(&c->persist_before, &atomicity);
    }
    c->durable_before = durability(g, visibility, persistency);
}

/* ---- Cuts ------------------------------------------------------------------------------ */

/* Is the set closed backwards: whenever it has b, it has every a before b? */
static bool closed(const struct ora_rel *before, uint32_t set)
{
    for (int a = 0; a < ORA_MAX_EVENTS; a++)
        if (!(set >> a & 1) && (before->row[a] & set))
            return false;
    return true;
}

/* Rule 3: nothing in E that some write outside P must be durable before. */
static bool waited_for(const struct ora_rel *durable_before, uint32_t executed, uint32_t durable)
{
    for (int w = 0; w < ORA_MAX_EVENTS; w++)
        if (!(durable >> w & 1) && (durable_before->row[w] & executed))
            return false;
    return true;
}

static bool program_has_crash(const struct ora_program *p)
{
    for (int t = 0; t < p->n_threads; t++)
        for (int i = 0; i < p->thread[t].n_code; i++)
            if (p->thread[t].code[i].op == ORA_CRASH)
                return true;
    return false;
}

/* How many of its events a thread has executed. */
static int done_by(const struct ora_graph *g, uint32_t executed, int t)
{
    int done = 0;
    for (int e = 0; e < g->x->n_events; e++)
        done += g->x->ev[e].thread == t && (executed >> e & 1);
    return done;
}

/* Where a thread stands: how many of the crash statements behind its last event it has passed. */
struct standing {
    int passed[ORA_MAX_THREADS];
};

/* Rule 4. A crash point is met when some thread has executed exactly what stands before, and has
 * not passed it. At the end all have. */
static bool may_crash(const struct ora_graph *g, uint32_t executed, const struct standing *at)
{
    bool at_end = g->p->crash_mode == ORA_CRASH_END;
    for (int t = 0; t < g->p->n_threads && at_end; t++)
        if (at->passed[t] < g->x->crashes[t][done_by(g, executed, t)])
            return false;
    if (g->mutation == ORA_MUT_CRASH_ANYWHERE)
        return true;
    switch (g->p->crash_mode) {
    case ORA_CRASH_ANYWHERE: return true;
    case ORA_CRASH_END: return executed == (1u << g->x->n_events) - 1;
    case ORA_CRASH_DEFAULT:
        if (!program_has_crash(g->p))
            return true;
    }
    for (int t = 0; t < g->p->n_threads; t++) {
        if (at->passed[t] < g->x->crashes[t][done_by(g, executed, t)])
            return true;
    }
    return false;
}

/* A read-modify-write gives a register its value as a whole. */
static bool has_executed(const struct ora_graph *g, uint32_t executed, int e)
{
    const struct ora_event *event = &g->x->ev[e];
    if (g->mutation == ORA_MUT_REGISTERS_AHEAD)
        return true;
    bool whole = event->kind != ORA_WRITE || !event->half || (executed >> (e - 1) & 1);
    return (executed >> e & 1) && whole;
}

/* What is computed behind the first `before` events of thread t. */
static void take_computed(const struct ora_graph *g, int t, int before, bool there,
                          const struct standing *at, struct ora_image *image)
{
    for (int k = 0; k < g->x->n_computed[t]; k++) {
        const struct ora_computed *c = &g->x->computed[t][k];
        if (c->before == before && (there || c->behind <= at->passed[t]) &&
            ora_crash_names(g->p, t, c->reg))
            image->reg[t][c->reg] = c->value;
    }
}

/* What registers hold is what the last that is there of all that gives them a value has given:
 * events, and computations between them. */
static void take_registers(const struct ora_graph *g, uint32_t executed, const struct standing *at,
                           struct ora_image *image)
{
    bool whole[ORA_MAX_THREADS]; /* all events so far have executed */
    int behind[ORA_MAX_THREADS] = {0};
    for (int t = 0; t < g->p->n_threads; t++)
        for (int r = 0; r < ORA_MAX_REGS; r++)
            if (ora_crash_names(g->p, t, r))
                image->reg[t][r] = ora_declared_on_top(&g->p->thread[t], r) ? 0 : ORA_NOTHING;
    for (int t = 0; t < g->p->n_threads; t++) {
        whole[t] = true;
        take_computed(g, t, 0, done_by(g, executed, t) > 0, at, image);
    }
    for (int e = 0; e < g->x->n_events; e++) {
        const struct ora_event *event = &g->x->ev[e];
        int reg = event->gives - 1, t = event->thread;
        if (t < 0)
            continue;
        if (reg >= 0 && ora_crash_names(g->p, t, reg) && has_executed(g, executed, e))
            image->reg[t][reg] = event->given;
        whole[t] = whole[t] && (executed >> e & 1);
        behind[t]++;
        if (whole[t])
            take_computed(g, t, behind[t], done_by(g, executed, t) > behind[t], at, image);
    }
}

static bool is_first(const struct ora_graph *g, int w)
{
    return w < g->p->n_locs;
}

/* Version a, of the same location, comes before version b. */
static bool lands_before(const struct ora_graph *g, const struct ora_contract *c, int a, int b)
{
    return (is_first(g, a) && !is_first(g, b)) || ora_rel_has(&c->lands_before, a, b);
}

static bool same_location(const struct ora_graph *g, uint32_t set, int a, int b)
{
    return (set >> b & 1) && (g->nvm_writes >> b & 1) && g->x->ev[a].loc == g->x->ev[b].loc;
}

/* Whenever a version is in P so are those before it. */
static bool keeps_versions(const struct ora_graph *g, const struct ora_contract *c,
                           uint32_t durable)
{
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = 0; b < g->x->n_events; b++)
            if ((g->nvm_writes >> a & 1) && !(durable >> a & 1) &&
                same_location(g, durable, a, b) && lands_before(g, c, a, b))
                return false;
    return true;
}

/* Every choice of one version per location that none in P lands after. */
static void add_choices(const struct ora_graph *g, const struct ora_contract *c, uint32_t durable,
                        int loc, struct ora_image *image, struct ora_set *images)
{
    while (loc < g->p->n_locs && !g->p->nvm[loc])
        loc++;
    if (loc == g->p->n_locs) {
        ora_set_add(images, image);
        return;
    }
    for (int w = 0; w < g->x->n_events; w++) {
        bool last = (durable >> w & 1) && g->x->ev[w].loc == loc;
        for (int v = 0; last && v < g->x->n_events; v++)
            if (same_location(g, durable, w, v) && lands_before(g, c, w, v))
                last = false;
        if (!last)
            continue;
        image->value[loc] = g->x->ev[w].value;
        add_choices(g, c, durable, loc + 1, image, images);
    }
}

static void add_image(const struct ora_graph *g, uint32_t executed, const struct standing *at,
                      uint32_t durable, struct ora_set *images)
{
    struct ora_image image;
    int latest[ORA_MAX_LOCS] = {0};
    memset(&image, 0, sizeof image);
    take_registers(g, executed, at, &image);
    for (int w = 0; w < g->x->n_events; w++) {
        const struct ora_event *e = &g->x->ev[w];
        if ((durable >> w & 1) && g->x->co[w] >= latest[e->loc]) {
            latest[e->loc] = g->x->co[w];
            image.value[e->loc] = e->value;
        }
    }
    ora_set_add(images, &image);
}

static void add_images(const struct ora_graph *g, const struct ora_contract *c, uint32_t executed,
                       const struct standing *at, uint32_t durable, struct ora_set *images)
{
    struct ora_image image;
    if (!c->lands) {
        add_image(g, executed, at, durable, images);
        return;
    }
    memset(&image, 0, sizeof image);
    take_registers(g, executed, at, &image);
    add_choices(g, c, durable, 0, &image, images);
}

/* Nothing in P that cannot be, or waits for an event outside of E; initial writes are there. */
static bool may_be_durable(const struct ora_graph *g, const struct ora_contract *c,
                           uint32_t executed, uint32_t durable)
{
    for (int w = g->p->n_locs; w < g->x->n_events; w++)
        for (int e = 0; (durable >> w & 1) && e < g->x->n_events; e++)
            if (ora_rel_has(&c->durable_after, e, w) && !(executed >> e & 1))
                return false;
    uint32_t initial = (1u << g->p->n_locs) - 1;
    return !(durable & c->cannot_persist & ~initial) &&
           (!c->lands || keeps_versions(g, c, durable));
}

/* All P for one E. */
static void cuts_of(const struct ora_graph *g, const struct ora_contract *c, uint32_t executed,
                    const struct standing *at, struct ora_set *images)
{
    uint32_t initial = (1u << g->p->n_locs) - 1;
    uint32_t free_writes = executed & g->nvm_writes & ~initial;
    uint32_t fixed = initial & g->nvm_writes;
    uint32_t subset = free_writes;
    for (;;) {
        uint32_t durable = subset | fixed;
        if ((g->mutation == ORA_MUT_NO_RULE2 || closed(&c->persist_before, durable)) &&
            (g->mutation == ORA_MUT_NO_RULE3 ||
             waited_for(&c->durable_before, executed, durable)) &&
            may_be_durable(g, c, executed, durable))
            add_images(g, c, executed, at, durable, images);
        if (!subset)
            return;
        subset = (subset - 1) & free_writes;
    }
}

/* Thread t has passed none of the crash statements behind its last event, or some. Only where
 * something is computed there does it matter. */
static void choose_standing(const struct ora_graph *g, const struct ora_contract *c,
                            uint32_t executed, int t, struct standing *at, struct ora_set *images)
{
    if (t == ORA_MAX_THREADS || t == g->p->n_threads) {
        if (may_crash(g, executed, at))
            cuts_of(g, c, executed, at, images);
        return;
    }
    int done = done_by(g, executed, t), most = g->x->crashes[t][done];
    bool matters = g->x->n_computed[t] > 0 || g->p->crash_mode == ORA_CRASH_END;
    for (at->passed[t] = 0; at->passed[t] <= (matters ? most : 0); at->passed[t]++)
        choose_standing(g, c, executed, t + 1, at, images);
}

void ora_crash_cuts(const struct ora_graph *g, const struct ora_contract *c, struct ora_set *images)
{
    uint32_t initial = (1u << g->p->n_locs) - 1;
    uint32_t all = (1u << g->x->n_events) - 1;
    struct standing at = {{0}};
    for (uint32_t executed = initial; executed <= all; executed += initial + 1)
        if (closed(&c->executes_before, executed))
            choose_standing(g, c, executed, 0, &at, images);
}

void ora_crash_states(const struct ora_graph *g, int visibility, int persistency,
                      struct ora_set *images)
{
    struct ora_contract c;
    contract_of(g, visibility, persistency, &c);
    ora_crash_cuts(g, &c, images);
}
