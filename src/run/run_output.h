/* run_output: what is written to standard output or into a report's file, and why it was not.
 *
 * A failure is remembered, not returned: a run goes on without its output, since other reports and
 * the status may still be of use, and says so at its end.
 */
#ifndef CRASHLIT_RUN_OUTPUT_H
#define CRASHLIT_RUN_OUTPUT_H

#include "base/diag.h"
#include "run/run_paint.h"

#include <stdbool.h>
#include <stdio.h>

struct run_output {
    const char *path; /* NULL: standard output */
    FILE *file;       /* from whoever made this; NULL when it is closed */
    char *temporary;  /* a file beside `path`, in its place until the end; NULL: none */
    bool painted;     /* lines are */
    struct run_paint paint;
    int error; /* errno of the first write that failed, else 0 */
};

/* Opens what is to be written to `path`, which must outlive it. A file that is there stays as it is
 * until the end, which puts the new one in its place. Nothing is written through a link, but to the
 * device or pipe that it leads to; /dev/stdout, /dev/stderr and /dev/fd/N are these files
 * themselves. False, with *why, when it cannot be written. */
bool run_output_open(struct run_output *output, const char *path, const char **why)
    __attribute__((warn_unused_result));

void run_output_add(struct run_output *output, const char *bytes, size_t length);
void run_output_add_text(struct run_output *output, const struct strbuf *text);
/* For people to read: control characters other than line ends and tabs are shown as escapes. */
void run_output_add_lines(struct run_output *output, const struct strbuf *text);
void run_output_flush(struct run_output *output);
/* Closes what was opened, and leaves what was there before. */
void run_output_drop(struct run_output *output);
/* Closes the file, or flushes standard output. A fault when not everything was written. */
void run_output_end(struct run_output *output, struct diag *diag);

/* Prints diagnostics to standard error. */
void run_output_tell(const struct diag *diag);
/* Text that is ready to be printed, to standard error. */
void run_output_say(const char *text);
/* Words of this program alone, without colours. */
void run_output_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
