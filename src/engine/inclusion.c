/* The projected states are sorted, so that states that agree in the first columns stand together.
 * States that differ in a column are halved between two of its values, at most once per column.
 * Nested greater halves are joined as a balanced list, so the proposition is only as deep as the
 * square of the logarithm of states and columns. */
#include "engine/inclusion.h"

#include "base/vec.h"
#include "mdd/mdd_cover.h"

static void project(const struct outcome_states *states, const uint32_t *columns,
                    struct outcome_states *projected)
{
    int64_t *row = base_realloc(NULL, projected->width * sizeof *row);
    for (size_t i = 0; i < states->count; i++) {
        for (uint32_t k = 0; k < projected->width; k++)
            row[k] = outcome_row(states, i)[columns[k]];
        outcome_add_state(projected, row);
    }
    base_free(row);
    outcome_sort_states(projected);
}

struct tree {
    struct arena *arena;
    const struct outcome_states *states;
    const struct lit_atom *atoms;
};

static int64_t value(const struct tree *tree, size_t row, uint32_t column)
{
    return outcome_row(tree->states, row)[column];
}

/* A row between the two where the value of this column changes, near the middle. */
static size_t divide(const struct tree *tree, size_t first, size_t last, uint32_t column)
{
    size_t middle = first + (last - first) / 2;
    while (middle > first && value(tree, middle - 1, column) == value(tree, middle, column))
        middle--;
    while (middle == first || value(tree, middle - 1, column) == value(tree, middle, column))
        middle++;
    return middle;
}

typedef VEC(const struct lit_prop *) prop_list;

/* Of all, which are forgotten then. NULL of none. */
static const struct lit_prop *join_parts(struct arena *arena, enum lit_prop_op op, prop_list *parts)
{
    const struct lit_prop *prop = lit_prop_join(arena, op, parts->items, parts->count);
    VEC_FREE(parts);
    return prop;
}

static const struct lit_prop *both(struct arena *arena, enum lit_prop_op op,
                                   const struct lit_prop *a, const struct lit_prop *b)
{
    return a && b ? ARENA_MAKE(arena, struct lit_prop, .op = op, .a = a, .b = b) : a ? a : b;
}

/* Rows are halved again and again. The greater half goes on; the other one stands aside. `way`:
 * what all rows at hand agree in up to here; NULL: nothing. `aside`: that the remaining columns are
 * those of a row that stands aside. The last fork has no rows aside; its `aside` is NULL. */
struct fork {
    const struct lit_prop *way, *aside;
};

typedef VEC(struct fork) fork_list;

/* The proposition that a row follows the way up to one of these forks and then turns aside. `*way`
 * is the proposition that it follows the way past all of them. */
static const struct lit_prop *some_fork(struct arena *arena, const struct fork *forks, size_t count,
                                        const struct lit_prop **way)
{
    if (count == 1) {
        *way = forks->way;
        return both(arena, LIT_PROP_AND, forks->way, forks->aside);
    }
    const struct lit_prop *near_way, *far_way;
    const struct lit_prop *near = some_fork(arena, forks, count / 2, &near_way);
    const struct lit_prop *far = some_fork(arena, forks + count / 2, count - count / 2, &far_way);
    *way = both(arena, LIT_PROP_AND, near_way, far_way);
    return both(arena, LIT_PROP_OR, near, both(arena, LIT_PROP_AND, near_way, far));
}

/* The proposition that the columns from `column` on are those of one of these rows. */
static const struct lit_prop *one_of(const struct tree *tree, size_t first, size_t last,
                                     uint32_t column)
{
    uint32_t width = tree->states->width;
    fork_list forks = {0};
    for (bool more = true; more;) {
        uint32_t from = column;
        while (column < width && value(tree, first, column) == value(tree, last - 1, column))
            column++;
        struct fork fork = {lit_prop_row(tree->arena, tree->atoms + from,
                                         outcome_row(tree->states, first) + from, column - from),
                            NULL};
        more = column < width;
        if (more) {
            size_t middle = divide(tree, first, last, column);
            bool first_is_less = middle - first < last - middle;
            fork.aside = first_is_less ? one_of(tree, first, middle, column)
                                       : one_of(tree, middle, last, column);
            *(first_is_less ? &first : &last) = middle;
        }
        VEC_PUSH(&forks, fork);
    }
    const struct lit_prop *way, *prop = some_fork(tree->arena, forks.items, forks.count, &way);
    VEC_FREE(&forks);
    return prop;
}

/* ---- Of a diagram ---- */

static const struct lit_prop *one_value(struct arena *arena, const struct lit_atom *atom,
                                        const struct mdd_values *values)
{
    prop_list any = {0};
    for (uint32_t i = 0; i < values->count; i++)
        VEC_PUSH(&any, lit_prop_equal(arena, atom, values->items[i]));
    return join_parts(arena, LIT_PROP_OR, &any);
}

/* NULL: nothing of it is compared. */
static const struct lit_prop *one_box(struct arena *arena, const struct mdd_factor *factor,
                                      const struct mdd_values *box,
                                      const struct lit_atom *const *atom_of)
{
    prop_list all = {0};
    for (uint32_t i = 0; i < factor->width; i++)
        if (atom_of[factor->columns[i]])
            VEC_PUSH(&all, one_value(arena, atom_of[factor->columns[i]], &box[i]));
    return join_parts(arena, LIT_PROP_AND, &all);
}

static const struct lit_prop *one_factor(struct arena *arena, const struct mdd_factor *factor,
                                         const struct lit_atom *const *atom_of)
{
    prop_list any = {0};
    for (uint32_t b = 0; b < factor->box_count; b++) {
        const struct lit_prop *box =
            one_box(arena, factor, factor->boxes + (size_t)b * factor->width, atom_of);
        if (box)
            VEC_PUSH(&any, box);
    }
    return join_parts(arena, LIT_PROP_OR, &any);
}

/* Factor by factor that it is one of the boxes. */
static const struct lit_prop *cover_prop(struct arena *arena, const struct mdd_cover *cover,
                                         const struct lit_atom *const *atom_of)
{
    prop_list all = {0};
    bool partial = false;
    for (uint32_t f = 0; f < cover->count && !partial; f++) {
        const struct lit_prop *one = one_factor(arena, &cover->factors[f], atom_of);
        partial = cover->factors[f].partial;
        if (one)
            VEC_PUSH(&all, one);
    }
    const struct lit_prop *prop = join_parts(arena, LIT_PROP_AND, &all);
    return partial ? NULL : prop;
}

/* What is not compared is set to zero, and so is a factor of which nothing is told. */
static const struct lit_prop *mdd_prop(struct arena *arena, const struct outcome_states *states,
                                       const uint32_t *columns, const struct lit_atom *atoms,
                                       uint32_t count, uint64_t *distinct)
{
    const struct lit_atom **atom_of = ARENA_ARRAY(arena, const struct lit_atom *, states->width);
    struct mdd *store = mdd_like(states->product);
    mdd_node set = mdd_copy(store, states->product, states->root);
    for (uint32_t i = 0; i < count; i++)
        atom_of[columns[i]] = &atoms[i];
    for (uint32_t i = 0; i < states->width; i++)
        if (!atom_of[i])
            set = mdd_assign(store, set, i, 0);
    const struct lit_prop *prop = NULL;
    *distinct = mdd_is_full(store) ? 0 : mdd_count(store, set);
    if (*distinct) {
        const struct mdd_cover cover = mdd_cover(arena, store, set, NULL);
        prop = cover_prop(arena, &cover, atom_of);
    }
    mdd_free(store);
    return prop;
}

const struct lit_prop *inclusion_prop(struct arena *arena, const struct outcome_states *states,
                                      const uint32_t *columns, const struct lit_atom *atoms,
                                      uint32_t count, uint64_t *distinct)
{
    if (states->product)
        return mdd_prop(arena, states, columns, atoms, count, distinct);
    bool *sorts_unsigned = ARENA_ARRAY(arena, bool, count);
    struct outcome_states projected = {
        .items = atoms, .width = count, .is_unsigned = sorts_unsigned};
    const struct tree tree = {arena, &projected, atoms};
    project(states, columns, &projected);
    const struct lit_prop *prop = projected.count
                                      ? one_of(&tree, 0, projected.count, 0)
                                      : ARENA_MAKE(arena, struct lit_prop, .op = LIT_PROP_FALSE);
    *distinct = projected.count;
    outcome_free_states(&projected);
    return prop;
}
