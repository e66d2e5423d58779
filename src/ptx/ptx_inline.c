#include "ptx/ptx_inline.h"

#include <string.h>

#define TOO_LARGE "the kernel becomes too large with the functions that it calls"

enum { MAX_DEPTH = 64, MAX_COPIES = 4096 };

/* A variable of one copy of a function. */
struct variable {
    uint32_t param;   /* of the kernel's parameters, or LIT_NONE */
    uint64_t address; /* of .local; 0: it is .param */
    uint64_t size;
    uint32_t parts; /* the last one, from 1; 0: none */
};

/* A part of a parameter that is stored and loaded. */
struct part {
    uint32_t variable, bits, reg;
    uint32_t next; /* of the same variable, from 1; 0: none */
    int64_t offset;
};

typedef VEC(struct ptx_operand) operand_list;

/* A place where registers, from the one to before the other, and variables hold nothing yet. */
struct fresh {
    uint32_t at, begin, end;
    const uint32_t *variables;
    uint32_t count;
};

struct inliner {
    struct arena *arena;
    const struct ptx_module *module;
    struct ptx_kernel *out; /* what it becomes */
    VEC(struct variable) variables;
    VEC(struct part) parts;
    VEC(struct fresh) fresh;
    const struct ptx_kernel *within[MAX_DEPTH]; /* the functions that are being copied */
    uint32_t depth, copies;
    uint64_t bytes;      /* of .local so far */
    VEC(uint32_t) whole; /* the variables that are memory, and no parts: of an earlier round, */
    bool more;           /* and some that this one has found */
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

static uint32_t new_register(struct inliner *in, uint32_t bits)
{
    VEC_PUSH(&in->out->registers, (struct ptx_register){.name = "", .type = {.bits = bits}});
    return (uint32_t)in->out->registers.count - 1;
}

/* A local variable is a number, and a parameter of the kernel stays one. */
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

/* ---- Parts of parameters ---- */

/* In the next round it is memory of the thread. */
static void keep_whole(struct inliner *in, uint32_t variable)
{
    if (in->variables.items[variable].param != LIT_NONE ||
        ANY(i, in->whole.count, in->whole.items[i] == variable))
        return;
    VEC_PUSH(&in->whole, variable);
    in->more = true;
}

/* That of a part which another one overlaps is of this round alone. */
static uint32_t part_register(struct inliner *in, uint32_t variable, int64_t offset, uint32_t bits)
{
    EACH_IN (const struct part, part, in->parts) {
        bool apart = part->variable != variable || offset >= part->offset + part->bits / 8 ||
                     part->offset >= offset + bits / 8;
        if (!apart && (part->offset != offset || part->bits != bits))
            keep_whole(in, variable);
        if (!apart)
            return part->reg;
    }
    uint32_t *parts = &in->variables.items[variable].parts;
    VEC_PUSH(&in->parts, (struct part){variable, bits, new_register(in, bits), *parts, offset});
    *parts = (uint32_t)in->parts.count;
    return VEC_LAST(&in->parts).reg;
}

static uint32_t width_of(const struct inliner *in, const struct ptx_operand *operand)
{
    return operand->kind == PTX_REGISTER ? in->out->registers.items[operand->reg].type.bits : 64;
}

/* One element between a register and a part: a move, or a conversion between sizes. */
static void move_part(struct inliner *in, struct ptx_instr instr, const struct ptx_meaning *meaning,
                      const struct ptx_operand *other, struct ptx_operand part)
{
    bool loads = meaning->word->kind == PTX_LOAD;
    uint32_t bits = meaning->type.bits, wide = width_of(in, other);
    char sign = meaning->type.is_signed ? 's' : 'u';
    part.reg = part_register(in, part.reg, part.number, bits);
    part.kind = PTX_REGISTER;
    part.number = 0;
    part.in_brackets = false;
    instr.text = wide == bits ? arena_printf(in->arena, "mov.b%u", bits)
                 : loads      ? arena_printf(in->arena, "cvt.%c%u.%c%u", sign, wide, sign, bits)
                              : arena_printf(in->arena, "cvt.u%u.u%u", bits, wide);
    if (other->kind != PTX_REGISTER && !loads)
        instr.text = arena_printf(in->arena, "mov.b%u", bits);
    instr.count = 2;
    instr.operands = ARENA_ARRAY(in->arena, struct ptx_operand, 2);
    instr.operands[!loads] = *other;
    instr.operands[loads] = part;
    VEC_PUSH(&in->out->code, instr);
}

/* ld.param and st.param of what is no parameter of the kernel. */
static void move_parts(struct inliner *in, const struct ptx_instr *instr)
{
    struct ptx_meaning meaning;
    struct ptx_instr one = *instr;
    bool read = ptx_read_word(in->arena, instr->text, &meaning, &one.why);
    bool loads = read && meaning.word->kind == PTX_LOAD;
    const struct ptx_operand *whole = &instr->operands[!loads], *part = &instr->operands[loads];
    bool vector = whole->kind == PTX_VECTOR;
    uint32_t count = vector ? whole->count : 1;
    if (read && meaning.space != PTX_PARAM)
        one.why = "the address of a parameter is not read yet";
    else if (read && count != meaning.vector)
        one.why = "its vector is not of the length that it says";
    if (one.why) {
        VEC_PUSH(&in->out->code, one);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct ptx_operand at = *part;
        at.number += (int64_t)i * meaning.type.bits / 8;
        move_part(in, *instr, &meaning, vector ? &whole->elements[i] : whole, at);
    }
}

/* The address of a load or a store of a variable of the function's own; NULL: it is none. */
static const struct ptx_operand *own_address(const struct ptx_instr *instr, bool *loads)
{
    *loads = strncmp(instr->text, "ld.", 3) == 0;
    if (instr->count != 2 || (!*loads && strncmp(instr->text, "st.", 3) != 0))
        return NULL;
    const struct ptx_operand *at = &instr->operands[*loads];
    return at->kind == PTX_OWN ? at : NULL;
}

static bool is_part(const struct inliner *in, const struct ptx_instr *instr)
{
    bool loads;
    const struct ptx_operand *at = own_address(instr, &loads);
    return at && at->in_brackets && in->variables.items[at->reg].param == LIT_NONE;
}

/* ---- What holds nothing yet ---- */

static void begin_fresh(struct inliner *in, const struct ptx_instr *like, struct fresh fresh)
{
    static const struct ptx_declared declares;
    struct ptx_instr instr = {.text = "{",
                              .declares = &declares,
                              .span = like->span,
                              .place = like->place,
                              .guard = LIT_NONE,
                              .target = LIT_NONE};
    fresh.at = (uint32_t)in->out->code.count;
    VEC_PUSH(&in->fresh, fresh);
    VEC_PUSH(&in->out->code, instr);
}

static void add_fresh(const struct inliner *in, uint32_t number, operand_list *operands)
{
    const struct variable *variable = &in->variables.items[number];
    if (variable->address)
        VEC_PUSH(operands, (struct ptx_operand){.kind = PTX_NUMBER,
                                                .number = (int64_t)variable->address,
                                                .count = (uint32_t)variable->size});
    for (uint32_t i = variable->parts; i; i = in->parts.items[i - 1].next)
        VEC_PUSH(operands,
                 (struct ptx_operand){.kind = PTX_REGISTER, .reg = in->parts.items[i - 1].reg});
}

/* Which parts there are is known in the end. */
static void list_fresh(const struct inliner *in, const struct fresh *fresh)
{
    struct ptx_instr *instr = &in->out->code.items[fresh->at];
    operand_list operands = {0};
    for (uint32_t i = fresh->begin; i < fresh->end; i++)
        VEC_PUSH(&operands, (struct ptx_operand){.kind = PTX_REGISTER, .reg = i});
    for (uint32_t i = 0; i < fresh->count; i++)
        add_fresh(in, fresh->variables[i], &operands);
    instr->count = (uint32_t)operands.count;
    instr->operands =
        arena_copy(in->arena, operands.items, operands.count * sizeof *operands.items);
    VEC_FREE(&operands);
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

/* What stands in the braces of this copy is new. */
static void add_variables(struct inliner *in, const struct ptx_kernel *of, uint32_t *own,
                          uint32_t from)
{
    for (uint32_t i = from; i < of->owned.count; i++) {
        struct variable variable = {.param = LIT_NONE};
        bool local = of->owned.items[i].local;
        if (local || ANY(k, in->whole.count, in->whole.items[k] == in->variables.count)) {
            variable.address = PTX_LOCAL_BASE + in->bytes;
            variable.size = of->owned.items[i].size;
            in->bytes += variable.size > PTX_LOCAL_BYTES ? PTX_LOCAL_BYTES + 1 : variable.size;
            in->bytes = (in->bytes + 511) / 256 * 256;
            VEC_PUSH(&in->out->locals,
                     (struct ptx_local){variable.address, of->owned.items[i].size, !local});
        }
        VEC_PUSH(&in->variables, variable);
        own[i] = (uint32_t)in->variables.count - 1;
    }
}

static void label_here(struct inliner *in)
{
    VEC_PUSH(&in->out->labels, (struct ptx_label){"", (uint32_t)in->out->code.count});
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
    begin_fresh(in, call, (struct fresh){.variables = copy->own, .count = results});
    begin_fresh(in, call,
                (struct fresh){.begin = begin,
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
    label_here(in);
    if (instr.guard != LIT_NONE)
        in->out->code.items[over].target = (uint32_t)in->out->code.count;
}

/* ---- A body ---- */

static void copy_braces(struct inliner *in, const struct copy *copy, const struct ptx_instr *from)
{
    const struct ptx_declared *what = from->declares;
    begin_fresh(in, from,
                (struct fresh){.begin = copy->registers + what->registers,
                               .end = copy->registers + what->registers_end,
                               .variables = copy->own + what->owned,
                               .count = what->owned_end - what->owned});
}

/* The variables of a function's own parameters and results are those of its caller. */
static const char *formal_fault(const struct inliner *in, const struct copy *copy,
                                const struct ptx_instr *from)
{
    bool loads;
    const struct ptx_operand *at = own_address(from, &loads);
    if (in->depth < 2 || !at)
        return NULL;
    if (loads && at->reg < copy->of->results.count)
        return "a function that loads its own result is not read";
    return !loads && is_formal_param(in, copy, at->reg)
               ? "a function that stores to its own parameter is not read"
               : NULL;
}

static void copy_instr(struct inliner *in, const struct copy *copy, const struct ptx_instr *from)
{
    if (from->declares) {
        copy_braces(in, copy, from);
        return;
    }
    struct ptx_instr instr = *from;
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
        for (uint32_t i = 0; i < instr.count; i++)
            if (instr.operands[i].kind == PTX_OWN && !instr.operands[i].in_brackets)
                keep_whole(in, instr.operands[i].reg);
        if (!instr.why && is_part(in, &instr))
            move_parts(in, &instr);
        else
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
static void limit(struct ptx_kernel *kernel, uint64_t bytes)
{
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

/* A round: all bodies are copied, with what is known by now of their parameters. */
static struct ptx_kernel inline_all(struct inliner *in, const struct ptx_kernel *kernel)
{
    struct ptx_kernel whole = *kernel;
    struct copy copy = {.of = kernel, .own = ARENA_ARRAY(in->arena, uint32_t, kernel->owned.count)};
    memset(&whole.registers, 0, sizeof whole.registers);
    memset(&whole.code, 0, sizeof whole.code);
    memset(&whole.labels, 0, sizeof whole.labels);
    in->out = &whole;
    in->copies = 0;
    in->bytes = 0;
    in->more = false;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        VEC_PUSH(&in->variables, (struct variable){.param = i});
        copy.own[i] = i;
    }
    add_variables(in, kernel, copy.own, (uint32_t)kernel->params.count);
    begin_function(in, &copy);
    EACH_IN (const struct fresh, fresh, in->fresh)
        list_fresh(in, fresh);
    limit(&whole, in->bytes);
    VEC_FREE(&in->variables);
    VEC_FREE(&in->parts);
    VEC_FREE(&in->fresh);
    return whole;
}

void ptx_inline(struct arena *arena, struct ptx_kernel *kernel)
{
    struct inliner in = {.arena = arena, .module = kernel->module};
    struct ptx_kernel whole = inline_all(&in, kernel);
    while (in.more) {
        VEC_FREE(&whole.registers);
        VEC_FREE(&whole.code);
        VEC_FREE(&whole.labels);
        VEC_FREE(&whole.locals);
        whole = inline_all(&in, kernel);
    }
    VEC_FREE(&kernel->registers);
    VEC_FREE(&kernel->code);
    VEC_FREE(&kernel->labels);
    VEC_FREE(&in.whole);
    *kernel = whole;
}
