#include "sketch/sites_run.h"

#include <string.h>

enum lit_spelling sites_spelling(const char *word)
{
    if (strncmp(word, "memory_", 7) == 0)
        return LIT_SPELLING_LONG;
    size_t length = strlen(word);
    bool scope = length > 6 && strcmp(word + length - 6, "_scope") == 0;
    return scope || strncmp(word, "mo_", 3) == 0 ? LIT_SPELLING_SHORT : LIT_SPELLING_BARE;
}

const char *sites_order(enum lit_spelling spelling, enum lit_order order)
{
#define LONG(name, tag, text) "memory_order_" text,
#define SHORT(name, brief, ptx) [LIT_ORDER_##name] = "mo_" brief,
#define PTX(name, brief, ptx) [LIT_ORDER_##name] = ptx,
#define SPELLINGS(X)                 \
    X(RLX, "rlx", "relaxed")         \
    X(ACQ, "acq", "acquire")         \
    X(REL, "rel", "release")         \
    X(ACQ_REL, "acq_rel", "acq_rel") \
    X(SC, "sc", "sc")
    static const char *const longs[] = {LIT_ORDERS(LONG)};
    static const char *const shorts[] = {SPELLINGS(SHORT)};
    static const char *const ptx[] = {SPELLINGS(PTX)};
    return spelling == LIT_SPELLING_LONG  ? longs[order]
           : spelling >= LIT_SPELLING_PTX ? ptx[order]
                                          : shorts[order];
#undef LONG
#undef SHORT
#undef PTX
#undef SPELLINGS
}

const char *sites_scope(enum lit_spelling spelling, enum lit_scope scope)
{
#define LONG(name, tag, text, brief) "memory_scope_" text,
#define SHORT(name, tag, text, brief) brief "_scope",
#define BARE(name, tag, text, brief) brief,
    static const char *const words[][LIT_SCOPE_COUNT] = {
        [LIT_SPELLING_LONG] = {LIT_SCOPES(LONG)},
        [LIT_SPELLING_SHORT] = {LIT_SCOPES(SHORT)},
        [LIT_SPELLING_BARE] = {LIT_SCOPES(BARE)},
        [LIT_SPELLING_SUFFIX] = {"wi", "sg", "wg", "kr", "dev", NULL},
        [LIT_SPELLING_PTX] = {NULL, NULL, "cta", NULL, "gpu", "sys"},
        [LIT_SPELLING_MEMBAR] = {NULL, NULL, "cta", NULL, "gl", "sys"},
        [LIT_SPELLING_PBAR] = {"thread", NULL, "cta", NULL, "gpu", "sys"},
    };
    return words[spelling][scope];
#undef LONG
#undef SHORT
#undef BARE
}

enum { ACQUIRES = 1, RELEASES = 2, TOTAL = 4 };

static uint32_t strength(enum lit_order order)
{
    static const uint8_t of[] = {[LIT_ORDER_NA] = 0,
                                 [LIT_ORDER_RLX] = 0,
                                 [LIT_ORDER_ACQ] = ACQUIRES,
                                 [LIT_ORDER_REL] = RELEASES,
                                 [LIT_ORDER_ACQ_REL] = ACQUIRES | RELEASES,
                                 [LIT_ORDER_SC] = ACQUIRES | RELEASES | TOTAL};
    return of[order];
}

bool lit_order_within(enum lit_order a, enum lit_order b)
{
    return a == b || (b != LIT_ORDER_NA && (a == LIT_ORDER_NA || b != LIT_ORDER_RLX) &&
                      (strength(a) & ~strength(b)) == 0);
}

enum lit_order sites_order_of(const struct site *site)
{
    return site->fails ? site->instr->fail_order : site->instr->order;
}

/* A relaxed fence orders nothing, which leaving it out says better. */
bool sites_may_order(const struct sites_run *run, const struct site *site, enum lit_order order)
{
    enum lit_instr_op op = site->instr->op;
    bool table = run->test->dialect->is_table;
    if (order == LIT_ORDER_NA)
        return false;
    if (op == LIT_FENCE)
        return order >= (table ? LIT_ORDER_ACQ_REL : LIT_ORDER_ACQ) ||
               order == sites_order_of(site);
    if (table && order == LIT_ORDER_SC)
        return false;
    bool reads = lit_instruction_reads(op), writes = lit_instruction_writes(op) && !site->fails;
    return order == LIT_ORDER_RLX || order == LIT_ORDER_SC ||
           ((reads || !(strength(order) & ACQUIRES)) && (writes || !(strength(order) & RELEASES)));
}
