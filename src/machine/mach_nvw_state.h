/* mach_nvw_state: a state of nvw-fifo: its memory, caches, FIFOs, lines and steps. Private to the
 * machine and to what looks into its states.
 *
 * Bytes of the machine's part: memory (a value a location), the L2 (a value and flags a
 * location), each L1 likewise, the NVW-FIFOs and the L1s' S-FIFOs (a count and entries), writes
 * under way to NVRAM (a count and entries of a line and its words), and what stalls each work-item.
 * Entries of FIFOs are lines, or markers with the number of the work-item that leads its barrier.
 *
 * Cache 0 is the L2, cache 1 + u the L1 of unit u. The L2 is inclusive: it has every line that an
 * L1 has, and all its words are valid. An L1's words are valid one by one. A line is in an L1's
 * S-FIFO while it has a dirty word there (SPB section 3, table 2: writes outstanding since the last
 * release).
 *
 * A bool is false when something has to be waited for; the state is then of no use. The accessors
 * serve reading too: they change nothing.
 */
#ifndef CRASHLIT_MACH_NVW_STATE_H
#define CRASHLIT_MACH_NVW_STATE_H

#include "machine/mach_nvw_layout.h"

enum { NVW_VALID = 1, NVW_DIRTY = 2 }; /* flags of a word */
enum { NVW_MARKER = 0x80, NVW_NOT_WRITTEN = 0xff };

/* Of the leader of a persist barrier, in place of a count of markers: the last has been
 * acknowledged, and the acknowledgement is on its way to the compute units. */
enum { NVW_ACKNOWLEDGED = 0xff };

/* Kinds of steps: X(name, text). RUN, ARRIVE, MARK and UNSTALL have a thread, EVICT a unit and a
 * line, ACK the number of a write under way as its line, the others a unit. The persist barriers'
 * steps of SPB section 6.1: ARRIVE is 1 of wg and kr; MARK is 1 of wi, 2 of the others; then come
 * L1_DEQUEUE, L1_MARKER, L2_DEQUEUE, ACK and L2_MARKER, and UNSTALL is the last. */
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

bool nvw_is_nvm(const struct mach_test *test, uint32_t location);
bool nvw_faulty(const struct mach_test *test, enum mach_fault fault);

uint32_t nvw_size(const struct mach_test *test); /* bytes of the machine's part */
void nvw_start(struct mach_test *test, uint8_t *state);

/* ---- FIFOs ---- */

/* Enters a line or marker. A full FIFO first forces its head out, and has to wait while that is
 * a marker. */
bool nvw_push(const struct mach_test *test, uint8_t *state, uint32_t cache, uint8_t entry);
void nvw_pop(uint8_t *fifo);
bool nvw_has_marker(const uint8_t *fifo);

/* ---- Lines ---- */

/* The locations of a line: `for (struct nvw_words w = nvw_words_of(...); w.at < w.end; w.at++)`. */
struct nvw_words {
    const uint32_t *at, *end;
};

static inline struct nvw_words nvw_words_of(const struct mach_test *test, uint32_t line)
{
    return (struct nvw_words){test->line_words + test->line_begin[line],
                              test->line_words + test->line_begin[line + 1]};
}

/* The flags of a line's words, joined. */
uint8_t nvw_line_flags(const struct mach_test *test, const uint8_t *state, uint32_t cache,
                       uint32_t line);
/* Does a word of the line have the flag? */
bool nvw_line_has(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line,
                  uint8_t flag);
/* The first location of a line. */
uint32_t nvw_line_location(const struct mach_test *test, uint32_t line);
bool nvw_is_full(const struct mach_test *test, uint8_t *state, uint32_t cache);
void nvw_drop_line(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line);
/* Memory as a read finds it: what is under way to it is newer. `location` points into the line's
 * words. */
uint8_t nvw_read_memory(const struct mach_test *test, uint8_t *state, uint32_t line,
                        const uint32_t *location);
/* Makes the words of a line valid, from the level below, but for those that are. */
bool nvw_fill(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line);
/* A word is written in a cache; its line is entered in the NVW-FIFO if it is NVRAM's, and in an
 * L1's S-FIFO. */
bool nvw_write_word(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t location,
                    uint8_t value);
/* An L1's dirty words of a line go to the L2 and stay, clean. One entry in its FIFO. */
bool nvw_write_on(const struct mach_test *test, uint8_t *state, uint32_t unit, uint32_t line);
/* All of an L1 is written on and forgotten. */
bool nvw_invalidate(const struct mach_test *test, uint8_t *state, uint32_t unit);
/* The L2's dirty words of a line go to memory: to DRAM at once, to NVRAM they are under way. With
 * too many under way the oldest is completed. */
void nvw_write_back(const struct mach_test *test, uint8_t *state, uint32_t line);
/* Either of the two, by the cache. */
bool nvw_flush(const struct mach_test *test, uint8_t *state, uint32_t cache, uint32_t line);
/* A write under way reaches the NVRAM. */
bool nvw_complete(const struct mach_test *test, uint8_t *state, uint32_t number);

#endif
