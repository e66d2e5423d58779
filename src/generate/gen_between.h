/* gen_between: the default bound of programs that tell models apart. */
#ifndef CRASHLIT_GEN_BETWEEN_H
#define CRASHLIT_GEN_BETWEEN_H

#include "generate/gen_enumerate.h"

/* The models that are compared. */
struct gen_between_models {
    bool one_visibility; /* of all of them */
    bool named;          /* the user has named the vocabulary */
    bool orders; /* the visibility model, or a model of the user's, looks at orders of memory */
};

/* Fills all of the bound but its vocabulary, which is set.
 *
 *   - Models of one visibility model differ in what is durable: three plain accesses and two
 *     instructions of the mechanism, of two work-items. Acquire and release accesses are added
 *     under a visibility model that orders by them, or where a user's model looks at orders.
 *   - Other models: four accesses, plain ones or acquire and release, and two execution
 *     barriers, of three work-items. Memory is non-volatile, as only there a barrier may be the
 *     last operation. An access may depend on what was read.
 *   - Other models with a named vocabulary, or instructions of the user's: as the first, with acquire and release, execution
 *     barriers and dependencies on reads. */
void gen_between(struct gen_bound *bound, enum gen_dialect dialect,
                 const struct gen_between_models *models);
/* A bound as words: "spb: events=3,.."; several that differ only in vocabulary: "spb, sbrp: ..". */
void gen_between_words(const struct gen_bound *bounds, uint32_t count, struct strbuf *out);

#endif
