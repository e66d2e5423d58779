/* Files of machines: the built-ins, and the diagnostics of malformed ones. */
#include "test_mach_fixture.h"

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
    expect_error("machine = nvw-fifo\nevict_l1 = yes\n", "m.machine:2:12:", "E-machine-value");
    expect_error("machine = nvw-fifo\nevict_l1 = any\nevict_l1 = any\n", "line 2", "E-machine-key");
    expect_error("machine = nvw-fifo\nplacement = spread\n", "m.machine:2:13:", "E-machine-value");
    expect_error("machine = nvw-fifo\nplacement = 0 1  2 # ..\n",
                 "m.machine:2:18:", "E-machine-value");
    expect_error("machine = nvw-fifo\nplacement = 0 x\n", "from 0 to 7", "E-machine-value");
    expect_error("machine = nvw-fifo\nplacement = 0 8\n", "from 0 to 7", "E-machine-value");
    expect_error("placement = 1\nmachine = nvw-fifo\nunits = 1\n",
                 "m.machine:1:13:", "E-machine-value");
    expect_error("machine = nvw-fifo\nplacement = 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
                 "at most 16", "E-machine-value");
    expect_error("machine = nvw-fif\n", "such as `nvw-fifo`", "E-machine-unknown");
}

/* The files of tests/malformed/machine, with the whole text of the refusal. */
static void test_files(void)
{
    static const char *const names[] = {"syntax", "key",       "value", "unknown",
                                        "place",  "placement", "evict", "stage",
                                        "rule",   "promises",  "sense"};
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
    CU_ASSERT_EQUAL(small->config.l1_sfifo, 1);
    CU_ASSERT_EQUAL(small->config.evict_l1, MACH_EVICT_ANY);
    CU_ASSERT_EQUAL(small->config.placement.count, 0);
    CU_ASSERT_EQUAL(mach_config_load(&arena, "nvw-fifo-one-unit", &diag)->config.units, 1);
    for (size_t i = 0; mach_machines[i];
         i++) { /* each that promises a pair has a file of its name */
        if (!mach_machines[i]->visibility)
            continue;
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

/* Files in models/machines are embedded as they are: each is one that the parser takes. */
/* All once; and of several that promise a pair the one that is asked comes first, which of
 * hrf-direct + epoch (nvw-fifo and ideal-sc among others) is nvw-fifo (docs/models/machines.md). */
static void test_builtins_in_turn(void)
{
    struct arena arena;
    struct diag diag;
    const char *name, *seen[64];
    size_t count = 0;
    arena_init(&arena);
    diag_init(&diag);
    struct strbuf pairs = {0};
    for (; (name = mach_config_name(&arena, count)); seen[count++] = name) {
        const struct mach_file *file = mach_config_load(&arena, name, &diag);
        for (size_t i = 0; i < count; i++)
            CU_ASSERT_STRING_NOT_EQUAL(seen[i], name);
        for (uint32_t i = 0; file && i < file->promise_count; i++) {
            const struct mach_promise *pair = &file->promises[i];
            const char *text = arena_printf(&arena, "|%s+%s|", pair->visibility, pair->persistency);
            if (!strstr(strbuf_text(&pairs), text))
                CU_ASSERT_STRING_EQUAL(
                    name, mach_config_promising(&arena, pair->visibility, pair->persistency)->name);
            strbuf_add(&pairs, text);
        }
    }
    CU_ASSERT_EQUAL(count, mach_builtin_count);
    CU_ASSERT_STRING_EQUAL(seen[0], "nvw-fifo");
    strbuf_fini(&pairs);
    diag_fini(&diag);
    arena_fini(&arena);
}

static void test_builtins_parse(void)
{
    struct arena arena;
    struct diag diag;
    struct strbuf out = {0};
    arena_init(&arena);
    diag_init(&diag);
    CU_ASSERT(mach_builtin_count > 0);
    for (size_t i = 0; i < mach_builtin_count; i++) {
        const struct mach_file *file =
            mach_config_load(&arena, source_builtin_name(&arena, &mach_builtins[i]), &diag);
        CU_ASSERT_PTR_NOT_NULL(file);
        CU_ASSERT(!file || file->promise_count > 0);
    }
    diag_render(&diag, &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), "");
    strbuf_fini(&out);
    diag_fini(&diag);
    arena_fini(&arena);
}

static struct mach_config config_of(struct arena *arena, const char *lines)
{
    struct diag diag;
    diag_init(&diag);
    const char *text = arena_printf(arena, "machine = nvw-fifo\n%s\n", lines);
    const struct mach_file *file =
        mach_config_parse(arena, source_from_text(arena, "m.machine", text, strlen(text)), &diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    diag_fini(&diag);
    return file->config;
}

/* Every key, its default, and the ends of its range. */
static void test_keys(void)
{
    static const struct {
        const char *key;
        uint32_t initial, least, most;
    } rows[] = {{"units", 2, 1, 8},     {"line_words", 1, 1, 8}, {"l1_lines", 0, 0, 64},
                {"l2_lines", 0, 0, 64}, {"l1_fifo", 16, 1, 64},  {"l2_fifo", 64, 1, 64},
                {"l1_sfifo", 16, 1, 64}};
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t given[] = {rows[i].initial, rows[i].least, rows[i].most};
        for (int k = 0; k < 3; k++) {
            struct mach_config c =
                config_of(&arena, k ? arena_printf(&arena, "%s = %u", rows[i].key, given[k]) : "");
            const uint32_t found[] = {c.units,   c.line_words, c.l1_lines, c.l2_lines,
                                      c.l1_fifo, c.l2_fifo,    c.l1_sfifo};
            CU_ASSERT_EQUAL(found[i], given[k]);
        }
        if (rows[i].least > 0)
            expect_error(arena_printf(&arena, "machine = nvw-fifo\n%s = %u\n", rows[i].key,
                                      rows[i].least - 1),
                         "m.machine:2:", "E-machine-value");
        expect_error(
            arena_printf(&arena, "machine = nvw-fifo\n%s = %u\n", rows[i].key, rows[i].most + 1),
            "m.machine:2:", "E-machine-value");
    }
    arena_fini(&arena);
}

static void test_words(void)
{
    struct arena arena;
    arena_init(&arena);
    struct mach_config c = config_of(&arena, "");
    CU_ASSERT(c.evict_l1 == MACH_EVICT_ANY && c.evict_l2 == MACH_EVICT_ANY);
    c = config_of(&arena, "evict_l1 = none\nevict_l2 = clean");
    CU_ASSERT(c.evict_l1 == MACH_EVICT_NONE && c.evict_l2 == MACH_EVICT_CLEAN);
    c = config_of(&arena, "evict_l2 = dirty");
    CU_ASSERT(c.evict_l1 == MACH_EVICT_ANY && c.evict_l2 == MACH_EVICT_DIRTY);
    CU_ASSERT_EQUAL(config_of(&arena, "placement = in-turn").placement.count, 0);
    c = config_of(&arena, "placement = one-unit");
    CU_ASSERT(c.placement.count == 1 && c.placement.units[0] == 0);
    c = config_of(&arena, "placement = 0  0 2 # two together\nunits = 3");
    CU_ASSERT(c.placement.count == 3 && c.placement.units[1] == 0 && c.placement.units[2] == 2);
    arena_fini(&arena);
}

/* Three work-groups and a second work-item of the first. */
static void test_placement(void)
{
    static const char text[] = "OPENCL t\n{ x = 0; }\nP0@wg 0 () { }\nP1@wg 1 () { }\n"
                               "P2@wg 0 () { }\nP3@wg 2 () { }\nexists (x = 0)\n";
    static const struct {
        const char *machine;
        uint32_t units[4];
    } rows[] = {{"machine = nvw-fifo\n", {0, 1, 0, 0}}, /* two units in turn */
                {"machine = nvw-fifo\nplacement = one-unit\n", {0, 0, 0, 0}},
                {"machine = nvw-fifo\nplacement = 1 0\n", {1, 0, 1, 1}}, /* 1, 0 and again 1 */
                {"machine = nvw-fifo\nunits = 3\nplacement = 2 2 1\n", {2, 2, 2, 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct mach_bench b;
        mach_bench_init(&b, text, rows[i].machine);
        for (int t = 0; t < 4; t++)
            CU_ASSERT_EQUAL(b.test.unit_of[t], rows[i].units[t]);
        mach_bench_fini(&b);
    }
}

void suite_mach_config(void)
{
    CU_pSuite suite = CU_add_suite("mach_config", NULL, NULL);
    UNIT_TEST(suite, test_malformed);
    UNIT_TEST(suite, test_files);
    UNIT_TEST(suite, test_builtins);
    UNIT_TEST(suite, test_builtins_in_turn);
    UNIT_TEST(suite, test_builtins_parse);
    UNIT_TEST(suite, test_keys);
    UNIT_TEST(suite, test_words);
    UNIT_TEST(suite, test_placement);
}
