/* cat_bounds: abstract interpretation of a model over lower and upper bounds.
 *
 * A family of executions is looked at at once. Points stand for events: one point an event, or one
 * for all events of a kind. The lower bound of an expression has what each execution has: a pair of
 * points is in it only if all pairs of events at these points are in its value, wherever both are
 * there. The upper bound has what some execution has: a pair of events that is in the value of some
 * execution has its pair of points in it. Sets likewise.
 *
 * Why each operator keeps this. Union, intersection, product and inverse do so on each side by
 * themselves; what is taken away counts with its other side. The others ask whether an event is
 * there, which a domain says:
 *   - a sequence and a closure have a lower bound only through points that are there whenever one
 * of the ends is, a domain and a range only of pairs whose other end is there (`implied`);
 *   - the identity is within no lower bound where a point may stand for several events (`many`);
 *   - of events that have no point nothing is known, and they may stand between any two others: of
 * a sequence, a closure, a domain and a range there is no upper bound (`others`), but of [S]; r and
 * r; [S], which have no event between. `let rec` is iterated from nothing, both sides at once:
 * after so many rounds the bounds are those of the value after so many rounds, and when nothing
 * changes any more they are those of the value at which an execution stops. That holds for
 * recursion that is not monotone, too.
 *
 * Ownership: bounds live in an arena, and nothing is allocated after cat_bounds_new. Cost: a pass
 * over the nodes, with the relations' own cost for each.
 */
#ifndef CRASHLIT_CAT_BOUNDS_H
#define CRASHLIT_CAT_BOUNDS_H

#include "base/arena.h"
#include "cat/cat_operate.h"

/* What is known of the points. What is pointed to is the caller's. */
struct cat_domain {
    struct rel_dim dim;
    const rel_word *implied; /* relation: (k, a) where k is there whenever a is; it has all (a, a).
                                NULL: all are always there */
    const rel_word *within[2][2]; /* per side and sort: no bound has more. NULL: it may have all */
    bool many;                    /* a point may stand for several events */
    bool others;                  /* there may be events without a point */
    rel_word *spare;              /* room for a relation, where `implied` is given */
};

/* The bound on one side of an operator that has operands, from those of its operands, each on the
 * side that cat_operand_side says. `within_ends`: one operand of a sequence is [S]. `out` is none
 * of the operands. */
void cat_domain_operate(const struct cat_domain *domain, enum cat_op op, enum cat_sort sort,
                        enum cat_side side, const rel_word *a, const rel_word *b, bool within_ends,
                        rel_word *out);

struct cat_bounds {
    const struct cat_model *model;
    const struct cat_domain *domain;
    rel_word **values[2]; /* per side and node; NULL: it is not needed */
    /* Writes both bounds of a CAT_BASE, CAT_TAGGED or CAT_CHOICE, after those of all nodes before
     * it. False: nothing is found. */
    bool (*leaf)(struct cat_bounds *bounds, cat_node_id id);
    /* NULL: never. Then what there is are no bounds, and nobody may ask for them. */
    bool (*is_late)(void *context);
    void *context;
};

/* Of the first `count` nodes those that are `needed`; NULL: all of them. Everything is empty. The
 * caller sets the functions. */
void cat_bounds_new(struct arena *arena, struct cat_bounds *bounds, const struct cat_model *model,
                    const struct cat_domain *domain, const bool *needed, uint32_t count);
/* False when a leaf has none. */
bool cat_bounds_find(struct cat_bounds *bounds, uint32_t count) __attribute__((warn_unused_result));

/* Does the check hold, or fail, in all executions? False where bounds do not tell: an upper one
 * says nothing about events without a point (`others`), a lower one nothing about whether events
 * are there (`implied`). */
bool cat_bounds_hold(const struct cat_bounds *bounds, const struct cat_check *check);
bool cat_bounds_fail(const struct cat_bounds *bounds, const struct cat_check *check);

/* What a choice has to contain, on a side; of an order more than its set's pairs may be there. */
void cat_bounds_contained(const struct cat_bounds *bounds, const struct cat_choice *choice,
                          enum cat_side side, rel_word *out);
/* Writes both bounds of a choice that may be any of those that it is offered. */
void cat_bounds_open(struct cat_bounds *bounds, cat_node_id id);

#endif
