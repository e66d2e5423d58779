/* lit_value: the integer types of a test and arithmetic on their values.
 *
 * A value is kept in an int64_t in canonical form: signed types sign-extended, unsigned ones
 * zero-extended, LIT_ULONG as its bit pattern, LIT_BOOL as 0 or 1. Signed overflow
 * wraps (the tool gives the two's-complement answer C leaves undefined). Types of fewer than 32 bits
 * are those of locations, registers and casts: their values are computed with as int (C11 6.3.1.1).
 */
#ifndef CRASHLIT_LIT_VALUE_H
#define CRASHLIT_LIT_VALUE_H

#include "base/strbuf.h"
#include "base/table.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order of their conversion ranks (C11 6.3.1.1): X(name, word, bits, is signed, range). `char` is
 * signed, as in OpenCL. */
/* clang-format off */
#define LIT_TYPES(X)                                                                        \
    X(BOOL,   "bool",   1,  false, "0 to 1")                                                \
    X(CHAR,   "char",   8,  true,  "-128 to 127")                                           \
    X(UCHAR,  "uchar",  8,  false, "0 to 255")                                              \
    X(SHORT,  "short",  16, true,  "-32768 to 32767")                                       \
    X(USHORT, "ushort", 16, false, "0 to 65535")                                            \
    X(INT,    "int",    32, true,  "-2147483648 to 2147483647")                             \
    X(UINT,   "uint",   32, false, "0 to 4294967295")                                       \
    X(LONG,   "long",   64, true,  "-9223372036854775808 to 9223372036854775807")           \
    X(ULONG,  "ulong",  64, false, "0 to 18446744073709551615")
/* clang-format on */

enum lit_type {
#define X(name, word, bits, is_signed, range) LIT_##name,
    LIT_TYPES(X)
#undef X
};

/* Operators of expressions: X(name, arity, spelling). */
#define LIT_OPERATORS(X) \
    X(CONST, 0, "")      \
    X(REG, 0, "")        \
    X(NEG, 1, "-")       \
    X(BITNOT, 1, "~")    \
    X(NOT, 1, "!")       \
    X(CAST, 1, "cast")   \
    X(ADD, 2, "+")       \
    X(SUB, 2, "-")       \
    X(MUL, 2, "*")       \
    X(DIV, 2, "/")       \
    X(MOD, 2, "%")       \
    X(BITAND, 2, "&")    \
    X(BITOR, 2, "|")     \
    X(BITXOR, 2, "^")    \
    X(SHL, 2, "<<")      \
    X(SHR, 2, ">>")      \
    X(LT, 2, "<")        \
    X(LE, 2, "<=")       \
    X(GT, 2, ">")        \
    X(GE, 2, ">=")       \
    X(EQ, 2, "==")       \
    X(NE, 2, "!=")       \
    X(AND, 2, "&&")      \
    X(OR, 2, "||")       \
    X(SELECT, 3, "?:")

enum lit_operator {
#define X(name, arity, text) LIT_OP_##name,
    LIT_OPERATORS(X)
#undef X
};

/* Of 64 bits? Of fewer than 32? */
static inline bool lit_type_is_wide(enum lit_type type)
{
    return type >= LIT_LONG;
}
static inline bool lit_type_is_narrow(enum lit_type type)
{
    return type < LIT_INT;
}
uint32_t lit_type_bits(enum lit_type type);
bool lit_type_is_signed(enum lit_type type);
/* That of the same bits. */
static inline enum lit_type lit_type_unsigned(enum lit_type type)
{
    return lit_type_is_signed(type) ? type + 1 : type;
}
/* Does a conversion tell all values apart? */
static inline bool lit_type_keeps(enum lit_type from, enum lit_type to)
{
    return lit_type_bits(from) <= lit_type_bits(to);
}
/* Brings any 64-bit pattern into the canonical form of `type`. */
int64_t lit_value_wrap(enum lit_type type, int64_t value);
/* C's usual arithmetic conversions. */
enum lit_type lit_type_common(enum lit_type a, enum lit_type b);
/* The type of `op` applied to operands of these types (comparisons and logic: LIT_INT;
 * shifts: the left operand's; SELECT: common type of b and c, given as a and b). */
enum lit_type lit_type_of_result(enum lit_operator op, enum lit_type a, enum lit_type b);
/* Applies an operator with 1 to 3 operands (unused ones ignored). `type` is the type
 * the operands are converted to before comparison or arithmetic (for CAST: the target).
 * Returns false, leaving *result, on division by zero. Shift counts are taken
 * modulo the width. INT_MIN / -1 wraps. */
bool lit_value_apply(enum lit_operator op, enum lit_type type, int64_t a, int64_t b, int64_t c,
                     int64_t *result) __attribute__((warn_unused_result));
/* Decimal text: LIT_ULONG unsigned, the others signed. */
void lit_value_print(enum lit_type type, int64_t value, struct strbuf *out);

#endif
