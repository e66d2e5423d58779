/* Of the few events concerned (the first write, a source, two read-modify-writes) it is worked out
 * what is in each expression of the model whatever else the execution has, and what may be. When
 * one check fails by that for each way to have one source, there is none. What else there is may
 * stand between any two events, so of a sequence anything may be, unless it is cut down at an end.
 *
 * One source S of two of a location: the one is coherence-after S, and the other after that; or one
 * is before S, or reads itself. Who is tried is told apart by what models can tell of accesses and
 * of where their threads stand. */
#include "enumerate/enum_apart.h"

#include "base/vec.h"
#include "exec/exec_basis.h"
#include "exec/exec_skeleton.h"

/* Pairs of events, a bit each; a set is pairs of events with themselves. */
enum { MOST_EVENTS = 8 };
typedef uint64_t pairs;

static pairs pair(uint32_t a, uint32_t b)
{
    return UINT64_C(1) << (a * MOST_EVENTS + b);
}

struct bounds {
    pairs lower, upper;
};

struct trial {
    const struct cat_model *model;
    const struct exec_skeleton *skeleton;
    uint32_t n;
    pairs all, id, rf, co, fr;
    pairs may_rf, may_fr; /* as well, of the source's own read: nobody says where it reads from */
    struct bounds *of;    /* per node */
};

/* ---- Expressions ------------------------------------------------------------------------ */

static pairs sequence(pairs x, pairs y)
{
    pairs out = 0;
    for (uint32_t a = 0; a < MOST_EVENTS; a++)
        for (uint32_t k = 0; k < MOST_EVENTS; k++)
            if (x & pair(a, k))
                out |= (y >> (k * MOST_EVENTS) & 0xff) << (a * MOST_EVENTS);
    return out;
}

static pairs closure(pairs x)
{
    for (pairs more = 0; more != x;) {
        more = x;
        x |= sequence(x, x);
    }
    return x;
}

static pairs inverse(pairs x)
{
    pairs out = 0;
    for (uint32_t a = 0; a < MOST_EVENTS; a++)
        for (uint32_t b = 0; b < MOST_EVENTS; b++)
            out |= x & pair(a, b) ? pair(b, a) : 0;
    return out;
}

/* From which events there is a pair. */
static pairs domain(pairs x)
{
    pairs out = 0;
    for (uint32_t a = 0; a < MOST_EVENTS; a++)
        out |= x >> (a * MOST_EVENTS) & 0xff ? pair(a, a) : 0;
    return out;
}

static pairs product(const struct trial *t, pairs x, pairs y)
{
    return sequence(x, sequence(t->all, y));
}

static pairs static_pairs(const struct trial *t, const struct cat_node *node)
{
    pairs out = 0;
    for (uint32_t a = 0; a < t->n; a++) {
        if (node->sort == CAT_SET)
            out |= exec_event_in_base(t->skeleton, node->base, a) ? pair(a, a) : 0;
        for (uint32_t b = 0; node->sort == CAT_REL && b < t->n; b++)
            out |= exec_pair_in_base(t->skeleton, node->base, a, b) ? pair(a, b) : 0;
    }
    return out;
}

/* SC fences, implied ones too, may be in either order. */
static pairs fence_pairs(const struct trial *t)
{
    pairs fences = 0;
    for (uint32_t e = 0; e < t->n; e++)
        fences |= ev_has_sc_fence(&t->skeleton->events[e]) ? pair(e, e) : 0;
    return product(t, fences, fences);
}

static struct bounds base_bounds(const struct trial *t, const struct cat_node *node)
{
    if (exec_base_depends(node->base))
        return (struct bounds){0, t->all};
    if (node->base == EXEC_REL_RF)
        return (struct bounds){t->rf, t->rf | t->may_rf};
    if (node->base == EXEC_REL_FR)
        return (struct bounds){t->fr, t->fr | t->may_fr};
    if (node->base == EXEC_REL_SYNC_FENCE)
        return (struct bounds){0, fence_pairs(t)};
    pairs known = node->base == EXEC_REL_CO ? t->co : static_pairs(t, node);
    return (struct bounds){known, known};
}

static struct bounds tagged_bounds(const struct trial *t, const struct cat_node *node)
{
    rel_word events = 0;
    pairs known = 0;
    exec_skeleton_tagged(t->skeleton, &t->model->tagged[node->base], &events);
    for (uint32_t a = 0; a < t->n; a++)
        known |= events >> a & 1 ? pair(a, a) : 0;
    return (struct bounds){known, known};
}

static struct bounds sequence_bounds(const struct trial *t, const struct cat_node *node,
                                     struct bounds a, struct bounds b)
{
    bool cut = t->model->nodes[node->a].op == CAT_TOID || t->model->nodes[node->b].op == CAT_TOID;
    return (struct bounds){sequence(a.lower, b.lower), cut ? sequence(a.upper, b.upper) : t->all};
}

static struct bounds bounds_of(const struct trial *t, const struct cat_node *node)
{
    struct bounds a = node->a == CAT_NONE ? (struct bounds){0} : t->of[node->a];
    struct bounds b = node->b == CAT_NONE ? (struct bounds){0} : t->of[node->b];
    pairs most = node->sort == CAT_SET ? t->id : t->all;
    switch (node->op) {
    case CAT_BASE: return base_bounds(t, node);
    case CAT_TAGGED: return tagged_bounds(t, node);
    case CAT_EMPTY: return (struct bounds){0, 0};
    case CAT_UNION: return (struct bounds){a.lower | b.lower, a.upper | b.upper};
    case CAT_INTER: return (struct bounds){a.lower & b.lower, a.upper & b.upper};
    case CAT_DIFF: return (struct bounds){a.lower & ~b.upper, a.upper & ~b.lower};
    case CAT_COMP: return (struct bounds){most & ~a.upper, most & ~a.lower};
    case CAT_SEQ: return sequence_bounds(t, node, a, b);
    case CAT_PRODUCT:
        return (struct bounds){product(t, a.lower, b.lower), product(t, a.upper, b.upper)};
    case CAT_INVERSE: return (struct bounds){inverse(a.lower), inverse(a.upper)};
    case CAT_OPT: return (struct bounds){a.lower | t->id, a.upper | t->id};
    case CAT_PLUS: return (struct bounds){closure(a.lower), most};
    case CAT_STAR: return (struct bounds){closure(a.lower) | t->id, most};
    case CAT_TOID: return a;
    case CAT_DOMAIN: return (struct bounds){domain(a.lower), most};
    case CAT_RANGE: return (struct bounds){domain(inverse(a.lower)), most};
    case CAT_VAR:
    case CAT_FIX:
    case CAT_CHOICE: return (struct bounds){0, most};
    }
    BASE_UNREACHABLE("an operator");
}

static bool is_broken(const struct trial *t, const struct cat_check *check)
{
    pairs there = t->of[check->node].lower;
    if (check->kind != CAT_CHECK || check->negated)
        return false;
    return check->test == CAT_IS_EMPTY
               ? there != 0
               : ((check->test == CAT_ACYCLIC ? closure(there) : there) & t->id) != 0;
}

static bool some_check_fails(const struct trial *t)
{
    bool fails = false;
    for (cat_node_id id = 0; id < t->model->node_count; id++)
        t->of[id] = bounds_of(t, &t->model->nodes[id]);
    for (uint32_t c = 0; c < t->model->check_count; c++)
        fails |= is_broken(t, &t->model->checks[c]);
    return fails;
}

/* ---- Who writes the location ------------------------------------------------------------ */

struct writer {
    const struct exec_path *path;
    uint32_t write; /* its event on the path; of a read-modify-write the read stands before it */
    uint32_t sort;  /* those of one sort no model tells apart but by where their threads stand */
};
typedef VEC(struct writer) writer_list;

static const struct ev *write_of(const struct writer *w)
{
    return &w->path->events[w->write];
}

static bool is_alike(const struct ev *a, const struct ev *b)
{
    return a->kind == b->kind && a->atomic == b->atomic && a->rmw == b->rmw &&
           a->has_order == b->has_order && a->has_scope == b->has_scope && a->order == b->order &&
           a->scope == b->scope && a->spaces == b->spaces && a->instr->op == b->instr->op &&
           a->instr->nonatomic == b->instr->nonatomic && a->instr->tags == b->instr->tags &&
           !a->instr->unsequenced && !b->instr->unsequenced;
}

static bool same_sort(const struct lit_program *program, const struct writer *a,
                      const struct writer *b)
{
    const struct ev *x = write_of(a), *y = write_of(b);
    return program->threads[x->thread].tags == program->threads[y->thread].tags && is_alike(x, y) &&
           (!x->rmw || is_alike(x - 1, y - 1));
}

/* False: it is written twice. */
static bool add_path(const struct lit_program *program, const struct exec_path *path,
                     uint32_t location, writer_list *writers)
{
    struct writer found = {.path = NULL};
    for (uint32_t i = 0; i < path->event_count; i++) {
        const struct ev *event = &path->events[i];
        if (event->kind != EV_WRITE || event->location != location)
            continue;
        if (found.path || (event->rmw && (i == 0 || event[-1].instr != event->instr)))
            return false;
        found = (struct writer){path, i, (uint32_t)writers->count};
    }
    for (size_t k = 0; found.path && k < writers->count; k++)
        if (same_sort(program, &writers->items[k], &found)) {
            found.sort = writers->items[k].sort;
            if (write_of(&writers->items[k])->thread == path->thread)
                return true;
        }
    if (found.path)
        VEC_PUSH(writers, found);
    return true;
}

static bool find_writers(const struct lit_program *program, const struct exec_paths *paths,
                         uint32_t location, writer_list *writers)
{
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < paths[t].count; i++)
            if (!add_path(program, paths[t].items[i], location, writers))
                return false;
    return true;
}

/* ---- One source ------------------------------------------------------------------------- */

/* Trials that differ, and writes; of more, nothing is said. */
enum { MOST_TRIALS = 64, MOST_WRITERS = 32 };

struct finder {
    struct arena *arena;
    const struct cat_model *model;
    const struct lit_program *program;
    writer_list writers;
    uint64_t tried[MOST_TRIALS];
    uint32_t tried_count;
};

/* Of a and b those that are there; `order`: who is coherence-after whom, the first write apart. */
struct case_of {
    const struct writer *a, *b, *source; /* NULL: not there; of the source: the first write */
    const struct writer *order[3];
};

static const struct exec_skeleton *skeleton_of(struct finder *f, const struct case_of *c)
{
    uint32_t threads = f->program->thread_count;
    const struct writer *const writers[] = {c->a, c->b, c->source};
    struct exec_path *own = ARENA_ARRAY(f->arena, struct exec_path, 4);
    const struct exec_path **paths = ARENA_ARRAY(f->arena, const struct exec_path *, threads);
    for (uint32_t t = 0; t < threads; t++)
        paths[t] = &own[3];
    for (int i = 0; i < 3; i++) {
        if (!writers[i] || (i == 2 && writers[2] == c->a))
            continue;
        bool halves = write_of(writers[i])->rmw;
        own[i].events = write_of(writers[i]) - halves;
        own[i].event_count = own[i].slot_count = 1 + halves;
        paths[write_of(writers[i])->thread] = &own[i];
    }
    return exec_skeleton_new(f->arena, f->program, paths);
}

static uint32_t number_of(const struct exec_skeleton *skeleton, const struct writer *w)
{
    return w ? skeleton->first[write_of(w)->thread] + write_of(w)->rmw : 0;
}

/* What is read there may be anything, of other events, too. */
static void leave_open(struct trial *t, uint32_t read)
{
    pairs only = pair(read, read);
    t->may_rf = sequence(t->all, only);
    t->may_fr = sequence(only, t->all);
}

static bool is_excluded(struct finder *f, const struct case_of *c)
{
    struct arena_mark mark = arena_mark(f->arena);
    struct trial t = {.model = f->model, .skeleton = skeleton_of(f, c)};
    BASE_CHECK(t.skeleton != NULL && t.skeleton->init_count == 1);
    t.n = t.skeleton->dim.n;
    BASE_CHECK(t.n <= MOST_EVENTS);
    t.of = ARENA_ARRAY(f->arena, struct bounds, f->model->node_count);
    for (uint32_t a = 0; a < t.n; a++) {
        t.id |= pair(a, a);
        for (uint32_t b = 0; b < t.n; b++)
            t.all |= pair(a, b);
    }
    uint32_t source = number_of(t.skeleton, c->source);
    for (uint32_t i = 0; i < 3 && c->order[i]; i++) {
        t.co |= pair(0, number_of(t.skeleton, c->order[i]));
        for (uint32_t k = 0; k < i; k++)
            t.co |= pair(number_of(t.skeleton, c->order[k]), number_of(t.skeleton, c->order[i]));
    }
    t.rf = pair(source, number_of(t.skeleton, c->a) - 1);
    if (c->b)
        t.rf |= pair(source, number_of(t.skeleton, c->b) - 1);
    t.fr = sequence(inverse(t.rf), t.co);
    if (c->source && c->source != c->a && write_of(c->source)->rmw)
        leave_open(&t, source - 1);
    bool excluded = some_check_fails(&t);
    arena_rewind(f->arena, mark);
    return excluded;
}

static uint32_t thread_of(const struct writer *w)
{
    return w ? write_of(w)->thread : LIT_NONE;
}

/* The scopes of which both threads are in one instance. */
static uint64_t shared_scopes(const struct finder *f, const struct writer *a,
                              const struct writer *b)
{
    uint64_t scopes = 0;
    for (int scope = 0; a && b && scope < LIT_SCOPE_COUNT; scope++)
        scopes |=
            (uint64_t)ev_same_instance(&f->program->threads[thread_of(a)],
                                       &f->program->threads[thread_of(b)], (enum lit_scope)scope)
            << scope;
    return scopes;
}

/* Sorts are fewer than 255. */
static uint64_t sort_of(const struct writer *w)
{
    return w ? w->sort + 1 : 0;
}

/* The same of all cases that no model tells from this one; `form` says which writes are there, and
 * in which order. */
static bool is_known(struct finder *f, const struct case_of *c, uint64_t form)
{
    uint64_t key = form << 48 | sort_of(c->a) << 40 | sort_of(c->b) << 32 |
                   sort_of(c->source) << 24 | shared_scopes(f, c->a, c->b) << 16 |
                   shared_scopes(f, c->a, c->source) << 8 | shared_scopes(f, c->b, c->source);
    for (uint32_t i = 0; i < f->tried_count; i++)
        if (f->tried[i] == key)
            return true;
    if (f->tried_count == MOST_TRIALS || !is_excluded(f, c))
        return false;
    f->tried[f->tried_count++] = key;
    return true;
}

/* The source is NULL for the first write. */
static bool one_is_alone(struct finder *f, const struct writer *a, const struct writer *source)
{
    const struct case_of itself = {.a = a, .source = a, .order = {a}};
    const struct case_of before = {.a = a, .source = source, .order = {a, source}};
    return is_known(f, &itself, 0) &&
           (!source || thread_of(source) == thread_of(a) || is_known(f, &before, 1));
}

static bool two_are_apart(struct finder *f, const struct writer *a, const struct writer *b,
                          const struct writer *source)
{
    if (thread_of(a) == thread_of(b) || thread_of(source) == thread_of(a) ||
        thread_of(source) == thread_of(b))
        return true;
    struct case_of c = {.a = a, .b = b, .source = source, .order = {source, a, b}};
    if (!source)
        c = (struct case_of){.a = a, .b = b, .order = {a, b}};
    return is_known(f, &c, 2);
}

static bool all_are_apart(struct finder *f)
{
    uint32_t count = (uint32_t)f->writers.count;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t s = 0; s <= count; s++) {
            const struct writer *a = &f->writers.items[i];
            const struct writer *source = s < count ? &f->writers.items[s] : NULL;
            if (!write_of(a)->rmw)
                continue;
            if (!one_is_alone(f, a, source))
                return false;
            for (uint32_t k = 0; k < count; k++)
                if (write_of(&f->writers.items[k])->rmw &&
                    !two_are_apart(f, a, &f->writers.items[k], source))
                    return false;
        }
    return true;
}

bool enum_rmws_apart(struct arena *arena, const struct cat_model *model,
                     const struct lit_program *program, const struct exec_paths *paths,
                     uint32_t location)
{
    struct finder f = {.arena = arena, .model = model, .program = program};
    bool apart = !program->partial_coherence &&
                 find_writers(program, paths, location, &f.writers) &&
                 f.writers.count <= MOST_WRITERS && all_are_apart(&f);
    VEC_FREE(&f.writers);
    return apart;
}
