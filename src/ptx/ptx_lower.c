/* The dialect CUDA: tests that launch compiled kernels. What they launch is specialised for each
 * thread before locations are laid out, since the code says which cells there are; then each
 * thread's code is put in order and lowered. */
#include "litmus/lit_dialect.h"
#include "litmus/lit_table.h"
#include "litmus/lit_words.h"
#include "ptx/ptx_inline.h"
#include "ptx/ptx_marker.h"
#include "ptx/ptx_place.h"
#include "ptx/ptx_warp.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PARAM_BYTES = 32764 };

struct launched {
    const struct ast_launch *launch;
    const struct ptx_kernel *kernel;
    uint8_t **args;       /* the bytes of each */
    uint32_t first_block; /* of all launches */
};

struct ptx_test {
    struct lit_lower *lower;
    struct ptx_memory memory;
    VEC(struct ptx_module *) modules;
    VEC(struct launched) launched;
    struct arena scratch; /* for what one thread's code is found with */
    bool failed;
};

/* What the test says of a launch. */
#define WRONG(test, span, ...) diag_error((test)->lower->diag, DIAG_PTX_LAUNCH, span, __VA_ARGS__)

/* ---- Objects ---- */

static void add_declared(struct ptx_test *test)
{
    struct lit_lower *lower = test->lower;
    for (uint32_t i = 0; i < lower->symbols.count; i++) {
        const struct lit_symbol *symbol = &lower->symbols.items[i];
        uint32_t locations = symbol->count * symbol->size;
        uint64_t size = (uint64_t)lit_define_element_size(symbol) * symbol->count;
        ptx_memory_add(&test->memory,
                       (struct ptx_object){.name = symbol->name,
                                           .declared = true,
                                           .size = size,
                                           .span = symbol->span,
                                           .symbol = i,
                                           .locations = locations,
                                           .opaque = ARENA_ARRAY(lower->arena, bool, locations)});
    }
}

/* Why what names the variable is refused. NULL: it is read. */
static const char *variable_fault(const struct ptx_test *test, const struct ptx_variable *variable,
                                  uint64_t size)
{
    const char *why = variable->why  ? "the initial value of '%s' is not read: it has %s; declare "
                                       "it in the test's initial block"
                      : size > 65536 ? "'%s' has more than 65536 bytes; make it smaller"
                      : size == 0    ? "the size of '%s' is open"
                                     : NULL;
    return why ? arena_printf(test->lower->arena, why, variable->name, variable->why) : NULL;
}

/* What the test declares without a value has that of the code. */
static void take_declared(struct ptx_test *test, struct ptx_object *object,
                          const struct ptx_variable *variable)
{
    object->constant = variable->space == PTX_CONST;
    object->variable = variable;
    if (variable->size && variable->size != object->size)
        WRONG(test, object->span,
              "'%s' has %" PRIu64 " bytes here, and %" PRIu64
              " in the code; declare it with as many",
              object->name, object->size, variable->size);
    if (variable->why && !test->lower->symbols.items[object->symbol].init->values.count)
        object->why = variable_fault(test, variable, object->size);
}

/* An address in an initial value names a variable that is read. */
static void check_names(struct ptx_test *test)
{
    EACH_IN (struct ptx_object, object, test->memory.objects)
        for (size_t i = 0; object->variable && i < object->variable->data.count; i++) {
            const char *name = object->variable->data.items[i].name;
            uint32_t other = name ? ptx_memory_named(&test->memory, name) : LIT_NONE;
            if (name && (other == LIT_NONE || test->memory.objects.items[other].why))
                object->why = arena_printf(test->lower->arena,
                                           "its initial value has '%s', which is not read", name);
            else if (name) {
                ptx_memory_name(&test->memory, other);
                ptx_memory_lead(&test->memory, other, object->variable->data.items[i].number);
            }
        }
}

/* Locations of declared objects, in their order. */
static void fill_declared(struct ptx_test *test)
{
    struct lit_lower *lower = test->lower;
    EACH_IN (const struct ptx_object, object, test->memory.objects) {
        struct lit_symbol *symbol = &lower->symbols.items[object->symbol];
        if (!object->declared || !object->variable || !object->variable->data.count ||
            symbol->init->values.count)
            continue;
        struct ast_init *init = arena_copy(lower->arena, symbol->init, sizeof *init);
        init->list = true;
        for (uint32_t i = 0; i < symbol->size * symbol->count; i++)
            ptx_memory_add_initial(&test->memory, object, init, ptx_memory_offset(symbol, i),
                                   lit_define_size(lit_declare_type_of(symbol, i % symbol->size)));
        symbol->init = init;
    }
}

/* Variables of the code that the test does not declare. */
static void add_variable(struct ptx_test *test, const struct ptx_variable *variable, uint64_t bytes)
{
    bool shared = variable->space == PTX_SHARED, constant = variable->space == PTX_CONST;
    bool global = variable->space == PTX_GLOBAL || constant;
    bool open = shared && !variable->size;
    uint64_t size = open ? bytes : variable->size;
    uint32_t other = ptx_memory_named(&test->memory, variable->name);
    bool known = other != LIT_NONE && test->memory.objects.items[other].declared;
    if (known && global)
        take_declared(test, &test->memory.objects.items[other], variable);
    if ((known && global) || (other == LIT_NONE && !shared && !global))
        return;
    if (other != LIT_NONE || test->memory.objects.count >= PTX_MAX_VARIABLES) {
        diag_error(test->lower->diag, other != LIT_NONE ? DIAG_PTX_INSTRUCTION : DIAG_LIT_TOO_LARGE,
                   variable->span,
                   other != LIT_NONE ? "another object has the name '%s'; rename one"
                                     : "'%s' is one variable too many",
                   variable->name);
        return;
    }
    if (open && ANY(i, test->memory.objects.count, test->memory.objects.items[i].open))
        diag_error(test->lower->diag, DIAG_PTX_INSTRUCTION, variable->span,
                   "a second array of open size in shared memory, '%s', is not read",
                   variable->name);
    ptx_memory_add(&test->memory, (struct ptx_object){.name = variable->name,
                                                      .shared = shared,
                                                      .constant = constant,
                                                      .variable = variable,
                                                      .open = open,
                                                      .size = size,
                                                      .why = variable_fault(test, variable, size),
                                                      .span = variable->span});
}

/* A launch is taken for a cooperative one where the code asks for that. */
static void add_workspace(struct ptx_test *test)
{
    test->memory.workspace = (uint32_t)test->memory.objects.count;
    ptx_memory_add(&test->memory, (struct ptx_object){.name = "the grid's workspace",
                                                      .hidden = true,
                                                      .size = 64,
                                                      .span = test->lower->test->header});
}

/* What launches add at most to shared memory of open size. */
static uint64_t bytes_of_launches(const struct ptx_test *test)
{
    uint64_t bytes = 0;
    EACH_IN (const struct launched, at, test->launched)
        if (!at->launch->bytes.bad && (uint64_t)at->launch->bytes.value > bytes)
            bytes = (uint64_t)at->launch->bytes.value;
    return bytes;
}

/* ---- Launches ---- */

/* By the name in the file, or else by the C++ name in it. How many there are? */
static uint32_t count_kernels(const struct ptx_test *test, const char *name, bool plain,
                              struct ptx_kernel **found)
{
    uint32_t count = 0;
    for (size_t i = 0; i < test->modules.count; i++)
        for (size_t k = 0; k < test->modules.items[i]->kernels.count; k++) {
            struct ptx_kernel *kernel = test->modules.items[i]->kernels.items[k];
            const char *own =
                plain ? ptx_place_name(test->lower->arena, kernel->name) : kernel->name;
            bool same = own && strcmp(own, name) == 0;
            *found = same || !*found ? kernel : *found;
            count += same;
        }
    return count;
}

static const struct ptx_kernel *find_kernel(struct ptx_test *test, const struct ast_name *name)
{
    struct ptx_kernel *found = NULL; /* or another one */
    uint32_t count = count_kernels(test, name->text, false, &found);
    if (!count)
        count = count_kernels(test, name->text, true, &found);
    if (count == 1)
        ptx_inline(test->lower->arena, found);
    else if (count)
        WRONG(test, name->span,
              "several kernels have the name '%s'; give the name that the PTX has", name->text);
    else
        WRONG(test, name->span, "no file of this test has a kernel '%s'%s%s%s", name->text,
              found ? "; there is '" : "; name one, as in code \"log.ptx\"",
              found ? found->name : "", found ? "'" : "");
    return count == 1 ? found : NULL;
}

/* `data`, `&root`, `&log[1]`: the place in the object. */
static bool argument_place(struct ptx_test *test, const struct ast_expr *expr, uint64_t *value)
{
    struct lit_lower *lower = test->lower;
    const struct ast_expr *of = expr->kind == AST_ADDRESS ? expr->a : expr, *index = NULL;
    if (of->kind == AST_INDEX && expr->kind == AST_ADDRESS) {
        index = of->b;
        of = of->a;
    }
    if (of->kind != AST_NAME || (index && index->kind != AST_NUMBER))
        return false;
    uint32_t object = ptx_memory_named(&test->memory, of->name.text);
    if (object == LIT_NONE)
        return false;
    const struct ptx_object *at = &test->memory.objects.items[object];
    ptx_memory_name(&test->memory, object);
    uint64_t size = at->declared ? lit_define_element_size(&lower->symbols.items[at->symbol]) : 1;
    const char *why = at->why                  ? at->why
                      : index && !at->declared ? "its elements are not known; declare it in the "
                                                 "test's initial block"
                                               : NULL;
    if (why)
        WRONG(test, expr->span, "'%s' is not read here: %s", of->name.text, why);
    *value = at->base + size * (index ? (uint64_t)index->value : 0);
    return true;
}

/* `&log[1]` as an initial value: the number that the address is. */
static void fill_addresses(struct ptx_test *test, const struct ast_values *values)
{
    for (struct ast_value *value = values->first; value; value = value->next) {
        uint64_t address;
        if (value->list)
            fill_addresses(test, &value->values);
        if (!value->expr || value->expr->kind != AST_ADDRESS ||
            !argument_place(test, value->expr, &address))
            continue;
        uint32_t object = ptx_memory_near(&test->memory, address);
        if (object != LIT_NONE)
            ptx_memory_lead(&test->memory, object,
                            address - test->memory.objects.items[object].base);
        value->number = (struct ast_number){.value = (int64_t)address, .span = value->span};
        value->expr = NULL;
    }
}

/* A name, or the address of one, that stands for nothing. */
static bool refuse_unknown(struct ptx_test *test, const struct ast_expr *expr)
{
    const struct ast_expr *of = expr->kind == AST_ADDRESS ? expr->a : expr;
    const bool alone = expr->span.source->option;
    of = of->kind == AST_INDEX ? of->a : of;
    if (of->kind != AST_NAME || lit_define_find(test->lower, of->name.text))
        return false;
    WRONG(test, of->span,
          alone ? "'%.40s' is declared nowhere, nor is it a variable of the code; say what it "
                  "is, as in 'u32 %.40s[64]'"
                : "'%.40s' is declared nowhere, nor is it a variable of the code; declare it "
                  "in the initial block, as in 'uint %.40s[64];'",
          of->name.text, of->name.text);
    return true;
}

/* As a signed number or as an unsigned one. */
static bool fits(const struct ast_number *number, uint64_t bytes)
{
    const uint64_t bits = bytes * 8;
    return bits == 0 || bits >= 64 ||
           (!number->large && number->value < INT64_C(1) << bits &&
            number->value >= -(INT64_C(1) << (bits - 1)));
}

static uint64_t argument(struct ptx_test *test, const struct ast_expr *expr,
                         const struct ptx_param *param)
{
    uint64_t value = 0;
    struct ast_number number = {0};
    const struct ast_value given = {.expr = (struct ast_expr *)expr, .span = expr->span};
    if (argument_place(test, expr, &value)) {
        if (param->size != 8)
            WRONG(test, expr->span, "an address has 8 bytes, and the parameter '%.40s' has %u",
                  param->name, (unsigned)param->size);
        return value;
    }
    if (refuse_unknown(test, expr) || !lit_define_number(test->lower, &given, &number))
        return 0;
    if (!fits(&number, param->size))
        WRONG(test, expr->span, "the parameter '%.40s' has %u bytes, which do not hold this number",
              param->name, (unsigned)param->size);
    return (uint64_t)number.value;
}

static uint32_t volume(const uint32_t *extents)
{
    uint64_t all = (uint64_t)extents[0] * extents[1];
    all *= extents[2];
    return all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
}

/* False after reporting that the device does not launch blocks of this size. */
static bool check_block(struct ptx_test *test, const struct ast_launch *launch,
                        const struct ptx_kernel *kernel)
{
    const uint32_t *block = launch->block, *exact = kernel->exact;
    bool other = exact[0] && (exact[0] != block[0] || exact[1] != block[1] || exact[2] != block[2]);
    bool larger = kernel->most[0] && volume(kernel->most) < volume(block);
    if (other)
        WRONG(test, launch->span,
              "'%.40s' is compiled for blocks of (%u, %u, %u) threads: such a launch fails",
              launch->kernel.text, exact[0], exact[1], exact[2]);
    else if (larger)
        WRONG(test, launch->span,
              "'%.40s' is compiled for blocks of at most %u threads: such a launch fails",
              launch->kernel.text, volume(kernel->most));
    return !other && !larger;
}

static bool read_launch(struct ptx_test *test, const struct ast_launch *launch,
                        uint32_t *first_block)
{
    struct lit_lower *lower = test->lower;
    struct launched launched = {launch, find_kernel(test, &launch->kernel), NULL, *first_block};
    uint32_t count = launched.kernel ? (uint32_t)launched.kernel->params.count : 0;
    if (!launched.kernel)
        return false;
    if (count != launch->args.count) {
        WRONG(test, launch->span,
              "the parameters of '%s' are %u, the values that this launch gives %u",
              launch->kernel.text, count, launch->args.count);
        return false;
    }
    if (!check_block(test, launch, launched.kernel))
        return false;
    *first_block += launch->grid[0] * launch->grid[1] * launch->grid[2];
    launched.args = ARENA_ARRAY(lower->arena, uint8_t *, count);
    VEC_PUSH(&test->launched, launched);
    return true;
}

static bool has_lists(const struct lit_symbol *symbol)
{
    const struct ast_value *value = symbol->init ? symbol->init->values.first : NULL;
    while (value && !value->list)
        value = value->next;
    return value;
}

/* A structure by value is an object of the test, of that size: its initial values. */
static void read_structure(struct ptx_test *test, const struct ast_expr *expr,
                           const struct ptx_param *param, uint8_t *bytes)
{
    struct lit_lower *lower = test->lower;
    uint32_t number =
        expr->kind == AST_NAME ? ptx_memory_named(&test->memory, expr->name.text) : LIT_NONE;
    const struct ptx_object *object =
        number != LIT_NONE ? &test->memory.objects.items[number] : NULL;
    if (!object || !object->declared || object->size != param->size ||
        has_lists(&lower->symbols.items[object->symbol])) {
        WRONG(test, expr->span,
              "'%.40s' is a structure of %u bytes by value; give an object of the initial "
              "block of this size, whose initial values are passed",
              param->name, (unsigned)param->size);
        return;
    }
    const struct lit_symbol *symbol = &lower->symbols.items[object->symbol];
    const struct ast_value *value = symbol->init ? symbol->init->values.first : NULL;
    bool fills = value && !symbol->init->list; /* one value is that of all */
    for (uint32_t i = 0; value && i < symbol->size * symbol->count; i++) {
        struct ast_number given = {0};
        if (!lit_define_number(lower, value, &given))
            return;
        memcpy(bytes + ptx_memory_offset(symbol, i), &given.value,
               lit_define_size(lit_declare_type_of(symbol, i % symbol->size)));
        value = fills ? value : value->next;
    }
}

static void read_arguments(struct ptx_test *test, struct launched *launched)
{
    uint32_t i = 0;
    for (const struct ast_expr *arg = launched->launch->args.first; arg; arg = arg->next, i++) {
        const struct ptx_param *param = &launched->kernel->params.items[i];
        if (param->size > MOST_PARAM_BYTES) {
            diag_error(test->lower->diag, DIAG_LIT_TOO_LARGE, arg->span,
                       "the parameter '%.40s' has more than %d bytes", param->name,
                       MOST_PARAM_BYTES);
            return;
        }
        uint8_t *bytes = ARENA_ARRAY(test->lower->arena, uint8_t, param->size + sizeof(uint64_t));
        launched->args[i] = bytes;
        if (param->by_value) {
            read_structure(test, arg, param, bytes);
        } else {
            uint64_t value = argument(test, arg, param);
            memcpy(bytes, &value, sizeof value);
        }
    }
}

static void each_launch(struct ptx_test *test, const struct ast_threads *threads, uint32_t *blocks)
{
    const struct ast_launch *before = NULL;
    for (const struct ast_thread *at = threads->first; at && !test->failed; at = at->next) {
        if (at->launch && at->launch != before)
            test->failed = !read_launch(test, at->launch, blocks);
        before = at->launch ? at->launch : before;
    }
}

/* ---- All threads ---- */

static struct ptx_thread thread_of(const struct ptx_test *test, const struct ast_thread *thread)
{
    const struct launched *of = FIND(i, test->launched.items, test->launched.count,
                                     test->launched.items[i].launch == thread->launch);
    const uint32_t *block = thread->launch->block;
    return (struct ptx_thread){.kernel = of->kernel,
                               .launch = of->launch,
                               .args = (const uint8_t *const *)of->args,
                               .rank = thread->rank,
                               .block = of->first_block +
                                        thread->rank / (block[0] * block[1] * block[2])};
}

/* Once through all threads, to learn which cells they access. */
static void look_at(struct ptx_test *test, const struct ast_threads *threads)
{
    for (const struct ast_thread *at = threads->first; at && !test->failed; at = at->next) {
        if (!at->launch)
            continue;
        struct ptx_thread thread = thread_of(test, at);
        struct arena_mark mark = arena_mark(&test->scratch);
        struct ptx_residue residue =
            ptx_special(&test->memory, &thread, &test->scratch, &test->scratch);
        test->memory.faulted |= residue.failed;
        test->failed = residue.failed && !test->memory.silent;
        ptx_special_free(&residue);
        arena_rewind(&test->scratch, mark);
    }
}

/* Again and again until nothing changes. What is a fault then is told by one more walk. */
static void look_at_all(struct ptx_test *test)
{
    bool more = true;
    while (more && !test->failed) {
        test->memory.grew = test->memory.faulted = false;
        ptx_warp_begin(&test->memory);
        look_at(test, &test->lower->test->threads);
        look_at(test, &test->lower->test->recovery);
        more = ptx_warp_differs(&test->memory);
        more |= test->memory.grew || ptx_memory_claim(&test->memory);
        if (!more && test->memory.silent) {
            test->memory.silent = false;
            more = test->memory.faulted;
        }
    }
    test->failed = test->failed || !ptx_warp_check(&test->memory);
}

static void read_modules(struct ptx_test *test)
{
    struct lit_lower *lower = test->lower;
    const struct ast_code *code = lower->test->codes.first;
    if (!code)
        diag_error(lower->diag, DIAG_PTX_FILE, lower->test->header,
                   "a CUDA test names the PTX that it launches, as in code \"log.ptx\"");
    for (; code && !test->failed; code = code->next) {
        struct ptx_module *module =
            ptx_module_read(lower->arena, lower->names, lower->diag, code->source);
        test->failed = !module;
        if (module)
            VEC_PUSH(&test->modules, module);
    }
}

static void declare_all(struct ptx_test *test)
{
    const struct ast_test *ast = test->lower->test;
    add_declared(test);
    each_launch(test, &ast->threads, &test->memory.blocks);
    each_launch(test, &ast->recovery, &test->memory.blocks);
    for (size_t i = 0; i < test->modules.count && !test->failed; i++)
        EACH_IN (const struct ptx_variable, variable, test->modules.items[i]->variables)
            add_variable(test, variable, bytes_of_launches(test));
    add_workspace(test);
    check_names(test);
    fill_declared(test);
    for (size_t i = 0; i < test->lower->symbols.count; i++)
        if (test->lower->symbols.items[i].init)
            fill_addresses(test, &test->lower->symbols.items[i].init->values);
    for (size_t i = 0; i < test->launched.count && !test->failed; i++)
        read_arguments(test, &test->launched.items[i]);
}

static bool has_placed_marker(const struct ptx_kernel *kernel)
{
    return ANY(i, kernel->code.count, kernel->code.items[i].marks && kernel->code.items[i].count);
}

static void ptx_declare(struct lit_lower *lower)
{
    struct ptx_test *test = ARENA_NEW(lower->arena, struct ptx_test);
    uint32_t errors = lower->diag->errors;
    test->lower = test->memory.lower = lower;
    lower->kernels = test;
    read_modules(test);
    if (lower->diag->errors == errors)
        declare_all(test);
    if (lower->diag->errors == errors)
        look_at_all(test);
    test->failed |= lower->diag->errors != errors;
    if (test->failed)
        return;
    ptx_memory_declare(&test->memory);
    ptx_warp_declare(&test->memory);
    if (ANY(i, test->launched.count, has_placed_marker(test->launched.items[i].kernel)))
        ptx_marker_declare(lower, lower->test->header);
    if (!lower->symbols.count) /* for what is out of bounds */
        lit_declare_add(lower, &(struct ast_name){"nothing", lower->test->header})->hidden = true;
}

/* ---- The code of one thread ---- */

static struct lit_address address_of(const struct ptx_test *test, const struct ptx_access *access,
                                     uint32_t block)
{
    if (access->outside) /* of no object: an element that is not there */
        return (struct lit_address){0, 1, 1, lit_evaluate_const(test->lower, LIT_INT, -1)};
    if (access->absolute)
        return (struct lit_address){access->location, access->count, 1, access->index};
    const struct ptx_object *object = &test->memory.objects.items[access->object];
    uint32_t symbol = object->symbol + (object->shared ? block : 0);
    return (struct lit_address){test->lower->symbols.items[symbol].first + access->location,
                                access->count, access->stride, access->index};
}

static void emit_step(struct ptx_test *test, const struct ptx_step *step, struct span span,
                      uint32_t block)
{
    struct lit_lower *lower = test->lower;
    if (step->marker) {
        const struct lit_address addr =
            step->access ? address_of(test, step->access, block) : (struct lit_address){0};
        ptx_marker_emit(lower, step, step->access ? &addr : NULL, span);
        return;
    }
    struct lit_instr *instr = lit_thread_emit(lower, step->instr.op, span);
    *instr = step->instr;
    instr->span = span;
    if (step->access)
        instr->addr = address_of(test, step->access, block);
    uint32_t here = lit_thread_here(lower) - 1;
    if (step->back)
        instr->unsequenced =
            ARENA_MAKE(lower->arena, struct lit_range, .begin = here - step->back, .end = here);
}

/* A jump to be aimed once all blocks have their places. */
struct jump {
    uint32_t instr;
    const struct ptx_block *to;
};
typedef VEC(struct jump) jump_list;

static struct lit_instr *emit_jump(struct ptx_test *test, jump_list *jumps, enum lit_instr_op op,
                                   const struct ptx_block *to, struct span span)
{
    struct lit_lower *lower = test->lower;
    if (to)
        VEC_PUSH(jumps, (struct jump){lit_thread_here(lower), to});
    else
        VEC_PUSH(&lower->returning, lit_thread_here(lower));
    return lit_thread_emit(lower, op, span);
}

static void emit_block(struct ptx_test *test, struct ptx_block *block,
                       const struct ptx_block *behind, jump_list *jumps, struct span span,
                       uint32_t number)
{
    block->at = lit_thread_here(test->lower);
    EACH_IN (const struct ptx_step, step, block->steps)
        emit_step(test, step, span, number);
    const struct lit_expr *decides = block->decides;
    const struct ptx_block *yes = block->next[0], *no = block->next[1];
    if (decides && yes != no && no == behind && no) { /* what is false goes on */
        decides = lit_evaluate_apply(test->lower, LIT_OP_EQ, decides,
                                     lit_evaluate_const(test->lower, LIT_INT, 0));
        no = yes;
        yes = behind;
    }
    if (decides)
        emit_jump(test, jumps, LIT_BRANCH, no, span)->value = decides;
    if (yes != behind)
        (void)emit_jump(test, jumps, LIT_JUMP, yes, span);
}

/* Marking loops has moved code: what a vector's elements are unsequenced with stands before each. */
static void place_vectors(struct lit_lower *lower)
{
    for (uint32_t i = 0; i < lower->code.count; i++) {
        const struct lit_range *range = lower->code.items[i].unsequenced;
        if (range)
            lower->code.items[i].unsequenced = ARENA_MAKE(
                lower->arena, struct lit_range, .begin = i - (range->end - range->begin), .end = i);
    }
}

static void emit_kernel(struct ptx_test *test, const struct ast_thread *at)
{
    struct lit_lower *lower = test->lower;
    struct ptx_thread thread = thread_of(test, at);
    struct arena_mark mark = arena_mark(&test->scratch);
    struct ptx_residue residue = ptx_special(&test->memory, &thread, lower->arena, &test->scratch);
    jump_list jumps = {0};
    BASE_CHECK(lower->registers.count == 0);
    if (residue.failed) { /* where locations lie is known only now */
        test->failed = true;
        ptx_special_free(&residue);
        return;
    }
    for (size_t i = 0; i < residue.registers.count; i++)
        (void)lit_thread_temporary(lower, residue.registers.items[i]);
    lit_launch_begin(lower, at);
    for (size_t i = 0; i < residue.blocks.count && !lower->too_large; i++)
        emit_block(test, residue.blocks.items[i],
                   i + 1 < residue.blocks.count ? residue.blocks.items[i + 1] : NULL, &jumps,
                   at->span, thread.block);
    EACH_IN (const struct jump, jump, jumps)
        lit_thread_aim(lower, jump->instr, jump->to->at);
    VEC_FREE(&jumps);
    ptx_special_free(&residue);
    arena_rewind(&test->scratch, mark);
}

static void ptx_lower(struct lit_lower *lower, const struct ast_thread *thread)
{
    struct ptx_test *test = lower->kernels;
    if (test->failed)
        return;
    if (!thread->launch) {
        lit_thread_body(lower, thread);
    } else {
        emit_kernel(test, thread);
        lit_thread_close(lower);
        lit_launch_end(lower, thread);
    }
    if (!lower->too_large)
        lit_table_mark_loops(lower);
    place_vectors(lower);
}

/* ---- Conditions ---- */

/* Who needs what it names, and where that stands. */
struct asking {
    struct ptx_test *test;
    const char *who;
    struct span span;
};

static void check_atom(void *context, const struct lit_atom *atom)
{
    const struct asking *asking = context;
    const struct lit_lower *lower = asking->test->lower;
    const struct lit_location *locations = lower->program->locations;
    if (atom->kind == LIT_ATOM_LOCATION && locations[atom->location].opaque)
        diag_error(lower->diag, DIAG_PTX_OPAQUE, asking->span,
                   "%s needs '%s', where a kernel stores a value that no model gives", asking->who,
                   locations[atom->location].name);
}

/* What holds a value that no model gives stands in no state, and neither does memory of a block. */
static void hide(struct ptx_test *test)
{
    struct lit_location *locations = (struct lit_location *)test->lower->program->locations;
    EACH_IN (const struct ptx_object, object, test->memory.objects) {
        if (!object->declared && !object->width)
            continue;
        uint32_t first = test->lower->symbols.items[object->symbol].first;
        uint32_t count = object->locations * (object->shared ? test->memory.blocks : 1);
        for (uint32_t i = 0; i < count; i++) {
            locations[first + i].opaque = !object->shared && object->opaque[i];
            locations[first + i].hidden |= object->shared || object->hidden || object->opaque[i];
        }
    }
}

static void free_test(struct ptx_test *test)
{
    for (size_t i = 0; i < test->modules.count; i++)
        ptx_module_free(test->modules.items[i]);
    VEC_FREE(&test->modules);
    VEC_FREE(&test->launched);
    VEC_FREE(&test->memory.objects);
    VEC_FREE(&test->memory.parts);
    VEC_FREE(&test->memory.writers);
    ptx_warp_free(&test->memory);
    arena_fini(&test->scratch);
}

static void outline(struct ptx_test *test)
{
    ptx_outline all = {0};
    for (size_t i = 0; i < test->launched.count; i++) {
        const struct ptx_kernel *kernel = test->launched.items[i].kernel;
        if (!ANY(k, i, test->launched.items[k].kernel == kernel))
            ptx_place_outline(test->lower->arena, kernel, &all);
    }
    test->lower->program->outline = VEC_KEEP(test->lower->arena, &all);
    test->lower->program->outline_count = (uint32_t)all.count;
    VEC_FREE(&all);
}

static void check_named(struct ptx_test *test, const char *who, const struct ast_atoms *named,
                        const struct lit_atom *atoms, uint32_t count)
{
    for (uint32_t i = 0; named->first && i < count; i++)
        check_atom(&(struct asking){test, who, named->first->span}, &atoms[i]);
}

/* What the test names: of what is robust without being named, nobody asks here. */
static void check_asked(struct ptx_test *test)
{
    const struct ast_test *ast = test->lower->test;
    const struct lit_program *program = test->lower->program;
    for (uint32_t i = 0; i < program->condition_count && lit_lower_errors(test->lower) == 0; i++) {
        struct asking asking = {test, "the condition", program->conditions[i].span};
        lit_prop_each_atom(program->conditions[i].prop, check_atom, &asking);
    }
    if (program->filter) {
        struct asking asking = {test, "the filter", ast->filter->span};
        lit_prop_each_atom(program->filter, check_atom, &asking);
    }
    check_named(test, "'locations'", &ast->observed, program->observed, program->observed_count);
    check_named(test, "'observe'", &ast->robust_in, program->robust_in, program->robust_in_count);
}

static void ptx_finish(struct lit_lower *lower)
{
    struct ptx_test *test = lower->kernels;
    if (lit_lower_errors(lower) == 0) {
        hide(test);
        check_asked(test);
        outline(test);
    }
    free_test(test);
}

/* ---- The dialect ---- */

const struct lit_dialect ptx_dialect = {.word = "CUDA",
                                        .launches = true,
                                        .warp = 32,
                                        .compiled_by = "nvcc -ptx -lineinfo",
                                        .split_rmw = true,
                                        .partial_coherence = true,
                                        .jumps = true,
                                        .recovery = "host { kernel<<<1, 1>>>(x); }",
                                        .level_words = "sg, wg, kr and dev",
                                        .level = lit_word_level,
                                        .writing = &ptx_writing,
                                        .declare = ptx_declare,
                                        .finish = ptx_finish,
                                        .lower = ptx_lower};
