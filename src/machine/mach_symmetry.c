/* An exchange of two neighbouring units is worked out once: which bytes of a state change places,
 * and which, where they are then, name what the exchange renames. Sorting goes by such exchanges.
 */
#include "machine/mach_symmetry.h"

#include "base/bits.h"
#include "base/vec.h"
#include "machine/mach_reduce.h"

#include <string.h>

/* `bytes` of two places, which are exchanged. */
struct swap {
    uint16_t a, b, bytes;
};

/* Where a value is, and what it becomes there, by number. */
struct value_at {
    uint16_t at;
    const uint8_t *becomes;
};

/* Of masks: the bits that move. */
struct bits_moved {
    uint64_t moved;
    uint8_t to[64];
};

struct exchange {
    struct exec_exchange by;
    struct mach_renaming renaming;
    struct bits_moved lines;
    const struct swap *swaps; /* the first `compared` tell units apart */
    uint32_t compared, swap_count;
    const struct value_at *values;
    uint32_t value_count;
};

/* Of each unit and the next one, from `first` on. */
struct neighbours {
    uint32_t first, count;
};

struct mach_symmetry {
    struct mach_layout layout;
    const struct exchange *exchanges;
    const struct neighbours *classes; /* inner ones before outer ones */
    uint32_t exchange_count, class_count;
};

/* ---- Layouts ---- */

void mach_layout_add(struct mach_layout *layout, const struct mach_field *field)
{
    BASE_CHECK(layout->count < MACH_MAX_FIELDS);
    layout->fields[layout->count++] = *field;
}

static uint32_t place_of(const struct mach_field *field, uint32_t thing)
{
    return field->places ? field->places[thing] : field->at + thing * field->stride;
}

static uint32_t things_of(const struct mach_test *test, const struct mach_field *field)
{
    switch (field->of) {
    case MACH_OF_NOBODY: return 1;
    case MACH_OF_THREAD: return test->program->thread_count;
    case MACH_OF_LOCATION: return test->program->location_count;
    case MACH_OF_LINE: return test->line_count;
    }
    BASE_UNREACHABLE("what a field is of");
}

/* ---- Which exchanges a machine keeps ---- */

/* Caches stay where they are. Other units change places as a whole. */
static bool keeps_units(const struct mach_test *test, const struct exec_exchange *by)
{
    const uint32_t *unit_of = test->unit_of;
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        uint32_t to = exec_exchange_thread(by, t);
        if (test->caches.count && unit_of[t] != unit_of[to])
            return false;
        for (uint32_t u = 0; u < t; u++)
            if ((unit_of[t] == unit_of[u]) != (unit_of[to] == unit_of[exec_exchange_thread(by, u)]))
                return false;
    }
    return true;
}

/* Lines change places as a whole, each word with that of the same place. */
static bool keeps_lines(const struct mach_test *test, const struct exec_exchange *by)
{
    for (uint32_t l = 0; l < test->program->location_count; l++) {
        uint32_t to = exec_exchange_location(by, l);
        uint32_t first = test->line_words[test->line_begin[test->line_of[l]]];
        if (test->word_of[l] != test->word_of[to] ||
            test->line_of[exec_exchange_location(by, first)] != test->line_of[to])
            return false;
    }
    return true;
}

static const uint8_t *values_of(struct arena *arena, struct mach_test *test,
                                const struct exec_exchange *by, uint32_t location)
{
    if (!exec_exchange_renames(by, location))
        return NULL;
    uint8_t *becomes = ARENA_ARRAY(arena, uint8_t, UINT8_MAX + 1);
    for (uint32_t n = 0; n <= UINT8_MAX; n++)
        becomes[n] = (uint8_t)n;
    for (uint32_t n = 0; n < test->values->count; n++)
        becomes[n] =
            mach_number(test, exec_exchange_value(by, location, mach_value(test, (uint8_t)n)));
    return becomes;
}

/* Number 0 stands where there is no value, too. */
static bool keeps_nothing(const struct mach_test *test, const struct exec_exchange *by)
{
    for (uint32_t l = 0; l < test->program->location_count; l++)
        if (exec_exchange_value(by, l, mach_value(test, 0)) != mach_value(test, 0))
            return false;
    return true;
}

/* What is asked is what columns of states tell, or less (mach_reduce_to_conditions). */
static bool keeps_question(const struct mach_test *test, const struct exec_exchange *by)
{
    for (uint32_t t = 0; test->future && t < test->program->thread_count; t++)
        if (!mach_threads_count_alike(test, t, exec_exchange_thread(by, t)))
            return false;
    for (uint32_t l = 0; test->future && l < test->program->location_count; l++)
        if (!mach_locations_count_alike(test, l, exec_exchange_location(by, l)))
            return false;
    return true;
}

static bool is_kept(const struct mach_test *test, const struct exec_exchange *by)
{
    return keeps_units(test, by) && keeps_lines(test, by) && keeps_nothing(test, by) &&
           keeps_question(test, by);
}

/* Constants that units have of their own get their numbers now, as there is nobody then who could
 * give them some. False: that might leave others without. */
static bool number_constants(struct mach_test *test, const struct exec_class *class)
{
    uint32_t count = class->unit_count * class->constant_count;
    if (test->values->count + count > MACH_MAX_VALUES / 2)
        return false;
    for (uint32_t i = 0; i < count; i++)
        mach_number(test, class->constants[i].value);
    return true;
}

/* ---- An exchange ---- */

static void rename_things(struct arena *arena, struct mach_test *test, struct exchange *x)
{
    const struct lit_program *program = test->program;
    struct mach_renaming *r = &x->renaming;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        r->threads[t] = (uint8_t)exec_exchange_thread(&x->by, t);
        r->moved |= (uint64_t)(r->threads[t] != t) << t;
    }
    for (uint32_t l = 0; l < program->location_count; l++) {
        uint32_t to = exec_exchange_location(&x->by, l);
        r->locations[l] = (uint8_t)to;
        r->lines[test->line_of[l]] = (uint8_t)test->line_of[to];
        r->values[l] = values_of(arena, test, &x->by, l);
    }
    uint32_t lines = test->line_count - test->nv_line;
    for (uint32_t i = 0; i < test->caches.count * lines && i < 64; i++) {
        uint32_t to = i / lines * lines + r->lines[test->nv_line + i % lines] - test->nv_line;
        x->lines.to[i] = (uint8_t)to;
        x->lines.moved |= (uint64_t)(to != i) << i;
    }
}

typedef VEC(struct swap) swap_list;

static void add_swap(swap_list *swaps, uint32_t a, uint32_t b, uint32_t bytes, bool joins)
{
    struct swap *last = swaps->count ? &VEC_LAST(swaps) : NULL;
    if (joins && last && last->a + last->bytes == (int)a && last->b + last->bytes == (int)b)
        last->bytes = (uint16_t)(last->bytes + bytes);
    else
        VEC_PUSH(swaps, ((struct swap){(uint16_t)a, (uint16_t)b, (uint16_t)bytes}));
}

/* What of two units stands for thing `i` of each. False: there are no more. */
static bool get_pair(const struct mach_test *test, const struct exchange *x, enum mach_thing of,
                     uint32_t i, uint32_t *a, uint32_t *b)
{
    const struct exec_class *class = x->by.class;
    bool threads = of == MACH_OF_THREAD;
    uint32_t count = threads ? class->width : class->place_count;
    const uint32_t *all = threads ? class->threads : class->locations;
    if (of == MACH_OF_NOBODY || i >= count)
        return false;
    *a = all[x->by.a * count + i];
    *b = all[x->by.b * count + i];
    if (of == MACH_OF_LINE) {
        *a = test->line_of[*a];
        *b = test->line_of[*b];
    }
    return true;
}

/* A line of several locations that move is swapped with the first of them. */
static bool is_first_of_line(const struct mach_test *test, const struct exchange *x, uint32_t i)
{
    const uint32_t *own = &x->by.class->locations[x->by.a * x->by.class->place_count];
    for (uint32_t k = 0; k < i; k++)
        if (test->line_of[own[k]] == test->line_of[own[i]])
            return false;
    return true;
}

static bool tells(const struct exchange *x, const struct mach_field *field, uint32_t thing)
{
    return field->holds == MACH_HOLDS_BYTES ||
           (field->holds == MACH_HOLDS_VALUE && !x->renaming.values[thing]);
}

static void add_swaps(const struct mach_test *test, const struct mach_field *field,
                      const struct exchange *x, bool telling, swap_list *swaps)
{
    uint32_t a, b, begin = (uint32_t)swaps->count;
    for (uint32_t c = 0; c < field->copies; c++)
        for (uint32_t i = 0; get_pair(test, x, field->of, i, &a, &b); i++) {
            if (tells(x, field, a) != telling || (field->places && field->places[a] == LIT_NONE) ||
                (field->of == MACH_OF_LINE && !is_first_of_line(test, x, i)))
                continue;
            uint32_t offset = c * field->copy_stride;
            add_swap(swaps, place_of(field, a) + offset, place_of(field, b) + offset, field->bytes,
                     swaps->count > begin);
        }
}

static void find_swaps(struct arena *arena, const struct mach_test *test,
                       const struct mach_layout *layout, struct exchange *x)
{
    swap_list swaps = {0};
    const struct exec_class *class = x->by.class;
    for (uint32_t i = 0; i < class->width; i++) {
        uint32_t a = exec_class_thread(class, x->by.a, i), b = exec_class_thread(class, x->by.b, i);
        add_swap(&swaps, test->thread_bytes[a], test->thread_bytes[b],
                 MACH_REGISTERS + test->program->threads[a].register_count, false);
    }
    for (int telling = 1; telling >= 0; telling--) {
        for (uint32_t f = 0; f < layout->count; f++)
            add_swaps(test, &layout->fields[f], x, telling == 1, &swaps);
        if (telling)
            x->compared = (uint32_t)swaps.count;
    }
    x->swaps = VEC_KEEP(arena, &swaps);
    x->swap_count = (uint32_t)swaps.count;
    VEC_FREE(&swaps);
}

static void find_values(struct arena *arena, const struct mach_test *test,
                        const struct mach_layout *layout, struct exchange *x)
{
    VEC(struct value_at) values = {0};
    for (uint32_t f = 0; f < layout->count; f++) {
        const struct mach_field *field = &layout->fields[f];
        for (uint32_t l = 0; l < test->program->location_count; l++) {
            uint32_t to = x->renaming.locations[l];
            if (field->holds != MACH_HOLDS_VALUE || !x->renaming.values[l] ||
                (field->places && field->places[to] == LIT_NONE))
                continue;
            for (uint32_t c = 0; c < field->copies; c++)
                VEC_PUSH(&values, ((struct value_at){
                                      (uint16_t)(place_of(field, to) + c * field->copy_stride),
                                      x->renaming.values[l]}));
        }
    }
    x->values = VEC_KEEP(arena, &values);
    x->value_count = (uint32_t)values.count;
    VEC_FREE(&values);
}

/* ---- A test's exchanges ---- */

typedef VEC(struct exchange) exchange_list;
typedef VEC(struct neighbours) class_list;

static void add_exchange(struct arena *arena, struct mach_test *test,
                         const struct mach_layout *layout, const struct exec_exchange *by,
                         exchange_list *exchanges)
{
    struct exchange x;
    memset(&x, 0, sizeof x);
    x.by = *by;
    rename_things(arena, test, &x);
    find_swaps(arena, test, layout, &x);
    find_values(arena, test, layout, &x);
    VEC_PUSH(exchanges, x);
}

/* Of a part those units that the machine, too, lets be exchanged with the first, and so with each
 * other; then of the others. */
static void split_part(struct arena *arena, struct mach_test *test,
                       const struct mach_layout *layout, const struct stabilizer_part *part,
                       exchange_list *exchanges, class_list *classes)
{
    bool *taken = ARENA_ARRAY(arena, bool, part->count);
    for (uint32_t first = 0; first < part->count; first++) {
        struct neighbours class = {(uint32_t)exchanges->count, 0};
        for (uint32_t u = first + 1, last = first; u < part->count && !taken[first]; u++) {
            const struct exec_exchange ends = {part->class, part->units[first], part->units[u]};
            const struct exec_exchange by = {part->class, part->units[last], part->units[u]};
            if (taken[u] || !is_kept(test, &ends))
                continue;
            taken[u] = true;
            add_exchange(arena, test, layout, &by, exchanges);
            last = u;
            class.count++;
        }
        if (class.count)
            VEC_PUSH(classes, class);
    }
}

const struct mach_symmetry *mach_symmetry_new(struct arena *arena, struct mach_test *test,
                                              const struct stabilizer *left)
{
    exchange_list exchanges = {0};
    class_list classes = {0};
    struct mach_symmetry *s = ARENA_NEW(arena, struct mach_symmetry);
    if (left->count == 0 || test->config.faults || !test->machine->describe ||
        !test->machine->describe(test, arena, &s->layout))
        return NULL;
    mach_number(test, 0);
    for (uint32_t p = 0; p < left->count; p++)
        if (number_constants(test, left->parts[p].class))
            split_part(arena, test, &s->layout, &left->parts[p], &exchanges, &classes);
    s->exchanges = VEC_KEEP(arena, &exchanges);
    s->exchange_count = (uint32_t)exchanges.count;
    s->classes = VEC_KEEP(arena, &classes);
    s->class_count = (uint32_t)classes.count;
    VEC_FREE(&exchanges);
    VEC_FREE(&classes);
    return s->class_count ? s : NULL;
}

/* ---- Renaming a state ---- */

uint64_t mach_renamed_threads(const struct mach_renaming *by, uint64_t mask)
{
    uint64_t renamed = mask & ~by->moved;
    BITS_EACH_IN_WORD (t, mask & by->moved)
        renamed |= UINT64_C(1) << by->threads[t];
    return renamed;
}

static void rename_threads(const struct mach_renaming *by, uint8_t *mask, uint32_t bytes)
{
    uint64_t threads = 0;
    for (uint32_t i = 0; i < bytes; i++)
        threads |= (uint64_t)mask[i] << 8 * i;
    threads = mach_renamed_threads(by, threads);
    for (uint32_t i = 0; i < bytes; i++)
        mask[i] = (uint8_t)(threads >> 8 * i);
}

static void rename_lines(const struct bits_moved *by, uint8_t *mask, uint32_t bytes)
{
    uint64_t lines = 0, renamed;
    memcpy(&lines, mask, bytes);
    if (!(lines & by->moved))
        return;
    renamed = lines & ~by->moved;
    BITS_EACH_IN_WORD (i, lines & by->moved)
        renamed |= UINT64_C(1) << by->to[i];
    memcpy(mask, &renamed, bytes);
}

static void rename_names(const struct mach_test *test, const struct exchange *x,
                         const struct mach_field *field, uint8_t *state)
{
    uint32_t count = things_of(test, field);
    for (uint32_t c = 0; c < field->copies; c++)
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *at = state + place_of(field, i) + c * field->copy_stride;
            if (field->holds == MACH_HOLDS_THREADS)
                rename_threads(&x->renaming, at, field->bytes);
            else if (field->holds == MACH_HOLDS_LINES)
                rename_lines(&x->lines, at, field->bytes);
            else if (*at)
                *at = (uint8_t)(x->renaming.threads[*at - 1] + 1);
        }
}

static inline void swap_bytes(uint8_t *a, uint8_t *b, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        uint8_t byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

static void apply(const struct mach_symmetry *s, const struct mach_test *test,
                  const struct exchange *x, uint8_t *state)
{
    for (uint32_t i = 0; i < x->swap_count; i++)
        swap_bytes(state + x->swaps[i].a, state + x->swaps[i].b, x->swaps[i].bytes);
    for (uint32_t i = 0; i < x->value_count; i++)
        state[x->values[i].at] = x->values[i].becomes[state[x->values[i].at]];
    for (uint32_t f = 0; f < s->layout.count; f++)
        if (s->layout.fields[f].holds > MACH_HOLDS_VALUE)
            rename_names(test, x, &s->layout.fields[f], state);
    if (test->machine->rename)
        test->machine->rename(test, state, &x->renaming);
}

/* ---- Sorting ---- */

/* Negative: the unit stands before the next one. */
static inline int compare_units(const struct exchange *x, const uint8_t *state)
{
    int order = 0;
    for (uint32_t i = 0; i < x->compared && order == 0; i++)
        order = memcmp(state + x->swaps[i].a, state + x->swaps[i].b, x->swaps[i].bytes);
    return order;
}

/* Exchanges the two if they are not in order; whether they were. */
static bool put_in_order(const struct mach_symmetry *s, const struct mach_test *test,
                         const struct exchange *x, uint8_t *state)
{
    uint8_t other[MACH_MAX_STATE];
    int order = compare_units(x, state);
    if (order < 0)
        return true;
    memcpy(other, state, test->size);
    apply(s, test, x, other);
    if (order == 0 && memcmp(other, state, test->size) >= 0)
        return true;
    memcpy(state, other, test->size);
    return false;
}

bool mach_symmetry_settle(const struct mach_symmetry *s, const struct mach_test *test,
                          uint8_t *state)
{
    bool changed = false;
    for (uint32_t c = 0; c < s->class_count; c++) {
        const struct neighbours *class = &s->classes[c];
        for (uint32_t i = 0; i < class->count; i++)
            for (uint32_t k = i + 1; k > 0; k--) {
                if (put_in_order(s, test, &s->exchanges[class->first + k - 1], state))
                    break;
                changed = true;
            }
    }
    return changed;
}

/* ---- One exchange ---- */

uint32_t mach_symmetry_count(const struct mach_symmetry *s)
{
    return s->exchange_count;
}

void mach_symmetry_exchange(const struct mach_symmetry *s, const struct mach_test *test,
                            uint32_t number, uint8_t *state)
{
    apply(s, test, &s->exchanges[number], state);
}

uint32_t mach_symmetry_thread(const struct mach_symmetry *s, uint32_t number, uint32_t thread)
{
    return s->exchanges[number].renaming.threads[thread];
}
