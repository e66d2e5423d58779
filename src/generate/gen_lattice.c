#include "generate/gen_lattice.h"

enum contrast_more gen_lattice_more(const struct gen_survey *survey, uint32_t first,
                                    uint32_t second)
{
    const struct gen_pair *pair = &survey->pairs[first * survey->model_count + second];
    if (first == second)
        return CONTRAST_NO;
    return pair->find_count                          ? CONTRAST_YES
           : gen_survey_doubt(survey, first, second) ? CONTRAST_OPEN
                                                     : CONTRAST_NO;
}

static bool contains(const struct gen_survey *survey, uint32_t above, uint32_t below)
{
    return gen_lattice_more(survey, below, above) == CONTRAST_NO;
}

/* The first model of a class stands for it: members contain each other. */
static uint32_t first_of(const struct contrast_order *lattice, uint32_t class)
{
    uint32_t m = 0;
    while (lattice->class_of[m] != class)
        m++;
    return m;
}

bool gen_lattice_contains(const struct gen_survey *survey, const struct contrast_order *lattice,
                          uint32_t above, uint32_t below)
{
    return contains(survey, first_of(lattice, above), first_of(lattice, below));
}

/* A model is of the first class all of whose members it equals: where something is open that need
 * not be transitive. */
static void find_classes(struct contrast_order *lattice, const struct gen_survey *survey)
{
    for (uint32_t m = 0; m < survey->model_count; m++) {
        uint32_t class = 0;
        for (bool fits = false; class < lattice->class_count; class ++) {
            fits = true;
            for (uint32_t k = 0; k < m; k++)
                if (lattice->class_of[k] == class)
                    fits &= contains(survey, m, k) && contains(survey, k, m);
            if (fits)
                break;
        }
        lattice->class_of[m] = class;
        if (class == lattice->class_count)
            lattice->class_count++;
    }
}

static bool is_over(const struct gen_survey *survey, const struct contrast_order *lattice,
                    uint32_t above, uint32_t below)
{
    return above != below && gen_lattice_contains(survey, lattice, above, below) &&
           !gen_lattice_contains(survey, lattice, below, above);
}

/* Does it follow from two others? */
static bool follows(const struct gen_survey *survey, const struct contrast_order *lattice,
                    uint32_t above, uint32_t below)
{
    return ANY(c, lattice->class_count,
               is_over(survey, lattice, above, c) && is_over(survey, lattice, c, below));
}

static void find_ranks(struct contrast_order *lattice)
{
    for (uint32_t round = 0; round < lattice->class_count; round++)
        EACH (const struct contrast_edge, edge, lattice->edges, lattice->edge_count)
            if (lattice->rank[edge->above] <= lattice->rank[edge->below] &&
                lattice->rank[edge->below] + 1 < lattice->class_count)
                lattice->rank[edge->above] = lattice->rank[edge->below] + 1;
}

struct contrast_order gen_lattice_of(struct arena *arena, const struct gen_survey *survey)
{
    struct contrast_order lattice = {.class_of = ARENA_ARRAY(arena, uint32_t, survey->model_count)};
    find_classes(&lattice, survey);
    uint32_t count = lattice.class_count;
    lattice.rank = ARENA_ARRAY(arena, uint32_t, count);
    lattice.edges = ARENA_ARRAY(arena, struct contrast_edge, count * count);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++)
            if (is_over(survey, &lattice, a, b) && !follows(survey, &lattice, a, b))
                lattice.edges[lattice.edge_count++] = (struct contrast_edge){a, b};
    find_ranks(&lattice);
    for (uint32_t a = 0; a < survey->model_count; a++)
        for (uint32_t b = 0; b < survey->model_count; b++)
            lattice.open += gen_lattice_more(survey, a, b) == CONTRAST_OPEN;
    return lattice;
}
