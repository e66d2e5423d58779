#include "ptx/ptx_compute.h"

#include "ptx/ptx_fold.h"
#include "ptx/ptx_inline.h"

/* ---- Operands ---- */

/* %ntid, or %tid of the thread so far from the first; and so of blocks. */
static uint32_t index_of(bool extent, uint32_t rank, const uint32_t *of, char direction)
{
    return extent             ? of[direction - 'x']
           : direction == 'x' ? rank % of[0]
           : direction == 'y' ? rank / of[0] % of[1]
                              : rank / of[0] / of[1];
}

/* Lanes below this one, up to it, it, from it on, above it. */
static bool lane_mask(const char *which, uint32_t lane, uint64_t *value)
{
    static const char *const words[] = {"lt", "le", "eq", "ge", "gt"};
    uint32_t own = UINT32_C(1) << lane, below = own - 1;
    const uint32_t masks[] = {below, below | own, own, ~below, ~(below | own)};
    for (uint32_t i = 0; i < 5; i++)
        if (strcmp(words[i], which) == 0) {
            *value = masks[i];
            return true;
        }
    return false;
}

static bool special_register(const struct ptx_walk *s, const char *name, uint64_t *value)
{
    const struct ast_launch *launch = s->thread->launch;
    uint32_t size = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t lane = s->thread->rank % size, block = s->thread->rank / size;
    size_t length = strlen(name);
    bool directed = *name == '%' && length > 2 && name[length - 2] == '.';
    char direction = directed ? name[length - 1] : '\0';
    if (direction && (direction < 'x' || direction > 'z'))
        return false;
    const bool extent = direction && name[1] == 'n';
    const char *of = name + extent;
    if (direction && strncmp(of + 1, "tid.", 4) == 0)
        *value = index_of(extent, lane, launch->block, direction);
    else if (direction && strncmp(of + 1, "ctaid.", 6) == 0)
        *value = index_of(extent, block, launch->grid, direction);
    else if (strcmp(name, "%laneid") == 0)
        *value = lane % 32;
    else if (strcmp(name, "%warpid") == 0)
        *value = lane / 32;
    else if (strncmp(name, "%lanemask_", 10) == 0)
        return lane_mask(name + 10, lane % 32, value);
    else
        return false;
    return true;
}

static bool is_clock(const char *name)
{
    return strncmp(name, "%clock", 6) == 0 || strcmp(name, "%globaltimer") == 0 ||
           strcmp(name, "%smid") == 0 || strcmp(name, "%gridid") == 0;
}

struct ptx_value ptx_opaque_value(const struct ptx_walk *s)
{
    return (struct ptx_value){.kind = PTX_KNOWN, .opaque = true, .origin = s->instr};
}

/* %envreg1 and 2: what cooperative groups take for the halves of the workspace's address. */
static bool workspace_part(const struct ptx_walk *s, const char *name, struct ptx_value *value)
{
    bool upper = strcmp(name, "%envreg1") == 0;
    uint64_t base = s->memory->objects.items[s->memory->workspace].base;
    if (!upper && strcmp(name, "%envreg2") != 0)
        return false;
    value->known = upper ? base >> 32 : (uint32_t)base;
    value->of = s->memory->workspace + 1;
    return true;
}

static struct ptx_value named_value(struct ptx_walk *s, const char *name)
{
    struct ptx_value value = {.kind = PTX_KNOWN};
    uint32_t number = ptx_memory_named(s->memory, name);
    const struct ptx_object *object = number != LIT_NONE ? &s->memory->objects.items[number] : NULL;
    if (object && object->why) {
        PTX_REFUSE(s, object->why);
    } else if (object) {
        ptx_memory_name(s->memory, number);
        value = (struct ptx_value){.kind = PTX_KNOWN, .known = object->base, .of = number + 1};
    } else if (workspace_part(s, name, &value)) {
        ptx_memory_name(s->memory, s->memory->workspace);
    } else if (is_clock(name)) {
        value = ptx_opaque_value(s);
    } else if (!special_register(s, name, &value.known)) {
        PTX_FAULT(s, DIAG_PTX_INSTRUCTION, "'%s' in '%s' is not read%s", name, s->instr->text,
                  ptx_where(s, s->instr));
    }
    return value;
}

struct ptx_value ptx_value_of(struct ptx_walk *s, const struct ptx_operand *operand)
{
    struct ptx_value value = {.kind = PTX_KNOWN, .known = (uint64_t)operand->number};
    if (operand->kind == PTX_REGISTER)
        value = s->now[operand->reg];
    else if (operand->kind == PTX_NAME)
        value = named_value(s, operand->name);
    else if (operand->kind == PTX_OWN)
        PTX_REFUSE(s, "the address of a parameter is not read yet");
    else if (operand->kind == PTX_VECTOR)
        PTX_REFUSE(s, "a vector stands there");
    if (value.kind == PTX_UNKNOWN)
        value = ptx_opaque_value(s);
    if (operand->kind != PTX_NUMBER && operand->kind != PTX_FLOAT)
        value.known += (uint64_t)operand->number;
    return value;
}

const struct lit_expr *ptx_operand_expr(struct ptx_walk *s, const struct ptx_operand *operand,
                                        const struct ptx_value *value)
{
    uint32_t bits = operand->kind == PTX_REGISTER ? ptx_bits_of(s, operand->reg) : 64;
    const struct lit_expr *expr = ptx_expr_of(s, value, bits);
    return operand->negated ? ptx_apply(s->arena, LIT_OP_NOT, LIT_INT, expr, NULL) : expr;
}

bool ptx_check_known(struct ptx_walk *s, const struct ptx_value *value, const char *what)
{
    if (value->opaque)
        PTX_FAULT(s, DIAG_PTX_OPAQUE, "%s depends on a value that no model gives, of '%s'%s", what,
                  value->origin->text, ptx_where(s, value->origin));
    return !value->opaque;
}

/* ---- What is computed ---- */

static uint32_t result_bits(const struct ptx_meaning *meaning)
{
    return meaning->part == PTX_WIDE ? meaning->type.bits * 2 : meaning->type.bits;
}

uint64_t ptx_narrow(uint64_t value, uint32_t bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static bool sum(const struct ptx_value *a, const struct ptx_value *b, bool minus,
                struct ptx_value *result)
{
    if (b->kind != PTX_KNOWN && (minus || a->kind != PTX_KNOWN))
        return false;
    *result = a->kind == PTX_READ ? *a : *b;
    result->known = minus ? a->known - b->known : a->known + b->known;
    return true;
}

static bool scaled(struct ptx_walk *s, const struct ptx_instr *instr, const struct ptx_value *a,
                   uint64_t by, struct ptx_value *result)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    *result = *a;
    if (meaning->part == PTX_WIDE) {
        if (!ptx_is_plain(a) || meaning->type.bits != 32 ||
            lit_type_bits(s->residue.registers.items[a->reg]) != 32)
            return false;
        result->extends = meaning->type.is_signed;
        by = result->extends ? (uint64_t)(int64_t)(int32_t)by : ptx_narrow(by, 32);
    } else if (meaning->part == PTX_HIGH) {
        return false;
    }
    result->known *= by;
    result->factor *= by;
    return true;
}

/* base + factor * register of an address, or of a part of one, without code. */
static bool linear(struct ptx_walk *s, const struct ptx_instr *instr, const struct ptx_value *v,
                   uint32_t count, struct ptx_value *result)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    struct ptx_value product;
    if (meaning->type.floats || meaning->type.bits < 32)
        return false;
    switch ((enum ptx_fold)meaning->word->fold) {
    case PTX_MOV:
    case PTX_CVTA: *result = v[0]; return true;
    case PTX_ADD: return sum(&v[0], &v[1], false, result);
    case PTX_SUB: return sum(&v[0], &v[1], true, result);
    case PTX_MUL:
        return (v[1].kind == PTX_KNOWN && scaled(s, instr, &v[0], v[1].known, result)) ||
               (v[0].kind == PTX_KNOWN && scaled(s, instr, &v[1], v[0].known, result));
    case PTX_MAD:
        return count == 3 && v[1].kind == PTX_KNOWN &&
               scaled(s, instr, &v[0], v[1].known, &product) && sum(&product, &v[2], false, result);
    case PTX_SHL:
        return v[1].kind == PTX_KNOWN && v[1].known < meaning->type.bits &&
               scaled(s, instr, &v[0], UINT64_C(1) << v[1].known, result);
    case PTX_CVT:
        *result = v[0];
        result->extends = meaning->from.is_signed;
        return meaning->type.bits == 64 && meaning->from.bits == 32 && ptx_is_plain(&v[0]) &&
               lit_type_bits(s->residue.registers.items[v[0].reg]) == 32;
    default: return false;
    }
}

/* Nothing is known of the result but what it depends on. */
static void assign_opaque(struct ptx_walk *s, const struct ptx_operand *result,
                          const struct lit_expr *const *operands, uint32_t count,
                          const struct ptx_instr *origin)
{
    const struct lit_expr *all = ptx_constant(s->arena, LIT_ULONG, 0);
    for (uint32_t i = 0; i < count; i++)
        all = ptx_apply(s->arena, LIT_OP_BITOR, LIT_ULONG, all,
                        ptx_cast(s->arena, LIT_ULONG, operands[i]));
    (void)ptx_assign(s, result->reg, ptx_depending(s, all));
    ptx_note_origin(s, result->reg, origin, 0);
}

static bool of_floats(const struct ptx_meaning *meaning)
{
    bool moves = meaning->word->fold == PTX_MOV || meaning->word->fold == PTX_SELP;
    return meaning->word->kind == PTX_OPAQUE || meaning->unordered ||
           (!moves && (meaning->type.floats || meaning->from.floats));
}

/* What a truth tells of a register: setp.eq and .ne of one that is read, against a number. */
static void note_told(struct ptx_walk *s, const struct ptx_instr *instr, const struct ptx_value *v,
                      struct ptx_value *result)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    uint32_t fold = meaning->word->fold;
    if ((fold == PTX_MOV || fold == PTX_NOT) && meaning->type.bits == 1 && v[0].tells &&
        !instr->operands[1].negated) {
        result->tells = v[0].tells;
        result->told = v[0].told;
        result->told_when = v[0].told_when != (fold == PTX_NOT);
    }
    bool equal = fold == PTX_SETP && meaning->joins == LIT_OP_CONST &&
                 (meaning->compare == LIT_OP_EQ || meaning->compare == LIT_OP_NE);
    for (uint32_t i = 0; equal && i < 2; i++)
        if (ptx_is_plain(&v[i]) && v[!i].kind == PTX_KNOWN && meaning->type.bits >= 32 &&
            lit_type_bits(s->residue.registers.items[v[i].reg]) == meaning->type.bits) {
            result->tells = v[i].reg + 1;
            result->told = ptx_narrow(v[!i].known, meaning->type.bits);
            result->told_when = meaning->compare == LIT_OP_EQ;
        }
}

/* What comes out where all that is read is sure. */
static void note_sure(struct ptx_walk *s, const struct ptx_instr *instr, const struct ptx_value *v,
                      uint32_t count, struct ptx_value *result)
{
    const struct lit_expr *known[PTX_MAX_OPERANDS], *value;
    const char *ignored;
    bool all = true;
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_value one = {.kind = PTX_KNOWN, .known = v[i].sure ? v[i].is : v[i].known};
        all &= v[i].sure || v[i].kind == PTX_KNOWN;
        known[i] = ptx_operand_expr(s, &instr->operands[i + 1], &one);
    }
    value = all ? ptx_fold(s->arena, &instr->meaning, known, count, &ignored) : NULL;
    result->sure = value && value->op == LIT_OP_CONST;
    if (result->sure)
        result->is = ptx_narrow((uint64_t)value->value, ptx_bits_of(s, instr->operands[0].reg));
}

/* Does it count on from an address, rather than choose or mix? */
static bool counts_on(const struct ptx_instr *instr)
{
    const uint32_t counting = 1u << PTX_MOV | 1u << PTX_CVT | 1u << PTX_CVTA | 1u << PTX_ADD |
                              1u << PTX_SUB | 1u << PTX_MAD;
    return instr->meaning.word->fold <= PTX_MAD && (counting >> instr->meaning.word->fold & 1);
}

/* An address and what is no address make an address of the same object; two addresses, or one and
 * what is read, of which either may come out, make a number that may lead from the one to the other. */
static uint32_t object_of(const struct ptx_walk *s, const struct ptx_instr *instr,
                          const struct ptx_value *v, uint32_t count)
{
    uint32_t of = 0, fold = instr->meaning.word->fold;
    bool several = false, reads = false, owns = false;
    bool chooses = fold == PTX_SELP || fold == PTX_MIN || fold == PTX_MAX || fold == PTX_SLCT;
    if (fold == PTX_SELP || fold == PTX_SLCT) /* the last one says only which */
        count = count < 2 ? count : 2;
    for (uint32_t i = 0; i < count; i++) {
        several |= v[i].of == PTX_ANY || (of && v[i].of && (!chooses || v[i].of != of));
        reads |= v[i].kind == PTX_READ && !v[i].of;
        owns |= !v[i].of && ptx_is_own(s->kernel, v[i].known);
        of = v[i].of ? v[i].of : of;
    }
    return several || (of && owns) || (of && reads && !counts_on(instr)) ? PTX_ANY : of;
}

/* The greatest number that it can be. */
static uint64_t most_of(const struct ptx_value *value, uint32_t bits)
{
    uint64_t all = ptx_narrow(UINT64_MAX, bits);
    if (value->kind == PTX_KNOWN)
        return ptx_narrow(value->known, bits);
    return ptx_is_plain(value) && value->most && value->most < all ? value->most : all;
}

/* Where a mask or the like leaves only small numbers; 0: it does not. */
static uint64_t most_result(const struct ptx_instr *instr, const struct ptx_value *v)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    uint32_t bits = meaning->type.bits, from = meaning->from.bits;
    bool by_known = instr->count == 3 && v[1].kind == PTX_KNOWN && !meaning->type.is_signed;
    uint64_t most = most_of(&v[0], from), result = ptx_narrow(UINT64_MAX, bits);
    uint64_t other = instr->count > 2 ? most_of(&v[1], bits) : 0;
    switch ((enum ptx_fold)meaning->word->fold) {
    case PTX_MOV:
    case PTX_CVT:
        result = from && !(meaning->from.is_signed && most >> (from - 1)) ? most : result;
        break;
    case PTX_AND: result = most < other ? most : other; break;
    case PTX_SELP: result = most > other ? most : other; break;
    case PTX_SHR: result = by_known && v[1].known < bits ? most >> v[1].known : result; break;
    case PTX_REM: result = by_known && v[1].known ? v[1].known - 1 : result; break;
    default: break;
    }
    bool fits = result < ptx_narrow(UINT64_MAX, bits) && result <= INT32_MAX;
    return fits && !(meaning->type.is_signed && result >> (bits - 1)) ? result : 0;
}

/* The result, once the register has it; `v` are values from before that. */
static void note_result(struct ptx_walk *s, const struct ptx_instr *instr,
                        const struct ptx_value *v, uint32_t count, bool moved)
{
    struct ptx_value *result = &s->now[instr->operands[0].reg];
    result->of = object_of(s, instr, v, count);
    result->sure = false;
    result->tells = 0;
    if (result->kind != PTX_READ)
        return;
    note_sure(s, instr, v, count, result);
    if (s->kernel->locals.count && ptx_is_plain(result) && count)
        result->most = most_result(instr, v);
    if (!moved)
        note_told(s, instr, v, result);
}

/* Does it only move all bits of a value? */
static bool copies(const struct ptx_walk *s, const struct ptx_instr *instr)
{
    return instr->meaning.word->fold == PTX_MOV && instr->count == 2 &&
           instr->operands[1].kind == PTX_REGISTER && instr->meaning.type.bits >= 32 &&
           ptx_bits_of(s, instr->operands[0].reg) == ptx_bits_of(s, instr->operands[1].reg);
}

static void fold(struct ptx_walk *s, const struct ptx_instr *instr)
{
    struct ptx_value v[PTX_MAX_OPERANDS], linked;
    const struct lit_expr *operands[PTX_MAX_OPERANDS], *value;
    const struct ptx_instr *origin = NULL;
    const char *why = NULL;
    uint32_t count = instr->count ? instr->count - 1 : 0;
    if (!instr->count || instr->operands[0].kind != PTX_REGISTER) {
        PTX_REFUSE(s, "its result is no single register");
        return;
    }
    uint32_t reg = instr->operands[0].reg;
    for (uint32_t i = 0; i < count && !s->failed; i++) {
        v[i] = ptx_value_of(s, &instr->operands[i + 1]);
        operands[i] = ptx_operand_expr(s, &instr->operands[i + 1], &v[i]);
        if (v[i].opaque)
            origin = v[i].origin;
    }
    if (s->failed)
        return;
    if (!origin && of_floats(&instr->meaning)) {
        uint64_t bits[PTX_MAX_OPERANDS], result;
        bool all = ALL(i, count, v[i].kind == PTX_KNOWN && !instr->operands[i + 1].negated);
        for (uint32_t i = 0; i < count; i++)
            bits[i] = v[i].known;
        if (all && ptx_float(&instr->meaning, bits, count, &result)) {
            (void)ptx_assign(s, reg, ptx_constant(s->arena, ptx_lit_type(64, false), result));
            return;
        }
        origin = instr;
    }
    if (origin && v[0].clear && copies(s, instr)) {
        s->now[reg] = v[0];
        return;
    }
    if (origin) {
        assign_opaque(s, &instr->operands[0], operands, count, origin);
        return;
    }
    value = ptx_fold(s->arena, &instr->meaning, operands, count, &why);
    if (!value) {
        PTX_REFUSE(s, why);
        return;
    }
    if (value->op != LIT_OP_CONST && linear(s, instr, v, count, &linked) &&
        linked.kind == PTX_READ) {
        linked.known = ptx_narrow(linked.known, result_bits(&instr->meaning));
        linked.factor = ptx_narrow(linked.factor, result_bits(&instr->meaning));
        if (linked.factor && (linked.known == 0 || ptx_is_address(s, &linked))) {
            s->now[reg] = linked;
            note_result(s, instr, v, count, false);
            return;
        }
    }
    bool moved = ptx_assign(s, reg, value);
    note_result(s, instr, v, count, moved);
}

/* ---- Parts of a register ---- */

/* Does a vector stand in it? Then all values are read before a register is written. */
static bool packs(const struct ptx_instr *instr)
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

static void set_register(struct ptx_walk *s, uint32_t reg, struct packed what)
{
    if (what.opaque)
        what.value = ptx_depending(s, what.value);
    (void)ptx_assign(s, reg,
                     ptx_cast(s->arena, ptx_lit_type(ptx_bits_of(s, reg), false), what.value));
    ptx_note_origin(s, reg, what.opaque, what.addresses ? PTX_ANY : 0);
}

static void unpack(struct ptx_walk *s, const struct ptx_operand *into,
                   const struct ptx_operand *from, uint32_t bits)
{
    struct packed whole = read_operand(s, from);
    whole.value = ptx_hold(s, whole.value);
    for (uint32_t i = 0; i < into->count && !s->failed; i++) {
        struct packed part = whole;
        part.value = ptx_with(s->arena, LIT_OP_SHR, LIT_ULONG, whole.value, i * bits);
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
        const struct lit_expr *value =
            ptx_with(s->arena, LIT_OP_BITAND, LIT_ULONG, part.value, mask);
        value = ptx_with(s->arena, LIT_OP_SHL, LIT_ULONG, value, i * bits);
        whole.value = ptx_apply(s->arena, LIT_OP_BITOR, LIT_ULONG, whole.value, value);
        whole.opaque = part.opaque ? part.opaque : whole.opaque;
        whole.addresses |= part.addresses;
    }
    if (!s->failed)
        set_register(s, into->reg, whole);
}

static void step_pack(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const struct ptx_operand *into = &instr->operands[0], *from = &instr->operands[1];
    bool joins = from->kind == PTX_VECTOR;
    const struct ptx_operand *parts = joins ? from : into, *whole = joins ? into : from;
    uint32_t bits = parts->count ? instr->meaning.type.bits / parts->count : 0;
    bool good = !parts->paired && whole->kind == PTX_REGISTER && bits >= 8 &&
                bits * parts->count == instr->meaning.type.bits &&
                ptx_has_bits(s, whole, instr->meaning.type.bits) &&
                ALL(i, parts->count, ptx_has_bits(s, &parts->elements[i], bits));
    if (!good)
        PTX_REFUSE(s, "its vector has not the parts of its type");
    else if (joins)
        pack(s, into, from, bits);
    else
        unpack(s, into, from, bits);
}

/* ---- Instructions ---- */

/* What has no code leaves nothing in the arena. */
void ptx_step_fold(struct ptx_walk *s, const struct ptx_instr *instr)
{
    struct arena_mark mark = arena_mark(s->arena);
    size_t before = s->block->steps.count;
    if (packs(instr))
        step_pack(s, instr);
    else
        fold(s, instr);
    if (s->block->steps.count == before && !s->failed)
        arena_rewind(s->arena, mark);
}

void ptx_know(struct ptx_walk *s, uint32_t reg, const struct ptx_type *type, uint64_t value)
{
    uint32_t object = type->bits == 64 ? ptx_memory_near(s->memory, value) : LIT_NONE;
    (void)ptx_assign(s, reg,
                     ptx_constant(s->arena, ptx_lit_type(type->bits, type->is_signed), value));
    s->now[reg].of = object + 1;
}

void ptx_move(struct ptx_walk *s, const struct ptx_operand *to, const struct ptx_operand *from,
              const struct ptx_type *type)
{
    static const struct ptx_word move = {.kind = PTX_FOLD, .fold = PTX_MOV, .operands = 1};
    static const struct ptx_word convert = {.kind = PTX_FOLD, .fold = PTX_CVT, .operands = 1};
    struct ptx_operand operands[] = {*to, *from};
    bool same = from->kind != PTX_REGISTER || ptx_bits_of(s, from->reg) == ptx_bits_of(s, to->reg);
    struct ptx_instr instr = *s->instr;
    instr.operands = operands;
    instr.count = 2;
    const struct ptx_type wide = {.bits = ptx_bits_of(s, to->reg), .is_signed = type->is_signed};
    instr.meaning = (struct ptx_meaning){.word = same ? &move : &convert,
                                         .type = wide,
                                         .from = {.bits = type->bits, .is_signed = type->is_signed},
                                         .compare = LIT_OP_CONST,
                                         .joins = LIT_OP_CONST,
                                         .vector = 1};
    instr.operands[1].in_brackets = false;
    ptx_step_fold(s, &instr);
}
