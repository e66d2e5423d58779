/* cat_resolve: resolves syntax trees to the checks and nodes of a model.
 *
 * Definitions run in order in one environment: names are lexically scoped, later ones shadow
 * earlier ones, functions are expanded where they are applied. Every expression gets its sort, set
 * or relation; `0` and `{}` take the sort that their place asks for.
 *
 * Tags, collections, conditions and cases exist only in this phase. `match`, `if`, `forall`,
 * procedures and recursive functions are evaluated here; nodes remain. `with x from E` becomes a
 * choice of the graph (cat_ir.h).
 *
 * `let rec` members get their sorts by probing: the bodies run without building nodes, members of
 * unknown sort behaving like `0`, until no sort is new.
 *
 * Ownership: values and scopes live in the scratch arena; cat_resolve_finish copies what the model
 * keeps. Errors: to diag, each fault once. A value of kind CAT_VALUE_BROKEN stands for a reported
 * fault and is accepted everywhere in silence. Cost: bounded by CAT_MAX_STEPS evaluations and
 * CAT_MAX_HOPS scope entries. */
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
/* Says that the next instructions are of the visibility model, with file `source` (all before are
 * of the library), or of the persistency model. */
void cat_resolve_begin_visibility(struct cat_resolver *resolver, const struct source *source);
void cat_resolve_begin_persistency(struct cat_resolver *resolver);
/* Says that the last instruction is the persistency model's own, and of no file that it includes. */
void cat_resolve_note_own(struct cat_resolver *resolver, const struct cat_instr *instr);
/* Says that the standard library has been run and the contract follows. */
void cat_resolve_begin_contract(struct cat_resolver *resolver);
/* Finds what the persistency model (`instrs` is all of it) adds to happens-before, for the
 * visibility model, which runs next. */
void cat_resolve_ahead(struct cat_resolver *resolver, const struct cat_instr *const *instrs,
                       size_t count);
/* Call after an instruction of the persistency model was run in its place. */
void cat_resolve_keep_added(struct cat_resolver *resolver, const struct cat_instr *instr);
/* Runs one definition or check. The loader handles includes. */
void cat_resolve_instr(struct cat_resolver *resolver, const struct cat_instr *instr);
/* Checks the reserved names and fills nodes, groups, choices, checks and reserved of
 * `model`. False, with `model` of no use, when any fault was reported since
 * cat_resolve_new. */
bool cat_resolve_finish(struct cat_resolver *resolver, struct arena *arena, struct cat_model *model)
    __attribute__((warn_unused_result));

/* ---- Between the files of the resolver ---- */

enum {
    CAT_MAX_STEPS = 1 << 19,
    CAT_MAX_HOPS = 1 << 26,
    CAT_MAX_RECURSION = 1000,
    CAT_MAX_CHECKS = 1000,
    CAT_MAX_LIST = 1000,
    CAT_MAX_CHOICES = 100,
    CAT_MAX_SHOWN = 100,
    CAT_MAX_GROUPS = 64
};

enum cat_value_kind {
    CAT_VALUE_BROKEN,
    CAT_VALUE_NODE,  /* a set or relation; node is CAT_NONE while probing */
    CAT_VALUE_EMPTY, /* of either sort, by default `sort` */
    CAT_VALUE_TUPLE,
    CAT_VALUE_FUNCTION,
    CAT_VALUE_PRIMITIVE,
    CAT_VALUE_TAG,
    CAT_VALUE_LIST,   /* a collection of distinct elements, at least one (see EMPTY) */
    CAT_VALUE_ORDERS, /* the result of `linearisations` */
    CAT_VALUE_PROCEDURE
};

/* Functions that are not written in cat. X(name, text). */
#define CAT_PRIMITIVES(X)                 \
    X(DOMAIN, "domain")                   \
    X(RANGE, "range")                     \
    X(LINEARISATIONS, "linearisations")   \
    X(GENERATE_ORDERS, "generate_orders") \
    X(GENERATE_COS, "generate_cos")       \
    X(TAG2EVENTS, "tag2events")           \
    X(TAG2SCOPE, "tag2scope")             \
    X(DIFFERENT_VALUES, "different-values")

enum cat_primitive {
#define X(name, text) CAT_PRIMITIVE_##name,
    CAT_PRIMITIVES(X)
#undef X
};

struct cat_tuple;
struct cat_closure;
struct cat_tag;
struct cat_orders;
struct cat_procedure;

struct cat_value {
    enum cat_value_kind kind;
    enum cat_sort sort;
    enum cat_primitive primitive;
    cat_node_id node;
    union {
        const struct cat_tuple *tuple; /* TUPLE, LIST */
        const struct cat_closure *closure;
        const struct cat_tag *tag;
        const struct cat_orders *orders;
        const struct cat_procedure *procedure;
    };
};

/* Stands for a reported fault. */
#define CAT_BROKEN ((struct cat_value){.kind = CAT_VALUE_BROKEN})

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
    bool *used;       /* something has looked it up */
};

struct cat_closure {
    const struct cat_expr *fun;
    const struct cat_scope *scope;
    bool recursive;
};

struct cat_procedure {
    const struct cat_instr *instr;
    const struct cat_scope *scope;
};

struct cat_tag {
    const char *name;
    const struct cat_tuple *all; /* the tags of its enumeration */
    bool loose;                  /* only `instructions` has named it: no `enum` has it yet */
};

struct cat_orders {
    cat_node_id set, relation; /* CAT_NONE while probing */
    bool coherence;            /* one order of writes for each location */
};

/* Applications being expanded, the innermost first. */
struct cat_call {
    const struct cat_call *caller;
    const char *name;
    struct span span;
    const void *body; /* identifies what is expanded: applications of one body are equal here */
    uint32_t guards;  /* the resolver's `guards` at its start */
};

struct cat_resolver {
    struct arena *scratch;
    struct intern *names;
    const struct cat_basis *basis;
    struct diag *diag;
    struct cat_graph graph;
    const struct cat_scope *scope; /* of the top level */
    VEC(struct cat_check) checks;
    VEC(struct cat_tag *) tags;
    VEC(struct cat_declaration) declarations;
    VEC(struct cat_shown) shown;
    VEC(const char *) hidden; /* by `unshow` */
    bool failed;
    bool warned_of_a; /* that A differs from herd's A of Arm */

    const struct cat_call *calls;
    const struct cat_orders *coherence;  /* the orders among which `with` chose coherence */
    const char *check_name;              /* the name of unnamed checks in a called procedure */
    uint32_t locals;                     /* nesting depth of procedures' and `forall` bodies */
    uint32_t guards;                     /* nesting depth of decided cases of `match` and `if` */
    const struct cat_bindings *defining; /* the `let` whose right-hand sides are run */
    const char *universe;                /* the interned "_" */
    uint32_t probing;                    /* nested probes: no nodes, no messages */
    uint32_t trying; /* inside the first half of `try`: unknown names are noted only */
    bool missed;     /* an unknown name was noted */
    uint32_t recursion;
    uint64_t steps, hops;
    bool exhausted;
    bool persists;                   /* the persistency model is being run */
    const struct source *visibility; /* the visibility model's file; NULL before it */
    const struct cat_scope *library; /* the environment before the visibility model */
    /* Names of the contract that it defines and that nothing after it has used so far. */
    const struct cat_scope *taken_away[CAT_RESERVED_COUNT];
    const struct cat_scope *stdlib;    /* the environment that ends the standard library */
    VEC(const struct cat_scope *) own; /* that the persistency model's own file defines by `let` */
    bool ahead;                        /* what the persistency model adds is being found */
    const struct cat_scope *added;     /* the result, as the visibility model sees it; NULL:
                                         nothing */
    const struct cat_instr *added_by;  /* the definition of `added` */
    bool added_counts;                 /* the visibility model has used it */
    size_t visibility_checks;          /* checks up to the end of that model */
    bool visibility_persists;          /* it has defined a name of the contract */
    bool visibility_chooses;
};

/* Is a fault at this place worth wording? Not while probing, not when it was reported before, and
 * not when enough was reported (then it is counted). Notes that the model failed. */
bool cat_resolve_news(struct cat_resolver *resolver, enum diag_id id, struct span span);
/* Reports a fault unless probing, or reported before at this place; says through which applications
 * the place was reached. */
void cat_resolve_error(struct cat_resolver *resolver, enum diag_id id, struct span span,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* May work go on? Reports once when the limit is met. */
bool cat_resolve_within(struct cat_resolver *resolver, struct span span);
/* Enters the expansion of `body`, whose arguments are bound. False, with an error, when `recursive`
 * and the body is already being expanded without `match` or `if` between. */
bool cat_resolve_enter(struct cat_resolver *resolver, struct cat_call *call, bool recursive);

/* cat_resolve_ahead.c */
#define CAT_ADDED "adds-to-hb"
#define CAT_ADDED_FROM                                                                           \
    "'adds-to-hb' comes before the visibility model, which builds on it, so it is made of base " \
    "names, names of the standard library, and definitions of its own file that are made of these"
void cat_resolve_warn_of_added(struct cat_resolver *resolver);
/* cat_resolve_show.c */
void cat_resolve_show(struct cat_resolver *resolver, const struct cat_instr *instr);
void cat_resolve_unshow(struct cat_resolver *resolver, const struct cat_instr *instr);
/* Copies what is shown and hidden into the model. Nodes of *shown are still the graph's. */
void cat_resolve_keep_shown(const struct cat_resolver *resolver, struct arena *arena,
                            struct cat_model *model, struct cat_shown **shown);
/* cat_resolve.c */
/* Is it a name of the persistency contract? */
bool cat_resolve_is_reserved(const char *name);
/* The node of a base name, whatever the model calls so; CAT_NONE when there is none. */
cat_node_id cat_resolve_base(struct cat_resolver *resolver, const char *name);
void cat_resolve_check(struct cat_resolver *resolver, const struct cat_instr *instr);
void cat_resolve_add_check(struct cat_resolver *resolver, struct cat_check check);

/* cat_resolve_warn.c */
/* Notes that looking up a name found this binding. */
void cat_resolve_note_use(struct cat_resolver *resolver, const struct cat_scope *found);
/* Before and after the model is packed. */
void cat_resolve_warn_of_names(struct cat_resolver *resolver);
void cat_resolve_warn_of_kinds(struct cat_resolver *resolver, const struct cat_model *model);

/* cat_resolve_list.c: tags and collections, known when the model is read. */
/* The kind of a value in words: "a tag", "a set", ... */
const char *cat_value_text(struct cat_resolver *resolver, struct cat_value value);
bool cat_value_same(struct cat_resolver *resolver, struct cat_value a, struct cat_value b);
bool cat_list_has(struct cat_resolver *resolver, struct cat_value list, struct cat_value value);
/* `count` elements from element `first`, as a collection. */
struct cat_value cat_list_slice(struct cat_resolver *resolver, struct cat_value list,
                                uint32_t first, uint32_t count);
struct cat_value cat_resolve_tag(struct cat_resolver *resolver, const struct cat_expr *expr);
/* The collection of the given values, without duplicates. */
struct cat_value cat_list_of(struct cat_resolver *resolver, const struct cat_value *items,
                             uint32_t count, struct span span);
struct cat_value cat_resolve_add(struct cat_resolver *resolver, const struct cat_expr *expr,
                                 struct cat_value a, struct cat_value b);
/* `|`, `&`, `\` where an operand is a collection. */
struct cat_value cat_list_binary(struct cat_resolver *resolver, const struct cat_expr *expr,
                                 struct cat_value a, struct cat_value b);
struct cat_value cat_list_complement(struct cat_resolver *resolver, const struct cat_expr *expr,
                                     struct cat_value a);

/* cat_resolve_tag.c */
void cat_resolve_enum(struct cat_resolver *resolver, const struct cat_instr *instr);
/* `instructions KIND[...]` */
void cat_resolve_instructions(struct cat_resolver *resolver, const struct cat_instr *instr);
/* The events of a tag, as declared so far; broken, without a message, when it is not declared. */
struct cat_value cat_resolve_events_of(struct cat_resolver *resolver, const struct cat_tag *tag,
                                       struct span span);
/* Copies declarations, and what CAT_TAGGED nodes stand for, into the model. */
void cat_resolve_keep_tags(const struct cat_resolver *resolver, struct arena *arena,
                           struct cat_model *model);

/* cat_resolve_match.c */
/* The empty value for a set or relation of events whose construction shows that it is empty in
 * every execution; any other value as it is. */
struct cat_value cat_value_known(const struct cat_resolver *resolver, struct cat_value value);
/* The clause that applies to `value`, written as `expr`, and the scope with what it binds; NULL
 * after an error. */
const struct cat_clause *cat_match_clause(struct cat_resolver *resolver,
                                          const struct cat_clauses *clauses,
                                          const struct cat_expr *expr, struct cat_value value,
                                          const struct cat_scope **scope);
struct cat_value cat_resolve_match(struct cat_resolver *resolver, const struct cat_scope *scope,
                                   const struct cat_expr *expr);
struct cat_value cat_resolve_if(struct cat_resolver *resolver, const struct cat_scope *scope,
                                const struct cat_expr *expr);

/* cat_resolve_prim.c */
struct cat_value cat_resolve_primitive(struct cat_resolver *resolver, const struct cat_expr *expr,
                                       enum cat_primitive primitive, struct cat_value a);
/* Makes the base relation co the choice among coherence orders, and demands that it be one of
 * them. */
struct cat_value cat_choose_coherence(struct cat_resolver *resolver, const struct cat_instr *instr,
                                      const struct cat_orders *orders);
/* What follows from a relation that orders have to contain; its steps may leave the orders' set. */
cat_node_id cat_resolve_followed(struct cat_resolver *resolver, cat_node_id relation,
                                 struct span span);
/* If the model has a relation `co` of its own at the end: demands that the base relation, which
 * final values and crash states follow, contain it and be total. */
void cat_resolve_own_coherence(struct cat_resolver *resolver);
/* Is can-persist, or lands-before, as the contract defines it? */
bool cat_resolve_all_can_persist(struct cat_resolver *resolver, cat_node_id can_persist);
bool cat_resolve_lands_by_coherence(struct cat_resolver *resolver, cat_node_id lands_before);
/* For a lands-before that is not seen to be part of coherence: is it acyclic? */
void cat_resolve_check_landing(struct cat_resolver *resolver, cat_node_id lands_before);
/* Adds the flag `persist-cycle`. It is raised where a cycle of persist-before makes writes durable
 * together that persist-atomic does not join. None is added when persist-before is silent. */
void cat_resolve_flag_joined(struct cat_resolver *resolver, const cat_node_id *reserved);
/* How to do without one of herd's primitives that is not provided; NULL for other names. */
const char *cat_primitive_missing(const char *name);

/* cat_resolve_scope.c */
struct cat_value cat_value_node(enum cat_sort sort, cat_node_id node);
const struct cat_scope *cat_scope_bind(struct cat_resolver *resolver, const struct cat_scope *scope,
                                       const char *name, struct cat_value value, struct span span);
const struct cat_scope *cat_scope_find(struct cat_resolver *resolver, const struct cat_scope *scope,
                                       const char *name);
const struct cat_scope *cat_scope_basis(struct cat_resolver *resolver);
/* Binds the names of a pattern to parts of `value`; `given` is where the value comes from. All
 * names are bound, to broken values after a mismatch. `callee` names the function whose argument
 * this is; NULL in a definition. */
const struct cat_scope *cat_scope_match(struct cat_resolver *resolver,
                                        const struct cat_scope *scope,
                                        const struct cat_pattern *pattern, struct cat_value value,
                                        struct span given, const char *callee);
void cat_scope_unbound(struct cat_resolver *resolver, const struct cat_scope *scope,
                       const char *name, struct span span);
/* The most similar name in scope; NULL: none is similar. */
const char *cat_scope_nearest(const struct cat_scope *scope, const char *name);
/* Reports names that a function's body uses and nobody defines. */
void cat_scope_check_body(struct cat_resolver *resolver, const struct cat_scope *scope,
                          const struct cat_expr *fun);
/* As cat_scope_check_body, for the body of a procedure. */
void cat_scope_check_procedure(struct cat_resolver *resolver, const struct cat_scope *scope,
                               const struct cat_instr *procedure);
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
/* `op` applied to a set or relation; `operand` is its text. */
struct cat_value cat_resolve_apply_op(struct cat_resolver *resolver, enum cat_op op,
                                      struct cat_value a, const struct cat_expr *operand,
                                      struct span span);

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
