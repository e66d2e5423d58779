/* mach_symmetry: symmetry reduction of machines. Of states that exchanges of interchangeable
 * work-items turn into each other it keeps one. Private to the machines.
 *
 * A machine describes the fields of its states (struct mach_layout), and with `rename` of mach.h
 * what a layout cannot say. It does so only if it treats work-items and locations alike, whatever
 * their numbers, as far as anybody can tell; then its steps lead from renamed states to renamed
 * states. An exchange (exec/exec_symmetry.h) is used if it keeps the question
 * (engine/stabilizer.h), the machine's cache lines, who shares a compute unit, and the order of
 * work-items that act in the order of their numbers. Where the machine says that L1s are alike, an
 * L1 moves with the work-items of its unit, and the work-groups of two units are exchanged
 * together; else each L1 stays. A pipeline's instances move with their work-items.
 *
 * It is sound whichever state of an orbit is kept: its runs are the runs of the others, renamed.
 * The units of a class are sorted by their own bytes, then by the state that exchanges of
 * neighbours make. Where that misses the least state of an orbit, several are kept.
 *
 * Ownership: in the arena; immutable. Cost for a sorted state: a comparison of the bytes of
 * neighbouring units, and an exchange for equal ones. */
#ifndef CRASHLIT_MACH_SYMMETRY_H
#define CRASHLIT_MACH_SYMMETRY_H

#include "engine/stabilizer.h"
#include "machine/mach.h"

/* ---- The layout of a state ---- */

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

/* A field that each thing of a kind has, in each of some copies. */
struct mach_field {
    enum mach_thing of;
    enum mach_holds holds;
    uint32_t bytes;
    uint32_t at, stride;    /* thing i's begins at `at` + i * stride */
    const uint32_t *places; /* or at places[i]; LIT_NONE: it has none. NULL: use `stride` */
    uint32_t copies, copy_stride;
    bool cached; /* one copy per cache */
};

enum { MACH_MAX_FIELDS = 16 };

/* Compute units: each stays; or all are alike, and two may be exchanged with all that is theirs and
 * all their work-items; or there are none. */
enum mach_units { MACH_UNITS_STAY, MACH_UNITS_ALIKE, MACH_UNITS_NONE };

/* The layout of the machine's part; work-items' bytes are known. */
struct mach_layout {
    struct mach_field fields[MACH_MAX_FIELDS];
    uint32_t count;
    enum mach_units units;
    const uint64_t *ordered; /* per work-item: those with whom it acts in the order of their
                                numbers, a bit each; NULL: nobody does */
};

void mach_layout_add(struct mach_layout *layout, const struct mach_field *field);

/* ---- An exchange ---- */

enum { MACH_MAX_LOCATIONS = 256 };

struct mach_renaming {
    uint8_t threads[MACH_MAX_THREADS], lines[MACH_MAX_LINES + 1], locations[MACH_MAX_LOCATIONS];
    uint8_t units[MACH_MAX_UNITS];
    const uint8_t *values[MACH_MAX_LOCATIONS]; /* of a location, by number; NULL: unchanged */
    uint64_t moved;                            /* work-items */
};

/* What a value becomes; `location` is the old name. */
static inline uint8_t mach_renamed_value(const struct mach_renaming *by, uint32_t location,
                                         uint8_t number)
{
    return by->values[location] ? by->values[location][number] : number;
}

/* Renames a mask of work-items. */
uint64_t mach_renamed_threads(const struct mach_renaming *by, uint64_t mask);

/* ---- The symmetry of a test ---- */

struct mach_symmetry;

/* NULL when nothing can be exchanged: the machine does not describe its states, or has a fault.
 * Call before the first state is made, as values get their numbers. */
const struct mach_symmetry *mach_symmetry_new(struct arena *arena, struct mach_test *test,
                                              const struct stabilizer *left);

/* Replaces the state by its representative; returns whether it changed. Every exchange of the state
 * must be a state of the machine. */
bool mach_symmetry_settle(const struct mach_symmetry *symmetry, const struct mach_test *test,
                          uint8_t *state);

/* Generators of all exchanges: how many, and what one makes of a state and of a work-item, and so
 * of its code. */
uint32_t mach_symmetry_count(const struct mach_symmetry *symmetry);
void mach_symmetry_exchange(const struct mach_symmetry *symmetry, const struct mach_test *test,
                            uint32_t number, uint8_t *state);
uint32_t mach_symmetry_thread(const struct mach_symmetry *symmetry, uint32_t number,
                              uint32_t thread);

#endif
