#include "machine/mach_explore.h"

#include "base/vec.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Where a packed state stands, and how it was first reached. */
struct node {
    uint64_t at;
    uint32_t length, parent;
    struct mach_step step;
};

struct mach_exploration {
    VEC(uint8_t) bytes;
    VEC(struct node) nodes;
    uint32_t *slots; /* open addressing, node number + 1 */
    size_t slot_count;
    uint64_t steps;
    bool paths, partial;
};

/* Runs of zeros become a zero and their length. */
static uint32_t pack(const uint8_t *state, uint32_t size, uint8_t *out)
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < size;) {
        if (state[i]) {
            out[length++] = state[i++];
            continue;
        }
        uint32_t run = 0;
        while (i + run < size && run < 255 && state[i + run] == 0)
            run++;
        out[length++] = 0;
        out[length++] = (uint8_t)run;
        i += run;
    }
    return length;
}

static void unpack(const uint8_t *packed, uint32_t length, uint8_t *state)
{
    for (uint32_t i = 0, at = 0; i < length; i++) {
        if (packed[i]) {
            state[at++] = packed[i];
            continue;
        }
        memset(state + at, 0, packed[i + 1]);
        at += packed[++i];
    }
}

static size_t slot_of(const struct mach_exploration *e, const uint8_t *packed, uint32_t length)
{
    size_t at = (size_t)XXH3_64bits(packed, length) & (e->slot_count - 1);
    for (; e->slots[at]; at = (at + 1) & (e->slot_count - 1)) {
        const struct node *node = &e->nodes.items[e->slots[at] - 1];
        if (node->length == length && memcmp(e->bytes.items + node->at, packed, length) == 0)
            break;
    }
    return at;
}

static void grow(struct mach_exploration *e)
{
    free(e->slots);
    e->slot_count = e->slot_count ? e->slot_count * 2 : 1024;
    e->slots = base_realloc(NULL, e->slot_count * sizeof *e->slots);
    memset(e->slots, 0, e->slot_count * sizeof *e->slots);
    for (size_t i = 0; i < e->nodes.count; i++) {
        const struct node *node = &e->nodes.items[i];
        e->slots[slot_of(e, e->bytes.items + node->at, node->length)] = (uint32_t)i + 1;
    }
}

static void add(struct mach_exploration *e, const struct mach_test *test, const uint8_t *state,
                uint32_t parent, struct mach_step step)
{
    uint8_t packed[2 * MACH_MAX_STATE];
    uint32_t length = pack(state, test->size, packed);
    if (2 * (e->nodes.count + 1) > e->slot_count)
        grow(e);
    size_t slot = slot_of(e, packed, length);
    if (e->slots[slot])
        return;
    VEC_PUSH(&e->nodes, (struct node){e->bytes.count, length, parent, step});
    e->slots[slot] = (uint32_t)e->nodes.count;
    for (uint32_t i = 0; i < length; i++)
        VEC_PUSH(&e->bytes, packed[i]);
}

/* All steps from one state; returns whether there is any. */
static bool expand(struct mach_exploration *e, const struct machine *machine,
                   struct mach_test *test, const uint8_t *state, uint32_t number)
{
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
        add(e, test, next, number, steps[i]);
    }
    return any;
}

static bool limit_met(struct mach_exploration *e, const struct mach_test *test,
                      const struct mach_limits *limits, void *context)
{
    if (test->overflow || e->nodes.count > limits->states || limits->out_of_time(context))
        e->partial = true;
    return e->partial;
}

struct mach_exploration *mach_explore(const struct machine *machine, struct mach_test *test,
                                      const struct mach_limits *limits, mach_visit *visit,
                                      void *context)
{
    struct mach_exploration *e = base_realloc(NULL, sizeof *e);
    uint8_t state[MACH_MAX_STATE] = {0};
    *e = (struct mach_exploration){.paths = limits->paths};
    machine->start(test, state);
    add(e, test, state, UINT32_MAX, (struct mach_step){0, 0, 0, 0});
    for (size_t i = 0; i < e->nodes.count && !limit_met(e, test, limits, context); i++) {
        const struct node *node = &e->nodes.items[i];
        unpack(e->bytes.items + node->at, node->length, state);
        bool any = expand(e, machine, test, state, (uint32_t)i);
        if (!visit(context, state, i, !any))
            break;
    }
    return e;
}

void mach_exploration_free(struct mach_exploration *e)
{
    VEC_FREE(&e->bytes);
    VEC_FREE(&e->nodes);
    free(e->slots);
    free(e);
}

uint64_t mach_states(const struct mach_exploration *e)
{
    return e->nodes.count;
}

uint64_t mach_steps(const struct mach_exploration *e)
{
    return e->steps;
}

uint64_t mach_bytes(const struct mach_exploration *e)
{
    return e->bytes.count;
}

uint32_t mach_path(const struct mach_exploration *e, uint64_t number, struct mach_step *steps,
                   uint32_t room)
{
    uint32_t length = 0;
    BASE_CHECK(e->paths && number < e->nodes.count);
    for (uint64_t at = number; at != 0; at = e->nodes.items[at].parent)
        length++;
    uint32_t left = length <= room ? length : 0;
    for (uint64_t at = number; left > 0; at = e->nodes.items[at].parent)
        steps[--left] = e->nodes.items[at].step;
    return length;
}

bool mach_is_partial(const struct mach_exploration *e)
{
    return e->partial;
}
