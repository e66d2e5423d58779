/* What recovery finds in ordinary memory is what a start finds there: its first values. Who lets
 * recovery load such a location most likely forgot to declare it as nvm, where the program writes
 * it. A read-modify-write, as of a lock that is free again, is most likely meant. */
#include "litmus/lit_lower.h"

static bool writes(const struct lit_instr *instr, uint32_t location)
{
    return lit_instruction_writes(instr->op) && lit_address_has(&instr->addr, location);
}

bool lit_mistake_stores(const struct lit_thread *thread, uint32_t location)
{
    return ANY(i, thread->code_count, writes(&thread->code[i], location));
}

const struct lit_symbol *lit_mistake_symbol(const struct lit_lower *lower, uint32_t location)
{
    EACH_IN (const struct lit_symbol, symbol, lower->symbols)
        if (symbol->first <= location && location < symbol->first + symbol->count * symbol->size)
            return symbol;
    return NULL;
}

/* What another work-item of recovery writes may be there at any time. */
static bool is_written_before(const struct lit_program *program, uint32_t thread, uint32_t pc,
                              uint32_t location)
{
    return ANY(i, pc, writes(&program->recovery[thread].code[i], location)) ||
           ANY(t, program->recovery_count,
               t != thread && lit_mistake_stores(&program->recovery[t], location));
}

static bool is_lost(const struct lit_program *program, uint32_t thread, uint32_t pc,
                    uint32_t location)
{
    return !program->locations[location].nvm &&
           ANY(t, program->thread_count, lit_mistake_stores(&program->threads[t], location)) &&
           !is_written_before(program, thread, pc, location);
}

/* The first load that finds what was lost; NULL: none does. */
static const struct lit_instr *find_load(const struct lit_program *program,
                                         const struct lit_symbol *symbol)
{
    for (uint32_t t = 0; t < program->recovery_count; t++)
        for (uint32_t pc = 0; pc < program->recovery[t].code_count; pc++) {
            const struct lit_instr *load = &program->recovery[t].code[pc];
            uint32_t from = load->op == LIT_LOAD ? load->addr.first - symbol->first : UINT32_MAX;
            if (from < symbol->count * symbol->size &&
                ANY(i, load->addr.count,
                    is_lost(program, t, pc, lit_address_element(&load->addr, i))))
                return load;
        }
    return NULL;
}

void lit_mistake_lost(const struct lit_lower *lower)
{
    EACH_IN (const struct lit_symbol, symbol, lower->symbols) {
        bool ordinary = !symbol->nvm && !symbol->hidden && !(symbol->spaces & LIT_LOCAL);
        const struct lit_instr *load = ordinary ? find_load(lower->program, symbol) : NULL;
        if (!load)
            continue;
        const char *meant = arena_printf(lower->arena, "nvm %s", symbol->name);
        diag_warning(lower->diag, DIAG_LIT_LOST, load->span,
                     "'%s' is ordinary memory, lost at a crash, so what recovery reads here is its "
                     "first value, and nothing that the program wrote; declare it as '%s' if it is "
                     "not",
                     symbol->name, meant);
        if (symbol->init)
            diag_meant_within(lower->diag, load->span, symbol->span, symbol->name, meant);
    }
}
