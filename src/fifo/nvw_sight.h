/* nvw_sight: properties of a state that the normal forms of nvw-fifo ask for (nvw_reduce.c),
 * computed once a state. Private to the machine.
 *
 * Cost of one: work-items times lines, and units times lines. */
#ifndef CRASHLIT_NVW_SIGHT_H
#define CRASHLIT_NVW_SIGHT_H

#include "fifo/nvw_state.h"
#include "machine/mach_reduce.h"

/* Sets of units are masks. */
struct nvw_sight {
    struct mach_test *test;
    uint8_t *state;
    uint32_t lines, units;
    /* By line: units with an unfinished work-item that may still read it, or write it; units whose
     * L1 has a word of it, or a dirty one. */
    uint8_t readers[MACH_MAX_LINES], writers[MACH_MAX_LINES];
    uint8_t valid[MACH_MAX_LINES], dirty[MACH_MAX_LINES];
    uint8_t narrow; /* units with a work-item that may still execute a persist barrier of at most a
                       group */
    bool wide;      /* some work-item may still execute a wider one */
    bool roomy;     /* caches and S-FIFOs are so large that no line is forced out */
    /* The most that may still come: writes to NVRAM and markers by unit, and writes before the next
     * marker. */
    uint32_t nv_writes[MACH_MAX_UNITS], markers[MACH_MAX_UNITS], epoch_writes;
};

static inline uint8_t nvw_unit_bit(uint32_t unit)
{
    return (uint8_t)(1u << unit);
}

/* Computes the sight of a state. The state stays the caller's, who may change it, and then must
 * update what the sight has of caches. */
void nvw_see(struct nvw_sight *sight, struct mach_test *test, uint8_t *state);
/* Counts what may come, and finds whether there is room, without the work-items of a mask. */
void nvw_count(struct nvw_sight *sight, uint64_t without);

/* Has the FIFO room for more entries than can come? Then its size does not matter. */
bool nvw_l1_is_long(const struct nvw_sight *sight, uint32_t unit);
bool nvw_l2_is_long(const struct nvw_sight *sight);
/* Does an L1, apart from its own writes, have the same words as the level below? */
bool nvw_is_current(const struct nvw_sight *sight, uint32_t unit, uint32_t line);

/* Executes instructions of work-items that concern nobody else, without their markers
 * (nvw_apart.c). Returns whether there was one. */
bool nvw_run_apart(struct nvw_sight *sight);

#endif
