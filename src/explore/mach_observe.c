#include "explore/mach_lack.h"
#include "explore/mach_observe.h"

#include "machine/mach_instr.h"

bool mach_observe(struct mach_observer *o, const uint8_t *state)
{
    struct mach_test *test = o->test;
    const bool wanted = test->wanting;
    o->state = test->machine->computed ? test->machine->computed(test, state, o->room) : state;
    const bool told = test->wanting == wanted;
    test->wanting = wanted;
    return told;
}

static bool at_a_point(const struct mach_observer *o)
{
    for (uint32_t t = 0; t < o->test->program->thread_count; t++) {
        const struct lit_instr *instr = mach_instr(o->test, o->state, t);
        if (instr && instr->op == LIT_CRASH && mach_status(o->test, o->state, t) == MACH_RUNNING)
            return true;
    }
    return false;
}

bool mach_may_crash(const struct mach_observer *o)
{
    switch (o->crash_mode) {
    case EXEC_CRASH_ANYWHERE: return true;
    case EXEC_CRASH_POINTS: return at_a_point(o);
    case EXEC_CRASH_END: return mach_all_done(o->test, o->state);
    }
    return false;
}

bool mach_is_done(const struct mach_observer *o)
{
    return mach_all_done(o->test, o->state) && o->test->machine->quiet(o->test, o->state);
}

bool mach_is_final(const struct mach_observer *o)
{
    const struct lit_program *program = o->test->program;
    struct mach_observer final = *o;
    final.final = true;
    return mach_is_done(o) &&
           (!program->filter || outcome_prop_holds(program, program->filter, mach_look_up, &final));
}

int64_t mach_look_up(const void *observer, const struct lit_atom *atom)
{
    const struct mach_observer *o = observer;
    const struct machine *machine = o->test->machine;
    if (atom->kind == LIT_ATOM_LOCATION)
        return mach_value(o->test, (o->final && machine->last ? machine->last : machine->memory)(
                                       o->test, o->state, atom->location));
    if (atom->kind == LIT_ATOM_GIVEN)
        return mach_is_given(o->test, o->state, atom->thread, atom->reg);
    return mach_register(o->test, o->state, atom->thread, atom->reg);
}

enum outcome_doubt mach_obstacle(const struct mach_test *test, const struct cat_model *model)
{
    if (mach_lacking(test, model).what)
        return OUTCOME_DOUBT_ENCODING;
    if (test->size > MACH_MAX_STATE || test->line_count > MACH_MAX_LINES ||
        test->program->location_count > UINT8_MAX)
        return OUTCOME_DOUBT_EVENTS;
    return OUTCOME_DOUBT_COUNT;
}
