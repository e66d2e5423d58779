/* A table made as narrow as a terminal: 30 columns of steps, a part of 3 and one of 8, with 3
 * between them, are 47. */
#include "report/report_trace_fit.h"
#include "unit.h"

static const char table[] = "                               | L1  | L2\n"
                            "  # who line what              | x y | abcdefgh\n"
                            "  -----------------------------+-----+---------\n"
                            "  0          start             | 0 0 | -\n"
                            "  1 P0  4    0123456789abcdefg | . 1 | .\n"
                            "  2 P0  5    *x = 1            | . . | q\n";

static void expect(size_t columns, const char *expected)
{
    struct strbuf out = {0};
    report_trace_fit(table, columns, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), expected);
    strbuf_fini(&out);
}

/* Statements begin behind 13 columns and keep 16 of them: 46 is the least without folding. */
static void test_shortened(void)
{
    expect(0, table);
    expect(47, table);
    expect(46, "                              | L1  | L2\n"
               "  # who line what             | x y | abcdefgh\n"
               "  ----------------------------+-----+---------\n"
               "  0          start            | 0 0 | -\n"
               "  1 P0  4    0123456789abcd.. | . 1 | .\n"
               "  2 P0  5    *x = 1           | . . | q\n");
}

/* Of the second part step 1 changes nothing. 40 is the narrowest there is. */
static void test_folded(void)
{
    static const char folded[] = "                               | L1\n"
                                 "  # who line what              | x y\n"
                                 "  -----------------------------+----\n"
                                 "  0          start             | 0 0\n"
                                 "  1 P0  4    0123456789abcdefg | . 1\n"
                                 "  2 P0  5    *x = 1            | . .\n"
                                 "\n"
                                 "        | L2\n"
                                 "  # who | abcdefgh\n"
                                 "  ------+---------\n"
                                 "  0     | -\n"
                                 "  2 P0  | q\n";
    expect(45, folded);
    expect(1, folded);
}

/* What is no table stays as it is, and a part of any width is cut. */
static void test_other(void)
{
    struct strbuf wide = {0}, out = {0};
    report_trace_fit("", 40, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), "");
    report_trace_fit("a line that is longer than forty columns are, alone\n", 40, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out),
                           "a line that is longer than forty columns are, alone\n");
    strbuf_clear(&out);
    strbuf_printf(&wide, "                  | Q\n  # who line what | \n  ----------------+-%0*d\n",
                  60, 0);
    for (size_t i = 0; i < wide.length; i++)
        wide.text[i] = wide.text[i] == '0' ? '-' : wide.text[i];
    strbuf_printf(&wide, "  0          s\xc3\xa9\xc3\xa9t | %060d\n", 7);
    report_trace_fit(strbuf_text(&wide), 40, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), "\n"
                                              "  # who line what\n"
                                              "  ---------------\n"
                                              "  0          s\xc3\xa9\xc3\xa9t\n"
                                              "\n"
                                              "        | Q\n"
                                              "  # who |\n"
                                              "  ------+-------------------------------\n"
                                              "  0     | 0000000000000000000000000000..\n");
    strbuf_fini(&wide);
    strbuf_fini(&out);
}

void suite_report_trace_fit(void)
{
    CU_pSuite suite = CU_add_suite("report_trace_fit", NULL, NULL);
    UNIT_TEST(suite, test_shortened);
    UNIT_TEST(suite, test_folded);
    UNIT_TEST(suite, test_other);
}
