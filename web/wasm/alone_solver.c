/* smt_library where Z3 is another WebAssembly instance (bridge.mjs), which the host may have
 * loaded.
 *
 * It is much larger than all else, so a host loads it when a question goes to it: a run that comes
 * to that leaves with the status of a worker that wants the solver, and the host does it again.
 * Where the host says that it has none, what needs it is in doubt. */
#include "run/run_line.h"
#include "smt/smt_library.h"
#include "smt/smt_z3.h"

#include <stdlib.h>

struct smt_library z3 = {
#define X(name) .name = Z3_##name,
    SMT_Z3_FUNCTIONS(X)
#undef X
};

enum { NONE, LATER, LOADED };

int crashlit_z3_state(void);

bool smt_library_load(void)
{
    int state = crashlit_z3_state();
    if (state == LATER)
        exit(RUN_LINE_WANTS_SOLVER);
    return state == LOADED;
}

const char *smt_library_fault(void)
{
    return crashlit_z3_state() == NONE ? "the solver Z3 is not loaded here" : "";
}

void smt_library_defer(void (*ask)(void))
{
    (void)ask;
}

bool smt_library_is_deferred(void)
{
    return crashlit_z3_state() == LATER;
}

const char *smt_library_version(void)
{
    return z3.get_full_version();
}
