/* cat_resolve: from syntax trees to the checks and nodes of a model.
 *
 * Definitions are run in order in one environment: names are lexically scoped,
 * later ones shadow earlier ones, functions are expanded where they are applied.
 * Every expression gets its sort, set or relation; `0` and `{}` take the one
 * their place asks for.
 *
 * `let rec` members get their sorts by probing: the bodies are run without building
 * nodes, members of unknown sort behaving like `0`, until no sort is new.
 *
 * Ownership: values and scopes live in the scratch arena; what the model keeps is
 * copied by cat_resolve_finish.
 * Errors: to diag, each fault once. A value of kind CAT_VALUE_BROKEN stands for
 * what was reported and is accepted everywhere in silence.
 * Cost: bounded by CAT_MAX_STEPS evaluations and CAT_MAX_HOPS scope entries.
 */
#ifndef CRASHLIT_CAT_RESOLVE_H
#define CRASHLIT_CAT_RESOLVE_H

#include "base/diag.h"
#include "base/intern.h"
#include "cat/cat_ast.h"
#include "cat/cat_resolve_graph.h"

struct cat_resolver;

struct cat_resolver *cat_resolve_new(struct arena *scratch, struct intern *names,
                                     const struct cat_basis *basis, struct diag *diag);
void cat_resolve_free(struct cat_resolver *resolver);
/* Runs one definition or check. Includes are the loader's business. */
void cat_resolve_instr(struct cat_resolver *resolver, const struct cat_instr *instr);
/* Checks the reserved names and fills nodes, groups, checks and reserved of `model`.
 * False, with nothing filled, when any fault was reported since cat_resolve_new. */
bool cat_resolve_finish(struct cat_resolver *resolver, struct arena *arena, struct cat_model *model)
    __attribute__((warn_unused_result));

/* ---- Between the files of the resolver ---- */

enum {
    CAT_MAX_STEPS = 1 << 19,
    CAT_MAX_HOPS = 1 << 26,
    CAT_MAX_RECURSION = 1000,
    CAT_MAX_CHECKS = 1000
};

enum cat_value_kind {
    CAT_VALUE_BROKEN,
    CAT_VALUE_NODE,  /* a set or relation; node is CAT_NONE while probing */
    CAT_VALUE_EMPTY, /* of either sort, by default `sort` */
    CAT_VALUE_TUPLE,
    CAT_VALUE_FUNCTION,
    CAT_VALUE_PRIMITIVE /* domain, range */
};

struct cat_tuple;
struct cat_closure;

struct cat_value {
    enum cat_value_kind kind;
    enum cat_sort sort;
    enum cat_op primitive;
    cat_node_id node;
    const struct cat_tuple *tuple;
    const struct cat_closure *closure;
};

struct cat_tuple {
    uint32_t count;
    struct cat_value items[];
};

/* An environment: the innermost binding first. */
struct cat_scope {
    const struct cat_scope *next;
    const char *name;
    struct cat_value value;
    struct span span; /* of the defined name; no source for base names */
};

struct cat_closure {
    const struct cat_expr *fun;
    const struct cat_scope *scope;
};

/* Applications being expanded, the innermost first. */
struct cat_call {
    const struct cat_call *caller;
    const char *name;
    struct span span;
};

struct cat_resolver {
    struct arena *scratch;
    struct intern *names;
    const struct cat_basis *basis;
    struct diag *diag;
    struct cat_graph graph;
    const struct cat_scope *scope; /* of the top level */
    VEC(struct cat_check) checks;
    bool failed;

    const struct cat_call *calls;
    const struct cat_bindings *defining; /* the `let` whose right-hand sides are run */
    const char *universe;                /* the interned "_" */
    uint32_t probing;                    /* nested probes: no nodes, no messages */
    uint32_t trying; /* inside the first half of `try`: unknown names are noted only */
    bool missed;     /* an unknown name was noted */
    uint32_t recursion;
    uint64_t steps, hops;
    bool exhausted;
};

/* Whether a fault at this place is worth wording: not while probing, not when it was
 * reported before, and not when enough was reported (it is counted then). Notes that
 * the model failed. */
bool cat_resolve_news(struct cat_resolver *resolver, enum diag_id id, struct span span);
/* Reports a fault unless probing, or reported before at this place; says from
 * which applications the place was reached. */
void cat_resolve_error(struct cat_resolver *resolver, enum diag_id id, struct span span,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* cat_resolve_scope.c */
struct cat_value cat_value_node(enum cat_sort sort, cat_node_id node);
const struct cat_scope *cat_scope_bind(struct cat_resolver *resolver, const struct cat_scope *scope,
                                       const char *name, struct cat_value value, struct span span);
const struct cat_scope *cat_scope_find(struct cat_resolver *resolver, const struct cat_scope *scope,
                                       const char *name);
const struct cat_scope *cat_scope_basis(struct cat_resolver *resolver);
/* Binds the names of a pattern to parts of `value`; `given` is where the value comes
 * from. All names are bound, to broken values after a mismatch. `callee` names the
 * function whose argument this is, NULL in a definition. */
const struct cat_scope *cat_scope_match(struct cat_resolver *resolver,
                                        const struct cat_scope *scope,
                                        const struct cat_pattern *pattern, struct cat_value value,
                                        struct span given, const char *callee);
void cat_scope_unbound(struct cat_resolver *resolver, const struct cat_scope *scope,
                       const char *name, struct span span);
/* Reports names that a function's body uses and nobody defines. */
void cat_scope_check_body(struct cat_resolver *resolver, const struct cat_scope *scope,
                          const struct cat_expr *fun);
/* Reports names that occur twice among the patterns of a `let`. */
void cat_scope_check_twice(struct cat_resolver *resolver, const struct cat_bindings *bindings);

/* cat_resolve_ops.c */
/* The expression in quotes as written, or "this expression" when it is long. */
const char *cat_resolve_text(struct cat_resolver *resolver, const struct cat_expr *expr);
/* Turns a value into a node of the sort that `place` wants; false after an error. */
bool cat_resolve_want(struct cat_resolver *resolver, struct cat_value value, enum cat_sort sort,
                      const struct cat_expr *expr, const char *place, cat_node_id *node);
struct cat_value cat_resolve_unary(struct cat_resolver *resolver, const struct cat_expr *expr,
                                   struct cat_value a);
struct cat_value cat_resolve_binary(struct cat_resolver *resolver, const struct cat_expr *expr,
                                    struct cat_value a, struct cat_value b);
struct cat_value cat_resolve_primitive(struct cat_resolver *resolver, const struct cat_expr *expr,
                                       enum cat_op op, struct cat_value a);

/* cat_resolve_expr.c */
struct cat_value cat_resolve_expr(struct cat_resolver *resolver, const struct cat_scope *scope,
                                  const struct cat_expr *expr);
/* The scope after a `let` of these bindings. */
const struct cat_scope *cat_resolve_let(struct cat_resolver *resolver,
                                        const struct cat_scope *scope,
                                        const struct cat_bindings *bindings);

/* cat_resolve_rec.c */
const struct cat_scope *cat_resolve_let_rec(struct cat_resolver *resolver,
                                            const struct cat_scope *scope,
                                            const struct cat_bindings *bindings);

#endif
