/* Depth first: first what each read reads from, in event order, then the pairs of
 * writes to one location that coherence has not ordered yet. Every choice updates
 * lower and upper bounds of rf, co and fr; changed words are kept on a trail and put
 * back on return. Values follow rf as soon as the write's own value is known, and a
 * path's constraint on them ends a choice as well as a lost check does. */
#include "enumerate/enum_search.h"

#include "base/bits.h"
#include "enumerate/enum_thin_air.h"
#include "exec/exec_basis.h"

#include <string.h>

static void change_word(struct enum_search *s, rel_word *word, rel_word value)
{
    if (*word == value)
        return;
    VEC_PUSH(&s->changes, (struct enum_change){word, *word});
    *word = value;
}

static rel_word *row_of(const struct enum_search *s, rel_word *matrix, uint32_t event)
{
    return matrix + (size_t)event * s->dim.words;
}

static void change_pair(struct enum_search *s, rel_word *matrix, uint32_t from, uint32_t to,
                        bool in)
{
    rel_word *word = row_of(s, matrix, from) + to / 64;
    rel_word bit = UINT64_C(1) << (to % 64);
    change_word(s, word, in ? *word | bit : *word & ~bit);
}

struct place {
    size_t changes, learned;
};

static struct place place(const struct enum_search *s)
{
    return (struct place){s->changes.count, s->learned.count};
}

void enum_forget_values(struct enum_search *s, size_t count)
{
    while (s->learned.count > count)
        s->known[VEC_POP(&s->learned)] = false;
}

static void go_back(struct enum_search *s, struct place to)
{
    while (s->changes.count > to.changes) {
        struct enum_change change = VEC_POP(&s->changes);
        *change.word = change.old;
    }
    enum_forget_values(s, to.learned);
}

struct exec_reads enum_reads_of(const struct enum_search *s, uint32_t thread)
{
    uint32_t base = s->skeleton->value_base[thread];
    return (struct exec_reads){s->values + base, s->known + base};
}

bool enum_write_value(const struct enum_search *s, uint32_t event, int64_t *value)
{
    const struct ev *write = &s->skeleton->events[event];
    if (write->init)
        return *value = write->value->value, true;
    struct exec_reads reads = enum_reads_of(s, write->thread);
    return exec_value_get(write->value, &reads, value);
}

uint32_t enum_value_number(const struct enum_search *s, uint32_t read)
{
    uint32_t thread = s->skeleton->events[read].thread;
    return s->skeleton->value_base[thread] + read - s->skeleton->first[thread];
}

void enum_learn_values(struct enum_search *s)
{
    for (bool learned = true; learned;) {
        learned = false;
        for (uint32_t i = 0; i < s->skeleton->read_count; i++) {
            uint32_t read = s->skeleton->reads[i], number = enum_value_number(s, read);
            if (s->known[number] || s->source[read] == LIT_NONE ||
                !enum_write_value(s, s->source[read], &s->values[number]))
                continue;
            s->known[number] = true;
            VEC_PUSH(&s->learned, number);
            learned = true;
        }
    }
}

bool enum_constraints_hold(const struct enum_search *s)
{
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++) {
        const struct exec_path *path = s->skeleton->paths[t];
        struct exec_reads reads = enum_reads_of(s, t);
        for (uint32_t i = 0; i < path->constraint_count; i++) {
            int64_t value;
            if (exec_value_get(path->constraints[i].value, &reads, &value) &&
                (value != 0) != path->constraints[i].truth)
                return false;
        }
    }
    return true;
}

/* fr = rf^-1; co, one read's row of one bound. */
static void update_fr(struct enum_search *s, uint32_t read)
{
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    for (int side = ENUM_LOWER; side <= ENUM_UPPER; side++) {
        for (uint32_t w = 0; w < s->dim.words; w++) {
            rel_word row = 0;
            for (uint32_t k = 0; k < s->dim.words; k++)
                BITS_EACH_IN_WORD (bit, writes[k]) {
                    uint32_t write = k * 64 + bit;
                    if (rel_has(s->dim, s->rf[side], write, read))
                        row |= row_of(s, s->co[side], write)[w];
                }
            change_word(s, row_of(s, s->fr[side], read) + w, row);
        }
    }
}

static void update_fr_of_location(struct enum_search *s, uint32_t location)
{
    for (uint32_t i = 0; i < s->skeleton->read_count; i++)
        if (s->skeleton->events[s->skeleton->reads[i]].location == location)
            update_fr(s, s->skeleton->reads[i]);
}

/* Orders one write before another, and with them all that stands before and after. */
static void order_writes(struct enum_search *s, uint32_t first, uint32_t second)
{
    uint32_t location = s->skeleton->events[first].location;
    const rel_word *writes = exec_writes_of(s->skeleton, location);
    rel_word *lower = s->co[ENUM_LOWER], *upper = s->co[ENUM_UPPER];
    for (uint32_t a = 0; a < s->dim.n; a++) {
        if (!bits_get(writes, a) || (a != first && !rel_has(s->dim, lower, a, first)))
            continue;
        for (uint32_t b = 0; b < s->dim.n; b++) {
            if (!bits_get(writes, b) || (b != second && !rel_has(s->dim, lower, second, b)))
                continue;
            change_pair(s, lower, a, b, true);
            change_pair(s, upper, b, a, false);
        }
    }
    update_fr_of_location(s, location);
}

static void read_from(struct enum_search *s, uint32_t read, uint32_t write)
{
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    for (uint32_t w = 0; w < s->dim.n; w++)
        if (bits_get(writes, w) && w != write)
            change_pair(s, s->rf[ENUM_UPPER], w, read, false);
    change_pair(s, s->rf[ENUM_LOWER], write, read, true);
    update_fr(s, read);
}

/* Can the witness as far as it is chosen still become a consistent execution? */
static bool viable(struct enum_search *s)
{
    s->state->outcome->stats.candidates++;
    return !enum_out_of_time(s->state) && enum_constraints_hold(s) && cat_eval_viable(s->eval);
}

uint32_t enum_latest_write(const struct enum_search *s, uint32_t location)
{
    const rel_word *writes = exec_writes_of(s->skeleton, location);
    uint32_t latest = LIT_NONE;
    for (uint32_t w = 0; w < s->dim.n; w++)
        if (bits_get(writes, w) &&
            (latest == LIT_NONE || rel_has(s->dim, s->co[ENUM_LOWER], latest, w)))
            latest = w;
    return latest;
}

static bool all_known(const struct enum_search *s)
{
    for (uint32_t i = 0; i < s->skeleton->read_count; i++)
        if (!s->known[enum_value_number(s, s->skeleton->reads[i])])
            return false;
    return true;
}

static void complete(struct enum_search *s)
{
    if (!cat_eval_exact(s->eval))
        return;
    if (all_known(s))
        enum_leaf(s);
    else
        enum_thin_air(s);
}

/* The writes numbered below `write` that are not ordered against it yet, as a set. */
static bool unordered_below(const struct enum_search *s, uint32_t write, rel_word *set)
{
    const rel_word *may = rel_row(s->dim, s->co[ENUM_UPPER], write);
    const rel_word *must = rel_row(s->dim, s->co[ENUM_LOWER], write);
    rel_word any = 0;
    for (uint32_t k = 0; k < s->dim.words; k++) {
        rel_word below = k < write / 64    ? ~UINT64_C(0)
                         : k == write / 64 ? (UINT64_C(1) << (write % 64)) - 1
                                           : 0;
        set[k] = may[k] & ~must[k] & below;
        any |= set[k];
    }
    return any != 0;
}

/* The member of a set, totally ordered by co, with as many before it as after it. */
static uint32_t middle_of(const struct enum_search *s, const rel_word *set)
{
    uint32_t count = set_count(s->dim, set), middle = LIT_NONE;
    for (uint32_t p = 0; p < s->dim.n && middle == LIT_NONE; p++) {
        uint32_t after = 0;
        const rel_word *later = rel_row(s->dim, s->co[ENUM_LOWER], p);
        for (uint32_t k = 0; k < s->dim.words; k++)
            after += bits_count(later[k] & set[k]);
        if (bits_get(set, p) && after == count / 2)
            middle = p;
    }
    return middle;
}

/* Writes are placed in the order of their numbers, each by comparing it with the middle
 * one of those it may still stand on either side of: so a choice is n log n deep. */
static bool find_unordered(const struct enum_search *s, uint32_t *first, uint32_t *second)
{
    for (uint32_t write = s->skeleton->init_count; write < s->dim.n; write++)
        if (unordered_below(s, write, s->unordered)) {
            *first = middle_of(s, s->unordered);
            *second = write;
            return true;
        }
    return false;
}

static void choose_co(struct enum_search *s)
{
    uint32_t a, b;
    if (!find_unordered(s, &a, &b)) {
        complete(s);
        return;
    }
    struct place here = place(s);
    for (int turn = 0; turn < 2 && !s->state->stopped; turn++) {
        order_writes(s, turn ? b : a, turn ? a : b);
        if (viable(s))
            choose_co(s);
        go_back(s, here);
    }
}

static void choose_rf(struct enum_search *s, uint32_t depth)
{
    if (depth == s->skeleton->read_count) {
        choose_co(s);
        return;
    }
    uint32_t read = s->skeleton->reads[depth];
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    struct place here = place(s);
    for (uint32_t w = 0; w < s->dim.n && !s->state->stopped; w++) {
        if (!bits_get(writes, w))
            continue;
        s->source[read] = w;
        read_from(s, read, w);
        enum_learn_values(s);
        if (viable(s))
            choose_rf(s, depth + 1);
        go_back(s, here);
    }
    s->source[read] = LIT_NONE;
}

/* Where a bound stands: in the evaluation when the model reads it, else beside it. */
static rel_word *bound_storage(struct enum_search *s, uint32_t base, bool upper)
{
    rel_word *matrix = cat_eval_base(s->eval, base, upper);
    return matrix ? matrix : ARENA_ARRAY(&s->state->scratch, rel_word, rel_words(s->dim));
}

static void set_first_bounds(struct enum_search *s)
{
    const struct exec_skeleton *skeleton = s->skeleton;
    for (uint32_t i = 0; i < skeleton->read_count; i++) {
        uint32_t read = skeleton->reads[i];
        const rel_word *writes = exec_writes_of(skeleton, skeleton->events[read].location);
        for (uint32_t w = 0; w < s->dim.n; w++)
            if (bits_get(writes, w))
                rel_add(s->dim, s->rf[ENUM_UPPER], w, read);
    }
    for (uint32_t a = 0; a < s->dim.n; a++)
        for (uint32_t b = skeleton->init_count; b < s->dim.n; b++) {
            const struct ev *from = &skeleton->events[a], *to = &skeleton->events[b];
            if (a == b || from->kind != EV_WRITE || to->kind != EV_WRITE ||
                from->location != to->location)
                continue;
            rel_add(s->dim, s->co[ENUM_UPPER], a, b);
            if (from->init)
                rel_add(s->dim, s->co[ENUM_LOWER], a, b);
        }
    for (uint32_t i = 0; i < skeleton->read_count; i++)
        update_fr(s, skeleton->reads[i]);
    VEC_CLEAR(&s->changes);
}

static void allocate(struct enum_search *s)
{
    struct arena *arena = &s->state->scratch;
    for (int side = ENUM_LOWER; side <= ENUM_UPPER; side++) {
        s->rf[side] = bound_storage(s, EXEC_REL_RF, side == ENUM_UPPER);
        s->co[side] = bound_storage(s, EXEC_REL_CO, side == ENUM_UPPER);
        s->fr[side] = bound_storage(s, EXEC_REL_FR, side == ENUM_UPPER);
    }
    s->unordered = ARENA_ARRAY(arena, rel_word, s->dim.words);
    s->source = ARENA_ARRAY(arena, uint32_t, s->dim.n);
    for (uint32_t e = 0; e < s->dim.n; e++)
        s->source[e] = LIT_NONE;
    s->values = ARENA_ARRAY(arena, int64_t, s->skeleton->slot_count);
    s->known = ARENA_ARRAY(arena, bool, s->skeleton->slot_count);
    const struct outcome *outcome = s->state->outcome;
    uint32_t width = outcome->final.width > outcome->crash.width ? outcome->final.width
                                                                 : outcome->crash.width;
    s->row = ARENA_ARRAY(arena, int64_t, width + 1);
}

void enum_search_skeleton(struct enum_state *state, const struct exec_skeleton *skeleton)
{
    struct enum_search s = {.state = state, .skeleton = skeleton, .dim = skeleton->dim};
    s.eval = cat_eval_new(&state->scratch, state->request->plan, skeleton->dim);
    allocate(&s);
    exec_skeleton_fill(skeleton, s.eval);
    set_first_bounds(&s);
    if (cat_eval_static(s.eval) && viable(&s))
        choose_rf(&s, 0);
    VEC_FREE(&s.changes);
    VEC_FREE(&s.learned);
}
