/* Barriers that wait are rendezvous: one moment for all work-items that take part. So either all of
 * them passed an instance or none did, and a thread is stuck at one only when somebody never
 * reaches it. PTX refines this twice. The code may decide who takes part (a named barrier), and a
 * quorum opens the barrier for good once so many have arrived. A thread at the same place that
 * chose another resource has arrived elsewhere: nobody waits for it any longer. */
#include "exec/exec_skeleton.h"

#include "litmus/lit_code.h"

static enum lit_instr_op op_of(enum ev_kind kind)
{
    return kind == EV_PBARRIER ? LIT_PBARRIER : LIT_BARRIER;
}

/* Does thread u take part in a meeting of thread t? */
static bool takes_part(const struct lit_program *program, uint32_t t, uint32_t u,
                       const struct ev_meeting *meeting)
{
    BASE_ASSERT(t < program->thread_count && u < program->thread_count);
    const struct lit_thread *a = &program->threads[t], *b = &program->threads[u];
    return lit_same_instance(a, b, meeting->scope) &&
           (!meeting->named || lit_code_has_barrier(b, op_of(meeting->kind), meeting->label));
}

static bool stuck_at_place(const struct exec_path *path, const struct ev_meeting *meeting)
{
    BASE_ASSERT(path->end != EXEC_AT_BARRIER || ev_kind_meets(path->meeting.kind));
    return path->end == EXEC_AT_BARRIER && ev_same_place(&path->meeting, meeting);
}

static bool passed_place(const struct exec_path *path, const struct ev_meeting *meeting)
{
    return ANY(i, path->event_count,
               path->events[i].kind == meeting->kind &&
                   ev_same_place(&path->events[i].meeting, meeting));
}

static bool arrived(const struct exec_path *path, const struct ev_meeting *meeting)
{
    for (uint32_t i = 0; i < path->event_count; i++)
        if (path->events[i].kind == meeting->kind &&
            ev_same_meeting(&path->events[i].meeting, meeting))
            return true;
    return stuck_at_place(path, meeting) && path->meeting.resource == meeting->resource;
}

static uint32_t count_arrived(const struct lit_program *program,
                              const struct exec_path *const *paths, uint32_t count, uint32_t t,
                              const struct ev_meeting *meeting)
{
    BASE_ASSERT(count <= program->thread_count && t < program->thread_count);
    uint32_t arrivals = 0;
    for (uint32_t u = 0; u < count; u++)
        arrivals += takes_part(program, t, u, meeting) && arrived(paths[u], meeting);
    return arrivals;
}

/* Everybody that `path` met at waiting barriers shared with `other` was met by `other`. */
static bool met_by(const struct lit_program *program, const struct exec_run_options *options,
                   const struct exec_path *path, const struct exec_path *other)
{
    for (uint32_t i = 0; i < path->event_count; i++) {
        const struct ev *event = &path->events[i];
        const struct ev_meeting *meeting = &event->meeting;
        if (!ev_kind_meets(event->kind) || meeting->quorum ||
            !ev_meeting_waits(&options->waits, meeting) ||
            !takes_part(program, path->thread, other->thread, meeting))
            continue;
        bool elsewhere =
            stuck_at_place(other, meeting) && other->meeting.resource != meeting->resource;
        if (!passed_place(other, meeting) && !elsewhere)
            return false;
    }
    return true;
}

/* Whatever barrier with a quorum `path` passed may have had enough arrivals, among the
 * chosen paths and the threads that are still open. */
static bool quorums_may_be_met(const struct lit_program *program,
                               const struct exec_run_options *options,
                               const struct exec_path *const *paths, uint32_t count,
                               const struct exec_path *path)
{
    for (uint32_t i = 0; i < path->event_count; i++) {
        const struct ev_meeting *meeting = &path->events[i].meeting;
        if (!ev_kind_meets(path->events[i].kind) || meeting->quorum == 0 ||
            !ev_meeting_waits(&options->waits, meeting))
            continue;
        uint32_t most = count_arrived(program, paths, count, path->thread, meeting);
        for (uint32_t u = count; u < program->thread_count; u++)
            most += takes_part(program, path->thread, u, meeting);
        if (most < meeting->quorum)
            return false;
    }
    return true;
}

bool exec_two_paths_agree(const struct lit_program *program, const struct exec_run_options *options,
                          const struct exec_path *a, const struct exec_path *b)
{
    return met_by(program, options, a, b) && met_by(program, options, b, a);
}

bool exec_paths_agree(const struct lit_program *program, const struct exec_run_options *options,
                      const struct exec_path *const *paths, uint32_t count)
{
    BASE_ASSERT(count > 0 && count <= program->thread_count);
    const struct exec_path *newest = paths[count - 1];
    for (uint32_t t = 0; t + 1 < count; t++)
        if (!exec_two_paths_agree(program, options, newest, paths[t]))
            return false;
    return ALL(t, count, quorums_may_be_met(program, options, paths, count, paths[t]));
}

bool exec_path_is_missing(const struct lit_program *program, const struct exec_path *path,
                          const struct exec_path *other)
{
    return path->end == EXEC_AT_BARRIER &&
           takes_part(program, path->thread, other->thread, &path->meeting) &&
           !passed_place(other, &path->meeting) && !stuck_at_place(other, &path->meeting);
}

/* Is somebody missing from the meeting that `path` is stuck at, or may it be one of the
 * threads from `count` on? */
static bool may_lack_someone(const struct lit_program *program,
                             const struct exec_path *const *paths, uint32_t count,
                             const struct exec_path *path)
{
    BASE_ASSERT(path->end == EXEC_AT_BARRIER);
    if (path->meeting.quorum)
        return count_arrived(program, paths, count, path->thread, &path->meeting) <
               path->meeting.quorum;
    for (uint32_t u = program->thread_count; u-- > count;)
        if (takes_part(program, path->thread, u, &path->meeting))
            return true;
    return ANY(u, count, exec_path_is_missing(program, path, paths[u]));
}

bool exec_paths_stuck_rightly(const struct lit_program *program,
                              const struct exec_path *const *paths, uint32_t count)
{
    BASE_ASSERT(count <= program->thread_count);
    return !ANY(t, count,
                paths[t]->end == EXEC_AT_BARRIER &&
                    !may_lack_someone(program, paths, count, paths[t]));
}

/* Would those who are missing and excused open the barrier that `path` is stuck at? Those
 * who are not excused need to come only when there is no quorum. */
static bool excused_would_open(const struct exec_skeleton *skeleton, const bool *excuses,
                               const struct exec_path *path)
{
    const struct lit_program *program = skeleton->program;
    uint32_t others = 0, late_comers = 0;
    for (uint32_t u = 0; u < program->thread_count; u++)
        if (exec_path_is_missing(program, path, skeleton->paths[u])) {
            late_comers += excuses[u];
            others += !excuses[u];
        }
    if (!path->meeting.quorum)
        return others == 0 && late_comers > 0;
    return count_arrived(program, skeleton->paths, program->thread_count, path->thread,
                         &path->meeting) +
               late_comers >=
           path->meeting.quorum;
}

/* A thread whose absence is told otherwise, or may only be owed to an unroll bound: it met with a
 * fault or the bound, it spins beside one that met the bound, or such threads would let it go on. */
static bool excused(const struct exec_skeleton *skeleton, const bool *excuses, uint32_t t)
{
    BASE_ASSERT(t < skeleton->program->thread_count);
    const struct exec_path *path = skeleton->paths[t];
    if (path->end == EXEC_AT_BOUND || path->end == EXEC_AT_FAULT)
        return true;
    if (path->end == EXEC_AT_AWAIT)
        return exec_skeleton_ended(skeleton, EXEC_AT_BOUND) != LIT_NONE;
    return path->end == EXEC_AT_BARRIER && excused_would_open(skeleton, excuses, path);
}

void exec_divergences_init(struct exec_divergences *divergences,
                           const struct exec_skeleton *skeleton)
{
    *divergences = (struct exec_divergences){0};
    bool *excuses = divergences->excuses;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < skeleton->program->thread_count; t++)
            if (!excuses[t] && excused(skeleton, excuses, t))
                excuses[t] = changed = true;
    }
}

/* The next pair with `t` waiting; after the last, and only without any, `t` for whom all have
 * come that will, too few. */
static bool next_of(struct exec_divergences *divergences, const struct exec_skeleton *skeleton,
                    uint32_t t, uint32_t *missing)
{
    BASE_ASSERT(t < skeleton->program->thread_count);
    BASE_ASSERT(divergences->other <= skeleton->program->thread_count);
    const struct exec_path *path = skeleton->paths[t];
    bool blameless = divergences->excuses[t] || path->end != EXEC_AT_BARRIER;
    uint32_t threads = skeleton->program->thread_count;
    while (!blameless && divergences->other < threads) {
        uint32_t u = divergences->other++;
        if (!divergences->excuses[u] &&
            exec_path_is_missing(skeleton->program, path, skeleton->paths[u])) {
            *missing = u;
            return divergences->any = true;
        }
    }
    *missing = LIT_NONE;
    return !blameless && !divergences->any && (divergences->any = true);
}

bool exec_divergences_next(struct exec_divergences *divergences,
                           const struct exec_skeleton *skeleton, struct exec_divergence *found)
{
    for (; divergences->thread < skeleton->program->thread_count; divergences->thread++) {
        found->stuck = divergences->thread;
        if (next_of(divergences, skeleton, found->stuck, &found->missing))
            return true;
        divergences->other = 0;
        divergences->any = false;
    }
    return false;
}
