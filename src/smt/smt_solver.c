#include "smt/smt_solver.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/guard.h"
#include "base/vec.h"
#include "smt/smt_library.h"
#include "smt/smt_z3.h"

#include <pthread.h>
#include <time.h>

struct smt_solver {
    Z3_context context;
    struct base_cleanup cleanup;
    uint32_t memory_mib;
    struct clock_call_off *call_off; /* NULL: nobody calls off */
    bool lacked_memory;              /* in the last check */
    bool interrupted;                /* before it was asked: nothing is asked any more */
    enum smt_theory theory;
    Z3_solver solver;
    VEC(Z3_ast) steps; /* what Z3 has not been told yet: facts, NULL for a push */
    Z3_model model;    /* of the last check; NULL without */
    Z3_ast yes, no;
    Z3_sort boolean, integer, words[2]; /* of 32 and 64 bits */
};

static Z3_ast ast(smt_term term)
{
    return (Z3_ast)term;
}

static smt_term term(Z3_ast ast)
{
    return (smt_term)ast;
}

static void on_error(Z3_context context, Z3_error_code code)
{
    base_die(code == Z3_MEMOUT_FAIL ? BASE_OUT_OF_MEMORY " (Z3: %s)" : "internal error: Z3: %s",
             z3.get_error_msg(context, code));
}

/* After a failure: what the context holds is Z3's own memory. */
static void drop_context(void *context)
{
    z3.set_error_handler(context, NULL);
    z3.del_context(context);
}

static bool is_wide(enum lit_type type)
{
    return type == LIT_LONG || type == LIT_ULONG;
}

static bool is_signed(enum lit_type type)
{
    return type == LIT_INT || type == LIT_LONG;
}

/* Before there is a context Z3 has nobody to tell that memory is exhausted. */
static Z3_context new_context(void)
{
    Z3_config config = z3.mk_config();
    Z3_context context = config ? z3.mk_context(config) : NULL;
    if (config)
        z3.del_config(config);
    if (!context)
        base_die(BASE_OUT_OF_MEMORY " (Z3 has no context)");
    return context;
}

struct smt_solver *smt_solver_new(uint32_t memory_mib, enum smt_theory theory)
{
    if (!smt_library_load())
        base_die("a solver is wanted, and there is none: %s", smt_library_fault());
    struct smt_solver *s = base_realloc(NULL, sizeof *s);
    *s = (struct smt_solver){.context = new_context(), .memory_mib = memory_mib, .theory = theory};
    base_cleanup_add(&s->cleanup, drop_context, s->context);
    z3.set_error_handler(s->context, on_error);
    s->solver = theory == SMT_WORDS
                    ? z3.mk_solver_for_logic(s->context, z3.mk_string_symbol(s->context, "QF_BV"))
                    : z3.mk_solver(s->context);
    z3.solver_inc_ref(s->context, s->solver);
    s->yes = z3.mk_true(s->context);
    s->no = z3.mk_false(s->context);
    s->boolean = z3.mk_bool_sort(s->context);
    s->integer = z3.mk_int_sort(s->context);
    s->words[0] = z3.mk_bv_sort(s->context, 32);
    s->words[1] = z3.mk_bv_sort(s->context, 64);
    return s;
}

void smt_solver_heed(struct smt_solver *s, struct clock_call_off *call_off)
{
    s->call_off = call_off;
}

static void forget_model(struct smt_solver *s)
{
    if (s->model)
        z3.model_dec_ref(s->context, s->model);
    s->model = NULL;
}

void smt_solver_free(struct smt_solver *s)
{
    forget_model(s);
    base_cleanup_remove(&s->cleanup);
    z3.solver_dec_ref(s->context, s->solver);
    z3.del_context(s->context);
    VEC_FREE(&s->steps);
    base_free(s);
}

/* ---- Logic ---- */

smt_term smt_truth(struct smt_solver *s, bool truth)
{
    return term(truth ? s->yes : s->no);
}

bool smt_is(struct smt_solver *s, smt_term a, bool truth)
{
    return ast(a) == (truth ? s->yes : s->no);
}

smt_term smt_bool(struct smt_solver *s)
{
    return term(z3.mk_fresh_const(s->context, "b", s->boolean));
}

smt_term smt_value(struct smt_solver *s, enum lit_type type)
{
    return term(z3.mk_fresh_const(s->context, "v", s->words[is_wide(type)]));
}

smt_term smt_clock(struct smt_solver *s, uint32_t most)
{
    unsigned width = 1;
    while (width < 32 && (most - 1) >> width)
        width++;
    Z3_sort sort = s->theory == SMT_WORDS ? z3.mk_bv_sort(s->context, width) : s->integer;
    return term(z3.mk_fresh_const(s->context, "t", sort));
}

smt_term smt_not(struct smt_solver *s, smt_term a)
{
    if (ast(a) == s->yes || ast(a) == s->no)
        return smt_truth(s, ast(a) == s->no);
    return term(z3.mk_not(s->context, ast(a)));
}

smt_term smt_and(struct smt_solver *s, smt_term a, smt_term b)
{
    if (ast(a) == s->no || ast(b) == s->yes || a == b)
        return a;
    if (ast(b) == s->no || ast(a) == s->yes)
        return b;
    return term(z3.mk_and(s->context, 2, (Z3_ast[]){ast(a), ast(b)}));
}

smt_term smt_or(struct smt_solver *s, smt_term a, smt_term b)
{
    if (ast(a) == s->yes || ast(b) == s->no || a == b)
        return a;
    if (ast(b) == s->yes || ast(a) == s->no)
        return b;
    return term(z3.mk_or(s->context, 2, (Z3_ast[]){ast(a), ast(b)}));
}

/* Terms joined, of which `neutral` adds nothing and the opposite is all that counts. */
static smt_term join(struct smt_solver *s, const smt_term *terms, uint32_t count, bool neutral)
{
    Z3_ast *kept = base_realloc(NULL, (count + 1) * sizeof *kept);
    uint32_t many = 0;
    bool settled = false;
    for (uint32_t i = 0; i < count && !settled; i++) {
        settled = smt_is(s, terms[i], !neutral);
        if (!smt_is(s, terms[i], neutral))
            kept[many++] = ast(terms[i]);
    }
    Z3_ast result = settled || many == 0 ? ast(smt_truth(s, settled != neutral))
                    : many == 1          ? kept[0]
                    : neutral            ? z3.mk_and(s->context, many, kept)
                                         : z3.mk_or(s->context, many, kept);
    base_free(kept);
    return term(result);
}

smt_term smt_any(struct smt_solver *s, const smt_term *terms, uint32_t count)
{
    return join(s, terms, count, false);
}

smt_term smt_all(struct smt_solver *s, const smt_term *terms, uint32_t count)
{
    return join(s, terms, count, true);
}

/* Sums of halves, each as wide as it has to be. */
static Z3_ast count_bits(struct smt_solver *s, const smt_term *terms, uint32_t count,
                         uint32_t *width)
{
    Z3_context c = s->context;
    uint32_t half = count / 2, widths[2];
    if (count <= 1) {
        Z3_sort bit = z3.mk_bv_sort(c, 1);
        Z3_ast one = z3.mk_unsigned_int64(c, 1, bit), none = z3.mk_unsigned_int64(c, 0, bit);
        *width = 1;
        return count ? z3.mk_ite(c, ast(terms[0]), one, none) : none;
    }
    Z3_ast a = count_bits(s, terms, half, &widths[0]);
    Z3_ast b = count_bits(s, terms + half, count - half, &widths[1]);
    for (*width = 1; (count >> *width) > 0;)
        ++*width;
    return z3.mk_bvadd(c, z3.mk_zero_ext(c, *width - widths[0], a),
                       z3.mk_zero_ext(c, *width - widths[1], b));
}

smt_term smt_count(struct smt_solver *s, const smt_term *terms, uint32_t count)
{
    uint32_t width;
    Z3_ast sum = count_bits(s, terms, count, &width);
    return term(z3.mk_zero_ext(s->context, 32 - width, sum));
}

smt_term smt_at_least(struct smt_solver *s, const smt_term *terms, uint32_t count, uint32_t least)
{
    if (least == 0 || count < least)
        return smt_truth(s, least == 0);
    return term(z3.mk_atleast(s->context, count, (const Z3_ast *)terms, least));
}

smt_term smt_at_most(struct smt_solver *s, const smt_term *terms, uint32_t count, uint32_t most)
{
    if (count <= most)
        return smt_truth(s, true);
    return term(z3.mk_atmost(s->context, count, (const Z3_ast *)terms, most));
}

smt_term smt_implies(struct smt_solver *s, smt_term a, smt_term b)
{
    return smt_or(s, smt_not(s, a), b);
}

smt_term smt_select(struct smt_solver *s, smt_term condition, smt_term yes, smt_term no)
{
    if (ast(condition) == s->yes || yes == no)
        return yes;
    if (ast(condition) == s->no)
        return no;
    return term(z3.mk_ite(s->context, ast(condition), ast(yes), ast(no)));
}

smt_term smt_equal(struct smt_solver *s, smt_term a, smt_term b)
{
    if (a == b)
        return term(s->yes);
    if (z3.is_numeral_ast(s->context, ast(a)) && z3.is_numeral_ast(s->context, ast(b)))
        return term(s->no); /* numerals are shared: two of one width differ */
    return term(z3.mk_eq(s->context, ast(a), ast(b)));
}

smt_term smt_earlier(struct smt_solver *s, smt_term a, smt_term b)
{
    return term(s->theory == SMT_WORDS ? z3.mk_bvult(s->context, ast(a), ast(b))
                                       : z3.mk_lt(s->context, ast(a), ast(b)));
}

/* ---- Values ---- */

smt_term smt_constant(struct smt_solver *s, enum lit_type type, int64_t value)
{
    uint64_t pattern = is_wide(type) ? (uint64_t)value : (uint64_t)value & 0xffffffffu;
    return term(z3.mk_unsigned_int64(s->context, pattern, s->words[is_wide(type)]));
}

smt_term smt_cast(struct smt_solver *s, enum lit_type to, enum lit_type from, smt_term a)
{
    if (is_wide(to) == is_wide(from))
        return a;
    if (!is_wide(to))
        return term(z3.mk_extract(s->context, 31, 0, ast(a)));
    return term(is_signed(from) ? z3.mk_sign_ext(s->context, 32, ast(a))
                                : z3.mk_zero_ext(s->context, 32, ast(a)));
}

smt_term smt_nonzero(struct smt_solver *s, enum lit_type type, smt_term a)
{
    return smt_not(s, smt_equal(s, a, smt_constant(s, type, 0)));
}

static smt_term zero_or_one(struct smt_solver *s, smt_term truth)
{
    return smt_select(s, truth, smt_constant(s, LIT_INT, 1), smt_constant(s, LIT_INT, 0));
}

static smt_term divide(struct smt_solver *s, enum lit_operator op, enum lit_type type, Z3_ast a,
                       Z3_ast b)
{
    Z3_context c = s->context;
    smt_term zero = smt_constant(s, type, 0);
    Z3_ast result;
    if (op == LIT_OP_DIV)
        result = is_signed(type) ? z3.mk_bvsdiv(c, a, b) : z3.mk_bvudiv(c, a, b);
    else
        result = is_signed(type) ? z3.mk_bvsrem(c, a, b) : z3.mk_bvurem(c, a, b);
    return smt_select(s, smt_equal(s, term(b), zero), zero, term(result));
}

/* The count is taken modulo the width. */
static smt_term shift(struct smt_solver *s, enum lit_operator op, enum lit_type type, Z3_ast a,
                      Z3_ast b)
{
    Z3_context c = s->context;
    Z3_ast count = z3.mk_bvand(c, b, ast(smt_constant(s, type, is_wide(type) ? 63 : 31)));
    if (op == LIT_OP_SHL)
        return term(z3.mk_bvshl(c, a, count));
    return term(is_signed(type) ? z3.mk_bvashr(c, a, count) : z3.mk_bvlshr(c, a, count));
}

static smt_term less(struct smt_solver *s, enum lit_type type, Z3_ast a, Z3_ast b)
{
    return term(is_signed(type) ? z3.mk_bvslt(s->context, a, b) : z3.mk_bvult(s->context, a, b));
}

smt_term smt_apply(struct smt_solver *s, enum lit_operator op, enum lit_type type, smt_term x,
                   smt_term y)
{
    Z3_context c = s->context;
    Z3_ast a = ast(x), b = ast(y);
    switch (op) {
    case LIT_OP_NEG: return term(z3.mk_bvneg(c, a));
    case LIT_OP_BITNOT: return term(z3.mk_bvnot(c, a));
    case LIT_OP_ADD: return term(z3.mk_bvadd(c, a, b));
    case LIT_OP_SUB: return term(z3.mk_bvsub(c, a, b));
    case LIT_OP_MUL: return term(z3.mk_bvmul(c, a, b));
    case LIT_OP_DIV:
    case LIT_OP_MOD: return divide(s, op, type, a, b);
    case LIT_OP_BITAND: return term(z3.mk_bvand(c, a, b));
    case LIT_OP_BITOR: return term(z3.mk_bvor(c, a, b));
    case LIT_OP_BITXOR: return term(z3.mk_bvxor(c, a, b));
    case LIT_OP_SHL:
    case LIT_OP_SHR: return shift(s, op, type, a, b);
    case LIT_OP_LT: return zero_or_one(s, less(s, type, a, b));
    case LIT_OP_GT: return zero_or_one(s, less(s, type, b, a));
    case LIT_OP_LE: return zero_or_one(s, smt_not(s, less(s, type, b, a)));
    case LIT_OP_GE: return zero_or_one(s, smt_not(s, less(s, type, a, b)));
    case LIT_OP_EQ: return zero_or_one(s, smt_equal(s, x, y));
    case LIT_OP_NE: return zero_or_one(s, smt_not(s, smt_equal(s, x, y)));
    case LIT_OP_NOT: return zero_or_one(s, smt_not(s, smt_nonzero(s, type, x)));
    case LIT_OP_AND:
        return zero_or_one(s, smt_and(s, smt_nonzero(s, type, x), smt_nonzero(s, type, y)));
    case LIT_OP_OR:
        return zero_or_one(s, smt_or(s, smt_nonzero(s, type, x), smt_nonzero(s, type, y)));
    default: BASE_UNREACHABLE("an operator of two values");
    }
}

/* ---- Answers ---- */

/* With a push Z3 takes in all that was asserted before, which may be most of the work. So a push,
 * and what is asserted behind it, waits for the next check, whose limits are then kept. */
void smt_assert(struct smt_solver *s, smt_term fact)
{
    if (ast(fact) == s->yes || s->interrupted)
        return;
    if (s->steps.count)
        VEC_PUSH(&s->steps, ast(fact));
    else
        z3.solver_assert(s->context, s->solver, ast(fact));
}

void smt_push(struct smt_solver *s)
{
    VEC_PUSH(&s->steps, NULL);
}

void smt_pop(struct smt_solver *s)
{
    forget_model(s);
    if (s->steps.count == 0 && !s->interrupted)
        z3.solver_pop(s->context, s->solver, 1);
    while (s->steps.count && VEC_POP(&s->steps))
        continue;
}

/* False when Z3 was interrupted: what it has taken in is not known then. */
static bool take_steps(struct smt_solver *s)
{
    for (size_t i = 0; i < s->steps.count; i++) {
        if (s->steps.items[i])
            z3.solver_assert(s->context, s->solver, s->steps.items[i]);
        else
            z3.solver_push(s->context, s->solver);
        if (z3.get_error_code(s->context) != Z3_OK)
            return false;
    }
    VEC_CLEAR(&s->steps);
    return true;
}

/* While a check runs, somebody looks at the time and at what Z3 has allocated, and interrupts it
 * past a limit. Z3's own limit on memory is the whole process's and fails whatever is done next;
 * its own limit on time is a thread that ends the process when there is no memory for it. */
struct watch {
    struct smt_solver *solver;
    struct timespec started;
    double seconds; /* 0: as long as it takes */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool done, interrupts;
};

enum { WATCH_MS = 20 };

static bool is_called_off(const struct smt_solver *s)
{
    return s->call_off && atomic_load(&s->call_off->called);
}

static bool is_past_limit(const struct smt_solver *s)
{
    return s->memory_mib && z3.get_estimated_alloc_size() >> 20 >= s->memory_mib;
}

/* Until the next look: no longer than there is time left. */
static struct timespec next_look(const struct watch *watch)
{
    struct timespec next;
    long wait = WATCH_MS * 1000000;
    double left = watch->seconds - clock_seconds_since(&watch->started);
    if (watch->seconds > 0 && left > 0 && left * 1e9 < (double)wait)
        wait = (long)(left * 1e9);
    clock_gettime(CLOCK_REALTIME, &next);
    next.tv_nsec += wait;
    next.tv_sec += next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
    return next;
}

static void look(struct watch *watch)
{
    bool late = watch->seconds > 0 && clock_seconds_since(&watch->started) >= watch->seconds;
    bool large = is_past_limit(watch->solver);
    bool over = late || large || is_called_off(watch->solver);
    watch->solver->lacked_memory |= large;
    watch->interrupts |= over;
    if (over)
        z3.interrupt(watch->solver->context);
}

static void *watch_limits(void *context)
{
    struct watch *watch = context;
    pthread_mutex_lock(&watch->lock);
    while (!watch->done) {
        struct timespec next = next_look(watch);
        pthread_cond_timedwait(&watch->over, &watch->lock, &next);
        if (!watch->done)
            look(watch);
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

static void start_watch(struct watch *watch, struct smt_solver *s, double seconds)
{
    *watch = (struct watch){.solver = s, .started = clock_now_monotonic(), .seconds = seconds};
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->over, NULL);
    if (pthread_create(&watch->thread, NULL, watch_limits, watch) != 0)
        base_die(BASE_OUT_OF_MEMORY " (for a thread)");
}

static void stop_watch(struct watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    watch->done = true;
    pthread_cond_signal(&watch->over);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->over);
    pthread_mutex_destroy(&watch->lock);
}

/* An interrupt that comes when Z3 has just answered is still in force, and Z3 then fails to give
 * its model. The next check ends it: here one of nothing. */
static void take_back_interrupt(struct smt_solver *s)
{
    Z3_solver nothing = z3.mk_simple_solver(s->context);
    if (!nothing)
        base_die(BASE_OUT_OF_MEMORY " (for a solver)");
    z3.solver_inc_ref(s->context, nothing);
    z3.solver_check(s->context, nothing);
    z3.solver_dec_ref(s->context, nothing);
}

/* Sooner than the next look of the watch; which is there for what comes when Z3 cannot be
 * interrupted. */
static void interrupt(void *solver)
{
    struct smt_solver *s = solver;
    z3.interrupt(s->context);
}

static void heed_call_off(struct smt_solver *s, bool heed)
{
    if (s->call_off)
        clock_interrupt_by(s->call_off, heed ? interrupt : NULL, s);
}

/* The check itself, under the limits. */
static Z3_lbool run_check(struct smt_solver *s, const smt_term *assumptions, uint32_t count,
                          double seconds)
{
    struct watch watch = {.interrupts = false};
    bool watched = s->memory_mib || seconds > 0 || s->call_off;
    s->lacked_memory = is_past_limit(s) || (s->interrupted && s->lacked_memory);
    if (s->lacked_memory || s->interrupted)
        return Z3_L_UNDEF;
    if (watched)
        start_watch(&watch, s, seconds);
    heed_call_off(s, true);
    z3.set_error_handler(s->context, NULL); /* a failure waits until the watch has ended */
    Z3_lbool answer = Z3_L_UNDEF;
    bool asked = take_steps(s);
    if (asked)
        answer =
            z3.solver_check_assumptions(s->context, s->solver, count, (const Z3_ast *)assumptions);
    heed_call_off(s, false);
    if (watched)
        stop_watch(&watch);
    watch.interrupts |= is_called_off(s);
    Z3_error_code fault = z3.get_error_code(s->context);
    s->interrupted = watch.interrupts && (!asked || fault == Z3_EXCEPTION);
    if (fault != Z3_OK && !s->interrupted)
        on_error(s->context, fault);
    if (watch.interrupts)
        take_back_interrupt(s);
    z3.set_error_handler(s->context, on_error);
    return answer;
}

static enum smt_answer take_answer(struct smt_solver *s, Z3_lbool answer)
{
    if (answer != Z3_L_TRUE)
        return answer == Z3_L_FALSE ? SMT_UNSAT : SMT_UNKNOWN;
    forget_model(s);
    s->model = z3.solver_get_model(s->context, s->solver);
    z3.model_inc_ref(s->context, s->model);
    return SMT_SAT;
}

enum smt_answer smt_check(struct smt_solver *s, double seconds)
{
    return take_answer(s, run_check(s, NULL, 0, seconds));
}

bool smt_lacked_memory(struct smt_solver *s)
{
    return s->lacked_memory;
}

static void mark_core(struct smt_solver *s, const smt_term *assumptions, uint32_t count, bool *core)
{
    Z3_ast_vector found = z3.solver_get_unsat_core(s->context, s->solver);
    z3.ast_vector_inc_ref(s->context, found);
    for (uint32_t i = 0; i < count; i++) {
        core[i] = false;
        for (unsigned k = 0; k < z3.ast_vector_size(s->context, found); k++)
            core[i] = core[i] || z3.ast_vector_get(s->context, found, k) == ast(assumptions[i]);
    }
    z3.ast_vector_dec_ref(s->context, found);
}

enum smt_answer smt_check_assuming(struct smt_solver *s, const smt_term *assumptions,
                                   uint32_t count, bool *core, double seconds)
{
    Z3_lbool answer = run_check(s, assumptions, count, seconds);
    if (answer == Z3_L_FALSE && core)
        mark_core(s, assumptions, count, core);
    return take_answer(s, answer);
}

static Z3_ast in_model(struct smt_solver *s, smt_term a)
{
    Z3_ast value = NULL;
    BASE_CHECK(s->model != NULL);
    BASE_CHECK(z3.model_eval(s->context, s->model, ast(a), true, &value));
    return value;
}

bool smt_model_holds(struct smt_solver *s, smt_term a)
{
    return z3.get_bool_value(s->context, in_model(s, a)) == Z3_L_TRUE;
}

int64_t smt_model_value(struct smt_solver *s, enum lit_type type, smt_term a)
{
    uint64_t pattern = 0;
    BASE_CHECK(z3.get_numeral_uint64(s->context, in_model(s, a), &pattern));
    return lit_value_wrap(type, (int64_t)pattern);
}
