/* mach_bpfs: SPB's alternative implementation (end of section 6.1): no NVW-FIFOs; a cache block
 * carries which persist barriers it stands behind, and is written back to NVRAM only after what
 * these put before it. Nobody stalls until something is durable.
 *
 * `mach_bpfs` waits at a barrier wider than a work-item until the work-items of its scope have
 * arrived, and realises buffered-epoch; `mach_bpfs_no_wait` lets each go on, and realises
 * buffered-epoch-individual.
 *
 * The caches are one coherent memory here: of tests that are not undefined, the machine shows at
 * least what it would with private L1s (docs/machines.md says why). Of undefined ones it shows
 * the sequentially consistent runs alone. `evict` and the sizes of caches and FIFOs are of no
 * concern to it: any block may be written back at any time unless its order forbids.
 */
#ifndef CRASHLIT_MACH_BPFS_H
#define CRASHLIT_MACH_BPFS_H

#include "machine/mach.h"

/* A test with more lines in NVRAM overflows. */
enum { MACH_BPFS_LINES = 64 };

extern const struct machine mach_bpfs, mach_bpfs_no_wait;

#endif
