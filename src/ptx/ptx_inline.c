#include "ptx/ptx_inline.h"

#include "base/bits.h"
#include "ptx/ptx_place.h"

#include <string.h>

#define TOO_LARGE "the kernel becomes too large with the functions that it calls"

enum { MAX_DEPTH = 64, MAX_COPIES = 4096 };

/* A variable of one copy of a function. */
struct variable {
    uint64_t address, size; /* 0: it is a parameter of the kernel */
    uint32_t local;         /* of the kernel's */
};

typedef VEC(struct ptx_operand) operand_list;

/* Registers, from the one to before the other, and variables that hold nothing yet. */
struct fresh {
    uint32_t begin, end;
    const uint32_t *variables;
    uint32_t count;
};

struct inliner {
    struct arena *arena;
    const struct ptx_module *module;
    struct ptx_kernel *out; /* what it becomes */
    VEC(struct variable) variables;
    const struct ptx_kernel *within[MAX_DEPTH]; /* the functions that are being copied */
    uint32_t depth, copies;
    uint64_t bytes; /* of the thread's own memory so far */
};

/* One copy of a function. */
struct copy {
    const struct ptx_kernel *of;
    uint32_t registers; /* the first of its own */
    uint32_t *own;      /* by what it owns: the variable */
    uint32_t *at;       /* by its instructions: where the copy of each begins */
};

static void copy_code(struct inliner *in, const struct copy *copy);

/* ---- Operands ---- */

/* A variable is a number, but for a parameter of the kernel. */
static void adapt(const struct inliner *in, const struct copy *copy, struct ptx_operand *operand)
{
    for (uint32_t i = 0; operand->kind == PTX_VECTOR && i < operand->count; i++)
        adapt(in, copy, &operand->elements[i]);
    if (operand->kind == PTX_REGISTER)
        operand->reg += copy->registers;
    if (operand->kind != PTX_OWN)
        return;
    operand->reg = copy->own[operand->reg];
    const struct variable *variable = &in->variables.items[operand->reg];
    if (variable->address) {
        operand->kind = PTX_NUMBER;
        operand->number += (int64_t)variable->address;
    }
}

static struct ptx_operand *copy_operands(const struct inliner *in, const struct copy *copy,
                                         const struct ptx_operand *operands, uint32_t count)
{
    struct ptx_operand *all = arena_copy(in->arena, operands, count * sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].kind == PTX_VECTOR)
            all[i].elements =
                arena_copy(in->arena, all[i].elements, all[i].count * sizeof *all[i].elements);
        adapt(in, copy, &all[i]);
    }
    return all;
}

/* ---- What holds nothing yet ---- */

static void add_fresh(struct inliner *in, const struct ptx_instr *like, const struct fresh *fresh)
{
    static const struct ptx_declared declares;
    struct ptx_instr instr = {.text = "{",
                              .declares = &declares,
                              .span = like->span,
                              .place = like->place,
                              .guard = LIT_NONE,
                              .target = LIT_NONE};
    instr.operands =
        ARENA_ARRAY(in->arena, struct ptx_operand, fresh->end - fresh->begin + fresh->count);
    for (uint32_t i = fresh->begin; i < fresh->end; i++)
        instr.operands[instr.count++] = (struct ptx_operand){.kind = PTX_REGISTER, .reg = i};
    for (uint32_t i = 0; i < fresh->count; i++) {
        const struct variable *variable = &in->variables.items[fresh->variables[i]];
        instr.operands[instr.count++] = (struct ptx_operand){.kind = PTX_NUMBER,
                                                             .number = (int64_t)variable->address,
                                                             .count = (uint32_t)variable->size};
    }
    VEC_PUSH(&in->out->code, instr);
}

/* ---- Calls ---- */

static const struct ptx_kernel *find_function(const struct inliner *in, const char *name)
{
    const struct ptx_kernel *found = NULL;
    for (size_t i = 0; i < in->module->functions.count; i++) {
        const struct ptx_kernel *function = in->module->functions.items[i];
        if (function->name == name && (!found || found->declared))
            found = function;
    }
    return found;
}

/* Of a function, which has the variable of its caller for it. */
static bool is_formal_param(const struct inliner *in, const struct copy *copy, uint32_t own)
{
    const struct ptx_kernel *of = copy->of;
    return in->depth > 1 && own >= of->results.count && own < of->results.count + of->params.count;
}

static const char *call_fault(const struct inliner *in, const struct copy *caller,
                              const struct ptx_call *call, const struct ptx_kernel *function)
{
    if (!call->name)
        return "a call by a pointer is not read";
    if (!function || function->declared)
        return "the function has no body in this file";
    if (call->args.count != function->params.count ||
        call->results.count != function->results.count)
        return "it has more or fewer values than the function";
    if (ANY(i, call->args.count, call->args.items[i].kind != PTX_OWN) ||
        ANY(i, call->results.count, call->results.items[i].kind != PTX_OWN))
        return "a value that is no .param is not read there";
    if (ANY(i, in->depth, in->within[i] == function))
        return "the function calls itself, and recursion is not read";
    EACH_IN (const struct ptx_operand, result, call->results)
        if (ANY(i, call->args.count, call->args.items[i].reg == result->reg))
            return "it is given a value and gives one in the same variable";
    if (ANY(i, call->results.count, is_formal_param(in, caller, call->results.items[i].reg)))
        return "it gives a value in its caller's own parameter";
    return in->depth == MAX_DEPTH ? "calls stand in each other too deep" : NULL;
}

/* The formal ones are the actual ones. */
static uint32_t *bind(struct inliner *in, const struct copy *caller, const struct ptx_call *call,
                      const struct ptx_kernel *function)
{
    uint32_t *own = ARENA_ARRAY(in->arena, uint32_t, function->owned.count), at = 0;
    EACH_IN (const struct ptx_operand, result, call->results)
        own[at++] = caller->own[result->reg];
    EACH_IN (const struct ptx_operand, arg, call->args)
        own[at++] = caller->own[arg->reg];
    return own;
}

/* Where the next variable lies. */
static uint64_t behind(uint64_t address, uint64_t size)
{
    return (address + (size > PTX_LOCAL_BYTES ? PTX_LOCAL_BYTES + 1 : size) + 511) / 256 * 256;
}

/* What stands in the braces of this copy is new. */
static void add_variables(struct inliner *in, const struct ptx_kernel *of, uint32_t *own,
                          uint32_t from)
{
    for (uint32_t i = from; i < of->owned.count; i++) {
        const struct ptx_own *what = &of->owned.items[i];
        const struct variable variable = {PTX_LOCAL_BASE + in->bytes, what->size,
                                          (uint32_t)in->out->locals.count};
        in->bytes = behind(in->bytes, what->size);
        own[i] = (uint32_t)in->variables.count;
        VEC_PUSH(&in->variables, variable);
        VEC_PUSH(&in->out->locals,
                 (struct ptx_local){variable.address, what->size, !what->local, !what->local});
    }
}

static void begin_function(struct inliner *in, struct copy *copy)
{
    const struct ptx_kernel *of = copy->of;
    copy->registers = (uint32_t)in->out->registers.count;
    copy->at = ARENA_ARRAY(in->arena, uint32_t, of->code.count + 1);
    EACH_IN (const struct ptx_register, reg, of->registers)
        VEC_PUSH(&in->out->registers, *reg);
    in->within[in->depth++] = of;
    copy_code(in, copy);
    in->depth--;
}

/* Each time the function is called, its results and all that it declares hold nothing yet. */
static void begin_call(struct inliner *in, struct copy *copy, const struct ptx_instr *call)
{
    const struct ptx_kernel *of = copy->of;
    uint32_t results = (uint32_t)of->results.count, params = (uint32_t)of->params.count;
    uint32_t begin = (uint32_t)in->out->registers.count;
    uint32_t owned = (uint32_t)of->owned.count - results - params;
    add_fresh(in, call, &(struct fresh){.variables = copy->own, .count = results});
    add_fresh(in, call,
              &(struct fresh){.begin = begin,
                              .end = begin + (uint32_t)of->registers.count,
                              .variables = copy->own + results + params,
                              .count = owned});
    begin_function(in, copy);
}

/* A call under a guard is jumped over. */
static void copy_call(struct inliner *in, const struct copy *caller, struct ptx_instr instr)
{
    const struct ptx_call *call = instr.call;
    const struct ptx_kernel *function = find_function(in, call->name);
    size_t over = in->out->code.count;
    instr.why = call_fault(in, caller, call, function);
    if (instr.why || ++in->copies > MAX_COPIES ||
        in->out->code.count + function->code.count > PTX_MAX_INSTRUCTIONS ||
        in->out->registers.count + function->registers.count > PTX_MAX_REGISTERS) {
        if (!instr.why)
            instr.why = TOO_LARGE;
        VEC_PUSH(&in->out->code, instr);
        return;
    }
    if (instr.guard != LIT_NONE) {
        instr.text = "bra";
        instr.unless = !instr.unless;
        instr.call = NULL;
        VEC_PUSH(&in->out->code, instr);
    }
    struct copy copy = {.of = function, .own = bind(in, caller, call, function)};
    add_variables(in, function, copy.own,
                  (uint32_t)(function->results.count + function->params.count));
    begin_call(in, &copy, &instr);
    VEC_PUSH(&in->out->labels, (struct ptx_label){"", (uint32_t)in->out->code.count});
    if (instr.guard != LIT_NONE)
        in->out->code.items[over].target = (uint32_t)in->out->code.count;
}

/* ---- A body ---- */

/* The variables of a function's own parameters and results are those of its caller. */
static const char *formal_fault(const struct inliner *in, const struct copy *copy,
                                const struct ptx_instr *from)
{
    bool loads = strncmp(from->text, "ld.", 3) == 0, stores = strncmp(from->text, "st.", 3) == 0;
    const struct ptx_operand *at = &from->operands[loads];
    if (in->depth < 2 || from->count != 2 || (!loads && !stores) || at->kind != PTX_OWN)
        return NULL;
    if (loads && at->reg < copy->of->results.count)
        return "a function that loads its own result is not read";
    return !loads && is_formal_param(in, copy, at->reg)
               ? "a function that stores to its own parameter is not read"
               : NULL;
}

/* Its address is used: it may be reached otherwise than by its name. */
static void note_named(struct inliner *in, const struct copy *copy, uint32_t own)
{
    const struct variable *variable = &in->variables.items[copy->own[own]];
    if (variable->address)
        in->out->locals.items[variable->local].unnamed = false;
}

static void copy_instr(struct inliner *in, const struct copy *copy, const struct ptx_instr *from)
{
    if (from->declares) {
        const struct ptx_declared *what = from->declares;
        add_fresh(in, from,
                  &(struct fresh){.begin = copy->registers + what->registers,
                                  .end = copy->registers + what->registers_end,
                                  .variables = copy->own + what->owned,
                                  .count = what->owned_end - what->owned});
        return;
    }
    struct ptx_instr instr = *from;
    for (uint32_t i = 0; i < from->count; i++)
        if (from->operands[i].kind == PTX_OWN && !from->operands[i].in_brackets)
            note_named(in, copy, from->operands[i].reg);
    instr.operands = copy_operands(in, copy, from->operands, from->count);
    if (instr.guard != LIT_NONE)
        instr.guard += copy->registers;
    bool returns =
        !instr.marks && (strcmp(instr.text, "ret") == 0 || strncmp(instr.text, "ret.", 4) == 0);
    if (instr.call) {
        copy_call(in, copy, instr);
    } else if (returns && in->depth > 1) {
        instr.text = "bra";
        instr.target = (uint32_t)copy->of->code.count; /* its end */
        VEC_PUSH(&in->out->code, instr);
    } else {
        instr.why = formal_fault(in, copy, from);
        VEC_PUSH(&in->out->code, instr);
    }
}

static void aim(struct inliner *in, const struct copy *copy, struct ptx_instr *instr)
{
    if (instr->target != LIT_NONE)
        instr->target = copy->at[instr->target];
    if (instr->target_count)
        instr->targets =
            arena_copy(in->arena, instr->targets, instr->target_count * sizeof *instr->targets);
    for (uint32_t i = 0; i < instr->target_count; i++)
        instr->targets[i] = copy->at[instr->targets[i]];
}

/* Jumps are aimed when all has its place; those of a function within are already. */
static void copy_code(struct inliner *in, const struct copy *copy)
{
    const struct ptx_kernel *of = copy->of;
    VEC(uint32_t) own = {0};
    for (uint32_t i = 0; i < of->code.count; i++) {
        copy->at[i] = (uint32_t)in->out->code.count;
        if (in->out->code.count > PTX_MAX_INSTRUCTIONS) /* told in the end */
            continue;
        if (!of->code.items[i].call)
            VEC_PUSH(&own, copy->at[i]);
        copy_instr(in, copy, &of->code.items[i]);
    }
    copy->at[of->code.count] = (uint32_t)in->out->code.count;
    EACH_IN (const uint32_t, at, own)
        aim(in, copy, &in->out->code.items[*at]);
    VEC_FREE(&own);
    EACH_IN (const struct ptx_label, label, of->labels)
        VEC_PUSH(&in->out->labels, (struct ptx_label){"", copy->at[label->at]});
}

/* What is too large is refused where it begins. */
static void limit(struct ptx_kernel *kernel)
{
    uint64_t bytes = 0;
    EACH_IN (const struct ptx_local, local, kernel->locals)
        bytes = local->unnamed ? bytes : behind(bytes, local->size);
    bool large = bytes > PTX_LOCAL_BYTES;
    if (kernel->code.count <= PTX_MAX_INSTRUCTIONS &&
        kernel->registers.count <= 2 * PTX_MAX_REGISTERS && !large)
        return;
    struct ptx_instr *first = &kernel->code.items[0];
    first->why = large ? "the thread has more than 524288 bytes of its own memory, with the gaps "
                         "between variables"
                       : TOO_LARGE;
    first->count = first->target_count = 0;
    first->guard = first->target = LIT_NONE;
    kernel->code.count = 1;
    kernel->labels.count = 0;
}

static void inline_all(struct arena *arena, struct ptx_kernel *kernel)
{
    struct inliner in = {.arena = arena, .module = kernel->module};
    struct ptx_kernel whole = *kernel;
    struct copy copy = {.of = kernel, .own = ARENA_ARRAY(arena, uint32_t, kernel->owned.count)};
    memset(&whole.registers, 0, sizeof whole.registers);
    memset(&whole.code, 0, sizeof whole.code);
    memset(&whole.labels, 0, sizeof whole.labels);
    in.out = &whole;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        VEC_PUSH(&in.variables, (struct variable){0});
        copy.own[i] = i;
    }
    add_variables(&in, kernel, copy.own, (uint32_t)kernel->params.count);
    begin_function(&in, &copy);
    limit(&whole);
    VEC_FREE(&in.variables);
    VEC_FREE(&kernel->registers);
    VEC_FREE(&kernel->code);
    VEC_FREE(&kernel->labels);
    *kernel = whole;
}

/* ---- What is live ---- */

static void mark(uint64_t *row, const struct ptx_operand *operand, bool used)
{
    for (uint32_t i = 0; operand->kind == PTX_VECTOR && i < operand->count; i++)
        mark(row, &operand->elements[i], used);
    if (operand->kind != PTX_REGISTER)
        return;
    if (used)
        bits_set(row, operand->reg);
    else
        bits_clear(row, operand->reg);
}

static bool has_result(const struct ptx_instr *instr)
{
    enum ptx_kind kind = instr->why ? PTX_NOTHING : instr->meaning.word->kind;
    return instr->count && (kind == PTX_FOLD || kind == PTX_OPAQUE || kind == PTX_LOAD ||
                            kind == PTX_ATOM || kind == PTX_EXCHANGE);
}

static void mark_instr(uint64_t *row, const struct ptx_instr *instr)
{
    bool result = has_result(instr);
    for (uint32_t i = 0; instr->declares && i < instr->count; i++)
        mark(row, &instr->operands[i], false);
    if (instr->declares)
        return;
    if (result && instr->guard == LIT_NONE)
        mark(row, &instr->operands[0], false);
    for (uint32_t i = result; i < instr->count; i++)
        mark(row, &instr->operands[i], true);
    if (instr->guard != LIT_NONE)
        bits_set(row, instr->guard);
}

static bool join(uint64_t *row, const uint64_t *other, uint32_t words)
{
    uint64_t news = 0;
    for (uint32_t i = 0; i < words; i++) {
        news |= other[i] & ~row[i];
        row[i] |= other[i];
    }
    return news;
}

static bool flow_back(struct ptx_kernel *kernel, uint32_t pc, uint64_t *row)
{
    const struct ptx_instr *instr = &kernel->code.items[pc];
    uint32_t words = kernel->row;
    enum ptx_kind kind = instr->why ? PTX_NOTHING : instr->meaning.word->kind;
    bool jumps = kind == PTX_BRANCH || kind == PTX_SWITCH;
    memset(row, 0, words * sizeof *row);
    if (jumps && instr->target != LIT_NONE)
        join(row, kernel->live + (size_t)instr->target * words, words);
    for (uint32_t i = 0; i < instr->target_count; i++)
        join(row, kernel->live + (size_t)instr->targets[i] * words, words);
    if ((!jumps && kind != PTX_END) || instr->guard != LIT_NONE)
        join(row, kernel->live + (size_t)(pc + 1) * words, words);
    mark_instr(row, instr);
    return join(kernel->live + (size_t)pc * words, row, words);
}

static void renumber(struct ptx_operand *operand, uint32_t *to, uint32_t *count)
{
    for (uint32_t i = 0; operand->kind == PTX_VECTOR && i < operand->count; i++)
        renumber(&operand->elements[i], to, count);
    if (operand->kind != PTX_REGISTER)
        return;
    if (to[operand->reg] == LIT_NONE)
        to[operand->reg] = (*count)++;
    operand->reg = to[operand->reg];
}

/* What holds nothing yet and has no number is used nowhere. */
static void keep_numbered(struct ptx_instr *instr, const uint32_t *to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < instr->count; i++) {
        struct ptx_operand operand = instr->operands[i];
        if (operand.kind == PTX_REGISTER)
            operand.reg = to[operand.reg];
        if (operand.kind != PTX_REGISTER || operand.reg != LIT_NONE)
            instr->operands[count++] = operand;
    }
    instr->count = count;
}

/* Only registers that the code has keep a number: each costs in each state. */
static void drop_registers(struct arena *arena, struct ptx_kernel *kernel)
{
    size_t size = kernel->registers.count;
    const struct ptx_register *all = arena_copy(arena, kernel->registers.items, size * sizeof *all);
    uint32_t *to = ARENA_ARRAY(arena, uint32_t, size), count = 0;
    memset(to, 0xff, size * sizeof *to);
    EACH_IN (struct ptx_instr, instr, kernel->code) {
        struct ptx_operand guard = {.kind = PTX_REGISTER, .reg = instr->guard};
        for (uint32_t i = 0; i < instr->count && !instr->declares; i++)
            renumber(&instr->operands[i], to, &count);
        if (instr->guard != LIT_NONE)
            renumber(&guard, to, &count);
        instr->guard = guard.reg;
    }
    EACH_IN (struct ptx_instr, instr, kernel->code)
        if (instr->declares)
            keep_numbered(instr, to);
    for (size_t i = 0; i < size; i++)
        if (to[i] != LIT_NONE)
            kernel->registers.items[to[i]] = all[i];
    kernel->registers.count = count;
}

static bool is_copy(const struct ptx_instr *a, const struct ptx_instr *b)
{
    return a->barrier && a->span.line == b->span.line && a->span.column == b->span.column;
}

/* By what comes before it, and not by its line: so a fence that `place` adds changes nothing. */
static void number_barriers(struct ptx_kernel *kernel)
{
    uint32_t count = 0;
    EACH (struct ptx_instr, instr, kernel->code.items, kernel->code.count) {
        if (instr->why || instr->meaning.word->kind != PTX_BARRIER)
            continue;
        size_t i = 0, at = (size_t)(instr - kernel->code.items);
        while (i < at && !is_copy(&kernel->code.items[i], instr))
            i++;
        instr->barrier = i < at ? kernel->code.items[i].barrier : ++count;
    }
}

void ptx_inline(struct arena *arena, struct ptx_kernel *kernel)
{
    static const struct ptx_word declares = {.text = "{", .kind = PTX_FORGET};
    uint32_t count;
    if (kernel->live)
        return;
    inline_all(arena, kernel);
    ptx_place_all(arena, kernel);
    count = (uint32_t)kernel->code.count;
    drop_registers(arena, kernel);
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_instr *instr = &kernel->code.items[i];
        if (instr->declares)
            instr->meaning.word = &declares;
        else if (!instr->why && !instr->marks)
            (void)!ptx_read_word(arena, instr->text, &instr->meaning, &instr->why);
    }
    number_barriers(kernel);
    kernel->row = (uint32_t)(kernel->registers.count + 63) / 64 + 1;
    kernel->live = ARENA_ARRAY(arena, uint64_t, (size_t)(count + 1) * kernel->row);
    uint64_t *row = ARENA_ARRAY(arena, uint64_t, kernel->row);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = count; i-- > 0;)
            more |= flow_back(kernel, i, row);
    }
}

bool ptx_is_live(const struct ptx_kernel *kernel, uint32_t pc, uint32_t reg)
{
    if (reg >= kernel->registers.count)
        return true;
    return bits_get(kernel->live + (size_t)pc * kernel->row, reg);
}
