/* Markup made small, and what it says read back as the header has it. */
#include "report/report_squeeze.h"
#include "unit.h"

#include <string.h>

static size_t number(const char *digits, int count)
{
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t value = 0;
    for (int i = 0; i < count; i++)
        value = value * 64 + (size_t)(strchr(all, digits[i]) - all);
    return value;
}

static void read_back(const char *text, struct strbuf *out)
{
    for (; *text; text++) {
        if (*text != '~') {
            strbuf_add_char(out, *text == '`' ? '<' : *text == '^' ? '&' : *text);
            continue;
        }
        size_t length = number(text + 1, 2) + 8, back = number(text + 3, 3);
        CU_ASSERT_FATAL(back > 0 && back <= out->length);
        while (length--)
            strbuf_add_char(out, out->text[out->length - back]);
        text += 5;
    }
}

static void expect(const char *text, const char *squeezed)
{
    struct strbuf markup = {0}, out = {0}, back = {0};
    report_squeeze_markup(&markup, text, strlen(text));
    report_squeeze(&markup, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), squeezed);
    read_back(strbuf_text(&out), &back);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&back), strbuf_text(&markup));
    strbuf_fini(&markup);
    strbuf_fini(&out);
    strbuf_fini(&back);
}

/* Eight characters again are L = 0, "AA"; eight back are D = 8, "AAI". An `a` and nine more are one
 * `a` and L = 1 at D = 1. U+00E9 is 233. */
static void test_known(void)
{
    expect("", "");
    expect("<b>&amp;</b>", "`b>^amp;`/b>");
    expect("12345678", "12345678");
    expect("1234567812345678", "12345678~AAAAI");
    expect("aaaaaaaaaa", "a~ABAAB");
    expect("~`^\xc3\xa9\xf0\x9f\x98\x80", "^#126;^#96;^#94;^#233;^#128512;");
}

/* Longer than one match tells, further back than it reaches, and what repeats in between. */
static void test_large(void)
{
    struct strbuf text = {0}, out = {0}, back = {0};
    for (unsigned i = 0, seed = 1; i < 300000; i++) {
        seed = seed * 1103515245u + 12345u;
        strbuf_add_char(&text,
                        i % 1000 < 600 ? (char)('a' + i % 7) : (char)('!' + (seed >> 16) % 27));
    }
    for (int i = 0; i < 9000; i++)
        strbuf_add_char(&text, 'z');
    for (char *c = text.text; *c; c++)
        *c = *c == '&' || *c == '<' ? 'x' : *c;
    report_squeeze(&text, &out);
    read_back(strbuf_text(&out), &back);
    CU_ASSERT_TRUE(out.length < text.length / 2 + text.length / 10);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&back), strbuf_text(&text));
    strbuf_fini(&text);
    strbuf_fini(&out);
    strbuf_fini(&back);
}

void suite_report_squeeze(void)
{
    CU_pSuite suite = CU_add_suite("report_squeeze", NULL, NULL);
    UNIT_TEST(suite, test_known);
    UNIT_TEST(suite, test_large);
}
