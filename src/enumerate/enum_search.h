/* enum_search: the choice of rf and co over one skeleton. Private to the enumerator. */
#ifndef CRASHLIT_ENUM_SEARCH_H
#define CRASHLIT_ENUM_SEARCH_H

#include "engine/engine.h"

#include <time.h>

/* What lasts over all skeletons of one request. */
struct enum_state {
    const struct engine_request *request;
    struct outcome *outcome;
    struct exec_run_options options;
    struct arena paths;   /* the threads' paths */
    uint32_t path_events; /* kept of them */
    struct arena scratch; /* one skeleton; rewound after it */
    const int64_t *constants; /* of the test: where self-justifying values are tried */
    uint32_t constant_count;
    struct timespec started;
    uint32_t ticks;
    bool stopped;
};

/* A word of a bound before it was changed, to go back to. */
struct enum_change {
    rel_word *word;
    rel_word old;
};

enum enum_bound { ENUM_LOWER, ENUM_UPPER };

struct enum_search {
    struct enum_state *state;
    const struct exec_skeleton *skeleton;
    struct cat_eval *eval;
    struct rel_dim dim;
    rel_word *rf[2], *co[2], *fr[2]; /* lower and upper bounds */
    rel_word *unordered;             /* room for one set */
    uint32_t *source;                /* per event: the write a read reads, LIT_NONE */
    int64_t *values;                 /* per read, skeleton's value numbering */
    bool *known;
    VEC(struct enum_change) changes;
    VEC(uint32_t) learned;           /* value numbers in the order they became known */
    int64_t *row;                    /* room for one state */
};

/* Looks at the clock now and then; once the limit has passed the search is stopped. */
bool enum_out_of_time(struct enum_state *state);

/* Tries every witness over the skeleton. */
void enum_search_skeleton(struct enum_state *state, const struct exec_skeleton *skeleton);

/* A complete witness with all values known that passed the model's checks. */
void enum_leaf(struct enum_search *search);

/* Where a read's value stands in `values` and `known`. */
uint32_t enum_value_number(const struct enum_search *search, uint32_t read);
/* Passes values along rf until nothing more becomes known. */
void enum_learn_values(struct enum_search *search);
/* Forgets all but the first `count` values learned. */
void enum_forget_values(struct enum_search *search, size_t count);
/* Does no path rely on a constraint that the known values break? */
bool enum_constraints_hold(const struct enum_search *search);

/* What the reads of thread t return, as far as known. */
struct exec_reads enum_reads_of(const struct enum_search *search, uint32_t thread);
/* The value of a write event; false when it depends on an unknown read. */
bool enum_write_value(const struct enum_search *search, uint32_t event, int64_t *value);
/* The coherence-latest write of a location, LIT_NONE when it is never accessed. */
uint32_t enum_latest_write(const struct enum_search *search, uint32_t location);

#endif
