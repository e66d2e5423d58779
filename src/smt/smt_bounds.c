/* One pass over the nodes, operands first, both sides at once; DIFF and COMP take the other side of
 * the operand that is taken away. A group of `let rec` is computed from nothing until nothing
 * changes.
 */
#include "smt/smt_bounds.h"

#include "base/bits.h"
#include "exec/exec_basis.h"
#include "smt/smt_rules.h"

#include <string.h>

enum side { LOWER, UPPER };

struct smt_bounds {
    struct smt_program *program;
    const struct cat_model *model;
    struct rel_dim dim;
    rel_word **values[2]; /* per side and node */
    rel_word *after;      /* per event: those of its thread that only come after it */
    rel_word *spare;      /* room for one relation */
    bool unchosen;        /* no order is chosen */
};

const rel_word *smt_bounds_lower(const struct smt_bounds *b, cat_node_id node)
{
    return b->values[LOWER][node];
}

const rel_word *smt_bounds_upper(const struct smt_bounds *b, cat_node_id node)
{
    return b->values[UPPER][node];
}

/* Is k executed in every execution that has a? */
static bool implied_by(const struct smt_bounds *b, uint32_t k, uint32_t a)
{
    return a == k || bits_get(b->program->always, k) || rel_has(b->dim, b->after, k, a);
}

bool smt_bounds_surely(const struct smt_bounds *b, uint32_t a, uint32_t k, uint32_t c)
{
    return implied_by(b, k, a) || implied_by(b, k, c);
}

static void find_after(struct smt_bounds *b)
{
    b->after = ARENA_ARRAY(b->program->arena, rel_word, rel_words(b->dim));
    for (uint32_t e = b->program->init_count; e < b->dim.n; e++)
        for (uint32_t k = b->program->events[e].parent; k != LIT_NONE;
             k = b->program->events[k].parent)
            if (smt_program_needs(b->program, k, e))
                rel_add(b->dim, b->after, k, e);
}

/* ---- Base names ---- */

static void base_set(struct smt_bounds *b, const struct exec_skeleton *all, uint32_t base,
                     rel_word *out)
{
    for (uint32_t e = 0; e < b->dim.n; e++)
        if (exec_event_in_base(all, base, e))
            bits_set(out, e);
}

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
    if (!pair || smt_is(b->program->solver, pair, false))
        return;
    rel_add(b->dim, b->values[UPPER][node], a, c);
    if (smt_is(b->program->solver, pair, true))
        rel_add(b->dim, b->values[LOWER][node], a, c);
}

/* No term is made for a pair of rf^-1; co that is in it by way of one write: there are n^3. */
static void chosen_reads(struct smt_bounds *b, cat_node_id node, uint32_t read)
{
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
            rel_add(b->dim, b->values[UPPER][node], read, c);
            if (smt_is(solver, source, true) && smt_is(solver, later, true))
                rel_add(b->dim, b->values[LOWER][node], read, c);
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
    const struct cat_node *node = &b->model->nodes[id];
    const struct cat_base *base = &b->model->basis->names[node->base];
    if (base->dynamic) {
        chosen_relation(b, id, node->base);
    } else if (base->sort == CAT_SET) {
        base_set(b, all, node->base, b->values[LOWER][id]);
        set_copy(b->dim, b->values[UPPER][id], b->values[LOWER][id]);
    } else {
        base_relation(b, all, node->base, b->values[LOWER][id]);
        rel_copy(b->dim, b->values[UPPER][id], b->values[LOWER][id]);
        if (node->base == EXEC_REL_SYNCBAR)
            leave_late_open(b, b->values[LOWER][id]);
        if (exec_base_depends(node->base))
            leave_cases_open(b, node->base, b->values[LOWER][id]);
    }
    smt_rules_silence(b->program, node->base, b->values[LOWER][id]);
    smt_rules_silence(b->program, node->base, b->values[UPPER][id]);
}

static void tagged_value(struct smt_bounds *b, cat_node_id id, const struct exec_skeleton *all)
{
    const struct cat_tagged *tagged = &b->model->tagged[b->model->nodes[id].base];
    exec_skeleton_tagged(all, tagged, b->values[LOWER][id]);
    smt_rules_untag(b->program, b->values[LOWER][id]);
    set_copy(b->dim, b->values[UPPER][id], b->values[LOWER][id]);
}

/* ---- Operators ---- */

static void mask(struct smt_bounds *b, rel_word *out)
{
    rel_inter(b->dim, out, out, b->program->compatible);
}

/* a; c where the event between is surely executed. `out` is neither. */
static void sure_sequence(struct smt_bounds *b, rel_word *out, const rel_word *a, const rel_word *c)
{
    rel_clear(b->dim, out);
    for (uint32_t from = 0; from < b->dim.n && !smt_out_of_time(b->program); from++)
        for (uint32_t k = 0; k < b->dim.n; k++) {
            if (!rel_has(b->dim, a, from, k))
                continue;
            bool sure = implied_by(b, k, from);
            const rel_word *to = rel_row(b->dim, c, k), *after = rel_row(b->dim, b->after, k);
            rel_word *row = out + (size_t)from * b->dim.words;
            for (uint32_t w = 0; w < b->dim.words; w++) {
                rel_word self = w == k / 64 ? UINT64_C(1) << (k % 64) : 0;
                row[w] |= to[w] & (sure ? ~UINT64_C(0) : after[w] | self);
            }
        }
    mask(b, out);
}

static void closure(struct smt_bounds *b, enum side side, enum cat_op op, rel_word *out,
                    const rel_word *a)
{
    if (side == UPPER) {
        rel_plus(b->dim, out, a);
    } else {
        rel_copy(b->dim, out, a);
        for (bool grew = true; grew && !smt_out_of_time(b->program);) {
            sure_sequence(b, b->spare, out, out);
            grew = !rel_subset(b->dim, b->spare, out);
            rel_union(b->dim, out, out, b->spare);
        }
    }
    if (op == CAT_STAR)
        rel_opt(b->dim, out, out);
    mask(b, out);
}

/* domain or range: on the lower side the other end must be surely executed. */
static void ends(struct smt_bounds *b, enum side side, enum cat_op op, rel_word *out,
                 const rel_word *a)
{
    set_clear(b->dim, out);
    for (uint32_t x = 0; x < b->dim.n; x++)
        for (uint32_t y = 0; y < b->dim.n; y++) {
            uint32_t end = op == CAT_DOMAIN ? x : y, other = op == CAT_DOMAIN ? y : x;
            if (rel_has(b->dim, a, x, y) && (side == UPPER || implied_by(b, other, end)))
                bits_set(out, end);
        }
}

static void set_value(struct smt_bounds *b, enum side side, const struct cat_node *node,
                      rel_word *out)
{
    const rel_word *x = node->a == CAT_NONE ? NULL : b->values[side][node->a];
    const rel_word *y = node->b == CAT_NONE ? NULL : b->values[side][node->b];
    switch (node->op) {
    case CAT_EMPTY: set_clear(b->dim, out); break;
    case CAT_UNION: set_union(b->dim, out, x, y); break;
    case CAT_INTER: set_inter(b->dim, out, x, y); break;
    case CAT_DIFF: set_diff(b->dim, out, x, b->values[!side][node->b]); break;
    case CAT_COMP: set_comp(b->dim, out, b->values[!side][node->a]); break;
    case CAT_DOMAIN:
    case CAT_RANGE: ends(b, side, node->op, out, x); break;
    default: BASE_UNREACHABLE("a set operator");
    }
}

static void relation_value(struct smt_bounds *b, enum side side, const struct cat_node *node,
                           rel_word *out)
{
    struct rel_dim dim = b->dim;
    const rel_word *x = node->a == CAT_NONE ? NULL : b->values[side][node->a];
    const rel_word *y = node->b == CAT_NONE ? NULL : b->values[side][node->b];
    switch (node->op) {
    case CAT_EMPTY: rel_clear(dim, out); break;
    case CAT_UNION: rel_union(dim, out, x, y); break;
    case CAT_INTER: rel_inter(dim, out, x, y); break;
    case CAT_DIFF: rel_diff(dim, out, x, b->values[!side][node->b]); break;
    case CAT_COMP: rel_comp(dim, out, b->values[!side][node->a]); break;
    case CAT_SEQ:
        if (side == UPPER)
            rel_seq(dim, out, x, y);
        else
            sure_sequence(b, out, x, y);
        break;
    case CAT_PRODUCT: rel_product(dim, out, x, y); break;
    case CAT_INVERSE: rel_inverse(dim, out, x); break;
    case CAT_OPT: rel_opt(dim, out, x); break;
    case CAT_PLUS:
    case CAT_STAR: closure(b, side, node->op, out, x); break;
    case CAT_TOID: rel_of_set(dim, out, x); break;
    default: BASE_UNREACHABLE("a relation operator");
    }
    mask(b, out);
}

/* What a choice has to contain. */
static void contained_in_choice(struct smt_bounds *b, enum side side, cat_node_id id)
{
    const struct cat_choice *choice = &b->model->choices[b->model->nodes[id].base];
    rel_word *out = b->values[side][id];
    if (choice->kind == CAT_LINEARISATIONS) {
        closure(b, side, CAT_PLUS, out, b->values[side][choice->relation]);
        return;
    }
    rel_fill(b->dim, out);
    for (uint32_t i = 0; i < choice->alternative_count; i++)
        rel_inter(b->dim, out, out, b->values[side][choice->alternatives[i]]);
}

static void value_of_choice(struct smt_bounds *b, cat_node_id id)
{
    const struct cat_choice *choice = &b->model->choices[b->model->nodes[id].base];
    rel_word *out = b->values[UPPER][id];
    if (b->unchosen) {
        contained_in_choice(b, LOWER, id);
        contained_in_choice(b, UPPER, id);
        return;
    }
    rel_clear(b->dim, out);
    if (choice->kind == CAT_LINEARISATIONS)
        rel_product(b->dim, out, b->values[UPPER][choice->set], b->values[UPPER][choice->set]);
    for (uint32_t i = 0; i < choice->alternative_count; i++)
        rel_union(b->dim, out, out, b->values[UPPER][choice->alternatives[i]]);
    if (choice->kind == CAT_LINEARISATIONS)
        for (uint32_t e = 0; e < b->dim.n; e++)
            rel_remove(b->dim, out, e, e);
    mask(b, out);
}

static void compute(struct smt_bounds *b, cat_node_id id);

static size_t bytes_of(const struct smt_bounds *b, cat_node_id id)
{
    bool is_set = b->model->nodes[id].sort == CAT_SET;
    return (is_set ? rel_set_words(b->dim) : rel_words(b->dim)) * sizeof(rel_word);
}

/* From nothing, until nothing changes; on both sides. */
static void value_of_group(struct smt_bounds *b, const struct cat_rec_group *group)
{
    for (uint32_t i = 0; i < group->count; i++)
        for (enum side side = LOWER; side <= UPPER; side++)
            memset(b->values[side][group->vars[i]], 0, bytes_of(b, group->vars[i]));
    for (bool grew = true; grew && !smt_out_of_time(b->program);) {
        grew = false;
        for (cat_node_id id = group->begin; id < group->end; id++)
            compute(b, id);
        for (uint32_t i = 0; i < group->count; i++)
            for (enum side side = LOWER; side <= UPPER; side++) {
                rel_word *var = b->values[side][group->vars[i]];
                const rel_word *body = b->values[side][group->bodies[i]];
                size_t bytes = bytes_of(b, group->vars[i]);
                grew = grew || memcmp(var, body, bytes) != 0;
                memcpy(var, body, bytes);
            }
    }
}

static void compute(struct smt_bounds *b, cat_node_id id)
{
    const struct cat_node *node = &b->model->nodes[id];
    if (node->op == CAT_BASE || node->op == CAT_TAGGED || node->op == CAT_VAR)
        return;
    if (node->op == CAT_CHOICE) {
        value_of_choice(b, id);
        return;
    }
    const struct cat_rec_group *group = &b->model->rec_groups[node->group];
    if (node->op == CAT_FIX)
        value_of_group(b, group);
    for (enum side side = LOWER; side <= UPPER; side++) {
        if (node->op == CAT_FIX)
            memcpy(b->values[side][id], b->values[side][group->vars[node->base]], bytes_of(b, id));
        else if (node->sort == CAT_SET)
            set_value(b, side, node, b->values[side][id]);
        else
            relation_value(b, side, node, b->values[side][id]);
    }
}

const rel_word *smt_bounds_closure(struct smt_bounds *b, cat_node_id node)
{
    rel_word *out = ARENA_ARRAY(b->program->arena, rel_word, rel_words(b->dim));
    closure(b, LOWER, CAT_PLUS, out, b->values[LOWER][node]);
    return out;
}

static struct smt_bounds *bounds_new(struct smt_program *program, cat_node_id last, bool unchosen)
{
    struct smt_bounds *b = ARENA_NEW(program->arena, struct smt_bounds);
    const struct cat_model *model = program->request->model;
    struct ev *events = ARENA_ARRAY(program->arena, struct ev, program->dim.n);
    *b = (struct smt_bounds){
        .program = program, .model = model, .dim = program->dim, .unchosen = unchosen};
    b->spare = ARENA_ARRAY(program->arena, rel_word, rel_words(b->dim));
    for (enum side side = LOWER; side <= UPPER; side++) {
        b->values[side] = ARENA_ARRAY(program->arena, rel_word *, model->node_count);
        for (cat_node_id id = 0; id <= last; id++)
            b->values[side][id] =
                ARENA_ARRAY(program->arena, rel_word, bytes_of(b, id) / sizeof(rel_word));
    }
    for (uint32_t e = 0; e < b->dim.n; e++)
        events[e] = program->events[e].ev;
    struct exec_skeleton all = {.program = program->request->program,
                                .dim = b->dim,
                                .events = events,
                                .init_count = program->init_count};
    find_after(b);
    for (cat_node_id id = 0; id <= last && !smt_out_of_time(program); id++)
        if (model->nodes[id].op == CAT_BASE)
            base_value(b, id, &all);
        else if (model->nodes[id].op == CAT_TAGGED)
            tagged_value(b, id, &all);
        else
            compute(b, id);
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
