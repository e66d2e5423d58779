/* place_cut: does a crash cut that was carried over stand in all executions of a family? */
#ifndef CRASHLIT_PLACE_CUT_H
#define CRASHLIT_PLACE_CUT_H

#include "place/place_bounds.h"
#include "place/place_carry.h"

/* The rules of cuts (docs/semantics.md), by upper bounds of what forbids and the lower bound of
 * what can persist. `bounds` has been evaluated. Of the events that the witness does not have those
 * are taken to have executed behind which something has, or else those before which everything has:
 * one of the two will do for all of the family. */
bool place_cut_stands(struct arena *scratch, const struct place_carried *carried,
                      const struct place_bounds *bounds);

#endif
