/* oracle_tags: what random models make of tags: which they declare, on what, and sets of events
 * by them. */
#ifndef CRASHLIT_TESTS_ORACLE_TAGS_H
#define CRASHLIT_TESTS_ORACLE_TAGS_H

#include "oracle_gen.h"

/* What a tag may be declared for, as the cat file says it. */
#define ORA_BEARERS(X) X(R) X(W) X(M) X(RMW) X(F) X(CM) X(LOC) X(THREAD)

#define X(kind) ORA_OF_##kind,
enum ora_bearer { ORA_BEARERS(X) ORA_BEARER_COUNT };
#undef X

struct ora_declarations {
    uint32_t declared[ORA_BEARER_COUNT]; /* bit t: tag t */
};

/* A set of events by a tag; 0: all events. */
struct ora_tagged {
    int form, tag;
};

/* Each tag is declared for something. */
void ora_declarations_draw(struct ora_gen *g, struct ora_declarations *d);
void ora_declarations_print(FILE *out, const struct ora_declarations *d);

void ora_tagged_draw(struct ora_gen *g, struct ora_tagged *set);
/* Between the two, nothing when it is all events. */
void ora_tagged_print(FILE *out, const struct ora_tagged *set, const char *before,
                      const char *behind);
uint32_t ora_tagged_events(const struct ora_graph *g, const struct ora_declarations *d,
                           const struct ora_tagged *set);

#endif
