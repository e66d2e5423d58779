/* Writes that the model keeps inside a transaction (docs/models/semantics.md, "Writes that a
 * transaction keeps to itself"). Such a write is no event where it stands. The run logs it, and the
 * transaction's reads find it there. The end of the transaction turns the newest write of each
 * location into an event, in front of the mark. An abort discards the log; so does a transaction
 * that never ends.
 *
 * A transaction that an abort undoes must be known beforehand to be aborted or not. So the run
 * splits at its beginning, and each part is dropped at the mark that it must not reach. */
#include "exec/exec_run.h"

static bool has_tag(const struct runner *r, uint64_t tag)
{
    return ANY(i, r->thread->code_count, r->thread->code[i].tags & tag);
}

static bool has_effect(const uint8_t effects[2], enum exec_effect effect)
{
    return effects[false] == effect || effects[true] == effect;
}

void run_find_effects(struct runner *r)
{
    const uint8_t(*effects)[2] = r->options->effects.of[r->thread_index];
    if (!effects)
        return;
    r->begin = lit_program_tag(r->program, "tx_begin");
    r->end = lit_program_tag(r->program, "tx_end");
    r->abort = lit_program_tag(r->program, "tx_abort");
    if (!has_tag(r, r->abort))
        return;
    for (uint32_t i = 0; i < r->thread->code_count; i++) {
        r->drops |= has_effect(effects[i], EXEC_UNLESS_DROPPED);
        r->splits |= r->drops || has_effect(effects[i], EXEC_UNLESS_ABORTED);
    }
}

bool run_keeps_write(const struct runner *r, const struct run *run, uint32_t location)
{
    BASE_ASSERT(location < r->program->location_count);
    const uint8_t(*effects)[2] = r->options->effects.of[r->thread_index];
    if (run->transaction == RUN_OUTSIDE)
        return false;
    enum exec_effect effect = effects[run->pc][r->program->locations[location].nvm];
    bool dropped = effect == EXEC_UNLESS_ABORTED || (effect == EXEC_UNLESS_DROPPED && !run->stays);
    return effect == EXEC_AT_ITS_END || (dropped && run->transaction == RUN_TO_ABORT);
}

void run_settle_write(struct runner *r, struct run *run)
{
    if (run->transaction != RUN_TO_ABORT || run->settled == run->steps ||
        !has_effect(r->options->effects.of[r->thread_index][run->pc], EXEC_UNLESS_DROPPED))
        return;
    run->settled = run->steps;
    run->stays = false;
    struct run *stays = run_split(r, run);
    stays->stays = true;
    stays->steps--; /* it comes to the instruction once more */
    VEC_PUSH(&r->open, stays);
}

static const struct run_logged *find_logged(const struct run_logged *log, uint32_t location)
{
    while (log && log->write.event.location != location)
        log = log->previous;
    return log;
}

const struct run_event *run_logged_write(const struct run *run, uint32_t location)
{
    const struct run_logged *logged = find_logged(run->log, location);
    return logged ? &logged->write : NULL;
}

/* Runs that split share the log. */
static const struct run_logged *without(struct runner *r, const struct run_logged *log,
                                        const struct run_logged *gone)
{
    const struct run_logged *rest = gone ? gone->previous : log, **last = &rest;
    for (; gone && log != gone; log = log->previous) {
        struct run_logged *copy = ARENA_MAKE(r->arena, struct run_logged, log->write, *last);
        *last = copy;
        last = &copy->previous;
    }
    return rest;
}

void run_log_write(struct runner *r, struct run *run, const struct run_event *write)
{
    const struct run_logged *older = find_logged(run->log, write->event.location);
    run->log = ARENA_MAKE(r->arena, struct run_logged, *write, without(r, run->log, older));
}

void run_forget_logged(struct runner *r, struct run *run, uint32_t location)
{
    const struct run_logged *older = find_logged(run->log, location);
    if (older)
        run->log = without(r, run->log, older);
}

bool run_is_vain(const struct run *run)
{
    return run->transaction == RUN_TO_ABORT;
}

/* Oldest first. */
static void take_effect(struct runner *r, struct run *run)
{
    uint32_t count = 0;
    for (const struct run_logged *link = run->log; link; link = link->previous)
        count++;
    struct run_event *writes = ARENA_ARRAY(r->arena, struct run_event, count);
    uint32_t at = count;
    for (const struct run_logged *link = run->log; link; link = link->previous) {
        writes[--at] = link->write;
        run_deps_join(r, &writes[at].ctrl, &run->ctrl);
    }
    for (; at < count; at++)
        run_link_event(run, &writes[at]);
}

bool run_come_to_mark(struct runner *r, struct run *run, const struct lit_instr *mark)
{
    bool aborts = mark->tags & r->abort, ends = mark->tags & r->end;
    if ((ends && run->transaction == RUN_TO_ABORT) ||
        (aborts && run->transaction == RUN_UNLESS_ABORTED)) {
        if (r->forks.count)
            VEC_LAST(&r->forks).lost = true;
        return false;
    }
    if (ends)
        take_effect(r, run);
    if (ends || aborts) {
        run->log = NULL;
        run->transaction = RUN_OUTSIDE;
    }
    return true;
}

void run_pass_mark(struct runner *r, struct run *run, const struct lit_instr *mark)
{
    if (!(mark->tags & r->begin))
        return;
    run->transaction = r->splits ? RUN_UNLESS_ABORTED : RUN_INSIDE;
    if (!r->splits)
        return;
    struct run *aborted = run_split(r, run);
    aborted->transaction = RUN_TO_ABORT;
    VEC_PUSH(&r->open, aborted);
}
