/* waits: loops that a work-item never gets past, in whatever execution.
 *
 * That is asked of a program of its own: behind each loop that may wait, and at the end, the
 * work-item notes in a register that it got past. A crash condition for each loop asks whether a
 * crash may come then. Loops that come behind such a one, or that it stands in, are none, as it is
 * the first that holds the work-item up. */
#ifndef CRASHLIT_WAITS_H
#define CRASHLIT_WAITS_H

#include "litmus/lit_program.h"

struct wait {
    uint32_t thread;
    const struct lit_instr *await; /* of the program whose loops these are */
};

struct waits {
    const struct wait *items;
    uint32_t count;
    const bool *concern; /* per condition of the test: it is about what comes behind one; NULL: not
                            looked at */
};

/* All loops that may wait: where one AWAIT stands. In the arena. */
struct waits waits_find(struct arena *arena, const struct lit_program *program);
/* The program whose condition i is met when some execution gets past loop i of `all`. It has no
 * recovery, and nothing else is asked. In the arena, but for what it borrows. */
struct lit_program waits_question(struct arena *arena, const struct lit_program *program,
                                  const struct waits *all);
/* Those of `all` that are never left and that no other such one comes before or stands in. A
 * condition is about what comes behind them if that stores to what it names, or to what decides, by
 * reads of other work-items, what is stored there; on final states and on what recovery makes of
 * such a location it is in any case. */
struct waits waits_first(struct arena *arena, const struct lit_program *program,
                         const struct waits *all, const bool *never);

#endif
