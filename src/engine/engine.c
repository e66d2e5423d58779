#include "engine/engine.h"

enum exec_crash_mode engine_default_crash_mode(const struct lit_program *program)
{
    return program->has_crash_points ? EXEC_CRASH_POINTS : EXEC_CRASH_ANYWHERE;
}
