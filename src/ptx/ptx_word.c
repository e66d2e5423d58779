#include "ptx/ptx_word.h"

#include <string.h>

#define ASYNC "copies and barriers of the async proxy have no model here"
#define WARP "exchange of values within a warp is not read yet"
#define TEXTURE "textures and surfaces reach memory through another proxy, which has no model here"

/* clang-format off */
static const struct ptx_word words[] = {
    {"mov", PTX_FOLD, PTX_MOV, NULL},     {"cvt", PTX_FOLD, PTX_CVT, NULL},
    {"cvta", PTX_FOLD, PTX_CVTA, NULL},   {"add", PTX_FOLD, PTX_ADD, NULL},
    {"sub", PTX_FOLD, PTX_SUB, NULL},     {"mul", PTX_FOLD, PTX_MUL, NULL},
    {"mad", PTX_FOLD, PTX_MAD, NULL},     {"div", PTX_FOLD, PTX_DIV, NULL},
    {"rem", PTX_FOLD, PTX_REM, NULL},     {"abs", PTX_FOLD, PTX_ABS, NULL},
    {"neg", PTX_FOLD, PTX_NEG, NULL},     {"min", PTX_FOLD, PTX_MIN, NULL},
    {"max", PTX_FOLD, PTX_MAX, NULL},     {"and", PTX_FOLD, PTX_AND, NULL},
    {"or", PTX_FOLD, PTX_OR, NULL},       {"xor", PTX_FOLD, PTX_XOR, NULL},
    {"not", PTX_FOLD, PTX_NOT, NULL},     {"shl", PTX_FOLD, PTX_SHL, NULL},
    {"shr", PTX_FOLD, PTX_SHR, NULL},     {"setp", PTX_FOLD, PTX_SETP, NULL},
    {"selp", PTX_FOLD, PTX_SELP, NULL},
    {"fma", PTX_OPAQUE, 0, NULL},         {"rcp", PTX_OPAQUE, 0, NULL},
    {"sqrt", PTX_OPAQUE, 0, NULL},        {"rsqrt", PTX_OPAQUE, 0, NULL},
    {"sin", PTX_OPAQUE, 0, NULL},         {"cos", PTX_OPAQUE, 0, NULL},
    {"ex2", PTX_OPAQUE, 0, NULL},         {"lg2", PTX_OPAQUE, 0, NULL},
    {"tanh", PTX_OPAQUE, 0, NULL},        {"copysign", PTX_OPAQUE, 0, NULL},
    {"ld", PTX_LOAD, 0, NULL},            {"ldu", PTX_LOAD, 0, NULL},
    {"st", PTX_STORE, 0, NULL},           {"atom", PTX_ATOM, 0, NULL},
    {"red", PTX_RED, 0, NULL},            {"fence", PTX_FENCE, 0, NULL},
    {"membar", PTX_FENCE, 0, NULL},       {"bar", PTX_BARRIER, 0, NULL},
    {"barrier", PTX_BARRIER, 0, NULL},    {"bra", PTX_BRANCH, 0, NULL},
    {"ret", PTX_END, 0, NULL},            {"exit", PTX_END, 0, NULL},
    {"nanosleep", PTX_NOTHING, 0, NULL},  {"prefetch", PTX_NOTHING, 0, NULL},
    {"prefetchu", PTX_NOTHING, 0, NULL},
    {"call", PTX_REFUSED, 0, "calls are not read yet; have the compiler inline them"},
    {"brx", PTX_REFUSED, 0, "jumps by a table are not read yet"},
    {"trap", PTX_REFUSED, 0, "it stops the whole kernel, which has no model here yet"},
    {"shfl", PTX_REFUSED, 0, WARP},       {"vote", PTX_REFUSED, 0, WARP},
    {"match", PTX_REFUSED, 0, WARP},      {"redux", PTX_REFUSED, 0, WARP},
    {"activemask", PTX_REFUSED, 0, "it depends on how threads are scheduled"},
    {"elect", PTX_REFUSED, 0, "it depends on how threads are scheduled"},
    {"cp", PTX_REFUSED, 0, ASYNC},        {"mbarrier", PTX_REFUSED, 0, ASYNC},
    {"wgmma", PTX_REFUSED, 0, ASYNC},     {"ldmatrix", PTX_REFUSED, 0, ASYNC},
    {"tex", PTX_REFUSED, 0, TEXTURE},     {"tld4", PTX_REFUSED, 0, TEXTURE},
    {"suld", PTX_REFUSED, 0, TEXTURE},    {"sust", PTX_REFUSED, 0, TEXTURE},
    {"sured", PTX_REFUSED, 0, TEXTURE},
};

/* What a qualifier says. */
enum says { SPACE, ORDER, SCOPE, VOLATILE, WEAK, RMW, CAS, COMPARE, FLOATS, PART, VECTOR,
            ARRIVES, SILENT };

static const struct qualifier {
    const char *text;
    enum says says;
    uint32_t value;
} qualifiers[] = {
    {"global", SPACE, PTX_GLOBAL},   {"shared", SPACE, PTX_SHARED},  {"shared::cta", SPACE, PTX_SHARED},
    {"param", SPACE, PTX_PARAM},     {"local", SPACE, PTX_LOCAL},    {"const", SPACE, PTX_CONST},
    {"relaxed", ORDER, LIT_ORDER_RLX}, {"acquire", ORDER, LIT_ORDER_ACQ},
    {"release", ORDER, LIT_ORDER_REL}, {"acq_rel", ORDER, LIT_ORDER_ACQ_REL},
    {"sc", ORDER, LIT_ORDER_SC},
    {"cta", SCOPE, LIT_SCOPE_WG},    {"gpu", SCOPE, LIT_SCOPE_DV},   {"gl", SCOPE, LIT_SCOPE_DV},
    {"sys", SCOPE, LIT_SCOPE_ALL},
    {"volatile", VOLATILE, 0},       {"weak", WEAK, 0},
    {"exch", RMW, LIT_RMW_EXCHANGE}, {"add", RMW, LIT_RMW_ADD},      {"sub", RMW, LIT_RMW_SUB},
    {"min", RMW, LIT_RMW_MIN},       {"max", RMW, LIT_RMW_MAX},
    {"and", RMW, LIT_RMW_AND},       {"or", RMW, LIT_RMW_OR},        {"xor", RMW, LIT_RMW_XOR},
    {"cas", CAS, 0},
    {"eq", COMPARE, LIT_OP_EQ},      {"ne", COMPARE, LIT_OP_NE},     {"lt", COMPARE, LIT_OP_LT},
    {"le", COMPARE, LIT_OP_LE},      {"gt", COMPARE, LIT_OP_GT},     {"ge", COMPARE, LIT_OP_GE},
    {"lo", PART, PTX_LOW},           {"hi", PART, PTX_HIGH},         {"wide", PART, PTX_WIDE},
    {"ls", COMPARE, LIT_OP_LE},      {"hs", COMPARE, LIT_OP_GE},
    {"equ", FLOATS, 0}, {"neu", FLOATS, 0}, {"ltu", FLOATS, 0}, {"leu", FLOATS, 0},
    {"gtu", FLOATS, 0}, {"geu", FLOATS, 0}, {"num", FLOATS, 0}, {"nan", FLOATS, 0},
    {"v2", VECTOR, 2},               {"v4", VECTOR, 4},
    {"arrive", ARRIVES, 1},          {"sync", ARRIVES, 0},
    {"aligned", SILENT, 0}, {"uni", SILENT, 0}, {"to", SILENT, 0},
    {"rn", SILENT, 0}, {"rz", SILENT, 0}, {"rm", SILENT, 0}, {"rp", SILENT, 0},
    {"rni", SILENT, 0}, {"rzi", SILENT, 0}, {"rmi", SILENT, 0}, {"rpi", SILENT, 0},
    {"ftz", SILENT, 0}, {"approx", SILENT, 0}, {"full", SILENT, 0},
    /* Hints to caches have no effect on order. */
    {"ca", SILENT, 0}, {"cg", SILENT, 0}, {"cs", SILENT, 0}, {"cv", SILENT, 0}, {"lu", SILENT, 0},
    {"wb", SILENT, 0}, {"wt", SILENT, 0}, {"L1", SILENT, 0}, {"L2", SILENT, 0},
};
/* clang-format on */

#define NAMED(table, word, length)               \
    FIND(i, table, sizeof table / sizeof *table, \
         strlen((table)[i].text) == (length) && memcmp(table[i].text, (word), (length)) == 0)

struct ptx_type ptx_type_of(const char *text, size_t length)
{
    struct ptx_type type = {0};
    if (length == 4 && memcmp(text, "pred", 4) == 0)
        return (struct ptx_type){.bits = 1};
    if (length < 2 || length > 3 || !strchr("bsuf", text[0]))
        return type;
    type.is_signed = text[0] == 's';
    type.floats = text[0] == 'f';
    for (size_t i = 1; i < length; i++)
        type.bits =
            text[i] >= '0' && text[i] <= '9' ? type.bits * 10 + (uint32_t)(text[i] - '0') : 1000;
    bool known = type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64;
    return known ? type : (struct ptx_type){0};
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

static void take(struct ptx_meaning *meaning, const struct qualifier *qualifier)
{
    uint32_t value = qualifier->value;
    bool compares = meaning->word->fold == PTX_SETP && meaning->word->kind == PTX_FOLD;
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
    case VOLATILE: meaning->is_volatile = true; break;
    case WEAK: meaning->weak = true; break;
    case RMW:
        meaning->reduces = true;
        meaning->rmw = (enum lit_rmw)value;
        if (compares)
            meaning->joins = lit_rmw_operators[value];
        break;
    case CAS: meaning->exchanges = true; break;
    case COMPARE: meaning->compare = (enum lit_operator)value; break;
    case FLOATS: meaning->unordered = true; break;
    case PART: /* lo and hi are comparisons of unsigned values, too */
        meaning->part = (enum ptx_part)value;
        if (compares)
            meaning->compare = value == PTX_LOW ? LIT_OP_LT : LIT_OP_GT;
        break;
    case VECTOR: meaning->vector = value; break;
    case ARRIVES: meaning->arrives = value; break;
    case SILENT: break;
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
    case VOLATILE:
    case WEAK: return meaning->ordered || meaning->is_volatile || meaning->weak;
    case SCOPE: return meaning->scoped;
    case CAS:
    case RMW: return meaning->reduces || meaning->exchanges;
    case COMPARE: return meaning->compare != LIT_OP_CONST;
    case VECTOR: return meaning->vector > 1;
    default: return false;
    }
}

/* An order that the access cannot have, or a scope without one. NULL: neither. */
static const char *order_fault(const struct ptx_meaning *meaning)
{
    enum ptx_kind kind = meaning->word->kind;
    bool accesses = kind == PTX_LOAD || kind == PTX_STORE;
    bool atomic = kind == PTX_ATOM || kind == PTX_RED;
    enum lit_order order = meaning->order;
    if (meaning->ordered && (order == LIT_ORDER_SC ? kind != PTX_FENCE
                             : kind == PTX_LOAD  ? order != LIT_ORDER_RLX && order != LIT_ORDER_ACQ
                             : kind == PTX_STORE ? order != LIT_ORDER_RLX && order != LIT_ORDER_REL
                                                 : !atomic && kind != PTX_FENCE))
        return "it cannot have that order";
    if (meaning->scoped && ((accesses && !meaning->ordered) ||
                            (!accesses && !atomic && kind != PTX_FENCE && kind != PTX_BARRIER)))
        return "it cannot have a scope there";
    if (accesses && meaning->ordered && !meaning->scoped)
        return "it says no scope";
    if ((meaning->is_volatile || meaning->weak) && !accesses)
        return "it is no load or store";
    return NULL;
}

/* NULL: the parts go together. */
static const char *fault_of(const struct ptx_meaning *meaning)
{
    bool floats = meaning->type.floats;
    switch (meaning->word->kind) {
    case PTX_LOAD:
        return meaning->space == PTX_LOCAL   ? "memory of one thread is not read yet"
               : meaning->space == PTX_CONST ? "constant memory is not read yet"
               : !meaning->type.bits         ? "it says no type"
                                             : NULL;
    case PTX_STORE:
        return meaning->space == PTX_LOCAL ? "memory of one thread is not read yet"
               : meaning->space == PTX_PARAM || meaning->space == PTX_CONST
                   ? "nothing is stored there by a kernel"
               : !meaning->type.bits ? "it says no type"
                                     : NULL;
    case PTX_ATOM:
    case PTX_RED:
        return floats ? "an atomic operation on floating-point numbers is not read yet"
               : meaning->vector > 1 ? "atomic operations on vectors are not read"
               : !meaning->type.bits ? "it says no type"
               : meaning->exchanges == meaning->reduces ? "its operation is not known"
                                                        : NULL;
    case PTX_FENCE: return meaning->scoped ? NULL : "it says no scope";
    case PTX_FOLD: return !meaning->type.bits ? "it says no type" : NULL;
    default: return NULL;
    }
}

static const char *first_fault(struct arena *arena, struct ptx_meaning *meaning, const char *at)
{
    while (*at == '.') {
        size_t length = strcspn(++at, ".");
        const struct qualifier *qualifier = NAMED(qualifiers, at, length);
        /* L1::evict_last, L2::128B */
        bool hint = length > 4 && at[0] == 'L' && at[2] == ':' && at[3] == ':';
        if (qualifier && is_said(meaning, qualifier))
            return arena_printf(arena, "'.%s' contradicts what stands before it", qualifier->text);
        if (qualifier)
            take(meaning, qualifier);
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
    *meaning = (struct ptx_meaning){.word = NAMED(words, text, length),
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
