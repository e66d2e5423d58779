/* mach_config: loads the files of models/machines, which name a machine and give its sizes.
 *
 * A line is `key = value`; a comment runs from `#` to the line's end. `machine` names the
 * implementation and is required. Every other key may stand once, and has a default. `placement`
 * takes `in-turn`, `one-unit`, or numbers of units separated by spaces. With `machine = pipeline`
 * statements are allowed (pipe_parse.h), `promises` is required, and keys without a meaning for the
 * machine are refused.
 *
 * Ownership: what is loaded lives in the arena given. */
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

/* A promised model pair: the machine shows only states that the pair allows, on tests that are not
 * undefined under it. */
struct mach_promise {
    const char *visibility, *persistency;
};

enum { MACH_MOST_PROMISES = 4 };

struct mach_file {
    const char *name; /* of a built-in, or the file's path */
    const struct source *source;
    const struct machine *machine;
    struct mach_promise promises[MACH_MOST_PROMISES]; /* asked under the first one by default */
    uint32_t promise_count;
    struct mach_config config;
};

#define MACH_CONFIG_ENDS ".machine"
enum { MACH_MOST_STATES = 1 << 30 };

/* Settings for the engine of machines alone (engine_request.own). */
struct mach_choice {
    const struct mach_file *file; /* NULL: the built-in one that promises the model pair */
    uint32_t max_states;          /* the most states kept, up to MACH_MOST_STATES; 0: as memory
                                     allows */
    uint32_t threads;             /* of one exploration; 0: as the request says */
    bool no_reduction;            /* keep every state as it is */
    bool every_step;              /* take every step, even if it leads nowhere new */
};

/* The N-th key of files, from 0; NULL behind the last. mach_placements: words for placements; NULL
 * ends them. */
const char *mach_key_at(size_t number);
extern const char *const mach_placements[];

/* Machines that a file can name; NULL ends the list. Of two that promise the same pair, the one to
 * ask first comes first. Each machine that promises a pair by itself has a built-in file of its
 * name. */
extern const struct machine *const mach_machines[];

/* Built-in machine files, generated from models/machines at build time. */
extern const struct source_builtin mach_builtins[];
extern const size_t mach_builtin_count;

/* The name of the N-th built-in, from 0: those of `mach_machines` first, then by name. Of two that
 * promise the same pair, the one to ask first comes first. NULL behind the last. */
const char *mach_config_name(struct arena *arena, size_t n);
/* Is it the path of a file, with a '/' or ending in ".machine", not a built-in's name? */
bool mach_config_is_path(const char *name);
/* Loads a built-in by its name ("nvw-fifo"), or a file by its path. NULL when there is none or it
 * is malformed; `diag` has the errors. */
const struct mach_file *mach_config_load(struct arena *arena, const char *name, struct diag *diag)
    __attribute__((warn_unused_result));
/* The first built-in that promises a model pair, in the order of mach_config_name; the first of all
 * when none does, or when there is no pair (NULL). */
const struct mach_file *mach_config_promising(struct arena *arena, const char *visibility,
                                              const char *persistency);
/* The faults that the file's machine can have, a bit each; a pipeline's depend on its parts. */
uint64_t mach_file_faults(const struct mach_file *file);
/* The first built-in that promises the persistency model with some visibility model; NULL: none does. */
const struct mach_file *mach_config_persisting(struct arena *arena, const char *persistency);
bool mach_config_is_promised(const char *visibility, const char *persistency);
bool mach_file_promises(const struct mach_file *file, const char *visibility,
                        const char *persistency);
const struct mach_file *mach_config_parse(struct arena *arena, const struct source *source,
                                          struct diag *diag) __attribute__((warn_unused_result));

#endif
