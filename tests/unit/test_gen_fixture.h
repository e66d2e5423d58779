/* What tests of generated programs share. */
#ifndef CRASHLIT_TEST_GEN_FIXTURE_H
#define CRASHLIT_TEST_GEN_FIXTURE_H

#include "generate/gen_enumerate.h"

#include <string.h>

/* Puts work-items `a` and `b` apart below `scope`: they share its instance and no narrower one.
 * LIT_SCOPE_ALL: they are on two devices. For three and more, set instances one by one. */
static inline void gen_place_apart(struct gen_program *program, uint32_t a, uint32_t b,
                                   enum lit_scope scope)
{
    BASE_ASSERT(scope >= LIT_SCOPE_SG && scope <= LIT_SCOPE_ALL);
    BASE_ASSERT(a < program->thread_count && b < program->thread_count);
    memcpy(program->place[b], program->place[a], sizeof program->place[b]);
    for (uint32_t level = 0; level < GEN_LEVELS && level + LIT_SCOPE_SG < scope; level++)
        program->place[b][level] = (uint8_t)(a > b ? a : b);
}

/* Enumerates all units. */
static inline uint64_t gen_enumerate_all(const struct gen_bound *bound, gen_visit *visited,
                                         void *context)
{
    uint64_t units = gen_units(bound), count = 0;
    for (uint64_t unit = 0; unit < units; unit++)
        count += gen_enumerate(bound, unit, visited, context);
    return count;
}

#endif
