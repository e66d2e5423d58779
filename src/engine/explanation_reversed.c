/* Stores in the wrong order in the program. A state that a crash leaves has what one store wrote and
 * nothing of another one, which stands behind it in the same work-item: the crash comes between the
 * two, and what orders stores cannot move them. Nobody else may store there, nor the work-item
 * before, so that no other order of what is there would do. Where a place is computed it is the one of
 * this execution. */
#include "engine/explanation.h"

struct looking {
    struct explanation *explanation;
    const struct lit_program *program;
    const struct lit_prop *prop;
};

/* Does it store there in this execution, or, with `anywhere`, at all? */
static bool stores(const struct looking *l, const struct lit_instr *instr, uint32_t location,
                   bool anywhere)
{
    const struct explanation *e = l->explanation;
    return ANY(i, e->stores.count,
               e->stores.items[i].instr == instr &&
                   (anywhere || e->stores.items[i].location == location));
}

static bool may_store(const struct looking *l, const struct lit_instr *instr, uint32_t location)
{
    return lit_instruction_writes(instr->op) && lit_address_has(&instr->addr, location) &&
           (instr->addr.count == 1 || !stores(l, instr, location, true) ||
            stores(l, instr, location, false));
}

/* Does the code of the work-item go back over the instruction of that number? */
static bool is_in_loop(const struct lit_thread *thread, uint32_t number)
{
    return ANY(i, thread->code_count,
               i >= number && lit_instruction_jumps(thread->code[i].op) &&
                   thread->code[i].target <= number);
}

/* Does a work-item that has passed that number come to the store, and store at that very place? */
static bool is_certain(const struct looking *l, const struct lit_thread *thread, uint32_t number,
                       uint32_t store, uint32_t location)
{
    const struct lit_instr *code = thread->code;
    return code[store].op != LIT_CAS &&
           (code[store].addr.count == 1 || stores(l, &code[store], location, false)) &&
           !ANY(i, store,
                i > number && lit_instruction_jumps(code[i].op) && code[i].target > store);
}

/* The first store to the location, if it is certain, and all that there are stand behind that number
 * of the work-item. */
static const struct lit_instr *store_behind(const struct looking *l, uint32_t thread,
                                            uint32_t number, uint32_t location)
{
    const struct lit_program *program = l->program;
    const struct lit_instr *first = NULL;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++) {
            const struct lit_instr *instr = &program->threads[t].code[i];
            if (!may_store(l, instr, location))
                continue;
            if (t != thread || i <= number ||
                (!first && !is_certain(l, &program->threads[t], number, i, location)))
                return NULL;
            first = first ? first : instr;
        }
    return first;
}

static bool find_behind(struct looking *l, const struct outcome_event *durable)
{
    const struct lit_thread *thread = &l->program->threads[durable->thread];
    const uint32_t number = (uint32_t)(durable->instr - thread->code);
    for (uint32_t location = 0; location < l->program->location_count; location++) {
        const struct lit_location *of = &l->program->locations[location];
        const struct lit_instr *later =
            of->nvm && location != durable->location && lit_prop_names(l->prop, location)
                ? store_behind(l, durable->thread, number, location)
                : NULL;
        if (!later)
            continue;
        l->explanation->reversed[0] = *durable;
        l->explanation->reversed[1] =
            (struct outcome_event){.thread = durable->thread,
                                   .line = later->span.line,
                                   .access = arena_printf(&l->explanation->arena, "W %s", of->name),
                                   .column = later->span.column,
                                   .instr = later,
                                   .origin = later->origin,
                                   .kind = EV_WRITE,
                                   .location = location};
        return true;
    }
    return false;
}

static bool was_executed(const struct explanation *explanation, const struct lit_instr *instr)
{
    return ANY(i, explanation->steps.count, explanation->steps.items[i].event.instr == instr);
}

void explanation_find_reversed(struct explanation *explanation, const struct lit_program *program,
                               const struct lit_prop *prop)
{
    struct looking l = {explanation, program, prop};
    for (size_t i = 0; i < explanation->steps.count && !explanation->has_reversed; i++) {
        const struct explanation_step *step = &explanation->steps.items[i];
        const struct outcome_event *event = &step->event;
        if (step->kind != EXPLANATION_DURABLE || event->thread >= program->thread_count ||
            !lit_prop_names(prop, event->location))
            continue;
        const struct lit_thread *thread = &program->threads[event->thread];
        if (event->instr >= thread->code && event->instr < thread->code + thread->code_count &&
            !is_in_loop(thread, (uint32_t)(event->instr - thread->code)) && find_behind(&l, event))
            explanation->has_reversed = !was_executed(explanation, explanation->reversed[1].instr);
    }
}
