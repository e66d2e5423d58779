/* What tests of evaluations hold against the definitions. */
#ifndef CRASHLIT_TEST_NAIVE_H
#define CRASHLIT_TEST_NAIVE_H

#include "engine/naive.h"

/* Evaluates the nodes that are `needed` (NULL: all). */
static inline struct naive_model naive_evaluate(struct arena *arena,
                                                const struct naive_model *given, const bool *needed)
{
    bool *listed = ARENA_ARRAY(arena, bool, given->model->node_count);
    const struct naive_nodes all = naive_list(arena, given->model, needed, NULL, listed);
    return naive_add(arena, given, &all);
}

#endif
