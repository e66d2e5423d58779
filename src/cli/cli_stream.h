/* cli_stream: tests that come one behind the other on standard input, where `-` is named.
 *
 * Each begins with the line of its dialect and name. They are put into a folder of their own below
 * that for temporary files, in files whose names sort as the tests came, and the folder takes the
 * place of `-`: what is told of a test in a file is told of these, as "-/0000012-NAME.litmus".
 *
 * Nothing of it is left behind, however the process ends: a second process waits for that, and then
 * removes the folder.
 */
#ifndef CRASHLIT_CLI_STREAM_H
#define CRASHLIT_CLI_STREAM_H

#include "ask/ask_options.h"

#include <sys/types.h>

struct cli_stream {
    struct arena arena;
    char *folder; /* NULL: nobody names `-` */
    VEC(char *) files;
    pid_t keeper; /* that waits, until `held` is closed; 0: none */
    int held;
};

/* False after telling what is wrong. Ended by cli_stream_close either way. */
bool cli_stream_open(struct cli_stream *stream, struct ask_options *options, struct diag *diag);
/* Removes what was made. */
void cli_stream_close(struct cli_stream *stream);

#endif
