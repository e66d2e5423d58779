/* mach_fault: single faults that a machine can be given, to prove that the checks would find them.
 * X(identifier, name, description). A configuration carries a set of faults; each is tested at one
 * place of a machine. bpfs can have the faults of caches and of waiting, too. Faults of tags are
 * only for bpfs and bpfs-no-wait. A pipeline can have those of the blocks in its description. */
#ifndef CRASHLIT_MACH_FAULT_H
#define CRASHLIT_MACH_FAULT_H

#include <stdint.h>

#define NVW_FAULTS(X)                                                                         \
    X(OVERTAKE, "marker-overtakes", "a marker enters a FIFO before its last entry")           \
    X(NOT_DRAINED, "l2-not-drained", "the L2 acknowledges a marker as it arrives")            \
    X(NO_ACK, "acknowledgement-ignored", "stalls end while writes are still under way")       \
    X(WRONG_STALL, "wrong-group-stalled", "a persist barrier stalls everybody but its scope") \
    X(NO_STALL, "no-stall", "a persist barrier stalls nobody")                                \
    X(OVERFLOW, "overflow-drops", "a full FIFO forgets the entry that does not fit")          \
    X(FORCE_DROPS, "forced-head-lost", "a full FIFO forgets its head to make room")           \
    X(EVICT_BYPASS, "eviction-bypasses", "an L1 eviction enters nothing in the L2's FIFO")    \
    X(UNIT_SKIPPED, "unit-skipped", "a wide persist barrier leaves out the last unit")        \
    X(NO_INVALIDATE, "acquire-keeps", "a wide acquire does not invalidate its L1")            \
    X(CLEAN_RELEASE, "release-keeps", "a wide release writes on nothing but clean lines")     \
    X(EARLY_RELEASE, "release-early", "a wide release performs before its S-FIFO is empty")   \
    X(LEFT_BEHIND, "release-leaves-one", "a wide release leaves the S-FIFO's last entry")     \
    X(INCLUSION, "inclusion-drops", "an L2 eviction forgets the L1s' copies of its line")     \
    X(EARLY_ACK, "stall-ends-early", "the first of a wide barrier's markers ends the stall")  \
    X(UNORDERED_LINE, "line-unordered", "write-backs to one line complete in any order")      \
    X(NO_WAIT, "barrier-early", "a persist barrier begins when the first arrives")            \
    X(BARRIER_KEEPS, "meeting-keeps", "a wide execution barrier leaves the L1s alone")

#define BPFS_FAULTS(X)                                                                         \
    X(SCOPE_IGNORED, "scope-ignored", "a tag orders blocks of its own work-item alone")        \
    X(SAME_IDENTIFIER, "identifier-kept", "a persist barrier begins no new identifier")        \
    X(PERSIST_UNORDERED, "tag-ignored", "a block leaves for NVRAM whatever its tag says")      \
    X(TAG_LOST, "tag-lost-below", "a block's tag is lost as it moves from an L1 to the L2")    \
    X(TAG_REPLACED, "tag-replaced", "a write takes its block's tag away instead of adding")    \
    X(EPOCHS_MERGED, "epochs-merged", "a write joins an earlier epoch's block, under its tag") \
    X(READ_UNMARKED, "read-unmarked", "a read leaves no mark for the write after it")          \
    X(DRAM_UNTAGGED, "dram-untagged", "blocks of DRAM carry no tags")                          \
    X(DRAM_LEAVES, "dram-leaves", "a block of DRAM leaves the L2 whatever its tag says")

#define MACH_PIPE_FAULTS(X)                                                                       \
    X(PIPE_ORDER, "order-not-kept", "an entry leaves its stage whatever the stage's order says")  \
    X(PIPE_AWAIT, "await-passes", "await waits for nothing")                                      \
    X(PIPE_OBLIGATION, "obligation-forgotten", "move and drain leave out an entry")               \
    X(PIPE_THROUGH, "through-forgotten", "a store that writes through is not waited for")         \
    X(PIPE_MARK, "mark-lost", "a mark is not made")                                               \
    X(PIPE_HELD, "held-evicted", "an entry of an open transaction leaves where it is held")       \
    X(PIPE_OVERWRITTEN, "committed-overwritten",                                                  \
      "a version merges into one of another transaction")                                         \
    X(PIPE_OLDER_LAST, "older-lands-last", "versions of one location leave in any order")         \
    X(PIPE_DURABLE_LOST, "durable-lost", "a crash loses the first stage behind the durable line") \
    X(PIPE_TORN, "group-torn", "entries of a write set leave one by one")                         \
    X(PIPE_VIEW, "view-early", "a view does not wait")                                            \
    X(PIPE_WINDOW, "window-ignored", "set changes no variable")                                   \
    X(PIPE_ISOLATION, "isolation-broken", "a transaction begins while another goes on")

/* A set of faults as a mask: 0 NVW_FAULTS(MACH_FAULT_BIT). */
#define MACH_FAULT_BIT(identifier, name, text) | UINT64_C(1) << MACH_FAULT_##identifier

#define MACH_FAULTS(X) NVW_FAULTS(X) BPFS_FAULTS(X) MACH_PIPE_FAULTS(X)

enum mach_fault {
#define X(identifier, name, text) MACH_FAULT_##identifier,
    MACH_FAULTS(X)
#undef X
        MACH_FAULT_COUNT
};

/* The number of faults before those of tags, and before those of pipelines. */
#define X(identifier, name, text) +1
enum { NVW_FAULT_COUNT = 0 NVW_FAULTS(X) };
enum { CACHE_FAULT_COUNT = NVW_FAULT_COUNT BPFS_FAULTS(X) };
#undef X

struct mach_fault_entry {
    const char *name, *description;
};

extern const struct mach_fault_entry mach_faults[MACH_FAULT_COUNT];

/* The fault with this name; MACH_FAULT_COUNT: none. */
enum mach_fault mach_fault_find(const char *name);

#endif
