/* heap: memory that runs out when a test says so.
 *
 * The unit tests are linked with malloc, calloc, realloc and free wrapped (the Makefile's
 * --wrap), so every allocation of ours is counted, and can fail, without a seam in the program;
 * those within shared libraries are not. Each thread has a heap of its own.
 */
#ifndef CRASHLIT_HEAP_H
#define CRASHLIT_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* From now on the `number`-th allocation fails, from 1, and with `for_good` all that follow; with
 * 0 none. Counting begins anew. */
void heap_fail(unsigned long number, bool for_good);
/* Allocations since then, and how many of them failed. */
unsigned long heap_calls(void);
unsigned long heap_failures(void);
/* Pieces that are allocated and not freed: only differences mean something. */
long heap_live(void);

#endif
