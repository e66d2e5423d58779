#define _GNU_SOURCE /* for fopencookie */
#include "run/run_await.h"

#include "base/source.h"
#include "run/run_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOMENT_MS = 100 };

/* Who may not ask goes on. What has no file, such as a stream in memory, waits for nobody. */
static bool is_ready(int file, short events)
{
    struct pollfd asked = {file, events, 0};
    int ready;
    while (file >= 0 &&
           ((ready = poll(&asked, 1, MOMENT_MS)) == 0 || (ready < 0 && errno == EINTR)))
        if (run_pool_is_interrupted())
            return false;
    return true;
}

bool run_await_room(int file)
{
    return is_ready(file, POLLOUT);
}

/* ---- What comes from somebody ---- */

static ssize_t read_piece(void *cookie, char *bytes, size_t size)
{
    FILE *from = cookie;
    return is_ready(fileno(from), POLLIN) ? read(fileno(from), bytes, size) : 0;
}

static int close_piece(void *cookie)
{
    return fclose((FILE *)cookie);
}

FILE *run_await_open(struct arena *arena, const char *path, const char **why)
{
    const cookie_io_functions_t functions = {.read = read_piece, .close = close_piece};
    struct stat status;
    FILE *file = source_open(arena, path, why);
    if (!file || (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode)))
        return file;
    FILE *awaited = fopencookie(file, "r", functions);
    if (awaited)
        return awaited;
    *why = "there is no more memory";
    fclose(file);
    return NULL;
}

/* ---- Who is to read ---- */

static int try_to_open(const char *path)
{
    return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
}

int run_await_reader(const char *path)
{
    static const struct timespec pause = {0, MOMENT_MS * 100000L};
    struct stat status;
    bool pipe = stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
    int file = try_to_open(path);
    for (; pipe && file < 0 && errno == ENXIO; file = try_to_open(path)) {
        nanosleep(&pause, NULL);
        if (run_pool_is_interrupted()) {
            errno = EINTR;
            return -1;
        }
    }
    if (file >= 0)
        (void)fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    return file;
}
