/* An exchange of two neighbouring units is computed once: which bytes of a state change places, and
 * which bytes then name what the exchange renames. States are sorted by such exchanges, then by
 * those of everything that two compute units have. */
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

/* Exchanges that have nothing in common, all made at once: in each a change places with b. */
struct moves {
    const struct exec_exchange *parts;
    uint32_t count;
};

struct exchange {
    struct moves by;
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
    case MACH_OF_UNIT: return test->config.units;
    }
    BASE_UNREACHABLE("what a field is of");
}

/* ---- Moves ---- */

static uint32_t moved_thread(const struct moves *by, uint32_t thread)
{
    for (uint32_t i = 0; i < by->count; i++)
        thread = exec_exchange_thread(&by->parts[i], thread);
    return thread;
}

static uint32_t moved_location(const struct moves *by, uint32_t location)
{
    for (uint32_t i = 0; i < by->count; i++)
        location = exec_exchange_location(&by->parts[i], location);
    return location;
}

static int64_t moved_value(const struct moves *by, uint32_t location, int64_t value)
{
    for (uint32_t i = 0; i < by->count; i++) {
        value = exec_exchange_value(&by->parts[i], location, value);
        location = exec_exchange_location(&by->parts[i], location);
    }
    return value;
}

static bool moves_value(const struct moves *by, uint32_t location)
{
    return ANY(i, by->count, exec_exchange_renames(&by->parts[i], location));
}

/* ---- Which exchanges a machine keeps ---- */

/* Units change places as a whole, if at all. */
static bool keeps_units(const struct mach_test *test, const struct mach_layout *layout,
                        const struct moves *by)
{
    const uint32_t *unit_of = test->unit_of;
    for (uint32_t t = 0; layout->units != MACH_UNITS_NONE && t < test->program->thread_count; t++) {
        uint32_t to = moved_thread(by, t);
        if (layout->units == MACH_UNITS_STAY && unit_of[t] != unit_of[to])
            return false;
        for (uint32_t u = 0; u < t; u++)
            if ((unit_of[t] == unit_of[u]) != (unit_of[to] == unit_of[moved_thread(by, u)]))
                return false;
    }
    return true;
}

/* Lines change places as a whole, each word with that of the same place. */
static bool keeps_lines(const struct mach_test *test, const struct moves *by)
{
    for (uint32_t l = 0; l < test->program->location_count; l++) {
        uint32_t to = moved_location(by, l);
        uint32_t first = test->line_words[test->line_begin[test->line_of[l]]];
        if (test->word_of[l] != test->word_of[to] ||
            test->line_of[moved_location(by, first)] != test->line_of[to])
            return false;
    }
    return true;
}

/* Those who do something in the order of their numbers keep it. */
static bool keeps_order(const struct mach_test *test, const struct mach_layout *layout,
                        const struct moves *by)
{
    for (uint32_t t = 0; layout->ordered && t < test->program->thread_count; t++)
        BITS_EACH_IN_WORD (u, layout->ordered[t])
            if ((t < u) != (moved_thread(by, t) < moved_thread(by, u)))
                return false;
    return true;
}

static const uint8_t *values_of(struct arena *arena, struct mach_test *test, const struct moves *by,
                                uint32_t location)
{
    if (!moves_value(by, location))
        return NULL;
    uint8_t *becomes = ARENA_ARRAY(arena, uint8_t, UINT8_MAX + 1);
    for (uint32_t n = 0; n <= UINT8_MAX; n++)
        becomes[n] = (uint8_t)n;
    for (uint32_t n = 0; n < test->values->count; n++)
        becomes[n] = mach_number(test, moved_value(by, location, mach_value(test, (uint8_t)n)));
    return becomes;
}

/* Number 0 stands where there is no value, too. */
static bool keeps_nothing(const struct mach_test *test, const struct moves *by)
{
    return ALL(l, test->program->location_count,
               moved_value(by, l, mach_value(test, 0)) == mach_value(test, 0));
}

/* What is asked is what columns of states tell, or less (mach_reduce_to_conditions). */
static bool keeps_question(const struct mach_test *test, const struct moves *by)
{
    for (uint32_t t = 0; test->future && t < test->program->thread_count; t++)
        if (!mach_threads_count_alike(test, t, moved_thread(by, t)))
            return false;
    for (uint32_t l = 0; test->future && l < test->program->location_count; l++)
        if (!mach_locations_count_alike(test, l, moved_location(by, l)))
            return false;
    return true;
}

static bool is_kept(const struct mach_test *test, const struct mach_layout *layout,
                    const struct moves *by)
{
    return keeps_units(test, layout, by) && keeps_lines(test, by) &&
           keeps_order(test, layout, by) && keeps_nothing(test, by) && keeps_question(test, by);
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

static uint32_t moved_cache(const struct mach_renaming *by, uint32_t cache)
{
    return cache == 0 ? 0 : 1u + by->units[cache - 1];
}

static void rename_things(struct arena *arena, struct mach_test *test, struct exchange *x)
{
    const struct lit_program *program = test->program;
    struct mach_renaming *r = &x->renaming;
    for (uint32_t u = 0; u < MACH_MAX_UNITS; u++)
        r->units[u] = (uint8_t)u;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        r->threads[t] = (uint8_t)moved_thread(&x->by, t);
        r->moved |= (uint64_t)(r->threads[t] != t) << t;
        r->units[test->unit_of[t]] = (uint8_t)test->unit_of[r->threads[t]];
    }
    for (uint32_t l = 0; l < program->location_count; l++) {
        uint32_t to = moved_location(&x->by, l);
        r->locations[l] = (uint8_t)to;
        r->lines[test->line_of[l]] = (uint8_t)test->line_of[to];
        r->values[l] = values_of(arena, test, &x->by, l);
    }
    uint32_t lines = test->line_count - test->nv_line;
    for (uint32_t i = 0; i < test->caches.count * lines && i < 64; i++) {
        uint32_t to =
            moved_cache(r, i / lines) * lines + r->lines[test->nv_line + i % lines] - test->nv_line;
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

/* The units of the work-items that the exchange moves to others, of a side. */
static uint32_t units_of_side(const struct mach_test *test, const struct exchange *x)
{
    uint32_t units = 0;
    for (uint32_t p = 0; p < x->by.count; p++)
        for (uint32_t i = 0; i < x->by.parts[p].class->width; i++)
            units |=
                1u << test->unit_of[exec_class_thread(x->by.parts[p].class, x->by.parts[p].a, i)];
    return units;
}

/* Of compute units, and caches, that change places: on the left that of side a. */
static bool get_units(const struct mach_test *test, const struct exchange *x, uint32_t number,
                      uint32_t *a, uint32_t *b)
{
    uint32_t own = units_of_side(test, x);
    for (uint32_t u = 0; u < MACH_MAX_UNITS; u++) {
        uint32_t to = x->renaming.units[u];
        if (u >= to || number-- > 0)
            continue;
        *a = own >> u & 1 ? u : to;
        *b = own >> u & 1 ? to : u;
        return true;
    }
    return false;
}

/* What of the two sides stands for thing `i` of each. False: there are no more. */
static bool get_pair(const struct mach_test *test, const struct exchange *x, enum mach_thing of,
                     uint32_t i, uint32_t *a, uint32_t *b)
{
    bool threads = of == MACH_OF_THREAD;
    if (of == MACH_OF_UNIT)
        return get_units(test, x, i, a, b);
    for (uint32_t p = 0; of != MACH_OF_NOBODY && p < x->by.count; p++) {
        const struct exec_exchange *part = &x->by.parts[p];
        uint32_t count = threads ? part->class->width : part->class->place_count;
        const uint32_t *all = threads ? part->class->threads : part->class->locations;
        if (i >= count) {
            i -= count;
            continue;
        }
        *a = all[part->a * count + i];
        *b = all[part->b * count + i];
        if (of == MACH_OF_LINE) {
            *a = test->line_of[*a];
            *b = test->line_of[*b];
        }
        return true;
    }
    return false;
}

/* A line of several locations that move is swapped with the first of them. */
static bool is_first_of_line(const struct mach_test *test, const struct exchange *x, uint32_t i)
{
    uint32_t a, b, line;
    BASE_CHECK(get_pair(test, x, MACH_OF_LINE, i, &line, &b));
    for (uint32_t k = 0; k < i && get_pair(test, x, MACH_OF_LINE, k, &a, &b); k++)
        if (a == line)
            return false;
    return true;
}

static bool tells(const struct exchange *x, const struct mach_field *field, uint32_t thing)
{
    return field->holds == MACH_HOLDS_BYTES ||
           (field->holds == MACH_HOLDS_VALUE && !x->renaming.values[thing]);
}

/* What changes places with its counterpart, in each copy; a cache's that moves, in that of the
 * other. */
static void add_pairs(const struct mach_test *test, const struct mach_field *field,
                      const struct exchange *x, bool telling, swap_list *swaps)
{
    uint32_t a, b, begin = (uint32_t)swaps->count;
    for (uint32_t c = 0; c < field->copies; c++)
        for (uint32_t i = 0; get_pair(test, x, field->of, i, &a, &b); i++) {
            if (tells(x, field, a) != telling || (field->places && field->places[a] == LIT_NONE) ||
                (field->of == MACH_OF_LINE && !is_first_of_line(test, x, i)))
                continue;
            uint32_t to = field->cached ? moved_cache(&x->renaming, c) : c;
            add_swap(swaps, place_of(field, a) + c * field->copy_stride,
                     place_of(field, b) + to * field->copy_stride, field->bytes,
                     swaps->count > begin);
        }
}

static bool stays(const struct exchange *x, const struct mach_field *field, uint32_t thing)
{
    return (field->of == MACH_OF_LINE ? x->renaming.lines : x->renaming.locations)[thing] == thing;
}

/* What stays, in caches that change places. */
static void add_caches(const struct mach_test *test, const struct mach_field *field,
                       const struct exchange *x, bool telling, swap_list *swaps)
{
    uint32_t a, b, begin = (uint32_t)swaps->count;
    for (uint32_t pair = 0; field->cached && get_pair(test, x, MACH_OF_UNIT, pair, &a, &b); pair++)
        for (uint32_t i = 0; i < things_of(test, field); i++)
            if (stays(x, field, i) && tells(x, field, i) == telling &&
                !(field->places && field->places[i] == LIT_NONE))
                add_swap(swaps, place_of(field, i) + (1 + a) * field->copy_stride,
                         place_of(field, i) + (1 + b) * field->copy_stride, field->bytes,
                         swaps->count > begin);
}

static void find_swaps(struct arena *arena, const struct mach_test *test,
                       const struct mach_layout *layout, struct exchange *x)
{
    swap_list swaps = {0};
    uint32_t a, b;
    for (uint32_t i = 0; get_pair(test, x, MACH_OF_THREAD, i, &a, &b); i++)
        add_swap(&swaps, test->thread_bytes[a], test->thread_bytes[b],
                 MACH_REGISTERS + test->program->threads[a].register_count, false);
    for (int telling = 1; telling >= 0; telling--) {
        for (uint32_t f = 0; f < layout->count; f++) {
            add_pairs(test, &layout->fields[f], x, telling == 1, &swaps);
            add_caches(test, &layout->fields[f], x, telling == 1, &swaps);
        }
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
    EACH (const struct mach_field, field, layout->fields, layout->count) {
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
                         const struct mach_layout *layout, const struct moves *by,
                         exchange_list *exchanges)
{
    struct exchange x;
    memset(&x, 0, sizeof x);
    x.by = *by;
    x.by.parts = arena_copy(arena, by->parts, by->count * sizeof *by->parts);
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
            if (taken[u] || !is_kept(test, layout, &(struct moves){&ends, 1}))
                continue;
            taken[u] = true;
            add_exchange(arena, test, layout, &(struct moves){&by, 1}, exchanges);
            last = u;
            class.count++;
        }
        if (class.count)
            VEC_PUSH(classes, class);
    }
}

/* ---- Compute units ---- */

/* The work-items of the class's unit, if all are on this compute unit; else 0. */
static uint64_t threads_on(const struct mach_test *test, const struct exec_class *class,
                           uint32_t number, uint32_t unit)
{
    uint64_t threads = 0;
    for (uint32_t i = 0; i < class->width; i++) {
        uint32_t t = exec_class_thread(class, number, i);
        if (test->unit_of[t] != unit)
            return 0;
        threads |= UINT64_C(1) << t;
    }
    return threads;
}

/* The next of the part's units, from `from` on, that are on a compute unit and not taken yet. */
static uint32_t next_on(const struct mach_test *test, const struct stabilizer_part *part,
                        uint32_t unit, uint32_t from, uint64_t *taken)
{
    for (; from < part->count; from++) {
        uint64_t threads = threads_on(test, part->class, part->units[from], unit);
        if (threads && !(threads & *taken)) {
            *taken |= threads;
            break;
        }
    }
    return from;
}

/* All that two compute units have is paired, outer classes first: two pairs at least, as for one
 * there is an exchange. False: something is left over. `parts` has room for all work-items. */
static bool pair_units(const struct mach_test *test, const struct stabilizer *left, uint32_t a,
                       uint32_t b, struct exec_exchange *parts, uint32_t *count)
{
    uint64_t taken = 0, all = 0;
    *count = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        all |= (uint64_t)(test->unit_of[t] == a || test->unit_of[t] == b) << t;
    for (uint32_t p = left->count; p-- > 0;) {
        const struct stabilizer_part *part = &left->parts[p];
        for (uint32_t i = 0, k = 0;; i++, k++) {
            i = next_on(test, part, a, i, &taken);
            k = next_on(test, part, b, k, &taken);
            if (i >= part->count || k >= part->count)
                break;
            parts[(*count)++] = (struct exec_exchange){part->class, part->units[i], part->units[k]};
        }
    }
    return taken == all && *count > 1;
}

/* As split_part, of compute units with all that runs there. Of what pair_units pairs only with a
 * part of another unit, is_kept makes nothing. */
static void split_units(struct arena *arena, struct mach_test *test,
                        const struct mach_layout *layout, const struct stabilizer *left,
                        exchange_list *exchanges, class_list *classes)
{
    struct exec_exchange parts[MACH_MAX_THREADS];
    struct moves by = {parts, 0};
    uint32_t taken = 0;
    for (uint32_t first = 0; first < test->used_units; first++) {
        struct neighbours class = {(uint32_t)exchanges->count, 0};
        for (uint32_t u = first + 1, last = first; u < test->used_units; u++) {
            if ((taken >> first | taken >> u) & 1 ||
                !pair_units(test, left, first, u, parts, &by.count) ||
                !is_kept(test, layout, &by) || !pair_units(test, left, last, u, parts, &by.count))
                continue;
            taken |= 1u << u;
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
    struct stabilizer usable = {NULL, 0};
    struct mach_symmetry *s = ARENA_NEW(arena, struct mach_symmetry);
    if (left->count == 0 || test->config.faults || !test->machine->describe ||
        !test->machine->describe(test, arena, &s->layout))
        return NULL;
    mach_number(test, 0);
    struct stabilizer_part *parts = ARENA_ARRAY(arena, struct stabilizer_part, left->count);
    usable.parts = parts;
    for (uint32_t p = 0; p < left->count; p++)
        if (number_constants(test, left->parts[p].class)) {
            split_part(arena, test, &s->layout, &left->parts[p], &exchanges, &classes);
            parts[usable.count++] = left->parts[p];
        }
    if (s->layout.units == MACH_UNITS_ALIKE)
        split_units(arena, test, &s->layout, &usable, &exchanges, &classes);
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
        if (s->layout.fields[f].holds >= MACH_HOLDS_THREAD)
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
    EACH (const struct neighbours, class, s->classes, s->class_count) {
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
