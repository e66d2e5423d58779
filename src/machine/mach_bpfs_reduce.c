#include "machine/mach_bpfs_reduce.h"

#include "machine/mach_bpfs.h"
#include "machine/mach_cache.h"
#include "machine/mach_reduce.h"

enum { RUN = 0 }; /* the kind of both machines' steps for instructions */

static void reduce(const struct machine *machine, struct mach_test *test, uint8_t *state,
                   uint32_t silence)
{
    if (!mach_cache_may_reduce(test))
        return;
    while (mach_run_silently(machine, test, state, RUN, silence))
        ;
    mach_forget_registers(test, state);
}

void bpfs_reduce_waiting(struct mach_test *test, uint8_t *state)
{
    reduce(&mach_bpfs, test, state, MACH_WAITING_PERSISTS);
}

void bpfs_reduce_passing(struct mach_test *test, uint8_t *state)
{
    reduce(&mach_bpfs_no_wait, test, state, 0);
}
