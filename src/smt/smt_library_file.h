/* smt_library_file: is the file that the loader would take for a library whole?
 *
 * The loader maps a file as its head says. A truncated file ends the process when the missing part
 * is read, and a pipe of that name blocks for ever. Folders that the user names (LD_LIBRARY_PATH)
 * are searched first, as the loader does; those of the system are trusted. */
#ifndef CRASHLIT_SMT_LIBRARY_FILE_H
#define CRASHLIT_SMT_LIBRARY_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* False: `fault`, of `size` bytes, says what is wrong. Costs a look into each folder. */
bool smt_library_is_whole(const char *name, char *fault, size_t size);

#endif
