/* Which loops may wait. A loop is lowered with an AWAIT at its top and, when its test comes first,
 * one behind the test. Kept is the first of which it may be that a work-item comes back there
 * with nothing done but reading, and each register that is still to be read as it was: there is
 * a way round without an effect, on which no such register is bound to change. A register changes
 * when it is computed from itself, or from what was read. Whether it comes to that, runs tell. */
#include "litmus/lit_lower.h"

/* Longer code is given no awaits. */
enum { LONGEST = 1024 };

/* Has the instruction an effect that others may see? */
static bool has_effect(const struct lit_instr *instr)
{
    return !lit_instruction_is(instr->op, LIT_READS | LIT_PRIVATE);
}

/* ---- One way round ---- */

struct round {
    const struct lit_thread *thread;
    uint32_t await, reg;
    const bool *read; /* registers that depend on what was read */
    uint8_t *known;   /* per instruction */
    bool *scratch;    /* registers */
    bool *derived;    /* registers that depend on this one */
};

/* What is known of the register before an instruction; less where ways meet. */
enum knowledge { UNREACHED, CHANGED, MAY_BE_SAME };

static bool uses_any(struct round *r, const struct lit_expr *value, const bool *registers)
{
    for (uint32_t i = 0; i < r->thread->register_count; i++)
        r->scratch[i] = false;
    lit_code_mark_read(value, r->scratch);
    return ANY(i, r->thread->register_count, r->scratch[i] && registers[i]);
}

static bool changes(struct round *r, const struct lit_instr *instr)
{
    if (instr->op != LIT_SET)
        return instr->op != LIT_CAS || instr->dst_old == r->reg;
    return uses_any(r, instr->value, r->derived) || uses_any(r, instr->value, r->read);
}

static void find_derived(struct round *r)
{
    for (uint32_t i = 0; i < r->thread->register_count; i++)
        r->derived[i] = i == r->reg;
    for (bool more = true; more;) {
        more = false;
        EACH (const struct lit_instr, instr, r->thread->code, r->thread->code_count)
            if (instr->op == LIT_SET && !r->derived[instr->dst] &&
                uses_any(r, instr->value, r->derived))
                r->derived[instr->dst] = more = true;
    }
}

static bool step(struct round *r, uint32_t pc)
{
    const struct lit_instr *instr = &r->thread->code[pc];
    uint8_t after = r->known[pc];
    bool more = false;
    if (after == UNREACHED || has_effect(instr))
        return false;
    if (lit_code_assigns(instr, r->reg))
        after = changes(r, instr) ? CHANGED : MAY_BE_SAME;
    struct lit_next next = lit_code_next(r->thread, pc);
    for (uint32_t i = 0; i < next.count; i++)
        if (r->known[next.pcs[i]] < after) {
            r->known[next.pcs[i]] = after;
            more = true;
        }
    return more;
}

static void go_on(struct round *r)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = 0; pc < r->thread->code_count; pc++)
            more |= pc != r->await && step(r, pc);
    }
}

/* May the register be as it was when the loop comes round? For LIT_NONE: does it come round? */
static bool comes_round(struct round *r, uint32_t reg)
{
    r->reg = reg;
    find_derived(r);
    for (uint32_t i = 0; i <= r->thread->code_count; i++)
        r->known[i] = UNREACHED;
    r->known[r->await + 1] = MAY_BE_SAME;
    go_on(r);
    return r->known[r->await] == MAY_BE_SAME;
}

/* The same, on ways that assign the register `by`. */
static bool comes_round_by(struct round *r, uint32_t reg, uint32_t by)
{
    comes_round(r, reg);
    for (uint32_t i = 0; i <= r->thread->code_count; i++)
        if (i == r->thread->code_count || !lit_code_assigns(&r->thread->code[i], by))
            r->known[i] = UNREACHED;
    go_on(r);
    return r->known[r->await] == MAY_BE_SAME;
}

/* ---- The registers ---- */

/* Marks the registers that depend on what was read. The success of a compare-exchange is not one: a
 * failed one has none. */
static void mark_read(const struct lit_thread *thread, bool *read, bool *scratch)
{
    for (bool more = true; more;) {
        more = false;
        EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
            bool comes = lit_instruction_reads(instr->op);
            for (uint32_t r = 0; r < thread->register_count; r++)
                scratch[r] = false;
            if (instr->op == LIT_SET)
                lit_code_mark_read(instr->value, scratch);
            for (uint32_t r = 0; r < thread->register_count; r++)
                comes |= scratch[r] && read[r];
            uint32_t into = lit_code_into(instr);
            if (comes && into != LIT_NONE && !read[into])
                read[into] = more = true;
        }
    }
}

static bool reads_memory(const struct lit_thread *thread, const struct lit_instr *await)
{
    for (uint32_t i = await->begin; i < await->target; i++)
        if (lit_instruction_reads(thread->code[i].op))
            return true;
    return false;
}

static bool may_wait(struct round *r, const bool *live)
{
    if (!reads_memory(r->thread, &r->thread->code[r->await]) || !comes_round(r, LIT_NONE))
        return false;
    return !ANY(reg, r->thread->register_count, live[reg] && !comes_round(r, reg));
}

/* May it be assigned on such a way, be that a round of a loop around its own? */
static bool may_assign(struct round *r, const bool *live, uint32_t by)
{
    return comes_round_by(r, LIT_NONE, by) &&
           !ANY(reg, r->thread->register_count, live[reg] && !comes_round_by(r, reg, by));
}

/* A crash alone shows what an iteration assigns to a register that is overwritten before anybody
 * reads it, or that the iteration leaves as it was. */
static void keep_registers(struct arena *arena, struct round *r, struct lit_instr *await,
                           const bool *live)
{
    const struct lit_thread *thread = r->thread;
    uint32_t count = thread->register_count;
    uint32_t *kept = ARENA_ARRAY(arena, uint32_t, count);
    uint32_t *shown = ARENA_ARRAY(arena, uint32_t, count);
    await->kept = kept;
    await->shown = shown;
    for (uint32_t reg = 0; reg < count; reg++) {
        if (live[reg])
            kept[await->kept_count++] = reg;
        if (thread->registers[reg].at_crash && may_assign(r, live, reg))
            shown[await->shown_count++] = reg;
    }
}

/* ---- The whole ---- */

static bool is_kept(const struct lit_thread *thread, const bool *gone, uint32_t await)
{
    return ANY(i, await,
               thread->code[i].op == LIT_AWAIT && !gone[i] &&
                   thread->code[i].loop == thread->code[await].loop);
}

static void choose(struct arena *arena, struct lit_thread *thread, const bool *observed, bool *gone)
{
    uint32_t width = thread->register_count, places = thread->code_count + 1;
    struct lit_instr *code = ARENA_ARRAY(arena, struct lit_instr, thread->code_count);
    bool *live = ARENA_ARRAY(arena, bool, (size_t)places *width);
    bool *read = ARENA_ARRAY(arena, bool, width), *scratch = ARENA_ARRAY(arena, bool, width);
    struct round r = {.thread = thread,
                      .read = read,
                      .known = ARENA_ARRAY(arena, uint8_t, places),
                      .scratch = scratch,
                      .derived = ARENA_ARRAY(arena, bool, width)};
    for (uint32_t reg = 0; reg < width; reg++)
        live[(size_t)thread->code_count * width + reg] = observed[reg];
    lit_code_find_live(thread, live, arena);
    mark_read(thread, read, scratch);
    for (r.await = 0; r.await < thread->code_count; r.await++) {
        const bool *row = live + (size_t)r.await * width;
        code[r.await] = thread->code[r.await];
        if (code[r.await].op != LIT_AWAIT)
            continue;
        gone[r.await] = is_kept(thread, gone, r.await) || !may_wait(&r, row);
        if (!gone[r.await])
            keep_registers(arena, &r, &code[r.await], row);
    }
    thread->code = code;
}

static bool has_loop(const struct lit_thread *thread)
{
    return ANY(i, thread->code_count, thread->code[i].op == LIT_AWAIT);
}

static void settle(struct arena *arena, struct lit_thread *thread, const bool *observed)
{
    if (!has_loop(thread))
        return;
    lit_slice_loops(arena, thread, observed);
    lit_bound_find(arena, thread);
    bool *gone = ARENA_ARRAY(arena, bool, thread->code_count);
    if (thread->code_count <= LONGEST) {
        choose(arena, thread, observed, gone);
    } else {
        for (uint32_t i = 0; i < thread->code_count; i++)
            gone[i] = thread->code[i].op == LIT_AWAIT;
    }
    lit_code_leave_out(arena, thread, gone);
}

/* ---- What conditions read ---- */

struct observation {
    bool *const *observed;
};

static void observe(void *context, const struct lit_atom *atom)
{
    struct observation *o = context;
    if (atom->kind == LIT_ATOM_REGISTER)
        o->observed[atom->thread][atom->reg] = true;
}

/* Whose conditions count: those of the recovery, of the program, or of the program that is its own
 * recovery. */
enum whose { OF_PROGRAM = 1, OF_RECOVERY = 2 };

static const struct lit_thread *settle_all(struct arena *arena, const struct lit_program *program,
                                           const struct lit_thread *threads, uint32_t count,
                                           uint32_t whose)
{
    struct lit_thread *settled = ARENA_ARRAY(arena, struct lit_thread, count);
    bool **observed = ARENA_ARRAY(arena, bool *, count);
    for (uint32_t t = 0; t < count; t++) {
        settled[t] = threads[t];
        observed[t] = ARENA_ARRAY(arena, bool, threads[t].register_count);
    }
    struct observation o = {observed};
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (whose & (program->conditions[i].when == LIT_RECOVERED ? OF_RECOVERY : OF_PROGRAM))
            lit_prop_each_atom(program->conditions[i].prop, observe, &o);
    if (whose & OF_PROGRAM) {
        lit_prop_each_atom(program->filter, observe, &o);
        for (uint32_t i = 0; i < program->observed_count; i++)
            observe(&o, &program->observed[i]);
    }
    for (uint32_t t = 0; t < count; t++)
        settle(arena, &settled[t], observed[t]);
    return settled;
}

/* The same code under the names of a recovery's threads. */
static const struct lit_thread *relaunched(struct arena *arena, const struct lit_program *program)
{
    struct lit_thread *threads =
        arena_copy(arena, program->threads, program->thread_count * sizeof *threads);
    for (uint32_t t = 0; t < program->thread_count; t++)
        threads[t].name = arena_printf(arena, "recovery %s", threads[t].name);
    return threads;
}

void lit_await_settle(struct arena *arena, struct lit_program *program)
{
    program->threads = settle_all(arena, program, program->threads, program->thread_count,
                                  OF_PROGRAM | (program->relaunch ? OF_RECOVERY : 0));
    program->recovery = program->relaunch ? relaunched(arena, program)
                                          : settle_all(arena, program, program->recovery,
                                                       program->recovery_count, OF_RECOVERY);
}
