/* Files of kept answers: what is damaged counts for nothing. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "unit.h"

#include "run/run_cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char NAME[] = "t.litmus";
static char folder[64];
static struct run_cache cache = {folder, "options"};

static int make_folder(void)
{
    strcpy(folder, "/tmp/crashlit-cache-XXXXXX");
    return mkdtemp(folder) ? 0 : 1;
}

static const char *path_of_file(struct arena *arena)
{
    return run_cache_path(arena, &cache, NAME);
}

static int remove_folder(void)
{
    SCOPED(arena) arena = {0};
    unlink(path_of_file(&arena));
    return rmdir(folder);
}

static struct run_cache_key key_of(const char *text)
{
    struct strbuf all = {0};
    strbuf_add(&all, text);
    struct run_cache_key key = run_cache_key_of(&all);
    strbuf_fini(&all);
    return key;
}

static void keep(struct run_cache_file *file, const char *of, const char *line)
{
    const struct run_cache_key key = key_of(of);
    run_cache_keep(file, &key, line, strlen(line));
}

static const char *find(const struct run_cache_file *file, const char *of)
{
    const struct run_cache_key key = key_of(of);
    return run_cache_find(file, &key);
}

/* The text of a file with two answers, written. */
static void write_two(struct strbuf *text)
{
    struct run_cache_file file = {.changed = false};
    keep(&file, "first", "{\"a\":1}");
    keep(&file, "second", "");
    run_cache_end(&file, text);
    CU_ASSERT_PTR_NULL(run_cache_write(&cache, NAME, text));
    run_cache_fini(&file);
}

static void test_kept(void)
{
    SCOPED(arena) arena = {0};
    struct strbuf text = {0}, again = {0};
    struct run_cache_file file = {.changed = false};
    CU_ASSERT_PTR_NULL(run_cache_read(&file, path_of_file(&arena))); /* none is no fault */
    CU_ASSERT_EQUAL(file.answers.count, 0);
    write_two(&text);
    CU_ASSERT_PTR_NULL(run_cache_read(&file, path_of_file(&arena)));
    CU_ASSERT_STRING_EQUAL(find(&file, "first"), "{\"a\":1}");
    CU_ASSERT_STRING_EQUAL(find(&file, "second"), "");
    CU_ASSERT_PTR_NULL(find(&file, "third"));
    keep(&file, "first", "{\"a\":1}"); /* which is there: nothing is to be written */
    run_cache_end(&file, &again);
    CU_ASSERT_EQUAL(again.length, 0);
    keep(&file, "third", "x");
    run_cache_end(&file, &again);
    CU_ASSERT_TRUE(again.length > 0);
    run_cache_fini(&file);
    strbuf_fini(&text);
    strbuf_fini(&again);
}

static bool counts(const struct strbuf *text)
{
    SCOPED(arena) arena = {0};
    struct run_cache_file file = {.changed = false};
    CU_ASSERT_PTR_NULL(run_cache_write(&cache, NAME, text));
    bool counts = !run_cache_read(&file, path_of_file(&arena));
    CU_ASSERT_TRUE(counts || file.answers.count == 0);
    run_cache_fini(&file);
    return counts;
}

/* Each beginning of a file, and each file in which one byte is another or one more is behind it. */
static void test_damaged(void)
{
    struct strbuf text = {0};
    write_two(&text);
    const size_t length = text.length;
    CU_ASSERT_TRUE(counts(&text));
    for (size_t i = 0; i < length; i++) {
        text.length = i;
        CU_ASSERT_FALSE(counts(&text));
        text.length = length;
        text.text[i] ^= 1;
        CU_ASSERT_FALSE(counts(&text));
        text.text[i] ^= 1;
    }
    strbuf_add_char(&text, '\n');
    CU_ASSERT_FALSE(counts(&text));
    strbuf_fini(&text);
}

/* Who can write the folder can make the checksum as well: whatever is behind it, nothing is read that
 * is not there. */
static void test_forged(void)
{
    const char *const forged[] = {"x",
                                  "%s",
                                  "%s ",
                                  "%s 9\nshort\n",
                                  "%s 5\nshort",
                                  "%s 5\nsho\0t\n",
                                  "%s 18446744073709551615\nx\n",
                                  "%s -1\nx\n",
                                  "%s 4\nshort\n"};
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
        struct strbuf rest = {0}, text = {0};
        const char *tail = strstr(forged[i], "%s") ? forged[i] + 2 : forged[i];
        if (tail != forged[i])
            strbuf_add(&rest, key_of("first").digits);
        strbuf_add_bytes(&rest, tail, i == 5 ? 9 : strlen(tail));
        strbuf_printf(&text, "crashlit-answers 1 %s\n", run_cache_key_of(&rest).digits);
        strbuf_add_bytes(&text, strbuf_text(&rest), rest.length);
        CU_ASSERT_FALSE(counts(&text));
        strbuf_fini(&rest);
        strbuf_fini(&text);
    }
}

/* What is there and no file is neither read nor replaced. */
static void test_no_file(void)
{
    SCOPED(arena) arena = {0};
    struct strbuf text = {0};
    struct run_cache_file file = {.changed = false};
    write_two(&text);
    unlink(path_of_file(&arena));
    CU_ASSERT_EQUAL(mkfifo(path_of_file(&arena), 0600), 0);
    CU_ASSERT_PTR_NOT_NULL(run_cache_read(&file, path_of_file(&arena)));
    CU_ASSERT_PTR_NOT_NULL(run_cache_write(&cache, NAME, &text));
    unlink(path_of_file(&arena));
    CU_ASSERT_EQUAL(symlink("/dev/null", path_of_file(&arena)), 0);
    CU_ASSERT_PTR_NOT_NULL(run_cache_read(&file, path_of_file(&arena)));
    CU_ASSERT_PTR_NOT_NULL(run_cache_write(&cache, NAME, &text));
    run_cache_fini(&file);
    strbuf_fini(&text);
}

void suite_run_cache(void)
{
    CU_pSuite suite = CU_add_suite("run_cache", make_folder, remove_folder);
    UNIT_TEST(suite, test_kept);
    UNIT_TEST(suite, test_damaged);
    UNIT_TEST(suite, test_forged);
    UNIT_TEST(suite, test_no_file);
}
