/* Enumerates the operations of one work-item after the other, each with all its forms, locations
 * and dependencies; then the work-items' places, hosts, and which locations are non-volatile.
 *
 * Work-items come longest first, and locations are numbered by first use. So a program differs from
 * its representative only in the order of work-items of equal length. The key of the first of these
 * begins the whole key, so a later one whose own key is smaller ends the branch; gen_is_canonical
 * decides the rest. A beginning of a work-item that gen_is_telling refuses, whatever follows, ends
 * the branch too. */
#include "generate/gen_enumerate.h"

#include "base/arena.h"
#include "generate/gen_print.h"

#include <string.h>

#define ORDER(name) (1u << LIT_ORDER_##name)
#define SCOPE(name) (1u << LIT_SCOPE_##name)

void gen_bound_init(struct gen_bound *bound, const struct gen_vocabulary *vocabulary,
                    enum gen_dialect dialect)
{
    *bound = (struct gen_bound){.vocabulary = vocabulary,
                                .dialect = dialect,
                                .events = 4,
                                .barriers = 2,
                                .threads = 2,
                                .locations = 2,
                                .families = UINT32_MAX,
                                .orders = ORDER(NA),
                                .scopes = SCOPE(WI) | SCOPE(WG),
                                .levels = vocabulary->levels,
                                .dependencies = 1u << GEN_FREE,
                                .volatiles = true,
                                .nvm = true};
}

/* An instruction of the user's has the order and the scope that its definition says, whatever the
 * bound has. */
static bool is_fixed(const struct gen_bound *bound, const struct gen_family *family, uint32_t mask)
{
    return bound->vocabulary->derived && family->tags && (mask & (mask - 1)) == 0;
}

static bool has_order(const struct gen_bound *bound, const struct gen_family *family, uint32_t o)
{
    return bound->orders >> o & 1 || is_fixed(bound, family, family->orders);
}

static bool has_scope(const struct gen_bound *bound, const struct gen_family *family, uint32_t s)
{
    return bound->scopes >> s & 1 || is_fixed(bound, family, family->scopes);
}

uint32_t gen_bound_forms(const struct gen_bound *bound, struct gen_form forms[GEN_MAX_FORMS])
{
    const struct gen_vocabulary *vocabulary = bound->vocabulary;
    uint32_t count = 0;
    for (uint8_t f = 0; f < vocabulary->family_count; f++)
        for (uint8_t o = 0; o <= LIT_ORDER_SC; o++)
            for (uint8_t s = 0; s < LIT_SCOPE_COUNT; s++) {
                const struct gen_family *family = &vocabulary->families[f];
                const struct gen_form form = {f, o, s};
                if (bound->families >> f & family->orders >> o & family->scopes >> s & 1 &&
                    has_order(bound, family, o) && has_scope(bound, family, s) &&
                    gen_can_print_form(vocabulary, bound->dialect, form)) {
                    BASE_CHECK(count < GEN_MAX_FORMS);
                    forms[count++] = form;
                }
            }
    return count;
}

struct enumeration {
    const struct gen_bound *bound;
    struct gen_form forms[GEN_MAX_FORMS];
    uint32_t form_count;
    struct gen_program program;
    uint8_t lengths[GEN_MAX_THREADS]; /* that the work-items are to have */
    uint32_t events, barriers;        /* still to come */
    uint64_t unit, wanted;            /* the number of the next one; which is gone into */
    uint64_t number;
    bool stopped;
    gen_visit *visit;
    void *context;
};

/* ---- What is around the operations ---- */

static void visit(struct enumeration *e)
{
    if (!gen_is_telling(e->bound, &e->program) || !gen_is_canonical(&e->program))
        return;
    e->stopped = !e->visit(e->context, &e->program, e->number++);
}

static void choose_memory(struct enumeration *e)
{
    uint32_t all = (1u << e->program.location_count) - 1;
    for (uint32_t nvm = 0; nvm <= all && !e->stopped; nvm++) {
        if ((nvm && !e->bound->nvm) || (nvm != all && !e->bound->volatiles))
            continue;
        e->program.nvm = (uint8_t)nvm;
        visit(e);
    }
}

static void choose_hosts(struct enumeration *e)
{
    bool any = e->bound->hosts && e->bound->vocabulary->host_tag;
    uint32_t sets = any ? 1u << e->program.thread_count : 1;
    for (uint32_t set = 0; set < sets && !e->stopped; set++) {
        for (uint32_t t = 0; t < e->program.thread_count; t++)
            e->program.host[t] = set >> t & 1;
        choose_memory(e);
    }
}

/* Instances of the level for the work-items from `thread` on; wider levels have theirs. Each joins
 * one whose first work-item is in its instance of the next wider level, or begins one; at a level
 * that nobody names it joins the first. */
static void choose_places(struct enumeration *e, uint32_t levels, uint32_t thread)
{
    struct gen_program *p = &e->program;
    if (levels == 0) {
        choose_hosts(e);
        return;
    }
    if (thread == p->thread_count) {
        choose_places(e, levels - 1, 0);
        return;
    }
    uint32_t level = levels - 1;
    bool named = (gen_scopes(p) | e->bound->levels) >> (LIT_SCOPE_SG + level) & 1;
    for (uint8_t u = 0; u <= thread && !e->stopped; u++) {
        bool around =
            u == thread || level + 1 == GEN_LEVELS || gen_are_together(p, u, thread, level + 1);
        if (!around || (u < thread && p->place[u][level] != u))
            continue;
        p->place[thread][level] = u;
        choose_places(e, levels, thread + 1);
        if (!named)
            break;
    }
}

/* ---- Operations ---- */

static enum gen_class class_of(const struct enumeration *e, struct gen_form form)
{
    return e->bound->vocabulary->families[form.family].class;
}

/* What gen_is_telling says of a work-item up to its newest operation. */
static bool may_begin_so(const struct enumeration *e, uint32_t t)
{
    uint32_t last = e->program.length[t] - 1u;
    const struct gen_op *op = &e->program.ops[t][last];
    bool meets = gen_form_may_meet(e->bound->vocabulary, op->form);
    if (gen_accesses(e->bound->vocabulary, op) || meets || e->bound->untelling)
        return true;
    if (last == 0)
        return gen_family_of(e->bound->vocabulary, op)->traits & (GEN_OPENS | GEN_SPEAKS);
    return !gen_form_is(op[-1].form, op->form) || op[-1].location != op->location ||
           gen_family_of(e->bound->vocabulary, op)->traits & GEN_COUNTS;
}

/* Is the work-item less than the first, each with its locations numbered by its own first use? */
static bool is_less_than_first(const struct gen_program *p, uint32_t t)
{
    BASE_ASSERT(t < p->thread_count);
    uint8_t mine[GEN_MAX_LOCATIONS], first[GEN_MAX_LOCATIONS], mine_count = 0, first_count = 0;
    memset(mine, GEN_NOWHERE, sizeof mine);
    memset(first, GEN_NOWHERE, sizeof first);
    for (uint32_t i = 0; i < p->length[t]; i++) {
        struct gen_op a = p->ops[t][i], b = p->ops[0][i];
        if (a.location != GEN_NOWHERE && mine[a.location] == GEN_NOWHERE)
            mine[a.location] = mine_count++;
        if (b.location != GEN_NOWHERE && first[b.location] == GEN_NOWHERE)
            first[b.location] = first_count++;
        a.location = a.location == GEN_NOWHERE ? GEN_NOWHERE : mine[a.location];
        b.location = b.location == GEN_NOWHERE ? GEN_NOWHERE : first[b.location];
        int order = memcmp(&a, &b, sizeof a);
        if (order)
            return order < 0;
    }
    return false;
}

static void choose_op(struct enumeration *e, uint32_t t);

static void next_thread(struct enumeration *e, uint32_t t)
{
    if (e->program.length[t] == e->lengths[0] && is_less_than_first(&e->program, t))
        return;
    if (t + 1 == e->program.thread_count)
        choose_places(e, GEN_LEVELS, 0);
    else
        choose_op(e, t + 1);
}

/* Units part behind the second operation. */
static bool is_gone_into(struct enumeration *e, uint32_t t)
{
    uint32_t at = e->lengths[0] < 2 ? e->lengths[0] : 2;
    return t != 0 || e->program.length[0] != at || e->unit++ == e->wanted;
}

static void try_op(struct enumeration *e, uint32_t t, struct gen_op op)
{
    struct gen_program *p = &e->program;
    uint8_t locations = p->location_count;
    bool accesses = gen_accesses(e->bound->vocabulary, &op);
    uint32_t *left = accesses ? &e->events : &e->barriers;
    if (*left == 0)
        return;
    --*left;
    BASE_CHECK(gen_add(p, t, op));
    if (may_begin_so(e, t) && is_gone_into(e, t)) {
        if (p->length[t] == e->lengths[t])
            next_thread(e, t);
        else
            choose_op(e, t);
    }
    p->length[t]--;
    p->location_count = locations;
    ++*left;
}

static bool may_depend(const struct enumeration *e, struct gen_form form,
                       enum gen_dependency dependency)
{
    enum gen_class class = class_of(e, form);
    bool accesses = class <= GEN_RMW;
    if (!(e->bound->dependencies >> dependency & 1))
        return false;
    switch (dependency) {
    case GEN_FREE: return true;
    case GEN_GUARD:
    case GEN_UNLESS: return accesses;
    case GEN_DATA: return class == GEN_STORE || class == GEN_RMW;
    case GEN_ADDRESS: return accesses && e->bound->dialect != GEN_PTX;
    case GEN_DEPENDENCY_COUNT: break;
    }
    return false;
}

static void choose_dependency(struct enumeration *e, uint32_t t, struct gen_op op)
{
    const struct gen_program *p = &e->program;
    for (uint8_t d = 0; d < GEN_DEPENDENCY_COUNT; d++) {
        if (!may_depend(e, op.form, (enum gen_dependency)d))
            continue;
        op.dependency = d;
        for (op.on = 0; op.on < p->length[t] + (d == GEN_FREE) && !e->stopped; op.on++) {
            if (d != GEN_FREE && !gen_reads(e->bound->vocabulary, &p->ops[t][op.on]))
                continue;
            try_op(e, t, op);
            if (d == GEN_FREE)
                break;
        }
    }
}

static void choose_op(struct enumeration *e, uint32_t t)
{
    for (uint32_t f = 0; f < e->form_count && !e->stopped; f++) {
        struct gen_op op = {.form = e->forms[f], .location = GEN_NOWHERE};
        if (class_of(e, op.form) == GEN_POINT) {
            choose_dependency(e, t, op);
            continue;
        }
        uint32_t used = e->program.location_count;
        uint32_t most = used < e->bound->locations ? used + 1 : used;
        for (op.location = 0; op.location < most && !e->stopped; op.location++)
            choose_dependency(e, t, op);
    }
}

/* ---- Sizes ---- */

/* Lengths that go down, and add up to what is left, for the work-items from `t` on. */
static void choose_lengths(struct enumeration *e, uint32_t t, uint32_t left)
{
    if (left == 0) {
        gen_program_init(&e->program, t);
        choose_op(e, 0);
        return;
    }
    uint32_t most = t ? e->lengths[t - 1] : GEN_MAX_OPS;
    if (t == e->bound->threads)
        return;
    for (uint32_t length = most < left ? most : left; length > 0 && !e->stopped; length--) {
        e->lengths[t] = (uint8_t)length;
        choose_lengths(e, t + 1, left - length);
    }
}

static void choose_sizes(struct enumeration *e)
{
    const struct gen_bound *bound = e->bound;
    e->form_count = gen_bound_forms(bound, e->forms);
    for (uint32_t size = 1; size <= bound->events + bound->barriers; size++)
        for (uint32_t barriers = 0; barriers <= bound->barriers && barriers < size; barriers++) {
            e->barriers = barriers;
            e->events = size - barriers;
            if (e->events <= bound->events && !e->stopped)
                choose_lengths(e, 0, size);
        }
}

uint64_t gen_units(const struct gen_bound *bound)
{
    struct enumeration e = {.bound = bound, .wanted = UINT64_MAX};
    choose_sizes(&e);
    return e.unit;
}

uint64_t gen_enumerate(const struct gen_bound *bound, uint64_t unit, gen_visit *visited,
                       void *context)
{
    struct enumeration e = {.bound = bound, .wanted = unit, .visit = visited, .context = context};
    choose_sizes(&e);
    return e.number;
}
