/* bpfs_state: a state of the machines bpfs and bpfs-no-wait: caches, and the tags of their
 * blocks. Private to the machines and to what looks into their states.
 *
 * SPB tags a block with the identifier of a persist barrier and its scope, which serve to compare:
 * whose content has to be durable before whose. Identifiers grow without end. The state holds the
 * outcome of the comparison instead: the set of the dirty blocks that have to be durable no
 * later than the one tagged. A block leaves all sets when it becomes durable, so sets are as finite
 * as caches are, and states that differ in the numbering alone are one state.
 *
 * A *block* here is the dirty content of one line of NVRAM in one cache (cache.h). Lines of
 * the L2 are whole; those of L1s may lack words that nobody read. Lines of DRAM carry tags too (a
 * flag hands the order on) but are no members of sets.
 *
 * Kept are, per line of a cache, WRITTEN: the set of its last write, and SEEN: of the
 * reads since; per work-item, PAST: of all it did, and BEFORE: what persist barriers put before
 * what it does next. They are what is before an event in pmo (docs/models/semantics.md), itself
 * included.
 *
 * A block has one version. What is written to the line of a dirty block joins it, unless a persist
 * barrier puts it behind that content, or a block that waits for that content is waited for in its
 * turn: then the older content has to go on first. So the order has no cycle, and some block
 * can always leave: see `reach`.
 *
 * A bool is false when something has to be waited for; the state is then of no use. Costs are of
 * the sets in a state, where it is not said otherwise.
 */
#ifndef CRASHLIT_BPFS_STATE_H
#define CRASHLIT_BPFS_STATE_H

#include "fifo/cache.h"

/* Kinds of steps: X(name, text). RUN has a thread, the others a line, those of an L1 a unit. */
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

/* Lines in NVRAM times caches; a test with more overflows. */
enum { BPFS_MAX_BLOCKS = 64 };

/* Bit cache * (lines in NVRAM) + number of the line among these. */
typedef uint64_t bpfs_blocks;

enum bpfs_tag { BPFS_WRITTEN, BPFS_SEEN };
enum bpfs_order { BPFS_BEFORE, BPFS_PAST };

/* ---- Where things stand ---- */

uint32_t bpfs_size(struct mach_test *test, struct arena *arena); /* bytes of the machine's part */
/* For `start`: a test with too many blocks overflows. */
void bpfs_start(struct mach_test *test, uint8_t *state);

/* Empty for a line of DRAM. */
bpfs_blocks bpfs_block(const struct mach_test *test, uint32_t cache, uint32_t line);
bpfs_blocks bpfs_tag_of(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                        uint32_t line, enum bpfs_tag which);
bpfs_blocks bpfs_order_of(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                          enum bpfs_order which);
void bpfs_set_order(const struct mach_test *test, uint8_t *state, uint32_t thread,
                    enum bpfs_order which, bpfs_blocks set);

/* ---- Lines ---- */

/* A work-item reads a location in a cache, which gets the words of its line that it lacks. The
 * value is then there. */
bool bpfs_read(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t cache,
               uint32_t location);
/* A work-item writes a word in a cache; an L1 gets the line's tags from the L2, and no words. */
bool bpfs_write(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t cache,
                uint32_t location, uint8_t value);
/* An L1's line goes to the L2, tags and dirty words, and stays, clean. */
bool bpfs_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line);
/* The same, after which the L1 does not have it any more. */
bool bpfs_drop(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line);
/* All lines of an L1. */
bool bpfs_write_all_on(const struct mach_test *test, uint8_t *state, uint32_t unit);
bool bpfs_invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit);

/* A dirty block of the L2 that waits for no other. */
bool bpfs_may_persist(const struct mach_test *test, const uint8_t *state, uint32_t line);
/* Its words become durable and stay, clean; the sets forget it. */
void bpfs_persist(const struct mach_test *test, uint8_t *state, uint32_t line);
/* May the L2 give a line up: nothing of it has to be durable first, and no tag would be lost? */
bool bpfs_may_leave(const struct mach_test *test, const uint8_t *state, uint32_t line);
void bpfs_leave(const struct mach_test *test, uint8_t *state, uint32_t line);

/* ---- For struct machine: what states are made of; what a state holds, and what a step does
 * (bpfs_view.c) ---- */

bool bpfs_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout);
void bpfs_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view);
void bpfs_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
               struct mach_view *view);

#endif
