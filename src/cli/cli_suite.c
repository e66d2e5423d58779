#include "cli/cli_suite.h"

#include "base/hash.h"
#include "base/source.h"
#include "cli/cli_written.h"
#include "run/run_folder.h"
#include "run/run_record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_NAME = 200 }; /* that is a file's name as it is */

static const char extension[] = ".litmus";
static const char with[] = "# with ";
static const char list[] = "MANIFEST";

struct cli_suite_name {
    const char *text;
    UT_hash_handle hh;
};

static bool fail(struct cli_suite *suite, const char *path, const char *why)
{
    diag_error(suite->diag, DIAG_FILE_WRITE, NOWHERE, "cannot write '%s': %s", path, why);
    return false;
}

/* ---- What is there ---- */

/* A file beside the list: a line that leads elsewhere, or to the list, is none of ours. */
static bool is_beside(const char *line, size_t length)
{
    bool is_list = length == sizeof list - 1 && memcmp(line, list, length) == 0;
    return length > 0 && *line != '.' && !memchr(line, '/', length) && !is_list;
}

static bool is_test(const char *line, size_t length)
{
    size_t tail = sizeof extension - 1;
    return length > tail && *line != '#' && is_beside(line, length) &&
           memcmp(line + length - tail, extension, tail) == 0;
}

static void add_name(struct cli_suite *suite, struct cli_suite_name **names, const char *file)
{
    struct cli_suite_name *name = ARENA_NEW(&suite->arena, struct cli_suite_name);
    name->text = file;
    HASH_ADD_KEYPTR(hh, *names, name->text, strlen(name->text), name);
}

static bool is_among(const struct cli_suite_name *names, const char *file)
{
    const struct cli_suite_name *found;
    HASH_FIND_STR(names, file, found);
    return found;
}

static void add_earlier(struct cli_suite *suite, const char *line, size_t length)
{
    const char *file = arena_strndup(&suite->arena, line, length);
    if (is_among(suite->known, file))
        return;
    VEC_PUSH(&suite->earlier, file);
    add_name(suite, &suite->known, file);
}

static void read_earlier(struct cli_suite *suite, const char *line)
{
    size_t before = sizeof with - 1, length = strcspn(line, "\n");
    if (is_test(line, length))
        add_earlier(suite, line, length);
    else if (strncmp(line, with, before) == 0 && is_beside(line + before, length - before))
        add_earlier(suite, line + before, length - before);
}

/* "# crashlit generate" */
static size_t heading_length(const char *command)
{
    size_t length = 0;
    for (int words = 0; words < 3 && command[length]; words++)
        length += (words > 0) + strcspn(command + length + (words > 0), " ");
    return length;
}

static bool is_headed(const struct cli_suite *suite, const char *line, size_t heading)
{
    return strncmp(line, suite->command, heading) == 0 && strchr(" \n", line[heading]);
}

/* Of any size, as what was written is to be read. */
static bool find_earlier(struct cli_suite *suite)
{
    const char *why;
    struct stat status;
    size_t heading = heading_length(suite->command);
    if (lstat(suite->manifest, &status) != 0)
        return true;
    SCOPED(strbuf) line = {0};
    FILE *file = source_open(&suite->arena, suite->manifest, &why);
    if (!file)
        return fail(suite, suite->manifest, why);
    (void)run_record_line(file, &line);
    suite->found = is_headed(suite, strbuf_text(&line), heading);
    while (suite->found && run_record_line(file, &line))
        read_earlier(suite, line.text);
    bool whole = !ferror(file);
    fclose(file);
    if (!suite->found)
        diag_error(suite->diag, DIAG_FILE_WRITE, NOWHERE,
                   "'%s' is there, and is no list of tests of '%.*s'; name another folder",
                   suite->manifest, (int)heading - 2, suite->command + 2);
    return suite->found && (whole || fail(suite, suite->manifest, "it cannot be read"));
}

/* ---- What is not ours ---- */

static const char *path_of(struct cli_suite *suite, const char *file)
{
    return arena_printf(&suite->arena, "%s%s", suite->folder, file);
}

static bool refuse_file(struct cli_suite *suite, const char *file)
{
    diag_error(suite->diag, DIAG_FILE_WRITE, NOWHERE,
               "'%s' is there, and no MANIFEST beside it names it; a test would be written over "
               "it: name another folder, or remove the file",
               path_of(suite, file));
    return false;
}

static bool is_foreign(struct cli_suite *suite, const char *file)
{
    struct stat status;
    return lstat(path_of(suite, file), &status) == 0 && !is_among(suite->known, file) &&
           !is_among(suite->names, file);
}

static bool is_numbered(const struct cli_suite_numbered *files, const char *file)
{
    size_t stem = strlen(files->stem);
    if (strncmp(file, files->stem, stem) != 0 || file[stem] != '-')
        return false;
    const char *number = file + stem + 1;
    size_t digits = strspn(number, "0123456789");
    for (const char *const *tail = files->tails; digits >= files->digits && *tail; tail++)
        if (strcmp(number + digits, *tail) == 0)
            return true;
    return false;
}

/* The first by its name, as a folder has no order. */
bool cli_suite_are_free(struct cli_suite *suite, const struct cli_suite_numbered *files)
{
    const char *first = NULL;
    DIR *folder = opendir(suite->folder);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_numbered(files, entry->d_name) && is_foreign(suite, entry->d_name) &&
            (!first || strcmp(entry->d_name, first) < 0))
            first = arena_strdup(&suite->arena, entry->d_name);
    if (folder)
        closedir(folder);
    return !first || refuse_file(suite, first);
}

/* ---- The list ---- */

static bool begin_list(struct cli_suite *suite)
{
    SCOPED(strbuf) text = {0};
    strbuf_printf(&text, "%s\n# not finished\n", suite->command);
    for (size_t i = 0; i < suite->earlier.count; i++)
        strbuf_printf(&text, "%s%s\n",
                      is_test(suite->earlier.items[i], strlen(suite->earlier.items[i])) ? "" : with,
                      suite->earlier.items[i]);
    bool written = cli_written_file(suite->manifest, strbuf_text(&text), text.length, suite->diag);
    int file = written ? open(suite->manifest, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC) : -1;
    suite->growing = file < 0 ? NULL : fdopen(file, "a");
    return suite->growing || (written && fail(suite, suite->manifest, strerror(errno)));
}

const char *cli_suite_command(struct arena *arena, const char *word, const char *command_line)
{
    size_t length = strlen(word), program = strcspn(command_line, " ");
    const char *at = strstr(command_line, word);
    while (at && (at == command_line || at[-1] != ' ' || (at[length] && at[length] != ' ')))
        at = strstr(at + 1, word);
    if (!at)
        return arena_printf(arena, "# %s", command_line);
    const char *between = command_line + program;
    return arena_printf(arena, "# crashlit %s%.*s%s", word, (int)(at - 1 - between), between,
                        at + length);
}

static bool refuse_folder(struct cli_suite *suite)
{
    diag_error(suite->diag, DIAG_FILE_WRITE, NOWHERE, "cannot write into '%s': %s", suite->folder,
               strerror(errno));
    return false;
}

bool cli_suite_open(struct cli_suite *suite, const char *folder, const char *command,
                    struct diag *diag)
{
    *suite = (struct cli_suite){.diag = diag};
    suite->folder =
        arena_printf(&suite->arena, "%s%s", folder, run_folder_is_meant(folder) ? "" : "/");
    suite->manifest = arena_printf(&suite->arena, "%s%s", suite->folder, list);
    char *line = arena_strdup(&suite->arena, command);
    suite->command = line;
    for (; *line; line++)
        *line = (unsigned char)*line < ' ' ? ' ' : *line;
    return run_folder_may_be_made(suite->folder) ? find_earlier(suite) : refuse_folder(suite);
}

bool cli_suite_begin(struct cli_suite *suite)
{
    struct stat status;
    bool missing = stat(suite->folder, &status) != 0;
    if (!run_folder_make(suite->folder))
        return refuse_folder(suite);
    suite->made = missing;
    return begin_list(suite);
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

bool cli_suite_is_free(struct cli_suite *suite, const char *name)
{
    const char *file = file_name(suite, name);
    return !is_foreign(suite, file) || refuse_file(suite, file);
}

bool cli_suite_add_file(struct cli_suite *suite, const char *file, const char *note,
                        const char *text, size_t length)
{
    const char *mark = is_test(file, strlen(file)) ? "" : with;
    if (is_foreign(suite, file))
        return refuse_file(suite, file);
    add_name(suite, &suite->names, arena_strdup(&suite->arena, file));
    if (*note)
        strbuf_printf(&suite->lines, "# %s\n", note);
    strbuf_printf(&suite->lines, "%s%s\n", mark, file);
    if (fprintf(suite->growing, "%s%s\n", mark, file) < 0 || fflush(suite->growing) != 0)
        return fail(suite, suite->manifest, strerror(errno));
    return cli_written_file(path_of(suite, file), text, length, suite->diag);
}

bool cli_suite_add(struct cli_suite *suite, const char *name, const char *note, const char *text,
                   size_t length)
{
    return cli_suite_add_file(suite, file_name(suite, name), note, text, length);
}

static void remove_earlier(struct cli_suite *suite)
{
    size_t removed = 0;
    for (size_t i = 0; i < suite->earlier.count; i++) {
        const char *file = suite->earlier.items[i];
        if (!is_among(suite->names, file))
            removed += unlink(path_of(suite, file)) == 0 && is_test(file, strlen(file));
    }
    if (removed)
        run_output_remark("%zu test%s of the suite that was in '%s' %s removed", removed,
                          removed == 1 ? "" : "s", suite->folder, removed == 1 ? "is" : "are");
}

void cli_suite_end(struct cli_suite *suite, const char *figures)
{
    SCOPED(strbuf) text = {0};
    strbuf_printf(&text, "%s\n# %s\n", suite->command, figures);
    strbuf_add_bytes(&text, strbuf_text(&suite->lines), suite->lines.length);
    suite->ended = cli_written_file(suite->manifest, strbuf_text(&text), text.length, suite->diag);
    if (suite->ended)
        remove_earlier(suite);
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
    HASH_CLEAR(hh, suite->known);
    HASH_CLEAR(hh, suite->names);
    VEC_FREE(&suite->earlier);
    strbuf_fini(&suite->lines);
    arena_fini(&suite->arena);
}
