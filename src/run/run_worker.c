#include "run/run_worker.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* All bytes into `to`, or out of `from`, whichever is given; goes on after a signal. */
static bool move(int file, char *to, const char *from, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t now =
            to ? read(file, to + done, length - done) : write(file, from + done, length - done);
        if (now > 0)
            done += (size_t)now;
        else if (now == 0 || errno != EINTR)
            return false;
    }
    return true;
}

bool run_worker_write(int file, const void *bytes, size_t length)
{
    return move(file, NULL, bytes, length);
}

bool run_worker_read(int file, void *bytes, size_t length)
{
    return move(file, bytes, NULL, length);
}

enum session_loss run_worker_loss(const run_lost_parts *lost, uint32_t part)
{
    for (size_t i = 0; i < lost->count; i++)
        if (lost->items[i].part == part)
            return lost->items[i].loss;
    return SESSION_LOSS_NONE;
}

static void tell_pool(const struct run_worker *worker, uint64_t message)
{
    if (!run_worker_write(worker->line, &message, sizeof message))
        _exit(0); /* the caller is gone */
}

static enum session_loss begin_part(void *context)
{
    struct run_worker *worker = context;
    if (!worker->tells)
        return SESSION_LOSS_NONE;
    tell_pool(worker, RUN_WORKER_PART | ++worker->part);
    return run_worker_loss(worker->lost, worker->part);
}

static bool begin_choice(void *context)
{
    struct run_worker *worker = context;
    return ++worker->choice == worker->dear;
}

static void note_dear(void *context)
{
    const struct run_worker *worker = context;
    tell_pool(worker, RUN_WORKER_DEAR | worker->choice);
}

static void say(void *context, const char *name, const struct strbuf *text)
{
    const struct run_worker *worker = context;
    const size_t length = strlen(name) + 1;
    const struct run_worker_head head = {.length = RUN_WORKER_SAYS | (length + text->length),
                                         .task = (uint32_t)worker->task};
    if (!run_worker_write(worker->line, &head, sizeof head) ||
        !run_worker_write(worker->line, name, length) ||
        !run_worker_write(worker->line, strbuf_text(text), text->length))
        _exit(0); /* as above */
}

struct session_parts run_worker_parts(struct run_worker *worker)
{
    return (struct session_parts){.begin = begin_part,
                                  .begin_choice = begin_choice,
                                  .note_dear = note_dear,
                                  .say = worker->says ? say : NULL,
                                  .context = worker,
                                  .threads = worker->threads};
}
