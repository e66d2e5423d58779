/* cat_ast: the syntax tree of a cat file, before names are resolved.
 *
 * The grammar makes the nodes. Unreadable text becomes CAT_EXPR_BROKEN; the parser has reported it.
 *
 * Ownership: everything lives in the arena of the parser. Names are interned: two names are equal
 * when their pointers are. */
#ifndef CRASHLIT_CAT_AST_H
#define CRASHLIT_CAT_AST_H

#include "base/chain.h"
#include "cat/cat_ir.h"

struct cat_name {
    const char *text; /* NULL for `_` */
    struct span span;
    struct cat_name *next;
};
CHAIN(cat_name);

/* What a definition or a function binds: one name, or a tuple of names. */
struct cat_pattern {
    bool tuple;
    struct cat_names names; /* exactly one when not a tuple */
    struct span span;
};

CHAIN(cat_expr);
CHAIN(cat_binding);
CHAIN(cat_instr);

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
CHAIN(cat_clause);

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
    uint32_t depth;  /* of the tree below, 1 for a leaf; never above CAT_MAX_DEPTH */
    uint32_t weight; /* the operands of the operator's chain that ends here, for BINARY */
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
    CAT_INSTR_ENUM,         /* name, names: its tags */
    CAT_INSTR_PROCEDURE,    /* name, pattern, body */
    CAT_INSTR_CALL,         /* callee, expr: the argument; name: the `as` name or NULL */
    CAT_INSTR_FORALL,       /* name in expr, body */
    CAT_INSTR_WITH,         /* name from expr */
    CAT_INSTR_MATCH,        /* expr, clauses */
    CAT_INSTR_IF,           /* condition, body, otherwise */
    CAT_INSTR_DEBUG,        /* expr */
    CAT_INSTR_INSTRUCTIONS, /* name: the kind; items: the tags it may carry */
    CAT_INSTR_BELL,         /* items: the tags it carries when none is given */
    CAT_INSTR_SHOW,         /* bindings: names of pictures and what they stand for */
    CAT_INSTR_UNSHOW        /* names */
};

struct cat_instr {
    enum cat_instr_kind kind;
    struct span span;             /* that is pointed at */
    struct span whole;            /* of one that is not part of another one */
    struct cat_bindings bindings; /* LET, LET_REC, SHOW */
    enum cat_check_kind check;    /* CHECK */
    enum cat_test test;
    bool negated;
    bool recursive;    /* PROCEDURE: it can call itself */
    bool alternatives; /* INSTRUCTIONS: '||' separates the items, else ',' */
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

#endif
