/* What pictures are painted with: relations that look apart without colour, and colours that can be
 * read. Contrast is that of WCAG 2.1; the eye without M cones is simulated by the matrix of Vienot,
 * Brettel and Mollon (1999), on linear RGB. */
#include "picture/report_paint.h"

#include "unit.h"

#include <math.h>
#include <string.h>

struct rgb {
    double part[3]; /* linear */
};

static struct rgb linear(const char *colour)
{
    unsigned bytes[3];
    struct rgb rgb;
    CU_ASSERT_EQUAL_FATAL(sscanf(colour, "#%2x%2x%2x", &bytes[0], &bytes[1], &bytes[2]), 3);
    for (int i = 0; i < 3; i++) {
        double c = bytes[i] / 255.0;
        rgb.part[i] = c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    }
    return rgb;
}

static double luminance(const char *colour)
{
    struct rgb c = linear(colour);
    return 0.2126 * c.part[0] + 0.7152 * c.part[1] + 0.0722 * c.part[2];
}

static double contrast(const char *a, const char *b)
{
    double low = luminance(a), high = luminance(b);
    return (fmax(low, high) + 0.05) / (fmin(low, high) + 0.05);
}

/* Black on white has the most there is, 1.05 / 0.05; a colour on itself 1. #767676 is the lightest
 * grey with 4.5 on white. */
static void test_contrast(void)
{
    CU_ASSERT_DOUBLE_EQUAL(contrast("#000000", "#ffffff"), 21, 0.001);
    CU_ASSERT_DOUBLE_EQUAL(contrast("#336699", "#336699"), 1, 0.001);
    CU_ASSERT(contrast("#767676", "#ffffff") >= 4.5 && contrast("#777777", "#ffffff") < 4.5);
    for (int i = 0; i < REPORT_STROKE_COUNT; i++) {
        CU_ASSERT(contrast(report_strokes[i].colour, REPORT_PAPER) >= 4.5);
        CU_ASSERT(contrast(report_strokes[i].dark, REPORT_DARK_PAPER) >= 4.5);
    }
    static const char *const inks[] = {REPORT_INK, REPORT_SOFT, REPORT_CUT, REPORT_MARKED};
    for (size_t i = 0; i < sizeof inks / sizeof *inks; i++)
        CU_ASSERT(contrast(inks[i], REPORT_PAPER) >= 4.5);
}

/* Of two strokes with one dash pattern one is half as wide again as the other, or more. */
static bool look_apart(const struct report_stroke *a, const struct report_stroke *b)
{
    return strcmp(a->dash, b->dash) != 0 || 2 * a->tenths >= 3 * b->tenths ||
           2 * b->tenths >= 3 * a->tenths;
}

static void test_strokes(void)
{
    for (int a = 0; a < REPORT_STROKE_COUNT; a++)
        for (int b = 0; b < a; b++) {
            CU_ASSERT(look_apart(&report_strokes[a], &report_strokes[b]));
            CU_ASSERT_STRING_NOT_EQUAL(report_strokes[a].dot, report_strokes[b].dot);
        }
    const struct report_stroke thin = {.dash = "4 2", .tenths = 20},
                               wide = {.dash = "4 2", .tenths = 29};
    CU_ASSERT(!look_apart(&thin, &wide));
}

/* Both reds and greens become one yellow. */
static struct rgb without_green(const char *colour)
{
    static const double matrix[3][3] = {
        {0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1.0}};
    struct rgb c = linear(colour), seen = {{0, 0, 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            seen.part[i] += matrix[i][k] * c.part[k];
    return seen;
}

static double distance(const struct rgb *a, const struct rgb *b)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a->part[i] - b->part[i]) * (a->part[i] - b->part[i]);
    return sqrt(sum);
}

/* Some pairs do look alike to such an eye: these have different dash patterns, not widths alone. */
static void test_without_green(void)
{
    const struct rgb black = {{0, 0, 0}}, grey = without_green("#808080");
    struct rgb same = linear("#808080");
    CU_ASSERT(distance(&grey, &same) < 0.01); /* greys stay what they are */
    CU_ASSERT(distance(&grey, &black) > 0.2);
    uint32_t alike = 0;
    for (int a = 0; a < REPORT_STROKE_COUNT; a++)
        for (int b = 0; b < a; b++)
            for (int dark = 0; dark < 2; dark++) {
                const struct report_stroke *x = &report_strokes[a], *y = &report_strokes[b];
                struct rgb p = without_green(dark ? x->dark : x->colour);
                struct rgb q = without_green(dark ? y->dark : y->colour);
                if (distance(&p, &q) >= 0.1)
                    continue;
                alike++;
                CU_ASSERT_STRING_NOT_EQUAL(x->dash, y->dash);
            }
    CU_ASSERT(alike > 0);
}

void suite_report_paint(void)
{
    CU_pSuite suite = CU_add_suite("report_paint", NULL, NULL);
    UNIT_TEST(suite, test_contrast);
    UNIT_TEST(suite, test_strokes);
    UNIT_TEST(suite, test_without_green);
}
