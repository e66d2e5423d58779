/* Constants and structures: what a test gives a name before it declares locations. A
 * constant expression is folded at once, by the operators that code is lowered with. */
#include "litmus/lit_lower.h"

#include <string.h>

/* ---- Constants ---- */

const struct lit_constant *lit_define_find(const struct lit_lower *lower, const char *name)
{
    return FIND(i, lower->constants.items, lower->constants.count,
                lower->constants.items[i].name == name);
}

static const struct lit_expr *evaluate(struct lit_lower *lower, const struct ast_expr *expr);

static void report_unknown(struct lit_lower *lower, const struct ast_name *name)
{
    const char *near =
        LIT_NEAREST(lower, name->text, lower->constants.items, lower->constants.count, name);
    LIT_FAULT(lower, DIAG_LIT_CONSTANT, name->span,
              near ? "there is no constant '%s' here; did you mean '%s'?"
                   : "there is no constant '%s' here; expected an integer, or a name that "
                     "'const' or 'enum' defines",
              name->text, near);
    diag_meant_by(lower->diag, name->span, name->text, near);
}

static const struct lit_expr *constant_of(struct lit_lower *lower, const struct ast_name *name)
{
    const struct lit_constant *constant = lit_define_find(lower, name->text);
    if (constant)
        return lit_evaluate_const(lower, constant->type, constant->value);
    report_unknown(lower, name);
    return NULL;
}

/* With the value of its left operand, or NULL. */
static const struct lit_expr *operation(struct lit_lower *lower, const struct ast_expr *expr,
                                        const struct lit_expr *a)
{
    const struct lit_expr *b = expr->b ? evaluate(lower, expr->b) : NULL;
    if (!a || (expr->b && !b))
        return NULL;
    if (b)
        lit_evaluate_check_divisor(lower, expr->op, b, expr->b->span);
    const struct lit_expr *result = lit_evaluate_apply(lower, expr->op, a, b);
    return result->op == LIT_OP_CONST ? result : NULL; /* no quotient, which is reported */
}

static const struct lit_expr *chain(struct lit_lower *lower, const struct ast_expr *expr)
{
    uint32_t count;
    const struct ast_expr *const *links = ast_chain(lower->arena, expr, &count);
    const struct lit_expr *value = evaluate(lower, links[0]->a);
    for (uint32_t i = 0; i < count; i++)
        value = operation(lower, links[i], value);
    return value;
}

static const struct lit_expr *choice(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct lit_expr *a = evaluate(lower, expr->a), *b = evaluate(lower, expr->b);
    const struct lit_expr *c = evaluate(lower, expr->c);
    return a && b && c ? lit_evaluate_select(lower, a, b, c) : NULL;
}

/* `ATOMIC_INIT(3)` and its like are what is in parentheses. */
static bool initialises(const struct ast_expr *expr)
{
    static const char *const names[] = {"ATOMIC_INIT", "ATOMIC_LONG_INIT", "ATOMIC64_INIT",
                                        "ATOMIC_VAR_INIT"};
    return ANY(i, sizeof names / sizeof *names,
               expr->args.count == 1 && strcmp(expr->name.text, names[i]) == 0);
}

uint32_t lit_define_size(enum lit_type type)
{
    return type == LIT_BOOL ? 1 : lit_type_bits(type) / 8;
}

/* As compilers lay it out: each member at a multiple of its size, the whole a multiple of the
 * largest. */
uint32_t lit_define_structure_size(const struct lit_structure *structure)
{
    uint32_t end = 0, largest = 1;
    for (uint32_t i = 0; i < structure->count; i++) {
        uint32_t size = lit_define_size(structure->fields[i].type);
        end = (end + size - 1) / size * size + size;
        largest = size > largest ? size : largest;
    }
    return (end + largest - 1) / largest * largest;
}

uint32_t lit_define_member_offset(const struct lit_symbol *symbol, uint32_t member)
{
    if (!symbol->structure || symbol->structure->row)
        return member * lit_define_size(symbol->type);
    uint32_t end = 0, size = 0;
    for (uint32_t i = 0; i <= member; i++) {
        size = lit_define_size(symbol->structure->fields[i].type);
        end = (end + size - 1) / size * size + size;
    }
    return end - size;
}

uint32_t lit_define_element_size(const struct lit_symbol *symbol)
{
    return symbol->structure && !symbol->structure->row
               ? lit_define_structure_size(symbol->structure)
               : symbol->size * lit_define_size(symbol->type);
}

/* Of a location of the initial block, or an element of one; NULL: it is neither. */
static const struct lit_expr *size_of_location(struct lit_lower *lower, const struct ast_expr *of)
{
    bool element = of->kind == AST_INDEX;
    const struct ast_expr *whole = element ? of->a : of;
    const struct lit_symbol *symbol =
        whole->kind == AST_NAME ? lit_declare_find(lower, whole->name.text) : NULL;
    if (!symbol || (element && !symbol->array))
        return NULL;
    return lit_evaluate_const(
        lower, LIT_ULONG, (int64_t)lit_define_element_size(symbol) * (element ? 1 : symbol->count));
}

const struct lit_expr *lit_define_type_size(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct lit_structure *structure = NULL;
    if (expr->name.text && !(structure = lit_define_structure(lower, &expr->name)))
        return NULL;
    return lit_evaluate_const(lower, LIT_ULONG,
                              structure ? lit_define_structure_size(structure)
                                        : lit_define_size(expr->type));
}

/* NULL after reporting. */
static const struct lit_expr *evaluate(struct lit_lower *lower, const struct ast_expr *expr)
{
    switch (expr->kind) {
    case AST_NUMBER: return lit_evaluate_const(lower, expr->type, expr->value);
    case AST_NAME: return constant_of(lower, &expr->name);
    case AST_UNARY: return operation(lower, expr, evaluate(lower, expr->a));
    case AST_BINARY: return chain(lower, expr);
    case AST_SELECT: return choice(lower, expr);
    case AST_CAST: {
        const struct lit_expr *a = evaluate(lower, expr->a);
        return a ? lit_evaluate_const(lower, expr->type, a->value) : NULL;
    }
    case AST_SIZE: {
        const struct lit_expr *size =
            expr->a ? size_of_location(lower, expr->a) : lit_define_type_size(lower, expr);
        if (size || !expr->a)
            return size;
        break;
    }
    case AST_CALL:
        if (initialises(expr))
            return evaluate(lower, expr->args.first);
        break;
    default: break;
    }
    LIT_FAULT(lower, DIAG_LIT_CONSTANT, expr->span,
              "this is not constant; expected integers, constants and operators only");
    return NULL;
}

static struct ast_number number_of(const struct lit_expr *value, struct span span)
{
    bool large = value->type == LIT_ULONG && value->value < 0;
    return (struct ast_number){value->value, large, false, span};
}

bool lit_define_number(struct lit_lower *lower, const struct ast_value *value,
                       struct ast_number *number)
{
    *number = value->number;
    if (!value->expr)
        return true;
    const struct lit_expr *result = evaluate(lower, value->expr);
    if (result)
        *number = number_of(result, value->span);
    return result != NULL;
}

bool lit_define_constant(struct lit_lower *lower, const struct ast_name *name,
                         struct ast_number *number)
{
    const struct lit_expr *value = constant_of(lower, name);
    if (value)
        *number = number_of(value, name->span);
    return value != NULL;
}

static void check_specs(struct lit_lower *lower, const struct ast_constant *ast)
{
    const struct ast_specs *specs = &ast->specs;
    if (specs->bits & (AST_NVM | AST_GLOBAL | AST_LOCAL) || specs->tags.count)
        LIT_FAULT(lower, DIAG_LIT_SPACE, specs->span,
                  "'%s' is a constant and lies in no memory; nvm, local, global and tags belong to "
                  "locations",
                  ast->name.text);
    else if (specs->bits & AST_ATOMIC || specs->structure.text)
        LIT_FAULT(lower, DIAG_LIT_TYPE, specs->span,
                  "'%s' is a constant; its type is int, uint, long or ulong", ast->name.text);
}

/* Of the type that is said, or of the value's own. */
static void define_value(struct lit_lower *lower, const struct ast_constant *ast,
                         struct lit_constant *constant)
{
    const struct lit_expr *value = evaluate(lower, ast->expr);
    if (!value)
        return;
    struct ast_number number = number_of(value, ast->expr->span);
    constant->value = value->value;
    constant->type = value->type;
    if (!ast_specs_has_type(&ast->specs))
        return;
    constant->type = ast_specs_type(&ast->specs);
    if (lit_declare_convert(lower, constant->type, &number, number.span))
        constant->value = number.value;
}

/* An enumerator without a value. */
static void define_next(struct lit_lower *lower, const struct ast_constant *ast,
                        struct lit_constant *constant)
{
    const struct lit_constant *before =
        ast->before ? lit_define_find(lower, ast->before->name.text) : NULL;
    if (!before)
        return;
    constant->type = before->type;
    constant->value = lit_value_wrap(before->type, (int64_t)((uint64_t)before->value + 1));
}

static bool report_twice(struct lit_lower *lower, const char *what, const struct ast_name *name,
                         const struct span *other)
{
    LIT_FAULT(lower, DIAG_LIT_DUPLICATE, name->span, "%s '%s' is defined twice; keep one", what,
              name->text);
    diag_note(lower->diag, *other, "'%s' is defined here", name->text);
    return false;
}

static void define_constant(struct lit_lower *lower, const struct ast_constant *ast)
{
    const struct lit_constant *other = lit_define_find(lower, ast->name.text);
    if (other) {
        (void)report_twice(lower, "constant", &ast->name, &other->span);
        return;
    }
    struct lit_constant constant = {
        .name = ast->name.text, .span = ast->name.span, .type = LIT_INT};
    check_specs(lower, ast);
    if (ast->expr)
        define_value(lower, ast, &constant);
    else
        define_next(lower, ast, &constant);
    VEC_PUSH(&lower->constants, constant);
}

/* ---- Structures ---- */

static const struct lit_structure *find_structure(const struct lit_lower *lower, const char *name)
{
    for (size_t i = 0; i < lower->structures.count; i++)
        if (lower->structures.items[i]->name == name)
            return lower->structures.items[i];
    return NULL;
}

const struct lit_structure *lit_define_structure(struct lit_lower *lower,
                                                 const struct ast_name *name)
{
    const struct lit_structure *structure = find_structure(lower, name->text);
    if (structure)
        return structure;
    VEC(const char *) names = {0};
    for (size_t i = 0; i < lower->structures.count; i++)
        VEC_PUSH(&names, lower->structures.items[i]->name);
    const char *near = diag_nearest(name->text, names.items, names.count);
    VEC_FREE(&names);
    LIT_FAULT(lower, DIAG_LIT_STRUCT, name->span,
              near ? "there is no struct '%s'; did you mean '%s'?"
                   : "there is no struct '%s'; define it before or in the initial block, as in "
                     "struct %s { int a; int b; };",
              name->text, near ? near : name->text);
    diag_meant_by(lower->diag, name->span, name->text, near);
    return NULL;
}

uint32_t lit_define_member(struct lit_lower *lower, const struct lit_symbol *symbol,
                           const struct ast_name *member)
{
    const struct lit_structure *structure = symbol->structure;
    if (!structure || structure->row) {
        LIT_FAULT(lower, DIAG_LIT_STRUCT, member->span, "'%s' is no struct and has no member '%s'",
                  symbol->name, member->text);
        return LIT_NONE;
    }
    for (uint32_t i = 0; i < structure->count; i++)
        if (structure->fields[i].base == member->text)
            return i;
    const char *near = DIAG_NEAREST(member->text, structure->fields, structure->count, base);
    LIT_FAULT(lower, DIAG_LIT_STRUCT, member->span,
              near ? "struct '%s' has no member '%s'; did you mean '%s'?"
                   : "struct '%s' has no member '%s'; expected one of its definition, such as '%s'",
              structure->name, member->text, near ? near : structure->fields[0].base);
    diag_meant_by(lower->diag, member->span, member->text, near);
    return LIT_NONE;
}

static bool check_field(struct lit_lower *lower, const struct lit_structure *structure,
                        const struct ast_field *ast)
{
    const struct ast_specs *specs = &ast->specs;
    for (uint32_t i = 0; i < structure->count; i++)
        if (structure->fields[i].base == ast->name.text)
            return report_twice(lower, "member", &ast->name, &structure->fields[i].span);
    if (specs->structure.text)
        LIT_FAULT(lower, DIAG_LIT_STRUCT, specs->span,
                  "'%s' would be a struct in a struct; write its members here", ast->name.text);
    else if (specs->bits & (AST_NVM | AST_GLOBAL | AST_LOCAL) || specs->tags.count)
        LIT_FAULT(lower, DIAG_LIT_SPACE, specs->span,
                  "'%s' is a member; say nvm, local, global or tags where a location of the struct "
                  "is declared",
                  ast->name.text);
    return !specs->structure.text;
}

/* A member, or all of an array; false after reporting that they are too many. */
static bool add_field(struct lit_lower *lower, struct lit_structure *structure,
                      const struct ast_field *ast)
{
    struct ast_number size = {.value = 1};
    if (ast->size && !lit_define_number(lower, ast->size, &size))
        return false;
    if (size.large || size.value < 1 || size.value > LIT_MAX_MEMBERS - (int64_t)structure->count) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, ast->size ? ast->size->span : ast->name.span,
                  "struct '%s' must have 1 to %d members, counting elements of arrays",
                  structure->name, LIT_MAX_MEMBERS);
        return false;
    }
    for (uint32_t i = 0; i < size.value; i++)
        structure->fields[structure->count++] = (struct lit_field){
            .name = ast->size ? arena_printf(lower->arena, "%s[%u]", ast->name.text, i)
                              : ast->name.text,
            .base = ast->name.text,
            .elements = ast->size ? (uint32_t)size.value : 0,
            .span = ast->name.span,
            .type = ast_specs_type(&ast->specs),
            .atomic = (ast->specs.bits & AST_ATOMIC) != 0,
            .operators = lit_declare_operators(lower, &ast->specs)};
    return true;
}

static void define_structure(struct lit_lower *lower, const struct ast_structure *ast)
{
    const struct lit_structure *other = find_structure(lower, ast->name.text);
    if (other) {
        (void)report_twice(lower, "struct", &ast->name, &other->span);
        return;
    }
    struct lit_structure *structure = ARENA_NEW(lower->arena, struct lit_structure);
    structure->name = ast->name.text;
    structure->span = ast->name.span;
    structure->fields = ARENA_ARRAY(lower->arena, struct lit_field, LIT_MAX_MEMBERS);
    for (const struct ast_field *field = ast->fields.first; field; field = field->next)
        if (check_field(lower, structure, field) && !add_field(lower, structure, field))
            return;
    if (structure->count)
        VEC_PUSH(&lower->structures, structure);
}

/* ---- Both ---- */

static bool is_before(const struct span *a, const struct span *b)
{
    return a->line < b->line || (a->line == b->line && a->column < b->column);
}

/* In the order of the text: either may be made of the other. */
void lit_define_all(struct lit_lower *lower)
{
    const struct ast_test *test = lower->test;
    if (test->constants.count > LIT_MAX_CONSTANTS || test->structures.count > LIT_MAX_CONSTANTS) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, test->header,
                  "this test has more than %d constants or structs", LIT_MAX_CONSTANTS);
        return;
    }
    const struct ast_structure *structure = test->structures.first;
    const struct ast_constant *constant = test->constants.first;
    while (structure || constant)
        if (!constant || (structure && is_before(&structure->name.span, &constant->name.span))) {
            define_structure(lower, structure);
            structure = structure->next;
        } else {
            define_constant(lower, constant);
            constant = constant->next;
        }
}
