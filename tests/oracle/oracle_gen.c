/* Random numbers, shapes and code of random programs (see oracle_gen.h). Pure chance yields
 * little but races, so that a good part of the programs is made to synchronise. */
#include <string.h>

#include "oracle_gen.h"

/* splitmix64 */
static uint64_t draw(struct ora_gen *g)
{
    uint64_t z = g->rng += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int ora_below(struct ora_gen *g, int n)
{
    return (int)(draw(g) % (uint64_t)n);
}

bool ora_chance(struct ora_gen *g, int percent)
{
    return ora_below(g, 100) < percent;
}

int ora_weighted(struct ora_gen *g, const int *weights, int n)
{
    int total = 0, i = 0;
    for (int k = 0; k < n; k++)
        total += weights[k];
    for (int at = ora_below(g, total); at >= weights[i]; i++)
        at -= weights[i];
    return i;
}

/* ---- Shape: threads and locations ------------------------------------------------ */

void ora_place_threads(struct ora_gen *g)
{
    static const int sizes[] = {5, 50, 33, 12};
    struct ora_program *p = g->p;
    p->n_threads = 1 + ora_weighted(g, sizes, 4);
    bool one_group = ora_chance(g, 45), one_kernel = one_group || ora_chance(g, 55);
    bool sub_groups = ora_chance(g, 12), devices = !one_kernel && ora_chance(g, 20);
    for (int t = 0; t < p->n_threads; t++) {
        p->thread[t].sg = sub_groups ? ora_below(g, 2) : 0;
        p->thread[t].wg = one_group ? 0 : ora_below(g, 2);
        p->thread[t].kr = one_kernel ? 0 : ora_below(g, 2);
        p->thread[t].dev = devices ? ora_below(g, 2) : 0;
        g->mixed[t] = ora_chance(g, 4);
    }
}

int ora_common_scope(struct ora_gen *g)
{
    const struct ora_program *p = g->p;
    for (int scope = ora_chance(g, 15) ? ORA_SG : ORA_WG; scope < ORA_SCOPE_COUNT; scope++) {
        bool all = true;
        for (int t = 1; t < p->n_threads; t++)
            all = all && ora_same_instance(p, 0, t, scope);
        if (all)
            return scope;
    }
    return ORA_ALL;
}

void ora_place_locations(struct ora_gen *g)
{
    struct ora_program *p = g->p;
    bool all_volatile = ora_chance(g, 3);
    p->n_locs = 2 + ora_below(g, 3);
    for (int l = 0; l < p->n_locs; l++) {
        p->nvm[l] = !all_volatile && (l == 0 || ora_chance(g, 75));
        g->atomic[l] = ora_chance(g, 12);
        p->initial[l] = l < p->n_locs - 1 && ora_chance(g, 12) ? 7 : 0;
    }
    /* The last location serves as the flag of awaits. */
    g->atomic[p->n_locs - 1] = true;
    if (ora_chance(g, 80))
        p->nvm[p->n_locs - 1] = 0;
}

static bool is_update(int op)
{
    return op == ORA_EXCHANGE || op == ORA_FETCH_ADD || op == ORA_CAS;
}

/* ---- Instructions ------------------------------------------------------------------ */

int ora_events_of(const struct ora_ins *i)
{
    switch (i->op) {
    case ORA_EXCHANGE:
    case ORA_FETCH_ADD:
    case ORA_CAS: return 2;
    case ORA_LOCK: /* with a failing try */ return 4;
    case ORA_CRASH:
    case ORA_IF:
    case ORA_REPEAT: return 0;
    default: return 1;
    }
}

bool ora_insert(struct ora_gen *g, int t, int at, const struct ora_ins *ins)
{
    struct ora_thread *th = &g->p->thread[t];
    int nvm = ora_op_writes(ins->op) && g->p->nvm[ins->loc];
    if (th->n_code == ORA_MAX_CODE || g->events + ora_events_of(ins) > g->max_events ||
        g->nvm_writes + nvm > MAX_NVM_WRITES)
        return false;
    for (int j = 0; j < at; j++)
        if (ora_op_has_body(th->code[j].op) && at <= j + th->code[j].body)
            th->code[j].body++;
    memmove(&th->code[at + 1], &th->code[at], (size_t)(th->n_code - at) * sizeof *th->code);
    th->code[at] = *ins;
    th->n_code++;
    g->events += ora_events_of(ins);
    g->nvm_writes += nvm;
    return true;
}

static bool append(struct ora_gen *g, int t, const struct ora_ins *ins)
{
    return ora_insert(g, t, g->p->thread[t].n_code, ins);
}

static int draw_scope(struct ora_gen *g)
{
    static const int weights[ORA_SCOPE_COUNT] = {6, 6, 34, 24, 20, 10};
    return g->one_scope || ora_chance(g, 75) ? g->home : ora_weighted(g, weights, ORA_SCOPE_COUNT);
}

static int draw_order(struct ora_gen *g, int op)
{
    static const int loads[] = {0, 20, 55, 0, 0, 25}, stores[] = {0, 20, 0, 55, 0, 25},
                     updates[] = {0, 15, 20, 20, 30, 15}, fences[] = {0, 0, 30, 30, 25, 15};
    switch (op) {
    case ORA_LOAD:
    case ORA_AWAIT: return ora_weighted(g, loads, ORA_ORDER_COUNT);
    case ORA_STORE: return ora_weighted(g, stores, ORA_ORDER_COUNT);
    case ORA_FENCE: return ora_weighted(g, fences, ORA_ORDER_COUNT);
    default: return ora_weighted(g, updates, ORA_ORDER_COUNT);
    }
}

static void draw_value(struct ora_gen *g, int t, struct ora_ins *i)
{
    int regs = g->p->thread[t].n_regs;
    i->value = ora_chance(g, 8) ? 0 : ++g->last_value[i->loc];
    if (i->op == ORA_STORE && regs && ora_chance(g, 15)) {
        i->from_reg = 1;
        i->reg = ora_below(g, regs);
    }
    if (i->op == ORA_FETCH_ADD)
        i->value = 1;
    if (i->op == ORA_CAS) {
        i->expected = ora_below(g, 3);
        i->fail_order = !ora_order_acquires(i->order) || ora_chance(g, 40) ? ORA_RLX : ORA_ACQ;
    }
}

/* An access of the given kind; false when the thread is out of registers or the test full. */
static bool add_access(struct ora_gen *g, int t, int op, int loc)
{
    struct ora_thread *th = &g->p->thread[t];
    struct ora_ins i = {.op = op, .loc = loc, .spelling = ora_below(g, 100)};
    bool update = is_update(op);
    bool loads = op == ORA_LOAD || update;
    if (loads && th->n_regs == ORA_MAX_REGS)
        return false;
    if (update || g->atomic[loc] != g->mixed[t]) {
        i.order = draw_order(g, op);
        i.scope = draw_scope(g);
    }
    if (ora_op_writes(op))
        draw_value(g, t, &i);
    if (loads)
        i.reg = th->n_regs;
    if (!append(g, t, &i))
        return false;
    th->n_regs += loads;
    return true;
}

/* In disciplined programs thread t stores plainly only to what it owns, and loads that
 * and, when it has waited, what thread 0 owns. */
static bool permitted(const struct ora_gen *g, int t, int op, int loc)
{
    if (!g->disciplined || g->atomic[loc])
        return true;
    int owner = loc % g->p->n_threads;
    return owner == t || (op == ORA_LOAD && owner == 0 && g->waited[t]);
}

static void add_fence(struct ora_gen *g, int t, int order)
{
    struct ora_ins fence = {.op = ORA_FENCE, .order = order, .scope = draw_scope(g)};
    append(g, t, &fence);
}

/* A location for the operation, -1 when the draw gave none that fits. */
static int draw_loc(struct ora_gen *g, int t, int op)
{
    int loc = op == ORA_AWAIT ? g->p->n_locs - 1 : ora_below(g, g->p->n_locs);
    bool update = is_update(op);
    if (update && (!g->atomic[loc] || g->mixed[t]))
        return -1;
    return permitted(g, t, op, loc) ? loc : -1;
}

void ora_add_random(struct ora_gen *g, int t)
{
    static const int ops[] = {
        [ORA_LOAD] = 22, [ORA_STORE] = 56, [ORA_EXCHANGE] = 7, [ORA_FETCH_ADD] = 5,
        [ORA_CAS] = 5,   [ORA_FENCE] = 6,  [ORA_AWAIT] = 3};
    for (int attempt = 0; attempt < 4; attempt++) {
        int op = ora_weighted(g, ops, (int)(sizeof ops / sizeof *ops));
        int loc = draw_loc(g, t, op);
        if (op == ORA_FENCE)
            add_fence(g, t, draw_order(g, op));
        else if (loc >= 0)
            add_access(g, t, op, loc);
        if (op == ORA_FENCE || loc >= 0)
            return;
    }
}

/* Signals and waits for a signal, now and then by relaxed accesses and fences. */
static void signal_by(struct ora_gen *g, int t, int loc, int scope)
{
    struct ora_ins i = {.op = ORA_STORE,
                        .loc = loc,
                        .order = ORA_REL,
                        .scope = scope,
                        .value = ++g->last_value[loc],
                        .spelling = ora_below(g, 100)};
    if (ora_chance(g, 20)) {
        add_fence(g, t, ora_chance(g, 70) ? ORA_REL : ORA_SC);
        i.order = ORA_RLX;
    }
    append(g, t, &i);
}

static void wait_for(struct ora_gen *g, int t, int loc, int scope)
{
    struct ora_ins i = {.op = ORA_AWAIT,
                        .loc = loc,
                        .order = ORA_ACQ,
                        .scope = scope,
                        .spelling = ora_below(g, 100)};
    bool fenced = ora_chance(g, 20);
    if (fenced)
        i.order = ORA_RLX;
    append(g, t, &i);
    if (fenced)
        add_fence(g, t, ora_chance(g, 70) ? ORA_ACQ : ORA_SC);
    g->waited[t] = true;
}

/* SPB's idiom: persist, then tell; and after being told, perhaps a barrier of one's own. */
static void add_own_barrier(struct ora_gen *g, int t, int percent)
{
    struct ora_ins i = {.op = ORA_PBARRIER, .spelling = ora_below(g, 100)};
    i.scope = ora_chance(g, 85) ? ORA_WI : draw_scope(g);
    if (ora_chance(g, percent))
        append(g, t, &i);
}

static void begin_thread(struct ora_gen *g, int t)
{
    int flag = g->p->n_locs - 1;
    if (ora_chance(g, 80))
        wait_for(g, t, flag, draw_scope(g));
    else
        add_access(g, t, ORA_LOAD, flag);
    add_own_barrier(g, t, 20);
}

static void end_thread(struct ora_gen *g, int t)
{
    int flag = g->p->n_locs - 1;
    add_own_barrier(g, t, 40);
    if (ora_chance(g, 85) || g->mixed[t])
        signal_by(g, t, flag, draw_scope(g));
    else
        add_access(g, t, ORA_EXCHANGE, flag);
}

void ora_fill_threads(struct ora_gen *g)
{
    static const int most[] = {0, 5, 4, 3, 2};
    int n = g->p->n_threads;
    int extra = g->max_events > 12 ? (g->max_events - 12) / 2 : 0;
    bool handoff = ora_chance(g, 50);
    for (int t = 0; t < n; t++) {
        if (handoff && t > 0 && (t == 1 || ora_chance(g, 60)))
            begin_thread(g, t);
        for (int k = 1 + (n < 3) + ora_below(g, most[n] + extra); k > 0; k--)
            ora_add_random(g, t);
        if (handoff && (t == 0 || (t < n - 1 && ora_chance(g, 30))))
            end_thread(g, t);
    }
}

void ora_fill_relay(struct ora_gen *g)
{
    struct ora_program *p = g->p;
    int flag = p->n_locs - 1, relay = p->n_locs - 2, first, second;
    p->thread[1] = p->thread[0];
    p->thread[2].wg = ora_chance(g, 80) ? 1 : 0;
    first = ora_chance(g, 75) ? ORA_WG : ora_common_scope(g);
    second = ora_common_scope(g);
    g->atomic[relay] = true;
    g->atomic[0] = g->mixed[0] = g->mixed[2] = false;
    add_access(g, 0, ORA_STORE, 0);
    add_own_barrier(g, 0, 50);
    signal_by(g, 0, flag, first);
    wait_for(g, 1, flag, first);
    if (ora_chance(g, 50))
        ora_add_random(g, 1);
    signal_by(g, 1, relay, second);
    wait_for(g, 2, relay, second);
    add_access(g, 2, ora_chance(g, 60) ? ORA_LOAD : ORA_STORE, 0);
    if (ora_chance(g, 50))
        ora_add_random(g, 2);
}

/* ---- Critical sections --------------------------------------------------------------- */

static void add_inside(struct ora_gen *g, int t)
{
    int loc = ora_below(g, g->p->n_locs - 1);
    add_access(g, t, ora_chance(g, 70) ? ORA_STORE : ORA_LOAD, loc);
}

static bool holds_all(const struct ora_gen *g)
{
    bool all = g->one_scope;
    for (int t = 1; t < g->p->n_threads; t++)
        all = all && ora_same_instance(g->p, 0, t, g->home);
    return all;
}

/* An exchange has a scope that holds everybody: else a failed one may tell. */
static void lock(struct ora_gen *g, int t, int loc)
{
    struct ora_ins i = {.op = ORA_LOCK,
                        .loc = loc,
                        .order = ORA_ACQ,
                        .fail_order = ORA_RLX,
                        .negated = holds_all(g) && ora_chance(g, 50),
                        .spelling = ora_below(g, 100)};
    i.scope = draw_scope(g);
    if (ora_chance(g, 25))
        i.order = ora_chance(g, 50) ? ORA_SC : ora_chance(g, 50) ? ORA_ACQ_REL : ORA_RLX;
    if (i.order != ORA_RLX && ora_chance(g, 30))
        i.fail_order = ORA_ACQ;
    append(g, t, &i);
}

static void unlock(struct ora_gen *g, int t, int loc)
{
    struct ora_ins i = {
        .op = ORA_STORE, .loc = loc, .order = ORA_REL, .spelling = ora_below(g, 100)};
    i.scope = draw_scope(g);
    if (ora_chance(g, 12))
        i.order = ora_chance(g, 50) ? ORA_RLX : ORA_SC;
    if (ora_chance(g, 92))
        append(g, t, &i);
}

void ora_fill_locked(struct ora_gen *g)
{
    int loc = g->p->n_locs - 1;
    g->p->initial[loc] = ora_chance(g, 5);
    for (int t = 0; t < g->p->n_threads; t++) {
        if (ora_chance(g, 15))
            add_inside(g, t);
        if (ora_chance(g, 92))
            lock(g, t, loc);
        add_inside(g, t);
        add_own_barrier(g, t, 50);
        if (ora_chance(g, 50))
            add_inside(g, t);
        unlock(g, t, loc);
    }
}
