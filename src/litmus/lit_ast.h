/* lit_ast: the syntax tree of a test, its threads C-like code or columns of a table.
 *
 * The grammar makes the nodes; names are not resolved here and nothing is checked but depth.
 *
 * Ownership: nodes live in the parser's arena, names in its intern table; spans
 * point at the source.
 * Errors: a tree deeper than AST_MAX_DEPTH is reported once at the place where it
 * grows too deep and cut there, so that every walk over a tree may recurse. Past
 * AST_MAX_NODES nodes, reading stops with an error.
 * Depth tells nesting, not length: long chains of /\ and \/, of && and ||, and of commas become
 * balanced trees. In a chain of other binary operators the left operand counts as no deeper than
 * the whole, and walks go down there without recursion (ast_chain).
 */
#ifndef CRASHLIT_LIT_AST_H
#define CRASHLIT_LIT_AST_H

#include "base/chain.h"
#include "litmus/lit_dialect.h"

enum { AST_MAX_DEPTH = 200, AST_MAX_NODES = 1 << 17, AST_LONG_CHAIN = 64 };

struct lit_definition;
struct lit_syntax;

struct ast_name {
    const char *text;
    struct span span;
};

/* Words in braces behind an instruction, a type or a thread's number. */
struct ast_tag {
    struct ast_name name;
    struct ast_tag *next;
};
CHAIN(ast_tag);

/* ---- Types and qualifiers of a declaration ---- */

/* Words before a declared name, a set: X(word, mask bits). */
enum ast_spec_bits {
    AST_INT = 1,
    AST_LONG = 2,
    AST_UNSIGNED = 4,
    AST_SIGNED = 8,
    AST_ATOMIC = 16,
    AST_NVM = 32,
    AST_GLOBAL = 64,
    AST_LOCAL = 128,
    AST_QUALIFIER = 256, /* volatile, const, restrict: read and dropped */
    AST_OPAQUE = 512,    /* beside AST_ATOMIC: the kernel's, which C's operators know nothing of */
    AST_CHAR = 1024,
    AST_SHORT = 2048,
    AST_BOOL = 4096,
    AST_VOLATILE = 8192, /* beside AST_QUALIFIER: what CUDA and old C take for an atomic type */
    AST_TYPES = AST_INT | AST_LONG | AST_UNSIGNED | AST_SIGNED | AST_CHAR | AST_SHORT | AST_BOOL,
};

struct ast_specs {
    uint32_t bits;
    struct ast_name structure; /* of `struct NAME`; else its text is NULL */
    struct ast_tags tags;      /* of a location */
    struct span span;
};

bool ast_specs_has_type(const struct ast_specs *specs);
enum lit_type ast_specs_type(const struct ast_specs *specs);
/* Reports words that are no type together. */
struct ast_specs ast_specs_join(struct lit_syntax *syntax, struct ast_specs a, struct ast_specs b);

/* ---- Expressions ---- */

/* clang-format off */
#define AST_EXPRS(X) \
    X(NUMBER) X(NAME) X(UNARY) X(BINARY) X(SELECT) X(ASSIGN) X(STEP) X(DEREF) X(ADDRESS) \
    X(INDEX) X(MEMBER) X(CALL) X(METHOD) X(CAST) X(COMMA) X(OPERATOR) X(SIZE)
/* clang-format on */

enum ast_expr_kind {
#define X(name) AST_##name,
    AST_EXPRS(X)
#undef X
};

CHAIN(ast_expr);

struct ast_expr {
    enum ast_expr_kind kind;
    uint32_t depth;
    uint32_t weight;      /* of a chain that is balanced: its operands; else 1 */
    struct span span;     /* of the whole */
    struct ast_name name; /* NAME, MEMBER, CALL, METHOD; SIZE: of a struct */
    enum lit_operator op; /* UNARY, BINARY, STEP; ASSIGN: LIT_OP_CONST for plain `=`; OPERATOR: an
                             argument that is a sign alone */
    bool post;            /* STEP: the value is the one before */
    bool arrow;           /* MEMBER: `a->name` */
    bool changes;         /* may assign a register: assignments, steps and calls in it */
    bool grouped;         /* it stands in parentheses */
    enum lit_type type;   /* NUMBER, CAST; SIZE of a type (`a` NULL) */
    int64_t value;        /* NUMBER */
    struct ast_expr *a, *b, *c;
    struct ast_exprs args; /* CALL, METHOD (whose object is `a`) */
    struct ast_tags tags;  /* CALL of a primitive */
    bool bound;            /* CALL, or NAME that is one, in a definition: what it names is known */
    const struct lit_definition *definition; /* of one that is bound; NULL: built in */
    struct ast_expr *next;
};

/* Sets what a new node inherits from its parts; the node that stands for it then. */
struct ast_expr *ast_expr(struct lit_syntax *syntax, struct ast_expr *expr);
/* The binary operators of the chain that `expr` ends, a BINARY, from the innermost on; each is the
 * left operand of the next. One of && and || is a chain of itself alone. */
const struct ast_expr *const *ast_chain(struct arena *arena, const struct ast_expr *expr,
                                        uint32_t *count);

/* A number with its sign, as written. `large`: above INT64_MAX, `value` its pattern.
 * `bad`: reported, and `value` is 0. */
struct ast_number {
    int64_t value;
    bool large, bad;
    struct span span;
};

/* ---- Statements ---- */

/* clang-format off */
#define AST_STMTS(X) \
    X(EMPTY) X(EXPR) X(DECL) X(GROUP) X(BLOCK) X(IF) X(LOOP) X(BREAK) X(CONTINUE) X(RETURN) \
    X(CRASH) X(LABEL) X(LAUNCH) X(JOIN) X(PRAGMA) X(SWITCH) X(CASE)
/* clang-format on */

enum ast_stmt_kind {
#define X(name) AST_S_##name,
    AST_STMTS(X)
#undef X
};

CHAIN(ast_stmt);

struct ast_stmt {
    enum ast_stmt_kind kind;
    uint32_t depth;
    struct span span;
    struct span extent;   /* from its first character to its last, which `span` need not reach */
    struct ast_name name; /* DECL, LABEL; CRASH: its text or NULL; PRAGMA: what follows the word */
    struct ast_specs specs;   /* DECL */
    bool test_last;           /* LOOP: do ... while */
    bool has_return;          /* a `return` stands in it */
    bool in_head;             /* of a `for` */
    struct ast_number kernel; /* LAUNCH, JOIN */
    struct ast_expr *expr;  /* EXPR, IF, LOOP, SWITCH: condition or NULL; DECL: initialiser or NULL;
                                 CASE: its value, NULL: default */
    struct ast_expr *step;  /* LOOP */
    struct ast_stmts body;  /* GROUP (no scope of its own), BLOCK */
    struct ast_stmt *a, *b; /* IF, LOOP, LABEL; SWITCH: its block */
    struct ast_stmt *next;
};

/* As ast_expr. */
struct ast_stmt *ast_stmt(struct lit_syntax *syntax, struct ast_stmt *stmt);

/* ---- Declarations of the initial state ---- */

CHAIN(ast_value);

/* A number, a constant expression, or a list of values in braces. */
struct ast_value {
    struct ast_number number; /* where `expr` is NULL */
    struct ast_expr *expr;
    bool list;
    struct ast_values values; /* of a list */
    struct span span;
    struct ast_value *next;
};

enum { AST_NO_THREAD = -1 };

struct ast_init {
    struct ast_specs specs;
    struct ast_name name;
    int64_t thread; /* of `0:r = v`; else AST_NO_THREAD */
    struct span span;
    bool array, list;                 /* `a[n]`; `= {..}` */
    struct ast_value *size, *columns; /* NULL: one dimension */
    struct ast_values values;
    struct ast_init *next;
};
CHAIN(ast_init);

/* Gives it the value, a list or none (NULL). */
struct ast_init *ast_init_given(struct ast_init *init, struct ast_value *value);
/* Gives it the type of the declaration before, which its comma follows. */
void ast_init_more(struct lit_syntax *syntax, struct ast_init *init);
/* One that is no list. */
struct ast_value *ast_value(struct lit_syntax *syntax, struct ast_expr *expr);

/* ---- Definitions: constants and structures ---- */

struct ast_constant {
    struct ast_name name;
    struct ast_specs specs;
    struct ast_expr *expr; /* NULL: an enumerator, one more than the one before it */
    const struct ast_constant *before;
    struct ast_constant *next;
};
CHAIN(ast_constant);

struct ast_field {
    struct ast_name name;
    struct ast_specs specs;
    struct ast_value *size; /* NULL: no array */
    struct ast_field *next;
};
CHAIN(ast_field);

struct ast_structure {
    struct ast_name name;
    struct ast_fields fields;
    struct ast_structure *next;
};
CHAIN(ast_structure);

/* ---- Definition files ---- */

struct ast_use { /* `uses "lin.def"` */
    struct ast_name name;
    struct span span;
    struct ast_use *next;
};
CHAIN(ast_use);

struct ast_code { /* `code "log.ptx"` */
    struct ast_name name;
    const struct source *source; /* NULL before it is read */
    struct ast_code *next;
};
CHAIN(ast_code);

struct ast_formal {
    struct ast_name name;
    struct ast_formal *next;
};
CHAIN(ast_formal);

/* What a definition file says of a name. */
struct ast_macro {
    struct ast_name name;
    bool called; /* it has parentheses */
    struct ast_formals formals;
    struct ast_stmts body;
    struct ast_expr *value; /* instead of a body, or NULL */
    struct ast_macro *next;
};
CHAIN(ast_macro);

/* `order dmb_ld < dmb_sy`: tags, the weakest first. */
struct ast_order {
    struct ast_tags tags;
    struct ast_order *next;
};
CHAIN(ast_order);

/* ---- Threads ---- */

struct ast_place { /* `wg 0` */
    struct ast_name level;
    struct ast_number number;
    struct ast_place *next;
};
CHAIN(ast_place);

struct ast_param {
    struct ast_specs specs;
    struct ast_name name;
    bool pointer;
    struct ast_param *next;
};
CHAIN(ast_param);

/* ---- Tables: a thread is a column of cells ---- */

enum ast_operand_kind { AST_OPERAND_NAME, AST_OPERAND_NUMBER, AST_OPERAND_STRING };

struct ast_operand {
    enum ast_operand_kind kind;
    struct ast_name name; /* NAME, STRING */
    struct ast_number number;
    bool bracketed; /* `[x]` */
    struct span span;
    struct ast_operand *next;
};
CHAIN(ast_operand);

struct ast_cell {
    struct ast_name label, word; /* text NULL: has none */
    struct ast_operands operands;
    struct span span;
    struct ast_cell *next;
};
CHAIN(ast_cell);

/* `kernel<<<2, 32>>>(data, 7)`: x, y and z of the grid and of a block. */
struct ast_launch {
    struct ast_name kernel;
    uint32_t grid[3], block[3];
    struct ast_number bytes; /* of shared memory whose size the kernel leaves open */
    struct ast_exprs args;
    struct span span;
    struct ast_launch *next;
};
CHAIN(ast_launch);

struct ast_thread {
    int64_t number;
    struct span span; /* of `P0` or of `recovery` */
    struct ast_tags tags;
    struct span end; /* of the brace that closes its body; line 0: it is a column of a table */
    struct ast_places places;
    struct ast_params params;
    struct ast_stmts body;
    struct ast_cells cells;          /* in a table, instead of a body */
    const struct ast_launch *launch; /* that it is a thread of, instead of a body; or NULL */
    uint32_t rank;                   /* in the grid, block by block */
    struct ast_thread *next;
};
CHAIN(ast_thread);

/* Gives each thread of the header its cell of a row, unless that is empty; reports a row of another
 * length. No threads: the header was reported. */
void ast_row(struct lit_syntax *syntax, struct ast_threads *threads, const struct ast_cells *cells,
             struct span span);

/* ---- Conditions ---- */

enum ast_atom_kind { AST_ATOM_NUMBER, AST_ATOM_NAME, AST_ATOM_ELEMENT, AST_ATOM_REGISTER };

struct ast_atom {
    enum ast_atom_kind kind;
    struct ast_number number; /* NUMBER; ELEMENT: the index, unless `index` names it */
    struct ast_name index;    /* ELEMENT: a constant, or its text is NULL */
    struct ast_name name;
    struct ast_name member;       /* NAME, ELEMENT: of a structure, or its text is NULL */
    const struct ast_atom *inner; /* the index into the member, or into the row; NULL: none */
    bool initial;                 /* `init(x)`: its first value */
    int64_t thread;
    struct span span;
    struct ast_atom *next;
};
CHAIN(ast_atom);

/* `line {x, a[1]}`; `line(4) a`: a line for each so many elements; `unit(16) a`: a unit of
 * persistence for each so many bytes. */
struct ast_line {
    struct ast_atoms places;
    struct ast_value *size; /* NULL: one line */
    bool unit;
    struct span span;
    struct ast_line *next;
};
CHAIN(ast_line);

/* A place, or every so many of the elements from one to another: `a[1 .. 7 : 2]`. */
struct ast_range {
    struct ast_atom place;              /* without its index, if there are elements */
    struct ast_value *from, *to, *step; /* NULL: the place alone; each one */
    struct ast_range *next;
};
CHAIN(ast_range);

/* `tags{mc0} x, a[0 .. 6 : 2]`. */
struct ast_tagged {
    struct ast_tags tags;
    struct ast_ranges ranges;
    struct ast_tagged *next;
};
CHAIN(ast_tagged);

struct ast_prop {
    enum lit_prop_op op;
    enum lit_operator compare;
    uint32_t depth, weight; /* as of an expression */
    struct ast_atom left, right;
    struct ast_prop *a, *b;
    struct ast_name
        variable; /* `all i < N: (P)` is an AND of `a`, `some` an OR; else its text is NULL */
    struct ast_atom limit; /* N: a number, or the name of one */
    struct span span;
};

struct ast_condition {
    enum lit_when when;
    enum lit_quantifier quantifier;
    bool bare;                                       /* no word says of which states it is */
    struct ast_prop *prop;                           /* NULL of one that names a source */
    struct ast_name source, visibility, persistency; /* `refines "SOURCE" under ..`; else NULL */
    struct ast_name property; /* `property ..`, which has no more; else NULL */
    struct span span;
    struct ast_condition *next;
};
CHAIN(ast_condition);

struct ast_expect {
    struct ast_name visibility, persistency, engine, verdict; /* engine.text NULL: none */
    struct span span;
    struct ast_expect *next;
};
CHAIN(ast_expect);

/* As ast_expr. */
struct ast_prop *ast_prop(struct lit_syntax *syntax, struct ast_prop *prop);

/* ---- The whole test ---- */

struct ast_metadata {
    const char *name, *text;
    struct ast_metadata *next;
};
CHAIN(ast_metadata);

struct ast_test {
    const struct lit_dialect *dialect;
    const char *name, *title;
    struct ast_metadatas metadata;
    struct span header; /* the dialect word */
    struct span start;  /* the first definition, or the brace of the initial block */
    struct ast_uses uses;
    struct ast_codes codes;
    struct ast_constants constants;
    struct ast_structures structures;
    struct ast_inits inits;
    struct ast_lines lines;
    struct ast_taggeds tagged;
    struct ast_threads threads, recovery;
    bool hosts;                /* a `launch` or `join` stands in code */
    struct span recovery_span; /* line 0: there is none */
    bool restartable;
    bool names_cuda;    /* `cuda::` stands before a name */
    bool relaunch;      /* the recovery is the test itself */
    bool weak_volatile; /* of compiled code: volatile accesses are weak */
    struct ast_conditions conditions;
    struct ast_prop *filter;
    struct ast_atoms observed;
    struct ast_atoms robust_in; /* `observe ..;` */
    struct ast_expects expects;
};

/* Launches one behind the other. Adds a thread for each thread of each launch; where there are
 * several launches, the first thread is the host's, which launches and joins them. The launches of
 * one test or of its recovery are added once. */
struct ast_threads ast_launched(struct lit_syntax *syntax, const struct ast_launchs *launches,
                                struct span span);
/* The extent of a grid or a block in one direction: 1 to LIT_MAX_THREADS. */
uint32_t ast_extent(struct lit_syntax *syntax, const struct ast_number *number);

void ast_test_recovery(struct lit_syntax *syntax, bool restartable, struct ast_threads threads,
                       struct span span);

#endif
