/* Propositions are compared as trees in which the parts of a conjunction, and of a disjunction, are
 * a multiset: each part of the one takes a part of the other that is the same. Since being the
 * same is an equivalence, the first one that fits will do. */
#include "engine/stabilizer.h"

#include "base/vec.h"

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

/* What a constant becomes beside the location that it is compared with. False: nothing that could
 * stand there says the same. */
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

/* Is comparison b, exchanged, comparison a? */
static bool same_comparison(const struct comparing *c, const struct lit_prop *a,
                            const struct lit_prop *b)
{
    struct lit_atom left = stabilizer_atom(c->by, &b->left);
    struct lit_atom right = stabilizer_atom(c->by, &b->right);
    if (a->compare != b->compare ||
        (is_renamed(c, &b->left) && !map_constant(c, b, &b->left, &right)) ||
        (is_renamed(c, &b->right) && !map_constant(c, b, &b->right, &left)))
        return false;
    return same_atom(&a->left, &left) && same_atom(&a->right, &right);
}

typedef VEC(const struct lit_prop *) prop_list;

static void list_parts(const struct lit_prop *prop, enum lit_prop_op op, prop_list *parts)
{
    if (prop->op != op) {
        VEC_PUSH(parts, prop);
        return;
    }
    list_parts(prop->a, op, parts);
    list_parts(prop->b, op, parts);
}

static bool same_prop(const struct comparing *c, const struct lit_prop *a,
                      const struct lit_prop *b);

static bool take_part(const struct comparing *c, const struct lit_prop *part, prop_list *among)
{
    for (size_t i = 0; i < among->count; i++)
        if (same_prop(c, part, among->items[i])) {
            among->items[i] = VEC_POP(among);
            return true;
        }
    return false;
}

static bool same_parts(const struct comparing *c, const struct lit_prop *a,
                       const struct lit_prop *b)
{
    prop_list parts = {0}, among = {0};
    list_parts(a, a->op, &parts);
    list_parts(b, a->op, &among);
    bool same = parts.count == among.count;
    for (size_t i = 0; same && i < parts.count; i++)
        same = take_part(c, parts.items[i], &among);
    VEC_FREE(&parts);
    VEC_FREE(&among);
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
    bool any;
};

static void touch(void *context, const struct lit_atom *atom)
{
    struct touching *t = context;
    struct lit_atom image = stabilizer_atom(t->by, atom);
    t->any |= !same_atom(atom, &image) ||
              (atom->kind == LIT_ATOM_LOCATION && exec_exchange_renames(t->by, atom->location));
}

static bool keeps_prop(const struct lit_program *program, const struct exec_exchange *by,
                       const struct lit_prop *prop)
{
    struct touching touching = {by, false};
    struct comparing comparing = {program, by};
    lit_prop_each_atom(prop, touch, &touching);
    return !touching.any || same_prop(&comparing, prop, prop);
}

/* ---- Columns ---- */

static uint32_t column_of(const struct outcome_states *states, const struct lit_atom *atom)
{
    uint32_t i = 0;
    while (i < states->width && !lit_atom_same(&states->items[i], atom))
        i++;
    return i;
}

static bool keeps_columns(const struct exec_exchange *by, const struct outcome_states *states)
{
    for (uint32_t i = 0; states && i < states->width; i++) {
        struct lit_atom image = stabilizer_atom(by, &states->items[i]);
        if (!lit_atom_same(&image, &states->items[i]) && column_of(states, &image) == states->width)
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
        uint32_t column = lit_atom_same(&image, atom) ? i : column_of(states, &image);
        BASE_CHECK(column < states->width);
        to[column] = atom->kind == LIT_ATOM_LOCATION
                         ? exec_exchange_value(by, atom->location, row[i])
                         : row[i];
    }
}

/* ---- Parts ---- */

static bool keeps(const struct lit_program *program, const struct exec_exchange *by,
                  const struct stabilizer_question *question)
{
    for (int i = 0; i < 2; i++)
        if (!keeps_prop(program, by, question->props[i]) || !keeps_columns(by, question->states[i]))
            return false;
    return true;
}

typedef VEC(struct stabilizer_part) part_list;

/* Units are of one part when each may be exchanged with the first of it. */
static void split_class(struct arena *arena, const struct exec_class *class,
                        const struct lit_program *program,
                        const struct stabilizer_question *question, part_list *parts)
{
    bool *taken = ARENA_ARRAY(arena, bool, class->unit_count);
    for (uint32_t first = 0; first < class->unit_count; first++) {
        if (taken[first])
            continue;
        uint32_t *units = ARENA_ARRAY(arena, uint32_t, class->unit_count - first), count = 1;
        units[0] = first;
        for (uint32_t other = first + 1; other < class->unit_count; other++) {
            struct exec_exchange by = {class, first, other};
            if (!taken[other] && keeps(program, &by, question)) {
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
    part_list parts = {0};
    for (uint32_t i = 0; i < symmetry->count; i++)
        split_class(arena, &symmetry->classes[i], program, question, &parts);
    struct stabilizer stabilizer = {VEC_KEEP(arena, &parts), (uint32_t)parts.count};
    VEC_FREE(&parts);
    return stabilizer;
}
