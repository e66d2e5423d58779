/* The tags of a test, in its head. */
#include "unit.h"

#include "base/strbuf.h"
#include "run/run_tags.h"

#include <string.h>

/* The tags, each followed by a '.'. */
static void expect(const char *text, const char *wanted)
{
    SCOPED(arena) arena = {0};
    struct strbuf found = {0};
    const char *at = run_tags_of(&arena, text), *tag;
    for (size_t length; (length = run_tags_next(&at, &tag)) > 0;) {
        strbuf_add_bytes(&found, tag, length);
        strbuf_add_char(&found, '.');
    }
    CU_ASSERT_STRING_EQUAL(strbuf_text(&found), wanted);
    strbuf_fini(&found);
}

static void test_found(void)
{
    expect("OPENCL t\nTags=slow\n{ }", "slow.");
    expect("OPENCL t\n\"a title\"\nTags = slow, gpm\ttwo\r\n{ }", "slow.gpm.two.");
    expect("// what\nOPENCL t (* more *)\nCom=Rf \" ( {\n  Tags=a,,b\n{ }", "a.b.");
    expect("OPENCL t\n(* more (* and *) *)\nTags=a\n{ }", "a.");
    expect("OPENCL t\nTags=a", "a.");
    expect("OPENCL t\nTags=a\nMore=x\nTags=b, c\n{ }", "a.b.c."); /* all lines of that name */
    /* Line ends are those that a test may have. */
    expect("OPENCL t\r// more\rTags=a\r\rTags=b\r{ }", "a.b.");
    expect("OPENCL t\r\n// more\r\nTags=a,\r\nTags=b\r\n{ }", "a.b.");
}

/* What is behind the initial state, within a comment or title, of another name, or in a line. */
static void test_none(void)
{
    const char *const texts[] = {"",
                                 "{",
                                 "OPENCL t\n{ }\nTags=a\n",
                                 "OPENCL t\n(* more\nTags=a\n*)\n{ }",
                                 "OPENCL t\n(* more (* and *)\nTags=a\n*)\n{ }",
                                 "OPENCL t\n/* more\nTags=a\n*/\n{ }",
                                 "OPENCL t\n\"a title\nTags=a\"\n{ }",
                                 "OPENCL t // Tags=a\n{ }",
                                 "OPENCL t\nHashTags=a\n{ }",
                                 "OPENCL t\nTag=a\n{ }",
                                 "OPENCL t\nTags\n{ }",
                                 "OPENCL t\nTags=\n{ }",
                                 "OPENCL t\n(* no end Tags=a\n",
                                 "OPENCL t\nuses \"Tags=a\"\n{ }",
                                 "\"",
                                 "(*",
                                 "(*(",
                                 "(* *",
                                 "A="};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(texts[i], "");
}

void suite_run_tags(void)
{
    CU_pSuite suite = CU_add_suite("run_tags", NULL, NULL);
    UNIT_TEST(suite, test_found);
    UNIT_TEST(suite, test_none);
}
