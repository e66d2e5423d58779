/* A call of a definition is what its body is, with the arguments in the place of the parameters, as
 * they stand: an argument that the body has twice is evaluated twice. The body's tree is copied for
 * each call, with the call's place, and the copy is lowered like code of the test; arguments are
 * shared.
 */
#include "litmus/lit_lower.h"

struct expansion {
    struct lit_lower *lower;
    const struct lit_definition *definition;
    const struct ast_expr *arguments[LIT_MAX_FORMALS];
    struct span span; /* of the call */
};

const struct lit_definition *lit_expand_find(const struct lit_lower *lower,
                                             const struct ast_expr *expr)
{
    if (expr->kind == AST_METHOD || expr->bound)
        return expr->definition;
    return lit_uses_find(&lower->definitions, lower->definitions.count, expr->name.text);
}

/* ---- Copies ---- */

static struct ast_expr *copy_expr(struct expansion *expansion, const struct ast_expr *expr);

static void *copy(struct expansion *expansion, const void *node, size_t size)
{
    expansion->lower->expanded++;
    return arena_copy(expansion->lower->arena, node, size);
}

static const struct ast_expr *argument_of(const struct expansion *expansion,
                                          const struct ast_expr *expr)
{
    const struct lit_definition *definition = expansion->definition;
    for (uint32_t i = 0; i < definition->count && expr->kind == AST_NAME; i++)
        if (definition->formals[i] == expr->name.text)
            return expansion->arguments[i];
    return NULL;
}

static struct ast_expr *copy_part(struct expansion *expansion, struct ast_expr *whole,
                                  const struct ast_expr *part)
{
    if (!part)
        return NULL;
    struct ast_expr *made = copy_expr(expansion, part);
    whole->changes |= made->changes;
    return made;
}

/* A word in braces that is a parameter is replaced by the name that its argument is. */
static struct ast_tags copy_tags(struct expansion *expansion, const struct ast_tags *tags)
{
    struct ast_tags made = {0};
    for (const struct ast_tag *tag = tags->first; tag; tag = tag->next) {
        const struct ast_expr name = {.kind = AST_NAME, .name = tag->name};
        const struct ast_expr *argument = argument_of(expansion, &name);
        struct ast_tag *word = copy(expansion, tag, sizeof *tag);
        word->next = NULL;
        word->name.span = expansion->span;
        if (argument && argument->kind == AST_NAME)
            word->name = argument->name;
        else if (argument)
            LIT_FAULT(expansion->lower, DIAG_LIT_ARGUMENT, argument->span,
                      "'%s' takes a word here for '%s', such as a scope or a tag",
                      expansion->definition->name, tag->name.text);
        CHAIN_ADD(&made, word);
    }
    return made;
}

static struct ast_expr *copy_expr(struct expansion *expansion, const struct ast_expr *expr)
{
    const struct ast_expr *argument = argument_of(expansion, expr);
    struct ast_expr *made = copy(expansion, argument ? argument : expr, sizeof *expr);
    made->next = NULL;
    if (argument)
        return made;
    made->span = made->name.span = expansion->span;
    made->a = copy_part(expansion, made, expr->a);
    made->b = copy_part(expansion, made, expr->b);
    made->c = copy_part(expansion, made, expr->c);
    made->tags = copy_tags(expansion, &expr->tags);
    made->args = (struct ast_exprs){0};
    for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next)
        CHAIN_ADD(&made->args, copy_part(expansion, made, arg));
    return made;
}

static struct ast_stmt *copy_stmt(struct expansion *expansion, const struct ast_stmt *stmt)
{
    struct ast_stmt *made = copy(expansion, stmt, sizeof *stmt);
    made->next = NULL;
    made->span = expansion->span;
    made->expr = stmt->expr ? copy_expr(expansion, stmt->expr) : NULL;
    made->step = stmt->step ? copy_expr(expansion, stmt->step) : NULL;
    made->a = stmt->a ? copy_stmt(expansion, stmt->a) : NULL;
    made->b = stmt->b ? copy_stmt(expansion, stmt->b) : NULL;
    made->body = (struct ast_stmts){0};
    for (const struct ast_stmt *part = stmt->body.first; part; part = part->next)
        CHAIN_ADD(&made->body, copy_stmt(expansion, part));
    return made;
}

/* ---- A call ---- */

static bool take_arguments(struct expansion *expansion, const struct ast_expr *call)
{
    const struct lit_definition *definition = expansion->definition;
    uint32_t count = 0;
    if (call->args.count == definition->count) {
        for (const struct ast_expr *arg = call->args.first; arg; arg = arg->next)
            expansion->arguments[count++] = arg;
        return true;
    }
    SCOPED(strbuf) list = {0};
    for (uint32_t i = 0; i < definition->count; i++)
        strbuf_printf(&list, "%s%s", i ? ", " : "", definition->formals[i]);
    LIT_FAULT(expansion->lower, DIAG_LIT_ARGUMENT, call->span,
              "'%s' takes %u argument%s, found %u; write %s(%s)", definition->name,
              definition->count, definition->count == 1 ? "" : "s", call->args.count,
              definition->name, strbuf_text(&list));
    return false;
}

static bool has_no_tags(struct lit_lower *lower, const struct lit_definition *definition,
                        const struct ast_expr *call)
{
    if (call->tags.count)
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, call->tags.first->name.span,
                  "'%s' is a definition, whose instructions have their tags in its body; leave the "
                  "braces out, or give the body this tag",
                  definition->name);
    return !call->tags.count;
}

static bool is_called(struct lit_lower *lower, const struct lit_definition *definition,
                      const struct ast_expr *call)
{
    bool called = !lit_uses_is_uncalled(definition, call);
    if (!called)
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, call->span, LIT_USES_UNCALLED, definition->name,
                  definition->name);
    if (!called)
        diag_meant_by(lower->diag, call->span, definition->name,
                      arena_printf(lower->arena, "%s()", definition->name));
    return called;
}

/* May the call be expanded? Past a limit none is. */
static bool may_expand(struct lit_lower *lower, const struct lit_definition *definition,
                       struct span span)
{
    if (lower->expanded > AST_MAX_NODES) {
        if (lower->expanded <= 2 * AST_MAX_NODES) /* not said yet */
            LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, span,
                      "the definitions of this test make more than %d statements, operators and "
                      "names up to '%s' here; use fewer, or smaller ones",
                      AST_MAX_NODES, definition->name);
        lower->expanded = 2 * AST_MAX_NODES + 1;
        return false;
    }
    if (lower->expanding < LIT_MAX_EXPANDING)
        return true;
    if (!diag_has_error_in(lower->diag, span))
        LIT_FAULT(
            lower, DIAG_LIT_TOO_DEEP, span,
            "more than %d definitions are nested here, up to '%s'; give their values to registers",
            LIT_MAX_EXPANDING, definition->name);
    return false;
}

static const struct lit_expr *lower_copy(struct expansion *expansion, bool wanted)
{
    struct lit_lower *lower = expansion->lower;
    const struct lit_definition *definition = expansion->definition;
    struct ast_stmts body = {0};
    if (definition->value) {
        const struct ast_expr *value = copy_expr(expansion, definition->value);
        if (wanted)
            return lit_evaluate(lower, value);
        lit_evaluate_effects(lower, value);
        return NULL;
    }
    for (const struct ast_stmt *stmt = definition->body.first; stmt; stmt = stmt->next)
        CHAIN_ADD(&body, copy_stmt(expansion, stmt));
    lit_thread_expanded(lower, body.first);
    return NULL;
}

/* In reports an instruction has the name of the definition that it stands in. */
static const struct lit_expr *lower_named(struct expansion *expansion, bool wanted)
{
    struct lit_lower *lower = expansion->lower;
    const char *written = lower->written;
    struct span span = lower->written_span;
    lower->written = expansion->definition->name;
    lower->written_span = expansion->span;
    lower->expanding++;
    const struct lit_expr *result = lower_copy(expansion, wanted);
    lower->expanding--;
    lower->written = written;
    lower->written_span = span;
    return result;
}

/* Names the innermost and the outermost definition around a fault. */
static void tell_definition(struct lit_lower *lower, const struct lit_definition *definition)
{
    bool innermost = lower->told_errors != lower->diag->errors;
    if (innermost || (lower->expanding == 0 && lower->told != definition))
        diag_note(lower->diag, definition->span, "'%s' is defined here", definition->name);
    if (innermost)
        lower->told = definition;
    lower->told_errors = lower->diag->errors;
}

const struct lit_expr *lit_expand(struct lit_lower *lower, const struct lit_definition *definition,
                                  const struct ast_expr *call, bool wanted)
{
    struct expansion expansion = {.lower = lower, .definition = definition, .span = call->span};
    uint32_t errors = lower->diag->errors;
    if (wanted && !definition->value)
        LIT_FAULT(lower, DIAG_LIT_TYPE, call->span, "'%s' gives no value; use it as a statement",
                  definition->name);
    else if (is_called(lower, definition, call) && has_no_tags(lower, definition, call) &&
             may_expand(lower, definition, call->span) && take_arguments(&expansion, call)) {
        const struct lit_expr *result = lower_named(&expansion, wanted);
        if (lower->diag->errors == errors)
            return result;
    }
    if (lower->diag->errors > errors)
        tell_definition(lower, definition);
    return NULL;
}
