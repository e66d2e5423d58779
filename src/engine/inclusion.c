/* The projected states are sorted, so that states which agree in the first columns stand together.
 * Where they differ in a column they are halved between two of its values: the tree is as deep as
 * there are columns, times the logarithm of how many values each has. */
#include "engine/inclusion.h"

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

const struct lit_prop *inclusion_prop(struct arena *arena, const struct outcome_states *states,
                                      const uint32_t *columns, const struct lit_atom *atoms,
                                      uint32_t count, uint32_t *distinct)
{
    bool *sorts_unsigned = ARENA_ARRAY(arena, bool, count);
    struct outcome_states projected = {
        .items = atoms, .width = count, .is_unsigned = sorts_unsigned};
    const struct tree tree = {arena, &projected, atoms};
    project(states, columns, &projected);
    const struct lit_prop *prop = projected.count
                                      ? one_of(&tree, 0, projected.count, 0)
                                      : ARENA_MAKE(arena, struct lit_prop, .op = LIT_PROP_FALSE);
    *distinct = (uint32_t)projected.count;
    outcome_free_states(&projected);
    return prop;
}
