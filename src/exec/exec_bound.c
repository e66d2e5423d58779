/* Bounds of loops. An iteration counts against the loop's bound when reads decided on it. Either
 * the last test depended on a read. Or the deciding registers are as in an earlier iteration, as
 * far as constants tell, and a branch since then depended on a read; otherwise the loop would never
 * end: `while (!done) { ..; if (CAS(..)) done = 1; }`. Brent's algorithm chooses the earlier
 * iteration, so that cycles of any length are found.
 *
 * A loop that retries has a bound of its own. It changes a location by a compare-exchange that
 * expects what the thread last read there. So if it fails, another thread has changed the location
 * since, and each change makes it fail once, wherever a thread's reads agree with coherence. After
 * as many failures as the others have changes it succeeds. The others' paths are counted for that.
 * The bound is a guess and nothing rests on it: a run beyond it is a path like any other, in doubt
 * if some execution has it. Such executions exist under models without coherence, or where another
 * thread keeps writing.
 *
 * A failed iteration stays part of the run. */
#include "exec/exec_run.h"

/* Changes by the others; beyond, the loop has the bound of any other. */
enum { MOST_RETRIES = 8 };

/* ---- The bound ---- */

/* Is it what the read-modify-write has read, as of atomicAdd(x, 0) and atomicCAS(x, 0, 0)? */
static bool is_as_read(const struct exec_path *path, const struct exec_value *value,
                       const struct exec_value *read)
{
    return exec_value_same(value, read) ||
           ANY(i, path->constraint_count,
               path->constraints[i].truth && path->constraints[i].value->op == LIT_OP_EQ &&
                   exec_value_same(path->constraints[i].value->a, read) &&
                   exec_value_same(path->constraints[i].value->b, value));
}

static bool is_change(const struct exec_path *path, uint32_t at, uint32_t location)
{
    const struct ev *event = &path->events[at];
    return event->kind == EV_WRITE && event->location == location &&
           !(event->rmw && is_as_read(path, event->value, path->events[at - 1].value));
}

static uint32_t count_changes(const struct exec_path *path, uint32_t location)
{
    BASE_ASSERT(path->event_count <= path->slot_count);
    return COUNT_IF(i, path->event_count, is_change(path, i, location));
}

static bool may_write(const struct lit_thread *thread, uint32_t location)
{
    return ANY(pc, thread->code_count,
               lit_instruction_writes(thread->code[pc].op) &&
                   exec_may_access(&thread->code[pc], location));
}

/* The most often that one run of the thread changes the location. */
static uint32_t most_changes(struct runner *r, uint32_t thread, uint32_t location)
{
    BASE_ASSERT(thread < r->program->thread_count);
    uint32_t path_events = 0, most = 0;
    struct exec_run_options options = *r->options;
    struct exec_paths paths;
    if (!may_write(&r->program->threads[thread], location))
        return 0;
    struct arena_mark mark = arena_mark(r->arena);
    options.plain = true;
    options.join = options.probes = false;
    options.follow = NULL;
    options.follow_until = NULL;
    options.most_events = EXEC_CUT_EVENTS;
    options.path_events = &path_events;
    exec_run_thread(r->arena, r->program, thread, &options, &paths);
    for (uint32_t i = 0; i < paths.count; i++) {
        uint32_t changes = count_changes(paths.items[i], location);
        most = changes > most ? changes : most;
    }
    arena_rewind(r->arena, mark);
    return most;
}

static uint32_t failures(struct runner *r, const struct lit_instr *loop)
{
    BASE_ASSERT(loop->op == LIT_LOOP);
    uint32_t all = 0;
    for (uint32_t i = 0; i < loop->tried_count; i++)
        for (uint32_t t = 0; t < r->program->thread_count && all <= MOST_RETRIES; t++)
            if (t != r->thread_index)
                all += most_changes(r, t, loop->tried[i]);
    return all <= MOST_RETRIES ? all : 0;
}

void run_find_bounds(struct runner *r)
{
    r->bounds = ARENA_ARRAY(r->arena, uint32_t, r->thread->loop_count);
    for (uint32_t l = 0; l < r->thread->loop_count; l++)
        r->bounds[l] = r->options->unroll;
    for (uint32_t pc = 0; pc < r->thread->code_count; pc++) {
        const struct lit_instr *loop = &r->thread->code[pc];
        if (loop->op != LIT_LOOP)
            continue;
        uint32_t more = r->options->plain || !loop->tried_count ? 0 : failures(r, loop);
        if (more > r->bounds[loop->loop])
            r->bounds[loop->loop] = more;
    }
}

/* ---- Which iterations count ---- */

/* An iteration to hold later ones against; the next is kept when `left` have been. */
struct run_pass {
    const struct exec_value **registers;
    uint32_t power, left;
};

/* Do constants say the same of what decides? */
static bool is_repeated(const struct run *run, const struct run_pass *before,
                        const struct lit_instr *loop)
{
    for (uint32_t i = 0; i < loop->kept_count; i++) {
        uint32_t reg = loop->kept[i];
        BASE_ASSERT(reg != LIT_NONE);
        if (exec_value_is_const(run->registers[reg]) && !run->register_deps[reg].count &&
            !exec_value_same(run->registers[reg], before->registers[reg]))
            return false;
    }
    return true;
}

static void keep_pass(struct runner *r, struct run *run, const struct lit_instr *loop)
{
    BASE_ASSERT(loop->op == LIT_LOOP);
    const struct run_pass *before = run->passes[loop->loop];
    struct run_pass *pass = ARENA_NEW(r->arena, struct run_pass);
    bool anew = !before || before->left == 1;
    pass->power = !before ? 1 : anew ? 2 * before->power : before->power;
    pass->left = anew ? pass->power : before->left - 1;
    pass->registers = anew ? arena_copy(r->arena, run->registers,
                                        r->thread->register_count * sizeof *run->registers)
                           : before->registers;
    run->passes[loop->loop] = pass;
    run->opened[loop->loop] = run->opened[loop->loop] && !anew;
}

bool run_counts(struct runner *r, struct run *run, const struct lit_instr *loop)
{
    BASE_ASSERT(loop->op == LIT_LOOP);
    const struct run_pass *before = run->passes[loop->loop];
    bool counts = run->branch_was_open ||
                  (before && run->opened[loop->loop] && is_repeated(run, before, loop));
    keep_pass(r, run, loop);
    return counts;
}
