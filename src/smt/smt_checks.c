/* An acyclic relation has a clock per event, that each pair moves forward. A cycle is a set of
 * events, each with a next one in the set. */
#include "smt/smt_relation.h"

#include "smt/smt_rules.h"

static const struct cat_model *model_of(const struct smt_relations *r)
{
    return smt_relations_program(r)->request->model;
}

/* What a check says about two events, or with LIT_NONE about all. */
static void assert_for(struct smt_relations *r, const struct cat_check *check, uint32_t a,
                       uint32_t b, smt_term fact)
{
    struct smt_program *p = smt_relations_program(r);
    uint32_t number = (uint32_t)(check - model_of(r)->checks);
    smt_rules_assert(p, EXPLANATION_BY_CHECK, number, a, b, fact);
}

/* No cycle of `steps` crosses a pair of `strict`, which is part of it: events can be given
 * clocks that no step turns back and every strict one moves forward. Events that do not reach each
 * other need no comparison. */
static void assert_no_crossing(struct smt_relations *r, const struct cat_check *check,
                               cat_node_id strict, cat_node_id steps)
{
    struct smt_program *p = smt_relations_program(r);
    struct smt_solver *s = p->solver;
    struct rel_dim dim = p->dim;
    struct arena *arena = p->arena;
    const rel_word *may = smt_relation_may(r, steps);
    rel_word *reach = ARENA_ARRAY(arena, rel_word, rel_words(dim));
    smt_term *clocks = ARENA_ARRAY(arena, smt_term, dim.n);
    rel_plus(dim, reach, may);
    for (uint32_t a = 0; a < dim.n && !smt_out_of_time(p); a++)
        for (uint32_t b = 0; b < dim.n; b++) {
            if (!rel_has(dim, may, a, b) || !rel_has(dim, reach, b, a))
                continue;
            smt_term moves =
                smt_program_present(p, a, b, smt_relation_has(r, strict, a, b, SMT_AT_LEAST));
            if (a == b) {
                assert_for(r, check, a, b, smt_not(s, moves));
                continue;
            }
            clocks[a] = clocks[a] ? clocks[a] : smt_clock(s, dim.n);
            clocks[b] = clocks[b] ? clocks[b] : smt_clock(s, dim.n);
            assert_for(r, check, a, b, smt_implies(s, moves, smt_earlier(s, clocks[a], clocks[b])));
            if (steps == strict)
                continue;
            smt_term step =
                smt_program_present(p, a, b, smt_relation_has(r, steps, a, b, SMT_AT_LEAST));
            smt_term back = smt_earlier(s, clocks[b], clocks[a]);
            assert_for(r, check, a, b, smt_implies(s, step, smt_not(s, back)));
        }
}

static bool is_part_of(const struct smt_relations *r, cat_node_id part, cat_node_id whole)
{
    const struct cat_node *node = &model_of(r)->nodes[whole];
    return part == whole || (node->op == CAT_UNION &&
                             (is_part_of(r, part, node->a) || is_part_of(r, part, node->b)));
}

/* irreflexive x; (x | ...)*: no cycle crosses x. */
static bool forbids_crossing(const struct smt_relations *r, const struct cat_check *check,
                             cat_node_id *strict, cat_node_id *steps)
{
    const struct cat_node *node = &model_of(r)->nodes[check->node];
    if (check->test != CAT_IRREFLEXIVE || node->op != CAT_SEQ)
        return false;
    const struct cat_node *back = &model_of(r)->nodes[node->b];
    if (back->op != CAT_STAR || !is_part_of(r, node->a, back->a))
        return false;
    *strict = node->a;
    *steps = back->a;
    return true;
}

/* What a check forbids, one after the other; `visit` gets each as a term. */
static smt_term forbidden(struct smt_relations *r, const struct cat_check *check, int need,
                          bool assert_each)
{
    struct smt_program *p = smt_relations_program(r);
    struct smt_solver *s = p->solver;
    struct rel_dim dim = p->dim;
    bool is_set = model_of(r)->nodes[check->node].sort == CAT_SET;
    smt_term some = smt_truth(s, false);
    for (uint32_t a = 0; a < dim.n && !smt_out_of_time(p); a++)
        for (uint32_t b = 0; b < dim.n; b++) {
            bool looked_at = is_set || check->test == CAT_IRREFLEXIVE ? a == b : true;
            if (!looked_at || smt_is(s, some, true))
                continue;
            smt_term pair =
                smt_program_present(p, a, b,
                                    is_set ? smt_set_has(r, check->node, a, need)
                                           : smt_relation_has(r, check->node, a, b, need));
            if (assert_each)
                assert_for(r, check, a, b, smt_not(s, pair));
            else
                some = smt_or(s, some, pair);
        }
    return some;
}

/* Some event reaches itself, by clocks no longer but by the closure: its variables are
 * those of an expression x+ that the model need not have. */
static smt_term cyclic(struct smt_relations *r, cat_node_id node)
{
    struct smt_program *p = smt_relations_program(r);
    struct smt_solver *s = p->solver;
    uint32_t n = p->dim.n;
    const rel_word *may = smt_relation_may(r, node);
    smt_term *on = ARENA_ARRAY(p->arena, smt_term, n), some = smt_truth(s, false);
    for (uint32_t a = 0; a < n; a++)
        on[a] = smt_bool(s);
    for (uint32_t a = 0; a < n; a++) { /* whoever is on the cycle has a next one on it */
        smt_term next = smt_truth(s, false);
        for (uint32_t b = 0; b < n; b++)
            if (rel_has(p->dim, may, a, b))
                next = smt_or(s, next,
                              smt_and(s, on[b],
                                      smt_program_present(
                                          p, a, b, smt_relation_has(r, node, a, b, SMT_AT_MOST))));
        smt_assert(s, smt_implies(s, on[a], next));
        some = smt_or(s, some, on[a]);
    }
    return some;
}

static smt_term broken(struct smt_relations *r, const struct cat_check *check)
{
    return check->test == CAT_ACYCLIC ? cyclic(r, check->node)
                                      : forbidden(r, check, SMT_AT_MOST, false);
}

void smt_assert_check(struct smt_relations *r, const struct cat_check *check)
{
    cat_node_id strict, steps;
    if (check->negated)
        assert_for(r, check, LIT_NONE, LIT_NONE, broken(r, check));
    else if (check->test == CAT_ACYCLIC)
        assert_no_crossing(r, check, check->node, check->node);
    else if (forbids_crossing(r, check, &strict, &steps))
        assert_no_crossing(r, check, strict, steps);
    else
        forbidden(r, check, SMT_AT_LEAST, true);
}

smt_term smt_check_fails(struct smt_relations *r, const struct cat_check *check)
{
    struct smt_program *p = smt_relations_program(r);
    struct smt_solver *s = p->solver;
    if (!check->negated)
        return broken(r, check);
    if (check->test != CAT_ACYCLIC)
        return smt_not(s, forbidden(r, check, SMT_AT_LEAST, false));
    smt_term fails = smt_bool(s); /* acyclic only where this is asked for */
    struct rel_dim dim = p->dim;
    const rel_word *may = smt_relation_may(r, check->node);
    smt_term *clocks = ARENA_ARRAY(p->arena, smt_term, dim.n);
    for (uint32_t a = 0; a < dim.n; a++)
        clocks[a] = smt_clock(s, dim.n);
    for (uint32_t a = 0; a < dim.n; a++)
        for (uint32_t b = 0; b < dim.n; b++)
            if (rel_has(dim, may, a, b)) {
                smt_term step = smt_program_present(
                    p, a, b, smt_relation_has(r, check->node, a, b, SMT_AT_LEAST));
                smt_assert(s, smt_implies(s, smt_and(s, fails, step),
                                          smt_earlier(s, clocks[a], clocks[b])));
            }
    return fails;
}
