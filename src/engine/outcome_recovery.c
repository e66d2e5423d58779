/* Walks through the results of recovery: from the states it starts on, by restarts, to recovered
 * states. Pairs are sorted, so those of one start stand together. */
#include "engine/outcome.h"

#include <assert.h>
#include <string.h>

void outcome_pair(int64_t *row, const int64_t *a, uint32_t a_width, const int64_t *b,
                  uint32_t b_width)
{
    if (a_width)
        memcpy(row, a, a_width * sizeof *row);
    if (b_width)
        memcpy(row + a_width, b, b_width * sizeof *row);
}

const struct lit_thread *outcome_thread(const struct lit_program *program, uint32_t thread)
{
    BASE_ASSERT(thread < program->thread_count + program->recovery_count);
    return thread < program->thread_count ? &program->threads[thread]
                                          : &program->recovery[thread - program->thread_count];
}

/* The first row from `low` on that does not compare below `bound` with the start. */
static size_t first_from(const struct outcome_states *pairs, size_t low, const int64_t *start,
                         uint32_t width, int bound)
{
    BASE_ASSERT(low <= pairs->count);
    size_t high = pairs->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (outcome_compare(pairs, outcome_row(pairs, middle), start, width) < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool outcome_crash_leaves(const struct outcome *outcome, const int64_t *start)
{
    size_t first, last;
    outcome_pairs_of(&outcome->crash, start, outcome->starts.width, &first, &last);
    return first < last;
}

void outcome_pairs_of(const struct outcome_states *pairs, const int64_t *start, uint32_t width,
                      size_t *first, size_t *last)
{
    assert(pairs->sorted && width <= pairs->width);
    *first = first_from(pairs, 0, start, width, 0);
    *last = first_from(pairs, *first, start, width, 1);
    BASE_ASSERT(*first <= *last && *last <= pairs->count);
}

/* ---- Which crash states lead to a recovered one ---- */

struct walk {
    const struct outcome *outcome;
    uint32_t width;               /* of crash states */
    struct outcome_states starts; /* met by this walk, in the order they were met */
};

static void walk_init(struct walk *walk, const struct outcome *outcome)
{
    *walk = (struct walk){.outcome = outcome, .width = outcome->starts.width};
    walk->starts.width = walk->width;
    walk->starts.items = outcome->starts.items;
}

/* Forgets what was met. */
static void walk_clear(struct walk *walk)
{
    base_free(walk->starts.values);
    base_free(walk->starts.slots);
    walk_init(walk, walk->outcome);
}

static void walk_from(struct walk *walk, const int64_t *start)
{
    const struct outcome_states *restarts = &walk->outcome->restarts;
    int64_t *row = base_realloc(NULL, (walk->width + 1) * sizeof *row);
    outcome_add_state(&walk->starts, start);
    for (size_t i = 0; i < walk->starts.count; i++) {
        size_t first, last;
        outcome_pair(row, outcome_row(&walk->starts, i), walk->width, NULL, 0);
        outcome_pairs_of(restarts, row, walk->width, &first, &last);
        for (; first < last; first++)
            outcome_add_state(&walk->starts, outcome_row(restarts, first) + walk->width);
    }
    base_free(row);
}

typedef VEC(uint32_t) number_list;

static void note_source(number_list *list, uint32_t crash)
{
    BASE_ASSERT(list->count == 0 || list->items[list->count - 1] <= crash);
    if (list->count == 0 || list->items[list->count - 1] != crash)
        VEC_PUSH(list, crash);
}

static void note_recovered(struct walk *walk, number_list *lists, uint32_t crash)
{
    const struct outcome *outcome = walk->outcome;
    for (size_t i = 0; i < walk->starts.count; i++) {
        size_t first, last;
        outcome_pairs_of(&outcome->recoveries, outcome_row(&walk->starts, i), walk->width, &first,
                         &last);
        for (; first < last; first++) {
            const int64_t *recovered = outcome_row(&outcome->recoveries, first) + walk->width;
            size_t number = outcome_find_state(&outcome->recovered, recovered);
            if (number < outcome->recovered.count)
                note_source(&lists[number], crash);
        }
    }
}

struct outcome_sources *outcome_recovered_from(struct arena *arena, const struct outcome *outcome)
{
    size_t count = outcome->recovered.count;
    struct outcome_sources *sources = ARENA_ARRAY(arena, struct outcome_sources, count);
    number_list *lists = ARENA_ARRAY(arena, number_list, count);
    struct walk walk;
    walk_init(&walk, outcome);
    for (uint32_t crash = 0; crash < outcome->crash.count; crash++) {
        walk_from(&walk, outcome_row(&outcome->crash, crash));
        note_recovered(&walk, lists, crash);
        walk_clear(&walk);
    }
    for (size_t i = 0; i < count; i++) {
        sources[i].count = (uint32_t)lists[i].count;
        sources[i].crash = VEC_KEEP(arena, &lists[i]);
        VEC_FREE(&lists[i]);
    }
    return sources;
}

/* ---- Shortest chains ---- */

/* Starts are numbered breadth first, so the smallest number has a shortest chain. */
struct ways {
    struct walk walk;
    VEC(uint32_t) parents; /* the start whose crash left it; LIT_NONE for crash states */
};

static void meet(struct ways *ways, const int64_t *start, uint32_t parent)
{
    BASE_ASSERT(parent == LIT_NONE || parent < ways->walk.starts.count);
    if (outcome_add_state(&ways->walk.starts, start))
        VEC_PUSH(&ways->parents, parent);
}

static void find_ways(struct ways *ways, const struct outcome *outcome)
{
    struct walk *walk = &ways->walk;
    *ways = (struct ways){.parents = {NULL, 0, 0}};
    walk_init(walk, outcome);
    for (size_t i = 0; i < outcome->crash.count; i++)
        meet(ways, outcome_row(&outcome->crash, i), LIT_NONE);
    for (uint32_t i = 0; i < walk->starts.count; i++) {
        size_t first, last;
        outcome_pairs_of(&outcome->restarts, outcome_row(&walk->starts, i), walk->width, &first,
                         &last);
        for (; first < last; first++)
            meet(ways, outcome_row(&outcome->restarts, first) + walk->width, i);
    }
}

/* The first start that recovery leads from to a state that decides the condition, and that state;
 * NULL without any. */
static const int64_t *find_deciding(const struct ways *ways, const struct lit_program *program,
                                    const struct lit_condition *condition, uint32_t *start)
{
    const struct outcome *outcome = ways->walk.outcome;
    const struct outcome_states *pairs = &outcome->recoveries;
    uint32_t width = ways->walk.width;
    for (*start = 0; *start < ways->walk.starts.count; ++*start) {
        size_t first, last;
        outcome_pairs_of(pairs, outcome_row(&ways->walk.starts, *start), width, &first, &last);
        for (; first < last; first++)
            if (outcome_decides(outcome, program, condition, outcome_row(pairs, first) + width))
                return outcome_row(pairs, first) + width;
    }
    return NULL;
}

static const int64_t *copy_row(struct arena *arena, const int64_t *row, uint32_t width)
{
    int64_t *copy = ARENA_ARRAY(arena, int64_t, width + 1);
    outcome_pair(copy, row, width, NULL, 0);
    return copy;
}

static void fill_chain(struct outcome *outcome, const struct ways *ways, uint32_t start,
                       const int64_t *recovered, struct outcome_chain *chain)
{
    struct arena *arena = &outcome->arena;
    for (uint32_t at = start; at != LIT_NONE; at = ways->parents.items[at])
        chain->link_count++;
    struct outcome_link *links = ARENA_ARRAY(arena, struct outcome_link, chain->link_count);
    for (uint32_t i = chain->link_count; i-- > 0; start = ways->parents.items[start]) {
        links[i].start = copy_row(arena, outcome_row(&ways->walk.starts, start), ways->walk.width);
        links[i].completes = i + 1 == chain->link_count;
    }
    chain->links = links;
    chain->recovered = copy_row(arena, recovered, outcome->recovered.width);
}

void outcome_find_chains(struct outcome *outcome, const struct lit_program *program)
{
    struct ways ways;
    find_ways(&ways, outcome);
    outcome->chains = ARENA_ARRAY(&outcome->arena, struct outcome_chain, program->condition_count);
    for (uint32_t i = 0; i < program->condition_count; i++) {
        uint32_t start;
        const int64_t *recovered =
            program->conditions[i].when == LIT_RECOVERED
                ? find_deciding(&ways, program, &program->conditions[i], &start)
                : NULL;
        if (recovered)
            fill_chain(outcome, &ways, start, recovered, &outcome->chains[i]);
    }
    walk_clear(&ways.walk);
    VEC_FREE(&ways.parents);
}

/* ---- Cycles of livelocks ---- */

/* Breadth first; `before` says from which livelock one was first come to. */
static bool find_way_back(const struct outcome *outcome, uint32_t start, uint32_t *before,
                          uint32_t *queue)
{
    const struct outcome_states *livelocks = &outcome->livelocks;
    uint32_t width = livelocks->width, count = 1;
    queue[0] = start;
    for (uint32_t i = 0; i < count; i++) {
        size_t first, last;
        outcome_pairs_of(&outcome->restarts, outcome_row(livelocks, queue[i]), width, &first,
                         &last);
        for (; first < last; first++) {
            size_t next =
                outcome_find_state(livelocks, outcome_row(&outcome->restarts, first) + width);
            if (next >= livelocks->count || before[next] != LIT_NONE)
                continue;
            before[next] = queue[i];
            if (next == start)
                return true;
            queue[count++] = (uint32_t)next;
        }
    }
    return false;
}

uint32_t outcome_livelock_cycle(const struct outcome *outcome, size_t number, uint32_t *cycle)
{
    size_t count = outcome->livelocks.count;
    uint32_t *before = base_realloc(NULL, 2 * count * sizeof *before), *queue = before + count;
    uint32_t length = 0;
    for (size_t i = 0; i < count; i++)
        before[i] = LIT_NONE;
    if (find_way_back(outcome, (uint32_t)number, before, queue)) {
        uint32_t at = (uint32_t)number;
        do
            length++;
        while ((at = before[at]) != number);
        at = (uint32_t)number;
        for (uint32_t i = length; i-- > 0;)
            cycle[i] = at = before[at];
    }
    base_free(before);
    return length;
}
