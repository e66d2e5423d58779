/* gen_enumerate: all programs up to a bound, each once up to renaming, the smallest first.
 *
 * Programs in which nothing can be told are left out; gen_enumerate.c says which, and why no
 * difference between models is lost by that. The order depends on the bound alone.
 *
 * The programs come in units, which are enumerated on their own: by several processes, or from
 * where an earlier run has stopped. A program is known by its unit and its number there.
 */
#ifndef CRASHLIT_GEN_ENUMERATE_H
#define CRASHLIT_GEN_ENUMERATE_H

#include "generate/gen_program.h"

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
    bool untelling;        /* programs in which nothing can be told are there, too: for tests */
    bool hosts;            /* work-items may be of the host */
};

enum { GEN_MAX_FORMS = 128 };

/* Two work-items, two locations, four accesses, two barriers; plain accesses and what the
 * vocabulary has besides; work-items and work-groups; all kinds of memory. */
void gen_bound_init(struct gen_bound *bound, const struct gen_vocabulary *vocabulary,
                    enum gen_dialect dialect);
/* The forms that it lets operations have, at most GEN_MAX_FORMS. */
uint32_t gen_bound_forms(const struct gen_bound *bound, struct gen_form forms[GEN_MAX_FORMS]);

/* Sees a program, which is its own representative; `number` counts from 0 in its unit. Whether to
 * go on. */
typedef bool gen_visit(void *context, const struct gen_program *program, uint64_t number);

uint64_t gen_units(const struct gen_bound *bound);
/* Returns how many programs were seen. `unit` counts from 0 in the order of sizes. */
uint64_t gen_enumerate(const struct gen_bound *bound, uint64_t unit, gen_visit *visit,
                       void *context);
/* All units. */
uint64_t gen_enumerate_all(const struct gen_bound *bound, gen_visit *visit, void *context);

/* May something be told by the program, whose operations the bound allows? What is enumerated is
 * just the representatives of which this holds. */
bool gen_is_telling(const struct gen_bound *bound, const struct gen_program *program);

#endif
