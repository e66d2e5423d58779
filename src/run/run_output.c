#include "run/run_output.h"

#include "base/utf8.h"
#include "run/run_await.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note_failure(struct run_output *output)
{
    if (!output->error)
        output->error = errno;
}

/* The file that the path names by its number, which is open already; -1: none. */
static int open_number(const char *path)
{
    static const char prefix[] = "/dev/fd/";
    char *end;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    if (strncmp(path, prefix, sizeof prefix - 1) != 0 || !path[sizeof prefix - 1])
        return -1;
    long number = strtol(path + sizeof prefix - 1, &end, 10);
    return *end || number < 0 || number > 1 << 20 ? -1 : (int)number;
}

/* A file of its own beside `path`, with the permissions of what is there. */
static int make_temporary(struct run_output *output, const struct stat *there)
{
    enum { TRIES = 100 };
    const char *slash = strrchr(output->path, '/');
    int length = slash ? (int)(slash + 1 - output->path) : 0, file = -1;
    size_t room = (size_t)length + 64;
    output->temporary = base_realloc(NULL, room);
    errno = EEXIST;
    for (int i = 0; i < TRIES && file < 0 && errno == EEXIST; i++) {
        snprintf(output->temporary, room, "%.*s.crashlit-%ld-%d.tmp", length, output->path,
                 (long)getpid(), i);
        file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    if (file >= 0 && there)
        (void)!fchmod(file, there->st_mode & 0777);
    return file;
}

/* Is there something at `path` that is not for a report to replace? */
static const char *fault_of(const char *path, struct stat *there, bool *exists)
{
    struct stat target;
    *exists = lstat(path, there) == 0;
    if (!*exists)
        return errno == ENOENT ? NULL : strerror(errno);
    if (S_ISLNK(there->st_mode) &&
        (stat(path, &target) != 0 || S_ISREG(target.st_mode) || S_ISDIR(target.st_mode)))
        return "it is a link; name the file that it leads to";
    if (S_ISDIR(there->st_mode))
        return strerror(EISDIR);
    return S_ISREG(there->st_mode) && access(path, W_OK) != 0 ? strerror(errno) : NULL;
}

bool run_output_open(struct run_output *output, const char *path, const char **why)
{
    struct stat there;
    bool exists;
    int number = open_number(path), file = -1;
    *output = (struct run_output){.path = path};
    *why = number < 0 ? fault_of(path, &there, &exists) : NULL;
    if (*why)
        return false;
    if (number >= 0)
        file = dup(number);
    else if (exists && !S_ISREG(there.st_mode))
        file = run_await_reader(path);
    else
        file = make_temporary(output, exists ? &there : NULL);
    output->file = file < 0 ? NULL : fdopen(file, "w");
    if (output->file)
        return true;
    *why = strerror(errno);
    if (file >= 0)
        close(file);
    base_free(output->temporary);
    output->temporary = NULL;
    return false;
}

void run_output_drop(struct run_output *output)
{
    if (output->file)
        fclose(output->file);
    if (output->temporary)
        unlink(output->temporary);
    base_free(output->temporary);
    *output = (struct run_output){.path = output->path};
}

/* What is still to be written goes nowhere, and waits for nobody. */
static void leave(FILE *file)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    (void)dup2(nowhere, fileno(file));
    close(nowhere);
}

static bool has_room(FILE *file)
{
    if (run_await_room(fileno(file)))
        return true;
    leave(file);
    errno = EINTR;
    return false;
}

/* False with errno. */
static bool write_all(FILE *file, const char *bytes, size_t length)
{
    for (size_t piece; length > 0; bytes += piece, length -= piece) {
        piece = length < RUN_AWAIT_PIECE ? length : RUN_AWAIT_PIECE;
        if (!has_room(file) || fwrite(bytes, 1, piece, file) != piece)
            return false;
    }
    return true;
}

void run_output_add(struct run_output *output, const char *bytes, size_t length)
{
    if (!write_all(output->file, bytes, length))
        note_failure(output);
}

void run_output_add_text(struct run_output *output, const struct strbuf *text)
{
    run_output_add(output, strbuf_text(text), text->length);
}

void run_output_add_lines(struct run_output *output, const struct strbuf *text)
{
    SCOPED(strbuf) lines = {0};
    utf8_add_lines(&lines, strbuf_text(text), text->length);
    if (output->painted) {
        SCOPED(strbuf) painted = {0};
        run_paint_add(&output->paint, strbuf_text(&lines), lines.length, &painted);
        run_output_add_text(output, &painted);
    } else {
        run_output_add_text(output, &lines);
    }
}

void run_output_add_bytes(struct run_output *output, const struct strbuf *text)
{
    if (output->painted || isatty(fileno(output->file)) == 1)
        run_output_add_lines(output, text);
    else
        run_output_add_text(output, text);
}

void run_output_flush(struct run_output *output)
{
    if (!has_room(output->file) || fflush(output->file) != 0)
        note_failure(output);
}

static void close_file(struct run_output *output)
{
    run_output_flush(output);
    if (fclose(output->file) != 0)
        note_failure(output);
    output->file = NULL;
}

/* What is there was looked at when the run began; it may have become a link. */
static void replace(struct run_output *output)
{
    struct stat there;
    if (lstat(output->path, &there) == 0 && !S_ISREG(there.st_mode))
        output->error = EEXIST;
    else if (rename(output->temporary, output->path) != 0)
        note_failure(output);
}

void run_output_end(struct run_output *output, struct diag *diag)
{
    const struct span nowhere = {NULL, 0, 0, 0, 0};
    if (output->path)
        close_file(output);
    else
        run_output_flush(output);
    if (output->temporary && !output->error)
        replace(output);
    if (output->temporary && output->error)
        unlink(output->temporary);
    base_free(output->temporary);
    output->temporary = NULL;
    if (output->error && output->path)
        diag_error(diag, DIAG_FILE_WRITE, nowhere, "cannot write '%s': %s", output->path,
                   strerror(output->error));
    else if (output->error)
        diag_error(diag, DIAG_FILE_WRITE, nowhere, "cannot write to standard output: %s",
                   strerror(output->error));
}

void run_output_tell(const struct diag *diag)
{
    SCOPED(strbuf) text = {0};
    diag_render(diag, &text);
    run_output_say(strbuf_text(&text));
}

void run_output_say(const char *text)
{
    struct run_paint paint = {0};
    SCOPED(strbuf) painted = {0};
    if (*text && !diag_is_json() && run_paint_is_wanted(STDERR_FILENO)) {
        run_paint_add(&paint, text, strlen(text), &painted);
        text = strbuf_text(&painted);
    }
    (void)write_all(stderr, text, strlen(text)); /* there is nobody to tell */
}

/* Without colours. */
static void print_plain(struct strbuf *text)
{
    (void)write_all(stderr, strbuf_text(text), text->length);
    strbuf_fini(text);
}

void run_output_say_lines(const char *text)
{
    struct strbuf lines = {0};
    diag_lines(&lines, text);
    print_plain(&lines);
}

void run_output_remark(const char *format, ...)
{
    struct strbuf text = {0}, line = {0};
    va_list arguments;
    va_start(arguments, format);
    strbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    diag_say(&line, "%s", strbuf_text(&text));
    print_plain(&line);
    strbuf_fini(&text);
}
