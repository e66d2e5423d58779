#include "sketch/sites_run.h"

#include <string.h>

const struct lit_spelling *sites_spelling(const char *word)
{
    if (strncmp(word, "memory_", 7) == 0)
        return &lit_spelling_long;
    size_t length = strlen(word);
    bool scope = length > 6 && strcmp(word + length - 6, "_scope") == 0;
    return scope || strncmp(word, "mo_", 3) == 0 ? &lit_spelling_short : &lit_spelling_bare;
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
    const struct lit_writing *writing = run->test->dialect->writing;
    if (order == LIT_ORDER_NA)
        return false;
    if (op == LIT_FENCE)
        return order >= writing->least_fence || order == sites_order_of(site);
    if (!writing->sc_accesses && order == LIT_ORDER_SC)
        return false;
    bool reads = lit_instruction_reads(op), writes = lit_instruction_writes(op) && !site->fails;
    return order == LIT_ORDER_RLX || order == LIT_ORDER_SC ||
           ((reads || !(strength(order) & ACQUIRES)) && (writes || !(strength(order) & RELEASES)));
}
