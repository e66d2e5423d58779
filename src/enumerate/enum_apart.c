/* Bounds (cat_bounds.h) over the few events concerned: the first write, a source S, two
 * read-modify-writes. Other events of an execution may stand between any two of them (`others`).
 * The two cannot share S if every way to do so fails some check by its bounds.
 *
 * The ways: both are coherence-after S, one after the other; or one is coherence-before S, or reads
 * itself. One pair is tried of each sort: models tell sorts apart by their accesses and by where
 * their threads stand. */
#include "enumerate/enum_apart.h"

#include "base/bits.h"
#include "base/vec.h"
#include "cat/cat_bounds.h"
#include "exec/exec_basis.h"
#include "exec/exec_skeleton.h"

enum { MOST_EVENTS = 8 };

struct trial {
    const struct cat_model *model;
    const struct exec_skeleton *skeleton;
    struct cat_domain domain;
    struct cat_bounds bounds;
    rel_word rf[MOST_EVENTS], co[MOST_EVENTS], fr[MOST_EVENTS];
    rel_word may_rf[MOST_EVENTS], may_fr[MOST_EVENTS]; /* as well, of the source's own read: nobody
                                                          says where it reads from */
};

/* ---- Expressions ------------------------------------------------------------------------ */

/* SC fences, implied ones too, may be in either order. */
static void add_fence_pairs(const struct trial *t, rel_word *out)
{
    rel_word fences = 0;
    for (uint32_t e = 0; e < t->domain.dim.n; e++)
        if (ev_has_sc_fence(&t->skeleton->events[e]))
            bits_set(&fences, e);
    rel_product(t->domain.dim, out, &fences, &fences);
}

static void write_base(const struct trial *t, const struct cat_node *node, rel_word *lower,
                       rel_word *upper)
{
    struct rel_dim dim = t->domain.dim;
    if (exec_base_depends(node->base)) {
        rel_fill(dim, upper);
    } else if (node->base == EXEC_REL_RF) {
        rel_copy(dim, lower, t->rf);
        rel_union(dim, upper, t->rf, t->may_rf);
    } else if (node->base == EXEC_REL_FR) {
        rel_copy(dim, lower, t->fr);
        rel_union(dim, upper, t->fr, t->may_fr);
    } else if (node->base == EXEC_REL_SYNC_FENCE) {
        add_fence_pairs(t, upper);
    } else {
        if (node->base == EXEC_REL_CO)
            rel_copy(dim, lower, t->co);
        else
            exec_skeleton_base(t->skeleton, node->base, lower);
        cat_value_copy(dim, node->sort, upper, lower);
    }
}

/* Of a choice nothing is known. */
static bool write_leaf(struct cat_bounds *bounds, cat_node_id id)
{
    const struct trial *t = bounds->context;
    const struct cat_node *node = &t->model->nodes[id];
    rel_word *lower = bounds->values[CAT_LOWER][id], *upper = bounds->values[CAT_UPPER][id];
    if (node->op == CAT_BASE) {
        write_base(t, node, lower, upper);
    } else if (node->op == CAT_TAGGED) {
        exec_skeleton_tagged(t->skeleton, &t->model->tagged[node->base], lower);
        set_copy(t->domain.dim, upper, lower);
    } else {
        rel_fill(t->domain.dim, upper);
    }
    return true;
}

static bool some_check_fails(struct trial *t)
{
    bool fails = false;
    BASE_CHECK(cat_bounds_find(&t->bounds, t->model->node_count));
    for (uint32_t c = 0; c < t->model->check_count; c++)
        fails |= t->model->checks[c].kind == CAT_CHECK &&
                 cat_bounds_fail(&t->bounds, &t->model->checks[c]);
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
    return ALL(t, program->thread_count,
               ALL(i, paths[t].count, add_path(program, paths[t].items[i], location, writers)));
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

/* The writers of a case. `order` has those that are there in coherence order, without the first
 * write. */
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

static uint32_t number_of_writer(const struct exec_skeleton *skeleton, const struct writer *w)
{
    return w ? skeleton->first[write_of(w)->thread] + write_of(w)->rmw : 0;
}

/* What is read there may be anything, of other events, too. */
static void leave_open(struct trial *t, uint32_t read)
{
    struct rel_dim dim = t->domain.dim;
    for (uint32_t e = 0; e < dim.n; e++) {
        rel_add(dim, t->may_rf, e, read);
        rel_add(dim, t->may_fr, read, e);
    }
}

static void order_writes(struct trial *t, const struct case_of *c)
{
    struct rel_dim dim = t->domain.dim;
    for (uint32_t i = 0; i < 3 && c->order[i]; i++) {
        uint32_t later = number_of_writer(t->skeleton, c->order[i]);
        rel_add(dim, t->co, 0, later);
        for (uint32_t k = 0; k < i; k++)
            rel_add(dim, t->co, number_of_writer(t->skeleton, c->order[k]), later);
    }
}

static bool is_excluded(struct finder *f, const struct case_of *c)
{
    struct arena_mark mark = arena_mark(f->arena);
    struct trial t = {.model = f->model, .skeleton = skeleton_of(f, c)};
    rel_word turned[MOST_EVENTS];
    BASE_CHECK(t.skeleton != NULL && t.skeleton->init_count == 1);
    BASE_CHECK(t.skeleton->dim.n <= MOST_EVENTS);
    t.domain = (struct cat_domain){.dim = t.skeleton->dim, .others = true};
    cat_bounds_new(f->arena, &t.bounds, f->model, &t.domain, NULL, f->model->node_count);
    t.bounds.leaf = write_leaf;
    t.bounds.context = &t;
    order_writes(&t, c);
    uint32_t source = number_of_writer(t.skeleton, c->source);
    rel_add(t.domain.dim, t.rf, source, number_of_writer(t.skeleton, c->a) - 1);
    if (c->b)
        rel_add(t.domain.dim, t.rf, source, number_of_writer(t.skeleton, c->b) - 1);
    rel_inverse(t.domain.dim, turned, t.rf);
    rel_seq(t.domain.dim, t.fr, turned, t.co);
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
            (uint64_t)lit_same_instance(&f->program->threads[thread_of(a)],
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
