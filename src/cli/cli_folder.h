/* cli_folder: names in the folder of a report that has a file for each input, as
 * `--format svg=FOLDER/` asks for.
 *
 * A file is called as its input, without the folders before it and without .litmus:
 * FOLDER/fig4.svg. A name that is taken gets a number, the lowest from 2 that makes it new:
 * FOLDER/fig4-2.svg. So names depend on the inputs and their order alone.
 */
#ifndef CRASHLIT_CLI_FOLDER_H
#define CRASHLIT_CLI_FOLDER_H

#include "base/arena.h"

#include <stdbool.h>

struct cli_folder;

/* Does the path of a report name a folder, by its last character? */
bool cli_folder_is_meant(const char *path);
/* Makes the folder unless it is there; NULL, with errno, when it cannot be made or written to.
 * `path` and `extension` must outlive it. */
struct cli_folder *cli_folder_open(const char *path, const char *extension);
void cli_folder_free(struct cli_folder *folder);
/* The path of the next input's file, which lives as long as the folder. */
const char *cli_folder_file(struct cli_folder *folder, const char *input);

#endif
