#include "generate/gen_vocabulary.h"

#include <string.h>

const char *const gen_dialect_words[GEN_DIALECT_COUNT] = {"OPENCL", "PTX"};

#define ORDER(name) (1u << LIT_ORDER_##name)
#define SCOPE(name) (1u << LIT_SCOPE_##name)
#define COUNT(table) (sizeof(table) / sizeof *(table))

enum {
    PLAIN = ORDER(NA),
    NO_SCOPE = SCOPE(WI),
    ACCESS_SCOPES = SCOPE(SG) | SCOPE(WG) | SCOPE(KR) | SCOPE(DV) | SCOPE(ALL),
    BARRIER_SCOPES = SCOPE(WI) | ACCESS_SCOPES,
};

/* A family that both dialects have. */
#define FAMILY(name, class, traits, orders, scopes, opencl, ptx, weaker) \
    {                                                                    \
        name, class, traits, orders, scopes, {opencl, ptx}, weaker       \
    }
/* One without orders and scopes. */
#define BARE(name, class, traits, opencl, ptx, weaker) \
    FAMILY(name, class, traits, PLAIN, NO_SCOPE, opencl, ptx, weaker)
#define MARK(name, traits, opencl, ptx) \
    BARE(name, GEN_POINT, (traits) | GEN_PERSISTS, opencl, ptx, NULL)

#define LOADS (ORDER(RLX) | ORDER(ACQ) | ORDER(SC))
#define STORES (ORDER(RLX) | ORDER(REL) | ORDER(SC))
#define FENCES (ORDER(ACQ) | ORDER(REL) | ORDER(ACQ_REL) | ORDER(SC))

/* Accesses, fences and execution barriers, which have more traits somewhere. */
#define COMMON(traits)                                                                        \
    BARE("ld", GEN_LOAD, 0, "int %r = *%x;", "ld.weak %r, %x", NULL),                         \
        BARE("st", GEN_STORE, 0, "*%x = %v;", "st.weak %x, %v", NULL),                        \
        FAMILY("lda", GEN_LOAD, 0, LOADS, ACCESS_SCOPES, "int %r = %x.load(%o, %s);",         \
               "ld.%o.%s %r, %x", "ld"),                                                      \
        FAMILY("sta", GEN_STORE, 0, STORES, ACCESS_SCOPES, "%x.store(%v, %o, %s);",           \
               "st.%o.%s %x, %v", "st"),                                                      \
        FAMILY("rmw", GEN_RMW, 0, ORDER(RLX) | FENCES, ACCESS_SCOPES,                         \
               "int %r = %x.exchange(%v, %o, %s);", "atom.%o.%s.exch %r, %x, %v", NULL),      \
        FAMILY("fence", GEN_POINT, GEN_SPEAKS, FENCES, ACCESS_SCOPES,                         \
               "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, %o, %s);", "fence.%o.%s", NULL), \
        FAMILY("bar", GEN_POINT, GEN_MEETS | (traits), PLAIN, SCOPE(WG) | SCOPE(KR),          \
               "sync_barrier_%b;", "bar.%b.sync 0", NULL)

#define ACCESSES COMMON(0)
#define P_BARRIER(traits)                                                          \
    FAMILY("p_barrier", GEN_POINT, (traits) | GEN_PERSISTS, PLAIN, BARRIER_SCOPES, \
           "p_barrier(%s);", "pbar.%s", NULL)

static const struct gen_family spb[] = {
    ACCESSES,
    P_BARRIER(GEN_MEETS),
};

/* One work-item executes the barrier for its scope. It orders what happens before it, of others as
 * well. A collective model has who executes it wait for all of the scope. */
static const struct gen_family spb_individual[] = {
    ACCESSES,
    P_BARRIER(GEN_MAY_MEET | GEN_SPEAKS),
};

enum { SBRP_SCOPES = SCOPE(WG) | SCOPE(DV) | SCOPE(ALL) };

/* An execution barrier may be a release and an acquire. */
static const struct gen_family sbrp[] = {
    COMMON(GEN_ORDERS_ALONE),
    MARK("oFence", 0, "oFence();", "oFence"),
    MARK("dFence", 0, "dFence();", "dFence"),
    FAMILY("pRel", GEN_STORE, 0, ORDER(REL), SBRP_SCOPES, "prel(%x, %v, %s);", "prel %x, %v, %s",
           "sta"),
    FAMILY("pAcq", GEN_LOAD, 0, ORDER(ACQ), SBRP_SCOPES, "int %r = pacq(%x, %s);",
           "pacq %r, %x, %s", "lda"),
};

static const struct gen_family strand[] = {
    ACCESSES,
    MARK("PersistBarrier", 0, "PersistBarrier();", "PersistBarrier"),
    MARK("NewStrand", 0, "NewStrand();", "NewStrand"),
    MARK("JoinStrand", 0, "JoinStrand();", "JoinStrand"),
};

/* gpm_persist is an SC fence of system scope besides. */
static const struct gen_family gpm[] = {
    ACCESSES,
    BARE("gpm_persist", GEN_POINT, GEN_SPEAKS, "gpm_persist();", "gpm_persist", NULL),
    MARK("gpm_persist_begin", GEN_SPEAKS, "gpm_persist_begin();", "gpm_persist_begin"),
    MARK("gpm_persist_end", GEN_SPEAKS, "gpm_persist_end();", "gpm_persist_end"),
    BARE("pmem_flush", GEN_LINE, GEN_PERSISTS, "pmem_flush(%x);", "pmem_flush %x", NULL),
    MARK("pmem_drain", 0, "pmem_drain();", "pmem_drain"),
};

/* l2wb writes back what happened before it, of others as well. */
static const struct gen_family lin[] = {
    ACCESSES,
    BARE("st_wt", GEN_STORE, 0, "st_wt(%x, %v);", "st_wt %x, %v", "st"),
    BARE("clwb", GEN_LINE, GEN_PERSISTS, "clwb(%x);", "clwb %x", NULL),
    MARK("sfence", 0, "sfence();", "sfence"),
    MARK("pcommit", GEN_SPEAKS, "pcommit();", "pcommit"),
    MARK("l2wb", GEN_SPEAKS, "l2wb();", "l2wb"),
};

static const struct gen_family px86[] = {
    ACCESSES,
    BARE("st_nt", GEN_STORE, 0, "st_nt(%x, %v);", "st_nt %x, %v", "st"),
    BARE("clwb", GEN_LINE, GEN_PERSISTS, "clwb(%x);", "clwb %x", NULL),
    BARE("clflushopt", GEN_LINE, GEN_PERSISTS, "clflushopt(%x);", "clflushopt %x", NULL),
    BARE("clflush", GEN_LINE, GEN_PERSISTS, "clflush(%x);", "clflush %x", "clflushopt"),
    BARE("sfence", GEN_POINT, GEN_SPEAKS, "sfence();", "sfence", NULL),
    BARE("mfence", GEN_POINT, GEN_SPEAKS, "mfence();", "mfence", "sfence"),
};

static const struct gen_family tx[] = {
    ACCESSES,
    MARK("TX_START", GEN_OPENS, "TX_START;", "TX_START"),
    MARK("TX_END", GEN_CLOSES, "TX_END;", "TX_END"),
};

#define VOCABULARY(name, description, uses, levels, host, table)   \
    {                                                              \
        name, description, uses, levels, host, table, COUNT(table) \
    }

/* A warp of Lin's, whose fence may be all its work-items'; a block of Chen's, with a log of its
 * own. */
const struct gen_vocabulary gen_vocabularies[] = {
    VOCABULARY("spb", "SPB's persist barriers, which all of a scope execute", NULL, 0, NULL, spb),
    VOCABULARY("spb-individual", "SPB's persist barriers, which one or more of a scope execute",
               NULL, 0, NULL, spb_individual),
    VOCABULARY("sbrp", "SBRP's fences, releases and acquires", "sbrp.def", 0, NULL, sbrp),
    VOCABULARY("strand", "strands, joined and with barriers", "strand.def", 0, NULL, strand),
    VOCABULARY("gpm", "GPM's persists and regions", "gpm.def", 0, "cpu", gpm),
    VOCABULARY("lin", "Lin's flushes, queues and stores written through", "lin.def", SCOPE(SG),
               "cpu", lin),
    VOCABULARY("px86", "x86's flushes and fences", "px86.def", 0, NULL, px86),
    VOCABULARY("tx", "transactions", "tx.def", SCOPE(WG), NULL, tx),
    {.name = NULL},
};

const struct gen_vocabulary *gen_vocabulary_find(const char *name)
{
    for (const struct gen_vocabulary *v = gen_vocabularies; v->name; v++)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

const struct gen_vocabulary *gen_vocabulary_of(const char *persistency)
{
    static const struct {
        const char *beginning, *vocabulary;
    } table[] = {
        {"buffered-epoch-individual", "spb-individual"},
        {"epoch-individual", "spb-individual"},
        {"sbrp", "sbrp"},
        {"strand", "strand"},
        {"gpm", "gpm"},
        {"lin-", "lin"},
        {"px86", "px86"},
        {"kiln", "tx"},
        {"chen-", "tx"},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        if (strncmp(persistency, table[i].beginning, strlen(table[i].beginning)) == 0)
            return gen_vocabulary_find(table[i].vocabulary);
    return &gen_vocabularies[0];
}

const struct gen_vocabulary *gen_vocabulary_wider(const struct gen_vocabulary *vocabulary)
{
    return gen_vocabulary_find(strcmp(vocabulary->name, "spb") == 0 ? "spb-individual"
                                                                    : vocabulary->name);
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
