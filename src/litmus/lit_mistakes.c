#include "litmus/lit_lower.h"

static const struct ast_param *parameter(const struct ast_thread *thread, const char *name)
{
    const struct ast_param *param = thread->params.first;
    while (param && param->name.text != name)
        param = param->next;
    return param;
}

static bool is_parameter(const struct ast_thread *thread, const char *name)
{
    return parameter(thread, name) != NULL;
}

static struct lit_symbol *symbol_called(const struct lit_lower *lower, const char *name)
{
    return &lower->symbols.items[lit_declare_find(lower, name) - lower->symbols.items];
}

static struct lit_symbol *symbol_of(const struct lit_lower *lower, const struct ast_name *name)
{
    return symbol_called(lower, name->text);
}

void lit_mistake_alone(struct lit_lower *lower, const struct ast_name *name)
{
    struct lit_symbol *symbol = symbol_of(lower, name);
    if (lower->quiet || symbol->alone == lower->thread || !is_parameter(lower->thread, name->text))
        return;
    symbol->alone = lower->thread;
    diag_warning(lower->diag, DIAG_LIT_POINTER, name->span,
                 "'%s' is a parameter, and so a pointer; taken as '*%s', the location it points "
                 "to: write that",
                 name->text, name->text);
}

void lit_mistake_operator(struct lit_lower *lower, const struct lit_place *place, struct span span)
{
    const struct ast_param *param =
        place->symbol ? parameter(lower->thread, place->symbol->name) : NULL;
    if (!param || lower->quiet || place->operators || !lit_declare_operators(lower, &param->specs))
        return;
    struct lit_symbol *symbol = symbol_of(lower, &param->name);
    if (!symbol->two_readings)
        diag_warning(lower->diag, DIAG_LIT_TYPE, span,
                     "this access to '%s' is a plain one, as herd reads it; C11 makes operators on "
                     "an atomic object seq_cst: write 'atomic_%s %s' in the initial block for that",
                     symbol->name, lit_declare_type_name(symbol->type), symbol->name);
    symbol->two_readings = true;
}

/* Has it been said of the place that an access is not what its type says? */
static bool *told_of(const struct lit_lower *lower, const struct lit_place *place)
{
    return place->field ? &place->field->two_readings
                        : &symbol_called(lower, place->symbol->name)->two_readings;
}

/* `x`, `a[..]`, `pool[..].flag` */
static const char *name_of(const struct lit_lower *lower, const struct lit_place *place)
{
    const struct lit_symbol *symbol = place->symbol;
    return arena_printf(lower->arena, "%s%s%s%s%s", symbol->name, symbol->array ? "[..]" : "",
                        place->field ? "." : "", place->field ? place->field->base : "",
                        place->field && place->field->elements ? "[..]" : "");
}

void lit_mistake_plain(struct lit_lower *lower, const struct lit_place *place, struct span span)
{
    const struct lit_symbol *symbol = place->symbol;
    if (lower->quiet || !symbol || symbol->mixed || lower->definitions.count ||
        lower->test->dialect->operators || *told_of(lower, place) ||
        !(place->field ? place->field->atomic : symbol->always_atomic))
        return;
    const char *name = name_of(lower, place);
    *told_of(lower, place) = true;
    diag_warning(lower->diag, DIAG_LIT_TYPE, span,
                 "this access to '%s' is a plain one, though the %s says that it is atomic; OpenCL "
                 "C has no operators on what is atomic: write '%s.store(..)' or '%s.load(..)'",
                 place->field ? name : symbol->name, place->field ? "struct" : "initial block",
                 name, name);
}

/* `[x] = 0` */
static bool is_bracketed(const struct span *name)
{
    size_t length;
    const char *at = source_slice(name, &length);
    while (at > name->source->text && strchr(" \t\r\n", at[-1]))
        at--;
    return at > name->source->text && at[-1] == '[';
}

/* In the text of a struct its members have types of their own. */
static void tell_member_method(struct lit_lower *lower, const struct lit_place *place,
                               struct span span)
{
    const char *type = lit_declare_type_name(place->type);
    if (place->field->atomic || place->field->two_readings)
        return;
    place->field->two_readings = true;
    diag_warning(lower->diag, DIAG_LIT_TYPE, span,
                 "'%s' is declared %s, and only what is atomic has methods; the access is taken as "
                 "atomic: write 'atomic_%s %s' in the struct",
                 name_of(lower, place), type, type, place->field->base);
}

void lit_mistake_method(struct lit_lower *lower, const struct lit_place *place, struct span span)
{
    const struct lit_symbol *symbol = place->symbol;
    if (!lower->quiet && !lower->expanding && place->field)
        tell_member_method(lower, place, span);
    if (lower->quiet || lower->expanding || symbol->atomic || symbol->two_readings || place->field)
        return;
    const struct ast_param *param = parameter(lower->thread, symbol->name);
    bool typed = symbol->init && ast_specs_has_type(&symbol->init->specs);
    if (!typed && !(param && ast_specs_has_type(&param->specs)))
        return;
    const char *type = lit_declare_type_name(symbol->type);
    const char *meant = arena_printf(lower->arena, "atomic_%s %s", type, symbol->name);
    symbol_called(lower, symbol->name)->two_readings = true;
    diag_warning(lower->diag, DIAG_LIT_TYPE, span,
                 "'%s' is declared %s, and only what is atomic has methods; the access is taken as "
                 "atomic: write '%s' in the initial block, and 'atomic_%s* %s' among parameters",
                 symbol->name, type, meant, type, symbol->name);
    if (symbol->init && !typed && !is_bracketed(&symbol->span))
        diag_meant_within(lower->diag, span, symbol->span, symbol->name, meant);
}

void lit_mistake_volatile(struct lit_lower *lower, struct lit_symbol *symbol,
                          const struct ast_specs *specs)
{
    symbol->is_volatile |= specs->bits & AST_VOLATILE;
    if (!(specs->bits & AST_VOLATILE) || symbol->atomic || !lower->definitions.count ||
        lower->told_volatile)
        return;
    lower->told_volatile = true;
    diag_warning(lower->diag, DIAG_LIT_TYPE, specs->span,
                 "'volatile' means nothing here: accesses to '%s' are plain, and some models call "
                 "a race with one undefined; where work-items share it, %s",
                 symbol->name,
                 lower->test->dialect->operators
                     ? arena_printf(lower->arena, "write 'atomic_%s %s' in the initial block",
                                    lit_declare_type_name(symbol->type), symbol->name)
                     : arena_printf(lower->arena, "use atomic functions, such as %s to read it",
                                    lit_mistake_read(lower, symbol->name)));
}

void lit_mistake_new(struct lit_lower *lower, const struct ast_param *param)
{
    const struct ast_name *name = &param->name;
    const struct lit_symbol *symbols = lower->symbols.items;
    const size_t count = lower->symbols.count;
    if (lower->quiet || param->specs.bits & AST_LOCAL ||
        !ANY(i, count, symbols[i].init && symbols[i].nvm))
        return;
    const char *near = DIAG_NEAREST(name->text, symbols, count, name);
    diag_warning(lower->diag, DIAG_LIT_POINTER, name->span,
                 "the initial block declares no '%s', so this is a volatile location of its own, 0 "
                 "at first: a parameter has the name of its location%s%s%s",
                 name->text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

void lit_mistake_undeclared(struct lit_lower *lower, const struct ast_name *name)
{
    struct lit_symbol *symbol = symbol_of(lower, name);
    if (lower->quiet || symbol->hidden || symbol->undeclared == lower->thread ||
        !lower->thread->params.count || is_parameter(lower->thread, name->text))
        return;
    symbol->undeclared = lower->thread;
    diag_warning(lower->diag, DIAG_LIT_POINTER, name->span,
                 "'%s' is not among the parameters of %s; taken as the location of that name: add "
                 "'%s%s* %s' to them",
                 name->text, lower->thread_name, symbol->atomic ? "atomic_" : "",
                 symbol->structure && !symbol->structure->row
                     ? arena_printf(lower->arena, "struct %s", symbol->structure->name)
                     : lit_declare_type_name(symbol->type),
                 name->text);
}

void lit_mistake_compares(struct lit_lower *lower, const struct ast_expr *expr)
{
    if (expr->kind == AST_BINARY && expr->op == LIT_OP_EQ && !lower->quiet)
        diag_warning(lower->diag, DIAG_LIT_UNUSED, expr->span,
                     "this compares, and nobody uses what comes out; '=' stores");
}

/* Does the line of `span` begin with a '*' and it? */
static bool begins_line_by_star(const struct span *span)
{
    size_t length;
    const char *at = source_slice(span, &length), *first = at - (span->column - 1);
    while (at > first && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    if (at == first || *--at != '*')
        return false;
    while (at > first && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == first;
}

bool lit_mistake_semicolon(struct lit_lower *lower, const struct ast_expr *expr)
{
    while (expr->kind == AST_BINARY && expr->op != LIT_OP_MUL)
        expr = expr->b;
    if (expr->kind != AST_BINARY || !begins_line_by_star(&expr->b->span))
        return false;
    const struct span *before = &expr->a->span;
    struct span place = {before->source, before->end_line, before->end_column, before->end_line,
                         before->end_column + 1};
    LIT_FAULT(lower, DIAG_LIT_SYNTAX, place,
              "most likely a ';' is missing here: the '*' at the beginning of line %u is taken for "
              "a product with what stands before it",
              expr->b->span.line);
    return true;
}

static uint32_t indentation(const struct span *span)
{
    size_t length;
    const char *line = source_slice(span, &length) - (span->column - 1), *at = line;
    while (*at == ' ' || *at == '\t')
        at++;
    return (uint32_t)(at - line) + 1;
}

/* A `for` is a block with its head and a loop. */
static const struct ast_stmt *loop_of(const struct ast_stmt *stmt)
{
    const struct ast_stmt *first = stmt->kind == AST_S_BLOCK ? stmt->body.first : NULL;
    return first && first->in_head ? first->next : stmt;
}

void lit_mistake_indented(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    const struct ast_stmt *head = loop_of(stmt), *behind = stmt->next;
    const struct ast_stmt *body = head->kind == AST_S_IF && head->b ? head->b : head->a;
    size_t length;
    if (lower->quiet || lower->expanding || !behind || !body || head->test_last ||
        body->kind == AST_S_BLOCK || body->kind == AST_S_IF || body->kind == AST_S_LOOP ||
        body->extent.line == head->span.line || behind->extent.line <= body->extent.end_line ||
        indentation(&behind->extent) != indentation(&body->extent) ||
        indentation(&body->extent) <= indentation(&head->span))
        return;
    const char *word = source_slice(&head->span, &length);
    diag_warning(lower->diag, DIAG_LIT_BODY, behind->extent,
                 "this stands as if the '%.*s' on line %u were about it, and is done in any case; "
                 "put both in braces, or indent it less",
                 (int)length, word, head->span.line);
}

void lit_mistake_empty(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    const struct ast_stmt *body = stmt->a, *behind = stmt->next;
    bool decides = stmt->kind == AST_S_IF && !stmt->b;
    bool repeats = stmt->kind == AST_S_LOOP && !stmt->test_last && behind &&
                   behind->kind == AST_S_BLOCK &&
                   !(behind->body.first && behind->body.first->in_head) &&
                   behind->extent.line <= body->extent.line + 1;
    if (lower->quiet || body->kind != AST_S_EMPTY || !(decides || repeats))
        return;
    diag_warning(lower->diag, DIAG_LIT_BODY, body->extent,
                 decides
                     ? "this ';' is all that the 'if' decides, and what follows it is done in "
                       "any case; leave the ';' out"
                     : "this ';' is all that is repeated, and the block behind it is done once; "
                       "leave the ';' out, or the braces");
}

static bool compares(const struct ast_expr *expr)
{
    return expr->kind == AST_BINARY && !expr->grouped &&
           (expr->op == LIT_OP_EQ || expr->op == LIT_OP_NE ||
            (expr->op >= LIT_OP_LT && expr->op <= LIT_OP_GE));
}

/* `!a`, `a == b`: beside it a '!' is meant as it is read. */
static bool is_truth(const struct ast_expr *expr)
{
    return (expr->kind == AST_UNARY && expr->op == LIT_OP_NOT) ||
           (expr->kind == AST_BINARY && expr->op >= LIT_OP_LT && expr->op <= LIT_OP_OR);
}

/* `x & 1 == 0`, `!x == 0` */
void lit_mistake_binding(struct lit_lower *lower, const struct ast_expr *expr)
{
    const bool masks =
        expr->op == LIT_OP_BITAND || expr->op == LIT_OP_BITOR || expr->op == LIT_OP_BITXOR;
    const struct ast_expr *a = expr->a, *b = expr->b;
    if (lower->quiet || lower->expanding)
        return;
    if (masks && compares(a) != compares(b))
        diag_warning(lower->diag, DIAG_LIT_CONSTANT, (compares(b) ? b : a)->span,
                     "this is compared first, as in C; put what '%s' joins in parentheses",
                     expr->op == LIT_OP_BITAND  ? "&"
                     : expr->op == LIT_OP_BITOR ? "|"
                                                : "^");
    if (compares(expr) && !is_truth(b) && a->kind == AST_UNARY && a->op == LIT_OP_NOT &&
        !a->grouped)
        diag_warning(lower->diag, DIAG_LIT_CONSTANT, expr->span,
                     "'!' is about the left side of the comparison alone, as in C; put what it is "
                     "about in parentheses");
}

void lit_mistake_chained(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct ast_expr *a = expr->a;
    bool compares = expr->op >= LIT_OP_LT && expr->op <= LIT_OP_GE;
    if (lower->quiet || !compares || a->kind != AST_BINARY || a->op < LIT_OP_LT ||
        a->op > LIT_OP_GE || a->span.line != expr->span.line || a->span.column != expr->span.column)
        return;
    diag_warning(
        lower->diag, DIAG_LIT_CONSTANT, expr->span,
        "this compares 0 or 1, which the comparison on its left gives; write 'a < b && b < "
        "c'");
}

/* `u > -1`; `u == -1` is how C asks for the largest value. */
static bool tell_negative(struct lit_lower *lower, const struct ast_expr *expr,
                          const struct lit_expr *a, const struct lit_expr *b)
{
    const struct lit_expr *constant = a->op == LIT_OP_CONST ? a : b, *value = a == constant ? b : a;
    const enum lit_type common = lit_type_common(a->type, b->type);
    SCOPED(strbuf) text = {0};
    if (expr->op < LIT_OP_LT || expr->op > LIT_OP_GE || constant->op != LIT_OP_CONST ||
        value->op == LIT_OP_CONST || !lit_type_is_signed(constant->type) || constant->value >= 0 ||
        lit_type_is_signed(common))
        return false;
    lit_value_print(common, lit_value_wrap(common, constant->value), &text);
    diag_warning(lower->diag, DIAG_LIT_CONSTANT, expr->span,
                 "this compares with %s: beside an unsigned value a negative constant is taken as "
                 "unsigned; declare it signed if it may be negative",
                 strbuf_text(&text));
    return true;
}

void lit_mistake_unsigned(struct lit_lower *lower, const struct ast_expr *expr,
                          const struct lit_expr *a, const struct lit_expr *b)
{
    int decided = lit_code_decided(expr->op, a, b);
    const bool turned = a->op == LIT_OP_CONST,
               is_signed = lit_type_is_signed((turned ? b : a)->type);
    if (lower->quiet || lower->expanding || tell_negative(lower, expr, a, b) || decided < 0)
        return;
    diag_warning(lower->diag, DIAG_LIT_CONSTANT, expr->span,
                 is_signed
                     ? "this is %s true: beside a 0 that is unsigned the other side is taken as "
                       "unsigned, and so never below 0; write '0' without a 'u'"
                     : "this is %s true, since what is unsigned is never below 0; declare it "
                       "signed if it is to be",
                 decided ? "always" : "never");
}

void lit_mistake_body(struct lit_lower *lower, const struct ast_stmt *loop)
{
    const struct ast_stmt *body = loop->a;
    size_t length;
    lit_mistake_empty(lower, loop);
    if (lower->quiet || body->kind == AST_S_BLOCK || body->kind == AST_S_EMPTY ||
        body->extent.line <= loop->span.line || *source_slice(&loop->span, &length) != 'w' ||
        indentation(&body->extent) > indentation(&loop->span))
        return;
    struct span place = body->extent;
    place.end_line = place.line;
    place.end_column = place.column + 1;
    diag_warning(lower->diag, DIAG_LIT_BODY, place,
                 "this is what the 'while' on line %u repeats; if it is to come behind, put a ';' "
                 "behind that one's ')', else indent it",
                 loop->span.line);
}

/* ---- A condition on the states after which no power fails ---- */

struct named {
    const struct lit_program *program;
    bool durable, other; /* locations in non-volatile memory; registers and other locations */
};

static void note_atom(void *context, const struct lit_atom *atom)
{
    struct named *named = context;
    if (atom->kind == LIT_ATOM_LOCATION && named->program->locations[atom->location].nvm)
        named->durable = true;
    else if (atom->kind != LIT_ATOM_CONST)
        named->other = true;
}

void lit_mistake_final(const struct lit_lower *lower)
{
    const struct lit_program *program = lower->program;
    const struct ast_condition *ast = lower->test->conditions.first;
    for (uint32_t i = 0; i < program->condition_count; i++, ast = ast->next) {
        struct named named = {.program = program};
        lit_prop_each_atom(program->conditions[i].prop, note_atom, &named);
        if (!ast->bare || !named.durable || named.other)
            continue;
        diag_warning(lower->diag, DIAG_LIT_FINAL, ast->span,
                     "this is about the end of the program, not about a crash; write 'crash' "
                     "before it for what a crash leaves, or 'final' to keep it as it is");
        const char *quantifier = lit_quantifier_text(ast->quantifier);
        diag_meant_by(lower->diag, ast->span, quantifier,
                      arena_printf(lower->arena, "crash %s", quantifier));
    }
}
