#include "ptx/ptx_word.h"

#include "litmus/lit_dialect.h"
#include "litmus/lit_ptx_words.h"
#include "litmus/lit_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ASYNC "copies and barriers of the async proxy have no model here"
#define SCHEDULE "it depends on how threads are scheduled"
#define TEXTURE "textures and surfaces reach memory through another proxy, which has no model here"

/* What a qualifier says, and its bit in what a word may have. */
enum says {
    SPACE,
    ORDER,
    SCOPE,
    UNSCOPED,
    OPERATION,
    JOIN,
    COMPARE,
    FLOATS,
    PART,
    VECTOR,
    MEETS,
    ROUND,
    UNIFORM,
    CAST,
    MODE,
    WARP,
    SYNC,
    LANES,
    HINT
};
#define MAY(says) (1u << (says))
#define PRODUCT (MAY(PART) | MAY(ROUND))
#define ACCESS (MAY(SPACE) | MAY(ORDER) | MAY(SCOPE) | MAY(UNSCOPED) | MAY(VECTOR) | MAY(HINT))
#define ATOMIC (MAY(SPACE) | MAY(ORDER) | MAY(SCOPE) | MAY(OPERATION) | MAY(VECTOR))
#define EXCHANGE (MAY(SYNC) | MAY(LANES))
#define COMPARES (MAY(COMPARE) | MAY(FLOATS) | MAY(ROUND))

/* clang-format off */
static const struct ptx_word words[] = {
#define FOLD(name, word, operands, may) {word, PTX_FOLD, PTX_##name, operands, may, NULL},
    PTX_FOLDS(FOLD)
#define OPAQUE(word, operands, may) {word, PTX_OPAQUE, 0, operands, may, NULL}
    OPAQUE("fma", 3, MAY(ROUND)),   OPAQUE("rcp", 1, MAY(ROUND)), OPAQUE("sqrt", 1, MAY(ROUND)),
    OPAQUE("rsqrt", 1, MAY(ROUND)), OPAQUE("sin", 1, MAY(ROUND)), OPAQUE("cos", 1, MAY(ROUND)),
    OPAQUE("ex2", 1, MAY(ROUND)),   OPAQUE("lg2", 1, MAY(ROUND)), OPAQUE("tanh", 1, MAY(ROUND)),
    OPAQUE("copysign", 2, 0),       OPAQUE("activemask", 0, 0),
    {"ld", PTX_LOAD, 0, 1, ACCESS, NULL},            {"ldu", PTX_LOAD, 0, 1, ACCESS, NULL},
    {"st", PTX_STORE, 0, 1, ACCESS, NULL},
    {"atom", PTX_ATOM, 0, 2, ATOMIC, NULL},          {"red", PTX_RED, 0, 1, ATOMIC, NULL},
    {"fence", PTX_FENCE, 0, 0, MAY(ORDER) | MAY(SCOPE), NULL},
    {"membar", PTX_FENCE, 1, 0, MAY(SCOPE), NULL},
    {"bar", PTX_BARRIER, 1, 1, MAY(MEETS) | MAY(SCOPE) | MAY(UNIFORM) | MAY(WARP), NULL},
    {"barrier", PTX_BARRIER, 0, 1, MAY(MEETS) | MAY(SCOPE) | MAY(UNIFORM), NULL},
    {"shfl", PTX_EXCHANGE, PTX_SHFL, 4, EXCHANGE, NULL},
    {"vote", PTX_EXCHANGE, PTX_VOTE, 2, EXCHANGE, NULL},
    {"match", PTX_EXCHANGE, PTX_MATCH, 2, EXCHANGE, NULL},
    {"redux", PTX_EXCHANGE, PTX_REDUX, 2, MAY(SYNC) | MAY(OPERATION), NULL},
    {"bra", PTX_BRANCH, 0, 1, MAY(UNIFORM), NULL},
    {"brx", PTX_SWITCH, 0, 2, MAY(UNIFORM), NULL},
    {"ret", PTX_END, 0, 0, MAY(UNIFORM), NULL},      {"exit", PTX_END, 0, 0, 0, NULL},
    {"trap", PTX_TRAP, 0, 0, 0, NULL},
    {"nanosleep", PTX_NOTHING, 0, 0, 0, NULL},
    {"prefetch", PTX_NOTHING, 0, 0, MAY(SPACE) | MAY(HINT), NULL},
    {"prefetchu", PTX_NOTHING, 0, 0, MAY(HINT), NULL},
#define REFUSED(text, why) {text, PTX_REFUSED, 0, 0, 0, why}
    REFUSED("call", "it is no call"),
    REFUSED("elect", SCHEDULE),
    REFUSED("cp", ASYNC),      REFUSED("mbarrier", ASYNC), REFUSED("wgmma", ASYNC),
    REFUSED("ldmatrix", ASYNC),
    REFUSED("tex", TEXTURE),   REFUSED("tld4", TEXTURE),  REFUSED("suld", TEXTURE),
    REFUSED("sust", TEXTURE),  REFUSED("sured", TEXTURE),
};

/* Those that both readers of PTX know, by the instructions that have them. */
static const struct list {
    uint32_t kinds;
    enum says says;
    const struct lit_qualifier *words;
} lists[] = {
#define OF(kind) (1u << PTX_##kind)
    {OF(LOAD), ORDER, lit_ptx_load_orders},
    {OF(STORE), ORDER, lit_ptx_store_orders},
    {OF(ATOM) | OF(RED), ORDER, lit_ptx_atomic_orders},
    {OF(FENCE), ORDER, lit_ptx_fence_orders},
    {OF(LOAD) | OF(STORE) | OF(ATOM) | OF(RED) | OF(FENCE) | OF(BARRIER), SCOPE, lit_ptx_scopes},
    {OF(FENCE), SCOPE, lit_ptx_membar_scopes},
    {OF(LOAD) | OF(STORE), UNSCOPED, lit_ptx_unscoped},
    {OF(ATOM) | OF(RED) | OF(EXCHANGE), OPERATION, lit_ptx_operations},
    {OF(ATOM) | OF(RED), OPERATION, lit_ptx_counters},
    {OF(FOLD), JOIN, lit_ptx_joins},
    {OF(BARRIER), MEETS, lit_ptx_meetings},
    {OF(LOAD), HINT, lit_ptx_load_hints},
    {OF(STORE), HINT, lit_ptx_store_hints},
};

struct qualifier {
    const char *text;
    enum says says;
    uint32_t value;
};

static const struct qualifier qualifiers[] = {
    {"global", SPACE, PTX_GLOBAL},   {"shared", SPACE, PTX_SHARED},  {"shared::cta", SPACE, PTX_SHARED},
    {"param", SPACE, PTX_PARAM},     {"local", SPACE, PTX_LOCAL},    {"const", SPACE, PTX_CONST},
    {"eq", COMPARE, LIT_OP_EQ},      {"ne", COMPARE, LIT_OP_NE},     {"lt", COMPARE, LIT_OP_LT},
    {"le", COMPARE, LIT_OP_LE},      {"gt", COMPARE, LIT_OP_GT},     {"ge", COMPARE, LIT_OP_GE},
    /* Of unsigned values. */
    {"lo", COMPARE, LIT_OP_LT},      {"ls", COMPARE, LIT_OP_LE},     {"hi", COMPARE, LIT_OP_GT},
    {"hs", COMPARE, LIT_OP_GE},
    {"lo", PART, PTX_LOW},           {"hi", PART, PTX_HIGH},         {"wide", PART, PTX_WIDE},
    {"equ", FLOATS, 0}, {"neu", FLOATS, 0}, {"ltu", FLOATS, 0}, {"leu", FLOATS, 0},
    {"gtu", FLOATS, 0}, {"geu", FLOATS, 0}, {"num", FLOATS, 0}, {"nan", FLOATS, 0},
    {"v2", VECTOR, 2},               {"v4", VECTOR, 4},
    {"aligned", UNIFORM, 1}, {"uni", UNIFORM, 0}, {"idx", UNIFORM, 0}, {"to", CAST, 0},
    {"rn", ROUND, 1}, {"rz", ROUND, 0}, {"rm", ROUND, 0}, {"rp", ROUND, 0},
    {"rni", ROUND, 0}, {"rzi", ROUND, 0}, {"rmi", ROUND, 0}, {"rpi", ROUND, 0},
    {"ftz", ROUND, 0}, {"approx", ROUND, 0}, {"full", ROUND, 0},
    {"shiftamt", MODE, PTX_AMOUNT}, {"l", MODE, PTX_LEFT}, {"r", MODE, PTX_RIGHT},
    {"wrap", MODE, PTX_WRAP},        {"clamp", MODE, PTX_CLAMP},
    {"warp", WARP, 1}, {"sync", SYNC, 1},
    {"up", LANES, PTX_UP}, {"down", LANES, PTX_DOWN}, {"bfly", LANES, PTX_BFLY}, {"idx", LANES, PTX_IDX},
    {"all", LANES, PTX_EVERY}, {"any", LANES, PTX_ANYONE}, {"uni", LANES, PTX_UNI},
    {"ballot", LANES, PTX_BALLOT},
    {"mmio", HINT, 1}, {"nc", HINT, 2}, {"L1", HINT, 0}, {"L2", HINT, 0},
};
/* clang-format on */

static bool is_word(const char *known, const char *text, size_t length)
{
    return strlen(known) == length && memcmp(known, text, length) == 0;
}

/* What the word is in an instruction of this kind. */
static bool find_qualifier(const struct ptx_word *word, const char *text, size_t length,
                           struct qualifier *found)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct lit_qualifier *at = lists[i].words; at->text; at++)
            if ((lists[i].kinds >> word->kind & 1) && (word->may & MAY(lists[i].says)) &&
                is_word(at->text, text, length)) {
                *found = (struct qualifier){at->text, lists[i].says, at->value};
                return true;
            }
    const struct qualifier *own =
        FIND(i, qualifiers, sizeof qualifiers / sizeof *qualifiers,
             (word->may & MAY(qualifiers[i].says)) && is_word(qualifiers[i].text, text, length));
    *found = own ? *own : (struct qualifier){0};
    return own;
}

struct ptx_type ptx_type_of(const char *text, size_t length)
{
    static const struct ptx_type none;
    if (length == 4 && memcmp(text, "pred", 4) == 0)
        return (struct ptx_type){.bits = 1};
    if (length < 2 || length > 3 || !strchr("bsuf", text[0]) || !isdigit((unsigned char)text[1]))
        return none;
    char *end;
    uint32_t bits = (uint32_t)strtoul(text + 1, &end, 10);
    bool known = end == text + length && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
    return known ? (struct ptx_type){bits, *text == 's', *text == 'f', *text == 'b'} : none;
}

enum lit_type ptx_lit_type(uint32_t bits, bool is_signed)
{
    switch (bits) {
    case 8: return is_signed ? LIT_CHAR : LIT_UCHAR;
    case 16: return is_signed ? LIT_SHORT : LIT_USHORT;
    case 32: return is_signed ? LIT_INT : LIT_UINT;
    case 64: return is_signed ? LIT_LONG : LIT_ULONG;
    default: return LIT_INT;
    }
}

static void take_operation(struct ptx_meaning *meaning, uint32_t value)
{
    meaning->exchanges = value == LIT_PTX_CAS;
    meaning->reduces = !meaning->exchanges;
    meaning->rmw = meaning->exchanges ? LIT_RMW_EXCHANGE : (enum lit_rmw)value;
}

static void take(struct ptx_meaning *meaning, const struct qualifier *qualifier)
{
    uint32_t value = qualifier->value;
    switch (qualifier->says) {
    case SPACE: meaning->space = (enum ptx_space)value; break;
    case ORDER:
        meaning->ordered = true;
        meaning->order = (enum lit_order)value;
        break;
    case SCOPE:
        meaning->scoped = true;
        meaning->scope = (enum lit_scope)value;
        break;
    case UNSCOPED:
        meaning->is_volatile = value != LIT_ORDER_NA;
        meaning->weak = !meaning->is_volatile;
        break;
    case OPERATION: take_operation(meaning, value); break;
    case JOIN: meaning->joins = lit_rmw_operators[value]; break;
    case COMPARE: meaning->compare = (enum lit_operator)value; break;
    case FLOATS: meaning->unordered = true; break;
    case PART: meaning->part = (enum ptx_part)value; break;
    case VECTOR: meaning->vector = value; break;
    case MEETS: meaning->arrives = value; break;
    case MODE: meaning->mode |= value; break;
    case ROUND:
        meaning->nearest |= value != 0;
        meaning->rounds |= value == 0;
        break;
    case WARP: meaning->of_warp = true; break;
    case SYNC: meaning->syncs = true; break;
    case LANES: meaning->lanes = (enum ptx_lanes)value; break;
    case UNIFORM: meaning->aligned |= value != 0; break;
    case HINT:
        meaning->mmio |= value == 1;
        meaning->read_only |= value == 2;
        break;
    case CAST: break;
    }
}

static bool take_type(struct ptx_meaning *meaning, const char *text, size_t length)
{
    struct ptx_type type = ptx_type_of(text, length);
    if (!type.bits)
        return false;
    if (!meaning->type.bits)
        meaning->type = type;
    meaning->from = type;
    return true;
}

/* Is one of its kind said already? */
static bool is_said(const struct ptx_meaning *meaning, const struct qualifier *qualifier)
{
    switch (qualifier->says) {
    case SPACE: return meaning->space != PTX_GENERIC;
    case ORDER:
    case UNSCOPED: return meaning->ordered || meaning->is_volatile || meaning->weak;
    case SCOPE: return meaning->scoped;
    case OPERATION: return meaning->reduces || meaning->exchanges;
    case JOIN: return meaning->joins != LIT_OP_CONST;
    case COMPARE:
    case FLOATS: return meaning->compare != LIT_OP_CONST || meaning->unordered;
    case PART: return meaning->part != PTX_WHOLE;
    case VECTOR: return meaning->vector > 1;
    case LANES: return meaning->lanes != PTX_NO_LANES;
    default: return false;
    }
}

/* A scope without an order, or an order without a scope. NULL: neither. */
static const char *order_fault(const struct ptx_meaning *meaning)
{
    bool accesses = meaning->word->kind == PTX_LOAD || meaning->word->kind == PTX_STORE;
    if (accesses && meaning->scoped && !meaning->ordered)
        return "it cannot have a scope there";
    if (accesses && meaning->ordered && !meaning->scoped)
        return "it says no scope";
    if (meaning->mmio &&
        (meaning->order != LIT_ORDER_RLX || meaning->scope != LIT_SCOPE_ALL || meaning->vector > 1))
        return "what is mmio is relaxed, of scope sys and no vector";
    if (meaning->read_only && (meaning->word->kind != PTX_LOAD || meaning->space != PTX_GLOBAL ||
                               meaning->ordered || meaning->is_volatile))
        return "'.nc' is of weak loads of global memory";
    if (meaning->word->kind == PTX_BARRIER && meaning->scoped && meaning->scope != LIT_SCOPE_WG)
        return "a barrier is one of the block";
    if (meaning->of_warp && (meaning->scoped || meaning->aligned || meaning->arrives))
        return "one of a warp waits, and says no more";
    return NULL;
}

/* The widths that an instruction has, and the modes that it needs. */
static const char *fold_fault(const struct ptx_meaning *meaning)
{
    uint32_t fold = meaning->word->fold, bits = meaning->type.bits, mode = meaning->mode;
    bool of_bits = fold >= PTX_BFE && fold <= PTX_SHF;
    bool of_32 = fold == PTX_PRMT || fold == PTX_LOP3 || fold == PTX_SHF;
    if (!bits)
        return "it says no type";
    if (of_bits && (bits < 32 || (of_32 && bits != 32) || meaning->type.floats))
        return "it has no such type";
    if (fold == PTX_SHF && mode != (PTX_LEFT | PTX_WRAP) && mode != (PTX_LEFT | PTX_CLAMP) &&
        mode != (PTX_RIGHT | PTX_WRAP) && mode != (PTX_RIGHT | PTX_CLAMP))
        return "it says no direction, or no mode";
    if (fold == PTX_BFIND && mode > PTX_AMOUNT)
        return "it has no such mode";
    return NULL;
}

/* Which lanes, or what is computed of theirs, and its type. */
static const char *exchange_fault(const struct ptx_meaning *meaning)
{
    enum ptx_lanes lanes = meaning->lanes;
    uint32_t bits = meaning->type.bits;
    bool of_bits =
        meaning->rmw == LIT_RMW_AND || meaning->rmw == LIT_RMW_OR || meaning->rmw == LIT_RMW_XOR;
    bool counts =
        meaning->rmw == LIT_RMW_ADD || meaning->rmw == LIT_RMW_MIN || meaning->rmw == LIT_RMW_MAX;
    bool known = false;
    switch ((enum ptx_exchange)meaning->word->fold) {
    case PTX_SHFL: known = lanes >= PTX_UP && lanes <= PTX_IDX; break;
    case PTX_VOTE: known = lanes >= PTX_EVERY; break;
    case PTX_MATCH: known = lanes == PTX_EVERY || lanes == PTX_ANYONE; break;
    case PTX_REDUX: known = meaning->reduces && (of_bits || counts); break;
    }
    if (!meaning->syncs)
        return "without .sync it is not of sm_70 and later";
    if (!known)
        return "what it does with the lanes is not known";
    if (meaning->type.floats)
        return "it is of floating-point numbers";
    if (meaning->word->fold == PTX_MATCH && bits == 64)
        return "it is of 64 bits";
    bool truth = meaning->word->fold == PTX_VOTE && lanes != PTX_BALLOT;
    bool raw = !truth && (meaning->word->fold != PTX_REDUX || of_bits);
    return bits != (truth ? 1 : 32) || meaning->type.raw != raw ? "it has no such type" : NULL;
}

/* NULL: the parts go together. */
static const char *fault_of(const struct ptx_meaning *meaning)
{
    bool floats = meaning->type.floats;
    switch (meaning->word->kind) {
    case PTX_LOAD: return meaning->type.bits < 8 ? "it says no type" : NULL;
    case PTX_STORE:
        return meaning->space == PTX_CONST ? "nothing is stored there by a kernel"
               : meaning->type.bits < 8    ? "it says no type"
                                           : NULL;
    case PTX_ATOM:
    case PTX_RED:
        return floats ? "an atomic operation on floating-point numbers is not read yet"
               : meaning->vector > 1    ? "atomic operations on vectors are not read"
               : meaning->type.bits < 8 ? "it says no type"
               : meaning->exchanges == meaning->reduces ? "its operation is not known"
               : meaning->rmw >= LIT_RMW_INC &&
                       (meaning->type.bits != 32 || meaning->type.is_signed)
                   ? "it counts in u32"
                   : NULL;
    case PTX_FENCE: return meaning->scoped ? NULL : "it says no scope";
    case PTX_EXCHANGE: return exchange_fault(meaning);
    case PTX_FOLD: return fold_fault(meaning);
    default: return NULL;
    }
}

static const char *first_fault(struct arena *arena, struct ptx_meaning *meaning, const char *at)
{
    while (*at == '.') {
        size_t length = strcspn(++at, ".");
        struct qualifier qualifier;
        bool found = find_qualifier(meaning->word, at, length, &qualifier);
        /* L1::evict_last, L2::128B */
        bool hint = length > 4 && at[0] == 'L' && at[2] == ':' && at[3] == ':' &&
                    (meaning->word->may & MAY(HINT));
        if (found && is_said(meaning, &qualifier))
            return arena_printf(arena, "'.%s' contradicts what stands before it", qualifier.text);
        if (found)
            take(meaning, &qualifier);
        else if (!hint && !take_type(meaning, at, length))
            return arena_printf(arena, "'.%.*s' is not read there",
                                (int)(length < 40 ? length : 40), at);
        at += length;
    }
    const char *fault = order_fault(meaning);
    return fault ? fault : fault_of(meaning);
}

bool ptx_read_word(struct arena *arena, const char *text, struct ptx_meaning *meaning,
                   const char **why)
{
    size_t length = strcspn(text, ".");
    *meaning = (struct ptx_meaning){
        .word = FIND(i, words, sizeof words / sizeof *words, is_word(words[i].text, text, length)),
        .compare = LIT_OP_CONST,
        .joins = LIT_OP_CONST,
        .vector = 1};
    if (!meaning->word)
        *why = "there is no such instruction among those that are read";
    else if (meaning->word->kind == PTX_REFUSED)
        *why = meaning->word->why;
    else
        *why = first_fault(arena, meaning, text + length);
    return !*why;
}

/* ---- How PTX and CUDA write what orders ---- */

static const struct lit_fence_word fences[] = {
    {"fence.acq_rel.cta",
     "cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block)",
     LIT_ORDER_ACQ_REL, LIT_SCOPE_WG},
    {"fence.acq_rel.gpu",
     "cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device)",
     LIT_ORDER_ACQ_REL, LIT_SCOPE_DV},
    {"fence.acq_rel.sys",
     "cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system)",
     LIT_ORDER_ACQ_REL, LIT_SCOPE_ALL},
    {"membar.cta", "__threadfence_block()", LIT_ORDER_SC, LIT_SCOPE_WG},
    {"membar.gl", "__threadfence()", LIT_ORDER_SC, LIT_SCOPE_DV},
    {"membar.sys", "__threadfence_system()", LIT_ORDER_SC, LIT_SCOPE_ALL},
};

static const struct lit_spelling of_code = {
    NULL,
    {[LIT_SCOPE_WG] = "cta", [LIT_SCOPE_DV] = "gpu", [LIT_SCOPE_ALL] = "sys"},
    {NULL, "relaxed", "acquire", "release", "acq_rel", "sc"}};
static const struct lit_spelling of_source = {
    NULL,
    {[LIT_SCOPE_WG] = "cuda::thread_scope_block",
     [LIT_SCOPE_DV] = "cuda::thread_scope_device",
     [LIT_SCOPE_ALL] = "cuda::thread_scope_system"},
    {NULL, "cuda::memory_order_relaxed", "cuda::memory_order_acquire", "cuda::memory_order_release",
     "cuda::memory_order_acq_rel", "cuda::memory_order_seq_cst"}};

/* What else it has is that of the host's C-like language. */
const struct lit_writing ptx_writing = {
    .families = {"p_barrier", "fence", "barrier"},
    .persist = "p_barrier_",
    .fence = {"atomic_thread_fence(", ", ", ")"},
    .end = ";",
    .call = "()",
    .of_persist = &lit_spelling_suffix,
    .of_fence = &of_code,
    .least_fence = LIT_ORDER_ACQ_REL,
    .fences = fences,
    .fence_count = sizeof fences / sizeof *fences,
    .of_source = &of_source,
    .atomic = "atomic",
    .atomic_ends = {[LIT_SCOPE_WG] = "_block", [LIT_SCOPE_DV] = "", [LIT_SCOPE_ALL] = "_system"}};
