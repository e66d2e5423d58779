#include "machine/mach_explore.h"

#include "base/vec.h"
#include "machine/mach_store.h"

#include <string.h>

enum { BATCH = 32 };

/* How a state was first reached. */
struct arrival {
    uint32_t from;
    struct mach_step step;
};

/* A mask of actors. */
typedef uint32_t actors;

/* What is to be made up for: in a state, of some actors. */
struct late {
    uint32_t number;
    actors awake;
};

struct mach_exploration {
    struct mach_store *store;
    VEC(struct arrival) arrivals; /* with `paths`: by state */
    VEC(actors) asleep;           /* with `sleeps`: by state */
    VEC(struct late) late;
    uint64_t steps;
    uint32_t expanded; /* states from 0 on */
    bool paths, sleeps;
    enum outcome_doubt doubt;
};

/* Successors, of one state or of some that follow, that are looked up together. */
struct batch {
    struct mach_key keys[BATCH];
    struct arrival arrivals[BATCH];
    actors asleep[BATCH];
    uint32_t count;
};

/* On a further way to a state these sleep. */
static void wake_others(struct mach_exploration *e, uint32_t number, actors asleep)
{
    actors awake = e->asleep.items[number] & ~asleep;
    if (awake && number < e->expanded)
        VEC_PUSH(&e->late, ((struct late){number, awake}));
    e->asleep.items[number] &= asleep;
}

static void put_all(struct mach_exploration *e, struct batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        mach_store_hint(e->store, &batch->keys[i]);
    for (uint32_t i = 0; i < batch->count; i++) {
        uint64_t before = mach_store_count(e->store);
        uint32_t number = mach_store_put(e->store, &batch->keys[i]);
        if (number == before && e->paths)
            VEC_PUSH(&e->arrivals, batch->arrivals[i]);
        if (e->sleeps && number == before)
            VEC_PUSH(&e->asleep, batch->asleep[i]);
        else if (e->sleeps)
            wake_others(e, number, batch->asleep[i]);
    }
    batch->count = 0;
}

static void add(struct mach_exploration *e, struct mach_test *test, uint8_t *state,
                struct batch *batch, struct arrival arrival, actors asleep)
{
    if (test->future && test->machine->reduce)
        test->machine->reduce(test, state);
    if (batch->count == BATCH)
        put_all(e, batch);
    batch->arrivals[batch->count] = arrival;
    batch->asleep[batch->count] = asleep;
    mach_store_prepare(e->store, state, &batch->keys[batch->count++]);
}

/* ---- Steps ---- */

/* The steps that a state enables. */
struct moves {
    struct mach_step steps[MACH_MAX_STEPS];
    struct mach_footprint footprints[MACH_MAX_STEPS]; /* where actors sleep */
    uint32_t count;
};

static actors actor_of(const struct moves *moves, uint32_t i)
{
    uint32_t actor = moves->footprints[i].actor;
    return actor < MACH_ACTORS ? (actors)1 << actor : 0;
}

static bool are_independent(const struct mach_footprint *a, const struct mach_footprint *b)
{
    return !(a->changes & (b->looks | b->changes)) && !(b->changes & a->looks);
}

/* Of these actors those that sleep after step i. */
static actors asleep_after(const struct moves *moves, uint32_t i, actors asleep)
{
    asleep &= ~actor_of(moves, i);
    for (uint32_t k = 0; asleep && k < moves->count; k++)
        if (asleep & actor_of(moves, k) &&
            !are_independent(&moves->footprints[i], &moves->footprints[k]))
            asleep &= ~actor_of(moves, k);
    return asleep;
}

static void find_moves(const struct mach_exploration *e, struct mach_test *test,
                       const uint8_t *state, struct moves *moves)
{
    moves->count = test->machine->enabled(test, state, moves->steps);
    if (e->sleeps)
        test->machine->footprints(test, state, moves->steps, moves->count, moves->footprints);
}

/* The steps of the actors that are awake; `again`: of a state that was looked at before, with more
 * asleep. Those asleep already sleep on where they are independent. Returns whether there is any
 * step, of whomever. */
static bool expand(struct mach_exploration *e, struct mach_test *test, const uint8_t *state,
                   uint32_t number, struct batch *batch, actors awake, bool again)
{
    struct moves moves;
    uint8_t next[MACH_MAX_STATE];
    actors asleep = e->sleeps ? e->asleep.items[number] : 0;
    bool any = asleep != 0;
    find_moves(e, test, state, &moves);
    for (uint32_t i = 0; i < moves.count; i++) {
        actors actor = e->sleeps ? actor_of(&moves, i) : 0;
        if (actor ? !(actor & awake) : again)
            continue;
        memcpy(next, state, test->size);
        if (!test->machine->perform(test, next, moves.steps[i]))
            continue;
        any = true;
        e->steps++;
        add(e, test, next, batch, (struct arrival){number, moves.steps[i]},
            asleep ? asleep_after(&moves, i, asleep) : 0);
        if (actor && (i + 1 == moves.count || actor_of(&moves, i + 1) != actor))
            asleep |= actor;
    }
    return any;
}

/* What nobody did in states that were looked at already. */
static void make_up(struct mach_exploration *e, struct mach_test *test, struct batch *batch)
{
    uint8_t state[MACH_MAX_STATE];
    while (e->late.count > 0) {
        struct late late = VEC_POP(&e->late);
        mach_store_get(e->store, late.number, state);
        expand(e, test, state, late.number, batch, late.awake, true);
    }
}

static void start(struct mach_exploration *e, struct mach_test *test, struct batch *batch)
{
    uint8_t state[MACH_MAX_STATE] = {0};
    test->machine->start(test, state);
    add(e, test, state, batch, (struct arrival){0, {0, 0, 0, 0}}, 0);
}

/* Is there a state of this number? Successors are looked up when it is not known yet, or some
 * of them could be beyond the limit. */
static bool is_there(struct mach_exploration *e, struct mach_test *test, struct batch *batch,
                     const struct mach_limits *limits, uint32_t number)
{
    if (mach_store_count(e->store) + batch->count > limits->states)
        put_all(e, batch);
    while (number >= mach_store_count(e->store) && batch->count + e->late.count > 0) {
        put_all(e, batch);
        make_up(e, test, batch);
    }
    return number < mach_store_count(e->store);
}

/* Asked before each state; at the clock it looks at some of them. */
static bool limit_met(struct mach_exploration *e, const struct mach_test *test,
                      const struct mach_limits *limits, uint32_t number)
{
    if (test->overflow)
        e->doubt = OUTCOME_DOUBT_LENGTH;
    else if (mach_store_count(e->store) > limits->states)
        e->doubt = OUTCOME_DOUBT_STATES;
    else if ((number & 255) == 255 && clock_is_late(&limits->clock))
        e->doubt = OUTCOME_DOUBT_TIMEOUT;
    return e->doubt != OUTCOME_DOUBT_COUNT;
}

struct mach_exploration *mach_explore(struct mach_test *test, const struct mach_limits *limits,
                                      mach_visit *visit, void *context)
{
    struct mach_exploration *e = base_realloc(NULL, sizeof *e);
    uint8_t state[MACH_MAX_STATE];
    struct batch batch;
    batch.count = 0;
    *e = (struct mach_exploration){.store = mach_store_new(test->size),
                                   .paths = limits->paths,
                                   .sleeps = test->machine->footprints && !limits->paths &&
                                             !limits->every_step && !test->config.faults &&
                                             !test->future,
                                   .doubt = OUTCOME_DOUBT_COUNT};
    BASE_CHECK(!limits->paths || !test->future);
    start(e, test, &batch);
    for (uint32_t i = 0; is_there(e, test, &batch, limits, i) && !limit_met(e, test, limits, i);
         i++) {
        mach_store_get(e->store, i, state);
        e->expanded = i + 1;
        bool any = expand(e, test, state, i, &batch, e->sleeps ? ~e->asleep.items[i] : 0, false);
        if (!visit(context, state, i, !any))
            break;
        make_up(e, test, &batch);
    }
    put_all(e, &batch);
    if (test->overflow)
        e->doubt = OUTCOME_DOUBT_LENGTH;
    return e;
}

void mach_exploration_free(struct mach_exploration *e)
{
    mach_store_free(e->store);
    VEC_FREE(&e->arrivals);
    VEC_FREE(&e->asleep);
    VEC_FREE(&e->late);
    base_free(e);
}

struct mach_totals mach_totals(const struct mach_exploration *e)
{
    return (struct mach_totals){.states = mach_store_count(e->store),
                                .steps = e->steps,
                                .bytes = mach_store_bytes(e->store) +
                                         e->arrivals.count * sizeof(struct arrival) +
                                         e->asleep.count * sizeof(actors),
                                .table_bytes = mach_store_table_bytes(e->store),
                                .doubt = e->doubt};
}

uint32_t mach_path(const struct mach_exploration *e, uint64_t number, struct mach_step *steps,
                   uint32_t room)
{
    uint32_t length = 0;
    BASE_CHECK(e->paths && number < mach_store_count(e->store));
    for (uint64_t at = number; at != 0; at = e->arrivals.items[at].from)
        length++;
    uint32_t left = length <= room ? length : 0;
    for (uint64_t at = number; left > 0; at = e->arrivals.items[at].from)
        steps[--left] = e->arrivals.items[at].step;
    return length;
}
