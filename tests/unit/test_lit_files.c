/* Files: those that must be refused, each with the exact text of the refusal
 * (tests/malformed/litmus/CASE.litmus and CASE.expected), and those of other tools
 * that must be accepted unchanged. Run from the top of the tree. */
#include "test_lit_fixture.h"

#include <dirent.h>
#include <sys/stat.h>

#define FOLDER "tests/malformed/litmus"
#define PEERS "../shared/peers/litmus/OPENCL"

static bool ends(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length > tail && strcmp(text + length - tail, suffix) == 0;
}

/* Gives each file below `folder` whose name ends so to `visit`; returns how many. */
static size_t each_file(const char *folder, const char *suffix, int depth,
                        void (*visit)(struct arena *arena, const char *path))
{
    DIR *directory = depth < 5 ? opendir(folder) : NULL;
    struct arena arena;
    size_t count = 0;
    if (!directory)
        return 0;
    arena_init(&arena);
    for (struct dirent *at; (at = readdir(directory));) {
        const char *path = arena_printf(&arena, "%s/%s", folder, at->d_name);
        struct stat status;
        if (at->d_name[0] == '.' || stat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode)) {
            count += each_file(path, suffix, depth + 1, visit);
        } else if (ends(path, suffix)) {
            visit(&arena, path);
            count++;
        }
    }
    closedir(directory);
    arena_fini(&arena);
    return count;
}

static const struct source *load(struct arena *arena, const char *path)
{
    const char *why = "";
    const struct source *source = source_load(arena, path, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    return source;
}

/* Parses a file; true when it is accepted. */
static bool parse(struct arena *arena, const char *path, struct strbuf *messages)
{
    struct diag diag;
    diag_init(&diag);
    struct intern *names = intern_new();
    const struct lit_surroundings surroundings = {.folder = reach_folder(arena, path)};
    const struct lit_program *program =
        lit_parse_in(arena, names, load(arena, path), &surroundings, &diag);
    CU_ASSERT((program == NULL) == (diag.errors > 0));
    diag_render(&diag, messages);
    intern_free(names);
    diag_fini(&diag);
    return program != NULL;
}

static void visit_malformed(struct arena *arena, const char *path)
{
    struct strbuf messages = {0};
    const char *stem = arena_strndup(arena, path, strlen(path) - strlen(".litmus"));
    const char *expected = load(arena, arena_printf(arena, "%s.expected", stem))->text;
    /* What is only warned of has warnings alone. */
    CU_ASSERT_EQUAL(parse(arena, path, &messages), strstr(expected, ": error: ") == NULL);
    if (strcmp(strbuf_text(&messages), expected) != 0)
        fprintf(stderr, "of %s:\n", path);
    lit_expect_text(strbuf_text(&messages), expected);
    strbuf_fini(&messages);
}

static void test_malformed(void)
{
    CU_ASSERT(each_file(FOLDER, ".litmus", 0, visit_malformed) >= 40);
}

static struct strbuf all_expected;

static void visit_expected(struct arena *arena, const char *path)
{
    strbuf_add(&all_expected, load(arena, path)->text);
}

static void test_every_id(void)
{
    static const char *const ids[] = {
#define DIAG(name, text, about) "[" text "]",
#include "base/diag_litmus.def"
#undef DIAG
    };
    CU_ASSERT(each_file(FOLDER, ".expected", 0, visit_expected) > 0);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        bool found = strstr(strbuf_text(&all_expected), ids[i]) != NULL;
        if (!found)
            fprintf(stderr, "no case provokes %s\n", ids[i]);
        CU_ASSERT_TRUE(found);
    }
    strbuf_fini(&all_expected);
    all_expected = (struct strbuf){0};
}

static void visit_accepted(struct arena *arena, const char *path)
{
    struct strbuf messages = {0};
    bool accepted = parse(arena, path, &messages);
    if (!accepted)
        fprintf(stderr, "refused: %s\n%s", path, strbuf_text(&messages));
    CU_ASSERT_TRUE(accepted);
    strbuf_fini(&messages);
}

static void test_peers(void)
{
    struct stat status;
    if (stat(PEERS, &status) != 0) {
        fprintf(stderr, "no " PEERS ": tests of other tools are not read\n");
        CU_PASS("absent");
        return;
    }
    CU_ASSERT(each_file(PEERS, ".litmus", 0, visit_accepted) > 0);
}

static void test_own(void)
{
    CU_ASSERT(each_file("litmus", ".litmus", 0, visit_accepted) > 0);
}

void suite_lit_files(void)
{
    CU_pSuite suite = CU_add_suite("lit_files", NULL, NULL);
    UNIT_TEST(suite, test_malformed);
    UNIT_TEST(suite, test_every_id);
    UNIT_TEST(suite, test_peers);
    UNIT_TEST(suite, test_own);
}
