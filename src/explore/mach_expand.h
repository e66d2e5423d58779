/* mach_expand: computes the successors of some states in one thread. Private to the explorer.
 *
 * A chunk has states to look at, and receives their successors in a fixed order. Threads work on
 * chunks at the same time, each with its own expander. They share sections of states, values and
 * mishaps: these are read, and sections are added, but no room is made. A chunk that needs room
 * stays undone; one thread alone does it again later. */
#ifndef CRASHLIT_MACH_EXPAND_H
#define CRASHLIT_MACH_EXPAND_H

#include "explore/mach_explore.h"
#include "machine/mach_store.h"

enum { MACH_CHUNK = 64 };

/* A mask of actors. */
typedef uint32_t mach_actors;

/* A state to look at. `again`: it was looked at before with more actors asleep, and only the
 * `awake` ones step now. */
struct mach_task {
    uint32_t handle;
    mach_actors awake;
    bool again;
};

/* A successor. */
struct mach_successor {
    struct mach_key key;
    struct mach_step step;
    mach_actors asleep;
    uint32_t next; /* its number, in the chunk, of the next one in its shard; LIT_NONE: the last */
    /* Filled in when it is put into the store. */
    uint32_t handle;
    mach_actors woken; /* actors whose steps have to be made up for in that state */
    bool added;
};

struct mach_chunk {
    struct mach_task tasks[MACH_CHUNK];
    uint32_t task_count;
    /* Per task: the end of its successors; the filter's answer (enum mach_interest), unless
     * `again`; is no step enabled? */
    uint32_t ends[MACH_CHUNK];
    uint8_t interest[MACH_CHUNK];
    bool final[MACH_CHUNK];
    struct mach_successor *items;
    uint32_t count, capacity;
    uint32_t first[MACH_STORE_SHARDS], last[MACH_STORE_SHARDS], in_shard[MACH_STORE_SHARDS];
    bool done;
};

struct mach_moves {
    struct mach_step steps[MACH_MAX_STEPS];
    struct mach_footprint footprints[MACH_MAX_STEPS]; /* filled when actors may sleep */
    uint32_t count;
};

struct mach_expander {
    struct mach_test *test;
    struct mach_store *store;
    const struct mach_limits *limits;
    void *filter;          /* the filter's context */
    bool sleeps;           /* actors may sleep */
    bool alone;            /* it may make room */
    struct mach_base base; /* the state looked at */
    struct mach_moves moves;
    uint8_t next[MACH_MAX_STATE];
};

/* Does the chunk, unless room is missing. Alone it stops at the task where the test overflows. */
void mach_expand(struct mach_expander *expander, struct mach_chunk *chunk);
/* Puts the first state, in `next`, into the chunk as a successor without a step. Alone. */
void mach_expand_start(struct mach_expander *expander, struct mach_chunk *chunk);

#endif
