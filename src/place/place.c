/* place: the search (place_search.h) over fillings that are tried (place_try.h); then each step
 * below what was found, or, if nothing was, which conditions stand against each other. */
#include "place/place.h"

#include "base/bits.h"
#include "place/place_few.h"
#include "place/place_rendezvous.h"
#include "place/place_try.h"

#include <string.h>

static const uint64_t nothing_below[] = {0};

/* The choices of a sketch as dimensions; one of a single value where there is no choice. */
static struct place_space space_of(struct arena *arena, const struct sketch *sketch)
{
    uint32_t count = sketch->choice_count ? sketch->choice_count : 1;
    uint32_t *counts = ARENA_ARRAY(arena, uint32_t, count);
    const uint64_t **below = ARENA_ARRAY(arena, const uint64_t *, count);
    counts[0] = 1;
    below[0] = nothing_below;
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        counts[c] = sketch->choices[c].value_count;
        below[c] = sketch->choices[c].below;
    }
    return (struct place_space){.dimensions = count, .counts = counts, .below = below};
}

static struct sketch_filling filling_of(const struct sketch *sketch, const uint8_t *point)
{
    struct sketch_filling filling = {{0}};
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        filling.value[c] = point[c];
    return filling;
}

/* How few changes will do is asked where so many fillings were asked about, and none accepted; for half of the time. */
enum { ASKED_BEFORE = 16 };

struct guess {
    bool wanted, made;
    struct place_few few;
    struct place_found found; /* up to what the changes make */
    bool kept;                /* it is the last of what was found, without steps below */
};

struct answering {
    struct place_asker asker;
    const struct place_question *question;
    struct place_space space;
    uint32_t enough; /* 0: all */
    uint32_t accepted;
    struct placement_reason first_reason; /* of the first that was refused */
    bool has_reason;
    struct guess guess;
    bool confirms; /* what is accepted, at once: the time may end before all is found */
    VEC(struct placement_filling) confirmed;
    double confirm_seconds;
};

/* Were as many accepted as were asked for? */
static bool is_enough(const struct answering *a)
{
    return a->enough && a->accepted >= a->enough;
}

static void make_guess(struct answering *a);
static uint64_t all_of(const struct place_question *question);

static void confirm(struct answering *a, const struct sketch_filling *filling)
{
    const struct timespec start = clock_now_monotonic();
    struct placement_filling confirmed = {.filling = *filling};
    if (ANY(i, a->confirmed.count,
            memcmp(&a->confirmed.items[i].filling, filling, sizeof *filling) == 0))
        return;
    place_confirm(&a->asker, &confirmed);
    VEC_PUSH(&a->confirmed, confirmed);
    a->confirm_seconds += clock_seconds_since(&start);
}

static enum place_answer ask(void *context, const uint8_t *point, uint64_t *box)
{
    struct answering *a = context;
    if (is_enough(a))
        return PLACE_STOP;
    if (a->guess.wanted && !a->guess.made && !a->accepted && a->asker.count >= ASKED_BEFORE)
        make_guess(a);
    const struct sketch_filling filling = filling_of(a->question->sketch, point);
    const struct place_tried tried =
        place_try(&a->asker, &filling, a->question->one_by_one ? NULL : box);
    a->accepted += tried.answer == PLACE_ACCEPTED;
    if (tried.answer == PLACE_ACCEPTED && a->confirms)
        confirm(a, &filling);
    if (tried.answer == PLACE_REFUSED && !a->has_reason) {
        a->first_reason = tried.reason;
        a->has_reason = true;
    }
    if (tried.answer == PLACE_REFUSED && a->question->on_box)
        a->question->on_box(a->question->context, point, box);
    return tried.answer;
}

/* ---- A guess ---- */

/* Up to the values of the changes, and nothing else changed. */
static void search_below(struct answering *a)
{
    struct guess *guess = &a->guess;
    struct place_space below = a->space;
    uint32_t *counts = ARENA_ARRAY(a->asker.arena, uint32_t, below.dimensions);
    for (uint32_t d = 0; d < below.dimensions; d++)
        counts[d] = guess->few.filling.value[d] + 1u;
    below.counts = counts;
    below.balance_count = 0;
    a->enough = guess->few.count > 2; /* else there are few to look at */
    place_search(&below, ask, a, &guess->found);
    a->enough = 0;
}

static bool take_steps(struct answering *a, struct placement_filling *filling);

static bool has_found(const struct place_found *found, uint32_t width, const uint8_t *point)
{
    for (size_t at = 0; at < found->accepted.count; at += width)
        if (memcmp(found->accepted.items + at, point, width) == 0)
            return true;
    return false;
}

/* One change or two, or the same one everywhere. By an asker of its own: what the search asks about does not depend on it. */
static void make_guess(struct answering *a)
{
    struct guess *guess = &a->guess;
    struct place_asker search = a->asker;
    place_refusals refused = {.count = 0};
    guess->made = true;
    place_asker_init(&a->asker, search.arena, a->question);
    place_want(&a->asker, all_of(a->question));
    a->asker.clock = clock_limit_part(&search.clock, 0.5);
    guess->few = place_few_find(&a->asker, &refused);
    VEC_FREE(&refused);
    a->asker.clock = search.clock;
    if (guess->few.count) {
        confirm(a, &guess->few.filling);
        search_below(a);
    }
    for (size_t i = 0; i < a->confirmed.count; i++)
        if (has_found(&guess->found, a->space.dimensions, a->confirmed.items[i].filling.value))
            take_steps(a, &a->confirmed.items[i]);
    place_asker_fini(&a->asker);
    a->asker = search;
    a->accepted = 0;
}

/* What the search did not come to. */
static void add_guess(const struct answering *a, struct place_found *found)
{
    const struct place_found *guess = &a->guess.found;
    const uint32_t width = a->space.dimensions;
    for (size_t at = 0; at < guess->accepted.count; at += width) {
        const bool known = has_found(found, width, guess->accepted.items + at);
        for (uint32_t d = 0; d < width && !known; d++)
            VEC_PUSH(&found->accepted, guess->accepted.items[at + d]);
    }
}

static bool is_confirmed(const struct placement_filling *filling)
{
    return *filling->confirmed_by && !filling->disputed_by;
}

/* The few changes themselves, where the limit came before anything smaller was found that is as
 * sure. */
static void add_few(struct answering *a, struct place_found *found)
{
    const struct place_few *few = &a->guess.few;
    const uint32_t width = a->space.dimensions;
    const struct placement_filling *confirmed =
        FIND(i, a->confirmed.items, a->confirmed.count,
             is_confirmed(&a->confirmed.items[i]) &&
                 has_found(found, width, a->confirmed.items[i].filling.value));
    if (!few->count || has_found(found, width, few->filling.value) || (confirmed && !few->refused))
        return;
    for (uint32_t d = 0; d < width; d++)
        VEC_PUSH(&found->accepted, few->filling.value[d]);
    a->guess.kept = true;
}

static bool is_repair(const struct sketch *sketch)
{
    return sketch->choice_count && ALL(c, sketch->choice_count, sketch->choices[c].original == 0);
}

/* If the balances refuse all fillings: finds why the smallest one is refused. */
static void ask_smallest(struct answering *a, struct place_found *found)
{
    const struct sketch_filling smallest = {{0}};
    const struct place_tried tried = place_try(&a->asker, &smallest, NULL);
    BASE_CHECK(tried.answer != PLACE_ACCEPTED);
    a->first_reason = tried.reason;
    a->has_reason = true;
    found->asked = 1;
}

static void search(struct answering *a, uint64_t wanted, uint32_t enough, struct place_found *found)
{
    place_want(&a->asker, wanted);
    a->enough = enough;
    a->accepted = 0;
    a->has_reason = false;
    place_search(&a->space, ask, a, found);
    if (!found->asked && found->complete)
        ask_smallest(a, found);
}

/* ---- Steps below ---- */

/* False: time ran out. */
static bool take_step(struct answering *a, const struct sketch_filling *from, uint32_t choice,
                      uint32_t value, struct placement_step *step)
{
    struct sketch_filling filling = *from;
    filling.value[choice] = (uint8_t)value;
    const struct place_tried tried = place_try(&a->asker, &filling, NULL);
    BASE_CHECK(tried.answer != PLACE_ACCEPTED);
    *step = (struct placement_step){choice, (uint8_t)value, tried.reason};
    return tried.answer != PLACE_STOP;
}

static bool take_steps(struct answering *a, struct placement_filling *filling)
{
    const struct sketch *sketch = a->question->sketch;
    VEC(struct placement_step) steps = {NULL, 0, 0};
    bool all = true;
    for (uint32_t c = 0; c < sketch->choice_count && all; c++)
        BITS_EACH_IN_WORD (u,
                           place_next_below(sketch->choices[c].below, filling->filling.value[c])) {
            struct placement_step step;
            all = all && take_step(a, &filling->filling, c, u, &step);
            if (all)
                VEC_PUSH(&steps, step);
        }
    filling->steps = VEC_KEEP(a->asker.arena, &steps);
    filling->step_count = (uint32_t)steps.count;
    VEC_FREE(&steps);
    return all;
}

/* False: time ran out; then not all have their steps, and what is not confirmed says so. */
static bool keep_accepted(struct answering *a, const struct place_found *found,
                          struct placement *placement)
{
    uint32_t width = a->space.dimensions, count = (uint32_t)(found->accepted.count / width);
    struct placement_filling *fillings =
        ARENA_ARRAY(a->asker.arena, struct placement_filling, count);
    bool all = true;
    placement->fillings = fillings;
    for (uint32_t i = 0; i < count; i++) {
        fillings[i].filling =
            filling_of(a->question->sketch, found->accepted.items + (size_t)i * width);
        EACH (const struct placement_filling, confirmed, a->confirmed.items, a->confirmed.count)
            if (memcmp(&confirmed->filling, &fillings[i].filling, sizeof confirmed->filling) == 0)
                fillings[i] = *confirmed;
        if (a->guess.kept && i + 1 == count)
            fillings[i].unreduced = !a->guess.few.refused;
        else
            all = (fillings[i].step_count || take_steps(a, &fillings[i])) && all;
    }
    placement->count = count;
    return all;
}

static void keep_open(struct answering *a, const struct place_found *found,
                      struct placement *placement)
{
    uint32_t width = a->space.dimensions, count = (uint32_t)(found->open.count / width);
    struct sketch_filling *open = ARENA_ARRAY(a->asker.arena, struct sketch_filling, count);
    struct placement_reason *reasons = ARENA_ARRAY(a->asker.arena, struct placement_reason, count);
    for (uint32_t i = 0; i < count; i++) {
        open[i] = filling_of(a->question->sketch, found->open.items + (size_t)i * width);
        reasons[i] = place_try(&a->asker, &open[i], NULL).reason;
    }
    placement->open = open;
    placement->open_reasons = reasons;
    placement->open_count = count;
}

/* ---- No filling ---- */

enum found_one { FOUND, NONE, NOT_KNOWN };

/* A filling that meets these conditions. */
static enum found_one find_one(struct answering *a, uint64_t wanted, struct sketch_filling *filling)
{
    struct place_found found;
    search(a, wanted, 1, &found);
    enum found_one answer = found.accepted.count                  ? FOUND
                            : found.complete && !found.open.count ? NONE
                                                                  : NOT_KNOWN;
    if (answer == FOUND)
        *filling = filling_of(a->question->sketch, found.accepted.items);
    place_found_fini(&found);
    return answer;
}

/* The number of conditions of all files; LIT_NONE if one cannot be read in its smallest filling. */
static uint32_t count_conditions(const struct answering *a)
{
    const struct sketch_filling smallest = {{0}};
    uint32_t count = 0;
    for (uint32_t file = 0; file < a->question->sketch->given_count; file++) {
        struct session_test test;
        bool read = place_read(&a->asker, &smallest, file, &test);
        count += read ? test.program->condition_count : 0;
        session_test_fini(&test);
        if (!read)
            return LIT_NONE;
    }
    return count;
}

/* Keeps a condition of the conflict: a filling that meets it alone, and what breaks it in one that
 * meets the others. */
static bool keep_clash(struct answering *a, uint64_t conflict, uint32_t condition,
                       struct placement *placement, struct placement_clash *clash)
{
    uint64_t alone = UINT64_C(1) << condition;
    enum found_one met = find_one(a, alone, &clash->met_by);
    clash->can_be_met = met == FOUND;
    placement->never_met |= met == NONE ? alone : 0;
    if (met == NOT_KNOWN || find_one(a, conflict & ~alone, &clash->broken_by) != FOUND)
        return false;
    place_want(&a->asker, conflict);
    const struct place_tried tried = place_try(&a->asker, &clash->broken_by, NULL);
    clash->reason = tried.reason;
    return tried.answer == PLACE_REFUSED;
}

/* Keeps why the first filling was refused, if no filling does even without conditions, or there is
 * only one condition. */
static void keep_hopeless(struct answering *a, struct placement *placement,
                          const struct placement_reason *reason)
{
    placement->clashes = ARENA_MAKE(a->asker.arena, struct placement_clash, .reason = *reason);
    placement->clash_count = 1;
}

static uint64_t all_of(const struct place_question *question)
{
    return question->conditions ? question->conditions : ~UINT64_C(0);
}

/* Finds a minimal set of conditions that no filling meets: leaves out each one whose absence
 * changes nothing. */
static void find_clashes(struct answering *a, struct placement *placement)
{
    uint32_t count = count_conditions(a);
    struct placement_reason first = a->first_reason;
    struct sketch_filling filling;
    if (count == LIT_NONE || count >= 63) {
        keep_hopeless(a, placement, &first);
        return;
    }
    uint64_t conflict = ((UINT64_C(1) << count) - 1) & all_of(a->question);
    BITS_EACH_IN_WORD (c, all_of(a->question) & conflict) {
        enum found_one rest = find_one(a, conflict & ~(UINT64_C(1) << c), &filling);
        if (rest == NOT_KNOWN && bits_count(conflict) == 1)
            keep_hopeless(a, placement, &first);
        if (rest == NOT_KNOWN)
            return;
        if (rest == NONE)
            conflict &= ~(UINT64_C(1) << c);
    }
    if (!conflict) {
        keep_hopeless(a, placement, &first);
        return;
    }
    struct placement_clash *clashes =
        ARENA_ARRAY(a->asker.arena, struct placement_clash, bits_count(conflict));
    BITS_EACH_IN_WORD (c, conflict)
        if (!keep_clash(a, conflict, c, placement, &clashes[placement->clash_count++])) {
            placement->clash_count = 0;
            return;
        }
    placement->clashes = clashes;
}

/* ---- All of it ---- */

/* Is the greatest filling the test as it stands, and accepted? The search comes to it last. */
static bool stands(struct answering *a)
{
    const struct sketch *sketch = a->question->sketch;
    struct sketch_filling filling = {{0}};
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        if (sketch->choices[c].original + 1 != (int32_t)sketch->choices[c].value_count)
            return false;
        filling.value[c] = (uint8_t)sketch->choices[c].original;
    }
    return place_try(&a->asker, &filling, NULL).answer == PLACE_ACCEPTED;
}

static double size_of(const struct place_space *space)
{
    double size = 1;
    for (uint32_t d = 0; d < space->dimensions; d++)
        size *= space->counts[d];
    return size;
}

void place_answer(struct arena *arena, const struct place_question *question,
                  struct placement *placement)
{
    const struct timespec start = clock_now_monotonic();
    struct answering a = {.question = question, .space = space_of(arena, question->sketch)};
    struct place_found found;
    *placement = (struct placement){.sketch = question->sketch, .total = size_of(&a.space)};
    place_asker_init(&a.asker, arena, question);
    a.space.clock = &a.asker.clock;
    place_want(&a.asker, all_of(question));
    bool will_do = stands(&a);
    if (!question->one_by_one)
        a.space.balances = place_rendezvous(&a.asker, &a.space.balance_count);
    a.guess.wanted = !question->enough && !question->one_by_one && is_repair(question->sketch);
    a.confirms = true;
    search(&a, all_of(question), question->enough, &found);
    a.confirms = false;
    a.guess.wanted = false;
    placement->search_seconds = clock_seconds_since(&start) - a.confirm_seconds;
    placement->tried = found.asked;
    placement->refused = found.boxes;
    if (!found.complete) {
        add_guess(&a, &found);
        add_few(&a, &found);
    }
    a.asker.count = 0; /* steps below what was found are no part of the search */
    keep_open(&a, &found, placement);
    placement->fewest = a.guess.few.count && a.guess.few.fewest;
    placement->complete = keep_accepted(&a, &found, placement) && found.complete;
    placement->stands = will_do && !placement->complete && !placement->count;
    if (!placement->complete)
        placement->limit = is_enough(&a) ? NULL : place_limit_words(&a.asker);
    else if (!placement->count && !placement->open_count && !question->no_clashes) {
        find_clashes(&a, placement);
        if (!placement->clash_count)
            placement->limit = "which conditions stand against each other is not known";
    }
    placement->executions = a.asker.executions;
    placement->seconds = clock_seconds_since(&start);
    place_found_fini(&found);
    place_found_fini(&a.guess.found);
    VEC_FREE(&a.confirmed);
    place_asker_fini(&a.asker);
}
