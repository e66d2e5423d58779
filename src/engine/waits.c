#include "engine/waits.h"

#include "litmus/lit_code.h"

#include <string.h>

struct waits waits_find(struct arena *arena, const struct lit_program *program)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++)
            count += program->threads[t].code[i].op == LIT_AWAIT;
    struct wait *items = ARENA_ARRAY(arena, struct wait, count + 1);
    count = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++)
            if (program->threads[t].code[i].op == LIT_AWAIT)
                items[count++] = (struct wait){t, &program->threads[t].code[i]};
    return (struct waits){items, count, NULL};
}

/* ---- The program that notes where it got ---- */

/* One work-item's loops are consecutive in `all`: `first` and the `count` from there. */
struct noting {
    struct arena *arena;
    const struct lit_thread *thread;
    const struct wait *loops;
    uint32_t count;
    uint32_t *place; /* where the code at each place goes, with the notes before it; and the end */
};

static void find_places(struct noting *n)
{
    uint32_t here = 0;
    n->place = ARENA_ARRAY(n->arena, uint32_t, n->thread->code_count + 1);
    for (uint32_t pc = 0; pc <= n->thread->code_count; pc++) {
        n->place[pc] = here++;
        for (uint32_t i = 0; i < n->count; i++)
            here += n->loops[i].await->target == pc && pc < n->thread->code_count;
    }
}

static struct lit_instr note_of(const struct noting *n, uint32_t loop)
{
    const struct lit_expr one = {.op = LIT_OP_CONST, .value = 1};
    return (struct lit_instr){.op = LIT_SET,
                              .dst = n->thread->register_count + loop,
                              .dst_old = LIT_NONE,
                              .decides = LIT_NONE,
                              .loop = LIT_NONE,
                              .value = arena_copy(n->arena, &one, sizeof one),
                              .span = n->loops[loop].await->span};
}

static const struct lit_range *moved(const struct noting *n, const struct lit_range *range)
{
    return range ? ARENA_MAKE(n->arena, struct lit_range, n->place[range->begin],
                              n->place[range->end], moved(n, range->next))
                 : NULL;
}

/* Is it noted on a way round to the loop's top that the loop was left? */
static bool is_left_within(const struct noting *n, const struct lit_instr *await, uint32_t loop)
{
    uint32_t target = n->loops[loop].await->target;
    return ANY(i, n->count,
               n->loops[i].await->begin <= await->begin &&
                   await->target <= n->loops[i].await->target &&
                   n->loops[i].await->begin < target && target < n->loops[i].await->target);
}

/* What an iteration notes is not to be lost with it. */
static void show_notes(const struct noting *n, const struct lit_instr *own, struct lit_instr *await)
{
    uint32_t *shown = ARENA_ARRAY(n->arena, uint32_t, own->shown_count + n->count);
    if (own->shown_count)
        memcpy(shown, own->shown, own->shown_count * sizeof *shown);
    for (uint32_t i = 0; i < n->count; i++)
        if (is_left_within(n, own, i))
            shown[await->shown_count++] = n->thread->register_count + i;
    await->shown = shown;
}

static void add_code(const struct noting *n, struct lit_thread *noted)
{
    const struct lit_thread *thread = n->thread;
    uint32_t here = 0, most = thread->code_count + 2 * n->count;
    struct lit_instr *code = ARENA_ARRAY(n->arena, struct lit_instr, most);
    for (uint32_t pc = 0; pc <= thread->code_count; pc++) {
        bool ends = pc == thread->code_count;
        for (uint32_t i = 0; i < n->count; i++)
            if (ends || n->loops[i].await->target == pc)
                code[here++] = note_of(n, i);
        if (ends)
            break;
        struct lit_instr *instr = &code[here++];
        *instr = thread->code[pc];
        instr->target = n->place[instr->target];
        instr->begin = n->place[instr->begin];
        instr->unsequenced = moved(n, instr->unsequenced);
        if (instr->op == LIT_AWAIT)
            show_notes(n, &thread->code[pc], instr);
    }
    noted->code = code;
    noted->code_count = here;
}

static void add_registers(const struct noting *n, struct lit_thread *noted)
{
    uint32_t count = n->thread->register_count;
    struct lit_register *registers = ARENA_ARRAY(n->arena, struct lit_register, count + n->count);
    if (count)
        memcpy(registers, n->thread->registers, count * sizeof *registers);
    for (uint32_t i = 0; i < n->count; i++)
        registers[count + i] =
            (struct lit_register){.name = "past", .type = LIT_INT, .at_crash = true};
    noted->registers = registers;
    noted->register_count = count + n->count;
}

static struct lit_condition condition_of(struct arena *arena, uint32_t thread, uint32_t reg)
{
    const struct lit_atom atoms[] = {{.kind = LIT_ATOM_REGISTER, .thread = thread, .reg = reg},
                                     {.kind = LIT_ATOM_GIVEN, .thread = thread, .reg = reg}};
    static const int64_t past[] = {1, 1};
    return (struct lit_condition){.when = LIT_CRASHED,
                                  .quantifier = LIT_EXISTS,
                                  .prop = lit_prop_row(arena, atoms, past, 2),
                                  .text = ""};
}

struct lit_program waits_question(struct arena *arena, const struct lit_program *program,
                                  const struct waits *all)
{
    struct lit_program question = *program;
    struct lit_condition *conditions = ARENA_ARRAY(arena, struct lit_condition, all->count);
    struct lit_thread *threads =
        arena_copy(arena, program->threads, program->thread_count * sizeof *threads);
    for (uint32_t i = 0, count; i < all->count; i += count) {
        uint32_t t = all->items[i].thread;
        for (count = 0; i + count < all->count && all->items[i + count].thread == t; count++)
            conditions[i + count] =
                condition_of(arena, t, program->threads[t].register_count + count);
        struct noting n = {arena, &program->threads[t], &all->items[i], count, NULL};
        find_places(&n);
        add_code(&n, &threads[t]);
        add_registers(&n, &threads[t]);
    }
    question.threads = threads;
    question.conditions = conditions;
    question.condition_count = all->count;
    question.recovery_count = question.observed_count = question.expect_count = 0;
    question.filter = NULL;
    question.relaunch = question.recovery_restartable = false;
    return question;
}

/* ---- The first of them ---- */

/* Does `a` hold up who would come to `b`, or within `b`? */
static bool comes_first(const struct wait *a, const struct wait *b)
{
    bool behind = a->await->target <= b->await->begin;
    bool within = b->await->begin <= a->await->begin && a->await->target <= b->await->target;
    return a != b && a->thread == b->thread && (behind || within);
}

/* ---- What they concern ---- */

/* What is missing since work-items wait: stores to locations, and from which place on the code of a
 * work-item hangs on that. */
struct missing {
    const struct lit_program *program;
    bool *locations;
    uint32_t *from; /* per work-item; its code_count: nowhere */
    bool more;
};

static void begin_at(struct missing *m, uint32_t thread, uint32_t pc)
{
    m->more |= pc < m->from[thread];
    if (pc < m->from[thread])
        m->from[thread] = pc;
}

static bool names_missing(const struct missing *m, const struct lit_instr *instr)
{
    return ANY(i, instr->addr.count, m->locations[lit_address_element(&instr->addr, i)]);
}

/* What goes round from behind the read to before it may hang on it as well. */
static uint32_t top_of(const struct lit_thread *thread, uint32_t pc)
{
    uint32_t top = pc;
    for (uint32_t i = pc; i < thread->code_count; i++)
        if (thread->code[i].op == LIT_JUMP && thread->code[i].target < top)
            top = thread->code[i].target;
    return top;
}

static void spread(struct missing *m, uint32_t thread)
{
    const struct lit_thread *code = &m->program->threads[thread];
    for (uint32_t pc = 0; pc < code->code_count; pc++) {
        const struct lit_instr *instr = &code->code[pc];
        if (lit_instruction_reads(instr->op) && names_missing(m, instr))
            begin_at(m, thread, top_of(code, pc));
        if (pc < m->from[thread] || !lit_instruction_writes(instr->op))
            continue;
        for (uint32_t i = 0; i < instr->addr.count; i++) {
            bool *location = &m->locations[lit_address_element(&instr->addr, i)];
            m->more |= !*location;
            *location = true;
        }
    }
}

struct concern {
    const struct missing *missing;
    bool found;
};

static void look_at(void *context, const struct lit_atom *atom)
{
    struct concern *c = context;
    const struct missing *m = c->missing;
    if (atom->kind == LIT_ATOM_LOCATION)
        c->found |= m->locations[atom->location];
    if (!lit_atom_is_of_register(atom))
        return;
    const struct lit_thread *thread = &m->program->threads[atom->thread];
    for (uint32_t pc = m->from[atom->thread]; pc < thread->code_count; pc++)
        c->found |= lit_code_assigns(&thread->code[pc], atom->reg);
}

static bool is_concerned(const struct missing *m, const struct lit_condition *condition)
{
    struct concern c = {m, condition->when == LIT_FINAL};
    if (condition->when == LIT_RECOVERED || condition->refines)
        c.found |=
            ANY(i, m->program->location_count, m->locations[i] && m->program->locations[i].nvm);
    else
        lit_prop_each_atom(condition->prop, look_at, &c);
    return c.found;
}

static const bool *find_concerned(struct arena *arena, const struct lit_program *program,
                                  const struct waits *waits)
{
    bool *concern = ARENA_ARRAY(arena, bool, program->condition_count + 1);
    struct missing m = {.program = program,
                        .locations = ARENA_ARRAY(arena, bool, program->location_count + 1),
                        .from = ARENA_ARRAY(arena, uint32_t, program->thread_count)};
    for (uint32_t t = 0; t < program->thread_count; t++)
        m.from[t] = program->threads[t].code_count;
    for (uint32_t i = 0; i < waits->count; i++)
        begin_at(&m, waits->items[i].thread, waits->items[i].await->target);
    do {
        m.more = false;
        for (uint32_t t = 0; t < program->thread_count; t++)
            spread(&m, t);
    } while (m.more);
    for (uint32_t i = 0; i < program->condition_count; i++)
        concern[i] = is_concerned(&m, &program->conditions[i]);
    return concern;
}

struct waits waits_first(struct arena *arena, const struct lit_program *program,
                         const struct waits *all, const bool *never)
{
    struct wait *first = ARENA_ARRAY(arena, struct wait, all->count + 1);
    struct waits waits = {first, 0, NULL};
    for (uint32_t i = 0; i < all->count; i++)
        if (never[i] &&
            !ANY(j, all->count, never[j] && comes_first(&all->items[j], &all->items[i])))
            first[waits.count++] = all->items[i];
    waits.concern = find_concerned(arena, program, &waits);
    return waits;
}
