/* cat_ast: a cat file as written, before names mean anything.
 *
 * The grammar calls the builders here and in cat_parse.h, and nothing else. What
 * could not be read becomes CAT_EXPR_BROKEN; the parser has reported it.
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

struct cat_instr;
struct cat_instrs {
    struct cat_instr *first, *last;
    uint32_t count;
};

/* A case of `match`. */
enum cat_clause_kind {
    CAT_CLAUSE_TAG,   /* 'tag -> */
    CAT_CLAUSE_OTHER, /* _ -> */
    CAT_CLAUSE_NONE,  /* {} -> */
    CAT_CLAUSE_SOME   /* x ++ xs ->, or before | x ++ after -> */
};

struct cat_clause {
    enum cat_clause_kind kind;
    const char *tag;
    struct cat_names names;      /* SOME: two or three */
    struct span span;            /* of what stands before the arrow */
    const struct cat_expr *expr; /* in an expression */
    struct cat_instrs body;      /* in an instruction */
    struct cat_clause *next;
};
struct cat_clauses {
    struct cat_clause *first, *last;
    uint32_t count;
};

/* What `if` asks. Variants are known when the text is read. */
enum cat_condition_kind {
    CAT_CONDITION_KNOWN,
    CAT_CONDITION_EQUAL,
    CAT_CONDITION_SUBSET,
    CAT_CONDITION_IN
};

struct cat_condition {
    enum cat_condition_kind kind;
    bool holds;                   /* KNOWN */
    const struct cat_expr *a, *b; /* others */
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
    CAT_EXPR_TRY,      /* a, or b when a name of a is unknown */
    CAT_EXPR_TAG,      /* name, without its quote */
    CAT_EXPR_LIST,     /* items in braces */
    CAT_EXPR_ADD,      /* the element a, added to b */
    CAT_EXPR_IF,       /* condition, a, b */
    CAT_EXPR_MATCH     /* a, clauses */
};

struct cat_expr {
    enum cat_expr_kind kind;
    enum cat_op op;
    enum cat_sort sort;
    uint32_t depth; /* of the tree below, 1 for a leaf; never above CAT_MAX_DEPTH */
    uint32_t weight; /* BINARY: operands of the chain of this operator that it ends */
    struct span span;
    const char *name;
    const struct cat_expr *a, *b;
    const struct cat_pattern *pattern;
    struct cat_bindings bindings;
    struct cat_exprs items;
    struct cat_clauses clauses;
    const struct cat_condition *condition;
    struct cat_expr *next;
};

struct cat_binding {
    const struct cat_pattern *pattern;
    const struct cat_expr *expr;
    struct cat_binding *next;
};

enum cat_instr_kind {
    CAT_INSTR_LET,
    CAT_INSTR_LET_REC, /* bindings; expr, test: the `when` condition, if any */
    CAT_INSTR_CHECK,
    CAT_INSTR_INCLUDE,
    CAT_INSTR_ENUM,      /* name, names: its tags */
    CAT_INSTR_PROCEDURE, /* name, pattern, body */
    CAT_INSTR_CALL,      /* callee, expr: the argument; name: the `as` name or NULL */
    CAT_INSTR_FORALL,    /* name in expr, body */
    CAT_INSTR_WITH,      /* name from expr */
    CAT_INSTR_MATCH,     /* expr, clauses */
    CAT_INSTR_IF,        /* condition, body, otherwise */
    CAT_INSTR_DEBUG,     /* expr */
    CAT_INSTR_BELL,      /* items: the tags an instruction may carry */
    CAT_INSTR_SHOW,      /* bindings: names of pictures and what they stand for */
    CAT_INSTR_UNSHOW     /* names */
};

struct cat_instr {
    enum cat_instr_kind kind;
    struct span span;
    struct cat_bindings bindings; /* LET, LET_REC, SHOW */
    enum cat_check_kind check;    /* CHECK */
    enum cat_test test;
    bool negated;
    bool recursive; /* PROCEDURE: knows itself */
    const struct cat_expr *expr;
    const char *name; /* CHECK: the `as` name or NULL; INCLUDE: the file */
    const char *callee;
    struct span name_span;
    struct cat_names names;
    const struct cat_pattern *pattern;
    struct cat_instrs body, otherwise;
    struct cat_clauses clauses;
    struct cat_exprs items;
    const struct cat_condition *condition;
    struct cat_instr *next;
};

/* A tree deeper than this is cut to CAT_EXPR_BROKEN. */
enum { CAT_MAX_DEPTH = 400, CAT_LONG_CHAIN = 64 };

struct cat_names cat_names_one(struct arena *arena, const char *text, struct span span);
struct cat_names cat_names_join(struct cat_names list, struct cat_names one);
struct cat_exprs cat_exprs_join(struct cat_exprs list, struct cat_expr *one);
struct cat_bindings cat_bindings_join(struct cat_bindings list, struct cat_binding *one);
/* Nothing when `one` is NULL. */
void cat_instrs_add(struct cat_instrs *list, struct cat_instr *one);
struct cat_clauses cat_clauses_join(struct cat_clauses list, struct cat_clauses more);

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

struct cat_expr *cat_expr_list(struct arena *arena, struct cat_exprs items, struct span span);
struct cat_expr *cat_expr_if(struct arena *arena, const struct cat_condition *condition,
                             const struct cat_expr *a, const struct cat_expr *b, struct span span);
struct cat_expr *cat_expr_match(struct arena *arena, const struct cat_expr *a,
                                struct cat_clauses clauses, struct span span);
struct cat_clauses cat_clause_new(struct arena *arena, enum cat_clause_kind kind, struct span span,
                                  const struct cat_expr *expr);
struct cat_condition *cat_condition_new(struct arena *arena, enum cat_condition_kind kind,
                                        const struct cat_expr *a, const struct cat_expr *b);
struct cat_condition *cat_condition_known(struct arena *arena, bool holds);

struct cat_binding *cat_binding_new(struct arena *arena, const struct cat_pattern *pattern,
                                    const struct cat_expr *expr);
struct cat_instr *cat_instr_let(struct arena *arena, enum cat_instr_kind kind,
                                struct cat_bindings bindings, struct span span);
struct cat_instr *cat_instr_check(struct arena *arena, enum cat_test test, bool negated,
                                  const struct cat_expr *expr, const char *name, struct span span);
struct cat_instr *cat_instr_include(struct arena *arena, const char *file, struct span span);
/* An instruction of a kind whose fields the caller fills in. */
struct cat_instr *cat_instr_new(struct arena *arena, enum cat_instr_kind kind, struct span span);
/* herd stops when an `assert` fails; here the failure is raised as a flag. */
struct cat_instr *cat_instr_assert(struct cat_instr *check);

#endif
