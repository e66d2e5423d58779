/* Files of machines: the built-ins, and the diagnostics of malformed ones. */
#include "unit.h"

#include "machine/mach_config.h"

#include <string.h>

static void expect_error(const char *text, const char *where, const char *id)
{
    struct arena arena;
    struct diag diag;
    struct strbuf out = {0};
    arena_init(&arena);
    diag_init(&diag);
    const struct source *source = source_from_text(&arena, "m.machine", text, strlen(text));
    CU_ASSERT_PTR_NULL(mach_config_parse(&arena, source, &diag));
    CU_ASSERT_EQUAL(diag.errors, 1);
    diag_render(&diag, &out);
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), where));
    CU_ASSERT_PTR_NOT_NULL(strstr(strbuf_text(&out), id));
    strbuf_fini(&out);
    diag_fini(&diag);
    arena_fini(&arena);
}

static void test_malformed(void)
{
    expect_error("machine = nvw-fifo\nunits\n", "m.machine:2:1:", "E-machine-syntax");
    expect_error("machine = nvw-fifo\nunits =\n", "m.machine:2:1:", "E-machine-syntax");
    expect_error("units = 2\n", "m.machine", "E-machine-syntax");
    expect_error("", "m.machine", "E-machine-syntax");
    expect_error("machine = nvw-fifo\nunit = 2\n", "such as `units`", "E-machine-key");
    expect_error("machine = nvw-fifo\nunits = 2\nunits = 2\n", "line 2", "E-machine-key");
    expect_error("machine = nvw-fifo\n  units = 0 # none\n", "m.machine:2:11:", "E-machine-value");
    expect_error("machine = nvw-fifo\nunits = 4294967298\n", "from 1 to 8", "E-machine-value");
    expect_error("machine = nvw-fifo\nevict = maybe\n", "m.machine:2:9:", "E-machine-value");
    expect_error("machine = nvw-fif\n", "such as `nvw-fifo`", "E-machine-unknown");
}

/* The files of tests/malformed/machine, with the whole text of the refusal. */
static void test_files(void)
{
    static const char *const names[] = {"syntax", "key", "value", "unknown"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct arena arena;
        struct diag diag;
        struct strbuf out = {0};
        const char *why = NULL;
        arena_init(&arena);
        diag_init(&diag);
        const char *stem = arena_printf(&arena, "tests/malformed/machine/%s", names[i]);
        const struct source *expected =
            source_load(&arena, arena_printf(&arena, "%s.expected", stem), &why);
        CU_ASSERT_PTR_NOT_NULL_FATAL(expected);
        CU_ASSERT_PTR_NULL(
            mach_config_load(&arena, arena_printf(&arena, "%s.machine", stem), &diag));
        diag_render(&diag, &out);
        CU_ASSERT_STRING_EQUAL(strbuf_text(&out), expected->text);
        strbuf_fini(&out);
        diag_fini(&diag);
        arena_fini(&arena);
    }
}

static void test_builtins(void)
{
    struct arena arena;
    struct diag diag;
    arena_init(&arena);
    diag_init(&diag);
    const struct mach_file *small = mach_config_load(&arena, "nvw-fifo-small", &diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(small);
    CU_ASSERT_STRING_EQUAL(small->machine->name, "nvw-fifo");
    CU_ASSERT_EQUAL(small->config.line_words, 2);
    CU_ASSERT_EQUAL(small->config.l1_fifo, 2);
    CU_ASSERT_EQUAL(small->config.l2_fifo, 1);
    CU_ASSERT(small->config.evict);
    CU_ASSERT_EQUAL(mach_config_load(&arena, "nvw-fifo-one-unit", &diag)->config.units, 1);
    for (size_t i = 0; mach_machines[i]; i++) { /* each has a file of its name */
        const struct mach_file *file = mach_config_load(&arena, mach_machines[i]->name, &diag);
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        CU_ASSERT_PTR_EQUAL(file->machine, mach_machines[i]);
    }
    CU_ASSERT_PTR_NULL(mach_config_load(&arena, "nvw-fifo-smal", &diag));
    CU_ASSERT_PTR_NULL(mach_config_load(&arena, "nowhere/x.machine", &diag));
    CU_ASSERT_EQUAL(diag.errors, 2);
    diag_fini(&diag);
    arena_fini(&arena);
}

void suite_mach_config(void)
{
    CU_pSuite suite = CU_add_suite("mach_config", NULL, NULL);
    UNIT_TEST(suite, test_malformed);
    UNIT_TEST(suite, test_files);
    UNIT_TEST(suite, test_builtins);
}
