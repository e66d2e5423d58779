/* Loops. A loop without an inner one is first lowered as an await:
 *
 *     empty body:  AWAIT_BEGIN; condition; AWAIT_END
 *     else:        condition; BRANCH out; AWAIT_BEGIN; body; step; condition; AWAIT_END
 *                  (do-while: without the first test)
 *
 * and kept so when lit_await finds that iterations which do not leave the loop leave
 * no trace. Any other loop, one with `return` among them, is
 *
 *     top: condition; BRANCH out; LOOP; body; step; JUMP top          or, do-while,
 *     top: body; condition; BRANCH out; LOOP; JUMP top
 *
 * and `for (..; i < n && more; i++)` is counted by its first test alone:
 *
 *     top: i < n; BRANCH out; LOOP; more; BRANCH out; body; i++; JUMP top
 */
#include "litmus/lit_lower.h"

/* What lowering a loop may have to take back. */
struct mark {
    uint32_t code, registers, locals, loops;
    bool too_large;
};

static struct mark take_mark(const struct lit_lower *lower)
{
    return (struct mark){lit_thread_here(lower), (uint32_t)lower->registers.count,
                         (uint32_t)lower->locals.count, lower->loop_count, lower->too_large};
}

static void go_back(struct lit_lower *lower, const struct mark *mark)
{
    lower->code.count = mark->code;
    lower->registers.count = mark->registers;
    lower->locals.count = mark->locals;
    lower->loop_count = mark->loops;
    lower->too_large = mark->too_large;
}

static void enter(struct lit_lower *lower, struct lit_loop *loop, bool await, uint32_t errors)
{
    *loop =
        (struct lit_loop){.outer = lower->loop, .await = await, .flag = LIT_NONE, .errors = errors};
    lower->loop = loop;
}

static void leave(struct lit_lower *lower, struct lit_loop *loop)
{
    lower->loop = loop->outer;
    VEC_FREE(&loop->leaving);
    VEC_FREE(&loop->continuing);
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
    if (!loop) {
        LIT_FAULT(lower, DIAG_LIT_LOOP, stmt->span, "'%s' stands in no loop; remove it",
                  leaves ? "break" : "continue");
        return;
    }
    if (leaves && loop->await) {
        if (loop->flag == LIT_NONE)
            loop->flag = lit_thread_temporary(lower, LIT_INT);
        struct lit_instr *set = lit_thread_emit(lower, LIT_SET, stmt->span);
        set->dst = loop->flag;
        set->value = lit_evaluate_const(lower, LIT_INT, 0);
    }
    uint32_t jump = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_JUMP, stmt->span);
    if (leaves)
        VEC_PUSH(&loop->leaving, jump);
    else
        VEC_PUSH(&loop->continuing, jump);
}

/* The condition's value; a missing one is true. */
static const struct lit_expr *condition_of(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    return stmt->expr ? lit_evaluate(lower, stmt->expr) : lit_evaluate_const(lower, LIT_INT, 1);
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

static bool is_empty(const struct ast_stmt *stmt)
{
    if (stmt->kind != AST_S_BLOCK)
        return stmt->kind == AST_S_EMPTY;
    for (const struct ast_stmt *part = stmt->body.first; part; part = part->next)
        if (!is_empty(part))
            return false;
    return true;
}

/* ---- Loops without an exit ---- */

static bool accesses_memory(const struct lit_lower *lower, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end && i < lower->code.count; i++) {
        enum lit_instr_op op = lower->code.items[i].op;
        if (op == LIT_LOAD || op == LIT_RMW || op == LIT_CAS)
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
    if (lower->loop->leaving.count || stmt->has_return || never_true || faulty)
        return;
    if (condition->op == LIT_OP_CONST)
        LIT_FAULT(lower, DIAG_LIT_LOOP, stmt->span,
                  "this loop never ends: its condition is always true and no 'break' leaves it");
    else if (!accesses_memory(lower, at->condition, at->condition_end) &&
             !lit_await_assigns(lower, at->begin, condition))
        LIT_FAULT(lower, DIAG_LIT_LOOP, stmt->span,
                  "this loop never ends once it begins: nothing in it changes what its "
                  "condition reads, and no 'break' leaves it");
}

/* ---- As an await ---- */

/* Whether to spin again; a `break` says "no further" by the flag. */
static const struct lit_expr *close_await(struct lit_lower *lower, const struct ast_stmt *stmt,
                                          const struct lit_expr *again)
{
    struct lit_loop *loop = lower->loop;
    if (loop->flag != LIT_NONE) {
        struct lit_instr *set = lit_thread_emit(lower, LIT_SET, condition_span(stmt));
        set->dst = loop->flag;
        set->value = again;
        again = lit_evaluate_reg(lower, loop->flag);
    }
    aim_all(lower, loop->leaving.items, loop->leaving.count);
    return again;
}

static bool lower_await(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    bool empty = is_empty(stmt->a) && !stmt->step;
    uint32_t branch = LIT_NONE, number = lower->loop_count++;
    if (!empty && !stmt->test_last && stmt->expr) {
        const struct lit_expr *first = lit_evaluate(lower, stmt->expr);
        if (first->op != LIT_OP_CONST || !first->value) {
            branch = lit_thread_here(lower);
            lit_thread_emit(lower, LIT_BRANCH, stmt->expr->span)->value = first;
        }
    }
    uint32_t begin = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_AWAIT_BEGIN, stmt->span)->loop = number;
    if (!empty)
        lower_body(lower, stmt);
    struct extent at = {.begin = begin, .condition = lit_thread_here(lower)};
    const struct lit_expr *condition = condition_of(lower, stmt);
    at.condition_end = lit_thread_here(lower);
    const struct lit_expr *again = close_await(lower, stmt, condition);
    bool holds = !lower->too_large && lit_await_holds(lower, begin + 1, again);
    struct lit_instr *end = lit_thread_emit(lower, LIT_AWAIT_END, condition_span(stmt));
    end->loop = number;
    end->value = again;
    if (branch != LIT_NONE)
        lit_thread_aim(lower, branch, lit_thread_here(lower));
    if (holds)
        check_exit(lower, stmt, &at, condition);
    return holds;
}

/* ---- As a bounded loop ---- */

static uint32_t emit_exit(struct lit_lower *lower, const struct ast_stmt *stmt,
                          const struct lit_expr *condition)
{
    if (condition->op == LIT_OP_CONST && condition->value)
        return LIT_NONE;
    lit_thread_emit(lower, LIT_BRANCH, condition_span(stmt))->value = condition;
    return lit_thread_here(lower) - 1;
}

static bool mentions(const struct ast_expr *expr, const char *name)
{
    for (; expr; expr = expr->a)
        if ((expr->kind == AST_NAME && expr->name.text == name) || mentions(expr->b, name) ||
            mentions(expr->c, name))
            return true;
    return false;
}

/* Does the step of a loop assign a name that `expr` mentions? */
static bool steps(const struct ast_expr *step, const struct ast_expr *expr)
{
    if (step && step->kind == AST_COMMA)
        return steps(step->a, expr) || steps(step->b, expr);
    return step && (step->kind == AST_STEP || step->kind == AST_ASSIGN) &&
           step->a->kind == AST_NAME && mentions(expr, step->a->name.text);
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
                        const struct ast_expr *test, uint32_t number, bool first)
{
    if (is_conjunction(test)) {
        lower_tests(lower, stmt, test->a, number, first);
        lower_tests(lower, stmt, test->b, number, false);
        return;
    }
    const struct lit_expr *value = lit_evaluate(lower, test);
    VEC_PUSH(&lower->loop->leaving, lit_thread_here(lower));
    lit_thread_emit(lower, LIT_BRANCH, test->span)->value = value;
    if (first)
        lit_thread_emit(lower, LIT_LOOP, stmt->span)->loop = number;
}

static void lower_counted(struct lit_lower *lower, const struct ast_stmt *stmt, bool quiet)
{
    uint32_t top = lit_thread_here(lower);
    lower_tests(lower, stmt, stmt->expr, lower->loop_count++, true);
    lower_body(lower, stmt);
    lit_thread_emit(lower, LIT_JUMP, stmt->span)->target = top;
    aim_all(lower, lower->loop->leaving.items, lower->loop->leaving.count);
    lower->quiet = quiet;
}

/* `quiet` is what it was before a first attempt reported the faults in the loop. */
static void lower_bounded(struct lit_lower *lower, const struct ast_stmt *stmt, bool quiet)
{
    uint32_t number = lower->loop_count++;
    struct extent at = {.begin = lit_thread_here(lower)};
    if (stmt->test_last)
        lower_body(lower, stmt);
    at.condition = lit_thread_here(lower);
    const struct lit_expr *condition = condition_of(lower, stmt);
    at.condition_end = lit_thread_here(lower);
    uint32_t exit = emit_exit(lower, stmt, condition);
    lit_thread_emit(lower, LIT_LOOP, stmt->span)->loop = number;
    if (!stmt->test_last)
        lower_body(lower, stmt);
    lit_thread_emit(lower, LIT_JUMP, stmt->span)->target = at.begin;
    if (exit != LIT_NONE)
        lit_thread_aim(lower, exit, lit_thread_here(lower));
    aim_all(lower, lower->loop->leaving.items, lower->loop->leaving.count);
    lower->quiet = quiet;
    check_exit(lower, stmt, &at, condition);
}

static bool try_await(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    struct lit_loop loop;
    struct mark mark = take_mark(lower);
    enter(lower, &loop, true, lower->diag->errors);
    bool await = lower_await(lower, stmt);
    leave(lower, &loop);
    if (!await)
        go_back(lower, &mark);
    return await;
}

void lit_loop_lower(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    struct lit_loop loop;
    bool quiet = lower->quiet;
    uint32_t errors = lower->diag->errors;
    if (!stmt->a->has_loop && !stmt->a->has_return) {
        if (try_await(lower, stmt))
            return;
        lower->quiet = true;
    }
    enter(lower, &loop, false, errors);
    (is_counted(stmt) ? lower_counted : lower_bounded)(lower, stmt, quiet);
    leave(lower, &loop);
}
