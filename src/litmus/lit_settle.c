/* Which conditions no order of stores can decide, since the values alone do.
 *
 * Of each location and register a set of values is found that it may have in some order: what it
 * begins with, and all that instructions make of values that are in their operands' sets, until
 * nothing is added. Which instructions run counts for nothing, unless no value lets them, nor does
 * which store a read sees. So a set may be too large and never too small. Of what takes more than a few values, as what is
 * counted does, nothing is known. Nor is anything of what is copied from location to location in a
 * circle, where some models have values out of thin air. A condition is then tried on each choice of a value for each of
 * its atoms. */
#include "litmus/lit_lower.h"

enum {
    MOST_VALUES = 16,
    MOST_COPIES = 8,
    MOST_STEPS = 1 << 18,
    MOST_TRIALS = 4096,
    MOST_ATOMS = 64,
    MOST_TOLD = 4
};

struct values {
    bool any;        /* nothing is known */
    uint32_t copies; /* from one location to the next, that one of them may have come by */
    uint32_t count;
    int64_t items[MOST_VALUES];
};

struct table {
    const struct lit_program *program;
    struct values *locations, **registers; /* of the threads, then of recovery's; NULL: unknown */
    bool **runs;                           /* instructions of each thread that may run */
    bool grown;
    uint32_t steps;
};

static bool has(const struct values *values, int64_t value)
{
    return ANY(i, values->count, values->items[i] == value);
}

static bool add_value(struct values *values, enum lit_type type, int64_t value)
{
    value = lit_value_wrap(type, value);
    if (values->any || has(values, value))
        return false;
    if (values->count == MOST_VALUES)
        *values = (struct values){.any = true};
    else
        values->items[values->count++] = value;
    return true;
}

static void add_values(struct table *table, struct values *to, enum lit_type type,
                       const struct values *from)
{
    bool farther = from->copies > to->copies;
    if (to->any)
        return;
    if (from->any || from->copies > MOST_COPIES)
        *to = (struct values){.any = true};
    else if (farther)
        to->copies = from->copies;
    table->grown |= to->any || farther;
    for (uint32_t i = 0; i < from->count; i++)
        table->grown |= add_value(to, type, from->items[i]);
}

/* ---- What instructions make of values ---- */

static const struct values truths = {.count = 2, .items = {0, 1}};

static struct values apply(enum lit_operator op, enum lit_type operands, enum lit_type type,
                           const struct values *a, const struct values *b, const struct values *c)
{
    struct values out = {.any = a->any || b->any || c->any};
    out.copies = a->copies > b->copies ? a->copies : b->copies;
    out.copies = out.copies > c->copies ? out.copies : c->copies;
    bool is_truth = op == LIT_OP_NOT || (op >= LIT_OP_LT && op <= LIT_OP_OR);
    int64_t value;
    if (out.any && is_truth)
        return truths;
    for (uint32_t i = 0; i < a->count && !out.any; i++)
        for (uint32_t k = 0; k < b->count && !out.any; k++)
            for (uint32_t l = 0; l < c->count && !out.any; l++)
                if (lit_value_apply(op, operands, a->items[i], b->items[k], c->items[l], &value))
                    (void)add_value(&out, type, value);
    return out;
}

static const struct values zero = {.count = 1};

static struct values evaluate(struct table *table, uint32_t thread, const struct lit_expr *expr)
{
    if (!expr)
        return zero;
    table->steps++;
    if (expr->op == LIT_OP_CONST)
        return (struct values){.count = 1, .items = {expr->value}};
    if (expr->op == LIT_OP_REG)
        return table->registers ? table->registers[thread][expr->reg]
                                : (struct values){.any = true};
    int decided = expr->b ? lit_code_decided(expr->op, expr->a, expr->b) : -1;
    if (decided >= 0)
        return (struct values){.count = 1, .items = {decided}};
    const struct values a = evaluate(table, thread, expr->a), b = evaluate(table, thread, expr->b),
                        c = evaluate(table, thread, expr->c);
    return apply(expr->op, expr->operands, expr->type, &a, &b, &c);
}

/* What a read-modify-write of the location may store. */
static struct values modified(const struct lit_instr *instr, enum lit_type type,
                              const struct values *old, const struct values *operand)
{
    enum lit_rmw rmw = instr->op == LIT_STORE ? LIT_RMW_EXCHANGE : instr->rmw;
    if (instr->computes || rmw == LIT_RMW_INC || rmw == LIT_RMW_DEC)
        return (struct values){.any = true};
    if (rmw == LIT_RMW_EXCHANGE || rmw == LIT_RMW_MIN || rmw == LIT_RMW_MAX)
        return *operand; /* or what is there */
    return apply(lit_rmw_operators[rmw], type, type, old, operand, &zero);
}

static void assign(struct table *table, uint32_t thread, const struct lit_thread *code,
                   uint32_t reg, const struct values *values)
{
    if (reg != LIT_NONE)
        add_values(table, &table->registers[thread][reg], code->registers[reg].type, values);
}

static void access_one(struct table *table, uint32_t thread, const struct lit_thread *code,
                       const struct lit_instr *instr, uint32_t location)
{
    struct values *here = &table->locations[location];
    enum lit_type type = table->program->locations[location].type;
    const struct values operand = evaluate(table, thread, instr->value);
    if (lit_instruction_reads(instr->op))
        assign(table, thread, code, instr->op == LIT_CAS ? instr->dst_old : instr->dst, here);
    if (lit_instruction_writes(instr->op)) {
        struct values new = modified(instr, type, here, &operand);
        new.copies++;
        add_values(table, here, type, &new);
    }
}

static void execute(struct table *table, uint32_t thread, const struct lit_thread *code,
                    const struct lit_instr *instr)
{
    if (instr->op == LIT_SET) {
        const struct values value = evaluate(table, thread, instr->value);
        assign(table, thread, code, instr->dst, &value);
    }
    if (instr->op == LIT_CAS)
        assign(table, thread, code, instr->dst, &truths);
    for (uint32_t i = 0; lit_instruction_accesses(instr->op) && i < instr->addr.count; i++)
        access_one(table, thread, code, instr, lit_address_element(&instr->addr, i));
    table->steps += 1 + instr->addr.count;
}

/* ---- The sets ---- */

/* Marks what may run. A branch, which jumps at 0, leads one way alone where its value says so
 * whatever is in the registers. */
static void find_running(const struct lit_thread *thread, bool *runs)
{
    struct table nothing = {0};
    runs[0] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = 0; pc < thread->code_count; pc++) {
            const struct lit_next next = lit_code_next(thread, pc);
            const struct values value = evaluate(&nothing, 0, thread->code[pc].value);
            bool known = next.count == 2 && !value.any && value.count == 1;
            for (uint32_t i = 0; i < next.count && runs[pc]; i++) {
                bool leads = !known || (value.items[0] == 0) == (i == 1);
                more |= leads && !runs[next.pcs[i]] && next.pcs[i] < pc;
                runs[next.pcs[i]] |= leads;
            }
        }
    }
}

/* Marks the registers whose first value may be read, or stay to the end: where the code waits all of
 * them, as a condition on one that is assigned behind it may ask whether the wait ends. */
static void find_begun(struct arena *arena, const struct lit_thread *thread, bool *begun)
{
    size_t width = thread->register_count, rows = thread->code_count + (size_t)1;
    bool all =
        width * rows > MOST_STEPS || ANY(i, thread->code_count, thread->code[i].op == LIT_AWAIT);
    bool *live = all ? NULL : ARENA_ARRAY(arena, bool, width *rows + 1);
    for (size_t r = 0; live && r < width; r++)
        live[(rows - 1) * width + r] = true;
    if (live)
        lit_code_find_live(thread, live, arena);
    for (size_t r = 0; r < width; r++)
        begun[r] = !live || live[r] || thread->registers[r].given;
}

static void begin_threads(struct table *table, struct arena *arena, uint32_t first,
                          const struct lit_thread *threads, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        const struct lit_thread *thread = &threads[t];
        struct values *own = ARENA_ARRAY(arena, struct values, thread->register_count + 1);
        bool *begun = ARENA_ARRAY(arena, bool, thread->register_count + 1);
        table->runs[first + t] = ARENA_ARRAY(arena, bool, thread->code_count + 1);
        find_running(thread, table->runs[first + t]);
        find_begun(arena, thread, begun);
        for (uint32_t r = 0; r < thread->register_count; r++)
            if (begun[r])
                (void)add_value(&own[r], thread->registers[r].type, thread->registers[r].init);
        table->registers[first + t] = own;
    }
}

static void run_threads(struct table *table, uint32_t first, const struct lit_thread *threads,
                        uint32_t count)
{
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t i = 0; i < threads[t].code_count && table->steps < MOST_STEPS; i++)
            if (table->runs[first + t][i])
                execute(table, first + t, &threads[t], &threads[t].code[i]);
}

/* Of the program, or of that and its recovery; false: it takes too much to find out. */
static bool find_values(struct table *table, struct arena *arena, const struct lit_program *program,
                        bool recovery)
{
    uint32_t count = recovery ? program->recovery_count : 0, threads = program->thread_count;
    *table =
        (struct table){.program = program,
                       .locations = ARENA_ARRAY(arena, struct values, program->location_count + 1),
                       .registers = ARENA_ARRAY(arena, struct values *, threads + count + 1),
                       .runs = ARENA_ARRAY(arena, bool *, threads + count + 1),
                       .grown = true};
    for (uint32_t i = 0; i < program->location_count; i++)
        (void)add_value(&table->locations[i], program->locations[i].type,
                        program->locations[i].init);
    begin_threads(table, arena, 0, program->threads, threads);
    begin_threads(table, arena, threads, program->recovery, count);
    while (table->grown && table->steps < MOST_STEPS) {
        table->grown = false;
        run_threads(table, 0, program->threads, threads);
        run_threads(table, threads, program->recovery, count);
    }
    return table->steps < MOST_STEPS;
}

/* ---- Conditions ---- */

struct trial {
    const struct lit_program *program; /* whose registers the atoms name */
    const struct lit_prop *prop;
    struct lit_atom atoms[MOST_ATOMS]; /* each once, constants left out */
    struct values values[MOST_ATOMS];
    uint32_t count, trials;
    bool too_many;
};

struct gathering {
    struct trial *trial;
    const struct table *table;
    uint32_t first; /* thread of the table that is the atoms' first */
};

static void note_atom(void *context, const struct lit_atom *atom)
{
    const struct gathering *g = context;
    struct trial *trial = g->trial;
    if (atom->kind == LIT_ATOM_CONST || ANY(i, trial->count, lit_atom_same(&trial->atoms[i], atom)))
        return;
    trial->too_many = trial->count == MOST_ATOMS;
    if (trial->too_many)
        return;
    trial->atoms[trial->count] = *atom;
    trial->values[trial->count++] =
        atom->kind == LIT_ATOM_LOCATION   ? g->table->locations[atom->location]
        : atom->kind == LIT_ATOM_REGISTER ? g->table->registers[g->first + atom->thread][atom->reg]
                                          : truths;
}

static struct values values_of(const struct trial *trial, const struct lit_atom *atom)
{
    for (uint32_t i = 0; i < trial->count && atom->kind != LIT_ATOM_CONST; i++)
        if (lit_atom_same(&trial->atoms[i], atom))
            return trial->values[i];
    return (struct values){.count = 1, .items = {atom->value}};
}

static int compare(const void *context, const struct lit_prop *prop)
{
    const struct trial *trial = context;
    const struct values left = values_of(trial, &prop->left),
                        right = values_of(trial, &prop->right);
    int may = left.any || right.any ? LIT_MAY_BOTH : 0;
    for (uint32_t i = 0; i < left.count; i++)
        for (uint32_t k = 0; k < right.count && may != LIT_MAY_BOTH; k++)
            may |= lit_prop_compares(trial->program, prop, left.items[i], right.items[k])
                       ? LIT_MAY_HOLD
                       : LIT_MAY_FAIL;
    return may;
}

/* With each value of the atoms from `atom` on. */
static int try_values(struct trial *trial, uint32_t atom)
{
    int may = lit_prop_may(trial->prop, compare, trial), found = 0;
    if (may != LIT_MAY_BOTH || atom == trial->count || ++trial->trials > MOST_TRIALS)
        return may;
    const struct values all = trial->values[atom];
    if (all.any)
        return try_values(trial, atom + 1);
    for (uint32_t i = 0; i < all.count && found != LIT_MAY_BOTH; i++) {
        trial->values[atom] = (struct values){.count = 1, .items = {all.items[i]}};
        found |= try_values(trial, atom + 1);
    }
    trial->values[atom] = all;
    return found;
}

/* ---- In words ---- */

static void add_only(const struct trial *trial, uint32_t atom, struct strbuf *out)
{
    const struct values *values = &trial->values[atom];
    enum lit_type type = lit_atom_type(trial->program, &trial->atoms[atom]);
    strbuf_add(out, out->length ? ", " : "");
    lit_condition_print_atom(trial->program, LIT_FINAL, &trial->atoms[atom], out);
    strbuf_add(out, " is only ever ");
    for (uint32_t i = 0; i < values->count; i++) {
        strbuf_add(out, i == 0 ? "" : i + 1 < values->count ? ", " : " or ");
        lit_value_print(type, values->items[i], out);
    }
}

/* Is the atom in a comparison that alone keeps the proposition from ever being met? */
static bool is_culprit(const struct trial *trial, const struct lit_prop *prop, uint32_t atom)
{
    if (prop->op == LIT_PROP_AND || prop->op == LIT_PROP_OR)
        return is_culprit(trial, prop->a, atom) || is_culprit(trial, prop->b, atom);
    return prop->op == LIT_PROP_COMPARE && compare(trial, prop) == LIT_MAY_FAIL &&
           (lit_atom_same(&prop->left, &trial->atoms[atom]) ||
            lit_atom_same(&prop->right, &trial->atoms[atom]));
}

/* "val is only ever 0 or 42" of what keeps it from being met, else of the first few. */
static const char *tell(struct arena *arena, const struct trial *trial)
{
    bool some = ANY(i, trial->count, is_culprit(trial, trial->prop, i));
    struct strbuf out = {0};
    uint32_t told = 0;
    for (uint32_t i = 0; i < trial->count && told < MOST_TOLD; i++) {
        const struct values *values = &trial->values[i];
        if (values->any || values->count > MOST_TOLD || trial->atoms[i].kind == LIT_ATOM_GIVEN ||
            (some && !is_culprit(trial, trial->prop, i)))
            continue;
        add_only(trial, i, &out);
        told++;
    }
    return out.length ? strbuf_take(&out, arena) : NULL;
}

static void settle(const struct lit_program *program, struct arena *arena,
                   const struct table *table, struct lit_condition *condition)
{
    bool recovered = condition->when == LIT_RECOVERED;
    const struct lit_program owner = recovered ? lit_recovery_program(program) : *program;
    struct trial trial = {.program = &owner, .prop = condition->prop};
    struct gathering g = {&trial, table, recovered ? program->thread_count : 0};
    lit_prop_each_atom(condition->prop, note_atom, &g);
    if (trial.count == 0 || trial.too_many)
        return;
    int may = try_values(&trial, 0);
    if (may == LIT_MAY_BOTH)
        return;
    condition->settled = may == LIT_MAY_HOLD ? LIT_ALWAYS_MET : LIT_NEVER_MET;
    condition->settled_by = tell(arena, &trial);
}

/* Of conditions on recovery, or of the others. */
static void settle_some(const struct lit_lower *lower, struct lit_condition *conditions,
                        bool recovery)
{
    const struct lit_program *program = lower->program;
    SCOPED(arena) scratch = {0};
    struct table table;
    bool some = ANY(i, program->condition_count,
                    !conditions[i].refines && (conditions[i].when == LIT_RECOVERED) == recovery);
    bool found = some && find_values(&table, &scratch, program, recovery);
    for (uint32_t i = 0; found && i < program->condition_count; i++)
        if (!conditions[i].refines && (conditions[i].when == LIT_RECOVERED) == recovery)
            settle(program, lower->arena, &table, &conditions[i]);
}

void lit_settle_conditions(const struct lit_lower *lower, struct lit_condition *conditions)
{
    settle_some(lower, conditions, false);
    settle_some(lower, conditions, true);
}
