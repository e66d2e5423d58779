/* gen_vocabulary: the operations that generated programs may have, a table for each mechanism.
 *
 * A vocabulary is a list of families: "a plain store", "a persist barrier". A form is a family with
 * one of its memory orders and scopes. Each family says how it is written in each dialect, so a
 * vocabulary is data alone. */
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

/* Traits of a POINT, as a mask. */
enum {
    GEN_MEETS = 1,     /* of a scope wider than the work-item, all in an instance take part in it */
    GEN_OPENS = 2,     /* may be a work-item's first: a mark that something begins */
    GEN_CLOSES = 4,    /* a mark that has to come behind one that opens */
    GEN_SPEAKS = 8,    /* it may order others' accesses, so it may come first in a work-item */
    GEN_PERSISTS = 16, /* of persistency alone: it orders nothing where all is volatile */
    GEN_ORDERS_ALONE =
        32,           /* of one that meets: it orders something for a work-item alone there, too */
    GEN_MAY_MEET = 64 /* as GEN_MEETS, but under some models only: not all need to come */
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
};

struct gen_form {
    uint8_t family;
    uint8_t order, scope; /* enum lit_order, lit_scope */
};

struct gen_vocabulary {
    const char *name, *description;
    const char *uses; /* a definition file, NULL: none */
    uint32_t levels;  /* levels at which its models tell work-items apart without an instruction's
                         scope, a bit for each enum lit_scope */
    const char *host_tag; /* that marks work-items of the host; NULL: there are none */
    const struct gen_family *families;
    uint32_t family_count;
};

extern const struct gen_vocabulary gen_vocabularies[]; /* ends with a NULL name */

/* NULL: there is none of that name. */
const struct gen_vocabulary *gen_vocabulary_find(const char *name);
/* The vocabulary of a persistency model: the one with the model's instructions. Models that are
 * files, or have no instructions of their own, have that of SPB's barriers. */
const struct gen_vocabulary *gen_vocabulary_of(const char *persistency);
/* The vocabulary that also has programs in which a work-item waits at a barrier for one that never
 * comes; the same one if there is none. */
const struct gen_vocabulary *gen_vocabulary_wider(const struct gen_vocabulary *vocabulary);
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
