/* The solver and its checks, each within its limits. */
#include "smt/smt_solver.h"

#include "base/guard.h"
#include "smt/smt_library.h"
#include "smt/smt_z3_terms.h"

#include <pthread.h>
#include <time.h>

static void on_error(Z3_context context, Z3_error_code code)
{
    const char *message = z3.get_error_msg(context, code);
    if (code == Z3_MEMOUT_FAIL)
        base_fail(BASE_FAILURE_MEMORY, "out of memory (Z3: %s)", message);
    base_die("internal error: Z3: %s", message);
}

/* After a failure: what the context holds is Z3's own memory. */
static void drop_context(void *context)
{
    z3.set_error_handler(context, NULL);
    z3.del_context(context);
}

/* Before there is a context Z3 has nobody to tell that memory is exhausted. */
static Z3_context new_context(void)
{
    Z3_config config = z3.mk_config();
    Z3_context context = config ? z3.mk_context(config) : NULL;
    if (config)
        z3.del_config(config);
    if (!context)
        base_fail(BASE_FAILURE_MEMORY, "out of memory (Z3 has no context)");
    return context;
}

/* Z3_mk_solver has a tactic beside this one, for questions before the first push, of which there
 * are next to none. To set it up takes some milliseconds, more than most of our questions. */
static Z3_solver new_solver(Z3_context context, enum smt_theory theory)
{
    return theory == SMT_WORDS
               ? z3.mk_solver_for_logic(context, z3.mk_string_symbol(context, "QF_BV"))
               : z3.mk_simple_solver(context);
}

struct smt_solver *smt_solver_new(uint32_t memory_mib, enum smt_theory theory)
{
    if (!smt_library_load())
        base_die("a solver is wanted, and there is none: %s", smt_library_fault());
    struct smt_solver *s = base_realloc(NULL, sizeof *s);
    *s = (struct smt_solver){.context = new_context(), .memory_mib = memory_mib, .theory = theory};
    base_cleanup_add(&s->cleanup, drop_context, s->context);
    z3.set_error_handler(s->context, on_error);
    s->solver = new_solver(s->context, theory);
    z3.solver_inc_ref(s->context, s->solver);
    s->yes = z3.mk_true(s->context);
    s->no = z3.mk_false(s->context);
    s->boolean = z3.mk_bool_sort(s->context);
    s->integer = z3.mk_int_sort(s->context);
    s->words[0] = z3.mk_bv_sort(s->context, 32);
    s->words[1] = z3.mk_bv_sort(s->context, 64);
    return s;
}

void smt_solver_heed(struct smt_solver *s, const struct clock_limit *clock)
{
    s->call_off = clock ? clock->call_off : NULL;
    s->cpu_end = clock ? clock->cpu_end : 0;
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
    s->depth++;
    VEC_PUSH(&s->steps, NULL);
}

void smt_pop(struct smt_solver *s)
{
    s->depth--;
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

static bool is_out_of_cpu(const struct smt_solver *s)
{
    return s->cpu_end > 0 && clock_cpu_seconds() >= s->cpu_end;
}

static bool is_past_limit(const struct smt_solver *s)
{
    return s->memory_mib && z3.get_estimated_alloc_size() >> 20 >= s->memory_mib;
}

/* What Z3 has taken is the whole process's, and is missed by whoever asks next under a limit. */
enum { MOST_KEPT_MIB = 128, PART_KEPT = 16 };

bool smt_solver_is_fit(const struct smt_solver *s)
{
    uint64_t mib = z3.get_estimated_alloc_size() >> 20;
    BASE_CHECK(s->depth == 0);
    return !s->gave_up && mib < MOST_KEPT_MIB &&
           (!s->memory_mib || mib < s->memory_mib / PART_KEPT);
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
    bool over = late || large || is_out_of_cpu(watch->solver) || is_called_off(watch->solver);
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

static void end_watch(struct watch *watch)
{
    pthread_cond_destroy(&watch->over);
    pthread_mutex_destroy(&watch->lock);
}

/* False: there can be no thread. */
static bool start_watch(struct watch *watch, struct smt_solver *s, double seconds)
{
    *watch = (struct watch){.solver = s, .started = clock_now_monotonic(), .seconds = seconds};
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->over, NULL);
    bool started = pthread_create(&watch->thread, NULL, watch_limits, watch) == 0;
    if (!started)
        end_watch(watch);
    return started;
}

static void stop_watch(struct watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    watch->done = true;
    pthread_cond_signal(&watch->over);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    end_watch(watch);
}

/* An interrupt that comes when Z3 has just answered is still in force, and Z3 then fails to give
 * its model. The next check ends it: here one of nothing. */
static void take_back_interrupt(struct smt_solver *s)
{
    Z3_solver nothing = z3.mk_simple_solver(s->context);
    if (!nothing)
        base_fail(BASE_FAILURE_MEMORY, "out of memory (for a solver)");
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
    bool watched = s->memory_mib || seconds > 0 || s->cpu_end > 0 || s->call_off;
    s->lacked_memory = is_past_limit(s) || (s->interrupted && s->lacked_memory);
    if (s->lacked_memory || s->interrupted)
        return Z3_L_UNDEF;
    s->lacked_thread = watched && !start_watch(&watch, s, seconds);
    if (s->lacked_thread)
        return Z3_L_UNDEF;
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
    /* Z3 may answer all the same, with a model of what it had looked at by then. */
    return watch.interrupts ? Z3_L_UNDEF : answer;
}

bool smt_lacked_memory(struct smt_solver *s)
{
    return s->lacked_memory;
}

bool smt_lacked_thread(struct smt_solver *s)
{
    return s->lacked_thread;
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
    s->gave_up |= answer == Z3_L_UNDEF;
    if (answer != Z3_L_TRUE)
        return answer == Z3_L_FALSE ? SMT_UNSAT : SMT_UNKNOWN;
    forget_model(s);
    s->model = z3.solver_get_model(s->context, s->solver);
    z3.model_inc_ref(s->context, s->model);
    return SMT_SAT;
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
