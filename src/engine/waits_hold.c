/* One iteration from its top, by propagation of constants: of each place that it comes to, which
 * registers have one known value there. */
#include "engine/waits_hold.h"

#include "litmus/lit_code.h"

#include <string.h>

enum { MOST_VALUES = 16 };

bool waits_overlap(const struct lit_address *a, const struct lit_address *b)
{
    return ANY(i, a->count, lit_address_has(b, lit_address_element(a, i)));
}

/* ---- The values that the location may have ---- */

struct values {
    int64_t items[MOST_VALUES];
    uint32_t count;
    bool any; /* or anything */
};

static void add_value(struct values *values, int64_t value)
{
    if (ANY(i, values->count, values->items[i] == value))
        return;
    values->any |= values->count == MOST_VALUES;
    if (!values->any)
        values->items[values->count++] = value;
}

static struct values find_values(const struct lit_program *program, const struct waits *waits,
                                 const struct lit_address *addr)
{
    struct values values = {.count = 0};
    enum lit_type type = program->locations[addr->first].type;
    for (uint32_t i = 0; i < addr->count; i++)
        add_value(&values, program->locations[lit_address_element(addr, i)].init);
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t pc = 0; pc < program->threads[t].code_count; pc++) {
            const struct lit_instr *instr = &program->threads[t].code[pc];
            if (!lit_instruction_writes(instr->op) || waits->behind[t][pc] ||
                !waits_overlap(&instr->addr, addr))
                continue;
            values.any |= instr->rmw != LIT_RMW_EXCHANGE || instr->value->op != LIT_OP_CONST;
            add_value(&values, lit_value_wrap(type, instr->value->value));
        }
    return values;
}

/* ---- One iteration ---- */

struct known {
    int64_t value;
    bool is;
};

struct iteration {
    const struct lit_thread *thread;
    const struct wait *wait;
    const struct lit_address *addr;
    enum lit_type type;
    int64_t value;       /* that is read there */
    bool *reached;       /* per place */
    struct known *rows;  /* registers, per place */
    struct known *after; /* and what they are behind the instruction */
    bool leaves;
};

static struct known evaluate(const struct lit_expr *expr, const struct known *row)
{
    struct known a = {0, true}, b = a, c = a, result = {0, false};
    if (expr->op == LIT_OP_CONST)
        return (struct known){expr->value, true};
    if (expr->op == LIT_OP_REG)
        return row[expr->reg];
    a = evaluate(expr->a, row);
    b = expr->b ? evaluate(expr->b, row) : b;
    c = expr->c ? evaluate(expr->c, row) : c;
    result.is = a.is && b.is && c.is &&
                lit_value_apply(expr->op, expr->operands, a.value, b.value, c.value, &result.value);
    return result;
}

static void assign(struct iteration *it, uint32_t reg, struct known value)
{
    if (reg == LIT_NONE)
        return;
    value.value = lit_value_wrap(it->thread->registers[reg].type, value.value);
    it->after[reg] = value;
}

static void step(struct iteration *it, const struct lit_instr *instr, const struct known *row)
{
    struct known read = {it->value,
                         lit_instruction_reads(instr->op) &&
                             ALL(i, instr->addr.count,
                                 lit_address_has(it->addr, lit_address_element(&instr->addr, i)))};
    memcpy(it->after, row, it->thread->register_count * sizeof *row);
    if (instr->op == LIT_SET)
        read = evaluate(instr->value, row);
    assign(it, lit_code_into(instr), read);
    if (instr->op != LIT_CAS)
        return;
    struct known expected = evaluate(instr->expected, row);
    expected.value = lit_value_wrap(it->type, expected.value);
    assign(it, instr->dst,
           (struct known){(read.value == expected.value) != instr->unless, read.is && expected.is});
}

/* What is known where ways meet is what each of them knows. */
static bool go_on(struct iteration *it, uint32_t to)
{
    if (!it->wait->inside[to])
        it->leaves = true;
    if (!it->wait->inside[to] || to == it->wait->await->begin)
        return false;
    bool more = !it->reached[to];
    struct known *row = &it->rows[(size_t)to * it->thread->register_count];
    for (uint32_t i = 0; i < it->thread->register_count; i++) {
        bool is = it->after[i].is &&
                  (!it->reached[to] || (row[i].is && row[i].value == it->after[i].value));
        more |= row[i].is && !is;
        row[i] = (struct known){it->after[i].value, is};
    }
    it->reached[to] = true;
    return more;
}

static bool step_at(struct iteration *it, uint32_t pc)
{
    const struct lit_instr *instr = &it->thread->code[pc];
    const struct known *row = &it->rows[(size_t)pc * it->thread->register_count];
    struct lit_next next = lit_code_next(it->thread, pc);
    bool more = false;
    step(it, instr, row);
    struct known test =
        instr->op == LIT_BRANCH ? evaluate(instr->value, row) : (struct known){0, false};
    for (uint32_t i = 0; i < next.count; i++)
        if (!test.is || (test.value == 0) == (i == 1))
            more |= go_on(it, next.pcs[i]);
    return more;
}

static bool leaves(struct iteration *it)
{
    it->leaves = false;
    memset(it->reached, 0, it->thread->code_count);
    memset(it->rows, 0,
           (size_t)it->thread->code_count * it->thread->register_count * sizeof *it->rows);
    it->reached[it->wait->await->begin] = true;
    for (bool more = true; more && !it->leaves;) {
        more = false;
        for (uint32_t pc = 0; pc < it->thread->code_count; pc++)
            more |= it->reached[pc] && step_at(it, pc);
    }
    return it->leaves;
}

/* Is it read once an iteration? Of several values each read may have another. */
static bool is_read_once(const struct iteration *it)
{
    uint32_t reads = 0, loops = 0;
    for (uint32_t pc = 0; pc < it->thread->code_count; pc++) {
        const struct lit_instr *instr = &it->thread->code[pc];
        bool within = it->wait->inside[pc];
        reads +=
            within && lit_instruction_reads(instr->op) && waits_overlap(&instr->addr, it->addr);
        loops += within && instr->op == LIT_LOOP;
    }
    return reads == 1 && loops <= 1;
}

bool waits_hold(const struct lit_program *program, const struct waits *waits,
                const struct wait *wait, const struct lit_address *addr)
{
    const struct values values = find_values(program, waits, addr);
    const struct lit_thread *thread = &program->threads[wait->thread];
    SCOPED(arena) arena = {0};
    size_t places = thread->code_count, width = thread->register_count;
    struct iteration it = {.thread = thread,
                           .wait = wait,
                           .addr = addr,
                           .type = program->locations[addr->first].type,
                           .reached = ARENA_ARRAY(&arena, bool, places),
                           .rows = ARENA_ARRAY(&arena, struct known, places * width + 1),
                           .after = ARENA_ARRAY(&arena, struct known, width + 1)};
    bool holds = !values.any && (values.count == 1 || is_read_once(&it));
    for (uint32_t i = 0; i < values.count && holds; i++) {
        it.value = values.items[i];
        holds = !leaves(&it);
    }
    return holds;
}
