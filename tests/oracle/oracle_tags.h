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

/* oracle_kiln.c: what Kiln's models say of an execution, each by its name on the command line. */
#define ORA_KILNS(X) X(PLAIN, "kiln") X(BUFFERED, "kiln-buffered") X(FLUSH_ALL, "kiln-flush-all")

#define X(tag, name) ORA_KILN_##tag,
enum ora_kiln { ORA_KILN_NONE, ORA_KILNS(X) ORA_KILN_END };
#undef X

const char *ora_kiln_name(int kiln);
void ora_kiln_contract(const struct ora_graph *g, int kiln, struct ora_contract *c);

#endif
