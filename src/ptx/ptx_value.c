#include "ptx/ptx_value.h"

#include "litmus/lit_code.h"
#include "ptx/ptx_fold.h"
#include "ptx/ptx_inline.h"
#include "ptx/ptx_place.h"

#include <inttypes.h>

const char *ptx_where(const struct ptx_walk *s, const struct ptx_instr *instr)
{
    const char *text = ptx_place_text(instr);
    return text ? arena_printf(s->arena, " (%s)", text) : "";
}

/* ---- Registers of the residue ---- */

uint32_t ptx_bits_of(const struct ptx_walk *s, uint32_t reg)
{
    size_t count = s->kernel->registers.count;
    return reg < count ? s->kernel->registers.items[reg].type.bits
                       : s->slots[reg - count].bytes * 8;
}

bool ptx_has_bits(const struct ptx_walk *s, const struct ptx_operand *operand, uint32_t bits)
{
    return operand->kind != PTX_REGISTER || ptx_bits_of(s, operand->reg) == bits;
}

uint32_t ptx_new_register(struct ptx_walk *s, enum lit_type type)
{
    VEC_PUSH(&s->residue.registers, type);
    return (uint32_t)s->residue.registers.count - 1;
}

static uint32_t own_of(struct ptx_walk *s, uint32_t reg)
{
    if (s->own[reg] == LIT_NONE)
        s->own[reg] = ptx_new_register(s, ptx_lit_type(ptx_bits_of(s, reg), false));
    return s->own[reg];
}

const struct lit_expr *ptx_read_register(struct ptx_walk *s, uint32_t reg)
{
    enum lit_type type = s->residue.registers.items[reg];
    return ARENA_MAKE(s->arena, struct lit_expr, .op = LIT_OP_REG, .type = type, .operands = type,
                      .reg = reg);
}

struct ptx_step *ptx_emit(struct ptx_walk *s, enum lit_instr_op op)
{
    VEC_PUSH(&s->block->steps, (struct ptx_step){.instr = {.op = op,
                                                           .dst = LIT_NONE,
                                                           .dst_old = LIT_NONE,
                                                           .decides = LIT_NONE,
                                                           .loop = LIT_NONE,
                                                           .origin = s->instr->origin}});
    if (++s->steps > PTX_MAX_STEPS || s->block->steps.count > LIT_MAX_CODE)
        PTX_FAULT(s, DIAG_LIT_TOO_LARGE, "the kernel is too long for one thread here%s",
                  ptx_where(s, s->instr));
    return &VEC_LAST(&s->block->steps);
}

static void emit_set(struct ptx_walk *s, uint32_t reg, const struct lit_expr *value)
{
    for (uint32_t i = 0; i < s->count; i++) /* what was told of it is over */
        if (s->now[i].tells == reg + 1)
            s->now[i].tells = 0;
    struct ptx_step *step = ptx_emit(s, LIT_SET);
    step->instr.dst = reg;
    step->instr.value = value;
    if (lit_code_may_fault(value))
        step->instr.text = ptx_told_at(s, "division by zero");
}

const struct lit_expr *ptx_hold(struct ptx_walk *s, const struct lit_expr *value)
{
    if (value->op == LIT_OP_CONST)
        return value;
    uint32_t reg = ptx_new_register(s, value->type);
    emit_set(s, reg, value);
    return ptx_read_register(s, reg);
}

const char *ptx_told_at(const struct ptx_walk *s, const char *what)
{
    const char *text = ptx_place_text(s->instr);
    return text ? arena_printf(s->arena, "%s (%s)", what, text)
                : arena_printf(s->arena, "%s (%s:%" PRIu32 ")", what,
                               source_file_name(s->instr->span.source->name), s->instr->span.line);
}

bool ptx_is_plain(const struct ptx_value *value)
{
    return value->kind == PTX_READ && value->known == 0 && value->factor == 1 && !value->extends;
}

const struct lit_expr *ptx_expr_of(struct ptx_walk *s, const struct ptx_value *value, uint32_t bits)
{
    enum lit_type type = ptx_lit_type(bits, false);
    if (value->kind != PTX_READ)
        return ptx_constant(s->arena, type, value->known);
    const struct lit_expr *expr = ptx_read_register(s, value->reg);
    if (value->extends)
        expr = ptx_cast(s->arena, LIT_LONG, ptx_cast(s->arena, LIT_INT, expr));
    if (ptx_is_plain(value) && bits == 1)
        return expr;
    expr = ptx_cast(s->arena, type, expr);
    if (value->factor != 1)
        expr = ptx_with(s->arena, LIT_OP_MUL, type, expr, value->factor);
    if (value->known)
        expr = ptx_with(s->arena, LIT_OP_ADD, type, expr, value->known);
    return expr;
}

bool ptx_is_address(const struct ptx_walk *s, const struct ptx_value *value)
{
    return ptx_memory_near(s->memory, value->known) != LIT_NONE ||
           ptx_is_own(s->kernel, value->known);
}

/* An address keeps its form, and its index moves. */
static uint32_t place_to_move(struct ptx_walk *s, uint32_t reg)
{
    enum lit_type type = s->residue.registers.items[s->now[reg].reg];
    if (!ptx_is_address(s, &s->now[reg]))
        return own_of(s, reg);
    uint32_t *index = &s->index[lit_type_bits(type) == 64][reg];
    if (*index == LIT_NONE)
        *index = ptx_new_register(s, type);
    return *index;
}

/* Does a move overwrite what the register's value is computed of? */
static bool is_overwritten(const struct ptx_walk *s, uint32_t held, uint32_t reg)
{
    uint32_t of = s->now[reg].reg;
    return of == held || ANY(i, s->count, s->moves[i] && s->to[i] == of);
}

/* Who is computed of the register `held`, but for `except`, moves before that is assigned, and so
 * does who is computed of a place that a move overwrites. */
static uint32_t find_moves(struct ptx_walk *s, uint32_t held, uint32_t except, uint32_t pc)
{
    uint32_t count = 0;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < s->count; i++)
            if (i != except && !s->moves[i] && s->now[i].kind == PTX_READ &&
                (ptx_is_live(s->kernel, pc, i) ||
                 (s->within && ptx_is_live(s->kernel, s->pc, i))) &&
                is_overwritten(s, held, i)) {
                s->to[i] = place_to_move(s, i);
                s->moves[i] = more = true;
                count++;
            }
    }
    return count;
}

static const struct lit_expr *moved_value(struct ptx_walk *s, uint32_t reg)
{
    return s->to[reg] == s->own[reg] ? ptx_expr_of(s, &s->now[reg], ptx_bits_of(s, reg))
                                     : ptx_read_register(s, s->now[reg].reg);
}

/* It is in a register as it is. */
static void now_plain(struct ptx_value *value)
{
    bool plain = ptx_is_plain(value);
    value->loaded &= plain;
    value->most = plain ? value->most : 0;
    value->known = value->tells = 0;
    value->factor = 1;
    value->extends = false;
}

/* All values are read before a place is written. */
static void move(struct ptx_walk *s)
{
    size_t count = s->count;
    uint32_t *held = ARENA_ARRAY(s->scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (s->moves[i]) {
            held[i] = ptx_new_register(s, s->residue.registers.items[s->to[i]]);
            emit_set(s, held[i], moved_value(s, i));
        }
    for (uint32_t i = 0; i < count; i++)
        if (s->moves[i]) {
            emit_set(s, s->to[i], ptx_read_register(s, held[i]));
            if (s->to[i] == s->own[i])
                now_plain(&s->now[i]);
            s->now[i].reg = s->to[i];
        }
    memset(s->moves, 0, count * sizeof *s->moves);
}

void ptx_settle(struct ptx_walk *s, uint32_t reg)
{
    if (ptx_is_plain(&s->now[reg]) && s->now[reg].reg == own_of(s, reg))
        return;
    s->to[reg] = own_of(s, reg);
    s->moves[reg] = true;
    find_moves(s, s->to[reg], reg, s->pc);
    move(s);
}

void ptx_settle_index(struct ptx_walk *s, uint32_t reg)
{
    const struct ptx_value value = s->now[reg];
    uint32_t object = ptx_memory_near(s->memory, value.known);
    uint64_t base = object != LIT_NONE ? s->memory->objects.items[object].base : value.known;
    int64_t step = (int64_t)value.factor, behind = (int64_t)(value.known - base);
    if (step <= 0 || ptx_bits_of(s, reg) != 64)
        return;
    int64_t rounds = behind / step - (behind % step < 0);
    uint32_t *index = &s->index[1][reg], held;
    if (rounds == 0)
        return;
    if (*index == LIT_NONE)
        *index = ptx_new_register(s, LIT_ULONG);
    const struct ptx_value only = {
        .kind = PTX_READ, .reg = value.reg, .extends = value.extends, .factor = 1};
    held = ptx_new_register(s, LIT_ULONG);
    emit_set(
        s, held,
        ptx_with(s->arena, LIT_OP_ADD, LIT_ULONG, ptx_expr_of(s, &only, 64), (uint64_t)rounds));
    if (find_moves(s, *index, reg, s->pc))
        move(s);
    emit_set(s, *index, ptx_read_register(s, held));
    s->now[reg] = (struct ptx_value){.kind = PTX_READ,
                                     .reg = *index,
                                     .factor = value.factor,
                                     .known = value.known - (uint64_t)(rounds * step),
                                     .of = value.of};
}

/* The place for a new value of the register. `value` is read before others move. */
bool ptx_define(struct ptx_walk *s, uint32_t reg, const struct lit_expr *value)
{
    uint32_t own = own_of(s, reg);
    bool moves = find_moves(s, own, reg, s->pc + 1);
    if (moves) {
        value = ptx_hold(s, value);
        move(s);
    }
    emit_set(s, own, value);
    s->now[reg] = (struct ptx_value){.kind = PTX_READ, .reg = own, .factor = 1};
    return moves;
}

bool ptx_assign(struct ptx_walk *s, uint32_t reg, const struct lit_expr *value)
{
    uint32_t bits = ptx_bits_of(s, reg);
    if (value->op == LIT_OP_CONST) {
        const struct lit_expr *known = ptx_cast(s->arena, ptx_lit_type(bits, false), value);
        s->now[reg] = (struct ptx_value){.kind = PTX_KNOWN, .known = (uint64_t)known->value};
        return false;
    }
    return ptx_define(s, reg, value);
}

void ptx_note_origin(struct ptx_walk *s, uint32_t reg, const struct ptx_instr *origin, uint32_t of)
{
    s->now[reg].opaque = origin;
    s->now[reg].origin = origin;
    s->now[reg].of = of;
}

const struct lit_expr *ptx_depending(struct ptx_walk *s, const struct lit_expr *value)
{
    return ptx_with(s->arena, LIT_OP_BITAND, LIT_ULONG, ptx_cast(s->arena, LIT_ULONG, value), 0);
}
