/* Closures and `let rec` are least fixpoints. Each pair is a variable, tied to its definition in
 * the directions needed. "At least": whatever is in the fixpoint has a true variable; this suffices
 * where the model asks for something to be absent. "At most": pairs of smaller rank justify a true
 * variable; this excludes other fixpoints than the least one where the model asks for something to
 * be present. */
#include "smt/smt_relation.h"

#include "base/bits.h"
#include "base/hash.h"
#include "cat/cat_operate.h"
#include "exec/exec_basis.h"
#include "smt/smt_bounds.h"

/* A pair (or, for a set, an event) of a node. `owner` is set while an "at most" of a let-rec
 * pair is written down: what it rests on has a smaller rank. */
struct cell_key {
    uint32_t node, a, b, owner;
};

struct cell {
    struct cell_key key;
    uint32_t number; /* from 1 */
    smt_term term;
    smt_term rank; /* of closures and let-rec pairs, once needed */
    int done;      /* needs that it was asked for */
    UT_hash_handle hh;
};

struct pending {
    struct cell *cell;
    int need;
};

struct smt_relations {
    struct smt_program *program;
    struct smt_solver *solver;
    const struct cat_model *model;
    struct smt_bounds *bounds;
    struct cell *cells;
    VEC(struct cell *) numbered;
    VEC(struct pending) pending;
    bool *recursive;  /* per node: depends on a let-rec variable */
    smt_term **picks; /* per choice: of linearisations, per pair; of alternatives, per one */
};

static int flip(int need)
{
    return (need & SMT_AT_LEAST ? SMT_AT_MOST : 0) | (need & SMT_AT_MOST ? SMT_AT_LEAST : 0);
}

static struct cell *cell_of(struct smt_relations *r, uint32_t node, uint32_t a, uint32_t b,
                            uint32_t owner)
{
    BASE_ASSERT(node < r->model->node_count && a < r->program->dim.n && owner <= r->numbered.count);
    struct cell_key key = {node, a, b, owner};
    struct cell *cell;
    HASH_FIND(hh, r->cells, &key, sizeof key, cell);
    if (cell)
        return cell;
    cell = ARENA_NEW(r->program->arena, struct cell);
    cell->key = key;
    VEC_PUSH(&r->numbered, cell);
    cell->number = (uint32_t)r->numbered.count;
    HASH_ADD(hh, r->cells, key, sizeof cell->key, cell);
    return cell;
}

/* Of a set b is LIT_NONE. */
static smt_term has(struct smt_relations *r, cat_node_id node, uint32_t a, uint32_t b, int need,
                    uint32_t owner);

/* The rank of a pair in its fixpoint. A pair of a closure rests on pairs with the same end, so
 * there are at most as many ranks as events. A pair of a recursion may rest on any pair. */
static smt_term rank_of(struct smt_relations *r, struct cell *cell)
{
    BASE_ASSERT(cell->number > 0);
    bool closes = r->model->nodes[cell->key.node].op != CAT_FIX;
    if (!cell->rank)
        cell->rank = smt_clock(r->solver, closes ? r->program->dim.n : UINT32_MAX);
    return cell->rank;
}

/* The variable of a fixpoint's pair or event, to be tied to what it stands for later. */
static smt_term fixpoint(struct smt_relations *r, struct cell *cell, int need)
{
    BASE_ASSERT(need & (SMT_AT_LEAST | SMT_AT_MOST));
    if (!cell->term)
        cell->term = smt_bool(r->solver);
    int missing = need & ~cell->done;
    if (missing)
        VEC_PUSH(&r->pending, (struct pending){cell, missing});
    cell->done |= missing;
    return cell->term;
}

/* ---- Base names and choices ---- */

static smt_term base_pair(struct smt_relations *r, uint32_t base, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < r->program->dim.n && b < r->program->dim.n);
    struct smt_program *p = r->program;
    smt_term pair = NULL;
    switch (base) {
    case EXEC_REL_RF: pair = p->rf[smt_pair(p, a, b)]; break;
    case EXEC_REL_CO: pair = p->co[smt_pair(p, a, b)]; break;
    case EXEC_REL_FR: pair = smt_order_from_read(p, a, b); break;
    case EXEC_REL_SYNCBAR:
    case EXEC_REL_SYNCPB: pair = smt_not(r->solver, p->late[a]); break;
    case EXEC_REL_ADDR:
    case EXEC_REL_DATA:
    case EXEC_REL_CTRL:
    case EXEC_REL_TOKEN: return smt_program_depends(p, base, a, b);
    case EXEC_REL_SYNC_FENCE: pair = p->sync_fence[smt_pair(p, a, b)]; break;
    default: BASE_UNREACHABLE("a base relation that is chosen");
    }
    return pair ? pair : smt_truth(r->solver, false);
}

static smt_term choice_pair(struct smt_relations *r, uint32_t number, uint32_t a, uint32_t b,
                            int need)
{
    BASE_ASSERT(number < r->model->choice_count);
    BASE_ASSERT(a < r->program->dim.n && b < r->program->dim.n);
    const struct cat_choice *choice = &r->model->choices[number];
    struct smt_solver *s = r->solver;
    if (choice->kind == CAT_LINEARISATIONS) {
        smt_term order = r->picks[number][smt_pair(r->program, a, b)];
        return order ? smt_and(s, order,
                               smt_and(s, has(r, choice->set, a, LIT_NONE, need, 0),
                                       has(r, choice->set, b, LIT_NONE, need, 0)))
                     : smt_truth(s, false);
    }
    smt_term some = smt_truth(s, false);
    for (uint32_t i = 0; i < choice->alternative_count; i++)
        some =
            smt_or(s, some,
                   smt_and(s, r->picks[number][i], has(r, choice->alternatives[i], a, b, need, 0)));
    return some;
}

/* ---- Operators ---- */

/* Is event k executed whenever a and b are? Else its guard has to be asked for. */
static smt_term executed_between(struct smt_relations *r, uint32_t a, uint32_t k, uint32_t b)
{
    BASE_ASSERT(k < r->program->dim.n);
    return smt_bounds_surely(r->bounds, a, k, b) ? smt_truth(r->solver, true)
                                                 : r->program->events[k].guard;
}

static smt_term sequence(struct smt_relations *r, const struct cat_node *node, uint32_t a,
                         uint32_t b, int need, uint32_t owner)
{
    BASE_ASSERT(node->op == CAT_SEQ && owner <= r->numbered.count);
    struct smt_solver *s = r->solver;
    struct rel_dim dim = r->program->dim;
    const rel_word *from = rel_row(dim, smt_bounds_upper(r->bounds, node->a), a);
    const rel_word *right = smt_bounds_upper(r->bounds, node->b);
    smt_term some = smt_truth(s, false);
    for (uint32_t w = 0; w < dim.words && !smt_is(s, some, true); w++)
        BITS_EACH_IN_WORD (bit, from[w]) {
            uint32_t k = w * 64 + bit;
            if (!rel_has(dim, right, k, b))
                continue;
            smt_term both =
                smt_and(s, has(r, node->a, a, k, need, owner), has(r, node->b, k, b, need, owner));
            some = smt_or(s, some, smt_and(s, both, executed_between(r, a, k, b)));
        }
    return some;
}

/* domain(x) or range(x): some executed event at the other end. */
static smt_term at_end(struct smt_relations *r, const struct cat_node *node, uint32_t a, int need,
                       uint32_t owner)
{
    BASE_ASSERT(node->op == CAT_DOMAIN || node->op == CAT_RANGE);
    struct smt_program *p = r->program;
    smt_term some = smt_truth(r->solver, false);
    for (uint32_t k = 0; k < p->dim.n; k++) {
        smt_term pair = node->op == CAT_DOMAIN ? has(r, node->a, a, k, need, owner)
                                               : has(r, node->a, k, a, need, owner);
        if (!smt_is(r->solver, pair, false))
            some = smt_or(r->solver, some, smt_and(r->solver, pair, p->events[k].guard));
    }
    return some;
}

static smt_term compute(struct smt_relations *r, cat_node_id id, uint32_t a, uint32_t b, int need,
                        uint32_t owner)
{
    BASE_ASSERT((r->model->nodes[id].sort == CAT_SET) == (b == LIT_NONE));
    BASE_ASSERT(r->model->nodes[id].a == CAT_NONE || r->model->nodes[id].a < id);
    BASE_ASSERT(id < r->model->node_count);
    const struct cat_node *node = &r->model->nodes[id];
    struct smt_solver *s = r->solver;
    switch (node->op) {
    case CAT_BASE: return base_pair(r, node->base, a, b);
    case CAT_CHOICE: return choice_pair(r, node->base, a, b, need);
    case CAT_UNION:
        return smt_or(s, has(r, node->a, a, b, need, owner), has(r, node->b, a, b, need, owner));
    case CAT_INTER:
        return smt_and(s, has(r, node->a, a, b, need, owner), has(r, node->b, a, b, need, owner));
    case CAT_DIFF:
        return smt_and(s, has(r, node->a, a, b, need, owner),
                       smt_not(s, has(r, node->b, a, b, flip(need), owner)));
    case CAT_COMP: return smt_not(s, has(r, node->a, a, b, flip(need), owner));
    case CAT_SEQ: return sequence(r, node, a, b, need, owner);
    case CAT_PRODUCT:
        return smt_and(s, has(r, node->a, a, LIT_NONE, need, owner),
                       has(r, node->b, b, LIT_NONE, need, owner));
    case CAT_INVERSE: return has(r, node->a, b, a, need, owner);
    case CAT_OPT: return has(r, node->a, a, b, need, owner);
    case CAT_TOID: return has(r, node->a, a, LIT_NONE, need, owner);
    case CAT_DOMAIN:
    case CAT_RANGE: return at_end(r, node, a, need, owner);
    default: BASE_UNREACHABLE("an operator of a value that is open");
    }
}

static bool is_fixpoint(enum cat_op op)
{
    return op == CAT_PLUS || op == CAT_STAR || op == CAT_FIX;
}

/* A let-rec variable: the pair of the group's fixpoint; of a set the event a, and no b. */
static smt_term variable(struct smt_relations *r, const struct cat_node *node, uint32_t a,
                         uint32_t b, int need, uint32_t owner)
{
    BASE_ASSERT(node->op == CAT_VAR && node->group < r->model->rec_group_count);
    BASE_ASSERT(node->base < r->model->rec_groups[node->group].count);
    cat_node_id fix = r->model->rec_groups[node->group].fixes[node->base];
    struct cell *cell = cell_of(r, fix, a, b, 0);
    smt_term there = fixpoint(r, cell, need);
    if (!owner)
        return there;
    smt_term below =
        smt_earlier(r->solver, rank_of(r, cell), rank_of(r, r->numbered.items[owner - 1]));
    return smt_and(r->solver, there, below);
}

static bool is_in(const struct smt_relations *r, const rel_word *value, uint32_t a, uint32_t b)
{
    return b == LIT_NONE ? bits_get(value, a) : rel_has(r->program->dim, value, a, b);
}

static smt_term has(struct smt_relations *r, cat_node_id id, uint32_t a, uint32_t b, int need,
                    uint32_t owner)
{
    BASE_ASSERT(need & (SMT_AT_LEAST | SMT_AT_MOST));
    BASE_ASSERT(id < r->model->node_count);
    const struct cat_node *node = &r->model->nodes[id];
    if (!is_in(r, smt_bounds_upper(r->bounds, id), a, b))
        return smt_truth(r->solver, false);
    if (is_in(r, smt_bounds_lower(r->bounds, id), a, b))
        return smt_truth(r->solver, true);
    owner = r->recursive[id] ? owner : 0;
    if (node->op == CAT_VAR)
        return variable(r, node, a, b, need, owner);
    struct cell *cell = cell_of(r, id, a, b, owner);
    if (is_fixpoint(node->op))
        return fixpoint(r, cell, need);
    if (!cell->term || (need & ~cell->done)) {
        smt_term term = compute(r, id, a, b, need | cell->done, owner);
        cell->term = term;
        cell->done |= need;
    }
    return cell->term;
}

smt_term smt_relation_has(struct smt_relations *r, cat_node_id node, uint32_t a, uint32_t b,
                          int need)
{
    return has(r, node, a, b, need, 0);
}

smt_term smt_set_has(struct smt_relations *r, cat_node_id node, uint32_t a, int need)
{
    return has(r, node, a, LIT_NONE, need, 0);
}

const rel_word *smt_relation_may(const struct smt_relations *r, cat_node_id node)
{
    return smt_bounds_upper(r->bounds, node);
}

bool smt_relation_is_known(const struct smt_relations *r, cat_node_id node)
{
    return rel_equal(r->program->dim, smt_bounds_lower(r->bounds, node),
                     smt_bounds_upper(r->bounds, node));
}

struct smt_program *smt_relations_program(const struct smt_relations *r)
{
    return r->program;
}

/* ---- What fixpoints stand for ---- */

/* x+ by its last step left out: (a, b) is in it through a step from a to k and then k to b. */
static void settle_closure(struct smt_relations *r, struct cell *cell, int need)
{
    struct smt_solver *s = r->solver;
    struct rel_dim dim = r->program->dim;
    cat_node_id operand = r->model->nodes[cell->key.node].a;
    uint32_t a = cell->key.a, b = cell->key.b, owner = cell->key.owner;
    const rel_word *steps = rel_row(dim, smt_bounds_upper(r->bounds, operand), a);
    const rel_word *closure = smt_bounds_upper(r->bounds, cell->key.node);
    smt_term least = has(r, operand, a, b, need, owner), most = least;
    for (uint32_t k = 0; k < dim.n; k++) {
        if (!bits_get(steps, k) || k == a || k == b || !rel_has(dim, closure, k, b))
            continue;
        smt_term step =
            smt_and(s, has(r, operand, a, k, need, owner), executed_between(r, a, k, b));
        smt_term rest = has(r, cell->key.node, k, b, need, owner);
        smt_term way = smt_and(s, step, rest);
        least = smt_or(s, least, way);
        if (need & SMT_AT_MOST && !smt_is(s, rest, true) && !smt_is(s, way, false))
            way = smt_and(s, way,
                          smt_earlier(s, rank_of(r, cell_of(r, cell->key.node, k, b, owner)),
                                      rank_of(r, cell)));
        most = smt_or(s, most, way);
    }
    if (need & SMT_AT_LEAST)
        smt_assert(s, smt_implies(s, least, cell->term));
    if (need & SMT_AT_MOST)
        smt_assert(s, smt_implies(s, cell->term, most));
}

static smt_term body_of(struct smt_relations *r, const struct cell *cell,
                        const struct cat_node *node, int need, uint32_t owner)
{
    cat_node_id body = r->model->rec_groups[node->group].bodies[node->base];
    return has(r, body, cell->key.a, cell->key.b, need, owner);
}

static void settle_recursion(struct smt_relations *r, struct cell *cell, int need)
{
    const struct cat_node *node = &r->model->nodes[cell->key.node];
    if (need & SMT_AT_LEAST)
        smt_assert(r->solver,
                   smt_implies(r->solver, body_of(r, cell, node, SMT_AT_LEAST, 0), cell->term));
    if (need & SMT_AT_MOST)
        smt_assert(r->solver, smt_implies(r->solver, cell->term,
                                          body_of(r, cell, node, SMT_AT_MOST, cell->number)));
}

void smt_relations_settle(struct smt_relations *r)
{
    while (r->pending.count && !smt_out_of_time(r->program)) {
        struct pending next = VEC_POP(&r->pending);
        if (r->model->nodes[next.cell->key.node].op == CAT_FIX)
            settle_recursion(r, next.cell, next.need);
        else
            settle_closure(r, next.cell, next.need);
    }
}

/* ---- Choices ---- */

static void pick_linearisation(struct smt_relations *r, uint32_t number)
{
    struct smt_program *p = r->program;
    struct smt_solver *s = r->solver;
    const struct cat_choice *choice = &r->model->choices[number];
    const rel_word *members = smt_bounds_upper(r->bounds, choice->set);
    uint32_t n = p->dim.n;
    smt_term *clocks = ARENA_ARRAY(p->arena, smt_term, n);
    r->picks[number] = ARENA_ARRAY(p->arena, smt_term, (size_t)n * n);
    for (uint32_t a = 0; a < n; a++) {
        if (!bits_get(members, a))
            continue;
        clocks[a] = smt_clock(s, n);
        for (uint32_t b = 0; b < a; b++) {
            if (!clocks[b])
                continue;
            smt_term forward = smt_earlier(s, clocks[b], clocks[a]);
            smt_term backward = smt_earlier(s, clocks[a], clocks[b]);
            smt_assert(s, smt_or(s, forward, backward));
            r->picks[number][smt_pair(p, b, a)] = forward;
            r->picks[number][smt_pair(p, a, b)] = backward;
        }
    }
}

static void extend_relation(struct smt_relations *r, uint32_t number)
{
    struct smt_program *p = r->program;
    struct smt_solver *s = r->solver;
    const struct cat_choice *choice = &r->model->choices[number];
    for (uint32_t a = 0; a < p->dim.n && !smt_out_of_time(p); a++)
        for (uint32_t b = 0; b < p->dim.n; b++) {
            smt_term pair = has(r, choice->relation, a, b, SMT_AT_LEAST, 0);
            smt_term both = smt_and(s, has(r, choice->set, a, LIT_NONE, SMT_AT_LEAST, 0),
                                    has(r, choice->set, b, LIT_NONE, SMT_AT_LEAST, 0));
            smt_term order = r->picks[number][smt_pair(p, a, b)];
            smt_assert(s,
                       smt_implies(s, smt_program_present(r->program, a, b, smt_and(s, pair, both)),
                                   order ? order : smt_truth(s, false)));
        }
}

static void make_choices(struct smt_relations *r)
{
    r->picks = ARENA_ARRAY(r->program->arena, smt_term *, r->model->choice_count);
    for (uint32_t i = 0; i < r->model->choice_count; i++) {
        const struct cat_choice *choice = &r->model->choices[i];
        if (choice->kind == CAT_LINEARISATIONS) {
            pick_linearisation(r, i);
            extend_relation(r, i);
            continue;
        }
        r->picks[i] = ARENA_ARRAY(r->program->arena, smt_term, choice->alternative_count);
        smt_term number = smt_value(r->solver, LIT_UINT);
        for (uint32_t k = 0; k < choice->alternative_count; k++)
            r->picks[i][k] = smt_equal(r->solver, number, smt_constant(r->solver, LIT_UINT, k));
        smt_assert(r->solver, smt_any(r->solver, r->picks[i], choice->alternative_count));
    }
}

/* ---- Making it ---- */

static void find_recursive(struct smt_relations *r)
{
    r->recursive = ARENA_ARRAY(r->program->arena, bool, r->model->node_count);
    for (cat_node_id id = 0; id < r->model->node_count; id++) {
        const struct cat_node *node = &r->model->nodes[id];
        r->recursive[id] = node->op == CAT_VAR || (node->a != CAT_NONE && r->recursive[node->a]) ||
                           (node->b != CAT_NONE && r->recursive[node->b]);
    }
}

/* Is what is iterated without a least solution known, whatever is chosen? Ranks say nothing of it.
 */
static bool knows_iterated(const struct smt_relations *r)
{
    struct rel_dim dim = r->program->dim;
    for (uint32_t g = 0; g < r->model->rec_group_count; g++) {
        const struct cat_rec_group *group = &r->model->rec_groups[g];
        for (uint32_t i = 0; group->inflates && i < group->count; i++) {
            const rel_word *lower = smt_bounds_lower(r->bounds, group->fixes[i]);
            const rel_word *upper = smt_bounds_upper(r->bounds, group->fixes[i]);
            if (!cat_value_equal(dim, r->model->nodes[group->fixes[i]].sort, lower, upper))
                return false;
        }
    }
    return true;
}

struct smt_relations *smt_relations_new(struct smt_program *program)
{
    struct smt_relations *r =
        ARENA_MAKE(program->arena, struct smt_relations, .program = program,
                   .solver = program->solver, .model = program->request->model);
    r->bounds = smt_bounds_new(program);
    if (smt_out_of_time(program) || !knows_iterated(r))
        return NULL;
    find_recursive(r);
    make_choices(r);
    return r;
}

void smt_relations_free(struct smt_relations *r)
{
    HASH_CLEAR(hh, r->cells);
    VEC_FREE(&r->numbered);
    VEC_FREE(&r->pending);
}
