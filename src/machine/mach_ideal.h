/* mach_ideal: a reference without caches: one memory, and an NVRAM that takes the writes to a
 * location in order and those to several in any order. Under a persist barrier the scope waits
 * for each other and until all it wrote or read from is durable. */
#ifndef CRASHLIT_MACH_IDEAL_H
#define CRASHLIT_MACH_IDEAL_H

#include "machine/mach.h"

extern const struct machine mach_ideal_sc;

#endif
