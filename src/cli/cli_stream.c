#include "cli/cli_stream.h"

#include "base/strbuf.h"
#include "litmus/lit_dialect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_TESTS = 1000000, MOST_BYTES = 1 << 30 };

/* The line behind the one at hand. */
static const char *next_line(const char *at, const char *end)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    return line_end ? line_end + 1 : end;
}

/* The name, of which what cannot be in every file's name is left out. */
static void add_name(const char *test, const char *end, struct strbuf *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-";
    const char *at = memchr(test, ' ', (size_t)(end - test));
    for (size_t most = 100; at && ++at < end && *at != '\n' && most > 0; most--)
        if (memchr(plain, *at, sizeof plain - 1))
            strbuf_add_char(out, *at);
}

static bool fail(struct diag *diag, enum diag_id id, const char *what)
{
    diag_error(diag, id, NOWHERE, "tests of standard input: %s: %s", what, strerror(errno));
    return false;
}

static bool write_test(struct cli_stream *stream, const char *at, const char *end,
                       struct diag *diag)
{
    SCOPED(strbuf) name = {0};
    add_name(at, end, &name);
    char *path = arena_printf(&stream->arena, "%s/%07zu-%s.litmus", stream->folder,
                              stream->files.count + 1, strbuf_text(&name));
    FILE *file = fopen(path, "wx");
    if (!file)
        return fail(diag, DIAG_FILE_WRITE, path);
    VEC_PUSH(&stream->files, path);
    bool written = fwrite(at, 1, (size_t)(end - at), file) == (size_t)(end - at);
    return (fclose(file) == 0 && written) || fail(diag, DIAG_FILE_WRITE, path);
}

/* What stands before the first test belongs to it. */
static bool split(struct cli_stream *stream, const struct strbuf *text, struct diag *diag)
{
    const char *start = text->text, *end = text->text + text->length;
    bool begun = false;
    for (const char *at = start; at < end; at = next_line(at, end)) {
        if (!lit_dialect_begins_test(at, end))
            continue;
        if (begun && !write_test(stream, start, at, diag))
            return false;
        start = begun ? at : start;
        begun = true;
        if (stream->files.count == MOST_TESTS) {
            diag_error(diag, DIAG_CLI_NO_TESTS, NOWHERE,
                       "standard input has more than %d tests; give it in parts", (int)MOST_TESTS);
            return false;
        }
    }
    return write_test(stream, start, end, diag);
}

/* ---- What is left when the process is gone ---- */

static void remove_folder(const char *folder)
{
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));)
        unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing)
        closedir(listing);
    rmdir(folder);
}

/* Until nobody holds the other end of the pipe any more. It has none of the standard streams, whose
 * readers would wait for it, and a signal to all of a terminal is for others. */
static void remove_when_closed(const char *folder, const int held[2])
{
    char byte;
    close(held[1]);
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        close(stream);
    while (read(held[0], &byte, 1) < 0 && errno == EINTR)
        continue;
    remove_folder(folder);
    _exit(0);
}

/* In the process that will remove it: so there is no moment in which nobody would. Says whether it
 * could be made: 0, or why not. */
static void make_and_keep(char *folder, const int held[2], const int told[2])
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    int error = mkdtemp(folder) ? 0 : errno;
    size_t length = strlen(folder);
    bool heard = write(told[1], &error, sizeof error) == (ssize_t)sizeof error &&
                 write(told[1], folder, length) == (ssize_t)length;
    close(told[0]);
    close(told[1]);
    if (error)
        _exit(0);
    if (!heard)
        remove_folder(folder);
    remove_when_closed(folder, held);
}

/* The folder's name, which the other process has chosen; false with errno. */
static bool hear_of(char *folder, int told)
{
    int error = EPIPE;
    size_t length = strlen(folder);
    bool heard = read(told, &error, sizeof error) == (ssize_t)sizeof error && error == 0 &&
                 read(told, folder, length) == (ssize_t)length;
    errno = error ? error : EPIPE;
    return heard;
}

/* Makes the folder of that pattern, by a process that removes it when this one is gone. */
static bool make_folder(struct cli_stream *stream, char *folder)
{
    int held[2], told[2];
    if (pipe(held) != 0)
        return false;
    if (pipe(told) != 0) {
        close(held[0]);
        close(held[1]);
        return false;
    }
    fflush(NULL);
    pid_t keeper = fork();
    if (keeper == 0)
        make_and_keep(folder, held, told);
    close(held[0]);
    close(told[1]);
    bool made = keeper > 0 && hear_of(folder, told[0]);
    int error = errno;
    close(told[0]);
    (void)fcntl(held[1], F_SETFD, FD_CLOEXEC);
    if (made) {
        stream->keeper = keeper;
        stream->held = held[1];
        stream->folder = folder;
    } else {
        close(held[1]);
        if (keeper > 0)
            waitpid(keeper, NULL, 0);
    }
    errno = error;
    return made;
}

/* ---- All of it ---- */

static bool read_all(struct strbuf *text, struct diag *diag)
{
    char piece[1 << 12];
    size_t count;
    while ((count = fread(piece, 1, sizeof piece, stdin)) > 0 && text->length < MOST_BYTES)
        strbuf_add_bytes(text, piece, count);
    if (ferror(stdin))
        return fail(diag, DIAG_FILE_READ, "cannot read");
    if (text->length == 0 || text->length >= MOST_BYTES)
        diag_error(diag, DIAG_CLI_NO_TESTS, NOWHERE, "standard input has %s",
                   text->length ? "more than 1 GiB; give it in parts" : "no test");
    return diag->errors == 0;
}

static bool spool(struct cli_stream *stream, struct diag *diag)
{
    const char *temporary = getenv("TMPDIR");
    SCOPED(strbuf) text = {0};
    bool done = read_all(&text, diag);
    if (done) {
        char *folder = arena_printf(&stream->arena, "%s/crashlit-XXXXXX",
                                    temporary && *temporary ? temporary : "/tmp");
        done = make_folder(stream, folder) ? split(stream, &text, diag)
                                           : fail(diag, DIAG_FILE_WRITE, "cannot make a folder");
    }
    return done;
}

bool cli_stream_open(struct cli_stream *stream, struct ask_options *options, struct diag *diag)
{
    *stream = (struct cli_stream){.folder = NULL};
    const char **inputs = ARENA_ARRAY(&stream->arena, const char *, options->input_count);
    for (uint32_t i = 0; i < options->input_count; i++) {
        inputs[i] = options->inputs[i];
        if (strcmp(inputs[i], "-") != 0)
            continue;
        if (!stream->folder && !spool(stream, diag))
            return false;
        inputs[i] = stream->folder;
    }
    options->inputs = inputs;
    options->settings.stream = stream->folder;
    return true;
}

void cli_stream_close(struct cli_stream *stream)
{
    for (size_t i = 0; i < stream->files.count; i++)
        unlink(stream->files.items[i]);
    if (stream->folder)
        rmdir(stream->folder);
    if (stream->keeper) {
        close(stream->held);
        waitpid(stream->keeper, NULL, 0);
    }
    VEC_FREE(&stream->files);
    arena_fini(&stream->arena);
}
