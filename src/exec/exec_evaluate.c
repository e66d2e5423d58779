/* Evaluates expressions of one run symbolically, with the reads they depend on. */
#include "exec/exec_run.h"

const struct exec_value *run_logic(struct runner *r, enum lit_operator op,
                                   const struct exec_value *a, const struct exec_value *b)
{
    return exec_value_apply(r->arena, op, LIT_INT, LIT_INT, a, b, NULL);
}

const struct exec_value *run_value_shift(struct runner *r, const struct exec_value *value,
                                         uint32_t from, uint32_t shift)
{
    if (!value || shift == 0 || value->op == LIT_OP_CONST)
        return value;
    const struct exec_value *a = run_value_shift(r, value->a, from, shift),
                            *b = run_value_shift(r, value->b, from, shift),
                            *c = run_value_shift(r, value->c, from, shift);
    bool shifts = value->op == LIT_OP_REG && value->read >= from;
    if (!shifts && a == value->a && b == value->b && c == value->c)
        return value;
    struct exec_value *copy = arena_copy(r->arena, value, sizeof *value);
    copy->a = a;
    copy->b = b;
    copy->c = c;
    copy->read += shifts ? shift : 0;
    return copy;
}

/* The disjunction of two faults, NULL being "never". */
static const struct exec_value *either(struct runner *r, const struct exec_value *a,
                                       const struct exec_value *b)
{
    return !a ? b : !b ? a : run_logic(r, LIT_OP_OR, a, b);
}

/* A fault of an operand that is computed only when `guard` is (or is not) true. */
static const struct exec_value *guarded(struct runner *r, const struct exec_value *guard,
                                        bool truth, const struct exec_value *fault)
{
    if (!fault)
        return NULL;
    const struct exec_value *condition = truth ? guard : run_logic(r, LIT_OP_NOT, guard, NULL);
    return run_logic(r, LIT_OP_AND, condition, fault);
}

static const struct exec_value *fault_of(struct runner *r, const struct lit_expr *expr,
                                         const struct run_value *a, const struct run_value *b,
                                         const struct run_value *c)
{
    if (expr->op == LIT_OP_AND || expr->op == LIT_OP_OR)
        return either(r, a->fault, guarded(r, a->value, expr->op == LIT_OP_AND, b->fault));
    if (expr->op == LIT_OP_SELECT)
        return either(
            r, a->fault,
            either(r, guarded(r, a->value, true, b->fault), guarded(r, a->value, false, c->fault)));
    const struct exec_value *fault = either(r, a->fault, either(r, b->fault, c->fault));
    if (expr->op == LIT_OP_DIV || expr->op == LIT_OP_MOD) {
        const struct exec_value *divisor = exec_value_cast(r->arena, expr->operands, b->value);
        fault = either(r, fault, run_logic(r, LIT_OP_NOT, divisor, NULL));
    }
    return fault;
}

static struct run_value evaluate_operator(struct runner *r, const struct run *run,
                                          const struct lit_expr *expr)
{
    struct run_value a = {0}, b = {0}, c = {0}, out = {0};
    if (expr->a)
        a = run_evaluate(r, run, expr->a);
    if (expr->b)
        b = run_evaluate(r, run, expr->b);
    if (expr->c)
        c = run_evaluate(r, run, expr->c);
    out.deps = a.deps;
    run_deps_join(r, &out.deps, &b.deps);
    run_deps_join(r, &out.deps, &c.deps);
    out.fault = fault_of(r, expr, &a, &b, &c);
    out.value =
        exec_value_apply(r->arena, expr->op, expr->type, expr->operands, a.value, b.value, c.value);
    return out;
}

struct run_value run_evaluate(struct runner *r, const struct run *run, const struct lit_expr *expr)
{
    if (expr->op == LIT_OP_CONST)
        return (struct run_value){.value = exec_value_const(r->arena, expr->type, expr->value)};
    if (expr->op == LIT_OP_REG) {
        BASE_ASSERT(expr->reg < r->thread->register_count);
        return (struct run_value){.value = run->registers[expr->reg],
                                  .deps = run->register_deps[expr->reg]};
    }
    return evaluate_operator(r, run, expr);
}

const struct lit_instr *run_instr(const struct runner *r, const struct run *run)
{
    BASE_ASSERT(run->pc < r->thread->code_count);
    return &r->thread->code[run->pc];
}

bool run_survives(struct runner *r, struct run *run, const struct run_value *value)
{
    if (value->value->size > EXEC_MAX_VALUE_SIZE || !run_deps_fit(&value->deps)) {
        run_end_too_long(r, run, run_instr(r, run));
        return false;
    }
    struct run *faulty = value->fault ? run_where(r, run, value->fault) : NULL;
    if (!faulty)
        return true;
    run_end(r, faulty, EXEC_AT_FAULT, run_instr(r, run));
    if (exec_value_is_const(value->fault))
        return false;
    run_constrain(r, run, value->fault, false);
    return true;
}

const struct exec_value *run_index_is(struct runner *r, const struct exec_value *index,
                                      uint32_t element)
{
    BASE_ASSERT(index);
    return exec_value_apply(r->arena, LIT_OP_EQ, LIT_INT, LIT_LONG, index,
                            exec_value_const(r->arena, LIT_LONG, element), NULL);
}

void run_split_outside(struct runner *r, const struct run *run, const struct exec_value *number,
                       uint32_t low, uint32_t high)
{
    BASE_ASSERT(low <= high);
    const struct exec_value *least = exec_value_const(r->arena, LIT_LONG, low);
    const struct exec_value *most = exec_value_const(r->arena, LIT_LONG, high);
    const struct exec_value *outside = run_logic(
        r, LIT_OP_OR, exec_value_apply(r->arena, LIT_OP_LT, LIT_INT, LIT_LONG, number, least, NULL),
        exec_value_apply(r->arena, LIT_OP_GT, LIT_INT, LIT_LONG, number, most, NULL));
    struct run *faulty = run_where(r, run, outside);
    if (faulty)
        run_end(r, faulty, EXEC_AT_FAULT, run_instr(r, run));
}
