/* mach_bpfs: SPB's alternative implementation (end of section 6.1): no NVW-FIFOs; a cache block
 * carries which persist barriers it stands behind, and is written back to NVRAM only after what
 * these put before it. Nobody stalls until something is durable.
 *
 * `mach_bpfs` waits at a barrier wider than a work-item until the work-items of its scope have
 * arrived, and realises buffered-epoch; `mach_bpfs_no_wait` lets each go on, and realises
 * buffered-epoch-individual.
 *
 * The caches are one coherent memory here. What must be durable before a block is the same wherever
 * the block waits, and the runs of a test that is not undefined are sequentially consistent, so L1s
 * would change one thing: each level could hold a version of a block, and here it has one. Of
 * undefined tests the sequentially consistent runs are shown and no others. `evict` and the
 * sizes of caches and FIFOs do not concern it: a block may be written back at any time unless
 * its order forbids.
 */
#ifndef CRASHLIT_MACH_BPFS_H
#define CRASHLIT_MACH_BPFS_H

#include "machine/mach.h"

/* A test with more lines in NVRAM overflows. */
enum { MACH_BPFS_LINES = 64 };

extern const struct machine mach_bpfs, mach_bpfs_no_wait;

#endif
