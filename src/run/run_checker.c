#include "run/run_checker.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/guard.h"
#include "run/run_confine.h"
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
    return checker->program && checker->models ? checker : NULL;
}

/* ---- The checker ---- */

/* Of one certificate; what the checker may have in all; of what it says. */
enum { MOST_SECONDS = 120, MOST_MIB = 4096, MOST_SAID = 1 << 24 };

/* Behind each certificate stands one without anything: the line about it is the end of the answer. */
static const char NOTHING[] = "certificate 1\ndone\n", END[] = "refused\t?\t?\t";

struct keeper {
    const struct run_checker *checker;
    double seconds, cpu_seconds; /* of a certificate; 0: no limit */
    uint32_t memory_mib;
    pid_t process; /* 0: none */
    int to, from;
};

static _Noreturn void become(const struct keeper *k, pid_t keeper, const int *in, const int *out)
{
    rlim_t most = (rlim_t)(k->memory_mib ? k->memory_mib : MOST_MIB) << 20;
    run_confine_to_caller(keeper);
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (dup2(in[0], STDIN_FILENO) >= 0 && dup2(out[1], STDOUT_FILENO) >= 0) {
        run_confine_close_from(STDERR_FILENO + 1);
        (void)run_sandbox_enter_program();
        execl(k->checker->program, name, "--models", k->checker->models, "--states", "-",
              (char *)NULL);
    }
    _exit(127);
}

static void close_both(const int *ends)
{
    close(ends[0]);
    close(ends[1]);
}

static bool begin(struct keeper *k)
{
    int in[2], out[2];
    if (pipe(in) != 0)
        return false;
    if (pipe(out) != 0) {
        close_both(in);
        return false;
    }
    pid_t keeper = getpid(), process = fork();
    if (process == 0)
        become(k, keeper, in, out);
    if (process < 0) {
        close_both(in);
        close_both(out);
        return false;
    }
    close(in[0]);
    close(out[1]);
    k->process = process;
    k->to = in[1];
    k->from = out[0];
    fcntl(k->to, F_SETFL, O_NONBLOCK);
    return true;
}

static void end(struct keeper *k)
{
    if (!k->process)
        return;
    kill(k->process, SIGKILL);
    while (waitpid(k->process, NULL, 0) < 0 && errno == EINTR)
        ;
    close(k->to);
    close(k->from);
    k->process = 0;
}

/* One that has ended since, or has said what nobody asked, makes room for another. */
static bool is_ready(struct keeper *k)
{
    struct pollfd said = {k->from, POLLIN, 0};
    if (k->process && poll(&said, 1, 0) != 0)
        end(k);
    return k->process || begin(k);
}

/* ---- One certificate ---- */

static const char NO_START[] = "the checker could not be started";
static const char LATE[] = "the checker took too long", GONE[] = "the checker ended";
static const char NO_ANSWER[] = "the checker says what is no answer";

/* When a certificate was handed over. */
struct began {
    struct timespec time;
    double cpu_seconds; /* that the checker had used by then */
};

/* Until then there may be more: of processor time, which is less than goes by. */
static double seconds_left(const struct keeper *k, const struct began *began)
{
    double left = k->seconds - clock_seconds_since(&began->time);
    if (k->cpu_seconds > 0) {
        double used = clock_cpu_seconds_of(k->process) - began->cpu_seconds;
        double cpu_left = k->cpu_seconds - used;
        left = k->seconds > 0 && left < cpu_left ? left : cpu_left;
    }
    return left;
}

/* Waits for what is left of the time; false: it has run out. */
static bool await(const struct keeper *k, int file, short what, const struct began *began)
{
    struct pollfd ready = {file, what, 0};
    for (;;) {
        const double left = seconds_left(k, began);
        int count = left > 0 ? poll(&ready, 1, (int)(left * 1000) + 1) : 0;
        if (count > 0 || (count < 0 && errno != EINTR) || seconds_left(k, began) <= 0)
            return count > 0;
    }
}

static const char *send_text(const struct keeper *k, const struct strbuf *text,
                             const struct began *began)
{
    for (size_t done = 0; done < text->length;) {
        if (!await(k, k->to, POLLOUT, began))
            return LATE;
        ssize_t now = write(k->to, text->text + done, text->length - done);
        if (now < 0 && errno != EINTR && errno != EAGAIN)
            return GONE;
        done += now > 0 ? (size_t)now : 0;
    }
    return NULL;
}

/* Where the line begins that ends the answer; NULL: it is not there yet. */
static char *find_end(const struct strbuf *said, size_t from)
{
    char *text = said->text, *end = text ? strstr(text + from, END) : NULL;
    while (end && end > text && end[-1] != '\n')
        end = strstr(end + 1, END);
    return end;
}

/* Leaves the answer without its end. */
static const char *read_answer(const struct keeper *k, struct strbuf *said,
                               const struct began *began)
{
    char piece[1 << 14];
    size_t seen = 0;
    bool ends = false;
    while (!ends || said->text[said->length - 1] != '\n') {
        if (said->length >= MOST_SAID)
            return NO_ANSWER;
        if (!await(k, k->from, POLLIN, began))
            return LATE;
        ssize_t now = read(k->from, piece, sizeof piece);
        if (now == 0 || (now < 0 && errno != EINTR))
            return GONE;
        strbuf_add_bytes(said, piece, now > 0 ? (size_t)now : 0);
        if (memchr(piece, '\0', now > 0 ? (size_t)now : 0))
            return NO_ANSWER;
        ends = ends || find_end(said, seen);
        seen = said->length > sizeof END ? said->length - sizeof END : 0;
    }
    said->length = (size_t)(find_end(said, 0) - said->text);
    said->text[said->length] = '\0';
    return NULL;
}

static const char *hand_over(struct keeper *k, const struct strbuf *text, struct strbuf *said)
{
    if (!is_ready(k))
        return NO_START;
    const struct began began = {clock_now_monotonic(), clock_cpu_seconds_of(k->process)};
    const char *wrong = send_text(k, text, &began);
    return wrong ? wrong : read_answer(k, said, &began);
}

/* ---- The keeper ---- */

/* No certificate is longer. */
enum { MOST_BYTES = 1 << 27 };

/* Behind it come the bytes. */
struct head {
    uint64_t length;
    bool wrong; /* they say why there is no answer */
};

static bool read_text(int line, struct head *head, struct strbuf *text)
{
    char piece[1 << 14];
    strbuf_clear(text);
    if (!run_worker_read(line, head, sizeof *head) || head->length > MOST_BYTES)
        return false;
    while (text->length < head->length) {
        uint64_t left = head->length - text->length;
        size_t next = left < sizeof piece ? (size_t)left : sizeof piece;
        if (!run_worker_read(line, piece, next))
            return false;
        strbuf_add_bytes(text, piece, next);
    }
    return true;
}

static bool write_text(int line, const char *text, size_t length, bool wrong)
{
    struct head head;
    memset(&head, 0, sizeof head); /* its gaps as well */
    head.length = length;
    head.wrong = wrong;
    return run_worker_write(line, &head, sizeof head) && run_worker_write(line, text, length);
}

static _Noreturn void keep(struct keeper *k, int line)
{
    struct strbuf text = {0}, answer = {0};
    struct head head;
    while (read_text(line, &head, &text)) {
        strbuf_clear(&answer);
        strbuf_add(&text, NOTHING);
        const char *wrong = hand_over(k, &text, &answer);
        if (wrong)
            end(k);
        const char *said = wrong ? wrong : strbuf_text(&answer);
        if (!write_text(line, said, wrong ? strlen(wrong) : answer.length, wrong != NULL))
            break;
    }
    end(k);
    _exit(0);
}

int run_checker_start(const struct run_checker *checker, double seconds, double cpu_seconds,
                      uint32_t memory_mib)
{
    int ends[2];
    const double usual = cpu_seconds > 0 ? 0 : MOST_SECONDS;
    struct keeper keeper = {.checker = checker,
                            .seconds = seconds > 0 && seconds < MOST_SECONDS ? seconds : usual,
                            .cpu_seconds = cpu_seconds < MOST_SECONDS ? cpu_seconds : MOST_SECONDS,
                            .memory_mib = memory_mib};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    signal(SIGPIPE, SIG_IGN); /* who writes to one that is gone is told so */
    pid_t worker = getpid(), process = fork();
    if (process == 0) {
        run_confine_to_caller(worker);
        keep(&keeper, run_confine_to_line(ends[1]));
    }
    close(ends[1]);
    if (process > 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

bool run_checker_ask(int line, const char *certificate, struct strbuf *answer)
{
    SCOPED(strbuf) text = {0};
    struct head head;
    if (line < 0) {
        strbuf_add(answer, NO_START);
        return false;
    }
    if (!write_text(line, certificate, strlen(certificate), false) ||
        !read_text(line, &head, &text)) {
        strbuf_add(answer, "the checker's keeper is gone");
        return false;
    }
    strbuf_add(answer, strbuf_text(&text));
    return !head.wrong;
}
