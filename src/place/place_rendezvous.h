/* place_rendezvous: fillings under which no execution runs to its end, by counting alone.
 *
 * Work-items of one scope instance that wait for each other at barriers have to come to as many of
 * these. Where each of them executes its barriers once in every run, whatever it reads, a filling
 * that gives one of them more than another one has no execution in which all end: it is refused,
 * whatever the model. That is said as balances (place_search.h).
 */
#ifndef CRASHLIT_PLACE_RENDEZVOUS_H
#define CRASHLIT_PLACE_RENDEZVOUS_H

#include "place/place_try.h"

/* Of all files; in the asker's arena. The frames that are made for it stay with the asker. None
 * where a filling may differ from others in more than what a frame has. */
const struct place_balance *place_rendezvous(struct place_asker *asker, uint32_t *count);

#endif
