/* cat_ast: a cat file as written, before names mean anything.
 *
 * The grammar calls the builders here and in cat_parse.h, and nothing else. What
 * the parser recognises but crashlit does not support becomes CAT_EXPR_BROKEN in
 * an expression and nothing as an instruction; the parser reports it.
 *
 * Ownership: everything lives in the arena given to the builders. Names are
 * interned: two names are equal when their pointers are.
 * Cost: a builder is constant time.
 */
#ifndef CRASHLIT_CAT_AST_H
#define CRASHLIT_CAT_AST_H

#include "cat/cat_ir.h"

/* Lists are singly linked, in order of appearance; elements carry the link. */
struct cat_name {
    const char *text; /* NULL for `_` */
    struct span span;
    struct cat_name *next;
};
struct cat_names {
    struct cat_name *first, *last;
    uint32_t count;
};

/* What a definition or a function binds: one name, or a tuple of names. */
struct cat_pattern {
    bool tuple;
    struct cat_names names; /* exactly one when not a tuple */
    struct span span;
};

struct cat_expr;
struct cat_exprs {
    struct cat_expr *first, *last;
    uint32_t count;
};

struct cat_binding;
struct cat_bindings {
    struct cat_binding *first, *last;
    uint32_t count;
};

enum cat_expr_kind {
    CAT_EXPR_BROKEN,   /* already reported */
    CAT_EXPR_NAME,     /* name */
    CAT_EXPR_EMPTY,    /* `0` (sort CAT_REL) or `{}` (sort CAT_SET), used at either sort */
    CAT_EXPR_UNIVERSE, /* `_` */
    CAT_EXPR_UNARY,    /* op, a */
    CAT_EXPR_BINARY,   /* op, a, b */
    CAT_EXPR_TUPLE,    /* items */
    CAT_EXPR_APPLY,    /* a applied to b */
    CAT_EXPR_FUN,      /* pattern, a; name when the definition has one */
    CAT_EXPR_LET,      /* bindings in a */
    CAT_EXPR_LET_REC,  /* bindings in a */
    CAT_EXPR_TRY       /* a, or b when a name of a is unknown */
};

struct cat_expr {
    enum cat_expr_kind kind;
    enum cat_op op;
    enum cat_sort sort;
    uint32_t depth; /* of the tree below, 1 for a leaf; never above CAT_MAX_DEPTH */
    struct span span;
    const char *name;
    const struct cat_expr *a, *b;
    const struct cat_pattern *pattern;
    struct cat_bindings bindings;
    struct cat_exprs items;
    struct cat_expr *next;
};

struct cat_binding {
    const struct cat_pattern *pattern;
    const struct cat_expr *expr;
    struct cat_binding *next;
};

enum cat_instr_kind { CAT_INSTR_LET, CAT_INSTR_LET_REC, CAT_INSTR_CHECK, CAT_INSTR_INCLUDE };

struct cat_instr {
    enum cat_instr_kind kind;
    struct span span;
    struct cat_bindings bindings; /* LET, LET_REC */
    enum cat_check_kind check;    /* CHECK */
    enum cat_test test;
    bool negated;
    const struct cat_expr *expr;
    const char *name; /* CHECK: the `as` name or NULL; INCLUDE: the file */
    struct cat_instr *next;
};
struct cat_instrs {
    struct cat_instr *first, *last;
    uint32_t count;
};

/* A tree deeper than this is cut to CAT_EXPR_BROKEN. */
enum { CAT_MAX_DEPTH = 400 };

struct cat_names cat_names_one(struct arena *arena, const char *text, struct span span);
struct cat_names cat_names_join(struct cat_names list, struct cat_names one);
struct cat_exprs cat_exprs_join(struct cat_exprs list, struct cat_expr *one);
struct cat_bindings cat_bindings_join(struct cat_bindings list, struct cat_binding *one);
void cat_instrs_add(struct cat_instrs *list, struct cat_instr *one);

/* `formals` in parentheses: a single one binds the whole argument. */
struct cat_pattern *cat_pattern_of(struct arena *arena, struct cat_names formals, struct span span);

struct cat_expr *cat_expr_leaf(struct arena *arena, enum cat_expr_kind kind, struct span span);
struct cat_expr *cat_expr_name(struct arena *arena, const char *name, struct span span);
struct cat_expr *cat_expr_empty(struct arena *arena, enum cat_sort sort, struct span span);
struct cat_expr *cat_expr_unary(struct arena *arena, enum cat_op op, const struct cat_expr *a,
                                struct span span);
struct cat_expr *cat_expr_binary(struct arena *arena, enum cat_op op, const struct cat_expr *a,
                                 const struct cat_expr *b, struct span span);
/* A pair of expressions that is not an operator: APPLY or TRY. */
struct cat_expr *cat_expr_pair(struct arena *arena, enum cat_expr_kind kind,
                               const struct cat_expr *a, const struct cat_expr *b,
                               struct span span);
struct cat_expr *cat_expr_tuple(struct arena *arena, struct cat_exprs items, struct span span);
struct cat_expr *cat_expr_fun(struct arena *arena, const char *name,
                              const struct cat_pattern *pattern, const struct cat_expr *body,
                              struct span span);
/* LET or LET_REC. */
struct cat_expr *cat_expr_let(struct arena *arena, enum cat_expr_kind kind,
                              struct cat_bindings bindings, const struct cat_expr *body,
                              struct span span);

struct cat_binding *cat_binding_new(struct arena *arena, const struct cat_pattern *pattern,
                                    const struct cat_expr *expr);
struct cat_instr *cat_instr_let(struct arena *arena, enum cat_instr_kind kind,
                                struct cat_bindings bindings, struct span span);
struct cat_instr *cat_instr_check(struct arena *arena, enum cat_test test, bool negated,
                                  const struct cat_expr *expr, const char *name, struct span span);
struct cat_instr *cat_instr_include(struct arena *arena, const char *file, struct span span);
/* herd stops when an `assert` fails; here the failure is raised as a flag. */
struct cat_instr *cat_instr_assert(struct cat_instr *check);

#endif
