/* Work-items of a concrete run: registers in bytes of the state; code runs one instruction at a
 * time. */
#include "machine/mach.h"

/* Instructions of one work-item between two that others can see. */
enum { MOST_OWN_STEPS = 20000 };

static const struct lit_thread *thread_of(const struct mach_test *test, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return &test->program->threads[thread];
}

static void set_pc(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t pc)
{
    BASE_ASSERT(thread < test->program->thread_count);
    BASE_ASSERT(pc <= test->program->threads[thread].code_count);
    uint8_t *bytes = state + test->thread_bytes[thread];
    bytes[MACH_PC] = (uint8_t)pc;
    bytes[MACH_PC + 1] = (uint8_t)(pc >> 8);
}

void mach_set_status(const struct mach_test *test, uint8_t *state, uint32_t thread,
                     enum mach_status status)
{
    BASE_ASSERT(thread < test->program->thread_count);
    state[test->thread_bytes[thread] + MACH_STATUS] = (uint8_t)status;
}

uint8_t mach_number(struct mach_test *test, int64_t value)
{
    BASE_ASSERT(test->values->count <= MACH_MAX_VALUES);
    struct mach_values *values = test->values;
    for (uint32_t i = 0; i < values->count; i++)
        if (values->values[i] == value)
            return (uint8_t)i;
    if (test->shared || values->count == MACH_MAX_VALUES) {
        test->wanting |= test->shared;
        test->overflow |= !test->shared;
        return 0;
    }
    values->values[values->count] = value;
    return (uint8_t)values->count++;
}

int64_t mach_value(const struct mach_test *test, uint8_t number)
{
    BASE_ASSERT(number < test->values->count);
    return test->values->values[number];
}

static int64_t apply(struct mach_test *test, const uint8_t *state, uint32_t thread,
                     const struct lit_expr *e)
{
    BASE_ASSERT(e->op != LIT_OP_CONST && e->op != LIT_OP_REG);
    int64_t a = e->a ? mach_evaluate(test, state, thread, e->a) : 0, result = 0;
    if (e->op == LIT_OP_SELECT)
        return lit_value_wrap(e->type, mach_evaluate(test, state, thread, a ? e->b : e->c));
    if (e->op == LIT_OP_AND || e->op == LIT_OP_OR) {
        if ((a != 0) == (e->op == LIT_OP_OR))
            return a != 0;
        return mach_evaluate(test, state, thread, e->b) != 0;
    }
    int64_t b = e->b ? mach_evaluate(test, state, thread, e->b) : 0;
    enum lit_type type = e->op == LIT_OP_CAST ? e->type : e->operands;
    if (!lit_value_apply(e->op, type, lit_value_wrap(type, a), lit_value_wrap(type, b), 0, &result))
        test->fault = true;
    return lit_value_wrap(e->type, result);
}

int64_t mach_evaluate(struct mach_test *test, const uint8_t *state, uint32_t thread,
                      const struct lit_expr *e)
{
    if (e->op == LIT_OP_CONST)
        return e->value;
    if (e->op == LIT_OP_REG)
        return mach_register(test, state, thread, e->reg);
    return apply(test, state, thread, e);
}

uint32_t mach_location(struct mach_test *test, const uint8_t *state, uint32_t thread,
                       const struct lit_instr *instr)
{
    BASE_ASSERT(lit_instruction_is(instr->op, LIT_PLACED));
    BASE_ASSERT(instr->addr.first < test->program->location_count);
    if (!instr->addr.index)
        return instr->addr.first;
    int64_t index = mach_evaluate(test, state, thread, instr->addr.index);
    if (index < 0 || index >= (int64_t)instr->addr.count) {
        test->fault = true;
        return instr->addr.first;
    }
    BASE_ASSERT(lit_address_element(&instr->addr, (uint32_t)index) < test->program->location_count);
    return lit_address_element(&instr->addr, (uint32_t)index);
}

int64_t mach_register(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                      uint32_t reg)
{
    BASE_ASSERT(reg < thread_of(test, thread)->register_count);
    uint8_t number = state[test->thread_bytes[thread] + MACH_REGISTERS + reg];
    return number == MACH_NO_VALUE ? thread_of(test, thread)->registers[reg].init
                                   : mach_value(test, number);
}

bool mach_is_given(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                   uint32_t reg)
{
    BASE_ASSERT(reg < thread_of(test, thread)->register_count);
    return state[test->thread_bytes[thread] + MACH_REGISTERS + reg] != MACH_NO_VALUE;
}

void mach_set_register(struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t reg,
                       int64_t value)
{
    if (reg == LIT_NONE)
        return;
    BASE_ASSERT(reg < thread_of(test, thread)->register_count);
    enum lit_type type = thread_of(test, thread)->registers[reg].type;
    state[test->thread_bytes[thread] + MACH_REGISTERS + reg] =
        mach_number(test, lit_value_wrap(type, value));
}

uint8_t *mach_registers(const struct mach_test *test, uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return state + test->thread_bytes[thread] + MACH_REGISTERS;
}

/* Runs one instruction that is the work-item's own affair; false when this one is not. */
static bool run_own(struct mach_test *test, uint8_t *state, uint32_t thread,
                    const struct lit_instr *instr)
{
    uint32_t pc = mach_pc(test, state, thread);
    switch (instr->op) {
    case LIT_SET:
        mach_set_register(test, state, thread, instr->dst,
                          mach_evaluate(test, state, thread, instr->value));
        break;
    case LIT_CHECK:
        if (mach_evaluate(test, state, thread, instr->value) == 0)
            test->fault = true;
        break;
    case LIT_JUMP: pc = instr->target - 1; break;
    case LIT_BRANCH:
        if (mach_evaluate(test, state, thread, instr->value) == 0)
            pc = instr->target - 1;
        break;
    case LIT_LOOP:
    case LIT_AWAIT: break;
    case LIT_LOAD:
    case LIT_STORE:
    case LIT_RMW:
    case LIT_CAS:
    case LIT_FENCE:
    case LIT_CM:
    case LIT_BARRIER:
    case LIT_PBARRIER:
    case LIT_CRASH: return false;
    }
    set_pc(test, state, thread, pc + 1);
    return true;
}

/* Would an instruction that others see go wrong? Its operands are the work-item's own. */
static void try_operands(struct mach_test *test, const uint8_t *state, uint32_t thread,
                         const struct lit_instr *instr)
{
    if (!lit_instruction_is(instr->op, LIT_PLACED))
        return;
    mach_location(test, state, thread, instr);
    if (instr->value)
        mach_evaluate(test, state, thread, instr->value);
    if (instr->expected)
        mach_evaluate(test, state, thread, instr->expected);
}

void mach_add_mishap(struct mach_test *test, uint32_t thread, const struct lit_instr *instr)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint32_t i = 0;
    while (i < test->mishap_count &&
           (test->mishaps[i].thread != thread || test->mishaps[i].instr != instr))
        i++;
    if (i < test->mishap_count || i == MACH_MAX_MISHAPS)
        return;
    test->wanting |= test->shared;
    BASE_ASSERT(test->mishap_count < MACH_MAX_MISHAPS);
    test->mishaps[test->mishap_count++] = (struct mach_mishap){thread, instr};
}

static void stop_at_fault(struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t pc)
{
    BASE_ASSERT(test->fault);
    set_pc(test, state, thread, pc);
    mach_set_status(test, state, thread, MACH_FAULTED);
    mach_add_mishap(test, thread, mach_instr(test, state, thread));
}

static void run_on(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    for (uint32_t steps = 0; steps < MOST_OWN_STEPS; steps++) {
        const struct lit_instr *instr = mach_instr(test, state, thread);
        uint32_t pc = mach_pc(test, state, thread);
        mach_set_status(test, state, thread, instr ? MACH_RUNNING : MACH_DONE);
        if (!instr)
            return;
        test->fault = false;
        bool own = run_own(test, state, thread, instr);
        if (!own)
            try_operands(test, state, thread, instr);
        if (test->fault)
            stop_at_fault(test, state, thread, pc);
        if (!own || test->fault)
            return;
    }
    test->wanting |= test->shared;
    test->overflow = true;
}

void mach_go_on(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    BASE_ASSERT(instr);
    if (instr->op == LIT_FENCE || instr->op == LIT_CM) /* a token, if somebody takes it */
        mach_set_register(test, state, thread, instr->dst, 1);
    set_pc(test, state, thread, mach_pc(test, state, thread) + 1);
    run_on(test, state, thread);
}

void mach_end_stall(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(mach_status(test, state, thread) == MACH_STALLED_BEHIND);
    run_on(test, state, thread);
}

void mach_start_threads(struct mach_test *test, uint8_t *state)
{
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        const struct lit_thread *thread = thread_of(test, t);
        set_pc(test, state, t, 0);
        for (uint32_t i = 0; i < thread->register_count; i++)
            if (thread->registers[i].at_crash && !thread->registers[i].given)
                mach_registers(test, state, t)[i] = MACH_NO_VALUE;
            else
                mach_set_register(test, state, t, i, thread->registers[i].init);
        run_on(test, state, t);
    }
}

/* ---- Places ---- */

static void find_members(struct mach_test *test)
{
    uint32_t threads = test->program->thread_count;
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t s = 0; s < LIT_SCOPE_COUNT; s++)
            for (uint32_t u = 0; u < threads; u++)
                if (lit_same_instance(thread_of(test, t), thread_of(test, u), (enum lit_scope)s))
                    test->members[t][s] |= UINT64_C(1) << u;
}

/* Work-groups are numbered in the order of their first work-items. */
static void place_groups(struct mach_test *test)
{
    const struct mach_placement *placement = &test->config.placement;
    uint32_t next = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        bool found = false;
        for (uint32_t u = 0; u < t && !found; u++)
            if (test->members[t][LIT_SCOPE_WG] >> u & 1) {
                test->unit_of[t] = test->unit_of[u];
                found = true;
            }
        if (found)
            continue;
        test->unit_of[t] = placement->count ? placement->units[next % placement->count]
                                            : next % test->config.units;
        next++;
    }
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (test->used_units <= test->unit_of[t]) {
            BASE_ASSERT(test->unit_of[t] < test->config.units);
            test->used_units = test->unit_of[t] + 1;
        }
}

/* Neighbouring locations of one kind of memory share a line. */
static void place_lines(struct mach_test *test, struct arena *arena)
{
    uint32_t count = test->program->location_count, placed = 0;
    uint32_t *line_of = ARENA_ARRAY(arena, uint32_t, count + 1);
    uint32_t *words = ARENA_ARRAY(arena, uint32_t, count + 1);
    uint32_t *begin = ARENA_ARRAY(arena, uint32_t, count + 1);
    uint32_t *word_of = ARENA_ARRAY(arena, uint32_t, count + 1);
    for (int nvm = 0; nvm <= 1; nvm++) {
        test->nv_line = test->line_count;
        for (uint32_t l = 0, here = 0; l < count; l++) {
            if (test->program->locations[l].nvm != (nvm == 1))
                continue;
            word_of[l] = here++ % test->config.line_words;
            if (word_of[l] == 0)
                begin[test->line_count++] = placed;
            line_of[l] = test->line_count - 1;
            words[placed++] = l;
        }
    }
    begin[test->line_count] = placed;
    test->line_of = line_of;
    test->line_words = words;
    test->line_begin = begin;
    test->word_of = word_of;
}

void mach_test_init(struct mach_test *test, struct arena *arena, const struct machine *machine,
                    const struct lit_program *program, const struct mach_config *config)
{
    *test = (struct mach_test){.machine = machine, .program = program, .config = *config};
    if (program->thread_count > MACH_MAX_THREADS) /* mach_lacking says so */
        return;
    test->values = ARENA_NEW(arena, struct mach_values);
    uint32_t at = 0;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        test->thread_bytes[t] = at;
        at += MACH_REGISTERS + program->threads[t].register_count;
    }
    test->machine_bytes = at;
    find_members(test);
    place_groups(test);
    place_lines(test, arena);
    test->size = at + machine->size(test, arena);
}
