/* cat_bounds: abstract interpretation of a model over lower and upper bounds (must and may sets).
 *
 * It covers a whole family of executions. Points stand for events: one point an event, or one for
 * all events of a kind. A pair of points is in the lower bound of an expression only if every
 * execution has all pairs of events at these points in its value, as far as they are there. A pair
 * of points is in the upper bound if some execution has a pair of events at these points in its
 * value. Sets likewise.
 *
 * Why each operator keeps this. Union, intersection, product and inverse work on each side alone;
 * what is subtracted is taken from its other side. The other operators depend on whether events are
 * there, which a domain says:
 *   - a sequence and a closure have a lower bound only through points that are there whenever one
 *     of the ends is, a domain and a range only of pairs whose other end is there (`implied`);
 *   - no lower bound contains the identity of a point that may stand for several events (`many`);
 *   - nothing is known of events without a point, which may stand between any two others: a
 *     sequence, a closure, a domain and a range have no upper bound (`others`), except [S]; r and
 *     r; [S], which have no event between.
 *
 * `let rec` is iterated from nothing, both sides at once. After each round the bounds are those of
 * the value after as many rounds. When nothing changes any more they are those of the value at
 * which an execution stops. That holds for recursion that is not monotone, too.
 *
 * Ownership: bounds live in an arena, and nothing is allocated after cat_bounds_new. Cost: a pass
 * over the nodes, with the relations' own cost for each. */
#ifndef CRASHLIT_CAT_BOUNDS_H
#define CRASHLIT_CAT_BOUNDS_H

#include "base/arena.h"
#include "cat/cat_operate.h"

/* What is known of the points. The caller owns what is pointed to. */
struct cat_domain {
    struct rel_dim dim;
    const rel_word *implied; /* relation: (k, a) if k is there whenever a is; it has all (a, a).
                                NULL: all points are always there */
    const rel_word *within[2][2]; /* per side and sort: contains every bound. NULL: no
                                     restriction */
    bool many;                    /* a point may stand for several events */
    bool others;                  /* there may be events without a point */
    rel_word *spare;              /* room for a relation, where `implied` is given */
};

/* Computes one side's bound of an operator with operands; `a` and `b` are on the sides that
 * cat_operand_side says. `within_ends`: one operand of a sequence is [S]. `out` is none of the
 * operands. */
void cat_domain_operate(const struct cat_domain *domain, enum cat_op op, enum cat_sort sort,
                        enum cat_side side, const rel_word *a, const rel_word *b, bool within_ends,
                        rel_word *out);

struct cat_bounds {
    const struct cat_model *model;
    const struct cat_domain *domain;
    rel_word **values[2]; /* per side and node; NULL: not needed */
    /* Writes both bounds of a CAT_BASE, CAT_TAGGED or CAT_CHOICE; all earlier nodes have theirs.
     * False ends cat_bounds_find. */
    bool (*leaf)(struct cat_bounds *bounds, cat_node_id id);
    /* In a domain of other values than bounds: writes those of what has operands, which have theirs.
     * They take the room of bounds, and those of a recursion begin with 0. NULL: it is a domain of
     * bounds. */
    void (*operate)(struct cat_bounds *bounds, cat_node_id id);
    /* Has the time run out? Then bounds are incomplete, and must not be used. NULL: never. */
    bool (*is_late)(void *context);
    void *context;
};

/* Prepares bounds, all empty, for those of the first `count` nodes that are `needed` (NULL: all).
 * The caller sets the functions. */
void cat_bounds_new(struct arena *arena, struct cat_bounds *bounds, const struct cat_model *model,
                    const struct cat_domain *domain, const bool *needed, uint32_t count);
/* False when a leaf failed. */
bool cat_bounds_find(struct cat_bounds *bounds, uint32_t count) __attribute__((warn_unused_result));

/* Does the check hold, or fail, in all executions? False where bounds do not tell: an upper bound
 * says nothing about events without a point (`others`), a lower one nothing about whether events
 * are there (`implied`). */
bool cat_bounds_hold(const struct cat_bounds *bounds, const struct cat_check *check);
bool cat_bounds_fail(const struct cat_bounds *bounds, const struct cat_check *check);

/* What a choice has to contain, on a side. An order may contain more than these pairs of its
 * set. */
void cat_bounds_contained(const struct cat_bounds *bounds, const struct cat_choice *choice,
                          enum cat_side side, rel_word *out);
/* Writes both bounds of a choice that may take anything it is offered. */
void cat_bounds_open(struct cat_bounds *bounds, cat_node_id id);

#endif
