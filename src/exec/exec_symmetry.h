/* exec_symmetry: the symmetry of a program, for symmetry reduction.
 *
 * A renaming is a bijection of threads and one of locations. It is an automorphism of the program
 * when two things hold. The code of the thread that t becomes is that of t with locations renamed
 * (element by element where an index chooses one). And it keeps everything else that events can
 * tell: types, spaces, first values, tags, which threads share scope instances, which locations
 * share a cache line. Registers keep their numbers. A constant may become another one where no read
 * sees it: in values stored to locations that nobody loads or changes by a read-modify-write.
 *
 * Soundness. A skeleton depends on the threads' code alone, so an automorphism maps skeletons to
 * skeletons: paths to paths of the same number, events to events, base sets and relations to
 * themselves. Model files see nothing else. So consistent executions become consistent ones,
 * undefined ones undefined ones, and cuts become cuts. States are renamed with them: the location
 * that l becomes holds what l held. A question about some states needs the automorphisms that keep
 * the question: its stabilizer (engine/stabilizer.h). Recovery needs nothing further: it begins on
 * a crash state, and orbits contain all of these.
 *
 * Only exchanges are found: involutions that swap two units and leave everything else in place. A
 * unit is a tuple of threads with the locations that follow them. Units form a class if any two of
 * them may be exchanged. A unit may contain further classes (work-items of work-groups, work-groups
 * of devices); then each unit of the outer class contains the same ones. Other automorphisms, such
 * as rings, are not looked for.
 *
 * Ownership: everything lives in the arena; immutable. Cost: a bounded number of passes over the
 * code; past the bound no more is found. */
#ifndef CRASHLIT_EXEC_SYMMETRY_H
#define CRASHLIT_EXEC_SYMMETRY_H

#include "base/arena.h"
#include "litmus/lit_program.h"

/* A constant that a unit stores where each other unit of its class stores one of its own. */
struct exec_constant {
    struct lit_address addr; /* without index: any of its elements */
    int64_t value;
};

/* Arrays of units: unit u has `width` entries from u * width on, and likewise for the other arrays.
 * An exchange swaps entries in the same place of two units. */
struct exec_class {
    uint32_t unit_count, width, place_count, constant_count;
    const uint32_t *threads;   /* the first unit's ascend */
    const uint32_t *locations; /* the moved ones */
    const struct exec_constant *constants;
    bool nested; /* inside a unit of another class, or around one */
};

struct exec_symmetry {
    const struct exec_class *classes; /* inner ones before outer ones */
    uint32_t count;
};

struct exec_symmetry exec_symmetry_new(struct arena *arena, const struct lit_program *program);

static inline uint32_t exec_class_thread(const struct exec_class *class, uint32_t unit,
                                         uint32_t place)
{
    BASE_ASSERT(unit < class->unit_count && place < class->width);
    return class->threads[unit * class->width + place];
}

/* Is the location moved by some exchange of the class? */
bool exec_class_moves(const struct exec_class *class, uint32_t location);

/* A swap of two units of a class. */
struct exec_exchange {
    const struct exec_class *class;
    uint32_t a, b;
};

uint32_t exec_exchange_thread(const struct exec_exchange *by, uint32_t thread);
uint32_t exec_exchange_location(const struct exec_exchange *by, uint32_t location);
/* exec_exchange_renames: does the exchange change some values of the location? exec_exchange_value:
 * what a value becomes. */
bool exec_exchange_renames(const struct exec_exchange *by, uint32_t location);
int64_t exec_exchange_value(const struct exec_exchange *by, uint32_t location, int64_t value);

#endif
