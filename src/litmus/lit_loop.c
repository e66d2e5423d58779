/* Loops. A loop is
 *
 *     top: AWAIT; condition; BRANCH out; LOOP; AWAIT; body; step; JUMP top          or, do-while,
 *     top: AWAIT; body; condition; BRANCH out; LOOP; JUMP top
 *
 * and `for (..; i < n && more; i++)` is counted by its first test alone:
 *
 *     top: AWAIT; i < n; BRANCH out; LOOP; AWAIT; more; BRANCH out; body; i++; JUMP top
 *
 * Of the two places where it may wait, lit_await keeps one or none.
 */
#include "litmus/lit_lower.h"

static void enter(struct lit_lower *lower, struct lit_loop *loop)
{
    *loop = (struct lit_loop){
        .outer = lower->loop, .number = lower->loop_count++, .errors = lower->diag->errors};
    lower->loop = loop;
}

static void leave(struct lit_lower *lower, struct lit_loop *loop)
{
    lower->loop = loop->outer;
    VEC_FREE(&loop->leaving);
    VEC_FREE(&loop->continuing);
    VEC_FREE(&loop->awaits);
}

static void aim_all(struct lit_lower *lower, const uint32_t *jumps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        lit_thread_aim(lower, jumps[i], lit_thread_here(lower));
}

void lit_loop_jump(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    struct lit_loop *loop = lower->loop;
    bool leaves = stmt->kind == AST_S_BREAK;
    while (loop && loop->chooses && !leaves)
        loop = loop->outer;
    if (!loop) {
        LIT_FAULT(lower, DIAG_LIT_LOOP, stmt->span, "'%s' stands in no loop; remove it",
                  leaves ? "break" : "continue");
        return;
    }
    uint32_t jump = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_JUMP, stmt->span);
    if (leaves)
        VEC_PUSH(&loop->leaving, jump);
    else
        VEC_PUSH(&loop->continuing, jump);
}

void lit_loop_leave_by_break(struct lit_lower *lower, const struct ast_stmt *body)
{
    struct lit_loop chooses = {.outer = lower->loop, .chooses = true};
    lower->loop = &chooses;
    lit_thread_scoped(lower, body);
    aim_all(lower, chooses.leaving.items, chooses.leaving.count);
    leave(lower, &chooses);
}

/* The condition's value; a missing one is true. */
static const struct lit_expr *condition_of(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    return stmt->expr ? lit_evaluate_condition(lower, stmt->expr)
                      : lit_evaluate_const(lower, LIT_INT, 1);
}

static struct span condition_span(const struct ast_stmt *stmt)
{
    return stmt->expr ? stmt->expr->span : stmt->span;
}

static void lower_body(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    struct lit_loop *loop = lower->loop;
    lit_thread_scoped(lower, stmt->a);
    aim_all(lower, loop->continuing.items, loop->continuing.count);
    if (stmt->step)
        lit_evaluate_effects(lower, stmt->step);
}

/* ---- Loops without an exit ---- */

static bool reads_memory(const struct lit_lower *lower, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end && i < lower->code.count; i++)
        if (lit_instruction_reads(lower->code.items[i].op))
            return true;
    return false;
}

static bool uses(const struct lit_expr *expr, uint32_t reg)
{
    return expr && ((expr->op == LIT_OP_REG && expr->reg == reg) || uses(expr->a, reg) ||
                    uses(expr->b, reg) || uses(expr->c, reg));
}

/* Is a register that `expr` uses assigned from `begin` on? */
static bool assigns(const struct lit_lower *lower, uint32_t begin, const struct lit_expr *expr)
{
    for (size_t i = begin; i < lower->code.count; i++) {
        const struct lit_instr *instr = &lower->code.items[i];
        if ((instr->dst != LIT_NONE && uses(expr, instr->dst)) ||
            (instr->dst_old != LIT_NONE && uses(expr, instr->dst_old)))
            return true;
    }
    return false;
}

/* Where an iteration begins, and the code of its condition. */
struct extent {
    uint32_t begin, condition, condition_end;
};

static void check_exit(struct lit_lower *lower, const struct ast_stmt *stmt,
                       const struct extent *at, const struct lit_expr *condition)
{
    bool never_true = condition->op == LIT_OP_CONST && condition->value == 0;
    bool faulty = lower->loop->errors != lower->diag->errors;
    if (stmt->has_return || never_true || faulty)
        return;
    if (condition->op == LIT_OP_CONST)
        LIT_FAULT(lower, DIAG_LIT_LOOP, stmt->span,
                  "this loop never ends: its condition is always true and no 'break' leaves it");
    else if (!reads_memory(lower, at->condition, at->condition_end) &&
             !assigns(lower, at->begin, condition))
        LIT_FAULT(lower, DIAG_LIT_LOOP, stmt->span,
                  "this loop never ends once it begins: nothing in it changes what its "
                  "condition reads, and no 'break' leaves it");
}

/* ---- Lowering ---- */

static void emit_await(struct lit_lower *lower, const struct ast_stmt *stmt, uint32_t top)
{
    struct lit_instr *await = lit_thread_emit(lower, LIT_AWAIT, condition_span(stmt));
    await->loop = lower->loop->number;
    await->begin = top;
    await->statement = &stmt->span;
    VEC_PUSH(&lower->loop->awaits, lit_thread_here(lower) - 1);
}

/* Emits the jump back, and sets the targets of what leaves the loop. */
static void close_loop(struct lit_lower *lower, const struct ast_stmt *stmt, uint32_t top)
{
    const struct lit_loop *loop = lower->loop;
    lit_thread_emit(lower, LIT_JUMP, stmt->span)->target = top;
    aim_all(lower, loop->leaving.items, loop->leaving.count);
    aim_all(lower, loop->awaits.items, loop->awaits.count);
}

static void emit_exit(struct lit_lower *lower, const struct ast_stmt *stmt,
                      const struct lit_expr *condition)
{
    if (condition->op == LIT_OP_CONST && condition->value)
        return;
    VEC_PUSH(&lower->loop->leaving, lit_thread_here(lower));
    lit_thread_emit(lower, LIT_BRANCH, condition_span(stmt))->value = condition;
}

static void emit_loop(struct lit_lower *lower, const struct ast_stmt *stmt, uint32_t top)
{
    lit_thread_emit(lower, LIT_LOOP, stmt->span)->loop = lower->loop->number;
    if (!stmt->test_last)
        emit_await(lower, stmt, top);
}

bool lit_loop_mentions(const struct ast_expr *expr, const char *name)
{
    for (; expr; expr = expr->a)
        if ((expr->kind == AST_NAME && expr->name.text == name) ||
            lit_loop_mentions(expr->b, name) || lit_loop_mentions(expr->c, name))
            return true;
    return false;
}

/* Does the step of a loop assign a name that `expr` mentions? */
static bool steps(const struct ast_expr *step, const struct ast_expr *expr)
{
    if (step && step->kind == AST_COMMA)
        return steps(step->a, expr) || steps(step->b, expr);
    return step && (step->kind == AST_STEP || step->kind == AST_ASSIGN) &&
           step->a->kind == AST_NAME && lit_loop_mentions(expr, step->a->name.text);
}

static bool is_conjunction(const struct ast_expr *expr)
{
    return expr && expr->kind == AST_BINARY && expr->op == LIT_OP_AND;
}

static bool is_counted(const struct ast_stmt *stmt)
{
    const struct ast_expr *first = stmt->expr;
    while (is_conjunction(first))
        first = first->a;
    return !stmt->test_last && is_conjunction(stmt->expr) && steps(stmt->step, first);
}

/* The tests from left to right; LOOP stands behind the first. */
static void lower_tests(struct lit_lower *lower, const struct ast_stmt *stmt,
                        const struct ast_expr *test, uint32_t top, bool first)
{
    if (is_conjunction(test)) {
        lower_tests(lower, stmt, test->a, top, first);
        lower_tests(lower, stmt, test->b, top, false);
        return;
    }
    const struct lit_expr *value = lit_evaluate(lower, test);
    VEC_PUSH(&lower->loop->leaving, lit_thread_here(lower));
    lit_thread_emit(lower, LIT_BRANCH, test->span)->value = value;
    if (first)
        emit_loop(lower, stmt, top);
}

static void lower_counted(struct lit_lower *lower, const struct ast_stmt *stmt, uint32_t top)
{
    lower_tests(lower, stmt, stmt->expr, top, true);
    lower_body(lower, stmt);
    close_loop(lower, stmt, top);
}

static void lower_plain(struct lit_lower *lower, const struct ast_stmt *stmt, uint32_t top)
{
    struct extent at = {.begin = top};
    if (stmt->test_last)
        lower_body(lower, stmt);
    at.condition = lit_thread_here(lower);
    const struct lit_expr *condition = condition_of(lower, stmt);
    at.condition_end = lit_thread_here(lower);
    bool leaves = lower->loop->leaving.count > 0;
    emit_exit(lower, stmt, condition);
    emit_loop(lower, stmt, top);
    if (!stmt->test_last) {
        size_t tests = lower->loop->leaving.count;
        lower_body(lower, stmt);
        leaves = lower->loop->leaving.count > tests;
    }
    close_loop(lower, stmt, top);
    if (!leaves)
        check_exit(lower, stmt, &at, condition);
}

void lit_loop_lower(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    struct lit_loop loop;
    uint32_t top = lit_thread_here(lower);
    lit_mistake_body(lower, stmt);
    enter(lower, &loop);
    emit_await(lower, stmt, top);
    (is_counted(stmt) ? lower_counted : lower_plain)(lower, stmt, top);
    leave(lower, &loop);
}
