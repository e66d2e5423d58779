/* A breadth-first search: the list of states that recovery starts on is its queue. A run's answer
 * marks the columns that still hold what recovery started on. So it can be laid over each state
 * that shares the run. */
#include "engine/recovery.h"

#include "engine/lone.h"
#include "engine/recovery_image.h"

#include <string.h>

/* A state that recovery starts on. */
struct start {
    uint32_t round; /* in which it is first started on, from 1 */
    bool done;
};

/* What one run found. A row has the columns of the run's states, then one for each non-volatile
 * location: does it still hold what it held at the start? */
struct answer {
    struct outcome_states recovered, restarts;
    bool livelock;
    const bool *looked_at; /* per column of crash states */
    uint32_t run;          /* which run it is of, from 0 */
};

/* Answers whose runs looked at the same locations; a key has zeros elsewhere. */
struct share {
    const bool *looked_at; /* per column of crash states */
    struct outcome_states keys;
    VEC(struct answer *) answers;
};

/* A state that decides a condition, and what recovery started on. */
struct shortcut {
    int64_t *start, *recovered; /* NULL: none is known */
};

struct recovery {
    const struct engine_request *request;
    struct outcome *outcome;
    struct recovery_options options;
    struct recovery_image image;
    struct arena arena;
    struct outcome_states starts;
    VEC(struct start) list; /* one for each of them */
    VEC(struct share) shares;
    bool *decided;              /* per condition: has it a witness? */
    struct shortcut *shortcuts; /* per condition: one that is of no pair */
    bool may_fail;              /* recovery can be undefined or come to no end */
    bool stopped;               /* the time ran out, or there are too many states */
    int64_t *row, *pair;        /* room */
};

/* Has the time run out? Then nothing more is started on. */
static bool is_late(struct recovery *r)
{
    if (clock_is_late(&r->request->limits.clock))
        r->outcome->recovery_doubts[OUTCOME_DOUBT_TIMEOUT] = r->stopped = true;
    return r->stopped;
}

/* ---- Runs ---- */

static void keep_rows(struct recovery *r, struct outcome_states *kept,
                      const struct recovery_found *found, const struct outcome_states *states,
                      recovery_reader *read)
{
    bool last = states == &found->outcome.final;
    kept->width =
        (last ? r->outcome->recovered.width : r->outcome->starts.width) + r->outcome->starts.width;
    int64_t *row = ARENA_ARRAY(&r->arena, int64_t, kept->width + 1);
    for (size_t i = 0; i < states->count; i++) {
        read(&r->image, found, i, row);
        outcome_add_state(kept, row);
    }
}

static struct answer *run_from(struct recovery *r, const int64_t *start, const bool **looked_at)
{
    struct recovery_found found;
    if (is_late(r))
        return NULL;
    struct answer *answer = ARENA_NEW(&r->arena, struct answer);
    recovery_image_run(&r->image, start, NULL, &found);
    keep_rows(r, &answer->recovered, &found, &found.outcome.final, recovery_read_final);
    if (r->image.restarts)
        keep_rows(r, &answer->restarts, &found, &found.outcome.crash, recovery_read_crash);
    answer->livelock = found.outcome.final.count == 0 && found.outcome.undefined.count == 0 &&
                       !outcome_doubt(&found.outcome);
    outcome_take_undefined(r->outcome, &found.outcome, r->request->program->thread_count);
    outcome_take_doubts(r->outcome, &found.outcome);
    r->stopped |= found.outcome.doubts[OUTCOME_DOUBT_TIMEOUT];
    answer->run = (uint32_t)r->outcome->recovery_stats.runs++;
    *looked_at = recovery_image_looked_at(&r->image, &r->arena, &found);
    answer->looked_at = *looked_at;
    recovery_found_fini(&found);
    return answer;
}

/* ---- Answers that are shared ---- */

static const int64_t *key_of(const struct recovery *r, const bool *looked_at, const int64_t *start)
{
    for (uint32_t i = 0; i < r->outcome->starts.width; i++)
        r->row[i] = looked_at[i] ? start[i] : 0;
    return r->row;
}

static struct answer *find_answer(const struct recovery *r, const int64_t *start)
{
    EACH_IN (const struct share, share, r->shares) {
        size_t at = outcome_find_state(&share->keys, key_of(r, share->looked_at, start));
        if (at < share->keys.count)
            return share->answers.items[at];
    }
    return NULL;
}

static struct share *share_of(struct recovery *r, const bool *looked_at)
{
    uint32_t width = r->outcome->starts.width;
    for (size_t i = 0; i < r->shares.count; i++)
        if (memcmp(r->shares.items[i].looked_at, looked_at, width * sizeof *looked_at) == 0)
            return &r->shares.items[i];
    VEC_PUSH(&r->shares, ((struct share){.looked_at = looked_at, .keys = {.width = width}}));
    return &r->shares.items[r->shares.count - 1];
}

static void keep_answer(struct recovery *r, const bool *looked_at, const int64_t *start,
                        struct answer *answer)
{
    struct share *share = share_of(r, looked_at);
    if (outcome_add_state(&share->keys, key_of(r, looked_at, start)))
        VEC_PUSH(&share->answers, answer);
}

static struct answer *answer_of(struct recovery *r, const int64_t *start)
{
    const bool *looked_at;
    struct answer *answer = find_answer(r, start);
    if (answer && r->options.on_share)
        r->options.on_share(r->request, recovery_image_program(&r->image, start), answer->run);
    if (answer)
        return answer;
    answer = run_from(r, start, &looked_at);
    if (answer)
        keep_answer(r, looked_at, start, answer);
    return answer;
}

/* ---- Answers laid over a state ---- */

/* The row of an answer where recovery started on `start`: non-volatile locations come first. */
static const int64_t *lay_over(const struct recovery *r, const struct outcome_states *rows,
                               size_t index, const int64_t *start)
{
    uint32_t locations = r->outcome->starts.width, width = rows->width - locations;
    const int64_t *row = outcome_row(rows, index), *kept = row + width;
    for (uint32_t i = 0; i < width; i++)
        r->row[i] = i < locations && kept[i] ? start[i] : row[i];
    return r->row;
}

static void note_decided(struct recovery *r, const int64_t *recovered)
{
    const struct lit_program *program = r->request->program;
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_RECOVERED && !r->decided[i])
            r->decided[i] =
                outcome_decides(r->outcome, program, &program->conditions[i], recovered);
}

static void add_recovered(struct recovery *r, const struct answer *answer, const int64_t *start)
{
    struct outcome *outcome = r->outcome;
    for (size_t i = 0; i < answer->recovered.count; i++) {
        const int64_t *recovered = lay_over(r, &answer->recovered, i, start);
        if (outcome_add_state(&outcome->recovered, recovered))
            note_decided(r, recovered);
        outcome_pair(r->pair, start, outcome->starts.width, recovered, outcome->recovered.width);
        outcome_add_state(&outcome->recoveries, r->pair);
    }
    if (outcome->recovered.full)
        outcome->recovery_doubts[OUTCOME_DOUBT_STATES] = r->stopped = true;
}

static bool add_start(struct recovery *r, const int64_t *state, uint32_t round)
{
    if (outcome_add_state(&r->starts, state)) {
        VEC_PUSH(&r->list, ((struct start){round, false}));
        return true;
    }
    if (r->starts.full)
        r->outcome->recovery_doubts[OUTCOME_DOUBT_STATES] = r->stopped = true;
    return false;
}

static void add_restarts(struct recovery *r, const struct answer *answer, const int64_t *start,
                         uint32_t number)
{
    struct outcome *outcome = r->outcome;
    uint32_t width = outcome->starts.width, round = r->list.items[number].round;
    for (size_t i = 0; i < answer->restarts.count && !r->stopped; i++) {
        const int64_t *left = lay_over(r, &answer->restarts, i, start);
        if (memcmp(left, start, width * sizeof *left) == 0)
            continue;
        outcome_pair(r->pair, start, width, left, width);
        if (outcome_add_state(&outcome->restarts, r->pair) || outcome->restarts.full)
            add_start(r, left, round + 1);
    }
}

static void recover(struct recovery *r, uint32_t number)
{
    uint32_t width = r->outcome->starts.width;
    int64_t *start = base_realloc(NULL, (width + 1) * sizeof *start);
    outcome_pair(start, outcome_row(&r->starts, number), width, NULL, 0);
    const struct answer *answer = is_late(r) ? NULL : answer_of(r, start);
    if (answer) {
        r->outcome->recovery_stats.starts++;
        if (r->list.items[number].round > r->outcome->recovery_stats.rounds)
            r->outcome->recovery_stats.rounds = r->list.items[number].round;
        add_recovered(r, answer, start);
        add_restarts(r, answer, start, number);
        if (answer->livelock && outcome_add_state(&r->outcome->livelocks, start))
            outcome_add_flag(r->outcome, "livelock");
        r->list.items[number].done = true;
    }
    base_free(start);
}

/* ---- The whole ---- */

struct recovery *recovery_new(const struct engine_request *request, struct outcome *outcome,
                              const struct recovery_options *options)
{
    struct recovery *r = base_realloc(NULL, sizeof *r);
    *r = (struct recovery){.request = request, .outcome = outcome, .options = *options};
    recovery_image_init(&r->image, &r->arena, request, outcome, options);
    uint32_t width = outcome->starts.width + outcome->recovered.width;
    r->row = ARENA_ARRAY(&r->arena, int64_t, width + 1);
    r->pair = ARENA_ARRAY(&r->arena, int64_t, 2 * width + 1);
    r->decided = ARENA_ARRAY(&r->arena, bool, request->program->condition_count);
    r->shortcuts = ARENA_ARRAY(&r->arena, struct shortcut, request->program->condition_count);
    r->may_fail = request->program->recovery_count != 1 ||
                  lone_may_fail(request->program->recovery, request->model);
    r->starts.width = outcome->starts.width;
    outcome->recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = false;
    return r;
}

void recovery_free(struct recovery *r)
{
    EACH_IN (struct share, share, r->shares) {
        for (size_t k = 0; k < share->answers.count; k++) {
            outcome_free_states(&share->answers.items[k]->recovered);
            outcome_free_states(&share->answers.items[k]->restarts);
        }
        outcome_free_states(&share->keys);
        VEC_FREE(&share->answers);
    }
    outcome_free_states(&r->starts);
    VEC_FREE(&r->shares);
    VEC_FREE(&r->list);
    arena_fini(&r->arena);
    base_free(r);
}

/* A state that a crash in recovery left may turn out to be left by the program as well. */
void recovery_start(struct recovery *r, const int64_t *crash)
{
    if (r->stopped)
        return;
    add_start(r, crash, 1);
    size_t number = outcome_find_state(&r->starts, crash);
    if (number == r->starts.count || r->list.items[number].done)
        return;
    r->list.items[number].round = 1;
    recover(r, (uint32_t)number);
}

/* ---- Sets of states ---- */

/* A diagram took more nodes or more time than there are. */
static void stop_full(struct recovery *r)
{
    if (!is_late(r))
        r->outcome->recovery_doubts[OUTCOME_DOUBT_FORM] = r->stopped = true;
}

bool recovery_takes_products(const struct engine_request *request)
{
    return !request->program->recovery_restartable && !request->recovery_crash;
}

static bool is_value(const void *context, int64_t value)
{
    return value == *(const int64_t *)context;
}

/* The states of the set that agree with a row in some columns. */
static mdd_node that_agree(struct mdd *store, mdd_node set, const bool *columns, uint32_t width,
                           const int64_t *row)
{
    for (uint32_t i = 0; i < width; i++)
        if (columns[i])
            set = mdd_filter(store, set, i, is_value, &row[i]);
    return set;
}

/* Those that recovery is started on where this is left. */
static void keep_shortcut(struct recovery *r, uint32_t condition, struct mdd *store,
                          mdd_node starts, const int64_t *kept, const int64_t *recovered)
{
    uint32_t width = r->outcome->starts.width;
    struct shortcut *shortcut = &r->shortcuts[condition];
    bool *columns = ARENA_ARRAY(&r->arena, bool, width);
    shortcut->start = ARENA_ARRAY(&r->arena, int64_t, r->outcome->crash.width + 1);
    shortcut->recovered =
        arena_copy(&r->arena, recovered, r->outcome->recovered.width * sizeof *recovered);
    for (uint32_t i = 0; i < width; i++)
        columns[i] = kept[i] != 0;
    starts = that_agree(store, starts, columns, width, recovered);
    if (mdd_is_full(store) || starts == MDD_EMPTY)
        shortcut->start = NULL;
    else
        mdd_smallest(store, starts, shortcut->start);
}

/* A row of an answer laid over all starts. Locations that recovery wrote have what it wrote. */
static mdd_node lay_over_all(struct recovery *r, struct mdd *store, mdd_node starts,
                             const int64_t *row)
{
    uint32_t width = r->outcome->starts.width;
    const int64_t *kept = row + r->outcome->recovered.width;
    for (uint32_t i = 0; i < width; i++)
        if (!kept[i])
            starts = mdd_assign(store, starts, i, row[i]);
    return mdd_graft(outcome_product(&r->outcome->recovered), store, starts, width, row);
}

/* Of the starts and what one row of an answer leaves of them. */
static void note_decided_by_set(struct recovery *r, struct mdd *store, mdd_node starts,
                                mdd_node set, const int64_t *row)
{
    const struct outcome_states *states = &r->outcome->recovered;
    const struct lit_program *program = r->request->program;
    const struct lit_program judged = lit_recovery_program(program);
    int64_t *recovered = ARENA_ARRAY(&r->arena, int64_t, states->width + 1);
    for (uint32_t i = 0; i < program->condition_count; i++) {
        const struct lit_condition *condition = &program->conditions[i];
        struct outcome_split split;
        if (condition->when != LIT_RECOVERED || r->decided[i])
            continue;
        outcome_split(states, set, &judged, condition->prop, &r->request->limits.clock, &split);
        mdd_node those = condition->quantifier == LIT_FORALL ? split.negative : split.positive;
        if (split.store && those != MDD_EMPTY) {
            r->decided[i] = true;
            mdd_smallest(split.store, those, recovered);
            keep_shortcut(r, i, store, starts, row + states->width, recovered);
        }
        mdd_free(split.store);
    }
}

static void add_recovered_set(struct recovery *r, struct mdd *store, mdd_node starts,
                              const int64_t *row)
{
    struct outcome_states *states = &r->outcome->recovered;
    mdd_node set = lay_over_all(r, store, starts, row);
    if (!mdd_is_full(store) && !mdd_is_full(states->product))
        note_decided_by_set(r, store, starts, set, row);
    outcome_add_product(states, set);
    if (states->full || mdd_is_full(store))
        stop_full(r);
}

/* All states that share a run with this one; the rest is returned. */
static mdd_node recover_alike(struct recovery *r, struct mdd *store, mdd_node set,
                              const int64_t *start)
{
    struct outcome *outcome = r->outcome;
    const struct answer *answer = is_late(r) ? NULL : answer_of(r, start);
    if (!answer)
        return MDD_EMPTY;
    mdd_node alike = that_agree(store, set, answer->looked_at, outcome->starts.width, start);
    uint64_t *starts = &outcome->recovery_stats.starts;
    if (__builtin_add_overflow(*starts, mdd_count(store, alike), starts))
        *starts = UINT64_MAX;
    outcome->recovery_stats.rounds = 1;
    for (size_t i = 0; i < answer->recovered.count && !r->stopped; i++)
        add_recovered_set(r, store, alike, outcome_row(&answer->recovered, i));
    if (answer->livelock && outcome_add_state(&outcome->livelocks, start))
        outcome_add_flag(outcome, "livelock");
    return mdd_minus(store, set, alike);
}

void recovery_start_product(struct recovery *r, struct mdd *store, mdd_node set)
{
    int64_t *start = base_realloc(NULL, (mdd_width(store) + 1) * sizeof *start);
    for (uint32_t i = r->outcome->starts.width; i < mdd_width(store); i++)
        set = mdd_assign(store, set, i, 0);
    while (set != MDD_EMPTY && !r->stopped && !(r->request->decide && recovery_is_settled(r))) {
        mdd_smallest(store, set, start);
        set = recover_alike(r, store, set, start);
    }
    if (mdd_is_full(store))
        stop_full(r);
    base_free(start);
}

static void recover_product(struct recovery *r)
{
    const struct outcome_states *crash = &r->outcome->crash;
    struct mdd *store = mdd_like(crash->product);
    mdd_heed(store, &r->request->limits.clock);
    recovery_start_product(r, store, mdd_copy(store, crash->product, crash->root));
    mdd_free(store);
}

/* A livelock settles nothing while another state may yet be undefined. */
bool recovery_is_settled(const struct recovery *r)
{
    const struct lit_program *program = r->request->program;
    bool all = ALL(i, program->condition_count,
                   program->conditions[i].when != LIT_RECOVERED || r->decided[i]);
    return r->outcome->undefined.count ||
           (all && !r->may_fail && !engine_recovery_may_flag(r->request, r->outcome));
}

static void go_round(struct recovery *r)
{
    uint32_t rounds = r->request->rounds ? r->request->rounds : ENGINE_ROUNDS;
    for (uint32_t i = 0; i < r->list.count && !r->stopped; i++) {
        if (r->list.items[i].done)
            continue;
        if (r->request->decide && recovery_is_settled(r))
            return;
        if (r->list.items[i].round > rounds)
            r->outcome->recovery_doubts[OUTCOME_DOUBT_ROUNDS] = true;
        else
            recover(r, i);
    }
}

static void take_shortcut(struct recovery *r, const struct shortcut *found,
                          struct outcome_chain *chain)
{
    struct arena *arena = &r->outcome->arena;
    const struct outcome_link link = {
        .start = arena_copy(arena, found->start, r->outcome->starts.width * sizeof(int64_t)),
        .completes = true};
    chain->links = arena_copy(arena, &link, sizeof link);
    chain->link_count = 1;
    chain->recovered =
        arena_copy(arena, found->recovered, r->outcome->recovered.width * sizeof(int64_t));
}

static void find_chains(struct recovery *r)
{
    const struct lit_program *program = r->request->program;
    outcome_find_chains(r->outcome, program);
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (!r->outcome->chains[i].recovered && r->shortcuts[i].start)
            take_shortcut(r, &r->shortcuts[i], &r->outcome->chains[i]);
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (r->outcome->chains[i].recovered)
            recovery_show_chain(&r->image, r->outcome, &r->outcome->chains[i]);
}

void recovery_finish(struct recovery *r)
{
    go_round(r);
    outcome_sort(r->outcome);
    find_chains(r);
}

void recovery_run(const struct engine_request *request, struct outcome *outcome,
                  const struct recovery_options *options)
{
    if (request->program->recovery_count == 0)
        return;
    struct recovery *r = recovery_new(request, outcome, options);
    outcome_sort(outcome);
    for (size_t i = 0; i < outcome->crash.count; i++)
        recovery_start(r, outcome_row(&outcome->crash, i));
    if (outcome->crash.product)
        recover_product(r);
    recovery_finish(r);
    recovery_free(r);
}

void recovery_retrace(const struct engine_request *request, struct outcome *outcome,
                      const struct recovery_options *options, struct outcome_chain *chain)
{
    SCOPED(arena) arena = {0};
    struct recovery_image image;
    recovery_image_init(&image, &arena, request, outcome, options);
    recovery_show_chain(&image, outcome, chain);
}
