#include "explore/mach_expand.h"

#include "base/arena.h"
#include "machine/mach_symmetry.h"

#include <string.h>

enum { FIRST_SUCCESSORS = 256 };

/* ---- Successors ---- */

static bool has_room(const struct mach_expander *x, struct mach_chunk *chunk)
{
    if (chunk->count < chunk->capacity)
        return true;
    if (!x->alone)
        return false;
    chunk->capacity = chunk->capacity ? 2 * chunk->capacity : FIRST_SUCCESSORS;
    chunk->items = base_realloc(chunk->items, chunk->capacity * sizeof *chunk->items);
    return true;
}

static void chain(struct mach_chunk *chunk, uint32_t number)
{
    uint32_t shard = mach_key_shard(&chunk->items[number].key);
    if (chunk->in_shard[shard]++ == 0)
        chunk->first[shard] = number;
    else
        chunk->items[chunk->last[shard]].next = number;
    chunk->last[shard] = number;
}

/* What is kept of a state. Renamed, it may have to be put into its normal form again. */
static void find_form(struct mach_expander *x)
{
    struct mach_test *test = x->test;
    bool reduces = test->future && test->machine->reduce;
    if (reduces)
        test->machine->reduce(test, x->next);
    if (test->symmetry && mach_symmetry_settle(test->symmetry, test, x->next) && reduces)
        test->machine->reduce(test, x->next);
}

/* The state in `next`. False: room is wanting. */
static bool add_state(struct mach_expander *x, struct mach_chunk *chunk, struct mach_step step,
                      mach_actors asleep)
{
    if (!x->test->wanting)
        find_form(x);
    if (x->test->wanting || !has_room(x, chunk))
        return false;
    struct mach_successor *its = &chunk->items[chunk->count];
    while (!mach_store_prepare(x->store, &x->base, x->next, &its->key)) {
        if (!x->alone)
            return false;
        mach_store_make_room(x->store, MACH_MOST_SECTIONS);
    }
    its->step = step;
    its->asleep = asleep;
    its->next = LIT_NONE;
    its->woken = 0;
    chain(chunk, chunk->count++);
    return true;
}

/* ---- Steps ---- */

static mach_actors actor_of(const struct mach_moves *moves, uint32_t i)
{
    uint32_t actor = moves->footprints[i].actor;
    return actor < MACH_ACTORS ? (mach_actors)1 << actor : 0;
}

static bool are_independent(const struct mach_footprint *a, const struct mach_footprint *b)
{
    return !(a->changes & (b->looks | b->changes)) && !(b->changes & a->looks);
}

/* Of these actors those that sleep after step i. */
static mach_actors asleep_after(const struct mach_moves *moves, uint32_t i, mach_actors asleep)
{
    asleep &= ~actor_of(moves, i);
    for (uint32_t k = 0; asleep && k < moves->count; k++)
        if (asleep & actor_of(moves, k) &&
            !are_independent(&moves->footprints[i], &moves->footprints[k]))
            asleep &= ~actor_of(moves, k);
    return asleep;
}

static void find_moves(struct mach_expander *x)
{
    struct mach_moves *moves = &x->moves;
    moves->count = x->test->machine->enabled(x->test, x->base.state, moves->steps);
    if (x->sleeps)
        x->test->machine->footprints(x->test, x->base.state, moves->steps, moves->count,
                                     moves->footprints);
}

/* The steps of the actors that are awake. Those asleep already sleep on where they are independent.
 * `any`: there is a step, of whomever. False: room is wanting. */
static bool take_steps(struct mach_expander *x, struct mach_chunk *chunk,
                       const struct mach_task *task, bool *any)
{
    const struct mach_moves *moves = &x->moves;
    mach_actors asleep = x->sleeps ? *mach_store_note(x->store, task->handle) : 0;
    mach_actors awake = task->again ? task->awake : ~asleep;
    *any = asleep != 0;
    find_moves(x);
    for (uint32_t i = 0; i < moves->count; i++) {
        mach_actors actor = x->sleeps ? actor_of(moves, i) : 0;
        if (actor ? !(actor & awake) : task->again)
            continue;
        memcpy(x->next, x->base.state, x->test->size);
        if (!x->test->machine->perform(x->test, x->next, moves->steps[i]))
            continue;
        *any = true;
        if (!add_state(x, chunk, moves->steps[i], asleep ? asleep_after(moves, i, asleep) : 0))
            return false;
        if (actor && (i + 1 == moves->count || actor_of(moves, i + 1) != actor))
            asleep |= actor;
    }
    return true;
}

/* ---- Chunks ---- */

static void clear(struct mach_chunk *chunk)
{
    chunk->count = 0;
    chunk->done = false;
    memset(chunk->in_shard, 0, sizeof chunk->in_shard);
}

void mach_expand(struct mach_expander *x, struct mach_chunk *chunk)
{
    const struct mach_limits *limits = x->limits;
    clear(chunk);
    for (uint32_t i = 0; i < chunk->task_count; i++) {
        const struct mach_task *task = &chunk->tasks[i];
        bool any;
        mach_store_get(x->store, task->handle, &x->base);
        if (!take_steps(x, chunk, task, &any))
            return;
        chunk->ends[i] = chunk->count;
        chunk->final[i] = !any;
        chunk->interest[i] = MACH_VISIT;
        if (limits->filter && !task->again)
            chunk->interest[i] = limits->filter(x->filter, x->test, x->base.state, !any);
        if (x->test->wanting)
            return;
        if (x->test->overflow)
            chunk->task_count = i + 1;
    }
    chunk->done = true;
}

void mach_expand_start(struct mach_expander *x, struct mach_chunk *chunk)
{
    clear(chunk);
    BASE_CHECK(add_state(x, chunk, (struct mach_step){0, 0, 0, 0}, 0));
}
