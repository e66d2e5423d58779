/* bpfs: SPB's alternative implementation (end of section 6.1): no NVW-FIFOs; a cache block
 * carries which persist barriers it stands behind, and is written back to NVRAM only after what
 * these put before it. Nobody stalls until something is durable.
 *
 * `bpfs` waits at a barrier wider than a work-item until the work-items of its scope have
 * arrived, and realises buffered-epoch; `bpfs_no_wait` lets each go on, and realises
 * buffered-epoch-individual. Both have the caches of nvw-fifo: what is visible, and what a racy
 * program finds stale in an L1, does not depend on persist barriers.
 *
 * A write-back to NVRAM is one step. A block that is under way counts as not durable until NVRAM
 * has acknowledged it, as what is behind it has to wait until then.
 */
#ifndef CRASHLIT_BPFS_H
#define CRASHLIT_BPFS_H

#include "machine/mach.h"

extern const struct machine bpfs, bpfs_no_wait;

#endif
