/* Expressions: loads become instructions in C's order of evaluation taken left to
 * right; what is left is an expression over registers. Where the right side of a
 * short circuit emits code, the short circuit is a branch; where it does not, it is
 * an operator, so branches are emitted first and taken back when they proved needless. */
#include "litmus/lit_lower.h"

#include "litmus/lit_words.h"

const struct lit_expr *lit_evaluate_const(struct lit_lower *lower, enum lit_type type,
                                          int64_t value)
{
    return ARENA_MAKE(lower->arena, struct lit_expr, .op = LIT_OP_CONST, .type = type,
                      .operands = type, .value = lit_value_wrap(type, value));
}

const struct lit_expr *lit_evaluate_reg(struct lit_lower *lower, uint32_t reg)
{
    enum lit_type type = lower->registers.items[reg].type;
    return ARENA_MAKE(lower->arena, struct lit_expr, .op = LIT_OP_REG, .type = type,
                      .operands = type, .reg = reg);
}

/* The constant that stands for a faulty expression. */
static const struct lit_expr *broken(struct lit_lower *lower)
{
    return lit_evaluate_const(lower, LIT_INT, 0);
}

static const struct lit_expr *fold(struct lit_lower *lower, const struct lit_expr *expr)
{
    const struct lit_expr *parts[] = {expr->a, expr->b, expr->c};
    int64_t values[3] = {0}, result;
    for (size_t i = 0; i < 3; i++) {
        if (parts[i] && parts[i]->op != LIT_OP_CONST)
            return expr;
        values[i] = parts[i] ? parts[i]->value : 0;
    }
    if (!lit_value_apply(expr->op, expr->operands, values[0], values[1], values[2], &result))
        return expr;
    return lit_evaluate_const(lower, expr->type, result);
}

static const struct lit_expr *operation(struct lit_lower *lower, enum lit_operator op,
                                        enum lit_type type, enum lit_type operands,
                                        const struct lit_expr *a, const struct lit_expr *b,
                                        const struct lit_expr *c)
{
    return fold(lower, ARENA_MAKE(lower->arena, struct lit_expr, .op = op, .type = type,
                                  .operands = operands, .a = a, .b = b, .c = c));
}

const struct lit_expr *lit_evaluate_apply(struct lit_lower *lower, enum lit_operator op,
                                          const struct lit_expr *a, const struct lit_expr *b)
{
    enum lit_type other = b ? b->type : a->type;
    bool shift = op == LIT_OP_SHL || op == LIT_OP_SHR;
    enum lit_type operands = lit_type_common(a->type, shift ? a->type : other);
    return operation(lower, op, lit_type_of_result(op, a->type, other), operands, a, b, NULL);
}

const struct lit_expr *lit_evaluate_select(struct lit_lower *lower, const struct lit_expr *a,
                                           const struct lit_expr *b, const struct lit_expr *c)
{
    enum lit_type type = lit_type_common(b->type, c->type);
    return operation(lower, LIT_OP_SELECT, type, type, a, b, c);
}

const struct lit_expr *lit_evaluate_cast(struct lit_lower *lower, enum lit_type type,
                                         const struct lit_expr *a)
{
    return a->type == type ? a : operation(lower, LIT_OP_CAST, type, type, a, NULL, NULL);
}

/* A temporary holds one value from its assignment on; so does a constant. */
const struct lit_expr *lit_evaluate_hold(struct lit_lower *lower, const struct lit_expr *value,
                                         const struct ast_expr *next)
{
    if (!next || !next->changes || value->op == LIT_OP_CONST ||
        (value->op == LIT_OP_REG && !lower->registers.items[value->reg].name))
        return value;
    uint32_t kept = lit_thread_temporary(lower, value->type);
    lit_evaluate_set(lower, kept, value, next->span);
    return lit_evaluate_reg(lower, kept);
}

/* A value that was just loaded into a temporary is loaded into `reg` instead. */
static bool redirect(struct lit_lower *lower, uint32_t reg, const struct lit_expr *value)
{
    if (value->op != LIT_OP_REG || lower->code.count == 0 ||
        lower->registers.items[value->reg].name)
        return false;
    struct lit_instr *last = &VEC_LAST(&lower->code);
    if (!lit_instruction_reads(last->op) || last->dst != value->reg)
        return false;
    last->dst = reg;
    if (value->reg + 1 == lower->registers.count)
        lower->registers.count--;
    return true;
}

void lit_evaluate_set(struct lit_lower *lower, uint32_t reg, const struct lit_expr *value,
                      struct span span)
{
    if (redirect(lower, reg, value))
        return;
    struct lit_instr *instr = lit_thread_emit(lower, LIT_SET, span);
    instr->dst = reg;
    instr->value = value;
}

const struct lit_expr *lit_evaluate_cut(struct lit_lower *lower, const struct lit_expr *value,
                                        uint32_t operators, struct span span)
{
    if ((operators + 1) % AST_LONG_CHAIN || value->op == LIT_OP_CONST)
        return value;
    uint32_t kept = lit_thread_temporary(lower, value->type);
    lit_evaluate_set(lower, kept, value, span);
    return lit_evaluate_reg(lower, kept);
}

/* ---- Reading and assigning ---- */

/* An access to the place by an operator (C11 6.5.16, 6.7.3): seq_cst where it is atomic. */
static struct lit_instr *emit_access(struct lit_lower *lower, enum lit_instr_op op,
                                     const struct lit_place *place, struct span span)
{
    struct lit_instr *instr = lit_thread_emit(lower, op, span);
    instr->addr = place->addr;
    if (place->operators) {
        instr->order = LIT_ORDER_SC;
        instr->scope = LIT_SCOPE_DV;
    }
    return instr;
}

const struct lit_expr *lit_evaluate_read(struct lit_lower *lower, const struct lit_place *place,
                                         struct span span)
{
    if (place->is_register)
        return lit_evaluate_reg(lower, place->reg);
    uint32_t into = lit_thread_temporary(lower, place->type);
    emit_access(lower, LIT_LOAD, place, span)->dst = into;
    return lit_evaluate_reg(lower, into);
}

/* Finds the register or the place that is read or assigned. */
static bool find_object(struct lit_lower *lower, const struct ast_expr *expr,
                        struct lit_place *place)
{
    bool found = lit_place_find(lower, expr, place);
    if (found && !place->is_register && expr->kind == AST_NAME)
        lit_mistake_alone(lower, &expr->name);
    if (found) {
        lit_mistake_operator(lower, place, expr->span);
        lit_mistake_plain(lower, place, expr->span);
    }
    return found;
}

static const struct lit_expr *read(struct lit_lower *lower, const struct ast_expr *expr)
{
    struct lit_place place;
    if (!find_object(lower, expr, &place))
        return broken(lower);
    return lit_evaluate_read(lower, &place, expr->span);
}

/* A register hides a constant of its name. */
static const struct lit_expr *read_name(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct lit_constant *constant = lit_define_find(lower, expr->name.text);
    if (!constant || lit_thread_find_local(lower, expr->name.text))
        return read(lower, expr);
    return lit_evaluate_const(lower, constant->type, constant->value);
}

void lit_evaluate_write(struct lit_lower *lower, const struct lit_place *place,
                        const struct lit_expr *value, struct span span)
{
    if (place->is_register) {
        lit_evaluate_set(lower, place->reg, value, span);
        return;
    }
    emit_access(lower, LIT_STORE, place, span)->value = value;
}

/* A divisor with a fault of its own is 0 for want of a value (`broken`). */
void lit_evaluate_check_divisor(struct lit_lower *lower, enum lit_operator op,
                                const struct lit_expr *divisor, struct span span)
{
    if ((op == LIT_OP_DIV || op == LIT_OP_MOD) && divisor->op == LIT_OP_CONST &&
        divisor->value == 0 && !diag_has_error_in(lower->diag, span))
        LIT_FAULT(lower, DIAG_LIT_DIVISION, span,
                  "this divides by zero; expected a divisor "
                  "that is not the constant 0");
}

/* There is no atomic arithmetic on bool (C11 7.17.7.5, paragraph 1). */
bool lit_evaluate_check_rmw(struct lit_lower *lower, const struct lit_place *place,
                            enum lit_rmw rmw, struct span span)
{
    bool refused = place->type == LIT_BOOL && rmw != LIT_RMW_EXCHANGE;
    if (refused)
        LIT_FAULT(lower, DIAG_LIT_TYPE, span,
                  "a bool has no atomic arithmetic; it has load, store, exchange and "
                  "compare_exchange: declare an int for more");
    return !refused;
}

/* `place op= value` on what is atomic: one read-modify-write, whose old value is the result. */
static const struct lit_expr *modify(struct lit_lower *lower, enum lit_operator op,
                                     const struct lit_place *place, const struct lit_expr *value,
                                     struct span span)
{
    enum lit_rmw rmw = LIT_RMW_ADD;
    while (rmw <= LIT_RMW_XOR && lit_rmw_operators[rmw] != op)
        rmw++;
    if (rmw > LIT_RMW_XOR) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, span,
                  "on an atomic object there are '=', '+=', '-=', '&=', '|=', '^=', '++' and '--'; "
                  "write another operator as a loop around atomic_compare_exchange_strong");
        return broken(lower);
    }
    if (!lit_evaluate_check_rmw(lower, place, rmw, span))
        return broken(lower);
    uint32_t into = lit_thread_temporary(lower, place->type);
    struct lit_instr *instr = emit_access(lower, LIT_RMW, place, span);
    instr->rmw = rmw;
    instr->value = value;
    instr->dst = into;
    return lit_evaluate_reg(lower, into);
}

void lit_evaluate_unsequenced(struct lit_lower *lower, uint32_t begin, uint32_t middle)
{
    for (uint32_t i = middle; begin < middle && i < lit_thread_here(lower); i++)
        lower->code.items[i].unsequenced = ARENA_MAKE(lower->arena, struct lit_range, begin, middle,
                                                      lower->code.items[i].unsequenced);
}

/* `place op= right`, or `place = right` with LIT_OP_CONST. Its operands are unsequenced; the store
 * comes after both (C11 6.5.16, paragraph 3). */
static const struct lit_expr *assign(struct lit_lower *lower, const struct ast_expr *expr)
{
    uint32_t begin = lit_thread_here(lower);
    struct lit_place place;
    bool known = find_object(lower, expr->a, &place);
    const struct lit_expr *old = NULL;
    if (known && place.addr.index)
        place.addr.index = lit_evaluate_hold(lower, place.addr.index, expr->b);
    if (known && expr->op != LIT_OP_CONST && !place.operators)
        old = lit_evaluate_hold(lower, lit_evaluate_read(lower, &place, expr->a->span), expr->b);
    uint32_t middle = lit_thread_here(lower);
    const struct lit_expr *value = lit_evaluate(lower, expr->b);
    lit_evaluate_unsequenced(lower, begin, middle);
    if (!known)
        return value;
    if (expr->op != LIT_OP_CONST && place.operators) {
        old = modify(lower, expr->op, &place, value, expr->span);
        return lit_evaluate_cast(lower, place.type,
                                 lit_evaluate_apply(lower, expr->op, old, value));
    }
    if (old) {
        lit_evaluate_check_divisor(lower, expr->op, value, expr->b->span);
        value = lit_evaluate_apply(lower, expr->op, old, value);
    }
    lit_evaluate_write(lower, &place, value, expr->span);
    return place.is_register ? lit_evaluate_reg(lower, place.reg)
                             : lit_evaluate_cast(lower, place.type, value);
}

/* ++ and --; `wanted`: the value is used, so the one before must be kept. */
static const struct lit_expr *step(struct lit_lower *lower, const struct ast_expr *expr,
                                   bool wanted)
{
    struct lit_place place;
    if (!find_object(lower, expr->a, &place))
        return broken(lower);
    const struct lit_expr *one = lit_evaluate_const(lower, LIT_INT, 1);
    const struct lit_expr *old = place.operators ? modify(lower, expr->op, &place, one, expr->span)
                                                 : lit_evaluate_read(lower, &place, expr->a->span);
    if (wanted && expr->post)
        old = lit_evaluate_hold(lower, old, expr);
    const struct lit_expr *new = lit_evaluate_apply(lower, expr->op, old, one);
    if (!place.operators)
        lit_evaluate_write(lower, &place, new, expr->span);
    if (expr->post)
        return old;
    return place.is_register ? lit_evaluate_reg(lower, place.reg)
                             : lit_evaluate_cast(lower, place.type, new);
}

/* ---- Short circuits ---- */

/* Takes back the code and registers since the marks. */
static void take_back(struct lit_lower *lower, uint32_t code, uint32_t registers)
{
    lower->code.count = code;
    lower->registers.count = registers;
}

/* A branch on a first operand, which decides what the expression's result is. */
static void emit_choice(struct lit_lower *lower, const struct ast_expr *expr,
                        const struct lit_expr *condition, uint32_t result)
{
    struct lit_instr *branch = lit_thread_emit(lower, LIT_BRANCH, expr->a->span);
    branch->value = condition;
    branch->decides = result;
}

/* a && b: t = 0; if (a) t = b != 0.   a || b: t = 1; if (!a) t = b != 0. */
static const struct lit_expr *short_circuit(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct lit_expr *a = lit_evaluate(lower, expr->a);
    uint32_t code = lit_thread_here(lower), registers = (uint32_t)lower->registers.count;
    uint32_t result = lit_thread_temporary(lower, LIT_INT);
    bool conjunction = expr->op == LIT_OP_AND;
    lit_evaluate_set(lower, result, lit_evaluate_const(lower, LIT_INT, !conjunction), expr->span);
    uint32_t branch = lit_thread_here(lower);
    emit_choice(lower, expr, conjunction ? a : lit_evaluate_apply(lower, LIT_OP_NOT, a, NULL),
                result);
    const struct lit_expr *b = lit_evaluate(lower, expr->b);
    if (lit_thread_here(lower) == branch + 1) {
        take_back(lower, code, registers);
        return lit_evaluate_apply(lower, expr->op, a, b);
    }
    const struct lit_expr *zero = lit_evaluate_const(lower, LIT_INT, 0);
    lit_evaluate_set(lower, result, lit_evaluate_apply(lower, LIT_OP_NE, b, zero), expr->b->span);
    lit_thread_aim(lower, branch, lit_thread_here(lower));
    return lit_evaluate_reg(lower, result);
}

static uint32_t set_and_note(struct lit_lower *lower, uint32_t reg, const struct lit_expr *value,
                             struct span span)
{
    struct lit_instr *set = lit_thread_emit(lower, LIT_SET, span);
    set->dst = reg;
    set->value = value;
    return lit_thread_here(lower) - 1;
}

static const struct lit_expr *choose(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct lit_expr *a = lit_evaluate(lower, expr->a);
    uint32_t code = lit_thread_here(lower), registers = (uint32_t)lower->registers.count;
    uint32_t result = lit_thread_temporary(lower, LIT_INT);
    emit_choice(lower, expr, a, result);
    const struct lit_expr *b = lit_evaluate(lower, expr->b);
    uint32_t yes = set_and_note(lower, result, b, expr->b->span);
    uint32_t jump = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_JUMP, expr->span);
    lit_thread_aim(lower, code, lit_thread_here(lower));
    const struct lit_expr *c = lit_evaluate(lower, expr->c);
    enum lit_type type = lit_type_common(b->type, c->type);
    if (yes == code + 1 && lit_thread_here(lower) == jump + 1) {
        take_back(lower, code, registers);
        return lit_evaluate_select(lower, a, b, c);
    }
    set_and_note(lower, result, c, expr->c->span);
    lit_thread_aim(lower, jump, lit_thread_here(lower));
    lower->registers.items[result].type = type;
    return lit_evaluate_reg(lower, result);
}

/* ---- All of them ---- */

static const struct lit_expr *binary(struct lit_lower *lower, const struct ast_expr *expr)
{
    if (expr->op == LIT_OP_AND || expr->op == LIT_OP_OR)
        return short_circuit(lower, expr);
    uint32_t begin = lit_thread_here(lower), count;
    const struct ast_expr *const *links = ast_chain(lower->arena, expr, &count);
    const struct lit_expr *a = lit_evaluate(lower, links[0]->a);
    for (uint32_t i = 0; i < count && !lower->too_large; i++) {
        const struct ast_expr *right = links[i]->b;
        lit_mistake_chained(lower, links[i]);
        lit_mistake_binding(lower, links[i]);
        a = lit_evaluate_hold(lower, lit_evaluate_cut(lower, a, i, right->span), right);
        uint32_t middle = lit_thread_here(lower);
        const struct lit_expr *b = lit_evaluate(lower, right);
        lit_evaluate_unsequenced(lower, begin, middle);
        lit_evaluate_check_divisor(lower, links[i]->op, b, right->span);
        lit_mistake_unsigned(lower, links[i], a, b);
        a = lit_evaluate_apply(lower, links[i]->op, a, b);
    }
    return a;
}

const struct lit_expr *lit_evaluate(struct lit_lower *lower, const struct ast_expr *expr)
{
    switch (expr->kind) {
    case AST_NUMBER: return lit_evaluate_const(lower, expr->type, expr->value);
    case AST_NAME: return read_name(lower, expr);
    case AST_DEREF:
    case AST_INDEX:
    case AST_MEMBER: return read(lower, expr);
    case AST_COMMA: lit_evaluate_effects(lower, expr->a); return lit_evaluate(lower, expr->b);
    case AST_UNARY: return lit_evaluate_apply(lower, expr->op, lit_evaluate(lower, expr->a), NULL);
    case AST_BINARY: return binary(lower, expr);
    case AST_SELECT: return choose(lower, expr);
    case AST_ASSIGN: return assign(lower, expr);
    case AST_STEP: return step(lower, expr, true);
    case AST_CAST: return lit_evaluate_cast(lower, expr->type, lit_evaluate(lower, expr->a));
    case AST_SIZE: return lit_place_size(lower, expr);
    case AST_CALL:
    case AST_METHOD: {
        const struct lit_expr *value = lit_access_call(lower, expr, true);
        return value ? value : broken(lower);
    }
    case AST_ADDRESS:
    case AST_OPERATOR: break;
    }
    LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span, "%s",
              expr->kind == AST_ADDRESS
                  ? "an address is no value here; pointers are not stored: store the number of an "
                    "element, and write a[i] for what it points to"
                  : "an operator is no value here; expected an integer");
    return broken(lower);
}

/* The value of the assignment that was lowered last; a register may have taken it. */
static const struct lit_expr *assigned(const struct lit_lower *lower, const struct lit_expr *value)
{
    const struct lit_instr *last = lower->code.count ? &VEC_LAST(&lower->code) : NULL;
    bool taken = value->op == LIT_OP_REG && last && last->op == LIT_SET && last->dst == value->reg;
    return taken ? last->value : value;
}

/* In `if ((a = b))` the parentheses of its own say in C that it is meant. */
const struct lit_expr *lit_evaluate_condition(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct lit_expr *value = lit_evaluate(lower, expr), *constant = assigned(lower, value);
    const bool assigns = expr->kind == AST_ASSIGN, always = constant->op == LIT_OP_CONST;
    const bool copies = assigns && expr->op == LIT_OP_CONST && expr->b->kind == AST_NAME &&
                        lit_thread_find_local(lower, expr->b->name.text);
    if (!assigns || lower->quiet || (!always && (!copies || expr->grouped)))
        return value;
    diag_warning(lower->diag, DIAG_LIT_CONSTANT, expr->span,
                 "this condition assigns, so that it %s",
                 !always ? "asks whether that value is 0; '==' compares, and parentheses of "
                           "its own, as in '((a = b))', say that it is meant"
                 : constant->value ? "is always true; '==' compares"
                                   : "is always false; '==' compares");
    if (expr->op == LIT_OP_CONST)
        diag_meant_by(lower->diag, expr->span, "=", "==");
    return value;
}

/* A name that stands alone is a call without parentheses, unless it is a value. */
static bool is_bare_call(const struct lit_lower *lower, const struct ast_expr *expr)
{
    return expr->kind == AST_NAME && !lit_thread_find_local(lower, expr->name.text) &&
           !lit_declare_find(lower, expr->name.text) && !lit_define_find(lower, expr->name.text);
}

void lit_evaluate_effects(struct lit_lower *lower, const struct ast_expr *expr)
{
    if (expr->kind == AST_CALL || expr->kind == AST_METHOD || is_bare_call(lower, expr))
        (void)lit_access_call(lower, expr, false);
    else if (expr->kind == AST_STEP)
        (void)step(lower, expr, false);
    else if (expr->kind == AST_COMMA) {
        lit_evaluate_effects(lower, expr->a);
        lit_evaluate_effects(lower, expr->b);
    } else {
        lit_mistake_compares(lower, expr);
        (void)lit_evaluate(lower, expr);
    }
}
