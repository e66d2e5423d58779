/* Tries one likely execution before any search, where any execution will do. Threads take turns on
 * one memory. Each runs until it waits at a barrier, or for a value that its path relies on. Nearly
 * every model allows such an execution; the evaluator asks this one. If a thread cannot finish,
 * nothing is tried. */
#include "enumerate/enum_search.h"

#include "base/bits.h"

struct turns {
    struct enum_search *search;
    uint32_t *at;       /* per thread: the next event */
    uint32_t *latest;   /* per location: the last write */
    uint32_t *source;   /* per event: what a read read */
    uint32_t *time;     /* per event: when it happened */
    uint32_t *instance; /* per event: the first event of its meeting, LIT_NONE: it does not meet */
    uint32_t *missing;  /* per first event of a meeting: who it waits for */
    bool *arrived;      /* per event */
    uint32_t now;
};

/* ---- Meetings ---- */

static bool same_instance(const struct exec_skeleton *skeleton, uint32_t a, uint32_t b)
{
    BASE_ASSERT(!skeleton->events[a].init && !skeleton->events[b].init);
    const struct ev *from = &skeleton->events[a], *to = &skeleton->events[b];
    return from->kind == to->kind && ev_same_meeting(&from->meeting, &to->meeting) &&
           lit_same_instance(&skeleton->program->threads[from->thread],
                             &skeleton->program->threads[to->thread], from->meeting.scope);
}

/* Do threads meet at this event? A barrier at which the model lets nobody wait is no meeting. */
static bool is_met_at(const struct turns *turns, const struct ev *event)
{
    return !event->init && ev_kind_meets(event->kind) &&
           (!ev_kind_may_wait(event->kind) ||
            ev_meeting_waits(&turns->search->state->options.waits, &event->meeting));
}

static void find_meetings(struct turns *turns)
{
    const struct exec_skeleton *skeleton = turns->search->skeleton;
    uint32_t *firsts = ARENA_ARRAY(&turns->search->state->scratch, uint32_t, skeleton->dim.n);
    uint32_t count = 0;
    for (uint32_t e = 0; e < skeleton->dim.n; e++) {
        uint32_t i = 0;
        turns->instance[e] = LIT_NONE;
        if (!is_met_at(turns, &skeleton->events[e]))
            continue;
        while (i < count && !same_instance(skeleton, firsts[i], e))
            i++;
        if (i == count)
            firsts[count++] = e;
        BASE_ASSERT(firsts[i] <= e);
        turns->instance[e] = firsts[i];
        turns->missing[firsts[i]] += !skeleton->events[e].late;
    }
}

/* Nobody waits for a late one; one that only arrives waits for nobody. */
static bool may_pass(struct turns *turns, uint32_t event)
{
    BASE_ASSERT(turns->instance[event] != LIT_NONE);
    const struct ev *barrier = &turns->search->skeleton->events[event];
    uint32_t *missing = &turns->missing[turns->instance[event]];
    if (!turns->arrived[event]) {
        turns->arrived[event] = true;
        BASE_ASSERT(*missing > 0 || barrier->late);
        *missing -= !barrier->late;
    }
    return *missing == 0 || barrier->meeting.arrive;
}

/* ---- Accesses ---- */

/* May the path go on with what the write writes? Its value is then that of the read. */
static bool take_value(struct enum_search *s, uint32_t read, uint32_t write)
{
    BASE_ASSERT(s->skeleton->events[read].kind == EV_READ &&
                s->skeleton->events[write].kind == EV_WRITE);
    BASE_ASSERT(read < s->dim.n);
    uint32_t number = enum_value_number(s, read);
    if (s->known[number])
        return true;
    if (!enum_write_value(s, write, &s->values[number]))
        return false;
    s->known[number] = true;
    if (s->relied_on[number] && !enum_path_holds(s, s->skeleton->events[read].thread)) {
        s->known[number] = false;
        return false;
    }
    VEC_PUSH(&s->learned, number);
    return true;
}

static bool read_latest(struct turns *turns, uint32_t read)
{
    struct enum_search *s = turns->search;
    uint32_t write = turns->latest[s->skeleton->events[read].location];
    BASE_ASSERT(s->skeleton->events[write].location == s->skeleton->events[read].location);
    turns->source[read] = write;
    return rel_has(s->dim, s->rf[ENUM_UPPER], write, read) && take_value(s, read, write);
}

static bool may_happen(struct turns *turns, uint32_t event)
{
    BASE_ASSERT(event < turns->search->dim.n);
    const struct ev *ev = &turns->search->skeleton->events[event];
    if (turns->instance[event] != LIT_NONE)
        return may_pass(turns, event);
    if (ev->kind == EV_READ)
        return read_latest(turns, event);
    if (ev->kind == EV_WRITE)
        turns->latest[ev->location] = event;
    return true;
}

/* ---- Turns ---- */

/* The thread takes all the steps that it can, so no other thread comes between the halves of a
 * read-modify-write. */
static bool take_turn(struct turns *turns, uint32_t thread)
{
    BASE_ASSERT(thread < turns->search->skeleton->program->thread_count);
    const struct exec_skeleton *skeleton = turns->search->skeleton;
    uint32_t begin = turns->at[thread];
    uint32_t end = skeleton->first[thread] + skeleton->paths[thread]->event_count;
    while (turns->at[thread] < end && may_happen(turns, turns->at[thread]))
        turns->time[turns->at[thread]++] = turns->now++;
    return turns->at[thread] > begin;
}

static bool interleave(struct turns *turns)
{
    const struct exec_skeleton *skeleton = turns->search->skeleton;
    for (uint32_t e = 0; e < skeleton->init_count; e++) {
        turns->time[e] = turns->now++;
        turns->latest[skeleton->events[e].location] = e;
    }
    for (bool progress = true; progress && !enum_out_of_time(turns->search->state);) {
        progress = false;
        for (uint32_t t = 0; t < skeleton->program->thread_count; t++)
            progress |= take_turn(turns, t);
    }
    BASE_ASSERT(turns->now <= skeleton->dim.n);
    return turns->now == skeleton->dim.n;
}

static void begin_turns(struct turns *turns)
{
    const struct exec_skeleton *skeleton = turns->search->skeleton;
    struct arena *arena = &turns->search->state->scratch;
    uint32_t threads = skeleton->program->thread_count;
    turns->at = arena_copy(arena, skeleton->first, threads * sizeof *turns->at);
    turns->latest = ARENA_ARRAY(arena, uint32_t, skeleton->program->location_count);
    turns->source = ARENA_ARRAY(arena, uint32_t, skeleton->dim.n);
    turns->time = ARENA_ARRAY(arena, uint32_t, skeleton->dim.n);
    turns->instance = ARENA_ARRAY(arena, uint32_t, skeleton->dim.n);
    turns->missing = ARENA_ARRAY(arena, uint32_t, skeleton->dim.n);
    turns->arrived = ARENA_ARRAY(arena, bool, skeleton->dim.n);
    find_meetings(turns);
}

/* As they were, or are from now on. */
static void choose_sources(struct enum_search *s, const uint32_t *source)
{
    for (uint32_t i = 0; i < s->skeleton->read_count; i++) {
        uint32_t read = s->skeleton->reads[i];
        BASE_ASSERT(source[read] < s->dim.n);
        if (s->source[read] == LIT_NONE)
            enum_read_from(s, read, source[read]);
    }
}

void enum_try_interleaving(struct enum_search *s)
{
    struct turns turns = {.search = s};
    struct arena_mark mark = arena_mark(&s->state->scratch);
    struct enum_place here = enum_here(s);
    struct cat_implied *implied = s->implied;
    begin_turns(&turns);
    if (!s->state->looked_at && interleave(&turns) && enum_constraints_hold(s)) {
        choose_sources(s, turns.source);
        s->state->outcome->stats.candidates++;
        s->time = turns.time;
        enum_choose_orders(s, 0);
        s->time = NULL;
    }
    enum_go_back(s, here);
    s->implied = implied; /* one that was made on the way goes with its memory */
    arena_rewind(&s->state->scratch, mark);
}
