/* run_folder: names in the folder of a report that has a file for each input, as
 * `--format svg=FOLDER/` asks for.
 *
 * A file is called as its input, without the folders before it and without .litmus:
 * FOLDER/fig4.svg. A name that is taken gets a number, the lowest from 2 that makes it new:
 * FOLDER/fig4-2.svg. What its kind is comes last: FOLDER/fig4-3-words.svg. So names depend on the
 * inputs and their order alone.
 */
#ifndef CRASHLIT_RUN_FOLDER_H
#define CRASHLIT_RUN_FOLDER_H

#include <stdbool.h>

struct run_folder;

/* Does the path of a report name a folder, by its last character? */
bool run_folder_is_meant(const char *path);
/* Makes the folder unless it is there; false, with errno, when it cannot be made or written to. */
bool run_folder_make(const char *path) __attribute__((warn_unused_result));
/* May the folder be made, or written to? Nothing is made. False with errno. */
bool run_folder_may_be_made(const char *path) __attribute__((warn_unused_result));
/* The names alone: nothing is made. `path` and `extension` must outlive it. */
struct run_folder *run_folder_new(const char *path, const char *extension);
/* Both; NULL where it cannot be made. */
struct run_folder *run_folder_open(const char *path, const char *extension);
void run_folder_free(struct run_folder *folder);
/* The path of the next input's file, which lives as long as the folder. `kind`: "-words"; "" of
 * most. */
const char *run_folder_file(struct run_folder *folder, const char *input, const char *kind);

#endif
