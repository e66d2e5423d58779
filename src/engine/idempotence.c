/* Walks from crash states along restarts, breadth first, so the first state that breaks a rule
 * has a shortest way to it. */
#include "engine/idempotence.h"

#include <string.h>

/* States met on one walk, in the order they were met, and where each was come from. */
struct trail {
    const struct outcome *outcome;
    uint32_t width;
    struct outcome_states met;
    VEC(uint32_t) before; /* LIT_NONE for where the walk began */
};

static void trail_init(struct trail *trail, const struct outcome *outcome)
{
    *trail = (struct trail){.outcome = outcome, .width = outcome->starts.width};
    trail->met.width = trail->width;
}

static void trail_fini(struct trail *trail)
{
    outcome_free_states(&trail->met);
    VEC_FREE(&trail->before);
}

static void meet(struct trail *trail, const int64_t *state, uint32_t before)
{
    if (outcome_add_state(&trail->met, state))
        VEC_PUSH(&trail->before, before);
}

/* On to all that a crash in recovery of the i-th state leaves. */
static void go_on(struct trail *trail, uint32_t i)
{
    const struct outcome_states *restarts = &trail->outcome->restarts;
    size_t first, last;
    outcome_pairs_of(restarts, outcome_row(&trail->met, i), trail->width, &first, &last);
    for (; first < last; first++)
        meet(trail, outcome_row(restarts, first) + trail->width, i);
}

static bool same(const struct outcome *outcome, const int64_t *a, const int64_t *b)
{
    uint32_t width = outcome->starts.width;
    return width == 0 || memcmp(a, b, width * sizeof *a) == 0;
}

/* Does what a recovery leaves stand so to another state? */
typedef bool stands_function(const struct outcome *outcome, const int64_t *left,
                             const int64_t *other);

/* The first pair of `recoveries` from `start` that does; their number when none is. */
static size_t find_left(const struct outcome *outcome, const int64_t *start,
                        stands_function *stands, const int64_t *other)
{
    const struct outcome_states *pairs = &outcome->recoveries;
    size_t at, end;
    outcome_pairs_of(pairs, start, outcome->starts.width, &at, &end);
    for (; at < end; at++)
        if (stands(outcome, outcome_row(pairs, at) + outcome->starts.width, other))
            return at;
    return pairs->count;
}

static bool differs(const struct outcome *outcome, const int64_t *left, const int64_t *first)
{
    return !same(outcome, left, first);
}

/* Is there a recovery of this recovered state that changes it? */
static bool changes_again(const struct outcome *outcome, const int64_t *left, const int64_t *first)
{
    (void)first;
    return find_left(outcome, left, differs, left) < outcome->recoveries.count;
}

/* Can recovery of the first state without a crash not leave this? */
static bool is_new(const struct outcome *outcome, const int64_t *left, const int64_t *first)
{
    return find_left(outcome, first, same, left) == outcome->recoveries.count;
}

/* ---- Chains ---- */

/* Up to the i-th state of the trail; with room for one link more. */
static struct outcome_chain chain_to(struct arena *arena, const struct trail *trail, uint32_t i,
                                     const int64_t *recovered)
{
    uint32_t count = 0;
    for (uint32_t at = i; at != LIT_NONE; at = trail->before.items[at])
        count++;
    struct outcome_link *links = ARENA_ARRAY(arena, struct outcome_link, count + 1);
    for (uint32_t k = count; k-- > 0; i = trail->before.items[i]) {
        int64_t *start = ARENA_ARRAY(arena, int64_t, trail->width + 1);
        outcome_pair(start, outcome_row(&trail->met, i), trail->width, NULL, 0);
        links[k] = (struct outcome_link){.start = start, .completes = k + 1 == count};
    }
    return (struct outcome_chain){links, count, recovered};
}

/* Goes on with what recovery makes of the recovered state. */
static struct outcome_chain chain_again(const struct outcome *outcome, struct outcome_chain chain)
{
    struct outcome_link *links = (struct outcome_link *)chain.links;
    size_t pair = find_left(outcome, chain.recovered, differs, chain.recovered);
    links[chain.link_count++] = (struct outcome_link){.start = chain.recovered, .completes = true};
    chain.recovered = outcome_row(&outcome->recoveries, pair) + outcome->starts.width;
    return chain;
}

/* ---- The two rules ---- */

/* Fills the chain and returns true when something that recovery of the i-th state leaves breaks
 * the rule. */
static bool is_broken_at(struct arena *arena, const struct trail *trail, uint32_t i,
                         stands_function *breaks, const int64_t *first, struct outcome_chain *chain)
{
    const struct outcome *outcome = trail->outcome;
    size_t pair = find_left(outcome, outcome_row(&trail->met, i), breaks, first);
    if (pair == outcome->recoveries.count)
        return false;
    *chain = chain_to(arena, trail, i, outcome_row(&outcome->recoveries, pair) + trail->width);
    return true;
}

/* From these crash states at once: each state that recovery starts on is met. */
static bool is_broken_from(struct arena *arena, const struct outcome *outcome, size_t from,
                           size_t to, stands_function *breaks, struct outcome_chain *chain)
{
    SCOPED(trail) trail;
    bool broken = false;
    trail_init(&trail, outcome);
    for (size_t c = from; c < to; c++)
        meet(&trail, outcome_row(&outcome->crash, c), LIT_NONE);
    for (uint32_t i = 0; i < trail.met.count && !broken; i++) {
        broken = is_broken_at(arena, &trail, i, breaks, outcome_row(&outcome->crash, from), chain);
        go_on(&trail, i);
    }
    return broken;
}

/* May recovery without interruption leave more than was found? Each crash state is recovered in
 * the first round, so the bound on rounds leaves no doubt about that. */
static bool may_leave_more(const struct outcome *outcome)
{
    bool more = outcome->recoveries.full;
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++)
        more = more || (doubt != OUTCOME_DOUBT_ROUNDS && doubt != OUTCOME_DOUBT_FLAGS &&
                        outcome->recovery_doubts[doubt]);
    return more;
}

static bool is_broken(struct arena *arena, const struct outcome *outcome,
                      struct idempotence *answer)
{
    answer->reason = "recovery of a recovered state changes it";
    if (is_broken_from(arena, outcome, 0, outcome->crash.count, changes_again, &answer->chain)) {
        answer->chain = chain_again(outcome, answer->chain);
        return true;
    }
    answer->reason = "interrupted, recovery leaves what it never leaves uninterrupted";
    for (size_t c = 0; c < outcome->crash.count && !may_leave_more(outcome); c++)
        if (is_broken_from(arena, outcome, c, c + 1, is_new, &answer->chain))
            return true;
    answer->reason = NULL;
    return false;
}

struct idempotence idempotence_check(struct arena *arena, const struct outcome *outcome)
{
    struct idempotence answer = {.verdict = LIT_OK};
    const char *doubt = outcome_recovery_doubt(outcome);
    bool full = outcome->recoveries.full || outcome->restarts.full;
    if (outcome->undefined.count) {
        answer.verdict = LIT_UNDEFINED;
    } else if (outcome->livelocks.count) {
        answer.verdict = LIT_ERROR;
        answer.reason = "from some crash state recovery never completes";
    } else if (is_broken(arena, outcome, &answer)) {
        answer.verdict = LIT_VIOLATED;
    } else if (doubt || full) {
        answer.verdict = LIT_UNKNOWN;
        answer.reason = doubt ? doubt : "there are more states than are kept";
    } else if ((answer.reason = outcome_vacuity(outcome, LIT_RECOVERED))) {
        answer.verdict = LIT_UNKNOWN;
        answer.vacuous = true;
    }
    return answer;
}
