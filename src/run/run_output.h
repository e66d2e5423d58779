/* run_output: writes standard output or a report's file, and remembers why that failed.
 *
 * A failure is remembered, not returned. A run goes on without its output, since other reports and
 * the status may still be of use, and reports the failure at its end. */
#ifndef CRASHLIT_RUN_OUTPUT_H
#define CRASHLIT_RUN_OUTPUT_H

#include "base/diag.h"
#include "run/run_paint.h"

#include <stdbool.h>
#include <stdio.h>

struct run_output {
    const char *path; /* NULL: standard output */
    FILE *file;       /* from the maker of this structure; NULL: closed */
    char *temporary;  /* a file beside `path` that replaces it at the end; NULL: none */
    bool painted;     /* lines are painted */
    struct run_paint paint;
    int error; /* errno of the first write that failed, else 0 */
};

/* Opens what is to be written to `path`, which must outlive it. An existing file stays until the
 * end, when the new one replaces it. A link is not written through, unless to a device or pipe;
 * /dev/stdout, /dev/stderr and /dev/fd/N are these files themselves. False, with *why, when it
 * cannot be written. */
bool run_output_open(struct run_output *output, const char *path, const char **why)
    __attribute__((warn_unused_result));

void run_output_add(struct run_output *output, const char *bytes, size_t length);
void run_output_add_text(struct run_output *output, const struct strbuf *text);
/* For human readers: control characters, except line ends and tabs, become escapes. */
void run_output_add_lines(struct run_output *output, const struct strbuf *text);
/* For programs, such as patch: bytes as they are; the same as the last where a terminal shows them. */
void run_output_add_bytes(struct run_output *output, const struct strbuf *text);
void run_output_flush(struct run_output *output);
/* Closes what was opened, and keeps the file that was there before. */
void run_output_drop(struct run_output *output);
/* Closes the file, or flushes standard output. Reports a fault when not everything was written. */
void run_output_end(struct run_output *output, struct diag *diag);

/* Prints diagnostics to standard error. */
void run_output_tell(const struct diag *diag);
/* Prints text that is ready to be printed to standard error. */
void run_output_say(const char *text);
/* The same of lines that are still to be rendered, as a summary is. */
void run_output_say_lines(const char *text);
/* What is said of a run that a signal ended. */
#define RUN_OUTPUT_INTERRUPTED "interrupted; what was answered by then is printed"
/* Prints a line about the run to standard error. */
void run_output_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
