/* gen_lattice: which of several models contains which, by a survey's pairs: classes of models that
 * no program up to the bound tells apart, and the order of these without what follows from the
 * rest.
 *
 * Ownership: all of it lives in the arena.
 */
#ifndef CRASHLIT_GEN_LATTICE_H
#define CRASHLIT_GEN_LATTICE_H

#include "generate/gen_survey.h"

struct gen_edge {
    uint32_t above, below; /* classes: the first contains the second, and has more */
};

struct gen_lattice {
    uint32_t class_count;
    uint32_t *class_of;     /* per model */
    uint32_t *rank;         /* per class: how many lie below it on the longest way down */
    struct gen_edge *edges; /* none that follows from two others */
    uint32_t edge_count;
    uint32_t open; /* ordered pairs of models of which it is not known whether the one has more */
};

/* What a survey says of an ordered pair. */
enum contrast_more gen_lattice_more(const struct gen_survey *survey, uint32_t first,
                                    uint32_t second);
struct gen_lattice gen_lattice_of(struct arena *arena, const struct gen_survey *survey);
/* The class contains the other: no member of that has more than one of this, as far as is known. */
bool gen_lattice_contains(const struct gen_survey *survey, const struct gen_lattice *lattice,
                          uint32_t above, uint32_t below);

#endif
