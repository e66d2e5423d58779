/* The line that tells how far a run is. */
#include "unit.h"

#include "run/run_progress.h"

static void expect(size_t done, size_t total, double seconds, const char *wanted)
{
    struct strbuf line = {0};
    run_progress_text(&line, "tests", done, total, seconds);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&line), wanted);
    strbuf_fini(&line);
}

static void test_text(void)
{
    expect(0, 10, 1, "0 of 10 tests");
    expect(0, 0, 12.4, "tests, 12 s so far"); /* nobody knows of how many */
    /* 4000 in 2 s are 2000 a second; 6000 are left: 3 s, told as the next whole second. */
    expect(4000, 10000, 2, "4000 of 10000 tests, 2000 a second, 4 s to go");
    /* 1 in 2 s is 0.5 a second; 60 are left: 120 s, told as 121 s in whole minutes. */
    expect(1, 61, 2, "1 of 61 tests, 0.5 a second, 3 min to go");
    /* 1 in 10 s: 999 are left, 9990 s, 2 h 46 min 30 s. */
    expect(1, 1000, 10, "1 of 1000 tests, 0.1 a second, 2 h 46 min to go");
    expect(10, 10, 5, "10 of 10 tests, 2.0 a second, 1 s to go");
}

void suite_run_progress(void)
{
    CU_pSuite suite = CU_add_suite("run_progress", NULL, NULL);
    UNIT_TEST(suite, test_text);
}
