/* Barriers that wait are rendezvous: one moment for all work-items of the scope
 * instance. So either every member passed an instance or none did, and a thread is
 * stuck at one only when some member never reaches it. */
#include "exec/exec_skeleton.h"

static bool passed(const struct exec_path *path, const struct ev_meeting *meeting)
{
    for (uint32_t i = 0; i < path->event_count; i++)
        if (path->events[i].kind == meeting->kind &&
            ev_same_meeting(&path->events[i].meeting, meeting))
            return true;
    return false;
}

/* Everybody `path` met at waiting barriers shared with `other` was met by `other`. */
static bool met_by(const struct lit_program *program, const struct exec_run_options *options,
                   const struct exec_path *path, const struct exec_path *other)
{
    const struct lit_thread *a = &program->threads[path->thread];
    const struct lit_thread *b = &program->threads[other->thread];
    for (uint32_t i = 0; i < path->event_count; i++) {
        const struct ev *event = &path->events[i];
        if (event->kind != EV_BARRIER && event->kind != EV_PBARRIER)
            continue;
        if (exec_meeting_waits(options, &event->meeting) &&
            ev_same_instance(a, b, event->meeting.scope) && !passed(other, &event->meeting))
            return false;
    }
    return true;
}

bool exec_paths_agree(const struct lit_program *program, const struct exec_run_options *options,
                      const struct exec_path *const *paths, uint32_t count)
{
    const struct exec_path *newest = paths[count - 1];
    for (uint32_t t = 0; t + 1 < count; t++)
        if (!met_by(program, options, newest, paths[t]) ||
            !met_by(program, options, paths[t], newest))
            return false;
    return true;
}

static bool arrived(const struct exec_path *path, const struct ev_meeting *meeting)
{
    return passed(path, meeting) ||
           (path->end == EXEC_AT_BARRIER && ev_same_meeting(&path->meeting, meeting));
}

/* Is `other` a member of the meeting that `path` is stuck at, and not there? */
static bool is_missing(const struct lit_program *program, const struct exec_path *path,
                       const struct exec_path *other)
{
    return path->end == EXEC_AT_BARRIER &&
           ev_same_instance(&program->threads[path->thread], &program->threads[other->thread],
                            path->meeting.scope) &&
           !arrived(other, &path->meeting);
}

/* Is somebody missing from the meeting that `path` is stuck at, or may it be one of the
 * threads from `count` on? */
static bool may_lack_someone(const struct lit_program *program,
                             const struct exec_path *const *paths, uint32_t count,
                             const struct exec_path *path)
{
    const struct lit_thread *threads = program->threads;
    for (uint32_t u = 0; u < count; u++)
        if (is_missing(program, path, paths[u]))
            return true;
    for (uint32_t u = count; u < program->thread_count; u++)
        if (ev_same_instance(&threads[path->thread], &threads[u], path->meeting.scope))
            return true;
    return false;
}

bool exec_paths_stuck_rightly(const struct lit_program *program,
                              const struct exec_path *const *paths, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++)
        if (paths[t]->end == EXEC_AT_BARRIER && !may_lack_someone(program, paths, count, paths[t]))
            return false;
    return true;
}

/* A thread whose absence may only be owed to an unroll bound: it met the bound, it
 * spins beside one that did, or it waits for nobody but such threads. */
static bool excused(const struct exec_skeleton *skeleton, const bool *excuses, uint32_t t)
{
    const struct exec_path *path = skeleton->paths[t];
    if (path->end == EXEC_AT_BOUND)
        return true;
    if (path->end == EXEC_AT_AWAIT)
        return exec_skeleton_ended(skeleton, EXEC_AT_BOUND) != LIT_NONE;
    if (path->end != EXEC_AT_BARRIER)
        return false;
    for (uint32_t u = 0; u < skeleton->program->thread_count; u++)
        if (is_missing(skeleton->program, path, skeleton->paths[u]) && !excuses[u])
            return false;
    return true;
}

struct exec_divergence exec_find_divergence(const struct exec_skeleton *skeleton)
{
    bool excuses[LIT_MAX_THREADS] = {false};
    uint32_t threads = skeleton->program->thread_count;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < threads; t++)
            if (!excuses[t] && excused(skeleton, excuses, t))
                excuses[t] = changed = true;
    }
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t u = 0; u < threads; u++)
            if (!excuses[u] && is_missing(skeleton->program, skeleton->paths[t], skeleton->paths[u]))
                return (struct exec_divergence){true, t, u};
    return (struct exec_divergence){false, LIT_NONE, LIT_NONE};
}
