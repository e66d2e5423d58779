/* gen_lattice: the order of several models by inclusion, from a survey's pairs. Models that no
 * program up to the bound tells apart are a class; edges are the order of classes without what
 * follows from other edges.
 *
 * Ownership: all of it lives in the arena. */
#ifndef CRASHLIT_GEN_LATTICE_H
#define CRASHLIT_GEN_LATTICE_H

#include "generate/gen_survey.h"

/* What a survey says of an ordered pair. */
enum contrast_more gen_lattice_more(const struct gen_survey *survey, uint32_t first,
                                    uint32_t second);
struct contrast_order gen_lattice_of(struct arena *arena, const struct gen_survey *survey);
/* Does a class contain the other: has no member of `below` more than one of `above`, as far as
 * known? */
bool gen_lattice_contains(const struct gen_survey *survey, const struct contrast_order *lattice,
                          uint32_t above, uint32_t below);

#endif
