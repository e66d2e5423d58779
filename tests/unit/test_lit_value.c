/* Arithmetic on the integer types of a test; runs under UBSan in `make asan`. */
#include "unit.h"

#include "litmus/lit_value.h"

#include <string.h>

static int64_t apply(enum lit_operator op, enum lit_type type, int64_t a, int64_t b)
{
    int64_t result = 0;
    CU_ASSERT_TRUE_FATAL(lit_value_apply(op, type, a, b, 0, &result));
    return result;
}

static void test_wrap(void)
{
    /* 2^32 + 5 keeps 5 in 32 bits; 2^31 is the smallest int, the same uint. */
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_INT, 4294967301), 5);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_INT, 2147483648), INT32_MIN);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_UINT, 2147483648), 2147483648);
    /* -1 is all ones: 2^32 - 1 as uint. */
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_UINT, -1), 4294967295);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_INT, 4294967295), -1);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_LONG, INT64_MIN), INT64_MIN);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_ULONG, -1), -1);
}

/* C11 6.3.1.2 and 6.3.1.3: to bool by the value, to others by the lowest bits. */
static void test_narrow(void)
{
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_CHAR, 200), -56); /* 200 - 256 */
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_UCHAR, -1), 255);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_SHORT, 32768), -32768);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_USHORT, 65537), 1);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_BOOL, 256), 1);
    CU_ASSERT_EQUAL(lit_value_wrap(LIT_BOOL, INT64_C(1) << 40), 1);
    /* Computed with as int: 6.3.1.1, paragraph 2; also one alone, 6.5.3.3. */
    CU_ASSERT_EQUAL(lit_type_common(LIT_CHAR, LIT_UCHAR), LIT_INT);
    CU_ASSERT_EQUAL(lit_type_common(LIT_USHORT, LIT_UINT), LIT_UINT);
    CU_ASSERT_EQUAL(lit_type_of_result(LIT_OP_BITNOT, LIT_UCHAR, LIT_UCHAR), LIT_INT);
    CU_ASSERT_EQUAL(lit_type_of_result(LIT_OP_SHL, LIT_CHAR, LIT_LONG), LIT_INT);
    CU_ASSERT_EQUAL(lit_type_of_result(LIT_OP_CAST, LIT_CHAR, LIT_CHAR), LIT_CHAR);
    CU_ASSERT_TRUE(lit_type_keeps(LIT_BOOL, LIT_CHAR) && !lit_type_keeps(LIT_SHORT, LIT_UCHAR));
}

static void test_conversions(void)
{
    /* C's usual arithmetic conversions with 32-bit int and 64-bit long. */
    CU_ASSERT_EQUAL(lit_type_common(LIT_INT, LIT_UINT), LIT_UINT);
    CU_ASSERT_EQUAL(lit_type_common(LIT_UINT, LIT_LONG), LIT_LONG);
    CU_ASSERT_EQUAL(lit_type_common(LIT_ULONG, LIT_LONG), LIT_ULONG);
    CU_ASSERT_EQUAL(lit_type_of_result(LIT_OP_LT, LIT_ULONG, LIT_LONG), LIT_INT);
    CU_ASSERT_EQUAL(lit_type_of_result(LIT_OP_NOT, LIT_LONG, LIT_LONG), LIT_INT);
    CU_ASSERT_EQUAL(lit_type_of_result(LIT_OP_SHL, LIT_INT, LIT_LONG), LIT_INT);
    CU_ASSERT_EQUAL(lit_type_of_result(LIT_OP_SELECT, LIT_INT, LIT_LONG), LIT_LONG);
    CU_ASSERT_EQUAL(lit_type_of_result(LIT_OP_ADD, LIT_INT, LIT_UINT), LIT_UINT);
}

static void test_wrapping_arithmetic(void)
{
    CU_ASSERT_EQUAL(apply(LIT_OP_ADD, LIT_INT, INT32_MAX, 1), INT32_MIN);
    CU_ASSERT_EQUAL(apply(LIT_OP_SUB, LIT_INT, INT32_MIN, 1), INT32_MAX);
    CU_ASSERT_EQUAL(apply(LIT_OP_ADD, LIT_LONG, INT64_MAX, 1), INT64_MIN);
    CU_ASSERT_EQUAL(apply(LIT_OP_NEG, LIT_INT, INT32_MIN, 0), INT32_MIN);
    CU_ASSERT_EQUAL(apply(LIT_OP_NEG, LIT_LONG, INT64_MIN, 0), INT64_MIN);
    CU_ASSERT_EQUAL(apply(LIT_OP_NEG, LIT_UINT, 1, 0), 4294967295);
    /* 2^16 * 2^16 = 2^32, whose low 32 bits are 0. */
    CU_ASSERT_EQUAL(apply(LIT_OP_MUL, LIT_UINT, 65536, 65536), 0);
    /* (2^63 - 1)^2 = 2^126 - 2^64 + 1, whose low 64 bits are 1. */
    CU_ASSERT_EQUAL(apply(LIT_OP_MUL, LIT_LONG, INT64_MAX, INT64_MAX), 1);
    CU_ASSERT_EQUAL(apply(LIT_OP_BITNOT, LIT_UINT, 0, 0), 4294967295);
    CU_ASSERT_EQUAL(apply(LIT_OP_BITNOT, LIT_INT, 0, 0), -1);
}

static void test_division(void)
{
    int64_t untouched = 77;
    CU_ASSERT_EQUAL(apply(LIT_OP_DIV, LIT_INT, -7, 2), -3); /* towards zero */
    CU_ASSERT_EQUAL(apply(LIT_OP_MOD, LIT_INT, -7, 2), -1); /* -7 - 2 * -3 */
    CU_ASSERT_EQUAL(apply(LIT_OP_DIV, LIT_INT, INT32_MIN, -1), INT32_MIN);
    CU_ASSERT_EQUAL(apply(LIT_OP_MOD, LIT_INT, INT32_MIN, -1), 0);
    CU_ASSERT_EQUAL(apply(LIT_OP_DIV, LIT_LONG, INT64_MIN, -1), INT64_MIN);
    CU_ASSERT_EQUAL(apply(LIT_OP_MOD, LIT_LONG, INT64_MIN, -1), 0);
    /* (2^64 - 1) / 2 = 2^63 - 1 */
    CU_ASSERT_EQUAL(apply(LIT_OP_DIV, LIT_ULONG, -1, 2), INT64_MAX);
    CU_ASSERT_EQUAL(apply(LIT_OP_MOD, LIT_ULONG, -1, 10), 5); /* 18446744073709551615 */
    CU_ASSERT_FALSE(lit_value_apply(LIT_OP_DIV, LIT_INT, 1, 0, 0, &untouched));
    CU_ASSERT_FALSE(lit_value_apply(LIT_OP_MOD, LIT_ULONG, 1, 0, 0, &untouched));
    /* 2^32 converted to int is 0. */
    CU_ASSERT_FALSE(lit_value_apply(LIT_OP_DIV, LIT_INT, 1, 4294967296, 0, &untouched));
    CU_ASSERT_EQUAL(untouched, 77);
}

static void test_shifts(void)
{
    CU_ASSERT_EQUAL(apply(LIT_OP_SHL, LIT_INT, 1, 31), INT32_MIN);
    CU_ASSERT_EQUAL(apply(LIT_OP_SHL, LIT_INT, 1, 33), 2); /* 33 modulo 32 */
    CU_ASSERT_EQUAL(apply(LIT_OP_SHL, LIT_LONG, 1, 33), INT64_C(1) << 33);
    CU_ASSERT_EQUAL(apply(LIT_OP_SHL, LIT_LONG, 1, 63), INT64_MIN);
    CU_ASSERT_EQUAL(apply(LIT_OP_SHL, LIT_UINT, 1, -1), 2147483648); /* -1 modulo 32 is 31 */
    CU_ASSERT_EQUAL(apply(LIT_OP_SHR, LIT_INT, -8, 1), -4);
    CU_ASSERT_EQUAL(apply(LIT_OP_SHR, LIT_UINT, 4294967288, 1), 2147483644);
    CU_ASSERT_EQUAL(apply(LIT_OP_SHR, LIT_ULONG, -1, 63), 1);
    CU_ASSERT_EQUAL(apply(LIT_OP_SHR, LIT_LONG, INT64_MIN, 63), -1);
}

static void test_comparisons(void)
{
    CU_ASSERT_EQUAL(apply(LIT_OP_LT, LIT_INT, -1, 1), 1);
    CU_ASSERT_EQUAL(apply(LIT_OP_LT, LIT_UINT, -1, 1), 0);
    CU_ASSERT_EQUAL(apply(LIT_OP_GT, LIT_ULONG, -1, 1), 1);
    CU_ASSERT_EQUAL(apply(LIT_OP_LE, LIT_ULONG, -1, -1), 1);
    CU_ASSERT_EQUAL(apply(LIT_OP_GE, LIT_LONG, INT64_MIN, INT64_MAX), 0);
    CU_ASSERT_EQUAL(apply(LIT_OP_EQ, LIT_UINT, -1, 4294967295), 1);
    CU_ASSERT_EQUAL(apply(LIT_OP_NE, LIT_LONG, -1, 4294967295), 1);
}

static void test_logic(void)
{
    int64_t result;
    /* Truth is of the whole value, whatever the type says. */
    CU_ASSERT_EQUAL(apply(LIT_OP_AND, LIT_INT, 4294967296, 1), 1);
    CU_ASSERT_EQUAL(apply(LIT_OP_OR, LIT_INT, 0, 0), 0);
    CU_ASSERT_EQUAL(apply(LIT_OP_NOT, LIT_INT, 4294967296, 0), 0);
    CU_ASSERT_TRUE(lit_value_apply(LIT_OP_SELECT, LIT_INT, 4294967296, 5, 6, &result));
    CU_ASSERT_EQUAL(result, 5);
    CU_ASSERT_TRUE(lit_value_apply(LIT_OP_SELECT, LIT_UINT, 0, 5, -1, &result));
    CU_ASSERT_EQUAL(result, 4294967295);
    CU_ASSERT_EQUAL(apply(LIT_OP_CAST, LIT_INT, 4294967295, 0), -1);
}

static void test_print(void)
{
    struct strbuf out = {0};
    lit_value_print(LIT_ULONG, -1, &out);
    strbuf_add(&out, " ");
    lit_value_print(LIT_LONG, INT64_MIN, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), "18446744073709551615 -9223372036854775808");
    strbuf_fini(&out);
}

void suite_lit_value(void)
{
    CU_pSuite suite = CU_add_suite("lit_value", NULL, NULL);
    UNIT_TEST(suite, test_wrap);
    UNIT_TEST(suite, test_narrow);
    UNIT_TEST(suite, test_conversions);
    UNIT_TEST(suite, test_wrapping_arithmetic);
    UNIT_TEST(suite, test_division);
    UNIT_TEST(suite, test_shifts);
    UNIT_TEST(suite, test_comparisons);
    UNIT_TEST(suite, test_logic);
    UNIT_TEST(suite, test_print);
}
