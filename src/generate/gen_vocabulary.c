#include "generate/gen_vocabulary.h"

#include <string.h>

const char *const gen_dialect_words[GEN_DIALECT_COUNT] = {"OPENCL", "PTX"};

#define ORDER(name) (1u << LIT_ORDER_##name)
#define SCOPE(name) (1u << LIT_SCOPE_##name)

enum {
    PLAIN = ORDER(NA),
    NO_SCOPE = SCOPE(WI),
    ACCESS_SCOPES = SCOPE(SG) | SCOPE(WG) | SCOPE(KR) | SCOPE(DV) | SCOPE(ALL),
    LOADS = ORDER(RLX) | ORDER(ACQ) | ORDER(SC),
    STORES = ORDER(RLX) | ORDER(REL) | ORDER(SC),
    FENCES = ORDER(ACQ) | ORDER(REL) | ORDER(ACQ_REL) | ORDER(SC),
};

const struct gen_family gen_language[] = {
    {"ld", GEN_LOAD, 0, PLAIN, NO_SCOPE, {"int %r = *%x;", "ld.weak %r, %x"}, NULL, NULL, NULL},
    {"st", GEN_STORE, 0, PLAIN, NO_SCOPE, {"*%x = %v;", "st.weak %x, %v"}, NULL, NULL, NULL},
    {"lda",
     GEN_LOAD,
     0,
     LOADS,
     ACCESS_SCOPES,
     {"int %r = %x.load(%o, %s);", "ld.%o.%s %r, %x"},
     "ld",
     NULL,
     NULL},
    {"sta",
     GEN_STORE,
     0,
     STORES,
     ACCESS_SCOPES,
     {"%x.store(%v, %o, %s);", "st.%o.%s %x, %v"},
     "st",
     NULL,
     NULL},
    {"rmw",
     GEN_RMW,
     0,
     ORDER(RLX) | FENCES,
     ACCESS_SCOPES,
     {"int %r = %x.exchange(%v, %o, %s);", "atom.%o.%s.exch %r, %x, %v"},
     NULL,
     NULL,
     NULL},
    {"fence",
     GEN_POINT,
     GEN_SPEAKS,
     FENCES,
     ACCESS_SCOPES,
     {"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %o, %s);", "fence.%o.%s"},
     NULL,
     NULL,
     NULL},
    {"bar",
     GEN_POINT,
     GEN_MEETS,
     PLAIN,
     SCOPE(WG) | SCOPE(KR),
     {"sync_barrier_%b;", "bar.%b.sync 0"},
     NULL,
     NULL,
     NULL},
    {"p_barrier",
     GEN_POINT,
     GEN_SPEAKS,
     PLAIN,
     NO_SCOPE | ACCESS_SCOPES,
     {"p_barrier(%s);", "pbar.%s"},
     NULL,
     NULL,
     NULL},
};

bool gen_is_plain(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return *name && !name[strspn(name, plain)];
}

bool gen_is_language(const char *name, uint32_t count)
{
    return ANY(f, count, strcmp(gen_language[f].name, name) == 0);
}

enum gen_dialect gen_dialect_find(const char *word)
{
    int dialect = 0;
    while (strcmp(gen_dialect_words[dialect], word) != 0)
        dialect++;
    return (enum gen_dialect)dialect;
}

enum gen_dialect gen_dialect_of(const char *visibility)
{
    return strcmp(visibility, "ptx") == 0 ? GEN_PTX : GEN_OPENCL;
}

uint32_t gen_family_find(const struct gen_vocabulary *vocabulary, const char *name)
{
    uint32_t f = 0;
    while (f < vocabulary->family_count && strcmp(vocabulary->families[f].name, name) != 0)
        f++;
    return f;
}

/* ---- What is weaker ---- */

/* Of the orders below `order`, does `lower` have nothing between? Relaxed is below acquire and
 * release, these below acq_rel, that below SC. */
static bool is_below(enum lit_order lower, enum lit_order order)
{
    static const uint32_t below[] = {
        [LIT_ORDER_NA] = 0,
        [LIT_ORDER_RLX] = 0,
        [LIT_ORDER_ACQ] = ORDER(RLX),
        [LIT_ORDER_REL] = ORDER(RLX),
        [LIT_ORDER_ACQ_REL] = ORDER(RLX) | ORDER(ACQ) | ORDER(REL),
        [LIT_ORDER_SC] = ORDER(RLX) | ORDER(ACQ) | ORDER(REL) | ORDER(ACQ_REL),
    };
    return below[order] >> lower & 1;
}

/* The greatest of the orders that are allowed and below. */
static uint32_t next_orders(enum lit_order order, uint32_t allowed)
{
    uint32_t found = 0;
    for (uint32_t o = 0; o <= LIT_ORDER_SC; o++)
        if ((allowed >> o & 1) && is_below((enum lit_order)o, order))
            found |= 1u << o;
    for (uint32_t o = 0; o <= LIT_ORDER_SC; o++)
        for (uint32_t p = 0; p <= LIT_ORDER_SC; p++)
            if ((found >> p & 1) && is_below((enum lit_order)o, (enum lit_order)p))
                found &= ~(1u << o);
    return found;
}

/* The same with less: the order and scope of the form as far as the family has them, else the
 * strongest and widest that it has. */
static bool weaker_family(const struct gen_vocabulary *vocabulary, struct gen_form form,
                          struct gen_form *weaker)
{
    const struct gen_family *family = &vocabulary->families[form.family], *next;
    if (!family->weaker)
        return false;
    *weaker = form;
    weaker->family = (uint8_t)gen_family_find(vocabulary, family->weaker);
    next = &vocabulary->families[weaker->family];
    if (!(next->orders >> form.order & 1))
        for (uint8_t o = 0; o <= LIT_ORDER_SC; o++)
            if (next->orders >> o & 1)
                weaker->order = o;
    if (!(next->scopes >> form.scope & 1))
        weaker->scope = LIT_SCOPE_WI;
    return true;
}

uint32_t gen_form_steps(const struct gen_vocabulary *vocabulary, struct gen_form form,
                        uint32_t orders, uint32_t scopes, struct gen_form steps[GEN_MAX_STEPS])
{
    const struct gen_family *family = &vocabulary->families[form.family];
    uint32_t count = 0, lower = next_orders((enum lit_order)form.order, family->orders & orders);
    for (uint8_t o = 0; o <= LIT_ORDER_SC; o++)
        if (lower >> o & 1)
            steps[count++] = (struct gen_form){form.family, o, form.scope};
    for (uint8_t s = form.scope; s-- > 0;)
        if (family->scopes & scopes & 1u << s) {
            steps[count++] = (struct gen_form){form.family, form.order, s};
            break;
        }
    struct gen_form weaker;
    if (!lower && weaker_family(vocabulary, form, &weaker))
        steps[count++] = weaker;
    return count;
}

const char *gen_order_text(enum lit_order order)
{
    static const char *const texts[] = {
        [LIT_ORDER_NA] = "",     [LIT_ORDER_RLX] = "rlx",         [LIT_ORDER_ACQ] = "acq",
        [LIT_ORDER_REL] = "rel", [LIT_ORDER_ACQ_REL] = "acq_rel", [LIT_ORDER_SC] = "sc"};
    return texts[order];
}

const char *gen_scope_text(enum lit_scope scope)
{
    static const char *const texts[] = {LIT_SCOPES(TABLE_FOURTH)};
    return texts[scope];
}
