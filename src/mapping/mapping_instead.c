/* Replaces statements: the instruction of a rule, and values evaluated as often as before. */
#include "mapping/mapping_run.h"
#include "litmus/lit_words.h"

static bool scope_of(const struct ast_expr *expr, const struct lit_call *known, uint32_t *scope)
{
    *scope = known->scope;
    for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next)
        if (arg->kind == AST_NAME && lit_word_class(arg->name.text, scope) == LIT_WORD_SCOPE)
            return true;
    return known->scoped != LIT_CALL_NEEDS_SCOPE;
}

/* Persist barriers have several names. */
static bool is_named(const struct ast_expr *expr, const struct lit_rule *rule)
{
    const struct lit_call *known = lit_word_function(expr->name.text);
    const struct lit_call *wanted = lit_word_function(rule->name);
    uint32_t scope;
    if (known && wanted && known->instr == LIT_PBARRIER && wanted->instr == LIT_PBARRIER)
        return scope_of(expr, known, &scope) && scope == (uint32_t)wanted->scope;
    return expr->name.text == rule->name && expr->args.count == rule->formal_count;
}

void mapping_replace(struct mapping_run *run, const struct lit_rule *rule, const char *const *args,
                     struct lit_region *region, const struct lit_spot *spot)
{
    mapping_lines lines = {0};
    SCOPED(strbuf) text = {0};
    struct span span = spot->stmt->extent;
    mapping_render(run, rule, rule->items, args, region, &lines);
    strbuf_add(&text, spot->braces ? "{ " : "");
    for (size_t i = 0; i < lines.count; i++)
        strbuf_printf(&text, "%s%s", i ? " " : "", lines.items[i]);
    strbuf_add(&text, spot->braces ? " }" : "");
    if (text.length)
        lit_edit_replace(&run->edits, lit_edit_begin(&run->edits, span),
                         lit_edit_end(&run->edits, span), strbuf_take(&text, run->arena));
    else
        lit_edit_drop(&run->edits, span, "");
    VEC_FREE(&lines);
    mapping_leave(run, span);
}

/* Does it do something but tell a value? */
static bool has_effect(const struct ast_expr *expr)
{
    if (!expr)
        return false;
    bool found = expr->kind == AST_ASSIGN || expr->kind == AST_STEP || expr->kind == AST_CALL ||
                 expr->kind == AST_METHOD || has_effect(expr->a) || has_effect(expr->b) ||
                 has_effect(expr->c);
    for (const struct ast_expr *arg = expr->args.first; arg && !found; arg = arg->next)
        found = has_effect(arg);
    return found;
}

/* Is it the same however often it is evaluated, whatever others do? `place`: it is not read. */
static bool is_fixed(const struct ast_expr *expr, bool place)
{
    switch (expr->kind) {
    case AST_NUMBER:
    case AST_NAME: return true;
    case AST_ADDRESS: return is_fixed(expr->a, true);
    case AST_DEREF:
    case AST_MEMBER: return place && is_fixed(expr->a, true);
    case AST_INDEX: return place && is_fixed(expr->a, true) && is_fixed(expr->b, false);
    case AST_UNARY:
    case AST_BINARY:
    case AST_SELECT:
    case AST_CAST:
        return is_fixed(expr->a, false) && (!expr->b || is_fixed(expr->b, false)) &&
               (!expr->c || is_fixed(expr->c, false));
    default: return false;
    }
}

/* How often a parameter is named in what the work-item at hand is given. */
static uint32_t uses_of(const struct mapping_run *run, const struct lit_item *item,
                        const char *formal)
{
    uint32_t count = 0;
    for (; item; item = item->next) {
        for (uint32_t i = 0; i < item->arg_count; i++)
            count += item->args[i] == formal;
        if (item->kind != LIT_ITEM_FIRST || run->first)
            count += uses_of(run, item->items, formal);
    }
    return count;
}

bool mapping_check_uses(struct mapping_run *run, const struct lit_rule *rule,
                        const struct ast_expr *const *values, uint32_t count)
{
    bool effect = false;
    for (uint32_t i = 0; i < count; i++)
        effect |= has_effect(values[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t uses = uses_of(run, rule->items, rule->formals[i]);
        bool good =
            uses == 1 || (uses ? !effect && is_fixed(values[i], true) : !has_effect(values[i]));
        if (good)
            continue;
        MAP_FAULT(run, values[i]->span,
                  uses ? "the mapping '%s' has this several times, and it might be another each "
                         "time; keep its value in a register before, and write that"
                       : "the mapping '%s' has nothing for this, which does something besides; "
                         "write that as a statement of its own",
                  run->mapping->name);
        return false;
    }
    return true;
}

bool mapping_instead(struct mapping_run *run, struct lit_region *region,
                     const struct lit_spot *spot)
{
    const struct ast_expr *expr = spot->stmt->kind == AST_S_EXPR ? spot->stmt->expr : NULL;
    if (!expr || (expr->kind != AST_CALL && expr->kind != AST_NAME))
        return false;
    for (const struct lit_rule *rule = region->scheme->rules; rule; rule = rule->next) {
        if (rule->kind != LIT_RULE_INSTRUCTION || !is_named(expr, rule))
            continue;
        const struct ast_expr *values[LIT_MAX_MAPPED_FORMALS];
        const char *args[LIT_MAX_MAPPED_FORMALS] = {NULL};
        uint32_t count = 0;
        for (const struct ast_expr *arg = expr->args.first; arg && count < rule->formal_count;
             arg = arg->next) {
            values[count] = arg;
            args[count++] = lit_edit_text(&run->edits, arg->span);
        }
        if (mapping_check_uses(run, rule, values, count))
            mapping_replace(run, rule, args, region, spot);
        else
            mapping_leave(run, spot->stmt->extent);
        return true;
    }
    return false;
}
