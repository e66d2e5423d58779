/* bpfs_state: a state of the machines bpfs and bpfs-no-wait: caches, and the tags of their blocks.
 * Private to the machines and their views.
 *
 * SPB tags a block with the identifier of a persist barrier and its scope. Comparing these tells
 * whose content has to be durable before whose. Identifiers grow without end, so the state keeps
 * the outcome of the comparison: the set of dirty blocks that have to be durable no later than the
 * tagged one. A block leaves all sets when it becomes durable. So sets are as finite as caches are,
 * and states that differ only in the numbering are one state.
 *
 * A *block* is the dirty content of one line of NVRAM in one cache (cache.h). Lines of the L2 are
 * whole; those of L1s may lack words that nobody read. Lines of DRAM carry tags too (a flag hands
 * the order on) but are no members of sets.
 *
 * Four kinds of sets are kept. Per line of a cache, WRITTEN: the set of its last write, and SEEN:
 * of the reads since. Per work-item, PAST: of all it did, and BEFORE: what persist barriers put
 * before what it does next. A set has what is before an event in pmo (docs/models/semantics.md),
 * itself included.
 *
 * A block has one version. A write to the line of a dirty block joins that block, with two
 * exceptions: a persist barrier puts it behind that content; or a block that waits for that content
 * is waited for by the write. Then the older content has to go on first. So the order has no cycle,
 * and some block can always leave: see `reach`.
 *
 * A function of type bool returns false when something has to be waited for; the state is then
 * unusable. Unless said otherwise, costs are in the size of a state's sets. */
#ifndef CRASHLIT_BPFS_STATE_H
#define CRASHLIT_BPFS_STATE_H

#include "fifo/cache.h"

/* Kinds of steps: X(name, text). RUN has a thread, the others a line; those of an L1 also a
 * unit. */
#define BPFS_STEPS(X)            \
    X(RUN, "executes")           \
    X(WRITE_ON, "L1 writes on")  \
    X(DROP, "L1 drops")          \
    X(PERSIST, "L2 writes back") \
    X(LEAVE, "L2 drops")

enum bpfs_step {
#define X(name, text) BPFS_##name,
    BPFS_STEPS(X)
#undef X
};

/* The most lines in NVRAM times caches; a test with more overflows. */
enum { BPFS_MAX_BLOCKS = 64 };

/* A set of blocks: bit cache * (lines in NVRAM) + the line's number among these. */
typedef uint64_t bpfs_blocks;

enum bpfs_tag { BPFS_WRITTEN, BPFS_SEEN };
enum bpfs_order { BPFS_BEFORE, BPFS_PAST };

/* ---- Where things stand ---- */

uint32_t bpfs_size(struct mach_test *test, struct arena *arena); /* bytes of the machine's part */
/* `start` of struct machine: a test with too many blocks overflows. */
void bpfs_start(struct mach_test *test, uint8_t *state);

/* The set of one block; empty for a line of DRAM. */
bpfs_blocks bpfs_block(const struct mach_test *test, uint32_t cache, uint32_t line);
bpfs_blocks bpfs_tag_of(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                        uint32_t line, enum bpfs_tag which);
bpfs_blocks bpfs_order_of(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                          enum bpfs_order which);
void bpfs_set_order(const struct mach_test *test, uint8_t *state, uint32_t thread,
                    enum bpfs_order which, bpfs_blocks set);

/* ---- Lines ---- */

/* Makes a location readable for a work-item in a cache: the cache gets the missing words of its
 * line, and then has the value. */
bool bpfs_read(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t cache,
               uint32_t location);
/* A work-item writes a word in a cache; an L1 gets the line's tags from the L2, and no words. */
bool bpfs_write(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t cache,
                uint32_t location, uint8_t value);
/* Writes an L1's line on: tags and dirty words go to the L2; the line stays, clean. */
bool bpfs_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line);
/* As bpfs_write_on; then the L1 drops the line. */
bool bpfs_drop(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line);
/* The same for all lines of an L1. */
bool bpfs_write_all_on(const struct mach_test *test, uint8_t *state, uint32_t unit);
bool bpfs_invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit);

/* Is it a dirty block of the L2 that waits for no other? */
bool bpfs_may_persist(const struct mach_test *test, const uint8_t *state, uint32_t line);
/* Makes the block's words durable; they stay, clean, and all sets forget the block. */
void bpfs_persist(const struct mach_test *test, uint8_t *state, uint32_t line);
/* May the L2 drop a line? Nothing of it may have to be durable first, and no tag may be lost. */
bool bpfs_may_leave(const struct mach_test *test, const uint8_t *state, uint32_t line);
void bpfs_leave(const struct mach_test *test, uint8_t *state, uint32_t line);

/* ---- For struct machine: the layout of states; what a state holds, and what a step does
 * (bpfs_view.c) ---- */

bool bpfs_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout);
void bpfs_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view);
void bpfs_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
               struct mach_view *view);

#endif
