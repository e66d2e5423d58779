/* Abstract interpretation (cat_bounds.h) whose points are the events of all paths. An event may be
 * missing, and two may never be together. */
#include "smt/smt_bounds.h"

#include "base/bits.h"
#include "cat/cat_bounds.h"
#include "exec/exec_basis.h"
#include "smt/smt_rules.h"

struct smt_bounds {
    struct smt_program *program;
    const struct cat_model *model;
    struct rel_dim dim;
    struct cat_domain domain;
    struct cat_bounds bounds;
    rel_word *implied;        /* pairs (k, a): k is executed in every execution that has a */
    struct exec_skeleton all; /* of all events at once */
    bool unchosen;            /* no order is chosen */
};

const rel_word *smt_bounds_lower(const struct smt_bounds *b, cat_node_id node)
{
    BASE_ASSERT(node < b->model->node_count);
    return b->bounds.values[CAT_LOWER][node];
}

const rel_word *smt_bounds_upper(const struct smt_bounds *b, cat_node_id node)
{
    BASE_ASSERT(node < b->model->node_count);
    return b->bounds.values[CAT_UPPER][node];
}

bool smt_bounds_surely(const struct smt_bounds *b, uint32_t a, uint32_t k, uint32_t c)
{
    return rel_has(b->dim, b->implied, k, a) || rel_has(b->dim, b->implied, k, c);
}

/* An event itself, those that are always executed, and those of its thread that it comes after and
 * needs. */
static void find_implied(struct smt_bounds *b)
{
    struct smt_program *p = b->program;
    b->implied = ARENA_ARRAY(p->arena, rel_word, rel_words(b->dim));
    for (uint32_t e = 0; e < b->dim.n; e++) {
        rel_add(b->dim, b->implied, e, e);
        for (uint32_t a = 0; a < b->dim.n && bits_get(p->always, e); a++)
            rel_add(b->dim, b->implied, e, a);
        if (e < p->init_count)
            continue;
        for (uint32_t k = p->events[e].parent; k != LIT_NONE; k = p->events[k].parent)
            if (smt_program_needs(p, k, e))
                rel_add(b->dim, b->implied, k, e);
    }
}

/* ---- Base names ---- */

/* Pairs of one thread, path by path. */
static void pairs_on_path(struct smt_bounds *b, uint32_t t, uint32_t i, uint32_t base,
                          rel_word *out)
{
    struct smt_program *p = b->program;
    const struct lit_program *test = p->request->program;
    const struct smt_thread *thread = &p->threads[t];
    struct arena_mark mark = arena_mark(p->arena);
    const struct exec_path **paths =
        ARENA_ARRAY(p->arena, const struct exec_path *, test->thread_count);
    for (uint32_t u = 0; u < test->thread_count; u++) {
        struct exec_path *empty = ARENA_NEW(p->arena, struct exec_path);
        empty->thread = u;
        paths[u] = u == t ? thread->paths.items[i] : empty;
    }
    const struct exec_skeleton *alone = exec_skeleton_new(p->arena, test, paths);
    BASE_CHECK(alone != NULL);
    for (uint32_t k = 0; k < paths[t]->event_count; k++)
        for (uint32_t l = 0; l < paths[t]->event_count; l++)
            if (rel_has(b->dim, p->compatible, thread->nodes[i][k], thread->nodes[i][l]) &&
                exec_pair_in_base(alone, base, alone->first[t] + k, alone->first[t] + l))
                rel_add(b->dim, out, thread->nodes[i][k], thread->nodes[i][l]);
    arena_rewind(p->arena, mark);
}

static void base_relation(struct smt_bounds *b, const struct exec_skeleton *all, uint32_t base,
                          rel_word *out)
{
    const struct smt_program *p = b->program;
    for (uint32_t a = 0; a < b->dim.n; a++)
        for (uint32_t c = 0; c < b->dim.n; c++)
            if ((p->events[a].ev.init || p->events[a].ev.thread != p->events[c].ev.thread) &&
                exec_pair_in_base(all, base, a, c))
                rel_add(b->dim, out, a, c);
    for (uint32_t t = 0; t < p->request->program->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count && !smt_out_of_time(p); i++)
            pairs_on_path(b, t, i, base, out);
}

/* Who is late at a barrier with a quorum comes before nobody. */
static void leave_late_open(struct smt_bounds *b, rel_word *lower)
{
    for (uint32_t a = 0; a < b->dim.n; a++)
        for (uint32_t c = 0; b->program->late[a] && c < b->dim.n; c++)
            if (a != c)
                rel_remove(b->dim, lower, a, c);
}

/* On a joined path an event may depend on a read in some runs alone. */
static void leave_cases_open(struct smt_bounds *b, uint32_t base, rel_word *lower)
{
    const struct smt_program *p = b->program;
    for (uint32_t t = 0; t < p->request->program->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++)
            for (uint32_t k = 0; k < p->threads[t].paths.items[i]->event_count; k++) {
                const uint32_t *nodes = p->threads[t].nodes[i];
                const struct exec_deps *deps =
                    exec_path_deps(p->threads[t].paths.items[i], base, k);
                for (uint32_t c = 0; c < deps->case_count; c++)
                    rel_remove(b->dim, lower, nodes[deps->cases[c].read], nodes[k]);
            }
}

static void chosen_pair(struct smt_bounds *b, cat_node_id node, smt_term pair, uint32_t a,
                        uint32_t c)
{
    BASE_ASSERT(a < b->dim.n && c < b->dim.n);
    BASE_ASSERT(node < b->model->node_count);
    if (!pair || smt_is(b->program->solver, pair, false))
        return;
    rel_add(b->dim, b->bounds.values[CAT_UPPER][node], a, c);
    if (smt_is(b->program->solver, pair, true))
        rel_add(b->dim, b->bounds.values[CAT_LOWER][node], a, c);
}

/* No term is made for a pair of rf^-1; co that is in it by way of one write: there are n^3. */
static void chosen_reads(struct smt_bounds *b, cat_node_id node, uint32_t read)
{
    BASE_ASSERT(read < b->dim.n);
    BASE_ASSERT(node < b->model->node_count);
    const struct smt_program *p = b->program;
    struct smt_solver *solver = p->solver;
    for (uint32_t w = 0; w < b->dim.n; w++) {
        smt_term source = p->rf[smt_pair(p, w, read)];
        if (!source || smt_is(solver, source, false))
            continue;
        for (uint32_t c = 0; c < b->dim.n; c++) {
            smt_term later = p->co[smt_pair(p, w, c)];
            if (w == c || !later || smt_is(solver, later, false))
                continue;
            rel_add(b->dim, b->bounds.values[CAT_UPPER][node], read, c);
            if (smt_is(solver, source, true) && smt_is(solver, later, true))
                rel_add(b->dim, b->bounds.values[CAT_LOWER][node], read, c);
        }
    }
}

static void chosen_row(struct smt_bounds *b, cat_node_id node, uint32_t base, uint32_t a)
{
    const struct smt_program *p = b->program;
    for (uint32_t c = 0; c < b->dim.n; c++) {
        uint32_t pair = smt_pair(p, a, c);
        chosen_pair(b, node,
                    base == EXEC_REL_RF   ? p->rf[pair]
                    : base == EXEC_REL_CO ? p->co[pair]
                    : base == EXEC_REL_FR ? smt_order_from_read(b->program, a, c)
                                          : p->sync_fence[pair],
                    a, c);
    }
}

static void chosen_relation(struct smt_bounds *b, cat_node_id node, uint32_t base)
{
    const struct smt_program *p = b->program;
    for (uint32_t a = 0; a < b->dim.n && !smt_out_of_time(p); a++)
        if (base != EXEC_REL_FR || p->half[a] != LIT_NONE)
            chosen_row(b, node, base, a);
        else if (p->events[a].ev.kind == EV_READ)
            chosen_reads(b, node, a);
}

static void base_value(struct smt_bounds *b, cat_node_id id, const struct exec_skeleton *all)
{
    BASE_ASSERT(id < b->model->node_count);
    const struct cat_node *node = &b->model->nodes[id];
    rel_word *lower = b->bounds.values[CAT_LOWER][id], *upper = b->bounds.values[CAT_UPPER][id];
    if (b->model->basis->names[node->base].dynamic) {
        chosen_relation(b, id, node->base);
    } else {
        if (node->sort == CAT_SET)
            exec_skeleton_base(all, node->base, lower);
        else
            base_relation(b, all, node->base, lower);
        cat_value_copy(b->dim, node->sort, upper, lower);
        if (node->base == EXEC_REL_SYNCBAR || node->base == EXEC_REL_SYNCPB)
            leave_late_open(b, lower);
        if (exec_base_depends(node->base))
            leave_cases_open(b, node->base, lower);
    }
    smt_rules_silence(b->program, node->base, lower);
    smt_rules_silence(b->program, node->base, upper);
}

static void tagged_value(struct smt_bounds *b, cat_node_id id, const struct exec_skeleton *all)
{
    BASE_ASSERT(id < b->model->node_count);
    const struct cat_tagged *tagged = &b->model->tagged[b->model->nodes[id].base];
    exec_skeleton_tagged(all, tagged, b->bounds.values[CAT_LOWER][id]);
    smt_rules_untag(b->program, b->bounds.values[CAT_LOWER][id]);
    set_copy(b->dim, b->bounds.values[CAT_UPPER][id], b->bounds.values[CAT_LOWER][id]);
}

/* ---- All nodes ---- */

/* If no order is chosen, a choice stands for what it has to contain. */
static void choice_value(struct smt_bounds *b, cat_node_id id)
{
    const struct cat_choice *choice = &b->model->choices[b->model->nodes[id].base];
    if (!b->unchosen)
        cat_bounds_open(&b->bounds, id);
    for (enum cat_side side = CAT_LOWER; b->unchosen && side <= CAT_UPPER; side++)
        cat_bounds_contained(&b->bounds, choice, side, b->bounds.values[side][id]);
}

static bool leaf(struct cat_bounds *bounds, cat_node_id id)
{
    struct smt_bounds *b = bounds->context;
    enum cat_op op = b->model->nodes[id].op;
    if (op == CAT_BASE)
        base_value(b, id, &b->all);
    else if (op == CAT_TAGGED)
        tagged_value(b, id, &b->all);
    else
        choice_value(b, id);
    return true;
}

static bool is_late(void *context)
{
    return smt_out_of_time(((struct smt_bounds *)context)->program);
}

const rel_word *smt_bounds_closure(struct smt_bounds *b, cat_node_id node)
{
    BASE_ASSERT(node < b->model->node_count);
    rel_word *out = ARENA_ARRAY(b->program->arena, rel_word, rel_words(b->dim));
    cat_domain_operate(&b->domain, CAT_PLUS, CAT_REL, CAT_LOWER, smt_bounds_lower(b, node), NULL,
                       false, out);
    return out;
}

static struct smt_bounds *bounds_new(struct smt_program *program, cat_node_id last, bool unchosen)
{
    struct smt_bounds *b = ARENA_NEW(program->arena, struct smt_bounds);
    const struct cat_model *model = program->request->model;
    struct ev *events = ARENA_ARRAY(program->arena, struct ev, program->dim.n);
    for (uint32_t e = 0; e < program->dim.n; e++)
        events[e] = program->events[e].ev;
    *b = (struct smt_bounds){.program = program,
                             .model = model,
                             .dim = program->dim,
                             .unchosen = unchosen,
                             .all = {.program = program->request->program,
                                     .dim = program->dim,
                                     .events = events,
                                     .init_count = program->init_count}};
    find_implied(b);
    b->domain =
        (struct cat_domain){.dim = b->dim,
                            .implied = b->implied,
                            .within = {[CAT_LOWER][CAT_REL] = program->compatible,
                                       [CAT_UPPER][CAT_REL] = program->compatible},
                            .spare = ARENA_ARRAY(program->arena, rel_word, rel_words(b->dim))};
    cat_bounds_new(program->arena, &b->bounds, model, &b->domain, NULL, last + 1);
    b->bounds.leaf = leaf;
    b->bounds.is_late = is_late;
    b->bounds.context = b;
    BASE_CHECK(cat_bounds_find(&b->bounds, last + 1));
    return b;
}

struct smt_bounds *smt_bounds_up_to(struct smt_program *program, cat_node_id last)
{
    return bounds_new(program, last, false);
}

struct smt_bounds *smt_bounds_unchosen(struct smt_program *program, cat_node_id last)
{
    return bounds_new(program, last, true);
}

struct smt_bounds *smt_bounds_new(struct smt_program *program)
{
    return smt_bounds_up_to(program, program->request->model->node_count - 1);
}
