/* Primitive instructions: `__store{nt,mo_rel}(x, 1)`. A word in braces that is a memory order or a
 * scope is that, any other a tag. The table says what each takes and gives. */
#include "litmus/lit_lower.h"
#include "litmus/lit_words.h"

#include <string.h>

/* What stands between the parentheses behind the location. */
enum operands { NOTHING, TOKENS, VALUE, OLD_AND_NEW, OPERATION, VALUE_UNLESS };

/* What an expression that it is has for a value. */
enum gives { NONE, THE_OLD, THE_NEW, WHETHER, A_TOKEN };

/* X(name, instruction, operands, value) */
#define PRIMITIVES(X)                            \
    X(fence, FENCE, TOKENS, A_TOKEN)             \
    X(cm, CM, NOTHING, A_TOKEN)                  \
    X(load, LOAD, NOTHING, THE_OLD)              \
    X(store, STORE, VALUE, NONE)                 \
    X(xchg, RMW, VALUE, THE_OLD)                 \
    X(cmpxchg, CAS, OLD_AND_NEW, THE_OLD)        \
    X(atomic_op, RMW, OPERATION, NONE)           \
    X(atomic_op_return, RMW, OPERATION, THE_NEW) \
    X(atomic_fetch_op, RMW, OPERATION, THE_OLD)  \
    X(atomic_add_unless, CAS, VALUE_UNLESS, WHETHER)

static const struct primitive {
    const char *name;
    enum lit_instr_op instr;
    enum operands operands;
    enum gives gives;
} primitives[] = {
#define X(name, op, operands, gives) {"__" #name, LIT_##op, operands, gives},
    PRIMITIVES(X)
#undef X
};

enum { COUNT = sizeof primitives / sizeof *primitives, MOST_WIDE = 64 };

static const struct primitive *find_primitive(const char *name)
{
    return FIND(i, primitives, COUNT, strcmp(primitives[i].name, name) == 0);
}

const char *lit_primitive_at(size_t number)
{
    return number < COUNT ? primitives[number].name : NULL;
}

bool lit_primitive_is(const struct ast_expr *expr)
{
    return expr->kind != AST_METHOD && (expr->tags.count || strncmp(expr->name.text, "__", 2) == 0);
}

/* ---- Tags ---- */

static uint64_t tag_mask(struct lit_lower *lower, const struct ast_name *name)
{
    for (size_t i = 0; i < lower->tags.count; i++)
        if (lower->tags.items[i] == name->text)
            return UINT64_C(1) << i;
    if (lower->tags.count == LIT_MAX_TAGS) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, name->span,
                  "'%s' is tag %d of this test, and %d are the most", name->text, LIT_MAX_TAGS + 1,
                  LIT_MAX_TAGS);
        return 0;
    }
    VEC_PUSH(&lower->tags, name->text);
    return UINT64_C(1) << (lower->tags.count - 1);
}

uint64_t lit_primitive_tags(struct lit_lower *lower, const struct ast_tags *tags)
{
    uint64_t mask = 0;
    for (const struct ast_tag *tag = tags->first; tag; tag = tag->next)
        mask |= tag_mask(lower, &tag->name);
    return mask;
}

/* ---- Words in braces ---- */

/* A primitive taken apart. */
struct parts {
    const struct primitive *primitive;
    const struct ast_expr *expr;
    uint64_t tags;
    bool has_order, has_scope;
    enum lit_order order;
    enum lit_scope scope;
    struct lit_place place;
    enum lit_rmw rmw;
    bool complements; /* `&~`: the value is taken bit by bit the other way round */
    const struct ast_expr *operands[2];
    uint64_t counted; /* of a fence with a tag and a number in parentheses, */
    uint32_t but;
    const struct lit_expr *token; /* or with a register */
    uint32_t begin; /* of the code of the place and the operands, which are unsequenced */
};

static void report_twice(struct lit_lower *lower, const struct ast_name *word, const char *what)
{
    LIT_FAULT(lower, DIAG_LIT_DUPLICATE, word->span,
              "'%s' is a second %s of this instruction; keep one", word->text, what);
}

static void report_meant(struct lit_lower *lower, const struct ast_name *word,
                         enum lit_word_class kind)
{
    static const enum diag_id ids[] = {DIAG_LIT_ARGUMENT, DIAG_LIT_ORDER, DIAG_LIT_SCOPE};
    static const char *const texts[] = {"fence flag", "memory order", "scope"};
    const char *near = lit_word_nearest(kind, word->text);
    if (kind == LIT_WORD_FLAGS)
        LIT_FAULT(lower, ids[kind], word->span,
                  "'%s' has no place here; a primitive takes tags, a memory order and a scope",
                  word->text);
    else
        LIT_FAULT(lower, ids[kind], word->span,
                  near ? "'%s' is no %s; did you mean '%s'?"
                       : "'%s' is no %s; a tag has another name",
                  word->text, texts[kind], near);
    diag_meant_by(lower->diag, word->span, word->text, kind == LIT_WORD_FLAGS ? NULL : near);
}

static void read_word(struct lit_lower *lower, struct parts *parts, const struct ast_name *word)
{
    uint32_t value = 0;
    enum lit_word_class kind = lit_word_class(word->text, &value);
    if (kind == LIT_WORD_ORDER) {
        if (parts->has_order)
            report_twice(lower, word, "memory order");
        parts->has_order = true;
        parts->order = (enum lit_order)value;
    } else if (kind == LIT_WORD_SCOPE) {
        if (parts->has_scope)
            report_twice(lower, word, "scope");
        parts->has_scope = true;
        parts->scope = (enum lit_scope)value;
    } else if (kind == LIT_WORD_FLAGS || lit_word_likely(word->text) != LIT_WORD_OTHER) {
        report_meant(lower, word, lit_word_likely(word->text));
    } else {
        parts->tags |= tag_mask(lower, word);
    }
}

/* Without an order read-modify-writes are relaxed, and everything else has none. */
static bool settle_order(struct lit_lower *lower, struct parts *parts)
{
    enum lit_instr_op op = parts->primitive->instr;
    bool load = op == LIT_LOAD, store = op == LIT_STORE;
    if (!parts->has_order && lit_instruction_reads(op) && lit_instruction_writes(op))
        parts->order = LIT_ORDER_RLX;
    if ((load && (parts->order == LIT_ORDER_REL || parts->order == LIT_ORDER_ACQ_REL)) ||
        (store && (parts->order == LIT_ORDER_ACQ || parts->order == LIT_ORDER_ACQ_REL))) {
        LIT_FAULT(lower, DIAG_LIT_ORDER, parts->expr->span,
                  load ? "a load cannot release; its order is relaxed, acquire or seq_cst"
                       : "a store cannot acquire; its order is relaxed, release or seq_cst");
        return false;
    }
    if ((load || store) && parts->has_scope && !parts->has_order) {
        LIT_FAULT(lower, DIAG_LIT_SCOPE, parts->expr->span,
                  "a plain access has no scope; name a memory order too, such as mo_rlx");
        return false;
    }
    return true;
}

static bool read_words(struct lit_lower *lower, struct parts *parts)
{
    const struct ast_name noreturn = {intern_text(lower->names, "noreturn"), parts->expr->span};
    uint32_t errors = lit_lower_errors(lower);
    parts->scope = LIT_SCOPE_DV;
    for (const struct ast_tag *tag = parts->expr->tags.first; tag; tag = tag->next)
        read_word(lower, parts, &tag->name);
    if (parts->primitive->operands == OPERATION && parts->primitive->gives == NONE && !parts->tags)
        parts->tags = tag_mask(lower, &noreturn);
    return lit_lower_errors(lower) == errors && settle_order(lower, parts);
}

/* ---- Operands ---- */

static bool read_rmw(struct lit_lower *lower, struct parts *parts, const struct ast_expr *arg)
{
    static const char *const words[] = {
        [LIT_RMW_ADD] = "add", [LIT_RMW_SUB] = "sub", [LIT_RMW_AND] = "and", [LIT_RMW_OR] = "or",
        [LIT_RMW_XOR] = "xor", [LIT_RMW_MIN] = "min", [LIT_RMW_MAX] = "max"};
    parts->complements = arg->kind == AST_OPERATOR && arg->op == LIT_OP_BITNOT;
    if (parts->complements) {
        parts->rmw = LIT_RMW_AND;
        return true;
    }
    for (enum lit_rmw rmw = LIT_RMW_ADD; rmw <= LIT_RMW_MAX; rmw++)
        if (arg->kind == AST_OPERATOR
                ? lit_rmw_operators[rmw] == arg->op
                : arg->kind == AST_NAME && strcmp(arg->name.text, words[rmw]) == 0) {
            parts->rmw = rmw;
            return true;
        }
    LIT_FAULT(lower, DIAG_LIT_ARGUMENT, arg->span,
              "expected what '%s' does to the value: one of + - & &~ | ^ min max",
              parts->primitive->name);
    return false;
}

/* `x`, `*x`, `&x` and `a + i` are all the location. */
static bool read_place(struct lit_lower *lower, struct parts *parts, const struct ast_expr *arg)
{
    if (arg->kind == AST_BINARY || arg->kind == AST_ADDRESS)
        return lit_place_pointed(lower, arg, &parts->place);
    if (!lit_place_find(lower, arg, &parts->place))
        return false;
    if (parts->place.is_register)
        LIT_FAULT(lower, DIAG_LIT_TYPE, arg->span, "'%s' is a register; '%s' takes a location",
                  arg->name.text, parts->primitive->name);
    return !parts->place.is_register;
}

/* A store of several values, to a location and those behind it. */
static bool is_wide(const struct parts *parts)
{
    return parts->primitive->instr == LIT_STORE && parts->expr->args.count > 2;
}

static bool check_wide(struct lit_lower *lower, const struct parts *parts)
{
    if (parts->has_order)
        LIT_FAULT(lower, DIAG_LIT_ORDER, parts->expr->span,
                  "a store of several values is no atomic one; leave out its memory order");
    else if (parts->expr->args.count - 1 > MOST_WIDE)
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, parts->expr->span,
                  "this store has %u values, and %d are the most", parts->expr->args.count - 1,
                  MOST_WIDE);
    return !parts->has_order && parts->expr->args.count - 1 <= MOST_WIDE;
}

/* All that have the tag, but for so many, the newest. */
static bool read_count(struct lit_lower *lower, struct parts *parts, const struct ast_expr *tag)
{
    uint32_t ignored;
    if (tag->kind != AST_NAME || lit_word_class(tag->name.text, &ignored) != LIT_WORD_OTHER) {
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, tag->span,
                  "expected the tag by which a fence or cache maintenance is counted; behind it a "
                  "number says how many, the newest, are left out");
        return false;
    }
    const struct lit_expr *but = lit_evaluate(lower, tag->next);
    if (but->op != LIT_OP_CONST || but->value < 0 || but->value > LIT_MAX_CODE) {
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, tag->next->span,
                  "expected how many, the newest, are left out: a constant from 0 to %d",
                  LIT_MAX_CODE);
        return false;
    }
    parts->counted = tag_mask(lower, &tag->name);
    parts->but = (uint32_t)but->value;
    return true;
}

/* What a fence has in parentheses: nothing, a token, or what it counts. */
static bool read_tokens(struct lit_lower *lower, struct parts *parts)
{
    const struct ast_exprs *args = &parts->expr->args;
    if (args->count == 2)
        return read_count(lower, parts, args->first);
    if (args->count == 1)
        parts->token = lit_evaluate(lower, args->first);
    if (args->count > 2)
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, parts->expr->span,
                  "'%s' takes nothing in parentheses, or a token, or a tag and a number; found %u "
                  "arguments",
                  parts->primitive->name, args->count);
    return args->count <= 2;
}

static bool split(struct lit_lower *lower, struct parts *parts)
{
    static const char *const texts[] = {"a location",
                                        "a token, or a tag and a number",
                                        "a location and a value",
                                        "a location, the old value and the new one",
                                        "a location, an operator and a value",
                                        "a location, a value to add, and one not to add to"};
    const struct primitive *primitive = parts->primitive;
    const struct ast_expr *arg = parts->expr->args.first;
    bool placed = lit_instruction_is(primitive->instr, LIT_PLACED);
    uint32_t values = primitive->operands <= TOKENS ? 0 : primitive->operands == VALUE ? 1 : 2;
    if (is_wide(parts))
        return check_wide(lower, parts) && read_place(lower, parts, arg);
    if (primitive->operands == TOKENS)
        return read_tokens(lower, parts);
    if (parts->expr->args.count != placed + values) {
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, parts->expr->span, "'%s' takes %s, found %u argument%s",
                  primitive->name, texts[primitive->operands], parts->expr->args.count,
                  parts->expr->args.count == 1 ? "" : "s");
        return false;
    }
    const struct ast_expr *last = arg->next;
    if (primitive->operands == OPERATION) {
        if (!read_rmw(lower, parts, last))
            return false;
        last = last->next;
    }
    if (primitive->operands == VALUE_UNLESS)
        parts->rmw = LIT_RMW_ADD;
    for (uint32_t i = 0; last; i++, last = last->next)
        parts->operands[i] = last;
    return read_place(lower, parts, arg);
}

/* ---- Instructions ---- */

static struct lit_instr *emit(struct lit_lower *lower, const struct parts *parts)
{
    enum lit_instr_op op = parts->primitive->instr;
    struct lit_instr *instr = lit_thread_emit(lower, op, parts->expr->span);
    instr->addr = parts->place.addr;
    instr->order = parts->order;
    instr->fail_order = lit_access_without_release(parts->order);
    instr->scope = parts->scope;
    instr->tags = parts->tags;
    instr->rmw = parts->rmw;
    instr->counted = parts->counted;
    instr->but = parts->but;
    if (parts->token)
        instr->value = parts->token;
    instr->unscoped = !lit_instruction_accesses(op) && !parts->has_order && !parts->has_scope;
    if (lit_instruction_is(op, LIT_SPACED))
        instr->spaces = LIT_GLOBAL | LIT_LOCAL;
    return instr;
}

static const struct lit_expr *as_type(struct lit_lower *lower, const struct parts *parts,
                                      const struct lit_expr *value)
{
    if (value->type == parts->place.type)
        return value;
    uint32_t into = lit_thread_temporary(lower, parts->place.type);
    lit_evaluate_set(lower, into, value, parts->expr->span);
    return lit_evaluate_reg(lower, into);
}

/* What an atomic operation leaves, which takes its operand as a value of the place's type. */
static const struct lit_expr *left_by(struct lit_lower *lower, const struct parts *parts,
                                      const struct lit_expr *old, const struct lit_expr *value)
{
    const struct lit_expr *operand = as_type(lower, parts, value);
    enum lit_operator op = lit_rmw_operators[parts->rmw];
    const struct lit_expr *result = lit_evaluate_apply(lower, op, old, operand);
    if (parts->rmw == LIT_RMW_MIN || parts->rmw == LIT_RMW_MAX)
        result = lit_evaluate_select(lower, result, old, operand);
    return as_type(lower, parts, result);
}

/* The element's index is the one before they change something. */
static void evaluate_operands(struct lit_lower *lower, struct parts *parts,
                              const struct lit_expr *values[2])
{
    const struct ast_expr *first = parts->operands[0], *second = parts->operands[1];
    for (int i = 0; i < 2; i++)
        if (parts->place.addr.index && parts->operands[i])
            parts->place.addr.index =
                lit_evaluate_hold(lower, parts->place.addr.index, parts->operands[i]);
    uint32_t place = lit_thread_here(lower);
    values[0] = first ? lit_evaluate(lower, first) : NULL;
    lit_evaluate_unsequenced(lower, parts->begin, place);
    if (parts->complements)
        values[0] = lit_evaluate_apply(lower, LIT_OP_BITNOT, values[0], NULL);
    if (second)
        values[0] = lit_evaluate_hold(lower, values[0], second);
    uint32_t before = lit_thread_here(lower);
    values[1] = second ? lit_evaluate(lower, second) : NULL;
    lit_evaluate_unsequenced(lower, parts->begin, before);
}

static const struct lit_expr *access(struct lit_lower *lower, struct parts *parts, bool wanted)
{
    const struct lit_expr *values[2];
    if (!lit_evaluate_check_rmw(lower, &parts->place, parts->rmw, parts->expr->span))
        return NULL;
    evaluate_operands(lower, parts, values);
    bool swaps = parts->primitive->operands == OLD_AND_NEW;
    bool tells = parts->primitive->gives == WHETHER;
    uint32_t into = LIT_NONE;
    if (parts->primitive->instr == LIT_LOAD || wanted)
        into = lit_thread_temporary(lower, tells ? LIT_INT : parts->place.type);
    struct lit_instr *instr = emit(lower, parts);
    instr->value = values[swaps];
    instr->expected = values[!swaps];
    instr->unless = tells;
    instr->dst = swaps ? LIT_NONE : into;
    instr->dst_old = swaps ? into : LIT_NONE;
    if (into == LIT_NONE)
        return NULL;
    const struct lit_expr *found = lit_evaluate_reg(lower, into);
    return parts->primitive->gives == THE_NEW ? left_by(lower, parts, found, values[0]) : found;
}

/* The location that stands so many behind that of the address; false: there is none in its symbol.
 * One whose index is read goes on within its element, and then into the next one. */
static bool move_behind(const struct lit_place *place, uint32_t by, struct lit_address *addr)
{
    const struct lit_symbol *symbol = place->symbol;
    *addr = place->addr;
    if (!addr->index) {
        addr->first += by;
        return addr->first < symbol->first + symbol->count * symbol->size;
    }
    const uint32_t within = (addr->first - symbol->first) % addr->stride + by;
    const uint32_t over = within / addr->stride;
    addr->first += by;
    addr->count = addr->count > over ? addr->count - over : 0;
    return addr->count;
}

/* A value that what is evaluated after it does not change. */
static const struct lit_expr *kept_value(struct lit_lower *lower, const struct ast_expr *arg)
{
    const struct lit_expr *value = lit_evaluate(lower, arg);
    if (value->op == LIT_OP_CONST || !arg->next)
        return value;
    const uint32_t into = lit_thread_temporary(lower, value->type);
    lit_evaluate_set(lower, into, value, arg->span);
    return lit_evaluate_reg(lower, into);
}

/* The values are evaluated from the left; then each is stored, in no order among them. */
static void store_wide(struct lit_lower *lower, struct parts *parts)
{
    const struct lit_expr *values[MOST_WIDE];
    const struct lit_place place = parts->place;
    uint32_t count = 0;
    for (const struct ast_expr *arg = parts->expr->args.first->next; arg; arg = arg->next)
        values[count++] = kept_value(lower, arg);
    const uint32_t begin = lit_thread_here(lower);
    for (uint32_t i = 0; i < count; i++) {
        if (!move_behind(&place, i, &parts->place.addr)) {
            LIT_FAULT(lower, DIAG_LIT_INDEX, parts->expr->span,
                      "this stores %u values, and only %u of them lie in '%s'", count, i,
                      place.symbol->name);
            return;
        }
        struct lit_instr *instr = emit(lower, parts);
        instr->value = values[i];
        instr->wide = true;
        lit_evaluate_unsequenced(lower, begin, begin + i);
    }
}

/* Locks of herd's, and its instructions of SRCU. */
static bool report_lock(struct lit_lower *lower, const struct ast_expr *expr)
{
    static const char *const locks[] = {"__lock", "__unlock", "__trylock", "__islocked"};
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++)
        if (strcmp(expr->name.text, locks[i]) == 0) {
            LIT_FAULT(lower, DIAG_LIT_FUNCTION, expr->name.span,
                      "'%s' is an instruction of herd's locks, which tests have not; write the "
                      "lock out: it is taken by a loop around __cmpxchg{acquire}(l, 0, 1), and "
                      "given back by __store{release}(l, 0)",
                      expr->name.text);
            return true;
        }
    if (strcmp(expr->name.text, "__srcu") != 0)
        return false;
    LIT_FAULT(lower, DIAG_LIT_FUNCTION, expr->name.span,
              "'__srcu' is an instruction of herd's for SRCU, which tests have not; RCU without "
              "domains is rcu_read_lock() and its like");
    return true;
}

/* Without tags in braces, where definition files are used: one of their names, or none. */
static bool report_undefined(struct lit_lower *lower, const struct ast_expr *expr)
{
    const char *name = expr->name.text;
    const struct lit_definitions *all = &lower->definitions;
    if (expr->tags.count || !all->count || lit_lower_errors(lower) >= DIAG_MAX_KEPT)
        return false;
    const char *near = lit_uses_nearest(lower->arena, all, name, false);
    if (!near && DIAG_NEAREST(name, primitives, COUNT, name))
        return false;
    LIT_FAULT(lower, DIAG_LIT_FUNCTION, expr->name.span,
              near ? "there is no function '%s'; did you mean '%s'?"
                   : "there is no function '%s' in the language, and %s",
              name, near ? near : lit_uses_lack(lower->arena, all));
    diag_meant_by(lower->diag, expr->name.span, name, near);
    return true;
}

/* A fence, or cache maintenance. */
static const struct lit_expr *order(struct lit_lower *lower, const struct parts *parts, bool wanted)
{
    const bool marks = parts->primitive->instr == LIT_FENCE;
    const uint32_t into = wanted ? lit_thread_temporary(lower, LIT_INT) : LIT_NONE;
    if (marks)
        lit_transaction_before(lower, parts->tags, parts->expr->span);
    emit(lower, parts)->dst = into;
    if (marks)
        lit_transaction_behind(lower, parts->tags, parts->expr->span);
    return wanted ? lit_evaluate_reg(lower, into) : NULL;
}

const struct lit_expr *lit_primitive_call(struct lit_lower *lower, const struct ast_expr *expr,
                                          bool wanted)
{
    struct parts parts = {.primitive = find_primitive(expr->name.text),
                          .expr = expr,
                          .begin = lit_thread_here(lower)};
    if (!parts.primitive) {
        const char *near = DIAG_NEAREST(expr->name.text, primitives, COUNT, name);
        if (report_lock(lower, expr) || lit_access_advise(lower, &expr->name) ||
            report_undefined(lower, expr))
            return NULL;
        LIT_FAULT(lower, DIAG_LIT_FUNCTION, expr->name.span,
                  near ? "there is no primitive instruction '%s'; did you mean '%s'?"
                       : "there is no primitive instruction '%s', and only these have tags in "
                         "braces; there are __fence, __cm, __load, __store, __xchg and the like",
                  expr->name.text, near);
        diag_meant_by(lower->diag, expr->name.span, expr->name.text, near);
        return NULL;
    }
    if (wanted && parts.primitive->gives == NONE) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span, "'%s' gives no value; use it as a statement",
                  expr->name.text);
        return NULL;
    }
    if (!read_words(lower, &parts) || !split(lower, &parts))
        return NULL;
    if (is_wide(&parts)) {
        store_wide(lower, &parts);
        return NULL;
    }
    if (lit_instruction_accesses(parts.primitive->instr))
        return access(lower, &parts, wanted);
    return order(lower, &parts, wanted);
}
