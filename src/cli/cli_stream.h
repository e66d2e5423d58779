/* cli_stream: reads tests from standard input, one after the other, when `-` is an input.
 *
 * Each test begins with the line of its dialect and name. The tests are written to files in a
 * temporary folder; the names of the files keep the order of the tests. The folder then replaces
 * `-` among the inputs. Messages name a test as "-/0000012-NAME.litmus".
 *
 * The folder is removed however the process ends: a second process waits for the end, and then
 * removes it.
 */
#ifndef CRASHLIT_CLI_STREAM_H
#define CRASHLIT_CLI_STREAM_H

#include "ask/ask_options.h"

#include <sys/types.h>

struct cli_stream {
    struct arena arena;
    char *folder; /* NULL: `-` is no input */
    VEC(char *) files;
    pid_t keeper; /* the process that waits until `held` is closed; 0: none */
    int held;
};

/* False after a report. End it by cli_stream_close in either case. */
bool cli_stream_open(struct cli_stream *stream, struct ask_options *options, struct diag *diag);
/* Removes the folder. */
void cli_stream_close(struct cli_stream *stream);

#endif
