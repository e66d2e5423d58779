/* Outlooks are a backward data-flow analysis of each work-item's code: what an instruction adds to
 * what may follow it, joined over successors until nothing changes. Live registers are found
 * likewise. */
#include "machine/mach_reduce.h"

#include "litmus/lit_code.h"
#include "machine/mach_instr.h"

#include <string.h>

/* Of one work-item; indices are instructions, the last one its end. */
struct thread_future {
    struct mach_outlook *outlooks;
    bool *live; /* register_count each */
    bool shown; /* a crash shows registers of it */
};

struct mach_future {
    struct thread_future threads[MACH_MAX_THREADS];
    bool *observed; /* locations in conditions on final states */
    bool *watched;  /* locations in those on crash states; NULL: all */
    bool points, any_shown, ends;
};

/* ---- Outlooks ---- */

static uint8_t add_up(uint32_t a, uint32_t b)
{
    return (uint8_t)(a + b > MACH_MANY ? MACH_MANY + 1 : a + b);
}

static uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

void mach_join_lines(struct mach_lines *lines, const struct mach_lines *other)
{
    for (size_t i = 0; i < sizeof lines->bits / sizeof lines->bits[0]; i++)
        lines->bits[i] |= other->bits[i];
}

static void join_outlook(struct mach_outlook *outlook, const struct mach_outlook *other)
{
    mach_join_lines(&outlook->reads, &other->reads);
    mach_join_lines(&outlook->writes, &other->writes);
    outlook->narrow_persists |= other->narrow_persists;
    outlook->wide_persists |= other->wide_persists;
    outlook->meets |= other->meets;
    outlook->reaches |= other->reaches;
    outlook->nv_writes = larger(outlook->nv_writes, other->nv_writes);
    outlook->epoch_writes = larger(outlook->epoch_writes, other->epoch_writes);
    outlook->lone = larger(outlook->lone, other->lone);
    outlook->shared = larger(outlook->shared, other->shared);
}

static void add_access(const struct mach_test *test, struct mach_outlook *outlook,
                       const struct lit_instr *instr)
{
    uint32_t count = instr->addr.index ? instr->addr.count : 1;
    bool nvm = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t l = instr->addr.first + i * instr->addr.stride, line = test->line_of[l];
        uint64_t bit = UINT64_C(1) << line % 64;
        nvm |= test->program->locations[l].nvm;
        if (lit_instruction_reads(instr->op))
            outlook->reads.bits[line / 64] |= bit;
        if (lit_instruction_writes(instr->op))
            outlook->writes.bits[line / 64] |= bit;
    }
    if (nvm && lit_instruction_writes(instr->op)) {
        outlook->nv_writes = add_up(outlook->nv_writes, 1);
        outlook->epoch_writes = add_up(outlook->epoch_writes, 1);
    }
}

static void add_instr(const struct mach_test *test, struct mach_outlook *outlook,
                      const struct lit_instr *instr)
{
    bool meets = lit_instruction_meets(instr->op), narrow = instr->scope <= LIT_SCOPE_WG;
    if (lit_instruction_accesses(instr->op))
        add_access(test, outlook, instr);
    outlook->meets |= meets && instr->exec_scope != LIT_SCOPE_WI;
    outlook->reaches |= meets ? !narrow || instr->exec_scope > LIT_SCOPE_WG
                              : instr->op == LIT_CM || mach_is_wide(instr) ||
                                    (instr->op == LIT_CRASH && test->future->points);
    if (instr->op != LIT_PBARRIER)
        return;
    outlook->narrow_persists |= instr->scope <= LIT_SCOPE_WG;
    outlook->wide_persists |= instr->scope > LIT_SCOPE_WG;
    outlook->lone = add_up(outlook->lone, instr->scope < LIT_SCOPE_WG);
    outlook->shared = add_up(outlook->shared, instr->scope >= LIT_SCOPE_WG);
    outlook->epoch_writes = 0;
}

/* Counts grow with each pass round a loop, until they are too large to be of use. */
static bool pass_outlooks(const struct mach_test *test, const struct lit_thread *thread,
                          struct mach_outlook *outlooks)
{
    bool changed = false;
    for (uint32_t pc = thread->code_count; pc-- > 0;) {
        struct mach_outlook outlook;
        struct lit_next next = lit_code_next(thread, pc);
        memset(&outlook, 0, sizeof outlook); /* padding too, as bytes are compared */
        outlook.on_cycle = outlooks[pc].on_cycle;
        for (uint32_t i = 0; i < next.count; i++)
            join_outlook(&outlook, &outlooks[next.pcs[i]]);
        outlook.reaches |= outlook.on_cycle;
        add_instr(test, &outlook, &thread->code[pc]);
        changed |= memcmp(&outlook, &outlooks[pc], sizeof outlook) != 0;
        memcpy(&outlooks[pc], &outlook, sizeof outlook);
    }
    return changed;
}

/* Whatever stands between a jump back and where it leads may be executed again. */
static void mark_cycles(const struct lit_thread *thread, struct mach_outlook *outlooks)
{
    for (uint32_t pc = 0; pc < thread->code_count; pc++) {
        struct lit_next next = lit_code_next(thread, pc);
        for (uint32_t i = 0; i < next.count; i++)
            for (uint32_t inside = next.pcs[i]; inside <= pc; inside++)
                outlooks[inside].on_cycle = true;
    }
}

/* ---- Observation ---- */

struct observation {
    struct mach_future *future;
    const struct lit_program *program;
    bool any; /* something of a final state is named; else all locations are looked at */
};

static void observe(void *context, const struct lit_atom *atom)
{
    struct observation *o = context;
    o->any |= atom->kind != LIT_ATOM_CONST;
    if (atom->kind == LIT_ATOM_LOCATION)
        o->future->observed[atom->location] = true;
    if (atom->kind == LIT_ATOM_REGISTER) {
        const struct lit_thread *thread = &o->program->threads[atom->thread];
        bool *end = o->future->threads[atom->thread].live;
        end[thread->code_count * thread->register_count + atom->reg] = true;
    }
}

/* What outcome_init makes the columns of final states, and what the filter needs. */
static void observe_all(struct mach_future *future, const struct lit_program *program)
{
    struct observation o = {future, program, false};
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_FINAL)
            lit_prop_each_atom(program->conditions[i].prop, observe, &o);
    for (uint32_t i = 0; i < program->observed_count; i++)
        observe(&o, &program->observed[i]);
    for (uint32_t l = 0; l < program->location_count; l++)
        future->observed[l] |= !o.any;
    lit_prop_each_atom(program->filter, observe, &o);
}

static void watch(void *context, const struct lit_atom *atom)
{
    bool *watched = context;
    if (atom->kind == LIT_ATOM_LOCATION)
        watched[atom->location] = true;
}

void mach_reduce_to_conditions(struct mach_test *test, struct arena *arena, bool end)
{
    const struct lit_program *program = test->program;
    struct mach_future *future = (struct mach_future *)(uintptr_t)test->future;
    future->watched = ARENA_ARRAY(arena, bool, program->location_count + 1);
    future->ends = end;
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when != LIT_FINAL)
            lit_prop_each_atom(program->conditions[i].prop, watch, future->watched);
}

/* ---- Interface ---- */

static void look_ahead(const struct mach_test *test, const struct lit_thread *thread,
                       struct thread_future *future, struct arena *arena)
{
    mark_cycles(thread, future->outlooks);
    while (pass_outlooks(test, thread, future->outlooks))
        ;
    lit_code_find_live(thread, future->live, arena);
    for (uint32_t r = 0; r < thread->register_count; r++) {
        future->shown |= thread->registers[r].at_crash;
        for (uint32_t pc = 0; pc <= thread->code_count; pc++)
            future->live[pc * thread->register_count + r] |= thread->registers[r].at_crash;
    }
}

void mach_reduce_init(struct mach_test *test, struct arena *arena, bool points)
{
    const struct lit_program *program = test->program;
    struct mach_future *future = ARENA_NEW(arena, struct mach_future);
    future->points = points;
    future->observed = ARENA_ARRAY(arena, bool, program->location_count);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        uint32_t places = program->threads[t].code_count + 1;
        future->threads[t].outlooks = ARENA_ARRAY(arena, struct mach_outlook, places);
        future->threads[t].live =
            ARENA_ARRAY(arena, bool, places * program->threads[t].register_count + 1);
    }
    observe_all(future, program);
    test->future = future;
    for (uint32_t t = 0; t < program->thread_count; t++)
        look_ahead(test, &program->threads[t], &future->threads[t], arena);
    for (uint32_t t = 0; t < program->thread_count; t++)
        future->any_shown |= future->threads[t].shown;
}

static uint32_t place_of(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint32_t pc = mach_pc(test, state, thread);
    switch (mach_status(test, state, thread)) {
    case MACH_STALLED: /* elsewhere the instruction itself is still to come */
        return test->program->threads[thread].code[pc].op == LIT_PBARRIER ? pc + 1 : pc;
    case MACH_FAULTED: return test->program->threads[thread].code_count;
    default: return pc;
    }
}

const struct mach_outlook *mach_outlook(const struct mach_test *test, const uint8_t *state,
                                        uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return &test->future->threads[thread].outlooks[place_of(test, state, thread)];
}

bool mach_is_observed(const struct mach_test *test, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return test->future->observed[location];
}

bool mach_is_watched(const struct mach_test *test, uint32_t location)
{
    BASE_ASSERT(location < test->program->location_count);
    return !test->future->watched || test->future->watched[location];
}

bool mach_watches_some(const struct mach_test *test)
{
    return test->future->watched != NULL;
}

bool mach_watches_ends(const struct mach_test *test)
{
    return test->future->ends;
}

bool mach_is_watched_line(const struct mach_test *test, uint32_t line)
{
    BASE_ASSERT(line < test->line_count);
    bool watched = false;
    for (uint32_t i = test->line_begin[line]; i < test->line_begin[line + 1]; i++)
        watched |= mach_is_watched(test, test->line_words[i]);
    return watched;
}

bool mach_threads_count_alike(const struct mach_test *test, uint32_t thread, uint32_t other)
{
    BASE_ASSERT(thread < test->program->thread_count && other < test->program->thread_count);
    const struct lit_thread *code = &test->program->threads[thread];
    return memcmp(test->future->threads[thread].live, test->future->threads[other].live,
                  (code->code_count + 1) * code->register_count * sizeof(bool)) == 0;
}

bool mach_locations_count_alike(const struct mach_test *test, uint32_t location, uint32_t other)
{
    return mach_is_observed(test, location) == mach_is_observed(test, other) &&
           mach_is_watched(test, location) == mach_is_watched(test, other);
}

bool mach_is_shown(const struct mach_test *test, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return test->future->threads[thread].shown;
}

bool mach_shows_any(const struct mach_test *test)
{
    return test->future->any_shown;
}

void mach_forget_registers(const struct mach_test *test, uint8_t *state)
{
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        uint32_t width = test->program->threads[t].register_count;
        const bool *live = test->future->threads[t].live + place_of(test, state, t) * width;
        uint8_t *registers = mach_registers(test, state, t);
        for (uint32_t r = 0; r < width; r++)
            if (!live[r])
                registers[r] = 0;
    }
}

/* The arrival of the last one, if they meet. */
static bool is_last(const struct mach_test *test, uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    mach_set_status(test, state, thread, MACH_WAITING);
    bool last = mach_all_wait(test, state, thread);
    mach_set_status(test, state, thread, MACH_RUNNING);
    return last;
}

bool mach_is_silent(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t silence)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (mach_status(test, state, thread) != MACH_RUNNING || mach_is_shown(test, thread) ||
        (mach_shows_any(test) && lit_instruction_meets(instr->op) && is_last(test, state, thread)))
        return false;
    bool once = !mach_outlook(test, state, thread)->on_cycle;
    switch (instr->op) {
    case LIT_CRASH: return once && !test->future->points;
    case LIT_FENCE: return once && (silence & MACH_SILENT_FENCES || instr->scope <= LIT_SCOPE_WG);
    case LIT_BARRIER:
        return (once && silence & MACH_SILENT_MEETINGS) || !is_last(test, state, thread);
    case LIT_PBARRIER:
        return silence & MACH_SILENT_ARRIVALS ||
               (silence & MACH_WAITING_PERSISTS && !is_last(test, state, thread));
    case LIT_LOAD:
    case LIT_STORE:
    case LIT_RMW:
    case LIT_CAS:
    case LIT_CM:
    case LIT_SET:
    case LIT_CHECK:
    case LIT_JUMP:
    case LIT_BRANCH:
    case LIT_LOOP:
    case LIT_AWAIT: return false;
    }
    BASE_UNREACHABLE("an instruction");
}

static bool share(const struct mach_lines *a, const struct mach_lines *b)
{
    return ANY(i, sizeof a->bits / sizeof a->bits[0], (a->bits[i] & b->bits[i]) != 0);
}

bool mach_is_private(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct mach_outlook *o = mach_outlook(test, state, thread);
    bool others = o->reaches || mach_is_shown(test, thread);
    for (uint32_t u = 0; u < test->program->thread_count && !others; u++) {
        const struct mach_outlook *its = mach_outlook(test, state, u);
        others = u != thread && (share(&o->writes, &its->reads) ||
                                 share(&o->writes, &its->writes) || share(&o->reads, &its->writes));
    }
    for (uint32_t line = test->nv_line; line < test->line_count && !others; line++)
        others = mach_has_line(&o->writes, line) && mach_is_watched_line(test, line);
    return !others;
}

bool mach_others_write(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                       uint32_t line)
{
    BASE_ASSERT(thread < test->program->thread_count && line < test->line_count);
    return ANY(t, test->program->thread_count,
               t != thread && mach_has_line(&mach_outlook(test, state, t)->writes, line));
}

bool mach_is_private_store(struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (mach_status(test, state, thread) != MACH_RUNNING || instr->op != LIT_STORE ||
        mach_is_shown(test, thread) || mach_outlook(test, state, thread)->on_cycle)
        return false;
    uint32_t line = test->line_of[mach_location(test, state, thread, instr)];
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (u != thread && mach_has_line(&mach_outlook(test, state, u)->reads, line))
            return false;
    return !mach_others_write(test, state, thread, line);
}

bool mach_run_silently(struct mach_test *test, uint8_t *state, uint32_t silence)
{
    bool any = false;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        while (mach_is_silent(test, state, t, silence)) {
            struct mach_step step = {.kind = MACH_RUN, .thread = (uint8_t)t};
            BASE_CHECK(test->machine->perform(test, state, step));
            any = true;
        }
    return any;
}
