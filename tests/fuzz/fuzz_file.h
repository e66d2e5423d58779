/* fuzz_file: an input as a file, for what is read by its path. Nothing is written to a disk.
 * Include it before anything else. */
#ifndef CRASHLIT_FUZZ_FILE_H
#define CRASHLIT_FUZZ_FILE_H

#define _GNU_SOURCE /* memfd_create */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct fuzz_file {
    int descriptor;
    char path[32];
};

static inline void fuzz_file_open(struct fuzz_file *file, const uint8_t *data, size_t size)
{
    file->descriptor = memfd_create("input", 0);
    if (file->descriptor < 0 || write(file->descriptor, data, size) != (ssize_t)size)
        base_die("fuzz_file: the input could not be stored");
    snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->descriptor);
}

static inline void fuzz_file_close(struct fuzz_file *file)
{
    close(file->descriptor);
}

#endif
