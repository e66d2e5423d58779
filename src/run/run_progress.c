#include "run/run_progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <unistd.h>

void run_progress_init(struct run_progress *progress, size_t total, const char *what)
{
    *progress = (struct run_progress){.total = total,
                                      .what = what,
                                      .wanted = isatty(STDERR_FILENO) == 1,
                                      .shared = isatty(STDOUT_FILENO) == 1};
    progress->started = clock_now_monotonic();
    progress->shown = progress->started;
}

/* 90 s are "2 min": what is left is never told shorter than it is. */
static void add_duration(struct strbuf *out, double seconds)
{
    unsigned long whole = (unsigned long)seconds + 1;
    if (whole < 60)
        strbuf_printf(out, "%lu s", whole);
    else if (whole < 3600)
        strbuf_printf(out, "%lu min", (whole + 59) / 60);
    else
        strbuf_printf(out, "%lu h %lu min", whole / 3600, whole % 3600 / 60);
}

void run_progress_text(struct strbuf *out, const char *what, size_t done, size_t total,
                       double seconds)
{
    double rate = seconds > 0 ? (double)done / seconds : 0;
    if (total == 0)
        strbuf_printf(out, "%s, %.0f s so far", what, seconds);
    else
        strbuf_printf(out, "%zu of %zu %s", done, total, what);
    if (total && rate > 0) {
        strbuf_printf(out, rate < 10 ? ", %.1f a second, " : ", %.0f a second, ", rate);
        add_duration(out, (double)(total - done) / rate);
        strbuf_add(out, " to go");
    }
}

void run_progress_tell(struct run_progress *progress, size_t done)
{
    double seconds = clock_seconds_since(&progress->started);
    if (!progress->wanted || seconds < 1 || clock_seconds_since(&progress->shown) < 0.2)
        return;
    SCOPED(strbuf) line = {0};
    run_progress_text(&line, progress->what, done, progress->total, seconds);
    fprintf(stderr, "\r%s\033[K", strbuf_text(&line));
    fflush(stderr);
    progress->shown = clock_now_monotonic();
    progress->visible = true;
}

void run_progress_wipe(struct run_progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}
