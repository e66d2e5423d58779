/* gen_enumerate: enumerates all programs up to a bound, each once up to renaming, the smallest
 * first.
 *
 * Programs in which nothing can be told are left out; gen_telling.c says which, and why no
 * difference between models is lost by that. The order depends on the bound alone.
 *
 * Programs come in units, each enumerated on its own: by several processes, or from where an
 * earlier run stopped. A program is identified by its unit and its number there. */
#ifndef CRASHLIT_GEN_ENUMERATE_H
#define CRASHLIT_GEN_ENUMERATE_H

#include "generate/gen_program.h"
#include "generate/gen_vocabularies.h"

struct gen_bound {
    const struct gen_vocabulary *vocabulary;
    enum gen_dialect dialect;
    uint32_t events, barriers; /* at most so many: accesses; all else */
    uint32_t threads, locations;
    uint32_t families; /* of the vocabulary, a bit each */
    uint32_t orders;   /* a bit for each enum lit_order; plain accesses need that of NA */
    uint32_t scopes;   /* a bit for each enum lit_scope; what has no scope needs that of WI */
    uint32_t levels;   /* at which work-items are told apart though no operation has the scope, a
                          bit for each enum lit_scope */
    uint32_t dependencies; /* a bit for each enum gen_dependency, GEN_FREE among them */
    bool volatiles;        /* locations may be volatile */
    bool nvm;              /* and non-volatile */
    bool untelling;        /* include programs in which nothing can be told: for tests */
    bool hosts;            /* work-items may be of the host */
};

enum { GEN_MAX_FORMS = 1024 };

/* The default bound: two work-items, two locations, four accesses, two barriers; plain accesses and
 * the vocabulary's further ones; work-items and work-groups; all kinds of memory. */
void gen_bound_init(struct gen_bound *bound, const struct gen_vocabulary *vocabulary,
                    enum gen_dialect dialect);
/* The forms of operations within the bound, at most GEN_MAX_FORMS. */
uint32_t gen_bound_forms(const struct gen_bound *bound, struct gen_form forms[GEN_MAX_FORMS]);

/* Called for each program, which is its own representative; `number` counts from 0 in its unit.
 * Returns whether to go on. */
typedef bool gen_visit(void *context, const struct gen_program *program, uint64_t number);

uint64_t gen_units(const struct gen_bound *bound);
/* Returns the number of programs visited. `unit` counts from 0 in the order of sizes. */
uint64_t gen_enumerate(const struct gen_bound *bound, uint64_t unit, gen_visit *visit,
                       void *context);

/* Can the program, whose operations are within the bound, tell anything? The enumeration yields
 * just the representatives of which this holds. */
bool gen_is_telling(const struct gen_bound *bound, const struct gen_program *program);

#endif
