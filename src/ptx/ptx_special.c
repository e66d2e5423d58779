#include "ptx/ptx_special.h"

#include "base/bits.h"
#include "litmus/lit_lower.h"
#include "ptx/ptx_fold.h"

#include <inttypes.h>

/* Steps of one thread, steps of all threads, and blocks of one thread. */
enum { MAX_STEPS = 1 << 17, MAX_ALL_STEPS = 1 << 26, MAX_BLOCKS = 4096 };

/* What a register holds: `known`, or of a register `reg` of the residue known + factor * reg, where
 * reg has 32 bits perhaps sign-extended. Factor 1 and known 0: just that register. */
enum value_kind { UNSET, KNOWN, READ };
struct ptx_value {
    enum value_kind kind;
    bool extends; /* the sign of `reg` */
    bool opaque;
    uint32_t reg;
    const struct ptx_instr *origin; /* of an opaque one */
    uint64_t known, factor;
};

struct special {
    struct arena *arena, *scratch;
    struct ptx_memory *memory;
    const struct ptx_thread *thread;
    const struct ptx_kernel *kernel;
    struct ptx_residue residue;
    uint32_t *own;      /* of each register of the kernel that in which the residue holds it */
    uint32_t *index[2]; /* and in which the index of an address, of 32 and of 64 bits */
    bool *moves;        /* which of them take another place now, */
    uint32_t *to;       /* and which place */
    struct ptx_value *now;
    struct ptx_block *block;
    const struct ptx_instr *instr;
    uint32_t pc, steps;
    bool failed;
};

#define FAULT(s, id, ...)                                                            \
    do {                                                                             \
        if (!(s)->failed)                                                            \
            diag_error((s)->memory->lower->diag, id, (s)->instr->span, __VA_ARGS__); \
        (s)->failed = true;                                                          \
    } while (0)

static const char *place(const struct special *s, const struct ptx_instr *instr)
{
    const char *text = ptx_place_text(s->arena, s->kernel->module, instr->place);
    return text ? arena_printf(s->arena, " (%s)", text) : "";
}

#define REFUSE(s, why)                                                         \
    FAULT(s, DIAG_PTX_INSTRUCTION, "'%s' is not read%s: %s", (s)->instr->text, \
          place((s), (s)->instr), why)

/* ---- Which registers are live ---- */

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
    return instr->count &&
           (kind == PTX_FOLD || kind == PTX_OPAQUE || kind == PTX_LOAD || kind == PTX_ATOM);
}

static void mark_instr(uint64_t *row, const struct ptx_instr *instr)
{
    bool result = has_result(instr);
    if (result && instr->guard == LIT_NONE)
        mark(row, &instr->operands[0], false);
    for (uint32_t i = result; i < instr->count; i++)
        mark(row, &instr->operands[i], true);
    if (instr->guard != LIT_NONE)
        bits_set(row, instr->guard);
}

static bool ends(const struct ptx_instr *instr)
{
    return !instr->why && instr->meaning.word->kind == PTX_END;
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
    bool jumps = !instr->why && instr->meaning.word->kind == PTX_BRANCH;
    memset(row, 0, words * sizeof *row);
    if (jumps && instr->target != LIT_NONE)
        join(row, kernel->live + (size_t)instr->target * words, words);
    if ((!jumps && !ends(instr)) || instr->guard != LIT_NONE)
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

/* Only registers that the code has keep a number: each costs in each state. */
static void drop_registers(struct arena *arena, struct ptx_kernel *kernel)
{
    size_t size = kernel->registers.count;
    const struct ptx_register *all = arena_copy(arena, kernel->registers.items, size * sizeof *all);
    uint32_t *to = ARENA_ARRAY(arena, uint32_t, size), count = 0;
    memset(to, 0xff, size * sizeof *to);
    EACH_IN (struct ptx_instr, instr, kernel->code) {
        struct ptx_operand guard = {.kind = PTX_REGISTER, .reg = instr->guard};
        for (uint32_t i = 0; i < instr->count; i++)
            renumber(&instr->operands[i], to, &count);
        if (instr->guard != LIT_NONE)
            renumber(&guard, to, &count);
        instr->guard = guard.reg;
    }
    for (size_t i = 0; i < size; i++)
        if (to[i] != LIT_NONE)
            kernel->registers.items[to[i]] = all[i];
    kernel->registers.count = count;
}

void ptx_special_prepare(struct arena *arena, struct ptx_kernel *kernel)
{
    uint32_t count = (uint32_t)kernel->code.count;
    if (kernel->live)
        return;
    drop_registers(arena, kernel);
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_instr *instr = &kernel->code.items[i];
        instr->why = NULL;
        (void)!ptx_read_word(arena, instr->text, &instr->meaning, &instr->why);
    }
    kernel->row = (uint32_t)(kernel->registers.count + 63) / 64 + 1;
    kernel->live = ARENA_ARRAY(arena, uint64_t, (size_t)(count + 1) * kernel->row);
    uint64_t *row = ARENA_ARRAY(arena, uint64_t, kernel->row);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = count; i-- > 0;)
            more |= flow_back(kernel, i, row);
    }
}

static bool is_live(const struct special *s, uint32_t pc, uint32_t reg)
{
    return bits_get(s->kernel->live + (size_t)pc * s->kernel->row, reg);
}

/* ---- Registers of the residue ---- */

static uint32_t bits_of(const struct special *s, uint32_t reg)
{
    return s->kernel->registers.items[reg].type.bits;
}

static uint32_t new_register(struct special *s, enum lit_type type)
{
    VEC_PUSH(&s->residue.registers, type);
    return (uint32_t)s->residue.registers.count - 1;
}

static uint32_t own_of(struct special *s, uint32_t reg)
{
    if (s->own[reg] == LIT_NONE)
        s->own[reg] = new_register(s, ptx_lit_type(bits_of(s, reg), false));
    return s->own[reg];
}

static const struct lit_expr *read_register(struct special *s, uint32_t reg)
{
    enum lit_type type = s->residue.registers.items[reg];
    return ARENA_MAKE(s->arena, struct lit_expr, .op = LIT_OP_REG, .type = type, .operands = type,
                      .reg = reg);
}

static const char *place_of(const struct special *s)
{
    return ptx_place_text(s->arena, s->kernel->module, s->instr->place);
}

static struct ptx_step *emit(struct special *s, enum lit_instr_op op)
{
    VEC_PUSH(&s->block->steps, (struct ptx_step){.instr = {.op = op,
                                                           .dst = LIT_NONE,
                                                           .dst_old = LIT_NONE,
                                                           .decides = LIT_NONE,
                                                           .loop = LIT_NONE,
                                                           .place = place_of(s)}});
    if (++s->steps > MAX_STEPS || s->block->steps.count > LIT_MAX_CODE)
        FAULT(s, DIAG_LIT_TOO_LARGE, "the kernel is too long for one thread here%s",
              place(s, s->instr));
    return &VEC_LAST(&s->block->steps);
}

static void emit_set(struct special *s, uint32_t reg, const struct lit_expr *value)
{
    struct ptx_step *step = emit(s, LIT_SET);
    step->instr.dst = reg;
    step->instr.value = value;
}

/* What an access is told to do where it is undefined. */
static const char *told_at(const struct special *s, const char *what)
{
    return arena_printf(s->arena, "%s%s", what, place(s, s->instr));
}

static bool is_plain(const struct ptx_value *value)
{
    return value->kind == READ && value->known == 0 && value->factor == 1 && !value->extends;
}

static const struct lit_expr *expr_of(struct special *s, const struct ptx_value *value,
                                      uint32_t bits)
{
    enum lit_type type = ptx_lit_type(bits, false);
    if (value->kind != READ)
        return ptx_constant(s->arena, type, value->known);
    const struct lit_expr *expr = read_register(s, value->reg);
    if (value->extends)
        expr = ptx_cast(s->arena, LIT_LONG, ptx_cast(s->arena, LIT_INT, expr));
    if (is_plain(value) && bits == 1)
        return expr;
    expr = ptx_cast(s->arena, type, expr);
    if (value->factor != 1)
        expr = ptx_apply(s->arena, LIT_OP_MUL, type, expr,
                         ptx_constant(s->arena, type, value->factor));
    if (value->known)
        expr =
            ptx_apply(s->arena, LIT_OP_ADD, type, expr, ptx_constant(s->arena, type, value->known));
    return expr;
}

/* A factor of an address keeps its form, so that the object stays known. */
static bool is_address(const struct special *s, const struct ptx_value *value)
{
    return ptx_memory_near(s->memory, value->known) != LIT_NONE;
}

/* An address keeps its form, and its index moves. */
static uint32_t place_to_move(struct special *s, uint32_t reg)
{
    enum lit_type type = s->residue.registers.items[s->now[reg].reg];
    if (!is_address(s, &s->now[reg]))
        return own_of(s, reg);
    uint32_t *index = &s->index[lit_type_bits(type) == 64][reg];
    if (*index == LIT_NONE)
        *index = new_register(s, type);
    return *index;
}

/* Does a move overwrite what the register's value is computed of? */
static bool is_overwritten(const struct special *s, uint32_t held, uint32_t reg)
{
    uint32_t of = s->now[reg].reg;
    return of == held || ANY(i, s->kernel->registers.count, s->moves[i] && s->to[i] == of);
}

/* Who is computed of the register `held`, but for `except`, moves before that is assigned, and so
 * does who is computed of a place that a move overwrites. */
static uint32_t find_moves(struct special *s, uint32_t held, uint32_t except, uint32_t pc)
{
    uint32_t count = 0;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < s->kernel->registers.count; i++)
            if (i != except && !s->moves[i] && s->now[i].kind == READ && is_live(s, pc, i) &&
                is_overwritten(s, held, i)) {
                s->to[i] = place_to_move(s, i);
                s->moves[i] = more = true;
                count++;
            }
    }
    return count;
}

static const struct lit_expr *moved_value(struct special *s, uint32_t reg)
{
    return s->to[reg] == s->own[reg] ? expr_of(s, &s->now[reg], bits_of(s, reg))
                                     : read_register(s, s->now[reg].reg);
}

/* All values are read before a place is written. */
static void move(struct special *s)
{
    size_t count = s->kernel->registers.count;
    uint32_t *held = ARENA_ARRAY(s->scratch, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (s->moves[i]) {
            held[i] = new_register(s, s->residue.registers.items[s->to[i]]);
            emit_set(s, held[i], moved_value(s, i));
        }
    for (uint32_t i = 0; i < count; i++)
        if (s->moves[i]) {
            emit_set(s, s->to[i], read_register(s, held[i]));
            if (s->to[i] == s->own[i])
                s->now[i] = (struct ptx_value){.kind = READ,
                                               .factor = 1,
                                               .opaque = s->now[i].opaque,
                                               .origin = s->now[i].origin};
            s->now[i].reg = s->to[i];
        }
    memset(s->moves, 0, count * sizeof *s->moves);
}

/* The register's own place holds its value from now on. */
static void settle(struct special *s, uint32_t reg)
{
    if (is_plain(&s->now[reg]) && s->now[reg].reg == own_of(s, reg))
        return;
    s->to[reg] = own_of(s, reg);
    s->moves[reg] = true;
    find_moves(s, s->to[reg], reg, s->pc);
    move(s);
}

/* The place for a new value of the register. `value` is read before others move. */
static void define(struct special *s, uint32_t reg, const struct lit_expr *value)
{
    uint32_t own = own_of(s, reg);
    if (find_moves(s, own, reg, s->pc + 1)) {
        uint32_t held = new_register(s, s->residue.registers.items[own]);
        emit_set(s, held, value);
        value = read_register(s, held);
        move(s);
    }
    emit_set(s, own, value);
    s->now[reg] = (struct ptx_value){.kind = READ, .reg = own, .factor = 1};
}

static void assign(struct special *s, uint32_t reg, const struct lit_expr *value)
{
    uint32_t bits = bits_of(s, reg);
    if (value->op == LIT_OP_CONST) {
        const struct lit_expr *known = ptx_cast(s->arena, ptx_lit_type(bits, false), value);
        s->now[reg] = (struct ptx_value){.kind = KNOWN, .known = (uint64_t)known->value};
        return;
    }
    define(s, reg, value);
}

/* ---- Operands ---- */

static uint32_t extent(const uint32_t *of, char direction)
{
    return direction >= 'x' && direction <= 'z' ? of[direction - 'x'] : 0;
}

/* The index of a thread in a block or of a block in a grid. */
static uint32_t index_of(uint32_t rank, const uint32_t *of, char direction)
{
    return direction == 'x'   ? rank % of[0]
           : direction == 'y' ? rank / of[0] % of[1]
                              : rank / of[0] / of[1];
}

static bool special_register(const struct special *s, const char *name, uint64_t *value)
{
    const struct ast_launch *launch = s->thread->launch;
    uint32_t size = launch->block[0] * launch->block[1] * launch->block[2];
    uint32_t lane = s->thread->rank % size, block = s->thread->rank / size;
    size_t length = strlen(name);
    char direction = length > 2 && name[length - 2] == '.' ? name[length - 1] : '\0';
    if (direction && (direction < 'x' || direction > 'z'))
        return false;
    if (direction && strncmp(name, "%tid.", 5) == 0)
        *value = index_of(lane, launch->block, direction);
    else if (direction && strncmp(name, "%ctaid.", 7) == 0)
        *value = index_of(block, launch->grid, direction);
    else if (direction && strncmp(name, "%ntid.", 6) == 0)
        *value = extent(launch->block, direction);
    else if (direction && strncmp(name, "%nctaid.", 8) == 0)
        *value = extent(launch->grid, direction);
    else if (strcmp(name, "%laneid") == 0)
        *value = lane % 32;
    else if (strcmp(name, "%warpid") == 0)
        *value = lane / 32;
    else
        return false;
    return true;
}

static bool is_clock(const char *name)
{
    return strncmp(name, "%clock", 6) == 0 || strcmp(name, "%globaltimer") == 0 ||
           strcmp(name, "%smid") == 0 || strcmp(name, "%gridid") == 0;
}

static struct ptx_value opaque_value(const struct special *s)
{
    return (struct ptx_value){.kind = KNOWN, .opaque = true, .origin = s->instr};
}

static struct ptx_value named_value(struct special *s, const char *name)
{
    struct ptx_value value = {.kind = KNOWN};
    uint32_t number = ptx_memory_named(s->memory, name);
    const struct ptx_object *object = number != LIT_NONE ? &s->memory->objects.items[number] : NULL;
    if (ANY(i, s->kernel->params.count, s->kernel->params.items[i].name == name))
        REFUSE(s, "the address of a parameter is not read yet");
    else if (object && object->why)
        REFUSE(s, object->why);
    else if (object)
        value.known = object->base;
    else if (is_clock(name))
        value = opaque_value(s);
    else if (!special_register(s, name, &value.known))
        FAULT(s, DIAG_PTX_INSTRUCTION, "'%s' in '%s' is not read%s", name, s->instr->text,
              place(s, s->instr));
    return value;
}

static struct ptx_value value_of(struct special *s, const struct ptx_operand *operand)
{
    struct ptx_value value = {.kind = KNOWN, .known = (uint64_t)operand->number};
    if (operand->kind == PTX_REGISTER)
        value = s->now[operand->reg];
    else if (operand->kind == PTX_NAME)
        value = named_value(s, operand->name);
    else if (operand->kind == PTX_VECTOR)
        REFUSE(s, "a vector stands there");
    if (value.kind == UNSET)
        value = opaque_value(s);
    if (operand->kind != PTX_NUMBER && operand->kind != PTX_FLOAT)
        value.known += (uint64_t)operand->number;
    return value;
}

static const struct lit_expr *operand_expr(struct special *s, const struct ptx_operand *operand,
                                           const struct ptx_value *value)
{
    uint32_t bits = operand->kind == PTX_REGISTER ? bits_of(s, operand->reg) : 64;
    const struct lit_expr *expr = expr_of(s, value, bits);
    return operand->negated ? ptx_apply(s->arena, LIT_OP_NOT, LIT_INT, expr, NULL) : expr;
}

/* False after reporting that the value is opaque. */
static bool check_known(struct special *s, const struct ptx_value *value, const char *what)
{
    if (value->opaque)
        FAULT(s, DIAG_PTX_OPAQUE, "%s depends on a value that no model gives, of '%s'%s", what,
              value->origin->text, place(s, value->origin));
    return !value->opaque;
}

/* ---- What is computed ---- */

static uint32_t result_bits(const struct ptx_meaning *meaning)
{
    return meaning->part == PTX_WIDE ? meaning->type.bits * 2 : meaning->type.bits;
}

static uint64_t narrow(uint64_t value, uint32_t bits)
{
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static bool sum(const struct ptx_value *a, const struct ptx_value *b, bool minus,
                struct ptx_value *result)
{
    if (b->kind != KNOWN && (minus || a->kind != KNOWN))
        return false;
    *result = a->kind == READ ? *a : *b;
    result->known = minus ? a->known - b->known : a->known + b->known;
    return true;
}

static bool scaled(struct special *s, const struct ptx_instr *instr, const struct ptx_value *a,
                   uint64_t by, struct ptx_value *result)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    *result = *a;
    if (meaning->part == PTX_WIDE) {
        if (!is_plain(a) || meaning->type.bits != 32 ||
            lit_type_bits(s->residue.registers.items[a->reg]) != 32)
            return false;
        result->extends = meaning->type.is_signed;
        by = result->extends ? (uint64_t)(int64_t)(int32_t)by : narrow(by, 32);
    } else if (meaning->part == PTX_HIGH) {
        return false;
    }
    result->known *= by;
    result->factor *= by;
    return true;
}

/* base + factor * register of an address, or of a part of one, without code. */
static bool linear(struct special *s, const struct ptx_instr *instr, const struct ptx_value *v,
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
        return (v[1].kind == KNOWN && scaled(s, instr, &v[0], v[1].known, result)) ||
               (v[0].kind == KNOWN && scaled(s, instr, &v[1], v[0].known, result));
    case PTX_MAD:
        return count == 3 && v[1].kind == KNOWN && scaled(s, instr, &v[0], v[1].known, &product) &&
               sum(&product, &v[2], false, result);
    case PTX_SHL:
        return v[1].kind == KNOWN && v[1].known < meaning->type.bits &&
               scaled(s, instr, &v[0], UINT64_C(1) << v[1].known, result);
    case PTX_CVT:
        *result = v[0];
        result->extends = meaning->from.is_signed;
        return meaning->type.bits == 64 && meaning->from.bits == 32 && is_plain(&v[0]) &&
               lit_type_bits(s->residue.registers.items[v[0].reg]) == 32;
    default: return false;
    }
}

/* Nothing is known of the result but what it depends on. */
static void assign_opaque(struct special *s, const struct ptx_operand *result,
                          const struct lit_expr *const *operands, uint32_t count,
                          const struct ptx_instr *origin)
{
    const struct lit_expr *all = ptx_constant(s->arena, LIT_ULONG, 0);
    for (uint32_t i = 0; i < count; i++)
        all = ptx_apply(s->arena, LIT_OP_BITOR, LIT_ULONG, all,
                        ptx_cast(s->arena, LIT_ULONG, operands[i]));
    if (all->op != LIT_OP_CONST)
        all = ptx_apply(s->arena, LIT_OP_BITAND, LIT_ULONG, all,
                        ptx_constant(s->arena, LIT_ULONG, 0));
    else
        all = ptx_constant(s->arena, LIT_ULONG, 0);
    assign(s, result->reg, all);
    s->now[result->reg].opaque = true;
    s->now[result->reg].origin = origin;
}

static bool of_floats(const struct ptx_meaning *meaning)
{
    bool moves = meaning->word->fold == PTX_MOV || meaning->word->fold == PTX_SELP;
    return meaning->word->kind == PTX_OPAQUE || meaning->unordered ||
           (!moves && (meaning->type.floats || meaning->from.floats));
}

static void fold(struct special *s, const struct ptx_instr *instr)
{
    struct ptx_value v[PTX_MAX_OPERANDS], linked;
    const struct lit_expr *operands[PTX_MAX_OPERANDS], *value;
    const struct ptx_instr *origin = NULL;
    const char *why = NULL;
    uint32_t count = instr->count ? instr->count - 1 : 0;
    if (!instr->count || instr->operands[0].kind != PTX_REGISTER) {
        REFUSE(s, "its result is no single register");
        return;
    }
    uint32_t reg = instr->operands[0].reg;
    for (uint32_t i = 0; i < count && !s->failed; i++) {
        v[i] = value_of(s, &instr->operands[i + 1]);
        operands[i] = operand_expr(s, &instr->operands[i + 1], &v[i]);
        if (v[i].opaque)
            origin = v[i].origin;
    }
    if (s->failed)
        return;
    if (!origin && of_floats(&instr->meaning))
        origin = instr;
    if (origin) {
        assign_opaque(s, &instr->operands[0], operands, count, origin);
        return;
    }
    value = ptx_fold(s->arena, &instr->meaning, operands, count, &why);
    if (!value) {
        REFUSE(s, why);
        return;
    }
    if (value->op != LIT_OP_CONST && linear(s, instr, v, count, &linked) && linked.kind == READ) {
        linked.known = narrow(linked.known, result_bits(&instr->meaning));
        linked.factor = narrow(linked.factor, result_bits(&instr->meaning));
        if (linked.factor && (linked.known == 0 || is_address(s, &linked))) {
            s->now[reg] = linked;
            return;
        }
    }
    assign(s, reg, value);
}

/* What has no code leaves nothing in the arena. */
static void step_fold(struct special *s, const struct ptx_instr *instr)
{
    struct arena_mark mark = arena_mark(s->arena);
    size_t before = s->block->steps.count;
    fold(s, instr);
    if (s->block->steps.count == before && !s->failed)
        arena_rewind(s->arena, mark);
}

/* ---- Memory ---- */

static bool check_elements(struct special *s, struct ptx_access *access, uint64_t offset,
                           uint64_t step, uint32_t bytes)
{
    uint32_t location;
    enum lit_type type;
    for (uint32_t i = 0; i < access->count; i++)
        if (!ptx_memory_cell(s->memory, access->object, offset + i * step, bytes, &location,
                             &type) ||
            location != access->location + i * access->stride)
            return false;
    return true;
}

/* Where the address is first + i * step for an i: i, of the address less its first. */
static const struct lit_expr *index_expr(struct special *s, const struct ptx_value *address,
                                         uint32_t bits, uint64_t first, uint64_t step)
{
    bool narrow_reg = lit_type_bits(s->residue.registers.items[address->reg]) == 32;
    if (bits == 64 && narrow_reg && address->factor == step) {
        const struct lit_expr *reg = read_register(s, address->reg);
        int64_t more = (int64_t)(address->known - first) / (int64_t)step;
        if (address->extends)
            reg = ptx_cast(s->arena, LIT_INT, reg);
        if (more == 0)
            return reg;
        return ptx_apply(s->arena, LIT_OP_ADD, LIT_LONG, ptx_cast(s->arena, LIT_LONG, reg),
                         ptx_constant(s->arena, LIT_LONG, (uint64_t)more));
    }
    enum lit_type type = ptx_lit_type(bits, false);
    const struct lit_expr *all = ptx_apply(s->arena, LIT_OP_SUB, type, expr_of(s, address, bits),
                                           ptx_constant(s->arena, type, first));
    return ptx_apply(s->arena, LIT_OP_DIV, type, all, ptx_constant(s->arena, type, step));
}

/* Of what is open each launch has its own size. */
static uint64_t size_of(const struct special *s, const struct ptx_object *object)
{
    const struct ast_number *bytes = &s->thread->launch->bytes;
    return !object->open ? object->size : bytes->bad ? 0 : (uint64_t)bytes->value;
}

static void report_mixed(struct special *s, const char *name, uint64_t step, uint32_t bytes)
{
    FAULT(s, DIAG_PTX_MIXED,
          "'%s' accesses '%s' in steps of %" PRIu64
          " bytes, and not each step is to one element of %u bytes%s",
          s->instr->text, name, step, bytes, place(s, s->instr));
}

/* The cells of an address that depends on a read. */
static void find_cells(struct special *s, struct ptx_access *access,
                       const struct ptx_value *address, uint32_t bits, uint32_t bytes,
                       enum lit_type *type)
{
    const struct ptx_object *object = &s->memory->objects.items[access->object];
    bool down = address->factor >> 63;
    uint64_t step = down ? 0 - address->factor : address->factor;
    int64_t behind = (int64_t)(address->known - object->base);
    uint64_t size = size_of(s, object);
    uint64_t offset =
        behind < 0 ? (step - (uint64_t)-behind % step) % step : (uint64_t)behind % step;
    bool narrow_reg = lit_type_bits(s->residue.registers.items[address->reg]) == 32;
    bool exact = (bits == 64 && narrow_reg && !down && step < UINT32_MAX) || !(step & (step - 1));
    uint32_t next;
    enum lit_type ignored;
    access->outside = offset + bytes > size;
    if (access->outside)
        return;
    if (!exact ||
        !ptx_memory_cell(s->memory, access->object, offset, bytes, &access->location, type)) {
        report_mixed(s, object->name, step, bytes);
        return;
    }
    access->count = (uint32_t)((size - offset - bytes) / step) + 1;
    if (access->count > 1 &&
        ptx_memory_cell(s->memory, access->object, offset + step, bytes, &next, &ignored))
        access->stride = next - access->location;
    if (!check_elements(s, access, offset, step, bytes))
        report_mixed(s, object->name, step, bytes);
    access->index = index_expr(s, address, bits, object->base + offset, step);
}

/* What the instruction accesses at the address, so many bytes behind it. */
static struct ptx_access *find_access(struct special *s, const struct ptx_operand *operand,
                                      uint64_t behind, uint32_t bytes, enum lit_type *type)
{
    struct ptx_access *access = ARENA_NEW(s->arena, struct ptx_access);
    struct ptx_value address = value_of(s, operand);
    uint32_t bits = operand->kind == PTX_REGISTER ? bits_of(s, operand->reg) : 64;
    *type = LIT_INT;
    access->count = access->stride = 1;
    if (s->failed || !check_known(s, &address, "the address"))
        return access;
    address.known = narrow(address.known + behind, bits);
    access->object = ptx_memory_near(s->memory, address.known);
    if (address.kind == READ && access->object == LIT_NONE) {
        FAULT(s, DIAG_PTX_POINTER,
              "the address of '%s' was read from memory, so its object is not known%s",
              s->instr->text, place(s, s->instr));
        return access;
    }
    access->outside = access->object == LIT_NONE;
    if (access->outside)
        return access;
    const struct ptx_object *object = &s->memory->objects.items[access->object];
    enum ptx_space space = s->instr->meaning.space;
    uint64_t whole = (uint64_t)bytes * s->instr->meaning.vector, first = address.known - behind;
    if ((space == PTX_SHARED && !object->shared) || (space == PTX_GLOBAL && object->shared)) {
        FAULT(s, DIAG_PTX_POINTER, "'%s' is of another space than '%s'%s", s->instr->text,
              object->name, place(s, s->instr));
        return access;
    }
    if (whole > bytes && (first % whole || (address.kind == READ && address.factor % whole))) {
        FAULT(s, DIAG_PTX_MIXED, "'%s' accesses '%s' at no multiple of its %u bytes%s",
              s->instr->text, object->name, (unsigned)whole, place(s, s->instr));
        return access;
    }
    if (object->shared && bytes > 4) {
        REFUSE(s, "shared memory of 64-bit values is not read yet");
        return access;
    }
    if (address.kind == READ) {
        find_cells(s, access, &address, bits, bytes, type);
    } else {
        uint64_t offset = address.known - object->base, size = size_of(s, object);
        access->outside = offset >= size || size - offset < bytes;
        if (!access->outside &&
            !ptx_memory_cell(s->memory, access->object, offset, bytes, &access->location, type))
            FAULT(s, DIAG_PTX_MIXED,
                  "'%s' accesses %u bytes at '%s' + %" PRIu64
                  ", which are not just one element of it%s",
                  s->instr->text, bytes, object->name, offset, place(s, s->instr));
    }
    return access;
}

static bool *opaque_cells(const struct special *s, const struct ptx_access *access)
{
    return access->outside ? NULL : s->memory->objects.items[access->object].opaque;
}

static bool is_opaque(const struct special *s, const struct ptx_access *access)
{
    const bool *opaque = opaque_cells(s, access);
    return opaque && ANY(i, access->count, opaque[access->location + i * access->stride]);
}

static void note_opaque(struct special *s, const struct ptx_access *access)
{
    bool *opaque = opaque_cells(s, access);
    for (uint32_t i = 0; opaque && i < access->count; i++) {
        bool *at = &opaque[access->location + i * access->stride];
        s->memory->grew |= !*at;
        *at = true;
    }
}

static bool is_shared(const struct special *s, const struct ptx_access *access)
{
    return !access->outside && s->memory->objects.items[access->object].shared;
}

/* Orders and scopes as the manual has them: plain accesses are weak, volatile ones relaxed for all;
 * atomics are relaxed within the device unless they say otherwise. */
static void set_order(const struct ptx_meaning *meaning, struct lit_instr *instr, bool atomic)
{
    instr->order = meaning->ordered                 ? meaning->order
                   : meaning->is_volatile || atomic ? LIT_ORDER_RLX
                                                    : LIT_ORDER_NA;
    instr->scope = meaning->scoped        ? meaning->scope
                   : meaning->is_volatile ? LIT_SCOPE_ALL
                   : atomic               ? LIT_SCOPE_DV
                   : meaning->ordered     ? LIT_SCOPE_ALL
                                          : LIT_SCOPE_WI;
}

static uint32_t element_count(const struct ptx_operand *operand)
{
    return operand->kind == PTX_VECTOR ? operand->count : 1;
}

static const struct ptx_operand *element(const struct ptx_operand *operand, uint32_t i)
{
    return operand->kind == PTX_VECTOR ? &operand->elements[i] : operand;
}

static bool check_vector(struct special *s, const struct ptx_operand *operand)
{
    bool good = element_count(operand) == s->instr->meaning.vector;
    if (!good)
        REFUSE(s, "its vector is not of the length that it says");
    return good;
}

/* ld.param: of the launch's arguments. */
static void load_param(struct special *s, const struct ptx_operand *result,
                       const struct ptx_operand *source)
{
    const struct ptx_kernel *kernel = s->kernel;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const struct ptx_param *param = &kernel->params.items[i];
        if (param->name != source->name || source->number != 0 ||
            param->type.bits != s->instr->meaning.type.bits ||
            param->size != param->type.bits / 8 || result->kind != PTX_REGISTER)
            continue;
        const struct ptx_type *type = &s->instr->meaning.type;
        assign(
            s, result->reg,
            ptx_constant(s->arena, ptx_lit_type(type->bits, type->is_signed), s->thread->args[i]));
        return;
    }
    REFUSE(s, "a part of a parameter, or a structure by value, is not read yet");
}

/* A register that takes the bits of one element as they are, and how they become those of the
 * result. */
static void take_loaded(struct special *s, uint32_t temporary, const struct ptx_operand *result,
                        bool opaque)
{
    const struct ptx_type *type = &s->instr->meaning.type;
    const struct lit_expr *value = read_register(s, temporary);
    value = ptx_cast(s->arena, ptx_lit_type(type->bits, type->is_signed), value);
    define(s, result->reg, ptx_cast(s->arena, ptx_lit_type(bits_of(s, result->reg), false), value));
    if (opaque)
        s->now[result->reg] = (struct ptx_value){.kind = READ,
                                                 .reg = s->now[result->reg].reg,
                                                 .factor = 1,
                                                 .opaque = true,
                                                 .origin = s->instr};
}

/* What nobody has written is undefined in shared memory. */
static void check_written(struct special *s, uint32_t temporary, const struct ptx_access *access)
{
    const struct lit_expr *written =
        ptx_apply(s->arena, LIT_OP_LT, LIT_LONG, read_register(s, temporary),
                  ptx_constant(s->arena, LIT_LONG, PTX_UNSET));
    struct ptx_step *check = emit(s, LIT_CHECK);
    check->instr.value = written;
    check->access = access;
    check->instr.text = told_at(s, "reads shared memory that nobody has written");
}

static void step_load(struct special *s, const struct ptx_instr *instr)
{
    const struct ptx_operand *result = &instr->operands[0], *source = &instr->operands[1];
    uint32_t temporaries[PTX_MAX_VECTOR], bytes = instr->meaning.type.bits / 8;
    bool opaque[PTX_MAX_VECTOR] = {0};
    const struct ptx_access *accesses[PTX_MAX_VECTOR];
    if (instr->count != 2 || !source->in_brackets) {
        REFUSE(s, "its operands are not a register and an address");
        return;
    }
    if (instr->meaning.space == PTX_PARAM) {
        load_param(s, result, source);
        return;
    }
    if (!check_vector(s, result))
        return;
    for (uint32_t i = 0; i < element_count(result) && !s->failed; i++) {
        enum lit_type type;
        struct ptx_access *access = find_access(s, source, (uint64_t)i * bytes, bytes, &type);
        if (s->failed)
            return;
        accesses[i] = access;
        opaque[i] = is_opaque(s, access);
        temporaries[i] =
            new_register(s, is_shared(s, access) ? LIT_LONG : ptx_lit_type(bytes * 8, false));
        struct ptx_step *step = emit(s, LIT_LOAD);
        step->access = access;
        step->instr.text = told_at(s, "access out of bounds");
        step->back = i;
        step->instr.dst = temporaries[i];
        set_order(&instr->meaning, &step->instr, false);
    }
    for (uint32_t i = 0; i < element_count(result) && !s->failed; i++) {
        const struct ptx_operand *into = element(result, i);
        if (is_shared(s, accesses[i]))
            check_written(s, temporaries[i], accesses[i]);
        if (into->kind == PTX_REGISTER)
            take_loaded(s, temporaries[i], into, opaque[i]);
    }
}

/* The value of an operand for a location of the type. */
static const struct lit_expr *stored(struct special *s, const struct ptx_operand *operand,
                                     enum lit_type type, struct ptx_value *value)
{
    *value = value_of(s, operand);
    const struct lit_expr *expr = operand_expr(s, operand, value);
    expr = ptx_cast(s->arena, ptx_lit_type(s->instr->meaning.type.bits, false), expr);
    return ptx_cast(s->arena, type, expr);
}

static void step_store(struct special *s, const struct ptx_instr *instr)
{
    uint32_t bytes = instr->meaning.type.bits / 8;
    if (instr->count != 2 || !instr->operands[0].in_brackets) {
        REFUSE(s, "its operands are not an address and a value");
        return;
    }
    const struct ptx_operand *values = &instr->operands[1];
    if (!check_vector(s, values))
        return;
    for (uint32_t i = 0; i < element_count(values) && !s->failed; i++) {
        enum lit_type type;
        struct ptx_value value;
        struct ptx_access *access =
            find_access(s, &instr->operands[0], (uint64_t)i * bytes, bytes, &type);
        if (s->failed)
            return;
        struct ptx_step *step = emit(s, LIT_STORE);
        step->access = access;
        step->instr.text = told_at(s, "access out of bounds");
        step->back = i;
        set_order(&instr->meaning, &step->instr, false);
        step->instr.value = stored(s, element(values, i), type, &value);
        if (value.opaque)
            note_opaque(s, access);
    }
}

/* atom and red: the old value, the location, one operand or two. */
static void step_atomic(struct special *s, const struct ptx_instr *instr)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    bool old = meaning->word->kind == PTX_ATOM, swaps = meaning->exchanges;
    const struct ptx_operand *at = instr->operands + old;
    enum lit_type type;
    struct ptx_value value, expected;
    if (instr->count != 2u + old + swaps || !at->in_brackets) {
        REFUSE(s, "its operands are not those of its operation");
        return;
    }
    struct ptx_access *access = find_access(s, at, 0, meaning->type.bits / 8, &type);
    if (s->failed)
        return;
    bool extreme = meaning->rmw == LIT_RMW_MIN || meaning->rmw == LIT_RMW_MAX;
    if (is_shared(s, access))
        REFUSE(s, "atomic operations on shared memory are not read yet");
    else if (!swaps && extreme && lit_type_is_signed(type) != meaning->type.is_signed)
        REFUSE(s, "its object is declared with the other sign");
    const struct lit_expr *first = stored(s, at + 1, type, &value);
    expected = value;
    const struct lit_expr *second = swaps ? stored(s, at + 2, type, &value) : NULL;
    if (is_opaque(s, access))
        value = opaque_value(s);
    if (s->failed || !check_known(s, &value, "an atomic operation") ||
        !check_known(s, &expected, "an atomic operation"))
        return;
    struct ptx_step *step = emit(s, swaps ? LIT_CAS : LIT_RMW);
    size_t number = s->block->steps.count - 1;
    step->access = access;
    step->instr.text = told_at(s, "access out of bounds");
    step->instr.rmw = swaps ? LIT_RMW_EXCHANGE : meaning->rmw;
    set_order(meaning, &step->instr, true);
    step->instr.value = swaps ? second : first;
    step->instr.expected = swaps ? first : NULL;
    step->instr.fail_order = swaps ? lit_access_without_release(step->instr.order) : LIT_ORDER_NA;
    if (!old || instr->operands[0].kind != PTX_REGISTER)
        return;
    uint32_t temporary = new_register(s, ptx_lit_type(meaning->type.bits, false));
    s->block->steps.items[number].instr.dst = swaps ? LIT_NONE : temporary;
    s->block->steps.items[number].instr.dst_old = swaps ? temporary : LIT_NONE;
    take_loaded(s, temporary, &instr->operands[0], false);
}

/* ---- Fences and barriers ---- */

static void step_fence(struct special *s, const struct ptx_instr *instr)
{
    struct ptx_step *step = emit(s, LIT_FENCE);
    bool ordered = instr->meaning.ordered;
    step->instr.order = ordered ? instr->meaning.order : LIT_ORDER_SC;
    step->instr.scope = instr->meaning.scope;
    step->instr.spaces = LIT_GLOBAL | LIT_LOCAL;
    if (step->instr.order != LIT_ORDER_SC && step->instr.order != LIT_ORDER_ACQ_REL)
        REFUSE(s, "a fence is sc or acq_rel");
    if (strncmp(instr->text, "fence", 5) == 0 &&
        !ordered) /* of the manual: acq_rel is the default */
        step->instr.order = LIT_ORDER_ACQ_REL;
}

static void step_barrier(struct special *s, const struct ptx_instr *instr)
{
    if (instr->count != 1 || instr->meaning.arrives) {
        REFUSE(s, "barriers of a part of the block are not read yet");
        return;
    }
    struct ptx_value number = value_of(s, &instr->operands[0]);
    if (number.kind != KNOWN || number.opaque || number.known > 15) {
        REFUSE(s, "the number of its barrier is not known to be 0 to 15");
        return;
    }
    const char *text = arena_printf(s->arena, "%" PRIu64, number.known);
    struct ptx_step *step = emit(s, LIT_BARRIER);
    step->instr.scope = step->instr.exec_scope = LIT_SCOPE_WG;
    step->instr.spaces = LIT_GLOBAL | LIT_LOCAL;
    step->instr.label = intern_text(s->memory->lower->names, text);
}

/* ---- States ---- */

static bool same_value(const struct ptx_value *a, const struct ptx_value *b)
{
    return a->kind == b->kind && a->known == b->known && a->opaque == b->opaque &&
           (a->kind != READ ||
            (a->reg == b->reg && a->factor == b->factor && a->extends == b->extends));
}

static bool same_state(const struct special *s, const struct ptx_block *block)
{
    const struct ptx_value *state = block->state;
    for (uint32_t i = 0; i < s->kernel->registers.count; i++)
        if (is_live(s, block->pc, i) && !same_value(state++, &s->now[i]))
            return false;
    return true;
}

/* The values of now that are live at `pc`. */
static const struct ptx_value *copy_state(const struct special *s, uint32_t pc)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < s->kernel->registers.count; i++)
        size += is_live(s, pc, i);
    struct ptx_value *state = ARENA_ARRAY(s->scratch, struct ptx_value, size), *at = state;
    for (uint32_t i = 0; i < s->kernel->registers.count; i++)
        if (is_live(s, pc, i))
            *at++ = s->now[i];
    return state;
}

static void take_state(struct special *s, const struct ptx_block *block)
{
    const struct ptx_value *at = block->state;
    for (uint32_t i = 0; i < s->kernel->registers.count; i++)
        s->now[i] = is_live(s, block->pc, i) ? *at++ : (struct ptx_value){0};
}

/* What is no address and no multiple is held in its own register, so that states return. */
static void settle_all(struct special *s, uint32_t pc)
{
    uint32_t before = s->pc;
    s->pc = pc;
    for (uint32_t i = 0; i < s->kernel->registers.count && !s->failed; i++)
        if (is_live(s, pc, i) && s->now[i].kind == READ && s->now[i].known &&
            !is_address(s, &s->now[i]))
            settle(s, i);
    s->pc = before;
}

/* The block that begins at `pc` with the values of now. */
static struct ptx_block *block_at(struct special *s, uint32_t pc, bool entered)
{
    if (pc >= s->kernel->code.count)
        return NULL;
    for (size_t i = 0; i < s->residue.blocks.count; i++) {
        struct ptx_block *block = s->residue.blocks.items[i];
        if (block->pc == pc && block->entered == entered && same_state(s, block))
            return block;
    }
    if (s->residue.blocks.count >= MAX_BLOCKS)
        FAULT(
            s, DIAG_LIT_TOO_LARGE,
            "a loop here does not come to its end in %d blocks of code, or what it counts depends "
            "on a read%s",
            MAX_BLOCKS, place(s, s->instr));
    struct ptx_block *block = ARENA_NEW(s->arena, struct ptx_block);
    block->pc = pc;
    block->entered = entered;
    block->state = copy_state(s, pc);
    VEC_PUSH(&s->residue.blocks, block);
    return block;
}

/* Where a guard that depends on a read decides: both ways. */
static void part_ways(struct special *s, const struct ptx_instr *instr, uint32_t yes, bool entered)
{
    struct ptx_value guard = s->now[instr->guard];
    if (guard.kind == UNSET)
        guard = opaque_value(s);
    if (!check_known(s, &guard, "a branch"))
        return;
    settle_all(s, s->pc);
    s->block->decides = expr_of(s, &s->now[instr->guard], 1);
    s->block->next[instr->unless] = block_at(s, yes, entered);
    s->block->next[!instr->unless] = block_at(s, s->pc + 1, false);
}

/* ---- One block ---- */

static bool is_odd(const struct special *s, const struct ptx_operand *operand, bool address)
{
    bool reg = operand->kind == PTX_REGISTER;
    return (operand->in_brackets && !address) || (reg && operand->number && !address) ||
           (operand->negated && (!reg || bits_of(s, operand->reg) != 1)) ||
           (operand->kind == PTX_VECTOR &&
            ANY(i, operand->count, is_odd(s, &operand->elements[i], false)));
}

/* False after refusing brackets, sums and negations where none is read. */
static bool check_operands(struct special *s, const struct ptx_instr *instr)
{
    enum ptx_kind kind = instr->meaning.word->kind;
    uint32_t address = kind == PTX_LOAD || kind == PTX_ATOM   ? 1
                       : kind == PTX_STORE || kind == PTX_RED ? 0
                                                              : LIT_NONE;
    bool odd =
        kind != PTX_NOTHING && ANY(i, instr->count, is_odd(s, &instr->operands[i], i == address));
    if (odd)
        REFUSE(s, "an operand has brackets, a sum or a negation that is not read there");
    return !odd;
}

static void step(struct special *s, const struct ptx_instr *instr)
{
    if (!check_operands(s, instr))
        return;
    switch (instr->meaning.word->kind) {
    case PTX_FOLD:
    case PTX_OPAQUE: step_fold(s, instr); break;
    case PTX_LOAD: step_load(s, instr); break;
    case PTX_STORE: step_store(s, instr); break;
    case PTX_ATOM:
    case PTX_RED: step_atomic(s, instr); break;
    case PTX_FENCE: step_fence(s, instr); break;
    case PTX_BARRIER: step_barrier(s, instr); break;
    case PTX_BRANCH:
    case PTX_END:
    case PTX_NOTHING:
    case PTX_REFUSED: break;
    }
}

static bool is_label(const struct ptx_kernel *kernel, uint32_t pc)
{
    return ANY(i, kernel->labels.count, kernel->labels.items[i].at == pc);
}

/* Does the guard depend on a read? Then the block ends here. `passes`: it is known not to hold. */
static bool guarded(struct special *s, const struct ptx_instr *instr, bool *passes)
{
    *passes = false;
    if (instr->guard == LIT_NONE || (s->block->entered && s->pc == s->block->pc))
        return false;
    const struct ptx_value *guard = &s->now[instr->guard];
    if (guard->kind == READ || guard->opaque || guard->kind == UNSET)
        return true;
    *passes = (guard->known != 0) == instr->unless;
    return false;
}

/* The rest of the block ends with a jump there. */
static void go(struct special *s, uint32_t pc)
{
    settle_all(s, pc);
    s->block->next[0] = block_at(s, pc, false);
}

/* True: the block goes on behind the instruction. */
static bool run_one(struct special *s, const struct ptx_instr *instr)
{
    bool passes;
    s->instr = instr;
    if (++s->steps > MAX_STEPS)
        FAULT(s, DIAG_LIT_TOO_LARGE, "the kernel takes more than %d steps in one thread%s",
              MAX_STEPS, place(s, instr));
    if (++s->memory->steps > MAX_ALL_STEPS)
        FAULT(s, DIAG_LIT_TOO_LARGE, "the threads of this test take more than %d steps%s",
              MAX_ALL_STEPS, place(s, instr));
    if (instr->why) {
        REFUSE(s, instr->why);
        return false;
    }
    bool jumps = instr->meaning.word->kind == PTX_BRANCH;
    if (jumps && instr->target == LIT_NONE) {
        FAULT(s, DIAG_PTX_SYNTAX, "'%s' leads to no label of the kernel", instr->text);
        return false;
    }
    if (guarded(s, instr, &passes)) {
        part_ways(s, instr, jumps ? instr->target : s->pc, !jumps);
        return false;
    }
    if (passes)
        return true;
    if (jumps)
        go(s, instr->target);
    else
        step(s, instr);
    return !jumps && instr->meaning.word->kind != PTX_END;
}

static void run_block(struct special *s, struct ptx_block *block)
{
    const struct ptx_kernel *kernel = s->kernel;
    s->block = block;
    take_state(s, block);
    for (s->pc = block->pc; s->pc < kernel->code.count && !s->failed; s->pc++) {
        if (s->pc != block->pc && is_label(kernel, s->pc)) {
            go(s, s->pc);
            return;
        }
        if (!run_one(s, &kernel->code.items[s->pc]))
            return;
    }
}

static uint32_t *no_places(struct arena *arena, size_t count)
{
    uint32_t *places = ARENA_ARRAY(arena, uint32_t, count);
    return memset(places, 0xff, count * sizeof *places);
}

struct ptx_residue ptx_special(struct ptx_memory *memory, const struct ptx_thread *thread,
                               struct arena *arena, struct arena *scratch)
{
    size_t count = thread->kernel->registers.count;
    struct special s = {.arena = arena,
                        .scratch = scratch,
                        .memory = memory,
                        .thread = thread,
                        .kernel = thread->kernel,
                        .now = ARENA_ARRAY(scratch, struct ptx_value, count),
                        .own = no_places(scratch, count),
                        .index = {no_places(scratch, count), no_places(scratch, count)},
                        .moves = ARENA_ARRAY(scratch, bool, count),
                        .to = no_places(scratch, count)};
    if (s.kernel->code.count) {
        s.instr = &s.kernel->code.items[0];
        (void)block_at(&s, 0, false);
    }
    for (size_t i = 0; i < s.residue.blocks.count && !s.failed; i++)
        run_block(&s, s.residue.blocks.items[i]);
    s.residue.failed = s.failed;
    return s.residue;
}

void ptx_special_free(struct ptx_residue *residue)
{
    for (size_t i = 0; i < residue->blocks.count; i++)
        VEC_FREE(&residue->blocks.items[i]->steps);
    VEC_FREE(&residue->blocks);
    VEC_FREE(&residue->registers);
}
