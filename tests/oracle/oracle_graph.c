/* Relations as rows of bits, and those every model starts from. */
#include <string.h>

#include "oracle.h"

bool ora_rel_has(const struct ora_rel *r, int a, int b)
{
    return (r->row[a] >> b & 1) != 0;
}

void ora_rel_put(struct ora_rel *r, int a, int b)
{
    r->row[a] |= 1u << b;
}

void ora_rel_join(struct ora_rel *r, const struct ora_rel *other)
{
    for (int a = 0; a < ORA_MAX_EVENTS; a++)
        r->row[a] |= other->row[a];
}

void ora_rel_compose(struct ora_rel *out, const struct ora_rel *a, const struct ora_rel *b)
{
    struct ora_rel result = {{0}};
    for (int x = 0; x < ORA_MAX_EVENTS; x++)
        for (int y = 0; y < ORA_MAX_EVENTS; y++)
            if (ora_rel_has(a, x, y))
                result.row[x] |= b->row[y];
    *out = result;
}

void ora_rel_close(struct ora_rel *r)
{
    for (int via = 0; via < ORA_MAX_EVENTS; via++)
        for (int a = 0; a < ORA_MAX_EVENTS; a++)
            if (ora_rel_has(r, a, via))
                r->row[a] |= r->row[via];
}

bool ora_op_is_access(int op)
{
    return op == ORA_LOAD || op == ORA_AWAIT || ora_op_writes(op);
}

bool ora_op_is_placed(int op)
{
    return ora_op_is_access(op) || op == ORA_CM;
}

struct ora_rel ora_rel_between(uint32_t from, const struct ora_rel *r, uint32_t to)
{
    struct ora_rel out = {{0}};
    for (int a = 0; a < ORA_MAX_EVENTS; a++)
        if (from >> a & 1)
            out.row[a] = r->row[a] & to;
    return out;
}

struct ora_rel ora_rel_chain(struct ora_rel a, struct ora_rel b)
{
    struct ora_rel out;
    ora_rel_compose(&out, &a, &b);
    return out;
}

uint32_t ora_graph_kind(const struct ora_graph *g, int kind)
{
    uint32_t set = 0;
    for (int e = 0; e < g->x->n_events; e++)
        if (g->x->ev[e].kind == kind)
            set |= 1u << e;
    return set;
}

bool ora_op_has_body(int op)
{
    return op == ORA_IF || op == ORA_REPEAT;
}

bool ora_op_loads_register(int op)
{
    return op == ORA_LOAD || op == ORA_EXCHANGE || op == ORA_FETCH_ADD || op == ORA_CAS;
}

bool ora_op_writes(int op)
{
    return op == ORA_STORE || op == ORA_EXCHANGE || op == ORA_FETCH_ADD || op == ORA_CAS ||
           op == ORA_LOCK;
}

bool ora_order_acquires(int order)
{
    static const int acquires[] = {
#define X(tag, word, method, acq, rel) acq,
        ORA_ORDERS(X)
#undef X
    };
    return acquires[order] != 0;
}

bool ora_order_releases(int order)
{
    static const int releases[] = {
#define X(tag, word, method, acq, rel) rel,
        ORA_ORDERS(X)
#undef X
    };
    return releases[order] != 0;
}

bool ora_same_instance(const struct ora_program *p, int a, int b, int scope)
{
    const struct ora_thread *s = &p->thread[a], *t = &p->thread[b];
    switch (scope) {
    case ORA_WI: return a == b;
    case ORA_SG: return s->sg == t->sg && s->wg == t->wg && s->kr == t->kr && s->dev == t->dev;
    case ORA_WG: return s->wg == t->wg && s->kr == t->kr && s->dev == t->dev;
    case ORA_KR: return s->kr == t->kr && s->dev == t->dev;
    case ORA_DV: return s->dev == t->dev;
    default: return true;
    }
}

static bool is_barrier(const struct ora_event *e)
{
    return e->kind == ORA_B || e->kind == ORA_PB;
}

/* The k'th of its kind and scope in work-items of one scope instance. */
static bool one_barrier(const struct ora_graph *g, const struct ora_event *a,
                        const struct ora_event *b)
{
    return is_barrier(a) && a->kind == b->kind && a->scope == b->scope &&
           a->instance == b->instance && ora_same_instance(g->p, a->thread, b->thread, a->scope);
}

static void relate(struct ora_graph *g, int a, int b)
{
    const struct ora_event *x = &g->x->ev[a], *y = &g->x->ev[b];
    if (x->thread >= 0 && x->thread == y->thread && a < b)
        ora_rel_put(&g->po, a, b);
    if (y->kind == ORA_READ && y->source == a)
        ora_rel_put(&g->rf, a, b);
    if (x->kind == ORA_WRITE && y->kind == ORA_WRITE && x->loc == y->loc &&
        g->x->co[a] < g->x->co[b])
        ora_rel_put(&g->co, a, b);
    if (x->kind == ORA_READ && y->kind == ORA_WRITE && x->loc == y->loc &&
        g->x->co[x->source] < g->x->co[b])
        ora_rel_put(&g->fr, a, b);
    if (one_barrier(g, x, y))
        ora_rel_put(x->kind == ORA_B ? &g->syncbar : &g->syncpb, a, b);
}

void ora_graph_relate(struct ora_graph *g, const struct ora_program *p, const struct ora_exec *x,
                      int mutation)
{
    memset(g, 0, sizeof *g);
    g->p = p;
    g->x = x;
    g->mutation = mutation;
    for (int a = 0; a < x->n_events; a++) {
        if (x->ev[a].kind == ORA_WRITE && p->nvm[x->ev[a].loc])
            g->nvm_writes |= 1u << a;
        for (int b = 0; b < x->n_events; b++)
            relate(g, a, b);
    }
}

void ora_graph_build(struct ora_graph *g, const struct ora_program *p, const struct ora_exec *x,
                     int mutation)
{
    ora_graph_relate(g, p, x, mutation);
    ora_graph_order(g);
}
