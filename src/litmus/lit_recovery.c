#include "litmus/lit_program.h"

#include <stddef.h>

struct lit_program lit_recovery_program(const struct lit_program *program)
{
    struct lit_program recovery = *program;
    recovery.threads = program->recovery;
    recovery.thread_count = program->recovery_count;
    recovery.recovery = NULL;
    recovery.recovery_count = 0;
    recovery.recovery_restartable = false;
    recovery.conditions = NULL;
    recovery.condition_count = 0;
    recovery.filter = NULL;
    recovery.observed = NULL;
    recovery.observed_count = 0;
    recovery.expects = NULL;
    recovery.expect_count = 0;
    recovery.has_crash_points = false;
    return recovery;
}
