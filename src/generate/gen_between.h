/* gen_between: which programs are looked at to tell models apart, where nobody says otherwise.
 */
#ifndef CRASHLIT_GEN_BETWEEN_H
#define CRASHLIT_GEN_BETWEEN_H

#include "generate/gen_enumerate.h"

/* Which models are held against each other. */
struct gen_between_models {
    const char *visibility; /* of the first */
    bool one_visibility;    /* and of all others */
    bool named;             /* the vocabulary is the user's wish */
    bool orders;            /* a model of the user's looks at orders of memory */
};

/* Fills all but the vocabulary, which is there.
 *
 * - Models of one visibility model differ in what is durable: three plain accesses and two
 *   instructions of the mechanism, of two work-items; under a visibility model that orders by
 *   acquire and release, or where a user's model looks at orders, such accesses as well.
 * - Others: four accesses, plain ones or acquire and release, and two execution barriers, of three
 *   work-items, on non-volatile memory, as an end that is a barrier is looked at there alone; an
 *   access may depend on what was read.
 * - Others with a vocabulary that is named: as the first, with acquire and release, execution
 *   barriers and what depends on a read.
 */
void gen_between(struct gen_bound *bound, enum gen_dialect dialect,
                 const struct gen_between_models *models);
/* "spb: events=3,..", or of several vocabularies, which differ in families alone, "spb, sbrp: ..".
 */
void gen_between_words(const struct gen_bound *bounds, uint32_t count, struct strbuf *out);

#endif
