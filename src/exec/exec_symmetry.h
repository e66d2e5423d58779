/* exec_symmetry: the symmetry of a program, for symmetry reduction: which of its parts are
 * interchangeable.
 *
 * A renaming is a bijection of threads and one of locations. It is an automorphism of the program
 * when, for each thread t, the code of the thread that t becomes is that of t with locations
 * renamed (element by element where an index chooses one), and when it keeps all else that the
 * events of an execution can tell: types, spaces, first values, tags, who shares a scope instance
 * with whom, which locations share a cache line. Registers keep their numbers. A constant may
 * become another one where no thread's read sees it: values that are stored to locations which
 * nobody loads, or changes by a read-modify-write.
 *
 * Why that is sound. A skeleton is made of the threads' code alone, so an automorphism maps
 * skeletons to skeletons: paths to the paths of the same number, events to events, base sets and
 * relations to themselves. Model files see nothing else, so consistent executions become
 * consistent ones, undefined ones undefined ones, cuts cuts. States are renamed with them: what
 * location l holds is held by the location that l becomes. Who asks about some states alone keeps
 * those automorphisms that the question cannot tell apart: its stabilizer (engine/stabilizer.h).
 * Recovery is no matter here: it begins on a crash state, and all of these are in the orbits.
 *
 * What is found are exchanges: involutions that swap two units, tuples of threads with the
 * locations that follow them, and leave all else where it is. Units any two of which may be
 * exchanged are a class. A unit may have further classes inside (work-items of work-groups,
 * work-groups of devices), each unit of the outer class then the same ones. Other automorphisms
 * (rings) are not looked for.
 *
 * Ownership: all lives in the arena; immutable. Cost: a bounded number of passes over the code,
 * past which no more is found.
 */
#ifndef CRASHLIT_EXEC_SYMMETRY_H
#define CRASHLIT_EXEC_SYMMETRY_H

#include "base/arena.h"
#include "litmus/lit_program.h"

/* A constant that a unit stores where the others of its class store one of their own. */
struct exec_constant {
    struct lit_address addr; /* without index: any of its elements */
    int64_t value;
};

/* Arrays of units: unit u has the `width` entries from u * width on, and so on. What stands in the
 * same place of two units is exchanged with them. */
struct exec_class {
    uint32_t unit_count, width, place_count, constant_count;
    const uint32_t *threads;   /* of the first unit in ascending order */
    const uint32_t *locations; /* that are moved */
    const struct exec_constant *constants;
    bool nested; /* inside a unit of another class, or with another one inside */
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

/* Two units of a class swap. */
struct exec_exchange {
    const struct exec_class *class;
    uint32_t a, b;
};

uint32_t exec_exchange_thread(const struct exec_exchange *by, uint32_t thread);
uint32_t exec_exchange_location(const struct exec_exchange *by, uint32_t location);
/* Are some values of the location others after the exchange? What one that it holds becomes. */
bool exec_exchange_renames(const struct exec_exchange *by, uint32_t location);
int64_t exec_exchange_value(const struct exec_exchange *by, uint32_t location, int64_t value);

#endif
