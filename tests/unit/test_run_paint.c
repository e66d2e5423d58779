/* Colours: of which lines, and when. */
#define _XOPEN_SOURCE 700 /* for pseudo-terminals */
#include "run/run_paint.h"
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RED "\033[1;31m"
#define GREEN "\033[32m"
#define MAGENTA "\033[35m"
#define YELLOW "\033[33m"
#define GONE "\033[31m"
#define CYAN "\033[36m"
#define MARK "\033[1;33m"
#define BOLD "\033[1m"
#define END "\033[0m"

static void expect(const char *text, const char *painted)
{
    struct run_paint paint = {0};
    struct strbuf out = {0};
    run_paint_add(&paint, text, strlen(text), &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), painted);
    strbuf_fini(&out);
}

static void test_lines(void)
{
    expect("", "");
    expect("No", RED "No" END);
    expect("None\nNo thing\n", "None\nNo thing\n");
    expect("key=1; val=0;\n*>key=1; val=0;\n", "key=1; val=0;\n" MARK "*>key=1; val=0;" END "\n");
    expect("Verdict t ok, expected ok\n", "Verdict t " GREEN "ok" END ", expected ok\n");
    expect("Verdict t undefined, expected ok\n",
           "Verdict t " MAGENTA "undefined" END RED ", expected ok" END "\n");
    expect("Verdict a, expected b unknown, expected unknown\n", /* its name has blanks */
           "Verdict a, expected b " YELLOW "unknown" END ", expected unknown\n");
    expect("Verdict\nVerdict \nVerdict t\n", "Verdict\nVerdict \nVerdict t\n");
    expect("! violated   a: b\n  ok         c\n  fine       d\n", RED
           "! " END RED "violated" END "   a: b\n  " GREEN "ok" END "         c\n  fine       d\n");
}

/* The answer in its first words, and states by what they mean. */
static void test_sentences(void)
{
    expect("Violated: a\nHolds: b\n", RED "Violated:" END " a\n" GREEN "Holds:" END " b\n");
    expect("  ! x=1   breaks condition 1\n    x=2\n  + x=3\n",
           MARK "  ! x=1   breaks condition 1" END "\n    x=2\n" GREEN "  + x=3" END "\n");
}

static void test_messages(void)
{
    expect("a:1:2: error: no [E-x]\n    x = ;\n        ^~\n", BOLD
           "a:1:2" END RED ": error:" END " no [E-x]\n    x = ;\n" GREEN "        ^~" END "\n");
    expect("a: warning: error: x\n", BOLD "a" END MAGENTA ": warning:" END " error: x\n");
    expect("    ^~ x\n  ^\n", "    ^~ x\n  ^\n"); /* no carets */
}

/* Of 2 lines that there were and 3 that there are one stays: then the difference is over. */
static void test_difference(void)
{
    expect("- a\n@@ -4,2 +4,3 @@\n b\n-c\n+d\n+e\n+f\n- g\n",
           "- a\n" CYAN "@@ -4,2 +4,3 @@" END "\n b\n" GONE "-c" END "\n" GREEN "+d" END "\n" GREEN
           "+e" END "\n+f\n- g\n");
    expect("@@ -4 +4 @@\n-a\n+b\n+c\n",
           CYAN "@@ -4 +4 @@" END "\n" GONE "-a" END "\n" GREEN "+b" END "\n+c\n");
    expect("@@ -", CYAN "@@ -" END);
}

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, true);
    else
        unsetenv(name);
}

/* A terminal, if the system has one to give, and a file that is none. */
static void test_when(void)
{
    int file = open("/dev/null", O_WRONLY), master = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name =
        master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 ? ptsname(master) : NULL;
    int terminal = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    set("NO_COLOR", NULL);
    set("CLICOLOR_FORCE", NULL);
    set("TERM", "xterm");
    run_paint_ask(NULL);
    run_paint_ask("auto");
    CU_ASSERT_FALSE(run_paint_is_wanted(file));
    if (terminal >= 0) {
        CU_ASSERT_TRUE(run_paint_is_wanted(terminal));
        set("NO_COLOR", "");
        CU_ASSERT_TRUE(run_paint_is_wanted(terminal));
        set("NO_COLOR", "1");
        CU_ASSERT_FALSE(run_paint_is_wanted(terminal));
        set("NO_COLOR", NULL);
        set("TERM", "dumb");
        CU_ASSERT_FALSE(run_paint_is_wanted(terminal));
        close(terminal);
    }
    set("NO_COLOR", "1");
    run_paint_ask("always");
    CU_ASSERT_TRUE(run_paint_is_wanted(file));
    run_paint_ask("never");
    CU_ASSERT_FALSE(run_paint_is_wanted(file));
    set("NO_COLOR", NULL);
    if (master >= 0)
        close(master);
    close(file);
}

void suite_run_paint(void)
{
    CU_pSuite suite = CU_add_suite("run_paint", NULL, NULL);
    UNIT_TEST(suite, test_lines);
    UNIT_TEST(suite, test_sentences);
    UNIT_TEST(suite, test_messages);
    UNIT_TEST(suite, test_difference);
    UNIT_TEST(suite, test_when);
}
