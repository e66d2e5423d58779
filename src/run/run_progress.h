/* run_progress: shows progress on one line of a terminal.
 *
 * The line goes to standard error, only when that is a terminal and the run takes longer than a
 * second. It is erased before anything else is printed, and at the end. */
#ifndef CRASHLIT_RUN_PROGRESS_H
#define CRASHLIT_RUN_PROGRESS_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <time.h>

struct run_progress {
    struct timespec started, shown;
    size_t total;
    const char *what; /* the word for what is counted: "tests" */
    bool wanted, visible;
    bool shared; /* standard output is on a terminal, too */
};

void run_progress_init(struct run_progress *progress, size_t total, const char *what);
/* At most five lines a second are shown. */
void run_progress_tell(struct run_progress *progress, size_t done);
void run_progress_wipe(struct run_progress *progress);

/* The line itself: "1234 of 10000 tests, 2100 a second, 4 s to go"; of a total of 0, which is not
 * known, "still looking, 12 s so far". */
void run_progress_text(struct strbuf *out, const char *what, size_t done, size_t total,
                       double seconds);

#endif
