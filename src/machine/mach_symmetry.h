/* mach_symmetry: symmetry reduction of machines. Of states that exchanges of interchangeable
 * work-items turn into each other one is kept. Private to the machines.
 *
 * A machine says what the parts of its states are of (struct mach_layout), and, with `rename` of
 * mach.h, what they name where a layout cannot say it; it does so where it treats work-items and
 * locations alike, whatever their numbers are, but for what nobody can tell: its steps then lead
 * from renamed states to renamed states. An exchange (exec/exec_symmetry.h) is used that keeps what
 * is asked (engine/stabilizer.h), the machine's cache lines, who shares a compute unit, and the
 * order of those who do something in the order of their numbers. Where the machine says that L1s
 * are alike, one goes with the work-items of its unit, and work-groups of two units change places
 * together; else each L1 stays where it is. A pipeline's instances go with their work-items.
 *
 * Sound, whichever state of an orbit is kept: its runs are the runs of the others, renamed. The
 * units of a class are sorted by the bytes of their own, then by what becomes of the state when
 * neighbours are exchanged. Where that misses the least state of an orbit, more than one is kept.
 *
 * Ownership: in the arena; immutable. Cost of a state that is in order: a comparison of the bytes
 * of neighbouring units, and for those that are equal an exchange.
 */
#ifndef CRASHLIT_MACH_SYMMETRY_H
#define CRASHLIT_MACH_SYMMETRY_H

#include "engine/stabilizer.h"
#include "machine/mach.h"

/* ---- What a state is made of ---- */

enum mach_thing { MACH_OF_NOBODY, MACH_OF_THREAD, MACH_OF_LOCATION, MACH_OF_LINE, MACH_OF_UNIT };

/* What a field holds: bytes that name nothing; a value of its location; names that `rename` of
 * mach.h changes; 1 + a work-item, or 0; a mask of work-items; a mask of the lines in NVRAM, once
 * for each cache. Masks are in the order of the machine's bytes. */
enum mach_holds {
    MACH_HOLDS_BYTES,
    MACH_HOLDS_VALUE,
    MACH_HOLDS_NAMES,
    MACH_HOLDS_THREAD,
    MACH_HOLDS_THREADS,
    MACH_HOLDS_LINES
};

/* One field of each thing, in each of some copies. */
struct mach_field {
    enum mach_thing of;
    enum mach_holds holds;
    uint32_t bytes;
    uint32_t at, stride;    /* that of thing i begins at `at` + i * stride */
    const uint32_t *places; /* or there; LIT_NONE: it has none. NULL: as `stride` says */
    uint32_t copies, copy_stride;
    bool cached; /* the copies are of the caches */
};

enum { MACH_MAX_FIELDS = 16 };

/* What compute units are to the machine: each stays what it is; all are alike, and one may change
 * places with another, with what is of it and all its work-items; or there are none. */
enum mach_units { MACH_UNITS_STAY, MACH_UNITS_ALIKE, MACH_UNITS_NONE };

/* Of the machine's part; what stands before it is known. */
struct mach_layout {
    struct mach_field fields[MACH_MAX_FIELDS];
    uint32_t count;
    enum mach_units units;
    const uint64_t *ordered; /* by work-item: those with whom it does something in the order of
                                their numbers, a bit each; NULL: nobody does */
};

void mach_layout_add(struct mach_layout *layout, const struct mach_field *field);

/* ---- An exchange ---- */

enum { MACH_MAX_LOCATIONS = 256 };

struct mach_renaming {
    uint8_t threads[MACH_MAX_THREADS], lines[MACH_MAX_LINES + 1], locations[MACH_MAX_LOCATIONS];
    uint8_t units[MACH_MAX_UNITS];
    const uint8_t *values[MACH_MAX_LOCATIONS]; /* of a location, by number; NULL: they stay */
    uint64_t moved;                            /* work-items */
};

/* What a value of the location, as it was called before, becomes. */
static inline uint8_t mach_renamed_value(const struct mach_renaming *by, uint32_t location,
                                         uint8_t number)
{
    return by->values[location] ? by->values[location][number] : number;
}

/* A mask of work-items. */
uint64_t mach_renamed_threads(const struct mach_renaming *by, uint64_t mask);

/* ---- A test's ---- */

struct mach_symmetry;

/* NULL when there is nothing to be exchanged: the machine does not say what its states are made of,
 * or has a fault. Before the first state is made, as values get their numbers. */
const struct mach_symmetry *mach_symmetry_new(struct arena *arena, struct mach_test *test,
                                              const struct stabilizer *left);

/* Whether the state, of which all exchanges are states of the machine, is another one now. */
bool mach_symmetry_settle(const struct mach_symmetry *symmetry, const struct mach_test *test,
                          uint8_t *state);

/* Exchanges of which all others are made: how many, and what one makes of a state, of a work-item,
 * which stands for the code of the same work-item too. */
uint32_t mach_symmetry_count(const struct mach_symmetry *symmetry);
void mach_symmetry_exchange(const struct mach_symmetry *symmetry, const struct mach_test *test,
                            uint32_t number, uint8_t *state);
uint32_t mach_symmetry_thread(const struct mach_symmetry *symmetry, uint32_t number,
                              uint32_t thread);

#endif
