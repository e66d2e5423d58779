#include "engine/witness.h"

#include "base/bits.h"

#include <string.h>

/* ---- Events ---- */

bool witness_value(const struct engine_witness *witness, uint32_t e, int64_t *value)
{
    const struct exec_skeleton *skeleton = witness->skeleton;
    BASE_ASSERT(e < skeleton->dim.n);
    const struct ev *event = &skeleton->events[e];
    if (!ev_kind_accesses(event->kind))
        return false;
    uint32_t base = event->init ? 0 : skeleton->value_base[event->thread];
    bool *known = base_realloc(NULL, skeleton->slot_count + 1);
    memset(known, true, skeleton->slot_count + 1);
    const struct exec_reads reads = {witness->values + base, known};
    bool has_value = exec_value_get(event->value, &reads, value);
    base_free(known);
    return has_value;
}

uint32_t witness_source(const struct engine_witness *witness, uint32_t event)
{
    struct rel_dim dim = witness->skeleton->dim;
    for (uint32_t w = 0; w < dim.n; w++)
        if (rel_has(dim, witness->rf, w, event))
            return w;
    return LIT_NONE;
}

bool witness_persists(const struct engine_witness *witness, uint32_t e)
{
    const struct exec_skeleton *skeleton = witness->skeleton;
    BASE_ASSERT(e < skeleton->dim.n);
    const struct ev *event = &skeleton->events[e];
    return event->kind == EV_WRITE && skeleton->program->locations[event->location].nvm;
}

struct outcome_step witness_step(struct arena *arena, const struct engine_witness *witness,
                                 uint32_t e)
{
    const struct exec_skeleton *skeleton = witness->skeleton;
    BASE_ASSERT(e < skeleton->dim.n);
    const struct ev *event = &skeleton->events[e];
    const uint32_t source = witness_source(witness, e);
    struct outcome_step step = {.event = outcome_event_of(arena, event, skeleton->program),
                                .is_read = event->kind == EV_READ};
    step.has_value = witness_value(witness, e, &step.value);
    if (step.has_value)
        step.type = skeleton->program->locations[event->location].type;
    step.lost = witness_persists(witness, e) && witness->cut && !bits_get(witness->cut->durable, e);
    if (source != LIT_NONE)
        step.source = outcome_event_of(arena, &skeleton->events[source], skeleton->program);
    return step;
}

/* ---- Checks that fail ---- */

static void find_cycle(struct rel_dim dim, const rel_word *value, witness_break *visit,
                       void *context)
{
    uint32_t *cycle = base_realloc(NULL, dim.n * sizeof *cycle + 1);
    uint32_t length = rel_find_cycle(dim, value, cycle);
    if (length)
        visit(context, cycle, length, false);
    base_free(cycle);
}

void witness_each_break(const struct engine_witness *witness, const struct cat_model *model,
                        const struct cat_check *check, const rel_word *value, witness_break *visit,
                        void *context)
{
    struct rel_dim dim = witness->skeleton->dim;
    bool is_set = model->nodes[check->node].sort == CAT_SET;
    if (check->negated != (check->kind == CAT_FLAG))
        return;
    if (check->test != CAT_IS_EMPTY) {
        find_cycle(dim, value, visit, context);
        return;
    }
    for (uint32_t a = 0; a < dim.n; a++) {
        if (is_set && bits_get(value, a))
            visit(context, &a, 1, false);
        for (uint32_t b = 0; !is_set && b < dim.n; b++) {
            bool back = rel_has(dim, value, b, a);
            if (rel_has(dim, value, a, b) && (a <= b || !back))
                visit(context, (const uint32_t[]){a, b}, 2, back);
        }
    }
}
