/* Lower and upper bounds of what is being chosen. A trail keeps changed words and restores them on
 * return. */
#include "enumerate/enum_search.h"

#include "base/bits.h"

void enum_change_word(struct enum_search *s, enum enum_chosen of, rel_word *word, rel_word value)
{
    if (*word == value)
        return;
    VEC_PUSH(&s->changes, (struct enum_change){word, *word, of});
    s->changed |= of;
    *word = value;
}

static void change_pair(struct enum_search *s, enum enum_chosen of, rel_word *matrix, uint32_t from,
                        uint32_t to, bool in)
{
    BASE_ASSERT(from < s->dim.n && to < s->dim.n);
    BASE_ASSERT(from != to || of == ENUM_CHOICES);
    rel_word *word = enum_row(s, matrix, from) + to / 64;
    rel_word bit = UINT64_C(1) << (to % 64);
    enum_change_word(s, of, word, in ? *word | bit : *word & ~bit);
}

struct enum_place enum_here(const struct enum_search *s)
{
    return (struct enum_place){s->changes.count, s->learned.count, s->decided.count};
}

void enum_forget_values(struct enum_search *s, size_t count)
{
    BASE_ASSERT(count <= s->learned.count);
    while (s->learned.count > count)
        s->known[VEC_POP(&s->learned)] = false;
}

void enum_go_back(struct enum_search *s, struct enum_place to)
{
    BASE_ASSERT(to.changes <= s->changes.count);
    BASE_ASSERT(to.learned <= s->learned.count);
    BASE_ASSERT(to.decided <= s->decided.count);
    while (s->changes.count > to.changes) {
        struct enum_change change = VEC_POP(&s->changes);
        *change.word = change.old;
        s->changed |= change.of;
    }
    enum_forget_values(s, to.learned);
    while (s->decided.count > to.decided) {
        BASE_ASSERT(s->source[VEC_LAST(&s->decided)] != LIT_NONE);
        s->source[VEC_POP(&s->decided)] = LIT_NONE;
    }
}

static void change_fr(struct enum_search *s, uint32_t read, const rel_word *all,
                      const rel_word *some)
{
    BASE_ASSERT(read < s->dim.n && s->skeleton->events[read].kind == EV_READ);
    for (uint32_t k = 0; k < s->dim.words; k++) {
        enum_change_word(s, ENUM_FR, enum_row(s, s->fr[ENUM_LOWER], read) + k, all[k]);
        enum_change_word(s, ENUM_FR, enum_row(s, s->fr[ENUM_UPPER], read) + k, some[k]);
    }
}

static void add_behind(const struct enum_search *s, uint32_t write, rel_word *all, rel_word *some)
{
    BASE_ASSERT(write < s->dim.n && s->skeleton->events[write].kind == EV_WRITE);
    const rel_word *must = rel_row(s->dim, enum_co(s)->bound[ENUM_LOWER], write);
    const rel_word *may = rel_row(s->dim, enum_co(s)->bound[ENUM_UPPER], write);
    for (uint32_t k = 0; k < s->dim.words; k++) {
        all[k] &= must[k];
        some[k] |= may[k];
    }
}

/* What is behind every write that may be the source is behind in any case. */
void enum_update_fr(struct enum_search *s, uint32_t read)
{
    BASE_ASSERT(read < s->dim.n && s->skeleton->events[read].kind == EV_READ);
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    rel_word *all = s->behind[ENUM_LOWER], *some = s->behind[ENUM_UPPER];
    bool any = s->source[read] != LIT_NONE;
    for (uint32_t k = 0; k < s->dim.words; k++) {
        all[k] = ~UINT64_C(0);
        some[k] = 0;
    }
    if (any)
        add_behind(s, s->source[read], all, some);
    for (uint32_t k = 0; s->source[read] == LIT_NONE && k < s->dim.words; k++)
        BITS_EACH_IN_WORD (bit, writes[k])
            if (rel_has(s->dim, s->rf[ENUM_UPPER], k * 64 + bit, read)) {
                add_behind(s, k * 64 + bit, all, some);
                any = true;
            }
    any &= s->source[read] != LIT_NONE || !s->state->certificate; /* the checker has rf^-1; co */
    for (uint32_t k = 0; !any && k < s->dim.words; k++)
        all[k] = 0;
    change_fr(s, read, all, some);
}

static void update_fr_of_location(struct enum_search *s, uint32_t location)
{
    BASE_ASSERT(location < s->skeleton->program->location_count);
    for (uint32_t i = 0; i < s->skeleton->read_count; i++)
        if (s->skeleton->events[s->skeleton->reads[i]].location == location)
            enum_update_fr(s, s->skeleton->reads[i]);
}

void enum_not_from(struct enum_search *s, uint32_t read, uint32_t write)
{
    BASE_ASSERT(bits_get(exec_writes_of(s->skeleton, s->skeleton->events[read].location), write));
    BASE_ASSERT(s->source[read] == LIT_NONE);
    change_pair(s, ENUM_RF, s->rf[ENUM_UPPER], write, read, false);
}

void enum_read_from(struct enum_search *s, uint32_t read, uint32_t write)
{
    BASE_ASSERT(s->source[read] == LIT_NONE);
    BASE_ASSERT(s->skeleton->events[read].kind == EV_READ);
    BASE_ASSERT(bits_get(exec_writes_of(s->skeleton, s->skeleton->events[read].location), write));
    s->source[read] = write;
    VEC_PUSH(&s->decided, read);
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    BITS_EACH (e, k, s->dim.words, writes[k])
        if (e != write)
            change_pair(s, ENUM_RF, s->rf[ENUM_UPPER], e, read, false);
    change_pair(s, ENUM_RF, s->rf[ENUM_LOWER], write, read, true);
    enum_update_fr(s, read);
}

/* {e} and all that stands before it. */
static void collect_until(const struct enum_search *s, const struct enum_order *order, uint32_t e,
                          rel_word *set)
{
    BASE_ASSERT(e < s->dim.n && set == s->set);
    for (uint32_t k = 0; k < s->dim.words; k++)
        set[k] = 0;
    for (uint32_t a = 0; a < s->dim.n; a++)
        if (a == e || rel_has(s->dim, order->bound[ENUM_LOWER], a, e))
            bits_set(set, a);
}

/* One row: `a` before the event `second` and all behind that. */
static bool order_row(struct enum_search *s, const struct enum_order *order, uint32_t a,
                      uint32_t second)
{
    BASE_ASSERT(a < s->dim.n && second < s->dim.n);
    const rel_word *behind = rel_row(s->dim, order->bound[ENUM_LOWER], second);
    const rel_word *may = rel_row(s->dim, order->bound[ENUM_UPPER], a);
    rel_word *row = enum_row(s, order->bound[ENUM_LOWER], a);
    for (uint32_t k = 0; k < s->dim.words; k++) {
        rel_word more = behind[k] | (k == second / 64 ? UINT64_C(1) << (second % 64) : 0);
        if (more & ~may[k])
            return false;
        enum_change_word(s, order->chosen, row + k, row[k] | more);
    }
    return true;
}

/* The events of `set` no longer stand behind `b`. */
static void exclude_row(struct enum_search *s, const struct enum_order *order, uint32_t b,
                        const rel_word *set)
{
    BASE_ASSERT(b < s->dim.n);
    rel_word *row = enum_row(s, order->bound[ENUM_UPPER], b);
    for (uint32_t k = 0; k < s->dim.words; k++)
        enum_change_word(s, order->chosen, row + k, row[k] & ~set[k]);
}

bool enum_order_pair(struct enum_search *s, const struct enum_order *order, uint32_t first,
                     uint32_t second)
{
    BASE_ASSERT(first < s->dim.n && second < s->dim.n && first != second);
    rel_word *until = s->set;
    collect_until(s, order, first, until);
    for (uint32_t a = 0; a < s->dim.n; a++)
        if (bits_get(until, a) && !order_row(s, order, a, second))
            return false;
    const rel_word *behind = rel_row(s->dim, order->bound[ENUM_LOWER], second);
    for (uint32_t b = 0; b < s->dim.n; b++)
        if (b == second || bits_get(behind, b))
            exclude_row(s, order, b, until);
    if (order == enum_co(s)) {
        BASE_ASSERT(s->skeleton->events[first].location == s->skeleton->events[second].location);
        update_fr_of_location(s, s->skeleton->events[first].location);
    }
    return true;
}

/* Whatever stands behind something no longer stands before it. */
static void exclude_inverse(struct enum_search *s, const struct enum_order *order, rel_word *room)
{
    rel_inverse(s->dim, room, order->bound[ENUM_LOWER]);
    for (uint32_t a = 0; a < s->dim.n; a++)
        exclude_row(s, order, a, rel_row(s->dim, room, a));
}

bool enum_order_all(struct enum_search *s, const struct enum_order *order, rel_word *pairs,
                    rel_word *room)
{
    BASE_ASSERT(pairs != room);
    BASE_ASSERT(pairs != order->bound[ENUM_LOWER] && room != order->bound[ENUM_LOWER]);
    size_t words = rel_words(s->dim);
    rel_plus(s->dim, pairs, pairs);
    if (!rel_subset(s->dim, pairs, order->bound[ENUM_UPPER]))
        return false;
    for (size_t k = 0; k < words; k++)
        enum_change_word(s, order->chosen, order->bound[ENUM_LOWER] + k, pairs[k]);
    exclude_inverse(s, order, room);
    return true;
}

void enum_leave_pair(struct enum_search *s, const struct enum_order *order, uint32_t a, uint32_t b)
{
    BASE_ASSERT(order->partial && a != b && a < s->dim.n && b < s->dim.n);
    change_pair(s, order->chosen, order->bound[ENUM_UPPER], a, b, false);
    change_pair(s, order->chosen, order->bound[ENUM_UPPER], b, a, false);
    if (order == enum_co(s))
        update_fr_of_location(s, s->skeleton->events[a].location);
}
