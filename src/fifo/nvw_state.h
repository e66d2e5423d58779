/* nvw_state: a state of nvw-fifo: its caches, FIFOs, lines and steps. Private to the machine and
 * its views.
 *
 * Bytes behind those of cache.h: the NVW-FIFOs and the L1s' S-FIFOs (a count and entries); writes
 * under way to NVRAM (a count and entries of a line and its words); what stalls each work-item.
 * Entries of FIFOs are lines, or markers with the number of the work-item that leads its barrier.
 *
 * A line of the L2 is whole. A line is in an L1's S-FIFO while it has a dirty word there (SPB
 * section 3, table 2: writes outstanding since the last release).
 *
 * A function of type bool returns false when something has to be waited for; the state is then
 * unusable. Functions named _at give offsets in a state. Accessors serve reading too, as mach_line
 * does. */
#ifndef CRASHLIT_NVW_STATE_H
#define CRASHLIT_NVW_STATE_H

#include "fifo/cache.h"

enum { NVW_MARKER = 0x80, NVW_NOT_WRITTEN = 0xff };

/* For the leader of a persist barrier, in place of a count of markers: the last one was
 * acknowledged, and the acknowledgement is on its way to the compute units. */
enum { NVW_ACKNOWLEDGED = 0xff };

/* The most writes under way to NVRAM; see also nvw_way_room. */
enum { NVW_MOST_UNDER_WAY = 4 };

/* Kinds of steps: X(name, text). RUN, ARRIVE, MARK and UNSTALL have a thread, EVICT a unit and a
 * line, the others a unit; the line of ACK is the number of a write under way. The persist
 * barriers' steps of SPB section 6.1: ARRIVE is 1 of wg and kr; MARK is 1 of wi, 2 of the others;
 * then come L1_DEQUEUE, L1_MARKER, L2_DEQUEUE, ACK and L2_MARKER; UNSTALL is the last. */
#define NVW_STEPS(X)                                    \
    X(RUN, "executes")                                  \
    X(ARRIVE, "arrives at its barrier")                 \
    X(MARK, "appends its p_flush marker and stalls")    \
    X(SFIFO_DEQUEUE, "L1 S-FIFO writes its head on")    \
    X(L1_DEQUEUE, "L1 FIFO flushes its head")           \
    X(L1_MARKER, "L1 FIFO passes the marker on")        \
    X(L2_DEQUEUE, "L2 FIFO writes its head back")       \
    X(L2_MARKER, "L2 acknowledges the marker")          \
    X(UNSTALL, "hears the acknowledgement and goes on") \
    X(ACK, "NVRAM completes a write-back")              \
    X(L1_EVICT, "L1 evicts")                            \
    X(L2_EVICT, "L2 evicts")

enum nvw_step {
#define X(name, text) NVW_##name,
    NVW_STEPS(X)
#undef X
};

uint32_t nvw_size(struct mach_test *test, struct arena *arena); /* bytes of the machine's part */

/* ---- Where things stand: inline, as every step asks several times ---- */

/* The room of a FIFO. The L2's may be enlarged so that none of its entries is forced out, in normal
 * forms of tests that use one unit, where no more entries come than fit. That shows nothing new.
 * What a full L1's FIFO forces out could be evicted before. Forced into the L2, it is where no
 * other unit looks, not durable yet, and ahead of the same markers as before. A marker at the head
 * could have moved on. */
static inline uint32_t nvw_fifo_size(const struct mach_test *test, uint32_t cache)
{
    if (test->future)
        return cache == MACH_L2 ? test->caches.l2_fifo_room : test->caches.l1_fifo_room;
    return cache == MACH_L2 ? test->config.l2_fifo : test->config.l1_fifo;
}

/* The room of an S-FIFO, likewise. */
static inline uint32_t nvw_sfifo_size(const struct mach_test *test)
{
    uint32_t size = test->future ? test->caches.sfifo_room : test->config.l1_sfifo;
    return size < test->line_count ? size : test->line_count;
}

static inline uint32_t nvw_way_bytes(const struct mach_test *test)
{
    return 1 + test->config.line_words;
}

static inline uint32_t nvw_fifo_at(const struct mach_test *test, uint32_t cache)
{
    uint32_t first = test->caches.end;
    return cache == MACH_L2 ? first
                            : first + 1 + test->caches.l2_fifo_room +
                                  (cache - 1) * (1 + test->caches.l1_fifo_room);
}

static inline uint32_t nvw_sfifo_at(const struct mach_test *test, uint32_t unit)
{
    BASE_ASSERT(unit <= test->config.units); /* behind the last one stands what follows them */
    return nvw_fifo_at(test, 1 + test->config.units) + unit * (1 + test->caches.sfifo_room);
}

static inline uint32_t nvw_way_at(const struct mach_test *test)
{
    return nvw_sfifo_at(test, test->config.units);
}

/* The most writes under way. Normal forms of some tests allow more than NVW_MOST_UNDER_WAY, if that
 * shows nothing new: any line may be evicted at any time, each line of NVRAM belongs to one unit
 * alone, and the L2's FIFO forces nothing out. A run with more under way shows what a run shows in
 * which each write leaves the L2 when it completes. It may leave by an eviction, as then a copy in
 * an L1 is what the L2 has. */
static inline uint32_t nvw_way_room(const struct mach_test *test)
{
    return test->future ? test->caches.way_room : NVW_MOST_UNDER_WAY;
}

static inline uint32_t nvw_stalls_at(const struct mach_test *test)
{
    return nvw_way_at(test) + 1 + test->caches.way_room * nvw_way_bytes(test);
}

static inline uint8_t *nvw_bytes_at(const uint8_t *state, uint32_t at)
{
    return (uint8_t *)(uintptr_t)(state + at);
}

/* A count, then the entries, oldest first. */
static inline uint8_t *nvw_fifo_of(const struct mach_test *test, const uint8_t *state,
                                   uint32_t cache)
{
    return nvw_bytes_at(state, nvw_fifo_at(test, cache));
}

/* A count, then the lines, oldest first. */
static inline uint8_t *nvw_sfifo_of(const struct mach_test *test, const uint8_t *state,
                                    uint32_t unit)
{
    return nvw_bytes_at(state, nvw_sfifo_at(test, unit));
}

/* A count, then entries of nvw_way_bytes: a line and the value numbers of its words, or
 * NVW_NOT_WRITTEN. */
static inline uint8_t *nvw_under_way(const struct mach_test *test, const uint8_t *state)
{
    return nvw_bytes_at(state, nvw_way_at(test));
}

static inline uint8_t *nvw_write_under_way(const struct mach_test *test, const uint8_t *state,
                                           uint32_t number)
{
    return nvw_under_way(test, state) + 1 + number * nvw_way_bytes(test);
}

/* Two bytes a work-item: 1 + the leader of the barrier that stalls it; for the leader the number of
 * markers still on their way, or NVW_ACKNOWLEDGED. */
static inline uint8_t *nvw_stalls(const struct mach_test *test, const uint8_t *state)
{
    return nvw_bytes_at(state, nvw_stalls_at(test));
}

/* ---- FIFOs ---- */

/* Enters a line or marker. A full FIFO first forces its head out; it has to wait while the head is
 * a marker. */
bool nvw_push(const struct mach_test *test, uint8_t *state, uint32_t cache, uint8_t entry);
void nvw_remove_at(uint8_t *fifo, uint32_t number);
void nvw_pop(uint8_t *fifo);
bool nvw_has_marker(const uint8_t *fifo);

/* ---- Lines ---- */

/* The value of a word in memory as a read finds it: a write under way to it is newer. */
uint8_t nvw_read_memory(const struct mach_test *test, const uint8_t *state, uint32_t line,
                        uint32_t word);
/* Fills a line from the level below: its words become valid, valid ones stay. */
bool nvw_fill(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line);
/* Writes a word in a cache. The line enters the NVW-FIFO if it is NVRAM's, and an L1's S-FIFO. */
bool nvw_write_word(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t location,
                    uint8_t value);
/* Writes an L1's dirty words of a line on to the L2; they stay, clean. The line enters the L2's
 * FIFO once. */
bool nvw_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line);
/* Drops an L1's line, with nothing of it outstanding any more. */
void nvw_drop_copy(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line);
/* Writes all of an L1 on, what is outstanding longest first, and empties it. */
bool nvw_invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit);
/* Writes the L2's dirty words of a line back: to DRAM at once; to NVRAM they are under way. With
 * too many under way the oldest completes. */
void nvw_write_back(const struct mach_test *test, uint8_t *state, uint32_t line);
/* nvw_write_on or nvw_write_back, by the cache. */
bool nvw_flush(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line);
/* Completes a write under way: it reaches the NVRAM. */
bool nvw_complete(const struct mach_test *test, uint8_t *state, uint32_t number);

/* ---- For struct machine ---- */

/* Brings a state to its normal form (nvw_reduce.c). Does nothing when the machine has a fault, or
 * does not evict. */
void nvw_reduce(struct mach_test *test, uint8_t *state);
bool nvw_describe(const struct mach_test *test, struct arena *arena, struct mach_layout *layout);
void nvw_rename(const struct mach_test *test, uint8_t *state, const struct mach_renaming *by);
/* What a state holds, and what a step does (nvw_view.c). */
void nvw_view(const struct mach_test *test, const uint8_t *state, struct mach_view *view);
void nvw_tell(const struct mach_test *test, const uint8_t *state, struct mach_step step,
              struct mach_view *view);

#endif
