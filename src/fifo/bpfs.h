/* bpfs: the machine of SPB's alternative implementation (end of section 6.1), without NVW-FIFOs. A
 * cache block carries the persist barriers that it stands behind. It is written back to NVRAM only
 * after everything that these put before it. Nobody stalls until something is durable.
 *
 * `bpfs` waits at a barrier wider than a work-item until the work-items of its scope have arrived,
 * and realises buffered-epoch. `bpfs_no_wait` lets each go on, and realises
 * buffered-epoch-individual. Both have the caches of nvw-fifo: persist barriers affect neither what
 * is visible, nor what a racy program finds stale in an L1.
 *
 * A write-back to NVRAM is one step. A block under way counts as not durable until NVRAM has
 * acknowledged it, as what is behind it has to wait until then. */
#ifndef CRASHLIT_BPFS_H
#define CRASHLIT_BPFS_H

#include "machine/mach.h"

extern const struct machine bpfs, bpfs_no_wait;

#endif
