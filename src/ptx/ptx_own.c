#include "ptx/ptx_own.h"

#include "ptx/ptx_compute.h"
#include "ptx/ptx_fold.h"
#include "ptx/ptx_inline.h"

enum { MOST_PLACES = 64 };

/* Where an access may be, each of all its elements. */
struct places {
    uint64_t at[MOST_PLACES];
    uint32_t count;
    bool all;                  /* it is nowhere else */
    const struct lit_expr *by; /* the address that chooses one; NULL: it is known */
};

/* What some bytes hold. */
struct held {
    const struct lit_expr *value;
    const struct ptx_instr *origin; /* of an opaque one; NULL: it is none */
    uint32_t of;                    /* as in ptx_value, */
    uint8_t clear;                  /* and all bytes of what is not opaque */
};

bool ptx_own_is(const struct ptx_walk *s, const struct ptx_operand *address)
{
    const struct ptx_value *value =
        address->kind == PTX_REGISTER ? &s->now[address->reg] : &(struct ptx_value){0};
    uint64_t known = value->sure ? value->is : value->known;
    bool said = s->instr->meaning.space == PTX_LOCAL && value->kind == PTX_READ;
    return said || ptx_is_own(s->kernel, known + (uint64_t)address->number);
}

/* ---- Slots ---- */

static bool meets(const struct ptx_walk *s, uint32_t reg, uint64_t address, uint32_t bytes)
{
    const struct ptx_slot *slot = &s->slots[reg - s->kernel->registers.count];
    return s->now[reg].kind != PTX_UNKNOWN && slot->address < address + bytes &&
           address < slot->address + slot->bytes;
}

/* LIT_NONE: there is none yet. */
static uint32_t find_slot(const struct ptx_walk *s, uint64_t address, uint32_t bytes)
{
    uint32_t registers = (uint32_t)s->kernel->registers.count;
    for (uint32_t i = registers; i < s->count; i++)
        if (s->slots[i - registers].address == address && s->slots[i - registers].bytes == bytes)
            return i;
    return LIT_NONE;
}

/* LIT_NONE after reporting. */
static uint32_t slot_of(struct ptx_walk *s, uint64_t address, uint32_t bytes)
{
    uint32_t registers = (uint32_t)s->kernel->registers.count;
    uint32_t found = find_slot(s, address, bytes);
    if (found != LIT_NONE)
        return found;
    if (s->count - registers == s->most_slots) {
        PTX_FAULT(s, DIAG_LIT_TOO_LARGE, "a thread has more than %d values in memory of its own%s",
                  PTX_MAX_SLOTS, ptx_where(s, s->instr));
        return LIT_NONE;
    }
    s->slots[s->count - registers] = (struct ptx_slot){address, bytes};
    return s->count++;
}

/* ---- Bytes ---- */

/* The bits of the slot as they stand behind the address. */
static const struct lit_expr *shifted(struct ptx_walk *s, uint32_t reg, uint64_t address)
{
    const struct ptx_slot *slot = &s->slots[reg - s->kernel->registers.count];
    const struct lit_expr *value =
        ptx_cast(s->arena, LIT_ULONG, ptx_expr_of(s, &s->now[reg], slot->bytes * 8));
    bool before = slot->address < address;
    uint64_t bytes = before ? address - slot->address : slot->address - address;
    return bytes ? ptx_with(s->arena, before ? LIT_OP_SHR : LIT_OP_SHL, LIT_ULONG, value, bytes * 8)
                 : value;
}

/* Those of the bytes that the slot holds and that are not opaque. */
static uint8_t clear_bytes(const struct ptx_walk *s, uint32_t reg, uint64_t address, uint32_t bytes)
{
    const struct ptx_slot *slot = &s->slots[reg - s->kernel->registers.count];
    uint8_t clear = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        uint64_t at = address + i - slot->address;
        if (at < slot->bytes && (!s->now[reg].opaque || s->now[reg].clear >> at & 1))
            clear |= (uint8_t)(1 << i);
    }
    return clear;
}

static struct held gather(struct ptx_walk *s, uint64_t address, uint32_t bytes)
{
    uint32_t registers = (uint32_t)s->kernel->registers.count;
    const struct lit_expr *value = NULL;
    struct held all = {.origin = s->instr};
    for (uint32_t i = registers; i < s->count; i++) {
        const struct ptx_slot *slot = &s->slots[i - registers];
        if (!meets(s, i, address, bytes))
            continue;
        bool exact = slot->address == address && slot->bytes == bytes;
        const struct lit_expr *part = shifted(s, i, address);
        value = value ? ptx_apply(s->arena, LIT_OP_BITOR, LIT_ULONG, value, part) : part;
        all.of = exact ? s->now[i].of : all.of || s->now[i].of ? PTX_ANY : 0;
        all.origin = s->now[i].opaque ? s->now[i].origin : all.origin;
        all.clear |= clear_bytes(s, i, address, bytes);
    }
    if (all.clear == (1 << bytes) - 1)
        all.origin = NULL;
    if (!value)
        value = ptx_constant(s->arena, LIT_ULONG, 0);
    all.value = ptx_cast(s->arena, ptx_lit_type(bytes * 8, false), value);
    return all;
}

static void put(struct ptx_walk *s, uint32_t reg, const struct held *held)
{
    const struct lit_expr *value = ptx_cast(s->arena, LIT_ULONG, held->value);
    const uint32_t bits = ptx_bits_of(s, reg), all = (1U << bits / 8) - 1;
    const bool opaque = held->origin && (held->clear & all) != all;
    if (opaque && !held->clear)
        value = ptx_depending(s, value);
    (void)ptx_assign(s, reg, ptx_cast(s->arena, ptx_lit_type(bits, false), value));
    ptx_note_origin(s, reg, opaque ? held->origin : NULL, held->of);
    s->now[reg].clear = opaque ? held->clear : 0;
}

/* The bytes get slots of their own; each is aligned. */
static void cut(struct ptx_walk *s, uint64_t begin, uint64_t end)
{
    while (begin < end && !s->failed) {
        uint32_t bytes = 8;
        while (begin % bytes || begin + bytes > end)
            bytes /= 2;
        const struct held held = gather(s, begin, bytes);
        uint32_t slot = slot_of(s, begin, bytes);
        if (slot != LIT_NONE)
            put(s, slot, &held);
        begin += bytes;
    }
}

/* No slot but one of just these bytes holds any of them. */
static void make_room(struct ptx_walk *s, uint64_t address, uint32_t bytes)
{
    uint32_t registers = (uint32_t)s->kernel->registers.count, count = s->count;
    for (uint32_t i = registers; i < count && !s->failed; i++) {
        const struct ptx_slot slot = s->slots[i - registers];
        if (!meets(s, i, address, bytes) || (slot.address == address && slot.bytes == bytes))
            continue;
        cut(s, slot.address, address);
        cut(s, address + bytes, slot.address + slot.bytes);
        s->now[i] = (struct ptx_value){0};
    }
}

/* One slot holds what these bytes hold; nothing where they hold nothing. */
static void unite(struct ptx_walk *s, uint64_t address, uint32_t bytes)
{
    uint32_t registers = (uint32_t)s->kernel->registers.count, slot = find_slot(s, address, bytes);
    if ((slot != LIT_NONE && s->now[slot].kind != PTX_UNKNOWN) ||
        !ANY(i, s->count - registers, meets(s, registers + i, address, bytes)))
        return;
    struct held held = gather(s, address, bytes);
    held.value = ptx_hold(s, held.value);
    make_room(s, address, bytes);
    slot = s->failed ? LIT_NONE : slot_of(s, address, bytes);
    if (slot != LIT_NONE)
        put(s, slot, &held);
}

/* ---- Places ---- */

/* Of an address that is known + factor * n for an n that is read. */
struct range {
    uint64_t known, factor, step;
    uint64_t most; /* the greatest n; LIT_NONE: any */
};

static struct range range_of(const struct ptx_walk *s, const struct ptx_value *address)
{
    uint64_t factor = address->factor, most = address->most;
    uint64_t step = factor >> 63 ? 0 - factor : factor;
    bool narrow = lit_type_bits(s->residue.registers.items[address->reg]) == 32;
    bool exact = narrow && step < UINT32_MAX;
    bool within = most && most <= INT32_MAX && factor <= INT32_MAX;
    return (struct range){address->known, factor, exact ? step : step & (0 - step),
                          within ? most : LIT_NONE};
}

static bool may_be(const struct range *range, uint64_t address)
{
    uint64_t behind = address - range->known;
    uint64_t distance = behind >> 63 ? 0 - behind : behind;
    if (range->most == LIT_NONE)
        return distance % range->step == 0;
    return behind % range->factor == 0 && behind / range->factor <= range->most;
}

/* Of so many bytes, aligned, wherever the thread has memory. False: there are too many. */
static bool find_places(const struct ptx_walk *s, const struct range *range, uint32_t bytes,
                        struct places *places)
{
    EACH_IN (const struct ptx_local, local, s->kernel->locals) {
        if (local->unnamed)
            continue;
        s->memory->steps += local->size / bytes / 64; /* it takes its time */
        for (uint64_t at = 0; at + bytes <= local->size; at += bytes) {
            if (!may_be(range, local->address + at))
                continue;
            if (places->count == MOST_PLACES)
                return false;
            places->at[places->count++] = local->address + at;
        }
    }
    places->all = range->most != LIT_NONE && places->count == range->most + 1;
    return true;
}

static const struct lit_expr *is_at(const struct ptx_walk *s, const struct places *places,
                                    uint32_t place)
{
    return ptx_with(s->arena, LIT_OP_EQ, LIT_ULONG, places->by, places->at[place]);
}

/* The address is kept, since what it is computed of may be overwritten. */
static void choose(struct ptx_walk *s, struct places *places, const struct lit_expr *address)
{
    const struct lit_expr *any = ptx_constant(s->arena, LIT_INT, 0);
    places->by = ptx_hold(s, ptx_cast(s->arena, LIT_ULONG, address));
    if (places->all)
        return;
    for (uint32_t i = 0; i < places->count; i++)
        any = ptx_apply(s->arena, LIT_OP_BITOR, LIT_INT, any, is_at(s, places, i));
    struct ptx_step *check = ptx_emit(s, LIT_CHECK);
    check->instr.value = any;
    check->instr.addr.index = places->by;
    check->instr.text = ptx_told_at(s, "access out of bounds");
}

static bool in_locals(const struct ptx_walk *s, uint64_t address, uint64_t bytes)
{
    return ANY(i, s->kernel->locals.count,
               address >= s->kernel->locals.items[i].address &&
                   address - s->kernel->locals.items[i].address + bytes <=
                       s->kernel->locals.items[i].size);
}

/* A parameter is its caller's, too, and no function's to write but by its name. */
static bool is_written_param(const struct ptx_walk *s, bool named, uint64_t address)
{
    return s->instr->meaning.word->kind == PTX_STORE && !named &&
           ANY(i, s->kernel->locals.count,
               s->kernel->locals.items[i].param &&
                   address - s->kernel->locals.items[i].address < s->kernel->locals.items[i].size);
}

/* False after reporting. */
static bool find(struct ptx_walk *s, const struct ptx_operand *at, uint32_t bytes,
                 struct places *places)
{
    const struct ptx_value address = ptx_value_of(s, at);
    uint32_t bits = at->kind == PTX_REGISTER ? ptx_bits_of(s, at->reg) : 64;
    if (s->failed || !ptx_check_known(s, &address, "the address"))
        return false;
    *places = (struct places){.count = 1, .all = true};
    places->at[0] = address.sure ? address.is + (uint64_t)at->number : address.known;
    bool reads = address.kind == PTX_READ, sure = !reads || address.sure;
    if (sure && (!in_locals(s, places->at[0], bytes) || places->at[0] % bytes)) {
        PTX_REFUSE(s, "it reaches outside of the thread's own memory, or is not aligned there");
        return false;
    }
    if (!sure && bits != 64)
        PTX_REFUSE(s, "its address depends on a read and has 32 bits");
    if (!sure && !s->failed) {
        const struct range range = range_of(s, &address);
        places->count = 0;
        if (!find_places(s, &range, bytes, places))
            PTX_REFUSE(s, "the thread's own memory has more than 64 places that it may be, by an "
                          "index that is read");
        else if (!places->count)
            PTX_REFUSE(s, "it is nowhere in the thread's own memory, or is not aligned there");
    }
    if (!s->failed &&
        ANY(i, places->count, is_written_param(s, at->kind != PTX_REGISTER, places->at[i])))
        PTX_REFUSE(s, "it may store to a parameter of a function");
    if (reads && !s->failed)
        choose(s, places, ptx_expr_of(s, &address, bits));
    return !s->failed;
}

/* ---- Accesses ---- */

/* Is it a number, and no address in the thread's own memory? */
static bool is_number(const struct ptx_walk *s, const struct held *held)
{
    return held->value->op == LIT_OP_CONST && !held->of &&
           !ptx_is_own(s->kernel, (uint64_t)held->value->value);
}

/* The one where the address is that of the place, else the other. */
static struct held one_of(struct ptx_walk *s, const struct places *places, uint32_t place,
                          const struct held *one, const struct held *other)
{
    return (struct held){.value = ptx_choose(s->arena, one->value->type, is_at(s, places, place),
                                             one->value, other->value),
                         .origin = one->origin ? one->origin : other->origin,
                         .clear = one->clear & other->clear,
                         .of = one->of == other->of || is_number(s, other) ? one->of
                               : is_number(s, one)                         ? other->of
                                                                           : PTX_ANY};
}

static void load(struct ptx_walk *s, const struct ptx_operand *into, const struct places *places,
                 uint64_t behind)
{
    const struct ptx_type *type = &s->instr->meaning.type;
    uint32_t bytes = type->bits / 8, slot = find_slot(s, places->at[0] + behind, bytes);
    struct ptx_operand from = {.kind = PTX_REGISTER, .reg = slot};
    if (into->kind != PTX_REGISTER) /* `_` */
        return;
    if (!places->by && slot != LIT_NONE && s->now[slot].kind != PTX_UNKNOWN) {
        ptx_move(s, into, &from, type);
        return;
    }
    struct held all = gather(s, places->at[places->count - 1] + behind, bytes);
    if (places->by) /* it depends on that also where there is but one */
        all = one_of(s, places, places->count - 1, &all,
                     &(struct held){.value = ptx_constant(s->arena, all.value->type, 0),
                                    .clear = UINT8_MAX});
    for (uint32_t i = places->count - 1; i-- > 0;) {
        const struct held one = gather(s, places->at[i] + behind, bytes);
        all = one_of(s, places, i, &one, &all);
    }
    all.value = ptx_cast(s->arena, ptx_lit_type(type->bits, type->is_signed), all.value);
    if (ptx_bits_of(s, into->reg) != type->bits)
        all.clear = 0;
    put(s, into->reg, &all);
}

/* The value is there at that place, and at the others what was. */
static void change(struct ptx_walk *s, const struct ptx_operand *from, const struct places *places,
                   uint32_t place, uint64_t behind)
{
    uint32_t bits = s->instr->meaning.type.bits;
    uint64_t address = places->at[place] + behind;
    unite(s, address, bits / 8);
    const struct ptx_value value = ptx_value_of(s, from);
    const struct held old = gather(s, address, bits / 8);
    const struct held new = {
        ptx_cast(s->arena, ptx_lit_type(bits, false), ptx_operand_expr(s, from, &value)),
        value.opaque ? value.origin : NULL, value.of, value.opaque ? value.clear : UINT8_MAX};
    uint32_t slot = s->failed ? LIT_NONE : slot_of(s, address, bits / 8);
    const struct held held = one_of(s, places, place, &new, &old);
    if (slot != LIT_NONE)
        put(s, slot, &held);
}

static void store(struct ptx_walk *s, const struct ptx_operand *from, const struct places *places,
                  uint64_t behind)
{
    const struct ptx_type *type = &s->instr->meaning.type;
    for (uint32_t i = 0; places->by && i < places->count && !s->failed; i++)
        change(s, from, places, i, behind);
    if (places->by)
        return;
    make_room(s, places->at[0] + behind, type->bits / 8);
    uint32_t slot = s->failed ? LIT_NONE : slot_of(s, places->at[0] + behind, type->bits / 8);
    if (slot != LIT_NONE)
        ptx_move(s, &(struct ptx_operand){.kind = PTX_REGISTER, .reg = slot}, from, type);
}

/* What the instruction has as operands is kept up to its end. */
void ptx_own_step(struct ptx_walk *s, const struct ptx_operand *address,
                  const struct ptx_operand *values)
{
    const struct ptx_meaning *meaning = &s->instr->meaning;
    uint32_t bytes = meaning->type.bits / 8;
    struct places places;
    if (meaning->space != PTX_GENERIC && meaning->space != PTX_LOCAL && meaning->space != PTX_PARAM)
        PTX_REFUSE(s, "the thread's own memory is of another space");
    s->within = true;
    for (uint32_t i = 0; i < meaning->vector && !s->failed; i++) {
        const struct ptx_operand *one = values->kind == PTX_VECTOR ? &values->elements[i] : values;
        if (i == 0 && !find(s, address, bytes * meaning->vector, &places))
            break;
        if (meaning->word->kind == PTX_LOAD)
            load(s, one, &places, (uint64_t)i * bytes);
        else
            store(s, one, &places, (uint64_t)i * bytes);
    }
    s->within = false;
}
