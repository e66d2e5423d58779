/* A step of a machine as a line of text. */
#ifndef CRASHLIT_TEST_MACH_STEP_H
#define CRASHLIT_TEST_MACH_STEP_H

#include "fifo/bpfs_state.h"
#include "fifo/ideal.h"
#include "fifo/nvw.h"
#include "fifo/nvw_state.h"

static inline const char *mach_step_text(struct arena *arena, const struct mach_test *test,
                                         struct mach_step step)
{
    static const char *const of_ideal[] = {IDEAL_STEPS(TABLE_SECOND)};
    static const char *const of_nvw[] = {NVW_STEPS(TABLE_SECOND)};
    static const char *const of_bpfs[] = {BPFS_STEPS(TABLE_SECOND)};
    const struct machine *machine = test->machine;
    const char *text = (machine == &ideal_sc   ? of_ideal
                        : machine == &nvw_fifo ? of_nvw
                                               : of_bpfs)[step.kind];
    if (machine == &ideal_sc && step.kind == IDEAL_PERSIST)
        return arena_printf(arena, "pending write %u %s", step.line, text);
    bool of_thread = machine == &ideal_sc ||
                     (machine == &nvw_fifo ? step.kind <= NVW_MARK || step.kind == NVW_UNSTALL
                                           : step.kind == BPFS_RUN);
    return of_thread ? arena_printf(arena, "%s %s", test->program->threads[step.thread].name, text)
                     : arena_printf(arena, "%s (unit %u, line %u)", text, step.unit, step.line);
}

#endif
