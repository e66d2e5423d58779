/* Instructions of PTX tests, by tables. Qualifiers have one order: memory order, scope,
 * operation. */
#include "litmus/lit_ptx.h"

#include "litmus/lit_ptx_words.h"
#include "litmus/lit_table.h"

#include <string.h>

enum { MOST_PARTS = 8, LONGEST_SHOWN = 40 };

/* What the qualifiers of an instruction are. */
enum shape {
    PLAIN,
    CHOICE,
    HOST,
    PRAGMA,
    ACCESS,
    ATOMIC,
    FENCE,
    MEMBAR,
    BARRIER,
    PERSIST,
    UNSUPPORTED
};

/* clang-format off */
/* X(word, shape, instruction, operands, operator) */
#define BASES(X)                                \
    X("ld", ACCESS, LOAD, "dl", CONST)          \
    X("st", ACCESS, STORE, "lv", CONST)         \
    X("atom", ATOMIC, RMW, "dlv", CONST)        \
    X("red", ATOMIC, RMW, "lv", CONST)          \
    X("fence", FENCE, FENCE, "", CONST)         \
    X("membar", MEMBAR, FENCE, "", CONST)       \
    X("bar", BARRIER, BARRIER, "n", CONST)      \
    X("barrier", BARRIER, BARRIER, "n", CONST)  \
    X("pbar", PERSIST, PBARRIER, "", CONST)     \
    X("crash", PLAIN, CRASH, "?s", CONST)       \
    X("pragma", PRAGMA, CRASH, "s", CONST)      \
    X("launch", HOST, STORE, "n", CONST)        \
    X("join", HOST, LOAD, "n", CONST)           \
    X("mov", PLAIN, SET, "dv", CONST)           \
    X("add", PLAIN, SET, "dvv", ADD)            \
    X("sub", PLAIN, SET, "dvv", SUB)            \
    X("mul", PLAIN, SET, "dvv", MUL)            \
    X("div", PLAIN, SET, "dvv", DIV)            \
    X("and", PLAIN, SET, "dvv", BITAND)         \
    X("or", PLAIN, SET, "dvv", BITOR)           \
    X("xor", PLAIN, SET, "dvv", BITXOR)         \
    X("min", CHOICE, SET, "dvv", LT)            \
    X("max", CHOICE, SET, "dvv", GT)            \
    X("beq", PLAIN, BRANCH, "vvt", NE)          \
    X("bne", PLAIN, BRANCH, "vvt", EQ)          \
    X("blt", PLAIN, BRANCH, "vvt", GE)          \
    X("ble", PLAIN, BRANCH, "vvt", GT)          \
    X("bgt", PLAIN, BRANCH, "vvt", LE)          \
    X("bge", PLAIN, BRANCH, "vvt", LT)          \
    X("goto", PLAIN, JUMP, "t", CONST)          \
    X("bra", PLAIN, JUMP, "t", CONST)           \
    X("tld", UNSUPPORTED, LOAD, "", CONST)      \
    X("suld", UNSUPPORTED, LOAD, "", CONST)     \
    X("cold", UNSUPPORTED, LOAD, "", CONST)     \
    X("sust", UNSUPPORTED, STORE, "", CONST)    \
    X("sured", UNSUPPORTED, RMW, "", CONST)     \
    X("suatom", UNSUPPORTED, RMW, "", CONST)
/* clang-format on */

static const struct base {
    const char *text;
    enum shape shape;
    enum lit_instr_op instr;
    const char *operands;
    enum lit_operator op;
} bases[] = {
#define X(text, shape, instr, operands, op) {text, shape, LIT_##instr, operands, LIT_OP_##op},
    BASES(X)
#undef X
};

enum { BASE_COUNT = sizeof bases / sizeof *bases };

static const struct lit_qualifier persist_scopes[] = {{"thread", LIT_SCOPE_WI},
                                                      {"cta", LIT_SCOPE_WG},
                                                      {"gpu", LIT_SCOPE_DV},
                                                      {"sys", LIT_SCOPE_ALL},
                                                      {NULL, 0}};

/* ---- The parts of a word ---- */

struct parts {
    struct lit_lower *lower;
    const struct ast_name *name;
    const char *part[MOST_PARTS];
    int length[MOST_PARTS];
    uint32_t count, at;
};

static bool split(struct lit_lower *lower, const struct ast_name *name, struct parts *parts)
{
    *parts = (struct parts){.lower = lower, .name = name};
    const char *text = name->text;
    while (text && parts->count < MOST_PARTS) {
        const char *dot = strchr(text, '.');
        size_t length = dot ? (size_t)(dot - text) : strlen(text);
        if (length > LONGEST_SHOWN)
            break;
        parts->part[parts->count] = text;
        parts->length[parts->count++] = (int)length;
        text = dot ? dot + 1 : NULL;
    }
    if (text)
        LIT_FAULT(lower, DIAG_LIT_FUNCTION, name->span,
                  "there is no instruction of this length; expected one such as ld.relaxed.gpu");
    return !text;
}

static bool is(const struct parts *parts, uint32_t at, const char *text)
{
    return at < parts->count && strlen(text) == (size_t)parts->length[at] &&
           memcmp(text, parts->part[at], (size_t)parts->length[at]) == 0;
}

static const char *copy(const struct parts *parts, uint32_t at)
{
    return arena_strndup(parts->lower->arena, parts->part[at], (size_t)parts->length[at]);
}

/* The word up to the qualifier that is next. */
static const char *before(const struct parts *parts)
{
    const char *end = parts->part[parts->at - 1] + parts->length[parts->at - 1];
    return arena_strndup(parts->lower->arena, parts->name->text, (size_t)(end - parts->name->text));
}

static struct span span_of(const struct parts *parts, uint32_t at)
{
    struct span span = parts->name->span;
    span.column += (uint32_t)(parts->part[at] - parts->name->text);
    span.end_column = span.column + (uint32_t)parts->length[at];
    return span;
}

static bool among(const struct parts *parts, uint32_t at, const struct lit_qualifier *list,
                  uint32_t *value)
{
    for (; list->text; list++)
        if (is(parts, at, list->text)) {
            *value = list->value;
            return true;
        }
    return false;
}

static const char *nearest(const char *text, const struct lit_qualifier *list)
{
    size_t count = 0;
    while (list[count].text)
        count++;
    return DIAG_NEAREST(text, list, count, text);
}

/* "a, b and c". */
static void print_list(const struct lit_qualifier *list, const char *last, struct strbuf *out)
{
    for (const struct lit_qualifier *at = list; at->text; at++)
        strbuf_printf(out, "%s%s", at == list ? "" : at[1].text ? ", " : last, at->text);
}

/* ---- Qualifiers ---- */

struct asked {
    enum diag_id id;
    const char *what;
    const struct lit_qualifier *list;
    const char *more; /* others the instruction may have, "weak, volatile, ", or "" */
};

/* What stands where a qualifier of another class is asked for. */
static const char *misplaced(const struct parts *parts, const struct asked *asked)
{
    uint32_t ignored;
    if (asked->list != lit_ptx_scopes && asked->list != lit_ptx_membar_scopes &&
        among(parts, parts->at, lit_ptx_scopes, &ignored))
        return "a scope";
    if (asked->id != DIAG_LIT_ORDER &&
        (among(parts, parts->at, lit_ptx_atomic_orders, &ignored) || is(parts, parts->at, "sc")))
        return "a memory order";
    return NULL;
}

static void report(const struct parts *parts, const struct asked *asked)
{
    SCOPED(strbuf) list = {0};
    uint32_t at = parts->at, ignored;
    strbuf_add(&list, asked->more);
    print_list(asked->list, " or ", &list);
    if (at >= parts->count) {
        LIT_FAULT(parts->lower, asked->id, parts->name->span, "'%s' needs %s behind it: %s",
                  before(parts), asked->what, strbuf_text(&list));
    } else {
        const char *text = copy(parts, at), *near = nearest(text, asked->list);
        const char *other = misplaced(parts, asked);
        if (asked->id == DIAG_LIT_ORDER &&
            (among(parts, at, lit_ptx_atomic_orders, &ignored) ||
             among(parts, at, lit_ptx_unscoped, &ignored) || is(parts, at, "sc")))
            LIT_FAULT(parts->lower, asked->id, span_of(parts, at),
                      "'%s' cannot be '%s'; expected %s", before(parts), text, strbuf_text(&list));
        else if (near && !other)
            LIT_FAULT(parts->lower, asked->id, span_of(parts, at),
                      "'%s' is not %s of '%s'; did you mean '%s'? Expected %s", text, asked->what,
                      before(parts), near, strbuf_text(&list));
        else
            LIT_FAULT(parts->lower, asked->id, span_of(parts, at),
                      "'%s' is %s%s%s of '%s'; expected %s", text, other ? other : "",
                      other ? " and not " : "not ", asked->what, before(parts), strbuf_text(&list));
        diag_meant_by(parts->lower->diag, span_of(parts, at), text, other ? NULL : near);
    }
}

static bool take_part(struct parts *parts, const struct asked *asked, uint32_t *value)
{
    if (!among(parts, parts->at, asked->list, value)) {
        report(parts, asked);
        return false;
    }
    parts->at++;
    return true;
}

static bool take_scope(struct parts *parts, const struct lit_qualifier *list, enum lit_scope *scope)
{
    uint32_t value;
    if (!take_part(parts, &(struct asked){DIAG_LIT_SCOPE, "a scope", list, ""}, &value))
        return false;
    *scope = (enum lit_scope)value;
    return true;
}

static bool take_order(struct parts *parts, const struct lit_qualifier *list, const char *more,
                       struct lit_table_word *word)
{
    uint32_t value;
    if (!take_part(parts, &(struct asked){DIAG_LIT_ORDER, "a memory order", list, more}, &value))
        return false;
    word->order = (enum lit_order)value;
    return true;
}

static bool take_operation(struct parts *parts, struct lit_table_word *word)
{
    uint32_t value;
    if (!take_part(parts,
                   &(struct asked){DIAG_LIT_FUNCTION, "an operation", lit_ptx_operations, ""},
                   &value))
        return false;
    word->rmw = value == LIT_PTX_CAS ? LIT_RMW_EXCHANGE : (enum lit_rmw)value;
    if (value != LIT_PTX_CAS)
        return true;
    if (word->operands[0] != 'd') {
        LIT_FAULT(parts->lower, DIAG_LIT_FUNCTION, span_of(parts, parts->at - 1),
                  "'red' gives no old value, so it cannot be 'cas'; write 'atom'");
        return false;
    }
    word->instr = LIT_CAS;
    word->operands = "dlvv";
    return true;
}

/* ---- Whole words ---- */

static bool is_type(const char *text)
{
    return strchr("busf", text[0]) && text[0] && strspn(text + 1, "0123456789") > 0 &&
           text[1 + strspn(text + 1, "0123456789")] == '\0';
}

/* Nothing may follow. */
static bool finish(const struct parts *parts)
{
    uint32_t ignored;
    if (parts->at >= parts->count)
        return true;
    const char *text = copy(parts, parts->at), *whole = before(parts);
    struct span span = span_of(parts, parts->at);
    if (among(parts, parts->at - 1, lit_ptx_unscoped, &ignored) &&
        among(parts, parts->at, lit_ptx_scopes, &ignored))
        LIT_FAULT(parts->lower, DIAG_LIT_SCOPE, span,
                  "'%s' takes no scope; write '%s', or 'relaxed' for an access with a scope", whole,
                  whole);
    else if (is_type(text))
        LIT_FAULT(parts->lower, DIAG_LIT_FUNCTION, span,
                  "'%s' is a type; types are not written, as every value is an s32: write '%s'",
                  text, whole);
    else
        LIT_FAULT(parts->lower, DIAG_LIT_FUNCTION, span,
                  "'%s' is one qualifier too many; '%s' is complete", text, whole);
    return false;
}

static bool pass_hint(struct parts *parts, bool load)
{
    uint32_t ignored;
    bool hints = among(parts, parts->at, load ? lit_ptx_load_hints : lit_ptx_store_hints, &ignored);
    parts->at += hints;
    return hints;
}

static bool decode_access(struct parts *parts, struct lit_table_word *word)
{
    uint32_t value;
    bool load = word->instr == LIT_LOAD;
    if (load && parts->count == 1) { /* as `mov` */
        word->instr = LIT_SET;
        word->operands = "dv";
        return true;
    }
    if (among(parts, parts->at, lit_ptx_unscoped, &value)) {
        parts->at++;
        word->order = (enum lit_order)value;
        word->scope = word->order == LIT_ORDER_NA ? LIT_SCOPE_WI : LIT_SCOPE_ALL;
        if (word->order == LIT_ORDER_NA)
            pass_hint(parts, load);
        return true;
    }
    if (pass_hint(parts, load)) {
        word->order = LIT_ORDER_NA;
        word->scope = LIT_SCOPE_WI;
        return true;
    }
    return take_order(parts, load ? lit_ptx_load_orders : lit_ptx_store_orders, "weak, volatile, ",
                      word) &&
           take_scope(parts, lit_ptx_scopes, &word->scope);
}

/* bar.cta.sync N[, id[, quorum]]; PTX's own forms, whose second operand means something
 * else, have one. */
static bool decode_barrier(struct parts *parts, struct lit_table_word *word)
{
    uint32_t arrive;
    bool bar = is(parts, 0, "bar"), cta = is(parts, 1, "cta");
    parts->at += cta;
    if (bar && cta)
        word->operands = "b?vv";
    struct asked asked = {DIAG_LIT_FUNCTION, "a kind", lit_ptx_meetings, cta ? "" : "cta, "};
    if (!take_part(parts, &asked, &arrive))
        return false;
    word->scope = LIT_SCOPE_WG;
    word->arrive = arrive;
    return true;
}

/* pbar.cta, of all; pbar.cta.sync N[, id[, quorum]], of those who have a persist barrier N. */
static bool decode_persist(struct parts *parts, struct lit_table_word *word)
{
    static const struct lit_qualifier kinds[] = {{"sync", false}, {NULL, 0}};
    uint32_t ignored;
    if (!take_scope(parts, persist_scopes, &word->scope))
        return false;
    if (parts->at == parts->count)
        return true;
    word->operands = "b?vv";
    return take_part(parts, &(struct asked){DIAG_LIT_FUNCTION, "a kind", kinds, ""}, &ignored);
}

static void report_proxy(const struct parts *parts, uint32_t at)
{
    LIT_FAULT(parts->lower, DIAG_LIT_UNSUPPORTED, span_of(parts, at),
              at ? "fences of proxies ('%s') are not supported; expected fence.sc or fence.acq_rel"
                 : "'%s' reaches memory through another proxy, which is not supported; expected "
                   "ld, st, atom or red",
              at ? before(parts) : copy(parts, at));
}

static bool decode_qualifiers(struct parts *parts, enum shape shape, struct lit_table_word *word)
{
    switch (shape) {
    case PLAIN: return true;
    case CHOICE: return word->chooses = true;
    case HOST: return word->hosts = true;
    case PRAGMA: return word->pragma = true;
    case ACCESS: return decode_access(parts, word);
    case ATOMIC:
        return take_order(parts, lit_ptx_atomic_orders, "", word) &&
               take_scope(parts, lit_ptx_scopes, &word->scope) && take_operation(parts, word);
    case FENCE:
        return take_order(parts, lit_ptx_fence_orders, "", word) &&
               take_scope(parts, lit_ptx_scopes, &word->scope);
    case MEMBAR:
        word->order = LIT_ORDER_SC;
        return take_scope(parts, lit_ptx_membar_scopes, &word->scope);
    case BARRIER: return decode_barrier(parts, word);
    case PERSIST: return decode_persist(parts, word);
    case UNSUPPORTED: break;
    }
    report_proxy(parts, 0);
    return false;
}

static void report_base(struct lit_lower *lower, const struct parts *parts)
{
    const char *text = copy(parts, 0), *names[2];
    names[0] = DIAG_NEAREST(text, bases, BASE_COUNT, text);
    names[1] = lit_uses_nearest(lower->arena, &lower->definitions, text, false);
    const char *near = diag_nearest_of(text, names, sizeof *names, 2);
    const char *file_to_use = NULL, *advice = lit_uses_advice(lower->arena, text, &file_to_use);
    if (advice)
        LIT_FAULT(lower, DIAG_LIT_FUNCTION, span_of(parts, 0),
                  "there is no instruction '%s' here; %s", text, advice);
    else
        LIT_FAULT(lower, DIAG_LIT_FUNCTION, span_of(parts, 0),
                  near ? "there is no instruction '%s'; did you mean '%s'?"
                       : "there is no instruction '%s'; expected one such as ld.weak, st.weak, "
                         "atom.relaxed.gpu.add, fence.sc.gpu, bar.cta.sync, add or beq",
                  text, near);
    diag_meant_by(lower->diag, span_of(parts, 0), text, advice ? NULL : near);
    lit_uses_offer(lower->arena, lower->test, lower->diag, span_of(parts, 0), file_to_use);
}

static const struct base *find_base(const struct parts *parts)
{
    for (size_t i = 0; i < BASE_COUNT; i++)
        if (is(parts, 0, bases[i].text))
            return &bases[i];
    if (parts->lower->quiet)
        return NULL;
    report_base(parts->lower, parts);
    return NULL;
}

bool lit_ptx_decode(struct lit_lower *lower, const struct ast_name *name,
                    struct lit_table_word *word)
{
    struct parts parts;
    if (!split(lower, name, &parts))
        return false;
    const struct base *base = find_base(&parts);
    if (!base)
        return false;
    parts.at = 1;
    *word =
        (struct lit_table_word){.instr = base->instr, .operands = base->operands, .op = base->op};
    if ((base->shape == FENCE || base->shape == MEMBAR) && is(&parts, 1, "proxy")) {
        parts.at = 2;
        report_proxy(&parts, 1);
        return false;
    }
    return decode_qualifiers(&parts, base->shape, word) && finish(&parts);
}

static const struct base *named(const char *text)
{
    return FIND(i, bases, BASE_COUNT, strcmp(bases[i].text, text) == 0);
}

const struct lit_qualifier *lit_ptx_qualifiers(const char *text, uint32_t at, bool last,
                                               bool *order)
{
    const struct base *base = named(text);
    *order = at == 1;
    if (!base || at < 1 || at > 2)
        return NULL;
    switch (base->shape) {
    case ACCESS:
        return at == 2                   ? lit_ptx_scopes
               : last                    ? lit_ptx_unscoped
               : base->instr == LIT_LOAD ? lit_ptx_load_orders
                                         : lit_ptx_store_orders;
    case ATOMIC: return at == 1 ? lit_ptx_atomic_orders : lit_ptx_scopes;
    case FENCE: return at == 1 ? lit_ptx_fence_orders : lit_ptx_scopes;
    case MEMBAR: *order = false; return at == 1 ? lit_ptx_membar_scopes : NULL;
    case PERSIST: *order = false; return at == 1 ? persist_scopes : NULL;
    case PLAIN:
    case CHOICE:
    case HOST:
    case PRAGMA:
    case BARRIER:
    case UNSUPPORTED: break;
    }
    return NULL;
}

/* Those that are told to be unsupported come last. */
const char *lit_ptx_word_at(size_t number)
{
    return number < BASE_COUNT && bases[number].shape != UNSUPPORTED ? bases[number].text : NULL;
}

bool lit_ptx_jumps(const char *text)
{
    const struct base *base = named(text);
    return base && strchr(base->operands, 't');
}

bool lit_ptx_hosts(const char *text, bool *joins)
{
    const struct base *base = named(text);
    *joins = base && base->instr == LIT_LOAD;
    return base && base->shape == HOST;
}

bool lit_ptx_level(const char *text, enum lit_scope *level)
{
    static const struct lit_qualifier levels[] = {
        {"cta", LIT_SCOPE_WG}, {"kr", LIT_SCOPE_KR}, {"gpu", LIT_SCOPE_DV}, {NULL, 0}};
    const struct lit_qualifier *at = levels;
    while (at->text && strcmp(at->text, text) != 0)
        at++;
    *level = (enum lit_scope)at->value;
    return at->text;
}

/* ---- What is added to tests ---- */

#define ORDERS                                                 \
    {                                                          \
        NULL, "relaxed", "acquire", "release", "acq_rel", "sc" \
    }
#define SCOPES(wi, dv)                                                                            \
    {                                                                                             \
        [LIT_SCOPE_WI] = wi, [LIT_SCOPE_WG] = "cta", [LIT_SCOPE_DV] = dv, [LIT_SCOPE_ALL] = "sys" \
    }

static const struct lit_spelling spellings[] = {{"membar", SCOPES(NULL, "gl"), ORDERS},
                                                {"pbar", SCOPES("thread", "gpu"), ORDERS},
                                                {"", SCOPES(NULL, "gpu"), ORDERS}};

const struct lit_writing lit_ptx_writing = {.families = {"pbar", "fence", "bar"},
                                            .persist = "pbar.",
                                            .fence = {"fence.", ".", ""},
                                            .meetings = {[LIT_SCOPE_WG] = "bar.cta.sync 0"},
                                            .end = "",
                                            .call = "",
                                            .of_persist = &spellings[1],
                                            .of_fence = &spellings[2],
                                            .spellings = spellings,
                                            .least_fence = LIT_ORDER_ACQ_REL};
