#include "ptx/ptx_live.h"

#include "base/bits.h"
#include "ptx/ptx_inline.h"
#include "ptx/ptx_place.h"

static void mark(uint64_t *row, const struct ptx_operand *operand, bool used)
{
    for (uint32_t i = 0; operand->kind == PTX_VECTOR && i < operand->count; i++)
        mark(row, &operand->elements[i], used);
    if (operand->kind != PTX_REGISTER)
        return;
    if (used)
        bits_set(row, operand->reg);
    else
        bits_clear(row, operand->reg);
}

static bool has_result(const struct ptx_instr *instr)
{
    enum ptx_kind kind = instr->why ? PTX_NOTHING : instr->meaning.word->kind;
    return instr->count && (kind == PTX_FOLD || kind == PTX_OPAQUE || kind == PTX_LOAD ||
                            kind == PTX_ATOM || kind == PTX_EXCHANGE);
}

static void mark_instr(uint64_t *row, const struct ptx_instr *instr)
{
    bool result = has_result(instr);
    for (uint32_t i = 0; instr->declares && i < instr->count; i++)
        mark(row, &instr->operands[i], false);
    if (instr->declares)
        return;
    if (result && instr->guard == LIT_NONE)
        mark(row, &instr->operands[0], false);
    for (uint32_t i = result; i < instr->count; i++)
        mark(row, &instr->operands[i], true);
    if (instr->guard != LIT_NONE)
        bits_set(row, instr->guard);
}

static bool join(uint64_t *row, const uint64_t *other, uint32_t words)
{
    uint64_t news = 0;
    for (uint32_t i = 0; i < words; i++) {
        news |= other[i] & ~row[i];
        row[i] |= other[i];
    }
    return news;
}

static bool flow_back(struct ptx_kernel *kernel, uint32_t pc, uint64_t *row)
{
    const struct ptx_instr *instr = &kernel->code.items[pc];
    uint32_t words = kernel->row;
    enum ptx_kind kind = instr->why ? PTX_NOTHING : instr->meaning.word->kind;
    bool jumps = kind == PTX_BRANCH || kind == PTX_SWITCH;
    memset(row, 0, words * sizeof *row);
    if (jumps && instr->target != LIT_NONE)
        join(row, kernel->live + (size_t)instr->target * words, words);
    for (uint32_t i = 0; i < instr->target_count; i++)
        join(row, kernel->live + (size_t)instr->targets[i] * words, words);
    if ((!jumps && kind != PTX_END) || instr->guard != LIT_NONE)
        join(row, kernel->live + (size_t)(pc + 1) * words, words);
    mark_instr(row, instr);
    return join(kernel->live + (size_t)pc * words, row, words);
}

static void renumber(struct ptx_operand *operand, uint32_t *to, uint32_t *count)
{
    for (uint32_t i = 0; operand->kind == PTX_VECTOR && i < operand->count; i++)
        renumber(&operand->elements[i], to, count);
    if (operand->kind != PTX_REGISTER)
        return;
    if (to[operand->reg] == LIT_NONE)
        to[operand->reg] = (*count)++;
    operand->reg = to[operand->reg];
}

/* What holds nothing yet and has no number is used nowhere. */
static void keep_numbered(struct ptx_instr *instr, const uint32_t *to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < instr->count; i++) {
        struct ptx_operand operand = instr->operands[i];
        if (operand.kind == PTX_REGISTER)
            operand.reg = to[operand.reg];
        if (operand.kind != PTX_REGISTER || operand.reg != LIT_NONE)
            instr->operands[count++] = operand;
    }
    instr->count = count;
}

/* Only registers that the code has keep a number: each costs in each state. */
static void drop_registers(struct arena *arena, struct ptx_kernel *kernel)
{
    size_t size = kernel->registers.count;
    const struct ptx_register *all = arena_copy(arena, kernel->registers.items, size * sizeof *all);
    uint32_t *to = ARENA_ARRAY(arena, uint32_t, size), count = 0;
    memset(to, 0xff, size * sizeof *to);
    EACH_IN (struct ptx_instr, instr, kernel->code) {
        struct ptx_operand guard = {.kind = PTX_REGISTER, .reg = instr->guard};
        for (uint32_t i = 0; i < instr->count && !instr->declares; i++)
            renumber(&instr->operands[i], to, &count);
        if (instr->guard != LIT_NONE)
            renumber(&guard, to, &count);
        instr->guard = guard.reg;
    }
    EACH_IN (struct ptx_instr, instr, kernel->code)
        if (instr->declares)
            keep_numbered(instr, to);
    for (size_t i = 0; i < size; i++)
        if (to[i] != LIT_NONE)
            kernel->registers.items[to[i]] = all[i];
    kernel->registers.count = count;
}

static bool is_copy(const struct ptx_instr *a, const struct ptx_instr *b)
{
    return a->barrier && a->span.line == b->span.line && a->span.column == b->span.column;
}

/* By what comes before it, and not by its line: so a fence that `place` adds changes nothing. */
static void number_barriers(struct ptx_kernel *kernel)
{
    uint32_t count = 0;
    EACH (struct ptx_instr, instr, kernel->code.items, kernel->code.count) {
        if (instr->why || instr->meaning.word->kind != PTX_BARRIER)
            continue;
        size_t i = 0, at = (size_t)(instr - kernel->code.items);
        while (i < at && !is_copy(&kernel->code.items[i], instr))
            i++;
        instr->barrier = i < at ? kernel->code.items[i].barrier : ++count;
    }
}

void ptx_live_prepare(struct arena *arena, struct ptx_kernel *kernel)
{
    static const struct ptx_word declares = {.text = "{", .kind = PTX_FORGET};
    uint32_t count;
    if (kernel->live)
        return;
    ptx_inline(arena, kernel);
    ptx_place_all(arena, kernel);
    count = (uint32_t)kernel->code.count;
    drop_registers(arena, kernel);
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_instr *instr = &kernel->code.items[i];
        if (instr->declares)
            instr->meaning.word = &declares;
        else if (!instr->why && !instr->marks)
            (void)!ptx_read_word(arena, instr->text, &instr->meaning, &instr->why);
    }
    number_barriers(kernel);
    kernel->row = (uint32_t)(kernel->registers.count + 63) / 64 + 1;
    kernel->live = ARENA_ARRAY(arena, uint64_t, (size_t)(count + 1) * kernel->row);
    uint64_t *row = ARENA_ARRAY(arena, uint64_t, kernel->row);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = count; i-- > 0;)
            more |= flow_back(kernel, i, row);
    }
}

bool ptx_is_live(const struct ptx_kernel *kernel, uint32_t pc, uint32_t reg)
{
    if (reg >= kernel->registers.count)
        return true;
    return bits_get(kernel->live + (size_t)pc * kernel->row, reg);
}
