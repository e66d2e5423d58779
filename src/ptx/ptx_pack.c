/* All values are read before a register is written. An address in parts may become any of its
 * object. */
#include "ptx/ptx_pack.h"

#include "ptx/ptx_compute.h"
#include "ptx/ptx_fold.h"

bool ptx_packs(const struct ptx_instr *instr)
{
    return instr->meaning.word->fold == PTX_MOV && instr->count == 2 &&
           (instr->operands[0].kind == PTX_VECTOR || instr->operands[1].kind == PTX_VECTOR);
}

/* What a result is: its bits, and whether and of what it is opaque. */
struct packed {
    const struct lit_expr *value;
    const struct ptx_instr *opaque; /* its origin; NULL: it is not */
    bool addresses;
};

static struct packed read_operand(struct ptx_walk *s, const struct ptx_operand *operand)
{
    struct ptx_value value = ptx_value_of(s, operand);
    return (struct packed){ptx_cast(s->arena, LIT_ULONG, ptx_operand_expr(s, operand, &value)),
                           value.opaque ? value.origin : NULL, value.of != 0};
}

static const struct lit_expr *shift(struct ptx_walk *s, enum lit_operator op,
                                    const struct lit_expr *value, uint32_t by)
{
    return ptx_apply(s->arena, op, LIT_ULONG, value, ptx_constant(s->arena, LIT_ULONG, by));
}

static void set_register(struct ptx_walk *s, uint32_t reg, struct packed what)
{
    if (what.opaque) /* what it depends on stays */
        what.value = shift(s, LIT_OP_BITAND, what.value, 0);
    (void)ptx_assign(s, reg,
                     ptx_cast(s->arena, ptx_lit_type(ptx_bits_of(s, reg), false), what.value));
    s->now[reg].opaque = what.opaque;
    s->now[reg].origin = what.opaque;
    s->now[reg].of = what.addresses ? PTX_ANY : 0;
}

static void unpack(struct ptx_walk *s, const struct ptx_operand *into,
                   const struct ptx_operand *from, uint32_t bits)
{
    struct packed whole = read_operand(s, from);
    whole.value = ptx_hold(s, whole.value);
    for (uint32_t i = 0; i < into->count && !s->failed; i++) {
        struct packed part = whole;
        part.value = shift(s, LIT_OP_SHR, whole.value, i * bits);
        if (into->elements[i].kind == PTX_REGISTER) /* else `_` */
            set_register(s, into->elements[i].reg, part);
    }
}

static void pack(struct ptx_walk *s, const struct ptx_operand *into, const struct ptx_operand *from,
                 uint32_t bits)
{
    struct packed whole = {.value = ptx_constant(s->arena, LIT_ULONG, 0)};
    uint64_t mask = ptx_narrow(UINT64_MAX, bits);
    for (uint32_t i = 0; i < from->count && !s->failed; i++) {
        const struct packed part = read_operand(s, &from->elements[i]);
        const struct lit_expr *value = ptx_apply(s->arena, LIT_OP_BITAND, LIT_ULONG, part.value,
                                                 ptx_constant(s->arena, LIT_ULONG, mask));
        whole.value = ptx_apply(s->arena, LIT_OP_BITOR, LIT_ULONG, whole.value,
                                shift(s, LIT_OP_SHL, value, i * bits));
        whole.opaque = part.opaque ? part.opaque : whole.opaque;
        whole.addresses |= part.addresses;
    }
    if (!s->failed)
        set_register(s, into->reg, whole);
}

void ptx_step_pack(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const struct ptx_operand *into = &instr->operands[0], *from = &instr->operands[1];
    bool packs = from->kind == PTX_VECTOR;
    const struct ptx_operand *parts = packs ? from : into, *whole = packs ? into : from;
    uint32_t bits = parts->count ? instr->meaning.type.bits / parts->count : 0;
    bool good = !parts->paired && whole->kind == PTX_REGISTER && bits >= 8 &&
                bits * parts->count == instr->meaning.type.bits &&
                ptx_has_bits(s, whole, instr->meaning.type.bits) &&
                ALL(i, parts->count, ptx_has_bits(s, &parts->elements[i], bits));
    if (!good)
        PTX_REFUSE(s, "its vector has not the parts of its type");
    else if (packs)
        pack(s, into, from, bits);
    else
        unpack(s, into, from, bits);
}
