#include "ptx/ptx_fold.h"

#include <math.h>
#include <string.h>

const struct lit_expr *ptx_constant(struct arena *arena, enum lit_type type, uint64_t value)
{
    return ARENA_MAKE(arena, struct lit_expr, .op = LIT_OP_CONST, .type = type, .operands = type,
                      .value = lit_value_wrap(type, (int64_t)value));
}

static bool is_truth(enum lit_operator op)
{
    return (op >= LIT_OP_LT && op <= LIT_OP_OR) || op == LIT_OP_NOT;
}

static const struct lit_expr *make(struct arena *arena, struct lit_expr expr)
{
    const struct lit_expr *parts[] = {expr.a, expr.b, expr.c};
    int64_t values[3] = {0}, result;
    bool constant = true;
    for (size_t i = 0; i < 3; i++) {
        constant &= !parts[i] || parts[i]->op == LIT_OP_CONST;
        values[i] = parts[i] && constant ? parts[i]->value : 0;
    }
    if (constant &&
        lit_value_apply(expr.op, expr.operands, values[0], values[1], values[2], &result))
        return ptx_constant(arena, expr.type, (uint64_t)result);
    return arena_copy(arena, &expr, sizeof expr);
}

const struct lit_expr *ptx_apply(struct arena *arena, enum lit_operator op, enum lit_type operands,
                                 const struct lit_expr *a, const struct lit_expr *b)
{
    return make(arena, (struct lit_expr){.op = op,
                                         .type = is_truth(op) ? LIT_INT : operands,
                                         .operands = operands,
                                         .a = a,
                                         .b = b});
}

const struct lit_expr *ptx_with(struct arena *arena, enum lit_operator op, enum lit_type operands,
                                const struct lit_expr *a, uint64_t number)
{
    return ptx_apply(arena, op, operands, a, ptx_constant(arena, operands, number));
}

const struct lit_expr *ptx_cast(struct arena *arena, enum lit_type type, const struct lit_expr *a)
{
    return a->type == type ? a : ptx_apply(arena, LIT_OP_CAST, type, a, NULL);
}

/* What is computed with: the type, in 32 bits at least. */
struct folding {
    struct arena *arena;
    const struct ptx_meaning *meaning;
    const struct lit_expr *const *operands;
    enum lit_type type, exact; /* signed as said; `exact` of the type's own size */
    uint32_t bits;
};

const struct lit_expr *ptx_choose(struct arena *arena, enum lit_type type,
                                  const struct lit_expr *truth, const struct lit_expr *yes,
                                  const struct lit_expr *no)
{
    if (truth->op == LIT_OP_CONST)
        return truth->value ? yes : no;
    return make(
        arena,
        (struct lit_expr){
            .op = LIT_OP_SELECT, .type = type, .operands = type, .a = truth, .b = yes, .c = no});
}

static const struct lit_expr *choose(const struct folding *f, const struct lit_expr *truth,
                                     const struct lit_expr *yes, const struct lit_expr *no)
{
    return ptx_choose(f->arena, f->type, truth, yes, no);
}

/* The operand as a value of the type. */
static const struct lit_expr *part(const struct folding *f, uint32_t i)
{
    return ptx_cast(f->arena, f->type, ptx_cast(f->arena, f->exact, f->operands[i]));
}

static const struct lit_expr *apply(const struct folding *f, enum lit_operator op,
                                    const struct lit_expr *a, const struct lit_expr *b)
{
    return ptx_apply(f->arena, op, f->type, a, b);
}

static const struct lit_expr *number(const struct folding *f, uint64_t value)
{
    return ptx_constant(f->arena, f->type, value);
}

/* The upper half of a product of unsigned 64-bit numbers, by halves of 32 bits. */
static const struct lit_expr *upper_half(const struct folding *f, const struct lit_expr *a,
                                         const struct lit_expr *b)
{
    struct folding u = {.arena = f->arena, .type = LIT_ULONG};
    const struct lit_expr *half = ptx_constant(f->arena, LIT_UINT, 32);
    const struct lit_expr *mask = number(&u, UINT32_MAX);
    const struct lit_expr *a0 = apply(&u, LIT_OP_BITAND, a, mask);
    const struct lit_expr *b0 = apply(&u, LIT_OP_BITAND, b, mask);
    const struct lit_expr *a1 = apply(&u, LIT_OP_SHR, a, half);
    const struct lit_expr *b1 = apply(&u, LIT_OP_SHR, b, half);
    const struct lit_expr *low = apply(&u, LIT_OP_SHR, apply(&u, LIT_OP_MUL, a0, b0), half);
    const struct lit_expr *first = apply(&u, LIT_OP_ADD, apply(&u, LIT_OP_MUL, a1, b0), low);
    const struct lit_expr *second =
        apply(&u, LIT_OP_ADD, apply(&u, LIT_OP_MUL, a0, b1), apply(&u, LIT_OP_BITAND, first, mask));
    return apply(
        &u, LIT_OP_ADD,
        apply(&u, LIT_OP_ADD, apply(&u, LIT_OP_MUL, a1, b1), apply(&u, LIT_OP_SHR, first, half)),
        apply(&u, LIT_OP_SHR, second, half));
}

/* A negative factor counts for 2^64 too much of the other one. */
static const struct lit_expr *upper_half_signed(const struct folding *f)
{
    const struct lit_expr *a = ptx_cast(f->arena, LIT_ULONG, part(f, 0));
    const struct lit_expr *b = ptx_cast(f->arena, LIT_ULONG, part(f, 1));
    const struct lit_expr *all = ptx_cast(f->arena, f->type, upper_half(f, a, b)), *zero;
    if (!f->meaning->type.is_signed)
        return all;
    zero = number(f, 0);
    all = apply(f, LIT_OP_SUB, all,
                choose(f, apply(f, LIT_OP_LT, part(f, 0), zero), part(f, 1), zero));
    return apply(f, LIT_OP_SUB, all,
                 choose(f, apply(f, LIT_OP_LT, part(f, 1), zero), part(f, 0), zero));
}

/* NULL: not with these sizes. */
static const struct lit_expr *product(const struct folding *f)
{
    bool is_signed = f->meaning->type.is_signed;
    enum lit_type wide = is_signed ? LIT_LONG : LIT_ULONG;
    if (f->meaning->part == PTX_LOW || f->meaning->part == PTX_WHOLE)
        return apply(f, LIT_OP_MUL, part(f, 0), part(f, 1));
    if (f->bits == 64)
        return f->meaning->part == PTX_HIGH ? upper_half_signed(f) : NULL;
    const struct lit_expr *all =
        ptx_apply(f->arena, LIT_OP_MUL, wide, ptx_cast(f->arena, wide, part(f, 0)),
                  ptx_cast(f->arena, wide, part(f, 1)));
    if (f->meaning->part == PTX_WIDE)
        return all;
    return ptx_cast(f->arena, f->type, ptx_with(f->arena, LIT_OP_SHR, wide, all, f->bits));
}

/* PTX takes no count modulo the width: a larger one shifts all bits out. */
static const struct lit_expr *shifted(const struct folding *f, enum lit_operator op,
                                      const struct lit_expr *value, const struct lit_expr *count)
{
    const struct lit_expr *last = ptx_constant(f->arena, LIT_UINT, f->bits - 1);
    const struct lit_expr *fits = ptx_apply(f->arena, LIT_OP_LE, LIT_UINT, count, last);
    bool keeps_sign = op == LIT_OP_SHR && lit_type_is_signed(f->type);
    return choose(f, fits, apply(f, op, value, count),
                  keeps_sign ? apply(f, op, value, last) : number(f, 0));
}

static const struct lit_expr *shift(const struct folding *f, enum lit_operator op)
{
    return shifted(f, op, part(f, 0), ptx_cast(f->arena, LIT_UINT, f->operands[1]));
}

/* ---- Bits ---- */

/* The low byte of a position or a length. */
static const struct lit_expr *byte(const struct folding *f, uint32_t i)
{
    return ptx_with(f->arena, LIT_OP_BITAND, LIT_UINT, ptx_cast(f->arena, LIT_UINT, f->operands[i]),
                    255);
}

/* The lowest bits, as many as `length` says. */
static const struct lit_expr *mask(const struct folding *f, const struct lit_expr *length)
{
    return apply(f, LIT_OP_SUB, shifted(f, LIT_OP_SHL, number(f, 1), length), number(f, 1));
}

/* A field that reaches past the last bit has the sign there; one of no bits is 0. */
static const struct lit_expr *extract(const struct folding *f)
{
    const struct lit_expr *at = byte(f, 1), *length = byte(f, 2), *inner;
    const struct lit_expr *bits = ptx_constant(f->arena, LIT_UINT, f->bits), *end;
    const struct lit_expr *outer = shifted(f, LIT_OP_SHR, part(f, 0), at);
    if (!f->meaning->type.is_signed)
        return apply(f, LIT_OP_BITAND, outer, mask(f, length));
    end = ptx_apply(f->arena, LIT_OP_ADD, LIT_UINT, at, length);
    inner = apply(f, LIT_OP_SHL, part(f, 0), ptx_apply(f->arena, LIT_OP_SUB, LIT_UINT, bits, end));
    inner = apply(f, LIT_OP_SHR, inner, ptx_apply(f->arena, LIT_OP_SUB, LIT_UINT, bits, length));
    return choose(f, ptx_with(f->arena, LIT_OP_EQ, LIT_UINT, length, 0), number(f, 0),
                  choose(f, ptx_apply(f->arena, LIT_OP_GE, LIT_UINT, end, bits), outer, inner));
}

static const struct lit_expr *insert(const struct folding *f)
{
    const struct lit_expr *at = byte(f, 2);
    const struct lit_expr *where = shifted(f, LIT_OP_SHL, mask(f, byte(f, 3)), at);
    const struct lit_expr *rest =
        apply(f, LIT_OP_BITAND, part(f, 1), apply(f, LIT_OP_BITNOT, where, NULL));
    return apply(f, LIT_OP_BITOR, rest,
                 apply(f, LIT_OP_BITAND, shifted(f, LIT_OP_SHL, part(f, 0), at), where));
}

static const struct lit_expr *bit(const struct folding *f, const struct lit_expr *value, uint32_t i)
{
    return apply(f, LIT_OP_BITAND, apply(f, LIT_OP_SHR, value, ptx_constant(f->arena, LIT_UINT, i)),
                 number(f, 1));
}

/* How many bits are 1, or, of an unsigned number, stand before the first one. */
static const struct lit_expr *count_bits(const struct folding *f, const struct lit_expr *value,
                                         bool leading)
{
    const struct lit_expr *all = ptx_constant(f->arena, LIT_UINT, 0);
    for (uint32_t i = 0; i < f->bits; i++) {
        const struct lit_expr *one =
            leading ? apply(f, LIT_OP_LT, value, number(f, UINT64_C(1) << i)) : bit(f, value, i);
        all = ptx_apply(f->arena, LIT_OP_ADD, LIT_UINT, all, ptx_cast(f->arena, LIT_UINT, one));
    }
    return all;
}

static const struct lit_expr *reversed(const struct folding *f)
{
    const struct lit_expr *all = number(f, 0);
    for (uint32_t i = 0; i < f->bits; i++)
        all = apply(f, LIT_OP_BITOR, all,
                    apply(f, LIT_OP_SHL, bit(f, part(f, 0), i),
                          ptx_constant(f->arena, LIT_UINT, f->bits - 1 - i)));
    return all;
}

/* The place of the first bit that is not the sign; -1 where there is none. */
static const struct lit_expr *first_bit(const struct folding *f)
{
    struct folding u = *f;
    bool is_signed = f->meaning->type.is_signed;
    const struct lit_expr *value = part(f, 0), *before, *none;
    if (is_signed)
        value = choose(f, apply(f, LIT_OP_LT, value, number(f, 0)),
                       apply(f, LIT_OP_BITNOT, value, NULL), value);
    u.type = ptx_lit_type(f->bits, false);
    before = count_bits(&u, ptx_cast(f->arena, u.type, value), true);
    if (!(f->meaning->mode & PTX_AMOUNT))
        return ptx_apply(f->arena, LIT_OP_SUB, LIT_UINT,
                         ptx_constant(f->arena, LIT_UINT, f->bits - 1), before);
    u.type = LIT_UINT;
    none = ptx_with(f->arena, LIT_OP_EQ, LIT_UINT, before, f->bits);
    return choose(&u, none, number(&u, UINT32_MAX), before);
}

/* The second word above the first, as one number. */
static const struct lit_expr *joined(const struct folding *f)
{
    const struct lit_expr *high = ptx_cast(f->arena, LIT_ULONG, part(f, 1));
    high = ptx_apply(f->arena, LIT_OP_SHL, LIT_ULONG, high, ptx_constant(f->arena, LIT_UINT, 32));
    return ptx_apply(f->arena, LIT_OP_BITOR, LIT_ULONG, high,
                     ptx_cast(f->arena, LIT_ULONG, part(f, 0)));
}

/* Four bytes of two words, each chosen by four bits, of which the highest spreads its sign. */
static const struct lit_expr *permuted(const struct folding *f)
{
    struct folding wide = {.arena = f->arena, .type = LIT_ULONG};
    const struct lit_expr *all = number(f, 0), *both = joined(f);
    for (uint32_t i = 0; i < 4; i++) {
        const struct lit_expr *by =
            apply(f, LIT_OP_SHR, part(f, 2), ptx_constant(f->arena, LIT_UINT, 4 * i));
        const struct lit_expr *place =
            apply(f, LIT_OP_MUL, apply(f, LIT_OP_BITAND, by, number(f, 7)), number(f, 8));
        const struct lit_expr *one = apply(&wide, LIT_OP_SHR, both, place);
        const struct lit_expr *sign =
            ptx_cast(f->arena, f->type, ptx_cast(f->arena, LIT_CHAR, one));
        sign = choose(f, apply(f, LIT_OP_LT, sign, number(f, 0x80)), number(f, 0), number(f, 255));
        one = choose(f, apply(f, LIT_OP_BITAND, by, number(f, 8)), sign,
                     apply(f, LIT_OP_BITAND, ptx_cast(f->arena, f->type, one), number(f, 255)));
        all = apply(f, LIT_OP_BITOR, all,
                    apply(f, LIT_OP_SHL, one, ptx_constant(f->arena, LIT_UINT, 8 * i)));
    }
    return all;
}

/* By a table of eight bits: which results the bits of three words have. NULL: it is not known. */
static const struct lit_expr *by_table(const struct folding *f)
{
    const struct lit_expr *all = number(f, 0);
    if (f->operands[3]->op != LIT_OP_CONST)
        return NULL;
    for (uint32_t row = 0; row < 8; row++) {
        const struct lit_expr *one = number(f, f->operands[3]->value >> row & 1 ? UINT64_MAX : 0);
        for (uint32_t i = 0; i < 3; i++) {
            const struct lit_expr *word = part(f, i);
            if (!(row >> (2 - i) & 1))
                word = apply(f, LIT_OP_BITNOT, word, NULL);
            one = apply(f, LIT_OP_BITAND, one, word);
        }
        all = apply(f, LIT_OP_BITOR, all, one);
    }
    return all;
}

static const struct lit_expr *funnel(const struct folding *f)
{
    const struct lit_expr *count = part(f, 2), *all;
    uint32_t mode = f->meaning->mode;
    if (mode & PTX_WRAP)
        count = apply(f, LIT_OP_BITAND, count, number(f, 31));
    else
        count = choose(f, apply(f, LIT_OP_LT, count, number(f, 32)), count, number(f, 32));
    all =
        ptx_apply(f->arena, mode & PTX_LEFT ? LIT_OP_SHL : LIT_OP_SHR, LIT_ULONG, joined(f), count);
    if (mode & PTX_LEFT)
        all = ptx_apply(f->arena, LIT_OP_SHR, LIT_ULONG, all, ptx_constant(f->arena, LIT_UINT, 32));
    return ptx_cast(f->arena, f->type, all);
}

/* ---- Choices ---- */

/* The operands as values of the second type that is said. */
static struct folding of_second(const struct folding *f)
{
    struct folding second = *f;
    uint32_t bits = f->meaning->from.bits;
    second.exact = ptx_lit_type(bits, f->meaning->from.is_signed);
    second.type = ptx_lit_type(bits < 32 ? 32 : bits, f->meaning->from.is_signed);
    return second;
}

/* set: all ones where it holds. */
static const struct lit_expr *set(const struct folding *f)
{
    const struct folding from = of_second(f);
    const struct lit_expr *holds =
        apply(&from, f->meaning->compare, part(&from, 0), part(&from, 1));
    return choose(f, holds, number(f, UINT64_MAX), number(f, 0));
}

/* slct: by the sign of the third. */
static const struct lit_expr *by_sign(const struct folding *f)
{
    const struct folding from = of_second(f);
    return choose(f, apply(&from, LIT_OP_GE, part(&from, 2), number(&from, 0)), part(f, 0),
                  part(f, 1));
}

static const struct lit_expr *compare(const struct folding *f, uint32_t count)
{
    const struct lit_expr *holds = apply(f, f->meaning->compare, part(f, 0), part(f, 1));
    if (f->meaning->joins == LIT_OP_CONST || count < 3)
        return holds;
    return ptx_apply(f->arena, f->meaning->joins, LIT_INT, holds, f->operands[2]);
}

static const struct lit_expr *extreme(const struct folding *f, enum lit_operator op)
{
    return choose(f, apply(f, op, part(f, 0), part(f, 1)), part(f, 0), part(f, 1));
}

static const struct lit_expr *convert(const struct folding *f)
{
    enum lit_type from = ptx_lit_type(f->meaning->from.bits, f->meaning->from.is_signed);
    return ptx_cast(f->arena, f->exact, ptx_cast(f->arena, from, f->operands[0]));
}

static const struct lit_expr *logic(const struct folding *f, enum lit_operator op)
{
    if (f->bits == 1 && op == LIT_OP_BITNOT)
        return apply(f, LIT_OP_NOT, f->operands[0], NULL);
    return apply(f, op, part(f, 0), op == LIT_OP_BITNOT ? NULL : part(f, 1));
}

static const struct lit_expr *compute(const struct folding *f, uint32_t count)
{
    const struct lit_expr *zero = ptx_constant(f->arena, f->type, 0), *sum;
    switch ((enum ptx_fold)f->meaning->word->fold) {
    case PTX_MOV:
    case PTX_CVTA: return f->operands[0];
    case PTX_CVT: return convert(f);
    case PTX_ADD: return apply(f, LIT_OP_ADD, part(f, 0), part(f, 1));
    case PTX_SUB: return apply(f, LIT_OP_SUB, part(f, 0), part(f, 1));
    case PTX_MUL: return product(f);
    case PTX_MAD:
        sum = product(f);
        return sum ? ptx_apply(f->arena, LIT_OP_ADD, sum->type, sum, f->operands[2]) : NULL;
    case PTX_DIV: return apply(f, LIT_OP_DIV, part(f, 0), part(f, 1));
    case PTX_REM: return apply(f, LIT_OP_MOD, part(f, 0), part(f, 1));
    case PTX_ABS:
        return choose(f, apply(f, LIT_OP_LT, part(f, 0), zero),
                      apply(f, LIT_OP_NEG, part(f, 0), NULL), part(f, 0));
    case PTX_NEG: return apply(f, LIT_OP_NEG, part(f, 0), NULL);
    case PTX_MIN: return extreme(f, LIT_OP_LT);
    case PTX_MAX: return extreme(f, LIT_OP_GT);
    case PTX_AND: return logic(f, LIT_OP_BITAND);
    case PTX_OR: return logic(f, LIT_OP_BITOR);
    case PTX_XOR: return logic(f, LIT_OP_BITXOR);
    case PTX_NOT: return logic(f, LIT_OP_BITNOT);
    case PTX_SHL: return shift(f, LIT_OP_SHL);
    case PTX_SHR: return shift(f, LIT_OP_SHR);
    case PTX_SETP: return compare(f, count);
    case PTX_SELP: return choose(f, f->operands[2], f->operands[0], f->operands[1]);
    case PTX_SET: return set(f);
    case PTX_SLCT: return by_sign(f);
    case PTX_CNOT: return choose(f, apply(f, LIT_OP_EQ, part(f, 0), zero), number(f, 1), zero);
    case PTX_BFE: return extract(f);
    case PTX_BFI: return insert(f);
    case PTX_BFIND: return first_bit(f);
    case PTX_BREV: return reversed(f);
    case PTX_CLZ: return count_bits(f, part(f, 0), true);
    case PTX_POPC: return count_bits(f, part(f, 0), false);
    case PTX_PRMT: return permuted(f);
    case PTX_LOP3: return by_table(f);
    case PTX_SHF: return funnel(f);
    }
    BASE_UNREACHABLE("what an instruction computes");
}

const struct lit_expr *ptx_fold(struct arena *arena, const struct ptx_meaning *meaning,
                                const struct lit_expr *const *operands, uint32_t count,
                                const char **why)
{
    uint32_t bits = meaning->type.bits;
    struct folding f = {.arena = arena,
                        .meaning = meaning,
                        .operands = operands,
                        .exact = ptx_lit_type(bits, meaning->type.is_signed),
                        .type = ptx_lit_type(bits < 32 ? 32 : bits, meaning->type.is_signed),
                        .bits = bits};
    if (bits == 1)
        f.type = f.exact = LIT_INT;
    if (count != meaning->word->operands + (meaning->joins != LIT_OP_CONST))
        *why = "it has more or fewer operands than are read";
    else if ((meaning->word->fold == PTX_SETP || meaning->word->fold == PTX_SET) &&
             meaning->compare == LIT_OP_CONST)
        *why = "its comparison is not read";
    else {
        const struct lit_expr *value = compute(&f, count);
        if (value)
            return value;
        *why = meaning->word->fold == PTX_LOP3 ? "its table is no number"
                                               : "a product of 128 bits is not read";
    }
    return NULL;
}

/* ---- Floats ---- */

/* A double has each float, so that one of bits 32 is computed with as such. */
static double double_of(const struct ptx_type *type, uint64_t bits)
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
static bool compute_float(enum ptx_fold fold, double a, double b, double *result)
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

static bool compare_floats(enum lit_operator op, double a, double b, uint64_t *result)
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
    double a = double_of(&meaning->from, operands[0]);
    double b = one ? 0 : double_of(&meaning->from, operands[1]);
    if (meaning->word->fold == PTX_SETP)
        return meaning->joins == LIT_OP_CONST && compare_floats(meaning->compare, a, b, result);
    if (!compute_float((enum ptx_fold)meaning->word->fold, a, b, &value) || isnan(value))
        return false;
    *result = bits_of(meaning->type.bits, value);
    return true;
}
