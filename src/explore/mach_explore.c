/* Takes blocks of states in the order of discovery, in three rounds.
 *
 * First their successors are computed, chunk by chunk (mach_expand.h). Then these are put into the
 * store, shard by shard, within a shard in their order, so that the first way to a state is known.
 * Several threads may work on these rounds. Last, in that order again, new states get their numbers
 * and the block's states are visited. So the result does not depend on threads: it is as if one
 * state had been looked at after the other. */
#include "explore/mach_explore.h"

#include "base/team.h"
#include "base/vec.h"
#include "explore/mach_expand.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MOST_CHUNKS = 32,
    MOST_TASKS = MOST_CHUNKS * MACH_CHUNK,
    SHARED_CHUNKS = 8,         /* from so many on others help */
    SHARED_SECTIONS = 1 << 15, /* room for new ones meanwhile */
    HINTS = 32                 /* successors that are asked for before the first is put */
};

/* How a state was first reached. */
struct arrival {
    uint32_t from;
    struct mach_step step;
};

struct mach_exploration {
    struct mach_store *store;
    const struct mach_limits *limits;
    struct mach_test *test;
    struct team *team;                /* NULL: no others */
    struct mach_expander **expanders; /* the first is alone; then one of each thread */
    struct mach_test *copies;         /* of each thread */
    VEC(uint32_t) order;              /* handles by number */
    VEC(struct arrival) arrivals;     /* with `paths`: by number */
    VEC(struct mach_task) late;       /* to be made up for */
    struct mach_chunk *chunks[MOST_CHUNKS];
    uint32_t chunk_count;              /* of the block */
    uint32_t begun[MACH_STORE_SHARDS]; /* states of each shard that are in this block or before */
    uint64_t steps, counted;
    uint32_t next; /* the first state that was not looked at */
    bool sleeps, over;
    enum outcome_doubt doubt;
    atomic_uint_least32_t dealt; /* chunks, or shards, of a round */
    atomic_bool late_clock;
};

/* ---- Blocks ---- */

static struct mach_chunk *open_chunk(struct mach_exploration *e)
{
    struct mach_chunk **chunk = &e->chunks[e->chunk_count++];
    if (!*chunk) {
        *chunk = base_realloc(NULL, sizeof **chunk);
        (*chunk)->items = NULL;
        (*chunk)->capacity = 0;
    }
    (*chunk)->task_count = 0;
    return *chunk;
}

static void add_task(struct mach_exploration *e, struct mach_task task)
{
    struct mach_chunk *chunk = e->chunk_count ? e->chunks[e->chunk_count - 1] : NULL;
    if (!chunk || chunk->task_count == MACH_CHUNK)
        chunk = open_chunk(e);
    chunk->tasks[chunk->task_count++] = task;
}

/* What nobody did in states that were looked at already goes first. */
static void fill_block(struct mach_exploration *e)
{
    uint32_t count = 0;
    bool has_late = e->late.count > 0;
    e->chunk_count = 0;
    for (; e->late.count > 0 && count < MOST_TASKS; count++)
        add_task(e, VEC_POP(&e->late));
    for (uint32_t i = e->next; i < e->order.count && count < MOST_TASKS && !has_late;
         i++, count++) {
        uint32_t handle = e->order.items[i];
        add_task(e, (struct mach_task){handle, 0, false});
        e->begun[mach_store_shard(handle)] = mach_store_place(handle) + 1;
    }
}

static bool is_shared(const struct mach_exploration *e)
{
    return e->team && e->chunk_count >= SHARED_CHUNKS;
}

/* ---- First round ---- */

static bool is_late(struct mach_exploration *e)
{
    if (clock_is_late(&e->limits->clock))
        atomic_store(&e->late_clock, true);
    return atomic_load(&e->late_clock);
}

static void expand_dealt(void *context, uint32_t member)
{
    struct mach_exploration *e = context;
    struct mach_expander *x = e->expanders[1 + member];
    for (uint32_t i; (i = atomic_fetch_add(&e->dealt, 1)) < e->chunk_count;) {
        x->test->wanting = x->test->overflow = false;
        x->test->mishap_count = e->test->mishap_count;
        if (!is_late(e))
            mach_expand(x, e->chunks[i]);
    }
}

static void begin_expander(struct mach_exploration *e, uint32_t number, struct mach_test *test)
{
    struct mach_expander *x = base_realloc(NULL, sizeof *x);
    x->test = test;
    x->store = e->store;
    x->limits = e->limits;
    x->filter = e->limits->filters ? e->limits->filters[number ? number - 1 : 0] : NULL;
    x->sleeps = e->sleeps;
    x->alone = number == 0;
    mach_store_begin(e->store, &x->base);
    e->expanders[number] = x;
}

static void expand_together(struct mach_exploration *e)
{
    for (uint32_t i = 0; i < e->limits->threads; i++) {
        e->copies[i] = *e->test;
        e->copies[i].shared = true;
        if (!e->expanders[1 + i])
            begin_expander(e, 1 + i, &e->copies[i]);
    }
    for (uint32_t i = 0; i < e->chunk_count; i++)
        e->chunks[i]->done = false;
    mach_store_make_room(e->store, SHARED_SECTIONS);
    atomic_store(&e->dealt, 0);
    team_do(e->team, expand_dealt, e);
}

/* Those that need what all share: whom a thread has asked the filter about may be unknown to
 * another, so all are visited. */
static void expand_alone(struct mach_exploration *e, bool again)
{
    for (uint32_t i = 0; i < e->chunk_count; i++) {
        struct mach_chunk *chunk = e->chunks[i];
        if (again && chunk->done)
            continue;
        if (is_late(e)) {
            e->chunk_count = i;
            return;
        }
        mach_expand(e->expanders[0], chunk);
        BASE_CHECK(chunk->done);
        for (uint32_t t = 0; again && t < chunk->task_count; t++)
            chunk->interest[t] |= MACH_VISIT;
        if (e->test->overflow)
            e->chunk_count = i + 1;
    }
}

/* ---- Second round ---- */

/* On a further way to a state these sleep. */
static void wake_others(struct mach_exploration *e, struct mach_successor *its)
{
    uint32_t *note = mach_store_note(e->store, its->handle);
    if (mach_store_place(its->handle) < e->begun[mach_store_shard(its->handle)])
        its->woken = *note & ~its->asleep;
    *note &= its->asleep;
}

static void put(struct mach_exploration *e, struct mach_successor *its)
{
    its->added = mach_store_put(e->store, &its->key, its->asleep, &its->handle);
    if (e->sleeps && !its->added)
        wake_others(e, its);
}

static void put_shard(struct mach_exploration *e, const struct mach_chunk *chunk, uint32_t shard)
{
    if (!chunk->in_shard[shard])
        return;
    for (uint32_t i = chunk->first[shard]; i != LIT_NONE; i = chunk->items[i].next)
        mach_store_hint_slot(e->store, &chunk->items[i].key);
    for (uint32_t i = chunk->first[shard]; i != LIT_NONE; i = chunk->items[i].next)
        mach_store_hint(e->store, &chunk->items[i].key);
    for (uint32_t i = chunk->first[shard]; i != LIT_NONE; i = chunk->items[i].next)
        put(e, &chunk->items[i]);
}

static void put_dealt(void *context, uint32_t member)
{
    struct mach_exploration *e = context;
    (void)member;
    for (uint32_t shard; (shard = atomic_fetch_add(&e->dealt, 1)) < MACH_STORE_SHARDS;)
        for (uint32_t i = 0; i < e->chunk_count; i++)
            put_shard(e, e->chunks[i], shard);
}

static void make_room(struct mach_exploration *e)
{
    uint32_t wanted[MACH_STORE_SHARDS] = {0};
    for (uint32_t i = 0; i < e->chunk_count; i++)
        for (uint32_t s = 0; s < MACH_STORE_SHARDS; s++)
            wanted[s] += e->chunks[i]->in_shard[s];
    for (uint32_t s = 0; s < MACH_STORE_SHARDS; s++)
        if (wanted[s])
            mach_store_make_room_in(e->store, s, wanted[s]);
}

static void put_alone(struct mach_exploration *e, struct mach_chunk *chunk)
{
    for (uint32_t from = 0; from < chunk->count; from += HINTS) {
        uint32_t to = from + HINTS < chunk->count ? from + HINTS : chunk->count;
        for (uint32_t i = from; i < to; i++)
            mach_store_hint_slot(e->store, &chunk->items[i].key);
        for (uint32_t i = from; i < to; i++)
            mach_store_hint(e->store, &chunk->items[i].key);
        for (uint32_t i = from; i < to; i++)
            put(e, &chunk->items[i]);
    }
}

static void put_all(struct mach_exploration *e)
{
    make_room(e);
    if (is_shared(e)) {
        atomic_store(&e->dealt, 0);
        team_do(e->team, put_dealt, e);
        return;
    }
    for (uint32_t i = 0; i < e->chunk_count; i++)
        put_alone(e, e->chunks[i]);
}

/* ---- Third round ---- */

static void number_successors(struct mach_exploration *e, const struct mach_chunk *chunk,
                              uint32_t from, uint32_t to, uint32_t parent)
{
    for (uint32_t i = from; i < to; i++) {
        const struct mach_successor *its = &chunk->items[i];
        if (its->added && e->limits->paths)
            VEC_PUSH(&e->arrivals, (struct arrival){parent, its->step});
        if (its->added)
            VEC_PUSH(&e->order, its->handle);
        if (its->woken)
            VEC_PUSH(&e->late, (struct mach_task){its->handle, its->woken, true});
    }
    e->steps += to - from;
}

/* False: the exploration ends with this state. */
static bool look_at(struct mach_exploration *e, const struct mach_chunk *chunk, uint32_t task,
                    mach_visit *visit, void *context)
{
    struct mach_base *base = &e->expanders[0]->base;
    uint32_t number = e->next++;
    e->counted += chunk->interest[task] & MACH_COUNT ? 1 : 0;
    if (!(chunk->interest[task] & MACH_VISIT))
        return true;
    mach_store_get(e->store, chunk->tasks[task].handle, base);
    return visit(context, base->state, number, chunk->final[task]);
}

static bool is_past_limit(struct mach_exploration *e)
{
    if (e->order.count <= e->limits->states || e->next == e->order.count)
        return false;
    e->doubt = OUTCOME_DOUBT_STATES;
    return true;
}

static void close_chunk(struct mach_exploration *e, const struct mach_chunk *chunk,
                        mach_visit *visit, void *context)
{
    for (uint32_t i = 0; i < chunk->task_count && !e->over; i++) {
        number_successors(e, chunk, i ? chunk->ends[i - 1] : 0, chunk->ends[i], e->next);
        if (!chunk->tasks[i].again)
            e->over = !look_at(e, chunk, i, visit, context) || is_past_limit(e);
    }
}

/* ---- All of it ---- */

static void start(struct mach_exploration *e)
{
    struct mach_expander *x = e->expanders[0];
    struct mach_chunk *chunk = open_chunk(e);
    memset(x->next, 0, e->test->size);
    e->test->machine->start(e->test, x->next);
    mach_expand_start(x, chunk);
    put_all(e);
    number_successors(e, chunk, 0, 1, 0);
    e->steps = 0;
}

/* Before a block. */
static bool limit_met(struct mach_exploration *e)
{
    if (e->test->overflow)
        e->doubt = OUTCOME_DOUBT_LENGTH;
    else if (!is_past_limit(e) && atomic_load(&e->late_clock))
        e->doubt = OUTCOME_DOUBT_TIMEOUT;
    return e->doubt != OUTCOME_DOUBT_COUNT;
}

static void run_block(struct mach_exploration *e, mach_visit *visit, void *context)
{
    bool shared = is_shared(e);
    if (shared)
        expand_together(e);
    expand_alone(e, shared);
    put_all(e);
    for (uint32_t i = 0; i < e->chunk_count && !e->over; i++)
        close_chunk(e, e->chunks[i], visit, context);
}

static struct mach_exploration *begin_exploration(struct mach_test *test,
                                                  const struct mach_limits *limits)
{
    struct mach_exploration *e = base_realloc(NULL, sizeof *e);
    uint32_t threads = limits->threads > 1 ? limits->threads : 0;
    *e = (struct mach_exploration){.limits = limits,
                                   .test = test,
                                   .sleeps = test->machine->footprints && !limits->paths &&
                                             !limits->every_step && !test->config.faults &&
                                             !test->future,
                                   .doubt = OUTCOME_DOUBT_COUNT};
    e->store = mach_store_new(test->size, e->sleeps);
    BASE_CHECK(!limits->paths || !test->future);
    e->expanders = base_realloc(NULL, (threads + 1) * sizeof *e->expanders);
    memset(e->expanders, 0, (threads + 1) * sizeof *e->expanders);
    begin_expander(e, 0, test);
    if (threads) {
        e->copies = base_realloc(NULL, threads * sizeof *e->copies);
        e->team = team_new(threads);
    }
    return e;
}

/* What was needed on the way. */
static void end_exploration(struct mach_exploration *e)
{
    team_free(e->team);
    for (uint32_t i = 0; i < MOST_CHUNKS && e->chunks[i]; i++) {
        base_free(e->chunks[i]->items);
        base_free(e->chunks[i]);
    }
    for (uint32_t i = 0; i <= (e->copies ? e->limits->threads : 0); i++)
        base_free(e->expanders[i]);
    base_free(e->expanders);
    base_free(e->copies);
    VEC_FREE(&e->late);
    e->limits = NULL;
}

struct mach_exploration *mach_explore(struct mach_test *test, const struct mach_limits *limits,
                                      mach_visit *visit, void *context)
{
    struct mach_exploration *e = begin_exploration(test, limits);
    start(e);
    while (!e->over && !limit_met(e)) {
        fill_block(e);
        if (e->chunk_count == 0)
            break;
        run_block(e, visit, context);
    }
    if (test->overflow)
        e->doubt = OUTCOME_DOUBT_LENGTH;
    end_exploration(e);
    return e;
}

void mach_exploration_free(struct mach_exploration *e)
{
    mach_store_free(e->store);
    VEC_FREE(&e->order);
    VEC_FREE(&e->arrivals);
    base_free(e);
}

struct mach_totals mach_totals(const struct mach_exploration *e)
{
    return (struct mach_totals){.states = e->order.count,
                                .steps = e->steps,
                                .looked_at = e->next,
                                .counted = e->counted,
                                .bytes = mach_store_bytes(e->store) +
                                         e->order.count * sizeof *e->order.items +
                                         e->arrivals.count * sizeof *e->arrivals.items,
                                .table_bytes = mach_store_table_bytes(e->store),
                                .doubt = e->doubt};
}

uint32_t mach_path(const struct mach_exploration *e, uint64_t number, struct mach_step *steps,
                   uint32_t room)
{
    uint32_t length = 0;
    BASE_CHECK(e->arrivals.count == e->order.count && number < e->order.count);
    for (uint64_t at = number; at != 0; at = e->arrivals.items[at].from)
        length++;
    uint32_t left = length <= room ? length : 0;
    for (uint64_t at = number; left > 0; at = e->arrivals.items[at].from)
        steps[--left] = e->arrivals.items[at].step;
    return length;
}
