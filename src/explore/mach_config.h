/* mach_config: the files of models/machines, which name a machine and give its sizes.
 *
 * Lines `key = value`, with `#` to the end of the line a comment. `machine` names the
 * implementation and has to be there; every other key may stand once, and has a default.
 * `placement` takes `in-turn`, `one-unit`, or the numbers of units, parted by spaces. With
 * `machine = pipeline` there are statements besides (pipe_parse.h), and `promises` has to be
 * there; keys that say nothing to the machine are refused there.
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

/* A model pair whose states a machine keeps to, wherever a test is not undefined under it. */
struct mach_promise {
    const char *visibility, *persistency;
};

enum { MACH_MOST_PROMISES = 4 };

struct mach_file {
    const char *name; /* of a built-in, or the file's path */
    const struct source *source;
    const struct machine *machine;
    struct mach_promise promises[MACH_MOST_PROMISES]; /* the first is the one it is asked under */
    uint32_t promise_count;
    struct mach_config config;
};

#define MACH_CONFIG_ENDS ".machine"
enum { MACH_MOST_STATES = 1 << 30 };

/* What can be said to the engine of machines alone (engine_request.own). */
struct mach_choice {
    const struct mach_file *file; /* NULL: the built-in one that promises the model pair */
    uint32_t max_states;          /* kept, MACH_MOST_STATES at most; 0: as memory allows */
    uint32_t threads;             /* of one exploration; 0: as many as the request leaves */
    bool no_reduction;            /* every state is kept as it is */
    bool every_step;              /* none is left out, though it leads nowhere else */
};

/* The keys of files, one after the other; NULL behind the last. Words for placements; NULL ends
 * them. */
const char *mach_key_at(size_t number);
extern const char *const mach_placements[];

/* Machines that a file can name, of two that promise the same pair the one to be asked first;
 * NULL ends the list. Each that promises a pair by itself has a built-in file of its name. */
extern const struct machine *const mach_machines[];

/* Built-in machine files, generated from models/machines at build time. */
extern const struct source_builtin mach_builtins[];
extern const size_t mach_builtin_count;

/* The name of the N-th built-in, from 0: those of `mach_machines` first, then by name. Of two that
 * promise the same pair the one to be asked first comes first. NULL behind the last. */
const char *mach_config_name(struct arena *arena, size_t n);
/* Is it the path of a file, with a '/' or ending in ".machine", and no name of a built-in? */
bool mach_config_is_path(const char *name);
/* A built-in by its name ("nvw-fifo"), or a file by its path. NULL when there is none or it is
 * malformed: the errors are in `diag`. */
const struct mach_file *mach_config_load(struct arena *arena, const char *name, struct diag *diag)
    __attribute__((warn_unused_result));
/* The first built-in that promises a model pair, in the order of mach_config_name; the first of all
 * when none does, or there is no pair (NULL). */
const struct mach_file *mach_config_promising(struct arena *arena, const char *visibility,
                                              const char *persistency);
/* The faults that the machine of a file can have, a bit each; of a pipeline by what it is made of.
 */
uint64_t mach_file_faults(const struct mach_file *file);
bool mach_config_is_promised(const char *visibility, const char *persistency);
bool mach_file_promises(const struct mach_file *file, const char *visibility,
                        const char *persistency);
const struct mach_file *mach_config_parse(struct arena *arena, const struct source *source,
                                          struct diag *diag) __attribute__((warn_unused_result));

#endif
