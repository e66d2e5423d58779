/* waits: loops that a work-item never gets past, in whatever execution.
 *
 * That is asked of a program of its own for each loop that may wait: where the ways into and out of
 * the loop lead, the work-item notes in registers that it came to the loop and that it left it. Two
 * crash conditions ask whether a crash may come then. A loop whose ways out all lead out of
 * another such one, as of one that stands in it, is none: it is the other one that holds the
 * work-item up. */
#ifndef CRASHLIT_WAITS_H
#define CRASHLIT_WAITS_H

#include "litmus/lit_program.h"

struct wait {
    uint32_t thread;
    const struct lit_instr *await; /* of the program whose loops these are */
    const bool *inside; /* per place, and the end: the loop's code, which comes back to its
                                      top */
    const bool *keeps;  /* per condition of the test: that loop alone keeps away what the condition
                          names; NULL: not looked at */
};

struct waits {
    const struct wait *items;
    uint32_t count;
    const bool *const *behind; /* per work-item and place: every way there leads out of one of the
                                  loops; NULL: not looked at */
    const bool *concern; /* per condition of the test: it is about what comes behind one; NULL: not
                            looked at */
};

/* All loops that may wait: where one AWAIT stands. In the arena. */
struct waits waits_find(struct arena *arena, const struct lit_program *program);
/* The program that has two conditions: one is met when some execution comes to the loop, the other
 * when one leaves it; no condition where that is NULL. It has no recovery, and nothing else is
 * asked. In the arena, but for what it borrows. */
struct lit_program waits_question(struct arena *arena, const struct lit_program *program,
                                  const struct wait *loop);
/* Those of `all` that are come to, but `never` left, and held up by no other such one. A condition
 * is about what comes behind them if that stores to what it names, or to what decides, by reads of
 * other work-items, what is stored there; on final states and on what recovery makes of such a
 * location it is in any case; but a program that is its own recovery may leave them then. */
struct waits waits_first(struct arena *arena, const struct lit_program *program,
                         const struct waits *all, const bool *never);

#endif
