/* A launch is a release, to all, of a location of its own that each work-item of the kernel waits
 * for; where a kernel is joined, its work-items release one location each when they end, and
 * whoever joins waits for them all:
 *
 *     launch K:  [launch K] = 1              in front of each work-item of K:  while (![launch K]);
 *     join K:    while (![end of Pn]);       behind each of them:              [end of Pn] = 1
 *
 * A kernel that its host comes to no launch of does not run and is no hindrance: such a host tells
 * NEVER at its end, on which the kernel's work-items end at once. Where the launch is always
 * executed there is no such code. A register of the host tells which it was; a join of what it has
 * not launched waits for nothing.
 */
#include "litmus/lit_dialect.h"
#include "litmus/lit_lower.h"

#include <inttypes.h>

enum { LAUNCHED = 1, NEVER = 2, ENDED = 1 };

/* One `launch` or `join` of a thread. */
struct command {
    const struct ast_thread *thread;
    const struct ast_number *kernel;
    struct span span;
    bool joins;
    bool always; /* executed by all that come to the thread's end */
};

typedef void visit_command(struct lit_lower *lower, const struct command *command);

/* ---- Commands of a thread ---- */

struct walk {
    struct lit_lower *lower;
    visit_command *visit;
    const struct ast_thread *thread;
    bool returned; /* it may have come to its end before */
};

static void walk_list(struct walk *walk, const struct ast_stmts *list, bool always);

static void walk_stmt(struct walk *walk, const struct ast_stmt *stmt, bool always)
{
    bool joins = stmt->kind == AST_S_JOIN;
    if (joins || stmt->kind == AST_S_LAUNCH) {
        const struct command command = {walk->thread, &stmt->kernel, stmt->span, joins,
                                        always && !walk->returned};
        walk->visit(walk->lower, &command);
        return;
    }
    walk_list(walk, &stmt->body, always);
    if (stmt->a)
        walk_stmt(walk, stmt->a, false);
    if (stmt->b)
        walk_stmt(walk, stmt->b, false);
    walk->returned |= stmt->has_return;
}

static void walk_list(struct walk *walk, const struct ast_stmts *list, bool always)
{
    for (const struct ast_stmt *stmt = list->first; stmt; stmt = stmt->next)
        walk_stmt(walk, stmt, always);
}

/* The kernel that a cell launches or joins; NULL: it does neither, or its operand is faulty. */
static const struct ast_number *hosted(const struct lit_dialect *dialect,
                                       const struct ast_cell *cell, bool *joins)
{
    const struct ast_operand *only = cell->operands.first;
    bool hosts = cell->word.text && dialect->hosts(cell->word.text, joins);
    return hosts && cell->operands.count == 1 && only->kind == AST_OPERAND_NUMBER &&
                   only->number.value >= 0
               ? &only->number
               : NULL;
}

/* Behind a jump nothing is sure to be executed. */
static void walk_cells(struct walk *walk)
{
    const struct lit_dialect *dialect = walk->lower->test->dialect;
    for (const struct ast_cell *cell = walk->thread->cells.first; cell; cell = cell->next) {
        bool joins = false;
        const struct ast_number *kernel = hosted(dialect, cell, &joins);
        const struct command command = {walk->thread, kernel, cell->span, joins, !walk->returned};
        if (kernel)
            walk->visit(walk->lower, &command);
        walk->returned |= cell->word.text && dialect->is_jump(cell->word.text);
    }
}

static void each_command(struct lit_lower *lower, visit_command *visit)
{
    const struct ast_threads *list =
        lower->in_recovery ? &lower->test->recovery : &lower->test->threads;
    for (const struct ast_thread *thread = list->first; thread; thread = thread->next) {
        struct walk walk = {lower, visit, thread, false};
        if (lower->test->hosts)
            walk_list(&walk, &thread->body, true);
        walk_cells(&walk);
    }
}

/* ---- Kernels ---- */

static int64_t kernel_of(const struct lit_lower *lower, const struct ast_thread *thread)
{
    enum lit_scope level;
    for (const struct ast_place *place = thread->places.first; place; place = place->next)
        if (lower->test->dialect->level(place->level.text, &level) && level == LIT_SCOPE_KR)
            return place->number.value;
    return 0;
}

static struct lit_launch *find_launch(const struct lit_lower *lower, int64_t kernel)
{
    return FIND(i, lower->launches.items, lower->launches.count,
                lower->launches.items[i].in_recovery == lower->in_recovery &&
                    lower->launches.items[i].kernel == kernel);
}

/* The next thread of the kernel, in the program or in the recovery; for NULL the first one. */
static const struct ast_thread *next_of(const struct lit_lower *lower, int64_t kernel,
                                        const struct ast_thread *after)
{
    const struct ast_thread *thread = after                ? after->next
                                      : lower->in_recovery ? lower->test->recovery.first
                                                           : lower->test->threads.first;
    while (thread && kernel_of(lower, thread) != kernel)
        thread = thread->next;
    return thread;
}

static const char *text_of(struct lit_lower *lower, const char *format, int64_t number)
{
    const char *text = arena_printf(lower->arena, format, number);
    return intern_text(lower->names, text);
}

static const char *launch_name(struct lit_lower *lower, int64_t kernel)
{
    return text_of(lower, "launch %" PRId64, kernel);
}

static const char *end_name(struct lit_lower *lower, const struct ast_thread *thread)
{
    return text_of(lower, "end of P%" PRId64, thread->number);
}

/* A location that no test can name. */
static void declare(struct lit_lower *lower, const char *name, struct span span)
{
    if (lit_declare_find(lower, name))
        return;
    struct lit_symbol *symbol = lit_declare_add(lower, &(struct ast_name){name, span});
    symbol->typed = symbol->spaced = symbol->hidden = true;
    symbol->atomic = symbol->always_atomic = true;
}

/* ---- Checks ---- */

/* The header of another kernel, as an example in a message. */
static const char *other_kernel(struct lit_lower *lower, int64_t kernel)
{
    return arena_printf(lower->arena, "kr %" PRId64, kernel == 1 ? INT64_C(2) : INT64_C(1));
}

static bool is_own(struct lit_lower *lower, const struct command *command)
{
    int64_t kernel = command->kernel->value;
    if (kernel_of(lower, command->thread) != kernel)
        return false;
    LIT_FAULT(lower, DIAG_LIT_LAUNCH, command->span,
              "P%d is itself a work-item of kernel %" PRId64
              " (0 unless its header says kr), so it "
              "cannot %s it; give what is launched a kernel of its own, as in P1@%s",
              (int)command->thread->number, kernel, command->joins ? "join" : "launch",
              other_kernel(lower, kernel));
    return true;
}

static void add_launch(struct lit_lower *lower, const struct command *command)
{
    int64_t kernel = command->kernel->value;
    if (command->joins || command->kernel->bad || is_own(lower, command))
        return;
    const struct lit_launch *other = find_launch(lower, kernel);
    if (other) {
        LIT_FAULT(lower, DIAG_LIT_LAUNCH, command->span,
                  "kernel %" PRId64
                  " is launched a second time; a launch of its own has work-items "
                  "of its own, of a kernel with another number",
                  kernel);
        diag_note(lower->diag, other->span, "it is launched here");
    } else if (!next_of(lower, kernel, NULL)) {
        LIT_FAULT(lower, DIAG_LIT_LAUNCH, command->span,
                  "there is no work-item of kernel %" PRId64
                  " to launch; the header of one says so, "
                  "as in P%" PRIu32 "@kr %" PRId64,
                  kernel, lower->test->threads.count, kernel);
    } else {
        VEC_PUSH(&lower->launches, ((struct lit_launch){.kernel = kernel,
                                                        .in_recovery = lower->in_recovery,
                                                        .always = command->always,
                                                        .host = command->thread,
                                                        .span = command->span}));
        declare(lower, launch_name(lower, kernel), command->span);
    }
}

static bool stands_before(const struct span *a, const struct span *b)
{
    return a->line < b->line || (a->line == b->line && a->column < b->column);
}

static void add_join(struct lit_lower *lower, const struct command *command)
{
    int64_t kernel = command->kernel->value;
    if (!command->joins || command->kernel->bad || is_own(lower, command))
        return;
    struct lit_launch *launch = find_launch(lower, kernel);
    if (!launch) {
        LIT_FAULT(lower, DIAG_LIT_LAUNCH, command->span,
                  "kernel %" PRId64 " is launched nowhere, so there is nothing to join; launch it "
                  "before, as in 'launch %" PRId64 ";'",
                  kernel, kernel);
        return;
    }
    if (launch->host == command->thread && stands_before(&command->span, &launch->span)) {
        LIT_FAULT(lower, DIAG_LIT_LAUNCH, command->span,
                  "P%d joins kernel %" PRId64 " before it launches it; join it behind the launch",
                  (int)command->thread->number, kernel);
        diag_note(lower->diag, launch->span, "it is launched here");
        return;
    }
    launch->joined = true;
    for (const struct ast_thread *item = NULL; (item = next_of(lower, kernel, item));)
        declare(lower, end_name(lower, item), item->span);
}

/* Reports kernels that launch each other: none of them ever begins. */
static void check_circle(struct lit_lower *lower, const struct lit_launch *launch)
{
    const struct lit_launch *at = launch;
    for (size_t steps = 0; at && steps < lower->launches.count; steps++) {
        at = find_launch(lower, kernel_of(lower, at->host));
        if (at != launch)
            continue;
        LIT_FAULT(lower, DIAG_LIT_LAUNCH, launch->span,
                  "kernel %" PRId64 " is launched from within a kernel that waits for it to be "
                  "launched; neither ever begins",
                  launch->kernel);
        return;
    }
}

void lit_launch_declare(struct lit_lower *lower)
{
    each_command(lower, add_launch);
    each_command(lower, add_join);
    for (size_t i = 0; i < lower->launches.count; i++)
        if (lower->launches.items[i].in_recovery == lower->in_recovery)
            check_circle(lower, &lower->launches.items[i]);
}

/* ---- Code ---- */

static struct lit_address address_of(const struct lit_lower *lower, const char *name)
{
    const struct lit_symbol *symbol = lit_declare_find(lower, name);
    return (struct lit_address){.first = symbol ? symbol->first : 0, .count = 1, .stride = 1};
}

static void emit_release(struct lit_lower *lower, const char *name, int64_t value, struct span span)
{
    struct lit_instr *store = lit_thread_emit(lower, LIT_STORE, span);
    store->addr = address_of(lower, name);
    store->order = LIT_ORDER_REL;
    store->scope = LIT_SCOPE_ALL;
    store->value = lit_evaluate_const(lower, LIT_INT, value);
}

/* Reads the location until it is not 0. In dialects with jumps the jump back becomes a loop like
 * any other. */
static uint32_t emit_await(struct lit_lower *lower, const char *name, struct span span)
{
    uint32_t reg = lit_thread_temporary(lower, LIT_INT), top = lit_thread_here(lower);
    uint32_t loop = lower->test->dialect->jumps ? LIT_NONE : lower->loop_count++;
    if (loop != LIT_NONE) {
        struct lit_instr *await = lit_thread_emit(lower, LIT_AWAIT, span);
        await->loop = loop;
        await->begin = top;
    }
    struct lit_instr *load = lit_thread_emit(lower, LIT_LOAD, span);
    load->addr = address_of(lower, name);
    load->order = LIT_ORDER_ACQ;
    load->scope = LIT_SCOPE_ALL;
    load->dst = reg;
    const struct lit_expr *value = lit_evaluate_reg(lower, reg);
    uint32_t branch = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_BRANCH, span);
    if (branch < lower->code.count)
        lower->code.items[branch].value =
            loop == LIT_NONE ? value
                             : lit_evaluate_apply(lower, LIT_OP_EQ, value,
                                                  lit_evaluate_const(lower, LIT_INT, 0));
    if (loop == LIT_NONE) {
        lit_thread_aim(lower, branch, top);
        return reg;
    }
    lit_thread_emit(lower, LIT_LOOP, span)->loop = loop;
    lit_thread_emit(lower, LIT_JUMP, span)->target = top;
    lit_thread_aim(lower, branch, lit_thread_here(lower));
    lit_thread_aim(lower, top, lit_thread_here(lower));
    return reg;
}

/* Emits a branch that leads to code emitted later, if the value is 0. */
static uint32_t emit_branch(struct lit_lower *lower, const struct lit_expr *value, struct span span)
{
    uint32_t branch = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_BRANCH, span)->value = value;
    return branch;
}

void lit_launch_begin(struct lit_lower *lower, const struct ast_thread *thread)
{
    for (size_t i = 0; i < lower->launches.count; i++)
        if (lower->launches.items[i].host == thread && !lower->launches.items[i].always)
            lower->launches.items[i].done = lit_thread_temporary(lower, LIT_INT);
    const struct lit_launch *launch = find_launch(lower, kernel_of(lower, thread));
    if (!launch)
        return;
    uint32_t told = emit_await(lower, launch_name(lower, launch->kernel), thread->span);
    if (!launch->always)
        VEC_PUSH(&lower->returning,
                 emit_branch(lower,
                             lit_evaluate_apply(lower, LIT_OP_NE, lit_evaluate_reg(lower, told),
                                                lit_evaluate_const(lower, LIT_INT, NEVER)),
                             thread->span));
}

void lit_launch_emit(struct lit_lower *lower, int64_t kernel, struct span span)
{
    const struct lit_launch *launch = find_launch(lower, kernel);
    lower->hosts = true;
    if (!launch)
        return; /* reported */
    emit_release(lower, launch_name(lower, kernel), LAUNCHED, span);
    if (!launch->always)
        lit_evaluate_set(lower, launch->done, lit_evaluate_const(lower, LIT_INT, 1), span);
}

void lit_launch_join(struct lit_lower *lower, int64_t kernel, struct span span)
{
    const struct lit_launch *launch = find_launch(lower, kernel);
    lower->hosts = true;
    if (!launch)
        return;
    uint32_t branch = LIT_NONE;
    if (launch->host == lower->thread && !launch->always)
        branch = emit_branch(lower, lit_evaluate_reg(lower, launch->done), span);
    for (const struct ast_thread *item = NULL; (item = next_of(lower, kernel, item));)
        (void)emit_await(lower, end_name(lower, item), span);
    if (branch != LIT_NONE)
        lit_thread_aim(lower, branch, lit_thread_here(lower));
}

/* Tells the kernel, if the thread has not launched it, that it never will. */
static void cancel(struct lit_lower *lower, const struct lit_launch *launch, struct span span)
{
    uint32_t branch =
        emit_branch(lower,
                    lit_evaluate_apply(lower, LIT_OP_EQ, lit_evaluate_reg(lower, launch->done),
                                       lit_evaluate_const(lower, LIT_INT, 0)),
                    span);
    emit_release(lower, launch_name(lower, launch->kernel), NEVER, span);
    lit_thread_aim(lower, branch, lit_thread_here(lower));
}

void lit_launch_end(struct lit_lower *lower, const struct ast_thread *thread)
{
    const struct span span = thread->end.line ? thread->end : thread->span;
    for (size_t i = 0; i < lower->launches.count; i++)
        if (lower->launches.items[i].host == thread && !lower->launches.items[i].always)
            cancel(lower, &lower->launches.items[i], span);
    const struct lit_launch *launch = find_launch(lower, kernel_of(lower, thread));
    if (!launch || !launch->joined)
        return;
    uint32_t first = lit_thread_here(lower);
    emit_release(lower, end_name(lower, thread), ENDED, span);
    if (thread->end.line && first < lower->code.count)
        lower->code.items[first].statement = &thread->end;
}

bool lit_launch_is_host(const struct lit_lower *lower)
{
    return lower->hosts && !find_launch(lower, kernel_of(lower, lower->thread));
}

/* Does the instruction stand in a loop? Each loop has its AWAIT at this stage. */
static bool is_in_loop(const struct lit_lower *lower, uint32_t at)
{
    EACH_IN (const struct lit_instr, await, lower->code)
        if (await->op == LIT_AWAIT && await->begin <= at && at < await->target)
            return true;
    return false;
}

void lit_launch_check(struct lit_lower *lower, const struct ast_thread *thread)
{
    EACH_IN (const struct lit_launch, launch, lower->launches) {
        uint32_t location = address_of(lower, launch_name(lower, launch->kernel)).first;
        for (uint32_t i = 0; i < lower->code.count && launch->host == thread; i++)
            if (lower->code.items[i].op == LIT_STORE &&
                lower->code.items[i].addr.first == location && is_in_loop(lower, i))
                LIT_FAULT(lower, DIAG_LIT_LAUNCH, launch->span,
                          "kernel %" PRId64 " is launched in a loop, and a kernel is launched "
                          "once; write a launch for each iteration, each of a kernel of its own",
                          launch->kernel);
    }
}
