/* What recovery finds in ordinary memory is what a start finds there: its first values. Who lets
 * recovery load such a location most likely forgot to declare it as nvm, where the program writes
 * something else to it. A read-modify-write, as of a lock that is free again, is most likely meant,
 * and so is a test before recovery takes the lock. */
#include "litmus/lit_code.h"
#include "litmus/lit_lower.h"

#include <string.h>

struct finder {
    const struct lit_lower *lower;
    const struct lit_symbol **symbols; /* by location: what can be lost and is not reported */
    bool *changed;                     /* the program leaves another value than the first */
    bool *updated;                     /* by read-modify-writes */
    const uint32_t *writers;           /* of recovery */
    /* Of one work-item: */
    uint32_t *first; /* by location: the first instruction that may write it; LIT_NONE */
    uint32_t *end;   /* by instruction: the last that may come before it, as a loop has both */
    bool *tested;    /* by register: it decides a branch */
};

uint32_t *lit_mistake_writers(struct arena *arena, const struct lit_program *program,
                              const struct lit_thread *threads, uint32_t count)
{
    uint32_t *writers = ARENA_ARRAY(arena, uint32_t, program->location_count);
    memset(writers, 0xff, program->location_count * sizeof *writers);
    for (uint32_t t = 0; t < count; t++)
        EACH (const struct lit_instr, instr, threads[t].code, threads[t].code_count)
            for (uint32_t i = 0; lit_instruction_writes(instr->op) && i < instr->addr.count; i++) {
                uint32_t *writer = &writers[lit_address_element(&instr->addr, i)];
                *writer = *writer == LIT_NONE || *writer == t ? t : LIT_SEVERAL;
            }
    return writers;
}

const struct lit_symbol *lit_mistake_symbol(const struct lit_lower *lower, uint32_t location)
{
    EACH_IN (const struct lit_symbol, symbol, lower->symbols)
        if (symbol->first <= location && location < symbol->first + symbol->count * symbol->size)
            return symbol;
    return NULL;
}

/* ---- Of all work-items ---- */

static bool is_first_value(const struct lit_instr *store, const struct lit_location *location)
{
    return store->op == LIT_STORE && store->value->op == LIT_OP_CONST &&
           lit_value_wrap(location->type, store->value->value) == location->init;
}

static void note_writes(struct finder *f, const struct lit_thread *threads, uint32_t count,
                        bool recovers)
{
    for (uint32_t t = 0; t < count; t++)
        EACH (const struct lit_instr, instr, threads[t].code, threads[t].code_count)
            for (uint32_t i = 0; lit_instruction_writes(instr->op) && i < instr->addr.count; i++) {
                uint32_t l = lit_address_element(&instr->addr, i);
                f->updated[l] |= lit_instruction_reads(instr->op);
                f->changed[l] |=
                    !recovers && !is_first_value(instr, &f->lower->program->locations[l]);
            }
}

static void note_symbols(struct finder *f)
{
    EACH_IN (const struct lit_symbol, symbol, f->lower->symbols)
        for (uint32_t i = 0; i < symbol->count * symbol->size; i++)
            f->symbols[symbol->first + i] =
                symbol->nvm || symbol->hidden || symbol->spaces & LIT_LOCAL ? NULL : symbol;
}

/* ---- Of one work-item ---- */

static void note_first(struct finder *f, const struct lit_thread *thread)
{
    memset(f->first, 0xff, f->lower->program->location_count * sizeof *f->first);
    for (uint32_t pc = thread->code_count; pc-- > 0;)
        for (uint32_t i = 0;
             lit_instruction_writes(thread->code[pc].op) && i < thread->code[pc].addr.count; i++)
            f->first[lit_address_element(&thread->code[pc].addr, i)] = pc;
}

static void note_ends(struct finder *f, const struct lit_thread *thread)
{
    const uint32_t count = thread->code_count;
    f->end = ARENA_ARRAY(f->lower->arena, uint32_t, count);
    for (uint32_t pc = 0; pc < count; pc++) {
        const struct lit_instr *instr = &thread->code[pc];
        if (lit_instruction_jumps(instr->op) && instr->target <= pc)
            f->end[instr->target] = pc; /* of several the last */
    }
    for (uint32_t pc = 1; pc < count; pc++)
        f->end[pc] = f->end[pc] > f->end[pc - 1] ? f->end[pc] : f->end[pc - 1];
    for (uint32_t pc = count; pc-- > 0;)
        f->end[pc] = f->end[pc] > pc ? f->end[f->end[pc]] : pc;
}

static void note_tests(struct finder *f, const struct lit_thread *thread)
{
    f->tested = ARENA_ARRAY(f->lower->arena, bool, thread->register_count);
    for (uint32_t pc = thread->code_count; pc-- > 0;) {
        const struct lit_instr *instr = &thread->code[pc];
        if (instr->op == LIT_BRANCH || (instr->op == LIT_SET && f->tested[instr->dst]))
            lit_code_mark_read(instr->value, f->tested);
    }
}

static bool is_lost(const struct finder *f, uint32_t thread, uint32_t pc, uint32_t location)
{
    const struct lit_instr *load = &f->lower->program->recovery[thread].code[pc];
    const uint32_t writer = f->writers[location];
    bool locks =
        writer == thread && f->updated[location] && load->dst != LIT_NONE && f->tested[load->dst];
    return f->changed[location] && (writer == LIT_NONE || writer == thread) &&
           f->first[location] > f->end[pc] && !locks;
}

/* ---- The warning ---- */

static void tell(struct finder *f, const struct lit_symbol *symbol, const struct lit_instr *load)
{
    struct diag *diag = f->lower->diag;
    const char *meant = arena_printf(f->lower->arena, "nvm %s", symbol->name);
    for (uint32_t i = 0; i < symbol->count * symbol->size; i++)
        f->symbols[symbol->first + i] = NULL;
    diag_warning(diag, DIAG_LIT_LOST, load->span,
                 "'%s' is ordinary memory, lost at a crash, so what recovery reads here is its "
                 "first value, and nothing that the program wrote; if it is meant to survive a "
                 "crash, declare it as '%s'",
                 symbol->name, meant);
    if (symbol->init)
        diag_meant_within(diag, load->span, symbol->span, symbol->name, meant);
}

static void find_loads(struct finder *f, uint32_t thread)
{
    const struct lit_thread *recovery = &f->lower->program->recovery[thread];
    note_first(f, recovery);
    note_ends(f, recovery);
    note_tests(f, recovery);
    for (uint32_t pc = 0; pc < recovery->code_count; pc++) {
        const struct lit_instr *load = &recovery->code[pc];
        const struct lit_symbol *symbol =
            load->op == LIT_LOAD ? f->symbols[load->addr.first] : NULL;
        if (symbol &&
            ANY(i, load->addr.count, is_lost(f, thread, pc, lit_address_element(&load->addr, i))))
            tell(f, symbol, load);
    }
}

void lit_mistake_lost(const struct lit_lower *lower)
{
    const struct lit_program *program = lower->program;
    const uint32_t count = program->location_count;
    if (!program->recovery_count)
        return;
    struct finder f = {.lower = lower,
                       .symbols = ARENA_ARRAY(lower->arena, const struct lit_symbol *, count),
                       .changed = ARENA_ARRAY(lower->arena, bool, count),
                       .updated = ARENA_ARRAY(lower->arena, bool, count),
                       .writers = lit_mistake_writers(lower->arena, program, program->recovery,
                                                      program->recovery_count),
                       .first = ARENA_ARRAY(lower->arena, uint32_t, count)};
    note_symbols(&f);
    note_writes(&f, program->threads, program->thread_count, false);
    note_writes(&f, program->recovery, program->recovery_count, true);
    for (uint32_t t = 0; t < program->recovery_count; t++)
        find_loads(&f, t);
}
