/* Model files that must be refused, each with the exact text of the refusal:
 * tests/malformed/cat/CASE.cat and CASE.expected. Run from the top of the tree. */
#include "test_cat_fixture.h"

#include <dirent.h>
#include <stdio.h>

#define FOLDER "tests/malformed/cat"
enum { CASES_MOST = 200 };

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the cases without their ending, sorted; those that are only included by
 * others have no expectation and are not cases. */
static size_t list_cases(struct arena *arena, const char **names)
{
    DIR *directory = opendir(FOLDER);
    size_t count = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(directory);
    for (struct dirent *at; (at = readdir(directory)) && count < CASES_MOST;) {
        const char *dot = strrchr(at->d_name, '.');
        if (dot && strcmp(dot, ".expected") == 0)
            names[count++] = arena_strndup(arena, at->d_name, (size_t)(dot - at->d_name));
    }
    closedir(directory);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

static const char *read_text(struct arena *arena, const char *path)
{
    const char *why = "";
    const struct source *source = source_load(arena, path, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    return source->text;
}

static void run_case(struct arena *arena, const char *name)
{
    struct diag diag;
    struct strbuf out = {0};
    diag_init(&diag);
    const char *path = arena_printf(arena, FOLDER "/%s.cat", name);
    const struct cat_model *model =
        cat_model_load(arena, &test_cat_basis, NULL, path, "epoch", &diag);
    CU_ASSERT_PTR_NULL(model);
    diag_render(&diag, &out);
    const char *expected = read_text(arena, arena_printf(arena, FOLDER "/%s.expected", name));
    if (strcmp(strbuf_text(&out), expected) != 0)
        fprintf(stderr, "---- %s: found\n%s---- expected\n%s", name, strbuf_text(&out), expected);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), expected);
    strbuf_fini(&out);
    diag_fini(&diag);
}

static void test_cases(void)
{
    struct arena arena;
    const char *names[CASES_MOST];
    arena_init(&arena);
    size_t count = list_cases(&arena, names);
    CU_ASSERT(count > 0 && count < CASES_MOST);
    for (size_t i = 0; i < count; i++)
        run_case(&arena, names[i]);
    arena_fini(&arena);
}

/* Every id of the cat front end is provoked by a case; a model that is named on the command line
 * and unknown has no file (test_cat_model), and a warning refuses none (tests/malformed/cli). */
static void test_every_id(void)
{
    static const char *const elsewhere[] = {"E-cat-model", "E-cat-update", "E-cat-no-check",
                                            "E-cat-variant", "E-cat-unused"};
    static const char *const ids[] = {
#define DIAG(name, text, about) text,
#include "base/diag_cat.def"
#undef DIAG
    };
    struct arena arena;
    struct strbuf all = {0};
    const char *names[CASES_MOST];
    arena_init(&arena);
    size_t count = list_cases(&arena, names);
    for (size_t i = 0; i < count; i++)
        strbuf_add(&all, read_text(&arena, arena_printf(&arena, FOLDER "/%s.expected", names[i])));
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const char *mark = arena_printf(&arena, "[%s]", ids[i]);
        bool is_elsewhere = false;
        for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
            is_elsewhere |= strcmp(ids[i], elsewhere[k]) == 0;
        if (!is_elsewhere && !strstr(strbuf_text(&all), mark)) {
            fprintf(stderr, "no case provokes %s\n", mark);
            CU_FAIL("an id without a case");
        }
    }
    CU_ASSERT(count > 0);
    strbuf_fini(&all);
    arena_fini(&arena);
}

void suite_cat_malformed(void)
{
    CU_pSuite suite = CU_add_suite("cat_malformed", NULL, NULL);
    UNIT_TEST(suite, test_cases);
    UNIT_TEST(suite, test_every_id);
}
