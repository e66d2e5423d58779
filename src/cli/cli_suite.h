/* cli_suite: a folder of generated tests and its list, MANIFEST, which `check @FOLDER/MANIFEST`
 * takes: the command and its figures in comments, then a file's name a line, each below a comment
 * of its own where there is something to say. A file that is no test, such as a picture, is named
 * in a comment, "# with FILE".
 *
 * The list is begun before the first test and grows with them, so that who comes after a run that
 * was killed knows what is the suite's. A suite of the same command that is there is replaced: what
 * its list names and the new one does not is removed. Any other file stays: where a test would take
 * its place, nothing is written.
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
    bool made, found, ended;      /* the folder was made; a list was there; the new one is whole */
    VEC(const char *) earlier;    /* files that the list names which was there */
    struct cli_suite_name *known; /* the same */
    struct cli_suite_name *names; /* of the new files */
    struct strbuf lines;
    FILE *growing;
    struct diag *diag;
};

/* Files that a number is in: STEM-NUMBER and one of the tails. */
struct cli_suite_numbered {
    const char *stem;
    size_t digits;            /* of the number, at least */
    const char *const *tails; /* "-target.litmus"; ends with NULL */
};

/* "# crashlit WORD ..", of a command line in which options may stand before the command's word. */
const char *cli_suite_command(struct arena *arena, const char *word, const char *command_line);
/* Before any work, and nothing is made yet: false, after telling why, where nothing can be written
 * there. Ended by cli_suite_close either way. `command` as the first line has it, "# crashlit
 * generate .."; a list that begins with other words is none of this suite. */
bool cli_suite_open(struct cli_suite *suite, const char *folder, const char *command,
                    struct diag *diag) __attribute__((warn_unused_result));
/* Is no such file there, but those of the suite that is replaced? False, told. */
bool cli_suite_are_free(struct cli_suite *suite, const struct cli_suite_numbered *files)
    __attribute__((warn_unused_result));
/* The same of the file of one test. */
bool cli_suite_is_free(struct cli_suite *suite, const char *name)
    __attribute__((warn_unused_result));
/* Makes the folder, and the list without tests. */
bool cli_suite_begin(struct cli_suite *suite) __attribute__((warn_unused_result));
/* Of a name that is too long for a file the rest is a digest; `note` "": none. False, told, when it
 * cannot be written. */
bool cli_suite_add(struct cli_suite *suite, const char *name, const char *note, const char *text,
                   size_t length);
/* A file by its whole name: a test, or what belongs to one. */
bool cli_suite_add_file(struct cli_suite *suite, const char *file, const char *note,
                        const char *text, size_t length);
/* All are there. */
void cli_suite_end(struct cli_suite *suite, const char *figures);
/* Without an end the list says that it is not finished, and goes if it lists nothing. */
void cli_suite_close(struct cli_suite *suite);

#endif
