#include "cli/cli_suite.h"

#include "base/hash.h"
#include "base/source.h"
#include "run/run_folder.h"
#include "run/run_output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_NAME = 200 }; /* that is a file's name as it is */

static const char extension[] = ".litmus";
static const char *const heading = "# crashlit generate";

struct cli_suite_name {
    const char *text;
    UT_hash_handle hh;
};

static bool fail(struct cli_suite *suite, const char *path, const char *why)
{
    diag_error(suite->diag, DIAG_FILE_WRITE, NOWHERE, "cannot write '%s': %s", path, why);
    return false;
}

static bool write_file(struct cli_suite *suite, const char *path, const char *text, size_t length)
{
    struct run_output output = {.path = NULL};
    const char *why;
    uint32_t errors = suite->diag->errors;
    if (!run_output_open(&output, path, &why))
        return fail(suite, path, why);
    run_output_add(&output, text, length);
    run_output_end(&output, suite->diag);
    return suite->diag->errors == errors;
}

/* ---- What is there ---- */

/* A test beside the list: a line that leads elsewhere is none of ours. */
static bool is_test(const char *line, size_t length)
{
    size_t tail = sizeof extension - 1;
    return length > tail && *line != '#' && *line != '.' && !memchr(line, '/', length) &&
           memcmp(line + length - tail, extension, tail) == 0;
}

static void read_earlier(struct cli_suite *suite, const struct source *source)
{
    for (const char *at = source->text; *at;) {
        size_t length = strcspn(at, "\n");
        if (is_test(at, length))
            VEC_PUSH(&suite->earlier, arena_strndup(&suite->arena, at, length));
        at += length + (at[length] == '\n');
    }
}

static bool find_earlier(struct cli_suite *suite)
{
    const char *why;
    struct stat status;
    if (lstat(suite->manifest, &status) != 0)
        return true;
    const struct source *source = source_load(&suite->arena, suite->manifest, &why);
    if (!source)
        return fail(suite, suite->manifest, why);
    if (strncmp(source->text, heading, strlen(heading)) != 0) {
        diag_error(suite->diag, DIAG_FILE_WRITE, NOWHERE,
                   "'%s' is there, and is no list of generated tests; name another folder",
                   suite->manifest);
        return false;
    }
    suite->found = true;
    read_earlier(suite, source);
    return true;
}

/* ---- The list ---- */

static bool begin_list(struct cli_suite *suite)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "%s\n# not finished\n", suite->command);
    for (size_t i = 0; i < suite->earlier.count; i++)
        strbuf_printf(&text, "%s\n", suite->earlier.items[i]);
    bool written = write_file(suite, suite->manifest, strbuf_text(&text), text.length);
    strbuf_fini(&text);
    int file = written ? open(suite->manifest, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC) : -1;
    suite->growing = file < 0 ? NULL : fdopen(file, "a");
    return suite->growing || (written && fail(suite, suite->manifest, strerror(errno)));
}

bool cli_suite_open(struct cli_suite *suite, const char *folder, const char *command,
                    struct diag *diag)
{
    struct stat status;
    *suite = (struct cli_suite){.diag = diag};
    arena_init(&suite->arena);
    suite->folder =
        arena_printf(&suite->arena, "%s%s", folder, run_folder_is_meant(folder) ? "" : "/");
    suite->manifest = arena_printf(&suite->arena, "%sMANIFEST", suite->folder);
    char *line = arena_strdup(&suite->arena, command);
    suite->command = line;
    for (; *line; line++)
        *line = (unsigned char)*line < ' ' ? ' ' : *line;
    suite->made = stat(folder, &status) != 0;
    if (!run_folder_make(suite->folder)) {
        suite->made = false;
        diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot write into '%s': %s", suite->folder,
                   strerror(errno));
        return false;
    }
    return find_earlier(suite) && begin_list(suite);
}

/* ---- Tests ---- */

static const char *file_name(struct cli_suite *suite, const char *name)
{
    if (strlen(name) <= LONGEST_NAME)
        return arena_printf(&suite->arena, "%s%s", name, extension);
    const struct source *source = source_from_text(&suite->arena, name, name, strlen(name));
    return arena_printf(&suite->arena, "%.*s-%016llx%s", LONGEST_NAME - 17, name,
                        (unsigned long long)source_digest(0, source), extension);
}

bool cli_suite_add(struct cli_suite *suite, const char *name, const char *note, const char *text,
                   size_t length)
{
    const char *file = file_name(suite, name);
    struct cli_suite_name *new = ARENA_NEW(&suite->arena, struct cli_suite_name);
    new->text = file;
    HASH_ADD_KEYPTR(hh, suite->names, new->text, strlen(new->text), new);
    if (*note)
        strbuf_printf(&suite->lines, "# %s\n", note);
    strbuf_printf(&suite->lines, "%s\n", file);
    if (fprintf(suite->growing, "%s\n", file) < 0 || fflush(suite->growing) != 0)
        return fail(suite, suite->manifest, strerror(errno));
    return write_file(suite, arena_printf(&suite->arena, "%s%s", suite->folder, file), text,
                      length);
}

static void remove_earlier(struct cli_suite *suite)
{
    size_t removed = 0;
    for (size_t i = 0; i < suite->earlier.count; i++) {
        const char *file = suite->earlier.items[i];
        struct cli_suite_name *new;
        HASH_FIND_STR(suite->names, file, new);
        if (!new)
            removed += unlink(arena_printf(&suite->arena, "%s%s", suite->folder, file)) == 0;
    }
    if (removed)
        fprintf(stderr, "crashlit: %zu test%s of the suite that was in '%s' %s removed\n", removed,
                removed == 1 ? "" : "s", suite->folder, removed == 1 ? "is" : "are");
}

void cli_suite_end(struct cli_suite *suite, const char *figures)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "%s\n# %s\n", suite->command, figures);
    strbuf_add_bytes(&text, strbuf_text(&suite->lines), suite->lines.length);
    suite->ended = write_file(suite, suite->manifest, strbuf_text(&text), text.length);
    if (suite->ended)
        remove_earlier(suite);
    strbuf_fini(&text);
}

void cli_suite_close(struct cli_suite *suite)
{
    if (suite->growing)
        fclose(suite->growing);
    bool nothing = !suite->ended && !suite->names;
    if (nothing && suite->growing && !suite->found)
        unlink(suite->manifest);
    if (nothing && suite->made)
        rmdir(suite->folder);
    HASH_CLEAR(hh, suite->names);
    VEC_FREE(&suite->earlier);
    strbuf_fini(&suite->lines);
    arena_fini(&suite->arena);
}
