#include "litmus/lit_words.h"

#include "base/diag.h"

#include <string.h>

struct word {
    const char *text;
    uint32_t value;
};

/* clang-format off */

/* The long spelling of each value comes first; messages list those, and a short one of each. */
static const struct word scopes[] = {
#define X(name, tag, text, brief) {"memory_scope_" text, LIT_SCOPE_##name},
    LIT_SCOPES(X)
#undef X
    {"memory_scope_all_devices", LIT_SCOPE_ALL},
#define X(name, tag, text, brief) {brief "_scope", LIT_SCOPE_##name},
    LIT_SCOPES(X)
#undef X
#define X(name, tag, text, brief) {brief, LIT_SCOPE_##name},
    LIT_SCOPES(X)
#undef X
    {"thread_scope_thread", LIT_SCOPE_WI}, /* of cuda:: */
    {"thread_scope_block", LIT_SCOPE_WG},
    {"thread_scope_device", LIT_SCOPE_DV},
    {"thread_scope_system", LIT_SCOPE_ALL},
    {"__HIP_MEMORY_SCOPE_SINGLETHREAD", LIT_SCOPE_WI},
    {"__HIP_MEMORY_SCOPE_WAVEFRONT", LIT_SCOPE_SG},
    {"__HIP_MEMORY_SCOPE_WORKGROUP", LIT_SCOPE_WG},
    {"__HIP_MEMORY_SCOPE_AGENT", LIT_SCOPE_DV},
    {"__HIP_MEMORY_SCOPE_SYSTEM", LIT_SCOPE_ALL},
};

static const struct word orders[] = {
    {"memory_order_relaxed", LIT_ORDER_RLX},
    {"memory_order_acquire", LIT_ORDER_ACQ},
    {"memory_order_release", LIT_ORDER_REL},
    {"memory_order_acq_rel", LIT_ORDER_ACQ_REL},
    {"memory_order_seq_cst", LIT_ORDER_SC},
    {"memory_order_consume", LIT_ORDER_ACQ},
    {"__ATOMIC_RELAXED", LIT_ORDER_RLX}, /* of GCC and clang */
    {"__ATOMIC_ACQUIRE", LIT_ORDER_ACQ},
    {"__ATOMIC_RELEASE", LIT_ORDER_REL},
    {"__ATOMIC_ACQ_REL", LIT_ORDER_ACQ_REL},
    {"__ATOMIC_SEQ_CST", LIT_ORDER_SC},
    {"__ATOMIC_CONSUME", LIT_ORDER_ACQ},
    {"mo_rlx", LIT_ORDER_RLX},
    {"mo_acq", LIT_ORDER_ACQ},
    {"mo_rel", LIT_ORDER_REL},
    {"mo_acq_rel", LIT_ORDER_ACQ_REL},
    {"mo_sc", LIT_ORDER_SC},
    {"mo_consume", LIT_ORDER_ACQ},
};

static const struct word flags[] = {
    {"CLK_GLOBAL_MEM_FENCE", LIT_GLOBAL},
    {"CLK_LOCAL_MEM_FENCE", LIT_LOCAL},
};

/* clang-format on */

enum { SHORT_WORD = 12 };

static const struct table {
    const struct word *words;
    size_t count, listed; /* messages list the first `listed` */
} tables[] = {
    [LIT_WORD_FLAGS] = {flags, 2, 2},
    [LIT_WORD_ORDER] = {orders, sizeof orders / sizeof *orders, 5},
    [LIT_WORD_SCOPE] = {scopes, sizeof scopes / sizeof *scopes, LIT_SCOPE_COUNT},
};

enum lit_word_class lit_word_class(const char *text, uint32_t *value)
{
    for (int kind = 0; kind < LIT_WORD_OTHER; kind++)
        for (size_t i = 0; i < tables[kind].count; i++)
            if (tables[kind].words[i].text[0] == text[0] &&
                strcmp(tables[kind].words[i].text, text) == 0) {
                *value = tables[kind].words[i].value;
                return (enum lit_word_class)kind;
            }
    return LIT_WORD_OTHER;
}

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool lit_word_consumes(const char *order)
{
    return text_ends(order, "_consume") || text_ends(order, "_CONSUME");
}

enum lit_word_class lit_word_likely(const char *text)
{
    if (begins(text, "memory_scope") || begins(text, "thread_scope") ||
        begins(text, "__HIP_MEMORY_SCOPE") || text_ends(text, "_scope"))
        return LIT_WORD_SCOPE;
    if (begins(text, "memory_order") || begins(text, "__ATOMIC_") || begins(text, "mo_"))
        return LIT_WORD_ORDER;
    return begins(text, "CLK_") ? LIT_WORD_FLAGS : LIT_WORD_OTHER;
}

/* ---- Families of spellings ---- */

enum { MOST_FAMILIES = 3 };

/* How words of a class begin; the first family is the usual one. */
static const char *const families[][MOST_FAMILIES] = {
    [LIT_WORD_FLAGS] = {"CLK_"},
    [LIT_WORD_ORDER] = {"memory_order_", "__ATOMIC_", "mo_"},
    [LIT_WORD_SCOPE] = {"memory_scope_", "thread_scope_", "__HIP_MEMORY_SCOPE_"},
};

/* How the text begins; NULL: as no word of the class. */
static const char *family_of(enum lit_word_class kind, const char *text)
{
    for (int i = 0; i < MOST_FAMILIES; i++)
        if (families[kind][i] && begins(text, families[kind][i]))
            return families[kind][i];
    return NULL;
}

/* The first word of the value that begins so, or NULL. */
static const char *word_of(enum lit_word_class kind, uint32_t value, const char *family)
{
    const struct word *word =
        FIND(i, tables[kind].words, tables[kind].count,
             tables[kind].words[i].value == value && begins(tables[kind].words[i].text, family));
    return word ? word->text : NULL;
}

/* The first shorter spelling of the listed word `at`, or NULL. */
static const char *shorter(const struct table *table, size_t at)
{
    for (size_t i = table->listed; i < table->count; i++)
        if (table->words[i].value == table->words[at].value &&
            strlen(table->words[i].text) < SHORT_WORD)
            return table->words[i].text;
    return NULL;
}

void lit_word_list(enum lit_word_class kind, const char *like, struct strbuf *out)
{
    const struct table *table = &tables[kind];
    const char *usual = families[kind][0], *family = like ? family_of(kind, like) : NULL;
    bool own = family && family != usual;
    size_t count = own ? table->count : table->listed;
    for (size_t i = 0, listed = 0; i < count; i++) {
        const char *brief = own ? NULL : shorter(table, i);
        if (own && !begins(table->words[i].text, family))
            continue;
        strbuf_printf(out, "%s%s", listed++ ? ", " : "", table->words[i].text);
        if (brief)
            strbuf_printf(out, " (%s)", brief);
    }
}

/* Scopes and orders as they are called without what stands around their names, here and in other
 * languages: X(name, value). */
#define SCOPE_NAMES(X)  \
    X(workitem, WI)     \
    X(wi, WI)           \
    X(thread, WI)       \
    X(singlethread, WI) \
    X(subgroup, SG)     \
    X(sg, SG)           \
    X(warp, SG)         \
    X(wave, SG)         \
    X(wavefront, SG)    \
    X(workgroup, WG)    \
    X(wg, WG)           \
    X(group, WG)        \
    X(block, WG)        \
    X(cta, WG)          \
    X(kernel, KR)       \
    X(kr, KR)           \
    X(grid, KR)         \
    X(device, DV)       \
    X(dev, DV)          \
    X(gpu, DV)          \
    X(agent, DV)        \
    X(system, ALL)      \
    X(sys, ALL)         \
    X(svm, ALL)         \
    X(all, ALL)         \
    X(alldevices, ALL)
#define ORDER_NAMES(X) \
    X(relaxed, RLX)    \
    X(rlx, RLX)        \
    X(acquire, ACQ)    \
    X(acq, ACQ)        \
    X(release, REL)    \
    X(rel, REL)        \
    X(acqrel, ACQ_REL) \
    X(seqcst, SC)      \
    X(sc, SC)

static const struct word scope_names[] = {
#define X(name, scope) {#name, LIT_SCOPE_##scope},
    SCOPE_NAMES(X)
#undef X
};
static const struct word order_names[] = {
#define X(name, order) {#name, LIT_ORDER_##order},
    ORDER_NAMES(X)
#undef X
};

/* The letters of a name between `from` and `end`, small, without what parts them. */
static void letters_of(const char *from, const char *end, char *letters, size_t room)
{
    size_t count = 0;
    for (; from < end && count + 1 < room; from++)
        if (*from != '_')
            letters[count++] = (char)(*from >= 'A' && *from <= 'Z' ? *from - 'A' + 'a' : *from);
    letters[count] = '\0';
}

/* What is called so, spelled as the text is; NULL: nothing. */
static const char *meant_by(enum lit_word_class kind, const char *text, const struct word *known,
                            size_t count)
{
    const char *family = family_of(kind, text), *own = kind == LIT_WORD_SCOPE ? "scope_" : "order_";
    size_t head = strlen(family ? family : begins(text, own) ? own : "");
    const char *end = text + strlen(text) - (text_ends(text, "_scope") ? strlen("_scope") : 0);
    char letters[16];
    letters_of(text + head, end, letters, sizeof letters);
    const struct word *found = FIND(i, known, count, strcmp(known[i].text, letters) == 0);
    if (!found)
        return NULL;
    if (!family && kind == LIT_WORD_SCOPE)
        return FIND(i, scopes, sizeof scopes / sizeof *scopes,
                    scopes[i].value == found->value && text_ends(scopes[i].text, "_scope"))
            ->text;
    const char *word = family ? word_of(kind, found->value, family) : NULL;
    return word ? word : word_of(kind, found->value, families[kind][0]);
}

const char *lit_word_scope_meant(const char *text)
{
    return meant_by(LIT_WORD_SCOPE, text, scope_names, sizeof scope_names / sizeof *scope_names);
}

static const char *order_meant(const char *text)
{
    return meant_by(LIT_WORD_ORDER, text, order_names, sizeof order_names / sizeof *order_names);
}

const char *lit_word_nearest(enum lit_word_class kind, const char *text)
{
    const char *names[32];
    size_t count = tables[kind].count;
    const char *meant = kind == LIT_WORD_SCOPE   ? lit_word_scope_meant(text)
                        : kind == LIT_WORD_ORDER ? order_meant(text)
                                                 : NULL;
    if (meant)
        return meant;
    for (size_t i = 0; i < count; i++)
        names[i] = tables[kind].words[i].text;
    return diag_meant(text, names, count);
}

const char *lit_word_nearest_type(const char *text)
{
    static const char *const types[] = {
        "int",         "uint",        "long",         "ulong",       "unsigned", "atomic_int",
        "atomic_uint", "atomic_long", "atomic_ulong", "atomic_flag", "nvm",      "global",
        "local",       "int32_t",     "uint32_t",     "int64_t",     "uint64_t"};
    return diag_nearest(text, types, sizeof types / sizeof *types);
}

bool lit_word_level(const char *text, enum lit_scope *level)
{
    static const char *const levels[] = {LIT_SCOPES(TABLE_FOURTH)};
    for (uint32_t scope = LIT_SCOPE_SG; scope <= LIT_SCOPE_DV; scope++)
        if (strcmp(levels[scope], text) == 0) {
            *level = (enum lit_scope)scope;
            return true;
        }
    return false;
}

/* Accesses, by the name of their method: X(name, instruction, rmw). */
#define ACCESSES(X)                           \
    X(load, LOAD, EXCHANGE)                   \
    X(store, STORE, EXCHANGE)                 \
    X(exchange, RMW, EXCHANGE)                \
    X(fetch_add, RMW, ADD)                    \
    X(fetch_sub, RMW, SUB)                    \
    X(fetch_and, RMW, AND)                    \
    X(fetch_or, RMW, OR)                      \
    X(fetch_xor, RMW, XOR)                    \
    X(fetch_min, RMW, MIN)                    \
    X(fetch_max, RMW, MAX)                    \
    X(compare_exchange_strong, CAS, EXCHANGE) \
    X(compare_exchange_weak, CAS, EXCHANGE)

static const struct lit_call methods[] = {
#define X(text, op, change) {#text, LIT_##op, LIT_RMW_##change, .ordered = true},
    ACCESSES(X)
#undef X
};

/* clang-format off */
#define PERSIST(text, how, level) \
    {.name = "p_barrier" text, .instr = LIT_PBARRIER, .scoped = LIT_CALL_##how, .scope = LIT_SCOPE_##level}
static const struct lit_call functions[] = {
#define X(text, op, change)                                                    \
    {.name = "atomic_" #text, .instr = LIT_##op, .rmw = LIT_RMW_##change},     \
    {"atomic_" #text "_explicit", LIT_##op, LIT_RMW_##change, .ordered = true},
    ACCESSES(X)
#undef X
    {.name = "atomic_flag_test_and_set", .instr = LIT_RMW, .flag = true},
    {"atomic_flag_test_and_set_explicit", LIT_RMW, .ordered = true, .flag = true},
    {.name = "atomic_flag_clear", .instr = LIT_STORE, .flag = true},
    {"atomic_flag_clear_explicit", LIT_STORE, .ordered = true, .flag = true},
    {"atomic_work_item_fence", LIT_FENCE, 0, true, true, LIT_CALL_SCOPED, LIT_SCOPE_DV, false},
    {"atomic_thread_fence", LIT_FENCE, 0, true, false, LIT_CALL_SCOPED, LIT_SCOPE_DV, false},
    {"barrier", LIT_BARRIER, 0, false, true, LIT_CALL_SCOPED, LIT_SCOPE_WG, false},
    {"work_group_barrier", LIT_BARRIER, 0, false, true, LIT_CALL_SCOPED, LIT_SCOPE_WG, false},
    {"sub_group_barrier", LIT_BARRIER, 0, false, true, LIT_CALL_SCOPED, LIT_SCOPE_SG, false},
    {"sync_barrier_wg", LIT_BARRIER, 0, false, false, LIT_CALL_FIXED, LIT_SCOPE_WG, false},
    {"sync_barrier_kr", LIT_BARRIER, 0, false, false, LIT_CALL_FIXED, LIT_SCOPE_KR, false},
    PERSIST("", NEEDS_SCOPE, WI),
    PERSIST("_wi", FIXED, WI),
    PERSIST("_sg", FIXED, SG),
    PERSIST("_wg", FIXED, WG),
    PERSIST("_kr", FIXED, KR),
    PERSIST("_dev", FIXED, DV),
};
/* clang-format on */

enum {
    METHODS = sizeof methods / sizeof *methods,
    FUNCTIONS = sizeof functions / sizeof *functions
};

static const struct lit_call *find_call(const struct lit_call *calls, size_t count,
                                        const char *name)
{
    return FIND(i, calls, count, strcmp(calls[i].name, name) == 0);
}

const char *lit_word_at(size_t number)
{
    for (int kind = 0; kind < LIT_WORD_OTHER; number -= tables[kind++].count)
        if (number < tables[kind].count)
            return tables[kind].words[number].text;
    if (number < METHODS)
        return methods[number].name;
    number -= METHODS;
    return number < FUNCTIONS ? functions[number].name : NULL;
}

uint32_t lit_word_value_count(const struct lit_call *call)
{
    return call->flag || call->instr == LIT_LOAD ? 0 : call->instr == LIT_CAS ? 2 : 1;
}

uint32_t lit_word_first(const struct lit_call *call, bool method)
{
    bool placed = lit_instruction_is(call->instr, LIT_PLACED);
    return placed ? lit_word_value_count(call) + !method : 0;
}

struct lit_word_room lit_word_room(const struct lit_call *call, bool method, uint32_t before,
                                   bool scope)
{
    bool placed = lit_instruction_is(call->instr, LIT_PLACED);
    bool scoped = placed ? call->ordered : call->scoped != LIT_CALL_FIXED;
    bool early = call->ordered && !method && before == 0;
    bool fails = call->instr == LIT_CAS && before > 0; /* the order of a read */
    uint32_t most = !call->ordered ? 0 : call->instr == LIT_CAS ? 2 : 1;
    return (struct lit_word_room){.order = before < most && !scope,
                                  .scope = scoped && !scope && !early,
                                  .orders = call->instr == LIT_LOAD || fails ? LIT_ORDERS_READ
                                            : call->instr == LIT_STORE       ? LIT_ORDERS_WRITE
                                                                             : LIT_ORDERS_ANY};
}

const struct lit_call *lit_word_function(const char *name)
{
    return find_call(functions, FUNCTIONS, name);
}

const struct lit_call *lit_word_method(const char *name)
{
    return find_call(methods, METHODS, name);
}

const char *lit_word_nearest_call(const char *name, bool method)
{
    return method ? DIAG_NEAREST(name, methods, METHODS, name)
                  : DIAG_NEAREST(name, functions, FUNCTIONS, name);
}
