/* `switch`. The value is compared with one case after the other, then
 *
 *     t = value; BRANCH t != case 1; ..; JUMP default or the end; body
 *
 * in whose body each case is a place to jump to, so that a case goes on into the next one as in C.
 */
#include "litmus/lit_lower.h"

struct lit_choice {
    struct lit_choice *outer;
    const struct ast_stmt *stmt;
    uint32_t level, first; /* of the body's block; the branch of the first case */
    uint32_t jump;         /* to the default */
    bool has_default;
};

static bool is_repeated(const struct lit_lower *lower, uint32_t first, int64_t value)
{
    for (uint32_t i = first; i < lit_thread_here(lower); i++)
        if (lower->code.items[i].value->b->value == value)
            return true;
    return false;
}

static void branch(struct lit_lower *lower, const struct lit_expr *chosen,
                   const struct ast_stmt *stmt, uint32_t first)
{
    const struct ast_value value = {.expr = stmt->expr, .span = stmt->expr->span};
    struct ast_number number = {0};
    if (!lit_define_number(lower, &value, &number))
        number.value = 0;
    const struct lit_expr *constant = lit_evaluate_const(lower, chosen->type, number.value);
    if (is_repeated(lower, first, constant->value) && !diag_has_error_in(lower->diag, value.span))
        LIT_FAULT(lower, DIAG_LIT_DUPLICATE, value.span,
                  "this case stands twice in one 'switch'; keep one");
    const struct lit_expr *other =
        ARENA_MAKE(lower->arena, struct lit_expr, .op = LIT_OP_NE, .type = LIT_INT,
                   .operands = chosen->type, .a = chosen, .b = constant);
    lit_thread_emit(lower, LIT_BRANCH, stmt->span)->value = other;
}

static void check_default(struct lit_lower *lower, struct lit_choice *choice,
                          const struct ast_stmt *stmt)
{
    if (choice->has_default)
        LIT_FAULT(lower, DIAG_LIT_DUPLICATE, stmt->span,
                  "a 'switch' has one 'default'; keep one of them");
    choice->has_default = true;
}

/* The value is in a register of its own, which nothing assigns. */
static void choose(struct lit_lower *lower, struct lit_choice *choice)
{
    const struct ast_stmt *stmt = choice->stmt;
    const struct lit_expr *value = lit_evaluate(lower, stmt->expr);
    uint32_t kept = lit_thread_temporary(lower, lit_type_common(value->type, value->type));
    lit_evaluate_set(lower, kept, value, stmt->expr->span);
    choice->first = lit_thread_here(lower);
    for (const struct ast_stmt *at = stmt->a->body.first; at; at = at->next)
        if (at->kind == AST_S_CASE && at->expr)
            branch(lower, lit_evaluate_reg(lower, kept), at, choice->first);
        else if (at->kind == AST_S_CASE)
            check_default(lower, choice, at);
    choice->jump = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_JUMP, stmt->span);
}

void lit_switch_lower(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    struct lit_choice choice = {lower->choice, stmt, lower->level + 1, 0, 0, false};
    choose(lower, &choice);
    lower->choice = &choice;
    lit_loop_leave_by_break(lower, stmt->a);
    lower->choice = choice.outer;
    if (!choice.has_default)
        lit_thread_aim(lower, choice.jump, lit_thread_here(lower));
}

void lit_switch_case(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    struct lit_choice *choice = lower->choice;
    if (!choice || choice->level != lower->level) {
        LIT_FAULT(lower, DIAG_LIT_SYNTAX, stmt->span,
                  "'%s' stands right within the braces of a 'switch'; move it there",
                  stmt->expr ? "case" : "default");
        return;
    }
    uint32_t from = choice->jump, number = 0;
    for (const struct ast_stmt *at = choice->stmt->a->body.first; stmt->expr && at != stmt;
         at = at->next)
        number += at->kind == AST_S_CASE && at->expr;
    if (stmt->expr)
        from = choice->first + number;
    lit_thread_aim(lower, from, lit_thread_here(lower));
}
