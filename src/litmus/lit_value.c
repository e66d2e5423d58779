/* Signed arithmetic is done on unsigned patterns and brought back, so that no
 * operation of the host overflows. */
#include "litmus/lit_value.h"

uint32_t lit_type_bits(enum lit_type type)
{
    static const uint8_t widths[] = {LIT_TYPES(TABLE_THIRD)};
    return widths[type];
}

bool lit_type_is_signed(enum lit_type type)
{
    static const bool are_signed[] = {LIT_TYPES(TABLE_FOURTH)};
    return are_signed[type];
}

int64_t lit_value_wrap(enum lit_type type, int64_t value)
{
    switch (type) {
    case LIT_BOOL: return value != 0;
    case LIT_CHAR: return (int8_t)(uint8_t)value;
    case LIT_UCHAR: return (uint8_t)value;
    case LIT_SHORT: return (int16_t)(uint16_t)value;
    case LIT_USHORT: return (uint16_t)value;
    case LIT_INT: return (int32_t)(uint32_t)value;
    case LIT_UINT: return (uint32_t)value;
    case LIT_LONG:
    case LIT_ULONG: break;
    }
    return value;
}

static enum lit_type promoted(enum lit_type type)
{
    return lit_type_is_narrow(type) ? LIT_INT : type;
}

/* LIT_LONG holds every value of LIT_UINT. */
enum lit_type lit_type_common(enum lit_type a, enum lit_type b)
{
    return promoted(a > b ? a : b);
}

enum lit_type lit_type_of_result(enum lit_operator op, enum lit_type a, enum lit_type b)
{
    switch (op) {
    case LIT_OP_LT:
    case LIT_OP_LE:
    case LIT_OP_GT:
    case LIT_OP_GE:
    case LIT_OP_EQ:
    case LIT_OP_NE:
    case LIT_OP_AND:
    case LIT_OP_OR:
    case LIT_OP_NOT: return LIT_INT;
    case LIT_OP_CONST:
    case LIT_OP_REG:
    case LIT_OP_CAST: return a;
    case LIT_OP_NEG:
    case LIT_OP_BITNOT:
    case LIT_OP_SHL:
    case LIT_OP_SHR: return promoted(a);
    default: return lit_type_common(a, b);
    }
}

static bool less(enum lit_type type, int64_t a, int64_t b)
{
    return type == LIT_ULONG ? (uint64_t)a < (uint64_t)b : a < b;
}

/* a / b and a % b for b != 0. INT64_MIN / -1 has no quotient in range: it wraps. */
static int64_t quotient(enum lit_type type, int64_t a, int64_t b)
{
    if (type == LIT_ULONG)
        return (int64_t)((uint64_t)a / (uint64_t)b);
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static int64_t rest(enum lit_type type, int64_t a, int64_t b)
{
    if (type == LIT_ULONG)
        return (int64_t)((uint64_t)a % (uint64_t)b);
    return b == -1 ? 0 : a % b;
}

static unsigned shift_count(enum lit_type type, int64_t b)
{
    return (unsigned)((uint64_t)b & (lit_type_is_wide(type) ? 63u : 31u));
}

static int64_t shift_right(enum lit_type type, int64_t a, int64_t b)
{
    unsigned count = shift_count(type, b);
    if (type == LIT_ULONG)
        return (int64_t)((uint64_t)a >> count);
    return a < 0 ? ~(~a >> count) : a >> count;
}

static int64_t arithmetic(enum lit_operator op, enum lit_type type, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case LIT_OP_NEG: return (int64_t)(0 - x);
    case LIT_OP_BITNOT: return (int64_t)~x;
    case LIT_OP_ADD: return (int64_t)(x + y);
    case LIT_OP_SUB: return (int64_t)(x - y);
    case LIT_OP_MUL: return (int64_t)(x * y);
    case LIT_OP_DIV: return quotient(type, a, b);
    case LIT_OP_MOD: return rest(type, a, b);
    case LIT_OP_BITAND: return (int64_t)(x & y);
    case LIT_OP_BITOR: return (int64_t)(x | y);
    case LIT_OP_BITXOR: return (int64_t)(x ^ y);
    case LIT_OP_SHL: return (int64_t)(x << shift_count(type, b));
    case LIT_OP_SHR: return shift_right(type, a, b);
    case LIT_OP_LT: return less(type, a, b);
    case LIT_OP_LE: return !less(type, b, a);
    case LIT_OP_GT: return less(type, b, a);
    case LIT_OP_GE: return !less(type, a, b);
    case LIT_OP_EQ: return a == b;
    case LIT_OP_NE: return a != b;
    default: return a;
    }
}

bool lit_value_apply(enum lit_operator op, enum lit_type type, int64_t a, int64_t b, int64_t c,
                     int64_t *result)
{
    switch (op) { /* truth needs no conversion: every operand is canonical */
    case LIT_OP_NOT: *result = a == 0; return true;
    case LIT_OP_AND: *result = a != 0 && b != 0; return true;
    case LIT_OP_OR: *result = a != 0 || b != 0; return true;
    case LIT_OP_SELECT: *result = lit_value_wrap(type, a != 0 ? b : c); return true;
    default: break;
    }
    a = lit_value_wrap(type, a);
    if (op != LIT_OP_SHL && op != LIT_OP_SHR)
        b = lit_value_wrap(type, b);
    if ((op == LIT_OP_DIV || op == LIT_OP_MOD) && b == 0)
        return false;
    *result = lit_value_wrap(type, arithmetic(op, type, a, b));
    return true;
}

void lit_value_print(enum lit_type type, int64_t value, struct strbuf *out)
{
    bool negative = type != LIT_ULONG && value < 0;
    if (negative)
        strbuf_add_char(out, '-');
    strbuf_add_number(out, negative ? -(uint64_t)value : (uint64_t)value);
}
