#include "ptx/ptx_float.h"

#include <math.h>
#include <string.h>

/* A double has each float, so that one of bits 32 is computed with as such. */
static double number_of(const struct ptx_type *type, uint64_t bits)
{
    float single;
    double number;
    uint32_t low = (uint32_t)bits;
    if (!type->floats)
        return type->is_signed
                   ? (double)lit_value_wrap(ptx_lit_type(type->bits, true), (int64_t)bits)
               : type->bits < 64 ? (double)(int64_t)(bits & ((UINT64_C(1) << type->bits) - 1))
                                 : (double)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&number, &bits, sizeof number);
    return type->bits == 32 ? (double)single : number;
}

static uint64_t bits_of(uint32_t bits, double number)
{
    float single = (float)number;
    uint32_t low;
    uint64_t all;
    memcpy(&low, &single, sizeof low);
    memcpy(&all, &number, sizeof all);
    return bits == 32 ? low : all;
}

/* Rounded once: the sum and the product of floats are rounded from a double that is right to more
 * than twice their digits, and so is the quotient. */
static bool compute(enum ptx_fold fold, double a, double b, double *result)
{
    switch (fold) {
    case PTX_CVT:
    case PTX_MOV: *result = a; return true;
    case PTX_ADD: *result = a + b; return true;
    case PTX_SUB: *result = a - b; return true;
    case PTX_MUL: *result = a * b; return true;
    case PTX_DIV: *result = a / b; return true;
    case PTX_NEG: *result = -a; return true;
    case PTX_ABS: *result = fabs(a); return true;
    case PTX_MIN: *result = a < b ? a : b; return a != b;
    case PTX_MAX: *result = a > b ? a : b; return a != b;
    default: return false;
    }
}

static bool compare(enum lit_operator op, double a, double b, uint64_t *result)
{
    *result = op == LIT_OP_EQ   ? a == b
              : op == LIT_OP_NE ? a != b
              : op == LIT_OP_LT ? a < b
              : op == LIT_OP_LE ? a <= b
              : op == LIT_OP_GT ? a > b
                                : a >= b;
    return op >= LIT_OP_LT && op <= LIT_OP_NE && !isnan(a) && !isnan(b);
}

/* Integers of 64 bits would be rounded twice on their way to a float. */
static bool is_exact(const struct ptx_meaning *meaning)
{
    const struct ptx_type *type = &meaning->type, *from = &meaning->from;
    bool converts = meaning->word->fold == PTX_CVT;
    return meaning->word->kind == PTX_FOLD && !meaning->rounds && !meaning->unordered &&
           type->floats && type->bits >= 32 && (!from->floats || from->bits >= 32) &&
           (!converts || from->floats || from->bits <= 32 || type->bits == 64) &&
           (meaning->word->fold != PTX_DIV || meaning->nearest);
}

bool ptx_float(const struct ptx_meaning *meaning, const uint64_t *operands, uint32_t count,
               uint64_t *result)
{
    bool one = meaning->word->operands == 1;
    double value = 0;
    if (!is_exact(meaning) || count != meaning->word->operands || count > 2)
        return false;
    double a = number_of(&meaning->from, operands[0]);
    double b = one ? 0 : number_of(&meaning->from, operands[1]);
    if (meaning->word->fold == PTX_SETP)
        return meaning->joins == LIT_OP_CONST && compare(meaning->compare, a, b, result);
    if (!compute((enum ptx_fold)meaning->word->fold, a, b, &value) || isnan(value))
        return false;
    *result = bits_of(meaning->type.bits, value);
    return true;
}
