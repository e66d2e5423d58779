/* cat_variants: the variants of herd that are on; `if "name"` of a cat file asks about them.
 *
 * Ownership: names point into the texts of whoever fills the list. */
#ifndef CRASHLIT_CAT_VARIANTS_H
#define CRASHLIT_CAT_VARIANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CAT_MAX_VARIANTS = 64 };

/* Zeroed: all are off. */
struct cat_variants {
    struct cat_variant {
        const char *text; /* ends after `length` bytes */
        size_t length;
    } on[CAT_MAX_VARIANTS]; /* each once */
    uint32_t count;
};

static inline bool cat_variant_is(const struct cat_variant *variant, const char *name)
{
    return strncmp(variant->text, name, variant->length) == 0 && !name[variant->length];
}

static inline bool cat_variants_have(const struct cat_variants *variants, const char *name)
{
    uint32_t i = 0;
    while (i < variants->count && !cat_variant_is(&variants->on[i], name))
        i++;
    return i < variants->count;
}

#endif
