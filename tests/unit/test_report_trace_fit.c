/* A table made as narrow as a terminal: 30 columns of steps, a part of 3 and one of 8, with 3
 * between them, are 47. */
#include "document/report_trace_table.h"
#include "unit.h"

static const char table[] = "                               | L1  | L2\n"
                            "  # who line what              | x y | abcdefgh\n"
                            "  -----------------------------+-----+---------\n"
                            "  0          start             | 0 0 | -\n"
                            "  1 P0  4    0123456789abcdefg | . 1 | .\n"
                            "  2 P0  5    *x = 1            | . . | q\n";

static const char *numbers[] = {"0", "1", "2"}, *actors[] = {"", "P0", "P0"},
                  *lines[] = {"", "4", "5"}, *texts[] = {"start", "0123456789abcdefg", "*x = 1"},
                  *x[] = {"0", ".", "."}, *y[] = {"0", "1", "."}, *queue[] = {"-", ".", "q"};

static struct report_trace_column columns_of_table[] = {
    {NULL, "#", false, numbers, 1},    {NULL, "who", false, actors, 3},
    {NULL, "line", false, lines, 4},   {NULL, "what", false, texts, 17},
    {"L1", "x", true, x, 1},           {NULL, "y", false, y, 1},
    {"L2", "abcdefgh", true, queue, 8}};

static void expect_of(struct report_trace_column *items, size_t count, uint32_t steps,
                      size_t columns, const char *expected)
{
    const struct report_trace_table t = {.steps = steps,
                                         .columns = {.items = items, .count = count}};
    struct strbuf out = {0};
    report_trace_table_text(&t, columns, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), expected);
    strbuf_fini(&out);
}

static void expect(size_t columns, const char *expected)
{
    expect_of(columns_of_table, 7, 3, columns, expected);
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

/* A part of any width is cut: 28 characters and `..` are left beside 7 and 3. A character of two
 * bytes is one. */
static void test_wide(void)
{
    const char *number[] = {"0"}, *none[] = {""}, *text[] = {"s\xc3\xa9\xc3\xa9t"},
               *cells[] = {"000000000000000000000000000000000000000000000000000000000007"};
    struct report_trace_column wide[] = {{NULL, "#", false, number, 1},
                                         {NULL, "who", false, none, 3},
                                         {NULL, "line", false, none, 4},
                                         {NULL, "what", false, text, 4},
                                         {"Q", "", true, cells, 60}};
    expect_of(wide, 5, 1, 40,
              "\n"
              "  # who line what\n"
              "  ---------------\n"
              "  0          s\xc3\xa9\xc3\xa9t\n"
              "\n"
              "        | Q\n"
              "  # who |\n"
              "  ------+-------------------------------\n"
              "  0     | 0000000000000000000000000000..\n");
}

void suite_report_trace_fit(void)
{
    CU_pSuite suite = CU_add_suite("report_trace_fit", NULL, NULL);
    UNIT_TEST(suite, test_shortened);
    UNIT_TEST(suite, test_folded);
    UNIT_TEST(suite, test_wide);
}
