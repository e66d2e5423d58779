/* Files that somebody exchanges while they are looked for: what is read is never what may not be.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "base/clock.h"
#include "base/reach.h"
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char FINE[] = "(* fine *)", SECRET[] = "(* secret *)";

/* In `folder`, "in" is where a test is, "out" is elsewhere. */
struct place {
    struct arena arena;
    const char *folder;
    pid_t exchanger;
};

static const char *in(struct place *p, const char *path)
{
    return arena_printf(&p->arena, "%s/%s", p->folder, path);
}

static void add_folder(struct place *p, const char *path)
{
    CU_ASSERT_EQUAL_FATAL(mkdir(in(p, path), 0700), 0);
}

static void add_file(struct place *p, const char *path, const char *text)
{
    FILE *file = fopen(in(p, path), "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

static void place_init(struct place *p)
{
    char folder[] = "/tmp/crashlit-reach-XXXXXX";
    arena_init(&p->arena);
    p->exchanger = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    p->folder = arena_strdup(&p->arena, folder);
    add_folder(p, "in");
    add_folder(p, "out");
    add_file(p, "out/x.cat", SECRET);
}

/* From now on "other" stands in the place of `name` half of the time, and at times nothing. */
static void start_exchanging(struct place *p, const char *name)
{
    const char *from = in(p, name), *aside = in(p, "aside"), *other = in(p, "other");
    fflush(stdout);
    pid_t self = getpid();
    p->exchanger = fork();
    if (p->exchanger != 0)
        return;
    while (getppid() == self) {
        rename(from, aside);
        rename(other, from);
        rename(from, other);
        rename(aside, from);
    }
    _exit(0);
}

/* Removes what is left, in whatever place. */
static void place_fini(struct place *p)
{
    if (p->exchanger) {
        kill(p->exchanger, SIGKILL);
        waitpid(p->exchanger, NULL, 0);
    }
    CU_ASSERT_EQUAL(system(arena_printf(&p->arena, "rm -r '%s'", p->folder)), 0);
    arena_fini(&p->arena);
}

static const struct source *load_model(struct arena *arena, const char *folder, const char *path)
{
    const struct reach reach = {.searched_count = 0};
    const struct source *source = NULL;
    const char *why;
    return reach_load(arena, &reach, folder, path, REACH_MODELS, &source, &why) == REACH_FOUND
               ? source
               : NULL;
}

/* Twice: what was seen of the folder, which the second finds open, says nothing of the file. */
static const struct source *load_within(struct arena *arena, const char *folder, const char *path)
{
    const struct reach reach = {.searched_count = 0};
    struct reach_within within;
    const struct source *first = NULL, *second = NULL;
    const char *why;
    reach_within_init(&within, arena, folder);
    (void)!reach_load_within(arena, &reach, &within, path, REACH_MODELS, &first, &why);
    (void)!reach_load_within(arena, &reach, &within, path, REACH_MODELS, &second, &why);
    reach_within_fini(&within);
    return first && strcmp(first->text, FINE) != 0 ? first : second;
}

static const struct source *load_named(struct arena *arena, const char *folder, const char *path)
{
    const char *why;
    (void)folder;
    return source_load(arena, path, &why);
}

/* Loads for a while: each text that is read is the fine one, and some is. */
static void expect_fine(struct place *p, const char *path,
                        const struct source *load(struct arena *, const char *, const char *))
{
    enum { AT_LEAST = 100 };
    const struct timespec began = clock_now_monotonic();
    const char *folder = in(p, "in/"), *full = in(p, path);
    size_t read = 0, other = 0;
    while (clock_seconds_since(&began) < (read < AT_LEAST ? 60 : 0.4) && other == 0) {
        struct arena arena;
        arena_init(&arena);
        const struct source *source = load(&arena, folder, full);
        read += source != NULL;
        other += source && strcmp(source->text, FINE) != 0;
        arena_fini(&arena);
    }
    CU_ASSERT_EQUAL(other, 0);
    CU_ASSERT(read >= AT_LEAST || other > 0);
}

static void a_folder_that_becomes_a_link_leads_nowhere(void)
{
    struct place p;
    place_init(&p);
    add_folder(&p, "in/part");
    add_file(&p, "in/part/x.cat", FINE);
    CU_ASSERT_EQUAL_FATAL(symlink("../out", in(&p, "other")), 0);
    start_exchanging(&p, "in/part");
    expect_fine(&p, "in/part/x.cat", load_model);
    expect_fine(&p, "in/part/x.cat", load_within);
    place_fini(&p);
}

static void a_file_that_becomes_a_link_leads_nowhere(void)
{
    struct place p;
    place_init(&p);
    add_file(&p, "in/x.cat", FINE);
    CU_ASSERT_EQUAL_FATAL(symlink("../out/x.cat", in(&p, "other")), 0);
    start_exchanging(&p, "in/x.cat");
    expect_fine(&p, "in/x.cat", load_model);
    expect_fine(&p, "in/x.cat", load_within);
    place_fini(&p);
}

/* Which has no text. */
static void a_file_that_becomes_a_pipe_is_not_read(void)
{
    struct place p;
    place_init(&p);
    add_file(&p, "in/x.cat", FINE);
    CU_ASSERT_EQUAL_FATAL(mkfifo(in(&p, "other"), 0600), 0);
    start_exchanging(&p, "in/x.cat");
    expect_fine(&p, "in/x.cat", load_named);
    expect_fine(&p, "in/x.cat", load_model);
    expect_fine(&p, "in/x.cat", load_within);
    place_fini(&p);
}

/* A path may name what is below the folder or a permitted one, by whatever way its links go. */
static void what_is_within_is_read(void)
{
    static const struct {
        const char *path;
        enum reach_answer answer;
    } rows[] = {
        {"in/x.cat", REACH_FOUND},           {"in/part/y.cat", REACH_FOUND},
        {"in/inside.cat", REACH_FOUND},      {"in/part/../x.cat", REACH_FOUND},
        {"in/outside.cat", REACH_REFUSED},   {"in/leaving/x.cat", REACH_REFUSED},
        {"in/../out/x.cat", REACH_REFUSED},  {"in/absent.cat", REACH_REFUSED},
        {"in/other", REACH_REFUSED},         {"in/permitted", REACH_FOUND},
        {"in/folder.cat", REACH_UNREADABLE}, {"in/part/y.cat", REACH_FOUND},
    };
    struct place p;
    struct reach_within within;
    place_init(&p);
    add_folder(&p, "in/part");
    add_folder(&p, "in/folder.cat");
    add_folder(&p, "permitted");
    add_file(&p, "in/x.cat", FINE);
    add_file(&p, "in/part/y.cat", FINE);
    add_file(&p, "in/other", SECRET);
    add_file(&p, "permitted/z", FINE);
    CU_ASSERT_EQUAL_FATAL(symlink("part/y.cat", in(&p, "in/inside.cat")), 0);
    CU_ASSERT_EQUAL_FATAL(symlink("../out/x.cat", in(&p, "in/outside.cat")), 0);
    CU_ASSERT_EQUAL_FATAL(symlink("../out", in(&p, "in/leaving")), 0);
    CU_ASSERT_EQUAL_FATAL(symlink("../permitted/z", in(&p, "in/permitted")), 0);
    const struct reach reach = {.permitted = {in(&p, "permitted")}, .permitted_count = 1};
    reach_within_init(&within, &p.arena, in(&p, "in"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct source *source = NULL;
        const char *why, *path = in(&p, rows[i].path);
        CU_ASSERT_EQUAL(
            reach_load_within(&p.arena, &reach, &within, path, REACH_MODELS, &source, &why),
            rows[i].answer);
        if (rows[i].answer == REACH_FOUND)
            CU_ASSERT(source && strcmp(source->text, FINE) == 0 && strcmp(source->path, path) == 0);
        if (rows[i].answer == REACH_UNREADABLE)
            CU_ASSERT_STRING_EQUAL(why, "is a directory");
    }
    reach_within_fini(&within);
    place_fini(&p);
}

void suite_base_reach(void)
{
    CU_pSuite suite = CU_add_suite("base_reach", NULL, NULL);
    UNIT_TEST(suite, what_is_within_is_read);
    UNIT_TEST(suite, a_folder_that_becomes_a_link_leads_nowhere);
    UNIT_TEST(suite, a_file_that_becomes_a_link_leads_nowhere);
    UNIT_TEST(suite, a_file_that_becomes_a_pipe_is_not_read);
}
