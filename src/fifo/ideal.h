/* ideal: a reference without caches: one memory, and an NVRAM that takes the writes to a
 * location in order and those to several in any order. Under a persist barrier the scope waits
 * for each other and until all it wrote or read from is durable. */
#ifndef CRASHLIT_IDEAL_H
#define CRASHLIT_IDEAL_H

#include "machine/mach.h"

/* Kinds of steps: X(name, text). PERSIST has the number of a pending write as its line, the others
 * a thread. */
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
