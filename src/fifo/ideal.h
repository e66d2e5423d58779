/* ideal: a reference machine without caches: one memory, and an NVRAM that takes the writes to one
 * location in order, and those to several in any order. At a persist barrier the work-items of the
 * scope wait for each other, and until everything they wrote or read from is durable. */
#ifndef CRASHLIT_IDEAL_H
#define CRASHLIT_IDEAL_H

#include "machine/mach.h"

/* Kinds of steps: X(name, text). The line of PERSIST is the number of a pending write; the others
 * have a thread. */
#define IDEAL_STEPS(X)                     \
    X(RUN, "executes")                     \
    X(LEAVE, "leaves its persist barrier") \
    X(PERSIST, "becomes durable")

enum ideal_step {
#define X(name, text) IDEAL_##name,
    IDEAL_STEPS(X)
#undef X
};

extern const struct machine ideal_sc;

#endif
