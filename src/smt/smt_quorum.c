/* Barriers with a quorum (PTX): a thread that passes needs that many arrivals; one that waits for
 * ever has fewer; of those that come, exactly that many are in time. */
#include "smt/smt_program.h"

/* The barrier events that may meet at one instance, and who may be stuck there. */
struct instance {
    const struct smt_event *leader;
    uint32_t *events;
    smt_term *passes, *in_time, *arrives;
    uint32_t count, arrivals;
};

static bool of_instance(const struct smt_program *p, const struct ev *leader,
                        const struct ev_meeting *meeting, uint32_t thread)
{
    BASE_ASSERT(thread < smt_program_test(p)->thread_count);
    const struct lit_thread *threads = p->request->program->threads;
    return meeting->quorum && ev_same_meeting(&leader->meeting, meeting) &&
           lit_same_instance(&threads[leader->thread], &threads[thread], leader->meeting.scope);
}

static void collect_events(struct smt_program *p, struct instance *in)
{
    for (uint32_t e = p->init_count; e < p->dim.n; e++) {
        const struct ev *ev = &p->events[e].ev;
        if (ev->kind != in->leader->ev.kind ||
            !of_instance(p, &in->leader->ev, &ev->meeting, ev->thread))
            continue;
        in->events[in->count] = e;
        in->passes[in->count] = p->events[e].guard;
        in->arrives[in->arrivals++] = p->events[e].guard;
        p->late[e] = smt_bool(p->solver);
        in->in_time[in->count++] =
            smt_and(p->solver, p->events[e].guard, smt_not(p->solver, p->late[e]));
    }
}

static void collect_stuck(struct smt_program *p, struct instance *in, bool assert_stuck)
{
    struct smt_solver *s = p->solver;
    for (uint32_t t = 0; t < p->request->program->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].paths.count; i++) {
            const struct exec_path *path = p->threads[t].paths.items[i];
            if (path->end != EXEC_AT_BARRIER || !of_instance(p, &in->leader->ev, &path->meeting, t))
                continue;
            smt_term chosen = p->threads[t].chosen[i];
            if (assert_stuck)
                smt_assert(s, smt_implies(s, chosen,
                                          smt_at_most(s, in->arrives, in->arrivals,
                                                      path->meeting.quorum - 1)));
            else
                in->arrives[in->arrivals++] = chosen;
        }
}

/* Persist barriers may be passed by whoever comes, unless the model says that they wait. */
static void constrain_instance(struct smt_program *p, const struct ev_waits *waits,
                               struct instance *in)
{
    struct smt_solver *s = p->solver;
    uint32_t quorum = in->leader->ev.meeting.quorum;
    smt_term opened = smt_at_least(s, in->arrives, in->arrivals, quorum);
    for (uint32_t i = 0; i < in->count; i++)
        if (ev_meeting_waits(waits, &p->events[in->events[i]].ev.meeting))
            smt_assert(s, smt_implies(s, in->passes[i], opened));
    smt_assert(s, smt_implies(s, opened, smt_at_least(s, in->in_time, in->count, quorum)));
    smt_assert(s, smt_at_most(s, in->in_time, in->count, quorum));
    for (uint32_t i = 0; i < in->count; i++) /* with too few, nobody is late */
        smt_assert(s, smt_implies(s, smt_not(s, opened), smt_not(s, p->late[in->events[i]])));
}

/* A thread's path has at most one event of an instance, so arrivals are counted path by path. */
static void look_at_instance(struct smt_program *p, const struct ev_waits *waits,
                             const struct smt_event *leader)
{
    uint32_t most = p->dim.n;
    for (uint32_t t = 0; t < p->request->program->thread_count; t++)
        most += p->threads[t].paths.count;
    struct instance in = {.leader = leader,
                          .events = ARENA_ARRAY(p->arena, uint32_t, p->dim.n),
                          .passes = ARENA_ARRAY(p->arena, smt_term, p->dim.n),
                          .in_time = ARENA_ARRAY(p->arena, smt_term, p->dim.n),
                          .arrives = ARENA_ARRAY(p->arena, smt_term, most)};
    collect_events(p, &in);
    collect_stuck(p, &in, false);
    constrain_instance(p, waits, &in);
    collect_stuck(p, &in, true);
}

void smt_quorum_build(struct smt_program *p)
{
    p->late = ARENA_ARRAY(p->arena, smt_term, p->dim.n);
    struct ev_waits waits = {0};
    bool known = false;
    for (uint32_t e = p->init_count; e < p->dim.n; e++) {
        const struct ev *ev = &p->events[e].ev;
        if (!ev_kind_meets(ev->kind) || !ev->meeting.quorum || p->late[e])
            continue;
        if (!known)
            engine_find_waiting(p->arena, p->request, &waits);
        known = true;
        look_at_instance(p, &waits, &p->events[e]);
    }
}
