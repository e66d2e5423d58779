/* Waiting. A run may come back to an AWAIT having only read, with all registers that are still to
 * be read unchanged. Then it is where it was, and its iteration left no trace. So the iteration is
 * left out and not followed: another part of the same split ends the wait. Two paths remain. In one
 * the wait never ends. In the other, made to find races, one such iteration is kept and the wait
 * begins again.
 *
 * A read-modify-write that writes what it has read counts as a read if leaving it out cannot make
 * others synchronise (semantics.md, "Awaits"). Whether it writes what it reads depends on the read,
 * so the run splits. */
#include "exec/exec_run.h"

#include "base/bits.h"
#include "litmus/lit_code.h"

#include <string.h>

/* ---- Constraints of an iteration ---- */

static const struct exec_value *both(struct runner *r, const struct exec_value *a,
                                     const struct exec_value *b)
{
    return exec_value_apply(r->arena, LIT_OP_AND, LIT_INT, a->type, a, b, NULL);
}

/* The constraint as a value that is not 0. */
static const struct exec_value *holds(struct runner *r, const struct exec_constraint *c)
{
    enum lit_operator op = c->truth ? LIT_OP_NE : LIT_OP_EQ;
    const struct exec_value *zero = exec_value_const(r->arena, c->value->type, 0);
    return exec_value_apply(r->arena, op, LIT_INT, c->value->type, c->value, zero, NULL);
}

static const struct ev *event_at(const struct run *run, uint32_t index)
{
    const struct run_event *link = run->events;
    for (uint32_t i = run->event_count; --i > index;)
        link = link->previous;
    return &link->event;
}

/* What an iteration relied on. Constraints about the same single read become one: each of them may
 * hold for some value, and all of them for none. */
struct reliance {
    const struct exec_value **items;
    uint32_t *reads; /* LIT_NONE: of none, or several */
    uint32_t count;
};

static void rely(struct runner *r, struct reliance *all, const struct exec_value *value)
{
    uint32_t read = exec_value_single_read(value), i = 0;
    while (i < all->count && (read == LIT_NONE || all->reads[i] != read))
        i++;
    if (i < all->count) {
        all->items[i] = both(r, value, all->items[i]);
        return;
    }
    all->items[i] = value;
    all->reads[i] = read;
    all->count++;
}

/* With each read after `visit` replaced by the first such read of its location: those of a wait
 * that never ends return the same. */
static const struct exec_value *unite(struct runner *r, const struct run *visit,
                                      const struct run *run, const struct exec_value *value)
{
    if (!value || value->op == LIT_OP_CONST)
        return value;
    struct exec_value *copy = arena_copy(r->arena, value, sizeof *value);
    copy->a = unite(r, visit, run, value->a);
    copy->b = unite(r, visit, run, value->b);
    copy->c = unite(r, visit, run, value->c);
    if (value->op != LIT_OP_REG || value->read < visit->event_count)
        return copy;
    uint32_t location = event_at(run, value->read)->location;
    copy->read = visit->event_count;
    while (event_at(run, copy->read)->kind != EV_READ ||
           event_at(run, copy->read)->location != location)
        copy->read++;
    return copy;
}

/* ---- Values that a location may have ---- */

enum { MOST_VALUES = 16 };

struct domain {
    int64_t values[MOST_VALUES];
    uint32_t count;
    bool open; /* any other, too */
};

static void add_value(struct domain *d, enum lit_type type, const struct lit_expr *value)
{
    d->open |= value->op != LIT_OP_CONST || d->count == MOST_VALUES;
    if (!d->open)
        d->values[d->count++] = lit_value_wrap(type, value->value);
}

bool exec_may_access(const struct lit_instr *instr, uint32_t location)
{
    bool accesses = lit_instruction_accesses(instr->op);
    for (uint32_t i = 0; accesses && i < (instr->addr.index ? instr->addr.count : 1); i++)
        if (lit_address_element(&instr->addr, i) == location)
            return true;
    return false;
}

/* What crashes leave in NVRAM is not known here. */
static struct domain domain_of(const struct runner *r, uint32_t location)
{
    BASE_ASSERT(location < r->program->location_count);
    const struct lit_location *at = &r->program->locations[location];
    struct domain d = {.values = {at->init}, .count = 1, .open = at->nvm || r->options->any_value};
    for (uint32_t t = 0; t < r->program->thread_count && !d.open; t++)
        for (uint32_t i = 0; i < r->program->threads[t].code_count && !d.open; i++) {
            const struct lit_instr *instr = &r->program->threads[t].code[i];
            if (!lit_instruction_writes(instr->op) || !exec_may_access(instr, location))
                continue;
            add_value(&d, at->type, instr->value);
            d.open |= instr->rmw != LIT_RMW_EXCHANGE;
        }
    return d;
}

/* Is there a value of the one read for which this holds? */
static bool may_hold(struct runner *r, const struct run *run, const struct exec_value *value)
{
    int64_t result;
    uint32_t read = exec_value_single_read(value);
    if (exec_value_is_const(value) || read == LIT_NONE)
        return !exec_value_is_const(value) || value->value != 0;
    struct arena_mark mark = arena_mark(r->arena);
    int64_t *values = ARENA_ARRAY(r->arena, int64_t, read + 1);
    bool *known = ARENA_ARRAY(r->arena, bool, read + 1), may = false;
    struct exec_reads reads = {values, known};
    struct domain d = domain_of(r, event_at(run, read)->location);
    known[read] = true;
    for (uint32_t i = 0; i < d.count && !d.open && !may; i++) {
        values[read] = d.values[i];
        may = exec_value_get(value, &reads, &result) && result != 0;
    }
    arena_rewind(r->arena, mark);
    return may || d.open;
}

static bool all_may_hold(struct runner *r, const struct run *run, const struct reliance *all)
{
    return ALL(i, all->count, may_hold(r, run, all->items[i]));
}

static void rely_on_all(struct runner *r, const struct run *visit, const struct run *run,
                        bool for_ever, struct reliance *all)
{
    uint32_t most = run->constraint_count - visit->constraint_count;
    *all = (struct reliance){ARENA_ARRAY(r->arena, const struct exec_value *, most),
                             ARENA_ARRAY(r->arena, uint32_t, most), 0};
    for (const struct run_constraint *link = run->constraints; link != visit->constraints;
         link = link->previous) {
        const struct exec_value *value = holds(r, &link->constraint);
        rely(r, all, for_ever ? unite(r, visit, run, value) : value);
    }
}

/* ---- Is it where it was? ---- */

void exec_find_accessors(const struct lit_program *program, uint32_t location, bool *accesses)
{
    BASE_ASSERT(location < program->location_count);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        accesses[t] = false;
        for (uint32_t i = 0; i < program->threads[t].code_count; i++)
            accesses[t] |= exec_may_access(&program->threads[t].code[i], location);
    }
}

bool exec_access_is_even(const struct lit_program *program, uint32_t thread,
                         const struct lit_instr *instr, const bool *accesses)
{
    BASE_ASSERT(thread < program->thread_count);
    for (uint32_t u = 0; u < program->thread_count; u++)
        if (accesses[u] &&
            !lit_same_instance(&program->threads[thread], &program->threads[u], instr->scope))
            return false;
    return instr->order != LIT_ORDER_NA;
}

/* Does each access of the location order it for all others that access it? Then whoever
 * synchronises through a read-modify-write of it does so without. */
static bool is_shared_evenly(const struct runner *r, uint32_t location)
{
    const struct lit_program *program = r->program;
    bool accesses[LIT_MAX_THREADS];
    exec_find_accessors(program, location, accesses);
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++) {
            const struct lit_instr *instr = &program->threads[t].code[i];
            if (exec_may_access(instr, location) &&
                !exec_access_is_even(program, t, instr, accesses))
                return false;
        }
    return true;
}

static bool crashes_tell(const struct runner *r, const struct ev *update)
{
    return r->options->crashes_tell && r->program->locations[update->location].nvm;
}

/* As far as reads before the visit go. */
static bool same_deps(const struct exec_deps *before, const struct exec_deps *now, uint32_t count)
{
    return !ANY(i, count,
                exec_deps_has(before, i) != exec_deps_has(now, i) ||
                    !exec_value_same(exec_deps_when(before, i), exec_deps_when(now, i)));
}

static bool registers_are_kept(const struct run *visit, const struct run *run,
                               const struct lit_instr *instr)
{
    for (uint32_t i = 0; i < instr->kept_count; i++) {
        uint32_t reg = instr->kept[i];
        if (!exec_value_same(visit->registers[reg], run->registers[reg]) ||
            !same_deps(&visit->register_deps[reg], &run->register_deps[reg], visit->event_count))
            return false;
    }
    return true;
}

/* When memory was left as it was, as a value that is not 0 then; NULL: never. Notes when that is a
 * matter of how evenly a location is shared. */
static const struct exec_value *memory_is_kept(struct runner *r, const struct run *visit,
                                               struct run *run)
{
    const struct exec_value *kept = exec_value_const(r->arena, LIT_INT, 1);
    for (const struct run_event *link = run->events; link != visit->events; link = link->previous) {
        const struct ev *event = &link->event;
        if (link->guard || !ev_kind_accesses(event->kind))
            return NULL;
        if (event->kind == EV_READ)
            continue;
        if (!event->rmw || crashes_tell(r, event))
            return NULL;
        run->shares = true;
        if (!is_shared_evenly(r, event->location))
            return NULL;
        const struct ev *read = &link->previous->event;
        if (exec_value_same(read->value, event->value))
            continue;
        kept = both(r,
                    exec_value_apply(r->arena, LIT_OP_EQ, LIT_INT, event->value->type, read->value,
                                     event->value, NULL),
                    kept);
    }
    return kept;
}

/* ---- Coming by ---- */

static void note_visit(struct runner *r, struct run *run, const struct lit_instr *instr,
                       const struct run_round *rounds)
{
    struct run *visit = run_split(r, run);
    visit->rounds = rounds;
    run->visits[instr->loop] = visit;
    run->pc++;
}

static void end_spinning(struct runner *r, const struct run *visit, const struct run *run,
                         const struct lit_instr *instr)
{
    struct reliance all;
    rely_on_all(r, visit, run, true, &all);
    if (!all_may_hold(r, run, &all))
        return;
    struct exec_constraint *spins = ARENA_ARRAY(r->arena, struct exec_constraint, all.count);
    for (uint32_t i = 0; i < all.count; i++)
        spins[i] = (struct exec_constraint){all.items[i], true};
    run_end_spinning(r, visit, run, instr, spins, all.count);
}

/* The iteration is part of the run after all; it does not count. */
static void keep_iteration(struct runner *r, const struct run *visit, struct run *run,
                           const struct lit_instr *instr, const struct run_round *rounds)
{
    memcpy(run->iterations, visit->iterations, r->thread->loop_count * sizeof *run->iterations);
    note_visit(r, run, instr, rounds);
    VEC_PUSH(&r->open, run);
}

/* Something has changed: the iteration counts. */
static bool go_round(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    if (run->iterations[instr->loop] > r->bounds[instr->loop])
        return run_meet_bound(r, run, instr);
    note_visit(r, run, instr, NULL);
    return true;
}

/* ---- What a crash shows of it ---- */

/* No more are kept in a row, nor any where a crash shows more registers than a word has bits. */
enum { MOST_ROUNDS = 4, MOST_SHOWN = 64 };

/* Which of the registers that only a crash shows were assigned since? */
static uint64_t find_shown(const struct run *visit, const struct run *run,
                           const struct lit_instr *instr)
{
    uint64_t shown = 0;
    for (const struct run_assignment *link = run->assignments; link != visit->assignments;
         link = link->previous)
        for (uint32_t i = 0; i < instr->shown_count && i < MOST_SHOWN; i++)
            if (link->assignment.reg == instr->shown[i])
                shown |= (uint64_t)1 << i;
    return shown;
}

static uint32_t count_rounds(const struct run_round *rounds)
{
    uint32_t count = 0;
    for (; rounds; rounds = rounds->previous)
        count++;
    return count;
}

static bool hides_earlier(const struct run_round *rounds, uint64_t shown)
{
    while (rounds && (rounds->shown & ~shown))
        rounds = rounds->previous;
    return rounds != NULL;
}

/* A crash tells a round that assigned such registers from one left out, so it is kept. A later round
 * that assigns all of them hides it. If these are several, a crash within the later round shows
 * values of both, so that is kept as well. Behind it the run is like the one without the hidden
 * round, which is looked at anyway: it goes no further. */
static void keep_shown(struct runner *r, const struct run *visit, struct run *run,
                       const struct lit_instr *instr)
{
    const struct run_round *before = visit->rounds;
    uint64_t shown = find_shown(visit, run, instr);
    bool hides = hides_earlier(before, shown), several = shown & (shown - 1);
    if (!shown || run->probe || (before && before->hides) || (hides && !several))
        return;
    if (instr->shown_count > MOST_SHOWN || count_rounds(before) == MOST_ROUNDS) {
        if (go_round(r, run, instr))
            VEC_PUSH(&r->open, run);
        return;
    }
    struct run_round *round = ARENA_NEW(r->arena, struct run_round);
    *round = (struct run_round){shown, hides, before};
    keep_iteration(r, visit, run, instr, round);
}

/* ---- Waiting ---- */

static void wait(struct runner *r, const struct run *visit, struct run *run,
                 const struct lit_instr *instr)
{
    end_spinning(r, visit, run, instr);
    if (instr->shown_count)
        keep_shown(r, visit, run_split(r, run), instr);
    if (!r->options->probes || run->probe)
        return;
    run->probe = true;
    for (uint32_t l = 0; l < r->thread->loop_count; l++)
        run->visits[l] = NULL; /* what came before it is no iteration of another wait */
    keep_iteration(r, visit, run, instr, NULL);
}

/* The rest of an iteration that may have left memory as it was: not if `kept` holds. */
static bool goes_round(struct runner *r, const struct run *visit, struct run *run,
                       const struct exec_value *kept)
{
    struct reliance all;
    run_constrain(r, run, kept, false);
    rely_on_all(r, visit, run, false, &all);
    return all_may_hold(r, run, &all);
}

bool run_come_by(struct runner *r, struct run *run, const struct lit_instr *instr)
{
    const struct run *visit = run->visits[instr->loop];
    const struct exec_value *kept = NULL;
    bool shares = run->shares;
    if (!visit) {
        note_visit(r, run, instr, NULL);
        return true;
    }
    if (run->event_count > visit->event_count && run->crash_count == visit->crash_count &&
        run->log == visit->log && registers_are_kept(visit, run, instr))
        kept = memory_is_kept(r, visit, run);
    bool differs = kept && exec_value_is_const(kept) && !kept->value;
    bool leaves_out = r->options->brief && run->shares;
    if (leaves_out && r->forks.count)
        VEC_LAST(&r->forks).lost = true;
    if (leaves_out && !kept)
        return false;
    if (kept && !differs && !leaves_out)
        wait(r, visit, run_where(r, run, kept), instr);
    if (kept)
        run->shares = shares; /* what is left has changed something, however that is shared */
    if (!kept || differs)
        return go_round(r, run, instr);
    return !exec_value_is_const(kept) && goes_round(r, visit, run, kept) && go_round(r, run, instr);
}

/* ---- Where runs must not be joined ---- */

static bool only_reads(const struct lit_thread *thread, uint32_t pc)
{
    return lit_instruction_is(thread->code[pc].op, LIT_READS | LIT_PRIVATE);
}

/* What is come to from `start` with nothing done but reading; `start` is. */
static void find_ahead(const struct lit_thread *thread, uint32_t start, bool *ahead)
{
    ahead[start] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = 0; pc < thread->code_count; pc++) {
            struct lit_next next = lit_code_next(thread, pc);
            for (uint32_t i = 0; i < next.count && ahead[pc] && only_reads(thread, pc); i++) {
                more |= !ahead[next.pcs[i]];
                ahead[next.pcs[i]] = true;
            }
        }
    }
}

/* Of these the ones from which one comes back there in that way. */
static void find_back(const struct lit_thread *thread, uint32_t start, const bool *ahead,
                      bool *back)
{
    back[start] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = 0; pc < thread->code_count; pc++) {
            struct lit_next next = lit_code_next(thread, pc);
            if (ahead[pc] && !back[pc] && only_reads(thread, pc) &&
                ANY(i, next.count, back[next.pcs[i]]))
                back[pc] = more = true;
        }
    }
}

/* The wait's own loop, and each way back to it on which nothing is written, be that a round of a
 * loop around it: what is written under a guard there would hide that it waits. */
static void mark_wait(struct runner *r, uint32_t await)
{
    const struct lit_thread *thread = r->thread;
    bool *ahead = ARENA_ARRAY(r->arena, bool, thread->code_count + 1);
    bool *back = ARENA_ARRAY(r->arena, bool, thread->code_count + 1);
    find_ahead(thread, await, ahead);
    find_back(thread, await, ahead, back);
    for (uint32_t pc = 0; pc < thread->code_count; pc++)
        r->waits_at[pc] |=
            back[pc] || (pc >= thread->code[await].begin && pc < thread->code[await].target);
}

void run_find_waits(struct runner *r)
{
    const struct lit_thread *thread = r->thread;
    r->waits_at = ARENA_ARRAY(r->arena, bool, thread->code_count);
    r->waits_in = ARENA_ARRAY(r->arena, bool, thread->loop_count);
    for (uint32_t pc = 0; pc < thread->code_count; pc++)
        if (thread->code[pc].op == LIT_AWAIT) {
            r->waits_in[thread->code[pc].loop] = true;
            mark_wait(r, pc);
        }
}
