/* unit: what every unit test includes; the one place that names CUnit. */
#ifndef CRASHLIT_UNIT_H
#define CRASHLIT_UNIT_H

#include <CUnit/CUnit.h>
#include <stdlib.h>

/* Adds a test to a suite, ending the run when CUnit cannot. */
#define UNIT_TEST(suite, function) \
    do { if (!CU_add_test((suite), #function, (function))) abort(); } while (0)

#define SUITE(module) void suite_##module(void);
#include "suites.def"
#undef SUITE

#endif
