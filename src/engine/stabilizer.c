/* Propositions are compared as trees; the parts of a conjunction or disjunction are a multiset. A
 * hash that ignores their order puts equal parts side by side; then they are compared exactly. If
 * different parts have one hash, or the steps are used up, the exchange is not used. That loses
 * symmetry and stays sound. */
#include "engine/stabilizer.h"

#include "base/vec.h"

#include <stdlib.h>

/* Atoms looked at, of all pairs of units together: a fraction of a second. */
enum { MOST_STEPS = 16777216 };

struct lit_atom stabilizer_atom(const struct exec_exchange *by, const struct lit_atom *atom)
{
    struct lit_atom image = *atom;
    if (lit_atom_is_of_register(atom))
        image.thread = exec_exchange_thread(by, atom->thread);
    else if (atom->kind != LIT_ATOM_CONST)
        image.location = exec_exchange_location(by, atom->location);
    return image;
}

/* ---- Propositions ---- */

struct comparing {
    const struct lit_program *program;
    const struct exec_exchange *by;
    uint64_t *steps; /* so far */
};

static bool same_atom(const struct lit_atom *a, const struct lit_atom *b)
{
    return a->kind == LIT_ATOM_CONST ? b->kind == LIT_ATOM_CONST && a->value == b->value
                                     : b->kind != LIT_ATOM_CONST && lit_atom_same(a, b);
}

/* Does some value of the location become another one? */
static bool is_renamed(const struct comparing *c, const struct lit_atom *atom)
{
    return atom->kind == LIT_ATOM_LOCATION && exec_exchange_renames(c->by, atom->location);
}

/* Exchanges the constant as values of the location are exchanged that it is compared with. False:
 * no constant says the same after the exchange. */
static bool map_constant(const struct comparing *c, const struct lit_prop *prop,
                         const struct lit_atom *location, struct lit_atom *constant)
{
    enum lit_type type = c->program->locations[location->location].type;
    if (constant->kind != LIT_ATOM_CONST ||
        (prop->compare != LIT_OP_EQ && prop->compare != LIT_OP_NE) ||
        lit_value_wrap(type, constant->value) != constant->value)
        return false;
    constant->value = exec_exchange_value(c->by, location->location, constant->value);
    return true;
}

/* The sides of a comparison, exchanged. False: nothing says what that would say. */
static bool exchange_sides(const struct comparing *c, const struct lit_prop *prop,
                           struct lit_atom *left, struct lit_atom *right)
{
    *left = stabilizer_atom(c->by, &prop->left);
    *right = stabilizer_atom(c->by, &prop->right);
    return (!is_renamed(c, &prop->left) || map_constant(c, prop, &prop->left, right)) &&
           (!is_renamed(c, &prop->right) || map_constant(c, prop, &prop->right, left));
}

/* Is comparison b, exchanged, comparison a? */
static bool same_comparison(const struct comparing *c, const struct lit_prop *a,
                            const struct lit_prop *b)
{
    struct lit_atom left, right;
    ++*c->steps;
    return a->compare == b->compare && exchange_sides(c, b, &left, &right) &&
           same_atom(&a->left, &left) && same_atom(&a->right, &right);
}

/* ---- Numbers of propositions ---- */

static uint64_t mix(uint64_t number, uint64_t next)
{
    number = (number ^ next) * UINT64_C(0x9e3779b97f4a7c15);
    return number ^ (number >> 29);
}

static uint64_t number_of_atom(const struct lit_atom *atom)
{
    if (atom->kind == LIT_ATOM_CONST)
        return mix(1, (uint64_t)atom->value);
    return lit_atom_is_of_register(atom)
               ? mix(mix(2 + (uint64_t)atom->kind, atom->thread), atom->reg)
               : mix(2 + (uint64_t)atom->kind, atom->location);
}

static uint64_t number_of(const struct comparing *c, const struct lit_prop *prop, bool exchanged);

/* Whatever the order of the parts, and however they are put together. */
static uint64_t number_of_parts(const struct comparing *c, const struct lit_prop *prop,
                                enum lit_prop_op op, bool exchanged)
{
    if (prop->op != op)
        return mix(op, number_of(c, prop, exchanged));
    return number_of_parts(c, prop->a, op, exchanged) + number_of_parts(c, prop->b, op, exchanged);
}

static uint64_t number_of_comparison(const struct comparing *c, const struct lit_prop *prop,
                                     bool exchanged)
{
    struct lit_atom left = prop->left, right = prop->right;
    ++*c->steps;
    if (exchanged && !exchange_sides(c, prop, &left, &right))
        return 0;
    return mix(mix(mix(prop->op, prop->compare), number_of_atom(&left)), number_of_atom(&right));
}

static uint64_t number_of(const struct comparing *c, const struct lit_prop *prop, bool exchanged)
{
    switch (prop->op) {
    case LIT_PROP_TRUE:
    case LIT_PROP_FALSE: return mix(prop->op, 0);
    case LIT_PROP_COMPARE: return number_of_comparison(c, prop, exchanged);
    case LIT_PROP_AND:
    case LIT_PROP_OR: return mix(prop->op, number_of_parts(c, prop, prop->op, exchanged));
    case LIT_PROP_NOT: return mix(prop->op, number_of(c, prop->a, exchanged));
    case LIT_PROP_IMPLIES:
        return mix(mix(prop->op, number_of(c, prop->a, exchanged)),
                   number_of(c, prop->b, exchanged));
    }
    BASE_UNREACHABLE("a proposition");
}

/* ---- Parts of propositions ---- */

struct numbered {
    uint64_t number;
    const struct lit_prop *prop;
};

typedef VEC(struct numbered) prop_list;

static void list_parts(const struct comparing *c, const struct lit_prop *prop, enum lit_prop_op op,
                       bool exchanged, prop_list *parts)
{
    if (prop->op != op) {
        VEC_PUSH(parts, ((struct numbered){number_of(c, prop, exchanged), prop}));
        return;
    }
    list_parts(c, prop->a, op, exchanged, parts);
    list_parts(c, prop->b, op, exchanged, parts);
}

static int by_number(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool same_prop(const struct comparing *c, const struct lit_prop *a,
                      const struct lit_prop *b);

static bool same_parts(const struct comparing *c, const struct lit_prop *a,
                       const struct lit_prop *b)
{
    prop_list parts = {0}, others = {0};
    list_parts(c, a, a->op, false, &parts);
    list_parts(c, b, a->op, true, &others);
    bool same = parts.count == others.count && *c->steps <= MOST_STEPS;
    if (same) {
        qsort(parts.items, parts.count, sizeof *parts.items, by_number);
        qsort(others.items, others.count, sizeof *others.items, by_number);
    }
    for (size_t i = 0; same && i < parts.count; i++)
        same = parts.items[i].number == others.items[i].number &&
               same_prop(c, parts.items[i].prop, others.items[i].prop);
    VEC_FREE(&parts);
    VEC_FREE(&others);
    return same;
}

static bool same_prop(const struct comparing *c, const struct lit_prop *a, const struct lit_prop *b)
{
    if (a->op != b->op)
        return false;
    switch (a->op) {
    case LIT_PROP_TRUE:
    case LIT_PROP_FALSE: return true;
    case LIT_PROP_COMPARE: return same_comparison(c, a, b);
    case LIT_PROP_AND:
    case LIT_PROP_OR: return same_parts(c, a, b);
    case LIT_PROP_NOT: return same_prop(c, a->a, b->a);
    case LIT_PROP_IMPLIES: return same_prop(c, a->a, b->a) && same_prop(c, a->b, b->b);
    }
    BASE_UNREACHABLE("a proposition");
}

/* Does the exchange touch anything that is mentioned? */
struct touching {
    const struct exec_exchange *by;
    uint64_t *steps;
    bool any;
};

static void touch(void *context, const struct lit_atom *atom)
{
    struct touching *t = context;
    ++*t->steps;
    struct lit_atom image = stabilizer_atom(t->by, atom);
    t->any |= !same_atom(atom, &image) ||
              (atom->kind == LIT_ATOM_LOCATION && exec_exchange_renames(t->by, atom->location));
}

static bool keeps_prop(const struct comparing *c, const struct lit_prop *prop)
{
    struct touching touching = {c->by, c->steps, false};
    lit_prop_each_atom(prop, touch, &touching);
    return !touching.any ||
           (*c->steps <= MOST_STEPS && number_of(c, prop, false) == number_of(c, prop, true) &&
            same_prop(c, prop, prop));
}

/* Does the exchange turn b into a, and leave the filter as it is? */
static bool turns(const struct comparing *c, const struct lit_prop *a, const struct lit_prop *b)
{
    const struct lit_prop *filter = c->program->filter;
    return *c->steps <= MOST_STEPS && number_of(c, a, false) == number_of(c, b, true) &&
           same_prop(c, a, b) && (!filter || keeps_prop(c, filter));
}

bool stabilizer_alike(const struct exec_symmetry *symmetry, const struct lit_program *program,
                      const struct lit_condition *a, const struct lit_condition *b, uint64_t *steps)
{
    if (a->when != b->when || (a->quantifier == LIT_FORALL) != (b->quantifier == LIT_FORALL))
        return false;
    for (uint32_t i = 0; i < symmetry->count; i++)
        for (uint32_t v = 1; v < symmetry->classes[i].unit_count; v++)
            for (uint32_t u = 0; u < v; u++) {
                const struct exec_exchange by = {&symmetry->classes[i], u, v};
                const struct comparing c = {program, &by, steps};
                if (turns(&c, a->prop, b->prop))
                    return true;
                if (++*steps > MOST_STEPS)
                    return false;
            }
    return false;
}

/* ---- Columns ---- */

static bool keeps_columns(const struct comparing *c, const struct outcome_states *states)
{
    for (uint32_t i = 0; states && i < states->width; i++) {
        struct lit_atom image = stabilizer_atom(c->by, &states->items[i]);
        ++*c->steps;
        if (lit_atom_same(&image, &states->items[i]))
            continue;
        *c->steps += states->width;
        if (*c->steps > MOST_STEPS || outcome_column(states, &image) == LIT_NONE)
            return false;
    }
    return true;
}

void stabilizer_row(const struct exec_exchange *by, const struct outcome_states *states,
                    const int64_t *row, int64_t *to)
{
    for (uint32_t i = 0; i < states->width; i++) {
        const struct lit_atom *atom = &states->items[i];
        struct lit_atom image = stabilizer_atom(by, atom);
        uint32_t column = lit_atom_same(&image, atom) ? i : outcome_column(states, &image);
        BASE_CHECK(column < states->width);
        to[column] = atom->kind == LIT_ATOM_LOCATION
                         ? exec_exchange_value(by, atom->location, row[i])
                         : row[i];
    }
}

/* ---- Parts ---- */

static bool keeps(const struct comparing *c, const struct stabilizer_question *question)
{
    if (*c->steps > MOST_STEPS)
        return false;
    for (int i = 0; i < 2; i++)
        if (!keeps_prop(c, question->props[i]) || !keeps_columns(c, question->states[i]))
            return false;
    return ALL(i, question->condition_count, keeps_prop(c, question->conditions[i].prop));
}

typedef VEC(struct stabilizer_part) part_list;

/* Units are of one part when each may be exchanged with the first of it. */
static void split_class(struct arena *arena, const struct exec_class *class,
                        const struct comparing *all, const struct stabilizer_question *question,
                        part_list *parts)
{
    bool *taken = ARENA_ARRAY(arena, bool, class->unit_count);
    for (uint32_t first = 0; first < class->unit_count; first++) {
        if (taken[first])
            continue;
        uint32_t *units = ARENA_ARRAY(arena, uint32_t, class->unit_count - first), count = 1;
        units[0] = first;
        for (uint32_t other = first + 1; other < class->unit_count; other++) {
            const struct exec_exchange by = {class, first, other};
            const struct comparing c = {all->program, &by, all->steps};
            if (!taken[other] && keeps(&c, question)) {
                taken[other] = true;
                units[count++] = other;
            }
        }
        if (count > 1)
            VEC_PUSH(parts, ((struct stabilizer_part){class, units, count}));
    }
}

struct stabilizer stabilizer_new(struct arena *arena, const struct exec_symmetry *symmetry,
                                 const struct lit_program *program,
                                 const struct stabilizer_question *question)
{
    uint64_t steps = 0;
    const struct comparing all = {program, NULL, &steps};
    part_list parts = {0};
    for (uint32_t i = 0; i < symmetry->count; i++)
        split_class(arena, &symmetry->classes[i], &all, question, &parts);
    struct stabilizer stabilizer = {VEC_KEEP(arena, &parts), (uint32_t)parts.count};
    VEC_FREE(&parts);
    return stabilizer;
}

bool stabilizer_each(const struct stabilizer *stabilizer, stabilizer_callback *callback,
                     void *context)
{
    EACH (const struct stabilizer_part, part, stabilizer->parts, stabilizer->count)
        for (uint32_t u = 0; u + 1 < part->count; u++) {
            const struct exec_exchange by = {part->class, part->units[u], part->units[u + 1]};
            if (!callback(context, &by))
                return false;
        }
    return true;
}
