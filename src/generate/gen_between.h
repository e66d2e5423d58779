/* gen_between: which programs are looked at to tell models apart, where nobody says otherwise.
 */
#ifndef CRASHLIT_GEN_BETWEEN_H
#define CRASHLIT_GEN_BETWEEN_H

#include "generate/gen_enumerate.h"

/* Fills all but the vocabulary, which is there.
 *
 * - Models of one visibility model differ in what is durable: three plain accesses and two
 *   instructions of the mechanism, of two work-items; under a visibility model that orders by
 * acquire and release, such accesses as well.
 * - Others: four accesses, plain ones or acquire and release, and two execution barriers, of three
 *   work-items, on non-volatile memory, as an end that is a barrier is looked at there alone; an
 *   access may depend on what was read.
 */
void gen_between(struct gen_bound *bound, enum gen_dialect dialect, const char *visibility,
                 bool one_visibility);
/* "spb: events=3,..", or of several vocabularies, which differ in families alone, "spb, sbrp: ..".
 */
void gen_between_words(const struct gen_bound *bounds, uint32_t count, struct strbuf *out);

#endif
