#include "run/run_checker.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/guard.h"
#include "run/run_worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Where it is ---- */

static const char name[] = "crashlit-check";

static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

static const char *on_path(struct arena *arena)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        const char *program = arena_printf(arena, "%.*s/%s", (int)length, at, name);
        if (length && is_program(program))
            return program;
        at += length + (at[length] == ':');
    }
    return NULL;
}

/* The folder of this program, with its '/'; NULL: not known. */
static const char *own_folder(struct arena *arena)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    return slash ? arena_strndup(arena, path, (size_t)(slash + 1 - path)) : NULL;
}

const struct run_checker *run_checker_find(struct arena *arena)
{
    static const char *const beside[] = {".", "checker"};
    static const char *const models[] = {"../share/crashlit/models", "../../models"};
    const char *own = own_folder(arena);
    struct run_checker *checker = ARENA_NEW(arena, struct run_checker);
    for (size_t i = 0; own && i < 2 && !checker->program; i++) {
        const char *program = arena_printf(arena, "%s%s/%s", own, beside[i], name);
        checker->program = is_program(program) ? program : NULL;
    }
    for (size_t i = 0; own && i < 2 && !checker->models; i++) {
        const char *folder = arena_printf(arena, "%s%s", own, models[i]);
        checker->models = access(folder, R_OK) == 0 ? folder : NULL;
    }
    checker->program = checker->program ? checker->program : on_path(arena);
    checker->models = checker->models ? checker->models : "models";
    return checker->program && access(checker->models, R_OK) == 0 ? checker : NULL;
}

/* ---- The keeper ---- */

/* Of one certificate; what the checker may have in all. */
enum { MOST_SECONDS = 120, MOST_MIB = 4096, MOST_LINE = 1 << 16 };

struct keeper {
    const struct run_checker *checker;
    double seconds;
    uint32_t memory_mib;
    pid_t process; /* 0: none */
    int to, from;
};

static _Noreturn void become(const struct keeper *k, const int *in, const int *out)
{
    rlim_t most = (rlim_t)(k->memory_mib ? k->memory_mib : MOST_MIB) << 20;
    int nowhere = open("/dev/null", O_WRONLY);
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (dup2(in[0], STDIN_FILENO) >= 0 && dup2(out[1], STDOUT_FILENO) >= 0 &&
        dup2(nowhere, STDERR_FILENO) >= 0) {
        for (int file = STDERR_FILENO + 1; file < 64; file++)
            close(file);
        execl(k->checker->program, name, "--models", k->checker->models, "-", (char *)NULL);
    }
    _exit(127);
}

static bool begin(struct keeper *k)
{
    int in[2], out[2];
    if (k->process)
        return true;
    if (pipe(in) != 0)
        return false;
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return false;
    }
    k->process = fork();
    if (k->process == 0)
        become(k, in, out);
    close(in[0]);
    close(out[1]);
    k->to = in[1];
    k->from = out[0];
    fcntl(k->to, F_SETFL, O_NONBLOCK);
    if (k->process > 0)
        return true;
    k->process = 0;
    close(k->to);
    close(k->from);
    return false;
}

static void end(struct keeper *k)
{
    if (!k->process)
        return;
    kill(k->process, SIGKILL);
    waitpid(k->process, NULL, 0);
    close(k->to);
    close(k->from);
    k->process = 0;
}

/* Waits for what is left of the time; false: it has run out. */
static bool await(const struct keeper *k, int file, short what, const struct timespec *began)
{
    const double left = k->seconds - clock_seconds_since(began);
    struct pollfd ready = {file, what, 0};
    return left > 0 && poll(&ready, 1, (int)(left * 1000) + 1) > 0;
}

static const char *hand_over(struct keeper *k, const struct strbuf *text, struct strbuf *line)
{
    const struct timespec began = clock_now_monotonic();
    static const char late[] = "the checker took too long", gone[] = "the checker ended";
    if (!begin(k))
        return "the checker could not be started";
    for (size_t done = 0; done < text->length;) {
        if (!await(k, k->to, POLLOUT, &began))
            return late;
        ssize_t now = write(k->to, text->text + done, text->length - done);
        if (now < 0 && errno != EINTR && errno != EAGAIN)
            return gone;
        done += now > 0 ? (size_t)now : 0;
    }
    while (!line->length || line->text[line->length - 1] != '\n') {
        char piece[4096];
        if (!await(k, k->from, POLLIN, &began))
            return late;
        ssize_t now = read(k->from, piece, sizeof piece);
        if (now <= 0 || line->length > MOST_LINE)
            return gone;
        strbuf_add_bytes(line, piece, (size_t)now);
    }
    return NULL;
}

static bool read_text(int line, struct strbuf *text)
{
    uint64_t length;
    char piece[1 << 14];
    strbuf_clear(text);
    if (!run_worker_read(line, &length, sizeof length))
        return false;
    while (text->length < length) {
        size_t next =
            length - text->length < sizeof piece ? (size_t)(length - text->length) : sizeof piece;
        if (!run_worker_read(line, piece, next))
            return false;
        strbuf_add_bytes(text, piece, next);
    }
    return true;
}

static bool write_text(int line, const char *text, size_t length)
{
    const uint64_t count = length;
    return run_worker_write(line, &count, sizeof count) && run_worker_write(line, text, length);
}

static _Noreturn void keep(struct keeper *k, int line)
{
    struct strbuf text = {0}, answer = {0};
    signal(SIGPIPE, SIG_IGN);
    while (read_text(line, &text)) {
        strbuf_clear(&answer);
        const char *wrong = hand_over(k, &text, &answer);
        if (wrong)
            end(k);
        if (!write_text(line, wrong ? wrong : answer.text, wrong ? strlen(wrong) : answer.length))
            break;
    }
    end(k);
    _exit(0);
}

int run_checker_start(const struct run_checker *checker, double seconds, uint32_t memory_mib)
{
    int ends[2];
    struct keeper keeper = {.checker = checker,
                            .seconds =
                                seconds > 0 && seconds < MOST_SECONDS ? seconds : MOST_SECONDS,
                            .memory_mib = memory_mib};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        keep(&keeper, ends[1]);
    }
    close(ends[1]);
    if (process > 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

bool run_checker_ask(int line, const char *certificate, struct strbuf *answer)
{
    struct strbuf text = {0};
    bool heard = write_text(line, certificate, strlen(certificate)) && read_text(line, &text);
    while (text.length && text.text[text.length - 1] == '\n')
        text.text[--text.length] = '\0';
    strbuf_add(answer, strbuf_text(&text));
    strbuf_fini(&text);
    return heard;
}
