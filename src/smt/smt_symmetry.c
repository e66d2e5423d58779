/* A unit is identified by its first write to a location that the class leaves in place. Each orbit
 * has an execution whose units make these writes in coherence in the order of units. A unit is not
 * ordered when some execution lacks that write, as with several paths. */
#include "base/bits.h"
#include "engine/stabilizer.h"
#include "smt/smt_program.h"

#define NO_EVENT UINT32_MAX

/* Paths of one number correspond where a thread has as many as that of the first unit: they come of
 * the same code. */
static bool corresponds(const struct smt_program *p, const struct exec_class *class, uint32_t unit)
{
    for (uint32_t i = 0; i < class->width; i++) {
        const struct exec_paths *own = &p->threads[exec_class_thread(class, unit, i)].paths;
        const struct exec_paths *first = &p->threads[exec_class_thread(class, 0, i)].paths;
        if (own->count != first->count || own->count == 0)
            return false;
        for (uint32_t k = 0; k < own->count; k++)
            if (own->items[k]->event_count != first->items[k]->event_count)
                return false;
    }
    return true;
}

/* The write that tells the unit, which every execution has; NO_EVENT: there is none. */
static uint32_t find_telling(const struct smt_program *p, const struct exec_class *class,
                             uint32_t unit)
{
    for (uint32_t i = 0; i < class->width; i++) {
        const struct smt_thread *thread = &p->threads[exec_class_thread(class, unit, i)];
        const struct exec_path *path = thread->paths.items[0];
        for (uint32_t k = 0; k < path->event_count; k++)
            if (path->events[k].kind == EV_WRITE &&
                !exec_class_moves(class, path->events[k].location))
                return bits_get(p->always, thread->nodes[0][k]) ? thread->nodes[0][k] : NO_EVENT;
    }
    return NO_EVENT;
}

/* Those that tell the units of a part, in the order of the units. */
static uint32_t list_writes(struct smt_program *p, const struct stabilizer_part *part,
                            uint32_t *writes)
{
    uint32_t count = 0;
    for (uint32_t u = 0; u < part->count; u++) {
        uint32_t write = corresponds(p, part->class, part->units[u])
                             ? find_telling(p, part->class, part->units[u])
                             : NO_EVENT;
        if (write != NO_EVENT)
            writes[count++] = write;
    }
    return count;
}

/* All of them, as the order of neighbours is one of all. */
static void order_units(struct smt_program *p, const struct stabilizer_part *part)
{
    uint32_t *writes = ARENA_ARRAY(p->arena, uint32_t, part->count);
    uint32_t count = list_writes(p, part, writes);
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t a = 0; a < b; a++) {
            p->co[smt_pair(p, writes[a], writes[b])] = smt_truth(p->solver, true);
            p->co[smt_pair(p, writes[b], writes[a])] = smt_truth(p->solver, false);
        }
}

static void assert_order(struct smt_program *p, const struct stabilizer_part *part)
{
    uint32_t *writes = ARENA_ARRAY(p->arena, uint32_t, part->count);
    uint32_t count = list_writes(p, part, writes);
    for (uint32_t b = 1; b < count; b++)
        smt_assert(p->solver, p->co[smt_pair(p, writes[b - 1], writes[b])]);
}

/* Conditions of which an answer is enough, and nothing but candidates of the test itself. */
static bool is_decided(const struct smt_program *p)
{
    const struct lit_program *program = smt_program_test(p);
    return p->request->decide && !program->recovery_count && !program->partial_coherence &&
           !p->rules && !p->unchecked && !p->initial;
}

/* Of each part of a class that is not inside another. */
static void each_part(struct smt_program *p, const struct stabilizer_question *question,
                      void (*order)(struct smt_program *p, const struct stabilizer_part *part))
{
    const struct stabilizer left =
        stabilizer_new(p->arena, &p->symmetry, smt_program_test(p), question);
    for (uint32_t i = 0; i < left.count; i++)
        if (!left.parts[i].class->nested)
            order(p, &left.parts[i]);
}

void smt_order_units(struct smt_program *p)
{
    const struct lit_program *program = smt_program_test(p);
    const struct exec_symmetry *given = p->request->symmetry;
    if (!is_decided(p))
        return;
    p->symmetry = given ? *given : exec_symmetry_new(p->arena, program);
    each_part(p,
              &(struct stabilizer_question){.props = {program->filter},
                                            .conditions = program->conditions,
                                            .condition_count = program->condition_count},
              order_units);
}

void smt_order_units_for(struct smt_program *p, const struct lit_condition *condition)
{
    const struct lit_program *program = smt_program_test(p);
    if (program->condition_count == 1 || !p->symmetry.count)
        return;
    each_part(p, &(struct stabilizer_question){.props = {program->filter, condition->prop}},
              assert_order);
}
