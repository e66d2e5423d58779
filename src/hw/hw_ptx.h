/* hw_ptx: a test as PTX text (version 6.0, sm_70), for the driver of a GPU or the emulated device.
 *
 * `run` plays instances of the test, each in one slot: its parameters are the addresses of the
 * layout's table, of the locations, of the rows, of a counter for each slot and team, and of memory
 * to be noisy in. `collect` reads what is left, an instance a thread, and counts: rows that nobody
 * wrote, instances that gave up, outcomes that no list has, and then outcomes by their numbers. An
 * instance has a row for each role: the mark, and the registers that are shown.
 *
 * What orders accesses besides the test's own instructions leads from one slot to a later one, never
 * between two accesses of an instance. */
#ifndef CRASHLIT_HW_PTX_H
#define CRASHLIT_HW_PTX_H

#include "hw/hw_plan.h"

/* Words before the numbered ones in what `collect` counts, and what a mark says. */
enum { HW_COUNT_UNWRITTEN, HW_COUNT_UNFINISHED, HW_COUNT_OTHER, HW_COUNT_OUTCOMES };
enum { HW_MARK_DONE = 1, HW_MARK_GAVE_UP = 2 };

/* Appends the text. */
void hw_ptx_write(const struct hw_plan *plan, struct strbuf *out);

#endif
