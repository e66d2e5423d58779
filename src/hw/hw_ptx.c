/* Values of the test are 64-bit registers in the canonical form of lit_value.h, so that one way of
 * computing does for all types: each result is brought back into the form of its type. */
#include "hw/hw_ptx.h"

#include "hw/hw_layout.h"

#include <inttypes.h>

struct printer {
    const struct hw_plan *plan;
    struct strbuf *out;
    const struct lit_thread *thread; /* whose role is printed */
    uint32_t item, first;            /* its number, and that of its first register */
    uint32_t temporaries, most;      /* in use, and ever */
};

static void say(struct printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct printer *p, const char *format, ...)
{
    va_list arguments;
    strbuf_add(p->out, "    ");
    va_start(arguments, format);
    strbuf_vprintf(p->out, format, arguments);
    va_end(arguments);
    strbuf_add(p->out, ";\n");
}

static void label(struct printer *p, const char *name, uint32_t a, uint32_t b)
{
    strbuf_printf(p->out, "%s_%" PRIu32 "_%" PRIu32 ":\n", name, a, b);
}

/* ---- Expressions ---- */

static uint32_t temporary(struct printer *p)
{
    p->temporaries++;
    if (p->most < p->temporaries)
        p->most = p->temporaries;
    return p->temporaries - 1;
}

/* Into the canonical form of the type. */
static void wrap(struct printer *p, const char *set, uint32_t number, enum lit_type type)
{
    if (type == LIT_BOOL) {
        say(p, "setp.ne.s64 %%truth, %s%" PRIu32 ", 0", set, number);
        say(p, "selp.b64 %s%" PRIu32 ", 1, 0, %%truth", set, number);
    } else if (!lit_type_is_wide(type)) {
        char kind = lit_type_is_signed(type) ? 's' : 'u';
        say(p, "cvt.%c64.%c%" PRIu32 " %s%" PRIu32 ", %s%" PRIu32, kind, kind, lit_type_bits(type),
            set, number, set, number);
    }
}

/* What an operator is called: with a dot, of the type of its operands. */
static const char *word_of(enum lit_operator op, bool is_signed)
{
    switch (op) {
    case LIT_OP_NEG: return "neg.s64";
    case LIT_OP_BITNOT: return "not.b64";
    case LIT_OP_ADD: return "add.s64";
    case LIT_OP_SUB: return "sub.s64";
    case LIT_OP_MUL: return "mul.lo.s64";
    case LIT_OP_DIV: return is_signed ? "div.s64" : "div.u64";
    case LIT_OP_MOD: return is_signed ? "rem.s64" : "rem.u64";
    case LIT_OP_BITAND: return "and.b64";
    case LIT_OP_BITOR: return "or.b64";
    case LIT_OP_BITXOR: return "xor.b64";
    case LIT_OP_SHL: return "shl.b64";
    case LIT_OP_SHR: return is_signed ? "shr.s64" : "shr.u64";
    case LIT_OP_LT: return is_signed ? "setp.lt.s64" : "setp.lt.u64";
    case LIT_OP_LE: return is_signed ? "setp.le.s64" : "setp.le.u64";
    case LIT_OP_GT: return is_signed ? "setp.gt.s64" : "setp.gt.u64";
    case LIT_OP_GE: return is_signed ? "setp.ge.s64" : "setp.ge.u64";
    case LIT_OP_EQ: return "setp.eq.s64";
    case LIT_OP_NE: return "setp.ne.s64";
    case LIT_OP_CONST:
    case LIT_OP_REG:
    case LIT_OP_NOT:
    case LIT_OP_CAST:
    case LIT_OP_AND:
    case LIT_OP_OR:
    case LIT_OP_SELECT: break;
    }
    BASE_UNREACHABLE("an operator with a word of its own");
}

static uint32_t print(struct printer *p, const struct lit_expr *expr);

/* As an operand of what computes in the type. */
static uint32_t print_as(struct printer *p, const struct lit_expr *expr, enum lit_type type)
{
    uint32_t number = print(p, expr);
    if (expr->type != type)
        wrap(p, "%t", number, type);
    return number;
}

static void print_truth(struct printer *p, uint32_t to)
{
    say(p, "selp.b64 %%t%" PRIu32 ", 1, 0, %%truth", to);
}

/* Both sides are values without effects, so that both may be computed. */
static void print_logic(struct printer *p, const struct lit_expr *expr, uint32_t to)
{
    uint32_t a = print_as(p, expr->a, LIT_BOOL), b = print_as(p, expr->b, LIT_BOOL);
    say(p, "%s.b64 %%t%" PRIu32 ", %%t%" PRIu32 ", %%t%" PRIu32,
        expr->op == LIT_OP_AND ? "and" : "or", to, a, b);
}

static void print_select(struct printer *p, const struct lit_expr *expr, uint32_t to)
{
    uint32_t a = print(p, expr->a), b = print_as(p, expr->b, expr->operands),
             c = print_as(p, expr->c, expr->operands);
    say(p, "setp.ne.s64 %%truth, %%t%" PRIu32 ", 0", a);
    say(p, "selp.b64 %%t%" PRIu32 ", %%t%" PRIu32 ", %%t%" PRIu32 ", %%truth", to, b, c);
}

static void print_binary(struct printer *p, const struct lit_expr *expr, uint32_t to)
{
    bool is_shift = expr->op == LIT_OP_SHL || expr->op == LIT_OP_SHR;
    bool is_truth = expr->op >= LIT_OP_LT && expr->op <= LIT_OP_NE;
    const char *word = word_of(expr->op, lit_type_is_signed(expr->operands));
    uint32_t a = print_as(p, expr->a, expr->operands);
    uint32_t b = is_shift ? print(p, expr->b) : print_as(p, expr->b, expr->operands);
    if (is_shift) {
        say(p, "and.b64 %%t%" PRIu32 ", %%t%" PRIu32 ", %" PRIu32, b, b,
            lit_type_bits(expr->operands) - 1);
        say(p, "cvt.u32.u64 %%count, %%t%" PRIu32, b);
        say(p, "%s %%t%" PRIu32 ", %%t%" PRIu32 ", %%count", word, to, a);
    } else if (is_truth) {
        say(p, "%s %%truth, %%t%" PRIu32 ", %%t%" PRIu32, word, a, b);
        print_truth(p, to);
    } else {
        say(p, "%s %%t%" PRIu32 ", %%t%" PRIu32 ", %%t%" PRIu32, word, to, a, b);
    }
    if (!is_truth)
        wrap(p, "%t", to, expr->operands);
}

/* The number of the temporary that has its value, in the form of its type. */
static uint32_t print(struct printer *p, const struct lit_expr *expr)
{
    uint32_t to = temporary(p);
    switch (expr->op) {
    case LIT_OP_CONST: say(p, "mov.b64 %%t%" PRIu32 ", %" PRId64, to, expr->value); break;
    case LIT_OP_REG: say(p, "mov.b64 %%t%" PRIu32 ", %%v%" PRIu32, to, p->first + expr->reg); break;
    case LIT_OP_CAST:
        say(p, "mov.b64 %%t%" PRIu32 ", %%t%" PRIu32, to, print_as(p, expr->a, expr->operands));
        break;
    case LIT_OP_NOT:
        say(p, "setp.eq.s64 %%truth, %%t%" PRIu32 ", 0", print(p, expr->a));
        print_truth(p, to);
        break;
    case LIT_OP_NEG:
    case LIT_OP_BITNOT:
        say(p, "%s %%t%" PRIu32 ", %%t%" PRIu32, word_of(expr->op, true), to,
            print_as(p, expr->a, expr->operands));
        wrap(p, "%t", to, expr->operands);
        break;
    case LIT_OP_AND:
    case LIT_OP_OR: print_logic(p, expr, to); break;
    case LIT_OP_SELECT: print_select(p, expr, to); break;
    case LIT_OP_DIV:
    case LIT_OP_MOD:
    case LIT_OP_ADD:
    case LIT_OP_SUB:
    case LIT_OP_MUL:
    case LIT_OP_BITAND:
    case LIT_OP_BITOR:
    case LIT_OP_BITXOR:
    case LIT_OP_SHL:
    case LIT_OP_SHR:
    case LIT_OP_LT:
    case LIT_OP_LE:
    case LIT_OP_GT:
    case LIT_OP_GE:
    case LIT_OP_EQ:
    case LIT_OP_NE: print_binary(p, expr, to); break;
    }
    return to;
}

/* A statement begins: none of its temporaries is in use. */
static uint32_t print_value(struct printer *p, const struct lit_expr *expr, enum lit_type type)
{
    p->temporaries = 0;
    return print_as(p, expr, type);
}

static void assign(struct printer *p, uint32_t reg, const char *set, uint32_t from,
                   enum lit_type type)
{
    if (reg == LIT_NONE)
        return;
    say(p, "mov.b64 %%v%" PRIu32 ", %s%" PRIu32, p->first + reg, set, from);
    if (p->thread->registers[reg].type != type)
        wrap(p, "%v", p->first + reg, p->thread->registers[reg].type);
}

/* ---- Accesses ---- */

static enum lit_type type_at(const struct printer *p, const struct lit_address *addr)
{
    return p->plan->program->locations[addr->first].type;
}

/* Into %at. An index that is out of bounds ends the role. */
static void print_address(struct printer *p, const struct lit_address *addr)
{
    if (!addr->index) {
        say(p, "mov.b64 %%at, %%x%" PRIu32, addr->first);
        return;
    }
    p->temporaries = 0;
    uint32_t index = print(p, addr->index);
    say(p, "mov.b64 %%at, 0");
    for (uint32_t i = 0; i < addr->count; i++) {
        say(p, "setp.eq.s64 %%truth, %%t%" PRIu32 ", %" PRIu32, index, i);
        say(p, "selp.b64 %%at, %%x%" PRIu32 ", %%at, %%truth", lit_address_element(addr, i));
    }
    say(p, "setp.eq.s64 %%truth, %%at, 0");
    say(p, "@%%truth bra STUCK_%" PRIu32 "_0", p->item);
}

static void print_sc_fence(struct printer *p, const struct lit_instr *instr)
{
    if (instr->order == LIT_ORDER_SC || (instr->op == LIT_CAS && instr->fail_order == LIT_ORDER_SC))
        say(p, "fence.sc.%s", hw_plan_scope(instr->scope));
}

static void print_load(struct printer *p, const struct lit_instr *instr)
{
    enum lit_type type = type_at(p, &instr->addr);
    const char *scope = hw_plan_scope(instr->scope);
    char kind = lit_type_is_signed(type) ? 's' : 'u';
    print_address(p, &instr->addr);
    print_sc_fence(p, instr);
    if (instr->order == LIT_ORDER_NA)
        say(p, "ld.weak.global.%c32 %%got0, [%%at]", kind);
    else
        say(p, "ld.%s.%s.global.%c32 %%got0, [%%at]",
            instr->order == LIT_ORDER_RLX ? "relaxed" : "acquire", scope, kind);
    assign(p, instr->dst, "%got", 0, type);
}

static void print_store(struct printer *p, const struct lit_instr *instr)
{
    uint32_t value = print_value(p, instr->value, type_at(p, &instr->addr));
    say(p, "cvt.u32.u64 %%word, %%t%" PRIu32, value);
    print_address(p, &instr->addr);
    print_sc_fence(p, instr);
    if (instr->order == LIT_ORDER_NA)
        say(p, "st.weak.global.u32 [%%at], %%word");
    else
        say(p, "st.%s.%s.global.u32 [%%at], %%word",
            instr->order == LIT_ORDER_RLX ? "relaxed" : "release", hw_plan_scope(instr->scope));
}

static const char *rmw_word(enum lit_rmw rmw, bool is_signed)
{
    switch (rmw) {
    case LIT_RMW_EXCHANGE: return "exch.b32";
    case LIT_RMW_ADD:
    case LIT_RMW_SUB: return "add.u32";
    case LIT_RMW_AND: return "and.b32";
    case LIT_RMW_OR: return "or.b32";
    case LIT_RMW_XOR: return "xor.b32";
    case LIT_RMW_MIN: return is_signed ? "min.s32" : "min.u32";
    case LIT_RMW_MAX: return is_signed ? "max.s32" : "max.u32";
    case LIT_RMW_INC: return "inc.u32";
    case LIT_RMW_DEC: return "dec.u32";
    }
    BASE_UNREACHABLE("an atomic operation");
}

/* The order that does for success and failure. */
static const char *atomic_order(const struct lit_instr *instr)
{
    enum lit_order fail = instr->op == LIT_CAS ? instr->fail_order : LIT_ORDER_RLX;
    bool acquires = instr->order == LIT_ORDER_ACQ || instr->order >= LIT_ORDER_ACQ_REL ||
                    fail == LIT_ORDER_ACQ || fail >= LIT_ORDER_ACQ_REL;
    bool releases = instr->order >= LIT_ORDER_REL;
    return acquires ? releases ? "acq_rel" : "acquire" : releases ? "release" : "relaxed";
}

static void print_atomic(struct printer *p, const struct lit_instr *instr)
{
    enum lit_type type = type_at(p, &instr->addr);
    const char *order = atomic_order(instr), *scope = hw_plan_scope(instr->scope);
    bool is_signed = lit_type_is_signed(type), swaps = instr->op == LIT_CAS;
    say(p, "cvt.u32.u64 %%word, %%t%" PRIu32, print_value(p, instr->value, type));
    if (instr->op == LIT_RMW && instr->rmw == LIT_RMW_SUB)
        say(p, "neg.s32 %%word, %%word");
    if (swaps)
        say(p, "cvt.u32.u64 %%held, %%t%" PRIu32, print_value(p, instr->expected, type));
    print_address(p, &instr->addr);
    print_sc_fence(p, instr);
    if (swaps)
        say(p, "atom.%s.%s.global.cas.b32 %%old, [%%at], %%held, %%word", order, scope);
    else
        say(p, "atom.%s.%s.global.%s %%old, [%%at], %%word", order, scope,
            rmw_word(instr->rmw, is_signed));
    say(p, "cvt.%c64.%c32 %%got0, %%old", is_signed ? 's' : 'u', is_signed ? 's' : 'u');
    assign(p, swaps ? instr->dst_old : instr->dst, "%got", 0, type);
    if (!swaps || instr->dst == LIT_NONE)
        return;
    say(p, "setp.eq.u32 %%truth, %%old, %%held");
    say(p, "selp.b64 %%v%" PRIu32 ", 1, 0, %%truth", p->first + instr->dst);
}

/* ---- Other instructions ---- */

static void print_fence(struct printer *p, const struct lit_instr *instr)
{
    if (instr->order != LIT_ORDER_RLX)
        say(p, "fence.%s.%s", instr->order == LIT_ORDER_SC ? "sc" : "acq_rel",
            hw_plan_scope(instr->scope));
}

/* Over all lanes of the roles that have it. Barrier 0 is the program's own. */
static void print_barrier(struct printer *p, const struct lit_instr *instr)
{
    const struct lit_program *program = p->plan->program;
    uint32_t roles = 0;
    EACH (const struct lit_thread, thread, program->threads, program->thread_count)
        roles +=
            lit_same_instance(thread, p->thread, LIT_SCOPE_WG) && hw_check_meets(thread, instr);
    say(p, "mul.lo.u32 %%count, %%lanes, %" PRIu32, roles);
    say(p, "barrier.sync %" PRIu32 ", %%count", 1 + hw_check_barrier(program, instr));
}

/* The code behind which all is done has the number of its instructions. */
static void print_jump(struct printer *p, const struct lit_instr *instr, uint32_t pc)
{
    if (instr->target <= pc) {
        say(p, "sub.u32 %%left, %%left, 1");
        say(p, "setp.eq.u32 %%truth, %%left, 0");
        say(p, "@%%truth bra STUCK_%" PRIu32 "_0", p->item);
    }
    if (instr->op == LIT_BRANCH) {
        p->temporaries = 0;
        say(p, "setp.eq.s64 %%truth, %%t%" PRIu32 ", 0", print(p, instr->value));
    }
    say(p, "%sbra AT_%" PRIu32 "_%" PRIu32, instr->op == LIT_BRANCH ? "@%truth " : "", p->item,
        instr->target);
}

static void print_instruction(struct printer *p, const struct lit_instr *instr, uint32_t pc)
{
    switch (instr->op) {
    case LIT_SET: {
        enum lit_type type = p->thread->registers[instr->dst].type;
        assign(p, instr->dst, "%t", print_value(p, instr->value, type), type);
        break;
    }
    case LIT_LOAD: print_load(p, instr); break;
    case LIT_STORE: print_store(p, instr); break;
    case LIT_RMW:
    case LIT_CAS: print_atomic(p, instr); break;
    case LIT_FENCE: print_fence(p, instr); break;
    case LIT_BARRIER: print_barrier(p, instr); break;
    case LIT_JUMP:
    case LIT_BRANCH: print_jump(p, instr, pc); break;
    case LIT_CRASH:
    case LIT_LOOP:
    case LIT_AWAIT: break; /* marks of the text */
    default: BASE_UNREACHABLE("what hw_check lets pass");
    }
}

/* ---- Roles ---- */

static bool is_target(const struct lit_thread *thread, uint32_t pc)
{
    return ANY(i, thread->code_count,
               lit_instruction_jumps(thread->code[i].op) && thread->code[i].target == pc);
}

static void print_code(struct printer *p)
{
    for (uint32_t i = 0; i < p->thread->register_count; i++)
        say(p, "mov.b64 %%v%" PRIu32 ", %" PRId64, p->first + i, p->thread->registers[i].init);
    for (uint32_t pc = 0; pc <= p->thread->code_count; pc++) {
        if (is_target(p->thread, pc))
            label(p, "AT", p->item, pc);
        if (pc < p->thread->code_count)
            print_instruction(p, &p->thread->code[pc], pc);
    }
}

static void print_role(struct printer *p)
{
    const struct hw_plan *plan = p->plan;
    label(p, "ROLE", p->item, 0);
    say(p, "add.s64 %%mine, %%row, %" PRIu32, 4 * p->item * plan->row);
    print_code(p);
    for (uint32_t i = 0; i < plan->value_count; i++) {
        const struct hw_value *value = &plan->values[i];
        if (!value->column || value->atom.thread != p->item)
            continue;
        say(p, "cvt.u32.u64 %%word, %%v%" PRIu32, p->first + value->atom.reg);
        say(p, "st.global.u32 [%%mine+%" PRIu32 "], %%word", 4 * value->column);
    }
    say(p, "st.global.u32 [%%mine], %d", HW_MARK_DONE);
    say(p, "bra NEXT");
    if (plan->roles[p->item].waits) {
        label(p, "STUCK", p->item, 0);
        say(p, "st.global.u32 [%%mine], %d", HW_MARK_GAVE_UP);
        say(p, "bra NEXT");
    }
    p->first += p->thread->register_count;
}

/* ---- What is around them ---- */

static void load_word(struct printer *p, const char *name, enum hw_word word)
{
    say(p, "ld.global.u32 %%%s, [%%table+%d]", name, 4 * (int)word);
}

/* Accesses, as many as %left, two in each turn; `where` begins its labels. */
static void print_noise(struct printer *p, const char *where)
{
    strbuf_printf(p->out, "%s_TURN:\n", where);
    say(p, "setp.eq.u32 %%truth, %%left, 0");
    say(p, "@%%truth bra %s_OVER", where);
    say(p, "sub.u32 %%left, %%left, 1");
    say(p, "add.u32 %%a, %%left, %%thread");
    say(p, "rem.u32 %%a, %%a, %%lines");
    say(p, "mul.lo.u32 %%a, %%a, %d", 4 * HW_NOISE_LINE_WORDS);
    say(p, "cvt.u64.u32 %%at, %%a");
    say(p, "add.s64 %%at, %%at, %%noise");
    for (int i = 0; i < 2; i++) {
        say(p, "and.b32 %%b, %%pattern, %d", 1 << i);
        say(p, "setp.eq.u32 %%truth, %%b, 0");
        say(p, "@%%truth st.relaxed.gpu.global.u32 [%%at], %%left");
        say(p, "@!%%truth ld.relaxed.gpu.global.u32 %%b, [%%at]");
    }
    say(p, "bra %s_TURN", where);
    strbuf_printf(p->out, "%s_OVER:\n", where);
}

static void print_registers(struct printer *p, const struct strbuf *body, const char *const *names,
                            uint32_t values)
{
    strbuf_add(p->out, "    .reg .pred %truth;\n    .reg .b32");
    for (uint32_t i = 0; names[i]; i++)
        strbuf_printf(p->out, "%s %%%s", i ? "," : "", names[i]);
    strbuf_add(p->out, ";\n    .reg .b64 %table, %memory, %rows, %meetings, %noise, %counts, %at, "
                       "%row, %mine, %got0;\n");
    strbuf_printf(p->out, "    .reg .b64 %%x<%" PRIu32 ">, %%v<%" PRIu32 ">, %%t<%" PRIu32 ">;\n",
                  p->plan->program->location_count + 1, values + 1, p->most + 1);
    strbuf_add_bytes(p->out, strbuf_text(body), body->length);
}

static void print_parameters(struct printer *p, const char *const *names)
{
    for (uint32_t i = 0; names[i]; i++)
        say(p, "ld.param.u64 %%%s, [%s]", names[i], names[i]);
    say(p, "mov.u32 %%thread, %%tid.x");
    say(p, "mov.u32 %%block, %%ctaid.x");
}

static void print_entry(struct printer *p, const char *name, const char *const *parameters)
{
    strbuf_printf(p->out, "\n.visible .entry %s(", name);
    for (uint32_t i = 0; parameters[i]; i++)
        strbuf_printf(p->out, "%s.param .u64 %s", i ? ", " : "", parameters[i]);
    strbuf_add(p->out, ")\n{\n");
}

/* Of the instance in %instance. */
static void print_places(struct printer *p)
{
    for (uint32_t v = 0; v < p->plan->program->location_count; v++) {
        enum hw_word word = HW_WORD_PLACES + 4 * v;
        load_word(p, "a", word);
        say(p, "mul.lo.u32 %%a, %%instance, %%a");
        load_word(p, "b", word + 1);
        say(p, "add.u32 %%a, %%a, %%b");
        say(p, "rem.u32 %%a, %%a, %%instances");
        load_word(p, "b", word + 2);
        say(p, "mul.lo.u32 %%a, %%a, %%b");
        load_word(p, "b", word + 3);
        say(p, "add.u32 %%a, %%a, %%b");
        say(p, "mul.lo.u32 %%a, %%a, 4");
        say(p, "cvt.u64.u32 %%x%" PRIu32 ", %%a", v);
        say(p, "add.s64 %%x%" PRIu32 ", %%x%" PRIu32 ", %%memory", v, v);
    }
    say(p, "cvt.u64.u32 %%row, %%instance");
    say(p, "mul.lo.s64 %%row, %%row, %" PRIu32, 4 * p->plan->row * p->plan->program->thread_count);
    say(p, "add.s64 %%row, %%row, %%rows");
}

/* Team and group of the block, role and instance of the thread. */
static void print_part(struct printer *p)
{
    uint32_t groups = p->plan->group_count, roles = p->plan->most_roles;
    load_word(p, "a", HW_WORD_A);
    say(p, "mul.lo.u32 %%a, %%a, %%block");
    load_word(p, "b", HW_WORD_C);
    say(p, "add.u32 %%a, %%a, %%b");
    load_word(p, "b", HW_WORD_D);
    say(p, "mul.lo.u32 %%b, %%b, %%slot");
    say(p, "add.u32 %%a, %%a, %%b");
    say(p, "rem.u32 %%a, %%a, %%blocks");
    say(p, "div.u32 %%team, %%a, %" PRIu32, groups);
    say(p, "rem.u32 %%group, %%a, %" PRIu32, groups);
    load_word(p, "a", HW_WORD_BY_LANES);
    say(p, "setp.ne.u32 %%truth, %%a, 0");
    say(p, "div.u32 %%role, %%thread, %%lanes");
    say(p, "rem.u32 %%lane, %%thread, %%lanes");
    say(p, "@%%truth rem.u32 %%role, %%thread, %" PRIu32, roles);
    say(p, "@%%truth div.u32 %%lane, %%thread, %" PRIu32, roles);
    say(p, "mul.lo.u32 %%a, %%role, 8");
    say(p, "cvt.u64.u32 %%at, %%a");
    say(p, "add.s64 %%at, %%at, %%table");
    say(p, "ld.global.u32 %%a, [%%at+%d]", 4 * HW_WORD_ROLES);
    say(p, "ld.global.u32 %%b, [%%at+%d]", 4 * HW_WORD_ROLES + 4);
    say(p, "mul.lo.u32 %%lane, %%lane, %%a");
    say(p, "add.u32 %%lane, %%lane, %%b");
    say(p, "rem.u32 %%lane, %%lane, %%lanes");
    load_word(p, "meeting", HW_WORD_TEAMS);
    say(p, "mul.lo.u32 %%meeting, %%meeting, %%slot");
    say(p, "add.u32 %%meeting, %%meeting, %%team");
    say(p, "mul.lo.u32 %%instance, %%meeting, %%lanes");
    say(p, "add.u32 %%instance, %%instance, %%lane");
}

/* The blocks of a team wait for one another, as long as they may. */
static void print_meeting(struct printer *p)
{
    load_word(p, "left", HW_WORD_MEETING);
    say(p, "setp.eq.u32 %%truth, %%left, 0");
    say(p, "@%%truth bra MET");
    say(p, "mul.lo.u32 %%a, %%meeting, 4");
    say(p, "cvt.u64.u32 %%at, %%a");
    say(p, "add.s64 %%at, %%at, %%meetings");
    say(p, "barrier.sync 0");
    say(p, "setp.ne.u32 %%truth, %%thread, 0");
    say(p, "@%%truth bra WAITED");
    say(p, "atom.relaxed.gpu.global.add.u32 %%a, [%%at], 1");
    strbuf_add(p->out, "WAIT:\n");
    say(p, "ld.relaxed.gpu.global.u32 %%a, [%%at]");
    say(p, "setp.ge.u32 %%truth, %%a, %" PRIu32, p->plan->group_count);
    say(p, "@%%truth bra WAITED");
    say(p, "sub.u32 %%left, %%left, 1");
    say(p, "setp.ne.u32 %%truth, %%left, 0");
    say(p, "@%%truth bra WAIT");
    strbuf_add(p->out, "WAITED:\n");
    say(p, "barrier.sync 0");
    strbuf_add(p->out, "MET:\n");
}

static void print_choice(struct printer *p)
{
    const struct hw_plan *plan = p->plan;
    load_word(p, "left", HW_WORD_SPIN);
    say(p, "mul.lo.u32 %%a, %%group, %" PRIu32, plan->most_roles);
    say(p, "add.u32 %%a, %%a, %%role");
    for (uint32_t t = 0; t < plan->program->thread_count; t++) {
        say(p, "setp.eq.u32 %%truth, %%a, %" PRIu32,
            plan->roles[t].group * plan->most_roles + plan->roles[t].place);
        say(p, "@%%truth bra ROLE_%" PRIu32 "_0", t);
    }
    say(p, "bra NEXT");
}

static void print_slots(struct printer *p)
{
    load_word(p, "blocks", HW_WORD_BLOCKS);
    load_word(p, "slots", HW_WORD_SLOTS);
    load_word(p, "lanes", HW_WORD_LANES);
    load_word(p, "instances", HW_WORD_INSTANCES);
    load_word(p, "lines", HW_WORD_NOISE_LINES);
    load_word(p, "pattern", HW_WORD_NOISE_PATTERN);
    say(p, "setp.ge.u32 %%truth, %%block, %%blocks");
    say(p, "@%%truth bra NOISE");
    say(p, "mov.u32 %%slot, 0");
    strbuf_add(p->out, "SLOT:\n");
    print_part(p);
    print_places(p);
    load_word(p, "left", HW_WORD_NOISE_BEFORE);
    print_noise(p, "BEFORE");
    print_meeting(p);
    print_choice(p);
}

static void print_run(struct printer *p)
{
    static const char *const parameters[] = {"table", "memory", "rows", "meetings", "noise", NULL};
    static const char *const names[] = {
        "thread", "block",   "slot",  "slots", "blocks",   "lanes", "lane",    "team",
        "group",  "role",    "a",     "b",     "instance", "left",  "meeting", "instances",
        "lines",  "pattern", "count", "word",  "held",     "old",   NULL};
    struct strbuf *out = p->out;
    SCOPED(strbuf) body = {0};
    print_entry(p, "run", parameters);
    p->out = &body;
    print_parameters(p, parameters);
    print_slots(p);
    for (p->item = 0; p->item < p->plan->program->thread_count; p->item++) {
        p->thread = &p->plan->program->threads[p->item];
        print_role(p);
    }
    strbuf_add(p->out, "NEXT:\n");
    say(p, "add.u32 %%slot, %%slot, 1");
    say(p, "setp.lt.u32 %%truth, %%slot, %%slots");
    say(p, "@%%truth bra SLOT");
    say(p, "ret");
    strbuf_add(p->out, "NOISE:\n");
    load_word(p, "left", HW_WORD_NOISE_TURNS);
    print_noise(p, "AROUND");
    say(p, "ret");
    p->out = out;
    print_registers(p, &body, names, p->first);
    strbuf_add(p->out, "}\n");
}

/* ---- Counting ---- */

static void print_digit(struct printer *p, const struct hw_value *value)
{
    bool is_register = value->atom.kind == LIT_ATOM_REGISTER;
    if (is_register)
        say(p, "ld.global.u32 %%word, [%%row+%" PRIu32 "]",
            4 * (value->atom.thread * p->plan->row + value->column));
    else
        say(p, "ld.global.u32 %%word, [%%x%" PRIu32 "]", value->atom.location);
    say(p, "mov.u32 %%a, %" PRIu32, value->count);
    for (uint32_t i = 0; i < value->count; i++) {
        say(p, "setp.eq.u32 %%truth, %%word, %" PRIu32, (uint32_t)value->choices[i]);
        say(p, "selp.b32 %%a, %" PRIu32 ", %%a, %%truth", i);
    }
    say(p, "setp.eq.u32 %%truth, %%a, %" PRIu32, value->count);
    say(p, "@%%truth bra OTHER");
    say(p, "mul.lo.u32 %%left, %%left, %" PRIu32, value->count);
    say(p, "add.u32 %%left, %%left, %%a");
}

static void print_marks(struct printer *p)
{
    for (uint32_t t = 0; t < p->plan->program->thread_count; t++) {
        say(p, "ld.global.u32 %%a, [%%row+%" PRIu32 "]", 4 * t * p->plan->row);
        say(p, "mov.u32 %%left, %d", HW_COUNT_UNWRITTEN);
        say(p, "setp.eq.u32 %%truth, %%a, 0");
        say(p, "@%%truth bra COUNT");
        say(p, "setp.ne.u32 %%truth, %%a, %d", HW_MARK_DONE);
        say(p, "@%%truth mov.u32 %%held, 1");
    }
}

static void print_collect(struct printer *p)
{
    static const char *const parameters[] = {"table", "memory", "rows", "counts", NULL};
    static const char *const names[] = {"thread",    "block", "a",    "b",    "instance",
                                        "instances", "left",  "word", "held", NULL};
    struct strbuf *out = p->out;
    SCOPED(strbuf) body = {0};
    print_entry(p, "collect", parameters);
    p->out = &body;
    print_parameters(p, parameters);
    load_word(p, "instances", HW_WORD_INSTANCES);
    say(p, "mov.u32 %%a, %%ntid.x");
    say(p, "mul.lo.u32 %%a, %%a, %%block");
    say(p, "add.u32 %%instance, %%a, %%thread");
    say(p, "setp.ge.u32 %%truth, %%instance, %%instances");
    say(p, "@%%truth ret");
    print_places(p);
    say(p, "mov.u32 %%held, 0");
    print_marks(p);
    say(p, "mov.u32 %%left, %d", HW_COUNT_UNFINISHED);
    say(p, "setp.ne.u32 %%truth, %%held, 0");
    say(p, "@%%truth bra COUNT");
    say(p, "mov.u32 %%left, 0");
    for (uint32_t i = 0; i < p->plan->value_count; i++)
        print_digit(p, &p->plan->values[i]);
    say(p, "add.u32 %%left, %%left, %d", HW_COUNT_OUTCOMES);
    say(p, "bra COUNT");
    strbuf_add(p->out, "OTHER:\n");
    say(p, "mov.u32 %%left, %d", HW_COUNT_OTHER);
    strbuf_add(p->out, "COUNT:\n");
    say(p, "mul.lo.u32 %%left, %%left, 4");
    say(p, "cvt.u64.u32 %%at, %%left");
    say(p, "add.s64 %%at, %%at, %%counts");
    say(p, "atom.relaxed.gpu.global.add.u32 %%a, [%%at], 1");
    say(p, "ret");
    p->out = out;
    print_registers(p, &body, names, 0);
    strbuf_add(p->out, "}\n");
}

void hw_ptx_write(const struct hw_plan *plan, struct strbuf *out)
{
    struct printer printer = {.plan = plan, .out = out};
    hw_plan_write(plan, "// ", out);
    strbuf_add(out, "\n.version 6.0\n.target sm_70\n.address_size 64\n");
    print_run(&printer);
    print_collect(&printer);
}
