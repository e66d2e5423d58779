/* oracle_weak: models weaker than SC that the program brings along. */
#ifndef CRASHLIT_TESTS_ORACLE_WEAK_H
#define CRASHLIT_TESTS_ORACLE_WEAK_H

#include "oracle.h"

enum { ORA_WEAK_VISIBILITIES = 4, ORA_WEAK_PERSISTENCIES = 3 };

/* `cat` is the file without its title; `consistent` says the same of one execution. */
struct ora_weak_visibility {
    const char *name, *cat;
    bool (*consistent)(const struct ora_graph *g);
    bool no_thin_air; /* no value can come out of itself */
};

/* `contract` adds to executes-before = po | rf and to otherwise empty relations; coherence
 * is added to persist-before afterwards. */
struct ora_weak_persistency {
    const char *name, *cat;
    void (*contract)(const struct ora_graph *g, struct ora_contract *c);
};

extern const struct ora_weak_visibility ora_weak_visibilities[ORA_WEAK_VISIBILITIES];
extern const struct ora_weak_persistency ora_weak_persistencies[ORA_WEAK_PERSISTENCIES];

#endif
