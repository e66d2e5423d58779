/* cli_suite: a folder of generated tests and its list, MANIFEST, which `check @FOLDER/MANIFEST`
 * takes: the command and its figures in comments, then a file's name a line, each below a comment
 * of its own where there is something to say.
 *
 * The list is begun before the first test and grows with them, so that who comes after a run that
 * was killed knows what is the suite's. A suite that is there is replaced: what its list names and
 * the new one does not is removed. Any other file stays.
 */
#ifndef CRASHLIT_CLI_SUITE_H
#define CRASHLIT_CLI_SUITE_H

#include "base/diag.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <stdio.h>

struct cli_suite {
    struct arena arena;
    const char *folder, *manifest; /* paths, the former with a slash at its end */
    const char *command;
    bool made, found, ended; /* the folder was made; a list was there; the new one is whole */
    VEC(const char *) earlier;
    struct cli_suite_name *names; /* of the new tests */
    struct strbuf lines;
    FILE *growing;
    struct diag *diag;
};

/* Before any work: false, after telling why, where nothing can be written there. Ended by
 * cli_suite_close either way. `command` as the first line has it. */
bool cli_suite_open(struct cli_suite *suite, const char *folder, const char *command,
                    struct diag *diag) __attribute__((warn_unused_result));
/* Of a name that is too long for a file the rest is a digest; `note` "": none. False, told, when it
 * cannot be written. */
bool cli_suite_add(struct cli_suite *suite, const char *name, const char *note, const char *text,
                   size_t length);
/* All are there. */
void cli_suite_end(struct cli_suite *suite, const char *figures);
/* Without an end the list says that it is not finished, and goes if it lists nothing. */
void cli_suite_close(struct cli_suite *suite);

#endif
