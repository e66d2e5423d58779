#include "litmus/lit_ast.h"

#include "litmus/lit_syntax.h"

#include <string.h>

/* `node` becomes the last of `chain`. */
#define APPEND(chain, node)                                                              \
    ((void)((chain)->last ? ((chain)->last->next = (node)) : ((chain)->first = (node))), \
     (void)((chain)->last = (node)), (void)((chain)->count++))

static void *keep_node(struct lit_syntax *syntax, const void *node, size_t size)
{
    if (++syntax->nodes > AST_MAX_NODES)
        lit_syntax_too_large(syntax);
    return memcpy(arena_alloc(syntax->arena, size), node, size);
}

#define KEEP(syntax, node) keep_node((syntax), &(node), sizeof(node))
/* A node with these fields. */
#define NEW(syntax, type, ...) ((type *)KEEP(syntax, ((type){__VA_ARGS__})))

bool ast_specs_has_type(const struct ast_specs *specs)
{
    return (specs->bits & (AST_INT | AST_LONG | AST_UNSIGNED | AST_SIGNED)) != 0;
}

enum lit_type ast_specs_type(const struct ast_specs *specs)
{
    if (specs->bits & AST_LONG)
        return specs->bits & AST_UNSIGNED ? LIT_ULONG : LIT_LONG;
    return specs->bits & AST_UNSIGNED ? LIT_UINT : LIT_INT;
}

struct ast_specs ast_specs_join(struct ast_specs a, struct ast_specs b)
{
    a.bits |= b.bits;
    if (!a.structure.text)
        a.structure = b.structure;
    if (b.span.line) {
        a.span.end_line = b.span.end_line;
        a.span.end_column = b.span.end_column;
    }
    return a;
}

/* ---- Expressions ---- */

static uint32_t deeper(uint32_t depth, uint32_t other)
{
    return depth > other ? depth : other;
}

static struct ast_expr *new_expr(struct lit_syntax *syntax, enum ast_expr_kind kind,
                                 struct span span)
{
    struct ast_expr *expr = NEW(syntax, struct ast_expr, .kind = kind, .span = span);
    expr->depth = expr->weight = 1;
    return expr;
}

struct ast_expr *ast_number(struct lit_syntax *syntax, enum lit_type type, int64_t value,
                            struct span span)
{
    struct ast_expr *expr = new_expr(syntax, AST_NUMBER, span);
    expr->type = type;
    expr->value = value;
    return expr;
}

struct ast_expr *ast_variable(struct lit_syntax *syntax, struct ast_name name)
{
    struct ast_expr *expr = new_expr(syntax, AST_NAME, name.span);
    expr->name = name;
    return expr;
}

/* What these do is the same however operands are grouped. */
static bool is_balanced(enum ast_expr_kind kind, enum lit_operator op)
{
    return kind == AST_COMMA || (kind == AST_BINARY && (op == LIT_OP_AND || op == LIT_OP_OR));
}

static bool is_chain(const struct ast_expr *expr)
{
    return expr->kind == AST_BINARY && !is_balanced(expr->kind, expr->op);
}

/* Sets what an expression inherits from its parts, and cuts one that is too deep. */
static struct ast_expr *finish(struct lit_syntax *syntax, struct ast_expr *expr)
{
    const struct ast_expr *parts[] = {expr->a, expr->b, expr->c};
    uint32_t depth = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]) {
            bool chained = i == 0 && is_chain(expr) && is_chain(parts[i]);
            depth = deeper(depth, parts[i]->depth - chained);
            expr->changes |= parts[i]->changes;
        }
    for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next)
        depth = deeper(depth, arg->depth);
    expr->depth = depth + 1;
    if (expr->depth <= AST_MAX_DEPTH)
        return expr;
    lit_syntax_too_deep(syntax, expr->span);
    return ast_number(syntax, LIT_INT, 0, expr->span);
}

struct ast_expr *ast_unary(struct lit_syntax *syntax, enum ast_expr_kind kind, enum lit_operator op,
                           struct ast_expr *a, struct span span)
{
    return ast_binary(syntax, kind, op, a, NULL, span);
}

const struct ast_expr *const *ast_chain(struct arena *arena, const struct ast_expr *expr,
                                        uint32_t *count)
{
    const struct ast_expr *at = expr;
    for (*count = 1; is_chain(at) && is_chain(at->a); at = at->a)
        ++*count;
    const struct ast_expr **links = ARENA_ARRAY(arena, const struct ast_expr *, *count);
    for (uint32_t i = *count; i-- > 0; expr = expr->a)
        links[i] = expr;
    return links;
}

static bool continues(const struct ast_expr *expr, enum ast_expr_kind kind, enum lit_operator op)
{
    return expr->kind == kind && expr->op == op;
}

/* Operands of a chain, which two nodes of equal weight are put together in as in a binary counter.
 */
static uint32_t weigh(const struct ast_expr *expr, enum ast_expr_kind kind, enum lit_operator op)
{
    return continues(expr, kind, op) ? expr->weight : 1;
}

static struct span cover(struct span first, struct span last)
{
    first.end_line = last.end_line;
    first.end_column = last.end_column;
    return first;
}

static struct ast_expr *pair(struct lit_syntax *syntax, enum ast_expr_kind kind,
                             enum lit_operator op, struct ast_expr *a, struct ast_expr *b,
                             struct span span)
{
    struct ast_expr *expr = new_expr(syntax, kind, span);
    expr->op = op;
    expr->a = a;
    expr->b = b;
    expr->changes = kind == AST_ASSIGN;
    if (is_balanced(kind, op))
        expr->weight = weigh(a, kind, op) + weigh(b, kind, op);
    return finish(syntax, expr);
}

struct ast_expr *ast_binary(struct lit_syntax *syntax, enum ast_expr_kind kind,
                            enum lit_operator op, struct ast_expr *a, struct ast_expr *b,
                            struct span span)
{
    while (is_balanced(kind, op) && a->depth > AST_LONG_CHAIN && continues(a, kind, op) &&
           weigh(a->b, kind, op) <= weigh(b, kind, op)) {
        b = pair(syntax, kind, op, a->b, b, cover(a->b->span, b->span));
        a = a->a;
    }
    return pair(syntax, kind, op, a, b, span);
}

struct ast_expr *ast_select(struct lit_syntax *syntax, struct ast_expr *a, struct ast_expr *b,
                            struct ast_expr *c, struct span span)
{
    struct ast_expr *expr = new_expr(syntax, AST_SELECT, span);
    expr->op = LIT_OP_SELECT;
    expr->a = a;
    expr->b = b;
    expr->c = c;
    return finish(syntax, expr);
}

struct ast_expr *ast_step(struct lit_syntax *syntax, enum lit_operator op, bool post,
                          struct ast_expr *a, struct span span)
{
    struct ast_expr *expr = new_expr(syntax, AST_STEP, span);
    expr->op = op;
    expr->post = post;
    expr->a = a;
    expr->changes = true;
    return finish(syntax, expr);
}

struct ast_expr *ast_call(struct lit_syntax *syntax, struct ast_expr *object, struct ast_name name,
                          struct ast_exprs args, struct span span)
{
    struct ast_expr *expr = new_expr(syntax, object ? AST_METHOD : AST_CALL, span);
    expr->name = name;
    expr->a = object;
    expr->args = args;
    expr->changes = true;
    return finish(syntax, expr);
}

struct ast_expr *ast_member(struct lit_syntax *syntax, bool arrow, struct ast_expr *object,
                            struct ast_name name, struct span span)
{
    struct ast_expr *expr = new_expr(syntax, AST_MEMBER, span);
    expr->arrow = arrow;
    expr->name = name;
    expr->a = object;
    return finish(syntax, expr);
}

struct ast_expr *ast_cast(struct lit_syntax *syntax, const struct ast_specs *specs,
                          struct ast_expr *a, struct span span)
{
    struct ast_expr *expr = new_expr(syntax, AST_CAST, span);
    expr->op = LIT_OP_CAST;
    expr->type = ast_specs_type(specs);
    expr->a = a;
    return finish(syntax, expr);
}

struct ast_exprs ast_exprs_add(struct ast_exprs list, struct ast_expr *expr)
{
    APPEND(&list, expr);
    return list;
}

/* ---- Statements ---- */

struct ast_stmt *ast_stmt(struct lit_syntax *syntax, enum ast_stmt_kind kind, struct span span)
{
    return NEW(syntax, struct ast_stmt, .kind = kind, .span = span, .depth = 1,
               .has_return = kind == AST_S_RETURN);
}

static void inherit(struct ast_stmt *stmt, const struct ast_stmt *part)
{
    if (!part)
        return;
    stmt->depth = deeper(stmt->depth, part->depth + 1);
    stmt->has_return |= part->has_return;
}

static struct ast_stmt *finish_stmt(struct lit_syntax *syntax, struct ast_stmt *stmt)
{
    if (stmt->depth <= AST_MAX_DEPTH)
        return stmt;
    lit_syntax_too_deep(syntax, stmt->span);
    return ast_stmt(syntax, AST_S_EMPTY, stmt->span);
}

struct ast_stmt *ast_stmt_expr(struct lit_syntax *syntax, struct ast_expr *expr, struct span span)
{
    struct ast_stmt *stmt = ast_stmt(syntax, AST_S_EXPR, span);
    stmt->expr = expr;
    return stmt;
}

struct ast_stmt *ast_stmt_list(struct lit_syntax *syntax, enum ast_stmt_kind kind,
                               struct ast_stmts body, struct span span)
{
    struct ast_stmt *stmt = ast_stmt(syntax, kind, span);
    stmt->body = body;
    for (const struct ast_stmt *part = body.first; part; part = part->next)
        inherit(stmt, part);
    return finish_stmt(syntax, stmt);
}

struct ast_stmt *ast_stmt_decl(struct lit_syntax *syntax, struct ast_name name,
                               struct ast_expr *value, struct span span)
{
    struct ast_stmt *stmt = ast_stmt(syntax, AST_S_DECL, span);
    stmt->name = name;
    stmt->expr = value;
    return stmt;
}

struct ast_stmt *ast_stmt_typed(struct ast_stmt *group, const struct ast_specs *specs,
                                struct span span)
{
    group->span = span;
    for (struct ast_stmt *decl = group->body.first; decl; decl = decl->next)
        decl->specs = *specs;
    return group;
}

struct ast_stmt *ast_stmt_if(struct lit_syntax *syntax, struct ast_expr *condition,
                             struct ast_stmt *yes, struct ast_stmt *no, struct span span)
{
    struct ast_stmt *stmt = ast_stmt(syntax, AST_S_IF, span);
    stmt->expr = condition;
    stmt->a = yes;
    stmt->b = no;
    inherit(stmt, yes);
    inherit(stmt, no);
    return finish_stmt(syntax, stmt);
}

struct ast_stmt *ast_stmt_loop(struct lit_syntax *syntax, bool test_last,
                               struct ast_expr *condition, struct ast_expr *step,
                               struct ast_stmt *body, struct span span)
{
    struct ast_stmt *stmt = ast_stmt(syntax, AST_S_LOOP, span);
    stmt->expr = condition;
    stmt->step = step;
    stmt->a = body;
    stmt->test_last = test_last;
    inherit(stmt, body);
    return finish_stmt(syntax, stmt);
}

struct ast_stmt *ast_stmt_named(struct lit_syntax *syntax, enum ast_stmt_kind kind,
                                struct ast_name name, struct ast_stmt *body, struct span span)
{
    struct ast_stmt *stmt = ast_stmt(syntax, kind, span);
    stmt->name = name;
    stmt->a = body;
    inherit(stmt, body);
    return finish_stmt(syntax, stmt);
}

struct ast_stmts ast_stmts_add(struct ast_stmts list, struct ast_stmt *stmt)
{
    APPEND(&list, stmt);
    return list;
}

/* ---- Declarations of the initial state ---- */

struct ast_init *ast_init(struct lit_syntax *syntax, int64_t thread, struct ast_name name,
                          struct span span)
{
    return NEW(syntax, struct ast_init, .thread = thread, .name = name, .span = span);
}

struct ast_init *ast_init_array(struct ast_init *init, struct ast_value *size)
{
    init->array = true;
    init->size = size;
    return init;
}

struct ast_init *ast_init_values(struct ast_init *init, bool list, struct ast_values values)
{
    init->list = list;
    init->values = values;
    return init;
}

/* The number that a literal stands for; false when it is more than a literal. */
static bool literal(struct lit_syntax *syntax, const struct ast_expr *expr,
                    struct ast_number *number)
{
    bool negative = expr->kind == AST_UNARY && expr->op == LIT_OP_NEG;
    const struct ast_expr *digits = negative ? expr->a : expr;
    if (digits->kind != AST_NUMBER)
        return false;
    bool large = digits->type == LIT_ULONG && digits->value < 0;
    *number = (struct ast_number){digits->value, large, false, digits->span};
    if (negative)
        *number = lit_syntax_negate(syntax, *number, expr->span);
    return true;
}

struct ast_value *ast_value(struct lit_syntax *syntax, struct ast_expr *expr)
{
    struct ast_value *value = NEW(syntax, struct ast_value, .span = expr->span);
    if (!literal(syntax, expr, &value->number))
        value->expr = expr;
    if (expr->kind == AST_NAME || expr->kind == AST_ADDRESS)
        lit_syntax_alias(syntax, expr->span);
    return value;
}

struct ast_value *ast_value_list(struct lit_syntax *syntax, struct ast_values values,
                                 struct span span)
{
    return NEW(syntax, struct ast_value, .span = span, .list = true, .values = values);
}

struct ast_values ast_values_add(struct ast_values list, struct ast_value *value)
{
    APPEND(&list, value);
    return list;
}

/* ---- Definitions ---- */

struct ast_constants ast_constants_add(struct lit_syntax *syntax, struct ast_constants list,
                                       struct ast_name name, struct ast_expr *expr)
{
    struct ast_constant *constant =
        NEW(syntax, struct ast_constant, .name = name, .expr = expr, .before = list.last);
    APPEND(&list, constant);
    return list;
}

struct ast_fields ast_fields_add(struct lit_syntax *syntax, struct ast_fields list,
                                 struct ast_name name)
{
    struct ast_field *field = NEW(syntax, struct ast_field, .name = name);
    APPEND(&list, field);
    return list;
}

struct ast_fields ast_fields_join(struct ast_fields list, struct ast_fields more)
{
    uint32_t count = list.count + more.count;
    if (more.count) {
        APPEND(&list, more.first);
        list.last = more.last;
    }
    list.count = count;
    return list;
}

struct ast_fields ast_fields_typed(struct ast_fields list, const struct ast_specs *specs)
{
    for (struct ast_field *field = list.first; field; field = field->next)
        field->specs = *specs;
    return list;
}

/* ---- Threads ---- */

struct ast_places ast_places_add(struct lit_syntax *syntax, struct ast_places list,
                                 struct ast_name level, struct ast_number number)
{
    struct ast_place *place = NEW(syntax, struct ast_place, .level = level, .number = number);
    APPEND(&list, place);
    return list;
}

struct ast_params ast_params_add(struct lit_syntax *syntax, struct ast_params list,
                                 const struct ast_specs *specs, bool pointer, struct ast_name name)
{
    struct ast_param *param =
        NEW(syntax, struct ast_param, .specs = *specs, .pointer = pointer, .name = name);
    APPEND(&list, param);
    return list;
}

struct ast_thread *ast_thread(struct lit_syntax *syntax, int64_t number, struct ast_places places,
                              struct ast_params params, struct ast_stmts body, struct span span)
{
    return NEW(syntax, struct ast_thread, .number = number, .places = places, .params = params,
               .body = body, .span = span);
}

struct ast_threads ast_threads_add(struct ast_threads list, struct ast_thread *thread)
{
    APPEND(&list, thread);
    return list;
}

/* ---- Tables ---- */

struct ast_operand ast_operand_name(struct ast_name name, bool bracketed, struct span span)
{
    return (struct ast_operand){
        .kind = AST_OPERAND_NAME, .name = name, .bracketed = bracketed, .span = span};
}

struct ast_operand ast_operand_number(struct ast_number number)
{
    return (struct ast_operand){.kind = AST_OPERAND_NUMBER, .number = number, .span = number.span};
}

struct ast_operand ast_operand_string(struct ast_name text)
{
    return (struct ast_operand){.kind = AST_OPERAND_STRING, .name = text, .span = text.span};
}

struct ast_operands ast_operands_add(struct lit_syntax *syntax, struct ast_operands list,
                                     struct ast_operand operand)
{
    struct ast_operand *node = KEEP(syntax, operand);
    APPEND(&list, node);
    return list;
}

struct ast_cell *ast_cell(struct lit_syntax *syntax, struct ast_name word,
                          struct ast_operands operands, struct span span)
{
    return NEW(syntax, struct ast_cell, .word = word, .operands = operands, .span = span);
}

struct ast_cells ast_cells_add(struct ast_cells list, struct ast_cell *cell)
{
    APPEND(&list, cell);
    return list;
}

struct ast_rows ast_rows_add(struct lit_syntax *syntax, struct ast_rows list,
                             struct ast_cells cells, struct span span)
{
    struct ast_row *row = NEW(syntax, struct ast_row, .cells = cells, .span = span);
    APPEND(&list, row);
    return list;
}

/* Gives each thread its cell of a row; empty ones are dropped. */
static void deal_row(struct ast_threads *threads, const struct ast_row *row)
{
    struct ast_cell *cell = row->cells.first;
    for (struct ast_thread *thread = threads->first; thread && cell; thread = thread->next) {
        struct ast_cell *next = cell->next;
        cell->next = NULL;
        if (cell->word.text || cell->label.text)
            APPEND(&thread->cells, cell);
        cell = next;
    }
}

struct ast_threads ast_table(struct lit_syntax *syntax, struct ast_threads threads,
                             const struct ast_rows *rows)
{
    for (const struct ast_row *row = rows->first; row && threads.count; row = row->next) {
        if (row->cells.count != threads.count)
            lit_syntax_row(syntax, row->span, row->cells.count, threads.count);
        deal_row(&threads, row);
    }
    return threads;
}

/* ---- Conditions ---- */

struct ast_atom ast_atom_number(struct ast_number number)
{
    return (struct ast_atom){.kind = AST_ATOM_NUMBER, .number = number, .span = number.span};
}

struct ast_atom ast_atom_name(struct ast_name name, struct span span)
{
    return (struct ast_atom){.kind = AST_ATOM_NAME, .name = name, .span = span};
}

struct ast_atom ast_atom_element(struct ast_name name, struct ast_number index, struct span span)
{
    return (struct ast_atom){.kind = AST_ATOM_ELEMENT, .name = name, .number = index, .span = span};
}

struct ast_atom ast_atom_indexed(struct ast_name name, struct ast_name index, struct span span)
{
    return (struct ast_atom){.kind = AST_ATOM_ELEMENT, .name = name, .index = index, .span = span};
}

struct ast_atom ast_atom_member(struct ast_atom atom, struct ast_name member, struct span span)
{
    atom.member = member;
    atom.span = span;
    return atom;
}

struct ast_atom ast_atom_register(int64_t thread, struct ast_name name, struct span span)
{
    return (struct ast_atom){
        .kind = AST_ATOM_REGISTER, .name = name, .thread = thread, .span = span};
}

struct ast_prop *ast_prop_leaf(struct lit_syntax *syntax, enum lit_prop_op op, struct span span)
{
    struct ast_prop *prop = NEW(syntax, struct ast_prop, .op = op, .span = span);
    prop->depth = prop->weight = 1;
    return prop;
}

struct ast_prop *ast_prop_compare(struct lit_syntax *syntax, enum lit_operator compare,
                                  struct ast_atom left, struct ast_atom right, struct span span)
{
    struct ast_prop *prop = ast_prop_leaf(syntax, LIT_PROP_COMPARE, span);
    prop->compare = compare;
    prop->left = left;
    prop->right = right;
    return prop;
}

static uint32_t weigh_prop(const struct ast_prop *prop, enum lit_prop_op op)
{
    return prop->op == op ? prop->weight : 1;
}

static struct ast_prop *pair_props(struct lit_syntax *syntax, enum lit_prop_op op,
                                   struct ast_prop *a, struct ast_prop *b, struct span span)
{
    struct ast_prop *prop = ast_prop_leaf(syntax, op, span);
    prop->a = a;
    prop->b = b;
    prop->weight = weigh_prop(a, op) + (b ? weigh_prop(b, op) : 0);
    prop->depth = deeper(a->depth, b ? b->depth : 0) + 1;
    if (prop->depth <= AST_MAX_DEPTH)
        return prop;
    lit_syntax_too_deep(syntax, span);
    return ast_prop_leaf(syntax, LIT_PROP_TRUE, span);
}

struct ast_prop *ast_prop_join(struct lit_syntax *syntax, enum lit_prop_op op, struct ast_prop *a,
                               struct ast_prop *b, struct span span)
{
    bool balanced = op == LIT_PROP_AND || op == LIT_PROP_OR;
    while (balanced && a->depth > AST_LONG_CHAIN && a->op == op &&
           weigh_prop(a->b, op) <= weigh_prop(b, op)) {
        b = pair_props(syntax, op, a->b, b, cover(a->b->span, b->span));
        a = a->a;
    }
    return pair_props(syntax, op, a, b, span);
}

/* ---- The whole test ---- */

void ast_test_metadata(struct lit_syntax *syntax, const char *name, const char *text)
{
    struct ast_metadata *metadata = NEW(syntax, struct ast_metadata, .name = name, .text = text);
    APPEND(&syntax->test->metadata, metadata);
}

void ast_test_init(struct ast_test *test, struct ast_init *init)
{
    APPEND(&test->inits, init);
}

void ast_test_constants(struct ast_test *test, const struct ast_specs *specs,
                        struct ast_constants constants)
{
    for (struct ast_constant *constant = constants.first, *next; constant; constant = next) {
        next = constant->next;
        constant->next = NULL;
        if (specs)
            constant->specs = *specs;
        APPEND(&test->constants, constant);
    }
}

void ast_test_structure(struct lit_syntax *syntax, struct ast_name name, struct ast_fields fields)
{
    struct ast_structure *structure =
        NEW(syntax, struct ast_structure, .name = name, .fields = fields);
    APPEND(&syntax->test->structures, structure);
}

void ast_test_thread(struct ast_test *test, struct ast_thread *thread)
{
    APPEND(&test->threads, thread);
}

void ast_test_recovery(struct lit_syntax *syntax, bool restartable, struct ast_threads threads,
                       struct span span)
{
    struct ast_test *test = syntax->test;
    if (test->recovery_span.line) {
        diag_error(syntax->diag, DIAG_LIT_DUPLICATE, span,
                   "found a second recovery program; a test has one");
        return;
    }
    test->recovery_span = span;
    test->restartable = restartable;
    test->recovery = threads;
}

void ast_test_condition(struct lit_syntax *syntax, enum lit_when when,
                        enum lit_quantifier quantifier, struct ast_prop *prop, struct span span)
{
    struct ast_condition *condition = NEW(syntax, struct ast_condition, .when = when,
                                          .quantifier = quantifier, .prop = prop, .span = span);
    APPEND(&syntax->test->conditions, condition);
}

void ast_test_filter(struct lit_syntax *syntax, struct ast_prop *prop, struct span span)
{
    struct ast_test *test = syntax->test;
    test->filter =
        test->filter ? ast_prop_join(syntax, LIT_PROP_AND, test->filter, prop, span) : prop;
}

void ast_test_observe(struct lit_syntax *syntax, struct ast_atom atom)
{
    struct ast_atom *kept = KEEP(syntax, atom);
    APPEND(&syntax->test->observed, kept);
}

void ast_test_expect(struct lit_syntax *syntax, struct ast_name visibility,
                     struct ast_name persistency, struct ast_name engine, struct ast_name verdict,
                     struct span span)
{
    struct ast_expect *expect =
        NEW(syntax, struct ast_expect, .visibility = visibility, .persistency = persistency,
            .engine = engine, .verdict = verdict, .span = span);
    APPEND(&syntax->test->expects, expect);
}
