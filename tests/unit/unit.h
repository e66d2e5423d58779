/* unit: what every unit test includes; the one place that names CUnit. */
#ifndef CRASHLIT_UNIT_H
#define CRASHLIT_UNIT_H

#include <CUnit/CUnit.h>
#include <stdint.h>
#include <stdlib.h>

/* Adds a test to a suite, ending the run when CUnit cannot. */
#define UNIT_TEST(suite, function)                        \
    do {                                                  \
        if (!CU_add_test((suite), #function, (function))) \
            abort();                                      \
    } while (0)

/* Many steps of what other tests do in few: `unit --light` leaves it out, for a run that is slow in
 * itself. */
#define UNIT_HEAVY_TEST(suite, function)    \
    do {                                    \
        if (!unit_is_light())               \
            UNIT_TEST((suite), (function)); \
    } while (0)
CU_BOOL unit_is_light(void);

/* CUnit's own assertions say what was compared; these also what it came to. No floating point. */
#define UNIT_NUMBER(x) ((long long)_Generic((x), float : (void)0, double : (void)0, default : (x)))
#define UNIT_EQUAL(actual, expected, fatal)                                          \
    unit_equal(UNIT_NUMBER(actual), UNIT_NUMBER(expected), #actual " == " #expected, \
               (struct unit_place){__FILE__, __LINE__, fatal})
#undef CU_ASSERT_EQUAL
#define CU_ASSERT_EQUAL(actual, expected) UNIT_EQUAL(actual, expected, CU_FALSE)
#undef CU_ASSERT_EQUAL_FATAL
#define CU_ASSERT_EQUAL_FATAL(actual, expected) UNIT_EQUAL(actual, expected, CU_TRUE)
#undef CU_ASSERT_STRING_EQUAL
#define CU_ASSERT_STRING_EQUAL(actual, expected)               \
    unit_same_text(actual, expected, #actual " == " #expected, \
                   (struct unit_place){__FILE__, __LINE__, CU_FALSE})

struct unit_place {
    const char *file;
    unsigned line;
    CU_BOOL fatal; /* a failure ends the test */
};
void unit_equal(long long actual, long long expected, const char *what, struct unit_place place);
/* Neither is NULL. */
void unit_same_text(const char *actual, const char *expected, const char *what,
                    struct unit_place place);

/* The next of numbers that look random, the same ones for the same first state: splitmix64 (Steele,
 * Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). */
uint64_t unit_random(uint64_t *state);
static inline uint32_t unit_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(unit_random(state) % bound);
}

#define SUITE(module) void suite_##module(void);
#include "suites.def"
#undef SUITE

#endif
