/* gen_vocabulary: the operations that generated programs may have.
 *
 * A vocabulary is a list of families: "a plain store", "a persist barrier". A form is a family with
 * one of its memory orders and scopes. Each family says how it is written in each dialect, so a
 * vocabulary is data alone. The language's own families are here; those of mechanisms are read of
 * files (gen_vocabularies.h). */
#ifndef CRASHLIT_GEN_VOCABULARY_H
#define CRASHLIT_GEN_VOCABULARY_H

#include "litmus/lit_program.h"

#include <stdbool.h>
#include <stdint.h>

/* Classes of operations, accesses first. LINE is maintenance of a location's line, POINT a fence or
 * a barrier. */
enum gen_class { GEN_LOAD, GEN_STORE, GEN_RMW, GEN_LINE, GEN_POINT };

enum gen_dialect { GEN_OPENCL, GEN_PTX, GEN_DIALECT_COUNT };
extern const char *const gen_dialect_words[GEN_DIALECT_COUNT];

/* Traits, as a mask: of a POINT, or of a LINE, unless another class is said. */
enum {
    GEN_MEETS = 1,     /* of a scope wider than the work-item, all in an instance take part in it */
    GEN_OPENS = 2,     /* may be a work-item's first: a mark that something begins */
    GEN_CLOSES = 4,    /* a mark that has to come behind one that opens */
    GEN_SPEAKS = 8,    /* it may order others' accesses, so it may come first in a work-item */
    GEN_PERSISTS = 16, /* of persistency alone: it orders nothing where all is volatile */
    GEN_ORDERS_ALONE =
        32,            /* of one that meets: it orders something for a work-item alone there, too */
    GEN_MAY_MEET = 64, /* as GEN_MEETS, but under some models only: not all need to come */
    GEN_STORES_ONE = 128, /* of a STORE: what it stores is 1 */
    GEN_COUNTS = 256,     /* two in a row may be more than one */
    GEN_ANYWHERE = 512    /* of a LOAD or LINE: it may order something where nobody writes */
};

/* Texts have %x for the location, %v for the value, %r for the register, %o for the order, %s for
 * the scope; NULL: the dialect lacks the family. Masks have a bit for each enum lit_order,
 * lit_scope; a family without an order has only NA, one without a scope only WI. */
struct gen_family {
    const char *name;
    enum gen_class class;
    uint32_t traits;
    uint32_t orders, scopes;
    const char *text[GEN_DIALECT_COUNT];
    const char *weaker; /* the same family with less effect, such as a plain store; NULL: none */
    const char *const *tags; /* that its instruction carries; NULL at the end, or none at all */
    const char *counts;      /* by which tag and but for how many, "commit 1"; NULL: it does not */
};

enum { GEN_MAX_FAMILIES = 32 }; /* a bit each */

struct gen_form {
    uint8_t family;
    uint8_t order, scope; /* enum lit_order, lit_scope */
};

struct gen_vocabulary {
    const char *name;
    const char *const *uses; /* definition files, as tests name them */
    uint32_t use_count;
    bool derived;         /* of no vocabulary file: nothing is known but what definitions say */
    uint64_t digest;      /* of the user's files that it is of; 0: there are none */
    const char *left_out; /* of a derived one: what it lacks, and why; NULL: nothing */
    uint32_t levels; /* levels at which its models tell work-items apart without an instruction's
                         scope, a bit for each enum lit_scope */
    const char *host_tag; /* that marks work-items of the host; NULL: there are none */
    const struct gen_family *families;
    uint32_t family_count;
};

/* The language's own families. The first ones are in each vocabulary, in this order. */
extern const struct gen_family gen_language[];
enum { GEN_COMMON = 7, GEN_LANGUAGE };
/* Is it of letters, digits, '_', '-' and '.' alone, as names in generated tests are? */
bool gen_is_plain(const char *name);
/* Is it the name of one of the first `count` of these? */
bool gen_is_language(const char *name, uint32_t count);

/* The dialect of a word of gen_dialect_words; the dialect of a visibility model. */
enum gen_dialect gen_dialect_find(const char *word);
enum gen_dialect gen_dialect_of(const char *visibility);
/* The number of a family, or family_count. */
uint32_t gen_family_find(const struct gen_vocabulary *vocabulary, const char *name);

static inline bool gen_form_is(struct gen_form a, struct gen_form b)
{
    return a.family == b.family && a.order == b.order && a.scope == b.scope;
}
/* Do all in an instance of its scope take part, under some model? */
static inline bool gen_form_may_meet(const struct gen_vocabulary *vocabulary, struct gen_form form)
{
    return (vocabulary->families[form.family].traits & (GEN_MEETS | GEN_MAY_MEET)) &&
           form.scope != LIT_SCOPE_WI;
}
/* Do all in an instance of its scope take part, under every model? */
static inline bool gen_form_meets(const struct gen_vocabulary *vocabulary, struct gen_form form)
{
    return (vocabulary->families[form.family].traits & GEN_MEETS) && form.scope != LIT_SCOPE_WI;
}

/* The forms one step weaker, with orders and scopes in the masks: the next narrower scope, the next
 * weaker orders, the weaker family. Returns how many. */
enum { GEN_MAX_STEPS = 4 };
uint32_t gen_form_steps(const struct gen_vocabulary *vocabulary, struct gen_form form,
                        uint32_t orders, uint32_t scopes, struct gen_form steps[GEN_MAX_STEPS]);

/* Names such as "rel", "wg"; the order of a plain access is "". */
const char *gen_order_text(enum lit_order order);
const char *gen_scope_text(enum lit_scope scope);

#endif
