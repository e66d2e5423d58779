/* Each question goes over the program once; the first that is answered with yes is the reason. What
 * is not known to be harmless is refused. */
#include "hw/hw_check.h"

#include "litmus/lit_code.h"

const char *hw_refusal_text(enum hw_refusal refusal)
{
    static const char *const texts[] = {NULL,
#define X(identifier, text) text,
                                        HW_REFUSALS(X)
#undef X
    };
    return texts[refusal];
}

/* ---- The program as a whole ---- */

static bool has_final_condition(const struct lit_program *program)
{
    return program->condition_count == 0 ||
           ANY(i, program->condition_count, program->conditions[i].when == LIT_FINAL);
}

static bool is_compiled(const struct lit_location *location)
{
    return location->hidden || location->opaque || location->exchanged;
}

static bool has_hosts(const struct lit_program *program)
{
    return ANY(i, program->thread_count,
               program->threads[i].hosts || program->threads[i].kr != program->threads->kr);
}

static enum hw_refusal of_program(const struct lit_program *program)
{
    const struct lit_thread *threads = program->threads;
    if (!has_final_condition(program))
        return HW_REFUSED_CRASHES;
    if (program->thread_count > HW_MAX_ITEMS)
        return HW_REFUSED_ITEMS;
    if (program->location_count > HW_MAX_LOCATIONS)
        return HW_REFUSED_LOCATIONS;
    if (ANY(i, program->thread_count, threads[i].dev != threads->dev))
        return HW_REFUSED_DEVICES;
    if (has_hosts(program))
        return HW_REFUSED_KERNELS;
    if (program->recovery_count || program->relaunch)
        return HW_REFUSED_RECOVERY;
    if (ANY(i, program->location_count, is_compiled(&program->locations[i])))
        return HW_REFUSED_COMPILED;
    if (ANY(i, program->location_count, lit_type_bits(program->locations[i].type) != 32))
        return HW_REFUSED_WIDTH;
    if (ANY(i, program->location_count, program->locations[i].tags) ||
        ANY(i, program->thread_count, threads[i].tags))
        return HW_REFUSED_TAGS;
    return HW_EMITTED;
}

/* ---- Instructions ---- */

static enum hw_refusal of_fence(const struct lit_instr *instr)
{
    bool has_token = instr->dst != LIT_NONE || instr->value || instr->counted;
    return has_token || instr->order == LIT_ORDER_NA ? HW_REFUSED_TAGS : HW_EMITTED;
}

static enum hw_refusal of_atomic(const struct lit_instr *instr)
{
    return instr->unless || instr->computes || instr->order == LIT_ORDER_NA ? HW_REFUSED_ATOMIC
                                                                            : HW_EMITTED;
}

static enum hw_refusal of_barrier(const struct lit_instr *instr)
{
    bool is_split = instr->arrive || instr->quorum;
    bool is_constant = !instr->resource || instr->resource->op == LIT_OP_CONST;
    bool is_of_group = instr->exec_scope == LIT_SCOPE_WG && instr->scope <= LIT_SCOPE_WG;
    return is_split || !is_constant || !is_of_group ? HW_REFUSED_SPLIT : HW_EMITTED;
}

static enum hw_refusal of_instruction(const struct lit_instr *instr)
{
    if (instr->tags)
        return instr->op == LIT_PBARRIER ? HW_REFUSED_PERSISTS : HW_REFUSED_TAGS;
    if (instr->origin || instr->wide)
        return HW_REFUSED_COMPILED;
    switch (instr->op) {
    case LIT_CHECK: return HW_REFUSED_CHECKS;
    case LIT_RMW:
    case LIT_CAS: return of_atomic(instr);
    case LIT_FENCE: return of_fence(instr);
    case LIT_CM: return HW_REFUSED_MAINTAINS;
    case LIT_BARRIER: return of_barrier(instr);
    case LIT_PBARRIER: return HW_REFUSED_PERSISTS;
    case LIT_SET:
    case LIT_LOAD:
    case LIT_STORE:
    case LIT_CRASH:
    case LIT_JUMP:
    case LIT_BRANCH:
    case LIT_LOOP:
    case LIT_AWAIT: return HW_EMITTED;
    default: return HW_REFUSED_UNKNOWN;
    }
}

/* ---- Barriers ---- */

static bool is_same(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->label == b->label && a->named == b->named && lit_code_same(a->resource, b->resource);
}

bool hw_check_meets(const struct lit_thread *thread, const struct lit_instr *barrier)
{
    return ANY(i, thread->code_count,
               thread->code[i].op == LIT_BARRIER && is_same(&thread->code[i], barrier));
}

/* The first barrier that is the same. */
static const struct lit_instr *first_of(const struct lit_program *program,
                                        const struct lit_instr *barrier)
{
    EACH (const struct lit_thread, thread, program->threads, program->thread_count)
        EACH (const struct lit_instr, instr, thread->code, thread->code_count)
            if (instr->op == LIT_BARRIER && is_same(instr, barrier))
                return instr;
    BASE_UNREACHABLE("a barrier of the program");
}

uint32_t hw_check_barrier(const struct lit_program *program, const struct lit_instr *barrier)
{
    const struct lit_instr *first = first_of(program, barrier);
    uint32_t number = 0;
    EACH (const struct lit_thread, thread, program->threads, program->thread_count)
        EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
            if (instr == first)
                return number < HW_MAX_BARRIERS ? number : HW_MAX_BARRIERS;
            number += instr->op == LIT_BARRIER && first_of(program, instr) == instr;
        }
    BASE_UNREACHABLE("a barrier of the program");
}

/* The next barrier from `pc` on that the other work-item has, too; NULL: there is none. */
static const struct lit_instr *next_shared(const struct lit_thread *thread,
                                           const struct lit_thread *other, uint32_t *pc)
{
    while (*pc < thread->code_count) {
        const struct lit_instr *instr = &thread->code[(*pc)++];
        if (instr->op == LIT_BARRIER && hw_check_meets(other, instr))
            return instr;
    }
    return NULL;
}

/* Have both the barriers that both have as often, and in one order? */
static bool come_alike(const struct lit_thread *a, const struct lit_thread *b)
{
    uint32_t at_a = 0, at_b = 0;
    const struct lit_instr *of_a, *of_b;
    do {
        of_a = next_shared(a, b, &at_a);
        of_b = next_shared(b, a, &at_b);
    } while (of_a && of_b && is_same(of_a, of_b));
    return !of_a && !of_b;
}

/* A barrier that is not named is for all of the work-group. */
static bool lacks_some(const struct lit_thread *a, const struct lit_thread *b)
{
    return ANY(i, a->code_count,
               a->code[i].op == LIT_BARRIER && !a->code[i].named &&
                   !hw_check_meets(b, &a->code[i]));
}

static bool meet_badly(const struct lit_program *program)
{
    EACH (const struct lit_thread, a, program->threads, program->thread_count)
        EACH (const struct lit_thread, b, program->threads, program->thread_count)
            if (lit_same_instance(a, b, LIT_SCOPE_WG) && (lacks_some(a, b) || !come_alike(a, b)))
                return true;
    return false;
}

static enum hw_refusal of_barriers(const struct lit_program *program)
{
    EACH (const struct lit_thread, thread, program->threads, program->thread_count) {
        bool jumped = false;
        EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
            jumped |= lit_instruction_jumps(instr->op);
            if (instr->op == LIT_BARRIER && jumped)
                return HW_REFUSED_BRANCH;
            if (instr->op == LIT_BARRIER && hw_check_barrier(program, instr) == HW_MAX_BARRIERS)
                return HW_REFUSED_MEETING;
            /* An index that is out of bounds ends a work-item as a branch would. */
            jumped |= lit_instruction_accesses(instr->op) && instr->addr.index;
        }
    }
    return meet_badly(program) ? HW_REFUSED_MEETING : HW_EMITTED;
}

enum hw_refusal hw_check(const struct lit_program *program)
{
    enum hw_refusal refusal = of_program(program);
    for (uint32_t t = 0; t < program->thread_count && !refusal; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count && !refusal; i++)
            refusal = of_instruction(&program->threads[t].code[i]);
    return refusal ? refusal : of_barriers(program);
}
