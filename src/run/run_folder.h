/* run_folder: file names in a report's folder with one file for each input, as in `--format
 * svg=FOLDER/`.
 *
 * A file is named after its input, without folders and .litmus: FOLDER/fig4.svg. A name in use gets
 * the lowest free number from 2: FOLDER/fig4-2.svg. The kind comes last: FOLDER/fig4-3-words.svg.
 * So names depend only on the inputs and their order. */
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
/* Only chooses names; makes nothing. `path` and `extension` must outlive it. */
struct run_folder *run_folder_new(const char *path, const char *extension);
/* Makes the folder, too; NULL where it cannot. */
struct run_folder *run_folder_open(const char *path, const char *extension);
void run_folder_free(struct run_folder *folder);
/* The path of the next input's file; lives as long as the folder. `kind`: "-words"; "" for most. */
const char *run_folder_file(struct run_folder *folder, const char *input, const char *kind);

#endif
