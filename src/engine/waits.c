#include "engine/waits.h"

#include "litmus/lit_code.h"

#include <string.h>

/* ---- The loops ---- */

/* Does a way back to the top of the loop, or of one in it, begin there? It may stand behind all code
 * (lit_table_loop.c). A loop around it that only counts may have the same top. */
static bool is_way_back(const struct lit_thread *thread, const struct lit_instr *await, uint32_t pc)
{
    const struct lit_instr *code = thread->code;
    return code[pc].op == LIT_LOOP && code[pc + 1].op == LIT_JUMP &&
           (code[pc].loop == await->loop || code[pc + 1].target != await->begin);
}

/* Is that code the loop's: does it stand there, or on such a way back? */
static bool may_be_inside(const struct lit_thread *thread, const struct lit_instr *await,
                          uint32_t pc)
{
    return (await->begin <= pc && pc < await->target) || is_way_back(thread, await, pc) ||
           (pc > 0 && is_way_back(thread, await, pc - 1));
}

/* Which code comes to that place; within the loop, if one is given. */
static bool *coming_to(struct arena *arena, const struct lit_thread *thread, uint32_t place,
                       const struct lit_instr *within)
{
    bool *comes = ARENA_ARRAY(arena, bool, thread->code_count + 1);
    comes[place] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = thread->code_count; pc-- > 0;) {
            struct lit_next next = lit_code_next(thread, pc);
            if (comes[pc] || (within && !may_be_inside(thread, within, pc)) ||
                !ANY(i, next.count, comes[next.pcs[i]]))
                continue;
            comes[pc] = more = true;
        }
    }
    return comes;
}

/* What is on a way from that place back to it. */
static const bool *round_of(struct arena *arena, const struct lit_thread *thread, uint32_t place)
{
    const bool *comes = coming_to(arena, thread, place, NULL);
    bool *round = ARENA_ARRAY(arena, bool, thread->code_count + 1);
    round[place] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = 0; pc < thread->code_count; pc++) {
            struct lit_next next = lit_code_next(thread, pc);
            for (uint32_t i = 0; i < next.count && round[pc]; i++)
                if (comes[next.pcs[i]] && !round[next.pcs[i]])
                    round[next.pcs[i]] = more = true;
        }
    }
    return round;
}

struct waits waits_find(struct arena *arena, const struct lit_program *program)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++)
            count += program->threads[t].code[i].op == LIT_AWAIT;
    struct wait *items = ARENA_ARRAY(arena, struct wait, count + 1);
    count = 0;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        const struct lit_thread *thread = &program->threads[t];
        for (uint32_t i = 0; i < thread->code_count; i++)
            if (thread->code[i].op == LIT_AWAIT)
                items[count++] = (struct wait){
                    t, &thread->code[i],
                    coming_to(arena, thread, thread->code[i].begin, &thread->code[i]), NULL};
    }
    return (struct waits){items, count, NULL, NULL};
}

static bool leads_to(const struct lit_thread *thread, uint32_t from, uint32_t to)
{
    struct lit_next next = lit_code_next(thread, from);
    return ANY(i, next.count, next.pcs[i] == to);
}

/* Do some ways to that code, or to the end, lead into the loop there, or out of it? */
static bool crosses(const struct lit_thread *thread, const bool *inside, uint32_t pc)
{
    return (pc == 0 && inside[pc]) ||
           ANY(i, thread->code_count, inside[i] != inside[pc] && leads_to(thread, i, pc));
}

/* ---- The program that notes where it got ---- */

struct noting {
    struct arena *arena;
    const struct wait *loop; /* that is noted */
    const struct lit_thread *thread;
    bool *notes;     /* per place, and the end: noted before the code there */
    uint32_t *place; /* where the note before the code at each place goes, and the end */
    uint32_t *own;   /* and where the code itself goes */
};

static void find_places(struct noting *n)
{
    uint32_t here = 0, places = n->thread->code_count + 1;
    n->place = ARENA_ARRAY(n->arena, uint32_t, places);
    n->own = ARENA_ARRAY(n->arena, uint32_t, places);
    n->notes = ARENA_ARRAY(n->arena, bool, places);
    for (uint32_t pc = 0; pc < places; pc++) {
        n->notes[pc] = crosses(n->thread, n->loop->inside, pc);
        n->place[pc] = here;
        n->own[pc] = here + n->notes[pc];
        here = n->own[pc] + 1;
    }
}

/* Where a jump leads: past the note if it leads neither into the loop nor out of it. */
static uint32_t target_of(const struct noting *n, uint32_t from, uint32_t to)
{
    return n->loop->inside[from] != n->loop->inside[to] ? n->place[to] : n->own[to];
}

/* That the loop was come to, in the first register, or that it was left then, in the second. */
static struct lit_instr note_of(const struct noting *n, bool comes)
{
    const uint32_t reg = n->thread->register_count;
    const struct lit_expr one = {.op = LIT_OP_CONST, .value = 1},
                          came = {.op = LIT_OP_REG, .reg = reg};
    return (struct lit_instr){.op = LIT_SET,
                              .dst = comes ? reg : reg + 1,
                              .dst_old = LIT_NONE,
                              .decides = LIT_NONE,
                              .loop = LIT_NONE,
                              .value = arena_copy(n->arena, comes ? &one : &came, sizeof one),
                              .span = n->loop->await->span};
}

static const struct lit_range *moved(const struct noting *n, const struct lit_range *range)
{
    return range ? ARENA_MAKE(n->arena, struct lit_range, n->place[range->begin],
                              n->place[range->end], moved(n, range->next))
                 : NULL;
}

/* Is it noted on that way round that the loop was come to, or left? */
static bool is_noted_in(const struct noting *n, const bool *round, bool comes)
{
    const bool *inside = n->loop->inside;
    return ANY(pc, n->thread->code_count,
               round[pc] && inside[pc] == comes &&
                   ANY(i, n->thread->code_count,
                       round[i] && inside[i] != comes && leads_to(n->thread, i, pc)));
}

/* What a way round to this AWAIT notes is not to be left out with it, whichever loop goes round. */
static void show_notes(const struct noting *n, uint32_t pc, struct lit_instr *await)
{
    const bool *round = round_of(n->arena, n->thread, pc);
    uint32_t *shown = ARENA_ARRAY(n->arena, uint32_t, 2);
    await->shown_count = 0;
    for (uint32_t i = 0; i < 2; i++)
        if (is_noted_in(n, round, i == 0))
            shown[await->shown_count++] = n->thread->register_count + i;
    await->shown = shown;
}

static void add_code(const struct noting *n, struct lit_thread *noted)
{
    const struct lit_thread *thread = n->thread;
    struct lit_instr *code =
        ARENA_ARRAY(n->arena, struct lit_instr, n->own[thread->code_count] + 1);
    for (uint32_t pc = 0; pc <= thread->code_count; pc++)
        if (n->notes[pc])
            code[n->place[pc]] = note_of(n, n->loop->inside[pc]);
    for (uint32_t pc = 0; pc < thread->code_count; pc++) {
        struct lit_instr *instr = &code[n->own[pc]];
        *instr = thread->code[pc];
        instr->target = target_of(n, pc, instr->target);
        instr->begin = n->own[instr->begin];
        instr->unsequenced = moved(n, instr->unsequenced);
        if (instr->op == LIT_AWAIT)
            show_notes(n, pc, instr);
    }
    noted->code = code;
    noted->code_count = n->own[thread->code_count];
}

static void add_registers(const struct noting *n, struct lit_thread *noted)
{
    uint32_t count = n->thread->register_count;
    struct lit_register *registers = ARENA_ARRAY(n->arena, struct lit_register, count + 2);
    const struct lit_register note = {.name = "note", .type = LIT_INT, .at_crash = true};
    if (count)
        memcpy(registers, n->thread->registers, count * sizeof *registers);
    registers[count] = registers[count + 1] = note;
    noted->registers = registers;
    noted->register_count = count + 2;
}

static struct lit_condition condition_of(struct arena *arena, uint32_t thread, uint32_t reg)
{
    const struct lit_atom atoms[] = {{.kind = LIT_ATOM_REGISTER, .thread = thread, .reg = reg},
                                     {.kind = LIT_ATOM_GIVEN, .thread = thread, .reg = reg}};
    static const int64_t noted[] = {1, 1};
    return (struct lit_condition){.when = LIT_CRASHED,
                                  .quantifier = LIT_EXISTS,
                                  .prop = lit_prop_row(arena, atoms, noted, 2),
                                  .text = ""};
}

static void ask_of(struct arena *arena, const struct wait *loop, struct lit_program *question)
{
    struct lit_thread *threads =
        arena_copy(arena, question->threads, question->thread_count * sizeof *threads);
    struct lit_condition *conditions = ARENA_ARRAY(arena, struct lit_condition, 2);
    const struct lit_thread *thread = &question->threads[loop->thread];
    struct noting n = {.arena = arena, .loop = loop, .thread = thread};
    find_places(&n);
    add_code(&n, &threads[loop->thread]);
    add_registers(&n, &threads[loop->thread]);
    for (uint32_t i = 0; i < 2; i++)
        conditions[i] = condition_of(arena, loop->thread, thread->register_count + i);
    question->threads = threads;
    question->conditions = conditions;
    question->condition_count = 2;
}

struct lit_program waits_question(struct arena *arena, const struct lit_program *program,
                                  const struct wait *loop)
{
    struct lit_program question = *program;
    question.condition_count = question.recovery_count = question.observed_count =
        question.expect_count = 0;
    question.filter = NULL;
    question.relaunch = question.recovery_restartable = false;
    if (loop)
        ask_of(arena, loop, &question);
    return question;
}

/* ---- What is behind them ---- */

/* Does the work-item never come from there to `to`, as that leads out of one of the loops? */
static bool is_cut(const struct waits *waits, uint32_t thread, uint32_t from, uint32_t to)
{
    return ANY(i, waits->count,
               waits->items[i].thread == thread && waits->items[i].inside[from] &&
                   !waits->items[i].inside[to]);
}

/* The code that is come to on no way but out of one of the loops. */
static const bool *behind_of(struct arena *arena, const struct waits *waits,
                             const struct lit_thread *thread, uint32_t number)
{
    bool *behind = ARENA_ARRAY(arena, bool, thread->code_count + 1);
    memset(behind + 1, true, thread->code_count);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = 0; pc < thread->code_count; pc++) {
            struct lit_next next = lit_code_next(thread, pc);
            for (uint32_t i = 0; i < next.count && !behind[pc]; i++) {
                bool comes = behind[next.pcs[i]] && !is_cut(waits, number, pc, next.pcs[i]);
                behind[next.pcs[i]] &= !comes;
                more |= comes;
            }
        }
    }
    return behind;
}

static const bool *const *all_behind(struct arena *arena, const struct waits *waits,
                                     const struct lit_program *program)
{
    const bool **behind = ARENA_ARRAY(arena, const bool *, program->thread_count);
    for (uint32_t t = 0; t < program->thread_count; t++)
        behind[t] = behind_of(arena, waits, &program->threads[t], t);
    return behind;
}

/* ---- What they concern ---- */

/* What is missing since work-items wait: stores to locations, and from which place on the code of a
 * work-item hangs on that. */
struct missing {
    const struct lit_program *program;
    const bool *const *behind; /* the loops */
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

static bool is_missing(const struct missing *m, uint32_t thread, uint32_t pc)
{
    return m->behind[thread][pc] || pc >= m->from[thread];
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
        if (!is_missing(m, thread, pc) || !lit_instruction_writes(instr->op))
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
    for (uint32_t pc = 0; pc < thread->code_count; pc++)
        c->found |=
            is_missing(m, atom->thread, pc) && lit_code_assigns(&thread->code[pc], atom->reg);
}

/* May a store that is missing have that value? */
static bool is_missing_value(const struct missing *m, uint32_t location, int64_t value)
{
    const enum lit_type type = m->program->locations[location].type;
    for (uint32_t t = 0; t < m->program->thread_count; t++)
        for (uint32_t pc = 0; pc < m->program->threads[t].code_count; pc++) {
            const struct lit_instr *instr = &m->program->threads[t].code[pc];
            if (is_missing(m, t, pc) && lit_instruction_writes(instr->op) &&
                lit_address_has(&instr->addr, location) &&
                (instr->rmw != LIT_RMW_EXCHANGE || instr->value->op != LIT_OP_CONST ||
                 lit_value_wrap(type, instr->value->value) == value))
                return true;
        }
    return false;
}

/* Does the proposition name something that is missing? Of `x = 1` that is a store of 1. */
static bool names_kept(const struct missing *m, const struct lit_prop *prop)
{
    if (!prop || prop->op != LIT_PROP_COMPARE)
        return prop && (names_kept(m, prop->a) || names_kept(m, prop->b));
    if (prop->compare == LIT_OP_EQ && prop->left.kind == LIT_ATOM_LOCATION &&
        prop->right.kind == LIT_ATOM_CONST)
        return is_missing_value(m, prop->left.location, prop->right.value);
    struct concern c = {m, false};
    lit_prop_each_atom(prop, look_at, &c);
    return c.found;
}

/* A program that is its own recovery may get past a loop then. */
static bool is_concerned(const struct missing *m, const struct lit_condition *condition)
{
    struct concern c = {m, condition->when == LIT_FINAL};
    if (m->program->relaunch && condition->when == LIT_RECOVERED)
        return false;
    if (condition->when == LIT_RECOVERED || condition->refines)
        c.found |=
            ANY(i, m->program->location_count, m->locations[i] && m->program->locations[i].nvm);
    else
        lit_prop_each_atom(condition->prop, look_at, &c);
    return c.found;
}

/* Per condition: is it about what these loops keep away? `named`: does it name that itself? */
static const bool *find_concerned(struct arena *arena, const struct lit_program *program,
                                  const struct waits *waits, bool named)
{
    bool *concern = ARENA_ARRAY(arena, bool, program->condition_count + 1);
    struct missing m = {.program = program,
                        .behind = all_behind(arena, waits, program),
                        .locations = ARENA_ARRAY(arena, bool, program->location_count + 1),
                        .from = ARENA_ARRAY(arena, uint32_t, program->thread_count)};
    for (uint32_t t = 0; t < program->thread_count; t++)
        m.from[t] = program->threads[t].code_count;
    do {
        m.more = false;
        for (uint32_t t = 0; t < program->thread_count; t++)
            spread(&m, t);
    } while (m.more);
    for (uint32_t i = 0; i < program->condition_count; i++)
        concern[i] = named ? program->conditions[i].when != LIT_RECOVERED &&
                                 names_kept(&m, program->conditions[i].prop)
                           : is_concerned(&m, &program->conditions[i]);
    return concern;
}

/* ---- The first of them ---- */

static struct waits those_of(struct arena *arena, const struct waits *all, const bool *wanted)
{
    struct wait *items = ARENA_ARRAY(arena, struct wait, all->count + 1);
    struct waits waits = {.items = items};
    for (uint32_t i = 0; i < all->count; i++)
        if (wanted[i])
            items[waits.count++] = all->items[i];
    return waits;
}

/* Do all ways out of the loop lead out of one of the others, which then holds the work-item up? */
static bool is_held_up(struct arena *arena, const struct waits *others,
                       const struct lit_thread *thread, const struct wait *wait)
{
    const bool *behind = behind_of(arena, others, thread, wait->thread);
    for (uint32_t pc = 0; pc < thread->code_count; pc++) {
        struct lit_next next = lit_code_next(thread, pc);
        if (wait->inside[pc] && !behind[pc] &&
            ANY(i, next.count,
                !wait->inside[next.pcs[i]] && !is_cut(others, wait->thread, pc, next.pcs[i])))
            return false;
    }
    return true;
}

static struct waits with_kept(struct arena *arena, const struct lit_program *program,
                              const struct waits *waits)
{
    struct waits result = *waits;
    struct wait *items = arena_copy(arena, waits->items, waits->count * sizeof *items);
    for (uint32_t i = 0; i < waits->count; i++) {
        const struct waits alone = {&waits->items[i], 1, NULL, NULL};
        items[i].keeps = find_concerned(arena, program, &alone, true);
    }
    result.items = items;
    return result;
}

struct waits waits_first(struct arena *arena, const struct lit_program *program,
                         const struct waits *all, const bool *never)
{
    bool *first = arena_copy(arena, never, all->count * sizeof *never);
    for (uint32_t i = 0; i < all->count; i++)
        if (first[i]) {
            first[i] = false;
            const struct waits others = those_of(arena, all, first);
            first[i] = !is_held_up(arena, &others, &program->threads[all->items[i].thread],
                                   &all->items[i]);
        }
    struct waits waits = those_of(arena, all, first);
    waits.behind = all_behind(arena, &waits, program);
    waits.concern = find_concerned(arena, program, &waits, false);
    return with_kept(arena, program, &waits);
}
