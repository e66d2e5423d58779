/* mach_expand: the steps of some states, as one thread takes them. Private to the explorer.
 *
 * A chunk has states to look at, and gets what their steps lead to, in a fixed order. Threads work
 * on chunks at the same time, each with an expander of its own; what they share (sections of
 * states, values, mishaps) is then read, and sections are added, but no room is made: a chunk that
 * needs some stays undone, and is done again by who is alone.
 */
#ifndef CRASHLIT_MACH_EXPAND_H
#define CRASHLIT_MACH_EXPAND_H

#include "explore/mach_explore.h"
#include "machine/mach_store.h"

enum { MACH_CHUNK = 64 };

/* A mask of actors. */
typedef uint32_t mach_actors;

/* A state to look at; `again`: it was looked at before, with more asleep, and these are awake now.
 */
struct mach_task {
    uint32_t handle;
    mach_actors awake;
    bool again;
};

/* Where a step leads to. */
struct mach_successor {
    struct mach_key key;
    struct mach_step step;
    mach_actors asleep;
    uint32_t next; /* of the chunk and shard, its number; LIT_NONE: the last */
    /* From here on said by who puts it into the store. */
    uint32_t handle;
    mach_actors woken; /* who have to be made up for in that state */
    bool added;
};

struct mach_chunk {
    struct mach_task tasks[MACH_CHUNK];
    uint32_t task_count;
    /* Of each task: where its successors end; what the filter says (enum mach_interest), of those
     * that are not `again`; is no step enabled? */
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
    struct mach_footprint footprints[MACH_MAX_STEPS]; /* where actors sleep */
    uint32_t count;
};

struct mach_expander {
    struct mach_test *test;
    struct mach_store *store;
    const struct mach_limits *limits;
    void *filter;          /* its context */
    bool sleeps;           /* actors do */
    bool alone;            /* makes room */
    struct mach_base base; /* the state that is looked at */
    struct mach_moves moves;
    uint8_t next[MACH_MAX_STATE];
};

/* The chunk is done, unless room is wanting. Alone it ends with the task at which the test
 * overflows. */
void mach_expand(struct mach_expander *expander, struct mach_chunk *chunk);
/* A successor by no step: the first state, in `next`. Alone. */
void mach_expand_start(struct mach_expander *expander, struct mach_chunk *chunk);

#endif
