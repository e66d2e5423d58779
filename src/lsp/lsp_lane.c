#include "lsp/lsp_lane.h"

#include "run/run_confine.h"
#include "run/run_pool.h"
#include "run/run_single.h"
#include "session/session_engines.h"
#include "session/session_solver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BYTES = 64 << 20 };

/* What the first byte says of the rest. */
enum { ANSWER = 'A', REASON = 'R' };

/* ---- In the process of the question ---- */

struct asked {
    const struct lsp_question *question;
    int line;
};

static void work_on_question(void *context, size_t task, struct strbuf *answer,
                             struct run_worker *worker)
{
    const struct asked *asked = context;
    (void)task;
    lsp_answer(asked->question, run_worker_parts(worker), answer);
}

static void write_line(int line, char what, const char *bytes, size_t length)
{
    if (run_worker_write(line, &what, 1))
        (void)run_worker_write(line, bytes, length); /* else nobody is there to hear it */
}

static void pass_answer_on(void *context, size_t task, const struct run_pool_answer *answer)
{
    const struct asked *asked = context;
    (void)task;
    if (answer->end == RUN_POOL_ANSWERED && answer->length < MOST_BYTES)
        write_line(asked->line, ANSWER, answer->bytes, answer->length);
    else if (answer->end == RUN_POOL_ANSWERED)
        write_line(asked->line, REASON, "the answer is too large",
                   strlen("the answer is too large"));
    else
        write_line(asked->line, REASON, answer->reason, strlen(answer->reason));
}

static void allow_reading(const struct lsp_question *question, struct run_sandbox *sandbox)
{
    const struct session_settings *settings = &question->options->settings;
    const struct reach *reach = &settings->reach;
    const char *const named[] = {settings->model, settings->persistency, question->path};
    run_sandbox_init(sandbox);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i])
            run_sandbox_allow_file(sandbox, named[i]);
    for (uint32_t i = 0; i < settings->uses_count; i++)
        run_sandbox_allow_file(sandbox, settings->uses[i]);
    for (uint32_t i = 0; i < reach->searched_count; i++)
        run_sandbox_allow_folder(sandbox, reach->searched[i]);
    for (uint32_t i = 0; i < reach->permitted_count; i++)
        run_sandbox_allow_folder(sandbox, reach->permitted[i]);
}

/* Neither it nor its worker has the editor's streams. */
static void drop_streams(void)
{
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        _exit(1);
}

static bool asks_solver(const struct lsp_question *question)
{
    return question->kind >= LSP_EXPLAIN ||
           (question->kind == LSP_CHECK &&
            session_solver_is_asked(question->options->settings.engine));
}

static _Noreturn void answer(const struct lsp_question *question, int line)
{
    const struct session_settings *settings = &question->options->settings;
    struct asked asked = {question, line};
    struct run_sandbox sandbox;
    drop_streams();
    allow_reading(question, &sandbox);
    const struct run_pool pool = {.workers = 1,
                                  .part_seconds = run_part_seconds(settings),
                                  .memory_mib = settings->memory_mib,
                                  .sandbox = &sandbox,
                                  .solver = asks_solver(question),
                                  .work = work_on_question,
                                  .take = pass_answer_on,
                                  .context = &asked};
    (void)run_pool_run(&pool, 1);
    _exit(0);
}

/* ---- In this one ---- */

bool lsp_lane_start(struct lsp_lane *lane, const struct lsp_question *question)
{
    int ends[2];
    pid_t self = getpid();
    strbuf_clear(&lane->bytes);
    if (pipe(ends) != 0)
        return false;
    pid_t process = fork();
    if (process == 0) {
        run_confine_to_caller(self);
        close(ends[0]);
        answer(question, ends[1]);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    lane->process = process;
    lane->line = ends[0];
    return true;
}

static void end(struct lsp_lane *lane)
{
    close(lane->line);
    while (waitpid(lane->process, NULL, 0) < 0 && errno == EINTR)
        ;
    lane->process = 0;
}

bool lsp_lane_hear(struct lsp_lane *lane, const char **bytes, const char **reason)
{
    char piece[65536];
    ssize_t length = read(lane->line, piece, sizeof piece);
    if (length > 0) {
        strbuf_add_bytes(&lane->bytes, piece, (size_t)length);
        if (lane->bytes.length <= MOST_BYTES)
            return false;
        lsp_lane_stop(lane);
        strbuf_clear(&lane->bytes);
    } else if (length < 0 && errno == EINTR)
        return false;
    else
        end(lane);
    const char *text = strbuf_text(&lane->bytes);
    *bytes = *text == ANSWER ? text + 1 : NULL;
    *reason = *text == REASON ? text + 1 : "its process ended without an answer";
    return true;
}

void lsp_lane_stop(struct lsp_lane *lane)
{
    if (!lane->process)
        return;
    kill(lane->process, SIGKILL); /* its worker ends with it (run_confine_to_caller) */
    end(lane);
}

void lsp_lane_fini(struct lsp_lane *lane)
{
    lsp_lane_stop(lane);
    strbuf_fini(&lane->bytes);
}
