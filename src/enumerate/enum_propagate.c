/* Propagation from violated constraints, before the next choice. A source that the model or its
 * value excludes is removed from a read; the last one left is its source. A pair of writes that
 * coherence cannot order one way is ordered the other way. One walk over the model's checks
 * (cat/cat_imply.h) finds those pairs, and is repeated as long as anything follows. So a choice
 * that cannot be completed mostly fails where it is made. */
#include "enumerate/enum_cases.h"
#include "enumerate/enum_goal.h"

#include "base/bits.h"
#include "exec/exec_basis.h"

enum progress { NOTHING, MORE, LOST };

static enum progress both(enum progress a, enum progress b)
{
    return a > b ? a : b;
}

/* ---- Values ---- */

/* May the path go on as it does when this read returns what the write writes? */
bool enum_value_fits(struct enum_search *s, uint32_t read, uint32_t write)
{
    BASE_ASSERT(write < s->dim.n);
    BASE_ASSERT(s->source[read] == LIT_NONE);
    const struct ev *event = &s->skeleton->events[read];
    uint32_t number = enum_value_number(s, read);
    if (!s->relied_on[number] || !enum_write_value(s, write, &s->values[number]))
        return true;
    if (s->state->looked_at && s->skeleton->events[write].init)
        s->state->looked_at[event->location] = true;
    BASE_ASSERT(!s->known[number]);
    s->known[number] = true;
    bool fits = enum_path_holds(s, event->thread);
    s->known[number] = false;
    return fits;
}

/* ---- Sources ---- */

static bool is_ruled_out(struct enum_search *s, uint32_t read, uint32_t write)
{
    BASE_ASSERT(rel_has(s->dim, s->rf[ENUM_UPPER], write, read));
    const rel_word *rf = cat_implied_out(s->implied, EXEC_REL_RF);
    const rel_word *fr = cat_implied_out(s->implied, EXEC_REL_FR);
    if (rf && rel_has(s->dim, rf, write, read))
        return true;
    const rel_word *later = rel_row(s->dim, enum_co(s)->bound[ENUM_LOWER], write);
    for (uint32_t k = 0; fr && k < s->dim.words; k++)
        if (later[k] & rel_row(s->dim, fr, read)[k])
            return true;
    return !enum_source_ascends(s, read, write) || !enum_value_fits(s, read, write);
}

static enum progress narrow_read(struct enum_search *s, uint32_t read)
{
    BASE_ASSERT(s->source[read] == LIT_NONE);
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    uint32_t left = 0, last = 0;
    bool fewer = false;
    BITS_EACH (write, k, s->dim.words, writes[k]) {
        if (!rel_has(s->dim, s->rf[ENUM_UPPER], write, read))
            continue;
        if (is_ruled_out(s, read, write)) {
            enum_not_from(s, read, write);
            fewer = true;
        } else {
            last = write;
            left++;
        }
    }
    if (left == 1)
        enum_read_from(s, read, last);
    else if (fewer)
        enum_update_fr(s, read);
    return left == 0 ? LOST : left == 1 || fewer ? MORE : NOTHING;
}

/* With many events a single read takes so long that the clock is asked before each. A search that
 * is out of time has no use for the rest. */
static bool is_late(struct enum_search *s)
{
    return enum_is_large(s) && enum_out_of_time(s->state);
}

static enum progress narrow_reads(struct enum_search *s)
{
    enum progress progress = NOTHING;
    for (uint32_t i = 0; i < s->skeleton->read_count && progress != LOST; i++)
        if (is_late(s))
            progress = LOST;
        else if (s->source[s->skeleton->reads[i]] == LIT_NONE)
            progress = both(progress, narrow_read(s, s->skeleton->reads[i]));
    return progress;
}

/* ---- Coherence ---- */

/* What coherence must not have: as the model says, and because a read would be before a write in fr
 * that it must not be before. */
static void collect_barred(struct enum_search *s, rel_word *barred)
{
    BASE_ASSERT(barred == s->room[0]);
    const rel_word *co = cat_implied_out(s->implied, EXEC_REL_CO);
    const rel_word *fr = cat_implied_out(s->implied, EXEC_REL_FR);
    if (co)
        rel_copy(s->dim, barred, co);
    else
        rel_clear(s->dim, barred);
    for (uint32_t i = 0; fr && i < s->skeleton->read_count; i++) {
        uint32_t read = s->skeleton->reads[i];
        if (s->source[read] != LIT_NONE)
            set_union(s->dim, enum_row(s, barred, s->source[read]),
                      enum_row(s, barred, s->source[read]), rel_row(s->dim, fr, read));
    }
}

const rel_word *enum_collect_barred(struct enum_search *s)
{
    collect_barred(s, s->room[0]);
    return s->room[0];
}

/* Pairs that coherence must have: those it must not have the other way, where it is total, and
 * those that the model calls for. Adds them to `order`; whether there are any new ones. */
static bool collect_called_for(struct enum_search *s, const rel_word *barred, rel_word *order)
{
    BASE_ASSERT(barred != order);
    const struct enum_order *co = enum_co(s);
    const rel_word *in = cat_implied_in(s->implied, EXEC_REL_CO);
    bool any = false;
    for (uint32_t a = 0; a < s->dim.n; a++) {
        const rel_word *open = rel_row(s->dim, co->pairs, a);
        for (uint32_t k = 0; k < s->dim.words; k++) {
            rel_word rest = open[k] & ~rel_row(s->dim, order, a)[k];
            rel_word called = in ? rest & rel_row(s->dim, in, a)[k] : 0;
            if (!co->partial)
                BITS_EACH_IN_WORD (bit, rest)
                    if (rel_has(s->dim, barred, k * 64 + bit, a))
                        called |= UINT64_C(1) << bit;
            enum_row(s, order, a)[k] |= called;
            any |= called != 0;
        }
    }
    return any;
}

/* Where coherence is partial, a pair it must not have may still be unordered. */
static bool take_away(struct enum_search *s, const rel_word *barred)
{
    const struct enum_order *co = enum_co(s);
    bool any = false;
    for (uint32_t a = 0; co->partial && a < s->dim.n; a++)
        for (uint32_t k = 0; k < s->dim.words; k++) {
            rel_word *word = enum_row(s, co->bound[ENUM_UPPER], a) + k;
            rel_word less = *word & ~rel_row(s->dim, barred, a)[k];
            any |= less != *word;
            enum_change_word(s, ENUM_CO, word, less);
        }
    return any;
}

static void update_all_fr(struct enum_search *s)
{
    for (uint32_t i = 0; i < s->skeleton->read_count && !is_late(s); i++)
        enum_update_fr(s, s->skeleton->reads[i]);
}

static enum progress order_writes(struct enum_search *s)
{
    rel_word *barred = s->room[0], *order = s->room[1];
    collect_barred(s, barred);
    bool fewer = take_away(s, barred);
    rel_copy(s->dim, order, enum_co(s)->bound[ENUM_LOWER]);
    bool more = collect_called_for(s, barred, order);
    if (more && !enum_order_all(s, enum_co(s), order, s->room[0]))
        return LOST;
    if (more || fewer)
        update_all_fr(s);
    if (s->state->stopped)
        return LOST;
    return more || fewer ? MORE : NOTHING;
}

/* ---- Those who wait for ever ---- */

/* Does the constraint of a spinning wait hold when it finds this value? */
static bool spins_at(struct enum_search *s, uint32_t thread, const struct exec_constraint *spin,
                     uint32_t slot, int64_t value)
{
    BASE_ASSERT(slot >= s->skeleton->paths[thread]->event_count &&
                slot < s->skeleton->paths[thread]->slot_count);
    struct exec_reads reads = enum_reads_of(s, thread);
    uint32_t number = s->skeleton->value_base[thread] + slot;
    int64_t result;
    s->values[number] = value;
    s->known[number] = true;
    bool known = exec_value_get(spin->value, &reads, &result);
    s->known[number] = false;
    return !known || (result != 0) == spin->truth;
}

/* What it finds is coherence-latest. */
static bool may_spin(struct enum_search *s, uint32_t thread, const struct exec_constraint *spin)
{
    BASE_ASSERT(thread < s->skeleton->program->thread_count);
    const struct exec_path *path = s->skeleton->paths[thread];
    uint32_t slot = exec_value_single_read(spin->value);
    if (slot == LIT_NONE || slot < path->event_count)
        return true;
    uint32_t location = path->events[slot].location;
    BASE_ASSERT(location < s->skeleton->program->location_count);
    BASE_ASSERT(slot < path->slot_count);
    const rel_word *writes = exec_writes_of(s->skeleton, location);
    bool any = false;
    BITS_EACH (write, k, s->dim.words, writes[k]) {
        int64_t value;
        any = true;
        if (!enum_may_be_latest(s, writes, write))
            continue;
        if (s->state->looked_at && s->skeleton->events[write].init)
            s->state->looked_at[location] = true;
        if (!enum_write_value(s, write, &value) || spins_at(s, thread, spin, slot, value))
            return true;
    }
    return !any;
}

static bool may_be_stuck(struct enum_search *s)
{
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++) {
        const struct exec_path *path = s->skeleton->paths[t];
        for (uint32_t i = 0; path->end == EXEC_AT_AWAIT && i < path->spin_count; i++)
            if (!may_spin(s, t, &path->spins[i]))
                return false;
    }
    return true;
}

/* ---- The whole ---- */

static bool is_open(const struct enum_search *s)
{
    BASE_ASSERT(s->decided.count <= s->skeleton->read_count);
    const struct enum_order *co = enum_co(s);
    size_t words = rel_words(s->dim);
    if (s->decided.count < s->skeleton->read_count)
        return true;
    return ANY(k, words, co->pairs[k] & co->bound[ENUM_UPPER][k] & ~co->bound[ENUM_LOWER][k]);
}

/* After the model was asked in vain it is asked less often. That costs little on tests of which
 * nearly every choice can be completed. With few events and no read-modify-write, the first choices
 * are not asked about at all: trying them takes less time than asking. */
void enum_begin_propagation(struct enum_search *s)
{
    s->to_skip = enum_is_large(s) || s->rmw_count ? 0 : enum_thresholds(s->state)->first_skipped;
}

/* Multiplies the number of ways to go on by those of the open pairs of an order. An order that the
 * model chooses counts as too many, since its pairs are not known before its turn. */
static uint32_t times_pairs(const struct enum_search *s, const struct enum_order *order,
                            uint32_t ways, uint32_t most)
{
    BASE_ASSERT(s->dim.words == 1);
    for (uint32_t a = 0; a < s->dim.n && ways <= most; a++) {
        rel_word open = order->pairs[a] & order->bound[ENUM_UPPER][a] &
                        ~order->bound[ENUM_LOWER][a] & ((UINT64_C(1) << a) - 1);
        for (; open && ways <= most; open &= open - 1)
            ways *= order->partial ? 3 : 2;
    }
    return order->choice == LIT_NONE ? ways : UINT32_MAX;
}

/* The same of the sources that a read may still have. */
static uint32_t times_sources(const struct enum_search *s, uint32_t read, uint32_t ways)
{
    BASE_ASSERT(s->dim.words == 1 && s->source[read] == LIT_NONE);
    uint32_t sources = 0;
    BITS_EACH_IN_WORD (write, *exec_writes_of(s->skeleton, s->skeleton->events[read].location))
        sources += (uint32_t)(s->rf[ENUM_UPPER][write] >> read & 1);
    return ways * sources;
}

/* Are so few ways left that trying all of them takes less time than asking the model? The model is
 * asked about each complete choice anyway. If a final state is looked for, its values rule out most
 * ways, so more of them count as few. */
static bool has_few_ways(const struct enum_search *s)
{
    const struct lit_condition *goal = s->state->goal;
    const struct engine_thresholds *few = enum_thresholds(s->state);
    const uint32_t most = goal && goal->when == LIT_FINAL ? few->ways_of_values : few->ways;
    uint32_t ways = 1;
    if (!enum_is_short(s->state, s->skeleton) || s->has_outlook || s->state->flag_plan)
        return false;
    for (uint32_t i = 0; i < s->skeleton->read_count && ways <= most; i++)
        if (s->source[s->skeleton->reads[i]] == LIT_NONE)
            ways = times_sources(s, s->skeleton->reads[i], ways);
    for (uint32_t i = 0; i < s->order_count && ways <= most; i++)
        ways = times_pairs(s, &s->orders[i], ways, most);
    return ways <= most;
}

static bool is_worth_it(struct enum_search *s)
{
    if (s->skipped < s->to_skip) {
        s->skipped++;
        return false;
    }
    return is_open(s);
}

static void note_worth(struct enum_search *s, bool any)
{
    s->skipped = 0;
    uint32_t most = enum_thresholds(s->state)->skipped, next = s->to_skip * 2 + 1;
    BASE_ASSERT(s->to_skip <= most);
    s->to_skip = any ? 0 : next < most ? next : most;
}

static enum progress follow(struct enum_search *s)
{
    if (!s->implied)
        s->implied = cat_implied_new(&s->state->scratch, s->eval);
    cat_implied_find(s->implied);
    enum progress progress = narrow_reads(s);
    if (progress != LOST)
        progress = both(progress, order_writes(s));
    enum_learn_values(s);
    return progress;
}

/* With many events propagation takes far longer than a look at what is known without it. */
bool enum_may_open(struct enum_search *s)
{
    if (!enum_is_large(s) || !s->has_outlook)
        return true;
    bool open = enum_viable(s) && enum_outlook_open(s);
    s->outlook_to_skip = 0;
    return open;
}

bool enum_settled(struct enum_search *s)
{
    bool any = false;
    if (s->state->certificate)
        return enum_case_is_open(s);
    for (;;) {
        if (!enum_values_fit(s) || !may_be_stuck(s))
            return false;
        if (!any && has_few_ways(s))
            return true;
        if (!enum_model_allows(s))
            return false;
        if (!any && !is_worth_it(s))
            return enum_outlook_open(s);
        enum progress progress = follow(s);
        if (!any)
            note_worth(s, progress != NOTHING);
        any = true;
        if (progress != MORE)
            return progress != LOST && enum_outlook_open(s);
    }
}
