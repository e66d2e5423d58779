/* Terms of smt_solver.h: logic, which folds constants, and values of lit_type as words of 64 bits, or
 * of 32, in which a value of a narrower type is what it is as an int. */
#include "base/arena.h"
#include "smt/smt_z3_terms.h"

/* ---- Logic ---- */

smt_term smt_truth(struct smt_solver *s, bool truth)
{
    return term(truth ? s->yes : s->no);
}

bool smt_is(struct smt_solver *s, smt_term a, bool truth)
{
    return ast(a) == (truth ? s->yes : s->no);
}

smt_term smt_bool(struct smt_solver *s)
{
    return term(z3.mk_fresh_const(s->context, "b", s->boolean));
}

/* The lowest bits of a word, as a value of the narrow type that has so many. */
static smt_term lowest(struct smt_solver *s, enum lit_type type, smt_term word)
{
    unsigned bits = lit_type_bits(type);
    Z3_ast part = z3.mk_extract(s->context, bits - 1, 0, ast(word));
    return term(lit_type_is_signed(type) ? z3.mk_sign_ext(s->context, 32 - bits, part)
                                         : z3.mk_zero_ext(s->context, 32 - bits, part));
}

smt_term smt_value(struct smt_solver *s, enum lit_type type)
{
    smt_term word = term(z3.mk_fresh_const(s->context, "v", s->words[lit_type_is_wide(type)]));
    return lit_type_is_narrow(type) ? lowest(s, type, word) : word;
}

smt_term smt_clock(struct smt_solver *s, uint32_t most)
{
    unsigned width = 1;
    while (width < 32 && (most - 1) >> width)
        width++;
    Z3_sort sort = s->theory == SMT_WORDS ? z3.mk_bv_sort(s->context, width) : s->integer;
    return term(z3.mk_fresh_const(s->context, "t", sort));
}

smt_term smt_not(struct smt_solver *s, smt_term a)
{
    if (ast(a) == s->yes || ast(a) == s->no)
        return smt_truth(s, ast(a) == s->no);
    return term(z3.mk_not(s->context, ast(a)));
}

smt_term smt_and(struct smt_solver *s, smt_term a, smt_term b)
{
    if (ast(a) == s->no || ast(b) == s->yes || a == b)
        return a;
    if (ast(b) == s->no || ast(a) == s->yes)
        return b;
    return term(z3.mk_and(s->context, 2, (Z3_ast[]){ast(a), ast(b)}));
}

smt_term smt_or(struct smt_solver *s, smt_term a, smt_term b)
{
    if (ast(a) == s->yes || ast(b) == s->no || a == b)
        return a;
    if (ast(b) == s->yes || ast(a) == s->no)
        return b;
    return term(z3.mk_or(s->context, 2, (Z3_ast[]){ast(a), ast(b)}));
}

smt_term smt_any(struct smt_solver *s, const smt_term *terms, uint32_t count)
{
    Z3_ast *kept = base_realloc(NULL, (count + 1) * sizeof *kept);
    uint32_t many = 0;
    bool holds = false;
    for (uint32_t i = 0; i < count && !holds; i++) {
        holds = smt_is(s, terms[i], true);
        if (!smt_is(s, terms[i], false))
            kept[many++] = ast(terms[i]);
    }
    Z3_ast result = holds || many == 0 ? ast(smt_truth(s, holds))
                    : many == 1        ? kept[0]
                                       : z3.mk_or(s->context, many, kept);
    base_free(kept);
    return term(result);
}

/* Sums of halves, each as wide as it has to be. */
static Z3_ast count_bits(struct smt_solver *s, const smt_term *terms, uint32_t count,
                         uint32_t *width)
{
    Z3_context c = s->context;
    uint32_t half = count / 2, widths[2];
    if (count <= 1) {
        Z3_sort bit = z3.mk_bv_sort(c, 1);
        Z3_ast one = z3.mk_unsigned_int64(c, 1, bit), none = z3.mk_unsigned_int64(c, 0, bit);
        *width = 1;
        return count ? z3.mk_ite(c, ast(terms[0]), one, none) : none;
    }
    Z3_ast a = count_bits(s, terms, half, &widths[0]);
    Z3_ast b = count_bits(s, terms + half, count - half, &widths[1]);
    for (*width = 1; (count >> *width) > 0;)
        ++*width;
    return z3.mk_bvadd(c, z3.mk_zero_ext(c, *width - widths[0], a),
                       z3.mk_zero_ext(c, *width - widths[1], b));
}

smt_term smt_count(struct smt_solver *s, const smt_term *terms, uint32_t count)
{
    uint32_t width;
    Z3_ast sum = count_bits(s, terms, count, &width);
    return term(z3.mk_zero_ext(s->context, 32 - width, sum));
}

smt_term smt_at_least(struct smt_solver *s, const smt_term *terms, uint32_t count, uint32_t least)
{
    if (least == 0 || count < least)
        return smt_truth(s, least == 0);
    return term(z3.mk_atleast(s->context, count, (const Z3_ast *)terms, least));
}

smt_term smt_at_most(struct smt_solver *s, const smt_term *terms, uint32_t count, uint32_t most)
{
    if (count <= most)
        return smt_truth(s, true);
    return term(z3.mk_atmost(s->context, count, (const Z3_ast *)terms, most));
}

smt_term smt_implies(struct smt_solver *s, smt_term a, smt_term b)
{
    return smt_or(s, smt_not(s, a), b);
}

smt_term smt_select(struct smt_solver *s, smt_term condition, smt_term yes, smt_term no)
{
    if (ast(condition) == s->yes || yes == no)
        return yes;
    if (ast(condition) == s->no)
        return no;
    return term(z3.mk_ite(s->context, ast(condition), ast(yes), ast(no)));
}

smt_term smt_equal(struct smt_solver *s, smt_term a, smt_term b)
{
    if (a == b)
        return term(s->yes);
    if (z3.is_numeral_ast(s->context, ast(a)) && z3.is_numeral_ast(s->context, ast(b)))
        return term(s->no); /* numerals are shared: two of one width differ */
    return term(z3.mk_eq(s->context, ast(a), ast(b)));
}

smt_term smt_earlier(struct smt_solver *s, smt_term a, smt_term b)
{
    return term(s->theory == SMT_WORDS ? z3.mk_bvult(s->context, ast(a), ast(b))
                                       : z3.mk_lt(s->context, ast(a), ast(b)));
}

/* ---- Values ---- */

smt_term smt_constant(struct smt_solver *s, enum lit_type type, int64_t value)
{
    uint64_t pattern = lit_type_is_wide(type) ? (uint64_t)value : (uint64_t)value & 0xffffffffu;
    return term(z3.mk_unsigned_int64(s->context, pattern, s->words[lit_type_is_wide(type)]));
}

static smt_term zero_or_one(struct smt_solver *s, smt_term truth)
{
    return smt_select(s, truth, smt_constant(s, LIT_INT, 1), smt_constant(s, LIT_INT, 0));
}

smt_term smt_cast(struct smt_solver *s, enum lit_type to, enum lit_type from, smt_term a)
{
    if (to == LIT_BOOL && from != to)
        return zero_or_one(s, smt_nonzero(s, from, a));
    if (lit_type_is_narrow(to) && from != to)
        return lowest(s, to, a);
    if (lit_type_is_wide(to) == lit_type_is_wide(from))
        return a;
    if (!lit_type_is_wide(to))
        return term(z3.mk_extract(s->context, 31, 0, ast(a)));
    return term(lit_type_is_signed(from) ? z3.mk_sign_ext(s->context, 32, ast(a))
                                         : z3.mk_zero_ext(s->context, 32, ast(a)));
}

smt_term smt_nonzero(struct smt_solver *s, enum lit_type type, smt_term a)
{
    return smt_not(s, smt_equal(s, a, smt_constant(s, type, 0)));
}

static smt_term divide(struct smt_solver *s, enum lit_operator op, enum lit_type type, Z3_ast a,
                       Z3_ast b)
{
    Z3_context c = s->context;
    smt_term zero = smt_constant(s, type, 0);
    Z3_ast result;
    if (op == LIT_OP_DIV)
        result = lit_type_is_signed(type) ? z3.mk_bvsdiv(c, a, b) : z3.mk_bvudiv(c, a, b);
    else
        result = lit_type_is_signed(type) ? z3.mk_bvsrem(c, a, b) : z3.mk_bvurem(c, a, b);
    return smt_select(s, smt_equal(s, term(b), zero), zero, term(result));
}

/* The count is taken modulo the width. */
static smt_term shift(struct smt_solver *s, enum lit_operator op, enum lit_type type, Z3_ast a,
                      Z3_ast b)
{
    Z3_context c = s->context;
    Z3_ast count = z3.mk_bvand(c, b, ast(smt_constant(s, type, lit_type_is_wide(type) ? 63 : 31)));
    if (op == LIT_OP_SHL)
        return term(z3.mk_bvshl(c, a, count));
    return term(lit_type_is_signed(type) ? z3.mk_bvashr(c, a, count) : z3.mk_bvlshr(c, a, count));
}

static smt_term less(struct smt_solver *s, enum lit_type type, Z3_ast a, Z3_ast b)
{
    return term(lit_type_is_signed(type) ? z3.mk_bvslt(s->context, a, b)
                                         : z3.mk_bvult(s->context, a, b));
}

static smt_term apply(struct smt_solver *s, enum lit_operator op, enum lit_type type, smt_term x,
                      smt_term y)
{
    Z3_context c = s->context;
    Z3_ast a = ast(x), b = ast(y);
    switch (op) {
    case LIT_OP_NEG: return term(z3.mk_bvneg(c, a));
    case LIT_OP_BITNOT: return term(z3.mk_bvnot(c, a));
    case LIT_OP_ADD: return term(z3.mk_bvadd(c, a, b));
    case LIT_OP_SUB: return term(z3.mk_bvsub(c, a, b));
    case LIT_OP_MUL: return term(z3.mk_bvmul(c, a, b));
    case LIT_OP_DIV:
    case LIT_OP_MOD: return divide(s, op, type, a, b);
    case LIT_OP_BITAND: return term(z3.mk_bvand(c, a, b));
    case LIT_OP_BITOR: return term(z3.mk_bvor(c, a, b));
    case LIT_OP_BITXOR: return term(z3.mk_bvxor(c, a, b));
    case LIT_OP_SHL:
    case LIT_OP_SHR: return shift(s, op, type, a, b);
    case LIT_OP_LT: return zero_or_one(s, less(s, type, a, b));
    case LIT_OP_GT: return zero_or_one(s, less(s, type, b, a));
    case LIT_OP_LE: return zero_or_one(s, smt_not(s, less(s, type, b, a)));
    case LIT_OP_GE: return zero_or_one(s, smt_not(s, less(s, type, a, b)));
    case LIT_OP_EQ: return zero_or_one(s, smt_equal(s, x, y));
    case LIT_OP_NE: return zero_or_one(s, smt_not(s, smt_equal(s, x, y)));
    case LIT_OP_NOT: return zero_or_one(s, smt_not(s, smt_nonzero(s, type, x)));
    case LIT_OP_AND:
        return zero_or_one(s, smt_and(s, smt_nonzero(s, type, x), smt_nonzero(s, type, y)));
    case LIT_OP_OR:
        return zero_or_one(s, smt_or(s, smt_nonzero(s, type, x), smt_nonzero(s, type, y)));
    default: BASE_UNREACHABLE("an operator of two values");
    }
}

smt_term smt_apply(struct smt_solver *s, enum lit_operator op, enum lit_type type, smt_term x,
                   smt_term y)
{
    smt_term result = apply(s, op, type, x, y);
    return lit_type_is_narrow(type) ? smt_cast(s, type, LIT_INT, result) : result;
}
