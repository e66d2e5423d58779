/* Chooses who opens a barrier with a quorum, of execution or of persists, when more come than it takes. Of the k events of an
 * instance q are in time and k - q late. An instance's choices are the q-subsets in lexicographic
 * order; instances together count like an odometer. */
#include "exec/exec_skeleton.h"

/* The events of one instance, in order of their numbers. */
struct instance {
    struct ev *members[LIT_MAX_THREADS];
    uint32_t count, quorum;
};

static bool in_instance(const struct exec_skeleton *s, const struct ev *a, const struct ev *b)
{
    return b->kind == a->kind && ev_same_meeting(&a->meeting, &b->meeting) &&
           lit_same_instance(&s->program->threads[a->thread], &s->program->threads[b->thread],
                             a->meeting.scope);
}

/* The instance whose first event is `first`; false when that one is not the first. A
 * thread has one event of an instance, as the ordinal counts. */
static bool find_instance(const struct exec_skeleton *s, uint32_t first, struct instance *instance)
{
    struct ev *leader = &s->barriers[first];
    if (!ev_kind_meets(leader->kind) || leader->meeting.quorum == 0)
        return false;
    instance->count = 0;
    instance->quorum = leader->meeting.quorum;
    for (uint32_t e = s->init_count; e < s->dim.n; e++) {
        if (!in_instance(s, leader, &s->barriers[e]))
            continue;
        if (e < first)
            return false;
        BASE_CHECK(instance->count < LIT_MAX_THREADS);
        instance->members[instance->count++] = &s->barriers[e];
    }
    return true;
}

static void choose_first(const struct instance *instance, uint32_t from, uint32_t in_time)
{
    for (uint32_t i = from; i < instance->count; i++)
        instance->members[i]->late = i - from >= in_time;
}

void exec_skeleton_first_quorum(struct exec_skeleton *skeleton)
{
    struct instance instance;
    for (uint32_t e = skeleton->init_count; e < skeleton->dim.n; e++)
        if (find_instance(skeleton, e, &instance))
            choose_first(&instance, 0, instance.quorum);
}

/* Moves the last one in time that has a late one behind it, and after it all others that
 * are in time as far forward as they go. False after the last choice. */
static bool choose_next(const struct instance *instance)
{
    uint32_t behind = 0; /* in time, behind the one looked at */
    for (uint32_t i = instance->count; i-- > 0;) {
        if (instance->members[i]->late)
            continue;
        if (i + 1 < instance->count && instance->members[i + 1]->late) {
            instance->members[i]->late = true;
            choose_first(instance, i + 1, behind + 1);
            return true;
        }
        behind++;
    }
    return false;
}

bool exec_skeleton_next_quorum(struct exec_skeleton *skeleton)
{
    struct instance instance;
    for (uint32_t e = skeleton->init_count; e < skeleton->dim.n; e++) {
        if (!find_instance(skeleton, e, &instance))
            continue;
        if (choose_next(&instance))
            return true;
        choose_first(&instance, 0, instance.quorum);
    }
    return false;
}
