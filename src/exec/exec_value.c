#include "exec/exec_value.h"

const struct exec_value *exec_value_const(struct arena *arena, enum lit_type type, int64_t value)
{
    return ARENA_MAKE(arena, struct exec_value, .op = LIT_OP_CONST, .type = type, .operands = type,
                      .size = 1, .value = lit_value_wrap(type, value));
}

const struct exec_value *exec_value_read(struct arena *arena, enum lit_type type, uint32_t read)
{
    BASE_ASSERT(read != LIT_NONE);
    return ARENA_MAKE(arena, struct exec_value, .op = LIT_OP_REG, .type = type, .operands = type,
                      .size = 1, .read = read);
}

static int64_t apply(const struct exec_value *node, int64_t a, int64_t b, int64_t c)
{
    int64_t result;
    return lit_value_apply(node->op, node->operands, a, b, c, &result) ? result : 0;
}

static uint32_t size_of(const struct exec_value *a, const struct exec_value *b,
                        const struct exec_value *c)
{
    uint64_t size = 1;
    size += a ? a->size : 0;
    size += b ? b->size : 0;
    size += c ? c->size : 0;
    return size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

static bool folds(const struct exec_value *operand)
{
    return !operand || exec_value_is_const(operand);
}

static int64_t constant(const struct exec_value *operand)
{
    return operand ? operand->value : 0;
}

const struct exec_value *exec_value_apply(struct arena *arena, enum lit_operator op,
                                          enum lit_type type, enum lit_type operands,
                                          const struct exec_value *a, const struct exec_value *b,
                                          const struct exec_value *c)
{
    struct exec_value node = {op, type, operands, 0, 0, size_of(a, b, c), a, b, c};
    if (folds(a) && folds(b) && folds(c))
        return exec_value_const(arena, type, apply(&node, constant(a), constant(b), constant(c)));
    return arena_copy(arena, &node, sizeof node);
}

const struct exec_value *exec_value_cast(struct arena *arena, enum lit_type type,
                                         const struct exec_value *a)
{
    if (a->type == type)
        return a;
    return exec_value_apply(arena, LIT_OP_CAST, type, type, a, NULL, NULL);
}

/* AND, OR and SELECT need only the operands that decide them. */
static bool get_lazy(const struct exec_value *value, const struct exec_reads *reads,
                     int64_t *result)
{
    int64_t a;
    bool a_known = exec_value_get(value->a, reads, &a);
    if (value->op == LIT_OP_SELECT) {
        int64_t picked;
        if (!a_known || !exec_value_get(a ? value->b : value->c, reads, &picked))
            return false;
        *result = lit_value_wrap(value->type, picked);
        return true;
    }
    bool deciding = value->op == LIT_OP_OR;
    if (a_known && (a != 0) == deciding)
        return *result = deciding, true;
    int64_t b;
    if (!exec_value_get(value->b, reads, &b))
        return false;
    if ((b != 0) == deciding)
        return *result = deciding, true;
    return *result = !deciding, a_known;
}

bool exec_value_get(const struct exec_value *value, const struct exec_reads *reads, int64_t *result)
{
    switch (value->op) {
    case LIT_OP_CONST: *result = value->value; return true;
    case LIT_OP_REG:
        if (!reads->known[value->read])
            return false;
        *result = lit_value_wrap(value->type, reads->values[value->read]);
        return true;
    case LIT_OP_AND:
    case LIT_OP_OR:
    case LIT_OP_SELECT: return get_lazy(value, reads, result);
    default: break;
    }
    int64_t a = 0, b = 0;
    if (!exec_value_get(value->a, reads, &a) || (value->b && !exec_value_get(value->b, reads, &b)))
        return false;
    *result = apply(value, a, b, 0);
    return true;
}

bool exec_value_same(const struct exec_value *a, const struct exec_value *b)
{
    if (a == b || !a || !b)
        return a == b;
    return a->op == b->op && a->type == b->type && a->operands == b->operands &&
           a->value == b->value && a->read == b->read && a->size == b->size &&
           exec_value_same(a->a, b->a) && exec_value_same(a->b, b->b) &&
           exec_value_same(a->c, b->c);
}

/* False when there is another one than *read. */
static bool find_single_read(const struct exec_value *value, uint32_t *read)
{
    if (!value)
        return true;
    if (value->op == LIT_OP_REG) {
        bool single = *read == LIT_NONE || *read == value->read;
        *read = value->read;
        return single;
    }
    return find_single_read(value->a, read) && find_single_read(value->b, read) &&
           find_single_read(value->c, read);
}

uint32_t exec_value_single_read(const struct exec_value *value)
{
    uint32_t read = LIT_NONE;
    return find_single_read(value, &read) ? read : LIT_NONE;
}
