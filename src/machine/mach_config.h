/* mach_config: the files of models/machines, which name a machine and give its sizes.
 *
 * Lines `key = value`, with `#` to the end of the line a comment. `machine` names the
 * implementation and has to be there; every other key may stand once, and has a default.
 * `placement` takes `in-turn`, `one-unit`, or the numbers of units, parted by spaces.
 *
 * Ownership: what is loaded lives in the arena given.
 */
#ifndef CRASHLIT_MACH_CONFIG_H
#define CRASHLIT_MACH_CONFIG_H

#include "base/diag.h"
#include "machine/mach.h"

/* Keys that take a number: X(key, default, least, most). The key is the field's name. */
#define MACH_NUMBERS(X)    \
    X(units, 2, 1, 8)      \
    X(line_words, 1, 1, 8) \
    X(l1_lines, 0, 0, 64)  \
    X(l2_lines, 0, 0, 64)  \
    X(l1_fifo, 16, 1, 64)  \
    X(l2_fifo, 64, 1, 64)  \
    X(l1_sfifo, 16, 1, 64)

/* Keys that take a word of MACH_EVICTIONS: X(key, default). */
#define MACH_EVICTION_KEYS(X) X(evict_l1, MACH_EVICT_ANY) X(evict_l2, MACH_EVICT_ANY)

struct mach_file {
    const char *name; /* of a built-in, or the file's path */
    const struct machine *machine;
    struct mach_config config;
};

/* What can be said to the engine of machines alone (engine_request.own). */
struct mach_choice {
    const struct mach_file *file; /* NULL: the built-in one that promises the model pair */
    uint32_t max_states;          /* kept; 0: MACH_DEFAULT_STATES */
    bool no_reduction;            /* every state is kept as it is */
};

/* Machines that a file can name, of two that promise the same pair the one to be asked first;
 * NULL ends the list. Each has a built-in file of its name. */
extern const struct machine *const mach_machines[];

/* Built-in machine files, generated from models/machines at build time. */
extern const struct source_builtin mach_builtins[];
extern const size_t mach_builtin_count;

/* Is it the path of a file, with a '/' or ending in ".machine", and no name of a built-in? */
bool mach_config_is_path(const char *name);
/* A built-in by its name ("nvw-fifo"), or a file by its path. NULL when there is none or it is
 * malformed: the errors are in `diag`. */
const struct mach_file *mach_config_load(struct arena *arena, const char *name, struct diag *diag)
    __attribute__((warn_unused_result));
/* The built-in that promises a model pair; the first one when none does, or there is no pair
 * (NULL).
 */
const struct mach_file *mach_config_promising(struct arena *arena, const char *visibility,
                                              const char *persistency);
const struct mach_file *mach_config_parse(struct arena *arena, const struct source *source,
                                          struct diag *diag) __attribute__((warn_unused_result));

#endif
