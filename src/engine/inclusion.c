/* The projected states are sorted, so that states which agree in the first columns stand together.
 * Where they differ in a column they are halved between two of its values: the tree is as deep as
 * there are columns, times the logarithm of how many values each has. */
#include "engine/inclusion.h"

#include "engine/product_cover.h"

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

/* That the columns from this one on are those of one of these rows. */
static const struct lit_prop *one_of(const struct tree *tree, size_t first, size_t last,
                                     uint32_t column)
{
    bool alike = value(tree, first, column) == value(tree, last - 1, column);
    if (!alike) {
        size_t middle = divide(tree, first, last, column);
        return ARENA_MAKE(tree->arena, struct lit_prop, .op = LIT_PROP_OR,
                          .a = one_of(tree, first, middle, column),
                          .b = one_of(tree, middle, last, column));
    }
    const struct lit_prop *equal =
        lit_prop_and_equal(tree->arena, NULL, &tree->atoms[column], value(tree, first, column));
    if (column + 1 == tree->states->width)
        return equal;
    return ARENA_MAKE(tree->arena, struct lit_prop, .op = LIT_PROP_AND, .a = equal,
                      .b = one_of(tree, first, last, column + 1));
}

/* ---- Of a diagram ---- */

static const struct lit_prop *both(struct arena *arena, enum lit_prop_op op,
                                   const struct lit_prop *a, const struct lit_prop *b)
{
    return a ? ARENA_MAKE(arena, struct lit_prop, .op = op, .a = a, .b = b) : b;
}

static const struct lit_prop *one_value(struct arena *arena, const struct lit_atom *atom,
                                        const struct product_values *values)
{
    const struct lit_prop *any = NULL;
    for (uint32_t i = 0; i < values->count; i++)
        any =
            both(arena, LIT_PROP_OR, any, lit_prop_and_equal(arena, NULL, atom, values->items[i]));
    return any;
}

/* NULL: nothing of it is compared. */
static const struct lit_prop *one_box(struct arena *arena, const struct product_factor *factor,
                                      const struct product_values *box,
                                      const struct lit_atom *const *atom_of)
{
    const struct lit_prop *all = NULL;
    for (uint32_t i = 0; i < factor->width; i++)
        if (atom_of[factor->columns[i]])
            all = both(arena, LIT_PROP_AND, all,
                       one_value(arena, atom_of[factor->columns[i]], &box[i]));
    return all;
}

/* Factor by factor that it is one of the boxes. */
static const struct lit_prop *cover_prop(struct arena *arena, const struct product_cover *cover,
                                         const struct lit_atom *const *atom_of)
{
    const struct lit_prop *all = NULL;
    for (uint32_t f = 0; f < cover->count; f++) {
        const struct product_factor *factor = &cover->factors[f];
        const struct lit_prop *any = NULL, *box = NULL;
        if (factor->partial)
            return NULL;
        for (uint32_t b = 0; b < factor->box_count; b++) {
            box = one_box(arena, factor, factor->boxes + (size_t)b * factor->width, atom_of);
            any = box ? both(arena, LIT_PROP_OR, any, box) : any;
        }
        all = any ? both(arena, LIT_PROP_AND, all, any) : all;
    }
    return all;
}

/* What is not compared is set to zero, and so is a factor of which nothing is told. */
static const struct lit_prop *product_prop(struct arena *arena, const struct outcome_states *states,
                                           const uint32_t *columns, const struct lit_atom *atoms,
                                           uint32_t count, uint64_t *distinct)
{
    const struct lit_atom **atom_of = ARENA_ARRAY(arena, const struct lit_atom *, states->width);
    struct product *store = product_like(states->product);
    product_node set = product_copy(store, states->product, states->root);
    for (uint32_t i = 0; i < count; i++)
        atom_of[columns[i]] = &atoms[i];
    for (uint32_t i = 0; i < states->width; i++)
        if (!atom_of[i])
            set = product_assign(store, set, i, 0);
    const struct lit_prop *prop = NULL;
    *distinct = product_is_full(store) ? 0 : product_count(store, set);
    if (*distinct) {
        const struct product_cover cover = product_cover(arena, store, set, NULL);
        prop = cover_prop(arena, &cover, atom_of);
    }
    product_free(store);
    return prop;
}

const struct lit_prop *inclusion_prop(struct arena *arena, const struct outcome_states *states,
                                      const uint32_t *columns, const struct lit_atom *atoms,
                                      uint32_t count, uint64_t *distinct)
{
    if (states->product)
        return product_prop(arena, states, columns, atoms, count, distinct);
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
