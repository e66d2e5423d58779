#include "generate/gen_between.h"

#include "generate/gen_bound.h"

#include <string.h>

#define BIT(number) (UINT32_C(1) << (number))

static uint32_t families_named(const struct gen_vocabulary *vocabulary, const char *const *names,
                               size_t count)
{
    uint32_t families = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t family = gen_family_find(vocabulary, names[i]);
        if (family < vocabulary->family_count)
            families |= BIT(family);
    }
    return families;
}

/* All but those that are no mechanism's own. */
static uint32_t own_families(const struct gen_vocabulary *vocabulary)
{
    return (uint32_t)((UINT64_C(1) << vocabulary->family_count) - BIT(GEN_COMMON));
}

void gen_between(struct gen_bound *bound, enum gen_dialect dialect,
                 const struct gen_between_models *models)
{
    static const char *const accesses[] = {"ld", "st", "lda", "sta", "bar"};
    gen_bound_init(bound, bound->vocabulary, dialect);
    bound->orders = BIT(LIT_ORDER_NA) | BIT(LIT_ORDER_ACQ) | BIT(LIT_ORDER_REL);
    if (!models->one_visibility)
        bound->dependencies |= BIT(GEN_GUARD);
    if (!models->one_visibility && !models->named && !bound->vocabulary->derived) {
        bound->threads = 3;
        bound->families = families_named(bound->vocabulary, accesses, 5);
        bound->scopes = BIT(LIT_SCOPE_WI) | BIT(LIT_SCOPE_WG) | BIT(LIT_SCOPE_DV);
        bound->volatiles = false;
        return;
    }
    bound->events = 3;
    bound->families =
        own_families(bound->vocabulary) | families_named(bound->vocabulary, accesses, 2);
    if (!models->one_visibility)
        bound->families |= families_named(bound->vocabulary, accesses, 5);
    if (!models->one_visibility || models->orders) {
        bound->families |= families_named(bound->vocabulary, accesses, 4);
        bound->scopes |= BIT(LIT_SCOPE_DV);
    }
}

void gen_between_words(const struct gen_bound *bounds, uint32_t count, struct strbuf *out)
{
    struct gen_bound shown = bounds[0];
    for (uint32_t i = 0; i < count; i++)
        strbuf_printf(out, "%s%s", i ? ", " : "", bounds[i].vocabulary->name);
    strbuf_add(out, ": ");
    if (count > 1)
        shown.families = 0;
    gen_bound_text(&shown, out);
}
