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

/* What takes the place of an expression with a fault. */
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

static const struct lit_expr *cast(struct lit_lower *lower, enum lit_type type,
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

/* ---- Places ---- */

static void report_unknown(struct lit_lower *lower, const struct ast_name *name)
{
    if (lower->quiet)
        return;
    uint32_t ignored;
    if (lit_word_class(name->text, &ignored) != LIT_WORD_OTHER || lit_word_function(name->text)) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, name->span, "'%s' is no value; it belongs in a call",
                  name->text);
        return;
    }
    VEC(const char *) names = {0};
    if (lit_lower_errors(lower) < DIAG_MAX_KEPT) {
        for (size_t i = 0; i < lower->locals.count; i++)
            VEC_PUSH(&names, lower->locals.items[i].name);
        for (size_t i = 0; i < lower->symbols.count; i++)
            VEC_PUSH(&names, lower->symbols.items[i].name);
        for (size_t i = 0; i < lower->constants.count; i++)
            VEC_PUSH(&names, lower->constants.items[i].name);
    }
    const char *near = diag_nearest(name->text, names.items, names.count), *meant;
    const char *advice = near ? NULL : lit_word_foreign_function(lower->arena, name->text, &meant);
    VEC_FREE(&names);
    if (advice) {
        LIT_FAULT(lower, DIAG_LIT_UNBOUND, name->span, "there is no '%s' here; %s", name->text,
                  advice);
        return;
    }
    if (!near && lit_lower_errors(lower) < DIAG_MAX_KEPT)
        near = lit_word_nearest_call(name->text, false);
    LIT_FAULT(lower, DIAG_LIT_UNBOUND, name->span,
              near ? "'%s' is no register of %s and no location; did you mean '%s'?"
                   : "'%s' is no register of %s and no location; declare it, or name it among "
                     "the parameters",
              name->text, lower->thread_name, near);
    diag_meant_by(lower->diag, name->span, name->text, near);
}

/* The value so far, in a temporary after every so many operators of a chain, for expressions are
 * walked by recursion. */
static const struct lit_expr *cut(struct lit_lower *lower, const struct lit_expr *value,
                                  uint32_t operators, struct span span)
{
    if ((operators + 1) % AST_LONG_CHAIN || value->op == LIT_OP_CONST)
        return value;
    uint32_t kept = lit_thread_temporary(lower, value->type);
    lit_evaluate_set(lower, kept, value, span);
    return lit_evaluate_reg(lower, kept);
}

/* An address before it is a place: an element of a symbol, or a member of one. */
struct pointer {
    const struct lit_symbol *symbol;
    const struct lit_expr *index; /* NULL: 0 */
    uint32_t member;              /* LIT_NONE: the whole element */
    const struct lit_expr *inner; /* into a row, or into a member that is an array; NULL: none */
    struct span span;
};

static bool pointer_of(struct lit_lower *lower, const struct ast_expr *expr,
                       struct pointer *pointer);

static bool pointer_of_name(struct lit_lower *lower, const struct ast_name *name,
                            struct pointer *pointer)
{
    if (lit_thread_find_local(lower, name->text)) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, name->span,
                  "'%s' is a register of %s and has no address; expected a location", name->text,
                  lower->thread_name);
        return false;
    }
    pointer->symbol = lit_declare_find(lower, name->text);
    if (!pointer->symbol && lit_define_find(lower, name->text))
        LIT_FAULT(lower, DIAG_LIT_CONSTANT, name->span,
                  "'%s' is a constant: it cannot be assigned and has no address", name->text);
    else if (!pointer->symbol)
        report_unknown(lower, name);
    else
        lit_mistake_undeclared(lower, name);
    return pointer->symbol != NULL;
}

/* `a[i][j]`, `n.old[j]` */
static bool enter(struct lit_lower *lower, struct pointer *pointer, const struct ast_expr *by)
{
    if (pointer->index)
        pointer->index = lit_evaluate_hold(lower, pointer->index, by);
    pointer->inner = lit_evaluate(lower, by);
    return true;
}

static bool has_elements(const struct pointer *pointer)
{
    const struct lit_structure *structure = pointer->symbol->structure;
    return !pointer->inner && pointer->member != LIT_NONE &&
           structure->fields[pointer->member].elements;
}

/* Moves a pointer by the value of `by`. */
static bool move(struct lit_lower *lower, struct pointer *pointer, const struct ast_expr *by)
{
    if (has_elements(pointer))
        return enter(lower, pointer, by);
    if (pointer->member != LIT_NONE) {
        LIT_FAULT(lower, DIAG_LIT_STRUCT, by->span,
                  "a member has no elements; the index stands before it, as in '%s[i].%s'",
                  pointer->symbol->name, pointer->symbol->structure->fields[pointer->member].name);
        return false;
    }
    if (pointer->index)
        pointer->index = lit_evaluate_hold(lower, pointer->index, by);
    const struct lit_expr *index = lit_evaluate(lower, by);
    pointer->index =
        pointer->index ? lit_evaluate_apply(lower, LIT_OP_ADD, pointer->index, index) : index;
    return true;
}

static bool address_of(struct lit_lower *lower, const struct ast_expr *expr,
                       struct pointer *pointer);

/* `a.m` of a structure, `p->m` of an address. */
static bool address_of_member(struct lit_lower *lower, const struct ast_expr *expr,
                              struct pointer *pointer)
{
    const struct ast_expr *object = expr->a;
    if (!(expr->arrow ? pointer_of : address_of)(lower, object, pointer))
        return false;
    if (pointer->member != LIT_NONE) {
        LIT_FAULT(lower, DIAG_LIT_STRUCT, expr->name.span, "a member has no members");
        return false;
    }
    if (!expr->arrow && object->kind == AST_NAME && pointer->symbol->array) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, object->span,
                  "'%s' is an array of %u elements; say which: '%s[0].%s'", object->name.text,
                  pointer->symbol->count, object->name.text, expr->name.text);
        return false;
    }
    pointer->member = lit_define_member(lower, pointer->symbol, &expr->name);
    return pointer->member != LIT_NONE;
}

/* `a[i]`, `a[i][j]`, `n.old[j]` */
static bool address_of_element(struct lit_lower *lower, const struct ast_expr *expr,
                               struct pointer *pointer)
{
    const struct ast_expr *a = expr->a;
    if (a->kind == AST_MEMBER)
        return address_of(lower, a, pointer) && move(lower, pointer, expr->b);
    if (a->kind != AST_INDEX)
        return pointer_of(lower, a, pointer) && move(lower, pointer, expr->b);
    if (!address_of(lower, a, pointer))
        return false;
    const struct lit_structure *structure = pointer->symbol->structure;
    if (structure && structure->row && !pointer->inner)
        return enter(lower, pointer, expr->b);
    LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span, "'%s' has not so many dimensions",
              pointer->symbol->name);
    return false;
}

/* The address of what an lvalue names. */
static bool address_of(struct lit_lower *lower, const struct ast_expr *expr,
                       struct pointer *pointer)
{
    switch (expr->kind) {
    case AST_NAME: return pointer_of_name(lower, &expr->name, pointer);
    case AST_DEREF: return pointer_of(lower, expr->a, pointer);
    case AST_INDEX: return address_of_element(lower, expr, pointer);
    case AST_MEMBER: return address_of_member(lower, expr, pointer);
    default:
        if (!lit_mistake_semicolon(lower, expr))
            LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span,
                      "this value has no address; expected a location, '*p', 'a[i]' or 'a.m'");
        return false;
    }
}

static bool report_no_address(struct lit_lower *lower, const struct ast_expr *expr)
{
    LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span,
              expr->tags.count
                  ? "only primitive instructions have tags in braces; a store with a tag is "
                    "written as __store{nt}(x, 1), a load as __load{nt}(x)"
                  : "expected an address: a parameter 'x', '&x', '&a[i]' or 'a + i'");
    return false;
}

/* `p + i + j` */
static bool pointer_of_sum(struct lit_lower *lower, const struct ast_expr *expr,
                           struct pointer *pointer)
{
    uint32_t count;
    const struct ast_expr *const *links = ast_chain(lower->arena, expr, &count);
    for (uint32_t i = 0; i < count; i++)
        if (links[i]->op != LIT_OP_ADD)
            return report_no_address(lower, links[i]);
    if (!pointer_of(lower, links[0]->a, pointer))
        return false;
    for (uint32_t i = 0; i < count && !lower->too_large; i++) {
        if (pointer->index)
            pointer->index = cut(lower, pointer->index, i, links[i]->b->span);
        if (!move(lower, pointer, links[i]->b))
            return false;
    }
    return true;
}

static bool pointer_of(struct lit_lower *lower, const struct ast_expr *expr,
                       struct pointer *pointer)
{
    switch (expr->kind) {
    case AST_NAME: return pointer_of_name(lower, &expr->name, pointer);
    case AST_ADDRESS: return address_of(lower, expr->a, pointer);
    case AST_BINARY:
        if (expr->op == LIT_OP_ADD)
            return pointer_of_sum(lower, expr, pointer);
        break;
    default: break;
    }
    return report_no_address(lower, expr);
}

static void report_index(struct lit_lower *lower, const struct pointer *pointer)
{
    const struct lit_symbol *symbol = pointer->symbol;
    if (symbol->unsized)
        return;
    struct strbuf text = {0};
    lit_value_print(pointer->index->type, pointer->index->value, &text);
    if (symbol->array)
        LIT_FAULT(lower, DIAG_LIT_INDEX, pointer->span,
                  "element %s of '%s' is out of range; it has elements 0 to %u", strbuf_text(&text),
                  symbol->name, symbol->count - 1);
    else
        LIT_FAULT(lower, DIAG_LIT_INDEX, pointer->span,
                  "element %s of '%s' is out of range; it is no array", strbuf_text(&text),
                  symbol->name);
    strbuf_fini(&text);
}

/* An element that is chosen when the program runs, of a row or a member. An index that is out of its
 * own range is one out of all. */
static bool place_within(struct lit_lower *lower, const struct pointer *pointer, uint32_t elements,
                         struct lit_place *place)
{
    const struct lit_symbol *symbol = pointer->symbol;
    const struct lit_expr *inner = cast(lower, LIT_LONG, pointer->inner), *index = pointer->index;
    const struct lit_expr *good =
        lit_evaluate_apply(lower, LIT_OP_LT, cast(lower, LIT_ULONG, pointer->inner),
                           lit_evaluate_const(lower, LIT_ULONG, elements));
    uint32_t count = elements;
    if (index && index->op == LIT_OP_CONST) {
        if ((uint64_t)index->value >= symbol->count) {
            report_index(lower, pointer);
            return false;
        }
        place->addr.first += (uint32_t)index->value * symbol->size;
    } else if (index) {
        const struct lit_expr *in_range =
            lit_evaluate_apply(lower, LIT_OP_LT, cast(lower, LIT_ULONG, index),
                               lit_evaluate_const(lower, LIT_ULONG, symbol->count));
        good = lit_evaluate_apply(lower, LIT_OP_AND, good, in_range);
        inner = lit_evaluate_apply(
            lower, LIT_OP_ADD, inner,
            lit_evaluate_apply(lower, LIT_OP_MUL, cast(lower, LIT_LONG, index),
                               lit_evaluate_const(lower, LIT_LONG, symbol->size)));
        count += (symbol->count - 1) * symbol->size;
    }
    const struct lit_expr *none = lit_evaluate_const(lower, LIT_LONG, -1);
    place->addr = (struct lit_address){place->addr.first, count, 1,
                                       lit_evaluate_select(lower, good, inner, none)};
    return true;
}

static bool place_of_pointer(struct lit_lower *lower, const struct pointer *pointer,
                             struct lit_place *place)
{
    const struct lit_symbol *symbol = pointer->symbol;
    const struct lit_expr *index = pointer->index;
    uint32_t member = pointer->member == LIT_NONE ? 0 : pointer->member;
    const struct lit_field *field = symbol->structure ? &symbol->structure->fields[member] : NULL;
    uint32_t elements = field ? field->elements : 0;
    bool row = symbol->structure && symbol->structure->row;
    if (elements && (row || pointer->member != LIT_NONE) && !pointer->inner) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, pointer->span,
                  "this is an array of %u elements; say which, as in '%s%s%s[0]'", elements,
                  symbol->name, row ? "[0]" : ".", row ? "" : field->base);
        return false;
    }
    if (pointer->inner && pointer->inner->op == LIT_OP_CONST) {
        if ((uint64_t)pointer->inner->value >= elements) {
            LIT_FAULT(lower, DIAG_LIT_INDEX, pointer->span,
                      "this element is out of range; there are elements 0 to %u", elements - 1);
            return false;
        }
        member += (uint32_t)pointer->inner->value;
    }
    uint32_t first = symbol->first + member;
    if (symbol->structure && !row && pointer->member == LIT_NONE) {
        LIT_FAULT(lower, DIAG_LIT_STRUCT, pointer->span,
                  "this is all of a struct '%s'; say which member, such as '.%s'",
                  symbol->structure->name, symbol->structure->fields[0].name);
        return false;
    }
    *place = (struct lit_place){.type = lit_declare_type_of(symbol, member),
                                .addr = {first, 1, symbol->size, NULL},
                                .operators = symbol->structure
                                                 ? symbol->structure->fields[member].operators
                                                 : symbol->operators,
                                .symbol = symbol};
    if (pointer->inner && pointer->inner->op != LIT_OP_CONST)
        return place_within(lower, pointer, elements, place);
    if (!index)
        return true;
    if (index->op != LIT_OP_CONST) {
        place->addr = (struct lit_address){first, symbol->count, symbol->size, index};
        return true;
    }
    uint64_t element = (uint64_t)index->value;
    if (element >= symbol->count) {
        report_index(lower, pointer);
        return false;
    }
    place->addr.first += (uint32_t)element * symbol->size;
    return true;
}

bool lit_evaluate_pointer(struct lit_lower *lower, const struct ast_expr *expr,
                          struct lit_place *place)
{
    struct pointer pointer = {.member = LIT_NONE, .span = expr->span};
    return pointer_of(lower, expr, &pointer) && place_of_pointer(lower, &pointer, place);
}

bool lit_evaluate_is_pointer(const struct lit_lower *lower, const struct ast_expr *expr)
{
    while (expr->kind == AST_BINARY && expr->op == LIT_OP_ADD)
        expr = expr->a;
    if (expr->kind == AST_ADDRESS)
        return true;
    return expr->kind == AST_NAME && !lit_thread_find_local(lower, expr->name.text) &&
           lit_declare_find(lower, expr->name.text);
}

bool lit_evaluate_place(struct lit_lower *lower, const struct ast_expr *expr,
                        struct lit_place *place)
{
    const struct lit_local *local =
        expr->kind == AST_NAME ? lit_thread_find_local(lower, expr->name.text) : NULL;
    if (local) {
        *place = (struct lit_place){.is_register = true,
                                    .reg = local->reg,
                                    .type = lower->registers.items[local->reg].type};
        return true;
    }
    struct pointer pointer = {.member = LIT_NONE, .span = expr->span};
    if (!address_of(lower, expr, &pointer))
        return false;
    if (expr->kind == AST_NAME && pointer.symbol->array) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span,
                  "'%s' is an array of %u elements; say which: '%s[0]'", expr->name.text,
                  pointer.symbol->count, expr->name.text);
        return false;
    }
    return place_of_pointer(lower, &pointer, place);
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

/* What is read or assigned. */
static bool find_object(struct lit_lower *lower, const struct ast_expr *expr,
                        struct lit_place *place)
{
    bool found = lit_evaluate_place(lower, expr, place);
    if (found && !place->is_register && expr->kind == AST_NAME)
        lit_mistake_alone(lower, &expr->name);
    if (found)
        lit_mistake_operator(lower, place, expr->span);
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

/* `place op= right`, or `place = right` with LIT_OP_CONST. */
static const struct lit_expr *assign(struct lit_lower *lower, const struct ast_expr *expr)
{
    struct lit_place place;
    bool known = find_object(lower, expr->a, &place);
    const struct lit_expr *old = NULL;
    if (known && place.addr.index)
        place.addr.index = lit_evaluate_hold(lower, place.addr.index, expr->b);
    if (known && expr->op != LIT_OP_CONST && !place.operators)
        old = lit_evaluate_hold(lower, lit_evaluate_read(lower, &place, expr->a->span), expr->b);
    const struct lit_expr *value = lit_evaluate(lower, expr->b);
    if (!known)
        return value;
    if (expr->op != LIT_OP_CONST && place.operators) {
        old = modify(lower, expr->op, &place, value, expr->span);
        return cast(lower, place.type, lit_evaluate_apply(lower, expr->op, old, value));
    }
    if (old) {
        lit_evaluate_check_divisor(lower, expr->op, value, expr->b->span);
        value = lit_evaluate_apply(lower, expr->op, old, value);
    }
    lit_evaluate_write(lower, &place, value, expr->span);
    return place.is_register ? lit_evaluate_reg(lower, place.reg) : cast(lower, place.type, value);
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
    return place.is_register ? lit_evaluate_reg(lower, place.reg) : cast(lower, place.type, new);
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

/* The operands of a binary operator are unsequenced (C11 6.5, paragraph 3): what the right one
 * does, from `middle` on, is in no order with what the left one does, from `begin` on. */
static void leave_unsequenced(struct lit_lower *lower, uint32_t begin, uint32_t middle)
{
    for (uint32_t i = middle; begin < middle && i < lit_thread_here(lower); i++)
        lower->code.items[i].unsequenced = ARENA_MAKE(lower->arena, struct lit_range, begin, middle,
                                                      lower->code.items[i].unsequenced);
}

static const struct lit_expr *binary(struct lit_lower *lower, const struct ast_expr *expr)
{
    if (expr->op == LIT_OP_AND || expr->op == LIT_OP_OR)
        return short_circuit(lower, expr);
    uint32_t begin = lit_thread_here(lower), count;
    const struct ast_expr *const *links = ast_chain(lower->arena, expr, &count);
    const struct lit_expr *a = lit_evaluate(lower, links[0]->a);
    for (uint32_t i = 0; i < count && !lower->too_large; i++) {
        const struct ast_expr *right = links[i]->b;
        a = lit_evaluate_hold(lower, cut(lower, a, i, right->span), right);
        uint32_t middle = lit_thread_here(lower);
        const struct lit_expr *b = lit_evaluate(lower, right);
        leave_unsequenced(lower, begin, middle);
        lit_evaluate_check_divisor(lower, links[i]->op, b, right->span);
        a = lit_evaluate_apply(lower, links[i]->op, a, b);
    }
    return a;
}

/* ---- sizeof ---- */

static bool is_parameter(const struct lit_lower *lower, const char *name)
{
    const struct ast_param *param = lower->thread->params.first;
    while (param && param->name.text != name)
        param = param->next;
    return param != NULL;
}

/* Of all that a name of the initial block stands for. */
static const struct lit_expr *size_of_symbol(struct lit_lower *lower, const struct ast_name *name,
                                             const struct lit_symbol *symbol)
{
    uint32_t one = symbol->structure && !symbol->structure->row
                       ? lit_define_structure_size(symbol->structure)
                       : symbol->size * lit_define_size(symbol->type);
    if (is_parameter(lower, name->text))
        LIT_FAULT(
            lower, DIAG_LIT_TYPE, name->span,
            "'%s' is a parameter, of which C has the size of a pointer; write the type, as in "
            "'sizeof(int)', or 'sizeof(*%s)'",
            name->text, name->text);
    return lit_evaluate_const(lower, LIT_ULONG, (int64_t)one * symbol->count);
}

/* What stands behind `sizeof` is not evaluated (C11 6.5.3.4). */
static const struct lit_expr *size(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct ast_expr *of = expr->a;
    const struct lit_expr *known = of ? NULL : lit_define_type_size(lower, expr);
    if (!of)
        return known ? known : broken(lower);
    const struct lit_symbol *symbol =
        of->kind == AST_NAME && !lit_thread_find_local(lower, of->name.text)
            ? lit_declare_find(lower, of->name.text)
            : NULL;
    if (symbol)
        return size_of_symbol(lower, &of->name, symbol);
    uint32_t code = lit_thread_here(lower), registers = (uint32_t)lower->registers.count, bytes;
    struct pointer pointer = {.member = LIT_NONE, .span = of->span};
    bool element =
        (of->kind == AST_DEREF || of->kind == AST_INDEX) && address_of(lower, of, &pointer);
    const struct lit_structure *whole = element ? pointer.symbol->structure : NULL;
    if (whole && whole->row && !pointer.inner)
        bytes = pointer.symbol->size * lit_define_size(pointer.symbol->type);
    else if (whole && !whole->row && pointer.member == LIT_NONE)
        bytes = lit_define_structure_size(whole);
    else
        bytes = lit_define_size(lit_evaluate(lower, of)->type);
    take_back(lower, code, registers);
    return lit_evaluate_const(lower, LIT_ULONG, bytes);
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
    case AST_CAST: return cast(lower, expr->type, lit_evaluate(lower, expr->a));
    case AST_SIZE: return size(lower, expr);
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

/* What an assignment that was lowered last has for a value, which a register may have taken. */
static const struct lit_expr *assigned(const struct lit_lower *lower, const struct lit_expr *value)
{
    const struct lit_instr *last = lower->code.count ? &VEC_LAST(&lower->code) : NULL;
    bool taken = value->op == LIT_OP_REG && last && last->op == LIT_SET && last->dst == value->reg;
    return taken ? last->value : value;
}

const struct lit_expr *lit_evaluate_condition(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct lit_expr *value = lit_evaluate(lower, expr), *constant = assigned(lower, value);
    if (expr->kind != AST_ASSIGN || constant->op != LIT_OP_CONST || lower->quiet)
        return value;
    diag_warning(lower->diag, DIAG_LIT_CONSTANT, expr->span,
                 "this condition assigns, so that it is always %s; '==' compares",
                 constant->value ? "true" : "false");
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
