/* cli_suite: a folder of generated tests and its list, MANIFEST, which `check @FOLDER/MANIFEST`
 * takes.
 *
 * The list has the command and its figures in comments, then the name of a file on each line. A
 * comment may precede a name. A comment "# with FILE" names a file that is no test, such as a
 * picture.
 *
 * The list is begun before the first test and grows with the tests. So after a run that was killed,
 * the list still tells which files belong to the suite. A suite of the same command replaces an
 * earlier one: files that only the earlier list names are removed. Other files are never replaced.
 * If a test would replace one, nothing is written.
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
    bool made, found, ended;      /* we made the folder; found an earlier list; ended the new one */
    VEC(const char *) earlier;    /* files that the earlier list names */
    struct cli_suite_name *known; /* the same */
    struct cli_suite_name *names; /* of the new files */
    struct strbuf lines;
    FILE *growing;
    struct diag *diag;
};

/* Files with a number in their names: STEM-NUMBER and one of the tails. */
struct cli_suite_numbered {
    const char *stem;
    size_t digits;            /* the fewest digits of the number */
    const char *const *tails; /* "-target.litmus"; ends with NULL */
};

/* "# crashlit WORD ..": begins a list, with the command's word before the options. */
const char *cli_suite_command(struct arena *arena, const char *word, const char *command_line);
/* Before any work; makes nothing yet. False after reporting why nothing can be written there. End
 * it by cli_suite_close in either case. `command` is the first line of the list, "# crashlit
 * generate .."; a list that begins with other words belongs to another suite. */
bool cli_suite_open(struct cli_suite *suite, const char *folder, const char *command,
                    struct diag *diag) __attribute__((warn_unused_result));
/* Is no such file there, except files of the suite that is replaced? False after a report. */
bool cli_suite_are_free(struct cli_suite *suite, const struct cli_suite_numbered *files)
    __attribute__((warn_unused_result));
/* The same for the file of one test. */
bool cli_suite_is_free(struct cli_suite *suite, const char *name)
    __attribute__((warn_unused_result));
/* Makes the folder, and the list, still without tests. */
bool cli_suite_begin(struct cli_suite *suite) __attribute__((warn_unused_result));
/* Writes a test and adds it to the list. A digest replaces the end of a name that is too long for a
 * file. `note` "": no comment. False after reporting that it cannot be written. */
bool cli_suite_add(struct cli_suite *suite, const char *name, const char *note, const char *text,
                   size_t length);
/* Writes a file under its whole name: a test, or a file that belongs to one. */
bool cli_suite_add_file(struct cli_suite *suite, const char *file, const char *note,
                        const char *text, size_t length);
/* Ends the list: all tests are there. */
void cli_suite_end(struct cli_suite *suite, const char *figures);
/* If the list was not ended, it says that it is unfinished, or is removed if it lists nothing. */
void cli_suite_close(struct cli_suite *suite);

#endif
