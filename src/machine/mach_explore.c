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

struct mach_exploration {
    struct mach_store *store;
    VEC(struct arrival) arrivals; /* with `paths`: by state */
    uint64_t steps;
    bool paths;
    enum outcome_doubt doubt;
};

/* Successors, of one state or of some that follow, that are looked up together. */
struct batch {
    struct mach_key keys[BATCH];
    struct arrival arrivals[BATCH];
    uint32_t count;
};

static void put_all(struct mach_exploration *e, struct batch *batch)
{
    for (uint32_t i = 0; i < batch->count; i++)
        mach_store_hint(e->store, &batch->keys[i]);
    for (uint32_t i = 0; i < batch->count; i++)
        if (mach_store_put(e->store, &batch->keys[i]) && e->paths)
            VEC_PUSH(&e->arrivals, batch->arrivals[i]);
    batch->count = 0;
}

static void add(struct mach_exploration *e, struct mach_test *test, uint8_t *state,
                struct batch *batch, struct arrival arrival)
{
    if (test->future && test->machine->reduce)
        test->machine->reduce(test, state);
    if (batch->count == BATCH)
        put_all(e, batch);
    batch->arrivals[batch->count] = arrival;
    mach_store_prepare(e->store, state, &batch->keys[batch->count++]);
}

/* All steps from one state; returns whether there is any. */
static bool expand(struct mach_exploration *e, struct mach_test *test, const uint8_t *state,
                   uint32_t number, struct batch *batch)
{
    const struct machine *machine = test->machine;
    struct mach_step steps[MACH_MAX_STEPS];
    uint8_t next[MACH_MAX_STATE];
    uint32_t count = machine->enabled(test, state, steps);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(next, state, test->size);
        if (!machine->perform(test, next, steps[i]))
            continue;
        any = true;
        e->steps++;
        add(e, test, next, batch, (struct arrival){number, steps[i]});
    }
    return any;
}

static void start(struct mach_exploration *e, struct mach_test *test, struct batch *batch)
{
    uint8_t state[MACH_MAX_STATE] = {0};
    test->machine->start(test, state);
    add(e, test, state, batch, (struct arrival){0, {0, 0, 0, 0}});
}

/* Is there a state of this number? Successors are looked up when it is not known yet, or some
 * of them could be beyond the limit. */
static bool is_there(struct mach_exploration *e, struct batch *batch,
                     const struct mach_limits *limits, uint32_t number)
{
    if (number >= mach_store_count(e->store) ||
        mach_store_count(e->store) + batch->count > limits->states)
        put_all(e, batch);
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
    *e = (struct mach_exploration){
        .store = mach_store_new(test->size), .paths = limits->paths, .doubt = OUTCOME_DOUBT_COUNT};
    BASE_CHECK(!limits->paths || !test->future);
    start(e, test, &batch);
    for (uint32_t i = 0; is_there(e, &batch, limits, i) && !limit_met(e, test, limits, i); i++) {
        mach_store_get(e->store, i, state);
        bool any = expand(e, test, state, i, &batch);
        if (!visit(context, state, i, !any))
            break;
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
    base_free(e);
}

struct mach_totals mach_totals(const struct mach_exploration *e)
{
    return (struct mach_totals){.states = mach_store_count(e->store),
                                .steps = e->steps,
                                .bytes = mach_store_bytes(e->store) +
                                         e->arrivals.count * sizeof(struct arrival),
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
