#include "ptx/ptx_fold.h"

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

static const struct lit_expr *choose(const struct folding *f, const struct lit_expr *truth,
                                     const struct lit_expr *yes, const struct lit_expr *no)
{
    if (truth->op == LIT_OP_CONST)
        return truth->value ? yes : no;
    return make(f->arena, (struct lit_expr){.op = LIT_OP_SELECT,
                                            .type = f->type,
                                            .operands = f->type,
                                            .a = truth,
                                            .b = yes,
                                            .c = no});
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

/* NULL: not with these sizes. */
static const struct lit_expr *product(const struct folding *f)
{
    bool is_signed = f->meaning->type.is_signed;
    enum lit_type wide = is_signed ? LIT_LONG : LIT_ULONG;
    if (f->meaning->part == PTX_LOW || f->meaning->part == PTX_WHOLE)
        return apply(f, LIT_OP_MUL, part(f, 0), part(f, 1));
    if (f->bits == 64)
        return NULL;
    const struct lit_expr *all =
        ptx_apply(f->arena, LIT_OP_MUL, wide, ptx_cast(f->arena, wide, part(f, 0)),
                  ptx_cast(f->arena, wide, part(f, 1)));
    if (f->meaning->part == PTX_WIDE)
        return all;
    all = ptx_apply(f->arena, LIT_OP_SHR, wide, all, ptx_constant(f->arena, LIT_INT, f->bits));
    return ptx_cast(f->arena, f->type, all);
}

/* PTX takes no count modulo the width: a larger one shifts all bits out. */
static const struct lit_expr *shift(const struct folding *f, enum lit_operator op)
{
    const struct lit_expr *count = ptx_cast(f->arena, LIT_UINT, f->operands[1]);
    const struct lit_expr *last = ptx_constant(f->arena, LIT_UINT, f->bits - 1);
    const struct lit_expr *fits = ptx_apply(f->arena, LIT_OP_LE, LIT_UINT, count, last);
    const struct lit_expr *out = op == LIT_OP_SHR && f->meaning->type.is_signed
                                     ? apply(f, op, part(f, 0), last)
                                     : ptx_constant(f->arena, f->type, 0);
    return choose(f, fits, apply(f, op, part(f, 0), count), out);
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
    else if (meaning->word->fold == PTX_SETP && meaning->compare == LIT_OP_CONST)
        *why = "its comparison is not read";
    else {
        const struct lit_expr *value = compute(&f, count);
        if (value)
            return value;
        *why = "products of 64 bits by 64 bits are not read";
    }
    return NULL;
}
