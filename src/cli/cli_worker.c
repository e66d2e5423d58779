#include "cli/cli_worker.h"

#include <errno.h>
#include <unistd.h>

bool cli_worker_write(int file, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = write(file, at, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        length -= (size_t)written;
    }
    return true;
}

bool cli_worker_read(int file, void *bytes, size_t length)
{
    char *at = bytes;
    while (length > 0) {
        ssize_t got = read(file, at, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

enum cli_loss cli_worker_loss(const cli_lost_parts *lost, uint32_t part)
{
    for (size_t i = 0; i < lost->count; i++)
        if (lost->items[i].part == part)
            return lost->items[i].loss;
    return CLI_LOSS_NONE;
}

enum cli_loss cli_worker_part(struct cli_worker *worker)
{
    if (!worker || !worker->tells)
        return CLI_LOSS_NONE;
    uint64_t message = CLI_WORKER_PART | ++worker->part;
    if (!cli_worker_write(worker->line, &message, sizeof message))
        _exit(0); /* the caller is gone */
    return cli_worker_loss(worker->lost, worker->part);
}
