/* Functions and methods: which accesses, fences and barriers they stand for, and the
 * memory orders, scopes and fence flags of their last arguments. */
#include "litmus/lit_lower.h"

#include "litmus/lit_words.h"

#include <inttypes.h>
#include <string.h>

/* The words after the values of a call. */
struct words {
    uint32_t spaces;
    enum lit_order orders[2];
    uint32_t order_count;
    enum lit_scope scope;
    bool has_flags, has_scope;
};

/* How many words of each class a call takes. */
struct shape {
    bool flags;
    uint32_t orders;
    bool scope;
};

static void report_word(struct lit_lower *lower, enum lit_word_class kind,
                        const struct ast_expr *arg)
{
    static const struct {
        enum diag_id id;
        const char *what, *which;
    } texts[] = {
        [LIT_WORD_FLAGS] = {DIAG_LIT_ARGUMENT, "fence flag", "fence flags are"},
        [LIT_WORD_ORDER] = {DIAG_LIT_ORDER, "memory order", "memory orders are"},
        [LIT_WORD_SCOPE] = {DIAG_LIT_SCOPE, "scope", "scopes are"},
    };
    SCOPED(strbuf) list = {0};
    const char *name = arg->kind == AST_NAME ? arg->name.text : NULL;
    lit_word_list(kind, name, &list);
    const char *near = name ? lit_word_nearest(kind, name) : NULL;
    if (near)
        LIT_FAULT(lower, texts[kind].id, arg->span, "'%s' is no %s; did you mean '%s'? %s %s", name,
                  texts[kind].what, near, texts[kind].which, strbuf_text(&list));
    else
        LIT_FAULT(lower, texts[kind].id, arg->span, "%s%s%s is no %s; %s %s", name ? "'" : "",
                  name ? name : "this", name ? "'" : "", texts[kind].what, texts[kind].which,
                  strbuf_text(&list));
    diag_meant_by(lower->diag, arg->span, name, near);
}

/* The class that an unknown word was probably meant to have. */
static enum lit_word_class meant(const struct ast_expr *arg, const struct shape *shape,
                                 const struct words *words)
{
    if (arg->kind == AST_NAME) {
        enum lit_word_class likely = lit_word_likely(arg->name.text);
        if (likely == LIT_WORD_OTHER && lit_word_scope_meant(arg->name.text))
            likely = LIT_WORD_SCOPE;
        if (likely != LIT_WORD_OTHER)
            return likely;
    }
    if (shape->flags && !words->has_flags && !words->order_count)
        return LIT_WORD_FLAGS;
    return words->order_count < shape->orders ? LIT_WORD_ORDER : LIT_WORD_SCOPE;
}

/* CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, or one of them. */
static bool read_flags(const struct ast_expr *arg, uint32_t *spaces)
{
    for (; arg->kind == AST_BINARY && (arg->op == LIT_OP_BITOR || arg->op == LIT_OP_ADD);
         arg = arg->a)
        if (!read_flags(arg->b, spaces))
            return false;
    uint32_t value;
    if (arg->kind != AST_NAME || lit_word_class(arg->name.text, &value) != LIT_WORD_FLAGS)
        return false;
    *spaces |= value;
    return true;
}

/* Warns once for a test. */
static void warn_consume(struct lit_lower *lower, const struct ast_expr *arg)
{
    if (!lower->consumes)
        diag_warning(lower->diag, DIAG_LIT_ORDER, arg->span,
                     "'%s' is read as acquire here and below, which orders whatever consume does, "
                     "and more",
                     arg->name.text);
    lower->consumes = true;
}

/* In libcu++ an access without a scope has that of the system. Warns once for a test. */
static void warn_scope(struct lit_lower *lower, const struct words *words, struct span span)
{
    if (words->has_scope || !lower->test->names_cuda || lower->quiet)
        return;
    if (!lower->unscoped)
        diag_warning(lower->diag, DIAG_LIT_SCOPE, span,
                     "this has no scope and is taken at the scope of the device, here and below, "
                     "where CUDA has the system; write thread_scope_system, or the one that is "
                     "meant");
    lower->unscoped = true;
}

static bool read_word(struct lit_lower *lower, const struct ast_expr *arg,
                      const struct shape *shape, struct words *words)
{
    uint32_t value = 0;
    enum lit_word_class kind =
        arg->kind == AST_NAME ? lit_word_class(arg->name.text, &value) : LIT_WORD_OTHER;
    if (shape->flags && !words->has_flags && !words->order_count && !words->has_scope &&
        read_flags(arg, &words->spaces))
        return words->has_flags = true;
    if (kind == LIT_WORD_ORDER && words->order_count < shape->orders && !words->has_scope) {
        words->orders[words->order_count++] = (enum lit_order)value;
        if (lit_word_consumes(arg->name.text))
            warn_consume(lower, arg);
        return true;
    }
    if (kind == LIT_WORD_SCOPE && shape->scope && !words->has_scope) {
        words->scope = (enum lit_scope)value;
        return words->has_scope = true;
    }
    if (kind == LIT_WORD_OTHER)
        report_word(lower, meant(arg, shape, words), arg);
    else
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, arg->span,
                  "'%s' has no place here; the order of arguments is %s%s%sscope", arg->name.text,
                  shape->flags ? "flags, " : "values, ", shape->orders ? "memory order, " : "",
                  shape->orders > 1 ? "memory order on failure, " : "");
    return false;
}

static bool read_words(struct lit_lower *lower, const struct ast_expr *arg,
                       const struct shape *shape, struct words *words)
{
    bool good = true;
    if (arg && !shape->flags && !shape->orders && !shape->scope) {
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, arg->span, "this call takes no arguments");
        return false;
    }
    for (; arg; arg = arg->next)
        good &= read_word(lower, arg, shape, words);
    if (!words->has_flags)
        words->spaces = LIT_GLOBAL | LIT_LOCAL;
    return good;
}

/* ---- Accesses ---- */

/* A call taken apart. */
struct access {
    const struct lit_call *call;
    const struct ast_expr *expr;
    struct lit_place place;
    const struct ast_expr *values[2];
    enum lit_order order, fail_order;
    enum lit_scope scope;
    uint32_t
        begin; /* the code of its operands; of a method without its object, which comes first */
};

static void report_count(struct lit_lower *lower, const struct access *access)
{
    uint32_t values = lit_word_value_count(access->call);
    const struct ast_expr *expr = access->expr;
    static const char *const counts[] = {"no value", "a value", "an expected and a new value"};
    bool method = expr->kind == AST_METHOD;
    LIT_FAULT(lower, DIAG_LIT_ARGUMENT, expr->span, "'%s' takes %s%s%s, found %u argument%s%s",
              expr->name.text, method ? "" : "an address and ", counts[values],
              access->call->ordered ? " and then a memory order and a scope" : "", expr->args.count,
              expr->args.count == 1 ? "" : "s",
              !access->call->ordered && expr->args.count > values + 1
                  ? "; the form with memory order and scope ends in _explicit"
                  : "");
}

/* Splits the arguments; false when there are too few or too many. */
static bool split(struct lit_lower *lower, struct access *access, struct words *words)
{
    const struct lit_call *call = access->call;
    bool method = access->expr->kind == AST_METHOD;
    const struct ast_expr *arg = access->expr->args.first;
    uint32_t values = lit_word_value_count(call), needed = values + !method;
    if (access->expr->args.count < needed ||
        (!call->ordered && access->expr->args.count > needed)) {
        report_count(lower, access);
        return false;
    }
    if (!method)
        arg = arg->next;
    for (uint32_t i = 0; i < values; i++, arg = arg->next)
        access->values[i] = arg;
    struct shape shape = {false, call->instr == LIT_CAS ? 2 : 1, true};
    if (!read_words(lower, arg, &shape, words))
        return false;
    if (!method && call->ordered && !words->order_count) {
        LIT_FAULT(lower, DIAG_LIT_ORDER, access->expr->span,
                  "'%s' needs a memory order; the form without ends before _explicit",
                  access->expr->name.text);
        return false;
    }
    return true;
}

enum lit_order lit_access_without_release(enum lit_order order)
{
    return order == LIT_ORDER_REL       ? LIT_ORDER_RLX
           : order == LIT_ORDER_ACQ_REL ? LIT_ORDER_ACQ
                                        : order;
}

static bool check_orders(struct lit_lower *lower, struct access *access, const struct words *words)
{
    enum lit_order order = words->order_count ? words->orders[0] : LIT_ORDER_SC;
    access->order = order;
    access->fail_order =
        lit_access_without_release(words->order_count > 1 ? words->orders[1] : order);
    access->scope = words->has_scope ? words->scope : LIT_SCOPE_DV;
    warn_scope(lower, words, access->expr->span);
    bool load = access->call->instr == LIT_LOAD, store = access->call->instr == LIT_STORE;
    if ((load && (order == LIT_ORDER_REL || order == LIT_ORDER_ACQ_REL)) ||
        (store && (order == LIT_ORDER_ACQ || order == LIT_ORDER_ACQ_REL))) {
        LIT_FAULT(lower, DIAG_LIT_ORDER, access->expr->span,
                  load ? "a load cannot release; its order is relaxed, acquire or seq_cst"
                       : "a store cannot acquire; its order is relaxed, release or seq_cst");
        return false;
    }
    if (words->order_count > 1 && access->fail_order != words->orders[1] && !lower->quiet)
        diag_warning(lower->diag, DIAG_LIT_ORDER, access->expr->span,
                     "a compare-exchange that fails only reads and cannot release; the read "
                     "is taken as %s",
                     access->fail_order == LIT_ORDER_ACQ ? "acquire" : "relaxed");
    return true;
}

static struct lit_instr *emit_access(struct lit_lower *lower, const struct access *access)
{
    struct lit_instr *instr = lit_thread_emit(lower, access->call->instr, access->expr->span);
    instr->addr = access->place.addr;
    instr->order = access->order;
    instr->scope = access->scope;
    return instr;
}

/* Keeps the index of the element, as the values may change what it is computed from. */
static void hold_index(struct lit_lower *lower, struct access *access)
{
    for (uint32_t i = 0; i < 2; i++)
        if (access->place.addr.index)
            access->place.addr.index =
                lit_evaluate_hold(lower, access->place.addr.index, access->values[i]);
}

/* What a compare-exchange compares with, and where the old value goes on failure. */
struct expected {
    const struct lit_expr *value;
    bool written;
    struct lit_place place;
};

static bool evaluate_expected(struct lit_lower *lower, const struct ast_expr *expr,
                              const struct ast_expr *next, struct expected *expected)
{
    const struct ast_expr *target = expr->kind == AST_ADDRESS ? expr->a : NULL;
    if (target && target->kind == AST_NAME && lit_thread_find_local(lower, target->name.text)) {
        expected->written = lit_place_find(lower, target, &expected->place);
    } else if (lit_place_is_pointer(lower, expr)) {
        expected->written = lit_place_pointed(lower, expr, &expected->place);
        if (!expected->written)
            return false;
        if (expected->place.addr.index)
            expected->place.addr.index = lit_evaluate_hold(lower, expected->place.addr.index, next);
    } else {
        expected->value = lit_evaluate_hold(lower, lit_evaluate(lower, expr), next);
    }
    return true;
}

/* The expected value is read in the call, after all arguments (C11 7.17.7.4, paragraph 2). */
static const struct lit_expr *read_expected(struct lit_lower *lower,
                                            const struct expected *expected, struct span span)
{
    return !expected->written            ? expected->value
           : expected->place.is_register ? lit_evaluate_reg(lower, expected->place.reg)
                                         : lit_evaluate_read(lower, &expected->place, span);
}

static const struct lit_expr *compare_exchange(struct lit_lower *lower, struct access *access)
{
    struct expected expected = {0};
    uint32_t object = lit_thread_here(lower);
    if (!evaluate_expected(lower, access->values[0], access->values[1], &expected))
        return NULL;
    lit_evaluate_unsequenced(lower, access->begin, object);
    uint32_t before = lit_thread_here(lower);
    const struct lit_expr *value = lit_evaluate(lower, access->values[1]);
    lit_evaluate_unsequenced(lower, access->begin, before);
    expected.value = read_expected(lower, &expected, access->values[0]->span);
    uint32_t done = lit_thread_temporary(lower, LIT_INT);
    uint32_t old = expected.written ? lit_thread_temporary(lower, access->place.type) : LIT_NONE;
    struct lit_instr *cas = emit_access(lower, access);
    cas->fail_order = access->fail_order;
    cas->expected = expected.value;
    cas->value = value;
    cas->dst = done;
    cas->dst_old = old;
    const struct lit_expr *result = lit_evaluate_reg(lower, done);
    if (expected.written) {
        uint32_t branch = lit_thread_here(lower);
        lit_thread_emit(lower, LIT_BRANCH, access->expr->span)->value =
            lit_evaluate_apply(lower, LIT_OP_NOT, result, NULL);
        lit_evaluate_write(lower, &expected.place, lit_evaluate_reg(lower, old),
                           access->values[0]->span);
        lit_thread_aim(lower, branch, lit_thread_here(lower));
    }
    return result;
}

static const struct lit_expr *load(struct lit_lower *lower, const struct access *access)
{
    uint32_t into = lit_thread_temporary(lower, access->place.type);
    emit_access(lower, access)->dst = into;
    return lit_evaluate_reg(lower, into);
}

/* What is written: an atomic_flag is set to 1, and cleared to 0. */
static const struct lit_expr *written(struct lit_lower *lower, const struct access *access)
{
    if (access->call->flag)
        return lit_evaluate_const(lower, LIT_INT, access->call->instr == LIT_RMW);
    uint32_t object = lit_thread_here(lower);
    const struct lit_expr *value = lit_evaluate(lower, access->values[0]);
    lit_evaluate_unsequenced(lower, access->begin, object);
    return value;
}

/* Writes a value; returns the old one, if that is wanted. */
static const struct lit_expr *modify(struct lit_lower *lower, const struct access *access,
                                     bool wanted)
{
    const struct lit_expr *value = written(lower, access);
    uint32_t into = wanted ? lit_thread_temporary(lower, access->place.type) : LIT_NONE;
    struct lit_instr *rmw = emit_access(lower, access);
    rmw->rmw = access->call->rmw;
    rmw->value = value;
    rmw->dst = into;
    return wanted ? lit_evaluate_reg(lower, into) : NULL;
}

static const struct lit_expr *lower_access(struct lit_lower *lower, const struct lit_call *call,
                                           const struct ast_expr *expr, bool wanted)
{
    struct access access = {.call = call, .expr = expr};
    struct words words = {0};
    if (!split(lower, &access, &words) || !check_orders(lower, &access, &words))
        return NULL;
    access.begin = lit_thread_here(lower);
    bool found = expr->kind == AST_CALL ? lit_place_pointed(lower, expr->args.first, &access.place)
                                        : lit_place_find(lower, expr->a, &access.place);
    if (!found)
        return NULL;
    if (access.place.is_register) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, expr->a->span,
                  "'%s' is a register; expected a location before '.%s'", expr->a->name.text,
                  expr->name.text);
        return NULL;
    }
    if (!lit_evaluate_check_rmw(lower, &access.place, call->rmw, expr->span))
        return NULL;
    hold_index(lower, &access);
    if (expr->kind == AST_METHOD) {
        lit_mistake_method(lower, &access.place, expr->span);
        access.begin = lit_thread_here(lower);
    }
    if (call->instr == LIT_LOAD)
        return load(lower, &access);
    if (call->instr == LIT_CAS)
        return compare_exchange(lower, &access);
    return modify(lower, &access, wanted);
}

/* ---- Fences and barriers ---- */

/* What stands behind the scope of a persist barrier: its number, and how many open it. */
static const struct ast_expr *number_of(const struct lit_call *call, const struct ast_expr *expr)
{
    const struct ast_expr *scope = expr->args.first, *number = scope ? scope->next : NULL;
    uint32_t ignored;
    const bool word = number && number->kind == AST_NAME &&
                      lit_word_class(number->name.text, &ignored) != LIT_WORD_OTHER;
    return call->scoped == LIT_CALL_NEEDS_SCOPE && !word ? number : NULL;
}

/* Those alone meet there whose code has a persist barrier of that number. */
static void give_number(struct lit_lower *lower, struct lit_instr *instr,
                        const struct ast_expr *number, const struct lit_expr *value,
                        const struct lit_expr *quorum)
{
    if (value->op != LIT_OP_CONST || value->value < 0)
        LIT_FAULT(lower, DIAG_LIT_CONSTANT, number->span,
                  "expected the number of a persist barrier, a constant from 0 on");
    else if (quorum && quorum->op == LIT_OP_CONST && quorum->value < 1)
        LIT_FAULT(lower, DIAG_LIT_NUMBER, number->next->span,
                  "a quorum counts the work-items that must come; expected at least 1");
    else if (number->next && number->next->next)
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, number->next->next->span,
                  "a persist barrier has a scope, a number, and how many open it; nothing else");
    else if (lower->label)
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, number->span,
                  "this persist barrier has a label and a number; keep one");
    const char *text = arena_printf(lower->arena, "%" PRId64, value->value);
    instr->label = intern_text(lower->names, text);
    instr->named = true;
    instr->quorum = quorum;
}

static void lower_ordering(struct lit_lower *lower, const struct lit_call *call,
                           const struct ast_expr *expr)
{
    struct words words = {0};
    struct shape shape = {call->flags, call->ordered, call->scoped != LIT_CALL_FIXED};
    const struct ast_expr *number = number_of(call, expr);
    struct ast_expr scope = {0};
    if (number)
        scope = *expr->args.first;
    scope.next = NULL;
    if (!read_words(lower, number ? &scope : expr->args.first, &shape, &words))
        return;
    const struct lit_expr *value = number ? lit_evaluate(lower, number) : NULL;
    const struct lit_expr *quorum =
        number && number->next ? lit_evaluate(lower, number->next) : NULL;
    if (call->ordered && !words.order_count) {
        LIT_FAULT(lower, DIAG_LIT_ORDER, expr->span,
                  "'%s' needs a memory order, such as memory_order_acq_rel", call->name);
        return;
    }
    if (call->instr == LIT_FENCE)
        warn_scope(lower, &words, expr->span);
    if (call->scoped == LIT_CALL_NEEDS_SCOPE && !words.has_scope) {
        LIT_FAULT(lower, DIAG_LIT_SCOPE, expr->span,
                  "'%s' needs a scope: %s(memory_scope_work_group), or %s_wg", call->name,
                  call->name, call->name);
        return;
    }
    struct lit_instr *instr = lit_thread_emit(lower, call->instr, expr->span);
    instr->order = words.orders[0];
    instr->scope = words.has_scope ? words.scope : call->scope;
    if (lit_instruction_is(call->instr, LIT_SPACED))
        instr->spaces = words.spaces;
    if (!lit_instruction_meets(call->instr))
        return;
    instr->exec_scope = call->scoped == LIT_CALL_NEEDS_SCOPE ? instr->scope : call->scope;
    instr->label = lower->label;
    if (number)
        give_number(lower, instr, number, value, quorum);
}

/* ---- Calls ---- */

bool lit_access_advise(struct lit_lower *lower, const struct ast_name *name)
{
    const char *file_to_use = NULL;
    const char *advice = lit_lower_errors(lower) < DIAG_MAX_KEPT
                             ? lit_uses_advice(lower->arena, name->text, &file_to_use)
                             : NULL;
    if (!advice)
        return false;
    LIT_FAULT(lower, DIAG_LIT_FUNCTION, name->span, "there is no function '%s' here; %s",
              name->text, advice);
    lit_uses_offer(lower->arena, lower->test, lower->diag, name->span, file_to_use);
    return true;
}

static const struct lit_call *find_call(struct lit_lower *lower, const struct ast_expr *expr)
{
    bool method = expr->kind == AST_METHOD;
    const struct lit_call *call =
        method ? lit_word_method(expr->name.text) : lit_word_function(expr->name.text);
    if (call)
        return call;
    const char *near = NULL, *advice = NULL, *meant = NULL;
    if (!method && lit_access_advise(lower, &expr->name))
        return NULL;
    if (lit_lower_errors(lower) < DIAG_MAX_KEPT && !method) {
        near = lit_uses_nearest(lower->arena, &lower->definitions, expr->name.text, true);
    } else if (lit_lower_errors(lower) < DIAG_MAX_KEPT) {
        near = lit_word_nearest_call(expr->name.text, true);
    }
    if (strcmp(expr->name.text, "launch") == 0 || strcmp(expr->name.text, "join") == 0)
        advice = arena_printf(lower->arena, "a kernel is named by its number, as in '%s 1;'",
                              expr->name.text);
    else
        advice = lit_word_foreign_function(lower->arena, expr->name.text, &meant);
    const char *what = method ? "method" : "function";
    if (advice) {
        LIT_FAULT(lower, DIAG_LIT_FUNCTION, expr->name.span, "there is no %s '%s' here; %s", what,
                  expr->name.text, advice);
        diag_meant_by(lower->diag, expr->name.span, expr->name.text, method ? NULL : meant);
        return NULL;
    }
    if (near)
        LIT_FAULT(lower, DIAG_LIT_FUNCTION, expr->name.span,
                  "there is no %s '%s'; did you mean '%s'?", what, expr->name.text, near);
    else
        LIT_FAULT(lower, DIAG_LIT_FUNCTION, expr->name.span,
                  method ? "there is no %s '%s'; locations have load, store, exchange, "
                           "fetch_add and the like, and compare_exchange_strong"
                         : "there is no %s '%s'; there are atomic_load, atomic_fetch_add and the "
                           "like, atomic_compare_exchange_strong, fences and barriers",
                  what, expr->name.text);
    diag_meant_by(lower->diag, expr->name.span, expr->name.text, near);
    return NULL;
}

const struct lit_expr *lit_access_call(struct lit_lower *lower, const struct ast_expr *expr,
                                       bool wanted)
{
    const struct lit_definition *definition = lit_expand_find(lower, expr);
    if (definition)
        return lit_expand(lower, definition, expr, wanted);
    if (lit_primitive_is(expr))
        return lit_primitive_call(lower, expr, wanted);
    const struct lit_call *call = find_call(lower, expr);
    if (!call)
        return NULL;
    if (wanted && !lit_instruction_reads(call->instr)) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span, "'%s' gives no value; use it as a statement",
                  expr->name.text);
        return NULL;
    }
    if (!lit_instruction_is(call->instr, LIT_PLACED)) {
        lower_ordering(lower, call, expr);
        return NULL;
    }
    if (expr->kind == AST_NAME) {
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, expr->span, "'%s' needs its arguments in parentheses",
                  expr->name.text);
        return NULL;
    }
    return lower_access(lower, call, expr, wanted);
}
