/* Threads: numbering, registers, code, and statements other than loops. */
#include "litmus/lit_lower.h"
#include "litmus/lit_words.h"

#include <string.h>

/* ---- Code ---- */

void lit_thread_too_large(struct lit_lower *lower, struct span span)
{
    if (!lower->too_large)
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, span,
                  "%s has more than %d instructions or %d registers here; make it shorter",
                  lower->thread_name, LIT_MAX_CODE, LIT_MAX_REGISTERS);
    lower->too_large = true;
}

struct lit_instr *lit_thread_emit(struct lit_lower *lower, enum lit_instr_op op, struct span span)
{
    struct lit_instr *instr = &lower->spill;
    if (lower->code.count < LIT_MAX_CODE) {
        VEC_RESERVE(&lower->code);
        instr = &lower->code.items[lower->code.count++];
    } else {
        lit_thread_too_large(lower, span);
    }
    *instr = (struct lit_instr){.op = op,
                                .dst = LIT_NONE,
                                .dst_old = LIT_NONE,
                                .decides = LIT_NONE,
                                .loop = LIT_NONE,
                                .span = span};
    if (lower->written && span.line == lower->written_span.line &&
        span.column == lower->written_span.column)
        instr->name = lower->written;
    return instr;
}

uint32_t lit_thread_here(const struct lit_lower *lower)
{
    return (uint32_t)lower->code.count;
}

void lit_thread_aim(struct lit_lower *lower, uint32_t instr, uint32_t target)
{
    if (instr < lower->code.count)
        lower->code.items[instr].target = target;
}

/* Past the bound the last register is given again; the program is not used then. */
static uint32_t new_register(struct lit_lower *lower, const char *name, enum lit_type type,
                             struct span span)
{
    if (lower->registers.count >= LIT_MAX_REGISTERS)
        lit_thread_too_large(lower, span);
    else
        VEC_PUSH(&lower->registers, (struct lit_register){.name = name, .type = type});
    return (uint32_t)lower->registers.count - 1;
}

uint32_t lit_thread_temporary(struct lit_lower *lower, enum lit_type type)
{
    return new_register(lower, NULL, type, (struct span){.source = lower->program->source});
}

/* ---- Names of registers ---- */

const struct lit_local *lit_thread_find_local(const struct lit_lower *lower, const char *name)
{
    for (size_t i = lower->locals.count; i-- > 0;)
        if (lower->locals.items[i].name == name)
            return &lower->locals.items[i];
    return NULL;
}

uint32_t lit_thread_register(struct lit_lower *lower, const struct ast_name *name)
{
    const struct lit_local *local = lit_thread_find_local(lower, name->text);
    if (local)
        return local->reg;
    uint32_t reg = new_register(lower, name->text, LIT_INT, name->span);
    VEC_PUSH(&lower->locals, (struct lit_local){name->text, reg, lower->level});
    return reg;
}

static bool register_in_use(const struct lit_lower *lower, uint32_t reg)
{
    return ANY(i, lower->locals.count, lower->locals.items[i].reg == reg);
}

/* A declared register; one of the same name and type in a block that has ended is the
 * same register, so that `0:r` means both. *again tells so. */
static uint32_t named_register(struct lit_lower *lower, const struct ast_name *name,
                               enum lit_type type, bool *again)
{
    *again = false;
    for (uint32_t i = 0; i < lower->registers.count; i++) {
        const struct lit_register *reg = &lower->registers.items[i];
        if (reg->name == name->text && reg->type == type && !register_in_use(lower, i)) {
            *again = true;
            return i;
        }
    }
    return new_register(lower, name->text, type, name->span);
}

/* False when the name cannot be declared; *reg is a register to assign anyway. */
static bool check_redeclared(struct lit_lower *lower, const struct ast_stmt *decl, uint32_t *reg)
{
    const struct lit_local *local = lit_thread_find_local(lower, decl->name.text);
    if (!local || (local->level != lower->level && (local->level || lower->level > 1)))
        return true;
    *reg = local->reg;
    enum lit_type declared = lower->registers.items[*reg].type;
    if (local->level) {
        LIT_FAULT(lower, DIAG_LIT_DUPLICATE, decl->name.span,
                  "'%s' is declared twice in this block; remove the type to assign it",
                  decl->name.text);
    } else if (declared != ast_specs_type(&decl->specs)) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, decl->name.span,
                  "'%s' is declared as %s here and as %s in the initial block", decl->name.text,
                  lit_declare_type_name(ast_specs_type(&decl->specs)),
                  lit_declare_type_name(declared));
    }
    return false;
}

static void check_specs(struct lit_lower *lower, const struct ast_stmt *decl)
{
    uint32_t bits = decl->specs.bits;
    if (bits & (AST_NVM | AST_GLOBAL | AST_LOCAL))
        LIT_FAULT(lower, DIAG_LIT_SPACE, decl->specs.span,
                  "'%s' is a register here; %s belongs to locations, in the initial block or "
                  "among the parameters",
                  decl->name.text,
                  bits & AST_NVM     ? "'nvm'"
                  : bits & AST_LOCAL ? "'local'"
                                     : "'global'");
}

/* In herd's C a register has 0 in its own initialiser, where C has a value that is not determined.
 * A name that means something else keeps its meaning. */
static bool begins_with_itself(struct lit_lower *lower, const struct ast_stmt *decl)
{
    const char *name = decl->name.text;
    if (!lower->test->dialect->adopts || !lit_loop_mentions(decl->expr, name) ||
        lit_thread_find_local(lower, name) || lit_declare_find(lower, name) ||
        lit_define_find(lower, name))
        return false;
    diag_warning(lower->diag, DIAG_LIT_REGISTER, decl->name.span,
                 "'%s' has no value in its own initialiser, and is taken for 0 as herd does; write "
                 "0 there",
                 name);
    return true;
}

/* Without a value, a declaration that may run twice sets the register to 0. */
static void declare(struct lit_lower *lower, const struct ast_stmt *decl)
{
    uint32_t reg = 0;
    bool again = false;
    check_specs(lower, decl);
    bool fresh = check_redeclared(lower, decl, &reg);
    if (fresh)
        reg = named_register(lower, &decl->name, ast_specs_type(&decl->specs), &again);
    bool itself = begins_with_itself(lower, decl);
    const struct lit_local local = {decl->name.text, reg, lower->level};
    if (fresh && (itself || !decl->expr) && (again || lower->loop))
        lit_evaluate_set(lower, reg, lit_evaluate_const(lower, LIT_INT, 0), decl->span);
    if (itself)
        VEC_PUSH(&lower->locals, local);
    const struct lit_expr *value = decl->expr ? lit_evaluate(lower, decl->expr) : NULL;
    if (value)
        lit_evaluate_set(lower, reg, value, decl->span);
    if (fresh && !itself)
        VEC_PUSH(&lower->locals, local);
}

/* ---- Statements ---- */

static void lower_statement(struct lit_lower *lower, const struct ast_stmt *stmt);

/* What was emitted from here on evaluates one statement. */
static void be_within(struct lit_lower *lower, uint32_t first)
{
    for (uint32_t i = first + 1; i < lit_thread_here(lower); i++)
        lower->code.items[i].within = true;
}

/* A statement begins here, if anything was emitted: the outermost that a label stands before, else
 * the innermost. */
static void begin_statement(struct lit_lower *lower, uint32_t first, const struct ast_stmt *stmt)
{
    bool begins = stmt->kind == AST_S_SWITCH || stmt->kind == AST_S_EXPR ||
                  stmt->kind == AST_S_GROUP || stmt->kind == AST_S_IF ||
                  stmt->kind == AST_S_LABEL || stmt->kind == AST_S_LAUNCH ||
                  stmt->kind == AST_S_JOIN;
    if (!begins || stmt->in_head || first == lit_thread_here(lower))
        return;
    struct lit_instr *instr = &lower->code.items[first];
    if (!instr->statement || stmt->kind == AST_S_LABEL)
        instr->statement = &stmt->span;
}

static void lower_list(struct lit_lower *lower, const struct ast_stmts *list)
{
    for (const struct ast_stmt *stmt = list->first; stmt; stmt = stmt->next)
        lower_statement(lower, stmt);
}

void lit_thread_expanded(struct lit_lower *lower, const struct ast_stmt *first)
{
    uint32_t begin = lit_thread_here(lower), errors = lower->diag->errors;
    for (const struct ast_stmt *stmt = first; stmt && lower->diag->errors == errors;
         stmt = stmt->next)
        lower_statement(lower, stmt);
    for (uint32_t i = begin; i < lit_thread_here(lower); i++)
        lower->code.items[i].statement = NULL;
}

/* A statement in a scope of its own. */
void lit_thread_scoped(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    size_t mark = lower->locals.count;
    lower->level++;
    if (stmt->kind == AST_S_BLOCK)
        lower_list(lower, &stmt->body);
    else
        lower_statement(lower, stmt);
    lower->level--;
    lower->locals.count = mark;
}

static void lower_if(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    uint32_t first = lit_thread_here(lower);
    const struct lit_expr *condition = lit_evaluate_condition(lower, stmt->expr);
    uint32_t branch = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_BRANCH, stmt->expr->span)->value = condition;
    be_within(lower, first);
    lit_thread_scoped(lower, stmt->a);
    if (stmt->b) {
        uint32_t jump = lit_thread_here(lower);
        lit_thread_emit(lower, LIT_JUMP, stmt->span);
        lit_thread_aim(lower, branch, lit_thread_here(lower));
        lit_thread_scoped(lower, stmt->b);
        branch = jump;
    }
    lit_thread_aim(lower, branch, lit_thread_here(lower));
}

void lit_thread_crash(struct lit_lower *lower, struct span span, const char *text)
{
    if (lower->in_recovery) {
        LIT_FAULT(lower, DIAG_LIT_RECOVERY, span,
                  "a crash point stands in the recovery program; 'recovery restartable' lets "
                  "it crash anywhere");
        return;
    }
    lit_thread_emit(lower, LIT_CRASH, span)->text = text;
    lower->program->has_crash_points = true;
}

void lit_thread_pragma(struct lit_lower *lower, const char *text, struct span span)
{
    VEC_PUSH(&lower->pragmas, (struct lit_pragma){text, span});
}

static void lower_statement(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    uint32_t first = lit_thread_here(lower);
    if (lower->too_large)
        return;
    if (stmt->kind == AST_S_IF || stmt->kind == AST_S_LOOP || stmt->kind == AST_S_BLOCK)
        lit_mistake_indented(lower, stmt);
    switch (stmt->kind) {
    case AST_S_EMPTY: break;
    case AST_S_EXPR:
        lit_evaluate_effects(lower, stmt->expr);
        be_within(lower, first);
        break;
    case AST_S_DECL:
        declare(lower, stmt);
        be_within(lower, first);
        break;
    case AST_S_GROUP: lower_list(lower, &stmt->body); break;
    case AST_S_BLOCK: lit_thread_scoped(lower, stmt); break;
    case AST_S_IF:
        lit_mistake_empty(lower, stmt);
        lower_if(lower, stmt);
        break;
    case AST_S_LOOP: lit_loop_lower(lower, stmt); break;
    case AST_S_SWITCH: lit_switch_lower(lower, stmt); break;
    case AST_S_CASE: lit_switch_case(lower, stmt); break;
    case AST_S_BREAK:
    case AST_S_CONTINUE: lit_loop_jump(lower, stmt); break;
    case AST_S_RETURN:
        VEC_PUSH(&lower->returning, lit_thread_here(lower));
        lit_thread_emit(lower, LIT_JUMP, stmt->span);
        break;
    case AST_S_CRASH: lit_thread_crash(lower, stmt->span, stmt->name.text); break;
    case AST_S_LAUNCH:
        lit_launch_emit(lower, stmt->kernel.value, stmt->span);
        be_within(lower, first);
        break;
    case AST_S_JOIN:
        lit_launch_join(lower, stmt->kernel.value, stmt->span);
        be_within(lower, first);
        break;
    case AST_S_PRAGMA: lit_thread_pragma(lower, stmt->name.text, stmt->span); break;
    case AST_S_LABEL:
        lower->label = stmt->a->kind == AST_S_EXPR ? stmt->name.text : NULL;
        lower_statement(lower, stmt->a);
        lower->label = NULL;
        break;
    }
    begin_statement(lower, first, stmt);
}

/* ---- One thread ---- */

/* `block 0` is perhaps `wg 0`. */
static void report_level(struct lit_lower *lower, const struct ast_name *level)
{
    const struct lit_dialect *dialect = lower->test->dialect;
    const char *scope = lit_word_scope_meant(level->text);
    const char *meant = scope ? arena_strndup(lower->arena, scope, strcspn(scope, "_")) : NULL;
    enum lit_scope ignored;
    if (meant && !dialect->level(meant, &ignored))
        meant = NULL;
    LIT_FAULT(lower, DIAG_LIT_SCOPE, level->span,
              meant ? "'%s' is no level of the scope tree; did you mean '%s'?"
                    : "'%s' is no level of the scope tree; a thread header has %s",
              level->text, meant ? meant : dialect->level_words);
    diag_meant_by(lower->diag, level->span, level->text, meant);
}

static void lower_places(struct lit_lower *lower, const struct ast_thread *ast,
                         struct lit_thread *thread)
{
    enum { LARGEST = 1000000 };
    uint32_t seen = 0;
    for (const struct ast_place *place = ast->places.first; place; place = place->next) {
        enum lit_scope level;
        if (!lower->test->dialect->level(place->level.text, &level)) {
            report_level(lower, &place->level);
            continue;
        }
        if (seen & 1u << level)
            LIT_FAULT(lower, DIAG_LIT_DUPLICATE, place->level.span,
                      "'%s' is given twice in this header; once is enough", place->level.text);
        seen |= 1u << level;
        if (place->number.large || place->number.value > LARGEST) {
            LIT_FAULT(lower, DIAG_LIT_NUMBER, place->number.span,
                      "this number is out of range; scope instances are numbered 0 to %d", LARGEST);
            continue;
        }
        uint32_t number = (uint32_t)place->number.value;
        switch (level) {
        case LIT_SCOPE_SG: thread->sg = number; break;
        case LIT_SCOPE_WG: thread->wg = number; break;
        case LIT_SCOPE_KR: thread->kr = number; break;
        default: thread->dev = number; break;
        }
    }
}

/* `0:r = v` in the initial block. */
static void declare_initial(struct lit_lower *lower, const struct ast_thread *ast)
{
    for (const struct ast_init *init = lower->test->inits.first; init; init = init->next) {
        if (init->thread != ast->number || lower->too_large)
            continue;
        enum lit_type type = ast_specs_type(&init->specs);
        if (lit_thread_find_local(lower, init->name.text)) {
            LIT_FAULT(lower, DIAG_LIT_DUPLICATE, init->span,
                      "register '%s' of %s is initialised twice; keep one value", init->name.text,
                      lower->thread_name);
            continue;
        }
        uint32_t reg = new_register(lower, init->name.text, type, init->span);
        VEC_PUSH(&lower->locals, (struct lit_local){init->name.text, reg, 0});
        const struct ast_value *value = init->values.first;
        struct ast_number number;
        if (value && !value->list && lit_define_number(lower, value, &number) &&
            lit_declare_convert(lower, type, &number, number.span))
            lower->registers.items[reg].init = number.value;
    }
}

static void start(struct lit_lower *lower, const struct ast_thread *ast)
{
    VEC_CLEAR(&lower->code);
    VEC_CLEAR(&lower->registers);
    VEC_CLEAR(&lower->locals);
    VEC_CLEAR(&lower->returning);
    lower->level = 1;
    lower->loop_count = 0;
    lower->hosts = false;
    lower->open = LIT_NONE;
    lower->start_errors = lower->diag->errors;
    lower->too_large = false;
    lower->thread = ast;
    struct strbuf name = {0};
    strbuf_add(&name, lower->in_recovery ? "recovery P" : "P");
    strbuf_add_number(&name, (uint64_t)ast->number);
    lower->thread_name = strbuf_take(&name, lower->arena);
}

static void finish(struct lit_lower *lower, const struct ast_thread *ast, struct lit_thread *thread)
{
    struct lit_instr *code = VEC_KEEP(lower->arena, &lower->code);
    lit_declare_views(lower, ast, code, (uint32_t)lower->code.count);
    thread->number = (uint32_t)ast->number;
    thread->tags = lit_primitive_tags(lower, &ast->tags);
    thread->name = lower->thread_name;
    thread->registers = VEC_KEEP(lower->arena, &lower->registers);
    thread->register_count = (uint32_t)lower->registers.count;
    thread->code = code;
    thread->code_count = (uint32_t)lower->code.count;
    thread->loop_count = lower->loop_count;
    thread->hosts = lit_launch_is_host(lower);
    thread->span = ast->span;
    thread->end = ast->end.line ? ast->end : ast->span;
}

void lit_thread_close(struct lit_lower *lower)
{
    for (size_t i = 0; i < lower->returning.count; i++)
        lit_thread_aim(lower, lower->returning.items[i], lit_thread_here(lower));
    lit_transaction_close(lower, lower->thread);
}

/* ---- Registers that nobody declares ---- */

static bool declares(const struct ast_stmt *stmt, const char *name)
{
    for (; stmt; stmt = stmt->next)
        if ((stmt->kind == AST_S_DECL && stmt->name.text == name) || declares(stmt->a, name) ||
            declares(stmt->b, name) || declares(stmt->body.first, name))
            return true;
    return false;
}

static void adopt_name(struct lit_lower *lower, const struct ast_name *name)
{
    if (lower->too_large || lit_thread_find_local(lower, name->text) ||
        lit_declare_find(lower, name->text) || lit_define_find(lower, name->text) ||
        declares(lower->thread->body.first, name->text))
        return;
    diag_warning(lower->diag, DIAG_LIT_REGISTER, name->span,
                 "'%s' is declared nowhere, and taken for a register of %s as herd does; declare "
                 "it, as in 'long %s'",
                 name->text, lower->thread_name, name->text);
    uint32_t reg = new_register(lower, name->text, LIT_LONG, name->span);
    VEC_PUSH(&lower->locals, (struct lit_local){name->text, reg, 0});
}

static void adopt_of(struct lit_lower *lower, const struct ast_expr *expr)
{
    for (; expr && expr->kind == AST_COMMA; expr = expr->a)
        adopt_of(lower, expr->b);
    if (!expr || expr->kind != AST_ASSIGN || expr->op != LIT_OP_CONST)
        return;
    if (expr->a->kind == AST_NAME)
        adopt_name(lower, &expr->a->name);
    adopt_of(lower, expr->b);
}

/* In herd's C a name that a statement assigns is a register. */
static void adopt(struct lit_lower *lower, const struct ast_stmt *stmt)
{
    for (; stmt; stmt = stmt->next) {
        if (stmt->kind == AST_S_EXPR)
            adopt_of(lower, stmt->expr);
        adopt(lower, stmt->a);
        adopt(lower, stmt->b);
        adopt(lower, stmt->body.first);
    }
}

void lit_thread_body(struct lit_lower *lower, const struct ast_thread *thread)
{
    if (lower->test->dialect->adopts)
        adopt(lower, thread->body.first);
    lit_launch_begin(lower, thread);
    lower_list(lower, &thread->body);
    lit_thread_close(lower);
    lit_launch_end(lower, thread);
}

static void lower_thread(struct lit_lower *lower, const struct ast_thread *ast,
                         struct lit_thread *thread)
{
    start(lower, ast);
    lower_places(lower, ast, thread);
    if (!lower->in_recovery)
        declare_initial(lower, ast);
    lower->test->dialect->lower(lower, ast);
    lit_launch_check(lower, ast);
    finish(lower, ast, thread);
    lit_transaction_settle(lower, thread);
    lit_token_check(lower, thread);
}

/* ---- All threads ---- */

/* By number: reports those that are missing or there twice. */
static const struct ast_thread **order_threads(struct lit_lower *lower,
                                               const struct ast_threads *list, uint32_t *count)
{
    *count = 0;
    for (const struct ast_thread *thread = list->first; thread; thread = thread->next)
        if (thread->number >= (int64_t)*count)
            *count = (uint32_t)thread->number + 1;
    const struct ast_thread **slots = ARENA_ARRAY(lower->arena, const struct ast_thread *, *count);
    for (const struct ast_thread *thread = list->first; thread; thread = thread->next) {
        if (slots[thread->number]) {
            LIT_FAULT(lower, DIAG_LIT_DUPLICATE, thread->span,
                      "P%d is defined twice; number the threads from 0 upwards",
                      (int)thread->number);
            continue;
        }
        slots[thread->number] = thread;
    }
    for (uint32_t i = 0; i < *count; i++)
        if (!slots[i]) {
            LIT_FAULT(lower, DIAG_LIT_THREAD, slots[*count - 1]->span,
                      "there is no P%u before P%u; number the threads from 0 without gaps", i,
                      *count - 1);
            break;
        }
    return slots;
}

static struct lit_thread *lower_threads(struct lit_lower *lower, const struct ast_threads *list,
                                        uint32_t *count)
{
    const struct ast_thread **slots = order_threads(lower, list, count);
    struct lit_thread *threads = ARENA_ARRAY(lower->arena, struct lit_thread, *count);
    for (uint32_t i = 0; i < *count; i++)
        if (slots[i])
            lower_thread(lower, slots[i], &threads[i]);
        else
            threads[i].name = "this thread"; /* reported as missing */
    return threads;
}

static void check_initial_threads(struct lit_lower *lower)
{
    for (const struct ast_init *init = lower->test->inits.first; init; init = init->next)
        if (init->thread != AST_NO_THREAD && init->thread >= lower->program->thread_count)
            LIT_FAULT(lower, DIAG_LIT_THREAD, init->span,
                      "there is no thread P%d, so it has no register '%s'", (int)init->thread,
                      init->name.text);
}

void lit_thread_lower_all(struct lit_lower *lower)
{
    struct lit_program *program = lower->program;
    const struct ast_test *test = lower->test;
    if (!test->threads.count)
        LIT_FAULT(
            lower, DIAG_LIT_THREAD, test->header,
            test->dialect->launches
                ? "this test launches nothing; write host { kernel<<<1, 1>>>(x); }"
                : "this test has no thread; a thread is written P0@wg 0 (global int* x) { .. }");
    program->threads = lower_threads(lower, &test->threads, &program->thread_count);
    check_initial_threads(lower);
    program->recovery_restartable = test->restartable;
    program->relaunch = test->relaunch;
    if (test->relaunch) {
        program->recovery = program->threads;
        program->recovery_count = program->thread_count;
        return;
    }
    lower->in_recovery = true;
    program->recovery = lower_threads(lower, &test->recovery, &program->recovery_count);
    lower->in_recovery = false;
}
