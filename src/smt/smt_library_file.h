/* smt_library_file: is the file whole that the loader would take for a library?
 *
 * The loader maps a file as its head says. One that is cut off ends the process when what is not
 * there is read, and a pipe of that name is waited for without end. Folders that the user names
 * (LD_LIBRARY_PATH) are looked at first, as the loader does; those of the system are trusted.
 */
#ifndef CRASHLIT_SMT_LIBRARY_FILE_H
#define CRASHLIT_SMT_LIBRARY_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* False: what is wrong is in `fault`, which has `size` bytes. Costs a look into each folder. */
bool smt_library_is_whole(const char *name, char *fault, size_t size);

#endif
